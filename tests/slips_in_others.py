"""Counterexamples to what the notes 000, 001, 003 and 004 print in the chapters to come.

Each entry of `FOUND` evaluates, on one small example, the printed statement and the corrected
one. Probabilities are computed exactly, in fractions, wherever the example allows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction as F
from itertools import combinations, product
from statistics import NormalDist

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy import optimize, stats

Array = NDArray[np.float64]
Check = Callable[[], bool]


# The learning problem.

TIED = (np.array([[1, 0], [-1, 0], [0, -1]]), np.array([1, 1, -1]))


def separable(X: Array, y: Array) -> bool:
    """Say whether a linear program finds theta with y <theta, x> >= 1 at every point."""
    rows = -y[:, None] * X
    found = optimize.linprog(np.zeros(2), rows, -np.ones(len(y)), bounds=(None, None))
    return bool(found.status == 0)


def error_free_somewhere(X: Array, y: Array, *, zero_counts_as_plus: bool) -> bool:
    angles = np.arange(0, 360, 15) * np.pi / 180
    values = X @ np.round([np.cos(angles), np.sin(angles)], 12)
    if zero_counts_as_plus:
        return bool((np.where(values >= 0, 1, -1) == y[:, None]).all(axis=0).any())
    return bool((y[:, None] * values > 0).all(axis=0).any())


def best_constant(loss: Callable[[F, int], F]) -> F:
    """Return the constant that predicts the targets 0, 0, 3 with the least total loss."""
    return min((F(n, 2) for n in range(7)), key=lambda f: sum(loss(f, y) for y in (0, 0, 3)))


def charges_mistakes(loss: Callable[[int], int]) -> bool:
    return all(loss(y * v) == (y * v < 0) for y, v in product((-1, 1), (-3, 3)))


# Derivatives and descent.

SINGULAR = sp.Matrix([[1, 2], [2, 4]])


def gradient_of_det(A: sp.Matrix) -> sp.Matrix:
    entries = sp.Matrix(A.rows, A.cols, lambda i, j: sp.Symbol(f"a{i}{j}"))
    at = dict(zip(entries, A, strict=True))
    return sp.Matrix(A.rows, A.cols, lambda i, j: entries.det().diff(entries[i, j]).subs(at))


def printed_gradient_of_det(A: sp.Matrix) -> sp.Matrix | None:
    return A.det() * A.inv().T if A.det() else None


def descend(gradient: Callable[[F], F], z: F, step: F, steps: int) -> list[F]:
    path = [z]
    for _ in range(steps):
        path.append(path[-1] - step * gradient(path[-1]))
    return path


def within_bound(
    f: Callable[[F], F], gradient: Callable[[F], F], start: F, best: F, G: F, step: F = F(1, 50)
) -> bool:
    """Say whether the subgradient bound of the notes holds after 2000 steps."""
    steps = 2000
    x, reached = start, f(start)
    for _ in range(steps):
        x -= step * gradient(x)
        reached = min(reached, f(x))
    return reached <= f(best) + ((start - best) ** 2 + G**2 * steps * step**2) / (2 * steps * step)


def steep(x: F) -> F:
    return 100 * abs(x)


def steep_slope(x: F) -> F:
    return F(100 if x > 0 else -100)


def two_valleys(x: F) -> F:
    return min((x - 1) ** 2, (x + 2) ** 2 - 1)


def slope_of_two_valleys(x: F) -> F:
    return 2 * (x - 1) if (x - 1) ** 2 < (x + 2) ** 2 - 1 else 2 * (x + 2)


def has_one_minimiser(X: Array, y: Array) -> bool:
    """Say whether Newton's method ends at a zero gradient with an invertible Hessian."""
    w = np.zeros(X.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(y * (X @ w)))
        hessian = X.T @ (X * (p * (1 - p))[:, None])
        if np.linalg.cond(hessian) > 1e8 or np.abs(w).max() > 20:
            return False
        w = w + np.linalg.solve(hessian, X.T @ (y * p))
    return bool(np.abs(X.T @ (y / (1 + np.exp(y * (X @ w))))).max() < 1e-9)


LINE = np.array([[1.0, -1], [1, 0], [1, 1], [1, 2]])
MIXED, SPLIT = np.array([1.0, -1, 1, -1]), np.array([-1.0, -1, 1, 1])


# Least squares.

FLAT = sp.Matrix([[1, 1], [2, 2], [3, 3]])
TARGETS = sp.Matrix([1, 2, 4])
OFFSET = sp.Matrix([[0, 1], [1, 1], [2, 1]])
FREE = sp.diag(1, 0)


def limit_inverse(X: sp.Matrix) -> sp.Matrix:
    eps = sp.Symbol("epsilon", positive=True)
    regular = (X.T * X + eps * sp.eye(X.cols)).inv() * X.T
    return regular.applyfunc(lambda entry: sp.limit(sp.simplify(entry), eps, 0))


def is_pseudo_inverse(P: sp.Matrix, X: sp.Matrix) -> bool:
    return bool(X * P * X == X and P * X * P == P and (X * P).T == X * P and (P * X).T == P * X)


def spread_over_rate(N: int) -> float:
    """Return the spread of the training error of a line under normal noise, as multiple of d/N."""
    X = np.column_stack([np.ones(N), np.arange(N)])
    residual = np.eye(N) - X @ np.linalg.pinv(X)
    return float(np.sqrt(2 * np.trace(residual @ residual)) / N / (1 / N))


def mean_gap(N: int) -> tuple[float, float]:
    """Return by how much test exceeds training error for a line on fixed inputs, and 2(d+1)/N."""
    H = np.column_stack([np.ones(N), np.arange(N)])
    H = H @ np.linalg.pinv(H)
    train = np.trace((np.eye(N) - H) @ (np.eye(N) - H)) / N
    test = (np.trace(H @ H) + N) / N
    return float(test - train), 4 / N


