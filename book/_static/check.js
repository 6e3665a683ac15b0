// "Check it in your browser": a derivation as it is shown is checked from its certificate, at once;
// as the reader has changed it, and where there is no certificate, by Python in the browser.
// Nothing is loaded before the first click. Everything can be read without this script.
"use strict";

const script = document.currentScript;
const addressOf = (name) => new URL(`${name}?v=${script.dataset.version}`, script.src);
const FROM_A_FILE = "This page was opened as a file, and browsers load checkers only on pages that come from a server: run “make serve” in the book's folder and open the address that it prints.";
// Written out, because the style sheet keeps the classes that a script names.
const CLASSES = {
  proved: "check-line check-proved",
  wrong: "check-line check-wrong",
  open: "check-line check-open",
};
const PATIENCE = 60_000; // milliseconds in which some of Python must arrive
let worker;
let busy; // the panel whose check is running
let patience; // the timer that ends when too little arrives

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

// Python as it is written, in colours: comments, strings, numbers, words of the language.
const WORDS_OF_PYTHON = "and|as|assert|class|def|elif|else|False|for|from|if|import|in|is|lambda|None|not|or|raise|return|True|while|with|yield";
const TOKEN = new RegExp(`(#.*)|("(?:\\\\.|[^"\\\\\n])*"|'(?:\\\\.|[^'\\\\\n])*')|\\b(\\d[\\d_.]*)\\b|\\b(${WORDS_OF_PYTHON})\\b`, "g");
const COLOURS = ["c1", "s2", "mi", "k"];

function colour(place, source) {
  const pieces = [];
  let last = 0;
  for (const token of source.matchAll(TOKEN)) {
    const kind = token.slice(1).findIndex((part) => part !== undefined);
    pieces.push(source.slice(last, token.index), element("span", COLOURS[kind], token[0]));
    last = token.index + token[0].length;
  }
  place.replaceChildren(...pieces, source.slice(last), "\n");
}

// A text field over its own text in colours: what is typed is seen there.
function editorFor(source, label) {
  const box = element("div", "check-editor highlight");
  const seen = element("pre", "check-seen");
  seen.setAttribute("aria-hidden", "true");
  const field = element("textarea", "check-typed");
  field.value = source;
  field.spellcheck = false;
  field.wrap = "off";
  for (const name of ["autocapitalize", "autocomplete", "autocorrect"]) field.setAttribute(name, "off");
  field.setAttribute("aria-label", label);
  const follow = () => {
    colour(seen, field.value);
    field.rows = field.value.split("\n").length + 1;
  };
  field.addEventListener("input", follow);
  field.addEventListener("scroll", () => (seen.scrollLeft = field.scrollLeft));
  follow();
  box.append(seen, field);
  return { box, field, follow };
}

// What a certificate is found to prove, by the checker that is written in JavaScript.
async function checkCertificate(file) {
  let checker, text;
  try {
    checker = await import(addressOf("trusted.js"));
  } catch {
    throw new Error("trusted.js did not arrive");
  }
  try {
    const response = await fetch(new URL(`certificates/${file}`, script.src));
    if (response.ok) text = await response.text();
  } catch {} // answered below
  if (text === undefined) throw new Error("the certificate did not arrive");
  const began = performance.now();
  const { certificates, axioms, library } = checker.parse(text);
  const theorems = checker.check(certificates, { axioms, library });
  const milliseconds = performance.now() - began;
  return { ...theorems.at(-1), cited: theorems.length - 1, lemmas: library.length, axioms: axioms.map((a) => a.name), milliseconds };
}

const sameSet = (a, b) => JSON.stringify([...new Set(a)].sort()) === JSON.stringify([...new Set(b)].sort());

// How many things there are, in words that agree.
const count = (number, one, many = `${one}s`) => `${number || "no"} ${number === 1 ? one : many}`;

// The parts of a derivation on the page, each under its source in TeX: the terms, and the reasons.
function typesetParts(shown) {
  const parts = new Map();
  for (const line of shown?.querySelectorAll(".derivation-line") ?? []) {
    const [term, reason] = line.dataset.row.split(" && ");
    parts.set(term, line.querySelector(".term .katex"));
    const words = line.querySelector(".reason")?.cloneNode(true);
    words?.querySelector(".tick").remove();
    words?.removeAttribute("class");
    if (words) parts.set(reason, words);
  }
  return parts;
}

