"""What source 002 prints fails on a small example, and the correction holds on the same one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import combinations, pairwise, permutations, product
from math import ceil, comb, e, exp, isclose, log, pi, sqrt
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.optimize import least_squares, minimize_scalar
from scipy.spatial import Delaunay
from scipy.stats import lognorm, norm

Claim = Callable[[], bool]
Rows = Sequence[Sequence[Any]]
RNG = np.random.default_rng(2)


def dot(u: Sequence[Any], v: Sequence[Any]) -> Any:
    return sum(a * b for a, b in zip(u, v, strict=True))


def transposed(rows: Rows) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def times(left: Rows, right: Rows) -> list[list[Any]]:
    return [[dot(row, column) for column in transposed(right)] for row in left]


def solved(matrix: Rows, right: Sequence[Any]) -> list[F]:
    """Solve a regular system exactly."""
    rows = [[F(a) for a in row] + [F(b)] for row, b in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [a / rows[i][i] for a in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def least_squares_of(X: Rows, y: Sequence[Any]) -> list[F]:
    columns = transposed(X)
    return solved(times(columns, X), [dot(column, y) for column in columns])


# Bayes decisions


def posteriors(x: F) -> list[F]:
    """Return three posteriors of which the last two cross at 0, far below the first."""
    return [F(4, 5), (1 + x) / 10, (1 - x) / 10]


def decided(x: F) -> int:
    return max(range(3), key=posteriors(x).__getitem__)


def is_boundary(x: F, among: Callable[[list[F]], set[F]]) -> bool:
    """Say whether two posteriors that may decide are equal at a point."""
    values = posteriors(x)
    return any(values.count(value) > 1 for value in among(values))


def error_of_rule_a(t: F) -> F:
    """Integrate the posterior of class 1 over [0, t] and of class 0 over [t, 1]."""
    return t**2 / 2 + (1 - t) ** 2 / 2


def error_of_rule_b(t: F) -> F:
    """Integrate the posterior of class 0 over [0, t] and of class 1 over [t, 1]."""
    return (t - t**2 / 2) + (1 - t**2) / 2


# Gradient descent


def rates(first: int) -> list[F]:
    rate, out = F(1), []
    for t in range(first, first + 4):
        rate *= F(t, t + 1)
        out.append(rate)
    return out


def unit_steps(slope: int, step: F, count: int) -> F:
    """Descend on the squared residual of f(x, b) = slope * b with Y = 0, from b = 1."""
    b = F(1)
    for _ in range(count):
        b += step * slope * (0 - slope * b)
    return abs(b)


# Least squares

TALL, TALL_Y = [[1], [1]], [1, 3]
HOUSEHOLDER_X = [[3, 3], [4, -1], [0, 4]]
FIRST = [[F(3, 5), F(4, 5), 0], [F(4, 5), F(-3, 5), 0], [0, 0, 1]]
SECOND = [[1, 0, 0], [0, F(3, 5), F(4, 5)], [0, F(4, 5), F(-3, 5)]]


def is_upper_triangular(rows: Rows) -> bool:
    return all(row[j] == 0 for i, row in enumerate(rows) for j in range(min(i, len(row))))


def triangular() -> list[list[Any]]:
    R = times(transposed(SECOND), times(transposed(FIRST), HOUSEHOLDER_X))
    assert is_upper_triangular(R)
    return R


def bidiagonalised(X: np.ndarray, y: np.ndarray, t: int) -> tuple[np.ndarray, ...]:
    """Return U, B and V after t steps of Golub and Kahan, started at y."""
    U, V, B = [y / np.linalg.norm(y)], [], np.zeros((t + 1, t))
    beta, v = 0.0, np.zeros(X.shape[1])
    for k in range(t):
        w = X.T @ U[-1] - beta * v
        B[k, k] = np.linalg.norm(w)
        v = w / B[k, k]
        V.append(v)
        w = X @ v - B[k, k] * U[-1]
        B[k + 1, k] = beta = np.linalg.norm(w)
        U.append(w / beta)
    return np.array(U).T, B, np.array(V).T


LSQR = bidiagonalised(np.array([[1.0, 0], [1, 1], [0, 2]]), np.array([1.0, 2, 4]), 1)
LSQR_X = np.array([[1.0, 0], [1, 1], [0, 2]])


def relative_change(delta: F, epsilon: F, residual: int) -> F:
    """Move one entry of X by epsilon and return the relative change of the solution."""
    y = [1, 0, residual]
    old = least_squares_of([[1, 0], [0, delta], [0, 0]], y)
    new = least_squares_of([[1, 0], [0, delta], [0, epsilon]], y)
    return max(abs(a - b) for a, b in zip(old, new, strict=True)) / max(map(abs, old))


# Regularised least squares

THIRD = [F(2, 3), F(2, 3), F(1, 3)]
LASSO = ([1, 0, 0], [0, 1, 0], THIRD)
PATH = ([F(-1, 3), F(-2, 3), F(2, 3)], [F(-2, 3), F(1, 3), F(2, 3)], [F(2, 3), F(1, 3), F(-2, 3)])
PATH_Y = [0, 1, 1]
KNOTS: list[tuple[F, list[F]]] = [
    (F(1), [F(0), F(0), F(0)]),
    (F(4, 13), [F(0), F(9, 13), F(0)]),
    (F(7, 39), [F(-3, 13), F(12, 13), F(0)]),
    (F(1, 6), [F(0), F(9, 8), F(3, 8)]),
    (F(1, 18), [F(0), F(13, 8), F(7, 8)]),
    (F(0), [F(3), F(15, 4), F(21, 4)]),
]


def residual_of(columns: Rows, y: Sequence[Any], beta: Sequence[Any]) -> list[Any]:
    return [b - dot(row, beta) for row, b in zip(transposed(columns), y, strict=True)]


def is_lasso(columns: Rows, y: Sequence[Any], beta: Sequence[Any], weight: F) -> bool:
    """Say whether the conditions of Karush, Kuhn and Tucker hold at a vector."""
    slopes = [dot(column, residual_of(columns, y, beta)) for column in columns]
    return all(
        abs(s) <= weight and (b == 0 or s == (weight if b > 0 else -weight))
        for s, b in zip(slopes, beta, strict=True)
    )


def support_is_found(columns: Rows) -> bool:
    """Say whether some weight gives the columns 1 and 2 of y = x1 + x2 (both orthonormal)."""
    y = [1, 1, 0]
    return any(is_lasso(columns, y, [1 - w, 1 - w, 0], w) for w in (F(k, 20) for k in range(1, 20)))


def halfway(one: tuple[F, list[F]], two: tuple[F, list[F]]) -> tuple[F, list[F]]:
    return (one[0] + two[0]) / 2, [(a + b) / 2 for a, b in zip(one[1], two[1], strict=True)]


def is_path() -> bool:
    """Say whether the knots and what lies halfway between them solve the lasso, with bends."""
    pieces = list(pairwise(KNOTS))
    slopes = [
        [(a - b) / (one[0] - two[0]) for a, b in zip(one[1], two[1], strict=True)]
        for one, two in pieces
    ]
    points = KNOTS + [halfway(one, two) for one, two in pieces]
    return all(is_lasso(PATH, PATH_Y, beta, weight) for weight, beta in points) and all(
        one != two for one, two in pairwise(slopes)
    )


PURSUIT = ([F(3, 5), F(4, 5), F(0)], [F(1, 3), F(2, 3), F(2, 3)], [F(0), F(0), F(1)])
PURSUIT_Y = [-3, -3, -1]


def second_choice(rotate_residual: bool) -> int:
    """Return the second column that matching pursuit by reflections takes after the first."""
    size = dot(PURSUIT[0], PURSUIT_Y)
    rest = [y - size * x for y, x in zip(PURSUIT_Y, PURSUIT[0], strict=True)]
    seen = [dot(row, rest) for row in FIRST] if rotate_residual else rest
    rotated = [[dot(row, column) for row in FIRST] for column in PURSUIT]
    return max((1, 2), key=lambda j: abs(dot(seen, rotated[j])))


def second_by_definition() -> int:
    rest = residual_of(PURSUIT, PURSUIT_Y, [dot(PURSUIT[0], PURSUIT_Y), 0, 0])
    return max((1, 2), key=lambda j: abs(dot(rest, PURSUIT[j])))


# Robust regression


def scales(weighted: bool, count: int) -> tuple[list[F], list[F]]:
    """Return the scales and the residuals of a mean of (-2, 2) after some reweightings."""
    y, sigma = [F(-2), F(2)], [F(1), F(1)]
    for _ in range(count):
        weights = [1 / s**2 for s in sigma]
        centre = dot(weights, y) / sum(weights)
        r = [a - centre for a in y]
        seen = [abs(a / s) for a, s in zip(r, sigma, strict=True)] if weighted else r
        sigma = [s * a for s, a in zip(sigma, seen, strict=True)]
    return sigma, r


def total_slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the slope of the total least squares line of centred data."""
    *z, alpha = np.linalg.svd(np.column_stack([x, y]))[2][-1]
    return float(-z[0] / alpha)


