"""The generators attain what they promise, and the shipped sets are what they say they are."""

import hashlib
import inspect
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import linprog, minimize
from sklearn import datasets as reference

from mlnotes import data

GENERATORS = {
    "make_separable": lambda seed: data.make_separable(20, 3, margin=0.1, random_state=seed),
    "make_noisy": lambda seed: data.make_noisy(20, 3, random_state=seed),
    "make_xor": lambda seed: data.make_xor(20, noise=0.1, random_state=seed),
    "make_moons": lambda seed: data.make_moons(20, random_state=seed),
    "make_discs": lambda seed: data.make_discs(20, random_state=seed),
    "make_mixture": lambda seed: data.make_mixture(20, [[0, 0], [3, 3]], random_state=seed),
    "make_contaminated": lambda seed: data.make_contaminated(20, random_state=seed),
    "make_swiss_roll": lambda seed: data.make_swiss_roll(20, noise=0.1, random_state=seed),
    "make_sounds": lambda seed: data.make_sounds(20, noise=0.1, random_state=seed),
    "make_topics": lambda seed: data.make_topics(20, random_state=seed),
}
LOADERS = {
    "digits": data.load_digits,
    "iris": data.load_iris,
    "breast_cancer": data.load_breast_cancer,
}


def largest_margin(X, y, offset=False):
    """The largest margin of any hyperplane: minimise |theta| where y <theta, x> >= 1."""
    Z = np.column_stack([X, np.ones(len(X))]) if offset else X
    constraint = {
        "type": "ineq",
        "fun": lambda t: y * (Z @ t) - 1,
        "jac": lambda t: y[:, None] * Z,
    }
    d = X.shape[1]
    gradient = np.zeros(Z.shape[1])

    def half_norm(t):
        gradient[:d] = t[:d]
        return t[:d] @ t[:d] / 2, gradient.copy()

    start = linprog(
        np.zeros(Z.shape[1]), -y[:, None] * Z, -np.ones(len(X)), bounds=[(None, None)]
    ).x
    found = minimize(
        half_norm,
        start,
        jac=True,
        constraints=[constraint],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success, found.message
    return 1 / np.linalg.norm(found.x[:d])


def test_every_generator_is_in_the_table_above():
    assert set(GENERATORS) == {name for name in data.__all__ if name.startswith("make_")}


@pytest.mark.parametrize("name", GENERATORS)
def test_the_seed_decides_every_array(name):
    first, again, other = (GENERATORS[name](seed) for seed in (1, 1, 2))
    for field in first._fields:
        np.testing.assert_array_equal(getattr(first, field), getattr(again, field))
    assert not np.array_equal(first.X, other.X)


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_is_consumed_and_not_copied(name):
    rng = np.random.default_rng(5)
    first, second = GENERATORS[name](rng), GENERATORS[name](rng)
    np.testing.assert_array_equal(first.X, GENERATORS[name](np.random.default_rng(5)).X)
    assert not np.array_equal(first.X, second.X)


@pytest.mark.parametrize("name", GENERATORS)
def test_a_seed_must_be_named(name):
    assert inspect.signature(getattr(data, name)).parameters["random_state"].default is (
        inspect.Parameter.empty
    )
    with pytest.raises(ValueError, match="random_state must be a seed"):
        GENERATORS[name](None)


@given(
    n=st.integers(4, 60),
    d=st.integers(1, 40),
    radius=st.floats(1e-3, 1e3),
    share=st.floats(0.001, 0.95),
    seed=st.integers(0, 2**32 - 1),
)
def test_separable_points_attain_margin_and_radius(n, d, radius, share, seed):
    margin = share * radius
    X, y, direction, *_ = data.make_separable(n, d, margin=margin, radius=radius, random_state=seed)
    assert X.shape == (n, d)
    assert np.linalg.norm(direction) == pytest.approx(1, rel=1e-12)
    assert np.min(y * (X @ direction)) == pytest.approx(margin, rel=1e-9)
    assert np.linalg.norm(X, axis=1).max() == pytest.approx(radius, rel=1e-9)
    assert set(y) == {-1, 1}


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_no_hyperplane_has_a_larger_margin_than_the_chosen_one(d, offset):
    for seed in range(5):
        sample = data.make_separable(25, d, margin=0.3, radius=2.0, random_state=seed)
        assert largest_margin(sample.X, sample.y, offset) == pytest.approx(0.3, rel=1e-6)


def test_free_points_are_uniform_outside_the_margin():
    """Compare with rejection from the ball, which is slow and obviously right."""
    X, y, direction, _ = data.make_noisy(4000, 3, flip=0.0, margin=0.2, random_state=0)
    ball = np.random.default_rng(1).uniform(-1, 1, size=(40_000, 3))
    ball = ball[np.linalg.norm(ball, axis=1) <= 1]
    ball = ball[np.abs(ball[:, 0]) >= 0.2]
    along = y * (X @ direction)
    assert stats.ks_2samp(along, np.abs(ball[:, 0])).pvalue > 0.01
    assert stats.ks_2samp(np.linalg.norm(X, axis=1), np.linalg.norm(ball, axis=1)).pvalue > 0.01


def test_a_margin_that_leaves_no_room_is_refused_with_a_remedy():
    with pytest.raises(ValueError, match="smaller margin or dimension"):
        data.make_separable(10, 2000, margin=0.9, random_state=0)


@given(n=st.integers(1, 50), flip=st.floats(0, 1), seed=st.integers(0, 1000))
def test_exactly_the_flipped_labels_disagree_with_the_hyperplane(n, flip, seed):
    X, y, direction, flipped = data.make_noisy(n, 2, flip=flip, margin=0.01, random_state=seed)
    np.testing.assert_array_equal(y * (X @ direction) < 0, flipped)
    assert flipped.sum() == round(flip * n)


def test_xor_is_labelled_by_the_product_and_no_line_separates_it():
    X, y = data.make_xor(random_state=0)
    np.testing.assert_array_equal(y, -np.sign(X[:, 0] * X[:, 1]))
    Z = np.column_stack([X, np.ones(4)])
    answer = linprog(np.zeros(3), -y[:, None] * Z, -np.ones(4), bounds=[(None, None)])
    assert answer.status == 2, "the linear programme should be infeasible"


def test_moons_are_two_half_circles_of_radius_one():
    X, y = data.make_moons(101, noise=0.0, random_state=0)
    upper, lower = X[y == 1], X[y == -1]
    assert len(upper) == 51
    np.testing.assert_allclose(np.linalg.norm(upper, axis=1), 1)
    np.testing.assert_allclose(np.linalg.norm(lower - [1, 0.5], axis=1), 1)
    assert upper[:, 1].min() >= 0
    assert lower[:, 1].max() <= 0.5


def test_discs_keep_their_gap_and_fill_their_areas():
    X, y = data.make_discs(4000, inner=0.4, gap=0.3, outer=2.0, random_state=0)
    r = np.linalg.norm(X, axis=1)
    assert r[y == 1].max() <= 0.4
    assert r[y == -1].min() >= 0.7
    assert r.max() <= 2
    assert stats.kstest((r[y == 1] / 0.4) ** 2, "uniform").pvalue > 0.01
    assert stats.kstest((r[y == -1] ** 2 - 0.49) / (4 - 0.49), "uniform").pvalue > 0.01


def test_mixture_has_the_moments_it_was_asked_for():
    means = [[0.0, 0.0], [5.0, -3.0]]
    covariances = [[[2.0, 0.5], [0.5, 1.0]], [[1.0, -0.9], [-0.9, 1.0]]]
    sample = data.make_mixture(
        20_000, means, covariances=covariances, weights=[0.2, 0.8], random_state=0
    )
    for k in range(2):
        rows = sample.X[sample.y == k]
        assert len(rows) / 20_000 == pytest.approx([0.2, 0.8][k], abs=0.01)
        np.testing.assert_allclose(rows.mean(axis=0), means[k], atol=0.08)
        np.testing.assert_allclose(np.cov(rows.T), covariances[k], atol=0.08)


def test_a_singular_covariance_keeps_its_points_on_the_line():
    sample = data.make_mixture(50, [[1.0, 1.0]], covariances=[[1, 1], [1, 1]], random_state=0)
    np.testing.assert_allclose(sample.X[:, 0], sample.X[:, 1], atol=1e-7)
    assert np.ptp(sample.X[:, 0]) > 1


def test_only_the_contaminated_rows_leave_the_plane():
    sample = data.make_contaminated(
        60, 3, noise=0.0, contamination=0.25, shift=-7.0, leverage=20.0, random_state=3
    )
    clean = ~sample.outlier
    residual = sample.y - sample.X @ sample.coef - sample.intercept
    np.testing.assert_allclose(residual[clean], 0, atol=1e-12)
    np.testing.assert_allclose(residual[~clean], -7 - 20 * sample.coef[0], atol=1e-12)
    assert (sample.X[~clean, 0] > 10).all()
    assert (~clean).sum() == 15


def test_a_swiss_roll_is_a_sheet_rolled_up_without_stretching():
    roll = data.make_swiss_roll(4000, random_state=0)
    near = np.argsort(((roll.X - roll.X[0]) ** 2).sum(axis=1))[1:4]
    on_the_sheet = np.linalg.norm(roll.position[near] - roll.position[0], axis=1)
    np.testing.assert_allclose(np.linalg.norm(roll.X[near] - roll.X[0], axis=1), on_the_sheet, 0.02)
    for column in roll.position.T:  # uniform on the sheet
        assert stats.kstest(column / column.max(), "uniform").pvalue > 0.01
    pierced = data.make_swiss_roll(2000, hole=True, random_state=0).position
    middle = np.abs(pierced / [roll.position[:, 0].max(), 20] - 0.5) < 0.19
    assert not middle.all(axis=1).any()


def test_sounds_are_standardised_mixed_as_said_and_not_gaussian():
    sample = data.make_sounds(4000, mixing=[[1, 2, 3], [0, 1, 0]], random_state=0)
    assert sample.X.shape == (4000, 2)
    np.testing.assert_allclose(sample.sources.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(sample.sources.std(axis=0), 1)
    np.testing.assert_allclose(sample.X[:, 1], sample.sources[:, 1])
    flat, sharp = stats.kurtosis(sample.sources)[:2], stats.kurtosis(sample.sources)[2]
    assert (flat < -1).all()
    assert sharp > 2


def test_documents_have_the_counts_that_their_topics_say():
    sample = data.make_topics(20_000, length=30, random_state=0)
    np.testing.assert_allclose(sample.topics.sum(axis=1), 1)
    expected = 30 * sample.weights @ sample.topics
    residual = (sample.X - expected) / np.sqrt(expected + 1e-12)
    np.testing.assert_allclose(residual[expected > 0.5].std(), 1, atol=0.02)
    assert [sample.words[int(j)] for j in sample.topics.argmax(axis=1)] != list(sample.words[:3])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: data.make_separable(3, margin=0.1, random_state=0), "n must be .* at least 4"),
        (lambda: data.make_separable(9, 0, margin=0.1, random_state=0), "d must be .* at least 1"),
        (lambda: data.make_separable(9, margin=0.0, random_state=0), "margin .* above 0"),
        (lambda: data.make_separable(9, margin=1.0, random_state=0), "below 1, got 1.0"),
        (lambda: data.make_separable(9, margin=1, radius=-1, random_state=0), "radius"),
        (lambda: data.make_separable(9, margin=np.nan, random_state=0), "margin .* got nan"),
        (lambda: data.make_noisy(True, random_state=0), "n must be an integer"),
        (lambda: data.make_noisy(2.0, random_state=0), "n must be an integer"),
        (lambda: data.make_noisy(9, flip=1.1, random_state=0), "flip .* at most 1, got 1.1"),
        (lambda: data.make_xor(9, noise=-1, random_state=0), "noise .* at least 0"),
        (lambda: data.make_xor(9, noise=np.inf, random_state=0), "noise .* got inf"),
        (lambda: data.make_moons(1, random_state=0), "n must be .* at least 2"),
        (lambda: data.make_moons(9, noise="much", random_state=0), "noise .* got 'much'"),
        (lambda: data.make_discs(9, gap=0.6, random_state=0), "outer .* above 1.1"),
        (lambda: data.make_mixture(9, [0, 1], random_state=0), "one row for each component"),
        (lambda: data.make_mixture(9, [[np.inf]], random_state=0), "means must be finite"),
        (lambda: data.make_mixture(9, [[0], [1]], weights=[1, 1], random_state=0), "by their sum"),
        (lambda: data.make_mixture(9, [[0], [1]], weights=[1], random_state=0), "2 numbers"),
        (lambda: data.make_mixture(9, [[0], [1]], weights=[2, -1], random_state=0), "negative"),
        (
            lambda: data.make_mixture(9, [[0, 0]], covariances=[1, 2], random_state=0),
            r"shape \(2, 2\) or \(1, 2, 2\)",
        ),
        (
            lambda: data.make_mixture(9, [[0, 0]], covariances=[[1, 2], [0, 1]], random_state=0),
            "pass A @ A.T",
        ),
        (lambda: data.make_mixture(9, [[0, 0]], covariances=-1, random_state=0), "pass A @ A.T"),
        (lambda: data.make_contaminated(9, contamination=0.5, random_state=0), "below 0.5"),
        (lambda: data.make_swiss_roll(0, random_state=0), "n must be .* at least 1"),
        (lambda: data.make_swiss_roll(9, hole=2, random_state=0), "hole must be True or False"),
        (lambda: data.make_sounds(9, random_state=0), "n must be .* at least 10"),
        (lambda: data.make_sounds(mixing=[1, 2], random_state=0), "each of 3 sources"),
        (lambda: data.make_topics(9, length=0, random_state=0), "length .* above 0"),
        (lambda: data.load_digits((1, 11)), r"some of 0, …, 9, got \[1, 11\]"),
        (lambda: data.load_digits(()), r"got \[\]"),
        (lambda: data.intensity_and_symmetry(np.eye(8)), r"image\[None\]"),
        (lambda: data.intensity_and_symmetry(np.full((1, 2, 2), np.nan)), "must be finite"),
    ],
)
def test_bad_arguments_are_refused_with_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("name", LOADERS)
def test_a_shipped_set_equals_scikit_learns_copy(name):
    ours = LOADERS[name]()
    theirs = getattr(reference, f"load_{name}")()
    np.testing.assert_array_equal(ours.X, theirs.data)
    np.testing.assert_array_equal(ours.y, theirs.target)
    assert list(ours.class_names) == [str(label) for label in theirs.target_names]
    assert len(ours.feature_names) == ours.X.shape[1]


