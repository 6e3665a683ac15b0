"""Witnesses and counterexamples: concrete cases in which hypotheses hold, or a line does not.

A witness is what an author gives: numbers, lists for vectors, lists (counted from 1) or dicts for
families, rows for matrices, lists of (value, probability) for random variables, Python functions or
``Lambda`` for functions. Everything is exact; what cannot be decided exactly counts as undecided.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from mlnotes.trusted.terms import Term, Variable, close, make, sizes

from .errors import IllTyped, Vacuous
from .evaluate import Model, NoValue, cell_name, holds, limits, reading, span, value
from .exact import Real, Undecided, show
from .falsify import counterexample
from .language import (
    BASES,
    EXTREMA,
    Expr,
    Extremum,
    Family,
    Function,
    Lambda,
    Statement,
    Written,
    build,
    called,
    in_sort,
    number,
    term_of,
    variable,
    variable_of,
)
from .probability import finite_law

__all__ = [
    "Model", "NoValue", "check_witness", "counterexample", "describe", "holds", "value",
    "witness_model",
]  # fmt: skip

MOST_OUTCOMES = 4096
Distribution = tuple[Variable, tuple[Any, ...], list[tuple[Any, Fraction]]]


def term(p: Any) -> Term:
    """Return the kernel term of something written, or a term itself."""
    found = p.term if isinstance(p, Written) else p
    assert isinstance(found, Term)
    return found


# ---------------------------------------------------------------------- witnesses


class _Reader:
    """Reads the values of a witness, and collects what they have to agree about."""

    def __init__(self) -> None:
        self.model = Model()
        self.dimension: int | None = None
        self.random: list[Distribution] = []

    def number(self, given: Any, name: str) -> Any:
        """Return a number: exact, closed terms evaluated, floats with the digits they show."""
        if isinstance(given, Real):
            return given
        if isinstance(given, float) and math.isfinite(given):
            given = Fraction(str(given))
        try:
            e = term_of(given)
            found = value(e.term, Model())
        except (IllTyped, NoValue, Undecided):
            found = None
        if found is None or e.term.sort not in ("R", "Z"):
            raise Vacuous(f"the witness gives {name} the value {said(given)}: not a number")
        return found

    def entry(self, sort: str, given: Any, name: str) -> Any:
        """Return a value of a sort."""
        if sort == "R":
            return self.number(given, name)
        if sort == "Z":
            found = self.number(given, name)
            if isinstance(found, Real) or Fraction(found).denominator != 1:
                raise Vacuous(f"the witness gives the integer {name} the value {said(given)}")
            return int(found)
        if sort == "P":
            return bool(given)
        if sort == "U":
            if type(given) is not int or given < 1:
                raise Vacuous(
                    f"the witness gives {name} the value {said(given)}: points are 1, 2, …"
                )
            return given
        if not _is_list(given):
            kind = "vector" if sort == "V" else "matrix"
            raise Vacuous(f"the witness gives {name} the value {said(given)}, but it is a {kind}")
        return self.vector(given, name) if sort == "V" else self.matrix(sort, given, name)

    def vector(self, given: Any, name: str) -> Any:
        """Return a vector, of the same length as all others."""
        out = tuple(self.number(x, name) for x in given)
        if self.dimension not in (None, len(out)):
            raise Vacuous(f"the witness mixes vectors of length {self.dimension} and {len(out)}")
        self.dimension = len(out)
        return out

    def matrix(self, sort: str, given: Any, name: str) -> Any:
        """Return the rows of a matrix, whose sizes agree with those of the others."""
        rows = [row if _is_list(row) else [row] for row in given]
        out = tuple(tuple(self.number(x, name) for x in row) for row in rows)
        widths = {len(row) for row in out}
        if len(widths) != 1:
            raise Vacuous(f"the rows of {name} in the witness are not of one length")
        for size, length in zip(sizes(sort), (len(out), widths.pop()), strict=True):
            self.side(size, length, name)
        return out

    def side(self, size: str, length: int, name: str) -> None:
        """Give a number of rows or columns its value, the same wherever it stands."""
        known = int(size) if size.isdigit() else self.model.sizes.setdefault(size, length)
        if known != length:
            raise Vacuous(f"the witness gives {name} a side {length}, but {size} is {known}")

    def assign(self, v: Variable, given: Any) -> None:
        """Give a variable its value."""
        name, sort, sorts = v
        if isinstance(given, Lambda) or (callable(given) and not isinstance(given, Expr)):
            self.model.values[v] = _as_function(v, given)
            return
        table: dict[Any, Any] = {}
        for at, inner in _entries(name, given, sum(s in ("Z", "U") for s in sorts)):
            if sorts[-1:] == ("W",):
                self.random.append((v, at, self.distribution(v, at, inner)))
            else:
                table[at] = self.entry(sort, inner, cell_name(v, at))
        if sorts:
            self.model.values[v] = table
        else:
            self.model.values[v] = table[()]

    def distribution(self, v: Variable, at: Any, given: Any) -> list[tuple[Any, Fraction]]:
        """Return the values of a random variable with their probabilities."""
        name = cell_name((*v[:2], v[2][:-1]), at)
        pairs = list(given) if _is_list(given) else []
        if not pairs or not all(_is_list(p) and len(list(p)) == 2 for p in pairs):
            raise Vacuous(
                f"the witness of a random term is a list of (value, probability); {name} has "
                f"{said(given)}"
            )
        weights = [self.number(p, name) for _, p in pairs]
        if any(isinstance(p, Real) or p < 0 for p in weights) or sum(weights) != 1:
            raise Vacuous(f"the probabilities in the witness of {name} are not those of a law")
        outcomes = [self.entry(v[1], x, name) for x, _ in pairs]
        return list(zip(outcomes, map(Fraction, weights), strict=True))

    def finish(self) -> Model:
        """Return the model, on the product of the spaces of all random variables."""
        model = self.model
        model.dimension = self.dimension or 2
        if math.prod(len(law) for *_, law in self.random) > MOST_OUTCOMES:
            raise Vacuous(f"the witness has more than {MOST_OUTCOMES} joint outcomes")
        joint = list(product(*(law for *_, law in self.random)))
        model.weights = tuple(math.prod((p for _, p in o), start=Fraction(1)) for o in joint)
        for k, (v, at, _) in enumerate(self.random):
            table = model.values.setdefault(v, {})
            table.update({(*at, w): outcome[k][0] for w, outcome in enumerate(joint)})
        for size, length in model.sizes.items():
            if model.values.get((size, "Z", ()), length) != length:
                n = model.values[size, "Z", ()]
                raise Vacuous(f"the witness has {size} = {n}, but a matrix with a side {length}")
        return model


def _is_list(x: Any) -> bool:
    """Whether a value lists others."""
    return isinstance(x, Iterable) and not isinstance(x, (str, Mapping))


def _entries(name: str, given: Any, depth: int) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the members of a family given as nested lists (from index 1) or as a dict."""
    if depth == 0:
        yield (), given
        return
    if isinstance(given, Mapping):
        pairs = [(at if isinstance(at, tuple) else (at,), x) for at, x in given.items()]
    elif _is_list(given):
        pairs = [((k,), x) for k, x in enumerate(given, start=1)]
    else:
        raise Vacuous(f"the witness gives the family {name} the single value {said(given)}")
    for at, x in pairs:
        if len(at) > depth or not all(type(k) is int for k in at):
            raise Vacuous(f"the witness gives {name} a value at {at}: {depth} indices are expected")
        for more, inner in _entries(name, x, depth - len(at)):
            yield (*at, *more), inner


