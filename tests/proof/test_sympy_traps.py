"""Places where SymPy 1.14 is silently wrong: what authors write is never evaluated by it.

SymPy is only a view of terms for readers; these lines were false proofs of an earlier engine that
calculated with it, or would have been.
"""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    ProofError,
    Sum,
    Undefined,
    exp,
    grad,
    indices,
    integers,
    inverse,
    log,
    logdet,
    matrices,
    positive_definite,
    real_family,
    reals,
    sqrt,
    substitute,
    trace,
    zeros,
)

n, d = integers("n d", positive=True)
i, k = indices("i k")
a, b = real_family("a b")
c, x = reals("c x")
p, q = reals("p q", positive=True)
A = matrices("A", n, n)
t = matrices("t", d, 1)


def proves_equal(left, right, **options):
    """Say whether a line is proved; false lines are refused one way or the other."""
    try:
        return Derivation("equal", **options).start(left).equals(right).qed().mark == "proved"
    except ProofError:
        return False


def test_the_gradient_of_log_det_is_not_zero():
    """``log(Determinant(A)).diff(A)`` is zero in SymPy."""
    options = {"given": [positive_definite(A)], "witness": {n: 1, A: [[2]]}}
    gradient = grad(logdet(A), A, given=options["given"])
    assert proves_equal(gradient, inverse(A), **options)
    assert not proves_equal(gradient, zeros(n, n), **options)


def test_the_gradient_of_an_exponential_of_a_trace_is_not_zero():
    """``exp(Trace(t*t.T)).diff(t)`` is zero in SymPy."""
    term = exp(trace(t * t.T))
    assert proves_equal(grad(term, t), 2 * term * t)
    assert not proves_equal(grad(term, t), zeros(d, 1))


def test_the_gradient_of_an_inner_product_of_columns_is_not_zero():
    """``(t.T*t)[0, 0].diff(t)`` is zero in SymPy."""
    assert proves_equal(grad(trace(t.T * t), t), 2 * t)
    assert not proves_equal(grad(trace(t.T * t), t), zeros(d, 1))


def test_substitution_does_not_capture_an_index():
    """``Sum(a[i]*c, (i, 1, n)).subs(c, b[i])`` binds the free i in SymPy."""
    put = substitute(Sum(a[i] * c, (i, 1, n)), {c: b[i]})
    assert put == Sum(a[i] * c, (i, 1, n)).subs({c: b[i]})
    assert proves_equal(put, b[i] * Sum(a[k], (k, 1, n)))
    assert not proves_equal(put, Sum(a[k] * b[k], (k, 1, n)))


def test_the_derivative_in_one_member_of_a_family_picks_one_term():
    """``Sum(a[i]**2, (i, 1, n)).diff(a[i])`` is a sum in SymPy."""
    gradient = grad(Sum(a[i] ** 2, (i, 1, n)), a[k])
    options = {"given": [Ge(k, 1), Le(k, n)], "witness": {k: 1, n: 2, a: [3, 4]}}
    assert proves_equal(gradient, 2 * a[k], **options)
    assert not proves_equal(gradient, 2 * Sum(a[i], (i, 1, n)), **options)


def test_minus_log_is_convex_on_the_positive_numbers():
    """``is_convex(-log(p), p)`` is False in SymPy without a domain."""
    chain = Derivation("convex").start(-log((p + q) / 2))
    assert chain.at_most(-(log(p) + log(q)) / 2).qed().mark == "proved"
    with pytest.raises(ProofError):
        Derivation("concave").start(-log((p + q) / 2)).at_least(-(log(p) + log(q)) / 2)


def test_a_relation_of_python_is_no_hypothesis():
    """``p > 0`` with a positive symbol is True in SymPy, and the hypothesis is lost."""
    with pytest.raises((ProofError, TypeError)):
        Derivation("lost", given=[p > 0], witness={p: 1})
    with pytest.raises(IllTyped):
        bool(Gt(p, 0))
    kept = Derivation("kept", given=[Gt(p, 1)], witness={p: 2}).start(p).at_least(1).qed()
    assert Gt(p, 1).term in {h.term for h in kept.given}


def test_a_quotient_that_sympy_would_cancel_is_still_undefined():
    """``x/x`` is 1 in SymPy before anyone can ask whether x may vanish."""
    with pytest.raises(Undefined):
        Derivation("cancelled").start(x / x).equals(1)
    with pytest.raises(Undefined):
        Derivation("cancelled").start((x**2 - 1) / (x - 1)).equals(x + 1)


def test_the_root_of_a_square_is_not_the_number():
    assert proves_equal(sqrt(p**2), p)
    assert not proves_equal(sqrt(x**2), x)
    assert not proves_equal(sqrt(x**2), x, given=[Le(x, 0)], witness={x: -1})
    assert proves_equal(sqrt(x**2), -x, given=[Le(x, 0)], witness={x: -1})


def test_the_logarithm_of_a_product_needs_positive_factors():
    assert proves_equal(log(p * q), log(p) + log(q))
    assert not proves_equal(log(x * c), log(x) + log(c), given=[Gt(x * c, 0)], witness={x: 1, c: 1})
    assert not proves_equal(log(x**2), 2 * log(x), given=[Eq(x, -1)], witness={x: -1})
