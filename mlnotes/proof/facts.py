"""What is known: hypotheses and general truths, as polynomials with a sign, and their instances.

A fact is a polynomial of the normal form that is zero, nonnegative or positive, for every value of
its parameters in their ranges. An *instance* multiplies it by a monomial and adds it up over
indices, chosen so that one of its terms meets a term of the goal.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.matrices.expressions import MatrixExpr

from .normal import (
    ONE,
    UNIT,
    Bound,
    BoundIndex,
    Budget,
    Factors,
    Monomial,
    Normal,
    Polynomial,
    TooLarge,
    add,
    free,
    is_compound,
    is_leaf,
    is_vector_mean,
    key,
    monomial_key,
    nonnegative_integer,
    number,
    replace,
    sorted_items,
)
from .terms import (
    REAL,
    VECTOR,
    Dot,
    Expectation,
    ForEach,
    Independent,
    IndependentFamily,
    Indicator,
    PositiveDefinite,
    PositiveSemidefinite,
    Probability,
    Trace,
    derivative,
    is_vector_atom,
    kind,
    properties_of,
    subgradient,
    substitute,
)

MAX_INSTANCES = 48


@dataclasses.dataclass(frozen=True)
class Fact:
    """A polynomial that is ``= 0``, ``≥ 0`` or ``> 0`` for all its parameters.

    ``tangent`` marks the tangents of a declared function, which are averaged with weights that
    need not be numbers.
    """

    polynomial: Polynomial
    relation: str
    label: str
    parameters: tuple[Bound, ...] = ()
    vector: bool = False
    tangent: bool = False

    @property
    def is_equation(self) -> bool:
        """Whether the polynomial is zero."""
        return self.relation == "="

    @functools.cached_property
    def monomials(self) -> list[Monomial]:
        """The monomials of the polynomial in canonical order."""
        return [m for m, _ in sorted_items(self.polynomial)]


def conjuncts(statements: Iterable[Any]) -> Iterator[Any]:
    """Yield the parts of conjunctions."""
    for s in statements:
        if isinstance(s, sp.And):
            yield from conjuncts(sorted(s.args, key=key))
        else:
            yield s


def oriented(relation: Any) -> tuple[Any, str]:
    """Return a relation as a term and how it compares with zero."""
    if isinstance(relation, sp.Eq):
        return relation.lhs - relation.rhs, "="
    if isinstance(relation, sp.Ge):
        return relation.lhs - relation.rhs, ">="
    if isinstance(relation, sp.Gt):
        return relation.lhs - relation.rhs, ">"
    if isinstance(relation, sp.Le):
        return relation.rhs - relation.lhs, ">="
    if isinstance(relation, sp.Lt):
        return relation.rhs - relation.lhs, ">"
    raise TypeError(f"not an equation or inequality: {relation}")


_MEMBER = BoundIndex("·")


def normal_of(statements: Iterable[Any], budget: Budget | None = None) -> Normal:
    """Return the normal form that knows the signs, ranges and independence in hypotheses."""
    positive: list[Any] = []
    nonnegative: list[Any] = []
    signs, independent, independent_families, semidefinite = [], [], [], []
    low: dict[Any, Any] = {}
    high: dict[Any, Any] = {}
    for s in conjuncts(statements):
        if isinstance(s, Independent):
            independent.append(s.args)
        elif isinstance(s, IndependentFamily):
            if not isinstance(s.args[0], sp.Lambda):
                independent_families.append(s.args[0])
        elif isinstance(s, (PositiveDefinite, PositiveSemidefinite)):
            semidefinite.append(s.args[0])
        elif isinstance(s, ForEach):
            for r in conjuncts([s.relation]):
                if isinstance(r, Relational) and not isinstance(r, (sp.Eq, sp.Ne)):
                    e, op = oriented(r)
                    if isinstance(e, sp.Indexed):
                        # Under a name of its own: the same letter may stand free in a line.
                        own = substitute(e, {s.index: _MEMBER})
                        signs.append((own, _MEMBER, s.low, s.high, op == ">"))
        elif isinstance(s, Relational) and not isinstance(s, (sp.Eq, sp.Ne)):
            e, op = oriented(s)
            if kind(e) == REAL:
                (positive if op == ">" else nonnegative).append(e)
                for side, other, bound in ((s.gts, s.lts, low), (s.lts, s.gts, high)):
                    if side.is_Symbol and side.is_integer and op == ">=" and other.is_integer:
                        bound.setdefault(side, other)
    ranges = {i: (low[i], high[i]) for i in low if i in high}
    return Normal(
        positive,
        nonnegative,
        ranges,
        independent,
        independent_families,
        signs,
        semidefinite,
        budget,
    )


def hypothesis_facts(normal: Normal, statements: Iterable[Any]) -> list[Fact]:
    """Return the facts that hypotheses state."""
    out: list[Fact] = []
    for s in conjuncts(statements):
        out += _stated(normal, s, (), str(s))
    return out


def _stated(normal: Normal, s: Any, parameters: tuple[Bound, ...], label: str) -> list[Fact]:
    if isinstance(s, ForEach):
        fresh = normal._fresh_index()
        low, high = normal.canonical(s.low), normal.canonical(s.high)
        inner = substitute(s.relation, {s.index: fresh})
        normal._scope[fresh] = (low, high)
        bound = (fresh, low, high)
        return [
            f for r in conjuncts([inner]) for f in _stated(normal, r, (*parameters, bound), label)
        ]
    if not isinstance(s, Relational) or isinstance(s, sp.Ne):
        return []
    try:
        if isinstance(s.lhs, MatrixExpr):
            return []
        e, op = oriented(s)
        p = normal.polynomial(e)
    except TooLarge:
        return []
    used = tuple(b for b in parameters)
    return [Fact(p, op, label, used, vector=kind(e) == VECTOR)] if p else []


# ---------------------------------------------------------------------- general truths


def atoms_of(
    normal: Normal, polynomials: Iterable[Polynomial], negative: bool = False
) -> list[tuple[Any, Any]]:
    """Return the atoms of polynomials, each with the ranges of the indices it depends on.

    With ``negative``, only those that occur with a negative power and so are not zero.
    """
    found: dict[Any, tuple[Bound, ...]] = {}
    for p in polynomials:
        for (factors, bounds), _ in sorted_items(p):
            for atom, power in factors:
                if negative and power > 0:
                    continue
                mine = tuple(b for b in bounds if b[0] in free(atom))
                for a in [atom] if negative else [atom, *_inner_atoms(atom)]:
                    found.setdefault(a, mine)
    out = []
    for atom, bounds in sorted(found.items(), key=lambda item: key(item[0])):
        names = {b[0]: normal._fresh_index() for b in bounds}
        new = tuple((names[i], replace(lo, names), replace(hi, names)) for i, lo, hi in bounds)
        normal._scope.update({i: (lo, hi) for i, lo, hi in new})
        out.append((replace(atom, names), new))
    return out


def _inner_atoms(atom: Any) -> list[Any]:
    if isinstance(atom, (sp.Sum, sp.Product, Expectation, Indicator)):
        return []
    nested = [a for a in sp.preorder_traversal(atom) if isinstance(a, (sp.log, sp.exp, sp.Abs))]
    return [a for a in nested if a != atom and not _under_binder(atom, a)]


def _under_binder(e: Any, a: Any) -> bool:
    return any(b.has(a) for b in e.atoms(sp.Sum, sp.Product, Expectation, Indicator))


def general_facts(normal: Normal, polynomials: list[Polynomial]) -> list[Fact]:
    """Return true statements about the functions, inner products and inverses that occur."""
    out: list[Fact] = []
    atoms = atoms_of(normal, polynomials)

    def state(
        e: Any, op: str, label: str, *scopes: tuple[Bound, ...], tangent: bool = False
    ) -> None:
        try:
            p = normal.polynomial(e)
        except TooLarge:
            return
        if p:
            bounds = {b[0]: b for scope in scopes for b in scope}
            used = tuple(bounds[i] for i in sorted(bounds, key=key))
            out.append(Fact(p, op, label, used, tangent=tangent))

    exps = [(a.args[0], s) for a, s in atoms if isinstance(a, sp.exp)][:8]
    zero: tuple[Any, Any] = (sp.Integer(0), ())
    for (s, p), (t, q) in itertools.permutations([*exps, zero], 2):
        state(sp.exp(s) - sp.exp(t) * (1 + s - t), ">=", f"exp lies above its tangent at {t}", p, q)
    logs = [(a.args[0], s) for a, s in atoms if isinstance(a, sp.log)][:8]
    points = [*logs, (sp.Integer(1), ()), *((sp.exp(t), s) for t, s in exps[:4] if logs)]
    for (u, p), (v, q) in itertools.permutations(points, 2):
        if isinstance(u, sp.exp) and isinstance(v, sp.exp):
            continue
        label = f"log lies below its tangent at {v}"
        slope = sp.log(u) - sp.log(v)
        state(u - v - v * slope, ">=", label, p, q)
        if is_compound(v):
            state(u / v - 1 - slope, ">=", label, p, q)
    for v, s in logs:  # v > 0, since its logarithm is written
        if is_compound(v):
            out.append(Fact(_cancelled(normal, v), "=", f"({v})/({v}) = 1", s))
    for a, s in atoms:
        if isinstance(a, sp.Abs):
            state(a - a.args[0], ">=", f"{a} is at least its argument", s)
            state(a + a.args[0], ">=", f"{a} is at least minus its argument", s)
        elif isinstance(a, sp.Max):
            for x in a.args:
                state(a - x, ">=", f"{a} is at least {x}", s)
            if len(a.args) == 2:
                x, y = a.args
                state((a - x) * (a - y), "=", f"{a} is one of its arguments", s)
        elif isinstance(a, Indicator):
            state(1 - a, ">=", f"{a} is at most 1", s)
            event = a.args[0]
            if isinstance(event, sp.Ge):
                state(a * event.lhs, ">=", f"{a} is 0 unless {event}", s)
                state((a - 1) * event.lhs, ">=", f"{a} is 1 where {event}", s)
            elif isinstance(event, sp.Eq):
                state(a * event.lhs, "=", f"{a} is 0 unless {event}", s)
        elif isinstance(a, Expectation) and not is_vector_mean(a):
            body = a.args[0]
            state(Expectation(body**2) - a**2, ">=", f"the variance of {body} is nonnegative", s)
            if isinstance(body, Indicator):
                state(1 - a, ">=", "a probability is at most 1", s)
    for a, s in atoms_of(normal, polynomials, negative=True):
        if is_compound(a):
            out.append(Fact(_cancelled(normal, a), "=", f"({a})/({a}) = 1", s))
    _function_facts(atoms, state)
    _vector_facts(atoms, state)
    return out


def _cancelled(normal: Normal, a: Any) -> Polynomial:
    """Return ``a · (1/a) - 1`` with the sum a written out and 1/a as the normal form has it."""
    written = normal.polynomial(a)
    inverted = normal._rational_power(written, -ONE)
    terms = normal._times([(c, dict(m[0]), m[1]) for m, c in written.items()], inverted)
    return normal._collect([*terms, (-ONE, {}, ())])


def _function_facts(atoms: list[tuple[Any, Any]], state: Any) -> None:
    applied = [(a, s) for a, s in atoms if isinstance(a, AppliedUndef) and len(a.args) == 1]
    for (a, p), (b, q) in itertools.permutations(applied[:8], 2):
        declared = properties_of(a.func)
        if a.func != b.func:
            continue
        s, t = a.args[0], b.args[0]
        curved = {"convex": 1, "concave": -1}
        for name, sign in curved.items():
            if name in declared:
                slope = slope_of(a.func)(t)
                label = f"{a.func} is {name}: its tangent at {t}"
                state(sign * (a - b - slope * (s - t)), ">=", label, p, q, tangent=True)
        for name, sign in {"increasing": 1, "decreasing": -1}.items():
            if name in declared:
                state(sign * (a - b) * (s - t), ">=", f"{a.func} is {name}", p, q)


def slope_of(f: Any) -> Any:
    """Return the derivative of a convex or concave function, or a choice of subgradient."""
    if "differentiable" in properties_of(f):
        return derivative(f)
    return subgradient(f)


def _vector_facts(atoms: list[tuple[Any, Any]], state: Any) -> None:
    seen = []
    for a, s in atoms:
        if isinstance(a, Dot) and a.args[0] != a.args[1]:
            seen.append((a.args[0], a.args[1], s))
    for u, v, s in seen[:10]:
        label = f"Cauchy–Schwarz for {u} and {v}"
        state(Dot(u, u) * Dot(v, v) - Dot(u, v) ** 2, ">=", label, s)
        root = sp.sqrt(Dot(u, u)) * sp.sqrt(Dot(v, v))
        state(root - Dot(u, v), ">=", label, s)
        state(root + Dot(u, v), ">=", label, s)


def authored_facts(normal: Normal, terms: Iterable[Any]) -> list[Fact]:
    """Return what the form of the written terms shows: squares, norms and sums of them."""
    found: dict[Any, None] = {}
    pairs: dict[Any, None] = {}
    for e in terms:
        for node in _open_nodes(e):
            if isinstance(node, Dot):
                u, v = node.args
                if not (_is_vector_leaf(u) and _is_vector_leaf(v)):
                    found[Dot(u, u)] = found[Dot(v, v)] = None
                    if u != v:
                        pairs[node] = None
            elif not is_leaf(node) and not node.is_Rational and structurally(normal, node):
                found[node] = None
    out: list[Fact] = []
    for e in sorted(found, key=key):
        try:
            p = normal.polynomial(e)
        except TooLarge:
            continue
        if p:
            out.append(Fact(p, ">=", f"{e} is nonnegative by its form"))
    for e in sorted(pairs, key=key):
        u, v = e.args
        label = f"Cauchy–Schwarz for {u} and {v}"
        root = sp.sqrt(Dot(u, u)) * sp.sqrt(Dot(v, v))
        for gap in (Dot(u, u) * Dot(v, v) - Dot(u, v) ** 2, root - e, root + e):
            try:
                out.append(Fact(normal.polynomial(gap), ">=", label))
            except TooLarge:
                continue
    return out


def _is_vector_leaf(u: Any) -> bool:
    return bool(is_vector_atom(u)) or is_vector_mean(u)


def _open_nodes(e: Any) -> Iterator[Any]:
    """Yield the real subterms that do not depend on an index bound above them."""
    if isinstance(e, MatrixExpr) or not isinstance(e, sp.Basic):
        return
    if isinstance(e, sp.Expr) and kind(e) == REAL:
        yield e
    if isinstance(e, (sp.Indexed, Expectation, Probability, Indicator, Trace)):
        return
    if isinstance(e, (sp.Sum, sp.Product)):
        bound = {limit[0] for limit in e.limits}
        for node in _open_nodes(e.function):
            if not node.free_symbols & bound:
                yield node
        return
    for a in e.args:
        yield from _open_nodes(a)


def structurally(normal: Normal, e: Any, strict: bool = False) -> bool:
    """Say whether a term is nonnegative (or positive) by the form in which it is written."""
    if e.is_Rational:
        return bool(e > 0 if strict else e >= 0)
    if isinstance(e, sp.exp):
        return True
    if isinstance(e, sp.Add):
        return all(structurally(normal, a) for a in e.args) and (
            not strict or any(structurally(normal, a, True) for a in e.args)
        )
    if isinstance(e, sp.Mul):
        return all(structurally(normal, a, strict) for a in e.args)
    if isinstance(e, sp.Pow):
        if e.exp.is_Integer and e.exp % 2 == 0 and (not strict or e.exp < 0):
            return True
        if e.exp.is_Rational and not e.exp.is_Integer and not strict:
            return True
        return structurally(normal, e.base, strict)
    if isinstance(e, Dot) and e.args[0] == e.args[1]:
        return not strict
    if isinstance(e, (sp.Abs, Indicator, Probability, sp.KroneckerDelta)):
        return not strict
    if isinstance(e, (sp.Sum, sp.Product)):
        # Under names of their own: what is known of a free index is not known of a bound one.
        body, limits = normal.opened(e)
        nonempty = all(nonnegative_integer(high - low) for _, low, high in limits)
        with normal._ranging(limits):
            return structurally(normal, body, strict) and (
                nonempty or not strict or isinstance(e, sp.Product)
            )
    if isinstance(e, Expectation):
        return kind(e) == REAL and structurally(normal, e.args[0], strict)
    if isinstance(e, Trace) and not strict and _is_gram(normal, e.args[0]):
        return True
    if isinstance(e, sp.Max):
        return any(structurally(normal, a, strict) for a in e.args)
    if isinstance(e, sp.Min):
        return all(structurally(normal, a, strict) for a in e.args)
    try:
        p = normal.polynomial(e)
    except TooLarge:
        return False
    return normal.is_positive(p) if strict else normal.is_nonnegative(p)


def _is_gram(normal: Normal, m: Any) -> bool:
    """Say whether a matrix is written as ``VᵀV``: the last factors are the first ones, turned."""
    if not isinstance(m, sp.MatMul):
        return False
    scalars = [a for a in m.args if not isinstance(a, MatrixExpr)]
    factors = [a for a in m.args if isinstance(a, MatrixExpr)]
    if len(factors) % 2 or not all(structurally(normal, c) for c in scalars):
        return False
    try:
        return all(
            normal.same_words(normal.words(sp.Transpose(a)), normal.words(b))
            for a, b in zip(factors[: len(factors) // 2], reversed(factors), strict=False)
        )
    except TooLarge:
        return False


# ---------------------------------------------------------------------- instances


@dataclasses.dataclass(frozen=True)
class Allowed:
    """Atoms that the lines themselves divide by, or take a root of, so that one may."""

    divide: frozenset[Any]
    root: frozenset[Any]

    @classmethod
    def by(cls, polynomials: Iterable[Polynomial]) -> Allowed:
        """Collect them from polynomials whose terms are known to be defined."""
        powers = [
            (a, e)
            for p in polynomials
            for f, b in p
            for a, e in f
            if not free(a) & {x[0] for x in b}
        ]
        return cls(
            frozenset(a for a, e in powers if e < 0),
            frozenset(a for a, e in powers if e.denominator != 1),
        )


Opened = tuple[Factors, tuple[Bound, ...]]


def opened(normal: Normal, m: Monomial) -> Opened:
    """Return the factors and the ranges of a monomial under names of indices that are its own."""
    factors, bounds = normal._rename(dict(m[0]), m[1]) if m[1] else (dict(m[0]), ())
    normal._scope.update({i: (lo, hi) for i, lo, hi in bounds})
    return factors, bounds


def instances(
    normal: Normal, fact: Fact, target: Opened, allowed: Allowed
) -> Iterator[tuple[Polynomial, str, Any]]:
    """Yield ``(polynomial, relation, label)`` of multiples of a fact that meet a target."""
    factors, bounds = target
    count = 0
    for m in fact.monomials:
        for sub, used, rest in _match(normal, fact, m, factors, bounds):
            multiplier = _multiplier(normal, fact, m, factors, sub)
            if multiplier is None or not legal(normal, multiplier, allowed):
                continue
            if any(i in free(a) for a in multiplier for i in used):
                continue
            sign = 1 if fact.is_equation else _sign(normal, multiplier, rest)
            if sign < 0:
                continue
            relation = fact.relation if sign > 0 or fact.is_equation else ">="
            terms = []
            # The fact's own sums stay bound: only its parameters take the values that were found.
            values = {b[0]: sub[b[0]] for b in fact.parameters}
            for (f, b), c in fact.polynomial.items():
                moved = {replace(a, values): e for a, e in f}
                moved_bounds: tuple[Bound, ...] = tuple(
                    (i, replace(lo, values), replace(hi, values)) for i, lo, hi in b
                )
                if moved_bounds:
                    moved, moved_bounds = normal._rename(moved, moved_bounds)
                merged = add(moved.items(), multiplier)
                if fact.vector:
                    merged = _close_vector(merged)
                terms += normal._settle(c, merged, moved_bounds + rest)
            p = normal._collect(terms)
            if p:
                yield p, relation, (multiplier, rest, fact.label)
                count += 1
            if count >= MAX_INSTANCES:
                return


def _close_vector(factors: Factors) -> Factors:
    """Pair the vector of an equation with the vector it was matched against."""
    partner = [a for a in factors if isinstance(a, _Against)]
    vector = [a for a in factors if is_vector_atom(a) or is_vector_mean(a)]
    out = {a: p for a, p in factors.items() if a not in partner and a not in vector}
    (u,), (against,) = vector, partner
    pair = Dot(*sorted((u, against.args[0]), key=key))
    out[pair] = out.get(pair, Fraction(0)) + 1
    return out


class _Against(sp.Expr):  # type: ignore[misc]
    """The other vector of an inner product in which a vector equation is used."""


def _multiplier(
    normal: Normal, fact: Fact, m: Monomial, factors: Factors, sub: dict[Any, Any]
) -> Factors | None:
    needed = {replace(a, sub): p for a, p in m[0]} if sub else dict(m[0])
    if not fact.vector:
        out = dict(factors)
        for a, p in needed.items():
            out[a] = out[a] - p if a in out else -p
        return {a: p for a, p in out.items() if p}
    vector = [a for a in needed if is_vector_atom(a) or is_vector_mean(a)]
    if len(vector) != 1:
        return None
    v = vector[0]
    for pair in sorted((a for a in factors if isinstance(a, Dot) and v in a.args), key=key):
        other = pair.args[1] if pair.args[0] == v else pair.args[0]
        out = dict(factors)
        out[pair] -= 1
        for a, p in needed.items():
            if a != v:
                out[a] = out.get(a, Fraction(0)) - p
        out = {a: p for a, p in out.items() if p}
        out[_Against(other)] = ONE
        return out
    return None


def legal(normal: Normal, multiplier: Factors, allowed: Allowed) -> bool:
    """Say whether a multiplier exists: no power of what may be zero or negative."""
    for a, p in multiplier.items():
        if isinstance(a, _Against):
            continue
        if p.denominator != 1 and not (normal.is_nonnegative_atom(a) or a in allowed.root):
            return False
        nonzero = normal.is_positive_atom(a) or (is_leaf(a) and a.is_nonzero)
        if p < 0 and not (nonzero or a in allowed.divide):
            return False
        if isinstance(a, sp.KroneckerDelta) and p < 0:
            return False
    return True


def _sign(normal: Normal, multiplier: Factors, rest: tuple[Bound, ...]) -> int:
    return normal._monomial_sign((tuple(multiplier.items()), rest), ONE)


def _match(
    normal: Normal, fact: Fact, m: Monomial, factors: Factors, bounds: tuple[Bound, ...]
) -> Iterator[tuple[dict[Any, Any], set[Any], tuple[Bound, ...]]]:
    """Yield the ways to place a fact's indices on the indices of a target."""
    if not m[1] and not fact.parameters:
        yield {}, set(), bounds
        return
    own = {b[0]: b for b in m[1]}
    given = {b[0]: b for b in fact.parameters}
    variables = {**own, **given}
    patterns = [a for a, _ in m[0] if free(a) & set(variables)]
    seen = set()
    for sub in _unify_all(patterns, list(factors), set(variables), {}):
        open_parameters = [i for i in given if i not in sub]
        choices = [_choices(normal, given[i], bounds) for i in open_parameters]
        for picked in itertools.product(*choices):
            full = {**sub, **dict(zip(open_parameters, picked, strict=True))}
            if not all(i in full for i in own) or not _fits(normal, full, own, given, bounds):
                continue
            used = {full[i] for i in own}
            if len(used) != len(own) or used & {full[i] for i in given}:
                continue
            mark = tuple(sorted((key(a), key(b)) for a, b in full.items()))
            if mark in seen:
                continue
            seen.add(mark)
            yield full, used, tuple(b for b in bounds if b[0] not in used)


