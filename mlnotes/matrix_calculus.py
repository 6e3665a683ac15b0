r"""Matrix calculus: gradients of functions of vectors and matrices, and how to check one.

The gradient of a real function of a matrix is the matrix :math:`\nabla f(A)` of the same shape with

.. math:: f(A+H) = f(A) + \operatorname{tr}(\nabla f(A)^\top H) + o(\lVert H\rVert).

The rules below are closed forms, each proved in the chapter; :func:`numerical_gradient` computes
the same from values of the function alone and says how far it can be off, so that
:func:`gradient_error` can judge a formula by numbers. :func:`central_difference` is the plain
method of one step on which it rests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.validation import (
    Array,
    check_callable,
    check_matrix,
    check_numbers,
    check_positive,
    check_square,
    check_value,
)

__all__ = [
    "NumericalGradient",
    "central_difference",
    "det_gradient",
    "gradient_error",
    "inverse_trace_gradient",
    "logdet_gradient",
    "numerical_gradient",
    "quadratic_form_gradient",
    "sandwich_trace_gradient",
    "trace_gradient",
]

# Steps relative to the size of an entry, each a quarter of the one before.
STEPS = tuple(2.0**-k for k in (4, 6, 8, 10, 12, 14, 16))
# How often the steps are made four times shorter where the longest of them leaves the domain.
SHORTENED = 16


def central_difference(
    f: Callable[[Array], float],
    x: ArrayLike,
    h: float,
) -> Array:
    r"""Compute the gradient of a function by central differences of one step.

    Where the third derivatives are at most :math:`M` and the values are wrong by at most
    :math:`\varepsilon`, no entry is off by more than :math:`Mh^2/6+\varepsilon/h`. There is no step
    that is right for every function: :func:`numerical_gradient` tries several.

    Parameters
    ----------
    f : callable
        Takes an array of the shape of ``x`` and returns a number.
    x : array-like of any shape
        The point.
    h : float
        The step, positive.

    Returns
    -------
    ndarray
        The quotients, in the shape of ``x``.

    Examples
    --------
    >>> central_difference(lambda x: x @ x, [1.0, 2.0], 0.5).tolist()
    [2.0, 4.0]
    """
    f = check_callable(f, "f", "an array")
    x, h = check_numbers(x, "x"), check_positive(h, "h")
    gradient = np.empty(x.shape)
    for at in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[at] += h
        behind[at] -= h
        high = check_value(f, ahead, "f")
        low = check_value(f, behind, "f")
        gradient[at] = (high - low) / (2 * h)
    return gradient


class NumericalGradient(NamedTuple):
    """A gradient computed from values of a function, and how far it can be off.

    Attributes
    ----------
    value : ndarray
        The gradient, in the shape of the point.
    error : ndarray
        An estimate of the error of each entry: the difference between the best two extrapolations,
        and what rounding in the values of the function can cause; more, if the shortest step
        contradicts them.

    Examples
    --------
    >>> found = numerical_gradient(lambda x: x @ x, [1.0, 2.0])
    >>> found.value.round(6).tolist()
    [2.0, 4.0]
    >>> bool((found.error < 1e-8).all())
    True
    """

    value: Array
    error: Array


def numerical_gradient(f: Callable[[Array], float], x: ArrayLike) -> NumericalGradient:
    r"""Compute the gradient of a function from its values.

    A central difference :math:`(f(x+he_i)-f(x-he_i))/2h` misses the derivative by about
    :math:`h^2`, and rounding adds about :math:`\varepsilon\lvert f\rvert/h`. Richardson's
    extrapolation removes powers of :math:`h^2` one after the other; of all extrapolations that one
    is taken whose neighbours agree with it best. All steps are made shorter where the longest one
    leaves the domain of the function.

    Parameters
    ----------
    f : callable
        Takes an array of the shape of ``x`` and returns a number.
    x : array-like of any shape
        The point.

    Returns
    -------
    NumericalGradient
        The gradient and an estimate of its error, both in the shape of ``x``.

    Raises
    ------
    ValueError
        If the function has values very close to the point that are no finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> found = numerical_gradient(np.linalg.det, [[2.0, 1.0], [0.0, 3.0]])
    >>> found.value.round(6).tolist()
    [[3.0, 0.0], [-1.0, 2.0]]
    """
    f = check_callable(f, "f", "an array")
    x = check_numbers(x, "x")
    value, error = np.empty(x.shape), np.empty(x.shape)
    for at in np.ndindex(x.shape):
        value[at], error[at] = _derivative(f, x, at)
    return NumericalGradient(value, error)


def _derivative(f: Callable[[Array], float], x: Array, at: tuple[int, ...]) -> tuple[float, float]:
    """Return one partial derivative and an estimate of its error, by Richardson's extrapolation."""
    scale = _scale(f, x, at)
    best, error = math.nan, math.inf
    row: list[float] = []
    turn = math.inf
    for step in STEPS:
        difference, rounding = _quotient(f, x, at, step * scale)
        new = [difference]
        for k, coarser in enumerate(row, start=1):
            new.append(new[-1] + (new[-1] - coarser) / (4.0 ** (2 * k) - 1.0))
        for k in range(1, len(new)):
            gap = max(abs(new[k] - new[k - 1]), abs(new[k] - row[k - 1])) + rounding
            if gap < error:
                best, error = new[k], gap
        turn = abs(difference - row[0]) if row else turn
        row = new
    # A function that bends within a shorter length than the first steps can deceive them all in the
    # same way. What is left of the error at the last step is less than it changed at that step.
    return best, max(error, abs(best - row[0]) - turn - 2.0 * rounding)


