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
    log,
    norm2,
    reals,
)
from mlnotes.theorems import convex_duality as cd
from mlnotes.theorems.convex_duality import (
    DISC,
    MIDDLE,
    RIDGE,
    RIDGE_DUAL,
    K,
    S,
    con,
    counts,
    d,
    equ,
    f,
    f_0,
    f_1,
    f_2,
    g,
    k,
    lagrangian,
    lam,
    nu,
    p,
    q,
    shares,
    t,
    w,
    x,
    z,
)

HALF = Rational(1, 2)


def square(v):
    """Return the squared length of a vector of the evaluator."""
    return sum(entry * entry for entry in v)


def zero(*at):
    return 0


def doubled(v):
    return tuple(2 * entry for entry in v)


STATEMENTS = [
    (cd.squared_norm_convex, Le(norm2(MIDDLE), t * norm2(x) + (1 - t) * norm2(z))),
    (cd.open_ball_convex, Lt(norm2(MIDDLE), 1)),
    (cd.local_minimum_is_global, Ge(f(z), f(x))),
    (cd.tangents_give_chords, Ge(t * f(x) + (1 - t) * f(z), f(MIDDLE))),
    (cd.pointwise_maximum, Le(
        Max(f_1(MIDDLE), f_2(MIDDLE)),
        t * Max(f_1(x), f_2(x)) + (1 - t) * Max(f_1(z), f_2(z)),
    )),
    (cd.weak_duality, Le(d, f_0(x))),
    (cd.kkt_closes_the_gap, Ge(lagrangian(z, lam, nu), f_0(x))),
    (cd.kkt_sufficient, Ge(f_0(z), f_0(x))),
    (cd.saddle_point, Le(lagrangian(x, cd.eta, cd.omega), lagrangian(z, lam, nu))),
    (cd.ridge_weak_duality, Ge(RIDGE.value(), RIDGE_DUAL.value())),
    (cd.ridge_no_gap, Eq(RIDGE.value(), RIDGE_DUAL.value())),
    (cd.die_mle, Le(
        Sum(counts[k] * log(shares[k]), (k, 1, K)), Sum(counts[k] * log(counts[k] / S), (k, 1, K))
    )),
]  # fmt: skip


@pytest.mark.parametrize(("derive", "statement"), STATEMENTS)
def test_statement(derive, statement):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.mark == "proved"
    assert theorem.assumptions == ()


def test_duality_holds_for_any_number_of_constraints_in_any_dimension():
    assert cd.weak_duality().scope == "any m, any r, any dimension"
    assert cd.kkt_sufficient().scope == "any m, any r, any dimension"
    assert cd.jensen().scope == "any n"


def test_a_convex_function_may_follow_any_affine_map():
    theorem = cd.affine_composition()
    assert theorem.scope == "any dimension"
    a = cd.A
    at = {f: square, a: doubled, w: [1], t: HALF, x: [1], z: [-1]}
    assert sides(theorem, at) == (1, 5)


# The least square of a number between -1 and 1, and of a number that is not between them.
BALL = {**DISC, f_0: square, con: lambda i, v: square(v) - 1, equ: zero}
AWAY = {**BALL, con: lambda i, v: 1 - square(v), x: [1], lam: [1], d: 1}


def test_the_bound_is_attained():
    assert sides(cd.weak_duality(), AWAY) == (1, 1)
    room = {x: [HALF], cd.real_family("epsilon"): [Rational(3, 4)]}
    value, bound = sides(cd.price(), {**AWAY, **room})
    assert value == bound == 0.25


def test_weak_duality_needs_multipliers_of_one_sign_and_a_feasible_point():
    theorem = cd.weak_duality()
    names = {h.name for h in theorem.stated}
    assert {"multipliers", "bound", "problem inequalities", "problem equations"} <= names
    # At each of these d is below the Lagrangian everywhere, and one other hypothesis fails.
    inside = {con: lambda i, v: -1, lam: [-1], f_0: zero, d: 1}
    assert sides(theorem, {**BALL, **inside}) == (1, 0)
    assert sides(theorem, {**AWAY, x: [0]}) == (1, 0)
    assert sides(theorem, {**BALL, equ: lambda j, v: 1, d: 5}) == (5, 0)


def test_a_chord_of_the_squared_norm_is_not_strictly_above():
    assert refuted(
        cd.squared_norm_convex(),
        {t: 1, x: [1, 0], z: [0, 1]},
        t * norm2(x) + (1 - t) * norm2(z),
        "<",
    )
    assert needed(cd.squared_norm_convex(), {t: 2, x: [1, 0], z: [0, 1]}, 0, 1)


