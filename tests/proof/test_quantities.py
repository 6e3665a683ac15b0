"""Named quantities are shown by their names and checked by what these stand for."""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Ge,
    IllTyped,
    Le,
    P,
    Product,
    Setting,
    Sum,
    Unproved,
    WrongStep,
    dimensions,
    dot,
    for_each,
    grad,
    indicator,
    indices,
    integers,
    log,
    matrices,
    norm2,
    quantity,
    random_variables,
    real_family,
    reals,
    trace,
    vector_family,
    vectors,
)
from mlnotes.proof.language import FOLD
from mlnotes.proof.quantities import definitions
from mlnotes.proof.rendering import as_dict, tex

i, j, k = indices("i j k")
n, K = integers("n K", positive=True)
theta, w, start = vectors("theta w w^0")
x = vector_family("x")
y, alpha = real_family("y alpha")
p, q = real_family("p q", positive=True)
C = reals("C", positive=True)
M = matrices("M", dimensions("d"), dimensions("d"))
margin = quantity("m", i, is_=y[i] * dot(theta, x[i]))
cost = quantity("J", w, is_=norm2(w) / 2 + C * Sum(1 - y[i] * dot(w, x[i]), (i, 1, n)))
MARGINS = for_each(i, 1, n, Ge(margin[i], C))
POINTS = {theta: [1, 0], x: [[1, 0], [0, 1]], y: [1, 1], C: 1, n: 2}


def names(t):
    return {name for name, _, _ in t.free}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (margin[i], "m_{i}"),
        (margin[j] ** 2, "m_{j}^{2}"),
        (Sum(1 - margin[k], (k, 1, n)), r"\sum_{k=1}^{n} (1 - m_{k})"),
        (cost(w), "J(w)"),
        (cost(w - C * start), "J(w - C w^{0})"),
        (MARGINS, r"m_{i} \ge C \quad \text{for } i = 1, \dots, n"),
        (quantity("Q", theta, is_=dot(theta, w), given=[w])(theta, start), r"Q(\theta \mid w^{0})"),
        (quantity("ell", p, is_=Sum(log(p[i]), (i, 1, n)))(q), r"\ell(q)"),
        (quantity("r", i, k, is_=p[k] * y[i])[1, 2], "r_{1,2}"),
        (quantity("c", is_=C + 1) * w, "c w"),
        (grad(cost(w), w), r"\nabla_{w} J(w)"),
        (w - C * grad(cost(w), w), r"w - C \nabla_{w} J(w)"),
        (grad(cost(w), w).xreplace({w: start}), r"\nabla_{w} J(w^{0})"),
        (grad(dot(w, theta) + 1, w), r"\nabla_{w} (\langle w, \theta \rangle + 1)"),
        (grad(C**3 + C, C), r"\frac{\partial}{\partial C} (C^{3} + C)"),
        (grad(trace(M), M), r"\nabla_{M} \operatorname{tr}(M)"),
    ],
)
def test_a_page_shows_the_name(written, shown):
    assert tex(written) == shown


@pytest.mark.parametrize("written", [margin[i], Sum(margin[i], (i, 1, n)), cost(w), MARGINS])
def test_the_kernel_sees_what_the_name_stands_for(written):
    assert not any(FOLD in name for name in names(written.term))
    assert {"y", "x"} <= names(written.term)


def test_values_are_put_for_parameters():
    assert margin[3] == y[3] * dot(theta, x[3])
    assert Sum(margin[i], (i, 1, n)) == Sum(y[i] * dot(theta, x[i]), (i, 1, n))
    assert cost(start) == norm2(start) / 2 + C * Sum(1 - y[i] * dot(start, x[i]), (i, 1, n))


def test_a_name_hides_no_change_of_what_it_depends_on():
    moved = Sum(margin[i], (i, 1, n)).subs({theta: w})
    assert moved == Sum(y[i] * dot(w, x[i]), (i, 1, n))
    assert tex(moved) == r"\sum_{i=1}^{n} y_{i} \langle w, x_{i} \rangle"


