"""The library: lemmas about numbers, sums, products, means and integrals, derived from the axioms.

``python -m mlnotes.proof.library`` writes their certificates to ``mlnotes/trusted/library.json``,
where the kernel checks them before anything else. A lemma may use those above it, in the order of
the modules here: what is imported first is derived first.
"""

from . import order, functions, sums, calculus, independence, matrices, integrals, sets  # isort: skip

MODULES = (order, functions, sums, calculus, independence, matrices, integrals, sets)
