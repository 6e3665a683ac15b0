"""Sums of matrices, unit columns, columns as numbers, eigenbases: what is true, and what is not."""

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    ProofError,
    Sum,
    Unproved,
    Vacuous,
    WrongStep,
    eigenbasis,
    for_each,
    grad,
    identity,
    indices,
    integers,
    inverse,
    logdet,
    matrices,
    matrix_family,
    positive_definite,
    positive_semidefinite,
    reals,
    trace,
    unit_column,
)

n, d = integers("n d", positive=True)
i, j = indices("i j")
X = matrices("X", n, d)
y = matrices("y", n, 1)
w, u, v = matrices("w u v", d, 1)
A, B = matrices("A B", d, d)
S = matrices("S", d, d, symmetric=True)
xs = matrix_family("x", d, 1)
total, squares = Sum(xs[i], (i, 1, n)), Sum(xs[i] * xs[i].T, (i, 1, n))


def row(k):
    """Return row k of X as a column."""
    return X.T * unit_column(n, k)


def line(left, relation, right, given=(), witness=None):
    """Derive one line."""
    return Derivation("line", given=given, witness=witness).start(left).line(relation, right).qed()


residuals = Sum(trace(unit_column(n, i).T * (y - X * w)) ** 2, (i, 1, n))
centred = Sum((xs[i] - w) * (xs[i] - w).T, (i, 1, n))
TRUE = {
    "Gram matrix of rows": (X.T * X, Sum(row(i) * row(i).T, (i, 1, n))),
    "product with a column": (X.T * y, Sum(row(i) * (unit_column(n, i).T * y), (i, 1, n))),
    "squared entries": (trace(X.T * X), Sum(trace(row(i).T * row(i)), (i, 1, n))),
    "sum of squared residuals": (trace((y - X * w).T * (y - X * w)), residuals),
    "moved out of a sum": (A * squares * A.T, Sum(A * xs[i] * (A * xs[i]).T, (i, 1, n))),
    "trace of a sum": (trace(squares), Sum(trace(xs[i].T * xs[i]), (i, 1, n))),
    "scatter": (centred, squares - w * total.T - total * w.T + n * w * w.T),
    "a number in the middle": (u * (v.T * A * u) * v.T, trace(v.T * A * u) * (u * v.T)),
    "a trace of two numbers": (trace(u * v.T * A * u * v.T), trace(v.T * u) * trace(v.T * A * u)),
}
FALSE = {
    "Gram matrix of rows": (X.T * X, Sum(row(i) * row(i).T, (i, 1, n - 1))),
    "squared entries": (trace(X.T * X), Sum(trace(row(i).T * row(1)), (i, 1, n))),
    "moved out of a sum": (A * squares * A, Sum(A * xs[i] * (A * xs[i]).T, (i, 1, n))),
    "trace of a sum": (trace(squares), 2 * Sum(trace(xs[i].T * xs[i]), (i, 1, n))),
    "scatter": (centred, squares - w * total.T - total * w.T + w * w.T),
    "a number in the middle": (u * (v.T * A * u) * v.T, trace(v.T * A * u) * (v * u.T)),
    "a trace of two numbers": (trace(A * B), trace(A) * trace(B)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_lines_are_certified(name):
    left, right = TRUE[name]
    assert line(left, "=", right).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_lines_are_refuted(name):
    left, right = FALSE[name]
    with pytest.raises(WrongStep):
        line(left, "=", right)


def test_a_square_matrix_with_two_rows_is_no_number():
    """Only the size that is named 1 is one."""
    C = matrices("C", 2, 2)
    with pytest.raises(WrongStep):
        line(C, "=", trace(C) * identity(2))
    D = matrices("D", 1, 1)
    assert line(D, "=", trace(D) * identity(1)).checked
    assert line(trace(identity(2)), "=", 2).checked


def test_quadratic_forms_of_semidefinite_matrices():
    given, witness = [positive_semidefinite(S)], {d: 1, S: [[1]]}
    assert line(trace(A.T * S * A), "≥", 0, given, {**witness, A: [[1]]}).checked
    bound = trace(u.T * S * u) * trace(v.T * S * v)
    more = {**witness, u: [[1]], v: [[2]]}
    assert line(trace(u.T * S * v) ** 2, "≤", bound, given, more).checked
    with pytest.raises((WrongStep, Unproved)):
        line(trace(u.T * A * v) ** 2, "≤", trace(u.T * A * u) * trace(v.T * A * v))
    with pytest.raises((WrongStep, Unproved)):
        line(trace(A * S), "≥", 0, given, {**witness, A: [[1]]})


def test_an_eigenbasis_writes_a_quadratic_form_as_a_sum():
    basis = eigenbasis(S)
    form = Sum(basis.values[i] * trace(basis.vectors[i].T * u) ** 2, (i, 1, d))
    at = {d: 2, S: [[2, 0], [0, 3]], u: [[1], [1]]}
    theorem = line(trace(u.T * S * u), "=", form, witness=at)
    assert len(theorem.hypotheses) >= 4
    parseval = Sum(trace(basis.vectors[i].T * u) ** 2, (i, 1, d))
    assert line(trace(u.T * u), "=", parseval, witness=at).checked
    wrong = Sum(basis.values[i] * trace(u.T * u), (i, 1, d))
    with pytest.raises((WrongStep, Unproved)):
        line(trace(u.T * S * u), "=", wrong, witness=at)


def test_a_matrix_without_an_eigenbasis_proves_nothing():
    # Of a matrix that is not symmetric an eigenbasis would prove that one is zero.
    one, two = unit_column(2, 1), unit_column(2, 2)
    crooked = one * two.T
    values = eigenbasis(crooked).values
    told = trace(one.T * crooked * two) + 0 * values[1], "=", trace(two.T * crooked * one)
    with pytest.raises(Vacuous):
        line(*told)
    turned = eigenbasis(crooked).example([[1, 0], [0, 1]])
    with pytest.raises(Vacuous):
        line(*told, witness=turned)


def test_two_matrices_with_one_eigenbasis_prove_nothing():
    # With the same values and vectors S and 2 S are the same, and S would be zero.
    once, twice = eigenbasis(S), eigenbasis(2 * S)
    told = trace(S) + 0 * once.values[1] + 0 * twice.values[1], "=", 0
    for at in (None, {d: 1, S: [[1]]}):
        with pytest.raises((Vacuous, WrongStep, Unproved)):
            line(*told, witness=at)


def test_eigenvalues_bound_a_quadratic_form_from_below():
    basis = eigenbasis(S, "mu", "q")
    least = reals("m")
    given = [for_each(i, 1, d, Ge(basis.values[i], least))]
    witness = {d: 2, S: [[2, 0], [0, 3]], least: 2, u: [[1], [0]]}
    lower = Sum(least * trace(basis.vectors[i].T * u) ** 2, (i, 1, d))
    theorem = (
        Derivation("smallest eigenvalue", given=given, witness=witness)
        .start(trace(u.T * S * u))
        .equals(Sum(basis.values[i] * trace(basis.vectors[i].T * u) ** 2, (i, 1, d)))
        .at_least(lower)
        .equals(least * trace(u.T * u))
        .qed()
    )
    assert theorem.mark == "proved"
    with pytest.raises(Vacuous):
        Derivation("no such values", given=given, witness={**witness, least: 3})


def test_jacobis_formula_is_derived():
    given, witness = [positive_definite(S)], {d: 1, S: [[2]]}
    theorem = line(grad(logdet(S), S, given=given), "=", inverse(S), given, witness)
    assert not any("derivative_determinant" in name for name in theorem.checked.axioms)
    with pytest.raises(ProofError):
        line(grad(logdet(S), S, given=given), "=", S, given, witness)


def test_a_column_equal_to_another_has_its_entries():
    given = [Eq(u, v), Gt(trace(v.T * v), 1)]
    witness = {d: 1, u: [[2]], v: [[2]]}
    assert line(trace(u.T * u), ">", 1, given, witness).checked
    with pytest.raises(WrongStep):
        line(trace(u.T * u), ">", 5, given, witness)
    with pytest.raises(WrongStep):
        line(trace(u.T * v), "≤", 0, [Le(trace(v.T * v), 9), *given], witness)
