"""Derivations and theorems: what they record, how they look, and that there is no way round."""

import copy
import json
import pickle
import re

import pytest
import sympy as sp

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    Lt,
    Ne,
    ProofError,
    Rational,
    Sum,
    Theorem,
    Undefined,
    Unproved,
    Vacuous,
    WrongStep,
    apply,
    as_written,
    check_identity,
    dot,
    exp,
    for_each,
    function,
    impossible,
    indices,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    norm2,
    random_variables,
    real_family,
    reals,
    render,
    sqrt,
    vectors,
    zeros,
)

theta, x = vectors("theta x")
y, z, R = reals("y z R")
p = reals("p", positive=True)
n = integers("n", positive=True)
i = indices("i")
a = real_family("a")
X = random_variables("X")

HYPOTHESES = [Eq(y**2, 1), Le(y * dot(theta, x), 0), Le(norm2(x), R**2)]
WITNESS = {theta: [1, 0], x: [-1, 2], y: 1, R: 3}


def growth():
    return (
        Derivation("norm growth", given=HYPOTHESES, witness=WITNESS)
        .start(norm2(theta + y * x))
        .equals(norm2(theta) + 2 * y * dot(theta, x) + y**2 * norm2(x), because="expand the square")
        .at_most(norm2(theta) + norm2(x), because=r"a mistake: $y\langle\theta,x\rangle\le 0$")
        .at_most(norm2(theta) + R**2, because="norm at most $R$, 100% & more")
        .qed()
    )


@pytest.fixture(scope="module")
def theorem():
    return growth()


# ------------------------------------------------------------------ what a theorem records


def test_a_theorem_says_what_was_shown(theorem):
    assert theorem.statement == Le(norm2(theta + y * x), norm2(theta) + R**2)
    assert list(theorem.given) == HYPOTHESES
    assert [s.relation for s in theorem.steps] == ["=", "≤", "≤"]
    assert theorem.steps[0].method == "normal form"
    assert theorem.steps[1].method == "certificate"
    assert theorem.scope == "any dimension"
    assert theorem.mark == "proved"
    assert re.fullmatch(r"[\w.]+:\d+", theorem.source)


def test_a_strict_line_makes_a_strict_theorem():
    t = Derivation("t").start(y).less_than(y + 1).at_most(y + 2).qed()
    assert isinstance(t.statement, sp.Lt)
    t = Derivation("t").start(y).at_least(y - 1).greater_than(y - 2).qed()
    assert isinstance(t.statement, sp.Gt)
    assert isinstance(Derivation("t").start(y).equals(y + 0).qed().statement, sp.Eq)


def test_assumptions_of_symbols_are_hypotheses():
    f = function("f", convex=True)
    t = Derivation("t").start(f(p) + p).at_least(f(p), because="p > 0").qed()
    assert Gt(p, 0) in t.hypotheses
    assert "f is convex" in t.assumptions
    t = Derivation("t").start(E(X**2)).at_least(0).qed()
    assert any("expectations" in s for s in t.assumptions)
    assert t.scope == "any distribution"


def test_scope_names_what_is_arbitrary():
    t = check_identity(Sum(a[i] * y, (i, 1, n)), y * Sum(a[i], (i, 1, n)))
    assert t.scope == "any n"
    assert check_identity((y + z) ** 2, y**2 + 2 * y * z + z**2).scope == "all reals"


def test_it_is_plain_data_for_a_ledger(theorem):
    data = json.loads(json.dumps(theorem.as_dict()))
    assert data["title"] == "norm growth"
    assert len(data["hypotheses"]) == 3
    assert data["needs_z3"] is False
    assert {"relation", "latex", "because", "method", "scope", "seconds", "mark"} <= set(
        data["steps"][0]
    )


# ------------------------------------------------------------------ how it looks


def balanced(tex):
    depth = 0
    for char in tex.replace(r"\{", "").replace(r"\}", ""):
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def test_latex_is_one_aligned_display(theorem):
    tex = theorem._repr_latex_()
    assert tex.startswith("$$\n\\begin{aligned}")
    assert tex.count(r"\begin{aligned}") == tex.count(r"\end{aligned}") == 1
    assert r"\checkmark" in tex
    assert r"100\% \& more" in tex
    assert r"$y\langle\theta,x\rangle\le 0$" in tex
    assert tex.count(r" \\") == len(theorem.steps)
    assert balanced(tex)


