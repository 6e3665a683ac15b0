"""The normal form: two terms with the same one have the same value in every model.

Numbers are polynomials {monomial: coefficient} over atoms, monomials sorted tuples of
(atom, power); vectors are {atom: polynomial}, matrices {word of atoms: polynomial}. What is used,
and why it holds also at zero and for empty ranges:

1.  + and · of numbers form a commutative ring; a power is a repeated product (x⁰ = 1).
2.  xᵖ·(1/x)^q is x^(p−q) for p > q and (1/x)^(q−p) for q > p; for p = q it is left as x·(1/x),
    which is 1 for x ≠ 0 and 0 for x = 0. At x = 0 both sides of the first two are 0.
3.  1/(x·y) = (1/x)(1/y) and 1/(1/x) = x, also at zero; 1/c for a number c ≠ 0; 1/0 = 0.
4.  exp x · exp y = exp(x + y), exp 0 = 1, 1/exp x = exp(−x); exp is never zero.
5.  An indicator is 0 or 1, so its powers are itself. max and min do not depend on the order.
6.  Integers lie in the reals as a subring: ``of`` commutes with +, · and numbers. dim 3 is 3.
7.  Σ is linear, what does not depend on the index comes out, and finite sums with limits that do
    not depend on each other's index may be exchanged; all of it holds for empty ranges, where sums
    are 0. A sum between two numerals is written out.
8.  Π of a product is the product of the Π, Π(1/x) = 1/Πx, Π exp x = exp Σx; for empty ranges both
    sides are 1. A product between two numerals is written out.
9.  E of numbers is linear and E c = c: it is a mean over finitely many outcomes, with weights of
    sum 1. E of vectors or matrices is an atom, and so is an integral.
10. ⟨·,·⟩ is bilinear and symmetric; multiples and sums of vectors obey the laws of a vector space.
11. Matrices: associative and bilinear products, (AB)ᵀ = BᵀAᵀ, Aᵀᵀ = A, IA = A, (A⁻¹)ᵀ = (Aᵀ)⁻¹
    (for a singular A both sides are 0), tr is linear, tr A = tr Aᵀ, tr AB = tr BA, tr Iₙ = n,
    Iᵀ = I. A sum of matrices over a range, a unit column and a mean of matrices are atoms.
12. p = q, p ≤ q, p < q say the same of 0 and a positive multiple of q − p (any multiple for =).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import gcd, lcm

from .terms import Term, fill, fuel, is_numeral, make, renumber, shift, sizes

Monomial = tuple[tuple[Term, int], ...]
Polynomial = dict[Monomial, Fraction]
Word = tuple[Term, ...]
UNIT = Fraction(1)
ONE: Polynomial = {(): UNIT}
WRITTEN_OUT = 24  # the longest sum or product between numerals that is written out
EXCHANGED = 4  # the most nested sums of which all orders are tried


def plus(p: Polynomial, q: Polynomial, c: Fraction = UNIT) -> Polynomial:
    """Return p + c q; treat it as unchangeable, since it may be q itself."""
    if not p and c is UNIT:
        return q
    out = dict(p)
    for m, k in q.items():
        _accumulate(out, m, k if c is UNIT else c * k)
    return out


def _accumulate(out: Polynomial, m: Monomial, c: Fraction) -> None:
    """Add c m to a polynomial under construction."""
    old = out.get(m)
    fuel.spend(1 if old is None else 1 + _length(old) * _length(c))
    total = c if old is None else old + c
    if total:
        out[m] = total
    else:
        out.pop(m, None)


def _length(c: Fraction) -> int:
    """Return how long a number is, in words: to multiply two takes the product of their lengths."""
    return (c.numerator.bit_length() + c.denominator.bit_length()) // 64


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return p q; treat it as unchangeable, since it may be p or q itself."""
    fuel.spend()
    if p == ONE or q == ONE:
        return q if p == ONE else p
    out: Polynomial = {}
    for m, a in p.items():
        for n, b in q.items():
            one = a == 1 or b == 1
            fuel.spend(1 + len(m) + len(n) + (0 if one else _length(a) * _length(b)))
            _accumulate(out, join(m, n), (b if a == 1 else a) if one else a * b)
    return out