class Panel {
  // `code` is the element with the source, `request` makes what the worker is asked.
  // With a certificate, `certificate` names its file and the claim that the page shows.
  constructor(code, place, display, request, certificate) {
    this.certificate = certificate;
    this.code = code;
    this.printed = code.textContent.replace(/\n$/, "");
    this.display = display;
    this.request = request;
    this.root = element("div", "check-panel");
    this.button = element("button", "check-button", "Check it in your browser");
    this.button.type = "button";
    this.restore = element("button", "check-button check-restore", "Restore the code");
    this.restore.type = "button";
    this.restore.hidden = true;
    this.status = element("p", "check-status");
    this.status.setAttribute("role", "status");
    this.progress = element("progress", "check-progress");
    this.progress.setAttribute("aria-label", "Loading Python");
    this.amount = element("span", "check-amount");
    this.loading = element("div", "check-loading");
    this.loading.append(this.progress, this.amount);
    this.loading.hidden = true;
    this.results = element("div", "check-results");
    this.root.append(this.button, this.restore, this.status, this.loading, this.results);
    place.after(this.root);
    if (certificate) {
      // The sentence takes the place that the answer will need, so that nothing below it moves.
      this.root.classList.add("check-instant");
      this.say("This theorem has a certificate: a proof in steps so small that a short program can check them here.");
    }
    this.button.addEventListener("click", () => (busy === this ? this.stop() : this.check()));
    this.restore.addEventListener("click", () => {
      this.editor.value = this.printed;
      this.follow();
      this.restore.hidden = true;
      this.editor.focus();
    });
  }

  // Put a field in the place of the printed code.
  edit() {
    if (this.editor) return;
    const { box, field, follow } = editorFor(this.printed, "The derivation in Python, which you can change");
    this.editor = field;
    this.follow = follow;
    field.addEventListener("input", () => (this.restore.hidden = field.value === this.printed));
    (this.code.closest("div[class*='highlight-']") ?? this.code.closest("div.highlight") ?? this.code).replaceWith(box);
  }

  get source() {
    return this.editor?.value ?? this.printed;
  }

  get asCertified() {
    return this.certificate !== undefined && this.source === this.printed;
  }

  async checkCertificate() {
    let found;
    this.button.textContent = "Checking";
    this.say("Checking.");
    try {
      found = await checkCertificate(this.certificate.file);
    } catch (error) {
      // What a checker refuses it names with its reason; anything else never came so far.
      const refused = error.name === "Refused";
      this.say(refused ? `The certificate was refused: ${error.message}.` : `Nothing was checked: ${error.message}. Try again, or reload the page.`);
      this.button.textContent = "Check it again";
      return;
    }
    this.button.textContent = "Check it again";
    const { hypotheses, conclusion, axioms } = this.certificate;
    const { milliseconds, steps, cited, lemmas } = found;
    const same = found.conclusion === conclusion && sameSet(found.hypotheses, hypotheses) && sameSet(found.axioms, axioms);
    if (!same) {
      this.say("The certificate holds, but it is not about what this page shows. It proves:");
      this.results.append(element("pre", "check-printed", [...found.hypotheses, `⊢ ${found.conclusion}`].join("\n")));
      return;
    }
    const time = milliseconds < 1 ? "less than a millisecond" : `${milliseconds.toFixed(0)} ms`;
    const given = `${count(hypotheses.length, "hypothesis", "hypotheses")} and ${count(axioms.length, "axiom")}`;
    const named = [cited && count(cited, "theorem"), lemmas && count(lemmas, "lemma")].filter(Boolean).join(" and ");
    const rests = named && `, with the ${named} cited,`;
    this.say(`Checked in your browser in ${time}: ${count(steps, "step")} from ${given}${rests} prove the statement as this page shows it.`);
  }

  // The answer is seen without scrolling: whole, or from its beginning.
  comeIntoView() {
    const { top, bottom, height } = this.root.getBoundingClientRect();
    if (bottom > innerHeight || top < 0) this.root.scrollIntoView({ block: height < innerHeight * 0.8 ? "nearest" : "start" });
  }

