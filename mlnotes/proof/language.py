"""What an author writes: symbols, terms and statements, each of them one term of the kernel.

Nothing is evaluated: ``x + x`` stays a sum of two, in the order in which it was typed. Assumptions
such as ``positive=True`` abbreviate hypotheses; a term carries those of its symbols with it, and a
theorem states all of them.
"""

from __future__ import annotations

import contextlib
import keyword
import math
import numbers
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from mlnotes.trusted.terms import (
    Refused,
    Term,
    Variable,
    close,
    fuel,
    instantiate,
    make,
    sizes,
)

from .errors import IllTyped

OUTCOME = ("ω", "W")
# What the author called the index of a sum or a quantifier, for showing it.
NAMES: dict[Term, str] = {}
BUDGET = 10**12
# A rounded number is read as a fraction with a denominator up to this, if it is one.
DENOMINATOR = 10_000


class _Work:
    """Whether the kernel's rules may do only so much: in a search, not while a term is written."""

    is_limited = False


WORK = _Work()


@contextlib.contextmanager
def limited(work: int) -> Iterator[None]:
    """Let the kernel's rules do some work and no more; what takes longer is refused."""
    WORK.is_limited, fuel.left = True, work
    try:
        yield
    finally:
        WORK.is_limited, fuel.left = False, BUDGET


def build(op: str, data: Iterable[Any] = (), args: Iterable[Term] = ()) -> Term:
    """Make a term for an author: what the kernel refuses is ill-typed."""
    if not WORK.is_limited:
        fuel.left = BUDGET
    try:
        return make(op, data, args)
    except Refused as reason:
        if fuel.left < 0:
            raise
        raise IllTyped(str(reason)) from None


def number(value: int | Fraction) -> Term:
    """Return a real number."""
    value = Fraction(value)
    return build("q", (value.numerator, value.denominator))


def variable(name: str, sort: str = "R", args: Iterable[Term] = ()) -> Term:
    """Return a free variable."""
    return build("v", (name, sort), args)


def rows_of(t: Term) -> list[list[Any]]:
    """Return a term as the rows of a certificate, each made of those above it."""
    rows: list[list[Any]] = []
    place: dict[Term, int] = {}
    pending = [t]
    while pending:
        top = pending[-1]
        missing = [a for a in top.args if a not in place]
        if missing:
            pending += missing
            continue
        pending.pop()
        if top not in place:
            place[top] = len(rows)
            rows.append([top.op, *top.data, *(place[a] for a in top.args)])
    return rows


@dataclass(frozen=True)
class Definition:
    """A name that a page shows for a term; what is checked is the term.

    Attributes
    ----------
    name : str
        The name as it is printed.
    variables : tuple of Term
        All variables without arguments on which the term depends: the arguments of the name.
    body, written : Term
        The term with these as loose indices, with the names in it unfolded and as it was written.
    shown : tuple
        What is printed after the name: positions of arguments, and names of families.
    bar : int
        How many of these stand before a bar, as in Q(θ | φ); all of them if there is none.
    form : str
        How it is printed: as a ``name``, as the ``gradient`` of ``written``, as its ``mean``, or
        ``as it is``.
    origin : Term or None
        For a name, the term that was named, before families were put for its parameters.
    along : tuple of Term or None
        For a gradient, the variable or member in which it is taken, as it was written and with
        loose indices.
    """

    name: str
    variables: tuple[Term, ...]
    body: Term
    written: Term
    shown: tuple[int | str, ...] = ()
    bar: int = 99
    form: str = "name"
    origin: Term | None = None
    along: tuple[Term, Term] | None = None


# The definitions behind variables whose names have this sign in them, which no author can type.
FOLD = "§"
DEFINED: dict[Variable, Definition] = {}
_FOLDED: dict[tuple[str, Definition], str] = {}


def define(sort: str, definition: Definition) -> Term:
    """Return the name that a page shows for a term, with its own variables as arguments."""
    new = f"{definition.name}{FOLD}{len(DEFINED)}"
    name = _FOLDED.setdefault((sort, definition), new)
    DEFINED[name, sort, tuple(v.sort for v in definition.variables)] = definition
    return variable(name, sort, definition.variables)


