"""Real numbers that are never rounded: fractions, and what exp, log and √ make of them.

A number is an int or a Fraction wherever it is rational, and otherwise a :class:`Real`: a sum of
fractions times products of generators p^r (p prime, 0 < r < 1), log p, e^x, 1/x, √x and log x. Laws
such as e^x·e^y = e^(x+y), log 6 = log 2 + log 3 and e^(log q) = q are applied as numbers are made,
so equal sums show that numbers are equal. That numbers differ, and which is larger, is read off
enclosures between two dyadic fractions, rounded outwards, with as many bits as it takes. What
neither of the two decides stays undecided: nothing here is ever guessed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from typing import Any, Union

PRECISIONS = (64, 256, 1024)  # bits with which a sign is looked for
FACTORS = 2000  # trial divisors
LARGEST_EXPONENT = 2000  # of e, and of a prime
MOST_TERMS = 400


class Undecided(Exception):
    """A sign that neither the algebra nor the enclosures decide."""


Number = Union[int, Fraction, "Real"]
Generator = tuple[str, Any]
Monomial = tuple[tuple[Generator, Any], ...]
Terms = dict[Monomial, Fraction]
Enclosure = tuple[int, int]


class Real:
    """A number that is not known to be rational: a sum of fractions times products of generators.

    Generators are ``("prime", p)`` to a power between 0 and 1, ``("ln", p)``, ``("e", None)`` to
    the power of a number, ``("inv", x)``, ``("sqrt", x)`` and ``("log", x)``.
    """

    __slots__ = ("_hash", "_sign", "_text", "terms")

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._hash = hash(frozenset(terms.items()))
        self._text: str | None = None
        self._sign: int | str | None = "unknown"

    def __eq__(self, other: object) -> bool:
        """Say whether two numbers are written alike; only :func:`sign` knows about values."""
        return isinstance(other, Real) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        if self._text is None:
            self._text = " + ".join(sorted(f"{c}*{m}" for m, c in self.terms.items()))
        return self._text

    def __add__(self, other: Number) -> Number:
        terms = dict(self.terms)
        for m, c in _terms(other).items():
            terms[m] = terms.get(m, Fraction(0)) + c
        return _number(terms)

    __radd__ = __add__

    def __mul__(self, other: Number) -> Number:
        if not isinstance(other, Real):
            return _number({m: c * other for m, c in self.terms.items()})
        terms: Terms = {}
        rest: Number = 0
        if len(self.terms) * len(other.terms) > MOST_TERMS:
            raise Undecided("a product of long sums")
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                factor, joined, squares = _join(m, n)
                if squares:
                    part = _number({joined: c * d * factor})
                    for square in squares:
                        part = part * square
                    rest = part + rest
                else:
                    terms[joined] = terms.get(joined, Fraction(0)) + c * d * factor
        return _number(terms) + rest

    __rmul__ = __mul__

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Number) -> Number:
        return self + (-other)

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    def __pow__(self, power: int) -> Number:
        out: Number = 1
        for _ in range(power):
            out = out * self
        return out

    def __float__(self) -> float:
        low, high = enclose(self, PRECISIONS[0])
        return float(Fraction(low + high, 2 << PRECISIONS[0]))


def _terms(x: Number) -> Terms:
    """Return a number as Σ c·m over monomials m."""
    if isinstance(x, Real):
        return x.terms
    return {(): Fraction(x)} if x else {}


def _number(terms: Terms) -> Number:
    """Return a sum as a number, a rational one as an int or Fraction."""
    terms = {m: c for m, c in terms.items() if c}
    if not terms:
        return 0
    if len(terms) == 1 and () in terms:
        c = terms[()]
        return c.numerator if c.denominator == 1 else c
    return Real(terms)


def _join(m: Monomial, n: Monomial) -> tuple[Fraction, Monomial, list[Number]]:
    """Return the product of two monomials: a fraction, a monomial, and squares of roots."""
    powers: dict[Generator, Any] = dict(m)
    factor, squares = Fraction(1), []
    for g, k in n:
        power = powers[g] + k if g in powers else k
        if g[0] == "prime" and power >= 1:
            factor, power = factor * g[1], power - 1
        elif g[0] == "sqrt" and power == 2:
            squares.append(g[1])
            power = 0
        if _same(power, 0):
            del powers[g]
        else:
            powers[g] = power
    return factor, _sorted(powers), squares


def _same(x: Number, y: Number) -> bool:
    """Whether two numbers are equal rationals."""
    return not isinstance(x, Real) and x == y


def _sorted(powers: dict[Generator, Any]) -> Monomial:
    """Return Π gᵏ with its generators in a fixed order."""
    return tuple(sorted(powers.items(), key=repr)) if len(powers) > 1 else tuple(powers.items())


def _single(g: Generator, power: Any = 1) -> Number:
    """Return gᵏ as a number."""
    return Real({((g, power),): Fraction(1)})


# ---------------------------------------------------------------------- operations


def inverse(x: Number) -> Number:
    """Return 1/x, and 0 for x = 0."""
    if not isinstance(x, Real):
        if x == 0:
            return 0
        out = 1 / Fraction(x)
        return out.numerator if out.denominator == 1 else out
    if certain_sign(x) == 0:
        return 0
    if len(x.terms) > 1:
        return _single(("inv", x))
    ((m, c),) = x.terms.items()
    out_: Number = 1 / c
    for g, k in m:
        out_ = out_ * _inverse_of(g, k)
    return out_


def _inverse_of(g: Generator, k: Any) -> Number:
    """Return one over a power of a generator."""
    if g[0] == "prime":
        return _single(g, 1 - k) * Fraction(1, g[1])
    if g[0] == "inv":
        out: Number = 1
        for _ in range(k):
            out = out * g[1]
        return out
    if g[0] == "sqrt":
        return _single(g) * inverse(g[1])
    return _single(g, -k)


def exp(x: Number) -> Number:
    """Return e to the power x."""
    rest = dict(_terms(x))
    out: Number = 1
    for m, c in _terms(x).items():
        if len(m) == 1 and m[0][0][0] == "ln" and m[0][1] == 1:
            del rest[m]
            out = out * _power(m[0][0][1], c)
    power = _number(rest)
    if _same(power, 0):
        return out
    return _single(("e", None), power) * out


def _power(p: int, r: Fraction) -> Number:
    """Return p to the power r."""
    whole = math.floor(r)
    if abs(whole) > LARGEST_EXPONENT:
        raise Undecided("a power that is too large")
    out: Number = Fraction(p) ** whole
    return out if r == whole else _single(("prime", p), r - whole) * out


@lru_cache(maxsize=4096)
def _factors(n: int) -> tuple[tuple[int, int], ...]:
    """Return factors of n with their powers, prime as far as small divisors show."""
    out, p = [], 2
    while p * p <= n and p < FACTORS:
        k = 0
        while n % p == 0:
            n, k = n // p, k + 1
        if k:
            out.append((p, k))
        p += 1 + (p > 2)
    if n > 1:
        root = math.isqrt(n)
        out.append((root, 2) if root * root == n else (n, 1))
    return tuple(out)


def _prime_powers(q: Fraction) -> list[tuple[int, int]]:
    """Return the factors of q = Π pᵏ, those of the denominator with −k."""
    up, down = _factors(q.numerator), _factors(q.denominator)
    return [*up, *((p, -k) for p, k in down)]


def log(x: Number) -> Number:
    """Return the natural logarithm of x, and 0 for x ≤ 0."""
    if certain_sign(x) <= 0:
        return 0
    if not isinstance(x, Real):
        out: Number = 0
        for p, k in _prime_powers(Fraction(x)):
            out = out + _single(("ln", p)) * k
        return out
    common = _content(x)
    if common != 1:
        return log(common) + log(x * (1 / common))
    ((m, c), *more) = x.terms.items()
    # A coefficient of -1 belongs to a negative product, whose factors have no logarithms.
    if more or c < 0 or not all(_positive(g) for g, _ in m):
        return _single(("log", x))
    return _log_of_product(m)


def _content(x: Real) -> Fraction:
    """Return the fraction that makes the coefficients of a sum whole and without common factor."""
    numbers = list(x.terms.values())
    top = math.gcd(*(c.numerator for c in numbers))
    return Fraction(top, math.lcm(*(c.denominator for c in numbers)))


def _positive(g: Generator) -> bool:
    """Whether a generator is positive, as primes, logarithms of them, e and roots are."""
    return g[0] in ("prime", "ln", "e", "sqrt") or certain_sign(_single(g)) > 0


def _log_of_product(m: Monomial) -> Number:
    """Return log Π gᵏ = Σ k·log g."""
    out: Number = 0
    for g, k in m:
        if g[0] == "prime":
            out = out + _single(("ln", g[1])) * k
        elif g[0] == "e":
            out = out + k
        elif g[0] == "inv":
            out = out + log(g[1]) * -k
        elif g[0] == "sqrt":
            out = out + log(g[1]) * Fraction(1, 2)
        else:
            out = out + _single(("log", _single(g))) * k
    return out


def sqrt(x: Number) -> Number:
    """Return the square root of x, and 0 for x ≤ 0."""
    if certain_sign(x) <= 0:
        return 0
    if not isinstance(x, Real):
        out: Number = 1
        for p, k in _prime_powers(Fraction(x)):
            out = out * _power(p, Fraction(k, 2))
        return out
    if len(x.terms) > 1:
        return _single(("sqrt", x))
    ((m, c),) = x.terms.items()
    if not all(g[0] in ("prime", "e") for g, _ in m):
        return _single(("sqrt", x))
    out = sqrt(c)
    for g, k in m:
        out = out * _single(g, k * Fraction(1, 2))
    return out


# ---------------------------------------------------------------------- signs


class Effort:
    """How hard a sign is looked for: in haste, only the first bits of an enclosure are asked.

    ``done`` counts what was done, in steps that do not depend on the machine.
    """

    def __init__(self) -> None:
        self.hasty, self.done = False, 0

    @contextmanager
    def haste(self) -> Iterator[None]:
        """Leave undecided what takes long to decide."""
        before, self.hasty = self.hasty, True
        try:
            yield
        finally:
            self.hasty = before


effort = Effort()


def sign(x: Number) -> int | None:
    """Return the sign of x, or None if it could not be decided."""
    if not isinstance(x, Real):
        return (x > 0) - (x < 0)
    if x._sign == "unknown":
        found = _find_sign(x)
        if found is None and effort.hasty:
            return None
        x._sign = found
    return x._sign  # type: ignore[return-value]


def certain_sign(x: Number) -> int:
    """Return the sign of x, or raise Undecided."""
    found = sign(x)
    if found is None:
        raise Undecided("a sign")
    return found


def _find_sign(x: Real) -> int | None:
    """Return the sign of Σ c·m: that of all its terms, or of an enclosure without 0."""
    signs = {_sign_of_product(m) * (1 if c > 0 else -1) for m, c in x.terms.items()}
    if len(signs) == 1 and 0 not in signs:
        return signs.pop()
    for bits in PRECISIONS:
        try:
            low, high = enclose(x, bits)
        except Undecided:
            continue
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if effort.hasty:
            return None
        if bits == PRECISIONS[0] and vanishes(x):
            return 0
    return None


def _sign_of_product(m: Monomial) -> int:
    """Return the sign of a monomial, 0 if it is not seen at once. Roots are of positive numbers."""
    out = 1
    for g, k in m:
        if g[0] == "log":
            return 0
        if g[0] == "inv" and k % 2:
            out *= certain_sign(g[1])
    return out


def vanishes(x: Number) -> bool:
    """Say whether x is zero by an identity; False if no identity is found."""
    if not isinstance(x, Real):
        return x == 0
    try:
        for g in sorted({g for m in x.terms for g, _ in m}, key=repr):
            if g[0] == "inv":
                return vanishes(_cleared(x, g))
            if g[0] == "sqrt":
                return _root_cancels(x, g)
    except Undecided:
        return False
    return False


def _without(m: Monomial, g: Generator) -> Monomial:
    """Return a monomial without the powers of g."""
    return tuple(pair for pair in m if pair[0] != g)


def _cleared(x: Real, g: Generator) -> Number:
    """Return x times the power of d that removes the generator 1/d, where d is not zero."""
    powers = [dict(m).get(g, 0) for m in x.terms]
    out: Number = 0
    for (m, c), k in zip(x.terms.items(), powers, strict=True):
        part = _number({_without(m, g): c})
        for _ in range(max(powers) - k):
            part = part * g[1]
        out = out + part
    return out


def _root_cancels(x: Real, g: Generator) -> bool:
    """Say whether a + b√q = 0, that is, a² = b²q and the signs are opposite."""
    a = _number({m: c for m, c in x.terms.items() if g not in dict(m)})
    b = _number({_without(m, g): c for m, c in x.terms.items() if g in dict(m)})
    if not vanishes(a * a - b * b * g[1]):
        return False
    return certain_sign(a) == -certain_sign(b)


# ---------------------------------------------------------------------- enclosures


def enclose(x: Number, bits: int) -> Enclosure:
    """Return whole numbers with low ≤ x·2^bits ≤ high, or raise Undecided."""
    effort.done += 1 + bits // 64
    if not isinstance(x, Real):
        q = Fraction(x)
        return _outwards(q.numerator << bits, q.numerator << bits, q.denominator)
    low = high = 0
    for m, c in x.terms.items():
        part = enclose(c, bits)
        for g, k in m:
            part = _product(part, _enclose_power(g, k, bits), bits)
        low, high = low + part[0], high + part[1]
    return low, high


def _outwards(low: int, high: int, divisor: int) -> Enclosure:
    """Return low and high divided by a positive number, rounded outwards."""
    return low // divisor, -(-high // divisor)


def _product(a: Enclosure, b: Enclosure, bits: int) -> Enclosure:
    """Return [a]·[b]: the least and the greatest product of their ends, rounded outwards."""
    ends = [x * y for x in a for y in b]
    return _outwards(min(ends), max(ends), 1 << bits)


def _quotient(a: Enclosure, bits: int) -> Enclosure:
    """Return an enclosure of one over a number that is not zero."""
    if a[0] <= 0 <= a[1]:
        raise Undecided("a division by what may be zero")
    one = 1 << 2 * bits
    return one // a[1], -(-one // a[0])


def _enclose_power(g: Generator, k: Any, bits: int) -> Enclosure:
    """Return an enclosure of a power of a generator."""
    if g[0] == "prime":
        if k == Fraction(1, 2):
            root = math.isqrt(g[1] << 2 * bits)
            return root, root + 1
        low, high = _enclose_log(Fraction(g[1]), bits)
        return _monotone(_enclose_exp, (low * k, high * k), bits)
    if g[0] == "e":
        if not isinstance(k, Real):
            return _enclose_exp(Fraction(k), bits)
        return _monotone(_enclose_exp, enclose(k, bits), bits)
    base = _enclose_generator(g, bits)
    if k < 0:
        base, k = _quotient(base, bits), -k
    out = base
    for _ in range(k - 1):
        out = _product(out, base, bits)
    return out


def _enclose_generator(g: Generator, bits: int) -> Enclosure:
    """Enclose a generator by its argument: ln, √ and 1/x are monotone."""
    if g[0] == "ln":
        return _enclose_log(Fraction(g[1]), bits)
    low, high = enclose(g[1], bits)
    if g[0] == "inv":
        return _quotient((low, high), bits)
    if g[0] == "sqrt":
        return math.isqrt(max(low, 0) << bits), math.isqrt(max(high, 0) << bits) + 1
    if low <= 0:
        raise Undecided("the logarithm of what may be zero")
    return _monotone(_enclose_log, (low, high), bits)


def _monotone(
    f: Callable[[Fraction, int], Enclosure], x: tuple[int | Fraction, int | Fraction], bits: int
) -> Enclosure:
    """Return an enclosure of an increasing function on an interval."""
    low, high = (Fraction(end) / (1 << bits) for end in x)
    return f(low, bits)[0], f(high, bits)[1]


@lru_cache(maxsize=4096)
def _enclose_log(q: Fraction, bits: int) -> Enclosure:
    """Return an enclosure of log q: with q = m·2^k near 1 it is 2 artanh((m-1)/(m+1)) + k log 2."""
    k = q.numerator.bit_length() - q.denominator.bit_length()
    m = q / Fraction(2) ** k
    if m > Fraction(4, 3):
        m, k = m / 2, k + 1
    extra = bits + 16 + abs(k).bit_length()
    low, high = _artanh((m - 1) / (m + 1), extra)
    low, high = 2 * low, 2 * high
    if k:
        two = _artanh(Fraction(1, 3), extra)
        ends = [2 * k * t for t in two]
        low, high = low + min(ends), high + max(ends)
    return _outwards(low, high, 1 << extra - bits)


def _artanh(z: Fraction, bits: int) -> Enclosure:
    """Return an enclosure of z + z³/3 + z⁵/5 + … for |z| ≤ 1/3."""
    scaled, square = (z.numerator << bits) // z.denominator, z * z
    top, bottom = square.numerator, square.denominator
    total, power, n = 0, scaled, 1
    while power not in (0, -1):
        total += power // n
        power = power * top // bottom
        n += 2
    # Every power is rounded down by less than 1 and passes at most a ninth of its error on, every
    # quotient by less than 1; what is left out is below 2 in all.
    return total - 4, total + 2 * n + 4


@lru_cache(maxsize=4096)
def _enclose_exp(q: Fraction, bits: int) -> Enclosure:
    """Return an enclosure of e^q: Taylor's series at q/2^s, squared s times."""
    if abs(q) > LARGEST_EXPONENT:
        raise Undecided("a power of e that is too large")
    if q < 0:
        low, high = _enclose_exp(-q, bits + 2)
        one = 1 << 2 * (bits + 2)
        return _outwards(one // high, -(-one // low), 4)
    halvings = 8 + math.ceil(q).bit_length()
    extra = bits + 2 * halvings + 3 * math.ceil(q) + 16
    small = q / (1 << halvings)
    total, term, n = 0, 1 << extra, 0
    while term:
        total += term
        n += 1
        term = term * small.numerator // (small.denominator * n)
    # Every term is rounded down, by less than 2 in all that it inherits; the rest is below 2.
    out = (total, total + 2 * n + 2)
    for _ in range(halvings):
        out = _product(out, out, extra)
    return _outwards(*out, 1 << extra - bits)


def show(x: Number) -> str:
    """Return a number as text: exact if it is rational, else with eight digits."""
    if not isinstance(x, Real):
        return str(x)
    try:
        return f"{float(x):.8g}"
    except Undecided:
        return repr(x)
