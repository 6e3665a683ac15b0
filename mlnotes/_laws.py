"""What an estimator promises beside its interface, declared on it and tried by the tests.

Like scikit-learn's tags, a declaration stands where its class is defined: whoever writes an
estimator says in one place which changes of the data must not matter to it, with which parameters
that is tried, and what a search may vary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LAWS = ("rows", "columns", "unit", "density", "origin", "labels")


class Laws:
    """The changes of a data set that do not matter to an estimator, and how to try it.

    Parameters
    ----------
    *obeyed : str
        What does not matter: the order of the ``"rows"`` or ``"columns"``, the ``"unit"`` or the
        ``"origin"`` of the features, or which of two ``"labels"`` is called the second. Where a
        ``"density"`` is estimated, another unit adds the same constant to all its logarithms.
    parameters : mapping
        Parameters with which this is tried, where the defaults take long.
    grid : mapping
        One parameter and the values among which a search may choose.
    unfinished : mapping
        Parameters with which ``fit`` stops before it is done and warns; empty if it always ends.
    """

    def __init__(
        self,
        *obeyed: str,
        grid: Mapping[str, Sequence[Any]],
        parameters: Mapping[str, Any] | None = None,
        unfinished: Mapping[str, Any] | None = None,
    ) -> None:
        if unknown := sorted(set(obeyed) - set(LAWS)):
            raise ValueError(f"there is no law {', '.join(unknown)}; there are: {', '.join(LAWS)}")
        if len(grid) != 1:
            raise ValueError(f"grid varies one parameter, got {sorted(grid)}")
        self.obeyed = frozenset(obeyed)
        self.grid = dict(grid)
        self.parameters = dict(parameters or {})
        self.unfinished = dict(unfinished or {})
