"""Random terms of the kernel's language, and shapes in which an unsound normal form would show."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

SORTS = ("R", "R", "R", "R", "P", "P", "V", "M:n:m", "M:n:n", "Z")
FAMILIES = {
    "R": (
        *(("a", "Z"), ("c", "Z", "Z"), ("X", "W"), ("Y", "Z", "W"), ("g", "R")),
        *(("h", "U"), ("l", "Z", "U"), ("d", "U", "U")),
    ),
    "Z": (("at", "Z"),),
    "V": (("xs", "Z"), ("ys", "Z", "Z")),
    "P": (("Q", "Z"), ("U", "R"), ("S", "W")),
}
PLAIN = {"R": "xyz", "Z": "ijk", "V": "uv", "W": "w", "U": "o", "P": "pq"}


class Terms:
    """A source of random terms, made by the ``make`` of one kernel."""

    def __init__(self, make: Callable[..., Any], rng: random.Random) -> None:
        self.kernel_make = make
        self.rng = rng

    def make(self, op: str, *parts: Any) -> Any:
        """Return a term from its data and arguments in one row."""
        args = [p for p in parts if hasattr(p, "op")]
        return self.kernel_make(op, parts[: len(parts) - len(args)], args)

    def q(self, n: int, d: int = 1) -> Any:
        return self.make("q", n, d)

    def v(self, name: str, sort: str, *args: Any) -> Any:
        return self.make("v", name, sort, *args)

    def b(self, k: int, sort: str = "Z") -> Any:
        return self.make("b", k, sort)

    def term(self, sort: str, ctx: tuple[str, ...] = (), depth: int = 4) -> Any:
        """Return a random term with loose indices of the sorts ctx, the nearest last."""
        bound = [k for k in range(len(ctx)) if ctx[-1 - k] == sort]
        if bound and self.rng.random() < 0.3:
            return self.b(self.rng.choice(bound), sort)
        if depth > 0 and self.rng.random() < 0.88:
            if depth > 1 and sort not in "WU" and self.rng.random() < 0.12:
                return self.paired(sort, ctx, depth)
            branch = {"R": self.real, "Z": self.integer, "V": self.vector, "P": self.proposition}
            if sort in branch:
                return branch[sort](ctx, depth - 1)
            if sort[0] == "M":
                return self.matrix(sort, ctx, depth - 1)
        return self.leaf(sort)

    def leaf(self, sort: str) -> Any:
        r = self.rng
        if sort in PLAIN and (sort in "WU" or r.random() < 0.7):
            return self.v(r.choice(PLAIN[sort]), sort)
        if sort == "R":
            return self.q(r.randint(-2, 2), r.choice((1, 1, 2)))
        if sort == "Z":
            return self.make("z", r.randint(-2, 3))
        if sort == "P":
            return self.make("F")
        if sort == "V" or r.random() < 0.1:
            return self.make("zero", sort)
        _, rows, columns = sort.split(":")
        if rows == columns and r.random() < 0.25:
            return self.make("I", rows)
        return self.v(r.choice("ABC"), sort)

    def family(self, sort: str, ctx: tuple[str, ...], depth: int) -> Any:
        name, *sorts = self.rng.choice(FAMILIES[sort])
        return self.v(name, sort, *(self.term(s, ctx, min(depth, 1)) for s in sorts))

    def limits(self, ctx: tuple[str, ...], depth: int) -> tuple[Any, Any]:
        low = self.make("z", self.rng.choice((1, 1, 1, 0, 2)))
        if self.rng.random() < 0.2:
            low = self.term("Z", ctx, min(depth, 1))
        if self.rng.random() < 0.25:
            return low, self.make("z", self.rng.randint(-1, 3))
        return low, self.term("Z", ctx, min(depth, 1))

    def real(self, ctx: tuple[str, ...], depth: int) -> Any:
        r, make = self.rng, self.make

        def sub(sort: str = "R", *more: str) -> Any:
            return self.term(sort, (*ctx, *more), depth)

        kind = r.randrange(25)
        if kind < 3:
            return make("+", sub(), sub())
        if kind < 6:
            return make("*", sub(), sub())
        if kind == 6:
            return make("pow", r.randint(0, 3), sub())
        if kind == 7:
            return make("inv", sub())
        if kind == 8:
            return make("of", sub("Z"))
        if kind == 9:
            return make("exp", sub())
        if kind == 10:
            return make(r.choice(("log", "sqrt", "abs")), sub())
        if kind == 11:
            return make(r.choice(("max", "min")), sub(), sub())
        if kind == 12:
            return make("ind", sub("P"))
        if kind in (13, 14):
            return make("dot", sub("V"), sub("V"))
        if kind in (15, 16):
            return make("sum", *self.limits(ctx, depth), sub("R", "Z"))
        if kind == 17:
            return make("prod", *self.limits(ctx, depth), sub("R", "Z"))
        if kind == 18:
            return make("E", sub("R", "W"))
        if kind == 19:
            n = r.choice("nm")
            return make(r.choice(("tr", "tr", "det")), sub(f"M:{n}:{n}"))
        if kind == 20:
            return self.shape(ctx)
        if kind == 21:
            return make("int", sub("R", "U"))
        return self.family("R", ctx, depth)

    def integer(self, ctx: tuple[str, ...], depth: int) -> Any:
        r, make = self.rng, self.make
        kind = r.randrange(6)
        if kind < 3:
            return make("+", self.term("Z", ctx, depth), make("z", r.randint(-1, 1)))
        if kind == 3:
            return make("*", make("z", r.randint(-2, 2)), self.term("Z", ctx, depth))
        if kind == 4:
            return make("dim", r.choice("nm12"))
        return self.family("Z", ctx, depth)

    def vector(self, ctx: tuple[str, ...], depth: int) -> Any:
        make, kind = self.make, self.rng.randrange(7)
        if kind == 0:
            return make("+", self.term("V", ctx, depth), self.term("V", ctx, depth))
        if kind == 1:
            return make("sc", self.term("R", ctx, depth), self.term("V", ctx, depth))
        if kind in (2, 3):
            return make("sum", *self.limits(ctx, depth), self.term("V", (*ctx, "Z"), depth))
        if kind == 4:
            return make("E", self.term("V", (*ctx, "W"), depth))
        return self.family("V", ctx, depth)

    def matrix(self, sort: str, ctx: tuple[str, ...], depth: int) -> Any:
        r, make = self.rng, self.make
        _, rows, columns = sort.split(":")
        kind = r.randrange(9)
        if kind == 0:
            return make("+", self.term(sort, ctx, depth), self.term(sort, ctx, depth))
        if kind == 1:
            return make("sc", self.term("R", ctx, depth), self.term(sort, ctx, depth))
        if kind == 7:
            return make("sum", *self.limits(ctx, depth), self.term(sort, (*ctx, "Z"), depth))
        if kind == 8:
            column = make("unit", rows, self.term("Z", ctx, min(depth, 1)))
            return make("mm", column, make("T", make("unit", columns, make("z", 1))))
        if kind == 4:
            return make("E", self.term(sort, (*ctx, "W"), depth))
        if kind == 2:
            return make("T", self.term(f"M:{columns}:{rows}", ctx, depth))
        if kind == 3 and rows == columns:
            return make("minv", self.term(sort, ctx, depth))
        inner = r.choice("nm")
        left = self.term(f"M:{rows}:{inner}", ctx, depth)
        return make("mm", left, self.term(f"M:{inner}:{columns}", ctx, depth))

    def proposition(self, ctx: tuple[str, ...], depth: int) -> Any:
        r, make = self.rng, self.make

        def sub(sort: str, *more: str) -> Any:
            return self.term(sort, (*ctx, *more), depth)

        kind = r.randrange(11)
        if kind < 4:
            sort = r.choice("RRRZ")
            return make(r.choice(("<=", "<", "=")), sub(sort), sub(sort))
        if kind == 4:
            sort = r.choice(("V", "M:n:m", "M:n:n"))
            return make("=", sub(sort), sub(sort))
        if kind == 5:
            return make(r.choice(("&", "|", "->")), sub("P"), sub("P"))
        if kind == 6:
            lower = make("<=", self.make("z", 1), self.b(0))
            upper = make("<=", self.b(0), self.leaf("Z"))
            return make("all", "Z", make("->", lower, make("->", upper, sub("P", "Z"))))
        if kind == 7:
            sort = r.choice("WUPRV")
            return make("all", sort, sub("P", sort))
        if kind == 8:
            return make("deriv", sub("R", "R"), sub("R"), sub("R"))
        if kind == 9:
            return make("integrable", sub("R", "U"))
        return self.family("P", ctx, depth)

    def paired(self, sort: str, ctx: tuple[str, ...], depth: int) -> Any:
        """Return a term of which two parts are equal, though they do not look it."""
        make = self.make
        if sort == "Z":
            t = self.term("Z", ctx, depth - 1)
            return make("+", t, make("*", make("z", -1), self.twin(t)))
        if sort == "P":
            inner = self.rng.choice(("R", "V", "M:n:n"))
            t = self.term(inner, ctx, depth - 2)
            return make("=", t, self.twin(t))
        t = self.term(sort, ctx, depth - 2)
        other = self.twin(t)
        if sort == "R":
            op = self.rng.choice(("+", "*", "max", "inv"))
            return make("*", t, make("inv", other)) if op == "inv" else make(op, t, other)
        if sort != "V" and sort.split(":")[1] == sort.split(":")[2]:
            return make("+", make("minv", t), make("minv", other))
        return make("+", t, make("sc", self.q(self.rng.randint(-1, 2)), other))

    def twin(self, t: Any) -> Any:
        """Return a term of the same value, changed in one place at random."""
        make = self.make
        if t.args and self.rng.random() < 0.7:
            k = self.rng.randrange(len(t.args))
            args = [self.twin(a) if i == k else a for i, a in enumerate(t.args)]
            return self.kernel_make(t.op, t.data, args)
        if t.sort == "R":
            x = self.v("x", "R")
            return self.rng.choice(
                (
                    lambda: make("inv", make("inv", t)),
                    lambda: make("+", t, self.q(0)),
                    lambda: make("*", self.q(1), t),
                    lambda: make("+", x, t, make("*", self.q(-1), x)),
                    lambda: make("pow", 1, t),
                )
            )()
        if t.sort == "V":
            return make("+", make("zero", "V"), t)
        if t.sort[0] == "M":
            return self.rng.choice(
                (
                    lambda: make("T", make("T", t)),
                    lambda: make("mm", make("I", t.sort.split(":")[1]), t),
                    lambda: make("sc", self.q(1), t),
                )
            )()
        return t

    def shape(self, ctx: tuple[str, ...] = ()) -> Any:
        """Return a real of one of the shapes in which a mistake of the normal form would show."""
        return self.rng.choice(SHAPES)(self, ctx)


def _small(s: Terms, ctx: tuple[str, ...], *more: str) -> Any:
    return s.term("R", (*ctx, *more), 1)


def _cancel(s: Terms, ctx: tuple[str, ...]) -> Any:
    x = _small(s, ctx)
    up, down = s.rng.randint(0, 3), s.rng.randint(0, 3)
    return s.make("*", s.make("pow", up, x), s.make("pow", down, s.make("inv", x)))


def _scaled_reciprocal(s: Terms, ctx: tuple[str, ...]) -> Any:
    c = s.q(s.rng.choice((2, 3, -2, -1)))
    total = s.make("+", s.make("*", c, _small(s, ctx)), _small(s, ctx))
    out = s.make("inv", total)
    return s.make("inv", s.make("*", c, out)) if s.rng.random() < 0.4 else out


def _exponential(s: Terms, ctx: tuple[str, ...]) -> Any:
    """Return exponentials whose exponent has a part that leaves the binder, and one that stays."""
    kind = s.rng.randrange(4)
    index, family = (s.b(0, "W"), "X") if kind == 0 else (s.b(0), "a")
    inside = s.v(family, "R", index)
    outside = s.term("R", (), 1)
    exponent = s.make("+", inside, outside, *([s.make("of", index)] if kind else []))
    body = s.make("*", s.make("pow", s.rng.randint(1, 2), s.make("exp", exponent)), inside)
    if kind == 0:
        return s.make("E", body)
    op = "prod" if kind == 1 else "sum"
    return s.make(op, *s.limits((), 1), s.make("exp", exponent) if kind == 1 else body)


def _nested_sum(s: Terms, ctx: tuple[str, ...]) -> Any:
    """Return two or three nested sums, whose limits sometimes depend on each other's index."""
    depth = s.rng.randint(2, 3)
    inner = tuple("Z" for _ in range(depth))
    pick = [s.b(s.rng.randrange(depth)) for _ in range(2)]
    body = s.make("*", s.v("c", "R", *pick), s.term("R", (*ctx, *inner), 1))
    for k in range(depth - 1, -1, -1):
        low, high = s.limits((*ctx, *inner[:k]), 1)
        if k and s.rng.random() < 0.4:
            high = s.b(s.rng.randrange(k))
        body = s.make("sum", low, high, body)
        if s.rng.random() < 0.3:
            body = s.make("pow", 2, body)
        if s.rng.random() < 0.3:
            body = s.make("*", _small(s, (*ctx, *inner[:k])), body)
    return body


