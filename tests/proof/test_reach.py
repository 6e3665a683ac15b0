"""Textbook steps that arithmetic alone does not find, and false ones beside them."""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Max,
    Ne,
    Or,
    P,
    Product,
    Rational,
    Sum,
    Unproved,
    WrongStep,
    binomial,
    cases,
    det,
    dimensions,
    dot,
    exp,
    for_all,
    for_each,
    identity,
    indicator,
    indices,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    norm,
    norm2,
    random_family,
    random_variables,
    real_family,
    reals,
    some,
    vector_function,
    vector_map,
    vectors,
)

a, b, t = reals("a b t")
u, v, w = vectors("u v w")
S, T = random_variables("S T")
n = integers("n", positive=True)
i, j, k = indices("i j k")
al, be = real_family("alpha beta")
ps, qs = real_family("p q", positive=True)
d = dimensions("d")
A, B = matrices("A B", d, d)
SQUARE = {d: 1, A: [[2]], B: [[3]]}
INSIDE, MIDDLE = [Ge(k, 1), Le(k, n)], {n: 3, k: 2, al: [-2, 1, 0]}
TERMS = {n: 3, k: 2, ps: [1, 1, 1]}


def line(left, relation, right, given=(), witness=None):
    """Derive one line."""
    return Derivation("line", given=given, witness=witness).start(left).line(relation, right).qed()