def test_every_line_has_a_reason_and_a_mark(theorem):
    lines = theorem._repr_latex_().splitlines()[3:-2]
    assert all(r"\text{" in line and r"\checkmark" in line for line in lines)
    silent = Derivation("t").start(y).at_most(y + 1).qed()._repr_latex_()
    assert r"\text{signs}" in silent


@pytest.mark.parametrize(
    ("term", "tex"),
    [
        (y**2 * norm2(x), r"y^{2} \lVert x \rVert^{2}"),
        (sqrt(norm2(x)), r"\lVert x \rVert"),
        (norm2(x) ** 2, r"\lVert x \rVert^{4}"),
        (dot(theta, x) ** 2, r"\langle \theta, x \rangle^{2}"),
        (Sum(a[i] ** 2, (i, 1, n)), r"\sum_{i=1}^{n} a_{i}^{2}"),
        (E(X) ** 2, r"\mathbb E\left[X\right]^{2}"),
        (1 / norm2(x), r"\frac{1}{\lVert x \rVert^{2}}"),
        (inverse(matrices("A", n, n)).T, r"\left(A^{-1}\right)^{\top}"),
    ],
    ids=str,
)
def test_terms_look_as_on_a_board(term, tex):
    assert render.tex(term) == tex


def test_html_shows_hypotheses_methods_and_scope(theorem):
    html = theorem._repr_html_()
    for text in ("norm growth", "certificate", "any dimension", "✓ proved", "R^{2}"):
        assert text in html
    assert "<script" not in html


def test_html_escapes_titles():
    t = Derivation("<b>&").start(y).at_most(y + 1, because="<i>").qed()
    assert "<b>" not in t._repr_html_().replace("<body>", "")


def test_plain_text_can_be_read_in_a_terminal(theorem):
    text = str(theorem)
    assert "norm growth" in text
    assert "≤" in text
    assert "✓ proved: any dimension" in text


def test_terms_kept_as_written_are_shown_as_written():
    with as_written():
        line = z + y
    t = Derivation("t").start(line).at_most(y + z + 1).qed()
    assert "z + y" in t._repr_latex_()


def test_a_whole_derivation_can_be_written_as_it_stands():
    with as_written():
        t = (
            Derivation("t", given=HYPOTHESES, witness=WITNESS)
            .start(norm2(theta + y * x))
            .equals(norm2(theta) + 2 * y * dot(theta, x) + y**2 * norm2(x))
            .at_most(norm2(theta) + R**2)
            .qed()
        )
    tex = t._repr_latex_()
    assert tex.index(r"\lVert \theta \rVert^{2} + 2 y") > 0
    assert r"\lVert \theta \rVert^{2} + R^{2}" in tex
    with as_written(), pytest.raises(WrongStep):
        Derivation("t").start(norm2(theta + x)).equals(norm2(theta) + norm2(x))


def test_products_kept_as_written_look_well():
    with as_written():
        cases = {
            -y * z: "- y z",
            -2 * y**2 / p: r"- \frac{2 y^{2}}{p}",
            (y - z) / (2 * p): r"\frac{y - z}{2 p}",
            Sum(2 * i - 1, (i, 1, n)): r"\sum_{i=1}^{n} \left(2 i - 1\right)",
            Sum(a[i] * y, (i, 1, n)): r"\sum_{i=1}^{n} a_{i} y",
            theta - y * x: r"\theta - y x",
            -(y + z): "- (y + z)",
            z + (y - p): r"z + \left(y - p\right)",
            z - (y - p): r"z - \left(y - p\right)",
            z * Sum((a[i] - y) ** 2, (i, 1, n)) / 8: (
                r"\frac{z \sum_{i=1}^{n} \left(a_{i} - y\right)^{2}}{8}"
            ),
        }
    for term, tex in cases.items():
        assert render.tex(term) == tex


def test_an_unfinished_derivation_can_be_looked_at():
    d = Derivation("t").start(y).at_most(y + 1)
    assert r"\begin{aligned}" in d._repr_latex_()
    assert "≤" in str(d)
    assert "mlnotes-derivation" in d._repr_html_()


# ------------------------------------------------------------------ no way round


def test_a_theorem_is_not_made_by_hand(theorem):
    with pytest.raises(TypeError):
        Theorem()
    with pytest.raises(TypeError):
        Theorem(object(), title="t", statement=Eq(y, y + 1))
    for trick in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            trick(theorem)


