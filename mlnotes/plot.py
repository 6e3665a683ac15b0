"""The book's figures: one style, readable on light and dark pages, the same bytes at every build.

Every function draws on the Axes it is given, or on new ones in the book's style, and returns them.
What a page shows is a :class:`Picture`, made from Axes by :func:`picture`: inline SVG in which
black stands for the colour of the text around it, white for that of the page, and the colours of
:data:`PALETTE` have one value for light pages and one for dark. Classes differ by shape as well as
by colour, curves by dash as well.

In a chapter, the last line of a cell is a picture with its description in words; myst-nb makes it
a numbered figure::

    ```{code-cell} ipython3
    ---
    mystnb:
      figure:
        name: fig-perceptron-line
        caption: The line after the last mistake.
    ---
    ax = plot.decision_regions(model, X, y)
    plot.picture(ax, alt="Two clouds of points and the line between them.")
    ```

Matplotlib is needed only here and comes with the extra ``mlnotes-book[plot]``.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import resources
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import _movable
from mlnotes.validation import (
    check_callable,
    check_count,
    check_flag,
    check_matrix,
    check_positive,
    check_scalar,
    check_vector,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "PALETTE",
    "Movable",
    "Picture",
    "convergence",
    "decision_regions",
    "hyperplane",
    "image",
    "movable",
    "new_axes",
    "number",
    "panels",
    "picture",
    "points",
    "slider",
    "stepper",
]

State = TypeVar("State")

PALETTE: Mapping[str, tuple[str, str]] = {
    "blue": ("#2953a5", "#3d7efc"),
    "orange": ("#e8540f", "#e56636"),
    "green": ("#2a9b7c", "#80e9c6"),
    "purple": ("#bf64e4", "#a868a3"),
    "yellow": ("#4f4200", "#ddc607"),
}
"""Each colour by name, on a light page and on a dark one.

