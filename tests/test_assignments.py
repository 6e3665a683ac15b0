"""The assignments: model answers, untouched notebooks, typical mistakes, and a class."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import yaml
from nbformat import NotebookNode

from mlnotes.checks import (
    Assignment,
    Derive,
    Implement,
    assignments,
    check,
    grade_class,
    grade_notebook,
    sandbox,
    variant,
)
from mlnotes.checks.__main__ import main as checks
from mlnotes.checks.notebooks import Graded
from mlnotes.checks.otter import Plugin, prepare
from mlnotes.checks.reports import summary, write_table
from mlnotes.checks.sheet import _module
from mlnotes.checks.sheets import perceptron, support_vector_machines
from tools import assignment_sources as sources
from tools import assignments as tool
from tools import nbgrader
from tools.paths import BOOK, ROOT

ASSIGNED = [
    "adaboost",
    "bagging_and_forests",
    "bayes_decisions",
    "beyond_pca",
    "clustering",
    "decision_trees",
    "gradient_descent",
    "least_squares",
    "logistic_regression",
    "mixtures_and_em",
    "pac_learning",
    "perceptron",
    "principal_components",
    "regularised_least_squares",
    "support_vector_machines",
]
SECRET = "only the grader knows"
# Which choice changes what a derivation says.
SAYS = {
    "perceptron": {"growth": "side", "bound": "chain"},
    "support_vector_machines": {"dual": "goal"},
    "adaboost": {"normaliser": "marked"},
    "pac_learning": {"almost_minimiser": "closer"},
    "bayes_decisions": {"threshold_cost": "side"},
    "beyond_pca": {"two_neighbours": "place"},
    "decision_trees": {"leaf_answer": "answer"},
    "clustering": {"pair_squares": "squared"},
    "bagging_and_forests": {"mixture": "mixture"},
    "gradient_descent": {"closer": "runs"},
    "regularised_least_squares": {"weight": "pays"},
    "least_squares": {"between": "side"},
    "mixtures_and_em": {"divergence": "factor"},
    "logistic_regression": {"vanishing_loss": "side", "steepest": "runs"},
    "principal_components": {"multiple": "subtracted"},
}


def student_with(name: str, place: int, start: int = 0) -> str:
    """Return a student whose derivations have the choices in one place of their lists."""
    wanted = {key: _module(name).NUMBERS[key][place] for key in SAYS[name].values()}
    students = (f"student {k}" for k in itertools.count(start))
    return next(s for s in students if wanted.items() <= variant(s, name).items())


# Lines are written for the first of all choices.
FIRST = {name: student_with(name, 0) for name in ASSIGNED}
OTHER = {name: student_with(name, -1) for name in ASSIGNED}


def test_every_sheet_has_a_source_and_the_other_way_round() -> None:
    assert sources.names() == ASSIGNED
    assert assignments() == sorted([*ASSIGNED, "sample"])


@pytest.mark.parametrize("name", ASSIGNED)
def test_an_assignment_has_tasks_of_all_three_kinds_with_answers_and_a_rubric(name: str) -> None:
    source, sheet = sources.read(name), Assignment(name, "Ada")
    assert {task.kind for task in sheet.tasks.values()} == {"derive", "implement", "explore"}
    assert set(sheet.tasks) <= set(source.answers)
    assert set(source.rubrics) == {t.name for t in sheet.tasks.values() if t.kind == "explore"}


@pytest.mark.parametrize("name", ASSIGNED)
def test_the_model_answers_earn_every_point_for_different_students(name: str) -> None:
    for student in ("Ada", "Bob"):
        graded = grade_notebook(sources.read(name).instructor(student), name, SECRET)
        assert graded.student == student
        assert graded.earned == graded.possible > 0, graded
        assert graded.by_hand == 4
        assert graded.results[-1].items[0].right, "the model text is long enough"


@pytest.mark.parametrize("end", [0, -1])
@pytest.mark.parametrize("name", ASSIGNED)
def test_the_model_answers_earn_every_point_at_the_ends_of_the_numbers(name: str, end: int) -> None:
    numbers = {key: values[end] for key, values in _module(name).NUMBERS.items()}
    for task in _module(name).tasks(numbers):
        answer = sources.filled(sources.read(name).answers[task.name], numbers)
        if isinstance(task, Derive):
            lines = sandbox.run_terms(answer, task.name, task.vocabulary, numbers)
            result = task.check(lines)
        elif isinstance(task, Implement):
            result = task.check(answer, np.random.default_rng(0))
        else:
            continue
        assert result.earned == result.possible, (numbers, result)


@pytest.mark.parametrize("name", ASSIGNED)
def test_the_untouched_notebook_earns_nothing_and_every_item_says_what_to_do(name: str) -> None:
    graded = grade_notebook(sources.read(name).student(), name, SECRET)
    assert not graded.problem
    assert graded.earned == 0 < graded.possible
    for result in graded.results:
        assert result.note or all(item.hint for item in result.items)


@pytest.mark.parametrize("name", ASSIGNED)
def test_answers_and_rubrics_are_not_in_what_students_read(name: str) -> None:
    source = sources.read(name)
    text = nbformat.writes(source.student())
    assert "model-answer" not in text
    assert "marking" not in text
    for answer in source.answers.values():
        lines = [line.strip() for line in answer.splitlines() if len(line.strip()) > 30]
        said = [line for line in lines if json.dumps(line)[1:-1] in text]
        assert all(line.startswith(('"""', "def ")) for line in said), said


# Each of them: task, answer, and the items it must lose. The five of a row are one assignment.
def model(name: str, task: str, student: str = "") -> str:
    """Return the model answer to a task for a student's numbers."""
    return sources.filled(sources.read(name).answers[task], variant(student or FIRST[name], name))


PERCEPTRON = model("perceptron", "perceptron")
SVM = model("support_vector_machines", "svm")
DUAL = model("support_vector_machines", "dual")
SIZE = model("pac_learning", "sample_size")
BOOST = model("adaboost", "boost")
ERM = model("pac_learning", "threshold_erm")
DECIDE = model("bayes_decisions", "decide")
CHEAP = model("bayes_decisions", "cheapest_threshold")
CUT = model("decision_trees", "best_cut")
CHEAPEST = model("decision_trees", "cheapest")
WEIGHTS = model("beyond_pca", "weights_of")
SWEEP = model("beyond_pca", "one_sweep")
ROUND = model("clustering", "one_round")
MERGER = model("clustering", "cheapest_merger")
COMPONENTS = model("principal_components", "components")
WHITENED = model("principal_components", "whitened")
OUT_OF_BAG = model("bagging_and_forests", "out_of_bag")
ALIKE = model("bagging_and_forests", "alike")
DESCEND = model("gradient_descent", "descend")
STOCHASTIC = model("gradient_descent", "stochastic")
PAID_RIDGE = model("regularised_least_squares", "ridge")
PAID_LASSO = model("regularised_least_squares", "lasso")
FIT_LINE = model("least_squares", "fit")
SHORTEST = model("least_squares", "shortest")
ORTHOGONAL = "the residuals are orthogonal to the columns and add up to zero"
DIVIDED = "the variance is the one of the sheet"
SMALLEST = "no weights have a smaller sum of squares"
NO_SHORTER = "none of these are shorter"
SECOND_VALUE = "the second value is right"
EM = model("mixtures_and_em", "em_step")
FIT = model("logistic_regression", "logistic_regression")

NUMBERS = variant(FIRST["logistic_regression"], "logistic_regression")
HEAVY, TIMES = {"first": 0, "last": -1}[NUMBERS["heavy"]], NUMBERS["times"]
MEANS = "centres with points are their means"
GAIN = "the gain is that of the move to the means"
IDLE = "a centre without points does what the sheet says"
ONE_SUM = "the weights sum to one"
SYSTEM = "the weights solve the local system"
RECONSTRUCTED = "the error is that of the weights"
EARLY = "the first update is the right one"
LATE = "the second update uses the first"
PRICE = "the price is that of the two clusters"
CHEAPEST_PAIR = "no pair is cheaper"
CORRECTIONS = "the weights are the corrections added up"
DECIDED = "no decision is better at any input"
CHOSEN_OF_EQUALS = "of equally good decisions the right one is made"
RISKED = "the risk is that of the decisions"
CUT_COST = "the cost is that of the threshold"
CUT_GAP = "it is the cheapest gap that is asked for"
ONLY = "only mistakes are corrected"
STOPS = "it stops where no point is wrong, and not before"
ORDER = "the points are visited in their order, again and again"
CHOSEN = "each round chooses the classifier that is asked for"
VOTES = "every vote is half the log-odds of being right"
SUM = "the weights that are left sum to one"
FALLS = "the decrease is that of the threshold"
BETTER = "no threshold is better"
GAP = "the threshold is the middle of the gap that is asked for"
COST = "the cost is that of the leaves"
LEADS = "the steps lead to the point"
IN_TIME = "it stops in time"
OWN_STEP = "each step is that of its example"
SHARE = "each takes its share of the penalty"
NO_CHEAPER = "no other weights are cheaper"
FREE_OFFSET = "the offset is free of charge"
NEARLY = "the weights are nearly optimal"
SIX_DIGITS = "they are optimal to six digits"
CHEAPER = "no pruned tree is cheaper"
JUDGES = "examples with too few judges are left out"
UNSEEN = "only members that have not seen an example vote"
TIED = "ties count as is asked for"
ALIKE_VARIANCE = "the variance is the mean over the members"
ALIKE_PAIRS = "the correlation is that of two different members"
ENOUGH = "no smaller number of members is enough"
ORTHONORMAL = "the columns are orthonormal"
LOSES = "no other columns lose less"
ALONG = "the variances are those along the columns"
DIRECTED = "the directions are turned as the sheet says"
WHITE = "the covariance is the unit matrix"
LIES = "the new points lie as the sheet says"
HALF = "under them the last classifier is right half of the time"
BOUND = "the training error is below the product of the normalisers"
FEWEST = "no threshold of the class makes fewer mistakes"
RISK = "the empirical risk is that of the threshold"
NOVIKOFF = "no more mistakes than Novikoff's theorem allows"