def _choices(normal: Normal, parameter: Bound, bounds: tuple[Bound, ...]) -> list[Any]:
    _, low, high = parameter
    out = [b[0] for b in bounds if (b[1], b[2]) == (low, high)]
    out += sorted((i for i, r in normal.ranges.items() if r == (low, high)), key=key)
    return out


def _fits(
    normal: Normal,
    sub: dict[Any, Any],
    own: dict[Any, Bound],
    given: dict[Any, Bound],
    bounds: tuple[Bound, ...],
) -> bool:
    ranges = {b[0]: (b[1], b[2]) for b in bounds}
    for i, b in {**own, **given}.items():
        t = sub[i]
        wanted = (replace(b[1], sub), replace(b[2], sub))
        if t in ranges:
            if ranges[t] != wanted:
                return False
        elif i in own or not (
            normal.ranges.get(t) == wanted
            or (_at_least_zero(normal, t - wanted[0]) and _at_least_zero(normal, wanted[1] - t))
        ):
            return False
    return True


def _at_least_zero(normal: Normal, e: Any, depth: int = 3) -> bool:
    """Say whether an integer is nonnegative by signs and by the ranges of the indices in it.

    An index with a positive coefficient is replaced by its lowest value, one with a negative
    coefficient by its highest, which can only make the integer smaller.
    """
    e = sp.expand(e)
    if nonnegative_integer(e):
        return True
    if not depth:
        return False
    for i in sorted((i for i in normal.ranges if i in e.free_symbols), key=key):
        low, high = normal.ranges[i]
        c = e.coeff(i)
        if not c.is_Integer or i in low.free_symbols | high.free_symbols | (e - c * i).free_symbols:
            continue
        if _at_least_zero(normal, e - c * i + c * (low if c > 0 else high), depth - 1):
            return True
    return False


