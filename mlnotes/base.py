"""The contract of an estimator: parameters, fitting, prediction, printing.

An :class:`Estimator` behaves as scikit-learn expects (``clone``, ``Pipeline``, ``GridSearchCV`` and
the rest work on it) without importing scikit-learn: the protocol is a matter of method names.
A subclass states its parameters as keyword arguments of ``__init__``, stores them untouched, does
all work in ``fit``, and names what it learned with a trailing underscore.
"""

from __future__ import annotations

import functools
import inspect
import sys
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Constraint, check_parameters
from mlnotes._numerics import coefficient_of_determination, scale_by_power_of_two
from mlnotes.exceptions import NotFittedError, sklearn_compatible, warn_at_caller
from mlnotes.validation import (
    Array,
    check_binary,
    check_entries,
    check_labels,
    check_matrix,
    check_target,
    check_weights,
    feature_names,
)

__all__ = [
    "BinaryClassifier",
    "Classifier",
    "Clusterer",
    "Estimator",
    "LinearClassifier",
    "LinearModel",
    "Regressor",
    "Transformer",
]

# The methods to which scikit-learn routes metadata such as sample weights.
ROUTED = (
    *("fit", "partial_fit", "predict", "predict_proba", "predict_log_proba"),
    *("decision_function", "score", "transform", "inverse_transform"),
)


def _is_learned(name: str) -> bool:
    """Whether an attribute of this name is set by ``fit``."""
    return name.endswith("_") and not name.startswith("_")


def _atomic(fit: Callable[..., Any], *, anew: bool) -> Callable[..., Any]:
    """Return a method that learns, preceded by a check of the parameters, and undone if it fails.

    If it learns ``anew``, what an earlier fit had learned is taken away first, so that nothing of
    it is left beside what is learned now; if there is an error, all of it comes back.
    """

    @functools.wraps(fit)
    def whole(self: Estimator, *args: Any, **kwargs: Any) -> Any:
        state = vars(self)
        if "_fitting" in state:
            return fit(self, *args, **kwargs)  # called by the fit of a subclass
        check_parameters(self._constraints, state)
        before = state.copy()
        try:
            for name in filter(_is_learned, before if anew else ()):
                del state[name]
            state["_fitting"] = True
            result = fit(self, *args, **kwargs)
        except BaseException:
            state.clear()
            state.update(before)
            raise
        del state["_fitting"]
        return result

    return whole


def _metadata(method: Callable[..., Any]) -> list[str]:
    """Return the names of what a method takes beside samples and target."""
    return [
        p.name
        for p in list(inspect.signature(method).parameters.values())[1:]
        if p.name not in ("X", "y") and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


class Requests(dict[str, dict[str, bool | str | None]]):
    """Which metadata each method asks for; never changed once it is made, so a copy is itself."""

    def __sklearn_clone__(self) -> Requests:
        return self


def _request_setter(method: str, names: list[str]) -> Callable[..., Any]:
    """Return the method ``set_{method}_request`` of a class."""

    def set_request(self: Estimator, **requests: bool | str | None) -> Estimator:
        sklearn = sys.modules.get("sklearn")
        if sklearn is None or not sklearn.get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                f"set_{method}_request has an effect only if metadata routing is enabled; call "
                "sklearn.set_config(enable_metadata_routing=True) first."
            )
        unknown = sorted(set(requests) - set(names))
        if unknown:
            raise TypeError(f"{method} takes {names!r} as metadata, not {unknown!r}.")
        # scikit-learn's clone carries an attribute of this name over to the copy.
        before = getattr(self, "_metadata_request", Requests())
        asked = {**before.get(method, {}), **requests}
        self._metadata_request = Requests({**before, method: asked})
        return self

    set_request.__name__ = f"set_{method}_request"
    set_request.__doc__ = f"""Say which metadata a meta-estimator passes on to ``{method}``.

        Parameters
        ----------
        **requests : bool, str or None
            For each of {names!r}: True to pass it on if it is given, False not to, None to refuse
            it, or the name under which the meta-estimator is given it.

        Returns
        -------
        self
            The estimator itself.
        """
    return set_request


