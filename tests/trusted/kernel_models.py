"""Finite models of the kernel's language, and the value of a term in one, in exact fractions.

This is a second reading of what terms mean. It looks at the operation, the data and the arguments
of a term and at nothing else of the kernel: no normal form, no substitution, no sort.

What cannot be computed exactly is left out: a term that needs an irrational number raises
:class:`Unknown`, and a proposition that speaks about infinitely many values is false where a
counterexample was met and otherwise None, undecided. exp is 2ˣ at whole numbers, and log its
inverse: all laws of the normal form, and all axioms but those on derivatives, hold of it too.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

STEPS = 20_000  # terms looked at in one evaluation
LONGEST = 12  # terms of a sum
NEAR = Fraction(1, 2**60)  # how far from a point a difference quotient looks
EQUAL = Fraction(1, 2**25)  # and how close it has to be to the derivative


class Unknown(Exception):
    """The value of a term is not a rational number that we can find."""


class Model:
    """A model: spaces, sizes, and a value for every variable, drawn when it is first asked for.

    The measure space has one to three parts, each of one or two points and of a measure that may be
    infinite (None). Its measurable sets are unions of parts. So a function of points is measurable
    if it is constant on every part, and integrable if it also vanishes where the measure is
    infinite.

    With ``sampled`` a statement about all integers or reals counts as true if it is true of those
    that are tried: for statements that are known to be true of all if they are true of these.
    """

    def __init__(self, rng: random.Random, *, sampled: bool = False) -> None:
        self.rng = rng
        self.sampled = sampled
        self.tried: tuple[Any, ...] = ()
        self.lengths = [Fraction(rng.randint(1, 3)) for _ in range(rng.randint(1, 3))]
        counts = [rng.randint(0, 3) for _ in range(rng.randint(1, 3))]
        counts[0] += sum(counts) == 0
        self.weights = [Fraction(c, sum(counts)) for c in counts]
        self.parts = [rng.choice((1, 1, 2)) for _ in range(rng.randint(1, 3))]
        self.measures = [rng.choice((None, 0, 1, 1, 2, Fraction(1, 2))) for _ in self.parts]
        self.dims: dict[str, int] = {}
        self.values: dict[tuple[Any, ...], Any] = {}
        self.functions: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self.left = 0

    def size(self, name: str) -> int:
        if name.isdigit() and name[0] != "0":
            return int(name)
        return self.dims.setdefault(name, self.rng.randint(1, 3))

    def real(self) -> Fraction:
        if self.rng.random() < 0.85:
            return Fraction(self.rng.choice((0, 0, 1, 1, -1, -1, 2, -2, 3, 4)))
        return Fraction(self.rng.randint(-5, 5), self.rng.randint(1, 4))

    def draw(self, sort: str) -> Any:
        """Return a random value of a sort."""
        if sort == "R":
            return self.real()
        if sort == "Z":
            return self.rng.randint(-2, 4)
        if sort == "P":
            return self.rng.random() < 0.5
        if sort == "W":
            return self.rng.randrange(len(self.weights))
        if sort == "U":
            return self.rng.choice(self.points())
        if sort == "V":
            return tuple(self.real() for _ in self.lengths)
        _, rows, columns = sort.split(":")
        return self.table(self.size(rows), self.size(columns), lambda i, j: self.real())

    def points(self) -> list[tuple[int, int]]:
        """Return the points of the measure space: a part, and a number in it."""
        return [(part, k) for part, count in enumerate(self.parts) for k in range(count)]

    @staticmethod
    def table(rows: int, columns: int, entry: Callable[[int, int], Fraction]) -> Any:
        return tuple(tuple(entry(i, j) for j in range(columns)) for i in range(rows))

    def curve(self) -> Callable[[Fraction], Fraction]:
        """Return a random function of a real number, sometimes with a kink or a jump."""
        a, b, c = self.real(), self.real(), Fraction(self.rng.randint(-2, 2))
        kind = self.rng.randrange(6)
        if kind == 0:
            return lambda t: abs(t - c) + a
        if kind == 1:
            return lambda t: a if t < c else b
        return lambda t: a + b * t + c * t * t

    def let(self, name: str, sort: str, value: Any, *arguments: str) -> None:
        """Give a variable a value, or with sorts of arguments a function."""
        if arguments:
            self.functions[name, sort, arguments] = value
        else:
            self.values[name, sort, (), ()] = value

    def variable(self, name: str, sort: str, sorts: tuple[str, ...], args: tuple[Any, ...]) -> Any:
        function = self.functions.get((name, sort, sorts))
        if function is None and sort == "R" and sorts == ("R",):
            function = self.functions[name, sort, sorts] = self.curve()
        if function is not None:
            return function(*args)
        key = (name, sort, sorts, args)
        if key not in self.values:
            self.values[key] = self.draw(sort)
        return self.values[key]

    def truth(self, p: Any) -> bool | None:
        """Say whether a proposition is true; None if that cannot be found out."""
        try:
            return self.value(p)
        except Unknown:
            return None

    def value(self, t: Any) -> Any:
        """Return the value of a closed term."""
        self.left = STEPS
        return self.at(t, ())

    def at(self, t: Any, env: tuple[Any, ...]) -> Any:
        """Return the value of a term whose loose indices have the values env, the nearest last."""
        self.left -= 1
        if self.left < 0:
            raise Unknown
        return _MEANING[t.op](self, t, env)


def sort_of(t: Any) -> str:
    """Return the sort of a term."""
    if t.op in ("v", "b"):
        return str(t.data[1])
    if t.op in ("sc", "+", "*", "pow", "sum", "E", "minv"):
        return sort_of(t.args[-1])
    if t.op in ("z", "dim"):
        return "Z"
    if t.op == "zero":
        return str(t.data[0])
    if t.op == "I":
        return f"M:{t.data[0]}:{t.data[0]}"
    if t.op == "unit":
        return f"M:{t.data[0]}:1"
    if t.op == "T":
        return "M:{2}:{1}".format(*sort_of(t.args[0]).split(":"))
    if t.op == "mm":
        rows, columns = (sort_of(t.args[k]).split(":") for k in (0, -1))
        return f"M:{rows[1]}:{columns[2]}"
    return "P" if t.op in PROPOSITIONS else "R"


PROPOSITIONS = ("=", "<=", "<", "->", "&", "|", "all", "deriv", "integrable", "F")
BOUND = {"sum": 2, "prod": 2, "E": 0, "int": 0, "integrable": 0, "deriv": 0, "all": 0}


def occurs(t: Any, k: int) -> bool:
    """Say whether the loose index k occurs in a term."""
    if t.op == "b":
        return bool(t.data[0] == k)
    under = BOUND.get(t.op)
    return any(occurs(a, k + (i == under)) for i, a in enumerate(t.args))


def add(x: Any, y: Any) -> Any:
    return tuple(map(add, x, y)) if isinstance(x, tuple) else x + y


def scale(c: Fraction, x: Any) -> Any:
    return tuple(scale(c, y) for y in x) if isinstance(x, tuple) else c * x


def multiply(a: Any, b: Any) -> Any:
    columns = list(zip(*b, strict=True))
    return tuple(tuple(sum(map(_times, row, c), Fraction(0)) for c in columns) for row in a)


def _times(x: Any, y: Any) -> Any:
    return small(x * y)


def small(x: Any) -> Any:
    """Return a number unless it is so long that computing on would take all the time."""
    if isinstance(x, Fraction) and x.numerator.bit_length() + x.denominator.bit_length() > 4000:
        raise Unknown
    return x


def determinant(a: Any) -> Fraction:
    if len(a) == 1:
        return Fraction(a[0][0])
    minors = ([row[:j] + row[j + 1 :] for row in a[1:]] for j in range(len(a)))
    return sum(((-1) ** j * a[0][j] * determinant(m) for j, m in enumerate(minors)), Fraction(0))


def inverse(a: Any) -> Any:
    """Return the inverse by cofactors, and zero for a singular matrix."""
    n, d = len(a), determinant(a)

    def cofactor(i: int, j: int) -> Fraction:
        if n == 1:
            return Fraction(1)
        rows = [row[:j] + row[j + 1 :] for k, row in enumerate(a) if k != i]
        return (-1) ** (i + j) * determinant(rows)

    if d == 0:
        return Model.table(n, n, lambda i, j: Fraction(0))
    return Model.table(n, n, lambda i, j: cofactor(j, i) / d)


def root(x: Fraction) -> Fraction:
    if x < 0:
        return Fraction(0)
    top, bottom = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if top * top != x.numerator or bottom * bottom != x.denominator:
        raise Unknown
    return Fraction(top, bottom)


def power_of_two(x: Fraction) -> Fraction:
    if x.denominator != 1 or abs(x) > 60:
        raise Unknown
    return Fraction(2) ** int(x)


def binary_logarithm(x: Fraction) -> Fraction:
    if x <= 0:
        return Fraction(0)
    k = x.numerator.bit_length() - x.denominator.bit_length()
    if Fraction(2) ** k != x:
        raise Unknown
    return Fraction(k)


def _plain(function: Callable[..., Any]) -> Callable[[Model, Any, tuple[Any, ...]], Any]:
    return lambda m, t, env: function(*(m.at(a, env) for a in t.args))


def _variable(m: Model, t: Any, env: tuple[Any, ...]) -> Any:
    args = tuple(m.at(a, env) for a in t.args)
    return m.variable(*t.data, tuple(map(sort_of, t.args)), args)


def _range(m: Model, t: Any, env: tuple[Any, ...]) -> list[Any]:
    low, high = m.at(t.args[0], env), m.at(t.args[1], env)
    if high - low >= LONGEST:
        raise Unknown
    return [m.at(t.args[2], (*env, k)) for k in range(low, high + 1)]


def _sum(m: Model, t: Any, env: tuple[Any, ...]) -> Any:
    sort = sort_of(t.args[2])
    out: Any = Fraction(0) if sort == "R" else (Fraction(0),) * len(m.lengths)
    if sort[0] == "M":
        _, rows, columns = sort.split(":")
        out = m.table(m.size(rows), m.size(columns), lambda i, j: Fraction(0))
    for x in _range(m, t, env):
        out = add(out, x)
    return out


def _unit_column(m: Model, t: Any, env: tuple[Any, ...]) -> Any:
    k = m.at(t.args[0], env)
    return m.table(m.size(t.data[0]), 1, lambda i, j: Fraction(int(i + 1 == k)))


def _zero(m: Model, t: Any, env: tuple[Any, ...]) -> Any:
    if t.data[0] == "V":
        return (Fraction(0),) * len(m.lengths)
    _, rows, columns = t.data[0].split(":")
    return m.table(m.size(rows), m.size(columns), lambda i, j: Fraction(0))


def _all(m: Model, t: Any, env: tuple[Any, ...]) -> bool | None:
    sort, body = t.data[0], t.args[0]
    domain, complete = _domain(m, sort, body, env)
    undecided = not complete and not m.sampled
    for x in domain:
        try:
            holds = m.at(body, (*env, x))
        except Unknown:
            holds = None
        if holds is False:
            return False
        undecided |= holds is None
    return None if undecided else True


def _domain(m: Model, sort: str, body: Any, env: tuple[Any, ...]) -> tuple[list[Any], bool]:
    """Return values of a sort to be tried, and whether the body can be false at no other."""
    if sort == "W":
        return list(range(len(m.weights))), True
    if sort == "U":
        return list(m.points()), True
    if sort == "P":
        return [False, True], True
    if sort != "Z":
        return [*m.tried, *(m.draw(sort) for _ in range(6))], False
    limits = []
    for side in (1, 0):  # low ≤ k, and then k ≤ high
        guard = body.args[0] if body.op == "->" else body
        if guard is body or guard.op != "<=" or occurs(guard.args[1 - side], 0):
            break
        if guard.args[side].op != "b" or guard.args[side].data[0] != 0:
            break
        limits.append(m.at(guard.args[1 - side], (*env, 0)))
        body = body.args[1]
    if len(limits) == 2 and limits[1] - limits[0] < LONGEST:
        return list(range(limits[0], limits[1] + 1)), True
    return list(range(-4, 9)), False


def _values_on_parts(m: Model, t: Any, env: tuple[Any, ...]) -> list[set[Fraction]]:
    """Return the values of a function of points on each part of the measure space."""
    return [
        {m.at(t.args[0], (*env, (part, k))) for k in range(count)}
        for part, count in enumerate(m.parts)
    ]


def _integrable(m: Model, t: Any, env: tuple[Any, ...]) -> bool:
    values = _values_on_parts(m, t, env)
    return all(
        len(v) == 1 and (size is not None or v == {0})
        for v, size in zip(values, m.measures, strict=True)
    )


def _integral(m: Model, t: Any, env: tuple[Any, ...]) -> Fraction:
    if not _integrable(m, t, env):
        return Fraction(0)
    values = [v.pop() for v in _values_on_parts(m, t, env)]
    sizes = [size or 0 for size in m.measures]
    return sum((size * v for size, v in zip(sizes, values, strict=True)), Fraction(0))


def _derivative(m: Model, t: Any, env: tuple[Any, ...]) -> bool:
    """Compare with difference quotients, so near that a rational function has no room to bend."""
    body, point, slope = t.args[0], m.at(t.args[1], env), m.at(t.args[2], env)
    here = m.at(body, (*env, point))
    quotients = ((m.at(body, (*env, point + h)) - here) / h for h in (NEAR, -NEAR))
    return all(abs(q - slope) < EQUAL for q in quotients)


def _implies(m: Model, t: Any, env: tuple[Any, ...]) -> bool | None:
    p, q = _undecided(m, t.args[0], env), _undecided(m, t.args[1], env)
    return True if p is False or q is True else None if p is None or q is None else q


def _and(m: Model, t: Any, env: tuple[Any, ...]) -> bool | None:
    sides = [_undecided(m, a, env) for a in t.args]
    return False if False in sides else None if None in sides else True


def _or(m: Model, t: Any, env: tuple[Any, ...]) -> bool | None:
    sides = [_undecided(m, a, env) for a in t.args]
    return True if True in sides else None if None in sides else False


def _undecided(m: Model, p: Any, env: tuple[Any, ...]) -> bool | None:
    try:
        return m.at(p, env)
    except Unknown:
        return None


def _indicator(m: Model, t: Any, env: tuple[Any, ...]) -> Fraction:
    holds = m.at(t.args[0], env)
    if holds is None:
        raise Unknown
    return Fraction(int(holds))


def _product(*xs: Any) -> Any:
    return small(math.prod(xs[1:], start=xs[0]))


def _word(*xs: Any) -> Any:
    out = xs[0]
    for x in xs[1:]:
        out = multiply(out, x)
    return out


def _total(*xs: Any) -> Any:
    out = xs[0]
    for x in xs[1:]:
        out = add(out, x)
    return out


_MEANING: dict[str, Callable[[Model, Any, tuple[Any, ...]], Any]] = {
    "v": _variable,
    "b": lambda m, t, env: env[-1 - t.data[0]],
    "q": lambda m, t, env: Fraction(*t.data),
    "z": lambda m, t, env: t.data[0],
    "dim": lambda m, t, env: m.size(t.data[0]),
    "of": _plain(Fraction),
    "+": _plain(_total),
    "*": _plain(_product),
    "pow": lambda m, t, env: small(m.at(t.args[0], env) ** t.data[0]),
    "inv": _plain(lambda x: 1 / x if x else Fraction(0)),
    "exp": _plain(power_of_two),
    "log": _plain(binary_logarithm),
    "sqrt": _plain(root),
    "abs": _plain(abs),
    "max": _plain(max),
    "min": _plain(min),
    "ind": _indicator,
    "sum": _sum,
    "prod": lambda m, t, env: small(math.prod(_range(m, t, env), start=Fraction(1))),
    "E": lambda m, t, env: _total(
        *(scale(p, m.at(t.args[0], (*env, w))) for w, p in enumerate(m.weights))
    ),
    "int": _integral,
    "integrable": _integrable,
    "zero": _zero,
    "sc": _plain(scale),
    "dot": lambda m, t, env: sum(
        (c * x * y for c, x, y in zip(m.lengths, *(m.at(a, env) for a in t.args), strict=True)),
        Fraction(0),
    ),
    "I": lambda m, t, env: m.table(
        m.size(t.data[0]), m.size(t.data[0]), lambda i, j: Fraction(int(i == j))
    ),
    "unit": _unit_column,
    "mm": _plain(_word),
    "T": _plain(lambda a: tuple(zip(*a, strict=True))),
    "tr": _plain(lambda a: sum((a[k][k] for k in range(len(a))), Fraction(0))),
    "det": _plain(determinant),
    "minv": _plain(inverse),
    "F": lambda m, t, env: False,
    "=": _plain(lambda x, y: x == y),
    "<=": _plain(lambda x, y: x <= y),
    "<": _plain(lambda x, y: x < y),
    "->": _implies,
    "&": _and,
    "|": _or,
    "all": _all,
    "deriv": _derivative,
}
