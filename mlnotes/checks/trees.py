"""Terms as trees of names, so that they can leave a student's process without being pickled."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from mlnotes.proof import terms
from mlnotes.proof.errors import IllTyped

# The operators a line may be made of; a tree names one of them or nothing.
OPERATORS: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        *(sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.Abs, sp.Max, sp.Min, sp.Sum, sp.Product),
        *(sp.Indexed, sp.Tuple, sp.KroneckerDelta, terms.Dot),
    )
}
SYMBOLS = {"Symbol": sp.Symbol, "Vector": terms.Vector}
FAMILIES = {"IndexedBase": sp.IndexedBase, "VectorFamily": terms.VectorFamily}
DEPTH = 60
# Numbers of more bits than this are not computed: no line needs them, and a power is soon too large
# for any machine.
BITS = 256
NUMBER = re.compile(r"-?\d{1,80}(/\d{1,80})?")
# A rounded number is read as a fraction with a denominator up to this, if it is one.
DENOMINATOR = 10_000


def tree(term: Any, known: Mapping[Any, str], depth: int = 0) -> Any:
    """Return a term as nested lists.

    Parameters
    ----------
    term : expression or (str, expression)
        The term, or a relation and a term.
    known : mapping
        The name of every symbol that may occur.
    """
    if depth > DEPTH:
        raise IllTyped("this line is nested too deeply")
    if isinstance(term, tuple) and len(term) == 2 and isinstance(term[0], str):
        return ["relation", term[0], tree(term[1], known, depth + 1)]
    term = sp.sympify(term)
    if isinstance(term, sp.Float):
        term = exact(term)
    if isinstance(term, sp.Rational):
        return ["number", str(term)]
    if term in known:
        return ["name", known[term]]
    name = type(term).__name__
    if name not in OPERATORS or not isinstance(term, OPERATORS[name]):
        if term is sp.E:
            return ["exp", ["number", "1"]]
        raise IllTyped(f"{term} does not belong to this derivation")
    return [name, *(tree(part, known, depth + 1) for part in term.args)]


def exact(number: Any) -> Any:
    """Return the fraction that Python has rounded, or its decimals where there is none.

    Examples
    --------
    >>> from mlnotes.checks.trees import exact
    >>> exact(1 / 3), exact(0.5), exact(0.333)
    (1/3, 1/2, 333/1000)
    """
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is too large a number")
    near = Fraction(value).limit_denominator(DENOMINATOR)
    if not math.isclose(near, value, rel_tol=1e-14):
        near = Fraction(str(value))
    return sp.Rational(near.numerator, near.denominator)


def term(branches: Any, vocabulary: Mapping[str, Any], depth: int = 0) -> Any:
    """Return the term of a tree, built from known operators and symbols alone.

    Examples
    --------
    >>> from mlnotes.checks.trees import term, tree
    >>> from mlnotes.proof import reals
    >>> a, b = reals("a b")
    >>> term(tree(2 * a + b, {a: "a", b: "b"}), {"a": a, "b": b})
    2*a + b
    """
    if depth > DEPTH or not isinstance(branches, list) or len(branches) < 2:
        raise IllTyped("this line is not a term")
    head, *rest = branches
    if head == "relation" and len(rest) == 2:
        return str(rest[0]), term(rest[1], vocabulary, depth + 1)
    if head == "number":
        if not NUMBER.fullmatch(str(rest[0])):
            raise IllTyped("this is not a number that a line may have")
        return sp.Rational(str(rest[0]))
    if head == "name" and rest[0] in vocabulary:
        return vocabulary[rest[0]]
    if head not in OPERATORS:
        raise IllTyped("this line is not a term")
    parts = [term(part, vocabulary, depth + 1) for part in rest]
    try:
        value = power(*parts) if head == "Pow" else OPERATORS[head](*parts)
    except OverflowError as error:
        raise IllTyped(str(error)) from None
    if not is_small(value):
        raise IllTyped("there is too large a number in this line")
    return value


def is_small(value: Any) -> bool:
    """Say whether a value is not a huge number.

    Examples
    --------
    >>> from mlnotes.checks.trees import is_small
    >>> is_small(10**9), is_small(10**99)
    (True, False)
    """
    if isinstance(value, sp.Rational):
        return max(int(value.p).bit_length(), int(value.q).bit_length()) <= BITS
    return not isinstance(value, int) or value.bit_length() <= BITS


def power(base: Any, exponent: Any) -> Any:
    """Return a power, or raise OverflowError if it would be a huge number.

    Examples
    --------
    >>> from mlnotes.checks.trees import power
    >>> power(2, 10)
    1024
    """
    if isinstance(exponent, (int, float, sp.Number)) and abs(exponent) > BITS:
        raise OverflowError("there is too large an exponent in this line")
    return base**exponent


def describe(symbol: Any) -> list[Any]:
    """Return how a symbol or family is made again."""
    name = type(symbol).__name__
    if name in FAMILIES:
        return [name, str(symbol.label), dict(symbol.label._assumptions_orig)]
    if name in SYMBOLS:
        return [name, symbol.name, dict(symbol._assumptions_orig) if name == "Symbol" else {}]
    raise IllTyped(f"{symbol} is not a symbol that a derivation can leave to a student")


def revive(description: list[Any]) -> Any:
    """Return the symbol that was described.

    Examples
    --------
    >>> from mlnotes.checks.trees import describe, revive
    >>> from mlnotes.proof import integers
    >>> k = integers("k", positive=True)
    >>> revive(describe(k)) == k
    True
    """
    name, label, assumptions = description
    return {**SYMBOLS, **FAMILIES}[name](label, **assumptions)
