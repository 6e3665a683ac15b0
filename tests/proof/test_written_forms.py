"""What the form of a line shows: Gram traces, sums inside sums, and for which sizes it holds."""

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Le,
    ProofError,
    Sum,
    apply,
    derivations,
    exp,
    for_each,
    indices,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    real_family,
    reals,
    termwise,
    trace,
    zeros,
)


@pytest.fixture(autouse=True)
def unsearched(monkeypatch):
    """Switch the search for counterexamples off, so that nothing is refused for its falsity."""
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)


n, d, K = integers("n d K", positive=True)
i, k, m = indices("i k m")
A, B = matrices("A B", n, d)
M = matrices("M", n, n)
c = reals("c")
p, q = real_family("p q", positive=True)
a, b, s = real_family("a b s")


def test_the_trace_of_a_matrix_times_its_transpose_is_not_negative():
    line = Derivation("square").start(trace((A - B).T * (A - B)))
    theorem = line.at_least(0, because="a sum of squares").qed()
    assert theorem.scope == "any d, any n"


@pytest.mark.parametrize(
    "term",
    [
        trace((A - B).T * (A + B)),
        trace((M - M * M) * (M - M * M)),
        trace((A - B).T * M * (A - B)),
        trace(-(c**2) * (A - B).T * (A - B)),
        trace(c * (A - B).T * (A - B)),
        trace((A - B).T * M * M.T * M * (A - B)),
    ],
)
def test_a_trace_that_only_looks_like_a_square_is_refused(term):
    with pytest.raises(ProofError):
        Derivation("no square").start(term).at_least(0, because="looks like one")


def test_a_gram_trace_is_not_positive():
    with pytest.raises(ProofError):
        Derivation("zero").start(trace((A - B).T * (A - B))).greater_than(0)


ROWS = for_each(i, 1, n, Le(Sum(a[i, k], (k, 1, K)), s[i]))
TABLE = {n: 2, K: 2, a: {(1, 1): 0, (1, 2): 1, (2, 1): 1, (2, 2): 1}, s: [1, 2]}


def test_a_double_sum_is_compared_row_by_row_with_a_single_sum():
    line = Derivation("rows", given=[ROWS], witness=TABLE)
    line = line.start(Sum(a[i, k], (k, 1, K), (i, 1, n)))
    theorem = line.at_most(Sum(s[i], (i, 1, n)), because="row by row", by=termwise(i)).qed()
    assert theorem.mark == "proved"


def test_only_the_sums_down_to_the_index_are_opened():
    given = [for_each(i, 1, n, Ge(Sum(a[i, k], (k, 1, K)), 0))]
    table = {n: 1, K: 2, a: {(1, 1): -1, (1, 2): 1}}
    line = Derivation("rows", given=given, witness=table)
    line = line.start(Sum(a[i, k], (k, 1, K), (i, 1, n)))
    assert line.at_least(0, because="row by row", by=termwise(i)).qed().mark == "proved"
    with pytest.raises(ProofError):
        line.at_least(0, because="cell by cell", by=termwise(k))


def test_columns_are_not_taken_for_rows():
    line = Derivation("rows", given=[ROWS], witness=TABLE)
    line = line.start(Sum(a[k, i], (k, 1, K), (i, 1, n)))
    with pytest.raises(ProofError):
        line.at_most(Sum(s[i], (i, 1, n)), because="column by column", by=termwise(i))
    line = Derivation("rows", given=[ROWS], witness=TABLE)
    line = line.start(Sum(a[i, k], (k, 1, K), (i, 1, n)))
    with pytest.raises(ProofError):
        line.at_most(Sum(s[i], (i, 1, K)), because="another range", by=termwise(i))


def total(i):
    return Sum(p[i, m], (m, 1, K))


def test_a_sum_is_the_same_above_and_below_a_fraction_line():
    start = Sum(p[i, k] / total(i) * log(q[i, k] * total(i) / p[i, k]), (k, 1, K), (i, 1, n))
    split = Sum(p[i, k] / total(i) * log(q[i, k]), (k, 1, K), (i, 1, n)) - Sum(
        p[i, k] / total(i) * log(p[i, k] / total(i)), (k, 1, K), (i, 1, n)
    )
    theorem = Derivation("logs").start(start).equals(split, because="log").qed()
    assert theorem.mark == "proved"
    with pytest.raises(ProofError):
        Derivation("logs").start(start).equals(-split, because="wrong sign")