def test_column_names_agree_with_scikit_learns():
    assert list(data.load_breast_cancer().feature_names) == list(
        reference.load_breast_cancer().feature_names
    )
    assert [f"{name} (cm)" for name in data.load_iris().feature_names] == list(
        reference.load_iris().feature_names
    )


def test_every_shipped_file_has_its_provenance_and_checksum():
    folder = Path(data.__file__).parent
    files = {path.stem: path for path in folder.glob("*.npz")}
    known = data.sources()
    assert set(files) == set(known) == {*LOADERS, "geyser", "diabetes"}
    for name, source in known.items():
        assert hashlib.sha256(files[name].read_bytes()).hexdigest() == source.sha256
        assert all(source), f"{name}: an empty field"
        other = {"geyser": "MIT", "diabetes": "BSD-3-Clause"}
        assert source.licence == other.get(name, "CC-BY-4.0")
        assert source.doi in source.citation()


def test_the_patients_are_those_that_scikit_learn_has():
    theirs = reference.load_diabetes(scaled=False)
    patients = data.load_diabetes()
    np.testing.assert_array_equal(patients.X, theirs.data)
    np.testing.assert_array_equal(patients.y, theirs.target)
    assert patients.feature_names == tuple(theirs.feature_names)
    assert (patients.X.shape, patients.y.mean().round(4)) == ((442, 10), 152.1335)
    notice = (Path(data.__file__).parent / "provenance.toml").read_text("utf-8")
    assert "The scikit-learn developers" in notice


