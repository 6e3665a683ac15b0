"""Certificates: a proof written down as plain data, and the only way from it to a theorem.

A certificate is an object with ``name``, ``terms``, ``steps``, ``hypotheses`` and ``conclusion``,
in strings, integers and lists. A row of ``terms`` is ``[op, *names and numbers, *rows above]``; a
row of ``steps`` is ``[rule, …]`` and names rows of ``terms`` and steps above it. The last step is
the claim.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from . import rules
from .rules import Theorem
from .terms import BINDERS, DATA, FUEL, MAX_DIGITS, Refused, Term, close, fuel, make, need

Rule = tuple[Callable[..., Theorem], Any]


@dataclass(frozen=True)
class Checked:
    """What a certificate was found to prove.

    ``hypotheses`` and ``conclusion`` are the statement; ``axioms`` are those used in it and in all
    that it cites; ``cites`` the theorems it names; ``steps`` the number of its steps; ``proved``
    all that a step concludes from the hypotheses alone, with the last such step.
    """

    name: str
    hypotheses: tuple[Term, ...]
    conclusion: Term
    axioms: frozenset[str]
    cites: frozenset[str]
    steps: int
    proved: Mapping[Term, int]


def check(certificates: Iterable[Any], *, library: bool = True) -> dict[str, Checked]:
    """Return what each of some certificates proves, by name, or raise :class:`Refused`.

    A certificate may cite those before it and those of the library.

    Examples
    --------
    >>> from mlnotes.trusted import check
    >>> terms = [["v", "x", "R"], ["<=", 0, 0]]
    >>> certificate = {"name": "reflexive", "terms": terms, "steps": [["ring", 1]],
    ...                "hypotheses": [], "conclusion": 1}
    >>> check([certificate])["reflexive"].conclusion
    (<= (v x R) (v x R))
    """
    known = dict(_library()) if library else {}
    out = {}
    for certificate in certificates:
        checked = _check(certificate, known)
        need(checked.name not in known, f"two theorems are called {checked.name}")
        out[checked.name] = known[checked.name] = checked
    return out


@cache
def _library() -> Mapping[str, Checked]:
    """Return the derived lemmas that every certificate may cite, after checking them."""
    text = files(__package__).joinpath("library.json").read_text("utf-8")
    return check(json.loads(text), library=False)


def _check(certificate: Any, known: Mapping[str, Checked]) -> Checked:
    fuel.left = FUEL
    try:
        return _replay(certificate, known)
    except RecursionError:
        raise Refused("the certificate is nested too deeply") from None
    except (TypeError, KeyError, IndexError, ValueError, AttributeError) as error:
        raise Refused(f"the certificate is malformed: {error!r}") from error


def _replay(certificate: Any, known: Mapping[str, Checked]) -> Checked:
    need(isinstance(certificate, dict), "a certificate is an object")
    name = certificate["name"]
    need(isinstance(name, str) and name != "", "a certificate has a name")
    terms, steps = read_terms(certificate["terms"]), list[Theorem]()
    tables: dict[str, list[Any]] = {"t": terms, "s": steps}
    axioms, cites = set[str](), set[str]()

    def axiom(name: str) -> Theorem:
        need(name in axiom_statements(), "there is no axiom", name)
        axioms.add(name)
        return frozenset(), axiom_statements()[name]

    def cite(name: str, hypotheses: Iterable[Term], conclusion: Term) -> Theorem:
        need(name in known, "there is no theorem", name, "before this one")
        found = known[name]
        same = set(hypotheses) == set(found.hypotheses) and conclusion is found.conclusion
        need(same, name, "says something else than is cited")
        axioms.update(found.axioms)
        cites.add(name)
        return frozenset(hypotheses), conclusion

    allowed: dict[str, Rule] = {
        **_RULES,
        "axiom": (axiom, ("n",)),
        "cite": (cite, ("n", ["t"], "t")),
    }
    need(isinstance(certificate["steps"], list), "the steps are a list")
    for k, row in enumerate(certificate["steps"]):
        fuel.spend()
        need(isinstance(row, list) and len(row) > 1, "step", k, "is malformed")
        need(isinstance(row[0], str) and row[0] in allowed, "step", k, "names no rule")
        rule, pattern = allowed[row[0]]
        try:
            steps.append(rule(*_read(pattern, row[1:], tables)))
        except Refused as reason:
            raise Refused(f"step {k}: {reason}") from None
    claim = _read((["t"], "t"), [certificate["hypotheses"], certificate["conclusion"]], tables)
    hypotheses, conclusion = tuple(map(rules.proposition, claim[0])), rules.proposition(claim[1])
    need(len(steps) > 0, "there are no steps")
    need(steps[-1][1] is conclusion, "the last step is not the claim")
    stated = frozenset(hypotheses)
    need(steps[-1][0] <= stated, "a hypothesis is used that is not stated")
    proved = {says: k for k, (needs, says) in enumerate(steps) if needs <= stated}
    used = (frozenset(axioms), frozenset(cites))
    return Checked(name, hypotheses, conclusion, *used, len(steps), proved)


def _row(table: list[Any], k: Any) -> Any:
    """Return a row of a table, named by a number from 0 on."""
    need(type(k) is int and 0 <= k < len(table), "there is no row", k)
    return table[k]


def read_terms(rows: Any) -> list[Term]:
    """Return the terms of a table, each made of those above it."""
    out: list[Term] = []
    need(isinstance(rows, list), "the table of terms is a list")
    for row in rows:
        need(isinstance(row, list) and len(row) > 0 and isinstance(row[0], str), "a bad term")
        size = 1 + len(DATA.get(row[0], ()))
        for d in row[1:size]:
            big = isinstance(d, int) and d.bit_length() > 4 * MAX_DIGITS
            need(not big, "a number has too many digits")
        out.append(make(row[0], row[1:size], [_row(out, k) for k in row[size:]]))
    return out


def _read(pattern: Any, given: Any, tables: Mapping[str, list[Any]]) -> Any:
    """Return what is written in a certificate by a pattern.

    ``t`` and ``s`` name a row of terms and of steps, ``t?`` one of terms or nothing, ``n`` is a
    name; a list is a list of any length, and a tuple a list of just so many.
    """
    if isinstance(pattern, str):
        if pattern in tables:
            return _row(tables[pattern], given)
        if pattern == "t?":
            return None if given is None else _row(tables["t"], given)
        need(isinstance(given, str), "a name is expected, not", type(given).__name__)
        return given
    need(isinstance(given, list), "a list is expected, not", type(given).__name__)
    if isinstance(pattern, list):
        return tuple([_read(pattern[0], g, tables) for g in given])
    need(len(given) == len(pattern), len(pattern), "entries are expected, not", len(given))
    return tuple([_read(p, g, tables) for p, g in zip(pattern, given, strict=True)])


# Each rule, and the pattern of its arguments.
_RULES: dict[str, Rule] = {
    "assume": (rules.assume, ("t",)),
    "discharge": (rules.discharge, ("t", "s")),
    "mp": (rules.modus_ponens, ("s", "s")),
    "generalise": (rules.generalise, ("t", "s")),
    "specialise": (rules.specialise, ("s", "t")),
    "substitute": (
        lambda step, rows: rules.substitute(step, [(tuple(v), body) for *v, body in rows]),
        ("s", [("n", "n", ["n"], "t")]),
    ),
    "sizes": (rules.rename_sizes, ("s", [("n", "n")])),
    "convert": (rules.convert, ("s", "t")),
    "ring": (rules.ring, ("t",)),
    "psatz": (rules.positivstellensatz, ("t", [("t", ["s"], ["t"])])),
    "linear": (rules.linear, ("t", [("t", "s", "t?")])),
}


@cache
def axioms() -> Mapping[str, Mapping[str, Any]]:
    """Return the axioms as data: name → variables, statement, and why it is true."""
    rows = json.loads(files(__package__).joinpath("axioms.json").read_text("utf-8"))
    out = {row["name"]: row for row in rows}
    need(len(out) == len(rows), "two axioms have one name")
    return out


@cache
def axiom_statements() -> Mapping[str, Term]:
    """Return what each axiom says."""
    before, fuel.left = fuel.left, FUEL
    out = {name: read(row["says"], row["variables"]) for name, row in axioms().items()}
    fuel.left = before
    return {name: rules.proposition(p) for name, p in out.items()}


def read(text: str, variables: Mapping[str, Any]) -> Term:
    """Return a term written as ``(op …)``.

    Variables are declared as a sort, or as a list of the sort of the value and those of the
    arguments; ``2`` is a real and ``2Z`` an integer. A binder names its variable first:
    ``(sum k low high body)``, ``(prod k low high body)``, ``(E w body)``, ``(int x body)``,
    ``(integrable x body)``, ``(deriv t body at value)``, ``(all k Z body)``.
    """
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()

    def parse(k: int) -> tuple[Any, int]:
        if tokens[k] != "(":
            return tokens[k], k + 1
        items, k = [], k + 1
        while tokens[k] != ")":
            item, k = parse(k)
            items.append(item)
        return items, k + 1

    tree, end = parse(0)
    need(end == len(tokens), "text after the end of a term")
    return _term(tree, dict(variables))


def _term(tree: Any, scope: dict[str, Any]) -> Term:
    if isinstance(tree, str):
        if tree in scope:
            return make("v", (tree, scope[tree]))
        digits = tree.removesuffix("Z")
        if digits.removeprefix("-").isdigit():
            return make("z", (int(digits),)) if tree != digits else make("q", (int(digits), 1))
        return make(tree)
    op, *rest = tree
    if op in scope:
        return make("v", (op, scope[op][0]), [_term(t, scope) for t in rest])
    if op in BINDERS:
        at, sort = BINDERS[op]
        name, *rest = rest
        data = [rest.pop(0)] if sort is None else []
        bound = {**scope, name: sort or data[0]}
        variable = make("v", (name, bound[name]))
        args = [_term(t, bound if k == at else scope) for k, t in enumerate(rest)]
        args[at] = close(args[at], variable)
        return make(op, data, args)
    size = len(DATA.get(op, ()))
    data = [int(d) if kind is int else d for d, kind in zip(rest, DATA.get(op, ()), strict=False)]
    return make(op, data, [_term(t, scope) for t in rest[size:]])
