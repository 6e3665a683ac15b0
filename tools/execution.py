"""Run the chapters' code cells on all cores and keep their outputs for the build.

Outputs go into the jupyter-cache that myst-nb reads. That cache knows a chapter by its cells alone,
so a change in the package would leave it believing old outputs; :class:`Cache` therefore also keys
it on the locked versions and, chapter by chapter, on what its cells were seen to use: modules that
they imported, files that they opened or looked for, and folders that they listed.
"""

from __future__ import annotations

import ast
import asyncio
import atexit
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from filelock import FileLock
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from sphinx_external_toc.parsing import parse_toc_yaml

from tools import fingerprint
from tools.forked_kernels import Client
from tools.paths import CACHE, ROOT

CELL_SECONDS = 120
# A kernel is told which ports to take; where another program is quicker it ends at once.
STARTS = 3
ANSI = re.compile(r"\x1b\[[0-9;]*m")
# File and name of the function that looks for the module with a label in it.
LOOKUP = ("mlnotes/theorems/__init__.py", "_module_with")
CELL_LINE = re.compile(r"Cell In\[\d+\], line (\d+)")

# Runs in each kernel before the chapter: a warning from the package is an error, and what the
# chapter uses of the project is written down. The import system lists a folder to know its modules,
# which is no use of those that it does not load; the theorems look for a label in the same way. An
# audit hook outlives the names of the kernel, which are cleared at its end, so it keeps its own.
PROLOGUE = f"""
import warnings
warnings.filterwarnings("error", module=r"mlnotes(\\.|$)")
del warnings

def _watch(root={str(ROOT)!r}):
    import os, sys
    used = set()
    def note_use(event, arguments):
        if event not in ("open", "os.listdir", "os.scandir") or isinstance(arguments[0], int):
            return
        path = os.path.abspath(os.fsdecode(arguments[0] or "."))
        if path != root and not path.startswith(root + os.sep):
            return
        frame, looking = sys._getframe(1), event != "open"
        for _ in range(8):
            if frame is None:
                break
            name = frame.f_code.co_filename
            if looking and "importlib" in name:
                return
            if name.endswith({LOOKUP[0]!r}) and frame.f_code.co_name == {LOOKUP[1]!r}:
                return
            frame = frame.f_back
        used.add(path + os.sep if looking else path)
    sys.addaudithook(note_use)
    def all_used():
        loaded = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        return chr(10).join(used.union(filter(None, loaded)))
    return all_used
_all_used = _watch()
del _watch
"""
# As one string, because IPython abbreviates the display of long lists.
USED = "_all_used()"
COMPILED = re.compile(r"__pycache__/([^/]+?)\.cpython-[^/]*\.pyc(\.\d+)?$")


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


def chapters(contents: Path = ROOT / "_toc.yml") -> list[Path]:
    """Return the pages in a table of contents that have code cells, in its order."""
    pages = [ROOT / f"{docname}.md" for docname in parse_toc_yaml(contents)]
    return [p for p in pages if p.exists() and is_myst_markdown_notebook(p.read_text("utf-8"))]


def read(chapter: Path) -> NotebookNode:
    """Return a chapter as a notebook, with the line at which each cell starts."""
    text = chapter.read_text(encoding="utf-8")
    return read_myst_markdown_notebook(text, add_source_map=True, path=chapter)


class Cache:
    """Outputs of chapters, dropped when anything they depend on has changed."""

    def __init__(self, folder: Path = CACHE) -> None:
        self.folder = folder
        self.stamp = folder / "versions.sha256"
        self.uses = folder / "uses.json"

    def drop_stale(self) -> None:
        """Remove what the present package, versions and files did not produce."""
        with self._locked():
            versions = fingerprint.of_versions()
            if not self.stamp.exists() or self.stamp.read_text() != versions:
                shutil.rmtree(self.folder, ignore_errors=True)
                self.folder.mkdir(parents=True)
                self.stamp.write_text(versions)
                return
            hashed = cache(_hash)
            uses = self._all_uses()
            fresh = {
                chapter
                for chapter, used in uses.items()
                if all(hashed(name) == digest for name, digest in used.items())
            }
            kept = get_cache(str(self.folder))
            for record in kept.list_cache_records():
                if record.uri not in fresh:
                    kept.remove_cache(record.pk)

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

    def add(self, chapter: Path, notebook: NotebookNode, seconds: float, used: list[str]) -> None:
        """Keep a chapter's outputs and the fingerprints of what it used."""
        with self._locked():
            bundle = CacheBundleIn(notebook, str(chapter), data={"execution_seconds": seconds})
            get_cache(str(self.folder)).cache_notebook_bundle(
                bundle, check_validity=False, overwrite=True
            )
            uses = self._all_uses()
            uses[str(chapter)] = {name: _hash(name) for name in used}
            self.uses.write_text(json.dumps(uses, indent=1))

    def used(self, chapter: Path) -> list[str]:
        """Return what a chapter used of the project when it ran: modules, files and folders."""
        with self._locked():
            return sorted(self._all_uses()[str(chapter)])

    def _all_uses(self) -> dict[str, dict[str, str]]:
        if not self.uses.exists():
            return {}
        result: dict[str, dict[str, str]] = json.loads(self.uses.read_text())
        return result

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self.folder}.lock"):
            yield


