"""What to read before what: the graph of the chapters and the courses on the landing page."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from tools.contents import titles
from tools.reading_order import courses, depth, foundations, layout, prerequisites

CHAPTERS = list(prerequisites())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_rests_on_earlier_chapters_each_named_once(chapter: str) -> None:
    direct = prerequisites()[chapter]
    place = {name: i for i, name in enumerate(CHAPTERS)}
    assert all(place[before] < place[chapter] for before in direct)
    implied = {name for before in direct for name in foundations(before)}
    assert not implied & set(direct)


@pytest.mark.parametrize("course", courses(), ids=lambda course: str(course["title"]))
def test_a_course_has_what_its_chapters_rest_on_before_them(course: dict[str, list[str]]) -> None:
    known = set(course.get("assumes", []))
    for chapter in course["chapters"]:
        assert chapter not in known
        assert foundations(chapter) <= known, chapter
        known.add(chapter)


def test_the_layout_has_every_chapter_in_its_column_and_edges_join_neighbouring_columns() -> None:
    drawn = layout()
    column_of = {node: c for c, column in enumerate(drawn.columns) for node in column}
    assert {name: column_of[name] for name in CHAPTERS} == {name: depth(name) for name in CHAPTERS}
    joined = {(edge[0], edge[-1]) for edge in drawn.edges}
    assert joined == {(before, name) for name in CHAPTERS for before in prerequisites()[name]}
    for edge in drawn.edges:
        assert all(column_of[b] - column_of[a] == 1 for a, b in pairwise(edge))


def test_chapters_of_the_graph_do_not_overlap_and_lead_to_their_pages(site: Path) -> None:
    page = (site / "book/index.html").read_text(encoding="utf-8")
    (graph,) = re.findall(r'<svg class="reading-graph".*?</svg>', page, re.DOTALL)
    shape = r'<rect x="([\d.]+)" y="([\d.]+)" width="(\d+)" height="(\d+)"'
    boxes = [tuple(map(float, box)) for box in re.findall(shape, graph)]
    assert len(boxes) == len(CHAPTERS)
    for (x, y, width, height), (other_x, other_y, *_) in combinations(boxes, 2):
        assert abs(x - other_x) >= width or abs(y - other_y) >= height
    written = {name for name in CHAPTERS if (site / f"book/{name}.html").exists()}
    assert set(re.findall(r'<a href="(\w+)\.html">', graph)) == written


def test_the_courses_are_listed_in_their_order(site: Path) -> None:
    page = (site / "book/index.html").read_text(encoding="utf-8")
    cards = re.findall(r'<div class="course-plan .*?</ol>', page, re.DOTALL)
    shown = [re.findall(r"<li><p>.*?>([^<>]+)</span>", card) for card in cards]
    assert shown == [[titles()[name] for name in course["chapters"]] for course in courses()]
