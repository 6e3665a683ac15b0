"""Simulated data with few hidden coordinates: a rolled sheet, mixed sounds, documents of topics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.data._generators import LARGEST, Floats, seeded_generator
from mlnotes.validation import check_count, check_flag, check_numbers, check_scalar

# Samples of sound in a second.
RATE = 8000

VOCABULARY = (
    *("planet", "orbit", "star", "telescope"),
    *("goal", "team", "match", "referee"),
    *("flour", "oven", "butter", "recipe"),
)


class SwissRoll(NamedTuple):
    """Points of a rolled sheet, with their places on it.

    Attributes
    ----------
    X : ndarray of shape (n, 3)
    position : ndarray of shape (n, 2)
        The length along the spiral from its inner end, and the height.
    angle : ndarray of shape (n,)
        The angle of the spiral at each point.

    Examples
    --------
    >>> from mlnotes.data import make_swiss_roll
    >>> make_swiss_roll(5, random_state=0).position.shape
    (5, 2)
    """

    X: Floats
    position: Floats
    angle: Floats


class SoundSample(NamedTuple):
    """Recordings of several sources, with what each of them sounds like alone.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        A column for each microphone.
    sources : ndarray of shape (n, k)
        A column for each source, of mean 0 and variance 1.
    mixing : ndarray of shape (d, k)
        Without noise ``X`` is ``sources @ mixing.T``.
    time : ndarray of shape (n,)
        In seconds.

    Examples
    --------
    >>> from mlnotes.data import make_sounds
    >>> sample = make_sounds(100, random_state=0)
    >>> bool(np.allclose(sample.X, sample.sources @ sample.mixing.T))
    True
    """

    X: Floats
    sources: Floats
    mixing: Floats
    time: Floats


class TopicSample(NamedTuple):
    """Counts of words in documents, with the topics that they were drawn from.

    Attributes
    ----------
    X : ndarray of shape (n, 12)
        How often each word is in each document.
    topics : ndarray of shape (3, 12)
        The probabilities of the words in each topic.
    weights : ndarray of shape (n, 3)
        How much of each document is about each topic.
    words : tuple of str
        The words.

    Examples
    --------
    >>> from mlnotes.data import make_topics
    >>> make_topics(5, random_state=0).words[0]
    'planet'
    """

    X: Floats
    topics: Floats
    weights: Floats
    words: tuple[str, ...]


def make_swiss_roll(
    n: int,
    *,
    noise: float = 0.0,
    hole: bool = False,
    random_state: int | np.random.Generator,
) -> SwissRoll:
    r"""Draw points uniformly from a sheet that is rolled up.

    The sheet follows the spiral :math:`(t\cos t,t\sin t)` for t from :math:`\frac32\pi` to
    :math:`\frac92\pi`, about 92 long, and is 20 high.

    Parameters
    ----------
    n : int
        Number of points.
    noise : float, default=0.0
        Standard deviation of Gaussian noise added to the coordinates.
    hole : bool, default=False
        Whether a rectangle in the middle of the sheet is left out.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same points.

    Returns
    -------
    SwissRoll

    Examples
    --------
    >>> from mlnotes.data import make_swiss_roll
    >>> roll = make_swiss_roll(300, random_state=0)
    >>> bool(np.allclose(np.hypot(roll.X[:, 0], roll.X[:, 2]), roll.angle))
    True
    """
    check_count(n, "n")
    check_scalar(noise, "noise", least=0, most=LARGEST)
    check_flag(hole, "hole")
    rng = seeded_generator(random_state)
    ends = 1.5 * np.pi, 4.5 * np.pi
    start, stop = map(_spiral_length, ends)
    place = rng.uniform(size=(n, 2))
    while hole and (inside := (np.abs(place - 0.5) < 0.2).all(axis=1)).any():
        place[inside] = rng.uniform(size=(int(inside.sum()), 2))
    position = place * [stop - start, 20.0]
    angle = np.full(n, np.mean(ends))
    for _ in range(20):  # Newton's method: the length has the derivative sqrt(1 + t²)
        angle -= (_spiral_length(angle) - start - position[:, 0]) / np.sqrt(1 + angle**2)
    X = np.column_stack([angle * np.cos(angle), position[:, 1], angle * np.sin(angle)])
    return SwissRoll(X + noise * rng.normal(size=(n, 3)), position, angle)


def make_sounds(
    n: int = 2000,
    *,
    mixing: ArrayLike | None = None,
    noise: float = 0.0,
    random_state: int | np.random.Generator,
) -> SoundSample:
    """Draw three sounds and the recordings of microphones that hear all of them.

    The sounds are a tone, a sawtooth and a crackle (noise in bursts, with heavy tails); none is
    Gaussian. Pitches, phases and, if it is not given, the mixing are drawn.

    Parameters
    ----------
    n : int, default=2000
        Number of samples, of which a second has 8000.
    mixing : array-like of shape (d, 3), optional
        How loud each source is in each microphone; three microphones, each nearest to a source of
        its own, if not given.
    noise : float, default=0.0
        Standard deviation of Gaussian noise added to the recordings.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same sounds.

    Returns
    -------
    SoundSample

    Examples
    --------
    >>> from mlnotes.data import make_sounds
    >>> sample = make_sounds(2000, random_state=0)
    >>> np.abs(np.corrcoef(sample.sources.T) - np.eye(3)).max().round(1)
    np.float64(0.0)
    """
    check_count(n, "n", at_least=10)
    check_scalar(noise, "noise", least=0, most=LARGEST)
    rng = seeded_generator(random_state)
    time = np.arange(n) / RATE
    pitch, phase = (
        np.array([440.0, 97.0, 31.0]) * rng.uniform(0.9, 1.1, size=3),
        rng.uniform(size=3),
    )
    turns = pitch * time[:, None] + phase
    tone = np.sin(2 * np.pi * turns[:, 0])
    sawtooth = 2 * (turns[:, 1] % 1) - 1
    crackle = rng.laplace(size=n) * np.cos(np.pi * turns[:, 2]) ** 4
    sources = np.column_stack([tone, sawtooth, crackle])
    sources -= sources.mean(axis=0)
    sources /= sources.std(axis=0)
    if mixing is None:
        loudness = np.eye(3) + (1 - np.eye(3)) * rng.uniform(0.3, 0.7, size=(3, 3))
    else:
        loudness = check_numbers(mixing, "mixing", least=-LARGEST, most=LARGEST)
        if loudness.ndim != 2 or loudness.shape[1] != 3 or not len(loudness):
            raise ValueError(
                f"mixing must have a column for each of 3 sources, got shape {loudness.shape}."
            )
    X = sources @ loudness.T + noise * rng.normal(size=(n, len(loudness)))
    return SoundSample(X, sources, loudness, time)


def make_topics(
    n: int, *, length: float = 60.0, random_state: int | np.random.Generator
) -> TopicSample:
    r"""Draw documents, most of which are about one or two of three topics.

    The weights of a document are drawn from a Dirichlet distribution, and the count of a word from
    a Poisson distribution, independently: its mean is ``length`` times the sum over the topics of
    weight times probability.

    Parameters
    ----------
    n : int
        Number of documents.
    length : float, default=60.0
        The expected number of words in each.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same documents.

    Returns
    -------
    TopicSample

    Examples
    --------
    >>> from mlnotes.data import make_topics
    >>> sample = make_topics(200, random_state=0)
    >>> sample.X.shape, round(float(sample.X.sum(axis=1).mean()))
    ((200, 12), 59)
    """
    check_count(n, "n")
    check_scalar(length, "length", above=0, most=1e9)
    rng = seeded_generator(random_state)
    own: NDArray[np.bool_] = np.arange(12) // 4 == np.arange(3)[:, None]
    topics = np.where(own, rng.uniform(1.0, 3.0, size=(3, 12)), rng.uniform(0.0, 0.1, size=(3, 12)))
    topics /= topics.sum(axis=1, keepdims=True)
    weights = rng.dirichlet([0.3, 0.3, 0.3], size=n)
    X = rng.poisson(length * weights @ topics).astype(np.float64)
    return TopicSample(X, topics, weights, VOCABULARY)


def _spiral_length(t: Floats | float) -> Floats:
    """Return the length of the spiral from its centre to the angle t."""
    return np.asarray((t * np.sqrt(1 + np.square(t)) + np.arcsinh(t)) / 2)
