r"""Least squares: the fit is a projection, and what follows from that.

The points are the rows of an n × d matrix X that is given, not random; a column of ones among its
columns makes an offset. The noise is a random column with uncorrelated entries of one variance.
Nothing is assumed about its law, and of its mean only where a theorem says so.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Abs,
    And,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Le,
    Max,
    Ne,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    dimensions,
    eigenbasis,
    exp,
    for_all,
    for_each,
    grad,
    identity,
    indices,
    induction,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    matrix_family,
    prove,
    quantity,
    random_matrices,
    real_family,
    reals,
    sqrt,
    trace,
    unit_column,
    using,
    zeros,
)
from mlnotes.theorems import proves

n, d, p = dimensions("n d p")
i, j = indices("i j")
X = matrices("X", n, d)
y = matrices("y", n, 1)
theta, fit, true, u, x = matrices("theta hat_theta theta^* u x", d, 1)
noise, fresh = random_matrices("epsilon epsilon'", n, 1)
sigma, lam = reals("sigma lambda", positive=True)

I = identity(n)  # noqa: E741
gram = X.T * X
solution = inverse(gram) * X.T * y
hat = X * inverse(gram) * X.T

FULL_RANK = invertible(gram)
NORMAL = Eq(X.T * X * fit, X.T * y)
CENTRED = Eq(E(noise), zeros(n, 1))
WHITE = Eq(E(noise * noise.T), sigma**2 * I)
WHITE_AGAIN = Eq(E(fresh * fresh.T), sigma**2 * I)
UNCORRELATED = Eq(E(noise * fresh.T), zeros(n, n))

# Three points on a line, x = 0, 1, 2 with a column of ones; the fitted line is 5/6 + 3x/2.
LINE = {n: 3, d: 2, X: [[1, 0], [1, 1], [1, 2]], y: [[1], [2], [4]]}
FITTED = {fit: [[Rational(5, 6)], [Rational(3, 2)]], theta: [[1], [1]]}

# Signs whose columns are orthogonal: equally likely, they have mean zero and are uncorrelated.
SIGNS = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]


def _column(entries: list[int]) -> list[list[int]]:
    return [[entry] for entry in entries]


LAW = [(_column(row), Rational(1, 4)) for row in SIGNS]
NOISE = {**LINE, true: [[1], [1]], sigma: 1, noise: LAW}

# Of least squares itself, as an estimator that is linear and unbiased: (XᵀX)⁻¹Xᵀ.
PSEUDO = [[Rational(a, 6) for a in row] for row in ([5, 2, -1], [-3, 0, 3])]

given_points = Setting(
    "given points with noise",
    given={"full rank": FULL_RANK, "centred": CENTRED, "white": WHITE},
    witness=NOISE,
)


def _square(m: Any) -> Any:
    """Return the squared length of a column."""
    return trace(m.T * m)


# ---------------------------------------------------------------------- likelihood

circle = reals("pi", positive=True)
residual = quantity("r", i, is_=trace(unit_column(n, i).T * (y - X * theta)))
_density = exp(-(residual(i) ** 2) / (2 * sigma**2)) / sqrt(2 * circle * sigma**2)


@proves("lem-sum-of-squared-residuals")
def sum_of_squared_residuals() -> Theorem:
    r"""Derive that the squared length of the residual is the sum of its squared entries."""
    return (
        Derivation("the sum of squares")
        .start(Sum(residual(i) ** 2, (i, 1, n)))
        .equals(_square(y - X * theta), because="the squared length of a column")
        .qed()
    )


@proves("thm-gaussian-likelihood")
def gaussian_likelihood() -> Theorem:
    r"""Derive the log-likelihood under normal noise."""
    return (
        Derivation("log-likelihood under normal noise")
        .start(log(Product(_density, (i, 1, n))))
        .equals(Sum(log(_density), (i, 1, n)), because="the logarithm of a product")
        .equals(
            Sum(
                -log(2 * circle * sigma**2) / 2 - residual(i) ** 2 / (2 * sigma**2),
                (i, 1, n),
            ),
            because="the logarithm of each density",
        )
        .equals(
            -n * log(2 * circle * sigma**2) / 2 - Sum(residual(i) ** 2, (i, 1, n)) / (2 * sigma**2),
            because="the first term is the same for all points",
        )
        .equals(
            -n * log(2 * circle * sigma**2) / 2 - _square(y - X * theta) / (2 * sigma**2),
            because="the sum of squares",
            by=using(apply(sum_of_squared_residuals())),
        )
        .qed()
    )


_likelihood = quantity(
    "ell",
    theta,
    sigma,
    is_=-n * log(2 * circle * sigma**2) / 2 - _square(y - X * theta) / (2 * sigma**2),
)


@proves("cor-likelihood-least-squares")
def least_squares_is_most_likely() -> Theorem:
    r"""Derive that weights with the least squares are the most likely ones, for every variance."""
    return (
        Derivation(
            "least squares is most likely",
            given={"least": Le(_square(y - X * fit), _square(y - X * theta))},
            witness={**LINE, **FITTED, sigma: 1, circle: 3},
        )
        .start(_likelihood(theta, sigma))
        .at_most(
            _likelihood(fit, sigma),
            because="a smaller sum of squares, divided by a positive number and subtracted",
        )
        .qed()
    )


@proves("lem-most-likely-is-least")
def most_likely_is_least() -> Theorem:
    r"""Derive that weights which are most likely, for one variance, have the least squares."""
    scale = 2 * sigma**2
    return (
        Derivation(
            "most likely, hence least",
            given={"most likely": Le(_likelihood(theta, sigma), _likelihood(fit, sigma))},
            witness={**LINE, **FITTED, sigma: 1, circle: 3},
        )
        .start(_square(y - X * fit))
        .equals(
            -scale * _likelihood(fit, sigma) - scale * n * log(2 * circle * sigma**2) / 2,
            because="solve the likelihood for the sum of squares",
        )
        .at_most(
            -scale * _likelihood(theta, sigma) - scale * n * log(2 * circle * sigma**2) / 2,
            because="these weights are the more likely ones",
        )
        .equals(_square(y - X * theta), because="put the likelihood in again")
        .qed()
    )


# ---------------------------------------------------------------------- the normal equations


@proves("lem-least-squares-gradient")
def gradient() -> Theorem:
    r"""Derive the gradient of the mean squared error, with the exact remainder."""
    loss = _square(X * theta - y) / n
    return (
        Derivation("gradient of the mean squared error")
        .start(_square(X * (theta + u) - y) / n - loss)
        .equals(
            trace(grad(loss, theta).T * u) + _square(X * u) / n,
            because="the part that is linear in the step, and what is left of the square",
        )
        .equals(
            trace((2 * X.T * (X * theta - y) / n).T * u) + _square(X * u) / n,
            because=r"the gradient is $\frac2nX^\top(X\theta-y)$",
        )
        .qed()
    )


@proves("lem-normal-equations-solved")
def normal_equations_solved() -> Theorem:
    r"""Derive that $(X^\top X)^{-1}X^\top y$ solves the normal equations."""
    return (
        Derivation(
            "a solution of the normal equations", given={"full rank": FULL_RANK}, witness=LINE
        )
        .start(gram * inverse(gram) * X.T * y)
        .equals(X.T * y, because=r"$X^\top X$ meets its inverse")
        .qed()
    )


@proves("lem-residual-orthogonal")
def residual_orthogonal() -> Theorem:
    r"""Derive that the residual is orthogonal to every column of $X$."""
    return (
        Derivation("orthogonal residual", given={"normal": NORMAL}, witness={**LINE, **FITTED})
        .start(X.T * (y - X * fit))
        .equals(zeros(d, 1), because="these are the normal equations")
        .qed()
    )


@proves("lem-squares-around-a-solution")
def squares_around_a_solution() -> Theorem:
    r"""Derive the sum of squares of any weights from that of a solution of the normal equations."""
    return (
        Derivation(
            "squares around a solution", given={"normal": NORMAL}, witness={**LINE, **FITTED}
        )
        .start(_square(y - X * theta))
        .equals(
            _square(y - X * fit) + _square(X * (theta - fit)),
            because="the residual is orthogonal to what the columns can reach",
            by=using(apply(residual_orthogonal())),
        )
        .qed()
    )


LEAST = for_all(theta, Le(_square(y - X * fit), _square(y - X * theta)))


@proves("thm-normal-equations")
def normal_equations_minimise() -> Theorem:
    r"""Derive that a solution of the normal equations has the least squared error."""
    return (
        Derivation("least squares", given={"normal": NORMAL}, witness={**LINE, **FITTED})
        .start(_square(y - X * theta))
        .equals(
            _square(y - X * fit) + _square(X * (theta - fit)),
            because="squares around a solution",
            by=using(apply(squares_around_a_solution())),
        )
        .at_least(_square(y - X * fit), because="a squared length is not negative")
        .qed()
    )


slope = X.T * (y - X * fit)
short = _square(slope) / (_square(X * slope) ** 2 + 1)


@proves("lem-normal-equations-needed")
def normal_equations_needed() -> Theorem:
    r"""Derive that a minimiser satisfies the normal equations."""
    a, b = reals("a", nonnegative=True), reals("b", nonnegative=True)
    scalar = (
        Derivation("a short step gains")
        .start((a / (b**2 + 1)) ** 2 * b - 2 * (a / (b**2 + 1)) * a)
        .equals((a / (b**2 + 1)) ** 2 * (b - 2 * (b**2 + 1)), because="collect")
        .at_most((a / (b**2 + 1)) ** 2 * (-(b**2) - 1), because=r"$b\le b^2+1$")
        .equals(-(a**2) / (b**2 + 1), because="collect")
        .qed()
    )
    none = (
        Derivation("no slope is left", given={"least": LEAST}, witness={**LINE, **FITTED})
        .start(_square(y - X * fit))
        .at_most(
            _square(y - X * (fit + short * slope)),
            because="nothing has smaller squares, a short step along the slope included",
            by=LEAST.at(fit + short * slope),
        )
        .equals(
            _square(y - X * fit) - 2 * short * _square(slope) + short**2 * _square(X * slope),
            because="expand",
        )
        .at_most(
            _square(y - X * fit) - _square(slope) ** 2 / (_square(X * slope) ** 2 + 1),
            because="the step is short enough",
            by=using(scalar(a=_square(slope), b=_square(X * slope))),
        )
        .qed()
    )
    root = (
        Derivation(
            "nothing is left",
            given=[Le(a**2 / (b**2 + 1), 0)],
            witness={a: 0, b: 0},
        )
        .start(a**2)
        .equals(a**2 / (b**2 + 1) * (b**2 + 1), because="cancel")
        .at_most(0, because="not positive, times a positive number")
        .hence(Eq(a, 0), because="a square that is not positive")
        .qed()
    )
    flat = (
        Derivation("the slope has no length", given={"least": LEAST}, witness={**LINE, **FITTED})
        .start(_square(slope))
        .equals(
            0,
            because="no slope is left",
            by=using(none, apply(root, {a: _square(slope), b: _square(X * slope)})),
        )
        .qed()
    )
    return (
        Derivation(
            "a minimiser satisfies the normal equations",
            given={"least": LEAST},
            witness={**LINE, **FITTED},
        )
        .start(X.T * X * fit)
        .equals(X.T * y, because="otherwise a short step along the slope gains", by=using(flat))
        .qed()
    )


# ---------------------------------------------------------------------- full column rank


@proves("lem-gram-kernel")
def gram_kernel() -> Theorem:
    r"""Derive that what $X^\top X$ sends to zero, $X$ sends to zero: their kernels coincide."""
    return (
        Derivation(
            "the kernels coincide",
            given={"sent to zero": Eq(X.T * X * u, zeros(d, 1))},
            witness={n: 1, d: 2, X: [[1, 1]], u: [[1], [-1]]},
        )
        .start(_square(X * u))
        .equals(trace(u.T * (X.T * X * u)), because="move the matrix to the other side")
        .equals(0, because=r"$X^\top Xu$ is zero")
        .hence(Eq(X * u, zeros(n, 1)), because="only zero has no length")
        .qed()
    )


@proves("lem-invertible-gram-independent")
def invertible_gram_means_independent() -> Theorem:
    r"""Derive that columns whose Gram matrix is invertible are independent."""
    return (
        Derivation(
            "independent columns",
            given={"full rank": FULL_RANK, "sent to zero": Eq(X * u, zeros(n, 1))},
            witness={**LINE, u: [[0], [0]]},
        )
        .start(u)
        .equals(inverse(gram) * X.T * (X * u), because=r"$(X^\top X)^{-1}X^\top X$ is the identity")
        .equals(zeros(d, 1), because="$Xu$ is zero")
        .qed()
    )


@proves("thm-gram-positive-definite")
def gram_positive_definite() -> Theorem:
    r"""Derive that the quadratic form of the Gram matrix is positive but at zero."""
    given = {"full rank": FULL_RANK, "not positive": Le(trace(u.T * (X.T * X) * u), 0)}
    witness = {**LINE, u: [[0], [0]]}
    form = (
        Derivation("a form that is not positive", given=given, witness=witness)
        .start(_square(X * u))
        .equals(
            0,
            because="neither positive nor negative",
            by=using(given["not positive"], Ge(_square(X * u), 0)),
        )
        .hence(Eq(X * u, zeros(n, 1)), because="only zero has no length")
        .qed()
    )
    return (
        Derivation("the Gram matrix is positive definite", given=given, witness=witness)
        .start(u)
        .equals(
            zeros(d, 1),
            because=r"$Xu$ has no length, and $(X^\top X)^{-1}X^\top X$ is the identity",
            by=using(form, apply(invertible_gram_means_independent())),
        )
        .qed()
    )


@proves("cor-least-squares-unique")
def solution_is_unique() -> Theorem:
    r"""Derive that with full column rank the normal equations have one solution."""
    return (
        Derivation(
            "the one solution",
            given={"full rank": FULL_RANK, "normal": NORMAL},
            witness={**LINE, **FITTED},
        )
        .start(fit)
        .equals(inverse(gram) * gram * fit, because=r"$(X^\top X)^{-1}X^\top X$ is the identity")
        .equals(solution, because="the normal equations")
        .qed()
    )


@proves("lem-dependent-columns-shift")
def dependent_columns_shift() -> Theorem:
    r"""Derive that with dependent columns a solution can be moved and remains one."""
    return (
        Derivation(
            "another solution",
            given={"normal": NORMAL, "sent to zero": Eq(X * u, zeros(n, 1))},
            witness={
                **{n: 1, d: 2, X: [[1, 1]], y: [[2]]},
                **{fit: [[1], [1]], u: [[1], [-1]]},
            },
        )
        .start(X.T * X * (fit + u))
        .equals(X.T * y + X.T * (X * u), because="the normal equations")
        .equals(X.T * y, because="$Xu$ is zero")
        .qed()
    )


# ---------------------------------------------------------------------- singular values

U, V, Gamma = matrices("U", n, p), matrices("V", d, p), matrices("Gamma", p, p)
Ip = identity(p)
SVD = {
    "factors": Eq(X, U * Gamma * V.T),
    "orthonormal": And(Eq(U.T * U, Ip), Eq(V.T * V, Ip)),
    "diagonal": Eq(Gamma.T, Gamma),
    "singular values": invertible(Gamma),
}
# Two equal columns: (1, 1)ᵀ spans them, and (1, -1)ᵀ is sent to zero. Rotated, a diagonal matrix.
FLAT = {
    **{n: 2, d: 2, p: 1, X: [[2, 0], [0, 0]], y: [[2], [3]]},
    **{U: [[1], [0]], V: [[1], [0]], Gamma: [[2]]},
    **{fit: [[1], [5]]},
}
pseudo = V * inverse(Gamma) * U.T
shortest = pseudo * y
factored = U * Gamma * V.T
svd = Setting("singular value decomposition", given=SVD, witness=FLAT)


@proves("lem-svd-solves")
def svd_solves() -> Theorem:
    r"""Derive that $V\Gamma^{-1}U^\top y$ solves the normal equations."""
    return (
        Derivation("a solution for every rank", setting=svd)
        .start(X.T * X * (V * inverse(Gamma) * U.T * y))
        .equals(
            factored.T * factored * (V * inverse(Gamma) * U.T * y), because="put in the factors"
        )
        .equals(
            V * Gamma * (U.T * U) * Gamma * (V.T * V) * inverse(Gamma) * U.T * y,
            because="transpose, and multiply in another order",
        )
        .equals(V * Gamma * U.T * y, because="orthonormal columns, and an inverse")
        .equals(factored.T * y, because="transpose back")
        .equals(X.T * y, because="the factors again")
        .qed()
    )


@proves("lem-svd-kernel")
def svd_kernel() -> Theorem:
    r"""Derive that the difference of two solutions is orthogonal to the columns of V."""
    return (
        Derivation(
            "what is sent to zero",
            setting=svd,
            given={"sent to zero": Eq(X * u, zeros(n, 1))},
            witness={u: [[0], [1]]},
        )
        .start(V.T * u)
        .equals(
            inverse(Gamma) * (U.T * U) * Gamma * V.T * u,
            because="an inverse, and orthonormal columns",
        )
        .equals(inverse(Gamma) * U.T * (X * u), because="the factors")
        .equals(zeros(p, 1), because="$Xu$ is zero")
        .qed()
    )


@proves("thm-shortest-solution")
def shortest_solution() -> Theorem:
    r"""Derive the squared length of any solution from that of the shortest."""
    apart = fit - V * inverse(Gamma) * U.T * y
    same = (
        Derivation("two solutions", setting=svd, given={"normal": NORMAL})
        .start(X.T * X * apart)
        .equals(
            zeros(d, 1), because="both solve the normal equations", by=using(apply(svd_solves()))
        )
        .qed()
    )
    reached = (
        Derivation("they reach the same", setting=svd, given={"normal": NORMAL})
        .start(X * apart)
        .equals(
            zeros(n, 1),
            because="the kernels coincide",
            by=using(same, apply(gram_kernel(), {u: apart})),
        )
        .qed()
    )
    across = (
        Derivation("across", setting=svd, given={"normal": NORMAL})
        .start(V.T * apart)
        .equals(
            zeros(p, 1),
            because="what is sent to zero",
            by=using(reached, apply(svd_kernel(), {u: apart})),
        )
        .qed()
    )
    return (
        Derivation("the shortest solution", setting=svd, given={"normal": NORMAL})
        .start(_square(fit))
        .equals(
            _square(shortest)
            + 2 * trace(y.T * U * inverse(Gamma) * (V.T * apart))
            + _square(apart),
            because="expand the square",
        )
        .equals(
            _square(shortest) + _square(apart),
            because="the difference of two solutions is orthogonal to the columns of $V$",
            by=using(across),
        )
        .at_least(_square(shortest), because="a squared length is not negative")
        .qed()
    )


@proves("thm-penrose")
def penrose() -> Theorem:
    r"""Derive the four equations of Penrose for $V\Gamma^{-1}U^\top$."""

    def line(start: Any, *terms: Any) -> Theorem:
        steps = Derivation("an equation of Penrose", setting=svd).start(start)
        for term in terms:
            steps = steps.equals(term)
        return steps.qed()

    return prove(
        "the equations of Penrose",
        And(
            Eq(X * pseudo * X, X),
            Eq(pseudo * X * pseudo, pseudo),
            Eq((X * pseudo).T, X * pseudo),
            Eq((pseudo * X).T, pseudo * X),
        ),
        because=r"$X\,V\Gamma^{-1}U^\top=UU^\top$ and $V\Gamma^{-1}U^\top X=VV^\top$",
        setting=svd,
        by=using(
            line(X * pseudo * X, factored * pseudo * factored, factored, X),
            line(pseudo * X * pseudo, pseudo * factored * pseudo, pseudo),
            line((X * pseudo).T, (factored * pseudo).T, U * U.T, factored * pseudo, X * pseudo),
            line((pseudo * X).T, (pseudo * factored).T, V * V.T, pseudo * factored, pseudo * X),
        ),
    )


A, B = matrices("C C'", d, n)


def _transposed(size: Any, left: Any, right: Any) -> Any:
    """Return the rule that the transposes of equal square matrices are equal."""
    F, G = matrices("F G", size, size)
    one = [[1]]
    equal = prove("transpose", Eq(F.T, G.T), given=[Eq(F, G)], witness={n: 1, d: 1, F: one, G: one})
    return apply(equal, {F: left, G: right})


def _penrose(M: Any) -> dict[str, Any]:
    name = repr(M)
    return {
        f"inside {name}": And(Eq(X * M * X, X), Eq(M * X * M, M)),
        f"symmetric {name}": And(Eq((X * M).T, X * M), Eq((M * X).T, M * X)),
    }


@proves("thm-pseudo-inverse-unique")
def pseudo_inverse_is_unique() -> Theorem:
    r"""Derive that only one matrix satisfies the equations of Penrose."""
    one = {n: 1, d: 1, X: [[2]], A: [[Rational(1, 2)]], B: [[Rational(1, 2)]]}
    given = {**_penrose(A), **_penrose(B)}
    twice = (
        Derivation("twice", given=given, witness=one)
        .start(X * A)
        .equals(X * B * (X * A), because="$XBX=X$")
        .qed()
    )
    left = (
        Derivation("the same projection", given=given, witness=one)
        .start(X * A)
        .equals((X * A).T, because="it is symmetric")
        .equals(
            (X * B * (X * A)).T,
            because="$XBX=X$",
            by=using(twice, _transposed(n, X * A, X * B * (X * A))),
        )
        .equals((X * A).T * (X * B).T, because="transpose")
        .equals(X * A * (X * B), because="both are symmetric")
        .equals(X * B, because="$XAX=X$")
        .qed()
    )
    twice_again = (
        Derivation("twice", given=given, witness=one)
        .start(A * X)
        .equals(A * X * (B * X), because="$XBX=X$")
        .qed()
    )
    right = (
        Derivation("the same projection of weights", given=given, witness=one)
        .start(A * X)
        .equals((A * X).T, because="it is symmetric")
        .equals(
            (A * X * (B * X)).T,
            because="$XBX=X$",
            by=using(twice_again, _transposed(d, A * X, A * X * (B * X))),
        )
        .equals((B * X).T * (A * X).T, because="transpose")
        .equals(B * X * (A * X), because="both are symmetric")
        .equals(B * X, because="$XAX=X$")
        .qed()
    )
    return (
        Derivation("one pseudo-inverse", given=given, witness=one)
        .start(A)
        .equals(A * (X * A), because="$AXA=A$")
        .equals(A * (X * B), because="the same projection", by=using(left))
        .equals((B * X) * B, because="and of weights", by=using(right))
        .equals(B, because="$BXB=B$")
        .qed()
    )


@proves("thm-push-through")
def push_through() -> Theorem:
    r"""Derive $(X^\top X+\lambda I)^{-1}X^\top=X^\top(XX^\top+\lambda I)^{-1}$."""
    primal, dual = X.T * X + lam * identity(d), X * X.T + lam * I
    return (
        Derivation("push-through identity")
        .start(inverse(primal) * X.T)
        .equals(
            inverse(primal) * X.T * dual * inverse(dual),
            because=r"$XX^\top+\lambda I$ is positive definite, hence invertible",
        )
        .equals(
            inverse(primal) * primal * X.T * inverse(dual),
            because=r"$X^\top(XX^\top+\lambda I)=(X^\top X+\lambda I)X^\top$",
        )
        .equals(X.T * inverse(dual), because="a matrix meets its inverse")
        .qed()
    )


# ---------------------------------------------------------------------- the hat matrix

H = matrices("H", n, n)
HAT = Eq(H, hat)
PROJECTOR = {
    **LINE,
    H: [[Rational(a, 6) for a in row] for row in ([5, 2, -1], [2, 2, 2], [-1, 2, 5])],
}
projection = Setting(
    "the hat matrix", given={"full rank": FULL_RANK, "hat": HAT}, witness=PROJECTOR
)


@proves("lem-hat-symmetric")
def hat_symmetric() -> Theorem:
    r"""Derive that the hat matrix is symmetric."""
    return (
        Derivation("the hat matrix is symmetric", setting=projection)
        .start(H.T)
        .equals(
            X * inverse(gram).T * X.T,
            because="transposing turns the factors and their order",
        )
        .equals(H, because=r"$X^\top X$ is symmetric, and so is its inverse")
        .qed()
    )


@proves("lem-hat-idempotent")
def hat_idempotent() -> Theorem:
    r"""Derive that projecting twice is projecting once."""
    return (
        Derivation("the hat matrix is idempotent", setting=projection)
        .start(H * H)
        .equals(
            X * inverse(gram) * gram * inverse(gram) * X.T,
            because="multiplication is associative",
        )
        .equals(H, because=r"$X^\top X$ meets its inverse")
        .qed()
    )


@proves("lem-hat-keeps-columns")
def hat_keeps_columns() -> Theorem:
    r"""Derive that the hat matrix leaves the columns of $X$ as they are."""
    return (
        Derivation("the columns are kept", setting=projection)
        .start(H * X)
        .equals(X * inverse(gram) * gram, because="the hat matrix")
        .equals(X, because=r"$X^\top X$ meets its inverse")
        .qed()
    )


@proves("lem-hat-trace")
def hat_trace() -> Theorem:
    r"""Derive that with full column rank the hat matrix has trace $d$."""
    return (
        Derivation("trace of the hat matrix", setting=projection)
        .start(trace(H))
        .equals(trace(inverse(gram) * X.T * X), because="the trace is cyclic")
        .equals(trace(identity(d)), because=r"$X^\top X$ meets its inverse")
        .equals(d, because="there are $d$ ones on the diagonal")
        .qed()
    )


@proves("thm-hat-matrix")
def hat_matrix() -> Theorem:
    r"""Derive that the hat matrix is a projection, and its trace."""
    return prove(
        "the hat matrix is a projection",
        And(Eq(H.T, H), Eq(H * H, H), Eq(trace(H), d)),
        because="the three facts above",
        setting=projection,
        by=using(hat_symmetric(), hat_idempotent(), hat_trace()),
    )


@proves("lem-hat-powers")
def hat_powers() -> Theorem:
    r"""Derive that projecting k times is projecting once."""
    P, k = matrix_family("P", n, n), integers("k", positive=True)
    again = Eq(P[j], P[j - 1] * H)
    return prove(
        "powers of a projection",
        Eq(P[k], H),
        because="one factor after the other",
        given={
            "idempotent": Eq(H * H, H),
            "first": Eq(P[1], H),
            "powers": for_each(j, 2, k, again),
        },
        witness={n: 1, H: [[1]], k: 1, P: {1: [[1]]}},
        by=induction(None, k, start=1),
    )


@proves("lem-residual-maker")
def residual_maker() -> Theorem:
    r"""Derive that $I-H$ is a projection too, and annihilates the columns."""
    return prove(
        "what is left is a projection",
        And(
            Eq((I - H).T, I - H),
            Eq((I - H) * (I - H), I - H),
            Eq((I - H) * X, zeros(n, d)),
        ),
        because=r"expand, with $H^\top=H$, $HH=H$ and $HX=X$",
        setting=projection,
        by=using(hat_symmetric(), hat_idempotent(), hat_keeps_columns()),
    )


@proves("thm-projection")
def pythagoras() -> Theorem:
    r"""Derive that the targets split into fitted values and residuals at a right angle."""
    return (
        Derivation("Pythagoras", setting=projection)
        .start(_square(y))
        .equals(
            _square(H * y) + 2 * trace(y.T * H.T * (I - H) * y) + _square(y - H * y),
            because="expand the square",
        )
        .equals(
            _square(H * y) + _square(y - H * y),
            because=r"$H^\top(I-H)=H-HH$ is zero",
            by=using(hat_symmetric(), hat_idempotent()),
        )
        .qed()
    )


@proves("lem-hat-of-any-rank")
def hat_of_any_rank() -> Theorem:
    r"""Derive the trace of the projection on the columns for any rank."""
    return (
        Derivation("trace and rank", setting=svd)
        .start(trace(X * (V * inverse(Gamma) * U.T)))
        .equals(trace(U.T * U), because="the factors, and the trace is cyclic")
        .equals(p, because="orthonormal columns")
        .qed()
    )


# ---------------------------------------------------------------------- the noise

response = X * true + noise
estimate = inverse(gram) * X.T * response


@proves("lem-least-squares-error")
def error_of_the_estimate() -> Theorem:
    r"""Derive by how much the noise moves the weights."""
    return (
        Derivation("how the noise moves the weights", given={"full rank": FULL_RANK}, witness=NOISE)
        .start(inverse(gram) * X.T * (X * true + noise))
        .equals(true + inverse(gram) * X.T * noise, because=r"$X^\top X$ meets its inverse")
        .qed()
    )


@proves("thm-least-squares-unbiased")
def unbiased() -> Theorem:
    r"""Derive that least squares is right on average if the noise has mean zero."""
    return (
        Derivation("least squares is unbiased", setting=given_points)
        .start(E(inverse(gram) * X.T * (X * true + noise)))
        .equals(
            true + inverse(gram) * X.T * E(noise), because="expectation is linear and $X$ is given"
        )
        .equals(true, because="the noise has mean zero")
        .qed()
    )


@proves("thm-least-squares-covariance")
def covariance() -> Theorem:
    r"""Derive the covariance of the weights."""
    apart = estimate - true
    return (
        Derivation("covariance of the weights", setting=given_points)
        .start(E(apart * apart.T))
        .equals(
            inverse(gram) * X.T * E(noise * noise.T) * X * inverse(gram),
            because="how the noise moves the weights; expectation is linear",
        )
        .equals(sigma**2 * inverse(gram), because=r"$X^\top X$ meets its inverse")
        .qed()
    )


C = matrices("C", d, n)
RETURNS = Eq(C * X, identity(d))


@proves("lem-linear-estimator-mean")
def mean_of_a_linear_estimator() -> Theorem:
    r"""Derive the mean of a linear estimator."""
    return (
        Derivation(
            "mean of a linear estimator",
            given={"centred": CENTRED},
            witness={**NOISE, C: PSEUDO},
        )
        .start(E(C * (X * true + noise)))
        .equals(C * X * true + C * E(noise), because="expectation is linear")
        .equals(C * X * true, because="the noise has mean zero")
        .qed()
    )


@proves("lem-gauss-markov-lengths")
def gauss_markov_lengths() -> Theorem:
    r"""Derive that of all estimators that return the weights least squares has shortest rows."""
    best = X * inverse(gram) * u
    return (
        Derivation(
            "the shortest rows",
            given={"full rank": FULL_RANK, "unbiased": RETURNS},
            witness={**LINE, C: PSEUDO, u: [[1], [0]]},
        )
        .start(_square(C.T * u))
        .equals(
            _square(best)
            + 2 * trace(u.T * (C * X - identity(d)) * inverse(gram) * u)
            + _square(C.T * u - best),
            because="split off what least squares has",
        )
        .equals(_square(best) + _square(C.T * u - best), because="$CX$ is the identity")
        .at_least(_square(best), because="a squared length is not negative")
        .qed()
    )


@proves("thm-gauss-markov")
def gauss_markov() -> Theorem:
    r"""Derive that no unbiased linear estimator has a smaller variance in any direction."""
    return (
        Derivation(
            "Gauss and Markov",
            given={"full rank": FULL_RANK, "white": WHITE, "unbiased": RETURNS},
            witness={**NOISE, C: PSEUDO},
        )
        .start(E(_square(u.T * (C * response - true))))
        .equals(E(_square(u.T * (C * noise))), because="$CX$ is the identity")
        .equals(
            sigma**2 * _square(C.T * u),
            because=r"$\mathbb E[\varepsilon\varepsilon^\top]=\sigma^2I$",
        )
        .at_least(
            sigma**2 * _square(X * inverse(gram) * u),
            because="the shortest rows",
            by=using(apply(gauss_markov_lengths())),
        )
        .equals(
            E(_square(u.T * (inverse(gram) * X.T * noise))),
            because=r"$\mathbb E[\varepsilon\varepsilon^\top]=\sigma^2I$ again",
        )
        .equals(E(_square(u.T * (estimate - true))), because=r"$X^\top X$ meets its inverse")
        .qed()
    )


@proves("lem-residual-is-projected-noise")
def residual_is_projected_noise() -> Theorem:
    r"""Derive that the residuals are the noise without its projection."""
    return (
        Derivation("residuals and noise", setting=projection, witness=NOISE)
        .start(response - H * response)
        .equals((I - H) * X * true + (I - H) * noise, because="the response is signal and noise")
        .equals(
            (I - H) * noise,
            because="the hat matrix keeps the columns of $X$",
            by=using(apply(hat_keeps_columns())),
        )
        .qed()
    )


noisy = Setting(
    "a fit to noise",
    given={"full rank": FULL_RANK, "hat": HAT, "white": WHITE},
    witness={**PROJECTOR, **NOISE},
)


@proves("lem-residual-covariance")
def residual_covariance() -> Theorem:
    r"""Derive the covariance of the residuals, which are not the noise."""
    return (
        Derivation("covariance of the residuals", setting=noisy)
        .start(E((I - H) * noise * ((I - H) * noise).T))
        .equals((I - H) * E(noise * noise.T) * (I - H).T, because="expectation is linear")
        .equals(
            sigma**2 * ((I - H) * (I - H).T),
            because=r"$\mathbb E[\varepsilon\varepsilon^\top]=\sigma^2I$",
        )
        .equals(
            sigma**2 * (I - H),
            because="$I-H$ is a projection",
            by=using(residual_maker()),
        )
        .qed()
    )


@proves("lem-quadratic-form-mean")
def mean_of_a_quadratic_form() -> Theorem:
    r"""Derive the mean of a quadratic form in the noise."""
    M = matrices("A", n, n)
    return (
        Derivation(
            "mean of a quadratic form",
            given={"white": WHITE},
            witness={**NOISE, M: [[1, 2, 0], [0, 1, 0], [3, 0, 1]]},
        )
        .start(E(trace(noise.T * M * noise)))
        .equals(trace(M * E(noise * noise.T)), because="the trace is cyclic, expectation linear")
        .equals(sigma**2 * trace(M), because=r"$\mathbb E[\varepsilon\varepsilon^\top]=\sigma^2I$")
        .qed()
    )


@proves("lem-in-sample-quadratic-form")
def in_sample_quadratic_form() -> Theorem:
    r"""Derive the sum of squared residuals as a quadratic form in the noise."""
    return (
        Derivation("residuals as a quadratic form", setting=projection, witness=NOISE)
        .start(_square(response - H * response))
        .equals(
            _square((I - H) * noise),
            because="residuals and noise",
            by=using(apply(residual_is_projected_noise())),
        )
        .equals(trace(noise.T * ((I - H).T * (I - H)) * noise), because="multiply in another order")
        .equals(
            trace(noise.T * (I - H) * noise),
            because="$I-H$ is a projection",
            by=using(hat_symmetric(), hat_idempotent()),
        )
        .qed()
    )


@proves("thm-in-sample-error")
def in_sample_error() -> Theorem:
    r"""Derive that the expected mean squared residual is $\sigma^2(1-d/n)$."""
    return (
        Derivation("expected in-sample error", setting=noisy)
        .start(E(_square(response - H * response)) / n)
        .equals(
            E(trace(noise.T * (I - H) * noise)) / n,
            because="the residual is projected noise, and projecting twice is projecting once",
            by=using(apply(in_sample_quadratic_form())),
        )
        .equals(
            sigma**2 * trace(I - H) / n,
            because="the mean of a quadratic form",
            by=using(mean_of_a_quadratic_form()(A=I - H)),
        )
        .equals(
            sigma**2 * (1 - d / n),
            because=r"the traces of $I$ and of the hat matrix are $n$ and $d$",
            by=using(apply(hat_trace())),
        )
        .qed()
    )


@proves("lem-uneven-in-sample-error")
def in_sample_error_of_uneven_noise() -> Theorem:
    r"""Derive the expected in-sample error if the noise has any second moments."""
    S = matrices("S", n, n)
    return (
        Derivation(
            "uneven noise",
            given={"full rank": FULL_RANK, "hat": HAT, "moments": Eq(E(noise * noise.T), S)},
            witness={**PROJECTOR, **NOISE, S: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
        )
        .start(E(_square(response - H * response)) / n)
        .equals(
            E(trace(noise.T * (I - H) * noise)) / n,
            because="residuals as a quadratic form",
            by=using(apply(in_sample_quadratic_form())),
        )
        .equals(trace((I - H) * S) / n, because="the trace is cyclic, expectation linear")
        .qed()
    )


@proves("thm-fixed-design-test-error")
def fixed_design_test_error() -> Theorem:
    r"""Derive that with fresh noise at the same points the error is $\sigma^2(1+d/n)$."""
    return (
        Derivation(
            "expected error at the same points",
            setting=noisy,
            given={"white again": WHITE_AGAIN, "uncorrelated": UNCORRELATED},
            witness={fresh: LAW},
        )
        .start(E(_square(X * true + fresh - H * response)) / n)
        .equals(
            E(_square(fresh - H * noise)) / n,
            because="the hat matrix keeps the columns of $X$",
            by=using(apply(hat_keeps_columns())),
        )
        .equals(
            (E(trace(fresh * fresh.T)) + E(trace(H * noise * noise.T))) / n,
            because="the two noises are uncorrelated; projecting twice is projecting once",
            by=using(apply(hat_symmetric()), apply(hat_idempotent())),
        )
        .equals(
            sigma**2 * (trace(I) + trace(H)) / n,
            because=r"$\mathbb E[\varepsilon\varepsilon^\top]=\sigma^2I$ for both noises",
        )
        .equals(
            sigma**2 * (1 + d / n),
            because="the traces are $n$ and $d$",
            by=using(apply(hat_trace())),
        )
        .qed()
    )


z = random_matrices("epsilon_0", 1, 1)


@proves("thm-new-point-error")
def new_point_error() -> Theorem:
    r"""Derive the expected squared error at one new point."""
    return (
        Derivation(
            "expected error at a new point",
            given={
                "full rank": FULL_RANK,
                "white": WHITE,
                "new": Eq(E(_square(z)), sigma**2),
                "uncorrelated": Eq(E(noise * z.T), zeros(n, 1)),
            },
            witness={
                **NOISE,
                x: [[1], [1]],
                z: [([[1]], Rational(1, 2)), ([[-1]], Rational(1, 2))],
            },
        )
        .start(E(_square(x.T * true + z - x.T * estimate)))
        .equals(
            E(_square(z - x.T * (inverse(gram) * X.T * noise))),
            because="how the noise moves the weights",
        )
        .equals(
            E(_square(z))
            - 2 * trace(x.T * inverse(gram) * X.T * E(noise * z.T))
            + trace(x.T * inverse(gram) * X.T * E(noise * noise.T) * X * inverse(gram) * x),
            because="expand the square",
        )
        .equals(
            sigma**2 * (1 + trace(x.T * inverse(gram) * x)),
            because="uncorrelated, and of one variance",
        )
        .qed()
    )


@proves("thm-mean-squared-error-of-weights")
def squared_error_of_weights() -> Theorem:
    r"""Derive the mean squared distance of the weights from the true ones."""
    return (
        Derivation("mean squared error of the weights", setting=given_points)
        .start(E(_square(estimate - true)))
        .equals(
            trace(inverse(gram) * X.T * E(noise * noise.T) * X * inverse(gram)),
            because="how the noise moves the weights; the trace is cyclic, expectation linear",
        )
        .equals(sigma**2 * trace(inverse(gram)), because=r"$X^\top X$ meets its inverse")
        .qed()
    )


S = matrices("S", d, d, symmetric=True)
basis = eigenbasis(S, "lambda", "v")


@proves("lem-trace-eigenvalues")
def trace_is_the_sum_of_eigenvalues() -> Theorem:
    r"""Derive that the trace is the sum of the eigenvalues."""
    lam_i, v_i = basis.values[i], basis.vectors[i]
    return (
        Derivation("trace and eigenvalues", witness={d: 2, S: [[2, 0], [0, 1]]})
        .start(trace(S))
        .equals(Sum(lam_i * trace(v_i.T * v_i), (i, 1, d)), because="the spectral theorem")
        .equals(Sum(lam_i, (i, 1, d)), because="eigenvectors of length one")
        .qed()
    )


@proves("lem-inverse-eigenvalue")
def eigenvalue_of_the_inverse() -> Theorem:
    r"""Derive that an inverse has the reciprocal eigenvalues."""
    t = reals("t", nonzero=True)
    return (
        Derivation(
            "reciprocal eigenvalues",
            given={"full rank": FULL_RANK, "eigenvector": Eq(X.T * X * u, t * u)},
            witness={n: 1, d: 1, X: [[2]], u: [[1]], t: 4},
        )
        .start(inverse(gram) * u)
        .equals(inverse(gram) * (t * u) / t, because="multiply and divide")
        .equals(inverse(gram) * (X.T * X * u) / t, because="an eigenvector of $X^\\top X$")
        .equals(u / t, because=r"$X^\top X$ meets its inverse")
        .qed()
    )


# ---------------------------------------------------------------------- an offset

ones = matrices("o", n, 1)
offset = reals("theta_0")
ONES = {"ones": Eq(_square(ones), n)}
CENTRE = {**LINE, ones: [[1], [1], [1]], offset: 1, theta: [[1], [1]], u: [[1], [1]]}
mean_residual = trace(ones.T * (y - X * theta)) / n


@proves("thm-centroid")
def centroid() -> Theorem:
    r"""Derive which offset is best for given weights: the fit passes through the centroid."""
    return (
        Derivation("the best offset", given=ONES, witness=CENTRE)
        .start(_square(y - X * theta - offset * ones))
        .equals(
            _square(y - X * theta) - 2 * offset * trace(ones.T * (y - X * theta)) + n * offset**2,
            because="expand the square",
        )
        .equals(
            _square(y - X * theta - mean_residual * ones) + n * (offset - mean_residual) ** 2,
            because="complete the square",
        )
        .at_least(_square(y - X * theta - mean_residual * ones), because="a square is not negative")
        .qed()
    )


a = reals("a")
across = matrices("w", n, 1)


@proves("lem-line-slope")
def slope_of_a_line() -> Theorem:
    r"""Derive the slope of the best line through the origin."""
    product = trace(across.T * y) / _square(across)
    return (
        Derivation(
            "the best slope",
            given={"spread": Gt(_square(across), 0)},
            witness={n: 2, across: [[1], [2]], y: [[1], [1]], a: 1},
        )
        .start(_square(y - a * across))
        .equals(
            _square(y) - 2 * a * trace(across.T * y) + a**2 * _square(across),
            because="expand the square",
        )
        .equals(
            _square(y - product * across) + _square(across) * (a - product) ** 2,
            because="complete the square",
        )
        .at_least(_square(y - product * across), because="a square is not negative")
        .qed()
    )


@proves("lem-linear-in-targets")
def linear_in_the_targets() -> Theorem:
    r"""Derive that the weights are a linear function of the targets."""
    s, t = reals("s t")
    other = matrices("y'", n, 1)
    return (
        Derivation(
            "linear in the targets",
            given={"full rank": FULL_RANK},
            witness={**LINE, other: [[1], [0], [0]], s: 1, t: 2},
        )
        .start(inverse(gram) * X.T * (s * y + t * other))
        .equals(
            s * (inverse(gram) * X.T * y) + t * (inverse(gram) * X.T * other),
            because="products are linear",
        )
        .qed()
    )


# ---------------------------------------------------------------------- solvers

definite = matrices("A", d, d, symmetric=True)
first = matrices("w", d, 1)


@proves("lem-cholesky-step")
def cholesky_step() -> Theorem:
    r"""Derive what one step of Cholesky's factorisation leaves of a definite matrix."""
    pivot = trace(first.T * definite * first)
    left = definite - definite * first * first.T * definite / pivot
    return (
        Derivation(
            "one step of Cholesky",
            given={"pivot": Gt(pivot, 0)},
            witness={d: 2, definite: [[2, 1], [1, 2]], first: [[1], [0]], u: [[0], [1]]},
        )
        .start(trace(u.T * left * u))
        .equals(
            trace(u.T * definite * u) - trace(first.T * definite * u) ** 2 / pivot,
            because="multiply out",
        )
        .equals(
            trace(
                (u - trace(first.T * definite * u) / pivot * first).T
                * definite
                * (u - trace(first.T * definite * u) / pivot * first)
            ),
            because="complete the square",
        )
        .qed()
    )


