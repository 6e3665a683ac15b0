"""Print Lighthouse's four scores for a chapter page, seen as on a mobile phone.

Performance differs by several points from run to run, so the run in the middle of some is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

from tools import chromium
from tools.paths import BUILD, ROOT
from tools.serve import make_server

LOCK = ROOT / "requirements" / "lighthouse"
FOLDER = BUILD / "lighthouse"
PROGRAM = FOLDER / "node_modules" / ".bin" / "lighthouse"
REPORT = FOLDER / "report"


class Unavailable(Exception):
    """A sentence that says what is missing and what to do."""


def main() -> int:
    """Measure a page and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", default="book/perceptron.html")
    parser.add_argument("--runs", type=int, default=5, help="odd, since the middle one is printed")
    given = parser.parse_args()
    if given.runs < 1:
        parser.error("--runs must be at least 1")
    try:
        reports = sorted(measure(given.page, given.runs), key=performance)
    except Unavailable as error:
        print(f"mlnotes: {error}", file=sys.stderr)
        return 1
    report = reports[len(reports) // 2]
    print(f"{performance(reports[0])} to {performance(reports[-1])}; the run in the middle:")
    for category in report["categories"].values():
        print(f"{category['title']:<16}{round(100 * category['score']):>4}")
        for audit in shortfalls(report, category):
            print(f"    {audit['title']} {audit.get('displayValue', '')}")
    print(f"The last run's whole report is at {REPORT.relative_to(ROOT)}.report.html.")
    return 0


def performance(report: dict[str, Any]) -> int:
    """Return the score that differs from run to run."""
    return round(100 * report["categories"]["performance"]["score"])


def measure(page: str, runs: int) -> Iterator[dict[str, Any]]:
    """Serve the site, run Lighthouse on one of its pages and yield its reports."""
    browser = chromium.find()
    if browser is None:
        raise Unavailable(chromium.REMEDY)
    install()
    server = make_server(0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = [
        str(PROGRAM),
        f"http://127.0.0.1:{server.server_port}/{page}",
        *("--quiet", "--no-enable-error-reporting", "--output=json", "--output=html"),
        f"--output-path={REPORT}",
        f"--chrome-flags={' '.join(chromium.FLAGS)}",
    ]
    environment = {**os.environ, "CHROME_PATH": browser}
    try:
        for run in range(1, runs + 1):
            result = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True)
            if result.returncode != 0:
                raise Unavailable(f"Lighthouse failed: {result.stderr.strip()}")
            report = json.loads(REPORT.with_suffix(".report.json").read_text("utf-8"))
            print(f"run {run} of {runs}: performance {performance(report)}", flush=True)
            yield report
    finally:
        server.shutdown()


def install() -> None:
    """Install Lighthouse from its lock file where that has not been done."""
    wanted = (LOCK / "package-lock.json").read_bytes()
    installed = FOLDER / "package-lock.json"
    if PROGRAM.exists() and installed.exists() and installed.read_bytes() == wanted:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable(
            "there is no npm here: run this by 'make lighthouse', which installs one."
        )
    print("Installing Lighthouse", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    shutil.copy(LOCK / "package.json", FOLDER)
    shutil.copy(ROOT / ".npmrc", FOLDER)
    (FOLDER / "package-lock.json").write_bytes(wanted)
    command = [npm, "ci", "--ignore-scripts", "--no-progress", "--loglevel=error"]
    if subprocess.call(command, cwd=FOLDER) != 0:
        shutil.rmtree(FOLDER)
        raise Unavailable("could not install Lighthouse: is there a network connection?")


def shortfalls(report: dict[str, Any], category: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the audits that cost a category its points."""
    weights = {entry["id"]: entry["weight"] for entry in category["auditRefs"]}
    audits = [report["audits"][name] for name, weight in weights.items() if weight]
    return [audit for audit in audits if audit["score"] is not None and audit["score"] < 0.9]


if __name__ == "__main__":
    sys.exit(main())