def test_a_theorem_is_not_changed():
    t = growth()
    with pytest.raises(AttributeError):
        t.statement = Eq(y, y + 1)
    with pytest.raises(AttributeError):
        del t.given
    object.__setattr__(t, "given", ())
    with pytest.raises(TypeError, match="changed"):
        apply(t)


def test_hypotheses_are_not_removed_from_a_derivation():
    d = Derivation("t", given=[Le(y, 1)], witness={y: 0}).start(y).at_most(2)
    with pytest.raises(AttributeError):
        d.given = []
    with pytest.raises(AttributeError):
        d.given.clear()
    assert d.qed().given == (Le(y, 1),)


@pytest.mark.parametrize("lost", [p > 0, True, False, sp.true, sp.false, sp.Gt(p, 0)])
def test_a_hypothesis_that_evaluated_is_an_error_that_says_how_to_write_it(lost):
    with pytest.raises(IllTyped, match=r"mlnotes\.proof's own"):
        Derivation("t", given=[lost], witness={p: 1})


def test_a_chain_that_mixes_directions_is_refused():
    with pytest.raises(WrongStep, match="mixes"):
        Derivation("t").start(y).at_most(y + 1).at_least(y)
    with pytest.raises(WrongStep, match="mixes"):
        Derivation("t").start(y).greater_than(y - 1).equals(y - 1).less_than(y)


@pytest.mark.parametrize(
    ("given", "first", "op", "last"),
    [
        (Le(y, z), y, "at_most", z),
        (Le(y, z), z, "at_least", y),
        (Ge(z, y), 2 * y, "at_most", 2 * z),
        (Eq(y, z), y, "equals", z),
        (Eq(y, z), -z, "equals", -y),
        (Lt(y, z), y, "less_than", z),
        (Le(y + z, 1), z + y, "at_most", sp.Integer(1)),
    ],
)
def test_a_hypothesis_that_is_the_conclusion_is_refused(given, first, op, last):
    witness = {y: 0, z: 0} if not isinstance(given, sp.Lt) else {y: 0, z: 1}
    d = Derivation("t", given=[given], witness=witness).start(first)
    with pytest.raises(Vacuous, match="proves nothing"):
        getattr(d, op)(last).qed()


def test_no_witness_no_theorem():
    with pytest.raises(Vacuous, match="no witness"):
        Derivation("t", given=[Le(y, 1)])


@pytest.mark.parametrize(
    ("given", "witness"),
    [
        ([Eq(y**2, 1)], {y: 2}),
        ([Le(y, 1), Ge(y, 2)], {y: 1}),
        ([Le(y, 1)], {z: 1}),
        ([Eq(1 / y, 1), Eq(y, 0)], {y: 0}),
        ([Ge(log(y), 0)], {y: -1}),
        ([Ge(p, y)], {p: -1, y: -2}),
        ([Eq(Sum(a[i], (i, 1, n)), 1), for_each(i, 1, n, Ge(a[i], 2))], {a: [2, -1], n: 2}),
        ([Gt(n, 0), Lt(n, 1)], {n: Rational(1, 2)}),
        ([Eq(sum(a[k] for k in (1, 2)), 1)], {a: [1]}),
        ([Le(norm2(x), 1)], {x: 1}),
        ([Eq(E(X), 0)], {X: [(1, Rational(1, 2)), (-1, Rational(1, 3))]}),
        ([Eq(E(X), 0)], {X: [(1, Rational(1, 2)), (0, Rational(1, 2))]}),
        ([Le(dot(x, theta), 0)], {x: [1, 2], theta: [1]}),
    ],
)
def test_a_witness_that_does_not_satisfy_the_hypotheses_is_refused(given, witness):
    with pytest.raises(Vacuous):
        Derivation("t", given=given, witness=witness)


def test_every_line_is_replayed_on_the_witness():
    with pytest.raises(WrongStep) as caught:
        Derivation("t", given=[Ge(y, 1)], witness={y: 7}).start(y).at_most(6)
    assert caught.value.counterexample["y"] == 7


def test_each_line_of_a_chain_is_replayed(monkeypatch):
    seen = []
    monkeypatch.setattr(Derivation, "_replay", lambda self, goal: seen.append(goal))
    Derivation("t", given=[Ge(y, 1)], witness={y: 7}).start(y).at_most(y + 1).at_most(y + 2)
    assert seen == [Le(y, y + 1), Le(y + 1, y + 2)]


