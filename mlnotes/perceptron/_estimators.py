"""Perceptrons that are fitted: exact in their mistakes, at any scale of the data."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Anything, Boolean, Integer, Real
from mlnotes._laws import Laws
from mlnotes._numerics import exponent_of, scale_by_power_of_two
from mlnotes._solvers import perceptron as search
from mlnotes.base import BinaryClassifier, LinearClassifier
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import Array, check_vector

# Beyond this ratio of squared means to variances the perceptron learns little but the means.
MAX_MEAN_RATIO = 100.0


class _LinearBinaryClassifier(LinearClassifier, BinaryClassifier):
    """Prediction with ``coef_`` and ``intercept_``, and what the theorem says about them."""

    _squares = False

    fit_intercept: bool

    margin_: float
    radius_: float
    mistake_bound_: float

    def _scaled_problem(self, X: ArrayLike, y: ArrayLike | None) -> tuple[Array, int]:
        """Return the signed points divided by a power of two, and its exponent."""
        points = self._fit_matrix(X)
        return search.scaled_rows(points, self._fit_signs(y, len(points)), self.fit_intercept)

    def _keep(self, theta: Array, Z: Array, exponent: int) -> None:
        """Set the learned weights and the quantities of the theorem, all given in scaled terms."""
        with np.errstate(over="ignore"):
            weights = np.ldexp(theta, exponent)
        if not np.isfinite(weights).all():
            raise ValueError("The weights exceed any float; divide the features by a large number.")
        offset = float(weights[-1]) if self.fit_intercept else 0.0
        self._set_weights(weights[: self.n_features_in_].copy(), offset)
        theta, _ = scale_by_power_of_two(theta)
        norm2 = float(theta @ theta)
        radius2 = float(np.einsum("ij,ij->i", Z, Z).max())
        worst = float((Z @ theta).min())
        self.margin_ = float(np.ldexp(worst / math.sqrt(norm2), exponent)) if norm2 else 0.0
        self.radius_ = float(np.ldexp(math.sqrt(radius2), exponent))
        # In squares, so that integer data give the integer that pencil and paper give.
        self.mistake_bound_ = radius2 * norm2 / worst / worst if worst > 0 else math.inf

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return :math:`\langle\theta,x\rangle+\theta_0` for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive where the second class is predicted; infinite where it exceeds any float.
        """
        with np.errstate(over="ignore"):
            return np.ldexp(*self._scaled_decision(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predicted class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``; on the hyperplane itself, the first.
        """
        positive = self._scaled_decision(X)[0] > 0
        return self.classes_[positive.astype(np.intp)]

    def _scaled_decision(self, X: ArrayLike) -> tuple[Array, int]:
        """Return the decision function over a power of two, and its exponent.

        Its sign then survives where the function itself overflows or underflows.
        """
        points = self._use_matrix(X)
        exponent = exponent_of(self.coef_, self.intercept_)
        theta, offset = np.ldexp(self.coef_, -exponent), np.ldexp(self.intercept_, -exponent)
        return points @ theta + offset, exponent

    def _warn(self, wrong: int, Z: Array, tried: str) -> None:
        """Warn that points are on the wrong side, and say what may be done about it."""
        if self._is_far_from_origin(Z):
            remedy = (
                "the means of the features are many times their spread, so that corrections hardly "
                "turn the hyperplane. Subtract the means first."
            )
        else:
            remedy = (
                "the data may not be linearly separable. Raise max_iter, use PocketPerceptron, or "
                "add features."
            )
        warn_at_caller(
            f"{type(self).__name__} made {tried} and still has {wrong} of {len(Z)} points on the "
            f"wrong side: {remedy}",
            ConvergenceWarning,
        )

    def _is_far_from_origin(self, Z: Array) -> bool:
        """Whether the squared means of the features are many times their variances."""
        sizes = np.abs(Z[:, : self.n_features_in_])
        return bool((sizes.mean(axis=0) ** 2).sum() > MAX_MEAN_RATIO * sizes.var(axis=0).sum())


class Perceptron(_LinearBinaryClassifier):
    r"""The perceptron, online and cyclic: one point at a time, in the order given.

    It stops after a whole pass without a mistake, or after ``max_iter`` passes with a warning. On
    linearly separable data the first always happens: ``n_mistakes_`` never exceeds
    :math:`R^2\lVert\theta^*\rVert^2/\gamma^2` for any separating :math:`\theta^*`
    (``thm-perceptron-convergence``), in particular never the ``mistake_bound_`` that the weights
    found certify themselves. See the chapter :doc:`/book/perceptron`.

    Whether a point is a mistake is decided exactly, ties (points on the hyperplane) being
    mistakes; only the weights are rounded, as in any floating-point run.

    There is no ``sample_weight``. The algorithm minimises no sum over the samples that a weight
    could enter: a point visited twice in a row is not a point with weight two.

    Parameters
    ----------
    fit_intercept : bool
        Whether to learn an offset, as the weight of a constant coordinate 1.
    learning_rate : float
        The factor of each correction, from 1e-100 to 1e100. From a zero start it only rescales the
        weights.
    start : array-like of shape (n_features,) or (n_features + 1,), optional
        Where to start, the offset last; zero if not given. The mistake bound is for zero.
    max_iter : int
        The greatest number of passes.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    n_mistakes_ : int
        The number of corrections, :math:`k` in the theorem.
    mistakes_ : ndarray of shape (n_mistakes_,)
        The history: the row of the data at which each mistake was made.
    counts_ : ndarray of shape (n_samples,)
        The dual form: how many mistakes each point caused. From a zero start,
        :math:`\theta=\sum_i\alpha_iy_ix_i` with these :math:`\alpha_i` (times the learning rate).
    n_iter_ : int
        Passes through the data, including the last one, without a mistake.
    margin_ : float
        The geometric margin of the weights found, in the augmented space if there is an offset; not
        positive if they do not separate the data.
    radius_ : float
        The length of the longest (augmented) point.
    mistake_bound_ : float
        ``novikoff_bound(radius_, margin_)``; infinite if the data were not separated, or if the run
        did not start at zero.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.0]]
    >>> model = Perceptron().fit(X, ["up", "up", "down", "down"])
    >>> model.coef_, model.intercept_
    (array([2., 1.]), 1.0)
    >>> model.n_mistakes_, model.mistake_bound_
    (1, 7.33...)
    >>> model.predict([[4.0, 4.0]])
    array(['up'], dtype='<U4')
    """

    _constraints: ClassVar = {
        "fit_intercept": Boolean(),
        "learning_rate": Real(
            least=1e-100,
            most=1e100,
            hint="beyond that the weights leave the range of floats.",
        ),
        "start": Anything(),
        "max_iter": Integer(1),
    }
    # The constant coordinate of the offset has a unit; samples are visited one after another.
    _laws: ClassVar = Laws(
        "columns",
        "labels",
        parameters={"max_iter": 20},
        grid={"fit_intercept": [True, False]},
        unfinished={"max_iter": 1},
    )

    n_iter_: int
    n_mistakes_: int
    mistakes_: NDArray[np.intp]
    counts_: NDArray[np.intp]

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        learning_rate: float = 1.0,
        start: ArrayLike | None = None,
        max_iter: int = 1000,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.learning_rate = learning_rate
        self.start = start
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Correct the weights on one mistake after the other until there is none.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, visited in this order.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        Z, exponent = self._scaled_problem(X, y)
        n, d = Z.shape
        rate, passes = float(self.learning_rate), int(self.max_iter)
        start = np.zeros(d) if self.start is None else check_vector(self.start, d, name="start")
        theta = np.ldexp(start, -exponent)
        visits = np.fromiter(search.mistakes(Z, theta, rate, passes * n), dtype=np.intp)

        self.mistakes_ = visits % n
        self.n_mistakes_ = len(visits)
        self.counts_ = np.bincount(self.mistakes_, minlength=n)
        clean_pass = int(visits[-1]) // n + 2 if len(visits) else 1
        self.n_iter_ = min(clean_pass, passes)
        self._keep(self._chosen(theta, np.ldexp(start, -exponent), Z, visits), Z, exponent)
        if start.any():
            self.mistake_bound_ = math.inf
        wrong = 0 if clean_pass <= passes else int(np.count_nonzero(Z @ theta <= 0))
        if wrong:
            self._warn(wrong, Z, f"{passes} passes")
        return self

    def _chosen(self, last: Array, start: Array, Z: Array, visits: NDArray[np.intp]) -> Array:
        """Return the weights to predict with: the last ones."""
        return last


class AveragedPerceptron(Perceptron):
    r"""The perceptron that predicts with the average of all weights it went through.

    It makes exactly the mistakes of :class:`Perceptron`; afterwards the weights held after each
    visit of a point are averaged, so that weights that survived long count more than the last
    correction. See the chapter :doc:`/book/perceptron`.

    There is no ``sample_weight``, for the reason given at :class:`Perceptron`.

    Parameters
    ----------
    fit_intercept : bool
        Whether to learn an offset, as the weight of a constant coordinate 1.
    learning_rate : float
        The factor of each correction.
    start : array-like of shape (n_features,) or (n_features + 1,), optional
        Where to start, the offset last; zero if not given.
    max_iter : int
        The greatest number of passes.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The averaged weights.
    intercept_ : float
        The averaged offset.
    n_mistakes_, mistakes_, counts_, n_iter_
        As in :class:`Perceptron`.
    margin_, radius_, mistake_bound_
        As in :class:`Perceptron`, for the averaged weights: these need not separate the data even
        where the last weights do.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0], [-2.0], [3.0]]
    >>> AveragedPerceptron(fit_intercept=False).fit(X, [1, -1, 1]).coef_
    array([1.])
    """

    # The constant coordinate of the offset has a unit; samples are visited one after another.
    _laws: ClassVar = Laws(
        "columns", "labels", parameters={"max_iter": 20}, grid={"fit_intercept": [True, False]}
    )

    def _chosen(self, last: Array, start: Array, Z: Array, visits: NDArray[np.intp]) -> Array:
        """Return the average of the weights held after each visit of the passes made."""
        n = len(Z)
        total = n * self.n_iter_
        # A correction made at visit t is present after the visits t, t + 1, ..., total - 1.
        present = self.learning_rate * (total - visits) / total
        return np.asarray(start + present @ Z[visits % n])


class BatchPerceptron(_LinearBinaryClassifier):
    r"""The batch perceptron: every round adds all misclassified points at once.

    It is gradient descent with step 1 on the perceptron loss. On separable data it ends too, but
    the theorem's argument then gives a bound :math:`n` times as large for the total of mistakes: a
    round with :math:`m` mistakes can lengthen :math:`\theta` by :math:`mR`, not only by
    :math:`\sqrt mR`. See the chapter :doc:`/book/perceptron`.

    There is no ``sample_weight``: what the theorem bounds is a number of mistakes.

    Parameters
    ----------
    fit_intercept : bool
        Whether to learn an offset, as the weight of a constant coordinate 1.
    max_iter : int
        The greatest number of rounds.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    n_mistakes_ : int
        All mistakes of all rounds.
    mistakes_per_round_ : ndarray of shape (n_iter_,)
        The mistakes in each round; the last is 0 if the data were separated.
    n_iter_ : int
        The number of rounds.
    margin_ : float
        The geometric margin of the weights found, in the augmented space if there is an offset.
    radius_ : float
        The length of the longest (augmented) point.
    mistake_bound_ : float
        :math:`n` times ``novikoff_bound(radius_, margin_)``, a bound on ``n_mistakes_``.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.0]]
    >>> model = BatchPerceptron().fit(X, [1, 1, -1, -1])
    >>> model.coef_, model.mistakes_per_round_
    (array([6., 6.]), array([4, 0]))
    """

    _constraints: ClassVar = {"fit_intercept": Boolean(), "max_iter": Integer(1)}
    # The constant coordinate of the offset has a unit.
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "labels",
        parameters={"max_iter": 20},
        grid={"fit_intercept": [True, False]},
        unfinished={"max_iter": 1},
    )

    n_iter_: int
    n_mistakes_: int
    mistakes_per_round_: NDArray[np.intp]

    def __init__(self, *, fit_intercept: bool = True, max_iter: int = 1000) -> None:
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Add up the misclassified points, round after round, until there is none.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; their order does not matter.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        Z, exponent = self._scaled_problem(X, y)
        theta = np.zeros(Z.shape[1])
        rounds: list[int] = []
        for _ in range(self.max_iter):
            wrong = Z @ theta <= 0
            rounds.append(int(wrong.sum()))
            if rounds[-1] == 0:
                break
            theta += wrong @ Z
        self.mistakes_per_round_ = np.array(rounds)
        self.n_mistakes_ = sum(rounds)
        self.n_iter_ = len(rounds)
        self._keep(theta, Z, exponent)
        self.mistake_bound_ *= len(Z)
        if rounds[-1]:
            self._warn(int(np.count_nonzero(Z @ theta <= 0)), Z, f"{self.n_iter_} passes")
        return self


class PocketPerceptron(_LinearBinaryClassifier):
    r"""The pocket algorithm: run the perceptron and keep the best weights seen on the way.

    On data that no hyperplane separates the perceptron never settles, and its last weights may be
    bad. The pocket evaluates the training error after every correction and keeps the weights with
    the fewest errors, the earlier ones on a tie. It carries no promise of reaching the fewest
    errors possible, which is NP-hard to find. See the chapter :doc:`/book/perceptron`.

    There is no ``sample_weight``, for the reason given at :class:`Perceptron`.

    Parameters
    ----------
    fit_intercept : bool
        Whether to learn an offset, as the weight of a constant coordinate 1.
    max_updates : int
        The greatest number of corrections, each followed by one pass to count the errors.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights in the pocket.
    intercept_ : float
        The offset in the pocket.
    errors_ : ndarray of shape (n_updates + 1,)
        The training errors, as a share of the samples, of the perceptron's weights: at the start,
        where all points count as wrong, and after each correction.
    pocket_errors_ : ndarray of shape (n_updates + 1,)
        The training error of the pocket at the same moments; it never rises.
    n_mistakes_ : int
        The number of corrections made.
    mistakes_ : ndarray of shape (n_mistakes_,)
        The row of the data at which each mistake was made.
    margin_, radius_, mistake_bound_
        As in :class:`Perceptron`, for the weights in the pocket.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[-3.0], [-2.0], [-1.0], [1.0], [2.0], [3.0]]
    >>> model = PocketPerceptron(max_updates=50).fit(X, [-1, -1, 1, -1, 1, 1])
    >>> float(model.pocket_errors_[-1])
    0.333...
    """

    _constraints: ClassVar = {"fit_intercept": Boolean(), "max_updates": Integer(1)}
    # The constant coordinate of the offset has a unit; samples are visited one after another.
    _laws: ClassVar = Laws(
        "columns", "labels", parameters={"max_updates": 50}, grid={"fit_intercept": [True, False]}
    )

    n_mistakes_: int
    mistakes_: NDArray[np.intp]
    errors_: Array
    pocket_errors_: Array

    def __init__(self, *, fit_intercept: bool = True, max_updates: int = 1000) -> None:
        self.fit_intercept = fit_intercept
        self.max_updates = max_updates

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Run the perceptron for at most ``max_updates`` corrections and keep the best weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, visited in this order.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        Z, exponent = self._scaled_problem(X, y)
        updates = int(self.max_updates)
        n = len(Z)
        theta = np.zeros(Z.shape[1])
        pocket, fewest = theta.copy(), n
        errors, visits = [n], []
        for visit in search.mistakes(Z, theta, 1.0, n * (updates + 1)):
            wrong = int(np.count_nonzero(Z @ theta <= 0))
            errors.append(wrong)
            visits.append(visit)
            if wrong < fewest:
                pocket, fewest = theta.copy(), wrong
            if len(visits) == updates:
                break
        self.errors_ = np.array(errors) / n
        self.pocket_errors_ = np.minimum.accumulate(self.errors_)
        self.mistakes_ = np.array(visits, dtype=np.intp) % n
        self.n_mistakes_ = len(visits)
        self._keep(pocket, Z, exponent)
        if fewest and self._is_far_from_origin(Z):
            self._warn(fewest, Z, f"{self.n_mistakes_} corrections")
        return self
