"""Lemmas on matrices, traces and definiteness."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import build, variable
from ..proofs import (
    Proof,
    absurd,
    assume,
    axiom,
    by_cases,
    discharge,
    eq,
    false,
    forall,
    generalise,
    implies,
    lemma,
    lt,
    mean,
    mp,
    negation,
    specialise,
)
from .notation import arithmetic, derived, implied, under, x


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
        return [axiom("mean_matrix", B=c, X=part) for part in (first, second)]

    value = build("+", (), [mean(first), mean(second)])
    return _mean_law("m", "n", lambda o: build("+", (), [first(o), second(o)]), value, facts)


@derived
def mean_of_matrix_constant() -> Proof:
    """E[A] = A."""
    a = matrix("A", "m", "n")
    return _mean_law("m", "n", lambda o: a, a, lambda c: [])


@derived
def definite_inverse() -> Proof:
    """VᵀAV has a trace > 0 for every V but zero → A A⁻¹ = I: A V = 0 makes V zero."""
    a, column = matrix("A", "n", "n"), "M:n:k"

    def none(t: Term) -> Term:
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
