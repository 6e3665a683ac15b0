"""The size of the trusted core is counted, and no module is left out of the count."""

import pkgutil

from mlnotes.proof.core import TRUSTED, UNTRUSTED, core_size, lines_of_code

import mlnotes.proof


def test_every_module_is_either_trusted_or_not():
    modules = {m.name for m in pkgutil.iter_modules(mlnotes.proof.__path__)}
    assert modules == set(TRUSTED) | set(UNTRUSTED)
    assert not set(TRUSTED) & set(UNTRUSTED)


def test_only_code_is_counted():
    lines = ['"""A docstring', "of two lines.", '"""', "", "# why", "x = (", "    1", ")"]
    lines += ["def f():", '    "doc"', "    return x"]
    source = "\n".join(lines)
    assert lines_of_code(source) == 5


def test_the_core_is_not_empty():
    assert all(size > 0 for size in core_size().values())
