"""Tell a theorem again with something wrong in it, and compare it with numbers computed apart."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from evaluator import Matrix, evaluate, interval

from mlnotes.proof import Derivation, ProofError, Theorem, Undefined, WrongStep

METHODS = {"==": "equals", "<=": "at_most", "<": "less_than", ">=": "at_least", ">": "greater_than"}


OPERATORS = {sp.Eq: "==", sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">"}


def operator(theorem: Theorem) -> str:
    """Return how the two sides of a theorem are related."""
    return OPERATORS[type(theorem.statement)]


def _tell(theorem: Theorem, given: list[Any], witness: Any, relation: str, right: Any) -> None:
    line = Derivation("retold", given=given, witness=witness, z3=False).start(theorem.statement.lhs)
    getattr(line, METHODS[relation])(right, because="retold")


def refuted(theorem: Theorem, witness: Any, right: Any, relation: str = "") -> bool:
    """Say whether another right side, or another relation, is refused with a counterexample."""
    with pytest.raises(WrongStep) as refusal:
        _tell(theorem, list(theorem.given), witness, relation or operator(theorem), right)
    return bool(refusal.value.counterexample) or not theorem.statement.free_symbols


def without(theorem: Theorem, witness: Any, *positions: int) -> ProofError:
    """Return how the theorem is refused without the hypotheses at these positions."""
    given = [h for k, h in enumerate(theorem.given) if k not in positions]
    with pytest.raises(ProofError) as refusal:
        _tell(theorem, given, witness, operator(theorem), theorem.statement.rhs)
    return refusal.value


def needed(theorem: Theorem, witness: Any, *positions: int) -> bool:
    """Say whether the theorem is false, or has no meaning, without these hypotheses."""
    return isinstance(without(theorem, witness, *positions), WrongStep | Undefined)


def sides(theorem: Theorem, model: Mapping[Any, Any]) -> tuple[Any, Any]:
    """Return the two sides of a theorem at a model, as the independent evaluator computes them."""
    rows = {name: _by_rows(value) for name, value in model.items()}
    left, right = (plain(evaluate(side, rows)) for side in theorem.statement.args)
    return left, right


def _by_rows(value: Any) -> Any:
    """Return a table with keys (row, column) as a table of rows."""
    if not isinstance(value, dict) or not all(isinstance(at, tuple) for at in value):
        return value
    rows: dict[int, dict[int, Any]] = {}
    for (row, column), entry in value.items():
        rows.setdefault(row, {})[column] = entry
    return rows


def plain(value: Any) -> Any:
    """Return a value of the evaluator as numbers and lists."""
    if isinstance(value, Matrix):
        return [[plain(entry) for entry in row] for row in value]
    if isinstance(value, tuple):
        return [plain(entry) for entry in value]
    return value if isinstance(value, Fraction) else float(interval(value).mid)