@proves("lem-cholesky-clears")
def cholesky_clears() -> Theorem:
    r"""Derive that a step of Cholesky's factorisation clears a column."""
    pivot = trace(first.T * definite * first)
    return (
        Derivation(
            "a column is cleared",
            given={"pivot": Gt(pivot, 0)},
            witness={d: 2, definite: [[2, 1], [1, 2]], first: [[1], [0]]},
        )
        .start((definite - definite * first * first.T * definite / pivot) * first)
        .equals(
            definite * first - definite * first * (pivot / pivot), because="the middle is a number"
        )
        .equals(zeros(d, 1), because="cancel")
        .qed()
    )


entry, known, found = real_family("rho"), real_family("b"), real_family("z")
k = integers("k", positive=True)


@proves("thm-forward-substitution")
def forward_substitution() -> Theorem:
    r"""Derive that forward substitution solves a triangular system, equation by equation."""
    earlier = Sum(entry[j, k] * found[j], (j, 1, k - 1))
    r, s, t, v = reals("r s t v")
    divided = (
        Derivation("divide", given=[Ne(r, 0), Eq(v, (s - t) / r)], witness={r: 1, s: 1, t: 0, v: 1})
        .start(t + r * v)
        .equals(t + r * ((s - t) / r), because="what was divided")
        .equals(s, because="cancel")
        .qed()
    )
    return (
        Derivation(
            "forward substitution",
            given={
                "diagonal": Ne(entry[k, k], 0),
                "substituted": Eq(found[k], (known[k] - earlier) / entry[k, k]),
            },
            witness={k: 1, entry: {(1, 1): 2}, known: [6], found: [3]},
        )
        .start(Sum(entry[j, k] * found[j], (j, 1, k)))
        .equals(earlier + entry[k, k] * found[k], because="the last term")
        .equals(
            known[k],
            because="what was substituted",
            by=apply(divided, {r: entry[k, k], s: known[k], t: earlier, v: found[k]}),
        )
        .qed()
    )


