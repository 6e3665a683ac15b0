"""Named quantities: a page shows their names, the kernel checks what the names stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mlnotes.trusted.terms import Term, Variable, fill, instantiate

from . import proofs as pf
from .derivatives import FOUND, is_found
from .errors import IllTyped
from .language import (
    DEFINED,
    FOLD,
    Definition,
    Expr,
    Family,
    Function,
    Statement,
    Written,
    carried,
    define,
    identifier,
    relate,
    replaced,
    shown_in_sort,
    term_of,
    variable,
    variable_of,
)

Parameter = Expr | Family | Function


class Quantity:
    """A name for a term in parameters: ``Q(theta)``, or ``m[i]`` where they are indices.

    For a parameter that is a family put another family; the page shows which.
    """

    def __init__(
        self, name: str, parameters: Sequence[Parameter], value: Expr, given: Sequence[Parameter]
    ) -> None:
        self.name, self.value = name, value
        self.parameters = (*parameters, *given)
        self.bar = len(parameters) if given else 99
        free = {v[0] for v in value.term.free}
        for p in self.parameters:
            if _letter(p) not in free:
                raise IllTyped(f"{name} does not depend on {p!r}")

    def __call__(self, *values: Any, **named: Any) -> Expr:
        """Return the quantity for values of its parameters, or of those that are named."""
        if values and len(values) != len(self.parameters):
            raise IllTyped(f"{self.name} takes {len(self.parameters)} values")
        by_name = {identifier(_letter(p)): p for p in self.parameters}
        if not named.keys() <= by_name.keys():
            raise IllTyped(f"{self.name} has the parameters {', '.join(by_name)}")
        chosen = dict(zip(by_name, values or self.parameters, strict=True)) | named
        arguments: dict[Variable, Term] = {}
        families: dict[Variable, Any] = {}
        shown: list[Variable | str] = []
        for key, p in by_name.items():
            value = chosen[key]
            if isinstance(p, Expr):
                shown.append(variable_of(p))
                arguments[variable_of(p)] = shown_in_sort(p.sort, term_of(value))
            elif isinstance(value, type(p)):
                shown.append(_letter(value))
                families |= {v: value for v in self.value.term.free if v[0] == _letter(p)}
            else:
                raise IllTyped(f"{p!r} is a {type(p).__name__.lower()}: put another one for it")
        carried = self._carried(arguments, families, list(chosen.values()))
        return Expr(instantiate(self._name(families, shown), arguments), carried)

    def __getitem__(self, at: Any) -> Expr:
        return self(*(at if isinstance(at, tuple) else (at,)))

    def _name(self, families: dict[Variable, Any], shown: list[Variable | str]) -> Term:
        """Return the name with its own parameters as arguments."""
        bodies = _bodies(families)
        value = Expr(replaced(self.value, bodies))
        free = sorted({v for v in value.term.free | value.folded.free if not v[2]})
        variables = tuple(variable(*v[:2]) for v in free)
        body, written = (pf.abstracted(t, variables) for t in (value.term, value.folded))
        printed = tuple(s if isinstance(s, str) else free.index(s) for s in shown)
        definition = Definition(
            self.name, variables, body, written, printed, self.bar, origin=self.value.folded
        )
        return define(value.sort, definition)

    def _carried(
        self, arguments: dict[Variable, Term], families: dict[Variable, Any], values: list[Any]
    ) -> list[Term]:
        """Return the hypotheses that the symbols of the term abbreviate, at these values."""
        bodies = {v: t for v, t in arguments.items() if t is not variable(*v[:2])}
        bodies |= _bodies({v: f for v, f in families.items() if f.name != v[0]})
        out = []
        for a in self.value.assumes:
            if a.free.isdisjoint(bodies):
                out.append(a)
            elif is_found(a):
                fact = pf.substitute(FOUND[a], list(bodies.items()))
                FOUND[fact.conclusion] = fact
                out.append(fact.conclusion)
        for f in families.values():
            out += f.hypotheses() if isinstance(f, Function) else ()
        for v, f in families.items():
            if isinstance(f, Family):
                out += f[(0,) * (len(v[2]) - f.random)].assumes
        return [*out, *carried(*(v for v in values if isinstance(v, Expr)))]

    def __repr__(self) -> str:
        return self.name


def quantity(name: str, *parameters: Any, is_: Any, given: Sequence[Any] = ()) -> Any:
    """Give a name to a term: pages show the name, and what it stands for is checked.

    Parameters
    ----------
    name : str
        The name.
    *parameters : symbols or families
        What the page shows it to depend on; with none, the name itself is returned.
    is_ : expression
        The term.
    given : sequence of symbols or families
        Parameters that stand behind a bar, as in Q(θ | φ).

    Examples
    --------
    >>> from mlnotes.proof import dot, indices, quantity, real_family, vector_family, vectors
    >>> i, theta = indices("i"), vectors("theta")
    >>> x, y = vector_family("x"), real_family("y")
    >>> margin = quantity("m", i, is_=y[i] * dot(theta, x[i]))
    >>> 1 - margin[i]
    1 - m_i
    """
    found = Quantity(str(name), parameters, term_of(is_), given)
    return found if found.parameters else found()


def definitions(written: Sequence[Written | Term]) -> list[tuple[str, Statement]]:
    """Return names in what was written and their definitions, each after those that it uses.

    A name that stands for two terms, or is also that of a symbol, is refused. Of several families
    that are put for a parameter its own is shown, if it is there.
    """
    out: dict[Variable, Statement] = {}

    def visit(t: Term) -> None:
        for v in sorted(t.free):
            d = DEFINED.get(v)
            if d is None or v in out:
                continue
            body = fill(d.written, d.variables)
            visit(body)
            if d.form == "name":
                out[v] = relate("=", Expr(variable(v[0], v[1], d.variables)), Expr(body))

    for w in written:
        visit(w if isinstance(w, Term) else w.folded)
    found: dict[str, Statement] = {}
    for v, s in out.items():
        name, d = v[0].partition(FOLD)[0], DEFINED[v]
        if name not in found or fill(d.written, d.variables) == d.origin:
            found[name] = s
    free = {v[0] for w in written for v in (w if isinstance(w, Term) else w.folded).free}
    for v in out:
        name = v[0].partition(FOLD)[0]
        same = [DEFINED[o].origin for o in out if o[0].partition(FOLD)[0] == name]
        if len(set(same)) > 1 or name in free:
            raise IllTyped(f"{name} has two meanings here: give one of them another name")
    if found:
        _check_printed(w if isinstance(w, Term) else w.folded for w in written)
    return list(found.items())


def _check_printed(terms: Iterable[Term]) -> None:
    """Refuse a quantity, such as m_1, beside something else that is printed as it is."""
    from .rendering import tex
    from .search import subterms

    seen: dict[str, Term] = {}
    for t in dict.fromkeys(s for written in terms for s in subterms(written)):
        if t.op != "v" or t.loose or t.sort == "P":
            continue
        other = seen.setdefault(tex(t), t)
        if other is not t and not DEFINED.keys().isdisjoint(map(_variable, (t, other))):
            raise IllTyped(f"a quantity and something else are printed as {tex(t)}: rename one")


def _variable(t: Term) -> Variable:
    return str(t.data[0]), t.sort, tuple(a.sort for a in t.args)


def _bodies(families: dict[Variable, Any]) -> dict[Variable, Term]:
    """Return what to put for families: the members of others."""
    out = {}
    for v, f in families.items():
        generic = [pf.fresh(s) for s in v[2]]
        out[v] = pf.abstracted(variable(f.name, v[1], generic), generic)
    return out


def _letter(p: Parameter) -> str:
    """Return the letter of a parameter."""
    return str(variable_of(p)[0]) if isinstance(p, Expr) else p.name
