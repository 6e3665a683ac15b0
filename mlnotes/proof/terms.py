"""What a derivation can talk about: typed terms, written as SymPy expressions.

A term is a real number, a vector of some inner-product space of any dimension, or a matrix of
symbolic shape. SymPy supplies the syntax; :func:`kind` says what a term is and refuses the ones
that mean nothing. Nothing here decides whether two terms are equal: that is
:mod:`mlnotes.proof.normal`.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar, cast

import sympy as sp
from sympy.core.facts import InconsistentAssumptions
from sympy.core.function import AppliedUndef, UndefinedFunction
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions import MatrixExpr

from .errors import IllTyped, Undefined

REAL = "real"
VECTOR = "vector"
BOOL = "statement"
Kind = str | tuple[sp.Expr, sp.Expr]


class Vector(sp.Symbol):  # type: ignore[misc]
    """An abstract vector. It commutes, so SymPy's sums and scalings are linear combinations."""

    def __new__(cls, name: str) -> Any:  # noqa: D102
        return sp.Symbol.__xnew__(cls, name, commutative=True)


class Generic(sp.Symbol):  # type: ignore[misc]
    """A number that stands for any number, made up in the course of a proof.

    No symbol of an author equals one, whatever its name; nor does any vector, matrix or function
    equal a direction or a subgradient.
    """

    def __new__(cls, name: str, **assumptions: bool) -> Any:  # noqa: D102
        return sp.Symbol.__xnew__(cls, name, **assumptions)

    def _sympyrepr(self, printer: Any) -> str:
        # The order of terms follows this text: generic numbers stand among the others, by name.
        return f"Symbol({self.name!r}, integer={self.is_integer}, generic=True)"


class Direction(Vector):
    """An arbitrary vector against which a vector is tested."""

    def _sympyrepr(self, printer: Any) -> str:
        return f"Vector('·{self.name}')"


class VectorFamily(sp.IndexedBase):  # type: ignore[misc]
    """A family of abstract vectors, ``x[i]``."""


class RandomVariable(sp.Symbol):  # type: ignore[misc]
    """A real random variable."""

    def __new__(cls, name: str, **assumptions: bool) -> Any:  # noqa: D102
        return sp.Symbol.__xnew__(cls, name, real=True, **assumptions)


class RandomVector(Vector):
    """A random vector."""


class RandomFamily(sp.IndexedBase):  # type: ignore[misc]
    """A family of real random variables, ``X[i]``."""


class Matrix(sp.MatrixSymbol):  # type: ignore[misc]
    """A real matrix of symbolic shape."""


class SymmetricMatrix(Matrix):
    """A real symmetric matrix."""


class MatrixDirection(Matrix):
    """An arbitrary matrix against which a matrix is tested."""


class SymmetricDirection(SymmetricMatrix):
    """An arbitrary symmetric matrix in whose direction a term is differentiated."""


class RandomMatrix(Matrix):
    """A random matrix (a column for a random vector of symbolic length)."""


class _RealTerm(sp.Expr):  # type: ignore[misc]
    """A real-valued operator applied to other terms."""

    is_commutative = True
    is_real = True
    is_extended_real = True
    is_finite = True

    def __new__(cls, *args: Any) -> Any:
        return sp.Expr.__new__(cls, *map(sp.sympify, args))


class Dot(_RealTerm):
    """The inner product of two vectors, or of two linear combinations of them."""

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0] == self.args[1] else None

    def _eval_derivative(self, s: sp.Symbol) -> sp.Expr:
        u, v = self.args
        return Dot(u.diff(s), v) + Dot(u, v.diff(s))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        u, v = self.args
        if u == v:
            body = rf"\lVert {printer._print(u)} \rVert^{{2}}"
            return body if exp is None else rf"\left({body}\right)^{{{exp}}}"
        body = rf"\langle {printer._print(u)}, {printer._print(v)} \rangle"
        return body if exp is None else rf"{body}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        u, v = self.args
        if u == v:
            return f"‖{printer._print(u)}‖²"
        return f"⟨{printer._print(u)}, {printer._print(v)}⟩"


class Indicator(_RealTerm):
    """One where a statement holds, zero where it does not."""

    is_nonnegative = True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        body = rf"\mathbf 1\left[{printer._print(self.args[0])}\right]"
        return body if exp is None else rf"{body}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"1[{printer._print(self.args[0])}]"


class Expectation(sp.Expr):  # type: ignore[misc]
    """The expectation of a term over the one probability space that all random terms share."""

    is_commutative = True

    def _eval_is_real(self) -> bool | None:
        return True if kind(self.args[0]) == REAL else None

    def _eval_is_extended_real(self) -> bool | None:
        return self._eval_is_real()

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0].is_nonnegative else None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        body = rf"\mathbb E\left[{printer._print(self.args[0])}\right]"
        return body if exp is None else rf"{body}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"E[{printer._print(self.args[0])}]"


class Probability(_RealTerm):
    """The probability of a statement about random terms."""

    is_nonnegative = True

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        body = rf"\Pr\left[{printer._print(self.args[0])}\right]"
        return body if exp is None else rf"{body}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"P[{printer._print(self.args[0])}]"


