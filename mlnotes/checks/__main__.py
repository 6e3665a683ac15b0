"""Grade from a command line: ``python -m mlnotes.checks grade perceptron submissions``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from mlnotes.checks import isolation
from mlnotes.checks.classes import grade_class
from mlnotes.checks.exports import roster
from mlnotes.checks.notebooks import grade_notebook
from mlnotes.checks.progress import Bar
from mlnotes.checks.reports import lines_of
from mlnotes.checks.sheet import assignments


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one notebook or grade a folder of them; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m mlnotes.checks")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check your own notebook and see hints")
    check.add_argument("assignment", choices=assignments())
    check.add_argument("notebook", type=Path)
    grade = commands.add_parser("grade", help="grade every notebook in a folder")
    grade.add_argument("assignment", choices=assignments())
    grade.add_argument("folder", type=Path)
    grade.add_argument("--output", type=Path, help="where the results go")
    grade.add_argument("--secret", type=Path, help="the file with the secret of the data")
    grade.add_argument("--students", type=Path, help="a file with the names of the class")
    grade.add_argument("--workers", type=int, default=os.cpu_count())
    commands.add_parser("isolation", help="say what holds a student's program on this machine")
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a sign shows its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    if options.command == "isolation":
        print(isolation.report())
        return 0
    if options.command == "check":
        print(lines_of(str(grade_notebook(options.notebook, options.assignment))))
        return 0
    if not options.folder.is_dir():
        print(f"there is no folder {options.folder}", file=sys.stderr)
        return 1
    if options.secret and not options.secret.is_file():
        print(f"there is no file {options.secret} with the secret", file=sys.stderr)
        return 1
    if options.students and not options.students.is_file():
        print(f"there is no file {options.students} with names", file=sys.stderr)
        return 1
    secret = options.secret.read_text(encoding="utf-8").strip() if options.secret else ""
    bar = Bar()
    try:
        grade_class(
            options.assignment,
            options.folder,
            secret,
            output=options.output,
            workers=options.workers,
            students=roster(options.students) if options.students else (),
            show=bar.say,
            progress=bar.draw,
        )
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run it again to go on from here.")
        return 130
    target = options.output or options.folder / "graded"
    print((target / "summary.md").read_text(encoding="utf-8"))
    print(
        f"In {target}: the table in scores.csv, what students get back in feedback, answers that "
        "are alike in similar.csv, scores for gradebooks in canvas.csv, moodle.csv and gradescope."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
