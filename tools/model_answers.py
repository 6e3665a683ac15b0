"""The blocks of a page that only instructors see: model answers, and guides to grading by hand."""

from __future__ import annotations

import re

HIDDEN = ("model-answer", "marking")
BLOCK = re.compile(
    r"^(?P<fence>`{3,})\{(?P<kind>model-answer|marking)\}[ ]*(?P<name>\S*)\n"
    r"(?P<body>.*?)^(?P=fence)\s*$\n?",
    re.MULTILINE | re.DOTALL,
)


def without_answers(text: str) -> str:
    """Return a page's source without model answers and rubrics."""
    return BLOCK.sub("", text)
