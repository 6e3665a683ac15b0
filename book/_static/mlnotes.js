// Small comforts; everything can be read without them.

// What scrolls sideways can be reached by the keyboard. A box is looked at when it is first laid out,
// which for what is not near the screen is later, and whenever it or what is in it changes its size.
const scrolling = ".katex-display, .derivation .term, .math.breaks .term, div.highlight pre:not(.check-seen), div.cell_output pre, div.cell_output > .text_html, .pst-scrollable-table-container, .check-term";
const resized = new Set();
const resizes = new ResizeObserver((changes) => {
  if (!resized.size) requestAnimationFrame(markResized);
  for (const { target } of changes) resized.add(target.closest(scrolling));
});

// All are measured before any is changed: a change in between would have the page laid out again.
function markResized() {
  const wide = [...resized].map((box) => [box, box.scrollWidth > box.clientWidth + 1]);
  resized.clear();
  for (const [box, scrolls] of wide) {
    if (scrolls) {
      box.tabIndex = 0;
    } else {
      box.removeAttribute("tabindex");
    }
  }
}

// Who jumps to another place, comes back to one, or goes by Tab, needs all of the page to be there.
function layOut() {
  document.documentElement.classList.add("laid-out");
}

// Sections are laid out one after the other, while nothing else is to be done.
const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
function layOutSections([section, ...others]) {
  if (!section) return followReader();
  section.classList.add("laid-out");
  whenIdle(() => layOutSections(others));
}

// The contents beside the text show where the reader is.
function followReader() {
  const links = [...document.querySelectorAll("#pst-page-toc-nav a[href^='#']")];
  const places = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    const tops = places.map((place) => place.getBoundingClientRect().top);
    const here = tops.findLastIndex((top) => top < innerHeight / 3);
    links.forEach((link, k) => {
      link.classList.toggle("active", k === here);
      link.ariaCurrent = k === here ? "location" : null;
    });
  };
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
  mark();
}

// An address may hold anything, also what is no encoding of anything.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

// What only some readers open is text until they do: a page has few elements, and is laid out fast.
function unfold(box) {
  if (box.dataset.fold) bring(box);
  const text = box.querySelector(":scope > noscript");
  if (text) fill(box, text, text.textContent);
}

function fill(box, place, html) {
  const content = document.createElement("template");
  content.innerHTML = html;
  place.replaceWith(content.content);
  prepare(box);
  box.dispatchEvent(new CustomEvent("unfolded", { bubbles: true }));
}

// What only serves the checking is in a file beside the page, a script because browsers fetch nothing
// for pages that are opened as files.
async function bring(box) {
  if (box.ariaBusy) return;
  const { folds, page, fold } = box.dataset;
  const place = box.appendChild(document.createElement("p"));
  place.textContent = "Loading …";
  box.ariaBusy = "true";
  try {
    await loadScript(folds);
    fill(box, place, mlnotesFolds[page][fold]);
    delete box.dataset.fold;
  } catch {
    place.textContent = "It did not arrive: close this and open it again.";
    box.addEventListener("toggle", () => place.remove(), { once: true });
  } finally {
    box.ariaBusy = null;
  }
}

const scripts = new Map();
function loadScript(address) {
  if (!scripts.has(address)) {
    const script = document.createElement("script");
    const here = new Promise((resolve, reject) => {
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(address)));
    });
    script.src = address;
    scripts.set(address, here);
    here.catch(() => scripts.delete(address));
    document.head.append(script);
  }
  return scripts.get(address);
}

const unfoldAll = () => document.querySelectorAll("details:has(> noscript)").forEach(unfold);

// An element by its name, also where nobody has opened what it is in.
function elementOf(name) {
  const found = name ? document.getElementById(name) : null;
  if (found || !name) return found;
  const mark = `id="${name}"`;
  const hidden = [...document.querySelectorAll("details > noscript")].find((text) => text.textContent.includes(mark));
  if (!hidden) return null;
  unfold(hidden.parentElement);
  return document.getElementById(name);
}

