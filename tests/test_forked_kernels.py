"""Kernels forked from a warm process run pages as kernels of their own would."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import execution, forked_kernels
from tools.paths import ROOT

HEADER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  name: python3
---

# A page
"""
STATE = """
import os, sys
print([name for name in sys.modules if name.split(".")[0] in ("mlnotes", "tools")])
print(os.getcwd(), os.getsid(0) == os.getpid(), sys.path[0] == os.environ["PYTHONPATH"])
print(hash("a word"), os.environ["OPENBLAS_NUM_THREADS"], os.read(0, 1))
loaded = {"scipy.optimize", "matplotlib.figure"} <= set(sys.modules)
import matplotlib
print(os.environ["MPLBACKEND"], hash(str(sorted(matplotlib.rcParams.items()))))
print(loaded)
"""


def page(folder: Path, name: str, cell: str) -> Path:
    path = folder / f"{name}.md"
    path.write_text(f"{HEADER}\n```{{code-cell}} ipython3\n{cell}\n```\n")
    return path


def run(pages: list[Path], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Run pages and return what each printed, or how it failed."""
    monkeypatch.setattr(execution, "ROOT", folder)
    store = execution.Cache(folder / "cache")
    printed = []
    for result in execution.execute_all(pages, store):
        shown = [] if result.failure else store.outputs(execution.read(result.chapter))
        printed.append(
            result.failure.splitlines()[:1] or "".join(o.text for o in shown).splitlines()
        )
    return printed


def test_a_kernel_is_what_jupyter_would_have_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for what it has loaded."""
    can_fork = forked_kernels.CAN_FORK
    (forked,) = run([page(tmp_path, "forked", STATE)], tmp_path, monkeypatch)
    monkeypatch.setattr(forked_kernels, "CAN_FORK", False)
    (started,) = run([page(tmp_path, "started", f"{STATE}\n")], tmp_path, monkeypatch)
    assert forked[:-1] == started[:-1] == ["[]", f"{tmp_path} True True", *started[2:4]]
    assert (forked[-1], started[-1]) == (str(can_fork), "False")


@pytest.mark.skipif(not forked_kernels.CAN_FORK, reason="kernels are not forked here")
def test_what_kernels_are_forked_from_has_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = "import os\nprint(len(os.listdir(f'/proc/{os.getppid()}/task')))"
    assert run([page(tmp_path, "page", cell)], tmp_path, monkeypatch) == [["1"]]


@pytest.mark.skipif(not forked_kernels.CAN_FORK, reason="kernels are not forked here")
def test_when_what_kernels_are_forked_from_has_ended_another_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos._exit(1)"
    (died,) = run([page(tmp_path, "dies", cell)], tmp_path, monkeypatch)
    assert died[0].startswith("dies.md:14: DeadKernelError")
    assert run([page(tmp_path, "runs", "print(1)")], tmp_path, monkeypatch) == [["1"]]


def test_what_a_page_changes_no_other_page_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [f"import numpy\nprint(hasattr(numpy, 'left'))\nnumpy.left = {i}" for i in range(3)]
    pages = [page(tmp_path, f"page{i}", cell) for i, cell in enumerate(cells)]
    assert run(pages, tmp_path, monkeypatch) == [["False"]] * 3


def test_a_kernel_that_dies_is_a_failure_of_its_page_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [page(tmp_path, "dies", "import os\nos._exit(3)"), page(tmp_path, "runs", "print(1)")]
    died, ran = run(pages, tmp_path, monkeypatch)
    assert died[0].startswith("dies.md:14: DeadKernelError")
    assert ran == ["1"]


RUN = """
from pathlib import Path
from tools import execution
execution.ROOT = Path.cwd()
execution.execute_all([execution.ROOT / "page.md"], execution.Cache(execution.ROOT / "cache"))
"""


def test_kernels_end_when_who_asked_for_them_is_killed(tmp_path: Path) -> None:
    cell = "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(600)"
    page(tmp_path, "page", cell)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    asker = subprocess.Popen([sys.executable, "-c", RUN], cwd=tmp_path, env=environment)
    pid = tmp_path / "pid"
    until(lambda: pid.exists() and pid.read_text() != "")
    asker.send_signal(signal.SIGKILL)
    asker.wait()
    until(lambda: forked_kernels.Process(int(pid.read_text())).poll() is not None)


def until(happened: Callable[[], bool]) -> None:
    """Wait a minute at most for something to happen."""
    limit = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < limit
        time.sleep(0.05)
