"""The derivations about AdaBoost say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Ne,
    Product,
    Rational,
    Sum,
    Undefined,
    WrongStep,
    exp,
    indicator,
    log,
    reals,
    sqrt,
)
from mlnotes.theorems import adaboost as ab
from mlnotes.theorems.adaboost import (
    BETWEEN,
    ONE_ROUND,
    QUARTER_WRONG,
    VOTE,
    VOTED,
    WHOLE_VOTED,
    F,
    K,
    M,
    P,
    T,
    Z,
    a,
    alpha,
    beta,
    c,
    d,
    earlier,
    epsilon,
    error,
    g,
    gamma,
    h,
    i,
    k,
    m,
    mu,
    n,
    p,
    phi,
    point,
    q,
    s,
    stage,
    theta,
    v,
    w,
    y,
)

SCORE = Sum(alpha[m] * h[m, i], (m, 1, M))
VOTES = Sum(alpha[m], (m, 1, M))
ERROR = Sum(indicator(Le(y[i] * SCORE, 0)), (i, 1, n)) / n
EDGES = Sum((Rational(1, 2) - epsilon[m]) ** 2, (m, 1, M))
WRONG = indicator(Ne(y[i], g[i]))
FACTOR = exp(-a * y[i] * g[i])
LOSS = exp(-y[i] * (F[i] + beta * g[i]))
STATEMENTS = [
    (ab.zero_one_under_exponential, Le(indicator(Le(s, 0)), exp(-s)), "all reals"),
    (ab.error_under_normalisers, Le(ERROR, Product(Z[m], (m, 1, M))), "any M, any n"),
    (
        ab.best_vote,
        Ge((1 - error) * exp(-a) + error * exp(a), 2 * sqrt(error * (1 - error))),
        "all reals",
    ),
    (
        ab.least_normaliser,
        Eq((1 - error) * exp(-a) + error * exp(a), 2 * sqrt(error * (1 - error))),
        "all reals",
    ),
    (
        ab.normaliser_bound,
        Le(2 * sqrt(error * (1 - error)), exp(-2 * (Rational(1, 2) - error) ** 2)),
        "all reals",
    ),
    (ab.training_error, Le(ERROR, exp(-2 * EDGES)), "any M, any n"),
    (ab.weak_learning, Le(ERROR, exp(-2 * M * gamma**2)), "any M, any n"),
    (ab.rounds_with_a_mistake, Le(M, log(n) / (2 * gamma**2)), "any M, any n"),
    (ab.rounds_from_bound, Le(M, log(n) / (2 * gamma**2)), "any M, any n"),
    (
        ab.stagewise_vote,
        Ge(Sum(LOSS, (i, 1, n)), 2 * sqrt(error * (1 - error)) * reals("W", positive=True)),
        "any n",
    ),
    (
        ab.normalised_margins,
        Le(
            Sum(indicator(Le(y[i] * SCORE / VOTES, theta)), (i, 1, n)) / n,
            Product(exp(theta * alpha[m]) * Z[m], (m, 1, M)),
        ),
        "any M, any n",
    ),
    (
        ab.mean_exponential_loss,
        Eq(Sum(exp(-y[i] * SCORE), (i, 1, n)) / n, Product(Z[m], (m, 1, M))),
        "any M, any n",
    ),
    (
        ab.margins,
        Le(Sum(indicator(Le(mu[i] - c, 0)), (i, 1, n)) / n, exp(c) * P),
        "any n",
    ),
    (ab.product_of_signs, Eq(p * q, 1 - 2 * indicator(Ne(p, q))), "all reals"),
    (ab.edge, Eq(Sum(v[i] * y[i] * g[i], (i, 1, n)), 1 - 2 * error), "any n"),
    (ab.positive_vote, Gt(log((1 - error) / error) / 2, 0), "all reals"),
    (ab.no_vote, Le(log((1 - error) / error) / 2, 0), "all reals"),
    (ab.exponential_tangent, Le(1 + s, exp(s)), "all reals"),
    (ab.logarithm_tangent, Le(log(1 + s), s), "all reals"),
    (
        ab.half_of_the_weight,
        Eq(Sum(v[i] * WRONG * FACTOR, (i, 1, n)), Sum(v[i] * FACTOR, (i, 1, n)) / 2),
        "any n",
    ),
    (
        ab.mistake_gains,
        Eq(exp(a) / ((1 - error) * exp(-a) + error * exp(a)), 1 / (2 * error)),
        "all reals",
    ),
    (
        ab.success_loses,
        Eq(exp(-a) / ((1 - error) * exp(-a) + error * exp(a)), 1 / (2 * (1 - error))),
        "all reals",
    ),
    (ab.whole_vote, Eq((1 - error) * exp(-a) + error * exp(a), 1), "all reals"),
    (
        ab.stagewise_learner,
        Le(Sum(LOSS, (i, 1, n)), Sum(exp(-y[i] * (F[i] + beta * k[i])), (i, 1, n))),
        "any n",
    ),
    (ab.cascade_detection, Ge(Product(d[stage], (stage, 1, T)), (1 - error) ** T), "any T"),
    (
        ab.cascade_cost,
        Eq(
            Sum(Product(phi, (earlier, 1, stage - 1)), (stage, 1, T)),
            (1 - Product(phi, (earlier, 1, T))) / (1 - phi),
        ),
        "any T",
    ),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == scope
    assert theorem.mark == "proved"
    assert theorem.assumptions == ()


def test_the_hypotheses_fix_the_rounds_and_not_the_bound():
    assert not any(g.has(EDGES) for g in ab.training_error().given)
    assert len(ab.training_error().given) == 9


def test_the_lost_plus_sign_of_the_normaliser_is_refused():
    assert refuted(ab.least_normaliser(), VOTED, error * (1 - error))
    line = Derivation("printed", given=[*BETWEEN, VOTE], witness=VOTED)
    line.start((1 - error) * exp(-a) * error * exp(a))
    with pytest.raises(WrongStep):
        line.equals(2 * sqrt(error * (1 - error)), because="printed: the plus is lost")


def test_a_loss_that_rewards_mistakes_is_refused():
    assert refuted(ab.zero_one_under_exponential(), {s: -1}, exp(s))


def test_unrolled_weights_start_from_one_over_n():
    wrong = exp(-y[point] * Sum(alpha[m] * h[m, point], (m, 1, M))) / Product(Z[m], (m, 1, M))
    assert refuted(ab.unrolled_weights(), {**ONE_ROUND, point: 2}, wrong)
    elsewhere = {**ONE_ROUND, w: {**ONE_ROUND[w], (1, 2): 3}, point: 2}
    assert needed(ab.unrolled_weights(), elsewhere, 1)


def test_the_new_weighted_error_is_one_half_and_not_the_old_one():
    assert refuted(ab.half_weight(), VOTED, error)
    assert sides(ab.half_weight(), VOTED)[0] == pytest.approx(0.5)


def test_the_printed_logarithm_inequality_has_no_meaning_on_the_whole_line():
    with pytest.raises(Undefined):
        Derivation("printed").start(log(1 + s)).at_most(s, because="printed: for all reals")
    assert refuted(ab.logarithm_tangent(), {s: 1}, s / 2)
    assert refuted(ab.exponential_tangent(), {}, exp(s), "==")


def test_half_of_the_weight_is_wrong_only_for_the_halved_vote():
    model = {**QUARTER_WRONG, **VOTED}
    left, right = sides(ab.half_of_the_weight(), model)
    assert left == pytest.approx(3**0.5 / 4)
    assert right == pytest.approx(left)
    assert sides(ab.whole_vote_overshoots(), WHOLE_VOTED)[0] == pytest.approx(0.75)
    assert refuted(ab.whole_vote_overshoots(), WHOLE_VOTED, Rational(1, 2))
    assert refuted(ab.whole_vote(), WHOLE_VOTED, 2 * sqrt(error * (1 - error)))


def test_mistakes_gain_by_their_own_error_and_not_by_the_other():
    assert refuted(ab.mistake_gains(), VOTED, 1 / (2 * (1 - error)))
    assert refuted(ab.success_loses(), VOTED, 1 / (2 * error))


def test_the_indicator_form_needs_twice_the_vote():
    theorem = ab.indicator_form()
    other = exp(a * indicator(Ne(y[point], g[point])))
    assert theorem.statement.lhs.has(exp(2 * a * indicator(Ne(y[point], g[point]))))
    assert not theorem.statement.lhs.has(other)
    assert refuted(ab.indicator_factor(), {p: 1, q: -1, a: 1}, exp(-a * p * q))


def test_a_negative_multiple_turns_the_order_of_classifiers_round():
    witness = {n: 2, y: [1, -1], g: [1, 1], k: [-1, -1], F: [0, -1], beta: 1}
    position = ab.stagewise_learner().given.index(Ge(beta, 0))
    assert needed(ab.stagewise_learner(), witness, position)


def test_the_least_loss_of_a_stage_is_attained_at_adaboosts_vote():
    at_vote = sides(ab.stagewise_vote(), {**ab.STAGE, beta: -log(3) / 2})
    elsewhere = sides(ab.stagewise_vote(), {**ab.STAGE, beta: -log(3)})
    assert at_vote[0] == pytest.approx(at_vote[1])
    assert elsewhere[0] > elsewhere[1] + 0.1


def test_the_loss_of_a_stage_is_that_of_the_new_score():
    theorem = ab.stagewise_vote()
    earlier_losses = exp(-y[i] * F[i])
    W = reals("W", positive=True)
    assert Eq(Sum(earlier_losses, (i, 1, n)), W) in theorem.given
    assert Eq(Sum(earlier_losses * WRONG, (i, 1, n)), error * W) in theorem.given
    best = {**ab.STAGE, beta: -log(3) / 2}
    assert refuted(theorem, best, Rational(21, 10) * sqrt(error * (1 - error)) * W)


def test_a_mistake_may_be_left_for_no_fewer_rounds_than_claimed():
    witness = {n: 4, M: 1, gamma: Rational(1, 4), K: 1}
    assert refuted(ab.rounds_from_bound(), witness, log(n) / (40 * gamma**2))
    assert needed(ab.rounds_from_bound(), witness, 0)


def test_the_rounds_with_a_mistake_are_counted_for_a_run_and_not_for_a_bound():
    theorem = ab.rounds_with_a_mistake()
    assert theorem.given == (
        *ab.WEAK_LEARNING,
        Ge(Sum(indicator(Le(y[i] * SCORE, 0)), (i, 1, n)), 1),
    )
    assert not any(h.has(log(n)) or h.has(exp(-2 * M * gamma**2)) for h in theorem.given)
    run = {**ONE_ROUND, gamma: Rational(1, 4)}
    assert refuted(theorem, run, log(n) / (40 * gamma**2))


def test_the_bound_on_normalised_margins_needs_votes_with_a_positive_sum():
    run = {**ONE_ROUND, theta: 2}
    left, right = sides(ab.normalised_margins(), run)
    assert left == 1
    assert right == pytest.approx(3 * 3**0.5 / 2)
    position = ab.normalised_margins().given.index(Gt(VOTES, 0))
    assert position == len(ab.RUN)
    assert refuted(ab.normalised_margins(), run, Product(exp(-theta * alpha[m]) * Z[m], (m, 1, M)))


def test_slopes_have_the_sign_of_descent():
    assert refuted(ab.stagewise_slope(), {}, Sum(LOSS * y[i] * g[i], (i, 1, n)))
    residual = (y[i] - F[i] - beta * g[i]) * g[i]
    assert refuted(ab.squared_loss_slope(), {}, Sum(residual, (i, 1, n)))
    logistic = y[i] / (1 + exp(y[i] * (F[i] + beta * g[i]))) * g[i]
    assert refuted(ab.logistic_loss_slope(), {}, Sum(logistic, (i, 1, n)))


def test_a_longer_direction_may_be_steeper():
    longer = {n: 2, g: [2, 2], ab.rho: [1, 1]}
    assert needed(ab.steepest_direction(), longer, 0)
    assert sides(ab.steepest_direction(), {**longer, g: [1, 0]}) == (1, 2)


def test_a_leaf_that_moves_by_its_mean_leaves_the_variance():
    leaf = {n: 3, ab.rho: [1, 2, 6], ab.delta: 3, ab.eta: 1}
    assert sides(ab.boosting_leaf_step(), leaf) == (14, 14)
    squares = Sum(ab.rho[i] ** 2, (i, 1, n))
    assert refuted(ab.boosting_leaf_step(), leaf, squares - ab.eta * n * ab.delta**2 / 2)


def test_the_exponential_loss_is_convex_and_never_zero() -> None:
    u, v = reals("u v")
    chord = (exp(-u) + exp(-v)) / 2
    convex = Derivation("chord").start(exp(-(u + v) / 2)).at_most(chord, because="two squares")
    assert convex.qed()
    assert Derivation("positive").start(exp(-u)).greater_than(0, because="an exponential").qed()