def _scale(f: Callable[[Array], float], x: Array, at: tuple[int, ...]) -> float:
    """Return the size of an entry, or less where a step relative to it leaves the domain."""
    size = max(abs(float(x[at])), 1.0)
    for shortened in range(SHORTENED):
        scale = size / 4.0**shortened
        try:
            with np.errstate(all="ignore"):
                _quotient(f, x, at, STEPS[0] * scale)
        except ValueError as error:
            failure = error
        else:
            return scale
    raise failure


def _quotient(
    f: Callable[[Array], float], x: Array, at: tuple[int, ...], h: float
) -> tuple[float, float]:
    """Return a central difference, and how much of it rounding in the values can be."""
    above, below = x.copy(), x.copy()
    above[at] += h
    below[at] -= h
    values = [_value(f, point) for point in (above, below)]
    width = float(above[at] - below[at])  # the step that was really taken
    difference = (values[0] - values[1]) / width
    # Terms that cancel in the value are about as large as the slope times the point.
    terms = max(map(abs, values)) + abs(difference) * max(abs(float(x[at])), 1.0)
    return difference, float(np.finfo(float).eps * terms / width)


def _value(f: Callable[[Array], float], x: Array) -> float:
    try:
        value = float(f(x))
    except (TypeError, ValueError) as error:
        raise ValueError(f"f must return a number at {x.tolist()}: {error}") from error
    if not math.isfinite(value):
        raise ValueError(f"f is {value} at {x.tolist()}: take a point inside its domain.")
    return value


def gradient_error(
    f: Callable[[Array], float], gradient: Callable[[Array], ArrayLike], x: ArrayLike
) -> float:
    """Return by how much a formula for the gradient misses the numerical one at a point.

    What the numerical gradient itself cannot resolve is not counted, so that a right formula has
    error zero.

    Parameters
    ----------
    f : callable
        Takes an array of the shape of ``x`` and returns a number.
    gradient : callable
        The formula: takes the same array and returns one of its shape.
    x : array-like of any shape
        The point.

    Returns
    -------
    float
        The largest absolute error of an entry beyond ten times the error of the numerical one.

    Examples
    --------
    >>> gradient_error(lambda x: x @ x, lambda x: 2 * x, [1.0, 2.0])
    0.0
    >>> round(gradient_error(lambda x: x @ x, lambda x: x, [1.0, 2.0]), 6)
    2.0
    """
    gradient = check_callable(gradient, "gradient", "an array")
    numerical = numerical_gradient(f, x)
    formula = check_numbers(gradient(check_numbers(x, "x")), "gradient(x)")
    if formula.shape != numerical.value.shape:
        raise ValueError(
            f"gradient(x) has the shape {formula.shape} and x the shape {numerical.value.shape}: "
            "a gradient has the shape of its point."
        )
    excess = np.abs(formula - numerical.value) - 10.0 * numerical.error
    return float(max(excess.max(initial=0.0), 0.0))


def trace_gradient(B: ArrayLike) -> Array:
    r"""Return :math:`\nabla_A\operatorname{tr}(AB)=B^\top`.

    Parameters
    ----------
    B : array-like of shape (d, n)
        The other factor.

    Returns
    -------
    ndarray of shape (n, d)
        The gradient, which does not depend on A.

    Examples
    --------
    >>> trace_gradient([[1.0, 2.0]]).tolist()
    [[1.0], [2.0]]
    """
    return check_matrix(B, name="B").T.copy()