class MatrixExpectation(MatrixExpr):  # type: ignore[misc]
    """The entrywise expectation of a random matrix."""

    @property
    def shape(self) -> tuple[sp.Expr, sp.Expr]:
        """The shape of the matrix that is averaged."""
        return self.args[0].shape  # type: ignore[no-any-return]

    def _latex(self, printer: Any) -> str:
        return rf"\mathbb E\left[{printer._print(self.args[0])}\right]"

    def _sympystr(self, printer: Any) -> str:
        return f"E[{printer._print(self.args[0])}]"


class Inverse(MatrixExpr):  # type: ignore[misc]
    """The inverse of a square matrix.

    SymPy's own inverse cancels while a product is built, before anyone can ask whether it exists.
    """

    @property
    def arg(self) -> Any:
        """The matrix that is inverted."""
        return self.args[0]

    @property
    def shape(self) -> tuple[sp.Expr, sp.Expr]:
        """The shape of the matrix."""
        return self.args[0].shape  # type: ignore[no-any-return]

    def _sympystr(self, printer: Any) -> str:
        inner = printer._print(self.args[0])
        return f"{inner}⁻¹" if isinstance(self.args[0], sp.MatrixSymbol) else f"({inner})⁻¹"


class Trace(_RealTerm):
    """The trace of a square matrix."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        body = rf"\operatorname{{tr}}\left({printer._print(self.args[0])}\right)"
        return body if exp is None else rf"{body}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"tr({printer._print(self.args[0])})"


class LogDet(_RealTerm):
    """The logarithm of the determinant of a matrix whose determinant is positive."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        body = rf"\log\det\left({printer._print(self.args[0])}\right)"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"logdet({printer._print(self.args[0])})"


class Property(Boolean):  # type: ignore[misc]
    """A hypothesis that is not a relation between numbers, such as invertibility."""

    words = ""

    def _eval_simplify(self, **kwargs: Any) -> Property:
        return self

    def _latex(self, printer: Any) -> str:
        return ", ".join(map(printer._print, self.args)) + rf" \text{{ {self.words}}}"

    def _sympystr(self, printer: Any) -> str:
        return ", ".join(map(printer._print, self.args)) + f" {self.words}"


class Invertible(Property):
    """The matrix has an inverse."""

    words = "invertible"


class PositiveDefinite(Property):
    """The matrix is symmetric and positive definite."""

    words = "positive definite"


class PositiveSemidefinite(Property):
    """The matrix is symmetric and positive semidefinite."""

    words = "positive semidefinite"


class Independent(Property):
    """The random terms are jointly independent."""

    words = "independent"


class IndependentFamily(Property):
    """The members of the random family are jointly independent."""

    words = "jointly independent over its index"


class ForEach(Boolean):  # type: ignore[misc]
    """A statement for every value of an index in a range."""

    @property
    def index(self) -> sp.Symbol:
        """The index that ranges."""
        return self.args[0]

    @property
    def low(self) -> sp.Expr:
        """The first value of the index."""
        return self.args[1]

    @property
    def high(self) -> sp.Expr:
        """The last value of the index."""
        return self.args[2]

    @property
    def relation(self) -> Boolean:
        """The statement that holds for each value."""
        return self.args[3]

    @property
    def free_symbols(self) -> set[sp.Basic]:
        """Free symbols: all but the index, which the ends of its range do not see."""
        _, low, high, relation = self.args
        return {*low.free_symbols, *high.free_symbols, *(relation.free_symbols - {self.index})}

    def _eval_simplify(self, **kwargs: Any) -> ForEach:
        return self

    def _latex(self, printer: Any) -> str:
        i, low, high, relation = map(printer._print, self.args)
        return rf"{relation} \quad ({i} = {low}, \dots, {high})"

    def _sympystr(self, printer: Any) -> str:
        i, low, high, relation = map(printer._print, self.args)
        return f"{relation} for {i} = {low}, …, {high}"


def is_statement(e: Any) -> bool:
    """Say whether something is a statement (SymPy also counts its symbols as Booleans)."""
    return isinstance(e, Boolean) and not isinstance(e, sp.Expr)


def statement(value: Any) -> Boolean:
    """Return a statement, refusing what SymPy has already evaluated away."""
    if isinstance(value, bool) or value in (sp.true, sp.false):
        raise IllTyped(
            f"a statement was evaluated to {value} before it arrived here, so it is lost; write it "
            "with mlnotes.proof's own Eq, Ne, Le, Lt, Ge, Gt, which do not evaluate"
        )
    if not is_statement(value):
        raise IllTyped(f"expected a statement such as Le(x, y), got {value!r}")
    return value


def term(value: Any) -> Any:
    """Return a term from what an author wrote: an expression, a number or a text."""
    try:
        e = sp.sympify(value)
    except (sp.SympifyError, SyntaxError, TypeError, AttributeError) as reason:
        raise IllTyped(f"{value!r} cannot be read as a term") from reason
    if not isinstance(e, sp.Basic):
        raise IllTyped(f"{value!r} is not a term")
    return e


def _relation(cls: Any, left: Any, right: Any) -> Any:
    left, right = term(left), term(right)
    for side in (left, right):
        if is_statement(side):
            raise IllTyped(f"{side} is a statement, not a term to compare")
    return cls(left, right, evaluate=False)


def Eq(left: Any, right: Any) -> Any:
    """Return ``left = right``, unevaluated."""
    return _relation(sp.Eq, left, right)


def Ne(left: Any, right: Any) -> Any:
    """Return ``left ≠ right``, unevaluated."""
    return _relation(sp.Ne, left, right)


