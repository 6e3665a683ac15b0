"""The derivations about convexity and duality say what they should, and nothing near it is true."""

import pytest
from retelling import needed, refuted, sides, without

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Le,
    Lt,
    Max,
    ProofError,
    Rational,
    Sum,
    Unproved,
    WrongStep,
    impossible,
    norm2,
    reals,
)
from mlnotes.theorems import convex_duality as cd
from mlnotes.theorems.convex_duality import (
    BETWEEN,
    LAGRANGIAN,
    PARABOLA,
    RIDGE,
    RIDGE_DUAL,
    K,
    S,
    bound,
    counts,
    f,
    g,
    k,
    lam,
    log,
    m,
    other,
    p,
    q,
    t,
    theta,
    value,
    x,
    z,
)

HALF = Rational(1, 2)
STATEMENTS = [
    (cd.squared_norm_convex, Le(norm2(t * x + (1 - t) * z), t * norm2(x) + (1 - t) * norm2(z))),
    (cd.open_ball_convex, Lt(norm2(t * x + (1 - t) * z), 1)),
    (cd.pointwise_maximum, Le(
        Max(f(BETWEEN), g(BETWEEN)), t * Max(f(p), g(p)) + (1 - t) * Max(f(q), g(q))
    )),
    (cd.weak_duality, Le(bound, value)),
    (cd.kkt_sufficient, Ge(other, value)),
    (cd.ridge_weak_duality, Ge(RIDGE, RIDGE_DUAL)),
    (cd.die_mle, Le(
        Sum(counts[k] * log(theta[k]), (k, 1, K)), Sum(counts[k] * log(counts[k] / S), (k, 1, K))
    )),
]  # fmt: skip


@pytest.mark.parametrize(("derive", "statement"), STATEMENTS)
def test_statement(derive, statement):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.mark == "proved"
    assert set(theorem.assumptions) <= {"f is convex", "g is convex"}


def test_duality_holds_for_any_number_of_constraints_in_any_dimension():
    assert cd.weak_duality().scope == "any m, any r"
    assert cd.kkt_sufficient().scope == "any m, any r, any dimension"
    assert cd.jensen().scope == "any n"


def test_the_bound_is_attained_by_the_parabola():
    tight = {**PARABOLA, value: 1, cd.ineq: [0]}
    assert sides(cd.weak_duality(), tight) == (1, 1)


def test_weak_duality_needs_multipliers_of_one_sign_and_a_feasible_point():
    assert needed(cd.weak_duality(), {**PARABOLA, lam: [-2], bound: 6}, 0)
    assert needed(cd.weak_duality(), {**PARABOLA, cd.ineq: [1], bound: 6}, 1)
    assert needed(cd.weak_duality(), {**PARABOLA, cd.eq: [1], bound: 7}, 2)
    assert LAGRANGIAN.has(value)


def test_a_chord_of_the_squared_norm_is_not_strictly_above():
    assert refuted(
        cd.squared_norm_convex(),
        {t: 1, x: [1, 0], z: [0, 1]},
        t * norm2(x) + (1 - t) * norm2(z),
        "<",
    )
    assert needed(cd.squared_norm_convex(), {t: 2, x: [1, 0], z: [0, 1]}, 0, 1)


def test_the_kkt_conditions_need_complementary_slackness_and_stationarity():
    theorem = cd.kkt_sufficient()
    at = {
        m: 1, cd.r: 1, x: [2, 0], z: [1, 0], value: 4, other: 1, cd.start_slope: [4, 0],
        cd.slopes: [[-1, 0]], cd.normals: [[0, 1]], cd.ineq: [-1], cd.new: [0], lam: [4],
        cd.nu: [0],
    }  # fmt: skip
    assert needed(theorem, at, len(theorem.given) - 2)
    assert needed(theorem, {**at, lam: [0]}, len(theorem.given) - 1)


def test_a_vanishing_multiplier_does_not_make_a_constraint_inactive():
    mult, con = reals("lambda f")
    line = Derivation(
        "printed", given=[Le(con, 0), Eq(mult, 0), Eq(mult * con, 0)], witness={con: 0, mult: 0}
    ).start(con)
    with pytest.raises(WrongStep):
        line.less_than(0, because="printed: no multiplier, hence inactive")


def test_a_minimum_with_room_beside_it_has_a_multiplier():
    s, mult = reals("s lambda")
    with pytest.raises(ProofError):
        impossible("with Slater", given=[Le(s**2 - 1, 0), Eq(1 + 2 * mult * s, 0)])


def test_the_lagrangian_is_below_every_positive_number_at_a_price_that_is_not_negative():
    theorem = cd.gap_without_slater()
    assert theorem.mark == "proved"
    price = reals("lambda")
    at = {bound: 1, price: 1, cd.s: 2}
    assert needed(theorem, {**at, bound: -1, price: 0, cd.s: -1}, 0)
    assert needed(theorem, {**at, price: -2, cd.s: -1}, 1)
    assert needed(theorem, {**at, cd.s: HALF}, 2)
    assert refuted(theorem, at, bound / 3)


def test_a_die_may_keep_some_probability_for_faces_that_were_not_seen():
    at = {K: 2, theta: [Rational(1, 4), HALF], counts: [1, 3], S: 4}
    lower, upper = sides(cd.die_mle(), at)
    assert float(lower) < float(upper)
    assert needed(cd.die_mle(), {**at, theta: [HALF, 1]}, 0)
    assert needed(cd.squared_constraint_mle(), {**at, theta: [1, 1]}, 0)


def test_tangents_of_the_square_and_the_fourth_power_are_below():
    assert sides(cd.tangent_of_square(), {x: [1, 2], z: [3, 1]}) == (5, 0)
    assert sides(cd.fourth_power_tangent(), {p: 1, q: 2}) == (16, 5)
    assert refuted(cd.fourth_power_tangent(), {p: 1, q: 1}, p**4 + 4 * p**3 * (q - p), ">")


def test_the_first_order_condition_is_about_the_point_between():
    theorem = cd.tangents_give_chords()
    assert theorem.scope == "any dimension"
    assert needed(theorem, {t: HALF, x: [1], z: [-1], cd.slope: [0], cd.at_x: -1, cd.at_z: 0,
                            cd.at_y: 0}, 2)  # fmt: skip


SQUARE = {"varphi": lambda r: r * r, "varphi'": lambda r: 2 * r}
AT = {t: Rational(1, 3), p: 0, q: 3, cd.s: 2}


def test_the_parabola_and_its_chord():
    assert sides(cd.curvature_gives_tangents(), {**SQUARE, p: 1, q: 3}) == (9, 5)
    assert sides(cd.curvature_gives_chords(), {**SQUARE, **AT}) == (6, 4)
    assert sides(cd.positive_curvature_gives_strict_chords(), {**SQUARE, **AT}) == (6, 4)
    assert sides(cd.chords_give_curvature(), {"f": lambda r: r * r, p: 5, t: 2}) == (2, 0)


def test_jensen_needs_a_law():
    w, s = cd.real_family("w s")
    refusal = without(cd.jensen(), {cd.n: 1, w: [2], s: [1], f: lambda v: v * v}, 1)
    assert isinstance(refusal, WrongStep | Unproved)
