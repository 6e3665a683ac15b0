"""Conclusions of every form: equal vectors, none, at most one, if and only if, for all."""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    And,
    Derivation,
    Eq,
    Ge,
    Gt,
    Iff,
    IllTyped,
    Implies,
    Le,
    Lt,
    Ne,
    Not,
    Or,
    Sum,
    Unproved,
    Vacuous,
    WrongStep,
    at_most_one,
    dot,
    equivalence,
    exists,
    for_all,
    for_each,
    impossible,
    independent,
    indices,
    integers,
    inverse,
    matrices,
    none,
    norm2,
    prove,
    random_variables,
    real_family,
    reals,
    vector_family,
    vectors,
)
from mlnotes.proof.language import unfolded
from mlnotes.proof.rendering import aligned, as_dict, plain, tex, text

u, v, w, theta = vectors("u v w theta")
a, b, c, t = reals("a b c t")
s = reals("s", positive=True)
n = integers("n", positive=True)
i, j = indices("i j")
x = vector_family("x")
y = real_family("y")


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        (Not(Eq(a, b)), "not (a = b)"),
        (Implies(Le(a, b), Le(a, c)), "a ≤ b ⇒ a ≤ c"),
        (Iff(Eq(a, 0), Eq(b, 0)), "a = 0 ⇔ b = 0"),
        (for_all(t, Ge(t**2, 0)), "t² ≥ 0 for all t"),
        (none(t, Lt(t**2, a)), "there is no t with t² < a"),
        (exists((t, a), Eq(t, a)), "there is t, a with t = a"),
        (at_most_one(t, Eq(t, a)), "there is at most one t with t = a"),
        (Implies(Or(Eq(a, 0), Eq(b, 0)), Eq(a * b, 0)), "a = 0 or b = 0 ⇒ a b = 0"),
    ],
)
def test_statements_are_shown_as_they_are_written(statement, shown):
    assert plain(statement) == shown


def test_equal_vectors_follow_from_a_difference_without_length():
    theorem = (
        Derivation(
            "one minimiser",
            given={"near": Le(norm2(u - v), a), "small": Le(a, 0)},
            witness={u: [0], v: [0], a: 0},
        )
        .start(norm2(u - v))
        .at_most(a, "near")
        .at_most(0, "small")
        .hence(Eq(u, v), "only zero has no length")
        .qed()
    )
    assert theorem.part("conclusion") == "u = v"
    assert [h.name for h in theorem.own] == ["near", "small"]
    assert "⇒ u = v" in text(theorem)
    assert r"\implies u = v" in aligned(theorem)
    assert as_dict(theorem)["statement"] == "u = v"


def test_vectors_that_need_not_be_equal_are_not():
    line = Derivation("near", given=[Le(norm2(u - v), 1)], witness={u: [0], v: [0]})
    with pytest.raises((WrongStep, Unproved)):
        line.start(norm2(u - v)).at_most(1, "given").hence(Eq(u, v))


def test_a_derivation_concludes_once_and_last():
    done = prove_squares()
    with pytest.raises(IllTyped, match="after the conclusion"):
        done.at_least(-1)
    with pytest.raises(IllTyped, match="concludes once"):
        done.hence(Ge(t**2, 0))


def prove_squares():
    return Derivation("squares").start(t**2).at_least(0, "a square").hence(Ge(t**2 + 1, 0))


@pytest.mark.parametrize(
    "statement",
    [
        for_all(t, Ge(t**2, 0)),
        none(t, Lt(t**2, 0)),
        none((t, a), Lt(t**2 + a**2, 2 * t * a)),
        at_most_one(t, Eq(2 * t, a)),
        Iff(Le(a, b), Ge(b - a, 0)),
        Implies(Eq(a, b), Eq(a**2, b**2)),
        for_all(s, Gt(1 / s, 0)),
        none(s, Lt(s, 0)),
        for_all(u, Ge(norm2(u - v) + norm2(u + v), 0)),
        at_most_one(u, Le(norm2(u - v), 0)),
        Not(Lt(a**2, 0)),
        for_all((a, b), Implies(Le(a, b), Le(a - b, 0))),
    ],
)
def test_true_statements_are_proved(statement):
    theorem = prove("statement", statement, "calculation")
    assert theorem.checked.conclusion is unfolded(statement.folded)
    assert not theorem.stated


@pytest.mark.parametrize(
    "statement",
    [
        for_all(t, Gt(t**2, 0)),
        none(t, Le(t**2, 0)),
        at_most_one(t, Eq(t**2, 1)),
        Iff(Le(a, b), Le(a**2, b**2)),
        Implies(Eq(a**2, b**2), Eq(a, b)),
        for_all(s, Gt(s, 1)),
        none(s, Lt(s, 1)),
        at_most_one(u, Le(norm2(u - v), 1)),
        exists(t, Lt(t**2, 0)),
        Not(Le(a**2, 0)),
        for_all((a, b), Le(a, b)),
    ],
)
def test_false_statements_are_refused(statement):
    with pytest.raises((WrongStep, Unproved)):
        prove("statement", statement)


def test_what_is_declared_of_a_symbol_is_a_premise_and_not_a_hypothesis():
    theorem = prove("reciprocals", for_all(s, Gt(1 / s, 0)))
    assert theorem.stated == ()
    with pytest.raises((WrongStep, Unproved)):
        prove("reciprocals", for_all(t, Ge(t, 0)))


def test_a_family_cannot_be_quantified():
    with pytest.raises(IllTyped, match="cannot be quantified"):
        for_all(x, Ge(norm2(x[i]), 0))
    with pytest.raises(IllTyped, match="cannot be quantified"):
        none(x[i], Lt(norm2(x[i]), 0))