WRONG = {
    "perceptron": [
        (
            "growth",
            "growth = {'a': norm2(theta) + c*y*dot(theta, x) + c**2*y**2*norm2(x),"
            " 'b': norm2(theta) + c**2*norm2(x)}",
            {"line (a)"},
        ),
        (
            "growth",
            "growth = {'a': norm2(theta) + 2*c*y*dot(theta, x) + c**2*y**2*norm2(x),"
            " 'b': norm2(theta) + c**2*R**2}",
            {"line (b)"},
        ),
        (
            "bound",
            "bound = {'a': dot(theta, target)**2, 'b': norm(theta)*norm(target)}",
            {"line (b)"},
        ),
        (
            "perceptron",
            PERCEPTRON.replace("<= 0", "< 0"),
            {CORRECTIONS, ONLY, STOPS, ORDER, NOVIKOFF},
        ),
        ("perceptron", PERCEPTRON.replace("rate * y[i]", "y[i]"), {CORRECTIONS}),
        ("perceptron", PERCEPTRON.replace("in visits:", "in sorted(visits, key=str):"), {ORDER}),
        (
            "perceptron",
            PERCEPTRON.replace("                quiet = False\n", ""),
            {CORRECTIONS, ONLY, STOPS, ORDER, NOVIKOFF},
        ),
        ("perceptron", PERCEPTRON.replace("return theta", "return -theta"), {CORRECTIONS, STOPS}),
        ("perceptron", PERCEPTRON.replace("<= 0", "<= 0.1"), {ONLY, ORDER}),
    ],
    "support_vector_machines": [
        (
            "svm",
            SVM.replace("(error[i] + error[j]) / 2", "-(error[i] + error[j]) / 2"),
            {"the duality gap is closed", "the objective is as small as the package's"},
        ),
        (
            "dual",
            DUAL.replace('"a": c * norm2(theta) / 2', '"a": norm2(theta) / 2'),
            {"line (a)"},
        ),
        (
            "dual",
            DUAL.replace("total - norm2(span) / (2 * c)", "total - c * norm2(span) / 2"),
            {"line (c)"},
        ),
        (
            "dual",
            DUAL.replace('"b": c * norm2(theta) / 2 - dot(theta, span) + total', '"b": ...'),
            {"line (b)"},
        ),
        (
            "svm",
            SVM.replace("(error[i] + error[j]) / 2, alpha", "0.0, alpha"),
            {"the duality gap is closed", "the objective is as small as the package's"},
        ),
        (
            "svm",
            SVM.replace("/ 2, alpha", "/ 2, alpha / 2"),
            {
                "the multipliers are balanced, between 0 and C, and near the best",
                "the weights are made of the points",
                "the duality gap is closed",
            },
        ),
    ],
    "adaboost": [
        (
            "boost",
            BOOST.replace("argmin", "argmax"),
            {CHOSEN, VOTES, SUM, HALF, BOUND},
        ),
        (
            "boost",
            BOOST.replace("return rows, votes, weights", "return rows, votes, weights[::-1]"),
            {HALF},
        ),
        (
            "normaliser",
            "normaliser = {'a': p + q*rho, 'b': ('<=', p + (q - p)*(Rational(1, 2) - gamma))}",
            {"line (a)"},
        ),
        (
            "normaliser",
            "normaliser = {'a': p + (q - p)*rho,"
            " 'b': ('>=', p + (q - p)*(Rational(1, 2) - gamma))}",
            {"line (b)"},
        ),
        (
            "boost",
            BOOST.replace("return rows, votes,", "return rows, 2 * np.array(votes),"),
            {VOTES},
        ),
        (
            "boost",
            BOOST.replace("return rows, votes, weights", "return rows, votes, weights * len(y)"),
            {SUM},
        ),
        (
            "boost",
            BOOST.replace("        weights = weights * np.exp(-vote * y * H[row])\n", ""),
            {CHOSEN, VOTES, SUM, HALF, BOUND},
        ),
        (
            "boost",
            BOOST.replace("np.where(y > 0, heavy, 1)", "np.where(y > 0, 5, 1)"),
            {CHOSEN, VOTES, SUM, HALF, BOUND},
        ),
    ],
    "pac_learning": [
        (
            "almost_minimiser",
            "almost_minimiser = {'a': empirical - d, 'b': best_empirical + (c + 1)*d,"
            " 'c': least + (c + 1 + s)*d}",
            {"line (a)"},
        ),
        (
            "almost_minimiser",
            "almost_minimiser = {'a': empirical + d, 'b': best_empirical + c*d,"
            " 'c': least + (c + 1 + s)*d}",
            {"line (b)"},
        ),
        (
            "sample_size",
            SIZE.replace("math.ceil", "math.floor"),
            {"that many examples are enough"},
        ),
        (
            "sample_size",
            SIZE.replace("2 * scale", "8 * scale"),
            {"one example fewer is not"},
        ),
        (
            "threshold_erm",
            ERM.replace("mean(axis=1)", "sum(axis=1)"),
            {RISK},
        ),
        (
            "threshold_erm",
            ERM.replace("argmin", "argmax"),
            {FEWEST, RISK},
        ),
        (
            "threshold_erm",
            ERM.replace("1, -1)", "-1, 1)"),
            {FEWEST, RISK},
        ),
        (
            "sample_size",
            SIZE.replace("scale**2", "scale"),
            {"that many examples are enough", "one example fewer is not"},
        ),
    ],
    "gradient_descent": [
        (
            "closer",
            "closer = {'a': norm2(theta - z) - b*dot(g, theta - z) + b**2*norm2(g),"
            " 'b': norm2(theta - z) - 2*b*delta + b**2*G**2}",
            {"line (a)"},
        ),
        (
            "closer",
            "closer = {'a': norm2(theta - z) - 2*b*dot(g, theta - z) + b**2*norm2(g),"
            " 'b': norm2(theta - z) + 2*b*delta + b**2*G**2}",
            {"line (b)"},
        ),
        (
            "descend",
            DESCEND.replace("return theta, steps", "return theta, steps + 1"),
            {LEADS, IN_TIME},
        ),
        ("descend", DESCEND.replace("[-1]", "[0]"), {LEADS, IN_TIME}),
        ("descend", DESCEND.replace("> tol", "> 0.3 * tol"), {IN_TIME}),
        ("stochastic", STOCHASTIC.replace(" / len(X)", ""), {SHARE}),
        ("stochastic", STOCHASTIC.replace("- y[i])", "+ y[i])"), {OWN_STEP, SHARE}),
    ],
    "least_squares": [
        (
            "between",
            "between = {'a': norm2(y - f) - b*dot(y - f, g - f) + b**2*norm2(g - f),"
            " 'b': norm2(y - f) + b**2*norm2(g - f)}",
            {"line (a)"},
        ),
        (
            "between",
            "between = {'a': norm2(y - f) - 2*b*dot(y - f, g - f) + b**2*norm2(g - f),"
            " 'b': norm2(y - f) + 4*b**2*norm2(g - f)}",
            {"line (b)"},
        ),
        (
            "fit",
            FIT_LINE.replace("np.ones(n)", "np.zeros(n) + 1e-9").replace(
                "np.linalg.solve(R, Q.T @ y)", "0 * y[: d + 1]"
            ),
            {ORTHOGONAL, DIVIDED},
        ),
        ("fit", FIT_LINE.replace("left @ left / divisor", "np.var(y)"), {DIVIDED}),
        (
            "shortest",
            SHORTEST.replace(
                "V[:rank].T @ (U[:, :rank].T @ y / gamma[:rank])",
                "np.linalg.lstsq(X, y, rcond=None)[0] + np.linalg.svd(X)[2][-1]"
                " * (rank < X.shape[1])",
            ),
            {NO_SHORTER},
        ),
        (
            "shortest",
            SHORTEST.replace("/ gamma[:rank])", "* gamma[:rank])"),
            {SMALLEST, NO_SHORTER, SECOND_VALUE},
        ),
        ("shortest", SHORTEST.replace("return theta, extra", "return theta, -1.0"), {SECOND_VALUE}),
    ],
    "regularised_least_squares": [
        (
            "weight",
            "weight = {'a': norm2(r)/2 - 2*b*dot(u, r) + (1 + p)/2*b**2,"
            " 'b': norm2(r)/2 + (1 + p)/2*(b - dot(u, r)/(1 + p))**2 - dot(u, r)**2/(2*(1 + p))}",
            {"line (a)"},
        ),
        (
            "weight",
            "weight = {'a': norm2(r)/2 - b*dot(u, r) + (1 + p)/2*b**2,"
            " 'b': norm2(r)/2 + (1 + p)/2*(b - dot(u, r))**2 - dot(u, r)**2/(2*(1 + p))}",
            {"line (b)"},
        ),
        (
            "ridge",
            PAID_RIDGE.replace("return theta, level - middle @ theta", "return theta, level"),
            {NO_CHEAPER, FREE_OFFSET},
        ),
        (
            "ridge",
            PAID_RIDGE.replace("price / factor", "2 * price / factor"),
            {NO_CHEAPER, FREE_OFFSET},
        ),
        (
            "ridge",
            PAID_RIDGE.replace("X - middle, y - level", "X, y").replace(
                "level - middle @ theta", "0.0"
            ),
            {FREE_OFFSET},
        ),
        ("lasso", PAID_LASSO.replace("range(20000)", "range(1)"), {NEARLY, SIX_DIGITS}),
        ("lasso", PAID_LASSO.replace("1e-12", "1e-3"), {SIX_DIGITS}),
        (
            "lasso",
            PAID_LASSO.replace("max(c - price, 0.0)", "c / (1 + price)").replace(
                "max(-c - price, 0.0)", "0.0"
            ),
            {NEARLY, SIX_DIGITS},
        ),
    ],
    "bayes_decisions": [
        (
            "threshold_cost",
            "threshold_cost = {'a': (1 + b)/2*t**2 - t + 1,"
            " 'b': (1 + b)/2*(t - 1/(1 + b))**2 + b/(2*(1 + b))}",
            {"line (a)"},
        ),
        (
            "threshold_cost",
            "threshold_cost = {'a': (1 + b)/2*t**2 - t + Rational(1, 2),"
            " 'b': (1 + b)/2*(t - b/(1 + b))**2 + b/(2*(1 + b))}",
            {"line (b)"},
        ),
        (
            "decide",
            DECIDE.replace("likelihoods * priors", "likelihoods"),
            {DECIDED, CHOSEN_OF_EQUALS, RISKED},
        ),
        ("decide", DECIDE.replace("evidence @ least", "least.mean()"), {RISKED}),
        (
            "cheapest_threshold",
            CHEAP.replace("scores > s", "scores < s"),
            {CUT_COST, CUT_GAP},
        ),
        (
            "cheapest_threshold",
            CHEAP.replace("(values[:-1] + values[1:]) / 2", "values[:-1]"),
            {CUT_GAP},
        ),
    ],
    "decision_trees": [
        (
            "leaf_answer",
            "squares, total = Sum(y[i]**2, (i, 1, n)), Sum(y[i], (i, 1, n))\n"
            "leaf_answer = {'a': squares - b*m*total + n*b**2*m**2,"
            " 'b': S - 2*b*n*m**2 + n*b**2*m**2}",
            {"line (a)"},
        ),
        (
            "leaf_answer",
            "squares, total = Sum(y[i]**2, (i, 1, n)), Sum(y[i], (i, 1, n))\n"
            "leaf_answer = {'a': squares - 2*b*m*total + n*b**2*m**2,"
            " 'b': S - b*n*m**2 + n*b**2*m**2}",
            {"line (b)"},
        ),
        ("best_cut", CUT.replace("most = max(", "most = min("), {FALLS, BETTER, GAP}),
        ("best_cut", CUT.replace(">= least", ">= 1"), {FALLS, BETTER, GAP}),
        ("best_cut", CUT.replace("(values[:-1] + values[1:]) / 2", "values[:-1]"), {GAP}),
        ("cheapest", CHEAPEST.replace("cost[0]", "cost[0] - price"), {COST}),
        ("cheapest", CHEAPEST.replace("loss + price", "loss + 0"), {COST, CHEAPER}),
    ],
    "beyond_pca": [
        (
            "two_neighbours",
            "two_neighbours = {'a': b**2*norm2(p) + b*(1 - b)*dot(p, q) + (1 - b)**2*norm2(q),"
            " 'b': b*norm2(p) + (1 - b)*norm2(q) - b*(1 - b)*D}",
            {"line (a)"},
        ),
        (
            "two_neighbours",
            "two_neighbours = {'a': b**2*norm2(p) + 2*b*(1 - b)*dot(p, q) + (1 - b)**2*norm2(q),"
            " 'b': b*norm2(p) + (1 - b)*norm2(q) - 2*b*(1 - b)*D}",
            {"line (b)"},
        ),
        ("weights_of", WEIGHTS.replace("w = w / w.sum()", "w = 0.9 * w / w.sum()"), {ONE_SUM}),
        ("weights_of", WEIGHTS.replace("G + r *", "G + 3 * r *"), {SYSTEM}),
        ("weights_of", WEIGHTS.replace("gap @ gap", "(gap @ gap) ** 0.5"), {RECONSTRUCTED}),
        (
            "one_sweep",
            SWEEP.replace("return A, updated(X.T, B, A)", "return A, 1.001 * updated(X.T, B, A)"),
            {LATE},
        ),
        (
            "one_sweep",
            SWEEP.replace(
                "return A, updated(X.T, B, A)", "return updated(X, A, B), updated(X.T, B, A)"
            ),
            {EARLY, LATE},
        ),
    ],
    "clustering": [
        (
            "pair_squares",
            "squares, total = Sum(x[i]**2, (i, 1, n)), Sum(x[i], (i, 1, n))\n"
            "pair_squares = {'a': b**2*n*squares - b*total**2 + n*squares,"
            " 'b': b**2*n*S - 2*b*n**2*m**2 + n*S}",
            {"line (a)"},
        ),
        (
            "pair_squares",
            "squares, total = Sum(x[i]**2, (i, 1, n)), Sum(x[i], (i, 1, n))\n"
            "pair_squares = {'a': b**2*n*squares - 2*b*total**2 + n*squares,"
            " 'b': b**2*S - 2*b*n*m**2 + S}",
            {"line (b)"},
        ),
        ("one_round", ROUND.replace("mine.mean(axis=0)", "mine.mean(axis=0) + 0.1"), {MEANS, GAIN}),
        ("one_round", ROUND.replace("len(mine) *", "1 *"), {GAIN}),
        (
            "one_round",
            ROUND.replace(
                "return labels", "moved[-1] += 9 * (k - 1 not in labels)\n    return labels"
            ),
            {IDLE},
        ),
        (
            "cheapest_merger",
            MERGER.replace("return [a, b], least", "return [a, b], 1.01 * least"),
            {PRICE},
        ),
        ("cheapest_merger", MERGER.replace("min(found)", "sorted(found)[1]"), {CHEAPEST_PAIR}),
    ],
    "principal_components": [
        (
            "multiple",
            "squares, along = Sum(norm2(x[i]), (i, 1, n)), Sum(dot(x[i], w)**2, (i, 1, n))\n"
            "multiple = {'a': squares - b*along + b**2*along, 'b': T - 2*b*K + b**2*K}",
            {"line (a)"},
        ),
        (
            "multiple",
            "squares, along = Sum(norm2(x[i]), (i, 1, n)), Sum(dot(x[i], w)**2, (i, 1, n))\n"
            "multiple = {'a': squares - 2*b*along + b**2*along, 'b': T - K + b**2*K}",
            {"line (b)"},
        ),
        (
            "components",
            COMPONENTS.replace("X - X.mean(axis=0)", "X"),
            {ORTHONORMAL, LOSES, ALONG, DIRECTED},
        ),
        ("components", COMPONENTS.replace("/ divisor", "/ len(X)**2"), {ALONG}),
        ("components", COMPONENTS.replace("leading < 0", "leading > 0"), {DIRECTED}),
        ("components", COMPONENTS.replace("return U,", "return 1.01 * U,"), {ORTHONORMAL, ALONG}),
        ("whitened", WHITENED.replace("/ values", "/ values**1.02"), {WHITE}),
        ("whitened", WHITENED.replace("return Z", "return Z[:, ::-1]"), {LIES}),
    ],
    "bagging_and_forests": [
        (
            "mixture",
            "first, second = Sum(u[i]**2, (i, 1, n)), Sum(v[i]**2, (i, 1, n))\n"
            "both = Sum(u[i]*v[i], (i, 1, n))\n"
            "mixture = {'a': b**2*first + b*(1 - b)*both + (1 - b)**2*second,"
            " 'b': b**2*S + 2*b*(1 - b)*C + (1 - b)**2*S}",
            {"line (a)"},
        ),
        (
            "mixture",
            "first, second = Sum(u[i]**2, (i, 1, n)), Sum(v[i]**2, (i, 1, n))\n"
            "both = Sum(u[i]*v[i], (i, 1, n))\n"
            "mixture = {'a': b**2*first + 2*b*(1 - b)*both + (1 - b)**2*second,"
            " 'b': b**2*S + (1 - b)**2*S}",
            {"line (b)"},
        ),
        (
            "out_of_bag",
            OUT_OF_BAG.replace("np.setdiff1d(np.arange(len(y)), drawn)", "np.unique(drawn)"),
            {JUDGES, UNSEEN, TIED},
        ),
        ("out_of_bag", OUT_OF_BAG.replace("tie * (margin", "0 * (margin"), {TIED}),
        ("out_of_bag", OUT_OF_BAG.replace("counts.sum()", "len(y)"), {JUDGES}),
        ("alike", ALIKE.replace("(T * (T - 1))", "(T * T)"), {ALIKE_PAIRS, ENOUGH}),
        ("alike", ALIKE.replace("(n - less)", "(n - 1 + less)"), {ALIKE_VARIANCE}),
        ("alike", ALIKE.replace("np.ceil(", "np.floor("), {ENOUGH}),
    ],
    "mixtures_and_em": [
        (
            "em_step",
            EM.replace("centres) ** 2", "means) ** 2"),
            {"the variances maximise the expectation"},
        ),
        (
            "divergence",
            "divergence = {'a': M*c + Sum(q[k]*log(s[k]/q[k]), (k, 1, K)),"
            " 'b': M*log(c) + Sum(q[k]*(s[k]/q[k] - 1), (k, 1, K))}",
            {"line (a)"},
        ),
        (
            "divergence",
            "divergence = {'a': M*log(c) + Sum(q[k]*log(s[k]/q[k]), (k, 1, K)),"
            " 'b': M*log(c) + Sum(q[k]*(s[k]/q[k] + 1), (k, 1, K))}",
            {"line (b)"},
        ),
        (
            "em_step",
            EM.replace("logsumexp(joint, axis=1)", "np.log(np.exp(joint).sum(axis=1))"),
            {"a point far from every mean does no harm"},
        ),
        (
            "em_step",
            EM.replace("return mass / mass.sum()", "return mass"),
            {"the weights maximise the expectation"},
        ),
        (
            "em_step",
            EM.replace("evidence.sum()", "evidence.mean()"),
            {
                "the log-likelihood is that of the old parameters",
                "a point far from every mean does no harm",
            },
        ),
    ],
    "logistic_regression": [
        (
            "vanishing_loss",
            "vanishing_loss = {'a': Sum(exp(c*y[i]*dot(target, x[i])), (i, 1, n)),"
            " 'b': n*exp(-c*gamma)}",
            {"line (a)"},
        ),
        (
            "vanishing_loss",
            "vanishing_loss = {'a': Sum(exp(-c*y[i]*dot(target, x[i])), (i, 1, n)),"
            " 'b': n*exp(-gamma)}",
            {"line (b)"},
        ),
        ("steepest", "steepest = {'a': s/4 - (p - Rational(1, 2))**2}", {"line (a)"}),
        (
            "logistic_regression",
            "import numpy as np\n\ndef logistic_regression(X, y, penalty):\n"
            "    theta, charge = np.zeros(X.shape[1]), np.full(X.shape[1], penalty)\n"
            f"    charge[{HEAVY}] *= {TIMES}\n"
            "    for _ in range(20_000):\n"
            "        p = 1 / (1 + np.exp(y * (X @ theta)))\n"
            "        theta = theta + 0.01 * ((y * p) @ X - charge * theta)\n    return theta\n",
            {"large numbers do not overflow"},
        ),
        (
            "logistic_regression",
            FIT.replace("range(500)", "range(1)"),
            {
                "the gradient of the penalised loss vanishes",
                "no other weights have a smaller loss",
                "large numbers do not overflow",
            },
        ),
    ],
}
CASES = [(name, *case) for name, cases in WRONG.items() for case in cases]