def join(m: Monomial, n: Monomial) -> Monomial:
    """Return the product of two monomials (identities 2, 4 and 5)."""
    if not m or not n:
        return m or n
    powers: dict[Term, int] = {}
    exponent: Polynomial = {}
    for a, k in m + n:
        if a.op == "exp":
            exponent = plus(exponent, polynomial(a.args[0]), Fraction(k))
        else:
            powers[a] = 1 if a.op == "ind" else powers.get(a, 0) + k
    for a in [a for a in powers if a.op == "inv" and a.args[0] in powers]:
        x = a.args[0]
        over = powers.pop(x) - powers.pop(a)
        if over > 0:
            powers[x] = over
        elif over < 0:
            powers[a] = -over
        else:
            powers[x] = powers[a] = 1
    if exponent:
        powers[make("exp", (), [build(exponent)])] = 1
    return tuple(sorted(powers.items(), key=_factor_key))


def _factor_key(factor: tuple[Term, int]) -> tuple[object, ...]:
    return factor[0].key, factor[1]


def _monomial_key(m: Monomial) -> list[tuple[object, ...]]:
    return [_factor_key(f) for f in m]


def atom(a: Term) -> Polynomial:
    """Return an atom as a polynomial."""
    return {((a, 1),): UNIT}


def number(c: Fraction, sort: str = "R") -> Term:
    """Return a number as a term."""
    return make("q", (c.numerator, c.denominator)) if sort == "R" else make("z", (int(c),))


def build(p: Polynomial, sort: str = "R") -> Term:
    """Return the term that stands for a polynomial, always the same one."""
    terms = []
    for m in sorted(p, key=_monomial_key):
        factors = [a if k == 1 else make("pow", (k,), [a]) for a, k in m]
        if p[m] != 1 or not m:
            factors.insert(0, number(p[m], sort))
        terms.append(factors[0] if len(factors) == 1 else make("*", (), factors))
    if not terms:
        return number(Fraction(0), sort)
    return terms[0] if len(terms) == 1 else make("+", (), terms)


@cache
def polynomial(t: Term) -> Polynomial:
    """Return the polynomial of a number; treat it as unchangeable."""
    out: Polynomial = {}
    if t.op in ("q", "z"):
        value = Fraction(*t.data)
        return {(): value} if value else {}
    if t.op == "dim" and is_numeral(t.data[0]):
        return {(): Fraction(int(t.data[0]))}
    if t.op == "+":
        for a in t.args:
            out = plus(out, polynomial(a))
        return out
    if t.op in ("*", "pow"):
        out = ONE
        for a in t.args * (t.data[0] if t.op == "pow" else 1):
            out = times(out, polynomial(a))
        return out
    if t.op == "inv":
        return reciprocal(polynomial(t.args[0]))
    if t.op == "of":
        for m, c in polynomial(t.args[0]).items():
            factors = [(make("of", (), [a]), k) for a, k in m]
            out = plus(out, {tuple(sorted(factors, key=_factor_key)): c})
        return out
    if t.op == "exp":
        p = polynomial(t.args[0])
        return atom(make("exp", (), [build(p)])) if p else ONE
    if t.op in ("sum", "prod"):
        return _range(t)
    if t.op == "E":
        for m, c in polynomial(t.args[0]).items():
            out = plus(out, _mean(m), c)
        return out
    if t.op == "dot":
        left, right = vector(t.args[0]), vector(t.args[1])
        for u, p in left.items():
            for v, q in right.items():
                out = plus(out, times(times(p, q), _dot(u, v)))
        return out
    if t.op == "tr":
        for w, p in matrix(t.args[0]).items():
            out = plus(out, times(p, _trace(w, t.args[0].sort)))
        return out
    if t.op in ("max", "min"):
        sides = sorted((normal(a) for a in t.args), key=lambda a: a.key)
        return atom(make(t.op, (), sides))
    return atom(make(t.op, t.data, [normal(a) for a in t.args]))


def reciprocal(p: Polynomial) -> Polynomial:
    """Return 1/p (identities 3 and 4); a sum of several terms is made primitive first."""
    if not p:
        return {}
    if len(p) > 1:
        lead = p[min(p, key=_monomial_key)]
        return {((make("inv", (), [build(plus({}, p, 1 / lead))]), 1),): 1 / lead}
    ((m, c),) = p.items()
    out: Polynomial = {(): 1 / c}
    for a, k in m:
        if a.op == "exp":
            opposite = plus({}, polynomial(a.args[0]), Fraction(-k))
            out = times(out, atom(make("exp", (), [build(opposite)])))
        else:
            b = polynomial(a.args[0]) if a.op == "inv" else atom(make("inv", (), [a]))
            for _ in range(k):
                out = times(out, b)
    return out


