"""Terms as plain data, so that they can leave a student's process without being pickled.

A term is written as the rows of a certificate are: each row an operation with its names and
numbers, and the rows above it that it is made of. What comes back is built by the kernel, which
refuses what is not a term; nothing in it is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mlnotes.proof.errors import IllTyped
from mlnotes.proof.language import (
    Expr,
    Family,
    Written,
    integers,
    reals,
    rows_of,
    term_of,
    vectors,
)
from mlnotes.trusted.certificates import read_terms
from mlnotes.trusted.terms import Refused, Term, Variable

# Numbers of more bits than this are not computed: no line needs them, and a power is soon too large
# for any machine.
BITS = 256
# Rows of a term that is read, and parts of it when all of them are written out.
ROWS, PARTS = 2000, 20_000
SYMBOLS = {"R": reals, "Z": integers, "V": vectors}


def tree(term: Any) -> Any:
    """Return a term, or a relation and a term, as lists.

    Examples
    --------
    >>> from mlnotes.checks.trees import tree
    >>> from mlnotes.proof import reals
    >>> tree(2 * reals("a"))
    [['v', 'a', 'R'], ['q', 2, 1], ['*', 1, 0]]
    """
    if isinstance(term, tuple) and len(term) == 2 and isinstance(term[0], str):
        return ["relation", term[0], tree(term[1])]
    return rows_of(term_of(term).term)


def term(rows: Any, vocabulary: Mapping[str, Any]) -> Any:
    """Return the term of a tree, made of symbols of a vocabulary alone.

    Examples
    --------
    >>> from mlnotes.checks.trees import term, tree
    >>> from mlnotes.proof import reals
    >>> a, b = reals("a b")
    >>> term(tree(2 * a + b), {"a": a, "b": b})
    2 a + b
    """
    if isinstance(rows, list) and len(rows) == 3 and rows[0] == "relation":
        return str(rows[1]), term(rows[2], vocabulary)
    if not isinstance(rows, list) or not 0 < len(rows) <= ROWS:
        raise IllTyped("this line is not a term, or is too long")
    try:
        found = read_terms(rows)[-1]
    except (Refused, TypeError, IndexError, ValueError) as reason:
        raise IllTyped(f"this line is not a term: {reason}") from None
    if not is_small(found):
        raise IllTyped("there is too large a number in this line, or too much")
    return known(found, vocabulary.values())


def known(found: Term, symbols: Iterable[Any]) -> Expr:
    """Return a term with what its symbols abbreviate, which all have to be known ones."""
    assumes: list[Term] = []
    left = set(found.free)
    for symbol in symbols:
        mine = {v for v in left if _names(symbol, v)}
        left -= mine
        for _, _, arguments in mine:
            at = (0,) * len(arguments)
            assumes += (symbol[at] if isinstance(symbol, Family) else symbol).assumes
    if left:
        name = min(left)[0]
        raise IllTyped(f"{name} does not belong to this derivation")
    if found.sort not in ("R", "Z", "V") or found.loose:
        raise IllTyped("this line is not a number or a vector")
    return Expr(found, assumes)


def _names(symbol: Any, variable: Variable) -> bool:
    """Say whether a symbol or family stands for a variable of the kernel."""
    name, sort, arguments = variable
    if isinstance(symbol, Family):
        return (symbol.name, symbol.sort) == (name, sort) and {*arguments} == {"Z"}
    t = symbol.term if isinstance(symbol, Written) else None
    return t is not None and t.op == "v" and t.data == (name, sort) and not arguments


def is_small(value: Any) -> bool:
    """Say whether there is no huge number in a value, and not too much of it.

    Examples
    --------
    >>> from mlnotes.checks.trees import is_small
    >>> is_small(10**9), is_small(10**99)
    (True, False)
    """
    if isinstance(value, int):
        return value.bit_length() <= BITS
    found = value.term if isinstance(value, Written) else value
    if not isinstance(found, Term):
        return True
    sizes: dict[Term, int] = {}
    pending = [found]
    while pending:
        t = pending[-1]
        missing = [a for a in t.args if a not in sizes]
        if missing:
            pending += missing
            continue
        pending.pop()
        numbers = [d for d in t.data if isinstance(d, int)]
        if any(n.bit_length() > BITS for n in numbers) or (t.op == "pow" and numbers[0] > BITS):
            return False
        sizes[t] = 1 + sum(sizes[a] for a in t.args)
    return sizes[found] <= PARTS


def power(base: Any, exponent: Any) -> Any:
    """Return a power, or raise OverflowError if it would be a huge number.

    Examples
    --------
    >>> from mlnotes.checks.trees import power
    >>> power(2, 10)
    1024
    """
    if isinstance(exponent, (int, float)) and abs(exponent) > BITS:
        raise OverflowError("there is too large an exponent in this line")
    return base**exponent


def describe(symbol: Any) -> list[Any]:
    """Return how a symbol or family is made again."""
    if isinstance(symbol, Family) and not symbol.random:
        return ["family", symbol.name, symbol.sort, symbol.declared]
    t = symbol.term if isinstance(symbol, Expr) else None
    if t is None or t.op != "v" or t.args or t.sort not in SYMBOLS:
        raise IllTyped(f"{symbol!r} is not a symbol that a derivation can leave to a student")
    # What it abbreviates stays where the line is judged.
    return ["symbol", t.data[0], t.sort, {}]


def revive(description: list[Any]) -> Any:
    """Return the symbol that was described, without what it abbreviates.

    Examples
    --------
    >>> from mlnotes.checks.trees import describe, revive
    >>> from mlnotes.proof import integers
    >>> k = integers("k", positive=True)
    >>> revive(describe(k)) == k
    True
    """
    kind, name, sort, declared = description
    return Family(name, sort, declared) if kind == "family" else SYMBOLS[sort](name)