def test_the_geyser_is_the_table_that_r_has():
    """R says of faithful: 272 rows, these means and this correlation."""
    geyser = data.load_geyser()
    assert geyser.X.shape == (272, 2)
    assert geyser.feature_names == ("eruption", "wait")
    np.testing.assert_allclose(geyser.X.mean(axis=0), [3.487783, 70.897059], atol=5e-7)
    assert np.corrcoef(geyser.X.T)[0, 1] == pytest.approx(0.9008112, abs=5e-8)
    np.testing.assert_array_equal(geyser.X[:3], [[3.6, 79], [1.8, 54], [3.333, 74]])
    assert "MIT License" in (Path(data.__file__).parent / "provenance.toml").read_text("utf-8")


def test_images_are_the_rows_and_only_digits_have_them():
    digits = data.load_digits()
    np.testing.assert_array_equal(digits.images, reference.load_digits().images)
    with pytest.raises(AttributeError, match="holds no images"):
        _ = data.load_iris().images


def test_digits_can_be_chosen():
    some = data.load_digits((5, 1))
    assert set(some.y) == {1, 5}
    assert len(some.y) == 182 + 182  # the repository's own count of ones and fives


def test_symmetry_vanishes_exactly_for_images_that_both_flips_keep():
    quarter = np.random.default_rng(0).integers(0, 17, size=(10, 4, 4))
    upper = np.concatenate([quarter, quarter[:, :, ::-1]], axis=2)
    whole = np.concatenate([upper, upper[:, ::-1]], axis=1)
    np.testing.assert_array_equal(data.intensity_and_symmetry(whole)[:, 1], 0)
    one_pixel_off = whole.copy()
    one_pixel_off[:, 0, 0] += 1
    # Each flip meets the odd pixel twice: 2 of 64 differences are 1.
    np.testing.assert_allclose(data.intensity_and_symmetry(one_pixel_off)[:, 1], -2 / 64)