def test_every_assignment_has_five_typical_wrong_answers() -> None:
    assert {
        name: sum(case[0] == name for case in CASES) >= 5 for name in ASSIGNED
    } == dict.fromkeys(ASSIGNED, True)


@pytest.mark.parametrize(("name", "task", "answer", "lost"), CASES)
def test_a_typical_wrong_answer_loses_exactly_its_points(
    name: str, task: str, answer: str, lost: set[str]
) -> None:
    assert answer != model(name, task), "nothing was changed"
    result = Assignment(name, FIRST[name], SECRET).grade(task, answer)
    assert {item.name for item in result.items if not item.right} == lost, result
    assert result.earned == result.possible - sum(i.points for i in result.items if i.name in lost)
    assert all(item.hint or result.note for item in result.items if not item.right)


@pytest.mark.parametrize("name", ASSIGNED)
def test_lines_that_a_program_makes_earn_what_plain_lines_earn(name: str) -> None:
    sheet = Assignment(name, FIRST[name])
    for task in sheet.tasks.values():
        if isinstance(task, Derive):
            # A statement that is no line leaves the cell to a process of its own.
            result = sheet.grade(task.name, f"pass\n{model(name, task.name)}")
            assert result.earned == result.possible, result


def test_a_number_of_examples_without_end_is_wrong_and_no_crash() -> None:
    source = "def sample_size(n_predictors, epsilon, delta):\n    return float('inf')\n"
    assert Assignment("pac_learning", "Ada").grade("sample_size", source).earned == 0


