"""Random variables: independence as an author writes it, and as the search uses it.

A random number is a symbol with an outcome as its last argument. Independence is no predicate of
its own: it says that joint probabilities are products of single ones, and the kernel's axiom
``independent_product`` turns this into what it means for functions of the variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlnotes.trusted.normal import build, normal, polynomial
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Term, close, fill, instantiate, rebuild

from . import proofs as pf
from .errors import IllTyped
from .language import OUTCOME, Family, Lambda, Statement, carried, term_of, variable
from .proofs import Proof, assume, axiom, discharge, eq, le, lemma, mp, mul, negation, specialise

if TYPE_CHECKING:
    from .evaluate import Model
    from .search import Context

OMEGA = variable(*OUTCOME)


# ---------------------------------------------------------------------- what an author writes


def independent(*parts: Any) -> Statement:
    """State that two random numbers are independent: joint probabilities are products."""
    terms = [term_of(p) for p in parts]
    if len(terms) != 2:
        raise IllTyped("independent(...) takes two random numbers; several are a random family")
    for t in terms:
        if t.sort != "R" or not is_random(t.term):
            raise IllTyped(f"{t!r} is not a random number")
    bodies = [pf.abstracted(t.term, [OMEGA]) for t in terms]
    p = pair_law(*(_function(b) for b in bodies))
    return Statement(p, carried(*terms), "independent", tuple(terms))


def independent_family(family: Any) -> Statement:
    """State that the members of a random family are jointly independent, over every range.

    ``Lambda(i, X[j, i])`` says it of the members with a fixed j.
    """
    i = pf.fresh("Z", "i")
    if isinstance(family, Family) and family.random and family.sort == "R":
        member = variable(family.name, "R", [i, OMEGA])
        assumes: tuple[Term, ...] = ()
    elif isinstance(family, Lambda) and len(family.variables) == 1 and family.body.sort == "R":
        (index,) = family.variables
        member, assumes = family.body.term, family.body.assumes
        if index.sort != "Z" or member.op != "v" or index.term not in member.args:
            raise IllTyped("Lambda(i, X[j, i]) runs through a random family")
        member = instantiate(member, {(index.term.data[0], "Z", ()): i})
    else:
        raise IllTyped(f"{family!r} is not a random family: write random_family('X')")
    if not is_random(member):
        raise IllTyped(f"{family!r} is not a random family: write random_family('X')")
    body = pf.abstracted(member, [i, OMEGA])

    def at(k: Term, w: Term) -> Term:
        return fill(body, (k, w))

    p = pf.forall("Z", lambda lo: pf.forall("Z", lambda hi: product_law(lo, hi, at)))
    return Statement(p, assumes, "independent", (family,))


def is_random(t: Term) -> bool:
    """Say whether a term depends on the outcome."""
    return (*OUTCOME, ()) in t.free


def for_all_outcomes(s: Statement) -> Statement:
    """Return a hypothesis about random numbers as what it means: it holds for every outcome."""
    if not is_random(s.term):
        return s
    return Statement(pf.build("all", ("W",), [close(s.folded, OMEGA)]), s.assumes, s.shown, s.parts)


# ---------------------------------------------------------------------- the laws


def product_law(low: Term, high: Term, family: Callable[[Term, Term], Term]) -> Term:
    """Return that the members of a random family over a range are independent."""

    def at(v: Term) -> Term:
        def same(k: Term, w: Term) -> Term:
            return eq(family(k, w), family(k, v))

        joint = pf.mean(lambda w: _indicator(pf.each(low, high, lambda k: same(k, w))))
        return eq(
            joint,
            pf.ranged("prod", low, high, lambda k: pf.mean(lambda w: _indicator(same(k, w)))),
        )

    return pf.forall("W", at)


def pair_law(first: Callable[[Term], Term], second: Callable[[Term], Term]) -> Term:
    """Return that two random numbers are independent."""

    def at(a: Term, b: Term) -> Term:
        def one(w: Term) -> Term:
            return _indicator(eq(first(w), a))

        def other(w: Term) -> Term:
            return _indicator(eq(second(w), b))

        joint = pf.mean(lambda w: mul(one(w), other(w)))
        return eq(joint, mul(pf.mean(one), pf.mean(other)))

    return pf.forall("R", lambda a: pf.forall("R", lambda b: at(a, b)))


@dataclass(frozen=True)
class Law:
    """A fact that says that random numbers are independent.

    ``open`` are generic values of the indices that it holds for, ``members`` the random numbers at
    a generic outcome ``w`` (and index ``k``, for a family).
    """

    fact: Proof
    open: tuple[Term, ...]
    members: tuple[Term, ...]
    k: Term | None
    w: Term


def law_of(fact: Proof) -> Law | None:
    """Return what a fact says about independence, or None if it speaks of something else."""
    p, opened = fact.conclusion, []
    while p.op in ("all", "->") and not (p.op == "all" and p.data[0] in ("W", "R")):
        if p.op == "all":
            opened.append(pf.fresh(p.data[0], "?"))
            p = fill(p.args[0], (opened[-1],))
        else:
            p = p.args[1]
    if p.op != "all":
        return None
    w = pf.fresh("W", "?")
    if p.data[0] == "W":
        return _family_law(fact, opened, p, w)
    inner = fill(p.args[0], (pf.fresh("R", "?"),))
    if inner.op != "all" or inner.data[0] != "R":
        return None
    inner = fill(inner.args[0], (pf.fresh("R", "?"),))
    if inner.op != "=" or inner.args[0].op != "E" or inner.args[0].args[0].op != "*":
        return None
    events = [fill(t, (w,)) for t in inner.args[0].args[0].args]
    if len(events) != 2 or any(t.op != "ind" or t.args[0].op != "=" for t in events):
        return None
    members = [t.args[0].args[0] for t in events]
    if p is not pair_law(*(_function(close(m, w)) for m in members)):
        return None
    return Law(fact, tuple(opened), tuple(members), None, w)


def _family_law(fact: Proof, opened: list[Term], p: Term, w: Term) -> Law | None:
    """Read E[xₖ = cₖ for all k] = p(c) as the law of a family."""
    body = fill(p.args[0], (pf.fresh("W", "?"),))
    if len(opened) < 2 or body.op != "=" or body.args[0].op != "E":
        return None
    event = body.args[0].args[0]
    if event.op != "ind" or event.args[0].op != "all":
        return None
    k = pf.fresh("Z", "?")
    inside = fill(fill(event, (w,)).args[0].args[0], (k,))
    while inside.op == "->":
        inside = inside.args[1]
    if inside.op != "=":
        return None
    member = inside.args[0]
    abstract = pf.abstracted(member, [k, w])
    if p is not product_law(opened[-2], opened[-1], lambda k, w: fill(abstract, (k, w))):
        return None
    return Law(fact, tuple(opened), (member,), k, w)


def finite_law(p: Term, model: Model) -> Term:
    """Return what independence means in a model that names finitely many members.

    The other members of a family are constant, and constants are independent of everything; two
    numbers are independent if they are at values that they take.
    """
    law = law_of(pf.assume(p)) if p.op == "all" else None
    if law is None:
        return p
    if law.k is None:
        if law.open:
            return p
        first, second = (_function(close(m, law.w)) for m in law.members)
        core = pf.forall(
            "W",
            lambda v: pf.forall(
                "W", lambda w: specialise(law.fact, first(v), second(w)).conclusion
            ),
        )
        return core
    (member,) = law.members
    table = model.values.get((*member.data, tuple(a.sort for a in member.args)))
    if not isinstance(table, dict) or not table or law.k not in member.args:
        return p
    at = [key[member.args.index(law.k)] for key in table]
    low, high = pf.whole(min(at)), pf.whole(max(at))

    def bounded(t: Term, outside: int) -> Term:
        if t.op == "->":
            return pf.implies(t.args[0], bounded(t.args[1], outside))
        if outside:
            return pf.forall("Z", lambda j: bounded(fill(t.args[0], (j,)), outside - 1))
        return pf.each(
            low,
            high,
            lambda a: pf.each(low, high, lambda b: fill(fill(t.args[0], (a,)).args[0], (b,))),
        )

    return bounded(p, len(law.open) - 2)


def instance(context: Context, goal: Term) -> Proof | None:
    """Return the instance of a law that is a goal."""
    for law in context.laws:
        depth = len(law.open) - (2 if law.k is not None else 0)
        p = law.fact.conclusion
        if depth == 0 or p.op != "all":
            continue
        for values in _choices(goal, depth):
            used = context.use_up_to(law.fact, values)
            if used is not None and normal(used.conclusion) is normal(goal):
                return pf.convert(used, goal)
    return None


def _choices(goal: Term, depth: int) -> Iterator[tuple[Term, ...]]:
    """Yield integers that occur closed in a goal, to be put for indices."""
    found: dict[Term, None] = {}
    pending, seen = [goal], set()
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        if t.op == "v":
            found |= dict.fromkeys(a for a in t.args if a.sort == "Z" and a.loose == 0)
        pending += t.args
    if depth == 1:
        yield from ((t,) for t in found)


# ---------------------------------------------------------------------- what follows for means


def means(context: Context, a: Term) -> Iterator[Proof]:
    """Yield what is known of a mean: what stands in it may be simpler, or independent."""
    w = pf.fresh("W", "ω")
    value = fill(a.args[0], (w,))
    if context.depth <= 3 and any(t.op in ("max", "min", "abs") for t in _inside(value)):
        inner = context.extended()
        equations = inner.facts_about([t for m in polynomial(value) for t, _ in m], ())
        reduced = inner.extended(*equations).reduced(value)
        if reduced is not None:
            equation, new = reduced
            simpler = close(new, w)
            rule = lemma("mean_congruence", f=_function(a.args[0]), g=_function(simpler))
            yield mp(rule, pf.generalise(w, equation))
    body = polynomial(value)
    if len(body) != 1:
        return
    ((monomial, _),) = body.items()
    yield from _given_values(a, monomial, w)
    if not context.laws:
        return
    for law in context.laws:
        if law.k is None:
            found = _two(law, monomial, w)
        else:
            found = _over_range(context, law, monomial, w) or _of_pair(context, law, monomial, w)
        if found is not None:
            yield found


def _given_values(a: Term, monomial: Sequence[tuple[Term, int]], w: Term) -> Iterator[Proof]:
    """Yield E[h(X) E[Y | X]] = E[h(X) Y]."""
    for chance, _ in monomial:
        x = _value_given(chance, w)
        if x is None:
            continue
        t, o = pf.fresh("R"), pf.fresh("W")
        at = fill(x, (w,))
        same = normal(_indicator(eq(fill(x, (o,)), at)))
        for top, _ in monomial:
            y = _averaged(top, same, o) if top.op == "E" and _has(top, w) else None
            if y is None or _has(y, w):
                continue
            rest = [
                (f, k - (f is top) - (f is chance))
                for f, k in monomial
                if f not in (top, chance) or k > 1
            ]
            h = _replaced(_product([f for f, k in rest for _ in range(k)] or [pf.number(1)]), at, t)
            if _has(h, w):
                continue
            rule = lemma(
                "mean_of_conditional_mean",
                X=_function(x),
                Y=_function(close(y, o)),
                h=_function(close(h, t)),
            )
            yield pf.convert(rule, eq(a, rule.conclusion.args[1]))


def _value_given(chance: Term, w: Term) -> Term | None:
    """Return X if a term is one over the probability of the value that X has at an outcome."""
    if chance.op != "inv" or chance.args[0].op != "E" or not _has(chance, w):
        return None
    event = chance.args[0].args[0]
    if event.op != "ind" or event.args[0].op != "=" or event.args[0].args[0].sort != "R":
        return None
    o = pf.fresh("W")
    gap = difference(fill(event.args[0], (o,)), "R")
    atoms = [m[0][0] for m in gap if len(m) == 1 and m[0][0].op == "v" and _has(m[0][0], o)]
    if len(atoms) != 1:
        return None
    x = close(atoms[0], o)
    return x if normal(eq(atoms[0], fill(x, (w,)))) is normal(fill(event.args[0], (o,))) else None


def _averaged(top: Term, same: Term, o: Term) -> Term | None:
    """Return Y if a mean is that of Y where an indicator is one."""
    body = polynomial(fill(top.args[0], (o,)))
    if len(body) != 1:
        return None
    ((m, c),) = body.items()
    if all(a is not same for a, _ in m):
        return None
    return build({tuple(f for f in m if f[0] is not same): c})


def _two(law: Law, monomial: Sequence[tuple[Term, int]], w: Term) -> Proof | None:
    """Return E[f(X) g(Y)] = E[f(X)] E[g(Y)]."""
    if law.open:
        return None
    bodies = [close(m, law.w) for m in law.members]
    members = [fill(b, (w,)) for b in bodies]
    parts: list[list[Term]] = [[], []]
    for factor in _apart(monomial, members):
        held = [_mentions(factor, m) for m in members]
        if all(held) or not any(held):
            return None
        parts[held.index(True)].append(factor)
    functions = []
    for m, part in zip(members, parts, strict=True):
        if not part:
            return None
        t = pf.fresh("R")
        product = _replaced(_product(part), m, t)
        if _has(product, w):
            return None
        functions.append(_function(close(product, t)))
    rule = lemma(
        "independent_two",
        X=_function(bodies[0]),
        Y=_function(bodies[1]),
        f=functions[0],
        g=functions[1],
    )
    return mp(rule, law.fact)


def _apart(monomial: Sequence[tuple[Term, int]], members: Sequence[Term]) -> Iterator[Term]:
    """Yield the factors of a monomial; the exponential of a sum is a product."""
    for factor, power in monomial:
        if factor.op == "exp" and all(_mentions(factor, m) for m in members):
            for m, c in polynomial(factor.args[0]).items():
                yield pf.build("exp", (), [build({m: c * power})])
        else:
            yield factor if power == 1 else pf.power(factor, power)


def _over_range(
    context: Context, law: Law, monomial: Sequence[tuple[Term, int]], w: Term
) -> Proof | None:
    """Return E[Π f(k, X(k))] = Π E[f(k, X(k))]."""
    k = pf.fresh("Z", "k")
    factors: list[Term] = []
    limits: tuple[Term, Term] | None = None
    for factor, power in monomial:
        for low, high, part in _ranges(factor, power, w):
            if limits is not None and (limits[0] is not low or limits[1] is not high):
                return None
            limits = (low, high)
            factors.append(fill(part, (k,)))
        if not _ranges(factor, power, w):
            return None
    if limits is None:
        return None
    body = _product(factors)
    member = _member(law, body, k, w)
    if member is None:
        return None
    values, at = member
    t = pf.fresh("R")
    inside = _replaced(body, at(k, w), t)
    if _has(inside, w):
        return None
    premise = context.use_up_to(law.fact, (*values, *limits))
    if premise is None:
        return None
    function = pf.abstracted(inside, [k, t])
    rule = axiom(
        "independent_product",
        lo=limits[0],
        hi=limits[1],
        X=at,
        f=lambda k, t: fill(function, (k, t)),
    )
    return mp(rule, premise)


def _ranges(factor: Term, power: int, w: Term) -> list[tuple[Term, Term, Term]]:
    """Return a factor as products over ranges: limits and the body under the index."""
    if factor.op == "prod":
        low, high, body = factor.args
        return [(low, high, body if power == 1 else pf.power(body, power))]
    if factor.op != "exp":
        return []
    out = []
    for m, c in polynomial(factor.args[0]).items():
        sums = [a for a, n in m if a.op == "sum" and n == 1 and _has(a, w)]
        rest = tuple(x for x in m if x[0] not in sums)
        if len(sums) != 1 or any(_has(a, w) for a, _ in rest):
            return []
        low, high, body = sums[0].args
        scaled = pf.build("*", (), [build({rest: c * power}), body])
        out.append((low, high, pf.build("exp", (), [scaled])))
    return out


def _member(
    law: Law, body: Term, k: Term, w: Term
) -> tuple[tuple[Term, ...], Callable[[Term, Term], Term]] | None:
    """Return the values of a law's indices at which it speaks of the member in a term."""
    (pattern,) = law.members
    assert law.k is not None
    names = law.open[:-2]
    pending, seen = [body], set()
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        pending += t.args
        if t.op != "v" or t.data != pattern.data or len(t.args) != len(pattern.args):
            continue
        wanted = {law.k: k, law.w: w}
        for a, b in zip(pattern.args, t.args, strict=True):
            if a in names and b.loose == 0:
                wanted.setdefault(a, b)
        if any(n not in wanted for n in names):
            continue
        if all(wanted.get(a, a) is b for a, b in zip(pattern.args, t.args, strict=True)):
            values = tuple(wanted[n] for n in names)
            fixed = instantiate(
                pattern, {(n.data[0], "Z", ()): v for n, v in zip(names, values, strict=True)}
            )
            abstract = pf.abstracted(fixed, [law.k, law.w])
            return values, lambda k, w, abstract=abstract: fill(abstract, (k, w))
    return None