@proves("thm-gram-by-rows")
def gram_by_rows() -> Theorem:
    r"""Derive the Gram matrix as a sum over the rows."""
    row = X.T * unit_column(n, i)
    return (
        Derivation("the Gram matrix by rows")
        .start(X.T * X)
        .equals(Sum(row * row.T, (i, 1, n)), because="the unit columns span")
        .qed()
    )


m = dimensions("m")
more, targets = matrices("X'", m, d), matrices("y'", m, 1)


@proves("thm-merge")
def merge() -> Theorem:
    r"""Derive that the sums of two sets of points are enough to fit both."""
    both = Eq((X.T * X + more.T * more) * fit, X.T * y + more.T * targets)
    gap = theta - fit
    return (
        Derivation(
            "two sets of points",
            given={"normal": both},
            witness={
                **{n: 1, m: 1, d: 1, X: [[1]], more: [[1]], y: [[1]], targets: [[3]]},
                **{fit: [[2]], theta: [[0]]},
            },
        )
        .start(_square(y - X * theta) + _square(targets - more * theta))
        .equals(
            _square(y - X * fit)
            + _square(targets - more * fit)
            - 2 * trace(gap.T * (X.T * y + more.T * targets - (X.T * X + more.T * more) * fit))
            + _square(X * gap)
            + _square(more * gap),
            because="expand both squares",
        )
        .equals(
            _square(y - X * fit)
            + _square(targets - more * fit)
            + _square(X * gap)
            + _square(more * gap),
            because="the normal equations of both",
        )
        .at_least(
            _square(y - X * fit) + _square(targets - more * fit),
            because="squared lengths are not negative",
        )
        .qed()
    )


