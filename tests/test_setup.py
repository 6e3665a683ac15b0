"""The set-up works from nothing, says in a sentence what is missing, and recovers."""

from __future__ import annotations

import ast
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tools import bootstrap
from tools.paths import ROOT

BOOTSTRAP = ROOT / "tools" / "bootstrap.py"


def run(*command: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_old_python_can_read_the_set_up_and_is_told_what_to_do() -> None:
    ast.parse(BOOTSTRAP.read_text(), feature_version=(3, 7))
    with pytest.raises(bootstrap.SetUpError, match=r"3\.10 is too old.*make PYTHON="):
        bootstrap.check_python((3, 10, 4))
    bootstrap.check_python((3, 11, 0))


def test_a_python_without_venv_is_told_which_package_to_install() -> None:
    code = f"""
import runpy, sys
sys.modules["venv"] = None
runpy.run_path({str(BOOTSTRAP)!r}, run_name="__main__")
"""
    done = run(sys.executable, "-c", code)
    assert done.returncode == 1
    assert "python3-venv" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_make_names_the_remedy_where_there_is_no_python() -> None:
    done = run("make", "setup", "PYTHON=python-that-is-not-there")
    assert done.returncode != 0
    assert "install Python 3.11 or later" in done.stderr


def copy_set_up(target: Path) -> Path:
    """Copy what the set-up reads into an otherwise empty project."""
    shipped = ("package.json", ".npmrc", "README.md", "LICENSE", "LICENSE-text")
    for name in (*bootstrap.INPUTS, *shipped):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)
    shutil.copytree(ROOT / "mlnotes", target / "mlnotes")
    return target


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a machine that has a shell, but neither Node nor uv."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "env", "uname"):
        (programs / name).symlink_to(str(shutil.which(name)))
    return {"PATH": str(programs), "VIRTUAL_ENV": "", "PYTHONPATH": ""}


@pytest.mark.slow
def test_without_a_network_one_sentence_says_so_and_the_next_run_recovers(
    tmp_path: Path, bare: dict[str, str]
) -> None:
    project = copy_set_up(tmp_path / "project")
    nowhere = "http://127.0.0.1:9/simple"
    unreachable = {
        **bare,
        **{"PIP_INDEX_URL": nowhere, "PIP_EXTRA_INDEX_URL": "", "PIP_RETRIES": "0"},
        **{"PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1", "PIP_FIND_LINKS": ""},
        **{"UV_DEFAULT_INDEX": nowhere, "UV_NO_CACHE": "1", "UV_HTTP_RETRIES": "0"},
    }
    script = str(project / "tools" / "bootstrap.py")
    cut_off = run(sys.executable, script, cwd=project, **unreachable)
    assert cut_off.returncode == 1
    (sentence,) = cut_off.stderr.splitlines()
    assert "Is there a network connection?" in sentence
    assert (project / ".venv").exists(), "the run was meant to stop half-way"

    recovered = run(sys.executable, script, cwd=project, **bare)
    assert recovered.returncode == 0, recovered.stderr
    assert "removing an incomplete or outdated .venv" in recovered.stdout
    python = str(project / ".venv" / "bin" / "python")
    code = "import mlnotes, jupyter_book, sympy; print(mlnotes.__file__)"
    imported = run(python, "-c", code, cwd=tmp_path, **bare)
    assert imported.stdout.strip() == str(project / "mlnotes" / "__init__.py"), imported.stderr
    assert (project / ".venv" / "bin" / "node").exists(), "there was no other Node"
    assert (project / "node_modules" / "katex" / "dist" / "katex.min.css").exists()

    again = run(sys.executable, script, cwd=project, **bare)
    assert again.returncode == 0
    assert again.stdout == "", "a complete set-up has nothing to do"


def test_a_taken_port_is_named_with_another_to_try() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run(sys.executable, "-m", "tools.serve", "--port", str(port))
    assert done.returncode == 1
    assert f"port {port} is taken: run 'make serve PORT={port + 1}'" in done.stderr


def test_make_help_has_a_line_for_every_command() -> None:
    phony = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY")
    )
    commands = set(phony.split()[1:])
    listed = run("make", "--no-print-directory", "help").stdout.splitlines()
    assert {line.split()[1] for line in listed} == commands
    assert {"book", "test", "serve", "lint", "bench", "clean"} <= commands
    assert all(len(line.split()) > 3 for line in listed)
