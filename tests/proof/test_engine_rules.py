"""Each rule proves what it is for, and refuses what only looks like it."""

import pytest
import sympy as sp
from mlnotes.proof.prove import Prover

from mlnotes import proof
from mlnotes.proof import (
    Abs,
    And,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    Lt,
    Max,
    Product,
    ProofError,
    Rational,
    Sum,
    Undefined,
    Unproved,
    WrongStep,
    apply,
    assumed,
    cases,
    check_inequality,
    exp,
    for_each,
    function,
    indicator,
    indices,
    induction,
    integers,
    let,
    log,
    minimised_at,
    monotone,
    random_family,
    random_variables,
    real_family,
    reals,
    second_order,
    sqrt,
    termwise,
    using,
)

x, y, z, u, v = reals("x y z u v")
p, q = reals("p q", positive=True)
n, m = integers("n m", positive=True)
k = integers("k", nonnegative=True)
i, j = indices("i j")
a, b = real_family("a b")
w = real_family("w", positive=True)
X, Y = random_variables("X Y")
rising = function("g", increasing=True)
falling = function("h", decreasing=True)


def proves(rule, goal, given=()):
    return rule.prove(Prover(list(given)), goal)


def refuses(rule, goal, given=()):
    with pytest.raises(ProofError):
        proves(rule, goal, given)


# ------------------------------------------------------------------ termwise


def test_termwise_compares_sums_with_the_hypotheses_of_each_index():
    each = for_each(i, 1, n, Le(a[i], b[i]))
    assert proves(termwise(i), Le(Sum(a[i], (i, 1, n)), Sum(b[j], (j, 1, n))), [each])
    refuses(termwise(i), Le(Sum(a[i], (i, 1, n)), Sum(b[i], (i, 1, n))))


def test_termwise_needs_the_same_range():
    each = for_each(i, 1, n, Le(a[i], b[i]))
    refuses(termwise(i), Le(Sum(a[i], (i, 1, n)), Sum(b[i], (i, 1, m))), [each])
    refuses(termwise(i), Le(Sum(a[i], (i, 1, m)), Sum(b[i], (i, 1, m))), [each])


def test_termwise_products_need_nonnegative_factors():
    each = [for_each(i, 1, n, Le(a[i], b[i]))]
    goal = Le(Product(a[i], (i, 1, n)), Product(b[i], (i, 1, n)))
    refuses(termwise(i), goal, each)
    assert proves(termwise(i), goal, [*each, for_each(i, 1, n, Ge(a[i], 0))])


def test_termwise_strict_needs_a_range_that_is_not_empty():
    each = [for_each(i, 1, k, Lt(a[i], b[i]))]
    refuses(termwise(i), Lt(Sum(a[i], (i, 1, k)), Sum(b[i], (i, 1, k))), each)
    some = [for_each(i, 1, n, Lt(a[i], b[i]))]
    assert proves(termwise(i), Lt(Sum(a[i], (i, 1, n)), Sum(b[i], (i, 1, n))), some)


def test_termwise_strips_a_shared_factor_only_if_it_is_nonnegative():
    each = [for_each(i, 1, n, Le(a[i], b[i]))]
    assert proves(termwise(i), Le(p * Sum(a[i], (i, 1, n)), p * Sum(b[i], (i, 1, n))), each)
    refuses(termwise(i), Le(y * Sum(a[i], (i, 1, n)), y * Sum(b[i], (i, 1, n))), each)
    refuses(termwise(i), Le(p * Sum(a[i], (i, 1, n)), q * Sum(b[i], (i, 1, n))), each)


def test_a_true_line_is_not_called_wrong_because_its_rule_asks_for_more():
    """The factor −1 of both sums is not one that termwise takes out."""
    less = for_each(i, 1, n, Le(a[i], b[i]))
    witness = {n: 2, a: [1, 1], b: [2, 3]}
    start = Derivation("minus", given=[less], witness=witness).start(-Sum(b[i], (i, 1, n)))
    with pytest.raises(Unproved, match=r"needs more than the line says.*-1 ≥ 0"):
        start.at_most(-Sum(a[i], (i, 1, n)), by=termwise(i))
    with pytest.raises(WrongStep) as caught:
        start.at_most(-3 * Sum(b[i], (i, 1, n)), by=termwise(i))
    assert caught.value.counterexample


def test_termwise_compares_expectations_outcome_by_outcome():
    goal = Le(E(indicator(Ge(X, 0))), E(exp(X)))
    assert proves(termwise(), goal)
    refuses(termwise(), Le(E(X), E(X**2)))


