"""The subsets of {1, …, n}, numbered from 0 to 2ⁿ − 1 as binary numbers are.

The set S ∪ {k + 1} has the number S + 2ᵏ, for a subset S of {1, …, k}. Which number has which set
is a definition by recursion, as is 2ᵏ, which is an integer here; a theorem that speaks of subsets
states both among its hypotheses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlnotes.trusted.terms import Term, Variable, close

from .expressions import Expr, carried, in_sort, term_of
from .statements import Statement
from .terms import build, call, number, variable

# Authors cannot type these names, so that each of them has one meaning only.
TWO_TO, MEMBER = "2ⁿ", "∈"


def power_of_two(k: Term) -> Term:
    """Return 2 to the k, an integer."""
    return variable(TWO_TO, "Z", [k])


def member(s: Term, i: Term) -> Term:
    """Return that i is in the set of a number."""
    return variable(MEMBER, "P", [s, i])


def _indicator(p: Term) -> Term:
    return build("ind", (), [p])


def _every(x: Term, low: Term, high: Term | None, says: Term) -> Term:
    """Return that something holds for all integers from one to another, or from one on."""
    if high is not None:
        says = build("->", (), [build("<=", (), [x, high]), says])
    says = build("->", (), [build("<=", (), [low, x]), says])
    out = build("all", ("Z",), [close(says, x)])
    call(out, x.data[0])
    return out


def _laws() -> tuple[Term, ...]:
    """Return what defines the powers of two, and the members of the set of a number."""
    k, s, i = (variable(n, "Z") for n in "kSi")
    zero, one, two = (build("z", (n,)) for n in (0, 1, 2))
    after, size = build("+", (), [k, one]), power_of_two(k)
    doubled = build("=", (), [power_of_two(after), build("*", (), [two, size])])
    last, larger = build("+", (), [size, build("z", (-1,))]), build("+", (), [s, size])

    def same(left: Term, right: Term) -> Term:
        return build("=", (), [left, right])

    def law(says: Term) -> Term:
        return _every(k, zero, None, _every(s, zero, last, says))

    kept = same(_indicator(member(larger, i)), _indicator(member(s, i)))
    return (
        same(power_of_two(zero), one),
        _every(k, zero, None, doubled),
        law(same(_indicator(member(s, after)), number(0))),
        law(same(_indicator(member(larger, after)), number(1))),
        law(_every(i, one, k, kept)),
    )


SUBSETS: tuple[Term, ...] = _laws()
# What these symbols are, in every model that anything is evaluated in.
STANDARD: dict[Variable, Callable[..., Any]] = {
    (TWO_TO, "Z", ("Z",)): lambda k: 2**k if k >= 0 else 0,
    (MEMBER, "P", ("Z", "Z")): lambda s, i: s >= 0 and i >= 1 and bool(s >> (i - 1) & 1),
}


def subsets(s: Expr, n: Any) -> tuple[Expr, Expr, Expr]:
    """Return the range of the subsets of {1, …, n}, for ``Sum``, ``for_each`` and ``some``.

    A subset is its number: ``Sum(f[S], subsets(S, n))`` is the sum over all subsets S.
    """
    top = term_of(n)
    size = Expr(power_of_two(in_sort("Z", top)), (*SUBSETS, *carried(top)))
    return s, Expr(build("z", (0,))), size - 1


def joined(s: Any, k: Any) -> Expr:
    """Return the set S ∪ {k} for a subset S of {1, …, k − 1}."""
    below, top = term_of(s), term_of(k)
    at, one = in_sort("Z", top), build("z", (1,))
    # The element n + 1 has the power n of two, and not n + 1 − 1.
    if at.op == "+" and len(at.args) == 2 and at.args[1] is one:
        before = at.args[0]
    else:
        before = (Expr(at) - 1).term if at.op != "z" else build("z", (at.data[0] - 1,))
    return below + Expr(power_of_two(before), (*SUBSETS, *carried(top)))


def contains(s: Any, i: Any) -> Statement:
    """State that i is a member of the set S."""
    whole, part = term_of(s), term_of(i)
    found = member(in_sort("Z", whole), in_sort("Z", part))
    return Statement(found, (*SUBSETS, *carried(whole, part)), "in", (part, whole))


def range_of_subsets(low: Term, high: Term) -> Term | None:
    """Return n where a range is that of the numbers of all subsets of {1, …, n}."""
    if low != build("z", (0,)) or high.op != "+" or len(high.args) != 2:
        return None
    less, size = sorted(high.args, key=lambda t: t.op == "v")
    if size.op != "v" or size.data[0] != TWO_TO or less != build("z", (-1,)):
        return None
    return size.args[0]


def set_and_element(t: Term) -> tuple[Term, Term] | None:
    """Return S and k − 1 where a number is that of S ∪ {k}."""
    if t.op != "+" or len(t.args) != 2 or t.sort != "Z":
        return None
    s, power = sorted(t.args, key=lambda a: a.op == "v" and a.data[0] == TWO_TO)
    is_set = power.op == "v" and power.data[0] == TWO_TO and s.op != "z"
    return (s, power.args[0]) if is_set else None
