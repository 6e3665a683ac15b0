"""The measures of a lecture: what one reads in half an hour and can teach from."""

from __future__ import annotations

import re

import pytest

from tests.pages import CLAIM
from tools.contents import pages_of, titles
from tools.paths import BOOK, ROOT

# Chapters in the pattern of four pages; a small topic may do without further results.
LECTURES = [name for name in titles() if len(pages_of(name)) > 1]
CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.MULTILINE | re.DOTALL)
FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.DOTALL)
# A role is read as its text or as what it inserts.
ROLE = re.compile(r"\{[\w:]+\}`(?:([^`<]*)<[^`]*>|[^`]*)`")
MACHINERY = re.compile(r"^(?:[`:]{3,}.*|:[\w-]+:.*|\([\w-]+\)=|---)$", re.MULTILINE)
FIGURE = re.compile(r"^  figure:$", re.MULTILINE)
# A claim and all that stands between it and the next heading, claim or cell.
CLAIMED = re.compile(r"^(`{3,})\{prf:(?:theorem|lemma|proposition|corollary)\}.*?^\1$", re.M | re.S)


def page(name: str) -> str:
    return (ROOT / f"{name}.md").read_text(encoding="utf-8")


def words(text: str) -> int:
    """The number of words that one reads, a formula counting as one."""
    for pattern, instead in ((FRONT, ""), (CELL, ""), (FORMULA, " formula "), (MACHINERY, "")):
        text = pattern.sub(instead, text)
    text = ROLE.sub(lambda role: role[1] or " inserted ", text)
    return len(re.findall(r"[^\W_][\w’'-]*", text))


# A minute is two hundred words, or one of these; a figure takes less.
MINUTES = {
    re.compile(r"^`{3,}\{derivation\}", re.M): 1.0,
    re.compile(r"^`{3,}\{question\}", re.M): 1.0,
    re.compile(r"^`{3,}\{literalinclude\}", re.M): 1.0,
    FIGURE: 0.75,
}
ANNOUNCED = {"half an hour": 30, "thirty-five minutes": 35, "forty minutes": 40}


def minutes(text: str) -> float:
    """The minutes that one takes to read, with what is folded left folded."""
    return words(text) / 200 + sum(len(p.findall(text)) * each for p, each in MINUTES.items())


def unproved(text: str) -> list[str]:
    """The claims after which no proof begins and which cite none."""
    bare = []
    for claim in CLAIMED.finditer(text):
        follows = text[claim.end() :].lstrip()
        if not follows.startswith("````{prf:proof}") and "{cite" not in claim[0]:
            bare.append(claim[0].splitlines()[0])
    return bare


def test_there_is_a_lecture_to_measure() -> None:
    assert "perceptron" in LECTURES


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_is_read_in_half_an_hour(name: str) -> None:
    text = page(f"book/{name}")
    assert words(text) <= 3500
    assert len(CLAIM.findall(text)) <= 14
    assert len(FIGURE.findall(text)) <= 7
    assert 3 <= text.count("```{question}") <= 5
    assert "{treated}" not in text


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_takes_the_time_that_it_announces(name: str) -> None:
    text = page(f"book/{name}")
    (announced,) = re.findall(r"The lecture takes about ([a-z-]+(?: [a-z]+)+)\.", text)
    assert ANNOUNCED[announced] - 10 < minutes(text) < ANNOUNCED[announced] + 1


def test_a_derivation_a_figure_and_a_question_take_time() -> None:
    text = "one two three four\n" * 50
    assert minutes(text) == 1
    more = "```{derivation} thm\n```\n```{question}\n```\n  figure:\n"
    assert 3.7 < minutes(text + more) < 3.8


@pytest.mark.parametrize("name", LECTURES)
def test_every_numbered_statement_of_a_lecture_is_followed_by_its_proof(name: str) -> None:
    for at in pages_of(name):
        assert unproved(page(at)) == [], at


@pytest.mark.parametrize("name", LECTURES)
def test_every_numbered_statement_is_written_by_its_author(name: str) -> None:
    for at in pages_of(name):
        bare = re.findall(r"\{statement\} \S+\n(?::.*\n)*```", page(at))
        assert bare == [], f"{at}: statements without a sentence"


@pytest.mark.parametrize("name", LECTURES)
def test_a_chapter_has_eight_exercises(name: str) -> None:
    text = page(f"book/{name}/exercises")
    assert len(re.findall(r"^`{3,}\{exercise(?:-start)?\}", text, re.MULTILINE)) >= 8


def test_words_are_counted_without_cells_options_and_formulas() -> None:
    cell = '```{code-cell} ipython3\n:name: x\n\nprint("many words")\n```\n\n'
    prose = "(par-x)=\nTwo words, $a + b$ and\n\n$$ x = y $$\n\nmore {doc}`of it <it>` {eq}`x-y`.\n"
    text = f"---\nfile_format: mystnb\n---\n\n# A title\n\n{cell}{prose}"
    assert words(text) == 2 + 6 + 3


def test_a_claim_without_a_proof_is_found() -> None:
    claim = "````{prf:lemma} So\n:label: lem-so\n\nSo.\n````\n\n"
    assert unproved(claim + "Text.") == ["````{prf:lemma} So"]
    assert unproved(claim + "````{prf:proof}\nBecause.\n````\n") == []
    assert unproved(claim.replace("So.", "So {cite:p}`a`.") + "Text.") == []


def bold_terms(text: str) -> set[str]:
    """Return the words in bold that define something: not sentences, quotations or code."""
    prose = re.sub(r"^(`{3,})\{(?:code-cell|literalinclude).*?^\1$", "", text, flags=re.M | re.S)
    found = re.findall(r"(?<![*\w])\*\*([^*\n]+?)\.?\*\*(?![*\w])", prose)
    terms = {term.lower() for term in found if len(term.split()) <= 3 and '"' not in term}
    opening = {term.lower() for term in re.findall(r"\*\*([A-Z][^*\n]*\.)\*\*", prose)}
    return {term for term in terms if f"{term}." not in opening or "step" in term}


# In bold as the beginning or the name of what follows, and no term of its own.
NO_TERMS = {"the prediction", "sign", "gauss and seidel", "centroid linkage"}


@pytest.mark.parametrize("at", [at for name in LECTURES for at in pages_of(name)])
def test_the_glossary_has_every_term_in_bold(at: str) -> None:
    glossary = (BOOK / "glossary.md").read_text(encoding="utf-8")
    known = {line.lower() for line in glossary.splitlines() if re.match(r"[\w]", line)}
    text = page(at)
    missing = {
        term
        for term in bold_terms(text) - NO_TERMS
        if not any(re.search(rf"(?<!\w){re.escape(term)}(?!\w)", entry) for entry in known)
    }
    assert not missing, f"explain these in book/glossary.md, or set them in another way: {missing}"