def scaled_slope(x: Sequence[float], y: Sequence[float], noise: float) -> float:
    """Return the slope after dividing x by the standard deviation of its noise."""
    return total_slope([a / noise for a in x], y) / noise


def order_statistic_variance(n: int) -> float:
    """Return the variance of the median of n standard normal numbers, n odd."""
    m = n // 2
    scale = n * comb(n - 1, m)

    def density(x: float) -> float:
        tail = norm.cdf(x)
        return float(scale * (tail * (1 - tail)) ** m * norm.pdf(x))

    return float(quad(lambda x: x**2 * density(x), -6, 6)[0])


HUBER_DATA = (0.0, 0.2, -0.1, 0.3, 5.0, 8.0)


def huber(r: Any, k: Any) -> Any:
    return r**2 if abs(r) <= k else 2 * k * abs(r) - k**2


def huber_psi(r: Any, k: Any) -> Any:
    return r if abs(r) <= k else (k if r > 0 else -k)


def reweighted(weight: Callable[[float], float]) -> float:
    centre = 0.0
    for _ in range(200):
        w = [weight(x - centre) for x in HUBER_DATA]
        centre = dot(w, HUBER_DATA) / sum(w)
    return float(centre)


def lowest(loss: Callable[[float], float]) -> float:
    """Return the centre in a fine grid where the summed loss is least."""
    grid = np.linspace(-1, 9, 10001)
    return float(min(grid, key=lambda t: sum(loss(x - t) for x in HUBER_DATA)))


def biweight(u: float) -> float:
    return 1 - (1 - u**2) ** 3 if abs(u) <= 1 else 1.0


def biweight_slope(u: float) -> float:
    return u * (1 - u**2) ** 2 if abs(u) <= 1 else 0.0


BIWEIGHT_DATA = (0.0, 0.1, -0.1, 0.05)

# Nonlinear regression


def circle_with(outlier: float) -> np.ndarray:
    """Return 40 even points of the unit circle and one point at (outlier, 0)."""
    angles = 2 * pi * np.arange(40) / 40
    return np.vstack([np.column_stack([np.cos(angles), np.sin(angles)]), [[outlier, 0]]])


def algebraic_centre(outlier: float) -> float:
    points = circle_with(outlier)
    design = np.column_stack([points, np.ones(41)])
    return float(np.linalg.lstsq(design, (points**2).sum(axis=1), rcond=None)[0][0] / 2)


def geometric_centre(outlier: float) -> float:
    points = circle_with(outlier)

    def misses(c: np.ndarray) -> np.ndarray:
        return np.asarray(np.hypot(*(points - c[:2]).T) - c[2])

    return float(least_squares(misses, [0.0, 0.0, 1.0]).x[0])