def test_counterexamples_have_weights_and_mistakes_as_the_task_has_them() -> None:
    # Refuted only where the edge is small, which the witness does not have.
    source = "normaliser = {'a': p + (q - p) * rho, 'b': ('<=', p + (q - p) * gamma)}"
    hint = Assignment("adaboost", FIRST["adaboost"]).grade("normaliser", source).items[1].hint
    numbers = dict(re.findall(r"(\w\[\d\]) = (-?[\d/]+)", hint))
    assert {"v[1]", "v[2]", "m[1]", "m[2]"} <= numbers.keys(), hint
    for name, value in numbers.items():
        assert value in ("0", "1") if name.startswith("m") else not value.startswith("-")


def model_lines(sheet: Assignment, task: Derive) -> dict[str, Any]:
    source = model(sheet.name, task.name, sheet.student)
    return sandbox.run_terms(source, task.name, task.vocabulary, sheet.numbers)


@pytest.mark.parametrize(("name", "students"), [(n, s) for n in ASSIGNED for s in (FIRST, OTHER)])
def test_a_neighbour_to_which_a_hypothesis_was_added_earns_nothing(
    name: str, students: dict[str, str]
) -> None:
    """Add nothing, in the shape of both sides of a fact, to the line above and to that below."""
    sheet = Assignment(name, students[name])
    for task in sheet.tasks.values():
        if not isinstance(task, Derive):
            continue
        model = model_lines(sheet, task)
        assert task.check(model).earned == task.check(model).possible
        filled = {k: model[gap] for gap, k in task.blanks.items()}
        terms = [filled.get(k, line.term) for k, line in enumerate(task.lines)]
        terms = [term[1] if isinstance(term, tuple) else term for term in terms]
        sides = [fact.parts for fact in task.given if fact.shown == "="]
        sides = [(left, right) for left, right in sides if left.sort != "V"]
        zeros = [0, *(factor * (left - right) for left, right in sides for factor in (1, -2))]
        for gap, k in task.blanks.items():
            for term in (terms[k - 1], terms[k + 1]):
                for zero in zeros:
                    line: Any = term + zero
                    answer = ("<=", line) if task.lines[k].ask_relation else line
                    result = task.check({**model, gap: answer})
                    earned = [item.name for item in result.items if item.right]
                    assert f"line ({gap})" not in earned, f"{task.name} {gap}: {line}"


