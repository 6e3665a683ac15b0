"""An evaluator of proof terms in concrete finite models, independent of the proof engine.

It shares no code with ``mlnotes.proof``: it reads the terms (as SymPy trees) and computes.
Rational arithmetic is exact; whatever is not rational (exp, log, square roots) is an interval of
``mpmath`` that contains the true value, so a comparison is decided only when it is certain.

A *model* is a dictionary. Its keys are symbols, families, matrices, functions (or their names);
its values are numbers, sequences of numbers (vectors), lists or dictionaries of these (families,
counted from 1), rows (matrices), lists of ``(value, probability)`` pairs (random variables; those
of different variables are independent, a key ``(X, Y)`` holds a joint law) and callables.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from mpmath import iv
from sympy.core.function import AppliedUndef

iv.dps = 40

OPERATORS = {"==", "!=", "<=", "<", ">=", ">"}


class NoValue(Exception):
    """The term has no value in this model: a division by zero, a log of a negative number."""


class Mismatch(TypeError):
    """The model gives terms shapes that do not fit together."""


class Vector(tuple):  # type: ignore[type-arg]
    """Coordinates."""


class Matrix(tuple):  # type: ignore[type-arg]
    """A tuple of rows."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), len(self[0]) if self else 0


def number(value: Any) -> Any:
    """Return a Fraction where the value is rational, an interval otherwise."""
    if isinstance(value, Fraction | iv.mpf):
        return value
    if isinstance(value, bool | int | str):
        return Fraction(value)
    if isinstance(value, float):
        return Fraction(value)
    value = sp.sympify(value)
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    return evaluate(value, {})


def interval(value: Any) -> Any:
    """Enclose a number."""
    if isinstance(value, Fraction):
        return iv.mpf(value.numerator) / iv.mpf(value.denominator)
    return value


def _coerce(a: Any, b: Any) -> tuple[Any, Any]:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a, b
    return interval(a), interval(b)


def add(a: Any, b: Any) -> Any:
    if _is_zero(a) and isinstance(b, Vector | Matrix):
        return b
    if _is_zero(b) and isinstance(a, Vector | Matrix):
        return a
    if isinstance(a, Vector) and isinstance(b, Vector):
        _same(len(a), len(b))
        return Vector(add(p, q) for p, q in zip(a, b, strict=True))
    if isinstance(a, Matrix) and isinstance(b, Matrix):
        _same(a.shape, b.shape)
        rows = zip(a, b, strict=True)
        return Matrix(tuple(add(p, q) for p, q in zip(*pair, strict=True)) for pair in rows)
    if isinstance(a, Vector | Matrix) or isinstance(b, Vector | Matrix):
        raise TypeError("a number cannot be added to a vector or matrix")
    a, b = _coerce(a, b)
    return a + b


def multiply(a: Any, b: Any) -> Any:
    if isinstance(a, Matrix) and isinstance(b, Matrix):
        _same(a.shape[1], b.shape[0])
        columns = list(zip(*b, strict=True))
        return Matrix(tuple(_inner(row, column) for column in columns) for row in a)
    if isinstance(a, Vector | Matrix) and isinstance(b, Vector | Matrix):
        raise TypeError("vectors cannot be multiplied")
    if isinstance(b, Vector | Matrix):
        a, b = b, a
    if isinstance(a, Vector):
        return Vector(multiply(p, b) for p in a)
    if isinstance(a, Matrix):
        return Matrix(tuple(multiply(p, b) for p in row) for row in a)
    a, b = _coerce(a, b)
    return a * b


def _inner(u: Any, v: Any) -> Any:
    _same(len(u), len(v))
    total: Any = Fraction(0)
    for p, q in zip(u, v, strict=True):
        total = add(total, multiply(p, q))
    return total


def _is_zero(a: Any) -> bool:
    return isinstance(a, Fraction) and a == 0


def _same(a: Any, b: Any) -> None:
    if a != b:
        raise Mismatch(f"shapes {a} and {b} differ")


def divide(a: Any, b: Any) -> Any:
    if isinstance(b, Fraction):
        if b == 0:
            raise NoValue("division by zero")
        return multiply(a, 1 / b)
    if 0 in b:
        raise NoValue("division by what may be zero")
    return multiply(a, iv.mpf(1) / b)


