// A checker of certificates, written from the page "What is trusted, in an hour" alone.
// check(certificates, {axioms, library}) goes through a list of certificates and returns what was
// proved, or throws Refused with a reason. Each of the three is JSON text or the value of it; only
// text can carry integers beyond 2^53, because JSON.parse would round them.
// Three parts: terms (tables of interned nodes), calculation (normal forms), and the rules.
// Calculation does not rewrite terms. It evaluates them in an environment that gives a value to
// every loose index; a binder is entered with a fresh named variable, so that nothing is ever
// shifted there, and left by giving the variable a name that depends only on what it binds.

export class Refused extends Error {
  constructor(reason) { super(reason); this.name = "Refused"; }
}
const refuse = (reason) => { throw new Refused(reason); };
const need = (condition, reason) => condition || refuse(reason);
// Work is counted; what is left of the allowance is set anew for every certificate.
let allowance = 0;
const spend = (units) => (allowance -= units) >= 0 || refuse("it needs more work than is allowed");

// ---------------------------------------------------------------- exact fractions
const LIMB = 1n << 62n;
// The length of an integer in words of 64 bits, to charge for long numbers.
const limbs = (n) => (n < LIMB && n > -LIMB ? 1 : 1 + (n.toString(16).length >> 4));
function gcd(a, b) {
  const words = limbs(a) + limbs(b); if (words > 2) spend((words * (words + 100)) / 8); while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a; }
// n/d in lowest terms, d > 0.
function fraction(n, d) {
  if (d === 1n) return { n, d, words: limbs(n) }; const g = gcd(n, d) * (d < 0n ? -1n : 1n);
  return { n: n / g, d: d / g, words: limbs(n) + limbs(d) }; }
const ZERO = fraction(0n, 1n), ONE = fraction(1n, 1n), MINUS = fraction(-1n, 1n);
function plus(a, b) {
  spend(1 + ((a.words * b.words) >> 8)); if (a.d === 1n && b.d === 1n) return fraction(a.n + b.n, 1n);
  return fraction(a.n * b.d + b.n * a.d, a.d * b.d); }
function times(a, b) {
  if (a === ONE) return b; if (b === ONE) return a; spend(1 + ((a.words * b.words) >> 8)); return fraction(a.n * b.n, a.d * b.d);
}
const reciprocal = (a) => fraction(a.d, a.n); // only of numbers that are not zero
const isOne = (a) => a.n === 1n && a.d === 1n;
// a^k for an integer k >= 0, by squaring; every product is charged before it is worked out.
function power(a, k) {
  let result = ONE;
  for (; k > 0; k = Math.floor(k / 2)) { if (k % 2) result = times(result, a); if (k > 1) a = times(a, a); }
  return result; }

// ---------------------------------------------------------------- data that is read
const LARGEST = 1n << 1600n;
// An integer as a bigint. Rounded numbers, 1.5, -0 and what only looks like an integer are refused.
function integer(value, what) {
  if (typeof value === "number") {
    need(Number.isSafeInteger(value) && !Object.is(value, -0), `${what} is not an exact integer`); return BigInt(value); }
  need(typeof value === "bigint", `${what} is not an integer`);
  need(value <= LARGEST && value >= -LARGEST, `${what} is beyond 2^1600`); return value; }
function text(value, what) { need(typeof value === "string" && value !== "", `${what} is not a nonempty string`); return value; }
function list(value, what) { need(Array.isArray(value), `${what} is not a list`); return value; }
function listOf(value, length, what) {
  need(list(value, what).length === length, `${what} has not ${length} entries`); return value; }
// The entry of a list that an argument names; only entries that exist already can be named.
function entry(table, value, what) {
  const at = integer(value, what);
  need(at >= 0n && at < BigInt(table.length), `${what} names a row that is not there yet`); return table[Number(at)]; }
const isNumeral = (name) => /^[1-9][0-9]{0,398}$/.test(name); // a size with such a name is that number
const size = (value) => { need(!text(value, "a size").includes(":"), "a size has a colon in it"); return value; };
// The two sizes of a sort of matrices, or null.
const shape = (sort) => (sort.startsWith("M:") ? sort.split(":").slice(1) : null);
function sortName(value) {
  text(value, "a sort"); const known = ["R", "Z", "V", "W", "U", "P"].includes(value), sizes = shape(value);
  need(known || (sizes && sizes.length === 2 && sizes.every((s) => s !== "")), "no such sort"); return value; }
// A copy of one entry of an object: own data only, so neither a prototype nor a getter is asked.
function own(object, key) {
  need(object !== null && typeof object === "object", "a certificate or axiom is not an object");
  return snapshot(Object.getOwnPropertyDescriptor(object, key)?.value, 0); }
function snapshot(value, depth) {
  spend(0.1); need(depth < 8, "lists are nested too deep"); if (!Array.isArray(value)) return value; const copy = [];
  for (let i = 0, n = value.length; i < n; i++) copy.push(snapshot(value[i], depth + 1)); return copy; }
// JSON text to values: integers of any length exactly, other numbers as NaN (never an integer). Strings
// are marked with s and numbers become strings marked with n, so that JSON.parse cannot round them.
export function parse(source) {
  const marked = source.replace(/"((?:[^"\\]|\\.)*)"|(-?[0-9][0-9.eE+-]*)/g, (_, string, number) =>
    number === undefined ? `"s${string}"` : `"n${number}"`);
  return JSON.parse(marked, (_, value) => {
    if (typeof value === "string") return value[0] === "s" ? value.slice(1) : integerText(value.slice(1));
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.slice(1), item])); }); }
function integerText(number) {
  if (number.length > 500 || !/^-?(0|[1-9][0-9]*)$/.test(number)) return NaN;
  return Number.isSafeInteger(Number(number)) ? Number(number) : BigInt(number); }

// ---------------------------------------------------------------- terms
const NUMBER = ["R", "Z"];
// The data of the operations that have some; every other operation has none.
const DATA = new Map(Object.entries({
  v: ["name", "sort"], b: ["index", "sort"], q: ["integer", "positive"], z: ["integer"],
  dim: ["size"], pow: ["exponent"], zero: ["linear"], I: ["size"], unit: ["size"], all: ["sort"],
}));
// The operations that bind: which argument, and the sort of the variable (null: the data says).
const BINDS = new Map(Object.entries({
  sum: [2, "Z"], prod: [2, "Z"], E: [0, "W"], int: [0, "U"], integrable: [0, "U"], deriv: [0, "R"], all: [0, null], }));