// What is folded opens for who comes to it; what has moved to another page of the chapter is there.
const moved = JSON.parse(document.getElementById("moved")?.textContent ?? "{}");
function arrive() {
  const name = decoded(location.hash.slice(1));
  const place = elementOf(name);
  if (place?.matches("a[id]") && location.pathname.endsWith("/at.html")) {
    location.replace(place.href); // the page of lasting addresses leads on
  } else if (place) {
    for (let box = place.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    if (place.closest("details")) place.scrollIntoView();
  } else if (Object.hasOwn(moved, name)) {
    location.replace(`${moved[name]}#${encodeURIComponent(name)}`);
  }
}

function prepareJump({ target }) {
  const link = target.closest?.("a[href*='#']");
  if (link?.pathname === location.pathname) layOut();
}

function prepareTab({ key }) {
  if (key !== "Tab" || document.documentElement.matches(".laid-out")) return;
  layOut();
  for (const box of document.querySelectorAll(scrolling)) resized.add(box);
  markResized();
}

function markScrolling(part = document) {
  for (const box of part.querySelectorAll(scrolling)) {
    const parts = box.matches("pre") ? [] : box.children; // words of code have no size of their own
    for (const part of [box, ...parts]) resizes.observe(part, { box: "border-box" });
  }
}

// Hovering or focusing a reference to a theorem, an equation or an exercise shows it.
const pages = new Map();
async function fetchPage(url) {
  if (url.pathname === location.pathname) return document;
  if (!pages.has(url.pathname)) {
    const page = fetch(url).then(async (response) => {
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      return new DOMParser().parseFromString(await response.text(), "text/html");
    });
    pages.set(url.pathname, page);
  }
  return pages.get(url.pathname);
}

const previewed = "div.proof, div.exercise, div.math, dt, div.citation, figure";
let preview, previewedLink, leaving;
function hidePreview() {
  clearTimeout(leaving);
  preview?.remove();
  previewedLink?.removeAttribute("aria-describedby");
  preview = previewedLink = undefined;
}

// The pointer has a moment to go from the link into what is shown, to scroll it.
function leavePreview() {
  clearTimeout(leaving);
  leaving = setTimeout(hidePreview, 200);
}

async function showPreview(link) {
  const url = new URL(link.href);
  let page;
  try {
    page = await fetchPage(url);
  } catch {
    return; // no preview where the page cannot be fetched, as in a site opened from a disk
  }
  const name = decoded(url.hash.slice(1));
  let target = page === document ? elementOf(name) : page.getElementById(name);
  target = target?.matches(previewed) ? target : target?.querySelector(previewed);
  if (!target || !link.matches(":hover, :focus")) return;
  hidePreview();
  preview = document.createElement("div");
  preview.className = "preview";
  preview.id = "preview";
  preview.setAttribute("role", "tooltip");
  const shown = target.tagName === "DT" ? [target, target.nextElementSibling] : [target];
  for (const part of shown) {
    const copy = document.importNode(part, true);
    for (const element of [copy, ...copy.querySelectorAll("[id]")]) element.removeAttribute("id");
    for (const element of copy.querySelectorAll(".headerlink")) element.remove();
    for (const element of copy.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
    preview.append(copy);
  }
  previewedLink = link;
  link.setAttribute("aria-describedby", "preview");
  link.closest("article").append(preview);
  preview.addEventListener("mouseenter", () => clearTimeout(leaving));
  preview.addEventListener("mouseleave", leavePreview);
  const box = link.getBoundingClientRect();
  const left = Math.min(box.left, document.documentElement.clientWidth - preview.offsetWidth - 16);
  const below = box.bottom + 8 + preview.offsetHeight < innerHeight || box.top < preview.offsetHeight + 8;
  preview.style.left = `${Math.max(16, left)}px`;
  preview.style.top = `${below ? box.bottom + 8 : box.top - preview.offsetHeight - 8}px`;
}

// Formulas as the browser's own mathematics, which fingers of those who listen find on a phone.
function offerNativeMath() {
  const box = document.querySelector(".page-links");
  if (!box || !document.querySelector(".katex-mathml")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "native-math-switch";
  button.textContent = "MathML";
  button.title = "Show formulas as native MathML, which screen readers find by touch";
  const set = (on) => {
    document.documentElement.classList.toggle("native-math", on);
    button.setAttribute("aria-pressed", String(on));
    try {
      localStorage.setItem("mlnotes-native-math", on ? "on" : "");
    } catch {} // it holds for this page
  };
  button.addEventListener("click", () => set(!document.documentElement.matches(".native-math")));
  let wanted = "";
  try {
    wanted = localStorage.getItem("mlnotes-native-math");
  } catch {} // nothing was remembered
  set(wanted === "on");
  box.append(button);
}

function prepare(part) {
  markScrolling(part);
  for (const link of part.querySelectorAll('article a.reference.internal[href*="#"]')) {
    link.addEventListener("mouseenter", () => showPreview(link));
    link.addEventListener("focus", () => showPreview(link));
    link.addEventListener("mouseleave", leavePreview);
    link.addEventListener("blur", hidePreview);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  offerNativeMath();
  arrive();
  addEventListener("hashchange", arrive);
  prepare(document);
  addEventListener("toggle", ({ target }) => target.open && unfold(target), { capture: true });
  addEventListener("beforeprint", unfoldAll);
  document.fonts.ready.then(() => markScrolling());
  const [{ type }] = performance.getEntriesByType("navigation");
  if (location.hash || type !== "navigate") layOut();
  addEventListener("load", () => whenIdle(() => layOutSections(document.querySelectorAll(".bd-article > section > section"))));
  addEventListener("click", prepareJump, { capture: true });
  addEventListener("keydown", prepareTab, { capture: true });
  addEventListener("keydown", (event) => event.key === "Escape" && hidePreview());
  addEventListener("scroll", hidePreview, { passive: true });
});
