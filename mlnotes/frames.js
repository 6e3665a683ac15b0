// Pictures with a slider, as mlnotes.plot makes them: a native range input, play, step and reset.
// The frames arrive at the first touch; until then, without scripts and on paper, some of them are
// on the page.
"use strict";

(() => {
  const arrived = (globalThis.mlnotesFrames ??= {});
  const loading = new Map();

  // What a page of the book keeps in a file of its own, a notebook has beside the picture.
  function framesOf(root) {
    const inside = root.querySelector("script.mlnotes-data");
    if (inside) return Promise.resolve(JSON.parse(inside.textContent));
    const { key, frames } = root.dataset;
    if (arrived[key]) return Promise.resolve(arrived[key]);
    if (!loading.has(key)) {
      // A script element, because browsers fetch nothing for pages that are opened as files.
      const script = document.createElement("script");
      const here = new Promise((resolve, reject) => {
        script.addEventListener("load", () => resolve(arrived[key]));
        script.addEventListener("error", () => {
          loading.delete(key);
          reject(new Error("The other pictures did not arrive: try again, or reload the page."));
        });
      });
      script.src = frames;
      loading.set(key, here);
      document.head.append(script);
    }
    return loading.get(key);
  }

  function start(root) {
    root.dataset.ready = "";
    const [range, output, screen] = ["input", "output", ".mlnotes-screen"].map((part) => root.querySelector(part));
    const [play, back, step, reset] = root.querySelectorAll("button");
    const last = Number(range.max);
    const beginning = range.value = range.defaultValue;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    let frames;
    let timer;

    function show() {
      if (!frames) return load();
      const k = Number(range.value);
      screen.innerHTML = frames.frames[k].map((part) => frames.parts[part]).join("\n");
      screen.firstElementChild.setAttribute("aria-label", `${root.dataset.alt} ${frames.titles[k]}`);
      root.classList.add("mlnotes-live");
      output.value = frames.words[k];
      range.setAttribute("aria-valuetext", frames.words[k]);
    }

    // A reader who only comes by loads the frames, and sees no change.
    async function load(then = show) {
      try {
        frames = await framesOf(root);
        then?.();
      } catch (error) {
        output.value = error.message;
      }
    }

    function go(k) {
      range.value = k;
      show();
    }

    function stop() {
      clearInterval(timer);
      timer = undefined;
      play.textContent = "Play";
      output.setAttribute("aria-live", "polite");
    }

    function toggle() {
      if (timer) {
        stop();
        show();
        return;
      }
      if (calm.matches) return;
      play.textContent = "Pause";
      output.setAttribute("aria-live", "off"); // a voice would not keep pace
      if (Number(range.value) === last) go(0);
      const pause = Math.max(150, Math.min(900, 12000 / last));
      timer = setInterval(() => {
        if (Number(range.value) >= last - 1 || calm.matches) stop();
        go(Math.min(Number(range.value) + 1, last));
      }, pause);
    }

    const byHand = (act) => () => {
      stop();
      act();
    };
    play.addEventListener("click", toggle);
    back.addEventListener("click", byHand(() => go(Number(range.value) - 1)));
    step.addEventListener("click", byHand(() => go(Number(range.value) + 1)));
    reset.addEventListener("click", byHand(() => go(beginning)));
    range.addEventListener("input", byHand(show));
    for (const touch of ["pointerdown", "focusin"]) {
      root.addEventListener(touch, () => load(null), { once: true });
    }
  }

  for (const root of document.querySelectorAll(".mlnotes-frames:not([data-ready])")) start(root);
})();
