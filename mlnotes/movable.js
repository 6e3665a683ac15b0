// Points that a reader can move, as mlnotes.plot makes them: by dragging, or by number and two
// native sliders. The answer is computed anew at every move; until the first one, and without
// scripts, the page shows what Python computed.
"use strict";

(() => {
  const dot = ([a, b], [c, d]) => a * c + b * d;
  const minus = ([a, b], [c, d]) => [a - c, b - d];
  const square = (v) => dot(v, v);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const mean = (points) => [0, 1].map((axis) => sum(points.map((point) => point[axis])) / points.length);

  // The distance of 0 from the hull of some points, which is the best margin through the origin.
  function distanceFromHull(points) {
    const angles = points.map(([x, y]) => Math.atan2(y, x)).sort((a, b) => a - b);
    const gaps = angles.map((angle, k) => (angles[k + 1] ?? angles[0] + 2 * Math.PI) - angle);
    if (points.some((p) => square(p) === 0) || Math.max(...gaps) <= Math.PI) return 0; // 0 lies inside
    let least = Infinity;
    for (const p of points) {
      for (const q of points) {
        const way = minus(q, p);
        const t = square(way) ? Math.max(0, Math.min(1, -dot(p, way) / square(way))) : 0;
        least = Math.min(least, square([p[0] + t * way[0], p[1] + t * way[1]]));
      }
    }
    return Math.sqrt(least);
  }

  // Each takes what can be moved and what cannot, and says what to draw and to print.
  const methods = {
    perceptron(points, { labels, most }) {
      const margin = distanceFromHull(points.map(([a, b], i) => [labels[i] * a, labels[i] * b]));
      if (!margin) return { lines: [], words: "No line through the origin separates the classes: the run would never end." };
      let theta = [0, 0];
      let mistakes = 0;
      for (let before = -1; before < mistakes && mistakes < most; ) {
        before = mistakes;
        points.forEach((point, i) => {
          if (labels[i] * dot(theta, point) > 0) return;
          theta = [theta[0] + labels[i] * point[0], theta[1] + labels[i] * point[1]];
          mistakes += 1;
        });
      }
      const bound = Math.floor(Math.max(...points.map(square)) / margin ** 2 + 1e-9);
      const made = mistakes < most ? count(mistakes, "mistake") : `more than ${most} mistakes`;
      return { lines: [[...theta, 0]], words: `${made}; the theorem allows ${bound}, with the best margin ${margin.toFixed(3)}` };
    },

    least_squares(points) {
      const [x, y] = mean(points);
      const spread = sum(points.map((point) => (point[0] - x) ** 2));
      if (spread === 0) return { lines: [], words: "All points lie above one another: every slope fits as well." };
      const slope = sum(points.map((point) => (point[0] - x) * (point[1] - y))) / spread;
      const offset = y - slope * x;
      const error = sum(points.map((point) => (point[1] - slope * point[0] - offset) ** 2)) / points.length;
      return { lines: [[slope, -1, offset]], words: `slope ${slope.toFixed(2)}, intercept ${offset.toFixed(2)}, mean squared error ${error.toFixed(3)}` };
    },

    k_means(starts, { fixed }) {
      let centres = starts;
      let classes;
      for (let rounds = 0; ; rounds += 1) {
        classes = fixed.map((point) => {
          const squares = centres.map((centre) => square(minus(point, centre)));
          return squares.indexOf(Math.min(...squares));
        });
        const moved = centres.map((centre, k) => {
          const own = fixed.filter((_, i) => classes[i] === k);
          return own.length ? mean(own) : centre;
        });
        const still = moved.every((centre, k) => square(minus(centre, centres[k])) < 1e-20);
        centres = moved;
        if (still || rounds === 300) {
          const cost = sum(fixed.map((point, i) => square(minus(point, centres[classes[i]]))));
          return { lines: [], classes, ends: centres, words: `${count(rounds, "round")}, sum of squares ${cost.toFixed(3)}` };
        }
      }
    },

    threshold([[level]], { fixed, labels }) {
      const positive = labels.filter((label) => label > 0).length;
      const hits = fixed.filter(([score], i) => score > level && labels[i] > 0).length;
      const alarms = fixed.filter(([score], i) => score > level && labels[i] < 0).length;
      const right = hits + labels.length - positive - alarms;
      return { lines: [[1, 0, -level]], words: `${hits} of ${positive} positives found, ${alarms} of ${labels.length - positive} negatives with them: ${right} of ${labels.length} right` };
    },
  };

  function start(root) {
    root.dataset.ready = "";
    const given = JSON.parse(root.dataset.given);
    const { method, box, xlim, ylim } = given;
    const svg = root.querySelector("svg");
    const handles = [...svg.querySelectorAll(".mlnotes-handle")];
    const [drawnLines, drawnFixed, drawnEnds] = ["lines", "fixed", "ends"].map((name) => svg.querySelector(`.mlnotes-${name}`));
    const output = root.querySelector("output");
    const [chooser, across, up] = root.querySelectorAll("input");
    let points = given.points;
    let held;

    const limits = [xlim, ylim];
    const onPaper = ([x, y]) => [
      box[0] + ((x - xlim[0]) / (xlim[1] - xlim[0])) * box[2],
      box[1] + ((ylim[1] - y) / (ylim[1] - ylim[0])) * box[3],
    ];
    const rounded = (value, axis) => {
      const [low, high] = limits[axis];
      const inside = Math.max(low, Math.min(high, value));
      return low + (Math.round(((inside - low) / (high - low)) * 200) / 200) * (high - low);
    };

    function fromPaper({ clientX, clientY }) {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [xlim[0] + ((x - box[0]) / box[2]) * (xlim[1] - xlim[0]), ylim[1] - ((y - box[1]) / box[3]) * (ylim[1] - ylim[0])];
    }

    // The ends of the line ax + by + c = 0, far outside of the picture, which cuts them off.
    function ends([a, b, c]) {
      const foot = [(-a * c) / (a * a + b * b), (-b * c) / (a * a + b * b)];
      const far = (4 * (xlim[1] - xlim[0] + ylim[1] - ylim[0])) / Math.hypot(a, b);
      return [onPaper([foot[0] - b * far, foot[1] + a * far]), onPaper([foot[0] + b * far, foot[1] - a * far])];
    }

    function draw() {
      const { lines, words, classes, ends: centres } = methods[method](points, given);
      points.forEach((point, k) => handles[k].setAttribute("transform", `translate(${onPaper(point)})`));
      drawnLines.setAttribute("d", lines.map((line) => ends(line).map((end, k) => `${"ML"[k]}${end}`).join("")).join(""));
      if (classes) classes.forEach((k, i) => drawnFixed.children[i].setAttribute("fill", given.colours[k % given.colours.length]));
      if (centres) drawnEnds.setAttribute("d", centres.map((centre) => `M${onPaper(centre)}m-6-6l12 12m0-12l-12 12`).join(""));
      output.value = words;
    }

    function choose(k) {
      handles.forEach((handle, i) => handle.classList.toggle("mlnotes-chosen", i === k));
      chooser.value = k + 1;
      across.value = points[k][0];
      if (up) up.value = points[k][1];
      for (const [axis, field] of [across, up].entries()) {
        field?.setAttribute("aria-valuetext", `point ${k + 1} at ${points[k][axis].toFixed(2)}`);
      }
    }

    function move(k, place) {
      points = points.map((point, i) => (i === k ? [place[0], up ? place[1] : point[1]] : point));
      choose(k);
      draw();
    }

    const chosen = () => Math.max(0, Math.min(points.length - 1, Math.round(chooser.value) - 1));
    chooser.addEventListener("change", () => choose(chosen()));
    chooser.addEventListener("input", () => chooser.value && choose(chosen()));
    for (const [axis, field] of [across, up].entries()) {
      field?.addEventListener("input", () => move(chosen(), points[chosen()].with(axis, Number(field.value))));
    }
    root.querySelector("button").addEventListener("click", () => {
      points = given.points;
      choose(chosen());
      draw();
    });
    handles.forEach((handle, k) => {
      handle.addEventListener("pointerdown", (event) => {
        held = k;
        handle.setPointerCapture(event.pointerId);
        choose(k);
        event.preventDefault();
      });
      handle.addEventListener("pointermove", (event) => held === k && move(k, fromPaper(event).map(rounded)));
      for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => (held = undefined));
    });
    choose(0);
  }

  for (const root of document.querySelectorAll(".mlnotes-movable:not([data-ready])")) start(root);
})();