def Le(left: Any, right: Any) -> Any:
    """Return ``left ≤ right``, unevaluated."""
    return _relation(sp.Le, left, right)


def Lt(left: Any, right: Any) -> Any:
    """Return ``left < right``, unevaluated."""
    return _relation(sp.Lt, left, right)


def Ge(left: Any, right: Any) -> Any:
    """Return ``left ≥ right``, unevaluated."""
    return _relation(sp.Ge, left, right)


def Gt(left: Any, right: Any) -> Any:
    """Return ``left > right``, unevaluated."""
    return _relation(sp.Gt, left, right)


def And(*statements: Any) -> Any:
    """Return the conjunction of statements, unevaluated."""
    return sp.And(*map(statement, statements), evaluate=False)


def Or(*statements: Any) -> Any:
    """Return the disjunction of statements, unevaluated."""
    return sp.Or(*map(statement, statements), evaluate=False)


def for_each(index: sp.Symbol, low: Any, high: Any, relation: Any) -> ForEach:
    """Return the hypothesis that ``relation`` holds for every ``index`` from ``low`` to ``high``.

    Examples
    --------
    >>> from mlnotes.proof import Ge, for_each, indices, integers, real_family
    >>> i, n, alpha = indices("i"), integers("n", positive=True), real_family("alpha")
    >>> print(for_each(i, 1, n, Ge(alpha[i], 0)))
    alpha[i] >= 0 for i = 1, …, n
    """
    if not (isinstance(index, sp.Symbol) and index.is_integer):
        raise IllTyped(f"{index} cannot range over integers: make it with indices(...)")
    return ForEach(index, term(low), term(high), statement(relation))


def _names(names: str) -> list[str]:
    found = names.replace(",", " ").split()
    if not found:
        raise IllTyped("give at least one name")
    return found


def _one_or_many(objects: list[Any]) -> Any:
    return objects[0] if len(objects) == 1 else tuple(objects)


SIGNS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")


def _made(make: Callable[..., Any], names: str, assumptions: Mapping[str, bool]) -> Any:
    """Return one symbol or family per name, with assumptions that the engine can check."""
    unknown = sorted(name for name, value in assumptions.items() if name not in SIGNS or not value)
    if unknown:
        raise IllTyped(
            f"the assumption {', '.join(f'{u}={assumptions[u]}' for u in unknown)} means nothing "
            f"here: one may assume {', '.join(f'{sign}=True' for sign in SIGNS)}"
        )
    try:
        return _one_or_many([make(name, **assumptions) for name in _names(names)])
    except InconsistentAssumptions as reason:
        raise IllTyped(f"no number is {' and '.join(sorted(assumptions))} at once") from reason


def reals(names: str, **assumptions: bool) -> Any:
    """Return real symbols: one for one name, a tuple for several.

    Parameters
    ----------
    names : str
        Names separated by spaces.
    **assumptions : bool
        ``positive``, ``negative``, ``nonnegative``, ``nonpositive`` or ``nonzero``, each with the
        value True; they count as hypotheses.

    Examples
    --------
    >>> from mlnotes.proof import reals
    >>> y, R = reals("y R")
    >>> y.is_real
    True
    """
    return _made(functools.partial(sp.Symbol, real=True), names, assumptions)


def integers(names: str, **assumptions: bool) -> Any:
    """Return integer symbols, with the assumptions that :func:`reals` takes."""
    return _made(functools.partial(sp.Symbol, integer=True), names, assumptions)


def dimensions(names: str) -> Any:
    """Return numbers of rows or columns of matrices, which are positive integers."""
    return integers(names, positive=True)


def indices(names: str) -> Any:
    """Return integer symbols meant to be bound by a sum, a product or ``for_each``."""
    return _one_or_many([sp.Symbol(name, integer=True) for name in _names(names)])


def vectors(names: str) -> Any:
    """Return abstract vectors of one inner-product space, of any dimension.

    Examples
    --------
    >>> from mlnotes.proof import dot, vectors
    >>> theta, x = vectors("theta x")
    >>> print(dot(theta, x))
    ⟨theta, x⟩
    """
    return _one_or_many([Vector(name) for name in _names(names)])


def vector_family(names: str) -> Any:
    """Return families of vectors, ``x[i]``."""
    return _one_or_many([VectorFamily(name) for name in _names(names)])


def real_family(names: str, **assumptions: bool) -> Any:
    """Return families of reals, ``alpha[i]`` or ``r[i, k]``."""
    return _made(functools.partial(sp.IndexedBase, real=True), names, assumptions)


def integer_family(names: str, **assumptions: bool) -> Any:
    """Return families of integers, which may stand as indices: ``x[a[j]]``."""
    return _made(functools.partial(sp.IndexedBase, integer=True), names, assumptions)


def random_variables(names: str) -> Any:
    """Return real random variables on one probability space."""
    return _one_or_many([RandomVariable(name) for name in _names(names)])


def random_vectors(names: str) -> Any:
    """Return random vectors of the common inner-product space."""
    return _one_or_many([RandomVector(name) for name in _names(names)])


def random_family(names: str) -> Any:
    """Return families of real random variables, ``X[i]``."""
    return _one_or_many([RandomFamily(name, real=True) for name in _names(names)])


