"""The project as a whole: what it ships, what it says of itself, and what it must not say."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
import warnings
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jupytext
import pytest
import yaml
from conftest import pytest_collection_modifyitems, tracked_files

from tools import branches, chromium, execution, licences, lighthouse, lowest
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
OUTSIDE = ["../" + "shared", "/work" + "/", "/home" + "/", "/root" + "/", "/Users" + "/"]


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


# What each part of the project may import of it.
JOINTS = {
    "mlnotes": {"mlnotes"},
    "tools": {"mlnotes", "tools"},
    "book/_ext/mlnotes_book": {"mlnotes", "tools", "mlnotes_book"},
    "benchmarks": {"mlnotes", "benchmarks", "tests", "tools"},
}
PARTS = {"mlnotes", "tools", "mlnotes_book", "benchmarks", "tests"}


def imported(path: Path) -> set[str]:
    """The names of the modules that a file imports, wherever it does."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    found = [n for n in nodes if isinstance(n, ast.ImportFrom) and not n.level]
    return plain | {node.module for node in found if node.module}


@pytest.mark.parametrize("part", JOINTS)
def test_no_part_of_the_project_imports_one_that_is_built_on_it(part: str) -> None:
    """The tools, which the site is built with, know nothing of it, and nothing reads the tests."""
    files = sorted((ROOT / part).rglob("*.py"))
    assert files
    tops = {path: {name.partition(".")[0] for name in imported(path)} & PARTS for path in files}
    assert {
        path: found - JOINTS[part] for path, found in tops.items() if found - JOINTS[part]
    } == {}


def test_an_import_of_the_wrong_part_is_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def f():\n    from mlnotes_book.ledger import outputs\nimport tests.pages\n")
    assert imported(module) == {"mlnotes_book.ledger", "tests.pages"}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_files_and_modules_that_are_named_exist(name: str) -> None:
    text = (ROOT / name).read_text()
    files = re.findall(r"`((?:book|mlnotes|tests|tools|requirements|\.github)/[\w./]+)`", text)
    modules = re.findall(r"python -m (tools\.\w+)", text)
    named = [*files, *re.findall(r"`([\w.-]+\.(?:md|toml|json|cff|yml))`", text)]
    named += [module.replace(".", "/") + ".py" for module in modules]
    assert named
    places = (ROOT, BOOK, BOOK / "sources")
    assert [n for n in named if not any((place / n).exists() for place in places)] == []


def test_readers_see_the_book_and_are_told_how_to_cite_it_and_under_which_terms() -> None:
    readme = (ROOT / "README.md").read_text()
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", readme)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).read_bytes().startswith(b"\x89PNG"), picture
    for name, words in (
        *(("CITATION.cff", "cite it"), ("CHANGELOG.md", "## Unreleased")),
        *(("LICENSE", "BSD 3-Clause"), ("LICENSE-text", "CC BY 4.0")),
    ):
        assert words in (ROOT / name).read_text(), name
        assert name == "CHANGELOG.md" or f"`{name}`" in readme, name


