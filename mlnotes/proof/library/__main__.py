"""Derive the lemmas of the library and write their certificates."""

from __future__ import annotations

import json
from pathlib import Path

from mlnotes import trusted
from mlnotes.trusted.terms import fuel

from .. import proofs as pf
from ..language import BUDGET
from .notation import DERIVATIONS

LIBRARY = Path(trusted.__file__).with_name("library.json")


def write() -> None:
    """Derive all lemmas and write their certificates."""
    certificates = []
    for name, derive in DERIVATIONS.items():
        fuel.left = BUDGET
        proof = derive()
        hypotheses = sorted(proof.hypotheses, key=lambda h: h.key)
        certificates.append(pf.certificate(name, proof, hypotheses))
        checked = trusted.check(certificates, library=False)
        fuel.left = BUDGET
        pf._LEMMAS.update(checked)
    text = ",\n".join(
        json.dumps(c, separators=(",", ":"), ensure_ascii=False) for c in certificates
    )
    LIBRARY.write_text(f"[\n{text}\n]\n", "utf-8")
    print(f"{len(certificates)} lemmas, {len(text) / 1024:.0f} KB")


if __name__ == "__main__":
    write()