  // Only what is new: a live region that is written at every chunk would never fall silent.
  say(text) {
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  check() {
    this.results.replaceChildren();
    if (location.protocol === "file:") {
      this.say(FROM_A_FILE);
      return;
    }
    if (this.asCertified) {
      this.checkCertificate();
      return;
    }
    if (busy) {
      this.say("Another derivation is being checked: wait for it, or stop it.");
      return;
    }
    busy = this;
    this.button.textContent = "Stop";
    this.say(worker ? "Checking." : "Loading Python from this site.");
    if (!worker) {
      try {
        worker = new Worker(addressOf("check_worker.js"), { type: "module" });
      } catch (error) {
        this.breakOff(error.message);
        return;
      }
      this.expectMore();
    }
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.breakOff(event.message || "check_worker.js did not arrive");
    };
    worker.postMessage(this.request(this.source));
  }

  // A connection that stalls does not fail by itself.
  expectMore() {
    clearTimeout(patience);
    patience = setTimeout(() => this.breakOff("for a minute nothing has arrived from this site"), PATIENCE);
  }

  receive({ progress, starting, report, broken }) {
    if (progress) {
      this.expectMore();
      const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
      this.loading.hidden = false;
      this.progress.max = progress.total;
      this.progress.value = progress.loaded;
      this.amount.textContent = `${megabytes(progress.loaded)} of ${megabytes(progress.total)} MB`;
      this.say(`Loading ${progress.words} from this site.`);
    } else if (starting) {
      clearTimeout(patience);
      this.progress.removeAttribute("value");
      this.amount.textContent = "";
      this.say("Starting Python.");
    } else if (broken) {
      this.breakOff(broken);
    } else {
      this.end();
      this.show(report);
      this.settled?.(report);
      this.comeIntoView();
    }
  }

  end() {
    busy = undefined;
    clearTimeout(patience);
    this.loading.hidden = true;
    this.button.textContent = "Check it again";
    this.edit();
  }

  forgetPython() {
    if (!worker) return;
    worker.onmessage = worker.onerror = null; // what it has already sent is of no more interest
    worker.terminate();
    worker = undefined;
  }

  stop() {
    this.forgetPython();
    this.end();
    this.say("Stopped. Nothing was checked.");
  }

  breakOff(reason) {
    this.forgetPython();
    this.end();
    this.say(`Python could not be run here: ${reason.replace(/\.$/, "")}. Nothing was checked. Try again, or reload the page; on your own machine, “make test” checks every derivation.`);
  }

  show(report) {
    const { lines, failure, printed } = report;
    const parts = typesetParts(this.display);
    if (printed) this.results.append(element("pre", "check-printed", printed.trimEnd()));
    if (lines.length || failure?.text) {
      const list = element("ol", "check-lines");
      for (const line of lines) list.append(this.line(line, parts));
      if (failure?.text) list.append(this.failedLine(failure, parts));
      this.results.append(list);
      window.markScrolling?.(); // a long term scrolls, and the keyboard must reach it
    }
    if (failure && !failure.text) this.results.append(element("p", "check-message", failure.message));
    const place = failure?.place ? `, at line ${failure.place} of the code` : "";
    const seconds = `${report.seconds.toFixed(1)} s`;
    if (failure?.kind === "wrong") {
      this.say(`A line is false${place}. The numbers below refute it.`);
    } else if (failure?.kind === "code") {
      this.say(`The code does not run${place}.`);
    } else if (failure) {
      this.say(`Not proved${place}.`);
    } else if (report.mark) {
      this.say(`Every line proved in your browser, in ${seconds}: ${report.scope}.`);
      for (const text of report.assumptions) this.results.append(element("p", "check-message", `Taken for granted: ${text}.`));
    } else if (lines.length) {
      this.say("These lines were checked; a theorem needs “.qed()” at the end.");
    } else {
      this.say(`The code ran in your browser, in ${seconds}.`);
    }
  }