def out_of_sample_error(d: int, N: int, draws: int = 20_000) -> float:
    """Return the mean error at fresh normal inputs, for noise of variance one."""
    rng = np.random.default_rng(0)
    X = np.concatenate([np.ones((draws, N, 1)), rng.normal(size=(draws, N, d))], axis=2)
    x = np.concatenate([np.ones((draws, 1)), rng.normal(size=(draws, d))], axis=1)
    solved = np.linalg.solve(X.transpose(0, 2, 1) @ X, x[..., None])[..., 0]
    return float(1 + (x * solved).sum(axis=1).mean())


SLOPED = sp.Matrix([1, 2])
HAT = SLOPED * SLOPED.T / 5


def training_error(variances: list[int]) -> sp.Expr:
    """Return the mean squared residual of a line through the origin, from inputs 1 and 2."""
    residual = sp.eye(2) - HAT
    return (residual * sp.diag(*variances) * residual.T).trace() / 2


def ridge(y: sp.Matrix, penalty: sp.Matrix) -> sp.Matrix:
    return (OFFSET.T * OFFSET + penalty).inv() * OFFSET.T * y


def minimises_printed_ridge(theta: sp.Matrix, y: sp.Matrix) -> bool:
    """Say whether the gradient of |y - X theta|^2 + lambda/2 slope^2 vanishes for lambda = 2."""
    return bool((2 * OFFSET.T * (OFFSET * theta - y) + 2 * FREE * theta).is_zero_matrix)


def ridge_bias(truth: sp.Matrix) -> sp.Matrix:
    """Return the bias of the minimiser of the printed ridge objective for lambda = 2."""
    return ridge(OFFSET * truth, FREE) - truth


TRUTH = sp.Matrix([1, 10])


# Regularisation: the positive points 1/sqrt(3) and 1/2 and the rule w x >= 1.


def missed(w: sp.Expr) -> sp.Expr:
    return sp.Rational(sum(bool(w * x < 1) for x in (1 / sp.sqrt(3), sp.Rational(1, 2))), 2)


CANDIDATES = (sp.Integer(0), sp.sqrt(3), sp.Integer(2))


def constrained(radius: int) -> sp.Expr:
    return min((w for w in CANDIDATES if w**2 <= radius), key=lambda w: (missed(w), w))


def ever_penalised(w: sp.Expr, loss: Callable[[sp.Expr], sp.Expr]) -> bool:
    """Say whether some weight of the penalty w^2 makes w optimal among the candidates."""
    low, high = sp.Integer(0), sp.oo
    for other in CANDIDATES:
        gain, price = loss(other) - loss(w), w**2 - other**2
        if price > 0:
            high = min(high, gain / price)
        elif price < 0:
            low = max(low, gain / price)
    return bool(low <= high)


def penalised_hinge(scale: float) -> float:
    return max(0.0, 1 - scale) + scale**2 / 10


def penalised_error(scale: float, *, strict: bool) -> float:
    """Return the 0-1 loss plus w^2/10 of the rule sign(w x) with w = scale on +-1."""
    margins = scale * np.array([1.0, 1.0])
    return float(np.mean(margins < 0 if strict else margins <= 0) + scale**2 / 10)


# Naive Bayes.


def drawn_means(row_of: Callable[[int], int]) -> dict[int, tuple[int, int]]:
    """Return the mean that each label gets; the comment of the notes puts the positives first."""
    rows = {1: (8, 11), 2: (-4, 10)}
    return {y: rows[row_of(y)] for y in (0, 1)}


def gaussian_log_ratio(x: int, variances: tuple[int, int]) -> float:
    a, b = (NormalDist(m, math.sqrt(v)) for m, v in zip((1, 0), variances, strict=True))
    return math.log(a.pdf(x) / b.pdf(x))


def is_affine(values: list[float]) -> bool:
    return abs(values[0] - 2 * values[1] + values[2]) < 1e-9


CELLS = list(product((0, 1), repeat=2))
JOINT = {
    (cell, y): F(count, 1000)
    for cell, counts in zip(CELLS, [(335, 7), (97, 103), (200, 171), (84, 3)], strict=True)
    for y, count in enumerate(counts)
}


def naive_bayes_odds(joint: dict[tuple[tuple[int, int], int], F]) -> dict[tuple[int, int], F]:
    scores = {}
    for y in (0, 1):
        prior = sum((joint[cell, y] for cell in CELLS), F(0))
        for cell in CELLS:
            score = prior
            for d in (0, 1):
                score *= sum((joint[c, y] for c in CELLS if c[d] == cell[d]), F(0)) / prior
            scores[cell, y] = score
    return {cell: scores[cell, 1] / scores[cell, 0] for cell in CELLS}


def error_of(positive: Callable[[tuple[int, int]], bool]) -> F:
    return sum((JOINT[cell, 0 if positive(cell) else 1] for cell in CELLS), F(0))


def population_logistic() -> Array:
    """Return the weights that minimise the expected logistic loss under `JOINT`."""
    X = np.array([(1, *cell) for cell in CELLS], dtype=float)
    mass = np.array([[float(JOINT[cell, y]) for y in (0, 1)] for cell in CELLS])
    w = np.zeros(3)
    for _ in range(50):
        p = 1 / (1 + np.exp(-X @ w))
        gradient = X.T @ (mass.sum(axis=1) * p - mass[:, 1])
        w = w - np.linalg.solve(X.T @ (X * (mass.sum(axis=1) * p * (1 - p))[:, None]), gradient)
    return w


def log_loss(odds: dict[tuple[int, int], float]) -> float:
    return sum(
        float(JOINT[cell, y]) * math.log1p(odds[cell] ** (1 - 2 * y))
        for cell, y in product(CELLS, (0, 1))
    )