RIGHT = [
    ("perceptron", "growth", "a", "dot(theta, theta) + dot(x, x)*(c*y)**2 + dot(theta, x)*2*y*c"),
    ("perceptron", "growth", "a", "norm(theta)**2 + 2.0*c*y*dot(x, theta) + (c*norm(x))**2"),
    ("perceptron", "growth", "b", "norm2(theta) + c**2*y**2*norm2(x)"),
    ("perceptron", "growth", "b", "norm(theta)**2 + c**2*norm2(x)"),
    ("perceptron", "bound", "a", "Abs(dot(target, theta))**2"),
    ("perceptron", "bound", "a", "dot(theta, target)*dot(target, theta)"),
    ("perceptron", "bound", "b", "L**2*norm2(theta)"),
    ("perceptron", "bound", "b", "(norm(theta)*norm(target))**2"),
    ("perceptron", "bound", "b", "(L*norm(theta))**2"),
    ("pac_learning", "almost_minimiser", "a", "d + empirical"),
    ("pac_learning", "almost_minimiser", "a", "empirical + Abs(d)"),
    ("pac_learning", "almost_minimiser", "b", "(c + 1)*d + best_empirical"),
    ("pac_learning", "almost_minimiser", "c", "d*(s + c + 1) + least"),
    ("bayes_decisions", "threshold_cost", "a", "b*t**2/2 + t**2/2 - t + 0.5"),
    (
        *("bayes_decisions", "threshold_cost", "b"),
        "((1 + b)*t - 1)**2/(2*(1 + b)) + 1/2 - 1/(2*(1 + b))",
    ),
    (
        *("decision_trees", "leaf_answer", "a"),
        "Sum(y[i]**2 - 2*b*m*y[i], (i, 1, n)) + n*(b*m)**2",
    ),
    (
        *("gradient_descent", "closer", "a"),
        "norm2(theta - z) + 2*b*dot(g, z) - 2*b*dot(g, theta) + b**2*norm2(g)",
    ),
    ("gradient_descent", "closer", "b", "norm2(theta - z) + b*(b*G**2 - 2*delta)"),
    (
        *("regularised_least_squares", "weight", "a"),
        "norm2(r)/2 + b**2/2 + p*b**2/2 - dot(r, u)*b",
    ),
    (
        *("regularised_least_squares", "weight", "b"),
        "norm2(r)/2 + ((1 + p)*b - dot(u, r))**2/(2*(1 + p)) - dot(u, r)**2/(2 + 2*p)",
    ),
    (
        *("least_squares", "between", "a"),
        "norm2(y - f) + 2*b*dot(y, f) - 2*b*dot(y, g) + 2*b*dot(f, g - f) + b**2*norm2(g - f)",
    ),
    ("least_squares", "between", "b", "norm2(f) - 2*dot(y, f) + norm2(y) + b**2*norm2(f - g)"),
    ("decision_trees", "leaf_answer", "b", "S + n*m**2*(b**2 - 2*b)"),
    (
        *("clustering", "pair_squares", "a"),
        "n*b**2*Sum(x[j]**2, (j, 1, n)) + n*Sum(x[i]**2, (i, 1, n))"
        " - 2*b*Sum(x[i], (i, 1, n))*Sum(x[j], (j, 1, n))",
    ),
    ("clustering", "pair_squares", "b", "n*((1 + b**2)*S - 2*b*n*m**2)"),
    (
        *("beyond_pca", "two_neighbours", "a"),
        "norm2(p)*b**2 + norm2(q) - 2*b*norm2(q) + b**2*dot(q, q)"
        " + 2*b*dot(p, q) - 2*b**2*dot(q, p)",
    ),
    (
        *("beyond_pca", "two_neighbours", "b"),
        "norm2(q) + b*(norm2(p) - norm2(q)) - (b - b**2)*D",
    ),
    (
        *("principal_components", "multiple", "a"),
        "Sum(norm2(x[i]) - (2*b - b**2)*dot(x[i], w)**2, (i, 1, n))",
    ),
    ("principal_components", "multiple", "b", "T - K + (1 - b)**2*K"),
    ("decision_trees", "leaf_answer", "b", "S - n*m**2 + n*(b - 1)**2*m**2"),
    (
        *("bagging_and_forests", "mixture", "a"),
        "Sum(b**2*u[i]**2 + (1 - b)**2*v[i]**2, (i, 1, n)) + 2*b*(1 - b)*Sum(v[i]*u[i], (i, 1, n))",
    ),
    ("bagging_and_forests", "mixture", "b", "S - 2*b*(1 - b)*(S - C)"),
    ("adaboost", "normaliser", "a", "p*(1 - rho) + q*rho"),
    ("adaboost", "normaliser", "b", '("<=", (q + p)*Rational(1, 2) - (q - p)*gamma)'),
    ("adaboost", "normaliser", "b", '("≤", 0.5*p + 0.5*q - (q - p)*gamma)'),
    ("adaboost", "normaliser", "b", '("<=", p*(1/2 + gamma) + q*(1/2 - gamma))'),
    ("mixtures_and_em", "divergence", "a", "M*log(c) - Sum(q[k]*log(q[k]/s[k]), (k, 1, K))"),
    (
        *("mixtures_and_em", "divergence", "a"),
        "Sum(q[k], (k, 1, K))*log(c) + Sum(q[k]*(log(s[k]) - log(q[k])), (k, 1, K))",
    ),
    ("mixtures_and_em", "divergence", "b", "M*log(c) + Sum(s[k] - q[k], (k, 1, K))"),
    ("mixtures_and_em", "divergence", "b", "Sum(q[k]*log(c) + s[k] - q[k], (k, 1, K))"),
    (
        *("mixtures_and_em", "divergence", "b"),
        "M*log(c) + Sum(s[k], (k, 1, K)) - Sum(q[k], (k, 1, K))",
    ),
    ("support_vector_machines", "dual", "c", "total - dot(span, span)/(2*c)"),
    ("support_vector_machines", "dual", "c", "total - 1/(2*c)*dot(span, span)"),
    ("support_vector_machines", "dual", "c", "total - c/2*norm2(span/c)"),
    ("support_vector_machines", "dual", "b", "total + c*dot(theta, theta)/2 - dot(span, theta)"),
    (
        *("support_vector_machines", "dual", "b"),
        "c/2*norm2(theta) - Sum(alpha[j]*y[j]*dot(x[j], theta), (j, 1, n)) + total",
    ),
    (
        "logistic_regression",
        "vanishing_loss",
        "a",
        "Sum(1/exp(c*y[i]*dot(x[i], target)), (i, 1, n))",
    ),
    (
        "logistic_regression",
        "vanishing_loss",
        "a",
        "Sum(exp(-y[i]*dot(c*target, x[i])), (i, 1, n))",
    ),
    ("logistic_regression", "vanishing_loss", "b", "Sum(exp(-c*gamma), (i, 1, n))"),
    ("logistic_regression", "vanishing_loss", "b", "n/exp(c*gamma)"),
    ("logistic_regression", "vanishing_loss", "b", "n*exp(-gamma)**c"),
    ("logistic_regression", "steepest", "a", "s*(Rational(1, 4) - (p - Rational(1, 2))**2)"),
    ("logistic_regression", "steepest", "a", "s/4 - s*(1 - 2*p)**2/4"),
    ("logistic_regression", "steepest", "a", "s/4 - s*(p - 1/2)**2"),
    ("logistic_regression", "steepest", "a", "-s*((p - 0.5)**2 - 0.25)"),
]


# The same for the last of all choices.
RIGHT_ELSEWHERE = [
    ("perceptron", "growth", "a", "norm2(theta) - dot(x, theta)*2*y*c + (c*norm(x))**2"),
    ("perceptron", "growth", "b", "norm2(theta) + c**2*y**2*norm2(x)"),
    ("perceptron", "bound", "a", "(L*norm(theta))**2"),
    ("perceptron", "bound", "b", "Abs(dot(target, theta))**2"),
    ("pac_learning", "almost_minimiser", "a", "empirical + s*Abs(d)"),
    ("pac_learning", "almost_minimiser", "b", "s*d + best_empirical + c*d"),
    (
        *("bayes_decisions", "threshold_cost", "b"),
        "1/(2*(1 + b)) + b/2 - ((1 + b)*t - 1)**2/(2*(1 + b))",
    ),
    ("decision_trees", "leaf_answer", "b", "S - n*(m**2 - b**2)"),
    ("clustering", "pair_squares", "b", "(1 + b**2)*n*S + 2*b*(n*m)**2"),
    (
        *("principal_components", "multiple", "a"),
        "Sum(norm2(x[i]), (i, 1, n)) + (b**2 - 1)*Sum(dot(w, x[i])**2, (i, 1, n))",
    ),
    ("principal_components", "multiple", "b", "T - (1 - b**2)*K"),
    ("bagging_and_forests", "mixture", "b", "2*b**2*(S + C)"),
    (
        *("gradient_descent", "closer", "a"),
        "norm2(theta - z) - 2*b*dot(g, z - theta) + b**2*norm2(g)",
    ),
    (
        *("least_squares", "between", "a"),
        "norm2(y - f) + norm2(b*(g - f)) - 2*b*dot(f - y, g - f)",
    ),
    ("adaboost", "normaliser", "a", "p*rho + q*(1 - rho)"),
    ("adaboost", "normaliser", "b", '("<=", p*(1/2 + gamma) + q*(1/2 - gamma))'),
    ("mixtures_and_em", "divergence", "a", "Sum(q[k]*log(s[k]/q[k]), (k, 1, K)) - M*log(c)"),
    ("mixtures_and_em", "divergence", "b", "-M*log(c) + Sum(s[k] - q[k], (k, 1, K))"),
    (
        *("support_vector_machines", "dual", "a"),
        "theta_0*balance + dot(span, theta) - c/2*dot(theta, theta) - total",
    ),
    ("support_vector_machines", "dual", "c", "1/(2*c)*dot(span, span) - total"),
    (
        *("logistic_regression", "vanishing_loss", "a"),
        "Sum(exp(y[i]*dot(c*target, x[i])), (i, 1, n))",
    ),
    ("logistic_regression", "steepest", "a", "s*(Rational(1, 4) - (p + 0.5)**2)"),
]


@pytest.mark.parametrize(
    ("name", "task", "gap", "line", "students"),
    [*((*row, FIRST) for row in RIGHT), *((*row, OTHER) for row in RIGHT_ELSEWHERE)],
)
def test_a_right_line_written_otherwise_earns_its_points(
    name: str, task: str, gap: str, line: str, students: dict[str, str]
) -> None:
    sheet = Assignment(name, students[name])
    source = model(name, task, sheet.student) + f"\n{task} = {{'{gap}': {line}}}\n"
    what = sheet[task]
    assert isinstance(what, Derive)
    line_of = sandbox.run_terms(source, task, what.vocabulary, sheet.numbers)
    # Whether a line is right is tested here, not how long a busy machine takes to see it.
    result = what.check({**model_lines(sheet, what), **line_of}, seconds=20.0)
    assert result.earned == result.possible, result


