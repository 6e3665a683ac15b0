"""Matrices: inverses, definiteness, means and gradients; true lines certified, others refused."""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Ne,
    ProofError,
    Rational,
    det,
    dimensions,
    dot,
    grad,
    identity,
    integers,
    inverse,
    invertible,
    log,
    logdet,
    matrices,
    norm2,
    positive_definite,
    positive_semidefinite,
    random_matrices,
    random_vectors,
    reals,
    sqrt,
    trace,
    vectors,
    zeros,
)
from mlnotes.proof.errors import IllTyped, Undefined, Vacuous, WrongStep
from mlnotes.trusted import axioms

n, d = dimensions("n d")
X = matrices("X", n, d)
A, B = matrices("A B", d, d)
S = matrices("S", d, d, symmetric=True)
w, y = matrices("w", d, 1), matrices("y", n, 1)
noise, other = random_matrices("epsilon eta", n, 1)
c = reals("c", positive=True)
t = reals("t")
gram = X.T * X

POINTS = {n: 2, d: 1, X: [[1], [2]]}
ONE = {d: 1, A: [[2]], B: [[3]], S: [[2]]}
HALF = Rational(1, 2)
SIGNS = [([[1], [1]], HALF), ([[-1], [-1]], HALF)]


def certified(start, end, given=(), witness=None):
    """Return the theorem that two terms are equal, or raise what its derivation raises."""
    return Derivation("line", given=given, witness=witness).start(start).equals(end).qed()


