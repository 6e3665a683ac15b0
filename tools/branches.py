"""Say what share of the branches the last measured tests took, and fail below 95 %.

Coverage's own total counts lines together with branches.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence

LEAST = 0.95


def main(line: Sequence[str] | None = None) -> int:
    """Read the data file and return 0 if enough branches were taken."""
    parser = argparse.ArgumentParser(prog="python -m tools.branches", description=__doc__)
    parser.add_argument("--data-file", default=".coverage", help="what coverage.py has written")
    given = parser.parse_args(line)
    options = ["-q", "-o", "-", "--fail-under=0", f"--data-file={given.data_file}"]
    report = subprocess.run(
        [sys.executable, "-m", "coverage", "json", *options],
        check=True,
        capture_output=True,
        text=True,
    )
    totals = json.loads(report.stdout)["totals"]
    taken, there = totals["covered_branches"], totals["num_branches"]
    print(f"branches alone: {taken} of {there} taken, {taken / there:.1%} (at least {LEAST:.0%})")
    return 0 if taken >= LEAST * there else 1


if __name__ == "__main__":
    sys.exit(main())