def _limits_from_outside(s: Terms, ctx: tuple[str, ...]) -> Any:
    """Return Πᵣ Σₖ Σₗ cₖₗ with limits that contain r, which is further away from the inner sum."""
    one = s.make("z", 1)
    body = s.make("*", s.v("c", "R", s.b(1), s.b(0)), s.v("a", "R", s.b(s.rng.randrange(3))))
    inner = s.make("sum", one, s.b(1), body)
    return s.make("prod", one, s.v("i", "Z"), s.make("sum", one, s.b(0), inner))


def _reciprocal_in_sums(s: Terms, ctx: tuple[str, ...]) -> Any:
    """Return Σᵢ xᵢ ΣⱼΣₖ 1/(p + 2q + …): which factor comes out depends on the order of the sums."""
    picks = [(s.rng.randrange(3), s.rng.randrange(3)) for _ in range(3)]
    members = [s.v("c", "R", *map(s.b, pair)) for pair in picks]
    total = s.make("+", members[0], s.make("*", s.q(2), members[1]), members[2])
    ends = [s.v(s.rng.choice("ijk"), "Z") for _ in range(3)]
    body = s.make("inv", total)
    for k, end in enumerate(ends):
        body = s.make("sum", s.make("z", 1), end, body)
        if k == 1:
            body = s.make("*", s.v("a", "R", s.b(0)), body)
    return body


