"""Attacks on single rules and methods: what they prove is so, what is not so they refuse."""

import contextlib

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Lambda,
    Le,
    Lt,
    Ne,
    Product,
    ProofError,
    Rational,
    Sum,
    Undefined,
    Unproved,
    apply,
    cases,
    derivations,
    derivative,
    dot,
    exp,
    for_each,
    function,
    grad,
    impossible,
    indicator,
    indices,
    induction,
    integers,
    let,
    log,
    matrices,
    monotone,
    random_variables,
    real_family,
    reals,
    second_order,
    sqrt,
    trace,
    using,
    vectors,
    zeros,
)

a, g, y = reals("a g y")
b, z = reals("b z")
BETWEEN = [Le(a, z), Le(z, b), Lt(a, b)]
INSIDE = {a: 0, b: 3, z: 1}
SIGNS = [Eq(y**2, 1), Eq(g**2, 1)]
WITNESS = {y: 1, g: -1}


def test_terms_apart_from_zero_whose_product_is_zero_contradict_each_other():
    theorem = impossible("no third root", given=[Eq(y**2, 1), Ne(y, 1), Ne(y, -1)])
    assert theorem.mark == "proved"


def test_a_hypothesis_is_multiplied_by_what_its_own_multiples_contain():
    theorem = impossible("0 = 1", given=[Le(y**2, 0), Eq(1 + 2 * g * y, 0)])
    assert theorem.mark == "proved"


@pytest.mark.parametrize(
    "given",
    [
        [Eq(y**2, 1), Ne(y, 1)],
        [Eq(y**2, 4), Ne(y, 1), Ne(y, -1)],
        [Ne(y, 1), Ne(y, -1)],
        [Eq(y * g, 0), Ne(y, 0)],
        [Le(y**2, 1), Eq(1 + 2 * g * y, 0)],
    ],
)
def test_terms_apart_from_zero_that_can_be_so_do_not(given):
    with pytest.raises(ProofError):
        impossible("possible", given=given)


def test_two_signs_are_equal_or_opposite():
    line = Derivation("signs", given=SIGNS, witness=WITNESS).start(y * g)
    line = line.equals(
        1 - 2 * indicator(Ne(y, g)), because="by cases", by=cases(Eq(y, g), Eq(y, -g))
    )
    assert line.qed().mark == "proved"


def test_cases_that_leave_a_sign_out_are_refused():
    line = Derivation("signs", given=SIGNS, witness=WITNESS).start(y * g)
    with pytest.raises(ProofError):
        line.equals(-1, because="only one case", by=cases(Eq(y, -g)))
    line = Derivation("signs", given=SIGNS, witness=WITNESS).start(y * g)
    with pytest.raises(ProofError):
        line.equals(-1 + a - a, because="unequal", by=cases(Ne(y, g)))


def test_equal_arguments_have_equal_values():
    given, witness = [Eq(y * g, 1)], {y: 2, g: Rational(1, 2)}
    line = Derivation("congruence", given=given, witness=witness)
    line.start(exp(-a * y * g)).equals(exp(-a), because="y g = 1", by=monotone(exp))
    assert line.steps[0].method == "monotone"


def test_unequal_arguments_and_roots_of_another_sign_are_refused():
    given, witness = [Eq(y * g, 1)], {y: 2, g: Rational(1, 2)}
    line = Derivation("congruence", given=given, witness=witness).start(exp(-a * y * g))
    with pytest.raises(ProofError):
        line.equals(exp(a), because="wrong sign", by=monotone(exp))
    line = Derivation("roots", given=[Ge(y**2, 0)], witness={y: 2}).start(sqrt(y**2))
    with pytest.raises(ProofError):
        line.equals(y, because="only for y ≥ 0", by=monotone(sqrt))
    line = Derivation("logs", given=[Lt(y, 0)], witness={y: -2}).start(y)
    with pytest.raises(ProofError):
        line.equals(-y, because="no logarithm", by=monotone(exp))


