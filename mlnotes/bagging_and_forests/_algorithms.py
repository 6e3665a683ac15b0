"""The algorithms of the chapter: the bootstrap, bagging and the vote."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import (
    Array,
    call_given,
    check_callable,
    check_categories,
    check_count,
    check_matrix,
    check_random_state,
)


def bootstrap(n: int, random_state: int | np.random.Generator | None = 0) -> NDArray[np.int64]:
    """Draw as many rows as there are, with replacement: a sample of the empirical distribution.

    Parameters
    ----------
    n : int
        The number of samples.
    random_state : int, numpy.random.Generator or None
        A seed or a generator.

    Returns
    -------
    ndarray of shape (n,)
        Rows from 0 to n - 1; some twice, about 37 % not at all.

    Examples
    --------
    >>> rows = bootstrap(1000, random_state=0)
    >>> len(rows), len(set(rows.tolist()))
    (1000, 633)
    """
    n = check_count(n, "n", at_most=10**9)
    places = check_random_state(random_state).random(n) * n
    return np.floor(places).astype(np.int64)


def bagging(
    X: ArrayLike,
    y: ArrayLike,
    learn: Callable[[Array, NDArray[Any]], Callable[[Array], Any]],
    n_estimators: int = 25,
    random_state: int | np.random.Generator | None = 0,
) -> list[tuple[NDArray[np.int64], Callable[[Array], Any]]]:
    """Train a predictor on each of several bootstrap samples, as the box of the chapter says.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Their labels or targets.
    learn : callable
        Takes samples and labels, and returns a function that predicts labels of samples.
    n_estimators : int
        The number of bootstrap samples.
    random_state : int, numpy.random.Generator or None
        A seed or a generator.

    Returns
    -------
    list of (rows, predict)
        The rows that each member was trained on, and its predictions as a function.

    Examples
    --------
    >>> from mlnotes.decision_trees import DecisionTreeRegressor
    >>> def learn(X, y):
    ...     return DecisionTreeRegressor().fit(X, y).predict
    >>> members = bagging([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], learn, n_estimators=5)
    >>> majority_vote([predict([[0.2], [2.9]]) for _, predict in members])
    array([0., 1.])
    """
    points = check_matrix(X)
    target = check_categories(y, "y", n=len(points))
    random = check_random_state(random_state)
    count = check_count(n_estimators, "n_estimators", at_most=10**6)
    members = []
    for _ in range(count):
        rows = bootstrap(len(points), random)
        drawn = points[rows], target[rows]
        predict = call_given(learn, "learn", *drawn)
        check_callable(predict, "what learn returns", "samples")
        members.append((rows, predict))
    return members


def majority_vote(votes: ArrayLike) -> NDArray[Any]:
    """Return the label that most voters give to each sample; of several the first in their order.

    Parameters
    ----------
    votes : array-like of shape (n_voters, n_samples)
        Labels.

    Returns
    -------
    ndarray of shape (n_samples,)
        The winners.

    Examples
    --------
    >>> majority_vote([["a", "b"], ["a", "a"], ["b", "b"]]).tolist()
    ['a', 'b']
    """
    table = check_categories(votes, "votes", dimensions=2)
    labels = np.unique(table)
    counts = [(table == label).sum(axis=0) for label in labels]
    return np.asarray(labels[np.argmax(counts, axis=0)])


def out_of_bag_votes(
    members: list[tuple[NDArray[np.int64], Callable[[Array], Any]]], X: ArrayLike
) -> list[list[Any]]:
    """Return for each sample what the members say that were not trained on it.

    Parameters
    ----------
    members : list of (rows, predict)
        As :func:`bagging` returns them.
    X : array-like of shape (n_samples, n_features)
        The samples that they were trained on.

    Returns
    -------
    list of list
        The votes of about a third of the members for each sample; none if all have seen it.

    Examples
    --------
    >>> import numpy as np
    >>> members = [(np.array(rows), lambda X: X[:, 0] > 0) for rows in ([0, 0], [0, 1])]
    >>> out_of_bag_votes(members, [[-1.0], [1.0]])
    [[], [True]]
    """
    points = check_matrix(X)
    votes: list[list[Any]] = [[] for _ in points]
    for rows, predict in _check_members(members, len(points)):
        unseen = np.setdiff1d(np.arange(len(points)), rows)
        if len(unseen):
            for i, vote in zip(unseen, np.asarray(predict(points[unseen])).tolist(), strict=True):
                votes[i].append(vote)
    return votes


def _check_members(members: Any, n: int) -> list[tuple[NDArray[np.int64], Callable[[Array], Any]]]:
    """Return pairs of rows and a function."""
    if not isinstance(members, list) or not all(
        isinstance(member, tuple) and len(member) == 2 and callable(member[1]) for member in members
    ):
        raise TypeError("members must be a list of (rows, predict), as bagging returns it.")
    for rows, _ in members:
        if np.asarray(rows).dtype.kind != "i" or np.min(rows) < 0 or np.max(rows) >= n:
            raise ValueError(f"members were trained on other rows than the {n} of X.")
    return members
