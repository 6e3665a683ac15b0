"""How a derivation looks: LaTeX and HTML for pages, plain text for a terminal.

Everything is printed from the terms of the kernel, so that a page shows what was checked.
"""

from __future__ import annotations

import html as _html
import json
import re
from collections.abc import Iterator
from typing import Any

from mlnotes.trusted.terms import Term

from .formulas import Env, Printer, visible
from .language import FOLD, Statement, Written
from .notation import Plain, Tex
from .problems import Problem

Shown = Term | Written | Problem
MARKS = {"proved": "✓", "uncertified": "○"}
MARK_NAMES = {"proved": "proved", "uncertified": "not certified yet"}
TEX_MARKS = {"proved": r"\checkmark", "uncertified": r"\circ"}
RELATIONS = tuple(Tex.signs[s] for s in ("=", "≠", "≤", "<", "≥", ">", "⇒", "⇔"))
# Brackets in TeX; those after \left and \right are of either kind.
OPENING = re.compile(r"\\lVert|\\lvert|\\langle|[({\[]")
CLOSING = re.compile(r"\\rVert|\\rvert|\\rangle|[)}\]]")


def tex(x: Shown) -> str:
    """Return a term, statement or problem as LaTeX that KaTeX accepts."""
    return _printed(Tex(), x)


def plain(x: Shown) -> str:
    """Return a term, statement or problem as text."""
    return _printed(Plain(), x)


def _printed(style: Tex, x: Shown) -> str:
    """Print a term, a statement or a problem as formula."""
    if isinstance(x, Problem):
        return x.printed(style)
    taken = {name.partition(FOLD)[0] for t in terms_of(x) for name, _, _ in t.free}
    printer = Printer(style, taken)
    if isinstance(x, Statement):
        return printer.prop(x, Env()).text
    t = x if isinstance(x, Term) else x.folded
    return printer.text(t, Env(tuple(f"i_{k}" for k in range(t.loose))))


def terms_of(x: Any) -> Iterator[Term]:
    """Return the terms in a statement as it was written, in which indices are free."""
    if isinstance(x, Statement):
        for part in x.parts:
            yield from terms_of(part)
    if isinstance(x, (Term, Written)):
        yield x if isinstance(x, Term) else x.folded


def latex_lines(x: Term | Written, width: int) -> list[str]:
    """Return a formula in lines of about a width.

    It is broken before relations and before the words that say for what it holds; what is still too
    long is broken before plus and minus.
    """
    out: list[str] = []
    for part in _broken(tex(x), width, (*RELATIONS, r"\quad")):
        out += _broken(part, width, ("+", "-"))
    # Without something before it a plus would be set as a sign.
    return [out[0], *("{} " + line if line[0] in "+-" else line for line in out[1:])]


def _broken(text: str, width: int, signs: tuple[str, ...]) -> list[str]:
    """Return a formula in lines that start with one of some signs outside all brackets."""
    if visible(text) <= width:
        return [text]
    parts, depth = [""], 0
    for word in re.split(r"(?<= )", text):
        inside = depth > 0 or parts[-1].startswith(r"\quad")
        if not inside and word.strip() in signs and parts[-1].strip():
            parts.append("")
        parts[-1] += word
        depth += len(OPENING.findall(word)) - len(CLOSING.findall(word))
    lines = [parts[0]]
    for part in parts[1:]:
        if visible(lines[-1] + part) <= width:
            lines[-1] += part
        else:
            lines.append(part)
    return [line.strip() for line in lines]


# ---------------------------------------------------------------------- derivations and theorems


def latex(t: Any) -> str:
    """Return a derivation or theorem as one aligned display."""
    return f"$$\n{aligned(t)}\n$$"


def aligned(t: Any) -> str:
    """Return the lines of a derivation as an ``aligned`` environment."""
    if getattr(t, "is_impossibility", False):
        rows = [f"{tex(s)} &&" for s in t.given]
        words = r"\text{these cannot hold together}"
        rows.append(rf"\bot && {words} \quad {TEX_MARKS['proved']}")
    else:
        rows = [f"& {tex(t.first)}"] if t.first is not None else []
        rows += [_row(s) for s in t.steps]
    body = " \\\\\n".join(rows)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _row(s: Any) -> str:
    """Return one line: its relation and term, its reason and its mark."""
    reason = rf"\text{{{reason_tex(s.because) or s.method}}}"
    return rf"& {Tex.signs[s.relation]} {tex(s.expression)} && {reason} \quad {TEX_MARKS[s.mark]}"