@pytest.mark.parametrize("axis", [0, 1])
def test_an_image_that_only_one_flip_keeps_is_not_symmetric(axis):
    stripes = np.zeros((8, 8))
    stripes[(slice(None),) * axis + (slice(0, 4),)] = 1.0
    # One flip changes every pixel, the other none.
    np.testing.assert_allclose(data.intensity_and_symmetry([stripes]), [[0.5, -0.5]])


@settings(max_examples=30)
@given(seed=st.integers(0, 1000))
def test_features_do_not_change_when_an_image_is_flipped(seed):
    images = np.random.default_rng(seed).uniform(0, 16, size=(3, 8, 6))
    features = data.intensity_and_symmetry(images)
    np.testing.assert_allclose(data.intensity_and_symmetry(images[:, ::-1]), features)
    np.testing.assert_allclose(data.intensity_and_symmetry(images[:, :, ::-1]), features)
    assert (features[:, 1] < 0).all()


def test_the_sets_load_from_a_zipped_package_without_pandas(tmp_path):
    """A wheel may be imported without being unpacked; nothing may rely on a file's path."""
    package = Path(data.__file__).parents[1]
    archive = tmp_path / "mlnotes.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        for path in [*package.rglob("*.py"), *package.glob("data/*.*")]:
            bundle.write(path, path.relative_to(package.parent))
    program = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "from mlnotes import data\n"
        f"assert data.__file__.startswith({str(archive)!r}), data.__file__\n"
        "for name in ('digits', 'iris', 'breast_cancer', 'geyser', 'diabetes'):\n"
        "    print(getattr(data, 'load_' + name)().X.shape)\n"
        "print(sorted({'pandas', 'sklearn', 'matplotlib'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    shapes = ["(1797, 64)", "(150, 4)", "(569, 30)", "(272, 2)", "(442, 10)"]
    assert run.stdout.splitlines() == [*shapes, "[]"]
