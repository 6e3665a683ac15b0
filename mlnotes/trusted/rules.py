"""The rules: from theorems to theorems.

A theorem is (hypotheses, conclusion): in every model, for all values of the free variables, if the
hypotheses hold then so does the conclusion. Each rule says in its first line why it keeps this.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .normal import Polynomial, normal, plus, polynomial, times, true
from .terms import Term, Variable, close, fill, instantiate, is_sort, make, need, resize, sizes

Theorem = tuple[frozenset[Term], Term]
RELATIONS = ("=", "<=", "<")


def proposition(t: Term) -> Term:
    """Return a closed proposition, or refuse."""
    need(t.sort == "P" and t.loose == 0, "this is not a closed proposition")
    return t


def assume(p: Term) -> Theorem:
    """P holds if p holds."""
    return frozenset([proposition(p)]), p


def discharge(p: Term, theorem: Theorem) -> Theorem:
    """Turn a hypothesis into a premise: what holds if p does is implied by p."""
    return theorem[0] - {proposition(p)}, make("->", (), [p, theorem[1]])


def modus_ponens(implication: Theorem, premise: Theorem) -> Theorem:
    """From p → q and p follows q."""
    p = implication[1]
    need(p.op == "->" and p.args[0] is premise[1], "modus ponens: the premise does not fit")
    return implication[0] | premise[0], p.args[1]


def generalise(x: Term, theorem: Theorem) -> Theorem:
    """Conclude for all x what holds for every value of x and assumes nothing about x."""
    need(x.op == "v" and not x.args, "generalise: not a variable")
    variable = (x.data[0], x.data[1], ())
    need(not any(variable in h.free for h in theorem[0]), "generalise: a hypothesis mentions it")
    return theorem[0], make("all", (x.sort,), [close(theorem[1], x)])


def specialise(theorem: Theorem, value: Term) -> Theorem:
    """Conclude for one value what holds for all."""
    p = theorem[1]
    need(p.op == "all" and value.sort == p.data[0] and value.loose == 0, "specialise: wrong sort")
    return theorem[0], fill(p.args[0], (value,))


def substitute(theorem: Theorem, bodies: Sequence[tuple[Variable, Term]]) -> Theorem:
    """Free variables stand for anything: for numbers, families, functions and predicates alike."""
    given: dict[Variable, Term] = {}
    for variable, body in bodies:
        _, sort, arguments = variable
        need(all(map(is_sort, (sort, *arguments))), "substitute: no such sort")
        need(body.sort == sort and body.loose <= len(arguments), "substitute: wrong sort")
        need(variable not in given, "substitute: the same variable twice")
        given[variable] = body
    hypotheses, conclusion = theorem
    return frozenset(instantiate(h, given) for h in hypotheses), instantiate(conclusion, given)


def rename_sizes(theorem: Theorem, pairs: Sequence[tuple[str, str]]) -> Theorem:
    """Conclude for these sizes what holds for matrices of all sizes; a numeral is one size only."""
    names = dict(pairs)
    need(len(names) == len(pairs), "sizes: the same name twice")
    need(all(n and ":" not in n for n in names.values()), "sizes: not a name")
    return frozenset(resize(h, names) for h in theorem[0]), resize(theorem[1], names)


def convert(theorem: Theorem, p: Term) -> Theorem:
    """Propositions with the same normal form hold together."""
    need(normal(proposition(p)) is normal(theorem[1]), "convert: the normal forms differ")
    return theorem[0], p


def ring(p: Term) -> Theorem:
    """Decide a relation between terms whose difference is a number by that number."""
    need(proposition(p).op in RELATIONS and normal(p) is true(), "ring: the sides differ")
    return frozenset(), p


def difference(fact: Term, sort: str) -> Polynomial:
    """Return the right side of a relation minus the left one; integers may be read as reals."""
    need(fact.op in RELATIONS and fact.args[0].sort in ("Z", sort), "not a relation of this sort")
    left, right = fact.args
    if left.sort != sort:
        left, right = make("of", (), [left]), make("of", (), [right])
    return plus(polynomial(right), polynomial(left), Fraction(-1))


Part = tuple[Term, Sequence[Theorem], Sequence[Term]]


def positivstellensatz(goal: Term, parts: Sequence[Part]) -> Theorem:
    """Write the difference of the goal as a sum of products whose signs the facts show.

    A part is a multiplier, facts and terms to be squared; it stands for the product of the
    multiplier, the differences (right minus left) of the facts and the squares. With an equation
    among its facts a part is zero, whatever its multiplier. Otherwise it is nonnegative if the
    multiplier is a number ≥ 0, and positive if that number is > 0, all facts are strict and nothing
    is squared. The goal ⊥ stands for 0 < 0.
    """
    proposition(goal)
    zero = make("q", (0, 1))
    aim = make("<", (), [zero, zero]) if goal.op == "F" else goal
    need(aim.op in RELATIONS and aim.args[0].sort in ("R", "Z"), "psatz: not about numbers")
    sort = aim.args[0].sort
    rest, hypotheses, strict = difference(aim, sort), frozenset[Term](), False
    for multiplier, facts, squares in parts:
        terms = (multiplier, *squares)
        need(all(t.sort == sort and t.loose == 0 for t in terms), "psatz: a factor of another sort")
        product = polynomial(multiplier)
        if not any(f[1].op == "=" for f in facts):
            need(aim.op != "=", "psatz: an equation follows from equations only")
            value = product.get((), Fraction(0))
            need(set(product) <= {()} and value >= 0, "psatz: a multiplier is a number ≥ 0")
            strict |= value > 0 and not squares and all(f[1].op == "<" for f in facts)
        for f in facts:
            product = times(product, difference(f[1], sort))
            hypotheses |= f[0]
        for t in squares:
            product = times(times(product, polynomial(t)), polynomial(t))
        rest = plus(rest, product, Fraction(-1))
    need(not rest, "psatz: the parts do not add up to the goal")
    need(aim.op != "<" or strict, "psatz: no part is strictly positive")
    return hypotheses, goal


def linear(goal: Term, parts: Sequence[tuple[Term, Theorem, Term | None]]) -> Theorem:
    """Write an equation of vectors or matrices as a sum of multiples of equations.

    A part is (number, equation, nothing) for vectors and (matrix, equation, matrix) for matrices,
    which are multiplied from the left and from the right.
    """
    need(proposition(goal).op == "=", "linear: the goal is an equation")
    sort, hypotheses = goal.args[0].sort, frozenset[Term]()
    need(sort == "V" or sizes(sort) != (), "linear: vectors and matrices only")
    plus_one, minus_one = make("q", (1, 1)), make("q", (-1, 1))
    terms = [goal.args[1], make("sc", (), [minus_one, goal.args[0]])]
    for left, (given, fact), right in parts:
        need(fact.op == "=", "linear: the facts are equations")
        for sign, side in ((minus_one, fact.args[1]), (plus_one, fact.args[0])):
            if right is None:
                side = make("sc", (), [left, side])
            else:
                side = make("mm", (), [left, side, right])
            terms.append(make("sc", (), [sign, side]))
        hypotheses |= given
    total = make("+", (), terms)
    need(total.loose == 0, "linear: a factor is not closed")
    need(normal(total) is make("zero", (sort,)), "linear: the parts do not add up to the goal")
    return hypotheses, goal