const READ = {
  name: (x) => text(x, "a name"), sort: sortName, size, integer: (x) => integer(x, "a number"),
  positive: (x) => need((x = integer(x, "a denominator")) > 0n, "a denominator is not positive") && x,
  index: (x) => { x = integer(x, "an index"); need(x >= 0n && x < 1n << 31n, "an index is out of range"); return Number(x); },
  exponent: (x) => {
    x = integer(x, "an exponent"); need(x >= 0n && x <= 100n, "an exponent is not between 0 and 100"); return Number(x); },
  linear: (x) => need(sortName(x) === "V" || shape(x), "a zero of this sort is not written so") && x,
};
const FIXED = new Map(Object.entries({
  of: ["Z", "R"], inv: ["R", "R"], exp: ["R", "R"], log: ["R", "R"], sqrt: ["R", "R"], abs: ["R", "R"],
  max: ["R", "R", "R"], min: ["R", "R", "R"], ind: ["P", "R"], prod: ["Z", "Z", "R", "R"],
  dot: ["V", "V", "R"], F: ["P"], "->": ["P", "P", "P"], "&": ["P", "P", "P"], "|": ["P", "P", "P"],
  all: ["P", "P"], deriv: ["R", "R", "R", "P"], int: ["R", "R"], integrable: ["R", "P"],
}));
// The sort of a term, or a refusal if the sorts of the arguments do not fit the operation.
function sortOf(op, data, sorts) {
  const fits = (condition) => need(condition, `the arguments of ${op} do not fit`), fixed = FIXED.get(op);
  if (fixed) { fits(sorts.length === fixed.length - 1 && sorts.every((s, i) => s === fixed[i])); return fixed.at(-1); }
  const [first, second] = sorts, same = () => sorts.length >= 2 && sorts.every((s) => s === first);
  const matrix = () => (fits(sorts.length === 1 && shape(first)), shape(first)), square = () => fits(matrix()[0] === matrix()[1]);
  switch (op) {
    case "v": return data[1]; case "b": return fits(sorts.length === 0), data[1];
    case "q": return fits(sorts.length === 0), "R"; case "z": case "dim": return fits(sorts.length === 0), "Z";
    case "zero": return fits(sorts.length === 0), data[0];
    case "I": return fits(sorts.length === 0), `M:${data[0]}:${data[0]}`;
    case "unit": return fits(sorts.length === 1 && first === "Z"), `M:${data[0]}:1`;
    case "+": return fits(same() && !["P", "W", "U"].includes(first)), first;
    case "*": return fits(same() && NUMBER.includes(first)), first;
    case "pow": return fits(sorts.length === 1 && NUMBER.includes(first)), first;
    case "sum":
      fits(sorts.length === 3 && first === "Z" && second === "Z" && (["R", "V"].includes(sorts[2]) || shape(sorts[2]))); return sorts[2];
    case "E": return fits(sorts.length === 1 && (["R", "V"].includes(first) || shape(first))), first;
    case "sc": return fits(sorts.length === 2 && first === "R" && (second === "V" || shape(second))), second;
    case "mm": {
      fits(sorts.length >= 2 && sorts.every(shape)); fits(sorts.every((s, i) => i === 0 || shape(sorts[i - 1])[1] === shape(s)[0]));
      return `M:${shape(first)[0]}:${shape(sorts.at(-1))[1]}`; }
    case "T": return `M:${matrix()[1]}:${matrix()[0]}`;
    case "tr": case "det": return square(), "R"; case "minv": return square(), first;
    case "=": return fits(sorts.length === 2 && same() && !["P", "W", "U"].includes(first)), "P";
    case "<=": case "<": return fits(sorts.length === 2 && same() && NUMBER.includes(first)), "P";
    default: return refuse("no such operation"); } }
// Terms are interned: equal terms are one object, so sameness is ===. All certificates of a run
// share one table, so that a citation can be compared with what was proved.
class Terms {
  constructor() { this.table = new Map(); }
  make(op, data, args) {
    let key = op; for (const part of data) key += typeof part === "string" ? JSON.stringify(part) : ` ${part}`;
    for (const arg of args) key += `,${arg.id}`; spend(1); const known = this.table.get(key); if (known) return known;
    spend(1 + key.length / 200);
    const sort = sortOf(op, data, args.map((a) => a.sort)), depth = 1 + args.reduce((d, a) => Math.max(d, a.depth), 0);
    need(depth <= 150, "a term is nested more than 150 deep");
    // The loose indices with the sorts they declare; one index may declare two sorts until bound.
    const loose = new Map(); if (op === "b") loose.set(`${data[0]} ${sort}`, [data[0], sort]);
    const [place, bound] = BINDS.get(op) ?? [-1, null];
    args.forEach((arg, i) => {
      for (const [k, s] of arg.loose) {
        if (i !== place) loose.set(`${k} ${s}`, [k, s]);
        else if (k > 0) loose.set(`${k - 1} ${s}`, [k - 1, s]);
        else need(s === (bound ?? data[0]), "a bound variable declares another sort than its binder"); } });
    const term = { id: this.table.size, op, data, args, sort, depth, loose: [...loose.values()] };
    // A variable is its name, its sort and the sorts of its arguments.
    if (op === "v") term.signature = JSON.stringify([...data, args.map((a) => a.sort)]); this.table.set(key, term); return term; }
  // A row of a table of terms.
  row(row, table) {
    list(row, "a row of terms"); const op = text(row[0], "an operation"), reads = DATA.get(op) ?? [];
    need(row.length > reads.length, "a row of terms is too short"); const data = reads.map((kind, i) => READ[kind](row[i + 1]));
    return this.make(op, data, row.slice(reads.length + 1).map((a) => entry(table, a, "an argument"))); }
  // Rebuild a term: leaf(term, binders above it, its rebuilt arguments) may return a new term or null.
  // Memoised by term and number of binders, so shared parts are visited once.
  rebuild(term, leaf, skip = () => false) {
    const memo = new Map();
    const visit = (t, depth) => {
      if (skip(t, depth)) return t; const key = t.id * 256 + depth; let result = memo.get(key); if (result) return result; spend(1);
      const place = BINDS.get(t.op)?.[0] ?? -1, args = t.args.map((a, i) => visit(a, depth + (i === place ? 1 : 0)));
      result = leaf(t, depth, args) ?? (t.args.every((a, i) => a === args[i]) ? t : this.make(t.op, t.data, args));
      memo.set(key, result); return result; };
    return visit(term, 0); }
  // Raise the loose indices, for a term that comes to stand under more binders.
  raise(term, by) {
    if (by === 0 || term.loose.length === 0) return term;
    const raised = (t, depth) => t.op === "b" && t.data[0] >= depth ? this.make("b", [t.data[0] + by, t.sort], []) : null;
    return this.rebuild(term, raised, (t, depth) => t.loose.every(([k]) => k < depth)); }
  // Put terms for the loose indices 0, 1, … of a body that has no other loose indices.
  instantiate(body, values) {
    const put = (t, depth) => t.op === "b" && t.data[0] >= depth ? this.raise(values[t.data[0] - depth], depth) : null;
    return this.rebuild(body, put, (t, depth) => t.loose.every(([k]) => k < depth)); }
  // Replace free variables; bodies are closed but for their arguments, so only arguments are raised.
  substitute(term, bodies) {
    return this.rebuild(term, (t, depth, args) =>
      t.op === "v" && bodies.has(t.signature) ? this.instantiate(bodies.get(t.signature), args) : null); }
  // Bind the free variable x: below n binders it becomes the index n. The term is closed.
  abstract(term, x) { return this.rebuild(term, (t, depth) => (t === x ? this.make("b", [depth, x.sort], []) : null)); }
  // Rename sizes wherever they stand: in sorts, dim and I.
  resize(term, names) {
    const one = (s) => names.get(s) ?? s, sort = (s) => (shape(s) ? `M:${shape(s).map(one).join(":")}` : s);
    return this.rebuild(term, (t, depth, args) => {
      const kinds = DATA.get(t.op) ?? [];
      const data = t.data.map((d, i) => kinds[i] === "size" ? one(d) : kinds[i] === "sort" || kinds[i] === "linear" ? sort(d) : d);
      return this.make(t.op, data, args); }); }
  contains(term, x) {
    const seen = new Set(), visit = (t) => t === x || (!seen.has(t) && (seen.add(t), spend(0.2), t.args.some(visit)));
    return visit(term); } }

