"""Random inequalities under random hypotheses: what the engine proves is attacked with models."""

from __future__ import annotations

import random
from typing import Any

import evaluator as ev
import pytest
from claims import Claim
from mlnotes.proof.prove import Prover
from sampling import sample, satisfies, terms_of, truth

from mlnotes.proof import (
    Abs,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Max,
    ProofError,
    Rational,
    Sum,
    dot,
    exp,
    for_each,
    indicator,
    indices,
    integers,
    log,
    norm,
    norm2,
    real_family,
    reals,
    sqrt,
    vectors,
)

a, b, c = reals("a b c")
p, q = reals("p q", positive=True)
u, v = vectors("u v")
n = integers("n", positive=True)
i, j = indices("i j")
al, be = real_family("al be")
ws = real_family("ws", positive=True)

POOLS: dict[str, tuple[list[Any], list[Any]]] = {
    "reals": (
        [a, b, c, a * b, a**2, b**2, p, 1 / p, a * p, sqrt(p), a**2 * b, a / p],
        [Ge(a, 0), Le(a, b), Le(b, 1), Ge(a * b, 1), Eq(a**2, 1), Le(a**2 + b**2, 1), Gt(b, c)],
    ),
    "vectors": (
        [
            dot(u, v),
            norm2(u),
            norm2(v),
            norm(u),
            norm(u) * norm(v),
            dot(u, v) ** 2,
            p,
            a * dot(u, v),
        ],
        [Ge(dot(u, v), 0), Le(norm2(u), 1), Eq(norm2(v), 1), Le(dot(u, v), p), Eq(dot(u, v), a)],
    ),
    "sums": (
        [
            Sum(al[i], (i, 1, n)),
            Sum(al[i] * be[i], (i, 1, n)),
            Sum(al[i] ** 2, (i, 1, n)),
            Sum(al[i], (i, 1, n)) * Sum(be[i], (i, 1, n)),
            Sum(al[i], (i, 1, n)) ** 2,
            n * Sum(al[i] ** 2, (i, 1, n)),
            Sum(ws[i] * al[i], (i, 1, n)),
            Sum(ws[i] * al[i] ** 2, (i, 1, n)),
            Sum(ws[i], (i, 1, n)),
            Sum(al[i] * al[j], (i, 1, j), (j, 1, n)),
            Sum(Abs(al[i]), (i, 1, n)),
            n,
            c,
        ],
        [
            for_each(i, 1, n, Ge(al[i], 0)),
            for_each(i, 1, n, Le(al[i], be[i])),
            for_each(i, 1, n, Le(al[i], c)),
            for_each(i, 2, n, Le(al[i], 0)),
            Eq(Sum(al[i], (i, 1, n)), 0),
            Eq(Sum(ws[i], (i, 1, n)), 1),
            Le(Sum(be[i], (i, 1, n)), c),
        ],
    ),
    "exponentials": (
        [
            exp(a),
            exp(-a),
            a,
            a**2,
            exp(b),
            b,
            exp(a) * b,
            log(p),
            p,
            log(1 + p),
            exp(a / 2),
            p * log(p),
        ],
        [Ge(a, 0), Le(a, 1), Le(a, b), Le(p, 1), Ge(b, 1)],
    ),
    "edges": (
        [
            Abs(a),
            Max(a, b),
            Max(a, 0),
            indicator(Ge(a, 0)),
            indicator(Ge(a, b)),
            a,
            b,
            a * b,
            Abs(a * b),
            a * indicator(Ge(a, 0)),
            Max(a, b) ** 2,
            a**2,
        ],
        [Ge(a, 0), Le(a, b), Eq(Abs(a), 1), Le(Abs(b), 1), Le(Max(a, b), 1)],
    ),
}


def slack(hypothesis: Any) -> Any:
    """Return what a hypothesis says is nonnegative, summed over its index if it has one."""
    if type(hypothesis).__name__ == "ForEach":
        index, low, high, relation = hypothesis.args
        return Sum(slack(relation), (index, low, high))
    left, right = hypothesis.args
    return (
        right - left
        if type(hypothesis).__name__ in ("LessThan", "StrictLessThan")
        else left - right
    )


def relation_of(claim: Claim) -> Any:
    return {"<=": Le, "<": Lt, "==": Eq}[claim.operator](claim.left, claim.right)


def draw(rng: random.Random, pool: str, number: int) -> Claim | None:
    """Draw a claim that has a fair chance of being true, with a witness of its hypotheses."""
    terms, hypotheses = POOLS[pool]
    given = rng.sample(hypotheses, rng.randint(0, 2))
    gap: Any = 0
    for h in given:
        gap += rng.choice([0, 1, 1, 2]) * slack(h)
    if rng.random() < 0.6:
        gap += (rng.choice(terms) - rng.choice([1, 2]) * rng.choice(terms)) ** 2
    if rng.random() < 0.6:
        gap += rng.choice([1, -1, Rational(1, 2)]) * rng.choice(terms)
    if rng.random() < 0.3:
        gap += rng.choice([1, -1, Rational(-1, 10)])
    left = rng.choice(terms) * rng.choice([1, 2, -1])
    operator = rng.choice(["<=", "<=", "<", "=="])
    claim = Claim(f"{pool} {number}", left, operator, left + gap, given)
    for _ in range(200):
        witness = sample(terms_of(claim), rng)
        try:
            if satisfies(witness, given):
                ev.evaluate(claim.right, witness)
                return Claim(claim.name, left, operator, claim.right, given, witness)
        except (ev.NoValue, KeyError):
            continue
    return None


COUNTS = {"reals": 45, "vectors": 35, "sums": 12, "exponentials": 18, "edges": 25}


@pytest.mark.parametrize("pool", POOLS)
def test_nothing_false_is_proved_about_random_inequalities(pool: str) -> None:
    rng = random.Random(41)
    proved = refused = 0
    for number in range(COUNTS[pool]):
        claim = draw(rng, pool, number)
        if claim is None or claim.left == claim.right:
            continue
        try:
            # Without its search for counterexamples, which would hide an unsound method.
            prover = Prover(claim.given, z3=number % 5 == 0)
            prover.prove(relation_of(claim), falsify=False)
        except ProofError:
            refused += 1
            continue
        proved += 1
        tried = 0
        for _ in range(250):
            model = sample(terms_of(claim), rng)
            try:
                if satisfies(model, claim.given):
                    tried += 1
                    assert truth(claim, model) is not False, f"{claim}\nfails at {model}"
            except ev.NoValue:
                continue
            if tried == 40:
                break
    assert proved > 0
    assert refused > 0
