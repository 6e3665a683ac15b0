"""Derivatives, gradients, stationary points and Lagrangians, by differentiation rules of our own.

SymPy's own derivatives are silently wrong for sums over indexed symbols, traces and determinants,
so they are not used. A gradient is read off the derivative in an arbitrary direction.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.matrices.expressions import MatrixExpr

from .definedness import conditions
from .errors import IllTyped, Unproved
from .facts import normal_of
from .normal import (
    BoundIndex,
    Normal,
    Polynomial,
    TraceWord,
    free,
    key,
    letter_expression,
    number,
    order_limits,
    product_of,
    sorted_items,
    transpose_word,
)
from .prove import Prover
from .terms import (
    Direction,
    Dot,
    Expectation,
    ForEach,
    Inverse,
    LogDet,
    Matrix,
    MatrixDirection,
    SymmetricDirection,
    SymmetricMatrix,
    Trace,
    VectorFamily,
    apart_from,
    derivative,
    evaluating,
    is_vector_atom,
    kind,
    properties_of,
    statement,
    substitute,
    term,
)


def derive(e: Any, x: Any, direction: Any = 1) -> Any:
    """Return the derivative of a term in x, in a direction if x is a vector or matrix.

    A member ``a[k]`` of a family meets the members of a sum through Kronecker deltas. Terms that
    are not smooth (absolute values, maxima, indicators) are refused.
    """
    direction = sp.sympify(direction)
    if e == x:
        return direction
    if not _depends(e, x):
        return sp.Integer(0)
    if isinstance(e, sp.Indexed) and not isinstance(x, sp.Indexed):
        # A family may have the name of a number: only its indices could depend on it.
        if any(_depends(i, x) for i in e.indices):
            raise Unproved(f"{e} has no derivative in its index {x}")
        return sp.Integer(0)
    if isinstance(e, sp.Indexed):
        if len(e.indices) != len(x.indices):
            raise IllTyped(f"{e} and {x} use one family with different numbers of indices")
        out = direction
        for i, j in zip(e.indices, x.indices, strict=True):
            out = sp.KroneckerDelta(i, j) * out
        return out
    if isinstance(e, sp.Add):
        return sp.Add(*[derive(a, x, direction) for a in e.args])
    if isinstance(e, sp.Mul):
        terms = []
        for k, a in enumerate(e.args):
            if _depends(a, x):
                rest = [b for m, b in enumerate(e.args) if m != k]
                terms.append(sp.Mul(derive(a, x, direction), *rest))
        return sp.Add(*terms)
    if isinstance(e, sp.exp):
        return e * derive(e.args[0], x, direction)
    if isinstance(e, sp.log):
        return derive(e.args[0], x, direction) / e.args[0]
    if isinstance(e, sp.Pow):
        if not _depends(e.exp, x):
            return e.exp * e.base ** (e.exp - 1) * derive(e.base, x, direction)
        return e * derive(e.exp * sp.log(e.base), x, direction)
    if isinstance(e, sp.Sum):
        return _derive_sum(e, x, direction)
    if isinstance(e, Dot):
        u, v = e.args
        return Dot(derive(u, x, direction), v) + Dot(u, derive(v, x, direction))
    if isinstance(e, Expectation):
        return Expectation(derive(e.args[0], x, direction))
    if isinstance(e, Trace):
        return Trace(_differential(e.args[0], x, direction))
    if isinstance(e, LogDet):
        return Trace(Inverse(e.args[0]) * _differential(e.args[0], x, direction))
    if isinstance(e, AppliedUndef) and "differentiable" in properties_of(e.func):
        return derivative(e.func)(e.args[0]) * derive(e.args[0], x, direction)
    raise Unproved(f"{e} has no derivative in {x} by the rules known here")


def _derive_sum(e: Any, x: Any, direction: Any) -> Any:
    if any(_depends(end, x) for limit in e.limits for end in limit[1:]):
        raise Unproved(f"{e} has limits that depend on {x}")
    e = apart_from(e, free(x) | free(direction))
    return sp.Sum(derive(e.function, x, direction), *e.limits)


def _differential(m: Any, x: Any, direction: Any) -> Any:
    """Return the differential of a matrix term."""
    if m == x:
        return direction
    if not m.has(x):
        return sp.ZeroMatrix(*m.shape)
    if isinstance(m, sp.MatAdd):
        parts = [_differential(a, x, direction) for a in m.args if a.has(x)]
        return sum(parts[1:], parts[0])
    if isinstance(m, sp.MatMul):
        parts = []
        for k, a in enumerate(m.args):
            if not a.has(x):
                continue
            if not isinstance(a, MatrixExpr):
                raise Unproved(f"the factor {a} of {m} depends on {x}")
            before, after = m.args[:k], m.args[k + 1 :]
            parts.append(sp.MatMul(*before, _differential(a, x, direction), *after))
        return sum(parts[1:], parts[0])
    if isinstance(m, sp.Transpose):
        return sp.Transpose(_differential(m.args[0], x, direction))
    if isinstance(m, (Inverse, sp.Inverse)):
        return sp.MatMul(-1, m, _differential(m.args[0], x, direction), m)
    raise Unproved(f"{m} has no differential in {x} by the rules known here")


def _depends(e: Any, x: Any) -> bool:
    if isinstance(x, sp.Indexed):
        return x.base in e.atoms(sp.IndexedBase)
    return bool(x in e.free_symbols or e.has(x))


@evaluating
def grad(f: Any, w: Any, given: Sequence[Any] = ()) -> Any:
    """Return the gradient of a real term in a vector, a matrix, a number or a member of a family.

    Parameters
    ----------
    f : expression
        The term.
    w : symbol, vector, matrix or member of a family
        What it is differentiated in. For a member ``a[k]`` give the range of k in ``given``:
        ``[Ge(k, 1), Le(k, n)]``.
    given : sequence of statements, default=()
        What may be used to simplify.

    Examples
    --------
    >>> from mlnotes.proof import dot, grad, norm2, vectors
    >>> w, x = vectors("w x")
    >>> grad(norm2(w) / 2 - dot(w, x), w)
    w - x
    """
    f, w = term(f), term(w)
    if kind(f) != "real":
        raise IllTyped(f"{f} is not a number: only numbers have gradients")
    normal = normal_of([statement(s) for s in given])
    if isinstance(w, MatrixExpr):
        return _matrix_gradient(normal, f, w)
    if is_vector_atom(w):
        h = Direction("h")
        return pretty(_strip(normal, normal.polynomial(derive(f, w, h)), h))
    if not isinstance(w, (sp.Symbol, sp.Indexed)):
        raise IllTyped(f"{w} is not a symbol, vector, matrix or member of a family")
    return pretty(normal.canonical(derive(f, w)))


def _strip(normal: Normal, p: Polynomial, h: Any) -> Any:
    """Return v from a polynomial that is ``<v, h>``."""
    out = []
    for (factors, bounds), c in sorted_items(p):
        along = [a for a, e in factors if h in free(a)]
        if len(along) != 1 or not isinstance(along[0], Dot) or dict(factors)[along[0]] != 1:
            raise Unproved("the derivative is not linear in the direction")
        u, v = along[0].args
        rest = [a ** number(e) for a, e in factors if a != along[0]]
        term = sp.Mul(number(c), *rest, v if u == h else u)
        out.append(sp.Sum(term, *order_limits(bounds)) if bounds else term)
    return sp.Add(*out)


def _matrix_gradient(normal: Normal, f: Any, x: Any) -> Any:
    """Return G from a differential that is ``tr(Gᵀ H)``."""
    if not isinstance(x, Matrix):
        raise IllTyped(f"{x} is not a single matrix")
    symmetric = isinstance(x, SymmetricMatrix)
    h = (SymmetricDirection if symmetric else MatrixDirection)("H", *x.shape)
    total: list[Any] = []
    for (factors, bounds), c in sorted_items(normal.polynomial(derive(f, x, h))):
        along = [a for a, _ in factors if a.has(h)]
        if len(along) != 1 or not isinstance(along[0], TraceWord) or bounds:
            raise Unproved("the differential is not linear in the direction")
        word = along[0].word
        (k,) = [k for k, (m, _, _) in enumerate(word) if m == h]
        rest = word[k + 1 :] + word[:k]
        # tr(H W) = <Wᵀ, H> and tr(Hᵀ W) = <W, H>
        choices = [rest if word[k][1] else transpose_word(rest)]
        if symmetric:
            choices = [rest, transpose_word(rest)]
        scale = sp.Mul(number(c), *[a ** number(e) for a, e in factors if a != along[0]])
        for w in choices:
            body = [letter_expression(letter) for letter in w] or [sp.Identity(x.shape[0])]
            total.append(sp.MatMul(scale / len(choices), *body).doit(deep=False))
    if not total:
        return sp.ZeroMatrix(*x.shape)
    return pretty(sum(total[1:], total[0]))


def pretty(e: Any) -> Any:
    """Return a term without the kernel's own atoms: indices named i, j, k, …, traces as typed."""
    words = {
        a: Trace(product_of([letter_expression(letter) for letter in a.word]))
        for a in e.atoms(TraceWord)
    }
    e = e.xreplace(words)
    bound = sorted(e.atoms(BoundIndex), key=key)
    taken = {s.name for s in e.atoms(sp.Symbol)}
    names = (c for c in itertools.chain("ijklmpqrs", map("i{}".format, itertools.count(1))))
    mapping = {}
    for b in bound:
        name = next(c for c in names if c not in taken)
        mapping[b] = sp.Symbol(name, integer=True)
    return e.xreplace(mapping)


