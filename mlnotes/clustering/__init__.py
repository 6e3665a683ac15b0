r"""Clustering: groups of points without labels, by centres or by mergers.

k-means looks for centres that make :math:`\sum_i\min_k\lVert x_i-c_k\rVert^2` small: assign every
point to its nearest centre, move every centre to the mean of its points, repeat. k-medoids does the
same with distances of any kind. Agglomerative clustering merges the two nearest clusters until one
is left, and its history is a tree that can be cut anywhere.
"""

from mlnotes.clustering._agglomerative import AgglomerativeClustering
from mlnotes.clustering._algorithms import (
    agglomerate,
    furthest_first,
    k_medoids,
    kmeans_plus_plus,
    lloyd,
    single_linkage_mst,
)
from mlnotes.clustering._centres import KMeans, MiniBatchKMeans
from mlnotes.clustering._mathematics import (
    cut_dendrogram,
    kmeans_objective,
    lance_williams,
    medoid,
    stirling2,
    within_between,
)
from mlnotes.clustering._medoids import KMedoids

__all__ = [
    "AgglomerativeClustering",
    "KMeans",
    "KMedoids",
    "MiniBatchKMeans",
    "agglomerate",
    "cut_dendrogram",
    "furthest_first",
    "k_medoids",
    "kmeans_objective",
    "kmeans_plus_plus",
    "lance_williams",
    "lloyd",
    "medoid",
    "single_linkage_mst",
    "stirling2",
    "within_between",
]
