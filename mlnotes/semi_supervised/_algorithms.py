"""The boxed algorithms of the chapter, each followed line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.support_vector_machines import LinearSVM
from mlnotes.validation import (
    Array,
    call_given,
    check_count,
    check_labels,
    check_matrix,
    check_positive,
    check_scalar,
    check_signs,
    check_square,
    check_vector,
)

Learn = Callable[[Array, NDArray[Any]], Callable[[Array], Any]]


def self_training(
    X: ArrayLike,
    y: ArrayLike,
    Z: ArrayLike,
    learn: Learn,
    threshold: float = 0.75,
    max_rounds: int = 10,
) -> tuple[Array, NDArray[Any]]:
    """Let a classifier label the points of which it is sure, and learn from them in turn.

    Parameters
    ----------
    X : array-like of shape (n_labelled, n_features)
        Labelled points.
    y : array-like of shape (n_labelled,)
        Their labels.
    Z : array-like of shape (n_unlabelled, n_features)
        Points without a label.
    learn : callable
        Takes points and labels, and returns a function that maps points to a matrix of class
        probabilities, one column for each class in sorted order.
    threshold : float
        A point is labelled if its largest probability is above this.
    max_rounds : int
        The greatest number of rounds.

    Returns
    -------
    points, labels : ndarray
        The training set at the end: the labelled points, then those that were added.

    Examples
    --------
    >>> from mlnotes.logistic_regression import LogisticRegression
    >>> def learn(X, y):
    ...     return LogisticRegression(penalty=0.1).fit(X, y).predict_proba
    >>> X, y, Z = [[-2.0], [2.0]], [0, 1], [[-1.0], [1.5], [0.0]]
    >>> points, labels = self_training(X, y, Z, learn)
    >>> points.ravel().tolist(), labels.tolist()
    ([-2.0, 2.0, -1.0, 1.5], [0, 1, 0, 1])
    """
    points, rest = check_matrix(X), check_matrix(Z, name="Z")
    check_vector(rest[0], points.shape[1], name="a row of Z")
    classes, codes = check_labels(y, len(points))
    check_scalar(threshold, "threshold", least=0.0, below=1.0)
    for _ in range(check_count(max_rounds, "max_rounds")):
        learned = call_given(learn, "learn", points, classes[codes])
        proba = check_matrix(call_given(learned, "learn", rest))
        sure = proba.max(axis=1) > threshold
        points = np.vstack([points, rest[sure]])
        codes = np.append(codes, proba[sure].argmax(axis=1))
        rest = rest[~sure]
        if not sure.any() or not len(rest):
            break
    return points, classes[codes]


def co_training(
    X_first: ArrayLike,
    X_second: ArrayLike,
    y: ArrayLike,
    Z_first: ArrayLike,
    Z_second: ArrayLike,
    learn: Learn,
    max_rounds: int = 10,
) -> tuple[Array, Array, NDArray[Any]]:
    """Let two classifiers, each with features of its own, label the points on which they agree.

    Parameters
    ----------
    X_first, X_second : array-like of shape (n_labelled, n_features)
        The two views of the labelled points, which may have different features.
    y : array-like of shape (n_labelled,)
        Their labels.
    Z_first, Z_second : array-like of shape (n_unlabelled, n_features)
        The two views of the points without a label.
    learn : callable
        Takes points and labels, and returns a function that predicts the labels of points.
    max_rounds : int
        The greatest number of rounds.

    Returns
    -------
    first, second, labels : ndarray
        Both views of the training set at the end, and its labels.

    Examples
    --------
    >>> from mlnotes.logistic_regression import LogisticRegression
    >>> def learn(X, y):
    ...     return LogisticRegression().fit(X, y).predict
    >>> X1, X2, y = [[-1.0], [1.0]], [[-2.0], [2.0]], [0, 1]
    >>> co_training(X1, X2, y, [[-1.0], [1.0]], [[-1.0], [-1.0]], learn)[2].tolist()
    [0, 1, 0]
    """
    first = check_matrix(X_first, name="X_first")
    second = check_matrix(X_second, name="X_second")
    U = check_matrix(Z_first, name="Z_first")
    V = check_matrix(Z_second, name="Z_second")
    check_vector(second[:, 0], len(first), name="X_second")
    check_vector(V[:, 0], len(U), name="Z_second")
    classes, codes = check_labels(y, len(first))
    labels = classes[codes]
    for _ in range(check_count(max_rounds, "max_rounds")):
        one = call_given(learn, "learn", first, labels)
        two = call_given(learn, "learn", second, labels)
        said = np.asarray(call_given(one, "learn", U))
        agree = said == np.asarray(call_given(two, "learn", V))
        first = np.vstack([first, U[agree]])
        second = np.vstack([second, V[agree]])
        labels = np.append(labels, said[agree])
        U, V = U[~agree], V[~agree]
        if not agree.any() or not len(U):
            break
    return first, second, labels


def transductive_svm(
    X: ArrayLike,
    y: ArrayLike,
    Z: ArrayLike,
    C: float = 1.0,
    C_unlabelled: float = 1.0,
    max_rounds: int = 100,
) -> tuple[Array, float, Array]:
    r"""Alternate between guessing the labels and finding the widest margin for the guesses.

    No round raises the objective (``thm-semi-tsvm-descent``), and there are finitely many guesses,
    so that it ends; not always at the least objective.

    Parameters
    ----------
    X : array-like of shape (n_labelled, n_features)
        Labelled points.
    y : array-like of shape (n_labelled,)
        Their labels, -1 and +1.
    Z : array-like of shape (n_unlabelled, n_features)
        Points without a label.
    C, C_unlabelled : float
        The prices of slack of a labelled and of an unlabelled point.
    max_rounds : int
        The greatest number of rounds.

    Returns
    -------
    theta : ndarray of shape (n_features,)
        The weights.
    offset : float
        The offset.
    guesses : ndarray of shape (n_unlabelled,)
        The labels of the unlabelled points, -1 and +1.

    Examples
    --------
    >>> theta, offset, guesses = transductive_svm([[-2.0], [2.0]], [-1, 1], [[-1.0], [1.0]])
    >>> theta.round(6).tolist(), guesses.tolist()
    ([1.0], [-1.0, 1.0])
    """
    known, rest = check_matrix(X), check_matrix(Z, name="Z")
    check_vector(rest[0], known.shape[1], name="a row of Z")
    signs = check_signs(y, len(known))
    points = np.vstack([known, rest])
    price = check_positive(C_unlabelled, "C_unlabelled")
    ratio = price / check_positive(C, "C")
    weights = np.repeat([1, ratio], [len(known), len(rest)])
    model = LinearSVM(C=C, tol=1e-9).fit(known, signs)
    guesses = np.zeros(len(rest))
    for _ in range(check_count(max_rounds, "max_rounds")):
        before, f = guesses, model.decision_function(rest)
        guesses = np.where(f > 0, 1.0, -1.0)
        if np.array_equal(guesses, before):
            break
        labels = np.r_[signs, guesses]
        model.fit(points, labels, sample_weight=weights)
    return model.coef_, float(model.intercept_), guesses


def label_propagation(
    W: ArrayLike,
    y: ArrayLike,
    tol: float = 1e-9,
    max_sweeps: int = 10_000,
) -> Array:
    r"""Give each unlabelled node the average of its neighbours, again and again.

    Each average lowers the energy (``thm-semi-average-step``). If a path leads from every node to a
    labelled one, the sweeps tend to the harmonic function, :func:`harmonic_solution`; where none
    leads, a node keeps the mean of the labels, with which it starts.

    Parameters
    ----------
    W : array-like of shape (n, n)
        The weights of the edges, not negative; labelled nodes come first.
    y : array-like of shape (n_labelled,)
        The numbers of the labelled nodes.
    tol : float
        The sweeps end when none changes a number by more than this.
    max_sweeps : int
        The greatest number of sweeps.

    Returns
    -------
    ndarray of shape (n,)
        The numbers at the end.

    Examples
    --------
    >>> W = [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
    >>> label_propagation(W, [0.0, 3.0]).round(6)
    array([0., 3., 1., 2.])
    """
    weights = check_square(W, name="W")
    values = check_vector(y, name="y")
    hidden = len(weights) - len(values)
    if hidden < 0 or not len(values) or (weights < 0).any():
        raise ValueError("W must be nonnegative, with nodes for y.")
    f = np.append(values, np.full(hidden, values.mean()))
    tol = check_scalar(tol, "tol", least=0.0)
    for _ in range(check_count(max_sweeps, "max_sweeps")):
        before = f.copy()
        for u in range(len(values), len(f)):
            if weights[u].any():
                f[u] = weights[u] @ f / weights[u].sum()
        if np.abs(f - before).max() <= tol:
            break
    return f
