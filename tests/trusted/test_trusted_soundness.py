"""Nothing false is a theorem of the kernel: known attacks, and what once went through."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from kernel_attacks import EQUAL, FALSE, NOT_CONVERTIBLE, NOT_EQUAL, TRUE, VARIABLES
from kernel_models import Model

from mlnotes.trusted import Refused, certificates, check, terms


def read(text: str, variables: Mapping[str, Any]) -> Any:
    """Return a term, with as much fuel as a check has."""
    terms.fuel.left = terms.FUEL
    return certificates.read(text, variables)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_theorem_is_refused_for_what_it_says(name: str) -> None:
    false = FALSE[name](read)
    with pytest.raises(Refused) as reason:
        check(false)
    assert "malformed" not in str(reason.value)
    assert "more work" not in str(reason.value)


@pytest.mark.parametrize("name", TRUE)
def test_a_true_theorem_beside_them_is_accepted(name: str) -> None:
    certificates = TRUE[name](read)
    assert certificates[-1]["name"] in check(certificates)


def differs(before: str, after: str) -> bool:
    """Say whether some model tells two statements apart."""
    p, q = (read(text, VARIABLES) for text in (before, after))
    models = (Model(random.Random(seed)) for seed in range(400))
    return any(m.truth(p) is True and m.truth(q) is False for m in models)


@pytest.mark.parametrize("name", NOT_EQUAL)
def test_what_calculation_must_not_believe_is_false_in_some_model(name: str) -> None:
    assert differs("(-> F F)", NOT_EQUAL[name])


# These are about all integers, which no model here goes through; or true and not calculation.
UNDECIDED = {
    "all for the wrong one",
    "a parity",
    "the order of integers as reals",
    "a binder's own index",
    "quantifiers exchanged",
}


@pytest.mark.parametrize("name", sorted(set(NOT_CONVERTIBLE) - UNDECIDED))
def test_what_must_not_be_converted_differs_in_some_model(name: str) -> None:
    assert differs(*NOT_CONVERTIBLE[name])


@pytest.mark.parametrize("name", EQUAL)
def test_what_calculation_knows_is_true_in_every_model_tried(name: str) -> None:
    p = read(EQUAL[name], VARIABLES)
    found = [Model(random.Random(seed)).truth(p) for seed in range(200)]
    assert False not in found
    assert True in found
