"""The frames of pictures with a slider, each in a file that a page loads at the first touch.

A notebook has them beside the picture; a page of the book would be several times as heavy. They
are scripts and not data because browsers fetch nothing for pages that are opened as files.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PICTURE = re.compile(
    r'(<div class="mlnotes-picture mlnotes-frames"[^>]* data-key="(\w+)")(.*?)'
    r'<script type="application/json" class="mlnotes-data">(.*?)</script>\s*'
    r'<script class="mlnotes-run">.*?</script>',
    re.DOTALL,
)
RUN = re.compile(r'<script class="mlnotes-run">.*?</script>', re.DOTALL)


def move_frames(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Put the frames of a page's pictures into files, and the script that shows them on it."""
    body = context.get("body", "")
    if app.builder.format != "html" or not RUN.search(body):
        return
    folder = Path(app.outdir, "_static", "frames")
    folder.mkdir(parents=True, exist_ok=True)

    def move(picture: re.Match[str]) -> str:
        opening, key, shown, data = picture.groups()
        script = f'(globalThis.mlnotesFrames ??= {{}})["{key}"]={data};\n'
        (folder / f"{key}.js").write_text(script, encoding="utf-8")
        address = context["pathto"](f"_static/frames/{key}.js", 1)
        return f'{opening} data-frames="{address}"{shown}'

    for name in ("frames", "movable"):
        if f"mlnotes-{name}" in body:
            app.add_js_file(f"{name}.js", defer="defer")
    context["body"] = RUN.sub("", PICTURE.sub(move, body))


def setup(app: Sphinx) -> None:
    """Take the frames out when pages are written."""
    app.connect("html-page-context", move_frames)
