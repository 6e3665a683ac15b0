"""One style sheet for all pages, without the rules and icons that no page uses.

The theme and the extensions bring ten style sheets with more than half a megabyte of rules, most of
them for classes that never occur, and 150 kB of icons. When the pages are written their sheets are
joined in the order in which the pages named them, rules are dropped that need a class found in no
page and no script, and the icon font is cut down to the icons that are left.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from fontTools import subset
from sphinx.application import Sphinx

BUNDLE = "book.css"
LINK = re.compile(
    r'[ \t]*<link (?=[^>]*rel="stylesheet")[^>]*href="([^"]*_static/)([^"?]*)[^>]*>\n?'
)
ICONS = "vendor/fontawesome/webfonts/fa-solid-900.woff2"
# Sheets that style again what mlnotes.css styles.
REPLACED = ("proof.css", "exercise.css", "togglebutton.css")
# What the pages never ask for once they have the bundle.
LEFT_OVER = ("**/*.map", "scripts/fontawesome.js*", "vendor/fontawesome/**/*", "*macros.html")

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRING = r'"(?:\\.|[^"\\])*"' + r"|'(?:\\.|[^'\\])*'"
BOUNDARY = re.compile(STRING + r"|url\([^)\"']*\)|[{};]", re.DOTALL)
RELATIVE = re.compile(r"url\((['\"]?)(?!data:|#|/)([^)'\"]+)\1\)")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
IN_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\]]*\]")
WORD = re.compile(r"[\w-]+")
HTML_CLASSES = re.compile(r'class="([^"]*)"')
ICON = re.compile(r'content:"\\([ef][0-9a-f]{3})"')


class Bundle:
    """The style sheets that the pages named, in order."""

    def __init__(self) -> None:
        self.sheets: dict[str, None] = {}

    def replace_links(self, html: str) -> str:
        """Put one link in the place of a page's links to style sheets."""
        head, end, rest = html.partition("</head>")
        links = [link for link in LINK.finditer(head) if link[2] != BUNDLE]
        if not links:
            return html
        self.sheets.update(dict.fromkeys(link[2] for link in links))
        first = links[0]
        head = LINK.sub("", head)
        one = f'<link rel="stylesheet" href="{first[1]}{BUNDLE}">\n'
        return head[: first.start()] + one + head[first.start() :] + end + rest

    def take_pages(self, site: Path) -> set[str]:
        """Replace the links of all pages, and return the classes that occur in them."""
        used: set[str] = set()
        for page in sorted(site.rglob("*.html")):
            if "_static" in page.relative_to(site).parts:  # templates that themes leave there
                continue
            html = page.read_text(encoding="utf-8")
            for classes in set(HTML_CLASSES.findall(html)):
                used.update(classes.split())
            if (linked := self.replace_links(html)) != html:
                page.write_text(linked, encoding="utf-8")
        return used

    def write(self, app: Sphinx, exception: Exception | None) -> None:
        """Write the joined sheet and the icons it needs, and remove what they replace."""
        if exception is not None or app.builder.format != "html":
            return
        static = Path(app.outdir) / "_static"
        used = self.take_pages(Path(app.outdir)) | words_of_scripts(Path(app.outdir))
        if not self.sheets:
            return
        sheets = [name for name in self.sheets if not name.endswith(REPLACED)]
        css = "".join(prune(read_sheet(static, name), used) for name in sheets)
        (static / BUNDLE).write_text(css, encoding="utf-8")
        cut_icons(static, css)
        left_over = [path for pattern in LEFT_OVER for path in static.glob(pattern)]
        for path in [*left_over, *(static / name for name in self.sheets)]:
            if path.is_file():
                path.unlink()


def words_of_scripts(site: Path) -> set[str]:
    """Return every word of every script."""
    used: set[str] = set()
    for script in site.rglob("*.js"):
        if script.parent.name == "folds":  # pieces of pages
            html = script.read_text(encoding="utf-8").replace('\\"', '"')
            used.update(*(classes.split() for classes in set(HTML_CLASSES.findall(html))))
            continue
        # Pyodide's script makes no pages, but is a megabyte of words.
        if script.name not in ("fontawesome.js", "searchindex.js", "pyodide.asm.js"):
            used.update(WORD.findall(script.read_text(encoding="utf-8")))
    return used


def read_sheet(static: Path, name: str) -> str:
    """Return a sheet without comments, its addresses seen from the folder of static files."""
    css = COMMENT.sub("", (static / name).read_text(encoding="utf-8"))
    folder = posixpath.dirname(name)
    return RELATIVE.sub(lambda m: f"url({posixpath.normpath(posixpath.join(folder, m[2]))})", css)


def rules(css: str) -> Iterator[tuple[str, str | None]]:
    """Yield each rule's selector and block; a statement without a block has None."""
    start = depth = body = 0
    selector = ""
    for token in BOUNDARY.finditer(css):
        if token[0] == "{":
            depth += 1
            if depth == 1:
                selector, body = css[start : token.start()].strip(), token.end()
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                yield selector, css[body : token.start()]
                start = token.end()
        elif token[0] == ";" and depth == 0:
            yield css[start : token.start()].strip(), None
            start = token.end()


def prune(css: str, used: set[str]) -> str:
    """Return the rules that can apply to something."""
    kept = []
    for selector, block in rules(css):
        if block is None:
            # A style sheet may declare its character set or import another only at its top.
            if not selector.startswith(("@charset", "@import")):
                kept.append(f"{selector};")
        elif selector.startswith(("@media", "@supports", "@layer", "@container")):
            if inner := prune(block, used):
                kept.append(f"{selector}{{{inner}}}")
        elif selector.startswith("@font-face"):
            if "fontawesome" not in block:  # mlnotes.css names the font that is cut down
                kept.append(f"{selector}{{{block}}}")
        elif selector.startswith("@"):
            kept.append(f"{selector}{{{block}}}")
        elif alive := [part for part in split_selector(selector) if can_apply(part, used)]:
            kept.append(f"{','.join(alive)}{{{block.strip()}}}")
    return "\n".join(kept) + "\n" if kept else ""


def split_selector(selector: str) -> list[str]:
    """Split at the commas that are not in parentheses."""
    parts, depth = [""], 0
    for character in selector:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def can_apply(selector: str, used: set[str]) -> bool:
    """Say whether every class that a selector asks for occurs; parentheses may ask for less."""
    while (shorter := IN_PARENTHESES.sub("", selector)) != selector:
        selector = shorter
    return used.issuperset(CLASS.findall(selector))


def cut_icons(static: Path, css: str) -> None:
    """Cut the icon font down to the characters that the sheet still names."""
    options = subset.Options(flavor="woff2")
    font = subset.load_font(str(static / ICONS), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[int(code, 16) for code in ICON.findall(css)])
    subsetter.subset(font)
    subset.save_font(font, str(static / "fonts" / "icons.woff2"), options)


bundle = Bundle()


def setup(app: Sphinx) -> None:
    """Write the sheet after all pages."""
    app.connect("build-finished", bundle.write, priority=900)