def reason_tex(because: str) -> str:
    r"""Return a reason, in which mathematics stands between dollars, for ``\text{}``."""
    out = []
    for k, part in enumerate(because.split("$")):
        words = re.sub(r"[\\~]", " ", part)
        out.append(f"${part}$" if k % 2 else re.sub(r"([{}_^%&#])", r"\\\1", words))
    return "".join(out)


def html(t: Any) -> str:
    """Return a derivation with its hypotheses, its methods, its scope and its marks."""
    rows = "".join(
        f"<tr><td>{k}</td><td>{MARKS[s.mark]} {MARK_NAMES[s.mark]}</td>"
        f"<td>{_html.escape(s.method)}</td><td>{_html.escape(s.scope)}</td>"
        f"<td>{_html.escape(s.detail)}</td></tr>"
        for k, s in enumerate(t.steps, start=1)
    )
    mark, badge = getattr(t, "mark", None), ""
    if mark:
        words = f"{MARKS[mark]} {MARK_NAMES[mark]}: {_html.escape(t.scope)}"
        badge = f'<p class="mlnotes-badge mlnotes-{mark}">{words}</p>'
    return (
        f'<div class="mlnotes-derivation"><p class="mlnotes-title">{_html.escape(t.title)}</p>'
        f"\\[{_html.escape(aligned(t), quote=False)}\\]"
        + _items("hypotheses", [rf"\({tex(s)}\)" for s in t.hypotheses])
        + _items("assumptions", list(getattr(t, "assumptions", ())))
        + "<details><summary>How each line was proved</summary><table><thead><tr><th>line</th>"
        f"<th>mark</th><th>method</th><th>scope</th><th>detail</th></tr></thead><tbody>{rows}"
        f"</tbody></table></details>{badge}</div>"
    )


def _items(kind: str, items: list[str]) -> str:
    """Return a list, or nothing where it would be empty."""
    inside = "".join(f"<li>{_html.escape(item, quote=False)}</li>" for item in items)
    return f'<ul class="mlnotes-{kind}">{inside}</ul>' if items else ""


def text(t: Any) -> str:
    """Return a derivation for a terminal."""
    lines = [t.title]
    if t.hypotheses:
        lines.append("  given " + "; ".join(plain(s) for s in t.hypotheses))
    if t.first is not None:
        lines.append(f"    {plain(t.first)}")
    for s in t.steps:
        if s.relation == "⊢":
            lines.append(f"  cannot hold together  {MARKS[s.mark]} {s.method}: {s.detail}")
            continue
        reason = f"  ({s.because})" if s.because else ""
        lines.append(f"  {s.relation} {plain(s.expression)}{reason}  {MARKS[s.mark]} {s.method}")
    mark = getattr(t, "mark", None)
    if mark:
        lines.append(f"  {MARKS[mark]} {MARK_NAMES[mark]}: {t.scope}")
    lines += [f"  taken for granted: {a}" for a in getattr(t, "assumptions", ())]
    return "\n".join(lines)


def as_dict(t: Any) -> dict[str, Any]:
    """Return a theorem as plain data, with what its certificate rests on if it has one."""
    out = {
        "title": t.title,
        "statement": tex(t.statement) if not t.is_impossibility else None,
        "conclusion": tex(t.statement) if t.statement is not None else None,
        "impossible": t.is_impossibility,
        "hypotheses": [tex(s) for s in t.hypotheses],
        "parts": t.parts(),
        "quantities": {name: tex(s) for name, s in t.quantities.items()},
        "stated": [
            {"name": h.name, "latex": tex(said), "setting": h.setting, "trivial": h.is_trivial}
            for h, said in zip(t.stated, t.said(), strict=True)
        ],
        "steps": [
            {"relation": s.relation, "latex": tex(s.expression) if s.relation != "⊢" else r"\bot"}
            | {name: getattr(s, name) for name in ("because", "method", "detail", "scope", "mark")}
            for s in t.steps
        ],
        "scope": t.scope,
        "mark": t.mark,
        "assumptions": list(getattr(t, "assumptions", ())),
        "witness": dict(getattr(t, "witness", {})),
        "source": t.source,
    }
    if getattr(t, "checked", None) is not None:
        written = json.dumps(t.certificate, separators=(",", ":"))
        out["certificate"] = {
            "axioms": sorted(t.checked.axioms),
            "bytes": len(written.encode()),
            "steps": t.checked.steps,
            "milliseconds": round(1000 * t.check_seconds, 1),
        }
    return out