def matrices(names: str, rows: Any, columns: Any, *, symmetric: bool = False) -> Any:
    """Return real matrices of symbolic shape ``rows`` × ``columns``."""
    cls = SymmetricMatrix if symmetric else Matrix
    if symmetric and term(rows) != term(columns):
        raise IllTyped("a symmetric matrix is square")
    shape = (_size(rows), _size(columns))
    return _one_or_many([cls(name, *shape) for name in _names(names)])


def random_matrices(names: str, rows: Any, columns: Any) -> Any:
    """Return random matrices of symbolic shape; moments are declared with ``Eq(E(...), ...)``."""
    shape = (_size(rows), _size(columns))
    return _one_or_many([RandomMatrix(name, *shape) for name in _names(names)])


def _size(value: Any) -> sp.Expr:
    """Return a number of rows or columns, which has to be known to be one."""
    size = term(value)
    if not (size.is_integer and size.is_nonnegative):
        raise IllTyped(
            f"{size} is not known to be a nonnegative integer, so no matrix has that many rows or "
            "columns: make it with integers(..., positive=True)"
        )
    return size


IMPLIED = {
    "positive_curvature": "nonnegative_curvature",
    "nonnegative_curvature": "twice_differentiable",
    "twice_differentiable": "differentiable",
}
PROPERTIES = frozenset(
    {"convex", "concave", "increasing", "decreasing", "differentiable", "positive", "nonnegative"}
    | IMPLIED.keys()
)


