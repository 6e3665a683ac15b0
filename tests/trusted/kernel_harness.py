"""The harness: normal form, axioms and rules of a kernel against random models.

It takes any kernel with the text of ours, so that copies with a planted mistake can be tried too:
``python tests/trusted/kernel_harness.py FOLDER SECONDS`` hunts in the package that lies in FOLDER
and says what it found.
"""

from __future__ import annotations

import importlib
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

from kernel_attacks import EQUAL, FALSE, TRUE, VARIABLES
from kernel_models import Model, Unknown, add, inverse, multiply, scale, sort_of
from kernel_nonsense import NONSENSE, disturbed
from kernel_terms import PLAIN, SORTS, Terms

Theorem = tuple[frozenset[Any], Any]
WORK = 300_000  # fuel for one request: more would only be slow


class Found(AssertionError):
    """The kernel was seen to be wrong."""


class Kernel:
    """The modules of a kernel."""

    def __init__(self, package: str = "mlnotes.trusted") -> None:
        names = ("terms", "normal", "rules", "certificates")
        self.terms, self.normal, self.rules, self.certificates = (
            importlib.import_module(f"{package}.{name}") for name in names
        )
        self.Refused = self.terms.Refused

    def refuel(self) -> None:
        self.terms.fuel.left = WORK

    def read(self, text: str, variables: Mapping[str, Any]) -> Any:
        self.refuel()
        return self.certificates.read(text, variables)

    def check(self, certificates: Any) -> Any:
        return self.certificates.check(certificates, library=False)


def refuted(theorem: Theorem, rng: random.Random, tries: int, counts: Any = None) -> bool:
    """Say whether a model makes the hypotheses of a theorem true and its conclusion false."""
    hypotheses, conclusion = theorem
    for _ in range(tries):
        m = Model(rng)
        for h in sorted(hypotheses, key=str):
            _satisfy(m, h)
        if all(m.truth(h) is True for h in hypotheses):
            verdict = m.truth(conclusion)
            if counts is not None and verdict is not None:
                counts["models"] += 1
            if verdict is False:
                return True
    return False


def _satisfy(m: Model, h: Any) -> None:
    """Make an equation or inequality true, if one side is a plain variable."""
    if h.op not in ("=", "<=", "<"):
        return
    for side in (0, 1):
        v = h.args[side]
        if v.op == "v" and not v.args:
            try:
                value = m.value(h.args[1 - side])
            except Unknown:
                return
            if h.op != "=":
                value += (side - (1 - side)) * m.rng.randint(h.op == "<", 2)
            m.let(*v.data, value)
            return


def hunt_attacks(kernel: Kernel, rng: random.Random, counts: Counter[str]) -> None:
    """All known attacks and nonsense, once, and the normal forms of what is true beside them."""
    for name, build in FALSE.items():
        _must_refuse(kernel, name, build(kernel.read))
        counts["attacks"] += 1
    for name, make in NONSENSE.items():
        _must_refuse(kernel, name, [make()])
        counts["nonsense"] += 1
    for text in EQUAL.values():
        for side in kernel.read(text, VARIABLES).args:
            _compare(kernel, side, rng, counts)


def _must_refuse(kernel: Kernel, name: str, certificates: Any) -> None:
    try:
        kernel.check(certificates)
    except kernel.Refused:
        return
    except Exception as error:
        raise Found(f"{name}: {error!r}") from error
    raise Found(f"accepted: {name}")


def hunt_disturbed(kernel: Kernel, rng: random.Random, counts: Counter[str]) -> None:
    """Change a good certificate in one place: it is refused, or what it says is true."""
    build = rng.choice(list(TRUE.values()))
    good = build(kernel.read)
    changed = [*good[:-1], disturbed(good[-1], rng)]
    try:
        theorems = kernel.check(changed)
    except kernel.Refused:
        counts["disturbed and refused"] += 1
        return
    except Exception as error:
        raise Found(f"a disturbed certificate: {error!r}") from error
    counts["disturbed and accepted"] += 1
    for t in theorems.values():
        if refuted((frozenset(t.hypotheses), t.conclusion), rng, 8):
            raise Found(f"a disturbed certificate proves {t.hypotheses} ⊢ {t.conclusion}")


