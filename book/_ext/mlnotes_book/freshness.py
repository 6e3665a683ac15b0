"""Pages that must be read again although their source is unchanged, because what they show is not.

Sphinx knows the files that a page depends on. It does not know that the outputs of the cells have
changed, or what they reported: a page notes here which of these it shows.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from tools.reports import outputs


def fingerprint(shown: Any) -> str:
    """Return a fingerprint of plain data."""
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


def publish(env: BuildEnvironment, facts: dict[str, str]) -> None:
    """Make known what pages can show, by a key, as it is in this build."""
    known: dict[str, str] = env.__dict__.setdefault("mlnotes_facts", {})
    known.update(facts)


def note(env: BuildEnvironment, key: str, docname: str = "") -> None:
    """Remember that a page, by default the one that is read, shows what a key stands for."""
    notes(env).setdefault(docname or env.docname, {})[key] = env.mlnotes_facts.get(key, "")  # type: ignore[attr-defined]


def notes(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Return what each page showed when it was read."""
    if not hasattr(env, "mlnotes_shown"):
        env.mlnotes_shown = {}  # type: ignore[attr-defined]
    shown: dict[str, dict[str, str]] = env.mlnotes_shown
    return shown


def publish_outputs(app: Sphinx) -> None:
    """Begin with the outputs of the cells, page by page."""
    app.env.mlnotes_facts = {}  # type: ignore[attr-defined]
    publish(app.env, {f"outputs of {page}": fingerprint(out) for page, out in outputs().items()})


def note_outputs(app: Sphinx, doctree: nodes.document) -> None:
    """Remember the outputs that a page was read with."""
    note(app.env, f"outputs of {app.env.docname}")


def outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> set[str]:
    """Return the pages that show something else now."""
    facts: dict[str, str] = env.mlnotes_facts  # type: ignore[attr-defined]
    return {
        docname
        for docname, shown in notes(env).items()
        if docname not in removed
        if any(facts.get(key, "") != digest for key, digest in shown.items())
    }


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget what a page showed, because it is read again or removed."""
    notes(env).pop(docname, None)


def setup(app: Sphinx) -> None:
    """Compare at the beginning of a build; publish before whatever else is published."""
    app.connect("builder-inited", publish_outputs, priority=100)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-read", note_outputs)
    app.connect("env-get-outdated", outdated)
