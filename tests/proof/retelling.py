"""Tell a theorem again with something wrong in it, and compare it with numbers computed apart."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import evaluator as ev
import pytest
from mpmath.libmp import to_rational

from mlnotes.proof import Derivation, ProofError, Theorem, Undefined, WrongStep

SIGNS = {"==": "=", "<=": "≤", "<": "<", ">=": "≥", ">": ">"}


def operator(theorem: Theorem) -> str:
    """Return how the two sides of a theorem are related."""
    return theorem.statement.shown


def tell(theorem: Theorem, given: list[Any], witness: Any, relation: str, right: Any) -> None:
    """Tell a theorem with other hypotheses, another relation or another right side."""
    line = Derivation("retold", given=given, witness=witness).start(theorem.statement.parts[0])
    line.line(SIGNS.get(relation, relation), right, because="retold")


def refuted(theorem: Theorem, witness: Any, right: Any, relation: str = "") -> bool:
    """Say whether another right side, or another relation, is refused with a counterexample."""
    with pytest.raises(WrongStep) as refusal:
        tell(theorem, list(theorem.given), witness, relation or operator(theorem), right)
    return bool(refusal.value.counterexample) or not theorem.statement.term.free


def without(theorem: Theorem, witness: Any, *positions: int) -> ProofError:
    """Return how the theorem is refused without the hypotheses at these positions."""
    given = [h for k, h in enumerate(theorem.given) if k not in positions]
    with pytest.raises(ProofError) as refusal:
        tell(theorem, given, witness, operator(theorem), theorem.statement.parts[1])
    return refusal.value


def needed(theorem: Theorem, witness: Any, *positions: int) -> bool:
    """Say whether the theorem is false, or has no meaning, without these hypotheses."""
    return isinstance(without(theorem, witness, *positions), WrongStep | Undefined)


def sides(theorem: Theorem, model: Mapping[Any, Any]) -> tuple[Any, Any]:
    """Return the two sides of a theorem at a model, as the independent evaluator computes them."""
    left, right = (plain(ev.evaluate(side, model)) for side in theorem.statement.parts)
    return left, right


def plain(value: Any) -> Any:
    """Return a value of the evaluator as numbers and lists."""
    if isinstance(value, (tuple, list)):
        return [plain(entry) for entry in value]
    middle = Fraction(*to_rational(ev.interval(value).mid._mpi_[0]))
    near = middle.limit_denominator(10**6)
    return near if abs(near - middle) < Fraction(1, 10**25) else float(middle)