def hunt_normal(kernel: Kernel, rng: random.Random, counts: Counter[str]) -> None:
    """Compare the value of a random term with that of its normal form."""
    source = Terms(kernel.terms.make, rng)
    kernel.refuel()
    try:
        if rng.random() < 0.5:
            t = source.shape()
        else:
            t = source.term(rng.choice(SORTS), (), rng.randint(2, 4))
    except kernel.Refused:
        counts["terms refused"] += 1
        return
    except Exception as error:
        raise Found(f"a random term: {error!r}") from error
    _compare(kernel, t, rng, counts)


def _compare(kernel: Kernel, t: Any, rng: random.Random, counts: Counter[str]) -> None:
    """Compare the value of a term with that of its normal form in some models."""
    kernel.refuel()
    try:
        normal = kernel.normal.normal(t)
    except kernel.Refused:
        counts["terms refused"] += 1
        return
    except Exception as error:
        raise Found(f"normal form: {error!r}") from error
    counts["terms"] += 1
    if sort_of(normal) != sort_of(t) or normal.sort != t.sort or normal.loose:
        raise Found(f"normal form of another sort: {t} → {normal}")
    for _ in range(4):
        m = Model(rng)
        try:
            values = m.value(t), m.value(normal)
        except Unknown:
            continue
        if None in values:
            continue
        counts["values"] += 1
        if values[0] != values[1]:
            raise Found(f"normal form of another value: {t} → {normal}")


ARGUED = {"derivative_exp", "derivative_log", "derivative_sqrt"}
"""Axioms that no model in fractions reaches: they are tried with fifty digits."""


def premises(p: Any) -> Theorem:
    """Return an axiom as a theorem: what stands before its arrows as hypotheses."""
    hypotheses = set()
    while p.op == "->" and p.args[1].op != "F":
        hypotheses.add(p.args[0])
        p = p.args[1]
    return frozenset(hypotheses), p


SAMPLED = (
    *("induction", "derivative_monotone", "derivative_local", "derivative_near"),
    *("injective_inverse", "definite_determinant"),
)
"""Axioms about all values of a sort: their models are such that what is tried decides."""


def directed(name: str, rng: random.Random) -> Model:
    """Return a model in which the premises of an axiom are often true."""
    m = Model(rng, sampled=name in SAMPLED)
    often = rng.random() < 0.75
    if name.startswith("leibniz") and often:
        pairs = {"R": "xy", "Z": "ij", "V": "uv", "M": "AB"}
        sort = name[-1] if name[-1] != "M" else "M:m:n"
        value = m.draw(sort)
        for v in pairs[name[-1]]:
            m.let(v, sort, value)
    elif name == "square_definite" and often:
        m.let("u", "V", tuple(Fraction(0) for _ in m.lengths))
    elif name == "trace_definite" and often:
        zero = m.table(m.size("m"), m.size("n"), lambda i, j: Fraction(0))
        m.let("B", "M:m:n", zero)
    elif name == "injective_inverse":
        _injective(m)
    elif name == "definite_determinant":
        _definite(m, often)
    elif name in ("one_by_one", "determinant_rank_one"):
        m.dims["k"] = 1 if often else 2
    elif name == "derivative_matrix_inverse":
        x, a, b = m.real(), m.draw("M:n:n"), m.draw("M:n:n")
        m.let("x", "R", x)
        m.let("A", "M:n:n", a)
        m.let("B", "M:n:n", b)
        if often:
            there = add(a, scale(x, b)) if rng.random() < 0.8 else a
            m.let("C", "M:n:n", inverse(there))
    elif name in ("right_inverse", "left_inverse") and often:
        a = m.draw("M:n:n")
        m.let("A", "M:n:n", a)
        m.let("B", "M:n:n", inverse(a))
    elif name == "mean_monotone" and often:
        xs = [m.real() for _ in m.weights]
        ys = [x + rng.randint(0, 2) for x in xs]
        m.let("X", "R", lambda w: xs[w], "W")
        m.let("Y", "R", lambda w: ys[w], "W")
    elif name.startswith("integra") and often:
        _functions_on_parts(m, ordered=name.endswith("congruence"))
    elif name == "induction":
        # Constant below -4 and above 8, so that what is tried decides.
        start, lo = rng.randint(-4, 8), rng.randint(-2, 4)
        table = {k: k >= start if often else rng.random() < 0.8 for k in range(-4, 10)}
        m.let("P", "P", lambda k: table[min(max(k, -4), 8)], "Z")
        m.let("lo", "Z", start if often and rng.random() < 0.5 else lo)
    elif name == "derivative_monotone":
        _monotone(m, often)
    elif name == "derivative_local":
        _local(m, often)
    elif name == "derivative_near":
        _near(m, often)
    elif name == "independent_product":
        _independent(m, often)
    elif name.startswith("derivative"):
        _slopes(m, name, often)
    elif rng.random() < 0.3:
        for sort, names in (("R", "xy"), ("Z", "ij"), ("Z", ("lo", "hi"))):
            value = m.draw(sort)
            for v in names:
                m.let(v, sort, value)
    return m