@pytest.mark.parametrize("name", ASSIGNED)
def test_four_hundred_students_have_numbers_of_their_own(name: str) -> None:
    found = {json.dumps(variant(f"student {k}", name), default=str) for k in range(400)}
    assert len(found) == 400
    assert math.prod(map(len, _module(name).NUMBERS.values())) >= 10**6
    assert variant("Ada", name) == variant(" ADA", name)
    assert variant("Ada", name) != variant("Ada 2", name)


def test_a_neighbours_lines_are_wrong_where_the_numbers_differ() -> None:
    first = Assignment("perceptron", FIRST["perceptron"])
    other = Assignment("perceptron", student_with("perceptron", 0, start=100))
    number = first.numbers["c"]
    assert number != other.numbers["c"]
    written = f"Rational({number.numerator}, {number.denominator})"
    copied = model("perceptron", "growth")
    copied = copied.replace("c**2", f"{written}**2").replace("c *", f"{written} *")
    assert first.grade("growth", copied).earned == 4
    assert other.grade("growth", copied).earned == 0


def notebook(*cells: str) -> dict[str, object]:
    return {"cells": [{"cell_type": "code", "source": cell, "outputs": []} for cell in cells]}


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    right = ["square = {'a': a**2 + 2*c*a*b + c**2*b**2}", "def average(x):\n    return x.mean()"]
    for student in ("ada", "bob", "cleo"):
        cells = [f"student = {student!r}", *right[: 2 if student != "bob" else 1]]
        (tmp_path / f"{student}.ipynb").write_text(json.dumps(notebook(*cells)))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "eve.ipynb").write_text("{broken")
    return tmp_path


def test_a_class_is_graded_past_a_broken_submission_and_resumed(submissions: Path) -> None:
    shown: list[str] = []
    graded = grade_class("sample", submissions, SECRET, show=shown.append)
    assert [(g.file, g.earned) for g in graded] == [
        ("ada.ipynb", 4),
        ("bob.ipynb", 2),
        ("cleo.ipynb", 4),
        ("deep/eve.ipynb", 0),
    ]
    assert graded[3].problem == "this file is not a notebook"
    assert [line.split("]")[0] for line in shown] == ["[1/4", "[2/4", "[3/4", "[4/4"]
    table = (submissions / "graded" / "scores.csv").read_text().splitlines()
    assert table[0] == "file,student,square,average,why,points,possible,by hand,problem,remarks"
    assert table[2] == "bob.ipynb,bob,2,0,by hand,2,4,2,,"
    summary = (submissions / "graded" / "summary.md").read_text()
    assert "3 of 4 submissions graded" in summary
    assert "deep/eve.ipynb: this file is not a notebook" in summary
    bob = (submissions / "graded" / "feedback" / "bob.txt").read_text()
    assert bob.startswith(f"{Assignment('sample', 'bob')}\n\nbob: 2 of 4 points")
    eve = (submissions / "graded" / "feedback" / "deep-eve.ipynb.txt").read_text()
    assert eve == "deep/eve.ipynb: this file is not a notebook\n"

    # As if stopped half way: one result is lost, one was being written, one submission is new.
    records = {
        json.loads(p.read_text())["graded"]["file"]: p
        for p in (submissions / "graded" / "results").glob("*.json")
    }
    records["ada.ipynb"].unlink()
    records["deep/eve.ipynb"].write_text(records["deep/eve.ipynb"].read_text()[:40])
    (submissions / "bob.ipynb").write_text((submissions / "ada.ipynb").read_text())
    shown.clear()
    again = grade_class("sample", submissions, SECRET, show=shown.append)
    assert shown[0] == "1 of 4 were graded before"
    assert sorted(line.split("] ")[1].split(":")[0] for line in shown[1:]) == [
        "ada.ipynb",
        "bob.ipynb",
        "deep/eve.ipynb",
    ]
    assert [g.earned for g in again] == [4, 4, 4, 0]
    assert "another submission is also by 'ada'" in (submissions / "graded/summary.md").read_text()


def test_an_interrupted_run_keeps_what_is_done_and_begins_nothing_more(submissions: Path) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade_class("sample", submissions, SECRET, workers=1, show=interrupt)
    kept = len(list((submissions / "graded" / "results").glob("*.json")))
    assert kept == 1
    shown: list[str] = []
    grade_class("sample", submissions, SECRET, show=shown.append)
    assert shown[0] == "1 of 4 were graded before"
    assert len(shown) == 4


def test_no_name_becomes_a_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    graded = [Graded("a.ipynb", '=HYPERLINK("x")'), Graded("@b.ipynb", "Ada", remarks=("-1",))]
    write_table(tmp_path / "scores.csv", graded)
    with (tmp_path / "scores.csv").open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert {'\'=HYPERLINK("x")', "'@b.ipynb", "'-1", "Ada"} <= set(cells)


