// KaTeX's formulas with fewer elements that look the same. A chapter has thousands of formulas, and
// half of what KaTeX makes of them only holds a height, which `mlnotes.css` gives to generated content.

// Sizes 1 to 11 in ems of the ordinary size, as in KaTeX's style sheet.
const SIZES = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.44, 1.728, 2.074, 2.488];
// Kinds of signs for which the style sheet has no rule.
const KINDS = new Set(["mord", "mbin", "mrel", "mopen", "mclose", "mpunct", "minner", "mtight", "mop"]);

// Families of letters.
const FONTS = new Set(["mathnormal", "mathbf", "boldsymbol", "mathbb", "mathcal", "amsrm", "mathit", "mathrm", "mathsf", "mathtt"]);

const is = (node, name) => node?.classes?.includes(name) ?? false;
const ems = (length) => (length ? Number.parseFloat(length) : 0);
const em = (number) => `${+number.toFixed(4)}em`;
const isEmpty = (object) => Object.keys(object ?? {}).length === 0;

// A height that an element of its own holds becomes a variable of its parent.
function holdHeights(node) {
  const [first, ...rest] = node.children;
  if (is(node, "base") && is(first, "strut")) {
    node.style["--h"] = first.style.height;
    if (first.style.verticalAlign) node.style["--v"] = first.style.verticalAlign;
    node.children = rest;
  } else if (is(first, "pstrut")) {
    node.style["--h"] = first.style.height;
    node.children = rest;
  }
}

// A table with one column, of which all rows but the first only hold a depth, becomes one block.
function joinTable(node) {
  const [above, below] = node.children.map((row) => row.children[0]);
  node.classes = node.classes.flatMap((name) => (name === "vlist-t2" ? [] : name === "vlist-t" ? [name, "vlist"] : [name]));
  node.style["--d"] = below?.style.height ?? "0em";
  node.style.paddingTop = above.style.height;
  node.children = above.children.filter((item) => item.children.length > 0);
}

const isTall = (node) => is(node, "vlist-t") || is(node, "delimsizing") || (node.children ?? []).some(isTall);

const ratioOf = (node) => {
  const [from, to] = ["reset-size", "size"].map((name) => {
    const found = node.classes.find((c) => new RegExp(`^${name}\\d+$`).test(c));
    return SIZES[found.slice(name.length) - 1];
  });
  return to / from;
};

// One index or one exponent is moved up or down in its line; only two of them need a table.
function shiftScript(node) {
  const items = node.children[0].children;
  if (items.length !== 1) return;
  const [item] = items;
  const [content] = item.children;
  if (item.children.length !== 1 || !is(content, "sizing")) return;
  if (Object.keys(content.style).some((name) => name !== "marginRight")) return;
  if (isTall(content)) return; // it would make the line below it higher
  const ratio = ratioOf(content);
  const { top, marginLeft, marginRight } = item.style;
  const inside = ems(content.style.marginRight);
  content.classes = ["shift", ...content.classes.filter((c) => c !== "mtight")];
  content.style = { top: em((ems(top) + ems(item.style["--h"])) / ratio) };
  if (marginLeft) content.style.marginLeft = em(ems(marginLeft) / ratio);
  if (marginRight || inside) content.style.marginRight = em(ems(marginRight) / ratio + inside);
  node.children = [content];
}

// Whether an element only says of what kind the signs in it are.
const isIdle = (node) =>
  Array.isArray(node.children) &&
  node.classes?.length > 0 &&
  node.classes.every((name) => KINDS.has(name)) &&
  isEmpty(node.style) &&
  isEmpty(node.attributes) &&
  !node.children.some((child) => is(child, "mtable") || is(child, "delimsizing"));

// An element whose margins are measured in the size of what stands around it.
const takesMargin = (node) => Array.isArray(node?.children) && node.classes?.length > 0 && !is(node, "base");
const isSpace = (node) => is(node, "mspace") && node.children.length === 0 && Object.keys(node.style).join() === "marginRight";

function widen(node, side, space) {
  node.style[side] = em(ems(node.style[side]) + space / (is(node, "sizing") ? ratioOf(node) : 1));
}

// A sign or element and the space beside it are one element; a sign without a rule of its own is bare text.
function joinSpaces(children) {
  const kept = [];
  let before = 0;
  for (const child of children) {
    const last = kept.at(-1);
    if (is(child, "nulldelimiter") && child.children.length === 0) {
      child.style = { marginRight: em(0.12 * (is(child, "sizing") ? ratioOf(child) : 1)) };
      child.classes = ["mspace"];
    }
    if (isSpace(child) && last?.text && isEmpty(last.style)) {
      last.italic = (last.italic ?? 0) + ems(child.style.marginRight);
    } else if (isSpace(child) && takesMargin(last)) {
      widen(last, "marginRight", ems(child.style.marginRight));
    } else kept.push(child);
  }
  // A space with nothing before it that could take it, and an element after it.
  const joined = kept.filter((child, k) => {
    const next = kept[k + 1];
    if (!isSpace(child) || !takesMargin(next) || isSpace(next)) return true;
    widen(next, "marginLeft", ems(child.style.marginRight));
    return false;
  });
  for (const sign of joined)
    if (sign.text && !sign.italic && sign.classes.every((name) => KINDS.has(name))) sign.classes = [];
  return joined;
}

