"""Instances of what holds for every index, at the indices that a goal mentions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import build, normal, plus, polynomial
from mlnotes.trusted.terms import Term, fill
from mlnotes.trusted.terms import instantiate as put

from .. import proofs as pf
from ..merging import open_members, values_at
from ..proofs import Proof, mp, specialise
from .terms import indices_of, members_of, occurs

if TYPE_CHECKING:
    from .context import Context


def instances_for(context: Context, goal: Term) -> list[Proof]:
    """Return what universal facts say about the members of families in a goal."""
    if goal in context.instances:
        return context.instances[goal]
    context.instances[goal] = []
    out: dict[Term, Proof] = {}
    members = dict.fromkeys([*members_of(goal), *indices_of(goal)])
    for f in context.focus:
        members |= dict.fromkeys(members_of(f.conclusion))
    frontier = list(members)
    for _ in range(2):
        new: list[Proof] = []
        for fact in context.universal:
            context.check_work()
            for f in instantiate(context, fact, frontier):
                if normal(f.conclusion) not in out:
                    out[normal(f.conclusion)] = f
                    new.append(f)
        frontier = [
            t
            for t in dict.fromkeys(t for f in new for t in members_of(f.conclusion))
            if t not in members
        ]
        members |= dict.fromkeys(frontier)
        if not frontier or len(out) > 60:
            break
    for f in _instances_under_sums(context, goal):
        out.setdefault(normal(f.conclusion), f)
    context.instances[goal] = [g for f in out.values() for g in pf.conjuncts(f)]
    if any(len(t.args) == 1 and t.args[0].sort == "R" for t in members):
        from ..derivatives import chord_instances

        context.instances[goal] += chord_instances(context, [*members])
    return context.instances[goal]


def _instances_under_sums(context: Context, goal: Term) -> list[Proof]:
    """Return what facts about sums for all i say of the sums over x[i, k] in a goal."""
    opened = list(open_members(goal))
    if not opened:
        return []
    out = []
    for fact in context.universal:
        variables, last = [], fact.conclusion
        while last.op in ("->", "all"):
            if last.op == "all":
                variables.append(pf.fresh(last.data[0], "?"))
                last = fill(last.args[0], (variables[-1],))
            else:
                last = last.args[1]
        if not variables or any(x.sort not in "ZU" for x in variables):
            continue
        values = (values_at(last, x, opened) for x in variables)
        for chosen in islice(product(*values), 12):
            used = _use(context, fact, dict(zip(variables, chosen, strict=True)))
            if used is not None:
                out.append(used)
    return out


def late_instances(context: Context, goal: Term, facts: Sequence[Proof]) -> list[Proof]:
    """Return what universal facts say about members that only other facts mention."""
    seen = set(members_of(goal))
    out: dict[Term, Proof] = {}
    for fact in facts:
        if fact.conclusion.op == "=" and not seen.issuperset(members_of(fact.conclusion)):
            seen.update(members_of(fact.conclusion))
            for f in instances_for(context, fact.conclusion):
                out.setdefault(normal(f.conclusion), f)
    return list(out.values())


def instantiate(context: Context, fact: Proof, members: Sequence[Term]) -> list[Proof]:
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
        used = _use(context, fact, {})
        return [used] if used is not None else []
    out = []
    for values in _matches(p, variables, members):
        used = _use(context, fact, dict(zip(variables, values, strict=True)))
        if used is not None:
            out.append(used)
    return out


def _use(context: Context, fact: Proof, values: dict[Term, Term]) -> Proof | None:
    """Specialise and apply a fact, proving its premises by arithmetic."""
    key = fact, tuple(values.values())
    if key not in context.uses:
        context.uses[key] = _used(context, fact, values)
    return context.uses[key]


def use_up_to(context: Context, fact: Proof, values: Sequence[Term]) -> Proof | None:
    """Specialise a fact at these values, proving the premises on the way."""
    remaining = list(values)
    while remaining or fact.conclusion.op == "->":
        if fact.conclusion.op == "all":
            fact = specialise(fact, remaining.pop(0))
            continue
        premise = context.quick(fact.conclusion.args[0])
        if premise is None:
            return None
        fact = mp(fact, premise)
    return fact


def _used(context: Context, fact: Proof, values: dict[Term, Term]) -> Proof | None:
    """Return a fact at these values, its premises p of p → q being proved, or None."""
    remaining = iter(values.values())
    while fact.conclusion.op in ("all", "->"):
        if fact.conclusion.op == "all":
            fact = specialise(fact, next(remaining))
            continue
        premise = context.quick(fact.conclusion.args[0])
        if premise is None:
            return None
        fact = mp(fact, premise)
    return fact if fact.conclusion.op != "F" else None


def _matches(p: Term, variables: Sequence[Term], members: Sequence[Term]) -> list[tuple[Term, ...]]:
    """Return values of variables for which members of families in p are some of these members."""
    wanted = {(v.data[0], v.data[1], ()): v for v in variables}
    patterns = [t for t in members_of(p) if not t.free.isdisjoint(wanted)]
    partial: list[dict[Term, Term]] = []
    if not patterns and len(variables) == 1:
        # What is said of P(Y = i) for all i is asked for at the indices that a goal mentions.
        return [(m,) for m in members if m.sort == variables[0].sort == "Z" and not m.args]
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
    # What has several variables in it comes last, with those that are known by then filled in.
    pairs = sorted(
        zip(patterns, values, strict=True),
        key=lambda pair: sum(occurs(v, pair[0]) for v in variables) > 1,
    )
    for pattern, value in pairs:
        if pattern.sort != value.sort:
            return None
        if value.loose and pattern is not value:
            return None
        if pattern in variables:
            if out.setdefault(pattern, value) is not value:
                return None
            continue
        if pattern.sort not in ("Z", "R"):
            if pattern is not value and not any(occurs(v, pattern) for v in variables):
                return None
            continue
        inside = [v for v in variables if occurs(v, pattern)]
        if len(inside) > 1 and out:
            known = {(*v.data, ()): t for v, t in out.items()}
            pattern = put(pattern, known)
            inside = [v for v in inside if v not in out]
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