def _has(t: Term, k: int = 0) -> bool:
    """Say whether the loose index k occurs in t."""
    return k < t.loose and k in t.indices


def _split(m: Monomial) -> tuple[Monomial, Monomial]:
    """Return the factors without the index 0, lowered, and those with it; exp(a + b) is split."""
    out: list[tuple[Term, int]] = []
    kept: list[tuple[Term, int]] = []
    for a, k in m:
        if not _has(a):
            out.append((shift(a, -1), k))
        elif a.op != "exp":
            kept.append((a, k))
        else:
            p = polynomial(a.args[0])
            inside = {n: c for n, c in p.items() if any(_has(b) for b, _ in n)}
            outside = {n: c for n, c in p.items() if n not in inside}
            kept.append((make("exp", (), [build(inside)]), k))
            if outside:
                out.append((shift(make("exp", (), [build(outside)]), -1), k))
    return tuple(sorted(out, key=_factor_key)), tuple(sorted(kept, key=_factor_key))


def _range(t: Term) -> Polynomial:
    """Return a sum or product over a range (identities 7 and 8)."""
    low, high, body = normal(t.args[0]), normal(t.args[1]), t.args[2]
    adds = t.op == "sum"
    out: Polynomial = {} if adds else ONE
    if low.op == high.op == "z" and high.data[0] - low.data[0] < WRITTEN_OUT:
        for k in range(low.data[0], high.data[0] + 1):
            value = polynomial(fill(body, (make("z", (k,)),)))
            out = plus(out, value) if adds else times(out, value)
        return out
    p = polynomial(body)
    if adds:
        for m, c in p.items():
            out = plus(out, _sum(low, high, m), c)
        return out
    if p == ONE:
        return ONE
    if len(p) != 1:
        return atom(make("prod", (), [low, high, build(p)]))
    ((m, c),) = p.items()
    if c != 1:
        out = atom(make("prod", (), [low, high, number(c)]))
    for a, k in m:
        if a.op == "exp":
            factor = polynomial(make("exp", (), [make("sum", (), [low, high, a.args[0]])]))
        elif a.op == "inv":
            factor = reciprocal(atom(make("prod", (), [low, high, a.args[0]])))
        else:
            factor = atom(make("prod", (), [low, high, a]))
        for _ in range(k):
            out = times(out, factor)
    return out


def _sum(low: Term, high: Term, m: Monomial) -> Polynomial:
    """Return the sum of a monomial over the index 0, nested sums in the least of their orders."""
    out, kept = _split(m)
    ranges, body = [(low, high)], kept
    while (inner := _inner_sum(body, len(ranges))) is not None:
        body = _entered(body, inner)
        ranges.append((shift(inner.args[0], -len(ranges)), shift(inner.args[1], -len(ranges))))
    depth = len(ranges)
    orders = permutations(range(depth)) if depth <= EXCHANGED else [tuple(range(depth))]
    term = build({body: Fraction(1)})
    candidates = [_nested(ranges, term, order) for order in orders]
    return {join(out, ((min(candidates, key=lambda t: t.key), 1),)): Fraction(1)}


def _inner_sum(m: Monomial, depth: int) -> Term | None:
    """Return a factor that is a sum of one monomial whose limits do not use the inner indices."""
    for a, _ in m:
        if a.op == "sum" and not any(_has(t, k) for t in a.args[:2] for k in range(depth)):
            p = polynomial(a.args[2])
            if len(p) == 1 and next(iter(p.values())) == 1:
                return a
    return None


def _entered(m: Monomial, inner: Term) -> Monomial:
    """Return what stands under the inner sum when the other factors are multiplied into it."""
    rest = [(shift(a, 1), k - (a is inner)) for a, k in m if k > (a is inner)]
    ((n, _),) = polynomial(inner.args[2]).items()
    return join(tuple(sorted(rest, key=_factor_key)), n)


