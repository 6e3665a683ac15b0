r"""Ridge and lasso from the centred products of the features: one pass over the data, then none.

The offset is never penalised: for the best one the features and the target enter by their
deviations from their means. What both methods need of these is :math:`X^\top X`,
:math:`X^\top y` and :math:`y^\top y`; only where the condition number would cost too many digits,
or where there are fewer samples than features, a factorisation of X itself takes their place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes._compiled import compiled, compiles
from mlnotes._numerics import ROUNDOFF, blocks, distribution, is_constant, numerical_rank
from mlnotes.validation import Array

# Products of the features may cost so much of the condition number squared, and no more.
MIN_EIGENVALUE_RATIO = 1e-6
# So many samples tell whether the squared means are less than so many times the variances.
PROBED_SAMPLES, MAX_MEAN_RATIO = 50, 4.0
# Entries of the samples that are shifted at a time, a few of which fit into the cache.
SHIFTED_BLOCK = 40_000
# A penalty on squares forgives more, and the eigenvalues tell whether it does.
MAX_MEAN_RATIO_OF_RIDGE = 100.0
# With more features than samples and more than this, products are formed for some of them only.
MAX_GRAM_FEATURES = 500
# Matching pursuit ends where what is left of the target, or of a column, is rounding.
RESIDUAL_TOL = 1e-12
# A pivot below this share of its entry says that a column depends on those before it.
PIVOT_TOL = 1e-13


class Moments(NamedTuple):
    """Centred products of features and target, with the means; constant features are zeros."""

    gram: Array
    side: Array
    square: float
    mean: Array
    level: float
    lost: float = 1.0  # by how much rounding errors may have grown when means were taken out


class Centred(NamedTuple):
    """Deviations from the means, times the roots of the weights."""

    points: Array
    target: Array
    mean: Array
    level: float


def moments(
    points: Array,
    target: Array,
    weights: Array | None,
    intercept: bool,
    near: float = MAX_MEAN_RATIO,
) -> Moments:
    """Return the centred products, and zeros for features that do not vary.

    Subtracting the products of the means costs digits unless these are about as small as the
    deviations. So the products are formed around a point near the means, which some of the samples
    tell: the origin, with no copy of the data, or their own mean. Should the point turn out not to
    be near, the means are known by then.
    """
    n, d = points.shape
    roots = None if weights is None else np.sqrt(weights)
    total = float(n if weights is None else weights.sum())
    shift, lost = np.zeros(d + 1), 1.0
    if not intercept:
        products, _ = _products_around(points, target, roots, shift)
    else:
        some, most = points[:: max(1, n // PROBED_SAMPLES)], 4 * near
        mean = np.ones(len(some)) @ some / len(some)
        deviations = some - mean
        if (mean**2 * len(some) > near * np.einsum("ij,ij->j", deviations, deviations)).any():
            shift[:d], most = mean, 1.0
        shift[d] = distribution(weights, n) @ target
        products, shift, lost = _centred_products(points, target, roots, shift, total)
        if lost > 1 + most:
            products, shift, lost = _centred_products(points, target, roots, shift, total)
        spread = np.sqrt(np.maximum(products.diagonal(), 0) / total)
        constant = is_constant(spread, shift)
        if constant.any():
            products[constant] = 0.0
            products[:, constant] = 0.0
    gram, side, square = products[:d, :d], products[:d, d], float(products[d, d])
    return Moments(gram, side, square, shift[:d], float(shift[d]), lost)


def _centred_products(
    points: Array, target: Array, roots: Array | None, shift: Array, total: float
) -> tuple[Array, Array, float]:
    """Return the centred products, the means, and by how much subtraction made errors grow.

    The products are formed around ``shift``, and those of what is left of the means subtracted.
    """
    products, sums = _products_around(points, target, roots, shift)
    left = sums / total
    products -= sums[:, None] * left
    squares = np.maximum(products.diagonal(), 1e-300)
    # Where the shift is the mean up to rounding, nothing was left.
    grown = np.where(is_constant(np.abs(left), shift), 0.0, sums * left / squares)
    return products, shift + left, 1 + float(grown[:-1].max())


def _products_around(
    points: Array, target: Array, roots: Array | None, shift: Array
) -> tuple[Array, Array]:
    """Return the products and sums of the features and, last, the target, minus ``shift``."""
    n, d = points.shape
    products, sums = np.zeros((d + 1, d + 1)), np.zeros(d + 1)
    rest, shares = target - shift[d], np.ones(n) if roots is None else roots
    if roots is not None:
        rest *= roots
    if roots is None and not shift[:d].any():
        sums[:d], products[:d, :d], products[d, :d] = (
            shares @ points,
            points.T @ points,
            rest @ points,
        )
    else:
        # NumPy subtracts long rows faster than short ones: so many samples make one.
        many = 16
        shifts = np.tile(shift[:d], many)
        buffer = np.empty((0, d))
        for block in blocks(n, d + 1, least=max(1024, SHIFTED_BLOCK // (d + 1))):
            given, share = points[block], shares[block]
            buffer = buffer if len(buffer) else np.empty((len(given), d))
            rows = buffer[: len(given)]
            folded = len(given) - len(given) % many if given.flags.c_contiguous else 0
            wide = rows[:folded].reshape(-1, many * d)
            np.subtract(given[:folded].reshape(-1, many * d), shifts, out=wide)
            np.subtract(given[folded:], shift[:d], out=rows[folded:])
            if roots is not None:
                rows *= share[:, None]
            sums[:d] += share @ rows
            products[:d, :d] += rows.T @ rows
            products[d, :d] += rest[block] @ rows
    sums[d], products[d, d], products[:d, d] = shares @ rest, rest @ rest, products[d, :d]
    return products, sums


def centred(points: Array, target: Array, weights: Array | None, intercept: bool) -> Centred:
    """Return the deviations themselves; those of constant features are zero."""
    roots = None if weights is None else np.sqrt(weights)
    mean, level = np.zeros(points.shape[1]), 0.0
    if intercept:
        shares = distribution(weights, len(points))
        mean, level = np.asarray(shares @ points), float(shares @ target)
    deviations, rest = points - mean, target - level
    if intercept:
        constant = is_constant(np.abs(deviations).max(axis=0), np.abs(mean))
        deviations[:, constant] = 0.0
        if is_constant(np.abs(rest).max(), abs(level)):
            rest = np.zeros(len(rest))
    if roots is not None:
        deviations, rest = deviations * roots[:, None], rest * roots
    return Centred(deviations, rest, mean, level)


class Spectrum(NamedTuple):
    """What ridge needs for every penalty: X = U diag(gamma) Vᵀ, and side = gamma Uᵀy."""

    V: Array
    gamma: Array
    side: Array
    mean: Array
    level: float

    def weights(self, penalties: Array) -> Array:
        """Return a row of weights for each penalty; the shortest ones for the penalty zero."""
        return np.asarray((self.side / (self.gamma**2 + penalties[:, None])) @ self.V.T)

    def effective(self, penalty: float) -> float:
        """Return how many weights a penalty leaves free."""
        squares = self.gamma**2
        return float((squares / np.where(squares + penalty > 0, squares + penalty, 1.0)).sum())


class Equilibrated(NamedTuple):
    """What ridge needs for every penalty where features differ in length by orders of magnitude.

    Singular vectors mix all features, and rounding of the longest drowns the shortest. The products
    plus the penalty are solved instead, with ones on their diagonal but for powers of two.
    """

    gram: Array
    side: Array
    mean: Array
    level: float

    def scaled(self, penalty: float) -> tuple[Array, NDArray[np.intc]]:
        """Return the penalised products in units of each feature's own, and these exponents."""
        diagonal = self.gram.diagonal() + penalty
        exponents = np.where(diagonal > 0, np.frexp(np.sqrt(diagonal))[1], 0)
        products = np.ldexp(self.gram, -(exponents[:, None] + exponents))
        price = np.where(diagonal > 0, np.ldexp(penalty, -2 * exponents), 1.0)
        return products + np.diag(price), exponents

    def weights(self, penalties: Array) -> Array:
        """Return a row of weights for each penalty."""
        rows = []
        for penalty in penalties:
            products, exponents = self.scaled(float(penalty))
            solved = np.linalg.solve(products, np.ldexp(self.side, -exponents))
            rows.append(np.ldexp(solved, -exponents))
        return np.array(rows)

    def effective(self, penalty: float) -> float:
        """Return how many weights a penalty leaves free."""
        products, exponents = self.scaled(penalty)
        free = np.ldexp(self.gram, -(exponents[:, None] + exponents))
        return float(np.trace(np.linalg.solve(products, free)))


