"""Statements written out in SymPy, and what plain SymPy says about the identities of the book."""

import subprocess
import sys

import pytest
import sympy as sp

from mlnotes import proof as pf
from mlnotes.proof import sympy_view
from mlnotes.proof.recorded import checked_certificates
from mlnotes.proof.sympy_view import from_sympy, opinion, to_sympy
from mlnotes.theorems import registry


def claim(written):
    return sp.sympify(written.to_sympy(n=2, d=2))


def test_a_vector_has_symbolic_entries():
    u, v = pf.vectors("u v")
    u1, u2, v1, v2 = sp.symbols("u_1 u_2 v_1 v_2", real=True)
    assert sp.expand(claim(pf.norm2(u - 2 * v))) == sp.expand(
        (u1 - 2 * v1) ** 2 + (u2 - 2 * v2) ** 2
    )
    assert to_sympy(u + v, d=3).shape == (3, 1)


def test_sums_and_products_are_written_out():
    (i,), n = [pf.indices("i")], pf.integers("n")
    x = pf.real_family("x")
    x1, x2, x3 = sp.symbols("x_1 x_2 x_3", real=True)
    assert to_sympy(pf.Sum(x[i], (i, 1, n)), n=3) == x1 + x2 + x3
    assert to_sympy(pf.Product(x[i], (i, 1, n)), n=2) == x1 * x2
    assert to_sympy(pf.Sum(x[i], (i, 1, n)), n=0) == 0


def test_means_are_weighted_and_the_weights_have_the_sum_one():
    x = pf.random_variables("X")
    weight, x1, x2 = sp.Symbol("weight_1", positive=True), *sp.symbols("X_1 X_2", real=True)
    assert sp.expand(claim(pf.E(x)) - (weight * x1 + (1 - weight) * x2)) == 0
    assert sp.expand(claim(pf.E(x * 0 + 1))) == 1


def test_matrices_are_multiplied():
    n = pf.dimensions("n")
    a, b = pf.matrices("A B", n, n)
    gap = to_sympy(pf.trace(a * b) - pf.trace(b * a), n=2)
    assert sp.expand(gap) == 0
    assert to_sympy(a, n=2).shape == (2, 2)


def test_statements_for_each_index_are_written_out():
    i, n = pf.indices("i"), pf.integers("n")
    x = pf.real_family("x")
    written = to_sympy(pf.for_each(i, 1, n, pf.Le(0, x[i])), n=2)
    assert {str(part) for part in written.args} == {"0 <= x_1", "0 <= x_2"}


def test_what_cannot_be_written_out_is_refused_with_a_reason():
    f = pf.function("f", convex=True)
    x = pf.reals("x")
    (convex,) = f.hypotheses()
    with pytest.raises(sympy_view.NotWritten, match="all integers, reals"):
        to_sympy(convex)
    assert str(to_sympy(f(x))) == "f(x)"


TRUE = {
    "square": lambda x, y: pf.Eq((x + y) ** 2, x**2 + 2 * x * y + y**2),
    "exponentials": lambda x, y: pf.Eq(pf.exp(x) * pf.exp(y), pf.exp(x + y)),
}


@pytest.mark.parametrize("name", TRUE)
def test_sympy_agrees_with_what_is_true(name):
    assert opinion([], TRUE[name](*pf.reals("x y")).term).verdict == "agrees"


def test_sympy_uses_equations_among_the_hypotheses():
    x, y = pf.reals("x y")
    given = [pf.Eq(y**2, 1).term, pf.Eq(x, 2 * y).term]
    assert opinion(given, pf.Eq(x**2, 4).term).verdict == "agrees"
    assert opinion(given, pf.Eq(x**2, 3).term).verdict == "disagrees"
    assert opinion(given[:1], pf.Eq(x**2, 4).term).verdict == "disagrees"


def test_sympy_is_not_said_to_disagree_where_an_inequality_was_needed():
    x = pf.reals("x")
    given = [pf.Le(0, x).term]
    assert opinion(given, pf.Eq(pf.Abs(x), x).term).verdict == "not asked"
    assert opinion(given, pf.Eq(pf.Abs(x), 2 * x).term).verdict == "disagrees"


@pytest.mark.parametrize("spoil", [lambda x: x + 1, lambda x: 2 * x], ids=["one more", "twice"])
def test_sympy_disagrees_with_spoiled_identities_of_the_book(spoil):
    disagreed = []
    for name, said in sympy_view.recorded().items():
        t, given = checked_certificates()[name].conclusion, checked_certificates()[name].hypotheses
        if said.startswith("SymPy agrees") and t.op == "=" and t.args[0].sort == "R" and not given:
            left, right = (pf.language.Expr(side) for side in t.args)
            disagreed.append(opinion([], pf.Eq(spoil(left), right).term).verdict)
    assert len(disagreed) > 5
    assert "agrees" not in disagreed
    assert disagreed.count("disagrees") > len(disagreed) / 2


def test_sympy_disagrees_with_no_theorem_and_says_what_is_recorded():
    """What was recorded as agreement is found again; the time allowed decides nothing here."""
    recorded = sympy_view.recorded()
    labels = {label for label, _ in registry()}
    certified = {n: c for n, c in checked_certificates().items() if n in labels}
    assert set(recorded) == set(certified), "run make certificates"
    agreed = [n for n, said in recorded.items() if said.startswith("SymPy agrees")]
    assert len(agreed) >= 60
    assert not [n for n, said in recorded.items() if "disagrees" in said]
    for name in agreed[:: max(1, len(agreed) // 20)]:
        c = certified[name]
        assert str(opinion(c.hypotheses, c.conclusion, seconds=60)) == recorded[name]


def test_an_expression_of_sympy_becomes_a_term_and_comes_back():
    x, y = sp.symbols("x y", real=True)
    n, k = sp.symbols("n k", integer=True)
    a = sp.IndexedBase("a")
    for e in (
        (x + y) ** 2 / 3 - x / y,
        sp.sqrt(1 + x**2) * sp.exp(-y) + sp.log(2),
        sp.Max(x, y) - sp.Abs(x - y),
    ):
        assert sp.simplify(from_sympy(e).to_sympy() - e) == 0
    assert str(from_sympy(sp.Sum(a[k] ** 2, (k, 1, n))).to_sympy(n=2)) == "a_1**2 + a_2**2"


def test_a_derivation_may_be_written_with_sympy():
    x, y = sp.symbols("x y", positive=True)
    first, last = from_sympy((x + y) ** 2), from_sympy(4 * x * y)
    theorem = pf.Derivation("means").start(first).at_least(last).qed()
    assert theorem.checked.hypotheses
    assert repr(first) == "(x + y)²"


def test_what_has_no_counterpart_is_refused():
    with pytest.raises(pf.IllTyped, match="no counterpart"):
        from_sympy(sp.sin(sp.Symbol("x", real=True)))
    with pytest.raises(pf.IllTyped, match="whole number"):
        from_sympy(sp.Symbol("x", real=True) ** sp.Rational(1, 3))


def test_the_engine_itself_does_not_import_sympy():
    code = "import sys, mlnotes.proof; print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
