"""The page of notation, written from `book/notation.yml`; `python -m tools.notation` writes it.

The table says which letter means what in the whole book, and what a chapter adds. Letters are
printed as the formulas print them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from tools.contents import parts
from tools.paths import BOOK

TABLE = BOOK / "notation.yml"
PAGE = BOOK / "notation.md"
KINDS = ("number", "integer", "vector", "matrix")
HEAD = """---
myst:
  html_meta:
    description: The letters and signs that mean the same thing in every chapter.
---

# Notation

The same letters mean the same things throughout. What a chapter adds, or uses instead, stands
under its name below; within a chapter a letter has one meaning.
"""
SIGNS = r"""
## Signs

| Sign | Meaning |
| --- | --- |
| $\inner{u}{v}$ | inner product |
| $\norm{u}$ | norm, $\sqrt{\inner{u}{u}}$; other norms carry an index, as in $\norm{u}_1$ |
| $\nabla_\theta f(\theta)$ | gradient of $f$ in $\theta$ |
| $A^\top$, $A^{-1}$, $\operatorname{tr}A$ | transpose, inverse, trace |
| $A\succeq 0$ | $A$ is symmetric and $u^\top Au\ge 0$ for every $u$ |
| $\P[A]$, $\E[Z]$, $\Var[Z]$ | probability, expectation, variance |
| $\E[Y\mid X=a]$, $\E[Y\mid X]$ | expectation where $X=a$; given $X$, a random number |
| $\int f(z)\,dz$ | integral over a measure space, such as all vectors with their volume |
| $\indicator{A}$ | one if $A$ holds and zero otherwise |
| $\log$ | natural logarithm, everywhere |

## Conventions that the sources do not share

- $\sign(0)$ is undecided. A point with $\inner{\theta}{x}=0$ counts as a mistake, whatever
  its label.
- Sums of losses carry the factor $\tfrac1n$ when they estimate an expectation and no
  factor otherwise.
- A hyperplane is the set of $x$ with $\inner{\theta}{x}+\theta_0=0$; its margin is
  measured in units of length, after division by $\norm{\theta}$.
"""


class Symbol(NamedTuple):
    """A letter: its name in theorem modules, what its values are, and what it means."""

    name: str
    kind: str
    meaning: str
    index: str = ""

    @property
    def tex(self) -> str:
        """The letter as formulas print it."""
        from mlnotes.proof.notation import Tex

        return Tex().symbol(self.name, [self.index] if self.index else [])


def core() -> dict[str, list[Symbol]]:
    """Return the letters of the whole book by section."""
    return {g["title"]: [Symbol(**s) for s in g["symbols"]] for g in _table()["core"]}


def bound() -> list[Symbol]:
    """Return the letters of the whole book that have a fixed meaning."""
    groups = [g for g in _table()["core"] if not g.get("free")]
    return [Symbol(**s) for g in groups for s in g["symbols"]]


def chapters() -> dict[str, list[Symbol]]:
    """Return the letters that chapters add, or use instead."""
    return {name: [Symbol(**s) for s in found] for name, found in _table()["chapters"].items()}


def known_clashes() -> dict[str, dict[str, str]]:
    """Return the letters that have two meanings in a chapter until it is mended."""
    found: dict[str, dict[str, str]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))["clashes"]
    return found


def _table() -> dict[str, list[dict[str, list[dict[str, str]]]]]:
    table: dict[str, list[dict[str, list[dict[str, str]]]]] = yaml.safe_load(
        TABLE.read_text(encoding="utf-8")
    )
    return table


def clashes(symbols: list[Symbol]) -> list[str]:
    """Return the letters that stand twice among symbols, or look alike."""
    seen: dict[str, Symbol] = {}
    out = []
    for s in symbols:
        if s.tex in seen:
            out.append(f"{s.name}: {seen[s.tex].meaning}; {s.meaning}")
        seen[s.tex] = s
    return out


def page() -> str:
    """Return the text of the page."""
    out = HEAD
    for title, symbols in core().items():
        out += f"\n## {title}\n\n{_rows(symbols)}"
    out += SIGNS
    out += "\n## Chapter by chapter\n"
    for name, title in _titles():
        out += f"\n### {title}\n\n{_rows(chapters()[name])}"
        twice = known_clashes().get(name, {}).items()
        words = "; ".join(f"${Symbol(k, '', '').tex}$, {says}" for k, says in twice)
        out += f"\nWith two meanings, until they are mended: {words}.\n" if words else ""
    return out


def _titles() -> Iterator[tuple[str, str]]:
    """Yield the chapters that add letters, in the order of the book."""
    for found in parts().values():
        yield from ((name, title) for name, title in found.items() if name in chapters())


def _rows(symbols: list[Symbol]) -> str:
    rows = "".join(f"| ${s.tex}$ | {s.meaning} |\n" for s in symbols)
    return f"| Sign | Meaning |\n| --- | --- |\n{rows}"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
