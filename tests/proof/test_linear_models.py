"""Random columns, estimators and frames: what a chapter on linear models says, and what is false.

Means of matrices, covariances, estimators that are linear in the response, full rank told by null
spaces: each told as in a lecture, with a nearby false statement refused.
"""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Implies,
    Le,
    Ne,
    ProofError,
    Rational,
    Sum,
    Vacuous,
    WrongStep,
    dimensions,
    for_all,
    identity,
    indices,
    integers,
    inverse,
    invertible,
    matrices,
    prove,
    random_matrices,
    real_family,
    reals,
    trace,
    unit_column,
    zeros,
)

n, d = dimensions("n d")
X, A = matrices("X", n, d), matrices("A", d, n)
theta, c, v = matrices("theta c v", d, 1)
noise, other = random_matrices("epsilon eta", n, 1)
estimate = random_matrices("t", d, 1)
sigma = reals("sigma", positive=True)
i, j = indices("i j")
N, K = integers("N K", positive=True)
f = real_family("f")

gram = X.T * X
best = inverse(gram) * X.T
WHITE = Eq(E(noise * noise.T), sigma**2 * identity(n))
CENTRED = Eq(E(noise), zeros(n, 1))
FULL_RANK = invertible(gram)
UNBIASED = Eq(A * X, identity(d))
SIGNS = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
LAW = [([[e] for e in row], Rational(1, 4)) for row in SIGNS]
LINE = {
    n: 3,
    d: 2,
    X: [[1, 0], [1, 1], [1, 2]],
    A: [[1, 0, 0], [-1, 1, 0]],
    theta: [[1], [1]],
    c: [[1], [0]],
    sigma: 1,
    noise: LAW,
}
ONE = {n: 1, d: 1, X: [[1]], v: [[1]]}


def line(left, relation, right, given=(), witness=None):
    """Derive one line."""
    return Derivation("line", given=given, witness=witness).start(left).line(relation, right).qed()


