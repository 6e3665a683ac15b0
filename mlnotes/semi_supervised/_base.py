"""One rule for samples without a label, which all estimators of the chapter follow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import Classifier
from mlnotes.validation import Array, check_labels


class PartlyLabelled(Classifier):
    """A classifier for which one value of ``y``, its parameter ``unlabelled``, is no class."""

    unlabelled: Any

    def _fit_partial_codes(
        self, y: ArrayLike | None, n: int, weights: Array | None = None
    ) -> NDArray[np.intp]:
        """Set ``classes_`` and return the position in it of each sample, -1 without a label.

        As in ``_fit_codes``, samples of weight zero are left out.
        """
        self._require_values(y)
        values, codes = check_labels(y, n, owner=type(self).__name__, weights=weights)
        missing = np.array([self._is_unlabelled(value) for value in values.tolist()])
        if (~missing).sum() < 2:
            raise ValueError(
                f"{type(self).__name__} needs labelled samples of at least two classes, got the "
                f"labels {values[~missing].tolist()!r} beside {self.unlabelled!r}, which means "
                f"unlabelled; if {self.unlabelled!r} is one of your classes, pass unlabelled=None "
                "or the value that does mean it; without any label use a mixture or a clusterer."
            )
        self.classes_ = values[~missing]
        places = np.where(missing, -1, np.cumsum(~missing) - 1)
        return np.asarray(places[codes])

    def _require_values(self, y: ArrayLike | None) -> None:
        """Refuse NaN and None, which equal nothing or mean that nothing is missing."""
        if y is None:
            return
        try:
            values = np.asarray(y)
        except ValueError:
            return  # no array at all: what is wrong with it is said where labels are read
        entries: list[Any] = values.ravel().tolist()
        for row, value in enumerate(entries):
            if value is None or (isinstance(value, float) and value != value):
                what = "NaN" if values.dtype.kind == "f" else "NaN or None"
                raise ValueError(
                    f"Input y contains {what}, first at row {row}. Put a value in its place that "
                    "is no class, such as -1, and name it with unlabelled=."
                )

    def _is_unlabelled(self, value: Any) -> bool:
        same_kind = isinstance(value, str) == isinstance(self.unlabelled, str)
        return self.unlabelled is not None and same_kind and bool(value == self.unlabelled)


class ByProbability(PartlyLabelled):
    """A classifier that predicts the most probable class."""

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
        raise NotImplementedError

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
        likeliest = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])

    def _transduced(self, codes: NDArray[np.intp]) -> NDArray[Any]:
        """Return classes for codes; where there is none, the value that means unlabelled."""
        if (codes >= 0).all():
            return np.asarray(self.classes_[codes])
        values = np.append(self.classes_, np.array([self.unlabelled], dtype=self.classes_.dtype))
        return np.asarray(values[codes])