def test_nested_sums_with_one_index_name_keep_their_ranges_apart():
    # The inner index runs to m, the outer one to n: a hypothesis for the outer range is not one
    # for the inner range.
    outer = for_each(i, 1, n, Ge(a[i], 0))
    goal = Ge(Sum(b[i] ** 2 * Sum(a[i], (i, 1, m)), (i, 1, n)), Sum(0 * b[i], (i, 1, n)))
    refuses(termwise(i), goal, [outer])


# ------------------------------------------------------------------ monotone


def test_monotone_peels_known_functions():
    assert proves(monotone(exp), Le(exp(x), exp(x + y**2)))
    assert proves(monotone(log), Le(log(p), log(p + y**2)))
    assert proves(monotone(sqrt), Le(sqrt(p), sqrt(p + y**2)))
    refuses(monotone(exp), Le(exp(x + y**2), exp(x)))


def test_monotone_uses_declared_directions():
    assert proves(monotone(rising), Le(rising(x), rising(x + p)))
    assert proves(monotone(falling), Ge(falling(x), falling(x + p)))
    refuses(monotone(rising), Ge(rising(x), rising(x + p)))
    refuses(monotone(rising), Lt(rising(x), rising(x + p)))
    refuses(monotone(function("f", convex=True)), Le(x, x + p))


def test_monotone_does_not_square_what_may_be_negative():
    refuses(monotone(sqrt), Le(y, z), [Le(y**2, z**2)])


# ------------------------------------------------------------------ calculus


def test_second_order_proves_hoeffdings_bound():
    moment = -p * x + log(1 - p + p * exp(x))
    assert proves(second_order(x), Le(moment, x**2 / 8), [Lt(p, 1)]).method == "second order"
    refuses(second_order(x), Le(moment, x**2 / 9), [Lt(p, 1)])


def test_second_order_needs_value_slope_and_curvature():
    assert proves(second_order(x), Ge(exp(x), 1 + x))
    refuses(second_order(x), Ge(exp(x), 1 + 2 * x))
    refuses(second_order(x), Ge(exp(x), 2 + x))
    refuses(second_order(x), Ge(x**3, 3 * x - 2), [])
    refuses(second_order(x, 1), Ge(x**3, 3 * x - 2))
    assert proves(second_order(x, 1), Ge(x**3, 3 * x - 2), [Ge(x, 0)])


def test_second_order_does_not_cross_a_pole():
    # 1/x - 2 + x vanishes to second order at 1 and is convex for x > 0, but negative for x < 0.
    goal = Ge(1 / x - 2 + x, 0)
    refuses(second_order(x, 1), goal, [sp.Ne(x, 0, evaluate=False)])
    assert proves(second_order(x, 1), goal, [Gt(x, 0)])
    # The second derivative of 1/x² + 2x - 3 is positive on both sides of the pole.
    beyond = Ge(1 / x**2 + 2 * x - 3, 0)
    refuses(second_order(x, 1), beyond, [sp.Ne(x, 0, evaluate=False)])
    assert proves(second_order(x, 1), beyond, [Gt(x, 0)])


def test_second_order_refuses_corners_and_integers():
    refuses(second_order(x), Ge(Abs(x) ** 3, 0))
    refuses(second_order(x), Ge(Max(x, 0) ** 2, 0))
    refuses(second_order(n, 1), Ge(n**2, 2 * n - 1))


def test_second_order_ignores_a_hypothesis_that_fails_in_between():
    # The curvature of x²(x - 1)(x - 2) is positive at 0 and at 3/2, but not between them, and the
    # value at 3/2 is negative.
    f = x**4 - 3 * x**3 + 2 * x**2
    refuses(second_order(x), Ge(f, 0), [Ge(12 * x**2 - 18 * x + 4, 0)])


def test_minimised_at_finds_the_global_minimum():
    assert proves(minimised_at(x, log(p / q) / 2), Ge(p * exp(-x) + q * exp(x), 2 * sqrt(p * q)))
    refuses(minimised_at(x, 0), Ge(p * exp(-x) + q * exp(x), p + q))


# ------------------------------------------------------------------ cases


def test_cases_need_to_be_exhaustive():
    goal = Le(x, Abs(x))
    assert proves(cases(Ge(x, 0), Le(x, 0)), goal)
    refuses(cases(Gt(x, 0), Lt(x, -1)), goal)


def test_a_wrong_case_is_not_hidden_by_the_others():
    refuses(cases(Ge(x, 0), Lt(x, 0)), Le(Abs(x), x + 1))


def test_cases_about_outcomes_do_not_enter_expectations():
    refuses(cases(Ge(X, 0), Le(X, 0)), Ge(E(X) * X + X**2, -5))
    refuses(cases(Ge(X, 0), Lt(X, 0)), Ge(E(X), 0))
    # If X ≥ 0 at this outcome meant X ≥ 0 at all of them, both cases would go through.
    refuses(cases(Ge(X, 0), Lt(X, 0)), Ge(E(X) * (Abs(X) + X), 0))


