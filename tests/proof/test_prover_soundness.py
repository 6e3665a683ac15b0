"""False statements that once slipped through, or could: each is kept out for good.

The prover is asked without its search for counterexamples, so that an unsound method cannot hide
behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mlnotes.proof.prove import Prover

from mlnotes.proof import (
    Abs,
    And,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Le,
    Lt,
    Max,
    Or,
    Product,
    ProofError,
    Rational,
    Sum,
    apply,
    cases,
    for_each,
    function,
    indices,
    induction,
    integers,
    invertible,
    let,
    log,
    logdet,
    matrices,
    positive_definite,
    positive_semidefinite,
    random_variables,
    real_family,
    reals,
    second_order,
    sqrt,
    termwise,
    trace,
    vectors,
)

a, b, c, x = reals("a b c x")
p = reals("p", positive=True)
u, v = vectors("u v")
n, m, k = integers("n m k", positive=True)
i, j = indices("i j")
al, be = real_family("al be")
A, B = matrices("A B", n, n)
C = matrices("C", m, m)
X = matrices("X", n, m)
S, T = random_variables("S T")
convex = function("convex_f", convex=True)
rising = function("rising_f", increasing=True)
plain = function("plain_f")

late = [for_each(i, 2, n, Gt(al[i], 0))]
definite = [positive_definite(A), positive_definite(B)]

NOT_THEOREMS: dict[str, tuple[list[Any], Any]] = {
    "a conjunction with a part the solver cannot say": (
        [],
        Or(And(Ge(a, 0), Eq(u, v)), Lt(a, 0)),
    ),
    "a property the solver cannot say": ([], Or(And(Ge(a, 0), invertible(A)), Lt(a, 0))),
    "a first term nobody spoke about": (late, Ge(Sum(al[i], (i, 1, n)), 0)),
    "a last term nobody spoke about": (late, Ge(Sum(al[i], (i, 2, m)), 0)),
    "a shifted index that leaves the range": (late, Ge(Sum(al[i + 1], (i, 1, n)), 0)),
    "a shifted index that enters too early": (late, Ge(Sum(al[i - 1], (i, 2, n)), 0)),
    "a product with an unknown first factor": (late, Ge(Product(al[i], (i, 1, n)), 0)),
    "a sum that may be empty": (late, Gt(Sum(al[i], (i, 2, n)), 0)),
    "the member after the last": ([for_each(i, 1, n, Le(al[i], 0))], Le(al[n + 1], 0)),
    "the second of perhaps one": ([for_each(i, 1, n, Le(al[i], 0))], Le(al[2], 0)),
    "a delta outside its range": ([], Eq(Sum(KroneckerDelta(i, j) * al[i], (i, 1, n)), al[j])),
    "a delta with one end": (
        [Ge(j, 1)],
        Eq(Sum(KroneckerDelta(i, j) * al[i], (i, 1, n)), al[j]),
    ),
    "a telescope without its last step": (
        [],
        Eq(Sum(al[i + 1] - al[i], (i, 1, n)), al[n] - al[1]),
    ),
    "a second term of perhaps one": (
        [],
        Eq(Sum(al[i], (i, 2, n)), al[2] + Sum(al[i], (i, 3, n))),
    ),
    "one name for two indices": (
        [for_each(i, 1, n, Le(al[i], be[i]))],
        Le(Sum(al[i], (i, 1, m), (i, 1, n)), Sum(be[i], (i, 1, m), (i, 1, n))),
    ),
    "a root with a sign": ([], Eq(sqrt(a**2), a)),
    "equal squares": ([Eq(a**2, b**2)], Eq(a, b)),
    "a convex function that need not rise": ([Le(a, b)], Le(convex(a), convex(b))),
    "a weakly increasing function": ([Lt(a, b)], Lt(rising(a), rising(b))),
    "a product of definite matrices": (definite, positive_definite(A * B)),
    "a difference of definite matrices": (definite, positive_definite(A - B)),
    "a Gram matrix without full rank": ([], positive_definite(X.T * X)),
    "the other Gram matrix": ([invertible(X.T * X)], invertible(X * X.T)),
    "a sum of invertible matrices": ([invertible(A), invertible(B)], invertible(A + B)),
    "a trace of a product": ([positive_semidefinite(A)], Ge(trace(A * B), 0)),
    "a trace of a square": ([], Ge(trace(A * A), 0)),
    "symmetry nobody assumed": ([invertible(A)], Eq(A, A.T)),
}


@pytest.mark.parametrize("name", NOT_THEOREMS)
def test_a_false_statement_is_not_proved_without_a_search_for_counterexamples(name: str) -> None:
    given, goal = NOT_THEOREMS[name]
    with pytest.raises(ProofError):
        Prover(given).prove(goal, falsify=False)


def pull_out() -> Any:
    return Derivation("pull out").start(E(c * S)).equals(c * E(S), because="c is fixed").qed()


def scaled() -> Any:
    given, witness = [positive_definite(A)], {n: 1, A: [[2]], p: 3}
    line = Derivation("scaled", given=given, witness=witness).start(logdet(p * A))
    return line.equals(n * log(p) + logdet(A), because="n factors").qed()


def midpoint() -> Any:
    line = Derivation("midpoint").start(convex((a + b) / 2))
    return line.at_most((convex(a) + convex(b)) / 2, because="convex").qed()


odd = Rational(355, 113)  # a number no search for counterexamples would try

MISUSED_RULES: dict[str, Callable[[], Any]] = {
    "a random value for a constant": lambda: apply(pull_out(), {c: T}).prove(
        Prover([]), Eq(E(S * T), T * E(S))
    ),
    "a name for a random value": lambda: let(c, T).prove(Prover([]), Eq(E(S * T), T * E(S))),
    "a matrix of another size": lambda: apply(scaled(), {A: C}).prove(
        Prover([positive_definite(C)]), Eq(logdet(p * C), n * log(p) + logdet(C))
    ),
    "a function without the property": lambda: apply(midpoint(), {convex: plain}).prove(
        Prover([]), Le(plain((a + b) / 2), (plain(a) + plain(b)) / 2)
    ),
    "cases that divide by what may vanish": lambda: (
        Derivation("split")
        .start((x - odd) ** 2)
        .greater_than(0, because="?", by=cases(Gt(1 / (x - odd), 0), Le(1 / (x - odd), 0)))
    ),
    "cases on a logarithm that may not exist": lambda: (
        Derivation("split")
        .start(x + 17)
        .greater_than(0, because="?", by=cases(Gt(log(x + 17), 0), Le(log(x + 17), 0)))
    ),
    "cases that leave something out": lambda: cases(Gt(x, 0), Lt(x, 0)).prove(
        Prover([]), Gt(x**2, 0)
    ),
    "a kink": lambda: second_order(x, at=1).prove(Prover([]), Le(Abs(x), x)),
    "a corner": lambda: second_order(x, at=1).prove(Prover([]), Le(Max(x, 0), x)),
    "a pole between": lambda: second_order(x, at=1).prove(Prover([Gt(x**2, 0)]), Ge(1 / x, 2 - x)),
    "a root at its end": lambda: second_order(x, at=0).prove(Prover([Ge(x, 0)]), Ge(0, sqrt(x))),
    "an induction without its step": lambda: induction(None, k).prove(Prover([]), Le(k**2, k + 2)),
    "an induction that uses its end": lambda: induction(Le(al[k], 0), k).prove(
        Prover([Le(al[0], 0), Le(al[k], 0)]), Le(al[k - 1] + al[k], 0)
    ),
    "an empty range in a strict comparison": lambda: termwise(i).prove(
        Prover([for_each(i, 2, n, Lt(al[i], be[i]))]),
        Lt(Sum(al[i], (i, 2, n)), Sum(be[i], (i, 2, n))),
    ),
    "factors of unknown sign": lambda: termwise(i).prove(
        Prover([for_each(i, 1, n, Le(al[i], be[i]))]),
        Le(Product(al[i], (i, 1, n)), Product(be[i], (i, 1, n))),
    ),
    "two ranges": lambda: termwise(i).prove(
        Prover([for_each(i, 1, n, Le(al[i], be[i]))]),
        Le(Sum(al[i], (i, 1, n)), Sum(be[i], (i, 1, m))),
    ),
}


@pytest.mark.parametrize("name", MISUSED_RULES)
def test_a_rule_does_not_prove_what_its_conditions_do_not_cover(name: str) -> None:
    with pytest.raises(ProofError):
        MISUSED_RULES[name]()