def _mean_of_sum(s: Terms, ctx: tuple[str, ...]) -> Any:
    """Return the mean of a power of a sum, or of a product with a sum."""
    body = s.make("*", s.v("Y", "R", s.b(0), s.b(1, "W")), s.term("R", (*ctx, "W", "Z"), 1))
    if s.rng.random() < 0.4:
        # Something bound inside what is exchanged, which has to stay as it is.
        inner = s.make("*", s.v("c", "R", s.b(1), s.b(0)), s.v("Y", "R", s.b(0), s.b(2, "W")))
        body = s.make("prod", s.make("z", 1), s.v("i", "Z"), inner)
    total = s.make("sum", *s.limits((*ctx, "W"), 1), body)
    power = s.make("pow", s.rng.randint(1, 2), total)
    return s.make("E", s.make("*", power, s.term("R", (*ctx, "W"), 1)))


def _integral_of_products(s: Terms, ctx: tuple[str, ...]) -> Any:
    """Return ∫∫ of a product, some of it without the inner or the outer point, or a sum of it."""
    inner = s.make("*", s.v("d", "R", s.b(1, "U"), s.b(0, "U")), _small(s, ctx, "U", "U"))
    if s.rng.random() < 0.4:
        inner = s.make("+", inner, s.v("h", "R", s.b(s.rng.randrange(2), "U")))
    total = s.make("*", s.make("int", inner), _small(s, ctx, "U"))
    if s.rng.random() < 0.3:
        return s.make("sum", *s.limits((), 1), s.make("int", s.v("l", "R", s.b(1), s.b(0, "U"))))
    return s.make("int", total)


