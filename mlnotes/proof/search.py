"""The search for proofs: from facts that are known to a goal.

Nothing here is trusted. A :class:`Context` holds what is known (hypotheses, bounds of open indices,
theorems applied) and tries, in order: calculation, facts that say the same, arithmetic with facts
about the signs and defining equations of the atoms, instances of what holds for every index,
substitution of equals, and comparing sums term by term.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product

from mlnotes.trusted.normal import Monomial, Polynomial, build, normal, plus, polynomial, times
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, fill, rebuild, shift, sizes

from . import probability, words
from . import proofs as pf
from .arithmetic import combine, contradiction, is_relation, quotient
from .errors import Unproved
from .geometry import vector_inequality
from .language import limited
from .merging import (
    by_coefficients,
    exchanged,
    merged,
    merged_vectors,
    open_members,
    perfect_square,
    values_at,
)
from .proofs import (
    Proof,
    assume,
    axiom,
    by_order,
    discharge,
    each_intro,
    eq,
    generalise,
    le,
    lemma,
    lt,
    mp,
    mul,
    negation,
    psatz,
    ring,
    specialise,
)

SECONDS = 2.4  # of the processor for one line; looking for values that refute it takes the rest
RATE = 3_000_000  # what the kernel's rules spend at most in a second, about
SIGN_DEPTH = 4


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
        self.deadline: float = parent.deadline if parent else time.process_time() + SECONDS
        self.depth: int = parent.depth + 1 if parent else 0
        self.facts: list[Proof] = list(parent.facts) if parent else []
        self.universal: list[Proof] = list(parent.universal) if parent else []
        self.laws: list[probability.Law] = list(parent.laws) if parent else []
        self.known: dict[Term, Proof] = dict(parent.known) if parent else {}
        self.substituting: bool = parent.substituting if parent else False
        self.focus: list[Proof] = list(parent.focus) if parent else []
        # The upper limit at which an induction takes the last term off a sum or product.
        self.unrolled: Term | None = parent.unrolled if parent else None
        self._arithmetic_cache: dict[Term, Proof | None] = {}
        self._uses: dict[object, Proof | None] = {}
        self.matching: bool = parent.matching if parent else False
        self.clearing: bool = parent.clearing if parent else False
        self.squaring: bool = parent.squaring if parent else False
        self.splits: int = parent.splits if parent else 0
        self.exponentiated: bool = parent.exponentiated if parent else False
        self._signs: dict[tuple[str, Term], Proof | None] = {}
        self._instances: dict[Term, list[Proof]] = {}
        self._atoms: dict[Term, list[Proof]] = {}
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
        """Allow what follows its own time and work."""
        seconds = SECONDS if seconds is None else seconds
        self.deadline = time.process_time() + seconds
        with limited(int(seconds * RATE)):
            yield

    def check_time(self) -> None:
        """Give up where the time is over."""
        if time.process_time() > self.deadline:
            raise Unproved("no proof was found in time")

    def add(self, fact: Proof) -> None:
        """Learn something."""
        for part in pf.conjuncts(fact):
            p = part.conclusion
            self.known.setdefault(normal(p), part)
            if p.op == "all":
                law = probability.law_of(part)
                if law is not None:
                    self.laws.append(law)
                else:
                    self.universal.append(part)
            elif p.op == "->":
                self._add_negation(part)
                self.universal.append(part)
            else:
                self._learn(part)

    def _learn(self, fact: Proof) -> None:
        """Keep a fact, and that a vector of length zero is zero."""
        self.facts.append(fact)
        p = fact.conclusion
        if p.op not in ("<=", "=") or p.args[0].sort != "R":
            return
        root = _square_root(polynomial(p.args[0])) if not polynomial(p.args[1]) else None
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

    # ------------------------------------------------------------------ goals

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
        self.check_time()
        found = self._said(goal)
        if found is not None:
            return found
        if goal.op == "all":
            found = probability.instance(self, goal)
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
            return self._relation(goal)
        if goal.op == "=":
            return self._vectors(goal)
        if goal.op == "deriv":
            from .derivatives import prove_derivative

            return prove_derivative(self, goal)
        return None

    def _said(self, goal: Term) -> Proof | None:
        """Return a fact that says the same, or a proof by calculation alone."""
        form = normal(goal)
        if goal.op in ("=", "<=", "<") and form.op == "->" and form.args[0].op == "F":
            return ring(goal)
        found = self.known.get(form)
        return pf.convert(found, goal) if found is not None else None

    def _direct(self, goal: Term) -> Proof | None:
        """Return the instance of a universal fact that says the same."""
        form, members = normal(goal), list(_members(goal))
        for fact in self.universal:
            for found in self._instantiate(fact, members):
                for part in pf.conjuncts(found):
                    if normal(part.conclusion) is form:
                        return pf.convert(part, goal)
        return None

    def _either(self, goal: Term) -> Proof | None:
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

    # ------------------------------------------------------------------ relations of numbers

    def _relation(self, goal: Term) -> Proof | None:
        """Prove a relation of numbers, or a contradiction."""
        atoms = list(_atoms_of(goal))
        base = [f for f in self.facts if is_relation(f.conclusion)]
        found = self._arithmetic(goal, base)
        if found is None and any(_gives_vector_sum(f.conclusion) for f in self.facts):
            changed = None if self.substituting else self.substituted(goal)
            found = combine(changed[0], base) if changed is not None else None
            found = changed[1](found) if changed is not None and found is not None else None
        if found is None and goal.op in ("<=", "<") and goal.args[0].sort == "R":
            kind = "positive" if goal.op == "<" else "nonnegative"
            found = self._structural(kind, goal, difference(goal, "R"))
        if found is not None:
            return found
        if self.focus:
            found = self._scaled(goal, self.focus)
            if found is not None:
                return found
            signs = [*self._written(goal), *self._facts_about(atoms, self.focus)]
            signs += _powers_of_exponentials(atoms, self.focus)
            found = self._arithmetic(goal, [*self.focus, *signs], products=True)
            if found is not None:
                return found
        written = self._written(goal)
        if written:
            found = self._arithmetic(goal, [*base, *written])
            if found is not None:
                return found
        more = [*base, *self._instances_for(goal)]
        more += self._projected(goal)
        signs = [*written, *self._facts_about(atoms, more)]
        signs += _powers_of_exponentials(atoms, base)
        late = self._late_instances(goal, signs)
        if late:
            more += late
            signs += self._facts_about((), late)
        found = self._arithmetic(goal, [*more, *signs], products=True)
        if found is not None:
            return found
        found = perfect_square(goal)
        if found is not None:
            return found
        methods = (
            self._exponentials,
            self._logarithms,
            self._jensen,
            self._termwise,
            self._merged,
            self._matched,
            self._factored,
            self._cleared,
            self._with_cleared_facts,
            self._vector_inequality,
            self._by_squares,
            self._rewritten,
            self._exponentiated,
        )
        for method in (*methods, self._by_splitting):
            found = method(goal)
            if found is not None:
                return found
        if len(more) + len(signs) <= 9 and goal.op not in ("=", "F"):
            return combine(goal, [*more, *signs], products=3)
        return None

    def _scaled(self, goal: Term, facts: Sequence[Proof]) -> Proof | None:
        """Prove a goal that is a fact times one positive term, such as an exponential."""
        if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
            return None
        p = difference(goal, "R")
        for fact in facts:
            q = difference(fact.conclusion, "R")
            if not q or len(p) != len(q) or fact.conclusion.op == "=":
                continue
            t, c = next(iter(q.items()))
            for s, d in p.items():
                m = quotient(s, t)
                if m is None or d / c <= 0 or times({m: d / c}, q) != p:
                    continue
                sign = self.sign("positive", build({m: Fraction(1)}))
                if sign is not None and (goal.op == "<=" or fact.conclusion.op == "<"):
                    return psatz(goal, (d / c, [fact, sign]))
        return None

    def _exponentials(self, goal: Term) -> Proof | None:
        """Compare two exponentials by their exponents."""
        if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
            return None
        p = difference(goal, "R")
        ends = []
        for m, c in p.items():
            if m and (len(m) != 1 or m[0][0].op != "exp" or m[0][1] != 1):
                return None
            ends.append((c, m[0][0].args[0] if m else pf.number(0)))
        if len(ends) != 2 or ends[0][0] != -ends[1][0] or not any(p):
            return None
        (_, small), (_, large) = sorted(ends)
        inner = self.attempt(pf.relation(goal.op, small, large))
        if inner is None:
            return None
        name = "exp_monotone" if goal.op == "<=" else "exp_strictly_monotone"
        return combine(goal, [mp(lemma(name, x=small, y=large), inner)])

    def _logarithms(self, goal: Term) -> Proof | None:
        """Compare two logarithms by their arguments."""
        if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
            return None
        p = difference(goal, "R")
        logs = [m[0][0] for m in p if len(m) == 1 and m[0][0].op == "log" and m[0][1] == 1]
        if len(p) != 2 or len(logs) != 2 or sum(p.values()) != 0:
            return None
        # The normal form of log x may have lost the form in which x is seen to be positive.
        written = {normal(t): t for t in _subterms(goal) if t.op == "log"}
        small, large = (written.get(a, a).args[0] for a in sorted(logs, key=lambda a: p[((a, 1),)]))
        positive = self.sign("positive", small)
        below = self.attempt(pf.relation(goal.op, small, large)) if positive is not None else None
        if below is None:
            return None
        name = "log_monotone" if goal.op == "<=" else "log_strictly_monotone"
        return combine(goal, [mp(lemma(name, x=small, y=large), positive, below)])

    def _exponentiated(self, goal: Term) -> Proof | None:
        """Prove t ≤ log u by exp t ≤ u, or log u ≤ t by u ≤ exp t."""
        if goal.op != "<=" or goal.args[0].sort != "R" or self.depth > 4 or self.exponentiated:
            return None
        p = difference(goal, "R")
        for m, c in p.items():
            if len(m) != 1 or m[0][0].op != "log" or m[0][1] != 1:
                continue
            u = m[0][0].args[0]
            rest = plus({}, {n: k for n, k in p.items() if n != m}, -1 / c)
            if len(polynomial(u)) < 2:
                continue
            t = build(rest)
            raised = pf.build("exp", (), [t])
            ends = (raised, u) if c > 0 else (u, raised)
            inner = self.extended()
            inner.exponentiated = True
            positive = inner.sign("positive", ends[0])
            below = inner.attempt(le(*ends)) if positive is not None else None
            if below is not None:
                order = mp(lemma("log_monotone", x=ends[0], y=ends[1]), positive, below)
                return combine(goal, [order, axiom("log_exp", x=t)])
        return None

    def _jensen(self, goal: Term) -> Proof | None:
        """Compare a convex function of a weighted mean with the mean of its values."""
        left = goal.args[0] if goal.op == "<=" else goal
        if left.op != "v" or len(left.args) != 1 or left.args[0].op != "sum":
            return None
        from .derivatives import property_of

        convex = self.known.get(normal(property_of(left.data[0], "convex")[0]))
        low, high, body = left.args[0].args
        if convex is None or body.op != "*" or len(body.args) != 2:
            return None
        i, inner = self._opened(low, high)
        for k in (0, 1):
            sign = inner.sign("nonnegative", fill(body.args[k], (i,)))
            total = pf.build("sum", (), [low, high, body.args[k]])
            whole = self.attempt(eq(total, 1)) if sign is not None else None
            if sign is None or whole is None:
                continue
            rule = lemma(
                "jensen",
                lo=low,
                hi=high,
                w=_function(body.args[k]),
                g=_function(body.args[1 - k]),
                f=lambda t: pf.build("v", left.data, [t]),
            )
            return combine(goal, [mp(rule, convex, each_intro(i, low, high, sign), whole)])
        return None

    def _tangents(self, goal: Term) -> list[Proof]:
        """Return that the exponentials of a goal lie above their tangents at each other."""
        found = [a.args[0] for a in _atoms_of(goal) if a.op == "exp"]
        if not 0 < len(found) <= 3:
            return []
        at_zero = [lemma("exp_tangent_at", x=pf.number(0), y=y) for y in found]
        return at_zero + [
            lemma("exp_tangent_at", x=x, y=y) for x in found for y in found if x is not y
        ]

    def _log_tangents(self, goal: Term) -> list[Proof]:
        """Return that the logarithms of an inequality lie below their tangents at each other."""
        if goal.op not in ("<=", "<"):
            return []
        found = [a.args[0] for a in _atoms_of(goal) if a.op == "log"]
        found = list(dict.fromkeys(x.args[0] if x.op == "inv" else x for x in found))
        if not 1 < len(found) <= 4:
            return []
        signs = {x: self.sign("positive", x) for x in found}
        if None in signs.values():
            return []
        return [
            mp(lemma("log_tangent_at", x=x, y=y), signs[x], signs[y])
            for x in found
            for y in found
            if x is not y
        ]

    def _written(self, goal: Term) -> list[Proof]:
        """Return facts about squares, logarithms and roots in the form that is written."""
        out = [*_written_squares(goal), *self._tangents(goal), *self._log_tangents(goal)]
        out += _variances(goal)
        for t in _subterms(goal):
            if t.op in ("sum", "E") and t.sort == "R" and len(polynomial(t.args[-1])) > 1:
                out += self._written_sum(t)
                if t.op == "sum" and self.universal:
                    out += self._known_terms(t)
            if t.op in ("log", "sqrt") and t.args[0].op in (
                "*",
                "inv",
                "sqrt",
                "pow",
                "prod",
                "exp",
            ):
                out += self._unfolded(t)
        return out

    def _known_terms(self, t: Term) -> list[Proof]:
        """Return a sum whose terms, as they are written, are one side of a known equation."""
        low, high, body = t.args
        i, inner = self._opened(low, high)
        value = fill(body, (i,))
        for f in inner._instances_for(eq(value, 0)):
            p = f.conclusion
            if p.op == "=" and p.args[0].sort == "R" and normal(p.args[0]) is normal(value):
                equation = pf.convert(f, eq(value, p.args[1]))
                g = pf.abstracted(p.args[1], [i])
                return [self._sum_congruence(low, high, i, equation, body, g)]
        return []

    def _written_sum(self, t: Term) -> list[Proof]:
        """Return that a sum or mean of what is written as nonnegative is nonnegative."""
        if t.op == "E":
            w = pf.fresh("W", "ω")
            sign = self.extended().sign("nonnegative", fill(t.args[0], (w,)))
            if sign is None:
                return []
            return [mp(lemma("mean_nonnegative", f=_function(t.args[0])), generalise(w, sign))]
        low, high, body = t.args
        i, inner = self._opened(low, high)
        sign = inner.sign("nonnegative", fill(body, (i,)))
        if sign is None:
            return []
        rule = lemma("sum_nonnegative", lo=low, hi=high, f=_function(body))
        return [mp(rule, each_intro(i, low, high, sign))]

    def _projected(self, goal: Term) -> list[Proof]:
        """Return the inner products of equations between vectors with the vectors of a goal."""
        equations = [
            f for f in self.facts if f.conclusion.op == "=" and f.conclusion.args[0].sort == "V"
        ]
        equations = [f for f in equations if all(t.op != "v" for t in f.conclusion.args)]
        if not equations:
            return []
        vectors = [t for t in _subterms(goal) if t.sort == "V" and t.op == "v"][:6]

        def with_vector(w: Term) -> Callable[[Term], Term]:
            return lambda z: pf.build("dot", (), [z, w])

        return [pf.congruence(f, with_vector(w)) for f in equations for w in vectors]

    def _unfolded(self, t: Term) -> list[Proof]:
        """Return the law for the logarithm or root of a product, quotient or power."""
        x = t.args[0]
        kind = "positive" if t.op == "log" else "nonnegative"
        found: Proof | None = None
        if x.op == "exp" and t.op == "log":
            return [axiom("log_exp", x=x.args[0])]
        if x.op == "*":
            y = x.args[1] if len(x.args) == 2 else mul(*x.args[1:])
            signs = [self.sign(kind, s) for s in (x.args[0], y)]
            if None in signs:
                return []
            found = mp(lemma(f"{t.op}_product", x=x.args[0], y=y), *signs)
            found = pf.convert(found, eq(t, found.conclusion.args[1]))
        elif x.op in ("inv", "sqrt", "pow"):
            inner = x.args[0]
            sign = self.sign(kind, inner)
            if sign is None:
                return []
            if x.op == "pow":
                return self._unfolded_power(t)
            name = {"inv": "inverse", "sqrt": "root"}[x.op]
            if (t.op, name) == ("sqrt", "root"):
                return []
            found = mp(lemma(f"{t.op}_{name}", x=inner), sign)
        elif x.op == "prod" and t.op == "log":
            i, context = self._opened(*x.args[:2])
            sign = context.sign("positive", fill(x.args[2], (i,)))
            if sign is None:
                return []
            rule = lemma("log_of_product", lo=x.args[0], hi=x.args[1], f=_function(x.args[2]))
            found = mp(rule, each_intro(i, x.args[0], x.args[1], sign))
        if found is None:
            return []
        out = [found]
        if x.op == "prod" and 0 not in x.args[2].indices:
            # A power: its logarithm is a multiple, once the factors are counted.
            out += self._sum(pf.build("sum", (), [*x.args[:2], pf.number(1)]))
        for s in _subterms(found.conclusion.args[1]):
            if s.op == t.op and s.args[0].op in ("*", "inv", "sqrt", "pow", "prod", "exp"):
                out += self._unfolded(s)
        return out

    def _unfolded_power(self, t: Term) -> list[Proof]:
        (n,), (base,) = t.args[0].data, t.args[0].args
        if n < 2:
            return []
        rest = base if n == 2 else pf.power(base, n - 1)
        product = pf.build(t.op, (), [mul(base, rest)])
        found = self._unfolded(product)
        return [pf.convert(f, eq(t, f.conclusion.args[1])) if f is found[0] else f for f in found]

    def _matched(self, goal: Term) -> Proof | None:
        """Prove that atoms of the two sides are equal because their arguments are."""
        if goal.op == "F" or goal.args[0].sort != "R" or self.matching:
            return None
        sides = [{a for m in polynomial(t) for a, _ in m} for t in goal.args]
        left = sorted(sides[0] - sides[1], key=lambda a: a.key)
        right = sorted(sides[1] - sides[0], key=lambda a: a.key)
        inner = self.extended()
        inner.matching, inner.splits, inner.squaring = True, 3, True
        equations = []
        for a in left:
            for b in right:
                found = self._equal_atoms(inner, a, b)
                if found is not None:
                    equations.append(found)
                    break
        if not equations:
            return None
        facts = [f for f in self.facts if is_relation(f.conclusion)]
        return combine(goal, [*equations, *facts]) or inner.extended(*equations).attempt(goal)

    def _equal_atoms(self, inner: Context, a: Term, b: Term) -> Proof | None:
        if a.op != b.op or a.data != b.data or len(a.args) != len(b.args):
            return None
        if a.op in ("sum", "prod", "E"):
            return inner.compare(eq(a, b))
        if a.op not in ("exp", "log", "sqrt", "inv", "abs", "v", "dot") or not a.args:
            return None
        proof: Proof | None = None
        current = a
        for k, (s, t) in enumerate(zip(a.args, b.args, strict=True)):
            if normal(s) is normal(t):
                continue
            same = inner.attempt(eq(s, t))
            if same is None:
                return None

            def put(z: Term, k: int = k, at: Term = current) -> Term:
                args = [*at.args[:k], z, *at.args[k + 1 :]]
                return pf.build(at.op, at.data, args)

            step = pf.congruence(same, put)
            proof = step if proof is None else pf.transitive(proof, step)
            current = put(t)
        return proof

    def _factored(self, goal: Term) -> Proof | None:
        """Divide a goal by a nonnegative factor that all its terms have."""
        if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
            return None
        p = difference(goal, "R")
        shared: dict[Term, int] = {}
        for k, m in enumerate(p):
            powers = dict(m)
            shared = powers if k == 0 else {a: min(n, powers.get(a, 0)) for a, n in shared.items()}
        shared = {a: n for a, n in shared.items() if n and a.op != "exp"}
        if not shared or len(p) < 2:
            return None
        rest = {
            tuple((a, n - shared.get(a, 0)) for a, n in m if n > shared.get(a, 0)): c
            for m, c in p.items()
        }
        factor = build({tuple(sorted(shared.items(), key=lambda f: f[0].key)): Fraction(1)})
        kind = "positive" if goal.op == "<" else "nonnegative"
        sign = self.sign(kind, factor)
        if sign is None:
            return None
        inner = self.attempt(pf.relation(goal.op, pf.number(0), build(rest)))
        if inner is None:
            return None
        try:
            return psatz(goal, (1, [sign, inner]))
        except Refused:
            return None

    def _cleared(self, goal: Term) -> Proof | None:
        """Multiply a goal by the positive denominators in it."""
        if goal.op not in ("<=", "<", "=") or goal.args[0].sort != "R" or self.clearing:
            return None
        p = difference(goal, "R")
        inverted: dict[Term, int] = {}
        for m in p:
            for a, n in m:
                if a.op == "inv":
                    inverted[a] = max(n, inverted.get(a, 0))
        if not inverted or sum(inverted.values()) > 6:
            return None
        equations, signs = [], []
        for a in inverted:
            found = [f for f in self._about(a) if f.conclusion.op == "="]
            sign = [f for f in self._about(a) if f.conclusion.op == "<"]
            if not found or (goal.op != "=" and not sign):
                return None
            equations.append(found[0])
            signs += sign[:1] * inverted[a]
        turned = sum(polynomial(s.conclusion.args[1]).get(_inverted(s), 0) < 0 for s in signs)
        cleared: Polynomial = {}
        for m, c in p.items():
            powers = dict(m)
            product = {tuple(f for f in m if f[0] not in inverted): c}
            for a, n in inverted.items():
                for _ in range(n - powers.get(a, 0)):
                    product = times(product, polynomial(a.args[0]))
            cleared = plus(cleared, product, Fraction(-1 if goal.op != "=" and turned % 2 else 1))
        inner = self.extended(*self._cleared_facts())
        inner.clearing = True
        shown = inner.attempt(pf.relation(goal.op, pf.number(0), build(cleared)))
        if shown is None:
            return None
        if goal.op == "=":
            factor = build({tuple(sorted(inverted.items(), key=lambda f: f[0].key)): Fraction(1)})
            scaled = psatz(eq(0, mul(factor, build(cleared))), (factor, [shown]))
            return combine(goal, [scaled, *equations])
        scaled = psatz(
            pf.relation(
                goal.op, pf.number(0), mul(*(s.conclusion.args[1] for s in signs), build(cleared))
            ),
            (1, [*signs, shown]),
        )
        return combine(goal, [scaled, *equations])

    def _with_cleared_facts(self, goal: Term) -> Proof | None:
        """Prove a goal with facts multiplied by the positive denominators in them."""
        if goal.op not in ("<=", "<", "=") or goal.args[0].sort != "R" or self.clearing:
            return None
        found = self._cleared_facts()
        if not found:
            return None
        inner = self.extended(*found)
        inner.clearing, inner.splits = True, 3
        return inner.attempt(goal)

    def _cleared_facts(self) -> list[Proof]:
        return [c for f in self.facts if (c := self._cleared_fact(f)) is not None]

    def _cleared_fact(self, fact: Proof) -> Proof | None:
        p = fact.conclusion
        if p.op not in ("<=", "<") or p.args[0].sort != "R":
            return None
        powers: dict[Term, int] = {}
        for m in difference(p, "R"):
            for a, n in m:
                if a.op == "inv":
                    powers[a] = max(n, powers.get(a, 0))
        if not powers or sum(powers.values()) > 4:
            return None
        signs, equations = [], []
        for a, n in powers.items():
            sign = self.sign("positive", a.args[0])
            equation = [f for f in self._about(a) if f.conclusion.op == "="]
            if sign is None or not equation:
                return None
            signs += [sign] * n
            equations.append(equation[0])
        gap = difference(p, "R")
        cleared: Polynomial = {}
        for m, c in gap.items():
            own = dict(m)
            product = {tuple(f for f in m if f[0] not in powers): c}
            for a, n in powers.items():
                for _ in range(n - own.get(a, 0)):
                    product = times(product, polynomial(a.args[0]))
            cleared = plus(cleared, product)
        factors = mul(*(s.conclusion.args[1] for s in signs), build(gap))
        scaled = psatz(pf.relation(p.op, pf.number(0), factors), (1, [*signs, fact]))
        return combine(pf.relation(p.op, pf.number(0), build(cleared)), [scaled, *equations])

    def _by_squares(self, goal: Term) -> Proof | None:
        """Compare squares, where roots or absolute values occur; or roots, where squares do."""
        if goal.op == "F" or goal.args[0].sort != "R" or self.squaring:
            return None
        a, b = goal.args
        roots = [_square_root(polynomial(t)) for t in (a, b)]
        inner = self.extended()
        inner.squaring = True
        small, large = roots
        if goal.op != "=" and small is not None and large is not None:
            below = inner.attempt(pf.relation(goal.op, small, large))
            sign = self.sign("nonnegative", small) if below is not None else None
            if below is not None and sign is not None:
                return combine(goal, [below, sign], products=2)
        if not any(t.op in ("sqrt", "abs") for t in _subterms(goal)):
            return None
        signs = [self.sign("nonnegative", t) for t in (a, b)]
        if signs[1] is None or (goal.op == "=" and signs[0] is None):
            return None
        aim = pf.relation(goal.op, pf.power(a, 2), pf.power(b, 2))
        squares = inner.attempt(aim)
        if squares is None:
            return None
        if goal.op == "=":
            return mp(lemma("squares_equal", x=a, y=b), *signs, squares)
        name = "squares_order" if goal.op == "<=" else "squares_strict_order"
        return mp(lemma(name, x=a, y=b), signs[1], squares)

    def _by_splitting(self, goal: Term) -> Proof | None:
        """Distinguish which side a maximum, an absolute value or an indicator takes."""
        if self.splits >= 3:
            return None
        for t in _subterms(goal):
            if t.op in ("max", "min"):
                x, y = t.args
            elif t.op == "abs":
                x, y = pf.number(0), t.args[0]
            elif t.op == "ind" and t.args[0].op in ("<=", "<"):
                x, y = t.args[0].args if t.args[0].op == "<=" else t.args[0].args[::-1]
            elif t.op == "ind":
                p = t.args[0]
                opposite = p.op == "->" and p.args[1].op == "F"
                p = p.args[0] if opposite else p
                if normal(p) in self.known or normal(negation(p)) in self.known:
                    continue
                return self._split_on(goal, p)
            else:
                continue
            if self._quick(pf.relation("<=", x, y)) or self._quick(pf.relation("<", y, x)):
                continue
            return self._split_order(goal, x, y)
        return None

    def _split_order(self, goal: Term, x: Term, y: Term) -> Proof | None:
        proofs = []
        for case in (pf.relation("<=", x, y), pf.relation("<", y, x)):
            inner = self.extended(assume(case))
            inner.splits = self.splits + 1
            found = inner.attempt(goal)
            if found is None:
                return None
            proofs.append(found)
        return by_order(x, y, *proofs)

    def _split_on(self, goal: Term, p: Term) -> Proof | None:
        proofs = []
        for case in (p, negation(p)):
            inner = self.extended(assume(case))
            inner.splits = self.splits + 1
            found = inner.attempt(goal)
            if found is None:
                return None
            proofs.append(found)
        return pf.by_cases(p, *proofs)

    def _arithmetic(
        self, goal: Term, facts: Sequence[Proof], *, products: bool = False
    ) -> Proof | None:
        self.check_time()
        found = combine(goal, facts)
        if found is not None or not products:
            return found
        self.check_time()
        if goal.op != "=":
            found = combine(goal, facts, products=2)
            found = found or contradiction(goal, facts)
        else:
            found = self._antisymmetric(goal, facts)
        return found

    def _antisymmetric(self, goal: Term, facts: Sequence[Proof]) -> Proof | None:
        """Prove an equation by two inequalities."""
        a, b = goal.args
        if not any(f.conclusion.op != "=" for f in facts):
            return None
        below = self._arithmetic(pf.relation("<=", a, b), facts, products=True)
        if below is None:
            return None
        above = self._arithmetic(pf.relation("<=", b, a), facts, products=True)
        if above is None:
            return None
        rule = axiom("antisymmetric_Z", i=a, j=b) if a.sort == "Z" else None
        return mp(rule or axiom("antisymmetric_R", x=a, y=b), below, above)

    # ------------------------------------------------------------------ facts about atoms

    def _facts_about(self, atoms: Iterable[Term], facts: Sequence[Proof]) -> list[Proof]:
        """Return signs and defining equations of the atoms of a goal and of facts."""
        out: dict[Term, Proof] = {}
        pending = list(
            dict.fromkeys([*atoms, *(a for f in facts for a in _atoms_of(f.conclusion))])
        )
        seen = set(pending)
        while pending:
            self.check_time()
            for fact in self._about(pending.pop(0)):
                if fact.conclusion in out:
                    continue
                out[fact.conclusion] = fact
                if len(seen) < 60:
                    new = [a for a in _atoms_of(fact.conclusion) if a not in seen]
                    seen.update(new)
                    pending += new
        return list(out.values())

    def _about(self, a: Term) -> list[Proof]:
        """Return what is known of an atom by what it is."""
        found = self._atoms.get(a)
        if found is None:
            self._atoms[a] = []
            found = self._atoms[a] = list(self._describe(a))
        return found

    def _describe(self, a: Term) -> Iterator[Proof]:
        if a.op in ("exp", "sqrt", "abs", "log", "inv"):
            yield from _FUNCTIONS[a.op](self, a.args[0])
        elif a.op == "dot":
            if a.args[0] is a.args[1]:
                yield axiom("square_nonnegative", u=a.args[0])
            for u, v in (a.args, a.args[::-1]):
                if u.op == "E":
                    yield axiom("mean_vector", X=_function(u.args[0]), u=v)
        elif a.op == "tr":
            yield from words.traces(self, a)
        elif a.op == "det":
            positive = words.determinant(self, a.args[0])
            if positive is not None:
                yield positive
        elif a.op == "of" and a.args[0].op == "dim":
            yield _size_positive(a.args[0])
        elif a.op == "ind":
            yield from self._indicator(a.args[0])
        elif a.op in ("max", "min"):
            yield from _extreme(self, a)
        elif a.op == "sum":
            yield from self._sum(a)
            yield from exchanged(self, a)
        elif a.op == "prod":
            yield from self._product(a)
        elif a.op == "E":
            yield from self._mean(a)

    def _indicator(self, p: Term) -> Iterator[Proof]:
        yield lemma("indicator_at_least_zero", p=p)
        yield lemma("indicator_at_most_one", p=p)
        yield from _indicator_laws(p)
        held = self._quick(p)
        if held is None and p.op in ("<=", "<") and self.depth <= 3:
            held = self._simply(p)
        if held is None and p.op == "->" and p.args[1].op == "F":
            contradiction = self.extended(assume(p.args[0]))._contradiction()
            held = discharge(p.args[0], contradiction) if contradiction is not None else None
        if held is not None:
            yield mp(axiom("indicator_true", p=p), held)
            return
        if p.op == "->" and p.args[1].op == "F":
            opposite = self._quick(p.args[0])
            wrong = mp(assume(p), opposite) if opposite is not None else None
        else:
            wrong = self.extended(assume(p))._simply(pf.false())
        if wrong is not None:
            yield mp(axiom("indicator_false", p=p), discharge(p, wrong))

    def _simply(self, p: Term) -> Proof | None:
        """Return a proof without distinguishing cases or comparing term by term, or None."""
        if self.depth > 3:
            return self._contradiction() if p.op == "F" else None
        inner = self.extended()
        inner.splits, inner.squaring = 3, True
        return inner.attempt(p)

    def _quick(self, p: Term) -> Proof | None:
        """Return a proof by arithmetic with the facts alone, or None."""
        found = self._said(p)
        if found is None and p.op == "->" and p.args[0].op == "F":
            return self.attempt(p)
        if found is None and is_relation(p):
            if p not in self._arithmetic_cache:
                facts = [f for f in self.facts if is_relation(f.conclusion)]
                if p.args[0].sort == "Z":
                    facts = [f for f in facts if f.conclusion.args[0].sort == "Z"]
                    facts += [_size_positive(t) for t in _subterms(p) if t.op == "dim"]
                self._arithmetic_cache[p] = combine(p, facts)
            found = self._arithmetic_cache[p]
        return found

    def _contradiction(self) -> Proof | None:
        facts = [f for f in self.facts if is_relation(f.conclusion)]
        return combine(pf.false(), facts)

    def _sum(self, a: Term) -> Iterator[Proof]:
        low, high, body = a.args
        i, inner = self._opened(low, high)
        value = fill(body, (i,))
        if body.sort != "R":
            return
        if body.loose == 0 and not inner.parent:
            return
        if polynomial(body) == {(): Fraction(1)}:
            long = self._quick(le(low, pf.add(high, 1)))
            if long is not None:
                yield mp(lemma("sum_count", lo=low, hi=high), long)
            return
        last = self._last_term(a)
        if last is not None:
            yield last
        reduced = inner._reduced(value)
        if reduced is not None:
            equation, new = reduced
            g = pf.abstracted(new, [i])
            yield self._sum_congruence(low, high, i, equation, body, g)
        delta = self._delta(a)
        if delta is not None:
            yield delta
        yield from probability.double_sums(self, a)
        long = self._quick(le(low, high))
        sign = inner.sign("positive", value) if long is not None else None
        if sign is not None and long is not None:
            rule = lemma("sum_positive", lo=low, hi=high, f=_function(body))
            yield mp(rule, long, each_intro(i, low, high, sign))
            return
        sign = inner.sign("nonnegative", value)
        if sign is not None:
            rule = lemma("sum_nonnegative", lo=low, hi=high, f=_function(body))
            yield mp(rule, each_intro(i, low, high, sign))

    def _last_term(self, a: Term) -> Proof | None:
        """Take the last term off a sum or product that an induction has made longer."""
        low, high, body = a.args
        if self.unrolled is None or normal(high) is not normal(self.unrolled):
            return None
        before = pf.sub(high, 1)
        long = self._quick(le(low, pf.add(before, 1)))
        if long is None:
            return None
        kind = "product" if a.op == "prod" else "sum" if body.sort == "R" else "vector_sum"
        rule = axiom(f"{kind}_last", lo=low, hi=before, f=_function(body))
        found = mp(rule, long)
        return pf.convert(found, eq(a, found.conclusion.args[1]))

    def _sum_congruence(
        self, low: Term, high: Term, i: Term, equation: Proof, f: Term, g: Term
    ) -> Proof:
        rule = lemma("sum_congruence", lo=low, hi=high, f=_function(f), g=_function(g))
        return mp(rule, each_intro(i, low, high, equation))

    def _delta(self, a: Term) -> Proof | None:
        """Return the value of Σₖ [k = j] f(k)."""
        low, high, body = a.args
        ((m, c),) = polynomial(body).items()
        for d, _ in m:
            if d.op != "ind" or d.args[0].op != "=" or d.args[0].args[0].sort != "Z":
                continue
            p = difference(d.args[0], "Z")
            index = ((pf.build("b", (0, "Z")), 1),)
            if abs(p.get(index, 0)) != 1:
                continue
            rest = plus({}, {n: k for n, k in p.items() if n != index}, -1 / p[index])
            j = build(rest, "Z")
            if 0 in j.indices:
                continue
            j = shift(j, -1)
            inside = [self._quick(le(low, j)), self._quick(le(j, high))]
            if None in inside:
                return None
            others = build({tuple(f for f in m if f[0] is not d): c})
            rule = lemma("sum_of_delta", lo=low, hi=high, j=j, f=_function(others))
            found = mp(rule, *inside)
            value = found.conclusion.args[1]
            return pf.convert(found, eq(a, value))
        return None

    def _product(self, a: Term) -> Iterator[Proof]:
        low, high, body = a.args
        last = self._last_term(a)
        if last is not None:
            yield last
        i, inner = self._opened(low, high)
        value = fill(body, (i,))
        for sign, name in (
            ("positive", "product_positive"),
            ("nonnegative", "product_nonnegative"),
        ):
            found = inner.sign(sign, value)
            if found is not None:
                rule = lemma(name, lo=low, hi=high, f=_function(body))
                yield mp(rule, each_intro(i, low, high, found))
                return

    def _mean(self, a: Term) -> Iterator[Proof]:
        w = pf.fresh("W", "ω")
        found = self.extended().sign("nonnegative", fill(a.args[0], (w,)))
        if found is not None:
            yield mp(lemma("mean_nonnegative", f=_function(a.args[0])), generalise(w, found))
        if a.args[0].op == "ind":
            event = fill(a.args[0], (w,))
            rest = pf.sub(1, event)
            below = psatz(le(0, rest), lemma("indicator_at_most_one", p=event.args[0]))
            body = pf.abstracted(rest, [w])
            yield mp(lemma("mean_nonnegative", f=_function(body)), generalise(w, below))
            for law in _indicator_laws(event.args[0]):
                left, right = (pf.abstracted(t, [w]) for t in law.conclusion.args)
                values = _function(left), _function(right)
                rule = axiom("mean_monotone", X=values[0], Y=values[1])
                if law.conclusion.op == "=":
                    rule = lemma("mean_congruence", f=values[0], g=values[1])
                yield mp(rule, generalise(w, law))
        yield from probability.means(self, a)
        yield from words.means(self, a)

    def _opened(self, low: Term, high: Term) -> tuple[Term, Context]:
        """Return a generic index of a range and a context that knows its bounds."""
        i = pf.fresh("Z", "i")
        return i, self.extended(assume(le(low, i)), assume(le(i, high)))

    # ------------------------------------------------------------------ signs

    def sign(self, kind: str, t: Term) -> Proof | None:
        """Return a proof of 0 < t or 0 ≤ t, or None."""
        key = kind, t
        if key not in self._signs:
            self._signs[key] = None
            goal = lt(0, t) if kind == "positive" else le(0, t)
            try:
                self._signs[key] = self._sign(kind, goal, t)
            except Refused:
                self._signs[key] = None
        return self._signs[key]

    def _sign(self, kind: str, goal: Term, t: Term) -> Proof | None:
        self.check_time()
        found = self._said(goal)
        if found is not None:
            return found
        if self.depth > SIGN_DEPTH + 4:
            return None
        if kind == "nonnegative" and t.op == "dot" and t.args[0] is t.args[1]:
            return axiom("square_nonnegative", u=t.args[0])
        found = self._structural(kind, goal, polynomial(t)) or self._as_written(kind, goal, t)
        if found is not None:
            return found
        facts = [f for f in self.facts if is_relation(f.conclusion)]
        found = combine(goal, facts)
        instances: list[Proof] = []
        if found is None:
            instances = self._instances_for(goal)
            if instances:
                found = combine(goal, [*facts, *instances])
        if found is None:
            atoms = _atoms_of(goal)
            values = [f for f in facts if f.conclusion.op == "=" and f.conclusion.args[0] in atoms]
            more = [*facts, *instances, *self._facts_about(atoms, values)]
            found = combine(goal, more, products=2 if len(more) <= 14 or self.depth <= 1 else 1)
        if found is None and self.depth == 0:
            found = contradiction(goal, facts)
        return found

    def _as_written(self, kind: str, goal: Term, t: Term) -> Proof | None:
        """Prove a sign from the signs of the factors or terms that are written."""
        if kind == "nonnegative" and t.op == "dot" and t.args[0] is t.args[1]:
            return axiom("square_nonnegative", u=t.args[0])
        if t.op not in ("*", "+", "inv", "pow") or t.sort != "R":
            return None
        if t.op == "pow":
            if kind == "positive" or t.data[0] % 2:
                return None
            root = t.args[0] if t.data[0] == 2 else pf.power(t.args[0], t.data[0] // 2)
            return psatz(goal, (1, [], [root]))
        if t.op == "inv":
            sign = self.sign(kind, t.args[0])
            rule = "inverse_positive" if kind == "positive" else "inverse_nonnegative"
            return mp(lemma(rule, x=t.args[0]), sign) if sign is not None else None
        signs = [self.sign(kind, a) for a in t.args]
        if kind == "positive" and t.op == "+":
            signs = [s or self.sign("nonnegative", a) for s, a in zip(signs, t.args, strict=True)]
        found = [s for s in signs if s is not None]
        if len(found) < len(signs):
            return None
        try:
            if t.op == "*":
                return psatz(goal, (1, found))
            return psatz(goal, *((1, [s]) for s in found))
        except Refused:
            return None

    def _structural(self, kind: str, goal: Term, p: Polynomial) -> Proof | None:
        """Prove a sign from the signs of terms and factors."""
        parts, strict = [], False
        for m, c in p.items():
            if c < 0:
                return None
            facts: list[Proof] = []
            squares: list[Term] = []
            positive = True
            for a, k in m:
                if k % 2 == 0:
                    fact = self._atom_sign("positive", a)
                    if fact is None:
                        squares.append(pf.power(a, k // 2) if k > 2 else a)
                        positive = False
                        continue
                else:
                    fact = self._atom_sign("positive", a) or self._atom_sign("nonnegative", a)
                if fact is None:
                    return None
                positive = positive and fact.conclusion.op == "<"
                facts += [fact] * k
            strict = strict or positive
            parts.append((c, facts, squares))
        if kind == "positive" and not strict:
            return None
        try:
            return psatz(goal, *parts)
        except Refused:
            return None

    def _atom_sign(self, kind: str, a: Term) -> Proof | None:
        goal = lt(0, a) if kind == "positive" else le(0, a)
        found = self.known.get(normal(goal))
        if found is not None:
            return pf.convert(found, goal)
        for fact in self._about(a):
            p = fact.conclusion
            if p.op in ("<", "<=") and normal(p) is normal(goal):
                return pf.convert(fact, goal)
        instances = [f for f in self._instances_for(goal) if is_relation(f.conclusion)]
        facts = [f for f in self.facts if is_relation(f.conclusion)]
        return combine(goal, [*facts, *instances, *self._about(a)], squares=False)

    def not_zero(self, t: Term) -> Proof | None:
        """Return a proof of t ≠ 0, or None."""
        goal = negation(eq(t, 0))
        found = self.known.get(normal(goal))
        if found is not None:
            return pf.convert(found, goal)
        positive = self.sign("positive", t)
        if positive is not None:
            return mp(lemma("not_zero_if_positive", x=t), positive)
        facts = [f for f in [*self.facts, *self._instances_for(goal)] if is_relation(f.conclusion)]
        negative = combine(lt(t, 0), facts)
        if negative is None:
            about = [p for atom in _atoms_of(lt(t, 0)) for p in self._about(atom)]
            negative = combine(lt(t, 0), [*facts, *about]) if about else None
        if negative is not None:
            return mp(lemma("not_zero_if_negative", x=t), negative)
        factors = [a for m in polynomial(t) for a, _ in m]
        if len(polynomial(t)) == 1 and (len(factors) > 1 or factors[0] is not t):
            # A product is not zero if its factors are not: their reciprocals show it.
            inverses = [self.not_zero(a) for a in factors]
            if all(inverses):
                ones = [
                    mp(axiom("inverse", x=a), p) for a, p in zip(factors, inverses, strict=True)
                ]
                wrong = combine(pf.false(), [assume(eq(t, 0)), *ones])
                return discharge(eq(t, 0), wrong) if wrong is not None else None
        return None

    # ------------------------------------------------------------------ instances

    def _instances_for(self, goal: Term) -> list[Proof]:
        """Return what universal facts say about the members of families in a goal."""
        if goal in self._instances:
            return self._instances[goal]
        self._instances[goal] = []
        out: dict[Term, Proof] = {}
        members = dict.fromkeys(_members(goal))
        for f in self.focus:
            members |= dict.fromkeys(_members(f.conclusion))
        frontier = list(members)
        for _ in range(2):
            new: list[Proof] = []
            for fact in self.universal:
                self.check_time()
                for f in self._instantiate(fact, frontier):
                    if normal(f.conclusion) not in out:
                        out[normal(f.conclusion)] = f
                        new.append(f)
            frontier = [
                t
                for t in dict.fromkeys(t for f in new for t in _members(f.conclusion))
                if t not in members
            ]
            members |= dict.fromkeys(frontier)
            if not frontier or len(out) > 60:
                break
        for f in self._instances_under_sums(goal):
            out.setdefault(normal(f.conclusion), f)
        self._instances[goal] = [g for f in out.values() for g in pf.conjuncts(f)]
        if any(len(t.args) == 1 and t.args[0].sort == "R" for t in members):
            from .derivatives import chord_instances

            self._instances[goal] += chord_instances(self, [*members])
        return self._instances[goal]

    def _instances_under_sums(self, goal: Term) -> list[Proof]:
        """Return what facts about sums for all i say of the sums over x[i, k] in a goal."""
        opened = list(open_members(goal))
        if not opened:
            return []
        out = []
        for fact in self.universal:
            variables, last = [], fact.conclusion
            while last.op in ("->", "all"):
                if last.op == "all":
                    variables.append(pf.fresh(last.data[0], "?"))
                    last = fill(last.args[0], (variables[-1],))
                else:
                    last = last.args[1]
            if not variables or any(x.sort != "Z" for x in variables):
                continue
            values = (values_at(last, x, opened) for x in variables)
            for chosen in islice(product(*values), 12):
                used = self._use(fact, dict(zip(variables, chosen, strict=True)))
                if used is not None:
                    out.append(used)
        return out

    def _late_instances(self, goal: Term, facts: Sequence[Proof]) -> list[Proof]:
        """Return what universal facts say about members that only other facts mention."""
        seen = set(_members(goal))
        out: dict[Term, Proof] = {}
        for fact in facts:
            if fact.conclusion.op == "=" and not seen.issuperset(_members(fact.conclusion)):
                seen.update(_members(fact.conclusion))
                for f in self._instances_for(fact.conclusion):
                    out.setdefault(normal(f.conclusion), f)
        return list(out.values())

    def _instantiate(self, fact: Proof, members: Sequence[Term]) -> list[Proof]:
        """Return instances of a universal fact at the indices of members."""
        variables: list[Term] = []
        p = fact.conclusion
        while p.op in ("all", "->"):
            if p.op == "all":
                x = pf.fresh(p.data[0], "?")
                variables.append(x)
                p = fill(p.args[0], (x,))
            else:
                p = p.args[1]
        if p.op == "deriv":
            return []
        if not variables:
            used = self._use(fact, {})
            return [used] if used is not None else []
        out = []
        for values in _matches(p, variables, members):
            used = self._use(fact, dict(zip(variables, values, strict=True)))
            if used is not None:
                out.append(used)
        return out

    def _use(self, fact: Proof, values: dict[Term, Term]) -> Proof | None:
        """Specialise and apply a fact, proving its premises by arithmetic."""
        key = fact, tuple(values.values())
        if key not in self._uses:
            self._uses[key] = self._used(fact, values)
        return self._uses[key]

    def _use_up_to(self, fact: Proof, values: Sequence[Term]) -> Proof | None:
        """Specialise a fact at these values, proving the premises on the way."""
        remaining = list(values)
        while remaining or fact.conclusion.op == "->":
            if fact.conclusion.op == "all":
                fact = specialise(fact, remaining.pop(0))
                continue
            premise = self._quick(fact.conclusion.args[0])
            if premise is None:
                return None
            fact = mp(fact, premise)
        return fact

    def _used(self, fact: Proof, values: dict[Term, Term]) -> Proof | None:
        remaining = iter(values.values())
        while fact.conclusion.op in ("all", "->"):
            if fact.conclusion.op == "all":
                fact = specialise(fact, next(remaining))
                continue
            premise = self._quick(fact.conclusion.args[0])
            if premise is None:
                return None
            fact = mp(fact, premise)
        return fact if fact.conclusion.op != "F" else None

    # ------------------------------------------------------------------ equals for equals

    def _reduced(self, t: Term) -> tuple[Proof, Term] | None:
        """Return t = s where equations of the context, used from left to right, give s."""
        equations = [
            f
            for f in [*self.facts, *self._instances_for(eq(t, 0))]
            if is_relation(f.conclusion) and f.conclusion.op == "="
        ]
        # Equations that give the value of one term are used alone: others may turn it back.
        direct = [f for f in equations if len(polynomial(f.conclusion.args[0])) == 1]
        if 0 < len(direct) < len(equations):
            return self._reduced_by(t, direct) or self._reduced_by(t, equations)
        return self._reduced_by(t, equations)

    def _reduced_by(self, t: Term, equations: Sequence[Proof]) -> tuple[Proof, Term] | None:
        p = polynomial(t)
        start = p
        for _ in range(12):
            for f in equations:
                q = difference(f.conclusion, "R")
                lead = _lead(q, f.conclusion)
                hit = next((m for m in p if lead and _divides(lead, m)), None)
                if hit is None or lead is None:
                    continue
                rest = tuple((a, k - dict(lead).get(a, 0)) for a, k in hit)
                factor = {tuple(x for x in rest if x[1]): p[hit] / q[lead]}
                p = plus(p, times(factor, q), Fraction(-1))
                break
            else:
                break
        if p == start:
            return None
        new = build(p)
        found = combine(eq(t, new), equations)
        return (found, new) if found is not None else None

    def _rules(self, goal: Term) -> list[tuple[Term, Term, Proof]]:
        """Return equations whose left side is a symbol that the right side does not mention."""
        out = []
        for t in _subterms(goal):
            last = self._last_term(t) if t.op in ("sum", "prod") else None
            if t.op in ("ind", "max", "min", "abs"):
                found = [f for f in self._about(normal(t)) if f.conclusion.op == "="]
                values = [f for f in found if normal(f.conclusion.args[0]) is normal(t)]
                last = values[-1] if values else None
            if last is not None:
                out.append((t, last.conclusion.args[1], last))
        for fact in [*self.facts, *self._instances_for(goal)]:
            p = fact.conclusion
            if p.op != "=":
                continue
            for a, b in (p.args, reversed(p.args)):
                sums = _is_vector_sum(a) and b.op != "v"
                if (a.op == "v" or sums) and not _occurs(a, b):
                    proof = fact if a is p.args[0] else pf.symmetric(fact)
                    out.append((a, b, proof))
                    break
        return out

    def _rewritten(self, goal: Term) -> Proof | None:
        """Prove a goal after substituting equals for symbols, in it and in the facts."""
        if self.substituting:
            return None
        changed = self.substituted(goal)
        if changed is None:
            return None
        new, back = changed
        moved = [self._forward(f) for f in [*self.facts, *self._instances_for(goal)]]
        context = self.extended(*moved)
        context.substituting = True
        found = context.attempt(new)
        return back(found) if found is not None else None

    def substituted(self, goal: Term) -> tuple[Term, Callable[[Proof], Proof]] | None:
        """Return a goal with symbols replaced by what they equal, and the way back."""
        steps: list[tuple[Proof, Callable[[Term], Term]]] = []
        current = goal
        for _ in range(8):
            for a, b, proof in self._rules(current):
                if _occurs(a, current):
                    context = _context(current, a)
                    steps.append((proof, context))
                    current = context(b)
                    break
            else:
                break
        if not steps:
            return None

        def back(found: Proof) -> Proof:
            for proof, context in reversed(steps):
                found = pf.rewrite(pf.symmetric(proof), found, context)
            return found

        return current, back

    def _forward(self, fact: Proof) -> Proof:
        """Return a fact with symbols replaced by what they equal."""
        for _ in range(8):
            for a, _, proof in self._rules(fact.conclusion):
                if proof.conclusion is not fact.conclusion and _occurs(a, fact.conclusion):
                    fact = pf.rewrite(proof, fact, _context(fact.conclusion, a))
                    break
            else:
                break
        return fact

    def _vectors(self, goal: Term) -> Proof | None:
        """Prove an equation of vectors or matrices."""
        a, b = goal.args
        changed = self.substituted(goal)
        if changed is not None:
            new, back = changed
            found = self._said(new)
            if found is not None:
                return back(found)
        equations = [
            f
            for f in [*self.facts, *self._instances_for(goal)]
            if f.conclusion.op == "=" and f.conclusion.args[0].sort == a.sort
        ]
        if a.sort == "V":
            sums = [t for t in _subterms(goal) if t.op == "sum" and t.sort == "V"]
            equations += [f for t in sums if (f := self._last_term(t)) is not None]
            found = _vector_combination(goal, equations)
            if found is not None:
                return found
            found = merged_vectors(self, goal)
            if found is not None:
                return found
            gap = pf.sub(a, b)
            square = pf.build("dot", (), [gap, gap])
            flat = self.attempt(le(square, 0))
            if flat is not None:
                return mp(lemma("equal_vectors", u=a, v=b), flat)
            return by_coefficients(self, goal)
        return words.prove(self, goal)

    def _merged(self, goal: Term) -> Proof | None:
        return merged(self, goal)

    def _vector_inequality(self, goal: Term) -> Proof | None:
        return vector_inequality(self, goal)

    # ------------------------------------------------------------------ sums term by term

    def _termwise(self, goal: Term) -> Proof | None:
        """Compare two sums, products or means over one range term by term."""
        if goal.op not in ("=", "<=", "<") or self.depth > 5:
            return None
        a, b = goal.args
        if a.op == b.op and a.op in ("sum", "prod", "E"):
            return self.compare(goal)
        return None

    def compare(
        self, goal: Term, inner: Callable[[Context, Term, Term], Proof | None] | None = None
    ) -> Proof | None:
        """Prove Σf ≤ Σg (or Π, E; or =, <) from f ≤ g at a generic index or outcome."""
        a, b = goal.args
        f, g = a.args[-1], b.args[-1]
        if a.op == "E":
            w = pf.fresh("W", "ω")
            context = self.extended()
            aim = pf.relation(goal.op, fill(f, (w,)), fill(g, (w,)))
            if goal.op == "<":
                return None
            found = inner(context, aim, w) if inner else context.attempt(aim)
            if found is None:
                return None
            if goal.op == "=":
                return mp(
                    lemma("mean_congruence", f=_function(f), g=_function(g)), generalise(w, found)
                )
            return mp(axiom("mean_monotone", X=_function(f), Y=_function(g)), generalise(w, found))
        low, high = a.args[:2]
        if normal(low) is not normal(b.args[0]) or normal(high) is not normal(b.args[1]):
            return None
        i, context = self._opened(low, high)
        aim = pf.relation(goal.op, fill(f, (i,)), fill(g, (i,)))
        found = inner(context, aim, i) if inner else context.attempt(aim)
        if found is None:
            return None
        every = each_intro(i, low, high, found)
        values = {"lo": low, "hi": high, "f": _function(f), "g": _function(g)}
        if a.op == "prod":
            if goal.op == "=":
                return pf.convert(mp(lemma("product_congruence", **values), every), goal)
            sign = context.sign("nonnegative", fill(f, (i,)))
            if sign is None or goal.op == "<":
                return None
            signs = each_intro(i, low, high, sign)
            return pf.convert(mp(lemma("product_monotone", **values), signs, every), goal)
        if goal.op == "<":
            long = self._quick(le(low, high))
            if long is None:
                return None
            return pf.convert(mp(lemma("sum_strictly_monotone", **values), long, every), goal)
        name = {"=": "congruence", "<=": "monotone"}[goal.op]
        kind = "vector_sum" if f.sort == "V" else "sum"
        return pf.convert(mp(lemma(f"{kind}_{name}", **values), every), goal)


# ---------------------------------------------------------------------- facts about functions


def _exponential(context: Context, x: Term) -> Iterator[Proof]:
    yield lemma("exp_positive", x=x)
    if context.depth <= 3:
        yield axiom("exp_tangent", x=x)
    for m, c in polynomial(x).items():
        if len(m) == 1 and m[0][0].op == "log" and m[0][1] == 1 and abs(c) == 1:
            y = m[0][0].args[0]
            positive = context.sign("positive", y)
            if positive is None and context.depth <= 1 and len(polynomial(y)) > 1:
                positive = context.attempt(lt(0, y))
            if positive is not None:
                name = "exp_log" if c == 1 else "exp_minus_log"
                rule = axiom(name, x=y) if c == 1 else lemma(name, x=y)
                undone = mp(rule, positive)
                yield undone
                rest = plus(polynomial(x), {m: c}, Fraction(-1))
                if rest:
                    other = pf.build("exp", (), [build(rest)])
                    whole = pf.build("exp", (), [x])
                    value = undone.conclusion.args[1]
                    yield psatz(eq(whole, mul(other, value)), (other, [undone]))


def _logarithm(context: Context, x: Term) -> Iterator[Proof]:
    positive = context.sign("positive", x)
    if x.op == "exp":
        yield axiom("log_exp", x=x.args[0])
    if positive is None:
        return
    yield mp(lemma("log_tangent", x=x), positive)
    yield mp(lemma("log_tangent_below", x=x), positive)
    yield mp(axiom("exp_log", x=x), positive)
    if len(polynomial(x)) > 1:
        above = context.sign("nonnegative", pf.sub(x, 1))
        if above is not None:
            large = psatz(le(1, x), above)
            yield mp(lemma("log_nonnegative", x=x), large)
    yield from _log_factors(context, x)


def _log_factors(context: Context, x: Term) -> Iterator[Proof]:
    """Write the logarithm of a product as a sum."""
    p = polynomial(x)
    if len(p) != 1:
        return
    ((m, c),) = p.items()
    factors = [pf.number(c)] if c != 1 else []
    for a, k in m:
        factors += [a] * k
    if x.op == "inv" or (len(factors) == 1 and factors[0].op == "inv"):
        y = factors[0].args[0]
        positive = context.sign("positive", y)
        if positive is not None:
            yield pf.convert(
                mp(lemma("log_inverse", x=y), positive),
                eq(pf.build("log", (), [x]), pf.neg(pf.build("log", (), [y]))),
            )
        return
    while len(factors) > 1:
        first, rest = factors[0], factors[1:]
        y = rest[0] if len(rest) == 1 else mul(*rest)
        signs = [context.sign("positive", t) for t in (first, y)]
        if None in signs:
            return
        yield mp(lemma("log_product", x=first, y=y), *signs)
        if first.op == "inv":
            yield from _log_factors(context, first)
        factors = rest
    if factors and factors[0].op == "inv" and x.op != "inv":
        yield from _log_factors(context, factors[0])


def _root(context: Context, x: Term) -> Iterator[Proof]:
    yield axiom("sqrt_nonnegative", x=x)
    sign = context.sign("nonnegative", x)
    if sign is not None:
        yield mp(axiom("sqrt_square", x=x), sign)
    positive = context.sign("positive", x)
    if positive is not None:
        yield mp(lemma("sqrt_positive", x=x), positive)
    p = polynomial(x)
    if len(p) != 1:
        return
    ((m, c),) = p.items()
    root = _square_root(p)
    if root is not None:
        yield pf.convert(
            lemma("sqrt_of_square", x=root),
            eq(pf.build("sqrt", (), [x]), pf.build("abs", (), [root])),
        )
        return
    factors = ([pf.number(c)] if c != 1 else []) + [a if k == 1 else pf.power(a, k) for a, k in m]
    if len(factors) > 1:
        y = factors[1] if len(factors) == 2 else mul(*factors[1:])
        signs = [context.sign("nonnegative", t) for t in (factors[0], y)]
        if None not in signs:
            yield mp(lemma("sqrt_product", x=factors[0], y=y), *signs)


def _square_root(p: Polynomial) -> Term | None:
    """Return the monomial whose square a polynomial is."""
    if len(p) != 1:
        return None
    ((m, c),) = p.items()
    if c <= 0 or any(k % 2 for _, k in m):
        return None
    top, bottom = math.isqrt(c.numerator), math.isqrt(c.denominator)
    if top * top != c.numerator or bottom * bottom != c.denominator:
        return None
    return build({tuple((a, k // 2) for a, k in m): Fraction(top, bottom)})


def _absolute(context: Context, x: Term) -> Iterator[Proof]:
    yield lemma("abs_at_least", x=x)
    yield lemma("abs_at_least_opposite", x=x)
    yield lemma("abs_at_least_zero", x=x)
    yield lemma("abs_squared", x=x)
    p = polynomial(x)
    if len(p) == 1:
        ((m, c),) = p.items()
        factors = ([pf.number(c)] if c != 1 else []) + [
            a if k == 1 else pf.power(a, k) for a, k in m
        ]
        if len(factors) > 1:
            y = factors[1] if len(factors) == 2 else mul(*factors[1:])
            yield lemma("abs_product", x=factors[0], y=y)
    up = context.sign("nonnegative", x)
    if up is not None:
        yield mp(axiom("abs_nonnegative", x=x), up)
        return
    down = context.sign("nonnegative", pf.neg(x))
    if down is not None:
        weak = combine(le(x, 0), [down])
        assert weak is not None
        yield mp(axiom("abs_nonpositive", x=x), weak)


def _reciprocal(context: Context, x: Term) -> Iterator[Proof]:
    other = context.not_zero(x)
    if other is not None:
        yield mp(axiom("inverse", x=x), other)
    positive = context.sign("positive", x)
    if positive is not None:
        yield mp(lemma("inverse_positive", x=x), positive)
        return
    sign = context.sign("nonnegative", x)
    if sign is not None:
        yield mp(lemma("inverse_nonnegative", x=x), sign)
        return
    if other is not None and len(polynomial(x)) > 1:
        opposite = context.sign("positive", pf.neg(x))
        if opposite is not None:
            negative = combine(lt(x, 0), [opposite])
            assert negative is not None
            below = mp(lemma("inverse_negative", x=x), negative)
            yield pf.convert(below, lt(0, pf.neg(pf.inv(x))))


def _extreme(context: Context, a: Term) -> Iterator[Proof]:
    x, y = a.args
    for s, t in ((x, y), (y, x)):
        if a.op == "max":
            yield pf.convert(lemma("max_at_least", x=s, y=t), le(s, a))
        else:
            yield pf.convert(lemma("min_at_most", x=s, y=t), le(a, s))
        below = context._quick(le(s, t))
        if below is None and not polynomial(s):
            below = context._structural("nonnegative", le(0, t), polynomial(t))
        if below is not None:
            found = mp(axiom(f"{a.op}_of", x=s, y=t), below)
            yield pf.convert(found, eq(a, found.conclusion.args[1]))


_FUNCTIONS: dict[str, Callable[[Context, Term], Iterator[Proof]]] = {
    "exp": _exponential,
    "log": _logarithm,
    "sqrt": _root,
    "abs": _absolute,
    "inv": _reciprocal,
}


# ---------------------------------------------------------------------- terms


def _inverted(sign: Proof) -> Monomial:
    """Return the monomial of a fact 0 < 1/x or 0 < −1/x."""
    (m,) = polynomial(sign.conclusion.args[1])
    return m


def _size_positive(t: Term) -> Proof:
    """Return that a number of rows or columns is positive."""
    return pf.sizes(axiom("size_positive"), {"n": t.data[0]})


def _is_vector_sum(t: Term) -> bool:
    return t.op == "sum" and t.sort == "V"


def _gives_vector_sum(p: Term) -> bool:
    return p.op == "=" and _is_vector_sum(p.args[0]) and p.args[1].op != "v"


def _function(body: Term) -> Callable[[Term], Term]:
    """Return the function of which this is the body under a binder."""
    return lambda t: fill(body, (t,))


def _powers_of_exponentials(atoms: Iterable[Term], facts: Iterable[Proof]) -> list[Proof]:
    """Return what known exponentials say about their powers: eˣ = s and e³ˣ = s³."""
    wanted = [(a, polynomial(a.args[0])) for a in atoms if a.op == "exp"]
    out = []
    for fact in facts if wanted else ():
        if fact.conclusion.op != "=" or not any(s.op == "exp" for s in fact.conclusion.args):
            continue
        fact = fact if fact.conclusion.args[0].op == "exp" else pf.symmetric(fact)
        base, value = fact.conclusion.args
        p = polynomial(base.args[0])
        for atom, q in wanted:
            times_ = q[next(iter(q))] / p[next(iter(q))] if {*p} == {*q} and p else Fraction(1)
            power = abs(int(times_))
            if times_ == 1 or power != abs(times_) or q != {m: times_ * c for m, c in p.items()}:
                continue

            def raised(x: Term, power: int = power, down: bool = times_ < 0) -> Term:
                x = pf.build("pow", (power,), [x])
                return pf.build("inv", (), [x]) if down else x

            with contextlib.suppress(Refused):
                same = pf.congruence(fact, raised)
                out.append(pf.convert(same, eq(atom, raised(value))))
    return out


def _atoms_of(p: Term) -> list[Term]:
    """Return the atoms of the polynomials of a relation."""
    if not is_relation(p):
        return []
    out: dict[Term, None] = {}
    for m in difference(p, "R"):
        out |= dict.fromkeys(a for a, _ in m)
    return list(out)


def _members(t: Term) -> Iterator[Term]:
    """Yield the members of families in a term that are closed, but for an outcome under E."""
    seen: set[Term] = set()
    pending = [t]
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        if t.op == "v" and t.args and t.loose == 0:
            yield t
        elif (
            t.op == "v"
            and len(t.args) > 1
            and t.args[-1].sort == "W"
            and t.args[-1].op == "b"
            and not any(a.loose for a in t.args[:-1])
        ):
            yield pf.build("v", t.data, [*t.args[:-1], pf.build("b", (0, "W"))])
        pending += t.args


def _subterms(t: Term) -> Iterator[Term]:
    """Yield the closed subterms of a term, each once."""
    seen: set[Term] = set()
    pending = [t]
    while pending:
        t = pending.pop()
        if t not in seen:
            seen.add(t)
            if t.loose == 0:
                yield t
            pending += t.args


def _indicator_laws(p: Term) -> Iterator[Proof]:
    """Return what the indicator of p has to do with those of its parts, or of its opposite."""
    if p.op == "|":
        yield lemma("indicator_of_either", p=p.args[0], q=p.args[1])
    elif p.op == "<" and p.args[0].sort == "R":
        yield lemma("indicator_of_less", x=p.args[1], y=p.args[0])


def _variances(goal: Term) -> list[Proof]:
    """Return that the variances of what has a squared mean in an inequality are nonnegative."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return []
    out = []
    for m in difference(goal, "R"):
        for a, k in m:
            if a.op == "E" and k == 2:
                w = pf.fresh("W", "ω")
                gap = pf.sub(fill(a.args[0], (w,)), a)
                square = pf.power(gap, 2)
                sign = psatz(le(0, square), (1, [], [gap]))
                body = pf.abstracted(square, [w])
                rule = lemma("mean_nonnegative", f=_function(body))
                out.append(mp(rule, generalise(w, sign)))
    return out


