"""Reading the lines of a derivation without running them.

Nearly every answer to a derivation is a dictionary of plain terms. Such a cell is read here, with
nothing but arithmetic and the operators of a derivation; whatever is more than that is left to a
process of its own.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from mlnotes import proof

OPERATORS: dict[type[ast.operator] | type[ast.unaryop], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
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
# Larger powers of numbers are not computed.
LARGEST = 64


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
    {'a': 2*x}
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
        case ast.Constant(value=bool() | complex() | bytes() | None):
            raise NotPlain
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(operand, known))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return _computed(OPERATORS[type(op)], _value(left, known), _value(right, known))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return known[name](*(_value(argument, known) for argument in arguments))
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            family = known.get(name)
            if not isinstance(family, sp.IndexedBase):
                raise NotPlain
            return family[_value(index, known)]
        case ast.Tuple(elts=parts):
            return tuple(_value(part, known) for part in parts)
        case ast.Dict(keys=keys, values=values):
            return {_key(k): _value(v, known) for k, v in zip(keys, values, strict=True)}
    raise NotPlain


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise NotPlain


def _computed(apply: Callable[..., Any], left: Any, right: Any) -> Any:
    """Return the value of an operation, unless it might be a huge number or a long text."""
    numbers = (int, float, sp.Number)
    if not all(isinstance(part, (*numbers, sp.Basic)) for part in (left, right)):
        raise NotPlain
    both = isinstance(left, numbers) and isinstance(right, numbers)
    if apply is operator.pow and (both or isinstance(right, numbers)) and abs(right) > LARGEST:
        raise NotPlain
    return apply(left, right)