@pytest.mark.parametrize(
    ("numerator", "power"), [(b - z, 1), (z - a, 1), (a - z, 2), ((z - b) * (a - b), 2)]
)
def test_a_denominator_known_by_its_sign_is_cleared(numerator, power):
    sign = 1 if power == 1 else -1 if numerator == a - z else 1
    d = Derivation("ratio", given=BETWEEN, witness=INSIDE).start(
        sign * numerator / (b - a) ** power
    )
    assert d.at_least(0, because="both have the same sign").qed().mark == "proved"


@pytest.mark.parametrize("power", [1, 2])
def test_clearing_a_denominator_never_turns_a_sign_round(power):
    for denominator in (b - a, a - b):
        truth = 1 if denominator == b - a or power == 2 else -1
        for numerator in (b - z, z - b):
            value = truth * (1 if numerator == b - z else -1)
            d = Derivation("ratio", given=BETWEEN, witness=INSIDE)
            d.start(numerator / denominator**power)
            if value > 0:
                d.at_least(0, because="same sign")
            else:
                with pytest.raises(ProofError):
                    d.at_least(0, because="opposite signs")


# Each of these, or one like it, was once a theorem. They are offered to the rules alone, without
# the search for counterexamples, so that none is refused for its falsity only.
i, j, k, other = indices("i j k i'")
marked, generic = indices("i'' i^o")
n, m = integers("n m", positive=True)
N = integers("N", nonnegative=True)
x, c = reals("x c")
p, d, e = real_family("p d e")
above = real_family("above", nonnegative=True)
u, v = vectors("u v")
S = matrices("S", m, m, symmetric=True)
M, U = matrices("M U", m, m)
f = function("f", nonnegative_curvature=True)
bent = function("f", convex=True)
plain, slope, rising = function("h"), function("f'"), function("r", increasing=True)
X, Y = random_variables("X Y")


