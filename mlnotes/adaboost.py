r"""AdaBoost: a vote of weak classifiers, each trained on what the earlier ones got wrong.

Round :math:`m` meets weights :math:`w_{m-1}` on the sample, finds a classifier :math:`h_m` with
weighted error :math:`\varepsilon_m<\frac12`, gives it the vote
:math:`\alpha_m=\frac12\log\frac{1-\varepsilon_m}{\varepsilon_m}` and multiplies the weight of each
point by :math:`e^{-\alpha_my_ih_m(x_i)}/Z_m`. The training error of the vote is then at most
:math:`\prod_mZ_m\le\exp(-2\sum_m(\frac12-\varepsilon_m)^2)` (``thm-adaboost-training-error``).
See the chapter :doc:`/book/adaboost`.
"""

from __future__ import annotations

import copy
import inspect
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Anything, Integer, Real, check_parameters
from mlnotes._numerics import distribution
from mlnotes._solvers.boosting import Learner, boost
from mlnotes._solvers.stumps import SortedFeatures, half_way
from mlnotes.base import BinaryClassifier
from mlnotes.decision_trees import DecisionStump, best_stump
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_numbers,
    check_scalar,
    check_signs,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "AdaBoost",
    "Cascade",
    "adaboost",
    "cascade_cost",
    "cascade_rates",
    "exponential_loss",
    "margin_bound",
    "margin_distribution",
    "normaliser",
    "rounds_needed",
    "training_error_bound",
    "vote_weight",
]


def exponential_loss(margins: ArrayLike) -> Array:
    r"""Return :math:`e^{-yf(x)}` for every margin :math:`yf(x)`.

    It lies above the 0-1 loss everywhere (``lem-zero-one-under-exponential``) and is never zero.

    Parameters
    ----------
    margins : array-like of shape (n_samples,)
        Products of label and score, positive where the sign of the score is right.

    Returns
    -------
    ndarray of shape (n_samples,)
        The loss of each sample.

    Examples
    --------
    >>> exponential_loss([0.0, 1.0])
    array([1.        , 0.36787944])
    """
    return np.exp(-check_vector(margins, name="margins"))


def vote_weight(error: float) -> float:
    r"""Return the vote :math:`\frac12\log\frac{1-\varepsilon}\varepsilon` that makes Z least.

    Parameters
    ----------
    error : float
        The weighted error :math:`\varepsilon`, from 0 to 1.

    Returns
    -------
    float
        Positive below one half, zero there; infinite for a classifier that is never wrong.

    Examples
    --------
    >>> vote_weight(0.25)
    0.549...
    >>> vote_weight(0.5), vote_weight(0.0)
    (0.0, inf)
    """
    error = check_scalar(error, "error", least=0, most=1)
    if error in (0.0, 1.0):
        return math.copysign(math.inf, 0.5 - error)
    return 0.5 * (math.log1p(-error) - math.log(error))


def normaliser(error: float, vote: float | None = None) -> float:
    r"""Return :math:`Z=(1-\varepsilon)e^{-\alpha}+\varepsilon e^\alpha`.

    Parameters
    ----------
    error : float
        The weighted error :math:`\varepsilon`.
    vote : float, optional
        :math:`\alpha`; without it the best one, for which
        :math:`Z=2\sqrt{\varepsilon(1-\varepsilon)}`.

    Returns
    -------
    float
        The sum of the weights before they are normalised; infinite where it exceeds any float.

    Examples
    --------
    >>> normaliser(0.2)
    0.8
    >>> normaliser(0.0, vote=vote_weight(0.0))
    0.0
    >>> normaliser(0.2, vote=2 * vote_weight(0.2))
    1.0
    """
    error = check_scalar(error, "error", least=0, most=1)
    if vote is None:
        return 2 * math.sqrt(error * (1 - error))
    vote = _check_vote(vote)
    # Nobody's weight times an infinite factor is nothing.
    successes = (1 - error) * _exp(-vote) if error < 1 else 0.0
    mistakes = error * _exp(vote) if error > 0 else 0.0
    return successes + mistakes