def logistic_odds() -> dict[tuple[int, int], float]:
    w = population_logistic()
    return {cell: math.exp(w @ (1, *cell)) for cell in CELLS}


# One binary feature, written down twice, with P(x = 1 | y) = 3/10 and 8/10.
TWICE = {
    (cell, y): F(1, 2) * (F(q, 10) if cell[0] else F(10 - q, 10)) * (cell[0] == cell[1])
    for cell in CELLS
    for y, q in enumerate((3, 8))
}


def twice_error(positive: Callable[[tuple[int, int]], bool]) -> F:
    return sum((TWICE[cell, 0 if positive(cell) else 1] for cell in CELLS), F(0))


# Kernels.


def is_psd(K: sp.Matrix) -> bool:
    return all(sp.re(value) >= 0 for value in K.eigenvals())


def minors(K: sp.Matrix, *, leading: bool) -> list[sp.Expr]:
    sizes = range(1, K.rows + 1)
    sets = (
        [tuple(range(n)) for n in sizes]
        if leading
        else [s for n in sizes for s in combinations(range(K.rows), n)]
    )
    return [K.extract(list(s), list(s)).det() for s in sets]


NEGATIVE = sp.diag(0, -1)
TURN, SHEAR = sp.Matrix([[1, 1], [-1, 1]]), sp.Matrix([[1, 4], [0, 1]])
Z = sp.Matrix(sp.symbols("z1 z2", real=True))


def form(K: sp.Matrix) -> sp.Expr:
    return sp.expand((Z.T * K * Z)[0])


def in_span_of_data(norm: int) -> bool:
    """Say whether the shortest w with <w, (2, 1)> >= 1 is a multiple of (2, 1)."""
    grid = [sp.Matrix([F(a, 10), 1 - 2 * F(a, 10)]) for a in range(11)]
    w = min(grid, key=lambda v: v.norm(norm))
    return bool(w[0] - 2 * w[1] == 0)


def mistakes_at_gap(gap: F) -> int:
    """Count the perceptron's corrections on 1, labelled +, and 1 - gap, labelled -."""
    theta, made, points = (F(0), F(0)), 0, [(F(1), F(1)), (F(-1), gap - 1)]
    while wrong := [x for x in points if theta[0] * x[0] + theta[1] * x[1] <= 0]:
        theta, made = (theta[0] + wrong[0][0], theta[1] + wrong[0][1]), made + 1
    return made


def mistake_bound(gap: F) -> F:
    """Return R^2/gamma^2 for the separator half-way between the two points."""
    middle = 1 - gap / 2
    return 2 * (1 + middle**2) / (gap / 2) ** 2


def double_integral(kernel: Callable[[Array, Array], Array], f: Array, cells: int) -> float:
    """Approximate the form of a kernel by a grid whose two sets of points never meet."""
    x, z = (np.arange(cells) + 0.25) / cells, (np.arange(cells) + 0.75) / cells
    return float(f @ kernel(x[:, None], z) @ f) / cells**2


def minus_diagonal(x: Array, z: Array) -> Array:
    return -np.equal(x, z).astype(float)


def minus_minimum(x: Array, z: Array) -> Array:
    return -np.minimum(x, z)


def integral_is_nonnegative(kernel: Callable[[Array, Array], Array]) -> bool:
    waves = [np.cos(k * np.pi * (np.arange(200) + 0.5) / 200) for k in range(5)]
    return all(double_integral(kernel, f, 200) >= 0 for f in waves)


def gram_is_psd(kernel: Callable[[Array, Array], Array]) -> bool:
    x = np.array([0.0, 0.5, 1.0])
    return bool(np.linalg.eigvalsh(kernel(x[:, None], x)).min() >= -1e-12)


def hashed_mean(x: tuple[int, ...], z: tuple[int, ...], m: int, *, signed: bool) -> F:
    """Average <phi(x), phi(z)> over every hash of the indices, and every sign if asked."""
    d, total, count = len(x), 0, 0
    for buckets in product(range(m), repeat=d):
        for signs in product((-1, 1), repeat=d) if signed else [(1,) * d]:
            sums = [[0] * m, [0] * m]
            for vector, into in zip((x, z), sums, strict=True):
                for i in range(d):
                    into[buckets[i]] += signs[i] * vector[i]
            total, count = total + sum(a * b for a, b in zip(*sums, strict=True)), count + 1
    return F(total, count)


# Neighbours, bagging, shattering.


A, B = sp.Matrix([3, 1]), sp.Matrix([1, 2])


def boundary_direction() -> sp.Matrix:
    """Return the direction of the line of points as far from A as from B."""
    x, y = sp.symbols("x y")
    gap = sp.Matrix([x, y]) - A, sp.Matrix([x, y]) - B
    (solved,) = sp.solve(sp.expand(gap[0].dot(gap[0]) - gap[1].dot(gap[1])), x)
    return sp.Matrix([solved, y]).diff(y)


def distances(D: int) -> Array:
    rng = np.random.default_rng(0)
    return np.linalg.norm(rng.random((4000, D)) - rng.random((4000, D)), axis=1)


def repeated(N: int) -> F:
    """Return the share of the bootstrap samples of N examples that hold one of them twice."""
    draws = list(product(range(N), repeat=N))
    return F(sum(len(set(draw)) < N for draw in draws), len(draws))