def stationary_points(f: Any, x: Any, given: Sequence[Any] = ()) -> list[Any]:
    """Return points at which f is defined and its derivative in a real symbol vanishes.

    SymPy suggests the points; only those are returned where the conditions under which f has a
    value are proved and the derivative is zero by the normal form. The list may be incomplete.

    Examples
    --------
    >>> from mlnotes.proof import reals, stationary_points
    >>> x, a = reals("x a")
    >>> stationary_points(x**2 - 2 * a * x, x)
    [a]
    """
    prover = Prover([statement(s) for s in given])
    normal, f = prover.normal, term(f)
    if kind(f) != "real" or kind(x) != "real" or not isinstance(x, sp.Symbol):
        raise IllTyped("a stationary point is one of a number, in a real symbol")
    slope = derive(f, x)
    try:
        found = _linear_root(normal, slope, x) or sp.solve(sp.simplify(slope), x)
    except NotImplementedError as reason:
        raise Unproved(f"no stationary point of {f} could be found") from reason
    points = []
    for point in found if isinstance(found, list) else []:
        if isinstance(point, sp.Expr) and point.is_real is not False:
            at = substitute(slope, {x: point})
            if at.has(sp.zoo, sp.nan, sp.oo) or not normal.equal(at, 0):
                continue
            needed = [substitute(c, {x: point}) for c in [*conditions(f), *conditions(slope)]]
            if all(prover.holds(c) for c in [*conditions(point), *needed]):
                points.append(point)
    return points