def _is_gram(factors: Sequence[Term]) -> bool:
    """Say whether a product is written BᵀB."""
    return len(factors) == 2 and factors[0].op == "T" and factors[0].args[0] is factors[1]


def _written_squares(goal: Term) -> list[Proof]:
    """Return that what is written as a square is nonnegative."""
    out = []
    for t in _subterms(goal):
        if t.op == "dot" and t.args[0] is t.args[1] and t.args[0].op != "v":
            out.append(axiom("square_nonnegative", u=t.args[0]))
        elif t.op == "pow" and t.sort == "R" and t.data[0] % 2 == 0 and t.args[0].op == "+":
            root = t.args[0] if t.data[0] == 2 else pf.power(t.args[0], t.data[0] // 2)
            out.append(psatz(le(0, t), (1, [], [root])))
        elif t.op == "tr" and t.args[0].op == "mm" and _is_gram(t.args[0].args):
            second = t.args[0].args[-1]
            names = dict(zip("mn", sizes(second.sort), strict=True))
            out.append(pf.instance(pf.sizes(axiom("trace_square"), names), {"B": second}))
        elif t.op == "pow" and t.data[0] == 2 and t.args[0].op == "dot":
            first, second = t.args[0].args
            out.append(lemma("cauchy_schwarz", u=first, v=second))
    return out


def _same(s: Term, a: Term) -> bool:
    """Say whether two closed terms are the same by calculation."""
    if s is a:
        return True
    return (
        s.op == a.op
        and s.sort == a.sort
        and len(s.args) > 0
        and s.data == a.data
        and (normal(s) is normal(a))
    )


def _occurs(a: Term, t: Term) -> bool:
    """Say whether a closed term, or one that is the same by calculation, occurs in another."""
    seen: set[Term] = set()
    pending = [t]
    while pending:
        t = pending.pop()
        if t is a or (t.loose == 0 and _same(t, a)):
            return True
        if t not in seen:
            seen.add(t)
            pending += t.args
    return False


def _context(t: Term, a: Term) -> Callable[[Term], Term]:
    """Return the function that puts something in place of a closed subterm."""
    same = {s for s in _subterms(t) if _same(s, a)}

    def put(b: Term) -> Term:
        return rebuild(t, lambda s, depth: shift(b, depth) if s in same else None)

    return put


def _lead(p: Polynomial, relation: Term) -> Monomial | None:
    """Return the monomial of an equation that is to be replaced: its left side, or the longest."""
    left = polynomial(relation.args[0]) if relation.args[0].sort == "R" else {}
    if len(left) == 1:
        (m,) = left
        if m and m in p and not any(n != m and _divides(m, n) for n in p):
            return m
    candidates = [m for m in p if m and not any(n != m and _divides(m, n) for n in p)]
    return max(
        candidates, key=lambda m: (sum(k for _, k in m), [a.key for a, _ in m]), default=None
    )


def _divides(m: Monomial, n: Monomial) -> bool:
    powers = dict(n)
    return all(powers.get(a, 0) >= k for a, k in m)


def _matches(p: Term, variables: Sequence[Term], members: Sequence[Term]) -> list[tuple[Term, ...]]:
    """Return values of variables for which members of families in p are some of these members."""
    wanted = {(v.data[0], v.data[1], ()): v for v in variables}
    patterns = [t for t in _members(p) if not t.free.isdisjoint(wanted)]
    partial: list[dict[Term, Term]] = []
    for pattern in patterns:
        for member in members:
            if member.data == pattern.data and len(member.args) == len(pattern.args):
                values = _solve(pattern.args, member.args, variables)
                if values and values not in partial:
                    partial.append(values)
    found: dict[tuple[Term, ...], None] = {}
    complete = [v for v in partial if len(v) == len(variables)]
    if not complete:
        states: list[dict[Term, Term]] = [{}]
        for variable in variables:
            options = [v for v in partial if variable in v]
            states = [
                {**state, **option}
                for state in states
                for option in (options if variable not in state else [{}])
                if all(state.get(k, t) is t for k, t in option.items())
            ][:40]
        complete = states
    for values in complete:
        if len(values) == len(variables):
            found[tuple(values[v] for v in variables)] = None
    return list(found)


def _solve(
    patterns: Sequence[Term], values: Sequence[Term], variables: Sequence[Term]
) -> dict[Term, Term] | None:
    """Return values of variables for which patterns have given values."""
    out: dict[Term, Term] = {}
    for pattern, value in zip(patterns, values, strict=True):
        if pattern.sort != value.sort:
            return None
        if value.loose and pattern is not value:
            return None
        if pattern in variables:
            if out.setdefault(pattern, value) is not value:
                return None
            continue
        if pattern.sort not in ("Z", "R"):
            if pattern is not value and not any(_occurs(v, pattern) for v in variables):
                return None
            continue
        inside = [v for v in variables if _occurs(v, pattern)]
        if not inside:
            if normal(pattern) is not normal(value):
                return None
            continue
        if len(inside) > 1:
            continue
        p = polynomial(pattern)
        lead = ((inside[0], 1),)
        if abs(p.get(lead, Fraction(0))) != 1:
            continue
        rest = plus(polynomial(value), {m: c for m, c in p.items() if m != lead}, Fraction(-1))
        found = build(plus({}, rest, 1 / p[lead]), pattern.sort)
        if normal(out.setdefault(inside[0], found)) is not normal(found):
            return None
    return out


def _vector_combination(goal: Term, equations: Sequence[Proof]) -> Proof | None:
    """Prove an equation of vectors as a combination of equations with numbers as multipliers."""
    from mlnotes.trusted.normal import vector

    from .linear import combination

    def flat(p: Term) -> dict[tuple[Term, Monomial], Fraction]:
        gap = vector(pf.sub(p.args[1], p.args[0]))
        return {(a, m): c for a, q in gap.items() for m, c in q.items()}

    target = flat(goal)
    # Multiples of equations by the monomials that turn one of their terms into one of the goal.
    multiples: dict[tuple[int, Monomial], dict[tuple[Term, Monomial], Fraction]] = {}
    for e, fact in enumerate(equations):
        given = flat(fact.conclusion)
        multiples[e, ()] = given
        for a, m in given:
            for b, n in target:
                factor = quotient(n, m) if a is b else None
                if factor and len(multiples) < 200:
                    gap = vector(pf.sub(*fact.conclusion.args[::-1]))
                    multiples[e, factor] = {
                        (c, k): x
                        for c, p in gap.items()
                        for k, x in times({factor: Fraction(1)}, p).items()
                    }
    found = combination(target, list(multiples.values()), [True] * len(multiples))
    if found is None:
        return None
    names = list(multiples)
    parts = [(build({names[k][1]: c}), equations[names[k][0]], None) for k, c in found.items()]
    try:
        return pf.linear(goal, *parts)
    except Refused:
        return None


__all__ = ["Context"]
