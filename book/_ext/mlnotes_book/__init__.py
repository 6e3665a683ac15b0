"""The book's own Sphinx extension: what Jupyter Book does not do, one concern a module."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

# `sphinx-build` knows only the folder of this extension; what it shares with the other commands is
# in `tools`, at the root of the project.
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from . import (
    api,
    assets,
    assignments,
    browser_check,
    cache,
    certificates,
    cite,
    concordance,
    derivations,
    errata,
    exercise_setup,
    folds,
    frames,
    freshness,
    generated,
    hints,
    labels,
    ledger,
    listings,
    markup,
    mathematics,
    notebooks,
    notfound,
    plan,
    reading_order,
    redirect,
    repository,
    roles,
    search,
    speed,
    statements,
    style,
    theme,
)

MODULES = (
    speed,
    cache,
    api,
    generated,
    freshness,
    assets,
    markup,
    listings,
    mathematics,
    theme,
    style,
    roles,
    frames,
    repository,
    notebooks,
    plan,
    reading_order,
    notfound,
    search,
    redirect,
    derivations,
    statements,
    ledger,
    labels,
    concordance,
    errata,
    hints,
    exercise_setup,
    browser_check,
    certificates,
    assignments,
    cite,
    folds,
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect every module."""
    for module in MODULES:
        module.setup(app)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
