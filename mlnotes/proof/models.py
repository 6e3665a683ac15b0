"""Concrete cases: evaluate terms and statements in numbers, replay witnesses, look for failures.

A model gives every symbol a value: integers for limits, fractions for reals, tuples for vectors,
rows for matrices, finite distributions for random terms, formulas for declared functions. Values
are exact fractions as long as the term allows it, and 40-digit numbers beyond.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.matrices.expressions import MatrixExpr

from .errors import Vacuous
from .normal import key
from .terms import (
    Dot,
    Expectation,
    ForEach,
    Independent,
    IndependentFamily,
    Indicator,
    Inverse,
    Invertible,
    LogDet,
    Matrix,
    MatrixExpectation,
    PositiveDefinite,
    PositiveSemidefinite,
    Probability,
    Property,
    RandomFamily,
    RandomMatrix,
    RandomVariable,
    RandomVector,
    SymmetricMatrix,
    Trace,
    Vector,
    VectorFamily,
    differentiated,
    is_random,
    properties_of,
)

CONTEXT = mpmath.mp.clone() if hasattr(mpmath.mp, "clone") else mpmath.MPContext()
DIGITS = 40
MANY_DIGITS = 1000
CONTEXT.dps = DIGITS
APART = CONTEXT.mpf(10) ** -20
CLEAR = CONTEXT.mpf(10) ** -6
REPAIRS_PER_MODEL = 30
SIMPLE_MODELS = 8
Number = Any


# Outcomes are listed in the order of the names, and names are long in the making.
_spelled = functools.lru_cache(maxsize=20_000)(str)


class NoValue(Exception):
    """A term has no value in this model."""


@functools.lru_cache(maxsize=16)
def _tolerance(digits: int) -> Any:
    return CONTEXT.mpf(10) ** (-7 * digits // 10)


def tolerance() -> Any:
    """Return the relative difference below which two numbers count as equal: 1e-28 at 40 digits."""
    return _tolerance(CONTEXT.dps)


def bounded(x: Number) -> Number:
    """Return a number, but refuse one so large or small that the digits in use cannot compare it.

    At the usual 40 digits nothing is refused: an equation that passes there by a hair is asked for
    again with more digits wherever something depends on it.
    """
    if CONTEXT.dps > DIGITS and x and abs(CONTEXT.mag(x)) > CONTEXT.prec // 4:
        raise NoValue("a number too large or too small to be compared")
    return x


def lift(x: Number) -> Any:
    """Return a number with as many digits as are in use."""
    if type(x) is Fraction or type(x) is int:
        return _digits(x.numerator, x.denominator, CONTEXT.prec)
    if type(x) is CONTEXT.mpf and x._mpf_[3] <= CONTEXT.prec:
        return x
    return CONTEXT.mpf(x)


whole = functools.lru_cache(maxsize=1_000)(Fraction)


@functools.lru_cache(maxsize=20_000)
def _digits(numerator: int, denominator: int, precision: int) -> Any:
    return CONTEXT.mpf(numerator) / denominator


# Numbers are told apart by their type itself: asking whether one is an instance of Fraction, an
# abstract number, takes longer than adding two.
def plus(a: Number, b: Number) -> Number:
    """Add numbers, vectors or matrices."""
    if type(a) is Fraction and type(b) is Fraction:
        return a + b
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(plus(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, tuple) or isinstance(b, tuple):
        vector, other = (a, b) if isinstance(a, tuple) else (b, a)
        if other == 0:
            return vector
        raise NoValue("a number added to a vector")
    return lift(a) + lift(b)


def times(a: Number, b: Number) -> Number:
    """Multiply numbers, or scale a vector or matrix."""
    if type(a) is Fraction and type(b) is Fraction:
        return a * b
    if isinstance(a, tuple):
        return tuple(times(x, b) for x in a)
    if isinstance(b, tuple):
        return tuple(times(a, x) for x in b)
    return bounded(lift(a) * lift(b))


def compare(a: Number, b: Number) -> int:
    """Return the sign of ``a - b``: exact for fractions, up to a tolerance otherwise."""
    if type(a) is Fraction and type(b) is Fraction:
        gap = a.numerator * b.denominator - b.numerator * a.denominator
        return (gap > 0) - (gap < 0)
    if isinstance(a, tuple) or isinstance(b, tuple):
        raise NoValue("vectors are not ordered")
    x, y = lift(a), lift(b)
    gap = x - y
    if abs(gap) <= tolerance() * (1 + abs(x) + abs(y)):
        return 0
    return 1 if gap > 0 else -1


def same(a: Number, b: Number) -> bool:
    """Say whether two values are equal."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        if not isinstance(a, tuple):
            a = zero_like(b) if a == 0 else a
        if not isinstance(b, tuple):
            b = zero_like(a) if b == 0 else b
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return compare(a, b) == 0


def zero_like(a: Any) -> Any:
    """Return a vector or matrix of zeros of the same shape."""
    return tuple(zero_like(x) for x in a) if isinstance(a, tuple) else Fraction(0)


def _known(properties: str) -> frozenset[str]:
    """Return the properties of an example, which is smooth if it is differentiable."""
    known = set(properties.split())
    if "differentiable" in known:
        known.add("twice_differentiable")
        if "convex" in known:
            known.add("nonnegative_curvature")
    return frozenset(known)


LIBRARY: tuple[tuple[frozenset[str], Any], ...] = tuple(
    (_known(properties), formula)
    for properties, formula in (
        ("convex differentiable nonnegative positive_curvature", lambda x: x**2),
        ("convex increasing differentiable positive nonnegative positive_curvature", sp.exp),
        ("convex concave increasing differentiable", lambda x: 2 * x + 1),
        ("convex concave decreasing differentiable", lambda x: 1 - x),
        ("convex nonnegative", lambda x: abs(x - 1)),
        ("convex increasing nonnegative", lambda x: sp.Max(x, 0)),
        ("increasing differentiable", lambda x: x**3),
        ("concave differentiable", lambda x: x - x**2),
        ("concave increasing differentiable", lambda x: -sp.exp(-x)),
        (
            "convex decreasing differentiable positive nonnegative positive_curvature",
            lambda x: sp.exp(-x),
        ),
        ("convex differentiable positive nonnegative positive_curvature", lambda x: 1 + x**2),
        ("increasing differentiable positive nonnegative", lambda x: 1 / (1 + sp.exp(-x))),
        ("decreasing differentiable positive nonnegative", lambda x: 1 / (1 + sp.exp(x))),
        ("differentiable", lambda x: x**3 - x),
        ("concave", lambda x: -abs(x)),
        ("concave increasing", lambda x: sp.Min(x, 0)),
        ("concave differentiable positive nonnegative", lambda x: sp.Integer(2)),
    )
)
_SLOT = sp.Symbol("slot", real=True)


