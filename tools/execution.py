"""Run the chapters' code cells on all cores and keep their outputs for the build.

Outputs go into the jupyter-cache that myst-nb reads. That cache knows a chapter by its cells alone,
so a change in the package would leave it believing old outputs; :class:`Cache` therefore also keys
it on the package, on the locked versions and on the files that the cells were seen to read.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from sphinx_external_toc.parsing import parse_toc_yaml

from tools import fingerprint
from tools.paths import CACHE, ROOT

CELL_SECONDS = 120
ANSI = re.compile(r"\x1b\[[0-9;]*m")
CELL_LINE = re.compile(r"Cell In\[\d+\], line (\d+)")

# Runs in each kernel before the chapter: a warning from the package is an error, and the files that
# the chapter reads are written down.
PROLOGUE = f"""
import sys, warnings
warnings.filterwarnings("error", module=r"mlnotes(\\.|$)")
_files_read = set()
def _note_file(event, arguments, note=_files_read.add, root={str(ROOT)!r} + "/"):
    if event == "open" and isinstance(arguments[0], str):
        import os.path
        path = os.path.abspath(arguments[0])
        if path.startswith(root):
            note(path)
sys.addaudithook(_note_file)
del _note_file
"""
# As one string, because IPython abbreviates the display of long lists.
FILES_READ = r"""chr(10).join(
    _files_read | {m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)}
)"""


@dataclass(frozen=True)
class Result:
    """What came of running a chapter."""

    chapter: Path
    seconds: float = 0.0
    failure: str = ""
    cached: bool = False

    @property
    def name(self) -> str:
        """The chapter's path from the project's root."""
        return self.chapter.relative_to(ROOT).as_posix()


def chapters() -> list[Path]:
    """Return the pages in the table of contents that have code cells, in its order."""
    pages = [ROOT / f"{docname}.md" for docname in parse_toc_yaml(ROOT / "_toc.yml")]
    return [p for p in pages if p.exists() and is_myst_markdown_notebook(p.read_text("utf-8"))]


def read(chapter: Path) -> NotebookNode:
    """Return a chapter as a notebook, with the line at which each cell starts."""
    text = chapter.read_text(encoding="utf-8")
    return read_myst_markdown_notebook(text, add_source_map=True, path=chapter)


class Cache:
    """Outputs of chapters, dropped when anything they depend on has changed."""

    def __init__(self, folder: Path = CACHE) -> None:
        self.folder = folder
        self.stamp = folder / "package.sha256"
        self.reads = folder / "reads.json"

    def drop_stale(self) -> None:
        """Remove what the present package, versions and files did not produce."""
        with self._locked():
            package = fingerprint.of_package()
            if not self.stamp.exists() or self.stamp.read_text() != package:
                shutil.rmtree(self.folder, ignore_errors=True)
                self.folder.mkdir(parents=True)
                self.stamp.write_text(package)
                return
            for chapter, files in self._read_files().items():
                if any(_hash(ROOT / name) != digest for name, digest in files.items()):
                    self._remove(chapter)

    def has(self, notebook: NotebookNode) -> bool:
        """Say whether the outputs of exactly these cells are here."""
        try:
            get_cache(str(self.folder)).match_cache_notebook(notebook)
        except KeyError:
            return False
        return True

    def outputs(self, notebook: NotebookNode) -> list[NotebookNode]:
        """Return all outputs of a notebook whose cells are here."""
        _, executed = get_cache(str(self.folder)).merge_match_into_notebook(notebook)
        return [output for _, cell in _code_cells(executed) for output in cell.outputs]

    def add(self, chapter: Path, notebook: NotebookNode, seconds: float, files: list[str]) -> None:
        """Keep a chapter's outputs and the fingerprints of the files it read."""
        with self._locked():
            bundle = CacheBundleIn(notebook, str(chapter), data={"execution_seconds": seconds})
            get_cache(str(self.folder)).cache_notebook_bundle(
                bundle, check_validity=False, overwrite=True
            )
            reads = self._read_files()
            reads[str(chapter)] = {name: _hash(ROOT / name) for name in files}
            self.reads.write_text(json.dumps(reads, indent=1))

    def files_read(self, chapter: Path) -> list[str]:
        """Return the project's files that a chapter read when it ran, apart from the package's."""
        with self._locked():
            return sorted(self._read_files()[str(chapter)])

    def _remove(self, chapter: str) -> None:
        cache = get_cache(str(self.folder))
        for record in cache.list_cache_records():
            if record.uri == chapter:
                cache.remove_cache(record.pk)

    def _read_files(self) -> dict[str, dict[str, str]]:
        if not self.reads.exists():
            return {}
        result: dict[str, dict[str, str]] = json.loads(self.reads.read_text())
        return result

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self.folder}.lock"):
            yield


def _hash(path: Path) -> str:
    return fingerprint.digest([path]) if path.is_file() else "absent"