def _square_of_mean(s: Terms, ctx: tuple[str, ...]) -> Any:
    x = s.v("X", "R", s.b(0, "W"))
    inside = s.make("*", x, s.term("R", (*ctx, "W"), 1))
    return s.make("+", s.make("E", s.make("pow", 2, inside)), s.make("pow", 2, s.make("E", inside)))


def _product_over_range(s: Terms, ctx: tuple[str, ...]) -> Any:
    c = s.q(s.rng.choice((2, 3, 0, -1)), s.rng.choice((1, 2)))
    a = s.v("a", "R", s.b(0))
    factors = s.rng.sample(
        [c, a, s.make("inv", a), s.make("exp", s.make("of", s.b(0))), s.term("R", (*ctx, "Z"), 1)],
        2,
    )
    if s.rng.random() < 0.2:
        return s.make("prod", *s.limits(ctx, 1), s.make("+", *factors))
    return s.make("prod", *s.limits(ctx, 1), s.make("*", *factors))


def _constant_sum(s: Terms, ctx: tuple[str, ...]) -> Any:
    # A closed term: one of the context would be bound here, whatever its sort.
    return s.make(s.rng.choice(("sum", "prod")), *s.limits(ctx, 1), s.term("R", (), 0))


def _dot_of_sums(s: Terms, ctx: tuple[str, ...]) -> Any:
    left = s.make(
        "sum", *s.limits(ctx, 1), s.make("sc", _small(s, ctx, "Z"), s.v("xs", "V", s.b(0)))
    )
    right = s.term("V", ctx, 2)
    return s.make("dot", *s.rng.sample([left, right], 2))


