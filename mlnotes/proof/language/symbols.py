"""Symbols: variables, families and functions, whose declared properties abbreviate hypotheses."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from typing import Any

from mlnotes.trusted.terms import Term, Variable, close

from ..errors import IllTyped
from ..notation import GRADIENT
from .expressions import (
    Expr,
    carried,
    declared_sizes,
    in_sort,
    replaced,
    shown_in_sort,
    size_name,
    sqrt,
    term_of,
)
from .statements import negated
from .terms import OUTCOME, build, number, variable

# A letter or word with what stands below, above and behind it; Greek letters by name or as such.
_NAME = re.compile(r"[A-Za-zΑ-Ωα-ωϕϑεℓ0-9][A-Za-zΑ-Ωα-ωϕϑεℓ0-9_^*+'()-]*")


def _name(name: str) -> str:
    """Return a name, or refuse what a page would print as something else than one symbol."""
    if not _NAME.fullmatch(name) or name.startswith("ω"):
        raise IllTyped(f"{name!r} is not a name")
    return name


def _names(names: str) -> list[str]:
    """Return the names in a list that spaces or commas separate."""
    return [_name(name) for name in re.split(r"[\s,]+", names.strip())]


def identifier(name: str) -> str:
    """Return the name of a symbol as one that Python accepts: ``theta^*`` is ``theta_star``."""
    spelled = name.replace("*", "star").replace("+", "plus").replace("'", "_prime")
    out = re.sub(r"\W+", "_", spelled).strip("_")
    return out + "_" if keyword.iskeyword(out) else out


def _one_or_many(objects: list[Any]) -> Any:
    """Return one object by itself, several as a tuple."""
    return objects[0] if len(objects) == 1 else tuple(objects)


SIGNS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")


def _assumption(t: Term, name: str) -> Term:
    """Return 0 < t for positive, of integers 1 ≤ t, 0 ≤ t for nonnegative, and so on."""
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
    """Return symbols of a sort with what is declared of them."""
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


def points(names: str) -> Any:
    """Return points of a measure space, over which integrals run."""
    return _symbols(names, "U", {})


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

    __slots__ = ("declared", "given", "name", "random", "sort")

    def __init__(
        self,
        name: str,
        sort: str,
        declared: dict[str, bool] | None = None,
        random: bool = False,
        given: Sequence[Term] = (),
    ) -> None:
        self.name, self.sort, self.random = name, sort, random
        self.declared, self.given = dict(declared or {}), tuple(given)

    def __getitem__(self, at: Any) -> Expr:
        at = at if isinstance(at, tuple) else (at,)
        found = [term_of(i) for i in at]
        args = [in_sort("Z", i) for i in found]
        more = [variable(*OUTCOME)] if self.random else []
        generic = [variable(f"i{k}", "Z") for k in range(len(args))]
        general = variable(self.name, self.sort, [*generic, *more])
        assumes = (*_assumptions(general, generic, self.declared), *self.given)
        return Expr(variable(self.name, self.sort, [*args, *more]), (*assumes, *carried(*found)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Family) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.sort, self.random, tuple(sorted(self.declared.items()))

    def __repr__(self) -> str:
        return self.name


def _family(names: str, sort: str, declared: dict[str, bool], random: bool = False) -> Any:
    """Return families of a sort with what is declared of their members."""
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
        t = variable(name, f"M:{size_name(rows)}:{size_name(columns)}")
        given = [build("=", (), [build("T", (), [t]), t])] if symmetric else []
        out.append(Expr(t, (*given, *declared_sizes(rows, columns))))
    return _one_or_many(out)


def matrix_family(names: str, rows: Any, columns: Any) -> Any:
    """Return families of matrices of one size, such as the columns x₁, …, xₙ."""
    sort = f"M:{size_name(rows)}:{size_name(columns)}"
    given = declared_sizes(rows, columns)
    return _one_or_many([Family(name, sort, given=given) for name in _names(names)])


def unit_column(size: Any, index: Any) -> Expr:
    """Return the column of zeros with a one in a row: X times it is a column of X."""
    at = term_of(index)
    term = build("unit", (size_name(size),), [in_sort("Z", at)])
    return Expr(term, (*declared_sizes(size), *carried(at)))


class Eigenbasis:
    """Columns that are an orthonormal basis of eigenvectors of a matrix, and its eigenvalues.

    That there are such columns for a symmetric matrix is the spectral theorem. What uses them
    supposes that v₁, …, vₙ are orthonormal, that Σ vᵢvᵢᵀ = I, and that S = Σ λᵢ vᵢvᵢᵀ; a theorem
    states all three.

    Attributes
    ----------
    values : Family
        The eigenvalues.
    vectors : Family
        The eigenvectors, which are columns.
    """

    __slots__ = ("matrix", "values", "vectors")

    def __init__(self, matrix: Expr, values: str, vectors: str, power: int = 1) -> None:
        (n, m) = matrix.shape
        if n != m:
            raise IllTyped(f"{matrix!r} is not a square matrix")
        if (*OUTCOME, ()) in matrix.term.free:
            raise IllTyped("the eigenvectors of a random matrix depend on the outcome")
        high = variable(n, "Z")
        whole = build("=", (), [high, build("dim", (n,))])
        high = high if whole in matrix.assumes else build("dim", (n,))
        one, column = build("z", (1,)), f"M:{n}:1"

        def vector(k: Term) -> Term:
            return variable(vectors, column, [k])

        def square(k: Term) -> Term:
            return build("mm", (), [vector(k), build("T", (), [vector(k)])])

        i, j = (variable(f"i{k}", "Z") for k in range(2))
        inner = build("tr", (), [build("mm", (), [build("T", (), [vector(i)]), vector(j)])])
        delta = build("ind", (), [build("=", (), [i, j])])
        says = build("=", (), [inner, delta])
        for k in (j, i):
            for bound in ([k, high], [one, k]):
                says = build("->", (), [build("<=", (), bound), says])
            says = build("all", ("Z",), [close(says, k)])
        span = build("sum", (), [one, high, close(square(i), i)])
        weight = variable(values, "R", [i])
        weight = build("pow", (power,), [weight]) if power > 1 else weight
        weighed = build("sc", (), [weight, square(i)])
        total = build("sum", (), [one, high, close(weighed, i)])
        spectral = build("=", (), [matrix.term, total])
        given = (
            *matrix.assumes,
            says,
            build("=", (), [span, build("I", (n,))]),
            spectral,
        )
        self.matrix = matrix
        self.values = Family(values, "R", given=given)
        self.vectors = Family(vectors, column, given=given)
        BASES[spectral] = self

    def example(self, matrix: Any) -> dict[Any, Any]:
        """Return eigenvalues and eigenvectors of a diagonal matrix, the largest value first."""
        rows = [list(row) if isinstance(row, (list, tuple)) else [row] for row in matrix]
        n = len(rows)
        if any(rows[i][j] != 0 for i in range(n) for j in range(len(rows[i])) if i != j):
            return {}
        order = sorted(range(n), key=lambda k: -rows[k][k])
        return {
            self.values: [rows[k][k] for k in order],
            self.vectors: [[[int(r == k)] for r in range(n)] for k in order],
        }


class SingularValues(Eigenbasis):
    """The singular values of a matrix X and its right and left singular vectors.

    They are an eigenbasis of XᵀX whose eigenvalues are written as squares: v₁, …, v_d are
    orthonormal, Σ vᵢvᵢᵀ = I, XᵀX = Σ σᵢ² vᵢvᵢᵀ and σᵢ ≥ 0. Nothing else is supposed: a left
    singular vector is Xvᵢ/σᵢ, which asks for σᵢ ≠ 0.

    Attributes
    ----------
    values : Family
        The singular values.
    right : Family
        The right singular vectors, which are columns.
    left : LeftVectors
        The left singular vectors, as formulas.
    """

    __slots__ = ("factored", "left", "right")

    def __init__(self, matrix: Expr, values: str, vectors: str) -> None:
        super().__init__(matrix.T * matrix, values, vectors, power=2)
        i = variable("i0", "Z")
        signs = _assumptions(variable(values, "R", [i]), [i], {"nonnegative": True})
        self.values = Family(values, "R", given=(*self.values.given, *signs))
        self.vectors = Family(vectors, self.vectors.sort, given=self.values.given)
        self.factored, self.right = matrix, self.vectors
        self.left = LeftVectors(self)

    def example(self, matrix: Any) -> dict[Any, Any]:
        """Return singular values and vectors where XᵀX is diagonal, the largest value first."""
        found = super().example(matrix)
        if found:
            found[self.values] = [sqrt(term_of(x)) for x in found[self.values]]
        return found


class LeftVectors:
    """The left singular vectors Xvᵢ/σᵢ of a matrix X."""

    __slots__ = ("of",)

    def __init__(self, of: SingularValues) -> None:
        self.of = of

    def __getitem__(self, at: Any) -> Expr:
        return self.of.factored * self.of.right[at] / self.of.values[at]


BASES: dict[Term, Eigenbasis] = {}


def svd(matrix: Any, values: str = "sigma", vectors: str = "v") -> SingularValues:
    """Return the singular values and vectors of a matrix, as a declared object.

    They come from an eigenbasis of XᵀX, so that the spectral theorem is all that is supposed; a
    theorem that uses them states it. A witness in which XᵀX is diagonal need not name them.
    """
    return SingularValues(term_of(matrix), _names(values)[0], _names(vectors)[0])


def eigenbasis(matrix: Any, values: str = "lambda", vectors: str = "v") -> Eigenbasis:
    """Return an orthonormal basis of eigenvectors of a symmetric matrix, as a declared object.

    Its members carry what they are as hypotheses, so that a theorem that uses them states it. A
    witness in which the matrix is diagonal need not name them.
    """
    return Eigenbasis(term_of(matrix), _names(values)[0], _names(vectors)[0])


def random_matrices(names: str, rows: Any, columns: Any) -> Any:
    """Return random matrices of given sizes."""
    omega, sort = variable(*OUTCOME), f"M:{size_name(rows)}:{size_name(columns)}"
    given = declared_sizes(rows, columns)
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
        args = [shown_in_sort(s, x) for s, x in zip(self.of, given, strict=True)]
        return Expr(variable(self.name, self.sort, args), (*self.hypotheses(), *carried(*given)))

    def hypotheses(self) -> tuple[Term, ...]:
        """Return what the declared properties say."""
        from ..derivatives import property_of, vector_convex

        held = [p for p, declared in self.declared.items() if declared]
        if self.sort == "R" and self.of == ("V",) and held in ([], ["convex"]):
            return (vector_convex(self.name),) if held else ()
        if held and (self.of, self.sort) != (("R",), "R"):
            raise IllTyped(
                f"{held[0]} is not declared of {self.name}: functions of one number have "
                "properties, and a function of a vector may be convex"
            )
        return tuple(dict.fromkeys(h for p in held for h in property_of(self.name, p)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.of, self.sort, tuple(sorted(self.declared.items()))

    def __repr__(self) -> str:
        return self.name


KINDS = {"number": "R", "vector": "V", "integer": "Z", "point": "U"}


def function(name: str, of: Any = "number", to: str = "number", **properties: bool) -> Function:
    """Return a function; its properties abbreviate hypotheses.

    Parameters
    ----------
    name : str
        The letter.
    of : str or sequence of str, default="number"
        What it takes: ``"number"``, ``"vector"``, ``"point"``, or several of these.
    to : str, default="number"
        What it returns.
    **properties : bool
        What is supposed of a function of one number, such as ``convex=True``.
    """
    _name(name.removeprefix(GRADIENT))
    kinds = [of] if isinstance(of, str) else list(of)
    for kind in (*kinds, to):
        if kind not in KINDS or kinds == ["integer"]:
            raise IllTyped(f"{name}: a function is of numbers, vectors or points, not of {kind!r}")
    out = Function(name, properties, [KINDS[kind] for kind in kinds], KINDS[to])
    out.hypotheses()
    return out


def vector_function(name: str, **properties: bool) -> Function:
    """Return a function of a vector with values that are numbers, such as a loss.

    Its properties, of which there is ``convex``, abbreviate hypotheses.
    """
    return function(name, "vector", "number", **properties)


def vector_map(name: str) -> Function:
    """Return a function of a vector with values that are vectors, such as a gradient."""
    return function(name, "vector", "vector")


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
            variable_of(x): shown_in_sort(x.sort, term_of(v))
            for x, v in zip(self.variables, values, strict=True)
        }
        return Expr(replaced(self.body, names), (*self.body.assumes, *carried(*values)))


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