@contextlib.contextmanager
def unsearched():
    """Switch the search for counterexamples off, so that only the rules stand in the way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derivations, "counterexample", lambda *_, **__: None)
        yield


def chain(left, relation, right, by=None, given=(), witness=None):
    """Return the theorem of one line."""
    with unsearched():
        line = Derivation("t", given=list(given), witness=witness).start(left)
        return getattr(line, relation)(right, because="?", by=by).qed()


def tangent():
    return chain(f(y), "at_least", f(x) + derivative(f)(x) * (y - x), second_order(y, at=x))


def nonnegative_sum():
    return chain(Sum(above[i], (i, 1, N)), "at_least", 0)


def scaled_sums():
    product = c * Sum(p[i], (i, 1, N)) * Sum(d[i], (i, 1, N))
    return chain(Sum(c * p[i] * d[other], (i, 1, N), (other, 1, N)), "equals", product)


def rows(family):
    return {family: {(r, s): 1 for r in (1, 2) for s in (1, 2)}}


ATTACKS = {
    "any matrix for a symmetric one, by let": lambda: chain(M.T, "equals", M, let(S, M)),
    "any matrix for a symmetric one, by apply": lambda: chain(
        M.T, "equals", M, apply(chain(S.T, "equals", S), {S: M})
    ),
    "a product of symmetric matrices for a symmetric one": lambda: chain(
        (S * (M + M.T)).T,
        "equals",
        S * (M + M.T),
        let(matrices("R", m, m, symmetric=True), S * (M + M.T)),
    ),
    "a vector for a number": lambda: chain(dot(u, v) ** 2, "equals", dot(u, u), let(reals("r"), u)),
    "a matrix for one of another shape": lambda: chain(
        trace(M), "equals", 1, let(matrices("one", 1, 1), M)
    ),
    "induction from where the claim has no value": lambda: chain(
        N + x**2, "greater_than", 0, induction(Ge(1 / (N + x**2), 0), N)
    ),
    "induction from where the claim has no logarithm": lambda: chain(
        N + x**2, "greater_than", 0, induction(Ge(exp(log(N + x**2)), 0), N)
    ),
    "induction over a root that need not exist": lambda: chain(
        N + x, "at_least", 0, induction(Ge(sqrt(N + x), 0), N)
    ),
    "a derivative without its function": lambda: chain(
        f(y), "at_least", f(x) + plain(x) * (y - x), apply(tangent(), {derivative(f): plain})
    ),
    "the derivative of another function": lambda: chain(
        f(y),
        "at_least",
        f(x) + derivative(other_convex())(x) * (y - x),
        apply(tangent(), {derivative(f): derivative(other_convex())}),
    ),
    "a function with the derivative of another": lambda: chain(
        other_convex()(y),
        "at_least",
        other_convex()(x) + derivative(f)(x) * (y - x),
        apply(tangent(), {f: other_convex(), derivative(f): derivative(f)}),
    ),
    "a free index that is also the one of a hypothesis": lambda: chain(
        d[i, k],
        "at_least",
        0,
        given=[for_each(i, 1, n, Ge(d[i, i], 0)), Ge(k, 1), Le(k, n)],
        witness={**rows(d), n: 2, k: 1, i: 1},
    ),
    "a sum of what is known for one index": lambda: chain(
        Sum(d[i], (i, 1, n)), "at_least", 0, given=[Ge(d[i], 0)], witness={d: [1, 1], i: 1}
    ),
    "a product of what is known for one index": lambda: chain(
        Product(d[i], (i, 1, n)), "greater_than", 0, given=[Gt(d[i], 0)], witness={d: [1] * 4, i: 1}
    ),
    "a double sum of what is known for one index": lambda: chain(
        Sum(d[i] + j**2, (j, 1, n), (i, 1, n)),
        "at_least",
        0,
        given=[Ge(d[i], 0)],
        witness={d: [1, 1], i: 1},
    ),
    "an index that another sum of the theorem catches": lambda: chain(
        Sum(d[i] * p[j] * d[j], (j, 1, N)) * N,
        "equals",
        d[i] * Sum(p[j], (j, 1, N)) * Sum(d[j], (j, 1, N)),
        apply(scaled_sums(), {c: d[i]}),
    ),
    "a family whose name is that of a generic index": lambda: chain(
        Sum(d[j] - d[generic], (j, 1, N)),
        "at_least",
        0,
        apply(nonnegative_sum(), {above: Lambda(i, d[i] - d[generic])}),
    ),
    "a family whose own sum catches its index": lambda: chain(
        N * Sum(e[j, j], (j, 1, N)),
        "at_most",
        1 + Sum(e[k, j], (j, 1, N), (k, 1, N)),
        apply(
            chain(Sum(p[j], (j, 1, N)), "at_most", 1 + Sum(p[k], (k, 1, N))),
            {p: Lambda(i, Sum(e[i, j], (j, 1, N)))},
        ),
    ),
    "the kernel's own vector": lambda: chain(
        u, "equals", 0, given=[Eq(dot(vectors("·h"), u), 0)], witness={"·h": [1, 0], u: [0, 0]}
    ),
    "the vector that now has its name": lambda: chain(
        u, "equals", 0, given=[Eq(dot(vectors("h"), u), 0)], witness={"h": [1, 0], u: [0, 0]}
    ),
    "the kernel's own matrix": lambda: chain(
        U,
        "equals",
        zeros(m, m),
        given=[Eq(trace(matrices("·H", m, m).T * U), 0)],
        witness={m: 1, "·H": [[1]], U: [[0]]},
    ),
    "the matrix that now has its name": lambda: chain(
        U,
        "equals",
        zeros(m, m),
        given=[Eq(trace(matrices("H", m, m).T * U), 0)],
        witness={m: 1, "H": [[1]], U: [[0]]},
    ),
    "the kernel's own subgradient": lambda: chain(
        bent(y), "at_least", bent(x) + slope(x) * (y - x)
    ),
    "a hypothesis of a theorem that has no value": lambda: chain(
        x**2, "greater_than", 0, apply(positive_by_its_reciprocal(), {c: x**2})
    ),
    "a hypothesis of a theorem with a root that need not exist": lambda: chain(
        x,
        "at_least",
        0,
        apply(chain(c, "at_least", 0, given=[Ge(sqrt(c), 0)], witness={c: 1}), {c: x}),
    ),
    "a hypothesis of a theorem without a value, among the facts": lambda: chain(
        1 + x**2, "greater_than", 1, using(apply(positive_by_its_reciprocal(), {c: x**2}))
    ),
    "a derivative in the second of two arguments": lambda: chain(
        f(c, x), "at_least", f(c, 0), second_order(x, 0)
    ),
    "an increase in the second of two arguments": lambda: chain(
        rising(x, c), "at_most", rising(x + 1, y), monotone(rising)
    ),
    "a double sum of what is known on the diagonal": lambda: chain(
        Sum(d[i, j], (i, 1, n), (j, 1, n)),
        "at_least",
        0,
        given=[for_each(i, 1, n, Ge(d[i, i], 0))],
        witness={**rows(d), n: 1},
    ),
    "a segment across a pole": lambda: chain(
        1 / x**2,
        "at_least",
        3 + 2 * x,
        second_order(x, -1),
        given=[Ge((x**2 + x) / x + 3, 0), Ne(x, 0)],
        witness={x: -1},
    ),
    "zero for a matrix": lambda: chain(
        trace(M), "equals", 0, apply(chain(trace(M * U), "equals", trace(U * M)), {M: 0})
    ),
    "an order of vectors that are zero": lambda: chain(
        0, "at_most", u, given=[Eq(u, 0)], witness={u: [0]}
    ),
}


def positive_by_its_reciprocal():
    return chain(c, "greater_than", 0, given=[Ge(1 / c, 0)], witness={c: 1})


def other_convex():
    return function("g", nonnegative_curvature=True)


@pytest.mark.parametrize("name", ATTACKS)
def test_what_once_proved_too_much_is_refused(name):
    with pytest.raises((IllTyped, Undefined, Unproved)):
        ATTACKS[name]()


def test_what_is_symmetric_takes_the_place_of_a_symmetric_matrix():
    turned = chain(S.T, "equals", S)
    gram = M.T * M
    assert chain(gram.T, "equals", gram, apply(turned, {S: gram})).mark == "proved"


@pytest.mark.parametrize("free", [other, marked, generic], ids=str)
def test_a_gradient_keeps_the_free_indices_of_a_sum_free(free):
    inside = [Ge(i, 1), Le(i, N)]
    assert grad(Sum(d[i] ** 2 * p[free], (i, 1, N)), d[i], given=inside) == 2 * d[i] * p[free]


def test_sums_inside_a_family_leave_the_indices_of_a_theorem_alone():
    total = chain(Sum(p[j], (j, 1, N)), "at_most", 1 + Sum(p[k], (k, 1, N)))
    row_sums = Lambda(i, Sum(e[i, j], (j, 1, N)))
    double = Sum(e[i, j], (j, 1, N), (i, 1, N))
    above = 1 + Sum(e[k, j], (j, 1, N), (k, 1, N))
    assert chain(double, "at_most", above, apply(total, {p: row_sums})).mark == "proved"


def test_a_theorem_passes_on_that_its_expectations_exist():
    middle = Derivation("t").start(y**2).equals(y**2 + E(X + 1) - E(X) - 1).at_least(0).qed()
    through = Derivation("t").start(g**2).at_least(0, because="?", by=apply(middle, {y: g})).qed()
    assert set(middle.assumptions) <= set(through.assumptions)