def test_a_case_has_to_be_defined():
    refuses(cases(Ge(log(x), 0), Lt(log(x), 0)), Gt(x, 0))


# ------------------------------------------------------------------ induction


def test_induction_sums_the_odd_numbers():
    odd = Sum(2 * i - 1, (i, 1, k))
    d = Derivation("odd numbers").start(odd).equals(k**2, because="k", by=induction(None, k))
    assert d.qed().steps[0].method == "induction"


def test_induction_refuses_a_wrong_claim_and_a_wrong_base():
    with pytest.raises(WrongStep):
        Derivation("w").start(Sum(2 * i - 1, (i, 1, k))).equals(k**2 + k, by=induction(None, k))
    refuses(induction(None, k), Ge(2**k, k + 2))
    refuses(induction(None, k, start=1), Ge(k, 1))


def test_induction_does_not_use_what_it_proves():
    refuses(induction(None, k), Le(a[k], 0), [Le(a[0], 0)])


def test_induction_stays_inside_the_range_of_the_hypotheses():
    step = for_each(j, 0, k - 1, Le(a[j + 1], a[j] + 1))
    assert proves(induction(None, k), Le(a[k], k), [Eq(a[0], 0), step])
    short = for_each(j, 0, k - 2, Le(a[j + 1], a[j] + 1))
    refuses(induction(None, k), Le(a[k], k), [Eq(a[0], 0), short])


# ------------------------------------------------------------------ apply

quarter = Derivation("quarter").start(u * (1 - u)).at_most(Rational(1, 4), because="square").qed()
root = (
    Derivation("root", given=[Ge(u, 1)], witness={u: 2})
    .start(sqrt(u))
    .at_most(u, because="u is at least one")
    .qed()
)
positive = Derivation("positive").start(2 * sqrt(p)).at_most(1 + p, because="square").qed()
members = (
    Derivation("first", given=[for_each(i, 1, n, Ge(a[i], 0))], witness={a: [1, 2], n: 2})
    .start(Sum(a[i], (i, 1, n)))
    .at_least(0, because="all terms are")
    .qed()
)


def test_apply_instantiates_a_theorem():
    d = Derivation("use").start(y**2 * (1 - y**2))
    assert d.at_most(Rational(1, 4), by=apply(quarter, {u: y**2})).steps[0].method == "theorem"


def test_apply_proves_every_hypothesis():
    goal = Le(sqrt(1 + y**2), 1 + y**2)
    assert proves(apply(root, {u: 1 + y**2}), goal)
    refuses(apply(root, {u: y**2}), Le(sqrt(y**2), y**2))
    refuses(apply(root), Le(sqrt(u), u))


def test_apply_checks_the_assumptions_of_a_symbol():
    assert proves(apply(positive, {p: 1 + y**2}), Le(2 * sqrt(1 + y**2), 2 + y**2))
    refuses(apply(positive, {p: y}), Le(2 * sqrt(y), 1 + y))


def test_apply_replaces_whole_symbols_only():
    with pytest.raises(IllTyped):
        apply(members, {a[1]: sp.Integer(-5)})
    with pytest.raises(IllTyped):
        apply(quarter, {u**2: y})


def test_apply_refuses_a_value_that_may_not_exist():
    refuses(apply(quarter, {u: 1 / y}), Le((1 / y) * (1 - 1 / y), Rational(1, 4)))


def test_apply_checks_kinds_and_families():
    from mlnotes.proof import vector_family, vectors

    refuses(apply(quarter, {u: vectors("theta")}), Le(x, x + 1))
    refuses(apply(members, {a: vector_family("t")}), Le(x, x + 1))
    squares = Ge(Sum(b[i] ** 2, (i, 1, n)), 0)
    assert proves(apply(members, {a: sp.Lambda(j, b[j] ** 2)}), squares)


def test_apply_does_not_make_a_constant_random():
    constant = (
        Derivation("scaling").start(E(u * X)).equals(u * E(X), because="a constant factor").qed()
    )
    refuses(apply(constant, {u: Y}), Eq(E(Y * X), Y * E(X)))


def test_apply_takes_theorems_only():
    with pytest.raises(TypeError):
        apply("quarter")
    with pytest.raises(TypeError):
        apply(object.__new__(type(quarter)))


def test_a_theorem_applied_elsewhere_keeps_its_mark():
    weak = Derivation("weak").start(x).at_most(x + 1, by=assumed("a book")).qed()
    strong = Derivation("strong").start(y).at_most(y + 1, by=apply(weak, {x: y})).qed()
    assert weak.mark == strong.mark == "assumed"


