// Exercises: what is done is remembered in this browser, and code opens as a notebook.
// Everything can be read without this script.
"use strict";

(() => {
  const KEY = "mlnotes-done";
  const exercises = [...document.querySelectorAll("article div.exercise[id]")];
  const nameOf = (exercise) => `${location.pathname.split("/").slice(-2).join("/")}#${exercise.id}`;

  // A browser may refuse to remember; then nothing is done yet.
  function done() {
    try {
      return new Set(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
    } catch {
      return new Set();
    }
  }

  function remember(names) {
    try {
      localStorage.setItem(KEY, JSON.stringify([...names]));
    } catch {} // it is seen on this page, and forgotten with it
  }

  function mark(exercise, isDone) {
    const names = done();
    names[isDone ? "add" : "delete"](nameOf(exercise));
    remember(names);
    exercise.querySelector(".exercise-done input").checked = isDone;
    count();
  }

  const line = document.createElement("p");
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  const clear = document.createElement("button");
  clear.type = "button";
  clear.className = "check-button check-restore";
  clear.textContent = "Clear";
  line.className = "exercise-progress";
  line.append(said, " ", clear);

  function count() {
    const number = exercises.filter((exercise) => exercise.querySelector(".exercise-done input").checked).length;
    said.textContent = `${number} of ${exercises.length} exercises done, remembered in this browser.`;
    clear.hidden = number === 0;
  }

  const [download] = document.querySelectorAll(".page-links a[download]");
  const launch = [...document.querySelectorAll(".page-links a")].find((link) => link.textContent.trim() === "Colab");
  const before = done();
  for (const exercise of exercises) {
    const label = document.createElement("label");
    label.className = "exercise-done";
    const box = document.createElement("input");
    box.type = "checkbox";
    box.autocomplete = "off";
    box.checked = before.has(nameOf(exercise));
    label.append(box, " done");
    exercise.append(label);
    box.addEventListener("change", () => mark(exercise, box.checked));
    exercise.addEventListener("settled", ({ detail }) => detail.right && mark(exercise, true));
    const runs = exercise.querySelector("div.cell_input");
    const checked = exercise.querySelector(".check-panel");
    if (runs && !checked && (launch ?? download)) {
      const link = document.createElement("a");
      link.className = "exercise-notebook";
      link.href = (launch ?? download).href;
      if (!launch) link.download = "";
      link.textContent = "Open as notebook";
      label.before(link);
    }
  }
  if (exercises.length) {
    clear.addEventListener("click", () => exercises.forEach((exercise) => mark(exercise, false)));
    count();
    exercises[0].before(line);
  }
})();
