"""What a program returns: declared by its task, and checked before anything is computed with it.

Values cross from a student's process as types, shapes and bytes. None of them is believed: a value
has the type and the shape that the task declares, or it is not looked at.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Case = Mapping[str, Any]
Shape = tuple[int | None, ...]
# How long an axis may be whose length is not declared.
LONGEST = 100_000
TYPES = ("<f8", "<i8")


class Undeclared(ValueError):
    """What a program returned is not what its task declares; the message says how."""


@dataclasses.dataclass(frozen=True)
class Value:
    """One value that a program returns.

    Attributes
    ----------
    name : str
        What it is.
    shape : callable, optional
        Takes the arguments of a case and returns the shape of the value, with None for an axis of
        any length; nothing is demanded of the shape where there is none.
    whole : bool
        Whether it is made of whole numbers.

    Examples
    --------
    >>> from mlnotes.checks.values import Value
    >>> Value("the rows", lambda case: (None,), whole=True).name
    'the rows'
    """

    name: str
    shape: Callable[[Case], Shape] | None = None
    whole: bool = False


def declared(returns: Sequence[Value | str]) -> list[Value]:
    """Return declarations, of which those without a shape may be given by their names."""
    return [Value(value) if isinstance(value, str) else value for value in returns]


def read(header: Any, data: bytes, cases: Sequence[Case], returns: Sequence[Value]) -> Any:
    """Return the values of each case.

    Parameters
    ----------
    header : object
        Types and shapes, as JSON gave them.
    data : bytes
        The numbers.
    cases : sequence of mappings
        The arguments, on which declared shapes depend.
    returns : sequence of Value
        What is declared.

    Raises
    ------
    Undeclared
        If there are other values, of other shapes, or fewer or more numbers.
    """
    if not isinstance(header, list) or len(header) != len(cases):
        raise Undeclared("ended its process instead of returning")
    out, start = [], 0
    for case, described in zip(cases, header, strict=True):
        if not isinstance(described, list) or len(described) != len(returns):
            found = len(described) if isinstance(described, list) else 0
            names = ", ".join(value.name for value in returns)
            raise Undeclared(
                f"should return {names}: {_count(len(returns))}, but it returned {_count(found)}"
            )
        values = []
        for value, entry in zip(returns, described, strict=True):
            kind, shape = _described(entry)
            shape = _fitting(value, shape, case)
            end = start + 8 * math.prod(shape)
            if end > len(data):
                raise Undeclared("returned something that cannot be read")
            array = np.frombuffer(data[start:end], dtype=kind).reshape(shape)
            values.append(_numbers(value, array))
            start = end
        out.append(tuple(values))
    if start != len(data):
        raise Undeclared("returned something that cannot be read")
    return out


def _described(entry: Any) -> tuple[str, tuple[int, ...]]:
    """Return a type and a shape that are what they claim to be."""
    kind, shape = entry if isinstance(entry, list) and len(entry) == 2 else ("", [])
    lengths = isinstance(shape, list) and all(type(n) is int and 0 <= n < 2**40 for n in shape)
    if kind not in TYPES or not lengths or len(shape) > 32:
        raise Undeclared("returned something that cannot be read")
    return str(kind), tuple(shape)


def _fitting(value: Value, shape: tuple[int, ...], case: Case) -> tuple[int, ...]:
    """Return a shape if it is the declared one; a single number may come in brackets."""
    if value.shape is None:
        return shape
    wanted = value.shape(case)
    if wanted == () and math.prod(shape) == 1:
        return ()
    fits = len(shape) == len(wanted) and all(
        n <= LONGEST if m is None else n == m for n, m in zip(shape, wanted, strict=True)
    )
    if not fits:
        raise Undeclared(
            f"should return {value.name} {_shaped(wanted)}, but it returned {_shaped(shape)}"
        )
    return shape


def _numbers(value: Value, array: NDArray[Any]) -> NDArray[Any]:
    """Return an array as real or, where they are declared, as whole numbers."""
    if not value.whole:
        return array.astype(float)
    if array.dtype.kind == "f" and not (np.isfinite(array) & (np.abs(array) < 2**53)).all():
        raise Undeclared(f"should return {value.name} as whole numbers")
    if (array != array.astype(np.int64)).any():
        raise Undeclared(f"should return {value.name} as whole numbers")
    return array.astype(np.int64)


def _shaped(shape: Shape) -> str:
    if shape == ():
        return "as one number"
    lengths = ", ".join("any number" if n is None else str(n) for n in shape)
    return f"as an array of shape ({lengths}{',' if len(shape) == 1 else ''})"


def _count(n: int) -> str:
    return "one value" if n == 1 else f"{n} values"


def split(message: bytes) -> tuple[dict[str, Any], bytes]:
    r"""Return the line of JSON that a message begins with, and what follows it.

    Examples
    --------
    >>> from mlnotes.checks.values import split
    >>> split(b'{"lines": {}}\nrest')
    ({'lines': {}}, b'rest')
    """
    line, _, rest = message.partition(b"\n")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise Undeclared("ended its process instead of returning")
    return header, rest