x, y = real_family("x y")
LOG_SUM = log(Sum(exp(x[m] + c), (m, 1, K)))


def test_a_shift_moves_out_of_a_log_sum_exp():
    line = Derivation("shift").start(LOG_SUM)
    theorem = line.equals(c + log(Sum(exp(x[m]), (m, 1, K))), because="a common factor").qed()
    assert theorem.mark == "proved"


@pytest.mark.parametrize(
    ("term", "other"),
    [
        (
            2 * log(Sum(exp(x[m]), (m, 1, K))),
            log(Sum(exp(2 * x[m]), (m, 1, K))) + log(K),
        ),
        (
            2 * log(Sum(exp(Sum(y[k], (k, 1, m))), (m, 1, K))),
            log(Sum(exp(2 * Sum(y[k], (k, 1, m))), (m, 1, K))) + log(K),
        ),
        (LOG_SUM, -c + log(Sum(exp(x[m]), (m, 1, K)))),
        (log(Sum(exp(2 * x[m] + c) * p[m], (m, 1, K))), c + log(Sum(exp(x[m]) * p[m], (m, 1, K)))),
        (
            log(Sum(exp(x[m] + Sum(y[k], (k, 1, m))), (m, 1, K))),
            Sum(y[k], (k, 1, m)) + log(Sum(exp(x[m]), (m, 1, K))),
        ),
        (
            log(Sum(exp(x[m] + Sum(c, (k, 1, m))), (m, 1, K))),
            c + log(Sum(exp(x[m]), (m, 1, K))),
        ),
    ],
)
def test_what_depends_on_the_index_stays_inside_a_log_sum_exp(term, other):
    with pytest.raises(ProofError):
        Derivation("no shift").start(term).equals(other, because="not a common factor")


S = matrices("S", d, d, symmetric=True)
v, w = matrices("v w", d, 1)
SCALED = [invertible(S), Eq(inverse(S) * (v - w), zeros(d, 1))]
PLANE = {n: 1, d: 2, S: [[2, 1], [1, 2]], v: [[1], [2]], w: [[1], [2]]}


def test_an_equation_is_freed_of_the_inverse_in_front():
    line = Derivation("cancel", given=SCALED, witness=PLANE).start(v)
    assert line.equals(w, because="multiply by the matrix").qed().mark == "proved"


def test_an_equation_is_freed_on_both_sides():
    given = [invertible(S), Eq(inverse(S) - inverse(S) * v * w.T * inverse(S), zeros(d, d))]
    witness = {n: 1, d: 1, S: [[2]], v: [[1]], w: [[2]]}
    line = Derivation("cancel", given=given, witness=witness).start(S)
    assert line.equals(v * w.T, because="from both sides").qed().mark == "proved"


def test_an_equation_is_not_freed_of_a_matrix_that_is_not_inverted():
    given = [Eq(S * (v - w), zeros(d, 1))]
    line = Derivation("no", given=given, witness=PLANE).start(v)
    with pytest.raises(ProofError):
        line.equals(w, because="the matrix may be singular")


def test_the_matrix_that_frees_one_end_does_not_free_the_other():
    given = [invertible(S), Eq(inverse(S) * v * w.T, v * w.T)]
    witness = {n: 1, d: 2, S: [[1, 0], [0, 2]], v: [[1], [0]], w: [[1], [1]]}
    line = Derivation("no", given=given, witness=witness).start(v * w.T)
    with pytest.raises(ProofError):
        line.equals(v * w.T * S, because="on the wrong side")


def test_every_index_of_a_double_sum_is_generic_in_the_inner_rule():
    t, u = reals("t u")
    young = Derivation("Young").start(2 * t * u).at_most(t**2 + u**2, because="a square")
    line = Derivation("cells").start(Sum(2 * a[i, k] * b[i, k], (k, 1, K), (i, 1, n)))
    theorem = line.at_most(
        Sum(a[i, k] ** 2 + b[i, k] ** 2, (k, 1, K), (i, 1, n)),
        because="cell by cell",
        by=termwise(k, by=apply(young.qed(), {t: a[i, k], u: b[i, k]})),
    ).qed()
    assert "Young" in theorem.steps[0].detail
