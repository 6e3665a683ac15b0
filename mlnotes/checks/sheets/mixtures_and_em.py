"""The assignment on mixtures and EM: a divergence with a factor in it, and a step of EM."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, asked_where
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.data import make_mixture
from mlnotes.proof import (
    Derivation,
    Eq,
    Sum,
    Theorem,
    as_written,
    indices,
    integers,
    log,
    real_family,
    termwise,
)
from mlnotes.proof.forms import mentions, monomials, parts, stands_in, without

# Whose the variances are, and what a step does with what each component would have.
OWN, SHARED = "of its own", "shared with the others"
# What the factor does to the shares in the divergence.
MULTIPLIED, DIVIDED = "multiplies s", "divides s"
# The factor in the divergence and what both sides sum to; the components, their variances and the
# points added to each, for the program; a number for the experiment; what the factor does.
NUMBERS = {
    "c": fractions(1, 80, 1),
    "M": fractions(1, 100, 1),
    "K": range(2, 7),
    "variance": [OWN, SHARED],
    "added": range(4),
    "starts": range(50, 151),
    "factor": [MULTIPLIED, DIVIDED],
}
# Points further out than this are there to make a product of densities underflow.
FAR = 50.0


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, a program and a question."""
    return [
        divergence(numbers["c"], numbers["M"], numbers["factor"]),
        em_step(numbers["K"], numbers["variance"], numbers["added"]),
        Explore("starts", points=4),
    ]


def divergence(c: Any, M: Any, factor: str) -> Derive:
    """Return Gibbs' inequality for shares of M points, one of which has a factor."""
    K = integers("K", positive=True)
    k = indices("k")
    q, s = real_family("q s", positive=True)
    with as_written():
        ratio = c * s[k] / q[k] if factor == MULTIPLIED else s[k] / (c * q[k])
        first = Sum(q[k] * log(ratio), (k, 1, K))
        last = M * log(c) if factor == MULTIPLIED else -M * log(c)
    gain = log(c) if factor == MULTIPLIED else -log(c)
    laws = _laws_of_sums(ratio, gain, q, s, k, K)
    return Derive(
        "divergence",
        "a logarithm under an average",
        given=[Eq(Sum(q[k], (k, 1, K)), M), Eq(Sum(s[k], (k, 1, K)), M)],
        witness={K: 2, q: [M / 2, M / 2], s: [M / 4, 3 * M / 4]},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="the factor leaves the logarithm, and the sum of $q$ is given",
                by=(laws,),
                points=2,
                hint="The logarithm of a product is a sum; what is free of k leaves it.",
                form=_factor_is_outside,
                form_hint=f"The factor {c} should stand outside of the summation sign.",
            ),
            Line(
                "≤",
                because="a logarithm lies below its tangent at one",
                by=(termwise(k), laws),
                points=3,
                hint="What is the tangent of log u at u = 1?",
                form=lambda term: _is_tangent(term, q, s),
                form_hint="In the place of the logarithm both q and s should stand under a sum.",
            ),
            Line("=", last, because="both sums are the same", by=(laws,)),
        ],
        vocabulary={"K": K, "k": k, "q": q, "s": s},
    )


def _laws_of_sums(ratio: Any, gain: Any, q: Any, s: Any, k: Any, K: Any) -> tuple[Theorem, ...]:
    """Return what the logarithms in sums are, so that a step may be written in any order."""

    def over(body: Any) -> Any:
        return Sum(body, (k, 1, K))

    def law(title: str, body: Any, expanded: Any) -> Theorem:
        return Derivation(title).start(over(body)).equals(over(expanded), by=termwise(k)).qed()

    difference = q[k] * log(s[k]) - q[k] * log(q[k])
    return (
        law("the factor", q[k] * log(ratio), difference + q[k] * gain),
        law("the quotient", q[k] * log(s[k] / q[k]), difference),
        law("the quotient turned round", q[k] * log(q[k] / s[k]), -difference),
        law("the tangent", q[k] * (s[k] / q[k] - 1), s[k] - q[k]),
        Derivation("below the tangent")
        .start(over(q[k] * log(s[k] / q[k])))
        .at_most(over(s[k] - q[k]), by=termwise(k))
        .qed(),
    )


