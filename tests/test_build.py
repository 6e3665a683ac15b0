"""A build cannot be fooled by stale outputs, failing cells or broken pages, not even twice."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import execution
from tools.paths import ROOT
from tools.progress import Progress

pytestmark = pytest.mark.xdist_group("build")

CHAPTER = """---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---

# A chapter

Some text {cite:p}`rosenblatt1958` and $a^2$.

```{code-cell} ipython3
:tags: [keep]
from pathlib import Path
from uuid import uuid4
from mlnotes.answer import answer
print("answer", answer(), "data", Path("numbers.txt").read_text().strip(), "run", uuid4().hex)
```
"""
TOC = """format: jb-book
root: book/index
chapters:
- file: book/chapter
- file: book/api
  sections:
  - glob: book/api/*
- file: book/bibliography
- file: book/glossary
"""


SAID = dict.fromkeys(("place", "kind", "statement"), "so $a$")
SLIP = dict.fromkeys(("place", "printed", "problem", "correction", "finding"), "so $a$")
STATEMENTS = [
    {"id": name, "source": "000", **SAID}
    | {"check": "exact" if evidence else "none", "target": target, "evidence": evidence}
    for name, target, evidence in (
        ("said-well", "par-said", None),
        ("said-by-a-cell", "cell-said", "cell:book/perceptron#cell-said"),
        ("said-further", "par-further", "cell:book/perceptron/further#cell-further"),
        ("said-nowhere", "par-nowhere", None),
        ("said-at-large", "sec-large", None),
        ("said-on-trust", "eq-said", "thm-trust"),
        ("said-elsewhere", "eq-said", "cell:book/perceptron#cell-further"),
    )
]
SLIPS = [
    {"id": name, "source": "000", "severity": severity, **SLIP}
    for name, severity in (
        *(("slip-shown", "wrong"), ("slip-unboxed", "wrong")),
        *(("slip-silent", "missing-hypothesis"), ("slip-bare", "misprint")),
    )
]
NOTEBOOK = """---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---

"""
SAYING = f"""{NOTEBOOK}# The perceptron

(sec-large)=
## A section

(par-said)=
A paragraph.

$$ a = b $$ (eq-said)

```{{code-cell}} ipython3
:name: cell-said
assert 1 < 2
```
"""
FURTHER = f"""{NOTEBOOK}# Further results

(par-further)=
A paragraph on another page.

```{{code-cell}} ipython3
:name: cell-further
assert 2 < 3
```

```{{prf:theorem}} Further
:label: thm-further

So $a$.
```

```{{code-cell}} ipython3
from mlnotes import ledger
ledger.cited("thm-further", "rosenblatt1958", "to see where it is listed")
```

```{{treated}}
```
"""
SLIPPING = f"""{NOTEBOOK}# Where the notes slip

```{{erratum}} slip-shown
```

```{{erratum}} slip-silent
More on this.
```

```{{code-cell}} ipython3
from IPython.display import display
from mlnotes import ledger
display(ledger.erratum("slip-shown", printed=1 > 2), ledger.erratum("slip-bare", printed=1 > 2))
```

```{{misprints}}
```

```{{remarks}}
```
"""
CHAPTER_PAGES = {
    "perceptron": SAYING,
    "perceptron/further": FURTHER,
    "perceptron/slips": SLIPPING,
}


class Project:
    """A copy of the project with one small chapter and a package of one function."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.chapter = root / "book" / "chapter.md"
        self.module = root / "mlnotes" / "answer.py"
        self.data = root / "book" / "numbers.txt"
        for name in ("tools", "requirements", "book/_ext", "book/_static", "book/_templates"):
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in (
            *("_config.yml", "package.json", "package-lock.json", "book/plan.yml"),
            *("book/references.bib", "book/bibliography.md", "book/glossary.md", "book/api.md"),
        ):
            shutil.copy(ROOT / name, root / name)
        (root / "node_modules").symlink_to(ROOT / "node_modules")
        (root / "mlnotes").mkdir()
        for name in ("__init__.py", "ledger.py", "frames.js"):
            shutil.copy(ROOT / "mlnotes" / name, root / "mlnotes")
        with (root / "mlnotes" / "__init__.py").open("a") as package:
            package.write(f"\n__path__.append({str(ROOT / 'mlnotes')!r})\n")
        (root / "book" / "index.md").write_text("# Front page\n\n```{citation}\n```\n")
        self.reset()

    def add_page(self, name: str, text: str) -> None:
        """Add a page to the book until the next reset; one in a folder is part of its chapter."""
        self.page_text(name, text)
        below = "/" in name
        with (self.root / "_toc.yml").open("a") as toc:
            toc.write(f"{'  ' * below}- file: book/{name}\n")

    def page_text(self, name: str, text: str) -> None:
        """Change a page that is in the book."""
        path = self.root / "book" / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def reset(self) -> None:
        """Restore what the tests change."""
        (self.root / "_toc.yml").write_text(TOC)
        self.chapter.write_text(CHAPTER)
        self.data.write_text("17\n")
        self.module.write_text(
            '"""An answer."""\n\n__all__ = ["answer"]\n\n\n'
            'def answer() -> int:\n    """Return it."""\n    return 42\n'
        )

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the copy, against the copy's package."""
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def build(self) -> subprocess.CompletedProcess[str]:
        """Build as `make book` does."""
        return self.run("-m", "tools.build")

    def execute(self) -> str:
        """Run the chapter without building pages, and return what its cell printed."""
        done = self.run("-c", EXECUTE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def page(self) -> str:
        """Return the chapter's built page."""
        return (self.root / "_build" / "html" / "book" / "chapter.html").read_text("utf-8")


EXECUTE = """
import sys
from tools.execution import Cache, chapters, execute_all, read
from jupyter_cache import get_cache
(result,) = execute_all()
if result.failure:
    sys.exit(result.failure)
_, notebook = get_cache(str(Cache().folder)).merge_match_into_notebook(read(chapters()[0]))
print(notebook.cells[1].outputs[0].text)
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("project"))


@pytest.fixture
def project(copied: Project) -> Iterator[Project]:
    copied.reset()
    yield copied
    copied.reset()


def test_a_second_build_with_nothing_changed_has_nothing_to_do(project: Project) -> None:
    first = project.build()
    assert first.returncode == 0, first.stderr
    assert "answer 42 data 17" in project.page()
    assert "_build/html/index.html; 'make serve' serves it" in first.stdout
    second = project.build()
    assert second.returncode == 0
    assert "Nothing has changed" in second.stdout
    assert "Running" not in second.stdout


# Runs where there are two cores, as far as it is told.
EXECUTE_TWO = """
import os
os.cpu_count = lambda: 2
from tools.execution import chapters, execute_all
from tools.progress import Progress
paths = [path for path in chapters() if path.name.startswith("waits")]
failures = [result.failure for result in execute_all(paths, progress=Progress())]
raise SystemExit("".join(failures) or 0)
"""
WAITS = """
from pathlib import Path
from time import sleep
Path("{mine}").touch()
for _ in range(600):
    if Path("{other}").exists():
        break
    sleep(0.1)
else:
    raise TimeoutError("this chapter ran alone")
"""


def test_chapters_run_at_the_same_time_and_each_is_named_as_it_ends(project: Project) -> None:
    names = ("waits-first", "waits-second")
    opening = CHAPTER[: CHAPTER.index("# A chapter")]
    for mine, other in (names, names[::-1]):
        cell = WAITS.format(mine=f"{mine}.seen", other=f"{other}.seen")
        project.add_page(mine, f"{opening}# One of two\n\n```{{code-cell}}{cell}```\n")
    done = project.run("-c", EXECUTE_TWO)
    assert done.returncode == 0, done.stderr
    for name in names:
        assert re.search(rf"^  book/{name}\.md  \d+\.\d s$", done.stdout, re.MULTILINE), done.stdout


def test_a_terminal_is_shown_how_many_cells_have_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    Progress()(None, 3, 4)
    assert "█ 3/4 cells" in capsys.readouterr().out.replace("·", "")


def test_outputs_are_reused_only_while_nothing_they_depend_on_changes(project: Project) -> None:
    before = project.execute()
    assert "answer 42 data 17" in before
    assert project.execute() == before, "an unchanged chapter ran again"

    project.module.write_text(project.module.read_text().replace("42", "43"))
    after_package = project.execute()
    assert "answer 43 data 17" in after_package

    project.data.write_text("18\n")
    after_data = project.execute()
    assert "answer 43 data 18" in after_data

    lock = project.root / "requirements" / "all.lock"
    lock.write_text(lock.read_text() + "# another version\n")
    after_versions = project.execute()
    assert "answer 43 data 18" in after_versions
    assert after_versions != after_data, "other locked versions must run the chapter again"


def test_a_data_file_of_the_package_counts_as_package(project: Project) -> None:
    table = project.root / "mlnotes" / "table.csv"
    table.write_text("1\n")
    project.module.write_text(
        project.module.read_text().replace(
            "return 42",
            "from importlib.resources import files\n"
            "    return int(files('mlnotes').joinpath('table.csv').read_text())",
        )
    )
    assert "answer 1 " in project.execute()
    table.write_text("2\n")
    assert "answer 2 " in project.execute()
    table.unlink()


# What the cell of a page holds, and what is done to it after the page has run: a file of the
# project and its new content.
FAULTS = {
    "module": (
        "from mlnotes.answer import answer\nassert answer() == 42",
        ("mlnotes/answer.py", "def answer():\n    return 43\n"),
    ),
    "helper": (
        "from mlnotes.helped import value\nassert value == 5",
        ("mlnotes/helper.py", "value = 6\n"),
    ),
    "package-data": (
        "from mlnotes.tabled import value\nassert value == 7",
        ("mlnotes/table.csv", "8\n"),
    ),
    "data": (
        "from pathlib import Path\nassert Path('numbers.txt').read_text() == '17\\n'",
        ("book/numbers.txt", "18\n"),
    ),
    "file-to-come": (
        "try:\n    open('later.txt')\n    raise AssertionError('it is there')\n"
        "except FileNotFoundError:\n    pass",
        ("book/later.txt", "it came\n"),
    ),
    "folder": (
        "from pathlib import Path\nassert [p.name for p in Path('tables').iterdir()] == ['a']",
        ("book/tables/b", "another\n"),
    ),
    "module-taken-back": (
        "import sys\nfrom mlnotes.helper import value\ndel sys.modules['mlnotes.helper']\n"
        "assert value == 5",
        ("mlnotes/helper.py", "value = 6\n"),
    ),
    "page": ("assert 1 < 2", ("book/page.md", "{opening}# A page\n\n{cell}assert 2 < 1\n```\n")),
}
EXECUTE_FAULTS = """
import sys
from tools.execution import chapters, execute_all
for result in execute_all([p for p in chapters() if p.stem in sys.argv[1:]]):
    print(result.chapter.stem, "failed" if result.failure else "kept" if result.cached else "ran")
"""


def test_no_stale_output_passes_whatever_a_page_depends_on_has_changed(project: Project) -> None:
    opening, cell = CHAPTER[: CHAPTER.index("# A chapter")], "```{code-cell} ipython3\n"
    package = project.root / "mlnotes"
    given = {
        "mlnotes/helper.py": "value = 5\n",
        "mlnotes/helped.py": "from mlnotes.helper import value\n",
        "mlnotes/tabled.py": "from importlib.resources import files\n"
        "value = int(files('mlnotes').joinpath('table.csv').read_text())\n",
        "mlnotes/table.csv": "7\n",
        "book/tables/a": "one\n",
    }
    (project.root / "book" / "tables").mkdir()
    for name, text in given.items():
        (project.root / name).write_text(text)
    names = [*FAULTS, "untouched"]
    for name in names:
        code = FAULTS[name][0] if name in FAULTS else "import mlnotes.ledger"
        project.add_page(name, f"{opening}# {name}\n\n{cell}{code}\n```\n")
    first = project.run("-c", EXECUTE_FAULTS, *names)
    assert first.stdout.split("\n")[:-1] == [f"{name} ran" for name in names], first.stderr
    again = project.run("-c", EXECUTE_FAULTS, *names)
    assert again.stdout.split("\n")[:-1] == [f"{name} kept" for name in names]
    for path, text in [fault for _, fault in FAULTS.values()]:
        filled = text.replace("{opening}", opening).replace("{cell}", cell)
        (project.root / path).write_text(filled)
    (package / "unused.py").write_text("value = 9\n")
    seeded = project.run("-c", EXECUTE_FAULTS, *names)
    for path in given:
        (project.root / path).unlink()
    (project.root / "book" / "later.txt").unlink()
    shutil.rmtree(project.root / "book" / "tables")
    expected = [f"{name} failed" for name in FAULTS] + ["untouched kept"]
    assert seeded.stdout.split("\n")[:-1] == expected, seeded.stderr


AFTER_THE_NAMES = """
import json, sys
from tools.execution import PROLOGUE, USED
names = {"__name__": "__main__"}
exec(PROLOGUE, names)
left = sorted(name for name in names if not name.startswith("_"))
used, page = eval(USED.partition("(")[0], names), sys.argv[1]
names.clear()
open(page).close()
print(json.dumps([left, page in used().splitlines()]))
"""


@pytest.mark.parametrize("refused", [1, execution.STARTS])
def test_a_kernel_whose_port_is_taken_is_started_anew(
    refused: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "chapter.md"
    page.write_text(f"{NOTEBOOK}# A page\n\n```{{code-cell}} ipython3\nprint(6 * 7)\n```\n")
    monkeypatch.setattr(execution, "ROOT", tmp_path)
    started = []

    class Client(execution.Client):
        async def async_start_new_kernel(self, **kwargs: Any) -> None:
            started.append(self)
            if len(started) <= refused:
                self.extra_arguments = [f"--shell={taken.getsockname()[1]}"]
            await super().async_start_new_kernel(**kwargs)

    monkeypatch.setattr(execution, "Client", Client)
    store = execution.Cache(tmp_path / "cache")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        if refused == execution.STARTS:
            with pytest.raises(RuntimeError, match=r"chapter\.md started at none of 3 tries"):
                execution.execute_all([page], store)
            return
        (result,) = execution.execute_all([page], store)
    assert (result.failure, len(started)) == ("", 2)
    (output,) = store.outputs(execution.read(page))
    assert output.text == "42\n"


def test_the_watch_on_a_kernel_outlives_its_names_and_leaves_none_to_the_cells() -> None:
    page = ROOT / "book" / "perceptron.md"
    done = subprocess.run(
        [sys.executable, "-c", AFTER_THE_NAMES, str(page)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, json.loads(done.stdout or "null")) == ("", [[], True])


def test_even_a_bare_jupyter_book_build_never_shows_a_stale_output(project: Project) -> None:
    assert project.build().returncode == 0
    project.module.write_text(project.module.read_text().replace("42", "44"))
    program = str(Path(sys.executable).with_name("jupyter-book"))
    bare = project.run(program, "build", "--all", ".")
    assert bare.returncode == 0, bare.stderr
    assert "answer 44" in project.page()


def test_sphinx_alone_builds_the_book_from_the_configuration_that_jupyter_book_writes(
    project: Project,
) -> None:
    """So that the book can be built without Jupyter Book, whose first series has ended."""
    programs = Path(sys.executable).parent
    written = project.run(str(programs / "jupyter-book"), "config", "sphinx", ".")
    assert written.returncode == 0, written.stderr
    conf, target = project.root / "conf.py", project.root / "_build" / "plain"
    # The configuration names the extension and leaves it to the caller where that is.
    environment = {**os.environ, "PYTHONPATH": str(project.root / "book" / "_ext")}
    options = ["-b", "html", "-W", "-n", "-q", str(project.root), str(target)]
    built = subprocess.run(
        [str(programs / "sphinx-build"), *options],
        cwd=project.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    conf.unlink()
    assert built.returncode == 0, built.stderr
    page = (target / "book" / "chapter.html").read_text("utf-8")
    assert "answer 42 data 17" in page
    assert 'class="katex"' in page


FAILING_CELLS = {
    "x = 1\nassert x == 2, 'one is not two'": (2, "AssertionError: one is not two"),
    "import sys\nprint('oh', file=sys.stderr)": (1, "wrote to stderr: oh"),
    "x = 1\nimport mlnotes.warner": (2, "UserWarning: the package warns"),
}


def test_failing_cells_fail_the_build_twice_and_are_named(project: Project) -> None:
    (project.root / "mlnotes" / "warner.py").write_text(
        "import warnings\nwarnings.warn('the package warns', stacklevel=1)\n"
    )
    expected = []
    for number, (cell, (line, message)) in enumerate(FAILING_CELLS.items()):
        text = f"{CHAPTER}\n```{{code-cell}} ipython3\n{cell}\n```\n"
        project.add_page(f"failing{number}", text)
        start = text[: text.index(cell)].count("\n")
        expected.append(f"book/failing{number}.md:{start + line}: {message}")
    earlier = project.root / "_build" / "html" / "index.html"
    earlier.parent.mkdir(parents=True, exist_ok=True)
    earlier.touch()  # what was built before must not pass for the present book
    for _ in range(2):
        failed = project.build()
        assert failed.returncode != 0
        assert [place for place in expected if place not in failed.stderr] == []
        assert "not built" in failed.stderr
    (project.root / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "test_chapters.py", project.root / "tests")
    tested = project.run("-m", "pytest", "-p", "no:xdist", "-k", "every_cell_runs", "tests")
    assert tested.returncode == 1, tested.stderr
    assert [place for place in expected if place not in tested.stdout] == []
    assert f"{len(expected)} failed, 1 passed" in tested.stdout


BROKEN_PAGES = {
    r"Bad TeX $\frac{1$.": "TeX: KaTeX parse error",
    r"Numbered twice $$\begin{align} a \end{align}$$": "TeX: write 'aligned'",
    "A broken reference {prf:ref}`thm-nowhere`.": "thm-nowhere",
    "A broken link [there](nowhere.md).": "nowhere.md",
    "A missing citation {cite}`nobody1900`.": "nobody1900",
    "A missing equation {eq}`eq-nowhere`.": "eq-nowhere",
    "```{prf:theorem}\n:label: thm-bare\nA claim.\n```": "thm-bare is neither proved",
    "```{derivation} thm-unreported\n```": "no cell proves thm-unreported",
    "(par-twice)=\nA paragraph.": "the label par-twice is already set in book/broken/first",
}


def test_broken_pages_fail_the_build_twice_and_are_named(project: Project) -> None:
    toc = project.root / "_toc.yml"
    for number, text in enumerate(BROKEN_PAGES):
        project.add_page(f"broken{number}", f"# Broken {number}\n\n{text}\n")
    toc.write_text(toc.read_text() + "  sections:\n")
    project.add_page("broken/first", "# Not broken\n\n(par-twice)=\nThe first of two.\n")
    for _ in range(2):
        failed = project.build()
        assert failed.returncode != 0
        lines = failed.stderr.splitlines()
        for number, message in enumerate(BROKEN_PAGES.values()):
            named = [line for line in lines if f"book/broken{number}.md:" in line]
            assert any(message in line for line in named), (message, failed.stderr)


def test_a_build_that_breaks_off_names_the_error(project: Project) -> None:
    config = project.root / "_config.yml"
    text = config.read_text()
    config.write_text(text.replace("html_css_files: [", "html_css_files: [nowhere.css, "))
    broken = project.build()
    config.write_text(text)
    assert broken.returncode != 0
    assert re.search(r"FileNotFoundError: .*nowhere\.css", broken.stderr), broken.stderr
    assert "_build/build.log" in broken.stderr


SAID_WRONGLY = (
    "said-nowhere: the book has no label par-nowhere",
    "said-at-large: sec-large is a chapter or a section",
    "said-on-trust, to be checked by exact: thm-trust is reported by no cell",
    "said-elsewhere, to be checked by exact: cell:book/perceptron#cell-further does not exist",
    "slip-unboxed (wrong) has no box",
    "no cell of this page shows slip-silent",
    "a cell reports slip-bare, which has no box",
)


def test_a_chapter_and_the_sources_must_agree_or_the_build_fails(project: Project) -> None:
    folder = project.root / "book" / "sources"
    for name, records in (("concordance", STATEMENTS), ("errata", SLIPS)):
        (folder / name).mkdir(parents=True)
        (folder / name / "perceptron.yml").write_text(yaml.safe_dump(records))
    toc = project.root / "_toc.yml"
    for name, text in CHAPTER_PAGES.items():
        project.add_page(name, text)
        if name == "perceptron":
            toc.write_text(toc.read_text() + "  sections:\n")
    for part in ("ledger", "ledger/*"):
        line = f"  sections:\n  - glob: book/{part}\n" if "*" in part else f"- file: book/{part}\n"
        toc.write_text(toc.read_text() + line)
    (project.root / "book" / "ledger.md").write_text("# Ledger\n\n```{ledger}\n```\n")
    failed = project.build()
    assert failed.returncode != 0
    assert [s for s in SAID_WRONGLY if s not in failed.stderr] == []
    found = [line for line in failed.stderr.splitlines() if "WARNING" in line]
    assert len(found) == len(SAID_WRONGLY), found
    (folder / "concordance" / "perceptron.yml").write_text(yaml.safe_dump(STATEMENTS[:3]))
    (folder / "errata" / "perceptron.yml").write_text(yaml.safe_dump([*SLIPS[:1], SLIPS[3]]))
    page = SLIPPING.replace("{erratum} slip-silent", "{note}")
    project.page_text("perceptron/slips", page.split("display(")[0] + GOOD_END)
    built = project.build()
    shutil.rmtree(folder)
    (project.root / "book" / "ledger.md").unlink()
    assert built.returncode == 0, built.stderr
    site = project.root / "_build" / "html"
    pages = {name: (site / "book" / f"{name}.html").read_text("utf-8") for name in CHAPTER_PAGES}
    assert 'id="cell-said"' in pages["perceptron"]
    assert "3 of the 3 statements" in pages["perceptron/further"]
    assert 'href="../ledger/perceptron.html#ledger-thm-further"' in pages["perceptron/further"]
    assert 'id="slip-shown"' in pages["perceptron/slips"]
    assert "1 misprint<" in pages["perceptron/slips"]
    ledger = (site / "book" / "ledger" / "perceptron.html").read_text("utf-8")
    assert 'href="../perceptron/further.html#thm-further"' in ledger
    for name in ("perceptron", "perceptron/further", "perceptron/slips"):
        assert (site / "notebooks" / f"{name}.ipynb").exists()


GOOD_END = """ledger.erratum("slip-shown", printed=1 > 2, corrected=1 < 2)
```

```{misprints}
```
"""


SHOWN = f"""{NOTEBOOK}# The perceptron

(par-said)=
A paragraph.

```{{code-cell}} ipython3
from mlnotes import ledger
from mlnotes.answer import answer
ledger.cited("thm-shown", "rosenblatt1958", "to be shown") if answer() == 42 else None
```

```{{prf:theorem}} Shown
:label: thm-shown

So $a$.
```

```{{erratum}} slip-shown
```

```{{code-cell}} ipython3
ledger.erratum("slip-shown", printed=1 > 2)
```

```{{treated}}
```
"""
# What is changed after a build that went well, and what the next build, which reads only what it
# must, has to say.
SITE_FAULTS = {
    "book/sources/concordance/perceptron.yml": (
        yaml.safe_dump([{**STATEMENTS[0], "target": "par-gone"}]),
        "said-well: the book has no label par-gone",
    ),
    "book/sources/errata/perceptron.yml": (
        yaml.safe_dump([{**SLIPS[0], "id": "slip-other"}]),
        "there is no erratum slip-shown",
    ),
    "mlnotes/answer.py": (
        '"""An answer; see :func:`mlnotes.answer.gone`."""\n\n__all__ = ["answer"]\n\n\n'
        'def answer() -> int:\n    """Return it."""\n    return 43\n',
        "mlnotes.answer.gone",
    ),
    "mlnotes/answer.py, its outputs": ("", "thm-shown is neither proved, tested nor cited"),
    "book/chapter.md": ("# A chapter\n\n{prf:ref}`thm-gone`\n", "thm-gone"),
}


def test_no_stale_page_passes_whatever_it_shows_has_changed(project: Project) -> None:
    folder = project.root / "book" / "sources"
    for name, records in (("concordance", STATEMENTS[:1]), ("errata", SLIPS[:1])):
        (folder / name).mkdir(parents=True)
        (folder / name / "perceptron.yml").write_text(yaml.safe_dump(records))
    project.add_page("perceptron", SHOWN)
    built = project.build()
    assert built.returncode == 0, built.stderr
    template = project.root / "book" / "_templates" / "layout.html"
    sound = template.read_text()
    template.write_text(sound + "{% endblock %}")
    broken = project.build()
    template.write_text(sound)
    assert broken.returncode != 0
    assert "endblock" in broken.stderr
    assert project.build().returncode == 0
    for name, (text, _) in SITE_FAULTS.items():
        if text:
            (project.root / name).write_text(text)
    failed = project.build()
    shutil.rmtree(folder)
    assert failed.returncode != 0
    said = [sentence for _, sentence in SITE_FAULTS.values()]
    assert [s for s in said if s not in failed.stderr] == [], failed.stderr


def test_the_repository_setting_shows_or_hides_every_link_to_it(project: Project) -> None:
    config = project.root / "_config.yml"
    text = config.read_text()
    address = "https://github.com/someone/mlnotes"
    html = project.root / "_build" / "html" / "book"
    front, reference = html / "index.html", html / "api.html"
    answered = "```{model-answer} growth\ngrowth = 1\n```\n"
    project.add_page("assignment", CHAPTER.replace("# A chapter", "# An assignment") + answered)
    assert project.build().returncode == 0
    hidden = project.page() + front.read_text() + reference.read_text()
    assert not any(word in hidden for word in ("mybinder", "colab", "issues/new", "github.com"))
    try:
        config.write_text(text.replace("mlnotes_repository: ''", f"mlnotes_repository: {address}"))
        assert project.build().returncode == 0
    finally:
        config.write_text(text)
    page = project.page()
    binder = "https://mybinder.org/v2/gh/someone/mlnotes/main"
    assert f"{binder}?urlpath=lab%2Ftree%2Fbook%2Fchapter.md" in page
    assert "github/someone/mlnotes/blob/gh-pages/notebooks/chapter.ipynb" in page
    assert f"{address}/issues/new?title=" in page
    assert address in front.read_text()
    assert f"git+{address}" in re.sub(r"<[^>]*>", "", reference.read_text())
    assignment = (html / "assignment.html").read_text()
    assert "mybinder" not in assignment, "Binder would show the source, and the answers with it"
    assert "notebooks/assignment.ipynb" in assignment


STATED = f"""{NOTEBOOK}# The perceptron

```{{code-cell}} ipython3
:tags: [remove-cell]
from IPython.display import display
from mlnotes import ledger
labels = ["lem-norm-growth", "lem-alignment-growth", "lem-gram-determinant", "thm-offset-needed"]
display(*map(ledger.proved, labels))
```

```{{setting}} mistake
:title: A mistake
:of: lem-norm-growth
:names: label, mistake, radius

A label with {{formula}}`label`, and {{formula}}`mistake, radius`.
```

````{{prf:lemma}} Growth
:label: lem-norm-growth

```{{statement}} lem-norm-growth
:setting: mistake
:label: eq-growth

A mistake adds little:

{{formula}}`conclusion`
```
````

````{{prf:lemma}} Alignment
:label: lem-alignment-growth

```{{statement}} lem-alignment-growth
:names: margin

If {{formula}}`margin` and {{formula}}`gamma positive`, then {{formula}}`conclusion`.
```
````

````{{prf:theorem}} No threshold
:label: thm-offset-needed

```{{statement}} thm-offset-needed
The demands {{formula}}`first, second` {{formula}}`conclusion`.
```
````

```{{prf:proof}}
By {{eq}}`eq-growth` and a lemma.

:::{{lemma}} lem-gram-determinant
:title: A determinant

Always {{formula}}`conclusion`.

---

Because it is a square.
:::
```

```{{question}}
Why?

---

Because $a = b$.
```
"""
# What to change in the page, and what the build says of it, in two builds.
TYPED = [
    ("A mistake adds little:", r"As $k \le 3$:", "was typed; insert the checked one"),
    ("Always {formula}", "As m < 3, always {formula}", "'As m < 3, always '"),
    (":setting: mistake", ":setting: other", "in the setting other, which no page has"),
    ("{formula}`gamma positive`", "{formula}`negative`", "there is no formula 'negative' here"),
    ("Why?\n\n---\n\n", "Why?\n\n", "a question needs an answer"),
    ("By {eq}`eq-growth`", "By {formula}`margin`", "stands in a statement, setting or lemma"),
]
LEFT_OUT = [
    ("{formula}`conclusion`.\n\n---", "So it is.\n\n---", "lem-gram-determinant is not shown"),
    (
        "{formula}`mistake, radius`",
        "{formula}`mistake`",
        "neither shown nor in the setting mistake",
    ),
    ("{formula}`gamma positive`", "so on", "lem-alignment-growth: the hypothesis gamma pos"),
]


def test_a_statement_says_what_was_checked_and_all_of_it(project: Project) -> None:
    project.add_page("perceptron", STATED)
    (project.root / "book" / "ledger.md").write_text("# Ledger\n\n```{ledger}\n```\n")
    with (project.root / "_toc.yml").open("a") as toc:
        toc.write("- file: book/ledger\n  sections:\n  - glob: book/ledger/*\n")
    built = project.build()
    (project.root / "book" / "ledger.md").unlink()
    assert built.returncode == 0, built.stderr
    site = project.root / "_build" / "html" / "book"
    page = (site / "perceptron.html").read_text("utf-8")
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    folds = "".join(f.read_text("utf-8") for f in (site.parent / "_static/folds").rglob("*.js"))
    assert (page + folds).count("What exactly was checked") == 4
    assert "Setting: A mistake" in words
    assert "from the setting “A mistake”" in words
    assert "cannot hold together" in words
    assert re.search(r'<details class="lemma" id="lem-gram-determinant">', page)
    assert 'class="math breaks"' in page
    ledger = (site / "ledger" / "perceptron.html").read_text("utf-8")
    assert 'href="../perceptron.html#lem-gram-determinant">the lemma “A determinant”' in ledger


@pytest.mark.parametrize("changes", [TYPED, LEFT_OUT], ids=["typed", "left out"])
def test_a_statement_that_says_something_else_fails_the_build(
    project: Project, changes: list[tuple[str, str, str]]
) -> None:
    page = STATED
    for said, instead, _ in changes:
        assert page.count(said) == 1
        page = page.replace(said, instead)
    project.add_page("perceptron", page)
    failed = project.build()
    assert failed.returncode != 0
    assert [complaint for _, _, complaint in changes if complaint not in failed.stderr] == []