  line({ row, text, because, mark, symbol, word, method, scope }, parts) {
    const [term, reason] = row.split(" && ");
    const item = element("li", CLASSES[mark]);
    const sign = element("span", "check-mark", symbol);
    sign.setAttribute("aria-hidden", "true");
    const facts = element("span", "check-facts", `${word} · ${method} · ${scope}`);
    item.append(sign, this.term(parts.get(term), text), this.reason(parts.get(reason), because), facts);
    return item;
  }

  failedLine({ kind, message, text, because }) {
    const item = element("li", CLASSES[kind] ?? CLASSES.open);
    const sign = element("span", "check-mark", kind === "wrong" ? "✗" : "?");
    sign.setAttribute("aria-hidden", "true");
    const facts = element("span", "check-message", message);
    item.append(sign, this.term(undefined, text), this.reason(undefined, because), facts);
    return item;
  }

  term(typeset, text) {
    const box = element("span", "check-term");
    box.append(typeset ? typeset.cloneNode(true) : element("code", "", text));
    return box;
  }

  reason(typeset, because) {
    const box = element("span", "check-reason");
    box.append(typeset ? typeset.cloneNode(true) : because.replaceAll("$", ""));
    // In a display words do not break; here they have to, on a telephone.
    const words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) words.currentNode.data = words.currentNode.data.replaceAll("\u00a0", " ");
    return box;
  }
}

// The certificate of a derivation, and the claim that the build has put beside it.
function certificateOf(details) {
  const file = details.dataset.certificate;
  const shown = details.previousElementSibling;
  if (!file || !shown?.matches(".check-claim")) return undefined;
  const claims = [...shown.querySelectorAll("li > code")].map((code) => code.textContent);
  const axioms = [...shown.querySelectorAll("a[href*='#axiom-']")].map((link) => link.textContent);
  return { file, hypotheses: claims.slice(0, -1), conclusion: claims.at(-1), axioms };
}

function prepareChecks(part) {
  for (const details of part.querySelectorAll("details.check")) {
    let display = details.closest("details.checking")?.previousElementSibling;
    while (display && !display.matches("div.derivation")) display = display.previousElementSibling;
    const request = (source) => ({ source, module: details.dataset.module });
    const panel = new Panel(details.querySelector("pre"), details, display, request, certificateOf(details));
    details.addEventListener("toggle", () => details.open && panel.edit());
    panel.button.addEventListener("click", () => (details.open ||= !panel.asCertified));
  }
}
prepareChecks(document);
addEventListener("unfolded", ({ target }) => prepareChecks(target));

// An exercise that asks for a line of a derivation: its function is called with the reader's line.
for (const exercise of document.querySelectorAll("div.exercise")) {
  const codes = [...exercise.querySelectorAll("div.cell_input")].map((input) => [...input.querySelectorAll("pre")].map((pre) => pre.textContent).join("\n"));
  if (!codes.some((code) => code.includes("Derivation("))) continue;
  // What the code takes from cells before it, which the build has put beside it.
  const setup = exercise.querySelector("script.exercise-setup")?.textContent.replaceAll("<\\/", "</");
  const name = [...codes.join("\n").matchAll(/^def (\w+)\(/gm)].at(-1)?.[1];
  if (!name) continue;
  const stub = element("pre", "", `${name}(\n    # your line\n)`);
  exercise.append(stub);
  const earlier = [setup ?? "", ...codes];
  const panel = new Panel(stub, stub, undefined, (source) => ({ source, earlier }));
  panel.edit();
  panel.editor.setAttribute("aria-label", `Your answer: call ${name}`);
  panel.button.textContent = "Check";
  panel.settled = (report) => exercise.dispatchEvent(new CustomEvent("settled", { detail: { right: !report.failure } }));
}

// Cells tagged `verify` run after the ones before them on the page.
const cells = [];
for (const cell of document.querySelectorAll("div.cell.tag_verify")) {
  const earlier = [...cells];
  const input = cell.querySelector("div.cell_input");
  const request = (source) => ({ source, earlier: earlier.map((other) => other.source) });
  const panel = new Panel(input.querySelector("pre"), cell.lastElementChild, cell.querySelector("div.derivation"), request);
  panel.button.addEventListener("click", () => panel.edit());
  cells.push(panel);
}
