"""Every estimator of the package against scikit-learn's, at equal objective.

``python -m benchmarks`` measures, shows its progress, and writes a table, a chart and the raw
numbers to ``_build/bench``. An estimator takes part through a case beside its
tests, in ``tests/benchmark_<module>.py``; an estimator without one is listed as missing.
"""
