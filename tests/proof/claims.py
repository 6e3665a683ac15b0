"""What a statement of the corpora consists of, and how it is put to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mlnotes.proof import Derivation, grad

METHODS = {
    "==": "equals",
    "<=": "at_most",
    "<": "less_than",
    ">=": "at_least",
    ">": "greater_than",
}


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

    def check(self) -> Any:
        """Derive the claim in one step; return the Theorem or let the refusal through."""
        left = self.left
        if isinstance(left, Gradient):
            left = grad(left.term, left.variable)
        derivation = Derivation(self.name, given=list(self.given), witness=self.witness)
        step = getattr(derivation.start(left), METHODS[self.operator])
        options = {} if self.by is None else {"by": self.by}
        return step(self.right, because="claimed", **options).qed()


def skeleton(claim: Claim) -> str:
    """Describe a claim up to the names of its symbols and the numbers in it."""
    left = claim.left
    parts = [left.term, left.variable] if isinstance(left, Gradient) else [left]
    texts = [_shape(sp.sympify(part), {}) for part in [*parts, claim.right]]
    hypotheses = sorted(_shape(h, {}) for h in claim.given)
    return f"{texts} {claim.operator} {hypotheses}"


def _shape(term: Any, names: dict[Any, str]) -> str:
    """Print a tree with symbols numbered in order of appearance and every number as #."""
    if not isinstance(term, sp.Basic):
        attributes = [getattr(term, s) for s in getattr(term, "__dict__", {})]
        return f"{type(term).__name__}({[_shape(a, names) for a in attributes]})"
    if isinstance(term, sp.Number):
        return "#" if abs(term) != 1 else str(term)
    if not term.args:
        return names.setdefault(term, f"{type(term).__name__}{len(names)}")
    return f"{type(term).__name__}({','.join(_shape(a, names) for a in term.args)})"