def formulas_of(witness: Mapping[Any, Any]) -> dict[Variable, Term]:
    """Return the formulas of the functions, and of the families with one index, in a witness."""
    found = {k: f for k, f in witness.items() if callable(f)}
    known = {variable_of(k): f for k, f in found.items() if isinstance(k, Function)}
    known |= {(k.name, k.sort, ("Z",)): f for k, f in found.items() if isinstance(k, Family)}
    return {v: _body(v, f) for v, f in known.items()}


def _as_function(v: Variable, given: Any) -> Callable[..., Any]:
    """Return a formula, or a Python function that makes one, as a function of values."""
    read, empty = reading(_body(v, given)), Model()
    return lambda *at: read(at, empty)


def _body(v: Variable, given: Any) -> Term:
    """Return a formula, or what a Python function makes, with arguments as loose indices."""
    name, sort, sorts = v
    if isinstance(given, Lambda):
        slots, body = given.variables, given.body
    else:
        slots = tuple(Expr(variable(f"#{k}", s)) for k, s in enumerate(sorts))
        body = term_of(given(*slots))
    t = body.term
    # Zero is a vector too, and a whole number an integer.
    if (sort == "V" and t is number(0)) or (sort == "Z" and t.op == "q" and t.data[1] == 1):
        t = in_sort(sort, body)
    # The first argument is bound last, so that it comes first among the bound variables.
    for slot in reversed(slots):
        t = close(t, slot.term)
    if len(slots) != len(sorts) or t.free or (t.sort, sort) not in {(sort, sort), ("Z", "R")}:
        raise Vacuous(f"the witness of {name} is not a function of {len(sorts)} arguments alone")
    return build("of", (), [t]) if t.sort != sort else t


