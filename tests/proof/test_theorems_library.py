"""What several chapters use: what each fact says, and a nearby statement that is refused."""

from __future__ import annotations

import pytest

from mlnotes.proof import Derivation, Sum, Unproved, WrongStep, dot, log, norm2
from mlnotes.theorems import library
from mlnotes.theorems.library import F, G, L, alpha, beta, f, form, g, h, k, n, p, t, u, v, w

TOTAL = Sum(alpha[k], (k, 1, n))
SAYS = {
    library.one_term: r"\sum_{i=1}^{n} f_{i} \ge f_{k}",
    library.parallelogram: (
        r"\lVert u + v \rVert^{2} + \lVert u - v \rVert^{2} = "
        r"2 \lVert u \rVert^{2} + 2 \lVert v \rVert^{2}"
    ),
    library.descent: (
        r"f\left( w - \frac{g(w)}{L} \right) \le f(w) - \frac{\lVert g(w) \rVert^{2}}{2 L}"
    ),
    library.jensen_log: r"\sum_{k=1}^{n} p_{k} \log \alpha_{k} \le \log A",
    library.metric_cauchy_schwarz: (r"(g^{\top} A h)^{2} \le (g^{\top} A g) (h^{\top} A h)"),
}
FALSE = [
    (f[k], f[k] / 2),
    (norm2(u + v), norm2(u) + norm2(v)),
    (norm2((1 - t) * u + t * v), (1 - t) * norm2(u) + t * norm2(v) - norm2(u - v)),
    (L * norm2(w), 2 * dot(u, w)),
    (TOTAL * log(TOTAL), Sum(alpha[k] * log(alpha[k]), (k, 1, n))),
    (Sum(alpha[k] * log(alpha[k] / beta[k]), (k, 1, n)), 0),
    (log(TOTAL), Sum(log(alpha[k]), (k, 1, n))),
    (Sum(p[k], (k, 1, n)), p[1]),
    (F(w - G(w) / L), F(w) - norm2(G(w)) / L),
    (form(g, h) ** 2, form(g, g)),
]


@pytest.mark.parametrize(("derive", "says"), SAYS.items(), ids=lambda x: getattr(x, "__name__", ""))
def test_what_a_fact_says(derive, says):
    assert derive().part("conclusion") == says


@pytest.mark.parametrize(("start", "less"), FALSE)
def test_what_is_nearby_and_false_is_refused(start, less):
    with pytest.raises((WrongStep, Unproved)):
        Derivation("not so").start(start).at_most(less)


def test_facts_that_a_chapter_tells_are_named():
    told = "cauchy_schwarz counts exponential_tangent gibbs jensen log_tangent"
    for name in told.split():
        assert getattr(library, name)().checked
