"""The ways a derivation can fail, each saying what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FailedLine:
    """The line at which a derivation stopped.

    Attributes
    ----------
    derivation : Derivation
        The derivation with the lines before it.
    relation : str
        How the line was to relate to the one before.
    term : Expr
        The term that was written.
    because : str
        The author's reason.
    file : str
        The file in which it is written.
    """

    derivation: Any
    relation: str
    term: Any
    because: str
    file: str


class ProofError(Exception):
    """Base class of everything the proof engine refuses.

    Attributes
    ----------
    line : FailedLine or None
        Where it happened, if it was in a line.
    """

    line: FailedLine | None = None


class IllTyped(ProofError):
    """A term that has no meaning, such as a vector added to a number."""


class Undefined(ProofError):
    """A term that may have no value, such as a division by what may be zero."""


class Vacuous(ProofError):
    """Hypotheses that nothing satisfies, or a witness that does not satisfy them."""


class WrongStep(ProofError):
    """A line that is false.

    Attributes
    ----------
    counterexample : dict
        The value of every symbol, family, vector or matrix in a concrete case where the hypotheses
        hold and the line does not. Empty when the line is wrong by its form alone.
    """

    def __init__(self, message: str, counterexample: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.counterexample: dict[str, Any] = dict(counterexample or {})


class Unproved(ProofError):
    """A line that may be true, but that nothing here could prove.

    Attributes
    ----------
    tried : list of str
        The methods that were tried, in order.
    """

    def __init__(self, message: str, tried: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.tried: list[str] = list(tried)


class TooLarge(ProofError):
    """A term that would take too long to multiply out."""
