"""The project as a whole: what it ships, what it says of itself, and what it must not say."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from conftest import tracked_files

from tools.paths import BOOK, ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def texts() -> dict[Path, str]:
    result = {}
    for path in tracked_files():
        try:
            result[path] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return result


# Written in pieces, so that this file does not contain what it looks for.
HOSTS = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com"]
OUTSIDE = ["../" + "shared", "/work" + "/", "/home" + "/", "/root" + "/"]


@pytest.mark.parametrize("word", HOSTS + OUTSIDE)
def test_no_file_names_a_registry_or_a_place_outside_the_project(word: str) -> None:
    assert [path.relative_to(ROOT) for path, text in texts().items() if word in text] == []


def test_nobody_is_told_to_install_a_strangers_package() -> None:
    told = re.compile(r"pip install (-\S+ )*[\"']?mlnotes(?!-book)\b")
    assert [path.relative_to(ROOT) for path, text in texts().items() if told.search(text)] == []


def test_versions_agree() -> None:
    import mlnotes

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == mlnotes.__version__


def test_the_readmes_commands_exist_and_ci_runs_its_test_command() -> None:
    readme = (ROOT / "README.md").read_text()
    makefile = (ROOT / "Makefile").read_text()
    commands = set(re.findall(r"\bmake ([a-z]+)", readme)) - {"it"}
    assert {"book", "test"} <= commands
    assert all(re.search(rf"^{command}:", makefile, re.M) for command in commands)
    assert "\nmake test\n" in (ROOT / ".ci" / "run").read_text()


def test_the_readmes_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    examples = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    mistakes, bound = map(int, re.findall(r"(\d+) mistakes; .* than (\d+)", printed)[0])
    assert mistakes <= bound
    assert "this line is false" in printed


def test_every_extra_is_locked_with_hashes() -> None:
    lock = (ROOT / "requirements" / "all.lock").read_text()
    locked = {m.lower() for m in re.findall(r"^([A-Za-z0-9_.-]+)==", lock, re.M)}
    for extra in PYPROJECT["project"]["optional-dependencies"].values():
        for requirement in extra:
            name = re.split(r"[\[<>=!~ ]", requirement)[0].lower()
            assert name == "mlnotes-book" or name in locked, name
    blocks = re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.M)[1:]
    assert all("--hash=sha256:" in block for block in blocks)


def test_the_landing_page_plans_the_whole_book() -> None:
    plan = yaml.safe_load((BOOK / "plan.yml").read_text())
    names = [chapter["name"] for part in plan for chapter in part["chapters"]]
    assert len(names) == len(set(names)) == 32
    toc = (ROOT / "_toc.yml").read_text()
    assert [n for n in names if (BOOK / f"{n}.md").exists() and f"book/{n}\n" not in toc] == []


def test_the_wheel_carries_the_whole_package_and_its_licences(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {
        path.relative_to(ROOT).as_posix()
        for path in tracked_files()
        if path.is_relative_to(ROOT / "mlnotes")
    }
    assert package <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert wheel.name.startswith("mlnotes_book-")


def test_the_wheel_is_used_without_the_repository(installed: Path, tmp_path: Path) -> None:
    code = "import mlnotes, sys; print(mlnotes.__file__, 'numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(installed / "mlnotes" / "__init__.py"), "False"]