def majority(p: F, voters: int) -> F:
    return sum(
        (
            math.comb(voters, k) * p**k * (1 - p) ** (voters - k)
            for k in range((voters + 1) // 2, voters + 1)
        ),
        F(0),
    )


def variance_of_vote(p: F, voters: int) -> F:
    """Return the variance of the majority of independent votes +-1, right with probability p."""
    right = majority(p, voters)
    return 4 * right * (1 - right)


def labelled_by_a_threshold(signs: tuple[int, ...], points: tuple[int, ...]) -> bool:
    cuts = [points[0] - 1, *(p + F(1, 2) for p in points)]
    return any(
        all((side if p > c else -side) == s for p, s in zip(points, signs, strict=True))
        for c, side in product(cuts, (-1, 1))
    )


# Four distinct points of the plane, the first three on a line.
POINTS = sp.Matrix([[1, 0, 0], [1, 1, 0], [1, 2, 0], [1, 0, 1]])


def is_combination_of_others(j: int) -> bool:
    others = POINTS.copy()
    others.row_del(j)
    return bool(others.rank() == POINTS.rank())


# Assessment.

# 8 positives found, 2 missed, 90 false alarms, 900 negatives left alone.
POSITIVE = np.repeat([True, True, False, False], [8, 2, 90, 900])
CALLED = np.repeat([True, False, True, False], [8, 2, 90, 900])


def share(of: NDArray[np.bool_], among: NDArray[np.bool_]) -> F:
    return F(int((of & among).sum()), int(among.sum()))


SENSITIVITY, SPECIFICITY = share(CALLED, POSITIVE), share(~CALLED, ~POSITIVE)
PRECISION = share(POSITIVE, CALLED)


# Scores that move together from slice to slice; the second method is better by 1 or 2 points.
FIRST = np.array([60, 65, 70, 75, 80, 85, 90, 95])
SECOND = FIRST + np.array([1, 2, 1, 2, 1, 2, 1, 2])


# Differences of two methods with mean 0.4 in units of their spread.
GAINS = stats.norm.ppf((np.arange(50) + 0.5) / 50) + 0.4
P_VALUE = stats.ttest_1samp(GAINS, 0).pvalue


def chance_of_losing() -> float:
    """Return the probability that a new difference is negative, by the fitted normal law."""
    return float(stats.norm.cdf(0, GAINS.mean(), GAINS.std(ddof=1)))


def chance_under_no_difference() -> float:
    """Return how often fifty differences of mean zero give as extreme a t as `GAINS`."""
    draws = np.random.default_rng(0).normal(size=(20_000, 50))
    return float(np.mean(np.abs(t_of(draws)) >= abs(t_of(GAINS[None])[0])))


def t_of(draws: Array) -> Array:
    size = draws.shape[1]
    return draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / math.sqrt(size))


def distance_to_normal(n: int) -> float:
    """Return the largest gap between the law of a standardised accuracy and the normal law."""
    k, p = np.arange(n + 1), 0.9
    z = (k - n * p) / math.sqrt(n * p * (1 - p))
    jumps, normal = stats.binom.cdf([k - 1, k], n, p), stats.norm.cdf(z)
    return float(np.abs(jumps - normal).max())


# Clustering.


def k_means_cost(points: list[F], centres: tuple[F, ...]) -> F:
    return sum((min((x - c) ** 2 for c in centres) for x in points), F(0))


def k_means_step(points: list[F], centres: tuple[F, ...]) -> tuple[tuple[F, ...], list[int]]:
    """Return the new centres and the sizes of their clusters; an empty one keeps its centre."""
    clusters: list[list[F]] = [[] for _ in centres]
    for x in points:
        clusters[min(range(len(centres)), key=lambda j: (x - centres[j]) ** 2)].append(x)
    moved = tuple(
        sum(part, F(0)) / len(part) if part else c
        for part, c in zip(clusters, centres, strict=True)
    )
    return moved, [len(part) for part in clusters]


def is_fixed(clusters: list[list[F]], centres: tuple[F, ...]) -> bool:
    """Say whether neither step of k-means changes these clusters and centres."""
    nearest = all(
        (x - c) ** 2 == min((x - other) ** 2 for other in centres)
        for cluster, c in zip(clusters, centres, strict=True)
        for x in cluster
    )
    return nearest and all(
        sum(cluster, F(0)) == len(cluster) * c for cluster, c in zip(clusters, centres, strict=True)
    )


def lower_nearby(points: list[F], centres: tuple[F, ...]) -> bool:
    moves = [F(step, 1000) for step in (-1, 0, 1)]
    here = k_means_cost(points, centres)
    return any(
        k_means_cost(points, tuple(c + m for c, m in zip(centres, move, strict=True))) < here
        for move in product(moves, repeat=len(centres))
    )


def mean_lowers(power: int) -> bool:
    """Say whether moving the centre of 0, 0, 10 from 0 to the mean lowers the score."""
    cluster = (0, 0, 10)
    before, after = (sum(abs(x - c) ** power for x in cluster) for c in (F(0), F(10, 3)))
    return after <= before


HALF = 500
FAR = 22 * 2 * HALF


def seeding() -> dict[str, tuple[F, F]]:
    """Return probability and cost of each seeding of k-means++ with two centres.

    500 points at -1, 500 at +1 and one above them at squared height `FAR`.
    """
    n = 2 * HALF + 1
    pair, height = 4 * HALF, FAR + 1
    regular, total = F(2 * HALF, n), pair + height
    return {
        "both sides": (regular * F(pair, total), F(height)),
        "with the far one": (regular * F(height, total) + F(1, n), F(pair)),
    }


OPTIMUM = F(2 * HALF)
GUARANTEE = 8 * (2 + math.log(2))


def evidence_penalty(N: int, D: int) -> float:
    """Return what -2 log of the evidence adds to -2 log of the likelihood, for N(mu, I).

    The prior of the mean is normal and the sample has mean zero, so only determinants are left.
    """
    return float(D * np.linalg.slogdet(np.eye(N) + np.ones((N, N)))[1])


def chosen(costs: list[float], price: float) -> int:
    """Return the number of clusters with the least sum of cost and price."""
    return 1 + int(np.argmin([cost + price * k for k, cost in enumerate(costs, 1)]))


# -2 log L for K = 1, 2, 3 on some data with D = 1 and N = 100.
FITS = [400.0, 390.0, 387.0]


