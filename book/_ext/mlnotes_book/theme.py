"""What the theme gets wrong, mended where pages are written: that holds without scripts too."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from .markup import Details, Summary

PRELOADED = ("source-serif-4-latin-400-normal", "source-serif-4-latin-600-normal")
TEMPLATES = Path(__file__).parents[2] / "_templates"
# Extensions that Jupyter Book brings along: one declares a variable twice and has its kernels on
# other hosts, the other hides by script what `details` hides without one.
UNWANTED_EXTENSIONS = ("sphinx_thebe", "sphinx_togglebutton")
UNWANTED_FILES = re.compile(r"thebe|togglebutton|design-tabs")

MODE_NOW = """(({mode}) => mode !== "auto" ? mode
      : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
    )(document.documentElement.dataset)"""

# What to replace in the theme's scripts, and with what.
SCRIPTS = {
    # It measures every listing and table of a page that has loaded, and has the browser lay out the
    # page again for each; mlnotes.js measures those that come near the screen. On a phone the page
    # on the perceptron keeps the main thread busy for 0.41 s without this and for 0.32 s with it.
    "scripts/pydata-sphinx-theme.js": (
        '"complete"===document.readyState?O():window.addEventListener("load",O)',
        "0",
    ),
}

# What to replace in every page, and with what.
MENDINGS: list[tuple[str, str]] = [
    # It looks for contents that are not there, through all of a page; mlnotes.js finds them.
    (r' data-bs-spy="scroll"', ""),
    # 1.5 MB of script for icons that the web font shows as well.
    (r"\s*<!-- So that users can add custom icons -->\s*<script [^>]*></script>", ""),
    # Scripts wait until the text is there; inline ones that need them wait with them.
    (r"<script src=", "<script defer src="),
    (r"<script>(\s*DOCUMENTATION_OPTIONS\.)", r'<script type="module">\1'),
    (r'\s*<link rel="preload" as="script"[^>]*>', ""),
    # The mode is known before anything is painted, and a page without scripts is a light one.
    (r'data-theme="auto"', 'data-theme="light"'),
    (r'= localStorage\.getItem\("theme"\) \|\| "auto";', f"= {MODE_NOW};"),
    # An accessible name must contain the words that are seen, and what opens must have one.
    (r'(<button class="btn search-button-field[^>]*?)\s+title="Search" aria-label="Search"', r"\1"),
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    (r'<summary>(?=<span class="toctree-toggle")', '<summary aria-label="Pages below this one">'),
    # The sidebar with the book's name is a landmark as a whole.
    (r'(<div id="pst-primary-sidebar")', r'\1 role="navigation" aria-label="The book"'),
    # Bibliography entries are list items of a plain list to assistive technology.
    (r'role="doc-biblioentry"', 'role="listitem"'),
    # An identifier occurs once in a page.
    (r'(<section[^>]*) id="(?:proof|exercise|solution)-content"', r"\1"),
    (
        r'<div class="proof admonition" id="proof">\s*<p>Proof\. ',
        '<div class="argument">\\n<p><span class="argument-title">Proof.</span> ',
    ),
    # Names and punctuation of code have the colour of the text: a third of its elements.
    (r'<span class="[nopw]">([^<]*)</span>', r"\1"),
    # A listing ends with its last line.
    (r"\n{2,}</pre>", "\n</pre>"),
    # Statements and exercises can be linked.
    (
        r'(<div class="(?:proof|exercise) [^"]*" id="([^"]+)">\s*<p class="admonition-title">.*?)'
        r"</p>",
        r'\1<a class="headerlink" href="#\2" title="Link to this place">#</a></p>',
    ),
]


def polish(html: str) -> str:
    """Apply every mending to a page."""
    for pattern, replacement in MENDINGS:
        html = re.sub(pattern, replacement, html)
    return html


# Nothing but this site: Python in the browser is compiled, KaTeX and figures have styles of their
# own, and icons and cursors may be data.
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'{hashes}; worker-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "object-src 'none'; base-uri 'self'; form-action 'self'"
)
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)([^>]*)>(.*?)</script>", re.DOTALL)
CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')


def with_policy(html: str) -> str:
    """Put into a page what it may load and run: its own host's files, and the scripts in it."""
    scripts = {
        base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        for attributes, code in INLINE_SCRIPT.findall(html)
        if "json" not in attributes
    }
    hashes = "".join(f" 'sha256-{digest}'" for digest in sorted(scripts))
    policy = POLICY.format(hashes=hashes)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return CHARSET.sub(lambda found: f"{found[0]}\n    {meta}", html, count=1)


def wrap_templates(app: Sphinx) -> None:
    """Polish the pages that the templates render; the theme renders parts of pages as well."""
    templates = getattr(app.builder, "templates", None)
    if templates is None:
        return
    render: Callable[..., str] = templates.render

    def render_polished(name: str, context: dict[str, Any]) -> str:
        html = render(name, context)
        return with_policy(polish(html)) if "</html>" in html[-100:] else html

    templates.render = render_polished


def mend_scripts(app: Sphinx, exception: Exception | None) -> None:
    """Take out of the theme's scripts what costs a long page dear."""
    if exception is not None or app.builder.format != "html":
        return
    for name, (old, new) in SCRIPTS.items():
        path = Path(app.outdir, "_static", name)
        script = path.read_text(encoding="utf-8")
        if old not in script:
            raise ExtensionError(f"{name} is not the one that theme.py mends: look for {old}")
        path.write_text(script.replace(old, new), encoding="utf-8")


def drop_extensions(app: Sphinx, config: Any) -> None:
    """Take out what unwanted extensions would do from here on, and their style sheets."""
    for listeners in app.events.listeners.values():
        listeners[:] = [
            listener
            for listener in listeners
            if not getattr(listener.handler, "__module__", "").startswith(UNWANTED_EXTENSIONS)
        ]
    registry = app.registry
    registry.css_files[:] = [css for css in registry.css_files if not UNWANTED_FILES.search(css[0])]


def close_dropdowns(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turn solutions and admonitions of the class `dropdown` into such closed pieces."""
    if app.builder.format != "html":
        return
    for node in list(doctree.findall(nodes.Admonition)):
        title = node.next_node(nodes.title)
        if "dropdown" not in node["classes"] or title is None:
            continue
        details = Details(ids=node["ids"], classes=["admonition", *node["classes"]])
        details += Summary("", " ".join(title.astext().split()))
        details += [child for child in node.children if child is not title]
        node.replace_self(details)


def add_context(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Name the fonts that a page will certainly need, and leave out scripts that it does not."""
    context["preloaded_fonts"] = [f"_static/fonts/{name}.woff2" for name in PRELOADED]
    context["script_files"] = [
        script
        for script in context["script_files"]
        if not UNWANTED_FILES.search(str(getattr(script, "filename", script)))
    ]


def setup(app: Sphinx) -> None:
    """Connect the mendings."""
    app.connect("config-inited", lambda app, config: config.templates_path.append(str(TEMPLATES)))
    # Before any of the unwanted extensions' own listeners to the same event.
    app.connect("config-inited", drop_extensions, priority=1)
    app.connect("doctree-resolved", close_dropdowns, priority=900)
    app.connect("builder-inited", wrap_templates, priority=900)
    app.connect("html-page-context", add_context, priority=900)
    app.connect("build-finished", mend_scripts)
