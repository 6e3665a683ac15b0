"""Hints to exercises: one for each, before its solution, and neither of the two said again."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from tools.contents import titles
from tools.paths import BOOK

CHAPTERS = [name for name in titles() if (BOOK / name / "exercises.md").exists()]
# A directive with all that stands in it; what is between a gate's start and end comes after it.
DIRECTIVE = re.compile(
    r"^(`{3,})\{(exercise|hint|solution)(?:-start)?\}([^\n]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL
)
OPTION = re.compile(r"^:(\w+): (.*)$", re.MULTILINE)
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.MULTILINE | re.DOTALL)
ROLE = re.compile(r"\{[\w:]+\}`(?:([^`<]*)<[^`]*>|[^`]*)`")
FORMULA = re.compile(r"\$+([^$]+)\$+")
QUOTED = re.compile(r"(?<!\})`([^`]+)`")
# So many words in a row are a quotation.
ROW = 5
# A formula or a piece of code of so many signs may be the answer.
LONG = 10


@dataclass
class Part:
    """An exercise, a hint or a solution."""

    kind: str
    label: str
    text: str


def parts(page: str) -> list[Part]:
    """Return what stands on a page of exercises, in its order."""
    found = list(DIRECTIVE.finditer(page))
    ends = [*(directive.start() for directive in found[1:]), len(page)]
    read = []
    for directive, end in zip(found, ends, strict=True):
        options = dict(OPTION.findall(directive[4]))
        name = options["label"] if directive[2] == "exercise" else directive[3].strip()
        text = OPTION.sub("", directive[4]) + page[directive.end() : end]
        read.append(Part(directive[2], name, text))
    return read


def words(text: str) -> list[str]:
    """Return the words of a text without its cells; a formula is one word, a reference none."""
    text = FORMULA.sub(lambda f: " " + re.sub(r"\W+", "", f[1]) + " ", CELL.sub(" ", text))
    text = ROLE.sub(lambda role: role[1] or " ", text)
    return re.findall(r"[^\W_]+", text.lower())


def rows(text: str) -> set[tuple[str, ...]]:
    """Return all words in a row."""
    said = words(text)
    return {tuple(said[k : k + ROW]) for k in range(len(said) - ROW + 1)}


def new_words(text: str, *others: str) -> float:
    """Return which share of the words with four letters or more is in none of the other texts."""
    said = [word for word in words(text) if len(word) >= 4]
    known = {word for other in others for word in words(other)}
    return sum(word not in known for word in said) / len(said)


def given_away(hint: str, exercise: str, solution: str) -> set[str]:
    """Return the formulas and pieces of code of a hint that only the solution has."""
    pieces = {re.sub(r"\s", "", p) for kind in (FORMULA, QUOTED) for p in kind.findall(hint)}
    asked, answered = re.sub(r"\s", "", exercise), re.sub(r"\s", "", solution)
    return {p for p in pieces if len(p) >= LONG and p in answered and p not in asked}


def faults(hint: str, exercise: str, solution: str) -> list[str]:
    """Return what is wrong with a hint."""
    said = words(hint)
    found = [f"{len(said)} words"] if not 10 <= len(said) <= 75 else []
    found += [f"quotes {' '.join(row)!r}" for row in rows(hint) & (rows(exercise) | rows(solution))]
    if new_words(hint, exercise) < 0.5:
        found.append("repeats the exercise")
    if new_words(hint, solution) < 0.5:
        found.append("repeats the solution")
    found += [f"gives away {piece}" for piece in given_away(hint, exercise, solution)]
    return found


def page(chapter: str) -> str:
    return (BOOK / chapter / "exercises.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_exercise_has_one_hint_before_its_solution(chapter: str) -> None:
    found = parts(page(chapter))
    kinds = [part.kind for part in found]
    assert kinds == ["exercise", "hint", "solution"] * (len(found) // 3)
    labels = [part.label for part in found]
    assert labels[::3] == labels[1::3] == labels[2::3]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_hint_says_something_else_than_exercise_and_solution(chapter: str) -> None:
    found = parts(page(chapter))
    wrong = {
        hint.label: told
        for exercise, hint, solution in zip(found[::3], found[1::3], found[2::3], strict=True)
        if (told := faults(hint.text, exercise.text, solution.text))
    }
    assert wrong == {}


def test_no_two_hints_of_the_book_are_phrased_alike() -> None:
    hints = [p for chapter in CHAPTERS for p in parts(page(chapter)) if p.kind == "hint"]
    assert len(hints) > 150
    users = defaultdict(list)
    for hint in hints:
        for row in rows(hint.text):
            users[" ".join(row)].append(hint.label)
    assert {row: labels for row, labels in users.items() if len(labels) > 1} == {}


EXERCISE = "Multiply every point by ten. What happens to the bound, and what to the run itself?"
SOLUTION = "The bound stays, because every product is multiplied by $10\\cdot10\\norm x^2$."
GOOD = "Let both runs go side by side: how does their weight vector answer to longer inputs?"


@pytest.mark.parametrize(
    ("hint", "fault"),
    [
        (f"Ask yourself honestly once more: {EXERCISE.lower()}", "quotes 'what happens to the"),
        (f"Think: bound stays. {SOLUTION}", "repeats the solution"),
        ("To happens every multiply run point by itself what the to bound", "repeats the exer"),
        (GOOD + " Compute $10 \\cdot 10 \\norm x^2$ for it.", "gives away 10\\cdot10\\normx^2"),
        ("Use the definition.", "3 words"),
    ],
)
def test_a_hint_that_repeats_or_gives_away_is_refused(hint: str, fault: str) -> None:
    assert any(told.startswith(fault) for told in faults(hint, EXERCISE, SOLUTION))


def test_a_hint_in_other_words_passes() -> None:
    assert faults(GOOD, EXERCISE, SOLUTION) == []


def test_what_stands_between_the_gates_belongs_to_the_exercise() -> None:
    text = (
        "```{exercise-start} A line\n:label: ex-line\n```\n\nWhich one?\n\n"
        "```{exercise-end}\n```\n\n```{hint} ex-line\nLook.\n```\n\n"
        "````{solution} ex-line\n:class: dropdown\n\nThis.\n````\n"
    )
    exercise, hint, solution = parts(text)
    assert words(exercise.text)[:2] == ["which", "one"]
    assert (hint.kind, hint.label, words(hint.text)) == ("hint", "ex-line", ["look"])
    assert words(solution.text) == ["this"]


def test_a_hint_is_folded_between_its_exercise_and_the_solution(specimen: Path) -> None:
    page = (specimen / "book" / "elements.html").read_text(encoding="utf-8")
    (hint,) = BeautifulSoup(page, "html.parser").select("details.hint")
    assert hint["id"] == "hint-ex-order"
    assert "open" not in hint.attrs
    (summary,) = hint.select("summary")
    assert re.fullmatch(r"Hint for Exercise [\d.]+ \(A bad order\)", summary.get_text())
    before, after = hint.find_previous_sibling(), hint.find_next_sibling()
    assert before is not None
    assert after is not None
    assert before["id"] == "ex-order"
    assert "solution" in after["class"]
    assert hint.select("a[href$='#thm-novikoff']")


def test_a_hint_is_found_and_stands_in_the_notebook(specimen: Path) -> None:
    (path,) = specimen.glob("notebooks/**/elements.ipynb")
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    places = [text.index(part) for part in ("Find three points", "**Hint for", "**Solution to")]
    assert places == sorted(places)
    assert "has to pay for" in text[places[1] : places[2]]
    assert "has to pay for" in (specimen / "searchindex.js").read_text(encoding="utf-8")