All have a contrast of at least 3 with the page, and any two can be told apart with normal,
protanopic, deuteranopic and tritanopic sight; the tests compute both.
"""

_INK = "black"
_COLOURS = tuple(light for light, _ in PALETTE.values())
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "<", "p", "*")
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))

_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 11.0,
    "axes.titlesize": 11.0,
    "axes.prop_cycle": f"cycler('color', {list(_COLOURS)})",
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "none",
    "figure.constrained_layout.use": True,
    "savefig.facecolor": "none",
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "svg.fonttype": "path",
    # Without a salt matplotlib draws the ids of an SVG at random.
    "svg.hashsalt": "mlnotes",
}

_DARK_PAGES = (
    'html[data-theme="dark"]',
    'body[data-jp-theme-light="false"]',
    "body.vscode-dark",
)

# The theme puts a light box behind every HTML output on dark pages; these figures need none.
_STYLESHEET = (
    ",".join(f"{page} .mlnotes-picture" for page in _DARK_PAGES)
    + "{"
    + "".join(f"--mlnotes-{name}:{dark};" for name, (_, dark) in PALETTE.items())
    + "--mlnotes-paper:var(--pst-color-background,#121212)}"
    'html[data-theme="dark"] .bd-content div.cell_output .output.text_html:has(.mlnotes-picture)'
    "{background:none;color:inherit;padding:0}"
    ".mlnotes-picture svg{display:block;margin:0 auto;max-width:100%;height:auto}"
    ".mlnotes-panels{display:flex;margin:0 auto}"
    ".mlnotes-panels svg{flex:var(--part) 1 0;min-width:0}"
    "@media (max-width:36rem){.mlnotes-panels{flex-direction:column}.mlnotes-panels svg{flex:none}}"
)
# Without scripts and on paper the stills are there; with scripts the first of them until a reader
# touches the slider, and from then on the frame that he chose.
_FRAMES_STYLESHEET = (
    ".mlnotes-stills{display:grid;gap:1rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr))}"
    ".mlnotes-stills p{margin:.2rem 0 0;text-align:center}"
    ".mlnotes-controls{display:flex;flex-wrap:wrap;gap:.4rem .5rem;align-items:center;"
    "justify-content:center;margin:.5rem 0 0}"
    ".mlnotes-controls button{min-width:2.75rem;min-height:2.25rem;padding:.1rem .7rem;"
    "border:1px solid;border-radius:.3rem;background:none;color:inherit;font:inherit;"
    "cursor:pointer}"
    ".mlnotes-controls label{flex:1 1 14rem;display:flex;gap:.6rem;align-items:center;"
    "max-width:24rem;white-space:nowrap}"
    ".mlnotes-controls input{flex:1;min-width:0;height:2.25rem;margin:0;"
    "accent-color:var(--mlnotes-blue,#2953a5);cursor:pointer}"
    ".mlnotes-controls output{flex:1 0 100%;min-height:1.6em;text-align:center;"
    "font-variant-numeric:tabular-nums}"
    "@media screen{.mlnotes-stills{display:block}.mlnotes-stills p,"
    ".mlnotes-stills>:not(.mlnotes-start),.mlnotes-live>.mlnotes-stills{display:none}}"
    "@media screen and (scripting:none){.mlnotes-stills{display:grid}"
    ".mlnotes-stills p,.mlnotes-stills>:not(.mlnotes-start){display:block}"
    ".mlnotes-controls{display:none}}"
    "@media print{.mlnotes-screen,.mlnotes-controls{display:none}}"
    "@media (prefers-reduced-motion:reduce){.mlnotes-play{display:none}}"
)
_BUTTONS = '<button type="button" class="mlnotes-play">Play</button> ' + " ".join(
    f'<button type="button">{name}</button>' for name in ("Back", "Step", "Reset")
)
_STILLS = 4
_MOVABLE_STYLESHEET = (
    ".mlnotes-movable .mlnotes-controls label{flex:1 1 8rem;max-width:14rem}"
    ".mlnotes-movable .mlnotes-controls .mlnotes-number{flex:0 0 auto}"
    ".mlnotes-number input{width:4rem;border:1px solid;border-radius:.3rem;padding:0 .4rem;"
    "background:none;color:inherit;font:inherit}"
    ".mlnotes-movable>p{margin:.3rem 0 0;min-height:1.6em;text-align:center;"
    "font-variant-numeric:tabular-nums}"
    ".mlnotes-handle{cursor:grab;touch-action:none}"
    ".mlnotes-handle circle{fill:transparent}"
    ".mlnotes-chosen circle{stroke:currentColor;stroke-width:1.3}"
    "@media screen and (scripting:none){.mlnotes-handle{cursor:auto}}"
)
# The first markers of the classes as paths around 0, and what is moved in place of points.
_MARKER_PATHS = (
    "M4.5 0A4.5 4.5 0 1 1-4.5 0A4.5 4.5 0 1 1 4.5 0",
    "M0-5.2L5.2 4.4H-5.2Z",
    "M-4.2-4.2H4.2V4.2H-4.2Z",
)
_HANDLE = (
    'fill="var(--mlnotes-paper,#fff)" stroke="currentColor" stroke-width="2" d="M-6-6H6V6H-6Z"'
)


def _matplotlib() -> ModuleType:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError as error:
        raise ImportError(
            "mlnotes.plot draws with matplotlib, which is not installed; "
            "install the extra mlnotes-book[plot]"
        ) from error
    return matplotlib


def _style() -> AbstractContextManager[None]:
    context: AbstractContextManager[None] = _matplotlib().rc_context(_STYLE)
    return context


class Picture:
    """A figure as a page shows it, with its description in words.

    A notebook displays it by itself: as inline SVG that follows the page from light to dark,
    or as PDF where the output is LaTeX.

    Parameters
    ----------
    figures : sequence of matplotlib.figure.Figure
        One figure, or the frames of a stepper.
    alt : str
        What the picture shows, for those who do not see it.
    titles : sequence of str
        The names of the frames, if there are several.
    still : matplotlib.figure.Figure, optional
        What to print in LaTeX, if not the figure itself.
    readings : sequence of str
        What is printed beside each frame, if anything.
    label : str
        What the slider is called that chooses the frame.
    start : int, default=0
        The frame that is seen first.

    Examples
    --------
    >>> from mlnotes import plot
    >>> shown = plot.picture(plot.convergence({"error": [0.5, 0.2]}), alt="A falling curve.")
    >>> 'role="img" aria-label="A falling curve."' in shown.html()
    True
    """

    def __init__(
        self,
        figures: Sequence[Figure],
        alt: str,
        titles: Sequence[str] = (),
        still: Figure | None = None,
        *,
        readings: Sequence[str] = (),
        label: str = "step",
        start: int = 0,
    ) -> None:
        if not isinstance(alt, str):
            raise TypeError(f"alt must be a sentence that says what is shown, got {alt!r}")
        if not alt.strip():
            raise ValueError("alt is empty; say in a sentence what the picture shows")
        self.alt = alt
        self._figures = list(figures)
        self._titles = list(titles)
        self._readings = list(readings)
        self._label = label
        self._start = start
        self._still = self._figures[start] if still is None else still

    def __repr__(self) -> str:
        return f"Picture({self.alt!r})"

    @property
    def axes(self) -> list[Axes]:
        """The Axes of all figures, frame after frame."""
        return [ax for figure in self._figures for ax in figure.axes]

    def html(self) -> str:
        """Return the picture as HTML with inline SVG, which needs no outside file.

        Several frames bring a script along, and can be read without it.
        """
        if self._titles:
            return self._frames()
        return (
            f'<div class="mlnotes-picture"><style>{_STYLESHEET}</style>'
            f"{_inline(self._figures[0], self.alt)}</div>"
        )

    def _frames(self) -> str:
        """Return the stills, the controls, and the frames for the script that shows them."""
        bodies = [_body(figure) for figure in self._figures]
        key = _digest("".join(bodies) + self.alt)
        words = [
            ": ".join(said)
            for said in zip(self._titles, *filter(None, [self._readings]), strict=True)
        ]
        last = len(bodies) - 1
        chosen = {self._start, *np.linspace(0, last, _STILLS).round().astype(int).tolist()}
        stills: list[str] = []
        defined: set[str] = set()
        for k in sorted(chosen, key=lambda k: (k != self._start, k)):
            drawn = _with_shared_markers(_with_joined_shapes(bodies[k]))
            still = _described(_once(drawn, defined), f"{self.alt} {self._titles[k]}", f"s{key}-")
            first = ' class="mlnotes-start"' if k == self._start else ""
            stills.append(
                f'<div{first} style="order:{k}">{still}<p>{html.escape(words[k])}</p></div>'
            )
        drawn_apart = [_described(_with_shared_markers(body), "", f"f{key}-") for body in bodies]
        parts, frames = _blocks([drawing.split("\n") for drawing in drawn_apart])
        data = {"parts": parts, "frames": frames, "titles": self._titles, "words": words}
        shown = html.escape(words[self._start])
        group = html.escape(f"{self._titles[0]} to {self._titles[-1]}")
        return (
            f'<div class="mlnotes-picture mlnotes-frames" role="group" aria-label="{group}" '
            f'data-key="{key}" data-alt="{html.escape(self.alt)}">'
            f"<style>{_STYLESHEET}{_FRAMES_STYLESHEET}</style>"
            f'<div class="mlnotes-screen"></div><div class="mlnotes-stills">{"".join(stills)}</div>'
            f'<div class="mlnotes-controls"><label>{html.escape(self._label)}<input type="range" '
            f'min="0" max="{last}" value="{self._start}" aria-valuetext="{shown}" '
            f'autocomplete="off"></label><span>{_BUTTONS}</span>'
            f'<output aria-live="polite">{shown}</output></div>'
            f'<script type="application/json" class="mlnotes-data">{_json(data)}</script>'
            f'<script class="mlnotes-run">{_script("frames")}</script></div>'
        )

    def svg(self) -> str:
        """Return the still picture as a file of its own, dark on white."""
        source = _svg(self._still, facecolor="white")
        inside = source.index(">", source.index("<svg")) + 1
        return f"{source[:inside]}<title>{html.escape(self.alt)}</title>{source[inside:]}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/html": self.html(),
            "application/pdf": base64.b64encode(_pdf(self._still)).decode(),
            "text/plain": repr(self),
        }


class Movable(Picture):
    """Points that the reader can move, made by :func:`movable`.

    Parameters
    ----------
    ax : Axes
        Empty, with limits.
    alt : str
        What the picture shows, in words.
    method : str
        What is computed.
    problem : object
        The points and what this package answers to them.
    looks : mapping from label to a colour and a marker
        How each class is drawn.

    Attributes
    ----------
    reading : str
        What is printed beside the picture before a point is moved.

    Examples
    --------
    >>> from mlnotes import plot
    >>> shown = plot.movable("least_squares", [0, 1], [1, 3], alt="Two points and their line.")
    >>> shown.reading
    'slope 2.00, intercept 1.00, mean squared error 0.000'
    """

    def __init__(
        self,
        ax: Axes,
        alt: str,
        method: str,
        problem: _movable.Problem,
        looks: Mapping[Any, tuple[str, str]],
    ) -> None:
        super().__init__([cast("Figure", ax.figure)], alt)
        self.reading = problem.words
        self._method = method
        self._problem = problem
        self._looks = looks

    def html(self) -> str:
        """Return the picture as HTML with inline SVG, and the script that computes."""
        problem, (ax,) = self._problem, self.axes[:1]
        body = _body(self._figures[0])  # which lays the figure out
        place = ax.get_position()
        across, down = (72 * size for size in self._figures[0].get_size_inches())
        box = (place.x0 * across, (1 - place.y1) * down, place.width * across, place.height * down)
        colours = [f"var(--mlnotes-{name},{light})" for name, (light, _) in PALETTE.items()]
        given = {
            "method": self._method,
            "points": problem.points.tolist(),
            "fixed": problem.fixed.tolist(),
            "labels": problem.labels.tolist(),
            "most": _movable.MAX_MISTAKES,
            "box": [round(side, 2) for side in box],
            "xlim": ax.get_xlim(),
            "ylim": ax.get_ylim(),
            "colours": colours,
        }
        moved_in_both = self._method != "threshold"
        axes = zip(("→", "↑"), (ax.get_xlim(), ax.get_ylim()), problem.points[0], strict=True)
        fields = [
            f'<label>{arrow}<input type="range" min="{low:g}" max="{high:g}" '
            f'step="{(high - low) / 200:g}" value="{value:g}" aria-label="{arrow_name}"></label>'
            for (arrow, (low, high), value), arrow_name in zip(
                axes, ("from left to right", "from bottom to top"), strict=True
            )
        ]
        many = len(problem.points)
        return (
            f'<div class="mlnotes-picture mlnotes-movable" role="group" aria-label="Points to move"'
            f' data-given="{html.escape(_json(given))}">'
            f"<style>{_STYLESHEET}{_FRAMES_STYLESHEET}{_MOVABLE_STYLESHEET}</style>"
            f"{self._drawn(body, box, colours)}"
            f'<div class="mlnotes-controls"><label class="mlnotes-number">point'
            f'<input type="number" min="1" max="{many}" value="1"'
            f"{' disabled' if many == 1 else ''}></label>"
            f"{''.join(fields[: 1 + moved_in_both])}"
            '<span><button type="button">Reset</button></span></div>'
            f'<p><output aria-live="polite">{html.escape(self.reading)}</output></p>'
            f'<script class="mlnotes-run">{_script("movable")}</script></div>'
        )

    def _drawn(
        self, body: str, box: tuple[float, float, float, float], colours: Sequence[str]
    ) -> str:
        """Return the empty axes with lines and points in them."""
        problem, ax = self._problem, self.axes[0]
        left, top, across, down = box
        (low, high), (bottom, upper) = ax.get_xlim(), ax.get_ylim()

        def place(points: NDArray[np.float64]) -> list[tuple[str, str]]:
            x = left + (points[:, 0] - low) / (high - low) * across
            y = top + (upper - points[:, 1]) / (upper - bottom) * down
            return [(f"{a:.2f}", f"{b:.2f}") for a, b in zip(x, y, strict=True)]

        def mark(k: int, label: Any) -> str:
            colour, marker = self._looks.get(label, (_COLOURS[0], "o"))
            shown = colours[_COLOURS.index(colour)]
            return (
                f'fill="{shown}" d="{_MARKER_PATHS[_MARKERS.index(marker) % len(_MARKER_PATHS)]}"'
            )

        lines = ""
        far = 4 * (high - low + upper - bottom)
        for a, b, c in problem.lines:
            size = np.hypot(a, b)
            foot = np.array([-a * c, -b * c]) / size**2
            way = np.array([-b, a]) / size * far
            (x1, y1), (x2, y2) = place(np.array([foot + way, foot - way]))
            lines += f"M{x1},{y1}L{x2},{y2}"
        clusters = problem.classes
        fixed = "".join(
            f'<path transform="translate({x},{y})" '
            + (
                mark(k, problem.labels[k])
                if clusters is None
                else f'fill="{colours[clusters[k] % len(colours)]}" d="{_MARKER_PATHS[0]}"'
            )
            + "/>"
            for k, (x, y) in enumerate(place(problem.fixed))
        )
        ends = "".join(f"M{x},{y}m-6-6l12 12m0-12l-12 12" for x, y in place(problem.ends))
        own = len(problem.fixed) == 0 and len(problem.labels) == len(problem.points)
        handles = "".join(
            f'<g class="mlnotes-handle" transform="translate({x},{y})"><circle r="14"/>'
            f"<path {mark(k, problem.labels[k]) if own else _HANDLE}/></g>"
            for k, (x, y) in enumerate(place(problem.points))
        )
        clip = f"c{_digest(body + self.alt)}"
        drawn = (
            f'<clipPath id="{clip}"><rect x="{left:.2f}" y="{top:.2f}" width="{across:.2f}" '
            f'height="{down:.2f}"/></clipPath><g clip-path="url(#{clip})">'
            f'<path class="mlnotes-lines" fill="none" stroke="currentColor" stroke-width="1.8" '
            f'd="{lines}"/></g><g class="mlnotes-fixed">{fixed}</g>'
            f'<path class="mlnotes-ends" fill="none" stroke="currentColor" stroke-width="2.5" '
            f'd="{ends}"/>{handles}</svg>'
        )
        described = _described(body, self.alt, f"m{_digest(body + self.alt)}-")
        return described.removesuffix("</svg>") + drawn


def picture(ax: Axes | NDArray[Any], alt: str) -> Picture:
    """Turn the figure that holds these Axes into what a page shows.

    Parameters
    ----------
    ax : Axes or array of Axes
        What the functions of this module return.
    alt : str
        What the picture shows, in words.

    Returns
    -------
    Picture

    Examples
    --------
    >>> from mlnotes import plot
    >>> ax = plot.convergence({"error": [0.5, 0.2, 0.1]})
    >>> plot.picture(ax, alt="The error falls from a half to a tenth.")
    Picture('The error falls from a half to a tenth.')
    """
    first: Any = ax.flat[0] if isinstance(ax, np.ndarray) and ax.size else ax
    return Picture([cast("Figure", _axes(first).figure)], alt)


def number(value: float, form: str = "g") -> str:
    """Return a number as a sentence prints it, with a minus sign and a power of ten.

    Parameters
    ----------
    value : float
    form : str, default="g"
        How the built-in ``format`` writes it.

    Returns
    -------
    str

    Examples
    --------
    >>> from mlnotes.plot import number
    >>> number(-0.5), number(1.25e-8, ".1e"), number(3e-11, ".0e"), number(2e5, ".0e")
    ('−0.5', '1.2 · 10⁻⁸', '3 · 10⁻¹¹', '2 · 10⁵')
    """
    value = check_scalar(value, "value")
    try:
        written = format(value, form)
    except (TypeError, ValueError):
        message = f"form must say how to write a float, as '.1e' does, got {form!r}."
        raise ValueError(message) from None
    digits, e, exponent = written.replace("-", "−").partition("e")
    raised = exponent.translate(str.maketrans("0123456789−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ "))
    sign, power = raised[:1].strip(), raised[1:].lstrip("⁰") or "⁰"
    return f"{digits} · 10{sign}{power}" if e else digits


def new_axes(
    rows: int = 1, columns: int = 1, *, width: float = 6.0, height: float = 4.0, share: bool = False
) -> Any:
    """Return empty Axes in the book's style.

    They belong to a figure that pyplot does not know, so that no notebook shows it twice.

    Parameters
    ----------
    rows, columns : int, default=1
        How many.
    width, height : float
        Size of the whole figure in inches.
    share : bool, default=False
        Whether all have the same limits.

    Returns
    -------
    Axes, or array of Axes of shape (rows, columns) if there are several

    Examples
    --------
    >>> from mlnotes import plot
    >>> plot.new_axes(1, 3).shape
    (1, 3)
    """
    rows, columns = check_count(rows, "rows"), check_count(columns, "columns")
    width, height = check_positive(width, "width"), check_positive(height, "height")
    share = check_flag(share, "share")
    with _style():
        figure = _matplotlib().figure.Figure(figsize=(width, height))
        axes = figure.subplots(rows, columns, squeeze=False, sharex=share, sharey=share)
    return axes[0, 0] if axes.size == 1 else axes


def points(
    X: ArrayLike,
    y: ArrayLike,
    *,
    ax: Axes | None = None,
    names: Mapping[Any, str] | None = None,
    ring: ArrayLike | None = None,
    size: float = 36.0,
) -> Axes:
    """Draw labelled points in the plane, each class with a shape and a colour.

    Parameters
    ----------
    X : array-like of shape (n, 2)
        The points.
    y : array-like of shape (n,)
        Their labels.
    ax : Axes, optional
        Where to draw; new ones if left out.
    names : mapping from label to str, optional
        What the legend calls each class, in the order of shapes and colours; a class that has no
        point here keeps its own. Without it the sorted labels, and no legend.
    ring : array-like, optional
        Rows to encircle, as a mask or as indices: mistakes, outliers, support vectors.
    size : float, default=36.0
        Area of a marker in square points.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlnotes import data, plot
    >>> X, y = data.make_xor(random_state=0)
    >>> ax = plot.points(X, y, names={-1: "same sign", 1: "different sign"})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['same sign', 'different sign']
    """
    plane, size = _plane(X), check_positive(size, "size")
    labels, occurring = _sorted_labels(y, len(plane))
    names = _check_names(names)
    circled = None if ring is None else _rows(ring, plane)
    classes = _classes(occurring if names is None else list(names))
    strangers = set(labels.tolist()) - set(classes)
    if strangers:
        raise ValueError(f"names has no entry for the labels {sorted(strangers)}; add them")
    ax = _axes(ax)
    with _style():
        for label, (colour, marker) in classes.items():
            chosen = plane[labels == label]
            ax.scatter(
                chosen[:, 0],
                chosen[:, 1],
                s=size,
                color=colour,
                marker=marker,
                linewidths=0,
                label=str(label) if names is None else names[label],
                zorder=3,
            )
        if circled is not None:
            ax.scatter(
                circled[:, 0],
                circled[:, 1],
                s=4 * size,
                facecolors="none",
                edgecolors=_INK,
                linewidths=1.3,
                zorder=4,
            )
        if names is not None:
            ax.legend()
    return ax


def decision_regions(
    model: Any,
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    ax: Axes | None = None,
    names: Mapping[Any, str] | None = None,
    resolution: int = 200,
) -> Axes:
    """Tint the plane by what a fitted classifier predicts, and draw the points on it.

    Where a classifier of two classes has a ``decision_function``, the boundary is its zero line;
    otherwise regions follow ``predict`` on a grid.

    Parameters
    ----------
    model : object
        A fitted classifier of points in the plane.
    X : array-like of shape (n, 2)
        The points; they set the limits.
    y : array-like of shape (n,), optional
        Their labels; without them no points are drawn.
    ax : Axes, optional
        Where to draw; new ones if left out. Limits that were set before are kept.
    names : mapping from label to str, optional
        As for :func:`points`.
    resolution : int, default=200
        Points of the grid in each direction.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlnotes import data, plot
    >>> from mlnotes.perceptron import Perceptron
    >>> X, y, *_ = data.make_separable(40, margin=0.1, random_state=0)
    >>> ax = plot.decision_regions(Perceptron().fit(X, y), X, y)
    >>> ax.get_xlabel()
    '$x_1$'
    """
    plane = _plane(X)
    check_count(resolution, "resolution", at_least=2)
    names = _check_names(names)
    ax = _axes(ax)
    _frame(ax, plane)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    across = np.linspace(left, right, resolution)
    upward = np.linspace(bottom, top, resolution)
    grid = np.column_stack([values.ravel() for values in np.meshgrid(across, upward)])
    with _style():
        for k, (colour, score) in enumerate(_scores(model, grid, names)):
            level = score.reshape(resolution, resolution)
            if level.max() <= 0:
                continue
            ax.contourf(
                across, upward, level, levels=[0, np.inf], colors=[colour], alpha=0.22, zorder=0
            )
            # Every boundary belongs to two classes, so the first class has none of its own.
            if k > 0 and level.min() < 0:
                ax.contour(
                    across, upward, level, levels=[0], colors=[_INK], linewidths=1.2, zorder=1
                )
    if y is not None:
        points(plane, y, ax=ax, names=names)
    return ax


def hyperplane(
    theta: ArrayLike,
    intercept: float = 0.0,
    *,
    ax: Axes | None = None,
    margin: float | None = None,
    normal: bool = False,
    colour: str | None = None,
    label: str | None = None,
) -> Axes:
    """Draw the line ``<theta, x> + intercept = 0``, and on both sides of it its margin.

    Parameters
    ----------
    theta : array-like of shape (2,)
        Normal of the line.
    intercept : float, default=0.0
        Its offset.
    ax : Axes, optional
        Where to draw; new ones if left out. Their limits stay as they are.
    margin : float, optional
        Distance from the line at which to draw two dashed parallels.
    normal : bool, default=False
        Whether to draw ``theta`` as an arrow from the point of the line next to the origin.
    colour : str, optional
        A name of :data:`PALETTE`; the colour of the text if left out.
    label : str, optional
        For the legend.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlnotes import plot
    >>> ax = plot.hyperplane([1.0, -1.0], margin=0.2)
    >>> len(ax.lines)
    3
    """
    weights = check_vector(theta, 2, name="theta")
    length = float(np.linalg.norm(weights))
    if length == 0:
        raise ValueError("theta is zero and defines no line; fit the model first")
    ink = _colour(colour)
    unit = weights / length
    foot = -check_scalar(intercept, "intercept") / length * unit
    distances = [0.0]
    if margin is not None:
        distances += [check_scalar(margin, "margin"), -margin]
    ax = _axes(ax)
    limits = ax.get_xlim(), ax.get_ylim()
    with _style():
        for distance in distances:
            start = foot + distance * unit
            ax.axline(
                (start[0], start[1]),
                (start[0] - unit[1], start[1] + unit[0]),
                color=ink,
                linestyle="-" if distance == 0 else "--",
                linewidth=1.8 if distance == 0 else 1.0,
                label=label if distance == 0 else None,
                zorder=2,
            )
        if check_flag(normal, "normal"):
            ax.annotate(
                "",
                xy=tuple(foot + weights),
                xytext=tuple(foot),
                arrowprops={"arrowstyle": "->", "color": ink, "linewidth": 1.6},
                zorder=2,
            )
        if label is not None:
            ax.legend()
    ax.set(xlim=limits[0], ylim=limits[1])
    return ax


def convergence(
    curves: Mapping[str, ArrayLike],
    *,
    ax: Axes | None = None,
    bounds: Mapping[str, float] | None = None,
    log: bool = False,
    xlabel: str = "iteration",
    ylabel: str = "",
) -> Axes:
    """Draw how quantities develop, each curve with a colour and a dash, and what bounds them.

    Parameters
    ----------
    curves : mapping from str to array-like
        The values at iterations 0, 1, 2, … by name.
    ax : Axes, optional
        Where to draw; new ones if left out.
    bounds : mapping from str to float, optional
        Horizontal lines by name.
    log : bool, default=False
        Whether the vertical axis is logarithmic.
    xlabel, ylabel : str
        Names of the axes.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlnotes import plot
    >>> ax = plot.convergence({"loss": [1.0, 0.5, 0.25]}, bounds={"optimum": 0.0})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['loss', 'optimum']
    """
    if not isinstance(curves, Mapping) or not curves:
        raise ValueError("curves is empty or has no names; pass some, such as {'loss': values}")
    if not isinstance(bounds, Mapping | None):
        raise TypeError(f"bounds must map names to numbers, got {bounds!r}")
    ax = _axes(ax)
    looks = zip(itertools.cycle(_COLOURS), itertools.cycle(_DASHES), strict=True)
    with _style():
        for (name, values), (colour, dash) in zip(curves.items(), looks, strict=False):
            heights = check_vector(values, name=f"curves[{name!r}]")
            ax.plot(np.arange(len(heights)), heights, color=colour, linestyle=dash, label=name)
        for name, value in (bounds or {}).items():
            value = check_scalar(value, f"bounds[{name!r}]")
            ax.axhline(value, color=_INK, linewidth=1.0, linestyle=(0, (1, 2)), label=name)
        if check_flag(log, "log"):
            ax.set_yscale("log")
        ax.set(xlabel=xlabel, ylabel=ylabel)
        ax.legend()
    return ax


def image(pixels: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Draw a small image as squares of ink, the largest pixel darkest.

    Parameters
    ----------
    pixels : array-like of shape (height, width)
        The image, no pixel negative.
    ax : Axes, optional
        Where to draw; new ones if left out.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlnotes import data, plot
    >>> ax = plot.image(data.load_digits().images[0])
    >>> ax.axison
    False
    """
    values = check_matrix(pixels, name="pixels")
    if values.min() < 0:
        raise ValueError("pixels must not be negative; subtract their least value")
    ax = new_axes(width=2.0, height=2.0) if ax is None else _axes(ax)
    colours = _matplotlib().colors
    shades = [colours.to_rgba(_INK, opacity) for opacity in (0.0, 1.0)]
    fade = colours.LinearSegmentedColormap.from_list("ink", shades)
    with _style():
        ax.pcolormesh(values, cmap=fade, vmin=0, vmax=max(values.max(), 1e-300), edgecolors="none")
    ax.set_aspect("equal")
    ax.invert_yaxis()
    ax.axis("off")
    return ax