class Model:
    """Values for everything a statement mentions; what is missing is drawn when first needed."""

    def __init__(self, seed: int, dimension: int, sizes: Mapping[Any, int]) -> None:
        self.random = random.Random(seed)
        self.dimension = dimension
        self.values: dict[Any, Any] = {}
        self.integers: dict[Any, int] = dict(sizes)
        self.functions: dict[Any, Any] = {}
        self.weights: dict[Any, list[Fraction]] = {}
        self.joint = 3
        self.separate: frozenset[Any] = frozenset()
        self.families: frozenset[Any] = frozenset()
        self.fill = True
        self.simple = False

    def copy(self) -> Model:
        """Return an independent copy."""
        new = Model(0, self.dimension, self.integers)
        new.random.setstate(self.random.getstate())
        new.values = dict(self.values)
        new.functions = dict(self.functions)
        new.weights = {k: list(v) for k, v in self.weights.items()}
        new.joint, new.separate, new.families = self.joint, self.separate, self.families
        new.fill = self.fill
        return new

    def declare(self, statements: Iterable[Any]) -> None:
        """Take note of declared independence: independent parts get spaces of their own."""
        for s in statements:
            if isinstance(s, Independent):
                for part in s.args:
                    self.separate |= part.atoms(RandomVariable, RandomVector, RandomMatrix)
                    self.families |= part.atoms(RandomFamily)
            elif isinstance(s, IndependentFamily):
                family = s.args[0]
                self.families |= {family.expr.base if isinstance(family, sp.Lambda) else family}
            elif isinstance(s, ForEach) and isinstance(s.relation, IndependentFamily):
                self.declare([s.relation])

    # -------------------------------------------------------------- drawing values

    def draw(self, like: Any) -> Fraction:
        """Draw a number with the assumptions of a symbol or member of a family."""
        r = self.random
        style = 0 if self.simple or getattr(like, "is_integer", None) else r.randrange(4)
        if style == 0:
            value = Fraction(r.randint(-3, 3))
        elif style == 1:
            value = Fraction(r.randint(-9, 9), r.randint(1, 6))
        elif style == 2:
            value = Fraction(r.randint(-20, 20), 20)
        else:
            value = Fraction(r.randint(-40, 40), r.randint(1, 4))
        positive = getattr(like, "is_positive", None)
        if positive or getattr(like, "is_nonnegative", None):
            value = abs(value)
        elif getattr(like, "is_negative", None) or getattr(like, "is_nonpositive", None):
            value = -abs(value)
        if value == 0 and (positive or getattr(like, "is_nonzero", None)):
            value = Fraction(r.randint(1, 9), 1 if style == 0 else r.randint(1, 5))
            value = -value if getattr(like, "is_negative", None) else value
        return value

    def block(self, part: Any) -> Any:
        """Return the probability space on which a random part lives."""
        if isinstance(part, tuple) and part[0] in self.families:
            return part
        base = part[0] if isinstance(part, tuple) else part
        return base if base in self.separate else None

    def probabilities(self, block: Any) -> list[Fraction]:
        """Return the probabilities of the outcomes of a space."""
        if block not in self.weights:
            count = 2 if block is not None else self.joint
            raw = [self.random.randint(1, 4) for _ in range(count)]
            self.weights[block] = [Fraction(w, sum(raw)) for w in raw]
        return self.weights[block]

    def lookup(self, slot: Any, like: Any, shape: Any = None) -> Any:
        """Return the value of a slot, drawing it if it is new."""
        if slot not in self.values:
            if not self.fill:
                raise NoValue(f"no value for {slot_name(slot)}")
            self.values[slot] = self._new(like, shape)
        return self.values[slot]

    def _new(self, like: Any, shape: Any) -> Any:
        if shape is None:
            return self.draw(like)
        if isinstance(shape, int):
            return tuple(self.draw(None) for _ in range(shape))
        rows = [[self.draw(None) for _ in range(shape[1])] for _ in range(shape[0])]
        if shape[0] == shape[1] and isinstance(like, SymmetricMatrix):
            for i, j in itertools.combinations(range(shape[0]), 2):
                rows[j][i] = rows[i][j]
        return tuple(map(tuple, rows))

    def function(self, f: Any) -> Any:
        """Return the formula of a declared function and of its derivative."""
        origin = differentiated(f)
        if origin is not None:
            return _slope(self.function(origin))
        if f not in self.functions:
            if not self.fill:
                raise NoValue(f"no value for {f}")
            wanted = frozenset(properties_of(f))
            fitting = [formula for known, formula in LIBRARY if wanted <= known]
            if not fitting:
                raise NoValue(f"no example of a function that is {', '.join(sorted(wanted))}")
            self.functions[f] = self.random.choice(fitting)(_SLOT)
        return self.functions[f]

    # -------------------------------------------------------------- evaluating

    def value(self, e: Any, env: Mapping[Any, Any] | None = None) -> Any:
        """Return the value of a term: a number, a vector or the rows of a matrix."""
        return reading(e)(self, env or {})

    def integer(self, e: Any) -> int:
        """Return the value of an integer symbol."""
        if e not in self.integers:
            if not self.fill:
                raise NoValue(f"no value for {e}")
            low = 1 if e.is_positive else 0 if e.is_nonnegative else -2
            self.integers[e] = self.random.randint(low, 3)
        return self.integers[e]

    def at_outcome(self, slot: Any, like: Any, shape: Any, env: Mapping[Any, Any]) -> Any:
        """Return the value of a random term at the outcome that is being looked at."""
        outcome = env.get(("outcome", self.block(slot)))
        if outcome is None:
            raise NoValue(f"{like} is random: only its expectation has a value")
        return self.lookup(("at", slot, outcome), like if isinstance(like, Matrix) else None, shape)

    def holds(self, s: Any, env: Mapping[Any, Any] | None = None) -> bool:
        """Say whether a statement is true in this model, whatever the outcome."""
        env = env or {}
        if isinstance(s, sp.And):
            return all(self.holds(a, env) for a in s.args)
        if isinstance(s, ForEach):
            return all(
                self.holds(s.relation, {**env, s.index: whole(k)})
                for k in span(s.low, s.high)(self, env)
            )
        if is_random(s) and not isinstance(s, Property):
            return all(self._holds(s, outcome) for outcome in outcomes(s, self, env))
        return self._holds(s, env)

    def _holds(self, s: Any, env: Mapping[Any, Any]) -> bool:
        if isinstance(s, sp.Or):
            return any(self.holds(a, env) for a in s.args)
        if isinstance(s, sp.Not):
            return not self.holds(s.args[0], env)
        if isinstance(s, Relational):
            a, b = self.value(s.lhs, env), self.value(s.rhs, env)
            return self._compares(s, a, b) and not self._tiny_gap(s, a, b, env)
        if isinstance(s, Invertible):
            return compare(determinant(self.value(s.args[0], env)), Fraction(0)) != 0
        if isinstance(s, PositiveDefinite):
            return definite(self.value(s.args[0], env), strict=True)
        if isinstance(s, PositiveSemidefinite):
            return definite(self.value(s.args[0], env), strict=False)
        if isinstance(s, Independent):
            found = [spaces_of(part, self, env) for part in s.args]
            return sum(map(len, found)) == len(set().union(*found))
        if isinstance(s, IndependentFamily):
            return True
        raise NoValue(f"cannot evaluate {s}")

    def _tiny_gap(self, s: Any, a: Any, b: Any, env: Mapping[Any, Any]) -> bool:
        """Say whether an equation passes only because its sides are small: exp(-1000) is not 0."""
        exact_values = isinstance(a, Fraction) and isinstance(b, Fraction)
        if not isinstance(s, sp.Eq) or exact_values or isinstance(a, tuple) or isinstance(b, tuple):
            return False
        parts = [*sp.Add.make_args(s.lhs), *sp.Add.make_args(s.rhs)]
        largest = max(abs(lift(self.value(e, env))) for e in parts)
        return bool(abs(lift(a) - lift(b)) > tolerance() * largest)

    def _compares(self, s: Any, a: Any, b: Any) -> bool:
        if isinstance(s, sp.Eq):
            return same(a, b)
        if isinstance(s, sp.Ne):
            return not same(a, b)
        sign = compare(a, b)
        if isinstance(s, sp.Ge):
            return sign >= 0
        if isinstance(s, sp.Gt):
            return sign > 0
        if isinstance(s, sp.Le):
            return sign <= 0
        return sign < 0