def _double_vector_sum(s: Terms, ctx: tuple[str, ...]) -> Any:
    """Return ⟨Σᵢ cᵢ Σⱼ dᵢⱼ vⱼ, u⟩ in which the vector, or a limit, may depend on i as well."""
    vector = s.rng.choice(
        (
            lambda: s.v("xs", "V", s.b(0)),
            lambda: s.v("xs", "V", s.b(1)),
            lambda: s.v("ys", "V", s.b(1), s.b(0)),
        )
    )()
    inner = s.make("sc", s.v("c", "R", s.b(1), s.b(0)), vector)
    low, high = s.limits((*ctx, "Z"), 1)
    total = s.make("sum", low, high, inner)
    outer = s.make("sc", s.make("*", s.v("a", "R", s.b(0)), _small(s, ctx, "Z")), total)
    return s.make("dot", s.make("sum", *s.limits(ctx, 1), outer), s.v("u", "V"))


def _trace_of_word(s: Terms, ctx: tuple[str, ...]) -> Any:
    def factor(rows: str, columns: str) -> Any:
        kind = s.rng.randrange(4)
        if kind == 0:
            return s.make("T", s.v(s.rng.choice("AB"), f"M:{columns}:{rows}"))
        if kind == 1 and rows == columns:
            return s.make("minv", s.v("A", f"M:{rows}:{rows}"))
        return s.v(s.rng.choice("AB"), f"M:{rows}:{columns}")

    sizes = [s.rng.choice("nnm") for _ in range(s.rng.randint(2, 4))]
    word = [factor(a, b) for a, b in zip(sizes, [*sizes[1:], sizes[0]], strict=True)]
    out = s.make("mm", *word)
    if s.rng.random() < 0.3:
        out = s.make("T", out)
    if s.rng.random() < 0.3:
        out = s.make("mm", out, s.make("+", s.make("I", sizes[0]), factor(sizes[0], sizes[0])))
    return s.make("tr", out)


def _transposed_twins(s: Terms, ctx: tuple[str, ...]) -> Any:
    x, y, a = s.v("x", "R"), s.v("y", "R"), s.v("A", "M:n:n")
    hidden = s.make("inv", s.make("inv", s.make("+", x, y)))
    minus = s.make("*", s.q(-1), s.make("+", x, y))
    one = s.make("+", s.q(1), hidden, minus)
    twins = [s.make("minv", s.make("sc", one, a)), s.make("minv", a)]
    return s.make("tr", s.make("T", s.make("+", *twins)))


def _indicator_power(s: Terms, ctx: tuple[str, ...]) -> Any:
    one = s.make("ind", s.term("P", ctx, 1))
    return s.make(
        "*", s.make("pow", s.rng.randint(0, 3), one), s.rng.choice((one, s.make("inv", one)))
    )


def _integer_as_real(s: Terms, ctx: tuple[str, ...]) -> Any:
    z = s.make("pow", s.rng.randint(0, 2), s.make("+", s.term("Z", ctx, 1), s.term("Z", ctx, 1)))
    return s.make("of", s.make("*", s.make("z", s.rng.randint(-2, 3)), z))


SHAPES: tuple[Callable[[Terms, tuple[str, ...]], Any], ...] = (
    _cancel,
    _scaled_reciprocal,
    _exponential,
    _nested_sum,
    _limits_from_outside,
    _reciprocal_in_sums,
    _mean_of_sum,
    _integral_of_products,
    _square_of_mean,
    _product_over_range,
    _constant_sum,
    _dot_of_sums,
    _double_vector_sum,
    _trace_of_word,
    _transposed_twins,
    _indicator_power,
    _integer_as_real,
)
