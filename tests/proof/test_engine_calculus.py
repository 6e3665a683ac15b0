"""Gradients against difference quotients, and the places where SymPy is silently wrong."""

from fractions import Fraction

import evaluator as ev
import pytest
import sympy as sp
from mlnotes.proof.normal import TraceWord
from mlnotes.proof.prove import Prover
from mlnotes.proof.terms import derivative

from mlnotes.proof import (
    Abs,
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    Lt,
    Max,
    Rational,
    Sum,
    Unproved,
    dot,
    exp,
    for_each,
    function,
    grad,
    indices,
    integers,
    inverse,
    invertible,
    lagrangian,
    log,
    logdet,
    matrices,
    norm2,
    positive_definite,
    random_variables,
    real_family,
    reals,
    sqrt,
    stationary_points,
    trace,
    vector_family,
    vectors,
)
from mlnotes.proof.derivatives import derive
from mlnotes.proof.witnesses import Model, lift

w, x = vectors("w x")
Z = random_variables("Z")
b, c, y = reals("b c y")
p = reals("p", positive=True)
n, d = integers("n d", positive=True)
i, j, k = indices("i j k")
alpha, ys, xi = real_family("alpha y xi")
xs = vector_family("x")
A, B, C = matrices("A B C", d, d)
S, T = matrices("S T", d, d, symmetric=True)
X = matrices("X", n, d)
theta, t = matrices("theta", d, 1), matrices("t", n, 1)


def same(left, right, given=()):
    return Prover(list(given)).prove(Eq(left, right))


@pytest.mark.parametrize(
    "f",
    [
        y**3 - 2 * y,
        exp(-(y**2)) * y,
        log(1 + exp(y)),
        sqrt(1 + y**2),
        (1 + y**2) ** y,
        1 / (2 + y**2),
        Sum(log(1 + (y * alpha[i]) ** 2), (i, 1, 3)),
        norm2(w + y * x),
    ],
    ids=str,
)
def test_derivatives_match_difference_quotients(f):
    step = Fraction(1, 10**12)
    model = Model(3, 2, {})
    at = {y: Fraction(3, 7)}
    exact = model.value(derive(f, y), at)
    high = model.value(f, {y: at[y] + step})
    low = model.value(f, {y: at[y] - step})
    assert abs(lift(exact) - (lift(high) - lift(low)) / (2 * lift(step))) < 1e-15


def test_svm_lagrangian_and_its_gradients():
    L = lagrangian(norm2(w) / 2, [for_each(i, 1, n, Ge(ys[i] * (dot(w, xs[i]) + b), 1))], [alpha])
    assert same(grad(L, w), w - Sum(alpha[i] * ys[i] * xs[i], (i, 1, n)))
    assert same(grad(L, b), -Sum(alpha[i] * ys[i], (i, 1, n)))
    with pytest.raises(Exception, match="false"):
        same(grad(L, w), w + Sum(alpha[i] * ys[i] * xs[i], (i, 1, n)))


def test_a_member_of_a_family_meets_itself_in_a_sum():
    # SymPy: Sum(a[i]**2, (i, 1, n)).diff(a[i]) captures the index.
    inside = [Ge(k, 1), Le(k, n)]
    assert grad(Sum(xi[i] ** 2, (i, 1, n)), xi[k], inside) == 2 * xi[k]
    assert grad(Sum(xi[k] ** 2, (k, 1, n)), xi[k], inside) == 2 * xi[k]
    assert grad(Sum(xi[i] ** 2, (i, 1, n)), xi[k]) != 2 * xi[k]
    assert grad(Sum(alpha[i], (i, 1, n)), xi[k]) == 0


def test_matrix_gradients():
    assert same(grad(trace(A * B), A), B.T)
    assert same(grad(trace(A.T * B), A), B)
    assert same(grad(trace(A * B * A.T * C), A), C * A * B + C.T * A * B.T)
    assert same(grad(logdet(A), A), inverse(A).T)
    assert same(grad(trace(inverse(A) * B), A), -(inverse(A) * B * inverse(A)).T)
    residual = X * theta - t
    assert same(grad(trace(residual.T * residual), theta), 2 * X.T * (X * theta - t))
    assert same(
        grad(-c * logdet(S) / 2 - trace(inverse(S) * T) / 2, S),
        -c * inverse(S) / 2 + inverse(S) * T * inverse(S) / 2,
    )