def test_a_change_of_the_package_grades_again(
    submissions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade_class("sample", submissions, SECRET, show=lambda line: None)
    monkeypatch.setattr("mlnotes.checks.classes._package", lambda: "another")
    shown: list[str] = []
    grade_class("sample", submissions, SECRET, show=shown.append)
    assert len(shown) == 4
    assert not any("graded before" in line for line in shown)


def test_the_summary_says_where_no_kernel_held_the_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for confined in (True, False):
        monkeypatch.setattr(sandbox, "is_confined", lambda answer=confined: answer)
        assert ("hooks in Python" in summary("sample", [])) is not confined


def test_another_secret_grades_again(submissions: Path) -> None:
    for other in ("deep/eve.ipynb", "bob.ipynb", "cleo.ipynb"):
        (submissions / other).unlink()
    shown: list[str] = []
    for secret in ("one", "two", "two"):
        grade_class("sample", submissions, secret, show=shown.append)
    assert [line.startswith("[1/1]") for line in shown] == [True, True, False]


def test_a_submission_that_takes_too_long_as_a_whole_is_given_up(submissions: Path) -> None:
    for other in ("deep/eve.ipynb", "bob.ipynb", "cleo.ipynb"):
        (submissions / other).unlink()
    shown: list[str] = []
    (graded,) = grade_class("sample", submissions, seconds=0.01, show=shown.append)
    assert "took more than 0.01 seconds" in graded.problem
    assert "run it again" in (submissions / "graded" / "summary.md").read_text()
    (graded,) = grade_class("sample", submissions, show=shown.append)
    assert shown[1] == "0 of 1 were graded before, 1 had been stopped and will be tried again"
    assert (graded.earned, graded.problem) == (4, "")
    grade_class("sample", submissions, show=shown.append)
    assert shown[3:] == ["1 of 1 were graded before"]


def test_what_was_graded_before_the_time_was_up_keeps_its_points(tmp_path: Path) -> None:
    slow = "def average(x):\n    import time\n    time.sleep(60)"
    cells = ["student = 'Ada'", "square = {'a': a**2 + 2*c*a*b + c**2*b**2}", slow]
    (tmp_path / "ada.ipynb").write_text(json.dumps(notebook(*cells)))
    grade_class("sample", tmp_path, output=tmp_path / "warm", show=lambda line: None)
    sample = Assignment("sample", "Ada").tasks["average"]
    assert isinstance(sample, Implement)
    (graded,) = grade_class("sample", tmp_path, seconds=sample.seconds, show=lambda line: None)
    assert "took more than" in graded.problem
    assert (graded.student, graded.earned, graded.possible) == ("Ada", 2, 4)
    assert graded.results[1].note == "This task was not graded."
    assert "Ada: 2 of 4 points" in str(graded)
    assert "ada.ipynb,Ada,2,0,by hand,2,4,2,grading took" in (
        (tmp_path / "graded" / "scores.csv").read_text()
    )


def test_a_name_that_was_changed_is_noticed(tmp_path: Path) -> None:
    """Numbers follow the name, so another name than before is reported wherever points are."""

    def hand_in(file: str, student: str, made_for: Any = None, shown: str = "") -> None:
        output = {"output_type": "execute_result", "data": {"text/plain": [shown]}}
        cell = {"cell_type": "code", "source": "sheet", "outputs": [output] if shown else []}
        book = notebook(f"student = {student!r}")
        content = {
            "cells": [*book["cells"], cell],  # type: ignore[misc]
            "metadata": {"mlnotes": {"assignment": "sample", "student": made_for}},
        }
        (tmp_path / f"{file}.ipynb").write_text(json.dumps(content))

    ada, bob = (repr(Assignment("sample", name)) for name in ("Ada", "Bob"))
    assert ada.split(": ")[1] != bob.split(": ")[1]
    hand_in("right", "Ada", "Ada", ada)
    hand_in("spelt", " ADA ", "Ada", repr(Assignment("sample", "ADA")))
    hand_in("renamed", "Cleo", "Bob")
    hand_in("not-run-again", "Dan", None, bob)
    hand_in("strange", "Eve", ["Ada"], "assignment sample")
    students = ["Ada", "Bob", "Cleo", "Dan"]
    graded = {
        g.file.removesuffix(".ipynb"): g
        for g in grade_class("sample", tmp_path, students=students, show=lambda line: None)
    }
    for file in ("right", "spelt", "strange"):
        assert not graded[file].remarks
    assert "made for 'Bob' and now names 'Cleo'" in graded["renamed"].remarks[0]
    assert "the sheet that it shows is that of 'Bob'" in graded["not-run-again"].remarks[0]
    assert "made for 'Bob'" in str(grade_notebook(tmp_path / "renamed.ipynb", "sample"))
    assert "made for 'Bob'" in (tmp_path / "graded" / "scores.csv").read_text()
    assert "made for 'Bob'" in (tmp_path / "graded/feedback/Cleo.txt").read_text()
    text = (tmp_path / "graded" / "summary.md").read_text()
    for sentence in (
        "renamed.ipynb: this copy was made for 'Bob'",
        "not-run-again.ipynb: the sheet that it shows",
        "strange.ipynb: 'Eve' is not on the list of the class",
        "there is no submission by 'Bob'",
        "right.ipynb: another submission is also by 'Ada'",
    ):
        assert sentence in text
    assert "no submission by 'Ada'" not in text


def test_the_command_line_checks_one_notebook_and_grades_a_folder(
    submissions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checks(["check", "sample", str(submissions / "bob.ipynb")]) == 0
    assert "bob: 2 of 4 points, 2 to be graded by hand" in capsys.readouterr().out
    secret = submissions / "secret"
    secret.write_text(SECRET + "\n")
    assert checks(["grade", "sample", str(submissions), "--secret", str(secret)]) == 0
    printed = capsys.readouterr().out
    assert "[4/4]" in printed
    assert "3 of 4 submissions graded" in printed
    assert checks(["grade", "sample", str(submissions / "nowhere")]) == 1
    assert checks(["grade", "sample", str(submissions), "--secret", "nowhere"]) == 1
    assert "there is no file nowhere with the secret" in capsys.readouterr().err
    assert checks(["grade", "sample", str(submissions), "--students", "nowhere"]) == 1
    assert "there is no file nowhere with names" in capsys.readouterr().err
    (submissions / "names").write_text("Ada\n\n Zoe \n")
    assert checks(["grade", "sample", str(submissions), "--students", f"{submissions}/names"]) == 0
    assert "there is no submission by 'Zoe'" in capsys.readouterr().out


def test_no_two_of_a_class_share_a_sheet() -> None:
    assert tool.apart("adaboost", ["Ada", "Bob", " ada", "Ada"]) == [
        "Ada",
        "Bob",
        " ada 2",
        "Ada 3",
    ]
    # In the sample one number has eight values, so that names collide.
    names = [f"student {k}" for k in range(8)]
    found = tool.apart("sample", names)
    assert len({str(variant(label, "sample")) for label in found}) == 8
    assert [label.startswith(name) for name, label in zip(names, found, strict=True)] == [True] * 8


def test_a_list_of_names_that_is_not_there_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["make", "adaboost", "--students", "nowhere"]) == 1
    assert "there is no file nowhere with names" in capsys.readouterr().err


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assignments")
    tool.make("adaboost", ["Ada", "Bob"], folder)
    return folder


def test_making_an_assignment_writes_its_folders_and_keeps_the_secret(made: Path) -> None:
    target, secret = made / "adaboost", tool.the_secret(made)
    assert os.stat(made / "secret").st_mode & 0o077 == 0
    assert len(secret) == 32
    for student in ("Ada", "Bob"):
        text = (target / "student" / student / "adaboost.ipynb").read_text()
        assert f"student = '{student}'" in text
        assert json.loads(text)["metadata"]["mlnotes"]["student"] == student
        assert secret not in text
        readme = (target / "student" / student / "README.md").read_text()
        (package,) = (target / "student").glob("*.whl")
        assert f'pip install "./{package.name}[plot]"' in readme
        assert (target / "student" / student / package.name).is_file()
        assert "Leave the name in the first cell as it is" in readme
    assert (target / "students.txt").read_text() == "Ada\nBob\n"
    rubric = (target / "rubric.md").read_text()
    assert "15 points are given by the autograder, 4 by hand." in rubric
    assert "## margins_after_zero, by hand" in rubric
    rows = [line for line in rubric.splitlines() if line.startswith("| margins_after_zero |")]
    assert [row.split(" | ")[-1] for row in rows] == ["4, by hand |"]
    worth = [
        float(line.split("|")[4].split(",")[0]) for line in rubric.splitlines()[4:-1] if "|" in line
    ]
    assert sum(worth) == 19, "the rows add up to all points"
    assert (target / "autograder" / "autograder.zip").exists()
    assert tool.verify("adaboost", made) == (15, 4)


def test_the_autograder_brings_the_package_and_installs_it(made: Path) -> None:
    with zipfile.ZipFile(made / "adaboost" / "autograder" / "autograder.zip") as packed:
        (path,) = [name for name in packed.namelist() if name.endswith(".whl")]
        environment = yaml.safe_load(packed.read("environment.yml"))
        inner = zipfile.ZipFile(io.BytesIO(packed.read(path))).namelist()
    (pip,) = [part["pip"] for part in environment["dependencies"] if isinstance(part, dict)]
    (own,) = [requirement for requirement in pip if "mlnotes" in requirement]
    assert own == f"mlnotes-book[plot] @ file:///autograder/source/{path}"
    tracked = [p.relative_to(ROOT).as_posix() for p in (ROOT / "mlnotes").rglob("*.py")]
    assert set(tracked) <= set(inner)
    assert "mlnotes/data/provenance.toml" in inner


def test_what_holds_the_secret_is_closed_to_others(made: Path) -> None:
    target = made / "adaboost"
    secret = tool.the_secret(made)
    closed = [
        target / "autograder" / "autograder.zip",
        target / "autograder" / "otter_config.json",
        target / "nbgrader" / "adaboost.ipynb",
    ]
    for path in closed:
        assert os.stat(path).st_mode & 0o777 == 0o600, path
    assert os.stat(target / "autograder").st_mode & 0o077 == 0
    for path in target.rglob("*"):
        if path.is_file() and path not in closed:
            assert secret.encode() not in path.read_bytes(), path


def test_the_rubric_is_also_a_page_to_print(made: Path) -> None:
    page = (made / "adaboost" / "rubric.html").read_text()
    assert "<h2>margins_after_zero, by hand</h2>" in page
    assert page.count("<li>☐ 1 point") == 4
    assert "<td>4, by hand</td>" in page


def test_the_notebook_for_nbgrader_has_solutions_and_tests_with_their_points(made: Path) -> None:
    book = nbformat.read(made / "adaboost" / "nbgrader" / "adaboost.ipynb", as_version=4)
    cells = {
        cell.metadata["nbgrader"]["grade_id"]: cell
        for cell in book.cells
        if "nbgrader" in cell.metadata
    }
    points = {name: c.metadata["nbgrader"].get("points", 0) for name, c in cells.items()}
    assert points == {
        **{"normaliser": 0, "test-normaliser": 5, "boost": 0, "test-boost": 10},
        **{"draw": 0, "margins_after_zero": 4},
    }
    for name in ("normaliser", "boost", "draw", "margins_after_zero"):
        given, _, solution = cells[name].source.partition("### BEGIN SOLUTION\n")
        answer = sources.filled(
            sources.read("adaboost").answers[name], variant("your name", "adaboost")
        )
        assert solution.removesuffix("\n### END SOLUTION") == answer.strip()
        assert given
    shown, _, hidden = cells["test-boost"].source.partition("### BEGIN HIDDEN TESTS\n")
    assert tool.the_secret(made) not in shown
    assert tool.the_secret(made) in hidden
    assert hidden.endswith("### END HIDDEN TESTS\nresult.earned")


def test_submissions_for_nbgrader_earn_here_what_its_command_expects_there(tmp_path: Path) -> None:
    name = "adaboost"
    folder = nbgrader.course(name, tmp_path)
    # In the place of nbgrader, which would only take the solutions out.
    (folder / "release" / name).mkdir(parents=True)
    released = nbformat.read(folder / "source" / name / f"{name}.ipynb", as_version=4)
    for cell in released.cells:
        cell.source = cell.source.partition("### BEGIN SOLUTION")[0]
    nbformat.write(released, folder / "release" / name / f"{name}.ipynb")
    nbgrader.hand_in(folder, name)
    earned = {
        student: grade_notebook(
            folder / "submitted" / student / name / f"{name}.ipynb", name
        ).earned
        for student in nbgrader.STUDENTS
    }
    assert earned == nbgrader.expected(name) == {"model": 15, "constant": 5, "untouched": 0}


def test_the_autograder_cleans_a_submission_before_otter_opens_it(
    made: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(made / "adaboost" / "autograder" / "autograder.zip") as packed:
        script = packed.read("run_otter.py").decode()
    assert script.index('prepare("/autograder/submission")') < script.index('run_autograder("')
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("run_otter.py", "import otter")
    with pytest.raises(tool.AssignmentError, match="another way"):
        tool.with_preparation(other.getvalue())
    # Whatever lies there, otter finds notebooks that it can open.
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "corrupt.IPYNB").write_text("{")
    (tmp_path / "notes.txt").write_text("left alone")
    cells: list[dict[str, Any]] = [
        {"cell_type": "raw", "source": "text"},
        {"cell_type": "code", "source": "x = 1", "outputs": [{"text": ["1"]}, {"data": {}}, {}]},
    ]
    book = {"cells": cells, "nbformat": 99, "metadata": {"otter": 5, "mlnotes": {"student": "A"}}}
    (tmp_path / "odd.ipynb").write_text(json.dumps(book))
    prepare(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [
        *("corrupt.ipynb", "folder.ipynb", "folder.ipynb.folder", "notes.txt", "odd.ipynb"),
    ]
    clean = nbformat.read(tmp_path / "odd.ipynb", as_version=4)
    nbformat.validate(clean)
    assert clean.metadata["mlnotes"] == {"student": "A", "problem": ""}
    assert clean.metadata["kernelspec"]["name"] == "python3"
    assert [len(cell.get("outputs", [])) for cell in clean.cells] == [0, 2]
    for name, reason in (("corrupt", "not a notebook"), ("folder", "Is a directory")):
        lost = nbformat.read(tmp_path / f"{name}.ipynb", as_version=4)
        assert reason in lost.metadata["mlnotes"]["problem"]


def by_plugin(metadata: Any, cells: Any = ()) -> tuple[Plugin, dict[str, Any]]:
    """Return the plugin after it has graded a notebook, and the outcome that otter then finds."""
    plugin = Plugin("adaboost.ipynb", {}, {"assignment": "adaboost"})
    book = NotebookNode(metadata=metadata, cells=list(cells))
    space: dict[str, Any] = {}
    exec(plugin.before_execution(book).cells[0].source, space)
    assert book.metadata.kernelspec.name == "python3"
    return plugin, space["outcome"]


def test_what_otter_cannot_have_graded_scores_nothing_with_a_reason() -> None:
    for metadata, cells, reason in (
        ({"mlnotes": {"problem": "this file is not a notebook"}}, (), "is not a notebook"),
        ({"kernelspec": {"name": "ir", "language": "R"}}, (), "written in r and not in Python"),
        ({"mlnotes": 7}, (), "grading failed with AttributeError"),
        ({}, [{"source": 5}], "is not a notebook"),
    ):
        plugin, outcome = by_plugin(metadata, cells)
        assert outcome.keys() == {""}
        assert reason in outcome[""]
        assert reason in plugin.generate_report()


def otter_scores(results: dict[str, Any]) -> dict[str, float]:
    return {test["name"]: test["score"] for test in results["tests"] if "score" in test}


@pytest.mark.slow
def test_otter_grades_a_notebook_for_any_kernel_and_no_notebook_at_all(
    made: Path, tmp_path: Path
) -> None:
    book = sources.read("adaboost").instructor("Ada")
    book.metadata = {"kernelspec": {"name": "myenv", "language": "python"}, "otter": 5}
    submission = tmp_path / "adaboost.ipynb"
    submission.write_text(json.dumps(book))
    results = tool.run_otter("adaboost", submission, made)
    assert otter_scores(results) == {"boost": 10, "margins_after_zero": 0, "normaliser": 5}
    submission.write_text('{"cells": [')
    results = tool.run_otter("adaboost", submission, made)
    assert set(otter_scores(results).values()) == {0}
    assert "this file is not a notebook" in json.dumps(results)


@pytest.mark.slow
def test_otter_grades_with_the_autograder_that_was_made(made: Path, tmp_path: Path) -> None:
    lines = model("adaboost", "normaliser", "your name")
    spy = "import os\n\n\ndef boost(H, y, rounds):\n    os._exit(0)\n"
    trapped = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(lines),
            nbformat.v4.new_code_cell(spy),
            nbformat.v4.new_code_cell("raise SystemExit('this cell is no answer')"),
        ]
    )
    submission = tmp_path / "adaboost.ipynb"
    nbformat.write(trapped, submission)
    results = tool.run_otter("adaboost", submission, made)
    scores = {t["name"]: t["score"] for t in results["tests"] if "score" in t}
    assert scores == {"boost": 0, "margins_after_zero": 0, "normaliser": 5}
    (boost,) = [t for t in results["tests"] if t["name"] == "boost"]
    assert boost["max_score"] == 10
    assert "boost ended its process instead of returning" in boost["output"]


