"""Check all that concerns one chapter: what `make check NAME=` does.

Its pages are executed and the book is built, as far as they changed; then every test runs in whose
file or case the chapter is named: those of its module, theorems and exercises, and of the general
tests the cases of its pages, statements, errata and changed derivations.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence

from tools import build, contents
from tools.paths import ROOT

# The tests of one chapter alone.
OWN = ("tests/test_{}.py", "tests/test_exercises_{}.py", "tests/proof/test_theorems_{}.py")


def problems(name: str) -> list[str]:
    """Return what is wrong before anything runs."""
    if name not in contents.titles():
        return [f"book/plan.yml has no chapter {name!r}; there are: {', '.join(contents.titles())}"]
    if not contents.pages_of(name):
        return [f"there is no book/{name}.md: run 'make chapter NAME={name}'"]
    if contents.FILE.read_text(encoding="utf-8") != contents.text():
        return ["_toc.yml is not what the plan and the pages make: run 'python -m tools.contents'"]
    return []


def tests(name: str) -> list[str]:
    """Return the arguments by which pytest runs all tests that name a chapter."""
    chosen = ["-n", "auto", "--dist", "worksteal", "-k", name, "--durations=5"]
    others = [chapter for chapter in contents.titles() if chapter != name]
    # Every process would read the tests of all chapters, only to leave them out.
    own = [path.format(other) for other in others for path in OWN]
    return [*chosen, *(f"--ignore={path}" for path in own if (ROOT / path).exists())]


def main(line: Sequence[str] | None = None) -> int:
    """Check a chapter; return the exit status."""
    parser = argparse.ArgumentParser(prog="make check NAME=", description=__doc__)
    parser.add_argument("name", nargs="?", default="")
    name = parser.parse_args(line).name
    started = time.perf_counter()
    if found := problems(name):
        print("\n".join(found), file=sys.stderr)
        return 1
    if build.main():
        return 1
    status = subprocess.call([sys.executable, "-m", "pytest", *tests(name)], cwd=ROOT)
    print(
        f"{name}: {'all well' if status == 0 else 'failed'} ({time.perf_counter() - started:.0f} s)"
    )
    return status


if __name__ == "__main__":
    sys.exit(main())
