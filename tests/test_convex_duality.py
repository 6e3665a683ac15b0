"""Convex programmes: residuals, duals and the solver against independent answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

from mlnotes.convex_duality import (
    ConvexProgram,
    categorical_mle,
    chord_excess,
    dual_function,
    find_escape,
    is_positive_semidefinite,
    kkt_residuals,
    lagrangian,
    quadratic_program,
    ridge_dual_ascent,
    solve_quadratic_program,
    squared_constraint_dual,
    squared_constraint_mle,
)

PARABOLA = ([[2.0]], [0.0], [[-1.0]], [-1.0])  # x² where x ≥ 1


def random_program(seed: int, d: int = 4, m: int = 5, p: int = 1) -> Any:
    """A strictly convex quadratic programme with a strictly feasible point."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d))
    inside = rng.normal(size=d)
    G, A = rng.normal(size=(m, d)), rng.normal(size=(p, d))
    h = G @ inside + rng.uniform(0.1, 1.0, size=m)
    return root @ root.T + 0.1 * np.eye(d), rng.normal(size=d), G, h, A, A @ inside


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_solver_closes_the_gap_and_meets_the_kkt_conditions(seed: int) -> None:
    data = random_program(seed)
    found = solve_quadratic_program(*data)
    assert max(found.residuals) < 1e-8
    assert found.primal == pytest.approx(found.dual, rel=1e-7, abs=1e-7)
    again = quadratic_program(*data).kkt_residuals(
        found.x, found.multipliers, found.equality_multipliers
    )
    assert again == found.residuals


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_residuals_are_those_of_the_conditions_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    P, q, G, h, A, b = random_program(seed)
    program, x = quadratic_program(P, q, G, h, A, b), rng.normal(size=4)
    prices, free = rng.normal(size=5), rng.normal(size=1)

    def price_of(point: Any) -> float:
        value = point @ P @ point / 2 + q @ point + free @ (A @ point - b)
        return float(value + sum(prices[i] * (G[i] @ point - h[i]) for i in range(5)))

    # A central difference of a quadratic function is exact but for rounding.
    slopes = [(price_of(x + e) - price_of(x - e)) / 2 for e in np.eye(4)]
    found = program.kkt_residuals(x, prices, free)
    assert found.stationarity == pytest.approx(max(map(abs, slopes)))
    left = [float(G[i] @ x - h[i]) for i in range(5)]
    assert found.primal == pytest.approx(max(0.0, *left, *map(abs, A @ x - b)))
    assert found.dual == max(0.0, *(-prices))
    assert found.complementarity == pytest.approx(
        max(abs(p * f) for p, f in zip(prices, left, strict=True))
    )


def test_the_gap_of_every_iterate_is_that_of_the_dual_function() -> None:
    data = random_program(3)
    found = solve_quadratic_program(*data)
    lower, upper = found.path[:, 1], found.primal
    assert (lower <= upper + 1e-9).all()
    assert lower[0] < upper - 1
    np.testing.assert_allclose(
        dual_function(
            *data, multipliers=found.multipliers, equality_multipliers=found.equality_multipliers
        ),
        found.dual,
    )
    # Prices of zero make the Lagrangian the objective at every point, but bound nothing well.
    program = quadratic_program(*data)
    nothing = np.zeros(5), np.zeros(1)
    assert lagrangian(program, found.x, *nothing) == pytest.approx(found.primal)
    worst = dual_function(*data, multipliers=nothing[0], equality_multipliers=nothing[1])
    assert worst < found.primal - 1e-2