mirror = matrices("q", n, 1)


@proves("thm-reflection")
def reflection() -> Theorem:
    r"""Derive that a Householder reflection is symmetric and its own inverse."""
    F = I - 2 * mirror * mirror.T / _square(mirror)
    given, witness = {"mirror": Gt(_square(mirror), 0)}, {n: 2, mirror: [[1], [2]]}
    twice = (
        Derivation("reflected twice", given=given, witness=witness)
        .start(F * F)
        .equals(
            I
            - 4 / _square(mirror) * (mirror * mirror.T)
            + 4 / _square(mirror) ** 2 * (_square(mirror) * (mirror * mirror.T)),
            because="multiply out; the middle is a number",
        )
        .equals(I, because="cancel")
        .qed()
    )
    return prove(
        "a reflection",
        And(Eq(F.T, F), Eq(F * F, I)),
        because=r"multiply out; $q^\top q$ is a number",
        given=given,
        witness=witness,
        by=using(twice),
    )


source, target = matrices("w c", n, 1)


@proves("lem-reflection-maps")
def reflection_maps() -> Theorem:
    r"""Derive where the mirror between two columns of the same length sends the first."""
    gap = source - target
    length = _square(gap)
    return (
        Derivation(
            "one column onto another",
            given={"same length": Eq(_square(source), _square(target)), "apart": Gt(length, 0)},
            witness={n: 2, source: [[3], [4]], target: [[5], [0]]},
        )
        .start(source - 2 * trace(gap.T * source) / length * gap)
        .equals(
            source - (length + _square(source) - _square(target)) / length * gap,
            because=r"$2(w-c)^\top w=\lVert w-c\rVert^2+\lVert w\rVert^2-\lVert c\rVert^2$",
        )
        .equals(source - length / length * gap, because="the lengths are equal")
        .equals(target, because="cancel")
        .qed()
    )


