"""How a derivation looks: LaTeX and HTML for pages, plain text for a terminal."""

from __future__ import annotations

import html as _html
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from .terms import Dot, _RealTerm

MARKS = {"proved": "✓", "assumed": "△", "tested": "≈"}
MARK_NAMES = {"proved": "proved", "assumed": "assumed", "tested": "tested only"}
_SIGNS = {sp.Eq: "=", sp.Ne: "≠", sp.Le: "≤", sp.Lt: "<", sp.Ge: "≥", sp.Gt: ">"}
_LATEX_RELATION = {"=": "=", "≤": r"\le", "<": "<", "≥": r"\ge", ">": ">", "⊢": r"\vdash"}


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer with the terms of a sum in the order in which they are stored."""

    def __init__(self) -> None:
        super().__init__({"order": "none", "mul_symbol": None, "fold_short_frac": False})

    def _needs_mul_brackets(self, e: Any, first: bool = False, last: bool = False) -> bool:
        # SymPy decides by class name, and its own Dot of vectors is an infix operator.
        if isinstance(e, _RealTerm):
            return False
        return bool(super()._needs_mul_brackets(e, first=first, last=last))

    def parenthesize(self, item: Any, level: int, *args: Any, **kwargs: Any) -> str:
        """Print a subterm, in brackets if it needs them."""
        if isinstance(item, _RealTerm):
            return str(self._print(item))
        return str(super().parenthesize(item, level, *args, **kwargs))

    def _print_Add(self, e: Any, order: Any = None) -> str:
        """Print a sum kept as written: SymPy would turn ``u + (v - w)`` into ``u - (w - v)``."""
        text = ""
        for k, part in enumerate(e.args):
            minus = k > 0 and not part.is_Add and part.could_extract_minus_sign()
            shown = -part if minus else part
            body = self._print(shown)
            if self._needs_add_brackets(shown):
                body = rf"\left({body}\right)"
            text += body if k == 0 else f" - {body}" if minus else f" + {body}"
        return text

    def _print_Mul(self, e: Any) -> str:
        """Print a product kept as written: flat, without factors one, its sign in front."""
        factors = _factors(e)
        minus = [f for f in factors if f.is_Rational and f < 0][:1]
        if len(factors) == 1:
            # SymPy prints the power 1/x as if it were a product.
            return str(super()._print_Mul(e) if isinstance(e, sp.Pow) else self._print(factors[0]))
        if minus and factors != list(e.args):
            k = factors.index(minus[0])
            factors[k : k + 1] = [] if minus[0] == -1 else [-minus[0]]
            product = sp.Mul(*factors, evaluate=False) if len(factors) > 1 else factors[0]
            body = self._print(product)
            return rf"- \left({body}\right)" if isinstance(product, sp.Add) else f"- {body}"
        return str(super()._print_Mul(sp.Mul(*factors, evaluate=False)))

    def _print_Pow(self, e: Any) -> str:
        if isinstance(e.base, Dot) and e.base.args[0] == e.base.args[1]:
            power = 2 * e.exp
            if power.is_Rational and power > 0:
                norm = rf"\lVert {self._print(e.base.args[0])} \rVert"
                return norm if power == 1 else f"{norm}^{{{self._print(power)}}}"
        return str(super()._print_Pow(e))

    def _hprint_Function(self, func: str) -> str:
        # SymPy takes the name of a derivative for a word, which it sets upright.
        name = func.rstrip("'")
        return str(super()._hprint_Function(name)) + func[len(name) :]

    def _print_Indexed(self, e: Any) -> str:
        base = self._print(e.base.label)
        return f"{base}_{{{', '.join(self._print(i) for i in e.indices)}}}"

    def _print_Transpose(self, e: Any) -> str:
        return f"{self._letter(e.args[0])}^{{\\top}}"

    def _print_Inverse(self, e: Any) -> str:
        return f"{self._letter(e.args[0])}^{{-1}}"

    def _letter(self, m: Any) -> str:
        inner = self._print(m)
        return inner if isinstance(m, sp.MatrixSymbol) else rf"\left({inner}\right)"

    def _print_MatrixSymbol(self, e: Any, style: str = "plain") -> str:
        return str(self._print(sp.Symbol(e.name)))

    def _print_Sum(self, e: Any) -> str:
        return self._big(r"\sum", e)

    def _print_Product(self, e: Any) -> str:
        return self._big(r"\prod", e)

    def _big(self, sign: str, e: Any) -> str:
        heads = [
            rf"{sign}_{{{self._print(i)}={self._print(lo)}}}^{{{self._print(hi)}}}"
            for i, lo, hi in reversed(e.limits)
        ]
        body = self._print(e.function)
        if len(_factors(e.function)) == 1 and isinstance(_factors(e.function)[0], sp.Add):
            body = rf"\left({body}\right)"
        return " ".join([*heads, body])

    def _print_Relational(self, e: Any) -> str:
        signs = {sp.Eq: "=", sp.Ne: r"\ne", sp.Le: r"\le", sp.Lt: "<", sp.Ge: r"\ge", sp.Gt: ">"}
        for cls, sign in signs.items():
            if isinstance(e, cls):
                return f"{self._print(e.lhs)} {sign} {self._print(e.rhs)}"
        return str(super()._print_Relational(e))


def _factors(e: Any) -> list[Any]:
    """Return the factors of a product and of the products in it, without ones."""
    if not isinstance(e, sp.Mul):
        return [e]
    found = [f for a in e.args for f in _factors(a) if f != 1]
    return found or [sp.Integer(1)]


def tex(e: Any) -> str:
    """Return a term or statement as LaTeX that KaTeX accepts."""
    return str(_Printer().doprint(e))


def plain(e: Any) -> str:
    """Return a term or statement as text, its parts in the order in which they are stored."""
    for cls, sign in _SIGNS.items():
        if isinstance(e, cls):
            return f"{plain(e.lhs)} {sign} {plain(e.rhs)}"
    return str(sp.sstr(e, order="none"))


def _reason(because: str) -> str:
    r"""Return a reason, in which mathematics stands between dollars, for ``\text{}``."""
    parts = because.split("$")
    out = []
    for k, part in enumerate(parts):
        if k % 2:
            out.append(f"${part}$")
        else:
            for char in ("\\", "{", "}", "_", "^", "%", "&", "#", "~"):
                part = part.replace(char, " " if char in "\\~" else "\\" + char)
            out.append(part)
    return "".join(out)


def latex(t: Any) -> str:
    """Return a derivation or theorem as one aligned display."""
    return f"$$\n{aligned(t)}\n$$"


def aligned(t: Any) -> str:
    """Return the lines of a derivation as an ``aligned`` environment."""
    if getattr(t, "is_impossibility", False):
        rows = [tex(s) + r" &&" for s in t.given]
        rows.append(rf"\bot && \text{{these cannot hold together}} \quad {_tex_mark('proved')}")
        body = " \\\\\n".join(rows)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
    rows = [f"& {tex(t.typed_first)}"] if t.typed_first is not None else []
    for s in t.steps:
        reason = _reason(s.because) or s.method
        rows.append(
            f"& {_LATEX_RELATION[s.relation]} {tex(s.typed)} "
            f"&& \\text{{{reason}}} \\quad {_tex_mark(s.mark)}"
        )
    body = " \\\\\n".join(rows)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _tex_mark(mark: str) -> str:
    return {"proved": r"\checkmark", "assumed": r"\triangle", "tested": r"\approx"}[mark]


def html(t: Any) -> str:
    """Return a derivation with its hypotheses, its methods, its scope and its marks."""
    hypotheses = "".join(f"<li>\\({tex(s)}\\)</li>" for s in t.hypotheses)
    rows = "".join(
        f"<tr><td>{k}</td><td>{MARKS[s.mark]} {MARK_NAMES[s.mark]}</td>"
        f"<td>{_html.escape(s.method)}</td><td>{_html.escape(s.scope)}</td>"
        f"<td>{_html.escape(s.detail)}</td></tr>"
        for k, s in enumerate(t.steps, start=1)
    )
    mark = getattr(t, "mark", None)
    badge = (
        f'<p class="mlnotes-badge mlnotes-{mark}">{MARKS[mark]} {MARK_NAMES[mark]}: '
        f"{_html.escape(t.scope)}</p>"
        if mark
        else ""
    )
    assumptions = "".join(f"<li>{_html.escape(a)}</li>" for a in getattr(t, "assumptions", ()))
    return (
        f'<div class="mlnotes-derivation"><p class="mlnotes-title">{_html.escape(t.title)}</p>'
        f"\\[{aligned(t)}\\]"
        + (f'<ul class="mlnotes-hypotheses">{hypotheses}</ul>' if hypotheses else "")
        + (f'<ul class="mlnotes-assumptions">{assumptions}</ul>' if assumptions else "")
        + "<details><summary>How each line was proved</summary><table><thead><tr><th>line</th>"
        f"<th>mark</th><th>method</th><th>scope</th><th>detail</th></tr></thead><tbody>{rows}"
        f"</tbody></table></details>{badge}</div>"
    )


def text(t: Any) -> str:
    """Return a derivation for a terminal."""
    lines = [t.title]
    if t.hypotheses:
        lines.append("  given " + "; ".join(plain(s) for s in t.hypotheses))
    if t.typed_first is not None:
        lines.append(f"    {plain(t.typed_first)}")
    for s in t.steps:
        if s.relation == "⊢":
            lines.append(f"  cannot hold together  {MARKS[s.mark]} {s.method}: {s.detail}")
            continue
        reason = f"  ({s.because})" if s.because else ""
        lines.append(f"  {s.relation} {plain(s.typed)}{reason}  {MARKS[s.mark]} {s.method}")
    mark = getattr(t, "mark", None)
    if mark:
        lines.append(f"  {MARKS[mark]} {MARK_NAMES[mark]}: {t.scope}")
    for a in getattr(t, "assumptions", ()):
        lines.append(f"  taken for granted: {a}")
    return "\n".join(lines)


def as_dict(t: Any) -> dict[str, Any]:
    """Return a theorem as plain data."""
    return {
        "title": t.title,
        "statement": tex(t.typed) if not t.is_impossibility else None,
        "impossible": t.is_impossibility,
        "hypotheses": [tex(s) for s in t.hypotheses],
        "steps": [
            {
                "relation": s.relation,
                "latex": tex(s.typed),
                "because": s.because,
                "method": s.method,
                "detail": s.detail,
                "scope": s.scope,
                "mark": s.mark,
                "seconds": s.seconds,
            }
            for s in t.steps
        ],
        "scope": t.scope,
        "mark": t.mark,
        "assumptions": list(t.assumptions),
        "witness": dict(t.witness),
        "needs_z3": any("z3" in s.method or "z3" in s.detail for s in t.steps),
        "source": t.source,
    }
