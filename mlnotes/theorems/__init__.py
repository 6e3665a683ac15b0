"""The book's theorems, one module for each chapter, each derived by a function that checks itself.

Importing a module runs nothing: a derivation runs when its function is first called, and its
theorem is kept. One derivation uses another only through :func:`mlnotes.proof.apply`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator

from mlnotes.proof import Theorem

Proof = Callable[[], Theorem]

_PROOFS: dict[str, Proof] = {}


def proves(label: str) -> Callable[[Proof], Proof]:
    """Register a function as the derivation of the theorem that the book labels ``label``.

    The function takes no argument and returns a theorem, which is kept after the first call.

    Parameters
    ----------
    label : str
        The label of the theorem on its page, such as ``"thm-perceptron-convergence"``.
    """

    def register(derive: Proof) -> Proof:
        if label in _PROOFS:
            raise ValueError(f"two derivations claim the label {label!r}")

        @functools.cache
        @functools.wraps(derive)
        def kept() -> Theorem:
            theorem = derive()
            # A certified theorem is cited by the label of the book.
            return theorem.named(label) if hasattr(theorem, "named") else theorem

        _PROOFS[label] = kept
        return kept

    return register


def registry() -> Iterator[tuple[str, Proof]]:
    """Yield the label and the derivation of every theorem, chapter by chapter.

    Examples
    --------
    >>> from mlnotes.theorems import registry
    >>> derivations = dict(registry())
    >>> print(derivations["cor-perceptron-unit-margin"]().scope)
    any k, any dimension
    """
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    yield from sorted(_PROOFS.items(), key=lambda item: item[1].__module__)
