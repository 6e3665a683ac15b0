"""The kernel: equal terms have equal normal forms, and unequal ones have not."""

import pytest
import sympy as sp
from mlnotes.proof.normal import Budget, Normal, TooLarge, nonnegative_integer

from mlnotes.proof import (
    Abs,
    E,
    Gt,
    KroneckerDelta,
    Le,
    Max,
    Min,
    P,
    Product,
    Rational,
    Sum,
    dot,
    exp,
    indicator,
    indices,
    integers,
    inverse,
    log,
    logdet,
    matrices,
    norm2,
    random_family,
    random_matrices,
    random_variables,
    random_vectors,
    real_family,
    reals,
    sqrt,
    trace,
    vector_family,
    vectors,
)

theta, x = vectors("theta x")
y, z, u = reals("y z u")
p, q = reals("p q", positive=True)
n, m = integers("n m", positive=True)
i, j, k = indices("i j k")
a, b = real_family("a b")
r = real_family("r", positive=True)
xs = vector_family("x")
A, B = matrices("A B", n, n)
C = matrices("C", n, m)
S = matrices("S", n, n, symmetric=True)
V, W = random_variables("V W")
F = random_family("F")
G, H = random_vectors("G H")
eps = random_matrices("epsilon", n, 1)
half = Rational(1, 2)

PLAIN = Normal()
INDEPENDENT = Normal(independent=[(V, W), (G, H)], independent_families=[F])
BELOW_ONE = Normal(positive=[1 - p])


def over(f, *names):
    return Sum(f, *[(name, 1, n) for name in names])


EQUAL = [
    (norm2(theta + y * x), norm2(theta) + 2 * y * dot(theta, x) + y**2 * norm2(x)),
    (norm2(over(a[j] * xs[j], j)), over(a[i] * a[j] * dot(xs[i], xs[j]), i, j)),
    (over(a[i], i) ** 2, over(a[i] * a[j], i, j)),
    (over(a[i] * over(b[i], i), i), over(a[i], i) * over(b[j], j)),
    (over(over(a[i] * b[j], j), i), over(over(a[i] * b[j], i), j)),
    (over(KroneckerDelta(i, j) * a[i] * b[j], i, j), over(a[k] * b[k], k)),
    (over(y, i), n * y),
    (Sum(a[i], (i, 1, n + 1)), over(a[i], i) + a[n + 1]),
    (Sum(a[i], (i, 1, 3)), a[1] + a[2] + a[3]),
    (Sum(a[i], (i, 1, 0)), sp.Integer(0)),
    (Product(a[i], (i, 1, 0)), sp.Integer(1)),
    (1 / (y - z), -1 / (z - y)),
    (y / (y + z) + z / (y + z), sp.Integer(1)),
    (exp(y) / (exp(y) + exp(z)), 1 / (1 + exp(z - y))),
    (exp(y) * over(exp(a[i]), i), over(exp(a[i] + y), i)),
    (exp(2 * log(p)), p**2),
    (log(p * q**2), log(p) + 2 * log(q)),
    (log(p / (p + q)), log(p) - log(p + q)),
    (log(Rational(4, 3) * p), 2 * log(2) - log(3) + log(p)),
    (sqrt(8), 2 * sqrt(2)),
    (sqrt(p) * sqrt(p + q) * sqrt(p + q), sqrt(p) * (p + q)),
    (Product(exp(a[i]), (i, 1, n)), exp(over(a[i], i))),
    (Product(p * r[i], (i, 1, n)), p**n * Product(r[i], (i, 1, n))),
    (log(Product(r[i], (i, 1, n))), over(log(r[i]), i)),
    (p ** (n + 1), p * p**n),
    (y ** (n + 1), y * y**n),
    (Abs(y * z), Abs(y) * Abs(z)),
    (Abs(-y), Abs(y)),
    (Abs(y) ** 2, y**2),
    (Min(y, z), -Max(-y, -z)),
    (indicator(Gt(y, z)), 1 - indicator(Le(y, z))),
    (indicator(Gt(2 * y, 0)), indicator(Gt(y, 0))),
    (indicator(Gt(y, 0)) ** 3, indicator(Gt(y, 0))),
    (trace(A * B), trace(B * A)),
    (trace(A), trace(A.T)),
    (trace(C * C.T), trace(C.T * C)),
    (trace(A * inverse(A)), n),
    (trace(inverse(A * B) * A), trace(inverse(B))),
    (trace(S.T * A), trace(S * A)),
    (logdet(inverse(S)), -logdet(S)),
    (logdet(p * S), n * log(p) + logdet(S)),
    (E((V - E(V)) ** 2), E(V**2) - E(V) ** 2),
    (E(over(F[i], i)), over(E(F[i]), i)),
    (E(exp(V + y)), exp(y) * E(exp(V))),
    (E(dot(G, theta)), dot(E(G), theta)),
    (E(norm2(G - theta)), E(norm2(G)) - 2 * dot(E(G), theta) + norm2(theta)),
    (E(trace(eps.T * A * eps)), trace(A * E(eps * eps.T))),
    (P(Gt(V, y)), 1 - P(Le(V, y))),
]