def _mentioned(symbols: Iterable[Any]) -> set[Variable]:
    """Return the variables among symbols, statements and terms."""
    out: set[Variable] = set()
    for s in symbols:
        if isinstance(s, (Written, Term)):
            out |= term(s).free
        elif isinstance(s, Function):
            out.add(variable_of(s))
        elif isinstance(s, tuple):
            out.add(s)
    return out


def _targets(key: Any, given: Any, mentioned: set[Variable]) -> list[Variable]:
    """Return the variables for which a key of a witness stands."""
    if isinstance(key, Expr) and key.term.op == "v":
        t = key.term
        return [(t.data[0], t.data[1], tuple(a.sort for a in t.args))]
    if isinstance(key, Function):
        return [variable_of(key)]
    if isinstance(key, Family):
        more = ("W",) if key.random else ()
        fits = [
            v for v in sorted(mentioned)
            if v[:2] == (key.name, key.sort) and v[2] and v[2] == ("Z",) * v[2].count("Z") + more
        ]  # fmt: skip
        return fits or [(key.name, key.sort, ("Z",) * _depth(key, given) + more)]
    fits = [v for v in sorted(mentioned) if v[0] == key]
    if not fits and not isinstance(key, str):
        raise Vacuous(f"the witness gives a value to {key!r}, which is not a symbol")
    return fits


def _depth(family: Family, given: Any) -> int:
    """Return how many indices the members of a family have that nothing mentions."""
    if isinstance(given, Mapping):
        return max((len(k) if isinstance(k, tuple) else 1 for k in given), default=1)
    deep, inner = 0, given
    while _is_list(inner) and inner:
        deep, inner = deep + 1, next(iter(inner))
    return max(deep - (2 if family.random else family.sort == "V"), 1)


def witness_model(witness: Mapping[Any, Any], symbols: Iterable[Any] = ()) -> Model:
    """Return the model that a witness describes; refuse what is not exact or does not fit.

    Parameters
    ----------
    witness : mapping
        Values by symbol, family, function or name. Random variables are independent.
    symbols : iterable
        What is going to be evaluated: terms, statements or variables.
    """
    mentioned = _mentioned(symbols)
    reader = _Reader()
    for key, given in witness.items():
        if isinstance(key, Expr) and key.term.op == "dim":
            reader.side(key.term.data[0], reader.entry("Z", given, key.term.data[0]), "the witness")
            continue
        for v in _targets(key, given, mentioned):
            reader.assign(v, given)
    return reader.finish()


def with_eigenvectors(witness: Mapping[Any, Any], assumed: Iterable[Term]) -> dict[Any, Any]:
    """Return a witness with eigenvectors of what is a diagonal matrix there, if it names none."""
    out = dict(witness)
    for basis in (BASES[p] for p in assumed if p in BASES):
        if basis.values in out or basis.vectors in out:
            continue
        with contextlib.suppress(NoValue, Undecided):
            found = out.get(basis.matrix)
            if found is None:
                found = value(basis.matrix.term, witness_model(out, [basis.matrix]))
            out |= basis.example(found)
    return out


def with_extremes(witness: Mapping[Any, Any], assumed: Iterable[Term]) -> dict[Any, Any]:
    """Return a witness with indices at which numbers are largest or smallest there."""
    out = dict(witness)
    for extremum in (EXTREMA[p] for p in assumed if p in EXTREMA):
        if extremum.index not in out:
            model = witness_model(out, [extremum.low, extremum.high, extremum.body])
            with contextlib.suppress(NoValue, Undecided, ValueError):
                out[extremum.index] = extremum.example(partial(value, model=model))
    return out


def zeros_of(assumed: Iterable[Term]) -> dict[Any, Any]:
    """Return families of zeros for those of which only the largest or smallest is spoken of."""
    found = [EXTREMA[p] for p in assumed if p in EXTREMA]
    names = {v[0] for e in found for v in e.body.free if v[1] == "R" and set(v[2]) == {"Z"}}
    return {name: lambda *_: 0 for name in names}