def equilibrated(
    gram: Array,
    side: Array,
    mean: Array,
    level: float,
    least_penalty: float,
    safe: float = MIN_EIGENVALUE_RATIO,
) -> Equilibrated | None:
    """Return the products, unless they are badly conditioned whatever the units of the features."""
    found = Equilibrated(gram, side, mean, level)
    values = np.linalg.eigvalsh(found.scaled(least_penalty)[0])
    return found if values[0] > safe * values[-1] else None


def spectrum(
    points: Array, target: Array, weights: Array | None, intercept: bool, least_penalty: float
) -> Spectrum | Equilibrated:
    """Decompose the centred features, accurately enough for all penalties from the least one on."""
    n, d = points.shape
    if n > d:
        found = moments(points, target, weights, intercept, MAX_MEAN_RATIO_OF_RIDGE)
        values, V = np.linalg.eigh(found.gram)
        safe = MIN_EIGENVALUE_RATIO * max(1.0, found.lost / MAX_MEAN_RATIO)
        if values[0] + least_penalty > safe * (values[-1] + least_penalty) > 0:
            return Spectrum(
                V, np.sqrt(np.maximum(values, 0)), V.T @ found.side, found.mean, found.level
            )
        apart = equilibrated(found.gram, found.side, found.mean, found.level, least_penalty, safe)
        if apart is not None:
            return apart
    whole = centred(points, target, weights, intercept)
    table = whole.points, whole.target
    if n > d:
        R: Array = np.asarray(np.linalg.qr(np.column_stack(table), mode="r"))
        table = np.asarray(R[:d, :d]), np.asarray(R[:d, d])
    U, gamma, Vt = np.linalg.svd(table[0], full_matrices=False)
    rank = numerical_rank(gamma, max(n, d))
    U, gamma, Vt = U[:, :rank], gamma[:rank], Vt[:rank]
    return Spectrum(Vt.T, gamma, gamma * (U.T @ table[1]), whole.mean, whole.level)


