"""What the kernel says of the recorded certificates, for the ledger.

Every build has the kernel check all of them; a certificate that it refuses fails the build.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from mlnotes.proof import rendering
from mlnotes.proof.recorded import checked_certificates


@cache
def certified() -> dict[str, dict[str, Any]]:
    """Return the checked certificates by label: their statement, axioms and size."""
    return {
        name: {
            "statement": rendering.tex(checked.conclusion),
            "hypotheses": [rendering.tex(h) for h in checked.hypotheses],
            "axioms": sorted(checked.axioms),
            "steps": checked.steps,
        }
        for name, checked in checked_certificates().items()
    }
