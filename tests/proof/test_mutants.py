"""One change in a derivation: the engine refuses it, unless the changed one is true as well.

Of every derivation that the theorems of the book carry out, one mutant of each kind that applies to
any of its lines is chosen by a fixed seed, and a quarter of these, by turns (`tests/turns.py`), is
put to the engine, with `make test-all` all of them: another sign, factor, exponent, index
or relation in one line, or a hypothesis lost to all of them. A fifth of the corpus of true steps
adds one mutant each, for variety. Lines may take a small part of the work they may take elsewhere:
most of the time goes into mutants that are refused only after everything was tried.

What survives is reported with the tests: `make test` counts the survivors and lists them in
`_build/survivors.txt`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from claims import Claim
from mutants import (
    KINDS,
    chapters,
    impossibilities,
    mutants,
    mutants_of_each_kind,
    mutants_of_impossibility,
    recorded_derivations,
)
from sampling import models, truth
from true_statements import TRUE

from mlnotes.proof import ProofError, derivation
from tests.turns import mine

pytestmark = pytest.mark.slow

SEED = 3
MODELS = 6
FEWEST = 2
WORK = derivation.WORK // 64
EVERYWHERE = {"sign", "factor", "exponent", "relation", "hypothesis"}


def survivors(chosen: list[tuple[str, Claim]]) -> list[tuple[str, Claim]]:
    """Return the mutants that the engine accepts; whatever else it raises is an error."""
    accepted = []
    for kind, mutant in chosen:
        try:
            mutant.check()
        except ProofError:
            continue
        accepted.append((kind, mutant))
    return accepted


def told(kind: str, mutant: Claim) -> str:
    """Return a mutant in words."""
    line = f"{mutant.left} {mutant.operator} {mutant.right}"
    return f"{kind} mutant of {mutant.name}: {line} given {mutant.given}"


def has_index(line: Claim) -> bool:
    """Say whether a line ends in a term with a sum, a product or a member of a family."""
    return bool(sp.sympify(line.right).atoms(sp.Indexed, sp.Sum, sp.Product, sp.KroneckerDelta))


def show_true(kind: str, mutant: Claim) -> None:
    """Try a mutant in several models of its hypotheses: the independent evaluator decides."""
    tried = list(models(mutant, SEED, tries=60 * MODELS, wanted=MODELS))
    assert len(tried) >= FEWEST, f"{len(tried)} models of the {told(kind, mutant)}"
    for model in tried:
        assert truth(mutant, model) is True, f"{told(kind, mutant)}, false at {model}"


@pytest.mark.parametrize("chapter", chapters())
def test_mutants_of_every_derivation_are_refused_or_true(
    chapter: str,
    record_property: Callable[[str, Any], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    derivations = recorded_derivations(chapter)
    chosen = [pair for chain in derivations for pair in mutants_of_each_kind(chain, SEED)]
    kinds = Counter(kind for kind, _ in chosen)
    assert kinds.keys() >= EVERYWHERE
    indexed = [line for chain in derivations for line in chain.lines if has_index(line)]
    assert ("index" in kinds) is bool(indexed)
    assert len(chosen) > 3 * len(derivations)
    monkeypatch.setattr(derivation, "WORK", WORK)
    chosen = mine(chosen)
    accepted = survivors(chosen)
    record_property("mutants", len(chosen))
    record_property("survivors", [told(kind, mutant) for kind, mutant in accepted])
    assert len(accepted) < len(chosen) / 2
    for kind, mutant in accepted:
        show_true(kind, mutant)


def test_hypotheses_that_can_hold_together_are_never_called_impossible(
    record_property: Callable[[str, Any], None],
) -> None:
    chosen = [pair for theorem in impossibilities() for pair in mutants_of_impossibility(theorem)]
    assert {kind for kind, _ in chosen} == {"relation", "sign", "factor", "hypothesis"}
    accepted = survivors(chosen)
    record_property("mutants", len(chosen))
    record_property("survivors", [told(kind, mutant) for kind, mutant in accepted])
    assert {kind for kind, _ in accepted}.isdisjoint({"relation", "hypothesis"})
    for kind, mutant in accepted:
        found = list(models(mutant, SEED, tries=300, wanted=1))
        assert not found, f"{told(kind, mutant)} holds at {found}"


def test_mutants_of_single_steps_are_refused_or_true() -> None:
    chosen = [pair for claim in TRUE[::5] for pair in mutants(claim, SEED, count=1)]
    assert {kind for kind, _ in chosen} == set(KINDS)
    accepted = survivors(chosen)
    assert len(accepted) < len(chosen) / 2
    for kind, mutant in accepted:
        show_true(kind, mutant)