class LassoFit(NamedTuple):
    """Weights of the lasso for centred data, with what is known about them."""

    theta: Array
    gap: float
    objective: float
    n_iter: int
    converged: bool


def _gap(
    gram: Array, side: Array, square: float, penalty: float, theta: Array, positive: bool
) -> tuple[float, float]:
    """Return the duality gap and the objective."""
    return _gap_of(side - gram @ theta, side, square, penalty, theta, positive)


def _gap_of(
    correlations: Array, side: Array, square: float, penalty: float, theta: Array, positive: bool
) -> tuple[float, float]:
    """Return the duality gap and the objective from the correlations with the residual."""
    along = float(side @ theta)
    # ‖r‖² = ‖y‖² - <Xᵀy, θ> - <Xᵀr, θ>
    residual = max(square - along - float(correlations @ theta), 0.0)
    objective = residual / 2 + penalty * float(np.abs(theta).sum())
    steepest = float((correlations if positive else np.abs(correlations)).max(initial=0.0))
    scale = min(1.0, penalty / steepest) if steepest > 0 else 1.0
    dual = scale * (square - along) - scale**2 * residual / 2
    return max(objective - dual, 0.0), objective


@compiled()
def _compiled_sweeps(
    gram: Array,
    penalty: float,
    theta: Array,
    correlations: Array,
    positive: bool,
    n_sweeps: int,
    least: float,
) -> int:
    """Sweep over the coordinates until none moves by much; weights and correlations change."""
    d = len(theta)
    for sweep in range(n_sweeps):
        largest = 0.0
        for j in range(d):
            curvature = gram[j, j]
            if curvature <= 0.0:
                continue
            before = theta[j]
            pull = correlations[j] + curvature * before
            after = 0.0
            if pull > penalty:
                after = (pull - penalty) / curvature
            elif pull < -penalty and not positive:
                after = (pull + penalty) / curvature
            if after != before:
                move = after - before
                for i in range(d):
                    correlations[i] -= move * gram[j, i]
                theta[j] = after
                largest = max(largest, move * move * curvature)
        if largest <= least:
            return sweep + 1
    return n_sweeps


