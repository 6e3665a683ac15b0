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
from .terms import (
    BINDERS,
    DATA,
    FUEL,
    MAX_DIGITS,
    Refused,
    Term,
    Variable,
    close,
    fuel,
    is_sort,
    make,
    need,
)


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
    terms = read_terms(certificate["terms"])
    steps: list[Theorem] = []
    axioms, cites = set(), set()
    for k, row in enumerate(_list(certificate["steps"])):
        fuel.spend()
        need(isinstance(row, list) and len(row) > 1, f"step {k} is malformed")
        rule, *given = row
        if rule == "axiom":
            (axiom,) = given
            need(axiom in axiom_statements(), f"there is no axiom {axiom!r}")
            axioms.add(axiom)
            steps.append((frozenset(), axiom_statements()[axiom]))
        elif rule == "cite":
            cited, hypotheses, conclusion = given
            need(cited in known, f"there is no theorem {cited!r} before this one")
            statement = (
                frozenset(_row(terms, h) for h in _list(hypotheses)),
                _row(terms, conclusion),
            )
            same = (frozenset(known[cited].hypotheses), known[cited].conclusion) == statement
            need(same, f"{cited!r} says something else than is cited")
            axioms |= known[cited].axioms
            cites.add(cited)
            steps.append(statement)
        else:
            need(rule in _RULES, f"there is no rule {rule!r}")
            try:
                steps.append(_RULES[rule](terms, steps, given))
            except Refused as reason:
                raise Refused(f"step {k}: {reason}") from None
    hypotheses = tuple(rules.proposition(_row(terms, h)) for h in _list(certificate["hypotheses"]))
    conclusion = rules.proposition(_row(terms, certificate["conclusion"]))
    need(len(steps) > 0, "there are no steps")
    need(steps[-1][1] is conclusion, "the last step is not the claim")
    stated = frozenset(hypotheses)
    need(steps[-1][0] <= stated, "a hypothesis is used that is not stated")
    proved = {says: k for k, (needs, says) in enumerate(steps) if needs <= stated}
    used = (frozenset(axioms), frozenset(cites))
    return Checked(name, hypotheses, conclusion, *used, len(steps), proved)


def _row(table: list[Any], k: Any) -> Any:
    """Return a row of a table, named by a number from 0 on."""
    need(type(k) is int and 0 <= k < len(table), f"there is no row {k!r}")
    return table[k]


def _list(x: Any) -> list[Any]:
    """Return a list, and refuse what Python would read like one."""
    need(isinstance(x, list), f"a list is expected, not {type(x).__name__}")
    return x  # type: ignore[no-any-return]


def read_terms(rows: Any) -> list[Term]:
    """Return the terms of a table, each made of those above it."""
    out: list[Term] = []
    for row in _list(rows):
        need(isinstance(row, list) and len(row) > 0 and isinstance(row[0], str), "a bad term")
        size = len(DATA.get(row[0], ()))
        data = row[1 : 1 + size]
        for d in data:
            big = isinstance(d, int) and d.bit_length() > 4 * MAX_DIGITS
            need(not big, "a number has too many digits")
        out.append(make(row[0], data, [_row(out, k) for k in row[1 + size :]]))
    return out


_Rule = Callable[[list[Term], list[Theorem], list[Any]], Theorem]


def _substitute(terms: list[Term], steps: list[Theorem], given: list[Any]) -> Theorem:
    step, pairs = given
    bodies: list[tuple[Variable, Term]] = []
    for name, sort, arguments, body in map(_list, _list(pairs)):
        need(isinstance(name, str) and is_sort(sort), "substitute: no such variable")
        bodies.append(((name, sort, tuple(_list(arguments))), _row(terms, body)))
    return rules.substitute(_row(steps, step), bodies)


def _positivstellensatz(terms: list[Term], steps: list[Theorem], given: list[Any]) -> Theorem:
    goal, rows = given
    parts = [
        (
            _row(terms, m),
            [_row(steps, f) for f in _list(facts)],
            [_row(terms, s) for s in _list(squares)],
        )
        for m, facts, squares in map(_list, _list(rows))
    ]
    return rules.positivstellensatz(_row(terms, goal), parts)


def _linear(terms: list[Term], steps: list[Theorem], given: list[Any]) -> Theorem:
    goal, rows = given
    parts = [
        (_row(terms, left), _row(steps, fact), None if right is None else _row(terms, right))
        for left, fact, right in map(_list, _list(rows))
    ]
    return rules.linear(_row(terms, goal), parts)


def _rename_sizes(terms: list[Term], steps: list[Theorem], given: list[Any]) -> Theorem:
    step, pairs = given
    names: dict[str, str] = {}
    for old, new in map(_list, _list(pairs)):
        need(isinstance(old, str) and isinstance(new, str), "sizes: not a name")
        need(old not in names, "sizes: the same name twice")
        names[old] = new
    return rules.rename_sizes(_row(steps, step), names)


def _two(rule: Callable[[Any, Any], Theorem], kinds: str) -> _Rule:
    """Return a rule of two rows, each of the terms (t) or of the steps (s)."""

    def run(terms: list[Term], steps: list[Theorem], given: list[Any]) -> Theorem:
        first, second = given
        tables: dict[str, list[Any]] = {"t": terms, "s": steps}
        return rule(_row(tables[kinds[0]], first), _row(tables[kinds[1]], second))

    return run


def _one(rule: Callable[[Term], Theorem]) -> _Rule:
    """Return a rule of one row of the terms."""

    def run(terms: list[Term], steps: list[Theorem], given: list[Any]) -> Theorem:
        (only,) = given
        return rule(_row(terms, only))

    return run


_RULES: dict[str, _Rule] = {
    "assume": _one(rules.assume),
    "ring": _one(rules.ring),
    "discharge": _two(rules.discharge, "ts"),
    "mp": _two(rules.modus_ponens, "ss"),
    "generalise": _two(rules.generalise, "ts"),
    "specialise": _two(rules.specialise, "st"),
    "convert": _two(rules.convert, "st"),
    "substitute": _substitute,
    "sizes": _rename_sizes,
    "psatz": _positivstellensatz,
    "linear": _linear,
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
    ``(sum k low high body)``, ``(prod k low high body)``, ``(E w body)``,
    ``(deriv t body at value)``, ``(all k Z body)``.
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
