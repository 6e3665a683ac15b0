"""An independent reading of what terms mean: their values in a model, with many digits.

It looks at the operation, the data and the arguments of a term and shares no code with the engine
or the kernel. A number is an interval of ``mpmath`` that contains the true value, so a comparison
is decided only where it is certain; a term that has no value, such as 1/0 or log 0, raises
:class:`NoValue`, although the kernel's functions are total.

A model maps symbols and families, or their names, to values: numbers, tuples for vectors, rows for
matrices, lists or dictionaries for families, functions of Python, and ``(value, probability)``
pairs for random numbers, which are independent. Points of the measure space are numbered from 1,
a function of points is a list, and ``masses`` are their measures, None where infinite: two points
of measure one, if nothing is said.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mpmath import iv

from mlnotes.proof.language import Expr

iv.dps = 40


class NoValue(Exception):
    """A term without a value in this model."""


def interval(x: Any) -> Any:
    if isinstance(x, Expr):
        x = Evaluation(Model({})).value(x.term)
    if isinstance(x, (int, Fraction)):
        return iv.mpf(x.numerator) / x.denominator if not isinstance(x, int) else iv.mpf(x)
    return x


def _name(key: Any) -> str:
    if isinstance(key, str):
        return key
    return str(key.name) if hasattr(key, "name") else str(key.term.data[0])


class Model:
    """Values of variables, and the outcomes of the random ones."""

    def __init__(self, values: Mapping[Any, Any]) -> None:
        self.values = {_name(k): v for k, v in values.items()}
        self.sizes: dict[str, int] = {}
        self.cells: dict[tuple[Any, ...], Any] = {}
        self.laws: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}
        self.outcomes: list[tuple[Any, dict[tuple[Any, ...], Any]]] | None = None

    def raw(self, name: str, at: tuple[Any, ...]) -> Any:
        """Return what the model gives for a member of a family, or for a symbol."""
        if name not in self.values:
            if name in self.sizes and not at:
                return self.sizes[name]
            raise NoValue(name)
        value = self.values[name]
        if callable(value) and not hasattr(value, "term"):
            return value(*at) if at else value
        for k, i in enumerate(at):
            if isinstance(value, Mapping):
                rest = at[k:]
                if len(rest) > 1 and rest in value:
                    return value[rest]
                if i not in value:
                    raise NoValue(f"{name}[{i}]")
                value = value[i]
            else:
                if not 1 <= i <= len(value):
                    raise NoValue(f"{name}[{i}]")
                value = value[i - 1]
        return value


def _free(t: Any, env: tuple[Any, ...] = ()) -> set[tuple[str, tuple[str, ...]]]:
    found = {(t.data[0], tuple(a.sort for a in t.args))} if t.op == "v" else set()
    return found.union(*(_free(a) for a in t.args)) if t.args else found


class Evaluation:
    """The values of terms in one model, at one outcome or at none."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.outcome: dict[tuple[Any, ...], Any] | None = None
        self.spaces: list[tuple[Any, dict[tuple[Any, ...], Any]]] = []

    def value(self, t: Any, env: tuple[Any, ...] = ()) -> Any:
        return _MEANING[t.op](self, t, env)

    def over(
        self, t: Any, env: tuple[Any, ...], level: int | None = 0
    ) -> list[tuple[Any, dict[tuple[Any, ...], Any]]]:
        """Return all joint values of the random numbers in a term, with their probabilities.

        They are those at the outcome with this index, or at the free one if there is no index.
        """
        members: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}

        def collect(s: Any, env: tuple[Any, ...], level: int | None) -> None:
            deeper = None if level is None else level + 1
            if s.op == "v" and s.args and s.args[-1].sort == "W":
                where = s.args[-1]
                if level is None if where.op == "v" else where.data[0] == level:
                    at = tuple(self.value(a, env) for a in s.args[:-1])
                    members[(s.data[0], *at)] = list(self.model.raw(s.data[0], at))
                return
            if s.op in ("sum", "prod"):
                for k in self.range(s, env):
                    collect(s.args[2], (k, *env), deeper)
                return
            binds = s.op in ("E", "all", "deriv", "int", "integrable")
            inner = (None, *env) if binds else env
            for a in s.args:
                collect(a, inner, deeper if binds else level)

        collect(t, env, level)
        keys = list(members)
        out = []
        for choice in itertools.product(*(members[k] for k in keys)):
            weight = interval(1)
            for _, p in choice:
                weight = weight * interval(p)
            out.append((weight, {k: v for k, (v, _) in zip(keys, choice, strict=True)}))
        return out

    def range(self, t: Any, env: tuple[Any, ...]) -> range:
        return range(int(self.value(t.args[0], env)), int(self.value(t.args[1], env)) + 1)