def training_error_bound(errors: ArrayLike) -> float:
    r"""Return :math:`\exp(-2\sum_m(\frac12-\varepsilon_m)^2)`.

    It is the bound of ``thm-adaboost-training-error`` on the training error of AdaBoost.

    Parameters
    ----------
    errors : array-like of shape (n_rounds,)
        The weighted error of each round, from 0 to 1.

    Returns
    -------
    float
        At most 1, which it is when no round had an edge.

    Examples
    --------
    >>> training_error_bound([0.25, 0.25])
    0.778...
    """
    edges = 0.5 - _check_rates(errors, "errors")
    return math.exp(-2 * float(edges @ edges))


def margin_bound(errors: ArrayLike, theta: float) -> float:
    r"""Return :math:`\prod_mZ_me^{\theta\alpha_m}` for AdaBoost's votes.

    It bounds the share of the sample with a normalised margin of at most :math:`\theta`
    (``cor-adaboost-normalised-margins``); for :math:`\theta=0` it is the product of the
    normalisers.

    Parameters
    ----------
    errors : array-like of shape (n_rounds,)
        The weighted error of each round, above 0 and below 1.
    theta : float
        The margin asked about.

    Returns
    -------
    float
        Above 1 it says nothing; infinite where it exceeds any float.

    Examples
    --------
    >>> margin_bound([0.2, 0.2], theta=0.0)
    0.64...
    >>> margin_bound([0.2, 0.2], theta=0.5)
    1.28...
    """
    rates = check_vector(errors, name="errors")
    if not ((rates > 0) & (rates < 1)).all():
        raise ValueError("errors must be above 0 and below 1; leave out a round without mistakes.")
    theta = check_scalar(theta, "theta")
    exponent = sum(math.log(normaliser(rate)) + theta * vote_weight(rate) for rate in rates)
    return _exp(exponent)


def rounds_needed(n: int, edge: float) -> int:
    r"""Return the least number of rounds with :math:`e^{-2M\gamma^2}<1/n`.

    After so many rounds with :math:`\varepsilon_m\le\frac12-\gamma` no training point is wrong,
    since the training error is a multiple of :math:`1/n` (``cor-adaboost-rounds-with-a-mistake``).

    Parameters
    ----------
    n : int
        The number of samples.
    edge : float
        :math:`\gamma`, above 0 and at most one half.

    Returns
    -------
    int
        The first whole number above :math:`\log n/(2\gamma^2)`.

    Examples
    --------
    >>> rounds_needed(60, 0.1)
    205
    """
    n = check_count(n, "n")
    edge = check_scalar(edge, "edge", above=0, most=0.5)
    # As a fraction, since the square of a small edge is no float.
    return math.floor(Fraction(math.log(n)) / (2 * Fraction(edge) ** 2)) + 1


def margin_distribution(margins: ArrayLike, at: ArrayLike) -> Array:
    r"""Return the share of margins that are at most each of the given values.

    Parameters
    ----------
    margins : array-like of shape (n_samples,)
        Margins, as :meth:`AdaBoost.margins` returns them.
    at : array-like of shape (n_values,)
        Where to evaluate the distribution function.

    Returns
    -------
    ndarray of shape (n_values,)
        Rising from 0 to 1. At zero it is the training error.

    Examples
    --------
    >>> margin_distribution([-0.2, 0.1, 0.5, 0.5], [0.0, 0.4, 1.0])
    array([0.25, 0.5 , 1.  ])
    """
    ordered = np.sort(check_vector(margins, name="margins"))
    if not len(ordered):
        raise ValueError("margins is empty; pass the margin of at least one sample.")
    below = np.searchsorted(ordered, check_vector(at, name="at"), side="right")
    return np.asarray(below / len(ordered))


def cascade_rates(
    detection_rates: ArrayLike, false_positive_rates: ArrayLike
) -> tuple[float, float]:
    r"""Return the rates of a whole cascade from those of its stages.

    A sample is accepted if every stage accepts it, so rates conditional on having reached the
    stage multiply.

    Parameters
    ----------
    detection_rates : array-like of shape (n_stages,)
        The share of positives that each stage accepts, of those that reach it.
    false_positive_rates : array-like of shape (n_stages,)
        The same for negatives.

    Returns
    -------
    detection_rate : float
        At least :math:`(1-\varepsilon)^T` if no stage misses more than a share
        :math:`\varepsilon`.
    false_positive_rate : float
        The share of negatives that are accepted in the end.

    Examples
    --------
    >>> cascade_rates([0.99] * 10, [0.3] * 10)
    (0.904..., 5.904...e-06)
    """
    detected = _check_rates(detection_rates, "detection_rates")
    passed = _check_rates(false_positive_rates, "false_positive_rates", len(detected))
    return float(np.prod(detected)), float(np.prod(passed))