// A single sign in a smaller size is the text of the element that gives the size.
function joinSign(node) {
  const [sign, ...others] = node.children;
  if (others.length || !sign?.text || !isEmpty(sign.style)) return;
  if (!sign.classes.every((name) => KINDS.has(name) || FONTS.has(name))) return;
  node.classes.push(...sign.classes.filter((name) => FONTS.has(name)));
  if (sign.italic > 0) node.style.marginRight = em(ems(node.style.marginRight) + sign.italic);
  sign.classes = [];
  sign.italic = 0;
}

function lighten(node) {
  if (node.classes) node.classes = node.classes.filter(Boolean);
  if (!Array.isArray(node.children)) return;
  node.children.forEach(lighten);
  if (node.classes) holdHeights(node);
  if (is(node, "vlist-t")) joinTable(node);
  if (is(node, "vlist-r") || is(node, "vlist")) return;
  // What stands in a table is laid out by the element around it.
  if (!node.style?.["--h"] || is(node, "base"))
    node.children = node.children.flatMap((child) => (isIdle(child) ? child.children : [child]));
  if (is(node, "msupsub")) shiftScript(node);
  if (is(node, "vlist-t")) return;
  node.children = joinSpaces(
    node.children.flatMap((child) =>
      is(child, "msupsub") && is(child.children[0], "shift") ? child.children : [child],
    ),
  );
  if (is(node, "sizing")) joinSign(node);
}

// Letters that have a place of their own in Unicode: browsers draw no alphabet that is only named beside
// a letter, and \R would be an ordinary R. Where each begins, with its capitals, small letters and digits.
const ALPHABETS = {
  "double-struck": [0x1d538, 0x1d552, 0x1d7d8],
  script: [0x1d49c, 0x1d4b6],
  bold: [0x1d400, 0x1d41a, 0x1d7ce],
};
// These were there before the others.
const EARLIER = {
  "double-struck": { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
  script: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
};

function writeInAlphabet(node) {
  const name = node.attributes?.mathvariant;
  const [sign, ...others] = node.children;
  const ranges = [/[A-Z]/, /[a-z]/, /\d/];
  if (!ALPHABETS[name] || others.length || sign?.text?.length !== 1) return;
  const kind = ranges.findIndex((range) => range.test(sign.text));
  const start = ALPHABETS[name][kind];
  if (!start) return;
  const first = "Aa0".charCodeAt(kind);
  sign.text = EARLIER[name]?.[sign.text] ?? String.fromCodePoint(start + sign.text.charCodeAt(0) - first);
  delete node.attributes.mathvariant;
}

// Of the spoken half: no row of one element, and the TeX only where `check.js` looks for it.
function unwrap(node, display) {
  if (!Array.isArray(node.children)) return node;
  writeInAlphabet(node);
  // A name like "max" comes in two pieces, which are one index of what they stand at.
  if (/^(m(sub|sup|subsup|under|over|underover|frac|root))$/.test(node.type))
    node.children = node.children.map((child) => (child.type ? child : new node.constructor("mrow", child.children)));
  node.children = node.children.map((child) => unwrap(child, display));
  const single = node.type === "mrow" || (node.type === "semantics" && !display);
  if (node.type === "semantics" && !display) node.children.length = 1;
  const [only, ...others] = node.children;
  return single && only?.type && !others.length && isEmpty(node.attributes) ? only : node;
}

const isBlank = (node) => node.children?.length === 0 && !is(node, "rule");
const isSign = (node) => is(node, "mrel") || is(node, "mbin");

// In a formula of its own a line ends before a sign, in one of the text after it: the sign and what
// belongs to it go from the end of each piece to the beginning of the next.
function breakBeforeSigns(html) {
  const bases = html.children;
  bases.slice(0, -1).forEach(({ children }, k) => {
    const sign = children.findIndex((child, i) => isSign(child) && children.slice(i).every((later) => isSign(later) || isBlank(later)));
    if (sign < 0) return;
    const start = children.slice(0, sign).every(isBlank) ? 1 : sign;
    bases[k + 1].children.splice(1, 0, ...children.splice(start));
  });
  html.children = bases.filter((base) => base.children.length > 1);
}

// A half of a formula whose one part can say what the half is.
function lightHalf(half, display, ownLine) {
  const [only, ...others] = half.children;
  if (is(half, "katex-mathml")) {
    unwrap(half, display);
    only.attributes.class = half.classes.join(" ");
    return only;
  }
  if (!is(half, "katex-html")) return half;
  if (ownLine) breakBeforeSigns(half);
  lighten(half);
  half.classes.push("light");
  if (display || others.length || !is(only, "base")) return half;
  half.classes.push("base");
  return Object.assign(half, { style: only.style, children: only.children });
}

// Return the tree of a formula with fewer elements; `ownLine` says that it stands by itself and may break.
export function simplify(tree, display, ownLine) {
  const formula = is(tree, "katex-display") ? tree.children[0] : tree;
  formula.children = formula.children.map((half) => lightHalf(half, display, ownLine));
  return tree;
}