Q, rest, upper = matrices("Q", n, d), matrices("W", n, n), matrices("R", d, d)
QR = {
    "factors": Eq(X, Q * upper),
    "orthonormal": Eq(Q.T * Q, identity(d)),
    "triangle": invertible(upper),
}
TRIANGLE = {
    **{n: 2, d: 1, X: [[3], [4]], Q: [[Rational(3, 5)], [Rational(4, 5)]], upper: [[5]]},
    **{y: [[1], [1]], theta: [[1]]},
}
TRIANGLE[rest] = [
    [Rational(16, 25), Rational(-12, 25)],
    [Rational(-12, 25), Rational(9, 25)],
]


@proves("thm-qr-solution")
def qr_solution() -> Theorem:
    r"""Derive the squares of any weights from an orthonormal and a triangular factor."""
    return (
        Derivation(
            "least squares by orthonormal columns",
            given={"factors": QR["factors"], "orthonormal": QR["orthonormal"]},
            witness=TRIANGLE,
        )
        .start(_square(y - X * theta))
        .equals(_square(y - Q * upper * theta), because="the factors")
        .equals(
            _square(y - Q * (Q.T * y))
            + 2 * trace((Q.T * y - upper * theta).T * (Q.T * y - Q.T * Q * (Q.T * y)))
            + trace((Q.T * y - upper * theta).T * (Q.T * Q) * (Q.T * y - upper * theta)),
            because="split off the projection on the columns of $Q$",
        )
        .equals(
            _square(y - Q * (Q.T * y)) + _square(Q.T * y - upper * theta),
            because="orthonormal columns",
        )
        .qed()
    )


