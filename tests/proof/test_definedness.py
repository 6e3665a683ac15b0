"""What is displayed makes sense, and the proofs of that are recorded like those of the lines."""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Implies,
    Le,
    Lt,
    Setting,
    Sum,
    Undefined,
    Vacuous,
    binomial,
    exists,
    for_all,
    for_each,
    impossible,
    indices,
    integers,
    log,
    prove,
    random_variables,
    real_family,
    reals,
    recorded,
    rendering,
    sqrt,
)
from mlnotes.proof import derivations as engine
from mlnotes.proof.definedness import Definedness, demands, is_partial
from mlnotes.proof.proofs import assume
from mlnotes.proof.search import Context
from mlnotes.theorems import registry
from tests.turns import mine

x, y, t = reals("x y t")
a = real_family("a")
i, n, m = indices("i"), integers("n"), integers("m")
X = random_variables("X")


def said(written):
    return [rendering.plain(p) for p in demands(written.term)]


def test_every_partial_function_demands_that_it_is_defined():
    assert len(said(1 / x + log(y) + sqrt(x * y))) == 3
    assert said(x * y + x**2) == []
    assert said(log(x)) == [rendering.plain(Gt(x, 0))]


def test_demands_under_a_sum_are_about_its_range():
    (p,) = demands(Sum(1 / a[i], (i, 1, n)).term)
    assert p.op == "all"
    assert p.args[0].args[1].args[1].op == "->"
    (p,) = demands(E(log(X)).term)
    assert (p.op, p.data) == ("all", ("W",))


def test_proofs_are_found_for_just_what_is_demanded():
    given = [Gt(x, 0), for_each(i, 1, n, Gt(a[i], 0)), Ge(n, 1)]
    first = Sum(log(a[i]) / x, (i, 1, n))
    witness = {x: 1, n: 2, a: lambda i: i}
    d = Derivation("logs", given, witness).start(first).equals(Sum(log(a[i]), (i, 1, n)) / x)
    theorem = d.qed()
    wanted = {p for t in theorem.defined.displayed for p in demands(t)}
    assert len(wanted) > 2
    assert wanted == set(theorem.defined.proofs)
    certificate = theorem.certificate_of_definedness("logs")
    assert certificate is not None
    checked = recorded.kernel._check(certificate, recorded.kernel._library())
    assert wanted <= set(checked.proved)


def test_what_is_defined_in_a_sum_is_not_taken_to_be_so_outside():
    """In a sum there is an index of its range; if the range may be empty, outside there is none."""
    inside = Sum(a[i] / n, (i, 1, n))
    assert Derivation("inside").start(inside).first is not None
    with pytest.raises(Undefined, match="n is not zero"):
        Derivation("outside").start(inside + 1 / n)


def label_with_demands():
    for label, derive in registry():
        theorem = derive()
        if any(p for t in theorem.defined.displayed for p in demands(t)):
            return label, theorem
    raise AssertionError("no theorem displays a partial function")


def test_a_theorem_without_recorded_definedness_is_refused(monkeypatch):
    label, theorem = label_with_demands()
    theorem._look_up_definedness(label)
    monkeypatch.setattr(engine, "definedness_of", lambda label: None)
    with pytest.raises(Undefined, match=r"makes sense: run python -m mlnotes\.proof"):
        theorem._look_up_definedness(label)


def test_definedness_from_other_hypotheses_is_refused(monkeypatch):
    label, theorem = label_with_demands()
    monkeypatch.setattr(theorem, "stated", ())
    with pytest.raises(Undefined, match="makes sense"):
        theorem._look_up_definedness(label)


def test_all_that_the_book_displays_is_recorded_as_defined():
    needed = {
        label
        for label, derive in registry()
        if any(p for t in derive().defined.displayed for p in demands(t))
    }
    assert len(needed) > 100
    assert needed <= set(recorded._definedness())


@pytest.mark.parametrize(
    ("hypothesis", "at", "what"),
    [
        (Eq(1 / x, 0), 0, "not zero"),
        (Le(log(x), 1), -1, "positive"),
        (Ge(sqrt(x), 0), -4, "not negative"),
    ],
    ids=["quotient", "logarithm", "root"],
)
def test_a_hypothesis_that_makes_no_sense_is_refused(hypothesis, at, what):
    def doubled(*more, value=at):
        told = Derivation("doubled", given=[hypothesis, *more], witness={x: value})
        return told.start(x + x).equals(2 * x).qed()

    with pytest.raises(Undefined, match=what):
        doubled()
    sense = Gt(x, 0) if what == "positive" else Ge(x, 1)
    if hypothesis.term.op != "=":
        assert doubled(sense, value=1).checked.steps > 0


