"""The learning problem: what a sample says about a risk, and what no sample can say.

``ell[i]`` is the loss of one predictor on example i, ``R`` its risk. Predictor j of a class has the
empirical risk ``L[j]`` and the risk ``R[j]``, and ``s[j]`` is one if the learner chooses it. Where
all targets are equally likely, ``t[i]`` is the label of input i: a learner sees the first n of them
and answers one to the j-th of m others with probability ``A[j]``.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Expr,
    Ge,
    KroneckerDelta,
    Lambda,
    Le,
    P,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    exp,
    for_each,
    function,
    independent_family,
    indicator,
    indices,
    induction,
    integers,
    quantity,
    random_family,
    random_variables,
    real_family,
    reals,
    termwise,
    using,
)
from mlnotes.theorems import proves

n, m, d, N, K = integers("n m d N K", positive=True)
i, j, k, l = indices("i j k l")  # noqa: E741
half = Rational(1, 2)
COIN = [(0, half), (1, half)]

# ------------------------------------------------------------------ one predictor

ell = random_family("ell")
loss = random_variables("ell")
risk, sigma, rho = reals("R sigma rho")
sample_risk = quantity("L", is_=Sum(ell[i], (i, 1, n)) / n)

RISK = {"risk": for_each(i, 1, n, Eq(E(ell[i]), risk))}
TWO_COINS = {n: 2, ell: [COIN, COIN], risk: half}
# Every loss varies as much as every other, and any two of them go together to the same degree.
TOGETHER = for_each(
    i,
    1,
    n,
    for_each(
        j,
        1,
        n,
        Eq(
            E((ell[i] - risk) * (ell[j] - risk)),
            sigma**2 * (rho + (1 - rho) * KroneckerDelta(i, j)),
        ),
    ),
)


@proves("lem-learning-unbiased")
def unbiased() -> Theorem:
    r"""Derive that the empirical risk of a fixed predictor has its risk as its mean."""
    return (
        Derivation("an unbiased estimate", given=RISK, witness=TWO_COINS)
        .start(E(sample_risk))
        .equals(Sum(E(ell[i]), (i, 1, n)) / n, because="the expectation of a sum")
        .equals(risk, because="each example is drawn from the same distribution")
        .qed()
    )


@proves("thm-learning-correlated")
def correlated() -> Theorem:
    r"""Derive how far the mean of equally correlated losses is from the risk."""
    return (
        Derivation(
            "examples that go together",
            given={**RISK, "together": TOGETHER},
            witness={**TWO_COINS, sigma: half, rho: 0},
        )
        .start(E((sample_risk - risk) ** 2))
        .equals(
            Sum(Sum(E((ell[i] - risk) * (ell[j] - risk)), (j, 1, n)), (i, 1, n)) / n**2,
            because="the square of a sum has all products",
        )
        .equals(
            Sum(
                Sum(sigma**2 * (rho + (1 - rho) * KroneckerDelta(i, j)), (j, 1, n)),
                (i, 1, n),
            )
            / n**2,
            because="each product has its expectation",
            by=termwise(i, by=termwise(j)),
        )
        .equals(
            sigma**2 * (rho + (1 - rho) / n),
            because=r"$n$ of the $n^2$ products are squares",
        )
        .qed()
    )


sample = Setting(
    "sample",
    given={
        "independent": independent_family(ell),
        **RISK,
    },
    witness=TWO_COINS,
)


@proves("thm-learning-mean-square")
def mean_square() -> Theorem:
    r"""Derive that the empirical risk is off by $\sigma/\sqrt n$, root mean square."""
    return (
        Derivation(
            "the error of an empirical risk",
            setting=sample,
            given={"variance": for_each(i, 1, n, Eq(E((ell[i] - risk) ** 2), sigma**2))},
            witness={sigma: half},
        )
        .start(E((sample_risk - risk) ** 2))
        .equals(
            E(Sum(ell[i] - risk, (i, 1, n)) ** 2) / n**2,
            because="$R$ is the mean of $n$ copies of itself",
        )
        .equals(
            Sum(E((ell[i] - risk) ** 2), (i, 1, n)) / n**2,
            because="products of different, independent deviations have mean zero",
        )
        .equals(sigma**2 / n, because="each square has the same expectation")
        .qed()
    )


@proves("lem-learning-loss-variance")
def loss_variance() -> Theorem:
    r"""Derive that a loss that is zero or one has the variance $R(1-R)$, at most a quarter."""
    return (
        Derivation(
            "the variance of a zero-one loss",
            given={"zero or one": Eq(loss**2, loss), "risk": Eq(E(loss), risk)},
            witness={loss: COIN, risk: half},
        )
        .start(E((loss - risk) ** 2))
        .equals(E(loss**2) - 2 * risk * E(loss) + risk**2, because="expand")
        .equals(risk * (1 - risk), because=r"$\ell^2=\ell$")
        .at_most(Rational(1, 4), because=r"$\frac14-R(1-R)=(\frac12-R)^2$")
        .qed()
    )


@proves("cor-learning-test-set")
def held_out() -> Theorem:
    r"""Derive what $n$ independent test examples leave uncertain about a share of errors."""
    zero_one = {"zero or one": for_each(i, 1, n, Eq(ell[i] ** 2, ell[i]))}
    return (
        Derivation("a test set", setting=sample, given=zero_one)
        .start(E((sample_risk - risk) ** 2))
        .equals(
            E(Sum(ell[i] - risk, (i, 1, n)) ** 2) / n**2,
            because="$R$ is the mean of $n$ copies of itself",
        )
        .equals(
            Sum(E((ell[i] - risk) ** 2), (i, 1, n)) / n**2,
            because="products of different, independent deviations have mean zero",
        )
        .at_most(
            Sum(Rational(1, 4), (i, 1, n)) / n**2,
            because="the variance of a zero-one loss",
            by=termwise(i, by=using(apply(loss_variance(), {loss: ell[i]}))),
        )
        .equals(1 / (4 * n), because="the same number $n$ times")
        .qed()
    )


# ------------------------------------------------------------------ the chosen predictor

L, s = random_family("L s")
R = real_family("R")
CERTAIN = [(1, 1)]
selection = Setting(
    "selection",
    given={
        "unbiased": for_each(j, 1, N, Eq(E(L[j]), R[j])),
        "choice": for_each(j, 1, N, Ge(s[j], 0)),
        "one": Eq(Sum(s[j], (j, 1, N)), 1),
        "minimal": for_each(l, 1, N, Le(Sum(s[j] * L[j], (j, 1, N)), L[l])),
    },
    witness={N: 1, L: [COIN], R: [half], s: [CERTAIN]},
)
chosen_sample_risk = quantity("L_erm", is_=Sum(s[j] * L[j], (j, 1, N)))
chosen_risk = quantity("R_erm", is_=Sum(s[j] * R[j], (j, 1, N)))


@proves("lem-learning-flattering")
def flattering() -> Theorem:
    r"""Derive that the least empirical risk is, on average, below every risk in the class."""
    return (
        Derivation(
            "the least empirical risk",
            setting=selection,
            given={"member": Ge(k, 1), "last": Le(k, N)},
            witness={k: 1},
        )
        .start(E(chosen_sample_risk))
        .at_most(
            E(L[k]),
            because="for every sample the chosen one has the least empirical risk",
            by=termwise(),
        )
        .equals(R[k], because="the empirical risk of a fixed predictor is unbiased")
        .qed()
    )


def _certain() -> Theorem:
    """Derive that the expectation of what is always one is one."""
    return (
        Derivation("always one", given={"always": Eq(loss, 1)}, witness={loss: CERTAIN})
        .start(E(loss))
        .equals(1, because="every outcome has the value one")
        .qed()
    )


@proves("thm-learning-optimism")
def optimism() -> Theorem:
    r"""Derive that empirical risk minimisation is optimistic on average, never pessimistic."""
    best = {"member": Ge(k, 1), "last": Le(k, N), "best": for_each(j, 1, N, Le(R[k], R[j]))}
    below = (
        Derivation(
            "no chosen risk is below the best", setting=selection, given=best, witness={k: 1}
        )
        .start(R[k])
        .equals(
            R[k] * E(Sum(s[j], (j, 1, N))),
            because="one predictor is chosen",
            by=using(apply(_certain(), {loss: Sum(s[j], (j, 1, N))})),
        )
        .equals(E(Sum(s[j] * R[k], (j, 1, N))), because="expectation is linear")
        .at_most(E(chosen_risk), because="no risk is below the best", by=termwise(by=termwise(j)))
        .qed()
    )
    return (
        Derivation("optimism", setting=selection, given=best, witness={k: 1})
        .start(E(chosen_sample_risk))
        .at_most(R[k], because="the least empirical risk is flattering", by=using(flattering()))
        .at_most(E(chosen_risk), because="no risk in the class is below the best", by=using(below))
        .qed()
    )


# ------------------------------------------------------------------ memory and spurious features

hit = random_family("h")


@proves("lem-learning-unseen")
def unseen() -> Theorem:
    r"""Derive how probable it is that a new input was never seen."""
    return (
        Derivation(
            "never seen",
            given={
                "independent": independent_family(hit),
                "uniform": for_each(i, 1, n, Eq(E(hit[i]), 1 / N)),
            },
            witness={n: 2, N: 2, hit: [COIN, COIN]},
        )
        .start(E(Product(1 - hit[i], (i, 1, n))))
        .equals(Product(1 - E(hit[i]), (i, 1, n)), because="the examples are independent")
        .equals((1 - 1 / N) ** n, because="each of them is any of the $N$ inputs")
        .qed()
    )


agreement = random_family("g")


@proves("thm-learning-spurious")
def spurious() -> Theorem:
    r"""Derive how many of $d$ features that are coin tosses agree with all $n$ labels."""
    return (
        Derivation(
            "features that agree by luck",
            given={
                "independent": for_each(j, 1, d, independent_family(Lambda(i, agreement[j, i]))),
                "fair": for_each(j, 1, d, for_each(i, 1, n, Eq(E(agreement[j, i]), half))),
            },
            witness={d: 1, n: 2, agreement: {(1, 1): COIN, (1, 2): COIN}},
        )
        .start(E(Sum(Product(agreement[j, i], (i, 1, n)), (j, 1, d))))
        .equals(
            Sum(Product(E(agreement[j, i]), (i, 1, n)), (j, 1, d)),
            because="the agreements of one feature are independent",
        )
        .equals(
            Sum(Product(half, (i, 1, n)), (j, 1, d)),
            because="each has the probability one half",
            by=termwise(j, by=termwise(i)),
        )
        .equals(d * half**n, because=r"the same number $d$ times")
        .qed()
    )


# ------------------------------------------------------------------ no free lunch

answer, label, twin = real_family("A t u")


def error(answers: Any, labels: Any) -> Any:
    """Return the probability of a mistake where one is answered with this probability."""
    return labels * (1 - answers) + (1 - labels) * answers


own_error = quantity("e", j, is_=error(answer[j], label[j]))
twin_error = quantity("e_twin", j, is_=error(answer[j], twin[j]))


@proves("lem-learning-twins")
def twins() -> Theorem:
    r"""Derive that on two targets opposite off the training set the errors add up to one."""
    return (
        Derivation(
            "twins",
            given={"opposite": for_each(j, 1, m, Eq(twin[j], 1 - label[j]))},
            witness={m: 2, label: [0, 1], twin: [1, 0], answer: [0, half]},
        )
        .start(Sum(own_error[j], (j, 1, m)) / m + Sum(twin_error[j], (j, 1, m)) / m)
        .equals(
            Sum(error(answer[j], label[j]) + error(answer[j], 1 - label[j]), (j, 1, m)) / m,
            because="the twin has the opposite label",
        )
        .equals(1, because="what is right for one target is wrong for its twin")
        .qed()
    )


t = random_family("t")
pattern, row, table, w, z = real_family("b c a w z")


def agrees(labels: Any, pattern: Any) -> Any:
    """Return one if a label is that of the pattern, and zero if it is not."""
    return indicator(Eq(labels, pattern))


@proves("lem-learning-every-target")
def every_target() -> Theorem:
    r"""Derive that labels which are independent fair coins make all targets equally likely."""
    return (
        Derivation(
            "every target is equally likely",
            given={
                "independent": independent_family(t),
                "fair": for_each(i, 1, N, Eq(P(Eq(t[i], pattern[i])), half)),
            },
            witness={N: 2, t: [COIN, COIN], pattern: [0, 1]},
        )
        .start(E(Product(agrees(t[i], pattern[i]), (i, 1, N))))
        .equals(Product(P(Eq(t[i], pattern[i])), (i, 1, N)), because="the labels are independent")
        .equals(half**N, because="each label is either value with probability one half")
        .qed()
    )


def _last_factor() -> Theorem:
    """Derive that a product is its last factor times the others."""
    return (
        Derivation("the last factor")
        .start(Product(w[i], (i, 1, n + 1)))
        .equals(w[n + 1] * Product(w[i], (i, 1, n)), because="count", by=induction(None, n))
        .qed()
    )


def _seen(factor: Any, i: Expr) -> Any:
    """Return a factor for an example of the training set, and one for every other input."""
    return indicator(Le(i, n)) * (factor - 1) + 1


def _ones() -> Theorem:
    """Derive that factors of one do not matter."""
    return (
        Derivation("factors of one")
        .start(Product(_seen(w[i], i), (i, 1, n + m - 1)))
        .equals(
            Product(_seen(w[i], i), (i, 1, n)),
            because="they are one",
            by=induction(
                None,
                m,
                step=using(apply(_last_factor(), {w: Lambda(i, _seen(w[i], i)), n: n + m - 1})),
                start=1,
            ),
        )
        .equals(Product(w[i], (i, 1, n)), because="the others are as they were", by=termwise(i))
        .qed()
    )


def _and_one_more(factor: Any, last: Any, i: Expr) -> Any:
    """Return the factors of the training set and one for the new input."""
    return _seen(factor, i) + KroneckerDelta(i, n + m) * (last - 1)


def _new_factor() -> Theorem:
    """Derive that the factors of the training set and of a new input are one product."""
    both = Lambda(i, _and_one_more(w[i], z[i], i))
    return (
        Derivation("one product")
        .start(Product(_and_one_more(w[i], z[i], i), (i, 1, n + m)))
        .equals(
            _and_one_more(w[n + m], z[n + m], n + m)
            * Product(_and_one_more(w[i], z[i], i), (i, 1, n + m - 1)),
            because="the last factor",
            by=apply(_last_factor(), {w: both, n: n + m - 1}),
        )
        .equals(
            _and_one_more(w[n + m], z[n + m], n + m) * Product(_seen(w[i], i), (i, 1, n + m - 1)),
            because="the new input is the last",
            by=termwise(i),
        )
        .equals(z[n + m] * Product(w[i], (i, 1, n)), because="factors of one", by=using(_ones()))
        .qed()
    )


def _unseen_label() -> Theorem:
    """Derive that a label which was not seen is independent of what the training set looks like."""
    here, mean = agrees(t[i], pattern[i]), P(Eq(t[i], pattern[i]))
    both = _and_one_more(here, t[i], i)
    return (
        Derivation(
            "a label that was not seen",
            given={"independent": independent_family(t)},
            witness={n: 1, m: 1, t: [COIN, COIN], pattern: [0]},
        )
        .start(E(t[n + m] * Product(here, (i, 1, n))))
        .equals(
            E(Product(both, (i, 1, n + m))),
            because="one product",
            by=termwise(by=apply(_new_factor(), {w: Lambda(i, here), z: Lambda(i, t[i])})),
        )
        .equals(
            Product(_and_one_more(mean, E(t[i]), i), (i, 1, n + m)),
            because="the labels are independent",
        )
        .equals(
            E(t[n + m]) * Product(mean, (i, 1, n)),
            because="one product",
            by=apply(_new_factor(), {w: Lambda(i, mean), z: Lambda(i, E(t[i]))}),
        )
        .equals(E(t[n + m]) * E(Product(here, (i, 1, n))), because="the labels are independent")
        .qed()
    )


# Row k of a learner's table is for the training set that looks like c[k, 1], …, c[k, n].
answers = quantity(
    "A", j, is_=Sum(table[k, j] * Product(agrees(t[i], row[k, i]), (i, 1, n)), (k, 1, K))
)
# With what probability the learner errs on the j-th new input.
errs = quantity("e", j, is_=error(answers[j], t[n + j]))
# The learner that repeats the one label it has seen.
REPEATER = {
    n: 1,
    m: 1,
    K: 2,
    t: [COIN, COIN],
    row: {(1, 1): 0, (2, 1): 1},
    table: {(1, 1): 0, (2, 1): 1},
}
all_targets = Setting(
    "all targets",
    given={
        "independent": independent_family(t),
        "fair": for_each(i, 1, n + m, Eq(E(t[i]), half)),
    },
    witness=REPEATER,
)
new = {"new": Ge(j, 1), "last": Le(j, m)}


@proves("lem-learning-new-input")
def new_input() -> Theorem:
    r"""Derive that a learner errs on one new input half of the time, over all targets."""
    return (
        Derivation("one new input", setting=all_targets, given=new, witness={j: 1})
        .start(E(errs[j]))
        .equals(E(t[n + j]) + E(answers[j]) - 2 * E(t[n + j] * answers[j]), because="expand")
        .equals(
            E(t[n + j]) + E(answers[j]) - 2 * E(t[n + j]) * E(answers[j]),
            because="the answer depends on labels that were seen, and this one was not",
            by=using(_independent_answer()),
        )
        .equals(half, because="each label is one with probability one half")
        .qed()
    )


def _independent_answer() -> Theorem:
    """Derive that an answer and the label of the new input are uncorrelated."""
    return (
        Derivation("an answer and a label", setting=all_targets, given=new, witness={j: 1})
        .start(E(t[n + j] * answers[j]))
        .equals(
            Sum(
                table[k, j] * E(t[n + j] * Product(agrees(t[i], row[k, i]), (i, 1, n))),
                (k, 1, K),
            ),
            because="expectation is linear",
        )
        .equals(
            Sum(
                table[k, j] * (E(t[n + j]) * E(Product(agrees(t[i], row[k, i]), (i, 1, n)))),
                (k, 1, K),
            ),
            because="a label that was not seen",
            by=termwise(k, by=using(apply(_unseen_label(), {m: j, pattern: Lambda(i, row[k, i])}))),
        )
        .equals(E(t[n + j]) * E(answers[j]), because="expectation is linear")
        .qed()
    )


@proves("thm-learning-no-free-lunch")
def no_free_lunch() -> Theorem:
    r"""Derive that every learner has, over all targets, the error one half off its training set."""
    return (
        Derivation("no free lunch", setting=all_targets)
        .start(E(Sum(errs[j], (j, 1, m)) / m))
        .equals(Sum(E(errs[j]), (j, 1, m)) / m, because="expectation is linear")
        .equals(
            Sum(half, (j, 1, m)) / m,
            because="half of the time on each new input",
            by=termwise(j, by=using(apply(new_input(), {j: j}))),
        )
        .equals(half, because="the same number $m$ times")
        .qed()
    )


# ------------------------------------------------------------------ where the risk comes from

own, best, least = reals("R_chosen R_best R^*")
own_sample, best_sample = reals("L_chosen L_best")
deviation, tolerance = reals("D tau")


@proves("thm-learning-decomposition")
def decomposition() -> Theorem:
    r"""Derive that an excess risk is approximation, estimation and optimisation error."""
    return (
        Derivation(
            "three errors",
            given={
                "chosen": Le(own - own_sample, deviation),
                "best": Le(best_sample - best, deviation),
                "search": Le(own_sample, best_sample + tolerance),
            },
            witness={
                own: 2,
                best: 1,
                least: 0,
                own_sample: 1,
                best_sample: 1,
                deviation: 1,
                tolerance: 0,
            },
        )
        .start(own - least)
        .equals(
            (best - least) + (own - own_sample) + (best_sample - best) + (own_sample - best_sample),
            because="through the best of the class and through the sample",
        )
        .at_most(
            (best - least) + deviation + deviation + (own_sample - best_sample),
            because="empirical risks are near to risks",
        )
        .at_most(
            (best - least) + 2 * deviation + tolerance,
            because=r"the search stopped within $\tau$ of the least empirical risk",
        )
        .qed()
    )


# The features of a random example, numbered, and its target; a predictor answers to the features.
X, Y = random_variables("X Y")
f = function("f")
regression = E(Y, given=X)


@proves("lem-learning-tower")
def tower() -> Theorem:
    r"""Derive that for a function of the features the target may be replaced by its mean there."""
    return (
        Derivation("a known factor")
        .start(E(f(X) * regression))
        .equals(E(f(X) * Y), because="outcomes with the same features are averaged together")
        .qed()
    )


@proves("thm-learning-regression-function")
def regression_function() -> Theorem:
    r"""Derive that squared risk is noise and the distance from the conditional mean."""
    return (
        Derivation("noise and distance")
        .start(E((Y - f(X)) ** 2))
        .equals(
            E((Y - regression) ** 2)
            + 2 * E((Y - regression) * (regression - f(X)))
            + E((regression - f(X)) ** 2),
            because=r"go from $Y$ to $f(X)$ through the regression function and expand",
        )
        .equals(
            E((Y - regression) ** 2) + E((regression - f(X)) ** 2),
            because="at given features the second factor is known, and the first has mean zero",
        )
        .qed()
    )


@proves("lem-learning-total-variance")
def total_variance() -> Theorem:
    r"""Derive that the variance of the targets is noise and the variance of their means."""
    return (
        Derivation("total variance")
        .start(E((Y - E(Y)) ** 2))
        .equals(
            E((Y - regression) ** 2) + E((regression - E(Y)) ** 2),
            because="noise and distance, for a predictor that always answers the mean",
            by=using(regression_function()(f=lambda _: E(Y))),
        )
        .qed()
    )


truth = real_family("f^*")
F = random_family("f")
mass = real_family("p")


@proves("lem-learning-bias-variance")
def bias_variance() -> Theorem:
    r"""Derive that the distance from the regression function is bias and variance."""
    return (
        Derivation("bias and variance of a learner")
        .start(E(Sum(mass[i] * (F[i] - truth[i]) ** 2, (i, 1, N))))
        .equals(
            Sum(
                mass[i] * ((E(F[i]) - truth[i]) ** 2 + E((F[i] - E(F[i])) ** 2)),
                (i, 1, N),
            ),
            because="go through the mean prediction: the cross term has mean zero",
        )
        .qed()
    )


# ------------------------------------------------------------------ codes, cubes

epsilon = reals("epsilon", positive=True)
answer_sign, sign = reals("z y")


@proves("lem-learning-cube")
def cube() -> Theorem:
    r"""Derive that the inner part of a cube has a share that falls exponentially in $d$."""
    return (
        Derivation(
            "the inner cube",
            given={"margin": Le(epsilon, half)},
            witness={epsilon: Rational(1, 4), d: 2},
        )
        .start((1 - 2 * epsilon) ** d)
        .at_most(
            exp(-2 * epsilon) ** d,
            because=r"$1-u\le e^{-u}$",
            by=induction(None, d, start=1),
        )
        .equals(exp(-2 * epsilon * d), because="a product of exponentials", by=induction(None, d))
        .qed()
    )


@proves("lem-learning-codes")
def codes() -> Theorem:
    r"""Derive three ways to write a mistake where labels are signs."""
    return (
        Derivation(
            "a mistake in signs",
            given={"label": Eq(sign**2, 1), "answer": Eq(answer_sign**2, 1)},
            witness={sign: 1, answer_sign: -1},
        )
        .start((sign - answer_sign) ** 2 / 4)
        .equals((1 - sign * answer_sign) / 2, because="both squares are one")
        .equals(
            indicator(Le(sign * answer_sign, 0)),
            because="the product is one or minus one",
        )
        .qed()
    )
