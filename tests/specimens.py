"""Estimators that the package has no use for yet: to test the contract, and to see it broken."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import BinaryClassifier, Classifier, Clusterer, Estimator, Transformer
from mlnotes.least_squares import LeastSquares
from mlnotes.validation import Array


class Centring(Transformer):
    """Subtracts the mean, and repeats the first feature at the end."""

    def __init__(self, *, repeat: bool = True) -> None:
        self.repeat = repeat

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        self.mean_ = self._fit_matrix(X).mean(axis=0)
        return self

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ + int(self.repeat)

    def _transform(self, X: Array) -> Array:
        centred = X - self.mean_
        return np.column_stack([centred, centred[:, 0]]) if self.repeat else centred


class Halves(Clusterer):
    """Two clusters: below and above the mean of the row sums."""

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        sums = self._fit_matrix(X).sum(axis=1)
        self.threshold_ = sums.mean()
        self.labels_ = (sums > self.threshold_).astype(np.intp)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        return (self._use_matrix(X).sum(axis=1) > self.threshold_).astype(np.intp)


class NearestMean(Classifier):
    """Any number of classes: that of the nearest class mean."""

    def __init__(self) -> None:
        pass

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        points = self._fit_matrix(X)
        codes = self._fit_codes(y, len(points))
        self.means_ = np.array([points[codes == c].mean(axis=0) for c in range(codes.max() + 1)])
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        points = self._use_matrix(X)
        distances = ((points[:, None] - self.means_) ** 2).sum(axis=2)
        return self.classes_[distances.argmin(axis=1)]


class Threshold(BinaryClassifier):
    """Two classes: the first feature below or above its mean."""

    def __init__(self) -> None:
        pass

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        points = self._fit_matrix(X)
        signs = self._fit_signs(y, len(points))
        self.level_ = points[:, 0].mean()
        self.side_ = 1.0 if signs @ (points[:, 0] - self.level_) >= 0 else -1.0
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        return self.side_ * (self._use_matrix(X)[:, 0] - self.level_)


class Wrapper(Estimator):
    """An estimator with an estimator as a parameter."""

    def __init__(self, inner: Any = None, *, factor: float = 1.0) -> None:
        self.inner = inner
        self.factor = factor


class Forgetful(LeastSquares):
    """Wrong on purpose: predicts from any number of features, and changes its input."""

    def predict(self, X: ArrayLike) -> Array:
        points = np.asarray(X, dtype=float)
        return points[:, 0] * self.coef_[0]
