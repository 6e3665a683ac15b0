"""Doubled arithmetic against rational numbers: what is called exact is, and every bound holds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import _doubled
from mlnotes._doubled import Doubled, add, gram, piece_bits, product, two_product, two_sum

floats = st.floats(-1e100, 1e100, allow_subnormal=False)
moderate = st.floats(1e-100, 1e100) | st.floats(-1e100, -1e-100) | st.just(0.0)


def rational(A: Any) -> list[list[Fraction]]:
    return [[Fraction(float(v)) for v in row] for row in np.atleast_2d(A)]


def exact_product(A: Any, B: Any) -> list[list[Fraction]]:
    """A Bᵀ, for matrices of Fractions."""
    return [[sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0)) for b in B] for a in A]


def worst_excess(result: Doubled, exact: list[list[Fraction]]) -> float:
    """The largest error over its bound: at most 1 if the bound holds."""
    ratios = [
        abs(Fraction(float(h)) + Fraction(float(low)) - e) / Fraction(float(bound))
        for row_h, row_l, row_e, row_b in zip(
            result.high, result.low, exact, result.error, strict=True
        )
        for h, low, e, bound in zip(row_h, row_l, row_e, row_b, strict=True)
    ]
    return float(max(ratios))


@given(floats, floats)
def test_a_sum_and_its_rounding_error_are_exact_together(a: float, b: float) -> None:
    total, lost = two_sum(np.array([a]), np.array([b]))
    assert Fraction(total[0]) + Fraction(lost[0]) == Fraction(a) + Fraction(b)
    assert total[0] == a + b


@given(moderate, moderate)
def test_a_product_and_its_rounding_error_are_exact_together(a: float, b: float) -> None:
    main, lost = two_product(np.array([a]), np.array([b]))
    assert Fraction(main[0]) + Fraction(lost[0]) == Fraction(a) * Fraction(b)
    assert main[0] == a * b


@pytest.mark.parametrize("N", [1, 2, 3, 22, 64, 65, 1000, 1024, 1025])
def test_pieces_are_as_long_as_exact_sums_allow_and_no_longer(N: int) -> None:
    b = piece_bits(N)
    assert N * 2 ** (2 * b) <= 2**53
    assert N * 2 ** (2 * (b + 1)) > 2**51


@pytest.mark.parametrize("pieces", [1, 2, 3, 4])
def test_pieces_and_rest_add_up_and_stay_on_their_grid(pieces: int) -> None:
    A = np.random.default_rng(0).normal(size=(3, 50)) * [[1e-8], [1.0], [1e12]]
    A[:, 0] = A[:, 1] * 1e-20
    top = _doubled._top(A)
    cut, rest = _doubled._cut(A, top[:, None], pieces)
    cut = cut.reshape(pieces, 3, 50)
    for i in range(3):
        for j in range(50):
            total = sum(Fraction(p) for p in cut[:, i, j]) + Fraction(rest[i, j])
            assert total == Fraction(A[i, j])
        for k in range(pieces):
            grid = Fraction(top[i]) / 2 ** ((k + 1) * piece_bits(50))
            assert all((Fraction(v) / grid).denominator == 1 for v in cut[k, i])
            assert all(abs(v) <= top[i] * 2.0 ** (-k * piece_bits(50)) for v in cut[k, i])
        assert np.abs(rest[i]).max() <= top[i] * 2.0 ** (-pieces * piece_bits(50) - 1)


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 60), st.sampled_from([0, 5, 40]))
@settings(max_examples=60)
def test_the_bound_of_a_product_always_holds(seed: int, pieces: int, N: int, spread: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3, N)) * 10.0 ** rng.integers(-spread, spread + 1, size=(3, N))
    B = rng.normal(size=(2, N)) * 10.0 ** rng.integers(-spread, spread + 1, size=(2, N))
    result = product(A, B, None, pieces)
    assert worst_excess(result, exact_product(rational(A), rational(B))) <= 1


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 40))
@settings(max_examples=40)
def test_the_bound_holds_with_low_digits_too(seed: int, pieces: int, N: int) -> None:
    rng = np.random.default_rng(seed)
    A, weights = rng.normal(size=(3, N)), rng.random(N)
    B, lost = two_product(A, weights)
    result = product(A, B, lost, pieces)
    weighted = [
        [v * Fraction(float(w)) for v, w in zip(row, weights, strict=True)] for row in rational(A)
    ]
    assert worst_excess(result, exact_product(rational(A), weighted)) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_pays_for_low_digits_that_cancel(seed: int) -> None:
    # The high digits multiply exactly, and the low ones leave next to nothing but their rounding.
    low = 2.0**-53 * np.random.default_rng(seed).uniform(-1, 1, size=(1, 60))
    low[0, -1] = -low[0, :-1].sum()
    A, B = np.ones((1, 60)), np.full((1, 60), 2.0)
    exact = [[Fraction(120) + sum(Fraction(v) for v in low[0].tolist())]]
    assert worst_excess(product(A, B, low, 3), exact) <= 1


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 60))
@settings(max_examples=60)
def test_the_bound_of_a_gram_matrix_always_holds(seed: int, pieces: int, N: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.uniform(-1, 1, size=(3, N)) * 10.0 ** -rng.integers(0, 20, size=(3, 1))
    A[0] = 1.0
    exact = exact_product(rational(A), rational(A))
    assert worst_excess(gram(A.copy(), pieces), exact) <= 1


def test_more_pieces_give_more_digits_up_to_two_floats() -> None:
    rng = np.random.default_rng(1)
    A, B = rng.uniform(-1, 1, size=(2, 4, 100))
    exact = exact_product(rational(A), rational(B))
    errors, bounds = [], []
    for pieces in (1, 2, 3):
        result = product(A, B, None, pieces)
        total = [
            abs(Fraction(float(h)) + Fraction(float(low)) - e)
            for h, low, e in zip(
                result.high.ravel(), result.low.ravel(), np.ravel(exact), strict=True
            )
        ]
        errors.append(float(max(total)))
        bounds.append(float(result.error.max()))
    assert errors[0] < 2**-68
    assert errors[1] < 2**-90
    assert errors[2] < 2**-100
    assert (np.diff(bounds) < 0).all()


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_the_bound_of_a_sum_always_holds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, B = rng.uniform(-1, 1, size=(2, 3, 30))
    parts = gram(A.copy(), 1), gram(B.copy(), 3)
    exact = [
        [p + q for p, q in zip(a, b, strict=True)]
        for a, b in zip(
            exact_product(rational(A), rational(A)),
            exact_product(rational(B), rational(B)),
            strict=True,
        )
    ]
    assert worst_excess(add(*parts), exact) <= 1


def test_the_bound_of_a_sum_pays_for_its_own_rounding() -> None:
    # Two numbers known exactly, whose low parts do not fit beside each other.
    one = Doubled(np.array([[1.0]]), np.array([[2.0**-54]]), np.array([[0.0]]))
    tiny = Doubled(np.array([[2.0**-60]]), np.array([[2.0**-115]]), np.array([[0.0]]))
    total = add(one, tiny)
    exact = [[1 + Fraction(1, 2**54) + Fraction(1, 2**60) + Fraction(1, 2**115)]]
    assert worst_excess(total, exact) <= 1
    assert total.error[0, 0] > 0