TRUE = {
    "square of a sum": (norm2(u + v), "≤", 2 * norm2(u) + 2 * norm2(v)),
    "three vectors": (dot(u, v) + dot(v, w) + dot(u, w), "≤", norm2(u) + norm2(v) + norm2(w)),
    "Cauchy–Schwarz": (dot(u, v), "≤", norm(u) * norm(v)),
    "variance": (E(S) ** 2, "≤", E(S**2)),
    "union bound": (P(Or(Ge(S, a), Ge(T, b))), "≤", P(Ge(S, a)) + P(Ge(T, b))),
    "complement": (P(Ge(S, t)) + P(Lt(S, t)), "=", 1),
    "a fraction under a logarithm": (log(Rational(2, 3)), "=", log(2) - log(3)),
    "a range moved by a symbol": (Sum(al[i + k], (i, 1, n)), "=", Sum(al[i], (i, 1 + k, n + k))),
    "the determinant of a product": (det(A * B * A), "=", det(A) ** 2 * det(B)),
    "soft maximum from below": (log(exp(a) + exp(b)), "≥", Max(a, b)),
    "soft maximum from above": (log(exp(a) + exp(b)), "≤", Max(a, b) + log(2)),
    "telescoping": (Sum(al[i + 1] - al[i], (i, 1, n)), "=", al[n + 1] - al[1]),
    "telescoping by two": (
        Sum(al[i + 2] - al[i], (i, 1, n)),
        "=",
        al[n + 2] + al[n + 1] - al[1] - al[2],
    ),
    "a shifted range": (Sum(al[i + 1], (i, 0, n - 1)), "=", Sum(al[i], (i, 1, n))),
    "one term more": (Sum(al[i], (i, 0, n)), "=", al[0] + Sum(al[i], (i, 1, n))),
    "Cauchy–Schwarz for sums": (
        Sum(al[i] * be[i], (i, 1, n)) ** 2,
        "≤",
        Sum(al[i] ** 2, (i, 1, n)) * Sum(be[i] ** 2, (i, 1, n)),
    ),
    "Cauchy–Schwarz for means": (E(S * T) ** 2, "≤", E(S**2) * E(T**2)),
    "triangle inequality": (norm(u + v), "≤", norm(u) + norm(v)),
    "Jensen for exp": (exp(E(S)), "≤", E(exp(S))),
    "cancelled under a sum": (Sum(ps[i] * (qs[i] / ps[i]), (i, 1, n)), "=", Sum(qs[i], (i, 1, n))),
    "binomial theorem": (Sum(binomial(n, i) * t**i, (i, 0, n)), "=", (1 + t) ** n),
    "all subsets": (Sum(binomial(n, i), (i, 0, n)), "=", Rational(2) ** n),
    "logarithms of quotients": (
        Sum(log(ps[i] / qs[i]), (i, 1, n)),
        "=",
        Sum(log(ps[i]), (i, 1, n)) - Sum(log(qs[i]), (i, 1, n)),
    ),
}
FALSE = {
    "a fraction under a logarithm": (log(Rational(2, 3)), "=", log(2) + log(3)),
    "a range moved by a symbol": (Sum(al[i + k], (i, 1, n)), "=", Sum(al[i], (i, k, n + k))),
    "the determinant of a sum": (det(A + B), "=", det(A) + det(B)),
    "square of a sum": (norm2(u + v), "≤", norm2(u) + norm2(v)),
    "three vectors": (2 * (dot(u, v) + dot(v, w) + dot(u, w)), "≤", norm2(u) + norm2(v)),
    "variance": (E(S**2), "≤", E(S) ** 2),
    "union bound": (P(Or(Ge(S, a), Ge(T, b))), "≤", P(Ge(S, a))),
    "complement": (P(Ge(S, t)) + P(Lt(S, t + 1)), "=", 1),
    "soft maximum from below": (log(exp(a) + exp(b)), "≤", Max(a, b)),
    "telescoping": (Sum(al[i + 1] - al[i], (i, 1, n)), "=", al[n] - al[1]),
    "telescoping by two": (Sum(al[i + 2] - al[i], (i, 1, n)), "=", al[n + 2] - al[1]),
    "a shifted range": (Sum(al[i + 1], (i, 0, n)), "=", Sum(al[i], (i, 1, n))),
    "one term more": (Sum(al[i], (i, 0, n)), "=", al[n] + Sum(al[i], (i, 1, n))),
    "Cauchy–Schwarz for sums": (
        Sum(al[i] * be[i], (i, 1, n)) ** 2,
        "≤",
        Sum(al[i] ** 2, (i, 1, n)) + Sum(be[i] ** 2, (i, 1, n)),
    ),
    "Cauchy–Schwarz for means": (E(S * T) ** 2, "≤", E(S) ** 2 * E(T**2)),
    "triangle inequality": (norm(u + v), "≤", norm(u - v) + norm(v)),
    "Jensen for exp": (E(exp(S)), "≤", exp(E(S))),
    "cancelled under a sum": (Sum(ps[i] * (qs[i] / ps[i]), (i, 1, n)), "=", n),
    "binomial theorem": (Sum(binomial(n, i) * t**i, (i, 0, n)), "=", (2 + t) ** n),
    "all subsets": (Sum(binomial(n, i), (i, 1, n)), "=", Rational(2) ** n),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_steps_are_certified(name):
    assert line(*TRUE[name]).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_steps_are_refuted(name):
    with pytest.raises(WrongStep):
        line(*FALSE[name])


def test_the_inverse_of_a_product_turns_the_order():
    given = [invertible(A), invertible(B)]
    assert line(inverse(A * B), "=", inverse(B) * inverse(A), given, SQUARE).checked
    with pytest.raises(WrongStep):
        line(inverse(A * B), "=", inverse(A) * inverse(B), given, SQUARE)


def test_products_and_transposes_of_invertible_matrices_are_invertible():
    given = [invertible(A), invertible(B)]
    assert line(A.T * inverse(A.T), "=", identity(d), given, SQUARE).checked
    assert line(A * B * A * inverse(A * B * A), "=", identity(d), given, SQUARE).checked


def test_what_holds_for_each_index_is_added_up():
    bounded = for_each(i, 1, n, Le(al[i], be[i] + t))
    witness = {n: 2, al: [0, 1], be: [0, 1], t: 1}
    total = Sum(al[i], (i, 1, n))
    assert line(total, "≤", Sum(be[i], (i, 1, n)) + n * t, [bounded], witness).checked
    with pytest.raises(WrongStep):
        line(total, "≤", Sum(be[i], (i, 1, n)) + t, [bounded], witness)


def test_what_holds_for_every_outcome_is_averaged():
    below = Le(S, T + t)
    witness = {S: [(0, 1)], T: [(0, 1)], t: 1}
    assert line(E(S), "≤", E(T) + t, [below], witness).checked
    with pytest.raises(WrongStep):
        line(E(S), "≤", E(T), [below], witness)


def test_a_smooth_function_is_a_hypothesis_about_all_points():
    f, slope = vector_function("f"), vector_map("f'")
    L = reals("L", positive=True)
    smooth = for_all((u, v), Le(f(v), f(u) + dot(slope(u), v - u) + L / 2 * norm2(v - u)))
    witness = {f: lambda z: norm2(z) / 2, slope: lambda z: z, L: 1}
    step = f(w - slope(w) / L)
    assert line(step, "≤", f(w) - norm2(slope(w)) / (2 * L), [smooth], witness).checked
    with pytest.raises((WrongStep, Unproved)):
        line(step, "≤", f(w) - norm2(slope(w)) / L, [smooth], witness)


def test_a_binomial_is_shown_as_one():
    assert repr(binomial(n, i)) == "C(n, i)"
    assert r"\binom{n}{i}" in Derivation("b").start(binomial(n, 2)).equals(
        n * (n - 1) / 2
    ).qed()._repr_latex_().replace("{2}", "{i}")


def test_a_line_that_is_not_proved_says_what_it_may_lack():
    a0, b0, c0 = reals("a b c", positive=True)
    with pytest.raises(Unproved, match="what is left to show is"):
        line(3 * a0 * b0 * c0, "≤", a0**3 + b0**3 + c0**3)


def test_cases_may_leave_a_rest_to_be_proved():
    by = cases(Ge(a, 1), Le(a, -1))
    gap = Derivation("rest").start(Max(a, 0) - Max(-a, 0)).equals(a, by=by)
    assert gap.qed().checked
    with pytest.raises(WrongStep):
        Derivation("rest").start(Max(a, 0)).equals(a, by=by)


def test_some_index_of_a_range():
    X = random_family("X")
    assert line(P(some(i, 1, n, Ge(X[i], a))), "≤", Sum(P(Ge(X[i], a)), (i, 1, n))).checked
    with pytest.raises(WrongStep):
        line(P(some(i, 1, n, Ge(X[i], a))), "≥", Sum(P(Ge(X[i], a)), (i, 1, n)))


TRUE_OF_PARTS = {
    "unequal indices": (
        Sum(Sum(al[i] * al[j] * indicator(Ne(i, j)), (j, 1, n)), (i, 1, n)),
        "=",
        Sum(al[i], (i, 1, n)) ** 2 - Sum(al[i] ** 2, (i, 1, n)),
    ),
    "Pascal's rule": (
        binomial(n + 1, k),
        "=",
        binomial(n, k) + binomial(n, k - 1),
        [Ge(k, 1)],
        {k: 1, n: 2},
    ),
    "one term": (exp(al[k]), "≤", Sum(exp(al[i]), (i, 1, n)), INSIDE, MIDDLE),
    "all alike": (
        Sum(exp(al[i]), (i, 1, n)),
        "≤",
        n * exp(t),
        [for_each(i, 1, n, Le(al[i], t))],
        {n: 1, al: [0], t: 0},
    ),
    "factors up to one": (
        Product(al[i], (i, 1, n)),
        "≤",
        1,
        [for_each(i, 1, n, Ge(al[i], 0)), for_each(i, 1, n, Le(al[i], 1))],
        {n: 1, al: [1]},
    ),
    "a power of a large number": (t**n, "≥", 1, [Ge(t, 1)], {n: 2, t: 1}),
    "a power below an exponential": ((1 - t) ** n, "≤", exp(-n * t), [Le(t, 1)], {n: 2, t: 1}),
    "a share missed n times": ((1 - 1 / n) ** n, "≤", exp(-1)),
    "a power of a difference": (
        t ** (n - k),
        "=",
        t**n / t**k,
        [*INSIDE, Gt(t, 0)],
        {n: 3, k: 2, t: 2},
    ),
    "more terms": (Sum(ps[i], (i, 1, k)), "≤", Sum(ps[i], (i, 1, n)), INSIDE, TERMS),
    "more terms, each larger": (
        Sum(ps[i], (i, 1, k)),
        "≤",
        2 * Sum(ps[i], (i, 1, n)),
        INSIDE,
        TERMS,
    ),
}
FALSE_OF_PARTS = {
    "unequal indices": (
        Sum(Sum(al[i] * al[j] * indicator(Ne(i, j)), (j, 1, n)), (i, 1, n)),
        "=",
        Sum(al[i], (i, 1, n)) ** 2,
    ),
    "Pascal's rule": (
        binomial(n + 1, k),
        "=",
        binomial(n, k) + binomial(n, k + 1),
        [Ge(k, 1)],
        {k: 1, n: 2},
    ),
    "one term that is not in the range": (
        exp(al[k]),
        "≤",
        Sum(exp(al[i]), (i, 1, n)),
        [Ge(k, 1)],
        {n: 1, k: 2, al: [0, 1]},
    ),
    "one term of any sign": (al[k], "≤", Sum(al[i], (i, 1, n)), INSIDE, MIDDLE),
    "not all alike": (
        Sum(exp(al[i]), (i, 1, n)),
        "≤",
        exp(t),
        [for_each(i, 1, n, Le(al[i], t))],
        {n: 1, al: [0], t: 0},
    ),
    "factors of any sign": (
        Product(al[i], (i, 1, n)),
        "≤",
        1,
        [for_each(i, 1, n, Le(al[i], 1))],
        {n: 1, al: [1]},
    ),
    "a power of a number below one": (t**n, "≥", 1, [Ge(t, 0)], {n: 2, t: 1}),
    "an even power of a negative number": ((1 - t) ** n, "≤", exp(-n * t)),
    "a share missed n − 1 times": ((1 - 1 / n) ** (n - 1), "≤", exp(-1)),
    "a power of a difference": (
        t ** (n - k),
        "=",
        t**n - t**k,
        [*INSIDE, Gt(t, 0)],
        {n: 3, k: 2, t: 2},
    ),
    "more terms of any sign": (
        Sum(al[i], (i, 1, k)),
        "≤",
        Sum(al[i], (i, 1, n)),
        INSIDE,
        MIDDLE,
    ),
    "fewer terms": (Sum(ps[i], (i, 1, n)), "≤", Sum(ps[i], (i, 1, k)), INSIDE, TERMS),
}


@pytest.mark.parametrize("name", TRUE_OF_PARTS)
def test_true_steps_about_members_are_certified(name):
    assert line(*TRUE_OF_PARTS[name]).checked.steps > 0


@pytest.mark.parametrize("name", FALSE_OF_PARTS)
def test_false_steps_about_members_are_refuted(name):
    with pytest.raises(WrongStep):
        line(*FALSE_OF_PARTS[name])


def test_events_whose_differences_are_equal_have_one_indicator():
    given, witness = [Eq(al[1], al[2] + 1)], {al: [1, 0]}
    events = indicator(Le(al[1], t)), indicator(Le(al[2], t - 1)), indicator(Le(al[2], t))
    assert line(events[0], "=", events[1], given, witness).checked.steps > 0
    with pytest.raises(WrongStep):
        line(events[0], "=", events[2], given, witness)


def test_a_gradient_of_length_zero_is_zero():
    f, g = vector_function("f"), vector_map("f'")
    convex = for_all((u, v), Ge(f(v), f(u) + dot(g(u), v - u)))
    witness = {f: lambda u: norm2(u), g: lambda u: 2 * u, w: [0]}
    flat = Derivation("flat", given=[convex, Eq(norm2(g(w)), 0)], witness=witness)
    assert flat.start(f(w)).at_most(f(v), by=convex.at(w, v)).qed().checked.steps > 0
    steep = Derivation("steep", given=[convex], witness=witness).start(f(w))
    with pytest.raises((Unproved, WrongStep)):
        steep.at_most(f(v), by=convex.at(w, v))
