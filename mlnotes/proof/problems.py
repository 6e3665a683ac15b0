"""Optimisation problems: what is minimised or maximised, over what, subject to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import IllTyped
from .language import (
    And,
    Expr,
    Family,
    Le,
    Statement,
    Sum,
    identifier,
    statement,
    term_of,
    variable_of,
)
from .logic import Implies, for_all, primed
from .named_rules import substitute

if TYPE_CHECKING:
    from .notation import Tex

Variables = Expr | Family


class Problem:
    """A problem, which a page shows as min … subject to …; :func:`minimise` makes one.

    As a hypothesis of a theorem or setting it stands for its constraints: the variables are
    feasible.
    """

    def __init__(
        self,
        sense: str,
        objective: Any,
        over: Sequence[Variables],
        subject_to: Mapping[str, Any] | Sequence[Any],
        name: str,
    ) -> None:
        self.sense, self.objective, self.name = sense, term_of(objective), name
        if self.objective.sort != "R":
            raise IllTyped(f"{self.objective!r} is not a number: only numbers are {sense}imised")
        self.over = tuple(over) if isinstance(over, (tuple, list)) else (over,)
        pairs = subject_to.items() if isinstance(subject_to, Mapping) else enumerate(subject_to, 1)
        self.constraints = {str(label): statement(s) for label, s in pairs}
        free = {v[0] for s in self._parts() for v in s.term.free}
        for x in self.over:
            if _letter(x) not in free:
                raise IllTyped(f"nothing in the problem depends on {x!r}")

    def _parts(self) -> list[Expr | Statement]:
        """Return the objective and the constraints."""
        return [self.objective, *self.constraints.values()]

    def _at(self, part: Any, values: Mapping[str, Any]) -> Any:
        """Return the objective or a constraint at values of the variables, by their names."""
        names = {identifier(_letter(x)): x for x in self.over}
        unknown = sorted(values.keys() - names.keys())
        if unknown:
            raise IllTyped(f"the problem is over {', '.join(names)}, not over {unknown[0]}")
        return substitute(part, {names[k]: v for k, v in values.items()}) if values else part

    def _declared(self, values: Mapping[str, Any]) -> list[Statement]:
        """Return what is declared of the variables, at their values."""
        at = [(x, values.get(identifier(_letter(x)))) for x in self.over if isinstance(x, Expr)]
        return [
            substitute(Statement(a, (), "", ()), {x: value})
            for x, value in at
            if value is not None
            for a in x.assumes
        ]

    def value(self, **values: Any) -> Expr:
        """Return the objective at values of the variables."""
        out: Expr = self._at(self.objective, values)
        return out

    def feasible(self, **values: Any) -> Statement:
        """State that values of the variables satisfy all constraints."""
        if not self.constraints:
            raise IllTyped("the problem has no constraints: everything is feasible")
        found = [*self._declared(values), *(self._at(s, values) for s in self.constraints.values())]
        both = And(*found)
        shown = self._shown(values)
        return Statement(both.folded, both.assumes, f"is feasible{self._called('for')}", shown)

    def optimal(self, **values: Any) -> Statement:
        """State that values are feasible and that no feasible ones are better.

        What is declared of a variable is a constraint too.
        Every variable has to be a number, integer, vector or matrix: statements cannot run through
        all families.
        """
        taken = [*self._parts(), *(v for v in values.values() if isinstance(v, Expr))]
        others: list[Expr] = []
        for x in self.over:
            others.append(_primed(x, [*taken, *others]))
        others_at = {identifier(_letter(x)): o for x, o in zip(self.over, others, strict=True)}
        pair = [self.value(**values), self.value(**others_at)]
        better = Le(*(pair if self.sense == "min" else pair[::-1]))
        feasible = [self.feasible(**values), self.feasible(**others_at)] if self.constraints else []
        says = Implies(feasible[1], better) if feasible else better
        found = And(*(feasible[:1] or self._declared(values)), for_all(others, says))
        verb = f"solves{self._called('')}" if self.name else f"{self.sense}imises the objective"
        return Statement(found.folded, found.assumes, verb, self._shown(values))

    def _called(self, word: str) -> str:
        return f" {word} {self.name}".replace("  ", " ") if self.name else ""

    def _shown(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        found = [values.get(identifier(_letter(x)), x) for x in self.over]
        return tuple(v if isinstance(v, Family) else term_of(v) for v in found)

    def lagrangian(self, **multipliers: Any) -> Expr:
        """Return the Lagrangian, with a multiplier for each constraint by the constraint's name."""
        if multipliers.keys() != self.constraints.keys():
            names = ", ".join(self.constraints)
            raise IllTyped(f"one multiplier for each of the constraints: {names}")
        if self.sense == "max":
            raise IllTyped("write the problem as one of minimising")
        out = self.objective
        for k, c in self.constraints.items():
            positive = _times(c, multipliers[k])
            # λ (0 − g) reads as −λ g.
            same = positive is None
            out = lagrangian(out, [c], [multipliers[k]]) if same else out - positive
        return out

    def dual(
        self,
        objective: Any,
        over: Any,
        subject_to: Mapping[str, Any] | Sequence[Any] = (),
        name: str = "",
    ) -> Problem:
        """Return a problem in the other sense; that it bounds this one is for a theorem to say."""
        sense = {"min": "max", "max": "min"}[self.sense]
        return Problem(sense, objective, over, subject_to, name)

    def printed(self, style: Tex) -> str:
        """Return the problem as LaTeX or as text, one line for each constraint."""
        from .rendering import plain, tex

        show = plain if style.slash else tex
        names = [style.symbol(_letter(x)) for x in self.over]
        head = style.index(style.functions[self.sense], ", ".join(names))
        declared = [show(a) for x in self.over if isinstance(x, Expr) for a in x.assumes]
        constraints = [*map(show, self.constraints.values()), *declared]
        if style.slash:
            said = f" subject to {'; '.join(constraints)}" if constraints else ""
            return f"{head} {show(self.objective)}{said}"
        rows = [rf"{head} \quad & {show(self.objective)}"]
        rows += [rf"\text{{subject to}} \quad & {constraints[0]}"] if constraints else []
        rows += [rf"& {c}" for c in constraints[1:]]
        body = " \\\\\n".join(rows)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def __repr__(self) -> str:
        from .notation import Plain

        return self.printed(Plain())


