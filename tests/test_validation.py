"""Bad input is refused with a sentence that says what was wrong and what to do."""

from __future__ import annotations

import contextlib
import inspect
import re
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from scipy import sparse

from mlnotes import validation
from mlnotes.exceptions import DataConversionWarning
from mlnotes.logistic_regression import irls_weights, logistic_loss, sigmoid
from mlnotes.support_vector_machines import hinge_loss
from tests.discovery import estimators, suited
from tests.specimens import Centring, Halves, NearestMean, Threshold

# Four points are too few for some models, which say so and give an answer.
pytestmark = pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")

ALL = [*estimators(), Centring, Halves, NearestMean, Threshold]
SUPERVISED = [cls for cls in ALL if cls._needs_y]
REGRESSORS = [cls for cls in estimators() if cls._kind == "regressor"]
CLASSIFIERS = [cls for cls in ALL if cls._kind == "classifier"]
WEIGHTED = [cls for cls in ALL if "sample_weight" in inspect.signature(cls.fit).parameters]
BINARY = [cls for cls in CLASSIFIERS if not cls._multi_class]
X = np.array([[0.0, 1.0], [1.0, 3.0], [5.0, 4.0], [6.0, 7.0]])
y = np.array([0, 0, 1, 1])

BAD_X = {
    "sparse": (sparse.csr_array(X), TypeError, r"X is sparse.*pass X\.toarray\(\)"),
    "complex": (X + 1j, ValueError, "Complex data not supported.*real and imaginary parts"),
    "text": (np.array([["a", "b"]] * 4), ValueError, "must hold numbers.*encode"),
    "dates": (X.astype("datetime64[D]"), ValueError, "must hold numbers.*encode"),
    "object": (np.array([[1, {}]] * 4, dtype=object), TypeError, "X must hold numbers only"),
    "text among": (np.array([[1, "b"]] * 4, dtype=object), ValueError, "must hold numbers.*encode"),
    "digits": (X.astype(str).astype(object), ValueError, "must hold numbers.*encode"),
    "ragged": ([[1.0, 2.0], [3.0]], ValueError, "X must have rows of one length.*inhomogeneous"),
    "long integer": ([[10**400, 1]] * 4, ValueError, "X must hold numbers only.*too large"),
    "masked": (np.ma.masked_equal(X, 4.0), ValueError, r"X has masked entries.*X\.data"),
    "vector": (X[:, 0], ValueError, r"Expected 2D array, got 1D.*X\.reshape\(-1, 1\)"),
    "cube": (X[None], ValueError, "Expected 2D array, got 3D"),
    "no samples": (X[:0], ValueError, r"0 sample\(s\).*minimum of [12]"),
    "no features": (X[:, :0], ValueError, r"0 feature\(s\).*minimum of 1"),
    "nan": (np.where(X == 4, np.nan, X), ValueError, "X contains NaN, first at row 2, column 1"),
    "inf": (np.where(X == 6, np.inf, X), ValueError, r"infinity \(inf\), first at row 3, column 0"),
    "nothing": (None, ValueError, "X is None; pass"),
    "pandas' NA": (
        pandas.DataFrame({"a": [1, pandas.NA, 2, 3], "b": 1.0}),
        ValueError,
        r"X contains NaN or a missing value \(NA\).*drop or impute",
    ),
    "nullable": (
        pandas.DataFrame({"a": pandas.array([1, None, 2, 3], dtype="Int64")}),
        ValueError,
        "X contains NaN.*drop or impute",
    ),
    "lazy": (polars.LazyFrame({"a": [1.0, 2.0]}), TypeError, r"X is a lazy.*pass X\.collect\(\)"),
    "missing": (pandas.DataFrame(X).replace(4.0, None), ValueError, "NaN|numbers"),
}


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("case", BAD_X)
def test_bad_samples_are_refused_in_fit_and_in_use(cls: type[Any], case: str) -> None:
    bad, error, message = BAD_X[case]
    with pytest.raises(error, match=message):
        cls().fit(bad, y)
    fitted = cls().fit(X, y)
    use = fitted.predict if hasattr(fitted, "predict") else fitted.transform
    with pytest.raises((error, ValueError), match=message):
        use(bad)


