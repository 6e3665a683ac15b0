// Filters for the lists of the ledger, the concordance and the errata, which can be read without them.

const wanted = { source: "", chapter: "", state: "", words: "" };

function matches(item) {
  return (
    (!wanted.source || item.classList.contains(`of-${wanted.source}`)) &&
    (!wanted.chapter || item.classList.contains(`in-${wanted.chapter}`)) &&
    (!wanted.state || item.classList.contains(`is-${wanted.state}`)) &&
    (!wanted.words || item.textContent.toLowerCase().includes(wanted.words))
  );
}

// A heading goes with the list after it, and a list that opens with all that is in it.
function apply(lists, output) {
  const filtering = Object.values(wanted).some(Boolean);
  let shown = 0;
  for (const list of lists) {
    let here = 0;
    for (const item of list.querySelectorAll("li, .item")) {
      item.hidden = !matches(item);
      here += !item.hidden;
    }
    for (const group of list.querySelectorAll(".source-rows")) {
      group.hidden = !group.querySelector("li:not([hidden])");
      group.previousElementSibling.hidden = group.hidden;
    }
    list.hidden = filtering && !here;
    if (wanted.words || wanted.chapter) list.open = here > 0;
    shown += here;
  }
  output.value = filtering ? `${shown} shown` : "";
}

function choice(form, name, title, options) {
  const label = document.createElement("label");
  label.textContent = title;
  const select = document.createElement("select");
  select.name = name;
  select.append(new Option("all", ""), ...options.map(([text, value]) => new Option(text, value)));
  label.append(select);
  form.append(label);
}

// An address may hold anything, also what is no encoding of anything.
function placeOf(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

// An anchor inside a closed list opens it.
function openTarget() {
  const target = placeOf(location.hash);
  for (let box = target; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
  if (target?.closest("details.concordance")) target.scrollIntoView();
}

function field(form, title) {
  const label = document.createElement("label");
  label.textContent = title;
  const input = document.createElement("input");
  input.type = "search";
  input.name = "words";
  label.append(input);
  form.append(label);
}

function newForm(name) {
  const form = document.createElement("form");
  form.className = "filters";
  form.setAttribute("aria-label", name);
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

// The ledger: by words, and by how a statement is known. A chapter without any is left out.
function filterLedger() {
  const lists = [...document.querySelectorAll("article ul.ledger-list")];
  if (!lists.length) return;
  const status = (item) => [...item.querySelector(".badge").classList].find((name) => name.startsWith("badge-")).slice(6);
  const items = lists.flatMap((list) => [...list.children]);
  const form = newForm("Filter the ledger");
  choice(form, "status", "Known by", [...new Set(items.map(status))].sort().map((name) => [name, name]));
  field(form, "Words");
  const output = document.createElement("output");
  form.append(output);
  form.addEventListener("input", () => {
    const chosen = form.elements.status.value;
    const words = form.elements.words.value.trim().toLowerCase();
    let shown = 0;
    for (const list of lists) {
      const [facts, title] = [list.previousElementSibling, list.previousElementSibling.previousElementSibling];
      const inTitle = title.textContent.toLowerCase().includes(words);
      for (const item of list.children) {
        item.hidden = !((!chosen || status(item) === chosen) && (inTitle || item.textContent.toLowerCase().includes(words)));
        shown += !item.hidden;
      }
      const none = [...list.children].every((item) => item.hidden);
      for (const part of [title, facts, list]) part.hidden = none;
    }
    output.value = chosen || words ? `${shown} shown` : "";
  });
  lists[0].previousElementSibling.previousElementSibling.before(form);
}

document.addEventListener("DOMContentLoaded", () => {
  filterLedger();
  const lists = document.querySelectorAll("article details.concordance");
  if (!lists.length) return;
  openTarget();
  addEventListener("hashchange", openTarget);
  const items = [...lists].flatMap((list) => [...list.querySelectorAll("li, .item")]);
  if (!items.some((item) => item.matches("[class*='of-']"))) return;
  const form = newForm("Filter the statements");
  const marks = (start) => [
    ...new Set(items.flatMap((item) => [...item.classList].filter((mark) => mark.startsWith(start)))),
  ].map((mark) => mark.slice(start.length));
  const words = (name) => name.replaceAll("-", " ");
  choice(form, "source", "Source", marks("of-").sort().map((name) => [name, name]));
  choice(form, "chapter", "Chapter", marks("in-").sort().map((name) => [words(name), name]));
  choice(form, "state", "State", [["treated", "treated"], ["not yet", "untreated"]]);
  field(form, "Words");
  const output = document.createElement("output");
  form.append(output);
  form.addEventListener("input", () => {
    for (const name of Object.keys(wanted)) wanted[name] = form.elements[name].value.trim().toLowerCase();
    apply(lists, output);
  });
  lists[0].before(form);
});
