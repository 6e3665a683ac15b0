"""Relations of numbers: the methods that are tried, one after another, and arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mlnotes.trusted.normal import build, normal, plus, polynomial, times
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, fill, shift

from .. import proofs as pf
from ..arithmetic import combine, contradiction, is_relation, quotient
from ..geometry import vector_inequality
from ..merging import merged, perfect_square
from ..proofs import (
    Proof,
    assume,
    axiom,
    by_order,
    each_intro,
    eq,
    generalise,
    le,
    lemma,
    mp,
    negation,
    psatz,
)
from ..reduction import by_words
from ..words import form_facts, spans_of
from .averages import average_facts
from .denominators import cleared, with_cleared_facts
from .functions import (
    by_jensen,
    compare_exponentials,
    compare_logarithms,
    exponentiated,
    powers_of_exponentials,
)
from .integrals import by_integrals, compared
from .rewriting import rewritten
from .terms import atoms_of, function, gives_vector_sum, square_root, subterms

if TYPE_CHECKING:
    from .context import Context


def prove_relation(context: Context, goal: Term) -> Proof | None:
    """Prove a relation of numbers, or a contradiction."""
    atoms = list(atoms_of(goal))
    if context.depth == 0:
        spans = spans_of(goal)
        if spans != context.spans:
            context.spans = spans
            context.descriptions = {}
    base = [f for f in context.facts if is_relation(f.conclusion)]
    found = _arithmetic(context, goal, base)
    if found is None and any(gives_vector_sum(f.conclusion) for f in context.facts):
        changed = None if context.substituting else context.substituted(goal)
        found = combine(changed[0], base) if changed is not None else None
        found = changed[1](found) if changed is not None and found is not None else None
    if found is None:
        found = by_words(context, goal)
    if found is None and goal.op in ("<=", "<") and goal.args[0].sort == "R":
        kind = "positive" if goal.op == "<" else "nonnegative"
        found = context.structural_sign(kind, goal, difference(goal, "R"))
    if found is not None:
        return found
    if context.focus:
        found = _scaled(context, goal, context.focus)
        if found is not None:
            return found
        signs = [*context.written_facts(goal), *context.facts_about(atoms, context.focus)]
        signs += powers_of_exponentials(atoms, context.focus)
        found = _arithmetic(context, goal, [*context.focus, *signs], products=True)
        if found is not None:
            return found
    written = context.written_facts(goal)
    if written:
        found = _arithmetic(context, goal, [*base, *written])
        if found is not None:
            return found
    more = [*base, *context.instances_for(goal)]
    more += _projected(context, goal)
    signs = [*written, *context.facts_about(atoms, more)]
    signs += powers_of_exponentials(atoms, base)
    late = context.late_instances(goal, signs)
    if late:
        more += late
        signs += context.facts_about((), late)
    found = _arithmetic(context, goal, [*more, *signs], products=True)
    if found is not None:
        return found
    found = perfect_square(goal)
    if found is not None:
        return found
    averages = [*average_facts(context, goal), *form_facts(context, goal)]
    if averages:
        lately = context.facts_about((), averages)
        values = [f for f in lately if f.conclusion.op == "="]
        for fact in averages:
            # With one of them at a time there is little to search.
            found = found or combine(goal, [*base, fact, *values], squares=False)
        found = found or combine(goal, [*more, *signs, *averages, *lately])
        if found is None and not context.clearing:
            found = combine(goal, [*base, *averages], products=2)
        if found is not None:
            return found
    methods = (
        compare_exponentials,
        compare_logarithms,
        by_jensen,
        _termwise,
        by_integrals,
        merged,
        _matched,
        _factored,
        cleared,
        _followed,
        with_cleared_facts,
        vector_inequality,
        _by_squares,
        rewritten,
        exponentiated,
        _by_splitting,
    )
    for method in methods:
        found = method(context, goal)
        if found is not None:
            return found
    if len(more) + len(signs) <= 9 and goal.op not in ("=", "F"):
        return combine(goal, [*more, *signs], products=3)
    return None


def _scaled(context: Context, goal: Term, facts: Sequence[Proof]) -> Proof | None:
    """Prove a goal that is a fact times one positive term, such as an exponential."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return None
    p = difference(goal, "R")
    for fact in facts:
        q = difference(fact.conclusion, "R")
        if not q or len(p) != len(q) or fact.conclusion.op == "=":
            continue
        t, c = next(iter(q.items()))
        for s, d in p.items():
            m = quotient(s, t)
            if m is None or d / c <= 0 or times({m: d / c}, q) != p:
                continue
            sign = context.sign("positive", build({m: Fraction(1)}))
            if sign is not None and (goal.op == "<=" or fact.conclusion.op == "<"):
                return psatz(goal, (d / c, [fact, sign]))
    return None


