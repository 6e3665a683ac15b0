"""What is known at some point of a proof, and the order in which proofs are tried."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence

from mlnotes.trusted.normal import Polynomial, normal, polynomial
from mlnotes.trusted.terms import Refused, Term, fill, fuel

from .. import proofs as pf
from .. import words
from ..arithmetic import combine, is_relation
from ..errors import Unproved
from ..language import limited
from ..probability import Law, instance, law_of
from ..proofs import Proof, assume, axiom, discharge, generalise, le, lemma, lt, mp, negation, ring
from . import (
    atoms,
    functions,
    instances,
    integrals,
    relations,
    rewriting,
    signs,
    subsets,
)
from .terms import members_of, size_positive, square_root, subterms

SECONDS = 2.4  # for one line; looking for values that refute it takes the rest
# Seconds are told to people. What is counted is work, so that a search that succeeds on one machine
# succeeds on every other one, however busy it is.
RATE = 600_000  # steps in a second, about
LOOK = 50  # steps for one look at what to try next


class Context:
    """What is known at some point of a proof.

    Parameters
    ----------
    facts : proofs
        What is known; a hypothesis is its own proof.
    parent : Context, optional
        The context of which this one knows everything as well.
    """

    def __init__(self, facts: Iterable[Proof] = (), parent: Context | None = None) -> None:
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.facts: list[Proof] = list(parent.facts) if parent else []
        self.universal: list[Proof] = list(parent.universal) if parent else []
        self.laws: list[Law] = list(parent.laws) if parent else []
        self.known: dict[Term, Proof] = dict(parent.known) if parent else {}
        self.substituting: bool = parent.substituting if parent else False
        self.focus: list[Proof] = list(parent.focus) if parent else []
        # The upper limit at which an induction takes the last term off a sum or product.
        self.unrolled: Term | None = parent.unrolled if parent else None
        self.by_arithmetic: dict[Term, Proof | None] = {}
        self.uses: dict[object, Proof | None] = {}
        self.matching: bool = parent.matching if parent else False
        self.clearing: bool = parent.clearing if parent else False
        self.squaring: bool = parent.squaring if parent else False
        self.splits: int = parent.splits if parent else 0
        # Whether the traces of the goal were reduced already, and what each one was found to be.
        self.worded: bool = parent.worded if parent else False
        self.traces: dict[tuple[Term, Term | None], Proof | None] = {}
        # Ranges of sums in the goal in which unit columns of a size occur.
        self.spans: list[tuple[str, Term, Term]] = []
        self.exponentiated: bool = parent.exponentiated if parent else False
        self.signs: dict[tuple[str, Term], Proof | None] = {}
        self.instances: dict[Term, list[Proof]] = {}
        self.descriptions: dict[Term, list[Proof]] = {}
        self.parts: dict[Term, list[integrals.Part] | None] = {}
        for fact in facts:
            self.add(fact)

    def extended(self, *facts: Proof) -> Context:
        """Return a context that knows more."""
        return Context(facts, self)

    def focused(self, *facts: Proof) -> Context:
        """Return a context that knows more, which is tried first."""
        out = Context(facts, self)
        out.focus = [f for p in facts for f in pf.conjuncts(p) if is_relation(f.conclusion)]
        return out

    @contextlib.contextmanager
    def working(self, seconds: float | None = None) -> Iterator[None]:
        """Allow what follows its own work."""
        seconds = SECONDS if seconds is None else seconds
        with limited(int(seconds * RATE)):
            yield

    def check_work(self) -> None:
        """Give up where the work that is allowed is done."""
        if fuel.left < LOOK:
            raise Unproved("no proof was found with the work that a line may take")
        fuel.spend(LOOK)

    def add(self, fact: Proof) -> None:
        """Learn something."""
        for part in pf.conjuncts(fact):
            p = part.conclusion
            self.known.setdefault(normal(p), part)
            if p.op == "all":
                law = law_of(part)
                if law is not None:
                    self.laws.append(law)
                else:
                    self.universal += [part, *subsets.positive_powers(self, part)]
            elif p.op == "->":
                self._add_negation(part)
                self.universal.append(part)
            else:
                self._learn(part)

    def _learn(self, fact: Proof) -> None:
        """Keep a fact, and that a vector of length zero is zero."""
        self.facts.append(fact)
        p = fact.conclusion
        if words.is_matrix_equation(p):
            self.universal += words.eigenvectors(self, fact)
        if p.op not in ("<=", "=") or p.args[0].sort != "R":
            return
        root = square_root(polynomial(p.args[0])) if not polynomial(p.args[1]) else None
        if root is not None:
            flat = fact if p.op == "<=" else combine(le(p.args[0], 0), [fact])
            if flat is not None:
                self.facts.append(mp(lemma("zero_if_square", x=root), flat))
        for a, b in (p.args, p.args[::-1]):
            if a.op == "dot" and a.args[0] is a.args[1] and not polynomial(b):
                if p.op == "<=" and a is not p.args[0]:
                    return
                u = a.args[0]
                flat = fact if p.op == "<=" else combine(le(a, 0), [fact])
                if flat is not None:
                    zero = pf.build("zero", ("V",))
                    gone = mp(lemma("equal_vectors", u=u, v=zero), flat)
                    self.facts.append(gone)
                    self.known.setdefault(normal(gone.conclusion), gone)
                return

    def _add_negation(self, fact: Proof) -> None:
        """Learn the order that the negation of an order says."""
        p, q = fact.conclusion.args
        if q.op == "F" and p.op == "=" and p.args[0].sort == "R":
            gap = p.args[0] if not polynomial(p.args[1]) else pf.sub(*p.args)
            self.facts.append(mp(axiom("inverse", x=gap), fact))
        if q.op != "F" or p.op not in ("<=", "<"):
            return
        a, b = p.args
        kind = "_integers" if a.sort == "Z" else ""
        names = ("i", "j") if a.sort == "Z" else ("x", "y")
        rule = "less_if_not_at_least" if p.op == "<=" else "at_most_if_not_less"
        self._learn(mp(lemma(rule + kind, **dict(zip(names, (a, b), strict=True))), fact))

    def prove(self, goal: Term) -> Proof:
        """Return a proof of a goal, or raise Unproved."""
        try:
            found = self._prove(goal)
        except Refused as reason:
            raise Unproved(f"the search gave up: {reason}") from reason
        if found is None:
            raise Unproved("nothing here could prove this line")
        return found

    def attempt(self, goal: Term) -> Proof | None:
        """Return a proof of a goal, or None."""
        try:
            return self._prove(goal)
        except (Unproved, Refused):
            return None

    def _prove(self, goal: Term) -> Proof | None:
        """Prove a goal by its outermost connective: ∀, → and ∧ are taken apart."""
        self.check_work()
        found = self.said(goal)
        if found is not None:
            return found
        if goal.op == "all":
            found = instance(self, goal)
            if found is not None:
                return found
            x = pf.fresh(goal.data[0], "a")
            return generalise(x, self.prove(fill(goal.args[0], (x,))))
        if goal.op == "->":
            inner = self.extended(assume(goal.args[0]))
            return discharge(goal.args[0], inner.prove(goal.args[1]))
        if goal.op == "&":
            return pf.conjunction(*(self.prove(p) for p in goal.args))
        if goal.op == "|":
            return self._either(goal)
        if goal.op in ("=", "<=", "<"):
            found = self._direct(goal)
            if found is not None:
                return found
        if goal.op == "F" or is_relation(goal):
            return relations.prove_relation(self, goal)
        if goal.op == "=":
            return rewriting.prove_vectors(self, goal)
        if goal.op == "integrable":
            return integrals.prove_integrable(self, goal)
        if goal.op == "deriv":
            from ..derivatives import prove_derivative

            return prove_derivative(self, goal)
        return None

    def said(self, goal: Term) -> Proof | None:
        """Return a fact that says the same, or a proof by calculation alone."""
        form = normal(goal)
        if goal.op in ("=", "<=", "<") and form.op == "->" and form.args[0].op == "F":
            return ring(goal)
        found = self.known.get(form)
        return pf.convert(found, goal) if found is not None else None

    def _direct(self, goal: Term) -> Proof | None:
        """Return the instance of a universal fact that says the same."""
        form, members = normal(goal), list(members_of(goal))
        for fact in self.universal:
            for found in self.instantiate(fact, members):
                for part in pf.conjuncts(found):
                    if normal(part.conclusion) is form:
                        return pf.convert(part, goal)
        return None

    def _either(self, goal: Term) -> Proof | None:
        """Prove p ∨ q from p, or from q with ¬p assumed."""
        p, q = goal.args
        first = self.attempt(p)
        if first is not None:
            return mp(axiom("or_left", p=p, q=q), first)
        second = self.extended(assume(negation(p))).attempt(q)
        if second is None:
            return None
        yes = mp(axiom("or_left", p=p, q=q), assume(p))
        no = mp(axiom("or_right", p=p, q=q), second)
        return pf.by_cases(p, yes, no)

    def simply(self, p: Term) -> Proof | None:
        """Return a proof without distinguishing cases or comparing term by term, or None."""
        if self.depth > 3:
            return self.contradiction() if p.op == "F" else None
        inner = self.extended()
        inner.splits, inner.squaring = 3, True
        return inner.attempt(p)

    def quick(self, p: Term) -> Proof | None:
        """Return a proof by arithmetic with the facts alone, or None."""
        found = self.said(p)
        if found is None and p.op == "->" and p.args[0].op == "F":
            return self.attempt(p)
        if found is None and is_relation(p):
            if p not in self.by_arithmetic:
                facts = [f for f in self.facts if is_relation(f.conclusion)]
                if p.args[0].sort == "Z":
                    facts = [f for f in facts if f.conclusion.args[0].sort == "Z"]
                    facts += [size_positive(t) for t in subterms(p) if t.op == "dim"]
                self.by_arithmetic[p] = combine(p, facts)
            found = self.by_arithmetic[p]
        return found

    def contradiction(self) -> Proof | None:
        """Return a proof that the facts contradict each other, or None."""
        facts = [f for f in self.facts if is_relation(f.conclusion)]
        return combine(pf.false(), facts)

    def opened(self, low: Term, high: Term) -> tuple[Term, Context]:
        """Return a generic index of a range and a context that knows its bounds."""
        i = pf.fresh("Z", "i")
        return i, self.extended(assume(le(low, i)), assume(le(i, high)))

    def sign(self, kind: str, t: Term) -> Proof | None:
        """Return a proof of 0 < t or 0 ≤ t, or None."""
        key = kind, t
        if key not in self.signs:
            self.signs[key] = None
            goal = lt(0, t) if kind == "positive" else le(0, t)
            try:
                self.signs[key] = signs.prove_sign(self, kind, goal, t)
            except Refused:
                self.signs[key] = None
        return self.signs[key]

    # ------------------------------------------------------------------ what others ask for

    def compare(
        self, goal: Term, inner: Callable[[Context, Term, Term], Proof | None] | None = None
    ) -> Proof | None:
        """Prove Σf ≤ Σg (or Π, E, ∫; or =, <) from f ≤ g at a generic index, outcome or point."""
        return relations.compare(self, goal, inner)

    def written_facts(self, goal: Term) -> list[Proof]:
        """Return facts about squares, logarithms and roots in the form that is written."""
        return functions.written_facts(self, goal)

    def facts_about(self, chosen: Iterable[Term], facts: Sequence[Proof]) -> list[Proof]:
        """Return signs and defining equations of the atoms of a goal and of facts."""
        return atoms.facts_about(self, chosen, facts)

    def about(self, a: Term) -> list[Proof]:
        """Return what is known of an atom by what it is."""
        return atoms.about(self, a)

    def facts_of_sum(self, a: Term) -> Iterator[Proof]:
        """Return what is known of a sum: its length, its sign, its last term, its reduced terms."""
        return atoms.facts_of_sum(self, a)

    def last_term(self, a: Term) -> Proof | None:
        """Take the last term off a sum or product that an induction has made longer."""
        return atoms.last_term(self, a)

    def delta(self, a: Term) -> Proof | None:
        """Return the value of Σₖ [k = j] f(k)."""
        return atoms.delta(self, a)

    def structural_sign(self, kind: str, goal: Term, p: Polynomial) -> Proof | None:
        """Prove a sign from the signs of terms and factors."""
        return signs.structural_sign(self, kind, goal, p)

    def not_zero(self, t: Term) -> Proof | None:
        """Return a proof of t ≠ 0, or None."""
        return signs.not_zero(self, t)

    def instances_for(self, goal: Term) -> list[Proof]:
        """Return what universal facts say about the members of families in a goal."""
        return instances.instances_for(self, goal)

    def late_instances(self, goal: Term, facts: Sequence[Proof]) -> list[Proof]:
        """Return what universal facts say about members that only other facts mention."""
        return instances.late_instances(self, goal, facts)

    def instantiate(self, fact: Proof, members: Sequence[Term]) -> list[Proof]:
        """Return instances of a universal fact at the indices of members."""
        return instances.instantiate(self, fact, members)

    def use_up_to(self, fact: Proof, values: Sequence[Term]) -> Proof | None:
        """Specialise a fact at these values, proving the premises on the way."""
        return instances.use_up_to(self, fact, values)

    def reduced(self, t: Term) -> tuple[Proof, Term] | None:
        """Return t = s where equations of the context, used from left to right, give s."""
        return rewriting.reduced(self, t)

    def substituted(self, goal: Term) -> tuple[Term, Callable[[Proof], Proof]] | None:
        """Return a goal with symbols replaced by what they equal, and the way back."""
        return rewriting.substituted(self, goal)

    def forward(self, fact: Proof) -> Proof:
        """Return a fact with symbols replaced by what they equal."""
        return rewriting.forward(self, fact)
