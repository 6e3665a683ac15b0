"""Derivations checked by the reader's own browser, with no host but the site's own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mlnotes_book import browser_check, certificates, recheck
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route
from test_browser import NARROW, WIDE, violations

from mlnotes import trusted
from mlnotes.proof import recorded
from mlnotes.proof.recorded import FOLDER, checked_certificates
from mlnotes.theorems import registry
from mlnotes.trusted import terms
from tools.paths import BOOK
from tools.serve import Handler

CHAPTER = "book/perceptron.html"
PATIENCE = 300_000  # milliseconds; a busy machine is slow, and no test judges by the clock
MODULE = "mlnotes.theorems.perceptron"
GROWTH = browser_check.source_of("lem-norm-growth")
LAST_LINE = "norm2(before) + R**2, because"
# Python is asked for a proof as soon as the code is not the printed one.
TOUCHED = f"{GROWTH}  # as a reader left it"


def changed(old: str, new: str) -> str:
    assert GROWTH.count(old) == 1
    return GROWTH.replace(old, new)


# ------------------------------------------------------------ what runs in the browser's Python


def test_a_derivation_as_printed_is_proved_line_by_line() -> None:
    report = recheck.function(GROWTH, MODULE)
    assert report["failure"] is None
    assert [line["mark"] for line in report["lines"]] == ["proved"] * 3
    assert report["scope"] == "any dimension"
    rows = dict(registry())["lem-norm-growth"]()._repr_latex_()
    assert all(line["row"] in rows for line in report["lines"])


def test_a_false_line_has_its_counterexample_and_the_lines_before_it() -> None:
    report = recheck.function(changed(LAST_LINE, "norm2(before) + R, because"), MODULE)
    assert [line["mark"] for line in report["lines"]] == ["proved"] * 2
    failure = report["failure"]
    assert failure["kind"] == "wrong"
    assert "this line is false" in failure["message"]
    assert "the left side is" in failure["message"]
    assert "R**2" not in failure["text"]
    assert LAST_LINE in GROWTH.splitlines()[failure["place"] - 1]


def test_what_the_reader_changes_is_not_kept() -> None:
    shorter = changed(
        '.at_most(norm2(before) + R**2, because=r"every point has norm at most $R$")\n', ""
    )
    assert len(recheck.function(shorter, MODULE)["lines"]) == 2
    assert len(dict(registry())["lem-norm-growth"]().steps) == 3
    assert len(recheck.function(GROWTH, MODULE)["lines"]) == 3


def test_terms_are_shown_as_the_reader_typed_them() -> None:
    turned = changed(LAST_LINE, "R**2 + norm2(before), because")
    assert recheck.function(turned, MODULE)["lines"][-1]["text"] == "≤ R² + ‖θ‖²"


@pytest.mark.parametrize(
    ("old", "new", "kind", "sentence"),
    [
        (".qed()\n    )", ".qed()", "code", "This is not Python"),
        ("return (", "theorem = (", "code", "returned no theorem"),
        ("R**2, because", "radius, because", "code", "'radius' is not defined"),
        ("norm2(before) + R**2, because", "before, because", "refused", "is a vector"),
        (
            "at_most(norm2(before) + R**2",
            "at_most(sqrt(norm2(before) + R**2) ** 3 * 0",
            "wrong",
            "false",
        ),
        ("y: 1,", "y: 2,", "refused", "does not satisfy"),
    ],
)
def test_every_mistake_is_answered_with_a_sentence(
    old: str, new: str, kind: str, sentence: str
) -> None:
    failure = recheck.function(changed(old, new), MODULE)["failure"]
    assert failure["kind"] == kind
    assert sentence in failure["message"]


def test_code_without_a_function_is_answered_with_a_sentence() -> None:
    assert "no function to run" in recheck.function("x = 1", MODULE)["failure"]["message"]


def test_a_cell_runs_after_the_cells_before_it() -> None:
    first = 'from mlnotes.proof import Derivation, reals\nx = reals("x")\nprint("unheard")'
    second = 'print("heard")\nDerivation("square").start((x + 1)**2).equals(x**2 + 2*x + 1).qed()'
    report = recheck.cell(second, [first])
    assert report["printed"] == "heard\n"
    assert [line["mark"] for line in report["lines"]] == ["proved"]
    assert recheck.cell(second)["failure"]["kind"] == "code"


def test_a_line_that_nothing_proves_is_not_called_wrong() -> None:
    code = (
        "from mlnotes.proof import *\nx, y, z = reals('x y z')\n"
        "Derivation('Schur', given=[Ge(x, 0), Ge(y, 0), Ge(z, 0)], witness={x: 1, y: 2, z: 3})"
        ".start(x*(x-y)*(x-z) + y*(y-x)*(y-z) + z*(z-x)*(z-y)).at_least(0).qed()"
    )
    report = recheck.cell(code)
    assert report["failure"]["kind"] == "unproved"
    assert report["lines"] == []


# ---------------------------------------------------------------------------- what the page says


def test_the_browser_gets_the_books_own_sources_and_certificates(site: Path) -> None:
    import zipfile

    folder = site / "_static" / "check"
    ours = zipfile.ZipFile(folder / "derivations.zip")
    module = Path(recheck.__file__)
    assert ours.read("recheck.py") == module.read_bytes()
    shown = {name for name in ours.namelist() if name.startswith("mlnotes/theorems/")}
    assert {f"{m.replace('.', '/')}.py" for m in (d.__module__ for _, d in registry())} <= shown
    assert "mlnotes/theorems/certificates/perceptron.json" in shown
    assert {"mlnotes/trusted/library.json", "mlnotes/trusted/axioms.json"} <= {*ours.namelist()}
    for file in json.loads((folder / "files.json").read_text()):
        assert file["bytes"] == (folder / file["name"]).stat().st_size


def test_what_runs_in_the_browser_needs_neither_numpy_nor_the_build() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import recheck;"
        "from mlnotes.theorems import registry; dict(registry());"
        "print([m for m in ('numpy', 'scipy', 'sympy', 'docutils', 'sphinx') if m in sys.modules])"
    )
    folder = str(Path(recheck.__file__).parent)
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


# -------------------------------------------------------------- the certificates beside the pages


@pytest.mark.parametrize("label", ["lem-norm-growth", "thm-perceptron-convergence"])
def test_the_file_of_a_theorem_holds_all_that_its_certificate_rests_on(label: str) -> None:
    package = certificates.package(label)
    checked = trusted.check([*package["library"], *package["certificates"]], library=False)
    assert list(checked)[-1] == label
    assert {row["name"] for row in package["axioms"]} == checked[label].axioms
    assert all(row == trusted.axioms()[row["name"]] for row in package["axioms"])
    assert len(package["library"]) < len(certificates._recorded()[1])


@pytest.mark.parametrize(
    ("spoiled", "refused"),
    [
        ("thm-perceptron-convergence", True),
        ("lem-perceptron-both-growths", True),  # on which the theorem rests
        ("thm-hoeffding", False),
    ],
)
def test_a_build_checks_what_its_pages_show_and_rest_on_and_no_more(
    spoiled: str, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a small book does not wait for the theorems of others."""
    rows = recorded._by_name()
    cut = {**rows[spoiled], "steps": rows[spoiled]["steps"][:-1]}
    monkeypatch.setattr(recorded, "_by_name", lambda: {**rows, spoiled: cut})
    monkeypatch.setattr(recorded, "recorded", cache(recorded.recorded.__wrapped__))
    shown = "thm-perceptron-convergence"
    if refused:
        with pytest.raises(trusted.Refused, match=f"the certificate of {spoiled} is refused"):
            certificates.certified({shown})
    else:
        assert set(certificates.certified({shown})) == {shown}