def test_a_programme_without_curvature_has_a_dual_value_at_its_solution() -> None:
    # A linear programme: the least x + 2y where x, y ≥ 0 and x + y ≥ 1.
    G, h = -np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([0.0, 0, -1])
    found = solve_quadratic_program(np.zeros((2, 2)), [1.0, 2.0], G, h)
    assert found.primal == pytest.approx(1.0)
    assert found.dual == pytest.approx(1.0)
    assert found.path[0, 1] == -np.inf


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6, 1e9])
@pytest.mark.parametrize("price", [1e-6, 1.0, 2e8])
def test_the_units_of_the_programme_do_not_matter(unit: float, price: float) -> None:
    found = solve_quadratic_program([[price]], [0.0], [[-1.0]], [-unit])
    assert found.x == pytest.approx([unit], rel=1e-4 if unit < 1 else 1e-8)
    assert found.dual == pytest.approx(found.primal, rel=1e-4 if unit < 1 else 1e-8)


def test_the_minimiser_is_that_of_another_solver() -> None:
    for seed in range(5):
        P, q, G, h, A, b = random_program(seed)
        found = solve_quadratic_program(P, q, G, h, A, b)
        oracle = minimize(
            lambda x, P=P, q=q: 0.5 * x @ P @ x + q @ x,
            np.zeros(len(q)),
            jac=lambda x, P=P, q=q: P @ x + q,
            constraints=[
                {"type": "ineq", "fun": lambda x, G=G, h=h: h - G @ x},
                {"type": "eq", "fun": lambda x, A=A, b=b: A @ x - b},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        np.testing.assert_allclose(found.x, oracle.x, atol=1e-5)


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_no_dual_value_exceeds_a_primal_one(seed: int) -> None:
    P, q, G, h, A, b = random_program(seed)
    best = solve_quadratic_program(P, q, G, h, A, b).primal
    rng = np.random.default_rng(seed)
    for _ in range(5):
        lam, nu = rng.exponential(size=len(h)), rng.normal(size=len(b))
        lower = dual_function(P, q, G, h, A, b, multipliers=lam, equality_multipliers=nu)
        assert lower <= best + 1e-8 * (1 + abs(best))


def test_the_dual_function_is_the_least_value_of_the_lagrangian() -> None:
    program = quadratic_program(*PARABOLA)
    for lam in (0.0, 1.0, 2.0, 5.0):
        least = minimize_scalar(lambda s, lam=lam: lagrangian(program, [s], [lam])).fun
        value = dual_function(*PARABOLA, multipliers=[lam])
        assert value == pytest.approx(least)
        assert value == pytest.approx(lam - lam**2 / 4)


def test_without_curvature_the_dual_function_is_minus_infinity() -> None:
    flat = ([[0.0]], [1.0], [[-1.0]], [0.0])
    assert dual_function(*flat, multipliers=[0.5]) == -np.inf
    assert dual_function(*flat, multipliers=[1.0]) == 0.0


def test_a_free_sign_of_the_multiplier_would_overshoot() -> None:
    below = ([[2.0]], [0.0], [[1.0]], [1.0])  # x² where x ≤ 1: the optimum is 0
    assert dual_function(*below, multipliers=[-2.0]) == 1.0
    assert solve_quadratic_program(*below).primal == pytest.approx(0.0, abs=1e-9)


def test_residuals_name_the_condition_that_fails() -> None:
    def residuals(x: float, lam: float) -> Any:
        return quadratic_program(*PARABOLA).kkt_residuals([x], [lam])

    assert max(residuals(1.0, 2.0)) == 0.0
    assert residuals(1.0, 1.0).stationarity == 1.0
    assert residuals(0.5, 1.0).primal == 0.5
    assert residuals(-1.0, -2.0).dual == 2.0
    assert residuals(2.0, 4.0).complementarity == 4.0


def test_residuals_of_a_programme_without_constraints_are_its_gradient() -> None:
    assert kkt_residuals([3.0, -4.0]).stationarity == 4.0
    free = ConvexProgram(objective=lambda x: float(x @ x), gradient=lambda x: 2 * x)
    assert max(free.kkt_residuals([0.0])) == 0.0
    assert lagrangian(free, [2.0]) == 4.0
    assert solve_quadratic_program([[2.0]], [-2.0]).x == pytest.approx([1.0])


def test_a_programme_that_is_not_convex_or_not_solvable_is_refused() -> None:
    with pytest.raises(ValueError, match="negative eigenvalue"):
        quadratic_program([[-1.0]], [0.0])
    with pytest.raises(ValueError, match="contradict each other"):
        solve_quadratic_program([[2.0]], [0.0], [[1.0], [-1.0]], [0.0, -1.0])
    with pytest.raises(ValueError, match="unbounded below"):
        solve_quadratic_program([[0.0]], [1.0])
    with pytest.raises(ValueError, match="pass G and h together"):
        quadratic_program([[1.0]], [0.0], G=[[1.0]])
    with pytest.raises(ValueError, match="columns"):
        quadratic_program([[1.0]], [0.0], [[1.0, 2.0]], [0.0])


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="P must be square and symmetric"):
        quadratic_program([[1.0, 0.0]], [0.0])
    with pytest.raises(ValueError, match="tol must be a number"):
        is_positive_semidefinite([[1.0]], tol="a")
    with pytest.raises(ValueError, match="random_state must be a nonnegative integer"):
        chord_excess(lambda x: 0.0, LINE, random_state="x")
    with pytest.raises(ValueError, match="random_state must be a nonnegative integer"):
        find_escape(lambda x: True, LINE, random_state="x")


def test_residuals_ask_for_gradients_of_the_right_shape() -> None:
    with pytest.raises(ValueError, match="gradients are missing: inequality_jacobian"):
        kkt_residuals([1.0], inequalities=[0.0], multipliers=[1.0])
    with pytest.raises(ValueError, match=r"must have shape \(1, 1\)"):
        kkt_residuals(
            [1.0], inequalities=[0.0], inequality_jacobian=[[1.0, 2.0]], multipliers=[1.0]
        )


LINE = np.linspace(-2, 2, 41)[:, None]
FUNCTIONS = {
    "exp": lambda x: float(np.exp(x[0])),
    "identity": lambda x: float(x[0]),
    "fourth power": lambda x: float(x[0] ** 4),
    "the larger of |x| and x²": lambda x: float(max(abs(x[0]), x[0] ** 2)),
    "a combination": lambda x: float(3 * abs(x[0]) + 2 * x[0] ** 2),
    "after an affine map": lambda x: float(np.exp(1 - 2 * x[0])),
    "exp of a convex function": lambda x: float(np.exp(x[0] ** 2)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_convex_functions_stay_below_their_chords(name: str) -> None:
    f = FUNCTIONS[name]
    assert chord_excess(f, LINE) <= 1e-9
    assert chord_excess(lambda x: -f(x), LINE) > 0 or name == "identity"


def test_the_epigraph_of_a_convex_function_is_convex_and_that_of_its_negative_is_not() -> None:
    grid = np.stack(np.meshgrid(np.linspace(-2, 2, 9), np.linspace(-4, 4, 9)), axis=-1)
    points = grid.reshape(-1, 2)
    assert find_escape(lambda x: x[0] ** 2 <= x[1], points) is None
    escape = find_escape(lambda x: -(x[0] ** 2) <= x[1], points)
    assert escape is not None
    x, other, between = escape
    assert -(x[0] ** 2) <= x[1]
    assert -(other[0] ** 2) <= other[1]
    assert -(between[0] ** 2) > between[1]


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_intersections_images_and_preimages_of_convex_sets_have_no_escape(seed: int) -> None:
    rng = np.random.default_rng(seed)
    G, h = rng.normal(size=(4, 2)), rng.uniform(0.5, 1.0, size=4)
    M, shift = rng.normal(size=(2, 2)), rng.normal(size=2)
    points = rng.normal(size=(60, 2))

    def inside(x: Any) -> bool:
        return bool((G @ x <= h).all())

    assert find_escape(inside, points, n_segments=100) is None
    assert find_escape(lambda x: inside(M @ x + shift), points, n_segments=100) is None
    inverse = np.linalg.inv(M)
    assert find_escape(lambda x: inside(inverse @ (x - shift)), points, n_segments=100) is None


def test_sets_with_a_hole_are_left_by_a_segment() -> None:
    ring = find_escape(lambda x: 1 <= x @ x <= 4, np.random.default_rng(0).normal(size=(50, 2)))
    assert ring is not None
    assert not 1 <= ring[2] @ ring[2] <= 4
    assert find_escape(lambda x: False, [[0.0]]) is None


def test_semidefinite_is_not_definite() -> None:
    assert is_positive_semidefinite([[2.0, 0.0], [0.0, 0.0]])
    assert not is_positive_semidefinite([[2.0, 0.0], [0.0, -1e-3]])
    with pytest.raises(ValueError, match="symmetric"):
        is_positive_semidefinite([[0.0, 1.0], [0.0, 0.0]])


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any), st.integers(0, 10**6))
def test_no_other_die_is_more_likely(counts: list[int], seed: int) -> None:
    theta, multiplier = categorical_mle(counts)
    x = np.array(counts, dtype=float)
    other = np.random.default_rng(seed).dirichlet(np.ones(len(x)))
    seen = x > 0
    assert x[seen] @ np.log(theta[seen]) >= x[seen] @ np.log(other[seen]) - 1e-12
    np.testing.assert_allclose(x[seen] / theta[seen] + multiplier, 0, atol=1e-9)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any))