// ---------------------------------------------------------------- calculation
// Variables in values are named by integers: n >= 0 is a binder that has been entered, -h a bound
// one. An atom that binds uses -h with h larger than any bound name inside, so names never clash.
const bit = (name) => 1n << BigInt(name >= 0 ? 2 * name : -2 * name + 1);
// An entered name larger than all those in the masks.
const fresh = (...masks) => (masks.reduce((a, b) => a | b).toString(2).length + 1) >> 1;
const exact = (e) => need(Math.abs(e) < 1e9, "an exponent is too large") && e;
const higher = (nodes) => nodes.reduce((h, x) => Math.max(h, x.height), 0);
const joint = (nodes) => nodes.reduce((m, x) => m | x.mask, 0n);
function* permutations(items) {
  if (items.length < 2) yield items;
  else for (const [i, first] of items.entries())
      for (const rest of permutations(items.toSpliced ? items.toSpliced(i, 1) : items.filter((_, j) => j !== i)))
        yield [first, ...rest]; }
// A value is an interned node, so equal normal forms are one object:
//   poly  a list of [mono, coefficient]         mono  a list of [atom, exponent], and an exponent of e
//   lin   a vector or matrix: [base, poly]; a base is an atom of sort V or a word of letters
// In a mono the exponent 0 means x·(1/x), which is not 1.
class Calculus {
  constructor() {
    this.nodes = new Map(); this.memo = new Map(); this.products = new Map();
    this.one = this.mono([], []); this.zero = this.poly([]); this.false = this.app("F", [], []);
    this.true = this.app("->", [], [this.false, this.false]); }
  // The one node with this key. The mask says which variables occur free in it.
  node(kind, key, mask, height, rest) {
    spend(1 + key.length / 100); key = kind + key; const known = this.nodes.get(key); if (known) return known;
    const made = { kind, id: this.nodes.size, mask, height, ...rest }; this.nodes.set(key, made); return made; }
  variable(name, sort) { return this.node("x", `${name} ${sort}`, bit(name), 0, { name, sort }); }
  // An operation that calculation takes apart and puts together.
  app(op, data, args) {
    if (op === "max" || op === "min" || op === "dot") args = [...args].sort((a, b) => a.id - b.id); // symmetric
    const key = `${op}${JSON.stringify(data)}${args.map((a) => a.id)}`;
    return this.node("app", key, joint(args), higher(args), { op, data, args, idempotent: op === "ind" }); }

  // ---- products of atoms
  // factors: [atom, exponent], with repetitions; exponents add up, and 0 stays as x·(1/x): at x = 0 all
  // powers and reciprocals are 0, elsewhere the sum of exponents is right.
  mono(factors, exponents) {
    const powers = new Map(), constants = new Map();
    for (const [atom, e] of factors) {
      if (atom.kind === "constant") {
        const key = `${atom.lo.id} ${atom.hi.id}`, c = power(e < 0 ? reciprocal(atom.value) : atom.value, Math.abs(e));
        constants.set(key, [atom, times(c, constants.get(key)?.[1] ?? ONE)]);
      } else powers.set(atom, atom.idempotent ? 1 : exact((powers.get(atom) ?? 0) + e)); // 0 or 1: all powers equal
    }
    // Products of numbers over one range: c^N d^N = (cd)^N, and never zero.
    for (const [atom, c] of constants.values()) if (!isOne(c)) powers.set(this.constant(atom.lo, atom.hi, c), 1);
    const exp = exponents.length === 0 ? null : exponents.reduce((a, b) => this.add(a, b));
    return this.rawMono([...powers].sort(([a], [b]) => a.id - b.id), exp === this.zero ? null : exp); }
  rawMono(factors, exp) {
    const parts = factors.map(([atom]) => atom); if (exp) parts.push(exp);
    const key = `${factors.map(([atom, e]) => `${atom.id}^${e}`)}e${exp ? exp.id : ""}`;
    return this.node("mono", key, joint(parts), higher(parts), { factors, exp }); }
  multiplyMonos(a, b) {
    if (a === this.one) return b; if (b === this.one) return a;
    const key = a.id < b.id ? a.id * 2 ** 26 + b.id : b.id * 2 ** 26 + a.id; let result = this.products.get(key);
    if (!result) {
      result = this.mono([...a.factors, ...b.factors], [a, b].flatMap((m) => (m.exp ? [m.exp] : [])));
      this.products.set(key, result); }
    return result; }
  // Scaled monos {c, m} are what renaming and summing make of a mono.
  scaled(c, ...monos) { return { c, m: monos.reduce((a, b) => this.multiplyMonos(a, b), this.one) }; }

  // ---- polynomials
  poly(terms) {
    const sums = new Map();
    for (const [m, c] of terms) { spend(1); const old = sums.get(m); sums.set(m, old ? plus(old, c) : c); }
    const kept = [...sums].filter(([, c]) => c.n !== 0n).sort(([a], [b]) => a.id - b.id), monos = kept.map(([m]) => m);
    const key = kept.map(([m, c]) => `${m.id}:${c.n}/${c.d}`).join();
    return this.node("poly", key, joint(monos), higher(monos), { terms: kept }); }
  number(c) { return this.poly([[this.one, c]]); }
  // The rational number that a polynomial is, or null.
  numeral(p) { if (p === this.zero) return ZERO; return p.terms.length === 1 && p.terms[0][0] === this.one ? p.terms[0][1] : null; }
  atom(a, e = 1) { return this.poly([[this.mono([[a, e]], []), ONE]]); }
  add(a, b) { return this.poly([...a.terms, ...b.terms]); }
  scale(p, c) { return isOne(c) ? p : this.poly(p.terms.map(([m, d]) => [m, times(c, d)])); }
  multiply(a, b) {
    const terms = [];
    for (const [m, c] of a.terms) for (const [n, d] of b.terms) { spend(1); terms.push([this.multiplyMonos(m, n), times(c, d)]); }
    return this.poly(terms); }
  raise(p, k) {
    let result = this.number(ONE);
    if (p.terms.length === 1 && k > 0) {
      const [[m, c]] = p.terms, exp = m.exp ? [this.scale(m.exp, fraction(BigInt(k), 1n))] : [];
      return this.poly([[this.mono(m.factors.map(([a, e]) => [a, exact(e * k)]), exp), power(c, k)]]); }
    for (let i = 0; i < k; i++) result = this.multiply(result, p); return result; }
  exponential(p) { return this.poly([[this.mono([], [p]), ONE]]); }
  // 1/p. Of several terms it is an atom, of p divided by its first coefficient.
  reciprocal(p) {
    if (p === this.zero) return p;
    if (p.terms.length > 1) {
      const c = reciprocal(p.terms[0][1]), base = this.scale(p, c);
      return this.scale(this.atom(this.node("inv", `${base.id}`, base.mask, base.height, { base })), c); }
    const [[m, c]] = p.terms;
    const plain = m.factors.filter(([a]) => a.kind !== "inv").map(([a, e]) => [a, -e]); // -0 is 0 here
    const exp = m.exp ? [this.scale(m.exp, MINUS)] : [];
    let result = this.poly([[this.mono(plain.map(([a, e]) => [a, e || 0]), exp), reciprocal(c)]]);
    for (const [a, e] of m.factors) if (a.kind === "inv") result = this.multiply(result, this.raise(a.base, e)); return result; }

