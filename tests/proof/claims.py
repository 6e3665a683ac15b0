"""What a statement of the corpora consists of, and how it is put to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mlnotes.proof import Derivation, grad
from mlnotes.proof.language import Statement, relate, term_of

SIGNS = {"==": "=", "<=": "≤", "<": "<", ">=": "≥", ">": ">"}


@dataclass(frozen=True)
class Gradient:
    """The gradient of ``term`` with respect to ``variable``, as the left side of a claim."""

    term: Any
    variable: Any


@dataclass(frozen=True)
class Claim:
    """One line of a derivation: ``left operator right`` under hypotheses.

    ``models`` are concrete values: where a true claim must hold, where a false one fails.
    """

    name: str
    left: Any
    operator: str
    right: Any
    given: Sequence[Any] = ()
    witness: dict[Any, Any] | None = None
    models: Sequence[dict[Any, Any]] = field(default_factory=list)
    by: Any = None
    source: str = "classic"

    @property
    def first(self) -> Any:
        """The left side, with the gradient taken."""
        left = self.left
        return grad(left.term, left.variable) if isinstance(left, Gradient) else left

    @property
    def statement(self) -> Statement:
        """The line as a statement."""
        return relate(SIGNS[self.operator], self.first, self.right)

    def check(self) -> Any:
        """Derive the claim in one step; return the Theorem or let the refusal through."""
        derivation = Derivation(self.name, given=list(self.given), witness=self.witness)
        line = derivation.start(self.first).line(
            SIGNS[self.operator], self.right, "claimed", self.by
        )
        return line.qed()


def skeleton(claim: Claim) -> str:
    """Describe a claim up to the names of its symbols and the numbers in it."""
    left = claim.left
    parts = [left.term, left.variable] if isinstance(left, Gradient) else [left]
    texts = [_shape(term_of(part).term, {}) for part in [*parts, claim.right]]
    declared = [a for part in [*parts, claim.right] for a in term_of(part).assumes]
    hypotheses = sorted(_shape(h, {}) for h in [*(h.term for h in claim.given), *declared])
    return f"{texts} {claim.operator} {hypotheses}"


def _shape(t: Any, names: dict[Any, str]) -> str:
    """Print a tree with symbols numbered in order of appearance and every number as #."""
    if t.op in ("q", "z"):
        return "#" if abs(t.data[0]) != 1 else str(t.data)
    if t.op == "v":
        name = names.setdefault(t.data, f"{t.sort}{len(names)}")
        return f"{name}({','.join(_shape(a, names) for a in t.args)})"
    return f"{t.op}{t.data}({','.join(_shape(a, names) for a in t.args)})"
