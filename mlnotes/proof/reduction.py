"""Words of matrices made shorter: equations used in one direction, as far as they go.

Each equation replaces the heaviest of its words by the others: A A⁻¹ by I, the mean of a product
by what comes out of it, XᵀX v by Xᵀy. What is left of a matrix, or of the trace of one, is found
without trying combinations. The steps are added up by the kernel, so nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product as product_of
from typing import TYPE_CHECKING, Any, NamedTuple

from mlnotes.trusted.normal import Polynomial, Word, build, normal, plus, polynomial, times
from mlnotes.trusted.normal import matrix as words_of
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, fill, sizes

from . import proofs as pf
from . import words
from .arithmetic import is_relation
from .language import build as term
from .proofs import Proof, axiom, eq, generalise, lemma, mp
from .search.terms import subterms
from .words import product, sized, transposed

if TYPE_CHECKING:
    from .search import Context

STEPS = 300  # replacements in one matrix
DEPTH = 2  # of sums of matrices within sums whose terms are reduced
TRACES = 60  # traces that are looked at for one line
ONE: Polynomial = {(): Fraction(1)}
Matrix = dict[Word, Polynomial]


class Rule(NamedTuple):
    """An equation, read as: a multiple of a word is what remains of the difference of its sides."""

    proof: Proof
    lead: Word
    gap: Matrix
    factor: Fraction


def weight(letter: Term) -> int:
    """Return how heavy a letter is: means and sums are more so than all that comes out of them."""
    if letter.op == "T":
        return weight(letter.args[0]) + 1
    if letter.op == "minv":
        return 20 + _depth(letter)
    if letter.op in ("E", "sum"):
        inside = [x for w in words_of(letter.args[-1]) for x in (*w, letter)]
        heavy = sum(1 + (x.op in ("E", "sum")) for x in inside)
        return 1000 * heavy + 2 * sum(x.op == "T" for x in inside)
    return 20


def _depth(t: Term) -> int:
    """Return how many transposes stand in a term."""
    return (t.op == "T") + sum(map(_depth, t.args))


def _order(w: Word) -> tuple[Any, ...]:
    """Return by what words are compared: their weight, their length, their letters."""
    return sum(map(weight, w)), len(w), [a.key for a in w]


def rules_of(known: Iterable[Proof]) -> list[Rule]:
    """Return equations as rules, if they have a heaviest word with a number before it.

    Of two equations with one heaviest word, the second one is used to say something of the others.
    """
    out: dict[Word, Rule] = {}
    pending = list(known)
    while pending and len(out) < STEPS:
        fact = pending.pop(0)
        gap = words_of(pf.sub(*fact.conclusion.args[::-1]))
        if not gap or sizes(fact.conclusion.args[0].sort) == ():
            continue
        lead = max(gap, key=_order)
        p = gap[lead]
        if not lead or set(p) != {()}:
            continue
        rule = Rule(fact, lead, gap, p[()])
        old = out.setdefault(lead, rule)
        if old is not rule:
            pending += _difference(old, rule)
    return list(out.values())


def _difference(first: Rule, second: Rule) -> list[Proof]:
    """Return what two equations say of the words that are not their common heaviest one."""
    sort = first.proof.conclusion.args[0].sort
    unit = term("I", (sizes(sort)[0],))
    parts = [
        (pf.scale(1 / first.factor, unit), first.proof),
        (pf.scale(-1 / second.factor, unit), second.proof),
    ]
    row: Matrix = {}
    for rule, sign in ((first, 1), (second, -1)):
        for w, p in rule.gap.items():
            row[w] = plus(row.get(w, {}), p, sign / rule.factor)
    row = {w: p for w, p in row.items() if p}
    if not row:
        return []
    goal = words.equation(term("zero", (sort,)), assembled(row, sort))
    one = term("I", (sizes(sort)[1],))
    return [pf.linear(goal, *((a, f, one) for a, f in parts))]


def reduced(t: Term, rules: Sequence[Rule]) -> tuple[Proof, Matrix] | None:
    """Return t = s, and s as a combination of words, if a rule applies to a matrix t."""
    row, parts = _parts(dict(words_of(t)), rules, sizes(t.sort)[0])
    if not parts:
        return None
    s = assembled(row, t.sort)
    return pf.linear(words.equation(t, s), *parts), row


def assembled(row: Matrix, sort: str) -> Term:
    """Return a combination of words as a term."""
    terms = [words.scaled_word(p, w, sort) for w, p in row.items()]
    if not terms:
        return term("zero", (sort,))
    return terms[0] if len(terms) == 1 else term("+", (), terms)


def _parts(
    row: Matrix, rules: Sequence[Rule], rows: str
) -> tuple[Matrix, list[tuple[Term, Proof, Term]]]:
    """Use rules up, and return what is left and the multiples of equations that were used."""
    parts: list[tuple[Term, Proof, Term]] = []
    pending = sorted(row, key=_order, reverse=True)
    while pending and len(parts) < STEPS:
        w = pending.pop()
        hit = _hit(w, rules) if w in row else None
        if hit is None:
            continue
        rule, k = hit
        left, right = w[:k], w[k + len(rule.lead) :]
        factor = plus({}, row[w], -1 / rule.factor)
        for v, p in rule.gap.items():
            place = left + v + right
            row[place] = plus(row.get(place, {}), times(factor, p))
            if not row[place]:
                del row[place]
            elif place not in pending:
                pending.append(place)
        m, n = sizes(rule.proof.conclusion.args[0].sort)
        before = words.scaled_word(factor, left, f"M:{rows if left else m}:{m}")
        parts.append((before, rule.proof, words.scaled_word(ONE, right, f"M:{n}:{n}")))
    return row, parts


def _hit(w: Word, rules: Sequence[Rule]) -> tuple[Rule, int] | None:
    """Return a rule whose left side is in a word, and where."""
    for rule in rules:
        n = len(rule.lead)
        for k in range(len(w) - n + 1):
            if w[k : k + n] == rule.lead:
                return rule, k
    return None


def rules_about(context: Context, letters: Sequence[Term], goal: Term | None = None) -> list[Rule]:
    """Return as rules what is known of letters, and the equations of a context."""
    known = words.equations(context, letters)
    if goal is not None:
        more = [f for f in context.instances_for(goal) if words.is_matrix_equation(f.conclusion)]
        more += at_columns(context, goal)
        turned = [f for f in context.facts if words.is_matrix_equation(f.conclusion)]
        sums = [reduced_sum(context, a) for a in letters if a.op == "sum"]
        known = [*(f for f in sums if f is not None), *known]
        known = [*known, *more, *(pf.congruence(f, transposed) for f in [*turned, *more])]
    inside = [w for f in known for t in f.conclusion.args for w in words_of(t)]
    rules = rules_of([*known, *words.numbers(inside)])
    return [*rules, *rules_of(through_inverses(context, letters, rules))]


def through_inverses(
    context: Context, letters: Sequence[Term], rules: Sequence[Rule]
) -> Iterator[Proof]:
    """Return A⁻¹ x = x/μ and its transpose, where A x is found to be μ x."""
    columns = [a.args[0] if a.op == "T" else a for a in letters]
    columns = [a for a in dict.fromkeys(columns) if a.op == "v" and a.args]
    for a in dict.fromkeys(letters):
        n = sizes(a.sort)[0]
        for x in columns if a.op == "minv" else ():
            image = reduced(product(a.args[0], x), rules) if sizes(x.sort)[0] == n else None
            if image is None or set(image[1]) != {(x,)}:
                continue
            value = build(image[1][x,])
            law, apart = words.inverse_law(context, a.args[0]), context.not_zero(value)
            if law is None or apart is None:
                continue
            other = mp(sized(axiom("left_inverse"), {"n": n}, A=a.args[0], B=a), law)
            one = mp(axiom("inverse", x=value), apart)
            unit = term("I", (sizes(x.sort)[1],))
            whole = pf.congruence(one, _multiple(product(a, x)))
            found = pf.linear(
                words.equation(product(a, x), pf.scale(pf.inv(value), x)),
                (pf.scale(pf.neg(pf.inv(value)), a), image[0], unit),
                (pf.scale(pf.inv(value), term("I", (n,))), other, x),
                (pf.scale(-1, term("I", (n,))), whole, unit),
            )
            yield found
            yield pf.congruence(found, transposed)


def reduced_sum(context: Context, a: Term) -> Proof | None:
    """Return that a sum of matrices is that of its terms, reduced by what is known of them."""
    if context.depth > DEPTH:
        return None
    low, high, body = a.args
    i, inner = context.opened(low, high)
    value = fill(body, (i,))
    letters = list(dict.fromkeys(x for w in words_of(value) for x in w))
    if not any(x.op in ("minv", "E") or x.args for x in letters):
        return None
    found = reduced(value, rules_about(inner, letters, words.equation(value, value)))
    if found is None:
        return None
    m, n = sizes(a.sort)
    new = pf.abstracted(found[0].conclusion.args[1], [i])
    values = {"lo": low, "hi": high, "f": words.function_of(body), "g": words.function_of(new)}
    rule = sized(lemma("matrix_sum_congruence"), {"m": m, "n": n}, **values)
    return mp(rule, pf.each_intro(i, low, high, found[0]))


def _multiple(a: Term) -> Callable[[Term], Term]:
    """Return z ↦ z·A."""
    return lambda z: pf.scale(z, a)


def at_columns(context: Context, goal: Term) -> list[Proof]:
    """Return what holds for all matrices of a sort at those that stand in a goal."""
    out = []
    letters = dict.fromkeys(a for t in goal.args for w in words_of(t) for a in w)
    letters |= {a.args[0]: None for a in letters if a.op == "T"}
    for fact in context.universal:
        if fact.conclusion.op != "all" or sizes(fact.conclusion.data[0]) == ():
            continue
        for a in letters:
            if a.sort == fact.conclusion.data[0]:
                found = context.use_up_to(fact, [a])
                out += pf.conjuncts(found) if found is not None else []
    return [f for f in out if words.is_matrix_equation(f.conclusion)]


def by_columns(context: Context, goal: Term) -> Proof | None:
    """Prove A = B by A v = B v for every column v, where something is known of all columns."""
    m, n = sizes(goal.args[0].sort)
    column = f"M:{n}:1"
    if n == "1" or not any(f.conclusion.data == (column,) for f in context.universal):
        return None
    v = pf.fresh(column, "v")
    found = context.attempt(words.equation(*(product(a, v) for a in goal.args)))
    if found is None:
        return None
    rule = sized(lemma("equal_by_columns"), {"m": m, "n": n}, A=goal.args[0], B=goal.args[1])
    return mp(rule, generalise(v, found))


def prove_equation(context: Context, goal: Term) -> Proof | None:
    """Prove an equation of matrices: reduce the difference, of which nothing may be left."""
    gap = pf.sub(*goal.args)
    row = dict(words_of(gap))
    letters = list(dict.fromkeys(a for w in row for a in w))
    rules = rules_about(context, letters, goal)
    rules += rules_of(words.numbers(row))
    left, parts = _parts(row, rules, sizes(gap.sort)[0])
    zeros = []
    for w, p in left.items():
        value = build(p)
        zero = context.quick(eq(value, 0)) if len(p) > 1 else None
        if zero is None and len(left) <= 2 and len(p) > 1:
            zero = context.attempt(eq(value, 0))
        if zero is None:
            return None
        zeros.append((w, zero))
    rows, columns = sizes(gap.sort)
    sides = term("I", (rows,)), term("I", (columns,))
    for w, zero in zeros:
        word = words.scaled_word(ONE, w, gap.sort)
        gone = pf.congruence(zero, _multiple(word))
        parts.append((pf.scale(-1, sides[0]), gone, sides[1]))
    try:
        return pf.linear(goal, *parts)
    except Refused:
        return None


# ---------------------------------------------------------------------- traces and their means


def by_words(context: Context, goal: Term) -> Proof | None:
    """Prove a relation after its traces, and means of traces, are reduced."""
    if goal.op == "F" or goal.args[0].sort != "R" or context.worded:
        return None
    p = difference(goal, "R")
    first = [a for m in p for a, _ in m if _is_trace(a)]
    if not first:
        return None
    facts = [f for f in [*context.facts, *written_traces(goal)] if is_relation(f.conclusion)]
    facts = [f for f in facts if any(map(_is_trace, _atoms(difference(f.conclusion, "R"))))]
    first += [a for f in facts for a in _atoms(difference(f.conclusion, "R")) if _is_trace(a)]
    equations = dict(_equations(context, first))
    new, parts = _replaced(p, equations)
    if parts and not new and goal.op != "<":
        return pf.psatz(goal, *parts)
    inner = context.extended()
    inner.worded = True
    changed = bool(parts)
    for f in facts:
        op = f.conclusion.op
        value, used = _replaced(difference(f.conclusion, "R"), equations)
        back = [(pf.neg(c), given) for c, given in used]
        inner.add(pf.psatz(pf.relation(op, pf.number(0), build(value)), (1, [f]), *back))
        changed = changed or bool(used) or f not in context.facts
    if not changed:
        return None
    left = inner.attempt(pf.relation(goal.op, pf.number(0), build(new)))
    return pf.psatz(goal, (1, [left]), *parts) if left is not None else None


def _atoms(p: Polynomial) -> Iterator[Term]:
    """Return the atoms of a polynomial."""
    return (a for m in p for a, _ in m)


def written_traces(goal: Term) -> Iterator[Proof]:
    """Return that the traces of what is written as B Bᵀ, also among other addends, are ≥ 0."""
    seen = set[Term]()
    for t in subterms(goal):
        if t.op != "tr" or t.args[0].op not in ("mm", "+", "sc"):
            continue
        for word in _written_words(t.args[0]):
            half = len(word) // 2
            if len(word) % 2 or len(word) == 0 or not _turns(word):
                continue
            b = product(*word[half:])
            if b not in seen:
                seen.add(b)
                m, n = sizes(b.sort)
                yield pf.instance(pf.sizes(axiom("trace_square"), {"m": m, "n": n}), {"B": b})


def _turns(word: Word) -> bool:
    """Say whether a product is that of a matrix and its transpose, factor by factor."""
    half = len(word) // 2
    pairs = zip(word[:half], reversed(word[half:]), strict=True)
    return all(normal(transposed(a)) is normal(b) for a, b in pairs)


def _written_words(t: Term) -> list[Word]:
    """Return the products of which a term is made; what is written as a square stays whole."""
    if t.op == "+":
        return [w for a in t.args for w in _written_words(a)]
    if t.op == "sc":
        return _written_words(t.args[1])
    if t.op == "mm":
        factors: list[Word] = [()]
        if len(t.args) % 2 == 0 and _turns(t.args):
            return [t.args]
        for a in t.args:
            more = _written_words(a)
            if len(factors) * len(more) > 16:
                return []
            factors = [w + v for w in factors for v in more]
        return factors
    return [(t,)]


def _is_trace(a: Term) -> bool:
    """Whether a number is tr A or E[… tr A …]."""
    if a.op == "E":
        return any(b.op == "tr" for m in polynomial(a.args[0]) for b, _ in m)
    return a.op == "tr"


def _equations(context: Context, atoms: Sequence[Term]) -> Iterator[tuple[Term, Proof]]:
    """Yield what each trace and each mean is equal to by the rules, and what that needs."""
    pending, seen = list(dict.fromkeys(atoms)), set[Term]()
    while pending and len(seen) < TRACES:
        context.check_work()
        a = pending.pop(0)
        if a in seen:
            continue
        seen.add(a)
        found = _mean(context, a) if a.op == "E" else reduced_trace(context, a)
        if found is None:
            continue
        yield a, found
        gap = polynomial(found.conclusion.args[1])
        pending += [b for m in gap for b, _ in m if _is_trace(b)]


def _replaced(p: Polynomial, equations: dict[Term, Proof]) -> tuple[Polynomial, list[Any]]:
    """Replace atoms by what they equal, and return the multiples of the equations used."""
    used: dict[Term, Polynomial] = {}
    for _ in range(STEPS):
        hit = next(((m, a) for m in p for a, _ in m if a in equations), None)
        if hit is None:
            break
        m, a = hit
        rest = tuple((b, k - (b is a)) for b, k in m if k > (b is a))
        factor = {rest: p[m]}
        value = polynomial(equations[a].conclusion.args[1])
        gap = plus({((a, 1),): Fraction(1)}, value, Fraction(-1))
        p = plus(p, times(factor, gap), Fraction(-1))
        used[a] = plus(used.get(a, {}), factor)
    return p, [(build(plus({}, q, Fraction(-1))), [equations[a]]) for a, q in used.items() if q]


def reduced_trace(context: Context, a: Term, random: Term | None = None) -> Proof | None:
    """Return what a trace equals after one of its rotations is reduced, or None."""
    letters = words.letters_of(a)
    key = (a, random)
    if key in context.traces:
        return context.traces[key]
    known = words.equations(context, letters)
    known += [pf.congruence(f, transposed) for f in context.facts if f in known]
    more = context.instances_for(eq(a, 0)) if random is None else []
    known += [f for f in more if words.is_matrix_equation(f.conclusion)]
    rules = rules_of(f for f in known if _is_short(f, random))
    rules += rules_of(through_inverses(context, letters, rules)) if random is None else []
    found = None
    if len(letters) == 1 and letters[0].op == "E" and _hit(letters, rules) is None:
        values = {"X": words.function_of(letters[0].args[0])}
        n = sizes(letters[0].sort)[0]
        law = sized(axiom("mean_matrix"), {"m": n, "n": n}, B=term("I", (n,)), **values)
        context.traces[key] = pf.convert(law, eq(a, law.conclusion.args[1]))
        return context.traces[key]
    for word in words.rotations(letters):
        equation = reduced(product(*word), rules)
        if equation is not None:
            found = pf.congruence(equation[0], lambda z: term("tr", (), [z]))
            found = pf.convert(found, eq(a, found.conclusion.args[1]))
            break
    if found is None and random is None:
        value = next(words.trace_values(letters), None)
        found = pf.convert(value, eq(a, value.conclusion.args[1])) if value else None
    context.traces[key] = found
    return found


def _is_short(fact: Proof, random: Term | None) -> bool:
    """Say whether an equation has no sums in it, and no hypothesis about an outcome."""
    if any(a.op == "sum" for t in fact.conclusion.args for w in words_of(t) for a in w):
        return False
    return random is None or not any(words.mentions(h, random) for h in fact.hypotheses)


def _mean(context: Context, a: Term) -> Proof | None:
    """Return the mean of a trace as the trace of a mean, or as that of what the trace equals."""
    w = pf.fresh("W", "ω")
    ((m, c),) = polynomial(fill(a.args[0], (w,))).items()
    factors = [x for x, k in m for _ in range(k)]
    if c != 1 or not all(x.op == "tr" for x in factors) or len(factors) > 2:
        return None
    if len(factors) == 2:
        return _mean_of_product(factors, w, a)
    simpler = reduced_trace(context, factors[0], w)
    if simpler is not None:
        left, right = (pf.abstracted(t, [w]) for t in simpler.conclusion.args)
        rule = lemma("mean_congruence", f=words.function_of(left), g=words.function_of(right))
        found = mp(rule, generalise(w, simpler))
        return pf.convert(found, eq(a, found.conclusion.args[1]))
    return _out_of_mean(context, words.letters_of(factors[0]), w, a)


def _out_of_mean(context: Context, letters: Word, w: Term, a: Term) -> Proof | None:
    """Return E tr(X B) = tr(E[X] B), with as few letters in X as can be.

    Where all letters are random it is done only if something is known of a mean E[X].
    """
    best: tuple[Any, ...] | None = None
    for k, word in enumerate(words.rotations(letters)):
        inside = [k for k, x in enumerate(word) if words.mentions(x, w)]
        if inside[0] == 0:
            if len(inside) == len(word) and not _known_mean(context, word, w):
                continue
            found = inside[-1], k, word
            best = found if best is None or found < best else best
    if best is None:
        return None
    word, high = best[2], best[0] + 1
    middle = product(*word[:high])
    rows, columns = sizes(middle.sort)
    rest = words.scaled_word(ONE, word[high:], f"M:{columns}:{rows}")
    body = pf.abstracted(middle, [w])
    values = {"X": words.function_of(body), "B": rest}
    law = sized(axiom("mean_matrix"), {"m": rows, "n": columns}, **values)
    return pf.convert(pf.symmetric(law), eq(a, law.conclusion.args[0]))


def _known_mean(context: Context, word: Word, w: Term) -> bool:
    """Whether something is known of E[A₁…Aₘ] or of its transpose."""
    body = normal(pf.abstracted(product(*word), [w]))
    letter = term("E", (), [body])
    known = [f for f in context.facts if words.is_matrix_equation(f.conclusion)]
    given = {x for f in known for t in f.conclusion.args for v in words_of(t) for x in v}
    return letter in given or normal(transposed(letter)) in given


def _mean_of_product(factors: Sequence[Term], w: Term, a: Term) -> Proof | None:
    """Return the mean of a product of two numbers as that of one trace."""
    starts = [
        [word for word in words.rotations(words.letters_of(f)) if sizes(word[0].sort)[0] == "1"]
        for f in factors
    ]

    def spread(pair: tuple[Word, ...]) -> int:
        inside = [k for k, x in enumerate(pair[0] + pair[1]) if words.mentions(x, w)]
        return inside[-1] - inside[0]

    pairs = list(product_of(*starts))
    if not pairs:
        return None
    first, second = min(pairs, key=spread)
    one = words.one_by_one(product(*first))
    both = pf.congruence(one, lambda z: term("tr", (), [product(z, *second)]))
    left, right = (pf.abstracted(t, [w]) for t in both.conclusion.args)
    rule = lemma("mean_congruence", f=words.function_of(left), g=words.function_of(right))
    found = pf.symmetric(mp(rule, generalise(w, both)))
    try:
        return pf.convert(found, eq(a, found.conclusion.args[1]))
    except Refused:
        return None


__all__ = ["by_words", "prove_equation", "reduced", "rules_of"]