@functools.lru_cache(maxsize=100)
def _slope(formula: Any) -> Any:
    return sp.diff(formula, _SLOT)


# ---------------------------------------------------------------------- evaluating terms

Env = Mapping[Any, Any]
Reading = Callable[[Model, Env], Any]


@functools.lru_cache(maxsize=20_000)
def reading(e: Any) -> Reading:
    """Return the function that evaluates a term; a term is taken apart once, not at every use."""
    for kinds, build in READINGS:
        if isinstance(e, kinds):
            return build(e)
    return _without_value(e)


def _without_value(e: Any) -> Reading:
    def read(model: Model, env: Env) -> Any:
        raise NoValue(f"cannot evaluate {e}")

    return read


def _read_rational(e: Any) -> Reading:
    value = Fraction(int(e.p), int(e.q))
    return lambda model, env: value


def _read_number_symbol(e: Any) -> Reading:
    return lambda model, env: CONTEXT.mpf(str(e.evalf(CONTEXT.dps + 5)))


def _read_random(e: Any) -> Reading:
    is_vector = isinstance(e, RandomVector)
    return lambda model, env: model.at_outcome(e, e, model.dimension if is_vector else None, env)


def _read_vector(e: Any) -> Reading:
    return lambda model, env: model.lookup(e, e, model.dimension)


def _read_symbol(e: Any) -> Reading:
    is_integer = e.is_integer

    def read(model: Model, env: Env) -> Any:
        value = env.get(e)
        if value is not None:
            return value
        return whole(model.integer(e)) if is_integer else model.lookup(e, e)

    return read


def _read_member(e: Any) -> Reading:
    base, indices = e.base, [reading(i) for i in e.indices]
    is_vector = isinstance(base, VectorFamily)

    def read(model: Model, env: Env) -> Any:
        slot = (base, *[int(index(model, env)) for index in indices])
        if isinstance(base, RandomFamily):
            return model.at_outcome(slot, e, None, env)
        return model.lookup(slot, e, model.dimension if is_vector else None)

    return read


def _read_add(e: Any) -> Reading:
    first, *rest = [reading(a) for a in e.args]

    def read(model: Model, env: Env) -> Any:
        total = first(model, env)
        for part in rest:
            total = plus(total, part(model, env))
        return total

    return read


def _read_mul(e: Any) -> Reading:
    return _read_product_of([reading(a) for a in e.args])


def _read_product_of(parts: Sequence[Reading]) -> Reading:
    def read(model: Model, env: Env) -> Any:
        result: Any = Fraction(1)
        for part in parts:
            result = times(result, part(model, env))
        return result

    return read


def _read_pow(e: Any) -> Reading:
    base, exponent = reading(e.base), reading(e.exp)
    return lambda model, env: _power(base(model, env), exponent(model, env))


def _read_fold(e: Any) -> Reading:
    *inner, (index, low, high) = e.limits
    body = reading(e.func(e.function, *inner) if inner else e.function)
    run = span(low, high)
    start, combine = (Fraction(0), plus) if isinstance(e, sp.Sum) else (Fraction(1), times)

    def read(model: Model, env: Env) -> Any:
        out: Any = start
        inside = dict(env)
        for k in run(model, env):
            inside[index] = whole(k)
            out = combine(out, body(model, inside))
        return out

    return read


def _read_dot(e: Any) -> Reading:
    left, right = map(reading, e.args)

    def read(model: Model, env: Env) -> Any:
        u, v = left(model, env), right(model, env)
        total: Any = Fraction(0)
        if isinstance(u, tuple) and isinstance(v, tuple):
            for x, y in zip(u, v, strict=True):
                total = plus(total, times(x, y))
        return total

    return read


def _read_exp(e: Any) -> Reading:
    argument = reading(e.args[0])

    def read(model: Model, env: Env) -> Any:
        x = argument(model, env)
        if x == 0:
            return Fraction(1)
        if abs(lift(x)) > 10_000:
            raise NoValue("an exponential too large to write down")
        return bounded(CONTEXT.exp(lift(x)))

    return read


def _log(x: Any) -> Any:
    if compare(x, Fraction(0)) <= 0:
        raise NoValue(f"log of {show(x)}")
    return Fraction(0) if x == 1 else CONTEXT.log(lift(x))


def _read_log(e: Any) -> Reading:
    argument = reading(e.args[0])
    return lambda model, env: _log(argument(model, env))


def _read_abs(e: Any) -> Reading:
    argument = reading(e.args[0])

    def read(model: Model, env: Env) -> Any:
        x = argument(model, env)
        return -x if compare(x, Fraction(0)) < 0 else x

    return read


def _read_extreme(e: Any) -> Reading:
    parts = [reading(a) for a in e.args]
    better = 1 if isinstance(e, sp.Max) else -1

    def read(model: Model, env: Env) -> Any:
        best, *others = [part(model, env) for part in parts]
        for x in others:
            best = x if compare(x, best) == better else best
        return best

    return read


def _read_delta(e: Any) -> Reading:
    left, right = map(reading, e.args)
    return lambda model, env: Fraction(int(left(model, env) == right(model, env)))


def _read_indicator(e: Any) -> Reading:
    return lambda model, env: Fraction(int(model.holds(e.args[0], env)))


