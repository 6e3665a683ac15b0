"""Single statements: what is proved and how, and what is refuted."""

import pytest
from mlnotes.proof.prove import Prover

from mlnotes.proof import (
    Abs,
    E,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Or,
    P,
    Product,
    Rational,
    Sum,
    Unproved,
    WrongStep,
    as_written,
    dot,
    exp,
    for_each,
    function,
    identity,
    indices,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    norm,
    norm2,
    positive_definite,
    random_variables,
    real_family,
    reals,
    sqrt,
    trace,
    vectors,
)

theta, x, t = vectors("theta x t")
y, z, r, u = reals("y z r u")
p, q, k = reals("p q k", positive=True)
n, m, d = integers("n m d", positive=True)
i, j = indices("i j")
a, b = real_family("a b")
w = real_family("w", positive=True)
f = function("f", convex=True)
g = function("g", increasing=True)
X, Y = random_variables("X Y")
A = matrices("A", n, d)
S, T = matrices("S T", d, d)
total = Sum(w[i], (i, 1, n))

WITHOUT_Z3 = {
    "a mistake": (
        Le(norm2(theta + y * x), norm2(theta) + norm2(x)),
        [Eq(y**2, 1), Le(y * dot(theta, x), 0)],
    ),
    "squares of a bound": (Le(k**2 * p**2, dot(theta, t) ** 2), [Ge(dot(theta, t), k * p)]),
    "Cauchy-Schwarz": (Le(dot(theta, t) ** 2, norm2(theta) * norm2(t)), []),
    "triangle inequality": (Le(norm(theta + x), norm(theta) + norm(x)), []),
    "divide": (Le(k, r**2 / p**2), [Le(k**2 * p**2, k * r**2)]),
    "AM-GM": (Le(2 * sqrt(p * q), p + q), []),
    "exp above 1 - u": (Le(1 - u, exp(-u)), []),
    "log below u - 1": (Le(log(p), p - 1), []),
    "quotient of logs": (Le(log(p / q), p / q - 1), []),
    "absolute values": (Le(Abs(y + z), Abs(y) + Abs(z)), []),
    "maximum": (Ge(Max(y, z), (y + z) / 2), []),
    "minimum": (Le(Min(y, z), (y + z) / 2), []),
    "quadratic": (Ge(y**2 + y * z + z**2, 0), []),
    "complete the square": (Le(u * (1 - u), Rational(1, 4)), []),
    "mean square": (Le(Sum(a[i], (i, 1, n)) ** 2, n * Sum(a[i] ** 2, (i, 1, n))), []),
    "Cauchy-Schwarz for sums": (
        Le(
            Sum(a[i] * b[i], (i, 1, n)) ** 2,
            Sum(a[i] ** 2, (i, 1, n)) * Sum(b[i] ** 2, (i, 1, n)),
        ),
        [],
    ),
    "for each index": (
        Le(Sum(a[i] * b[i], (i, 1, n)), Sum(a[i], (i, 1, n))),
        [for_each(i, 1, n, Ge(a[i], 0)), for_each(i, 1, n, Le(b[i], 1))],
    ),
    "contraction": (
        Eq(Sum(a[i] * y, (i, 1, n)), y),
        [Eq(Sum(a[i], (i, 1, n)), 1)],
    ),
    "contraction inside": (
        Eq(Sum(Sum(b[i] * a[j], (j, 1, m)), (i, 1, n)), Sum(b[i], (i, 1, n))),
        [Eq(Sum(a[j], (j, 1, m)), 1)],
    ),
    "strict chain": (Lt(y, z), [Lt(y, r), Le(r, z)]),
    "Gibbs": (Ge(Sum(w[i] * log(w[i] / p), (i, 1, n)), Sum(w[i] - p, (i, 1, n))), []),
    "Jensen for a convex function": (
        Le(f(Sum(w[i] * a[i], (i, 1, n))), Sum(w[i] * f(a[i]), (i, 1, n))),
        [Eq(total, 1)],
    ),
    "Jensen for the logarithm": (
        Le(Sum(w[i] * log(a[i]), (i, 1, n)), log(Sum(w[i] * a[i], (i, 1, n)))),
        [Eq(total, 1), for_each(i, 1, n, Gt(a[i], 0))],
    ),
    "log-sum-exp above the maximum": (Le(Max(y, z), log(exp(y) + exp(z))), []),
    "log-sum-exp below": (Le(log(exp(y) + exp(z)), Max(y, z) + log(2)), []),
    "variance": (Ge(E(X**2), E(X) ** 2), []),
    "union bound": (Le(P(Or(Ge(X, y), Ge(Y, z))), P(Ge(X, y)) + P(Ge(Y, z))), []),
    "probability": (Le(P(Ge(X, y)), 1), []),
    "increasing": (Le(g(y) * (z - y), g(z) * (z - y)), []),
    "push-through": (
        Eq(
            inverse(A.T * A + p * identity(d)) * A.T,
            A.T * inverse(A * A.T + p * identity(n)),
        ),
        [],
    ),
    "inverse of a product": (
        Eq(inverse(S * T), inverse(T) * inverse(S)),
        [invertible(S), invertible(T)],
    ),
    "ridge matrix": (positive_definite(A.T * A + p * identity(d)), []),
    "trace of a square": (Ge(trace(A.T * A), 0), []),
    "below a chord": (
        Le(f(y * r + (1 - y) * u), y * f(r) + (1 - y) * f(u)),
        [Ge(y, 0), Le(y, 1)],
    ),
    "divide by a positive difference": (Le(r, u), [Gt(z, y), Le((z - y) * r, (z - y) * u)]),
    "cancel a negative factor": (Eq(r, 0), [Lt(y, 0), Eq(r * y, 0)]),
    "not zero": (Ne(p + y**2, 0), []),
    "product of factors": (
        Le(Product(w[i], (i, 1, n)) * Sum(a[i] ** 2, (i, 1, n)) * 0, Sum(a[i] ** 2, (i, 1, n))),
        [],
    ),
}


