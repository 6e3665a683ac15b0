r"""Maximum entropy: the least committed distribution with given feature averages.

There are :math:`n` inputs, :math:`K` labels and for each pair a vector of features
:math:`f(x,y)`. Among all conditional distributions whose features have a given average
:math:`b`, the one of largest entropy is :math:`e^{\langle\lambda,f(x,y)\rangle}/Z(x)`
(``thm-maximum-entropy``, ``thm-maximum-entropy-optimal``). Its multipliers minimise the convex dual
:math:`\frac1n\sum_i\log Z(x_i)-\langle\lambda,b\rangle`, which is the negative log-likelihood of
that model (``thm-maxent-dual-likelihood``) and never less than the entropy of a distribution with
these averages (``thm-maxent-weak-duality``). See the chapter :doc:`/book/maximum_entropy`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._numerics import scale_by_power_of_two
from mlnotes.base import Classifier
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    check_count,
    check_numbers,
    check_positive,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "MaximumEntropy",
    "MaximumEntropySolution",
    "dual_objective",
    "entropy",
    "feature_expectations",
    "kl_divergence",
    "log_linear_model",
    "maximise_entropy",
]

ROUNDOFF = float(np.finfo(np.float64).eps)

Features = Callable[[Array, NDArray[Any]], ArrayLike]


def entropy(p: ArrayLike) -> Array:
    r"""Return :math:`-\sum_kp_k\log p_k` along the last axis.

    Parameters
    ----------
    p : array-like with outcomes along the last axis
        Probabilities; an outcome of probability zero adds nothing.

    Returns
    -------
    ndarray without the last axis
        Between 0 and the logarithm of the number of outcomes.

    Examples
    --------
    >>> entropy([[0.5, 0.5], [1.0, 0.0]])
    array([0.69314718, 0.        ])
    """
    from scipy.special import xlogy

    law = _probabilities(p, "p")
    return np.asarray(0.0 - xlogy(law, law).sum(axis=-1))


def kl_divergence(p: ArrayLike, q: ArrayLike) -> Array:
    r"""Return :math:`\sum_kp_k\log(p_k/q_k)` along the last axis.

    It is never negative (``lem-gibbs``), and zero only where the two agree.

    Parameters
    ----------
    p, q : array-like with outcomes along the last axis
        Probabilities.

    Returns
    -------
    ndarray without the last axis
        Infinite where q excludes an outcome that p does not.

    Examples
    --------
    >>> kl_divergence([0.5, 0.5], [0.25, 0.75])
    array(0.14384104)
    """
    from scipy.special import rel_entr

    return np.asarray(rel_entr(_probabilities(p, "p"), _probabilities(q, "q")).sum(axis=-1))


def log_linear_model(features: ArrayLike, multipliers: ArrayLike) -> Array:
    r"""Return :math:`e^{\langle\lambda,f_{ik}\rangle}/\sum_le^{\langle\lambda,f_{il}\rangle}`.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label.
    multipliers : array-like of shape (n_features,)
        The vector :math:`\lambda`.

    Returns
    -------
    ndarray of shape (n_inputs, n_labels) or (n_labels,)
        Probabilities of the labels at each input.

    Examples
    --------
    >>> log_linear_model([[0.0], [1.0]], [np.log(3)])
    array([0.25, 0.75])
    """
    F = _table(features, None)[0]
    scores = F @ check_vector(multipliers, F.shape[2], name="multipliers")
    scores = scores if np.ndim(features) == 3 else scores[0]
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))


def feature_expectations(
    features: ArrayLike, p: ArrayLike, sample_weight: ArrayLike | None = None
) -> Array:
    r"""Return :math:`\frac1n\sum_i\sum_kp_{ik}f_{ik}`, the average of the features under p.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label.
    p : array-like of shape (n_inputs, n_labels) or (n_labels,)
        The probabilities of the labels at each input.
    sample_weight : array-like of shape (n_inputs,), optional
        How often each input counts.

    Returns
    -------
    ndarray of shape (n_features,)
        The average, in which the weights of the inputs sum to one.

    Examples
    --------
    >>> feature_expectations([[[1.0], [0.0]], [[3.0], [1.0]]], [[1.0, 0.0], [0.5, 0.5]])
    array([1.5])
    """
    F, shares = _table(features, sample_weight)
    law = _probabilities(p, "p")
    if law.shape != F.shape[:2] and (1, *law.shape) != F.shape[:2]:
        raise ValueError(
            f"p must have shape {F.shape[:2]}, one probability for each label of each input; got "
            f"{law.shape}."
        )
    law = law.reshape(F.shape[:2])
    return _average(F, shares, law)


def dual_objective(
    features: ArrayLike,
    moments: ArrayLike,
    multipliers: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Return :math:`\frac1n\sum_i\log Z(x_i)-\langle\lambda,b\rangle`.

    For every :math:`\lambda` it is at least the entropy of every distribution with these moments
    (``thm-maxent-weak-duality``). A negative value therefore proves that there is none.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label.
    moments : array-like of shape (n_features,)
        The averages :math:`b`.
    multipliers : array-like of shape (n_features,)
        The vector :math:`\lambda`.
    sample_weight : array-like of shape (n_inputs,), optional
        How often each input counts.

    Returns
    -------
    float
        The value of the dual.

    Examples
    --------
    >>> dual_objective([[1.0], [2.0], [3.0]], [2.0], [0.0])  # log 3
    1.098...
    >>> dual_objective([[1.0], [2.0], [3.0]], [4.0], [5.0]) < 0
    True
    """
    F, shares = _table(features, sample_weight)
    target = check_vector(moments, F.shape[2], name="moments")
    weights = check_vector(multipliers, F.shape[2], name="multipliers")
    return _dual(F, shares, target, weights)[0]


