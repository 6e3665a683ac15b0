r"""How far a mean strays from its expectation: tail bounds, their inverses, and exact tails.

The mean of :math:`n` independent variables with ranges of width :math:`w` misses its expectation by
:math:`\varepsilon` with probability at most :math:`2e^{-2n\varepsilon^2/w^2}` (``thm-hoeffding``).
If their variance :math:`v` is small and none exceeds its mean by more than :math:`c`, then
:math:`e^{-n\varepsilon^2/(2v+2c\varepsilon/3)}` bounds the upper tail (``thm-bernstein``). Every
function takes arrays, refuses what its theorem does not cover, and every bound is cut off at 1. See
the chapter :doc:`/book/concentration`.
"""

from mlnotes.concentration._bounds import (
    bernstein_bound,
    bernstein_radius,
    bernstein_sample_size,
    chebyshev_bound,
    chebyshev_sample_size,
    effective_width,
    hoeffding_bound,
    hoeffding_radius,
    hoeffding_sample_size,
    markov_bound,
    sub_gaussian_bound,
    union_bound,
)
from mlnotes.concentration._tails import (
    bernoulli_divergence,
    binomial_tail,
    chernoff_bound,
    clopper_pearson,
    clt_tail,
    cumulant_generating_function,
    rate_function,
    sample_mean_tail,
)

__all__ = [
    "bernoulli_divergence",
    "bernstein_bound",
    "bernstein_radius",
    "bernstein_sample_size",
    "binomial_tail",
    "chebyshev_bound",
    "chebyshev_sample_size",
    "chernoff_bound",
    "clopper_pearson",
    "clt_tail",
    "cumulant_generating_function",
    "effective_width",
    "hoeffding_bound",
    "hoeffding_radius",
    "hoeffding_sample_size",
    "markov_bound",
    "rate_function",
    "sample_mean_tail",
    "sub_gaussian_bound",
    "union_bound",
]