XOR = {
    "first": Gt(theta_0 := reals("theta_0"), 0),
    "second": Gt(a + b + theta_0, 0),
    "third": Lt(a + theta_0, 0),
    "fourth": Lt(b + theta_0, 0),
}


def test_an_impossibility_says_what_there_is_none_of():
    theorem = impossible("exclusive or", given=XOR, no=(a, b, theta_0))
    assert theorem.part("conclusion").startswith(
        r"\text{there is no } a, b, \theta_{0} \text{ with } \theta_{0} > 0 \text{ and }"
    )
    assert theorem.own == ()
    assert theorem.part("third") == r"a + \theta_{0} < 0"
    assert as_dict(theorem)["impossible"]


def test_what_there_is_none_of_has_a_witness_for_the_rest():
    given = {"label": Eq(y[1] ** 2, 1), "sure": Gt(y[1] * t, 0), "wrong": Lt(y[1] * t, 0)}
    theorem = impossible("both", given=given, no=t, witness={y: [1]})
    assert [h.name for h in theorem.own] == ["label"]
    with pytest.raises(Vacuous):
        impossible("both", given={**given, "never": Lt(y[1] ** 2, 0)}, no=t, witness={y: [1]})
    with pytest.raises(IllTyped, match="no hypothesis speaks of u"):
        impossible("both", given=given, no=u)


def test_what_is_possible_is_not_impossible():
    with pytest.raises((Unproved, WrongStep)):
        impossible("three of four", given={k: XOR[k] for k in list(XOR)[:3]}, no=(a, b, theta_0))


def test_two_theorems_make_an_equivalence():
    forward = prove("if", Eq(a, b), "roots", given={"square": Le((a - b) ** 2, 0)}, witness=ZERO)
    backward = prove("only if", Le((a - b) ** 2, 0), "zero", given={"same": Eq(a, b)}, witness=ZERO)
    theorem = equivalence("both", forward, backward)
    assert theorem.part("conclusion") == r"(a - b)^{2} \le 0 \iff a = b"
    assert theorem.stated == ()
    assert theorem.checked.cites
    with pytest.raises(IllTyped, match="does not suppose"):
        equivalence("both", forward, forward)


ZERO = {a: 0, b: 0}


def test_an_equivalence_needs_hypotheses_that_fit_together():
    up = prove(
        "if", Eq(a, b), given={"p": Le((a - b) ** 2, 0), "c": Gt(c, 0)}, witness={**ZERO, c: 1}
    )
    down = prove(
        "only if",
        Le((a - b) ** 2, 0),
        given={"q": Eq(a, b), "c": Lt(c, 0)},
        witness={**ZERO, c: -1},
    )
    with pytest.raises(Vacuous):
        equivalence("both", up, down, witness={**ZERO, c: 1})


def test_properties_are_shown_in_words():
    X, Z = random_variables("X Z")
    A = matrices("A", n, n)
    assert tex(independent(X, Z)) == r"X \text{ and } Z \text{ are independent}"
    assert plain(Ne(a, 0)) == "a ≠ 0"
    assert plain(Eq(inverse(A) * A, A)) == "A⁻¹ A = A"


def test_what_holds_for_the_same_indices_is_said_once():
    both = And(for_each(i, 1, n, Ge(y[i], 0)), for_each(i, 1, n, Le(y[i], 1)))
    assert plain(both) == "y_i ≥ 0 and y_i ≤ 1 for i = 1, …, n"
    other = And(for_each(i, 1, n, Ge(y[i], 0)), for_each(i, 2, n, Le(y[i], 1)))
    assert plain(other).count("for i") == 2


def test_sums_of_quantified_statements_keep_their_indices():
    statement = none(u, for_each(i, 1, n, Gt(y[i] * dot(u, x[i]), 0)))
    assert plain(statement) == "there is no u with y_i ⟨u, x_i⟩ > 0 for i = 1, …, n"
    # The first index under which a sum is written is its name, so that this one is new.
    own = real_family("own")
    claim = Implies(Eq(Sum(own[j], (j, 1, n)), 0), Ge(a, 0))
    assert plain(claim) == "Σ_{j=1}^n own_j = 0 ⇒ a ≥ 0"


def test_two_values_are_none_that_the_statement_mentions():
    other = reals("a'")
    with pytest.raises((Unproved, WrongStep)):
        prove("at most one", at_most_one(a, Ne(a, other)))
    assert prove("at most one", at_most_one(a, Eq(a, other))).checked


def test_what_is_declared_of_a_symbol_is_said_where_it_is_quantified():
    r, whole = reals("r", positive=True), integers("k", positive=True)
    theorem = prove("one root", at_most_one(r, Eq(r**2, 1)))
    assert plain(theorem.statement) == "there is at most one r > 0 with r² = 1"
    assert plain(none(r, Le(r, 0))) == "there is no r > 0 with r ≤ 0"
    assert plain(for_all((r, whole), Gt(r + whole, 0))) == "r + k > 0 for all r > 0, k ≥ 1"
    assert plain(exists(a, Eq(a, 0))) == "there is a with a = 0"


def test_what_is_declared_does_not_contradict_what_an_impossibility_supposes():
    s, never = reals("s", positive=True), Eq(t, 0)
    with pytest.raises(Vacuous, match="s > 0"):
        impossible("nothing", given=[Le(s, -1), never], no=t, witness={s: -1})
    wrong = reals("s", negative=True)
    with pytest.raises(Vacuous, match="signs of s"):
        impossible("nothing", given=[Eq(t, s), Eq(t, wrong)], no=t, witness={})
