r"""Beyond principal components: other few features, chosen for other reasons.

Multidimensional scaling keeps distances, local linear embedding keeps how each point is combined of
its neighbours, non-negative factors add up parts, independent components unmix sources, and factor
analysis gives every feature noise of its own.
"""

from mlnotes.beyond_pca._algorithms import (
    canonical_correlations,
    classical_mds,
    factor_analysis,
    fastica,
    fold_in,
    lle,
    nmf,
    nmf_step,
)
from mlnotes.beyond_pca._embeddings import LLE, MDS
from mlnotes.beyond_pca._factors import NMF, FactorAnalysis, FastICA
from mlnotes.beyond_pca._mathematics import (
    contrast_function,
    frobenius_loss,
    gaussian_entropy,
    gaussian_mutual_information,
    generalised_kl,
    lle_matrix,
    lle_weights,
    mutual_information,
    nearest_neighbours,
    negentropy,
    negentropy_approx,
    nmf_init,
    poisson_log_likelihood,
    stress,
)

__all__ = [
    "LLE",
    "MDS",
    "NMF",
    "FactorAnalysis",
    "FastICA",
    "canonical_correlations",
    "classical_mds",
    "contrast_function",
    "factor_analysis",
    "fastica",
    "fold_in",
    "frobenius_loss",
    "gaussian_entropy",
    "gaussian_mutual_information",
    "generalised_kl",
    "lle",
    "lle_matrix",
    "lle_weights",
    "mutual_information",
    "nearest_neighbours",
    "negentropy",
    "negentropy_approx",
    "nmf",
    "nmf_init",
    "nmf_step",
    "poisson_log_likelihood",
    "stress",
]