def _read_mean(e: Any) -> Reading:
    inside = Indicator(e.args[0]) if isinstance(e, Probability) else e.args[0]
    body = reading(inside)

    def read(model: Model, env: Env) -> Any:
        blocks = sorted(spaces_of(inside, model, env), key=_spelled)
        chances = [model.probabilities(b) for b in blocks]
        total: Any = Fraction(0)
        at = dict(env)
        for outcome in itertools.product(*(range(len(c)) for c in chances)):
            weight = Fraction(1)
            for b, chance, k in zip(blocks, chances, outcome, strict=True):
                weight *= chance[k]
                at["outcome", b] = k
            total = plus(total, times(weight, body(model, at)))
        return total

    return read


def _read_trace(e: Any) -> Reading:
    rows = reading(e.args[0])

    def read(model: Model, env: Env) -> Any:
        total: Any = Fraction(0)
        for k, row in enumerate(rows(model, env)):
            total = plus(total, row[k])
        return total

    return read


def _read_logdet(e: Any) -> Reading:
    rows = reading(e.args[0])

    def read(model: Model, env: Env) -> Any:
        det = determinant(rows(model, env))
        if compare(det, Fraction(0)) <= 0:
            raise NoValue("the determinant is not positive")
        return CONTEXT.log(lift(det))

    return read


def _read_function(e: Any) -> Reading:
    argument = reading(e.args[0])

    def read(model: Model, env: Env) -> Any:
        x = argument(model, env)
        return reading(model.function(e.func))(model, {**env, _SLOT: x})

    return read


def _read_sign(e: Any) -> Reading:
    argument = reading(e.args[0])
    if isinstance(e, sp.sign):
        return lambda model, env: Fraction(compare(argument(model, env), Fraction(0)))
    return lambda model, env: Fraction(int(compare(argument(model, env), Fraction(0)) > 0))


def _read_matrix(e: Any) -> Reading:
    shape = shape_of(e)

    def read(model: Model, env: Env) -> Any:
        if isinstance(e, RandomMatrix):
            return model.at_outcome(e, e, shape(model, env), env)
        return model.lookup(e, e, shape(model, env))

    return read


def _read_identity(e: Any) -> Reading:
    shape = shape_of(e)

    def read(model: Model, env: Env) -> Any:
        n, _ = shape(model, env)
        return tuple(tuple(Fraction(int(i == j)) for j in range(n)) for i in range(n))

    return read


def _read_zeros(e: Any) -> Reading:
    shape = shape_of(e)

    def read(model: Model, env: Env) -> Any:
        rows, columns = shape(model, env)
        return tuple((Fraction(0),) * columns for _ in range(rows))

    return read


def _read_matmul(e: Any) -> Reading:
    scale = _read_product_of([reading(a) for a in e.args if not isinstance(a, MatrixExpr)])
    first, *rest = [reading(a) for a in e.args if isinstance(a, MatrixExpr)]

    def read(model: Model, env: Env) -> Any:
        factor, result = scale(model, env), first(model, env)
        for part in rest:
            result = multiply(result, part(model, env))
        return times(factor, result)

    return read


def _read_transpose(e: Any) -> Reading:
    rows = reading(e.args[0])
    return lambda model, env: tuple(zip(*rows(model, env), strict=True))


def _read_inverse(e: Any) -> Reading:
    rows = reading(e.args[0])
    return lambda model, env: invert(rows(model, env))


def _read_matpow(e: Any) -> Reading:
    rows, power = reading(e.base), int(e.exp)

    def read(model: Model, env: Env) -> Any:
        base = rows(model, env)
        base = invert(base) if power < 0 else base
        out = base
        for _ in range(abs(power) - 1):
            out = multiply(out, base)
        return out

    return read


# The first kind that fits: matrices are sums and powers too.
READINGS: tuple[tuple[Any, Callable[[Any], Reading]], ...] = (
    (sp.Rational, _read_rational),
    (sp.NumberSymbol, _read_number_symbol),
    (Matrix, _read_matrix),
    (sp.Identity, _read_identity),
    (sp.ZeroMatrix, _read_zeros),
    (sp.MatAdd, _read_add),
    (sp.MatMul, _read_matmul),
    (sp.Transpose, _read_transpose),
    ((Inverse, sp.Inverse), _read_inverse),
    (sp.MatPow, _read_matpow),
    (MatrixExpectation, _read_mean),
    (MatrixExpr, _without_value),
    ((RandomVariable, RandomVector), _read_random),
    (Vector, _read_vector),
    (sp.Symbol, _read_symbol),
    (sp.Indexed, _read_member),
    (sp.Add, _read_add),
    (sp.Mul, _read_mul),
    (sp.exp, _read_exp),
    (sp.Pow, _read_pow),
    ((sp.Sum, sp.Product), _read_fold),
    (Dot, _read_dot),
    (sp.log, _read_log),
    (sp.Abs, _read_abs),
    ((sp.Max, sp.Min), _read_extreme),
    (sp.KroneckerDelta, _read_delta),
    (Indicator, _read_indicator),
    ((Expectation, Probability), _read_mean),
    (Trace, _read_trace),
    (LogDet, _read_logdet),
    (AppliedUndef, _read_function),
    ((sp.Heaviside, sp.sign), _read_sign),
)


@functools.lru_cache(maxsize=5_000)
def span(low: Any, high: Any) -> Callable[[Model, Env], range]:
    """Return the function that gives the values of an index between two terms."""
    first, last = reading(low), reading(high)

    def read(model: Model, env: Env) -> range:
        start, end = first(model, env), last(model, env)
        if end - start > 60:
            raise NoValue("a range too long to write out")
        return range(int(start), int(end) + 1)

    return read


def shape_of(e: Any) -> Callable[[Model, Env], tuple[int, int]]:
    """Return the function that gives the numbers of rows and columns of a matrix."""
    rows, columns = map(reading, e.shape)
    return lambda model, env: (int(rows(model, env)), int(columns(model, env)))


def spaces_of(e: Any, model: Model, env: Env) -> set[Any]:
    """Return the probability spaces on which a term or a statement depends."""
    out: set[Any] = set()
    _spaces(e)(model, env, out)
    return out


Spaces = Callable[[Model, Env, "set[Any]"], None]


@functools.lru_cache(maxsize=20_000)
def _spaces(e: Any) -> Spaces:
    """Return the function that adds the probability spaces of a term to a set."""
    if isinstance(e, (RandomVariable, RandomVector, RandomMatrix)):
        return lambda model, env, out: out.add(model.block(e))
    if isinstance(e, sp.Indexed) and isinstance(e.base, RandomFamily):
        return _spaces_of_member(e)
    if isinstance(e, ForEach):
        return _spaces_along(e.relation, e.index, span(e.low, e.high))
    if isinstance(e, (sp.Sum, sp.Product)):
        *inner, (index, low, high) = e.limits
        body = e.func(e.function, *inner) if inner else e.function
        return _spaces_along(body, index, span(low, high))
    parts = [_spaces(a) for a in e.args if is_random(a)]

    def add(model: Model, env: Env, out: set[Any]) -> None:
        for part in parts:
            part(model, env, out)

    return add


