"""Ask z3, which is optional, whether the negation of a goal contradicts what is known.

Only ``unsat`` counts. Everything the solver sees is a consequence of the hypotheses, with atoms of
the normal form as real unknowns, so a contradiction is one for the real terms too. The limit is
z3's own count of work, not a clock, so that the answer does not depend on the machine's load.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from .definedness import conditions
from .facts import Fact, conjuncts, oriented
from .normal import Normal, Polynomial, TooLarge, free, is_compound, is_leaf, sorted_items
from .terms import kind

WORK = 600_000
SAFETY_MILLISECONDS = 12_000


def available() -> bool:
    """Say whether z3 can be imported."""
    try:
        import z3  # noqa: F401
    except ImportError:
        return False
    return True


class Translation:
    """Polynomials as z3 terms over one real unknown per atom."""

    def __init__(self, normal: Normal, written: Iterable[Any] = ()) -> None:
        import z3

        self.z3 = z3
        self.context = z3.Context()
        self.normal = normal
        self.unknowns: dict[Any, Any] = {}
        self.side: list[Any] = []
        self.roots = {
            normal._shape(normal.polynomial(c.lhs))
            for s in written
            for c in conditions(s)
            if isinstance(c, (sp.Ge, sp.Gt)) and c.rhs == 0
        }

    def _has_root(self, atom: Any) -> bool:
        """Say whether an atom is nonnegative, known so or since a line takes its root."""
        p: Polynomial = {(((atom, Fraction(1)),), ()): Fraction(1)}
        if is_compound(atom):
            p = self.normal.polynomial(atom)
        return self.normal.is_nonnegative(p) or self.normal._shape(p) in self.roots

    def unknown(self, atom: Any) -> Any:
        """Return the unknown that stands for an atom."""
        if atom not in self.unknowns:
            v = self.z3.Real(f"v{len(self.unknowns)}", self.context)
            self.unknowns[atom] = v
            if self.normal.is_positive_atom(atom):
                self.side.append(v > 0)
            elif self.normal.is_nonnegative_atom(atom):
                self.side.append(v >= 0)
            elif is_leaf(atom) and atom.is_nonzero:
                self.side.append(v != 0)
            self._define(atom, v)
        return self.unknowns[atom]

    def _define(self, atom: Any, v: Any) -> None:
        z3 = self.z3
        try:
            if isinstance(atom, sp.Abs):
                a = self.polynomial(self.normal.polynomial(atom.args[0]))
                self.side.append(z3.Or(z3.And(a >= 0, v == a), z3.And(a < 0, v == -a)))
            elif isinstance(atom, sp.Max):
                parts = [self.polynomial(self.normal.polynomial(a)) for a in atom.args]
                self.side += [v >= p for p in parts]
                self.side.append(z3.Or(*[v == p for p in parts]))
            elif is_compound(atom):
                p = self.normal.polynomial(atom)
                self.side.append(v == self.polynomial(p))
        except TooLarge:
            return

    def power(self, atom: Any, power: Fraction) -> Any:
        """Return a power of an atom; roots and reciprocals get unknowns of their own."""
        base = self.unknown(atom)
        if power.denominator != 1:
            name = ("root", atom, power.denominator)
            if name not in self.unknowns:
                r = self.z3.Real(f"v{len(self.unknowns)}", self.context)
                self.unknowns[name] = r
                # SymPy may have split a root into roots that need not exist: then nothing is said.
                if self._has_root(atom):
                    self.side += [r >= 0, repeated(r, power.denominator) == base]
            base = self.unknowns[name]
        if power < 0:
            name = ("reciprocal", atom, power.denominator)
            if name not in self.unknowns:
                r = self.z3.Real(f"v{len(self.unknowns)}", self.context)
                self.unknowns[name] = r
                self.side.append(r * base == 1)
            base = self.unknowns[name]
        return repeated(base, abs(power.numerator))

    def polynomial(self, p: Polynomial) -> Any:
        """Return a polynomial as a z3 term."""
        total = self.z3.RealVal(0, self.context)
        for (factors, bounds), c in sorted_items(p):
            term = self.z3.RealVal(str(c), self.context)
            indices = {b[0] for b in bounds}
            inside = tuple((a, e) for a, e in factors if free(a) & indices)
            for a, e in factors:
                if not free(a) & indices:
                    term = term * self.power(a, e)
            if bounds:
                term = term * self.unknown(self.normal.expression({(inside, bounds): Fraction(1)}))
            total = total + term
        return total

    def statement(self, s: Any) -> Any | None:
        """Return a statement as a z3 formula, None if it cannot be said."""
        z3 = self.z3
        if isinstance(s, (sp.And, sp.Or)):
            # All or nothing: a conjunction with a part left out would prove too much under a Not.
            parts = [self.statement(a) for a in s.args]
            if any(p is None for p in parts):
                return None
            return (z3.And if isinstance(s, sp.And) else z3.Or)(*parts)
        if isinstance(s, sp.Not):
            inner = self.statement(s.args[0])
            return None if inner is None else z3.Not(inner)
        if not isinstance(s, Relational) or kind(s.lhs - s.rhs) != "real":
            return None
        try:
            if isinstance(s, sp.Ne):
                return self.polynomial(self.normal.polynomial(s.lhs - s.rhs)) != 0
            e, op = oriented(s)
            return compared(self.polynomial(self.normal.polynomial(e)), op)
        except TooLarge:
            return None


def compared(term: Any, op: str) -> Any:
    """Return a z3 term compared with zero."""
    return term == 0 if op == "=" else term >= 0 if op == ">=" else term > 0


def repeated(base: Any, count: int) -> Any:
    """Return a power as a product."""
    out = base
    for _ in range(count - 1):
        out = out * base
    return out


def refutes(normal: Normal, statements: Sequence[Any], facts: list[Fact], goal: Any) -> bool:
    """Say whether z3 shows that the hypotheses and the negation of the goal contradict each other.

    With ``goal`` None: that the hypotheses contradict each other.
    """
    t = Translation(normal, [*statements, *([goal] if goal is not None else [])])
    solver = t.z3.SolverFor("QF_NRA", ctx=t.context)
    solver.set("rlimit", WORK)
    solver.set("timeout", SAFETY_MILLISECONDS)
    solver.set("random_seed", 0)
    formulas = []
    if goal is not None:
        wanted = t.statement(goal)
        if wanted is None:
            return False
        formulas.append(t.z3.Not(wanted))
    for s in conjuncts(statements):
        formula = t.statement(s)
        if formula is not None:
            formulas.append(formula)
    for f in facts:
        if not f.parameters and not f.vector:
            formulas.append(compared(t.polynomial(f.polynomial), f.relation))
    solver.add(*formulas)
    solver.add(*t.side)
    return bool(solver.check() == t.z3.unsat)