mean = E(noise)
fit = best * (X * theta + noise)
TRUE = {
    "out of a mean": (E(A * (X * theta + noise)), A * X * theta + A * mean),
    "mean of a transpose": (E(noise.T), mean.T),
    "second moment turned": (E(noise * other.T).T, E(other * noise.T)),
    "covariance": (E((noise - mean) * (noise - mean).T), E(noise * noise.T) - mean * mean.T),
    "variance is the trace of the covariance": (
        E(trace((noise - mean).T * (noise - mean))),
        trace(E((noise - mean) * (noise - mean).T)),
    ),
    "bias and variance": (
        E(trace((estimate - theta).T * (estimate - theta))),
        E(trace((estimate - E(estimate)).T * (estimate - E(estimate))))
        + trace((E(estimate) - theta).T * (E(estimate) - theta)),
    ),
    "covariance of a linear map": (
        E((A * noise) * (A * noise).T),
        sigma**2 * A * A.T,
        [WHITE],
    ),
    "covariance of two entries": (
        E(trace(unit_column(n, i).T * noise) * trace(unit_column(n, j).T * noise)),
        sigma**2 * trace(unit_column(n, i).T * unit_column(n, j)),
        [WHITE],
    ),
    "covariance of least squares": (
        E((fit - theta) * (fit - theta).T),
        sigma**2 * inverse(gram),
        [FULL_RANK, WHITE],
    ),
    "unbiased": (E(fit), theta, [FULL_RANK, CENTRED]),
    "what an unbiased estimator adds": (
        A * A.T - inverse(gram),
        (A - best) * (A - best).T,
        [FULL_RANK, UNBIASED],
    ),
    "a quadratic form of noise": (
        E(trace(noise.T * X * best * noise)),
        sigma**2 * d,
        [FULL_RANK, WHITE],
    ),
    "a sum cut in two": (
        Sum(f[i], (i, 1, N + K)),
        Sum(f[i], (i, 1, N)) + Sum(f[i], (i, N + 1, N + K)),
    ),
    "a sum of one term": (Sum(f[i], (i, N + 1, N + 1)), f[N + 1]),
}
FALSE = {
    "mean of a product": (E(noise * noise.T), mean * mean.T, []),
    "a moment that is not symmetric": (E(noise * other.T), E(other * noise.T), []),
    "covariance without a mean": (
        E((noise - mean) * (noise - mean).T),
        E(noise * noise.T) + mean * mean.T,
        [],
    ),
    "bias twice": (
        E(trace((estimate - theta).T * (estimate - theta))),
        E(trace((estimate - E(estimate)).T * (estimate - E(estimate))))
        + 2 * trace((E(estimate) - theta).T * (E(estimate) - theta)),
        [],
    ),
    "covariance of a linear map": (E((A * noise) * (A * noise).T), sigma**2 * A.T * A, [WHITE]),
    "covariance of least squares": (
        E((fit - theta) * (fit - theta).T),
        sigma**2 * gram,
        [FULL_RANK, WHITE],
    ),
    "unbiased without a mean": (E(fit), theta, [FULL_RANK]),
    "a quadratic form of noise": (
        E(trace(noise.T * X * best * noise)),
        sigma**2 * n,
        [FULL_RANK, WHITE],
    ),
    "a sum cut in two": (
        Sum(f[i], (i, 1, N + K)),
        Sum(f[i], (i, 1, N)) + Sum(f[i], (i, N, N + K)),
        [],
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_lines_are_certified(name):
    left, right, *given = TRUE[name]
    given = given[0] if given else ()
    assert line(left, "=", right, given, LINE if given else None).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_lines_are_refused(name):
    left, right, given = FALSE[name]
    with pytest.raises(ProofError):
        line(left, "=", right, given, LINE if given else None)


def test_gauss_and_markov():
    """An unbiased linear estimator has at least the variance of least squares."""
    error = trace(c.T * (A * (X * theta + noise) - theta))
    least = sigma**2 * trace(c.T * inverse(gram) * c)
    theorem = (
        Derivation("Gauss–Markov", given=[FULL_RANK, UNBIASED, WHITE], witness=LINE)
        .start(E(error**2))
        .equals(E(trace(c.T * A * noise) ** 2), "the estimator is unbiased")
        .equals(sigma**2 * trace(c.T * A * A.T * c), "the noise is white")
        .equals(
            sigma**2 * trace(c.T * ((A - best) * (A - best).T + inverse(gram)) * c),
            "the mixed terms vanish, since $AX=I$",
        )
        .at_least(least, "a square")
        .qed()
    )
    assert theorem.mark == "proved"
    with pytest.raises(ProofError):
        line(E(error**2), "≤", least, [FULL_RANK, UNBIASED, WHITE], LINE)
    with pytest.raises(ProofError):
        line(E(error**2), "≥", least, [FULL_RANK, WHITE], LINE)


def test_an_estimator_that_is_right_for_every_parameter():
    right = for_all(theta, Eq(A * X * theta, theta))
    witness = {k: LINE[k] for k in (n, d, X, A)}
    assert line(A * X, "=", identity(d), [right], witness).checked
    column = unit_column(d, j)
    assert line(A * X * column, "=", column, [right], {**witness, j: 1}).checked
    with pytest.raises(ProofError):
        line(X * A, "=", identity(n), [right], witness)
    with pytest.raises(Vacuous):
        line(A * X, "=", identity(d), [right], {**witness, A: [[1, 0, 0], [0, 1, 0]]})


def test_full_rank_is_told_by_null_spaces():
    """XᵀX v = 0 only where X v = 0; if that is only v = 0, XᵀX has an inverse and is definite."""
    flat = Eq(X.T * X * v, zeros(d, 1))
    assert line(X * v, "=", zeros(n, 1), [flat], {**ONE, v: [[0]]}).checked
    injective = for_all(v, Implies(Eq(X * v, zeros(n, 1)), Eq(v, zeros(d, 1))))
    whole = {n: 2, d: 2, X: [[1, 1], [0, 1]]}
    assert line(inverse(gram) * gram, "=", identity(d), [injective], whole).checked
    with pytest.raises(Vacuous):
        line(inverse(gram) * gram, "=", identity(d), [injective], {**whole, X: [[1, 1], [1, 1]]})
    with pytest.raises((ProofError, WrongStep)):
        line(v, "=", zeros(d, 1), [flat], {**ONE, v: [[0]]})


@pytest.mark.parametrize("given", [FULL_RANK, UNBIASED])
def test_a_gram_matrix_of_full_rank_is_definite(given):
    witness = {k: LINE[k] for k in (n, d, X, A)} | {v: [[1], [0]]}
    form = trace(v.T * X.T * X * v)
    if given is UNBIASED:
        given = Eq(X.T * X, identity(d))
        witness |= {n: 2, X: [[0, 1], [1, 0]], A: [[0, 1], [1, 0]]}
    apart = Ne(v, zeros(d, 1))
    assert line(form, ">", 0, [given, apart], witness).checked
    with pytest.raises(ProofError):
        line(form, ">", 0, [given], witness)


def test_what_holds_of_a_symbol_holds_of_all_its_values():
    """A theorem about one w is a rule for a statement about all w."""
    y, w = matrices("y", n, 1), matrices("w", d, 1)
    given, witness = [Eq(X.T * X * v, X.T * y)], {**ONE, y: [[1]], w: [[2]]}
    left, right = y - X * w, y - X * v
    theorem = (
        Derivation("least squares", given=given, witness=witness)
        .start(trace(left.T * left))
        .equals(trace(right.T * right) + trace((X * (w - v)).T * (X * (w - v))))
        .at_least(trace(right.T * right))
        .qed()
    )
    every = for_all(w, Le(trace(right.T * right), trace(left.T * left)))
    assert prove("every w", every, given=given, witness=witness, by=theorem).checked
    other = for_all(w, Le(trace(left.T * left), trace(right.T * right)))
    with pytest.raises(ProofError):
        prove("every w", other, given=given, witness=witness, by=theorem)
    with pytest.raises(ProofError):
        prove("every w", for_all(v, Le(*every.parts[1].parts)), by=theorem)