def execute_all(
    paths: list[Path] | None = None,
    cache: Cache | None = None,
    progress: Callable[[Result | None, int, int], None] = lambda result, done, cells: None,
) -> list[Result]:
    """Run the chapters whose outputs are not in the cache, as many at once as there are cores."""
    cache = cache or Cache()
    cache.drop_stale()
    work = _execute_all(chapters() if paths is None else paths, cache, progress)
    # In a thread of its own, because the caller's may already have an event loop.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _execute_all(
    paths: list[Path], cache: Cache, progress: Callable[[Result | None, int, int], None]
) -> list[Result]:
    kernels = asyncio.Semaphore(os.cpu_count() or 1)
    notebooks = {path: read(path) for path in paths}
    missing = [path for path in paths if not cache.has(notebooks[path])]
    total = sum(len(_code_cells(notebooks[path])) for path in missing)
    done = 0

    def count_cell() -> None:
        nonlocal done
        done += 1
        progress(None, done, total)

    async def run(path: Path) -> Result:
        if path not in missing:
            return Result(path, cached=True)
        async with kernels:
            result = await _execute(path, notebooks[path], cache, count_cell)
            progress(result, done, total)
            return result

    return await asyncio.gather(*(run(path) for path in paths))


async def _execute(
    chapter: Path, notebook: NotebookNode, cache: Cache, count_cell: Callable[[], None]
) -> Result:
    started = time.perf_counter()
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,  # times in the cells' metadata would change the key of the cache
        resources={"metadata": {"path": str(chapter.parent)}},
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),  # the package of this tree, wherever another is installed
        "PYTHONHASHSEED": "0",  # one order of sets, for repeatable output
        "OPENBLAS_NUM_THREADS": "1",  # one thread a kernel, because every core has a kernel
    }
    async with client.async_setup_kernel(env=environment):
        kernel = await client.kc.kernel_info(reply=True)
        notebook.metadata["language_info"] = kernel["content"]["language_info"]
        await _evaluate(client, PROLOGUE)
        for index, cell in _code_cells(notebook):
            try:
                await client.async_execute_cell(cell, index)
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                failure = _describe(chapter, notebook, index, error)
                return Result(chapter, time.perf_counter() - started, failure)
            if message := _written_to_stderr(cell):
                failure = f"{_place(chapter, notebook, index)}: wrote to stderr: {message}"
                return Result(chapter, time.perf_counter() - started, failure)
            count_cell()
        opened: str = ast.literal_eval(await _evaluate(client, "", FILES_READ))
    seconds = time.perf_counter() - started
    dependencies = {name for name in map(_dependency, opened.splitlines()) if name}
    cache.add(chapter, notebook, seconds, sorted(dependencies))
    if not cache.has(read(chapter)):
        raise RuntimeError(f"the build would not find the outputs of {chapter}")
    return Result(chapter, seconds)


def _code_cells(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    return [(i, c) for i, c in enumerate(notebook.cells) if c.cell_type == "code" and c.source]


async def _evaluate(client: NotebookClient, code: str, expression: str = "None") -> str:
    """Run code in the chapter's kernel, unseen, and return the text of an expression's value."""
    reply = await client.kc.execute_interactive(
        code, silent=True, user_expressions={"value": expression}, timeout=CELL_SECONDS
    )
    return str(reply["content"]["user_expressions"]["value"]["data"]["text/plain"])


def _dependency(name: str) -> str | None:
    """Return an opened file's name from the root, or None if it cannot make an output stale.

    The package has a fingerprint of its own, and so have the locked versions, which stand for all
    that is installed.
    """
    path = Path(name)
    try:
        relative = path.resolve().relative_to(ROOT)
    except ValueError:
        return None
    skipped = {"mlnotes", ".venv", "_build", "node_modules", ".git"}
    if relative.parts[0] in skipped or "__pycache__" in relative.parts or not path.is_file():
        return None
    return relative.as_posix()


def _written_to_stderr(cell: NotebookNode) -> str:
    if "remove-stderr" in cell.metadata.get("tags", []):
        return ""
    streams = [o for o in cell.outputs if o.output_type == "stream" and o.name == "stderr"]
    return " ".join("".join(o.text for o in streams).split())


def _place(chapter: Path, notebook: NotebookNode, index: int, line: int = 1) -> str:
    """Return `file:line` of a line in a cell; options of the cell stand before its first."""
    start = notebook.metadata["source_map"][index]
    first = notebook.cells[index].source.splitlines()[0]
    text = chapter.read_text(encoding="utf-8").splitlines()
    while start < len(text) and text[start].strip() != first.strip():
        start += 1
    return f"{chapter.relative_to(ROOT).as_posix()}:{start + line}"


def _describe(chapter: Path, notebook: NotebookNode, index: int, error: Exception) -> str:
    """Say where a cell failed and how, first in a line and then with the traceback."""
    trace = ANSI.sub("", str(getattr(error, "traceback", error)))
    lines = CELL_LINE.findall(trace)
    place = _place(chapter, notebook, index, int(lines[0]) if lines else 1)
    name = getattr(error, "ename", type(error).__name__)
    value = ANSI.sub("", str(getattr(error, "evalue", "")))
    return f"{place}: {name}: {value}\n{trace}"