def test_a_quantity_with_an_unnamed_index_is_summed_over_it():
    one = quantity("m", is_=y[i] * dot(theta, x[i]))
    assert Sum(one, (i, 1, n)) == Sum(y[i] * dot(theta, x[i]), (i, 1, n))


def test_a_family_that_is_put_for_a_parameter_brings_its_signs():
    likelihood = quantity("ell", p, is_=Sum(log(p[i]), (i, 1, n)))
    theorem = (
        Derivation("two likelihoods")
        .start(likelihood(p) + likelihood(q))
        .equals(likelihood(q) + likelihood(p), "the order of terms")
        .qed()
    )
    assert {"p positive", "q positive"} <= {h.name for h in theorem.stated}


def test_definitions_come_before_what_uses_them():
    hinge = quantity("h", i, is_=1 - margin[i])
    found = definitions([Sum(hinge[i], (i, 1, n))])
    assert [(name, tex(s)) for name, s in found] == [
        ("m", r"m_{i} = y_{i} \langle \theta, x_{i} \rangle"),
        ("h", "h_{i} = 1 - m_{i}"),
    ]


def test_a_definition_is_shown_for_the_family_in_which_it_was_made():
    likelihood = quantity("ell", p, is_=Sum(log(p[i]), (i, 1, n)))
    for said in ([likelihood(q), likelihood(p)], [likelihood(p), likelihood(q)]):
        ((name, definition),) = definitions(said)
        assert (name, tex(definition)) == ("ell", r"\ell(p) = \sum_{i=1}^{n} \log p_{i}")
    ((_, moved),) = definitions([likelihood(q)])
    assert tex(moved).startswith(r"\ell(q) = ")


def test_a_theorem_in_names_is_certified_about_what_they_stand_for():
    theorem = (
        Derivation("all margins", given={"margins": MARGINS}, witness={**POINTS, theta: [1, 1]})
        .start(Sum(margin[i], (i, 1, n)))
        .at_least(Sum(C, (i, 1, n)), "each of them")
        .equals(n * C, "n equal terms")
        .qed()
    )
    assert theorem.part("conclusion") == r"\sum_{i=1}^{n} m_{i} \ge n C"
    assert theorem.part("m") == r"m_{i} = y_{i} \langle \theta, x_{i} \rangle"
    assert as_dict(theorem)["quantities"] == {"m": theorem.part("m")}
    assert not any(FOLD in name for name in names(theorem.checked.conclusion))


def test_a_false_line_about_names_is_refuted():
    line = Derivation("all margins", given=[MARGINS], witness={**POINTS, theta: [1, 1]})
    with pytest.raises(WrongStep):
        line.start(Sum(margin[i], (i, 1, n))).at_least(2 * n * C, "too much")


def test_a_gradient_is_shown_before_it_is_evaluated():
    theorem = (
        Derivation("gradient")
        .start(grad(cost(w), w))
        .equals(w - C * Sum(y[i] * x[i], (i, 1, n)), "termwise")
        .qed()
    )
    assert theorem.part("conclusion") == (r"\nabla_{w} J(w) = w - C \sum_{i=1}^{n} y_{i} x_{i}")
    with pytest.raises(WrongStep):
        Derivation("gradient").start(grad(cost(w), w)).equals(w + C * Sum(y[i] * x[i], (i, 1, n)))


def test_a_line_that_repeats_the_one_before_is_refused():
    with pytest.raises(IllTyped, match="repeats the one before"):
        Derivation("nothing").start(C + 1).equals(C + 1, "nothing")
    theorem = Derivation("definition").start(cost(w)).equals(cost(w).subs({}) + 0, "zero").qed()
    assert theorem.part("left") == "J(w)"