@pytest.mark.parametrize("name", WITHOUT_Z3)
def test_it_is_proved_without_z3(name):
    goal, given = WITHOUT_Z3[name]
    assert Prover(given, z3=False).prove(goal).method != "z3"


FALSE = {
    "exp below 1": (Ge(exp(y), 1), []),
    "sign of the cross term": (
        Eq(norm2(theta + x), norm2(theta) + 2 * dot(theta, x) - norm2(x)),
        [],
    ),
    "square of a sum": (Eq(Sum(a[i], (i, 1, n)) ** 2, Sum(a[i] ** 2, (i, 1, n))), []),
    "reverse Cauchy-Schwarz": (Ge(dot(theta, t) ** 2, norm2(theta) * norm2(t)), []),
    "strict at equality": (Lt(u * (1 - u), Rational(1, 4)), []),
    "a radius instead of its square": (
        Le(norm2(theta + y * x), norm2(theta) + r),
        [Eq(y**2, 1), Le(y * dot(theta, x), 0), Le(norm2(x), r**2)],
    ),
    "product of means": (Eq(E(X * Y), E(X) * E(Y)), []),
    "Jensen upside down": (Ge(f((y + z) / 2), (f(y) + f(z)) / 2), []),
    "trace of a product": (Eq(trace(S * T), trace(S) * trace(T)), []),
    "commuting matrices": (Eq(S * T, T * S), []),
    "empty range": (Ge(Sum(a[i] ** 2, (i, 1, n)), a[1]), []),
    "sum without its hypothesis": (Le(Sum(a[i] * b[i], (i, 1, n)), Sum(a[i], (i, 1, n))), []),
    "beyond the end of a chord": (
        Le(f(y * r + (1 - y) * u), y * f(r) + (1 - y) * f(u)),
        [Ge(y, 0)],
    ),
    "divide by what may be negative": (Le(r, u), [Ne(z, y), Le((z - y) * r, (z - y) * u)]),
    "cancel what may be zero": (Eq(r, 0), [Le(y, 0), Eq(r * y, 0)]),
    "log too small": (Le(log(p), p / 2 - 1), []),
    "maximum is the mean": (Eq(Max(y, z), (y + z) / 2), []),
}


@pytest.mark.parametrize("name", FALSE)
def test_it_is_refuted_with_a_counterexample(name):
    goal, given = FALSE[name]
    with pytest.raises(WrongStep) as caught:
        Prover(given).prove(goal)
    assert caught.value.counterexample


def test_a_root_is_not_split_where_a_factor_may_be_negative():
    # sqrt(p z) = sqrt(p) sqrt(z) with p > 0; but from sqrt(y**2 z), y = 0 and z < 0 are possible.
    normal = Prover([]).normal
    with as_written():
        root = sqrt(y**2 * z)
    assert normal.equal(sqrt(p * z), sqrt(p) * sqrt(z))
    assert not normal.equal(root, Abs(y) * sqrt(z))
    assert normal.equal(sqrt(y**2 * p), Abs(y) * sqrt(p))


def test_a_case_about_one_outcome_says_nothing_about_the_mean():
    with pytest.raises((Unproved, WrongStep)):
        Prover([]).prove(Ge(Abs(X) + E(Abs(X)), X + E(X) + 1))
    with pytest.raises(WrongStep):
        Prover([]).prove(Le(Abs(X) + E(Abs(X)), Max(X + E(X), -X - E(X))))


def test_an_inverse_that_nobody_assumed_is_not_invertible():
    with pytest.raises(Unproved):
        Prover([]).prove(invertible(S))
    with pytest.raises(Unproved):
        Prover([]).prove(invertible(A.T * A))


def test_sums_over_a_range_that_may_be_empty_are_not_positive():
    size = integers("s", nonnegative=True)
    with pytest.raises((Unproved, WrongStep)):
        Prover([]).prove(Gt(Sum(w[i], (i, 1, size)), 0))
    assert Prover([]).prove(Gt(Sum(w[i], (i, 1, n)), 0))


def test_a_range_of_unknown_length_is_not_counted():
    low = integers("l")
    normal = Prover([]).normal
    assert normal.equal(Sum(y, (i, 1, n)), n * y)
    assert not normal.equal(Sum(y, (i, low, n)), (n - low + 1) * y)


def test_a_reciprocal_that_the_normal_form_splits_into_several_terms_is_cancelled():
    share, width = -y / (z - y), r * (z - y)
    goal = Le(log(1 - share + share * exp(width)) - share * width, width**2 / 9)
    with pytest.raises(Unproved):
        Prover([Lt(y, 0), Gt(z, 0)], z3=False).prove(goal, falsify=False)