class Declared(UndefinedFunction):  # type: ignore[misc]
    """A function with declared properties, which nobody can change afterwards."""

    def __new__(cls, name: str, **kwargs: Any) -> Any:  # noqa: D102
        return super().__new__(cls, name, real=True, **kwargs)

    def __init__(cls, name: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        fixed: Mapping[str, Any] = MappingProxyType(vars(cls)["_kwargs"])
        cls._kwargs, cls._sealed = fixed, True

    def __setattr__(cls, name: str, value: Any) -> None:
        if "_sealed" in vars(cls):
            raise AttributeError("the properties of a function cannot be changed: declare another")
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        raise AttributeError("the properties of a function cannot be changed: declare another")

    # SymPy compares the names and properties even of a function with itself.
    def __eq__(cls, other: object) -> bool:
        return cls is other or bool(super().__eq__(other))

    __hash__ = UndefinedFunction.__hash__


class Subgradient(Declared):
    """A choice of subgradient of a convex or concave function; no declared function equals one."""


def function(name: str, **properties: bool) -> UndefinedFunction:
    """Return a real function of one real variable with declared properties.

    Parameters
    ----------
    name : str
        Its name.
    **properties : bool
        Any of ``convex``, ``concave``, ``increasing``, ``decreasing``, ``differentiable``,
        ``positive``, ``nonnegative``, ``twice_differentiable``, ``nonnegative_curvature`` and
        ``positive_curvature``; each is a hypothesis and printed as one. ``increasing`` and
        ``decreasing`` are meant in the weak sense. The last two say of which sign the second
        derivative is, so that there is one.
    """
    unknown = set(properties) - PROPERTIES
    if unknown:
        raise IllTyped(f"unknown properties {sorted(unknown)}; known: {sorted(PROPERTIES)}")
    declared = {key for key, value in properties.items() if value}
    for stronger, weaker in IMPLIED.items():
        if stronger in declared:
            declared.add(weaker)
    return Declared(name, declared=tuple(sorted(declared)))


def derivative(f: UndefinedFunction) -> UndefinedFunction:
    """Return the derivative of a function declared differentiable, as a function."""
    if "differentiable" not in properties_of(f):
        raise IllTyped(f"{f} was not declared differentiable")
    of_slope = {
        "convex": "increasing",
        "concave": "decreasing",
        "increasing": "nonnegative",
        "twice_differentiable": "differentiable",
    }
    of_bend = {"nonnegative_curvature": "nonnegative", "positive_curvature": "positive"}
    known = [c for name, c in of_slope.items() if name in properties_of(f)]
    known += [c for name, c in of_bend.items() if name in properties_of(differentiated(f))]
    return Declared(f"{f.__name__}'", declared=tuple(dict.fromkeys(known)), derivative_of=f)


def subgradient(f: UndefinedFunction) -> UndefinedFunction:
    """Return a choice of subgradient of a convex or concave function, as a function."""
    declared = ("nonnegative",) if "increasing" in properties_of(f) else ()
    return Subgradient(f"∂{f.__name__}", declared=declared, subgradient_of=f)


def properties_of(f: Any) -> tuple[str, ...]:
    """Return the declared properties of a function."""
    return tuple(f._kwargs["declared"]) if isinstance(f, Declared) else ()


IN_WORDS = {
    "twice_differentiable": "twice differentiable",
    "nonnegative_curvature": "of nonnegative second derivative",
    "positive_curvature": "of positive second derivative",
}


def in_words(properties: Iterable[str]) -> str:
    """Return properties of a function in words, without those that others imply."""
    properties = list(properties)
    implied = {IMPLIED.get(name) for name in properties}
    return ", ".join(IN_WORDS.get(name, name) for name in properties if name not in implied)


def differentiated(f: Any) -> Any:
    """Return the function of which a function is the derivative, None if it is no derivative."""
    return f._kwargs.get("derivative_of") if isinstance(f, Declared) else None


def dot(u: Any, v: Any) -> sp.Expr:
    """Return the inner product of two vectors."""
    term = Dot(u, v)
    kind(term)
    return term


def norm2(u: Any) -> sp.Expr:
    """Return the squared norm of a vector."""
    return dot(u, u)


def norm(u: Any) -> sp.Expr:
    """Return the norm of a vector."""
    return sp.sqrt(norm2(u))


def expectation(body: Any, *over: Any) -> Any:
    """Return the expectation of a term.

    All random terms live on one probability space and the expectation averages over all of it.
    ``over`` may name the random terms for the reader; it has to name all that occur.
    """
    body = sp.sympify(body)
    _check_over(body, over)
    if isinstance(body, MatrixExpr):
        return MatrixExpectation(body)
    return Expectation(body)


def probability(event: Any, *over: Any) -> sp.Expr:
    """Return the probability of a statement about random terms."""
    _check_over(statement(event), over)
    return Probability(statement(event))


def indicator(event: Any) -> sp.Expr:
    """Return the indicator of a statement: one if it holds, zero if not."""
    return Indicator(statement(event))


def _check_over(body: Any, over: Iterable[Any]) -> None:
    over = list(over)
    if over:
        missing = sorted(str(r) for r in random_parts(body) if r not in over)
        if missing:
            raise IllTyped(
                f"the expectation averages over all random terms, so name {', '.join(missing)} too"
            )


def random_parts(e: Any) -> set[Any]:
    """Return the random symbols, families and matrices that occur in a term."""
    return set(sp.sympify(e).atoms(RandomVariable, RandomVector, RandomFamily, RandomMatrix))


@functools.lru_cache(maxsize=50_000)
def is_random(e: Any) -> bool:
    """Say whether a term varies with the outcome: it has a random part outside expectations."""
    e = sp.sympify(e)
    if isinstance(e, (Expectation, MatrixExpectation, Probability, Property)):
        return False
    if isinstance(e, (RandomVariable, RandomVector, RandomFamily, RandomMatrix)):
        return True
    return any(is_random(a) for a in e.args)


def inverse(m: Any) -> MatrixExpr:
    """Return the inverse of a square matrix; a derivation has to assume or prove that it exists."""
    _square(m)
    return Inverse(m)


def trace(m: Any) -> sp.Expr:
    """Return the trace of a square matrix."""
    _square(m)
    return Trace(m)


def logdet(m: Any) -> sp.Expr:
    """Return the logarithm of the determinant of a positive definite matrix."""
    _square(m)
    return LogDet(m)


def identity(n: Any) -> MatrixExpr:
    """Return the identity matrix of size ``n``."""
    return sp.Identity(_size(n))


def zeros(rows: Any, columns: Any) -> MatrixExpr:
    """Return the zero matrix of a shape."""
    return sp.ZeroMatrix(_size(rows), _size(columns))


def invertible(m: Any) -> Invertible:
    """Return the hypothesis that a matrix is invertible."""
    _square(m)
    return Invertible(m)


def positive_definite(m: Any) -> PositiveDefinite:
    """Return the hypothesis that a matrix is symmetric positive definite."""
    _square(m)
    return PositiveDefinite(m)


def positive_semidefinite(m: Any) -> PositiveSemidefinite:
    """Return the hypothesis that a matrix is symmetric positive semidefinite."""
    _square(m)
    return PositiveSemidefinite(m)


def independent(*parts: Any) -> Independent:
    """Return the hypothesis that random terms are jointly independent."""
    if len(parts) < 2 or any(not is_random(p) for p in parts):
        raise IllTyped("independent(...) takes two or more random terms")
    return Independent(*parts)


def independent_family(family: Any) -> IndependentFamily:
    """Return the hypothesis that the members of a random family are jointly independent.

    ``Lambda(i, X[j, i])`` says it of the members with a fixed j; inside ``for_each`` of every j,
    which leaves open how members with different j depend on each other.
    """
    if isinstance(family, sp.Lambda):
        member = family.expr
        varies = isinstance(member, sp.Indexed) and set(family.variables) <= set(member.indices)
        if not varies or not isinstance(member.base, RandomFamily):
            raise IllTyped(f"{family} does not run through a random family")
    elif not isinstance(family, RandomFamily):
        raise IllTyped(f"{family} is not a random family")
    return IndependentFamily(family)


def as_written() -> contextlib.AbstractContextManager[Any]:
    """Return a context in which SymPy keeps terms as they are typed.

    Outside it SymPy simplifies while it builds: ``x/x`` is 1 before anyone can ask whether x may
    be zero, and the terms of a sum are sorted.

    Examples
    --------
    >>> from mlnotes.proof import as_written, reals
    >>> x = reals("x")
    >>> with as_written():
    ...     term = x / x
    >>> term == 1
    False
    """
    return sp.evaluate(False)  # type: ignore[no-any-return]


_Function = TypeVar("_Function", bound=Callable[..., Any])


def evaluating(f: _Function) -> _Function:
    """Let SymPy evaluate inside a function, even if it is called within :func:`as_written`."""

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with sp.evaluate(True):
            return f(*args, **kwargs)

    return cast(_Function, wrapped)


def is_vector_atom(e: Any) -> bool:
    """Say whether a term is a single vector."""
    return isinstance(e, Vector) or (isinstance(e, sp.Indexed) and isinstance(e.base, VectorFamily))


def _square(m: Any) -> None:
    shape = kind(m)
    if not isinstance(shape, tuple):
        raise IllTyped(f"{m} is not a matrix")
    if not _same(shape[0], shape[1]):
        raise IllTyped(f"{m} is not square: it is {shape[0]} × {shape[1]}")


def _same(a: Any, b: Any) -> bool:
    return bool(sp.expand(sp.sympify(a) - sp.sympify(b)) == 0)


def _say(k: Kind) -> str:
    if isinstance(k, tuple):
        return f"a {k[0]} × {k[1]} matrix"
    return {REAL: "a number", VECTOR: "a vector", BOOL: "a statement"}[k]


_FUNCTIONS = (sp.exp, sp.log, sp.Abs, sp.Max, sp.Min, sp.KroneckerDelta, sp.sign, AppliedUndef)
_HYPERBOLIC = (sp.tanh, sp.sinh, sp.cosh)


def kind(e: Any) -> Kind:
    """Return what a term is: ``"real"``, ``"vector"``, a matrix shape or ``"statement"``.

    Raises
    ------
    IllTyped
        If the term means nothing, such as ``theta + y`` for a vector and a number.

    Examples
    --------
    >>> from mlnotes.proof import reals, vectors
    >>> from mlnotes.proof.terms import kind
    >>> theta, y = vectors("theta"), reals("y")
    >>> kind(y * theta)
    'vector'
    """
    found = _kind(term(e))
    return REAL if found is None else found


@functools.lru_cache(maxsize=10_000)
def _check_known(e: Any) -> None:
    """Refuse a symbol or family that assumes what no rule would check of a value put in its place.

    SymPy knows that an even integer is not 1; what replaces it would have to be shown even.
    """
    signs = {name: True for name in SIGNS if getattr(e, f"is_{name}")}
    plain = sp.Symbol("x", real=True, integer=e.is_integer or None, **signs)
    if {k: v for k, v in e.assumptions0.items() if v is not None} != plain.assumptions0:
        raise IllTyped(
            f"{e} assumes more than a sign: make it with reals(...), integers(...), "
            "real_family(...) or integer_family(...), and write the rest in given=[...]"
        )


def _ours(cls: Any) -> bool:
    """Say whether a class is SymPy's or this package's: others could claim anything of a term."""
    return str(cls.__module__).split(".")[0] in ("sympy", __name__.split(".")[0])


def _kind(e: Any) -> Kind | None:
    """Return the kind of a term, None for a zero, which can be a number or a vector."""
    if not isinstance(e, AppliedUndef) and not _ours(type(e)):
        raise IllTyped(f"{type(e).__name__} is not part of the language: {e}")
    if e in (sp.nan, sp.zoo, sp.oo, -sp.oo) or (e.is_Number and not e.is_finite):
        raise Undefined(f"{e} is not a number")
    if e == 0:
        return None
    if e is sp.I:
        raise Undefined("the term is not real: it contains the square root of a negative number")
    if isinstance(e, MatrixExpr):
        return _matrix_kind(e)
    if is_vector_atom(e):
        if isinstance(e, sp.Indexed):
            _check_indices(e)
        return VECTOR
    if isinstance(e, sp.Indexed):
        _check_indices(e)
        _check_known(e.base)
        return REAL
    if isinstance(e, sp.Symbol) or e.is_Number or isinstance(e, sp.NumberSymbol):
        if isinstance(e, sp.Symbol) and not e.is_real:
            raise IllTyped(f"{e} is not known to be real: make it with reals(...)")
        if isinstance(e, sp.Symbol):
            _check_known(e)
        if e.is_Float:
            raise IllTyped(f"{e} is a rounded number: write an exact one, such as Rational(1, 10)")
        return REAL
    if isinstance(e, sp.Add):
        return _sum_kind(e)
    if isinstance(e, sp.Mul):
        kinds = [_kind(a) for a in e.args]
        found = [k for k in kinds if k not in (REAL, None)]
        if len(found) > 1:
            raise IllTyped(f"{e} multiplies {' and '.join(map(_say, found))}; use dot(u, v)")
        if any(k is None for k in kinds):
            return None
        return found[0] if found else REAL
    if isinstance(e, sp.Pow):
        for part in e.args:
            if _kind(part) not in (REAL, None):
                raise IllTyped(f"{e} is a power of {_say(kind(part))}; use norm2(u) or dot(u, v)")
        return REAL
    if isinstance(e, (sp.Sum, sp.Product)):
        for limit in e.limits:
            _check_limit(limit)
        body = _kind(e.function)
        if isinstance(e, sp.Product) and body not in (REAL, None):
            raise IllTyped(f"{e} multiplies {_say(kind(e.function))}s")
        return REAL if isinstance(e, sp.Product) else body
    if isinstance(e, Dot):
        for a in e.args:
            if _kind(a) not in (VECTOR, None):
                raise IllTyped(f"{e} is an inner product with {_say(kind(a))}: {a}")
        return REAL
    if isinstance(e, Expectation):
        body = _kind(e.args[0])
        if body == BOOL:
            raise IllTyped(f"{e} is the mean of a statement: write probability(...)")
        return body
    if isinstance(e, (Probability, Indicator)):
        if _kind(e.args[0]) != BOOL:
            raise IllTyped(f"{e} is about a statement, not about {e.args[0]}")
        return REAL
    if isinstance(e, (Trace, LogDet)):
        _square(e.args[0])
        return REAL
    if is_statement(e):
        return _statement_kind(e)
    if isinstance(e, _RealTerm):
        return REAL
    if isinstance(e, _HYPERBOLIC):
        raise IllTyped(f"write {e} with exp: the engine knows exp, log, sqrt, Abs, Max and Min")
    if isinstance(e, _FUNCTIONS):
        if isinstance(e, AppliedUndef) and not isinstance(e.func, Declared):
            raise IllTyped(f"nothing is declared of {e.func}: make it with function(...)")
        if isinstance(e, AppliedUndef) and len(e.args) != 1:
            raise IllTyped(f"{e}: a declared function takes one number")
        if isinstance(e, sp.KroneckerDelta) and len(e.args) != 2:
            raise IllTyped(f"{e}: a Kronecker delta compares two indices, without a range")
        for a in e.args:
            if isinstance(a, sp.Expr) and _kind(a) not in (REAL, None):
                raise IllTyped(f"{e} applies a real function to {_say(kind(a))}")
        return REAL
    raise IllTyped(f"{type(e).__name__} is not part of the language: {e}")


def _sum_kind(e: sp.Expr) -> Kind | None:
    kinds = [(a, _kind(a)) for a in e.args]
    known = [(a, k) for a, k in kinds if k is not None]
    for a, k in known[1:]:
        if k != known[0][1]:
            raise IllTyped(f"{e} adds {_say(known[0][1])} ({known[0][0]}) and {_say(k)} ({a})")
    return known[0][1] if known else None


def _matrix_kind(e: Any) -> Kind:
    if isinstance(e, sp.MatMul):
        factors = [a for a in e.args if isinstance(a, MatrixExpr)]
        for a in e.args:
            k = _kind(a)
            if not isinstance(a, MatrixExpr) and k not in (REAL, None):
                raise IllTyped(f"{e} multiplies a matrix by {_say(kind(a))}")
        for a, b in itertools.pairwise(factors):
            if not _same(a.shape[1], b.shape[0]):
                raise IllTyped(f"{a} is {_say(a.shape)} and {b} {_say(b.shape)}: no product")
        return (factors[0].shape[0], factors[-1].shape[1])
    if isinstance(e, sp.MatAdd):
        for a in e.args:
            _kind(a)
            if not all(map(_same, a.shape, e.args[0].shape)):
                raise IllTyped(f"{e} adds {_say(e.args[0].shape)} and {_say(a.shape)}")
        return e.args[0].shape  # type: ignore[no-any-return]
    if isinstance(e, (Inverse, sp.MatPow)):
        _square(e.args[0])
        if isinstance(e, sp.MatPow) and not e.exp.is_Integer:
            raise IllTyped(f"{e}: only integer powers of a matrix have a meaning here")
        return e.shape
    if isinstance(e, (sp.Transpose, MatrixExpectation)):
        _kind(e.args[0])
        return e.shape
    if isinstance(e, (Matrix, sp.Identity, sp.ZeroMatrix)):
        return (_size(e.shape[0]), _size(e.shape[1]))
    raise IllTyped(f"{type(e).__name__} is not part of the language: {e}")


def _check_indices(e: sp.Indexed) -> None:
    for index in e.indices:
        if not index.is_integer:
            raise IllTyped(f"the index {index} of {e} is not known to be an integer")


def _check_limit(limit: Any) -> None:
    if len(limit) != 3:
        raise IllTyped(f"{limit} needs an index, a first and a last value")
    index, low, high = limit
    if not isinstance(index, sp.Symbol) or not index.is_integer:
        raise IllTyped(f"the index {index} is not an integer: make it with indices(...)")
    for end in (low, high):
        if index in end.free_symbols:
            raise IllTyped(f"the range of {index} ends at {end}, which depends on {index} itself")
        if end.is_infinite:
            raise IllTyped("sums and products are finite here")
        if not end.is_integer:
            raise IllTyped(f"the limit {end} is not known to be an integer")


def _statement_kind(e: Boolean) -> Kind:
    if e in (sp.true, sp.false):
        statement(e)
    if isinstance(e, sp.core.relational.Relational):
        left, right = _kind(e.lhs), _kind(e.rhs)
        if BOOL in (left, right):
            raise IllTyped(f"{e} compares statements")
        if left is not None and right is not None and not _comparable(left, right):
            raise IllTyped(f"{e} compares {_say(left)} and {_say(right)}")
        if not isinstance(e, (sp.Eq, sp.Ne)) and any(k not in (REAL, None) for k in (left, right)):
            raise IllTyped(f"{e} orders what is not a number")
        if any(isinstance(k, tuple) for k in (left, right)) and None in (left, right):
            raise IllTyped(f"{e}: compare a matrix with zeros(rows, columns), not with 0")
        return BOOL
    if isinstance(e, ForEach):
        _check_limit((e.index, e.low, e.high))
        _kind(e.relation)
        return BOOL
    if isinstance(e, (sp.And, sp.Or, sp.Not)):
        for a in e.args:
            _kind(a)
        return BOOL
    if isinstance(e, Property):
        for a in e.args:
            if not isinstance(a, sp.IndexedBase):
                _kind(a.expr if isinstance(a, sp.Lambda) else a)
        return BOOL
    raise IllTyped(f"{type(e).__name__} is not a statement of the language: {e}")


def _comparable(a: Kind, b: Kind) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return all(map(_same, a, b))
    return a == b


def substitute(e: Any, mapping: Mapping[Any, Any]) -> Any:
    """Replace symbols in a term or statement, never capturing an index and never evaluating.

    Keys are symbols, vectors, matrices, indexed members, families or functions; a family or a
    function is replaced by another one or by a ``Lambda`` of its indices.
    """
    if not mapping:
        return e
    return _Substitution({sp.sympify(k): sp.sympify(v) for k, v in mapping.items()}).run(e)


class _Substitution:
    """A substitution, which renames every bound index that it would capture or that is taken."""

    def __init__(self, mapping: dict[Any, Any], taken: Iterable[Any] = ()) -> None:
        self.mapping = mapping
        self.incoming = set(taken).union(
            *(getattr(v, "free_symbols", set()) for v in mapping.values())
        )
        self.renames = all(_is_index(x) for pair in mapping.items() for x in pair)

    def run(self, e: Any) -> Any:
        if e in self.mapping:
            return self.mapping[e]
        if not isinstance(e, sp.Basic) or not e.args:
            return e
        if isinstance(e, sp.Indexed):
            at = [self.run(i) for i in e.indices]
            return member(self.mapping.get(e.base, e.base), at)
        if isinstance(e, AppliedUndef) and e.func in self.mapping:
            f, at = self.mapping[e.func], [self.run(a) for a in e.args]
            return member(f, at) if isinstance(f, sp.Lambda) else f(*at)
        if isinstance(e, (sp.Sum, sp.Product)):
            return self._binder(e)
        if isinstance(e, sp.Lambda):
            inner, names = self, []
            for index in e.variables:
                inner, fresh = inner._under(index, e)
                names.append(fresh)
            return sp.Lambda(tuple(names), inner.run(e.expr))
        if isinstance(e, ForEach):
            index, low, high, relation = e.args
            inner, fresh = self._under(index, e)
            return ForEach(fresh, self.run(low), self.run(high), inner.run(relation))
        args = [self.run(a) for a in e.args]
        if all(a is b for a, b in zip(args, e.args, strict=True)):
            return e
        if isinstance(e, (sp.core.relational.Relational, sp.And, sp.Or)):
            return e.func(*args, evaluate=False)
        if isinstance(e, sp.MatAdd):
            return sum(args[1:], args[0])
        if isinstance(e, sp.log) and self.renames:
            # SymPy would look for the sign of all that stands in it, which is as it was.
            return sp.log(*args, evaluate=False)
        return e.func(*args)

    def _under(self, index: sp.Symbol, binder: Any) -> tuple[_Substitution, sp.Symbol]:
        """Return the substitution inside a binder, with the index renamed if it would capture."""
        # A key that mentions the index speaks of the free one, not of the one bound here.
        mapping = {
            k: v for k, v in self.mapping.items() if index not in getattr(k, "free_symbols", ())
        }
        if index in self.incoming:
            fresh = _fresh_index(index, self.incoming | binder.atoms(sp.Symbol))
            mapping[index] = fresh
            return _Substitution(mapping, self.incoming), fresh
        return _Substitution(mapping, self.incoming), index

    def _binder(self, e: Any) -> Any:
        # SymPy lists the innermost limit first: a limit's bounds see the later indices.
        current, limits = self, []
        for index, low, high in reversed(e.limits):
            low, high = current.run(low), current.run(high)
            current, fresh = current._under(index, e)
            limits.append((fresh, low, high))
        return e.func(current.run(e.function), *reversed(limits))


def _is_index(e: Any) -> bool:
    """Say whether a symbol is an integer of which nothing else is known."""
    return isinstance(e, sp.Symbol) and e.is_integer and e.is_nonnegative is e.is_zero is None


def member(family: Any, at: Iterable[Any]) -> Any:
    """Return the member of a family, or the value of a ``Lambda``, at some indices or a number."""
    at = tuple(at)
    if not isinstance(family, sp.Lambda):
        return _entry(family, at)
    if len(family.variables) != len(at):
        raise IllTyped(f"{family} takes {len(family.variables)} arguments and is given {len(at)}")
    # SymPy's own call would let the sums inside capture the indices.
    return substitute(family.expr, dict(zip(family.variables, at, strict=True)))


@functools.lru_cache(maxsize=20_000)
def _entry(family: Any, at: tuple[Any, ...]) -> Any:
    return family[at]


def apart_from(e: Any, taken: Iterable[Any]) -> Any:
    """Return a term with its bound indices renamed so that none of them is taken."""
    return _Substitution({}, taken).run(e)


def _fresh_index(index: sp.Symbol, taken: Iterable[Any]) -> sp.Symbol:
    names = {str(s) for s in taken}
    name = index.name + "'"
    while name in names:
        name += "'"
    return sp.Symbol(name, integer=True)


def fresh_symbol(name: str, taken: Iterable[Any], **assumptions: bool) -> sp.Symbol:
    """Return a symbol for a generic value, with a name that no given term or statement uses."""
    used = {s.name for e in taken for s in e.atoms(sp.Symbol)}
    name += "°"
    while name in used:
        name += "°"
    return Generic(name, **assumptions)


def families(e: Any) -> set[Any]:
    """Return the families that occur in a term or statement."""
    return set(sp.sympify(e).atoms(sp.IndexedBase))
