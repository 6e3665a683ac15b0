"""Concrete models of kernel terms: values, witnesses, counterexamples, and what is undecided."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import reduce

import mpmath
import pytest

from mlnotes.proof import Derivation, exact
from mlnotes.proof.errors import Vacuous
from mlnotes.proof.language import (
    Abs,
    And,
    Eq,
    Expr,
    Ge,
    Gt,
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Or,
    Product,
    Rational,
    Sum,
    build,
    dot,
    exp,
    expectation,
    for_each,
    function,
    identity,
    indicator,
    indices,
    integer_family,
    integers,
    inverse,
    log,
    logdet,
    matrices,
    norm,
    norm2,
    number,
    probability,
    random_family,
    random_variables,
    random_vectors,
    real_family,
    reals,
    sqrt,
    trace,
    variable,
    vector_family,
    vectors,
    zeros,
)
from mlnotes.proof.language import (
    reals as real_symbols,
)
from mlnotes.proof.witnesses import (
    Model,
    NoValue,
    check_witness,
    counterexample,
    describe,
    holds,
    value,
    witness_model,
)

i, j, m = indices("i j m")
n, k, M = integers("n k M", positive=True)
half = Rational(1, 2)
quarter = Rational(1, 4)


def statements(*given):
    """Return hypotheses as terms, with those that declared signs abbreviate."""
    terms = [t for g in given for t in (*g.assumes, g.term)]
    return list(dict.fromkeys(terms))


def at(t, **values):
    """Return the value of a term at numbers given by name."""
    by_name = {v: x for v in t.term.free for name, x in values.items() if v[0] == name}
    return value(t.term, Model(by_name))


# ---------------------------------------------------------------------- numbers


class TestReals:
    def test_enclosures_contain_the_value(self):
        r = random.Random(7)
        pairs = ((exact.exp, mpmath.exp), (exact.log, mpmath.log), (exact.sqrt, mpmath.sqrt))
        with mpmath.workdps(120):
            for _ in range(400):
                q = Fraction(r.randint(-4000, 4000), r.randint(60, 300))
                for ours, theirs in pairs:
                    if q <= 0 and ours is not exact.exp:
                        continue
                    x, true = ours(q), theirs(mpmath.mpf(q.numerator) / q.denominator)
                    for bits in (64, 170):
                        low, high = exact.enclose(x, bits)
                        assert low <= true * 2**bits <= high
                        assert high - low <= 2**8 * (1 + true**2)

    def test_enclosures_of_nested_terms_contain_the_value(self):
        r, slack = random.Random(11), mpmath.mpf(10) ** -30  # of 120 digits, for rational values
        with mpmath.workdps(120):
            for _ in range(300):
                x = ours = Fraction(r.randint(1, 40), r.randint(1, 9))
                true = mpmath.mpf(x.numerator) / x.denominator
                for _ in range(4):
                    c = r.randint(1, 5)
                    which = r.randrange(5)
                    if which == 0 and true < 20:
                        ours, true = exact.exp(ours * -1) + c, mpmath.exp(-true) + c
                    elif which == 1:
                        ours, true = exact.log(ours + 1), mpmath.log(true + 1)
                    elif which == 2:
                        ours, true = exact.sqrt(ours + c), mpmath.sqrt(true + c)
                    elif which == 3:
                        ours, true = exact.inverse(ours + c), 1 / (true + c)
                    else:
                        ours, true = ours * ours + exact.sqrt(c), true * true + mpmath.sqrt(c)
                low, high = exact.enclose(ours, 128)
                assert low - slack <= true * 2**128 <= high + slack
                assert (high - low) < 2**64 * (1 + true)

    def test_signs_agree_with_many_digits(self):
        r = random.Random(5)
        decided = 0

        def draw(depth):
            if depth == 0:
                q = Fraction(r.randint(-5, 5), r.randint(1, 4))
                return q, mpmath.mpf(q.numerator) / q.denominator
            (x, true), (z, other) = draw(depth - 1), draw(depth - 1)
            which = r.randrange(6)
            if which == 0 and abs(true) < 30:
                return exact.exp(x), mpmath.exp(true)
            # What is zero by an identity is zero up to rounding for the many digits.
            zero = abs(true) < mpmath.mpf(10) ** -60
            if which == 1:
                return exact.log(x), mpmath.log(true) if true > 0 and not zero else mpmath.mpf(0)
            if which == 2:
                return exact.sqrt(x), mpmath.sqrt(true) if true > 0 and not zero else mpmath.mpf(0)
            if which == 3:
                return exact.inverse(x), mpmath.mpf(0) if zero else 1 / true
            return (x * z, true * other) if which == 4 else (x + z, true + other)

        with mpmath.workdps(100):
            for _ in range(3000):
                try:
                    x, true = draw(r.randint(1, 4))
                    found = exact.sign(x)
                except exact.Undecided:
                    continue
                if found is not None:
                    decided += 1
                    tiny = mpmath.mpf(10) ** -60
                    assert found == (0 if abs(true) < tiny else 1 if true > 0 else -1)
        assert decided > 2900

    @pytest.mark.parametrize(
        ("left", "right"),
        [
            (exact.exp(Fraction(-1, 2)) * exact.exp(Fraction(-1, 2)), exact.exp(-1)),
            (exact.log(6), exact.log(2) + exact.log(3)),
            (exact.sqrt(2) * exact.sqrt(2), 2),
            (exact.sqrt(Fraction(9, 4)), Fraction(3, 2)),
            (exact.exp(exact.log(Fraction(3, 7))), Fraction(3, 7)),
            (exact.log(exact.exp(Fraction(2, 3))), Fraction(2, 3)),
            (exact.exp(exact.log(3) * Fraction(1, 2)), exact.sqrt(3)),
            (exact.sqrt(12), 2 * exact.sqrt(3)),
            (exact.inverse(exact.sqrt(2)), exact.sqrt(Fraction(1, 2))),
            (exact.inverse(1 + exact.exp(1)) * (1 + exact.exp(1)), 1),
            (
                exact.inverse(1 + exact.exp(1)),
                exact.exp(-1) * exact.inverse(1 + exact.exp(-1)),
            ),
            (exact.sqrt(3 + 2 * exact.sqrt(2)), 1 + exact.sqrt(2)),
            (exact.log(exact.inverse(1 + exact.exp(2))), -exact.log(1 + exact.exp(2))),
            (exact.log(3 + 3 * exact.exp(2)), exact.log(3) + exact.log(1 + exact.exp(2))),
            (exact.exp(0), 1),
            (exact.log(1), 0),
        ],
    )
    def test_identities_are_decided(self, left, right):
        assert exact.sign(left - right) == 0
        assert exact.sign(left - right + Fraction(1, 10**30)) == 1

    @pytest.mark.parametrize(
        ("x", "expected"),
        [
            (exact.exp(1) - Fraction(271828182845904523536, 10**20), 1),
            (exact.exp(1) - Fraction(271828182845904523537, 10**20), -1),
            (exact.sqrt(2) + exact.sqrt(3) - exact.sqrt(10), -1),
            (exact.log(2) * 3 - 2, 1),
            (exact.exp(-500), 1),
            (exact.exp(-500) - exact.exp(-499), -1),
        ],
    )
    def test_signs(self, x, expected):
        assert exact.sign(x) == expected

    def test_logarithms_of_products_of_negative_logarithms(self):
        a, b = (exact.log(exact.log(Fraction(5, d))) for d in (4, 3))
        assert exact.sign(a) == exact.sign(b) == -1
        with mpmath.workdps(30):
            first, second = (mpmath.log(mpmath.log(mpmath.mpf(5) / d)) for d in (4, 3))
            assert float(exact.log(a * b)) == pytest.approx(float(mpmath.log(first * second)))
            assert float(exact.log(-3 * a)) == pytest.approx(float(mpmath.log(-3 * first)))

    def test_series_are_enclosed_without_spare_bits(self):
        with mpmath.workdps(60):
            for top in range(-20, 21):
                low, high = exact._artanh(Fraction(top, 61), 64)
                assert low <= mpmath.atanh(mpmath.mpf(top) / 61) * 2**64 <= high

    def test_zero_that_is_not_written_as_zero(self):
        root, same = exact.sqrt(3 + 2 * exact.sqrt(2)), 1 + exact.sqrt(2)
        assert exact.inverse(root - same) == exact.log(root - same) == 0
        assert exact.vanishes(root - same)
        assert not exact.vanishes(root + same)

    def test_what_is_equal_without_a_known_identity_is_undecided(self):
        # log of a sum that is a power: (1 + √2)² = 3 + 2√2, which the algebra does not factor.
        x = exact.log(3 + 2 * exact.sqrt(2)) - 2 * exact.log(1 + exact.sqrt(2))
        assert exact.sign(x) is None

    def test_total_functions_at_the_edge(self):
        assert exact.inverse(0) == 0
        assert exact.inverse(exact.sqrt(2) - exact.sqrt(2)) == 0
        assert exact.log(0) == exact.log(-3) == exact.sqrt(-2) == exact.sqrt(0) == 0
        assert exact.log(1 - exact.exp(1)) == 0


# ---------------------------------------------------------------------- terms


class TestValues:
    x, y, z = real_symbols("x y z")

    def test_arithmetic(self):
        x, y = self.x, self.y
        assert at(x + 2 * y - 1, x=3, y=Fraction(1, 2)) == 3
        assert at((x - y) ** 2 / y, x=3, y=2) == Fraction(1, 2)
        assert at(x**0, x=0) == 1
        assert at(x / y, x=3, y=0) == 0
        assert at(Abs(x), x=-3) == 3
        assert at(Max(x, y), x=-3, y=2) == 2
        assert at(Min(x, y), x=-3, y=2) == -3
        assert at(Max(exp(x), log(y)), x=1, y=2) == exact.exp(1)
        assert at(Abs(log(x)), x=Fraction(1, 2)) == exact.log(2)

    def test_total_functions(self):
        x = self.x
        assert at(log(x), x=0) == at(log(x), x=-1) == 0
        assert at(sqrt(x), x=-4) == at(sqrt(x), x=0) == 0
        assert at(sqrt(x), x=4) == 2
        assert at(exp(x), x=0) == 1

    @pytest.mark.parametrize(("count", "total", "factorial"), [(-3, 0, 1), (0, 0, 1), (3, 6, 6)])
    def test_ranges_may_be_empty(self, count, total, factorial):
        assert at(Sum(i, (i, 1, n)), n=count) == total
        assert at(Product(i, (i, 1, n)), n=count) == factorial

    def test_nested_ranges(self):
        a = real_family("a")
        t = Sum(a[i, j] * i, (j, 1, i), (i, 1, n))
        table = {(p, q): 10 * p + q for p in range(1, 4) for q in range(1, 4)}
        model = Model({("n", "Z", ()): 3, ("a", "R", ("Z", "Z")): table})
        assert value(t.term, model) == sum(
            p * table[p, q] for p in (1, 2, 3) for q in range(1, p + 1)
        )

    def test_vectors(self):
        u, v = vectors("u v")
        w = vector_family("w")
        model = witness_model({u: [3, 4], v: [1, 0], w: [[1, 1], [0, 2]], n: 2}, [w[1]])
        assert value(norm(u).term, model) == 5
        assert value(dot(u, 2 * v - u).term, model) == -19
        assert value(Sum(w[i], (i, 1, n)).term, model) == (1, 3)
        assert value(Sum(w[i], (i, 2, 1)).term, model) == (0, 0)
        assert holds(Eq(u - u, 0).term, model) is True
        assert holds(Eq(u, v).term, model) is False

    def test_expectations(self):
        X, Y = random_variables("X Y")
        model = witness_model({X: [(0, half), (1, half)], Y: [(2, quarter), (-2, 3 * quarter)]})
        assert value(expectation(X).term, model) == Fraction(1, 2)
        assert value(expectation(Y**2).term, model) == 4
        assert value(expectation(X * Y).term, model) == -Fraction(1, 2)
        assert value(probability(Ge(X + Y, 2)).term, model) == Fraction(1, 4)
        assert len(model.weights) == 4

    def test_random_families_and_vectors(self):
        X, u = random_family("X"), random_vectors("u")
        coin = [(0, half), (1, half)]
        given = {n: 2, X: [coin, coin], u: [([1, 0], half), ([0, 2], half)]}
        total = Sum(X[i], (i, 1, n))
        model = witness_model(given, [total, u])
        assert value(expectation(total**2).term, model) == Fraction(3, 2)
        assert value(expectation(norm2(u)).term, model) == Fraction(5, 2)

    def test_indicators(self):
        x = self.x
        assert at(indicator(Le(x, 0)), x=0) == 1
        assert at(indicator(Ne(x, 0)), x=0) == 0
        assert at(KroneckerDelta(i, j), i=2, j=2) == 1

    def test_matrices(self):
        A, B = matrices("A B", n, n)
        X = matrices("X", n, k)
        given = {n: 2, k: 1, A: [[1, 2], [3, 4]], B: [[1, 2], [2, 4]], X: [5, 6]}
        model = witness_model(given, [A, B, X])
        assert value((A * inverse(A)).term, model) == ((1, 0), (0, 1))
        assert value(inverse(B).term, model) == ((0, 0), (0, 0))
        assert value(trace(A * B).term, model) == 1 * 1 + 2 * 2 + 3 * 2 + 4 * 4
        assert value((X.T * X).term, model) == ((61,),)
        assert value((2 * A + identity(n) - zeros(n, n)).term, model) == ((3, 4), (6, 9))
        assert value(build("det", (), [A.term]), model) == -2
        assert value(build("det", (), [B.term]), model) == 0
        swapped = witness_model({n: 2, A: [[0, 1], [1, 0]]}, [A])
        assert value(build("det", (), [A.term]), swapped) == -1
        assert value(logdet(A * A).term, model) == exact.log(4)
        assert value(build("dim", ("n",)), model) == 2

    def test_functions(self):
        f = function("f")
        x = self.x
        for formula in (lambda s: s * s + exp(s), Lambda(x, x**2 + exp(x))):
            model = witness_model({f: formula})
            assert value(f(2).term, model) == 4 + exact.exp(2)

    def test_a_missing_value_is_an_error_and_undecided(self):
        a = real_family("a")
        model = witness_model({a: [1, 2], n: 3}, [a[1]])
        with pytest.raises(NoValue, match=r"a\[3\]"):
            value(Sum(a[i], (i, 1, n)).term, model)
        assert holds(for_each(i, 1, n, Gt(a[i], 0)).term, model) is None
        assert holds(for_each(i, 1, n, Gt(a[i], 1)).term, model) is False


class TestStatements:
    x, y = real_symbols("x y")

    def test_connectives_with_what_is_undecided(self):
        x = self.x
        model = Model({("x", "R", ()): 1})
        unknown, true, false = Gt(self.y, 0), Gt(x, 0), Lt(x, 0)
        deriv = Expr(variable("x")).term
        undecided = build("deriv", (), [build("b", (0, "R")), deriv, deriv])
        assert holds(undecided, model) is None
        for op, p, q, expected in [
            ("&", false.term, undecided, False),
            ("&", true.term, undecided, None),
            ("|", undecided, true.term, True),
            ("|", undecided, false.term, None),
            ("->", undecided, true.term, True),
            ("->", undecided, false.term, None),
            ("->", false.term, undecided, True),
            ("->", true.term, undecided, None),
        ]:
            assert holds(build(op, (), [p, q]), model) is expected
        assert holds(unknown.term, model) is None
        assert holds(build("F"), model) is False

    def test_ranges_are_gone_through(self):
        a = real_family("a")
        rising = for_each(i, 1, n, for_each(j, 1, i, Le(a[j], a[i])))
        for table, expected in (([1, 2, 3], True), ([1, 3, 2], False)):
            model = witness_model({a: table, n: 3}, [rising])
            assert holds(rising.term, model) is expected
        assert holds(rising.term, witness_model({a: [], n: 0}, [rising])) is True

    def test_declared_signs_hold_where_values_are_given(self):
        a = real_family("a", positive=True)
        (sign,) = a[1, 2].assumes
        for table, expected in (({(0, 1): 1, (4, 2): 3}, True), ({(0, 1): 1, (1, 1): 0}, False)):
            assert holds(sign, witness_model({a: table}, [sign])) is expected
        assert holds(sign, Model()) is None

    def test_statements_about_all_integers_that_link_indices_are_not_decided(self):
        a = real_family("a")
        linked = build("all", ("Z",), [build("<", (), [
            variable("a", "R", [build("b", (0, "Z"))]),
            variable("a", "R", [build("+", (), [build("b", (0, "Z")), build("z", (1,))])]),
        ])])  # fmt: skip
        assert holds(linked, witness_model({a: [1, 2]}, [linked])) is None
        assert holds(linked, witness_model({a: [2, 1]}, [linked])) is False

    def test_outcomes_are_gone_through(self):
        X = random_variables("X")
        outcome = build("b", (0, "W"))
        at_most_one = build("<=", (), [variable("X", "R", [outcome]), number(1)])
        always = build("all", ("W",), [at_most_one])
        assert holds(always, witness_model({X: [(0, half), (1, half)]})) is True
        assert holds(always, witness_model({X: [(0, half), (2, half)]})) is False

    @pytest.mark.parametrize("sort", ["R", "V"])
    def test_for_all_numbers_only_a_failure_is_certain(self, sort):
        bound = build("b", (0, sort))
        size = build("dot", (), [bound, bound]) if sort == "V" else build("exp", (), [bound])
        model = Model()
        small = build("all", (sort,), [build("<=", (), [size, number(1)])])
        large = build("all", (sort,), [build("<=", (), [number(-1), size])])
        assert holds(small, model) is False
        assert holds(large, model) in (None, True)

    def test_undecidable_equation_is_not_guessed(self):
        equation = Eq(log(3 + 2 * sqrt(2 * self.x)), 2 * log(1 + sqrt(2 * self.x)))
        assert holds(equation.term, Model({("x", "R", ()): 1})) is None
        assert holds(equation.term, Model({("x", "R", ()): 2})) is False
        each = for_each(i, 1, 2, equation)
        assert holds(each.term, Model({("x", "R", ()): 1})) is None


# ---------------------------------------------------------------------- theorems of the book

theta, phi, x, axis = vector_family("theta phi x e")
label = real_family("y")
chosen = integer_family("a")
target, before, point, on_plane, u, v = vectors("theta^* theta x p u v")
R, y, a, offset = real_symbols("R y a theta_0")
gamma = real_symbols("gamma", positive=True)

START = Eq(theta[0], 0)
UPDATES = for_each(j, 1, k, Eq(theta[j], theta[j + (-1)] + label[j] * x[j]))
LABELS = for_each(j, 1, k, Eq(label[j] ** 2, 1))
MISTAKES = for_each(j, 1, k, Le(label[j] * dot(theta[j + (-1)], x[j]), 0))
RADIUS = for_each(j, 1, k, Le(norm2(x[j]), R**2))
MARGIN = for_each(j, 1, k, Ge(label[j] * dot(target, x[j]), gamma))
RUN = {
    theta: {0: [0, 0], 1: [1, 0], 2: [1, 1]},
    x: [[1, 0], [0, 1]],
    label: [1, 1],
    target: [1, 1],
    gamma: 1,
    R: 1,
    k: 2,
}
AXES = for_each(i, 1, n, for_each(j, 1, n, Eq(dot(axis[i], axis[j]), KroneckerDelta(i, j))))
APART = for_each(i, 1, n, for_each(j, 1, n, Eq(dot(axis[i], x[j]), 0)))
SIGNS = for_each(i, 1, n, Eq(label[i] ** 2, 1))
CHOSEN = [for_each(j, 1, k, Ge(chosen[j], 1)), for_each(j, 1, k, Le(chosen[j], n))]
OWN = [
    START,
    for_each(
        j, 1, k,
        Eq(theta[j], theta[j + (-1)] + label[chosen[j]] * (x[chosen[j]] + axis[chosen[j]])),
    ),
    AXES,
    APART,
    SIGNS,
    *CHOSEN,
]  # fmt: skip
OWN_RUN = {
    n: 2,
    k: 2,
    chosen: [1, 2],
    theta: {0: [0, 0, 0], 1: [1, 0, 0], 2: [1, -1, 0]},
    x: [[0, 0, 0], [0, 0, 0]],
    axis: [[1, 0, 0], [0, 1, 0]],
    label: [1, -1],
}

h, alpha, w, epsilon, mu = real_family("h alpha w epsilon mu")
Z = real_family("Z", positive=True)
p, q, s, c, P, error, vote = real_symbols("p q s c P epsilon alpha")
ROUND_FACTOR = exp(-alpha[m] * label[i] * h[m, i])
FIRST_WEIGHTS = for_each(i, 1, n, Eq(w[0, i], 1 / n))
REWEIGHTED = for_each(m, 1, M, for_each(i, 1, n, Eq(w[m, i], w[m + (-1), i] * ROUND_FACTOR / Z[m])))
NORMALISED = for_each(m, 1, M, Eq(Z[m], Sum(w[m + (-1), i] * ROUND_FACTOR, (i, 1, n))))
WRONG = indicator(Ne(label[i], h[m, i]))
ROUNDS = [
    SIGNS,
    for_each(m, 1, M, for_each(i, 1, n, Eq(h[m, i] ** 2, 1))),
    FIRST_WEIGHTS,
    REWEIGHTED,
    NORMALISED,
    for_each(m, 1, M, Eq(epsilon[m], Sum(w[m + (-1), i] * WRONG, (i, 1, n)))),
    for_each(m, 1, M, Gt(epsilon[m], 0)),
    for_each(m, 1, M, Lt(epsilon[m], 1)),
    for_each(m, 1, M, Eq(alpha[m], log((1 - epsilon[m]) / epsilon[m]) / 2)),
]
ONE_ROUND = {
    n: 4,
    M: 1,
    label: [1, 1, 1, -1],
    h: {(1, t): 1 for t in (1, 2, 3, 4)},
    alpha: [log(3) / 2],
    Z: [sqrt(3) / 2],
    w: {
        **{(0, t): quarter for t in (1, 2, 3, 4)},
        **{(1, t): Rational(1, 6) for t in (1, 2, 3)},
        (1, 4): half,
    },
    epsilon: [quarter],
}

WITNESSES = {
    "convergence": ([START, UPDATES, LABELS, MISTAKES, RADIUS, MARGIN], RUN),
    "alignment": ([START, UPDATES, MARGIN], RUN),
    "norm growth": (
        [Eq(y**2, 1), Le(y * dot(before, point), 0), Le(norm2(point), R**2)],
        {y: 1, before: [1, 0], point: [0, 1], R: 1},
    ),
    "hyperplane": (
        [Gt(norm2(before), 0), Eq(dot(before, on_plane) + offset, 0)],
        {before: [3, 4], offset: -10, on_plane: [2, 1]},
    ),
    "right side": ([Eq(y**2, 1), Ge(y * a, 0)], {y: -1, a: -2}),
    "equality in Cauchy-Schwarz": (
        [Eq(Abs(dot(u, v)), norm(u) * norm(v))],
        {u: [1, 2], v: [-3, -6]},
    ),
    "own axes": (OWN, OWN_RUN),
    "rounds": (ROUNDS, ONE_ROUND),
    "weights": ([FIRST_WEIGHTS, REWEIGHTED, NORMALISED], ONE_ROUND),
    "margins": (
        [Eq(Sum(exp(-mu[i]), (i, 1, n)) / n, P)],
        {n: 2, mu: [0, log(2)], P: Rational(3, 4)},
    ),
    "one vote": ([Eq(p**2, 1), Eq(q**2, 1)], {p: 1, q: -1}),
    "best vote": (
        [Gt(error, 0), Lt(error, 1), Eq(exp(2 * vote), (1 - error) / error)],
        {error: quarter, vote: log(3) / 2},
    ),
    "small x": ([Lt(s, 1), Eq(log(s), -1)], {s: exp(-1)}),
    "logistic gradient": (
        [Eq(dot(u, v), -2 / (1 + exp(c)))],
        {u: [-2 / (1 + exp(1)), 1 / (1 + exp(1))], v: [1, 0], c: 1},
    ),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_witnesses_of_the_book_hold(name):
    given, witness = WITNESSES[name]
    hypotheses = statements(*given)
    check_witness(name, hypotheses, witness_model(witness, hypotheses))


SPOILED = {
    "convergence": {k: 3},
    "alignment": {gamma: 2},
    "norm growth": {R: half},
    "hyperplane": {offset: -9},
    "right side": {a: 2},
    "equality in Cauchy-Schwarz": {v: [-3, -5]},
    "own axes": {chosen: [1, 3]},
    "rounds": {alpha: [log(2)]},
    "weights": {Z: [sqrt(2) / 2]},
    "margins": {P: Rational(2, 3)},
    "one vote": {q: 2},
    "best vote": {vote: log(3)},
    "small x": {s: exp(-2)},
    "logistic gradient": {c: 2},
}


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_witnesses_are_refused(name):
    given, witness = WITNESSES[name]
    hypotheses = statements(*given)
    spoiled = witness_model({**witness, **SPOILED[name]}, hypotheses)
    with pytest.raises(Vacuous, match=f'witness of "{name}"'):
        check_witness(name, hypotheses, spoiled)


class TestWitnesses:
    def test_the_sentence_says_what_fails_and_where(self):
        hypotheses = statements(START, UPDATES)
        model = witness_model({**RUN, x: [[1, 0], [0, 2]]}, hypotheses)
        with pytest.raises(
            Vacuous, match=r"for j = 2 the left side is \(1, 1\) and the right side is \(1, 2\)"
        ):
            check_witness("run", hypotheses, model)

    def test_a_missing_symbol_is_named(self):
        hypotheses = statements(MARGIN)
        for name in (target, label, k, gamma):
            given = {key: value for key, value in RUN.items() if key != name}
            with pytest.raises(Vacuous, match="no value for"):
                check_witness("run", hypotheses, witness_model(given, hypotheses))

    def test_what_cannot_be_decided_is_refused(self):
        equation = Eq(log(3 + 2 * sqrt(s)), 2 * log(1 + sqrt(s)))
        with pytest.raises(Vacuous, match="cannot be decided"):
            check_witness("roots", [equation.term], witness_model({s: 2}))

    def test_declared_signs_count(self):
        (positive,) = gamma.assumes
        with pytest.raises(Vacuous, match="the right side is 0"):
            check_witness("sign", [positive], witness_model({gamma: 0}))

    def test_names_and_plain_numbers_are_understood(self):
        hypotheses = statements(START, UPDATES, MARGIN)
        by_name = {
            "theta": {0: [0, 0], 1: [Fraction(1, 2), 0]},
            "x": [[0.5, 0]],
            "y": [1],
            "theta^*": [2, 2],
            "gamma": 1,
            "k": 1,
        }
        check_witness("named", hypotheses, witness_model(by_name, hypotheses))

    @pytest.mark.parametrize(
        ("witness", "message"),
        [
            ({u: 3}, "is a vector"),
            ({u: [1, 2], v: [1, 2, 3]}, "mixes vectors of length 2 and 3"),
            ({n: half}, "the integer n"),
            ({y: "one"}, "not a number"),
            ({y: True}, "not a number"),
            ({y: float("nan")}, "not a number"),
            ({y: [1, 2]}, "not a number"),
            ({mu: 3}, "the family mu the single value"),
            ({random_variables("X"): [(0, half), (1, quarter)]}, "not those of a law"),
            ({random_variables("X"): [(0, 2), (1, -1)]}, "not those of a law"),
            ({random_variables("X"): 3}, "list of"),
            ({matrices("A", n, n): [[1, 2], [3]]}, "not of one length"),
            ({matrices("A", n, n): [[1, 2]]}, "a side 2"),
            ({n: 3, matrices("A", n, n): [[1, 2], [3, 4]]}, "n = 3"),
            ({3: 4}, "not a symbol"),
            ({function("f"): lambda s: s * y}, "not a function"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, witness, message):
        with pytest.raises(Vacuous, match=message):
            witness_model(witness, [])


# ---------------------------------------------------------------------- counterexamples

CONVERGENCE = statements(START, UPDATES, LABELS, MISTAKES, RADIUS, MARGIN)
ADABOOST = statements(FIRST_WEIGHTS, REWEIGHTED, NORMALISED)
score = Sum(alpha[m] * h[m, i], (m, 1, M))
normalisers = Product(Z[m], (m, 1, M))
loss = Sum(exp(-label[i] * score), (i, 1, n)) / n
A, B = matrices("A B", n, n)
X = matrices("X", n, k)
HINGE = [
    Eq(Sum(alpha[i] * label[i], (i, 1, n)), 0),
    Eq(u, Sum(alpha[i] * label[i] * x[i], (i, 1, n))),
]
LAW = statements(for_each(i, 1, n, Ge(p_i := real_family("p")[i], 0)), Eq(Sum(p_i, (i, 1, n)), 1))

FALSE = {
    "norm without square": (CONVERGENCE, Le(norm2(theta[k]), k * R), RUN),
    "norm too small": (CONVERGENCE, Le(norm2(theta[k]), (k + (-1)) * R**2), RUN),
    "alignment too large": (CONVERGENCE, Ge(dot(theta[k], target), k * gamma + 1), RUN),
    "strict bound": (CONVERGENCE, Lt(k, R**2 * norm2(target) / gamma**2), RUN),
    "bound without radius": (CONVERGENCE, Le(k, norm2(target) / gamma**2), None),
    "bound without square": (CONVERGENCE, Le(k, R**2 * norm2(target) / gamma), RUN),
    "growth without the mistake": (
        statements(Eq(y**2, 1), Le(norm2(point), R**2)),
        Le(norm2(before + y * point), norm2(before) + R**2),
        None,
    ),
    "distance": (
        statements(Eq(dot(before, on_plane) + offset, 0)),
        Le(norm2(on_plane), offset**2),
        None,
    ),
    "Cauchy-Schwarz reversed": ([], Ge(Abs(dot(u, v)), norm(u) * norm(v)), None),
    "root of a square": ([], Eq(sqrt(s**2), s), None),
    "cancelling": ([], Eq(s / s, 1), None),
    "loss is twice the normalisers": (ADABOOST, Eq(loss, 2 * normalisers), ONE_ROUND),
    "loss below": (ADABOOST, Lt(loss, normalisers), None),
    "unnormalised": (
        ADABOOST,
        Le(Sum(indicator(Le(label[i] * score, 0)), (i, 1, n)) / n, normalisers**2),
        None,
    ),
    "hinge": (statements(*HINGE), Ge(Sum(alpha[i], (i, 1, n)), norm2(u)), None),
    "mean of a law": (LAW, Le(Sum(p_i**2, (i, 1, n)), half), None),
    "squares of a law": (LAW, Ge(Sum(p_i**2, (i, 1, n)), 1), None),
    "exponential": ([], Le(exp(s), 1 + s + s**2), None),
    "variance": (
        [],
        Eq(expectation(random_variables("X") ** 2), expectation(random_variables("X")) ** 2),
        None,
    ),
    "matrices commute": ([], Eq(A * B, B * A), None),
    "either": (statements(Or(Eq(y, 1), Eq(y, -1))), Eq(y, 1), None),
    "different": (statements(Ne(y, 0), Le(y, 3)), Gt(y, 0), None),
    "for each": (
        statements(for_each(i, 1, n, Gt(mu[i], 0))),
        for_each(i, 1, n, Gt(mu[i], 1)),
        None,
    ),
    "both": ([], And(Ge(s**2, 0), Ge(s, 0)), None),
}

TRUE = {
    "norm": (CONVERGENCE, Le(norm2(theta[k]), k * R**2), RUN),
    "alignment": (CONVERGENCE, Ge(dot(theta[k], target), k * gamma), RUN),
    "bound": (CONVERGENCE, Le(k, R**2 * norm2(target) / gamma**2), RUN),
    "growth": (
        statements(Eq(y**2, 1), Le(y * dot(before, point), 0), Le(norm2(point), R**2)),
        Le(norm2(before + y * point), norm2(before) + R**2),
        None,
    ),
    "Cauchy-Schwarz": ([], Le(Abs(dot(u, v)), norm(u) * norm(v)), None),
    "loss": (ADABOOST, Eq(loss, normalisers), ONE_ROUND),
    "error": (
        ADABOOST,
        Le(Sum(indicator(Le(label[i] * score, 0)), (i, 1, n)) / n, normalisers),
        ONE_ROUND,
    ),
    "law": (LAW, Le(Sum(p_i**2, (i, 1, n)), 1), None),
    "exponential": ([], Ge(exp(s), 1 + s), None),
    "variance": (
        [],
        Ge(expectation(random_variables("X") ** 2), expectation(random_variables("X")) ** 2),
        None,
    ),
    "push-through": (
        [],
        Eq(inverse(identity(k) + X.T * X) * X.T, X.T * inverse(identity(n) + X * X.T)),
        None,
    ),
    "contradiction": (statements(Gt(y, 1), Lt(y, 0)), Eq(y, 5), None),
}


class TestCounterexamples:
    @pytest.mark.parametrize("name", FALSE)
    def test_false_lines_get_one(self, name):
        hypotheses, goal, witness = FALSE[name]
        start = witness_model(witness, [*hypotheses, goal]) if witness else None
        found = counterexample(hypotheses, goal, start, tries=60, seconds=60)
        assert found is not None
        assert all(holds(h, found) is True for h in hypotheses)
        assert holds(goal.term, found) is False
        text, values = describe(goal, hypotheses, found)
        assert "this line is false" in text
        assert {v[0] for v in goal.term.free} <= {
            name.split("[")[0].split(" ")[0] for name in values
        }

    @pytest.mark.parametrize("name", TRUE)
    def test_true_lines_get_none(self, name):
        hypotheses, goal, witness = TRUE[name]
        start = witness_model(witness, [*hypotheses, goal]) if witness else None
        assert counterexample(hypotheses, goal, start, tries=40, seconds=60) is None

    def test_the_search_finds_the_same_every_time(self):
        hypotheses, goal, _ = FALSE["hinge"]
        first, second = (counterexample(hypotheses, goal, seconds=60) for _ in range(2))
        assert first.values == second.values

    def test_hypotheses_about_all_numbers_allow_no_counterexample(self):
        bound = build("b", (0, "R"))
        f = variable("f", "R", [bound])
        nonnegative = build("all", ("R",), [build("<=", (), [number(0), f])])
        assert counterexample([nonnegative], Gt(function("f")(0), 1)) is None

    def test_the_description_names_sides_as_they_were_written(self):
        found = witness_model({s: 2})
        text, values = describe(Ge(1 / s, 3 * s), [], found)
        assert "s = 2\nthe left side is 1/2 and the right side is 6" in text
        assert values == {"s": "2"}
        assert "hypothesis" not in text

    def test_the_description_shows_irrational_sides(self):
        text, _ = describe(Eq(exp(s), 1), [Gt(s, 0).term], witness_model({s: 1}))
        assert (
            "the left side is 2.7182818 and the right side is 1,\nwhile every hypothesis holds"
            in text
        )


def test_long_sums_agree_with_python():
    r = random.Random(3)
    b = real_family("b")
    for _ in range(50):
        numbers = [Fraction(r.randint(-9, 9), r.randint(1, 9)) for _ in range(r.randint(0, 6))]
        model = witness_model({b: numbers, n: len(numbers)}, [b[1]])
        assert value(Sum(b[i], (i, 1, n)).term, model) == sum(numbers)
        product = reduce(lambda a, b: a * b, numbers, Fraction(1))
        assert value(Product(b[i], (i, 1, n)).term, model) == product


class TestStatementsOfDegreeTwo:
    def definite(self, strictly):
        """State that A is positive semidefinite, or definite."""
        z = build("b", (0, "M:n:1"))
        form = build("tr", (), [build("mm", (), [build("T", (), [z]), A.term, z])])
        if not strictly:
            return build("all", ("M:n:1",), [build("<=", (), [number(0), form])])
        zero = build("=", (), [z, build("zero", ("M:n:1",))])
        nonzero = build("->", (), [zero, build("F")])
        positive = build("<", (), [number(0), form])
        return build("all", ("M:n:1",), [build("->", (), [nonzero, positive])])

    @pytest.mark.parametrize(
        ("rows", "semidefinite", "definite"),
        [
            ([[2, 1], [1, 2]], True, True),
            ([[1, 2], [2, 4]], True, False),
            ([[1, 2], [2, 3]], False, False),
            ([[0, 0], [0, 0]], True, False),
            ([[0, 1], [1, 5]], False, False),
            ([[0, 1], [-1, 0]], True, False),
            ([[sqrt(2), 1], [1, sqrt(2) / 2]], True, False),
            ([[sqrt(2), 1], [1, 1]], True, True),
            ([[1, 2, 3], [2, 5, 7], [3, 7, 10]], True, False),
            ([[1, 2, 3], [2, 5, 7], [3, 7, 11]], True, True),
            ([[1, 2, 3], [2, 5, 7], [3, 7, Rational(99, 10)]], False, False),
        ],
    )
    def test_definite_matrices(self, rows, semidefinite, definite):
        model = witness_model({A: rows, n: len(rows)}, [A])
        assert holds(self.definite(False), model) is semidefinite
        assert holds(self.definite(True), model) is definite

    def test_parabolas(self):
        z = Expr(build("b", (0, "R")))

        def everywhere(relation):
            return holds(build("all", ("R",), [relation.term]), Model({("s", "R", ()): 3}))

        assert everywhere(Ge(z**2 - 2 * z + 1, 0)) is True
        assert everywhere(Gt(z**2 - 2 * z + 1, 0)) is False
        assert everywhere(Gt(z**2 - 2 * z + 2, 0)) is True
        assert everywhere(Ge(z**2 - 2 * z + Rational(99, 100), 0)) is False
        assert everywhere(Gt(s, 0 * z)) is True
        assert everywhere(Ge(z, 0)) is False
        assert everywhere(Eq((z + s) ** 2, z**2 + 6 * z + 9)) is True
        assert everywhere(Eq((z + s) ** 2, z**2 + 6 * z + 8)) is False
        assert everywhere(Ge(z**4, 0)) is None
        assert everywhere(Ge(z**3, 0)) is False

    def test_vectors(self):
        z = Expr(build("b", (0, "V")))
        model = witness_model({u: [3, 4], v: [0, 0]})
        for relation, expected in [
            (Ge(norm2(z - u), 0), True),
            (Ge(norm2(z) + 25, 2 * dot(u, z)), True),
            (Ge(norm2(z) + 24, 2 * dot(u, z)), False),
            (Ge(norm2(z), dot(z, u)), False),
            (Eq(dot(z, v), 0), True),
            (Eq(dot(z, u), 0), False),
        ]:
            assert holds(build("all", ("V",), [relation.term]), model) is expected

    def test_a_false_line_about_a_definite_matrix_gets_a_counterexample(self):
        B_minus = Le(trace(A), 1)
        found = counterexample([self.definite(True)], B_minus, tries=60, seconds=60)
        assert found is not None
        assert counterexample([self.definite(True)], Gt(trace(A), 0), seconds=60) is None


@pytest.mark.parametrize(
    "x",
    [
        reals("x", positive=True, negative=True),
        reals("x", nonnegative=True, negative=True),
        reals("x", nonnegative=True, nonpositive=True, nonzero=True),
        integers("x", positive=True, nonpositive=True),
        real_family("x", positive=True, nonpositive=True)[1],
        reals("x", positive=True) + 0 * reals("x", negative=True),
    ],
    ids=str,
)
def test_declared_signs_that_exclude_each_other_prove_nothing(x):
    with pytest.raises(Vacuous, match="signs of x exclude each other"):
        Derivation("nothing").start(x).at_most(x - 1).qed()


def test_declared_signs_that_leave_a_number_are_fine():
    x = reals("x", nonnegative=True, nonpositive=True)
    assert Derivation("zero").start(x).equals(0).qed().mark == "proved"
    y = reals("y", nonnegative=True, nonzero=True)
    assert Derivation("positive").start(y / 2).less_than(y).qed().mark == "proved"