def panels(
    draw: Callable[[State, Axes], object],
    states: Sequence[State],
    *,
    titles: Sequence[str] | None = None,
    columns: int = 3,
    size: float = 2.4,
) -> NDArray[Any]:
    """Draw the states of an algorithm side by side, with common limits.

    Parameters
    ----------
    draw : callable
        Draws one state: ``draw(state, ax)``.
    states : sequence
        The states, in order.
    titles : sequence of str, optional
        One for each state; "step 0", "step 1", … if left out.
    columns : int, default=3
        Panels in a row.
    size : float, default=2.4
        Width and height of a panel in inches.

    Returns
    -------
    array of Axes of shape (n_states,)

    Examples
    --------
    >>> from mlnotes import plot
    >>> axes = plot.panels(lambda theta, ax: plot.hyperplane(theta, ax=ax), [[1, 0], [1, 1]])
    >>> [ax.get_title() for ax in axes]
    ['step 0', 'step 1']
    """
    check_callable(draw, "draw", takes="a state and Axes")
    names, size = _titles(titles, states), check_scalar(size, "size", above=0, most=1e3)
    columns = min(check_count(columns, "columns"), len(states))
    rows = -(-len(states) // columns)
    grid = new_axes(rows, columns, width=size * columns, height=size * rows, share=True)
    axes = np.ravel(np.asarray(grid, dtype=object))
    for ax, state, name in zip(axes, states, names, strict=False):
        draw(state, ax)
        with _style():
            ax.set_title(name)
        ax.tick_params(labelleft=True)  # a narrow page puts the panels below each other
    for ax in axes[len(states) :]:
        ax.remove()
    return axes[: len(states)]


def stepper(
    draw: Callable[[State, Any], object],
    states: Sequence[State],
    *,
    alt: str,
    titles: Sequence[str] | None = None,
    readings: Sequence[str] | None = None,
    label: str = "step",
    start: int = 0,
    rows: int = 1,
    columns: int = 1,
    width: float = 6.0,
    height: float = 4.0,
) -> Picture:
    """Show the states of an algorithm one at a time: slide to one, step, or let it play.

    The slider is the browser's own, works by keyboard and by touch, and tells a screen reader the
    state. Its frames are drawn here and loaded when the reader first touches it, so that forty of
    them cost the page nothing. Without scripts, and on paper, four states are shown.

    Parameters
    ----------
    draw : callable
        Draws one state: ``draw(state, ax)``. It should set the limits, lest they jump; what is the
        same in all frames is stored once.
    states : sequence
        The states, in order.
    alt : str
        What the pictures show, in words; the title of a state is added to its own.
    titles : sequence of str, optional
        One for each state; "step 0", "step 1", … if left out.
    readings : sequence of str, optional
        What is printed beside the slider, a quantity of each state: "3 mistakes of at most 25".
    label : str, default="step"
        What the slider is called.
    start : int, default=0
        Which of the states is shown first.
    rows, columns : int, default=1
        Axes of a picture; if there are several, ``draw`` is given an array of them, as
        :func:`new_axes` returns it.
    width, height : float
        Size of a picture in inches.

    Returns
    -------
    Picture

    Examples
    --------
    >>> from mlnotes import plot
    >>> plot.stepper(
    ...     lambda theta, ax: plot.hyperplane(theta, ax=ax),
    ...     [[1, 0], [1, 1]],
    ...     alt="A line that turns.",
    ... )
    Picture('A line that turns.')
    """
    check_callable(draw, "draw", takes="a state and Axes")
    names = _titles(titles, states)
    beside = [] if readings is None else _texts(readings, "readings", states)
    if not isinstance(label, str):
        raise TypeError(f"label must be the slider's name, got {label!r}")
    start = check_count(start, "start", at_least=0)
    if start >= len(states):
        raise ValueError(f"start must be one of the {len(states)} states, got {start}")
    frames = []
    for state in states:
        axes = new_axes(rows, columns, width=width, height=height)
        draw(state, axes)
        frames.append(np.ravel(np.asarray(axes, dtype=object))[0].figure)
    return Picture(frames, alt, names, readings=beside, label=label, start=start)


def slider(
    draw: Callable[[State, Any], object],
    states: Sequence[State],
    *,
    label: str,
    readings: Sequence[str],
    alt: str,
    titles: Sequence[str] | None = None,
    start: int = 0,
    rows: int = 1,
    columns: int = 1,
    width: float = 6.0,
    height: float = 4.0,
) -> Picture:
    """Show what a parameter does: a picture for each of its values, and a quantity beside it.

    It is a :func:`stepper` whose states are values of a parameter.

    Parameters
    ----------
    draw : callable
        Draws the picture of one value: ``draw(value, ax)``. It should set the limits.
    states : sequence
        The values, in order; forty make a smooth slider.
    label : str
        The parameter's name, such as "C".
    readings : sequence of str
        For each value the quantity that it changes, as it is printed beside the slider.
    alt : str
        What the pictures show, in words; the title of a value is added to its own.
    titles : sequence of str, optional
        One for each value; "C = 0.5" and so on if left out.
    start : int, default=0
        Which of the values is shown first.
    rows, columns : int, default=1
        Axes of a picture, as for :func:`stepper`.
    width, height : float
        Size of a picture in inches.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes import plot
    >>> X, y = np.array([-1.0, 0.0, 2.0]), np.array([-1.0, 0.5, 1.0])
    >>> penalties = np.linspace(0.0, 4.0, 9)
    >>> slopes = [X @ y / (X @ X + penalty) for penalty in penalties]
    >>> def draw(penalty, ax):
    ...     slope = X @ y / (X @ X + penalty)
    ...     ax.scatter(X, y)
    ...     ax.axline((0, 0), slope=slope)
    ...     ax.set(xlim=(-2, 3), ylim=(-2, 2))
    >>> plot.slider(
    ...     draw,
    ...     penalties,
    ...     label="λ",
    ...     readings=[f"slope {slope:.2f}" for slope in slopes],
    ...     alt="Three points and a line through the origin that lies down as λ grows.",
    ... )
    Picture('Three points and a line through the origin that lies down as λ grows.')
    """
    if titles is None:
        _titles(None, states)
        titles = [
            f"{label} = {state:g}" if isinstance(state, int | float) else f"{label} = {state}"
            for state in states
        ]
    if readings is None:
        raise TypeError("readings must say for each value what it changes, got None")
    return stepper(
        draw,
        states,
        alt=alt,
        titles=titles,
        readings=readings,
        label=label,
        start=start,
        rows=rows,
        columns=columns,
        width=width,
        height=height,
    )


def movable(
    method: str,
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    alt: str,
    handles: ArrayLike | None = None,
    names: Mapping[Any, str] | None = None,
    limits: tuple[float, float] | None = None,
    width: float = 5.0,
    height: float = 4.0,
) -> Movable:
    """Show points that the reader can move, and what a method answers to them.

    Points are dragged, or chosen by number and moved by two native sliders. The answer is computed
    in the browser at every move, and printed beside the picture; without scripts, and on paper, the
    picture shows what this package computes.

    Parameters
    ----------
    method : {"perceptron", "least_squares", "k_means", "threshold"}
        What to compute: the line through the origin of a run of the perceptron, and its mistakes
        against the bound; the line of least squares; the clusters to which chosen centres lead; or
        how many points lie on the right side of a threshold.
    X : array-like of shape (n, 2), or (n,) for a line of least squares and for scores
        The points.
    y : array-like of shape (n,), optional
        Labels -1 and +1, or the heights to which a line is fitted; k-means has none.
    alt : str
        What the picture shows, in words.
    handles : array-like, optional
        What is moved in place of the points: the centres of k-means at the start, of shape (k, 2),
        or the threshold.
    names : mapping from label to str, optional
        What the legend calls each class.
    limits : pair of float, optional
        Limits of both axes; around the points if left out.
    width, height : float
        Size of the picture in inches.

    Returns
    -------
    Picture

    Examples
    --------
    >>> from mlnotes import plot
    >>> shown = plot.movable(
    ...     "least_squares", [0, 1, 2, 3], [0, 1, 2, 9], alt="Four points and their line."
    ... )
    >>> shown.reading
    'slope 2.80, intercept -1.20, mean squared error 2.700'
    """
    if not isinstance(method, str) or method not in _movable.METHODS:
        raise ValueError(f"method must be one of {', '.join(_movable.METHODS)}, got {method!r}")
    problem = _movable.METHODS[method](X, y, handles)
    names = _check_names(names)
    ax = new_axes(width=width, height=height)
    everything = np.vstack([problem.points, problem.fixed])
    if limits is None:
        _frame(ax, everything)
        if method in ("least_squares", "threshold"):
            ax.set(xlabel="$x$", ylabel="$y$")
    else:
        low, high = (
            check_scalar(limit, "limits") for limit in check_vector(limits, 2, name="limits")
        )
        ax.set(xlim=(low, high), ylim=(low, high), xlabel="$x_1$", ylabel="$x_2$")
    if method == "threshold":
        ax.set(xlabel="score", ylabel="", yticks=[], ylim=(-0.5, 1.5))
    looks = _classes(sorted(set(problem.labels.tolist())) if names is None else list(names))
    strangers = set(problem.labels.tolist()) - set(looks)
    if strangers:
        raise ValueError(f"names has no entry for the labels {sorted(strangers)}; add them")
    if names is not None:
        with _style():
            for label, (colour, marker) in looks.items():
                ax.scatter([], [], color=colour, marker=marker, linewidths=0, label=names[label])
            ax.figure.legend(loc="outside upper center", ncols=len(looks))
    return Movable(ax, alt, method, problem, looks)


def _axes(ax: Axes | None) -> Axes:
    """Return the Axes given, or new ones."""
    if ax is not None and not (hasattr(ax, "get_xlim") and hasattr(ax, "figure")):
        raise TypeError(f"ax must be Axes, as plot.new_axes() returns them, got {ax!r}")
    return new_axes() if ax is None else ax


def _sorted_labels(y: ArrayLike, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the labels of ``n`` points, and those that occur in order."""
    try:
        labels = np.asarray(y)
        if labels.shape == (n,):
            return labels, np.unique(labels)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must hold labels that can be sorted: {error}") from error
    raise ValueError(f"y must hold one label for each of the {n} points, got shape {labels.shape}")


def _check_names(names: Mapping[Any, str] | None) -> Mapping[Any, str] | None:
    if not isinstance(names, Mapping | None):
        raise TypeError(f"names must map labels to what the legend calls them, got {names!r}")
    return names


def _rows(ring: ArrayLike, plane: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points that a mask or indices choose."""
    try:
        return np.atleast_2d(plane[np.asarray(ring)])
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(f"ring must be a mask or indices of the points: {error}") from error


def _plane(X: ArrayLike) -> NDArray[np.float64]:
    plane = check_matrix(X, owner="A drawing", squares=False)
    if plane.shape[1] != 2:
        raise ValueError(
            f"only points in the plane can be drawn, and X has {plane.shape[1]} features; "
            "choose two columns or project first"
        )
    return plane


def _classes(labels: Sequence[Any] | NDArray[Any]) -> dict[Any, tuple[str, str]]:
    if len(labels) > len(_MARKERS):
        raise ValueError(
            f"at most {len(_MARKERS)} classes have a shape of their own, got {len(labels)}; "
            "draw fewer at a time"
        )
    keys = labels.tolist() if isinstance(labels, np.ndarray) else labels
    looks = zip(itertools.cycle(_COLOURS), _MARKERS, strict=False)
    return dict(zip(keys, looks, strict=False))


def _frame(ax: Axes, plane: NDArray[np.float64]) -> None:
    """Give untouched Axes limits around the points and names."""
    if ax.get_autoscale_on():
        low, high = plane.min(axis=0), plane.max(axis=0)
        pad = 0.08 * np.where(high > low, high - low, 1.0)
        ax.set(xlim=(low[0] - pad[0], high[0] + pad[0]), ylim=(low[1] - pad[1], high[1] + pad[1]))
    with _style():
        ax.set(xlabel=ax.get_xlabel() or "$x_1$", ylabel=ax.get_ylabel() or "$x_2$")


def _scores(
    model: Any, grid: NDArray[np.float64], names: Mapping[Any, str] | None
) -> list[tuple[str, NDArray[np.float64]]]:
    """Return for each class its colour and a score that is positive where it is predicted."""
    if not hasattr(model, "classes_"):
        raise ValueError(f"{model!r} has no classes_; fit the model first, a classifier")
    looks = _classes(model.classes_ if names is None else list(names))
    strangers = set(model.classes_.tolist()) - set(looks)
    if strangers:
        raise ValueError(f"names has no entry for the labels {sorted(strangers)}; add them")
    colours = [looks[label][0] for label in model.classes_.tolist()]
    if hasattr(model, "decision_function"):
        values = model.decision_function(grid)
        if values.ndim == 1:
            return list(zip(colours, [-values, values], strict=True))
    predicted = model.predict(grid)
    return [
        (colour, np.where(predicted == label, 1.0, -1.0))
        for colour, label in zip(colours, model.classes_, strict=True)
    ]


def _titles(titles: Sequence[str] | None, states: Any) -> list[str]:
    if not (isinstance(states, Sequence) or np.ndim(states)):
        raise TypeError(f"states must be a sequence, got {states!r}")
    if len(states) == 0:
        raise ValueError("states is empty; pass at least one state to draw")
    if titles is None:
        return [f"step {k}" for k in range(len(states))]
    return _texts(titles, "titles", states)


def _texts(texts: Any, name: str, states: Sequence[Any]) -> list[str]:
    """Return one text for each state."""
    if not (isinstance(texts, Sequence) or np.ndim(texts)):
        raise TypeError(f"{name} must be a sequence, got {texts!r}")
    if len(texts) != len(states):
        raise ValueError(f"got {len(texts)} {name} for {len(states)} states; give one for each")
    return [str(text) for text in texts]


def _colour(name: str | None) -> str:
    if name is None:
        return _INK
    if not isinstance(name, str) or name not in PALETTE:
        raise ValueError(f"colour must be one of {', '.join(PALETTE)}, got {name!r}")
    return PALETTE[name][0]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _svg(figure: Figure, facecolor: str) -> str:
    buffer = io.StringIO()
    with _style():
        # The date and matplotlib's version would change the bytes from build to build.
        empty = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", facecolor=facecolor, metadata=empty)
    return buffer.getvalue()


def _pdf(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    with _style():
        empty = dict.fromkeys(("CreationDate", "Creator", "Producer"))
        figure.savefig(buffer, format="pdf", metadata=empty)
    return buffer.getvalue()


def _inline(figure: Figure, alt: str) -> str:
    """Return the figure as SVG that takes its colours from the page around it.

    Panels that stand side by side become elements of their own, which a narrow page puts below
    each other.
    """
    body = _with_shared_markers(_with_joined_shapes(_body(figure)))
    prefix = f"m{_digest(body + alt)}-"
    cuts = _cuts(figure)
    if not cuts:
        return _described(body, alt, prefix)
    # Every panel is a window on the one drawing, which the first of them contains.
    opening, inside = re.match(r"(<svg[^>]*>)(.*)</svg>$", body, re.DOTALL).groups()  # type: ignore[union-attr]
    width, height = 72 * figure.get_size_inches()
    edges = [0.0, *cuts, width]
    windows: list[str] = []
    for left, right in itertools.pairwise(edges):
        content = '<use href="#panels"/>' if windows else f'<g id="panels">{inside}</g>'
        window = re.sub(r' width="[^"]*"', f' width="{right - left:.2f}pt"', opening)
        box = f' viewBox="{left:.2f} 0 {right - left:.2f} {height:.2f}"'
        window = re.sub(r' viewBox="[^"]*"', f'{box} style="--part:{right - left:.0f}"', window)
        windows.append(_described(f"{window}{content}</svg>", "", prefix))
    joined = "".join(windows).replace('role="img" aria-label=""', 'aria-hidden="true"')
    return (
        f'<div class="mlnotes-panels" style="max-width:{width:.0f}pt" role="img" '
        f'aria-label="{html.escape(alt)}">{joined}</div>'
    )


def _cuts(figure: Figure) -> list[float]:
    """Return where vertical lines, in points, divide a figure between its panels."""
    whole = [figure._suptitle, figure._supxlabel, *figure.legends, *figure.texts]  # type: ignore[attr-defined]
    if len(figure.axes) < 2 or any(whole):
        return []
    resolution = figure.dpi
    figure.set_dpi(72)  # of SVG, for which the panels are laid out
    with _style():
        figure.draw_without_rendering()
        boxes = [box for ax in figure.axes if (box := ax.get_tightbbox()) is not None]
    figure.set_dpi(resolution)
    spans = sorted((float(box.x0), float(box.x1)) for box in boxes)
    cuts, end = [], spans[0][1]
    for left, right in spans[1:]:
        if left > end:
            cuts.append((left + end) / 2)
        end = max(end, right)
    return cuts


def _body(figure: Figure) -> str:
    """Return the figure as a lean SVG element with a line for each tag."""
    source = _svg(figure, facecolor="none")
    body = source[source.index("<svg") :]
    # A style element in inline SVG would apply to the whole page.
    body = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>|<!--.*?-->", "", body, flags=re.DOTALL)
    # A hundredth of a point is finer than any screen.
    places = r' (?:d|x|y)="[^"]*"|translate\([^)]*\)'
    body = re.sub(places, lambda place: re.sub(r"(\.\d\d)\d+", r"\1", place[0]), body)
    body = re.sub(r' d="[^"]*"', lambda path: re.sub(r"\s*([A-Zz])\s*", r"\1", path[0]), body)
    body = re.sub(r' d="M([^"A-KM-Zz]*)(z?)\s*"', _steps, body)
    body = re.sub(r' d="M([-\d. ]+(?:C[-\d. ]+){8})z"', _circle, body)
    # Of the place of a dot a tenth is enough.
    body = re.sub(r'(?<= )([xy])="(-?\d+\.\d+)"', lambda at: f'{at[1]}="{float(at[2]):.1f}"', body)
    body = re.sub(r"\s*\n\s*", "\n", body).replace("xlink:href", "href")
    body = _without_idle_groups(body.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', ""))
    body = body.replace("#000000", "currentColor").replace("#ffffff", "var(--mlnotes-paper,#fff)")
    for name, (light, _) in PALETTE.items():
        body = body.replace(light, f"var(--mlnotes-{name},{light})")
    return _with_joined_groups(_with_joined_cells(body.strip()))


# Cells of an image: rectangles without a line around them, each in a shade of the ink.
_CELLS = re.compile(
    r'(?:<path d="(?:[^"MLl]*M){1}[^"MLl]*l[^"]*" clip-path="[^"]*"'
    r'(?: style="(?:fill: none|fill-opacity: [\d.]+)")?/>\n){2,}'
)
_CELL = re.compile(r'<path d="([^"]*)" (clip-path="[^"]*"(?: style="([^"]*)")?)/>\n')


def _with_joined_cells(body: str) -> str:
    """Draw the cells of an image that have one shade as one path, and leave out the empty ones."""

    def join(cells: re.Match[str]) -> str:
        shades: dict[str, list[str]] = {}
        for place, look, style in _CELL.findall(cells[0]):
            if style != "fill: none":
                shades.setdefault(look, []).append(place)
        return "".join(f'<path d="{"z".join(ds)}" {look}/>\n' for look, ds in shades.items())

    return _CELLS.sub(join, body)


def _with_joined_groups(body: str) -> str:
    """Put what is cut off at the same edges and follows each other into one group."""
    kept: list[str] = []
    opened: list[str] = []
    closed = ""  # the group that ends with the line before
    for line in body.split("\n"):
        if line == closed and line.startswith("<g clip-path="):
            kept.pop()
            opened.append(line)
            closed = ""
            continue
        closed = opened.pop() if line == "</g>" else ""
        if line.startswith("<g"):
            opened.append(line)
        kept.append(line)
    return "\n".join(kept)


def _steps(line: re.Match[str]) -> str:
    """Write a broken line by its steps, which are shorter than places."""
    numbers = [[float(z) for z in place.split()] for place in line[1].split("L")]
    if len(numbers) < 3:
        return line[0]
    unit, places = 100, np.rint(100 * np.array(numbers))
    if len(places) > _MANY:
        places = places[_corners(places, _UNSEEN[unit] * unit)]
    if len(places) > _MANY:
        unit, places = 10, np.rint(places / 10)
        places = places[_corners(places, _UNSEEN[unit] * unit)]
    steps = [f"{step / unit:g}" for step in np.diff(places, axis=0).ravel().tolist()]
    along = re.sub(r"(?<!\d)0\.", ".", " ".join(steps)).replace(" -", "-")
    x, y = places[0].tolist()
    return f' d="M{x / unit:g} {y / unit:g}l{along}{line[2]}"'


# The edge of a region may have thousands of points, of which a screen shows few. Where many are
# left, as in a line that never runs smoothly, a tenth of a point is enough.
_MANY = 300
_UNSEEN = {100: 0.02, 10: 0.2}  # points, where places are written in hundredths and in tenths


def _circle(path: re.Match[str]) -> str:
    """Write a circle that is drawn by eight curves as two arcs, if it is one."""
    places = np.array(re.findall(r"-?[\d.]+", path[1]), dtype=float).reshape(-1, 2)
    if len(places) != 25:
        return path[0]
    ends = places[3::3]
    x, y = ends.mean(axis=0)
    radii = np.hypot(*(ends - [x, y]).T)
    r = radii.mean()
    if np.ptp(radii) > 0.03:
        return path[0]
    size = f"{r:.2f} {r:.2f} 0 1 0"
    return f' d="M{x - r:.2f} {y:.2f}a{size} {2 * r:.2f} 0a{size} {-2 * r:.2f} 0z"'


def _corners(places: NDArray[np.float64], unseen: float) -> list[int]:
    """Return which places of a broken line show, by the method of Douglas and Peucker."""
    shown = {0, len(places) - 1}
    parts = [(0, len(places) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first < 2:
            continue
        along = places[last] - places[first]
        away = places[first + 1 : last] - places[first]
        length = float(along @ along)
        share = np.clip(away @ along / length, 0, 1) if length else np.zeros(len(away))
        distances = np.linalg.norm(away - share[:, None] * along, axis=1)
        if distances.max() > unseen:
            middle = first + 1 + int(distances.argmax())
            shown.add(middle)
            parts += [(first, middle), (middle, last)]
    return sorted(shown)


# Shapes of one colour without a line around them, and points of one form, that follow each other.
_SHAPES = re.compile(
    r'<path d="[^"]*z"(?P<look>(?: clip-path="[^"]*")? style="fill: (?!none)[^";]*")/>'
    r'(?:\n<path d="[^"]*z"(?P=look)/>)+'
)
_CLOUD = re.compile(r'<use href="#([^"]+)" x=[^>]*/>(?:\n<use href="#\1" x=[^>]*/>){99,}')


def _with_joined_shapes(body: str) -> str:
    """Draw shapes of one colour as one path, and the points of a large cloud colour by colour.

    Points of a cloud are in no order. Frames keep all of them as they are, since what is the same
    in several of them is stored once.
    """

    def join(shapes: re.Match[str]) -> str:
        drawn = "".join(re.findall(r' d="([^"]*)"', shapes[0]))
        return f'<path d="{drawn}"{shapes["look"]}/>'

    def sort(cloud: re.Match[str]) -> str:
        styles: dict[str, list[str]] = {}
        for point in cloud[0].split("\n"):
            styles.setdefault(point.partition(" style=")[2], []).append(point)
        return "\n".join(itertools.chain(*styles.values()))

    return _CLOUD.sub(sort, _SHAPES.sub(join, body))


# Points of one form and style that follow each other.
_POINTS = re.compile(
    r'<use href="#(?P<form>[^"]+)" x="[^"]*" y="[^"]*" style="(?P<style>[^"]*)"/>'
    r'(?:\n<use href="#(?P=form)" x="[^"]*" y="[^"]*" style="(?P=style)"/>){2,}'
)


def _with_shared_markers(body: str) -> str:
    """Draw points that look alike as the marked corners of one invisible path.

    A page with a few scatter plots has thousands of elements otherwise.
    """
    seen: Counter[str] = Counter()

    def join(points: re.Match[str]) -> str:
        form, style = points["form"], points["style"]
        look = form + style
        seen[look] += 1
        name = f"k{_digest(f'{look}{seen[look]}')}"
        places = re.findall(r' x="([^"]*)" y="([^"]*)"', points[0])
        corners = "L".join(" ".join(place) for place in places)
        return (
            f'<marker id="{name}" overflow="visible" markerUnits="userSpaceOnUse">'
            f'<use href="#{form}" style="{style}"/></marker>\n'
            f'<path d="M{corners}" style="fill:none;stroke:none;marker:url(#{name})"/>'
        )

    return _POINTS.sub(join, body)


def _described(body: str, alt: str, prefix: str) -> str:
    """Return the element with its description, and with ids of its own.

    Ids are names for the whole page, and every figure has its own first marker.
    """
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", body)
    # Matplotlib leaves out the fill where it is black.
    described = (
        f'<svg role="img" aria-label="{html.escape(alt)}" fill="currentColor" '
        'stroke-linejoin="round" stroke-linecap="butt"'
    )
    return body.replace("<svg", described, 1)


def _once(body: str, defined: set[str]) -> str:
    """Leave out the definitions that an earlier figure of the group has, and remember the rest."""

    def judge(element: re.Match[str]) -> str:
        known = element[2] in defined
        defined.add(element[2])
        return "" if known else element[0]

    body = re.sub(
        r'<(path|clipPath|marker) id="([^"]+)"(?:[^>]*/>|.*?</\1>)\n?', judge, body, flags=re.DOTALL
    )
    return re.sub(r"<defs>\s*</defs>\n?", "", body)


def _blocks(frames: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Return the pieces that frames are made of, each once, and of which pieces each frame is made.

    Lines that always follow each other are one piece.
    """
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for frame in frames:
        for line, following in itertools.pairwise(("", *frame, "")):
            after.setdefault(line, set()).add(following)
            before.setdefault(following, set()).add(line)
    places: dict[str, int] = {}
    made = []
    for frame in frames:
        pieces: list[list[str]] = []
        for previous, line in itertools.pairwise(("", *frame)):
            if previous and before[line] == {previous} and after[previous] == {line}:
                pieces[-1].append(line)
            else:
                pieces.append([line])
        made.append([places.setdefault("\n".join(piece), len(places)) for piece in pieces])
    return list(places), made


def _json(data: object) -> str:
    """Return data as they may stand inside a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("<!--", "<\\u0021--")


def _script(name: str) -> str:
    return resources.files("mlnotes").joinpath(f"{name}.js").read_text(encoding="utf-8")


def _without_idle_groups(svg: str) -> str:
    """Drop the names that nothing refers to, and the groups that then do nothing."""
    wanted = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda name: name[0] if name[1] in wanted else "", svg)
    svg = re.sub(r"<g\b[^>]*/>\n?", "", svg)  # an axis without ticks
    kept: list[bool] = []

    def judge(tag: re.Match[str]) -> str:
        if tag[0].startswith("<g"):
            kept.append(tag[0].strip() != "<g>")
            return tag[0] if kept[-1] else ""
        return tag[0] if kept.pop() else ""

    return re.sub(r"<g\b[^>]*>\n?|</g>\n?", judge, svg)
