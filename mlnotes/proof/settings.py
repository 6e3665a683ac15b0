"""Settings, and the parts of a statement by name.

A *setting* names the objects and hypotheses that a section speaks of. A theorem in a setting may
use all of its hypotheses and states those that its proof needs: what the lines need, and what makes
them defined. So a setting never makes a theorem weaker than its proof; a hypothesis that is written
in the theorem itself is stated whether it is needed or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from mlnotes.trusted.terms import Term, fill

from .derivatives import is_found
from .errors import IllTyped
from .language import (
    FOLD,
    And,
    Expr,
    Family,
    Function,
    Statement,
    Written,
    falsum,
    identifier,
    statement,
    variable,
)
from .probability import for_all_outcomes
from .problems import Problem
from .quantities import Quantity, definitions

Symbol = Expr | Family | Function | Quantity
T = TypeVar("T")
Given = Sequence[Any] | Mapping[str, Any]
RESERVED = ("conclusion", "left", "right")


@dataclass(frozen=True)
class Hypothesis:
    """One hypothesis of a theorem or setting.

    Attributes
    ----------
    name : str
        What the author calls it, ``"given 2"`` for the second one without a name, or, where a
        symbol was declared with a sign, that: ``"gamma positive"``.
    written : Statement or Term
        What it says.
    setting : str
        The name of the setting that it comes from; empty if it is the theorem's own.
    is_refuted : bool
        Whether it is part of what the theorem says there is nothing with.
    """

    name: str
    written: Statement | Term
    setting: str = ""
    is_refuted: bool = False

    @property
    def term(self) -> Term:
        """The proposition of the kernel."""
        return self.written if isinstance(self.written, Term) else self.written.term

    @property
    def tex(self) -> str:
        """The hypothesis as LaTeX; what is declared of a family is said of its members."""
        from .rendering import tex

        return tex(self.said())

    def said(self, terms: Iterable[Term] = ()) -> Statement | Term:
        """Return what it says, of the members of a family with indices that some terms give them.

        Where they give none, the indices are i, j and so on.
        """
        from .formulas import LETTERS, index_letters

        body, depth = self.term, 0
        while body.op == "all" and body.data == ("Z",):
            body, depth = body.args[0], depth + 1
        members = [a for a in body.args if a.op == "v" and a.args]
        if isinstance(self.written, Statement) or depth == 0 or len(members) != 1:
            return self.written
        of = members[0]
        letters = index_letters((*of.data, tuple(a.sort for a in of.args)), terms)
        names = letters if len(letters) == depth else LETTERS["Z"][:depth]
        indices = [variable(name, "Z") for name in names]
        one = fill(body, tuple(reversed(indices)))
        return Statement(self.term, (), "for all", (tuple(map(Expr, indices)), one))

    @property
    def is_trivial(self) -> bool:
        """Whether it only says that a size is positive or that an index is in its range."""
        return is_trivial(self.term)


def is_trivial(p: Term) -> bool:
    """Say whether a proposition is of the kind that a page leaves unsaid.

    These are n ≥ 1, n ≥ 0 and n > 0 for an integer n, and k ≤ n for two of them; and that a number
    n of rows or columns is the integer n.
    """
    if p.op == "=" and {a.op for a in p.args} == {"v", "dim"}:
        size, number = sorted(p.args, key=lambda a: a.op)
        return not number.args and (number.sort, number.data[0]) == ("Z", size.data[0])
    if p.op not in ("<=", "<"):
        return False
    low, high = (a.args[0] if a.op == "of" else a for a in p.args)
    whole = [a.sort == "Z" and a.op in ("v", "dim") and not a.args for a in (low, high)]
    if all(whole):
        return p.op == "<="
    return whole[1] and low.op in ("z", "q") and low.data in ((0,), (1,), (0, 1), (1, 1))


def named(given: Given, where: str, unnamed: str) -> list[tuple[str, Statement]]:
    """Return the names and statements of hypotheses; those without a name are numbered."""
    out = []
    for k, (name, s) in enumerate(_pairs(given), start=1):
        if not isinstance(name, str) or name in RESERVED:
            raise IllTyped(f"{where}: {name!r} cannot be the name of a hypothesis")
        called = name or f"{unnamed} {k}"
        if isinstance(s, Problem):
            # A problem stands for its constraints.
            out += [(f"{called} {label}", c) for label, c in s.constraints.items()]
        else:
            out.append((called, for_all_outcomes(statement(s))))
    return out


def _pairs(given: Given) -> list[tuple[str, Any]]:
    """Return statements with their names, if they have any."""
    return list(given.items()) if isinstance(given, Mapping) else [("", s) for s in given]


def problems(given: Given) -> dict[str, Problem]:
    """Return the problems among hypotheses, by name."""
    return {name or s.name: s for name, s in _pairs(given) if isinstance(s, Problem)}


def abbreviated(p: Term) -> str:
    """Return a name for what a declared symbol abbreviates, such as ``gamma positive``."""
    body = p
    while body.op == "all":
        body = body.args[0]
    if body.op == "->" and body.args[1].op == "F":
        return f"{_letter(body.args[0].args[0])} nonzero"
    if body.op in ("<", "<="):
        for side, sign in ((1, "positive"), (0, "negative")):
            if body.args[side].op == "v" and body.args[1 - side].op in ("q", "z"):
                weak = body.op == "<=" and body.args[1 - side].data[0] == 0
                other = {"positive": "nonnegative", "negative": "nonpositive"}
                return f"{_letter(body.args[side])} {other[sign] if weak else sign}"
    if body.op == "=" and body.args[0].op == "T":
        return f"{_letter(body.args[0].args[0])} symmetric"
    return " ".join(sorted(name for name, _, _ in p.free)) or "declared"


def _letter(t: Term) -> str:
    """Return the letter of a symbol."""
    return str(t.data[0]) if t.op == "v" else "?"


def name_of(symbol: Any) -> str:
    """Return the name of a symbol, family or function."""
    if isinstance(symbol, (Family, Function, Quantity)):
        return symbol.name
    if isinstance(symbol, Expr) and symbol.folded.op == "v":
        return str(symbol.folded.data[0]).partition(FOLD)[0]
    raise IllTyped(f"{symbol!r} is not a symbol")


class Setting:
    """Objects and hypotheses that several theorems share, declared once and named on the page.

    ``setting & other`` is the setting in which both hold; ``setting.with_(...)`` adds to one.

    Parameters
    ----------
    name : str
        What the page calls it, as in "in the setting of *a run*".
    *symbols : symbol, family, function, or a mapping of these to what they are
        The objects; ``setting.theta_star`` is the symbol that is called ``theta^*``.
    given : mapping of names to statements, or sequence of statements
        The hypotheses.
    witness : mapping
        Values at which they hold.
    bases : sequence of settings
        Settings whose objects, hypotheses and values this one inherits.
    """

    def __init__(
        self,
        name: str,
        *symbols: Any,
        given: Given = (),
        witness: Mapping[Any, Any] | None = None,
        bases: Sequence[Setting] = (),
    ) -> None:
        self.name, self.bases = str(name), tuple(bases)
        own = [Hypothesis(label, s, self.name) for label, s in named(given, self.name, self.name)]
        inherited = [h for base in bases for h in base.hypotheses]
        self.hypotheses: tuple[Hypothesis, ...] = _distinct([*inherited, *own])
        self.problems: dict[str, Problem] = {
            k: p for base in bases for k, p in base.problems.items()
        }
        self.problems |= problems(given)
        self.meanings: dict[Symbol, str] = {}
        for s in symbols:
            for symbol, words in (s if isinstance(s, Mapping) else {s: ""}).items():
                self._check_letter(symbol)
                self.meanings[symbol] = words
        for s in self.symbols:
            self._check_letter(s)
        self.witness: dict[Any, Any] = {}
        for values in (*(base.witness for base in bases), witness or {}):
            self.witness |= values
        self._check_names()

    def _check_names(self) -> None:
        """Refuse two hypotheses of one name."""
        names: dict[str, Hypothesis] = {}
        for h in self.hypotheses:
            if names.setdefault(h.name, h) is not h:
                raise IllTyped(f"{self.name}: two hypotheses are called {h.name!r}")

    def _check_letter(self, symbol: Symbol) -> None:
        """Refuse a letter that has another meaning already."""
        for other in self.symbols:
            if identifier(name_of(other)) == identifier(name_of(symbol)) and (
                other != symbol or _signs(other) != _signs(symbol)
            ):
                raise IllTyped(f"{self.name}: {name_of(symbol)} has two meanings")

    @property
    def given(self) -> tuple[Statement, ...]:
        """The hypotheses as statements."""
        return tuple(h.written for h in self.hypotheses if isinstance(h.written, Statement))

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The objects that the setting names, those that it inherits first."""
        return (*(s for base in self.bases for s in base.symbols), *self.meanings)

    def assumptions(self) -> Iterator[Hypothesis]:
        """Yield what the symbols in its hypotheses and the declared ones abbreviate."""
        seen = set()
        written = [*self.given, *(s for s in self.symbols if isinstance(s, Expr))]
        for a in (a for w in written for a in w.assumes):
            if a not in seen and not is_found(a):
                seen.add(a)
                yield Hypothesis(abbreviated(a), a, self.owner(a) or self.name)

    def owner(self, a: Term) -> str | None:
        """Return the setting that declares the symbol which abbreviates a hypothesis, if any."""
        for base in self.bases:
            if (name := base.owner(a)) is not None:
                return name
        carried = (a in w.assumes for w in (*self.given, *_declared(self.meanings, a)))
        return self.name if any(carried) else None

    def __getattr__(self, name: str) -> Any:
        for s in self.symbols if "meanings" in self.__dict__ else ():
            if identifier(name_of(s)) == name:
                return s
        raise AttributeError(f"this setting has no symbol {name!r}")

    def __and__(self, other: Setting) -> Setting:
        """Return the setting in which both hold."""
        return Setting(f"{self.name} and {other.name}", bases=(self, other))

    def with_(
        self,
        *symbols: Any,
        given: Given = (),
        witness: Mapping[Any, Any] | None = None,
        name: str | None = None,
    ) -> Setting:
        """Return the setting with more objects and hypotheses, under its own or another name."""
        return Setting(name or self.name, *symbols, given=given, witness=witness, bases=(self,))

    def hypothesis(self, name: str) -> Statement | Term:
        """Return a hypothesis by its name."""
        return found(name, {h.name: h.written for h in self._all()}, self.name)

    def part(self, name: str) -> str:
        """Return a hypothesis as LaTeX by its name."""
        return found(name, self.parts(), self.name)

    def parts(self) -> dict[str, str]:
        """Return all hypotheses and problems as LaTeX, by name."""
        from .rendering import tex

        return {k: tex(p) for k, p in self.problems.items()} | {h.name: h.tex for h in self._all()}

    def _all(self) -> list[Hypothesis]:
        """Return the hypotheses and what the symbols assume."""
        return [*self.hypotheses, *self.assumptions()]

    def __repr__(self) -> str:
        return f"<Setting {self.name!r}>"


