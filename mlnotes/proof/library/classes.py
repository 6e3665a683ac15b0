"""A class shatters at least as many sets as it has members: the proof of Pajor.

It is by induction over the points, for all classes at once, and too long for the library: a theorem
that needs it has it in its own certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import SUBSETS, build, variable
from ..language.subsets import member, power_of_two
from ..proofs import (
    Proof,
    add,
    assume,
    axiom,
    by_cases,
    by_order,
    discharge,
    each,
    each_intro,
    eq,
    false,
    generalise,
    implies,
    le,
    lemma,
    lt,
    mp,
    negation,
    ranged,
    ring,
    specialise,
    sub,
)
from .notation import arithmetic, implied, m, under
from .sets import DOUBLED, EMPTY, NOTHING, ONE, last_of, n, positive, twice_as_many

OUTSIDE, ELEMENT, REST = SUBSETS[2:]
s = variable("S", "Z")


def p(k: Term) -> Term:
    """Return a property of an integer."""
    return variable("p", "P", [k])


def indicator(q: Term) -> Term:
    """Return the indicator of a proposition."""
    return build("ind", (), [q])


# ---------------------------------------------------------------------- members


def holds(q: Term) -> Proof:
    """Return that the indicator of a proposition, which is assumed, is one."""
    return mp(axiom("indicator_true", p=q), assume(q))


def fails(q: Term) -> Proof:
    """Return that the indicator of a proposition, which is assumed not to hold, is zero."""
    return mp(axiom("indicator_false", p=q), assume(negation(q)))


def carried_over(q: Term, r: Term, same: Proof, held: Proof) -> Proof:
    """From [q] = [r] and q conclude r."""
    one = mp(axiom("indicator_true", p=q), held)
    wrong = arithmetic(false(), same, one, fails(r))
    return by_cases(r, assume(r), pf.absurd(r, wrong))


def there_is(x: Term, some: Proof, says: Term, shown: Proof) -> Proof:
    """From ¬∀x ¬p(x) and what p(x) shows of any x conclude it."""
    goal = shown.conclusion
    wrong = mp(assume(negation(goal)), shown)
    none = generalise(x, discharge(says, wrong))
    return by_cases(goal, assume(goal), pf.absurd(goal, mp(some, none)))


def _is(s: Term, k: Term) -> tuple[Term, Term]:
    """Return that a number is that of a subset of {1, …, k}."""
    return le(NOTHING, s), le(s, last_of(k))


def law(which: Term, k: Term, s: Term, long: Proof, *at: Term | Proof) -> Proof:
    """Return what defines the members of a subset of {1, …, k}, or of it and k + 1."""
    low, high = under(*_is(s, k))
    values = [x for x in at if isinstance(x, Term)]
    bounds = [x for x in at if isinstance(x, Proof)]
    found = mp(specialise(mp(specialise(assume(which), k), long), s), low, high)
    return mp(specialise(found, *values), *bounds)


def up_to_next(k: Term, goal: Callable[[Term], Term], below: Proof, top: Proof) -> Proof:
    """Conclude for i = 1, …, k + 1 from all i up to k, and k + 1."""
    at = pf.fresh("Z")
    start, end, early, late = under(le(ONE, at), le(at, add(k, 1)), le(at, k), lt(k, at))
    reached = mp(axiom("discrete", i=k, j=at), late)
    same = mp(axiom("antisymmetric_Z", i=add(k, 1), j=at), reached, end)
    first = pf.each_at(below, at, start, early)
    shown = by_order(at, k, first, pf.rewrite(same, top, goal))
    return each_intro(at, ONE, add(k, 1), shown)


def set_of_property() -> Proof:
    """0 ≤ n → there is a subset of {1, …, n} whose members are those with some property."""
    given = under(*SUBSETS)

    def described(t: Term, k: Term) -> Term:
        same = each(ONE, k, lambda i: eq(indicator(member(t, i)), indicator(p(i))))
        return build("&", (), [build("&", (), _is(t, k)), same])

    def claim(k: Term) -> Term:
        return negation(pf.forall("Z", lambda t: negation(described(t, k))))

    def found(t: Term, k: Term, low: Proof, high: Proof, members: Proof) -> Proof:
        """Return the contradiction between this set and that there is none."""
        none = assume(pf.forall("Z", lambda t: negation(described(t, k))))
        return mp(specialise(none, t), pf.conjunction(low, high, members))

    def concluded(k: Term, wrong: Proof) -> Proof:
        return discharge(pf.forall("Z", lambda t: negation(described(t, k))), wrong)

    at = pf.fresh("Z")
    start, end = under(le(ONE, at), le(at, NOTHING))
    nobody = pf.absurd(
        eq(indicator(member(NOTHING, at)), indicator(p(at))), arithmetic(false(), start, end)
    )
    alone = arithmetic(le(NOTHING, last_of(NOTHING)), given[0])
    base = concluded(
        NOTHING,
        found(
            NOTHING,
            NOTHING,
            ring(le(NOTHING, NOTHING)),
            alone,
            each_intro(at, ONE, NOTHING, nobody),
        ),
    )
    long, ih, some = under(le(NOTHING, m), claim(m), described(s, m))
    low, high, members = pf.conjuncts(some)
    after, larger = add(m, 1), add(s, power_of_two(m))
    least, twice = positive(m, long), twice_as_many(m, long)

    def both(at: Term, t: Term, moved: Proof | None) -> Proof:
        first, last = under(le(ONE, at), le(at, m))
        known = pf.each_at(members, at, first, last)
        facts = [known] if moved is None else [known, moved]
        goal = eq(indicator(member(t, at)), indicator(p(at)))
        return each_intro(at, ONE, m, arithmetic(goal, *facts))

    def goal_for(t: Term) -> Callable[[Term], Term]:
        return lambda at: eq(indicator(member(t, at)), indicator(p(at)))

    first, last = under(le(ONE, at), le(at, m))
    with_it = up_to_next(
        m,
        goal_for(larger),
        both(at, larger, law(REST, m, s, long, at, first, last)),
        arithmetic(goal_for(larger)(after), law(ELEMENT, m, s, long), holds(p(after))),
    )
    without = up_to_next(
        m,
        goal_for(s),
        both(at, s, None),
        arithmetic(goal_for(s)(after), law(OUTSIDE, m, s, long), fails(p(after))),
    )
    wide = arithmetic(le(s, last_of(after)), high, twice, least)
    wrong = by_cases(
        p(after),
        found(
            larger,
            after,
            arithmetic(le(NOTHING, larger), low, least),
            arithmetic(le(larger, last_of(after)), high, twice),
            with_it,
        ),
        found(s, after, low, wide, without),
    )
    # The bounds of s come from its description.
    for fact in (low, high):
        wrong = mp(discharge(fact.conclusion, wrong), fact)
    none = generalise(s, discharge(some.conclusion, wrong))
    step = concluded(after, mp(ih, none))
    rule = axiom("induction", lo=NOTHING, P=claim)
    every = mp(rule, base, generalise(m, implied(step, long, ih)))
    (whole,) = under(le(NOTHING, n))
    return implied(mp(specialise(every, n), whole), *given, whole)


# ---------------------------------------------------------------------- shattering

Class = Callable[[Term], Term]


def behaves(c: Class, k: Term, t: Term, a: Term, b: Term) -> Term:
    """Return that b is in a class and has those members of t that a has, among 1, …, k."""
    same = each(
        ONE,
        k,
        lambda i: implies(member(t, i), eq(indicator(member(b, i)), indicator(member(a, i)))),
    )
    return build("&", (), [c(b), same])


def some_behave(c: Class, k: Term, t: Term, a: Term) -> Term:
    """Return that some subset of {1, …, k} in a class has those members of t that a has."""
    return negation(each(NOTHING, last_of(k), lambda b: negation(behaves(c, k, t, a, b))))


def shattered(c: Class, k: Term, t: Term) -> Term:
    """Return that a class of subsets of {1, …, k} shatters t: it has every behaviour there."""
    return each(NOTHING, last_of(k), lambda a: some_behave(c, k, t, a))


def _chosen(c: Class, k: Term, t: Term, a: Term, some: Proof, use: Callable[..., Proof]) -> Proof:
    """Conclude what ``use`` shows of any set that behaves like a on t."""
    b = pf.fresh("Z")
    low, high, says = under(*_is(b, k), behaves(c, k, t, a, b))
    inside, same = says.conclusion.args
    parts = (mp(axiom(f"and_{side}", p=inside, q=same), says) for side in ("left", "right"))
    shown = use(b, low, high, *parts)
    goal = shown.conclusion
    wrong = mp(assume(negation(goal)), shown)
    none = generalise(b, implied(discharge(says.conclusion, wrong), low, high))
    return by_cases(goal, assume(goal), pf.absurd(goal, mp(some, none)))


def _found(
    c: Class, k: Term, t: Term, a: Term, b: Term, low: Proof, high: Proof, *says: Proof
) -> Proof:
    """Conclude that some set behaves like a on t, as b does."""
    none = assume(each(NOTHING, last_of(k), lambda b: negation(behaves(c, k, t, a, b))))
    wrong = mp(pf.each_at(none, b, low, high), pf.conjunction(*says))
    return discharge(none.conclusion, wrong)


class _Halves:
    """A class of subsets of {1, …, k + 1}, and what follows from two classes on {1, …, k}.

    The first has the sets that are in the class with k + 1 or without it; the second has those that
    are in it both ways. What either shatters the class shatters; what the second shatters it also
    shatters together with k + 1.
    """

    def __init__(self, k: Term, long: Proof, c: Class) -> None:
        self.k, self.long, self.c = k, long, c
        self.size, self.after = power_of_two(k), add(k, 1)
        self.least, self.twice = positive(k, long), twice_as_many(k, long)

    def either(self, b: Term) -> Term:
        """Return that a set is in the class, with k + 1 or without."""
        return build("|", (), [self.c(b), self.c(add(b, self.size))])

    def both(self, b: Term) -> Term:
        """Return that a set is in the class, with k + 1 and without."""
        return build("&", (), [self.c(b), self.c(add(b, self.size))])

    def bounds(self, b: Term, larger: bool) -> tuple[Proof, Proof]:
        """Return that b, or b with k + 1, is a subset of {1, …, k + 1}."""
        low, high = under(*_is(b, self.k))
        t = add(b, self.size) if larger else b
        return (
            arithmetic(le(NOTHING, t), low, self.least),
            arithmetic(le(t, last_of(self.after)), high, self.twice, self.least),
        )

    def member_law(self, b: Term, larger: bool, at: Term, first: Proof, last: Proof) -> Proof:
        """Return [i ∈ b ∪ {k + 1}] = [i ∈ b], or [i ∈ b] = [i ∈ b]."""
        if larger:
            return law(REST, self.k, b, self.long, at, first, last)
        q = indicator(member(b, at))
        return ring(eq(q, q))

    def shatters(self, half: Class, t: Term, larger: bool) -> Proof:
        """Return that the class shatters t, or t with k + 1, if one of the halves shatters t."""
        k, target = self.k, add(t, self.size) if larger else t
        given = assume(shattered(half, k, t))
        a, rest = pf.fresh("Z"), pf.fresh("Z")
        low, high = under(*_is(a, self.after))
        below, above = under(le(a, last_of(k)), lt(last_of(k), a))
        small = self._behaviour(half, t, target, larger, a, False, given)
        small = mp(implied(small, *under(*_is(a, k))), low, below)
        large = self._behaviour(half, t, target, larger, rest, True, given)
        large = generalise(rest, implied(large, *under(*_is(rest, k))))
        moved = mp(
            specialise(large, sub(a, self.size)),
            arithmetic(le(NOTHING, sub(a, self.size)), above),
            arithmetic(le(sub(a, self.size), last_of(k)), high, self.twice),
        )
        goal = some_behave(self.c, self.after, target, a)
        shown = by_order(a, last_of(k), small, pf.convert(moved, goal))
        return discharge(given.conclusion, each_intro(a, NOTHING, last_of(self.after), shown))

    def _behaviour(
        self, half: Class, t: Term, target: Term, larger: bool, a: Term, top: bool, given: Proof
    ) -> Proof:
        """Return that some set of the class behaves like a, or like a with k + 1 if ``top``."""
        k, wanted = self.k, add(a, self.size) if top else a
        some = pf.each_at(given, a, *under(*_is(a, k)))

        def use(b: Term, low: Proof, high: Proof, inside: Proof, same: Proof) -> Proof:
            def with_top(has: bool, known: Proof) -> Proof:
                """Return that b, or b with k + 1, is what was looked for."""
                found = add(b, self.size) if has else b

                def goal(i: Term) -> Term:
                    behaviour = eq(indicator(member(found, i)), indicator(member(wanted, i)))
                    return implies(member(target, i), behaviour)

                i = pf.fresh("Z")
                first, last, there = under(le(ONE, i), le(i, k), member(target, i))
                moved = [
                    self.member_law(x, up, i, first, last)
                    for x, up in ((t, larger), (b, has), (a, top))
                ]
                before = carried_over(member(target, i), member(t, i), moved[0], there)
                agree = mp(pf.each_at(same, i, first, last), before)
                shown = arithmetic(goal(i).args[1], agree, *moved[1:])
                inner = each_intro(i, ONE, k, discharge(there.conclusion, shown))
                ends = up_to_next(k, goal, inner, self._at_top(t, b, a, larger, has, top, goal))
                return _found(
                    self.c, self.after, target, wanted, found, *self.bounds(b, has), known, ends
                )

            if larger:
                without, with_it = pf.conjuncts(inside)
                return with_top(top, with_it if top else without)
            p, q = inside.conclusion.args
            return pf.cases(
                inside,
                discharge(p, with_top(False, assume(p))),
                discharge(q, with_top(True, assume(q))),
            )

        return _chosen(half, k, t, a, some, use)

    def _at_top(
        self, t: Term, b: Term, a: Term, larger: bool, has: bool, top: bool, goal: Class
    ) -> Proof:
        """Return what the behaviour at k + 1 has to be."""
        there = assume(goal(self.after).args[0])
        behaviour = goal(self.after).args[1]
        if larger:
            laws = [
                law(ELEMENT if up else OUTSIDE, self.k, x, self.long)
                for x, up in ((b, has), (a, top))
            ]
            return discharge(there.conclusion, arithmetic(behaviour, *laws))
        never = law(OUTSIDE, self.k, t, self.long)
        one = mp(axiom("indicator_true", p=there.conclusion), there)
        return discharge(there.conclusion, pf.absurd(behaviour, arithmetic(false(), never, one)))


def _counted(c: Class, k: Term) -> Term:
    """Return how many subsets of {1, …, k} are in a class."""
    return ranged("sum", NOTHING, last_of(k), lambda b: indicator(c(b)))


def _implied_indicator(q: Term, r: Term, rule: Proof) -> Proof:
    """From q → r conclude [q] ≤ [r]."""
    goal = le(indicator(q), indicator(r))
    yes = mp(axiom("indicator_true", p=r), mp(rule, assume(q)))
    no = lemma("indicator_at_least_zero", p=r)
    return by_cases(q, arithmetic(goal, holds(q), yes), arithmetic(goal, fails(q), no))


def shattered_sets() -> Proof:
    """0 ≤ n → a class of subsets of {1, …, n} shatters at least as many sets as it has members.

    By induction over n. Where a class has both b and b with n + 1, b is put into two classes, else
    into one of them only; so their numbers of members add up, and what they shatter, the class
    shatters too, without n + 1 and with it. That this is said of all classes at once is possible
    because there are finitely many: a class is a set of numbers, and has a number.
    """
    given = under(*SUBSETS)

    def numbered(t: Term) -> Class:
        return lambda b: member(t, add(b, 1))

    def claim_of(c: Class, k: Term) -> Term:
        return le(_counted(c, k), _counted(lambda t: shattered(c, k, t), k))

    def claim(k: Term) -> Term:
        return pf.forall("Z", lambda t: claim_of(numbered(t), k))

    t = pf.fresh("Z")
    base = generalise(t, _alone(numbered(t), given[0], claim_of))
    long, ih = under(le(NOTHING, m), claim(m))
    step = generalise(t, _one_point_more(numbered(t), long, ih, claim_of, numbered))
    rule = axiom("induction", lo=NOTHING, P=claim)
    every = mp(rule, base, generalise(m, implied(step, long, ih)))
    (whole,) = under(le(NOTHING, n))
    found = mp(specialise(every, n), whole)
    # The class of all sets with a property is that of some number.
    shown = _of_property(found, whole, claim_of, numbered)
    return implied(shown, *given, whole)


def _alone(c: Class, empty: Proof, claim_of: Callable[[Class, Term], Term]) -> Proof:
    """Return the claim for the subsets of the empty set: if it is in a class, it is shattered."""
    here = mp(lemma("sum_over_subset_of_nothing", f=lambda b: indicator(c(b))), empty)
    there = mp(
        lemma("sum_over_subset_of_nothing", f=lambda t: indicator(shattered(c, NOTHING, t))), empty
    )
    a, i = pf.fresh("Z"), pf.fresh("Z")
    inside, first, last = under(c(NOTHING), le(ONE, i), le(i, NOTHING))
    never = implies(member(NOTHING, i), eq(indicator(member(NOTHING, i)), indicator(member(a, i))))
    nobody = pf.absurd(never, arithmetic(false(), first, last))
    same = each_intro(i, ONE, NOTHING, nobody)
    low = ring(le(NOTHING, NOTHING))
    high = arithmetic(le(NOTHING, last_of(NOTHING)), empty)
    found = _found(c, NOTHING, NOTHING, a, NOTHING, low, high, inside, same)
    rule = discharge(inside.conclusion, each_intro(a, NOTHING, last_of(NOTHING), found))
    below = _implied_indicator(c(NOTHING), shattered(c, NOTHING, NOTHING), rule)
    return arithmetic(claim_of(c, NOTHING), here, there, below)


def _one_point_more(
    c: Class,
    long: Proof,
    ih: Proof,
    claim_of: Callable[[Class, Term], Term],
    numbered: Callable[[Term], Class],
) -> Proof:
    """Return the claim for m + 1, from that for all classes of subsets of {1, …, m}."""
    size, after = power_of_two(m), add(m, 1)
    one, two = pf.fresh("Z"), pf.fresh("Z")
    halves = _Halves(m, long, c)
    parts = ((one, halves.either), (two, halves.both))
    wide = arithmetic(le(NOTHING, size), positive(m, long))
    known = [assume(_described(x, size, half)) for x, half in parts]

    def same(k: int, b: Term, low: Proof, high: Proof) -> Proof:
        """Return that a set is in the class of a number if it is in the half."""
        x, half = parts[k]
        at = add(b, 1)
        goal = eq(indicator(member(x, at)), indicator(half(b)))
        inside = arithmetic(le(ONE, at), low), arithmetic(le(at, size), high)
        return pf.convert(pf.each_at(pf.conjuncts(known[k])[2], at, *inside), goal)

    b, t = pf.fresh("Z"), pf.fresh("Z")
    low, high = under(*_is(b, m))
    equal = [same(k, b, low, high) for k in (0, 1)]
    p, q = c(b), c(add(b, size))
    goal = eq(
        add(indicator(p), indicator(q)),
        add(*(indicator(member(x, add(b, 1))) for x, _ in parts)),
    )
    with_p, without_p = (
        by_cases(q, *(_added(goal, p, q, equal, first, second) for second in (True, False)))
        for first in (True, False)
    )
    total = by_cases(p, with_p, without_p)
    members = mp(
        lemma(
            "sum_congruence",
            lo=NOTHING,
            hi=last_of(m),
            f=lambda b: add(indicator(c(b)), indicator(c(add(b, size)))),
            g=lambda b: add(*(indicator(member(x, add(b, 1))) for x, _ in parts)),
        ),
        each_intro(b, NOTHING, last_of(m), total),
    )

    def whole(t: Term) -> Term:
        return indicator(shattered(c, after, t))

    below = []
    for k, (x, half) in enumerate(parts):
        own = shattered(numbered(x), m, t)
        moved = _same_class(numbered(x), half, m, t, partial(same, k))
        more = add(t, size) if k else t
        rule = mp(halves.shatters(half, t, bool(k)), mp(moved, assume(own)))
        below.append(_implied_indicator(own, shattered(c, after, more), discharge(own, rule)))
    goal = le(
        add(*(indicator(shattered(numbered(x), m, t)) for x, _ in parts)),
        add(whole(t), whole(add(t, size))),
    )
    shattering = mp(
        lemma(
            "sum_monotone",
            lo=NOTHING,
            hi=last_of(m),
            f=lambda t: add(*(indicator(shattered(numbered(x), m, t)) for x, _ in parts)),
            g=lambda t: add(whole(t), whole(add(t, size))),
        ),
        each_intro(t, NOTHING, last_of(m), arithmetic(goal, *below)),
    )
    split = [
        mp(lemma("sum_over_subsets", n=m, f=f), *under(EMPTY, DOUBLED), long)
        for f in (lambda b: indicator(c(b)), whole)
    ]
    claims = [specialise(ih, x) for x, _ in parts]
    shown = arithmetic(claim_of(c, after), *claims, members, shattering, *split)
    for x, half in reversed(parts):
        shown = there_is(x, _set_of(half, size, wide), _described(x, size, half), shown)
    return shown


def _added(goal: Term, p: Term, q: Term, equal: list[Proof], first: bool, second: bool) -> Proof:
    """Return [p] + [q] = [p or q] + [p and q] where it is known which of the two hold."""
    known = [holds(x) if yes else fails(x) for x, yes in ((p, first), (q, second))]
    either, both = build("|", (), [p, q]), build("&", (), [p, q])
    if first or second:
        side, x = ("left", p) if first else ("right", q)
        known.append(
            mp(axiom("indicator_true", p=either), mp(axiom(f"or_{side}", p=p, q=q), assume(x)))
        )
    else:
        nor = pf.cases(assume(either), *(assume(negation(x)) for x in (p, q)))
        known.append(mp(axiom("indicator_false", p=either), discharge(either, nor)))
    if first and second:
        known.append(mp(axiom("indicator_true", p=both), pf.conjunction(assume(p), assume(q))))
    else:
        side, x = ("left", p) if not first else ("right", q)
        wrong = mp(assume(negation(x)), mp(axiom(f"and_{side}", p=p, q=q), assume(both)))
        known.append(mp(axiom("indicator_false", p=both), discharge(both, wrong)))
    return arithmetic(goal, *known, *equal)


def _described(t: Term, k: Term, c: Class) -> Term:
    """Return that the set of a number has b + 1 as a member for the sets b of a class."""
    same = each(ONE, k, lambda i: eq(indicator(member(t, i)), indicator(c(sub(i, 1)))))
    return build("&", (), [build("&", (), _is(t, k)), same])


def _set_of(c: Class, k: Term, long: Proof) -> Proof:
    """Return that a class of subsets, of which there are k, has a number."""
    return mp(
        pf.instance(set_of_property(), {"n": k, "p": lambda i: c(sub(i, 1))}),
        *under(*SUBSETS),
        long,
    )


def _same_class(
    c: Class, d: Class, k: Term, t: Term, same: Callable[[Term, Proof, Proof], Proof]
) -> Proof:
    """Return that a class shatters t if another one does that has the same members."""
    a = pf.fresh("Z")
    given = assume(shattered(c, k, t))
    bounds = under(*_is(a, k))
    some = pf.each_at(given, a, *bounds)

    def use(b: Term, low: Proof, high: Proof, inside: Proof, agree: Proof) -> Proof:
        there = carried_over(c(b), d(b), same(b, low, high), inside)
        return _found(d, k, t, a, b, low, high, there, agree)

    shown = _chosen(c, k, t, a, some, use)
    return discharge(given.conclusion, each_intro(a, NOTHING, last_of(k), shown))


def _of_property(
    every: Proof,
    long: Proof,
    claim_of: Callable[[Class, Term], Term],
    numbered: Callable[[Term], Class],
) -> Proof:
    """Return the claim for the class of all sets with a property."""
    x, b, t, size = pf.fresh("Z"), pf.fresh("Z"), pf.fresh("Z"), power_of_two(n)
    known = assume(_described(x, size, p))

    def same(b: Term, low: Proof, high: Proof) -> Proof:
        at = add(b, 1)
        goal = eq(indicator(member(x, at)), indicator(p(b)))
        inside = arithmetic(le(ONE, at), low), arithmetic(le(at, size), high)
        return pf.convert(pf.each_at(pf.conjuncts(known)[2], at, *inside), goal)

    members = mp(
        lemma(
            "sum_congruence",
            lo=NOTHING,
            hi=last_of(n),
            f=lambda b: indicator(member(x, add(b, 1))),
            g=lambda b: indicator(p(b)),
        ),
        each_intro(b, NOTHING, last_of(n), same(b, *under(*_is(b, n)))),
    )
    q, r = shattered(numbered(x), n, t), shattered(p, n, t)
    shattering = mp(
        lemma(
            "sum_monotone",
            lo=NOTHING,
            hi=last_of(n),
            f=lambda t: indicator(shattered(numbered(x), n, t)),
            g=lambda t: indicator(shattered(p, n, t)),
        ),
        each_intro(
            t,
            NOTHING,
            last_of(n),
            _implied_indicator(q, r, _same_class(numbered(x), p, n, t, same)),
        ),
    )
    wide = arithmetic(le(NOTHING, size), positive(n, long))
    shown = arithmetic(claim_of(p, n), specialise(every, x), members, shattering)
    return there_is(x, _set_of(p, size, wide), known.conclusion, shown)