def test_the_pages_of_the_book_are_the_sources_without_answers() -> None:
    toc = (ROOT / "_toc.yml").read_text()
    for name in ASSIGNED:
        assert f"book/assignments/{name}\n" in toc
        source = (BOOK / "assignments" / f"{name}.md").read_text()
        page = sources.without_answers(source)
        assert "{model-answer}" in source
        assert "{model-answer}" not in page
        assert "{marking}" not in page


def test_a_model_answer_without_a_cell_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lost.md").write_text("# Lost\n\n```{model-answer} nowhere\nnowhere = 1\n```\n")
    with pytest.raises(ValueError, match="no cell defines nowhere"):
        sources.read("lost", tmp_path).instructor()


# What changes the program that is asked for, in each assignment.
DOES = {
    "perceptron": ["order"],
    "support_vector_machines": ["m"],
    "adaboost": ["choice", "start"],
    "pac_learning": ["B", "positive"],
    "bayes_decisions": ["price", "ties", "miss", "alarm"],
    "decision_trees": ["loss", "ties", "price"],
    "beyond_pca": ["added", "first", "loss"],
    "clustering": ["ties", "idle", "linkage"],
    "bagging_and_forests": ["tie", "least", "divisor", "factor"],
    "gradient_descent": ["share", "stop", "loss"],
    "regularised_least_squares": ["factor", "towards", "sign", "share"],
    "least_squares": ["offset", "divisor", "extra"],
    "mixtures_and_em": ["variance", "added"],
    "logistic_regression": ["heavy", "times"],
    "principal_components": ["divisor", "signs", "turned"],
}


@pytest.mark.parametrize(
    ("name", "task", "number"), [(n, t, k) for n in ASSIGNED for t, k in SAYS[n].items()]
)
def test_a_derivation_differs_between_students_in_more_than_numbers(
    name: str, task: str, number: str
) -> None:
    """Lines that are right for one choice, written in the names of the sheet, fail at another."""
    choices = _module(name).NUMBERS[number]
    for choice, another in itertools.permutations(choices, 2):
        numbers = {**variant("Ada", name), number: choice}
        (what,) = [one for one in _module(name).tasks(numbers) if one.name == task]
        answers = [
            sources.filled(sources.read(name).answers[task], {**numbers, number: which})
            for which in (choice, another)
        ]
        lines = [sandbox.run_terms(a, task, what.vocabulary, numbers) for a in answers]
        own, copied = map(what.check, lines)
        assert own.earned == own.possible, own
        assert copied.earned <= own.possible * 2 / 3, copied


def test_every_derivation_has_a_choice_of_what_it_says() -> None:
    for name in ASSIGNED:
        tasks = Assignment(name, "Ada").tasks.values()
        assert {t.name for t in tasks if isinstance(t, Derive)} == SAYS[name].keys()


def test_a_line_of_a_model_answer_may_belong_to_one_choice() -> None:
    answer = "x = 1  # where side is left\nx = 2  # where side is the right\ny = 3\n"
    assert sources.filled(answer, {"side": "left"}) == "x = 1\ny = 3\n"
    assert sources.filled(answer, {"side": "the right"}) == "x = 2\ny = 3\n"


@pytest.mark.parametrize(("name", "number"), [(n, k) for n in ASSIGNED for k in DOES[n]])
def test_a_program_for_another_number_loses_points(name: str, number: str) -> None:
    """A number changes what is to be done: with a neighbour's, the model answer is not right."""
    numbers = variant("Ada", name)
    choices = _module(name).NUMBERS[number]
    place = list(choices).index(numbers[number]) + (len(choices) + 1) // 2
    other = {**numbers, number: choices[place % len(choices)]}
    lost = 0.0
    for task in Assignment(name, "Ada").tasks.values():
        if isinstance(task, Implement):
            answer = sources.filled(sources.read(name).answers[task.name], other)
            if answer != model(name, task.name, "Ada"):
                result = task.check(answer, np.random.default_rng(0))
                lost += result.possible - result.earned
    assert lost > 0


def test_data_are_the_same_for_one_student_and_differ_by_secret() -> None:
    spy = "def average(x):\n    return x.mean() + (len(x) > 1) * 1e9\n"
    first = check("sample", "average", spy, "Ada", SECRET)
    assert str(first) == str(check("sample", "average", spy, "Ada", SECRET))
    draws = [Assignment("sample", "Ada", s)._random("average").normal() for s in ("", SECRET)]
    assert draws[0] != draws[1]


def test_multipliers_that_no_dual_allows_come_back_with_the_reason() -> None:
    case = {"y": np.array([1.0, 1.0, -1.0]), "C": 2.0}
    for alpha, reason in (
        ([1.0, -1.0, 0.0], "negative or above C"),
        ([2.5, 0.0, 2.5], "negative or above C"),
        ([np.nan, 0.0, 0.0], "negative or above C"),
        ([0.0, 0.0, 0.0], "All multipliers are zero"),
        ([1.0, 1.0, 1.0], "do not have the same sum"),
    ):
        found = support_vector_machines._feasible(case, (None, None, np.array(alpha)))
        assert reason in found
    assert not support_vector_machines._feasible(case, (None, None, np.array([0.5, 1.5, 2.0])))


def test_rows_of_corrections_are_those_of_points() -> None:
    case = {"X": np.zeros((3, 2))}
    assert perceptron._rows(case, (None, np.array([2, 0]))) == [2, 0]
    for rows in ([3], [-1]):
        with pytest.raises(IndexError):
            perceptron._rows(case, (None, np.array(rows)))
