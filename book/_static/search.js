// The book's search. The index is a list of pieces: sections, statements, terms, names.
"use strict";

// How much a page counts, and how much a kind of piece: a lecture explains, the rest refers.
const PAGES = { lecture: 3, further: 2, glossary: 1.9, page: 1.6, exercises: 1.3, slips: 1.1, api: 0.9, reference: 0.4 };
const PIECES = { page: 1.5, definition: 1.25, term: 1.2, index: 1.2, theorem: 1.15, proposition: 1.1, corollary: 1.1, algorithm: 1.2, lemma: 1.05 };
const SHOWN = 40;
const SMALL = new Set("a an and at by for from in is of on or the to with".split(" "));
const ENDINGS = /(?:ings?|ions?|ed|es|s|al|ity)$/;

// What is asked for by its initials, or by another name than the book's.
const SYNONYMS = {
  em: "expectation maximisation", erm: "empirical risk minimisation", gmm: "mixture model", ica: "independent component analysis",
  "kullback leibler": "kl divergence", kl: "kl divergence", lle: "locally linear embedding", mds: "multidimensional scaling",
  mle: "maximum likelihood", multiclass: "softmax", nmf: "non-negative matrix factorisation", ols: "least squares", oob: "out of bag",
  pca: "principal components", "relative entropy": "kl divergence", sgd: "stochastic gradient descent", sigmoid: "logistic function",
  smo: "sequential minimal optimisation", svd: "singular value decomposition", svm: "support vector machines",
};
// American spellings, word by word; the book has British ones.
const AMERICAN = [
  [/(?<=\p{Letter}{3})iz(?=(?:es?|ed|ers?|ing|able|ations?)(?!\p{Letter}))/gu, "is"],
  [/(?<!\p{Letter})(de)?center(?=(?:s|ed)?(?!\p{Letter}))/gu, "$1centre"], [/centreed/g, "centred"], [/centering/g, "centring"],
  [/(?<=neighb|behavi|col|fav)or/g, "our"], [/(?<=label|model|travel)(?=ed|ing)/g, "l"],
];

