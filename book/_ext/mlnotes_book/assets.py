"""Copy KaTeX, the fonts, the browser's Python and their licences into the site's own files."""

from __future__ import annotations

import re
import shutil
from importlib.metadata import distribution
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

import mlnotes
from tools import browser_python

# family -> styles of @fontsource; the browser fetches a subset only for characters it covers.
FONTS = {
    "source-serif-4": ("400", "400-italic", "600", "600-italic"),
    "source-sans-3": ("400", "600"),
    "source-code-pro": ("400", "600"),
}
# Python packages whose scripts and style sheets the pages use.
THEME = ("sphinx", "pydata-sphinx-theme", "sphinx-book-theme", "sphinx-copybutton", "pygments")
SUBSETS = ("latin", "latin-ext", "greek")
# The theme brings these icons without their licence, whose text is that of the other fonts.
ICONS_NOTICE = """Font Awesome Free 6.5.2, cut down to the icons in use
Copyright 2024 Fonticons, Inc. (https://fontawesome.com)
Icons: CC BY 4.0. Font: SIL Open Font License 1.1. Style sheet: MIT License.
"""
OTHER_FORMATS = re.compile(r",\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(['\"]\w+['\"]\)")
FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}")
FONT_FILE = re.compile(r"url\(\./files/([^)]*\.woff2)\)")


def copy_assets(app: Sphinx) -> None:
    """Fill `_build/assets`."""
    modules = Path(app.confdir) / "node_modules"
    if not (modules / "katex").is_dir():
        raise ExtensionError("KaTeX is not installed: build with 'make book', which installs it")
    target = Path(app.confdir) / "_build" / "assets"
    shutil.rmtree(target, ignore_errors=True)
    (target / "licences").mkdir(parents=True)
    copy_katex(modules / "katex", target)
    copy_fonts(modules / "@fontsource", target)
    copy_licences_of_theme(target)
    copy_browser_python(target)
    for script in Path(mlnotes.__file__).parent.glob("*.js"):
        shutil.copy(script, target)


def copy_licences_of_theme(target: Path) -> None:
    """Copy the licences that the packages of the theme were installed with."""
    for name in THEME:
        files = distribution(name).files or []
        licence = next(f for f in files if re.fullmatch(r"LICENSE(\.\w+)?", f.name))
        text = licence.read_text(encoding="utf-8")
        (target / "licences" / f"{name}.txt").write_text(text, encoding="utf-8")


def copy_browser_python(target: Path) -> None:
    """Copy what checks derivations in the reader's browser; nothing of it is loaded before that."""
    try:
        browser_python.write(target / "check")
    except browser_python.BrowserPythonError as error:
        raise ExtensionError(str(error)) from None
    for name, text in browser_python.licences().items():
        (target / "licences" / f"{name}.txt").write_text(text, encoding="utf-8")


def copy_katex(source: Path, target: Path) -> None:
    """Copy KaTeX's style sheet and fonts, in the one format that every browser reads."""
    (target / "katex" / "fonts").mkdir(parents=True)
    style = (source / "dist" / "katex.min.css").read_text(encoding="utf-8")
    (target / "katex" / "katex.min.css").write_text(OTHER_FORMATS.sub("", style), encoding="utf-8")
    for font in (source / "dist" / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "katex" / "fonts")
    shutil.copy(source / "LICENSE", target / "licences" / "katex.txt")


def copy_fonts(source: Path, target: Path) -> None:
    """Copy the chosen subsets of the text fonts and write the style sheet that names them."""
    (target / "fonts").mkdir()
    faces = []
    for family, styles in FONTS.items():
        for style in styles:
            sheet = (source / family / f"{style}.css").read_text(encoding="utf-8")
            for face in FONT_FACE.findall(sheet):
                file = FONT_FILE.search(face)
                if file and any(f"{family}-{s}-{style[:3]}" in file[1] for s in SUBSETS):
                    shutil.copy(source / family / "files" / file[1], target / "fonts")
                    faces.append(OTHER_FORMATS.sub("", face).replace("./files/", ""))
        shutil.copy(source / family / "LICENSE", target / "licences" / f"{family}.txt")
    (target / "licences" / "font-awesome.txt").write_text(
        ICONS_NOTICE + (source / "source-sans-3" / "LICENSE").read_text("utf-8").split("\n", 1)[1],
        encoding="utf-8",
    )
    (target / "fonts" / "fonts.css").write_text("\n".join(faces) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Copy before Sphinx looks for its static files."""
    copy_assets(app)