def _of_pair(
    context: Context, law: Law, monomial: Sequence[tuple[Term, int]], w: Term
) -> Proof | None:
    """Return E[f(X(i)) g(X(j))] = E[f(X(i))] E[g(X(j))] for two members."""
    (pattern,) = law.members
    if law.k is None or len(law.open) != 2 or len(pattern.args) != 2:
        return None
    whole = _product([f for f, _ in monomial])
    members = sorted(
        {t for t in _inside(whole) if t.op == "v" and t.data == pattern.data and _has(t, w)},
        key=lambda t: t.key,
    )
    if len(members) != 2 or any(len(t.args) != 2 or t.args[0].loose for t in members):
        return None
    i, j = (t.args[0] for t in members)
    if context.quick(le(i, j)) is None:
        members.reverse()
        i, j = j, i
    ordered = context.quick(le(i, j))
    apart = context.attempt(negation(eq(i, j))) if ordered is not None else None
    if ordered is None or apart is None:
        return None
    parts: list[list[Term]] = [[], []]
    for factor in _apart(monomial, members):
        held = [_mentions(factor, m) for m in members]
        if all(held) or not any(held):
            return None
        parts[held.index(True)].append(factor)
    functions = []
    for m, part in zip(members, parts, strict=True):
        t = pf.fresh("R")
        product = _replaced(_product(part), m, t)
        if _has(product, w):
            return None
        functions.append(_function(close(product, t)))
    assert law.k is not None
    abstract = pf.abstracted(pattern, [law.k, law.w])
    rule = lemma(
        "independent_pair",
        lo=i,
        hi=j,
        i=i,
        j=j,
        X=lambda k, w: fill(abstract, (k, w)),
        f=functions[0],
        g=functions[1],
    )
    inside = (pf.ring(le(i, i)), ordered, ordered, pf.ring(le(j, j)))
    return mp(rule, specialise(law.fact, i, j), *inside, apart)