def test_the_witness_alone_refutes_a_line():
    d = Derivation("t", given=[Ge(y, 1)], witness={y: 7})
    with pytest.raises(WrongStep):
        d._replay(Le(y, 6))
    with pytest.raises(Undefined):
        d._replay(Le(1 / (y - 7), 6))
    assert d._replay(Le(y, 7)) is None


def test_lines_without_a_start_or_an_end():
    with pytest.raises(IllTyped):
        Derivation("t").equals(y)
    with pytest.raises(IllTyped):
        Derivation("t").start(y).start(y)
    with pytest.raises(Unproved):
        Derivation("t").start(y).qed()
    with pytest.raises(IllTyped):
        Derivation("t").start(Le(y, z))
    with pytest.raises(IllTyped):
        Derivation("t").start(y).equals(theta)
    with pytest.raises(IllTyped):
        Derivation("t").start(theta).at_most(theta)


@pytest.mark.parametrize(
    "term",
    [1 / y, log(y), sqrt(y), y ** Rational(-1, 2), Sum(1 / a[i], (i, 1, n)), exp(1 / y), y**z],
)
def test_a_term_that_may_have_no_value_is_refused(term):
    with pytest.raises(Undefined):
        Derivation("t").start(term)
    with pytest.raises(Undefined):
        Derivation("t").start(term - term + y if term.has(a) else y).equals(y + 0 * y).equals(term)


def test_a_cancelled_division_is_still_seen_when_kept_as_written():
    with as_written():
        term = y / y
    with pytest.raises(Undefined):
        Derivation("t").start(term)
    t = Derivation("t", given=[Ne(y, 0)], witness={y: 2}).start(term).equals(1).qed()
    assert isinstance(t.statement, sp.Eq)


def test_an_inverse_nobody_assumed_is_refused():
    A = matrices("A", n, n)
    with pytest.raises(Undefined):
        Derivation("t").start(inverse(A) * A)
    d = Derivation("t", given=[invertible(A)], witness={A: [[2]], n: 1}).start(A * inverse(A) * A)
    assert d.equals(A).qed()


def test_zero_may_be_a_vector_or_a_matrix():
    A = matrices("A", n, n)
    assert Derivation("t").start(theta - x + x - theta).equals(0).qed()
    assert Derivation("t").start(2 * theta - theta - theta).equals(0).qed()
    assert Derivation("t").start(A - A + zeros(n, n)).equals(zeros(n, n)).qed()


# ------------------------------------------------------------------ impossibility


def test_impossible_has_an_exact_certificate():
    b, w1, w2 = reals("b w1 w2")
    xor = impossible("XOR", given=[Gt(-b, 0), Gt(w1 + b, 0), Gt(w2 + b, 0), Gt(-w1 - w2 - b, 0)])
    assert xor.steps[0].method == "certificate"
    assert "cannot hold together" in str(xor)
    with pytest.raises(TypeError):
        apply(xor)
    with pytest.raises(ProofError):
        Derivation("t", given=[xor])


def test_possible_hypotheses_come_with_an_example():
    with pytest.raises(WrongStep) as caught:
        impossible("t", given=[Gt(y, 0), Lt(y, z)])
    values = caught.value.counterexample
    assert 0 < values["y"] < values["z"]
    with pytest.raises(Vacuous):
        impossible("t", given=[])


def test_a_wrong_line_teaches_with_numbers():
    with pytest.raises(WrongStep) as caught:
        Derivation("t", given=HYPOTHESES, witness=WITNESS).start(norm2(theta + y * x)).at_most(
            norm2(theta) + R
        )
    assert set(caught.value.counterexample) == {"theta", "x", "y", "R"}
    assert "left side" in str(caught.value)


def test_an_unproved_line_says_what_was_tried():
    # True, since cosh(y) ≥ 1 + y²/2 + y⁴/24, but beyond tangents and real arithmetic.
    cosh = (exp(y) + exp(-y)) / 2
    with pytest.raises(Unproved) as caught:
        Derivation("t").start(cosh).at_least(1 + y**2 / 2 + y**4 / 24)
    assert caught.value.tried[:2] == ["normal form", "certificate"]
    assert "nothing proved" in str(caught.value) or "needs z3" in str(caught.value)