def unfolded(t: Term) -> Term:
    """Return a term with what its names stand for, which is what is checked."""
    if DEFINED.keys().isdisjoint(t.free):
        return t
    if not WORK.is_limited:
        fuel.left = BUDGET
    return instantiate(t, {v: DEFINED[v].body for v in t.free if v in DEFINED})


def replaced(value: Written, bodies: Mapping[Variable, Term]) -> Term:
    """Return a term, folded where it can be, with variables replaced by bodies."""
    folded = (DEFINED[v].body for v in value.folded.free if v in DEFINED)
    inside = any(not b.free.isdisjoint(bodies) for b in folded)
    return instantiate(value.term if inside else value.folded, dict(bodies))


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
        from .rendering import plain

        return plain(self)

    def has(self, *parts: Any) -> bool:
        """Say whether one of some symbols, families, terms or operations stands in the term.

        What cancels does not count.
        """
        from .forms import mentions

        return any(mentions(self, part) for part in parts)

    def to_sympy(self, n: int = 2, d: int = 2, **sizes: int) -> Any:
        """Return this written out in SymPy, with n for integers and sizes, d entries for vectors.

        Needs SymPy, which nothing else here does.
        """
        from .sympy_view import to_sympy

        return to_sympy(self, n, d, **sizes)

    def __bool__(self) -> bool:
        raise IllTyped("a term or statement is neither true nor false: it is to be proved")


