"""Equations of matrices and of traces: by equations between words, inverses and means.

A matrix is a combination of words, products of letters such as X, Xᵀ or (XᵀX)⁻¹; an equation may
be used at every place of a word. Which multiples of which equations add up to a goal is the
solution of linear equations; the kernel adds them up again, so nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mlnotes.trusted.normal import (
    Monomial,
    Polynomial,
    Word,
    build,
    normal,
    plus,
    polynomial,
    times,
)
from mlnotes.trusted.normal import matrix as words_of
from mlnotes.trusted.terms import Refused, Term, fill, sizes

from . import proofs as pf
from .arithmetic import quotient
from .language import build as term
from .linear import combination
from .proofs import Proof, axiom, generalise, lemma, mp

if TYPE_CHECKING:
    from .search import Context

MOST = 160  # multiples of equations that are considered
ROUNDS = 7
DEEP = 2  # inverses by which an equation is multiplied
# An equation by its number, or x for x (1/x) = 1; the words around it; and a factor.
Part = tuple[int | Term, Word, Word, Monomial]
Row = dict[tuple[Word, Monomial], Fraction]


def product(*factors: Term) -> Term:
    """Return a product of one matrix or more."""
    return factors[0] if len(factors) == 1 else term("mm", (), factors)


def transposed(t: Term) -> Term:
    """Return a transpose."""
    return term("T", (), [t])


def equation(a: Term, b: Term) -> Term:
    """Return an equation of matrices."""
    return term("=", (), [a, b])


def sized(rule: Proof, names: dict[str, str], **values: Any) -> Proof:
    """Use an axiom or lemma for matrices of these sizes."""
    return pf.instance(pf.sizes(rule, names), values)


def is_matrix_equation(p: Term) -> bool:
    """Say whether a proposition is an equation of matrices."""
    return p.op == "=" and sizes(p.args[0].sort) != ()


# ---------------------------------------------------------------------- what is known


def inverse_equation(a: Term) -> Term:
    """Return A A⁻¹ = I, which says that A is invertible."""
    return equation(product(a, term("minv", (), [a])), term("I", (sizes(a.sort)[0],)))


def inverse_law(context: Context, a: Term) -> Proof | None:
    """Return a proof of A A⁻¹ = I, or None."""
    (n, _) = sizes(a.sort)
    goal = inverse_equation(a)
    found = context.known.get(normal(goal))
    if found is not None:
        return pf.convert(found, goal)
    definite = definite_law(context, a)
    if definite is not None:
        return mp(sized(lemma("definite_inverse"), {"n": n, "k": "1"}, A=a), definite)
    apart = _determinant_not_zero(context, a)
    if apart is not None:
        return mp(sized(axiom("determinant_inverse"), {"n": n}, A=a), apart)
    return _inverse_of_factors(context, a)


def _determinant_not_zero(context: Context, a: Term) -> Proof | None:
    """Return a proof of det A ≠ 0 where a hypothesis says so, or that det A > 0, or None."""
    value = term("det", (), [a])
    positive = context.said(pf.lt(0, value))
    if positive is not None:
        return mp(lemma("not_zero_if_positive", x=value), positive)
    return context.said(pf.negation(pf.eq(value, 0)))


def _inverse_of_factors(context: Context, a: Term) -> Proof | None:
    """Return a proof of A A⁻¹ = I for a product or transpose of matrices that have inverses."""
    words = words_of(a)
    if len(words) != 1:
        return None
    ((word, p),) = words.items()
    n = sizes(a.sort)[0]
    if p != {(): Fraction(1)} or any(sizes(x.sort) != (n, n) for x in word):
        return None
    if word == (a,) and a.op != "T":
        return None
    laws: list[Proof] = []
    inverses: list[Term] = []
    for x in word:
        inner = x.args[0] if x.op == "T" else x
        law = inverse_law(context, inner)
        if law is None:
            return None
        other = term("minv", (), [inner])
        laws += [law, mp(sized(axiom("left_inverse"), {"n": n}, A=inner, B=other), law)]
        inverses.insert(0, transposed(other) if x.op == "T" else other)
    laws += [pf.congruence(law, transposed) for law in laws]
    goal = equation(product(a, *inverses), term("I", (n,)))
    gaps = [words_of(pf.sub(*f.conclusion.args[::-1])) for f in laws]
    found = _combined(_row(pf.sub(*goal.args[::-1]), (), (), ()), gaps, ())
    if found is None:
        return None
    parts = []
    for (e, left, right, m), c in found.items():
        assert isinstance(e, int)
        before = scaled_word({m: c}, left, f"M:{n}:{n}")
        parts.append((before, laws[e], scaled_word({(): Fraction(1)}, right, f"M:{n}:{n}")))
    try:
        shown = pf.linear(goal, *parts)
    except Refused:
        return None
    return mp(sized(axiom("right_inverse"), {"n": n}, A=a, B=product(*inverses)), shown)


def definite_law(context: Context, a: Term) -> Proof | None:
    """Return a proof of vᵀAv > 0 for every column v but zero, or None."""
    goal = is_definite(a)
    found = context.known.get(normal(goal))
    if found is not None:
        return pf.convert(found, goal)
    words = words_of(a)
    square = [w for w in words if len(w) == 2]
    if set(words) == set(square):
        full = _full_rank(context, a, square)
        return pf.convert(full, goal) if full is not None else None
    if set(words) != {(), *square} or len(square) != 1 or words[square[0]] != {(): Fraction(1)}:
        return None
    first, second = square[0]
    if normal(transposed(first)) is not second:
        return None
    scale = build(words[()])
    sign = context.sign("positive", scale)
    if sign is None:
        return None
    (m, n) = sizes(second.sort)
    rule = sized(lemma("gram_definite"), {"m": m, "n": n, "k": "1"}, B=second, x=scale)
    return pf.convert(mp(rule, sign), goal)


def _full_rank(context: Context, a: Term, square: Sequence[Word]) -> Proof | None:
    """Return a proof that BᵀB is definite, where only 0 is sent to 0 by B, or C B = I for a C."""
    if len(square) != 1 or normal(transposed(square[0][0])) is not square[0][1]:
        return None
    b = square[0][1]
    m, n = sizes(b.sort)
    names = {"m": m, "n": n, "k": "1"}
    found = _injective(context, b)
    if found is not None:
        return mp(sized(lemma("gram_definite_if_injective"), names, B=b), found)
    known = context.known.get(normal(inverse_equation(a)))
    if known is not None:
        known = pf.convert(known, inverse_equation(a))
        other = term("minv", (), [a])
        known = mp(sized(axiom("left_inverse"), {"n": n}, A=a, B=other), known)
    one = equation(a, term("I", (n,)))
    known = known or context.said(one)
    if known is None:
        return None
    c = product(other, transposed(b)) if known.conclusion is not one else transposed(b)
    known = pf.convert(known, equation(product(c, b), term("I", (n,))))
    return mp(sized(lemma("gram_definite_if_invertible"), names, B=b, C=c), known)


def _injective(context: Context, b: Term) -> Proof | None:
    """Return a proof that B v = 0 only where v = 0, if that is said of all columns v, or None."""
    m, n = sizes(b.sort)
    column = f"M:{n}:1"
    for fact in context.universal:
        if fact.conclusion.data != (column,):
            continue
        v = pf.fresh(column)
        none = equation(product(b, v), term("zero", (f"M:{m}:1",)))
        gone = equation(v, term("zero", (column,)))
        found = context.extended(pf.assume(none)).use_up_to(fact, [v])
        if found is not None and normal(found.conclusion) is normal(gone):
            return generalise(v, pf.discharge(none, pf.convert(found, gone)))
    return None


def semidefinite_law(context: Context, a: Term) -> Proof | None:
    """Return a proof of vᵀAv ≥ 0 for every column v, or None."""
    rows, columns = sizes(a.sort)
    if rows != columns:
        return None
    column = f"M:{rows}:1"
    goal = pf.forall(column, lambda v: pf.le(0, term("tr", (), [product(transposed(v), a, v)])))
    found = context.known.get(normal(goal))
    if found is not None:
        return pf.convert(found, goal)
    definite = definite_law(context, a)
    if definite is None:
        return None
    names = {"n": sizes(a.sort)[0], "k": "1"}
    rule = sized(lemma("definite_is_semidefinite"), names, A=a)
    return pf.convert(mp(rule, definite), goal)


def symmetric_law(context: Context, a: Term) -> Proof | None:
    """Return a proof of Aᵀ = A, or None."""
    return context.said(equation(transposed(a), a))


def form_facts(context: Context, goal: Term) -> list[Proof]:
    """Return (uᵀAv)² ≤ uᵀAu vᵀAv for the squared traces of an inequality and positive A.

    Of a product of two matrices the inequality of Cauchy and Schwarz needs no A between them.
    """
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return []
    out = []
    gap = plus(polynomial(goal.args[1]), polynomial(goal.args[0]), Fraction(-1))
    for trace in dict.fromkeys(a for m, c in gap.items() for a, k in m if a.op == "tr" and k == 2):
        for word in rotations(letters_of(trace)):
            if len(word) == 2:
                a, b = transposed(word[0]), word[1]
                m, n = sizes(a.sort)
                rule = sized(lemma("cauchy_schwarz_traces"), {"m": m, "n": n}, A=a, B=b)
                out.append(rule)
            if sizes(word[0].sort)[0] != "1":
                continue
            for k, a in enumerate(word[1:-1], start=1):
                square = a.op == "v" and len(set(sizes(a.sort))) == 1
                positive = semidefinite_law(context, a) if square else None
                same = symmetric_law(context, a) if positive is not None else None
                if same is None or positive is None:
                    continue
                n = sizes(a.sort)[0]
                u, v = transposed(product(*word[:k])), product(*word[k + 1 :])
                rule = sized(lemma("cauchy_schwarz_metric"), {"n": n}, A=a, u=u, v=v)
                out.append(mp(rule, same, positive))
    return out


def is_definite(a: Term) -> Term:
    """Return that vᵀAv > 0 for every column v but zero."""
    column = f"M:{sizes(a.sort)[0]}:1"

    def positive(v: Term) -> Term:
        zero = equation(v, term("zero", (column,)))
        form = term("tr", (), [product(transposed(v), a, v)])
        return pf.implies(pf.negation(zero), pf.lt(0, form))

    return pf.forall(column, positive)


def determinant(context: Context, a: Term) -> Proof | None:
    """Return a proof of det A > 0, or None."""
    definite = definite_law(context, a)
    if definite is None:
        return None
    names = {"n": sizes(a.sort)[0], "k": "1"}
    return mp(sized(axiom("definite_determinant"), names, A=a), definite)


def determinant_update(context: Context, a: Term) -> Iterator[Proof]:
    """Return what det(A + t u vᵀ) is by det A and det(A + u vᵀ), or by the inverse of A."""
    words = words_of(a)
    n = sizes(a.sort)[0]
    for word in words if len(words) == 1 else ():
        if len(word) > 1 and all(x.sort == a.sort for x in word):
            split = sized(axiom("determinant_product"), {"n": n}, A=word[0], B=product(*word[1:]))
            scale = build(words[word])
            if scale is pf.number(1):
                yield pf.convert(split, pf.eq(term("det", (), [a]), split.conclusion.args[1]))
    cuts = {w: [k for k in range(1, len(w)) if sizes(w[k].sort)[0] == "1"] for w in words}
    for word, cut in cuts.items():
        if len(cut) != 1 or len(words) < 2:
            continue
        rest = [scaled_word(p, w, a.sort) for w, p in words.items() if w != word]
        base = rest[0] if len(rest) == 1 else term("+", (), rest)
        u, v = product(*word[: cut[0]]), transposed(product(*word[cut[0] :]))
        t = build(words[word])
        values = {"A": base, "u": u, "v": v, "t": t}
        whole = term("det", (), [a])
        found = []
        if t is not pf.number(1):
            found.append(sized(lemma("determinant_affine"), {"n": n}, **values))
        law = inverse_law(context, base)
        if law is not None:
            rule = sized(lemma("determinant_rank_one_update"), {"n": n}, **values)
            found.append(mp(pf.instance(rule, {"C": term("minv", (), [base])}), law))
        for f in found:
            yield pf.convert(f, pf.eq(whole, f.conclusion.args[1]))


def eigenvectors(context: Context, fact: Proof) -> list[Proof]:
    """Return S vⱼ = λⱼ vⱼ and its transpose, of S = Σ λᵢ vᵢvᵢᵀ with orthonormal vᵢ."""
    for matrix, total in (fact.conclusion.args, fact.conclusion.args[::-1]):
        if total.op != "sum" or total.args[2].op != "sc" or total.loose:
            continue
        low, high, body = total.args
        value, square = body.args
        if square.op != "mm" or len(square.args) != 2 or square.args[1].op != "T":
            continue
        column = square.args[0]
        if square.args[1].args[0] is not column or sizes(column.sort)[1] != "1":
            continue
        if normal(low) is not normal(pf.whole(1)):
            continue
        values = {"hi": high, "v": function_of(column), "c": function_of(value), "S": matrix}
        law = sized(lemma("eigenvectors"), {"n": sizes(column.sort)[0]}, **values)
        frame = context.known.get(normal(law.conclusion.args[0]))
        if frame is None:
            continue
        found = mp(law, frame, fact)
        j = pf.fresh("Z")
        start, end = pf.assume(pf.le(pf.whole(1), j)), pf.assume(pf.le(j, high))
        turned = pf.congruence(pf.each_at(found, j, start, end), transposed)
        return [found, pf.each_intro(j, pf.whole(1), high, turned)]
    return []


def equations(context: Context, letters: Sequence[Term]) -> list[Proof]:
    """Return the equations of a context, and what inverses and means among letters obey."""
    out = [f for f in context.facts if is_matrix_equation(f.conclusion)]
    for f in list(out):
        out += _without_inverses(context, f)
    given = [w for f in out for t in f.conclusion.args for w in words_of(t)]
    pending = list(dict.fromkeys([*letters, *(a for w in given for a in w)]))
    seen: set[Term] = set()
    while pending:
        a = pending.pop(0)
        inner = a.args[0] if a.op in ("T", "minv") else a
        if a in seen:
            continue
        seen.add(a)
        for found in _about(context, a):
            out.append(found)
            words = [w for t in found.conclusion.args for w in words_of(t)]
            pending += [b for w in words for b in w]
        if a.op == "T":
            pending.append(inner)
    return out


def _without_inverses(context: Context, fact: Proof) -> list[Proof]:
    """Return an equation multiplied by what stands inverted at the ends of its words."""
    out = []
    for end in (0, -1):
        gap = words_of(pf.sub(*fact.conclusion.args))
        ends = {w[end] for w in gap if w and w[end].op == "minv"}
        for letter in sorted(ends, key=lambda a: a.key):
            cleared = _cleared(context, fact, gap, letter, end)
            if cleared is not None:
                fact = cleared
                out.append(fact)
                break
    return out


def _cleared(
    context: Context, fact: Proof, gap: dict[Word, Polynomial], letter: Term, end: int
) -> Proof | None:
    """Return A (L − R) = 0 for an equation L = R, or (L − R) A = 0, with A A⁻¹ taken out."""
    a = letter.args[0]
    law = inverse_law(context, a)
    if law is None:
        return None
    n = sizes(a.sort)[0]
    unit = term("I", (n,))
    if end == -1:
        law = mp(sized(axiom("left_inverse"), {"n": n}, A=a, B=letter), law)
    sort = fact.conclusion.args[0].sort
    addends, parts = [], []
    for w, p in gap.items():
        if w and w[end] is letter:
            rest = w[1:] if end == 0 else w[:-1]
            addends.append(scaled_word(p, rest, sort))
            scaled = {m: -c for m, c in p.items()}
            if end == 0:
                parts.append((scaled_word(scaled, (), f"M:{n}:{n}"), law, _identity(rest, n)))
            else:
                parts.append((scaled_word(scaled, rest, f"M:{n}:{n}"), law, unit))
        else:
            word = [a, *w] if end == 0 else [*w, a]
            addends.append(pf.scale(build(p), product(*word)))
    whole = term("+", (), addends) if len(addends) > 1 else addends[0]
    rows, columns = sizes(sort)
    sides = (a, term("I", (columns,))) if end == 0 else (term("I", (rows,)), a)
    goal = equation(whole, term("zero", (whole.sort,)))
    try:
        return pf.linear(goal, (sides[0], fact, sides[1]), *parts)
    except Refused:
        return None


def _identity(word: Word, n: str) -> Term:
    """Return the product of a word, and I of the empty word."""
    return product(*word) if word else term("I", (n,))


def _about(context: Context, a: Term) -> Iterator[Proof]:
    """Return what a letter obeys by what it is."""
    if a.op == "minv":
        inner = a.args[0]
        law = inverse_law(context, inner)
        if law is not None:
            yield law
            names = {"n": sizes(inner.sort)[0]}
            yield mp(sized(axiom("left_inverse"), names, A=inner, B=a), law)
        for f in context.facts:
            # A matrix that is known to be symmetric has the inverse of its transpose.
            p = f.conclusion
            turns = is_matrix_equation(p) and {t.op for t in p.args} == {"T", "v"}
            if turns and inner in p.args:
                yield pf.congruence(f, lambda z: term("minv", (), [z]))
    elif a.op == "E":
        found = mean_taken_apart(a) or mean_turned(a)
        if found is not None:
            yield found
    elif a.op == "T" and a.args[0].op == "E":
        found = mean_turned(a.args[0])
        if found is not None:
            yield pf.congruence(found, transposed)
    elif a.op == "sum":
        yield from _sum_taken_apart(context, a)
    elif a.op == "T" and a.args[0].op == "sum":
        low, high, body = a.args[0].args
        n, m = sizes(a.args[0].sort)
        values = {"lo": low, "hi": high, "f": function_of(body)}
        found = sized(lemma("matrix_sum_transpose"), {"m": m, "n": n}, **values)
        yield pf.convert(found, equation(a, found.conclusion.args[1]))


def _sum_taken_apart(context: Context, a: Term) -> Iterator[Proof]:
    """Return a sum of matrices by those of its addends, with what is constant taken out."""
    low, high, body = a.args
    i = pf.fresh("Z", "i")
    words = words_of(fill(body, (i,)))
    addends = []
    for word, p in words.items():
        part = scaled_word(p, word, a.sort)
        addends.append((part, _constant_taken_out(context, a, i, word, p)))
    if len(addends) == 1:
        ((_, found),) = addends
        if found is not None:
            yield pf.convert(found, equation(a, found.conclusion.args[1]))
        yield from _spans_inside(context, a, i, words)
        return
    if not addends:
        return
    rows, columns = sizes(a.sort)
    names, limits = {"m": rows, "n": columns}, {"lo": low, "hi": high}
    whole, total = addends[0][0], None
    for part, _ in addends[1:]:
        f, g = (function_of(pf.abstracted(t, [i])) for t in (whole, part))
        both = sized(lemma("matrix_sum_plus"), names, f=f, g=g, **limits)
        if total is not None:
            both = pf.rewrite(total, both, _replacing(both.conclusion, 0))
        total = both
        whole = term("+", (), [whole, part])
    assert total is not None
    yield pf.convert(total, equation(a, total.conclusion.args[1]))
    for _, found in addends:
        if found is not None:
            yield found


def _spans_inside(
    context: Context, a: Term, i: Term, words: dict[Word, Polynomial]
) -> Iterator[Proof]:
    """Return that the squares of unit columns under a sum add up to the identity."""
    (word,) = words
    inside = [k for k, letter in enumerate(word) if mentions(letter, i)]
    if inside:
        middle = product(*word[inside[0] : inside[-1] + 1])
        span = _unit_span(context, a.args[0], a.args[1], middle, i)
        if span is not None:
            yield span


def _constant_taken_out(
    context: Context, a: Term, i: Term, word: Word, p: Polynomial
) -> Proof | None:
    """Return Σ A fₖ B = A (Σ fₖ) B, or Σ cₖ A = (Σ cₖ) A, or None where nothing comes out."""
    low, high = a.args[:2]
    rows, columns = sizes(a.sort)
    limits = {"lo": low, "hi": high}
    moving = any(mentions(x, i) for m in p for x, _ in m)
    inside = [k for k, letter in enumerate(word) if mentions(letter, i)]
    if not inside:
        c = function_of(pf.abstracted(build(p), [i]))
        values = {"c": c, "A": scaled_word({(): Fraction(1)}, word, a.sort), **limits}
        found = sized(lemma("matrix_sum_scaled"), {"m": rows, "n": columns}, **values)
        return _counted(context, found) if not moving else found
    first, last = inside[0], inside[-1] + 1
    if (first, last) == (0, len(word)) and (moving or p == {(): Fraction(1)}):
        return None
    middle = product(*word[first:last])
    m, n = sizes(middle.sort)
    one: Polynomial = {(): Fraction(1)}
    left = scaled_word(one if moving else p, word[:first], f"M:{rows}:{m}")
    right = scaled_word(one, word[last:], f"M:{n}:{columns}")
    names = {"k": rows, "m": m, "n": n, "l": columns}
    f = function_of(pf.abstracted(pf.scale(build(p), middle) if moving else middle, [i]))
    found = sized(lemma("matrix_sum_product"), names, A=left, B=right, f=f, **limits)
    return pf.symmetric(found)


def _counted(context: Context, found: Proof) -> Proof:
    """Write (Σ c) A with the number of terms, where it is known."""
    scaled = found.conclusion.args[1]
    count = term("sum", (), [*scaled.args[0].args[:2], pf.number(1)])
    long = context.quick(pf.le(count.args[0], pf.add(count.args[1], 1)))
    if long is None:
        return found
    known = mp(lemma("sum_count", lo=count.args[0], hi=count.args[1]), long)
    matrix = pf.congruence(known, lambda z: pf.scale(z, scaled.args[1]))
    factor = quotient_of(scaled.args[0], count)
    if factor is None:
        return found
    value = pf.scale(pf.mul(factor, known.conclusion.args[1]), scaled.args[1])
    goal = equation(found.conclusion.args[0], value)
    rows, columns = sizes(scaled.sort)
    sides = term("I", (rows,)), term("I", (columns,))
    parts = (sides[0], found, sides[1]), (pf.scale(factor, sides[0]), matrix, sides[1])
    return pf.linear(goal, *parts)


def quotient_of(total: Term, count: Term) -> Term | None:
    """Return c where a sum is c times the number of its terms."""
    ((m, _),) = polynomial(count).items()
    rest = {n: quotient(n, m) for n in polynomial(total)}
    if not rest or None in rest.values():
        return None
    return build({k: polynomial(total)[n] for n, k in rest.items() if k is not None})


def _unit_span(context: Context, low: Term, high: Term, middle: Term, i: Term) -> Proof | None:
    """Return that the squares of all unit columns add up to the identity."""
    if middle.op != "mm" or middle.args[0].op != "unit" or len(middle.args) != 2:
        return None
    unit = middle.args[0]
    size = unit.data[0]
    if unit.args != (i,) or normal(transposed(unit)) is not normal(middle.args[1]):
        return None
    return unit_span(context, low, high, size)


def unit_span(context: Context, low: Term, high: Term, size: str) -> Proof | None:
    """Return that the squares of the unit columns of a range, if it is all of them, make I."""
    count = term("dim", (size,))
    same = context.quick(pf.eq(high, count))
    if context.quick(pf.eq(low, pf.whole(1))) is None or same is None:
        return None
    span = pf.sizes(axiom("unit_columns_span"), {"n": size})
    square = span.conclusion.args[0].args[2]

    def upto(t: Term) -> Term:
        whole = term("sum", (), [pf.whole(1), t, square])
        return equation(whole, term("I", (size,)))

    return pf.rewrite(pf.symmetric(same), span, upto)


def mean_taken_apart(a: Term) -> Proof | None:
    """Return E[Σ c U X V] = Σ c U E[X] V, or None where nothing comes out."""
    w = pf.fresh("W", "ω")
    rows, columns = sizes(a.sort)
    addends = []
    words = words_of(fill(a.args[0], (w,)))
    for word, p in words.items():
        if any(mentions(x, w) for m in p for x, _ in m):
            return None
        inside = [k for k, letter in enumerate(word) if mentions(letter, w)]
        if not inside:
            value = scaled_word(p, word, a.sort)
            addends.append((value, sized_mean("constant", a.sort, A=value)))
            continue
        low, high = inside[0], inside[-1] + 1
        middle = product(*word[low:high])
        m, n = sizes(middle.sort)
        left = scaled_word(p, word[:low], f"M:{rows}:{m}")
        right = scaled_word({(): Fraction(1)}, word[high:], f"M:{n}:{columns}")
        if len(words) == 1 and (low, high) == (0, len(word)) and p == {(): Fraction(1)}:
            return None
        names = {"k": rows, "m": m, "n": n, "l": columns}
        body = pf.abstracted(middle, [w])
        rule = sized(
            lemma("mean_of_matrix_product"),
            names,
            A=left,
            B=right,
            X=function_of(body),
        )
        addends.append((product(left, middle, right), rule))
    if not addends:
        return None
    whole, found = addends[0]
    for t, law in addends[1:]:
        bodies = [pf.abstracted(x, [w]) for x in (whole, t)]
        rule = sized_mean("sum", a.sort)
        both = pf.instance(rule, {n: function_of(b) for n, b in zip("XY", bodies, strict=True)})
        moved = pf.rewrite(found, both, _replacing(both.conclusion, 0))
        found = pf.rewrite(law, moved, _replacing(moved.conclusion, 1))
        whole = term("+", (), [whole, t])
    return pf.convert(found, equation(a, found.conclusion.args[1]))


def mean_turned(a: Term) -> Proof | None:
    """Return E[X] = E[Xᵀ]ᵀ, if Xᵀ has no more transposed letters than X, or None."""
    w = pf.fresh("W", "ω")
    words = words_of(fill(a.args[0], (w,)))
    if len(words) != 1:
        return None
    ((word, p),) = words.items()
    turned = transposed(product(*word))
    ((back, _),) = words_of(turned).items()
    if p != {(): Fraction(1)} or sum(x.op == "T" for x in back) > sum(x.op == "T" for x in word):
        return None
    rows, columns = sizes(a.sort)
    rule = sized(lemma("mean_of_matrix_transpose"), {"m": columns, "n": rows})
    found = pf.instance(rule, {"X": function_of(pf.abstracted(turned, [w]))})
    return pf.convert(found, equation(a, found.conclusion.args[1]))


def _replacing(p: Term, k: int) -> Callable[[Term], Term]:
    """Return the equation p with something in place of an addend on its right."""
    left, right = p.args

    def put(z: Term) -> Term:
        return equation(left, term("+", (), [*right.args[:k], z, *right.args[k + 1 :]]))

    return put


def function_of(body: Term) -> Callable[[Term], Term]:
    """Return the function of an outcome that a body is."""
    return lambda o: fill(body, (o,))


def sized_mean(kind: str, sort: str, **values: Any) -> Proof:
    """Use a law of the means of matrices of a sort."""
    rows, columns = sizes(sort)
    return sized(lemma(f"mean_of_matrix_{kind}"), {"m": rows, "n": columns}, **values)


def mentions(t: Term, x: Term) -> bool:
    """Whether the symbol x is free in t."""
    return (x.data[0], x.data[1], ()) in t.free


def scaled_word(p: Polynomial, word: Word, sort: str) -> Term:
    """Return a number times a word; of no letters it is the identity."""
    body = product(*word) if word else term("I", (sizes(sort)[0],))
    return body if p == {(): Fraction(1)} else pf.scale(build(p), body)


def numbers(words: Iterable[Word]) -> list[Proof]:
    """Return that the parts of words with one row and one column are numbers times the identity."""
    found: dict[Word, Proof] = {}
    for word in words:
        starts = [k for k, a in enumerate(word) if sizes(a.sort)[0] == "1"]
        for k in starts:
            ends = [e for e in range(k, len(word)) if sizes(word[e].sort)[1] == "1"]
            if ends and word[k : ends[0] + 1] not in found:
                part = word[k : ends[0] + 1]
                found[part] = one_by_one(product(*part))
    return list(found.values())


def one_by_one(a: Term) -> Proof:
    """Return that a matrix with one row and one column is its trace times the identity."""
    law = sized(axiom("one_by_one"), {"k": "1"}, A=a)
    return mp(law, pf.ring(pf.eq(term("dim", ("1",)), 1)))


# ---------------------------------------------------------------------- equations


def prove(context: Context, goal: Term, depth: int = 0) -> Proof | None:
    """Prove an equation of matrices from others."""
    from .reduction import by_columns, prove_equation

    return (
        (prove_equation(context, goal) if depth == 0 else None)
        or _from_equations(context, goal)
        or (_multiplied(context, goal, depth) if depth < DEEP else None)
        or (_without_distance(context, goal) if depth == 0 else None)
        or (by_columns(context, goal) if depth == 0 else None)
    )


def _without_distance(context: Context, goal: Term) -> Proof | None:
    """Prove A = B where facts say that the squared distance tr (A − B)ᵀ(A − B) is zero."""
    gap = pf.sub(*goal.args)
    square = pf.eq(term("tr", (), [product(transposed(gap), gap)]), 0)
    given = any(is_matrix_equation(f.conclusion) for f in context.facts)
    flat = context.attempt(square) if given and context.depth == 0 else context.quick(square)
    if flat is None:
        return None
    m, n = sizes(gap.sort)
    zero = mp(sized(axiom("trace_definite"), {"m": m, "n": n}, B=gap), flat)
    return pf.linear(goal, (term("I", (m,)), zero, term("I", (n,))))


def _multiplied(context: Context, goal: Term, depth: int) -> Proof | None:
    """Prove C⁻¹Y = Z by Y = CZ, or YC⁻¹ = Z by Y = ZC."""
    for turned in (False, True):
        a, b = goal.args[::-1] if turned else goal.args
        words = words_of(a)
        if len(words) != 1 or next(iter(words.values())) != {(): Fraction(1)}:
            continue
        (word,) = words
        for end in (0, -1):
            if not word or word[end].op != "minv":
                continue
            c = word[end].args[0]
            law = inverse_law(context, c)
            if law is None:
                continue
            n = sizes(c.sort)[0]
            one, (rows, columns) = term("I", (n,)), sizes(a.sort)
            rest = word[1:] if end == 0 else word[:-1]
            other = _identity(rest, n)
            if end == 0:
                law = mp(sized(axiom("left_inverse"), {"n": n}, A=c, B=word[0]), law)
                aim = equation(other, product(c, b))
            else:
                aim = equation(other, product(b, c))
            inner = prove(context, aim, depth + 1)
            if inner is None:
                continue
            if end == 0:
                parts = [(word[0], inner, term("I", (columns,))), (one, law, b)]
            else:
                parts = [(term("I", (rows,)), inner, word[-1]), (b, law, one)]
            return pf.convert(pf.linear(equation(a, b), *parts), goal)
    return None


def _from_equations(context: Context, goal: Term) -> Proof | None:
    """Prove an equation of matrices as a combination of others."""
    a, b = goal.args
    target = _row(pf.sub(b, a), (), (), ())
    letters = [letter for w, _ in target for letter in w]
    known = equations(context, letters)
    inside = [w for f in known for t in f.conclusion.args for w in words_of(t)]
    known += numbers([*(w for w, _ in target), *inside])
    gaps = [words_of(pf.sub(*f.conclusion.args[::-1])) for f in known]
    atoms = dict.fromkeys(x for _, m in target for x, _ in m)
    atoms |= dict.fromkeys(x for gap in gaps for p in gap.values() for m in p for x, _ in m)
    units = {}
    for x in [x.args[0] for x in atoms if x.op == "inv"]:
        other = context.not_zero(x)
        if other is not None:
            units[x] = mp(axiom("inverse", x=x), other)
    found = _combined(target, gaps, list(units))
    if found is None:
        return None
    parts = []
    for (e, left, right, m), c in found.items():
        if isinstance(e, Term):
            word = scaled_word({(): Fraction(1)}, left, a.sort)
            one = pf.congruence(units[e], _multiple(word))
            rows, columns = sizes(a.sort)
            before = scaled_word({m: c}, (), f"M:{rows}:{rows}")
            parts.append((before, one, term("I", (columns,))))
            continue
        rows, columns = sizes(known[e].conclusion.args[0].sort)
        outer = sizes(a.sort)
        before = scaled_word({m: c}, left, f"M:{outer[0] if left else rows}:{rows}")
        after = scaled_word({(): Fraction(1)}, right, f"M:{columns}:{columns}")
        parts.append((before, known[e], after))
    try:
        return pf.linear(goal, *parts)
    except Refused:
        return None


def _multiple(a: Term) -> Callable[[Term], Term]:
    """Return z ↦ z·A."""
    return lambda z: pf.scale(z, a)


def _row(t: Term, left: Word, right: Word, factor: Monomial) -> Row:
    """Return the entries of L t R times a monomial, by word and monomial."""
    out: Row = {}
    for w, p in words_of(t).items():
        for m, c in times({factor: Fraction(1)}, p).items():
            out[left + w + right, m] = c
    return out


def _combined(
    target: Row, gaps: Sequence[dict[Word, Polynomial]], units: Sequence[Term]
) -> dict[Part, Fraction] | None:
    """Return the multiples of equations, used at places of words, that add up to a row.

    For x among ``units``, which may be sums, x (1/x) may be put as one.
    """
    rows: dict[Part, Row] = {}
    frontier, wanted = list(target), set(target)
    for _ in range(ROUNDS):
        new: dict[tuple[Word, Monomial], None] = {}
        for e, gap in enumerate(gaps):
            for part in _places(gap, frontier):
                key = (e, *part)
                if key in rows or len(rows) >= MOST:
                    continue
                left, right, factor = part
                row: Row = {}
                for w, p in gap.items():
                    for m, c in times({factor: Fraction(1)}, p).items():
                        row[left + w + right, m] = c
                rows[key] = row
                new |= dict.fromkeys(k for k in row if k not in wanted)
        for x in units:
            # x (1/x) = 1, where x may be a sum.
            one = plus({(): Fraction(1)}, polynomial(pf.mul(x, pf.inv(x))), Fraction(-1))
            for word, m in frontier:
                for t in filter(None, one):
                    rest = quotient(m, t)
                    if rest is None or (x, word, (), rest) in rows or len(rows) >= MOST:
                        continue
                    row = {(word, k): c for k, c in times({rest: Fraction(1)}, one).items()}
                    rows[x, word, (), rest] = row
                    new |= dict.fromkeys(k for k in row if k not in wanted)
        frontier = list(new)
        wanted |= set(new)
        if not frontier:
            break
    found = combination(target, list(rows.values()), [True] * len(rows))
    if found is None:
        return None
    names = list(rows)
    return {names[k]: c for k, c in found.items()}


def _places(
    gap: dict[Word, Polynomial], frontier: Sequence[tuple[Word, Monomial]]
) -> Iterator[tuple[Word, Word, Monomial]]:
    """Yield the words left and right of a word of an equation, and the factor, that fit."""
    longest = max(map(len, gap), default=0)
    for w, p in gap.items():
        if not w or (len(w) < min(longest, 2) and w[0].op != "sum"):
            continue
        for word, n in frontier:
            for k in range(len(word) - len(w) + 1):
                if word[k : k + len(w)] == w:
                    for m in p:
                        factor = quotient(n, m)
                        if factor is not None:
                            yield word[:k], word[k + len(w) :], factor


# ---------------------------------------------------------------------- traces


def letters_of(a: Term) -> Word:
    """Return the letters of the word of which an atom is the trace."""
    inner = a.args[0]
    return inner.args if inner.op == "mm" else (inner,)


def rotations(letters: Word) -> Iterator[Word]:
    """Yield the rotations of a word and of its transpose: they have one trace."""
    whole = normal(transposed(product(*letters)))
    back = whole.args if whole.op == "mm" else (whole,)
    for word in (letters, back):
        for k in range(len(word)):
            yield word[k:] + word[:k]


def traces(context: Context, a: Term) -> Iterator[Proof]:
    """Return what equations between words say of the trace of a word."""
    letters = letters_of(a)
    known = equations(context, letters)
    sums = [f for f in known if any(t.op == "sum" for t in f.conclusion.args)]
    named = [t for f in sums for t in f.conclusion.args if t.op == "v"]
    for found in known:
        # Nothing is written as a sum under another one; the identity only where no letter is one.
        plain = [x.args[0] if x.op == "T" else x for x in letters]
        summed = any(x.op == "sum" or x in named for x in plain)
        if found in sums and (context.depth > 0 or (summed and () in _gap(found))):
            continue
        yield from _traces_by(found, letters)
    yield from _nonnegative(context, letters)
    yield from trace_values(letters)
    if context.depth == 0 and not any(_has_unit(x) or x.op == "sum" for x in letters):
        for size, low, high in context.spans:
            span = unit_span(context, low, high, size)
            if span is not None:
                yield from _traces_by(span, letters)


def _has_unit(t: Term) -> bool:
    """Whether a unit column stands in a term."""
    return t.op == "unit" or any(map(_has_unit, t.args))


def spans_of(goal: Term) -> list[tuple[str, Term, Term]]:
    """Return the ranges of the sums in a goal in which unit columns occur, with their sizes."""
    out: dict[tuple[str, Term, Term], None] = {}
    pending, seen = [goal], set[Term]()
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        if t.op == "sum" and not t.loose:
            inside, names = [t.args[2]], set[str]()
            while inside:
                s = inside.pop()
                names |= {s.data[0]} if s.op == "unit" else set()
                inside += s.args
            out |= dict.fromkeys((name, t.args[0], t.args[1]) for name in sorted(names))
        pending += t.args
    return list(out)


def trace_values(letters: Word) -> Iterator[Proof]:
    """Return the trace of a product of numbers as their product, and that of a sum as a sum."""
    for word in rotations(letters):
        if word[0].op == "sum":
            m, n = sizes(word[0].sort)
            low, high, body = word[0].args
            rest = scaled_word({(): Fraction(1)}, word[1:], f"M:{n}:{n}")
            rule = sized(
                lemma("trace_of_sum"),
                {"m": m, "n": n},
                lo=low,
                hi=high,
                B=rest,
                f=function_of(body),
            )
            yield rule
            return
    cuts = [k for k, letter in enumerate(letters) if sizes(letter.sort)[0] == "1"]
    if len(cuts) > 1:
        turned = letters[cuts[0] :] + letters[: cuts[0]]
        yield from _traces_by(one_by_one(product(*turned[: cuts[1] - cuts[0]])), letters)


def _before(word: Word) -> Callable[[Term], Term]:
    """Return Z ↦ tr(Z W)."""
    return lambda z: term("tr", (), [product(z, *word)])


def _gap(found: Proof) -> dict[Word, Polynomial]:
    """Return L − R of an equation L = R, by words."""
    return words_of(pf.sub(*found.conclusion.args[::-1]))


def _nonnegative(context: Context, letters: Word) -> Iterator[Proof]:
    """Return tr BᵀAB ≥ 0 where A is positive semidefinite or left out; > 0 where it is definite."""
    for word in rotations(letters):
        if len(word) > 8:
            return
        for middle in range(len(word) + 1):
            half, odd = divmod(len(word) - middle, 2)
            if odd or not half:
                continue
            n = sizes(word[0].sort)[0]
            b = product(*word[middle : middle + half])
            if normal(transposed(b)) is not normal(product(*word[middle + half :])):
                continue
            found = _square_sign(context, product(*word[:middle]) if middle else None, b, n)
            if found is not None:
                yield found
                return


def _square_sign(context: Context, a: Term | None, b: Term, n: str) -> Proof | None:
    """Return tr BᵀAB > 0 or ≥ 0, with I for A if it is None."""
    columns = sizes(b.sort)[1]
    if a is None:
        return pf.instance(pf.sizes(axiom("trace_square"), {"m": n, "n": columns}), {"B": b})
    apart = context.said(pf.negation(equation(b, term("zero", (b.sort,)))))
    definite = definite_law(context, a) if apart is not None and columns == "1" else None
    if definite is not None:
        return mp(pf.specialise(definite, b), apart)
    positive = semidefinite_law(context, a) if a.op == "v" else None
    if positive is None:
        return None
    return mp(sized(lemma("semidefinite_trace"), {"n": n, "m": columns}, A=a, B=b), positive)


def _traces_by(found: Proof, letters: Word) -> Iterator[Proof]:
    """Yield the traces of an identity of matrices, each side multiplied by the same letters."""
    gap = words_of(pf.sub(*found.conclusion.args[::-1]))
    longest = max(map(len, gap), default=0)
    seen: set[Word] = set()
    if () in gap and any(a.op == "sum" for w in gap for a in w):
        # The identity is a sum: it may stand before any letter.
        n = sizes(found.conclusion.args[0].sort)[0]
        for word in rotations(letters):
            if sizes(word[0].sort)[0] == n and not any(a.op == "sum" for a in word):
                yield pf.congruence(found, _before(word))
                return
    for w in gap:
        if not w or len(w) < longest:
            continue
        for word in rotations(letters):
            rest = word[len(w) :]
            if word[: len(w)] == w and rest not in seen:
                seen.add(rest)

                def put(z: Term, rest: Word = rest) -> Term:
                    return term("tr", (), [product(z, *rest)])

                yield pf.congruence(found, put)


def means(context: Context, a: Term) -> Iterator[Proof]:
    """Return what the mean of a trace is: that of an equal one, or the trace of a mean."""
    w = pf.fresh("W", "ω")
    body = fill(a.args[0], (w,))
    p = polynomial(body)
    if len(p) != 1:
        return
    ((m, c),) = p.items()
    inside = [(x, k) for x, k in m if mentions(x, w)]
    if c != 1 or len(m) != 1 or len(inside) != 1 or inside[0][1] != 1 or inside[0][0].op != "tr":
        return
    letters = letters_of(inside[0][0])
    for found in equations(context, letters):
        if any(mentions(h, w) for h in found.hypotheses):
            continue
        for same in _traces_by(found, letters):
            left, right = (pf.abstracted(t, [w]) for t in same.conclusion.args)
            rule = lemma(
                "mean_congruence",
                f=function_of(left),
                g=function_of(right),
            )
            yield mp(rule, generalise(w, same))
    for word in rotations(letters):
        count = sum(mentions(x, w) for x in word)
        if not all(mentions(x, w) for x in word[:count]):
            continue
        middle = product(*word[:count])
        rows, columns = sizes(middle.sort)
        rest = scaled_word({(): Fraction(1)}, word[count:], f"M:{columns}:{rows}")
        body = pf.abstracted(middle, [w])
        yield sized(
            axiom("mean_matrix"),
            {"m": rows, "n": columns},
            X=function_of(body),
            B=rest,
        )


__all__ = [
    "determinant",
    "determinant_update",
    "inverse_law",
    "letters_of",
    "means",
    "prove",
    "traces",
    "words_of",
]