// Words as they are compared: without accents, case and hyphens.
const plain = (text) => AMERICAN.reduce((words, [there, here]) => words.replace(there, here), simple(text));
const simple = (text) =>
  text.normalize("NFKD").replace(/\p{Mark}/gu, "").toLowerCase().replace(/['’]s\b/g, "").replace(/[^\p{Letter}\p{Number}_.]+|\.(?!\w)/gu, " ").trim();
// Some endings make no difference, unless next to nothing is left: an option is no optimisation.
function stem(word) {
  const short = word.replace(word.length > 5 ? ENDINGS : /s$/, "");
  return short.length > 3 || (short.length > 2 && word.endsWith("s")) ? short : word;
}
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function asked(query) {
  const phrase = plain(query);
  const all = phrase.split(" ").filter(Boolean);
  const words = all.filter((word) => !SMALL.has(word) || all.length === 1);
  // A single letter is a word only in company: nobody looks for every k.
  const telling = words.filter((word) => word.length > 1);
  // Of a short word nothing more may follow: SMO is not smooth.
  const end = (word) => (word.length > 3 ? "" : "s?(?![\\p{Letter}\\p{Number}_])");
  const start = (word) => new RegExp(`(?<![\\p{Letter}\\p{Number}_])${escaped(stem(word))}${end(word)}`, "u");
  const whole = all.map((word) => `${escaped(stem(word))}${end(word) || "[\\p{Letter}]*"}`).join("[ .]");
  return {
    phrase,
    // With a letter among them, words mean something only together.
    words: telling.length === words.length ? telling.map(start) : [],
    each: telling.map(start),
    together: new RegExp(`(?<![\\p{Letter}\\p{Number}_])${whole}(?![\\p{Letter}\\p{Number}_])`, "gu"),
    single: all.length === 1,
    name: /[._]/.test(query.trim()),
    shown: telling.map(stem),
  };
}

function inTitle(title, { phrase, words, together }) {
  if (!title) return 0;
  if (title === phrase) return 100;
  if (title.match(together)) return 45 + (30 * Math.min(phrase.length, title.length)) / title.length;
  return words.length > 0 && words.every((word) => word.test(title)) ? 30 : 0;
}

function inText(text, { words, together, single }) {
  const found = text.match(together)?.length ?? 0;
  if (found) return 10 + Math.min(found, 10);
  return !single && words.length > 0 && words.every((word) => word.test(text)) ? 4 : 0;
}

// A name is found by its end, as it is written in a program: Perceptron.fit, mlnotes.plot.slider.
function asName(name, { phrase }) {
  const lower = name.toLowerCase();
  if (lower === phrase) return 1000;
  if (lower.endsWith(`.${phrase}`)) return 900 - lower.length;
  return lower.split(".").some((part) => part.startsWith(phrase)) ? 300 - lower.length : 0;
}

// Where no lecture has all of the words together, places count that have some of them.
function some(text, { each }) {
  return each.length ? each.filter((word) => word.test(text)).length / each.length : 0;
}

// A place that is found in two ways is shown once, where it fits better.
function distinct(results) {
  const places = new Set();
  const best = results.sort((a, b) => b.score - a.score || a.order - b.order);
  return best.filter(({ page, place }) => !places.has(`${page}#${place}`) && places.add(`${page}#${place}`));
}

function find(index, query) {
  const question = asked(query);
  if (!question.phrase) return [];
  // KMeans is written like a name; so is AdaBoost, but there is a lecture of that title.
  const called = index.pages.some(([, title, kind]) => kind === "lecture" && plain(title) === question.phrase);
  question.name ||= /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(query) && !called;
  const results = findAll(index, question);
  if (Object.hasOwn(SYNONYMS, question.phrase)) return distinct([...find(index, SYNONYMS[question.phrase]), ...results]);
  const told = question.name ? results.length : results.some(({ page }) => PAGES[index.pages[page][2]] >= 2);
  return told || !question.each.length ? results : distinct([...findAll(index, question, true), ...results]);
}

function findAll(index, question, loosely = false) {
  const best = new Map();
  const onPage = new Map();
  index.pieces.forEach((piece, order) => {
    const [page, kind, place, label, title, text] = piece;
    const [, pageTitle, pageKind, about] = index.pages[page];
    let score;
    if (kind === "name") {
      const last = plain(title.split(".").at(-1)).replaceAll("_", " ");
      const named = question.name && asName(title, question);
      score = named || Math.max(inTitle(last, question) / 9, inText(plain(text), question) / 2);
    } else {
      score = Math.max(inTitle(plain(title), question), inText(plain(text), question));
      if (kind === "page" && about) score = Math.max(score, inTitle(plain(about), question) / 2);
      if (loosely) score = some(plain(title), question) * 15 + some(plain(text), question) * 3;
      score *= PIECES[kind] ?? 1;
    }
    score *= PAGES[pageKind] ?? 1;
    if (kind === "name" && question.name && score) score += 1000;
    onPage.set(page, (onPage.get(page) ?? 0) + Math.min(score, 30) / 10);
    if (!score) return;
    const key = `${page}#${place}`;
    if (!(best.get(key)?.score >= score)) best.set(key, { page, kind, place, label, title: title || pageTitle, text, score, order });
  });
  const results = [...best.values()];
  // Of two places that fit equally well the page that says more about it comes first.
  for (const result of results) result.score += Math.min(onPage.get(result.page), 40);
  return results.sort((a, b) => b.score - a.score || a.order - b.order);
}

// Some words around the first place that fits.
function snippet(text, { together, shown }) {
  if (!text) return undefined;
  const lower = text.toLowerCase();
  const places = shown.map((word) => lower.search(new RegExp(`(?<![\\p{Letter}])${escaped(word)}`, "u"))).filter((place) => place >= 0);
  const middle = places.length ? Math.min(...places) : 0;
  let start = Math.max(0, middle - 90);
  if (start) start = text.indexOf(" ", start) + 1;
  const end = text.length > start + 240 ? text.lastIndexOf(" ", start + 240) : text.length;
  const line = document.createElement("p");
  line.className = "search-snippet";
  if (start) line.append("… ");
  const piece = text.slice(start, end);
  const marks = shown.length ? new RegExp(`(?<![\\p{Letter}])(?:${shown.map(escaped).join("|")})[\\p{Letter}]*`, "giu") : /$^/g;
  let last = 0;
  for (const match of piece.matchAll(marks)) {
    const mark = document.createElement("mark");
    mark.textContent = match[0];
    line.append(piece.slice(last, match.index), mark);
    last = match.index + match[0].length;
  }
  line.append(piece.slice(last), end < text.length ? " …" : "");
  return line;
}

function show(index, query, place) {
  const results = find(index, query);
  const question = asked(query);
  const list = document.createElement("ol");
  list.className = "search-results";
  for (const { page, kind, place: anchor, label, title, text } of results.slice(0, SHOWN)) {
    const [address, pageTitle] = index.pages[page];
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `${address}${anchor && `#${anchor}`}`;
    link.textContent = kind === "page" || kind === "index" || !label ? title : `${label} ${title === pageTitle ? "" : title}`.trim();
    item.append(link);
    if (kind !== "page") {
      const where = document.createElement("span");
      where.className = "search-where";
      where.textContent = pageTitle;
      item.append(" ", where);
    }
    const words = snippet(text, question);
    if (words) item.append(words);
    list.append(item);
  }
  const summary = document.createElement("p");
  summary.setAttribute("role", "status");
  summary.className = "search-summary";
  const many = results.length > SHOWN ? `The best ${SHOWN} of ${results.length} places` : `${results.length} ${results.length === 1 ? "place" : "places"}`;
  summary.textContent = results.length ? `${many} for “${query}”.` : `Nothing was found for “${query}”. Try fewer or other words.`;
  place.replaceChildren(summary, list);
}

// Loaded where there is no page, for tests.
globalThis.mlnotesFind = find;

document.addEventListener("DOMContentLoaded", () => {
  localStorage.removeItem("sphinx_highlight_terms"); // earlier versions had pages painted by it
  const query = new URLSearchParams(location.search).get("q")?.trim();
  for (const field of document.querySelectorAll("input[name='q']")) field.value = query ?? "";
  document.querySelector("main input[name='q']")?.focus();
  if (query) show(globalThis.mlnotesIndex, query, document.getElementById("search-results"));
});