def _nested(ranges: list[tuple[Term, Term]], body: Term, order: tuple[int, ...]) -> Term:
    """Return nested sums over ranges (the last one innermost), taken in another order."""
    depth = len(ranges)
    if order != tuple(range(depth)):
        # Index k belongs to range depth-1-k; it moves to where the order puts that range.
        place = {r: depth - 1 - position for position, r in enumerate(order)}
        moved = renumber(body, lambda k: place[depth - 1 - k] if k < depth else k)
        body = build(polynomial(moved))
    for position in reversed(range(depth)):
        low, high = (shift(t, position) for t in ranges[order[position]])
        body = make("sum", (), [low, high, body])
    return body


def _mean(m: Monomial) -> Polynomial:
    """Return the expectation of a monomial: constants and finite sums come out."""
    out, kept = _split(m)
    if not kept:
        return {out: Fraction(1)}
    inner = _inner_sum(kept, 1)
    if inner is None:
        mean = make("E", (), [build({kept: Fraction(1)})])
        return {join(out, ((mean, 1),)): Fraction(1)}
    body = build({_entered(kept, inner): Fraction(1)})
    body = renumber(body, lambda k: 1 - k if k < 2 else k)
    low, high = (shift(t, -1) for t in inner.args[:2])
    total = make("sum", (), [low, high, make("E", (), [body])])
    return times({out: Fraction(1)}, polynomial(total))


def vector(t: Term) -> dict[Term, Polynomial]:
    """Return a vector as a combination of atoms."""
    return {w[0]: p for w, p in matrix(t).items()}


@cache
def matrix(t: Term) -> dict[Word, Polynomial]:
    """Return a vector or matrix by its words (identities 10 and 11); treat it as unchangeable.

    The words of a vector are single atoms; the empty word is the identity matrix.
    """
    out: dict[Word, Polynomial] = {}
    if t.op == "+":
        for a in t.args:
            _add(out, matrix(a), ONE)
    elif t.op == "sc":
        _add(out, matrix(t.args[1]), polynomial(t.args[0]))
    elif t.op == "sum" and t.sort == "V":
        _vector_sum(t, out)
    elif t.op == "I":
        out[()] = ONE
    elif t.op == "mm":
        out[()] = ONE
        for a in t.args:
            before, more, out = out, matrix(a), {}
            for w, p in before.items():
                fuel.spend(len(more) * len(w) + sum(map(len, more)))
                _add(out, {w + v: q for v, q in more.items()}, p)
    elif t.op == "T":
        for w, p in matrix(t.args[0]).items():
            # Words that are equal and did not look so may look so when they are transposed.
            _add(out, {_transpose(w): p}, ONE)
    elif t.op != "zero":
        out[(make(t.op, t.data, [normal(a) for a in t.args]),)] = ONE
    return {w: p for w, p in out.items() if p}


def _add(out: dict[Word, Polynomial], more: dict[Word, Polynomial], c: Polynomial) -> None:
    for w, p in more.items():
        out[w] = plus(out.get(w, {}), times(c, p))


def _vector_sum(t: Term, out: dict[Word, Polynomial]) -> None:
    low, high, body = normal(t.args[0]), normal(t.args[1]), t.args[2]
    if low.op == high.op == "z" and high.data[0] - low.data[0] < WRITTEN_OUT:
        for k in range(low.data[0], high.data[0] + 1):
            _add(out, matrix(fill(body, (make("z", (k,)),))), ONE)
        return
    for a, p in vector(body).items():
        for m, c in p.items():
            if not _has(a):
                _add(out, {(shift(a, -1),): _sum(low, high, m)}, {(): c})
                continue
            before, kept = _split(m)
            inner = a.args[2].args[1] if a.op == "sum" else a
            if a.op == "sum" and not any(map(_has, a.args[:2])) and not _has(inner, 1):
                # Σᵢ cᵢ Σⱼ dᵢⱼ vⱼ = Σⱼ (Σᵢ cᵢ dᵢⱼ) vⱼ, since vⱼ and the limits are free of i.
                factor = make("*", (), [shift(build({kept: Fraction(1)}), 1), a.args[2].args[0]])
                swapped = renumber(factor, lambda k: 1 - k if k < 2 else k)
                limits = [shift(x, 1) for x in (low, high)]
                coefficient = make("sum", (), [*limits, swapped])
                moved = make("sc", (), [coefficient, renumber(inner, lambda k: k - (k > 0))])
                lows = [shift(x, -1) for x in a.args[:2]]
                _add(out, matrix(make("sum", (), [*lows, moved])), {before: c})
            else:
                one = make("sc", (), [build({kept: Fraction(1)}), a])
                _add(out, {(make("sum", (), [low, high, one]),): ONE}, {before: c})