def test_a_local_minimum_is_global_only_with_convexity():
    theorem = cd.local_minimum_is_global()
    assert {"convex", "local", "delta positive"} <= {h.name for h in theorem.stated}
    refusal = without(theorem, {f: lambda v: norm2(v), **cd.FOOT}, 0)
    assert isinstance(refusal, WrongStep | Unproved)


def test_a_point_with_a_slope_is_no_minimum():
    theorem = cd.zero_subgradient()
    at = {f: square, g: doubled, x: [1], z: [0]}
    assert sides(theorem, at) == (0, 1)


def test_the_kkt_conditions_need_every_one_of_them():
    names = {h.name for h in cd.kkt_sufficient().stated}
    conditions = {"multipliers", "slackness", "stationary", "problem equations", "another"}
    assert {"objective", "constraints", "affine"} | conditions <= names
    # A ball that does not hold its centre: the square is least at 0, and 1 is no KKT point.
    assert sides(cd.kkt_sufficient(), {**BALL, x: [1], z: [0]}) == (0, 1)


def test_other_multipliers_of_a_saddle_point_are_not_negative():
    at = {**BALL, cd.eta: [-1], cd.omega: [1], z: [0]}
    low, high = sides(cd.saddle_point(), at)
    assert low > high


def test_a_vanishing_multiplier_does_not_make_a_constraint_inactive():
    mult, value = reals("lambda f")
    line = Derivation(
        "printed",
        given=[Le(value, 0), Eq(mult, 0), Eq(mult * value, 0)],
        witness={value: 0, mult: 0},
    ).start(value)
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
    at = {d: 1, price: 1, cd.s: 2}
    assert needed(theorem, {**at, d: -1, price: 0, cd.s: -1}, 0)
    assert needed(theorem, {**at, price: -2, cd.s: -1}, 1)
    assert needed(theorem, {**at, cd.s: HALF}, 2)
    assert refuted(theorem, at, d / 3)


def test_a_die_may_keep_some_probability_for_faces_that_were_not_seen():
    at = {K: 2, shares: [Rational(1, 4), HALF], counts: [1, 3], S: 4}
    lower, upper = sides(cd.die_mle(), at)
    assert float(lower) < float(upper)
    assert needed(cd.die_mle(), {**at, shares: [HALF, 1]}, 0)
    assert needed(cd.squared_constraint_mle(), {**at, shares: [1, 1]}, 0)


def test_tangents_of_the_square_and_the_fourth_power_are_below():
    assert sides(cd.tangent_of_square(), {x: [1, 2], z: [3, 1]}) == (5, 0)
    assert sides(cd.fourth_power_tangent(), {p: 1, q: 2}) == (16, 5)
    assert refuted(cd.fourth_power_tangent(), {p: 1, q: 1}, p**4 + 4 * p**3 * (q - p), ">")


SQUARE = {"varphi": lambda r: r * r, "varphi'": lambda r: 2 * r}
AT = {t: Rational(1, 3), p: 0, q: 3, cd.s: 2}


def test_the_parabola_and_its_chord():
    assert sides(cd.curvature_gives_tangents(), {**SQUARE, p: 1, q: 3}) == (9, 5)
    assert sides(cd.curvature_gives_chords(), {**SQUARE, **AT}) == (6, 4)
    assert sides(cd.positive_curvature_gives_strict_chords(), {**SQUARE, **AT}) == (6, 4)
    bent = {f: square, x: [5], w: [1], t: 2}
    assert sides(cd.chords_give_curvature(), bent) == (2, 0)


def test_jensen_needs_a_law():
    values = cd.real_family("s")
    twice = {cd.n: 1, cd.weights: [2], values: [1], cd.scalar: lambda v: v * v}
    assert isinstance(without(cd.jensen(), twice, 1), WrongStep | Unproved)


def test_ridge_regression_has_a_gap_away_from_its_solution():
    at = {cd.n: 1, cd.points: [[1]], cd.y: [2], cd.theta: [1], cd.xi: [1], cd.tau: 1}
    assert sides(cd.ridge_weak_duality(), {**at, cd.alpha: [1]}) == (2, 2)
    assert sides(cd.ridge_weak_duality(), {**at, cd.alpha: [0]}) == (2, 0)