def double_sums(context: Context, a: Term) -> Iterator[Proof]:
    """Yield the second moment of a sum of independent numbers, which is Σᵢ Σⱼ E[f(Xᵢ) f(Xⱼ)]."""
    inner = a.args[2]
    if not context.laws or inner.op != "sum":
        return
    low, high = a.args[:2]
    if inner.args[0].loose or inner.args[1].loose:
        return
    if normal(inner.args[0]) is not normal(low) or normal(inner.args[1]) is not normal(high):
        return
    i, j, w = pf.fresh("Z", "i"), pf.fresh("Z", "j"), pf.fresh("W", "ω")
    body = polynomial(fill(fill(inner, (i,)).args[2], (j,)))
    if len(body) != 1:
        return
    diagonal = _on_diagonal(context, a) if context.depth <= 1 else None
    if diagonal is not None:
        yield diagonal
        return
    ((monomial, c),) = body.items()
    sides: list[list[Term]] = [[], []]
    for factor, power in monomial:
        if factor.op == "E" and power == 1:
            opened = polynomial(fill(factor.args[0], (w,)))
            if len(opened) != 1:
                return
            ((inside, _),) = opened.items()
        else:
            inside = ((factor, power),)
        for part in _apart(inside, (i, j)):
            held = [_has(part, i), _has(part, j)]
            if all(held) or (not any(held)):
                return
            sides[held.index(True)].append(part)
    if c != 1 or not all(sides):
        return
    first, second = _product(sides[0]), _product(sides[1])
    if normal(_replaced(second, j, i)) is not normal(first):
        return
    for law in context.laws:
        if law.k is None:
            continue
        member = _member(law, first, i, w)
        if member is None:
            continue
        values, at = member
        t = pf.fresh("R")
        value = _replaced(first, at(i, w), t)
        premise = context.use_up_to(law.fact, (*values, low, high))
        if _has(value, w) or premise is None:
            continue
        function = pf.abstracted(value, [i, t])
        rule = lemma(
            "square_of_independent_sum",
            lo=low,
            hi=high,
            X=at,
            f=lambda k, t, function=function: fill(function, (k, t)),
        )
        yield mp(rule, premise)


