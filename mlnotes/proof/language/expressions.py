"""Expressions: numbers, vectors and matrices with their operations, and functions of them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from mlnotes.trusted.terms import Term, Variable, close, instantiate, shift, sizes

from ..errors import IllTyped
from .terms import (
    DEFINED,
    DENOMINATOR,
    OUTCOME,
    Definition,
    build,
    call,
    define,
    number,
    unfolded,
    variable,
)


class Written:
    """Something an author wrote: a kernel term and the hypotheses that its symbols abbreviate.

    ``folded`` is what a page shows, in which names stand for terms; ``term`` is what is checked.
    """

    __slots__ = ("assumes", "folded", "term")
    folded: Term
    term: Term
    assumes: tuple[Term, ...]

    def __init__(self, term: Term, assumes: Iterable[Term] = ()) -> None:
        self.folded, self.term = term, unfolded(term)
        self.assumes = tuple(dict.fromkeys(assumes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Written) and self.term is other.term

    def __hash__(self) -> int:
        return hash(self.term)

    def __repr__(self) -> str:
        from ..rendering import plain

        return plain(self)

    def has(self, *parts: Any) -> bool:
        """Say whether one of some symbols, families, terms or operations stands in the term.

        What cancels does not count.
        """
        from ..forms import mentions

        return any(mentions(self, part) for part in parts)

    def to_sympy(self, n: int = 2, d: int = 2, **sizes: int) -> Any:
        """Return this written out in SymPy, with n for integers and sizes, d entries for vectors.

        Needs SymPy, which nothing else here does.
        """
        from ..sympy_view import to_sympy

        return to_sympy(self, n, d, **sizes)

    def __bool__(self) -> bool:
        raise IllTyped("a term or statement is neither true nor false: it is to be proved")


def replaced(value: Written, bodies: Mapping[Variable, Term]) -> Term:
    """Return a term, folded where it can be, with variables replaced by bodies."""
    folded = (DEFINED[v].body for v in value.folded.free if v in DEFINED)
    inside = any(not b.free.isdisjoint(bodies) for b in folded)
    return instantiate(value.term if inside else value.folded, dict(bodies))


def carried(*parts: Any) -> tuple[Term, ...]:
    """Return the hypotheses that parts carry."""
    return tuple(dict.fromkeys(a for p in parts if isinstance(p, Written) for a in p.assumes))


class Expr(Written):
    """A number, vector or matrix."""

    __slots__ = ()

    @property
    def sort(self) -> str:
        """The sort: ``R``, ``Z``, ``V`` or ``M:rows:columns``."""
        return self.term.sort

    def __add__(self, other: Any) -> Expr:
        return _combine("+", self, other)

    def __radd__(self, other: Any) -> Expr:
        return _combine("+", other, self)

    def __sub__(self, other: Any) -> Expr:
        return self + (-term_of(other))

    def __rsub__(self, other: Any) -> Expr:
        return term_of(other) + (-self)

    def __neg__(self) -> Expr:
        if self.term.op == "q":
            return Expr(number(-Fraction(*self.term.data)))
        return -1 * self

    def __pos__(self) -> Expr:
        return self

    def __mul__(self, other: Any) -> Expr:
        return _product(self, term_of(other))

    def __rmul__(self, other: Any) -> Expr:
        return _product(term_of(other), self)

    def __truediv__(self, other: Any) -> Expr:
        return _quotient(self, term_of(other))

    def __rtruediv__(self, other: Any) -> Expr:
        return _quotient(term_of(other), self)

    def __pow__(self, power: Any) -> Expr:
        return _power(self, power)

    def __rpow__(self, base: Any) -> Expr:
        return _power(term_of(base), self)

    def __abs__(self) -> Expr:
        return Abs(self)

    def __float__(self) -> float:
        from ..evaluate import Model, NoValue, reading

        try:
            return float(reading(self.term)((), Model()))
        except NoValue as missing:
            raise TypeError(
                f"{self!r} is not one number: there is no value for {missing}"
            ) from None

    @property
    def T(self) -> Expr:
        """The transpose of a matrix."""
        return Expr(build("T", (), [self.folded]), self.assumes)

    def xreplace(self, values: Any) -> Expr:
        """Return the term with symbols replaced by terms."""
        from .symbols import variable_of

        names = {variable_of(k): shown_in_sort(k.sort, term_of(v)) for k, v in values.items()}
        return Expr(replaced(self, names), (*self.assumes, *carried(*values.values())))

    def subs(self, values: Mapping[Any, Any]) -> Expr:
        """Return the term with symbols replaced by terms."""
        from .symbols import variable_of

        names = {variable_of(k): shown_in_sort(k.term.sort, term_of(v)) for k, v in values.items()}
        kept = [a for a in self.assumes if a.free.isdisjoint(names)]
        return Expr(replaced(self, names), (*kept, *carried(*values.values())))

    @property
    def shape(self) -> tuple[str, ...]:
        """The names of the sizes of a matrix."""
        return sizes(self.term.sort)


def term_of(value: Any) -> Expr:
    """Return a value as a term; numbers are read as reals, rounded ones as fractions."""
    if isinstance(value, Expr):
        return value
    found = _fraction(value)
    if found is None:
        raise IllTyped(f"{value!r} is not a term: write numbers as integers or Rational(p, q)")
    return Expr(number(found))


def _fraction(value: Any) -> Fraction | None:
    """Return a number of Python as a fraction."""
    if isinstance(value, bool):
        return None
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return exact(value) if isinstance(value, float) else None


def exact(value: float) -> Fraction:
    """Return the fraction that Python has rounded, or its decimals where there is none.

    Examples
    --------
    >>> from mlnotes.proof.language.expressions import exact
    >>> [str(exact(x)) for x in (1 / 3, 0.5, 0.333)]
    ['1/3', '1/2', '333/1000']
    """
    if not math.isfinite(value):
        raise IllTyped(f"{value} is not a number that a line may have")
    near = Fraction(value).limit_denominator(DENOMINATOR)
    return near if math.isclose(near, value, rel_tol=1e-14) else Fraction(str(value))


def _is_number(t: Term) -> bool:
    """Whether a term is a fraction."""
    return t.op == "q"


def in_sort(sort: str, value: Expr) -> Term:
    """Return a value in a sort: whole numbers fit the integers, integers fit the reals."""
    return _fitted(sort, value.term)


def shown_in_sort(sort: str, value: Expr) -> Term:
    """Return a value in a sort as a page shows it."""
    return _fitted(sort, value.folded)


def _fitted(sort: str, t: Term) -> Term:
    """Return a term in a sort: an integer as a number, 0 as a vector or matrix."""
    if t.sort == sort:
        return t
    if sort == "R" and t.sort == "Z":
        return number(t.data[0]) if t.op == "z" else build("of", (), [t])
    if sort == "Z" and t.op == "q" and t.data[1] == 1:
        return build("z", (t.data[0],))
    if t.op == "q" and t.data[0] == 0 and (sort == "V" or sizes(sort)):
        return build("zero", (sort,))
    raise IllTyped(f"{Written(t)!r} is {say(t.sort)} and stands where {say(sort)} is expected")


def say(sort: str) -> str:
    """Return a sort in words."""
    words = {"R": "a number", "Z": "an integer", "V": "a vector", "P": "a statement"}
    words |= {"U": "a point", "W": "an outcome"}
    return words.get(sort) or f"a matrix {' × '.join(sizes(sort))}"


def common(*values: Expr) -> str:
    """Return the sort in which values can be compared or added."""
    found = [v.term.sort for v in values if not _is_number(v.term)]
    whole = all(v.term.data[1] == 1 for v in values if _is_number(v.term))
    if not found:
        return "R"
    if set(found) == {"Z"} and whole:
        return "Z"
    if set(found) <= {"R", "Z"}:
        return "R"
    return found[0]


def _combine(op: str, *values: Any) -> Expr:
    """Return a + b, or a·b of numbers, in the sort that both have in common."""
    parts = [term_of(v) for v in values]
    sort = common(*parts)
    args: list[Term] = []
    for k, p in enumerate(parts):
        t = shown_in_sort(sort, p)
        args += t.args if t.op == op and k == 0 else (t,)
    return Expr(build(op, (), args), carried(*parts))


def _product(a: Expr, b: Expr) -> Expr:
    """Return AB of matrices, c·v of a number and a vector or matrix, a·b of numbers."""
    kinds = [x.term.sort for x in (a, b)]
    if all(sizes(k) for k in kinds):
        return Expr(build("mm", (), [a.folded, b.folded]), carried(a, b))
    scaled = next((x for x in (a, b) if x.term.sort == "V" or sizes(x.term.sort)), None)
    if scaled is None:
        return _combine("*", a, b)
    factor = b if scaled is a else a
    if factor.term.sort not in ("R", "Z"):
        raise IllTyped(f"{a!r} and {b!r} cannot be multiplied: write dot(u, v)")
    return Expr(build("sc", (), [shown_in_sort("R", factor), scaled.folded]), carried(a, b))


def _quotient(a: Expr, b: Expr) -> Expr:
    """Return a/b = a·b⁻¹."""
    if _is_number(a.term) and _is_number(b.term) and b.term.data[0]:
        return Expr(number(Fraction(*a.term.data) / Fraction(*b.term.data)))
    inverse = Expr(build("inv", (), [shown_in_sort("R", b)]), b.assumes)
    if _is_number(a.term) and a.term.data == (1, 1):
        return inverse
    return _product(a, inverse)


def _power(base: Expr, power: Any) -> Expr:
    """Return xᵏ, with x⁻ᵏ = 1/xᵏ and x^½ = √x; of a matrix the product of k factors."""
    if isinstance(power, Expr) and power.term.op == "q":
        power = Fraction(*power.term.data)
    if (found := _fraction(power)) is not None:
        power = int(found) if found.denominator == 1 else found
    if isinstance(power, Fraction) and power.denominator == 2:
        return sqrt(base) ** power.numerator if power != Fraction(1, 2) else sqrt(base)
    if isinstance(power, int):
        if power < 0:
            return _quotient(term_of(1), base ** (-power))
        if sizes(base.term.sort):
            return reduce(lambda a, b: a * b, [base] * power)
        return Expr(build("pow", (power,), [base.folded]), base.assumes)
    exponent = term_of(power)
    if exponent.term.sort == "Z":
        # x to the n is the product of n factors x.
        one = build("z", (1,))
        body = build("prod", (), [one, exponent.folded, shown_in_sort("R", base)])
        return Expr(body, carried(base, exponent))
    return exp(exponent * log(base))


def choose(n: Term, k: Term) -> Term:
    """Return the product of (n + 1 − i)/i over i from 1 to k, for integer terms."""
    one, i = build("z", (1,)), build("b", (0, "Z"))
    minus = build("*", (), [build("z", (-1,)), i])
    top = build("of", (), [build("+", (), [shift(n, 1), one, minus])])
    below = build("inv", (), [build("of", (), [i])])
    return build("prod", (), [one, k, build("*", (), [top, below])])


def binomial_of(t: Term) -> Term | None:
    """Return n where a product is the number of subsets of a set with n members."""
    if t.op != "prod" or t.args[2].op != "*" or t.args[2].args[0].op != "of":
        return None
    body = t.args[2]
    top = body.args[0].args[0]
    if top.op != "+" or len(top.args) != 3 or 0 in top.args[0].indices:
        return None
    n = shift(top.args[0], -1)
    return n if choose(n, t.args[1]) is t else None


def binomial(n: Any, k: Any) -> Expr:
    """Return the number of subsets with k members of a set with n, for k ≥ 0."""
    above, below = term_of(n), term_of(k)
    term = choose(in_sort("Z", above), in_sort("Z", below))
    return Expr(term, carried(above, below))


def _real(op: str) -> Callable[[Any], Expr]:
    """Return x ↦ f(x) for a function of a number."""

    def function(x: Any, **_: Any) -> Expr:
        x = term_of(x)
        return Expr(build(op, (), [shown_in_sort("R", x)]), x.assumes)

    return function


exp, log, sqrt, Abs = (_real(op) for op in ("exp", "log", "sqrt", "abs"))


def _extreme(op: str) -> Callable[..., Expr]:
    """Return (x, y, …) ↦ max or min of them."""

    def function(*values: Any) -> Expr:
        terms = [term_of(v) for v in values]
        body = reduce(lambda a, b: build(op, (), [a, b]), (shown_in_sort("R", t) for t in terms))
        return Expr(body, carried(*terms))

    return function


Max, Min = _extreme("max"), _extreme("min")


def Rational(p: int, q: int = 1) -> Expr:
    """Return the fraction p/q."""
    return Expr(number(Fraction(p, q)))


def dot(u: Any, v: Any) -> Expr:
    """Return the inner product of two vectors."""
    u, v = term_of(u), term_of(v)
    return Expr(build("dot", (), [shown_in_sort("V", u), shown_in_sort("V", v)]), carried(u, v))


def norm2(u: Any) -> Expr:
    """Return the squared length of a vector."""
    return dot(u, u)


def norm(u: Any) -> Expr:
    """Return the length of a vector."""
    return sqrt(norm2(u))


def limits_of(limit: Sequence[Any]) -> tuple[Expr, Term, Term]:
    """Return the index of a range and its ends."""
    index, low, high = limit
    if not isinstance(index, Expr) or index.term.op != "v" or index.term.sort != "Z":
        raise IllTyped(f"{index!r} is not an index: write indices('i j')")
    return index, shown_in_sort("Z", term_of(low)), shown_in_sort("Z", term_of(high))


def _ranged(op: str) -> Callable[..., Expr]:
    """Return (body, limits) ↦ Σ or Π of it, one range inside the other."""

    def function(body: Any, *limits: Sequence[Any]) -> Expr:
        body = term_of(body)
        linear = op == "sum" and (body.term.sort == "V" or bool(sizes(body.term.sort)))
        t, assumes = (body.folded if linear else shown_in_sort("R", body)), body.assumes
        for limit in limits:
            index, low, high = limits_of(limit)
            assumes = under_index(assumes, index.term, low, high)
            t = build(op, (), [low, high, close(t, index.term)])
            call(t, index.term.data[0])
            if op == "prod" and 0 not in t.args[2].indices:
                # A product of equal factors is a power, and is shown as the product.
                t = _kept(t, t, "as it is")
            assumes += carried(term_of(limit[1]), term_of(limit[2]))
        return Expr(t, assumes)

    return function


def under_index(assumes: tuple[Term, ...], index: Term, low: Term, high: Term) -> tuple[Term, ...]:
    """Return hypotheses in which an index of a range was free."""
    from .. import derivatives

    return derivatives.under_index(assumes, index, low, high)


Sum, Product = _ranged("sum"), _ranged("prod")


def Integral(body: Any, *over: Any) -> Expr:
    """Return the integral of a number over the points of a measure space.

    Parameters
    ----------
    body : expression
        What is integrated.
    *over : point
        The point that runs through the space; of several the first one is innermost.

    Examples
    --------
    >>> from mlnotes.proof import Integral, function, points
    >>> x, p = points("x"), function("p", of="point")
    >>> Integral(p(x) ** 2, x)
    ∫ p(x)² dx
    """
    body = term_of(body)
    if not over:
        raise IllTyped("Integral(f(x), x) says over which point it runs: write points('x')")
    t = shown_in_sort("R", body)
    for x in over:
        t = over_points("int", t, x)
        _check_free(body.assumes, x)
    return Expr(t, body.assumes)


def over_points(op: str, t: Term, point: Any) -> Term:
    """Return the integral of a term, or that it is integrable, over a point."""
    if not isinstance(point, Expr) or point.term.op != "v" or point.term.sort != "U":
        raise IllTyped(f"{point!r} is not a point: write points('x')")
    t = build(op, (), [close(t, point.term)])
    call(t, point.term.data[0])
    return t


def _check_free(assumes: Iterable[Term], point: Expr) -> None:
    name = point.term.data[0]
    if any((name, "U", ()) in a.free for a in assumes):
        raise IllTyped(f"what is supposed of one point {name} cannot stand under its integral")


def expectation(body: Any, *over: Any, given: Any = None) -> Expr:
    """Return the expectation of a random number, vector or matrix over a finite space.

    Parameters
    ----------
    body : expression
        What is averaged.
    *over : random number
        What is random in it, which need not be said.
    given : statement or random number, optional
        The event, or the random number, given which a number is averaged. Given a number X the
        mean is random: at every outcome it is the mean given the value that X has there.

    Examples
    --------
    >>> from mlnotes.proof import E, Eq, random_variables, reals
    >>> (X, Y), a = random_variables("X Y"), reals("a")
    >>> E(Y, given=Eq(X, a))
    E[Y | X = a]
    >>> E(E(Y, given=X))
    E[E[Y | X]]
    """
    body = term_of(body)
    if given is not None:
        given = given if isinstance(given, Written) else term_of(given)
        return conditional(shown_in_sort("R", body), body.assumes, given)
    linear = body.sort == "V" or sizes(body.sort)
    t = mean_of(body.folded if linear else shown_in_sort("R", body))
    if body.folded.op == "ind":
        # The mean of an indicator is the probability of its event, and is shown as the mean.
        t = _kept(t, body.folded, "mean")
    return Expr(t, body.assumes)


def conditional(body: Term, assumes: Iterable[Term], given: Written) -> Expr:
    """Return a mean given an event, or given the value that a random number has."""
    omega = (*OUTCOME, ())
    o = variable(f"{OUTCOME[0]}'", OUTCOME[1])
    inner, condition = (instantiate(t, {omega: o}) for t in (body, given.folded))
    shown = given.folded
    if condition.sort == "P":
        shown = build("ind", (), [shown])
    elif condition.sort == "R" and omega in given.folded.free:
        condition = build("=", (), [condition, given.folded])
    else:
        raise IllTyped(f"{given!r} is neither an event nor a random number: no mean is given it")
    event = build("ind", (), [condition])
    both = build("*", (), [inner, event])
    above, below = (build("E", (), [close(t, o)]) for t in (both, event))
    t = build("*", (), [above, build("inv", (), [below])])
    shown = build("*", (), [body, shown])
    return Expr(_kept(t, shown, "conditional"), (*assumes, *given.assumes))


def _kept(t: Term, written: Term, form: str) -> Term:
    """Return a term that is shown as it was written, where another form would be shorter."""
    variables = tuple(variable(*v[:2]) for v in sorted(t.free) if not v[2])
    body, written = (reduce(close, reversed(variables), x) for x in (unfolded(t), written))
    return define(t.sort, Definition(form, variables, body, written, form=form))


def mean_of(body: Term) -> Term:
    """Return the expectation of a term in the outcome."""
    return build("E", (), [close(body, variable(*OUTCOME))])


def inverse(m: Expr) -> Expr:
    """Return the inverse of a matrix."""
    return Expr(build("minv", (), [m.folded]), m.assumes)


def trace(m: Expr) -> Expr:
    """Return the trace of a matrix."""
    return Expr(build("tr", (), [m.folded]), m.assumes)


def det(m: Expr) -> Expr:
    """Return the determinant of a matrix."""
    return Expr(build("det", (), [m.folded]), m.assumes)


def logdet(m: Expr) -> Expr:
    """Return the logarithm of the determinant."""
    return Expr(build("log", (), [det(m).folded]), m.assumes)


def identity(n: Any) -> Expr:
    """Return the identity matrix of a size."""
    return Expr(build("I", (size_name(n),)), declared_sizes(n))


def zeros(rows: Any, columns: Any) -> Expr:
    """Return a matrix of zeros."""
    term = build("zero", (f"M:{size_name(rows)}:{size_name(columns)}",))
    return Expr(term, declared_sizes(rows, columns))


def _names_a_size(value: Any) -> bool:
    """Whether a value is a symbol for an integer."""
    return isinstance(value, Expr) and value.term.op == "v" and value.term.sort == "Z"


def declared_sizes(*values: Any) -> tuple[Term, ...]:
    """Return that integer symbols are the sizes of matrices that have their names."""
    found = [v for v in values if _names_a_size(v)]
    equations = [build("=", (), [v.term, build("dim", (v.term.data[0],))]) for v in found]
    return (*equations, *carried(*found))


def size_name(value: Any) -> str:
    """Return the name of a size."""
    if isinstance(value, Expr) and (value.term.op == "dim" or _names_a_size(value)):
        return str(value.term.data[0])
    if isinstance(value, int) and value > 0:
        return str(value)
    raise IllTyped(f"{value!r} is no size: write dimensions('n d')")