def test_commits_are_checked_by_what_make_lint_runs() -> None:
    printed = ["make", "--no-print-directory", "--dry-run", "lint"]
    lint = subprocess.run(printed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    checks = ("ruff check", "ruff format", "mypy")
    assert re.search(" .* && ".join(checks), lint), lint
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    entries = [hook["entry"].removeprefix(".venv/bin/").removesuffix(" --fix") for hook in hooks]
    assert entries == list(checks)


def test_make_test_runs_every_test_and_names_the_slowest() -> None:
    printed = ["make", "--no-print-directory", "--dry-run", "test", "ARGS="]
    test = subprocess.run(printed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.search(r"-m pytest -n auto --dist worksteal *$", test), test
    settings = PYPROJECT["tool"]["pytest"]["ini_options"]
    assert settings["testpaths"] == ["tests"]
    assert any(option.startswith("--durations=") for option in settings["addopts"])
    assert not any(option.startswith(("-k", "-m")) for option in settings["addopts"])


def test_tests_of_built_pages_and_long_ones_come_first() -> None:
    def item(name: str, *fixtures: str, slow: bool = False) -> Any:
        marked = {"slow"} if slow else set()
        return SimpleNamespace(
            name=name,
            fixturenames=fixtures,
            get_closest_marker=lambda mark: mark if mark in marked else None,
        )

    items = [item("a"), item("b", slow=True), item("c", "tmp_path", "site"), item("d")]
    pytest_collection_modifyitems(items)
    assert [i.name for i in items] == ["c", "b", "a", "d"]


def test_lighthouse_prints_the_run_in_the_middle_and_what_costs_points(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Performance", "Accessibility", "Best Practices", "SEO")
    refs = [{"id": "slow", "weight": 1}, {"id": "quick", "weight": 1}, {"id": "bad", "weight": 0}]
    audits = {n: {"title": f"It is {n}", "score": float(n == "quick")} for n in ("slow", "quick")}

    def report(score: float) -> dict[str, object]:
        found = [
            {"title": n, "score": score * s, "auditRefs": refs} for s, n in enumerate(names, 1)
        ]
        keys = [name.lower() for name in names]
        return {"categories": dict(zip(keys, found, strict=True)), "audits": audits}

    monkeypatch.setattr(lighthouse, "measure", lambda page, runs: map(report, (0.3, 0.1, 0.2)))
    monkeypatch.setattr(sys, "argv", ["lighthouse"])
    assert lighthouse.main() == 0
    printed = capsys.readouterr().out
    assert printed.startswith("10 to 30;")
    assert re.findall(r"^(\w[\w ]*?) +(\d+)$", printed, re.MULTILINE) == list(
        zip(names, ("20", "40", "60", "80"), strict=True)
    )
    assert "It is slow" in printed
    assert "It is quick" not in printed
    monkeypatch.undo()
    monkeypatch.setattr(sys, "argv", ["lighthouse"])
    monkeypatch.setattr(chromium, "find", lambda: None)
    assert lighthouse.main() == 1
    assert capsys.readouterr().err == f"mlnotes: {chromium.REMEDY}\n"


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


def test_users_are_given_ranges() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    assert {"plot", "book", "test"} <= set(extras)
    for requirement in (*PYPROJECT["project"]["dependencies"], *extras["plot"]):
        assert re.fullmatch(r"[a-z0-9-]+>=[0-9.]+(,<[0-9.]+)?", requirement), requirement


def test_a_warning_raised_by_the_package_is_an_error_here() -> None:
    with pytest.raises(UserWarning, match="as the package would"):
        warnings.warn_explicit("as the package would", UserWarning, "a.py", 1, "mlnotes.a")


def test_the_citation_file_has_what_its_format_asks_for() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["authors"] == PYPROJECT["project"]["authors"]
    assert set(citation["license"]) == set(PYPROJECT["project"]["license"].split(" AND "))


WORKFLOWS = ROOT / ".github" / "workflows"


def steps_of(workflow: str) -> list[str]:
    """Return the commands of a workflow's jobs, one after the other."""
    text = (WORKFLOWS / f"{workflow}.yml").read_text()
    parsed = yaml.safe_load(text)
    assert {"name", True, "permissions", "jobs"} <= set(parsed)  # YAML takes "on" for true
    jobs = parsed["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def test_the_workflows_run_what_is_run_here_and_publish_where_links_lead(tmp_path: Path) -> None:
    assert steps_of("tests") == ["bash .ci/run"]
    naming, building, pushing = steps_of("pages")
    assert building == "make book"
    assert "gh-pages" in pushing
    (tmp_path / "_config.yml").write_text((ROOT / "_config.yml").read_text())
    named = naming.replace("${{ github.server_url }}/${{ github.repository }}", "https://a.b/c/d")
    subprocess.run(["sh", "-c", named], cwd=tmp_path, check=True)
    config = yaml.safe_load((tmp_path / "_config.yml").read_text())
    assert config["sphinx"]["config"]["mlnotes_repository"] == "https://a.b/c/d"


def unpinned(workflow: str) -> list[str]:
    """Return the actions that a workflow does not name by a commit and its version."""
    named = re.findall(r"uses: (.*)", workflow)
    return [line for line in named if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)]


def lenient(workflow: str) -> list[str]:
    """Return the jobs that may write although they run what is in the repository."""
    parsed = yaml.safe_load(workflow)
    default = parsed["permissions"]
    jobs = parsed["jobs"].items()
    writing = [(n, j) for n, j in jobs if j.get("permissions", default) != {"contents": "read"}]
    kept = [step for _, j in jobs for step in j["steps"] if "checkout" in step.get("uses", "")]
    return [
        *(n for n, j in writing if any("checkout" in step.get("uses", "") for step in j["steps"])),
        *("checkout" for s in kept if s.get("with", {}).get("persist-credentials") is not False),
    ]


@pytest.mark.parametrize("path", sorted(WORKFLOWS.glob("*.yml")), ids=lambda path: path.stem)
def test_workflows_pin_their_actions_and_what_runs_the_repository_may_only_read(path: Path) -> None:
    assert "uses:" in path.read_text()
    assert unpinned(path.read_text()) == []
    assert lenient(path.read_text()) == []


def test_an_action_by_a_tag_and_a_job_that_may_write_would_be_noticed() -> None:
    text = (WORKFLOWS / "tests.yml").read_text()
    assert unpinned(re.sub(r"@[0-9a-f]{40} # v4\.2\.2", "@v4", text)) == ["actions/checkout@v4"]
    assert lenient(text.replace("contents: read", "contents: write")) == ["test"]
    assert lenient(text.replace("persist-credentials: false", "fetch-depth: 1")) == ["checkout"]


def test_all_turns_and_the_lowest_versions_are_tested_at_night() -> None:
    parsed = yaml.safe_load((WORKFLOWS / "nightly.yml").read_text())
    (job,) = parsed["jobs"].values()
    commands = job["strategy"]["matrix"]["command"]
    assert commands == ["test-all", "test-lowest", "licences", "nbgrader", "notebooks"]
    makefile = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{command}:.* ##", makefile, re.M) for command in commands)
    assert re.search(r"^test-all:.*\n\t@MLNOTES_TURN=all ", makefile, re.M)


def test_the_lowest_versions_leave_out_no_test_of_the_package() -> None:
    globs = [a.removeprefix("--ignore-glob=") for a in lowest.arguments() if "ignore" in a]
    left = {p for pattern in globs for p in ROOT.glob(pattern)}
    assert len(left) >= len(globs), "a pattern matches nothing"
    modules = {p.stem for p in (ROOT / "mlnotes").glob("[!_]*")}
    assert {ROOT / "tests" / f"test_{name}.py" for name in modules}.isdisjoint(left)


@pytest.mark.parametrize(
    ("licence", "known"),
    [("MIT", True), ("BSD-3-Clause", True), ("Apache-2.0", True), ("", False), ("GPLv3", False)],
)
def test_a_licence_that_is_not_known_to_fit_is_named(licence: str, known: bool) -> None:
    assert licences.unknown([("a", licence)]) == ([] if known else [("a", licence)])


def test_everything_that_is_installed_has_a_licence_that_fits() -> None:
    found = [*licences.of_python(), *licences.of_node()]
    assert {"numpy", "katex", "@fontsource/source-serif-4"} <= {name for name, _ in found}
    assert licences.unknown(found) == []


TESTED = ["make lint 1 1", "make test 1 1"]
INSTALLED = ["apt-get update", "apt-get install"]


@pytest.mark.parametrize(
    ("present", "apt", "ran"),
    [
        (["chromium", "bwrap"], 0, TESTED),
        (["bwrap"], 0, [*INSTALLED, *TESTED]),
        (["chromium"], 0, [*INSTALLED, *TESTED]),
        ([], 0, [*INSTALLED, *INSTALLED, *TESTED]),
        (["bwrap"], 1, ["apt-get update"]),
        (["chromium"], 1, ["apt-get update"]),
    ],
)
def test_ci_installs_what_tests_need_and_stops_where_it_cannot_be_had(
    present: list[str], apt: int, ran: list[str], tmp_path: Path
) -> None:
    """Run it among programs that only say that they were called."""
    said = "$1 $MLNOTES_REQUIRE_BROWSER $MLNOTES_REQUIRE_SANDBOX"
    note = f'#!/bin/sh\necho "${{0##*/}} {said}" >> {tmp_path}/ran\n'
    programs = {"make": note, "apt-get": f"{note}exit {apt}\n", "sudo": '#!/bin/sh\nexec "$@"\n'}
    programs |= dict.fromkeys(present, note)
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for name in ("sh", "bash", "env", "id", "dirname"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    environment = {"PATH": str(tmp_path)}
    done = subprocess.run(["/bin/bash", str(ROOT / ".ci" / "run")], env=environment, check=False)
    assert (done.returncode == 0) is (ran[-2:] == TESTED)
    lines = [line.strip() for line in (tmp_path / "ran").read_text().splitlines()]
    assert lines == ran


def test_binder_opens_a_chapter_as_a_notebook_with_a_python_that_the_package_takes() -> None:
    folder = ROOT / ".binder"
    wanted = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert (folder / "runtime.txt").read_text().strip() == f"python-{wanted}"
    (line,) = (folder / "requirements.txt").read_text().splitlines()
    lock = (folder / line.removeprefix("-r ")).read_text()
    locked = set(re.findall(r"^([a-z0-9-]+)==", lock, re.M))
    assert {
        "jupyterlab",
        "jupytext",
        "numpy",
        "scipy",
        "sympy",
        "matplotlib",
    } <= locked
    assert all("--hash=" in block for block in re.split(r"^(?=[a-z0-9])", lock, flags=re.M)[1:])
    assert "pip install --no-deps --no-build-isolation ." in (folder / "postBuild").read_text()
    assert os.access(folder / "postBuild", os.X_OK)
    assert "set-default-viewer markdown" in (folder / "postBuild").read_text()
    chapter = BOOK / "perceptron.md"
    cells = [cell.source for cell in jupytext.read(chapter).cells if cell.cell_type == "code"]
    ran = [cell.source for cell in execution.read(chapter).cells if cell.cell_type == "code"]
    assert cells == ran != []


def test_the_landing_page_plans_the_whole_book() -> None:
    plan = yaml.safe_load((BOOK / "plan.yml").read_text())
    names = [chapter["name"] for part in plan for chapter in part["chapters"]]
    assert len(names) == len(set(names)) == 32


def test_the_wheel_carries_the_whole_package_and_its_licences(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {
        path.relative_to(ROOT).as_posix()
        for path in tracked_files()
        if path.is_relative_to(ROOT / "mlnotes")
    }
    assert package <= names
    for licence in ("LICENSE", "LICENSE-text"):
        assert any(name.endswith(f"licenses/{licence}") for name in names), licence
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


def test_the_package_alone_needs_three_others(wheel: Path, installed: Path, tmp_path: Path) -> None:
    """Import all of it where nothing else is to be had."""
    metadata = next(n for n in zipfile.ZipFile(wheel).namelist() if n.endswith("METADATA"))
    text = zipfile.ZipFile(wheel).read(metadata).decode()
    needed = re.findall(r"^Requires-Dist: ([a-z0-9-]+)(?!.*extra ==)", text, re.M)
    assert needed == ["numpy", "scipy", "sympy"]
    code = """
import importlib, pkgutil, sys
from importlib.metadata import packages_distributions
own = {"mlnotes", "numpy", "scipy", "sympy", "mpmath"}
for name in set(packages_distributions()) - own - set(sys.modules):
    sys.modules[name] = None
import mlnotes
for module in pkgutil.walk_packages(mlnotes.__path__, "mlnotes."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(len([name for name in sys.modules if name.startswith("mlnotes.")]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 30


def test_mypy_finds_the_editable_install_from_outside_the_repository(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from mlnotes.perceptron import novikoff_bound\nwrong: str = novikoff_bound(1.0, 0.5)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(program)],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
    (error, summary) = done.stdout.splitlines()
    assert "Incompatible types" in error, done.stdout
    assert summary.startswith("Found 1 error in 1 file")


@pytest.mark.parametrize(("calls", "taken"), [("f(1)", 1), ("f(0)", 1), ("f(1), f(0)", 2)])
def test_branches_that_no_test_takes_are_counted(
    calls: str, taken: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, data = tmp_path / "program.py", tmp_path / "data"
    program.write_text(f"def f(a):\n    if a:\n        return 1\n    return 0\n{calls}\n")
    line = ["-m", "coverage", "run", "--branch", "--source=.", f"--data-file={data}", program.name]
    subprocess.run([sys.executable, *line], cwd=tmp_path, check=True)
    assert branches.main(["--data-file", str(data)]) == (taken < 2)
    assert f"{taken} of 2 taken" in capsys.readouterr().out
