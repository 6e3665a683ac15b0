"""No two objects of a theorem are printed alike.

A real x, an integer x and a random x are three variables of the kernel. A page would print x for
each of them, and from x = 1 and x = 2 that x < x.
"""

from __future__ import annotations

from collections.abc import Iterable

from mlnotes.trusted.terms import Term, Variable, sizes

from .errors import IllTyped
from .language import DEFINED, FOLD
from .notation import Tex, split_name
from .search import subterms

_STYLE = Tex()
_Printed = tuple[str, tuple[str, ...]]


def check_letters(title: str, propositions: Iterable[Term]) -> None:
    """Refuse propositions in which two objects are printed alike."""
    said = list(propositions)
    seen: dict[_Printed, Variable] = {}
    for v in sorted(frozenset[Variable]().union(*(p.free for p in said))):
        if v not in DEFINED and FOLD not in v[0] and seen.setdefault(_printed(v), v) != v:
            raise IllTyped(f"“{title}” has two objects called {v[0]}: give one another name")
    inside = dict.fromkeys(t for p in said for t in subterms(p))
    _check_sizes(title, seen, said, inside)
    _check_members(title, seen, inside)


def _printed(v: Variable) -> _Printed:
    """Return how a variable is printed: its name, and below it or in brackets its arguments.

    The outcome of a random variable goes unsaid.
    """
    name, sort, arguments = v
    shown = tuple("Z" if s == "Z" and sort != "P" else "x" for s in arguments if s != "W")
    return _STYLE.symbol(name), shown


def _check_sizes(
    title: str, seen: dict[_Printed, Variable], said: list[Term], inside: Iterable[Term]
) -> None:
    """Demand of a symbol with the name of a size of matrices that it is said to be that size."""
    mentioned = {n for t in inside for n in (*sizes(t.sort), *_named(t))}
    for n in sorted(n for n in mentioned if not n.isdigit()):
        other = seen.get((_STYLE.symbol(n), ()))
        if other is not None and not any(_is_size(p, other, n) for p in said):
            raise IllTyped(f"“{title}” has a size and another object called {n}: rename one")


def _named(t: Term) -> tuple[str, ...]:
    """Return the sizes that a term names itself, as the dimension of Iₙ."""
    return (str(t.data[0]),) if t.op in ("dim", "I", "unit") else ()


def _is_size(p: Term, v: Variable, name: str) -> bool:
    """Whether a hypothesis says that the number v is the size of that name."""
    if p.op != "=" or {a.op for a in p.args} != {"v", "dim"}:
        return False
    size, number = sorted(p.args, key=lambda a: a.op)
    return (*number.data, ()) == v and not number.args and size.data == (name,)


def _check_members(title: str, seen: dict[_Printed, Variable], inside: Iterable[Term]) -> None:
    """Refuse a symbol x_1 beside the first member of a family x."""
    numbered = {at[0] for at in seen if not at[1] and split_name(seen[at][0])[2]}
    for t in inside if numbered else ():
        at = [a for a in t.args if a.sort != "W"]
        if t.op == "v" and at and all(a.op == "z" for a in at):
            shown = _STYLE.symbol(t.data[0], [str(a.data[0]) for a in at])
            if shown in numbered:
                raise IllTyped(f"“{title}” has a symbol and a member of {t.data[0]} printed alike")
