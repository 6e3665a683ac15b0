"""Lemmas on matrices, traces and definiteness."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import build, variable
from ..proofs import (
    Proof,
    absurd,
    add,
    assume,
    axiom,
    by_cases,
    by_order,
    discharge,
    each,
    each_at,
    each_intro,
    eq,
    false,
    forall,
    generalise,
    implies,
    le,
    lemma,
    lt,
    mean,
    mp,
    mul,
    neg,
    negation,
    power,
    ranged,
    rewrite,
    ring,
    specialise,
    sub,
    symmetric,
)
from .calculus import slope
from .notation import ZERO, arithmetic, derived, hi, implied, lo, m, under, x
from .sums import range_induction

Curve = Callable[[Term], Term]


def matrix(name: str, rows: str, columns: str, *args: Term) -> Term:
    """Return a matrix, or a value of a random matrix."""
    return variable(name, f"M:{rows}:{columns}", args)


def unit(size: str) -> Term:
    """Return an identity matrix."""
    return build("I", (size,))


def times(*factors: Term) -> Term:
    """Return a product of matrices."""
    return build("mm", (), factors)


def transpose(t: Term) -> Term:
    """Return a transpose."""
    return build("T", (), [t])


def trace(*factors: Term) -> Term:
    """Return the trace of a product."""
    return build("tr", (), [times(*factors) if len(factors) > 1 else factors[0]])


def minus(a: Term, b: Term) -> Term:
    """Return a difference of matrices."""
    return build("+", (), [a, pf.scale(pf.number(-1), b)])


def equal(a: Term, b: Term) -> Term:
    """Return an equation of matrices."""
    return build("=", (), [a, b])


def zeros(rows: str, columns: str) -> Term:
    """Return a matrix of zeros."""
    return build("zero", (f"M:{rows}:{columns}",))


@derived
def equal_by_traces() -> Proof:
    """Tr AC = tr BC for every C → A = B: take (A − B)ᵀ for C."""
    a, b = matrix("A", "m", "n"), matrix("B", "m", "n")
    (given,) = under(forall("M:n:m", lambda c: eq(trace(a, c), trace(b, c))))
    gap = minus(a, b)
    flat = specialise(given, transpose(gap))
    goal = eq(trace(transpose(gap), gap), 0)
    zero = mp(pf.instance(axiom("trace_definite"), {"B": gap}), pf.psatz(goal, (1, [flat])))
    return implied(pf.linear(equal(a, b), (unit("m"), zero, unit("n"))), given)


def _mean_law(
    rows: str,
    columns: str,
    body: Callable[[Term], Term],
    value: Term,
    facts: Callable[[Term], Sequence[Proof]],
) -> Proof:
    """Prove that a mean of matrices has a value, from what facts(C) say of traces with C."""
    c = pf.fresh(f"M:{columns}:{rows}")
    left = mean(body)
    law = pf.sizes(axiom("mean_matrix"), {"m": rows, "n": columns})
    here = pf.instance(law, {"X": body, "B": c})
    same = arithmetic(eq(trace(left, c), trace(value, c)), here, *facts(c))
    rule = pf.sizes(lemma("equal_by_traces"), {"m": rows, "n": columns})
    return mp(pf.instance(rule, {"A": left, "B": value}), generalise(c, same))


@derived
def mean_of_matrix_product() -> Proof:
    """E[A X B] = A E[X] B."""
    a, b = matrix("A", "k", "m"), matrix("B", "n", "l")
    inner = mean(lambda o: matrix("X", "m", "n", o))

    def facts(c: Term) -> list[Proof]:
        """Return E tr(X B C A) = tr(E[X] B C A)."""
        values = {"X": lambda o: matrix("X", "m", "n", o), "B": times(b, c, a)}
        return [pf.instance(axiom("mean_matrix"), values)]

    return _mean_law(
        "k", "l", lambda o: times(a, matrix("X", "m", "n", o), b), times(a, inner, b), facts
    )


@derived
def mean_of_matrix_sum() -> Proof:
    """E[X + Y] = E[X] + E[Y]."""

    def first(o: Term) -> Term:
        return matrix("X", "m", "n", o)

    def second(o: Term) -> Term:
        return matrix("Y", "m", "n", o)

    def facts(c: Term) -> list[Proof]:
        """Return E tr(X C) = tr(E[X] C), and the same of Y."""
        return [axiom("mean_matrix", B=c, X=part) for part in (first, second)]

    value = build("+", (), [mean(first), mean(second)])
    return _mean_law("m", "n", lambda o: build("+", (), [first(o), second(o)]), value, facts)


@derived
def mean_of_matrix_constant() -> Proof:
    """E[A] = A."""
    a = matrix("A", "m", "n")
    return _mean_law("m", "n", lambda o: a, a, lambda c: [])


@derived
def mean_of_matrix_transpose() -> Proof:
    """E[Xᵀ] = E[X]ᵀ."""

    def first(o: Term) -> Term:
        return matrix("X", "m", "n", o)

    def facts(c: Term) -> list[Proof]:
        """Return E tr(X Cᵀ) = tr(E[X] Cᵀ)."""
        return [axiom("mean_matrix", B=transpose(c), X=first)]

    return _mean_law("n", "m", lambda o: transpose(first(o)), transpose(mean(first)), facts)


@derived
def mean_of_matrix_congruence() -> Proof:
    """X = Y at every outcome → E X = E Y, for matrices."""

    def first(o: Term) -> Term:
        return matrix("X", "m", "n", o)

    def second(o: Term) -> Term:
        return matrix("Y", "m", "n", o)

    (given,) = under(forall("W", lambda o: equal(first(o), second(o))))

    def facts(c: Term) -> list[Proof]:
        """Return E tr(X C) = E tr(Y C) and E tr(Y C) = tr(E[Y] C)."""
        o = pf.fresh("W")
        inner = pf.congruence(specialise(given, o), lambda t: trace(t, c))
        values = {"f": lambda o: trace(first(o), c), "g": lambda o: trace(second(o), c)}
        rule = pf.instance(lemma("mean_congruence"), values)
        return [mp(rule, generalise(o, inner)), axiom("mean_matrix", B=c, X=second)]

    return implied(_mean_law("m", "n", first, mean(second), facts), given)


@derived
def definite_inverse() -> Proof:
    """VᵀAV has a trace > 0 for every V but zero → A A⁻¹ = I: A V = 0 makes V zero."""
    a, column = matrix("A", "n", "n"), "M:n:k"

    def none(t: Term) -> Term:
        """State V = 0."""
        return equal(t, zeros("n", "k"))

    (given,) = under(
        forall(
            column,
            lambda t: implies(negation(none(t)), lt(0, trace(transpose(t), a, t))),
        )
    )
    b = pf.fresh(column)
    flat, other = under(none(times(a, b)), negation(none(b)))
    positive = mp(specialise(given, b), other)
    gone = pf.congruence(flat, lambda t: trace(transpose(b), t))
    wrong = absurd(none(b), arithmetic(false(), positive, gone))
    every = generalise(b, implied(by_cases(none(b), assume(none(b)), wrong), flat))
    return implied(mp(pf.instance(axiom("injective_inverse"), {"A": a}), every), given)


@derived
def gram_definite() -> Proof:
    """0 < x → tr Vᵀ(BᵀB + x I)V > 0 for every V but zero."""
    b, column = matrix("B", "m", "n"), "M:n:k"
    (given,) = under(lt(0, x))
    t = pf.fresh(column)
    zero = equal(t, zeros("n", "k"))
    (other,) = under(negation(zero))
    size_ = trace(transpose(t), t)
    law = pf.sizes(axiom("trace_square"), {"m": "n", "n": "k"})
    own = pf.instance(law, {"B": t})
    moved = pf.instance(pf.sizes(axiom("trace_square"), {"n": "k"}), {"B": times(b, t)})
    definite = pf.instance(pf.sizes(axiom("trace_definite"), {"m": "n", "n": "k"}), {"B": t})
    none = discharge(eq(size_, 0), mp(other, mp(definite, assume(eq(size_, 0)))))
    positive = mp(lemma("positive_if_not_zero", x=size_), own, none)
    whole = build("+", (), [times(transpose(b), b), pf.scale(x, unit("n"))])
    goal = lt(0, trace(transpose(t), whole, t))
    found = pf.psatz(goal, (1, [moved]), (1, [given, positive]))
    return implied(generalise(t, discharge(other.conclusion, found)), given)


def _gram_definite(apart: Callable[[Term, Proof], Proof], *given: Proof) -> Proof:
    """Prove that tr VᵀBᵀBV > 0 for every V but zero; apart(V, BV = 0) shows that V is zero."""
    b, column = matrix("B", "m", "n"), "M:n:k"
    t = pf.fresh(column)
    (other,) = under(negation(equal(t, zeros("n", "k"))))
    image = times(b, t)
    square = trace(transpose(image), image)
    own = pf.instance(pf.sizes(axiom("trace_square"), {"n": "k"}), {"B": image})
    law = pf.instance(pf.sizes(axiom("trace_definite"), {"n": "k"}), {"B": image})
    flat = assume(eq(square, 0))
    none = discharge(flat.conclusion, mp(other, apart(t, mp(law, flat))))
    positive = mp(lemma("positive_if_not_zero", x=square), own, none)
    goal = lt(0, trace(transpose(t), times(transpose(b), b), t))
    found = discharge(other.conclusion, pf.convert(positive, goal))
    return implied(generalise(t, found), *given)


@derived
def gram_definite_if_injective() -> Proof:
    """B v = 0 only for v = 0 → tr Vᵀ(BᵀB)V > 0 for every V but zero."""
    b, column = matrix("B", "m", "n"), "M:n:k"
    (given,) = under(
        forall(
            column,
            lambda t: implies(equal(times(b, t), zeros("m", "k")), equal(t, zeros("n", "k"))),
        )
    )
    return _gram_definite(lambda t, flat: mp(specialise(given, t), flat), given)


@derived
def gram_definite_if_invertible() -> Proof:
    """C B = I → tr Vᵀ(BᵀB)V > 0 for every V but zero: B V = 0 makes V = C B V zero."""
    b, c = matrix("B", "m", "n"), matrix("C", "n", "m")
    (given,) = under(equal(times(c, b), unit("n")))

    def apart(t: Term, flat: Proof) -> Proof:
        """Return V = 0 from B V = 0: V = C B V."""
        minus_one = pf.scale(-1, unit("n"))
        parts = (minus_one, given, t), (c, flat, unit("k"))
        return pf.linear(equal(t, zeros("n", "k")), *parts)

    return _gram_definite(apart, given)


# ---------------------------------------------------------------------- sums of matrices


def family(rows: str = "m", columns: str = "n") -> Callable[[Term], Term]:
    """Return the family of matrices f."""
    return lambda k: matrix("f", rows, columns, k)


def total(fam: Callable[[Term], Term], top: Term, low: Term = lo) -> Term:
    """Return the sum of a family over a range."""
    return ranged("sum", low, top, fam)


@derived
def trace_of_sum() -> Proof:
    """Tr((Σ fₖ) B) = Σ tr(fₖ B), by induction over the range."""
    b, f = matrix("B", "n", "m"), family()
    before, at = sub(lo, 1), add(m, 1)

    def traced(k: Term) -> Term:
        """Return tr(fₖ B)."""
        return trace(f(k), b)

    def claim(t: Term) -> Term:
        """State tr((Σ fₖ) B) = Σ tr(fₖ B), of sums up to t."""
        return eq(trace(total(f, t), b), total(traced, t))

    def under_trace(law: Proof) -> Proof:
        """Return tr(L B) = tr(R B) from L = R."""
        return pf.congruence(law, lambda a: trace(a, b))

    def empty(t: Term, outside: Proof) -> Proof:
        """Return tr((Σ fₖ) B) = Σ tr(fₖ B) up to t: both are 0, the range being empty."""
        laws = (
            under_trace(mp(axiom("matrix_sum_empty", lo=lo, hi=t, f=f), outside)),
            mp(axiom("sum_empty", lo=lo, hi=t, f=traced), outside),
        )
        return arithmetic(claim(t), *laws)

    h0, ih = under(le(before, m), claim(m))
    reached = arithmetic(le(lo, at), h0)
    lasts = (
        under_trace(mp(axiom("matrix_sum_last", lo=lo, hi=m, f=f), reached)),
        mp(axiom("sum_last", lo=lo, hi=m, f=traced), reached),
    )
    base = empty(before, ring(lt(before, lo)))
    all_k = range_induction(claim, base, arithmetic(claim(at), ih, *lasts))
    upward, short = under(le(before, hi), lt(hi, before))
    big = mp(specialise(all_k, hi), upward)
    small = empty(hi, arithmetic(lt(hi, lo), short))
    return by_order(before, hi, big, small)


@derived
def matrix_sum_product() -> Proof:
    """Σ A fₖ B = A (Σ fₖ) B."""
    a, b, f = matrix("A", "k", "m"), matrix("B", "n", "l"), family()

    def inside(k: Term) -> Term:
        """Return A fₖ B."""
        return times(a, f(k), b)

    left, right = times(a, total(f, hi), b), total(inside, hi)
    c = pf.fresh("M:l:k")
    law = pf.instance(lemma("trace_of_sum"), {"B": times(b, c, a)})
    other = pf.sizes(lemma("trace_of_sum"), {"m": "k", "n": "l"})
    there = pf.instance(other, {"B": c, "f": inside})
    same = arithmetic(eq(trace(left, c), trace(right, c)), law, there)
    rule = pf.sizes(lemma("equal_by_traces"), {"m": "k", "n": "l"})
    return mp(pf.instance(rule, {"A": left, "B": right}), generalise(c, same))


@derived
def matrix_sum_congruence() -> Proof:
    """F = g over a range → Σ f = Σ g, for matrices."""
    f = family()

    def g(k: Term) -> Term:
        return matrix("g", "m", "n", k)

    (given,) = under(each(lo, hi, lambda k: equal(f(k), g(k))))
    c, k = pf.fresh("M:n:m"), pf.fresh("Z")
    k0, k1 = under(le(lo, k), le(k, hi))
    inner = pf.congruence(each_at(given, k, k0, k1), lambda a: trace(a, c))
    rule = lemma("sum_congruence", f=lambda j: trace(f(j), c), g=lambda j: trace(g(j), c))
    sums = mp(rule, each_intro(k, lo, hi, inner))
    laws = [pf.instance(lemma("trace_of_sum"), {"B": c, "f": fam}) for fam in (f, g)]
    same = arithmetic(eq(trace(total(f, hi), c), trace(total(g, hi), c)), sums, *laws)
    rule = pf.instance(lemma("equal_by_traces"), {"A": total(f, hi), "B": total(g, hi)})
    return implied(mp(rule, generalise(c, same)), given)


def _sum_law(
    body: Callable[[Term], Term], value: Term, facts: Callable[[Term], list[Proof]]
) -> Proof:
    """Prove that a sum of matrices has a value, from what facts(C) say of traces with C."""
    c = pf.fresh("M:n:m")
    left = total(body, hi)
    here = pf.instance(lemma("trace_of_sum"), {"B": c, "f": body})
    same = arithmetic(eq(trace(left, c), trace(value, c)), here, *facts(c))
    rule = pf.instance(lemma("equal_by_traces"), {"A": left, "B": value})
    return mp(rule, generalise(c, same))


@derived
def equal_by_columns() -> Proof:
    """Let A v = B v for every column v; then A = B, since the squares of unit columns make I."""
    a, b, column = matrix("A", "m", "n"), matrix("B", "m", "n"), "M:n:1"
    (given,) = under(forall(column, lambda t: equal(times(a, t), times(b, t))))
    k, one, size = pf.fresh("Z"), pf.whole(1), build("dim", ("n",))

    def square(k: Term) -> Term:
        """Return eₖ eₖᵀ."""
        e = build("unit", ("n",), [k])
        return times(e, transpose(e))

    def part(c: Term) -> Callable[[Term], Term]:
        """Return k ↦ C eₖ eₖᵀ."""
        return lambda k: times(c, square(k))

    e = build("unit", ("n",), [k])
    inner = pf.congruence(specialise(given, e), lambda t: times(t, transpose(e)))
    inner = pf.convert(inner, equal(part(a)(k), part(b)(k)))
    rule = lemma("matrix_sum_congruence", lo=one, hi=size, f=part(a), g=part(b))
    sums = mp(rule, each_intro(k, one, size, inner))
    law = pf.sizes(lemma("matrix_sum_product"), {"k": "m", "m": "n", "n": "n", "l": "n"})
    limits = {"lo": one, "hi": size, "f": square, "B": unit("n")}
    left, right = (pf.instance(law, {"A": c, **limits}) for c in (a, b))
    span = axiom("unit_columns_span")
    rows, columns = unit("m"), unit("n")
    minus_one = pf.scale(-1, rows)
    parts = (rows, left, columns), (minus_one, right, columns), (rows, sums, columns)
    signs = (pf.scale(-1, a), span, columns), (b, span, columns)
    return implied(pf.linear(equal(a, b), *parts, *signs), given)


@derived
def matrix_sum_plus() -> Proof:
    """Σ (f + g) = Σ f + Σ g, for matrices."""
    f = family()

    def g(k: Term) -> Term:
        return matrix("g", "m", "n", k)

    def facts(c: Term) -> list[Proof]:
        """Return tr((Σ f) C) = Σ tr(fₖ C), and the same of g."""
        return [pf.instance(lemma("trace_of_sum"), {"B": c, "f": fam}) for fam in (f, g)]

    value = build("+", (), [total(f, hi), total(g, hi)])
    return _sum_law(lambda k: build("+", (), [f(k), g(k)]), value, facts)


@derived
def matrix_sum_scaled() -> Proof:
    """Σ cₖ A = (Σ cₖ) A."""
    a = matrix("A", "m", "n")

    def c(k: Term) -> Term:
        return variable("c", "R", [k])

    value = pf.scale(ranged("sum", lo, hi, c), a)
    return _sum_law(lambda k: pf.scale(c(k), a), value, lambda d: [])


@derived
def matrix_sum_transpose() -> Proof:
    """(Σ fₖ)ᵀ = Σ fₖᵀ."""
    f = family("n", "m")

    def facts(c: Term) -> list[Proof]:
        """Return tr((Σ fₖ) Cᵀ) = Σ tr(fₖ Cᵀ)."""
        rule = pf.sizes(lemma("trace_of_sum"), {"m": "n", "n": "m"})
        return [pf.instance(rule, {"B": transpose(c), "f": f})]

    found = _sum_law(lambda k: transpose(f(k)), transpose(total(f, hi)), facts)
    return symmetric(found)


# ---------------------------------------------------------------------- determinants


@derived
def determinant_of_identity() -> Proof:
    """Det I = 1."""
    none = zeros("n", "1")
    rule = pf.sizes(axiom("determinant_rank_one"), {"k": "1"})
    law = mp(pf.instance(rule, {"A": none, "B": none}), ring(eq(build("dim", ("1",)), 1)))
    return pf.convert(law, eq(build("det", (), [unit("n")]), 1))


@derived
def inverse_of_identity() -> Proof:
    """I⁻¹ = I."""
    rule = pf.instance(axiom("left_inverse"), {"A": unit("n"), "B": unit("n")})
    law = mp(rule, pf.ring(equal(times(unit("n"), unit("n")), unit("n"))))
    return pf.convert(law, equal(build("minv", (), [unit("n")]), unit("n")))


def _det(a: Term) -> Term:
    """Return det A."""
    return build("det", (), [a])


def _line(a: Term, b: Term) -> Callable[[Term], Term]:
    """Return t ↦ A + t B."""
    return lambda t: build("+", (), [a, pf.scale(t, b)])


def _at_identity(b: Term, t: Term) -> Term:
    """Return I + t B."""
    return _line(unit("n"), b)(t)


def _slope(rule: str, first: Curve, second: Curve, facts: tuple[Proof, Proof], at: Term) -> Proof:
    """Use the rule for the derivative of a sum, product or composition."""
    values = {"y": facts[0].conclusion.args[2], "z": facts[1].conclusion.args[2]}
    if rule == "derivative_chain":
        values = {"z": facts[0].conclusion.args[2], "y": facts[1].conclusion.args[2]}
    return mp(axiom(rule, f=first, g=second, x=at, **values), *facts)


def _moved(t: Term | int) -> Term:
    """Return A + t u vᵀ."""
    rank_one = times(matrix("u", "n", "1"), transpose(matrix("v", "n", "1")))
    return build("+", (), [matrix("A", "n", "n"), pf.scale(t, rank_one)])


@derived
def determinant_rank_one_update() -> Proof:
    """Let A C = I; then A + t u vᵀ = A (I + (t C u) vᵀ) has det A (1 + t tr vᵀC u)."""
    a, c, u, v = (
        matrix(name, "n", k) for name, k in (("A", "n"), ("C", "n"), ("u", "1"), ("v", "1"))
    )
    t = variable("t")
    (given,) = under(equal(times(a, c), unit("n")))
    column = pf.scale(t, times(c, u))
    factor = build("+", (), [unit("n"), times(column, transpose(v))])
    parts = (pf.scale(t, unit("n")), given, times(u, transpose(v)))
    split = pf.linear(equal(times(a, factor), _moved(t)), parts)
    rule = pf.sizes(axiom("determinant_rank_one"), {"k": "1"})
    law = pf.instance(rule, {"A": column, "B": v})
    ratio = mp(law, ring(eq(build("dim", ("1",)), 1)))
    both = pf.instance(axiom("determinant_product"), {"A": a, "B": factor})
    goal = eq(_det(_moved(t)), mul(_det(a), add(1, mul(t, trace(transpose(v), c, u)))))
    return implied(arithmetic(goal, ratio, both, pf.congruence(split, _det), products=1), given)


@derived
def determinant_affine() -> Proof:
    """Det(A + t u vᵀ) = det A + t (det(A + u vᵀ) − det A), whether A is invertible or not."""
    a, t, one = matrix("A", "n", "n"), variable("t"), pf.number(1)
    goal = eq(_det(_moved(t)), add(_det(a), mul(t, sub(_det(_moved(1)), _det(a)))))

    def around(s: Term, *facts: Proof) -> Proof:
        """Prove the claim where det(A + s u vᵀ) is not zero, by the update from there."""
        here = _moved(s)
        apart = assume(negation(eq(_det(here), 0)))
        law = mp(pf.instance(axiom("determinant_inverse"), {"A": here}), apart)
        found = []
        for r in (ZERO, one, t):
            values = {"A": here, "C": build("minv", (), [here]), "t": sub(r, s)}
            move = mp(pf.instance(lemma("determinant_rank_one_update"), values), law)
            right = move.conclusion.args[1]
            found.append(pf.convert(move, eq(_det(_moved(r)), right)))
        return arithmetic(goal, *found, *facts, products=1)

    flat = assume(eq(_det(_moved(ZERO)), 0)), assume(eq(_det(_moved(one)), 0))
    last = assume(eq(_det(_moved(t)), 0))
    third = by_cases(last.conclusion, arithmetic(goal, *flat, last), around(t, *flat))
    second = by_cases(flat[1].conclusion, third, around(one, flat[0]))
    return by_cases(flat[0].conclusion, second, around(ZERO))


@derived
def derivative_determinant_of_columns() -> Proof:
    """T ↦ det(I + t Σ aₖ bₖᵀ), over k from 1 to m, has at 0 the derivative tr Σ aₖ bₖᵀ.

    By induction over the number of columns: where I + t S is invertible, one more column multiplies
    the determinant by 1 + t bᵀ(I + t S)⁻¹ a, and near 0 it is invertible.
    """

    def part(k: Term) -> Term:
        """Return aₖ bₖᵀ."""
        return times(matrix("a", "n", "1", k), transpose(matrix("b", "n", "1", k)))

    one = pf.whole(1)

    def upto(t: Term) -> Term:
        """Return Σ aₖ bₖᵀ over k from 1 to t."""
        return total(part, t, one)

    def claim(t: Term) -> Term:
        """State d/ds det(I + s S) = tr S at 0 for S = Σ aₖ bₖᵀ, k from 1 to t."""
        return slope(lambda s: _det(_at_identity(upto(t), s)), ZERO, trace(upto(t)))

    start = pf.whole(0)
    none = zeros("n", "n")
    law = pf.sizes(axiom("matrix_sum_empty"), {"m": "n"})
    empty = mp(pf.instance(law, {"lo": one, "hi": start, "f": part}), ring(lt(start, one)))
    flat = axiom("derivative_constant", x=ZERO, y=_det(unit("n")))

    def with_sum(a: Term) -> Term:
        """State d/ds det(I + s A) = tr A at 0."""
        return slope(lambda s: _det(_at_identity(a, s)), ZERO, trace(a))

    base = rewrite(symmetric(empty), pf.convert(flat, with_sum(none)), with_sum)

    at = add(m, 1)
    h0, ih = under(le(start, m), claim(m))
    here, column, row = upto(m), matrix("a", "n", "1", at), matrix("b", "n", "1", at)
    more = times(column, transpose(row))
    law = pf.sizes(axiom("matrix_sum_last"), {"m": "n"})
    last = mp(pf.instance(law, {"lo": one, "hi": m, "f": part}), arithmetic(le(one, at), h0))

    def height(t: Term) -> Term:
        """Return h(t) = det(I + t S)."""
        return _det(_at_identity(here, t))

    def other(t: Term) -> Term:
        """Return (I + t S)⁻¹."""
        return build("minv", (), [_at_identity(here, t)])

    def rate(t: Term) -> Term:
        """Return tr((I + t S)⁻¹ a bᵀ) = bᵀ(I + t S)⁻¹ a."""
        return trace(other(t), more)

    def grown(t: Term) -> Term:
        """Return det(I + t S) (1 + t bᵀ(I + t S)⁻¹ a)."""
        return mul(height(t), add(1, mul(t, rate(t))))

    def whole(t: Term) -> Term:
        """Return det(I + t (S + a bᵀ))."""
        return _det(_at_identity(build("+", (), [here, more]), t))

    # Where h(t) ≠ 0: I + t (S + a bᵀ) = (I + t S)(I + (t (I + t S)⁻¹ a) bᵀ).
    t = pf.fresh("R")
    (apart,) = under(negation(eq(height(t), 0)))
    before = _at_identity(here, t)
    inverse = mp(pf.instance(axiom("determinant_inverse"), {"A": before}), apart)
    moved = pf.scale(t, times(other(t), column))
    factor = build("+", (), [unit("n"), times(moved, transpose(row))])
    split = pf.linear(
        equal(times(before, factor), _at_identity(build("+", (), [here, more]), t)),
        (pf.scale(t, unit("n")), inverse, more),
    )
    rule = pf.sizes(axiom("determinant_rank_one"), {"k": "1"})
    law = pf.instance(rule, {"A": moved, "B": row})
    ratio = mp(law, ring(eq(build("dim", ("1",)), 1)))
    both = pf.instance(axiom("determinant_product"), {"A": before, "B": factor})
    same = arithmetic(eq(grown(t), whole(t)), pf.congruence(split, _det), ratio, both, products=1)
    near = generalise(t, implied(same, apart))

    # At t = 0 the determinant is one and the inverse is I.
    unit_det = lemma("determinant_of_identity")
    value = arithmetic(eq(height(ZERO), 1), unit_det)
    zero = discharge(eq(height(ZERO), 0), arithmetic(false(), assume(eq(height(ZERO), 0)), value))
    trivial = pf.ring(equal(times(_at_identity(here, ZERO), unit("n")), unit("n")))
    law = axiom("derivative_matrix_inverse", A=unit("n"), B=here, C=unit("n"), D=more, x=ZERO)
    bend = mp(law, trivial)
    start_rate = pf.congruence(lemma("inverse_of_identity"), lambda a: trace(a, more))
    steep = _slope(
        "derivative_product", lambda t: t, rate, (axiom("derivative_identity", x=ZERO), bend), ZERO
    )
    constant = axiom("derivative_constant", x=ZERO, y=pf.number(1))
    tail = _slope(
        "derivative_sum",
        lambda t: pf.number(1),
        lambda t: mul(t, rate(t)),
        (constant, steep),
        ZERO,
    )
    both_slopes = _slope(
        "derivative_product", height, lambda t: add(1, mul(t, rate(t))), (ih, tail), ZERO
    )
    found = both_slopes.conclusion.args[2]
    wanted = add(trace(here), trace(more))
    exact = arithmetic(eq(found, wanted), value, start_rate)
    known = rewrite(exact, both_slopes, lambda v: slope(grown, ZERO, v))
    rule = axiom("derivative_near", f=grown, g=whole, h=height, x=ZERO, y=wanted, z=trace(here))
    reached = mp(rule, ih, zero, near, known)
    step = rewrite(
        symmetric(last), pf.convert(reached, with_sum(build("+", (), [here, more]))), with_sum
    )
    step = pf.convert(step, claim(at))
    generic = generalise(m, implied(step, h0, ih))
    all_k = mp(axiom("induction", lo=start, P=claim), base, generic)
    (long,) = under(le(0, m))
    return implied(mp(specialise(all_k, m), long), long)


@derived
def derivative_determinant() -> Proof:
    """Jacobi: if (A + x B) C = I, t ↦ det(A + t B) has at x the derivative det(A + x B) tr(C B).

    A + t B = (A + x B)(I + (t − x) C B), and C B is the sum of its columns times unit rows.
    """
    a, b, c = (matrix(name, "n", "n") for name in "ABC")
    at_x = _line(a, b)(x)
    (given,) = under(equal(times(at_x, c), unit("n")))
    inner = times(c, b)

    def column(k: Term) -> Term:
        """Return the unit column eₖ."""
        return build("unit", ("n",), [k])

    size = build("dim", ("n",))
    law = lemma("derivative_determinant_of_columns", m=size)
    law = pf.instance(law, {"a": lambda k: times(inner, column(k)), "b": column})
    positive = axiom("size_positive")
    at_zero = mp(law, arithmetic(le(0, size), positive))
    rule = pf.sizes(lemma("matrix_sum_product"), {"k": "n", "m": "n", "l": "n"})
    product = pf.instance(
        rule,
        {
            "A": inner,
            "B": unit("n"),
            "lo": pf.whole(1),
            "hi": size,
            "f": lambda k: times(column(k), transpose(column(k))),
        },
    )
    span = axiom("unit_columns_span")
    whole = at_zero.conclusion.args[2].args[0]
    minus_one = pf.scale(-1, unit("n"))
    parts = (minus_one, product, unit("n")), (inner, span, unit("n"))
    apart = pf.linear(equal(whole, inner), *parts)

    def with_sum(d: Term) -> Term:
        """State d/ds det(I + s D) = tr D at 0."""
        return slope(lambda s: _det(_at_identity(d, s)), ZERO, trace(d))

    plain = rewrite(apart, pf.convert(at_zero, with_sum(whole)), with_sum)

    def curve(s: Term) -> Term:
        """Return det(I + s C B)."""
        return _det(_at_identity(inner, s))

    def gap(t: Term) -> Term:
        """Return t − x."""
        return sub(t, x)

    moving = _slope(
        "derivative_sum",
        lambda t: t,
        lambda t: neg(x),
        (axiom("derivative_identity", x=x), axiom("derivative_constant", x=x, y=neg(x))),
        x,
    )
    moving = pf.convert(moving, slope(gap, x, pf.number(1)))
    there = pf.convert(plain, slope(curve, gap(x), trace(inner)))
    chained = _slope("derivative_chain", curve, gap, (moving, there), x)
    fixed = axiom("derivative_constant", x=x, y=_det(at_x))
    both = _slope(
        "derivative_product", lambda t: _det(at_x), lambda t: curve(gap(t)), (fixed, chained), x
    )

    def grown(t: Term) -> Term:
        """Return det(A + x B) det(I + (t − x) C B)."""
        return mul(_det(at_x), curve(gap(t)))

    def target(t: Term) -> Term:
        """Return det(A + t B)."""
        return _det(_line(a, b)(t))

    t = pf.fresh("R")
    factor = _at_identity(inner, gap(t))
    split = pf.linear(
        equal(times(at_x, factor), _line(a, b)(t)), (pf.scale(gap(t), unit("n")), given, b)
    )
    law = pf.instance(axiom("determinant_product"), {"A": at_x, "B": factor})
    same = arithmetic(eq(grown(t), target(t)), law, pf.congruence(split, _det), products=1)
    value = mul(_det(at_x), trace(inner))
    rule = lemma("derivative_congruence", f=grown, g=target, x=x, y=value)
    found = mp(rule, generalise(t, same), pf.convert(both, slope(grown, x, value)))
    return implied(found, given)


# ---------------------------------------------------------------------- eigenvectors


@derived
def eigenvectors() -> Proof:
    """Let v₁, …, vₕ be orthonormal and S = Σ λᵢ vᵢvᵢᵀ; then S vⱼ = λⱼ vⱼ."""
    a, one, j = matrix("S", "n", "n"), pf.whole(1), pf.fresh("Z")

    def column(k: Term) -> Term:
        return matrix("v", "n", "1", k)

    def value(k: Term) -> Term:
        return variable("c", "R", [k])

    def delta(i: Term, k: Term) -> Term:
        """Return [i = k]."""
        return build("ind", (), [build("=", (), [i, k])])

    def orthonormal(i: Term, k: Term) -> Term:
        """State vᵢᵀvₖ = [i = k]."""
        return eq(trace(transpose(column(i)), column(k)), delta(i, k))

    def part(k: Term) -> Term:
        """Return λₖ vₖvₖᵀ."""
        return pf.scale(value(k), times(column(k), transpose(column(k))))

    def here(k: Term) -> Term:
        """Return λₖ [k = j] vₖ."""
        return pf.scale(mul(value(k), delta(k, j)), column(k))

    frame, spectral = under(
        each(one, hi, lambda i: each(one, hi, lambda k: orthonormal(i, k))),
        equal(a, total(part, hi, one)),
    )
    low, high = under(le(one, j), le(j, hi))
    i = pf.fresh("Z")
    first, last = under(le(one, i), le(i, hi))
    known = each_at(each_at(frame, i, first, last), j, low, high)
    number = times(transpose(column(i)), column(j))
    law = pf.instance(pf.sizes(axiom("one_by_one"), {"k": "1"}), {"A": number})
    law = mp(law, ring(eq(build("dim", ("1",)), 1)))
    scaled = pf.congruence(known, lambda t: pf.scale(mul(value(i), t), column(i)))
    inner = pf.linear(
        equal(times(part(i), column(j)), here(i)),
        (pf.scale(value(i), column(i)), law, unit("1")),
        (unit("n"), scaled, unit("1")),
    )
    rule = pf.sizes(lemma("matrix_sum_congruence"), {"m": "n", "n": "1"})
    limits = {"lo": one, "hi": hi}
    values = {**limits, "f": lambda k: times(part(k), column(j)), "g": here}
    sums = mp(pf.instance(rule, values), each_intro(i, one, hi, inner))
    # Against any row c, the sum of what is not zero at one place only has that term.
    c = pf.fresh("M:1:n")
    law = pf.instance(pf.sizes(lemma("trace_of_sum"), {"m": "n", "n": "1"}), {"B": c, **limits})
    law = pf.instance(law, {"f": here})
    single = lemma("sum_of_delta", j=j, f=lambda k: mul(value(k), trace(column(k), c)), **limits)
    single = mp(single, low, high)
    same = arithmetic(
        eq(trace(total(here, hi, one), c), trace(pf.scale(value(j), column(j)), c)), law, single
    )
    rule = pf.sizes(lemma("equal_by_traces"), {"m": "n", "n": "1"})
    ends = {"A": total(here, hi, one), "B": pf.scale(value(j), column(j))}
    reached = mp(pf.instance(rule, ends), generalise(c, same))
    law = pf.sizes(lemma("matrix_sum_product"), {"k": "n", "m": "n", "l": "1"})
    moved = pf.instance(law, {"A": unit("n"), "B": column(j), "f": part, **limits})
    found = pf.linear(
        equal(times(a, column(j)), pf.scale(value(j), column(j))),
        (unit("n"), spectral, column(j)),
        (unit("n"), moved, unit("1")),
        (unit("n"), sums, unit("1")),
        (unit("n"), reached, unit("1")),
    )
    return implied(each_intro(j, one, hi, found), frame, spectral)


# ---------------------------------------------------------------------- positive semidefinite


def semidefinite(a: Term, column: str = "M:n:1") -> Term:
    """Return that tr VᵀAV ≥ 0 for every V."""
    return forall(column, lambda t: le(0, trace(transpose(t), a, t)))


@derived
def definite_is_semidefinite() -> Proof:
    """Tr VᵀAV > 0 for every V but zero → tr VᵀAV ≥ 0 for every V."""
    a, column = matrix("A", "n", "n"), "M:n:k"
    t = pf.fresh(column)
    zero = equal(t, zeros("n", "k"))

    def form(v: Term) -> Term:
        return trace(transpose(v), a, v)

    (given,) = under(
        forall(
            column,
            lambda v: implies(negation(equal(v, zeros("n", "k"))), lt(0, form(v))),
        )
    )
    yes, no = under(zero, negation(zero))
    first = rewrite(symmetric(yes), pf.ring(le(0, form(zeros("n", "k")))), lambda v: le(0, form(v)))
    second = arithmetic(le(0, form(t)), mp(specialise(given, t), no))
    return implied(generalise(t, by_cases(zero, first, second)), given)


@derived
def semidefinite_trace() -> Proof:
    """Tr vᵀAv ≥ 0 for every column v → tr BᵀAB ≥ 0: it is the sum over the columns of B."""
    a, b = matrix("A", "n", "n"), matrix("B", "n", "m")
    (given,) = under(semidefinite(a))

    def column(k: Term) -> Term:
        """Return the unit column eₖ."""
        return build("unit", ("m",), [k])

    def square(k: Term) -> Term:
        """Return eₖ eₖᵀ."""
        return times(column(k), transpose(column(k)))

    middle = times(transpose(b), a, b)

    def part(k: Term) -> Term:
        """Return tr(eₖ eₖᵀ BᵀAB)."""
        return trace(square(k), middle)

    size, one, k = build("dim", ("m",)), pf.whole(1), pf.fresh("Z")
    span = pf.congruence(
        pf.sizes(axiom("unit_columns_span"), {"n": "m"}), lambda s: trace(s, middle)
    )
    rule = pf.sizes(lemma("trace_of_sum"), {"n": "m"})
    apart = pf.instance(rule, {"B": middle, "lo": one, "hi": size, "f": square})
    own = pf.convert(specialise(given, times(b, column(k))), le(0, part(k)))
    signs = mp(lemma("sum_nonnegative", lo=one, hi=size, f=part), each_intro(k, one, size, own))
    return implied(arithmetic(le(0, trace(middle)), span, apart, signs), given)


@derived
def cauchy_schwarz_traces() -> Proof:
    """(tr AᵀB)² ≤ tr AᵀA tr BᵀB: the inner product of matrices of one shape."""
    a, b = matrix("A", "m", "n"), matrix("B", "m", "n")
    aa, ab, bb = (trace(transpose(s), t) for s, t in ((a, a), (a, b), (b, b)))
    goal = le(power(ab, 2), mul(aa, bb))
    positive, flat = under(lt(0, bb), le(bb, 0))
    rest = build("+", (), [pf.scale(bb, a), pf.scale(neg(ab), b)])
    first = arithmetic(goal, positive, axiom("trace_square", B=rest))
    none = mp(axiom("antisymmetric_R", x=bb, y=ZERO), flat, axiom("trace_square", B=b))
    gone = symmetric(mp(axiom("trace_definite", B=b), none))

    def bound(t: Term) -> Term:
        """State (tr AᵀT)² ≤ tr AᵀA tr TᵀT."""
        return le(power(trace(transpose(a), t), 2), mul(aa, trace(transpose(t), t)))

    second = rewrite(gone, ring(bound(build("zero", ("M:m:n",)))), bound)
    return by_order(bb, ZERO, second, first)


@derived
def cauchy_schwarz_metric() -> Proof:
    """Aᵀ = A → tr vᵀAv ≥ 0 for every column v → (tr uᵀAv)² ≤ tr uᵀAu tr vᵀAv."""
    a, u, v = matrix("A", "n", "n"), matrix("u", "n", "1"), matrix("v", "n", "1")
    same, given = under(equal(transpose(a), a), semidefinite(a))
    uu, uv, vv = (trace(transpose(s), a, t) for s, t in ((u, u), (u, v), (v, v)))
    turned = pf.congruence(same, lambda s: trace(transpose(u), s, v))
    goal = le(power(uv, 2), mul(uu, vv))

    def at(s: Term, t: Term) -> Proof:
        """Return that the form is nonnegative at s u + t v."""
        z = build("+", (), [pf.scale(s, u), pf.scale(t, v)])
        value = add(mul(s, s, uu), mul(2, s, t, uv), mul(t, t, vv))
        found = specialise(given, z)
        return pf.psatz(le(0, value), (1, [found]), (mul(s, t), [turned]))

    positive, flat = under(lt(0, vv), le(vv, 0))
    first = arithmetic(goal, positive, at(vv, neg(uv)))
    # Where vᵀAv = 0, a multiple of v could be added without end: so uᵀAv is zero.
    none = mp(axiom("antisymmetric_R", x=vv, y=ZERO), flat, specialise(given, v))
    steep = at(pf.number(1), mul(-1, add(1, uu), pf.inv(uv)))
    apart = assume(negation(eq(uv, 0)))
    unit_ = mp(axiom("inverse", x=uv), apart)
    own = specialise(given, u)
    t = mul(add(1, uu), pf.inv(uv))
    cancelled = (mul(-2, add(1, uu)), [unit_]), (mul(t, t), [none])
    wrong = absurd(goal, pf.psatz(false(), (2, []), (1, [own]), (1, [steep]), *cancelled))
    zero = assume(eq(uv, 0))
    level = arithmetic(goal, zero, none)
    second = by_cases(zero.conclusion, level, wrong)
    return implied(by_order(vv, ZERO, second, first), same, given)