def test_a_claim_in_the_kernels_language_reads_back_as_the_claim() -> None:
    for checked in checked_certificates().values():
        terms.fuel.left = terms.FUEL
        for p in (*checked.hypotheses, checked.conclusion):
            names = [name for name, _, _ in p.free]
            text = certificates.written(p)
            if len(names) == len(set(names)) and '"' not in text:
                variables = {name: [sort, *args] if args else sort for name, sort, args in p.free}
                assert trusted.certificates.read(text, variables) is p


# ------------------------------------------------------------------------------ in the browser


class Reader:
    """A page of the book below a path, and every request that it makes."""

    def __init__(self, browser: Browser, host: str, **options: object) -> None:
        self.context: BrowserContext = browser.new_context(**{"viewport": WIDE, **options})
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.host = host
        self.scripts = options.get("java_script_enabled", True)
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.set_default_timeout(PATIENCE)

    def open(self, name: str = CHAPTER) -> Reader:
        self.page.goto(self.host + name, wait_until="load")
        self.page.evaluate("typeof unfoldAll === 'function' && unfoldAll()")
        folds = self.page.locator("details.checking, details.lemma")
        folds.evaluate_all("all => all.forEach(fold => { fold.open = true; })")
        if self.scripts:
            self.page.locator("details[open][data-fold]").first.wait_for(state="detached")
        return self

    def panel(self, function: str = "norm_growth") -> Panel:
        source = self.page.locator("details.check", has_text=f"def {function}(")
        return Panel(
            self.page,
            source.or_(self.page.locator(f"details.check[data-seen={function}]")),
            function,
        )