def power(base: Any, exponent: Any) -> Any:
    """Real powers, with 0**0 = 1 as for an empty product."""
    if isinstance(base, Matrix):
        return _matrix_power(base, exponent)
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        n = int(exponent)
        if n < 0:
            return divide(Fraction(1), power(base, Fraction(-n)))
        return base**n
    if isinstance(exponent, Fraction) and isinstance(base, Fraction):
        root = _exact_root(base, exponent.denominator)
        if root is not None:
            return power(root, Fraction(exponent.numerator))
    enclosure = interval(base)
    if _is_zero(base):
        if certain(compare(exponent, ">", Fraction(0))):
            return Fraction(0)
        raise NoValue("zero to a power that is not positive")
    if enclosure.a < 0:
        raise NoValue("a real power of what may be negative")
    if enclosure.a == 0:
        if exponent == Fraction(1, 2):
            return iv.sqrt(enclosure)
        raise NoValue("a real power of what may be zero")
    return iv.exp(interval(exponent) * iv.log(enclosure))


def _exact_root(base: Fraction, degree: int) -> Fraction | None:
    if base < 0:
        raise NoValue("an even root of a negative number") if degree % 2 == 0 else NoValue("root")
    parts = [sp.integer_nthroot(n, degree) for n in (base.numerator, base.denominator)]
    return Fraction(int(parts[0][0]), int(parts[1][0])) if all(p[1] for p in parts) else None


def transpose(a: Matrix) -> Matrix:
    return Matrix(zip(*a, strict=True))


def unit_matrix(n: int) -> Matrix:
    return Matrix(tuple(Fraction(int(i == j)) for j in range(n)) for i in range(n))


def inverse(a: Matrix) -> Matrix:
    """Invert a square matrix by elimination."""
    n = len(a)
    _same(a.shape, (n, n))
    rows = [list(row) + list(unit) for row, unit in zip(a, unit_matrix(n), strict=True)]
    for k in range(n):
        pivot = next(
            (r for r in range(k, n) if certain(compare(rows[r][k], "!=", Fraction(0)))), None
        )
        if pivot is None:
            raise NoValue("a singular matrix has no inverse")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [divide(v, rows[k][k]) for v in rows[k]]
        for r in range(n):
            if r != k:
                factor = multiply(Fraction(-1), rows[r][k])
                rows[r] = [
                    add(v, multiply(factor, w)) for v, w in zip(rows[r], rows[k], strict=True)
                ]
    return Matrix(tuple(row[n:]) for row in rows)


def determinant(a: Matrix) -> Any:
    """Expand along the first row: slow, obviously right, and the matrices are small."""
    n = len(a)
    _same(a.shape, (n, n))
    if n == 0:
        return Fraction(1)
    total: Any = Fraction(0)
    for j, entry in enumerate(a[0]):
        minor = Matrix(row[:j] + row[j + 1 :] for row in a[1:])
        total = add(total, multiply(Fraction((-1) ** j), multiply(entry, determinant(minor))))
    return total


def sum_diagonal(a: Matrix) -> Any:
    _same(*a.shape)
    total: Any = Fraction(0)
    for k, row in enumerate(a):
        total = add(total, row[k])
    return total


def _matrix_power(a: Matrix, exponent: Any) -> Matrix:
    n = int(exponent)
    if n != exponent:
        raise NoValue("a fractional power of a matrix")
    factor = a if n >= 0 else inverse(a)
    result = unit_matrix(len(a))
    for _ in range(abs(n)):
        result = multiply(result, factor)
    return result


def positive_definite(a: Matrix) -> bool:
    """Symmetric with positive leading minors (Sylvester)."""
    n = len(a)
    leading = [Matrix(row[:k] for row in a[:k]) for k in range(1, n + 1)]
    return a == transpose(a) and all(
        certain(compare(determinant(m), ">", Fraction(0))) for m in leading
    )


def positive_semidefinite(a: Matrix) -> bool:
    """Symmetric with nonnegative principal minors, of every set of rows."""
    n = len(a)
    sets = [s for k in range(1, n + 1) for s in itertools.combinations(range(n), k)]
    minors = (Matrix(tuple(a[i][j] for j in s) for i in s) for s in sets)
    return a == transpose(a) and all(
        certain(compare(determinant(m), ">=", Fraction(0))) for m in minors
    )