# ------------------------------------------------------------------ let, using, tested, assumed


def test_let_generalises_a_term():
    assert proves(let(v, log(p)), Ge(log(p) ** 2 + 1, 2 * log(p)))
    refuses(let(v, exp(x)), Gt(exp(x), 0))
    refuses(let(p, y), Le(2 * sqrt(y), 1 + y))
    refuses(let(y, z), Le(z, y))
    refuses(let(v, X), Eq(E(X * Y), E(Y) * X))


def test_using_proves_its_facts_first():
    assert proves(using(Ge((x - y) ** 2, 0)), Ge(x**2 + y**2, 2 * x * y))
    refuses(using(Ge(x, y)), Ge(x + 1, y))
    refuses(using(Ge(log(x), 0)), Ge(x, 1))


def test_tested_lines_are_never_proved():
    theorem = Derivation("t").start(x**2 + 1).at_least(2 * x, by=proof.tested()).qed()
    assert theorem.mark == "tested"
    assert theorem.scope == "tested numerically only"
    with pytest.raises(WrongStep):
        Derivation("t").start(x**2).at_least(2 * x, by=proof.tested())


def test_assumed_lines_say_so_and_are_still_tried():
    theorem = Derivation("t").start(x).at_most(x + 1, by=assumed("a lemma")).qed()
    assert theorem.mark == "assumed"
    assert "a lemma" in theorem.scope
    assert any("a lemma" in a for a in theorem.assumptions)
    with pytest.raises(WrongStep):
        Derivation("t").start(x).at_most(x - 1, by=assumed("a lemma"))
    with pytest.raises(IllTyped):
        assumed(" ")


def test_a_rule_is_a_rule():
    with pytest.raises(IllTyped):
        Derivation("t").start(x).at_most(x + 1, by="magic")


def test_independence_factors_the_moment_generating_function():
    from mlnotes.proof import independent_family

    F = random_family("F")
    lhs = E(exp(y * Sum(F[i], (i, 1, n))))
    rhs = Product(E(exp(y * F[i])), (i, 1, n))
    assert Prover([independent_family(F)]).prove(Eq(lhs, rhs)).method == "normal form"
    with pytest.raises((WrongStep, Unproved)):
        Prover([]).prove(Eq(lhs, rhs))


def test_check_inequality_takes_a_rule():
    theorem = check_inequality(Ge(exp(x), 1 + x), by=second_order(x))
    assert theorem.steps[0].method == "second order"
    with pytest.raises(Undefined):
        check_inequality(Le(log(x), x))
    with pytest.raises(IllTyped):
        check_inequality(And(Le(x, y), Le(y, x)))


# ------------------------------------------------------------------ what no rule is for

ONES, TWOS = Sum(a[i], (i, 1, n)), Sum(b[i], (i, 1, n))
WITHOUT_SENSE = [
    (lambda: termwise(), Le(ONES * TWOS, 0), "one sum, product or expectation per side"),
    (lambda: termwise(), Le(ONES, Product(w[i], (i, 1, n))), "of different kinds"),
    (lambda: termwise(), Ge(Product(w[i], (i, 1, n)), 0), "compared with a product"),
    (lambda: monotone(rising), Le(rising(x), y), "both sides have to be values of g"),
    (lambda: monotone(Abs), Le(Abs(x), Abs(y)), "knows exp, log, sqrt and declared functions"),
    (lambda: second_order(x, 0), Eq(exp(x), y), "proves ≤, ≥, < and >"),
    (lambda: second_order(x + y, 0), Le(1 + x, exp(x)), "have to be a real symbol and a number"),
    (lambda: second_order(x, x), Le(1 + x, exp(x)), "depends on x"),
    (lambda: second_order(x, 0), Le(0, E(exp(x * X))), "differentiate under an expectation"),
    (lambda: cases(), Le(x, y), "at least one case"),
    (lambda: induction(Ge(x, 0), x), Ge(x, 0), "over an integer symbol"),
    (lambda: induction(Ge(k, 0), k, start=m), Ge(k, 0), "starts at a number"),
    (lambda: let(x + 1, y), Le(y, y + 1), "not a single symbol, vector or matrix"),
    (lambda: let(u, y**2), Le(y, y + 1), "does not occur in the line"),
]


@pytest.mark.parametrize(
    ("rule", "goal", "message"), WITHOUT_SENSE, ids=[message for *_, message in WITHOUT_SENSE]
)
def test_a_rule_says_what_it_cannot_be_asked(rule, goal, message):
    with pytest.raises(ProofError, match=message):
        proves(rule(), goal)
