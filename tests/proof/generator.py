"""Random terms of the vocabulary, for fuzzing."""

from __future__ import annotations

import random
from typing import Any

import sympy as sp

from mlnotes.proof import (
    Abs,
    Ge,
    KroneckerDelta,
    Le,
    Lt,
    Max,
    Min,
    Product,
    Rational,
    Sum,
    dot,
    exp,
    expectation,
    identity,
    indicator,
    indices,
    integers,
    inverse,
    log,
    matrices,
    random_family,
    random_variables,
    real_family,
    reals,
    sqrt,
    trace,
    vector_family,
    vectors,
)

n, m = integers("n m", positive=True)
INDICES = indices("i j k l")
c, d = reals("c d")
p, q = reals("p q", positive=True)
a, b, x = real_family("a b x")
r = real_family("r", positive=True)
u, w = vectors("u w")
v = vector_family("v")
A, B = matrices("A B", n, n)
G = matrices("G", n, n, symmetric=True)
X, Z = matrices("X Z", n, m)
S, T = random_variables("S T")
F = random_family("F")


class Generator:
    """Draw terms from a seeded source; ``kinds`` says which constructions may occur."""

    def __init__(self, seed: int, kinds: frozenset[str]) -> None:
        self.rng = random.Random(seed)
        self.kinds = kinds

    def number(self) -> Any:
        return Rational(self.rng.randint(-3, 3) or 1, self.rng.randint(1, 3))

    def leaf(self, scope: list[Any]) -> Any:
        options = [c, d, p, self.number()]
        if "random" in self.kinds:
            options += [S, T, S]
        if scope:
            i, j = self.rng.choice(scope), self.rng.choice(scope)
            options += [
                a[i],
                b[i],
                r[i],
                x[i, j],
                dot(v[i], w),
                dot(v[i], v[j]),
                KroneckerDelta(i, j),
            ]
            options += [a[j], a[i + 1], b[j]]
            if "family" in self.kinds:
                options += [F[i], F[j], F[i], F[j], F[1]]
        return self.rng.choice(options)

    def limits(self, scope: list[Any]) -> tuple[Any, Any, Any]:
        index = self.rng.choice(INDICES)
        if scope and self.rng.random() < 0.12 and (others := [s for s in scope if s != index]):
            return (index, 1, self.rng.choice(others))
        pick = self.rng.random()
        if pick < 0.06:
            return (index, 0, n)
        if pick < 0.12:
            return (index, 1, m)
        if pick < 0.24:
            traps = [(2, n), (3, n), (1, n - 1), (1, n - 2), (m, n), (0, 1), (2, 1)]
            return (index, *self.rng.choice(traps))
        return (index, 1, n)

    def scalar(self, depth: int, scope: list[Any]) -> Any:
        pick = self.rng.random()
        if depth <= 0 or pick < 0.12:
            return self.leaf(scope)
        if pick < 0.32:
            return self.scalar(depth - 1, scope) + self.scalar(depth - 1, scope)
        if pick < 0.5:
            return self.scalar(depth - 1, scope) * self.scalar(depth - 1, scope)
        if pick < 0.56:
            return self.scalar(depth - 1, scope) ** 2
        if pick < 0.6:
            return self.scalar(depth - 1, scope) / p
        if pick < 0.66:
            return dot(self.vector(depth - 1, scope), self.vector(depth - 1, scope))
        if pick < 0.8:
            limits = self.limits(scope)
            return Sum(self.scalar(depth - 1, [*scope, limits[0]]), limits)
        special = self.special(depth, scope)
        return self.scalar(depth - 1, scope) * special if self.rng.random() < 0.4 else special

    def special(self, depth: int, scope: list[Any]) -> Any:
        options = [lambda: self.scalar(depth - 1, scope) - self.scalar(depth - 1, scope)]
        small = min(depth - 1, 1)
        if "elementary" in self.kinds:
            options += [
                lambda: exp(self.scalar(small, scope)),
                lambda: log(q * self.positive(small, scope)),
                lambda: sqrt(self.positive(small, scope)),
                lambda: self.positive(small, scope) ** Rational(self.rng.choice([-1, -2, -3]), 2),
                lambda: 1 / self.positive(small, scope),
                self._product(small, scope),
                lambda: exp(log(self.positive(small, scope)) * self.rng.choice([-1, 1, 2])),
                lambda: log((q + self.scalar(small, scope) ** 2) ** 2),
                lambda: (self.scalar(small, scope) ** 2) ** Rational(3, 2),
                lambda: self.positive(small, scope) ** self.leaf(scope),
                lambda: self.leaf(scope) ** n,
                lambda: (self.leaf(scope) * self.leaf(scope)) ** (n + 1),
                lambda: sqrt(self.positive(small, scope) * self.scalar(small, scope) ** 2),
                lambda: sqrt(dot(self.vector(small, scope), w) ** 2),
                lambda: log(sqrt(self.positive(small, scope)) * self.positive(small, scope)),
            ]
        if "edges" in self.kinds:
            options += [
                lambda: Abs(self.scalar(small, scope)),
                lambda: Max(self.scalar(small, scope), self.scalar(small, scope)),
                lambda: Min(self.scalar(small, scope), 0),
                lambda: indicator(Le(self.scalar(small, scope), self.scalar(small, scope))),
                lambda: indicator(Lt(self.leaf(scope), 0)) * indicator(Ge(self.leaf(scope), 0)),
                lambda: Abs(self.leaf(scope)) ** self.rng.choice([1, 2, 3]),
                lambda: sqrt(self.leaf(scope) ** 2),
            ]
        if "matrices" in self.kinds:
            options += [lambda: trace(self.matrix(n, n, depth))] * 4
        if "random" in self.kinds:
            options += [lambda: expectation(self.scalar(depth - 1, scope))] * 3
        return self.rng.choice(options)()

    def _product(self, depth: int, scope: list[Any]) -> Any:
        def build() -> Any:
            limits = self.limits(scope)
            return Product(self.scalar(depth, [*scope, limits[0]]), limits)

        return build

    def positive(self, depth: int, scope: list[Any]) -> Any:
        pick = self.rng.random()
        if depth <= 0 or pick < 0.3:
            return self.rng.choice([p, q, *([r[s] for s in scope])])
        if pick < 0.5:
            return self.positive(depth - 1, scope) + self.positive(depth - 1, scope)
        if pick < 0.65:
            return self.positive(depth - 1, scope) * self.positive(depth - 1, scope)
        if pick < 0.8:
            return q + self.scalar(depth - 1, scope) ** 2
        if pick < 0.9:
            index = self.rng.choice(INDICES)
            return Sum(self.positive(depth - 1, [*scope, index]), (index, 1, n))
        return self.positive(depth - 1, scope) / self.positive(depth - 1, scope)

    def vector(self, depth: int, scope: list[Any]) -> Any:
        pick = self.rng.random()
        if depth <= 0 or pick < 0.35:
            return (
                v[self.rng.choice(scope)]
                if scope and self.rng.random() < 0.6
                else self.rng.choice([u, w])
            )
        if pick < 0.6:
            return self.leaf(scope) * self.vector(depth - 1, scope)
        if pick < 0.8:
            return self.vector(depth - 1, scope) + self.vector(depth - 1, scope)
        limits = self.limits(scope)
        return Sum(self.vector(depth - 1, [*scope, limits[0]]), limits)

    def matrix(self, rows: Any, columns: Any, depth: int) -> Any:
        pick = self.rng.random()
        if depth <= 0 or pick < 0.25:
            if rows == columns == n:
                return self.rng.choice([A, B, G, A.T, identity(n), X * X.T, X * Z.T])
            if rows == columns == m:
                return self.rng.choice([X.T * X, X.T * Z, X.T * A * X, identity(m)])
            return self.rng.choice([X, Z]) if rows == n else self.rng.choice([X.T, Z.T])
        if pick < 0.45:
            return self.matrix(rows, columns, depth - 1) + self.number() * self.matrix(
                rows, columns, depth - 1
            )
        if pick < 0.8:
            middle = self.rng.choice([n, m])
            return self.matrix(rows, middle, depth - 1) * self.matrix(middle, columns, depth - 1)
        if pick < 0.9 or rows != columns:
            return self.matrix(columns, rows, depth - 1).T
        gram = X * X.T if rows == n else X.T * X
        return inverse(gram + p * identity(rows))


def mutate(term: Any, rng: random.Random) -> Any:
    """Change one place of a term: a sign, a number, a symbol or an index."""
    spots = [
        s
        for s in sp.preorder_traversal(term)
        if isinstance(s, sp.Expr) and not isinstance(s, sp.MatrixExpr)
    ]
    spots = [s for s in spots if s.is_Rational or s in (c, d, p) or isinstance(s, sp.Indexed)]
    if not spots:
        return term + 1
    spot = rng.choice(sorted(set(spots), key=str))
    if spot.is_Rational:
        new = spot + 1
    elif isinstance(spot, sp.Indexed):
        new = spot.base[tuple(reversed(spot.indices))] if len(spot.indices) > 1 else 2 * spot
    else:
        new = -spot if spot is not p else 2 * p
    return term.xreplace({spot: new})
