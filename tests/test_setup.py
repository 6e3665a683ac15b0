"""The set-up works from nothing, says in a sentence what is missing, and recovers."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from tools import bootstrap
from tools.paths import ROOT
from tools.serve import make_server

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


def test_a_python_without_venv_is_told_which_package_to_install(tmp_path: Path) -> None:
    script = copy_set_up(tmp_path) / "tools" / "bootstrap.py"
    code = f"""
import runpy, sys
sys.modules["venv"] = None
runpy.run_path({str(script)!r}, run_name="__main__")
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


def load_set_up(project: Path) -> ModuleType:
    """Return the set-up of a project as a module."""
    spec = importlib.util.spec_from_file_location("set_up", project / "tools" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_set_up_is_made_again_where_something_is_gone_or_the_project_was_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made_again(project: Path) -> bool:
        module, made = load_set_up(project), []

        def set_up() -> None:
            made.append(project)
            for stamp in (module.STAMP, module.NODE_STAMP):
                Path(stamp).parent.mkdir(exist_ok=True)
                Path(stamp).touch()

        monkeypatch.setattr(module, "set_up", set_up)
        assert module.main() == 0
        return bool(made)

    project = copy_set_up(tmp_path / "project")
    assert [made_again(project) for _ in range(2)] == [True, False]
    for folder in (".venv", "node_modules"):
        shutil.rmtree(project / folder)
        assert [made_again(project) for _ in range(2)] == [True, False], folder
    moved = project.rename(tmp_path / "elsewhere")
    assert [made_again(moved) for _ in range(2)] == [True, False]
    (moved / "requirements" / "all.lock").write_text("another==1.0\n")
    assert made_again(moved)


@pytest.mark.parametrize(
    ("stopped", "status", "words"),
    [
        (KeyboardInterrupt(), 130, "interrupted; the next run starts afresh"),
        (PermissionError(13, "Permission denied", "_build"), 1, "Permission denied: '_build'"),
    ],
)
def test_a_set_up_that_is_stopped_says_so_in_a_line(
    stopped: BaseException,
    status: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def set_up() -> None:
        raise stopped

    module = load_set_up(copy_set_up(tmp_path))
    monkeypatch.setattr(module, "set_up", set_up)
    assert module.main() == status
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert not Path(module.STAMP).exists()


INSTALLERS = {
    "npm error code ECONNREFUSED": "npm error\nnpm error A complete log of this run is in a file",
    "ERROR: No matching distribution found for a==1.0": "",
    "error: Failed to initialize cache": "  cause: failed to create directory",
}


@pytest.mark.parametrize("telling", INSTALLERS)
def test_the_sentence_quotes_the_line_that_tells_what_went_wrong(
    telling: str, tmp_path: Path
) -> None:
    module = load_set_up(copy_set_up(tmp_path))
    Path(module.LOG).parent.mkdir()
    code = f"print({telling!r}); print({INSTALLERS[telling]!r}); exit(1)"
    with pytest.raises(module.SetUpError) as error:
        module.run([sys.executable, "-c", code], "could not install it")
    assert str(error.value).startswith(f"could not install it ({telling}). Is there a network")


def test_a_home_that_cannot_be_written_is_replaced(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$HOME"\n')
    python.chmod(0o755)
    command = ("make", "--no-print-directory", "setup", f"PYTHON={python}")
    for given, used in (
        (str(tmp_path / "nowhere"), tmp_path / "_build" / "home"),
        *(("", tmp_path / "_build" / "home"), (str(tmp_path), tmp_path)),
    ):
        done = run(*command, cwd=tmp_path, HOME=given)
        assert done.stdout.strip() == str(used), done.stderr
        assert used.is_dir()


def test_a_taken_port_is_named_with_another_to_try() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run(sys.executable, "-m", "tools.serve", "--port", str(port))
    assert done.returncode == 1
    assert f"port {port} is taken: run 'make serve PORT={port + 1}'" in done.stderr


def test_serving_says_the_address_and_answers_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tools.serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as serving:
        for _ in range(100):
            with contextlib.suppress(ConnectionError):
                socket.create_connection(("localhost", port)).close()
                break
            time.sleep(0.1)
        serving.terminate()
        said = serving.communicate()[0]
    assert f"at http://localhost:{port}/ " in said


def test_a_browser_that_breaks_off_is_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    for error, told in ((BrokenPipeError("a fault"), False), (ValueError("a fault"), True)):
        with make_server(0) as server:
            try:
                raise error
            except (ConnectionError, ValueError):
                server.handle_error(None, ("127.0.0.1", 1))
        assert ("a fault" in capsys.readouterr().err) is told


def test_make_help_has_a_line_for_every_command() -> None:
    phony = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY")
    )
    commands = set(phony.split()[1:])
    listed = run("make", "--no-print-directory", "help").stdout.splitlines()
    assert {line.split()[1] for line in listed} == commands
    assert {"book", "test", "serve", "lint", "bench", "clean"} <= commands
    assert all(len(line.split()) > 3 for line in listed)


def test_make_clean_removes_all_that_git_ignores_and_nothing_else(tmp_path: Path) -> None:
    for name in ("Makefile", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "chapter.md").touch()
    for name in (".venv", "_build", "node_modules", "book/api", "book/ledger", ".mypy_cache"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "made").touch()
    (tmp_path / "genindex.md").touch()
    run("git", "init", "--quiet", cwd=tmp_path)
    ignored = ("git", "status", "--short", "--ignored", "--untracked-files=all")
    before = run(*ignored, cwd=tmp_path).stdout.splitlines()
    assert run("make", "clean", cwd=tmp_path).returncode == 0
    after = run(*ignored, cwd=tmp_path).stdout.splitlines()
    assert after == [line for line in before if line.startswith("??")]
    assert "?? book/chapter.md" in after
    assert len(before) == len(after) + 7