def _functions_on_parts(m: Model, ordered: bool) -> None:
    """Let f and g be integrable functions, mostly, or f ≥ 0; or f = g, integrable or not."""
    for name in "fg":
        values = [m.real() if size is not None else Fraction(0) for size in m.measures]
        m.let(name, "R", lambda x, values=values: values[x[0]], "U")
    kind = m.rng.randrange(3)
    if ordered:
        same = {x: m.real() if kind else m.functions["f", "R", ("U",)](x) for x in m.points()}
        for name in "fg":
            m.let(name, "R", lambda x: same[x], "U")
    elif kind == 0:
        signs = {x: abs(m.real()) for x in m.points()}
        m.let("f", "R", lambda x: signs[x], "U")


def _columns(m: Model, vectors: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return matrices of n rows whose first column is a vector, and the others zero."""
    return tuple(
        m.table(len(v), m.size("k"), lambda i, j, v=v: Fraction(v[i] if j == 0 else 0))
        for v in vectors
    )


def _units(n: int) -> list[tuple[Any, ...]]:
    return [tuple(int(i == j) for i in range(n)) for j in range(n)]


def _injective(m: Model) -> None:
    """Try on a square matrix a vector that it sends to zero, if there is one but zero.

    Of rank n − 1 the columns of the adjugate are such vectors; of rank 1 what is orthogonal to a
    row; of rank 0 all.
    """
    a = m.draw("M:n:n")
    n = len(a)
    if n > 1 and m.rng.random() < 0.5:
        a = (*a[:-1], a[0])
    m.let("A", "M:n:n", a)
    vectors = _units(n)
    if n == 2:
        vectors += [(row[1], -row[0]) for row in a]
    for x, y, z in a if n == 3 else ():
        vectors += [(y, -x, 0), (0, z, -y), (z, 0, -x)]
        for u, v, w in a:
            vectors.append((y * w - z * v, z * u - x * w, x * v - y * u))
    m.tried = _columns(m, vectors)


def _definite(m: Model, often: bool) -> None:
    """Let A be definite, and not symmetric; or such that a unit vector shows that it is not."""
    b, skew = m.draw("M:n:n"), m.draw("M:n:n")
    n = len(b)
    gram = multiply(tuple(zip(*b, strict=True)), b)
    rows = [[gram[i][j] + (i == j) + skew[i][j] - skew[j][i] for j in range(n)] for i in range(n)]
    if not often:
        rows[0][0] = Fraction(-m.rng.randint(0, 2))
    m.let("A", "M:n:n", tuple(map(tuple, rows)))
    m.tried = _columns(m, _units(n))


def _monotone(m: Model, often: bool) -> None:
    a, b, c = m.real(), m.real(), m.real()
    x = m.real()
    y = x + m.rng.randint(0, 3)
    m.let("x", "R", x)
    m.let("y", "R", y)
    sign = 1 if often else -1
    m.let("f", "R", lambda t: sign * (a * a * t + a * b * t**2 + b * b * t**3 / 3) + c, "R")
    m.let("g", "R", lambda t: sign * (a + b * t) ** 2, "R")
    m.tried = tuple(x + (y - x) * Fraction(k, 8) for k in range(-1, 10))


def _local(m: Model, often: bool) -> None:
    """Let f and g be equal between lo and hi, and mostly x lie there."""
    a, b, c, lo = m.real(), m.real(), m.real(), m.real()
    hi = lo + m.rng.randint(1, 3)
    x = (lo + hi) / 2 if often else m.real()
    for name, value in (("x", x), ("lo", lo), ("hi", hi), ("y", b + 2 * c * x)):
        m.let(name, "R", value)

    def f(t: Fraction) -> Fraction:
        return a + b * t + c * t * t

    m.let("f", "R", f, "R")
    m.let("g", "R", lambda t: f(t) + (0 if lo < t < hi else 1), "R")
    m.tried = tuple(lo + (hi - lo) * Fraction(k, 8) for k in range(-1, 10))


def _near(m: Model, often: bool) -> None:
    """Let f and g be equal where h is not zero, and mostly h not be zero at x."""
    a, b, c, x, zero, slope = (m.real() for _ in range(6))
    slope = slope or Fraction(1)
    x = zero + 1 if often else x
    for name, value in (("x", x), ("y", b + 2 * c * x), ("z", slope)):
        m.let(name, "R", value)

    def f(t: Fraction) -> Fraction:
        return a + b * t + c * t * t

    m.let("h", "R", lambda t: slope * (t - zero), "R")
    m.let("f", "R", f, "R")
    m.let("g", "R", lambda t: f(t) + (t == zero), "R")
    m.tried = (zero, x, zero - 1, zero + 2)


def _independent(m: Model, often: bool) -> None:
    """Let the outcomes be pairs, and X at lo and at lo + 1 their members; or none, or one."""
    p, q = (Fraction(m.rng.randint(0, 3), 3) for _ in range(2))
    m.weights = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    if not often:
        m.weights = m.rng.sample([Fraction(k, 6) for k in (0, 1, 2, 3)], 4)
    values = [m.real() for _ in range(4)]
    lo = m.draw("Z")
    m.let("lo", "Z", lo)
    m.let("hi", "Z", lo + m.rng.choice((-1, 0, 1, 1, 1)))
    m.let("X", "R", lambda k, w: values[2 * (k - lo) + (w >> (k - lo)) % 2], "Z", "W")


def _slopes(m: Model, name: str, often: bool) -> None:
    """Let y and z be the derivatives of f and g where the axiom wants them."""
    curves = {}
    for f in "fg":
        a, b, c = m.real(), m.real(), Fraction(m.rng.randint(-2, 2))
        curves[f] = (
            lambda t, a=a, b=b, c=c: a + b * t + c * t * t,
            lambda t, b=b, c=c: b + 2 * c * t,
        )
        if often:
            m.let(f, "R", curves[f][0], "R")
    x = m.real()
    m.let("x", "R", x)
    if often:
        m.let(
            "y",
            "R",
            curves["f"][1](
                curves["g"][0](x) if name == "derivative_chain" and m.rng.random() < 0.7 else x
            ),
        )
        m.let("z", "R", curves["f" if name == "derivative_unique" else "g"][1](x))


def hunt_axioms(kernel: Kernel, rng: random.Random, counts: Counter[str]) -> None:
    """Evaluate every axiom in a directed model."""
    for name, says in kernel.certificates.axiom_statements().items():
        if name in ARGUED:
            if not slope_in_digits(says, rng):
                raise Found(f"axiom {name} is wrong in the first digits")
            counts[name] += 1
            continue
        hypotheses, conclusion = premises(says)
        m = directed(name, rng)
        if any(m.truth(h) is not True for h in hypotheses):
            continue
        verdict = m.truth(conclusion)
        if verdict is False:
            raise Found(f"axiom {name} is false in a model")
        counts[name] += verdict is True


def slope_in_digits(says: Any, rng: random.Random) -> bool:
    """Try a derivative axiom about one function with difference quotients of fifty digits."""
    hypotheses, conclusion = premises(says)
    positive = any(h.op == "<" for h in hypotheses)
    x = Decimal(rng.randint(1, 40) if positive else rng.randint(-20, 20)) / 8
    with localcontext() as context:
        context.prec = 60
        h = Decimal(10) ** -25
        body, point, slope = conclusion.args
        here = decimal(point, x, ())
        ends = [decimal(body, x, (here + s * h,)) for s in (1, -1)]
        middle = decimal(body, x, (here,))
        wanted = decimal(slope, x, ())
        quotients = ((ends[0] - middle) / h, (middle - ends[1]) / h)
        return all(abs(q - wanted) < Decimal(10) ** -15 for q in quotients)


def decimal(t: Any, x: Decimal, env: tuple[Decimal, ...]) -> Decimal:
    """Return the value of a term of one variable, to the digits of the context."""
    if t.op == "v":
        return x
    if t.op == "b":
        return env[-1 - t.data[0]]
    if t.op == "q":
        return Decimal(t.data[0]) / Decimal(t.data[1])
    args = [decimal(a, x, env) for a in t.args]
    if t.op == "*":
        out = Decimal(1)
        for a in args:
            out *= a
        return out
    if t.op == "inv":
        return 1 / args[0] if args[0] else Decimal(0)
    if t.op == "exp":
        return args[0].exp()
    if t.op == "log":
        return args[0].ln() if args[0] > 0 else Decimal(0)
    if t.op == "sqrt":
        return args[0].sqrt() if args[0] > 0 else Decimal(0)
    raise NotImplementedError(t.op)


def hunt_rules(kernel: Kernel, rng: random.Random, counts: Counter[str]) -> None:
    """Apply random rules to a pool of theorems, and try to refute every new one."""
    kernel.refuel()
    source = Terms(kernel.terms.make, rng)
    statements = kernel.certificates.axiom_statements()
    usable = [p for n, p in statements.items() if not n.startswith("derivative")]
    pool: list[Theorem] = [(frozenset(), p) for p in rng.sample(usable, 5)]
    pool += [kernel.rules.assume(source.term("P", (), 2)) for _ in range(4)]
    for _ in range(30):
        rule = rng.choice(list(RULES))
        try:
            kernel.refuel()
            new = RULES[rule](kernel, source, pool)
        except (kernel.Refused, LookupError):
            continue
        except Exception as error:
            raise Found(f"{rule}: {error!r}") from error
        if len(str(new[1])) > 2500:
            continue
        counts[rule] += 1
        closed = all(p.sort == sort_of(p) == "P" and p.loose == 0 for p in (new[1], *new[0]))
        if not closed:
            raise Found(f"{rule} proves what is not a closed proposition: {new}")
        if refuted(new, rng, 6, counts):
            raise Found(f"{rule} proves something false: {new}")
        pool.append(new)


def _relations(k: Kernel, s: Terms, pool: list[Theorem], sort: str) -> Iterator[Theorem]:
    yield from (t for t in pool if t[1].op in ("=", "<=", "<") and sort_of(t[1].args[0]) == sort)
    for _ in range(2):
        op = s.rng.choice(("=", "<=", "<"))
        yield k.rules.assume(s.make(op, s.term(sort, (), 1), s.term(sort, (), 1)))


def _discharge(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    t = s.rng.choice(pool)
    given = sorted(t[0], key=str) or [s.term("P", (), 1)]
    return k.rules.discharge(s.rng.choice(given), t)


def _modus_ponens(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    t = s.rng.choice([t for t in pool if t[1].op in ("->", "|", "&")])
    # A random theorem is seldom the premise: every other time one of the two parts is assumed.
    parts = [k.rules.assume(part) for part in t[1].args]
    other = s.rng.choice(parts if s.rng.random() < 0.5 else pool)
    return k.rules.modus_ponens(t, other)


def _generalise(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    sort = s.rng.choice("RZPVWU")
    return k.rules.generalise(s.v(s.rng.choice(PLAIN[sort]), sort), s.rng.choice(pool))


def _specialise(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    t = s.rng.choice([t for t in pool if t[1].op == "all"] or pool)
    sort = t[1].data[0] if t[1].op == "all" and s.rng.random() < 0.8 else "R"
    value = s.b(0, sort) if s.rng.random() < 0.3 else s.term(sort, (), 1)
    return k.rules.specialise(t, value)


def _substitute(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    t = s.rng.choice(pool)
    free = sorted(t[1].free.union(*(h.free for h in t[0])))
    chosen = s.rng.sample(free, min(len(free), s.rng.randint(1, 3)))
    bodies = []
    for name, sort, sorts in chosen:
        # Loose index 0 is the first argument, and the nearest in a context.
        body = s.term(sort, tuple(reversed(sorts)), 1)
        if sort == "R" and sorts == ("Z",) and s.rng.random() < 0.5:
            inner = s.v("c", "R", s.b(1), s.b(0))
            body = s.make("sum", s.make("z", 1), s.make("z", 2), inner)
        bodies.append(((name, sort, sorts), body))
    return k.rules.substitute(t, bodies)


def _sizes(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    return k.rules.rename_sizes(s.rng.choice(pool), [(s.rng.choice("nm"), s.rng.choice("nmk"))])


def _convert(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    t = s.rng.choice(pool)
    p = t[1]
    if p.op in ("=", "<=", "<") and sort_of(p.args[0]) == "R" and s.rng.random() < 0.7:
        c = s.q(s.rng.choice((1, 2, -1)))
        sides = [s.make("*", c, a) for a in p.args]
        s.rng.shuffle(sides)
        return k.rules.convert(t, s.make(s.rng.choice(("=", "<=", "<")), *sides))
    return k.rules.convert(t, k.normal.normal(p))


def _ring(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    sort = s.rng.choice(("R", "R", "Z", "V", "M:n:n"))
    t = s.shape() if sort == "R" and s.rng.random() < 0.5 else s.term(sort, (), 2)
    op = s.rng.choice(("=", "<=", "<")) if sort in "RZ" else "="
    return k.rules.ring(s.make(op, t, s.twin(t)))


def _positivstellensatz(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    """Add up random parts, and ask for the strongest goal that the rule will give."""
    r, sort = s.rng, s.rng.choice("RRZ")
    facts = list(_relations(k, s, pool, sort))
    if sort == "R":
        facts += list(_relations(k, s, pool, "Z"))
    total, parts = {}, []
    for _ in range(r.randint(1, 2)):
        used = r.sample(facts, min(len(facts), r.randint(0, 2)))
        number = r.randint(-1, 2)
        multiplier = s.q(number) if sort == "R" else s.make("z", number)
        if r.random() < 0.4:
            multiplier = s.term(sort, (), 1)
        squares = [s.term(sort, (), 1)] if r.random() < 0.3 else []
        product = k.normal.polynomial(multiplier)
        for f in used:
            product = k.normal.times(product, k.rules.difference(f[1], sort))
        for q in squares:
            square = k.normal.times(k.normal.polynomial(q), k.normal.polynomial(q))
            product = k.normal.times(product, square)
        total = k.normal.plus(total, product)
        parts.append((multiplier, used, squares))
    left = s.term(sort, (), 1)
    right = s.make("+", left, k.normal.build(total, sort))
    goals = [s.make(op, left, right) for op in ("=", "<", "<=")]
    goals += [s.make(op, right, left) for op in ("<", "<=")]
    for goal in goals:
        try:
            return k.rules.positivstellensatz(goal, parts)
        except k.Refused:
            continue
    raise LookupError


def _linear(k: Kernel, s: Terms, pool: list[Theorem]) -> Theorem:
    make, r = s.make, s.rng
    if r.random() < 0.4:
        fact = k.rules.assume(make("=", s.term("V", (), 1), s.term("V", (), 1)))
        c = s.term("R", (), 1)
        sides = [make("sc", c, a) for a in fact[1].args]
        r.shuffle(sides)
        return k.rules.linear(make("=", *sides), [(c, fact, None)])
    one, two = (
        k.rules.assume(make("=", s.term("M:n:m", (), 1), s.term("M:n:m", (), 1))) for _ in range(2)
    )
    left, right = s.term("M:n:n", (), 1), s.term("M:m:m", (), 1)
    words = [[left, right], [right, left]][r.random() < 0.1]
    sides = [
        make("+", make("mm", words[0], a, words[1]), b)
        for a, b in zip(one[1].args, two[1].args, strict=True)
    ]
    parts = [(left, one, right), (make("I", "n"), two, make("I", "m"))]
    return k.rules.linear(make("=", *sides), parts[: r.choice((1, 2, 2, 2))])


RULES: dict[str, Callable[[Kernel, Terms, list[Theorem]], Theorem]] = {
    "discharge": _discharge,
    "modus ponens": _modus_ponens,
    "generalise": _generalise,
    "specialise": _specialise,
    "substitute": _substitute,
    "rename sizes": _sizes,
    "convert": _convert,
    "ring": _ring,
    "psatz": _positivstellensatz,
    "linear": _linear,
}
HUNTS = (hunt_normal, hunt_rules, hunt_axioms, hunt_disturbed)


def hunt(kernel: Kernel, seed: int, seconds: float) -> Counter[str]:
    """Try everything for some seconds of processor time; return counts, or raise what was found."""
    end = time.process_time() + seconds
    rng, counts = random.Random(seed), Counter[str]()
    hunt_attacks(kernel, rng, counts)
    while time.process_time() < end:
        for one in HUNTS:
            for _ in range(20 if one is hunt_normal else 1):
                one(kernel, rng, counts)
    return counts


def verdict(folder: Path, seconds: float) -> str:
    """Return what is found wrong in the kernel that lies in a folder, or nothing."""
    sys.path.insert(0, str(folder.parent))
    try:
        hunt(Kernel(folder.name), 1, seconds)
    except NameError:
        raise  # a slip in what was planted, and not a mistake that was found
    except Exception as error:
        return repr(error)[:300]
    return ""


def main() -> None:
    print(verdict(Path(sys.argv[1]), float(sys.argv[2])) or "nothing found")


if __name__ == "__main__":
    main()