def compare(a: Any, operator: str, b: Any) -> bool | None:
    """Decide a relation between two values; None where the intervals overlap."""
    if isinstance(a, Vector | Matrix) or isinstance(b, Vector | Matrix):
        if _is_zero(a) or _is_zero(b):
            entries = [(e, Fraction(0)) for e in _entries(b if _is_zero(a) else a)]
        else:
            _same(len(_entries(a)), len(_entries(b)))
            entries = list(zip(_entries(a), _entries(b), strict=True))
        answers = [compare(p, "==", q) for p, q in entries]
        equal = False if False in answers else (None if None in answers else True)
        if operator == "==":
            return equal
        if operator == "!=":
            return None if equal is None else not equal
        raise TypeError("vectors and matrices have no order")
    a, b = _coerce(a, b)
    if isinstance(a, Fraction):
        return {
            "==": a == b, "!=": a != b, "<=": a <= b, "<": a < b, ">=": a >= b, ">": a > b,
        }[operator]  # fmt: skip
    below, above = a.b < b.a, a.a > b.b
    same = a.a == a.b == b.a == b.b
    at_most = True if a.b <= b.a else (False if above else None)
    at_least = True if a.a >= b.b else (False if below else None)
    return {
        "==": True if same else (False if below or above else None),
        "!=": False if same else (True if below or above else None),
        "<=": at_most,
        ">": None if at_most is None else not at_most,
        ">=": at_least,
        "<": None if at_least is None else not at_least,
    }[operator]


def _entries(a: Any) -> list[Any]:
    return [e for row in a for e in row] if isinstance(a, Matrix) else list(a)


def certain(answer: bool | None) -> bool:
    return answer is True


class Evaluation:
    """The values of terms in one model."""

    def __init__(self, model: Mapping[Any, Any]) -> None:
        self.model = {_name(key): value for key, value in model.items()}
        self.outcome: dict[str, Any] = {}

    def lookup(self, key: str) -> Any:
        if key not in self.model:
            raise KeyError(f"the model gives {key} no value")
        return self.model[key]

    def value(self, term: Any, bound: Mapping[sp.Symbol, int]) -> Any:
        """Return the value of a term; ``bound`` holds the current values of bound indices."""
        if isinstance(term, int | Fraction | iv.mpf | Vector | Matrix):
            return number(term) if isinstance(term, int) else term
        if term in bound:
            return Fraction(bound[term])
        handler = HANDLERS.get(type(term).__name__)
        if handler is not None:
            return handler(self, term, bound)
        if isinstance(term, AppliedUndef):
            function = self.lookup(type(term).__name__)
            return _call(function, [self.value(a, bound) for a in term.args])
        if isinstance(term, sp.Rational):
            return Fraction(int(term.p), int(term.q))
        raise NotImplementedError(f"{type(term).__name__}: {term}")

    def fold(self, step: Callable[[Any, Any], Any], start: Any, term: Any, bound: Any) -> Any:
        total = start
        for inner in self.ranges(term.limits, dict(bound)):
            total = step(total, self.value(term.function, inner))
        return total

    def ranges(self, limits: Any, bound: dict[Any, int]) -> Iterator[dict[Any, int]]:
        """Run through the limits, the last one outermost as in SymPy."""
        if not limits:
            yield bound
            return
        *inner, (index, low, high) = limits
        first, last = (self.integer(end, bound) for end in (low, high))
        for k in range(first, last + 1):
            yield from self.ranges(inner, {**bound, index: k})

    def integer(self, term: Any, bound: Mapping[Any, int]) -> int:
        value = self.value(term, bound)
        if not isinstance(value, Fraction) or value.denominator != 1:
            raise TypeError(f"{term} is not an integer")
        return int(value)

    def outcomes(self, names: list[str]) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Run through the joint law of the named random variables and families."""
        laws = []
        for key, value in self.model.items():
            members = key.split(",")
            if any(m in names for m in members):
                laws.append(list(_law(members, value)))
        missing = set(names) - {m for key in self.model for m in key.split(",")}
        if missing:
            raise KeyError(f"the model gives {sorted(missing)} no law")
        for combination in itertools.product(*laws):
            weight: Any = Fraction(1)
            point: dict[str, Any] = {}
            for probability, values in combination:
                weight = multiply(weight, probability)
                point.update(values)
            yield weight, point

    def expectation(self, body: Callable[[], Any], names: list[str]) -> Any:
        """Average over the whole law: an inner expectation does not see the outer outcome."""
        total: Any = Fraction(0)
        before = self.outcome
        for weight, point in self.outcomes(names):
            self.outcome = point
            total = add(total, multiply(weight, body()))
        self.outcome = before
        return total


def _law(members: list[str], value: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield (probability, {name: value}) for a variable, a joint key or a family of variables."""
    if len(members) > 1 or (value and isinstance(value, list) and isinstance(value[0][0], tuple)
                            and isinstance(value[0][0][0], Mapping)):  # fmt: skip
        for values, probability in value:
            yield number(probability), dict(zip(members, map(_plain, values), strict=True))
        return
    name = members[0]
    if isinstance(value, Mapping) or (value and isinstance(value[0][-1], tuple | list)):
        laws = dict(value) if isinstance(value, Mapping) else dict(enumerate(value, start=1))
        for combination in itertools.product(*laws.values()):  # one law for each index
            weight: Any = Fraction(1)
            for _, probability in combination:
                weight = multiply(weight, number(probability))
            now = {k: _plain(v) for k, (v, _) in zip(laws, combination, strict=True)}
            yield weight, {name: _by_rows(now)}
        return
    for v, probability in value:
        yield number(probability), {name: _plain(v)}


