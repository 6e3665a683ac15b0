r"""Semi-supervised learning: labels for some points, and the others used all the same.

A generative model gives a probability to a point without a label too: the sum over the labels it
could have. :class:`SemiSupervisedNaiveBayes` maximises the likelihood of both sorts of points
together, by the EM of :mod:`mlnotes.mixtures_and_em`. :class:`SelfTraining` and
:class:`CoTraining` let classifiers write down the labels of which they are sure, or on which two of
them agree (``thm-semi-agreement``). :class:`TransductiveSVM` wants unlabelled points outside the
margin too (``thm-semi-tsvm-descent``). :class:`LabelPropagation` gives every unlabelled point the
average of its neighbours in a graph, which determines all labels (``thm-semi-unique``). See the
chapter :doc:`/book/semi_supervised`.
"""

from mlnotes.semi_supervised._algorithms import (
    co_training,
    label_propagation,
    self_training,
    transductive_svm,
)
from mlnotes.semi_supervised._mathematics import (
    agreement_error,
    dirichlet_energy,
    harmonic_solution,
    neighbour_graph,
    transductive_objective,
)
from mlnotes.semi_supervised._naive_bayes import SemiSupervisedNaiveBayes
from mlnotes.semi_supervised._propagation import LabelPropagation
from mlnotes.semi_supervised._self_training import CoTraining, SelfTraining
from mlnotes.semi_supervised._transductive import TransductiveSVM

__all__ = [
    "CoTraining",
    "LabelPropagation",
    "SelfTraining",
    "SemiSupervisedNaiveBayes",
    "TransductiveSVM",
    "agreement_error",
    "co_training",
    "dirichlet_energy",
    "harmonic_solution",
    "label_propagation",
    "neighbour_graph",
    "self_training",
    "transductive_objective",
    "transductive_svm",
]