@proves("lem-qr-solves")
def qr_solves() -> Theorem:
    r"""Derive that the triangular system solves the normal equations."""
    return (
        Derivation(
            "the triangular system",
            given={
                "factors": QR["factors"],
                "orthonormal": QR["orthonormal"],
                "system": Eq(upper * fit, Q.T * y),
            },
            witness={**TRIANGLE, fit: [[Rational(7, 25)]]},
        )
        .start(X.T * X * fit)
        .equals((Q * upper).T * (Q * upper) * fit, because="the factors")
        .equals(upper.T * (Q.T * Q) * (upper * fit), because="transpose")
        .equals(upper.T * (Q.T * y), because="orthonormal columns, and the system")
        .equals((Q * upper).T * y, because="transpose back")
        .equals(X.T * y, because="the factors again")
        .qed()
    )


@proves("thm-product-of-reflections")
def product_of_reflections() -> Theorem:
    r"""Derive in which order the reflections multiply to the orthogonal factor."""
    step, product, left = (
        matrix_family("Q", n, n),
        matrix_family("P", n, n),
        matrix_family("R", n, d),
    )
    same = Eq(step[j] * step[j].T, I)
    F, before, after = matrices("F B B'", n, n)
    rest, last = matrices("W W'", n, d)
    one = (
        Derivation(
            "one reflection more",
            given=[Eq(F * F.T, I), Eq(after, before * F), Eq(last, F.T * rest)],
            witness={
                **{n: 1, d: 1, F: [[-1]], before: [[1]], after: [[-1]]},
                **{rest: [[2]], last: [[-2]]},
            },
        )
        .start(after * last)
        .equals(before * F * (F.T * rest), because="what was multiplied")
        .equals(before * rest, because="the two cancel")
        .qed()
    )
    names = {
        **{F: step[k + 1], before: product[k], after: product[k + 1]},
        **{rest: left[k], last: left[k + 1]},
    }
    return prove(
        "the order of the reflections",
        Eq(product[k] * left[k], X),
        because="each reflection and its transpose cancel",
        given={
            "orthogonal": for_each(j, 1, k, same),
            "first": And(Eq(product[0], I), Eq(left[0], X)),
            "product": for_each(j, 1, k, Eq(product[j], product[j - 1] * step[j])),
            "reflected": for_each(j, 1, k, Eq(left[j], step[j].T * left[j - 1])),
        },
        witness={
            **{n: 1, d: 1, k: 1, X: [[2]]},
            **{step: {1: [[-1]]}, product: {0: [[1]], 1: [[-1]]}, left: {0: [[2]], 1: [[-2]]}},
        },
        by=induction(None, k, step=apply(one, names)),
    )