def test_a_mean_of_an_indicator_and_a_product_of_equal_factors_stay_as_written():
    Z = random_variables("Z")
    assert E(indicator(Ge(Z, C))) == P(Ge(Z, C))
    assert tex(Eq(P(Ge(Z, C)), E(indicator(Ge(Z, C))))) == (
        r"\mathbb{P}[Z \ge C] = \mathbb{E}[\mathbf{1}[Z \ge C]]"
    )
    assert tex(Eq(Product(C, (i, 1, n)), C**n)) == r"\prod_{i=1}^{n} C = C^{n}"


def test_a_setting_names_its_quantities():
    setting = Setting("points", theta, margin, given={"margins": MARGINS}, witness=POINTS)
    assert setting.m[2] == margin[2]
    assert setting.part("margins").startswith(r"m_{i} \ge C")


def test_a_name_with_two_meanings_in_a_theorem_is_refused():
    other = quantity("J", w, is_=norm2(w))
    line = Derivation("two costs").start(other(w) + cost(w)).equals(cost(w) + other(w), "order")
    with pytest.raises(IllTyped, match="J has two meanings"):
        line.qed()
    letter = quantity("C", w, is_=norm2(w))
    line = Derivation("a cost and a price").start(C * letter(w)).equals(letter(w) * C, "order")
    with pytest.raises(IllTyped, match="C has two meanings"):
        line.qed()


def test_what_is_not_a_quantity_is_refused():
    with pytest.raises(IllTyped, match="does not depend on"):
        quantity("J", theta, is_=norm2(w))
    with pytest.raises(IllTyped, match="takes 1 values"):
        cost(w, theta)
    with pytest.raises(IllTyped, match="has the parameters w"):
        cost(v=theta)
    with pytest.raises(IllTyped, match="put another one"):
        quantity("ell", p, is_=Sum(log(p[i]), (i, 1, n)))(C)
    with pytest.raises(IllTyped, match="not a name"):
        reals(f"a{FOLD}1")
    with pytest.raises(IllTyped, match="a number and stands where a vector"):
        cost(C)


def test_a_theorem_is_applied_to_a_quantity():
    a, b = reals("a b")
    square = Derivation("square").start(2 * a * b).at_most(a**2 + b**2, "a square").qed()
    theorem = (
        Derivation("margins")
        .start(2 * margin[i] * margin[j])
        .at_most(margin[i] ** 2 + margin[j] ** 2, "a square", by=square(a=margin[i], b=margin[j]))
        .qed()
    )
    assert theorem.part("right") == "m_{i}^{2} + m_{j}^{2}"
    with pytest.raises(Unproved):
        Derivation("margins").start(2 * margin[i]).at_most(margin[i] ** 2, "one is missing")


def test_a_bound_that_needs_the_definition_uses_it():
    theorem = (
        Derivation("scaled", given=[Le(C, 1)], witness={C: 1})
        .start(margin[i].subs({theta: C * theta}))
        .equals(C * margin[i], "linear")
        .qed()
    )
    assert theorem.part("right") == "C m_{i}"


def test_nothing_else_is_printed_as_a_quantity_is():
    q, one = real_family("q"), reals("m_1")
    first, member = quantity("q_1", is_=C + 1), quantity("m", i, is_=y[i] * C)
    given, witness = [Eq(q[1], C + 5)], {C: 1, q: [6]}
    with pytest.raises(IllTyped, match="printed as q"):
        Derivation("a member", given, witness).start(first).less_than(q[1] - 3).qed()
    given, witness = [Eq(one, y[1] * C + 1)], {C: 1, y: [1], one: 2}
    with pytest.raises(IllTyped, match="printed as m"):
        Derivation("a symbol", given, witness).start(member[1]).less_than(one).qed()
    given, witness = [Eq(q[2], C + 5)], {C: 1, q: {2: 6}}
    assert Derivation("others", given, witness).start(first).less_than(q[2] - 3).qed().checked
