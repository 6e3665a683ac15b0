"""No build, however it was started, may use an output that the present package did not produce."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from tools.execution import chapters, execute_all
from tools.paths import ROOT


def setup(app: Sphinx) -> None:
    """Run what has no valid output yet, before anything asks for outputs."""
    contents = ROOT / Path(app.config.external_toc_path)
    results = execute_all(chapters(contents))
    if failures := [result.failure for result in results if result.failure]:
        raise ExtensionError("\n".join(failures))