def _projected(context: Context, goal: Term) -> list[Proof]:
    """Return the inner products of equations between vectors with the vectors of a goal."""
    equations = [
        f for f in context.facts if f.conclusion.op == "=" and f.conclusion.args[0].sort == "V"
    ]
    equations = [f for f in equations if all(t.op != "v" for t in f.conclusion.args)]
    if not equations:
        return []
    vectors = [t for t in subterms(goal) if t.sort == "V" and t.op == "v"][:6]

    def with_vector(w: Term) -> Callable[[Term], Term]:
        return lambda z: pf.build("dot", (), [z, w])

    return [pf.congruence(f, with_vector(w)) for f in equations for w in vectors]


def _matched(context: Context, goal: Term) -> Proof | None:
    """Prove that atoms of the two sides are equal because their arguments are."""
    if goal.op == "F" or goal.args[0].sort != "R" or context.matching:
        return None
    sides = [{a for m in polynomial(t) for a, _ in m} for t in goal.args]
    left = sorted(sides[0] - sides[1], key=lambda a: a.key)
    right = sorted(sides[1] - sides[0], key=lambda a: a.key)
    inner = context.extended()
    inner.matching, inner.splits, inner.squaring = True, 3, True
    equations = []
    for a in left:
        for b in right:
            found = _equal_atoms(context, inner, a, b)
            if found is not None:
                equations.append(found)
                break
    if not equations:
        return None
    facts = [f for f in context.facts if is_relation(f.conclusion)]
    return combine(goal, [*equations, *facts]) or inner.extended(*equations).attempt(goal)


def _equal_atoms(context: Context, inner: Context, a: Term, b: Term) -> Proof | None:
    """Prove two atoms of one kind equal from equal arguments."""
    if a.op != b.op or a.data != b.data or len(a.args) != len(b.args):
        return None
    if a.op in ("sum", "prod", "E", "int"):
        return inner.compare(eq(a, b))
    if a.op not in ("exp", "log", "sqrt", "inv", "abs", "v", "dot") or not a.args:
        return None
    proof: Proof | None = None
    current = a
    for k, (s, t) in enumerate(zip(a.args, b.args, strict=True)):
        if normal(s) is normal(t):
            continue
        same = inner.attempt(eq(s, t))
        if same is None:
            return None

        def put(z: Term, k: int = k, at: Term = current) -> Term:
            args = [*at.args[:k], z, *at.args[k + 1 :]]
            return pf.build(at.op, at.data, args)

        step = pf.congruence(same, put)
        proof = step if proof is None else pf.transitive(proof, step)
        current = put(t)
    return proof


def _followed(context: Context, goal: Term) -> Proof | None:
    """Prove a ≤ c by a known a ≤ b, in which what else is bounded is replaced by its bound."""
    if goal.op != "<=" or goal.args[0].sort != "R" or context.unrolled is None:
        return None
    start = normal(goal.args[0])
    if start.op != "v":
        return None
    facts = [*context.facts, *context.instances_for(goal)]
    bounds: dict[Term, Proof] = {}
    for f in facts:
        p = f.conclusion
        if p.op == "<=" and p.args[0].sort == "R" and normal(p.args[0]).op == "v":
            bounds.setdefault(normal(p.args[0]), f)
    first = bounds.get(start)
    if first is None:
        return None
    rest = polynomial(first.conclusion.args[1])
    parts: list[tuple[Any, list[Proof]]] = [(1, [first])]
    for v, f in bounds.items():
        factor = {tuple(x for x in m if x[0] is not v): c for m, c in rest.items() if (v, 1) in m}
        if v is start or not factor:
            continue
        sign = context.sign("nonnegative", build(factor))
        if sign is not None:
            rest = plus(rest, times(factor, difference(f.conclusion, "R")))
            parts.append((1, [sign, f]))
    if len(parts) < 2:
        return None
    above = context.extended()
    above.unrolled = None
    last = above.attempt(le(build(rest), goal.args[1]))
    if last is None:
        return None
    return psatz(goal, *parts, (1, [last]))