  // ---- renaming of variables; it is injective, so it is an isomorphism up to the order of things
  rename(pairs) {
    const names = new Map(pairs); return { names, mask: pairs.reduce((m, [from]) => m | bit(from), 0n), memo: new Map() }; }
  renamed(node, how) {
    if (!(node.mask & how.mask)) return node; spend(1); let result = how.memo.get(node);
    if (result === undefined) how.memo.set(node, (result = this.renameInside(node, how))); return result; }
  // Everything but numeric atoms, monos and sums of vectors, which may come out with a factor.
  renameInside(node, how) {
    const each = (nodes) => nodes.map((x) => this.renamed(x, how));
    switch (node.kind) {
      case "x": return this.variable(how.names.get(node.name), node.sort);
      case "app": return node.op === "tr" ? this.trace(this.renamed(node.args[0], how)) : this.app(node.op, node.data, each(node.args));
      case "poly":
        return this.poly(node.terms.map(([m, c]) => { const t = this.renamedMono(m, how); return [t.m, times(c, t.c)]; }));
      case "lin":
        return this.lin(node.sort, node.entries.map(([base, p]) => {
          const { c, base: to } = this.renamedBase(base, how); return [to, this.scale(this.renamed(p, how), c)]; }));
      case "word": return this.word(each(node.letters));
      case "relation": return this.relation(node.op, node.sort, this.renamed(node.difference, how));
      case "bind": return this.bind(node.op, node.sort, node.name, this.renamed(node.body, how), each(node.args));
      default: return refuse("a value of an unknown kind"); } }
  renamedMono(m, how) {
    if (!(m.mask & how.mask)) return { c: ONE, m }; const known = how.memo.get(m); if (known) return known;
    spend(1); let c = ONE; const factors = [];
    for (const [atom, e] of m.factors) {
      const t = this.renamedAtom(atom, how); if (!isOne(t.c)) c = times(c, power(e < 0 ? reciprocal(t.c) : t.c, Math.abs(e)));
      for (const [a, f] of t.m.factors) factors.push([a, f * e || 0]); }
    const result = { c, m: this.mono(factors, m.exp ? [this.renamed(m.exp, how)] : []) }; how.memo.set(m, result); return result; }
  // A renamed atom, closed anew, because the order of terms and ranges depends on the names.
  renamedAtom(a, how) {
    const single = (x) => ({ c: ONE, m: this.mono([[x, 1]], []) }); if (!(a.mask & how.mask)) return single(a);
    const known = how.memo.get(a); if (known) return known.kind ? single(known) : known;
    spend(1); let result; const ren = (x) => this.renamed(x, how);
    if (a.kind === "inv") [[result]] = this.reciprocal(ren(a.base)).terms.map(([m, c]) => [{ c, m }]);
    else if (a.kind === "constant") result = single(this.constant(ren(a.lo), ren(a.hi), a.value));
    else if (a.kind === "prod") result = this.product(a.name, ren(a.lo), ren(a.hi), ren(a.body));
    else if (a.kind === "sum") {
      const body = this.renamedMono(a.body, how), ranges = a.ranges.map((r) => ({ name: r.name, lo: ren(r.lo), hi: ren(r.hi) }));
      const closed = this.closeSum(ranges, body.m); result = { c: times(body.c, closed.c), m: closed.m };
    } else if (a.kind === "E") {
      const body = this.renamedMono(a.body, how), closed = this.closeMean(a.name, body.m);
      result = { c: times(body.c, closed.c), m: closed.m };
    } else return single(ren(a));
    how.memo.set(a, result); return result; }
  renamedBase(base, how) {
    if (base.kind !== "vsum") return { c: ONE, base: this.renamed(base, how) };
    if (!(base.mask & how.mask)) return { c: ONE, base };
    const body = this.renamedMono(base.body, how), inner = this.renamedBase(base.base, how); const lo = this.renamed(base.lo, how);
    const closed = this.closeVectorSum(base.name, lo, this.renamed(base.hi, how), body.m, inner.base);
    return { c: times(times(body.c, inner.c), closed.c), base: closed.base }; }

  // ---- sums, means and products over a range
  // The factors of a mono without a variable, and those with it; e^(a+b) is divided like them.
  split(m, mask) {
    if (!(m.mask & mask)) return [m, this.one];
    const part = (inside) => {
      const has = (x) => Boolean(x.mask & mask) === inside;
      const exp = m.exp ? this.poly(m.exp.terms.filter(([t]) => has(t))) : this.zero;
      return this.rawMono(m.factors.filter(([a]) => has(a)), exp === this.zero ? null : exp); };
    return [part(false), part(true)]; }
  // Enter those ranges of sums among the factors whose limits do not contain the variable in mask,
  // with fresh names: a·Σ b = Σ ab, and a power is several factors. The ranges of one sum do not
  // depend on each other, so the others may stay inside.
  open(m, mask, used, ranges) {
    const stays = (r) => Boolean((r.lo.mask | r.hi.mask) & mask); let result = { c: ONE, m: this.one }, name = fresh(m.mask, used);
    for (const [atom, e] of m.factors) {
      if (atom.kind !== "sum" || e < 0 || atom.ranges.every(stays)) {
        result.m = this.multiplyMonos(result.m, this.rawMono([[atom, e]], null)); continue; }
      if (e === 0) result.m = this.multiplyMonos(result.m, this.rawMono([[atom, -1]], null)); // x·(1/x)
      for (let copy = Math.max(e, 1); copy > 0; copy--) {
        const entered = atom.ranges.map((r) => ({ lo: r.lo, hi: r.hi, old: r.name, name: name++ }));
        let t = this.renamedMono(atom.body, this.rename(entered.map((r) => [r.old, r.name])));
        for (const r of entered) {
          if (stays(r)) {
            const inner = this.sumMono(r.name, r.lo, r.hi, t.m); t = { c: times(t.c, inner.c), m: inner.m };
          } else ranges.push(r); }
        need(ranges.length <= 40, "too many sums are joined"); result = this.scaled(times(result.c, t.c), result.m, t.m); } }
    if (m.exp) result.m = this.multiplyMonos(result.m, this.rawMono([], m.exp)); return result; }
  // Σ of a mono: factors without the index come out, sums among the others are joined.
  sumMono(name, lo, hi, m) {
    const [out, inside] = this.split(m, bit(name)), ranges = [{ name, lo, hi }];
    const opened = this.open(inside, bit(name), bit(name) | lo.mask | hi.mask, ranges);
    const closed = this.closeSum(ranges, opened.m); return this.scaled(times(opened.c, closed.c), out, closed.m); }
  sum(name, lo, hi, p) {
    return this.poly(p.terms.map(([m, c]) => { const t = this.sumMono(name, lo, hi, m); return [t.m, times(c, t.c)]; })); }
  // The atom of a multiple sum. Its ranges are independent, so every order is right; take the order
  // that gives the smallest node. If one order gives c times a sum and another d times the same sum,
  // with c ≠ d, then the sum is zero.
  closeSum(ranges, m) {
    const h = m.height + 1; ranges = [...ranges].sort((a, b) => a.lo.id - b.lo.id || a.hi.id - b.hi.id); const groups = [];
    ranges.forEach((r, i) => {
      const before = ranges[i - 1]; if (before && before.lo === r.lo && before.hi === r.hi) groups.at(-1).push(r);
      else groups.push([r]); });
    const factorial = (n) => (n < 2 ? 1 : n * factorial(n - 1));
    const orders = groups.reduce((n, g) => n * factorial(g.length), 1); let best = null;
    const attempt = (order) => {
      const t = this.renamedMono(m, this.rename(order.map((r, i) => [r.name, -(h + i)])));
      if (!best || t.m.id < best.m.id) best = t;
      else if (t.m === best.m && (t.c.n !== best.c.n || t.c.d !== best.c.d)) best = { c: ZERO, m: t.m }; };
    const choose = (done, left) => {
      if (left.length === 0) attempt(done);
      else for (const p of permutations(left[0])) choose([...done, ...p], left.slice(1)); };
    if (orders <= 720) choose([], groups);
    else attempt(ranges); const named = ranges.map((r, i) => ({ name: -(h + i), lo: r.lo, hi: r.hi }));
    const limits = named.flatMap((r) => [r.lo, r.hi]), mask = named.reduce((x, r) => x & ~bit(r.name), best.m.mask) | joint(limits);
    const height = Math.max(h + ranges.length - 1, higher(limits)); const key = `${limits.map((l) => l.id)};${best.m.id}`;
    const atom = this.node("sum", key, mask, height, { ranges: named, body: best.m });
    return { c: best.c, m: this.mono([[atom, 1]], []) }; }
  // E of a mono: what does not depend on the outcome comes out, and so do sums, whose terms may then
  // have more factors to come out. A mean of 1 is 1, because the weights have the sum 1.
  meanMono(name, m) {
    const [out, inside] = this.split(m, bit(name)); if (inside === this.one) return { c: ONE, m };
    const ranges = [], opened = this.open(inside, bit(name), bit(name), ranges);
    if (ranges.length === 0) { const closed = this.closeMean(name, inside); return this.scaled(closed.c, out, closed.m); }
    let t = this.meanMono(name, opened.m), c = times(opened.c, t.c);
    for (const r of ranges) { t = this.sumMono(r.name, r.lo, r.hi, t.m); c = times(c, t.c); }
    return this.scaled(c, out, t.m); }
  closeMean(name, m) {
    const h = m.height + 1, t = this.renamedMono(m, this.rename([[name, -h]]));
    const atom = this.node("E", `${t.m.id}`, t.m.mask & ~bit(-h), h, { name: -h, body: t.m });
    return { c: t.c, m: this.mono([[atom, 1]], []) }; }
  // Π: of a product of atoms the product of the products, of anything else an atom.
  product(name, lo, hi, p) {
    if (p.terms.length !== 1) {
      const h = p.height + 1, body = this.renamed(p, this.rename([[name, -h]])), c = body.terms.length ? body.terms[0][1] : ONE;
      const atom = this.productAtom(lo, hi, h, this.scale(body, reciprocal(c)), body === this.zero);
      return { c: ONE, m: this.mono([[this.constant(lo, hi, c), 1], [atom, 1]], []) }; }
    const [[m, c]] = p.terms, factors = [[this.constant(lo, hi, c), 1]];
    for (const [a, e] of m.factors) {
      if (a.kind === "inv") {
        for (const [b, f] of this.product(name, lo, hi, a.base).m.factors) factors.push([b, -e * f]); continue; }
      const h = a.height + 1, t = this.renamedAtom(a, this.rename([[name, -h]])); factors.push([this.constant(lo, hi, t.c), e]);
      for (const [b, f] of t.m.factors) { factors.push([this.productAtom(lo, hi, h, this.atom(b), b.idempotent), e * f || 0]); } }
    return { c: ONE, m: this.mono(factors, m.exp ? [this.sum(name, lo, hi, m.exp)] : []) }; }
  productAtom(lo, hi, h, body, idempotent) {
    const mask = (body.mask & ~bit(-h)) | lo.mask | hi.mask, height = Math.max(h, lo.height, hi.height);
    return this.node("prod", `${lo.id},${hi.id},${h},${body.id}`, mask, height, { name: -h, lo, hi, body, idempotent }); }
  // Π c for a number c ≠ 0.
  constant(lo, hi, value) {
    const key = `${lo.id},${hi.id},${value.n}/${value.d}`;
    return this.node("constant", key, lo.mask | hi.mask, higher([lo, hi]), { lo, hi, value }); }

