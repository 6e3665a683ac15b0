"""Terms and statements as formulas, in the order in which their author wrote them.

Terms are not changed: signs, fractions, norms, powers, ranges and chains of inequalities are
recognised while they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain, count, groupby, pairwise
from typing import Any, NamedTuple

from mlnotes.trusted.terms import BINDERS, Term, Variable, fill, rebuild, sizes

from .language import (
    DEFINED,
    FOLD,
    MEMBER,
    OUTCOME,
    TWO_TO,
    And,
    Definition,
    Expr,
    Family,
    Lambda,
    Statement,
    binomial_of,
    build,
    called,
    range_of_subsets,
    set_and_element,
    term_of,
    variable,
)
from .notation import TALL, Tex

# What binds less than its place demands stands in brackets.
QUANTIFIED, IMPLIED, OR, AND, RELATION, SUM, BIG, PRODUCT, FRACTION, POWER, ATOM = range(11)
SHORT = 22  # the most signs of an exponent above e
LETTERS = {
    "Z": "ijklrs",
    "R": "tsruxz",
    "V": "vuwz",
    "U": "xzuvst",
}  # for bound variables without a name
STORED = {"=": "=", "<=": "≤", "<": "<"}
TURNED = {"≤": "≥", "<": ">"}
NEGATED = {"=": "≠", "≤": "≰", "<": "≮"}
CHAINS = ({"=", "≤", "<"}, {"=", "≥", ">"})
SHOWN = ("=", "≠", "≤", "<", "≥", ">", "and", "or", "each")  # what statements remember
THERE = {  # how a statement about the values of symbols begins
    "exists": "there is",
    "none": "there is no",
    "at most one": "there is at most one",
}
# What a property may be said of; of a formula in an index it is said of its members.
Named = (Expr, Family, Lambda)
PROPERTIES = ("invertible", "positive definite", "positive semidefinite", "independent")
PRODUCTS = ("*", "sc", "mm")

Factor = Term | Fraction
Formula = Term | Statement
Sides = tuple[Term, str, Term]


class Piece(NamedTuple):
    """A printed part: how tightly it binds, and its form where something follows on the right."""

    text: str
    level: int = ATOM
    closed: str = ""


class Env(NamedTuple):
    """The names of enclosing bound variables, innermost first, and whether room is short.

    ``script`` holds in exponents and indices; ``inline`` holds there and inside of fractions.
    """

    names: tuple[str, ...] = ()
    script: bool = False
    inline: bool = False

    def bind(self, name: str) -> Env:
        """Return the surroundings inside one more binder."""
        return self._replace(names=(name, *self.names))

    def small(self) -> Env:
        """Return the surroundings in an exponent or index."""
        return Env(self.names, True, True)

    def part(self) -> Env:
        """Return the surroundings above or below a bar."""
        return self._replace(inline=True)


class Clause(NamedTuple):
    """A variable for which a statement holds, and its range or its sort."""

    name: str
    over: str
    ranged: bool = False


# ---------------------------------------------------------------------- what a term is made of


def bare(t: Term) -> Term:
    """Return a term without the embedding of the integers."""
    while t.op == "of":
        t = t.args[0]
    return t


def value(t: Term) -> Fraction | None:
    """Return the number that a numeral stands for."""
    t = bare(t)
    return Fraction(*t.data) if t.op in ("q", "z") else None


def flat(op: str, t: Term) -> list[Term]:
    """Return the operands of nested sums, conjunctions and so on."""
    t = bare(t)
    return [u for a in t.args for u in flat(op, a)] if t.op == op else [t]


def is_inverse(f: Factor) -> bool:
    """Say whether a factor is one over something."""
    return isinstance(f, Term) and f.op == "inv"


def factors(t: Term) -> list[Factor]:
    """Return the factors of a product; a quotient or a negative that comes later stays whole."""
    t = bare(t)
    number = value(t)
    if number is not None:
        return [number]
    if t.op not in PRODUCTS:
        return [t]
    out: list[Factor] = []
    for k, a in enumerate(t.args):
        inner = factors(a)
        negative = isinstance(inner[0], Fraction) and inner[0] < 0
        whole = k > 0 and len(inner) > 1 and (negative or any(map(is_inverse, inner)))
        out += [bare(a)] if whole else inner
    return out


def signed(fs: list[Factor]) -> tuple[bool, list[Factor]]:
    """Return whether a product starts with a minus, and its factors without it."""
    first, *rest = fs
    if not isinstance(first, Fraction) or first >= 0:
        return False, fs
    return True, rest if first == -1 and rest else [-first, *rest]


def scaled(fs: list[Factor]) -> list[Factor]:
    """Return the factors of a multiple of a vector or matrix, with 1/c after what it divides."""
    start = next((k for k, f in enumerate(fs) if not is_inverse(f)), len(fs))
    end = start
    while (
        end < len(fs)
        and not is_inverse(f := fs[end])
        and (isinstance(f, Fraction) or f.sort == "R")
    ):
        end += 1
    alone = fs[end] if start == end == len(fs) - 1 else None
    if isinstance(alone, Term) and alone.sort == "V" and not is_big(alone):
        end += 1
    return [*fs[start:end], *fs[:start], *fs[end:]]


def is_power(t: Term) -> bool:
    """Say whether a term is a product of equal factors over 1, …, n."""
    return t.op == "prod" and 0 not in t.args[2].indices and value(t.args[0]) == 1


def is_big(f: Factor) -> bool:
    """Say whether a factor is a sum or product over a range."""
    return isinstance(f, Term) and f.op in ("sum", "prod") and not is_power(f)


def squared(t: Term) -> Term | None:
    """Return u if a term is the inner product of u with itself, or tr uᵀu."""
    if t.op == "tr" and t.args[0].op == "mm":
        first, *rest = t.args[0].args
        u = first.args[0] if first.op == "T" else t
        return u if tuple(rest) in ((u,), u.args if u.op == "mm" else ()) else None
    return t.args[0] if t.op == "dot" and t.args[0] is t.args[1] else None


def is_name(t: Term) -> bool:
    """Say whether a term is shown by a name."""
    return t.op == "v" and FOLD in t.data[0]


def is_random(t: Term, depth: int = 0) -> bool:
    """Say whether a term depends on an outcome."""
    if t.sort == "W":
        return t.op == "v" or t.data[0] >= depth
    at = BINDERS.get(t.op, (-1, None))[0]
    return any(is_random(a, depth + (k == at)) for k, a in enumerate(t.args))


def refuted(t: Term) -> Term | None:
    """Return p if a term says that p does not hold."""
    return t.args[0] if t.op == "->" and t.args[1].op == "F" else None


def in_range(t: Term) -> tuple[Term, Term, Term] | None:
    """Return the ends and the body of a statement about every index of a range."""
    if t.data != ("Z",) or t.args[0].op != "->":
        return None
    above, inner = t.args[0].args
    if above.op != "<=" or inner.op != "->" or inner.args[0].op != "<=":
        return None
    (low, i), (j, high) = above.args, inner.args[0].args
    own = i is j and i.op == "b" and i.data[0] == 0
    return (low, high, inner.args[1]) if own and 0 not in low.indices | high.indices else None


def in_open_range(t: Term) -> tuple[int, Term] | None:
    """Return the first index and the body of a statement about every index from a number on."""
    if t.data != ("Z",) or t.args[0].op != "->" or in_range(t):
        return None
    above, inner = t.args[0].args
    if above.op != "<=" or above.args[0].op != "z" or above.args[1] is not build("b", (0, "Z")):
        return None
    return above.args[0].data[0], inner


def written_names(t: Term, env: Env) -> list[str]:
    """Return what authors called the variable that a term binds.

    Names are kept for terms as they were written, before an index outside was bound.
    """

    def unbound(t: Term, depth: int) -> Term | None:
        if t.loose <= depth:
            return t
        if t.op != "b":
            return None
        return variable(env.names[t.data[0] - depth] or OUTCOME[0], t.sort)

    return called(t) or called(rebuild(t, unbound))


def index_letters(family: Variable, terms: Iterable[Term]) -> tuple[str, ...]:
    """Return letters that stand below a family, the first in the alphabet, or none if none do."""
    found: set[tuple[str, ...]] = set()
    seen: set[tuple[Term, Env]] = set()

    def visit(t: Term, env: Env) -> None:
        if (t, env) in seen:
            return
        seen.add((t, env))
        if t.op == "v" and (*t.data, tuple(a.sort for a in t.args)) == family:
            names = [index_name(a, env) for a in t.args if a.sort == "Z"]
            if all(len(name) == 1 for name in names) and len({*names}) == len(names):
                found.add(tuple(names))
        at, sort = BINDERS.get(t.op, (-1, None))
        for k, a in enumerate(t.args):
            inner = env
            if k == at:
                is_index = "Z" in (sort, *t.data)
                inner = env.bind(next(iter(written_names(t, env)), "") if is_index else "")
            visit(a, inner)

    for t in terms:
        visit(t, Env(("",) * t.loose))
    return min(found, default=())


def index_name(t: Term, env: Env) -> str:
    """Return the letter of an index, and nothing for a number or an index that is computed."""
    if t.op == "b":
        return str(env.names[t.data[0]])
    return str(t.data[0]) if t.op == "v" and not t.args else ""


def visible(tex: str) -> int:
    """Return about how many signs wide a formula is."""
    tex = re.sub(r"\\(sum|prod)_\{[^{}]*\}\^\{[^{}]*\}", "ΣΣ", tex)
    tex = re.sub(r"\\(text|math[a-z]+|operatorname|left|right|t?frac)(?![a-zA-Z])", "", tex)
    return len(re.sub(r"[{}_^ \\]", "", re.sub(r"\\[A-Za-z]+", "x", tex)))


def _one_way(links: list[Sides]) -> bool:
    """Say whether the signs of relations point one way, so that they can be chained."""
    return any({sign for _, sign, _ in links} <= way for way in CHAINS)


def _gathered(parts: Sequence[Formula]) -> list[Formula]:
    """Return statements in which neighbours about the same indices are one."""
    out: list[Formula] = []
    for p in parts:
        last = out[-1] if out else None
        both = [x for x in (last, p) if isinstance(x, Statement) and x.shown == "each"]
        if len(both) == 2 and both[0].parts[:3] == both[1].parts[:3]:
            inside = [x.parts[3] for x in both]
            inner = [q for x in inside for q in (x.parts if x.shown == "and" else (x,))]
            joined = And(*inner)
            out[-1] = Statement(joined.folded, (), "each", (*both[0].parts[:3], joined))
        else:
            out.append(p)
    return out


# ---------------------------------------------------------------------- printing


class Printer:
    """Prints terms and statements in one style; no index gets a name that is taken."""

    def __init__(self, style: Tex, taken: set[str]) -> None:
        self.style, self.taken = style, taken

    def show(self, t: Term, env: Env) -> Piece:
        """Print a term."""
        return _PRINTED.get(t.op, Printer._unknown)(self, t, env)

    def text(self, t: Term, env: Env) -> str:
        """Print a term that stands between signs of its own."""
        return self.show(t, env).text

    def listed(self, ts: Sequence[Term], env: Env) -> str:
        """Print terms with commas between them."""
        return ", ".join(self.text(t, env) for t in ts)

    def within(self, p: Piece, level: int) -> str:
        """Return a piece, in brackets if it binds less than its place demands."""
        return p.text if p.level >= level else self.style.bracket("(", p.text)

    def closed(self, p: Piece) -> str:
        """Return a piece after which something may follow."""
        return p.closed or self.within(p, PRODUCT)

    def negative(self, p: Piece) -> Piece:
        """Return a piece with a minus before it."""
        return Piece("-" + self.within(p, BIG), SUM)

    def fresh(self, t: Term, sort: str, env: Env) -> str:
        """Return a name for the variable that a term binds."""
        letters = LETTERS.get(sort, "ABCD")
        more = (c + "'" * k for k in count() for c in letters)
        names = chain(written_names(t, env), more)
        return next(n for n in names if n not in self.taken and n not in env.names)

    def _unknown(self, t: Term, env: Env) -> Piece:
        return Piece(self.style.letter(t.op) + self.style.bracket("(", self.listed(t.args, env)))

    # numbers and symbols

    def _numeral(self, t: Term, env: Env) -> Piece:
        return self.factor(Fraction(*t.data), env)

    def factor(self, f: Factor, env: Env, small: bool = False) -> Piece:
        """Print one factor; a number may be a coefficient, whose fraction is small."""
        if isinstance(f, Term):
            return self.show(f, env)
        if f < 0:
            return self.negative(self.factor(-f, env, small))
        if f.denominator == 1:
            return Piece(f"{f}")
        return self.fraction(Piece(f"{f.numerator}"), Piece(f"{f.denominator}"), env, small)

    def _size(self, t: Term, env: Env) -> Piece:
        return Piece(self.style.symbol(t.data[0]))

    def _variable(self, t: Term, env: Env) -> Piece:
        """Print a name with its indices and arguments; the one outcome in sight goes unsaid."""
        definition = DEFINED.get((*t.data, tuple(a.sort for a in t.args))) if t.op == "v" else None
        if definition is not None:
            return self.defined(definition, t.args, env)
        if t.op == "v" and t.data[0] == TWO_TO:
            return self.raised(Piece("2"), self.text(t.args[0], env.small()))
        if t.op == "v" and t.data[0] == MEMBER:
            whole, part = (self.text(a, env) for a in t.args)
            return Piece(f"{part} {self.style.signs['∈']} {whole}", RELATION)
        name = env.names[t.data[0]] if t.op == "b" else t.data[0]
        below = [a for a in t.args if a.sort == "Z" and t.sort != "P"]
        others = [a for a in t.args if a not in below and not self.unsaid(a, env)]
        shown = self.style.symbol(name, [self.text(a, env.small()) for a in below])
        if others:
            return Piece(shown + self.style.bracket("(", self.listed(others, env)))
        return Piece(shown, POWER if "^" in name or "'" in name else ATOM)

    def unsaid(self, t: Term, env: Env) -> bool:
        """Say whether an argument is the outcome that random variables are understood to have."""
        if t.sort != "W" or t.args:
            return False
        return bool(t.data[0] == OUTCOME[0] if t.op == "v" else env.names[t.data[0]] == "")

    def defined(self, d: Definition, args: tuple[Term, ...], env: Env) -> Piece:
        """Print a name, or the term that it stands for where it would hide what has changed."""
        if d.form == "gradient":
            return self.gradient(d, args, env)
        if d.form == "as it is":
            return self._big(fill(d.written, args), env, power=False)
        if d.form == "mean":
            inside = self.text(fill(d.written, args), env)
            return Piece(self.style.expected + self.style.bracket("[", inside))
        if d.form == "conditional":
            return self.conditional(fill(d.written, args), env)
        unsaid = set(range(len(args))) - set(d.shown)
        if any(not self.unchanged(args[k], d.variables[k], env) for k in unsaid):
            return self.show(fill(d.written, args), env)
        below, parts = [], ["", ""]
        for k, at in enumerate(d.shown):
            if isinstance(at, int) and args[at].sort == "Z" and k < d.bar:
                below.append(self.text(args[at], env.small()))
                continue
            one = self.style.symbol(at) if isinstance(at, str) else self.text(args[at], env)
            parts[k >= d.bar] += f", {one}" if parts[k >= d.bar] else one
        shown = self.style.symbol(d.name, below)
        text = self.style.bar.join(filter(None, parts))
        if text:
            return Piece(shown + self.style.bracket("(", text))
        return Piece(shown, POWER if "^" in d.name or "'" in d.name else ATOM)

    def unchanged(self, t: Term, variable: Term, env: Env) -> bool:
        """Say whether an argument is the variable of a definition, free or bound by its name."""
        if t.op != "b":
            return t is variable
        return env.names[t.data[0]] in (variable.data[0], "" if t.sort == "W" else None)

    def gradient(self, d: Definition, args: tuple[Term, ...], env: Env) -> Piece:
        """Print the gradient of a term before it is evaluated."""
        assert d.along is not None
        original, present = d.along[0], fill(d.along[1], args)
        of = fill(d.written, args)
        moved = not original.args and not self.unchanged(present, original, env)
        shown = self.text(original if moved else present, env.small())
        number = original.sort in ("R", "Z")
        head = self.style.partial(shown) if number else self.style.index(self.style.nabla, shown)
        inner = self.show(of, env)
        if number and inner.text.startswith(f"{head} "):
            twice = self.style.partial(shown, twice=True) + inner.text.removeprefix(head)
            return Piece(twice, PRODUCT, self.style.bracket("(", twice))
        text = f"{head} {self.within(inner, FRACTION)}"
        if moved and not is_name(of):
            # What depends on the point is written at the variable, and then evaluated.
            at = tuple(v if v is original else a for v, a in zip(d.variables, args, strict=True))
            text = f"{head} {self.within(self.show(fill(d.written, at), env), FRACTION)}"
            text = self.style.at(text, f"{shown}={self.text(present, env.small())}")
        return Piece(text, PRODUCT, self.style.bracket("(", text))

    # sums, products and powers

    def _sum(self, t: Term, env: Env) -> Piece:
        found = set_and_element(t)
        if found is not None:
            more = self.style.bracket("{", self.successor(found[1], env))
            return Piece(
                f"{self.within(self.show(found[0], env), SUM)} {self.style.union} {more}", SUM
            )
        out = ""
        for a in flat("+", t):
            minus, fs = signed(factors(a))
            sign = "-" if minus else "+" if out else ""
            out += f" {sign} " if out and not env.script else sign
            out += self.within(self.product(fs, env, a.sort), BIG)
        return Piece(out, SUM)

    def successor(self, k: Term, env: Env) -> str:
        """Print k + 1, or n where k is n − 1."""
        if k.op == "+" and len(k.args) == 2 and value(k.args[1]) == -1:
            return self.text(k.args[0], env)
        return self.text(build("+", (), [k, build("z", (1,))]), env)

    def _product(self, t: Term, env: Env) -> Piece:
        return self.signed_product(factors(t), env, t.sort)

    def signed_product(self, fs: list[Factor], env: Env, sort: str = "R") -> Piece:
        """Print a product with its sign."""
        minus, fs = signed(fs)
        p = self.product(fs, env, sort)
        return self.negative(p) if minus else p

    def product(self, fs: list[Factor], env: Env, sort: str = "R") -> Piece:
        """Print a product without a sign: quotients as fractions, the rest side by side."""
        if sort not in "RZ":
            fs = scaled(fs)
        small = len(fs) > 1
        pieces: list[Piece] = []
        above: list[Factor] = []
        for k, f in enumerate(fs):
            if not is_inverse(f):
                above.append(f)
            if isinstance(f, Fraction) and f.denominator > 1:
                pieces, above = [*pieces, *(self.factor(g, env, small) for g in above)], []
            if not is_inverse(f) or (k + 1 < len(fs) and is_inverse(fs[k + 1])):
                continue
            start = next(j for j in range(k, -1, -1) if j == 0 or not is_inverse(fs[j - 1]))
            below = [g for d in fs[start : k + 1] for g in factors(d.args[0])]  # type: ignore[union-attr]
            last = k + 1 == len(fs) and above and is_big(above[-1])
            after = [above.pop()] if last and not any(map(is_big, below)) else []
            top = self.product(above, env.part()) if above else Piece("1")
            pieces.append(self.fraction(top, self.signed_product(below, env.part()), env))
            pieces += [self.factor(g, env) for g in after]
            above = []
        return self.side_by_side([*pieces, *(self.factor(g, env, small) for g in above)])

    def fraction(self, above: Piece, below: Piece, env: Env, small: bool = False) -> Piece:
        """Print a quotient: on one line in exponents, in another quotient and in plain text."""
        if not (env.inline or self.style.slash):
            return Piece(self.style.fraction(above.text, below.text, small), FRACTION)
        text = f"{self.within(above, PRODUCT)}/{self.within(below, POWER)}"
        return Piece(text, PRODUCT, self.style.bracket("(", text))

    def side_by_side(self, pieces: list[Piece]) -> Piece:
        """Print factors next to each other, with a dot between what would run together."""
        if len(pieces) == 1:
            return pieces[0]
        shown = [self.closed(p) for p in pieces]
        is_open = pieces[-1].level >= BIG and pieces[-2].level != BIG and pieces[-1].closed != ""
        # Of two factors that need brackets on the left, as numbers uᵀv do, both have them.
        alike = all(p.closed.startswith(("(", r"\left(")) for p in pieces[-2:])
        is_open = is_open and not (alike and pieces[-1].level == pieces[-2].level)
        if is_open:
            shown[-1] = pieces[-1].text
        out = shown[0]
        for a, b in pairwise(shown):
            numeral = a.isdigit() or a.startswith(r"\tfrac")
            dot = a == b or b[0].isdigit() or b.startswith(r"\tfrac")
            dot = dot or (numeral and b.startswith(r"\frac"))
            thin = self.style.is_word(a) or self.style.is_word(b)
            out += (
                f" {self.style.times} {b}"
                if dot
                else f" {self.style.thin} {b}"
                if thin
                else f" {b}"
            )
        return Piece(out, PRODUCT, self.style.bracket("(", out) if is_open else "")

    def _power(self, t: Term, env: Env) -> Piece:
        (base,), exponent = t.args, t.data[0]
        root = base.op == "sqrt"
        u = squared(base.args[0] if root else base)
        if u is not None:
            return self.length(u, exponent if root else 2 * exponent, env)
        return self.raised(self.show(base, env), f"{exponent}")

    def raised(self, base: Piece, exponent: str) -> Piece:
        """Print a power."""
        return Piece(self.style.power(self.within(base, ATOM), exponent), POWER)

    def length(self, u: Term, exponent: int, env: Env) -> Piece:
        """Print a power of the length of a vector, or of that of Frobenius of a matrix."""
        text = self.style.bracket("‖", self.text(u, env))
        wide = sizes(u.sort) != () and sizes(u.sort)[1] != "1"
        shown = Piece(self.style.index(text, "F") if wide else text)
        return shown if exponent == 1 else self.raised(shown, f"{exponent}")

    def _exp(self, t: Term, env: Env) -> Piece:
        fs = factors(t.args[0])
        exponent, log = fs if len(fs) == 2 else (fs[0], fs[0])
        if (
            isinstance(log, Term)
            and log.op == "log"
            and isinstance(exponent, Term)
            and len(fs) == 2
        ):
            # A real power is the exponential of a multiple of a logarithm.
            return self.raised(self.show(log.args[0], env), self.text(exponent, env.small()))
        small = self.text(t.args[0], env.small())
        if self.style.slash or visible(small) > SHORT or TALL.search(small):
            return self._call("exp", t, env)
        return self.raised(Piece("e"), small)

    def _call(self, name: str, t: Term, env: Env) -> Piece:
        inside = self.text(t.args[0], env)
        return Piece(self.style.functions[name] + self.style.bracket("(", inside))

    def _extreme(self, t: Term, env: Env) -> Piece:
        inside = self.listed(flat(t.op, t), env)
        return Piece(self.style.functions[t.op] + self.style.bracket("(", inside))

    def _log(self, t: Term, env: Env) -> Piece:
        inner = t.args[0]
        name, inner = ("logdet", inner.args[0]) if inner.op == "det" else ("log", inner)
        p = self.show(inner, env)
        head = self.style.functions[name]
        closed = head + self.style.bracket("(", p.text)
        bare = p.level in (BIG, FRACTION, ATOM) and not p.text.startswith(r"\left")
        return Piece(f"{head} {p.text}", PRODUCT, closed) if bare else Piece(closed)

    def _root(self, t: Term, env: Env) -> Piece:
        u = squared(t.args[0])
        if u is not None:
            return self.length(u, 1, env)
        return Piece(self.style.root(self.text(t.args[0], env)))

    def _abs(self, t: Term, env: Env) -> Piece:
        return Piece(self.style.bracket("|", self.text(t.args[0], env)))

    def _dot(self, t: Term, env: Env) -> Piece:
        u = squared(t)
        if u is not None:
            return self.length(u, 2, env)
        return Piece(self.style.bracket("⟨", self.listed(t.args, env)))

    def _trace(self, t: Term, env: Env) -> Piece:
        """Print a trace: a squared length, or what has one row and one column, as the number."""
        u = squared(t)
        if u is not None:
            return self.length(u, 2, env)
        if sizes(t.args[0].sort) != ("1", "1"):
            return self._call("tr", t, env)
        p = self.show(t.args[0], env)
        return p if p.level >= ATOM else Piece(p.text, p.level, self.style.bracket("(", p.text))

    def _big(self, t: Term, env: Env, power: bool = True) -> Piece:
        low, high, body = t.args
        above = binomial_of(t)
        if above is not None:
            small = env.small()
            return Piece(self.style.binomial(self.text(above, small), self.text(high, small)))
        if power and is_power(t):
            return self.raised(self.show(body, env.bind("")), self.text(high, env.small()))
        inner = env.bind(self.fresh(t, "Z", env))
        while (
            body.op == t.op
            and is_big(body)
            and (low, high) == body.args[:2]
            and not low.loose + high.loose
        ):
            inner = inner.bind(self.fresh(body, "Z", inner))
            body = body.args[2]
        names = sorted(inner.names[: len(inner.names) - len(env.names)])
        index = ",".join(map(self.style.symbol, names))
        n = range_of_subsets(low, high)
        if n is not None:
            head = self.style.index(self.style.big[t.op], index + self.subsets(n, env.small()))
        else:
            head = self.style.index(self.style.big[t.op], f"{index}={self.text(low, env.small())}")
            head = self.style.power(head, self.text(high, env.small()))
        text = f"{head} {self.within(self.show(body, inner), BIG)}"
        return Piece(text, BIG, self.style.bracket("(", text))

    # indicators, expectations and matrices

    def _indicator(self, t: Term, env: Env) -> Piece:
        p = t.args[0]
        if p.op == "=" and p.args[0].sort == "Z":
            indices = [self.text(a, env.small()) for a in p.args]
            comma = "" if all(len(i) == 1 for i in indices) else ","
            return Piece(self.style.index(self.style.delta, comma.join(indices)))
        return Piece(self.style.one + self.style.bracket("[", self.text(p, env)))

    def _expectation(self, t: Term, env: Env) -> Piece:
        body = t.args[0]
        name = self.outcome(body, env)
        event = body.op == "ind"
        sign = self.style.probable if event else self.style.expected
        sign = self.style.index(sign, self.style.symbol(name)) if name else sign
        inside = self.text(body.args[0] if event else body, env.bind(name))
        return Piece(sign + self.style.bracket("[", inside))

    def conditional(self, t: Term, env: Env) -> Piece:
        """Print a mean or probability given an event or a random number."""
        mean, given = t.args
        event = mean.op == "ind"
        sign = self.style.probable if event else self.style.expected
        parts = [p.args[0] if p.op == "ind" else p for p in (mean, given)]
        inside = self.style.bar.join(self.text(p, env) for p in parts)
        return Piece(sign + self.style.bracket("[", inside))

    def _integral(self, t: Term, env: Env) -> Piece:
        name = self.fresh(t, "U", env)
        inside = self.within(self.show(t.args[0], env.bind(name)), BIG)
        point = self.style.symbol(name)
        text = f"{self.style.integral} {inside}{self.style.differential(point)}"
        return Piece(text, BIG, self.style.bracket("(", text))

    def _integrable(self, t: Term, env: Env) -> Piece:
        name = self.fresh(t, "U", env)
        subject = self.within(self.show(t.args[0], env.bind(name)), SUM)
        return Piece(subject + self.style.after("is integrable"), RELATION)

    def outcome(self, body: Term, env: Env) -> str:
        """Return a name for an outcome: none, unless another one is spoken of beside it."""
        others = [env.names[k - 1] for k in body.indices if k > 0]
        if OUTCOME not in [v[:2] for v in body.free] and "" not in others:
            return ""
        return next(n for k in range(1, 99) if (n := "omega" + "'" * k) not in env.names)

    def _over(self, exponent: str, t: Term, env: Env) -> Piece:
        return self.raised(self.show(t.args[0], env), exponent)

    # statements

    def prop(self, x: Formula, env: Env) -> Piece:
        """Print a statement as it was written, or a proposition of the kernel."""
        if isinstance(x, Statement) and x.shown not in SHOWN:
            said = self.said(x, env)
            if said is not None:
                return said
            x = x.folded
        clauses, body, inner = self.clauses(x, env)
        if clauses:
            return self.quantified(clauses, body, inner)
        shown = x.shown if isinstance(x, Statement) else x.op
        sides = self.sides(x)
        if sides:
            return self.linked([sides], env)
        if shown in ("and", "&"):
            return self.conjunction(x.parts if isinstance(x, Statement) else flat("&", x), env)
        if shown in ("or", "|"):
            parts = x.parts if isinstance(x, Statement) else flat("|", x)
            inside = [self.within(self.prop(p, env), AND) for p in parts]
            return Piece(self.style.between("or").join(inside), OR)
        assert isinstance(x, Term)
        return self.implication(x, env) if x.op == "->" else self.show(x, env)

    def said(self, x: Statement, env: Env) -> Piece | None:
        """Print a statement about statements, or a property, as it was written."""
        if x.shown in ("implies", "iff"):
            sign = self.style.signs["⇒" if x.shown == "implies" else "⇔"]
            premise, conclusion = (self.within(self.prop(p, env), OR) for p in x.parts)
            return Piece(f"{premise} {sign} {conclusion}", IMPLIED)
        if x.shown == "not":
            inside = self.within(self.prop(x.parts[0], env), ATOM)
            return Piece(self.style.before("not") + inside, RELATION)
        if x.shown in ("for all", *THERE):
            symbols = ", ".join(self.ranging(s, env) for s in x.parts[0])
            body = self.prop(x.parts[1], env).text
            if x.shown == "for all":
                return Piece(f"{body}{self.style.far}{self.style.before('for all')}{symbols}")
            start = self.style.before(THERE[x.shown]) + symbols
            return Piece(start + self.style.between("with") + body, QUANTIFIED)
        if x.shown in PROPERTIES and all(isinstance(p, Named) for p in x.parts):
            verb = "are" if x.shown == "independent" else "is"
            subject = self.style.between("and").join(map(self.name, x.parts))
            if isinstance(x.parts[0], Family):
                subject = self.style.before("the") + self.style.index(subject, "i")
            return Piece(subject + self.style.after(f"{verb} {x.shown}"), RELATION)
        if x.shown.startswith(("is feasible", "solves", "minimises", "maximises")):
            names = ", ".join(map(self.name, x.parts))
            subject = self.style.bracket("(", names) if len(x.parts) > 1 else names
            return Piece(subject + self.style.after(x.shown), RELATION)
        return None

    def ranging(self, symbol: Expr, env: Env) -> str:
        """Print a symbol that is quantified, with what is declared of it: ``x > 0``."""
        return ", ".join(self.prop(a, env).text for a in symbol.assumes) or self.name(symbol)

    def name(self, symbol: Any) -> str:
        """Print a symbol, family or term."""
        if isinstance(symbol, Expr):
            return self.text(symbol.folded, Env())
        if isinstance(symbol, Lambda):
            members = [self.text(symbol(k).folded, Env()) for k in (1, 2)]
            return ", ".join([*members, self.style.dots])
        return self.style.symbol(symbol.name)

    def sides(self, x: Formula, turn: bool = True) -> Sides | None:
        """Return the two sides of a relation and the sign between them.

        A proposition of the kernel knows ≤ and < alone: it is turned where a number would come
        first, or what is random last.
        """
        if isinstance(x, Statement):
            left, right = x.parts[0], x.parts[-1]
            return (left.folded, x.shown, right.folded) if x.shown in SHOWN[:6] else None
        p = refuted(x)
        t = x if p is None else p
        if t.op not in STORED:
            return None
        (left, right), sign = t.args, STORED[t.op]
        if p is not None:
            return left, NEGATED[sign], right
        number_first = value(left) is not None and value(right) is None
        random_last = is_random(right) and not is_random(left)
        if turn and sign in TURNED and (number_first or random_last):
            return right, TURNED[sign], left
        return left, sign, right

    def linked(self, links: list[Sides], env: Env) -> Piece:
        """Print relations of which each begins where the one before ends."""
        out = self.text(links[0][0], env)
        for _, sign, right in links:
            out += f" {self.style.signs[sign]} {self.text(right, env)}"
        return Piece(out, RELATION)

    def conjunction(self, parts: Sequence[Formula], env: Env) -> Piece:
        """Print what holds together; a ≤ b and b ≤ c become a ≤ b ≤ c, and a range is said once."""
        if len(parts) > len(parts := _gathered(parts)) == 1:
            return self.prop(parts[0], env)
        chains: list[tuple[Formula, list[Sides]]] = []
        for p in parts:
            sides = self.sides(p, turn=False)
            links = chains[-1][1] if chains else []
            if sides and links and links[-1][2] is sides[0] and _one_way([*links, sides]):
                links.append(sides)
            else:
                chains.append((p, [sides] if sides else []))
        out = [
            (self.linked(links, env) if len(links) > 1 else self.prop(p, env))
            for p, links in chains
        ]
        text = self.style.between("and").join(self.within(p, RELATION) for p in out)
        return Piece(text, AND if len(out) > 1 else RELATION)

    def implication(self, t: Term, env: Env) -> Piece:
        """Print premises and what they imply; ¬∀¬ says that there is one."""
        p = refuted(t)
        if p is not None:
            clauses, body, inner = self.clauses(p, env)
            negative = refuted(body) if isinstance(body, Term) else None
            if clauses and negative is not None:
                return self.quantified(clauses, negative, inner, "for some")
            inside = self.within(self.prop(p, env), ATOM)
            return Piece(self.style.before("not") + inside, RELATION)
        premises = []
        while t.op == "->":
            premises.append(t.args[0])
            t = t.args[1]
        premise = self.conjunction([q for p in premises for q in flat("&", p)], env)
        conclusion = self.within(self.prop(t, env), OR)
        return Piece(f"{premise.text} {self.style.signs['⇒']} {conclusion}", IMPLIED)

    def clauses(self, x: Formula, env: Env) -> tuple[list[Clause], Formula, Env]:
        """Return the variables for which a statement holds, what it says, and its surroundings."""
        out: list[Clause] = []
        while True:
            if isinstance(x, Statement):
                if x.shown != "each":
                    return out, x, env
                index, low, high, body = x.parts
                ends = self.over(term_of(low).folded, term_of(high).folded, env)
                out.append(Clause(index.term.data[0], ends, True))
                x = body
                continue
            if x.op != "all":
                return out, x, env
            sort, ranged, start = x.data[0], in_range(x), in_open_range(x)
            name = self.outcome(x.args[0], env) if sort == "W" else self.fresh(x, sort, env)
            inner = env.bind(name)
            over = sort
            if ranged:
                over = self.over(ranged[0], ranged[1], inner)
            elif start:
                over = f" = {start[0]}, {start[0] + 1}, {self.style.dots}"
            out.append(Clause(name, over, bool(ranged or start)))
            env, x = inner, ranged[2] if ranged else start[1] if start else x.args[0]

    def over(self, low: Term, high: Term, env: Env) -> str:
        """Print over what an index runs: numbers, or the subsets of a set."""
        n = range_of_subsets(low, high)
        return f" = {self.span(low, high, env)}" if n is None else self.subsets(n, env)

    def subsets(self, n: Term, env: Env) -> str:
        """Print that something is a subset of {1, …, n}."""
        inside = f"1,{self.style.dots},{self.text(n, env)}"
        return f" {self.style.signs['⊆']} {self.style.bracket('{', inside)}"

    def span(self, low: Term, high: Term, env: Env) -> str:
        """Print the values that an index takes."""
        return f"{self.text(low, env)}, {self.style.dots}, {self.text(high, env)}"

    def quantified(self, clauses: list[Clause], body: Formula, env: Env, how: str = "for") -> Piece:
        """Print a statement and the variables for which it holds."""
        p = refuted(body) if isinstance(body, Term) and not self.sides(body) else None
        exists = p is not None and p.op == "all"  # that not all are not: there is one
        if p is not None and how == "for" and not exists:
            body, how = p, "for no"
        out = self.within(self.prop(body, env), IMPLIED)
        for k, (_, group) in enumerate(groupby(clauses, lambda c: c[1:])):
            variables = list(group)
            name, over, ranged = variables[0]
            every = "" if ranged or how != "for" else "all" if name else "every outcome"
            lead = f"{'and' if k else how} {every}".strip()
            out += self.style.between(lead) if k else self.style.far + self.style.before(lead)
            out += ", ".join(self.style.symbol(c.name) for c in variables if c.name)
            out += over if ranged else self.style.sets.get(over, "")
        return Piece(out.strip(), QUANTIFIED)

    def _falsum(self, t: Term, env: Env) -> Piece:
        return Piece(self.style.words("a contradiction"), RELATION)

    def _derivative(self, t: Term, env: Env) -> Piece:
        body, at, slope = t.args
        name = ""
        if at.op == "v" and not at.args and (*at.data, ()) not in body.free:
            name = at.data[0]
        elif at.op == "b" and at.data[0] + 1 not in body.indices:
            name = env.names[at.data[0]]
        letter = name or self.fresh(t, "R", env)
        shown = self.style.symbol(letter)
        head = self.style.fraction("d", ("d " if shown.startswith("\\") else "d") + shown)
        p = self.show(body, env.bind(letter))
        product = p.level == PRODUCT and body.op in PRODUCTS
        text = f"{head} {self.within(p, FRACTION if product else BIG)}"
        if not name:
            text = self.style.at(text, f"{shown}={self.text(at, env.small())}")
        return Piece(f"{text} = {self.text(slope, env)}", RELATION)


_PRINTED: dict[str, Callable[[Printer, Term, Env], Piece]] = {
    **dict.fromkeys(("q", "z"), Printer._numeral),
    **dict.fromkeys(("v", "b"), Printer._variable),
    **dict.fromkeys(("*", "sc", "mm", "inv"), Printer._product),
    **dict.fromkeys(("sum", "prod"), Printer._big),
    **dict.fromkeys(("max", "min"), Printer._extreme),
    **dict.fromkeys(("=", "<=", "<", "->", "&", "|", "all"), Printer.prop),
    "dim": Printer._size,
    "of": lambda printer, t, env: printer.show(t.args[0], env),
    "+": Printer._sum,
    "pow": Printer._power,
    "exp": Printer._exp,
    "log": Printer._log,
    "sqrt": Printer._root,
    "abs": Printer._abs,
    "dot": Printer._dot,
    "ind": Printer._indicator,
    "E": Printer._expectation,
    "int": Printer._integral,
    "integrable": Printer._integrable,
    "F": Printer._falsum,
    "deriv": Printer._derivative,
    "I": lambda printer, t, env: Piece("I"),
    "unit": lambda printer, t, env: printer._variable(build("v", ("e", "R"), t.args), env),
    "zero": lambda printer, t, env: Piece("0"),
    "T": lambda printer, t, env: printer._over(printer.style.transposed, t, env),
    "minv": lambda printer, t, env: printer._over("-1", t, env),
    "tr": Printer._trace,
    "det": lambda printer, t, env: printer._call("det", t, env),
}
