"""The frames of pictures with a slider, in files that a page loads when it needs them.

A notebook has them beside the picture; a page of the book would be several times as heavy. All
frames together are a script, loaded at the first touch: a script and no data because browsers fetch
nothing for pages that are opened as files. The few that are seen on paper and without scripts
besides the first are images.
"""

from __future__ import annotations

import json
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
STILL = re.compile(
    r'(<div style="order:(\d+)">)<svg role="img" aria-label="([^"]*)"([^>]*)>.*?</svg>', re.DOTALL
)
SIZE = re.compile(r' (width|height)="([\d.]+)pt"')
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
        address = context["pathto"](f"_static/frames/{key}", 1)
        frames = json.loads(data)

        def draw(still: re.Match[str]) -> str:
            start, number, alt, attributes = still.groups()
            lines = (frames["parts"][part] for part in frames["frames"][int(number)])
            (folder / f"{key}-{number}.svg").write_text("\n".join(lines), encoding="utf-8")
            size = "".join(f' {a}="{4 / 3 * float(z):.0f}"' for a, z in SIZE.findall(attributes))
            source = f'src="{address}-{number}.svg" alt="{alt}"'
            return f'{start}<img {source}{size} loading="lazy">'

        return f'{opening} data-frames="{address}.js"{STILL.sub(draw, shown)}'

    for name in ("frames", "movable"):
        if f"mlnotes-{name}" in body:
            app.add_js_file(f"{name}.js", defer="defer")
    context["body"] = RUN.sub("", PICTURE.sub(move, body))


def setup(app: Sphinx) -> None:
    """Take the frames out when pages are written."""
    app.connect("html-page-context", move_frames)