def _spaces_of_member(e: Any) -> Spaces:
    base, indices = e.base, [reading(i) for i in e.indices]

    def add(model: Model, env: Env, out: set[Any]) -> None:
        at = [int(i(model, env)) for i in indices] if base in model.families else []
        out.add(model.block((base, *at)))

    return add


def _spaces_along(body: Any, index: Any, run: Callable[[Model, Env], range]) -> Spaces:
    inside = _spaces(body)

    def add(model: Model, env: Env, out: set[Any]) -> None:
        at = dict(env)
        for k in run(model, env):
            at[index] = whole(k)
            inside(model, at, out)

    return add


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        if base == 0 and exponent < 0:
            raise NoValue("division by zero")
        if abs(exponent) > 400:
            raise NoValue("a power too large to write down")
        if isinstance(base, Fraction):
            return base ** int(exponent)
        if compare(base, Fraction(0)) == 0 and exponent < 0:
            raise NoValue("division by zero")
        return bounded(lift(base) ** int(exponent))
    sign = compare(base, Fraction(0))
    if sign < 0 or (sign == 0 and compare(exponent, Fraction(0)) < 0):
        raise NoValue(f"a root of {show(base)}")
    if sign == 0:
        return Fraction(0)
    if isinstance(base, Fraction) and exponent == Fraction(1, 2):
        p, q = sp.integer_nthroot(base.numerator, 2), sp.integer_nthroot(base.denominator, 2)
        if p[1] and q[1]:
            return Fraction(int(p[0]), int(q[0]))
    return bounded(lift(base) ** lift(exponent))


def violated(s: Any, model: Model, margin: Any = APART) -> bool:
    """Say whether a relation fails: exactly, or by more than a margin relative to its sides."""
    if is_random(s) and not isinstance(s, Property):
        return any(_violated(s, model, env, margin) for env in outcomes(s, model))
    return _violated(s, model, {}, margin)


def outcomes(
    s: Any, model: Model, env: Mapping[Any, Any] | None = None
) -> Iterator[dict[Any, Any]]:
    """Yield all outcomes of the random terms that a statement mentions, the known ones kept."""
    env = env or {}
    blocks = sorted(spaces_of(s, model, env), key=_spelled)
    free = [b for b in blocks if ("outcome", b) not in env]
    counts = [range(len(model.probabilities(b))) for b in free]
    for choice in itertools.product(*counts):
        yield {**env, **{("outcome", b): k for b, k in zip(free, choice, strict=True)}}


def _violated(s: Any, model: Model, env: Mapping[Any, Any], margin: Any) -> bool:
    if not isinstance(s, Relational):
        return not model.holds(s, env)
    a, b = model.value(s.lhs, env), model.value(s.rhs, env)
    if model._compares(s, a, b):
        return False
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return True
    if isinstance(a, tuple) or isinstance(b, tuple):
        return True
    if isinstance(s, (sp.Lt, sp.Gt, sp.Ne)) and compare(a, b) == 0:
        # Equal to 28 digits but not exactly known to be: no counterexample.
        return False
    x, y = lift(a), lift(b)
    return bool(abs(x - y) > margin * (1 + abs(x) + abs(y)))


def determinant(rows: Any) -> Any:
    """Return the determinant by expansion along the first row."""
    if not rows:
        return Fraction(1)
    total: Any = Fraction(0)
    for j, x in enumerate(rows[0]):
        minor = [r[:j] + r[j + 1 :] for r in rows[1:]]
        sign = Fraction(-1 if j % 2 else 1)
        total = plus(total, times(times(sign, x), determinant(minor)))
    return total


def invert(rows: Any) -> Any:
    """Return the inverse of a small matrix by cofactors."""
    det = determinant(rows)
    if compare(det, Fraction(0)) == 0:
        raise NoValue("the matrix is singular")
    n = len(rows)

    def cofactor(i: int, j: int) -> Any:
        minor = [r[:j] + r[j + 1 :] for k, r in enumerate(rows) if k != i]
        return times(Fraction(-1 if (i + j) % 2 else 1), determinant(minor))

    scale = 1 / det
    return tuple(tuple(times(scale, cofactor(j, i)) for j in range(n)) for i in range(n))


def multiply(a: Any, b: Any) -> Any:
    """Return the product of two matrices given by rows."""
    columns = list(zip(*b, strict=True))

    def entry(row: Any, column: Any) -> Any:
        total: Any = Fraction(0)
        for x, y in zip(row, column, strict=True):
            total = plus(total, times(x, y))
        return total

    return tuple(tuple(entry(row, column) for column in columns) for row in a)


def definite(rows: Any, strict: bool) -> bool:
    """Say whether a small matrix is symmetric and positive (semi)definite, by its minors."""
    n = len(rows)
    if any(not same(rows[i][j], rows[j][i]) for i in range(n) for j in range(i)):
        return False
    sizes = range(1, n + 1)
    for size in sizes:
        chosen = [tuple(range(size))] if strict else itertools.combinations(range(n), size)
        for index in chosen:
            sign = compare(determinant([[rows[i][j] for j in index] for i in index]), Fraction(0))
            if sign < 0 or (strict and sign == 0):
                return False
    return True


def show(x: Any) -> str:
    """Return a value as text a student can read."""
    if isinstance(x, tuple):
        return "(" + ", ".join(map(show, x)) + ")"
    if isinstance(x, Fraction):
        return str(x)
    if isinstance(x, int):
        return str(x)
    return str(CONTEXT.nstr(x, 8)) if hasattr(CONTEXT, "nstr") else mpmath.nstr(x, 8)


def is_outcome(slot: Any) -> bool:
    """Say whether a slot holds the value of a random term at one outcome."""
    # Asking a term whether it equals "at" would make SymPy read the word as a term.
    return isinstance(slot, tuple) and isinstance(slot[0], str)


@functools.lru_cache(maxsize=20_000)
def base_of(slot: Any) -> Any:
    """Return the symbol or family that a slot holds a value of."""
    inner = slot[1] if is_outcome(slot) else slot
    return inner[0] if isinstance(inner, tuple) else inner


@functools.lru_cache(maxsize=20_000)
def slot_name(slot: Any) -> str:
    """Return the name of what a slot holds the value of."""
    if is_outcome(slot):
        return f"{slot_name(slot[1])} at outcome {slot[2] + 1}"
    if isinstance(slot, tuple):
        return f"{slot[0]}[{', '.join(map(str, slot[1:]))}]"
    return str(slot)


def readable(model: Model, mentioned: Iterable[Any]) -> dict[str, Any]:
    """Return the values in a model of what is mentioned, by name."""
    names: dict[str, Any] = {}
    bases = set(mentioned)
    for symbol, k in sorted(model.integers.items(), key=lambda item: str(item[0])):
        if symbol in bases:
            names[str(symbol)] = k
    for slot, value in sorted(model.values.items(), key=lambda item: slot_name(item[0])):
        if base_of(slot) in bases:
            names[slot_name(slot)] = value
    for f, formula in sorted(model.functions.items(), key=lambda item: str(item[0])):
        names[str(f)] = sp.Lambda(_SLOT, formula)
    for block, weights in sorted(model.weights.items(), key=lambda item: str(item[0])):
        where = "" if block is None else f" of {slot_name(block)}"
        names[f"probabilities{where}"] = tuple(weights)
    return names