def _carried(*parts: Any) -> tuple[Term, ...]:
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
        from .evaluate import Model, NoValue, reading

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
        names = {variable_of(k): _shown(k.sort, term_of(v)) for k, v in values.items()}
        return Expr(replaced(self, names), (*self.assumes, *_carried(*values.values())))

    def subs(self, values: Mapping[Any, Any]) -> Expr:
        """Return the term with symbols replaced by terms."""
        names = {variable_of(k): _shown(k.term.sort, term_of(v)) for k, v in values.items()}
        kept = [a for a in self.assumes if a.free.isdisjoint(names)]
        return Expr(replaced(self, names), (*kept, *_carried(*values.values())))

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
    >>> from mlnotes.proof.language import exact
    >>> [str(exact(x)) for x in (1 / 3, 0.5, 0.333)]
    ['1/3', '1/2', '333/1000']
    """
    if not math.isfinite(value):
        raise IllTyped(f"{value} is not a number that a line may have")
    near = Fraction(value).limit_denominator(DENOMINATOR)
    return near if math.isclose(near, value, rel_tol=1e-14) else Fraction(str(value))


def _is_number(t: Term) -> bool:
    return t.op == "q"


def _as(sort: str, value: Expr) -> Term:
    """Return a value in a sort: whole numbers fit the integers, integers fit the reals."""
    return _fitted(sort, value.term)


def _shown(sort: str, value: Expr) -> Term:
    """Return a value in a sort as a page shows it."""
    return _fitted(sort, value.folded)


def _fitted(sort: str, t: Term) -> Term:
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
    parts = [term_of(v) for v in values]
    sort = common(*parts)
    args: list[Term] = []
    for k, p in enumerate(parts):
        t = _shown(sort, p)
        args += t.args if t.op == op and k == 0 else (t,)
    return Expr(build(op, (), args), _carried(*parts))


def _product(a: Expr, b: Expr) -> Expr:
    kinds = [x.term.sort for x in (a, b)]
    if all(sizes(k) for k in kinds):
        return Expr(build("mm", (), [a.folded, b.folded]), _carried(a, b))
    scaled = next((x for x in (a, b) if x.term.sort == "V" or sizes(x.term.sort)), None)
    if scaled is None:
        return _combine("*", a, b)
    factor = b if scaled is a else a
    if factor.term.sort not in ("R", "Z"):
        raise IllTyped(f"{a!r} and {b!r} cannot be multiplied: write dot(u, v)")
    return Expr(build("sc", (), [_shown("R", factor), scaled.folded]), _carried(a, b))


def _quotient(a: Expr, b: Expr) -> Expr:
    if _is_number(a.term) and _is_number(b.term) and b.term.data[0]:
        return Expr(number(Fraction(*a.term.data) / Fraction(*b.term.data)))
    inverse = Expr(build("inv", (), [_shown("R", b)]), b.assumes)
    if _is_number(a.term) and a.term.data == (1, 1):
        return inverse
    return _product(a, inverse)


def _power(base: Expr, power: Any) -> Expr:
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
        body = build("prod", (), [one, exponent.folded, _shown("R", base)])
        return Expr(body, _carried(base, exponent))
    return exp(exponent * log(base))


# ---------------------------------------------------------------------- functions


def _real(op: str) -> Callable[[Any], Expr]:
    def function(x: Any, **_: Any) -> Expr:
        x = term_of(x)
        return Expr(build(op, (), [_shown("R", x)]), x.assumes)

    return function


exp, log, sqrt, Abs = (_real(op) for op in ("exp", "log", "sqrt", "abs"))


def _extreme(op: str) -> Callable[..., Expr]:
    def function(*values: Any) -> Expr:
        terms = [term_of(v) for v in values]
        body = reduce(lambda a, b: build(op, (), [a, b]), (_shown("R", t) for t in terms))
        return Expr(body, _carried(*terms))

    return function


Max, Min = _extreme("max"), _extreme("min")


def Rational(p: int, q: int = 1) -> Expr:
    """Return the fraction p/q."""
    return Expr(number(Fraction(p, q)))


def dot(u: Any, v: Any) -> Expr:
    """Return the inner product of two vectors."""
    u, v = term_of(u), term_of(v)
    return Expr(build("dot", (), [_shown("V", u), _shown("V", v)]), _carried(u, v))


def norm2(u: Any) -> Expr:
    """Return the squared length of a vector."""
    return dot(u, u)


def norm(u: Any) -> Expr:
    """Return the length of a vector."""
    return sqrt(norm2(u))


def _limits(limit: Sequence[Any]) -> tuple[Expr, Term, Term]:
    index, low, high = limit
    if not isinstance(index, Expr) or index.term.op != "v" or index.term.sort != "Z":
        raise IllTyped(f"{index!r} is not an index: write indices('i j')")
    return index, _shown("Z", term_of(low)), _shown("Z", term_of(high))


def _ranged(op: str) -> Callable[..., Expr]:
    def function(body: Any, *limits: Sequence[Any]) -> Expr:
        body = term_of(body)
        t, assumes = (body.folded if body.term.sort == "V" else _shown("R", body)), body.assumes
        for limit in limits:
            index, low, high = _limits(limit)
            assumes = _under_index(assumes, index.term, low, high)
            t = build(op, (), [low, high, close(t, index.term)])
            for said in (t, unfolded(t)):
                NAMES.setdefault(said, index.term.data[0])
            if op == "prod" and 0 not in t.args[2].indices:
                # A product of equal factors is a power, and is shown as the product.
                t = _kept(t, t, "as it is")
            assumes += _carried(term_of(limit[1]), term_of(limit[2]))
        return Expr(t, assumes)

    return function


def _under_index(assumes: tuple[Term, ...], index: Term, low: Term, high: Term) -> tuple[Term, ...]:
    from .derivatives import under_index

    return under_index(assumes, index, low, high)


Sum, Product = _ranged("sum"), _ranged("prod")


def indicator(event: Any) -> Expr:
    """Return one where a statement holds and zero where it does not."""
    event = statement(event)
    return Expr(build("ind", (), [event.folded]), event.assumes)


def KroneckerDelta(i: Any, j: Any) -> Expr:
    """Return one if two integers are equal and zero otherwise."""
    return indicator(Eq(i, j))


def expectation(body: Any, *over: Any) -> Expr:
    """Return the expectation of a random number, vector or matrix over a finite space."""
    body = term_of(body)
    linear = body.sort == "V" or sizes(body.sort)
    t = _mean(body.folded if linear else _shown("R", body))
    if body.folded.op == "ind":
        # The mean of an indicator is the probability of its event, and is shown as the mean.
        t = _kept(t, body.folded, "mean")
    return Expr(t, body.assumes)


def _kept(t: Term, written: Term, form: str) -> Term:
    """Return a term that is shown as it was written, where another form would be shorter."""
    variables = tuple(variable(*v[:2]) for v in sorted(t.free) if not v[2])
    body, written = (reduce(close, reversed(variables), x) for x in (unfolded(t), written))
    return define(t.sort, Definition(form, variables, body, written, form=form))


def _mean(body: Term) -> Term:
    return build("E", (), [close(body, variable(*OUTCOME))])


def probability(event: Any, *over: Any) -> Expr:
    """Return the probability of an event: the expectation of its indicator."""
    one = indicator(event)
    return Expr(_mean(one.folded), one.assumes)


def inverse(m: Expr) -> Expr:
    """Return the inverse of a matrix."""
    return Expr(build("minv", (), [m.folded]), m.assumes)


def trace(m: Expr) -> Expr:
    """Return the trace of a matrix."""
    return Expr(build("tr", (), [m.folded]), m.assumes)


def logdet(m: Expr) -> Expr:
    """Return the logarithm of the determinant."""
    return Expr(build("log", (), [build("det", (), [m.folded])]), m.assumes)


def identity(n: Any) -> Expr:
    """Return the identity matrix of a size."""
    return Expr(build("I", (_size(n),)), _as_sizes(n))


def zeros(rows: Any, columns: Any) -> Expr:
    """Return a matrix of zeros."""
    term = build("zero", (f"M:{_size(rows)}:{_size(columns)}",))
    return Expr(term, _as_sizes(rows, columns))


def _names_a_size(value: Any) -> bool:
    return isinstance(value, Expr) and value.term.op == "v" and value.term.sort == "Z"


def _as_sizes(*values: Any) -> tuple[Term, ...]:
    """Return that integer symbols are the sizes of matrices that have their names."""
    found = [v for v in values if _names_a_size(v)]
    equations = [build("=", (), [v.term, build("dim", (v.term.data[0],))]) for v in found]
    return (*equations, *_carried(*found))


def _size(value: Any) -> str:
    if isinstance(value, Expr) and (value.term.op == "dim" or _names_a_size(value)):
        return str(value.term.data[0])
    if isinstance(value, int) and value > 0:
        return str(value)
    raise IllTyped(f"{value!r} is no size: write dimensions('n d')")


# ---------------------------------------------------------------------- statements


class Statement(Written):
    """A statement, which remembers how its author wrote it."""

    __slots__ = ("parts", "shown")
    shown: str
    parts: tuple[Any, ...]

    def __init__(
        self, term: Term, assumes: Iterable[Term], shown: str, parts: tuple[Any, ...]
    ) -> None:
        super().__init__(term, assumes)
        self.shown, self.parts = shown, parts

    @property
    def lhs(self) -> Any:
        """The left side, as it was written."""
        return self.parts[0]

    @property
    def rhs(self) -> Any:
        """The right side, as it was written."""
        return self.parts[1]

    def at(self, *values: Any) -> Any:
        """Use a statement that holds for all values, or for all indices, at particular ones."""
        from .named_rules import instance

        return instance(self, values)


def falsum() -> Term:
    """Return the statement that never holds."""
    return build("F")


def negated(p: Term) -> Term:
    """Return that p does not hold."""
    return build("->", (), [p, falsum()])


def statement(value: Any) -> Statement:
    """Return a value that has to be a statement."""
    if not isinstance(value, Statement):
        raise IllTyped(f"{value!r} is not a statement: write Eq, Le, for_each and so on")
    return value


def relate(shown: str, left: Any, right: Any) -> Statement:
    """Return the statement that two terms are related as a sign says."""
    left, right = term_of(left), term_of(right)
    sort = common(left, right)
    a, b = _shown(sort, left), _shown(sort, right)
    if shown not in ("=", "≠") and sort not in ("R", "Z"):
        raise IllTyped("only numbers are ordered")
    if shown in ("≥", ">"):
        a, b = b, a
    op = {"=": "=", "≠": "=", "≤": "<=", "≥": "<=", "<": "<", ">": "<"}[shown]
    t = build(op, (), [a, b])
    t = negated(t) if shown == "≠" else t
    return Statement(t, _carried(left, right), shown, (left, right))


def Eq(left: Any, right: Any) -> Statement:
    """State that two terms are equal."""
    return relate("=", left, right)


def Ne(left: Any, right: Any) -> Statement:
    """State that two terms differ."""
    return relate("≠", left, right)


def Le(left: Any, right: Any) -> Statement:
    """State ``left ≤ right``."""
    return relate("≤", left, right)


def Lt(left: Any, right: Any) -> Statement:
    """State ``left < right``."""
    return relate("<", left, right)


def Ge(left: Any, right: Any) -> Statement:
    """State ``left ≥ right``."""
    return relate("≥", left, right)


def Gt(left: Any, right: Any) -> Statement:
    """State ``left > right``."""
    return relate(">", left, right)


def _joined(op: str, shown: str, statements: Sequence[Any]) -> Statement:
    parts = tuple(statement(s) for s in statements)
    t = reduce(lambda a, b: build(op, (), [a, b]), (s.folded for s in parts))
    return Statement(t, _carried(*parts), shown, parts)


def And(*statements: Any) -> Statement:
    """State that all of some statements hold."""
    return _joined("&", "and", statements)


def Or(*statements: Any) -> Statement:
    """State that one of some statements holds."""
    return _joined("|", "or", statements)


def each(index: Term, low: Term, high: Term, body: Term) -> Term:
    """Return that a statement holds for every index of a range."""
    inside = build("->", (), [build("<=", (), [index, high]), body])
    inside = build("->", (), [build("<=", (), [low, index]), inside])
    t = build("all", ("Z",), [close(inside, index)])
    for said in (t, unfolded(t)):
        NAMES.setdefault(said, index.data[0])
    return t


def for_each(index: Any, low: Any, high: Any, body: Any) -> Statement:
    """State that something holds for every index from low to high."""
    body = statement(body)
    i, lo, hi = _limits((index, low, high))
    inside = _under_index(_carried(body), i.term, lo, hi)
    assumes = (*inside, *_carried(term_of(low), term_of(high)))
    return Statement(each(i.term, lo, hi, body.folded), assumes, "each", (index, low, high, body))


def _square(m: Any) -> Expr:
    found = term_of(m)
    if len(set(found.shape)) != 1:
        raise IllTyped(f"{found!r} is {say(found.sort)}, not a square matrix")
    return found


def invertible(m: Any) -> Statement:
    """State that a matrix has an inverse: multiplied by it, it is the identity."""
    m = _square(m)
    inside = build("mm", (), [m.term, build("minv", (), [m.term])])
    whole = build("=", (), [inside, build("I", (m.shape[0],))])
    return Statement(whole, m.assumes, "invertible", (m,))


def _definite(m: Any, shown: str) -> Statement:
    """State that a matrix A is symmetric and what sign vᵀAv has for every column v."""
    m = _square(m)
    column = f"M:{m.shape[0]}:1"
    v = build("b", (0, column))
    form = build("tr", (), [build("mm", (), [build("T", (), [v]), m.term, v])])
    if shown == "positive definite":
        zero = build("=", (), [v, build("zero", (column,))])
        says = build("->", (), [negated(zero), build("<", (), [number(0), form])])
    else:
        says = build("<=", (), [number(0), form])
    same = build("=", (), [build("T", (), [m.term]), m.term])
    both = build("&", (), [same, build("all", (column,), [says])])
    return Statement(both, m.assumes, shown, (m,))


def positive_definite(m: Any) -> Statement:
    """State that a matrix A is symmetric and vᵀAv > 0 for every column v but zero."""
    return _definite(m, "positive definite")


def positive_semidefinite(m: Any) -> Statement:
    """State that a matrix A is symmetric and vᵀAv ≥ 0 for every column v."""
    return _definite(m, "positive semidefinite")


# ---------------------------------------------------------------------- symbols


def _names(names: str) -> list[str]:
    out = re.split(r"[\s,]+", names.strip())
    for name in out:
        if not name or name.startswith(("#", "ω")) or FOLD in name:
            raise IllTyped(f"{name!r} is not a name")
    return out


def identifier(name: str) -> str:
    """Return the name of a symbol as one that Python accepts: ``theta^*`` is ``theta_star``."""
    out = re.sub(r"\W+", "_", name.replace("*", "star").replace("'", "_prime")).strip("_")
    return out + "_" if keyword.iskeyword(out) else out


def _one_or_many(objects: list[Any]) -> Any:
    return objects[0] if len(objects) == 1 else tuple(objects)


SIGNS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")


def _assumption(t: Term, name: str) -> Term:
    zero = build("z", (0,)) if t.sort == "Z" else number(0)
    if name == "positive" and t.sort == "Z":
        return build("<=", (), [build("z", (1,)), t])
    if name == "nonzero":
        return negated(build("=", (), [t, zero]))
    op = "<=" if name.startswith("non") else "<"
    return build(op, (), [t, zero] if name in ("negative", "nonpositive") else [zero, t])


def _assumptions(t: Term, indices: Sequence[Term], declared: dict[str, bool]) -> tuple[Term, ...]:
    """Return the hypotheses that declared signs abbreviate, for all indices of a family."""
    out = []
    for name, value in declared.items():
        if name not in SIGNS or value is not True:
            raise IllTyped(f"{name}={value} is not understood: use {', '.join(SIGNS)}")
        p = _assumption(t, name)
        for i in reversed(indices):
            p = build("all", ("Z",), [close(p, i)])
        out.append(p)
    return tuple(out)


def _symbols(names: str, sort: str, declared: dict[str, bool]) -> Any:
    out = []
    for name in _names(names):
        t = variable(name, sort)
        out.append(Expr(t, _assumptions(t, (), declared)))
    return _one_or_many(out)


def reals(names: str, **declared: bool) -> Any:
    """Return real symbols; signs such as ``positive=True`` abbreviate hypotheses."""
    return _symbols(names, "R", declared)


def integers(names: str, **declared: bool) -> Any:
    """Return integer symbols."""
    return _symbols(names, "Z", declared)


def dimensions(names: str) -> Any:
    """Return numbers of rows or columns of matrices, which are positive integers."""
    return _one_or_many([Expr(build("dim", (name,))) for name in _names(names)])


def indices(names: str) -> Any:
    """Return indices for sums and ``for_each``."""
    return _symbols(names, "Z", {})


def vectors(names: str) -> Any:
    """Return vectors of an inner-product space of any dimension."""
    return _symbols(names, "V", {})


def random_variables(names: str) -> Any:
    """Return random numbers."""
    omega = variable(*OUTCOME)
    return _one_or_many([Expr(variable(n, "R", [omega])) for n in _names(names)])


def random_vectors(names: str) -> Any:
    """Return random vectors."""
    omega = variable(*OUTCOME)
    return _one_or_many([Expr(variable(n, "V", [omega])) for n in _names(names)])


class Family:
    """Symbols with indices, such as the points x₁, …, xₙ."""

    __slots__ = ("declared", "name", "random", "sort")

    def __init__(
        self, name: str, sort: str, declared: dict[str, bool] | None = None, random: bool = False
    ) -> None:
        self.name, self.sort, self.random = name, sort, random
        self.declared = dict(declared or {})

    def __getitem__(self, at: Any) -> Expr:
        at = at if isinstance(at, tuple) else (at,)
        found = [term_of(i) for i in at]
        args = [_as("Z", i) for i in found]
        more = [variable(*OUTCOME)] if self.random else []
        generic = [variable(f"i{k}", "Z") for k in range(len(args))]
        general = variable(self.name, self.sort, [*generic, *more])
        assumes = _assumptions(general, generic, self.declared)
        return Expr(variable(self.name, self.sort, [*args, *more]), (*assumes, *_carried(*found)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Family) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.sort, self.random, tuple(sorted(self.declared.items()))

    def __repr__(self) -> str:
        return self.name


def _family(names: str, sort: str, declared: dict[str, bool], random: bool = False) -> Any:
    return _one_or_many([Family(name, sort, declared, random) for name in _names(names)])


def vector_family(names: str) -> Any:
    """Return families of vectors."""
    return _family(names, "V", {})


def real_family(names: str, **declared: bool) -> Any:
    """Return families of numbers."""
    return _family(names, "R", declared)


def integer_family(names: str, **declared: bool) -> Any:
    """Return families of integers."""
    return _family(names, "Z", declared)


def random_family(names: str) -> Any:
    """Return families of random numbers."""
    return _family(names, "R", {}, random=True)


def matrices(names: str, rows: Any, columns: Any, *, symmetric: bool = False) -> Any:
    """Return matrices of given sizes."""
    out = []
    for name in _names(names):
        t = variable(name, f"M:{_size(rows)}:{_size(columns)}")
        given = [build("=", (), [build("T", (), [t]), t])] if symmetric else []
        out.append(Expr(t, (*given, *_as_sizes(rows, columns))))
    return _one_or_many(out)


def random_matrices(names: str, rows: Any, columns: Any) -> Any:
    """Return random matrices of given sizes."""
    omega, sort = variable(*OUTCOME), f"M:{_size(rows)}:{_size(columns)}"
    given = _as_sizes(rows, columns)
    return _one_or_many([Expr(variable(n, sort, [omega]), given) for n in _names(names)])


class Function:
    """A function of numbers or vectors, with declared properties that abbreviate hypotheses."""

    __slots__ = ("declared", "name", "of", "sort")

    def __init__(
        self,
        name: str,
        declared: dict[str, bool] | None = None,
        of: Sequence[str] = ("R",),
        sort: str = "R",
    ) -> None:
        self.name, self.declared = name, dict(declared or {})
        self.of, self.sort = tuple(of), sort

    def __call__(self, *values: Any) -> Expr:
        """Return the value of the function."""
        if len(values) != len(self.of):
            raise IllTyped(f"{self.name} is a function of {len(self.of)} arguments")
        given = [term_of(x) for x in values]
        args = [_shown(s, x) for s, x in zip(self.of, given, strict=True)]
        return Expr(variable(self.name, self.sort, args), (*self.hypotheses(), *_carried(*given)))

    def hypotheses(self) -> tuple[Term, ...]:
        """Return what the declared properties say."""
        from .derivatives import property_of

        held = [p for p, declared in self.declared.items() if declared]
        if held and (self.of, self.sort) != (("R",), "R"):
            raise IllTyped(f"{held[0]} is declared of functions of one number alone")
        return tuple(dict.fromkeys(h for p in held for h in property_of(self.name, p)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.of, self.sort, tuple(sorted(self.declared.items()))

    def __repr__(self) -> str:
        return self.name


KINDS = {"number": "R", "vector": "V", "integer": "Z"}


def function(name: str, of: Any = "number", to: str = "number", **properties: bool) -> Function:
    """Return a function; its properties abbreviate hypotheses.

    Parameters
    ----------
    name : str
        The letter.
    of : str or sequence of str, default="number"
        What it takes: ``"number"``, ``"vector"``, or several of these.
    to : str, default="number"
        What it returns.
    **properties : bool
        What is supposed of a function of one number, such as ``convex=True``.
    """
    kinds = [of] if isinstance(of, str) else list(of)
    for kind in (*kinds, to):
        if kind not in KINDS or kinds == ["integer"]:
            raise IllTyped(f"{name}: a function is of numbers or vectors, not of {kind!r}")
    out = Function(name, properties, [KINDS[kind] for kind in kinds], KINDS[to])
    out.hypotheses()
    return out


class Lambda:
    """A formula in place of a family, function or random variable, for ``apply``."""

    __slots__ = ("body", "variables")

    def __init__(self, variables: Any, body: Any) -> None:
        found = variables if isinstance(variables, (tuple, list)) else (variables,)
        self.variables = tuple(term_of(v) for v in found)
        self.body = term_of(body)

    def __call__(self, *values: Any) -> Expr:
        """Return the formula for particular values."""
        names = {
            variable_of(x): _shown(x.sort, term_of(v))
            for x, v in zip(self.variables, values, strict=True)
        }
        return Expr(replaced(self.body, names), (*self.body.assumes, *_carried(*values)))


def variable_of(symbol: Any, arguments: int | None = None) -> Variable:
    """Return the kernel's name of a symbol."""
    if isinstance(symbol, Expr) and symbol.term.op == "v":
        t = symbol.term
        return (t.data[0], t.data[1], tuple(a.sort for a in t.args))
    if isinstance(symbol, Family) and arguments is not None:
        more = ("W",) if symbol.random else ()
        return (symbol.name, symbol.sort, ("Z",) * arguments + more)
    if isinstance(symbol, Function):
        return (symbol.name, symbol.sort, symbol.of)
    raise IllTyped(f"{symbol!r} is not a symbol")
