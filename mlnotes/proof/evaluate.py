"""Values of kernel terms in concrete finite models, exactly or not at all.

A model gives every free variable a value: numbers, vectors as tuples of one length, matrices as
tuples of rows, truth values; a variable with arguments has a table {arguments: value} or a Python
function. Outcomes are numbered from 0 and have rational probabilities. A term is compiled once into
Python closures, so that evaluating it in many models is cheap.

Statements are true, false or undecided (None). Ranges of indices and all outcomes are gone through;
for a quantifier over all numbers or vectors only a failure is certain, unless what it says has
degree two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from mlnotes.trusted.terms import BINDERS, Term, Variable, sizes

from . import exact, quadratic
from .exact import Undecided
from .language.subsets import STANDARD, SUBSETS

Env = tuple[Any, ...]
Reading = Callable[[Env, "Model"], Any]
LONGEST = 10_000  # the longest range that is gone through
SAMPLES = tuple(
    Fraction(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (7, 3))
)


class NoValue(Exception):
    """A term mentions a symbol that has no value in this model."""


class Model:
    """Values of variables, the dimension of vectors, sizes of matrices and a probability space.

    Attributes
    ----------
    values : dict
        The value of each variable, keyed by (name, sort, sorts of arguments); for a variable with
        arguments a table {arguments: value}, or a Python function of them.
    dimension : int
        The length of vectors.
    sizes : dict
        The sizes of matrices by name; a size without an entry is the integer of that name.
    weights : tuple of Fraction
        The probabilities of the outcomes.
    masses : tuple of Fraction or None
        The measures of the points of the measure space, which are numbered from 1; None for a
        point of infinite measure. Without it each of the points has measure one for which a
        function of points has a value in a table, or one point has if there is no such table.
    """

    def __init__(
        self,
        values: Mapping[Variable, Any] | None = None,
        dimension: int = 2,
        sizes: Mapping[str, int] | None = None,
        weights: Iterable[Fraction] = (Fraction(1),),
        masses: Iterable[Fraction | None] | None = None,
    ) -> None:
        self.values: dict[Variable, Any] = dict(values or {})
        self.dimension = dimension
        self.sizes = dict(sizes or {})
        self.weights = tuple(weights)
        self.masses = None if masses is None else tuple(masses)

    def points(self) -> list[tuple[int, Fraction | None]]:
        """Return the points of the measure space with their measures."""
        if self.masses is None:
            tables = ((v[2], t) for v, t in self.values.items() if isinstance(t, dict))
            known = {
                k
                for sorts, t in tables
                if "U" in sorts
                for at in t
                for k, s in zip(at, sorts, strict=True)
                if s == "U"
            }
            return [(k, Fraction(1)) for k in range(1, max(known, default=1) + 1)]
        return list(enumerate(self.masses, start=1))

    def look_up(self, variable: Variable, at: tuple[Any, ...]) -> Any:
        """Return the value of a variable at its arguments."""
        found = self.values.get(variable)
        if variable[2] and found is not None:
            found = found(*at) if callable(found) else found.get(at)
        if found is None:
            raise NoValue(cell_name(variable, at))
        return found

    def known(self, variable: Variable) -> Iterable[tuple[Any, ...]]:
        """Return the arguments at which a table gives a value."""
        table = self.values.get(variable)
        return sorted(table) if isinstance(table, dict) else ()

    def size(self, name: str) -> int:
        """Return the size of matrices that a name stands for."""
        if name.isdigit():
            return int(name)
        known = self.sizes.get(name)
        size = int(self.look_up((name, "Z", ()), ())) if known is None else known
        if size < 1:
            # For the kernel every size is at least one.
            raise NoValue(f"the size {name}, which is at least 1 and not {size}")
        return size


def cell_name(variable: Variable, at: tuple[Any, ...] = ()) -> str:
    """Return the name of a variable at its arguments, such as x[2]."""
    name, _, sorts = variable
    plain = [str(a) for a, s in zip(at, sorts, strict=True) if s not in ("W", "U")]
    outcome = [a for a, s in zip(at, sorts, strict=True) if s == "W"]
    point = [a for a, s in zip(at, sorts, strict=True) if s == "U"]
    text = name + (f"[{', '.join(plain)}]" if plain else "")
    text += "".join(f" at point {k}" for k in point)
    return text + "".join(f" at outcome {k + 1}" for k in outcome)


def value(t: Term, model: Model) -> Any:
    """Return the value of a term; raise NoValue or Undecided if there is none to be had."""
    return reading(t)((), model)


def holds(p: Term, model: Model) -> bool | None:
    """Say whether a statement is true in a model; None if that is not certain."""
    try:
        found: bool | None = reading(p)((), model)
    except (NoValue, Undecided):
        return None
    return found


_compiled: dict[Term, Reading] = {}


def reading(t: Term) -> Reading:
    """Return the function that evaluates a term, given its bound variables and a model."""
    found = _compiled.get(t)
    if found is None:
        found = _compiled[t] = _BUILDERS[t.op](t)
    return found


def _constant(x: Any) -> Reading:
    """Read a value that depends on nothing."""
    return lambda env, model: x


def _read_number(t: Term) -> Reading:
    """Read a fraction, as an integer where it is one."""
    q = Fraction(*t.data)
    return _constant(q.numerator if q.denominator == 1 else q)


def _read_bound(t: Term) -> Reading:
    """Read a bound variable from the values of those around it."""
    k = t.data[0]
    return lambda env, model: env[k]


def _read_variable(t: Term) -> Reading:
    """Read a symbol, or a member of a family at the values of its arguments."""
    variable = (*t.data, tuple(a.sort for a in t.args))
    args = [reading(a) for a in t.args]
    if variable in STANDARD:
        f = STANDARD[variable]
        return lambda env, model: f(*[a(env, model) for a in args])
    if not args:
        return lambda env, model: model.look_up(variable, ())
    if len(args) == 1:
        (only,) = args
        return lambda env, model: model.look_up(variable, (only(env, model),))
    return lambda env, model: model.look_up(variable, tuple([a(env, model) for a in args]))


def _read_sum(t: Term) -> Reading:
    """Read a + b of numbers, vectors or matrices."""
    args = [reading(a) for a in t.args]
    if t.sort in ("R", "Z"):
        first, rest = args[0], args[1:]

        def read(env: Env, model: Model) -> Any:
            out = first(env, model)
            for a in rest:
                out = out + a(env, model)
            return out

        return read
    return lambda env, model: _add([a(env, model) for a in args])


def _add(parts: list[Any]) -> Any:
    """Add vectors or matrices."""
    if parts[0] and isinstance(parts[0][0], tuple):
        return tuple(_add(list(rows)) for rows in zip(*parts, strict=True))
    return tuple(map(_total, zip(*parts, strict=True)))


def _total(numbers: Iterable[Any]) -> Any:
    """Return Σ x of numbers."""
    return sum(numbers)


def _read_product(t: Term) -> Reading:
    """Read a·b of numbers."""
    first, *rest = [reading(a) for a in t.args]

    def read(env: Env, model: Model) -> Any:
        out = first(env, model)
        for a in rest:
            out = out * a(env, model)
        return out

    return read


def _read_power(t: Term) -> Reading:
    """Read xᵏ for a whole number k."""
    base, k = reading(t.args[0]), t.data[0]
    return lambda env, model: base(env, model) ** k


def _read_call(f: Callable[..., Any]) -> Callable[[Term], Reading]:
    """Return the builder for a function of the values of the arguments."""

    def build(t: Term) -> Reading:
        args = [reading(a) for a in t.args]
        if len(args) == 1:
            (only,) = args
            return lambda env, model: f(only(env, model))
        return lambda env, model: f(*[a(env, model) for a in args])

    return build


def _absolute(x: Any) -> Any:
    """Return |x| = x·sgn(x)."""
    return abs(x) if not isinstance(x, exact.Real) else x * exact.certain_sign(x)


def _maximum(x: Any, y: Any) -> Any:
    """Return max(x, y): x where x − y ≥ 0."""
    return x if exact.certain_sign(x - y) >= 0 else y


def _minimum(x: Any, y: Any) -> Any:
    """Return min(x, y): x where x − y ≤ 0."""
    return x if exact.certain_sign(x - y) <= 0 else y


def _scaled(c: Any, v: Any) -> Any:
    """Return c·v of a vector or a matrix."""
    return tuple(_scaled(c, x) if isinstance(x, tuple) else c * x for x in v)


def _dot(u: Any, v: Any) -> Any:
    """Return ⟨u, v⟩ = Σ uᵢvᵢ."""
    return sum([x * y for x, y in zip(u, v, strict=True)])


def _indicator(p: bool | None) -> int:
    """Return [p], which is 1 where p holds and 0 where it does not."""
    if p is None:
        raise Undecided("an indicator")
    return int(p)


def _read_range(t: Term) -> Reading:
    """Read Σ or Π over low…high, which is 0 or 1 where high < low."""
    low, high, body = (reading(a) for a in t.args)
    adds, vectors, shape = t.op == "sum", t.sort == "V", sizes(t.sort)

    def read(env: Env, model: Model) -> Any:
        terms = [body((k, *env), model) for k in span(low(env, model), high(env, model))]
        if vectors:
            return _add([(0,) * model.dimension, *terms])
        if shape:
            rows, columns = map(model.size, shape)
            return _add([((0,) * columns,) * rows, *terms])
        out: Any = 0 if adds else 1
        for x in terms:
            out = out + x if adds else out * x
        return out

    return read


def _read_unit(t: Term) -> Reading:
    """Read the unit column eₖ, whose entry i is [i = k]."""
    (at,) = (reading(a) for a in t.args)

    def read(env: Env, model: Model) -> Any:
        k = at(env, model)
        return tuple((int(i + 1 == k),) for i in range(model.size(t.data[0])))

    return read


def span(low: int, high: int) -> range:
    """Return the indices of a range, which may not be long."""
    if high - low > LONGEST:
        raise Undecided("a range that is too long")
    return range(low, high + 1)


def _read_mean(t: Term) -> Reading:
    """Read E x = Σ p(ω)·x(ω) over the outcomes of the model."""
    body = reading(t.args[0])

    def read(env: Env, model: Model) -> Any:
        values = [(p, body((k, *env), model)) for k, p in enumerate(model.weights)]
        if t.sort == "R":
            return sum([p * x for p, x in values])
        return _add([_scaled(p, x) for p, x in values])

    return read


def _read_integral(t: Term) -> Reading:
    body, exists = reading(t.args[0]), _read_integrable(t)

    def read(env: Env, model: Model) -> Any:
        there = exists(env, model)
        if there is None:
            raise Undecided("whether a function is integrable")
        finite = [(k, m) for k, m in model.points() if m is not None]
        return sum([m * body((k, *env), model) for k, m in finite]) if there else 0

    return read


def _read_integrable(t: Term) -> Reading:
    """Read that a function is zero where points have infinite measure; all are measurable."""
    body = reading(t.args[0])

    def read(env: Env, model: Model) -> bool | None:
        infinite = (same(body((k, *env), model), 0) for k, m in model.points() if m is None)
        found = set(infinite)
        return False if False in found else None if None in found else True

    return read


# ---------------------------------------------------------------------- matrices


def _read_zero(t: Term) -> Reading:
    """Read the vector or matrix whose entries are 0."""
    if t.sort == "V":
        return lambda env, model: (0,) * model.dimension
    rows, columns = sizes(t.sort)
    return lambda env, model: ((0,) * model.size(columns),) * model.size(rows)


def _read_identity(t: Term) -> Reading:
    """Read I, whose entries are [i = j]."""
    name = t.data[0]

    def read(env: Env, model: Model) -> Any:
        n = range(model.size(name))
        return tuple(tuple(int(i == j) for j in n) for i in n)

    return read


def _read_dimension(t: Term) -> Reading:
    """Read a size, which the model chooses."""
    name = t.data[0]
    return lambda env, model: model.size(name)


def _multiply(*factors: Any) -> Any:
    """Return the product of matrices, (AB)ᵢⱼ = Σₖ AᵢₖBₖⱼ."""
    out = factors[0]
    for m in factors[1:]:
        columns = list(zip(*m, strict=True))
        out = tuple(tuple(_dot(row, column) for column in columns) for row in out)
    return out


def _transpose(m: Any) -> Any:
    """Return Aᵀ."""
    return tuple(zip(*m, strict=True))


def _trace(m: Any) -> Any:
    """Return tr A = Σ Aᵢᵢ."""
    return sum([m[i][i] for i in range(len(m))])


def _eliminate(m: Any) -> tuple[Any, Any]:
    """Return the determinant and, if that is not 0, the inverse, by Gauss and Jordan."""
    n = len(m)
    rows = [[*row, *(int(i == j) for j in range(n))] for i, row in enumerate(m)]
    determinant: Any = 1
    for k in range(n):
        pivot = next((r for r in range(k, n) if exact.certain_sign(rows[r][k])), None)
        if pivot is None:
            return 0, None
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            determinant = determinant * -1
        determinant = determinant * rows[k][k]
        scale = exact.inverse(rows[k][k])
        rows[k] = [x * scale for x in rows[k]]
        for r in range(n):
            if r != k:
                factor = rows[r][k]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[k], strict=True)]
    return determinant, tuple(tuple(row[n:]) for row in rows)


def _determinant(m: Any) -> Any:
    """Return det A."""
    return _eliminate(m)[0]


def _inverse_matrix(m: Any) -> Any:
    """Return A⁻¹, and the zero matrix where det A = 0."""
    found = _eliminate(m)[1]
    return tuple((0,) * len(m) for _ in m) if found is None else found


# ---------------------------------------------------------------------- statements


def same(a: Any, b: Any) -> bool | None:
    """Say whether two values are equal, entry by entry; None if that is not decided."""
    if isinstance(a, tuple):
        found = {same(x, y) for x, y in zip(a, b, strict=True)}
        return False if False in found else None if None in found else True
    gap = exact.sign(a - b)
    return None if gap is None else gap == 0


def _at_most(a: Any, b: Any) -> bool | None:
    """Whether a ≤ b: the sign of b − a is not negative. None where it is not decided."""
    gap = exact.sign(b - a)
    return None if gap is None else gap >= 0


def _less(a: Any, b: Any) -> bool | None:
    """Whether a < b: the sign of b − a is positive. None where it is not decided."""
    gap = exact.sign(b - a)
    return None if gap is None else gap > 0


def _read_relation(t: Term) -> Reading:
    """Read =, ≤ or <; None where a sign is not decided."""
    left, right = (reading(a) for a in t.args)
    compare = {"=": same, "<=": _at_most, "<": _less}[t.op]

    def read(env: Env, model: Model) -> bool | None:
        try:
            found: bool | None = compare(left(env, model), right(env, model))
        except Undecided:
            return None
        return found

    return read


def _read_implies(t: Term) -> Reading:
    """Read p → q, true where p is false or q is true."""
    premise, conclusion = (reading(a) for a in t.args)

    def read(env: Env, model: Model) -> bool | None:
        given = premise(env, model)
        if given is False:
            return True
        then: bool | None = conclusion(env, model)
        return then if given or then else None

    return read


def _read_connective(t: Term) -> Reading:
    """Read p ∧ q, false where one is, or p ∨ q, true where one is."""
    parts = [reading(a) for a in t.args]
    decisive = t.op == "|"

    def read(env: Env, model: Model) -> bool | None:
        out: bool | None = not decisive
        for p in parts:
            found: bool | None = p(env, model)
            if found == decisive:
                return decisive
            out = None if found is None else out
        return out

    return read


def limits(body: Term) -> tuple[Term | None, Term | None]:
    """Return the bounds that the premises of a statement put on the index bound just outside."""
    low = high = None
    while body.op == "->":
        premise, body = body.args
        if premise.op == "<=":
            left, right = premise.args
            if right.op == "b" and right.data[0] == 0 and 0 not in left.indices:
                low = low or left
            elif left.op == "b" and left.data[0] == 0 and 0 not in right.indices:
                high = high or right
    return low, high


def _read_all(t: Term) -> Reading:
    """Read ∀x p over a range or the outcomes, as a rule of low degree in x, or at samples."""
    (body,), sort = t.args, t.data[0]
    if t in SUBSETS:
        return _constant(True)
    inside = reading(body)
    if sort == "Z":
        low, high = limits(body)
        if low is not None and high is not None:
            return _over_range(low, high, inside)
        return _over_all_integers(body, inside)
    if sort == "W":
        return lambda env, model: _conjunction(inside, range(len(model.weights)), env, model)
    if sort == "U":
        return lambda env, model: _conjunction(inside, [k for k, _ in model.points()], env, model)
    if 0 not in body.indices:
        return _without_variable(inside)
    rule = quadratic.linear_rule(body)
    if rule is not None:
        return _linear_rule(sort, inside, *rule)
    found = quadratic.relation(body)
    return _over_all(sort, inside, found)


def _linear_rule(
    sort: str, body: Reading, outside: list[Term], premises: list[Term], conclusion: Term
) -> Reading:
    """Return the reading of a statement that equations of degree one imply another one."""
    conditions = [reading(p) for p in outside]
    sides = [[reading(a) for a in p.args] for p in (*premises, conclusion)]

    def read(env: Env, model: Model) -> bool | None:
        rows, columns = (1, _width(sort, model)) if not sizes(sort) else _shape(sort, model)

        def gap(left: Reading, right: Reading) -> quadratic.Affine:
            def at(flat: list[Any]) -> list[Any]:
                x = _value(sort, flat, columns)
                ends = (_entries(side((x, *env), model)) for side in (left, right))
                return [b - a for a, b in zip(*ends, strict=True)]

            return at

        held = [condition((None, *env), model) for condition in conditions]
        if False in held:
            return True
        if None in held:
            return _sampled(body, samples(sort, model), env, model)
        try:
            parts = [gap(*pair) for pair in sides]
            return quadratic.follows(parts[:-1], parts[-1], rows * columns)
        except Undecided:
            return _sampled(body, samples(sort, model), env, model)

    return read


def _value(sort: str, flat: list[Any], columns: int) -> Any:
    """Return a number, vector or matrix with these entries."""
    parts = [tuple(flat[k : k + columns]) for k in range(0, len(flat), columns)]
    return flat[0] if sort == "R" else parts[0] if sort == "V" else tuple(parts)


def _entries(x: Any) -> list[Any]:
    """Return the numbers of a vector or a matrix."""
    return [b for a in x for b in _entries(a)] if isinstance(x, tuple) else [x]


def _without_variable(body: Reading) -> Reading:
    """Read ∀x p where x is not in p: it is p."""

    def read(env: Env, model: Model) -> bool | None:
        found: bool | None = body((None, *env), model)
        return found

    return read


def _over_all(sort: str, body: Reading, found: tuple[Term, bool] | None) -> Reading:
    """Return the reading of a statement about all numbers, vectors or matrices."""
    if found is None:
        return lambda env, model: _sampled(body, samples(sort, model), env, model)
    p, nonzero = found
    left, right = (reading(a) for a in p.args)

    def read(env: Env, model: Model) -> bool | None:
        rows, columns = (1, _width(sort, model)) if not sizes(sort) else _shape(sort, model)

        def gap(flat: list[Any]) -> Any:
            x = _value(sort, flat, columns)
            return right((x, *env), model) - left((x, *env), model)

        try:
            decided = quadratic.decide(p.op, gap, rows * columns, nonzero)
        except Undecided:
            decided = None
        return _sampled(body, samples(sort, model), env, model) if decided is None else decided

    return read


def _width(sort: str, model: Model) -> int:
    """Return how many numbers make a value of a sort: d for a vector."""
    return model.dimension if sort == "V" else 1


def _shape(sort: str, model: Model) -> tuple[int, int]:
    """Return the numbers of rows and columns of a sort of matrices."""
    rows, columns = (model.size(s) for s in sizes(sort))
    return rows, columns


def _conjunction(body: Reading, over: Iterable[Any], env: Env, model: Model) -> bool | None:
    """Return p(k₁) ∧ p(k₂) ∧ …; None where none is false and one is not decided."""
    out: bool | None = True
    for k in over:
        found = body((k, *env), model)
        if found is False:
            return False
        out = None if found is None else out
    return out


def _over_range(low: Term, high: Term, body: Reading) -> Reading:
    """Read ∀k (low ≤ k ≤ high → p)."""
    # The limits stand inside the quantifier, but do not use its index.
    first, last = reading(low), reading(high)

    def read(env: Env, model: Model) -> bool | None:
        inner = (None, *env)
        return _conjunction(body, span(first(inner, model), last(inner, model)), env, model)

    return read


def _sampled(body: Reading, over: Iterable[Any], env: Env, model: Model) -> bool | None:
    """Look for a failure among some values; that there is none decides nothing."""
    for x in over:
        try:
            if body((x, *env), model) is False:
                return False
        except (NoValue, Undecided):
            continue
    return None


def samples(sort: str, model: Model) -> Iterable[Any]:
    """Return some values of a sort, on which a statement about all of them may fail."""
    if sort == "R":
        return SAMPLES
    few = SAMPLES[:4]
    if sort == "V":
        return product(few, repeat=min(model.dimension, 3)) if model.dimension <= 3 else ()
    if sizes(sort):
        rows, columns = _shape(sort, model)
        if rows * columns > 4:
            return ()
        flat = product(few, repeat=rows * columns)
        return (tuple(x[i : i + columns] for i in range(0, len(x), columns)) for x in flat)
    return ()


def families(body: Term) -> tuple[set[tuple[Variable, int]], bool]:
    """Return families with the index bound just outside as an argument, and where it stands.

    The second value says whether the index occurs nowhere else: then what is said of an index
    depends on the members there alone, and members that nobody gave can be chosen like given ones.
    """
    found: set[tuple[Variable, int]] = set()
    alone = True
    pending = [(body, 0)]
    while pending:
        t, k = pending.pop()
        if k not in t.indices:
            continue
        if t.op == "b":
            alone = False
            continue
        at = BINDERS.get(t.op, (-1, ""))[0]
        for position, a in enumerate(t.args):
            if t.op == "v" and a.op == "b" and a.data[0] == k:
                found.add(((*t.data, tuple(x.sort for x in t.args)), position))
            else:
                pending.append((a, k + (position == at)))
    return found, alone


def _over_all_integers(body: Term, inside: Reading) -> Reading:
    """Return the reading of a statement about all integers: declared signs of a family."""
    found, alone = families(body)
    single = len({v for v, _ in found}) == 1

    def read(env: Env, model: Model) -> bool | None:
        indices = sorted({at[k] for v, k in found for at in model.known(v)})
        if not alone:
            return _sampled(inside, indices or range(-3, 6), env, model)
        seen = False
        for i in indices:
            try:
                held: bool | None = inside((i, *env), model)
            except NoValue:
                if not single:
                    return None
                continue
            seen = True
            if held is not True:
                return held
        if not seen and any(callable(model.values.get(v)) for v, _ in found):
            return None
        if not seen and found:
            raise NoValue(min(v[0] for v, _ in found))
        return True if found else None

    return read


def _undecidable(t: Term) -> Reading:
    """Read a statement that no model decides."""

    def read(env: Env, model: Model) -> None:
        return None

    return read


_BUILDERS: dict[str, Callable[[Term], Reading]] = {
    "q": _read_number,
    "z": _read_number,
    "b": _read_bound,
    "v": _read_variable,
    "+": _read_sum,
    "*": _read_product,
    "pow": _read_power,
    "of": lambda t: reading(t.args[0]),
    "inv": _read_call(exact.inverse),
    "exp": _read_call(exact.exp),
    "log": _read_call(exact.log),
    "sqrt": _read_call(exact.sqrt),
    "abs": _read_call(_absolute),
    "max": _read_call(_maximum),
    "min": _read_call(_minimum),
    "ind": _read_call(_indicator),
    "dot": _read_call(_dot),
    "sc": _read_call(_scaled),
    "sum": _read_range,
    "prod": _read_range,
    "E": _read_mean,
    "int": _read_integral,
    "integrable": _read_integrable,
    "zero": _read_zero,
    "I": _read_identity,
    "dim": _read_dimension,
    "unit": _read_unit,
    "mm": _read_call(_multiply),
    "T": _read_call(_transpose),
    "tr": _read_call(_trace),
    "det": _read_call(_determinant),
    "minv": _read_call(_inverse_matrix),
    "=": _read_relation,
    "<=": _read_relation,
    "<": _read_relation,
    "->": _read_implies,
    "&": _read_connective,
    "|": _read_connective,
    "F": lambda t: _constant(False),
    "all": _read_all,
    "deriv": _undecidable,
}
