"""No build, however it was started, may use an output that the present package did not produce."""

from __future__ import annotations

import sys

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def setup(app: Sphinx) -> None:
    """Run what has no valid output yet, before anything asks for outputs."""
    sys.path.insert(0, str(app.confdir))
    from tools.execution import execute_all

    if failures := [result.failure for result in execute_all() if result.failure]:
        raise ExtensionError("\n".join(failures))
