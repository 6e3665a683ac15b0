"""Looking for counterexamples: models in which all hypotheses hold and a line does not.

Values are drawn when they are first asked for. Hypotheses help: an equation with a symbol alone on
one side defines it (updates, normalisers), bounds and signs say from where to draw, y² = 1 leaves
two values. A hypothesis that fails is mended by solving for one of the numbers it depends on, or by
scaling them. Nothing of this is trusted: a model counts only after all hypotheses were found true,
and the line false, in exact arithmetic. The search draws from seeded generators alone.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.trusted.terms import Term, Variable, make, shift, sizes

from . import exact, quadratic
from .evaluate import Env, Model, NoValue, families, limits, reading, span
from .exact import Real, Undecided

TRIES = 100
ROUNDS = 2  # of mending
RATE = 200_000  # values looked up in a second, about: work is counted, as in a search for a proof
PATIENCE = 5  # seconds of the processor that a second's work may take on a busy machine
FACTORS = (Fraction(1, 2), Fraction(1, 10), 2, -1, 10)  # by which values are scaled
SLOTS = 6  # numbers that are tried in mending one relation
Cell = tuple[Variable, tuple[Any, ...]]
FAILURES = (NoValue, Undecided, RecursionError, OverflowError)


def _named(text: str, f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    f.__doc__ = text
    return f


FUNCTIONS: tuple[Callable[[Any], Any], ...] = (
    _named("s ↦ s²", lambda s: s * s),
    _named("s ↦ s", lambda s: s),
    _named("s ↦ 1 − s", lambda s: 1 - s),
    _named("s ↦ 2s + 1", lambda s: 2 * s + 1),
    _named("s ↦ exp s", lambda s: exact.exp(s)),
    _named("s ↦ s³ − s", lambda s: s * s * s - s),
    _named("s ↦ 1", lambda s: 1),
    _named("s ↦ −s²", lambda s: -(s * s)),
)


# ---------------------------------------------------------------------- what hypotheses tell


class Rule:
    """Something that a hypothesis says about the members of a family, or a symbol.

    ``terms`` are kernel terms under ``count`` binders, ``pattern`` the arguments of the symbol
    under the same binders, ``premises`` what has to hold for them.
    """

    __slots__ = ("count", "kind", "offsets", "pattern", "premises", "terms")

    def __init__(
        self, kind: str, atom: Term, terms: Sequence[Term], premises: Sequence[Term], count: int
    ) -> None:
        self.kind, self.count = kind, count
        self.pattern = [reading(a) for a in atom.args]
        self.offsets = [_offset(a) for a in atom.args]
        self.terms = [reading(t) for t in terms]
        self.premises = [reading(p) for p in premises]

    def binds(self) -> bool:
        """Say whether the arguments determine all bound variables."""
        return {o[0] for o in self.offsets if o is not None} == set(range(self.count))

    def match(self, at: tuple[Any, ...], model: Model) -> Env | None:
        """Return the bound variables for which the rule speaks about these arguments."""
        bound: list[Any] = [None] * self.count
        for offset, a in zip(self.offsets, at, strict=True):
            if offset is not None:
                bound[offset[0]] = a - offset[1]
        env = tuple(bound)
        for p, a in zip(self.pattern, at, strict=True):
            if p(env, model) != a:
                return None
        return env if all(p(env, model) is True for p in self.premises) else None


def _offset(t: Term) -> tuple[int, int] | None:
    """Return (k, c) if a term is the bound variable k plus a number c."""
    if t.op == "b":
        return t.data[0], 0
    if t.free or len(t.indices) != 1 or t.sort != "Z":
        return None
    (k,) = t.indices
    try:
        zero, one, two = (reading(t)((None,) * k + (x,), Model()) for x in (0, 1, 2))
    except (*FAILURES, TypeError, IndexError):
        return None
    return (k, zero) if one - zero == two - one == 1 else None


class Rules:
    """All that hypotheses say about how to draw values, by variable."""

    def __init__(self, hypotheses: Iterable[Term]) -> None:
        self.definitions: dict[Variable, list[Rule]] = {}
        self.bounds: dict[Variable, list[Rule]] = {}
        self.choices: dict[Variable, list[Rule]] = {}
        self.symmetric: set[Variable] = set()
        # Numbers that a random number has with a positive probability.
        self.attained: dict[Variable, Callable[..., Any]] = {}
        for h in hypotheses:
            self._read(h, [], 0)

    def _read(self, p: Term, premises: list[Term], count: int) -> None:
        """Read what a hypothesis says of each variable: =, ≤, < or one of several values."""
        if p.op == "all":
            self._read(p.args[0], [shift(q, 1) for q in premises], count + 1)
        elif p.op == "->":
            self._read(p.args[1], [*premises, p.args[0]], count)
        elif p.op == "&":
            for a in p.args:
                self._read(a, premises, count)
        elif p.op == "|":
            self._choice(p, premises, count)
        elif p.op == "=":
            self._equation(p, premises, count)
        elif p.op in ("<=", "<"):
            left, right = p.args
            if p.op == "<" and left is make("q", (0, 1)) and not count:
                self._possible(right)
            for atom, other, side in ((left, right, "above"), (right, left, "below")):
                atom = atom.args[0] if atom.op == "of" else atom
                if atom.op == "v":
                    kind = side if p.op == "<=" else f"strictly {side}"
                    self._add(self.bounds, Rule(kind, atom, [other], premises, count), atom)

    def _possible(self, chance: Term) -> None:
        """Note that X = a has a positive probability, so that a is a value of X."""
        if chance.op != "E" or chance.args[0].op != "ind" or chance.args[0].args[0].op != "=":
            return
        sides = chance.args[0].args[0].args
        for x, a in (sides, sides[::-1]):
            if a.op == "v" and a.sort == "R" and not a.args and 0 in x.indices:
                self.attained[_variable(a)] = reading(x)

    def _add(self, where: dict[Variable, list[Rule]], rule: Rule, atom: Term) -> None:
        """Add a rule to those of its variable, if it binds it."""
        if rule.binds():
            where.setdefault(_variable(atom), []).append(rule)

    def _equation(self, p: Term, premises: list[Term], count: int) -> None:
        """Read v = t, v² = 1 as v = ±1, Aᵀ = A as symmetry, and AB = I as B = A⁻¹."""
        left, right = p.args
        for atom, other in ((left, right), (right, left)):
            if atom.op == "v":
                self._add(self.definitions, Rule("is", atom, [other], premises, count), atom)
                return
            if atom.op == "pow" and atom.data == (2,) and atom.args[0].op == "v":
                one = make("q", (1, 1))
                if other is one:
                    terms = [one, make("q", (-1, 1))]
                    rule = Rule("one of", atom.args[0], terms, premises, count)
                    self._add(self.choices, rule, atom.args[0])
            if atom.op == "T" and atom.args[0] is other and other.op == "v":
                self.symmetric.add(_variable(other))
            if atom.op == "mm" and len(atom.args) == 2 and other.op == "I":
                a, b = atom.args
                if b.op == "v" and sizes(a.sort)[0] == sizes(a.sort)[1]:
                    rule = Rule("is", b, [make("minv", (), [a])], premises, count)
                    self._add(self.definitions, rule, b)

    def _choice(self, p: Term, premises: list[Term], count: int) -> None:
        """Note that a symbol has one of several values: Or(Eq(y, 1), Eq(y, -1))."""
        parts, pending = [], [p]
        while pending:
            q = pending.pop()
            if q.op == "|":
                pending += q.args
            else:
                parts.append(q)
        if all(q.op == "=" and q.args[0] is parts[0].args[0] for q in parts):
            atom = parts[0].args[0]
            if atom.op == "v":
                terms = [q.args[1] for q in reversed(parts)]
                self._add(self.choices, Rule("one of", atom, terms, premises, count), atom)


def _variable(t: Term) -> Variable:
    """Return the name, the sort and the sorts of the arguments of a symbol."""
    return (t.data[0], t.data[1], tuple(a.sort for a in t.args))


# ---------------------------------------------------------------------- drawing


class Draft(Model):
    """A model under construction, which draws a value when one is first asked for."""

    def __init__(self, rules: Rules, seed: int, start: Model | None) -> None:
        self.random = random.Random(seed)
        super().__init__(dimension=1 + seed % 3)
        self.rules, self.simple = rules, seed < 10
        self.derived: dict[Cell, Any] = {}
        self.busy: set[Cell] = set()
        self.read: set[Cell] | None = None
        if start is None:
            raw = [self.random.randint(1, 3) for _ in range(self.random.randint(1, 3))]
            self.weights = tuple(Fraction(w, sum(raw)) for w in raw)
            # Of a generator of their own: most statements are about no points.
            masses = random.Random(-1 - seed)
            self.masses = tuple(_mass(k, masses) for k in range(masses.randint(1, 3)))
        else:
            copies = {v: dict(t) if isinstance(t, dict) else t for v, t in start.values.items()}
            self.values, self.dimension = copies, start.dimension
            self.sizes, self.weights = dict(start.sizes), start.weights
            self.masses = tuple(m for _, m in start.points())

    def perturb(self, rate: float) -> None:
        """Forget some of the values, so that they are drawn anew."""
        for v in sorted(self.values):
            found = self.values[v]
            # Sizes of matrices and lengths of ranges hang together: they seldom change.
            if isinstance(found, dict):
                for at in sorted(found):
                    if self.random.random() < rate:
                        del found[at]
                continue
            fixed = sizes(v[1]) or callable(found) or (v[1] == "Z" and self.sizes)
            if not fixed and self.random.random() < (rate / 3 if v[1] == "Z" else rate):
                del self.values[v]

    def scale(self) -> None:
        """Multiply some symbols and families by one number, which shows a wrong power."""
        c = self.random.choice(FACTORS)
        for v in sorted(self.values):
            found = self.values[v]
            if v[1] in ("R", "V") and not callable(found) and self.random.random() < 0.4:
                if isinstance(found, dict):
                    self.values[v] = {at: _times(c, x) for at, x in found.items()}
                else:
                    self.values[v] = _times(c, found)

    def look_up(self, variable: Variable, at: tuple[Any, ...]) -> Any:
        """Return the value of a cell: defined, known, or drawn."""
        exact.effort.done += 1
        cell = (variable, at)
        if cell in self.derived:
            return self.derived[cell]
        if cell not in self.busy:
            rules = self.rules.definitions.get(variable, ())
            for rule in rules:
                self.busy.add(cell)
                try:
                    env = rule.match(at, self)
                    if env is not None:
                        found = self.derived[cell] = rule.terms[0](env, self)
                        return found
                finally:
                    self.busy.discard(cell)
        if self.read is not None:
            self.read.add(cell)
        return self._base(variable, at)

    def _base(self, variable: Variable, at: tuple[Any, ...]) -> Any:
        if any(s not in ("Z", "W", "U") for s in variable[2]):
            f = self.values.get(variable)
            if f is None:
                if variable[1] != "R" or variable[2] != ("R",):
                    raise NoValue(variable[0])
                f = self.values[variable] = self.random.choice(FUNCTIONS)
            return f(*at)
        table = self.values.setdefault(variable, {}) if variable[2] else self.values
        key: Any = at if variable[2] else variable
        if callable(table):
            return table(*at)
        if key not in table:
            new = self._draw(variable, at)
            table.setdefault(key, new)
        return table[key]

    def known(self, variable: Variable) -> Iterable[tuple[Any, ...]]:
        """Return the arguments at which a family has values already."""
        table = self.values.get(variable)
        base = set(table) if isinstance(table, dict) else set()
        return sorted(base | {at for v, at in self.derived if v == variable})

    # Drawing one value.

    def _draw(self, variable: Variable, at: tuple[Any, ...]) -> Any:
        sort = variable[1]
        if sort == "V":
            return tuple(self._number() for _ in range(self.dimension))
        if sort == "P":
            return self.random.random() < 0.5
        if sort == "U":
            return self.random.choice(self.points())[0]
        if sizes(sort):
            return self._matrix(variable)
        cell = (variable, at)
        if cell in self.busy:
            return self.random.randint(1, 3) if sort == "Z" else self._number()
        self.busy.add(cell)
        try:
            for rule in self.rules.choices.get(variable, ()):
                env = rule.match(at, self)
                if env is not None:
                    return self.random.choice(rule.terms)(env, self)
            if variable in self.rules.attained:
                outcome = self.random.randrange(len(self.weights))
                return self.rules.attained[variable]((outcome,), self)
            low, high, open_low, open_high = self.range_of(cell)
        finally:
            self.busy.discard(cell)
        if sort == "Z":
            return self._integer(low, high, open_low, open_high)
        return self._between(low, high, open_low, open_high)

    def range_of(self, cell: Cell) -> tuple[Any, Any, bool, bool]:
        """Return the bounds that hypotheses put on a number, and whether they are strict."""
        low = high = None
        open_low = open_high = False
        for rule in self.rules.bounds.get(cell[0], ()):
            env = rule.match(cell[1], self)
            if env is None:
                continue
            end = _rational(rule.terms[0](env, self), up=rule.kind.endswith("below"))
            strict = rule.kind.startswith("strictly")
            if rule.kind.endswith("below"):
                if low is None or end > low or (end == low and strict):
                    low, open_low = end, strict
            elif high is None or end < high or (end == high and strict):
                high, open_high = end, strict
        return low, high, open_low, open_high

    def _integer(self, low: Any, high: Any, open_low: bool, open_high: bool) -> int:
        """Draw an integer of an interval, near its lower end."""
        first = 1 if low is None else math.floor(low) + 1 if open_low else math.ceil(low)
        if high is None:
            return first + self.random.randrange(3)
        last = math.ceil(high) - 1 if open_high else math.floor(high)
        if low is None:
            first = min(first, last)
        return self.random.randint(max(first, last - 3), last) if first <= last else first

    def _between(self, low: Any, high: Any, open_low: bool, open_high: bool) -> Any:
        """Draw a number of an interval, ends included where they may be."""
        if low is None and high is None:
            return self._number()
        if low is not None and high is not None:
            if low >= high:
                return low
            n = self.random.choice((2, 3, 4, 10))
            k = self.random.randint(int(open_low), n - int(open_high))
            return _tidy(low + (high - low) * Fraction(k, n))
        step = abs(self._number())
        if step == 0 and (open_low or open_high):
            step = self.random.choice((1, Fraction(1, 2), 2, Fraction(1, 10)))
        return _tidy(low + step if high is None else high - step)

    def _number(self) -> Any:
        """Draw a small fraction."""
        style = 0 if self.simple else self.random.randrange(3)
        if style == 0:
            return self.random.randint(-3, 3)
        if style == 1:
            return _tidy(Fraction(self.random.randint(-9, 9), self.random.randint(1, 5)))
        return _tidy(Fraction(self.random.randint(-30, 30), self.random.choice((1, 2, 10))))

    def _matrix(self, variable: Variable) -> Any:
        """Draw a matrix, with Aᵢⱼ = Aⱼᵢ where it is symmetric."""
        rows, columns = (self.size(s) for s in sizes(variable[1]))
        out = [[self._number() for _ in range(columns)] for _ in range(rows)]
        if variable in self.rules.symmetric:
            out = [[out[min(i, j)][max(i, j)] for j in range(columns)] for i in range(rows)]
        return tuple(map(tuple, out))

    # Changing values.

    def get(self, cell: Cell, part: int | None) -> Any:
        """Return a number, or a coordinate of a vector."""
        variable, at = cell
        found = self.values[variable][at] if variable[2] else self.values[variable]
        return found if part is None else found[part]

    def put(self, cell: Cell, part: int | None, new: Any) -> None:
        """Set a number, or a coordinate of a vector."""
        variable, at = cell
        if part is not None:
            old = self.get(cell, None)
            new = (*old[:part], new, *old[part + 1 :])
        if variable[2]:
            self.values[variable][at] = new
        else:
            self.values[variable] = new
        self.derived.clear()

    def allowed(self, cell: Cell) -> bool:
        """Say whether the number in a cell respects its bounds and choices."""
        x = self.get(cell, None)
        if cell[0][1] != "R" or isinstance(x, Real):
            return True
        for rule in self.rules.choices.get(cell[0], ()):
            env = rule.match(cell[1], self)
            if env is not None and x not in [t(env, self) for t in rule.terms]:
                return False
        low, high, open_low, open_high = self.range_of(cell)
        if low is not None and (x < low or (open_low and x == low)):
            return False
        return not (high is not None and (x > high or (open_high and x == high)))

    def frozen(self) -> Model:
        """Return the values as a model that draws nothing more."""
        values = {v: dict(t) if isinstance(t, dict) else t for v, t in self.values.items()}
        for (v, at), x in self.derived.items():
            if not v[2]:
                values[v] = x
            elif isinstance(values.get(v), dict):
                values[v][at] = x
            else:
                values[v] = {at: x}
        return Model(values, self.dimension, self.sizes, self.weights, self.masses)


def _mass(k: int, generator: random.Random) -> Fraction | None:
    """Draw the measure of a point, which may be infinite, not of the first one."""
    if k and generator.random() < 0.4:
        return None
    return generator.choice((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(2)))


def _times(c: Any, x: Any) -> Any:
    """Return c·x of a number or a vector."""
    return tuple(_tidy(c * y) for y in x) if isinstance(x, tuple) else _tidy(c * x)


def _tidy(q: Any) -> Any:
    """Return a whole fraction as an int, which is faster to reckon with."""
    return q.numerator if isinstance(q, Fraction) and q.denominator == 1 else q


def _rational(x: Any, up: bool) -> Any:
    """Return a fraction near a number, on the side that is safe for a bound."""
    if not isinstance(x, Real):
        return x
    low, high = exact.enclose(x, 16)
    return Fraction(high if up else low, 1 << 16)


# ---------------------------------------------------------------------- mending


Broken = tuple[Term, Env, bool]


def broken(p: Term, env: Env, model: Draft) -> Iterator[Broken]:
    """Yield relations that should hold but do not, or (with True) that should fail but hold."""
    if p.op in ("=", "<=", "<"):
        if reading(p)(env, model) is False:
            yield p, env, False
    elif p.op == "->":
        premise, conclusion = p.args
        if reading(premise)(env, model) is True:
            if conclusion.op == "F" and premise.op in ("=", "<=", "<"):
                yield premise, env, True
            else:
                yield from broken(conclusion, env, model)
    elif p.op == "&":
        for a in p.args:
            yield from broken(a, env, model)
    elif p.op == "|":
        if reading(p)(env, model) is False:
            yield from broken(p.args[model.random.randrange(2)], env, model)
    elif p.op == "all":
        for k in _indices(p, env, model):
            yield from broken(p.args[0], (k, *env), model)


def _indices(p: Term, env: Env, model: Model) -> Iterable[int]:
    """Return the indices or outcomes that a quantifier speaks about."""
    if p.data[0] == "W":
        return range(len(model.weights))
    if p.data[0] == "U":
        return [k for k, _ in model.points()]
    if p.data[0] != "Z":
        return ()
    low, high = limits(p.args[0])
    if low is not None and high is not None:
        return span(*(reading(t)((None, *env), model) for t in (low, high)))
    return sorted({at[k] for v, k in families(p.args[0])[0] for at in model.known(v)})


def _flat(x: Any) -> list[Any]:
    """Return the numbers of a vector or a matrix."""
    return [y for part in x for y in _flat(part)] if isinstance(x, tuple) else [x]


class Mender:
    """Changes single numbers of a model until a relation holds."""

    def __init__(self, model: Draft) -> None:
        self.model = model
        self.pinned: set[tuple[Cell, int | None]] = set()

    def gaps(self, p: Term, env: Env) -> list[Any]:
        """Return left side minus right side, by coordinate."""
        left, right = (_flat(reading(a)(env, self.model)) for a in p.args)
        return [a - b for a, b in zip(left, right, strict=True)]

    def mend(self, p: Term, env: Env, negated: bool) -> bool:
        """Try to make a relation hold (or fail), and say whether it does."""
        model = self.model
        model.derived.clear()
        model.read = set()
        try:
            start = self.gaps(p, env)
        finally:
            cells, model.read = sorted(model.read), None
        if p.op == "=" and not negated and self._scale(p, env, cells):
            return True
        slots = [slot for cell in cells for slot in self._slots(cell)]
        for part, gap in enumerate(start):
            if p.op != "=" or exact.sign(gap) != 0 or negated:
                self._solve(p, env, negated, part, slots)
        return reading(p)(env, model) is not negated

    def _slots(self, cell: Cell) -> list[tuple[Cell, int | None]]:
        (_, sort, sorts), _ = cell
        if sort not in ("R", "V") or "R" in sorts or callable(self.model.values.get(cell[0])):
            return []
        parts: Iterable[int | None] = range(self.model.dimension) if sort == "V" else (None,)
        return [(cell, k) for k in parts]

    def _scale(self, p: Term, env: Env, cells: list[Cell]) -> bool:
        """Scale the numbers that a sum depends on, as weights are normalised."""
        if p.args[0].sort != "R" or "sum" not in (p.args[0].op, p.args[1].op):
            return False
        cells = [c for c in cells if c[0][1] == "R" and self._slots(c)]
        left, right = (reading(a)(env, self.model) for a in p.args)
        if p.args[0].op != "sum":
            left, right = right, left
        if any(isinstance(x, Real) or x == 0 for x in (left, right)):
            return False
        old = [self.model.get(c, None) for c in cells]
        if any((c, None) in self.pinned for c in cells) or any(isinstance(x, Real) for x in old):
            return False
        for c, x in zip(cells, old, strict=True):
            self.model.put(c, None, _tidy(x * Fraction(right) / left))
        if reading(p)(env, self.model) is True and all(map(self.model.allowed, cells)):
            return True
        for c, x in zip(cells, old, strict=True):
            self.model.put(c, None, x)
        return False

    def _solve(
        self, p: Term, env: Env, negated: bool, part: int, slots: list[tuple[Cell, int | None]]
    ) -> None:
        """Solve for one number, reading the gap as a polynomial of degree two in it."""
        model = self.model
        free = [s for s in slots if s not in self.pinned]
        model.random.shuffle(free)
        if model.random.random() < 0.5:
            # A symbol without indices is a bound or a rate more often than not: move that.
            free.sort(key=lambda slot: len(slot[0][1]) + (slot[1] is not None))
        for cell, k in free[:SLOTS]:
            old = model.get(cell, k)
            if isinstance(old, Real):
                continue
            gaps = []
            for step in range(3):
                model.put(cell, k, old + step)
                gaps.append(self.gaps(p, env)[part])
            new = self._root(p, negated, old, gaps)
            if new is not None:
                model.put(cell, k, new)
                if self._settled(p, env, negated, part) and model.allowed(cell):
                    if p.op == "=" and not negated:
                        self.pinned.add((cell, k))
                    return
            model.put(cell, k, old)

    def _settled(self, p: Term, env: Env, negated: bool, part: int) -> bool:
        """Whether a statement, or its negation, holds; of an equation of vectors one entry."""
        if p.op == "=" and not negated:
            return exact.sign(self.gaps(p, env)[part]) == 0
        return reading(p)(env, self.model) is (not negated)

    def _root(self, p: Term, negated: bool, old: Any, gaps: list[Any]) -> Any:
        r = self.model.random
        equation = p.op == "=" and not negated
        if any(isinstance(g, Real) for g in gaps):
            return None if equation else self.model._number()
        target: Any = 0
        if not equation:
            strict = p.op == "<" or negated
            slack = r.randint(1, 4) if strict or r.random() < 0.5 else 0
            target = -slack if not negated or p.op == "=" else slack
            if not self.model.simple:
                target = Fraction(target, 4)
        start, slope, bend = gaps[0], gaps[1] - gaps[0], gaps[2] - 2 * gaps[1] + gaps[0]
        # start + (slope - bend/2) t + (bend/2) t² = target
        a, b, c = Fraction(bend) / 2, slope - Fraction(bend) / 2, start - target
        if a == 0:
            return _tidy(old - c / b) if b else None
        square = b * b - 4 * a * c
        if square < 0:
            return None
        root = exact.sqrt(square)
        if isinstance(root, Real):
            return None
        return _tidy(old + (-b + r.choice((root, -root))) / (2 * a))


# ---------------------------------------------------------------------- searching


def _hopeless(p: Term) -> bool:
    """Say whether a statement can never be seen to be true: it speaks of all numbers."""
    if p.op == "all":
        (body,) = p.args
        if p.data[0] in ("Z", "W", "U") or 0 not in body.indices:
            return _hopeless(body)
        return quadratic.relation(body) is None
    if p.op == "->":
        return _hopeless(p.args[1])
    return p.op == "deriv" or (p.op == "&" and any(map(_hopeless, p.args)))


def _attempt(model: Draft, hypotheses: Sequence[Term], goal: Term) -> bool:
    """Say whether, perhaps after mending, the goal fails and no hypothesis is seen to."""
    reading(goal)((), model)
    mender = Mender(model)
    for _ in range(ROUNDS):
        held = [reading(h)((), model) for h in hypotheses]
        if False not in held:
            break
        for h, found in zip(hypotheses, held, strict=True):
            if found is False:
                for p, env, negated in list(broken(h, (), model)):
                    if reading(p)(env, model) is negated and not mender.mend(p, env, negated):
                        return False
    return reading(goal)((), model) is False


def _confirmed(model: Model, hypotheses: Sequence[Term], goal: Term) -> Model | None:
    """Return the model if the hypotheses are true in it and the goal is false."""
    if reading(goal)((), model) is not False:
        return None
    return model if all(reading(h)((), model) is True for h in hypotheses) else None


def counterexample(
    hypotheses: Iterable[Any],
    goal: Any,
    model: Model | None = None,
    tries: int = TRIES,
    seconds: float = 2.0,
) -> Model | None:
    """Return a model in which all hypotheses are true and the goal is false, or None.

    Parameters
    ----------
    hypotheses : iterable of terms or statements
        What has to hold.
    goal : term or statement
        What has to fail.
    model : Model, optional
        A model of the hypotheses, at which and around which to look too.
    tries : int
        How many models to look at.
    seconds : float
        How much work to spend, in seconds of a usual processor.
    """
    given = [getattr(h, "term", h) for h in hypotheses]
    wanted = getattr(goal, "term", goal)
    if any(map(_hopeless, given)):
        return None
    rules = Rules(given)
    end = exact.effort.done + int(seconds * RATE)
    # Numbers may become so long that a few steps take for ever.
    latest = time.process_time() + PATIENCE * seconds
    for seed in range(tries):
        if exact.effort.done > end or time.process_time() > latest:
            return None
        near = model is not None and seed % 2 == 0
        draft = Draft(rules, seed, model if near else None)
        if near and seed % 3 == 2:
            draft.scale()
        elif near and seed:
            draft.perturb(0.7 if seed % 4 == 0 else 0.25)
        try:
            with exact.effort.haste():
                promising = _attempt(draft, given, wanted)
            found = _confirmed(draft.frozen(), given, wanted) if promising else None
        except FAILURES:
            continue
        if found is not None:
            return found
    return None