def _by_rows(table: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a table with keys (row, column) as rows, as ``_indexed`` reads it."""
    rows: dict[Any, Any] = {}
    for at, entry in table.items():
        *outer, last = at if isinstance(at, tuple) else (at,)
        row = rows
        for k in outer:
            row = row.setdefault(k, {})
        row[last] = entry
    return rows


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _by_rows({k: _plain(v) for k, v in value.items()})
    if isinstance(value, tuple | list) and value and isinstance(value[0], tuple | list):
        return _shaped(value)
    return Vector(map(number, value)) if isinstance(value, tuple | list) else number(value)


def _call(function: Any, arguments: list[Any]) -> Any:
    if isinstance(function, sp.Lambda):
        variables = function.signature
        return evaluate(function.expr, dict(zip(variables, arguments, strict=True)))
    return number(function(*arguments))


def _name(key: Any) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, tuple):
        return ",".join(map(_name, key))
    for attribute in ("name", "label"):
        found = getattr(key, attribute, None)
        if found is not None:
            return str(found)
    return str(key)


def _shaped(value: Any) -> Any:
    """Give a raw model value its shape: a number, a vector or a matrix."""
    if isinstance(value, Vector | Matrix | Fraction | iv.mpf):
        return value
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple):
            return Matrix(tuple(map(number, row)) for row in value)
        return Vector(map(number, value))
    return number(value)


def _indexed(values: Any, indices: list[int]) -> Any:
    for k in indices:
        if isinstance(values, Mapping):
            values = values[k]
        elif not 1 <= k <= len(values):
            raise KeyError(f"index {k} is outside the family")
        else:
            values = values[k - 1]
    return _shaped(values)


def evaluate(term: Any, model: Mapping[Any, Any]) -> Any:
    """Return the value of a term in a model: a Fraction, an interval, a Vector or a Matrix."""
    if not isinstance(term, int | Fraction | iv.mpf | Vector | Matrix):
        term = sp.sympify(term)
    return Evaluation(model).value(term, {})


def _symbol(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    return _shaped(run.lookup(term.name))


def _random(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    if term.name not in run.outcome:
        raise NoValue(f"{term} is random: it has a value only under an expectation")
    return _shaped(run.outcome[term.name])


def _family(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    name = str(term.base.label)
    at = [run.integer(index, bound) for index in term.indices]
    if type(term.base).__name__ == "RandomFamily":
        if name not in run.outcome:
            raise NoValue(f"{term} is random: it has a value only under an expectation")
        return _indexed(run.outcome[name], at)
    values = run.lookup(name)
    return _indexed(_by_rows(values) if isinstance(values, Mapping) else values, at)


def _fold_args(step: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def handler(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
        values = [run.value(a, bound) for a in term.args]
        total = values[0]
        for value in values[1:]:
            total = step(total, value)
        return total

    return handler


def _elementary(exact: dict[Any, Any], f: Callable[[Any], Any], low: Any) -> Callable[..., Any]:
    def handler(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
        value = run.value(term.args[0], bound)
        if isinstance(value, Fraction) and value in exact:
            return exact[value]
        if low is not None and interval(value).a <= low:
            raise NoValue(f"{term.func} of what may not be positive")
        return f(interval(value))

    return handler


def _extreme(first: bool) -> Callable[..., Any]:
    def handler(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
        values = [run.value(a, bound) for a in term.args]
        if all(isinstance(v, Fraction) for v in values):
            return min(values) if first else max(values)
        ends = [interval(v) for v in values]
        pick = min if first else max
        return iv.mpf([pick(v.a for v in ends).a, pick(v.b for v in ends).b])

    return handler


def _absolute(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    return abs(run.value(term.args[0], bound))


def _sign(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    value = run.value(term.args[0], bound)
    if compare(value, ">", Fraction(0)):
        return Fraction(1)
    return Fraction(-1) if compare(value, "<", Fraction(0)) else Fraction(0)


def _delta(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    p, q = (run.integer(a, bound) for a in term.args[:2])
    return Fraction(int(p == q))


def _indicator(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    answer = _holds(run, term.args[0], bound)
    if answer is None:
        raise NoValue("an indicator on the edge of its set")
    return Fraction(int(answer))


def _dot(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    u, v = (run.value(a, bound) for a in term.args)
    if _is_zero(u) or _is_zero(v):
        return Fraction(0)
    if not (isinstance(u, Vector) and isinstance(v, Vector)):
        raise Mismatch("an inner product of something that is not a vector in this model")
    return _inner(u, v)


def _random_names(term: Any) -> list[str]:
    kinds = {"RandomVariable", "RandomVector", "RandomMatrix", "RandomFamily"}
    return sorted({_name(a) for a in sp.preorder_traversal(term) if type(a).__name__ in kinds})


def _mean(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    body = term.args[0]
    return run.expectation(lambda: run.value(body, bound), _random_names(body))


def _chance(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    body = term.args[0]

    def hit() -> Fraction:
        answer = _holds(run, body, bound)
        if answer is None:
            raise NoValue("an event on its edge")
        return Fraction(int(answer))

    return run.expectation(hit, _random_names(body))


def _trace(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    return sum_diagonal(run.value(term.args[0], bound))


def _trace_word(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    """Evaluate the trace of a product of letters: matrix, transposed or not, inverted or not."""
    result = None
    for letter, transposed, inverted in term.args:
        matrix = run.value(letter, bound)
        matrix = inverse(matrix) if inverted else matrix
        matrix = transpose(matrix) if transposed else matrix
        result = matrix if result is None else multiply(result, matrix)
    assert result is not None
    return sum_diagonal(result)


def _logdet(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    value = determinant(run.value(term.args[0], bound))
    if value == Fraction(1):
        return Fraction(0)
    if interval(value).a <= 0:
        raise NoValue("log det of a matrix whose determinant is not positive")
    return iv.log(interval(value))


def _matrix_symbol(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    rows = run.lookup(term.name)
    value = Matrix(tuple(map(number, row)) for row in rows)
    _same(value.shape, tuple(run.integer(side, bound) for side in term.shape))
    if type(term).__name__ == "SymmetricMatrix" and value != transpose(value):
        raise NoValue(f"{term} is declared symmetric")
    return value


def _random_matrix(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    if term.name not in run.outcome:
        raise NoValue(f"{term} is random: it has a value only under an expectation")
    return Matrix(tuple(map(number, row)) for row in run.outcome[term.name])


def _zero_matrix(run: Evaluation, term: Any, bound: Mapping[Any, int]) -> Any:
    rows, columns = (run.integer(side, bound) for side in term.shape)
    return Matrix((Fraction(0),) * columns for _ in range(rows))


HANDLERS: dict[str, Callable[[Evaluation, Any, Mapping[Any, int]], Any]] = {
    "Symbol": _symbol,
    "Vector": _symbol,
    "RandomVariable": _random,
    "RandomVector": _random,
    "Indexed": _family,
    "Add": _fold_args(add),
    "Mul": _fold_args(multiply),
    "MatAdd": _fold_args(add),
    "MatMul": _fold_args(multiply),
    "Pow": lambda run, e, at: power(run.value(e.base, at), run.value(e.exp, at)),
    "MatPow": lambda run, e, at: power(run.value(e.base, at), run.value(e.exp, at)),
    "Exp1": lambda run, e, at: iv.e,
    "Pi": lambda run, e, at: iv.pi,
    "exp": _elementary({Fraction(0): Fraction(1)}, iv.exp, None),
    "log": _elementary({Fraction(1): Fraction(0)}, iv.log, 0),
    "Abs": _absolute,
    "sign": _sign,
    "Max": _extreme(False),
    "Min": _extreme(True),
    "KroneckerDelta": _delta,
    "Indicator": _indicator,
    "Dot": _dot,
    "Sum": lambda run, e, at: run.fold(add, Fraction(0), e, at),
    "Product": lambda run, e, at: run.fold(multiply, Fraction(1), e, at),
    "Expectation": _mean,
    "MatrixExpectation": _mean,
    "Probability": _chance,
    "Trace": _trace,
    "TraceWord": _trace_word,
    "Composite": lambda run, e, at: run.value(e.args[0], at),
    "SymmetricComposite": lambda run, e, at: run.value(e.args[0], at),
    "LogDet": _logdet,
    "Matrix": _matrix_symbol,
    "SymmetricMatrix": _matrix_symbol,
    "RandomMatrix": _random_matrix,
    "Identity": lambda run, e, at: unit_matrix(run.integer(e.shape[0], at)),
    "ZeroMatrix": _zero_matrix,
    "Transpose": lambda run, e, at: transpose(run.value(e.arg, at)),
    "Inverse": lambda run, e, at: inverse(run.value(e.arg, at)),
}

RELATIONS = {
    "Equality": "==",
    "Unequality": "!=",
    "LessThan": "<=",
    "StrictLessThan": "<",
    "GreaterThan": ">=",
    "StrictGreaterThan": ">",
}


def _all(answers: Iterator[bool | None]) -> bool | None:
    unsure = False
    for answer in answers:
        if answer is False:
            return False
        unsure = unsure or answer is None
    return None if unsure else True


def _holds(run: Evaluation, statement: Any, bound: Mapping[Any, int]) -> bool | None:
    """Decide a statement; one about random terms has to hold in every outcome."""
    name = type(statement).__name__
    if name in RELATIONS:
        names = _random_names_outside(statement)
        if names and not run.outcome:
            return _almost_surely(run, statement, bound, names)
        left, right = (run.value(side, bound) for side in statement.args)
        return compare(left, RELATIONS[name], right)
    if name == "ForEach":
        index, low, high, relation = statement.args
        first, last = (run.integer(end, bound) for end in (low, high))
        cases = ({**bound, index: k} for k in range(first, last + 1))
        return _all(_holds(run, relation, case) for case in cases)
    if name == "And":
        return _all(_holds(run, part, bound) for part in statement.args)
    if name == "Or":
        answers = [_holds(run, part, bound) for part in statement.args]
        return True if True in answers else (None if None in answers else False)
    if name == "Not":
        answer = _holds(run, statement.args[0], bound)
        return None if answer is None else not answer
    if name in ("Invertible", "PositiveDefinite", "PositiveSemidefinite"):
        matrix = run.value(statement.args[0], bound)
        if name == "Invertible":
            return compare(determinant(matrix), "!=", Fraction(0))
        return {"PositiveDefinite": positive_definite}.get(name, positive_semidefinite)(matrix)
    if name in ("Independent", "IndependentFamily"):
        return _independent(run, statement, bound)
    raise NotImplementedError(f"{name}: {statement}")


def _random_names_outside(term: Any) -> list[str]:
    """Return the random names that are not under an expectation or a probability."""
    if type(term).__name__ in ("Expectation", "MatrixExpectation", "Probability"):
        return []
    if type(term).__name__ in ("RandomVariable", "RandomVector", "RandomMatrix", "RandomFamily"):
        return [_name(term)]
    return sorted({n for a in getattr(term, "args", ()) for n in _random_names_outside(a)})


def _almost_surely(run: Evaluation, statement: Any, bound: Any, names: list[str]) -> bool | None:
    answers = []
    for weight, point in run.outcomes(names):
        if not _is_zero(weight):
            run.outcome = point
            answers.append(_holds(run, statement, bound))
            run.outcome = {}
    return _all(iter(answers))


def _independent(run: Evaluation, statement: Any, bound: Mapping[Any, int]) -> bool:
    """Compare the joint law of the parts with the product of their laws."""
    family = type(statement).__name__ == "IndependentFamily"
    names = _random_names(statement.args[0]) if family else [_name(a) for a in statement.args]
    joint: dict[Any, Any] = {}
    for weight, point in run.outcomes(names):
        if family:
            parts = _members(run, statement.args[0], point[names[0]], bound)
        else:
            parts = [point[name] for name in names]
        key = tuple(map(_hashable, parts))
        joint[key] = add(joint.get(key, Fraction(0)), weight)
    width = len(next(iter(joint)))
    marginals: list[dict[Any, Any]] = [{} for _ in range(width)]
    for key, weight in joint.items():
        for axis, value in enumerate(key):
            marginals[axis][value] = add(marginals[axis].get(value, Fraction(0)), weight)
    for key in itertools.product(*marginals):
        expected: Any = Fraction(1)
        for axis, value in enumerate(key):
            expected = multiply(expected, marginals[axis][value])
        if joint.get(key, Fraction(0)) != expected:
            return False
    return True


def _members(run: Evaluation, family: Any, values: Any, bound: Mapping[Any, int]) -> list[Any]:
    """Return all members of a family, or of one row of it: ``Lambda(i, X[j, i])`` fixes j."""
    entries = _flat(values)
    if isinstance(family, sp.Lambda):
        fixed = {
            place: run.integer(index, bound)
            for place, index in enumerate(family.expr.indices)
            if index not in family.variables
        }
        entries = {
            at: entry
            for at, entry in entries.items()
            if all(at[place] == k for place, k in fixed.items())
        }
    return list(entries.values())


def _flat(values: Any) -> dict[tuple[int, ...], Any]:
    """Return the members of a family by their indices."""
    if not isinstance(values, Mapping):
        return {(): values}
    return {(k, *at): entry for k, inner in values.items() for at, entry in _flat(inner).items()}


def _hashable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple((k, _hashable(v)) for k, v in value.items())
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value


def holds(statement: Any, model: Mapping[Any, Any]) -> bool | None:
    """Decide a statement in a model: True, False, or None where it is too close to tell."""
    return _holds(Evaluation(model), statement, {})


def nearly(statement: Any, model: Mapping[Any, Any], gap: float) -> bool:
    """Say whether a statement holds, equations between irrational numbers up to a gap."""
    run = Evaluation(model)

    def decide(statement: Any, bound: Mapping[Any, int]) -> bool:
        if type(statement).__name__ == "ForEach":
            index, low, high, relation = statement.args
            first, last = (run.integer(end, bound) for end in (low, high))
            return all(decide(relation, {**bound, index: k}) for k in range(first, last + 1))
        answer = _holds(run, statement, bound)
        if answer is None and type(statement).__name__ == "Equality":
            left, right = (run.value(side, bound) for side in statement.args)
            gaps = [add(p, multiply(Fraction(-1), q)) for p, q in _pairs(left, right)]
            return all(float(interval(abs(g)).b.b) < gap for g in gaps)
        return answer is True

    return decide(statement, {})


def _pairs(a: Any, b: Any) -> list[tuple[Any, Any]]:
    if isinstance(a, Vector | Matrix) and isinstance(b, Vector | Matrix):
        _same(len(_entries(a)), len(_entries(b)))
        return list(zip(_entries(a), _entries(b), strict=True))
    if isinstance(a, Vector | Matrix):
        return [(p, Fraction(0)) for p in _entries(a)]
    if isinstance(b, Vector | Matrix):
        return [(Fraction(0), q) for q in _entries(b)]
    return [(a, b)]


def admissible(model: Mapping[Any, Any], terms: list[Any]) -> bool:
    """Say whether a model respects what the symbols and functions in the terms were declared as."""
    run = Evaluation(model)
    atoms = sorted({a for t in terms for a in sp.preorder_traversal(t)}, key=str)
    labels = {a.label for a in atoms if isinstance(a, sp.IndexedBase)}
    for atom in atoms:
        kind = type(atom).__name__
        if kind == "Symbol" and atom not in labels and atom.name in run.model:
            if not _as_declared(atom, number(run.model[atom.name])):
                return False
        elif kind == "IndexedBase" and str(atom.label) in run.model:
            sample = atom[1]
            flat = _leaves(run.model[str(atom.label)])
            if not all(_as_declared(sample, number(v)) for v in flat):
                return False
        elif isinstance(atom, AppliedUndef):
            name = type(atom).__name__
            declared = getattr(atom.func, "declared", ())
            if name in run.model and not _function_as_declared(run.model[name], declared):
                return False
    return True


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in _leaves(part)]
    return [value]


def _as_declared(symbol: Any, value: Any) -> bool:
    if symbol.is_integer and not (isinstance(value, Fraction) and value.denominator == 1):
        return False
    zero = Fraction(0)
    tests = [
        (symbol.is_positive, ">"),
        (symbol.is_nonnegative, ">="),
        (symbol.is_negative, "<"),
        (symbol.is_nonpositive, "<="),
        (symbol.is_nonzero, "!="),
    ]
    return all(not declared or certain(compare(value, op, zero)) for declared, op in tests)


GRID = [Fraction(k, 4) for k in range(-16, 17)]


def _function_as_declared(function: Any, declared: tuple[str, ...]) -> bool:
    """Test declared properties on a grid: enough to catch a model that lies."""
    values = [_call(function, [point]) for point in GRID]
    pairs = list(itertools.pairwise(values))
    triples = list(zip(values, values[1:], values[2:], strict=False))

    def sign_of_bend(operator: str) -> bool:
        return all(
            compare(add(p, r), operator, multiply(Fraction(2), q)) is not False
            for p, q, r in triples
        )

    tests = {
        "convex": lambda: sign_of_bend(">="),
        "concave": lambda: sign_of_bend("<="),
        "increasing": lambda: all(compare(p, "<=", q) is not False for p, q in pairs),
        "decreasing": lambda: all(compare(p, ">=", q) is not False for p, q in pairs),
        "positive": lambda: all(certain(compare(p, ">", Fraction(0))) for p in values),
        "nonnegative": lambda: all(compare(p, ">=", Fraction(0)) is not False for p in values),
        "differentiable": lambda: True,
        "twice_differentiable": lambda: True,
        "nonnegative_curvature": lambda: sign_of_bend(">="),
        "positive_curvature": lambda: sign_of_bend(">"),
    }
    return all(tests[name]() for name in declared)


STEP = Fraction(1, 10**12)


def gradient(term: Any, variable: Any, model: Mapping[Any, Any]) -> Any:
    """Differentiate numerically by central differences: accurate to about ten digits."""
    run = Evaluation(model)
    name = _name(variable)
    point = _shaped(run.lookup(name))
    if isinstance(point, Matrix):
        slots: list[Any] = [(r, c) for r in range(len(point)) for c in range(len(point[0]))]
    else:
        slots = list(range(len(point)))

    def shifted(slot: Any, by: Fraction) -> Any:
        if isinstance(point, Matrix):
            rows = [list(row) for row in point]
            rows[slot[0]][slot[1]] = add(rows[slot[0]][slot[1]], by)
            return rows
        values = list(point)
        values[slot] = add(values[slot], by)
        return values

    slopes = []
    for slot in slots:
        up, down = (evaluate(term, {**run.model, name: shifted(slot, by)}) for by in (STEP, -STEP))
        rise = add(up, multiply(Fraction(-1), down))
        slopes.append(divide(rise, 2 * STEP))
    if isinstance(point, Matrix):
        width = len(point[0])
        return Matrix(tuple(slopes[r * width : (r + 1) * width]) for r in range(len(point)))
    return Vector(slopes)
