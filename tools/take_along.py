"""The book to take along: one PDF, or one EPUB, made from the built pages.

`python -m tools.take_along pdf` puts the pages into one document, which Chromium prints with an
outline, working links, page numbers and a title page. `python -m tools.take_along epub` writes the
same pages with MathML. Both are offered on the landing page once they are there.
"""

from __future__ import annotations

import argparse
import html
import posixpath
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from bs4 import BeautifulSoup, Tag

from tools import chromium
from tools.paths import ROOT, SITE

# These are for looking up, and only on pages.
ONLINE = ("book/ledger", "book/concordance", "book/errata", "book/api", "genindex")
NAMES = {"pdf": "mlnotes.pdf", "epub": "mlnotes.epub"}
WORDS = {"pdf": "PDF", "epub": "EPUB"}
PLACE = re.compile(r'<p class="downloads">.*?</p>', re.DOTALL)
# What only works on a page, and what repeats a formula for the eye.
USELESS = (
    *("script", "style", "nav", ".headerlink", ".copybtn", ".mlnotes-screen", ".mlnotes-controls"),
    *(".check-panel", ".checking", "details.cite", ".check", "button", "output", ".page-links"),
)
# HTML knows no capital letters in names; SVG does.
SVG_NAMES = {name.lower(): name for name in ("viewBox", "preserveAspectRatio", "gradientUnits")}
STYLE = """
@page { size: A4; margin: 18mm 20mm 20mm; }
body { background: white; color: #22262a; font-size: 10.5pt; }
main { max-width: none; }
.page { break-before: page; }
.title-page { height: 220mm; display: flex; flex-direction: column; justify-content: center; }
.title-page p { margin: 0; font-size: 1.3em; }
.title-page .name { font-size: 4em; font-weight: 600; }
h1, h2, h3, summary { break-after: avoid; }
figure, .admonition { break-inside: avoid-page; }
details > summary { list-style: none; }
.mlnotes-stills { display: grid; }
"""


class TakeAlongError(Exception):
    """What is missing, and what to do."""


def pages() -> list[str]:
    """Return the pages in the order of the table of contents, without those for looking up."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))

    def below(entries: list[dict[str, Any]]) -> Iterator[str]:
        for entry in entries:
            if "file" in entry:
                yield entry["file"]
                yield from below(entry.get("sections", []))

    found = [toc["root"], *(name for part in toc["parts"] for name in below(part["chapters"]))]
    return [name for name in found if not name.startswith(ONLINE)]


def anchor(page: str, place: str = "") -> str:
    """Return the name that a place of a page has in the one document."""
    return f"{page.removeprefix('book/').replace('/', '-')}--{place}"


def article(name: str, known: frozenset[str], *, own_file: bool) -> Tag:
    """Return the text of a page: without what needs a screen, and with links that lead on."""
    source = (SITE / f"{name}.html").read_text(encoding="utf-8")
    start, end = source.index("<article"), source.index("</article>")
    soup = BeautifulSoup(source[start:end] + "</article>", "html.parser")
    text = soup.article
    assert text is not None
    for part in text.select(", ".join(USELESS)):
        part.decompose()
    for fold in text.select("details"):
        fold["open"] = ""
    for summary in text.select("summary:has(p.expanded)"):
        summary.string = "Code"
    for deferred in text.select("details > noscript"):
        deferred.unwrap()
    folder = posixpath.dirname(name)
    for image in text.select(".mlnotes-stills img"):
        image.replace_with(drawing(image, folder))
    for element in text.find_all(True):
        if "id" in element.attrs and not own_file:
            element["id"] = anchor(name, element["id"])
        for attribute in ("href", "src"):
            if attribute in element.attrs:
                lead_on(element, attribute, name, folder, known, own_file=own_file)
        for attribute, value in list(element.attrs.items()):
            if isinstance(value, str) and "url(#" in value and not own_file:
                element[attribute] = value.replace("url(#", f"url(#{anchor(name)}")
            if attribute in SVG_NAMES:
                element[SVG_NAMES[attribute]] = element.attrs.pop(attribute)
        if element.name == "clippath":
            element.name = "clipPath"
    return text


def drawing(image: Tag, folder: str) -> Tag:
    """Return the picture of an image's file with the description that the image has."""
    path = SITE / posixpath.normpath(posixpath.join(folder, str(image["src"])))
    source = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{path.stem}-", path.read_text("utf-8"))
    picture = BeautifulSoup(source, "html.parser").svg
    assert picture is not None
    picture["aria-label"] = image["alt"]
    return picture


