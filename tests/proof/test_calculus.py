"""Gradients, declared properties, second-order arguments: true ones certified, others refused."""

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Ne,
    ProofError,
    Rational,
    Sum,
    apply,
    derivative,
    dot,
    exp,
    for_each,
    function,
    grad,
    indices,
    integers,
    lagrangian,
    log,
    minimised_at,
    monotone,
    norm2,
    real_family,
    reals,
    second_order,
    sqrt,
    vector_family,
    vectors,
)
from mlnotes.proof.errors import IllTyped, Unproved, Vacuous
from mlnotes.trusted.terms import fill

n = integers("n", positive=True)
i, k = indices("i k")
w, u = vectors("w u")
x = vector_family("x")
y, a = real_family("y a")
s, t, p, q = reals("s t p q")
c = reals("c", positive=True)


def derivatives(theorem):
    """Return the derivatives that a theorem states, under their quantifiers."""
    found, pending = [], [theorem.checked.conclusion]
    while pending:
        t = pending.pop()
        if t.op == "deriv":
            found.append(t)
        elif t.op in ("&", "all"):
            pending += t.args
    return found


def test_a_gradient_is_stated_as_a_derivative_in_every_direction():
    theorem = Derivation("square").start(grad(norm2(w) / 2 - dot(w, u), w)).equals(w - u).qed()
    equation, says = theorem.checked.conclusion.args
    assert equation.op == "="
    assert says.op == "all"
    assert says.data == ("V",)
    h = vectors("h").term
    inside = fill(says.args[0], (h,))
    assert inside.op == "deriv"
    assert inside.args[2] is dot(w - u, vectors("h")).term


def test_a_slope_is_stated_as_a_derivative_at_the_point():
    theorem = Derivation("slope").start(grad(s**3, s)).equals(3 * s**2).qed()
    (says,) = derivatives(theorem)
    assert says.args[1] is s.term
    assert says.args[2] is (3 * s**2).term


@pytest.mark.parametrize(
    ("term", "symbol", "right", "wrong"),
    [
        (s**2, s, 2 * s, s),
        (exp(-c * s), s, -c * exp(-c * s), c * exp(-c * s)),
        (log(c), c, 1 / c, 2 / c),
        (sqrt(c), c, 1 / (2 * sqrt(c)), 1 / sqrt(c)),
        (1 / (1 + exp(-s)), s, exp(-s) / (1 + exp(-s)) ** 2, exp(-s) / (1 + exp(-s))),
        (norm2(w), w, 2 * w, w),
        (exp(dot(w, u)), w, exp(dot(w, u)) * u, u),
        (
            Sum((y[i] - dot(w, x[i])) ** 2, (i, 1, n)),
            w,
            -2 * Sum((y[i] - dot(w, x[i])) * x[i], (i, 1, n)),
            2 * Sum((y[i] - dot(w, x[i])) * x[i], (i, 1, n)),
        ),
    ],
)
def test_gradients(term, symbol, right, wrong):
    assert Derivation("right").start(grad(term, symbol)).equals(right).qed()
    with pytest.raises(ProofError):
        Derivation("wrong").start(grad(term, symbol)).equals(wrong).qed()


def test_a_member_of_a_family():
    inside = [Ge(k, 1), Le(k, n)]
    cost = Sum(a[i] ** 2 + y[i] * a[i], (i, 1, n))
    slope = grad(cost, a[k], given=inside)
    witness = {k: 1, n: 2}
    theorem = Derivation("member", inside, witness).start(slope).equals(2 * a[k] + y[k]).qed()
    assert derivatives(theorem)
    with pytest.raises(ProofError):
        Derivation("another", inside, witness).start(slope).equals(2 * a[k]).qed()


def test_a_member_that_may_be_outside_of_the_range_is_not_taken_out():
    cost = Sum(a[i] ** 2, (i, 1, n))
    with pytest.raises(ProofError):
        Derivation("outside").start(grad(cost, a[k])).equals(2 * a[k]).qed()


def test_a_gradient_needs_its_domain():
    for term in (log(s), 1 / s, sqrt(s)):
        with pytest.raises(ProofError):
            Derivation("no domain").start(t * grad(term, s)).equals(t * grad(term, s)).qed()
    given = [Ge(s, 0)]
    with pytest.raises(ProofError):
        Derivation("root at zero", given, {s: 1}).start(grad(sqrt(s), s)).at_least(0).qed()


def test_what_is_not_smooth_has_no_gradient():
    for term in (abs(s), abs(s) * s):
        with pytest.raises(Unproved):
            grad(term, s)
    with pytest.raises(IllTyped):
        grad(w, w)
    with pytest.raises(IllTyped):
        grad(s * t, s * t)


def test_a_gradient_inside_a_term_is_proved_to_be_one():
    step = w - c * grad(norm2(w) / 2, w)
    theorem = Derivation("a step").start(step).equals((1 - c) * w).qed()
    assert derivatives(theorem)
    assert all(h.op != "deriv" for h in theorem.checked.hypotheses)


