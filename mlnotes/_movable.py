"""What the pictures with movable points show before a point is moved, computed by the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import Array, check_matrix, check_signs, check_vector

# A run of the perceptron with so many mistakes is broken off.
MAX_MISTAKES = 10_000


class Problem(NamedTuple):
    """The points that can be moved, those that cannot, and the answer to them.

    A line (a, b, c) has the points with ax + by + c = 0; ``classes`` are the clusters of the points
    that cannot be moved, and ``ends`` the places to which centres move.
    """

    points: Array
    fixed: Array
    labels: NDArray[np.int64]
    words: str
    lines: list[tuple[float, float, float]] = []  # noqa: RUF012
    classes: NDArray[np.intp] | None = None
    ends: Array = np.empty((0, 2))


def _points(X: ArrayLike) -> Array:
    points = check_matrix(X, owner="A picture")
    if points.shape[1] != 2:
        raise ValueError(f"X must hold points in the plane, and has {points.shape[1]} features")
    return points


def _labels(y: ArrayLike | None, n: int) -> NDArray[np.int64]:
    if y is None:
        raise ValueError("y is missing: pass a label -1 or +1 for each point")
    return check_signs(y, n).astype(np.int64)


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def perceptron(X: ArrayLike, y: ArrayLike | None, handles: ArrayLike | None) -> Problem:
    """Return the line of a run through the origin, and its mistakes against the bound."""
    from mlnotes import perceptron as pc

    points = _points(X)
    labels = _labels(y, len(points))
    margin, _ = pc.maximum_margin(points, labels)
    if not margin > 0:
        words = "No line through the origin separates the classes: the run would never end."
        return Problem(points, np.empty((0, 2)), labels, words)
    theta, mistakes = pc.perceptron(points, labels, max_iter=MAX_MISTAKES)
    bound = int(pc.novikoff_bound(pc.radius(points), margin) + 1e-9)
    few = len(mistakes) < MAX_MISTAKES
    made = _count(len(mistakes), "mistake") if few else f"more than {MAX_MISTAKES} mistakes"
    words = f"{made}; the theorem allows {bound}, with the best margin {margin:.3f}"
    return Problem(points, np.empty((0, 2)), labels, words, [(theta[0], theta[1], 0.0)])


def least_squares(X: ArrayLike, y: ArrayLike | None, handles: ArrayLike | None) -> Problem:
    """Return the line of least squares, with its error."""
    from mlnotes.least_squares import least_squares as solve

    across = check_vector(X, name="X")
    if y is None:
        raise ValueError("y is missing: pass a height for each point")
    heights = check_vector(y, len(across), name="y")
    points = np.column_stack([across, heights])
    labels = np.ones(len(points), dtype=np.int64)
    if len(points) == 0 or np.ptp(across) == 0:
        raise ValueError("X must hold at least two different places: every slope fits one of them")
    slope, offset = solve(np.column_stack([across, np.ones(len(across))]), heights)
    error = float(np.mean((heights - slope * across - offset) ** 2))
    words = f"slope {slope:.2f}, intercept {offset:.2f}, mean squared error {error:.3f}"
    return Problem(points, np.empty((0, 2)), labels, words, [(slope, -1.0, offset)])


def k_means(X: ArrayLike, y: ArrayLike | None, handles: ArrayLike | None) -> Problem:
    """Return the clusters to which centres lead, and their sum of squares."""
    from mlnotes.clustering import lloyd

    fixed = _points(X)
    if handles is None:
        raise ValueError("handles is missing: pass the centres at the start")
    starts = check_matrix(handles, name="handles")
    if starts.shape[1] != 2:
        raise ValueError(f"handles must be points in the plane, got shape {starts.shape}")
    rounds, centres = 0, starts
    while rounds < 300:
        moved, _ = lloyd(fixed, centres, max_iter=1)
        if np.allclose(moved, centres, rtol=0, atol=1e-10):
            break
        rounds, centres = rounds + 1, moved
    ends, classes = lloyd(fixed, centres, max_iter=1)
    cost = float(((fixed - ends[classes]) ** 2).sum())
    words = f"{_count(rounds, 'round')}, sum of squares {cost:.3f}"
    labels = np.ones(len(fixed), dtype=np.int64)
    return Problem(starts, fixed, labels, words, [], classes, ends)


def threshold(X: ArrayLike, y: ArrayLike | None, handles: ArrayLike | None) -> Problem:
    """Return how many scores lie on the right side of a threshold."""
    scores = check_vector(X, name="X")
    labels = _labels(y, len(scores))
    if handles is None:
        raise ValueError("handles is missing: pass the threshold at the start")
    (level,) = check_vector(np.atleast_1d(np.asarray(handles)), 1, name="handles")
    found = scores > level
    positive = int((labels > 0).sum())
    hits, alarms = int((found & (labels > 0)).sum()), int((found & (labels < 0)).sum())
    negative = len(scores) - positive
    right = hits + negative - alarms
    words = (
        f"{hits} of {positive} positives found, {alarms} of {negative} negatives with them: "
        f"{right} of {len(scores)} right"
    )
    fixed = np.column_stack([scores, labels > 0]).astype(float)
    return Problem(np.array([[level, 0.5]]), fixed, labels, words, [(1.0, 0.0, -level)])


METHODS: Mapping[str, Callable[[ArrayLike, ArrayLike | None, ArrayLike | None], Problem]] = {
    "perceptron": perceptron,
    "least_squares": least_squares,
    "k_means": k_means,
    "threshold": threshold,
}