# Discriminant analysis


def kurtosis(weights: Sequence[F]) -> F:
    """Return the kurtosis of a weighted sum of fair signs, from its second and fourth moment."""
    second = sum((a**2 for a in weights), F(0))
    fourth = sum((a**4 for a in weights), F(0)) + sum(
        (6 * a**2 * b**2 for a, b in combinations(weights, 2)), F(0)
    )
    return fourth / second**2


def covariance_determinant(points: Rows) -> Any:
    centred = [[F(a) - F(sum(c), len(points)) for a in c] for c in transposed(points)]
    rows = [[dot(a, b) for b in centred] for a in centred]
    return sum(
        (-1) ** sum(p[i] > p[j] for i, j in combinations(range(len(p)), 2))
        * np.prod([rows[i][p[i]] for i in range(len(p))])
        for p in permutations(range(len(rows)))
    )


CLASSES = ((0.0, 1.0), (3.0, 3.0))


def by_density(x: float) -> int:
    return max((0, 1), key=lambda k: norm.pdf(x, *CLASSES[k]))


def by_distance(x: float, with_offset: bool) -> int:
    return min(
        (0, 1),
        key=lambda k: (
            ((x - CLASSES[k][0]) / CLASSES[k][1]) ** 2 + with_offset * 2 * log(CLASSES[k][1])
        ),
    )


# Density estimation

INTENSITY = [F(1), F(7), F(2), F(10)]


def merged(bins: int) -> list[F]:
    width = len(INTENSITY) // bins
    return [sum(INTENSITY[i * width : (i + 1) * width], F(0)) for i in range(bins)]


def histogram_risk(bins: int) -> F:
    """Return the mean integrated squared error of Poisson counts over their bins, per length."""
    means, width = merged(bins), F(len(INTENSITY), bins)
    truth = sum((a**2 for a in INTENSITY), F(0))
    noise = sum(means, F(0)) / width
    return (noise + truth - sum(m**2 for m in means) / width) / len(INTENSITY)


def shinomoto(bins: int, counts: bool) -> F:
    """Return the expected criterion of Shimazaki and Shinomoto, of counts or of heights."""
    means, width, total = merged(bins), F(len(INTENSITY), bins), sum(INTENSITY)
    mean = sum(means) / bins
    variance = sum(m + m**2 for m in means) / bins - mean**2 - mean / bins
    unit = F(1) if counts else 1 / (total * width)
    return (2 * mean * unit - variance * unit**2) / width**2


def best_bins(criterion: Callable[[int], F]) -> int:
    return min((1, 2, 4), key=criterion)


TRAIN, TEST = [3, 27, 25, 5], [6, 24, 26, 4]


def grouped(counts: Sequence[int], bins: int) -> list[F]:
    size = len(counts) // bins
    return [F(sum(counts[i * size : (i + 1) * size]), sum(counts)) for i in range(bins)]


def split_distance(bins: int) -> F:
    pairs = zip(grouped(TRAIN, bins), grouped(TEST, bins), strict=True)
    return sum(((n - m) ** 2 for n, m in pairs), F(0)) * bins


def held_out_loss(bins: int) -> F:
    pairs = zip(grouped(TRAIN, bins), grouped(TEST, bins), strict=True)
    return sum((n**2 - 2 * n * m for n, m in pairs), F(0)) * bins


