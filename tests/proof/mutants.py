"""Copies of right lines with one sign, factor, exponent, index, relation or hypothesis changed."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import sympy as sp
from claims import METHODS, Claim, Gradient

from mlnotes.proof import Derivation, Theorem, impossible
from mlnotes.theorems import registry

SPELLED = {"=": "==", "≤": "<=", "<": "<", "≥": ">=", ">": ">"}
RELATIONS = {
    "==": ["<", ">"],
    "<=": ["==", ">=", "<"],
    ">=": ["==", "<=", ">"],
    "<": ["==", ">"],
    ">": ["==", "<"],
}


KINDS = ("sign", "factor", "exponent", "index", "relation", "hypothesis")


@dataclasses.dataclass(frozen=True)
class Chain(Claim):
    """A whole derivation: its conclusion as a claim, with the lines that lead there."""

    lines: Sequence[Claim] = ()

    def check(self) -> Any:
        derivation = Derivation(self.name, given=list(self.given), witness=self.witness)
        derivation.start(self.left)
        for line in self.lines:
            options = {} if line.by is None else {"by": line.by}
            getattr(derivation, METHODS[line.operator])(line.right, because="claimed", **options)
        return derivation.qed()


@dataclasses.dataclass(frozen=True)
class Contradiction(Claim):
    """The claim that the hypotheses cannot hold together."""

    def check(self) -> Any:
        return impossible(self.name, given=list(self.given))


def chapters() -> list[str]:
    """Return the modules that hold the theorems of the registry."""
    return sorted({derive.__module__ for _, derive in registry()})


def recorded_derivations(chapter: str) -> list[Chain]:
    """Return every derivation that the theorems of a chapter carry out, lemmas inside included."""
    functions = [derive for _, derive in registry() if derive.__module__ == chapter]
    for derive in functions:
        derive.cache_clear()  # type: ignore[attr-defined]
    with _recording(chapter) as told:
        for derive in functions:
            derive()
    return [_chain(*entry) for entry in told if entry[2]]


def _chain(derivation: Derivation, witness: Any, lines: list[Claim]) -> Chain:
    relations = {line.operator for line in lines}
    strongest = next((op for op in ("<", ">", "<=", ">=") if op in relations), "==")
    ends = lines[0].left, strongest, lines[-1].right
    given = list(derivation.given)
    return Chain(derivation.title, *ends, given, witness, lines=tuple(lines))


@contextlib.contextmanager
def _recording(chapter: str) -> Iterator[list[tuple[Any, Any, list[Claim]]]]:
    """Write down each Derivation that a chapter begins, its witness and each line it accepts."""
    original_init, original_line = Derivation.__init__, Derivation._line
    told: list[tuple[Any, Any, list[Claim]]] = []

    def init(self: Any, title: str, given: Any = (), witness: Any = None, **options: Any) -> None:
        original_init(self, title, given, witness, **options)
        if _author(sys._getframe(1)) == chapter:
            told.append((self, witness, []))

    def line(self: Any, op: str, term: Any, because: str, by: Any, twin: Any) -> Any:
        left = self._last
        result = original_line(self, op, term, because, by, twin)
        for derivation, witness, lines in told:
            if derivation is self:
                name = f"{self.title}, line {len(self.steps)}"
                given = list(self.given)
                lines.append(Claim(name, left, SPELLED[op], term, given, witness, [], by))
        return result

    Derivation.__init__, Derivation._line = init, line  # type: ignore[method-assign]
    try:
        yield told
    finally:
        Derivation.__init__, Derivation._line = original_init, original_line  # type: ignore[method-assign]


def _author(frame: FrameType | None) -> str:
    """Return the module of theorems that is being derived, the innermost one if nested."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith("mlnotes.theorems."):
            return name
        frame = frame.f_back
    return ""


def mutants_of_each_kind(chain: Chain, seed: int) -> list[tuple[str, Claim]]:
    """Return one mutant of a derivation for each kind that applies to any of its lines.

    A lost hypothesis is lost to all lines, since one line need not use it.
    """
    rng = random.Random(f"{seed} {chain.name}")
    chosen: list[tuple[str, Claim]] = []
    for kind in KINDS[:-1]:
        for line in rng.sample(chain.lines, len(chain.lines)):
            options = _pool(line)[kind]
            if options:
                chosen.append((kind, rng.choice(options)))
                break
    if chain.given:
        dropped = rng.choice(list(chain.given))
        rest = [g for g in chain.given if g is not dropped]
        chosen.append(("hypothesis", dataclasses.replace(chain, given=rest)))
    return chosen


def impossibilities() -> list[Theorem]:
    """Return the theorems of the registry that say what cannot be."""
    return [theorem for _, derive in registry() if (theorem := derive()).is_impossibility]


def mutants_of_impossibility(theorem: Theorem) -> list[tuple[str, Claim]]:
    """Return the theorem with one of its hypotheses changed or lost, in every way there is."""
    chosen: list[tuple[str, Claim]] = []
    for k, hypothesis in enumerate(theorem.given):
        left, right = hypothesis.args
        weaker = sp.Ge if isinstance(hypothesis, sp.Eq) else hypothesis.reversed.func
        changed = [("relation", weaker(left, right))]
        for kind, change in (("sign", _signs), ("factor", _factors)):
            new = dict.fromkeys(_rebuild(left, change))
            changed += [(kind, hypothesis.func(side, right)) for side in new]
        for kind, replacement in [("hypothesis", None), *changed]:
            given = [*theorem.given[:k], *theorem.given[k + 1 :]]
            given += [] if replacement is None else [replacement]
            name = f"{theorem.title}, hypothesis {k + 1}"
            chosen.append((kind, Contradiction(name, sp.Integer(0), "==", sp.Integer(0), given)))
    return chosen