  // ---- vectors and matrices
  lin(sort, entries) {
    const sums = new Map(); for (const [base, p] of entries) sums.set(base, sums.has(base) ? this.add(sums.get(base), p) : p);
    const kept = [...sums].filter(([, p]) => p !== this.zero).sort(([a], [b]) => a.id - b.id), parts = kept.flat();
    const key = `${sort} ${kept.map(([base, p]) => `${base.id}:${p.id}`)}`;
    return this.node("lin", key, joint(parts), higher(parts), { sort, entries: kept }); }
  addLin(...all) { return this.lin(all[0].sort, all.flatMap((x) => x.entries)); }
  scaleLin(x, p) { return this.lin(x.sort, x.entries.map(([base, q]) => [base, this.multiply(p, q)])); }
  // Σ of a vector over a range, by identity 10.
  vectorSum(name, lo, hi, x) {
    const mask = bit(name), terms = [];
    for (const [base, p] of x.entries) {
      if (!(base.mask & mask)) terms.push([base, this.sum(name, lo, hi, p)]);
      else if (base.kind === "vsum" && !((base.base.mask | base.lo.mask | base.hi.mask) & mask)) {
        // The vector inside does not know this index: sum its coefficients first.
        const inner = this.enter(base, p.mask | mask | lo.mask | hi.mask);
        const q = this.sum(name, lo, hi, this.multiply(p, this.poly([[inner.m, inner.c]])));
        terms.push(...this.vectorSum(inner.name, base.lo, base.hi, this.lin("V", [[inner.base, q]])).entries);
      } else {
        for (const [m, c] of p.terms) {
          const [out, inside] = this.split(m, mask), closed = this.closeVectorSum(name, lo, hi, inside, base);
          terms.push([closed.base, this.poly([[out, times(c, closed.c)]])]); } } }
    return this.lin("V", terms); }
  closeVectorSum(name, lo, hi, m, base) {
    const h = Math.max(m.height, base.height) + 1, how = this.rename([[name, -h]]), body = this.renamedMono(m, how);
    const inner = this.renamedBase(base, how), mask = ((body.m.mask | inner.base.mask) & ~bit(-h)) | lo.mask | hi.mask;
    const height = Math.max(h, lo.height, hi.height), key = `${lo.id},${hi.id},${h},${body.m.id},${inner.base.id}`;
    const rest = { name: -h, lo, hi, body: body.m, base: inner.base };
    return { c: times(body.c, inner.c), base: this.node("vsum", key, mask, height, rest) }; }
  // What stands under a sum of vectors, with a fresh name for the index.
  enter(sum, used) {
    const name = fresh(sum.mask, used), how = this.rename([[sum.name, name]]), body = this.renamedMono(sum.body, how);
    const inner = this.renamedBase(sum.base, how); return { name, m: body.m, c: times(body.c, inner.c), base: inner.base }; }
  dot(x, y) {
    const parts = [];
    for (const [a, p] of x.entries) for (const [b, q] of y.entries) {
      parts.push(...this.multiply(this.multiply(p, q), this.dotBases(a, b)).terms); }
    return this.poly(parts); }
  dotBases(a, b) {
    if (a.kind !== "vsum" && b.kind === "vsum") return this.dotBases(b, a);
    if (a.kind !== "vsum") return this.atom(this.app("dot", [], [a, b])); const inner = this.enter(a, b.mask);
    const term = this.multiply(this.poly([[inner.m, inner.c]]), this.dotBases(inner.base, b));
    return this.sum(inner.name, a.lo, a.hi, term); }
  word(letters) { return this.node("word", `${letters.map((l) => l.id)}`, joint(letters), higher(letters), { letters }); }
  matrixProduct(a, b) {
    const terms = [];
    for (const [v, p] of a.entries) for (const [w, q] of b.entries) {
      terms.push([this.word([...v.letters, ...w.letters]), this.multiply(p, q)]); }
    return this.lin(`M:${shape(a.sort)[0]}:${shape(b.sort)[1]}`, terms); }
  transposeLetter(l) {
    if (l.op === "T") return l.args[0];
    return l.op === "minv" ? this.app("minv", [], [this.transpose(l.args[0])]) : this.app("T", [], [l]); }
  transposeWord(w) { return this.word(w.letters.map((l) => this.transposeLetter(l)).reverse()); }
  transpose(x) {
    const sort = `M:${shape(x.sort)[1]}:${shape(x.sort)[0]}`;
    return this.lin(sort, x.entries.map(([w, p]) => [this.transposeWord(w), p])); }
  // The atom of the trace of a word: the smallest of its rotations and those of its transpose.
  trace(word) {
    let best = word;
    for (const w of [word, this.transposeWord(word)]) {
      w.letters.forEach((_, i) => {
        const rotated = this.word([...w.letters.slice(i), ...w.letters.slice(0, i)]); if (rotated.id < best.id) best = rotated; });
    }
    return this.app("tr", [], [best]); }