class MaximumEntropySolution(NamedTuple):
    """The distribution of largest entropy with given moments.

    Attributes
    ----------
    probabilities : ndarray of shape (n_inputs, n_labels) or (n_labels,)
        The distribution.
    multipliers : ndarray of shape (n_features,)
        The vector λ of its exponents.
    entropy : float
        Its entropy, averaged over the inputs.
    dual : float
        The least value of the dual found; it equals the entropy where the moments match.
    moment_gap : float
        The largest difference between a moment asked for and the one reached.
    n_iter : int
        The number of Newton steps.
    converged : bool
        Whether the moments match within the tolerance; False if the steps were used up before.
    interior : bool
        Whether the multipliers are a minimum of the dual. False if it has not converged, or if the
        moments lie on the boundary of what is possible: they are then reached only in the limit of
        infinite multipliers.

    Examples
    --------
    A die whose mean is 4.5.

    >>> found = maximise_entropy([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [4.5])
    >>> found.probabilities.round(3), found.interior
    (array([0.054, 0.079, 0.114, 0.165, 0.24 , 0.347]), True)
    """

    probabilities: Array
    multipliers: Array
    entropy: float
    dual: float
    moment_gap: float
    n_iter: int
    converged: bool
    interior: bool


def maximise_entropy(
    features: ArrayLike,
    moments: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    tol: float = 1e-12,
    max_iter: int = 200,
) -> MaximumEntropySolution:
    r"""Find the distribution of largest entropy with given feature averages.

    Newton's method with a line search minimises the dual. If the moments are impossible the dual
    falls below zero, which no entropy is: that moment is the proof, and the function raises an
    error. If the steps are used up before the moments match, it warns.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label; with two axes, of every outcome.
    moments : array-like of shape (n_features,)
        The averages that the features must have.
    sample_weight : array-like of shape (n_inputs,), optional
        How often each input counts.
    tol : float
        How close the moments must come, in units of the largest value of their feature.
    max_iter : int
        The greatest number of Newton steps.

    Returns
    -------
    MaximumEntropySolution
        The distribution, its multipliers and what is known about them.

    Examples
    --------
    A die whose mean is 4.5 instead of 3.5:

    >>> faces = np.arange(1.0, 7.0)[:, None]
    >>> die = maximise_entropy(faces, [4.5])
    >>> die.probabilities.round(4)
    array([0.0544, 0.0788, 0.1142, 0.1654, 0.2398, 0.3475])
    >>> maximise_entropy(faces, [6.5])
    Traceback (most recent call last):
    ...
    ValueError: no distribution has these moments: ...
    """
    found = _solve(features, moments, sample_weight, tol, max_iter)
    if not found.converged:
        _warn_unfinished("maximise_entropy", found)
    return found