def test_both_orders_of_play_have_the_same_value_on_the_sphere(counts: list[int]) -> None:
    theta, multiplier = squared_constraint_mle(counts)
    x = np.array(counts, dtype=float)
    seen = x > 0
    primal = float(x[seen] @ np.log(theta[seen]))
    assert theta @ theta == pytest.approx(1.0)
    assert squared_constraint_dual(counts, multiplier) == pytest.approx(primal)
    for nearby in (0.5 * multiplier, 2.0 * multiplier):
        assert squared_constraint_dual(counts, nearby) > primal
    assert squared_constraint_dual(counts, 0.0) == np.inf


def test_counts_must_count_something() -> None:
    for wrong in ([0, 0], [-1, 2]):
        with pytest.raises(ValueError, match="at least one must be positive"):
            categorical_mle(wrong)


def test_a_constraint_that_is_tight_without_a_price_does_not_stop_the_solver() -> None:
    found = solve_quadratic_program(np.eye(2), [-2.0, -1.0], [[1.0, 1.0], [1.0, 0.0]], [1.0, 1.0])
    assert np.allclose(found.x, [1, 0], atol=1e-4)
    assert np.allclose(found.multipliers, [1, 0], atol=1e-4)
    assert max(found.residuals) < 1e-9


@pytest.mark.parametrize("seed", range(50))
def test_dual_ascent_finds_ridge_regression_and_its_bound_only_rises(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, tau = rng.normal(size=(30, 4)), rng.normal(size=30), 10.0 ** rng.uniform(-1, 1)
    found = ridge_dual_ascent(X, y, tau=tau)
    solved = np.linalg.solve(X.T @ X + tau * np.eye(4), X.T @ y)
    assert np.allclose(found.coef, solved, atol=1e-4)
    assert np.allclose(found.coef, X.T @ found.multipliers)
    least = tau * solved @ solved + ((y - X @ solved) ** 2).sum()
    assert (found.path[:, 0] >= least - 1e-9).all()
    assert (found.path[:, 1] <= least + 1e-9).all()
    assert (np.diff(found.path[:, 1]) >= -1e-9).all()


def test_dual_ascent_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="tau"):
        ridge_dual_ascent([[1.0]], [1.0], tau=0.0)
    with pytest.raises(ValueError, match="raise max_passes or tol"):
        ridge_dual_ascent([[1.0, 0.5], [0.5, 1.0]], [1.0, 2.0], tau=1e-6, max_passes=1)
    assert ridge_dual_ascent([[1.0], [2.0]], [0.0, 0.0], tau=1.0).path.tolist() == [[0.0, 0.0]]
