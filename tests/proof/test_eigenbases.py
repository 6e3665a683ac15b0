"""What follows from an eigenbasis: eigenvectors, inverses, Ky Fan's inequality, ridge regression.

The eigenbasis is a declared object, whose defining equations every theorem states; nothing else
about eigenvalues is taken for granted. Each true line stands beside a false one.
"""

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    IllTyped,
    KroneckerDelta,
    Lambda,
    Le,
    ProofError,
    Sum,
    eigenbasis,
    for_each,
    grad,
    identity,
    indices,
    integers,
    inverse,
    matrices,
    matrix_family,
    prove,
    random_matrices,
    real_family,
    reals,
    svd,
    trace,
)

N, D, K = integers("N D K", positive=True)
i, j = indices("i j")
S = matrices("S", D, D, symmetric=True)
X, V = matrices("X", N, D), matrices("V", D, K)
theta = matrices("theta", D, 1)
t = reals("t", positive=True)
w = real_family("w")
basis, gram = eigenbasis(S), eigenbasis(X.T * X)
lam, v = basis.values, basis.vectors
mu, q = gram.values, gram.vectors
ridge = X.T * X + t * identity(D)

FRAME = Eq(V.T * V, identity(K))
ORDER = {"ordered": for_each(i, 1, D, for_each(j, i, D, Le(lam[j], lam[i]))), "K": Le(K, D)}
RANGE = {"from one": Ge(j, 1), "to D": Le(j, D)}
POSITIVE = {"positive": for_each(i, 1, D, Ge(mu[i], 0))}
PLANE = {D: 2, K: 1, S: [[2, 0], [0, 1]], V: [[1], [0]]}
DATA = {N: 2, D: 2, K: 1, X: [[2, 0], [0, 1]], V: [[1], [0]], t: 1, theta: [[1], [1]], j: 1}


def square(a):
    """Return the sum of the squares of the entries."""
    return trace(a.T * a)


def line(left, relation, right, given, witness):
    """Derive one line."""
    return Derivation("line", given=given, witness=witness).start(left).line(relation, right).qed()