def normal_sample(n: int = 100) -> Array:
    return stats.norm.ppf((np.arange(n) + 0.5) / n)


def squared_error(parts: list[Array]) -> float:
    return float(sum(((part - part.mean()) ** 2).sum() for part in parts))


def mixture_fit() -> float:
    """Return -2 log L of the best equal mixture of N(-a, 1) and N(a, 1) on the sample."""
    x = normal_sample()
    density = [0.5 * (stats.norm.pdf(x, -a) + stats.norm.pdf(x, a)) for a in np.linspace(0, 2, 201)]
    return float(min(-2 * np.log(d).sum() for d in density))


# Reductions.


def thinned(plus: F, keep_plus: F, keep_minus: F) -> F:
    """Return the share of positives after thinning."""
    return plus * keep_plus / (plus * keep_plus + (1 - plus) * keep_minus)


def weighted_and_binary(plus: F, alpha: F, miss: F, alarm: F) -> tuple[F, F]:
    """Return the weighted error, and the error on the distribution with the odds reweighted."""
    weighted = alpha * plus * miss + (1 - plus) * alarm
    share = alpha * plus / (alpha * plus + 1 - plus)
    return weighted, share * miss + (1 - share) * alarm


def pairs_cost(sizes: list[int]) -> int:
    return sum((a + b) ** 2 for a, b in combinations(sizes, 2))


def tree_error(errors: list[F]) -> F:
    """Return the error of a complete tree, node errors in heap order, classes equally likely."""
    nodes, leaves = len(errors), len(errors) + 1
    total = F(0)
    for leaf in range(nodes, nodes + leaves):
        right, node = F(1), leaf
        while node:
            node = (node - 1) // 2
            right *= 1 - errors[node]
        total += 1 - right
    return total / leaves


def ranking_loss(guess: tuple[int, ...], *, charge_swaps: bool) -> int:
    """Return the loss of a ranking of four items in true order, with the cost capped at 3."""
    return sum(
        min(3, v - u) for u, v in combinations(range(4), 2) if (guess[v] < guess[u]) == charge_swaps
    )


def kept_share(keep: Callable[[int], F]) -> bool:
    """Say whether keeping an example with this probability weights it in proportion to w."""
    return len({keep(w) / w for w in (1, 2, 4)}) == 1


# Few labels.


def views(*, given_label: bool) -> bool:
    """Say whether two copies of a fair label are independent, outright or given the label."""
    joint = {(y, y, y): F(1, 2) for y in (0, 1)}

    def mass(**fixed: int) -> F:
        names = ("a", "b", "y")
        return sum(
            (
                p
                for atom, p in joint.items()
                if all(atom[names.index(k)] == v for k, v in fixed.items())
            ),
            F(0),
        )

    if given_label:
        return all(
            mass(a=a, b=b, y=y) * mass(y=y) == mass(a=a, y=y) * mass(b=b, y=y)
            for a, b, y in product((0, 1), repeat=3)
        )
    return all(mass(a=a, b=b) == mass(a=a) * mass(b=b) for a, b in CELLS)


def ratio_of_weights(labelled: F, unlabelled: F, N: int = 10, M: int = 1000) -> F:
    """Return the total weight of M unlabelled slacks over that of N labelled ones."""
    return M * unlabelled / (N * labelled)


# Networks.

RNG = np.random.default_rng(0)
FIRST_LAYER, SECOND_LAYER, LAST = (
    RNG.normal(size=(4, 3)),
    RNG.normal(size=(3, 4)),
    RNG.normal(size=3),
)
INPUT = np.array([0.5, -1.0, 2.0])


def network(W: Array) -> float:
    return float(LAST @ np.tanh(SECOND_LAYER @ np.tanh(W @ INPUT)))


def numeric_derivative(step: float = 1e-6) -> float:
    """Return the derivative in the weight from the first input to the first hidden unit."""
    move = np.zeros((4, 3))
    move[0, 0] = step
    return (network(FIRST_LAYER + move) - network(FIRST_LAYER - move)) / (2 * step)


def path_terms() -> Array:
    """Return the product along each path from the first hidden unit to the output."""
    a = FIRST_LAYER @ INPUT
    b = SECOND_LAYER @ np.tanh(a)
    slopes = 1 - np.tanh(b) ** 2
    return INPUT[0] * (1 - math.tanh(a[0]) ** 2) * SECOND_LAYER[:, 0] * slopes * LAST


def logistic_step_lowers(error: Callable[[float, float], float]) -> bool:
    """Say whether a small step against the gradient -e h lowers the logistic loss."""
    u, h, y = 0.3, 0.8, 1.0

    def loss(weight: float) -> float:
        return math.log1p(math.exp(-y * weight * h))

    return loss(u + 0.01 * error(y, u * h) * h) < loss(u)


def bounded_network(x: float) -> float:
    return float(np.array([0.5, -1.0, 0.24]) @ np.tanh(np.array([1.0, 2.0, -3.0]) * x + 0.1))


def tanh_fit_error() -> float:
    """Return the largest error of a fit of x^2 on [0, 1] by eight tanh units."""
    x = np.linspace(0, 1, 201)
    features = np.tanh(3 * x[:, None] - np.linspace(-1, 4, 8))
    weights = np.linalg.lstsq(features, x**2, rcond=None)[0]
    return float(np.abs(features @ weights - x**2).max())


