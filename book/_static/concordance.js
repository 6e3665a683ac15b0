// Filters for the lists of the concordance and the errata, which can be read without them.

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

// An anchor inside a closed list opens it.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = target; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
  if (target?.closest("details.concordance")) target.scrollIntoView();
}

document.addEventListener("DOMContentLoaded", () => {
  const lists = document.querySelectorAll("article details.concordance");
  if (!lists.length) return;
  openTarget();
  addEventListener("hashchange", openTarget);
  const items = [...lists].flatMap((list) => [...list.querySelectorAll("li, .item")]);
  if (!items.some((item) => item.matches("[class*='of-']"))) return;
  const form = document.createElement("form");
  form.className = "filters";
  form.setAttribute("aria-label", "Filter the statements");
  const marks = (start) => [
    ...new Set(items.flatMap((item) => [...item.classList].filter((mark) => mark.startsWith(start)))),
  ].map((mark) => mark.slice(start.length));
  const words = (name) => name.replaceAll("-", " ");
  choice(form, "source", "Source", marks("of-").sort().map((name) => [name, name]));
  choice(form, "chapter", "Chapter", marks("in-").sort().map((name) => [words(name), name]));
  choice(form, "state", "State", [["treated", "treated"], ["not yet", "untreated"]]);
  const label = document.createElement("label");
  label.textContent = "Words";
  const field = document.createElement("input");
  field.type = "search";
  field.name = "words";
  label.append(field);
  const output = document.createElement("output");
  form.append(label, output);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    for (const name of Object.keys(wanted)) wanted[name] = form.elements[name].value.trim().toLowerCase();
    apply(lists, output);
  });
  lists[0].before(form);
});
