r"""Gradient descent: how far a step may go, and how fast it arrives.

A step :math:`\theta-\eta\nabla f(\theta)` lowers :math:`f` as long as :math:`\eta` is small against
the curvature. If the gradient is Lipschitz with constant :math:`L` and :math:`\eta\le1/L`, then
after :math:`k` steps a convex :math:`f` is within
:math:`\lVert\theta^{(0)}-\theta^*\rVert^2/2\eta k` of its minimum
(:func:`smooth_convex_bound`), and a strongly convex one approaches it geometrically
(:func:`strongly_convex_bound`). Without a gradient, subgradients do, more slowly
(:func:`subgradient_bound`); and where :math:`f` is a sum over examples, one of them at a time is
enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._numerics import norm
from mlnotes.validation import (
    Array,
    check_callable,
    check_count,
    check_flag,
    check_matrix,
    check_numbers,
    check_positive,
    check_random_state,
    check_scalar,
    check_target,
    check_vector,
)

__all__ = [
    "SGD",
    "Descent",
    "GradientDescent",
    "gradient_descent",
    "sgd",
    "smooth_convex_bound",
    "steepest_direction",
    "step_schedule",
    "strongly_convex_bound",
    "subgradient_bound",
    "subgradient_descent",
]

Function = Callable[[Array], float]
Gradient = Callable[[Array], Array]
Schedule = Callable[[int], float]
# The share of the descent promised at first order that backtracking asks for.
ARMIJO = 0.5


def gradient_descent(
    gradient: Gradient,
    start: ArrayLike,
    rate: float,
    n_steps: int,
) -> Array:
    r"""Take steps of a fixed rate against the gradient and return where they lead.

    Parameters
    ----------
    gradient : callable
        Takes an array of shape (d,) and returns one.
    start : array-like of shape (d,)
        :math:`\theta^{(0)}`.
    rate : float
        The step size :math:`\eta`, positive.
    n_steps : int
        How many steps to take.

    Returns
    -------
    ndarray of shape (n_steps + 1, d)
        The path, the start first.

    Examples
    --------
    >>> gradient_descent(lambda theta: 2 * theta, [1.0], rate=0.25, n_steps=3).ravel().tolist()
    [1.0, 0.5, 0.25, 0.125]
    """
    check_callable(gradient, "gradient", takes="a point")
    theta = check_vector(start, name="start")
    rate = check_positive(rate, "rate")
    path = [theta]
    for _ in range(check_count(n_steps, "n_steps", at_least=0)):
        theta = theta - rate * gradient(theta)
        path.append(theta)
    return np.array(path)


def subgradient_descent(
    f: Function,
    subgradient: Gradient,
    start: ArrayLike,
    rates: Iterable[float],
) -> tuple[Array, Array]:
    r"""Follow subgradients and keep the best point, since a step may also lead up.

    Parameters
    ----------
    f : callable
        Takes an array of shape (d,) and returns a number.
    subgradient : callable
        Takes the same array and returns a subgradient of the same shape.
    start : array-like of shape (d,)
        :math:`\theta^{(0)}`.
    rates : iterable of float
        The steps :math:`\eta_1,\eta_2,\dots`, one for each iteration, all of them positive.

    Returns
    -------
    best : ndarray of shape (d,)
        The point with the least value.
    values : ndarray of shape (n_steps + 1,)
        The least value so far, the start first.

    Examples
    --------
    >>> import numpy as np
    >>> best, values = subgradient_descent(lambda x: abs(x[0]), np.sign, [1.0], [0.75, 0.5])
    >>> best.tolist(), values.tolist()
    ([0.25], [1.0, 0.25, 0.25])
    """
    check_callable(f, "f", takes="a point")
    check_callable(subgradient, "subgradient", takes="a point")
    given = list(rates) if np.iterable(rates) else rates
    theta = best = check_vector(start, name="start")
    values = [f(theta)]
    for rate in check_numbers(check_vector(given, name="rates"), "rates", above=0):
        theta = theta - rate * subgradient(theta)
        value = f(theta)
        if value < values[-1]:
            best = theta
        values.append(min(value, values[-1]))
    return best, np.array(values)


def sgd(
    gradient: Callable[[Array, int], Array],
    start: ArrayLike,
    n: int,
    schedule: Schedule,
    n_epochs: int,
    random_state: int | np.random.Generator | None = None,
) -> Array:
    r"""Take a step for one example after the other, in a new random order in each epoch.

    Parameters
    ----------
    gradient : callable
        Takes the weights and the number of an example, and returns the gradient of its share of
        the objective.
    start : array-like of shape (d,)
        :math:`\theta^{(0)}`.
    n : int
        The number of examples.
    schedule : callable
        The rate of step k, counted from 1; see :func:`step_schedule`.
    n_epochs : int
        How often every example is visited.
    random_state : int, Generator or None
        What the orders are drawn from.

    Returns
    -------
    ndarray of shape (n_epochs + 1, d)
        The weights after each epoch, the start first.

    Examples
    --------
    >>> points = [1.0, 3.0]
    >>> path = sgd(
    ...     lambda theta, i: theta - points[i], [0.0], 2, step_schedule("inverse"), 1, 0
    ... )
    >>> path.ravel().tolist()
    [0.0, 2.0]
    """
    takes = "the weights and the number of an example"
    check_callable(gradient, "gradient", takes)
    check_callable(schedule, "schedule", "the number of a step")
    theta = check_vector(start, name="start")
    n, rng = check_count(n, "n"), check_random_state(random_state)
    path, k = [theta], 0
    for _ in range(check_count(n_epochs, "n_epochs", at_least=0)):
        for i in rng.permutation(n):
            k += 1
            theta = theta - schedule(k) * gradient(theta, i)
        path.append(theta)
    return np.array(path)


def step_schedule(
    kind: Literal["constant", "inverse", "root"],
    rate: float = 1.0,
    delay: float = 0.0,
) -> Schedule:
    r"""Return the rate of step k: :math:`a`, :math:`a/(b+k)` or :math:`a/\sqrt{b+k}`.

    The second satisfies the conditions of Robbins and Monro, :math:`\sum\eta_k=\infty` and
    :math:`\sum\eta_k^2<\infty`. The third violates the second of them and is often better: what
    :func:`subgradient_bound` needs is only :math:`\sum\eta_k^2/\sum\eta_k\to0`.

    Parameters
    ----------
    kind : {"constant", "inverse", "root"}
        How the rate falls.
    rate : float
        :math:`a`.
    delay : float
        :math:`b`, which keeps the first rates from being much larger than the rest.

    Returns
    -------
    callable
        Takes k = 1, 2, … and returns the rate.

    Examples
    --------
    >>> [step_schedule("inverse", 1.0, delay=1)(k) for k in (1, 2, 3)]
    [0.5, 0.3333333333333333, 0.25]
    """
    a = check_positive(rate, "rate")
    b = check_scalar(delay, "delay", least=0)
    schedules: dict[str, Schedule] = {
        "constant": lambda k: a,
        "inverse": lambda k: a / (b + k),
        "root": lambda k: a / math.sqrt(b + k),
    }
    if not isinstance(kind, str) or kind not in schedules:
        known = ", ".join(schedules)
        raise ValueError(f"kind must be one of {known}, got {kind!r}.")
    return schedules[kind]


def steepest_direction(gradient: ArrayLike) -> Array:
    r"""Return the unit vector along which a function falls fastest: :math:`-g/\lVert g\rVert`.

    By the inequality of Cauchy and Schwarz no unit vector has a smaller inner product with the
    gradient.

    Parameters
    ----------
    gradient : array-like of shape (d,)
        The gradient :math:`g`, which must not vanish.

    Returns
    -------
    ndarray of shape (d,)
        The direction.

    Examples
    --------
    >>> steepest_direction([3.0, 4.0]).tolist()
    [-0.6, -0.8]
    """
    g = check_vector(gradient, name="gradient")
    length = norm(g)
    if length == 0:
        raise ValueError("gradient is zero: at a stationary point no direction is steepest.")
    return -(g / length)


# ---------------------------------------------------------------------- bounds


def smooth_convex_bound(distance: float, rate: float, n_steps: int) -> float:
    r"""Return :math:`\lVert\theta^{(0)}-\theta^*\rVert^2/2\eta k`, what k steps may still miss.

    It holds for a convex function whose gradient is Lipschitz with constant :math:`L` and for
    :math:`\eta\le1/L`.

    Parameters
    ----------
    distance : float
        From the start to a minimiser.
    rate : float
        The step size.
    n_steps : int
        The number of steps.

    Returns
    -------
    float
        A bound on :math:`f(\theta^{(k)})-f(\theta^*)`.

    Examples
    --------
    >>> smooth_convex_bound(2.0, 0.5, 8)
    0.5
    """
    distance = check_scalar(distance, "distance", least=0)
    return (
        distance * distance / (2.0 * check_positive(rate, "rate") * check_count(n_steps, "n_steps"))
    )


def strongly_convex_bound(gap: float, smoothness: float, convexity: float, n_steps: int) -> float:
    r"""Return :math:`(1-\mu/L)^k` times the first gap, what k steps of rate 1/L may still miss.

    Parameters
    ----------
    gap : float
        :math:`f(\theta^{(0)})-f(\theta^*)`.
    smoothness : float
        The Lipschitz constant :math:`L` of the gradient.
    convexity : float
        The constant :math:`\mu` of strong convexity, which is at most :math:`L`.
    n_steps : int
        The number of steps.

    Returns
    -------
    float
        A bound on :math:`f(\theta^{(k)})-f(\theta^*)`.

    Examples
    --------
    >>> strongly_convex_bound(8.0, smoothness=2.0, convexity=1.0, n_steps=3)
    1.0
    """
    L, mu = check_positive(smoothness, "smoothness"), check_positive(convexity, "convexity")
    if mu > L:
        raise ValueError(f"convexity ({mu:g}) cannot exceed smoothness ({L:g}).")
    gap = check_scalar(gap, "gap", least=0)
    return float(gap * (1.0 - mu / L) ** check_count(n_steps, "n_steps", at_least=0))


def subgradient_bound(distance: float, lipschitz: float, rates: ArrayLike) -> float:
    r"""Return :math:`(\lVert\theta^{(0)}-\theta^*\rVert^2+G^2\sum\eta_i^2)/2\sum\eta_i`.

    For a convex function whose subgradients are no longer than :math:`G` the best of the points is
    no further above the minimum; with stochastic subgradients this holds in expectation.

    Parameters
    ----------
    distance : float
        From the start to a minimiser.
    lipschitz : float
        :math:`G`.
    rates : array-like of shape (k,)
        The steps :math:`\eta_i`.

    Returns
    -------
    float
        The bound.

    Examples
    --------
    >>> subgradient_bound(1.0, 1.0, [0.5, 0.5])
    0.75
    """
    distance = check_scalar(distance, "distance", least=0)
    steps = np.atleast_1d(check_numbers(rates, "rates", above=0))
    G = check_scalar(lipschitz, "lipschitz", least=0)
    squares = G * G * float((steps**2).sum())
    return float((distance * distance + squares) / (2.0 * steps.sum()))


# ---------------------------------------------------------------------- optimisers


class Descent(NamedTuple):
    """Where an optimiser arrived, and how.

    Attributes
    ----------
    x : ndarray of shape (d,)
        The last point.
    values : ndarray of shape (n_iter + 1,)
        The objective along the way, the start first.
    gradient_norm : float
        The length of the gradient at the last point.
    n_iter : int
        The number of steps.
    reason : str
        Why it stopped: ``"gradient"``, ``"iterations"``, ``"stalled"`` or ``"diverged"``.

    Examples
    --------
    >>> found = GradientDescent().minimise(lambda x: x @ x, lambda x: 2 * x, [3.0])
    >>> found.reason, found.n_iter
    ('gradient', 1)
    """

    x: Array
    values: Array
    gradient_norm: float
    n_iter: int
    reason: str


class GradientDescent:
    r"""Gradient descent with a fixed rate, or with steps that are halved until they descend enough.

    A fixed rate is right where the Lipschitz constant :math:`L` of the gradient is known: up to
    :math:`2/L` the objective never rises, and beyond it may grow without bound.
    Backtracking finds such a rate by itself: it doubles the last one and halves it until
    :math:`f(\theta-\eta g)\le f(\theta)-\tfrac\eta2\lVert g\rVert^2`, which holds for every
    :math:`\eta\le1/L`.

    Parameters
    ----------
    rate : float or "backtracking"
        The step size.
    tol : float
        Stop when the gradient is no longer than this.
    max_iter : int
        Stop after so many steps.

    Examples
    --------
    >>> import numpy as np
    >>> A, b = np.diag([1.0, 10.0]), np.array([1.0, 10.0])
    >>> found = GradientDescent(rate=0.1, max_iter=500).minimise(
    ...     lambda x: x @ A @ x / 2 - b @ x, lambda x: A @ x - b, [0.0, 0.0]
    ... )
    >>> found.x.round(6).tolist(), found.reason
    ([1.0, 1.0], 'gradient')
    """

    def __init__(
        self, rate: float | str = "backtracking", *, tol: float = 1e-8, max_iter: int = 10_000
    ) -> None:
        if isinstance(rate, str) and rate != "backtracking":
            raise ValueError(f"rate must be a positive number or 'backtracking', got {rate!r}.")
        self.rate = rate if isinstance(rate, str) else check_positive(rate, "rate")
        self.tol = check_scalar(tol, "tol", least=0)
        self.max_iter = check_count(max_iter, "max_iter", at_least=0)

    def minimise(
        self,
        f: Callable[[Array], Any],
        gradient: Gradient | Literal[True],
        start: ArrayLike,
    ) -> Descent:
        """Descend from a start.

        Parameters
        ----------
        f : callable
            The objective: takes an array of shape (d,) and returns a number.
        gradient : callable or True
            Its gradient: takes the same array and returns one of its shape. True if ``f`` returns
            a pair, the number and the gradient, because both come from one computation.
        start : array-like of shape (d,)
            Where to start.

        Returns
        -------
        Descent
            Where it arrived.
        """
        both, value_alone = _value_and_gradient(f, gradient)
        x, rate = check_vector(start, name="start"), 1.0
        values: list[float] = []
        for step in range(self.max_iter + 1):
            value, g = both(x)
            values.append(value)
            size = norm(g)
            if size <= self.tol:
                return Descent(x, np.array(values), size, step, "gradient")
            if not (math.isfinite(value) and math.isfinite(size)):
                return Descent(x, np.array(values), size, step, "diverged")
            if step == self.max_iter:
                break
            if isinstance(self.rate, str):
                rate = self._halved(value_alone, x, g, value, 2.0 * rate)
                if rate == 0.0:
                    return Descent(x, np.array(values), size, step, "stalled")
            else:
                rate = self.rate
            x = x - rate * g
        return Descent(x, np.array(values), size, step, "iterations")

    @staticmethod
    def _halved(f: Function, x: Array, g: Array, value: float, rate: float) -> float:
        """Return a rate that descends enough, or zero where rounding hides every descent."""
        while (wanted := value - ARMIJO * rate * float(g @ g)) < value:
            if f(x - rate * g) <= wanted:
                return rate
            rate /= 2.0
        return 0.0


def _value_and_gradient(
    f: Callable[[Array], Any], gradient: Gradient | Literal[True]
) -> tuple[Callable[[Array], tuple[float, Array]], Function]:
    """Return the pair of value and gradient as one function, and the value as another."""
    check_callable(f, "f", "a point")
    if gradient is True:
        return f, lambda x: float(f(x)[0])
    slope = check_callable(gradient, "gradient", "a point")
    return lambda x: (float(f(x)), slope(x)), f


class SGD:
    r"""Stochastic gradient descent for linear models with a ridge penalty.

    It minimises :math:`\sum_n\ell(y_n,\langle w,x_n\rangle)+\tfrac\lambda2\lVert w\rVert^2`, whose
    penalty is shared among the examples: the step for one of them is
    :math:`w\leftarrow(1-\eta\lambda/N)w-\eta\,\ell'(y_n,\langle w,x_n\rangle)\,x_n`. Its first
    factor touches every coordinate. Stored as :math:`w=cv`, the weights need not be touched: only
    :math:`c` changes, and a step costs as much as the point has entries that are not zero.

    Parameters
    ----------
    slope : callable
        :math:`\ell'(y,s)`, the derivative of the loss in the score: takes two numbers.
    penalty : float
        :math:`\lambda`.
    schedule : callable, optional
        The rate of step k, counted from 1; :func:`step_schedule` with ``"root"`` if not given.
    n_epochs : int
        How often every example is visited.
    shuffle : bool
        Whether each epoch has an order of its own.
    lazy : bool
        Whether the weights are stored with a common factor. The path is the same.
    random_state : int, Generator or None
        What the orders are drawn from.

    Examples
    --------
    >>> squares = SGD(lambda y, s: s - y, schedule=step_schedule("constant", 0.5), n_epochs=20)
    >>> squares.minimise([[1.0, 0.0], [0.0, 1.0]], [1.0, 2.0]).round(4).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self,
        slope: Callable[[float, float], float],
        *,
        penalty: float = 0.0,
        schedule: Schedule | None = None,
        n_epochs: int = 10,
        shuffle: bool = True,
        lazy: bool = True,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.slope = check_callable(slope, "slope", "a label and a score")
        self.penalty = check_scalar(penalty, "penalty", least=0)
        self.schedule = step_schedule("root") if schedule is None else schedule
        check_callable(self.schedule, "schedule", "the number of a step")
        self.n_epochs = check_count(n_epochs, "n_epochs", at_least=0)
        self.shuffle, self.lazy = check_flag(shuffle, "shuffle"), check_flag(lazy, "lazy")
        self.random_state = random_state

    def minimise(self, X: ArrayLike, y: ArrayLike, start: ArrayLike | None = None) -> Array:
        """Return the weights after the last epoch.

        Parameters
        ----------
        X : array-like of shape (n, d)
            The points.
        y : array-like of shape (n,)
            Their labels or targets.
        start : array-like of shape (d,), optional
            Where to start; zero if not given.

        Returns
        -------
        ndarray of shape (d,)
            The weights.
        """
        X = check_matrix(X)
        y = check_target(y, len(X))
        w = np.zeros(X.shape[1]) if start is None else check_vector(start, name="start").copy()
        if len(w) != X.shape[1]:
            raise ValueError(f"start has {len(w)} entries, but X has {X.shape[1]} columns.")
        order = self._orders(len(X), check_random_state(self.random_state))
        return self._lazily(X, y, w, order) if self.lazy else self._plainly(X, y, w, order)

    def _orders(self, n: int, rng: np.random.Generator) -> Iterator[int]:
        for _ in range(self.n_epochs):
            yield from rng.permutation(n) if self.shuffle else range(n)

    def _plainly(self, X: Array, y: Array, w: Array, order: Iterator[int]) -> Array:
        for k, i in enumerate(order, start=1):
            rate = self.schedule(k)
            pull = self.slope(y[i], float(X[i] @ w))
            w = (1.0 - rate * self.penalty / len(X)) * w - rate * pull * X[i]
        return w

    def _lazily(self, X: Array, y: Array, w: Array, order: Iterator[int]) -> Array:
        """Keep w = c·v and touch only the coordinates of v in which the point is not zero."""
        rows = [np.flatnonzero(row) for row in X]
        c, v = 1.0, w
        for k, i in enumerate(order, start=1):
            at: NDArray[np.intp] = rows[i]
            rate = self.schedule(k)
            pull = self.slope(y[i], c * float(X[i, at] @ v[at]))
            c *= 1.0 - rate * self.penalty / len(X)
            if abs(c) < 1e-100:  # the factor would underflow, or is zero
                c, v = 1.0, c * v
            v[at] -= rate * pull / c * X[i, at]
        return c * v
