"""The search puts first what a reader means: lectures for concepts, the reference for names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tools.contents import titles
from tools.paths import BOOK

pytestmark = pytest.mark.browser

# What to ask, and the page that must come first: the first of these chapters that is in the book.
CONCEPTS = {
    "the learning problem": ("learning_problem",),
    "no free lunch": ("learning_problem",),
    "overfitting": ("learning_problem",),
    "inductive bias": ("learning_problem",),
    "perceptron": ("perceptron",),
    "the perceptron": ("perceptron",),
    "mistake bound": ("perceptron",),
    "novikoff": ("perceptron",),
    "bound on the number of mistakes": ("perceptron",),
    "Cauchy–Schwarz": ("perceptron",),
    "separable with a margin": ("perceptron",),
    "logistic regression": ("logistic_regression",),
    "newton's method": ("maximum_entropy",),
    "gradient descent": ("gradient_descent",),
    "step size": ("gradient_descent",),
    "descent lemma": ("gradient_descent",),
    "maximum entropy": ("maximum_entropy",),
    "entropy of a die": ("maximum_entropy",),
    "support vector machines": ("support_vector_machines",),
    "hinge loss": ("support_vector_machines",),
    "soft margin": ("support_vector_machines",),
    "convexity": ("convex_duality",),
    "duality": ("convex_duality",),
    "weak duality": ("convex_duality",),
    "Slater's condition": ("convex_duality",),
    "adaboost": ("adaboost",),
    "AdaBoost": ("adaboost",),
    "boosting": ("adaboost",),
    "weak learner": ("adaboost",),
    "decision stump": ("adaboost",),
    "concentration": ("concentration",),
    "hoeffding": ("concentration",),
    "chebyshev": ("concentration",),
    "markov's inequality": ("concentration",),
    "PAC learning": ("pac_learning",),
    "sample complexity": ("pac_learning",),
    "finite class": ("pac_learning",),
    "mixtures": ("mixtures_and_em",),
    "EM algorithm": ("mixtures_and_em",),
    "bayes decisions": ("bayes_decisions",),
    "bayes rule": ("bayes_decisions",),
    "bayes error": ("bayes_decisions",),
    "likelihood ratio": ("bayes_decisions",),
    "decision trees": ("decision_trees",),
    "pruning": ("decision_trees",),
    "gini impurity": ("decision_trees",),
    "random forest": ("bagging_and_forests",),
    "bagging": ("bagging_and_forests",),
    "out-of-bag error": ("bagging_and_forests",),
    "bootstrap": ("bagging_and_forests",),
    "semi-supervised": ("semi_supervised",),
    "co-training": ("semi_supervised",),
    "label propagation": ("semi_supervised",),
    "responsibilities": ("mixtures_and_em",),
    "k-means": ("clustering",),
    "clustering": ("clustering",),
    "dendrogram": ("clustering",),
    "matrix calculus": ("matrix_calculus",),
    "gradient of the determinant": ("matrix_calculus",),
    "log det": ("matrix_calculus",),
    "least squares": ("least_squares",),
    "normal equations": ("least_squares",),
    "pseudo-inverse": ("least_squares",),
    "hat matrix": ("least_squares",),
    "Gauss–Markov": ("least_squares",),
    "ridge": ("regularised_least_squares",),
    "ridge regression": ("regularised_least_squares",),
    "lasso": ("regularised_least_squares",),
    "principal components": ("principal_components",),
    "PCA": ("principal_components",),
    "whitening": ("principal_components",),
    "factor analysis": ("beyond_pca",),
    "multidimensional scaling": ("beyond_pca",),
    "locally linear embedding": ("beyond_pca",),
    "ICA": ("beyond_pca",),
    "NMF": ("beyond_pca",),
    "kernel trick": ("kernels", "support_vector_machines"),
    # Initials, and names that the book does not use.
    "OLS": ("least_squares",),
    "GMM": ("mixtures_and_em",),
    "SMO": ("support_vector_machines",),
    "OOB": ("bagging_and_forests",),
    "MLE": ("logistic_regression",),
    "KL divergence": ("maximum_entropy",),
    "Kullback-Leibler": ("maximum_entropy",),
    # American spellings.
    "regularization": ("regularised_least_squares",),
    "regularized least squares": ("regularised_least_squares",),
    "expectation maximization": ("mixtures_and_em",),
    "empirical risk minimization": ("pac_learning",),
    "unlabeled points": ("semi_supervised",),
}
NAMES = {
    "mlnotes.plot.slider": "api/mlnotes.plot",
    "maximum_margin": "api/mlnotes.perceptron",
    "novikoff_bound": "api/mlnotes.perceptron",
    "Perceptron.fit": "api/mlnotes.perceptron",
    "make_separable": "api/mlnotes.data",
    "kmeans_plus_plus": "api/mlnotes.clustering",
    "decision_function": "api/",
    "KMeans": "api/mlnotes.clustering",
    "GaussianMixture": "api/mlnotes.mixtures_and_em",
}
FIRST = """(query) => {
  const [best] = mlnotesFind(mlnotesIndex, query);
  return best && mlnotesIndex.pages[best.page][0];
}"""

PLACES = """(query) => mlnotesFind(mlnotesIndex, query)
  .map(({page, place}) => `${mlnotesIndex.pages[page][0]}#${place}`)"""


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{server}search.html")
    yield page
    context.close()


def test_there_are_forty_queries_and_every_chapter_is_asked_for() -> None:
    assert len(CONCEPTS) + len(NAMES) >= 40
    asked = {chapter for chapters in CONCEPTS.values() for chapter in chapters}
    assert asked <= set(titles())
    assert asked >= {name for name in titles() if (BOOK / f"{name}.md").exists()}


def test_the_lecture_comes_first_for_a_concept(page: Page) -> None:
    wrong = {}
    for query, chapters in CONCEPTS.items():
        there = [name for name in chapters if (BOOK / f"{name}.md").exists()]
        if (found := page.evaluate(FIRST, query)) != f"book/{there[0]}.html":
            wrong[query] = found
    assert not wrong


def test_the_reference_comes_first_for_a_name(page: Page) -> None:
    found = {query: page.evaluate(FIRST, query) for query in NAMES}
    assert all(found[query].startswith(f"book/{NAMES[query]}") for query in NAMES), found


def test_a_parameter_is_found_where_the_reference_explains_it(page: Page) -> None:
    for query in ("random_state", "fit_intercept", "max_iter"):
        assert page.evaluate(FIRST, query).startswith("book/api/")


def test_every_place_is_shown_once_and_a_short_word_means_itself(page: Page) -> None:
    for query in (*CONCEPTS, *NAMES, "silhouette", "reject option"):
        places = page.evaluate(PLACES, query)
        assert len(places) == len(set(places)), query
    assert "smooth" not in " ".join(page.evaluate(PLACES, "SMO"))


@pytest.mark.parametrize(
    "query", ["constructor", "__proto__", "toString", "k", "(", "\\", "%", "🙂"]
)
def test_no_query_breaks_the_search(page: Page, query: str, server: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{server}search.html")
    page.locator("#search-query").fill(query)
    page.keyboard.press("Enter")
    page.get_by_role("status").wait_for()
    assert not errors
    if query == "k":
        assert not page.locator("mark").count(), "a letter alone is marked nowhere"


def test_a_result_shows_each_formula_once_and_paints_no_page(page: Page, server: str) -> None:
    page.goto(f"{server}search.html?q=distance+to+a+hyperplane")
    first = page.locator(".search-results li").first
    assert "Theorem" in first.inner_text() or "Distance" in first.inner_text()
    words = page.locator(".search-results").inner_text()
    assert "\\" not in words
    assert "θθ" not in words
    first.locator("a").click()
    page.wait_for_url("**/book/perceptron/further.html*")
    assert not page.locator(".highlighted, article mark").count()
    assert page.evaluate("localStorage.getItem('sphinx_highlight_terms')") is None


def test_the_icon_leaves_room_for_the_query(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").wait_for()
    icon = page.locator("#pst-search-dialog i").bounding_box()
    field = page.locator("#pst-search-dialog input").bounding_box()
    assert icon is not None
    assert field is not None
    assert icon["x"] + icon["width"] <= field["x"] + 8


def test_the_search_works_on_a_page_that_was_opened_as_a_file(
    browser: Browser, site: Callable[..., object]
) -> None:
    page = browser.new_page()
    page.goto(f"{(site / 'search.html').as_uri()}?q=hoeffding")  # type: ignore[operator]
    page.locator(".search-results li").first.wait_for()
    page.close()
