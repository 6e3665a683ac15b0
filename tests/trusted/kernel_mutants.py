"""Mistakes to be planted in copies of the kernel: (file, text that stands there, text instead).

Each makes the kernel unsound, or lets it crash or believe in nonsense. The old text has to occur
exactly once in its file; a short piece of a line is enough, and is easily aimed anew when the
kernel is rewritten.
"""

from __future__ import annotations

TERMS, NORMAL, RULES = "terms.py", "normal.py", "rules.py"
READ, AXIOMS = "certificates.py", "axioms.json"

MUTANTS: dict[str, tuple[str, str, str]] = {
    # Integrals and means, as axioms.
    "integrals add up, integrable or not": (
        AXIOMS,
        "(-> (integrable x (f x)) (-> (integrable x (g x)) (= (int x (+",
        "(-> (integrable x (f x)) (-> (<= 0 1) (= (int x (+",
    ),
    "a sum with one integrable term is integrable": (
        AXIOMS,
        "(-> (integrable x (f x)) (-> (integrable x (g x)) (integrable x (+",
        "(-> (integrable x (f x)) (-> (<= 0 1) (integrable x (+",
    ),
    "a part on a set that is not measurable": (
        AXIOMS,
        "(-> (integrable x (g x)) (integrable x (* (f x) (ind",
        "(-> (<= 0 1) (integrable x (* (f x) (ind",
    ),
    "an absolute value of anything": (
        AXIOMS,
        "(-> (integrable x (f x)) (integrable x (abs (f x))))",
        "(-> (<= 0 1) (integrable x (abs (f x))))",
    ),
    "a constant is integrable": (AXIOMS, "(integrable x 0)", "(integrable x 1)"),
    "values of any probability": (
        AXIOMS,
        "(= (E v (ind (= (E w (ind (= (X w) (X v)))) 0))) 0)",
        "(= (E v (ind (= (E w (ind (= (X w) (X v)))) 1))) 0)",
    ),
    # Binders and substitution.
    "fill captures": (TERMS, "return shift(values[k], depth)", "return values[k]"),
    "fill does not lower": (TERMS, "t.data[0] - len(values), t.data[1]", "t.data[0], t.data[1]"),
    "shift moves bound variables": (
        TERMS,
        "return t if by == 0 or t.loose == 0 else renumber(t, lambda k: k + by)",
        "return t if by == 0 or t.loose == 0 else renumber(t, lambda k: k + by, -1)",
    ),
    "renumber forgets depth": (TERMS, "new(t.data[0] - depth) + depth", "new(t.data[0])"),
    "close forgets depth": (
        TERMS,
        'return make("b", (depth, sort))',
        'return make("b", (0, sort))',
    ),
    "rebuild forgets binders": (TERMS, "walk(a, depth + (k == at))", "walk(a, depth)"),
    "a binder binds everywhere": (
        TERMS,
        "        if k == at and inside:\n            wanted",
        "        if k >= 0 <= at and inside:\n            wanted",
    ),
    "a binder binds another sort": (
        TERMS,
        "need(all(i > 0 or s == wanted for",
        "need(all(i > 0 or s for",
    ),
    "loose indices are not seen": (
        TERMS,
        "for i, s in inside if i > 0)",
        "for i, s in inside if i > 1)",
    ),
    "free variables of arguments are not seen": (
        TERMS,
        "return t if t.free.isdisjoint(names) else None",
        'return t if t.op != "v" and t.free.isdisjoint(names) or t.op == "all" else None',
    ),
    # Sorts.
    "booleans are integers": (
        TERMS,
        "tuple(map(type, data)) == DATA.get(op)",
        "all(map(isinstance, data, DATA.get(op, ()))) and len(data) == len(DATA.get(op, ()))",
    ),
    "any denominator": (TERMS, "need(data[1] > 0,", "need(data[1] != 0,"),
    "denominator zero": (TERMS, "need(data[1] > 0,", "need(data[1] >= 0,"),
    "sums of anything": (
        TERMS,
        "need(len(set(rest)) == 1 and rest[0][0] in letters",
        'need((len(set(rest)) == 1 or op == "+") and rest[0][0] in letters',
    ),
    "products of anything": (TERMS, '"*": ((), "RZ", 2, inf, "")', '"*": ((), "RZV", 2, inf, "")'),
    "an order of vectors": (TERMS, '"<=": ((), "RZ", 2, 2, "P")', '"<=": ((), "RZV", 2, 2, "P")'),
    "an equation of outcomes": (
        TERMS,
        '"=": ((), "RZVM", 2, 2, "P")',
        '"=": ((), "RZVMW", 2, 2, "P")',
    ),
    "products that do not fit": (
        TERMS,
        "all(a[1] == b[0] for a, b in",
        "all(a[1] and b[0] for a, b in",
    ),
    "traces of rectangles": (TERMS, "need(rows == columns,", "need(rows == rows,"),
    "transposes of the same sort": (
        TERMS,
        'return f"M:{columns}:{rows}"',
        'return f"M:{rows}:{columns}"',
    ),
    "negative powers": (TERMS, "0 <= data[0] <= 100", "-100 <= data[0] <= 100"),
    "arguments of numbers": (TERMS, 'need(op == "v" or not args,', "need(True,"),
    # The normal form.
    "x/x is one": (NORMAL, "            powers[x] = powers[a] = 1\n", "            pass\n"),
    "x/x is x": (NORMAL, "            powers[x] = powers[a] = 1\n", "            powers[x] = 1\n"),
    "cancelled the wrong way": (
        NORMAL,
        "            powers[a] = -over\n",
        "            powers[x] = -over\n",
    ),
    "everything is idempotent": (
        NORMAL,
        '1 if a.op == "ind" else',
        '1 if a.op in ("ind", "abs") else',
    ),
    "powers are forgotten": (NORMAL, "powers.get(a, 0) + k\n", "k\n"),
    "1/exp(x) is exp(x)": (
        NORMAL,
        "polynomial(a.args[0]), Fraction(-k))",
        "polynomial(a.args[0]), Fraction(k))",
    ),
    "1/(cx) is 1/x": (NORMAL, "out: Polynomial = {(): 1 / c}", "out: Polynomial = dict(ONE)"),
    "1/(2x + 2y) is 1/(x + y)": (
        NORMAL,
        "1 / lead))]), 1),): 1 / lead}",
        "1 / lead))]), 1),): Fraction(1)}",
    ),
    "1/(2x + 2y) is 2/(x + y)": (
        NORMAL,
        "1 / lead))]), 1),): 1 / lead}",
        "1 / lead))]), 1),): lead}",
    ),
    "1/0 is one": (
        NORMAL,
        "    if not p:\n        return {}\n    if len(p) > 1:",
        "    if not p:\n        return ONE\n    if len(p) > 1:",
    ),
    "exp(0) is zero": (NORMAL, "[build(p)])) if p else ONE", "[build(p)])) if p else {}"),
    "the first power always": (NORMAL, 't.args * (t.data[0] if t.op == "pow" else 1)', "t.args"),
    "of loses powers": (
        NORMAL,
        '(make("of", (), [a]), k) for a, k in m',
        '(make("of", (), [a]), 1) for a, k in m',
    ),
    "max is min": (
        NORMAL,
        "return atom(make(t.op, (), sides))",
        'return atom(make("max", (), sides))',
    ),
    "max does not see its side": (
        NORMAL,
        "sides = sorted((normal(a) for a in t.args)",
        "sides = sorted((normal(t.args[0]) for a in t.args)",
    ),
    "what leaves a sum is not lowered": (
        NORMAL,
        "out.append((shift(a, -1), k))",
        "out.append((a, k))",
    ),
    "what leaves a sum loses its power": (
        NORMAL,
        "out.append((shift(a, -1), k))",
        "out.append((shift(a, -1), 1))",
    ),
    "what stays loses its power": (NORMAL, "kept.append((a, k))", "kept.append((a, 1))"),
    "the outer exponent is lost": (NORMAL, "            if outside:\n", "            if False:\n"),
    "sums written out too short": (
        NORMAL,
        "        for k in range(low.data[0], high.data[0] + 1):\n            value",
        "        for k in range(low.data[0], high.data[0]):\n            value",
    ),
    "empty products are zero": (
        NORMAL,
        "out: Polynomial = {} if adds else ONE",
        "out: Polynomial = {}",
    ),
    "a product of a number is the number": (
        NORMAL,
        'out = atom(make("prod", (), [low, high, number(c)]))',
        "out = {(): c}",
    ),
    "a product forgets numbers": (
        NORMAL,
        "    if c != 1:\n        out = atom(",
        "    if False:\n        out = atom(",
    ),
    "a product of zero is zero": (
        NORMAL,
        "    if p == ONE:\n        return ONE\n",
        "    if p == ONE or not p:\n        return p\n",
    ),
    "a product of a sum comes apart": (
        NORMAL,
        "    if len(p) != 1:\n        return atom(",
        "    if len(p) > 2:\n        return atom(",
    ),
    "a product of reciprocals": (
        NORMAL,
        'factor = reciprocal(atom(make("prod", (), [low, high, a.args[0]])))',
        'factor = atom(make("prod", (), [low, high, a.args[0]]))',
    ),
    "a product of exponentials": (
        NORMAL,
        'make("exp", (), [make("sum", (), [low, high, a.args[0]])])',
        'make("exp", (), [a.args[0]])',
    ),
    "a constant sum is the constant": (
        NORMAL,
        "    ranges, body = [(low, high)], kept\n",
        "    if not kept:\n        return {out: Fraction(1)}\n"
        "    ranges, body = [(low, high)], kept\n",
    ),
    "an inner sum with its coefficient": (
        NORMAL,
        "if len(p) == 1 and next(iter(p.values())) == 1:",
        "if len(p) == 1:",
    ),
    "a square of a sum is a sum": (
        NORMAL,
        "    rest = [(shift(a, 1), k - (a is inner)) for a, k in m if k > (a is inner)]",
        "    rest = [(shift(a, 1), k) for a, k in m if a is not inner]",
    ),
    "factors are not moved under the inner sum": (
        NORMAL,
        "    rest = [(shift(a, 1), k - (a is inner)) for a, k in m",
        "    rest = [(a, k - (a is inner)) for a, k in m",
    ),
    "exchanged sums without their indices": (
        NORMAL,
        "moved = renumber(body, lambda k: place[depth - 1 - k] if k < depth else k)",
        "moved = body",
    ),
    "limits are not moved": (
        NORMAL,
        "low, high = (shift(t, position) for t in ranges[order[position]])",
        "low, high = ranges[order[position]]",
    ),
    "ranges in another order": (
        NORMAL,
        "for t in ranges[order[position]])",
        "for t in ranges[position])",
    ),
    "a mean of a constant is lost": (
        NORMAL,
        "    if not kept:\n        return {out: Fraction(1)}\n    inner = _inner_sum(kept, 1)",
        "    if not kept:\n        return {}\n    inner = _inner_sum(kept, 1)",
    ),
    "a mean of a power is a power of a mean": (
        NORMAL,
        'mean = make("E", (), [build({kept: Fraction(1)})])',
        'mean = make("E", (), [build({tuple((a, 1) for a, k in kept): Fraction(1)})])',
    ),
    "a squared sum in a mean": (
        NORMAL,
        "    body = build({_entered(kept, inner): Fraction(1)})",
        "    body = build({_entered(tuple((a, 1) for a, _ in kept), inner): Fraction(1)})",
    ),
    "vectors lose coefficients": (
        NORMAL,
        "        _add(out, matrix(t.args[1]), polynomial(t.args[0]))",
        "        _add(out, matrix(t.args[1]), ONE)",
    ),
    "vectors replace each other": (
        NORMAL,
        "out[w] = plus(out.get(w, {}), times(c, p))",
        "out[w] = times(c, p)",
    ),
    "vectors of the outer index": (NORMAL, " and not _has(inner, 1):", ":"),
    "coefficients are not exchanged": (
        NORMAL,
        "swapped = renumber(factor, lambda k: 1 - k if k < 2 else k)",
        "swapped = factor",
    ),
    "inner products leave the index": (
        NORMAL,
        'make("dot", (), [body, shift(v, 1)])',
        'make("dot", (), [body, v])',
    ),
    "transposes keep the order": (NORMAL, "    for a in reversed(w):\n", "    for a in w:\n"),
    "inverses are symmetric": (
        NORMAL,
        'out.append(make("minv", (), [normal(make("T", (), [a.args[0]]))]))',
        "out.append(a)",
    ),
    "matrices commute": (
        NORMAL,
        "_add(out, {w + v: q for v, q in more.items()}, p)",
        "one = len({a.sort for v in more for a in w + v}) == 1\n"
        "                x = (lambda u: tuple(sorted(u, key=lambda a: a.key))) if one else tuple\n"
        "                _add(out, {x(w + v): q for v, q in more.items()}, p)",
    ),
    "traces of reversed words": (
        NORMAL,
        "for v in (w, _transpose(w)) for k",
        "for v in (w, w[::-1] if len({a.sort for a in w}) == 1 else w) for k",
    ),
    "the trace of the identity is one": (
        NORMAL,
        '        return polynomial(make("of", (), [make("dim", (sizes(sort)[0],))]))',
        "        return ONE",
    ),
    "a numeral is one more": (
        NORMAL,
        "return {(): Fraction(int(t.data[0]))}",
        "return {(): Fraction(int(t.data[0]) + 1)}",
    ),
    "a numeral is any size": (
        TERMS,
        "need(not any(map(is_numeral, names)),",
        "need(names is not None,",
    ),
    "axiom: determinants add": (AXIOMS, "(* (det A) (det B))", "(+ (det A) (det B))"),
    "axiom: a rank-one change alone": (
        AXIOMS,
        "(+ 1 (tr (mm (T B) A)))",
        "(tr (mm (T B) A))",
    ),
    "axiom: unit columns from two": (
        AXIOMS,
        "(sum k 1Z (dim n) (mm (unit",
        "(sum k 2Z (dim n) (mm (unit",
    ),
    "axiom: one by one is I": (AXIOMS, "(sc (tr A) (I k))", "(sc 1 (I k))"),
    "a product with one is one": (
        NORMAL,
        "return q if p == ONE else p",
        "return p if p == ONE else q",
    ),
    "a coefficient is lost beside a one": (
        NORMAL,
        "(b if a == 1 else a) if one else a * b)",
        "(a if a == 1 else b) if one else a * b)",
    ),
    "a multiple of the first term is the term": (NORMAL, "if not p and c is UNIT:", "if not p:"),
    "a product is a sum": (
        NORMAL,
        "(b if a == 1 else a) if one else a * b)",
        "(b if a == 1 else a) if one else a + b)",
    ),
    "terms that cancel stay": (NORMAL, "        out.pop(m, None)", "        pass"),
    "orders lose their direction": (NORMAL, 'negative = relation == "=" and', "negative ="),
    "zero is below zero": (NORMAL, 'c >= 0 if t.op == "<=" else c > 0', "c >= 0"),
    "every equation of vectors holds": (
        NORMAL,
        "    if not pairs:\n        return true()",
        "    if len(pairs) < 3:\n        return true()",
    ),
    "constants do not count in an order": (
        NORMAL,
        "        if set(p) <= {()}:\n",
        "        p = {m: c for m, c in p.items() if m or t.op == '='}\n"
        "        if set(p) <= {()}:\n",
    ),
    # Rules.
    "assume nothing": (
        RULES,
        "return frozenset([proposition(p)]), p",
        "return frozenset(), proposition(p)",
    ),
    "discharge everything": (RULES, "theorem[0] - {proposition(p)}", "frozenset()"),
    "modus ponens without its premise": (
        RULES,
        'p.op == "->" and p.args[0] is premise[1]',
        'p.op == "->"',
    ),
    "modus ponens on anything": (
        RULES,
        'p.op == "->" and p.args[0] is premise[1]',
        "len(p.args) == 2 and p.args[0] is premise[1]",
    ),
    "modus ponens forgets": (
        RULES,
        "return implication[0] | premise[0], p.args[1]",
        "return implication[0], p.args[1]",
    ),
    "generalise over hypotheses": (
        RULES,
        "need(not any(variable in h.free for h in theorem[0]),",
        "need(True,",
    ),
    "generalise over all hypotheses": (
        RULES,
        "not any(variable in h.free for h in theorem[0])",
        "theorem[0] == frozenset() or not all(variable in h.free for h in theorem[0])",
    ),
    "specialise to loose terms": (RULES, ' and value.loose == 0, "specialise', ', "specialise'),
    "substitute in the conclusion": (
        RULES,
        "return frozenset(instantiate(h, given) for h in hypotheses), instantiate",
        "return frozenset(hypotheses), instantiate",
    ),
    "substitute any sort": (
        RULES,
        "need(body.sort == sort and body.loose <= len(arguments)",
        "need(body.loose <= len(arguments)",
    ),
    "substitute loose terms": (
        RULES,
        "body.sort == sort and body.loose <= len(arguments)",
        "body.sort == sort",
    ),
    "sizes in the conclusion": (
        RULES,
        "return frozenset(resize(h, names) for h in theorem[0]), resize",
        "return theorem[0], resize",
    ),
    "convert anything": (
        RULES,
        'need(normal(proposition(p)) is normal(theorem[1]), "convert',
        'need(normal(proposition(p)).op == normal(theorem[1]).op, "convert',
    ),
    "ring believes": (RULES, 'and normal(p) is true(), "ring', 'and normal(p).op != "F", "ring'),
    "psatz: left minus right": (
        RULES,
        "return plus(polynomial(right), polynomial(left), Fraction(-1))",
        "return plus(polynomial(left), polynomial(right), Fraction(-1))",
    ),
    "psatz: any multiplier": (
        RULES,
        "need(set(product) <= {()} and value >= 0,",
        "need(set(product) <= {()},",
    ),
    "psatz: variables as multipliers": (
        RULES,
        "need(set(product) <= {()} and value >= 0,",
        "need(value >= 0,",
    ),
    "psatz: an equation anywhere frees all parts": (
        RULES,
        'if not any(f[1].op == "=" for f in facts):',
        'if not any(f[1].op == "=" for _, fs, _ in parts for f in fs):',
    ),
    "psatz: any relation frees its part": (
        RULES,
        'if not any(f[1].op == "=" for f in facts):',
        'if not any(f[1].op in ("=", "<") for f in facts):',
    ),
    "psatz: equations from orders": (
        RULES,
        'need(aim.op != "=", "psatz: an equation follows from equations only")',
        "pass",
    ),
    "psatz: strict with squares": (RULES, "value > 0 and not squares and", "value > 0 and"),
    "psatz: strict with a multiplier zero": (
        RULES,
        "value > 0 and not squares and",
        "not squares and",
    ),
    "psatz: strict by one of several": (
        RULES,
        'all(f[1].op == "<" for f in facts)',
        '(not facts or any(f[1].op == "<" for f in facts))',
    ),
    "psatz: strict from nothing": (RULES, 'need(aim.op != "<" or strict,', "need(True,"),
    "psatz: parts need not add up": (RULES, 'need(not rest, "psatz', 'need(len(rest) < 2, "psatz'),
    "psatz forgets hypotheses": (RULES, "            hypotheses |= f[0]\n", "            pass\n"),
    "psatz: squares once": (
        RULES,
        "product = times(times(product, polynomial(t)), polynomial(t))",
        "product = times(product, polynomial(t))",
    ),
    "psatz: false is zero at most zero": (
        RULES,
        'aim = make("<", (), [zero, zero])',
        'aim = make("<=", (), [zero, zero])',
    ),
    "linear: sums instead of differences": (
        RULES,
        "((minus_one, fact.args[1]), (plus_one, fact.args[0]))",
        "((minus_one, fact.args[1]), (minus_one, fact.args[0]))",
    ),
    "linear: the factor on the other side": (
        RULES,
        'make("mm", (), [left, side, right])',
        'make("mm", (), [right, side, left])',
    ),
    "linear forgets hypotheses": (RULES, "        hypotheses |= given\n", "        pass\n"),
    "linear: the rest may be anything": (
        RULES,
        'need(normal(total) is make("zero", (sort,)),',
        'need(normal(total).op in ("zero", "v", "sc"),',
    ),
    "an open proposition": (RULES, 't.sort == "P" and t.loose == 0', 't.sort == "P"'),
    "any term is a proposition": (RULES, 't.sort == "P" and t.loose == 0', "t.loose == 0"),
    # Reading.
    "hypotheses are not compared": (READ, "need(steps[-1][0] <= stated,", "need(True,"),
    "the claim is not compared": (
        READ,
        "need(steps[-1][1] is conclusion,",
        "need(steps[-1][1].sort == conclusion.sort,",
    ),
    "any step is the claim": (
        READ,
        "need(steps[-1][1] is conclusion,",
        "need(any(s[1] is conclusion for s in steps),",
    ),
    "rows from the end": (
        READ,
        "type(k) is int and 0 <= k < len(table)",
        "type(k) is int and k < len(table)",
    ),
    "rows by booleans": (READ, "type(k) is int and 0 <= k", "isinstance(k, int) and 0 <= k"),
    "cite without comparing": (READ, "need(same, name,", "need(True, name,"),
    "cite without hypotheses": (
        READ,
        "same = set(hypotheses) == set(found.hypotheses) and conclusion",
        "same = conclusion",
    ),
    "names may be used again": (READ, "need(checked.name not in known,", "need(True,"),
    "malformed is a crash": (
        READ,
        "(TypeError, KeyError, IndexError, ValueError, AttributeError)",
        "(TypeError, IndexError, ValueError, AttributeError)",
    ),
    "strings are lists": (
        READ,
        "need(isinstance(given, list),",
        "need(isinstance(given, (list, str, dict)),",
    ),
    # Axioms.
    "axiom: a product without its condition": (
        AXIOMS,
        "(-> (<= lo (+ hi 1Z)) (= (prod k",
        "(-> (<= lo lo) (= (prod k",
    ),
    "axiom: sums from another condition": (
        AXIOMS,
        "(-> (< hi lo) (= (sum k lo hi (f k)) 0))",
        "(-> (<= hi lo) (= (sum k lo hi (f k)) 0))",
    ),
    "axiom: an empty product is zero": (
        AXIOMS,
        "(= (prod k lo hi (f k)) 1)",
        "(= (prod k lo hi (f k)) 0)",
    ),
    "axiom: every number has a reciprocal": (
        AXIOMS,
        "(-> (-> (= x 0) F) (= (* x (inv x)) 1))",
        "(= (* x (inv x)) 1)",
    ),
    "axiom: exp is above a steeper line": (
        AXIOMS,
        "(<= (+ 1 x) (exp x))",
        "(<= (+ 1 (* 2 x)) (exp x))",
    ),
    "axiom: every number has a logarithm": (
        AXIOMS,
        "(-> (< 0 x) (= (exp (log x)) x))",
        "(= (exp (log x)) x)",
    ),
    "axiom: every number has a root": (
        AXIOMS,
        "(-> (<= 0 x) (= (* (sqrt x) (sqrt x)) x))",
        "(= (* (sqrt x) (sqrt x)) x)",
    ),
    "axiom: induction without its base": (
        AXIOMS,
        "(-> (P lo) (-> (all k Z",
        "(-> (<= lo lo) (-> (all k Z",
    ),
    "axiom: definite everywhere": (AXIOMS, "(-> (= (dot u u) 0) (= u (zero V)))", "(= u (zero V))"),
    "axiom: integers are dense": (
        AXIOMS,
        "(-> (< i j) (<= (+ i 1Z) j))",
        "(-> (<= i j) (<= (+ i 1Z) j))",
    ),
    "axiom: max of the other": (AXIOMS, "(= (max x y) y)", "(= (max x y) x)"),
    "axiom: another product rule": (AXIOMS, "(+ (* y (g x)) (* (f x) z))", "(* y z)"),
    "axiom: a chain rule at another point": (
        AXIOMS,
        "(deriv t (f t) (g x) y)",
        "(deriv t (f t) x y)",
    ),
    "axiom: another derivative of log": (
        AXIOMS,
        "(deriv t (log t) x (inv x))",
        "(deriv t (log t) x x)",
    ),
    "axiom: another derivative of a root": (AXIOMS, "(* (inv 2) (inv (sqrt x)))", "(inv (sqrt x))"),
    "axiom: another derivative of a reciprocal": (
        AXIOMS,
        "(* -1 (inv x) (inv x))",
        "(* (inv x) (inv x))",
    ),
    "axiom: monotone without a sign": (AXIOMS, "(<= 0 (g t))", "(<= (g t) 0)"),
    "axiom: means are strict": (
        AXIOMS,
        "(<= (E w (X w)) (E w (Y w)))",
        "(< (E w (X w)) (E w (Y w)))",
    ),
    "axiom: every matrix has an inverse": (
        AXIOMS,
        "(-> (= (mm A B) (I n)) (= (mm A (minv A)) (I n)))",
        "(= (mm A (minv A)) (I n))",
    ),
    "axiom: sizes from two": (AXIOMS, "(<= 1Z (dim n))", "(<= 2Z (dim n))"),
    "axiom: one of two is both": (AXIOMS, "(-> p (| p q))", "(-> p (& p q))"),
    "axiom: the trace of a square": (
        AXIOMS,
        "(<= 0 (tr (mm (T B) B)))",
        "(<= 1 (tr (mm (T B) B)))",
    ),
    "axiom: a derivative from one side": (
        AXIOMS,
        "(-> (< lo x) (-> (< x hi)",
        "(-> (<= lo x) (-> (< x hi)",
    ),
    "axiom: independent of itself": (
        AXIOMS,
        "(prod k lo hi (E w (ind (= (X k w) (X k v)))))",
        "(E w (ind (all k Z (-> (<= lo k) (-> (<= k hi) (= (X k w) (X k v)))))))",
    ),
}