BAD_Y = {
    "none": (None, ValueError, "requires y to be passed, but the target y is None"),
    "short": (y[:3], ValueError, "X has 4 rows, y has 3 entries"),
    "long": ([0, 1, 0, 1, 0], ValueError, "X has 4 rows, y has 5 entries"),
    "nan": ([0, 1, np.nan, 1], ValueError, "y contains NaN, first at row 2"),
    "inf": ([0, 1, 1, -np.inf], ValueError, r"y contains infinity \(inf\), first at row 3"),
    "two columns": (np.ones((4, 2)), ValueError, r"y should be a 1d array.*shape \(4, 2\)"),
    "complex": (y + 1j, ValueError, "Complex data not supported"),
    "sparse": (sparse.csr_array(y[None]), TypeError, "y is sparse"),
    "scalar": (1.0, ValueError, "y should be a 1d array"),
    "name": ("y", ValueError, r"y is the text 'y'; pass the labels themselves.*frame\['y'\]"),
    "lazy": (polars.LazyFrame({"y": y}), TypeError, r"y is a lazy.*pass y\.collect\(\)"),
    "masked": (np.ma.masked_array(y, [0, 0, 0, 1]), ValueError, "y has masked entries"),
}


@pytest.mark.parametrize("cls", SUPERVISED, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("case", BAD_Y)
def test_bad_targets_are_refused(cls: type[Any], case: str) -> None:
    bad, error, message = BAD_Y[case]
    with pytest.raises(error, match=message):
        cls().fit(X, bad)


BAD_LABELS = {
    "one class": ([1, 1, 1, 1], r"at least two classes, got 1 class: \[1\]"),
    "continuous": ([0.0, 0.5, 1.0, 1.5], "Unknown label type: continuous.*use a regressor"),
    "none among": (np.array(["a", "b", None, "a"], dtype=object), "contains NaN or None"),
    "nan among": (np.array(["a", "b", np.nan, "a"], dtype=object), "contains NaN or None"),
    "mixed": (np.array(["a", 1, "a", 1], dtype=object), "cannot be ordered.*one type"),
    # NumPy would make strings of these: "nan" a third class, "1" a label that nobody gave.
    "nan in a list": (["a", "b", np.nan, "a"], "contains NaN or None"),
    "mixed in a list": (["a", 1, "a", 1], "cannot be ordered.*one type"),
    "sets": (
        np.array([frozenset(s) for s in ("ab", "bc", "ab", "ca")] + [None], dtype=object)[:4],
        "not in one order.*use strings or whole numbers",
    ),
    "no time": (np.array([0, "NaT", 1, 1], dtype="M8[D]"), "contains NaN or None"),
    "pandas' NA": (np.array(["a", "b", pandas.NA, "a"], dtype=object), "contains NaN or None"),
}


@pytest.mark.parametrize("cls", CLASSIFIERS, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_labels_are_refused(cls: type[Any], case: str) -> None:
    bad, message = BAD_LABELS[case]
    with pytest.raises(ValueError, match=message):
        cls().fit(X, bad)


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-160, 1e-100, 1e100, 1e160, 1e300, 2.5e307])
def test_extreme_scales_have_an_answer_or_a_remedy(cls: type[Any], scale: float) -> None:
    refusal, model = "", cls()
    centred = X - X.mean(axis=0)  # differences may be twice as large as any entry
    try:
        model.fit(scale * suited(cls, centred), y)  # numerical warnings are errors
    except ValueError as error:
        refusal = str(error)
    assert not refusal or re.search("scale|divide|multiply", refusal)
    learned = [value for name, value in vars(model).items() if name.endswith("_")]
    numbers = [value for value in learned if isinstance(value, float | np.ndarray)]
    assert not any(np.isnan(np.asarray(value, dtype=float)).any() for value in numbers)


@pytest.mark.filterwarnings("ignore:.*joined to no labelled one")
@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("scale", [2.0**-500, 2.0**500])
def test_many_samples_of_extreme_scale_have_an_answer(cls: type[Any], scale: float) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(40, 4))
    labels = (points[:, 0] > points[:, 1] ** 2 - 0.5).astype(int)
    scaled = scale * suited(cls, points)
    model = cls().set_params(**{k: 300 for k in cls().get_params() if k == "max_iter"})
    model.fit(scaled, labels)  # numerical warnings are errors
    for name in ("predict", "predict_proba", "decision_function", "score_samples", "transform"):
        answer = getattr(model, name, lambda points: 0.0)(scaled)
        assert not np.isnan(answer).any()


