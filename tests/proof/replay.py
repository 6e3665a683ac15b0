"""Read a counterexample of the engine as a model of the independent evaluator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

MEMBER = re.compile(r"^(?P<name>[^\[\]]+)\[(?P<at>[^\]]*)\]$")


def as_model(counterexample: Mapping[str, Any], terms: Sequence[Any]) -> dict[str, Any]:
    """Return the model: families from their members, laws from outcomes and probabilities.

    The terms say of which symbols the shape of a matrix gives the value.
    """
    model: dict[str, Any] = {}
    outcomes: dict[str, dict[int, Any]] = {}
    laws: dict[str, tuple[Any, ...]] = {}
    for name, value in counterexample.items():
        if name.startswith("probabilities"):
            laws[name.removeprefix("probabilities").removeprefix(" of ")] = value
        elif " at outcome " in name:
            part, outcome = name.split(" at outcome ")
            outcomes.setdefault(part, {})[int(outcome)] = _exact(value)
        elif member := MEMBER.match(name):
            _put(model, member["name"], member["at"], _exact(value))
        elif isinstance(value, sp.Lambda):
            model[name] = value
            slope = sp.Lambda(value.signature, sp.diff(value.expr, value.signature[0]))
            model[f"{name}'"] = slope
        else:
            model[name] = _exact(value)
    _add_laws(model, outcomes, laws)
    for matrix in sorted({m for t in terms for m in t.atoms(sp.MatrixSymbol)}, key=str):
        rows = model.get(matrix.name)
        if rows is not None:
            for side, size in zip(matrix.shape, (len(rows), len(rows[0])), strict=True):
                if side.is_Symbol:
                    model.setdefault(side.name, Fraction(size))
    _complete(model, terms)
    return model


def _complete(model: dict[str, Any], terms: Sequence[Any]) -> None:
    """Give a matrix that a gradient no longer mentions a value: any will do, take zeros."""
    for matrix in {m for t in terms for m in t.atoms(sp.MatrixSymbol)}:
        if matrix.name not in model:
            rows, columns = (int(model[side.name]) for side in matrix.shape)
            model[matrix.name] = [[Fraction(0)] * columns for _ in range(rows)]


def _put(model: dict[str, Any], name: str, at: str, value: Any) -> None:
    family = model.setdefault(name, {})
    *outer, last = (int(k) for k in at.split(","))
    for k in outer:
        family = family.setdefault(k, {})
    family[last] = value


def _add_laws(
    model: dict[str, Any], outcomes: dict[str, dict[int, Any]], laws: dict[str, Any]
) -> None:
    """Give each random part its own law, and those without one a joint law."""
    joint: list[str] = []
    for part, values in outcomes.items():
        if part in laws:
            law = [(values[k], p) for k, p in enumerate(laws[part], start=1)]
            if member := MEMBER.match(part):
                model.setdefault(member["name"], {})[int(member["at"])] = law
            else:
                model[part] = law
        else:
            joint.append(part)
    if joint:
        table = []
        for k, p in enumerate(laws[""], start=1):
            point: dict[str, Any] = {}
            for part in joint:
                if member := MEMBER.match(part):
                    point.setdefault(member["name"], {})[int(member["at"])] = outcomes[part][k]
                else:
                    point[part] = outcomes[part][k]
            table.append((point, p))
        names = sorted(table[0][0])
        if len(names) == 1 and not isinstance(table[0][0][names[0]], dict):
            model[names[0]] = [(point[names[0]], p) for point, p in table]
        else:
            model[",".join(names)] = [(tuple(point[n] for n in names), p) for point, p in table]


def _exact(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_exact(v) for v in value]
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if hasattr(value, "man_exp"):
        mantissa, exponent = value.man_exp
        return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return value