  // ---- propositions
  relation(op, sort, d) {
    const value = NUMBER.includes(sort) ? this.numeral(d) : d.entries.length === 0 ? ZERO : null;
    const holds = (n) => (op === "=" ? n === 0n : op === "<=" ? n >= 0n : n > 0n);
    if (value) return holds(value.n) ? this.true : this.false;
    const first = (d.kind === "poly" ? d : d.entries[0][1]).terms[0][1];
    const c = reciprocal(op !== "=" && first.n < 0n ? times(first, MINUS) : first);
    const scaled = d.kind === "poly" ? this.scale(d, c) : this.scaleLin(d, this.number(c));
    return this.node("relation", `${op} ${sort} ${scaled.id}`, d.mask, d.height, { op, sort, difference: scaled }); }
  bind(op, sort, name, body, args) {
    const h = body.height + 1, closed = this.renamed(body, this.rename([[name, -h]]));
    const mask = (closed.mask & ~bit(-h)) | joint(args), key = `${op} ${sort} ${closed.id} ${args.map((a) => a.id)}`;
    return this.node("bind", key, mask, Math.max(h, higher(args)), { op, sort, name: -h, body: closed, args }); }

  // ---- values of terms
  // A variable or another atom as a value of its sort.
  embed(sort, a) {
    if (NUMBER.includes(sort)) return this.atom(a); if (sort === "V") return this.lin(sort, [[a, this.number(ONE)]]);
    return shape(sort) ? this.lin(sort, [[this.word([a]), this.number(ONE)]]) : a; }
  // The normal form of a closed term.
  value(term) { return this.evaluate(term, []); }
  // The normal form of a term whose loose index k has the value env[k].
  evaluate(t, env) {
    const seen = t.loose.map(([k]) => env[k]), key = `${t.id} ${seen.map((x) => x.id)}`; let result = this.memo.get(key);
    if (!result) {
      spend(2); result = BINDS.has(t.op) ? this.evaluateBinder(t, env, joint(seen)) : this.evaluatePlain(t, env);
      this.memo.set(key, result); }
    return result; }
  evaluateBinder(t, env, mask) {
    const [place, sort] = BINDS.get(t.op); const others = t.args.filter((_, i) => i !== place).map((a) => this.evaluate(a, env));
    const body = (x) => this.evaluate(t.args[place], [x, ...env]);
    const name = fresh(mask); // in neither the body nor the limits
    const entered = () => body(this.embed(sort ?? t.data[0], this.variable(name, sort ?? t.data[0])));
    const toPoly = ({ c, m }) => this.poly([[m, c]]);
    if (["all", "deriv", "integrable"].includes(t.op)) return this.bind(t.op, sort ?? t.data[0], name, entered(), others);
    if (t.op === "int" || (t.op === "E" && t.sort !== "R")) return this.embed(t.sort, this.bind(t.op, sort, name, entered(), []));
    if (t.op === "E") {
      const terms = entered().terms.map(([m, c]) => [this.meanMono(name, m), c]);
      return this.poly(terms.map(([s, c]) => [s.m, times(c, s.c)])); }
    if (t.op === "sum" && shape(t.sort)) return this.embed(t.sort, this.bind("sum", sort, name, entered(), others));
    const [lo, hi] = others, [from, to] = [this.numeral(lo), this.numeral(hi)], vector = t.sort === "V";
    if (from && to && to.n - from.n < 24n) { // at most 24 terms: written out
      const values = []; for (let i = from.n; i <= to.n; i++) values.push(body(this.number(fraction(i, 1n))));
      if (t.op === "prod") return values.reduce((a, b) => this.multiply(a, b), this.number(ONE));
      return vector ? this.addLin(this.lin("V", []), ...values) : this.poly(values.flatMap((p) => p.terms)); }
    if (t.op === "prod") return toPoly(this.product(name, lo, hi, entered()));
    return vector ? this.vectorSum(name, lo, hi, entered()) : this.sum(name, lo, hi, entered()); }
  evaluatePlain(t, env) {
    const args = t.op === "b" ? [] : t.args.map((a) => this.evaluate(a, env)), [a, b] = args; const linear = a?.kind === "lin";
    switch (t.op) {
      case "b": return env[t.data[0]]; case "v": return this.embed(t.sort, this.app("v", t.signature, args));
      case "q": return this.number(fraction(t.data[0], t.data[1]));
      case "z": return this.number(fraction(t.data[0], 1n));
      case "dim": return this.dimension(t.data[0]); case "unit": return this.embed(t.sort, this.app("unit", t.data, [a]));
      case "of": return a; // an integer is that real; atoms keep their own sort, relations theirs
      case "+": return linear ? this.addLin(...args) : this.poly(args.flatMap((p) => p.terms));
      case "*": return args.reduce((x, y) => this.multiply(x, y)); case "pow": return this.raise(a, t.data[0]);
      case "inv": return this.reciprocal(a); case "exp": return this.exponential(a);
      case "log": case "sqrt": case "abs": case "max": case "min": case "ind": case "det":
        return this.atom(this.app(t.op, [], args));
      case "zero": return this.lin(t.sort, []); case "sc": return this.scaleLin(b, a);
      case "dot": return this.dot(a, b); case "I": return this.lin(t.sort, [[this.word([]), this.number(ONE)]]);
      case "mm": return args.reduce((x, y) => this.matrixProduct(x, y)); case "T": return this.transpose(a);
      case "minv": return this.embed(t.sort, this.app("minv", [], [a]));
      case "tr": {
        const one = (w) => (w.letters.length ? this.atom(this.trace(w)) : this.dimension(shape(a.sort)[0]));
        return this.poly(a.entries.flatMap(([w, p]) => this.multiply(p, one(w)).terms)); }
      case "=": case "<=": case "<": return this.relation(t.op, t.args[0].sort, this.minus(b, a));
      default: return this.app(t.op, [], args); // F, ->, &, |
    } }
  dimension(name) { return isNumeral(name) ? this.number(fraction(BigInt(name), 1n)) : this.atom(this.app("dim", [name], [])); }
  minus(a, b) {
    return a.kind === "poly" ? this.add(a, this.scale(b, MINUS)) : this.addLin(a, this.scaleLin(b, this.number(MINUS))); }
  // Right side minus left side of a closed relation.
  difference(t) { return this.minus(this.value(t.args[1]), this.value(t.args[0])); } }