def _signs(symbol: Symbol) -> Any:
    """Return what is declared of a symbol."""
    if isinstance(symbol, Quantity):
        return symbol.value
    return symbol.assumes if isinstance(symbol, Expr) else symbol.declared


def _distinct(hypotheses: Iterable[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Return hypotheses without those that say the same as an earlier one."""
    out: dict[Term, Hypothesis] = {}
    for h in hypotheses:
        out.setdefault(h.term, h)
    return tuple(out.values())


def _declared(symbols: Iterable[Symbol], a: Term) -> Iterator[Written]:
    """Yield terms that carry what declared symbols abbreviate, if they are those of a."""
    names = {name: len(arguments) for name, _, arguments in a.free}
    for s in symbols:
        if isinstance(s, Expr):
            yield s
        elif isinstance(s, Quantity):
            yield s.value
        elif isinstance(s, Function) and s.declared:
            yield s(0)
        elif isinstance(s, Family) and s.declared and s.name in names:
            yield s[(0,) * (names[s.name] - s.random)]


def found(name: str, parts: Mapping[str, T], where: str) -> T:
    """Return a part by its name, or say which ones there are."""
    if name not in parts:
        raise KeyError(f"{where} has no part {name!r}; it has {', '.join(map(repr, parts))}")
    return parts[name]


class Parts:
    """What a page shows of a theorem, by name."""

    title: str
    statement: Statement
    stated: tuple[Hypothesis, ...]
    steps: tuple[Any, ...]
    first: Expr | None
    problems: Mapping[str, Problem] = MappingProxyType({})

    @property
    def conclusion(self) -> Statement:
        """What the theorem concludes."""
        return self.statement

    @property
    def own(self) -> tuple[Hypothesis, ...]:
        """The hypotheses that the theorem adds to its setting and that a page has to show."""
        return tuple(h for h in self.stated if not (h.setting or h.is_trivial or h.is_refuted))

    @property
    def from_setting(self) -> tuple[Hypothesis, ...]:
        """The hypotheses of its setting that the theorem needs."""
        return tuple(h for h in self.stated if h.setting and not h.is_trivial)

    @property
    def trivial(self) -> tuple[Hypothesis, ...]:
        """The hypotheses that a page need not say: sizes are positive, indices in their range."""
        return tuple(h for h in self.stated if h.is_trivial)

    @property
    def quantities(self) -> dict[str, Statement]:
        """The definitions of the named quantities in statement and lines, by their names."""
        said: list[Written | Term] = [self.statement, *(h.written for h in self.stated)]
        said += [] if self.first is None else [self.first]
        return dict(definitions([*said, *(s.expression for s in self.steps)]))

    def hypothesis(self, name: str) -> Statement | Term:
        """Return a hypothesis by its name."""
        return found(name, {h.name: h.written for h in self.stated}, self.title)

    def part(self, name: str) -> str:
        """Return a part as LaTeX.

        It is called ``conclusion``, or ``left`` and ``right`` for its two sides, or by the name of
        a hypothesis, or of a quantity for its definition.
        """
        from .rendering import tex

        return tex(found(name, self.written_parts(), self.title))

    def parts(self) -> dict[str, str]:
        """Return all parts as LaTeX, by name."""
        from .rendering import tex

        return {name: tex(x) for name, x in self.written_parts().items()}

    def written_parts(self) -> dict[str, Written | Term | Problem]:
        """Return all parts by name: what the theorem concludes and what it supposes."""
        out: dict[str, Written | Term | Problem] = {"conclusion": self.statement, **self.problems}
        sides = self.statement.parts
        if len(sides) == 2 and all(isinstance(s, Expr) for s in sides):
            out |= {"left": sides[0], "right": sides[1]}
        said = zip(self.stated, self.said(), strict=True)
        return out | self.quantities | {h.name: written for h, written in said}

    def said(self) -> list[Statement | Term]:
        """Return what the hypotheses say, with the indices that the conclusion and lines use."""
        from .rendering import terms_of

        written = [self.statement, *(h.written for h in self.stated), *self.quantities.values()]
        written += [s.expression for s in self.steps]
        terms = [t for x in written for t in terms_of(x)]
        return [h.said(terms) for h in self.stated]


class Supposed:
    """What a derivation may use: the hypotheses of its setting, and those that it adds."""

    def __init__(
        self, title: str, given: Given, setting: Setting | None, absent: Sequence[Symbol] = ()
    ) -> None:
        self.setting, self.absent = setting, tuple(absent)
        self.problems = {**(setting.problems if setting else {}), **problems(given)}
        own = [
            Hypothesis(name, s, is_refuted=self.is_absent(s.term))
            for name, s in named(given, title, "given")
        ]
        if absent and not any(h.is_refuted for h in own):
            raise IllTyped(f"{title}: no hypothesis speaks of {', '.join(map(name_of, absent))}")
        added = {h.term for h in own}
        inherited = [h for h in (setting.hypotheses if setting else ()) if h.term not in added]
        self.hypotheses = (*inherited, *own)
        names = [h.name for h in self.hypotheses]
        for name in names:
            if names.count(name) > 1:
                raise IllTyped(f"{title}: two hypotheses are called {name!r}")

    @property
    def given(self) -> tuple[Statement, ...]:
        """The hypotheses as statements."""
        return tuple(h.written for h in self.hypotheses if isinstance(h.written, Statement))

    def stated(self, assumed: Iterable[Term], needed: Collection[Term] | None) -> list[Hypothesis]:
        """Return what a theorem states: what it adds, and of its setting what is needed.

        ``assumed`` is what symbols abbreviate; where it is not known what is needed, all is.
        """
        own = [Hypothesis(abbreviated(a), a, self._owner(a), self.is_absent(a)) for a in assumed]
        out = _distinct([*self.hypotheses, *own])
        return [h for h in out if not h.setting or needed is None or h.term in needed]

    def refutation(self, stated: Iterable[Hypothesis]) -> Statement:
        """Return that there is nothing with the hypotheses, or that they contradict each other."""
        refuted = [h.written for h in stated if h.is_refuted and isinstance(h.written, Statement)]
        parts = (self.absent, And(*refuted)) if refuted else ()
        return Statement(falsum(), (), "none" if refuted else "false", parts)

    def is_absent(self, p: Term) -> bool:
        """Say whether a proposition speaks of what there is none of."""
        return not {name_of(s) for s in self.absent}.isdisjoint(name for name, _, _ in p.free)

    def _owner(self, a: Term) -> str:
        return (self.setting.owner(a) if self.setting else None) or ""
