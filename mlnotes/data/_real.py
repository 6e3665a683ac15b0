"""Real data sets shipped inside the package, with their provenance."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib import resources
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import check_numbers

_package = resources.files(__package__)


class Source(NamedTuple):
    """Where a data set comes from and on what terms it may be used.

    Every field is read from ``mlnotes/data/provenance.toml``.

    Examples
    --------
    >>> from mlnotes.data import load_digits
    >>> load_digits().source.authors
    ('E. Alpaydin', 'C. Kaynak')
    """

    title: str
    authors: tuple[str, ...]
    year: int
    publisher: str
    doi: str
    url: str
    licence: str
    licence_url: str
    obtained_from: str
    changes: str
    sha256: str

    def citation(self) -> str:
        """Return the attribution that the licence asks for.

        Examples
        --------
        >>> from mlnotes.data import sources
        >>> print(sources()["iris"].citation())
        R. A. Fisher (1936). Iris. UCI Machine Learning Repository. \
https://doi.org/10.24432/C56C76. Licence: CC-BY-4.0.
        """
        authors = ", ".join(self.authors)
        return (
            f"{authors} ({self.year}). {self.title}. {self.publisher}. "
            f"https://doi.org/{self.doi}. Licence: {self.licence}."
        )


class RealData(NamedTuple):
    """A real data set: rows, labels, and what the columns and labels mean.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        One row for each object.
    y : ndarray of shape (n,)
        Integer labels; ``class_names[y[i]]`` names the class of row ``i``.
    feature_names : tuple of str
        The columns of ``X``.
    class_names : tuple of str
        The classes, in the order of their labels.
    source : Source
        Authors, origin and licence.

    Examples
    --------
    >>> from mlnotes.data import load_iris
    >>> iris = load_iris()
    >>> dict(zip(iris.feature_names, iris.X[0].tolist()))
    {'sepal length': 5.1, 'sepal width': 3.5, 'petal length': 1.4, 'petal width': 0.2}
    >>> iris.class_names[iris.y[0]]
    'setosa'
    """

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    source: Source

    @property
    def images(self) -> NDArray[np.float64]:
        """The rows as square images, for a set whose features are pixels."""
        if not self.feature_names[0].startswith("pixel"):
            raise AttributeError(f"{self.source.title!r} holds no images; use X")
        side = int(np.sqrt(self.X.shape[1]))
        return self.X.reshape(-1, side, side)


class UnlabelledData(NamedTuple):
    """A real data set without labels: rows, and what the columns mean.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        One row for each object.
    feature_names : tuple of str
        The columns of ``X``.
    source : Source
        Authors, origin and licence.

    Examples
    --------
    >>> from mlnotes.data import load_geyser
    >>> geyser = load_geyser()
    >>> dict(zip(geyser.feature_names, geyser.X[0].tolist()))
    {'eruption': 3.6, 'wait': 79.0}
    """

    X: NDArray[np.float64]
    feature_names: tuple[str, ...]
    source: Source


def sources() -> dict[str, Source]:
    """Return the provenance and licence of every shipped data set, by file name.

    Examples
    --------
    >>> from mlnotes.data import sources
    >>> sorted(sources())
    ['breast_cancer', 'diabetes', 'digits', 'geyser', 'iris']
    """
    entries = tomllib.loads(_package.joinpath("provenance.toml").read_text(encoding="utf-8"))
    return {
        name: Source(**{**entry, "authors": tuple(entry["authors"])})
        for name, entry in entries.items()
    }


def _arrays(name: str) -> dict[str, NDArray[Any]]:
    with (
        _package.joinpath(f"{name}.npz").open("rb") as file,
        np.load(file, allow_pickle=False) as arrays,
    ):
        return dict(arrays)


def _load(name: str) -> RealData:
    arrays = _arrays(name)
    return RealData(
        X=arrays["X"].astype(np.float64),
        y=arrays["y"].astype(np.int64),
        feature_names=tuple(arrays["feature_names"].tolist()),
        class_names=tuple(arrays["class_names"].tolist()),
        source=sources()[name],
    )


def load_digits(digits: Iterable[int] = range(10)) -> RealData:
    """Load 1797 handwritten digits as images of 8 × 8 pixels.

    Each pixel counts the inked points, 0 to 16, of a 4 × 4 block of the scanned digit.

    Parameters
    ----------
    digits : iterable of int, default=range(10)
        Keep only these digits, for instance ``(1, 5)``.

    Returns
    -------
    RealData
        With the pixels row by row in ``X`` and as square images in ``images``.

    Examples
    --------
    >>> from mlnotes.data import load_digits
    >>> ones_and_fives = load_digits((1, 5))
    >>> ones_and_fives.images.shape
    (364, 8, 8)
    """
    if not np.iterable(digits):
        raise TypeError(f"digits must be some of 0, …, 9, got {digits!r}; pass for example (1, 5)")
    wanted: list[Any] = list(digits)
    if not wanted or not all(isinstance(one, Integral) and one in range(10) for one in wanted):
        raise ValueError(f"digits must be some of 0, …, 9, got {wanted}; pass for example (1, 5)")
    everything = _load("digits")
    keep = np.isin(everything.y, wanted)
    return everything._replace(X=everything.X[keep], y=everything.y[keep])


def load_iris() -> RealData:
    """Load Fisher's 150 irises: four lengths in centimetres, three species.

    The first species is linearly separable from the others, which are not from each other.

    Returns
    -------
    RealData

    Examples
    --------
    >>> from mlnotes.data import load_iris
    >>> iris = load_iris()
    >>> iris.X.shape, iris.class_names
    ((150, 4), ('setosa', 'versicolor', 'virginica'))
    """
    return _load("iris")


def load_breast_cancer() -> RealData:
    """Load 569 breast tumours: thirty measurements of cell nuclei, malignant or benign.

    The measurements differ in scale by five orders of magnitude, which is what makes the set
    a test of methods that are not invariant to scaling.

    Returns
    -------
    RealData
        Label 0 is malignant, 1 is benign.

    Examples
    --------
    >>> from mlnotes.data import load_breast_cancer
    >>> tumours = load_breast_cancer()
    >>> tumours.X.shape, tumours.class_names
    ((569, 30), ('malignant', 'benign'))
    """
    return _load("breast_cancer")


def load_geyser() -> UnlabelledData:
    """Load 272 eruptions of Old Faithful: how long each lasted, and the wait for the next one.

    Both are in minutes. Short eruptions are followed by short waits, long ones by long waits, and
    nobody wrote down which kind an eruption was.

    Returns
    -------
    UnlabelledData
        With the columns ``eruption`` and ``wait``.

    Examples
    --------
    >>> from mlnotes.data import load_geyser
    >>> load_geyser().X.mean(axis=0).round(2)
    array([ 3.49, 70.9 ])
    """
    arrays = _arrays("geyser")
    names = tuple(arrays["feature_names"].tolist())
    return UnlabelledData(arrays["X"], names, sources()["geyser"])


class RegressionData(NamedTuple):
    """A real data set with a number to predict.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        The points, one a row.
    y : ndarray of shape (n,)
        The targets.
    feature_names : tuple of str
        What the columns of ``X`` are.
    target_name : str
        What the targets are.
    source : Source
        Provenance and licence.

    Examples
    --------
    >>> from mlnotes.data import load_diabetes
    >>> load_diabetes().target_name
    'progression'
    """

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    feature_names: tuple[str, ...]
    target_name: str
    source: Source


def load_diabetes() -> RegressionData:
    """Load 442 patients with diabetes: ten measurements, and how far the disease had come.

    Age, sex (1 or 2), body mass index, blood pressure and six blood values, ``s1`` to ``s6``, of
    which the first two are total cholesterol and its low-density part. The target was measured a
    year later.

    Returns
    -------
    RegressionData
        In the original units.

    Examples
    --------
    >>> from mlnotes.data import load_diabetes
    >>> patients = load_diabetes()
    >>> patients.X.shape, float(patients.y.min()), float(patients.y.max())
    ((442, 10), 25.0, 346.0)
    """
    arrays = _arrays("diabetes")
    names = tuple(arrays["feature_names"].tolist())
    return RegressionData(arrays["X"], arrays["y"], names, "progression", sources()["diabetes"])


def intensity_and_symmetry(images: ArrayLike) -> NDArray[np.float64]:
    """Reduce each image to two features: how much ink it has and how symmetric it is.

    Intensity is the mean pixel. Asymmetry is the mean absolute difference between the image and
    its flipped versions, left to right and top to bottom, and symmetry is its negative: 0 for an
    image that both flips leave as it is, less than 0 for any other.

    Parameters
    ----------
    images : array-like of shape (n, height, width)
        The images; for the digits, ``load_digits().images``.

    Returns
    -------
    ndarray of shape (n, 2)
        Intensity and symmetry, in the unit of the pixels.

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes.data import intensity_and_symmetry
    >>> intensity_and_symmetry([np.ones((8, 8)), np.eye(8)]).tolist()
    [[1.0, 0.0], [0.125, -0.25]]
    """
    pixels = check_numbers(images, "images")
    if pixels.ndim != 3:
        raise ValueError(
            f"images must have shape (n, height, width), got {pixels.shape}; "
            "pass load_digits().images, or image[None] for a single image"
        )
    flips = (pixels[:, :, ::-1], pixels[:, ::-1, :])
    asymmetry = np.mean([np.abs(pixels - flip).mean(axis=(1, 2)) for flip in flips], axis=0)
    return np.column_stack([pixels.mean(axis=(1, 2)), 0.0 - asymmetry])