def check_extremes(title: str, assumed: Iterable[Term]) -> None:
    """Refuse one index for two maxima, which need not be at one place."""
    seen: dict[Term, Extremum] = {}
    for extremum in (EXTREMA[p] for p in assumed if p in EXTREMA):
        at = extremum.index.term
        if seen.setdefault(at, extremum).says() is not extremum.says():
            raise IllTyped(f"“{title}” has two extrema at {at.data[0]}: name one of them otherwise")


def equations_at(model: Model) -> list[Term]:
    """Return what is true in a model of its numbers and of the inner products of its vectors."""
    numbers: list[tuple[Term, Any]] = []
    vectors: list[tuple[Term, Any]] = []
    for v, found in sorted(model.values.items(), key=lambda item: item[0]):
        table = found if isinstance(found, dict) else {} if callable(found) else {(): found}
        for at, x in table.items():
            if v[1] not in ("R", "Z", "V") or any(s != "Z" for s in v[2]):
                continue
            member = variable(v[0], v[1], [make("z", (int(k),)) for k in at])
            (vectors if v[1] == "V" else numbers).append((member, x))
    out = []
    for t, x in numbers:
        if not isinstance(x, Real):
            out.append(make("=", (), [t, make("z", (x,)) if t.sort == "Z" else number(x)]))
    for k, (t, x) in enumerate(vectors):
        for u, y in vectors[: k + 1]:
            parts = [a * b for a, b in zip(x, y, strict=True)]
            if not any(isinstance(p, Real) for p in parts):
                out.append(make("=", (), [make("dot", (), [t, u]), number(sum(parts))]))
    return out


def check_signs(title: str, assumed: Iterable[Term]) -> None:
    """Raise Vacuous if symbols were declared with signs that no number has.

    Each declared sign bounds one symbol, or all members of one family, by a number; the size of a
    matrix is at least one.
    """
    bounds: dict[Variable, list[tuple[Fraction, bool, str]]] = {}
    for p in assumed:
        body = p
        while body.op == "all":
            body = body.args[0]
        denied = body.op == "->" and body.args[1].op == "F"
        relation = body.args[0] if denied else body
        if relation.op == "=" and [t.op for t in relation.args] == ["v", "dim"]:
            size: Variable = (relation.args[0].data[0], "Z", ())
            bounds.setdefault(size, []).append((Fraction(1), False, ">"))
        if relation.op not in ("<", "<=") and not denied:
            continue
        for symbol, limit, side in zip(relation.args, relation.args[::-1], "<>", strict=True):
            if symbol.op == "v" and limit.op in ("q", "z"):
                bound = Fraction(*limit.data)
                sign = "≠" if denied else side
                key = (symbol.data[0], symbol.data[1], tuple(a.sort for a in symbol.args))
                bounds.setdefault(key, []).append((bound, relation.op == "<", sign))
    for (name, _, _), declared in bounds.items():
        low = max(((v, strict) for v, strict, sign in declared if sign == ">"), default=None)
        high = min(((v, not strict) for v, strict, sign in declared if sign == "<"), default=None)
        if low is None or high is None:
            continue
        only = low[0] == high[0] and not low[1] and high[1]  # one number is left
        excluded = only and any(sign == "≠" and v == low[0] for v, _, sign in declared)
        if low[0] > high[0] or (low[0] == high[0] and not only) or excluded:
            raise Vacuous(f'"{title}" speaks of no number: the signs of {name} exclude each other')


def check_witness(
    title: str,
    hypotheses: Iterable[Any],
    model: Model,
    proved: Callable[[list[Term], Term], bool] = lambda equations, p: False,
) -> None:
    """Raise Vacuous unless all hypotheses certainly hold in a model.

    What speaks of all numbers or vectors is no finite matter: it has to be ``proved`` from what is
    true of the values in the model.
    """
    for h in hypotheses:
        p = term(h)
        try:
            held = reading(finite_law(p, model))((), model)
        except NoValue as missing:
            raise Vacuous(f'the witness of "{title}" gives no value for {missing}') from None
        except Undecided:
            held = None
        if held is None and proved(equations_at(model), p):
            continue
        if held is None:
            raise Vacuous(
                f'whether the witness of "{title}" satisfies {spelled(p)} cannot be decided: give '
                "values for which it can, such as fractions"
            )
        if not held:
            at = _sides(h, model)
            raise Vacuous(
                f'the witness of "{title}" does not satisfy {spelled(p)}'
                + (f": {at}" if at else "")
            )