def _unify_all(
    patterns: list[Any], targets: list[Any], variables: set[Any], sub: dict[Any, Any]
) -> Iterator[dict[Any, Any]]:
    if not patterns:
        yield sub
        return
    first, *others = patterns
    hit = False
    for t in targets:
        for new in _unify(first, t, variables, sub):
            hit = True
            yield from _unify_all(others, targets, variables, new)
    if not hit and is_vector_atom(first):
        for t in targets:
            if isinstance(t, Dot):
                for part in t.args:
                    for new in _unify(first, part, variables, sub):
                        yield from _unify_all(others, targets, variables, new)


def _unify(p: Any, t: Any, variables: set[Any], sub: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    if p in variables:
        if p in sub:
            if sub[p] == t:
                yield sub
        elif isinstance(t, sp.Expr) and t.is_integer and not t.has(sp.Sum):
            yield {**sub, p: t}
        return
    if not free(p) & variables:
        if p == t:
            yield sub
        return
    if isinstance(p, sp.Add) and p.is_integer and isinstance(t, sp.Expr) and t.is_integer:
        shifted = [v for v in p.args if v in variables]
        if len(shifted) == 1 and not free(p - shifted[0]) & variables:
            yield from _unify(shifted[0], sp.expand(t - p + shifted[0]), variables, sub)
            return
    if p.func != t.func or len(p.args) != len(t.args):
        return
    orders = [t.args, t.args[::-1]] if isinstance(p, Dot) else [t.args]
    if isinstance(p, (sp.Add, sp.Mul, sp.Max)) and len(t.args) <= 4:
        orders = list(itertools.permutations(t.args))
    for order in orders:
        yield from _unify_args(list(zip(p.args, order, strict=True)), variables, sub)


def _unify_args(
    pairs: list[tuple[Any, Any]], variables: set[Any], sub: dict[Any, Any]
) -> Iterator[dict[Any, Any]]:
    if not pairs:
        yield sub
        return
    (p, t), *others = pairs
    for new in _unify(p, t, variables, sub):
        yield from _unify_args(others, variables, new)


_KERNEL_NAME = re.compile(r"@\d+|\b\d+_(?:\d+|p)\b")


def readable_indices(text: str) -> str:
    """Return a text with the kernel's names of bound indices replaced by letters."""
    letters = (c for c in "ijklmpqrstuvw" if not re.search(rf"\b{c}\b", text))
    names: dict[str, str] = {}
    for name in _KERNEL_NAME.findall(text):
        if name not in names:
            names[name] = next(letters, "i")
    return _KERNEL_NAME.sub(lambda match: names[match.group()], text)


def spell_multiple(multiplier: Factors, rest: tuple[Bound, ...], label: str) -> str:
    """Return a multiple of a fact as text."""
    parts = [str(a ** number(p)) for a, p in sorted(multiplier.items(), key=lambda x: key(x[0]))]
    text = "·".join([*parts, f"({label})"]) if parts else f"({label})"
    return f"Σ {text}" if rest else text


def square_facts(normal: Normal, targets: Iterable[Monomial]) -> list[Fact]:
    """Return squares of sums and differences of the roots of the monomials of a goal."""
    roots: dict[Any, tuple[Factors, tuple[Bound, ...]]] = {}
    for factors, bounds in sorted(targets, key=monomial_key):
        if len(bounds) > 2:
            continue
        half = {a: p / 2 for a, p in factors}
        with normal._ranging(bounds):
            fits = all(p.denominator == 1 or normal.is_nonnegative_atom(a) for a, p in half.items())
        if fits:
            roots[(tuple(half.items()), bounds)] = (half, bounds)
    items = sorted(roots.values(), key=lambda r: monomial_key((tuple(r[0].items()), r[1])))[:10]
    out: list[Fact] = []
    for x, y in itertools.combinations_with_replacement(items, 2):
        for sign in (-1, 1):
            for p in _squares(normal, x, y, sign):
                out.append(Fact(p, ">=", "a square"))
    unique = {frozenset(f.polynomial.items()): f for f in out}
    return list(unique.values())


def _squares(normal: Normal, x: Any, y: Any, sign: int) -> Iterator[Polynomial]:
    """Yield ``Σ (x ± y)²`` for the ways of sharing their indices."""
    (f, b), (g, a) = x, y
    if x is y and not b:
        return
    if b:
        f, b = normal._rename(f, b)
    if a:
        g, a = normal._rename(g, a)
    for shared in _alignments(b, a):
        names = dict(shared)
        h = {replace(atom, names): p for atom, p in g.items()}
        extra = tuple(
            (i, replace(lo, names), replace(hi, names)) for i, lo, hi in a if i not in names
        )
        bounds = b + extra
        terms = normal._settle(ONE, {k: 2 * p for k, p in f.items()}, bounds)
        terms += normal._settle(Fraction(2 * sign), add(f.items(), h), bounds)
        terms += normal._settle(ONE, {k: 2 * p for k, p in h.items()}, bounds)
        p = normal._collect(terms)
        if p:
            yield p


def _alignments(b: tuple[Bound, ...], a: tuple[Bound, ...]) -> Iterator[list[tuple[Any, Any]]]:
    yield []
    for size in range(1, min(len(b), len(a)) + 1):
        for mine in itertools.combinations(a, size):
            for theirs in itertools.permutations(b, size):
                if all(x[1:] == y[1:] for x, y in zip(mine, theirs, strict=True)):
                    yield [(x[0], y[0]) for x, y in zip(mine, theirs, strict=True)]


def completed_squares(normal: Normal, goal: Polynomial) -> list[Fact]:
    """Return the squares that completing the square in the goal suggests, one after another."""
    out: list[Fact] = []
    rest = {m: c for m, c in goal.items() if not m[1]}
    for _ in range(5):
        lead = None
        for m, c in sorted_items(rest):
            half = {a: p / 2 for a, p in m[0]}
            fits = all(p.denominator == 1 or normal.is_nonnegative_atom(a) for a, p in half.items())
            if c > 0 and m != UNIT and fits:
                crosses = _crosses(normal, rest, half)
                if crosses:
                    lead = (half, c, crosses)
                    break
        if lead is None:
            break
        half, c, crosses = lead
        terms = normal._settle(ONE, dict(half), ())
        for partner, d in crosses:
            terms += normal._settle(d / (2 * c), partner, ())
        root = normal._collect(terms)
        if len(root) > 12:
            break
        square = normal.product(root, root)
        out.append(Fact(square, ">=", f"({normal.expression(root)})²"))
        rest = {
            m: v
            for m in {*rest, *square}
            if (v := rest.get(m, Fraction(0)) - c * square.get(m, Fraction(0)))
        }
    return out


def _crosses(normal: Normal, p: Polynomial, half: Factors) -> list[tuple[Factors, Fraction]]:
    """Return the partners of a root: what the terms of a polynomial leave when divided by it."""
    out = []
    roots = [settled(normal, {a: e / 2 for a, e in m[0]}) for m in p]
    for m, c in sorted_items(p):
        before = dict(m[0])
        divided = normal._settle(ONE, add(m[0], {a: -e for a, e in half.items()}), ())
        if len(divided) != 1:
            continue
        partner = divided[0][1]
        fits = all(
            (e >= 0 or before.get(a, Fraction(0)) < 0)
            and (e.denominator == 1 or normal.is_nonnegative_atom(a))
            for a, e in partner.items()
        )
        if any(isinstance(a, sp.exp) for a in partner) and partner not in roots:
            continue
        if fits and partner != settled(normal, half):
            out.append((partner, c * divided[0][0]))
    return out


def settled(normal: Normal, factors: Factors) -> Factors | None:
    """Return a product of powers in its proper form, None if it is a sum."""
    terms = normal._settle(ONE, dict(factors), ())
    return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else None
