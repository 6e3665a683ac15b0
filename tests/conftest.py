"""The built site, a server for it and a browser, for all tests that look at pages."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
import yaml
from filelock import FileLock
from playwright.sync_api import Browser, sync_playwright

from tests import turns
from tools import chromium, fingerprint
from tools.build import build
from tools.chromium import FLAGS
from tools.paths import BOOK, BUILD, ROOT, SITE
from tools.serve import Handler, make_server

# The same examples at every run, and no verdict by the clock.
hypothesis.settings.register_profile("book", deadline=None, derandomize=True)
hypothesis.settings.load_profile("book")

# The book's own extension, which tests also call directly.
sys.path.insert(0, str(BOOK / "_ext"))


# What a wheel carries beside the package.
SHIPPED = ("README.md", "LICENSE", "LICENSE-text")
SPECIMEN = Path(__file__).parent / "specimen"
REPOSITORY = "https://github.com/someone/book"
# There is no network: no name is resolved, and nothing answers but this machine.
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@pytest.fixture(autouse=True, scope="module")
def swept() -> None:
    """Keep what earlier tests left in memory out of the collections during the next ones.

    What thousands of tests and theorems leave is alive to the end. To look through all of it takes
    seconds, as long as a search for a proof may take, or a comparison of times that begins with it.
    """
    gc.collect()
    gc.freeze()


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Let the first process of a run that needs a file or folder make it for all of them."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make(name: str, how: Callable[[Path], None]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with FileLock(shared / f"{name}.lock"):
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                how(folder)
                done.touch()
        return folder

    return make


@pytest.fixture(scope="session")
def wheel(once: Callable[..., Path]) -> Path:
    """The package as it is distributed, built from the files of the project alone."""
    (built,) = once("wheel", build_wheel).glob("*.whl")
    return built


def build_wheel(folder: Path) -> None:
    """Build the package from a copy, because a build writes into its source."""
    source = folder / "source"
    for path in tracked_files():
        relative = path.relative_to(ROOT)
        if relative.parts[0] in {"mlnotes", "pyproject.toml", *SHIPPED}:
            (source / relative).parent.mkdir(parents=True, exist_ok=True)
            (source / relative).write_bytes(path.read_bytes())
    command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w"]
    subprocess.run([sys.executable, *command, str(folder), str(source)], check=True)


@pytest.fixture(scope="session")
def installed(wheel: Path, once: Callable[..., Path]) -> Path:
    """A folder with the unpacked wheel, as `site-packages` would hold it."""
    return once("installed", zipfile.ZipFile(wheel).extractall)


@pytest.fixture(scope="session")
def site() -> Path:
    """The book as `make book` builds it."""
    build()
    return SITE


@pytest.fixture(scope="session")
def specimen() -> Path:
    """A small book with every element in it, whose repository has an address."""
    project = BUILD / "specimen"
    html = project / "_build" / "html"
    stamp = project / "complete.sha256"
    BUILD.mkdir(exist_ok=True)
    with FileLock(BUILD / "specimen.lock"):
        sources = fingerprint.digest(fingerprint.files_below(SPECIMEN))
        wanted = sources + fingerprint.of_machinery()
        if not stamp.exists() or stamp.read_text() != wanted:
            shutil.rmtree(project, ignore_errors=True)
            _write_specimen(project)
            _build_specimen(project)
            stamp.write_text(wanted)
    return html


def _write_specimen(project: Path) -> None:
    """Lay out the specimen's pages with the machinery of the real book."""
    for name in ("tools", "book/_ext", "book/_static", "book/_templates"):
        shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("plan.yml", "references.bib", "bibliography.md"):
        shutil.copy(BOOK / name, project / "book")
    for page in SPECIMEN.glob("*.md"):
        shutil.copy(page, project / "book")
    shutil.copy(SPECIMEN / "_toc.yml", project)
    shutil.copy(ROOT / "package-lock.json", project)
    for name in ("node_modules", "mlnotes", "requirements"):
        (project / name).symlink_to(ROOT / name)
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["sphinx"]["config"]["mlnotes_repository"] = REPOSITORY
    (project / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")


def _build_specimen(project: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tools.build"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """Serve a folder on a free port for the session and return its address."""
    servers = []

    def start(folder: Path, handler: type[Handler] = Handler) -> str:
        server = make_server(0, folder, handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def server(site: Path, serve: Callable[..., str]) -> str:
    """The site's address."""
    return serve(site)


@pytest.fixture(scope="session")
def specimen_server(
    specimen: Path, serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The specimen's address, below a path, as sites of projects are published."""
    top = tmp_path_factory.mktemp("published")
    (top / "a").mkdir()
    (top / "a" / "b").symlink_to(specimen)
    return serve(top) + "a/b/"


@pytest.fixture(scope="session", name="chromium")
def chromium_path() -> str:
    """The path of a Chromium, without which tests in a browser are skipped or fail."""
    if path := chromium.find():
        return path
    if os.environ.get("MLNOTES_REQUIRE_BROWSER") == "1":
        pytest.fail(chromium.REMEDY)
    pytest.skip(chromium.REMEDY)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for all tests of a process; Playwright allows no second one beside it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, OFFLINE])
        yield browser
        browser.close()


def pytest_configure() -> None:
    """Fix the turn before other processes are started."""
    turns.choose()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests of built pages, which one process builds, and with those that take long.

    So the processes end at the same time: of many short tests each takes what another has left.
    """
    pages = {"site", "specimen"}

    def place(item: pytest.Item) -> tuple[bool, bool]:
        without_pages = pages.isdisjoint(getattr(item, "fixturenames", ()))
        return without_pages, item.get_closest_marker("slow") is None

    items.sort(key=place)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much of the sources the book treats, and what became of changed derivations."""
    from mlnotes_book import sources

    terminalreporter.write_line(sources.summary())
    terminalreporter.write_line(turns.summary())
    put, survivors = 0, []
    for report in terminalreporter.getreports("passed"):
        properties = dict(report.user_properties)
        put += properties.get("mutants", 0)
        survivors += properties.get("survivors", [])
    if put:
        BUILD.mkdir(exist_ok=True)
        listed = BUILD / "survivors.txt"
        listed.write_text("\n".join(sorted(survivors)) + "\n", encoding="utf-8")
        terminalreporter.write_line(
            f"{put} lines changed in one place: {put - len(survivors)} refused, {len(survivors)} "
            f"certified and not false by the independent evaluator ({listed.relative_to(ROOT)})"
        )