def _dot(u: Term, v: Term) -> Polynomial:
    """Return the inner product of two atoms, the sum of products if one is a sum."""
    if u.op != "sum":
        u, v = v, u
    if u.op != "sum":
        return atom(make("dot", (), sorted((u, v), key=lambda t: t.key)))
    low, high, body = u.args
    return polynomial(make("sum", (), [low, high, make("dot", (), [body, shift(v, 1)])]))


def _transpose(w: Word) -> Word:
    out = []
    for a in reversed(w):
        if a.op == "T":
            out.append(a.args[0])
        elif a.op == "minv":
            out.append(make("minv", (), [normal(make("T", (), [a.args[0]]))]))
        else:
            out.append(make("T", (), [a]))
    return tuple(out)


def _trace(w: Word, sort: str) -> Polynomial:
    """Return the trace of a word: the least of its rotations and those of its transpose."""
    if not w:
        return polynomial(make("of", (), [make("dim", (sizes(sort)[0],))]))
    fuel.spend(len(w) ** 2)
    turns = [v[k:] + v[:k] for v in (w, _transpose(w)) for k in range(len(w))]
    best = min(turns, key=lambda v: [a.key for a in v])
    return atom(make("tr", (), [_word(best, sort)]))


def _word(w: Word, sort: str) -> Term:
    if not w:
        return make("I", (sizes(sort)[0],))
    return w[0] if len(w) == 1 else make("mm", (), w)


def combination(t: Term) -> list[tuple[Term, Polynomial]]:
    """Return a vector or matrix as (atom or product, coefficient), in order."""
    pairs = [(_word(w, t.sort), p) for w, p in matrix(t).items()]
    return sorted(pairs, key=lambda pair: pair[0].key)


@cache
def normal(t: Term) -> Term:
    """Return the normal form of a term. Equal ones have equal values in every model."""
    if t.sort in ("R", "Z"):
        return build(polynomial(t), t.sort)
    if t.op in ("=", "<=", "<"):
        return _relation(t)
    if t.sort in ("W", "U", "P"):
        return make(t.op, t.data, [normal(a) for a in t.args])
    return _vector_term(combination(t), t.sort)


def _vector_term(pairs: list[tuple[Term, Polynomial]], sort: str) -> Term:
    parts = [a if p == ONE else make("sc", (), [build(p), a]) for a, p in pairs]
    if not parts:
        return make("zero", (sort,))
    return parts[0] if len(parts) == 1 else make("+", (), parts)


def true() -> Term:
    """Return a proposition that holds."""
    return make("->", (), [make("F"), make("F")])


def _relation(t: Term) -> Term:
    """Return 0 against the difference of the sides, without a common factor (identity 12)."""
    left, right = t.args
    sort = left.sort
    if sort in ("R", "Z"):
        p = plus(polynomial(right), polynomial(left), Fraction(-1))
        if set(p) <= {()}:
            c = p.get((), Fraction(0))
            holds = c == 0 if t.op == "=" else c >= 0 if t.op == "<=" else c > 0
            return true() if holds else make("F")
        scale = _scale([p], t.op)
        return make(t.op, (), [number(Fraction(0), sort), build(plus({}, p, scale), sort)])
    minus = make("sc", (), [number(Fraction(-1)), left])
    pairs = combination(make("+", (), [right, minus]))
    if not pairs:
        return true()
    scale = _scale([p for _, p in pairs], t.op)
    scaled = [(a, plus({}, p, scale)) for a, p in pairs]
    return make("=", (), [make("zero", (sort,)), _vector_term(scaled, sort)])


def _scale(parts: list[Polynomial], relation: str) -> Fraction:
    """Return the number that makes coefficients whole and prime, and the first of an equation > 0.

    It is positive for an order.
    """
    coefficients = [c for p in parts for c in p.values()]
    top = lcm(*(c.denominator for c in coefficients))
    negative = relation == "=" and parts[0][min(parts[0], key=_monomial_key)] < 0
    return Fraction(-top if negative else top, gcd(*(c.numerator for c in coefficients)))