@functools.lru_cache(maxsize=5_000)
def symbols_in(e: Any) -> frozenset[Any]:
    """Return the symbols, families, matrices and functions that occur freely."""
    out: set[Any] = {s for s in e.free_symbols if isinstance(s, (sp.Symbol, sp.MatrixSymbol))}
    out |= set(e.atoms(sp.IndexedBase)) | set(e.atoms(sp.MatrixSymbol))
    labels = {b.label for b in e.atoms(sp.IndexedBase)}
    out = {s for s in out if s not in labels}
    out |= {f.func for f in e.atoms(AppliedUndef)}
    return frozenset(s for s in out if not isinstance(s, sp.Indexed))


# ---------------------------------------------------------------------- witnesses


def witness_model(
    witness: Mapping[Any, Any], statements: Sequence[Any], terms: Sequence[Any]
) -> Model:
    """Return the model that a witness describes; refuse one that is not exact or complete."""
    mentioned: set[Any] = set()
    for e in [*statements, *terms]:
        mentioned |= symbols_in(e)
    by_name = {str(m): m for m in sorted(mentioned, key=str)}
    model = Model(0, 2, {})
    model.fill = False
    model.declare(statements)
    dimension: int | None = None
    for name, value in witness.items():
        target = by_name.get(str(name), name)
        dimension = _assign(model, target, value, dimension)
    model.dimension = dimension or 2
    return model


def _assign(model: Model, target: Any, value: Any, dimension: int | None) -> int | None:
    def vector(v: Any) -> Any:
        nonlocal dimension
        if not isinstance(v, Iterable) or isinstance(v, str):
            raise Vacuous(f"the witness gives {target} the value {v!r}, but it is a vector")
        out = tuple(exact(x, target) for x in v)
        if dimension is not None and len(out) != dimension:
            raise Vacuous(f"the witness mixes vectors of length {dimension} and {len(out)}")
        dimension = len(out)
        return out

    if isinstance(target, RandomFamily):
        members = value.items() if isinstance(value, Mapping) else enumerate(value, start=1)
        for k, pairs in members:
            at = k if isinstance(k, tuple) else (k,)
            _distribution(model, (target, *at), pairs, lambda v: exact(v, target))
    elif isinstance(target, RandomVector):
        _distribution(model, target, value, vector)
    elif isinstance(target, RandomVariable):
        _distribution(model, target, value, lambda v: exact(v, target))
    elif isinstance(target, RandomMatrix):
        _distribution(model, target, value, lambda v: rows_of(v, target))
    elif isinstance(target, Vector):
        model.values[target] = vector(value)
    elif isinstance(target, sp.MatrixSymbol):
        model.values[target] = rows_of(value, target)
    elif isinstance(target, sp.IndexedBase):
        convert = vector if isinstance(target, VectorFamily) else (lambda v: exact(v, target))
        for at, entry in family_entries(target, value, isinstance(target, VectorFamily)):
            model.values[(target, *at)] = convert(entry)
    elif isinstance(target, sp.Symbol) and target.is_integer:
        size = exact(value, target)
        if size.denominator != 1:
            raise Vacuous(f"the witness gives the integer {target} the value {value}")
        model.integers[target] = int(size)
    elif isinstance(target, sp.Symbol):
        model.values[target] = exact(value, target)
    elif callable(value):
        model.functions[target] = sp.sympify(value(_SLOT))
        broken = broken_property(model, target)
        if broken:
            raise Vacuous(f"the witness of {target} is not {broken}, as it was declared")
    return dimension


GRID = tuple(Fraction(k, 4) for k in range(-24, 25))


def broken_property(model: Model, f: Any) -> str | None:
    """Return a declared property that a function breaks on a grid of points, if any."""
    try:
        values = [model.value(model.functions[f], {_SLOT: x}) for x in GRID]
    except NoValue:
        return "a function on all reals"
    signs = [compare(y, x) for x, y in itertools.pairwise(values)]
    bends = [
        compare(plus(x, z), times(Fraction(2), y))
        for x, y, z in zip(values, values[1:], values[2:], strict=False)
    ]
    levels = [compare(x, Fraction(0)) for x in values]
    second: list[int] = []
    if "twice_differentiable" in properties_of(f):
        try:
            twice = sp.diff(model.functions[f], _SLOT, 2)
            second = [compare(model.value(twice, {_SLOT: x}), Fraction(0)) for x in GRID]
        except NoValue:
            return "twice differentiable"
    broken = {
        "convex": any(b < 0 for b in bends),
        "concave": any(b > 0 for b in bends),
        "increasing": any(d < 0 for d in signs),
        "decreasing": any(d > 0 for d in signs),
        "positive": any(v <= 0 for v in levels),
        "nonnegative": any(v < 0 for v in levels),
        "nonnegative_curvature": any(c < 0 for c in second),
        "positive_curvature": any(c <= 0 for c in second),
    }
    return next((name for name in properties_of(f) if broken.get(name)), None)


def _distribution(model: Model, slot: Any, pairs: Any, convert: Any) -> None:
    if not isinstance(pairs, Iterable) or isinstance(pairs, str):
        raise Vacuous(
            f"the witness of a random term is a list of (value, probability), got {pairs}"
        )
    pairs = list(pairs)
    weights = [exact(p, slot) for _, p in pairs]
    if sum(weights) != 1 or any(w < 0 for w in weights):
        raise Vacuous(f"the probabilities in the witness of {slot_name(slot)} do not sum to one")
    # A space of its own for each random term: a witness is given by marginal distributions.
    base = slot[0] if isinstance(slot, tuple) else slot
    if isinstance(slot, tuple):
        model.families |= {base}
    else:
        model.separate |= {base}
    model.weights[model.block(slot)] = weights
    for k, (value, _) in enumerate(pairs):
        model.values["at", slot, k] = convert(value)