def press(button: Locator) -> None:
    """Press a button wherever it stands: formulas that are laid out late may move it just then."""
    button.evaluate("button => { button.scrollIntoView({block: 'center'}); button.click(); }")


class Panel:
    """A derivation's source with its button."""

    def __init__(self, page: Page, details: Locator, function: str) -> None:
        details.evaluate("(e, name) => { e.dataset.seen = name; }", function)
        self.details = page.locator(f"details.check[data-seen={function}]")
        self.root = self.details.locator("xpath=following-sibling::*[1]")
        self.button = self.root.locator("button").first
        self.status = self.root.locator("[role=status]")
        self.lines = self.root.locator("ol > li")
        self.editor = self.details.locator("textarea")

    def check(self) -> str:
        """Press the button, and once more if a connection stalled: the page says to try again."""
        press(self.button)
        said = self.wait()
        if "nothing has arrived" in said:
            press(self.button)
            said = self.wait()
        return said

    def wait(self) -> str:
        self.root.locator("button", has_text="Check it again").wait_for()
        return self.said

    @property
    def said(self) -> str:
        return self.status.text_content() or ""

    def write(self, source: str) -> None:
        self.details.evaluate("e => { e.open = true; }")
        self.editor.fill(source)


@pytest.fixture(scope="module")
def published(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds the site below a path."""
    top = tmp_path_factory.mktemp("published")
    (top / "some").mkdir()
    (top / "some" / "where").symlink_to(site)
    return top


@pytest.fixture(scope="module")
def host(published: Path, serve: Callable[..., str]) -> str:
    return serve(published) + "some/where/"


class Unreliable(Handler):
    """Serves files, but breaks off one of them, or never answers when it is asked for it."""

    broken_off = stalled = ""
    over = threading.Event()

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.rsplit("/")[-1]
        if name == self.stalled:
            self.over.wait()
        if name not in (self.stalled, self.broken_off):
            super().do_GET()


@pytest.fixture
def unreliable(published: Path, serve: Callable[..., str]) -> Iterator[Callable[..., str]]:
    """Serve the site with a fault, and return its address."""
    over = threading.Event()

    def start(**fault: str) -> str:
        handler = type("Faulty", (Unreliable,), {**fault, "over": over})
        return serve(published, handler) + "some/where/"

    yield start
    over.set()


@pytest.fixture(scope="module")
def loaded(browser: Browser, host: str) -> Iterator[Reader]:
    """A page on which one derivation has been checked."""
    reader = Reader(browser, host).open()
    panel = reader.panel()
    panel.write(TOUCHED)
    assert "in your browser" in panel.check()
    yield reader
    reader.context.close()


@pytest.fixture
def new_reader(browser: Browser, host: str) -> Iterator[Callable[..., Reader]]:
    readers: list[Reader] = []

    def make(address: str = host, **options: object) -> Reader:
        readers.append(Reader(browser, address, **options))
        return readers[-1]

    yield make
    for reader in readers:
        reader.context.close()


@pytest.fixture(scope="module")
def reader(browser: Browser, host: str) -> Iterator[Reader]:
    """One tab for the lectures of all chapters."""
    reader = Reader(browser, host)
    yield reader
    reader.context.close()


@pytest.fixture
def panel(loaded: Reader) -> Iterator[Panel]:
    """The derivation that has been checked, with code in its field that Python has to check."""
    panel = loaded.panel()
    panel.write(TOUCHED)
    yield panel
    assert not loaded.errors


# Some theorems belong to chapters that are not written yet.
CERTIFIED = sorted(p.stem for p in FOLDER.glob("*.json") if (BOOK / f"{p.stem}.md").exists())
# Where everything stands that the reader has in view.
PLACES = """() => [...document.querySelectorAll("article *")].map(e => e.getBoundingClientRect())
  .filter(r => r.bottom > 0 && r.top < innerHeight).map(r => [r.top, r.left])"""


@pytest.mark.browser
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_certificate_is_checked_on_the_spot(
    new_reader: Callable[..., Reader], size: dict[str, int]
) -> None:
    reader = new_reader(viewport=size).open()
    reader.page.wait_for_load_state("networkidle")
    panel = reader.panel()
    panel.button.scroll_into_view_if_needed()
    reader.page.evaluate(PLACES)  # what is laid out asks for its fonts
    reader.page.evaluate("document.fonts.ready.then(() => undefined)")
    before, places = len(reader.requests), reader.page.evaluate(PLACES)
    panel.button.click()
    assert re.fullmatch(
        r"Checked in your browser in (\d+ ms|less than a millisecond): \d+ steps from "
        r"\d+ hypotheses and (no|\d+) axioms.* prove the statement as this page shows it\.",
        panel.wait(),
    )
    fetched = [urlsplit(url).path.rsplit("/")[-1] for url in reader.requests[before:]]
    assert [n for n in fetched if ".woff" not in n] == ["trusted.js", "lem-norm-growth.json"]
    assert reader.page.evaluate(PLACES) == places
    assert panel.details.get_attribute("open") is None
    assert not reader.errors


def pressed(page: Page, number: int) -> str:
    """Return what the page says when the derivation of this number is checked."""
    root = page.locator("details.check[data-certificate] + .check-panel").nth(number)
    press(root.locator("button").first)
    root.locator("button", has_text="Check it again").wait_for()
    return root.locator("[role=status]").text_content() or ""


@pytest.mark.browser
@pytest.mark.parametrize("chapter", CERTIFIED)
def test_derivations_are_checked_as_the_page_shows_them(reader: Reader, chapter: str) -> None:
    """All of the perceptron, some of each other chapter."""
    reader.errors.clear()
    reader.open(f"book/{chapter}.html")
    number = reader.page.locator("details.check[data-certificate]").count()
    assert number > 3
    few = {0, number // 3, number // 2, number - 1}
    for k in range(number) if chapter == "perceptron" else sorted(few):
        said = pressed(reader.page, k)
        assert said.startswith("Checked in your browser in "), said
        assert said.endswith("prove the statement as this page shows it."), said
    assert not reader.errors


def served(reader: Reader, change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """Return what the page says if the server sends another certificate."""

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(change(certificates.package("lem-norm-growth"))))

    reader.page.route("**/lem-norm-growth.json*", answer)
    return reader.open().panel().check()


def without_its_hypotheses(package: dict[str, Any]) -> dict[str, Any]:
    *others, last = package["certificates"]
    return {**package, "certificates": [*others, {**last, "hypotheses": []}]}


def with_another_axiom(package: dict[str, Any]) -> dict[str, Any]:
    axiom = {"name": "falsity", "variables": {}, "says": "F", "why": "it is not"}
    return {**package, "axioms": [*package["axioms"], axiom]}


@pytest.mark.browser
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (without_its_hypotheses, "The certificate was refused: lem-norm-growth: a hypothesis"),
        (lambda _: certificates.package("lem-foot-distance"), "not about what this page shows"),
        (with_another_axiom, "not about what this page shows"),
        (lambda _: {"certificates": [7]}, "The certificate was refused"),
    ],
)
def test_a_certificate_of_something_else_is_not_taken_for_this_one(
    new_reader: Callable[..., Reader],
    change: Callable[[dict[str, Any]], dict[str, Any]],
    sentence: str,
) -> None:
    assert sentence in served(new_reader(), change)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["trusted.js", "lem-norm-growth.json"])
def test_a_certificate_or_checker_that_does_not_arrive_is_answered_with_a_sentence(
    name: str, new_reader: Callable[..., Reader], unreliable: Callable[..., str]
) -> None:
    said = new_reader(unreliable(broken_off=name)).open().panel().check()
    assert said.startswith("Nothing was checked: ")
    assert "did not arrive. Try again" in said


@pytest.mark.browser
def test_what_was_certified_is_accessible_in_both_modes_and_at_both_widths(
    new_reader: Callable[..., Reader],
) -> None:
    page = new_reader().open().page
    page.locator("details.check-claim").evaluate_all("all => all.forEach(e => { e.open = true; })")
    assert "Checked in your browser" in pressed(page, 0)
    for mode in ("light", "dark"):
        page.evaluate("mode => { document.documentElement.dataset.theme = mode; }", mode)
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            assert not violations(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.browser
def test_nothing_is_loaded_before_the_click_and_then_only_from_the_site(
    new_reader: Callable[..., Reader],
) -> None:
    reader = new_reader().open()
    reader.page.wait_for_load_state("networkidle")
    heavy = ("check_worker", "/check/", ".wasm", ".zip")
    assert not [url for url in reader.requests if any(word in url for word in heavy)]
    before = len(reader.requests)
    reader.page.evaluate(
        """() => { window.saw = []; new MutationObserver(() => {
          const bar = document.querySelector(".check-loading:not([hidden])");
          const words = bar?.closest(".check-panel").querySelector(".check-status").textContent;
          if (bar) saw.push(`${words}|${bar.textContent}|${bar.querySelector("progress").value}`);
        }).observe(document.body, {subtree: true, childList: true, attributes: true}) }"""
    )
    panel = reader.panel()
    panel.write(TOUCHED)
    assert panel.check().startswith("Every line proved in your browser")
    assert panel.lines.count() == 3
    assert all("✓" in line and "proved · " in line for line in panel.lines.all_inner_texts())
    assert panel.root.locator(".check-term .katex").count() == 3
    fetched = reader.requests[before:]
    assert all(url.startswith(reader.host) for url in fetched)
    names = [urlsplit(url).path.rsplit("/")[-1] for url in fetched]
    assert {"derivations.zip", "pyodide.asm.wasm"} <= set(names)
    said = "\n".join(reader.page.evaluate("saw"))
    for words in ("Loading Python from", " of ", " MB|"):
        assert words in said
    assert not reader.errors


@pytest.mark.browser
def test_a_second_check_loads_nothing(loaded: Reader, panel: Panel) -> None:
    before = len(loaded.requests)
    assert "Every line proved" in panel.check()
    assert len(loaded.requests) == before


@pytest.mark.browser
def test_a_line_made_wrong_shows_its_counterexample_and_can_be_put_back(panel: Panel) -> None:
    panel.write(changed(LAST_LINE, "norm2(before) + R, because"))
    assert panel.check().startswith("A line is false")
    assert panel.lines.count() == 3
    first, second, wrong = panel.lines.all_inner_texts()
    assert "✓" in first
    assert "✓" in second
    assert "✗" in wrong
    assert "✓" not in wrong
    assert "this line is false" in wrong
    assert "the left side is" in wrong
    press(panel.root.locator("button", has_text="Restore the code"))
    assert panel.editor.input_value() == GROWTH
    assert panel.check().startswith("Checked in your browser")
    assert panel.lines.count() == 0


@pytest.mark.browser
def test_a_mark_stands_beside_the_line_that_was_checked(panel: Panel) -> None:
    """A changed line is shown as typed, never as it was printed."""
    terms = panel.root.locator(".check-term")
    panel.write(changed(LAST_LINE, "norm2(before) + 2 * R**2, because"))
    assert "Every line proved" in panel.check()
    assert terms.nth(1).locator(".katex").count() == 1
    assert terms.nth(2).inner_text() == "≤ ‖θ‖² + 2 R²"


@pytest.mark.browser
def test_code_that_is_not_python_is_answered_with_a_sentence(panel: Panel) -> None:
    panel.write(GROWTH.replace(".qed()\n    )", ".qed()"))
    assert panel.check().startswith("The code does not run, at line ")
    assert "This is not Python" in panel.root.inner_text()
    assert panel.lines.count() == 0


@pytest.mark.browser
def test_an_open_panel_is_accessible_and_fits_in_both_modes_and_at_both_widths(
    loaded: Reader, panel: Panel
) -> None:
    panel.write(changed(LAST_LINE, "norm2(before) + R, because"))
    panel.check()
    for mode in ("light", "dark"):
        loaded.page.evaluate("mode => { document.documentElement.dataset.theme = mode; }", mode)
        for size in (WIDE, NARROW):
            loaded.page.set_viewport_size(size)
            assert not violations(loaded.page)
            assert loaded.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            box = panel.button.bounding_box()
            assert box is not None
            assert min(box["height"], box["width"]) >= 24
    loaded.page.set_viewport_size(WIDE)


@pytest.mark.browser
def test_cells_that_show_a_derivation_can_be_checked(new_reader: Callable[..., Reader]) -> None:
    page = new_reader().open("book/derivations.html").page
    cells = page.locator("div.cell.tag_verify")
    said = []
    for number in range(cells.count()):
        cell = cells.nth(number)
        press(cell.locator(".check-button").first)
        cell.locator(".check-button", has_text="Check it again").wait_for()
        said.append(cell.locator("[role=status]").text_content())
    assert len(said) == (BOOK / "derivations.md").read_text("utf-8").count("tags: [verify]") > 2
    assert all("in your browser" in sentence for sentence in said), said
    # Each typeset term stands with its own reason.
    shown = cells.nth(0).locator(".check-line")
    assert shown.locator(".check-term .katex").count() == 3
    first = shown.nth(0)
    assert "=" in first.locator(".check-term .katex-html").inner_text()
    assert first.locator(".check-reason").inner_text() == "expand the square"
    assert not violations(page)


@pytest.mark.browser
def test_every_registered_derivation_runs_in_the_browser(loaded: Reader) -> None:
    """Without SymPy, which the engine does not need."""
    code = """
from mlnotes.theorems import registry
for label, derive in registry():
    try:
        theorem = derive()
        print(label, theorem.mark, len(theorem.as_dict()["steps"]))
    except Exception as error:
        print(label, "failed", type(error).__name__, error)
"""
    report = loaded.page.evaluate(
        """code => new Promise((done, fail) => {
          worker.onmessage = ({data}) => data.report ? done(data.report) : fail(data.broken);
          worker.postMessage({source: code, earlier: []});
        })""",
        code,
    )
    assert report["failure"] is None
    lines = [line.split(maxsplit=2) for line in report["printed"].splitlines()]
    derivations = dict(registry())
    assert {label for label, *_ in lines} == set(derivations)
    failed = {label: why for label, mark, why in lines if mark == "failed"}
    assert not failed


@pytest.mark.browser
@pytest.mark.parametrize(
    "name", ["check_worker.js", "files.json", "pyodide.mjs", "pyodide.asm.wasm", "derivations.zip"]
)
def test_a_file_that_does_not_arrive_is_answered_with_a_sentence(
    name: str, new_reader: Callable[..., Reader], unreliable: Callable[..., str]
) -> None:
    reader = new_reader(unreliable(broken_off=name))
    panel = reader.open().panel()
    panel.write(TOUCHED)
    said = panel.check()
    assert said.startswith("Python could not be run here: ")
    assert f"{name} did not arrive" in said
    assert "Nothing was checked. Try again" in said
    assert panel.lines.count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("name", ["check_worker.js", "files.json", "derivations.zip"])
def test_a_connection_that_stalls_is_given_up_with_a_sentence(
    name: str, new_reader: Callable[..., Reader], unreliable: Callable[..., str]
) -> None:
    reader = new_reader(unreliable(stalled=name))
    reader.page.clock.install()
    panel = reader.open().panel()
    panel.write(TOUCHED)
    press(panel.button)
    reader.page.clock.fast_forward(55_000)
    assert "Loading" in panel.said
    reader.page.clock.fast_forward(3_600_000)
    assert "for a minute nothing has arrived" in panel.wait()
    assert "Nothing was checked. Try again" in panel.said


@pytest.mark.browser
def test_a_check_can_be_stopped(
    new_reader: Callable[..., Reader], unreliable: Callable[..., str]
) -> None:
    panel = new_reader(unreliable(stalled="derivations.zip")).open().panel()
    panel.write(TOUCHED)
    press(panel.button)
    press(panel.root.locator("button", has_text="Stop"))
    assert panel.wait() == "Stopped. Nothing was checked."


@pytest.mark.browser
def test_a_page_opened_as_a_file_says_what_to_do(browser: Browser, site: Path) -> None:
    reader = Reader(browser, site.as_uri() + "/").open()
    panel = reader.panel()
    press(panel.button)
    assert "run “make serve”" in panel.said
    assert not [url for url in reader.requests if "check_worker" in url or "trusted" in url]
    reader.context.close()


@pytest.mark.browser
def test_without_scripts_the_ledger_says_how_it_was_checked_and_there_is_no_button(
    new_reader: Callable[..., Reader],
) -> None:
    page = new_reader(java_script_enabled=False).open().page
    assert page.locator("article button:visible").count() == 0
    links = page.locator("details.checking:visible a[href*='ledger/']")
    address = links.first.get_attribute("href") or ""
    links.first.click()
    page.wait_for_url(f"**/{address}")
    entry = page.locator(f"[id='{address.partition('#')[2]}']")
    assert entry.is_visible()
    assert "proved" in entry.inner_text()
    assert entry.locator(".katex-html").first.is_visible()


EXERCISES = "book/perceptron/exercises.html"
RIGHT = """with_rate(
    norm2(before)
    + 2 * eta * y * dot(before, point)
    + eta**2 * y**2 * norm2(point)
)"""


@pytest.mark.browser
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_an_exercise_is_checked_on_its_page_and_remembered(
    browser: Browser, host: str, size: dict[str, int]
) -> None:
    reader = Reader(browser, host, viewport=size).open(EXERCISES)
    page = reader.page
    exercise = page.locator("#ex-perceptron-missing-rate")
    assert exercise.get_by_text("The imports").is_visible()
    assert exercise.get_by_text("is_expanded,").is_hidden()
    editor = exercise.locator("textarea")
    assert editor.input_value().startswith("with_rate(")
    check = exercise.locator(".check-button").first
    assert check.inner_text() == "Check"
    editor.fill(RIGHT.replace("2 * eta", "3 * eta"))
    assert exercise.locator(".check-seen .mi").count() > 2  # numbers have their colour
    press(check)
    wrong = exercise.locator(".check-results", has_text="this line is false")
    wrong.wait_for()
    assert "the left side is" in wrong.inner_text()
    assert not exercise.get_by_label("done").is_checked()
    editor.fill(RIGHT)
    press(check)
    exercise.get_by_text("Every line proved").wait_for()
    box = exercise.locator(".check-panel").bounding_box()
    assert box is not None
    assert box["y"] < size["height"]
    assert exercise.get_by_label("done").is_checked()
    assert not violations(page)
    reader.open(EXERCISES)
    assert exercise.get_by_label("done").is_checked()
    progress = page.locator(".exercise-progress")
    assert progress.inner_text().startswith("1 of ")
    progress.get_by_role("button", name="Clear").click()
    assert progress.inner_text().startswith("0 of ")
    assert not exercise.get_by_label("done").is_checked()
    code = page.locator("#ex-perceptron-own-rule")
    notebook = code.get_by_role("link", name="Open as notebook")
    assert (notebook.get_attribute("href") or "").endswith("notebooks/perceptron/exercises.ipynb")
    assert not reader.errors
    reader.context.close()