// ---------------------------------------------------------------- rules
const union = (...steps) => new Set(steps.flatMap((s) => [...s.hypotheses]));
const closed = (t) => need(t.loose.length === 0, "a term has a loose index") && t;
const proposition = (t) => need(closed(t).sort === "P", "a term is not a proposition") && t;
const ORDER = ["=", "<=", "<"];
// The sort of the sides of a relation between numbers, or null.
const numeric = (t) => (ORDER.includes(t.op) && NUMBER.includes(t.args[0].sort) ? t.args[0].sort : null);
// Each rule is given the checker of the certificate and its arguments, and returns a theorem.
const RULES = new Map(Object.entries({
  assume(c, p) { return { hypotheses: new Set([proposition(c.term(p))]), conclusion: c.term(p) }; },
  discharge(c, p, s) {
    const [goal, step] = [proposition(c.term(p)), c.step(s)], hypotheses = union(step); hypotheses.delete(goal);
    return { hypotheses, conclusion: c.terms.make("->", [], [goal, step.conclusion]) }; },
  mp(c, s, t) {
    const [rule, premise] = [c.step(s), c.step(t)]; need(rule.conclusion.op === "->", "mp: the first step is not an implication");
    need(rule.conclusion.args[0] === premise.conclusion, "mp: the second step is not the premise of the first");
    return { hypotheses: union(rule, premise), conclusion: rule.conclusion.args[1] }; },
  generalise(c, x, s) {
    const [variable, step] = [c.term(x), c.step(s)];
    need(variable.op === "v" && variable.args.length === 0, "generalise: not a variable without arguments");
    for (const h of step.hypotheses) need(!c.terms.contains(h, variable), "generalise: the variable is in a hypothesis");
    const body = c.terms.abstract(step.conclusion, variable);
    return { hypotheses: step.hypotheses, conclusion: c.terms.make("all", [variable.sort], [body]) }; },
  specialise(c, s, t) {
    const [step, value] = [c.step(s), closed(c.term(t))], all = step.conclusion;
    need(all.op === "all", "specialise: the step is not about all values");
    need(all.data[0] === value.sort, "specialise: the term is of another sort");
    return { hypotheses: step.hypotheses, conclusion: c.terms.instantiate(all.args[0], [value]) }; },
  substitute(c, s, entries) {
    const step = c.step(s), bodies = new Map();
    for (const item of list(entries, "a substitution")) {
      const [name, sort, sorts, body] = listOf(item, 4, "an entry of a substitution");
      const argumentSorts = list(sorts, "the sorts of arguments").map(sortName);
      const signature = JSON.stringify([text(name, "a name"), sortName(sort), argumentSorts]);
      need(!bodies.has(signature), "substitute: a variable is named twice"); const term = c.term(body);
      need(term.sort === sort, "substitute: the term is of another sort than the variable");
      for (const [k, declared] of term.loose) {
        need(k < argumentSorts.length, "substitute: a loose index stands for no argument");
        need(argumentSorts[k] === declared, "substitute: a loose index declares another sort than its argument"); }
      bodies.set(signature, term); }
    return c.mapped(step, (t) => c.terms.substitute(t, bodies)); },
  sizes(c, s, entries) {
    const names = new Map();
    for (const item of list(entries, "the sizes")) {
      const [from, to] = listOf(item, 2, "an entry of the sizes").map(size);
      need(!names.has(from) && !isNumeral(from), "sizes: a name comes twice, or is a numeral"); names.set(from, to); }
    return c.mapped(c.step(s), (t) => c.terms.resize(t, names)); },
  axiom(c, name) {
    const axiom = c.axioms.get(text(name, "the name of an axiom")) ?? refuse("there is no such axiom");
    c.usedAxioms.add(name); return { hypotheses: new Set(), conclusion: axiom }; },
  cite(c, name, hypotheses, conclusion) {
    const theorem = c.proved.get(text(name, "the name of a theorem")) ?? refuse("cite: there is no such theorem yet");
    const claimed = new Set(list(hypotheses, "the hypotheses").map((h) => c.term(h)));
    need(c.term(conclusion) === theorem.conclusion, "cite: the theorem has another conclusion");
    const same = claimed.size === theorem.hypotheses.size && [...claimed].every((h) => theorem.hypotheses.has(h));
    need(same, "cite: the theorem has other hypotheses"); c.usedTheorems.add(name); return theorem; },
  convert(c, s, p) {
    const [step, goal] = [c.step(s), proposition(c.term(p))];
    need(c.calculus.value(step.conclusion) === c.calculus.value(goal), "convert: the normal forms differ");
    return { hypotheses: step.hypotheses, conclusion: goal }; },
  ring(c, p) {
    const goal = proposition(c.term(p)); need(ORDER.includes(goal.op), "ring: not a relation");
    need(c.calculus.value(goal) === c.calculus.true, "ring: calculation does not give this");
    return { hypotheses: new Set(), conclusion: goal }; },
  psatz(c, g, parts) {
    const goal = proposition(c.term(g)), K = c.calculus;
    const sort = goal.op === "F" ? "R" : numeric(goal) ?? refuse("psatz: the goal is not a relation between numbers");
    const op = goal.op === "F" ? "<" : goal.op;
    const number = (t) => need(closed(t).sort === sort, "psatz: a term is of the wrong sort") && K.value(t);
    let rest = goal.op === "F" ? K.zero : K.difference(goal), strict = false; const used = [];
    for (const part of list(parts, "the parts")) {
      const [by, steps, squares] = listOf(part, 3, "a part"), factor = number(c.term(by));
      const relations = list(steps, "the steps of a part").map((s) => c.step(s));
      const squared = list(squares, "the squares of a part").map((t) => number(c.term(t)));
      const kinds = relations.map(({ conclusion: r }) => {
        const about = numeric(r) ?? refuse("psatz: a step is not a relation between numbers");
        need(sort === "R" || about === "Z", "psatz: a relation between reals for a goal about integers"); return r.op; });
      if (!kinds.includes("=")) {
        // Without an equation the part has to be nonnegative, and an equation needs parts that are zero.
        const value = K.numeral(factor) ?? refuse("psatz: a multiplier is not a number");
        need(value.n >= 0n, "psatz: a multiplier is negative");
        need(op !== "=", "psatz: an equation does not follow from inequalities");
        if (value.n > 0n && squared.length === 0 && kinds.every((k) => k === "<")) strict = true; }
      const factors = [...relations.map((s) => K.difference(s.conclusion)), ...squared.flatMap((p) => [p, p])];
      rest = K.minus(rest, factors.reduce((a, b) => K.multiply(a, b), factor)); used.push(...relations); }
    need(op !== "<" || strict, "psatz: no part is strict"); need(rest === K.zero, "psatz: the parts do not add up to the goal");
    return { hypotheses: union(...used), conclusion: goal }; },
  linear(c, g, parts) {
    const K = c.calculus;
    const equation = (t) => {
      need(t.op === "=" && !NUMBER.includes(t.args[0].sort), "linear: not an equation of vectors or matrices");
      return K.difference(t); };
    const goal = proposition(c.term(g)); let rest = equation(goal); const used = [];
    for (const part of list(parts, "the parts")) {
      const [left, s, right] = listOf(part, 3, "a part"), step = c.step(s), factor = closed(c.term(left));
      let value = equation(step.conclusion);
      if (right === null) {
        need(factor.sort === "R", "linear: a multiplier is not a number"); value = K.scaleLin(value, K.value(factor));
      } else {
        // The sort of the product is worked out by the rule for mm, which refuses sizes that do not fit.
        const other = closed(c.term(right)); sortOf("mm", [], [factor.sort, value.sort, other.sort]);
        value = K.matrixProduct(K.matrixProduct(K.value(factor), value), K.value(other)); }
      need(value.sort === rest.sort, "linear: a part is of another sort than the goal");
      rest = K.minus(rest, value); used.push(step); }
    need(rest.entries.length === 0, "linear: the parts do not add up to the goal");
    return { hypotheses: union(...used), conclusion: goal }; },
}));
// One certificate, in the light of the axioms and of what was proved before.
class Certificate {
  constructor(terms, axioms, proved) {
    Object.assign(this, { terms, axioms, proved, calculus: new Calculus() });
    Object.assign(this, { table: [], steps: [], usedAxioms: new Set(), usedTheorems: new Set() }); }
  term(value) { return entry(this.table, value, "a term"); }
  step(value) { return entry(this.steps, value, "a step"); }
  mapped(step, change) { return { hypotheses: new Set([...step.hypotheses].map(change)), conclusion: change(step.conclusion) }; }
  check(object) {
    const rows = list(own(object, "terms"), "the table of terms"); const steps = list(own(object, "steps"), "the list of steps");
    for (const row of rows) this.table.push(this.terms.row(row, this.table));
    const hypotheses = new Set(list(own(object, "hypotheses"), "hypotheses").map((h) => proposition(this.term(h))));
    const conclusion = proposition(this.term(own(object, "conclusion"))); need(steps.length > 0, "there are no steps");
    for (const [i, row] of steps.entries()) {
      const [name, ...args] = list(row, "a step"), rule = RULES.get(name) ?? refuse(`step ${i}: there is no such rule`);
      need(rule.length === args.length + 1, `step ${i}: ${name} has ${rule.length - 1} arguments`);
      try {
        this.steps.push(rule(this, ...args));
      } catch (error) { throw error instanceof Refused ? new Refused(`step ${i}: ${error.message}`) : error; } }
    const last = this.steps.at(-1); need(last.conclusion === conclusion, "the last step does not conclude what is claimed");
    for (const h of last.hypotheses) need(hypotheses.has(h), "a hypothesis that was used is not claimed");
    return { hypotheses, conclusion }; } }

