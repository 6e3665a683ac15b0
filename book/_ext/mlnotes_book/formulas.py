r"""Formulas of checked objects as a page shows them: brackets that grow, ranges in words.

A theorem prints itself in one style for terminals, notebooks and pages. A page has a line length:
the range of a hypothesis, `\quad (j = 1, \dots, k)`, becomes "for j = 1, …, k" in the text, and a
displayed formula may break where KaTeX lets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from docutils import nodes

# What a theorem prints after a hypothesis that holds for each of several indices.
# One inside of brackets belongs to them.
RANGE = re.compile(
    r"\s*\\quad (?:\(((?:[^()]|\([^()]*\))*)\)"
    r"|\\text\{for \} ((?:(?!\\quad|\\right)[^\[\]])*?))\s*$"
)
BRACKETS = {r"\lVert": r"\rVert", r"\lvert": r"\rvert", r"\langle": r"\rangle"}
BRACKET = re.compile("|".join(map(re.escape, (*BRACKETS, *BRACKETS.values()))) + r"(?![A-Za-z])")
# What stands higher than a letter with its index.
TALL = re.compile(r"\\(?:[dt]?frac|sum|prod|int|left|big|Big|sqrt)(?![a-z])")


def split_ranges(tex: str) -> tuple[str, list[str]]:
    r"""Return a formula without its ranges, and the ranges, the outermost first.

    >>> split_ranges(r"x_{i} \ge y_{j} \quad (j = 1, \dots, n) \quad (i = 1, \dots, n)")
    ('x_{i} \\ge y_{j}', ['i = 1, \\dots, n', 'j = 1, \\dots, n'])

    The ranges in a problem of several lines belong to its lines.
    """
    ranges: list[str] = []
    if tex.startswith(r"\begin{aligned}"):
        return tex, ranges
    while match := RANGE.search(tex):
        ranges.append(match[1] or match[2])
        tex = tex[: match.start()]
    return tex, ranges


def range_of(tex: str) -> str:
    """Return for what a formula holds, as one formula, or nothing."""
    return joined(split_ranges(tex)[1])


def joined(ranges: Iterable[str]) -> str:
    r"""Return ranges as one formula: indices that run over the same numbers share one range.

    >>> joined([r"i = 1, \dots, n", r"j = 1, \dots, n", r"k = 1, \dots, K"])
    'i, j = 1, \\dots, n,\\; k = 1, \\dots, K'
    """
    over: dict[str, list[str]] = {}
    for text in ranges:
        index, sign, numbers = text.partition(" = ")
        names = over.setdefault(numbers if sign else "", [])
        if index not in names:
            names.append(index)
    return r",\; ".join(
        ", ".join(names) + (f" = {numbers}" if numbers else "") for numbers, names in over.items()
    )


def growing(tex: str) -> str:
    r"""Return a formula whose norms and inner products are as tall as what they enclose.

    >>> growing(r"\lVert \frac{a}{b} \rVert + \lVert x \rVert")
    '\\left\\lVert \\frac{a}{b} \\right\\rVert + \\lVert x \\rVert'
    """
    out: list[str] = []
    opened: list[tuple[str, int]] = []
    position = 0
    for match in BRACKET.finditer(tex):
        sized = tex[: match.start()].endswith((r"\left", r"\right"))
        out.append(tex[position : match.start()])
        position = match.end()
        if match[0] in BRACKETS:
            opened.append((match[0], len(out)))
            out.append(match[0])
        elif opened and BRACKETS[opened[-1][0]] == match[0]:
            _, place = opened.pop()
            tall = not sized and TALL.search("".join(out[place + 1 :]))
            if tall:
                out[place] = rf"\left{out[place]}"
            out.append(rf"\right{match[0]}" if tall else match[0])
        else:
            return tex
    return "".join([*out, tex[position:]])


def words(tex: str) -> list[nodes.Node]:
    """Return a formula and its range for a line of text: "y ≥ 0 for i = 1, …, n"."""
    return listed([tex])


def listed(formulas: Iterable[str]) -> list[nodes.Node]:
    """Return formulas as text that lists them, with a range that they share said once."""
    split = [split_ranges(tex) for tex in formulas]
    out: list[nodes.Node] = []
    for number, (tex, ranges) in enumerate(split):
        out.append(inline(tex))
        last = number + 1 == len(split)
        if ranges and (last or split[number + 1][1] != ranges):
            out += [nodes.Text(" for "), inline(joined(ranges))]
        if not last:
            out.append(nodes.Text(" and " if number + 2 == len(split) else ", "))
    return out


def inline(tex: str) -> nodes.math:
    """Return a formula in a line of text, where no wide space stands before "for all"."""
    grown = growing(tex).replace(r"\quad \text{for", r"\ \text{for")
    return nodes.math(grown, grown)


def displayed(tex: str, docname: str) -> nodes.math_block:
    """Return a formula in a line of its own, which breaks where it is too long for the page."""
    formula, ranges = split_ranges(tex)
    text = growing(formula)
    if ranges:
        text += rf"\quad\text{{for }}{joined(ranges)}"
    node = nodes.math_block(text, text, label=None, number=None, nowrap=False)
    node["docname"], node["breaks"] = docname, True
    return node


def note_equation(env: Any, node: nodes.math_block, label: str) -> nodes.target:
    """Give a displayed formula a number to which the text can refer, and return its anchor."""
    domain = env.get_domain("math")
    domain.note_equation(env.docname, label, location=node)
    node["label"] = label
    node["number"] = domain.get_equation_number_for(label)
    return nodes.target("", "", ids=[nodes.make_id(f"equation-{label}")])
