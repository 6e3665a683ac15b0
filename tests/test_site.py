"""The built site, as files: nothing leads nowhere, comes from elsewhere or is missing."""

from __future__ import annotations

import gzip
import html
import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from urllib.request import urlopen

import nbformat
import pages
import pytest
import yaml
from conftest import REPOSITORY
from mlnotes_book import assets, style
from mlnotes_book.notebooks import COMPARED, compared_with, install_command
from mlnotes_book.repository import Repository
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pages import RAW_TEX, SPECIMENS, Page, chapter_names, page_names, pages_below, read

from mlnotes.perceptron import Perceptron
from tools import execution, notebooks
from tools.paths import BOOK, ROOT

CSS_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


def resolve(page: Page, address: str, site: Path) -> tuple[Path, str]:
    """Return the file and the anchor that an address on a page leads to."""
    parts = urlsplit(address)
    base = site if page.base else page.path.parent
    target = (base / unquote(parts.path)).resolve() if parts.path else page.path
    return (target / "index.html" if target.is_dir() else target), unquote(parts.fragment)


def is_foreign(address: str) -> bool:
    return bool(urlsplit(address).netloc)


@pytest.fixture(params=["site", "specimen"])
def book(request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue(request.param)


def test_the_site_has_every_page_of_the_table_of_contents(site: Path) -> None:
    missing = [name for name in page_names() if not (site / name).exists()]
    assert not missing


def test_every_public_module_has_a_page_of_reference(site: Path) -> None:
    sources = (ROOT / "mlnotes").glob("[!_]*.py"), (ROOT / "mlnotes").glob("[!_]*/__init__.py")
    declaring = [path for found in sources for path in found if "__all__" in path.read_text()]
    modules = {p.parent.name if p.stem == "__init__" else p.stem for p in declaring}
    assert {"least_squares", "perceptron"} <= modules
    assert modules <= {p.stem.split(".")[-1] for p in (site / "book" / "api").glob("*.html")}


def test_internal_links_and_anchors_resolve(book: Path) -> None:
    broken = []
    for path in pages_below(book):
        page = read(path)
        for _, _, address in page.references:
            if is_foreign(address) or urlsplit(address).scheme in ("data", "mailto"):
                continue
            target, anchor = resolve(page, address, book)
            if not target.exists():
                broken.append(f"{path.name}: {address}")
            elif anchor and target.suffix == ".html" and anchor not in read(target).ids:
                broken.append(f"{path.name}: no anchor {address}")
    assert not broken


def unseen(seen: set[str], others: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return what occurs on other pages and not among what is seen in all modes."""
    return {name: left for name, elements in others.items() if (left := elements - seen)}


def test_every_element_of_the_book_occurs_on_a_page_that_is_seen_in_all_modes(
    site: Path, specimen: Path
) -> None:
    """Otherwise a page with it belongs among `SPECIMENS` of `tests/pages.py`."""
    full = [site / f"{name}.html" for name in SPECIMENS]
    seen = set().union(*(read(p).elements for p in (*full, *pages_below(specimen))))
    others = {p.relative_to(site).as_posix(): read(p).elements for p in pages_below(site)}
    assert unseen(seen, others) == {}
    assert {"div.theorem", "div.erratum", "details.checking", "table.table"} <= seen


def test_an_element_that_only_one_page_has_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<p class="a of-000"><span class="katex"><b class="mord">x</b></span>'
        '<i class="rare">y</i></p>'
    )
    found = read(page).elements
    assert found == {"p.a", "span.katex", "i.rare"}
    assert unseen({"p.a", "span.katex"}, {"page.html": found}) == {"page.html": {"i.rare"}}


def test_a_page_is_taken_apart_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "RECORDS", tmp_path / "records")
    page = tmp_path / "page.html"
    page.write_text('<p id="a">one</p>', encoding="utf-8")
    assert read(page).ids == ["a"]
    page.write_text('<p id="b">two</p>', encoding="utf-8")
    read.cache_clear()
    assert (read(page).ids, read(page).text) == (["b"], "two")
    # What another process has found is not taken apart again.
    monkeypatch.delattr(pages.Page, "__init__")
    read.cache_clear()
    assert (read(page).ids, read(page).text) == (["b"], "two")
    read.cache_clear()


def test_identifiers_occur_once_in_a_page(book: Path) -> None:
    for path in pages_below(book):
        ids = read(path).ids
        assert len(ids) == len(set(ids)), (path.name, sorted({i for i in ids if ids.count(i) > 1}))


def test_only_links_for_readers_leave_the_host(book: Path) -> None:
    foreign = [
        (path.name, tag, address)
        for path in pages_below(book)
        for tag, _, address in read(path).references
        if is_foreign(address) and tag not in ("a", "link canonical")
    ]
    assert not foreign


def test_style_sheets_name_only_files_of_the_site(book: Path) -> None:
    sheets = list(book.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        for url, imported in CSS_ADDRESS.findall(sheet.read_text(encoding="utf-8")):
            address = url or imported
            if not address.startswith("data:"):
                assert not is_foreign(address), (sheet.name, address)
                assert (sheet.parent / urlsplit(address).path).exists(), (sheet.name, address)


def test_no_script_of_the_site_loads_from_another_host(book: Path) -> None:
    loading = re.compile(
        r"""(?:import\(|importScripts\(|fetch\(|from|\.src\s*=)\s*['"`](?:https?:)?//"""
    )
    scripts = [p for p in book.rglob("*.js") if p.name != "searchindex.js"]
    assert scripts
    assert not [p.name for p in scripts if loading.search(p.read_text(encoding="utf-8"))]


def test_no_raw_tex_is_left(book: Path) -> None:
    for path in pages_below(book):
        found = RAW_TEX.search(read(path).text)
        assert not found, (path.name, found and found[0])


@pytest.mark.parametrize("text", ["so $x$ is", r"\(x\)", r"a \frac12", "{eq}`eq-bound`"])
def test_raw_tex_would_be_seen(text: str) -> None:
    assert RAW_TEX.search(text)


# A number in a sentence as a program writes it, with a hyphen for minus or an e for a power of ten.
PASTED = re.compile(r'class="pasted-text">([^<]*)<')
PROGRAMS = re.compile(r"(?<![\w-])-\d|\d[eE][-+]?\d")


def test_numbers_in_sentences_are_written_as_people_write_them(book: Path) -> None:
    for path in pages_below(book):
        found = [n for n in PASTED.findall(path.read_text("utf-8")) if PROGRAMS.search(n)]
        assert found == [], f"{path.name}: use mlnotes.plot.number"


@pytest.mark.parametrize("text", ["-3", "2e-09", "1.5e+3", "about -0.5"])
def test_a_number_of_a_program_would_be_seen(text: str) -> None:
    assert PROGRAMS.search(text)
    assert not PROGRAMS.search("k-means, 2 · 10⁻⁹, −3, 10-fold")


# What a browser makes no elements of until a reader opens it, or never.
NO_ELEMENTS = re.compile(
    r"(<noscript>).*?</noscript>|(<script\b).*?</script>|<!--.*?-->", re.DOTALL
)


@pytest.mark.parametrize("chapter", chapter_names())
def test_a_chapter_page_is_light(chapter: str, site: Path) -> None:
    page = (site / "book" / f"{chapter}.html").read_text(encoding="utf-8")
    elements = len(re.findall(r"<[A-Za-z]", NO_ELEMENTS.sub(r"\1\2", page)))
    assert elements <= 15_000
    assert len(gzip.compress(page.encode())) <= 120 * 1024


def test_the_frames_of_a_slider_are_light(site: Path) -> None:
    frames = {p.name: len(gzip.compress(p.read_bytes())) for p in site.glob("_static/frames/*.js")}
    assert len(frames) > 20
    assert max(frames.values()) < 100_000, max(frames, key=frames.__getitem__)


def test_every_page_says_what_it_may_load_and_run(book: Path) -> None:
    policy = re.compile(
        r"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'( 'sha256-\S+')*;"
    )
    for path in pages_below(book):
        page = path.read_text(encoding="utf-8")
        said = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        assert said, path.name
        assert policy.match(said[1]), path.name
        assert page.index("Content-Security-Policy") < page.index("<link"), path.name


def test_every_page_has_a_title_and_a_favicon(book: Path) -> None:
    for path in pages_below(book):
        page = read(path)
        assert page.title.strip(), path.name
        icons = [address for tag, _, address in page.references if tag == "link icon"]
        assert icons, path.name
        assert "favicon.svg" in icons[0]


def test_every_page_has_a_description_of_its_own(book: Path) -> None:
    pages: dict[str, list[str]] = {}
    for path in pages_below(book):
        description = read(path).metas.get("description", "")
        pages.setdefault(description, []).append(path.relative_to(book).as_posix())
    assert {text: names for text, names in pages.items() if len(text) <= 15 or names[1:]} == {}


def test_images_have_a_text_in_their_place(book: Path) -> None:
    for path in pages_below(book):
        for image in read(path).images:
            text = image.get("alt") or image.get("aria-label") or image.get("aria-labelledby")
            assert text, (path.name, image)


def test_fonts_are_woff2_subset_and_present(site: Path) -> None:
    fonts = {
        p.suffix for p in site.rglob("*") if p.suffix in (".woff", ".woff2", ".ttf", ".otf", ".eot")
    }
    assert fonts == {".woff2"}
    texts = {p.name for p in (site / "_static" / "fonts").glob("source-*")}
    subset = re.compile(r"source-(serif-4|sans-3|code-pro)-(latin|latin-ext|greek)-\d00-\w+\.woff2")
    assert texts
    assert [name for name in texts if not subset.fullmatch(name)] == []
    css = (site / "_static" / style.BUNDLE).read_text(encoding="utf-8")
    assert not re.search(r"\.(?:woff|ttf)\b", css)
    katex = {Path(url).name for url in re.findall(r"url\(([^)]*KaTeX[^)]*)\)", css)}
    assert {
        "KaTeX_Main-Regular.woff2",
        "KaTeX_Math-Italic.woff2",
        "KaTeX_Size4-Regular.woff2",
    } <= katex


def test_preloaded_fonts_are_there(site: Path) -> None:
    page = read(site / "book" / "index.html")
    preloaded = [
        a for tag, _, a in page.references if tag == "link preload" and a.endswith("woff2")
    ]
    assert preloaded
    assert all(resolve(page, address, site)[0].exists() for address in preloaded)


def test_licences_are_shipped_and_named(site: Path) -> None:
    licences = {
        p.stem: p.read_text(encoding="utf-8") for p in (site / "_static/licences").glob("*.txt")
    }
    assert "Khan Academy" in licences["katex"]
    assert "Mozilla Public License" in licences["pyodide"]
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in licences["python"]
    for font in ("source-serif-4", "source-sans-3", "source-code-pro", "font-awesome"):
        assert "SIL Open Font License".lower() in licences[font].lower(), font
    for package in assets.THEME:
        assert "COPYRIGHT HOLDERS" in licences[package].upper(), package
    named = {
        Path(a).stem for _, _, a in read(site / "book/colophon.html").references if "licences" in a
    }
    assert named == set(licences)


def test_the_landing_page_offers_three_ways_in_and_shows_the_whole_plan(site: Path) -> None:
    page = (site / "book" / "index.html").read_text(encoding="utf-8")
    way = re.compile(r'<div class="way [^"]*">\s*<p><strong>(\w+)\.</strong>.*?<a ', re.DOTALL)
    assert way.findall(page) == ["Read", "Verify", "Reuse"]
    (shown,) = re.findall(r'<div class="book-plan .*?</section>', page, re.DOTALL)
    for part in yaml.safe_load((BOOK / "plan.yml").read_text(encoding="utf-8")):
        assert part["part"] in shown
        for chapter in part["chapters"]:
            assert chapter["title"] in html.unescape(shown), chapter
            written = (BOOK / f"{chapter['name']}.md").exists()
            assert (f'href="{chapter["name"]}.html"' in shown) is written, chapter


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("book/api/mlnotes.perceptron", str(Perceptron.__doc__).splitlines()[0]),
        ("genindex", "novikoff_bound() (in module mlnotes.perceptron)"),
        ("book/glossary", "hyperplane"),
        ("book/bibliography", "Psychological Review"),
    ],
)
def test_the_back_matter_holds_what_it_is_made_from(name: str, words: str, site: Path) -> None:
    assert words in " ".join(read(site / f"{name}.html").text.split())


VERIFIABLE = [
    chapter
    for chapter in execution.chapters()
    if "verify" in chapter.read_text(encoding="utf-8")  # few are read cell by cell
    and any("verify" in cell.metadata.get("tags", []) for cell in execution.read(chapter).cells)
]


def test_the_landing_page_has_a_line_that_the_reader_can_check(site: Path) -> None:
    assert BOOK / "index.md" in VERIFIABLE
    html = (site / "book" / "index.html").read_text(encoding="utf-8")
    assert re.search(r'class="cell[^"]* tag_verify', html)
    assert "_static/check.js" in html


@pytest.mark.parametrize(
    "chapter", VERIFIABLE, ids=lambda path: path.relative_to(BOOK).with_suffix("").as_posix()
)
def test_cells_with_a_button_run_one_after_another_with_sympy_alone(
    chapter: Path, installed: Path, tmp_path: Path
) -> None:
    """As in the reader's browser, which has neither the page's other cells nor NumPy nor SymPy."""
    cells = execution.read(chapter).cells
    sources = [cell.source for cell in cells if "verify" in cell.metadata.get("tags", [])]
    code = "import sys\nsys.modules.update(dict.fromkeys(('numpy', 'scipy', 'sympy', 'IPython')))\n"
    result = subprocess.run(
        [sys.executable, "-c", "\n".join([code, *sources])],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr


def test_the_search_index_has_the_pieces_of_pages(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    content = json.loads(index.removeprefix("globalThis.mlnotesIndex=").rstrip(";\n"))
    pages = [address for address, *_ in content["pages"]]
    assert "book/perceptron.html" in pages
    pieces = {
        (pages[page], place): (kind, title, text)
        for page, kind, place, _, title, text in content["pieces"]
        if kind != "index"
    }
    kind, title, text = pieces["book/perceptron/further.html", "thm-distance-to-hyperplane"]
    assert (kind, title) == ("theorem", "Distance to a hyperplane")
    assert "perpendicular" in text
    assert "\\" not in text
    assert pieces["book/glossary.html", "term-hyperplane"][0] == "term"
    assert pieces["book/api/mlnotes.plot.html", "mlnotes.plot.slider"][0] == "name"
    assert len(gzip.compress(index.encode())) < 700_000


def test_the_style_sheet_is_small_and_keeps_what_pages_use(site: Path) -> None:
    css = (site / "_static" / style.BUNDLE).read_text(encoding="utf-8")
    assert len(css) < 250_000
    assert ".bd-article-container" in css
    assert ".katex-display" in css


def test_pruning_keeps_rules_that_can_apply_and_no_others() -> None:
    css = """
    @charset "utf-8"; .a{x:"}"} .a .b{y:1} .c,.a>p{z:1} p:not(.b){w:url(data:a;b)}
    @media print{.b{q:1} .a{r:1}} @media screen{.b{s:1}} @font-face{src:url(fontawesome/x.woff2)}
    @keyframes k{from{o:0}to{o:1}}
    """
    assert style.prune(css, {"a"}).split("\n")[:-1] == [
        '.a{x:"}"}',
        ".a>p{z:1}",
        "p:not(.b){w:url(data:a;b)}",
        "@media print{.a{r:1}",
        "}",
        "@keyframes k{from{o:0}to{o:1}}",
    ]


def test_links_to_style_sheets_become_one_link_and_are_remembered_in_order() -> None:
    bundle = style.Bundle()
    html = (
        '<head>\n<link href="../_static/styles/theme.css?v=1" rel="stylesheet" />\n<meta>\n'
        '<link rel="stylesheet" type="text/css" href="../_static/last.css" />\n</head>'
    )
    expected = '<head>\n<link rel="stylesheet" href="../_static/book.css">\n<meta>\n</head>'
    assert bundle.replace_links(html) == expected
    assert list(bundle.sheets) == ["styles/theme.css", "last.css"]


def downloaded(chapter: str, site: Path) -> nbformat.NotebookNode:
    """Return the notebook that a chapter's page offers."""
    page = read(site / "book" / f"{chapter}.html")
    address = next(a for tag, _, a in page.references if tag == "a" and a.endswith(".ipynb"))
    notebook = nbformat.read(resolve(page, address, site)[0], as_version=4)
    nbformat.validate(notebook)
    return notebook


def code_of(notebook: nbformat.NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code" and cell.source]


@pytest.mark.parametrize("chapter", chapter_names())
def test_a_downloaded_notebook_has_the_cells_that_ran_and_they_read_no_file(
    chapter: str, site: Path
) -> None:
    """So it runs wherever the package is installed; one chapter shows it in full below."""
    notebook = downloaded(chapter, site)
    source = BOOK / f"{chapter}.md"
    assert code_of(notebook) == code_of(execution.read(source)) != []
    assert not any(cell.get("outputs") for cell in notebook.cells)
    # What the cells looked for and did not find is noted too, and is nothing that they read.
    used = [name for name in execution.Cache().used(source) if (ROOT / name).is_file()]
    assert [name for name in used if not name.startswith("mlnotes/")] == []


# What only the build of the book understands.
UNRESOLVED = re.compile(r"\{[\w:]+\}`|^:{3,}|^`{3,}\{", re.MULTILINE)
MACROS = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"][
    "mlnotes_macros"
]
MACRO = re.compile(rf"(?:{'|'.join(map(re.escape, MACROS))})(?![A-Za-z])")
CODE = re.compile(r"^(`{3,}).*?^\1$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
NUMBERED = re.compile(r'<span class="caption-number">((?!Fig)\w+ [\d.]+\d)\s*</span>')


@pytest.mark.parametrize("chapter", chapter_names())
def test_a_downloaded_notebook_shows_every_statement_and_defines_every_sign(
    chapter: str, site: Path
) -> None:
    notebook = downloaded(chapter, site)
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    words = CODE.sub("", "\n\n".join(texts))
    assert not UNRESOLVED.search(words)
    assert not MACRO.search(words)
    page = (site / "book" / f"{chapter}.html").read_text(encoding="utf-8")
    for name in NUMBERED.findall(page):
        said = re.search(rf"\*\*{re.escape(name)}(?: \(.*\))?\.\*\*\s+(.+)", words)
        assert said, f"{name} is missing"
        assert not said[1].startswith("**"), f"{name} is empty"
    assert "**Lemma.**" not in words


def come_along(names: Iterable[str], metadata: importlib.metadata.Distribution) -> set[str]:
    """Return the distributions that some distributions and our package with its plots bring."""
    found: set[str] = {canonicalize_name(metadata.name)}
    waiting = list(names) + [
        requirement.name
        for requirement in map(Requirement, metadata.requires or [])
        if requirement.marker is None or requirement.marker.evaluate({"extra": "plot"})
    ]
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        try:
            needed = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system
        found.add(name)
        waiting += [
            r.name for r in map(Requirement, needed) if r.marker is None or r.marker.evaluate()
        ]
    return found


@pytest.fixture(scope="session")
def absent(installed: Path) -> list[str]:
    """The modules of this environment that the package and Jupyter do not bring."""
    (metadata,) = installed.glob("*.dist-info")
    there = come_along(["ipykernel"], importlib.metadata.Distribution.at(metadata))
    owners = importlib.metadata.packages_distributions()
    return [
        module
        for module, names in owners.items()
        if module.isidentifier() and there.isdisjoint(map(canonicalize_name, names))
    ]


IMPORTING = re.compile(r"^\s*(?:import|from) (\w+)", re.MULTILINE)


@pytest.mark.parametrize("chapter", chapter_names())
def test_a_downloaded_notebook_imports_what_it_says_that_it_needs(
    chapter: str, site: Path, absent: list[str]
) -> None:
    """`make notebooks` runs all of them where nothing else is."""
    notebook = downloaded(chapter, site)
    programs = code_of(notebook)
    imported = {module for program in programs for module in IMPORTING.findall(program)}
    opening = notebook.cells[0].source
    lacking = {COMPARED.get(module, module) for module in imported.intersection(absent)}
    assert {name for name in lacking if name not in opening} == set()


def test_a_builders_module_in_a_notebook_would_be_noticed(absent: list[str]) -> None:
    assert {"myst_nb", "sphinx", "sklearn", "pytest"} <= set(absent)
    assert not {"numpy", "scipy", "sympy", "matplotlib", "IPython", "mlnotes"} & set(absent)
    cells = [nbformat.v4.new_code_cell("def f():\n    from sklearn.svm import SVC")]
    assert compared_with(cells) == ["scikit-learn"]
    command = install_command(Repository(""), compared_with(cells))
    assert notebooks.INSTALLED.search(f"```\n{command}\n```")[1].split() == ["scikit-learn"]  # type: ignore[index]


def test_a_downloaded_notebook_runs_in_an_empty_folder(
    site: Path, installed: Path, absent: list[str], tmp_path: Path
) -> None:
    """Run as a reader would, with the package installed and nothing of the project at hand."""
    notebook = downloaded("perceptron", site)
    hidden = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {set(absent)}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())"
    )
    notebook.cells.insert(0, nbformat.v4.new_code_cell(hidden))
    (tmp_path / "chapter.ipynb").write_text(nbformat.writes(notebook))
    run = (
        "import nbformat, nbclient; notebook = nbformat.read('chapter.ipynb', 4);"
        "where = 'import mlnotes; print(mlnotes.__file__)';"
        "notebook.cells.append(nbformat.v4.new_code_cell(where));"
        "nbclient.NotebookClient(notebook, timeout=120, kernel_name='python3').execute();"
        "print(notebook.cells[-1].outputs[0].text)"
    )
    result = subprocess.run(
        [sys.executable, "-c", run],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    (imported,) = result.stdout.split()
    assert Path(imported) == installed / "mlnotes" / "__init__.py"


def test_a_missing_page_is_answered_by_the_sites_own(server: str, specimen_server: str) -> None:
    for address in (f"{server}no/such/page.html", f"{specimen_server}nowhere"):
        with pytest.raises(OSError, match="404") as error:
            urlopen(address)
        if address.startswith(server):
            assert "No such page" in error.value.read().decode()  # type: ignore[attr-defined]


def test_without_a_repository_nothing_names_one(site: Path) -> None:
    assert read(site / "404.html").base == "/"
    for path in pages_below(site):
        addresses = " ".join(address for _, _, address in read(path).references)
        assert not re.search(r"mybinder|colab\.research|issues/new", addresses), path.name
        assert "Report an error" not in read(path).text
    citation = (site / "book" / "index.html").read_text(encoding="utf-8")
    assert "@book" in citation
    assert "url    =" not in re.sub(r"<[^>]*>", "", citation)


def test_with_a_repository_every_page_leads_to_it(specimen: Path) -> None:
    page = read(specimen / "book" / "elements.html")
    addresses = [address for tag, _, address in page.references if tag == "a"]
    assert Repository(REPOSITORY).binder("book/elements") in addresses
    assert Repository(REPOSITORY).colab("notebooks/elements.ipynb") in addresses
    (report,) = [address for address in addresses if "issues/new" in address]
    assert parse_qs(urlsplit(report).query)["title"][0].startswith("1. The elements")
    index = (specimen / "book" / "index.html").read_text(encoding="utf-8")
    assert f"url    = {{{REPOSITORY}}}" in re.sub(r"<[^>]*>", "", index).replace("&#123;", "{")
    assert "mybinder" not in index  # there is nothing to run on this page
    assert "issues/new" in index
    assert read(specimen / "404.html").base == "/book/"
    opening = nbformat.read(specimen / "notebooks" / "elements.ipynb", 4).cells[0].source
    assert f"git+{REPOSITORY}" in opening


def test_addresses_made_from_the_repository() -> None:
    repository = Repository("https://github.com/someone/book/")
    assert repository.name == "someone/book"
    assert repository.binder("book/perceptron") == (
        "https://mybinder.org/v2/gh/someone/book/main?urlpath=lab%2Ftree%2Fbook%2Fperceptron.md"
    )
    assert repository.colab("notebooks/perceptron.ipynb") == (
        "https://colab.research.google.com/github/someone/book/blob/gh-pages/notebooks/perceptron.ipynb"
    )
    assert repository.report("A & B") == (
        "https://github.com/someone/book/issues/new?title=A+%26+B%3A+&labels=erratum"
    )
    assert install_command(repository).startswith('pip install "mlnotes-book[plot] @ git+https')
    assert "http" not in install_command(Repository(""))
    assert Repository("").base_path == "/"