def _linear_root(normal: Normal, slope: Any, x: Any) -> list[Any]:
    """Suggest the root of a slope that is linear in x by its normal form; sums may occur in it."""
    parts: dict[int, list[Any]] = {0: [], 1: []}
    for m, c in sorted_items(normal.polynomial(slope)):
        power = dict(m[0]).get(x, 0)
        rest = tuple((a, e) for a, e in m[0] if a != x)
        if power not in parts or any(x in free(a) for a, _ in rest):
            return []
        parts[int(power)].append(normal.expression({(rest, m[1]): c}))
    if not parts[1]:
        return []
    return [pretty(-sp.Add(*parts[0]) / sp.Add(*parts[1]))]


def lagrangian(objective: Any, constraints: Sequence[Any], multipliers: Sequence[Any]) -> Any:
    """Return the Lagrangian of minimising an objective under constraints.

    An equation ``g = h`` adds ``λ (g - h)``, ``g ≤ h`` adds ``λ (g - h)`` and ``g ≥ h`` adds
    ``λ (h - g)``, so that multipliers of inequalities are nonnegative. A constraint for all indices
    takes a family as its multiplier and adds a sum.

    Examples
    --------
    >>> from mlnotes.proof import Ge, lagrangian, reals
    >>> x, alpha = reals("x alpha")
    >>> lagrangian(x**2, [Ge(x, 1)], [alpha])
    alpha*(1 - x) + x**2
    """
    if len(constraints) != len(multipliers):
        raise IllTyped("one multiplier for each constraint")
    total = sp.sympify(objective)
    for c, m in zip(constraints, multipliers, strict=True):
        total = total + _penalty(statement(c), m)
    kind(total)
    return total


def _penalty(c: Any, multiplier: Any) -> Any:
    if isinstance(c, ForEach):
        if not isinstance(multiplier, sp.IndexedBase) or isinstance(multiplier, VectorFamily):
            raise IllTyped(f"{c} needs a family of numbers as its multiplier")
        inside = _penalty(c.relation, multiplier[c.index])
        return sp.Sum(inside, (c.index, c.low, c.high))
    if isinstance(c, (sp.Eq, sp.Le)):
        return multiplier * (c.lhs - c.rhs)
    if isinstance(c, sp.Ge):
        return multiplier * (c.rhs - c.lhs)
    raise IllTyped(f"{c} is not an equation or a weak inequality")
