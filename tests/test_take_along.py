"""The book to take along says what its pages say, and its links lead on."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest
from pages import chapter_names

from tools import epubcheck, take_along
from tools.paths import ROOT

XHTML = "{http://www.w3.org/1999/xhtml}"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
OPF = "{http://www.idpf.org/2007/opf}"
FEW = ["book/index", "book/perceptron", "book/perceptron/further", "book/glossary"]


def test_the_pages_are_those_of_the_book_in_its_order() -> None:
    names = take_along.pages()
    assert names[0] == "book/index"
    assert names.index("book/perceptron/slips") == names.index("book/perceptron") + 3
    assert {f"book/{name}" for name in chapter_names()} <= set(names)
    assert not any("api" in name or "ledger" in name for name in names)


@pytest.fixture(scope="module")
def epub(site: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    target = tmp_path_factory.mktemp("epub") / "few.epub"
    take_along.write_epub(target, FEW)
    return zipfile.ZipFile(target)


def test_an_epub_is_well_formed_and_declares_what_it_holds(epub: zipfile.ZipFile) -> None:
    assert epub.namelist()[0] == "mimetype"
    assert epub.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
    package = ET.fromstring(epub.read("book/book.opf"))
    items = {item.get("href"): item for item in package.iter(f"{OPF}item")}
    assert {f"book/{name}" for name in items} | {"book/book.opf"} == {
        name for name in epub.namelist() if name.startswith("book/")
    }
    for name, item in items.items():
        if not name.endswith(".xhtml"):
            continue
        page = ET.fromstring(epub.read(f"book/{name}"))
        declared = set((item.get("properties") or "").split())
        assert ("mathml" in declared) == any(page.iter(f"{MATHML}math"))
        assert not any(page.iter(f"{XHTML}script"))
        for link in page.iter(f"{XHTML}a"):
            target, _, place = (link.get("href") or "").partition("#")
            if target and "://" not in target:
                assert target in items
            if place and not target:
                assert any(e.get("id") == place for e in page.iter())


def test_an_epub_has_the_formulas_once_and_the_solutions_open(epub: zipfile.ZipFile) -> None:
    page = ET.fromstring(epub.read("book/perceptron.xhtml"))
    assert sum(1 for _ in page.iter(f"{MATHML}math")) > 200
    assert not [e for e in page.iter() if "katex-html" in (e.get("class") or "").split()]
    assert all(fold.get("open") is not None for fold in page.iter(f"{XHTML}details"))
    assert any("Novikoff" in (e.text or "") for e in page.iter())


def test_in_one_document_every_link_has_its_place(site: Path) -> None:
    text = take_along.one_document(FEW)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    lost = set(re.findall(r'href="#([^"]+)"', text)) - set(ids)
    assert not lost


@pytest.mark.browser
@pytest.mark.slow
def test_a_pdf_has_an_outline_links_and_page_numbers(
    site: Path, chromium: str, tmp_path: Path
) -> None:
    target = tmp_path / "few.pdf"
    # In a process of its own: Playwright allows no second browser in one that has one.
    program = (
        "from pathlib import Path\nfrom tools import take_along\n"
        f"take_along.write_pdf(Path({str(target)!r}), ['book/index', 'book/glossary'])"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
    printed = target.read_bytes()
    assert printed.startswith(b"%PDF")
    assert b"/Outlines" in printed
    assert b"/Type /Page\n" in printed
    assert re.search(rb"/Subtype /Link", printed)
    assert not (site / "_print.html").exists()


def test_the_landing_page_offers_what_is_there(tmp_path: Path) -> None:
    assert take_along.downloads(tmp_path, "..") == '<p class="downloads"></p>'
    (tmp_path / "mlnotes.epub").write_bytes(bytes(2_500_000))
    line = take_along.downloads(tmp_path, "..")
    assert '<a href="../mlnotes.epub" download>EPUB (2.5 MB)</a>' in line
    assert "pdf" not in line


def test_an_epub_keeps_to_what_its_checker_asks_for(epub: zipfile.ZipFile) -> None:
    for name in epub.namelist():
        if name.endswith(".xhtml"):
            page = ET.fromstring(epub.read(name))
            for summary in page.iter(f"{XHTML}summary"):
                assert not [*summary.iter(f"{XHTML}p")], "a summary holds no paragraph"
            assert not [*page.iter(f"{XHTML}svg")], "drawings are in their own language"


def test_a_checker_that_cannot_run_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(epubcheck.shutil, "which", lambda name: None)
    assert epubcheck.main() == 1
    assert "no Java here" in capsys.readouterr().err
