"""Random terms, axioms and proofs against random models; MLNOTES_LONG=1 tries fifty times more."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from kernel_attacks import VARIABLES
from kernel_harness import (
    ARGUED,
    HUNTS,
    RULES,
    Kernel,
    hunt_axioms,
    hunt_disturbed,
    hunt_normal,
    hunt_rules,
)
from kernel_models import Model, Unknown, determinant, inverse, multiply

KERNEL = Kernel()
LONG = 50 if os.environ.get("MLNOTES_LONG") else 1


def run(one: object, times: int, seed: int = 7) -> Counter[str]:
    """Repeat one hunt; it raises what it finds."""
    assert one in HUNTS
    rng, counts = random.Random(seed), Counter[str]()
    for _ in range(times * LONG):
        one(KERNEL, rng, counts)  # type: ignore[operator]
    print(dict(counts))
    return counts


def test_a_normal_form_has_the_value_of_its_term() -> None:
    counts = run(hunt_normal, 1000)
    assert counts["values"] > 3000 * LONG
    assert counts["terms refused"] < 20 * LONG


# Nothing satisfies ⊥, so that nothing can be tried.
VACUOUS = {"ex_falso"}


def test_every_axiom_is_true_in_models_where_its_premises_are() -> None:
    counts = run(hunt_axioms, 100)
    seen = {name for name, n in counts.items() if n >= 10 * LONG}
    assert set(KERNEL.certificates.axiom_statements()) - VACUOUS == seen
    assert seen >= ARGUED


def test_rules_prove_nothing_that_a_model_refutes() -> None:
    counts = run(hunt_rules, 40)
    assert counts["models"] > 1000 * LONG
    assert all(counts[rule] > 3 * LONG for rule in RULES)


def test_a_disturbed_certificate_proves_nothing_false() -> None:
    counts = run(hunt_disturbed, 300)
    assert counts["disturbed and accepted"] > 2 * LONG


VALUES = {
    "zero to the power zero": ("(pow 0 0)", 1),
    "one over zero": ("(inv 0)", 0),
    "a logarithm where there is none": ("(log -1)", 0),
    "a root where there is none": ("(sqrt -4)", 0),
    "an empty sum": ("(sum k 3Z 1Z 5)", 0),
    "an empty product": ("(prod k 3Z 1Z 5)", 1),
    "a sum of squares": ("(sum k 1Z 3Z (* (of k) (of k)))", 14),
    "a double sum": ("(sum k 1Z 2Z (sum l 1Z k (of (* k l))))", 7),
    "a factorial": ("(prod k 1Z 5Z (of k))", 120),
    "a mean of a constant": ("(E o 3)", 3),
    "an indicator": ("(+ (ind (<= 0 1)) (ind (< 1 1)))", 1),
    "max and min": ("(+ (max 2 5) (min 2 5) (abs -1))", 8),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_models_know_what_can_be_computed_by_hand(name: str) -> None:
    text, value = VALUES[name]
    assert Model(random.Random(0)).value(KERNEL.read(text, VARIABLES)) == value


TRUTHS = {
    "(all k Z (-> (<= 1Z k) (-> (<= k 3Z) (< 0 (of k)))))": True,
    "(all k Z (-> (<= 0Z k) (-> (<= k 3Z) (< 0 (of k)))))": False,
    "(all k Z (<= k k))": None,
    "(all t R (<= t t))": None,
    "(all k Z (< 0Z k))": False,
    "(deriv t (* t t) 3 6)": True,
    "(deriv t (* t t) 3 5)": False,
    "(deriv t (abs t) 0 0)": False,
    "(deriv t (inv t) 2 (* -1 (inv 4)))": True,
    "(deriv t (inv t) 0 0)": False,
}


@pytest.mark.parametrize("text", TRUTHS)
def test_the_models_know_what_they_cannot_decide(text: str) -> None:
    assert Model(random.Random(0)).truth(KERNEL.read(text, VARIABLES)) is TRUTHS[text]


def test_the_models_invert_matrices_and_send_singular_ones_to_zero() -> None:
    rng = random.Random(3)
    kinds = set()
    for _ in range(60):
        m = Model(rng)
        a = m.draw("M:n:n")
        n = m.size("n")
        identity = Model.table(n, n, lambda i, j: int(i == j))
        singular = determinant(a) == 0
        assert (multiply(a, inverse(a)) == identity) is not singular
        assert not singular or inverse(a) == Model.table(n, n, lambda i, j: 0)
        kinds.add((n, singular))
    assert kinds == {(n, s) for n in (1, 2, 3) for s in (True, False)}


def test_the_models_say_what_they_cannot_compute() -> None:
    for text in ("(sqrt 2)", "(exp (inv 2))", "(log 3)"):
        with pytest.raises(Unknown):
            Model(random.Random(0)).value(KERNEL.read(text, VARIABLES))