def true_loss(bins: int) -> F:
    """Return the integrated squared error for the density (1, 9, 9, 1) / 5 on four quarters."""
    truth = [F(1, 5), F(9, 5), F(9, 5), F(1, 5)]
    heights = [h * bins for h in grouped(TRAIN, bins) for _ in range(4 // bins)]
    return sum(((h - p) ** 2 for h, p in zip(heights, truth, strict=True)), F(0)) / 4


def squared_mass() -> F:
    """Integrate the squared density of two children with 50 and 150 of 1000 instances."""
    heights = [(F(50, 1000) / F(1, 10), F(1, 10)), (F(150, 1000) / F(3, 20), F(3, 20))]
    return sum((height**2 * volume for height, volume in heights), F(0))


def clipped(x: float) -> float:
    return max(x, 0.0)


def pushed_back(
    x: float, density: Callable[[float], float], transform: Callable[[float], float]
) -> float:
    """Return the density of the transformed feature times the slope of the transformation."""
    slope = (transform(x + 1e-6) - transform(x - 1e-6)) / 2e-6
    return float(density(transform(x)) * slope)


# Nearest neighbours


def nearest_label(x: float, data: Sequence[tuple[float, int]]) -> int:
    return min(data, key=lambda point: abs(point[0] - x))[1]


def edited(data: Sequence[tuple[float, int]], own: bool) -> list[tuple[float, int]]:
    """Drop the points of the line whose neighbours have one class, or their own class."""
    kept = []
    for i, point in enumerate(data):
        labels = {data[j][1] for j in (i - 1, i + 1) if 0 <= j < len(data)}
        if not (labels == {point[1]} if own else len(labels) == 1):
            kept.append(point)
    return kept


EDITED = [(0.0, 0), (1.0, 0), (2.0, 1), (3.0, 0), (4.0, 0)]
QUERIES = [k / 7 for k in range(-7, 36)]


def tetrahedra(n: int) -> int:
    t = np.linspace(0, 1, n)
    return len(Delaunay(np.column_stack([t, t**2, t**3])).simplices)


# Bagging and forests


def covariance_of_average(count: int, rho: F) -> F:
    rows = [[F(1) if i == j else rho for j in range(count)] for i in range(count)]
    return sum((sum(row) for row in rows), F(0)) / count**2


def majority_fails(count: int, success: F) -> F:
    terms = [comb(count, k) * success**k * (1 - success) ** (count - k) for k in range(count)]
    return sum(terms[: count // 2], F(0)) + terms[count // 2] / 2


# The Vapnik-Chervonenkis dimension

TRIANGLE = [(1.0, 0.0), (-0.5, sqrt(3) / 2), (-0.5, -sqrt(3) / 2)]


def separators() -> dict[tuple[int, ...], tuple[np.ndarray, float]]:
    """Return for each labelling the shortest plane with margin 1 on the triangle."""
    points = np.column_stack([TRIANGLE, np.ones(3)])
    out = {}
    for signs in product((1, -1), repeat=3):
        *beta, offset = np.linalg.solve(points, signs)
        out[signs] = (np.array(beta), float(offset))
    return out


def shatters(factor: float) -> bool:
    return all(
        all(
            s * (factor * (np.dot(x, beta) + offset)) > 0
            for s, x in zip(signs, TRIANGLE, strict=True)
        )
        for signs, (beta, offset) in separators().items()
    )


def optimism(ones: int, n: int) -> F:
    """Return the optimism of the better of two constant classifiers on fair coins."""
    return F(1, 2) - F(min(ones, n - ones), n)


def exceeds(n: int, bound: float) -> F:
    """Return the probability that the optimism exceeds a bound."""
    return F(sum(comb(n, k) for k in range(n + 1) if optimism(k, n) > bound), 2**n)


def vapnik(n: int, delta: float) -> float:
    return sqrt(8 / n * (log(2 * e * n) + log(4 / delta)))


# Model assessment


def auc(scores: Sequence[float], labels: Sequence[int]) -> F:
    pairs = [(p, q) for p, a in zip(scores, labels, strict=True) if a for q, b in
             zip(scores, labels, strict=True) if not b]  # fmt: skip
    return F(sum(2 * (p > q) + (p == q) for p, q in pairs), 2 * len(pairs))


def folds_of_one(y: Sequence[F], train_on_fold: bool) -> F:
    """Cross-validate the mean with one instance in each fold, by squared loss."""
    n, total = len(y), F(0)
    for i in range(n):
        rest = [y[j] for j in range(n) if j != i]
        train, test = ([y[i]], rest) if train_on_fold else (rest, [y[i]])
        centre = sum(train) / len(train)
        total += sum((a - centre) ** 2 for a in test) / len(test)
    return total / n


def variance_over_samples(train_on_fold: bool) -> F:
    values = [folds_of_one([F(a) for a in y], train_on_fold) for y in product((-1, 1), repeat=3)]
    return sum((v**2 for v in values), F(0)) / 8 - (sum(values, F(0)) / 8) ** 2


TRUTH, OUT_OF_BAG = [1, -1, 1], [[1, -1, 1], [-1, -1, 1], [-1, 1, 1]]


def mean_single_loss() -> F:
    losses = [F(sum(p != y for p in row), 3) for y, row in zip(TRUTH, OUT_OF_BAG, strict=True)]
    return sum(losses, F(0)) / 3


def voted_loss() -> F:
    votes = [1 if sum(row) > 0 else -1 for row in OUT_OF_BAG]
    return F(sum(a != b for a, b in zip(votes, TRUTH, strict=True)), 3)


def ensemble_error() -> F:
    """Count the instances on which two of three models are wrong."""
    wrong = [sum(p != y for p in row) for y, row in zip(TRUTH, OUT_OF_BAG, strict=True)]
    return F(sum(count >= 2 for count in wrong), 3)


def penalised(power: int) -> tuple[F, F]:
    """Return in-sample error and error plus penalty of the predictor that repeats Y = -1 or 1."""
    pairs = list(product((-1, 1), repeat=2))
    fresh = sum(F(abs(new - old) ** power) for old, new in pairs) / len(pairs)
    covariance = sum(F(y * y) for y in (-1, 1)) / 2
    return fresh, 0 + 2 * covariance


# Principal components

PCA_X = np.array([[1.0], [-1.0]])


def pca() -> tuple[float, np.ndarray]:
    values, vectors = np.linalg.eigh(PCA_X @ PCA_X.T)
    return float(values[-1]), vectors[:, -1]


def kernel_error(feature: np.ndarray) -> float:
    return float(np.sum((PCA_X @ PCA_X.T - np.outer(feature, feature)) ** 2))


WHITEN = np.array([[2.0, 1.0], [-2.0, 1.0], [2.0, -1.0], [-2.0, -1.0]])


def whitened_variance(factor: float) -> np.ndarray:
    values, vectors = np.linalg.eigh(WHITEN.T @ WHITEN)
    return np.asarray((WHITEN @ vectors * np.sqrt(factor / values)).var(axis=0))


def reconstruction_error(u: np.ndarray) -> float:
    return float(np.sum((WHITEN - WHITEN @ u @ u.T) ** 2))


def pursued(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Minimise the nuclear norm of L plus the weighted 1-norm of S with L + S = X."""
    weight, mu = 1 / sqrt(max(X.shape)), X.size / (4 * np.abs(X).sum())
    S, Y = np.zeros_like(X), np.zeros_like(X)
    for _ in range(300):
        u, s, v = np.linalg.svd(X - S + Y / mu, full_matrices=False)
        L = u * np.maximum(s - 1 / mu, 0) @ v
        M = X - L + Y / mu
        S = np.sign(M) * np.maximum(np.abs(M) - weight / mu, 0)
        Y += mu * (X - L - S)
    return L, S


CORNER = np.zeros((8, 8))
CORNER[0, 0] = 10
SPIKES = np.diag([5.0, 0, 0, -7, 0, 0, 0, 0])

# Beyond principal components

CENTRE, NEIGHBOURS = [F(1), F(1)], [[F(0), F(0)], [F(3), F(0)]]
DIFFERENCES = [[a - b for a, b in zip(x, CENTRE, strict=True)] for x in NEIGHBOURS]
LAPLACIAN = np.array([[1.0, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 1]])
LINE_GRAM = np.outer([1.0, 2.0], [1.0, 2.0])
ICA_SOURCES = np.array(list(product((-1, 1), (-2, 0, 2))))
ICA_MIXING = np.array([[1, 2], [3, 1]])


def regularised_weights() -> np.ndarray:
    """Return the weights of two neighbours at 1 and 2 that are to reconstruct the point 0."""
    w = np.linalg.solve(LINE_GRAM + 1e-3 * np.trace(LINE_GRAM) * np.eye(2), np.ones(2))
    return np.asarray(w / w.sum())


def is_column_scaling(one: np.ndarray, two: np.ndarray) -> bool:
    return all(np.linalg.matrix_rank(pair) == 1 for pair in zip(one.T, two.T, strict=True))


def centred_frames(count: int) -> list[np.ndarray]:
    """Return random pairs of orthonormal vectors orthogonal to the constant one."""
    draws = RNG.normal(size=(count, 4, 2))
    return [np.linalg.qr(draw - draw.mean(axis=0))[0] for draw in draws]


def cost(frame: np.ndarray) -> float:
    return float(np.trace(frame.T @ LAPLACIAN @ frame))


def reconstruction(w: Sequence[F]) -> F:
    return sum(((c - dot(w, x)) ** 2 for c, x in zip(CENTRE, transposed(NEIGHBOURS), strict=True)),
               F(0))  # fmt: skip


def is_best_affine(w: Sequence[F]) -> bool:
    """Say whether weights sum to one and no neighbouring such weights are better."""
    return sum(w) == 1 and all(
        reconstruction([w[0] + step, w[1] - step]) >= reconstruction(w)
        for step in (F(-1, 99), F(1, 99))
    )


def raw_weights(gram: bool) -> list[F]:
    columns = transposed(DIFFERENCES)
    matrix = times(DIFFERENCES, columns) if gram else times(columns, DIFFERENCES)
    return solved(matrix, [1, 1])


def embedded(power: float) -> np.ndarray:
    """Return the embedding by the two nontrivial eigenvectors, scaled by a power."""
    values, vectors = np.linalg.eigh(LAPLACIAN)
    return np.asarray(vectors[:, 1:3] * values[1:3] ** power)


def kullback(x: F, y: F) -> float:
    return float(x) * log(float(x / y)) - float(x) + float(y)


def factored(simultaneous: bool, count: int) -> list[float]:
    """Return the divergences of the updates of a 1 x 1 matrix 4 from the factors 1 and 1."""
    x, w, out = F(1), F(1), []
    for _ in range(count):
        new = x * (w * 4 / (x * w)) / w
        other = x if simultaneous else new
        w *= (other * 4 / (other * w)) / other
        x = new
        out.append(kullback(F(4), x * w))
    return out


NMF_X, NMF_LEFT, NMF_RIGHT = [F(1), F(4), F(2)], F(1), [F(1), F(2), F(3)]


def loadings(free: int | None) -> F:
    """Return the updated loading; a free index puts the quotient outside the sum."""
    fit = [NMF_LEFT * w for w in NMF_RIGHT]
    if free is None:
        top = sum(w * x / f for w, x, f in zip(NMF_RIGHT, NMF_X, fit, strict=True))
    else:
        top = dot(NMF_RIGHT, NMF_X) / fit[free]
    return NMF_LEFT * top / sum(NMF_RIGHT)


def best_loading() -> float:
    def divergence(a: float) -> float:
        return sum(kullback(x, F(a) * w) for x, w in zip(NMF_X, NMF_RIGHT, strict=True))

    return float(minimize_scalar(divergence, bounds=(0.1, 10), method="bounded").x)


# Clustering


def brute_distance(kind: str, one: Sequence[float], two: Sequence[float]) -> float:
    distances = [abs(a - b) for a in one for b in two]
    return max(distances) if kind == "complete" else sum(distances) / len(distances)


def recurrence_agrees(kind: str) -> bool:
    """Compare the distance after a merger with the one from the two old distances alone."""
    one, two, other = [0.0, 1.0, 1.5], [3.0], [7.0, 11.0]
    old = [brute_distance(kind, part, other) for part in (one, two)]
    if kind == "complete":
        new = max(old)
    else:
        new = (len(one) * old[0] + len(two) * old[1]) / (len(one) + len(two))
    return isclose(new, brute_distance(kind, one + two, other))


HEIGHT_POINTS = np.array([[0.0, 0], [1, 0], [0.5, 0.9]])


def merge_heights(kind: str) -> list[float]:
    distances = {
        pair: float(np.linalg.norm(HEIGHT_POINTS[pair[0]] - HEIGHT_POINTS[pair[1]]))
        for pair in combinations(range(3), 2)
    }
    i, j = min(distances, key=distances.__getitem__)
    (k,) = {0, 1, 2} - {i, j}
    rest = [distances[min(a, k), max(a, k)] for a in (i, j)]
    centre = float(np.linalg.norm(HEIGHT_POINTS[[i, j]].mean(axis=0) - HEIGHT_POINTS[k]))
    last = {"single": min(rest), "complete": max(rest), "average": sum(rest) / 2}
    return [distances[i, j], last.get(kind, centre)]


LINE = [F(0), F(0), F(3), F(7)]


def spread(cluster: Sequence[F]) -> F:
    centre = sum(cluster) / len(cluster)
    return sum(((x - centre) ** 2 for x in cluster), F(0))


def best_split(weighted: bool) -> frozenset[int]:
    """Return the indices clustered with the largest of the four points."""
    parts = [{3, *extra} for size in range(3) for extra in combinations(range(3), size)]

    def total(part: set[int]) -> F:
        both = [LINE[i] for i in part], [LINE[i] for i in range(4) if i not in part]
        return sum((spread(c) * (len(c) if weighted else 1) for c in both), F(0))

    return frozenset(min(parts, key=total))


def nearest_is_best(weighted: bool) -> bool:
    """Nine points at 0, one at 4.9 and one at 10; representatives at 0 and 10."""
    near, far = F(49, 10) ** 2, F(51, 10) ** 2
    to_near = near * (10 if weighted else 1)
    to_far = far * (2 if weighted else 1)
    return to_near <= to_far


FOUND: dict[str, tuple[Claim, Claim]] = {
    "erratum-002-boundary-at-every-intersection": (
        lambda: is_boundary(F(0), set) <= (decided(F(-1, 9)) != decided(F(1, 9))),
        lambda: is_boundary(F(0), lambda p: {max(p)}) == (decided(F(-1, 9)) != decided(F(1, 9))),
    ),
    "erratum-002-worst-case-guessing": (
        lambda: error_of_rule_b(F(1, 2)) <= 1 - F(1, 2),
        lambda: error_of_rule_a(F(1, 2)) == F(1, 4) <= 1 - F(1, 2),
    ),
    "erratum-002-learning-rate-zero": (
        lambda: all(rate > 0 for rate in rates(0)),
        lambda: rates(1) == [F(1, t) for t in range(2, 6)],
    ),
    "erratum-002-gradient-step-size": (
        lambda: unit_steps(2, F(1), 20) < 1,
        lambda: unit_steps(2, F(1, 5), 20) < F(1, 10**10),
    ),
    "erratum-002-normal-equation-name": (
        lambda: dot([1, 1], [dot(row, least_squares_of(TALL, TALL_Y)) for row in TALL]) == 0,
        lambda: dot([1, 1], residual_of([[1, 1]], TALL_Y, least_squares_of(TALL, TALL_Y))) == 0,
    ),
    "erratum-002-householder-order": (
        lambda: times(times(SECOND, FIRST), triangular()) == HOUSEHOLDER_X,
        lambda: times(times(FIRST, SECOND), triangular()) == HOUSEHOLDER_X,
    ),
    "erratum-002-lsqr-decomposition": (
        lambda: np.allclose(LSQR[0] @ LSQR[1] @ LSQR[2].T, LSQR_X),
        lambda: np.allclose(LSQR[0] @ LSQR[1], LSQR_X @ LSQR[2]),
    ),
    "erratum-002-ls-conditioning-residual": (
        lambda: relative_change(F(1, 1000), F(1, 10**9), 1) < 10 * F(1000, 10**9),
        lambda: all(
            relative_change(F(1, 1000), F(1, 10**9), tangent)
            <= (2000 * sqrt(1 + tangent**2) + 1000**2 * tangent) / 10**9
            for tangent in (0, 1, 3)
        ),
    ),
    "erratum-002-lasso-almost-as-good": (
        lambda: support_is_found(LASSO),
        lambda: (
            abs(dot(THIRD, [1, 1, 0])) > 1
            and support_is_found([[1, 0, 0], [0, 1, 0], [F(1, 3), F(-2, 3), F(2, 3)]])
        ),
    ),
    "erratum-002-lasso-unique": (
        lambda: (
            not all(is_lasso([[1], [1]], [1], [s, F(1, 2) - s], F(1, 2)) for s in (F(0), F(1, 4)))
        ),
        lambda: (
            sum(
                is_lasso([[1, 0], [0, 1]], [1, 1], [F(a, 8), F(b, 8)], F(1, 2))
                for a in range(9)
                for b in range(9)
            )
            == 1
        ),
    ),
    "erratum-002-omp-mixed-frames": (
        lambda: second_choice(rotate_residual=False) == second_by_definition(),
        lambda: second_choice(rotate_residual=True) == second_by_definition(),
    ),
    "erratum-002-lars-step-count": (
        lambda: KNOTS[3][1] == least_squares_of(transposed(PATH), PATH_Y),
        lambda: is_path() and KNOTS[-1][1] == least_squares_of(transposed(PATH), PATH_Y),
    ),
    "erratum-002-irls-sigma-update": (
        lambda: [abs(s) for s in scales(False, 5)[0]] == [abs(r) for r in scales(False, 5)[1]],
        lambda: scales(True, 5)[0] == [abs(r) for r in scales(True, 5)[1]],
    ),
    "erratum-002-tls-alpha-zero": (
        lambda: np.linalg.svd([[0.0, -1], [0, 0], [0, 1]])[2][-1][1] != 0,
        lambda: isclose(total_slope([-1, 0, 1], [-2, 0, 2]), 2),
    ),
    "erratum-002-tls-noise-scaling": (
        lambda: isclose(
            10 * total_slope([-10, 0, 10], [0, -1, 1]), total_slope([-1, 0, 1], [0, -1, 1])
        ),
        lambda: isclose(
            10 * scaled_slope([-10, 0, 10], [0, -1, 1], 10), scaled_slope([-1, 0, 1], [0, -1, 1], 1)
        ),
    ),
    "erratum-002-inertia-tensor": (
        lambda: dot([1, 0, 0], [1, 0, 0]) ** 2 == np.sum(np.cross([1, 0, 0], [1, 0, 0]) ** 2),
        lambda: all(
            w @ (np.trace(S) * np.eye(3) - S) @ w == np.sum(np.cross(w, r) ** 2)
            for r in np.array([[1, 0, 0], [1, 2, -1]])
            for S in [np.outer(r, r)]
            for w in np.array([[1, 0, 0], [2, 1, 3]])
        ),
    ),
    "erratum-002b-ransac-without-replacement": (
        lambda: (
            F(sum(set(s) <= set(range(5)) for s in combinations(range(10), 4)), comb(10, 4))
            == F(1, 2) ** 4
        ),
        lambda: (
            F(sum(set(s) <= set(range(5)) for s in combinations(range(10), 4)), comb(10, 4))
            == F(comb(5, 4), comb(10, 4))
        ),
    ),
    "erratum-002b-variance-median-asymptotic": (
        lambda: isclose(3 * order_statistic_variance(3), pi / 2, rel_tol=0.05),
        lambda: isclose(401 * order_statistic_variance(401), pi / 2, rel_tol=0.005),
    ),
    "erratum-002b-m-estimator-equivalence": (
        lambda: (
            sum(biweight_slope(x - 5) for x in BIWEIGHT_DATA) != 0
            or sum(biweight(x - 5) for x in BIWEIGHT_DATA) <= sum(map(biweight, BIWEIGHT_DATA))
        ),
        lambda: (
            abs(sum(huber_psi(x - lowest(lambda r: huber(r, 1.0)), 1.0) for x in HUBER_DATA)) < 1e-9
        ),
    ),
    "erratum-002b-regression-psi-missing-x": (
        lambda: sum(residual_of([[1, 2]], [1, 1], least_squares_of([[1], [2]], [1, 1]))) == 0,
        lambda: (
            dot([1, 2], residual_of([[1, 2]], [1, 1], least_squares_of([[1], [2]], [1, 1]))) == 0
        ),
    ),
    "erratum-002b-huber-weight": (
        lambda: huber(F(2), 1) / F(4) == min(F(1), 1 / F(2)),
        lambda: (
            huber_psi(F(2), 1) / F(2) == min(F(1), 1 / F(2))
            and isclose(
                reweighted(lambda r: min(1, 1 / abs(r)) if r else 1),
                lowest(lambda r: huber(r, 1)),
                abs_tol=1e-3,
            )
        ),
    ),
    "erratum-002b-huber-joint-objective": (
        lambda: isclose(
            lowest(lambda r: min(1, 1 / max(abs(r), 1)) * r**2),
            lowest(lambda r: huber(r, 1)),
            abs_tol=1e-2,
        ),
        lambda: isclose(
            reweighted(lambda r: min(1, 1 / max(abs(r), 1))),
            lowest(lambda r: huber(r, 1)),
            abs_tol=1e-3,
        ),
    ),
    "erratum-002b-circle-robust": (
        lambda: algebraic_centre(10) <= geometric_centre(10) and algebraic_centre(1000) < 5,
        lambda: algebraic_centre(10) > 5 * geometric_centre(10) and algebraic_centre(1000) > 400,
    ),
    "erratum-002-clt-hypotheses": (
        lambda: abs(kurtosis([F(1, 2**k) for k in range(60)]) - 3) < F(1, 10),
        lambda: abs(kurtosis([F(1)] * 60) - 3) < F(1, 10),
    ),
    "erratum-002-qda-singular-covariance": (
        lambda: covariance_determinant([[1, 0, 0], [0, 1, 0], [0, 0, 1]]) != 0,
        lambda: covariance_determinant([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]) != 0,
    ),
    "erratum-002-qda-not-nearest-mean": (
        lambda: by_distance(1.2, with_offset=False) == by_density(1.2),
        lambda: all(
            by_distance(x, with_offset=True) == by_density(x) for x in np.arange(-5, 9, 0.1)
        ),
    ),
    "erratum-002-posterior-factorisation-disjoint-y": (
        lambda: sum(p * p for p in (F(7, 10), F(3, 10))) == 1,
        lambda: sum(a * b for a in (F(7, 10), F(3, 10)) for b in (F(1, 5), F(4, 5))) == 1,
    ),
    "erratum-002-shimazaki-heights": (
        lambda: best_bins(lambda L: shinomoto(L, counts=False)) == best_bins(histogram_risk),
        lambda: len({shinomoto(L, counts=True) - histogram_risk(L) for L in (1, 2, 4)}) == 1,
    ),
    "erratum-002-cv-bin-width-square": (
        lambda: best_bins(split_distance) == best_bins(true_loss),
        lambda: best_bins(held_out_loss) == best_bins(true_loss),
    ),
    "erratum-002-density-tree-mass-normalisation": (
        lambda: F(50, 200) ** 2 / F(1, 10) + F(150, 200) ** 2 / F(3, 20) == squared_mass(),
        lambda: F(50, 1000) ** 2 / F(1, 10) + F(150, 1000) ** 2 / F(3, 20) == squared_mass(),
    ),
    "erratum-002-monotone-transformation": (
        lambda: isclose(pushed_back(-1.0, norm.pdf, clipped), norm.pdf(-1.0)),
        lambda: isclose(
            pushed_back(-1.0, lambda u: lognorm.pdf(u, 1), exp), norm.pdf(-1.0), rel_tol=1e-6
        ),
    ),
    "erratum-002-nn-training-error-zero": (
        lambda: all(nearest_label(x, [(0, 0), (0, 1)]) == y for x, y in [(0, 0), (0, 1)]),
        lambda: all(nearest_label(x, EDITED) == y for x, y in EDITED),
    ),
    "erratum-002-nn-limit-equality": (
        lambda: isclose(quad(lambda x: 2 * x * (1 - x), 0, 1)[0], 0.25 * (2 - 2 * 0.25)),
        lambda: 0.25 <= quad(lambda x: 2 * x * (1 - x), 0, 1)[0] <= 0.25 * (2 - 2 * 0.25),
    ),
    "erratum-002-voronoi-editing-own-class": (
        lambda: all(
            nearest_label(x, edited(EDITED, own=False)) == nearest_label(x, EDITED) for x in QUERIES
        ),
        lambda: (
            len(edited(EDITED, own=True)) < len(EDITED)
            and all(
                nearest_label(x, edited(EDITED, own=True)) == nearest_label(x, EDITED)
                for x in QUERIES
            )
        ),
    ),
    "erratum-002-voronoi-cost-exponent": (
        lambda: tetrahedra(40) < 1.1 * 2**1.5 * tetrahedra(20),
        lambda: tetrahedra(20) == 18 * 17 // 2 and tetrahedra(40) == 38 * 37 // 2,
    ),
    "erratum-002b-ensemble-error-015": (
        lambda: isclose(majority_fails(100, F(2, 3)), 0.0015, rel_tol=0.5),
        lambda: isclose(majority_fails(100, F(2, 3)), 0.00031, rel_tol=0.01),
    ),
    "erratum-002b-ensemble-variance": (
        lambda: (1 - F(1, 2)) / 2 + F(1, 2) * F(1, 2) == covariance_of_average(2, F(1, 2)),
        lambda: all(
            F(1, T) + F(T - 1, T) * F(3, 10)
            == (1 - F(3, 10)) / T + F(3, 10)
            == covariance_of_average(T, F(3, 10))
            for T in (1, 2, 10)
        ),
    ),
    "erratum-002b-vc-theorem-probability": (
        lambda: all(optimism(0, n) <= 2 * sqrt(1 / n) for n in (10, 100, 1000)),
        lambda: all(exceeds(n, vapnik(n, 0.05)) <= 0.05 for n in (10, 100, 1000)),
    ),
    "erratum-002b-vc-norm": (
        lambda: not shatters(1e-6),
        lambda: ceil(max(beta @ beta for beta, _ in separators().values())) + 1 >= 3,
    ),
    "erratum-002b-auc-range": (
        lambda: F(1, 2) <= auc([3, 4, 1, 2], [0, 0, 1, 1]) <= 1,
        lambda: auc([3, 4, 1, 2], [0, 0, 1, 1]) == 0 == 1 - auc([-3, -4, -1, -2], [0, 0, 1, 1]),
    ),
    "erratum-002b-reversed-cv-variance": (
        lambda: variance_over_samples(train_on_fold=True) < variance_over_samples(False),
        lambda: variance_over_samples(True) == F(16, 9) * variance_over_samples(False) > 0,
    ),
    "erratum-002b-oob-individual-loss": (
        lambda: mean_single_loss() == ensemble_error(),
        lambda: voted_loss() == ensemble_error(),
    ),
    "erratum-002b-covariance-penalty-expectation": (
        lambda: penalised(1)[0] == penalised(1)[1],
        lambda: penalised(2)[0] == penalised(2)[1],
    ),
    "erratum-002b-pca-feature-scaling": (
        lambda: kernel_error(pca()[0] * pca()[1]) < 1e-12,
        lambda: kernel_error(sqrt(pca()[0]) * pca()[1]) < 1e-12,
    ),
    "erratum-002-whitening-scale": (
        lambda: np.allclose(whitened_variance(1), 1),
        lambda: np.allclose(whitened_variance(len(WHITEN)), 1),
    ),
    "erratum-002-pca-uncorrelated-first": (
        lambda: (
            reconstruction_error(np.array([[0.0], [1.0]]))
            <= reconstruction_error(np.array([[1.0], [0.0]]))
        ),
        lambda: all(
            reconstruction_error(np.array([[np.cos(a)], [np.sin(a)]]))
            >= reconstruction_error(np.array([[1.0], [0.0]]))
            for a in np.linspace(0, pi, 19)
        ),
    ),
    "erratum-002b-rpca-hypotheses": (
        lambda: np.allclose(pursued(CORNER)[0], CORNER, atol=1e-3),
        lambda: np.allclose(pursued(np.ones((8, 8)) + SPIKES)[1], SPIKES, atol=1e-3),
    ),
    "erratum-002b-lle-gram": (
        lambda: is_best_affine([w / sum(raw_weights(False)) for w in raw_weights(False)]),
        lambda: is_best_affine([w / sum(raw_weights(True)) for w in raw_weights(True)]),
    ),
    "erratum-002b-lle-normalisation": (
        lambda: isclose(
            float(sum(raw_weights(True))) / sqrt(dot(raw_weights(True), raw_weights(True))), 1
        ),
        lambda: is_best_affine([w / sum(raw_weights(True)) for w in raw_weights(True)]),
    ),
    "erratum-002b-lle-embedding-constraint": (
        lambda: cost(2 * embedded(0)) <= cost(np.zeros((4, 2))),
        lambda: all(cost(2 * embedded(0)) <= cost(2 * frame) for frame in centred_frames(20)),
    ),
    "erratum-002b-lle-scaling": (
        lambda: np.allclose(np.diff(np.diag(embedded(-0.5).T @ embedded(-0.5))), 0),
        lambda: np.allclose((2 * embedded(0)).T @ (2 * embedded(0)) / 4, np.eye(2)),
    ),
    "erratum-002b-lle-regularisation": (
        lambda: np.linalg.matrix_rank(LINE_GRAM) == 2,
        lambda: abs(regularised_weights() @ [1.0, 2.0]) < 0.02,
    ),
    "erratum-002b-nmf-parentheses": (
        lambda: any(isclose(loadings(j), best_loading(), rel_tol=1e-4) for j in range(3)),
        lambda: isclose(loadings(None), best_loading(), rel_tol=1e-4),
    ),
    "erratum-002b-nmf-simultaneous-update": (
        lambda: factored(True, 4) == sorted(factored(True, 4), reverse=True),
        lambda: factored(False, 4) == [0, 0, 0, 0],
    ),
    "erratum-002b-ica-ambiguities": (
        lambda: is_column_scaling(ICA_MIXING, ICA_MIXING[:, ::-1]),
        lambda: np.array_equal(
            ICA_SOURCES @ ICA_MIXING.T, ICA_SOURCES[:, ::-1] @ ICA_MIXING[:, ::-1].T
        ),
    ),
    "erratum-002b-linkage-update-cost": (
        lambda: not (recurrence_agrees("complete") and recurrence_agrees("average")),
        lambda: recurrence_agrees("complete") and recurrence_agrees("average"),
    ),
    "erratum-002b-centroid-inversion": (
        lambda: merge_heights("centroid") == sorted(merge_heights("centroid")),
        lambda: all(
            merge_heights(kind) == sorted(merge_heights(kind))
            for kind in ("single", "complete", "average")
        ),
    ),
    "erratum-002b-kmeans-objective": (
        lambda: nearest_is_best(weighted=True) and best_split(True) == best_split(False),
        lambda: nearest_is_best(weighted=False) and best_split(False) == {3},
    ),
}