def minimise(objective: Any, over: Any, subject_to: Any = (), name: str = "") -> Problem:
    """Return the problem of making a number as small as possible.

    Parameters
    ----------
    objective : expression
        What is minimised.
    over : symbol, family or sequence of these
        The variables.
    subject_to : mapping of names to statements, or sequence of statements
        The constraints.
    name : str
        What the page calls it, as in "w solves *the soft-margin problem*".

    Examples
    --------
    >>> from mlnotes.proof import Ge, dot, minimise, norm2, vectors
    >>> w, x = vectors("w x")
    >>> minimise(norm2(w), over=w, subject_to={"margin": Ge(dot(w, x), 1)})
    min_w ‖w‖² subject to ⟨w, x⟩ ≥ 1
    """
    return Problem("min", objective, over, subject_to, name)


def maximise(objective: Any, over: Any, subject_to: Any = (), name: str = "") -> Problem:
    """Return the problem of making a number as large as possible; see :func:`minimise`."""
    return Problem("max", objective, over, subject_to, name)


def _times(c: Statement, multiplier: Any) -> Expr | None:
    """Return λ g, or the sum of these, for a constraint g ≥ 0."""
    if c.shown == "each" and isinstance(multiplier, Family):
        index, low, high, body = c.parts
        inner = _times(body, multiplier[index])
        return None if inner is None else Sum(inner, (index, low, high))
    if c.shown == "≥" and term_of(c.parts[1]) == term_of(0):
        return term_of(multiplier) * term_of(c.parts[0])
    return None


def _letter(x: Variables) -> str:
    """Return the letter of a variable or a family."""
    return x.name if isinstance(x, Family) else str(variable_of(x)[0])


def _primed(x: Variables, taken: Sequence[Expr | Statement]) -> Expr:
    """Return another value of a variable, with what is declared of it and a name not yet taken."""
    if not isinstance(x, Expr):
        raise IllTyped(
            f"{x!r} is a family, and no statement can run through all families: eliminate it, or "
            "state that the values are no worse than those of an arbitrary feasible one"
        )
    other = primed(x, *taken)
    signs = [substitute(Statement(a, (), "", ()), {x: Expr(other)}).term for a in x.assumes]
    return Expr(other, signs)


def lagrangian(objective: Any, constraints: Sequence[Any], multipliers: Sequence[Any]) -> Expr:
    """Return the Lagrangian of minimising an objective under constraints.

    An equation ``g = h`` and ``g ≤ h`` add ``λ (g − h)``, ``g ≥ h`` adds ``λ (h − g)``. A
    constraint for all indices takes a family as its multiplier and adds a sum.
    """
    if len(constraints) != len(multipliers):
        raise IllTyped("one multiplier for each constraint")
    total = term_of(objective)
    for c, m in zip(constraints, multipliers, strict=True):
        total = total + _penalty(statement(c), m)
    return total


def _penalty(c: Statement, multiplier: Any) -> Expr:
    """Return λ(l − r) for the constraint l ≤ r or l = r; summed where it is for all indices."""
    if c.shown == "each":
        index, low, high, body = c.parts
        if not isinstance(multiplier, Family) or multiplier.sort != "R":
            raise IllTyped("a constraint for all indices needs a family of numbers as multiplier")
        return Sum(_penalty(body, multiplier[index]), (index, low, high))
    if c.shown not in ("=", "≤", "≥"):
        raise IllTyped(f"{c!r} is not an equation or a weak inequality")
    left, right = c.parts if c.shown != "≥" else c.parts[::-1]
    return term_of(multiplier) * (term_of(left) - term_of(right))
