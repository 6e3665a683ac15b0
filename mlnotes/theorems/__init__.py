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
from mlnotes.proof.proofs import numbered_anew
from mlnotes.proof.recorded import stating

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
            with stating(), numbered_anew():
                theorem = derive()
            return theorem.named(label)

        _PROOFS[label] = kept
        return kept

    return register


def derivation(label: str) -> Proof:
    """Return the derivation of a theorem, importing no module but the one that has it.

    Parameters
    ----------
    label : str
        The label of the theorem.

    Raises
    ------
    KeyError
        If no module derives it.

    Examples
    --------
    >>> from mlnotes.theorems import derivation
    >>> derivation("lem-norm-growth")().scope
    'any dimension'
    """
    if label not in _PROOFS and (module := _module_with(label)):
        importlib.import_module(f"{__name__}.{module}")
    if label not in _PROOFS:
        raise KeyError(
            f"no derivation is registered for {label!r}: decorate one in mlnotes/theorems with "
            f"@proves({label!r})."
        )
    return _PROOFS[label]


def _module_with(label: str) -> str | None:
    """Return the module in whose source the label is claimed."""
    claim = f"@proves({label!r})".replace("'", '"')
    for name in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        source = pkgutil.get_data(__name__, f"{name}.py")
        if source is not None and claim in source.decode():
            return name
    return None


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