@pytest.mark.parametrize(
    ("f", "variable"),
    [
        (trace(A) ** 2 / 2, A),
        (trace(A * B) * trace(A.T * C), A),
        (exp(trace(inverse(B) * A)), A),
        (log(2 + trace(A.T * A)), A),
        (y**2 * trace(A * B), y),
        (norm2(w) * trace(A * A.T), w),
    ],
    ids=str,
)
def test_a_gradient_whose_coefficient_is_a_trace_can_be_evaluated(f, variable):
    found = grad(f, variable)
    assert not found.atoms(TraceWord)
    model = {d: 2, A: [[1, 2], [0, 3]], B: [[2, 1], [1, 1]], C: [[0, 1], [5, -1]]}
    model |= {y: Fraction(3, 2), w: (1, -2)}
    value = ev.evaluate(found, model)
    if variable == y:
        step = Fraction(1, 10**12)
        up, down = (ev.evaluate(f, model | {y: model[y] + s}) for s in (step, -step))
        slope = (up - down) / (2 * step)
    else:
        slope = ev.gradient(f, variable, model)
    for left, right in ev._pairs(value, slope):
        gap = ev.interval(ev.add(left, ev.multiply(Fraction(-1), right)))
        assert abs(float(gap.mid)) < 1e-8 * (1 + abs(float(ev.interval(left).mid)))


def test_silent_zeros_of_sympy_are_not_ours():
    assert grad(logdet(A), A) != sp.ZeroMatrix(d, d)
    assert grad(exp(trace(theta.T * theta)), theta) != sp.ZeroMatrix(d, 1)


def test_logistic_loss():
    loss = log(1 + exp(-y * dot(w, x)))
    assert same(grad(loss, w), -y * x / (1 + exp(y * dot(w, x))))


def test_declared_functions_have_declared_derivatives():
    f = function("f", differentiable=True, convex=True)
    assert grad(f(y**2), y) == 2 * y * derivative(f)(y**2)
    with pytest.raises(Unproved):
        grad(function("g", convex=True)(y), y)


def test_corners_have_no_gradient():
    for f in (Abs(y), Max(y, 0)):
        with pytest.raises(Unproved):
            grad(f, y)
    with pytest.raises(IllTyped):
        grad(w, y)
    with pytest.raises(IllTyped):
        grad(y, y**2)


def test_stationary_points_are_verified():
    assert stationary_points(y**2 - 2 * c * y, y) == [c]
    assert stationary_points(exp(y), y) == []
    assert set(stationary_points(y**3 - 3 * y, y)) == {-1, 1}


def test_a_stationary_point_lies_where_the_function_is_defined():
    assert stationary_points(log(y**2 + y), y) == []
    assert stationary_points(log(y**2 + y + 1), y) == [Rational(-1, 2)]
    assert stationary_points(y**2 / c, y) == []
    assert stationary_points(y**2 / c, y, given=[Gt(c, 0)]) == [0]


def test_a_stationary_point_is_put_into_a_sum_without_being_caught():
    (point,) = stationary_points(Sum((y - alpha[i]) ** 2, (i, 1, n)), y)
    assert same(point, Sum(alpha[i], (i, 1, n)) / n)
    (point,) = stationary_points(n * y**2 - 2 * ys[i] * Sum(y * alpha[i], (i, 1, n)), y)
    assert same(point, ys[i] * Sum(alpha[i], (i, 1, n)) / n)


def test_lagrangian_signs():
    assert lagrangian(y**2, [Ge(y, 1)], [c]) == y**2 + c * (1 - y)
    assert lagrangian(y**2, [Le(y, 1)], [c]) == y**2 + c * (y - 1)
    assert lagrangian(y**2, [Eq(y, 1)], [c]) == y**2 + c * (y - 1)
    for wrong in ([Lt(y, 1)], [for_each(i, 1, n, Le(xi[i], 1))], []):
        with pytest.raises(IllTyped):
            lagrangian(y, wrong, [c])


def test_an_inverse_in_a_gradient_has_to_exist_where_it_is_used():
    from mlnotes.proof import Derivation, Undefined

    with pytest.raises(Undefined):
        Derivation("t").start(grad(logdet(A), A))
    given = [invertible(A), positive_definite(S)]
    witness = {A: [[1]], S: [[2]], d: 1}
    d_ = Derivation("t", given=given, witness=witness).start(grad(logdet(S), S))
    assert d_.equals(inverse(S)).qed()


def test_a_limit_and_an_index_have_no_derivative():
    total = Sum(alpha[i], (i, 1, n))
    with pytest.raises(Unproved, match="has limits that depend on n"):
        derive(total, n)
    with pytest.raises(Unproved, match="has no derivative in its index j"):
        derive(alpha[j], j)


def test_a_derivative_enters_an_expectation():
    assert grad(E(exp(y * Z)), y) == E(Z * exp(y * Z))
    assert grad(E(Z), y) == 0


def test_a_matrix_that_does_not_occur_has_a_zero_gradient():
    assert grad(trace(A * B), C) == sp.ZeroMatrix(d, d)
    with pytest.raises(IllTyped, match="not a single matrix"):
        grad(trace(A * B), A * B)


def test_there_need_not_be_a_stationary_point():
    assert stationary_points(2 * y, y) == []
    assert stationary_points(y**3 + y, y) == []
    for f, at in ((w, y), (y, w), (y**2, y**2)):
        with pytest.raises(IllTyped, match="in a real symbol"):
            stationary_points(f, at)