class Estimator(metaclass=ABCMeta):
    """Parameters, validation and printing, common to everything that has a ``fit``.

    A subclass declares in ``_constraints`` what its parameters must be; they are checked before its
    ``fit`` or ``partial_fit`` runs. One that fails leaves the estimator as it was.

    Examples
    --------
    >>> from mlnotes.least_squares import LeastSquares
    >>> model = LeastSquares().set_params(fit_intercept=False)
    >>> model, model.get_params()["solver"]
    (LeastSquares(fit_intercept=False), 'certified')
    """

    _kind: ClassVar[str | None] = None
    _needs_y: ClassVar[bool] = False
    _multi_class: ClassVar[bool] = True
    # Whether what is learned has the size of a product of features, or if not, that of sums and
    # quotients; None where features are only compared, or scaled before they are used.
    _squares: ClassVar[bool | None] = None
    _constraints: ClassVar[Mapping[str, Constraint]] = {}

    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    _metadata_request: Requests

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for method in ("fit", "partial_fit"):
            if method in vars(cls):
                setattr(cls, method, _atomic(vars(cls)[method], anew=method == "fit"))
        for method in ROUTED:
            if method in vars(cls) and (names := _metadata(getattr(cls, method))):
                setattr(cls, f"set_{method}_request", _request_setter(method, names))

    @classmethod
    @functools.cache
    def _parameters(cls) -> dict[str, Any]:
        """Return the parameters of ``__init__`` with their defaults, in the order written."""
        _, *parameters = inspect.signature(cls.__init__).parameters.values()
        # A class without an __init__ of its own has the *args and **kwargs of object.
        return {
            p.name: p.default for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        }

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool
            Also those of parameters that are estimators themselves, as ``outer__inner``.

        Returns
        -------
        dict
            The values given to ``__init__`` or to :meth:`set_params`.
        """
        params = {name: getattr(self, name) for name in self._parameters()}
        if deep:
            for name, value in list(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    inner = value.get_params()
                    params.update({f"{name}__{key}": item for key, item in inner.items()})
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, those of an inner estimator as ``outer__inner``.

        Parameters
        ----------
        **params
            New values.

        Returns
        -------
        self
            The estimator itself.
        """
        known = list(self._parameters())
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for {self!r}; its parameters are {known!r}."
                )
            if inner:
                getattr(self, name).set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, default in self._parameters().items()
            if repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn calls this, so it is already loaded.
        from sklearn.utils import ClassifierTags, RegressorTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=self._kind,
            target_tags=TargetTags(required=self._needs_y),
            classifier_tags=(
                ClassifierTags(multi_class=self._multi_class)
                if self._kind == "classifier"
                else None
            ),
            regressor_tags=RegressorTags() if self._kind == "regressor" else None,
            transformer_tags=TransformerTags() if hasattr(self, "transform") else None,
        )

    def get_metadata_routing(self) -> Any:
        """Return which metadata each method asks for, as scikit-learn's meta-estimators want it.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRequest
            What the methods ``set_..._request`` have set.
        """
        # Only scikit-learn calls this, so it is already loaded.
        from sklearn.utils.metadata_routing import MetadataRequest

        request, asked = MetadataRequest(owner=self), getattr(self, "_metadata_request", {})
        for method in ROUTED:
            for name in _metadata(getattr(type(self), method, object)):
                alias = asked.get(method, {}).get(name)
                getattr(request, method).add_request(param=name, alias=alias)
        return request

    def __sklearn_is_fitted__(self) -> bool:
        # A fit that failed half-way has described its input but learned nothing.
        described = {"n_features_in_", "feature_names_in_", "classes_"}
        return any(_is_learned(name) and name not in described for name in vars(self))

    def _fit_matrix(self, X: ArrayLike, *, min_samples: int = 1) -> Array:
        """Validate the matrix given to ``fit`` and remember its columns."""
        owner = type(self).__name__
        array = check_matrix(X, owner=owner, min_samples=min_samples, squares=self._squares)
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        self.n_features_in_ = array.shape[1]
        return array

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise sklearn_compatible(NotFittedError)(
                f"This {type(self).__name__} instance is not fitted yet; call fit first."
            )

    def _use_matrix(self, X: ArrayLike) -> Array:
        """Validate a matrix given after ``fit``: it must have the columns that ``fit`` saw."""
        self._check_fitted()
        array = check_matrix(X, owner=type(self).__name__)
        self._check_names(feature_names(X))
        if array.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {array.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        return array

    def _check_names(self, names: NDArray[np.object_] | None) -> None:
        fitted = getattr(self, "feature_names_in_", None)
        if fitted is None or (names is not None and np.array_equal(names, fitted)):
            return
        if names is None:
            warn_at_caller(
                f"X does not have valid feature names, but {type(self).__name__} was fitted with "
                "feature names; pass a data frame with the same columns."
            )
            return
        lines = ["The feature names should match those that were passed during fit."]
        for title, odd in (
            ("Feature names unseen at fit time:", sorted(set(names) - set(fitted))),
            ("Feature names seen at fit time, yet now missing:", sorted(set(fitted) - set(names))),
        ):
            if odd:
                lines += [title, *(f"- {name}" for name in odd[:5])]
                lines += ["- ..."] if len(odd) > 5 else []
        if len(lines) == 1:
            lines.append("Feature names must be in the same order as they were in fit.")
        raise ValueError("\n".join(lines) + "\n")


def _average_weights(sample_weight: ArrayLike | None, n: int) -> Array | None:
    """Return the weights of an average, whose sum does not overflow."""
    weights = check_weights(sample_weight, n)
    return None if weights is None else scale_by_power_of_two(weights)[0]


class Classifier(Estimator):
    """An estimator whose ``predict`` returns class labels.

    A subclass gets ``classes_`` and each sample's position in it from ``_fit_codes``, which refuses
    labels that are none.

    Examples
    --------
    >>> class Majority(Classifier):
    ...     def fit(self, X, y):
    ...         codes = self._fit_codes(y, len(self._fit_matrix(X)))
    ...         self.winner_ = self.classes_[np.bincount(codes).argmax()]
    ...         return self
    ...
    ...     def predict(self, X):
    ...         return np.full(len(self._use_matrix(X)), self.winner_)
    >>> Majority().fit([[0.0], [1.0], [2.0]], ["a", "b", "b"]).score([[5.0]], ["b"])
    1.0
    """

    _kind = "classifier"
    _needs_y = True

    classes_: NDArray[Any]

    def _fit_codes(
        self, y: ArrayLike | None, n: int, weights: Array | None = None
    ) -> NDArray[np.intp]:
        """Set ``classes_`` and return the position in it of each sample of positive weight."""
        self.classes_, codes = check_labels(y, n, owner=type(self).__name__, weights=weights)
        return codes

    @abstractmethod
    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predicted class of each row of ``X``."""

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the accuracy: the (weighted) share of samples predicted correctly.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their true labels.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts.

        Returns
        -------
        float
            Between 0 and 1.
        """
        predicted = self.predict(X)
        truth = check_entries(y, len(predicted), type(self).__name__)
        weights = _average_weights(sample_weight, len(predicted))
        return float(np.average(predicted == truth, weights=weights))


class BinaryClassifier(Classifier):
    """A classifier of two classes by the sign of a real function.

    A subclass defines ``decision_function``; the class is the second one where it is positive.
    Exactly on the boundary the answer is the first class, a convention and not a conviction.

    Examples
    --------
    >>> class FirstFeature(BinaryClassifier):
    ...     def fit(self, X, y):
    ...         points = self._fit_matrix(X)
    ...         self.slope_ = self._fit_signs(y, len(points)) @ points[:, 0]
    ...         return self
    ...
    ...     def decision_function(self, X):
    ...         return self.slope_ * self._use_matrix(X)[:, 0]
    >>> FirstFeature().fit([[-1.0], [2.0]], ["no", "yes"]).predict([[3.0], [-3.0]]).tolist()
    ['yes', 'no']
    """

    _multi_class = False

    def _fit_signs(self, y: ArrayLike | None, n: int, weights: Array | None = None) -> Array:
        """Set ``classes_`` and return -1 for its first entry, +1 for its second.

        As for ``_fit_codes``, samples of weight zero are left out.
        """
        self.classes_, signs = check_binary(y, n, owner=type(self).__name__, weights=weights)
        return signs

    @abstractmethod
    def decision_function(self, X: ArrayLike) -> Array:
        """Return the real number whose sign decides, for each row of ``X``."""

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predicted class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``.
        """
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(np.intp)]


class LinearModel(Estimator):
    r"""A linear function of the features, with weights ``coef_`` and offset ``intercept_``.

    Examples
    --------
    >>> class Sum(LinearModel, Regressor):
    ...     def fit(self, X, y=None):
    ...         self._set_weights(np.ones(self._fit_matrix(X).shape[1]), 0.0)
    ...         return self
    ...
    ...     def predict(self, X):
    ...         return self._linear_function(X)
    >>> Sum().fit([[1.0, 2.0]]).predict([[3.0, 4.0]])
    array([7.])
    """

    coef_: Array
    intercept_: float | Array

    def _linear_function(self, X: ArrayLike) -> Array:
        """Return the value of the function, or of one function for each row of ``coef_``."""
        points = self._use_matrix(X)
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.asarray(points @ self.coef_.T + self.intercept_)
        if not np.isfinite(values).all():
            raise ValueError(
                f"What {type(self).__name__} predicts exceeds any float; divide X, or what it was "
                "fitted to, by a large number."
            )
        return values

    def _set_weights(self, theta: Array, offset: float | Array) -> None:
        self.coef_, self.intercept_ = theta, offset


class LinearClassifier(LinearModel):
    r"""A linear model whose value decides the class.

    Examples
    --------
    >>> class FirstFeature(LinearClassifier, BinaryClassifier):
    ...     def fit(self, X, y):
    ...         self._fit_signs(y, len(self._fit_matrix(X)))
    ...         self._set_weights(np.eye(self.n_features_in_)[0], 0.0)
    ...         return self
    >>> FirstFeature().fit([[-1.0], [2.0]], ["no", "yes"]).decision_function([[3.0]])
    array([3.])
    """

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return :math:`\langle\theta,x\rangle+\theta_0` for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive where the second class is predicted; with more than two classes a column for
            each of them.
        """
        return self._linear_function(X)


class Regressor(Estimator):
    """An estimator whose ``predict`` returns real numbers.

    Examples
    --------
    >>> class Mean(Regressor):
    ...     def fit(self, X, y):
    ...         self.mean_ = check_target(y, len(self._fit_matrix(X))).mean()
    ...         return self
    ...
    ...     def predict(self, X):
    ...         return np.full(len(self._use_matrix(X)), self.mean_)
    >>> Mean().fit([[0.0], [1.0]], [1.0, 3.0]).score([[0.0], [1.0]], [1.0, 3.0])
    0.0
    """

    _kind = "regressor"
    _needs_y = True

    @abstractmethod
    def predict(self, X: ArrayLike) -> Array:
        """Return the predicted target of each row of ``X``."""

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the coefficient of determination, 1 - Σ(y - ŷ)² / Σ(y - ȳ)².

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts.

        Returns
        -------
        float
            At most 1. For a constant ``y``, where the quotient is undefined: 1 if every prediction
            is exact up to rounding and 0 otherwise.
        """
        predicted = self.predict(X)
        truth = check_target(y, len(predicted), owner=type(self).__name__)
        weights = check_weights(sample_weight, len(predicted))
        return coefficient_of_determination(truth, predicted, weights)


class Clusterer(Estimator):
    """An estimator whose ``fit`` sets ``labels_``, the cluster of each sample.

    Examples
    --------
    >>> class Signs(Clusterer):
    ...     def fit(self, X, y=None):
    ...         self.labels_ = (self._fit_matrix(X)[:, 0] > 0).astype(int)
    ...         return self
    >>> Signs().fit_predict([[-1.0], [2.0], [3.0]])
    array([0, 1, 1])
    """

    _kind = "clusterer"

    labels_: NDArray[np.intp]

    @abstractmethod
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Find clusters in ``X`` and set ``labels_``."""

    def fit_predict(self, X: ArrayLike, y: ArrayLike | None = None) -> NDArray[np.intp]:
        """Fit and return the cluster of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored: there are no labels to learn from.

        Returns
        -------
        ndarray of shape (n_samples,)
            The fitted ``labels_``.
        """
        return self.fit(X).labels_


class Transformer(Estimator):
    """An estimator that maps samples to new features.

    A subclass defines ``fit``, ``_transform`` (array to array, input already validated) and
    ``_n_features_out``; names and data frames are handled here.

    Examples
    --------
    >>> class Centred(Transformer):
    ...     def fit(self, X, y=None):
    ...         self.mean_ = self._fit_matrix(X).mean(axis=0)
    ...         return self
    ...
    ...     def _transform(self, X):
    ...         return X - self.mean_
    ...
    ...     @property
    ...     def _n_features_out(self):
    ...         return self.n_features_in_
    >>> model = Centred()
    >>> model.fit_transform([[1.0], [3.0]]).tolist(), model.get_feature_names_out().tolist()
    ([[-1.0], [1.0]], ['centred0'])
    """

    _sklearn_output_config: dict[str, str]

    @property
    @abstractmethod
    def _n_features_out(self) -> int:
        """The number of columns that ``transform`` returns."""

    @abstractmethod
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn the transformation from ``X``."""

    @abstractmethod
    def _transform(self, X: Array) -> Array:
        """Return the new features of validated samples."""

    def transform(self, X: ArrayLike) -> Any:
        """Return the new features of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
            Or a data frame, if :meth:`set_output` asked for one.
        """
        return self._contain(self._transform(self._use_matrix(X)), X)

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> Any:
        """Fit and return the new features of the samples fitted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,), optional
            Passed to ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
            Or a data frame, if :meth:`set_output` asked for one.
        """
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return a name for each new feature: the lower-case class name and a number.

        Parameters
        ----------
        input_features : array-like of str, optional
            Must agree with the names seen in ``fit``, if there were any; not used otherwise.

        Returns
        -------
        ndarray of str
            One name for each column of the output of :meth:`transform`.
        """
        self._check_fitted()
        if input_features is not None:
            names = np.atleast_1d(np.asarray(input_features, dtype=object))
            fitted = getattr(self, "feature_names_in_", None)
            if fitted is not None and not np.array_equal(names, fitted):
                raise ValueError("input_features is not equal to feature_names_in_")
            if len(names) != self.n_features_in_:
                raise ValueError(
                    "input_features should have length equal to number of features "
                    f"({self.n_features_in_}), got {len(names)}"
                )
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self._n_features_out)], dtype=object)

    def set_output(
        self, *, transform: Literal["default", "pandas", "polars"] | None = None
    ) -> Self:
        """Choose what :meth:`transform` returns.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, optional
            A NumPy array or a data frame; None changes nothing.

        Returns
        -------
        self
            The estimator itself.
        """
        known = isinstance(transform, str) and transform in ("default", "pandas", "polars")
        if transform is not None and not known:
            raise ValueError(
                f"transform must be 'default', 'pandas' or 'polars', got {transform!r}."
            )
        if transform is not None:
            # scikit-learn's clone carries an attribute of this name over to the copy.
            self._sklearn_output_config = {"transform": transform}
        return self

    def _contain(self, values: Array, X: Any) -> Any:
        """Return ``values`` in the container that was asked for, here or in scikit-learn."""
        sklearn = sys.modules.get("sklearn")
        default = sklearn.get_config()["transform_output"] if sklearn else "default"
        container = getattr(self, "_sklearn_output_config", {}).get("transform", default)
        names = self.get_feature_names_out()
        if container == "pandas":
            import pandas

            index = X.index if isinstance(X, pandas.DataFrame) else None
            return pandas.DataFrame(values, columns=names, index=index, copy=False)
        if container == "polars":
            import polars

            return polars.DataFrame(values, schema=list(names), orient="row")
        return values