def sandwich_trace_gradient(A: ArrayLike, B: ArrayLike, C: ArrayLike) -> Array:
    r"""Return :math:`\nabla_A\operatorname{tr}(ABA^\top C)=CAB+C^\top AB^\top`.

    Parameters
    ----------
    A : array-like of shape (n, d)
        The point.
    B : array-like of shape (d, d)
        The inner matrix.
    C : array-like of shape (n, n)
        The outer matrix.

    Returns
    -------
    ndarray of shape (n, d)
        The gradient.

    Examples
    --------
    >>> sandwich_trace_gradient([[3.0]], [[2.0]], [[5.0]]).tolist()
    [[60.0]]
    """
    A, B, C = check_matrix(A, name="A"), check_square(B, name="B"), check_square(C, name="C")
    if A.shape != (len(C), len(B)):
        raise ValueError(
            f"A has the shape {A.shape}, but with B {B.shape} and C {C.shape} it must have "
            f"{(len(C), len(B))}."
        )
    return C @ A @ B + C.T @ A @ B.T


def quadratic_form_gradient(A: ArrayLike, w: ArrayLike) -> Array:
    r"""Return :math:`\nabla_w(w^\top Aw)=(A+A^\top)w`.

    Parameters
    ----------
    A : array-like of shape (d, d)
        The matrix of the form, symmetric or not.
    w : array-like of shape (d,)
        The point.

    Returns
    -------
    ndarray of shape (d,)
        The gradient.

    Examples
    --------
    >>> quadratic_form_gradient([[1.0, 2.0], [0.0, 3.0]], [1.0, 1.0]).tolist()
    [4.0, 8.0]
    """
    A, w = check_square(A, name="A"), check_numbers(w, "w")
    if w.shape != (len(A),):
        raise ValueError(f"w has the shape {w.shape}, but A {A.shape} asks for ({len(A)},).")
    return (A + A.T) @ w


def inverse_trace_gradient(A: ArrayLike, B: ArrayLike) -> Array:
    r"""Return :math:`\nabla_A\operatorname{tr}(A^{-1}B)=-(A^{-1}BA^{-1})^\top`.

    Parameters
    ----------
    A : array-like of shape (n, n)
        The point, an invertible matrix.
    B : array-like of shape (n, n)
        The other factor.

    Returns
    -------
    ndarray of shape (n, n)
        The gradient.

    Raises
    ------
    ValueError
        If the matrix has no inverse.

    Examples
    --------
    >>> inverse_trace_gradient([[2.0]], [[3.0]]).tolist()
    [[-0.75]]
    """
    A, B = check_square(A, name="A"), check_square(B, name="B")
    if A.shape != B.shape:
        raise ValueError(f"A has the shape {A.shape} and B {B.shape}: they must be equal.")
    try:
        inverse = np.linalg.inv(A)
    except np.linalg.LinAlgError as error:
        raise ValueError("A must be invertible, or the trace is not defined.") from error
    return np.asarray(-(inverse @ B @ inverse).T, dtype=np.float64)


def det_gradient(A: ArrayLike) -> Array:
    r"""Return :math:`\nabla_A\det A`, the matrix of cofactors.

    For an invertible :math:`A` it is :math:`\det(A)A^{-\top}`; the gradient exists for a singular
    one too, where that formula has no meaning. From :math:`A=U\Sigma V^\top` the cofactors are
    :math:`\det(U)\det(V)\,UDV^\top`, where the diagonal matrix :math:`D` has the products of all
    singular values but one: nothing is divided.

    Parameters
    ----------
    A : array-like of shape (n, n)
        The point, a singular matrix or not.

    Returns
    -------
    ndarray of shape (n, n)
        The gradient.

    Examples
    --------
    >>> det_gradient([[1.0, 2.0], [2.0, 4.0]]).round(12).tolist()
    [[4.0, -2.0], [-2.0, 1.0]]
    """
    U, singular, Vt = np.linalg.svd(check_square(A, name="A"))
    others = np.array([np.prod(np.delete(singular, i)) for i in range(len(singular))])
    sign = np.sign(np.linalg.det(U) * np.linalg.det(Vt))
    gradient: Array = sign * (U * others) @ Vt
    return gradient


def logdet_gradient(A: ArrayLike) -> Array:
    r"""Return :math:`\nabla_A\log\det A=A^{-\top}` where :math:`\det A>0`.

    Parameters
    ----------
    A : array-like of shape (n, n)
        The point, a matrix of positive determinant.

    Returns
    -------
    ndarray of shape (n, n)
        The gradient.

    Raises
    ------
    ValueError
        If the determinant is not positive.

    Examples
    --------
    >>> logdet_gradient([[2.0, 1.0], [0.0, 4.0]]).tolist()
    [[0.5, 0.0], [-0.125, 0.25]]
    """
    A = check_square(A, name="A")
    sign, _ = np.linalg.slogdet(A)
    if sign <= 0:
        raise ValueError(
            "A must have a positive determinant, or its logarithm is not defined; "
            f"its determinant is {np.linalg.det(A):.3g}."
        )
    return np.asarray(np.linalg.inv(A).T, dtype=np.float64)