def _solve(
    features: ArrayLike,
    moments: ArrayLike,
    sample_weight: ArrayLike | None,
    tol: float,
    max_iter: int,
) -> MaximumEntropySolution:
    """Maximise the entropy, without a word on how it went."""
    F, shares = _table(features, sample_weight)
    target = check_vector(moments, F.shape[2], name="moments")
    limit, steps = check_positive(tol, "tol"), check_count(max_iter, "max_iter")
    # Adding a number to the features of all labels of an input changes nothing but the moments.
    level = F.mean(axis=1, keepdims=True)
    sizes = np.abs(F).max(axis=(0, 1))
    F = F - level
    target = target - shares @ level[:, 0]
    # Of a feature that does not depend on the label rounding may leave a trace.
    rounding = 32 * ROUNDOFF * sizes
    scale = np.abs(F).max(axis=(0, 1))
    constant = scale <= rounding
    F[:, :, constant] = 0.0
    scale = np.where(constant, np.where(sizes > 0, sizes, 1.0), scale)
    F, target, rounding = F / scale, target / scale, rounding / scale
    limits = np.maximum(limit, rounding)
    seen = _seen(F, shares, target, np.maximum(limit, 100 * rounding))
    multipliers, P, value, converged, count, settled = _minimise(
        F, shares, target, limits, seen, steps
    )
    gap = _average(F, shares, P) - target
    return MaximumEntropySolution(
        probabilities=P if np.ndim(features) == 3 else P[0],
        multipliers=multipliers / scale,
        entropy=float(shares @ entropy(P)),
        dual=value,
        moment_gap=float(np.abs(gap * scale).max()),
        n_iter=count,
        converged=converged,
        interior=converged and settled,
    )


def _warn_unfinished(name: str, found: MaximumEntropySolution) -> None:
    warn_at_caller(
        f"{name} made {found.n_iter} Newton steps and the moments still differ by "
        f"{found.moment_gap:.1e}; raise max_iter or tol.",
        ConvergenceWarning,
    )


def _probabilities(values: ArrayLike, name: str) -> Array:
    law = check_numbers(values, name)
    if law.ndim == 0 or not (law >= 0).all() or not np.allclose(law.sum(axis=-1), 1, atol=1e-9):
        raise ValueError(
            f"{name} must hold probabilities that sum to one along the last axis; divide by their "
            "sum."
        )
    return law


def _table(features: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Array, Array]:
    """Return the features with an axis for the inputs, and the share of each input."""
    F = check_numbers(features, "features")
    F = F[None] if F.ndim == 2 else F
    if F.ndim != 3 or 0 in F.shape:
        raise ValueError(
            "features must have shape (n_inputs, n_labels, n_features) or (n_labels, n_features), "
            f"none of them 0; got {np.shape(features)}."
        )
    weights = check_weights(sample_weight, len(F))
    if weights is None:
        return F, np.full(len(F), 1 / len(F))
    scaled = scale_by_power_of_two(weights)[0]
    return F, scaled / scaled.sum()


def _seen(F: Array, shares: Array, target: Array, noise: Array) -> tuple[Array, Array]:
    """Return, as columns, combinations of the features that vary by one and are uncorrelated.

    Moments are known up to ``noise``. A combination of centred features that varies less than that
    is left out: its moment says nothing. Where it is so far from zero that no distribution has it,
    the moments break a linear relation which the features obey, and are refused. The second matrix
    takes the moments of the combinations, as a row, back to those of the features.
    """
    G, asked = F / noise, target / noise
    half = G * np.sqrt(shares / F.shape[1])[:, None, None]
    triangle = np.linalg.qr(_pairs(half), mode="r")
    _, spreads, combinations = np.linalg.svd(triangle)
    kept = int((spreads > 1).sum())
    unseen = combinations[kept:].T
    combination = unseen @ (unseen.T @ asked)
    reach = float(shares @ np.abs(_scores(G, combination)).max(axis=1))
    if combination @ asked > 2 * (reach + float(np.abs(combination).sum())):
        share = np.abs(combination)
        involved = np.flatnonzero(share > 1e-6 * share.max())
        relation = (
            f"feature {involved[0]} does not depend on the label"
            if len(involved) == 1
            else f"features {involved.tolist()}, centred over the labels, are linearly dependent"
        )
        raise ValueError(
            f"no distribution has these moments: {relation}, and the moments break that relation "
            f"by {np.linalg.norm(noise * combination):.1e} in units of the largest values. Leave "
            "such features out, or correct their moments."
        )
    varying, spreads = combinations[:kept], spreads[:kept, None]
    return (varying / spreads / noise).T, varying * spreads * noise


def _negligible(values: Array) -> float:
    """Return the eigenvalue of a covariance below which it is rounding error."""
    return 8 * len(values) * ROUNDOFF * max(float(values.max(initial=0.0)), 0.0)