def _plain_sweeps(
    gram: Array,
    penalty: float,
    theta: Array,
    correlations: Array,
    positive: bool,
    n_sweeps: int,
    least: float,
) -> int:
    """Do the same where loops are not compiled: a row of products at a time."""
    diagonal = gram.diagonal().tolist()
    for sweep in range(n_sweeps):
        largest = 0.0
        for j, curvature in enumerate(diagonal):
            if curvature <= 0:
                continue
            before = float(theta[j])
            pull = float(correlations[j]) + curvature * before
            size = max(pull if positive else abs(pull), penalty) - penalty
            after = np.copysign(size, pull) / curvature
            if after != before:
                correlations -= (after - before) * gram[j]
                theta[j] = after
                largest = max(largest, (after - before) ** 2 * curvature)
        if largest <= least:
            return sweep + 1
    return n_sweeps


def _descend_on_support(gram: Array, side: Array, penalty: float, theta: Array) -> Array:
    """Solve the equations of the support and signs of the weights, or go as far as signs hold.

    As long as no sign changes the objective is a parabola, and falls on the way to its vertex. A
    weight that would change its sign first becomes zero, and the others aim again.
    """
    theta = theta.copy()
    while (support := np.flatnonzero(theta)).size:
        here = theta[support]
        signs = np.sign(here)
        products = gram[np.ix_(support, support)]
        aim = _stationary(products, side[support] - penalty * signs)
        if aim is None:
            # Along the flattest direction only the sum of the sizes changes: go where it falls.
            flat = np.linalg.eigh(products)[1][:, 0]
            flat = -flat if signs @ flat > 0 else flat
            falling = np.abs(flat[signs * flat < 0])
            if not len(falling):
                break
            aim = here + flat * (2 * np.abs(here).max() / falling.max())
        crossing = np.flatnonzero(aim * signs <= 0)
        if not len(crossing):
            theta[support] = aim
            break
        shares = here[crossing] / (here[crossing] - aim[crossing])
        first = int(shares.argmin())
        theta[support] = here + shares[first] * (aim - here)
        theta[support[crossing[first]]] = 0.0
    return theta


def _stationary(products: Array, side: Array) -> Array | None:
    """Solve for the weights of these columns; None if they depend on each other."""
    try:
        R = np.linalg.cholesky(products).T
    except np.linalg.LinAlgError:
        return None
    if (R.diagonal() ** 2 <= PIVOT_TOL * products.diagonal()).any():
        return None
    return np.asarray(np.linalg.solve(R, np.linalg.solve(R.T, side)))


def lasso_from_products(
    gram: Array,
    side: Array,
    square: float,
    penalty: float,
    *,
    positive: bool,
    tol: float,
    max_iter: int,
    theta: Array | None = None,
) -> LassoFit:
    """Minimise the lasso objective by coordinate descent until the duality gap is small.

    Between sweeps the equations of the current support and signs are solved, as far as these hold:
    once they are right, so are the weights, whatever the condition number makes of the sweeps.
    """
    theta = np.zeros(len(side)) if theta is None else theta.copy()
    correlations = side - gram @ theta
    wanted, done, chunk = tol * square / 2, 0, 5
    sweeps = _compiled_sweeps if compiles() else _plain_sweeps
    gap, objective = _gap_of(correlations, side, square, penalty, theta, positive)
    while gap > wanted and done < max_iter:
        some = min(chunk, max_iter - done)
        done += sweeps(gram, penalty, theta, correlations, positive, some, ROUNDOFF**2 * square)
        chunk = min(2 * chunk, 100)
        gap, objective = _gap(gram, side, square, penalty, theta, positive)
        exact = _descend_on_support(gram, side, penalty, theta)
        better = _gap(gram, side, square, penalty, exact, positive)
        if better[1] <= objective:
            theta, (gap, objective) = exact, better
        correlations = side - gram @ theta
    return LassoFit(theta, gap, objective, done, gap <= wanted)


