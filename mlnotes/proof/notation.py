"""How letters, brackets and signs look: once in LaTeX and once in plain text.

:class:`Tex` and :class:`Plain` have the same methods; what is printed around them is decided in
:mod:`mlnotes.proof.formulas`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

LETTER_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
    "varphi vartheta varepsilon ell"
)
GREEK = dict(zip(LETTER_NAMES.split(), "αβγδεζηθικλμνξπρστυϕχψωΓΔΘΛΞΠΣΥΦΨΩφϑεℓ", strict=True))
NAMED = {letter: name for name, letter in GREEK.items()}
ACCENTS = ("bar", "hat", "tilde")
TALL = re.compile(r"\\(t?frac|sum|prod|left|sqrt)(?![a-zA-Z])")
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


# A family with this at the end of its name shows its index above, as θ⁽⁰⁾ for the start of a run.
ITERATES = "^()"
# A map with this before its name is the gradient of the function of that name, as ∇f.
GRADIENT = "nabla "


def split_name(name: str) -> tuple[str, str, str, str]:
    """Return the letter of a name, its accent, its own index and what stands above it."""
    base, *rest = re.split(r"([_^])", name.strip("#") or name)
    below, above = "", ""
    for sign, part in zip(rest[::2], rest[1::2], strict=True):
        below, above = (below + part, above) if sign == "_" else (below, above + part)
    if base in ACCENTS and below:
        return below, base, "", above
    if below in ACCENTS:
        return base, below, "", above
    numbered = re.fullmatch(r"([^\W\d]+)(\d+)", base)
    if numbered and not below:
        return numbered[1], "", numbered[2], above
    return base or name, "", below, above


class Tex:
    """LaTeX that KaTeX accepts."""

    slash = False  # whether fractions are written on one line
    signs: ClassVar[dict[str, str]] = {
        "=": "=",
        "≠": r"\ne",
        "≤": r"\le",
        "<": "<",
        "≥": r"\ge",
        ">": ">",
    }
    signs |= {"≰": r"\nleq", "≮": r"\nless", "⇒": r"\implies", "⇔": r"\iff", "⊢": r"\vdash"}
    signs |= {"∈": r"\in", "⊆": r"\subseteq"}
    sets: ClassVar[dict[str, str]] = {"R": r" \in \mathbb{R}", "Z": r" \in \mathbb{Z}"}
    big: ClassVar[dict[str, str]] = {"sum": r"\sum", "prod": r"\prod"}
    functions: ClassVar[dict[str, str]] = {f: rf"\{f}" for f in ("exp", "log", "max", "min", "det")}
    functions |= {"tr": r"\operatorname{tr}", "logdet": r"\log\det"}
    times, thin, dots, far, transposed = r"\cdot", r"\,", r"\dots", r" \quad ", r"\top"
    one, expected, probable, delta = r"\mathbf{1}", r"\mathbb{E}", r"\mathbb{P}", r"\delta"
    nabla, bar, integral = r"\nabla", r" \mid ", r"\int"
    union = r"\cup"
    pairs: ClassVar[dict[str, tuple[str, str]]] = {
        "(": ("(", ")"),
        "[": ("[", "]"),
        "{": (r"\{", r"\}"),
        "|": (r"\lvert ", r" \rvert"),
        "‖": (r"\lVert ", r" \rVert"),
        "⟨": (r"\langle ", r" \rangle"),
    }

    def binomial(self, above: str, below: str) -> str:
        """Return a binomial coefficient."""
        return rf"\binom{{{above}}}{{{below}}}"

    def letter(self, word: str) -> str:
        """Return a letter, or a word set upright; ``nabla f`` is the gradient of ``f``."""
        if word.startswith(GRADIENT):
            return rf"\nabla {self.letter(word.removeprefix(GRADIENT))}"
        core = word.rstrip("'")
        primes = word[len(core) :]
        core = NAMED.get(core, core)
        if core in GREEK:
            shown = r"\varepsilon" if core == "epsilon" else rf"\{core}"
        elif len(core) <= 1 or core.isdigit():
            shown = re.sub(r"[\\{}$&#%_^~]", "", core)
        else:
            shown = r"\mathrm{" + re.sub(r"[\\{}$&#%_^~]", " ", core) + "}"
        return shown + primes

    def symbol(self, name: str, indices: Sequence[str] = ()) -> str:
        """Return a name with its own index and further ones."""
        if name.endswith(ITERATES):
            shown = self.symbol(name.removesuffix(ITERATES), indices[1:])
            return self.power(shown, self.bracket("(", indices[0])) if indices else shown
        base, accent, below, above = split_name(name)
        shown = self.letter(base)
        if accent:
            shown = rf"\{accent}{{{shown}}}"
        below_all = [*([self.letter(below)] if below else ()), *indices]
        if below_all:
            shown = self.index(shown, ",".join(below_all))
        return self.power(shown, self.letter(above)) if above else shown

    def index(self, base: str, below: str) -> str:
        """Return something with an index."""
        return f"{base}_{{{below}}}"

    def power(self, base: str, exponent: str) -> str:
        """Return something with an exponent."""
        return f"{base}^{{{exponent}}}"

    def bracket(self, kind: str, text: str) -> str:
        """Return a text in brackets, which grow where what they enclose is tall."""
        left, right = self.pairs[kind]
        if TALL.search(text):
            return rf"\left{left.strip()} {text} \right{right.strip()}"
        return f"{left}{text}{right}"

    def fraction(self, above: str, below: str, small: bool = False) -> str:
        """Return a fraction."""
        return rf"\{'t' if small else ''}frac{{{above}}}{{{below}}}"

    def root(self, text: str) -> str:
        """Return a square root."""
        return rf"\sqrt{{{text}}}"

    def words(self, text: str) -> str:
        """Return words in place of a formula."""
        return rf"\text{{{text}}}"

    def between(self, word: str) -> str:
        """Return a word between two formulas."""
        return rf" \text{{ {word} }} "

    def before(self, word: str) -> str:
        """Return a word before a formula."""
        return rf"\text{{{word} }} "

    def after(self, word: str) -> str:
        """Return a word after a formula."""
        return rf" \text{{ {word}}}"

    def differential(self, point: str) -> str:
        """Return the end of an integral, which says over what it runs."""
        return rf" \,d{' ' if point.startswith(chr(92)) else ''}{point}"

    def partial(self, below: str, twice: bool = False) -> str:
        """Return the sign of a partial derivative, once or twice by the same variable."""
        power = "^{2}" if twice else ""
        return rf"\frac{{\partial{power}}}{{\partial {below}{power}}}"

    def at(self, text: str, where: str) -> str:
        """Return a formula at a value of its variable."""
        return rf"{text} \Big|_{{{where}}}"

    def is_word(self, text: str) -> bool:
        """Say whether a factor is a word, which needs room on both sides."""
        return text.startswith(r"\mathrm")


class Plain(Tex):
    """Text for a terminal."""

    slash = True
    signs: ClassVar[dict[str, str]] = {s: s for s in Tex.signs}
    sets: ClassVar[dict[str, str]] = {"R": " ∈ ℝ", "Z": " ∈ ℤ"}
    big: ClassVar[dict[str, str]] = {"sum": "Σ", "prod": "Π"}
    functions: ClassVar[dict[str, str]] = {f: f for f in Tex.functions} | {"logdet": "log det"}
    times, thin, dots, far, transposed = "·", "", "…", " ", "ᵀ"
    one, expected, probable, delta = "1", "E", "P", "δ"
    nabla, bar, integral = "∇", " | ", "∫"
    union = "∪"
    pairs: ClassVar[dict[str, tuple[str, str]]] = {
        k: (k, {"(": ")", "[": "]", "{": "}", "⟨": "⟩"}.get(k, k)) for k in Tex.pairs
    }

    def binomial(self, above: str, below: str) -> str:
        """Return a binomial coefficient."""
        return f"C({above}, {below})"

    def letter(self, word: str) -> str:
        """Return a letter or word; the signs of sums and products are not used as letters."""
        if word.startswith(GRADIENT):
            return self.nabla + self.letter(word.removeprefix(GRADIENT))
        core = word.rstrip("'")
        shown = core if core in ("Sigma", "Pi") else GREEK.get(core, core)
        return shown + word[len(core) :]

    def symbol(self, name: str, indices: Sequence[str] = ()) -> str:
        """Return a name with its own index and further ones."""
        if name.endswith(ITERATES):
            shown = self.symbol(name.removesuffix(ITERATES), indices[1:])
            return f"{shown}^({indices[0]})" if indices else shown
        base, accent, below, above = split_name(name)
        shown = self.letter(base) + (f"_{accent}" if accent else "")
        shown += f"^{self.letter(above)}" if above else ""
        below_all = [*([self.letter(below)] if below else ()), *indices]
        return self.index(shown, ",".join(below_all)) if below_all else shown

    def index(self, base: str, below: str) -> str:
        """Return something with an index, in braces unless that is short."""
        return f"{base}_{below}" if below.isalnum() else f"{base}_{{{below}}}"

    def power(self, base: str, exponent: str) -> str:
        """Return something with an exponent; digits are raised."""
        if exponent.isascii() and exponent.isdigit():
            return base + exponent.translate(SUPERSCRIPTS)
        if exponent in ("-1", "ᵀ"):
            return base + exponent.replace("-1", "⁻¹")
        return f"{base}^{exponent}" if exponent.isalnum() else f"{base}^({exponent})"

    def bracket(self, kind: str, text: str) -> str:
        """Return a text in brackets."""
        left, right = self.pairs[kind]
        return f"{left}{text}{right}"

    def fraction(self, above: str, below: str, small: bool = False) -> str:
        """Return a fraction."""
        return f"{above}/{below}"

    def root(self, text: str) -> str:
        """Return a square root."""
        return f"√{text}" if text.isalnum() else f"√({text})"

    def words(self, text: str) -> str:
        """Return words in place of a formula."""
        return text

    def between(self, word: str) -> str:
        """Return a word between two formulas."""
        return f" {word} "

    def before(self, word: str) -> str:
        """Return a word before a formula."""
        return f"{word} "

    def after(self, word: str) -> str:
        """Return a word after a formula."""
        return f" {word}"

    def differential(self, point: str) -> str:
        """Return the end of an integral, which says over what it runs."""
        return f" d{point}"

    def partial(self, below: str, twice: bool = False) -> str:
        """Return the sign of a partial derivative, once or twice by the same variable."""
        return f"∂²/∂{below}²" if twice else f"∂/∂{below}"

    def at(self, text: str, where: str) -> str:
        """Return a formula at a value of its variable."""
        return f"{text} |_{{{where}}}"

    def is_word(self, text: str) -> bool:
        """Say that factors are apart already."""
        return False