tangent = reals("t")
other_column = matrices("v", n, 1)


@proves("lem-jacobi-turn")
def jacobi_turn() -> Theorem:
    r"""Derive at which angle two columns that are turned in their plane become orthogonal."""
    one, two = mirror, other_column
    return (
        Derivation(
            "two columns are turned",
            given={
                "angle": Eq(
                    tangent**2 * trace(one.T * two) + tangent * (_square(two) - _square(one)),
                    trace(one.T * two),
                )
            },
            witness={n: 2, one: [[1], [0]], two: [[1], [1]], tangent: (sqrt(5) - 1) / 2},
        )
        .start(trace((one - tangent * two).T * (tangent * one + two)))
        .equals(
            trace(one.T * two)
            - tangent**2 * trace(one.T * two)
            - tangent * (_square(two) - _square(one)),
            because="multiply out",
        )
        .equals(0, because="the angle was chosen so")
        .qed()
    )


s = reals("s")


@proves("thm-condition-squared")
def squared_singular_values() -> Theorem:
    r"""Derive that the singular values of $X^\top X$ are the squares of those of $X$."""
    return (
        Derivation(
            "squared singular values",
            given={"singular": Eq(X.T * X * u, s**2 * u)},
            witness={n: 1, d: 1, X: [[2]], u: [[1]], s: 2},
        )
        .start((X.T * X).T * (X.T * X) * u)
        .equals(X.T * X * (s**2 * u), because="symmetric; a singular vector of $X$")
        .equals(s**2 * (X.T * X * u), because="the number to the front")
        .equals((s**2) ** 2 * u, because="a singular vector of $X$")
        .qed()
    )


longest, least = reals("b a", positive=True)


@proves("thm-perturbation")
def perturbation() -> Theorem:
    r"""Derive how much an error of the targets can grow, relative to the sizes."""
    moved, change = matrices("u", d, 1), matrices("w", n, 1)
    return (
        Derivation(
            "an error of the targets",
            given={
                "solved": Eq(X * fit, y),
                "moved": Eq(X * moved, change),
                "longest": Le(_square(X * fit), longest**2 * _square(fit)),
                "shortest": Ge(_square(X * moved), least**2 * _square(moved)),
            },
            witness={
                **{n: 1, d: 1, X: [[2]], fit: [[1]], y: [[2]], moved: [[1]], change: [[2]]},
                **{longest: 2, least: 2},
            },
        )
        .start(least**2 * _square(moved) * _square(y))
        .at_most(_square(X * moved) * _square(y), because="$X$ does not shrink more than that")
        .equals(_square(change) * _square(X * fit), because="what $X$ makes of them")
        .at_most(
            _square(change) * (longest**2 * _square(fit)),
            because="and it does not stretch more than that",
        )
        .qed()
    )