@pytest.mark.parametrize("cls", REGRESSORS, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300, 1.7e308])
def test_extreme_targets_have_an_answer_or_a_remedy(cls: type[Any], scale: float) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(40, 2))
    target = scale * np.clip(np.round(points[:, 0] + rng.normal(size=40) / 4), -1, 1)
    refusal, model = "", cls()
    try:
        score = model.fit(points, target).score(points, target)
    except ValueError as error:
        refusal = str(error)
    if refusal:
        assert re.search("scale|divide|multiply", refusal)
    else:
        plain = cls().fit(points, target / scale).score(points, target / scale)
        # A penalty is in units of squared targets, and swallows small ones.
        assert score == pytest.approx(plain, abs=0.05) or hasattr(model, "penalty")
        assert -1e-15 <= score <= 1  # the mean of all targets alone scores zero, but for rounding
        assert np.isfinite(model.predict(points)).all()


@pytest.mark.parametrize("cls", REGRESSORS, ids=lambda cls: cls.__name__)
def test_a_constant_target_is_predicted_to_rounding_and_scores_one(cls: type[Any]) -> None:
    target = np.full(12, 0.1)
    points = np.random.default_rng(0).normal(size=(12, 2))
    assert cls().fit(points, target).score(points, target) == 1.0


@pytest.mark.parametrize("cls", estimators(), ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e300])
def test_samples_far_from_those_fitted_have_an_answer_or_a_remedy(
    cls: type[Any], scale: float
) -> None:
    model = cls().fit(X, y)
    for name in ("predict", "predict_proba", "decision_function", "score_samples", "transform"):
        refusal, answer = "", 0.0
        try:
            answer = getattr(model, name, lambda points: 0.0)(scale * X)
        except ValueError as error:
            refusal = str(error)
        assert not refusal or re.search("scale|divide|multiply", refusal)
        assert not np.isnan(answer).any()


@pytest.mark.parametrize("cls", [cls for cls in ALL if cls._squares], ids=lambda cls: cls.__name__)
def test_what_needs_squares_refuses_numbers_without_them(cls: type[Any]) -> None:
    with pytest.raises(ValueError, match=f"{cls.__name__} needs the squares.*7e-200; multiply X"):
        cls().fit(1e-200 * X, y)
    with pytest.raises(ValueError, match=f"{cls.__name__} needs the squares.*7e.200; divide X"):
        cls().fit(suited(cls, -1e200 * X), y)
    # Zeros have a square; some methods need samples that differ.
    with contextlib.suppress(ValueError) if cls.__name__ == "FastICA" else contextlib.nullcontext():
        cls().fit(0 * X, y)


@pytest.mark.parametrize("cls", BINARY, ids=lambda cls: cls.__name__)
def test_three_classes_are_too_many_for_a_binary_classifier(cls: type[Any]) -> None:
    with pytest.raises(ValueError, match=r"Only binary.*got 3 classes.*against the rest"):
        cls().fit(X, [0, 1, 2, 1])