def family_entries(target: Any, value: Any, vectors: bool) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield the members of a family given as a list (from index 1), nested lists or a dict."""
    if isinstance(value, Mapping):
        for at, entry in value.items():
            yield (at if isinstance(at, tuple) else (at,)), entry
        return
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise Vacuous(f"the witness gives the family {target} the single value {value!r}")
    for k, entry in enumerate(value, start=1):
        nested = isinstance(entry, Iterable) and not isinstance(entry, (sp.Basic, str))
        deeper = nested and (
            not vectors or any(isinstance(x, Iterable) for x in entry if not isinstance(x, str))
        )
        if deeper:
            for at, inner in family_entries(target, entry, vectors):
                yield (k, *at), inner
        else:
            yield (k,), entry


def exact(value: Any, target: Any) -> Fraction:
    """Return a number of a witness as a fraction; floats count with the digits they show."""
    if isinstance(value, bool):
        raise Vacuous(f"the witness gives {target} the value {value}, which is not a number")
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, float) and math.isfinite(value):
        return Fraction(str(value))
    try:
        e = sp.sympify(value)
    except sp.SympifyError as reason:
        raise Vacuous(f"the witness gives {target} the value {value!r}: not a number") from reason
    if e.is_Rational:
        return Fraction(int(e.p), int(e.q))
    if e.is_Float:
        return Fraction(str(e))
    if e.is_number and e.is_real:
        return CONTEXT.mpf(str(e.evalf(CONTEXT.dps + 5)))  # type: ignore[no-any-return]
    raise Vacuous(f"the witness gives {target} the value {value!r}, which is not a real number")


def rows_of(value: Any, target: Any) -> Any:
    """Return the rows of a matrix in a witness; a flat list is a column."""
    rows = list(value)
    if rows and not isinstance(rows[0], Iterable):
        rows = [[x] for x in rows]
    return tuple(tuple(exact(x, target) for x in row) for row in rows)


ASSUMPTIONS: dict[str, Callable[[Any], bool]] = {
    "integer": lambda value: isinstance(value, Fraction) and value.denominator == 1,
    "positive": lambda value: compare(value, Fraction(0)) > 0,
    "nonnegative": lambda value: compare(value, Fraction(0)) >= 0,
    "nonzero": lambda value: compare(value, Fraction(0)) != 0,
    "negative": lambda value: compare(value, Fraction(0)) < 0,
    "nonpositive": lambda value: compare(value, Fraction(0)) <= 0,
}


def check_assumptions(model: Model, mentioned: Iterable[Any]) -> str | None:
    """Return the assumption about a symbol that its value breaks, if any."""
    for target in sorted(mentioned, key=str):
        for slot, value in _entries(model, target):
            if isinstance(target, Matrix):
                if wrong := _wrong_matrix(model, target, value):
                    return f"{slot_name(slot)} = {show(value)} {wrong}"
            elif not isinstance(value, tuple):
                number = Fraction(value) if isinstance(value, int) else value
                for name, fits in ASSUMPTIONS.items():
                    if getattr(target, f"is_{name}", None) and not fits(number):
                        return f"{slot_name(slot)} = {show(value)} is not {name}"
    return None


def _wrong_matrix(model: Model, target: Any, rows: Any) -> str | None:
    try:
        wanted = shape_of(target)(model, {})
    except NoValue as reason:
        return f"has a size that nobody gave: {reason}"
    if (len(rows), *{len(row) for row in rows}) != (wanted if wanted[0] else (0,)):
        return f"is not {wanted[0]} by {wanted[1]}"
    if isinstance(target, SymmetricMatrix) and not same(rows, tuple(zip(*rows, strict=True))):
        return "is not symmetric"
    return None


def confirmed(witness: Mapping[Any, Any], statements: Sequence[Any]) -> bool:
    """Say whether hypotheses that hold at a witness to 40 digits also hold to many more.

    How many depends on the numbers that were typed: no fraction among them comes near a root of
    another without being told apart.
    """
    typed = sum(len(str(n)) for n in [*witness.values(), *statements])
    with CONTEXT.workdps(MANY_DIGITS + typed):
        model = witness_model(witness, statements, [])
        return all(model.holds(s) for s in statements)


def _entries(model: Model, target: Any) -> Iterator[tuple[Any, Any]]:
    if target in model.integers:
        yield target, model.integers[target]
    if target in model.values:
        yield target, model.values[target]
    if isinstance(target, (sp.IndexedBase, RandomMatrix)):
        for slot, value in model.values.items():
            if isinstance(slot, tuple) and target == (slot[1] if is_outcome(slot) else slot[0]):
                yield slot, value


# ---------------------------------------------------------------------- looking for failures


class Search:
    """Look for a model of the hypotheses in which a relation fails."""

    def __init__(self, statements: Sequence[Any], witness: Model | None) -> None:
        self.statements = statements
        self.witness = witness
        self.work = 0

    def models(self, goal: Any, first: int, count: int) -> Iterator[Model]:
        """Yield models of the hypotheses, the same ones in every run."""
        mentioned: set[Any] = set()
        for e in [*self.statements, goal]:
            mentioned |= symbols_in(e)
        self.work = 0
        for seed in range(first, first + count):
            # Small whole numbers first: a counterexample is there to be followed.
            if self.work > REPAIRS_PER_MODEL * count:
                return
            model = self._start(seed, mentioned)
            model.simple = seed < SIMPLE_MODELS
            try:
                if not self._repair(model, goal):
                    continue
            except (NoValue, ZeroDivisionError, OverflowError, ValueError):
                continue
            yield model

    def counterexample(
        self, goal: Any, first: int, count: int, clear: bool = False
    ) -> Model | None:
        """Return a model in which the hypotheses hold and the goal fails, after replaying it.

        A failure that shows in the first six digits is preferred to one that does not; with
        ``clear`` nothing else counts.
        """
        faint: Model | None = None
        for model in self.models(goal, first, count):
            try:
                if violated(goal, model) and self._replay(model, goal):
                    if violated(goal, model, CLEAR):
                        return model
                    faint = faint or model
            except (NoValue, ZeroDivisionError, OverflowError, ValueError):
                continue
        return None if clear else faint

    def _replay(self, model: Model, goal: Any) -> bool:
        fixed = model.copy()
        fixed.fill = False
        mentioned = set().union(*(symbols_in(e) for e in [*self.statements, goal]))
        return (
            check_assumptions(fixed, mentioned) is None
            and all(fixed.holds(s) for s in self.statements)
            and violated(goal, fixed)
        )

    def _start(self, seed: int, mentioned: set[Any]) -> Model:
        r = random.Random(seed)
        if self.witness is not None and seed % 2 == 0:
            model = self.witness.copy()
            model.random = r
            model.fill = True
            model.simple = seed < SIMPLE_MODELS
            pool = sorted(
                (s for s in model.values if not is_outcome(s)),
                key=slot_name,
            )
            for slot in pool:
                if r.random() < (0.25 + 0.5 * (seed % 4 == 0)):
                    old = model.values[slot]
                    like = slot[0] if isinstance(slot, tuple) else slot
                    if isinstance(old, tuple) and old and isinstance(old[0], tuple):
                        continue
                    if isinstance(old, tuple):
                        model.values[slot] = tuple(model.draw(None) for _ in old)
                    else:
                        model.values[slot] = model.draw(like)
            return model
        sizes = {}
        for s in sorted((m for m in mentioned if isinstance(m, sp.Symbol)), key=str):
            if s.is_integer:
                low = 1 if s.is_positive else 0
                sizes[s] = max(low, 1 + (seed + r.randrange(3)) % 3) if r.random() < 0.9 else low
        model = Model(seed, 1 + seed % 3, sizes)
        model.declare(self.statements)
        return model

    def _flat(self, model: Model) -> list[tuple[Any, dict[Any, Any]]]:
        """Return all relations of the hypotheses, those for each index written out."""

        def expand(s: Any, env: dict[Any, Any]) -> Iterator[tuple[Any, dict[Any, Any]]]:
            if isinstance(s, sp.And):
                for a in sorted(s.args, key=key):
                    yield from expand(a, env)
            elif isinstance(s, sp.Or):
                args = sorted(s.args, key=key)
                if model.holds(s, env):
                    return
                yield from expand(args[model.random.randrange(len(args))], env)
            elif isinstance(s, ForEach):
                for k in span(s.low, s.high)(model, env):
                    yield from expand(s.relation, {**env, s.index: Fraction(k)})
            elif isinstance(s, Relational) and not isinstance(s.lhs, MatrixExpr):
                if is_random(s):
                    for outcome in outcomes(s, model, env):
                        yield s, outcome
                else:
                    yield s, env

        return [pair for s in self.statements for pair in expand(s, {})]

    def _repair(self, model: Model, goal: Any) -> bool:
        """Move free values until the hypotheses hold, equations first."""
        model.holds(goal)
        flat = self._flat(model)
        pinned: set[Any] = set()
        order = sorted(range(len(flat)), key=lambda k: not isinstance(flat[k][0], sp.Eq))
        for _ in range(2):
            for k in order:
                s, env = flat[k]
                self.work += 1
                if not model.holds(s, env):
                    self.work += 4
                    self._mend(model, s, env, pinned)
            if all(model.holds(s) for s in self.statements):
                break
        else:
            return False
        mentioned = set().union(*(symbols_in(e) for e in [*self.statements, goal]))
        return check_assumptions(model, mentioned) is None

    def _mend(self, model: Model, s: Any, env: dict[Any, Any], pinned: set[Any]) -> None:
        def gap() -> Any:
            a, b = model.value(s.lhs, env), model.value(s.rhs, env)
            if isinstance(a, tuple) or isinstance(b, tuple):
                return self._vector_gap(model, s, env, a, b, pinned)
            return plus(a, times(Fraction(-1), b))

        model.values = values = _Noted(model.values)
        try:
            start = gap()
        finally:
            model.values = dict(values)
        if start is None:
            return
        slots = [x for x in self._slots(model, s) if x not in pinned]
        model.random.shuffle(slots)
        if isinstance(s, sp.Eq) and not isinstance(start, Fraction):
            return  # no fraction solves it
        for slot, part in slots:
            if (slot, part) in pinned:
                continue
            old = get(model, slot, part)
            if not isinstance(old, Fraction):
                continue
            one = two = start
            if slot in values.read:
                try:
                    put(model, slot, part, old + 1)
                    one = gap()
                    put(model, slot, part, old + 2)
                    two = gap()
                except (NoValue, ZeroDivisionError):
                    put(model, slot, part, old)
                    continue
                put(model, slot, part, old)
            slope = plus(one, times(Fraction(-1), start))
            bend = plus(plus(two, start), times(Fraction(-2), one))
            new = self._solve(model, s, old, start, slope, bend)
            if new is None or slot not in values.read:
                continue
            put(model, slot, part, new)
            like = slot if is_outcome(slot) else base_of(slot)
            bad = check_assumptions(model, [like]) if not isinstance(like, tuple) else None
            try:
                fine = bad is None and model.holds(s, env)
            except (NoValue, ZeroDivisionError):
                fine = False
            if fine:
                if isinstance(s, sp.Eq):
                    pinned.add((slot, part))
                return
            put(model, slot, part, old)

    def _vector_gap(self, model: Model, s: Any, env: Any, a: Any, b: Any, pinned: set[Any]) -> None:
        """Satisfy a vector equation whose one side is a single vector by assigning it."""
        for side, other in ((s.lhs, b), (s.rhs, a)):
            slot: Any = None
            if isinstance(side, Vector):
                slot = side
            elif isinstance(side, sp.Indexed):
                slot = (side.base, *(int(model.value(i, env)) for i in side.indices))
            if slot is not None and slot in model.values and (slot, None) not in pinned:
                value = other if isinstance(other, tuple) else zero_like(model.values[slot])
                model.values[slot] = value
                pinned.add((slot, None))
                pinned.update((slot, k) for k in range(len(value)))
                return

    def _solve(self, model: Model, s: Any, old: Any, start: Any, slope: Any, bend: Any) -> Any:
        if not all(isinstance(x, Fraction) for x in (start, slope, bend)):
            return self._step(model, s, old)
        slack = Fraction(0)
        if not isinstance(s, sp.Eq):
            sign = 1 if isinstance(s, (sp.Ge, sp.Gt, sp.Ne)) else -1
            strict = isinstance(s, (sp.Gt, sp.Lt, sp.Ne))
            drawn = Fraction(model.random.randint(1 if strict else 0, 6), 1 if model.simple else 4)
            slack = sign * (drawn if strict or model.random.random() < 0.6 else Fraction(0))
        if bend == 0:
            return old + (slack - start) / slope if slope else None
        # start + (slope - bend/2) t + (bend/2) t² = slack
        a, b, c = bend / 2, slope - bend / 2, start - slack
        square = b * b - 4 * a * c
        if square < 0:
            return None
        p, q = sp.integer_nthroot(square.numerator, 2), sp.integer_nthroot(square.denominator, 2)
        if not (p[1] and q[1]):
            return None
        root = Fraction(int(p[0]), int(q[0]))
        return old + (-b + model.random.choice([root, -root])) / (2 * a)

    def _step(self, model: Model, s: Any, old: Any) -> Any:
        return None if isinstance(s, sp.Eq) else model.draw(None)

    def _slots(self, model: Model, s: Any) -> list[tuple[Any, Any]]:
        mentioned = symbols_in(s)
        out: list[tuple[Any, Any]] = []
        for slot, value in sorted(model.values.items(), key=lambda item: slot_name(item[0])):
            base = base_of(slot)
            if base not in mentioned or base in model.integers:
                continue
            if not isinstance(value, tuple):
                out.append((slot, None))
            elif not isinstance(value[0], tuple):
                out += [(slot, k) for k in range(len(value))]
        return out


class _Noted(dict[Any, Any]):
    """Values that remember which of them were read: the others have no part in the result."""

    def __init__(self, values: Mapping[Any, Any]) -> None:
        super().__init__(values)
        self.read: set[Any] = set()

    def __getitem__(self, slot: Any) -> Any:
        self.read.add(slot)
        return super().__getitem__(slot)


def get(model: Model, slot: Any, part: Any) -> Any:
    """Return the value of a slot or of one coordinate of it."""
    return model.values[slot] if part is None else model.values[slot][part]


def put(model: Model, slot: Any, part: Any, value: Any) -> None:
    """Set the value of a slot or of one coordinate of it."""
    if part is None:
        model.values[slot] = value
    else:
        old = model.values[slot]
        model.values[slot] = (*old[:part], value, *old[part + 1 :])
