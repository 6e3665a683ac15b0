"""Formulas are what a mathematician would print, and stand for the terms that they came from."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from mlnotes_book.mathematics import Katex, TexError

from mlnotes.proof import formulas, language
from mlnotes.proof.language import NAMES, build, number, variable
from mlnotes.proof.probability import independent_family
from mlnotes.proof.rendering import aligned, as_dict, html, latex, latex_lines, plain, tex, text
from mlnotes.trusted.certificates import axiom_statements, read
from mlnotes.trusted.terms import Term
from tools.paths import ROOT

MORE_NAMES = (
    "eta",
    "lambda",
    "theta_0",
    "theta^*",
    "epsilon",
    "x_bar",
    "hat_theta",
    "m_1",
    "R_erm",
)
MORE_NAMES += ("x'",)


def symbols() -> dict[str, Any]:
    """Return the words of the language and the symbols of the formulas below."""
    here = dict(vars(language))
    here |= {s: language.integers(s) for s in "nmKd"} | {s: language.indices(s) for s in "ijkl"}
    here |= {s: language.vectors(s) for s in "wuv"} | {s: language.reals(s) for s in "abctszCR"}
    here |= {s: language.real_family(s) for s in (*"ypqrfh", "xi", "alpha")}
    here |= {"x": language.vector_family("x"), "theta": language.vector_family("theta")}
    here |= {"Z": language.random_variables("Z"), "Y": language.random_vectors("Y")}
    here |= {"X": language.random_family("X"), "g": language.function("g")}
    here |= {s: language.matrices(s, here["d"], here["d"]) for s in "AB"}
    here |= {"M": language.matrices("M", here["n"], here["d"])}
    here |= {s: language.matrices(s, here["d"], 1) for s in "UV"}
    for name in MORE_NAMES:
        here[re.sub(r"\W", "_", name) + "_"] = language.reals(name)
    here |= {"old": language.real_family("p^old"), "mean": language.real_family("mu_1")}
    here |= {"half": language.Rational(1, 2), "E": language.expectation, "P": language.probability}
    return here


@pytest.fixture(autouse=True)
def _own_names() -> Iterator[None]:
    """Let no index be called as in another test."""
    before = dict(NAMES)
    NAMES.clear()
    yield
    NAMES.clear()
    NAMES.update(before)


def written(source: str) -> Any:
    return eval(source, symbols())


NUMBERS = [
    ("trace(U.T * V)", r"U^{\top} V"),
    ("trace(U.T * V) ** 2", r"(U^{\top} V)^{2}"),
    ("trace(U.T * U)", r"\lVert U \rVert^{2}"),
    ("sqrt(trace(U.T * U))", r"\lVert U \rVert"),
    ("trace((M * U).T * (M * U))", r"\lVert M U \rVert^{2}"),
    ("trace((M - M * A).T * (M - M * A))", r"\lVert M - M A \rVert_{F}^{2}"),
    ("trace(U.T * V) * A", r"(U^{\top} V) A"),
    ("trace(A * B)", r"\operatorname{tr}(A B)"),
    ("trace(A * A.T)", r"\operatorname{tr}(A A^{\top})"),
]
SUMS = [
    ("a - b", "a - b"),
    ("u - v", "u - v"),
    ("A - B", "A - B"),
    ("a + b - c", "a + b - c"),
    ("a + (b - c)", "a + b - c"),
    ("a - (b + c)", "a - (b + c)"),
    ("a - (-b)", "a - (-b)"),
    ("-a - b", "-a - b"),
    ("-(a + b)", "-(a + b)"),
    ("w - eta_ * y[i] * x[i]", r"w - \eta y_{i} x_{i}"),
    ("w + (-eta_) * x[i]", r"w - \eta x_{i}"),
    ("1 - xi[i]", r"1 - \xi_{i}"),
    ("a * (-b)", "a (-b)"),
    ("a * 2", r"a \cdot 2"),
    ("2 * a * 3", r"2 a \cdot 3"),
    ("-(2 * a)", "-2 a"),
    ("a * (b + c)", "a (b + c)"),
    ("(a + b) * (a - b)", "(a + b) (a - b)"),
    ("a * a", r"a \cdot a"),
    ("y[k] * (dot(w, x[k]) + b)", r"y_{k} (\langle w, x_{k} \rangle + b)"),
]
FRACTIONS = [
    ("a / b", r"\frac{a}{b}"),
    ("1 / (2 * n)", r"\frac{1}{2 n}"),
    ("a / b * c", r"\frac{a}{b} c"),
    ("a * c / b", r"\frac{a c}{b}"),
    ("a * (c / b)", r"a \frac{c}{b}"),
    ("-a / b", r"-\frac{a}{b}"),
    ("a / b / c", r"\frac{a}{b c}"),
    ("a / (b / c)", r"\frac{a}{b/c}"),
    ("a * half", r"a \cdot \tfrac{1}{2}"),
    ("sqrt(log(2 / a) / (2 * n))", r"\sqrt{\frac{\log(2/a)}{2 n}}"),
    ("w - a * Sum(y[i] * x[i], (i, 1, n)) / n", r"w - \frac{a}{n} \sum_{i=1}^{n} y_{i} x_{i}"),
    ("(a + b) / (a - b)", r"\frac{a + b}{a - b}"),
    ("half * norm2(w)", r"\tfrac{1}{2} \lVert w \rVert^{2}"),
    ("norm2(w) / 2", r"\frac{\lVert w \rVert^{2}}{2}"),
    ("(u + v) / 2", r"\frac{u + v}{2}"),
    ("half * a / b", r"\tfrac{1}{2} \cdot \frac{a}{b}"),
    ("Rational(-1, 2) * a + Rational(1, 4)", r"-\tfrac{1}{2} a + \frac{1}{4}"),
    ("Sum(x[i], (i, 1, n)) / n", r"\frac{1}{n} \sum_{i=1}^{n} x_{i}"),
    ("a * Sum(y[i], (i, 1, n)) / (2 * n)", r"\frac{a}{2 n} \sum_{i=1}^{n} y_{i}"),
    ("p[k] / Sum(p[l], (l, 1, K))", r"\frac{p_{k}}{\sum_{l=1}^{K} p_{l}}"),
    (
        "Sum(r[i] * y[i], (i, 1, n)) / Sum(r[i], (i, 1, n))",
        r"\frac{\sum_{i=1}^{n} r_{i} y_{i}}{\sum_{i=1}^{n} r_{i}}",
    ),
    ("M.T * M / n", r"\frac{1}{n} M^{\top} M"),
]
POWERS = [
    ("(a - b) ** 2", "(a - b)^{2}"),
    ("y[i] ** 2", "y_{i}^{2}"),
    ("(a / b) ** 2", r"\left( \frac{a}{b} \right)^{2}"),
    ("(-a) ** 2", "(-a)^{2}"),
    ("(a ** 2) ** 3", "(a^{2})^{3}"),
    ("a ** n", "a^{n}"),
    ("(1 - a) ** (n + 1)", "(1 - a)^{n+1}"),
    ("a ** b", "a^{b}"),
    ("norm(w)", r"\lVert w \rVert"),
    ("norm(w) ** 2", r"\lVert w \rVert^{2}"),
    ("norm2(w) ** 2", r"\lVert w \rVert^{4}"),
    ("norm2(u - v) / norm2(w)", r"\frac{\lVert u - v \rVert^{2}}{\lVert w \rVert^{2}}"),
    ("sqrt(a * b)", r"\sqrt{a b}"),
    ("exp(-lambda_ * t / 2)", r"e^{-\lambda t/2}"),
    ("exp(lambda_ * (b - a) ** 2 / (8 * n))", r"e^{\lambda (b-a)^{2}/(8 n)}"),
    ("exp(-Sum(y[i], (i, 1, n)))", r"\exp\left( -\sum_{i=1}^{n} y_{i} \right)"),
    ("exp(a) ** 2", "(e^{a})^{2}"),
]
FUNCTIONS = [
    ("log(a)", r"\log a"),
    ("log(a * b)", r"\log(a b)"),
    ("log(a) * b", r"\log(a) b"),
    ("b * log(a)", r"b \log a"),
    ("log(a) ** 2", r"(\log a)^{2}"),
    ("log(p[k] / q[k])", r"\log \frac{p_{k}}{q_{k}}"),
    ("log(Sum(p[l], (l, 1, K)))", r"\log \sum_{l=1}^{K} p_{l}"),
    ("log(Sum(p[l], (l, 1, K))) * a", r"\log\left( \sum_{l=1}^{K} p_{l} \right) a"),
    ("Abs(a - b)", r"\lvert a - b \rvert"),
    ("abs(a / b)", r"\left\lvert \frac{a}{b} \right\rvert"),
    ("Max(a, b, 0)", r"\max(a, b, 0)"),
    ("Min(a, 1 - b)", r"\min(a, 1 - b)"),
    ("g(a + b)", "g(a + b)"),
]
RANGES = [
    (
        "Sum(alpha[i], (i, 1, n))"
        " - half * Sum(alpha[i] * alpha[j] * dot(x[i], x[j]), (i, 1, n), (j, 1, n))",
        r"\sum_{i=1}^{n} \alpha_{i}"
        r" - \tfrac{1}{2} \sum_{i,j=1}^{n} \alpha_{i} \alpha_{j} \langle x_{i}, x_{j} \rangle",
    ),
    ("Sum(h[i, k], (k, 1, K), (i, 1, n))", r"\sum_{i=1}^{n} \sum_{k=1}^{K} h_{i,k}"),
    ("Sum(h[i, j], (j, 1, i), (i, 1, n))", r"\sum_{i=1}^{n} \sum_{j=1}^{i} h_{i,j}"),
    ("Sum(y[i] + a, (i, 1, n))", r"\sum_{i=1}^{n} (y_{i} + a)"),
    ("Sum(-y[i], (i, 1, n))", r"\sum_{i=1}^{n} (-y_{i})"),
    ("Sum(y[i], (i, 1, n)) + a", r"\sum_{i=1}^{n} y_{i} + a"),
    ("Sum(y[i], (i, 1, n)) * a", r"\left( \sum_{i=1}^{n} y_{i} \right) a"),
    ("Sum(y[i], (i, 1, n)) ** 2", r"\left( \sum_{i=1}^{n} y_{i} \right)^{2}"),
    (
        "Product(p[i], (i, 1, n)) * Sum(y[i], (i, 1, n))",
        r"\left( \prod_{i=1}^{n} p_{i} \right) \left( \sum_{i=1}^{n} y_{i} \right)",
    ),
    (
        "norm2(Sum(y[i] * x[i], (i, 1, n)))",
        r"\left\lVert \sum_{i=1}^{n} y_{i} x_{i} \right\rVert^{2}",
    ),
    (
        "dot(w, Sum(y[i] * x[i], (i, 1, n)))",
        r"\left\langle w, \sum_{i=1}^{n} y_{i} x_{i} \right\rangle",
    ),
    ("Product(1 - f[k], (k, 1, m))", r"\prod_{k=1}^{m} (1 - f_{k})"),
]
NAMED = [
    ("theta_0_ + eta_", r"\theta_{0} + \eta"),
    ("theta___ ** 2", r"(\theta^{*})^{2}"),
    ("x_bar_ - hat_theta_", r"\bar{x} - \hat{\theta}"),
    ("epsilon_ * R_erm_", r"\varepsilon R_{\mathrm{erm}}"),
    ("x__ + m_1_", "x' + m_{1}"),
    ("theta[j + (-1)]", r"\theta_{j-1}"),
    ("h[m, i]", "h_{m,i}"),
    ("old[i, k]", r"p_{i,k}^{\mathrm{old}}"),
    ("mean[i]", r"\mu_{1,i}"),
    ("reals('width') * reals('length')", r"\mathrm{width} \, \mathrm{length}"),
]
CHANCE = [
    ("E((Z - E(Z)) ** 2)", r"\mathbb{E}[(Z - \mathbb{E}[Z])^{2}]"),
    ("E(exp(lambda_ * X[i]))", r"\mathbb{E}[e^{\lambda X_{i}}]"),
    ("P(Ge(Abs(Z - a), b))", r"\mathbb{P}[\lvert Z - a \rvert \ge b]"),
    (
        "P(Ge(Sum(X[i], (i, 1, n)) / n, t))",
        r"\mathbb{P}\left[ \frac{1}{n} \sum_{i=1}^{n} X_{i} \ge t \right]",
    ),
    ("E(Z / a)", r"\mathbb{E}\left[ \frac{Z}{a} \right]"),
    ("E(norm2(Y))", r"\mathbb{E}[\lVert Y \rVert^{2}]"),
    ("Le(P(Ge(Z, a)), E(Z) / a)", r"\mathbb{P}[Z \ge a] \le \frac{\mathbb{E}[Z]}{a}"),
    ("E(Z * E(X[1] * X[2]))", r"\mathbb{E}[Z \mathbb{E}[X_{1} X_{2}]]"),
    ("indicator(Ne(y[i], h[m, i]))", r"\mathbf{1}[y_{i} \ne h_{m,i}]"),
    ("KroneckerDelta(i, j)", r"\delta_{ij}"),
    ("KroneckerDelta(i, j + 1)", r"\delta_{i,j+1}"),
]
MATRICES = [
    ("A.T * B", r"A^{\top} B"),
    ("inverse(M.T * M + lambda_ * identity(d)) * M.T", r"(M^{\top} M + \lambda I)^{-1} M^{\top}"),
    ("inverse(A).T", r"(A^{-1})^{\top}"),
    ("A * (A + B)", "A (A + B)"),
    ("-A * B", "-A B"),
    ("A * (-B)", "A (-B)"),
    ("trace(A * B)", r"\operatorname{tr}(A B)"),
    ("logdet(A)", r"\log\det A"),
    ("half * logdet(A * B)", r"\tfrac{1}{2} \log\det(A B)"),
]
STATEMENTS = [
    ("Ge(a, b)", r"a \ge b"),
    ("Gt(n, 0)", "n > 0"),
    ("Ne(a, 0)", r"a \ne 0"),
    ("Eq(w, 0)", "w = 0"),
    ("Eq(A * B, zeros(d, d))", "A B = 0"),
    ("for_each(i, 1, n, Ge(y[i], a))", r"y_{i} \ge a \quad \text{for } i = 1, \dots, n"),
    (
        "for_each(i, 1, n, for_each(j, 1, m, Ge(h[i, j], 0)))",
        r"h_{i,j} \ge 0 \quad \text{for } i = 1, \dots, n \text{ and } j = 1, \dots, m",
    ),
    (
        "for_each(i, 1, n, for_each(j, 1, n, Eq(h[i, j], h[j, i])))",
        r"h_{i,j} = h_{j,i} \quad \text{for } i, j = 1, \dots, n",
    ),
    ("And(Le(0, alpha[i]), Le(alpha[i], C))", r"0 \le \alpha_{i} \le C"),
    ("And(Ge(a, b), Gt(b, c))", r"a \ge b > c"),
    ("And(Ge(a, b), Le(b, c))", r"a \ge b \text{ and } b \le c"),
    ("Or(Eq(a, 0), And(Gt(a, b), Ne(b, 0)))", r"a = 0 \text{ or } a > b \text{ and } b \ne 0"),
    ("And(Or(Eq(a, 0), Eq(b, 0)), Gt(c, 0))", r"(a = 0 \text{ or } b = 0) \text{ and } c > 0"),
    (
        "And(for_each(i, 1, n, Ge(y[i], 0)), Gt(C, 0))",
        r"(y_{i} \ge 0 \quad \text{for } i = 1, \dots, n) \text{ and } C > 0",
    ),
    (
        "for_each(i, 1, n, Or(Ge(y[i], 1), Le(y[i], 0)))",
        r"y_{i} \ge 1 \text{ or } y_{i} \le 0 \quad \text{for } i = 1, \dots, n",
    ),
]
WRITTEN = [
    *(SUMS + FRACTIONS + POWERS + FUNCTIONS + RANGES + NAMED + CHANCE + MATRICES + STATEMENTS),
    *NUMBERS,
]

VARIABLES = {
    **dict.fromkeys("xyz", "R"),
    **dict.fromkeys("ijn", "Z"),
    **{"u": "V", "p": "P", "q": "P", "P": ["P", "R"]},
    **{"f": ["R", "R"], "c": ["R", "Z"], "X": ["R", "W"], "Y": ["R", "W"]},
}
KERNEL = [
    ("(<= 0 x)", r"x \ge 0"),
    ("(< 0 (* x y))", "x y > 0"),
    ("(<= 1Z n)", r"n \ge 1"),
    ("(<= x 0)", r"x \le 0"),
    ("(<= x y)", r"x \le y"),
    ("(-> (= x 0) F)", r"x \ne 0"),
    ("(-> (<= x y) F)", r"x \nleq y"),
    ("(-> p F)", r"\text{not } p"),
    ("F", r"\text{a contradiction}"),
    ("(-> p (-> q F))", r"p \text{ and } q \implies \text{a contradiction}"),
    ("(-> (-> p q) q)", r"(p \implies q) \implies q"),
    ("(& (<= 0 x) (<= x y))", r"0 \le x \le y"),
    ("(-> (<= 1Z i) (-> (<= i n) (< 0 (c i))))", r"1 \le i \le n \implies c_{i} > 0"),
    ("(all k Z (< 0 (c k)))", r"c_{i} > 0 \quad \text{for all } i \in \mathbb{Z}"),
    (
        "(all s R (all t R (<= (f s) (f t))))",
        r"f(t) \le f(s) \quad \text{for all } t, s \in \mathbb{R}",
    ),
    ("(all v V (<= 0 (dot v v)))", r"\lVert v \rVert^{2} \ge 0 \quad \text{for all } v"),
    ("(all w W (<= (X w) (Y w)))", r"X \le Y \quad \text{for every outcome }"),
    (
        "(-> (all t R (-> (= (f t) 0) F)) F)",
        r"f(t) = 0 \quad \text{for some } t \in \mathbb{R}",
    ),
    (
        "(all t R (-> (& (P t) (< 0 t)) F))",
        r"P(t) \text{ and } t > 0 \quad \text{for no } t \in \mathbb{R}",
    ),
    (
        "(all k Z (-> (<= 1Z k) (-> (<= k n) (<= (c k) x))))",
        r"c_{i} \le x \quad \text{for } i = 1, \dots, n",
    ),
    ("(deriv t (log t) x (inv x))", r"\frac{d}{dx} \log x = \frac{1}{x}"),
    ("(deriv t (+ (f t) x) x y)", r"\frac{d}{dt} (f(t) + x) \Big|_{t=x} = y"),
    ("(deriv t (f t) (* x y) z)", r"\frac{d}{dt} f(t) \Big|_{t=x y} = z"),
    ("(* (sum k 1Z n (c k)) (c i))", r"\left( \sum_{j=1}^{n} c_{j} \right) c_{i}"),
    ("(sum k 1Z n (sum l 1Z n (* (c k) (c l))))", r"\sum_{i,j=1}^{n} c_{i} c_{j}"),
    ("(E w (E v (* (X w) (X v))))", r"\mathbb{E}[\mathbb{E}_{\omega'}[X X(\omega')]]"),
    ("(zero V)", "0"),
    ("(* -1 (* -1 x))", "-(-x)"),
]


@pytest.mark.parametrize(("source", "shown"), WRITTEN)
def test_what_is_written_prints_as_on_paper(source: str, shown: str) -> None:
    assert tex(written(source)) == shown


@pytest.mark.parametrize(("source", "shown"), KERNEL)
def test_what_the_kernel_holds_prints_as_on_paper(source: str, shown: str) -> None:
    assert tex(read(source, VARIABLES)) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("w - eta_ * y[i] * x[i]", "w - η y_i x_i"),
        ("norm2(w) / 2", "‖w‖²/2"),
        ("a / (2 * b) * c", "(a/(2 b)) c"),
        ("(a + b) / c", "(a + b)/c"),
        ("half * Sum(h[i, k], (i, 1, n)) ** 2", "(1/2) (Σ_{i=1}^n h_{i,k})²"),
        ("(1 - a) ** (n + 1)", "(1 - a)^(n+1)"),
        ("inverse(A.T * A) * B", "(Aᵀ A)⁻¹ B"),
        ("P(Ge(Z, a))", "P[Z ≥ a]"),
        ("for_each(i, 1, n, Ge(y[i], 0))", "y_i ≥ 0 for i = 1, …, n"),
        ("theta___", "θ^*"),
        ("exp(-a / b)", "exp(-a/b)"),
        ("sqrt(a + b)", "√(a + b)"),
    ],
)
def test_a_terminal_shows_text(source: str, shown: str) -> None:
    assert plain(written(source)) == shown
    assert repr(written(source).term) != shown


def test_a_statement_keeps_the_direction_that_its_term_has_lost() -> None:
    at_least = written("for_each(i, 1, n, Ge(a, y[i]))")
    assert tex(at_least).startswith(r"a \ge y_{i}")
    assert tex(at_least.term).startswith(r"y_{i} \le a")


def test_an_index_avoids_names_that_are_in_use() -> None:
    term = written("Sum(y[i], (i, 1, n))").term
    assert tex(term) == r"\sum_{i=1}^{n} y_{i}"
    product = build("*", (), [term, variable("i")])
    assert tex(product) == r"\left( \sum_{j=1}^{n} y_{j} \right) i"


def test_a_part_of_a_term_prints_without_its_binder() -> None:
    body = written("Sum(y[i] * a, (i, 1, n))").term.args[2]
    assert plain(body) == "y_{i_0} a"


def test_an_inner_index_keeps_its_name_when_an_outer_one_is_bound() -> None:
    nested = written("Sum(q[k] * log(Sum(h[k, l], (l, 1, m))), (k, 1, K))")
    assert tex(nested) == r"\sum_{k=1}^{K} q_{k} \log \sum_{l=1}^{m} h_{k,l}"


# ---------------------------------------------------------------------- LaTeX is well formed


@pytest.fixture(scope="module")
def katex() -> Iterator[Katex]:
    server = Katex()
    server.root = ROOT
    yield server
    server.stop()


def derivation() -> SimpleNamespace:
    """Return what a derivation and its theorem have, from one growing norm."""
    here = symbols()
    w, y, x, R, i = (here[s] for s in "wyxRi")
    common = {
        "detail": "2 y ⟨w, x⟩ ≤ 0",
        "scope": "any dimension",
        "mark": "proved",
        "seconds": 0.1,
    }
    norm2, dot, Le = language.norm2, language.dot, language.Le
    moved = w + y[i] * x[i]
    expanded = norm2(w) + 2 * y[i] * dot(w, x[i]) + norm2(x[i])
    steps = [
        SimpleNamespace(
            relation="=",
            expression=expanded,
            because="expand & collect $y_i^2=1$",
            method="ring",
            **common,
        ),
        SimpleNamespace(
            relation="≤", expression=norm2(w) + R**2, because="", method="psatz", **common
        ),
    ]
    given = (Le(y[i] * dot(w, x[i]), 0), Le(norm2(x[i]), R**2))
    return SimpleNamespace(
        title="the norm grows < R²",
        given=given,
        hypotheses=(*given, build("<", (), [number(0), R.term])),
        first=norm2(moved),
        steps=steps,
        statement=Le(norm2(moved), norm2(w) + R**2),
        mark="proved",
        scope="any dimension",
        assumptions=("a & b",),
        witness={"R": 1},
        is_impossibility=False,
        source="perceptron.py:1",
        stated=(),
        said=list,
        parts=dict,
        quantities={},
    )


def impossibility() -> SimpleNamespace:
    theorem = derivation()
    theorem.is_impossibility, theorem.first, theorem.statement = True, None, None
    last = {**vars(theorem.steps[0]), "relation": "⊢", "expression": None}
    theorem.steps = [SimpleNamespace(**last)]
    return theorem


def all_tex() -> list[str]:
    formulas = [tex(written(source)) for source, _ in WRITTEN]
    formulas += [tex(written(source).term) for source, _ in WRITTEN]
    formulas += [tex(read(source, VARIABLES)) for source, _ in KERNEL]
    formulas += [tex(t) for t in axiom_statements().values()]
    formulas += [line for t in axiom_statements().values() for line in latex_lines(t, 20)]
    formulas += [line for source, _ in WRITTEN for line in latex_lines(written(source), 12)]
    return [*formulas, aligned(derivation()), aligned(impossibility())]


def test_katex_reads_every_formula(katex: Katex) -> None:
    found = all_tex()
    assert len(found) > 400
    for formula in found:
        assert formula.count("{") == formula.count("}")
        assert len(re.findall(r"\\left(?![a-z])", formula)) == len(
            re.findall(r"\\right(?![a-z])", formula)
        )
        katex.render(formula, display=True)
    with pytest.raises(TexError):
        katex.render(found[0] + r"\frac{a}", display=True)


# ---------------------------------------------------------------------- precedence


VALUES = {"a": Fraction(2, 3), "b": Fraction(-3), "c": Fraction(5), "d": Fraction(-7, 2)}


def random_term(size: int, rng: random.Random) -> Term:
    if size <= 1:
        if rng.random() < 0.6:
            return variable(rng.choice("abcd"))
        return number(rng.choice([Fraction(-1), Fraction(2), Fraction(-1, 2), Fraction(3, 4)]))
    op = rng.choice(["+", "+", "*", "*", "inv", "pow"])
    if op in ("inv", "pow"):
        return build(op, (rng.randint(2, 3),) if op == "pow" else (), [random_term(size - 1, rng)])
    left = rng.randint(1, size - 1)
    return build(op, (), [random_term(left, rng), random_term(size - left, rng)])


def value_of(t: Term) -> Fraction:
    args = [value_of(a) for a in t.args]
    if t.op == "v":
        return VALUES[t.data[0]]
    if t.op == "q":
        return Fraction(*t.data)
    if t.op == "+":
        return sum(args, Fraction(0))
    if t.op == "pow":
        return args[0] ** t.data[0]
    if t.op == "inv":
        return 1 / args[0]
    return args[0] * value_of(t.args[1])


def value_of_text(shown: str) -> Fraction:
    """Return the value of a printed formula, in which factors stand side by side."""
    shown = re.sub(r"\\left|\\right", "", shown)
    while (match := re.search(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}|\^\{(\d+)\}", shown)) is not None:
        new = f"**{match[3]}" if match[3] else f"(({match[1]})/({match[2]}))"
        shown = shown[: match.start()] + new + shown[match.end() :]
    shown = shown.replace(r"\cdot", "*").replace("·", "*").replace("²", "**2").replace("³", "**3")
    shown = re.sub(r"(?<=[\w)]) +(?=[\w(])", "*", shown)
    shown = re.sub(r"(?<![*\w])(\d+)", r"Fraction(\1)", shown)
    return Fraction(eval(shown, {"Fraction": Fraction, **VALUES}))


def test_a_printed_formula_has_the_value_of_its_term() -> None:
    rng, compared = random.Random(0), 0
    while compared < 4000:
        t = random_term(rng.randint(1, 9), rng)
        try:
            value = value_of(t)
        except ZeroDivisionError:
            continue
        for shown in (tex(t), plain(t)):
            assert value_of_text(shown) == value, f"{t}: {shown}"
            assert not re.search(r"[-+] *[-+]", shown), shown
        compared += 1


def test_the_comparison_of_values_sees_a_lost_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas.Printer, "within", lambda self, p, level: p.text)
    with pytest.raises(AssertionError):
        test_a_printed_formula_has_the_value_of_its_term()


# ---------------------------------------------------------------------- long formulas


def test_a_long_formula_breaks_at_relations_and_then_at_signs() -> None:
    source = (
        "for_each(i, 1, n, Le(norm2(u) + 2 * a * dot(u, v) - norm2(w + u),"
        " Sum(y[j] - a * b, (j, 1, m)) + R ** 2))"
    )
    assert latex_lines(written(source), 100) == [tex(written(source))]
    assert latex_lines(written(source), 22) == [
        r"\lVert u \rVert^{2} + 2 a \langle u, v \rangle - \lVert w + u \rVert^{2}",
        r"\le \sum_{j=1}^{m} (y_{j} - a b) + R^{2}",
        r"\quad \text{for } i = 1, \dots, n",
    ]
    assert latex_lines(written(source), 11) == [
        r"\lVert u \rVert^{2}",
        r"{} + 2 a \langle u, v \rangle",
        r"{} - \lVert w + u \rVert^{2}",
        r"\le \sum_{j=1}^{m} (y_{j} - a b)",
        r"{} + R^{2}",
        r"\quad \text{for } i = 1, \dots, n",
    ]


# ---------------------------------------------------------------------- derivations


def test_a_derivation_prints_line_by_line() -> None:
    rows = aligned(derivation()).split("\n")
    assert rows == [
        r"\begin{aligned}",
        r"& \lVert w + y_{i} x_{i} \rVert^{2} \\",
        r"& = \lVert w \rVert^{2} + 2 y_{i} \langle w, x_{i} \rangle + \lVert x_{i} \rVert^{2}"
        r" && \text{expand \& collect $y_i^2=1$} \quad \checkmark \\",
        r"& \le \lVert w \rVert^{2} + R^{2} && \text{psatz} \quad \checkmark",
        r"\end{aligned}",
    ]
    assert latex(derivation()) == f"$$\n{aligned(derivation())}\n$$"


def test_an_impossibility_lists_what_cannot_hold_together() -> None:
    rows = aligned(impossibility()).split("\n")
    assert rows[1] == r"y_{i} \langle w, x_{i} \rangle \le 0 && \\"
    assert rows[-2] == r"\bot && \text{these cannot hold together} \quad \checkmark"
    assert "cannot hold together  ✓ ring" in text(impossibility())
    assert as_dict(impossibility())["statement"] is None


def test_a_derivation_prints_in_a_terminal() -> None:
    assert text(derivation()).split("\n") == [
        "the norm grows < R²",
        "  given y_i ⟨w, x_i⟩ ≤ 0; ‖x_i‖² ≤ R²; R > 0",
        "    ‖w + y_i x_i‖²",
        "  = ‖w‖² + 2 y_i ⟨w, x_i⟩ + ‖x_i‖²  (expand & collect $y_i^2=1$)  ✓ ring",
        "  ≤ ‖w‖² + R²  ✓ psatz",
        "  ✓ proved: any dimension",
        "  taken for granted: a & b",
    ]


def test_a_derivation_is_data_with_what_its_certificate_rests_on() -> None:
    theorem = derivation()
    data = json.loads(json.dumps(as_dict(theorem)))
    assert data["statement"] == r"\lVert w + y_{i} x_{i} \rVert^{2} \le \lVert w \rVert^{2} + R^{2}"
    assert data["hypotheses"][-1] == "R > 0"
    assert [s["relation"] for s in data["steps"]] == ["=", "≤"]
    assert "certificate" not in data
    theorem.certificate = {"name": "θ", "steps": []}
    theorem.checked = SimpleNamespace(axioms=frozenset({"square", "induction"}), steps=9)
    theorem.check_seconds = 0.00042
    assert as_dict(theorem)["certificate"] == {
        "axioms": ["induction", "square"],
        "bytes": len(r'{"name":"\u03b8","steps":[]}'),
        "steps": 9,
        "milliseconds": 0.4,
    }


def test_html_escapes_words_and_formulas() -> None:
    page = html(derivation())
    assert "the norm grows &lt; R²" in page
    assert "<li>a &amp; b</li>" in page
    assert r"<li>\(R &gt; 0\)</li>" in page
    assert '<p class="mlnotes-badge mlnotes-proved">✓ proved: any dimension</p>' in page
    assert page.count("<tr><td>") == 2


def test_independence_within_each_row_of_a_family_is_said_of_its_members() -> None:
    ell = language.random_family("ell")
    i, j, n = language.indices("i"), language.indices("j"), language.integers("n")
    rows = independent_family(language.Lambda(i, ell[j, i]))
    assert plain(rows) == "ℓ_{j,1}, ℓ_{j,2}, … are independent"
    everywhere = language.for_each(j, 1, n, rows)
    assert plain(everywhere) == "ℓ_{j,1}, ℓ_{j,2}, … are independent for j = 1, …, n"


def test_iterates_show_their_index_above() -> None:
    theta, r, j = (
        language.vector_family("theta^()"),
        language.real_family("r^()"),
        language.indices("j"),
    )
    assert tex(theta[0]) == r"\theta^{(0)}"
    assert tex(language.norm2(theta[j - 1])) == r"\lVert \theta^{(j-1)} \rVert^{2}"
    assert tex(r[j] ** 2) == "(r^{(j)})^{2}"
    assert plain(theta[j]) == "θ^(j)"


def test_a_map_called_the_gradient_of_a_function_is_printed_as_one() -> None:
    slope = language.function("nabla f", of="vector", to="vector")(language.vectors("a"))
    assert tex(slope) == r"\nabla f(a)"
    assert plain(slope) == "∇f(a)"
