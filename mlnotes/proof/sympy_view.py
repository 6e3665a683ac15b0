"""Terms of the kernel as SymPy expressions at small sizes, and SymPy expressions as terms.

``to_sympy`` writes a term out: vectors have ``d`` symbolic entries, integers and sizes have values,
sums and products are written term by term, and an integral runs over two points whose measures are
symbols. It reads operations off the term and knows nothing of how terms are calculated with or
proved, so that what SymPy says about the outcome is an independent opinion; ``opinion`` asks for
it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from mlnotes.theorems import registry
from mlnotes.trusted.terms import Term
from mlnotes.trusted.terms import sizes as sizes_of

from . import language as lg
from .errors import IllTyped
from .recorded import FOLDER, checked_certificates

Case = dict[Any, Any]
OUTCOMES = 2
PLACES = 2  # points of a measure space, where every function is integrable
SMALL = ((2, 2), (3, 1))  # n and d at which SymPy is asked
POINTS = 40  # at which an equation that SymPy cannot prove is tried
SECONDS = 3.0  # of processor time, for one statement at one size
CASES = 64  # into which the solutions of hypotheses may divide a statement


# Their own annotations are not complete.
_function: Any = UndefinedFunction
_matrix: Any = sp.Matrix


class NotWritten(IllTyped):
    """A statement that cannot be written out with finitely many symbols; the message says why."""


def to_sympy(written: lg.Written | Term, n: int = 2, d: int = 2, **sizes: int) -> Any:
    """Return a term or statement written out in SymPy.

    Parameters
    ----------
    written : term or statement
        What an author wrote, or a term of the kernel.
    n : int
        The value of every integer and every size that is not given one.
    d : int
        The dimension of vectors.
    **sizes : int
        Values of single integers and sizes, by name.

    Examples
    --------
    >>> from mlnotes.proof import dot, vectors
    >>> from mlnotes.proof.sympy_view import to_sympy
    >>> u, v = vectors("u v")
    >>> to_sympy(dot(u, u + v), d=2)
    u_1*(u_1 + v_1) + u_2*(u_2 + v_2)
    """
    t = written if isinstance(written, Term) else written.term
    return View(n, d, sizes).write(t, ())


class View:
    """Writes terms out at given sizes.

    A hypothesis about all integers may be written out for ``some`` of them, which says less.
    """

    def __init__(
        self, n: int, d: int, sizes: Mapping[str, int] | None = None, some: bool = False
    ) -> None:
        self.n, self.d, self.sizes = n, d, {"d": d, **(sizes or {})}
        self.some = some

    def size(self, name: str) -> int:
        """Return the value of an integer or a size."""
        return int(name) if name.isdigit() else self.sizes.get(name, self.n)

    def write(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Return a term whose loose index k has the value ``env[k]``."""
        method = getattr(self, f"_{NAMES.get(t.op, t.op)}", None)
        if method is not None:
            return method(t, env)
        args = [self.write(a, env) for a in t.args]
        if t.op not in PLAIN:
            raise NotWritten(f"SymPy is not told what {t.op} is")
        return PLAIN[t.op](*args)

    # ------------------------------------------------------------------------- variables, numbers

    def _v(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a symbol, with the values of its indices in its name."""
        name, sort = t.data
        if sort == "Z" and not t.args:
            return sp.Integer(self.size(name))
        if sort in ("P", "Z", "W", "U"):
            said = {"P": "statement", "U": "point"}.get(sort, "integer")
            raise NotWritten(f"{name} stands for any {said}")
        args = [self.write(a, env) for a in t.args]
        if any(a.sort in ("R", "V") or sizes_of(a.sort) for a in t.args):
            if sort != "R" or any(a.sort != "R" for a in t.args):
                raise NotWritten(f"{name} is a function of vectors")
            return _function(name, real=True)(*args)
        at = "".join(f"_{a}" for a in args)
        if sort == "R":
            return self.symbol(f"{name}{at}")
        if not sizes_of(sort):
            return _matrix([self.symbol(f"{name}{at}_{i}") for i in range(1, self.d + 1)])
        rows, columns = (range(1, self.size(s) + 1) for s in sizes_of(sort))
        return _matrix([[self.symbol(f"{name}{at}_{i}_{j}") for j in columns] for i in rows])

    def symbol(self, name: str) -> Any:
        """Return the symbol of a real number."""
        return sp.Symbol(name, real=True)

    def _b(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a bound variable by its value."""
        return env[t.data[0]]

    def _q(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a fraction."""
        return sp.Rational(*t.data)

    def _z(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write an integer."""
        return sp.Integer(t.data[0])

    def _dim(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a size by its value."""
        return sp.Integer(self.size(t.data[0]))

    def _pow(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write xᵏ."""
        return self.write(t.args[0], env) ** t.data[0]

    # -------------------------------------------------------------------------------- operations

    def _plus(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a + b."""
        first, *others = (self.write(a, env) for a in t.args)
        for x in others:
            first = first + x
        return first

    def _times(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a·b."""
        first, *others = (self.write(a, env) for a in t.args)
        for x in others:
            first = first * x
        return first

    def _zero(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a vector or matrix of zeros."""
        shape = sizes_of(t.sort)
        return sp.zeros(*map(self.size, shape)) if shape else sp.zeros(self.d, 1)

    def _I(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write I."""
        return sp.eye(self.size(t.data[0]))

    def _unit(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write eₖ, whose entry i is [i = k]."""
        k = self.write(t.args[0], env)
        return sp.Matrix([int(i == k) for i in range(1, self.size(t.data[0]) + 1)])

    def _values(self, t: Term, env: tuple[Any, ...]) -> Iterator[Any]:
        """Write the terms of a sum or product over low…high."""
        low, high = (self.write(a, env) for a in t.args[:2])
        for k in range(int(low), int(high) + 1):
            yield self.write(t.args[2], (sp.Integer(k), *env))

    def _sum(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write Σ as the sum of its terms."""
        out = self._zero(t, env) if t.sort != "R" else sp.Integer(0)
        for value in self._values(t, env):
            out = out + value
        return out

    def _prod(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write Π as the product of its factors."""
        return sp.Mul(*self._values(t, env))

    def _E(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write E x = Σ p(ω)·x(ω) over the outcomes."""
        first, *others = self.weights()
        out = first * self.write(t.args[0], (sp.Integer(1), *env))
        for k, weight in enumerate(others, start=2):
            out = out + weight * self.write(t.args[0], (sp.Integer(k), *env))
        return out

    def weights(self) -> list[Any]:
        """Return the weights of the outcomes: symbols, of which the last makes the sum 1."""
        free = [sp.Symbol(f"weight_{k}", positive=True) for k in range(1, OUTCOMES)]
        return [*free, 1 - sum(free)]

    def _int(self, t: Term, env: tuple[Any, ...]) -> Any:
        out = sp.Integer(0)
        for k in range(1, PLACES + 1):
            mass = sp.Symbol(f"measure_{k}", positive=True)
            out = out + mass * self.write(t.args[0], (sp.Integer(k), *env))
        return out

    # ------------------------------------------------------------------------------- statements

    def _integrable(self, t: Term, env: tuple[Any, ...]) -> Any:
        return sp.true

    def _equal(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write a = b, of matrices entry by entry."""
        left, right = (self.write(a, env) for a in t.args)
        if isinstance(left, sp.MatrixBase):
            pairs = zip(left, right, strict=True)
            return sp.And(*(sp.Eq(a, b, evaluate=False) for a, b in pairs), evaluate=False)
        return sp.Eq(left, right, evaluate=False)

    def _all(self, t: Term, env: tuple[Any, ...]) -> Any:
        (sort,), (body,) = t.data, t.args
        limits = _limits(body) if sort == "Z" else None
        if sort == "W":
            values = range(1, OUTCOMES + 1)
        elif sort == "U":
            values = range(1, PLACES + 1)
        elif limits is not None:
            # The limits do not contain the index, so that any value will do for it.
            start, end = (int(self.write(x, (sp.Integer(0), *env))) for x in limits)
            values, body = range(start, end + 1), body.args[1].args[1]
        elif sort == "Z" and self.some:
            values = range(self.n + 2)
        else:
            raise NotWritten("it speaks of all integers, reals, vectors or matrices")
        parts = [self.write(body, (sp.Integer(k), *env)) for k in values]
        return sp.And(*parts, evaluate=False) if parts else sp.true

    def _deriv(self, t: Term, env: tuple[Any, ...]) -> Any:
        """Write d/dx f = v at a point as f′(a) = v."""
        x = sp.Dummy("t", real=True)
        slope = sp.diff(self.write(t.args[0], (x, *env)), x)
        at, value = (self.write(a, env) for a in t.args[1:])
        return sp.Eq(slope.subs(x, at), value, evaluate=False)


def _limits(body: Term) -> tuple[Term, Term] | None:
    """Return the limits of a statement that is about the integers between two."""
    if body.op == "->" and body.args[1].op == "->":
        low, high = body.args[0], body.args[1].args[0]
        index = [t.op == "b" and t.data[0] == 0 for t in (*low.args, *high.args)]
        if low.op == high.op == "<=" and index == [False, True, True, False]:
            return (low.args[0], high.args[1]) if 0 not in high.args[1].indices else None
    return None


# Operations whose names are no words.
NAMES = {"+": "plus", "*": "times", "sc": "times", "mm": "times", "=": "equal"}
PLAIN: dict[str, Any] = {
    "of": lambda x: x,
    "inv": lambda x: sp.Integer(0) if x == 0 else 1 / x,
    "exp": sp.exp,
    "log": sp.log,
    "sqrt": sp.sqrt,
    "abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
    "ind": lambda p: sp.Piecewise((1, p), (0, True)),
    "dot": lambda u, v: (u.T * v)[0],
    "T": lambda m: m.T,
    "tr": lambda m: m.trace(),
    "det": lambda m: m.det(),
    "minv": lambda m: m.inv(),
    "F": lambda: sp.false,
    "<=": lambda a, b: sp.Le(a, b, evaluate=False),
    "<": lambda a, b: sp.Lt(a, b, evaluate=False),
    "->": sp.Implies,
    "&": sp.And,
    "|": sp.Or,
}


# --------------------------------------------------------------------------------- what SymPy says


@dataclass(frozen=True)
class Opinion:
    """What SymPy says about a statement: it ``agrees``, ``disagrees`` or was ``not asked``."""

    verdict: str
    why: str = ""

    def __str__(self) -> str:
        if self.verdict in ("agrees", "disagrees"):
            return f"SymPy {self.verdict} at {self.why}."
        return f"SymPy was {self.verdict}: {self.why}."


def opinion(hypotheses: Sequence[Term], conclusion: Term, seconds: float = SECONDS) -> Opinion:
    """Return whether SymPy finds an identity true at two small sizes.

    Equations among the hypotheses are solved for symbols; inequalities are not used, but for the
    sign of a symbol. Of a theorem that says also what its gradients are the equation is asked for.
    """
    while conclusion.op == "&":
        conclusion = conclusion.args[0]
    if conclusion.op not in ("=", "deriv"):
        return Opinion("not asked", "the statement is not an equation")
    for sizes in SMALL:
        try:
            with _limited(seconds):
                found = _verdict(hypotheses, conclusion, sizes)
        except _TooLong:
            return Opinion("not asked", f"it has no answer within {seconds:.0f} s")
        except NotWritten as reason:
            return Opinion("not asked", str(reason))
        if found != "agrees":
            return Opinion("not asked" if found else "disagrees", found or _said(sizes))
    return Opinion("agrees", " and at ".join(map(_said, SMALL)))


class _TooLong(BaseException):
    """Processor time is over; nothing inside SymPy may take this for an error of its own."""


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Break off what takes more processor time."""

    def stop(*_: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _said(sizes: tuple[int, int]) -> str:
    """Say at what sizes."""
    return "n = {}, d = {}".format(*sizes)


def _verdict(hypotheses: Sequence[Term], conclusion: Term, sizes: tuple[int, int]) -> str:
    """Return "agrees", why it cannot be said, or nothing if SymPy disagrees."""
    view = View(*sizes, some=True)
    given = [e for h in hypotheses for e in _conjuncts(view.write(h, ()))]
    claims = list(_conjuncts(View(*sizes).write(conclusion, ())))
    signs = {s: sp.Symbol(s.name, positive=True) for e in given if (s := _positive(e)) is not None}
    given = [e.xreplace(signs) for e in given]
    equations = [e for e in given if isinstance(e, sp.Eq)]
    cases: list[Case] = [{}]
    while equations:
        for equation in equations:
            solved = [new for case in cases for new in _solutions(equation, case)]
            if None not in solved:
                break
        else:
            return "an equation among its hypotheses is not solved for a variable"
        equations.remove(equation)
        cases = [new for new in solved if new is not None]
        if len(cases) > CASES:
            return "its hypotheses leave too many cases"
    for case in cases:
        for claim in claims:
            gap = _at(claim.lhs - claim.rhs, signs, case)
            if not _is_zero(gap):
                others = [_at(e, signs, case) for e in given if not isinstance(e, sp.Eq)]
                return "" if _is_not_zero(gap, others) else "SymPy does not decide it"
    return "agrees"


def _at(e: Any, signs: Mapping[Any, Any], case: Case) -> Any:
    """Return an expression in a case, with the signs of its symbols."""
    return e.xreplace(signs).subs(list(case.items()), simultaneous=True)


def _conjuncts(e: Any) -> Iterator[Any]:
    """Yield p and q of p ∧ q."""
    if isinstance(e, sp.And):
        for part in e.args:
            yield from _conjuncts(part)
    elif e is not sp.true:
        yield e


def _positive(e: Any) -> Any:
    """Return the symbol that a hypothesis says to be positive, if it says that."""
    if isinstance(e, sp.StrictLessThan) and e.lhs == 0 and isinstance(e.rhs, sp.Symbol):
        return e.rhs
    return None


def _solutions(equation: Any, case: Case) -> list[Case | None]:
    """Return the ways in which an equation determines another symbol; None if there is none."""
    gap = sp.expand((equation.lhs - equation.rhs).subs(list(case.items()), simultaneous=True))
    if gap == 0:
        return [case]
    if gap.is_number:
        return []  # this case contradicts itself
    symbols = sorted(gap.free_symbols, key=str)
    for x in filter(gap.is_polynomial, symbols):
        p = sp.Poly(gap, x)
        if p.degree() == 1 and p.LC().is_number:
            return [_with(case, x, sp.expand(-p.nth(0) / p.LC()))]
        if p.degree() == 2 and all(c.is_number for c in p.all_coeffs()):
            return [_with(case, x, r) for r in sp.roots(p) if r.is_real]
    if gap.is_polynomial(*symbols):
        factors = [f for f, _ in sp.factor_list(gap)[1]]
        if len(factors) > 1:
            return [new for f in factors for new in _solutions(sp.Eq(f, 0, evaluate=False), case)]
    return [None]


def _with(case: Case, x: Any, value: Any) -> Case:
    """Return a case in which x has a value, also inside of the others."""
    return {**{y: sp.expand(v.subs(x, value)) for y, v in case.items()}, x: value}


def _is_zero(gap: Any) -> bool:
    """Whether SymPy makes an expression 0."""
    e = sp.expand_log(gap) if gap.has(sp.log) else gap
    ways = (sp.expand, lambda e: sp.cancel(sp.together(e)), sp.simplify)
    return any(way(e) == 0 for way in ways)


def _is_not_zero(gap: Any, hypotheses: Sequence[Any]) -> bool:
    """Say whether an expression is not zero at some point at which the hypotheses hold."""
    everything = [gap, *hypotheses]
    if any(e.atoms(AppliedUndef) for e in everything):
        return False
    names = sorted(set().union(*(e.free_symbols for e in everything)), key=str)
    rng = random.Random(1)
    for _ in range(POINTS):
        point = {x: sp.Rational(rng.randint(1 if x.is_positive else -9, 9), 7) for x in names}
        if all(e.subs(point) == sp.true for e in hypotheses):
            value = gap.subs(point).evalf(30)
            if value.is_number and value.is_finite and abs(value) > sp.Float("1e-15"):
                return True
    return False


# Opinions take a minute, so that they are written down, a file a chapter, each with a digest of
# what it is about.
OPINIONS = FOLDER.parent / "sympy"


def digest(hypotheses: Sequence[Term], conclusion: Term) -> str:
    """Return a fingerprint of a statement."""
    keys = sorted(repr(h.key) for h in hypotheses)
    return hashlib.sha256("\n".join([*keys, repr(conclusion.key)]).encode()).hexdigest()[:16]


def _written() -> dict[str, tuple[str, str]]:
    """Return what is written down: by label, the digest of the statement and what SymPy said."""
    files = sorted(OPINIONS.glob("*.json"))
    return {n: tuple(row) for f in files for n, row in json.loads(f.read_text("utf-8")).items()}


def recorded(names: Iterable[str] | None = None) -> dict[str, str]:
    """Return what SymPy was found to say of theorems, as far as they still say the same."""
    checked = checked_certificates(names)
    statements = {n: digest(c.hypotheses, c.conclusion) for n, c in checked.items()}
    return {n: said for n, (mark, said) in _written().items() if statements.get(n) == mark}


def main() -> int:
    """Ask SymPy about the certified theorems of which it has not been asked; write down its words.

    Names of chapters restrict it to them, and have it asked about all of their theorems again.
    """
    chapters, wrong = sys.argv[1:], 0
    old, rows = recorded(), dict[str, dict[str, tuple[str, str]]]()
    certificates = checked_certificates()
    for name, proof in registry():
        if (c := certificates.get(name)) is None:
            continue
        chapter = proof.__module__.rpartition(".")[2]
        said = old.get(name)
        if said is None or chapter in chapters:
            said = str(opinion(c.hypotheses, c.conclusion))
        rows.setdefault(chapter, {})[name] = (digest(c.hypotheses, c.conclusion), said)
        if said.startswith("SymPy disagrees"):
            wrong += 1
            print(f"{name}: {said}")
    OPINIONS.mkdir(exist_ok=True)
    for chapter, said_of in rows.items():
        text = ",\n".join(f"{json.dumps(n)}: {json.dumps(row)}" for n, row in said_of.items())
        (OPINIONS / f"{chapter}.json").write_text(f"{{\n{text}\n}}\n", "utf-8")
    everything = [said for said_of in rows.values() for _, said in said_of.values()]
    agree = sum(said.startswith("SymPy agrees") for said in everything)
    print(f"SymPy agrees with {agree} of {len(everything)} theorems, and disagrees with {wrong}")
    return 1 if wrong else 0


# ------------------------------------------------------------------------------- SymPy → statements


def from_sympy(expression: Any) -> Any:
    """Return a SymPy expression, equation or inequality as a term, nothing in it evaluated.

    Symbols are reals, or integers if they are declared so; ``positive``, ``nonnegative`` and the
    like become hypotheses. ``IndexedBase`` gives families.

    Examples
    --------
    >>> import sympy
    >>> from mlnotes.proof.sympy_view import from_sympy
    >>> x, y = sympy.symbols("x y", real=True)
    >>> from_sympy(sympy.Eq((x + y)**2, x**2 + 2*x*y + y**2))
    (x + y)² = x² + 2 x y + y²
    """
    e = expression
    if isinstance(e, sp.core.relational.Relational):
        left, right = (from_sympy(a) for a in (e.lhs, e.rhs))
        return _RELATIONS[e.rel_op](left, right)
    if isinstance(e, sp.Rational):
        return lg.term_of(Fraction(int(e.p), int(e.q)))
    if isinstance(e, sp.Symbol):
        signs = ("positive", "nonnegative", "negative", "nonpositive", "nonzero")
        said = {s: True for s in signs if e.assumptions0.get(s)}
        strongest = dict(list(said.items())[:1])
        kind = lg.integers if e.is_integer else lg.reals
        return kind(e.name, **strongest)
    if isinstance(e, sp.Indexed):
        at = tuple(from_sympy(k) for k in e.indices)
        return lg.real_family(e.base.name)[at if len(at) > 1 else at[0]]
    if isinstance(e, (sp.Sum, sp.Product)):
        limits = [tuple(from_sympy(part) for part in limit) for limit in e.limits]
        return (lg.Sum if isinstance(e, sp.Sum) else lg.Product)(from_sympy(e.function), *limits)
    if isinstance(e, sp.Pow) and not isinstance(e, sp.exp):
        return _power(from_sympy(e.base), e.exp)
    for kind, function in _FUNCTIONS.items():
        if isinstance(e, kind):
            return function(*map(from_sympy, e.args))
    if isinstance(e, (sp.Add, sp.Mul)):
        ordered = e.as_ordered_terms() if isinstance(e, sp.Add) else e.as_ordered_factors()
        first, *others = (from_sympy(a) for a in ordered)
        for x in others:
            first = first + x if isinstance(e, sp.Add) else first * x
        return first
    raise IllTyped(f"{e} is a {type(e).__name__}, which has no counterpart among the terms")


def _power(base: Any, power: Any) -> Any:
    """Return xᵏ with x⁻ᵏ = 1/xᵏ and x^½ = √x."""
    if power.is_Integer and power > 0:
        return base ** int(power)
    if power.is_Integer:
        return 1 / base if power == -1 else 1 / base ** int(-power)
    if power == sp.Rational(1, 2):
        return lg.sqrt(base)
    if power == sp.Rational(-1, 2):
        return 1 / lg.sqrt(base)
    raise IllTyped(f"the power {power} is not a whole number or a half")


_RELATIONS = {"==": lg.Eq, "<=": lg.Le, "<": lg.Lt, ">=": lg.Ge, ">": lg.Gt, "!=": lg.Ne}
_FUNCTIONS: dict[Any, Any] = {
    sp.exp: lg.exp,
    sp.log: lg.log,
    sp.Abs: lg.Abs,
    sp.Max: lg.Max,
    sp.Min: lg.Min,
}


if __name__ == "__main__":
    sys.exit(main())
