"""The examples in the documentation of the engine run."""

import doctest
import importlib
import pkgutil

import pytest

import mlnotes.proof

MODULES = sorted(m.name for m in pkgutil.iter_modules(mlnotes.proof.__path__))


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module(f"mlnotes.proof.{name}")
    assert doctest.testmod(module).failed == 0
