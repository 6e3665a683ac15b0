// KaTeX's formulas with fewer elements that look the same. A chapter has thousands of formulas, and
// half of what KaTeX makes of them only holds a height, which `mlnotes.css` gives to generated content.

// Sizes 1 to 11 in ems of the ordinary size, as in KaTeX's style sheet.
const SIZES = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.44, 1.728, 2.074, 2.488];
// Kinds of signs for which the style sheet has no rule.
const KINDS = new Set(["mord", "mbin", "mrel", "mopen", "mclose", "mpunct", "minner", "mtight"]);

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
  } else if (is(node, "vlist")) {
    node.children = node.children.filter((item) => item.children.length > 0);
  } else if (is(node, "vlist-r")) {
    node.children = node.children.filter((cell) => !is(cell, "vlist-s"));
  } else if (is(node, "vlist-t2")) {
    node.style["--d"] = node.children[1].children[0].style.height;
    node.children = [first];
  }
}

const isTall = (node) => is(node, "vlist-t") || is(node, "delimsizing") || (node.children ?? []).some(isTall);

// One index or one exponent is moved up or down in its line; only two of them need a table.
function shiftScript(node) {
  const items = node.children[0].children[0].children[0].children;
  if (items.length !== 1) return;
  const [item] = items;
  const [content] = item.children;
  if (item.children.length !== 1 || !is(content, "sizing") || !isEmpty(content.style)) return;
  if (isTall(content)) return; // it would make the line below it higher
  const [from, to] = ["reset-size", "size"].map((name) => {
    const found = content.classes.find((c) => new RegExp(`^${name}\\d+$`).test(c));
    return SIZES[found.slice(name.length) - 1];
  });
  const ratio = to / from;
  const { top, marginLeft, marginRight } = item.style;
  content.classes = ["shift", ...content.classes.filter((c) => c !== "mtight")];
  content.style = { top: em((ems(top) + ems(item.style["--h"])) / ratio) };
  if (marginLeft) content.style.marginLeft = em(ems(marginLeft) / ratio);
  if (marginRight) content.style.marginRight = em(ems(marginRight) / ratio);
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

// A sign and the space after it are one element; a sign without a rule of its own is bare text.
function joinSpaces(children) {
  const kept = [];
  for (const child of children) {
    const last = kept.at(-1);
    if (is(child, "mspace") && last?.text && isEmpty(last.style) && child.style.marginRight) {
      last.italic = (last.italic ?? 0) + ems(child.style.marginRight);
    } else kept.push(child);
  }
  for (const sign of kept)
    if (sign.text && !sign.italic && sign.classes.every((name) => KINDS.has(name))) sign.classes = [];
  return kept;
}

function lighten(node) {
  if (!Array.isArray(node.children)) return;
  node.children.forEach(lighten);
  if (node.classes) holdHeights(node);
  // What stands in a table is laid out by the element around it.
  if (!node.style?.["--h"] || is(node, "base"))
    node.children = node.children.flatMap((child) => (isIdle(child) ? child.children : [child]));
  if (is(node, "msupsub")) shiftScript(node);
  node.children = joinSpaces(
    node.children.flatMap((child) =>
      is(child, "msupsub") && is(child.children[0], "shift") ? child.children : [child],
    ),
  );
}

// Of the spoken half: no row of one element, and the TeX only where `check.js` looks for it.
function unwrap(node, display) {
  if (!Array.isArray(node.children)) return node;
  node.children = node.children.map((child) => unwrap(child, display));
  const single = node.type === "mrow" || (node.type === "semantics" && !display);
  if (node.type === "semantics" && !display) node.children.length = 1;
  return single && node.children.length === 1 && isEmpty(node.attributes) ? node.children[0] : node;
}

// Return the tree of a formula with fewer elements.
export function simplify(tree, display) {
  for (const node of tree.children.flatMap((child) => [child, ...(child.children ?? [])])) {
    if (is(node, "katex-html")) {
      lighten(node);
      node.classes.push("light");
    }
    if (is(node, "katex-mathml")) unwrap(node, display);
  }
  return tree;
}
