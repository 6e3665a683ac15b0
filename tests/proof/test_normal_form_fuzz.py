"""The normal form against the independent evaluator, on more than ten thousand random terms."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import evaluator as ev
import pytest
import sympy as sp
from generator import F, Generator, S, T, a, mutate
from mlnotes.proof.normal import Normal, TooLarge
from mlnotes.proof.terms import kind, substitute

from mlnotes.proof import Abs, IllTyped, Sum, Undefined, expectation, indices, integers, reals

PROFILES = {
    "sums": (2800, frozenset()),
    "exponentials, logarithms, roots, products": (2000, frozenset({"elementary"})),
    "absolute values, maxima, indicators": (1500, frozenset({"edges"})),
    "matrices and traces": (1500, frozenset({"matrices"})),
    "expectations": (1500, frozenset({"random"})),
    "everything": (1000, frozenset({"elementary", "edges", "random", "matrices"})),
}
LARGEST = 120  # nodes; beyond, a term costs more time than it teaches


def model(rng: random.Random, size: int) -> dict[str, Any]:
    """Values for every symbol of the generator, with ``n = size``."""

    def real() -> Fraction:
        return Fraction(rng.randint(-4, 4), rng.randint(1, 3))

    def positive() -> Fraction:
        return Fraction(rng.randint(1, 6), rng.randint(1, 3))

    width, dimension = rng.randint(1, 2), rng.randint(1, 2)

    def vector() -> tuple[Fraction, ...]:
        return tuple(real() for _ in range(dimension))

    def family(draw: Any) -> dict[int, Any]:
        return {k: draw() for k in range(6)}

    def rows(columns: int) -> list[list[Fraction]]:
        return [[real() for _ in range(columns)] for _ in range(size)]

    square = rows(size)
    symmetric = [[square[max(r, s)][min(r, s)] for s in range(size)] for r in range(size)]
    values: dict[str, Any] = {
        "n": size, "m": width, "c": real(), "d": real(), "p": positive(), "q": positive(),
        "a": family(real), "b": family(real), "r": family(positive),
        "x": family(lambda: family(real)), "u": vector(), "w": vector(), "v": family(vector),
        "A": rows(size), "B": rows(size), "G": symmetric, "X": rows(width), "Z": rows(width),
    }  # fmt: skip
    if rng.random() < 0.5:
        values["S,T"] = [((real(), real()), Fraction(1, 3)), ((real(), real()), Fraction(2, 3))]
    else:
        values["S"] = [(real(), Fraction(1, 4)), (real(), Fraction(3, 4))]
        values["T"] = [(real(), Fraction(1, 2)), (real(), Fraction(1, 2))]
    return values


def draw_terms(kinds: frozenset[str], seed: int, count: int) -> Any:
    generator = Generator(seed, kinds)
    found = 0
    while found < count:
        try:
            term = generator.scalar(3 + (found % 4 == 0), [])
        except (IllTyped, Undefined, ValueError):  # SymPy's Max refuses what it cannot compare
            continue
        if "random" in kinds:
            term = expectation(term)
        if term.free_symbols and sum(1 for _ in sp.preorder_traversal(term)) <= LARGEST:
            found += 1
            yield term


POOL = {size: [model(random.Random(100 * size + k), size) for k in range(50)] for size in (1, 2, 3)}


def values(term: Any, rng: random.Random, size: int) -> tuple[Any, dict[str, Any]] | None:
    """Return the value of a term in a model where it has one."""
    for _ in range(4):
        point = rng.choice(POOL[size])
        try:
            return ev.evaluate(term, point), point
        except (ev.NoValue, OverflowError):
            continue
    return None


@pytest.mark.parametrize("profile", PROFILES)
def test_the_normal_form_keeps_the_value_of_every_term(profile: str) -> None:
    count, kinds = PROFILES[profile]
    rng = random.Random(20)
    compared = too_large = 0
    for term in draw_terms(kinds, 7, count):
        try:
            canonical = Normal().canonical(term)
        except TooLarge:
            too_large += 1
            continue
        for size in (1, 2, 3):
            found = values(term, rng, size)
            if found is not None:
                expected, point = found
                got = ev.evaluate(canonical, point)
                assert ev.compare(expected, "==", got) is not False, (
                    f"{term}\n-> {canonical}\nat {point}: {expected} became {got}"
                )
                compared += 1
    assert compared > 2.5 * count
    assert too_large < count / 100


def independent_model(rng: random.Random, size: int) -> dict[str, Any]:
    """Values with independent S and T and an independent family F."""

    def coin() -> list[tuple[Fraction, Fraction]]:
        chance = Fraction(rng.randint(1, 3), 4)
        return [(Fraction(rng.randint(-2, 2)), chance), (Fraction(rng.randint(-2, 2)), 1 - chance)]

    values = model(rng, size)
    values.pop("S,T", None)
    return {**values, "S": coin(), "T": coin(), "F": {k: coin() for k in range(size + 1)}}


@pytest.mark.parametrize("kinds", ["", "edges", "elementary"])
def test_declared_independence_splits_only_what_is_independent(kinds: str) -> None:
    rng = random.Random(8)
    profile = frozenset({"random", "family", kinds} - {""})
    compared = 0
    for term in draw_terms(profile, 17, 250):
        normal = Normal(independent=[(S, T)], independent_families=[F])
        try:
            canonical = normal.canonical(term)
        except TooLarge:
            continue
        for size in (1, 2):
            point = independent_model(rng, size)
            try:
                expected = ev.evaluate(term, point)
            except (ev.NoValue, OverflowError, KeyError):  # KeyError: F beyond its last index
                continue
            got = ev.evaluate(canonical, point)
            assert ev.compare(expected, "==", got) is not False, (
                f"{term}\n-> {canonical}\nat {point}: {expected} became {got}"
            )
            compared += 1
    assert compared > 250


def test_terms_the_normal_form_calls_equal_have_equal_values() -> None:
    rng = random.Random(3)
    equal = 0
    for term in draw_terms(frozenset({"elementary", "edges"}), 11, 700):
        other = mutate(term, rng)
        try:
            kind(other)  # a changed number may have made a statement true or false for good
            same = Normal().equal(term, other)
        except (TooLarge, IllTyped, Undefined):
            continue
        if same:
            equal += 1
            for size in (1, 2, 3):
                found = values(term - other, rng, size)
                assert found is None or ev.compare(found[0], "==", Fraction(0)) is not False, (
                    f"{term}\nis not {other} at {found}"
                )
    assert equal < 350


def test_a_wrong_normal_form_would_be_noticed() -> None:
    """Plant an error: a kernel that drops the square of a sum must not pass."""
    rng = random.Random(5)
    disagreements = 0
    for term in draw_terms(frozenset(), 13, 60):
        wrong = mutate(term, rng)
        for size in (1, 2, 3):
            found = values(term - wrong, rng, size)
            if found is not None and ev.compare(found[0], "==", Fraction(0)) is False:
                disagreements += 1
                break
    assert disagreements > 30


def test_a_function_of_the_whole_family_is_not_a_function_of_one_member() -> None:
    index, other = indices("i j")
    size = integers("n", positive=True)
    whole = Abs(Sum(F[other], (other, 1, size)))
    term = expectation(Sum(F[index], (index, 1, size)) * whole)
    canonical = Normal(independent_families=[F]).canonical(term)
    coin = [(-1, Fraction(1, 2)), (1, Fraction(1, 2))]
    for count in (1, 2):
        point = {"n": count, "F": [coin[:] for _ in range(count)]}
        point["F"][0] = [(0, Fraction(1, 2)), (1, Fraction(1, 2))]
        assert ev.evaluate(term, point) == ev.evaluate(canonical, point)


def test_substitution_leaves_bound_indices_alone() -> None:
    index = indices("i")
    size, value = integers("n", positive=True), reals("c")
    total = Sum(a[index], (index, 1, size))
    assert substitute(total, {a[index]: value}) == total
    assert substitute(a[index] + total, {a[index]: value}) == value + total