def lead_on(
    element: Tag, attribute: str, page: str, folder: str, known: frozenset[str], *, own_file: bool
) -> None:
    """Let a link lead to its place in the book; one that leads out of it becomes words."""
    target = urlsplit(str(element[attribute]))
    if target.scheme:
        return
    path = (
        posixpath.normpath(posixpath.join(folder, target.path)) if target.path else f"{page}.html"
    )
    if attribute == "src":
        element[attribute] = path
    elif path.removesuffix(".html") in known:
        name = path.removesuffix(".html")
        if own_file:
            inside = f"#{target.fragment}" if target.fragment else ""
            here = name == page and target.fragment
            element[attribute] = inside if here else f"{file_name(name)}{inside}"
        else:
            element[attribute] = f"#{anchor(name, target.fragment)}"
    else:
        del element[attribute]


def file_name(page: str) -> str:
    """Return the name of a page's file in the EPUB."""
    return f"{page.removeprefix('book/').replace('/', '-')}.xhtml"


def title_page() -> str:
    """Return what stands on the first page."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return (
        f'<section class="title-page"><p class="name">{html.escape(config["title"])}</p>'
        "<p>Machine learning with derivations that check themselves</p>"
        f"<p>{html.escape(config['author'])}, {html.escape(str(config['copyright']))}</p></section>"
    )


def one_document(names: list[str]) -> str:
    """Return all pages as one."""
    known = frozenset(names)
    parts = []
    for name in names:
        text = article(name, known, own_file=False)
        # Unseen on paper, and half of what the browser would have to lay out.
        for unseen in text.select(".katex-mathml"):
            unseen.decompose()
        parts.append(
            f'<section class="page" id="{anchor(name)}">{text.decode_contents()}</section>'
        )
    return (
        '<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        '<title>mlnotes</title><link rel="stylesheet" href="_static/book.css">'
        f"<style>{STYLE}</style></head><body>{title_page()}"
        f'<main class="bd-main"><div class="bd-content"><div class="bd-article-container">'
        f'<article class="bd-article">{"".join(parts)}</article></div></div></main></body></html>'
    )


def write_pdf(target: Path, names: list[str]) -> None:
    """Print the pages."""
    from playwright.sync_api import sync_playwright

    browser_path = chromium.find()
    if browser_path is None:
        raise TakeAlongError(chromium.REMEDY)
    document = SITE / "_print.html"
    document.write_text(one_document(names), encoding="utf-8")
    footer = (
        '<p style="width: 100%; font: 9px serif; text-align: center">'
        '<span class="pageNumber"></span></p>'
    )
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=browser_path, args=list(chromium.FLAGS)
            )
            page = browser.new_page()
            page.set_default_timeout(0)
            page.goto(document.as_uri(), wait_until="load")
            page.evaluate("document.fonts.ready")
            page.pdf(
                path=target,
                outline=True,
                tagged=True,
                print_background=True,
                prefer_css_page_size=True,
                display_header_footer=True,
                header_template="<p></p>",
                footer_template=footer,
            )
            browser.close()
    finally:
        document.unlink()


def offer(site: Path) -> None:
    """Put links to what was made on the landing page."""
    landing = site / "book" / "index.html"
    text = landing.read_text(encoding="utf-8")
    landing.write_text(PLACE.sub(lambda _: downloads(site, ".."), text), encoding="utf-8")


def downloads(site: Path, root: str) -> str:
    """Return the line that offers what there is to take along."""
    sizes = {
        kind: (site / name).stat().st_size / 1e6
        for kind, name in NAMES.items()
        if (site / name).exists()
    }
    links = [
        f'<a href="{root}/{NAMES[kind]}" download>{WORDS[kind]} ({size:.1f} MB)</a>'
        for kind, size in sizes.items()
    ]
    words = f"To take along: {' · '.join(links)}" if links else ""
    return f'<p class="downloads">{words}</p>'


def main(arguments: list[str] | None = None) -> int:
    """Make one of them, or say what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=NAMES)
    chosen = parser.parse_args(arguments)
    if not (SITE / "book" / "index.html").exists():
        print("mlnotes: there is no book yet: run 'make book' first", file=sys.stderr)
        return 1
    target = SITE / NAMES[chosen.kind]
    try:
        {"pdf": write_pdf, "epub": write_epub}[chosen.kind](target, pages())
    except TakeAlongError as error:
        print(f"mlnotes: {error}", file=sys.stderr)
        return 1
    offer(SITE)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1e6:.1f} MB")
    return 0


CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/book.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>
"""
EPUB_STYLE = """body { line-height: 1.5; } pre { white-space: pre-wrap; font-size: 0.85em; }
.admonition { margin: 1em 0; padding: 0.4em 1em; border-left: 3px solid #1f4e79; }
.admonition-title { font-weight: bold; } table { border-collapse: collapse; }
th, td { padding: 0.2em 0.6em; border-bottom: 1px solid #ccc; text-align: left; }
svg { max-width: 100%; height: auto; } .eqno { float: right; } .name { font-size: 3em; }
.derivation-line .reason { display: block; color: #555; text-align: right; }
"""


def xhtml(title: str, body: str) -> str:
    """Return a page of the EPUB."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="en" xml:lang="en"><head><title>{html.escape(title)}</title>'
        '<link rel="stylesheet" href="style.css" type="text/css"/></head>'
        f"<body>{body}</body></html>"
    )


def is_foreign(tag: str, attribute: str) -> bool:
    """Say whether an attribute has no place in the EPUB: old ones, and those for scripts."""
    if attribute == "aria-label":
        return tag != "svg"
    old = ("tabindex", "align", "width", "bgcolor", "name", "valign", "border")
    drawn = ("svg", "rect", "mspace", "mo", "mpadded", "mtable")
    return attribute.startswith(("data-", "aria-", "on")) or (attribute in old and tag not in drawn)


def for_epub(name: str, known: frozenset[str]) -> tuple[str, str, list[str]]:
    """Return a page's title, its XHTML, and what it holds besides text."""
    text = article(name, known, own_file=True)
    for part in text.select(".katex-html, annotation, wbr"):
        part.decompose()
    for part in text.select("img, iframe, video, form, input, label"):
        part.decompose()
    for picture in text.find_all("svg"):
        picture["xmlns"] = "http://www.w3.org/2000/svg"
    seen: set[str] = set()
    for element in text.find_all(True):
        for attribute in list(element.attrs):
            if is_foreign(element.name, attribute):
                del element[attribute]
        if element.get("id") in seen:
            del element["id"]
        elif "id" in element.attrs:
            seen.add(str(element["id"]))
    heading = text.find("h1")
    title = heading.get_text(" ", strip=True) if heading else name
    body = text.decode_contents(formatter="minimal")
    holds = [kind for kind, tag in (("mathml", "<math"), ("svg", "<svg")) if tag in body]
    return title, xhtml(title, f"<section>{body}</section>"), holds


def write_epub(target: Path, names: list[str]) -> None:
    """Write the pages as an EPUB 3."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    known = frozenset(names)
    files: dict[str, str] = {"title.xhtml": xhtml(config["title"], title_page())}
    items = ['<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>']
    spine, contents = ['<itemref idref="title"/>'], []
    for number, name in enumerate(names):
        title, text, holds = for_epub(name, known)
        files[file_name(name)] = text
        properties = f' properties="{" ".join(holds)}"' if holds else ""
        items.append(
            f'<item id="p{number}" href="{file_name(name)}" '
            f'media-type="application/xhtml+xml"{properties}/>'
        )
        spine.append(f'<itemref idref="p{number}"/>')
        contents.append(f'<li><a href="{file_name(name)}">{html.escape(title)}</a></li>')
    navigation = f'<nav epub:type="toc"><h1>Contents</h1><ol>{"".join(contents)}</ol></nav>'
    files["nav.xhtml"] = xhtml("Contents", navigation)
    files["style.css"] = EPUB_STYLE
    items.append(
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="style" href="style.css" media-type="text/css"/>'
    )
    year = str(config["copyright"])[:4]
    files["book.opf"] = (
        '<?xml version="1.0" encoding="utf-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" '
        'version="3.0" unique-identifier="id" xml:lang="en">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:mlnotes:book:{year}</dc:identifier>'
        f"<dc:title>{html.escape(config['title'])}</dc:title><dc:language>en</dc:language>"
        f"<dc:creator>{html.escape(config['author'])}</dc:creator>"
        "<dc:rights>Text: CC BY 4.0. Programs: BSD-3-Clause.</dc:rights>"
        f'<meta property="dcterms:modified">{year}-01-01T00:00:00Z</meta></metadata>'
        f"<manifest>{''.join(items)}</manifest><spine>{''.join(spine)}</spine></package>"
    )
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", CONTAINER)
        for name, text in files.items():
            archive.writestr(f"book/{name}", text)


if __name__ == "__main__":
    sys.exit(main())
