"""Run scikit-learn's whole check_estimator suite and print what happened, as JSON.

    python -m tests.estimator_checks [--default] [module:Class ...]

A process of its own, because SCIPY_ARRAY_API must be set before anything imports SciPy: without it
scikit-learn skips checks. An estimator for which some value of ``y`` means "no label" is checked
with every value a label, unless ``--default`` is given.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import warnings
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"

from sklearn.utils.estimator_checks import check_estimator

from tests.discovery import estimators


def run(cls: type[Any], *, default: bool) -> list[dict[str, object]]:
    estimator = cls()
    if "unlabelled" in estimator.get_params() and not default:
        estimator.set_params(unlabelled=None)
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    return [
        {
            "check": str(result["check_name"]),
            "status": str(result["status"]),
            "expected_to_fail": bool(result["expected_to_fail"]),
            "exception": repr(result["exception"]),
        }
        for result in results
    ]


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    default = names[:1] == ["--default"]
    classes = [
        getattr(importlib.import_module(module), cls)
        for module, _, cls in (name.partition(":") for name in names[default:])
    ]
    report = {
        f"{cls.__module__}:{cls.__name__}": run(cls, default=default)
        for cls in classes or estimators()
    }
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