@pytest.mark.parametrize("pair", EQUAL, ids=lambda pair: str(pair[0])[:60])
def test_equal_terms_agree(pair):
    left, right = pair
    assert PLAIN.equal(left, right)
    assert PLAIN.polynomial(PLAIN.canonical(left)) == PLAIN.polynomial(left)


UNEQUAL = [
    (norm2(theta + x), norm2(theta) + norm2(x)),
    (over(a[i], i) ** 2, over(a[i] ** 2, i)),
    (over(a[i] * b[i], i), over(a[i], i) * over(b[i], i)),
    (Sum(a[i], (i, 1, n)), Sum(a[i], (i, 1, m))),
    (Sum(a[i], (i, 0, n)), Sum(a[i], (i, 1, n))),
    (over(KroneckerDelta(i, k) * a[i], i), a[k]),
    (Sum(y, (i, 1, k)), k * y),
    (log(y * z), log(y) + log(z)),
    (sqrt(y**2), y),
    (Abs(y + z), Abs(y) + Abs(z)),
    (exp(y * z), exp(y) * exp(z)),
    (trace(A * B), trace(A) * trace(B)),
    (trace(A * B * S), trace(B * A * S)),
    (trace(A * B), trace(A * B.T)),
    (logdet(A + B), logdet(A) + logdet(B)),
    (E(V * W), E(V) * E(W)),
    (E(1 / (1 + V**2)), 1 / (1 + E(V) ** 2)),
    (E(exp(over(F[i], i))), Product(E(exp(F[i])), (i, 1, n))),
    (E(dot(G, H)), dot(E(G), E(H))),
    (indicator(Gt(y, z)), indicator(Gt(z, y))),
    (Max(y, z), y),
    (p**n, p**m),
    (Product(a[i] + b[i], (i, 1, n)), Product(a[i], (i, 1, n)) + Product(b[i], (i, 1, n))),
]


@pytest.mark.parametrize("pair", UNEQUAL, ids=lambda pair: str(pair[0])[:60])
def test_unequal_terms_differ(pair):
    assert not PLAIN.equal(*pair)


def test_independence_has_to_be_declared():
    for left, right in [
        (E(V * W), E(V) * E(W)),
        (E(exp(y * V) * W**2 + 3), 3 + E(exp(y * V)) * E(W**2)),
        (E(dot(G, H)), dot(E(G), E(H))),
        (E(exp(y * over(F[i], i))), Product(E(exp(y * F[i])), (i, 1, n))),
        (
            E(over(F[i], i) ** 2),
            over(E(F[i] ** 2), i) + over(E(F[i]), i) ** 2 - over(E(F[i]) ** 2, i),
        ),
    ]:
        assert INDEPENDENT.equal(left, right)
        assert not PLAIN.equal(left, right)


def test_independence_of_a_pair_is_not_independence_of_powers_of_one():
    assert not INDEPENDENT.equal(E(V**2), E(V) ** 2)
    assert not INDEPENDENT.equal(E(F[1] * F[1]), E(F[1]) ** 2)
    assert not INDEPENDENT.equal(E(F[i] * F[j]), E(F[i]) * E(F[j]))


def test_known_signs_split_roots_and_logarithms():
    alpha = log((1 - p) / p) / 2
    z_of = (1 - p) * exp(-alpha) + p * exp(alpha)
    assert BELOW_ONE.equal(z_of, 2 * sqrt(p * (1 - p)))
    assert BELOW_ONE.equal(log((1 - p) / p), log(1 - p) - log(p))
    assert BELOW_ONE.equal(sqrt(1 - 4 * (half - p) ** 2), 2 * sqrt(p * (1 - p)))


def test_a_range_makes_a_delta_go_away():
    ranged = Normal(ranges={k: (sp.Integer(1), n)})
    assert ranged.equal(over(KroneckerDelta(i, k) * a[i], i), a[k])
    elsewhere = Normal(ranges={k: (sp.Integer(1), m)})
    assert not elsewhere.equal(over(KroneckerDelta(i, k) * a[i], i), a[k])


def test_signs_of_integers_come_from_their_symbols():
    s = integers("s", nonnegative=True)
    t = integers("t")
    assert nonnegative_integer(n - 1)
    assert nonnegative_integer(2 * n + s - 2)
    for e in (n - 2, s - 1, t, n - s, n * m - 1, -n):
        assert not nonnegative_integer(e)


def test_work_is_counted():
    with pytest.raises(TooLarge):
        Normal(budget=Budget(50)).polynomial((y + z + u + p) ** 5)
    with pytest.raises(TooLarge):
        PLAIN.polynomial((y + z + u + p + q + 1) ** 12)