def _factor_is_outside(term: Any) -> bool:
    """Say whether a logarithm of a number stands outside of the sums, and none inside."""
    outside = without(term, lambda part: part.op == "sum")
    return stands_in(outside, log) and all(
        [*monomials(logarithm.args[0]).values()] == [1] for logarithm in _logarithms_in_sums(term)
    )


def _is_tangent(term: Any, *families: Any) -> bool:
    """Say whether sums hold some families and no logarithm but that of a number."""
    sums = [*parts(term, "sum")]
    return not any(logarithm.free for logarithm in _logarithms_in_sums(term)) and all(
        any(mentions(part, family) for part in sums) for family in families
    )


def _logarithms_in_sums(term: Any) -> list[Any]:
    sums = [*parts(term, "sum")]
    return [part for total in sums for part in parts(total, "log")]


def em_step(K: int, variance: str, added: int) -> Implement:
    """Return the program to write: one step of EM for Gaussians on a line."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n in (30, 60, 9):
            centres = random.normal(scale=4, size=(K, 1))
            x = make_mixture(n, centres, random_state=random).X[:, 0]
            variances = random.uniform(0.5, 3, size=K)
            out.append(
                {
                    "x": x,
                    "weights": random.dirichlet(np.full(K, 5.0)),
                    "means": random.choice(x, size=K, replace=False),
                    "variances": variances if variance == OWN else np.full(K, variances[0]),
                }
            )
        out[-1]["x"][0] = 2 * FAR + random.uniform()
        return out

    def maximiser(case: Case) -> tuple[Any, Any, Any]:
        """Return the weights, means and variances of this student's step."""
        from mlnotes.mixtures_and_em import responsibilities

        x, share = case["x"], responsibilities(_joint(case["x"], *_old(case)))
        mass = share.sum(axis=0)
        means = x @ share / mass
        squares = (share * (x[:, None] - means) ** 2).sum(axis=0)
        variances = squares / mass if variance == OWN else np.full(K, squares.sum() / len(x))
        return (mass + added) / (len(x) + K * added), means, variances

    def maximises(place: int, name: str) -> Property:
        def fails(case: Case, output: Output) -> str:
            if np.allclose(output[place], maximiser(case)[place], rtol=1e-6, atol=1e-9):
                return ""
            return f"Other {name} have a larger expectation under the old shares."

        return Property(f"the {name} maximise the expectation", 2, asked_where(_is_near, fails))

    names = ["weights", "means", "variances"]
    like = [Value(f"the {name}", lambda case: (K,)) for name in names]
    return Implement(
        "em_step",
        returns=[*like, Value("the log-likelihood before the step", lambda case: ())],
        cases=cases,
        properties=[
            Property(
                "the log-likelihood is that of the old parameters",
                2,
                asked_where(_is_near, _likelihood),
            ),
            *(maximises(place, name) for place, name in enumerate(names)),
            Property("a point far from every mean does no harm", 2, _far),
        ],
        asks=f"each component has a variance {variance}, and {added} points are added to the mass "
        "of each when its weight is computed.",
    )


def _is_near(case: Case) -> bool:
    return bool(np.abs(case["x"]).max() < FAR)


def _joint(x: Any, weights: Any, means: Any, variances: Any) -> Any:
    from mlnotes.mixtures_and_em import gaussian_log_joint

    return gaussian_log_joint(x[:, None], weights, means[:, None], variances[:, None, None])


def _log_likelihood(case: Case) -> float:
    from mlnotes.mixtures_and_em import log_evidence

    return float(log_evidence(_joint(case["x"], *_old(case))).sum())


def _old(case: Case) -> tuple[Any, ...]:
    return case["weights"], case["means"], case["variances"]


def _likelihood(case: Case, output: Output) -> str:
    if np.isclose(float(output[3]), _log_likelihood(case)):
        return ""
    return "The log-likelihood is a sum over the points of a logarithm of a sum over components."


def _far(case: Case, output: Output) -> str:
    if _is_near(case):
        return ""
    finite = all(np.isfinite(part).all() for part in output)
    if finite and np.isclose(float(output[3]), _log_likelihood(case)):
        return ""
    return "Far from every mean all densities round to zero: work with their logarithms."