def lasso_on_working_set(
    X: Array, y: Array, penalty: float, *, positive: bool, tol: float, max_iter: int
) -> LassoFit:
    """Minimise the lasso objective where there are too many features for all their products.

    A problem with few features is solved; the features whose correlation with its residual exceeds
    the penalty join, until there are none, or the gap is small enough without them.
    """
    side, square, d = X.T @ y, float(y @ y), X.shape[1]
    theta, done, chosen = np.zeros(d), 0, np.empty(0, dtype=np.intp)
    correlations = side
    while True:
        gap, objective = _gap_of(correlations, side, square, penalty, theta, positive)
        sizes = correlations.copy() if positive else np.abs(correlations)
        sizes[chosen] = 0.0
        joining = np.argsort(-sizes, kind="stable")[: max(20, len(chosen))]
        joining = joining[sizes[joining] > penalty]
        if gap <= tol * square / 2 or not len(joining) or done >= max_iter:
            return LassoFit(theta, gap, objective, done, gap <= tol * square / 2)
        chosen = np.append(chosen, joining)
        A = X[:, chosen]
        part = lasso_from_products(
            A.T @ A,
            side[chosen],
            square,
            penalty,
            positive=positive,
            tol=tol / 4,
            max_iter=max_iter - done,
            theta=theta[chosen],
        )
        theta[chosen] = part.theta
        done += max(part.n_iter, 1)
        correlations = X.T @ (y - A @ part.theta)


def pursue_from_products(found: Moments, most: int) -> tuple[NDArray[np.intp], Array] | None:
    """Run orthogonal matching pursuit on the products; None where they hold too few digits."""
    gram, d = found.gram, len(found.side)
    squares = gram.diagonal()
    if not squares.min() > RESIDUAL_TOL**2 * squares.max():
        return None
    lengths, theta = np.sqrt(squares), np.zeros(d)
    chosen: list[int] = []
    R, z = np.zeros((most, most)), np.zeros(most)
    correlations, least = found.side, MIN_EIGENVALUE_RATIO * np.sqrt(max(found.square, 0.0))
    for s in range(most):
        cosines = np.abs(correlations) / lengths
        cosines[chosen] = 0.0
        j = int(cosines.argmax())
        if not cosines[j] > least:
            return None  # near the end rounding decides
        column = np.linalg.solve(R[:s, :s].T, gram[chosen, j])
        rest = squares[j] - column @ column
        if not rest > MIN_EIGENVALUE_RATIO * squares[j]:
            return None
        R[:s, s], R[s, s] = column, np.sqrt(rest)
        z[s] = (found.side[j] - column @ z[:s]) / R[s, s]
        chosen.append(j)
        theta[chosen] = np.linalg.solve(R[: s + 1, : s + 1], z[: s + 1])
        correlations = found.side - theta[chosen] @ gram[chosen]
    return np.array(chosen, dtype=np.intp), theta


def pursue(X: Array, y: Array, most: int) -> tuple[NDArray[np.intp], Array]:
    """Run orthogonal matching pursuit on centred data.

    The chosen columns are orthogonalised, twice against rounding; what is left of the target after
    the last of them is the residual.
    """
    n, d = X.shape
    lengths = np.sqrt(np.einsum("ij,ij->j", X, X))
    usable = np.where(lengths > 0, lengths, np.inf)
    basis, R = np.empty((min(most, n), n)), np.zeros((min(most, n), min(most, n)))
    residual, correlations, chosen = y.copy(), X.T @ y, np.empty(0, dtype=np.intp)
    least = RESIDUAL_TOL * float(np.sqrt(y @ y))
    for s in range(len(basis)):
        cosines = np.abs(correlations) / usable
        cosines[chosen] = 0.0
        j = int(cosines.argmax())
        q = X[:, j].copy()
        for _ in range(2):
            along = basis[:s] @ q
            q -= along @ basis[:s]
            R[:s, s] += along
        R[s, s] = np.sqrt(q @ q)
        if not (cosines[j] > least and R[s, s] > RESIDUAL_TOL * lengths[j]):
            break
        chosen = np.append(chosen, j)
        basis[s] = q / R[s, s]
        residual -= (basis[s] @ residual) * basis[s]
        correlations = X.T @ residual
    theta, k = np.zeros(d), len(chosen)
    if k:
        theta[chosen] = np.linalg.solve(R[:k, :k], basis[:k] @ y)
    return chosen, theta