def cascade_cost(costs: ArrayLike, pass_rates: ArrayLike) -> float:
    r"""Return the mean cost of a sample, :math:`\sum_tc_t\prod_{s<t}f_s`.

    Stage :math:`t` is paid for by the samples that all earlier stages let pass.

    Parameters
    ----------
    costs : array-like of shape (n_stages,)
        What one evaluation of each stage costs.
    pass_rates : array-like of shape (n_stages,)
        The share that each stage accepts, of those that reach it.

    Returns
    -------
    float
        In the units of ``costs``.

    Examples
    --------
    >>> cascade_cost([1.0, 10.0, 100.0], [0.1, 0.1, 0.5])
    3.0
    """
    price = check_vector(costs, name="costs")
    passed = _check_rates(pass_rates, "pass_rates", len(price))
    reached = np.concatenate([[1.0], np.cumprod(passed)[:-1]])
    return float(price @ reached)


def adaboost(
    X: ArrayLike, y: ArrayLike, n_rounds: int = 50
) -> list[tuple[float, tuple[int, float, float]]]:
    r"""Boost decision stumps, as the box of the chapter says.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    n_rounds : int
        The greatest number of rounds, :math:`M`.

    Returns
    -------
    list of (vote, stump)
        The vote :math:`\alpha_m` of each round and its stump, as
        :func:`mlnotes.decision_trees.best_stump` returns it; an infinite vote decides alone.

    Examples
    --------
    >>> rounds = adaboost([[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1], n_rounds=2)
    >>> [(round(vote, 3), stump) for vote, stump in rounds]
    [(0.549, (0, -inf, 1.0)), (0.805, (0, 1.5, 1.0))]
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    w = np.full(len(signs), 1 / len(signs))
    rounds: list[tuple[float, tuple[int, float, float]]] = []
    for _ in range(check_count(n_rounds, "n_rounds")):
        feature, threshold, sign = stump = best_stump(points, signs, w)
        h = np.where(points[:, feature] > threshold, sign, -sign)
        error = float(w[h != signs].sum())
        if (h == signs).all():
            return [*rounds, (math.inf, stump)]
        if 0.5 - error <= 1e-12:
            break
        vote = vote_weight(error)
        w = w * np.exp(-vote * signs * h)
        w = w / w.sum()
        rounds.append((vote, stump))
    return rounds


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
        labels = np.asarray(y)
        if labels.shape != score.shape or not np.isin(labels, self.classes_).all():
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
            threshold = _highest_threshold(scores, positive, miss_rate)
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


def _highest_threshold(scores: Array, positive: NDArray[np.bool_], miss_rate: float) -> float:
    """Return the highest threshold that loses at most this share of the positives."""
    ascending = np.sort(scores[positive])
    # The product miss_rate * n may round to below a whole number; the shares k / n do not.
    shares = np.arange(len(ascending) + 1) / len(ascending)
    kept = float(ascending[np.searchsorted(shares, miss_rate, side="right") - 1])
    below = scores[scores < kept]
    return half_way(float(below.max()), kept) if len(below) else kept - 1.0


def _check_vote(vote: Any) -> float:
    """Return a number that may be infinite."""
    value = check_numbers(vote, "vote", infinite=True)
    if value.ndim:
        raise ValueError(f"vote must be one number, got an array of shape {value.shape}.")
    return float(value)


def _check_rates(values: ArrayLike, name: str, n: int | None = None) -> Array:
    """Return a vector of numbers from 0 to 1."""
    rates = check_vector(values, n, name=name)
    if ((rates < 0) | (rates > 1)).any():
        raise ValueError(f"{name} must be at least 0 and at most 1, got {rates.tolist()!r}.")
    return rates


def _exp(exponent: float) -> float:
    """Return the exponential, infinite where it exceeds any float."""
    with np.errstate(over="ignore"):
        return float(np.exp(exponent))
