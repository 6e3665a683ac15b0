"""The data the chapters run on: seeded generators and small real sets, no download.

A generator draws from a seed that the caller names and returns its arrays by name together with
the truth they were drawn from, so that a theorem can be held against it: :func:`make_separable`
returns the margin and the radius that bound the mistakes of a perceptron. The real sets travel
inside the package, each with its authors, its source and its licence in ``provenance.toml``.

Examples
--------
>>> from mlnotes import data
>>> sample = data.make_separable(50, margin=0.1, radius=2.0, random_state=0)
>>> sample.X.shape, sorted(set(sample.y.tolist()))
((50, 2), [-1, 1])
>>> data.load_iris().source.licence
'CC-BY-4.0'
"""

from mlnotes.data._generators import (
    ContaminatedSample,
    LabelledSample,
    MixtureSample,
    NoisySample,
    SeparableSample,
    make_contaminated,
    make_discs,
    make_mixture,
    make_moons,
    make_noisy,
    make_separable,
    make_xor,
)
from mlnotes.data._hidden import (
    SoundSample,
    SwissRoll,
    TopicSample,
    make_sounds,
    make_swiss_roll,
    make_topics,
)
from mlnotes.data._real import (
    RealData,
    RegressionData,
    Source,
    UnlabelledData,
    intensity_and_symmetry,
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_geyser,
    load_iris,
    sources,
)

__all__ = [
    "ContaminatedSample",
    "LabelledSample",
    "MixtureSample",
    "NoisySample",
    "RealData",
    "RegressionData",
    "SeparableSample",
    "SoundSample",
    "Source",
    "SwissRoll",
    "TopicSample",
    "UnlabelledData",
    "intensity_and_symmetry",
    "load_breast_cancer",
    "load_diabetes",
    "load_digits",
    "load_geyser",
    "load_iris",
    "make_contaminated",
    "make_discs",
    "make_mixture",
    "make_moons",
    "make_noisy",
    "make_separable",
    "make_sounds",
    "make_swiss_roll",
    "make_topics",
    "make_xor",
    "sources",
]
