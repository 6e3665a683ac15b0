"""Statements are the author's words around checked formulas; nothing that was typed passes."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from docutils import nodes

from tools.paths import BOOK

sys.path.insert(0, str(BOOK / "_ext"))
from mlnotes_book import formulas, listings, redirect, statements

RANGE = r"\quad (j = 1, \dots, k)"
ENTRY: dict[str, Any] = {
    "label": "thm-a",
    "statement": r"k \le R^{2}",
    "hypotheses": [r"\theta_{0} = 0", rf"y_{{j}} \ge \gamma {RANGE}", r"\gamma > 0", "k > 0"],
}


def text_of(found: list[nodes.Node]) -> str:
    return "".join(node.astext() for node in found)


def test_a_range_is_said_in_words_and_once_for_neighbours_that_share_it() -> None:
    shared = [rf"a_{{j}} = 0 {RANGE}", rf"b_{{j}} = 0 {RANGE}"]
    assert text_of(formulas.listed(shared)) == (r"a_{j} = 0 and b_{j} = 0 for j = 1, \dots, k")
    different = [shared[0], r"b_{i} = 0 \quad (i = 1, \dots, n)", "c = 0"]
    assert text_of(formulas.listed(different)) == (
        r"a_{j} = 0 for j = 1, \dots, k, b_{i} = 0 for i = 1, \dots, n and c = 0"
    )


def test_a_range_may_be_written_in_words() -> None:
    written = r"a_{j} = 0 \quad \text{for } j = 1, \dots, k"
    assert formulas.split_ranges(written) == ("a_{j} = 0", [r"j = 1, \dots, k"])


def test_the_range_of_a_constraint_stays_in_its_problem() -> None:
    line = r"& a_{j} \ge 0 \quad \text{for } j = 1, \dots, k"
    problem = "\\begin{aligned}\n" + line + "\n\\end{aligned}"
    assert formulas.split_ranges(problem) == (problem, [])


def test_two_indices_over_the_same_numbers_share_one_range() -> None:
    tex = r"\langle e_{i}, e_{j} \rangle = 0 \quad (j = 1, \dots, n) \quad (i = 1, \dots, n)"
    assert text_of(formulas.words(tex)).endswith(r"for i, j = 1, \dots, n")


@pytest.mark.parametrize(
    ("tex", "grown"),
    [
        (r"\lVert x \rVert", r"\lVert x \rVert"),
        (r"\lVert \frac{a}{b} \rVert", r"\left\lVert \frac{a}{b} \right\rVert"),
        (
            r"\langle \sum_{i} x_{i}, \lVert v \rVert u \rangle",
            r"\left\langle \sum_{i} x_{i}, \lVert v \rVert u \right\rangle",
        ),
        (
            r"\lVert \langle u, \frac{1}{2} v \rangle v \rVert",
            r"\left\lVert \left\langle u, \frac{1}{2} v \right\rangle v \right\rVert",
        ),
        (r"\langle u \rVert \frac{a}{b} \rangle", r"\langle u \rVert \frac{a}{b} \rangle"),
    ],
)
def test_brackets_grow_with_what_they_enclose(tex: str, grown: str) -> None:
    assert formulas.growing(tex) == grown


def test_hypotheses_have_the_names_given_or_their_numbers() -> None:
    signs = ["gamma positive", "k positive"]
    assert statements.hypothesis_names(ENTRY) == ["1", "2", *signs]
    assert statements.hypothesis_names(ENTRY, "start, margin") == ["start", "margin", *signs]
    own = {**ENTRY, "names": ["given 1", "margin", "", ""]}
    assert statements.hypothesis_names(own) == ["1", "margin", *signs]


def test_a_range_is_said_once_in_a_statement() -> None:
    each = {"a": f"a_{{j}} = 0 {RANGE}", "b": f"b_{{j}} = 0 {RANGE}", "c": "c = 0"}
    parts = statements.Parts(each)
    assert parts.insert(["c"]) == ["c = 0"]
    assert parts.insert(["a"]) == [each["a"]]
    assert parts.insert(["b", "c"]) == ["b_{j} = 0", "c = 0"]
    assert statements.Parts(each).insert(["a", "b"]) == [each["a"], each["b"]]


def test_the_engine_says_what_is_trivial_and_what_names_stand_for() -> None:
    told = {"trivial": [False, False, True, True], "quantities": {"m": "m = 1"}}
    parts = statements.parts_of({**ENTRY, **told})
    assert (parts.needed, parts.trivial) == (("1", "2"), ("gamma positive", "k positive"))
    assert parts.insert(["m"]) == ["m = 1"]
    assert statements.parts_of(ENTRY).trivial == ("k positive",)


def test_that_a_size_is_the_integer_of_its_name_is_not_printed() -> None:
    assert statements.reads_alike("n = n")
    assert not statements.reads_alike("n = d")
    assert not statements.reads_alike(r"n \ge 1")


def test_a_problem_shows_its_constraints() -> None:
    told = {"names": ["problem start", "margin", "", ""], "problems": {"problem": r"\min_{x} f"}}
    parts = statements.parts_of({**ENTRY, **told})
    assert parts.needed == ("problem start", "margin", "gamma positive")
    assert parts.insert(["problem"]) == [r"\min_{x} f"]
    assert parts.shown == {"problem", "problem start"}


def test_an_unknown_name_is_refused_with_those_that_there_are() -> None:
    parts = statements.parts_of(ENTRY, "start, margin")
    assert parts.take("conclusion") == r"k \le R^{2}"
    with pytest.raises(KeyError, match="no formula 'radius' here; there are: conclusion, start"):
        parts.take("radius")
    assert parts.shown == {"conclusion"}


@pytest.mark.parametrize("tex", ["k > 0", r"n \ge 1", r"m \le n", r"i \ge 1"])
def test_sizes_and_indices_in_their_range_are_trivial(tex: str) -> None:
    assert statements.is_trivial(tex)


@pytest.mark.parametrize(
    "tex", [r"\gamma > 0", r"R > 0", r"k \ge 2", r"k \le R^{2}", r"\theta_{0} = 0", "n > 0 + m"]
)
def test_what_a_theorem_needs_is_not_trivial(tex: str) -> None:
    assert not statements.is_trivial(tex)


@pytest.mark.parametrize(
    "typed",
    [
        *("a = b", "a < b", r"a\le b", r"a \geq b", r"x\in\R^d", r"u \ne 0", r"u\perp v"),
        *(r"p \Rightarrow q", r"a\approx b"),
    ],
)
def test_a_typed_relation_is_found(typed: str) -> None:
    paragraph = nodes.paragraph("", "so ", nodes.math(typed, typed))
    assert list(statements.typed_relations([paragraph])) == [typed]
    checked = nodes.math(typed, typed)
    checked["checked"] = True
    assert list(statements.typed_relations([nodes.paragraph("", "so ", checked)])) == []


def test_a_relation_in_plain_text_is_found_and_names_are_none() -> None:
    assert list(statements.typed_relations([nodes.paragraph("", "then k ≤ 3")])) == ["then k ≤ 3"]
    names = [r"\theta^*", r"\inner{\theta}{x}", r"\left(a+b\right)", r"\gamma", r"\infty"]
    paragraph = nodes.paragraph("", "", *(nodes.math(name, name) for name in names))
    assert list(statements.typed_relations([paragraph])) == []


def claim(**changes: Any) -> dict[str, dict[str, Any]]:
    plain = {"docname": "book/a", "line": 3, "setting": "", "left": {}}
    return {"thm-a": {**plain, **changes}}


def test_a_hypothesis_is_shown_or_in_the_named_setting() -> None:
    margin = {"margin": ENTRY["hypotheses"][1]}
    known = {"run": {"docname": "book/a", "title": "A run", "formulas": margin}}
    assert list(statements.problems(claim(), {})) == []
    assert list(statements.problems(claim(setting="run", left=margin), known)) == []
    ((page, line, sentence),) = statements.problems(claim(left=margin), known)
    assert (page, line) == ("book/a", 3)
    assert "thm-a: the hypothesis margin" in sentence
    other = {"start": r"\theta_{0} = 0"}
    ((_, _, sentence),) = statements.problems(claim(setting="run", left=other), known)
    assert "is neither shown nor in the setting run" in sentence
    ((_, _, sentence),) = statements.problems(claim(setting="lost", left=margin), known)
    assert "in the setting lost, which no page has" in sentence


def test_a_setting_may_add_to_another_one() -> None:
    margin, start = {"margin": ENTRY["hypotheses"][1]}, {"start": ENTRY["hypotheses"][0]}
    known = {
        "run": {"docname": "book/a", "title": "A run", "formulas": margin},
        "first": {"docname": "book/a", "title": "A start", "adds to": "run", "formulas": start},
    }
    assert list(statements.problems(claim(setting="first", left={**margin, **start}), known)) == []
    assert len(list(statements.problems(claim(setting="run", left=start), known))) == 1
    known["run"]["adds to"] = "lost"
    ((_, _, sentence),) = statements.problems(claim(setting="first", left=margin), known)
    assert "in the setting lost, which no page has" in sentence


def test_what_moved_from_a_lecture_is_found_on_the_pages_below_it() -> None:
    anchors = {
        "book/perceptron": {"thm-a": "", "the-perceptron": ""},
        "book/perceptron/further": {"thm-b": "", "thm-a": "", "id3": ""},
        "book/adaboost": {"thm-c": ""},
    }
    assert redirect.moved(anchors, "book/perceptron") == {"thm-b": "book/perceptron/further"}
    assert redirect.moved(anchors, "book/adaboost") == {}


def test_a_quoted_function_is_shown_without_its_docstring() -> None:
    source = (
        'def f(\n    x: int,\n) -> int:\n    """Say.\n\n    More.\n    """\n    y = x\n    return y'
    )
    assert listings.without_docstring(source) == (
        "def f(\n    x: int,\n) -> int:\n    y = x\n    return y"
    )
    for other in (
        "x = 1",
        'def f():\n    """Only a docstring."""',
        "def f(:",
        "def f():\n    pass",
    ):
        assert listings.without_docstring(other) == other
