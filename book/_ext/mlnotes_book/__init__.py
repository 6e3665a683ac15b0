"""The book's own Sphinx extension: what Jupyter Book does not do, one concern a module."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from . import (
    api,
    assets,
    assignments,
    browser_check,
    cache,
    concordance,
    derivations,
    entrance,
    errata,
    ledger,
    mathematics,
    notebooks,
    notfound,
    places,
    plan,
    repository,
    roles,
    speed,
    style,
    theme,
)

MODULES = (
    speed,
    cache,
    api,
    assets,
    mathematics,
    theme,
    style,
    roles,
    repository,
    notebooks,
    plan,
    notfound,
    entrance,
    derivations,
    ledger,
    places,
    concordance,
    errata,
    browser_check,
    assignments,
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect every module."""
    for module in MODULES:
        module.setup(app)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
