"""Naive Bayes on labelled and unlabelled points together, by EM."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Anything, Integer, Real
from mlnotes._laws import Laws
from mlnotes._numerics import ROUNDOFF, scale_by_power_of_two
from mlnotes._solvers.mixtures import Bernoullis, normalise_log_joint
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.mixtures_and_em import expectation_maximisation
from mlnotes.semi_supervised._base import PartlyLabelled
from mlnotes.validation import Array, check_weights, rows_that_count


class SemiSupervisedNaiveBayes(PartlyLabelled):
    r"""Naive Bayes for binary features that learns from labelled and unlabelled points together.

    A class is drawn with probability :math:`\rho_c`, then each feature on its own with probability
    :math:`\theta_{cj}`. With :math:`q_i(c)` equal to 1 for the known label of a labelled point and
    to the posterior of an unlabelled one, the M-step is :math:`\rho_c=\sum_iq_i(c)/(N+M)`
    (``thm-semi-supervised-priors``) and :math:`\theta_{cj}=\sum_iq_i(c)x_{ij}/\sum_iq_i(c)`
    (``thm-semi-supervised-features``), kept ``floor`` away from 0 and 1. Unlabelled points help
    where the model is right, and may hurt where it is wrong. See the chapter
    :doc:`/book/semi_supervised`.

    Parameters
    ----------
    unlabelled : object, default=-1
        The value in ``y`` that means "no label", not NaN; None says that every value is a label.
    threshold : float
        What is greater counts as a feature that is present.
    max_iter : int
        The greatest number of iterations.
    tol : float
        The run ends when an iteration gains less log-likelihood than this per sample, or per unit
        of their weights.
    floor : float
        The least probability that a feature is present, or absent, in a class.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, without ``unlabelled``.
    priors_ : ndarray of shape (n_classes,)
        The class probabilities :math:`\rho_c`.
    theta_ : ndarray of shape (n_classes, n_features)
        The feature probabilities :math:`\theta_{cj}`.
    log_likelihoods_ : ndarray of shape (n_iter_ + 1,)
        The log-likelihood of all points, first for the fit to the labelled ones alone, then after
        each iteration; it never falls.
    n_labelled_ : int
        How many samples of positive weight had a label.
    n_iter_ : int
        The number of iterations.
    converged_ : bool
        Whether the last iteration gained less than ``tol``.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0], [0, 0, 1]]
    >>> model = SemiSupervisedNaiveBayes().fit(X, [1, 0, -1, -1, -1, -1])
    >>> model.predict([[1, 1, 1], [0, 0, 0]])
    array([1, 0])
    >>> SemiSupervisedNaiveBayes().fit([[0], [1]], [-1, 1])
    Traceback (most recent call last):
    ...
    ValueError: ... if -1 is one of your classes, pass unlabelled=None ...
    """

    _constraints: ClassVar = {
        "unlabelled": Anything(),
        "threshold": Real(),
        "max_iter": Integer(1),
        "tol": Real(above=0),
        "floor": Real(above=0, below=0.5),
    }
    # What is present is a matter of zero.
    _laws: ClassVar = Laws("rows", "columns", "unit", grid={"tol": [0.001, 0.1]})

    priors_: Array
    theta_: Array
    log_likelihoods_: Array
    n_labelled_: int
    n_iter_: int
    converged_: bool

    def __init__(
        self,
        *,
        unlabelled: Any = -1,
        threshold: float = 0.0,
        max_iter: int = 200,
        tol: float = 1e-6,
        floor: float = 1e-3,
    ) -> None:
        self.unlabelled = unlabelled
        self.threshold = threshold
        self.max_iter = max_iter
        self.tol = tol
        self.floor = floor

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # What is left of a real feature after the comparison with a threshold may be little.
        tags.classifier_tags.poor_score = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to the labelled points, then to all of them by EM.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; what exceeds ``threshold`` is present.
        y : array-like of shape (n_samples,)
            Their labels, or ``unlabelled``.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        bits = self._bits(self._fit_matrix(X, min_samples=2))
        weights = check_weights(sample_weight, len(bits))
        codes = self._fit_partial_codes(y, len(bits), weights)
        known = np.equal(np.arange(len(self.classes_))[:, None], codes).astype(np.float64)
        counts, unit = np.ones(len(bits)), 0
        if weights is not None:
            kept = rows_that_count(weights, len(bits))
            scaled, unit = scale_by_power_of_two(weights[kept])
            # Beside a huge weight a small one may vanish, and a class with it.
            bits, counts = bits[kept], np.maximum(scaled, np.finfo(float).smallest_subnormal)
        labelled = known.any(axis=0)
        hidden = bits[~labelled]

        def e_step(parameters: Bernoullis) -> tuple[tuple[Array, Array], float]:
            # The known label alone counts for a labelled point, all labels for the others.
            own = (parameters.log_joint(bits[labelled]) * known[:, labelled]).sum(axis=0)
            posteriors = parameters.log_joint(hidden)
            evidence = normalise_log_joint(posteriors)
            guessed = known * counts
            guessed[:, ~labelled] = posteriors * counts[~labelled]
            total = float(counts[labelled] @ own + counts[~labelled] @ evidence)
            return (guessed.sum(axis=1), guessed @ bits), total

        def m_step(counts: tuple[Array, Array]) -> Bernoullis:
            members, having = counts
            theta = (having / members[:, None]).clip(self.floor, 1 - self.floor)
            return Bernoullis(members / members.sum(), theta)

        run = expectation_maximisation(
            e_step,
            m_step,
            m_step((known @ counts, (known * counts) @ bits)),
            max_iter=self.max_iter,
            tol=counts.sum() * self.tol,
            rounding=64 * bits.size * ROUNDOFF,
        )
        self.priors_, self.theta_ = run.parameters
        with np.errstate(over="ignore"):
            self.log_likelihoods_ = np.ldexp(run.log_likelihoods, unit)
        self.n_labelled_ = int(labelled.sum())
        self.n_iter_, self.converged_ = run.n_iter, run.converged
        if not run.converged:
            warn_at_caller(
                f"{type(self).__name__} did not converge in {run.n_iter} iterations; raise "
                "max_iter, or tol if a rough fit will do.",
                ConvergenceWarning,
            )
        return self

    def _bits(self, X: Array) -> Array:
        return np.greater(X, self.threshold).astype(np.float64)

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Return the logarithms of the class probabilities of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        bits = self._bits(self._use_matrix(X))
        table = Bernoullis(self.priors_, self.theta_).log_joint(bits)
        return np.asarray((table - normalise_log_joint(table.copy())).T)

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the class probabilities of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; each row sums to one.
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``.
        """
        likeliest = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])