// ---------------------------------------------------------------- axioms and claims as text
// The small language of the axioms: words and parentheses.
function readAxiom(terms, says, variables) {
  const words = says.match(/[()]|[^\s()]+/g) ?? []; let at = 0;
  const tree = (depth) => {
    const word = words[at++] ?? refuse("an axiom ends too early");
    need(word !== ")" && depth < 150, "an axiom has a parenthesis too many"); if (word !== "(") return word;
    const items = []; while (words[at] !== ")") items.push(tree(depth + 1)); at++; return items; };
  const build = (item, bound) => {
    if (typeof item === "string") {
      const place = bound.findIndex(([name]) => name === item);
      if (place >= 0) return terms.make("b", [place, bound[place][1]], []);
      if (variables.has(item) || !/^-?[0-9]+Z?$/.test(item)) item = [item];
      else return item.endsWith("Z") ? terms.make("z", [BigInt(item.slice(0, -1))], []) : terms.make("q", [BigInt(item), 1n], []);
    }
    const [op, ...rest] = item; need(typeof op === "string", "an axiom has no operation where it should");
    if (variables.has(op)) {
      const [sort, ...sorts] = variables.get(op), args = rest.map((x) => build(x, bound));
      need(args.length === sorts.length && args.every((a, i) => a.sort === sorts[i]), "a variable has other arguments");
      return terms.make("v", [op, sort], args); }
    if (BINDS.has(op)) {
      const [place, fixed] = BINDS.get(op), name = rest.shift(), sort = fixed ?? sortName(rest.shift());
      const args = rest.map((x, i) => build(x, i === place ? [[name, sort], ...bound] : bound));
      return terms.make(op, fixed ? [] : [sort], args); }
    const data = (DATA.get(op) ?? []).map((kind) => {
      const word = text(rest.shift(), "the data of an axiom");
      return READ[kind](/^-?[0-9]+$/.test(word) && kind !== "size" ? BigInt(word) : word); });
    need(op !== "v" && op !== "b", "an axiom has to declare its variables");
    return terms.make(op, data, rest.map((x) => build(x, bound))); };
  const result = proposition(build(tree(0), [])); need(at === words.length, "something follows an axiom"); return result; }
function readAxioms(terms, axioms) {
  const result = new Map();
  for (const axiom of list(axioms, "the axioms")) {
    const name = text(own(axiom, "name"), "the name of an axiom"); need(!result.has(name), "two axioms have one name");
    const declared = own(axiom, "variables"); need(declared !== null && typeof declared === "object", "an axiom has no variables");
    const variables = new Map(Object.keys(declared).map((key) => {
      const sorts = own(declared, key); return [key, (Array.isArray(sorts) ? sorts : [sorts]).map(sortName)]; }));
    for (const sorts of variables.values()) need(sorts.length > 0, "a variable has no sort");
    result.set(name, readAxiom(terms, text(own(axiom, "says"), "what an axiom says"), variables)); }
  return result; }
// A term in the language of the axioms; a variable that this would leave in doubt is written in full.
function show(term) {
  const names = new Map();
  const collect = (t, seen) => {
    if (seen.has(t)) return; seen.add(t);
    if (t.op === "v") names.set(t.data[0], (names.get(t.data[0]) ?? new Set()).add(t.signature));
    t.args.forEach((a) => collect(a, seen)); };
  collect(term, new Set()); let length = 0;
  const write = (t, bound) => {
    if ((length += 1) > 5000) return "…"; if (t.op === "b") return bound[t.data[0]];
    if (t.op === "q" && t.data[1] === 1n) return `${t.data[0]}`; if (t.op === "z") return `${t.data[0]}Z`;
    const [place, sort] = BINDS.get(t.op) ?? [-1, null]; let fresh = `k${bound.length}`; while (names.has(fresh)) fresh += "'";
    const args = t.args.map((a, i) => write(a, i === place ? [fresh, ...bound] : bound));
    if (t.op === "v") {
      const clear = names.get(t.data[0]).size === 1 && /^[^\s()"\d<>=+*|&-][^\s()"]*$/.test(t.data[0]) && !FIXED.has(t.data[0]);
      const head = clear ? t.data[0] : t.signature; return args.length ? `(${[head, ...args].join(" ")})` : head; }
    const words = [t.op, ...(place >= 0 ? [fresh] : []), ...t.data, ...args];
    return words.length === 1 ? t.op : `(${words.join(" ")})`; };
  const result = write(term, []); return length > 5000 ? `(a term too long to write out, number ${term.id})` : result; }

// ---------------------------------------------------------------- the checker
const WORK = 1e6;

// Check a list of certificates. Any other error, of a strange object or of the stack, is a refusal too.
export function check(certificates, options = {}) {
  const before = allowance;
  try {
    const { axioms = [], library = [], work = WORK } = options;
    const read = (value) => (typeof value === "string" ? parse(value) : value); allowance = work;
    const terms = new Terms(), known = readAxioms(terms, read(axioms)), proved = new Map();
    const run = (object, i) => {
      let name = `certificate ${i}`;
      try {
        allowance = work; name = text(own(object, "name"), "the name of a certificate");
        need(!proved.has(name), "another theorem has this name");
        const certificate = new Certificate(terms, known, proved), theorem = certificate.check(object);
        proved.set(name, theorem); return { name, theorem, certificate };
      } catch (error) {
        const reason = error instanceof Refused ? error.message : `it cannot be read (${error?.name})`;
        throw new Refused(`${name}: ${reason}`); } };
    [...list(read(library), "the library")].forEach(run);
    return [...list(read(certificates), "the list of certificates")].map(run).map(({ name, theorem, certificate }) => ({
      name, hypotheses: [...theorem.hypotheses].map(show), conclusion: show(theorem.conclusion),
      axioms: [...certificate.usedAxioms], cites: [...certificate.usedTheorems], steps: certificate.steps.length,
    }));
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(`it cannot be read (${error?.name})`);
  } finally { allowance = before; } }