def _on_diagonal(context: Context, a: Term) -> Proof | None:
    """Return that of a double sum only the terms with equal indices are left."""
    low, high, inner = a.args
    body = inner.args[2]
    i, first = context.opened(low, high)
    j, second = first.opened(low, high)
    goal = eq(fill(body, (j, i)), 0)
    cases = [second.extended(assume(p)).simply(goal) for p in (pf.lt(i, j), pf.lt(j, i))]
    if None in cases:
        return None
    apart = assume(negation(eq(i, j)))
    below, above = cases
    rule = axiom("antisymmetric_Z", i=i, j=j)
    equal = mp(rule, assume(le(i, j)), assume(le(j, i)))
    wrong = pf.absurd(goal, mp(apart, equal))
    either = pf.by_order(j, i, wrong, below)  # type: ignore[arg-type]
    shown = pf.by_order(i, j, either, above)  # type: ignore[arg-type]
    every = pf.each_intro(j, low, high, discharge(apart.conclusion, shown))
    every = pf.each_intro(i, low, high, every)
    rule = lemma("off_diagonal_zero", lo=low, hi=high, f=lambda s, t: fill(body, (t, s)))
    return mp(rule, every)


# ---------------------------------------------------------------------- terms


def _indicator(p: Term) -> Term:
    """Return [p]."""
    return pf.build("ind", (), [p])


def _function(body: Term) -> Callable[[Term], Term]:
    """Return t ↦ body(t)."""
    return lambda t: fill(body, (t,))


def _product(factors: Sequence[Term]) -> Term:
    """Return the product of one or more factors."""
    return factors[0] if len(factors) == 1 else mul(*factors)


def _has(t: Term, x: Term) -> bool:
    """Say whether a variable without arguments occurs in a term."""
    return (x.data[0], x.data[1], ()) in t.free


def _inside(t: Term) -> Iterator[Term]:
    """Yield the terms inside a term, each once."""
    pending, seen = [t], set()
    while pending:
        t = pending.pop()
        if t not in seen:
            seen.add(t)
            yield t
            pending += t.args


def _mentions(t: Term, m: Term) -> bool:
    """Whether m is inside t."""
    return any(s is m for s in _inside(t))


def _replaced(t: Term, a: Term, b: Term) -> Term:
    """Return t with a closed term replaced by a variable."""
    return rebuild(t, lambda s, _: b if s is a else None)