TRUE = {
    "a product with an inverse": (A * inverse(A) * B, B, [invertible(A)], ONE),
    "an inverse on the left": (inverse(A) * A * B, B, [invertible(A)], ONE),
    "a product of inverses": (
        inverse(B) * inverse(A) * A * B,
        identity(d),
        [invertible(A), invertible(B)],
        ONE,
    ),
    "a definite matrix is invertible": (
        S * inverse(S),
        identity(d),
        [positive_definite(S)],
        ONE,
    ),
    "a ridge is invertible": (
        (gram + c * identity(d)) * inverse(gram + c * identity(d)),
        identity(d),
        (),
        None,
    ),
    "the size of the identity": (trace(identity(d)), d, (), None),
    "a trace is cyclic": (trace(X * B * X.T), trace(gram * B), (), None),
    "the mean of a product": (E(X.T * noise), X.T * E(noise), (), None),
    "the mean of a sum": (E(noise + other), E(noise) + E(other), (), None),
    "the mean of a constant": (E(X * w + noise), X * w + E(noise), (), None),
    "a quadratic form in noise": (
        E(trace(noise.T * X * X.T * noise)),
        trace(X * X.T * E(noise * noise.T)),
        (),
        None,
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_equations_are_certified(name):
    start, end, given, witness = TRUE[name]
    assert certified(start, end, given, witness).checked.steps > 0


FALSE = {
    "a commuted product": (A * B, B * A, (), None),
    "an inverse in the wrong order": (
        inverse(A) * inverse(B) * A * B,
        identity(d),
        [invertible(A), invertible(B)],
        {**ONE, d: 2, A: [[1, 1], [0, 1]], B: [[1, 0], [1, 1]], S: [[1, 0], [0, 1]]},
    ),
    "a mean of a product as the product of means": (
        E(noise * noise.T),
        E(noise) * E(noise.T),
        (),
        None,
    ),
    "half a mean": (E(noise + other), E(noise), (), None),
    "noise that is not white": (
        E(trace(noise.T * X * X.T * noise)),
        c * trace(gram),
        [Eq(E(noise), zeros(n, 1))],
        {**POINTS, noise: SIGNS},
    ),
    "a trace of another order": (trace(A * B * S), trace(B * A * S), (), None),
    "a transpose without symmetry": (A.T, A, (), None),
    "another size": (trace(identity(d)), n, (), None),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_equations_are_refused(name):
    start, end, given, witness = FALSE[name]
    with pytest.raises(WrongStep):
        certified(start, end, given, witness)


@pytest.mark.parametrize("term", [inverse(gram), inverse(A), X * inverse(gram) * X.T])
def test_an_inverse_that_may_not_exist_is_not_written(term):
    with pytest.raises(Undefined, match="invertible"):
        Derivation("line").start(term)


def test_a_ridge_that_may_be_negative_is_not_known_to_be_invertible():
    with pytest.raises(Undefined, match="invertible"):
        Derivation("line").start(inverse(gram + t * identity(d)))


def test_log_det_needs_a_definite_matrix():
    with pytest.raises(Undefined, match="positive"):
        Derivation("line").start(logdet(S))
    theorem = (
        Derivation("line", given=[positive_definite(S)], witness=ONE)
        .start(logdet(S) + log(c))
        .equals(log(c) + logdet(S))
        .qed()
    )
    assert theorem.checked.conclusion.op == "="


def test_semidefinite_is_weaker_than_definite():
    flat = {d: 1, S: [[0]]}
    with pytest.raises(Undefined, match="invertible"):
        Derivation("line", given=[positive_semidefinite(S)], witness=flat).start(inverse(S))
    with pytest.raises(Vacuous, match="does not satisfy"):
        certified(S * inverse(S), identity(d), [positive_definite(S)], flat)


def test_a_definite_matrix_is_symmetric_also_where_the_symbol_is_not_declared_so():
    given = [positive_definite(A)]
    assert certified(A.T, A, given, ONE).checked
    skew = {d: 2, A: [[1, 1], [-1, 1]]}
    with pytest.raises(Vacuous):
        certified(A.T, A, given, skew)


def test_a_singular_witness_does_not_show_that_matrices_are_invertible():
    with pytest.raises(Vacuous):
        certified(A * inverse(A), identity(d), [invertible(A)], {d: 1, A: [[0]]})


def test_a_matrix_whose_determinant_is_not_zero_is_invertible():
    for given in (Gt(det(A), 0), Ne(det(A), 0)):
        assert certified(A * inverse(A) * B, B, [given], ONE).checked
    for given in (Ge(det(A), 0), Ne(det(B), 0)):
        with pytest.raises(Undefined, match="invertible"):
            certified(A * inverse(A) * B, B, [given], ONE)


RANK_ONE = w * matrices("v", d, 1).T
FLAT = {d: 1, A: [[2]], w: [[1]], matrices("v", d, 1): [[3]], t: 1}


@pytest.mark.parametrize(
    ("right", "given"),
    [
        (det(A) + t * (det(A + RANK_ONE) - det(A)), []),
        (det(A) * (1 + t * trace(RANK_ONE * inverse(A))), [invertible(A)]),
    ],
)
def test_a_determinant_is_affine_along_a_direction_of_rank_one(right, given):
    theorem = certified(det(A + t * RANK_ONE), right, given, FLAT if given else None)
    assert theorem.mark == "proved"


@pytest.mark.parametrize(
    ("left", "right", "given"),
    [
        (A + t * RANK_ONE, det(A) + t * det(A + RANK_ONE), []),
        (A + t * B, det(A) + t * (det(A + B) - det(A)), []),
        (A + t * RANK_ONE, det(A) * (1 + t * trace(RANK_ONE.T * inverse(A))), [invertible(A)]),
    ],
)
def test_a_determinant_is_not_affine_in_other_ways(left, right, given):
    with pytest.raises(ProofError):
        certified(det(left), right, given, FLAT if given else None)


def test_matrices_without_a_distance_are_equal():
    gap = A - B
    same = {d: 1, A: [[2]], B: [[2]]}
    assert certified(A, B, [Eq(trace(gap.T * gap), 0)], same).checked
    with pytest.raises(ProofError):  # a nilpotent difference
        certified(A, B, [Eq(trace(gap * gap), 0)], same)
    with pytest.raises(WrongStep):
        certified(A, B, [Eq(trace(gap.T * gap), 1)], ONE)


# ---------------------------------------------------------------------- gradients


def test_the_gradient_of_a_determinant():
    given, witness = [invertible(A)], {d: 2, A: [[1, 1], [0, 2]]}
    slope = grad(det(A), A)
    assert certified(slope, det(A) * inverse(A).T, given, witness).checked
    with pytest.raises(WrongStep):
        certified(slope, det(A) * inverse(A), given, witness)


def test_the_gradient_of_the_squared_error():
    error = trace((X * w - y).T * (X * w - y))
    theorem = certified(grad(error, w), 2 * X.T * (X * w - y))
    says = theorem.checked.conclusion.args[1]
    assert says.op == "all"
    assert says.data == ("M:d:1",)
    assert says.args[0].op == "deriv"
    with pytest.raises(ProofError):
        certified(grad(error, w), X.T * (X * w - y))


def test_the_gradient_of_log_det_and_of_the_trace_of_an_inverse():
    given, witness = [positive_definite(S)], {**ONE, B: [[3]]}
    slope = grad(logdet(S), S, given=given)
    axioms = certified(slope, inverse(S), given, witness).checked.axioms
    # The derivative of a determinant is derived from what determinants of products are.
    assert axioms >= {"determinant_product", "determinant_rank_one", "definite_determinant"}
    assert "derivative_determinant" not in axioms
    slope = grad(trace(inverse(S) * B), S, given=given)
    right = -inverse(S) * B.T * inverse(S)
    assert "derivative_matrix_inverse" in certified(slope, right, given, witness).checked.axioms
    for wrong in (inverse(S) * B.T * inverse(S), -inverse(S) * B * inverse(S)):
        with pytest.raises(ProofError):
            certified(slope, wrong, given, witness)


def test_log_det_has_no_gradient_where_nothing_says_that_it_is_defined():
    with pytest.raises(ProofError):
        certified(grad(logdet(A), A), inverse(A))


# ---------------------------------------------------------------------- means of vectors

estimate = random_vectors("g")
target = vectors("theta")


def test_the_mean_of_a_vector_goes_through_inner_products():
    assert certified(dot(E(estimate), target), E(dot(estimate, target))).checked.axioms >= {
        "mean_vector"
    }
    with pytest.raises(ProofError):
        certified(norm2(E(estimate)), E(norm2(estimate)))
    theorem = (
        Derivation("spread")
        .start(norm2(E(estimate)))
        .equals(E(norm2(estimate)) - E(norm2(estimate - E(estimate))))
        .at_most(E(norm2(estimate)))
        .qed()
    )
    assert theorem.checked


# ---------------------------------------------------------------------- sizes


def test_an_integer_symbol_as_a_size_is_stated_to_be_one():
    k = integers("k", positive=True)
    M = matrices("M", k, k)
    theorem = (
        Derivation("size", given=[Gt(trace(M), 0)], witness={k: 2, M: [[1, 0], [0, 1]]})
        .start(trace(identity(k)) + trace(M))
        .equals(k + trace(M))
        .qed()
    )
    shown = [h for h in theorem.checked.hypotheses if h.op == "=" and "dim" in repr(h)]
    assert len(shown) == 1


@pytest.mark.parametrize("statement", [invertible, positive_definite, positive_semidefinite])
def test_only_square_matrices_have_these_properties(statement):
    with pytest.raises(IllTyped, match="not a square matrix"):
        statement(X)


def test_the_axioms_on_matrices_are_explained():
    for name in ("mean_matrix", "injective_inverse", "determinant_rank_one", "unit_columns_span"):
        assert axioms()[name]["why"].endswith(".")


def test_cauchy_schwarz_for_matrices_and_columns():
    u, v, Y = *matrices("u v", d, 1), matrices("Y", n, d)
    for a, b in ((X, Y), (u, v), (X.T, Y.T)):
        told = Derivation("product").start(trace(a.T * b) ** 2)
        assert told.at_most(trace(a.T * a) * trace(b.T * b)).qed().checked.steps > 0
        told = Derivation("lengths").start(trace(a.T * b))
        lengths = sqrt(trace(a.T * a)) * sqrt(trace(b.T * b))
        assert told.at_most(lengths).qed().checked.steps > 0
        with pytest.raises(WrongStep):
            Derivation("one length").start(trace(a.T * b) ** 2).at_most(trace(a.T * a))
        with pytest.raises(WrongStep):
            Derivation("turned").start(trace(a.T * a) * trace(b.T * b)).at_most(trace(a.T * b) ** 2)
