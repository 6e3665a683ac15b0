"""Every place where SymPy 1.14 is silently wrong, and that the engine does not fall into it."""

from __future__ import annotations

import pytest
import sympy as sp
from mlnotes.proof.terms import substitute

from mlnotes import proof
from mlnotes.proof import (
    Derivation,
    Eq,
    Gt,
    IllTyped,
    ProofError,
    Sum,
    Undefined,
    WrongStep,
    as_written,
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
    stationary_points,
    trace,
)

n, d = integers("n d", positive=True)
i, k = indices("i k")
a, b = real_family("a b")
c, mu, x = reals("c mu x")
p, q = reals("p q", positive=True)
A = matrices("A", n, n)
t = matrices("t", d, 1)


def proves_equal(left: object, right: object, **options: object) -> bool:
    try:
        Derivation("equal", **options).start(left).equals(right, because="computed").qed()
    except ProofError:
        return False
    return True


def test_the_gradient_of_log_det_is_not_zero() -> None:
    """``log(Determinant(A)).diff(A)`` is zero in SymPy."""
    given, witness = [positive_definite(A)], {n: 1, A: [[2]]}
    gradient = grad(logdet(A), A)
    assert proves_equal(gradient, inverse(A).T, given=given, witness=witness)
    assert not proves_equal(gradient, 0 * A, given=given, witness=witness)


def test_the_gradient_of_an_exponential_of_a_trace_is_not_zero() -> None:
    """``exp(Trace(t*t.T)).diff(t)`` is zero in SymPy."""
    term = exp(trace(t * t.T))
    assert proves_equal(grad(term, t), 2 * term * t)
    assert not proves_equal(grad(term, t), 0 * t)


def test_the_gradient_of_an_inner_product_of_columns_is_not_zero() -> None:
    """``(t.T*t)[0, 0].diff(t)`` is zero in SymPy."""
    assert proves_equal(grad(trace(t.T * t), t), 2 * t)
    assert not proves_equal(grad(trace(t.T * t), t), 0 * t)


def test_substitution_does_not_capture_an_index() -> None:
    """``Sum(a[i]*c, (i, 1, n)).subs(c, b[i])`` binds the free i in SymPy."""
    substituted = substitute(Sum(a[i] * c, (i, 1, n)), {c: b[i]})
    assert i in substituted.free_symbols
    assert proves_equal(substituted, b[i] * Sum(a[k], (k, 1, n)))
    assert not proves_equal(substituted, Sum(a[k] * b[k], (k, 1, n)))


def test_stationary_points_of_a_sum_are_found() -> None:
    """``solve(Sum((a[i] - mu)**2, (i, 1, n)).diff(mu), mu)`` gives no solution in SymPy."""
    (point,) = stationary_points(Sum((a[i] - mu) ** 2, (i, 1, n)), mu)
    assert proves_equal(point, Sum(a[i], (i, 1, n)) / n)


def test_the_derivative_in_one_member_of_a_family_picks_one_term() -> None:
    """``Sum(a[i]**2, (i, 1, n)).diff(a[i])`` is a sum in SymPy."""
    gradient = grad(Sum(a[i] ** 2, (i, 1, n)), a[k])
    given, witness = [sp.Le(1, k), sp.Le(k, n)], {k: 1, n: 2, a: [3, 4]}
    assert proves_equal(gradient, 2 * a[k], given=given, witness=witness)
    assert not proves_equal(gradient, 2 * Sum(a[i], (i, 1, n)), given=given, witness=witness)


def test_minus_log_is_convex_on_the_positive_numbers() -> None:
    """``is_convex(-log(p), p)`` is False in SymPy without a domain."""
    chain = Derivation("convex").start(-log((p + q) / 2))
    theorem = chain.at_most(-(log(p) + log(q)) / 2, because="minus log is convex").qed()
    assert [step.mark for step in theorem.steps] == ["proved"]


def test_a_hypothesis_that_was_evaluated_away_is_refused() -> None:
    """``p > 0`` with a positive symbol is True in SymPy, and the hypothesis is lost."""
    assert (p > 0) is sp.true
    with pytest.raises(ProofError, match=r"Gt|evaluat"):
        Derivation("lost", given=[p > 0], witness={p: 1})
    Derivation("kept", given=[Gt(p, 0)], witness={p: 1}).start(p).equals(p, because="same").qed()


def test_a_false_hypothesis_that_was_evaluated_away_is_refused() -> None:
    with pytest.raises(ProofError):
        Derivation("absurd", given=[p < 0], witness={p: 1})


def test_a_quotient_that_sympy_would_cancel_is_still_undefined() -> None:
    """``x/x`` is 1 in SymPy before anyone can ask whether x may vanish."""
    with as_written():
        quotient = x / x
    with pytest.raises(Undefined):
        Derivation("cancelled").start(quotient).equals(1, because="cancel").qed()


def test_simplify_never_justifies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a simplify that calls everything zero proves nothing."""
    for name in ("simplify", "nsimplify", "trigsimp", "powsimp", "radsimp", "logcombine"):
        monkeypatch.setattr(sp, name, lambda *args, **options: sp.Integer(0))
    with pytest.raises(WrongStep):
        Derivation("wrong").start((x + 1) ** 2).equals(x**2 + 1, because="simplify").qed()
    assert not proves_equal(exp(x), 1 + x)
    assert not proves_equal(Sum(a[i], (i, 1, n)) ** 2, Sum(a[i] ** 2, (i, 1, n)))


def test_complex_branches_do_not_enter() -> None:
    """SymPy simplifies ``sqrt(x**2)`` to ``Abs(x)`` only for a real x, and ``log(x**2)`` never."""
    assert not proves_equal(sp.sqrt(x**2), x)
    assert proves_equal(sp.sqrt(x**2), sp.Abs(x))
    with pytest.raises(ProofError):
        Derivation("log").start(log(x**2)).equals(2 * log(x), because="log").qed()


def test_symbols_that_are_not_real_are_refused() -> None:
    with pytest.raises(IllTyped):
        Derivation("complex").start(sp.Symbol("z") ** 2).equals(0, because="no").qed()


def test_names_in_the_public_interface_do_not_shadow_relations() -> None:
    assert isinstance(Eq(p, p), sp.Eq)
    assert proof.Eq is Eq