def _factored(context: Context, goal: Term) -> Proof | None:
    """Divide a goal by a nonnegative factor that all its terms have."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return None
    p = difference(goal, "R")
    shared: dict[Term, int] = {}
    for k, m in enumerate(p):
        powers = dict(m)
        shared = powers if k == 0 else {a: min(n, powers.get(a, 0)) for a, n in shared.items()}
    shared = {a: n for a, n in shared.items() if n and a.op != "exp"}
    if not shared or len(p) < 2:
        return None
    rest = {
        tuple((a, n - shared.get(a, 0)) for a, n in m if n > shared.get(a, 0)): c
        for m, c in p.items()
    }
    factor = build({tuple(sorted(shared.items(), key=lambda f: f[0].key)): Fraction(1)})
    kind = "positive" if goal.op == "<" else "nonnegative"
    sign = context.sign(kind, factor)
    if sign is None:
        return None
    inner = context.attempt(pf.relation(goal.op, pf.number(0), build(rest)))
    if inner is None:
        return None
    try:
        return psatz(goal, (1, [sign, inner]))
    except Refused:
        return None


def _by_squares(context: Context, goal: Term) -> Proof | None:
    """Compare squares, where roots or absolute values occur; or roots, where squares do."""
    if goal.op == "F" or goal.args[0].sort != "R" or context.squaring:
        return None
    a, b = goal.args
    roots = [
        t.args[0] if t.op == "pow" and t.data == (2,) else square_root(polynomial(t))
        for t in (a, b)
    ]
    inner = context.extended()
    inner.squaring = True
    small, large = roots
    if goal.op != "=" and small is not None and large is not None:
        below = inner.attempt(pf.relation(goal.op, small, large))
        sign = context.sign("nonnegative", small) if below is not None else None
        if below is not None and sign is not None:
            return combine(goal, [below, sign], products=2)
    parts = {t.op for t in subterms(goal)}
    if not parts & {"sqrt", "abs"} or ("sqrt" not in parts and parts & {"max", "min"}):
        # Squares of absolute values help; with maxima in them, cases help more.
        return None
    signs = [context.sign("nonnegative", t) for t in (a, b)]
    if signs[1] is None or (goal.op == "=" and signs[0] is None):
        return None
    aim = pf.relation(goal.op, pf.power(a, 2), pf.power(b, 2))
    squares = inner.attempt(aim)
    if squares is None:
        return None
    if goal.op == "=":
        return mp(lemma("squares_equal", x=a, y=b), *signs, squares)
    name = "squares_order" if goal.op == "<=" else "squares_strict_order"
    return mp(lemma(name, x=a, y=b), signs[1], squares)


def _by_splitting(context: Context, goal: Term) -> Proof | None:
    """Distinguish which side a maximum, an absolute value or an indicator takes."""
    if context.splits >= 3:
        return None
    for t in subterms(goal):
        if t.op in ("max", "min"):
            x, y = t.args
        elif t.op == "abs":
            x, y = pf.number(0), t.args[0]
        elif t.op == "ind" and t.args[0].op in ("<=", "<"):
            x, y = t.args[0].args if t.args[0].op == "<=" else t.args[0].args[::-1]
        elif t.op == "ind":
            p = t.args[0]
            opposite = p.op == "->" and p.args[1].op == "F"
            p = p.args[0] if opposite else p
            if normal(p) in context.known or normal(negation(p)) in context.known:
                continue
            return _split_on(context, goal, p)
        else:
            continue
        if context.quick(pf.relation("<=", x, y)) or context.quick(pf.relation("<", y, x)):
            continue
        return _split_order(context, goal, x, y)
    return None


def _split_order(context: Context, goal: Term, x: Term, y: Term) -> Proof | None:
    """Prove a goal for x ≤ y and for y < x."""
    proofs = []
    for case in (pf.relation("<=", x, y), pf.relation("<", y, x)):
        inner = context.extended(assume(case))
        inner.splits = context.splits + 1
        found = inner.attempt(goal)
        if found is None:
            return None
        proofs.append(found)
    return by_order(x, y, *proofs)


def _split_on(context: Context, goal: Term, p: Term) -> Proof | None:
    """Prove a goal both where p holds and where it does not."""
    proofs = []
    for case in (p, negation(p)):
        inner = context.extended(assume(case))
        inner.splits = context.splits + 1
        found = inner.attempt(goal)
        if found is None:
            return None
        proofs.append(found)
    return pf.by_cases(p, *proofs)


def _arithmetic(
    context: Context, goal: Term, facts: Sequence[Proof], *, products: bool = False
) -> Proof | None:
    """Prove a relation as a combination of facts, with products: a = b as a ≤ b ≤ a."""
    context.check_work()
    found = combine(goal, facts)
    if found is not None or not products:
        return found
    context.check_work()
    if goal.op != "=":
        found = combine(goal, facts, products=2)
        found = found or contradiction(goal, facts)
    else:
        found = _antisymmetric(context, goal, facts)
    return found


def _antisymmetric(context: Context, goal: Term, facts: Sequence[Proof]) -> Proof | None:
    """Prove an equation by two inequalities."""
    a, b = goal.args
    if not any(f.conclusion.op != "=" for f in facts):
        return None
    below = _arithmetic(context, pf.relation("<=", a, b), facts, products=True)
    if below is None:
        return None
    above = _arithmetic(context, pf.relation("<=", b, a), facts, products=True)
    if above is None:
        return None
    rule = axiom("antisymmetric_Z", i=a, j=b) if a.sort == "Z" else None
    return mp(rule or axiom("antisymmetric_R", x=a, y=b), below, above)


def _termwise(context: Context, goal: Term) -> Proof | None:
    """Compare two sums, products or means over one range term by term."""
    if goal.op not in ("=", "<=", "<") or context.depth > 5:
        return None
    a, b = goal.args
    if a.op == b.op and a.op in ("sum", "prod", "E", "int"):
        return compare(context, goal)
    gathered = pf.relation(goal.op, _gathered(a), _gathered(b))
    if gathered is not goal and {t.op for t in gathered.args} == {"sum"}:
        found = compare(context, gathered)
        return pf.convert(found, goal) if found is not None else None
    if goal.op == "<=" and a.sort == "R" and "sum" in (a.op, b.op):
        return _all_alike(context, goal)
    return None


def _gathered(t: Term) -> Term:
    """Return a product in which one factor is a sum as the sum of products."""
    sums = [a for a in t.args if a.op == "sum" and a.sort == "R"] if t.op == "*" else []
    if len(sums) != 1:
        return t
    low, high, body = sums[0].args
    factors = (shift(a, 1) for a in t.args if a is not sums[0])
    return pf.build("sum", (), [low, high, pf.mul(*factors, body)])


def _longer(context: Context, goal: Term) -> Proof | None:
    """Prove Σf ≤ Σg from f ≤ g where the second sum has more terms, none of them negative."""
    a, b = goal.args
    low, middle, f = a.args
    _, high, g = b.args
    inside = context.quick(le(low, pf.add(middle, 1))), context.quick(le(middle, high))
    if goal.op != "<=" or f.sort != "R" or None in inside:
        return None
    after = pf.add(middle, 1)
    i, beyond = context.opened(after, high)
    sign = beyond.sign("nonnegative", fill(g, (i,)))
    part = pf.build("sum", (), [low, middle, g])
    found = compare(context, le(a, part)) if sign is not None else None
    if sign is None or found is None:
        return None
    signs = each_intro(i, after, high, psatz(le(0, fill(g, (i,))), (1, [sign])))
    rest = mp(lemma("sum_nonnegative", lo=after, hi=high, f=function(g)), signs)
    split = mp(lemma("sum_split", lo=low, hi=high, mid=middle, f=function(g)), *inside)
    return psatz(goal, (1, [found]), (1, [rest]), (-1, [split]))


def _all_alike(context: Context, goal: Term) -> Proof | None:
    """Compare a sum with as many times one number as it has terms."""
    total = next(t for t in goal.args if t.op == "sum")
    other = next(t for t in goal.args if t is not total)
    low, high, _ = total.args
    long = context.quick(le(low, pf.add(high, 1)))
    count = mp(lemma("sum_count", lo=low, hi=high), long) if long is not None else None
    length = polynomial(count.conclusion.args[1]) if count is not None else {}
    if count is None or len(length) != 1 or {()} == set(length):
        return None
    ((n, _),) = length.items()
    each = {quotient(m, n): c for m, c in polynomial(other).items()}
    if not each or None in each:
        return None
    one = build({m: c for m, c in each.items() if m is not None})
    same = pf.ranged("sum", low, high, lambda _: one)
    found = compare(context, le(*(t if t is total else same for t in goal.args)))
    sign = 1 if total is goal.args[0] else -1
    return psatz(goal, (1, [found]), (pf.mul(sign, one), [count])) if found is not None else None


def compare(
    context: Context, goal: Term, inner: Callable[[Context, Term, Term], Proof | None] | None = None
) -> Proof | None:
    """Prove Σf ≤ Σg (or Π, E, ∫; or =, <) from f ≤ g at a generic index, outcome or point."""
    a, b = goal.args
    f, g = a.args[-1], b.args[-1]
    if a.op == "E":
        w = pf.fresh("W", "ω")
        opened = context.extended()
        aim = pf.relation(goal.op, fill(f, (w,)), fill(g, (w,)))
        if goal.op == "<":
            return None
        found = inner(opened, aim, w) if inner else opened.attempt(aim)
        if found is None:
            return None
        if goal.op == "=":
            return mp(lemma("mean_congruence", f=function(f), g=function(g)), generalise(w, found))
        return mp(axiom("mean_monotone", X=function(f), Y=function(g)), generalise(w, found))
    if a.op == "int":
        x = pf.fresh("U", "x")
        opened = context.extended()
        aim = pf.relation(goal.op, fill(f, (x,)), fill(g, (x,)))
        if goal.op == "<":
            return None
        found = inner(opened, aim, x) if inner else opened.attempt(aim)
        return compared(context, goal, generalise(x, found)) if found is not None else None
    low, high = a.args[:2]
    if normal(low) is not normal(b.args[0]):
        return None
    if normal(high) is not normal(b.args[1]):
        return _longer(context, goal) if a.op == "sum" and inner is None else None
    i, opened = context.opened(low, high)
    aim = pf.relation(goal.op, fill(f, (i,)), fill(g, (i,)))
    found = inner(opened, aim, i) if inner else opened.attempt(aim)
    if found is None:
        return None
    every = each_intro(i, low, high, found)
    values = {"lo": low, "hi": high, "f": function(f), "g": function(g)}
    if a.op == "prod":
        if goal.op == "=":
            return pf.convert(mp(lemma("product_congruence", **values), every), goal)
        sign = opened.sign("nonnegative", fill(f, (i,)))
        if sign is None or goal.op == "<":
            return None
        signs = each_intro(i, low, high, sign)
        return pf.convert(mp(lemma("product_monotone", **values), signs, every), goal)
    if goal.op == "<":
        long = context.quick(le(low, high))
        if long is None:
            return None
        return pf.convert(mp(lemma("sum_strictly_monotone", **values), long, every), goal)
    name = {"=": "congruence", "<=": "monotone"}[goal.op]
    kind = "vector_sum" if f.sort == "V" else "sum"
    return pf.convert(mp(lemma(f"{kind}_{name}", **values), every), goal)
