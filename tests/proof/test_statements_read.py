"""Every statement of the ledger reads like mathematics: what no page must print."""

from __future__ import annotations

import itertools
import re
import sys

import pytest

from mlnotes.proof import Theorem, matrices
from mlnotes.proof.rendering import tex as rendered
from mlnotes.theorems import registry
from tools.paths import BOOK

sys.path.insert(0, str(BOOK / "_ext"))
from mlnotes_book.formulas import growing

THEOREMS = dict(registry())
TWO_SIGNS = re.compile(r"- -|\+ -|--")
NESTED = re.compile(r"(\\frac\{\\partial\}\{\\partial [^}]*\}) \\?(?:left)?\(?\1")


def faults(theorem: Theorem) -> list[str]:
    """What a reader would stumble over in a statement."""
    parts = theorem.parts()
    conclusion, found = parts["conclusion"], []
    if "left" in parts and parts["left"] == parts["right"]:
        found.append(f"A = A: {conclusion}")
    if re.fullmatch(r"\\lVert .+ - .+ \\rVert\^\{2\} (?:\\le|=) 0", conclusion):
        found.append(f"a length for an equation of vectors: {conclusion}")
    for tex in (conclusion, *map(rendered, theorem.said())):
        if TWO_SIGNS.search(tex):
            found.append(f"two signs: {tex}")
        if NESTED.search(tex):
            found.append(f"a derivative of a derivative: {tex}")
        if tex.endswith(" }") or (r"\in \mathbb{Z}" in tex and r"\mathbb{P}" not in tex):
            found.append(f"a space before what follows, or an index of all integers: {tex}")
        if growing(tex) != tex:
            found.append(f"brackets that do not grow: {tex}")
    return found


def test_statements_read_like_mathematics() -> None:
    found = {label: fault for label, f in THEOREMS.items() if (fault := faults(f()))}
    assert found == {}


def repeated(terms: list[str]) -> list[str]:
    """Return the lines that are printed like the line above them."""
    return [below for above, below in itertools.pairwise(terms) if above == below]


@pytest.mark.parametrize("label", THEOREMS)
def test_no_line_of_a_derivation_is_printed_like_the_line_above_it(label: str) -> None:
    theorem = THEOREMS[label]()
    first = [] if theorem.first is None else [rendered(theorem.first)]
    assert repeated([*first, *(rendered(step.expression) for step in theorem.steps)]) == []


def test_a_line_whose_brackets_are_not_printed_is_found() -> None:
    X, V = matrices("X", 2, 2), matrices("V", 2, 2)
    lines = [X * X.T * (X * V), X * (X.T * X * V), X * V]
    assert repeated([rendered(line) for line in lines]) == [r"X X^{\top} X V"]


@pytest.mark.parametrize(
    ("conclusion", "fault"),
    [
        (r"x = x", "A = A"),
        (r"\lVert u - v \rVert^{2} \le 0", "a length for"),
        (r"\theta - - \eta y x = z", "two signs"),
        (r"\lVert \frac{a}{b} \rVert = z", "do not grow"),
        (r"\frac{\partial}{\partial t} (\frac{\partial}{\partial t} f(t)) = z", "a derivative of"),
        (r"(u, v) \text{ is feasible for the problem }", "a space before"),
        (r"p_{i} > 0 \quad \text{for all } i \in \mathbb{Z}", "all integers"),
    ],
)
def test_a_statement_that_reads_like_machine_output_is_found(conclusion: str, fault: str) -> None:
    class Said:
        def said(self) -> tuple[()]:
            return ()

        def parts(self) -> dict[str, str]:
            left, _, right = conclusion.partition(" = ")
            return {"conclusion": conclusion, "left": left, "right": right}

    (sentence,) = faults(Said())  # type: ignore[arg-type]
    assert fault in sentence
