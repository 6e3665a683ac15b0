"""No build, however it was started, may use an output that the present package did not produce."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from tools.execution import execute_all


def setup(app: Sphinx) -> None:
    """Run what has no valid output yet, before anything asks for outputs."""
    if failures := [result.failure for result in execute_all() if result.failure]:
        raise ExtensionError("\n".join(failures))