def test_a_hypothesis_may_say_itself_that_it_makes_sense():
    told = Derivation("one", given=[Eq(1 / x, 1)], witness={x: 1}).start(x + x)
    assert told.equals(2 * x).qed().checked.steps > 0


def test_a_theorem_states_what_makes_its_hypotheses_defined():
    parts = {"small": Le(x / y, 1), "sign": Gt(y, 0), "other": Ge(a[1], 0)}
    setting = Setting("a quotient", x, y, given=parts, witness={x: 1, y: 1, a: [1]})
    told = Derivation("doubled", {"smaller": Le(x / y, 2)}, setting=setting)
    theorem = told.start(x + x).equals(2 * x).qed()
    assert [h.name for h in theorem.stated] == ["sign", "smaller"]


@pytest.mark.parametrize("chapter", mine(sorted({d.__module__ for _, d in registry()})))
def test_the_hypotheses_of_the_book_make_sense(chapter):
    for _, derive in registry():
        if derive.__module__ != chapter:
            continue
        stated = [h.term for h in derive().stated]
        context = Context()
        with context.working():
            for p in stated:
                context.add(assume(p))
            for p in filter(is_partial, stated):
                Definedness().require(p, context)


NEGATIVE = {"given": [Eq(m, -1)], "witness": {m: -1}}


@pytest.mark.parametrize(
    ("term", "value"),
    [(2**m, 1), (x**m, 1), (2 * 2 ** (m - 1), 2), (binomial(5, m), 1), (Sum(2**i, (i, m, 0)), 2)],
    ids=["power of two", "power", "power one less", "binomial", "sum of powers"],
)
def test_a_power_or_binomial_is_not_shown_below_zero(term, value):
    """The kernel's product is one there: 2ⁿ = 1 would stand on a page for n = −1."""
    with pytest.raises(Undefined, match="is not negative"):
        Derivation("below zero", **NEGATIVE).start(term).equals(value).qed()


def test_a_power_and_a_binomial_are_shown_where_nothing_is_below_zero():
    assert Derivation("all").start(Sum(2**i, (i, 0, 3))).equals(15).qed().checked
    assert Derivation("none", [Eq(m, 0)], {m: 0, x: 2}).start(x**m).equals(1).qed().checked
    assert Derivation("small").start(binomial(2, 3)).equals(0).qed().checked
    with pytest.raises(Undefined, match="-1 is not negative"):
        Derivation("no subset").start(binomial(5, -1)).equals(1).qed()


UNDER_A_QUANTIFIER = {
    "all numbers": (for_all(t, Le(t * (1 / t), 1)), "t is not zero"),
    "all indices": (for_each(i, 0, n, Le(0 * (1 / i), 1)), "i is not zero"),
    "some number": (exists(t, Eq(log(t), 0)), "t is positive"),
}


@pytest.mark.parametrize("name", UNDER_A_QUANTIFIER)
def test_what_stands_under_a_quantifier_makes_sense_too(name):
    claim, missing = UNDER_A_QUANTIFIER[name]
    with pytest.raises(Undefined, match=missing):
        prove("stated", claim)
    with pytest.raises((Undefined, Vacuous)):
        Derivation("given", given=[claim], witness={n: 1}).start(x + x).equals(2 * x).qed()


def test_a_range_or_a_premise_makes_sense_of_what_it_holds_for():
    assert prove("quotients", for_each(i, 1, n, Le(1 / i, 1))).checked
    assert prove("logarithms", for_all(t, Implies(Gt(t, 0), Le(log(t), t)))).checked


@pytest.mark.parametrize(
    "refuted",
    [
        [Lt(2 ** (m - m - 1), 1)],
        [Gt(1 / (x - x), 0)],
        [Lt(Sum(2**i, (i, -1, -1)), 1)],
    ],
    ids=["power", "quotient", "sum of powers"],
)
def test_nothing_is_called_impossible_that_only_makes_no_sense(refuted):
    """That 2⁻¹ < 1 was certified to be impossible: the kernel's product of no factors is one."""
    with pytest.raises(Undefined):
        impossible("nonsense", given=refuted)


def test_what_is_impossible_makes_sense_where_the_other_hypotheses_hold():
    assert impossible("signs", given=[Gt(x, 0), Lt(1 / x, 0)]).mark == "proved"
    assert impossible("tangent", given=[Gt(log(x), x), Gt(x, 0)]).mark == "proved"
