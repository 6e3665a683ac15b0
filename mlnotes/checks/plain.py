"""Reading the lines of a derivation without running them.

Nearly every answer to a derivation is a dictionary of plain terms. Such a cell is read here, with
nothing but arithmetic and the operators of a derivation; whatever is more than that is left to a
process of its own.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from mlnotes import proof
from mlnotes.checks.trees import is_small, power
from mlnotes.proof.language import Expr, Family

OPERATORS: dict[type[ast.operator] | type[ast.unaryop], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: power,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
FUNCTIONS = frozenset(
    {
        "dot",
        "norm",
        "norm2",
        "sqrt",
        "exp",
        "log",
        "Abs",
        "Max",
        "Min",
        "Sum",
        "Product",
        "Rational",
    }
)


class NotPlain(Exception):
    """A cell that has to be run to know what it says."""


def read(source: str, entry: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lines that a cell defines.

    Parameters
    ----------
    source : str
        The cell.
    entry : str
        The name of the dictionary of lines.
    names : mapping
        The symbols and numbers that the cell may use.

    Examples
    --------
    >>> from mlnotes.checks.plain import read
    >>> from mlnotes.proof import reals
    >>> read("lines = {'a': 2 * x, 'b': ...}", "lines", {"x": reals("x")})
    {'a': 2 x}
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotPlain from None
    known: dict[str, Any] = {name: getattr(proof, name) for name in FUNCTIONS} | dict(names)
    for statement in body:
        if isinstance(statement, ast.ImportFrom) and _is_known_import(statement):
            continue
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            raise NotPlain
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or target.id in FUNCTIONS:
            raise NotPlain
        known[target.id] = _value(statement.value, known)
        if not _is_short(known[target.id]):
            raise NotPlain
    lines = known.get(entry) if entry not in names else None
    if not isinstance(lines, dict):
        raise NotPlain
    return {str(k): v for k, v in lines.items() if v is not ...}


def _is_known_import(statement: ast.ImportFrom) -> bool:
    return statement.module == "mlnotes.proof" and all(
        alias.name in FUNCTIONS and alias.asname is None for alias in statement.names
    )


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=bool() | complex() | bytes() | str() | None):
            raise NotPlain
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return _computed(OPERATORS[type(op)], _value(operand, known))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return _computed(OPERATORS[type(op)], _value(left, known), _value(right, known))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return known[name](*(_small(_value(argument, known)) for argument in arguments))
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            family = known.get(name)
            if not isinstance(family, Family):
                raise NotPlain
            return family[_value(index, known)]
        case ast.Tuple(elts=[ast.Constant(value=str(relation)), term]):
            return relation, _value(term, known)
        case ast.Tuple(elts=parts):
            return tuple(_value(part, known) for part in parts)
        case ast.Dict(keys=keys, values=values):
            return {_key(k): _value(v, known) for k, v in zip(keys, values, strict=True)}
    raise NotPlain


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise NotPlain


def _computed(apply: Callable[..., Any], *parts: Any) -> Any:
    """Return the value of an operation on numbers and terms, if no number in it is huge."""
    if not all(isinstance(part, (int, float, Fraction, Expr)) for part in parts):
        raise NotPlain
    try:
        return _small(apply(*parts))
    except OverflowError:
        raise NotPlain from None


def _small(value: Any) -> Any:
    if not is_small(value):
        raise NotPlain
    return value


def _is_short(value: Any) -> bool:
    """Say whether what a name stands for has few parts, however often it repeats itself."""
    values = value.values() if isinstance(value, dict) else (value,)
    return all(is_small(part) for v in values for part in (v if isinstance(v, tuple) else (v,)))
