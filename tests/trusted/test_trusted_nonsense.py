"""Whatever is not a certificate is refused: never another error, never without end."""

from __future__ import annotations

import contextlib
import json
import random
from importlib.resources import files
from typing import Any

import pytest
from kernel_attacks import TRUE
from kernel_harness import Kernel, refuted
from kernel_nonsense import LABORIOUS, NONSENSE, disturbed, random_json

from mlnotes.trusted import Refused, check, terms

KERNEL = Kernel()
LIBRARY = json.loads(files("mlnotes.trusted").joinpath("library.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_refused(name: str) -> None:
    certificate = NONSENSE[name]()
    with pytest.raises(Refused):
        check([certificate])


@pytest.mark.parametrize("name", LABORIOUS)
def test_work_without_end_ends(name: str) -> None:
    """The fuel of one check bounds the work: whether it is refused or not, it comes to an end."""
    certificate = LABORIOUS[name]()
    with contextlib.suppress(Refused):
        check([certificate], library=False)
    assert terms.fuel.left < terms.FUEL


def test_the_certificates_of_the_library_need_little_of_the_fuel() -> None:
    known: dict[str, Any] = check(LIBRARY, library=False)
    assert len(known) == len(LIBRARY)
    assert terms.FUEL - terms.fuel.left < terms.FUEL / 100


@pytest.mark.parametrize("seed", range(4))
def test_random_json_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(500):
        with pytest.raises(Refused):
            check([random_json(rng)], library=False)


@pytest.mark.parametrize("seed", range(6))
def test_a_disturbed_certificate_is_refused_or_true(seed: int) -> None:
    """One part of a good certificate is replaced, removed, doubled or moved."""
    rng = random.Random(seed)
    good = [build(KERNEL.read) for build in TRUE.values()] + [[c] for c in LIBRARY]
    refused = accepted = 0
    for _ in range(150):
        chosen = rng.choice(good)
        changed = [*chosen[:-1], disturbed(chosen[-1], rng)]
        try:
            theorems = check(changed)
        except Refused:
            refused += 1
            continue
        accepted += 1
        for theorem in theorems.values():
            statement = (frozenset(theorem.hypotheses), theorem.conclusion)
            assert not refuted(statement, rng, 5), theorem
    assert refused > 100