FOUND: dict[str, tuple[Check, Check]] = {
    "erratum-000-sgn-zero": (
        lambda: error_free_somewhere(*TIED, zero_counts_as_plus=True) == separable(*TIED),
        lambda: error_free_somewhere(*TIED, zero_counts_as_plus=False) == separable(*TIED),
    ),
    "erratum-004-regression-zero-one": (
        lambda: best_constant(lambda f, y: F(f != y)) == F(0 + 0 + 3, 3),
        lambda: best_constant(lambda f, y: (f - y) ** 2) == F(0 + 0 + 3, 3),
    ),
    "erratum-004-margin-loss-reversed": (
        lambda: charges_mistakes(lambda margin: int(margin >= 0)),
        lambda: charges_mistakes(lambda margin: int(margin <= 0)),
    ),
    "erratum-001-det-gradient-singular": (
        lambda: gradient_of_det(SINGULAR) == printed_gradient_of_det(SINGULAR),
        lambda: gradient_of_det(SINGULAR) == SINGULAR.adjugate().T,
    ),
    "erratum-000-gd-guarantee": (
        lambda: abs(descend(lambda z: 2 * z, F(1), F(11, 10), 10)[-1]) <= F(1, 10),
        lambda: all(
            z**2 <= F(1, 2 * k) / F(1, 4)
            for k, z in enumerate(descend(lambda z: 2 * z, F(1), F(1, 4), 20)[1:], 1)
        ),
    ),
    "erratum-004-g-is-not-magnitude": (
        lambda: within_bound(steep, steep_slope, F(1, 2), F(0), steep(F(1, 2)), F(1, 100)),
        lambda: within_bound(steep, steep_slope, F(1, 2), F(0), F(100), F(1, 100)),
    ),
    "erratum-004-subgradient-bound-hypotheses": (
        lambda: within_bound(two_valleys, slope_of_two_valleys, F(1), F(-2), F(1)),
        lambda: within_bound(lambda x: abs(x + 2), lambda _: F(1), F(1), F(-2), F(1)),
    ),
    "erratum-003-unique-minimum": (
        lambda: has_one_minimiser(LINE, SPLIT),
        lambda: has_one_minimiser(LINE, MIXED),
    ),
    "erratum-000-normal-equations-rank": (
        lambda: (FLAT.T * FLAT).det() != 0,
        lambda: all(
            FLAT.T * FLAT * (limit_inverse(FLAT) * TARGETS + t * sp.Matrix([1, -1]))
            == FLAT.T * TARGETS
            for t in (0, 1, 5)
        ),
    ),
    "erratum-000-pseudo-inverse": (
        lambda: (FLAT.T * FLAT).det() != 0,
        lambda: is_pseudo_inverse(limit_inverse(FLAT), FLAT),
    ),
    "erratum-003-regression-bound-in-expectation": (
        lambda: spread_over_rate(320) <= 2 * spread_over_rate(20),
        lambda: math.isclose(*mean_gap(20)) and math.isclose(*mean_gap(320)),
    ),
    "erratum-003-fixed-design-test-error": (
        lambda: abs(out_of_sample_error(4, 12) - (1 + 5 / 12)) < 0.05,
        lambda: abs(out_of_sample_error(4, 12) - (1 + 1 / 12 + 4 * 13 / (12 * 6))) < 0.05,
    ),
    "erratum-003-noise-independence": (
        lambda: training_error([1, 4]) == sp.Rational(1 + 4, 2) * (1 - sp.Rational(1, 2)),
        lambda: training_error([1, 4]) == ((1 - HAT[0, 0]) * 1 + (1 - HAT[1, 1]) * 4) / 2,
    ),
    "erratum-000-bias-formula-misplaced": (
        lambda: ridge_bias(TRUTH) == -2 * (OFFSET.T * OFFSET + 2 * sp.eye(2)).inv() * TRUTH,
        lambda: ridge_bias(TRUTH) == -(OFFSET.T * OFFSET + FREE).inv() * FREE * TRUTH,
    ),
    "erratum-000-ridge-factor-two": (
        lambda: minimises_printed_ridge(ridge(TARGETS, 2 * sp.eye(2)), TARGETS),
        lambda: minimises_printed_ridge(ridge(TARGETS, FREE), TARGETS),
    ),
    "erratum-000-ridge-penalises-offset": (
        lambda: (
            ridge(TARGETS + 100 * sp.ones(3, 1), 2 * sp.eye(2))
            == ridge(TARGETS, 2 * sp.eye(2)) + sp.Matrix([0, 100])
        ),
        lambda: (
            ridge(TARGETS + 100 * sp.ones(3, 1), FREE) == ridge(TARGETS, FREE) + sp.Matrix([0, 100])
        ),
    ),
    "erratum-004-three-regularisers-equal": (
        lambda: ever_penalised(constrained(3), missed),
        lambda: ever_penalised(sp.sqrt(3), lambda w: (w - 2) ** 2),
    ),
    "erratum-004-strict-inequality-trivial": (
        lambda: penalised_error(0, strict=True) > penalised_error(1, strict=True),
        lambda: penalised_error(0, strict=False) > penalised_error(1, strict=False),
    ),
    "erratum-004-zero-one-scale-invariant": (
        lambda: penalised_error(1e-3, strict=False) >= penalised_error(1, strict=False),
        lambda: penalised_hinge(1e-3) >= penalised_hinge(1),
    ),
    "erratum-004-matlab-class-index": (
        lambda: drawn_means(lambda y: y + 1)[1] == (8, 11),
        lambda: drawn_means(lambda y: 2 - y)[1] == (8, 11),
    ),
    "erratum-004-gaussian-nb-linear": (
        lambda: is_affine([gaussian_log_ratio(x, (1, 9)) for x in (-4, 0, 4)]),
        lambda: is_affine([gaussian_log_ratio(x, (9, 9)) for x in (-4, 0, 4)]),
    ),
    "erratum-004-gen-worse-when-wrong": (
        lambda: (
            error_of(lambda cell: naive_bayes_odds(JOINT)[cell] > 1)
            > error_of(lambda cell: logistic_odds()[cell] > 1)
        ),
        lambda: (
            log_loss({cell: float(odds) for cell, odds in naive_bayes_odds(JOINT).items()})
            > log_loss(logistic_odds())
        ),
    ),
    "erratum-004-never-bayes": (
        lambda: (
            twice_error(lambda cell: naive_bayes_odds(TWICE)[cell] > 1)
            > twice_error(lambda cell: TWICE[cell, 1] > TWICE[cell, 0])
        ),
        lambda: (
            twice_error(lambda cell: naive_bayes_odds(TWICE)[cell] > 1)
            == twice_error(lambda cell: TWICE[cell, 1] > TWICE[cell, 0])
            and naive_bayes_odds(TWICE)[1, 1] != TWICE[(1, 1), 1] / TWICE[(1, 1), 0]
        ),
    ),
    "erratum-000-psd-leading-minors": (
        lambda: all(m >= 0 for m in minors(NEGATIVE, leading=True)) == is_psd(NEGATIVE),
        lambda: all(m >= 0 for m in minors(NEGATIVE, leading=False)) == is_psd(NEGATIVE),
    ),
    "erratum-000-psd-symmetry": (
        lambda: form(TURN) != Z[0] ** 2 + Z[1] ** 2 or TURN.is_symmetric(),
        lambda: (
            form(SHEAR).subs({Z[0]: 1, Z[1]: -1}) < 0
            and is_psd(SHEAR)
            and not is_psd((SHEAR + SHEAR.T) / 2)
        ),
    ),
    "erratum-004-any-algorithm-representer": (
        lambda: in_span_of_data(1),
        lambda: in_span_of_data(2),
    ),
    "erratum-004-training-time-margin": (
        lambda: mistakes_at_gap(F(1, 16)) <= mistakes_at_gap(F(1, 2)),
        lambda: all(
            mistakes_at_gap(gap) <= mistake_bound(gap) for gap in (F(1, 2), F(1, 4), F(1, 16))
        ),
    ),
    "erratum-004-psd-sign": (
        lambda: form(sp.eye(2)).subs({Z[0]: 1, Z[1]: 1}) <= 0,
        lambda: form(sp.eye(2)) == Z[0] ** 2 + Z[1] ** 2,
    ),
    "erratum-004-integral-definition": (
        lambda: integral_is_nonnegative(minus_diagonal) == gram_is_psd(minus_diagonal),
        lambda: all(
            integral_is_nonnegative(kernel) == gram_is_psd(kernel)
            for kernel in (np.minimum, minus_minimum)
        ),
    ),
    "erratum-004-hashing-bias": (
        lambda: hashed_mean((1, 1, 1), (1, 1, 1), 2, signed=False) == 3,
        lambda: (
            hashed_mean((1, 1, 1), (1, 1, 1), 2, signed=False) == 3 + F(6, 2)
            and hashed_mean((1, 1, 1), (1, 2, 3), 2, signed=True) == 6
        ),
    ),
    "erratum-004-distances-shrink": (
        lambda: distances(100).mean() < distances(10).mean(),
        lambda: (
            abs(distances(100).mean() / math.sqrt(100 / 6) - 1) < 0.01
            and abs(distances(100).std() / math.sqrt(7 / 120) - 1) < 0.05
        ),
    ),
    "erratum-004-perpendicular-to-both-points": (
        lambda: boundary_direction().dot(A) == 0 and boundary_direction().dot(B) == 0,
        lambda: boundary_direction().dot(A - B) == 0,
    ),
    "erratum-004-bootstrap-draw-from-truth": (
        lambda: repeated(5) == 0,
        lambda: repeated(5) == 1 - F(math.factorial(5), 5**5),
    ),
    "erratum-004-bootstrap-sixty-percent": (
        lambda: abs((1 - F(1, 1000)) ** 1000 - F(6, 10)) < F(1, 100),
        lambda: abs((1 - F(1, 1000)) ** 1000 - F(368, 1000)) < F(1, 1000),
    ),
    "erratum-004-bagging-variance-hypotheses": (
        lambda: variance_of_vote(F(1, 2), 11) < variance_of_vote(F(1, 2), 1),
        lambda: (
            variance_of_vote(F(6, 10), 11) < variance_of_vote(F(6, 10), 1)
            and majority(F(6, 10), 11) > F(6, 10)
            and majority(F(4, 10), 11) < F(4, 10)
        ),
    ),
    "erratum-003-last-point-combination": (
        lambda: is_combination_of_others(3),
        lambda: any(is_combination_of_others(j) for j in range(4)),
    ),
    "erratum-003-dependence-sign-step": (
        lambda: (
            labelled_by_a_threshold((1, 1, 1), (0, 1, 2))
            != labelled_by_a_threshold((1, 1, -1), (0, 1, 2))
        ),
        lambda: not labelled_by_a_threshold((-1, 1, -1), (0, 1, 2)),
    ),
    "erratum-004-sensitivity-specificity": (
        lambda: PRECISION in (SENSITIVITY, SPECIFICITY),
        lambda: SPECIFICITY > 10 * PRECISION,
    ),
    "erratum-004-paired-test-description": (
        lambda: stats.ttest_ind(FIRST, SECOND).pvalue < 0.05,
        lambda: stats.ttest_rel(FIRST, SECOND).pvalue < 0.05,
    ),
    "erratum-004-p-value-meaning": (
        lambda: abs(P_VALUE - chance_of_losing()) < 0.01,
        lambda: abs(P_VALUE - chance_under_no_difference()) < 0.003,
    ),
    "erratum-004-lln-for-clt": (
        lambda: stats.binom(1000, 0.9).std() / 1000 >= stats.binom(10, 0.9).std() / 10,
        lambda: distance_to_normal(10) > distance_to_normal(100) > distance_to_normal(1000),
    ),
    "erratum-000-kmeans-local-minimum": (
        lambda: (
            is_fixed([[F(0), F(2)], [F(3)]], (F(1), F(3)))
            and not lower_nearby([F(0), F(2), F(3)], (F(1), F(3)))
        ),
        lambda: (
            is_fixed([[F(0)], [F(2), F(3)]], (F(0), F(5, 2)))
            and not lower_nearby([F(0), F(2), F(3)], (F(0), F(5, 2)))
        ),
    ),
    "erratum-000-kmeans-empty-cluster": (
        lambda: min(k_means_step([F(0), F(1), F(2)], (F(0), F(9)))[1]) > 0,
        lambda: (
            k_means_cost([F(0), F(1), F(2)], k_means_step([F(0), F(1), F(2)], (F(0), F(9)))[0])
            < k_means_cost([F(0), F(1), F(2)], (F(0), F(9)))
        ),
    ),
    "erratum-004-kmeans-unsquared-score": (lambda: mean_lowers(1), lambda: mean_lowers(2)),
    "erratum-004-kmeans-highly-convex": (
        lambda: (
            k_means_cost([F(0), F(1)], (F(1, 2), F(1, 2)))
            <= F(1, 2) * k_means_cost([F(0), F(1)], (F(0), F(1)))
            + F(1, 2) * k_means_cost([F(0), F(1)], (F(1), F(0)))
        ),
        lambda: (
            [k_means_cost([F(0), F(1)], c) for c in ((F(0), F(1)), (F(1), F(0)))] == [0, 0]
            and k_means_cost([F(0), F(1)], (F(1, 2), F(1, 2))) > 0
        ),
    ),
    "erratum-004-kmeanspp-high-probability": (
        lambda: sum(p for p, cost in seeding().values() if cost > GUARANTEE * OPTIMUM) < F(1, 100),
        lambda: sum(p * cost for p, cost in seeding().values()) <= GUARANTEE * OPTIMUM,
    ),
    "erratum-004-bic-formula": (
        lambda: abs(evidence_penalty(300, 5) - math.log(5)) < 0.1,
        lambda: abs(evidence_penalty(300, 5) - 5 * math.log(300)) < 0.1,
    ),
    "erratum-004-bic-likes-more-clusters": (
        lambda: chosen(FITS, math.log(100)) > chosen(FITS, 2),
        lambda: chosen(FITS, math.log(100)) < chosen(FITS, 2),
    ),
    "erratum-004-aic-objective": (
        lambda: (
            squared_error([normal_sample()]) + 2
            <= squared_error([normal_sample()[:50], normal_sample()[50:]]) + 4
        ),
        lambda: -2 * stats.norm.logpdf(normal_sample()).sum() + 2 <= mixture_fit() + 4,
    ),
    "erratum-004-subsample-positives": (
        lambda: thinned(F(1, 10), F(1, 10), F(1)) == F(10, 10 + 9),
        lambda: thinned(F(1, 10), F(1), F(1, 10)) == F(10, 10 + 9),
    ),
    "erratum-004-subsampling-normaliser": (
        lambda: F(2, 2 + 49) == F(2, 100),
        lambda: F(2, 2 + 49) == F(2, 100) / (F(2, 100) + F(98, 100) / 2),
    ),
    "erratum-004-alpha-at-least-one": (
        lambda: (
            weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[0]
            <= F(1, 2) * weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[1]
        ),
        lambda: (
            weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[0]
            <= weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[1]
        ),
    ),
    "erratum-004-subsampling-cannot-do-better": (
        lambda: (
            weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[0]
            >= 2 * weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[1]
        ),
        lambda: (
            weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[0]
            == (1 + F(1, 50)) * weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[1]
        ),
    ),
    "erratum-004-ava-balanced-classes": (
        lambda: pairs_cost([991] + [1] * 9) <= 2 * 1000**2,
        lambda: (
            pairs_cost([100] * 10) <= 2 * 1000**2
            and pairs_cost([991] + [1] * 9) == 8 * (991**2 + 9) + 1000**2
        ),
    ),
    "erratum-004-tree-average-error": (
        lambda: tree_error([F(63, 100)] + [F(0)] * 62) <= 6 * F(63, 100) / 63,
        lambda: tree_error([F(63, 100)] + [F(0)] * 62) <= 6 * F(63, 100),
    ),
    "erratum-004-ranking-objective": (
        lambda: ranking_loss((0, 1, 2, 3), charge_swaps=False) == 0,
        lambda: (
            ranking_loss((0, 1, 2, 3), charge_swaps=True) == 0
            and ranking_loss((3, 2, 1, 0), charge_swaps=True) == 10
        ),
    ),
    "erratum-004-oversample-two-more": (
        lambda: len([("x", "y")] + 2 * [("x", "y")]) == 2,
        lambda: len([("x", "y")] + (2 - 1) * [("x", "y")]) == 2,
    ),
    "erratum-004-undersample-one-over-w": (
        lambda: kept_share(lambda w: 1 - F(1, w)),
        lambda: kept_share(lambda w: F(w, 4)),
    ),
    "erratum-004-cotraining-independence": (
        lambda: views(given_label=False),
        lambda: views(given_label=True),
    ),
    "erratum-004-divide-both-by-n": (
        lambda: ratio_of_weights(F(1, 10), F(1, 10)) == 1,
        lambda: ratio_of_weights(F(1, 10), F(1, 1000)) == 1,
    ),
    "erratum-004-universal-approximation": (
        lambda: abs(bounded_network(1e6) - 1e6) < 1,
        lambda: abs(bounded_network(1e6)) <= 0.5 + 1.0 + 0.24 and tanh_fit_error() < 0.01,
    ),
    "erratum-004-backprop-single-path": (
        lambda: any(abs(term - numeric_derivative()) < 1e-6 for term in path_terms()),
        lambda: abs(path_terms().sum() - numeric_derivative()) < 1e-6,
    ),
    "erratum-004-logistic-error-sign": (
        lambda: logistic_step_lowers(lambda y, g: -y * math.exp(-y * g) / (1 + math.exp(-y * g))),
        lambda: logistic_step_lowers(lambda y, g: y / (1 + math.exp(y * g))),
    ),
}