def _hash(name: str) -> str:
    """Return a fingerprint of a file, or of the names in a folder, which ends in a slash."""
    path = ROOT / name
    if name.endswith("/"):
        names = sorted(p.name for p in path.glob("*") if p.name not in fingerprint.GENERATED)
        return hashlib.sha256("\n".join(names).encode()).hexdigest()
    return fingerprint.digest([path]) if path.is_file() else "absent"


def execute_all(
    paths: list[Path] | None = None,
    store: Cache | None = None,
    progress: Callable[[Result | None, int, int], None] = lambda result, done, cells: None,
) -> list[Result]:
    """Run the chapters whose outputs are not in the cache, as many at once as there are cores."""
    store = store or Cache()
    store.drop_stale()
    work = _execute_all(chapters() if paths is None else paths, store, progress)
    # In a thread of its own, because the caller's may already have an event loop.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _execute_all(
    paths: list[Path], store: Cache, progress: Callable[[Result | None, int, int], None]
) -> list[Result]:
    kernels = asyncio.Semaphore(os.cpu_count() or 1)
    notebooks = {path: read(path) for path in paths}
    missing = [path for path in paths if not store.has(notebooks[path])]
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
            result = await _execute(path, notebooks[path], store, count_cell)
            progress(result, done, total)
            return result

    return await asyncio.gather(*(run(path) for path in paths))


async def _execute(
    chapter: Path, notebook: NotebookNode, store: Cache, count_cell: Callable[[], None]
) -> Result:
    started = time.perf_counter()
    async with _kernel(chapter, notebook) as client:
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
        used: str = ast.literal_eval(await _evaluate(client, "", USED))
    seconds = time.perf_counter() - started
    dependencies = {name for name in map(_dependency, used.splitlines()) if name}
    store.add(chapter, notebook, seconds, sorted(dependencies))
    if not store.has(read(chapter)):
        raise RuntimeError(f"the build would not find the outputs of {chapter}")
    return Result(chapter, seconds)


@asynccontextmanager
async def _kernel(chapter: Path, notebook: NotebookNode) -> AsyncIterator[Client]:
    """Give a client of a kernel that has started, if need be at the third try."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),  # the package of this tree, wherever another is installed
        "PYTHONHASHSEED": "0",  # one order of sets, for repeatable output
        "OPENBLAS_NUM_THREADS": "1",  # one thread a kernel, because every core has a kernel
    }
    async with AsyncExitStack() as stack:
        for left in reversed(range(STARTS)):
            client = Client(
                notebook,
                timeout=CELL_SECONDS,
                kernel_name="python3",
                record_timing=False,  # times in the cells' metadata would change the cache's key
                resources={"metadata": {"path": str(chapter.parent)}},
            )
            try:
                await stack.enter_async_context(client.async_setup_kernel(env=environment))
                break
            except RuntimeError as error:
                atexit.unregister(client._cleanup_kernel)  # it has cleaned up
                if not left:
                    message = f"the kernel of {chapter} started at none of {STARTS} tries: {error}"
                    raise RuntimeError(message) from error
        yield client


def _code_cells(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    return [(i, c) for i, c in enumerate(notebook.cells) if c.cell_type == "code" and c.source]


async def _evaluate(client: Client, code: str, expression: str = "None") -> str:
    """Run code in the chapter's kernel, unseen, and return the text of an expression's value."""
    reply = await client.kc.execute_interactive(
        code, silent=True, user_expressions={"value": expression}, timeout=CELL_SECONDS
    )
    return str(reply["content"]["user_expressions"]["value"]["data"]["text/plain"])


def _dependency(name: str) -> str | None:
    """Return the name from the root of what was used, or None if it cannot make an output stale.

    What is installed has a fingerprint of its own, that of the locked versions. A module may have
    been loaded in its compiled form, which stands for its source; a file that was looked for and is
    not there counts, because it may come.
    """
    path = Path(COMPILED.sub(r"\1.py", name))
    try:
        # Folders alone are resolved: a symbolic link is what the chapter opened.
        relative = Path(os.path.normpath(path)).relative_to(ROOT)
    except ValueError:
        return None
    if not relative.parts or relative.parts[0] in {".venv", "_build", "node_modules", ".git"}:
        return None
    if "__pycache__" in relative.parts:
        return None
    return relative.as_posix() + ("/" if name.endswith("/") else "")


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
