"""AdaBoost with any weak learner, and cascades of it."""

from __future__ import annotations

import copy
import inspect
import math
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Anything, Integer, Real, check_parameters
from mlnotes._laws import Laws
from mlnotes._numerics import distribution
from mlnotes._solvers.boosting import Learner, boost
from mlnotes._solvers.stumps import SortedFeatures, midpoint
from mlnotes.adaboost._mathematics import cascade_rates, training_error_bound
from mlnotes.base import BinaryClassifier
from mlnotes.decision_trees import DecisionStump
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import Array, check_count, check_entries, check_weights, rows_that_count


class AdaBoost(BinaryClassifier):
    r"""AdaBoost: a weighted vote of weak classifiers, trained one after the other.

    The weak learner may be any classifier whose ``fit`` takes ``sample_weight``; decision stumps
    are found for all rounds from one sort of the features. A round whose classifier makes no
    mistake ends the run and decides alone, as an infinite vote would. A round without an edge, that
    is with a weighted error of one half or more, ends the run and is dropped.

    The training error never exceeds the product of ``normalisers_``, nor ``training_error_bound_``
    (``thm-adaboost-training-error``). See the chapter :doc:`/book/adaboost`.

    Parameters
    ----------
    estimator : object, optional
        The weak learner; a :class:`mlnotes.decision_trees.DecisionStump` if not given. It sees
        weights with mean one.
    n_estimators : int
        The greatest number of rounds, :math:`M`.

    Attributes
    ----------
    estimators_ : list
        The fitted weak classifiers :math:`h_m`.
    votes_ : ndarray of shape (n_rounds,)
        The votes :math:`\alpha_m>0`; the last is infinite if its classifier made no mistake.
    errors_ : ndarray of shape (n_rounds,)
        The weighted errors :math:`\varepsilon_m`.
    edges_ : ndarray of shape (n_rounds,)
        :math:`\frac12-\varepsilon_m`.
    normalisers_ : ndarray of shape (n_rounds,)
        The sums :math:`Z_m` of the weights before they were normalised.
    training_errors_ : ndarray of shape (n_rounds,)
        The (weighted) share of the sample with :math:`y_if_m(x_i)\le0` after each round.
    training_error_bound_ : float
        :math:`\exp(-2\sum_m(\frac12-\varepsilon_m)^2)`.
    weights_ : ndarray of shape (n_samples,)
        The weights after the last round; before it, if its classifier made no mistake.
    stopped_ : str
        Why it stopped: ``"rounds"``, ``"perfect"`` or ``"no edge"``.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> y = [1, 1, -1, -1, 1, 1]
    >>> model = AdaBoost(n_estimators=3).fit(X, y)
    >>> model.errors_.round(3).tolist(), model.training_errors_.round(3).tolist()
    ([0.333, 0.25, 0.167], [0.333, 0.333, 0.0])
    >>> bool((model.predict(X) == y).all())
    True
    >>> model.training_error_bound_
    0.668...
    """

    _constraints: ClassVar = {"estimator": Anything(), "n_estimators": Integer(1)}
    # Of equally good stumps the first feature wins, so that the order of the columns may decide.
    _laws: ClassVar = Laws(
        "rows", "unit", "origin", parameters={"n_estimators": 5}, grid={"n_estimators": [2, 1]}
    )

    estimators_: list[Any]
    votes_: Array
    errors_: Array
    edges_: Array
    normalisers_: Array
    training_errors_: Array
    training_error_bound_: float
    weights_: Array
    stopped_: str

    def __init__(self, estimator: Any = None, *, n_estimators: int = 50) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train one weak classifier after the other.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            The weights to start from; equal if not given. A sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        given = check_weights(sample_weight, len(points))
        signs = self._fit_signs(y, len(points), given)
        n_rounds = int(self.n_estimators)
        kept = rows_that_count(given, len(points))
        weights = distribution(given, len(points))[kept]
        learn = self._learner(points[kept], signs)
        rounds, errors, last, self.stopped_ = boost(learn, signs, weights, n_rounds)

        self.estimators_ = [found.classifier for found in rounds]
        self.votes_ = np.array([found.vote for found in rounds])
        self.errors_ = np.array([found.error for found in rounds])
        self.edges_ = 0.5 - self.errors_
        self.normalisers_ = np.array([found.normaliser for found in rounds])
        self.training_errors_ = errors
        self.training_error_bound_ = training_error_bound(self.errors_)
        self.weights_ = np.zeros(len(points))
        self.weights_[kept] = last
        if not rounds:
            warn_at_caller(
                f"The weak learner of {type(self).__name__} has a weighted error of at least one "
                "half on the sample: there is nothing to boost, and every prediction is "
                f"{self.classes_[0]!r}. Use a richer weak learner, or add features.",
                ConvergenceWarning,
            )
        return self

    def _learner(self, X: Array, signs: Array) -> Learner:
        """Return the weak learner as a function of the weights alone."""
        weak = DecisionStump() if self.estimator is None else self.estimator
        if inspect.isclass(weak):
            raise TypeError(
                f"estimator must be a classifier and not a class; pass {weak.__name__}()."
            )
        if not (hasattr(weak, "fit") and hasattr(weak, "predict")):
            raise TypeError(
                f"estimator must be a classifier with fit and predict, got {weak!r}; leave it out "
                "for decision stumps."
            )
        if type(weak) is DecisionStump:
            return self._stump_learner(weak, X, signs)
        if "sample_weight" not in inspect.signature(weak.fit).parameters:
            raise ValueError(
                f"{type(weak).__name__}.fit takes no sample_weight, and boosting speaks to its "
                "weak learner through weights; choose another estimator."
            )
        labels = self.classes_[(signs > 0).astype(np.intp)]

        def learn(w: Array) -> tuple[Any, Array]:
            # A penalised learner must weigh the sample as heavily as it would unboosted.
            model = copy.deepcopy(weak).fit(X, labels, sample_weight=len(w) * w)
            return model, self._signs_of(model, X)

        return learn

    def _stump_learner(self, weak: DecisionStump, X: Array, signs: Array) -> Learner:
        check_parameters(weak._constraints, vars(weak))
        features, criterion = SortedFeatures(X), weak.criterion

        def learn(w: Array) -> tuple[DecisionStump, Array]:
            stump = features.best_stump(signs, w, criterion)
            h = stump(X)
            model = DecisionStump(criterion=criterion).set_stump(stump, float(w[h != signs].sum()))
            model.classes_, model.n_features_in_ = self.classes_, self.n_features_in_
            return model, h

        return learn

    def _signs_of(self, model: Any, X: Array) -> Array:
        """Return what a weak classifier says, as -1 and +1."""
        if type(model) is DecisionStump:
            return model.stump_(X)
        return np.where(model.predict(X) == self.classes_[1], 1.0, -1.0)

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return the score :math:`f(x)=\sum_m\alpha_mh_m(x)` of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive for the second of ``classes_``. If the last vote is infinite, the prediction -1
            or +1 of that classifier.
        """
        points = self._use_matrix(X)
        if self.stopped_ == "perfect":
            return self._signs_of(self.estimators_[-1], points)
        score = np.zeros(len(points))
        for vote, model in zip(self.votes_, self.estimators_, strict=True):
            score += vote * self._signs_of(model, points)
        return score

    def staged_decision_function(self, X: ArrayLike) -> Iterator[Array]:
        """Yield the scores after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Yields
        ------
        ndarray of shape (n_samples,)
            As :meth:`decision_function` would return them had the run ended there.
        """
        points = self._use_matrix(X)
        score = np.zeros(len(points))
        for vote, model in zip(self.votes_, self.estimators_, strict=True):
            h = self._signs_of(model, points)
            score = h if math.isinf(vote) else score + vote * h
            yield score

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """Yield the predicted classes after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Yields
        ------
        ndarray of shape (n_samples,)
            Entries of ``classes_``.
        """
        for score in self.staged_decision_function(X):
            yield self.classes_[(score > 0).astype(np.intp)]

    def margins(self, X: ArrayLike, y: ArrayLike) -> Array:
        r"""Return the normalised margins :math:`y_if(x_i)/\sum_m\alpha_m`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, among ``classes_``.

        Returns
        -------
        ndarray of shape (n_samples,)
            From -1, where all votes are wrong, to 1, where all are right.
        """
        score = self.decision_function(X)
        labels = check_entries(y, len(score), "margins")
        if not np.isin(labels, self.classes_).all():
            raise ValueError(
                f"y must hold one of the labels {self.classes_.tolist()!r} for each of the "
                f"{len(score)} samples."
            )
        signs = np.where(labels == self.classes_[1], 1.0, -1.0)
        total = float(self.votes_.sum())
        return signs * score if math.isinf(total) or total == 0 else signs * score / total


class Cascade(BinaryClassifier):
    r"""A cascade of boosted classifiers: reject what is clearly negative early and cheaply.

    A sample is positive if every stage accepts it. Each stage is an :class:`AdaBoost` of the
    samples that the earlier stages accepted. Its threshold is the highest that loses at most a
    share ``max_miss_rate`` of the positives that reach it, so that it rejects as many negatives as
    that allows. On the sample the cascade then detects at least
    :math:`(1-\varepsilon)^T` of the positives (``lem-cascade-detection``).
    See the chapter :doc:`/book/adaboost`.

    There is no ``sample_weight``: the rates that a stage promises are counts of samples.

    Parameters
    ----------
    stage_sizes : tuple of int
        The number of weak classifiers in each stage.
    max_miss_rate : float
        :math:`\varepsilon`, the largest share of positives that a stage may lose.
    estimator : object, optional
        The weak learner, as for :class:`AdaBoost`.

    Attributes
    ----------
    stages_ : list of AdaBoost
        The stages; training ends early when no negative is left, or no stage finds an edge.
    thresholds_ : ndarray of shape (n_stages,)
        A stage accepts scores above its threshold.
    detection_rates_ : ndarray of shape (n_stages,)
        The share of positives that each stage accepted, of those that reached it.
    false_positive_rates_ : ndarray of shape (n_stages,)
        The share of negatives that each stage accepted, of those that reached it.
    detection_rate_ : float
        The product of the first.
    false_positive_rate_ : float
        The product of the second.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> from mlnotes.data import make_moons
    >>> sample = make_moons(200, noise=0.2, random_state=0)
    >>> model = Cascade(stage_sizes=(2, 10), max_miss_rate=0.05).fit(sample.X, sample.y)
    >>> bool((model.detection_rates_ >= 0.95).all())
    True
    >>> model.detection_rate_ >= 0.95**2
    True
    """

    _constraints: ClassVar = {
        "stage_sizes": Anything(),
        "max_miss_rate": Real(least=0, below=1),
        "estimator": Anything(),
    }
    # Of equally good stumps the first feature wins, so that the order of the columns may decide.
    _laws: ClassVar = Laws("rows", "unit", "origin", grid={"max_miss_rate": [0.0, 0.2]})

    stages_: list[AdaBoost]
    thresholds_: Array
    detection_rates_: Array
    false_positive_rates_: Array
    detection_rate_: float
    false_positive_rate_: float

    def __init__(
        self,
        *,
        stage_sizes: Sequence[int] = (2, 5, 10, 20, 50),
        max_miss_rate: float = 0.01,
        estimator: Any = None,
    ) -> None:
        self.stage_sizes = stage_sizes
        self.max_miss_rate = max_miss_rate
        self.estimator = estimator

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train the stages, each on what the earlier ones accepted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        positive = self._fit_signs(y, len(points)) > 0
        if not np.iterable(self.stage_sizes):
            raise TypeError(
                "stage_sizes must be a sequence with the size of each stage, such as (2, 5, 10), "
                f"got {self.stage_sizes!r}."
            )
        sizes = [check_count(size, "each of stage_sizes") for size in self.stage_sizes]
        if not sizes:
            raise ValueError("stage_sizes is empty; a cascade needs at least one stage.")
        miss_rate = float(self.max_miss_rate)
        self.stages_, thresholds, detected, passed = [], [], [], []
        for size in sizes:
            stage = AdaBoost(self.estimator, n_estimators=size).fit(points, positive)
            scores = stage.decision_function(points)
            threshold = highest_threshold(scores, positive, miss_rate)
            accepted = scores > threshold
            self.stages_.append(stage)
            thresholds.append(threshold)
            detected.append(accepted[positive].mean())
            passed.append(accepted[~positive].mean())
            points, positive = points[accepted], positive[accepted]
            if positive.all() or not stage.estimators_:
                break
        self.thresholds_ = np.array(thresholds)
        self.detection_rates_, self.false_positive_rates_ = np.array(detected), np.array(passed)
        self.detection_rate_, self.false_positive_rate_ = cascade_rates(detected, passed)
        return self

    def _run(self, X: ArrayLike) -> tuple[Array, NDArray[np.intp]]:
        """Return the excess of each sample at the last stage it reached, and what it has cost."""
        points = self._use_matrix(X)
        excess, cost = np.empty(len(points)), np.zeros(len(points), dtype=np.intp)
        inside = np.arange(len(points))
        for stage, threshold in zip(self.stages_, self.thresholds_, strict=True):
            excess[inside] = stage.decision_function(points[inside]) - threshold
            cost[inside] += len(stage.estimators_)
            inside = inside[excess[inside] > 0]
            if not len(inside):
                break
        return excess, cost

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the excess of each sample over the threshold at the last stage it reached.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive if every stage accepted the sample.
        """
        return self._run(X)[0]

    def cost(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return how many weak classifiers each sample meets before it is decided.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            At most the total number of weak classifiers in all stages.
        """
        return self._run(X)[1]


def highest_threshold(scores: Array, positive: NDArray[np.bool_], miss_rate: float) -> float:
    """Return the highest threshold that loses at most this share of the positives."""
    ascending = np.sort(scores[positive])
    # The product miss_rate * n may round to below a whole number; the shares k / n do not.
    shares = np.arange(len(ascending) + 1) / len(ascending)
    kept = float(ascending[np.searchsorted(shares, miss_rate, side="right") - 1])
    below = scores[scores < kept]
    return midpoint(float(below.max()), kept) if len(below) else kept - 1.0
