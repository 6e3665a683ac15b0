"""Optimisation problems are objects: shown as problems, feasible and optimal as statements."""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    And,
    Derivation,
    Eq,
    Ge,
    IllTyped,
    Le,
    Max,
    Setting,
    Sum,
    Unproved,
    Vacuous,
    WrongStep,
    derivations,
    dot,
    for_each,
    indices,
    integers,
    maximise,
    minimise,
    norm2,
    prove,
    quantity,
    real_family,
    reals,
    termwise,
    vector_family,
    vectors,
)
from mlnotes.proof.rendering import plain, tex

u, v, w, x = vectors("u v w x")
a, b, C, lam = reals("a b C lambda")
i, j = indices("i j")
n = integers("n", positive=True)
points = vector_family("x")
y, xi, eta, alpha, mu = real_family("y xi eta alpha mu")

HARD = minimise(
    norm2(w), over=w, subject_to={"margin": Ge(dot(w, x), 1)}, name="the hard-margin problem"
)
SOFT = minimise(
    norm2(w) / 2 + C * Sum(xi[i], (i, 1, n)),
    over=(w, b, xi),
    subject_to={
        "margin": for_each(i, 1, n, Ge(y[i] * (dot(w, points[i]) + b), 1 - xi[i])),
        "slack": for_each(i, 1, n, Ge(xi[i], 0)),
    },
    name="the soft-margin problem",
)


def test_a_problem_is_shown_as_one():
    assert tex(HARD) == (
        "\\begin{aligned}\n\\min_{w} \\quad & \\lVert w \\rVert^{2} \\\\\n"
        "\\text{subject to} \\quad & \\langle w, x \\rangle \\ge 1\n\\end{aligned}"
    )
    assert plain(maximise(a - a**2, over=a)) == "max_a a - a²"
    assert tex(SOFT).count("\\\\") == 2


def test_feasible_and_optimal_are_said_in_words():
    assert plain(SOFT.feasible(w=u, xi=eta)) == "(u, b, η) is feasible for the soft-margin problem"
    assert plain(HARD.optimal(w=v)) == "v solves the hard-margin problem"
    assert HARD.feasible(w=v) == Ge(dot(v, x), 1)


def test_the_lagrangian_takes_multipliers_by_name():
    assert plain(SOFT.lagrangian(margin=alpha, slack=mu)) == (
        "‖w‖²/2 + C Σ_{i=1}^n ξ_i + Σ_{i=1}^n α_i (1 - ξ_i - y_i (⟨w, x_i⟩ + b)) "
        "- Σ_{i=1}^n μ_i ξ_i"
    )
    with pytest.raises(IllTyped, match="margin, slack"):
        SOFT.lagrangian(margin=alpha)


def unique(by):
    middle = (u + v) / 2
    return (
        Derivation(
            "the minimiser is unique",
            given={"first": HARD.optimal(w=u), "second": HARD.optimal(w=v)},
            witness={u: [1], v: [1], x: [1]},
        )
        .start(norm2(u - v))
        .equals(2 * norm2(u) + 2 * norm2(v) - 4 * norm2(middle), "the parallelogram")
        .at_most(0, "the middle is feasible and not shorter", by=by(middle))
        .hence(Eq(u, v), "only zero has no length")
        .qed()
    )


def test_two_solutions_are_equal():
    theorem = unique(lambda m: (HARD.optimal(w=u).at(m), HARD.optimal(w=v).at(m)))
    assert theorem.part("conclusion") == "u = v"
    assert theorem.part("first") == r"u \text{ solves the hard-margin problem}"
    with pytest.raises(Unproved):
        unique(lambda m: HARD.optimal(w=u).at(m + x))


def test_the_weights_of_the_soft_margin_are_unique():
    theta, theta_0 = vectors("theta"), reals("theta_0")
    price = reals("C", positive=True)

    def hinge(w, b):
        return Max(0, 1 - y[i] * (dot(w, points[i]) + b))

    cost = quantity(
        "J",
        theta,
        theta_0,
        is_=norm2(theta) / 2 + price * Sum(hinge(theta, theta_0), (i, 1, n)),
    )
    problem = minimise(cost(), over=(theta, theta_0), name="the soft-margin problem")
    first, second = problem.optimal(theta=u, theta_0=a), problem.optimal(theta=v, theta_0=b)
    middle = (u + v) / 2, (a + b) / 2
    s, t = reals("s t")
    of_mean = (
        Derivation("hinge of a mean")
        .start(Max(0, (s + t) / 2))
        .at_most((Max(0, s) + Max(0, t)) / 2, "both are above")
        .qed()
    )
    margins = [1 - y[i] * (dot(w, points[i]) + c) for w, c in ((u, a), (v, b))]
    mean = (
        Derivation("cost of the mean")
        .start(cost(*middle))
        .at_most(
            norm2(middle[0]) / 2 + price * Sum((hinge(u, a) + hinge(v, b)) / 2, (i, 1, n)),
            "the hinge is convex",
            by=termwise(i, by=of_mean(s=margins[0], t=margins[1])),
        )
        .equals((cost(u, a) + cost(v, b)) / 2 - norm2(u - v) / 8, "the parallelogram")
        .qed()
    )
    theorem = (
        Derivation(
            "the weights are unique",
            given={"first": first, "second": second},
            witness={u: [0], v: [0], a: 1, b: 1, price: 1, n: 1, points: [[0]], y: [1]},
        )
        .start(norm2(u - v))
        .at_most(4 * (cost(u, a) + cost(v, b)) - 8 * cost(*middle), "the mean costs less", by=mean)
        .at_most(0, "neither can be bettered", by=(first.at(*middle), second.at(*middle)))
        .hence(Eq(u, v), "only zero has no length")
        .qed()
    )
    assert plain(theorem.statement) == "u = v"
    assert [plain(h.written) for h in theorem.own][:2] == [
        "(u, a) solves the soft-margin problem",
        "(v, b) solves the soft-margin problem",
    ]
    with pytest.raises((Unproved, WrongStep)):
        prove("the offsets too", Eq(a, b), given={"first": first, "second": second}, witness=SAME)