def test_second_derivatives():
    twice = grad(grad(log(1 + exp(s)), s), s)
    theorem = Derivation("bend").start(twice).greater_than(0).qed()
    assert len(derivatives(theorem)) == 2


def test_properties_are_hypotheses_and_used():
    f = function("f", convex=True)
    g = function("g", increasing=True)
    theorem = Derivation("chord").start(f((p + q) / 2)).at_most(f(p) / 2 + f(q) / 2).qed()
    assert len(theorem.checked.hypotheses) == 1
    given = [Le(p, q)]
    assert Derivation("order", given, {p: 0, q: 1}).start(g(p)).at_most(g(q)).qed()
    assert Derivation("rule", given, {p: 0, q: 1}).start(g(p)).at_most(g(q), by=monotone(g)).qed()


def test_properties_that_were_not_declared_are_not_used():
    f, g = function("f"), function("g", increasing=True)
    with pytest.raises(ProofError):
        Derivation("no chord").start(f((p + q) / 2)).at_most(f(p) / 2 + f(q) / 2).qed()
    with pytest.raises(ProofError):
        Derivation("wrong way", [Le(p, q)], {p: 0, q: 1}).start(g(q)).at_most(g(p)).qed()
    with pytest.raises(ProofError):
        Derivation("no order").start(g(p)).at_most(g(q), by=monotone(g)).qed()
    with pytest.raises(IllTyped):
        derivative(function("f", convex=True))
    with pytest.raises(IllTyped):
        function("f", smooth=True)


def test_second_order():
    theorem = Derivation("cosh").start(exp(s) + exp(-s)).at_least(2, by=second_order(s)).qed()
    assert not theorem.checked.hypotheses
    strict = Derivation("strict", [Ne(s, 0)], {s: 1}).start(exp(s))
    assert strict.greater_than(1 + s, by=second_order(s)).qed()
    for claim in (Rational(5, 2), 2 + s):
        with pytest.raises(ProofError):
            Derivation("false").start(exp(s) + exp(-s)).at_least(claim, by=second_order(s)).qed()
    with pytest.raises(ProofError):
        Derivation("equal at zero").start(exp(s)).greater_than(1 + s, by=second_order(s)).qed()
    with pytest.raises(ProofError):
        Derivation("concave").start(-(s**2)).at_least(0, by=second_order(s)).qed()


def test_second_order_stays_where_the_term_is_defined():
    given = [Gt(s, 0)]
    line = Derivation("log", given, {s: 2}).start(s - 1)
    assert line.at_least(log(s), by=second_order(s, at=1)).qed()
    with pytest.raises(ProofError):
        Derivation("log", given, {s: 2}).start(s).at_least(log(s), by=second_order(s, at=-1)).qed()


def test_minimised_at():
    line = Derivation("parabola").start(s**2 - 2 * t * s)
    assert line.at_least(-(t**2), by=minimised_at(s, t)).qed()
    with pytest.raises(ProofError):
        Derivation("no minimum").start(s**3 - 3 * s).at_least(-2, by=minimised_at(s, 1)).qed()
    with pytest.raises(Unproved):
        Derivation("moving").start(s**2).at_least(0, by=minimised_at(s, s)).qed()


def test_tangents_of_a_function_of_nonnegative_curvature():
    f = function("f", nonnegative_curvature=True)
    tangent = f(p) + derivative(f)(p) * (q - p)
    theorem = Derivation("tangent").start(f(q)).at_least(tangent, by=second_order(q, at=p)).qed()
    assert apply(theorem, {p: 0})
    with pytest.raises(ProofError):
        Derivation("below").start(f(q)).at_most(tangent, by=second_order(q, at=p)).qed()
    with pytest.raises(ProofError):
        Derivation("strict", [Ne(p, q)], {p: 0, q: 1}).start(f(q)).greater_than(
            tangent, by=second_order(q, at=p)
        ).qed()


def test_lagrangian():
    alpha = real_family("alpha")
    margins = for_each(i, 1, n, Ge(dot(w, x[i]), 1))
    found = lagrangian(norm2(w) / 2, [margins, Eq(s, t)], [alpha, q])
    expected = norm2(w) / 2 + Sum(alpha[i] * (1 - dot(w, x[i])), (i, 1, n)) + q * (s - t)
    assert found.term is expected.term
    for wrong in ([s], [alpha, s]):
        with pytest.raises(IllTyped):
            lagrangian(norm2(w), [margins], wrong)


def test_properties_that_contradict_each_other_are_refused():
    f = function("f", concave=True, positive_curvature=True)
    line = Derivation("no such function").start(f(0)).at_most(f(0) + s**2)
    with pytest.raises(Vacuous):
        line.qed()
    g = function("g", convex=True)
    wrong = Derivation("no convex one", [Ge(s, 0)], {s: 1, g: lambda v: -(v**2)})
    with pytest.raises(Vacuous):
        wrong.start(g((s + t) / 2)).at_most(g(s) / 2 + g(t) / 2).qed()
