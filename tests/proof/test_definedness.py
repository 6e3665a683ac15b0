"""What is displayed makes sense, and the proofs of that are recorded like those of the lines."""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Ge,
    Gt,
    Sum,
    Undefined,
    for_each,
    indices,
    integers,
    log,
    random_variables,
    real_family,
    reals,
    recorded,
    rendering,
    sqrt,
)
from mlnotes.proof import derivations as engine
from mlnotes.proof.definedness import demands
from mlnotes.theorems import registry

x, y = reals("x y")
a = real_family("a")
i, n = indices("i"), integers("n")
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