SAME = {u: [0], v: [0], a: 1, b: 1, "C": 1, n: 1, points: [[0]], y: [1]}


def test_a_witness_that_is_not_optimal_is_found_out():
    given = {"best": HARD.optimal(w=u), "unit": Eq(norm2(x), 1)}

    def short(witness):
        line = Derivation("short", given=given, witness=witness).start(norm2(u))
        return line.at_most(norm2(x), "x is feasible", by=HARD.optimal(w=u).at(x)).qed()

    assert short({u: [1], x: [1]}).part("right") == r"\lVert x \rVert^{2}"
    with pytest.raises(Vacuous):
        short({u: [2], x: [1]})


def test_what_a_statement_supposes_of_its_values_is_proved():
    line = Derivation("short", given={"best": HARD.optimal(w=u)}, witness={u: [1], x: [1]})
    with pytest.raises((Unproved, WrongStep)):
        line.start(norm2(u)).at_most(norm2(v), "v need not be feasible", by=HARD.optimal(w=u).at(v))


def test_a_family_cannot_be_run_through():
    with pytest.raises(IllTyped, match="no statement can run through all families"):
        SOFT.optimal()


BOX = {
    "balance": Eq(Sum(alpha[i] * y[i], (i, 1, n)), 0),
    "box": for_each(i, 1, n, And(Le(0, alpha[i]), Le(alpha[i], C))),
}
LINE = minimise(a**2, over=a, subject_to={"above": Ge(a, b)})
DUAL = LINE.dual(lam * b - lam**2 / 4, over=lam, subject_to={"sign": Ge(lam, 0)})


def test_weak_duality_shows_both_problems():
    theorem = (
        Derivation(
            "weak duality", given={"primal": LINE, "dual": DUAL}, witness={a: 1, b: 1, lam: 0}
        )
        .start(DUAL.value())
        .at_most(LINE.lagrangian(above=lam), "the least value of the Lagrangian")
        .at_most(LINE.value(), "a multiplier times what is not negative")
        .qed()
    )
    assert theorem.part("dual").startswith("\\begin{aligned}\n\\max_{\\lambda}")
    assert theorem.part("primal above") == r"a \ge b"
    assert [h.name for h in theorem.own] == ["primal above", "dual sign"]
    with pytest.raises(WrongStep):
        Derivation("too much", given=[LINE, DUAL], witness={a: 1, b: 1, lam: 0}).start(
            DUAL.value()
        ).at_most(LINE.value() - 1, "not so")


def test_a_dual_of_a_maximum_is_a_minimum_and_chains_are_shown():
    assert maximise(a - a**2, over=a).dual(lam, over=lam).sense == "min"
    dual = SOFT.dual(Sum(alpha[i], (i, 1, n)), over=alpha, subject_to=BOX)
    assert r"& 0 \le \alpha_{i} \le C \quad \text{for } i = 1, \dots, n" in tex(dual)


def test_a_setting_has_problems():
    setting = Setting("a line", given={"problem": LINE}, witness={a: 1, b: 1})
    assert setting.part("problem") == tex(LINE)
    theorem = Derivation("above", setting=setting).start(a + 1).at_least(b, "above").qed()
    assert [h.setting for h in theorem.stated] == ["a line"]
    assert theorem.part("problem") == tex(LINE)


def test_what_is_no_problem_is_refused():
    with pytest.raises(IllTyped, match="not a number"):
        minimise(w, over=w)
    with pytest.raises(IllTyped, match="nothing in the problem depends on u"):
        minimise(norm2(w), over=u)
    with pytest.raises(IllTyped, match="over w, not over u"):
        HARD.value(u=v)
    with pytest.raises(IllTyped, match="has no constraints"):
        minimise(a, over=a).feasible()


def search_alone(monkeypatch):
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)


def test_another_value_of_a_variable_is_none_that_the_problem_mentions(monkeypatch):
    search_alone(monkeypatch)
    t, other, value = reals("t t' value")
    for false in (
        minimise(-((t - other) ** 2), over=t).optimal(t=value),
        minimise(-((t - other) ** 2), over=t).optimal(),
        minimise(-((t - other) ** 2), over=(t, other)).optimal(),
        minimise(t**2, over=t).optimal(t=other),
    ):
        with pytest.raises(Unproved):
            prove("another value", false)
    feasible = minimise(t**2, over=t, subject_to=[Ge(t, 0)]).optimal(t=other)
    with pytest.raises(Unproved):
        prove("another value", feasible, given=[Ge(other, 0)], witness={other: 1})
    assert prove("another value", minimise((t - other) ** 2, over=t).optimal(t=other)).checked


def test_what_is_declared_of_a_variable_is_a_constraint(monkeypatch):
    search_alone(monkeypatch)
    t, value = reals("t", positive=True), reals("value")
    problem = minimise(t, over=t)
    assert repr(problem) == "min_t t subject to t > 0"
    with pytest.raises(Unproved):
        # All t > 0 are larger than 0, which is none of them.
        prove("at zero", problem.optimal(t=value), given=[Eq(value, 0)], witness={value: 0})
    bounded = minimise(t**2, over=t, subject_to=[Le(t, 1)])
    with pytest.raises(Unproved):
        prove("negative", bounded.feasible(t=-1))
    assert plain(prove("one", bounded.feasible(t=1)).statement) == "1 is feasible"