# ---------------------------------------------------------------------- saying what fails


def spelled(p: Term | Written) -> str:
    """Return a term or statement as text."""
    from .rendering import plain

    return plain(p)


def said(given: Any) -> str:
    """Return what an author gave as a value, as text."""
    return spelled(given.term) if isinstance(given, Written) else repr(given)


def shown(x: Any) -> str:
    """Return a value as text a student can read."""
    if isinstance(x, tuple):
        return "(" + ", ".join(map(shown, x)) + ")"
    return show(x)


Failure = tuple[Term, tuple[Any, ...], list[str]]


def failing(p: Term, model: Model, env: tuple[Any, ...] = ()) -> Failure | None:
    """Return a relation inside a false statement that fails, its bound values, and these named."""
    if p.op in ("=", "<=", "<"):
        return (p, env, []) if _held(p, env, model) is False else None
    if p.op == "->":
        return failing(p.args[1], model, env) if _held(p.args[0], env, model) else None
    if p.op in ("&", "|"):
        found = (failing(a, model, env) for a in p.args)
        return next((f for f in found if f is not None), None)
    if p.op != "all" or p.data[0] not in ("Z", "W", "U"):
        return None
    for k in _instances(p, model, env):
        inner = failing(p.args[0], model, (k, *env))
        if inner is not None:
            letter = next(iter(called(p)), "index")
            name = {"W": f"outcome {k + 1}", "U": f"{letter} = point {k}"}.get(
                p.data[0], f"{letter} = {k}"
            )
            return (*inner[:2], [name, *inner[2]])
    return None


def _held(p: Term, env: tuple[Any, ...], model: Model) -> bool | None:
    """Whether a statement holds in a model; None where it is not decided."""
    try:
        found: bool | None = reading(p)(env, model)
    except (NoValue, Undecided):
        return None
    return found


def _instances(p: Term, model: Model, env: tuple[Any, ...]) -> Iterable[int]:
    """Return the indices or outcomes over which a quantifier runs."""
    if p.data[0] == "W":
        return range(len(model.weights))
    if p.data[0] == "U":
        return [k for k, _ in model.points()]
    low, high = limits(p.args[0])
    if low is None or high is None:
        tables = (model.known(v) for v in sorted(p.free))
        return sorted({k for table in tables for at in table for k in at if type(k) is int})
    return span(*(reading(t)((None, *env), model) for t in (low, high)))


def _sides(goal: Any, model: Model) -> str:
    """Return what the two sides of the relation that fails are."""
    found = failing(term(goal), model)
    if found is None:
        return ""
    p, env, names = found
    left, right = (shown(reading(a)(env, model)) for a in p.args)
    if isinstance(goal, Statement) and goal.shown in ("≥", ">"):
        left, right = right, left
    where = f"for {', '.join(names)} " if names else ""
    return f"{where}the left side is {left} and the right side is {right}"


def describe(goal: Any, hypotheses: Sequence[Any], model: Model) -> tuple[str, dict[str, str]]:
    """Return how a line fails in a model as sentences, and the value of every symbol."""
    values = readable(model, [goal, *hypotheses])
    listed = ", ".join(f"{name} = {text}" for name, text in values.items())
    out = f"this line is false: {spelled(goal)}"
    out += f"\nfor {listed}" if listed else ""
    sides = _sides(goal, model)
    out += f"\n{sides}" if sides else ""
    return out + (",\nwhile every hypothesis holds" if hypotheses else ""), values


def readable(model: Model, mentioning: Iterable[Any]) -> dict[str, str]:
    """Return the values of all symbols that terms mention, by name."""
    out: dict[str, str] = {}
    variables = sorted(set().union(*(term(t).free for t in mentioning)))
    for v in sorted(variables, key=lambda v: (bool(v[2]), v)):
        found = model.values.get(v)
        if isinstance(found, dict):
            for at in sorted(found):
                out[cell_name(v, at)] = shown(found[at])
        elif found is not None:
            out[v[0]] = getattr(found, "__doc__", None) or "a function" if v[2] else shown(found)
    if any("W" in v[2] for v in variables):
        out["probabilities"] = shown(model.weights)
    if any("U" in v[2] for v in variables):
        sizes = ("∞" if m is None else shown(m) for _, m in model.points())
        out["measures of the points"] = "(" + ", ".join(sizes) + ")"
    return out