def mutants(claim: Claim, seed: int, count: int) -> list[tuple[str, Claim]]:
    """Return up to ``count`` mutants, as many kinds as possible."""
    rng = random.Random(f"{seed} {claim.name}")
    pool = _pool(claim)
    for options in pool.values():
        rng.shuffle(options)
    order = rng.sample(sorted(pool), len(pool))
    chosen: list[tuple[str, Claim]] = []
    while len(chosen) < count and any(pool.values()):
        for kind in order:
            options = pool[kind]
            if options and len(chosen) < count:
                chosen.append((kind, options.pop()))
    return chosen


def _pool(claim: Claim) -> dict[str, list[Claim]]:
    """Return all mutants of a line, by kind."""
    kinds = {
        "sign": list(_rebuild(claim.right, _signs)),
        "factor": list(_rebuild(claim.right, _factors)),
        "exponent": list(_rebuild(claim.right, _exponents)),
        "index": list(_rebuild(claim.right, _indices)),
    }
    pool: dict[str, list[Claim]] = {}
    for kind, sides in kinds.items():
        fresh = [s for s in sides if s != claim.right]
        pool[kind] = [dataclasses.replace(claim, right=side) for side in dict.fromkeys(fresh)]
    pool["relation"] = (
        []
        if not _is_number(claim)
        else [dataclasses.replace(claim, operator=other) for other in RELATIONS[claim.operator]]
    )
    pool["hypothesis"] = [
        dataclasses.replace(claim, given=[g for g in claim.given if g is not dropped])
        for dropped in claim.given
    ]
    return pool


def _is_number(claim: Claim) -> bool:
    if isinstance(claim.left, Gradient):
        return False
    sides = [sp.sympify(claim.left), sp.sympify(claim.right)]
    vector = {"Vector", "VectorFamily", "RandomVector"}
    return not any(isinstance(side, sp.MatrixExpr) or _loose_vector(side, vector) for side in sides)


def _loose_vector(term: Any, vector: set[str]) -> bool:
    """Say whether a term has a vector outside every inner product, so is a vector itself."""
    if type(term).__name__ in ("Dot", "Trace", "LogDet"):
        return False
    return type(term).__name__ in vector or any(_loose_vector(a, vector) for a in term.args)


def _rebuild(term: Any, change: Any) -> Iterator[Any]:
    """Yield the term with one subterm changed, at every place in turn."""
    term = sp.sympify(term)
    yield from change(term)
    if isinstance(term, sp.Indexed | sp.Symbol | sp.MatrixSymbol) or not term.args:
        return
    if isinstance(term, sp.Sum | sp.Product):
        for body in _rebuild(term.function, change):
            yield term.func(body, *term.limits)
        return
    for k, argument in enumerate(term.args):
        if not isinstance(argument, sp.Basic) or isinstance(argument, sp.Tuple):
            continue
        if isinstance(term, sp.Pow) and k == 1:
            continue
        for new in _rebuild(argument, change):
            try:
                yield term.func(*term.args[:k], new, *term.args[k + 1 :])
            except (TypeError, ValueError, AttributeError):
                continue


def _signs(term: Any) -> Iterator[Any]:
    if isinstance(term, sp.Add | sp.MatAdd):
        for k, part in enumerate(term.args):
            yield term.func(*term.args[:k], -part, *term.args[k + 1 :])
    elif isinstance(term, sp.Symbol | sp.Indexed | sp.MatrixExpr) or (
        term.is_Rational and term != 0
    ):
        yield -term


def _factors(term: Any) -> Iterator[Any]:
    if isinstance(term, sp.Number):
        yield 2 * term if term != 0 else sp.Integer(1)
    elif (isinstance(term, sp.Expr) and not isinstance(term, sp.Symbol)) or (
        isinstance(term, sp.Symbol) and not term.is_integer
    ):
        yield 2 * term


def _exponents(term: Any) -> Iterator[Any]:
    if isinstance(term, sp.Pow) and term.exp.is_Rational:
        yield term.base ** (term.exp + 1)
        if term.exp != 1:
            yield term.base
    elif type(term).__name__ == "Dot" or isinstance(term, sp.exp | sp.log):
        yield term**2


def _indices(term: Any) -> Iterator[Any]:
    if isinstance(term, sp.Sum | sp.Product):
        (*inner, (index, low, high)) = term.limits
        yield term.func(term.function, *inner, (index, low + 1, high))
        yield term.func(term.function, *inner, (index, low, high - 1))
        names = [limit[0] for limit in term.limits]
        for member in sorted(term.function.atoms(sp.Indexed), key=str):
            for other in names:
                if other not in member.indices and member.indices[0] in names:
                    swapped = member.base[(other, *member.indices[1:])]
                    yield term.func(term.function.xreplace({member: swapped}), *term.limits)
            yield term.func(
                term.function.xreplace({member: member.base[(1, *member.indices[1:])]}),
                *term.limits,
            )
    elif isinstance(term, sp.Indexed):
        first, *others = term.indices
        yield term.base[(first - 1, *others)]
    elif isinstance(term, sp.KroneckerDelta):
        yield sp.Integer(1)
