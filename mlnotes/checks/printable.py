"""Texts that others wrote, made harmless for a terminal, a file and a spreadsheet."""

from __future__ import annotations

import re
import unicodedata

# Control characters, halves of characters, marks that turn the direction of a line, and what is
# not yet a character: everything that can do more to a page than stand on it.
UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
LONGEST = 500


def printable(text: object, longest: int = LONGEST) -> str:
    r"""Return a text on one line, cut where it is too long, with unsafe characters spelled out.

    Examples
    --------
    >>> from mlnotes.checks.printable import printable
    >>> printable("a\x1b[31mred\n"), printable("x" * 30, longest=12)
    ('a\\x1b[31mred\\n', 'xxxxxxxxxxx…')
    """
    # One more than may be shown tells a text that is cut from one that just fits.
    safe = "".join(_safe(character) for character in str(text)[: longest + 1])
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"


def _safe(character: str) -> str:
    if character != " " and unicodedata.category(character) in UNSAFE:
        return character.encode("unicode_escape", "surrogatepass").decode()
    return character


def file_name(text: str, longest: int = 80) -> str:
    r"""Return a name for a file made from a text: letters, digits, dots and hyphens.

    Examples
    --------
    >>> from mlnotes.checks.printable import file_name
    >>> file_name("../Ada  Lovelace\n"), file_name("..")
    ('Ada-Lovelace-n', 'unnamed')
    """
    cleaned = re.sub(r"[^\w.]+", "-", printable(text, longest).replace("\\", "-"))
    return cleaned.strip(".-_") or "unnamed"
