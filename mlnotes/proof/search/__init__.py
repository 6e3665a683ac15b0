"""The search for proofs: from facts that are known to a goal.

Nothing here is trusted. A :class:`Context` holds what is known (hypotheses, bounds of open indices,
theorems applied) and tries, in order: calculation, facts that say the same, arithmetic with facts
about the signs and defining equations of the atoms, instances of what holds for every index,
substitution of equals, and comparing sums term by term.
"""

from .context import Context
from .terms import subterms

__all__ = ["Context", "subterms"]
