"""What to read before what: the chapters as a layered graph, and courses that follow it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import fmean
from typing import Any

import yaml

from tools.contents import PLAN
from tools.paths import BOOK

COURSES = BOOK / "courses.yml"


@cache
def prerequisites() -> dict[str, tuple[str, ...]]:
    """Return for every chapter, in the order of the book, those that it rests on directly."""
    plan = yaml.safe_load(PLAN.read_text(encoding="utf-8"))
    return {c["name"]: tuple(c.get("after", ())) for part in plan for c in part["chapters"]}


@cache
def foundations(chapter: str) -> frozenset[str]:
    """Return all chapters that a chapter rests on, directly or through others."""
    direct = prerequisites()[chapter]
    return frozenset(direct).union(*map(foundations, direct))


@cache
def depth(chapter: str) -> int:
    """Return the length of the longest chain of chapters that leads to a chapter.

    >>> depth("perceptron"), depth("support_vector_machines")
    (0, 1)
    """
    return 1 + max(map(depth, prerequisites()[chapter]), default=-1)


def courses() -> list[dict[str, Any]]:
    """Return the courses of `book/courses.yml`."""
    found: list[dict[str, Any]] = yaml.safe_load(COURSES.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Layout:
    """Where chapters stand: columns from left to right, and the bends of every edge.

    `columns` holds the chapters and the bends, which are pairs of an edge and a column; `edges`
    are paths through them, from a prerequisite to the chapter that needs it.
    """

    columns: list[list[Any]]
    edges: list[list[Any]]


@cache
def layout(starts: int = 20, sweeps: int = 8) -> Layout:
    """Draw the graph in layers: a column a depth, and few crossings by Sugiyama's method.

    An edge that skips columns bends in each of them, so that it passes between chapters. Sweeps
    to the right and back then sort every column by the mean place of its neighbours, and
    neighbours in a column are exchanged as long as that undoes a crossing. Of several starts, drawn
    with a fixed seed, the one with the fewest crossings is taken.
    """
    graph = prerequisites()
    columns: list[list[Any]] = [[] for _ in range(1 + max(map(depth, graph)))]
    for chapter in graph:
        columns[depth(chapter)].append(chapter)
    edges = []
    for chapter, direct in graph.items():
        for before in direct:
            between = range(depth(before) + 1, depth(chapter))
            bends: list[Any] = [((before, chapter), column) for column in between]
            for bend, column in zip(bends, between, strict=True):
                columns[column].append(bend)
            edges.append([before, *bends, chapter])
    steps = [step for edge in edges for step in pairwise(edge)]
    shuffle = random.Random(0)
    candidates = []
    for _ in range(starts):
        columns = [shuffle.sample(column, len(column)) for column in columns]
        for sweep in range(sweeps):
            columns = _exchanged(_sorted_columns(columns, steps, forward=sweep % 2 == 0), steps)
            candidates.append(columns)
    best = min(candidates, key=lambda columns: _crossings(columns, steps))
    return Layout(best, edges)


def _sorted_columns(
    columns: list[list[Any]], steps: list[tuple[Any, Any]], *, forward: bool
) -> list[list[Any]]:
    place = {node: i / len(column) for column in columns for i, node in enumerate(column)}
    neighbours: dict[Any, list[Any]] = {node: [] for node in place}
    for left, right in steps:
        (neighbours[right] if forward else neighbours[left]).append(left if forward else right)
    result: list[list[Any]] = []
    for column in columns if forward else reversed(columns):
        key = {n: fmean([place[m] for m in neighbours[n]] or [place[n]]) for n in column}
        ordered = sorted(column, key=key.__getitem__)
        place.update({node: i / len(ordered) for i, node in enumerate(ordered)})
        result.append(ordered)
    return result if forward else result[::-1]


def _exchanged(columns: list[list[Any]], steps: list[tuple[Any, Any]]) -> list[list[Any]]:
    columns = [list(column) for column in columns]
    fewest, last = _crossings(columns, steps), None
    while fewest != last:
        last = fewest
        for column in columns:
            for i in range(len(column) - 1):
                column[i : i + 2] = column[i + 1], column[i]
                if (count := _crossings(columns, steps)) < fewest:
                    fewest = count
                else:
                    column[i : i + 2] = column[i + 1], column[i]
    return columns


def _crossings(columns: list[list[Any]], steps: list[tuple[Any, Any]]) -> int:
    column_of = {node: c for c, column in enumerate(columns) for node in column}
    place = {node: i for column in columns for i, node in enumerate(column)}
    ends = [(column_of[a], place[a], place[b]) for a, b in steps]
    return sum(
        c == other and (a - x) * (b - y) < 0
        for i, (c, a, b) in enumerate(ends)
        for other, x, y in ends[:i]
    )
