"""Prove one statement from hypotheses: normal form, signs, certificates, cases, z3.

Every method returns a :class:`Proof` or nothing. A certificate writes the goal as a combination of
known facts with nonnegative multipliers; the multipliers are found by an exact linear program and
then added up again, so that the search needs no trust.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.matrices.expressions import MatrixExpr

from . import smt
from .errors import Undefined, Unproved, WrongStep
from .facts import (
    Allowed,
    Fact,
    Opened,
    authored_facts,
    completed_squares,
    conjuncts,
    general_facts,
    hypothesis_facts,
    instances,
    normal_of,
    opened,
    oriented,
    readable_indices,
    spell_multiple,
    square_facts,
    structurally,
)
from .linear import combination
from .models import Model, Search, outcomes, readable, show, symbols_in
from .normal import (
    ONE,
    UNIT,
    Budget,
    Composite,
    Monomial,
    Polynomial,
    TooLarge,
    TraceWord,
    Word,
    add_words,
    is_leaf,
    key,
    letter_shape,
    monomial_key,
    sorted_items,
    spell,
    transpose_word,
)
from .render import plain
from .terms import (
    REAL,
    VECTOR,
    Direction,
    Dot,
    Eq,
    Expectation,
    ForEach,
    Ge,
    Gt,
    IndependentFamily,
    Indicator,
    Inverse,
    Invertible,
    Le,
    Lt,
    MatrixDirection,
    MatrixExpectation,
    PositiveDefinite,
    PositiveSemidefinite,
    Probability,
    Property,
    Trace,
    evaluating,
    fresh_symbol,
    is_random,
    kind,
    member,
    substitute,
)

WORK = 60_000
WORK_FOR_ONE_CERTIFICATE = 9_000
MAX_COLUMNS = 300
MAX_SCALES = 3
QUICK_MODELS = 24
MANY_MODELS = 172


@dataclasses.dataclass(frozen=True)
class Proof:
    """How a statement was proved."""

    method: str
    detail: str = ""
    used: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.method}: {self.detail}" if self.detail else self.method


@dataclasses.dataclass(frozen=True)
class Column:
    """A polynomial with a sign that a certificate may use."""

    polynomial: Polynomial
    relation: str
    origin: Any

    @property
    def label(self) -> str:
        """What the polynomial comes from, in words."""
        if isinstance(self.origin, str):
            return self.origin
        if callable(self.origin):
            return str(self.origin())
        return spell_multiple(*self.origin)


class Prover:
    """Prove statements from a list of hypotheses.

    Parameters
    ----------
    given : sequence of statements
        The hypotheses.
    witness : Model, optional
        A model of the hypotheses, where the search for counterexamples starts.
    z3 : bool, default=True
        Whether z3 may be asked.
    """

    def __init__(
        self,
        given: Sequence[Any],
        witness: Model | None = None,
        z3: bool = True,
        budget: Budget | None = None,
    ) -> None:
        self.given = tuple(given)
        self.witness = witness
        self.use_z3 = z3
        self.budget = budget if budget is not None else Budget(WORK)
        self.normal = normal_of(self.given, self.budget)
        self.facts = hypothesis_facts(self.normal, self.given)
        self.search = Search(self.given, witness)
        self._bases: dict[Any, bool] = {}
        # The hypotheses never change, so nothing is to be found out from them twice.
        self._proved: dict[Any, Proof] = {}
        self._provers: dict[Any, Prover] = {}
        self._begun: dict[Any, _Beginning] = {}
        self._failed: dict[Any, int] = {}

    def extended(self, extra: Iterable[Any]) -> Prover:
        """Return a prover with further hypotheses and the same witness."""
        new = [s for s in extra if s not in self.given]
        return self._with((*self.given, *new), self.witness, self.use_z3)

    def _with(self, given: tuple[Any, ...], witness: Model | None, z3: bool) -> Prover:
        """Return a prover with other hypotheses that spends from the same budget."""
        name = (given, witness is None, z3)
        if name not in self._provers:
            prover = Prover(given, witness, z3, self.budget)
            if self.budget.left <= 0:  # it may lack facts that could no longer be worked out
                return prover
            self._provers[name] = prover
        return self._provers[name]

    # -------------------------------------------------------------- statements

    @evaluating
    def prove(self, goal: Any, falsify: bool = True) -> Proof:
        """Return a proof of a statement, or raise WrongStep or Unproved."""
        if goal not in self._proved:
            self._proved[goal] = self._prove(goal, falsify)
        return self._proved[goal]

    def _prove(self, goal: Any, falsify: bool) -> Proof:
        if goal in self.given:
            return Proof("hypothesis", used=(str(goal),))
        if isinstance(goal, sp.And):
            proofs = [self.prove(a, falsify) for a in sorted(goal.args, key=key)]
            return Proof("both parts", "; ".join(map(str, proofs)))
        if isinstance(goal, sp.Or):
            return self._prove_or(goal)
        if isinstance(goal, ForEach):
            return self._prove_for_each(goal, falsify)
        if isinstance(goal, Property):
            return self._prove_property(goal)
        if isinstance(goal, sp.Ne):
            return self._prove_nonzero(goal)
        if not isinstance(goal, Relational):
            raise Unproved(f"{goal}: no method for such a statement")
        return self._prove_relation(goal, falsify)

    def holds(self, goal: Any) -> bool:
        """Say whether a statement can be proved, without looking for counterexamples."""
        try:
            self.prove(goal, falsify=False)
        except (Unproved, WrongStep):
            return False
        return True

    def _prove_or(self, goal: Any) -> Proof:
        for a in sorted(goal.args, key=key):
            try:
                return self.prove(a, falsify=False)
            except (Unproved, WrongStep):
                continue
        if self._ask_z3(goal, []):
            return Proof("z3")
        raise Unproved(f"{goal}: no alternative could be proved", ["each alternative", "z3"])

    def _prove_for_each(self, goal: Any, falsify: bool) -> Proof:
        fresh = fresh_symbol(goal.index.name, [goal, *self.given], integer=True)
        inside = substitute(goal.relation, {goal.index: fresh})
        prover = self.extended([Ge(fresh, goal.low), Le(fresh, goal.high)])
        proof = prover.prove(inside, falsify)
        return dataclasses.replace(proof, detail=proof.detail or f"for every {goal.index}")

    def _prove_nonzero(self, goal: Any) -> Proof:
        e = goal.lhs - goal.rhs
        p = self.normal.polynomial(e)
        if self._nonzero(p):
            return Proof("signs")
        for other in conjuncts(self.given):
            if isinstance(other, sp.Ne):
                q = self.normal.polynomial(other.lhs - other.rhs)
                if self._proportional(p, q):
                    return Proof("hypothesis", used=(str(other),))
        for strict in (Gt(e, 0), Lt(e, 0)):
            try:
                return self._prove_relation(strict, falsify=False)
            except (Unproved, WrongStep):
                continue
        if self._ask_z3(goal, []):
            return Proof("z3")
        raise Unproved(f"{goal} could not be proved", ["signs", "certificate", "z3"])

    def _nonzero(self, p: Polynomial) -> bool:
        if self.normal.is_positive(p) or self.normal.is_positive({m: -c for m, c in p.items()}):
            return True
        if len(p) != 1:
            return False
        ((factors, bounds),) = p
        return not bounds and all(
            self.normal.is_positive_atom(a)
            or (is_leaf(a) and a.is_nonzero)
            or self._given_nonzero(a)
            for a, _ in factors
        )

    def _given_nonzero(self, atom: Any) -> bool:
        single: Polynomial = {(((atom, ONE),), ()): ONE}
        return any(
            self._proportional(single, self.normal.polynomial(s.lhs - s.rhs))
            for s in conjuncts(self.given)
            if isinstance(s, sp.Ne)
        )

    def _proportional(self, p: Polynomial, q: Polynomial) -> bool:
        if p.keys() != q.keys() or not p:
            return False
        m = next(iter(p))
        return all(p[k] * q[m] == q[k] * p[m] for k in p)

    # -------------------------------------------------------------- relations

    def _prove_relation(self, goal: Any, falsify: bool) -> Proof:
        tried = ["normal form"]
        try:
            proof = self._quick(goal)
        except TooLarge as limit:
            raise Unproved(f"{goal}: the normal form grows too large ({limit})", tried) from limit
        if proof is not None:
            return proof
        equation = isinstance(goal, sp.Eq)
        tried.append("certificate")
        for deep in (False, True):
            try:
                proof = (
                    self._certificate(goal, deep)
                    or self._by_branches(goal, deep)
                    or self._squared(goal, deep)
                    or self._exponentiated(goal, deep)
                    or (deep and self._scaled(goal))
                    or None
                )
                if proof is None and equation and deep and kind(goal.lhs - goal.rhs) == REAL:
                    proof = self._both_sides(goal)
            except TooLarge:
                proof = None
            if proof is not None:
                return proof
            # The deep search is long, and so are many models: most false lines fail in the first.
            if falsify and not deep:
                self._falsify(goal, 0, QUICK_MODELS, clear=True)
        if falsify:
            self._falsify(goal, 0, MANY_MODELS)
        needs = ""
        if self.use_z3 and not (equation and isinstance(goal.lhs, MatrixExpr)):
            if smt.available():
                tried.append("z3")
                if self._ask_z3(goal, [goal.lhs, goal.rhs]):
                    return Proof("z3", "real arithmetic over the atoms of the line")
            else:
                needs = f"needs z3, which is not installed, or a rule: {goal}"
        raise Unproved(needs or f"nothing proved {goal} (tried {', '.join(tried)})", tried)

    def _falsify(self, goal: Any, first: int, count: int, clear: bool = False) -> None:
        model = self.search.counterexample(goal, first, count, clear)
        if model is not None:
            raise WrongStep(
                describe(goal, self.given, model), counterexample(goal, self.given, model)
            )

    def difference(self, goal: Any) -> tuple[Polynomial, str]:
        """Return the polynomial whose sign the goal is about."""
        if isinstance(goal, sp.Eq) and isinstance(goal.lhs, MatrixExpr):
            probe = MatrixDirection("H", *goal.lhs.shape)
            gap = Trace(sp.Transpose(probe) * (goal.lhs - goal.rhs))
            return self.normal.polynomial(gap), "="
        e, op = oriented(goal)
        if kind(e) == VECTOR:
            return self.normal.polynomial(Dot(Direction("h"), e)), "="
        return self.normal.polynomial(e), op

    def _quick(self, goal: Any) -> Proof | None:
        p, op = self.difference(goal)
        if op == "=":
            return Proof("normal form") if self.normal.vanishes(p) else None
        if not p:
            return Proof("normal form") if op == ">=" else None
        strict = op == ">"
        if self.normal.is_positive(p) if strict else self.normal.is_nonnegative(p):
            return Proof("signs", "every term of the difference is nonnegative")
        e, _ = oriented(goal)
        written = [e]
        if goal.rhs == 0 or goal.lhs == 0:
            side = goal.lhs if goal.rhs == 0 else goal.rhs
            written.append(side if isinstance(goal, (sp.Ge, sp.Gt)) == (goal.rhs == 0) else -side)
        if any(structurally(self.normal, w, strict) for w in written):
            return Proof("signs", "nonnegative by its form")
        return None

    def _squared(self, goal: Any, deep: bool) -> Proof | None:
        """Prove ``a ≤ b`` by ``a² ≤ b²`` when b is nonnegative by its form and a has a root."""
        if isinstance(goal, sp.Eq):
            return None
        small, large = goal.lts, goal.gts
        if not small.atoms(sp.Pow) or not structurally(self.normal, large):
            return None
        roots = [x for x in small.atoms(sp.Pow) if x.exp.is_Rational and not x.exp.is_Integer]
        if not roots:
            return None
        square = goal.func
        a, b = (small**2, large**2) if goal.lhs == small else (large**2, small**2)
        squared = square(a, b, evaluate=False)
        proof = self._quick(squared) or self._certificate(squared, deep)
        if proof is None:
            return None
        return Proof("certificate", f"squared, {proof.detail}", proof.used)

    def _scaled(self, goal: Any) -> Proof | None:
        """Prove a line by its product with what a hypothesis says is positive."""
        if kind(goal.lhs - goal.rhs) != REAL:
            return None
        p, op = self.difference(goal)
        for f in [f for f in self.facts if f.relation == ">" and not f.parameters][:MAX_SCALES]:
            proof = self._combine(self.normal.product(p, f.polynomial), op, [])
            if proof is not None:
                return Proof("certificate", f"times ({f.label}): {proof.detail}", proof.used)
        return None

    def _exponentiated(self, goal: Any, deep: bool) -> Proof | None:
        """Prove ``a ≤ b`` with a logarithm in it by ``exp(a) ≤ exp(b)``."""
        if isinstance(goal, sp.Eq) or not any(
            isinstance(atom, sp.log) and power == 1 and len(factors) == 1 and not bounds
            for factors, bounds in self.difference(goal)[0]
            for atom, power in factors
        ):
            return None
        inside = goal.func(sp.exp(goal.lhs), sp.exp(goal.rhs), evaluate=False)
        proof = self._quick(inside) or self._certificate(inside, deep)
        if proof is None:
            return None
        return Proof("certificate", f"after exp, {proof.detail or proof.method}", proof.used)

    def _both_sides(self, goal: Any) -> Proof | None:
        below = self._certificate(Le(goal.lhs, goal.rhs))
        above = below and self._certificate(Ge(goal.lhs, goal.rhs))
        if below is None or above is None:
            return None
        return Proof(
            "certificate", f"≤: {below.detail}; ≥: {above.detail}", below.used + above.used
        )

    def _by_branches(self, goal: Any, deep: bool) -> Proof | None:
        """Replace absolute values, maxima and indicators by their values, case by case."""
        switches = sorted(
            {
                a
                for side in (goal.lhs, goal.rhs)
                for a in side.atoms(sp.Abs, sp.Max, sp.Min, Indicator)
                if _open(side, a) and not a.atoms(sp.Abs, sp.Max, sp.Min, Indicator) - {a}
            },
            key=key,
        )
        if not switches or len(switches) > 3 or kind(goal.lhs - goal.rhs) != REAL:
            return None
        if mixes_outcomes(switches, [goal, *self.given]):
            return None
        details = []
        for choice in itertools.product(*(list(branches(a)) for a in switches)):
            mapping = {a: value for a, (value, _) in zip(switches, choice, strict=True)}
            extra = [s for _, found in choice for s in found]
            inner = replace_nodes(goal, mapping)
            known = [replace_nodes(s, mapping) for s in self.given]
            prover = self._with((*known, *extra), None, False)
            try:
                proof = (
                    prover._quick(inner)
                    or prover._certificate(inner, deep)
                    or prover._exponentiated(inner, deep)
                )
                if proof is None and deep and isinstance(inner, sp.Eq):
                    proof = prover._both_sides(inner)
                if proof is None and not (deep and prover.contradictory()):
                    return None
            except TooLarge:
                return None
            details.append(str(proof.detail or proof.method) if proof else "cannot occur")
        return Proof("certificate", "by cases: " + "; ".join(details))

    def contradictory(self) -> Proof | None:
        """Return a proof that the hypotheses cannot hold together, if a certificate shows it.

        Either they add up to 0 > 0, or a product of terms that are not zero turns out to be zero.
        """
        apart = [
            s.lhs - s.rhs
            for s in conjuncts(self.given)
            if isinstance(s, sp.Ne) and not isinstance(s.lhs, MatrixExpr)
        ][:4]
        apart = [e for e in apart if kind(e) == REAL]
        for factors in [[e] for e in apart] + ([apart] if len(apart) > 1 else []):
            vanishing = Eq(sp.Mul(*factors), 0)
            proof = self._quick(vanishing) or self._certificate(vanishing)
            if proof is not None:
                return Proof("certificate", f"{vanishing}, yet no factor is zero: {proof}")
        return self._combine({}, ">", [])

    # -------------------------------------------------------------- certificates

    def _certificate(self, goal: Any, deep: bool = True) -> Proof | None:
        p, op = self.difference(goal)
        if op != "=":
            p = self._clear(p)
        authored = [goal.lhs, goal.rhs] if op != "=" else []
        return self._combine(p, op, authored, deep)

    def _positive_base(self, base: Any) -> bool:
        if base not in self._bases:
            # While it is being decided the denominator is not cleared.
            self._bases[base] = False
            p = self.normal.polynomial(base)
            self._bases[base] = self.normal.is_positive(p) or (
                self._combine(p, ">", [base], deep=False) is not None
            )
        return self._bases[base]

    def _clear(self, p: Polynomial) -> Polynomial:
        """Multiply by denominators, or their negatives, that are known to be positive."""
        for _ in range(4):
            base = self.normal._denominator(p)
            if base is None:
                return p
            power = max(-dict(m[0]).get(base, Fraction(0)) for m in p)
            if self._positive_base(base):
                p = self.normal.clear(p, base, power)
                continue
            opposite = {m: -c for m, c in self.normal.polynomial(base).items()}
            if power.denominator != 1 or not self.normal.is_positive(opposite):
                return p
            sign = -1 if power % 2 else 1
            p = {m: sign * c for m, c in self.normal.clear(p, base, power).items()}
        return p

    def _combine(
        self, goal: Polynomial, op: str, authored: list[Any], deep: bool = True
    ) -> Proof | None:
        """Return a certificate that the goal polynomial has its sign, within its share of work."""
        name = (frozenset(goal.items()), op, tuple(authored))
        # An equation is searched for in one way, whether deep or not.
        search = (*name, deep or op == "=")
        share = min(self.budget.left, WORK_FOR_ONE_CERTIFICATE)
        if self._failed.get(search, -1) >= share:
            return None
        saved = max(0, self.budget.left - WORK_FOR_ONE_CERTIFICATE)
        self.budget.left -= saved
        found = None
        try:
            found = self._begin(name, goal, op, authored)
            if found is None:
                found = self._combination(self._begun[name], goal, op, deep)
        except TooLarge:
            pass
        finally:
            self.budget.left = max(0, self.budget.left) + saved
        if found is None:
            self._failed[search] = share
        return found

    def _begin(self, name: Any, goal: Polynomial, op: str, authored: list[Any]) -> Proof | None:
        """Look for a certificate of facts that meet the goal, and keep what was tried."""
        if name in self._begun:
            return None
        stated = [f for f in self.facts if op != "=" or f.is_equation]
        known = [goal, *(f.polynomial for f in self.facts if not f.vector)]
        allowed = Allowed.by(known)
        general = general_facts(self.normal, known)
        if op == "=":
            general = [f for f in general if f.is_equation]
        pool = _Pool(self, goal, op, allowed)
        if not goal and op == ">":
            pool.add_plain(stated)
        pool.meet(stated, list(goal))
        if (found := pool.solve()) is not None:
            return found
        written = [e for s in conjuncts(self.given) if isinstance(s, Relational) for e in s.args]
        forms = authored_facts(self.normal, [*authored, *written]) if op != "=" else []
        pool.add_plain(forms)
        pool.meet([*general, *forms], list(goal))
        if (found := pool.solve()) is not None:
            return found
        self._begun[name] = _Beginning(pool, stated, general, forms)
        return None

    def _combination(
        self, begun: _Beginning, goal: Polynomial, op: str, deep: bool
    ) -> Proof | None:
        """Go on with facts that meet what the facts so far have brought in."""
        pool, stated = begun.pool.copy(), begun.stated
        general, forms = begun.general, begun.forms
        if op != "=" and not deep:
            pool.add_plain(completed_squares(self.normal, goal))
            pool.meet(stated, pool.monomials(12))
            return pool.solve()
        second = pool.monomials(40)
        if op != "=":
            squares = completed_squares(self.normal, goal) + square_facts(self.normal, second)
            pool.add_plain(squares)
            pool.meet(squares, list(goal))
        pool.meet(stated, second)
        pool.meet([*general, *forms], second[:16])
        if (found := pool.solve()) is not None:
            return found
        if op == "=" or not goal:
            pool.meet([*stated, *general], pool.monomials(80))
            if (found := pool.solve()) is not None or op == "=":
                return found
        factors = [f for f in [*stated, *forms] if not f.is_equation and not f.vector][:8]
        tangents = [f for f in general if f.tangent and f.polynomial.keys() & goal.keys()][:8]
        pairs = itertools.chain(
            itertools.combinations_with_replacement(factors, 2),
            itertools.product(tangents, factors),
        )
        products = list(self._products(pairs))
        pool.add_plain([*stated, *products])
        pool.meet(products, list(goal))
        return pool.solve()

    def _products(self, pairs: Iterable[tuple[Fact, Fact]]) -> Iterable[Fact]:
        for f, g in pairs:
            if f.parameters or g.parameters:
                continue
            try:
                p = self.normal.product(f.polynomial, g.polynomial)
            except TooLarge:
                continue
            strict = f.relation == g.relation == ">"
            if p:
                yield Fact(p, ">" if strict else ">=", f"({f.label})·({g.label})")

    def matrix_equations(self) -> list[tuple[dict[Word, Any], Any, str]]:
        """Return the matrix equations among the hypotheses as words that add up to zero."""
        out = []
        for s in conjuncts(self.given):
            if isinstance(s, sp.Eq) and isinstance(s.lhs, MatrixExpr):
                words = self.normal.words(s.lhs - s.rhs)
                out.append((words, s.lhs.shape, str(s)))
                out += self._freed(words, s.lhs.shape, str(s))
        return out

    def _freed(
        self, words: dict[Word, Any], shape: Any, label: str
    ) -> list[tuple[dict[Word, Any], Any, str]]:
        """Return an equation multiplied by what it contains inverted at its ends."""
        heads = dict.fromkeys(w[0] for w in words if w and w[0][2])
        tails = dict.fromkeys(w[-1] for w in words if w and w[-1][2])
        left: list[Word] = [(), *(((m, turned, False),) for m, turned, _ in heads)]
        right: list[Word] = [(), *(((m, turned, False),) for m, turned, _ in tails)]
        out = []
        for before, after in list(itertools.product(left, right))[1:]:
            product = self.normal._times_words({before: sp.Integer(1)}, words)
            product = self.normal._times_words(product, {after: sp.Integer(1)})
            names = [spell(letter) for letter in (*before, *after)]
            out.append((product, shape, f"({label}) times {' and '.join(names)}"))
        return out

    # -------------------------------------------------------------- matrices

    def _prove_property(self, goal: Any) -> Proof:
        if isinstance(goal, Invertible):
            if self._invertible(goal.args[0]):
                return Proof("matrix algebra", f"{goal.args[0]} is invertible")
        elif isinstance(goal, PositiveDefinite):
            if self._definite(goal.args[0], strict=True):
                return Proof("matrix algebra", f"{goal.args[0]} is positive definite")
        elif isinstance(goal, PositiveSemidefinite) and self._definite(goal.args[0], strict=False):
            return Proof("matrix algebra", f"{goal.args[0]} is positive semidefinite")
        elif isinstance(goal, IndependentFamily) and self._independent(goal.args[0]):
            return Proof("hypothesis", used=(str(goal),))
        raise Unproved(f"nothing shows that {goal}; assume it in given=[...]", ["matrix algebra"])

    def _independent(self, family: Any) -> bool:
        """Say whether the rows of a random family are independent by a hypothesis for each row."""
        if not isinstance(family, sp.Lambda):
            return False
        at = fresh_symbol("i", [family, *self.given], integer=True)
        mine = member(family, [at])
        for s in conjuncts(self.given):
            if not isinstance(s, ForEach) or not isinstance(s.relation, IndependentFamily):
                continue
            for row in sorted(mine.free_symbols, key=str):
                if not isinstance(row, sp.Symbol) or not row.is_integer or row == at:
                    continue
                stated = substitute(s.relation, {s.index: row}).args[0]
                same = isinstance(stated, sp.Lambda) and member(stated, [at]) == mine
                if same and self.holds(Ge(row, s.low)) and self.holds(Le(row, s.high)):
                    return True
        return False

    def _declared(self, m: Any, *classes: Any) -> bool:
        words = self.normal.words(m)
        return any(
            isinstance(s, classes) and self.normal.same_words(words, self.normal.words(s.args[0]))
            for s in conjuncts(self.given)
        )

    def _invertible(self, m: Any) -> bool:
        if self._declared(m, Invertible, PositiveDefinite) or self._definite(m, strict=True):
            return True
        if isinstance(m, (sp.Identity,)):
            return True
        if isinstance(m, (sp.Transpose, sp.Inverse, Inverse)):
            return self._invertible(m.args[0])
        if isinstance(m, sp.MatMul):
            factors = [a for a in m.args if isinstance(a, MatrixExpr)]
            scalars = [a for a in m.args if not isinstance(a, MatrixExpr)]
            return all(a.shape[0] == a.shape[1] and self._invertible(a) for a in factors) and all(
                self._nonzero(self.normal.polynomial(c)) for c in scalars
            )
        return False

    def _definite(self, m: Any, strict: bool) -> bool:
        """Positive (semi)definite as a sum of squares VᵀV, declared matrices and multiples of I."""
        classes = (PositiveDefinite,) if strict else (PositiveDefinite, PositiveSemidefinite)
        if self._declared(m, *classes):
            return True
        some = False
        for word, c in self.normal.words(m).items():
            p = self.normal.polynomial(c)
            if not p:
                continue
            sure = self.normal.is_positive(p)
            if not (sure or self.normal.is_nonnegative(p)):
                return False
            half = len(word) // 2
            middle = word[half : len(word) - half]
            if transpose_word(word[:half]) != word[len(word) - half :]:
                return False
            plain = not middle and not half
            definite = bool(middle) and self._letter_definite(middle[0], (PositiveDefinite,))
            if middle and not definite and not self._letter_definite(middle[0], classes):
                return False
            if sure and (plain or (definite and not half)):
                some = True
        return some or not strict

    def _letter_definite(self, letter: Any, classes: tuple[type, ...]) -> bool:
        m, _, inverted = letter
        if isinstance(m, Composite):
            return self._definite(m.args[0], strict=True)
        wanted = (PositiveDefinite,) if inverted else classes
        return self._declared(m, *wanted)

    # -------------------------------------------------------------- z3

    def _ask_z3(self, goal: Any, authored: list[Any]) -> bool:
        if not self.use_z3 or not smt.available():
            return False
        self.budget.left = max(self.budget.left, WORK_FOR_ONE_CERTIFICATE)
        try:
            sides = list(conjuncts([*self.given, *([goal] if goal is not None else [])]))
            known = [
                self.normal.polynomial(r.lhs - r.rhs)
                for s in sides
                for r in _relations(s)
                if not isinstance(r.lhs, MatrixExpr) and kind(r.lhs - r.rhs) == REAL
            ]
            written = [*authored, *(x for s in sides for r in _relations(s) for x in r.args)]
            facts = [
                *self.facts,
                *general_facts(self.normal, known),
                *authored_facts(self.normal, written),
            ]
            return smt.refutes(self.normal, self.given, facts, goal)
        except TooLarge:
            return False


@dataclasses.dataclass(frozen=True)
class _Beginning:
    """A search for a certificate after its first steps, which have found nothing."""

    pool: _Pool
    stated: list[Fact]
    general: list[Fact]
    forms: list[Fact]


class _Pool:
    """The columns of a certificate in the making."""

    def __init__(self, prover: Prover, goal: Polynomial, op: str, allowed: Allowed) -> None:
        self.prover, self.goal, self.op, self.allowed = prover, goal, op, allowed
        self.normal = prover.normal
        self.columns: dict[Any, Column] = {}
        self.met: dict[Monomial, set[Any]] = {}
        self.equations = list(prover.matrix_equations())
        inverted = {
            m
            for factors, _ in goal
            for atom, _ in factors
            if isinstance(atom, TraceWord)
            for m, _, inverse in atom.word
            if inverse and isinstance(m, Composite)
        }
        for m in sorted(inverted, key=key):
            self.equations += _inverse_equations(self.normal, m)

    def copy(self) -> _Pool:
        """Return a pool that can grow on its own."""
        new = copy.copy(self)
        new.columns = dict(self.columns)
        new.met = {t: set(facts) for t, facts in self.met.items()}
        return new

    def put(self, p: Polynomial, relation: str, origin: Any) -> None:
        if len(self.columns) < MAX_COLUMNS and p:
            mark = (frozenset(p.items()), relation)
            self.columns.setdefault(mark, Column(p, relation, origin))

    def add_plain(self, facts: Iterable[Fact]) -> None:
        for f in facts:
            if not f.parameters and not f.vector:
                self.put(f.polynomial, f.relation, f.label)

    def meet(self, facts: Iterable[Fact], targets: Iterable[Monomial]) -> None:
        facts = list(facts)
        for t in sorted(targets, key=monomial_key):
            if t not in self.met:
                self.met[t] = set()
                self._meet_matrices(t)
            at: Opened | None = None
            for f in facts:
                if id(f.polynomial) in self.met[t]:
                    continue
                self.met[t].add(id(f.polynomial))
                at = at or opened(self.normal, t)
                try:
                    for p, relation, label in instances(self.normal, f, at, self.allowed):
                        self.put(p, relation, label)
                except TooLarge:
                    continue

    def _meet_matrices(self, target: Monomial) -> None:
        factors, bounds = target
        traces = [(a, e) for a, e in factors if isinstance(a, TraceWord) and e == 1]
        if bounds or len(traces) != 1:
            return
        atom = traces[0][0]
        rest = {a: e for a, e in factors if a != atom}
        for words, shape, label in self.equations:
            for w in dict.fromkeys([atom.word, transpose_word(atom.word)]):
                self._meet_equation(w, words, shape, label, rest)

    def _meet_equation(
        self, word: Word, words: dict[Word, Any], shape: Any, label: str, rest: Any
    ) -> None:
        for part in words:
            for k in range(len(word)):
                turned = word[k:] + word[:k]
                if turned[: len(part)] != part:
                    continue
                others = turned[len(part) :]
                if not part and letter_shape(turned[0])[0] != shape[0]:
                    continue
                terms = []
                for other, c in words.items():
                    terms += self.normal._times(
                        self.normal._times(self.normal._terms(c), [(ONE, dict(rest), ())]),
                        self.normal._trace_word(other + others, shape[0]),
                    )
                self.put(self.normal._collect(terms), "=", label)

    def monomials(self, limit: int) -> list[Monomial]:
        found = dict.fromkeys(sorted(self.goal, key=monomial_key))
        for column in self.columns.values():
            for m, _ in sorted_items(column.polynomial):
                found.setdefault(m)
        return list(found)[:limit]

    def solve(self) -> Proof | None:
        columns = list(self.columns.values())
        if self.op == "=":
            columns = [c for c in columns if c.relation == "="]
        else:
            seen = {m for c in [self.goal, *(c.polynomial for c in columns)] for m in c}
            seen.add(UNIT)
            for m in sorted(seen, key=monomial_key):
                sign = self.normal._monomial_sign(m, ONE)
                if sign >= 0:
                    relation = ">" if sign > 0 else ">="
                    label = functools.partial(self._spell, m, relation)
                    columns.append(Column({m: ONE}, relation, label))
        reward = [c.relation == ">" for c in columns] if self.op == ">" else None
        self.prover.budget.spend(len(columns))
        found = combination(
            self.goal, [c.polynomial for c in columns], [c.relation == "=" for c in columns], reward
        )
        if found is None or not checks(self.goal, self.op, columns, found):
            return None
        used = [(found[j], columns[j]) for j in sorted(found)]
        detail = readable_indices(" + ".join(f"{c}·[{column.label}]" for c, column in used))
        return Proof("certificate", detail, tuple(column.label for _, column in used))

    def _spell(self, m: Monomial, relation: str) -> str:
        return f"{self.normal.expression({m: ONE})} {_SIGN[relation]} 0"


_SIGN = {">": ">", ">=": "≥"}


def checks(goal: Polynomial, op: str, columns: list[Column], found: dict[int, Fraction]) -> bool:
    """Add a certificate up again: the check on which its truth rests."""
    total: Polynomial = {}
    positive = False
    for j, c in found.items():
        column = columns[j]
        if column.relation != "=" and c < 0:
            return False
        if op == "=" and column.relation != "=":
            return False
        positive = positive or (column.relation == ">" and c > 0)
        for m, d in column.polynomial.items():
            total[m] = total.get(m, Fraction(0)) + c * d
    same = {m: c for m, c in total.items() if c} == goal
    return same and (op != ">" or positive)


def _inverse_equations(normal: Any, m: Composite) -> list[tuple[dict[Word, Any], Any, str]]:
    """``C C⁻¹ = I`` and ``C⁻¹ C = I`` for a sum C that is inverted."""
    inverse: Word = ((m, False, True),)
    minus = {(): sp.Integer(-1)}
    words = normal.words(m.args[0])
    left = add_words([{w + inverse: c} for w, c in words.items()] + [minus])
    right = add_words([{inverse + w: c} for w, c in words.items()] + [minus])
    label = f"({m})·({m})⁻¹ = I"
    return [(left, m.shape, label), (right, m.shape, label)]


def _relations(s: Any) -> list[Any]:
    if isinstance(s, (sp.And, sp.Or, sp.Not)):
        return [r for a in s.args for r in _relations(a)]
    return [s] if isinstance(s, Relational) else []


def _open(e: Any, node: Any) -> bool:
    """Say whether a node stands outside every summation sign and expectation of a term."""
    if e == node:
        return True
    if isinstance(e, (sp.Sum, sp.Product, Expectation, Probability, Indicator)):
        return False
    return any(_open(a, node) for a in e.args if isinstance(a, sp.Basic))


def mixes_outcomes(conditions: Iterable[Any], statements: Iterable[Any]) -> bool:
    """Say whether a case about one outcome could be mistaken for one about all of them.

    A hypothesis about a random term is meant for every outcome, so that it may be used under an
    expectation; a case that holds for some outcomes only may not.
    """
    means = (Expectation, Probability, MatrixExpectation)
    conditions = list(conditions)
    return any(is_random(c) for c in conditions) and any(
        s.has(*means) for s in [*conditions, *statements]
    )


def branches(a: Any) -> list[tuple[Any, list[Any]]]:
    """Return the possible values of a switch, each with the condition under which it is taken."""
    if isinstance(a, sp.Abs):
        x = a.args[0]
        return [(x, [Ge(x, 0)]), (-x, [Le(x, 0)])]
    if isinstance(a, Indicator):
        return [(sp.Integer(1), [a.args[0]]), (sp.Integer(0), [negation(a.args[0])])]
    out = []
    for x in a.args:
        relation = Ge if isinstance(a, sp.Max) else Le
        out.append((x, [relation(x, y) for y in a.args if y != x]))
    return out


def negation(s: Any) -> Any:
    """Return the negation of a statement."""
    opposite = {sp.Ge: Lt, sp.Gt: Le, sp.Le: Gt, sp.Lt: Ge}
    for cls, other in opposite.items():
        if isinstance(s, cls):
            return other(s.lhs, s.rhs)
    if isinstance(s, sp.Eq):
        return sp.Ne(s.lhs, s.rhs, evaluate=False)
    if isinstance(s, sp.Ne):
        return sp.Eq(s.lhs, s.rhs, evaluate=False)
    if isinstance(s, sp.And):
        return sp.Or(*map(negation, s.args), evaluate=False)
    if isinstance(s, sp.Or):
        return sp.And(*map(negation, s.args), evaluate=False)
    raise Unproved(f"no negation of {s} in this language")


def replace_nodes(e: Any, mapping: dict[Any, Any]) -> Any:
    """Replace whole subterms outside of binders, never evaluating relations."""
    return substitute(e, mapping)


def counterexample(goal: Any, given: Sequence[Any], model: Model) -> dict[str, Any]:
    """Return the values of a model by name, with those of the two sides."""
    mentioned = set().union(*(symbols_in(e) for e in [goal, *given]))
    return readable(model, mentioned)


def describe(goal: Any, given: Sequence[Any], model: Model) -> str:
    """Return a counterexample as sentences."""
    values = counterexample(goal, given, model)
    listed = ", ".join(f"{name} = {show_value(v)}" for name, v in values.items())
    text = f"this line is false: {plain(goal)}"
    if isinstance(goal, Relational):
        bad = [env for env in outcomes(goal, model) if not model.holds(goal, env)]
        left, right = model.value(goal.lhs, bad[0]), model.value(goal.rhs, bad[0])
        text += f"\nfor {listed}" if listed else ""
        text += f"\nthe left side is {show(left)} and the right side is {show(right)}"
        if given:
            text += ",\nwhile every hypothesis holds"
    return text


def show_value(v: Any) -> str:
    """Return a value of a counterexample as text."""
    return str(v) if isinstance(v, sp.Basic) else show(v)


def require_defined(prover: Prover, e: Any, found: Iterable[Any]) -> list[Proof]:
    """Prove the conditions under which a term has a value, or raise Undefined."""
    proofs = []
    for c in found:
        try:
            proofs.append(prover.prove(c))
        except WrongStep as wrong:
            listed = ", ".join(f"{k} = {show_value(v)}" for k, v in wrong.counterexample.items())
            raise Undefined(
                f"{e} may have no value: it needs {c}, which fails for {listed}"
            ) from wrong
        except Unproved as reason:
            raise Undefined(
                f"{e} may have no value: it needs {c}, which does not follow from the hypotheses; "
                "add it to given=[...] or to the assumptions of a symbol"
            ) from reason
    return proofs