@pytest.mark.parametrize("cls", BINARY, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize(
    "labels",
    [[-1, 1], [0, 1], [1, 2], ["no", "yes"], [False, True], [2.0, 7.0], [b"n", b"y"]],
    ids=repr,
)
def test_any_two_labels_give_the_same_classifier(cls: type[Any], labels: list[Any]) -> None:
    named = np.array(labels)[y]
    # One that learns from unlabelled samples has to be told that -1 is a class.
    told = {"unlabelled": None} if -1 in labels and hasattr(cls(), "unlabelled") else {}
    model, expected = cls(**told).fit(X, named), cls().fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    np.testing.assert_array_equal(model.classes_, labels)
    np.testing.assert_array_equal(model.predict(X), np.array(labels)[expected.predict(X)])


@pytest.mark.parametrize("cls", SUPERVISED, ids=lambda cls: cls.__name__)
def test_a_single_column_is_accepted_with_a_warning(cls: type[Any]) -> None:
    with pytest.warns(DataConversionWarning, match=r"pass y\.ravel\(\)"):
        model = cls().fit(X, y[:, None])
    np.testing.assert_array_equal(model.predict(X), cls().fit(X, y).predict(X))


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_whatever_holds_numbers_is_accepted(cls: type[Any]) -> None:
    def outcome(data: Any) -> Any:
        model = cls().fit(data, y)
        return model.predict(X) if hasattr(model, "predict") else model.transform(X)

    for data in (X.tolist(), X.astype(int), X.astype(object), np.asfortranarray(X)):
        np.testing.assert_allclose(outcome(data), outcome(X), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_fitting_does_not_change_its_input(cls: type[Any]) -> None:
    data, target = X.copy(), y.copy()
    cls().fit(data, target)
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(target, y)


@pytest.mark.parametrize("place", [0, 8191, 8192, 14_999])
@pytest.mark.parametrize(("wrong", "word"), [(np.nan, "NaN"), (-np.inf, "infinity")])
def test_a_number_that_is_none_is_found_wherever_it_is(place: int, wrong: float, word: str) -> None:
    X = np.ones((5000, 3))
    X.flat[place] = wrong
    where = f"row {place // 3}, column {place % 3}"
    for layout in (X, np.asfortranarray(X)):
        with pytest.raises(ValueError, match=f"{word}.*{where}"):
            validation.check_matrix(layout)


def test_a_sum_that_overflows_does_not_make_finite_data_infinite() -> None:
    huge = np.full((4, 1), 1e308)
    np.testing.assert_array_equal(validation.check_matrix(huge), huge)


def test_a_matrix_of_float64_is_not_copied() -> None:
    assert validation.check_matrix(X) is X


def test_too_few_samples_name_who_needs_more() -> None:
    with pytest.raises(ValueError, match=r"minimum of 5 is required by kNN"):
        validation.check_matrix(X, owner="kNN", min_samples=5)


def test_vectors_must_have_the_right_shape() -> None:
    with pytest.raises(ValueError, match=r"theta must be a vector, got an array of shape \(2, 2\)"):
        validation.check_vector(np.eye(2), name="theta")
    with pytest.raises(ValueError, match="theta has length 2, but length 3 is needed"):
        validation.check_vector([1.0, 2.0], 3, name="theta")
    with pytest.raises(ValueError, match="theta contains NaN"):
        validation.check_vector([1.0, np.nan], name="theta")


def test_signs_must_be_signs_and_the_remedy_is_named() -> None:
    np.testing.assert_array_equal(validation.check_signs([1, -1, 1], 3), [1.0, -1.0, 1.0])
    with pytest.raises(ValueError, match=r"got \{0, 1\}; pass y = 2\*y - 1"):
        validation.check_signs([0, 1, 1], 3)
    with pytest.raises(ValueError, match=r"got \{'a', 'b'\}; map the two classes"):
        validation.check_signs(["a", "b"], 2)
    with pytest.raises(ValueError, match=r"map the two classes"):
        validation.check_signs(np.array([None, 1], dtype=object), 2)
    with pytest.raises(ValueError, match="X has 3 rows, y has 2 entries"):
        validation.check_signs([1, -1], 3)


def outcome(model: Any, points: Any) -> Any:
    """What a fitted model says about points, in as much detail as it can."""
    for name in ("predict_proba", "decision_function", "predict", "transform"):
        if hasattr(model, name):
            return getattr(model, name)(points)
    raise AssertionError(model)


@pytest.fixture(scope="module")
def weighted() -> tuple[Any, Any, Any]:
    """Two clouds that overlap, and weights of which a third are zero."""
    rng = np.random.default_rng(5)
    labels = np.repeat([0, 1], 15)
    weights = rng.uniform(0.5, 2.0, size=30)
    weights[::3] = 0
    return rng.normal(size=(30, 2)) + labels[:, None], labels, weights


@pytest.mark.parametrize("cls", WEIGHTED, ids=lambda cls: cls.__name__)
def test_a_sample_of_weight_zero_is_one_left_out(
    cls: type[Any], weighted: tuple[Any, Any, Any]
) -> None:
    points, labels, weights = weighted
    counted = weights > 0
    # Far away, with a label of its own: whatever it enters would show it.
    points, labels = points.copy(), labels.copy()
    points[~counted] *= 1e6
    labels[0] = 2
    model = cls().fit(points, labels, sample_weight=weights)
    expected = cls().fit(points[counted], labels[counted], sample_weight=weights[counted])
    np.testing.assert_array_equal(outcome(model, points), outcome(expected, points))
    if hasattr(model, "classes_"):
        assert model.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("cls", WEIGHTED, ids=lambda cls: cls.__name__)
def test_a_class_of_weight_zero_is_no_class(cls: type[Any], weighted: tuple[Any, Any, Any]) -> None:
    points, labels, weights = weighted
    if cls._kind == "classifier":
        message = rf"{cls.__name__} needs samples of positive weight .* two classes.*\[1\]"
        with pytest.raises(ValueError, match=message):
            cls().fit(points, labels, sample_weight=weights * labels)


@pytest.mark.parametrize("cls", WEIGHTED, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e-100, 1e100, 1e200, 1.7e308])
@pytest.mark.parametrize("where", ["everywhere", "at one sample", "in one class"])
def test_extreme_weights_have_an_answer_or_a_remedy(
    cls: type[Any], size: float, where: str, weighted: tuple[Any, Any, Any]
) -> None:
    points, labels, _ = weighted
    points = 3 * points  # nearly separable
    chosen = {"everywhere": labels >= 0, "at one sample": np.arange(30) == 4}
    weights = np.where(chosen.get(where, labels > 0), size, 1.0)
    model = cls().set_params(**{k: 300 for k in cls().get_params() if k == "max_iter"})
    refusal = ""
    try:
        model.fit(points, labels, sample_weight=weights)  # numerical warnings are errors
    except ValueError as error:
        refusal = str(error)
    assert "scale" in refusal if refusal else np.isfinite(outcome(model, points)).all()


@pytest.mark.parametrize("cls", WEIGHTED, ids=lambda cls: cls.__name__)
def test_only_a_penalty_or_a_bootstrap_makes_the_unit_of_weights_matter(
    cls: type[Any], weighted: tuple[Any, Any, Any]
) -> None:
    if hasattr(cls, "estimators_samples_"):
        return  # weights say how often to draw
    points, labels, weights = weighted
    plain = outcome(cls().fit(points, labels, sample_weight=weights), points)
    for unit in (2.0**-1000, 2.0**1000):
        penalty = {k: unit * v for k, v in cls().get_params().items() if k == "penalty"}
        model = cls().set_params(**penalty)
        if "C" not in model.get_params():
            found = outcome(model.fit(points, labels, sample_weight=unit * weights), points)
            np.testing.assert_allclose(found, plain, rtol=1e-9, atol=1e-12)


def test_weights_must_be_weights() -> None:
    assert validation.check_weights(None, 3) is None
    with pytest.raises(ValueError, match="must not be negative"):
        validation.check_weights([1.0, -1.0], 2)
    with pytest.raises(ValueError, match="zero for every sample"):
        validation.check_weights([0.0, 0.0], 2)
    with pytest.raises(ValueError, match="sample_weight has length 2, but length 3"):
        validation.check_weights([1.0, 1.0], 3)
    with pytest.raises(ValueError, match="sample_weight contains NaN"):
        validation.check_weights([1.0, np.nan], 2)


@pytest.mark.parametrize("bad", [0, -1, 2.0, "3", None, True])
def test_a_count_is_a_positive_integer(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"max_iter must be an integer of at least 1, got"):
        validation.check_count(bad, "max_iter")


@pytest.mark.parametrize("bad", [0, -1.0, np.inf, np.nan, "1", None])
def test_a_rate_is_a_positive_number(bad: Any) -> None:
    with pytest.raises(ValueError, match="learning_rate must be a positive number, got"):
        validation.check_positive(bad, "learning_rate")


def test_names_are_taken_only_if_all_are_strings() -> None:
    frame = pandas.DataFrame(X)
    assert validation.feature_names(frame) is None
    assert validation.feature_names(frame.rename(columns={0: "a"})) is None
    named = validation.feature_names(frame.rename(columns={0: "a", 1: "b"}))
    assert named is not None
    assert named.tolist() == ["a", "b"]


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8"])
def test_classes_of_integers_are_those_of_a_sort(dtype: str) -> None:
    limits = np.iinfo(dtype)
    rng = np.random.default_rng(0)
    for low, high in ((limits.min, limits.max), (3, 9), (0, 2)):
        labels = rng.integers(low, high, size=50, dtype=dtype, endpoint=True)
        classes, codes = validation.check_labels(labels, 50)
        expected, inverse = np.unique(labels, return_inverse=True)
        assert classes.dtype == labels.dtype
        np.testing.assert_array_equal(classes, expected)
        np.testing.assert_array_equal(codes, inverse)


def test_labels_that_form_a_chain_are_in_order() -> None:
    chain = np.array([frozenset("ab"), frozenset("a"), frozenset("abc"), None], dtype=object)[:3]
    classes, codes = validation.check_labels(chain, 3)
    assert codes.tolist() == [1, 0, 2]
    assert classes.tolist() == [frozenset("a"), frozenset("ab"), frozenset("abc")]


def test_random_states_are_seeds_or_generators() -> None:
    rng = np.random.default_rng(3)
    assert validation.check_random_state(rng) is rng
    first, second = (validation.check_random_state(np.int64(3)).random() for _ in range(2))
    assert first == second == np.random.default_rng(3).random()
    for bad in (-1, 1.0, True, "0", np.random.RandomState(0)):
        with pytest.raises(ValueError, match=r"seed must be a nonneg.*default_rng\(0\)"):
            validation.check_random_state(bad, "seed")


@pytest.mark.parametrize("function", [sigmoid, logistic_loss, irls_weights, hinge_loss])
def test_nothing_is_no_number(function: Any) -> None:
    """None would be read as NaN, and answered by NaN."""
    with pytest.raises(ValueError, match="is None; pass numbers"):
        function(None)
