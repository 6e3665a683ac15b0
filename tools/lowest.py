"""Test the package with the lowest versions that `pyproject.toml` allows: `make test-lowest`.

An environment of its own is made in `_build/lowest`, in which every dependency that is named has
the lowest version of its range. What builds the book is pinned, so the pages are not built again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from tools.paths import BUILD, ROOT

FOLDER = BUILD / "lowest"
# Tests of the package's own modules; pages, set-up and changed derivations say nothing on versions.
LEFT_OUT = (
    *("test_browser*", "test_build", "test_chapters", "test_chapter_tools", "test_project"),
    *("test_setup", "test_site", "test_speed", "test_benchmarks"),
)


def install() -> None:
    """Make the environment."""
    python = FOLDER / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", "--clear", str(FOLDER)], check=True, cwd=ROOT)
    resolution = ["--resolution", "lowest-direct", "--python", str(python)]
    command = [
        "uv",
        "pip",
        "install",
        "--quiet",
        *resolution,
        "--editable",
        ".[assignments,book,test]",
    ]
    subprocess.run(command, check=True, cwd=ROOT)


def arguments(more: Sequence[str] = ()) -> list[str]:
    """Return the arguments for pytest."""
    left_out = [f"--ignore-glob=tests/{name}.py" for name in LEFT_OUT]
    return ["-n", "auto", "--dist", "worksteal", *left_out, *more]


def main(line: Sequence[str]) -> int:
    """Install and test; return the exit status."""
    install()
    python = str(FOLDER / "bin" / "python")
    listed = ["uv", "pip", "list", "--quiet", "--python", python]
    subprocess.run(listed, check=True, cwd=ROOT)
    environment = {**os.environ, "SYMPY_CACHE_SIZE": "10000"}
    return subprocess.call([python, "-m", "pytest", *arguments(line)], cwd=ROOT, env=environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