def _variable(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    name, sort = t.data
    if t.args and t.args[-1].sort == "W":
        at = tuple(run.value(a, env) for a in t.args[:-1])
        where = t.args[-1]
        outcome = run.outcome if where.op == "v" else env[where.data[0]]
        if outcome is None or (name, *at) not in outcome:
            raise NoValue(name)
        return _shaped(outcome[(name, *at)], sort)
    if any(a.sort in ("R", "V") for a in t.args):
        f = run.model.values.get(name)
        if not callable(f):
            raise NoValue(name)
        return _shaped(f(*(run.value(a, env) for a in t.args)), sort)
    return _shaped(run.model.raw(name, tuple(run.value(a, env) for a in t.args)), sort)


def _shaped(x: Any, sort: str) -> Any:
    if sort in ("Z", "U"):
        return int(x)
    if sort == "V":
        return tuple(map(interval, x)) if isinstance(x, (tuple, list)) else (interval(x),)
    if sort.startswith("M:"):
        return [[interval(c) for c in row] for row in x]
    return interval(x)


def _nonzero(x: Any) -> Any:
    if 0 in x:
        raise NoValue("1/0")
    return x


def add(x: Any, y: Any) -> Any:
    if isinstance(x, tuple) or isinstance(y, tuple):
        n = max(len(v) for v in (x, y))
        pad = [tuple(v) + (interval(0),) * (n - len(v)) for v in (x, y)]
        return tuple(a + b for a, b in zip(*pad, strict=True))
    if isinstance(x, list):
        return [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(x, y, strict=True)]
    return x + y


def scale(c: Any, x: Any) -> Any:
    if isinstance(x, tuple):
        return tuple(c * a for a in x)
    return [[c * a for a in row] for row in x] if isinstance(x, list) else c * x


def multiply(x: Any, y: Any) -> Any:
    return [
        [sum(a * b for a, b in zip(r, c, strict=True)) for c in zip(*y, strict=True)] for r in x
    ]


def inverse(m: Any) -> Any:
    n = len(m)
    rows = [[*m[i], *(interval(int(i == j)) for j in range(n))] for i in range(n)]
    for k in range(n):
        pivot = next((r for r in range(k, n) if 0 not in rows[r][k]), None)
        if pivot is None:
            raise NoValue("a singular matrix")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(n):
            if r != k:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
    return [row[n:] for row in rows]


def determinant(m: Any) -> Any:
    if len(m) == 1:
        return m[0][0]
    minors = ([row[:j] + row[j + 1 :] for row in m[1:]] for j in range(len(m)))
    return sum(((-1) ** j * m[0][j] * determinant(d) for j, d in enumerate(minors)), interval(0))


def _column(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    k = run.value(t.args[0], env)
    return [[interval(int(i + 1 == k))] for i in range(_size(run, t.data[0]))]


def _sum(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    zero: Any = () if t.args[2].sort == "V" else interval(0)
    if t.args[2].sort[0] == "M":
        rows, columns = (_size(run, n) for n in t.args[2].sort.split(":")[1:])
        zero = [[interval(0) for _ in range(columns)] for _ in range(rows)]
    for k in run.range(t, env):
        zero = add(zero, run.value(t.args[2], (k, *env)))
    return zero


def _product(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    out = interval(1)
    for k in run.range(t, env):
        out = out * run.value(t.args[2], (k, *env))
    return out


def _mean(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    total = None
    for weight, outcome in run.over(t.args[0], (None, *env)):
        part = scale(weight, run.value(t.args[0], (outcome, *env)))
        total = part if total is None else add(total, part)
    return total


def _points(run: Evaluation) -> list[tuple[int, Any]]:
    return list(enumerate(run.model.values.get("masses", (1, 1)), start=1))


def _integrable(run: Evaluation, t: Any, env: tuple[Any, ...]) -> bool | None:
    infinite = [run.value(t.args[0], (k, *env)) for k, m in _points(run) if m is None]
    return _all(_same(x, interval(0)) for x in infinite)


def _integral(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    if _integrable(run, t, env) is not True:
        raise NoValue("an integral that does not exist")
    total = interval(0)
    for k, mass in _points(run):
        if mass is not None:
            total = total + interval(mass) * run.value(t.args[0], (k, *env))
    return total


def _fold(step: Any) -> Any:
    def run_(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
        first, *rest = (run.value(a, env) for a in t.args)
        for x in rest:
            first = step(first, x)
        return first

    return run_


def _of(f: Any) -> Any:
    return lambda run, t, env: f(*(run.value(a, env) for a in t.args))


def _log(x: Any) -> Any:
    if not x > 0:
        raise NoValue("the logarithm of what is not positive")
    return iv.log(x)


def _sqrt(x: Any) -> Any:
    if x < 0:
        raise NoValue("the root of a negative number")
    return iv.sqrt(iv.mpf([max(x.a, 0), x.b]))


def _largest(x: Any, y: Any) -> Any:
    return iv.mpf([max(x.a, y.a), max(x.b, y.b)])


def _zero(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    if t.data[0] == "V":
        return ()
    _, rows, columns = t.data[0].split(":")
    return [[interval(0)] * _size(run, columns) for _ in range(_size(run, rows))]


def _size(run: Evaluation, name: str) -> int:
    return int(name) if name.isdigit() else int(run.model.raw(name, ()))


def _unit(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    n = _size(run, t.data[0])
    return [[interval(int(i == j)) for j in range(n)] for i in range(n)]


def _same(x: Any, y: Any) -> bool | None:
    if isinstance(x, (tuple, list)):
        gap = add(x, scale(interval(-1), y))
        entries = gap if isinstance(gap, tuple) else [c for row in gap for c in row]
        return _all(_same(c, interval(0)) for c in entries)
    if isinstance(x, int) and isinstance(y, int):
        return x == y
    gap = interval(x) - interval(y)
    if 0 not in gap:
        return False
    return True if gap.delta < iv.mpf(10) ** -25 else None


def _less(strict: bool) -> Any:
    def compare(x: Any, y: Any) -> bool | None:
        gap = interval(y) - interval(x)
        if 0 in gap:
            return None if gap.delta > iv.mpf(10) ** -25 else not strict
        return bool(gap > 0)

    return compare


def _all(answers: Any) -> bool | None:
    found = list(answers)
    return False if False in found else None if None in found else True


def _implies(run: Evaluation, t: Any, env: tuple[Any, ...]) -> bool | None:
    premise = run.value(t.args[0], env)
    if premise is False:
        return True
    conclusion = run.value(t.args[1], env)
    return True if conclusion is True else None if premise is None else conclusion


def _every(run: Evaluation, t: Any, env: tuple[Any, ...]) -> bool | None:
    if t.data[0] == "W":
        return _all(
            run.value(t.args[0], (outcome, *env))
            for weight, outcome in run.over(t.args[0], (None, *env))
            if weight > 0
        )
    if t.data[0] == "U":
        return _all(run.value(t.args[0], (k, *env)) for k, _ in _points(run))
    if t.data[0] != "Z":
        raise NoValue("a statement about all reals")
    answers = []
    for k in range(-1, 8):
        try:
            answers.append(run.value(t.args[0], (k, *env)))
        except NoValue:
            # A family has no members outside of its range.
            continue
    return _all(answers)


def _indicator(run: Evaluation, t: Any, env: tuple[Any, ...]) -> Any:
    held = run.value(t.args[0], env)
    if held is None:
        raise NoValue("an event that is not decided")
    return interval(int(held))


_MEANING: dict[str, Any] = {
    "v": _variable,
    "b": lambda run, t, env: env[t.data[0]],
    "q": lambda run, t, env: interval(Fraction(*t.data)),
    "z": lambda run, t, env: t.data[0],
    "dim": lambda run, t, env: _size(run, t.data[0]),
    "of": _of(interval),
    "+": _fold(add),
    "*": _fold(lambda x, y: x * y),
    "pow": lambda run, t, env: _power(run.value(t.args[0], env), t.data[0]),
    "inv": _of(lambda x: 1 / _nonzero(x)),
    "sc": _of(scale),
    "dot": _of(lambda x, y: sum((a * b for a, b in zip(x, y, strict=False)), interval(0))),
    "exp": _of(iv.exp),
    "log": _of(_log),
    "sqrt": _of(_sqrt),
    "abs": _of(abs),
    "max": _of(_largest),
    "min": _of(lambda x, y: -_largest(-x, -y)),
    "sum": _sum,
    "prod": _product,
    "E": _mean,
    "int": _integral,
    "integrable": _integrable,
    "ind": _indicator,
    "mm": _fold(multiply),
    "T": _of(lambda x: [list(r) for r in zip(*x, strict=True)]),
    "tr": _of(lambda x: sum((x[k][k] for k in range(len(x))), interval(0))),
    "det": _of(determinant),
    "minv": _of(inverse),
    "I": _unit,
    "unit": _column,
    "zero": _zero,
    "=": _of(_same),
    "<=": _of(_less(False)),
    "<": _of(_less(True)),
    "F": lambda run, t, env: False,
    "->": _implies,
    "&": lambda run, t, env: _all(run.value(a, env) for a in t.args),
    "|": lambda run, t, env: _either([run.value(a, env) for a in t.args]),
    "all": _every,
}


def _power(x: Any, n: int) -> Any:
    return x**n if not isinstance(x, int) else interval(x) ** n


def _either(answers: list[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False


def _matrix_sizes(term: Any, model: Model) -> None:
    """Learn the sizes of matrices from their values."""
    if term.op == "v" and term.sort.startswith("M:") and term.data[0] in model.values:
        _, rows, columns = term.sort.split(":")
        value = model.values[term.data[0]]
        if not term.args:
            model.sizes |= {rows: len(value), columns: len(value[0])}
    for a in term.args:
        _matrix_sizes(a, model)


def truth(statement: Any, values: Mapping[Any, Any], *others: Any) -> bool | None:
    """Say whether a statement holds in a model; None where that is not certain."""
    model = Model(values)
    term = getattr(statement, "term", statement)
    for t in (term, *others):
        _matrix_sizes(getattr(t, "term", t), model)
    run = Evaluation(model)
    outside = [n for n, sorts in _free(term) if sorts[-1:] == ("W",)]
    if outside and term.op in ("=", "<=", "<") and _is_random(term):
        answers = []
        for weight, outcome in run.over(term, (), None):
            if weight > 0:
                run.outcome = outcome
                answers.append(run.value(term))
        return _all(answers)
    return run.value(term)


def _is_random(t: Any) -> bool:
    """Say whether a random number stands outside of every expectation."""
    if t.op in ("E", "all"):
        return False
    if t.op == "v" and t.args and t.args[-1].sort == "W":
        return True
    return any(map(_is_random, t.args))


def evaluate(expression: Any, values: Mapping[Any, Any]) -> Any:
    """Return the value of a number, vector or matrix in a model."""
    model = Model(values)
    _matrix_sizes(expression.term, model)
    return Evaluation(model).value(expression.term)


def gradient(term: Any, variable: Any, model: Mapping[Any, Any]) -> Any:
    """Differentiate numerically by central differences: accurate to about ten digits."""
    values = {_name(k): v for k, v in model.items()}
    name, step = _name(variable), Fraction(1, 10**10)
    rows = values[name]
    flat = not isinstance(rows[0], (tuple, list))
    point = [list(rows)] if flat else [list(row) for row in rows]

    def moved(r: int, c: int, by: Fraction) -> Any:
        out = [list(row) for row in point]
        out[r][c] = Fraction(out[r][c]) + by
        return evaluate(term, {**values, name: out[0] if flat else out})

    slopes = [
        [(moved(r, c, step) - moved(r, c, -step)) / (2 * interval(step)) for c in range(len(row))]
        for r, row in enumerate(point)
    ]
    return tuple(slopes[0]) if flat else slopes
