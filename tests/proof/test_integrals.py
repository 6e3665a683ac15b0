"""Integrals over a measure space: what is linear, what is monotone, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Integral,
    Le,
    Rational,
    Sum,
    Undefined,
    Unproved,
    Vacuous,
    WrongStep,
    for_all,
    for_each,
    function,
    indices,
    integers,
    integrable,
    points,
    real_family,
    reals,
    termwise,
    using,
)
from mlnotes.proof.evaluate import Model, holds, value
from mlnotes.proof.rendering import plain
from mlnotes.proof.witnesses import witness_model

x, z = points("x z")
f, g, p = (function(name, of="point") for name in "fgp")
a, b, c = reals("a b c")
two = {f: [1, 2], g: [3, 1], a: 1, b: 2}


def exist(*functions):
    return [integrable(h(x), x) for h in functions]


# ---------------------------------------------------------------------- how it is written


def test_a_page_shows_an_integral_with_the_point_it_runs_over():
    assert plain(Integral(f(x) + g(x), x)) == "∫ (f(x) + g(x)) dx"
    assert plain(Integral(p(z) - f(z), z) * a) == "(∫ (p(z) - f(z)) dz) a"
    theorem = Derivation("t", given=exist(f), witness=two).start(Integral(2 * f(x), x))
    latex = theorem.equals(2 * Integral(f(x), x)).qed()._repr_latex_()
    assert r"\int 2 f(x) \,dx" in latex
    assert plain(integrable(f(x) + g(x), x)) == "f(x) + g(x) is integrable"


def test_the_name_of_the_point_does_not_matter():
    assert Integral(f(x), x).term is Integral(f(z), z).term


@pytest.mark.parametrize("make", [Integral, integrable])
def test_what_is_no_point_is_refused(make):
    with pytest.raises(IllTyped, match="point"):
        make(f(x), a)
    with pytest.raises(IllTyped, match="over which point"):
        make(f(x))


def test_a_gradient_at_one_point_does_not_stand_under_an_integral():
    with pytest.raises(IllTyped, match="a number"):
        f(a)


# ---------------------------------------------------------------------- what it means


def test_finitely_many_points_are_counted():
    model = witness_model({f: [1, Rational(1, 2), -3]}, [Integral(f(x), x)])
    assert value(Integral(f(x), x).term, model) == Fraction(-3, 2)
    assert holds(integrable(f(x), x).term, model) is True


def test_points_have_their_measures_which_may_be_infinite():
    table = {("f", "R", ("U",)): {(1,): 3, (2,): 5}}
    finite = Model(table, masses=(Fraction(1, 2), Fraction(2)))
    infinite = Model(table, masses=(Fraction(1, 2), None))
    assert value(Integral(f(x), x).term, finite) == Fraction(23, 2)
    assert holds(integrable(f(x), x).term, infinite) is False
    assert value(Integral(f(x), x).term, infinite) == 0
    flat = Model({("f", "R", ("U",)): {(1,): 3, (2,): 0}}, masses=(Fraction(1, 2), None))
    assert value(Integral(f(x), x).term, flat) == Fraction(3, 2)


def test_sympy_writes_an_integral_over_two_points():
    written = Integral(a * f(x), x).to_sympy()
    first, second = sp.symbols("measure_1 measure_2", positive=True)
    shown = sp.symbols("a f_1 f_2", real=True)
    assert sp.expand(written - shown[0] * (first * shown[1] + second * shown[2])) == 0


# ---------------------------------------------------------------------- what is proved


def test_scope_and_hypotheses_are_shown():
    theorem = (
        Derivation("linear", given=exist(f, g), witness=two)
        .start(Integral(a * f(x) + b * g(x), x))
        .equals(a * Integral(f(x), x) + b * Integral(g(x), x))
        .qed()
    )
    assert theorem.scope == "any measure space on which the integrals exist"
    assert [plain(h) for h in theorem.given] == ["f(x) is integrable", "g(x) is integrable"]
    assert theorem.mark == "proved"


def test_a_rule_for_every_point_is_used_under_the_integral():
    given = [*exist(f, g), for_all(x, Ge(p(x), 0)), integrable(p(x) * f(x), x)]
    given += [integrable(p(x) * g(x), x), for_all(x, Le(f(x), g(x)))]
    line = Derivation("weighted", given=given, witness={f: [1, 0], g: [2, 0], p: [1, 1]})
    line = line.start(Integral(p(x) * f(x), x)).at_most(
        Integral(p(x) * g(x), x), by=termwise(x, by=using(given[2].at(x), given[5].at(x)))
    )
    assert line.qed().steps[-1].mark == "proved"


def test_a_finite_sum_comes_out_of_an_integral():
    i, n = indices("i"), integers("n")
    q, w = function("q", of=("integer", "point")), real_family("w")
    given = [for_each(i, 1, n, integrable(q(i, x), x))]
    theorem = (
        Derivation("a mixture", given=given, witness={n: 2, w: [1, 2], q: [[1, 0], [0, 1]]})
        .start(Integral(Sum(w[i] * q(i, x), (i, 1, n)), x))
        .equals(Sum(w[i] * Integral(q(i, x), x), (i, 1, n)))
        .qed()
    )
    assert theorem.scope == "any n, any measure space on which the integrals exist"


def test_what_vanishes_has_an_integral_without_hypotheses():
    theorem = Derivation("nothing").start(Integral(f(x) - f(x), x)).equals(0).qed()
    assert theorem.scope == "any measure space"


# ---------------------------------------------------------------------- what is refused


def test_an_integral_that_may_not_exist_is_not_shown():
    with pytest.raises(Undefined, match=r"nothing says that f\(x\) g\(x\) is integrable"):
        Derivation("p", given=exist(f, g), witness=two).start(Integral(f(x) * g(x), x))
    with pytest.raises(Undefined, match=r"nothing says that f\(x\) \+ g\(x\) is integrable"):
        Derivation("p", given=exist(f), witness=two).start(Integral(f(x) + g(x), x))


def test_a_sum_may_exist_without_its_terms():
    start = Derivation("p", given=[integrable(f(x) + g(x), x)], witness=two)
    start = start.start(Integral(f(x) + g(x), x))
    with pytest.raises(Undefined, match=r"f\(x\) is integrable"):
        start.equals(Integral(f(x), x) + Integral(g(x), x))


def test_linearity_without_integrability_is_refuted_by_an_infinite_measure(monkeypatch):
    monkeypatch.setattr("mlnotes.proof.definedness.Definedness.require", lambda *_: None)
    line = Derivation("p").start(Integral(f(x) + g(x), x))
    with pytest.raises(WrongStep, match="∞"):
        line.equals(Integral(f(x), x) + Integral(g(x), x))


def test_the_search_names_the_integral_that_is_missing(monkeypatch):
    monkeypatch.setattr("mlnotes.proof.definedness.Definedness.require", lambda *_: None)
    monkeypatch.setattr("mlnotes.proof.derivations.counterexample", lambda *_, **__: None)
    given = [*exist(f), for_all(x, Le(f(x), g(x)))]
    line = Derivation("p", given=given, witness=two | {g: [3, 3]}).start(Integral(f(x), x))
    with pytest.raises(Unproved, match=r"nothing says that g\(x\) is integrable"):
        line.at_most(Integral(g(x), x))


def test_a_witness_has_to_satisfy_what_is_supposed_of_integrals():
    with pytest.raises(Vacuous, match="does not satisfy"):
        Derivation("p", given=[*exist(p), Eq(Integral(p(x), x), 1)], witness={p: [1, 1]})
    with pytest.raises(Vacuous, match="points are 1, 2"):
        Derivation("p", given=[Gt(p(x), 0)], witness={p: [1, 1], x: 0})


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Integral(f(x), x) ** 2, Integral(f(x) ** 2, x)),
        (Integral(Abs(f(x)), x), Integral(f(x), x)),
        (Integral(f(x) * g(x), x), Integral(f(x), x) * Integral(g(x), x)),
    ],
)
def test_false_inequalities_are_refuted(left, right):
    given = [*exist(f, g), integrable(f(x) ** 2, x), integrable(f(x) * g(x), x)]
    with pytest.raises(WrongStep):
        Derivation("p", given=given, witness={f: [1, 0], g: [1, 0]}).start(left).at_most(right)
