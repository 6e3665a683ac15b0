"""How lemmas of the library are written down: their variables, terms and first steps."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..arithmetic import combine, contradiction
from ..language import build, variable
from ..proofs import Proof, assume, discharge

DERIVATIONS: dict[str, Callable[[], Proof]] = {}
x, y, z = (variable(n) for n in "xyz")
i, j, m, lo, hi, mid = (variable(n, "Z") for n in ("i", "j", "m", "lo", "hi", "mid"))
u, v = variable("u", "V"), variable("v", "V")
p = variable("p", "P")
ZERO, HALF = pf.number(0), pf.number(Fraction(1, 2))


def derived(derive: Callable[[], Proof]) -> Callable[[], Proof]:
    """Register a derivation under the name of its function."""
    DERIVATIONS[derive.__name__] = derive
    return derive


def under(*hypotheses: Term) -> tuple[Proof, ...]:
    """Return hypotheses as proofs."""
    return tuple(assume(h) for h in hypotheses)


def implied(found: Proof, *hypotheses: Proof) -> Proof:
    """Return the implication from hypotheses, the first one outermost."""
    for h in reversed(hypotheses):
        found = discharge(h.conclusion, found)
    return found


def arithmetic(goal: Term, *facts: Proof, products: int = 2) -> Proof:
    """Prove a relation by arithmetic."""
    found = combine(goal, facts) or combine(goal, facts, products=products)
    found = found or contradiction(goal, facts, products=products)
    if found is None:
        raise AssertionError(f"not found: {goal}")
    return found


def exp(t: Term) -> Term:
    """Return the exponential."""
    return build("exp", (), [t])


def log(t: Term) -> Term:
    """Return the logarithm."""
    return build("log", (), [t])


def sqrt(t: Term) -> Term:
    """Return the square root."""
    return build("sqrt", (), [t])


def size(t: Term) -> Term:
    """Return the absolute value."""
    return build("abs", (), [t])


def convex(name: str) -> Term:
    """Return that a function lies below its chords."""
    from ..derivatives import property_of

    return property_of(name, "convex")[0]


def f(*args: Term) -> Term:
    """Return a value of the family or function f."""
    return variable("f", "R", args)


def g(*args: Term) -> Term:
    """Return a value of the family or function g."""
    return variable("g", "R", args)
