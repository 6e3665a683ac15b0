"""Every public estimator keeps the contract, and nothing of it needs scikit-learn at run time."""

from __future__ import annotations

import ast
import doctest
import json
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
import sklearn
from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.exceptions import NotFittedError as SklearnNotFittedError
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

import mlnotes
from mlnotes._constraints import Anything
from mlnotes.base import Classifier, Clusterer, Regressor, Transformer
from mlnotes.exceptions import ConvergenceWarning, NotFittedError, sklearn_compatible
from mlnotes.least_squares import LeastSquares
from mlnotes.perceptron import Perceptron
from mlnotes.theorems import registry
from tests.discovery import estimators, modules, suited, takes_only_positive
from tests.specimens import Centring, Forgetful, Halves, NearestMean, Threshold, Wrapper

ROOT = Path(__file__).parent.parent
ESTIMATORS = estimators()
SPECIMENS = [Centring, Halves, NearestMean]
# The cheap way to a finished run where the data are not separable.
FAST = {"max_iter": 50, "max_updates": 50}


def run_python(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def problem(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """Two separable clouds, with labels 0 and 1 that also serve as a regression target.

    They have no negative coordinates for an estimator that refuses these.
    """
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    X = rng.normal(size=(60, 3)) + 4.0 * y[:, None]
    return suited(request.getfixturevalue("cls"), X), y


def made(cls: type[Any]) -> Any:
    estimator = cls()
    known = estimator.get_params()
    return estimator.set_params(**{k: v for k, v in FAST.items() if k in known})


def said(estimator: Any, points: Any) -> Any:
    """What a fitted estimator says about points: what it predicts, or their new features."""
    return getattr(estimator, "predict" if hasattr(estimator, "predict") else "transform")(points)


# What can choose parameters by cross-validation.
SCORED = [cls for cls in ESTIMATORS if hasattr(cls, "score")]


@pytest.fixture(scope="module")
def reports(once: Callable[..., Path]) -> dict[str, list[dict[str, Any]]]:
    """What scikit-learn's suite says about every public estimator and the specimens."""
    classes = [*ESTIMATORS, *SPECIMENS, Forgetful]
    names = [f"{cls.__module__}:{cls.__name__}" for cls in classes]

    def run(folder: Path) -> None:
        said = run_python("-m", "tests.estimator_checks", *names)
        (folder / "report.json").write_text(said, encoding="utf-8")

    text = (once("estimator_checks", run) / "report.json").read_text(encoding="utf-8")
    report: dict[str, list[dict[str, Any]]] = json.loads(text)
    return report


@pytest.mark.parametrize("cls", [*ESTIMATORS, *SPECIMENS], ids=lambda cls: cls.__name__)
def test_scikit_learns_whole_suite_passes_with_nothing_skipped(
    cls: type[Any], reports: dict[str, list[dict[str, Any]]]
) -> None:
    results = reports[f"{cls.__module__}:{cls.__name__}"]
    assert len(results) > 40
    assert [r for r in results if r["status"] != "passed" or r["expected_to_fail"]] == []


def test_the_suite_fails_where_a_value_of_y_means_no_label_and_nowhere_else() -> None:
    name = "mlnotes.semi_supervised:SemiSupervisedNaiveBayes"
    (results,) = json.loads(run_python("-m", "tests.estimator_checks", "--default", name)).values()
    failed = {r["check"]: r["exception"] for r in results if r["status"] != "passed"}
    # The check passes -1 as a class, from which it spares scikit-learn's own estimators by name.
    assert set(failed) == {"check_classifiers_classes"}
    assert "pass unlabelled=None" in failed["check_classifiers_classes"]


def test_the_suite_notices_a_broken_estimator(
    reports: dict[str, list[dict[str, Any]]],
) -> None:
    results = reports["tests.specimens:Forgetful"]
    failed = {r["check"] for r in results if r["status"] == "failed"}
    assert "check_n_features_in_after_fitting" in failed
    assert "check_estimators_unfitted" in failed


def test_discovery_finds_the_estimators_of_the_chapters_and_no_base_class() -> None:
    names = {cls.__name__ for cls in ESTIMATORS}
    assert {"Perceptron", "PocketPerceptron", "LeastSquares"} <= names
    assert not names & {"Estimator", "Classifier", "BinaryClassifier", "Regressor"}


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_works_in_a_pipeline(cls: type[Any], problem: tuple[Any, Any]) -> None:
    X, y = problem
    scaler = MinMaxScaler() if takes_only_positive(cls) else StandardScaler()
    scaled = scaler.fit_transform(X)
    piped = make_pipeline(scaler, made(cls)).fit(X, y)
    alone = made(cls).fit(scaled, y)
    np.testing.assert_array_equal(said(piped, X), said(alone, scaled))
    if hasattr(alone, "score"):
        assert piped.score(X, y) == alone.score(scaled, y)
    if alone._needs_y:
        assert piped.score(X, y) > 0.8


@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("cls", SCORED, ids=lambda cls: cls.__name__)
def test_works_in_cross_validation_and_grid_search(
    cls: type[Any], problem: tuple[Any, Any]
) -> None:
    X, y = problem
    order = np.random.default_rng(1).permutation(len(y))
    X, y = X[order], y[order]
    ((name, values),) = cls._laws.grid.items()
    scores = {
        value: cross_val_score(made(cls).set_params(**{name: value}), X, y, cv=3).mean()
        for value in values
    }
    if cls._needs_y:
        assert scores[values[0]] > 0.5
    search = GridSearchCV(made(cls), {name: values}, cv=3).fit(X, y)
    assert search.best_score_ == max(scores.values())
    assert scores[search.best_params_[name]] == search.best_score_


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_pickles_and_clones(cls: type[Any], problem: tuple[Any, Any]) -> None:
    X, y = problem
    fitted = made(cls).fit(X, y)
    copy = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(said(copy, X), said(fitted, X))
    fresh = clone(fitted)
    assert fresh.get_params() == fitted.get_params()
    with pytest.raises(NotFittedError):
        said(fresh, X)


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_learns_nothing_from_a_fit_that_failed(cls: type[Any], problem: tuple[Any, Any]) -> None:
    X, y = problem
    estimator = made(cls)
    if cls._needs_y:
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            estimator.fit(X, y[:-1])
    with pytest.raises(ValueError, match="contains NaN"):
        estimator.fit(np.where(np.equal(X, X[0, 0]), np.nan, X), y)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        said(estimator, X)


def fitted_state(estimator: Any) -> bytes:
    """Everything an estimator knows, so that a changed digit shows."""
    return pickle.dumps(vars(estimator))


def failing_fits(cls: type[Any], X: Any, y: Any) -> list[tuple[Any, Any, dict[str, Any]]]:
    """Inputs and parameters that a fit refuses, at its start, in its middle and near its end."""
    wider = np.column_stack([X, X[:, 0]])
    fits = [
        (np.where(np.equal(X, X[0, 0]), np.nan, X), y, {}),
        (pandas.DataFrame(wider, columns=list("abcd")).iloc[:0], y[:0], {}),
    ]
    if cls._needs_y:
        fits += [(wider, y[:-1], {}), (wider, None, {})]
    if cls._kind == "classifier":
        fits += [(wider, np.zeros(len(y), dtype=int), {})]
    fits += [(wider, y, {name: object()}) for name in cls().get_params(deep=False)]
    return fits


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_a_failed_refit_leaves_the_estimator_as_it_was(
    cls: type[Any], problem: tuple[Any, Any]
) -> None:
    X, y = problem
    estimator = made(cls).fit(X, y)
    fitted = fitted_state(estimator)
    refused = 0
    for points, labels, parameters in failing_fits(cls, X, y):
        given = {name: getattr(estimator, name) for name in parameters}
        estimator.set_params(**parameters)
        try:
            estimator.fit(points, labels)
        except (TypeError, ValueError, AttributeError):
            refused += 1
            estimator.set_params(**given)
            assert fitted_state(estimator) == fitted
        else:
            estimator = made(cls).fit(X, y)
    assert refused >= 2


BATCHED = [cls for cls in ESTIMATORS if hasattr(cls, "partial_fit")]


@pytest.mark.parametrize("cls", BATCHED, ids=lambda cls: cls.__name__)
def test_a_batch_that_fails_leaves_the_estimator_as_it_was(
    cls: type[Any], problem: tuple[Any, Any]
) -> None:
    X, y = problem
    estimator = made(cls).partial_fit(X, y)
    fitted = fitted_state(estimator)
    refused = [(X[:, :2], y), (np.where(np.equal(X, X[0, 0]), np.nan, X), y)]
    refused += [(X, y[:-1])] if cls._needs_y else []
    for points, labels in refused:
        with pytest.raises(ValueError, match=r"features|NaN|inconsistent"):
            estimator.partial_fit(points, labels)
        assert fitted_state(estimator) == fitted
    for name in estimator.get_params(deep=False):
        if not isinstance(cls._constraints[name], Anything):
            with pytest.raises((TypeError, ValueError), match=name):
                made(cls).set_params(**{name: object()}).partial_fit(X, y)


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_an_interrupted_refit_leaves_the_estimator_as_it_was(
    cls: type[Any], problem: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = problem
    estimator = made(cls).fit(X, y)
    fitted = fitted_state(estimator)
    reading = cls._fit_matrix

    def interrupted(self: Any, *args: Any, **kwargs: Any) -> Any:
        reading(self, *args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(cls, "_fit_matrix", interrupted)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(np.column_stack([X, X]), y)
    assert fitted_state(estimator) == fitted


def test_a_refit_leaves_nothing_of_the_fit_before() -> None:
    frame = pandas.DataFrame([[0.0], [1.0], [2.0]], columns=["a"])
    model = LeastSquares().fit(frame, [0.0, 1.0, 3.0])
    model.fit(frame.to_numpy(), [0.0, 1.0, 3.0])
    assert not hasattr(model, "feature_names_in_")


def test_a_base_class_with_abstract_methods_cannot_be_made() -> None:
    for base in (Classifier, Clusterer, Regressor, Transformer):
        with pytest.raises(TypeError, match="abstract"):
            base()


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_every_parameter_has_a_constraint_declared_on_the_class(cls: type[Any]) -> None:
    assert set(cls._constraints) == set(cls().get_params(deep=False))
    for name, constraint in cls._constraints.items():
        constraint.check(getattr(cls(), name), name)


RANDOM = [cls for cls in ESTIMATORS if "random_state" in cls().get_params()]


@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("cls", RANDOM, ids=lambda cls: cls.__name__)
def test_a_generator_fits_what_its_seed_fits(cls: type[Any], problem: tuple[Any, Any]) -> None:
    def learned(random_state: Any) -> dict[str, Any]:
        state = vars(made(cls).set_params(random_state=random_state).fit(*problem))
        return {name: pickle.dumps(value) for name, value in state.items() if name[-1] == "_"}

    assert learned(3) == learned(np.int32(3)) == learned(np.random.default_rng(3))
    with pytest.raises(ValueError, match="random_state must be a nonnegative integer or a numpy"):
        learned(np.random.RandomState(3))


def private_imports(path: Path) -> list[str]:
    """The private names that a file of the package imports from another part of it.

    What is private directly below the package is shared by all of it.
    """
    home = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("mlnotes"):
            continue
        for name in node.names:
            parts = f"{node.module}.{name.name}".split(".")
            owners = [".".join(parts[:k]) for k, part in enumerate(parts) if part[0] == "_"]
            if not all(
                f"{home}.".startswith(f"{owner}.") for owner in owners if owner != "mlnotes"
            ):
                found.append(f"{home} imports {'.'.join(parts)}")
    return found


def test_no_chapter_imports_private_names_of_another() -> None:
    provers = {"proof", "trusted", "theorems"}
    sources = [
        path
        for path in (ROOT / "mlnotes").rglob("*.py")
        if path.relative_to(ROOT / "mlnotes").parts[0] not in provers
    ]
    assert len(sources) > 60
    assert [line for path in sources for line in private_imports(path)] == []


def test_a_module_of_a_chapter_can_be_read_at_a_sitting() -> None:
    """About 600 lines with its docstrings; beyond, it is a package of several."""
    chapters = {path.stem for path in (ROOT / "book").glob("*.md")}
    sources = [
        path
        for path in (ROOT / "mlnotes").rglob("*.py")
        if {part.removesuffix(".py") for part in path.relative_to(ROOT).parts[1:2]} & chapters
        or path.parent.parts[-1] == "_solvers"
    ]
    assert len(sources) > 60
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > 650} == {}


def test_a_private_name_of_another_chapter_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    home = tmp_path / "mlnotes" / "kernels"
    home.mkdir(parents=True)
    for line, refused in (
        ("from mlnotes.perceptron._algorithms import pocket", True),
        ("from mlnotes.perceptron import _algorithms", True),
        ("from mlnotes.validation import _arrays", True),
        ("from mlnotes._numerics import _hidden", True),
        ("from mlnotes.kernels._solver import solve", False),
        ("from mlnotes._solvers.smo import polish", False),
        ("from mlnotes import _numerics", False),
        ("from mlnotes.perceptron import pocket", False),
    ):
        (home / "_part.py").write_text(line)
        assert bool(private_imports(home / "_part.py")) is refused, line


STOPPED = [cls for cls in ESTIMATORS if cls._laws.unfinished]


@pytest.mark.parametrize("cls", STOPPED, ids=lambda cls: cls.__name__)
def test_convergence_warnings_point_at_the_line_that_called(cls: type[Any]) -> None:
    estimator = cls(**cls._laws.unfinished)
    rng = np.random.default_rng(0)
    X, y = suited(cls, rng.normal(size=(60, 2))), np.arange(60) % 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X, y)
    found = [w for w in caught if issubclass(w.category, ConvergenceWarning)]
    assert [w.filename for w in found] == [__file__]


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_metadata_is_routed_through_a_pipeline_only_as_requested(
    cls: type[Any], problem: tuple[Any, Any]
) -> None:
    X, y = problem
    weights = np.linspace(1.0, 2.0, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        request = made(cls).get_metadata_routing()
        if not has_fit_parameter(cls(), "sample_weight"):
            assert "sample_weight" not in request.fit.requests
            return
        piped = make_pipeline(made(cls).set_fit_request(sample_weight=True))
        piped.fit(X, y, sample_weight=weights)
        alone = made(cls).fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(said(piped, X), said(alone, X))
        assert clone(piped[-1]).get_metadata_routing().fit.requests == {"sample_weight": True}
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            make_pipeline(made(cls)).fit(X, y, sample_weight=weights)
        with pytest.raises(TypeError, match="takes"):
            made(cls).set_fit_request(weight=True)
    with pytest.raises(RuntimeError, match="enable_metadata_routing"):
        made(cls).set_fit_request(sample_weight=True)


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_unfitted_use_is_an_error_that_scikit_learn_recognises(
    cls: type[Any], problem: tuple[Any, Any]
) -> None:
    with pytest.raises(SklearnNotFittedError):
        said(cls(), problem[0])
    with pytest.raises(SklearnNotFittedError):
        check_is_fitted(cls())
    check_is_fitted(made(cls).fit(*problem))


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_other_features_than_those_fitted_are_refused(
    cls: type[Any], problem: tuple[Any, Any]
) -> None:
    fitted = made(cls).fit(*problem)
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 3 features"):
        said(fitted, problem[0][:, :2])


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_works_on_data_frames_and_remembers_their_columns(
    cls: type[Any], problem: tuple[Any, Any]
) -> None:
    X, y = problem
    expected = said(made(cls).fit(X, y), X)
    for frame in (pandas.DataFrame(X, columns=list("abc")), polars.DataFrame(X, list("abc"))):
        fitted = made(cls).fit(frame, y)
        assert list(fitted.feature_names_in_) == ["a", "b", "c"]
        # A frame keeps its columns together: products may round differently.
        np.testing.assert_allclose(said(fitted, frame), expected, rtol=1e-12, atol=1e-12)
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            said(fitted, X)
        with pytest.raises(ValueError, match="same order"):
            said(fitted, frame[["b", "a", "c"]])
    assert not hasattr(fitted.fit(X, y), "feature_names_in_")


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_weights_are_offered_and_documented_or_it_says_why_not(cls: type[Any]) -> None:
    offered = has_fit_parameter(cls(), "sample_weight")
    assert offered == ("sample_weight" in (cls.fit.__doc__ or ""))
    reason = re.search(r"There is no\s+``sample_weight``", cls.__doc__ or "")
    assert offered == (reason is None)


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_every_fitted_attribute_is_documented(cls: type[Any], problem: tuple[Any, Any]) -> None:
    fitted = made(cls).fit(pandas.DataFrame(problem[0], columns=list("abc")), problem[1])
    assert cls.__doc__ is not None
    learned = {name for name in vars(fitted) if name.endswith("_")}
    assert {name for name in learned | set(cls().get_params()) if name not in cls.__doc__} == set()


def test_kinds_are_what_scikit_learn_takes_them_for() -> None:
    for cls in [*ESTIMATORS, *SPECIMENS]:
        assert is_classifier(cls()) == issubclass(cls, Classifier)
        assert is_regressor(cls()) == issubclass(cls, Regressor)
        assert is_clusterer(cls()) == issubclass(cls, Clusterer)
        assert hasattr(cls(), "transform") == issubclass(cls, Transformer)


def test_a_binary_classifier_predicts_by_the_sign_of_its_decision() -> None:
    model = Threshold().fit([[0.0], [4.0]], ["b", "a"])
    np.testing.assert_array_equal(model.decision_function([[1.0], [2.0], [3.0]]), [1.0, 0.0, -1.0])
    # The point on the boundary gets the first class.
    assert model.predict([[1.0], [2.0], [3.0]]).tolist() == ["b", "a", "a"]


def test_the_package_gives_its_modules_on_demand() -> None:
    assert mlnotes.least_squares.LeastSquares is LeastSquares
    assert {"perceptron", "base", "__version__"} <= set(dir(mlnotes))
    with pytest.raises(AttributeError, match="no attribute 'perceptrons'"):
        mlnotes.perceptrons  # noqa: B018


def test_prints_the_parameters_that_differ_from_their_defaults() -> None:
    assert repr(Perceptron()) == "Perceptron()"
    assert repr(Halves()) == "Halves()"
    assert repr(Perceptron(max_iter=5)) == "Perceptron(max_iter=5)"
    assert repr(Wrapper(LeastSquares(fit_intercept=False))) == (
        "Wrapper(inner=LeastSquares(fit_intercept=False))"
    )


def test_parameters_of_an_inner_estimator_are_reached_by_a_double_underscore() -> None:
    outer = Wrapper(Perceptron())
    assert outer.get_params()["inner__max_iter"] == 1000
    assert set(outer.get_params(deep=False)) == {"inner", "factor"}
    outer.set_params(inner__max_iter=7, factor=2.0)
    assert outer.inner.max_iter == 7
    assert outer.factor == 2.0
    # A class is a value like any other, not an estimator with parameters.
    assert set(Wrapper(Perceptron).get_params()) == {"inner", "factor"}


def test_an_unknown_parameter_is_named_beside_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'tol' for Perceptron\(\).*'max_iter'"):
        Perceptron().set_params(tol=1.0)


def test_transformers_give_names_and_data_frames() -> None:
    X = pandas.DataFrame([[1.0, 2.0], [3.0, 6.0]], columns=["a", "b"], index=["u", "v"])
    expected = [[-1.0, -2.0, -1.0], [1.0, 2.0, 1.0]]
    names = ["centring0", "centring1", "centring2"]
    transformer = Centring().fit(X)
    np.testing.assert_array_equal(transformer.transform(X), expected)
    assert list(transformer.get_feature_names_out()) == names
    assert list(transformer.get_feature_names_out(["a", "b"])) == names
    frame = transformer.set_output(transform="pandas").transform(X)
    assert list(frame.columns) == names
    assert list(frame.index) == ["u", "v"]
    with pytest.warns(UserWarning, match="valid feature names"):
        assert list(transformer.transform(X.to_numpy()).index) == [0, 1]
    copy = clone(transformer)
    assert isinstance(copy.fit_transform(X), pandas.DataFrame)
    assert isinstance(copy.set_output(transform="polars").transform(X), polars.DataFrame)
    assert isinstance(copy.set_output(transform=None).transform(X), polars.DataFrame)
    assert isinstance(copy.set_output(transform="default").transform(X), np.ndarray)
    piped = make_pipeline(Centring(), Centring(repeat=False)).set_output(transform="pandas")
    assert list(piped.fit_transform(X).columns) == names


def test_transformers_refuse_other_names_and_containers() -> None:
    transformer = Centring()
    with pytest.raises(NotFittedError):
        transformer.get_feature_names_out()
    with pytest.raises(ValueError, match="'default', 'pandas' or 'polars'"):
        transformer.set_output(transform="excel")  # type: ignore[arg-type]
    transformer.fit(pandas.DataFrame([[1.0, 2.0]], columns=["a", "b"]))
    with pytest.raises(ValueError, match="input_features is not equal"):
        transformer.get_feature_names_out(["b", "a"])
    with pytest.raises(ValueError, match="length equal to number of features"):
        transformer.fit([[1.0, 2.0]]).get_feature_names_out(["a"])


def test_missing_and_unknown_columns_are_listed_but_not_all_of_many() -> None:
    many = pandas.DataFrame(np.eye(8, 7), columns=[f"c{i}" for i in range(7)])
    fitted = LeastSquares().fit(many, np.arange(8.0))
    renamed = many.rename(columns={"c0": "z"})
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- z\n.*now missing:\n- c0\n"):
        fitted.predict(renamed)
    with pytest.raises(ValueError, match=r"- c5\n- \.\.\.\n"):
        fitted.predict(many[["c0"]])


def test_clusterers_return_the_labels_they_fitted() -> None:
    X = [[0.0], [1.0], [9.0]]
    np.testing.assert_array_equal(Halves().fit_predict(X), [0, 0, 1])


def test_accuracy_counts_weighted_agreements() -> None:
    model = NearestMean().fit([[0.0], [1.0], [5.0], [9.0]], ["a", "a", "b", "c"])
    assert model.score([[0.0], [9.0], [5.0]], ["a", "b", "b"]) == pytest.approx(2 / 3)
    weights = [1.0, 2.0, 1.0]
    assert model.score([[0.0], [9.0], [5.0]], ["a", "b", "b"], weights) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.score([[0.0], [9.0]], ["a"])


def test_determination_of_a_constant_target_is_one_or_zero() -> None:
    model = LeastSquares().fit([[0.0], [1.0]], [2.0, 2.0])
    assert model.score([[0.0], [5.0]], [2.0, 2.0]) == 1.0
    assert model.score([[0.0], [5.0]], [3.0, 3.0]) == 0.0
    assert model.score([[0.0], [5.0]], [2.0, 4.0], [3.0, 1.0]) == pytest.approx(-1 / 3)


@pytest.mark.parametrize("unit", [2.0**-600, 1.0, 2.0**1000])
def test_scores_depend_on_no_unit_of_target_or_weights(unit: float) -> None:
    X, y = np.arange(5.0)[:, None], np.array([1.0, 2.0, 2.0, 5.0, 4.0])
    weights = np.array([1.0, 2.0, 3.0, 1.0, 1.5])
    plain, scaled = LeastSquares().fit(X, y), LeastSquares().fit(X, unit * y)
    assert scaled.score(X, unit * y) == plain.score(X, y) == pytest.approx(0.75)
    heavy = 2.0**1021 * weights
    assert scaled.score(X, unit * y, heavy) == plain.score(X, y, weights)
    labels = (y > 2).astype(int)
    model = NearestMean().fit(X, labels)
    assert model.score(X, 1 - labels, heavy) == 1 - model.score(X, labels, weights)


def test_our_errors_cross_a_process_boundary_and_stay_ours() -> None:
    error = sklearn_compatible(NotFittedError)("say it")
    assert isinstance(error, SklearnNotFittedError)
    assert isinstance(error, NotFittedError)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is NotFittedError
    assert copy.args == ("say it",)


def test_our_warnings_are_scikit_learns_too() -> None:
    from sklearn.exceptions import ConvergenceWarning as Theirs

    assert issubclass(sklearn_compatible(ConvergenceWarning), Theirs)
    assert issubclass(sklearn_compatible(ConvergenceWarning), ConvergenceWarning)


USE = """
import pickle, sys, warnings
import mlnotes
assert "numpy" not in sys.modules and "matplotlib" not in sys.modules, "import mlnotes is not lazy"
from tests.discovery import estimators, modules, suited, takes_only_positive
modules()
X = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [5.0, 4.0], [6.0, 7.0], [7.0, 5.0]]
y = [0, 0, 0, 1, 1, 1]
def said(model):
    return (model.predict if hasattr(model, "predict") else model.transform)(X)
for cls in estimators():
    try:
        said(cls())
    except mlnotes.exceptions.NotFittedError as error:
        assert type(error) is mlnotes.exceptions.NotFittedError
    model = pickle.loads(pickle.dumps(cls().fit(X, y)))
    said(model), repr(model)
    if hasattr(model, "score"):
        model.score(X, y)
from tests.specimens import Centring
Centring().set_output(transform="pandas").fit_transform(X)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    mlnotes.perceptron.Perceptron(max_iter=1).fit([[0], [1], [0]], [0, 1, 1])
assert len(caught) == 1
loaded = sorted(name for name in sys.modules if name.partition(".")[0] == "sklearn")
assert not loaded, loaded
print(len(estimators()))
"""


def test_importing_and_using_the_package_never_imports_scikit_learn() -> None:
    assert int(run_python("-c", USE)) == len(ESTIMATORS)


def test_that_test_would_notice_scikit_learn() -> None:
    with pytest.raises(AssertionError, match="sklearn"):
        run_python("-c", "import sklearn\n" + USE)


# What the proof engine and the theorems may load: they also run where there is no NumPy.
SYMBOLIC = """
import importlib, pkgutil, sys
import mlnotes
prefixes = ("mlnotes.proof", "mlnotes.theorems")
for finder, name, is_package in pkgutil.iter_modules(mlnotes.__path__, "mlnotes."):
    if name in prefixes:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(package.__path__, name + "."):
            importlib.import_module(found.name)
{extra}
forbidden = {{"numpy", "scipy", "matplotlib", "sklearn", "pandas"}}
loaded = sorted(forbidden & {{name.partition(".")[0] for name in sys.modules}})
assert not loaded, loaded
"""


def test_the_proof_engine_and_the_theorems_import_no_numpy() -> None:
    run_python("-c", SYMBOLIC.format(extra=""))


def test_that_test_would_notice_numpy() -> None:
    with pytest.raises(AssertionError, match="numpy"):
        run_python("-c", SYMBOLIC.format(extra="import mlnotes.base"))


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_examples_in_docstrings_are_true(module: Any) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testmod(module, optionflags=flags)
    assert result.failed == 0


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_every_estimator_has_an_example_and_names_its_chapter(cls: type[Any]) -> None:
    text = cls.__doc__ or ""
    assert ">>>" in text
    assert "chapter" in text


# A derivation is an example of the proof engine, a sheet one of the checks, a page of the ledger.
ELSEWHERE = {
    *("mlnotes.proof", "mlnotes.theorems", "mlnotes.checks", "mlnotes.ledger"),
    *("mlnotes.proof", "mlnotes.trusted"),
}


def test_everything_public_has_an_example() -> None:
    bare = [
        f"{module.__name__}.{name}"
        for module in modules()
        if module.__name__.count(".") == 1 and module.__name__ not in ELSEWHERE
        for name in getattr(module, "__all__", ())
        if callable(member := getattr(module, name)) and ">>>" not in (member.__doc__ or "")
    ]
    assert bare == []


def test_docstrings_name_no_statement_that_does_not_exist() -> None:
    # Where a statement is on a page, the reference links to it; a misspelt name would not.
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "mlnotes").rglob("*.py")]
    label = re.compile(r"``((?:thm|lem|prp|cor)-[\w-]+)``")
    named = {name for text in sources for name in label.findall(text)}
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "book").rglob("*.md"))
    stated = set(re.findall(r"^:label: (\S+)$", pages, re.MULTILINE)) | set(dict(registry()))
    assert len(named) > 20
    assert named - stated == set()