# Golub and Kahan: after k steps there are k orthonormal columns V, and r of them in U, which is one
# more unless the last remainder of the targets was zero, with X V = U B.
steps, reached = dimensions("k r")
left_basis, right_basis = matrices("U", n, reached), matrices("V", d, steps)
bidiagonal, weights, start_entries = (
    matrices("B", reached, steps),
    matrices("w", steps, 1),
    matrices("c", reached, 1),
)
last = matrices("e", reached, 1)
FORWARD = {
    "forward": Eq(X * right_basis, left_basis * bidiagonal),
    "start": Eq(y, left_basis * start_entries),
}
BACKWARD = {"backward": Eq(X.T * left_basis, right_basis * bidiagonal.T)}
ORTHONORMAL = {"orthonormal": Eq(left_basis.T * left_basis, identity(reached))}
# Three points and one column: the targets do not lie in its span, so that U has a column more.
ENDED = {
    **{n: 3, d: 1, steps: 1, reached: 2, X: [[2], [0], [0]]},
    **{left_basis: [[Rational(3, 5), Rational(4, 5)], [Rational(4, 5), Rational(-3, 5)], [0, 0]]},
    **{right_basis: [[1]], bidiagonal: [[Rational(6, 5)], [Rational(8, 5)]]},
    **{y: [[3], [4], [0]], start_entries: [[5], [0]], weights: [[Rational(3, 2)]]},
}


@proves("lem-golub-kahan-orthogonal")
def remainder_is_orthogonal() -> Theorem:
    r"""Derive that what is left of a product is orthogonal to all columns found before."""
    left_over = X.T * (left_basis * last) - right_basis * (bidiagonal.T * last)
    return (
        Derivation(
            "the remainder is orthogonal to all columns",
            given={
                "forward": FORWARD["forward"],
                "orthonormal": Eq(right_basis.T * right_basis, identity(steps)),
                **{f"{name} before": fact for name, fact in ORTHONORMAL.items()},
            },
            witness={**ENDED, last: [[0], [1]]},
        )
        .start(right_basis.T * left_over)
        .equals(
            (X * right_basis).T * left_basis * last
            - right_basis.T * right_basis * (bidiagonal.T * last),
            because="multiply out",
        )
        .equals(
            bidiagonal.T * (left_basis.T * left_basis) * last - bidiagonal.T * last,
            because="$XV=UB$, and orthonormal columns",
        )
        .equals(zeros(steps, 1), because="orthonormal columns again")
        .qed()
    )


@proves("lem-lsqr-small-problem")
def lsqr_small_problem() -> Theorem:
    r"""Derive that weights in the span of V leave the squares of a small bidiagonal problem."""
    return (
        Derivation("the small problem", given={**FORWARD, **ORTHONORMAL}, witness=ENDED)
        .start(_square(y - X * (right_basis * weights)))
        .equals(
            _square(left_basis * start_entries - left_basis * bidiagonal * weights),
            because="both lie in the span of $U$",
        )
        .equals(
            trace(
                (start_entries - bidiagonal * weights).T
                * (left_basis.T * left_basis)
                * (start_entries - bidiagonal * weights)
            ),
            because="multiply in another order",
        )
        .equals(_square(start_entries - bidiagonal * weights), because="orthonormal columns")
        .qed()
    )


@proves("thm-lsqr-ends")
def lsqr_ends() -> Theorem:
    r"""Derive that the small problem solves the large one when the bidiagonalisation ends."""
    return (
        Derivation(
            "the end of the bidiagonalisation",
            given={
                **FORWARD,
                **BACKWARD,
                "small": Eq(bidiagonal.T * bidiagonal * weights, bidiagonal.T * start_entries),
            },
            witness=ENDED,
        )
        .start(X.T * X * (right_basis * weights))
        .equals(X.T * (left_basis * bidiagonal) * weights, because="$XV=UB$")
        .equals(right_basis * bidiagonal.T * bidiagonal * weights, because=r"$X^\top U=VB^\top$")
        .equals(right_basis * bidiagonal.T * start_entries, because="the small problem")
        .equals(X.T * (left_basis * start_entries), because=r"$X^\top U=VB^\top$")
        .equals(X.T * y, because="the targets lie in the span of $U$")
        .qed()
    )


@proves("lem-orthonormal-columns-count")
def orthonormal_columns_are_few() -> Theorem:
    r"""Derive that there are at most $d$ orthonormal columns with $d$ entries."""
    P = right_basis * right_basis.T
    return (
        Derivation(
            "no more orthonormal columns than entries",
            given={"orthonormal": Eq(right_basis.T * right_basis, identity(steps))},
            witness={d: 1, steps: 1, right_basis: [[1]]},
        )
        .start(steps)
        .equals(trace(right_basis.T * right_basis), because="orthonormal columns")
        .equals(
            d - trace((identity(d) - P).T * (identity(d) - P)),
            because=r"$I-VV^\top$ is a projection, and the trace is cyclic",
        )
        .at_most(d, because="a sum of squares is not negative")
        .qed()
    )


e_j = unit_column(d, j)


@proves("lem-gauss-seidel-step")
def gauss_seidel_step() -> Theorem:
    r"""Derive by how much one step of Gauss and Seidel lowers the squares."""
    column = X * e_j
    pull = trace(column.T * (y - X * theta))
    return (
        Derivation(
            "a step of Gauss and Seidel",
            given={"column": Gt(_square(column), 0)},
            witness={**LINE, theta: [[0], [0]], j: 1},
        )
        .start(_square(y - X * (theta + pull / _square(column) * e_j)))
        .equals(
            _square(y - X * theta)
            - 2 * pull / _square(column) * pull
            + (pull / _square(column)) ** 2 * _square(column),
            because="expand the square",
        )
        .equals(_square(y - X * theta) - pull**2 / _square(column), because="collect")
        .qed()
    )


# ---------------------------------------------------------------------- tomography

absorbed, path = real_family("mu"), real_family("h")
incoming = reals("I_0", positive=True)


@proves("lem-beer-lambert")
def beer_lambert() -> Theorem:
    r"""Derive that the logarithm of what is left of a ray is linear in the absorption."""
    total = Sum(absorbed[j] * path[j], (j, 1, d))
    return (
        Derivation("what is left of a ray")
        .start(-log(incoming * exp(-total) / incoming))
        .equals(-log(exp(-total)), because="cancel")
        .equals(total, because="the logarithm undoes the exponential")
        .qed()
    )


side = integers("K", positive=True)
row_a, row_b, col_a, col_b = integers("k k' l l'")


@proves("lem-pixel-numbers")
def pixel_numbers() -> Theorem:
    r"""Derive that a later row has larger pixel numbers."""
    return (
        Derivation(
            "numbers of pixels",
            given={
                "first": And(Ge(row_a, 0), Le(row_a, side - 1)),
                "second": Ge(row_b, 0),
                "later": Ge(col_b, col_a + 1),
            },
            witness={side: 2, row_a: 1, row_b: 0, col_a: 0, col_b: 1},
        )
        .start(row_b + side * col_b + 1)
        .at_least(side * (col_a + 1) + 1, because="a later row")
        .at_least(row_a + side * col_a + 2, because="there are $K$ places in a row")
        .greater_than(row_a + side * col_a + 1, because="one less")
        .qed()
    )


@proves("lem-triangle-weights")
def triangle_weights() -> Theorem:
    r"""Derive that the triangle weights of the two nearest pixels add up to one."""
    return (
        Derivation(
            "triangle weights",
            given={"between": And(Ge(s, 0), Le(s, 1))},
            witness={s: Rational(1, 4)},
        )
        .start(Max(0, 1 - Abs(s)) + Max(0, 1 - Abs(1 - s)))
        .equals((1 - s) + s, because="both distances are at most one")
        .equals(1, because="add")
        .qed()
    )