error = t * inverse(ridge) * theta
TRUE = {
    "an eigenvector": (S * v[j], lam[j] * v[j], RANGE, {**PLANE, j: 1}),
    "an eigenvector of a Gram matrix": (X.T * X * q[j], mu[j] * q[j], RANGE, DATA),
    "an eigenvalue of a Gram matrix": (mu[j], square(X * q[j]), RANGE, DATA),
    "the inverse of a ridge at an eigenvector": (
        inverse(ridge) * q[j],
        q[j] / (mu[j] + t),
        {**RANGE, **POSITIVE},
        DATA,
    ),
    "the inverse of a ridge": (
        Sum(inverse(ridge) * q[i] * q[i].T, (i, 1, D)),
        Sum(1 / (mu[i] + t) * q[i] * q[i].T, (i, 1, D)),
        POSITIVE,
        DATA,
    ),
    "the squared bias of ridge regression": (
        Sum(trace(q[i].T * error) ** 2, (i, 1, D)),
        Sum((t / (mu[i] + t)) ** 2 * trace(q[i].T * theta) ** 2, (i, 1, D)),
        POSITIVE,
        DATA,
    ),
    "Parseval": (
        square(error),
        Sum(trace(q[i].T * error) ** 2, (i, 1, D)),
        POSITIVE,
        DATA,
    ),
    "the variance of ridge regression": (
        Sum(trace(q[i].T * inverse(ridge) * X.T * X * inverse(ridge) * q[i]), (i, 1, D)),
        Sum(mu[i] / (mu[i] + t) ** 2, (i, 1, D)),
        POSITIVE,
        DATA,
    ),
    "the error of a projection": (
        square(X - X * V * V.T),
        square(X) - square(X * V),
        [FRAME],
        DATA,
    ),
}
FALSE = {
    "an eigenvector": (S * v[j], lam[1] * v[j], RANGE, {**PLANE, j: 1}),
    "an eigenvector beyond the range": (
        S * v[j],
        lam[j] * v[j],
        {"one": Ge(j, 1)},
        {**PLANE, j: 1},
    ),
    "the inverse of a ridge at an eigenvector": (
        inverse(ridge) * q[j],
        q[j] / (mu[j] + 2 * t),
        {**RANGE, **POSITIVE},
        DATA,
    ),
    "the squared bias of ridge regression": (
        Sum(trace(q[i].T * error) ** 2, (i, 1, D)),
        Sum(t / (mu[i] + t) * trace(q[i].T * theta) ** 2, (i, 1, D)),
        POSITIVE,
        DATA,
    ),
    "Parseval": (square(error), Sum(trace(q[i].T * error), (i, 1, D)) ** 2, POSITIVE, DATA),
    "the error of a projection": (square(X - X * V * V.T), square(X) - square(V), [FRAME], DATA),
    "the error without a frame": (square(X - X * V * V.T), square(X) - square(X * V), {}, None),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_lines_are_certified(name):
    left, right, given, witness = TRUE[name]
    assert line(left, "=", right, given, witness).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_lines_are_refused(name):
    left, right, given, witness = FALSE[name]
    with pytest.raises(ProofError):
        line(left, "=", right, given, witness)


def weights_take_the_largest():
    """Derive Σ λᵢwᵢ ≤ λ₁ + … + λ_K for weights in [0, 1] that sum to K."""
    given = {
        **ORDER,
        "low": for_each(i, 1, D, Ge(w[i], 0)),
        "high": for_each(i, 1, D, Le(w[i], 1)),
        "total": Eq(Sum(w[i], (i, 1, D)), K),
    }
    witness = {D: 2, K: 1, S: [[2, 0], [0, 1]], w: [1, 0]}
    first = Sum((lam[i] - lam[K]) * w[i], (i, 1, K))
    return (
        Derivation("weights", given=given, witness=witness)
        .start(Sum(lam[i] * w[i], (i, 1, D)))
        .equals(Sum((lam[i] - lam[K]) * w[i], (i, 1, D)) + K * lam[K], "the weights sum to $K$")
        .equals(first + Sum((lam[i] - lam[K]) * w[i], (i, K + 1, D)) + K * lam[K], "cut")
        .at_most(first + K * lam[K], "later eigenvalues are not larger")
        .at_most(Sum(lam[i] - lam[K], (i, 1, K)) + K * lam[K], "no weight is above one")
        .equals(Sum(lam[i], (i, 1, K)), "collect")
        .qed()
    )


def at_most_one():
    """Derive that a frame projects a unit vector to one that is not longer."""
    return (
        Derivation("a weight", given={"frame": FRAME, **RANGE}, witness={**PLANE, j: 1})
        .start(square(V.T * v[j]))
        .equals(square(v[j]) - square(v[j] - V * V.T * v[j]), "Pythagoras")
        .at_most(square(v[j]), "a square")
        .equals(1, "a unit vector")
        .qed()
    )


def together():
    """Derive that the weights of a frame sum to its size."""
    return (
        Derivation("all weights", given=[FRAME], witness=PLANE)
        .start(Sum(square(V.T * v[i]), (i, 1, D)))
        .equals(square(V), "the eigenvectors are a basis")
        .equals(K, "the columns are orthonormal")
        .qed()
    )


def test_ky_fan_for_every_orthonormal_frame():
    every = for_each(j, 1, D, Le(square(V.T * v[j]), 1))
    bounded = prove("each weight", every, given=[FRAME], witness=PLANE, by=at_most_one())
    weight = Lambda(i, square(V.T * v[i]))
    theorem = (
        Derivation("Ky Fan", given={"frame": FRAME, **ORDER}, witness=PLANE)
        .start(trace(V.T * S * V))
        .equals(Sum(lam[i] * square(V.T * v[i]), (i, 1, D)), "expand in the eigenvectors")
        .at_most(
            Sum(lam[i], (i, 1, K)),
            "the weights are in [0, 1] and sum to $K$",
            by=[bounded, together(), weights_take_the_largest()(w=weight)],
        )
        .qed()
    )
    assert theorem.mark == "proved"
    assert not {"eigen", "fan"} & {word for a in theorem.checked.axioms for word in a.split("_")}


def test_ky_fan_needs_the_order_and_the_frame():
    claim = trace(V.T * S * V), "≤", Sum(lam[i], (i, 1, K))
    with pytest.raises(ProofError):
        line(*claim, {"frame": FRAME, "K": Le(K, D)}, PLANE)
    with pytest.raises(ProofError):
        line(*claim, ORDER, PLANE)


def test_a_little_ridge_lowers_the_error():
    """The derivative of the mean squared error in the penalty is negative at zero."""
    z, sigma = reals("z"), reals("sigma", positive=True)
    values, coefficient = real_family("lambda", positive=True), real_family("beta")
    whole = Sum(
        (z**2 * coefficient[i] ** 2 + sigma**2 * values[i]) / (values[i] + z) ** 2, (i, 1, D)
    )
    slope = Sum(
        2 * values[i] * (z * coefficient[i] ** 2 - sigma**2) / (values[i] + z) ** 3, (i, 1, D)
    )
    witness = {D: 1, values: [1], coefficient: [1], sigma: 1, z: 0}
    assert line(grad(whole, z), "=", slope, [Ge(z, 0)], witness).checked
    at_zero = Sum(-2 * sigma**2 / values[i] ** 2, (i, 1, D))
    assert line(slope.subs({z: 0}), "=", at_zero, [Ge(z, 0)], witness).checked
    assert line(at_zero, "<", 0, [Ge(z, 0)], witness).checked
    with pytest.raises(ProofError):
        line(grad(whole, z), "=", -slope, [Ge(z, 0)], witness)


def test_a_witness_finds_eigenvectors_of_a_term_that_is_diagonal_there():
    least = for_each(i, 1, D, Ge(mu[i], 1))
    assert line(mu[1], "≥", 1, [least], DATA).checked
    with pytest.raises(ProofError):
        line(mu[1], "≥", 2, [least], DATA)
    with pytest.raises(ProofError):
        line(mu[1], "≥", 1, [least], {**DATA, X: [[1, 1], [1, 1]]})


def test_an_eigenbasis_of_what_is_bound_or_random_is_refused():
    """One basis for all members of a family would be a much stronger supposition."""
    members, noise = matrix_family("M", D, D), random_matrices("N", D, D)
    one = eigenbasis(members[j]).values[1]
    with pytest.raises(IllTyped, match="bound"):
        Sum(one, (j, 1, N))
    with pytest.raises(IllTyped, match="outcome"):
        eigenbasis(noise)


# ---------------------------------------------------------------------- singular values

k = indices("k")
values = svd(X)
sigma, right, left = values.values, values.right, values.left
RANK = {"rank": for_each(i, 1, D, Gt(sigma[i], 0))}
PAIR = {**RANGE, "the other from one": Ge(k, 1), "the other to D": Le(k, D)}
BOTH = {N: 2, D: 2, X: [[2, 0], [0, 1]], j: 1, k: 2, t: 1, theta: [[1], [1]]}
SINGULAR = {
    "a length": (square(X * right[j]), "=", sigma[j] ** 2, RANGE),
    "a left vector": (X * right[j], "=", sigma[j] * left[j], {**RANGE, **RANK}),
    "a right vector": (X.T * left[j], "=", sigma[j] * right[j], {**RANGE, **RANK}),
    "orthonormal left vectors": (
        trace(left[j].T * left[k]),
        "=",
        KroneckerDelta(j, k),
        {**PAIR, **RANK},
    ),
    "the squared norm": (square(X), "=", Sum(sigma[i] ** 2, (i, 1, D)), {}),
    "a sign": (sigma[j], "≥", 0, RANGE),
    "a quadratic form": (
        square(X * theta),
        "=",
        Sum(sigma[i] ** 2 * trace(right[i].T * theta) ** 2, (i, 1, D)),
        {},
    ),
    "shrinkage": (
        inverse(ridge) * X.T * left[j],
        "=",
        sigma[j] / (sigma[j] ** 2 + t) * right[j],
        {**RANGE, **RANK},
    ),
    "effective degrees of freedom": (
        trace(X * inverse(ridge) * X.T),
        "=",
        Sum(sigma[i] ** 2 / (sigma[i] ** 2 + t), (i, 1, D)),
        {},
    ),
}
NOT_SINGULAR = {
    "a length": (square(X * right[j]), "=", sigma[j], RANGE),
    "a left vector without a rank": (X * right[j], "=", sigma[j] * left[j], RANGE),
    "a right vector": (X.T * left[j], "=", sigma[j] ** 2 * right[j], {**RANGE, **RANK}),
    "left vectors are not all one": (trace(left[j].T * left[k]), "=", 1, {**PAIR, **RANK}),
    "the squared norm": (square(X), "=", Sum(sigma[i], (i, 1, D)), {}),
    "a strict sign": (sigma[j], ">", 0, RANGE),
    "a sign outside of the range": (X * right[j], "=", 0 * right[1], {}),
    "shrinkage": (
        inverse(ridge) * X.T * left[j],
        "=",
        sigma[j] / (sigma[j] + t) * right[j],
        {**RANGE, **RANK},
    ),
}


def singular(left_side, relation, right_side, given):
    """Derive one line about singular values."""
    line = Derivation("line", given=given, witness=BOTH).start(left_side)
    return line.line(relation, right_side).qed()


@pytest.mark.parametrize("name", SINGULAR)
def test_true_lines_about_singular_values_are_certified(name):
    assert singular(*SINGULAR[name]).checked.steps > 0


@pytest.mark.parametrize("name", NOT_SINGULAR)
def test_false_lines_about_singular_values_are_refused(name):
    with pytest.raises(ProofError):
        singular(*NOT_SINGULAR[name])


def test_a_matrix_of_full_rank_is_the_sum_of_its_singular_parts():
    found = (
        Derivation("singular value decomposition", given=RANK, witness=BOTH)
        .start(X)
        .equals(Sum(X * right[i] * right[i].T, (i, 1, D)))
        .equals(Sum(sigma[i] * left[i] * right[i].T, (i, 1, D)))
        .qed()
    )
    assert found.checked.steps > 0


def test_singular_values_suppose_the_spectral_theorem_and_their_sign_alone():
    found = singular(*SINGULAR["the squared norm"])
    about = [h for h in found.checked.hypotheses if ("sigma", "R", ("Z",)) in h.free]
    assert len(about) == 2
