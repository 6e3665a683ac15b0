"""Compiled loops: the same answers with numba, without it, and without a place for its cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mlnotes import _compiled

PROGRAM = """
import sys
{before}
import numpy as np
from mlnotes._compiled import compiled, compiles
{after}

@compiled()
def cumulate(values, total):
    for i in range(len(values)):
        total += values[i] * values[i]
    return total

assert sys.modules.get("numba") is None or {loaded}, "numba is loaded before anything is compiled"
assert cumulate(np.arange(5.0), 1.0) == 31.0
assert cumulate.__wrapped__(np.arange(5.0), 1.0) == 31.0
print(compiles())
"""


def run(folder: Path, before: str = "", after: str = "", **environment: str) -> str:
    script = folder / "loop.py"
    script.write_text(PROGRAM.format(before=before, after=after, loaded=bool(after)))
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_loops_are_compiled_and_kept_on_disk(tmp_path: Path) -> None:
    assert run(tmp_path) == "True"
    assert list(tmp_path.rglob("*.nbi"))


def test_loops_run_as_plain_python_without_numba(tmp_path: Path) -> None:
    assert run(tmp_path, before="sys.modules['numba'] = None") == "False"
    assert run(tmp_path, NUMBA_DISABLE_JIT="1") == "False"
    assert not list(tmp_path.rglob("*.nbi"))


# As numba answers where no directory for the cache can be written.
NO_CACHE = """
import numba
plain = numba.njit
def njit(*args, cache=False, **kwargs):
    if cache:
        raise RuntimeError("cannot cache function: no locator available")
    return plain(*args, **kwargs)
numba.njit = njit
"""
# As it answers where the disk is full.
FULL_DISK = """
import numba
plain = numba.njit
def njit(*args, cache=False, **kwargs):
    def broken(*arguments):
        raise OSError("no space left")
    return (lambda function: broken) if cache else plain(*args, **kwargs)
numba.njit = njit
"""


@pytest.mark.parametrize("trouble", [NO_CACHE, FULL_DISK], ids=["read-only", "full"])
def test_loops_are_compiled_without_a_cache_where_there_is_no_place_for_one(
    tmp_path: Path, trouble: str
) -> None:
    assert run(tmp_path, after=trouble) == "True"
    assert not list(tmp_path.rglob("*.nbi"))


@pytest.mark.skipif(os.name == "nt", reason="permissions work otherwise on Windows")
def test_a_read_only_folder_is_no_obstacle(tmp_path: Path) -> None:
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "__pycache__").mkdir()
    script = folder / "loop.py"
    script.touch()
    for path in (folder / "__pycache__", folder):
        path.chmod(0o555)
    try:
        script.chmod(0o644)
        home = tmp_path / "nowhere"
        assert run(folder, HOME=str(home), XDG_CACHE_HOME=str(home), NUMBA_CACHE_DIR="") == "True"
    finally:
        folder.chmod(0o755)
        (folder / "__pycache__").chmod(0o755)


@_compiled.compiled(reassociate=True)
def _sum_of_products(a, b):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def test_sums_in_any_order_still_know_nan_and_infinity() -> None:
    a = np.linspace(0.0, 1.0, 1001)
    assert _sum_of_products(a, a) == pytest.approx(float(a @ a), rel=1e-14)
    a[500] = np.nan
    assert np.isnan(_sum_of_products(a, a))
    a[500] = np.inf
    assert _sum_of_products(a, a) == np.inf