def _dual(F: Array, shares: Array, target: Array, multipliers: Array) -> tuple[float, Array]:
    """Return the dual and the probabilities."""
    scores = _by_label(_scores(F, multipliers))
    largest = scores.max(axis=0)
    P = np.exp(scores - largest)
    total = P.sum(axis=0)
    P /= total
    logs = largest + np.log(total)
    return float(shares @ logs - multipliers @ target), np.ascontiguousarray(P.T)


def _by_label(table: Array) -> Array:
    """Return the table with labels along the first axis, which is quicker to sum over if short."""
    return np.ascontiguousarray(table.T)


def _scores(F: Array, multipliers: Array) -> Array:
    """Return the score of every label of every input."""
    return np.asarray(_pairs(F) @ multipliers).reshape(F.shape[:2])


def _average(F: Array, shares: Array, P: Array) -> Array:
    """Return the averages of the features over the inputs and the labels."""
    return np.asarray((shares[:, None] * P).ravel() @ _pairs(F))


def _pairs(F: Array) -> Array:
    """Return the features with one row for each pair of an input and a label."""
    n, K, m = F.shape
    return F.reshape(n * K, m)


def _covariance(F: Array, shares: Array, P: Array) -> Array:
    """Return the Hessian of the dual: the covariance of the features, averaged over inputs.

    The means are taken off first: a difference of large second moments would lose a small one.
    Inputs are taken in blocks that stay in cache.
    """
    _, K, m = F.shape
    roots = np.sqrt(P * shares[:, None])[:, :, None]
    total = np.zeros((m, m))
    size = max(1, 15_000 // (K * m))
    for first in range(0, len(F), size):
        block = slice(first, first + size)
        half = (F[block] - P[block, None] @ F[block]) * roots[block]
        total += _pairs(half).T @ _pairs(half)
    return total


def _minimise(
    F: Array,
    shares: Array,
    target: Array,
    limits: Array,
    seen: tuple[Array, Array],
    max_iter: int,
) -> tuple[Array, Array, float, bool, int, bool]:
    """Minimise the dual by Newton's method with a line search, over combinations of features.

    Returns the multipliers, the probabilities, the dual, whether the moments match, the number of
    steps, and whether the scores have settled.
    """
    into, back = seen
    H = (_pairs(F) @ into).reshape(*F.shape[:2], into.shape[1])
    wanted = target @ into
    mu = np.zeros(H.shape[2])
    value, P = _dual(H, shares, wanted, mu)
    settled, best = True, np.inf
    for iteration in range(max_iter + 1):
        gap = _average(H, shares, P) - wanted
        size = float(np.abs(gap @ back).max())
        # Where the scores still change much they will do so for ever, and the last digits never
        # come.
        enough = float(limits.max() if settled else max(limits.max(), 1e-8))
        # Below the tolerance it goes on while it is quick: the last digits are nearly free.
        if iteration == max_iter or not mu.size or best / 10 <= size <= enough:
            break
        best = size
        values, vectors = np.linalg.eigh(_covariance(H, shares, P))
        kept = values > _negligible(values)
        step = vectors[:, kept] @ ((vectors[:, kept].T @ gap) / values[kept])
        rate = 1.0
        while rate > 1e-10:
            trial = mu - rate * step
            reached, law = _dual(H, shares, wanted, trial)
            if reached <= value - 1e-4 * rate * (gap @ step) + 8 * ROUNDOFF * (1 + abs(value)):
                break
            rate /= 2
        else:
            break  # rounding decides whether a step goes down
        mu, value, P = trial, reached, law
        settled = _longest(rate * _scores(H, step)) <= 0.1
        # Moments are known up to the tolerance, which the multipliers magnify.
        multipliers = into @ mu
        doubt = 1e-9 * (1 + float(np.abs(_scores(H, mu)).max()))
        if value < -doubt - float(limits @ np.abs(multipliers)):
            raise ValueError(
                "no distribution has these moments: the dual is negative, and it bounds every "
                f"entropy from above. Along the multipliers {np.round(multipliers, 6).tolist()} "
                "(of the features centred over the labels and divided by their largest value) "
                "more is asked for than any label gives."
            )
    return into @ mu, P, value, size <= enough, iteration, settled


def _longest(change: Array) -> float:
    """Return the largest change of the difference of two scores of one input."""
    rows = _by_label(change)
    return float((rows.max(axis=0) - rows.min(axis=0)).max())


def _products(X: Array, classes: NDArray[Any], fit_intercept: bool) -> Array:
    """Return the features [y = k]·x, and [y = k] itself, for every class but the first."""
    points = np.column_stack([X, np.ones(len(X))]) if fit_intercept else X
    n, d = points.shape
    K = len(classes)
    F = np.zeros((n, K, K - 1, d))
    for k in range(1, K):
        F[:, k, k - 1] = points
    return F.reshape(n, K, (K - 1) * d)


class MaximumEntropy(Classifier):
    r"""The conditional distribution of largest entropy that matches the averages of features.

    The features of a sample and a label are any function of both. Without one they are the products
    :math:`[y=k]\,x` for every class but the first, and the model is logistic regression without a
    penalty (``thm-maxent-is-logistic``): with two classes ``multipliers_`` are its weights.

    If the averages lie on the boundary of what is possible, as those of separable classes do, no
    finite multipliers match them; the fit warns and returns those at which the difference has
    become negligible. See the chapter :doc:`/book/maximum_entropy`.

    Parameters
    ----------
    features : callable, optional
        Maps samples of shape (n_samples, n_features_in) and the sorted classes to an array of shape
        (n_samples, n_classes, n_features).
    fit_intercept : bool
        Whether the features without a function include the labels :math:`[y=k]` themselves.
    tol : float
        How close the moments must come, in units of the largest value of their feature.
    max_iter : int
        The greatest number of Newton steps.

    Attributes
    ----------
    multipliers_ : ndarray of shape (n_features,)
        The vector :math:`\lambda`.
    moments_ : ndarray of shape (n_features,)
        The averages of the features in the data.
    moment_gap_ : float
        The largest difference between them and those of the model.
    entropy_ : float
        The entropy of the model, averaged over the samples.
    n_iter_ : int
        The number of Newton steps.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; only those with a sample of positive weight.
    n_features_in_ : int
        The number of columns of the samples seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X, y = [[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1, 1]
    >>> model = MaximumEntropy().fit(X, y)
    >>> model.predict_proba([[0.0], [1.0]]).round(4)
    array([[0.5   , 0.5   ],
           [0.3333, 0.6667]])
    """

    _squares = False

    multipliers_: Array
    moments_: Array
    moment_gap_: float
    entropy_: float
    n_iter_: int

    def __init__(
        self,
        features: Features | None = None,
        *,
        fit_intercept: bool = True,
        tol: float = 1e-12,
        max_iter: int = 200,
    ) -> None:
        self.features = features
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Match the averages of the features in the data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        codes = self._fit_codes(y, len(points), weights)
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            points, weights = points[kept], weights[kept]
        F = self._table_of(points)
        seen = np.eye(len(self.classes_))[codes]
        moments = feature_expectations(F, seen, weights)
        found = _solve(F, moments, weights, self.tol, self.max_iter)
        self.multipliers_, self.moments_ = found.multipliers, moments
        self.moment_gap_, self.entropy_ = found.moment_gap, found.entropy
        self.n_iter_ = found.n_iter
        if not found.converged:
            _warn_unfinished(type(self).__name__, found)
        elif not found.interior:
            warn_at_caller(
                f"{type(self).__name__} can match the moments only in the limit of infinite "
                "multipliers: they lie on the boundary of what is possible, as those of separable "
                f"classes do. It stopped {found.moment_gap:.1e} away; use fewer features, or "
                "LogisticRegression with a penalty.",
                ConvergenceWarning,
            )
        return self

    def _table_of(self, points: Array) -> Array:
        """Return the features of every sample with every class."""
        if self.features is not None and not callable(self.features):
            raise TypeError(
                "features must be a function of the samples and the classes, or None; got "
                f"{self.features!r}."
            )
        if self.features is None:
            return _products(points, self.classes_, bool(self.fit_intercept))
        F = np.asarray(self.features(points, self.classes_), dtype=np.float64)
        if F.ndim != 3 or F.shape[:2] != (len(points), len(self.classes_)):
            raise ValueError(
                "features must return an array of shape (n_samples, n_classes, n_features), here "
                f"({len(points)}, {len(self.classes_)}, any); it returned {F.shape}."
            )
        return F

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probability of each class for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows sum to one; columns follow ``classes_``.
        """
        return log_linear_model(self._table_of(self._use_matrix(X)), self.multipliers_)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``; on a tie, the first.
        """
        most_probable = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most_probable])
