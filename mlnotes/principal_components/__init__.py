r"""Principal components: the few directions along which points vary most.

Centred points :math:`X` vary most along the eigenvectors of :math:`X^\top X` with the largest
eigenvalues, and the projection to the first k of them loses less than that to any other k
directions. With a kernel the same is done in a space of features that is never entered; if some
entries of the table are grossly wrong, it is split into one of low rank and a sparse one first.
"""

from mlnotes.principal_components._algorithms import (
    deflation,
    eigenfaces,
    kernel_pca,
    pca,
    pca_gram,
    pca_svd,
    power_iteration,
    principal_component_pursuit,
    whiten,
)
from mlnotes.principal_components._estimators import PCA, KernelPCA, RobustPCA
from mlnotes.principal_components._mathematics import (
    Moments,
    centre_new_kernel,
    centring_matrix,
    double_centre,
    explained_variance,
    explained_variance_ratio,
    fix_signs,
    merge_moments,
    moments,
    reconstruct,
    reconstruction_error,
    singular_value_threshold,
    soft_threshold,
)

__all__ = [
    "PCA",
    "KernelPCA",
    "Moments",
    "RobustPCA",
    "centre_new_kernel",
    "centring_matrix",
    "deflation",
    "double_centre",
    "eigenfaces",
    "explained_variance",
    "explained_variance_ratio",
    "fix_signs",
    "kernel_pca",
    "merge_moments",
    "moments",
    "pca",
    "pca_gram",
    "pca_svd",
    "power_iteration",
    "principal_component_pursuit",
    "reconstruct",
    "reconstruction_error",
    "singular_value_threshold",
    "soft_threshold",
    "whiten",
]
