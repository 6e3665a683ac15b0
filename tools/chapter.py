"""Write the files of a new chapter, as far as they are not there: what `make chapter` does.

A chapter of the plan gets its lecture and the pages below it, its module, its theorems, the tests
of both, and its place in the table of contents. What exists is left as it is. A chapter calls
itself complete by the directive `treated`, which the skeleton therefore does not have.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools import contents
from tools.paths import ROOT

FRONT = """---
file_format: mystnb
kernelspec:
  name: python3
  display_name: Python 3
myst:
  html_meta:
    description: >-
      {description}
---

"""
# Sentences to be replaced, in the order of a lecture; a line that begins with % is a comment.
LECTURE = """# {title}

The question that this lecture answers, why the answer is not obvious, and what the reader will be
able to prove and to do. {{doc}}`Further results <{name}/further>`,
{{doc}}`exercises <{name}/exercises>` and {{doc}}`slips of the notes <{name}/slips>` have pages of
their own.

% A picture made by mlnotes, in a cell with `mystnb: figure:`.

## What is asked

% The objects in sentences, then one box that names the hypotheses used throughout:
% {{setting}} name, with :title: and :of: (the label of a theorem that has them all).

## The algorithm

% A box, {{prf:algorithm}}, and below it the public function: literalinclude with :pyobject:.

## Why it works

% The idea in full sentences. Then {{prf:theorem}} with {{statement}} label inside, whose body is
% yours and whose relations are insertions, {{formula}}`conclusion` among them; then {{prf:proof}}
% with {{derivation}} label. A lemma that serves one proof stands in it: {{lemma}} label.
% {{question}}: three to five a lecture.

## The theorem meets data

## Common mistakes

## What to remember
"""
PLAIN_FRONT = """---
myst:
  html_meta:
    description: >-
      {description}
---

"""
PAGES = {
    "further": (
        "{title}: further results",
        "What else the sources say on {lower}, with variants and longer proofs.",
        "Sections that can be read one at a time.\n",
    ),
    "exercises": (
        "{title}: exercises",
        "Exercises on {lower}, with hints and solutions to open.",
        "Each exercise stands by itself; all of them follow the {{doc}}`lecture <../{name}>`. "
        "Hints and\nsolutions open.\n\n"
        "% Eight or more: {{exercise}} with a :label:, then {{hint}} label (the first move, never\n"
        "% the answer), then {{solution}} label with :class: dropdown.\n",
    ),
    "slips": (
        "{title}: where the notes slip",
        "Where the sources slip on {lower}, with cells that show it.",
        "```{{misprints}}\n```\n\n```{{remarks}}\n```\n",
    ),
}
MODULE = '''"""{title}: {about}.

The chapter is ``book/{name}.md``.
"""

from __future__ import annotations

__all__: list[str] = []
'''
THEOREMS = '''"""{title}: the derivations of the chapter ``book/{name}.md``."""

from __future__ import annotations
'''
TESTS = '''"""{title}: the algorithms against oracles, and what the chapter promises of them."""

from __future__ import annotations
'''
THEOREM_TESTS = '''"""{title}: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations
'''


def files(name: str) -> dict[str, str]:
    """Return the files of a chapter and what a new one of them contains."""
    title = contents.titles()[name]
    words = {"name": name, "title": title, "lower": title[0].lower() + title[1:]}
    words["about"] = contents.about(name)
    lecture = FRONT.format(description=f"{title}: {words['about']}.")
    pages = {
        f"book/{name}/{page}.md": PLAIN_FRONT.format(description=description.format(**words))
        + f"# {heading.format(**words)}\n\n{text.format(**words)}"
        for page, (heading, description, text) in PAGES.items()
    }
    return {
        f"book/{name}.md": lecture + LECTURE.format(**words),
        **pages,
        f"mlnotes/{name}.py": MODULE.format(**words),
        f"mlnotes/theorems/{name}.py": THEOREMS.format(**words),
        f"tests/test_{name}.py": TESTS.format(**words),
        f"tests/proof/test_theorems_{name}.py": THEOREM_TESTS.format(**words),
    }


def write(name: str, root: Path = ROOT) -> list[str]:
    """Write the files that are missing and return their names."""
    written = []
    for path, text in files(name).items():
        target = root / path
        if not target.exists() and not target.with_suffix("").is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def main(line: Sequence[str] | None = None) -> int:
    """Write the skeleton and the table of contents, or say which names there are."""
    parser = argparse.ArgumentParser(prog="make chapter NAME=", description=__doc__)
    parser.add_argument("name", nargs="?", default="")
    name = parser.parse_args(line).name
    if name not in contents.titles():
        named = ", ".join(contents.titles())
        print(f"book/plan.yml has no chapter {name!r}; there are: {named}", file=sys.stderr)
        return 1
    written = write(name)
    if contents.write():
        written.append(contents.FILE.name)
    print("\n".join(["written:", *(f"  {path}" for path in written)] if written else ["all there"]))
    print(f"statements and errata: book/sources/concordance/{name}.yml, errata/{name}.yml")
    print(f"then: make preview NAME={name}, and in the end make check NAME={name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
