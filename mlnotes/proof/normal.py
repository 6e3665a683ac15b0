"""The kernel: one normal form for all terms, exact and valid in any dimension and for any n.

A real term becomes a polynomial: a dictionary from monomials to rational coefficients. A monomial
is a product of powers of *atoms* under finitely many summation signs. Two terms with the same
polynomial are equal wherever both are defined. What the kernel takes for granted:

- an empty sum is 0, an empty product is 1, and a range with a last value below its first is empty;
- a non-integer power has a nonnegative base and a logarithm a positive argument, because the
  definedness of every line is checked on the line as it was written;
- SymPy's assumptions about a *single symbol* are true, since they are hypotheses of the theorem;
- expectations are finite.

Every rewriting below is an equality of real numbers under these conditions.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.matrices.expressions import MatrixExpr

from .errors import IllTyped, Unproved
from .terms import (
    Dot,
    Expectation,
    Indicator,
    Inverse,
    LogDet,
    MatrixExpectation,
    Probability,
    RandomFamily,
    RandomMatrix,
    RandomVariable,
    RandomVector,
    SymmetricMatrix,
    Trace,
    _RealTerm,
    is_random,
    is_vector_atom,
    properties_of,
    substitute,
)

Factors = dict[Any, Fraction]
Bound = tuple[Any, Any, Any]
Term = tuple[Fraction, Factors, tuple[Bound, ...]]
Monomial = tuple[tuple[tuple[Any, Fraction], ...], tuple[Bound, ...]]
Polynomial = dict[Monomial, Fraction]
Letter = tuple[Any, bool, bool]
Word = tuple[Letter, ...]

ONE = Fraction(1)
UNIT: Monomial = ((), ())
MAX_TERMS = 3000
MAX_POWER = 12


class TooLarge(Unproved):
    """The normal form would exceed its limit on size or work."""


class Budget:
    """A limit on work, counted in products of atoms, so that no line takes for ever.

    Counting work instead of time makes the outcome the same on a slow or busy machine.
    """

    def __init__(self, amount: int) -> None:
        self.left = amount

    def spend(self, amount: int = 1) -> None:
        """Use up some work, or raise TooLarge if none is left."""
        self.left -= amount
        if self.left < 0:
            raise TooLarge("the limit on work is reached")


class BoundIndex(sp.Symbol):  # type: ignore[misc]
    """An index bound by a summation sign of the normal form; no user symbol equals one."""

    def __new__(cls, name: str) -> Any:  # noqa: D102
        return _bound_index(name)


@functools.lru_cache(maxsize=10_000)
def _bound_index(name: str) -> Any:
    return sp.Symbol.__xnew__(BoundIndex, name, integer=True)


class TraceWord(_RealTerm):
    """The trace of a product of matrices, each possibly transposed or inverted."""

    @property
    def word(self) -> Word:
        """The letters: matrix, transposed, inverted."""
        return tuple((m, bool(t), bool(i)) for m, t, i in self.args)

    def _sympystr(self, printer: Any) -> str:
        return f"tr({' '.join(spell(letter) for letter in self.word)})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        marks = {(False, False): "", (True, False): r"^{\top}", (False, True): "^{-1}"}
        marks[True, True] = r"^{-\top}"
        letters = " ".join(printer._print(m) + marks[t, i] for m, t, i in self.word)
        body = rf"\operatorname{{tr}}({letters})"
        return body if exp is None else rf"{body}^{{{exp}}}"


def spell(letter: Letter) -> str:
    """Return a letter of a matrix word as text."""
    matrix, transposed, inverted = letter
    text = f"({matrix})" if matrix.args and not isinstance(matrix, sp.MatrixSymbol) else str(matrix)
    return text + ("⁻¹" if inverted else "") + ("ᵀ" if transposed else "")


@functools.lru_cache(maxsize=100_000)
def interned(e: Any) -> Any:
    """Return the one copy of a term that is in use: SymPy is slow to see that copies are equal."""
    return e


@functools.lru_cache(maxsize=5_000)
def largest(*args: Any) -> Any:
    """Return the maximum of terms: SymPy takes long to see which of them cannot be the largest."""
    return sp.Max(*args)


@functools.lru_cache(maxsize=50_000)
def key(e: Any) -> str:
    """Return a string that orders expressions the same way in every process."""
    return sp.srepr(e)  # type: ignore[no-any-return]


@functools.lru_cache(maxsize=50_000)
def free(e: Any) -> frozenset[Any]:
    """Return the free symbols of an expression."""
    return frozenset(e.free_symbols)


def rational(value: Any) -> Fraction:
    """Return a SymPy rational as a fraction."""
    return Fraction(int(value.p), int(value.q))


def number(value: Fraction) -> sp.Rational:
    """Return a fraction as a SymPy rational."""
    return sp.Rational(value.numerator, value.denominator)


class _Remembered:
    """What was found while the same indices were bound in the same ranges."""

    def __init__(self) -> None:
        self.polynomials: dict[Any, Polynomial] = {}
        self.sums: dict[Any, list[Term]] = {}
        self.products: dict[Any, list[Term]] = {}
        self.positive: dict[Any, bool] = {}
        self.nonnegative: dict[Any, bool] = {}
        self.inside: dict[Any, _Remembered] = {}


class Normal:
    """The normal form under a set of declared facts.

    Parameters
    ----------
    positive : iterable of expressions
        Terms known to be positive.
    nonnegative : iterable of expressions
        Terms known to be nonnegative.
    ranges : mapping
        The range ``(low, high)`` in which a free index is known to lie.
    independent : iterable of sets
        Groups of random parts, the groups being jointly independent of one another.
    independent_families : iterable
        Random families whose members are jointly independent.
    signs : iterable of tuples
        ``(atom, index, low, high, strict)``: the atom is nonnegative (positive if strict) for every
        value of the index in the range.
    semidefinite : iterable of matrices
        Letters known to be positive semidefinite.
    budget : Budget, optional
        The work that may be spent; unlimited by default.
    """

    def __init__(
        self,
        positive: Iterable[Any] = (),
        nonnegative: Iterable[Any] = (),
        ranges: Mapping[Any, tuple[Any, Any]] | None = None,
        independent: Iterable[tuple[Any, ...]] = (),
        independent_families: Iterable[Any] = (),
        signs: Iterable[tuple[Any, Any, Any, Any, bool]] = (),
        semidefinite: Iterable[Any] = (),
        budget: Budget | None = None,
    ) -> None:
        self.budget = budget if budget is not None else Budget(10**9)
        self.signs = list(signs)
        self.semidefinite = frozenset(semidefinite)
        self._scope: dict[Any, tuple[Any, Any]] = {}
        self.ranges = dict(ranges or {})
        self.independent = [tuple(group) for group in independent]
        self.independent_families = frozenset(independent_families)
        self._fresh = 0
        self._cache = _Remembered()
        self._positive: set[Any] = set()
        self._nonnegative: set[Any] = set()
        for known, terms in ((self._positive, positive), (self._nonnegative, nonnegative)):
            for e in terms:
                with contextlib.suppress(TooLarge):  # a sign less is known
                    known.add(self._shape(self.polynomial(e)))
        self._cache = _Remembered()

    # ------------------------------------------------------------------ polynomials

    def polynomial(self, e: Any) -> Polynomial:
        """Return the normal form of a real or vector term."""
        e = sp.sympify(e)
        known = self._cache.polynomials
        if e not in known:
            known[e] = self._collect(self._terms(e))
        return known[e]

    def expression(self, p: Polynomial) -> sp.Expr:
        """Return a term with the given normal form."""
        return sp.Add(*[self._monomial_expression(m, c) for m, c in sorted_items(p)])

    def canonical(self, e: Any) -> sp.Expr:
        """Return the canonical term equal to a term."""
        return self.expression(self.polynomial(e))

    def equal(self, a: Any, b: Any) -> bool:
        """Say whether two terms are equal wherever both are defined. No is only "not shown"."""
        return self.vanishes(self.polynomial(sp.Add(a, sp.Mul(-1, b))))

    def vanishes(self, p: Polynomial) -> bool:
        """Say whether a polynomial is zero, clearing denominators that no index enters."""
        for _ in range(6):
            if not p:
                return True
            base = self._denominator(p)
            if base is None:
                return False
            power = max(-dict(m[0]).get(base, Fraction(0)) for m in p)
            p = self.clear(p, base, power)
        return not p

    def clear(self, p: Polynomial, base: Any, power: Fraction) -> Polynomial:
        """Return ``p * base**power``."""
        terms = terms_of(p)
        return self._collect(self._times(terms, [(ONE, {base: power}, ())]))

    def _denominator(self, p: Polynomial) -> Any | None:
        found = {
            atom
            for factors, bounds in p
            for atom, power in factors
            if power < 0 and is_compound(atom) and not any(b[0] in free(atom) for b in bounds)
        }
        return min(found, key=key) if found else None

    def product(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """Return the product of two polynomials."""
        left = terms_of(p)
        right = terms_of(q)
        return self._collect(self._times(left, right))

    def _monomial_expression(self, monomial: Monomial, coefficient: Fraction) -> sp.Expr:
        factors, bounds = monomial
        indices = {b[0] for b in bounds}
        inside = [a ** number(p) for a, p in factors if free(a) & indices]
        outside = [a ** number(p) for a, p in factors if not free(a) & indices]
        e = sp.Mul(number(coefficient), *outside)
        if bounds:
            e = e * sp.Sum(sp.Mul(*inside), *order_limits(bounds))
        return e

    def opened(self, e: Any) -> tuple[Any, tuple[Bound, ...]]:
        """Return the body and the limits of a sum or product, with indices of the kernel's own."""
        names: dict[Any, Any] = {}
        limits: list[Bound] = []
        for index, low, high in reversed(e.limits):
            low, high = substitute(low, names), substitute(high, names)
            names[index] = self._fresh_index()
            limits.insert(0, (names[index], low, high))
        return substitute(e.function, names), tuple(limits)

    def _fresh_index(self) -> Any:
        self._fresh += 1
        return BoundIndex(f"@{self._fresh}")

    # ------------------------------------------------------------------ terms of an expression

    def _terms(self, e: Any) -> list[Term]:
        if e.is_Rational:
            return [(rational(e), {}, ())] if e != 0 else []
        if isinstance(e, sp.Add):
            return [t for a in e.args for t in self._terms(a)]
        if isinstance(e, sp.Mul):
            out: list[Term] = [(ONE, {}, ())]
            for a in e.args:
                out = self._times(out, self._terms(a))
            return out
        if isinstance(e, sp.Pow):
            return self._power(e.base, e.exp)
        if isinstance(e, sp.exp):
            return self._exponential(e.args[0])
        if isinstance(e, sp.log):
            return self._logarithm(e.args[0])
        if isinstance(e, sp.Sum):
            known = self._cache.sums
            if e not in known:
                known[e] = self._sum(e)
            return list(known[e])
        if isinstance(e, sp.Product):
            return self._product(e)
        if isinstance(e, Dot):
            return self._dot(e)
        if isinstance(e, sp.Abs):
            return self._absolute(e.args[0])
        if isinstance(e, sp.Max):
            args = sorted({self.canonical(a) for a in e.args}, key=key)
            return self._terms(args[0]) if len(args) == 1 else atom_term(largest(*args))
        if isinstance(e, sp.Min):
            return self._times([(-ONE, {}, ())], self._terms(largest(*[-a for a in e.args])))
        if isinstance(e, Expectation):
            return self._expectation(e.args[0])
        if isinstance(e, Probability):
            return self._expectation(Indicator(e.args[0]))
        if isinstance(e, Indicator):
            return self._indicator(e.args[0])
        if isinstance(e, Trace):
            return self._trace(self.words(e.args[0]), e.args[0].shape[0])
        if isinstance(e, LogDet):
            return self._log_determinant(e.args[0])
        if isinstance(e, sp.Indexed):
            at = [self.canonical(i) for i in e.indices]
            return atom_term(e.base[tuple(at)])
        if isinstance(e, sp.KroneckerDelta):
            i, j = (self.canonical(a) for a in e.args)
            delta = sp.KroneckerDelta(i, j)
            return self._terms(delta) if delta.is_Rational else atom_term(delta)
        if isinstance(e, AppliedUndef):
            return atom_term(e.func(*[self.canonical(a) for a in e.args]))
        if isinstance(e, MatrixExpr):
            raise IllTyped(f"{e} is a matrix where a number is expected")
        if isinstance(e, sp.UnevaluatedExpr):
            return self._terms(e.args[0])
        return atom_term(e)

    def _times(self, left: list[Term], right: list[Term]) -> list[Term]:
        if len(left) * len(right) > MAX_TERMS:
            raise TooLarge(f"more than {MAX_TERMS} terms")
        out: list[Term] = []
        for (c, f, b), (d, g, a) in itertools.product(left, right):
            if b and a:
                g, a = self._rename(g, a)
            out += self._settle(c * d, add(f.items(), g), b + a)
        return out

    def _rename(
        self, factors: Factors, bounds: tuple[Bound, ...]
    ) -> tuple[Factors, tuple[Bound, ...]]:
        names = {b[0]: self._fresh_index() for b in bounds}
        new = tuple((names[i], replace(lo, names), replace(hi, names)) for i, lo, hi in bounds)
        return {replace(a, names): p for a, p in factors.items()}, new

    def _settle(self, c: Fraction, factors: Factors, bounds: tuple[Bound, ...]) -> list[Term]:
        """Bring a product of atoms back to the form in which each atom has a proper power."""
        self.budget.spend()
        exponentials: list[tuple[Any, Fraction]] = []
        settled: Factors = {}
        expand: list[list[Term]] = []
        for atom, power in factors.items():
            if power == 0:
                continue
            if isinstance(atom, sp.exp):
                exponentials.append((atom, power))
            elif atom.is_Integer:
                whole = power.numerator // power.denominator
                c *= Fraction(int(atom)) ** whole
                if power != whole:
                    settled[atom] = power - whole
            elif isinstance(atom, (Indicator, sp.KroneckerDelta)) and power > 0:
                settled[atom] = ONE
            elif isinstance(atom, sp.Abs) and power.denominator == 1 and power % 2 == 0:
                expand.append(self._power(atom.args[0], number(power)))
            elif is_compound(atom) and power >= 1:
                whole = power.numerator // power.denominator
                expand.append(self._power(atom, sp.Integer(whole)))
                if power != whole:
                    settled[atom] = power - whole
            else:
                settled[atom] = power
        if len(exponentials) == 1 and exponentials[0][1] == 1:
            settled[exponentials[0][0]] = ONE
        elif exponentials:
            expand.append(self._merged(tuple(exponentials)))
        out: list[Term] = [(c, settled, bounds)]
        for terms in expand:
            out = self._times(out, terms)
        return out

    # ------------------------------------------------------------------ functions

    def _merged(self, exponentials: tuple[tuple[Any, Fraction], ...]) -> list[Term]:
        """Return a product of powers of exponentials."""
        known = self._cache.products
        if exponentials not in known:
            exponents = [number(power) * atom.args[0] for atom, power in exponentials]
            known[exponentials] = self._exponential(sp.Add(*exponents))
        return known[exponentials]

    def _power(self, base: Any, exponent: Any) -> list[Term]:
        if base == sp.E:
            return self._exponential(exponent)
        if exponent.is_Integer and 0 <= exponent <= MAX_POWER:
            out: list[Term] = [(ONE, {}, ())]
            step = self._terms(base) if exponent else []
            for _ in range(int(exponent)):
                out = self._compress(self._times(out, step))
            return out
        p = self.polynomial(base)
        if not exponent.is_Rational:
            return self._symbolic_power(p, exponent)
        return self._rational_power(p, rational(exponent))

    def _compress(self, terms: list[Term]) -> list[Term]:
        if len(terms) < 12:
            return terms
        return terms_of(self._collect(terms))

    def _symbolic_power(self, p: Polynomial, exponent: Any) -> list[Term]:
        base, exponent = self.expression(p), self.canonical(exponent)
        if base == 1:
            return [(ONE, {}, ())]
        if self.is_positive(p):
            return self._exponential(exponent * sp.log(base))
        constant, rest = exponent.as_coeff_Add()
        if constant.is_Integer and constant > 0 and nonnegative_integer(rest):
            return self._times(self._symbolic_power(p, rest), self._power(base, constant))
        return atom_term(sp.Pow(base, exponent, evaluate=False))

    def _rational_power(self, p: Polynomial, power: Fraction) -> list[Term]:
        """Return ``p**power``, splitting off what may be split off."""
        if not p:
            return atom_term(sp.Pow(sp.Integer(0), number(power), evaluate=False))
        integer = power.denominator == 1
        content, common, rest = self._content(p)
        if not integer and content < 0:
            content, rest = -content, {m: -c for m, c in rest.items()}
        out: list[Term] = [(ONE, {}, ())]
        for prime, count in sp.factorint(abs(content.numerator)).items():
            out = self._times(out, [(ONE, {sp.Integer(prime): count * power}, ())])
        for prime, count in sp.factorint(content.denominator).items():
            out = self._times(out, [(ONE, {sp.Integer(prime): -count * power}, ())])
        if content < 0 and power % 2:
            out = self._times(out, [(-ONE, {}, ())])
        kept: Factors = {}
        # A root may be split only into roots that exist: where one factor is zero another could be
        # negative, so zero factors stay together with what is not known to be nonnegative.
        signs = {a: self._power_sign(a, e) for a, e in common.items()}
        whole = self.is_nonnegative(rest) and min(signs.values(), default=1) >= 0
        for atom, exponent in common.items():
            if not integer and not (signs[atom] > 0 or (whole and signs[atom] == 0)):
                kept[atom] = exponent
            elif integer or self.is_nonnegative_atom(atom):
                out = self._times(out, self._settle(ONE, {atom: exponent * power}, ()))
            else:
                out = self._times(out, self._settle(ONE, {sp.Abs(atom): exponent * power}, ()))
        if kept:
            rest = self._collect(
                [t for m, c in rest.items() for t in self._settle(c, add(m[0], kept), m[1])]
            )
        if rest != {UNIT: ONE}:
            if integer and power > MAX_POWER:
                # Multiplied out it would be too long, and as an atom it would be multiplied out.
                raise TooLarge(f"a sum to a power above {MAX_POWER}")
            out = self._times(out, [(ONE, {interned(self.expression(rest)): power}, ())])
        return out

    def _content(self, p: Polynomial) -> tuple[Fraction, Factors, Polynomial]:
        """Split a polynomial into a rational, the powers all its monomials share, and the rest."""
        monomials = list(p)
        shared = [
            {a: e for a, e in factors if not any(b[0] in free(a) for b in bounds)}
            for factors, bounds in monomials
        ]
        lowest = {
            atom: min(f.get(atom, Fraction(0)) for f in shared)
            for atom in sorted(set().union(*shared), key=key)
        }
        common = {atom: power for atom, power in lowest.items() if power}
        minus = {a: -e for a, e in common.items()}
        lead = p[min(monomials, key=monomial_key)]
        numerator = functools.reduce(gcd, (c.numerator for c in p.values()))
        denominator = functools.reduce(lcm, (c.denominator for c in p.values()))
        content = Fraction(numerator, denominator) * (1 if lead > 0 else -1)
        rest = self._collect(
            [t for (f, b), c in p.items() for t in self._settle(c / content, add(f, minus), b)]
        )
        return content, common, rest

    def _exponential(self, argument: Any) -> list[Term]:
        p = self.polynomial(argument)
        out: list[Term] = [(ONE, {}, ())]
        kept: Polynomial = {}
        for m, c in p.items():
            factors, bounds = m
            if not bounds and len(factors) == 1 and factors[0][1] == 1:
                atom = factors[0][0]
                if isinstance(atom, sp.log):  # exp(c log u) = u**c, since u > 0
                    out = self._times(out, self._power(atom.args[0], number(c)))
                    continue
            kept[m] = c
        if kept:
            out = self._times(out, atom_term(sp.exp(self.expression(kept))))
        return out

    def _logarithm(self, argument: Any) -> list[Term]:
        p = self.polynomial(argument)
        if p == {UNIT: ONE}:
            return []
        if len(p) == 1:
            ((factors, bounds), c) = next(iter(p.items()))
            indices = {b[0] for b in bounds}
            outside = [(a, e) for a, e in factors if not free(a) & indices]
            inside = tuple((a, e) for a, e in factors if free(a) & indices)
            shift, inside = self._shifted(inside, indices)
            unsure = [a for a, _ in outside if not self.is_positive_atom(a)]
            remainder = bool(bounds) or bool(inside)
            # The whole is positive; so if all factors but one are, that one is positive too.
            if c > 0 and len(unsure) + remainder <= 1 and single(outside, unsure):
                out = self._log_rational(c) + shift
                for a, e in outside:
                    out += [(e * d, f, b) for d, f, b in self._log_atom(a)]
                if remainder:
                    rest = self._collect([(ONE, dict(inside), bounds)])
                    out += self._log_leaf(self.expression(rest))
                return out
        content, common, rest = self._content(p)
        if content < 0:
            content, rest = -content, {m: -c for m, c in rest.items()}
        if rest != p and all(self.is_positive_atom(a) for a in common):
            out = self._log_rational(content)
            for a, e in common.items():
                out += [(e * c, f, b) for c, f, b in self._log_atom(a)]
            return out + self._log_leaf(self.expression(rest))
        return self._log_leaf(self.expression(p))

    def _shifted(self, inside: Any, indices: set[Any]) -> tuple[list[Term], Any]:
        """Take out of ``log Σ exp(u + v)`` the v that no index enters: return it and the rest."""
        shift: list[Term] = []
        kept: Factors = {}
        for a, e in inside:
            if isinstance(a, sp.exp):
                p = self.polynomial(a.args[0])
                apart = {m: c for m, c in p.items() if not self._mentions(m, indices)}
                shift += [(e * c, dict(m[0]), m[1]) for m, c in apart.items()]
                if apart:
                    a = sp.exp(self.expression({m: c for m, c in p.items() if m not in apart}))
            kept[a] = kept.get(a, Fraction(0)) + e
        return shift, tuple(sorted(kept.items(), key=factor_key))

    def _mentions(self, m: Monomial, indices: set[Any]) -> bool:
        factors, bounds = m
        return any(free(x) & indices for x in [*dict(factors), *(e for b in bounds for e in b[1:])])

    def _log_rational(self, c: Fraction) -> list[Term]:
        out: list[Term] = []
        for prime, count in sp.factorint(c.numerator).items():
            out.append((Fraction(count), {sp.log(sp.Integer(prime)): ONE}, ()))
        for prime, count in sp.factorint(c.denominator).items():
            out.append((Fraction(-count), {sp.log(sp.Integer(prime)): ONE}, ()))
        return out

    def _log_atom(self, a: Any) -> list[Term]:
        if isinstance(a, sp.exp):
            return self._terms(a.args[0])
        if isinstance(a, sp.Product) and self.is_positive_atom(a):
            (limit,) = a.limits
            return self._terms(sp.Sum(sp.log(a.function), limit))
        if isinstance(a, sp.Pow) and self.is_positive(self.polynomial(a.base)):
            return self._terms(a.exp * sp.log(a.base))
        return self._log_leaf(a)

    def _log_leaf(self, e: Any) -> list[Term]:
        return atom_term(sp.log(e, evaluate=False))

    def _absolute(self, argument: Any) -> list[Term]:
        p = self.polynomial(argument)
        if not p:
            return []
        if self.is_nonnegative(p):
            return terms_of(p)
        content, common, rest = self._content(p)
        out: list[Term] = [(abs(content), {}, ())]
        for atom, power in common.items():
            nonnegative = self.is_nonnegative_atom(atom)
            out = self._times(
                out, self._settle(ONE, {atom if nonnegative else sp.Abs(atom): power}, ())
            )
        if rest == {UNIT: ONE}:
            return out
        if self.is_nonnegative(rest):
            return self._times(out, terms_of(rest))
        return self._times(out, [(ONE, {sp.Abs(self.expression(rest), evaluate=False): ONE}, ())])

    def _dot(self, e: Any) -> list[Term]:
        out: list[Term] = []
        left, right = self._terms(e.args[0]), self._terms(e.args[1])
        if len(left) * len(right) > MAX_TERMS:
            raise TooLarge(f"more than {MAX_TERMS} terms")
        for (c, f, b), (d, g, a) in itertools.product(left, right):
            if b and a:
                g, a = self._rename(g, a)
            u, f = split_vector(f, e)
            v, g = split_vector(g, e)
            u, v = sorted((u, v), key=key)
            merged = add(tuple(f.items()), g)
            merged[Dot(u, v)] = merged.get(Dot(u, v), Fraction(0)) + 1
            out += self._settle(c * d, merged, b + a)
        return out

    def _indicator(self, event: Any) -> list[Term]:
        one: list[Term] = [(ONE, {}, ())]
        minus: list[Term] = [(-ONE, {}, ())]
        if isinstance(event, sp.And):
            out = one
            for a in event.args:
                out = self._times(out, self._indicator(a))
            return out
        if isinstance(event, sp.Or):  # 1 - Π (1 - 1[A])
            out = one
            for a in event.args:
                out = self._times(out, one + self._times(minus, self._indicator(a)))
            return one + self._times(minus, out)
        if isinstance(event, sp.Not):
            return one + self._times(minus, self._indicator(event.args[0]))
        if isinstance(event, sp.Ne):
            return one + self._times(minus, self._indicator(sp.Eq(*event.args, evaluate=False)))
        if isinstance(event, sp.Gt):
            low = sp.Le(event.lhs, event.rhs, evaluate=False)
            return one + self._times(minus, self._indicator(low))
        if isinstance(event, sp.Lt):
            low = sp.Ge(event.lhs, event.rhs, evaluate=False)
            return one + self._times(minus, self._indicator(low))
        if isinstance(event, (sp.Ge, sp.Le, sp.Eq)):
            sign = -1 if isinstance(event, sp.Le) else 1
            p = self.polynomial(sign * event.lhs - sign * event.rhs)
            if all(m == UNIT for m in p):
                c = p.get(UNIT, Fraction(0))
                return one if (c == 0 if isinstance(event, sp.Eq) else c >= 0) else []
            scale = abs(p[min(p, key=monomial_key)])
            if isinstance(event, sp.Eq):
                scale = p[min(p, key=monomial_key)]
            e = self.expression({m: c / scale for m, c in p.items()})
            cls = sp.Eq if isinstance(event, sp.Eq) else sp.Ge
            return atom_term(Indicator(cls(e, 0, evaluate=False)))
        return atom_term(Indicator(event))

    # ------------------------------------------------------------------ sums and products

    def _sum(self, e: Any) -> list[Term]:
        *inner, (index, low, high) = e.limits
        body = sp.Sum(e.function, *inner) if inner else e.function
        low, high = self.canonical(low), self.canonical(high)
        pieces, high = self._split_range(low, high)
        out = [t for at in pieces for t in self._terms(substitute(body, {index: at}))]
        if high is None:
            return out
        fresh = self._fresh_index()
        self._scope[fresh] = (low, high)
        for c, f, b in self._terms(substitute(body, {index: fresh})):
            out.append((c, f, (*b, (fresh, low, high))))
        if len(out) > MAX_TERMS:
            raise TooLarge(f"more than {MAX_TERMS} terms")
        return out

    def _split_range(self, low: Any, high: Any) -> tuple[list[Any], Any]:
        """Return values to be written out and the last value of the range that is left."""
        length = sp.expand(high - low + 1)
        if length.is_Integer:
            if length > 12:
                return [], high
            return [low + k for k in range(max(0, int(length)))], None
        constant, rest = high.as_coeff_Add()
        if constant.is_Integer and 0 < constant <= 4 and nonnegative_integer(rest - low + 1):
            return [rest + k for k in range(1, int(constant) + 1)], rest
        return [], high

    def _product(self, e: Any) -> list[Term]:
        *inner, (index, low, high) = e.limits
        body = sp.Product(e.function, *inner) if inner else e.function
        low, high = self.canonical(low), self.canonical(high)
        pieces, high = self._split_range(low, high)
        out: list[Term] = [(ONE, {}, ())]
        for at in pieces:
            out = self._times(out, self._terms(substitute(body, {index: at})))
        if high is None:
            return out
        fresh = self._fresh_index()
        self._scope[fresh] = (low, high)
        p = self.polynomial(substitute(body, {index: fresh}))
        count = sp.expand(high - low + 1)
        if len(p) != 1 or not nonnegative_integer(count) or next(iter(p))[1]:
            return self._times(out, self._product_atom(self.expression(p), fresh, low, high))
        ((factors, _), c) = next(iter(p.items()))
        if c != 1:
            out = self._times(out, self._power(number(c), count))
        for atom, power in factors:
            if isinstance(atom, sp.exp):
                total = sp.Sum(number(power) * atom.args[0], (fresh, low, high))
                out = self._times(out, self._exponential(total))
            elif fresh not in free(atom):
                out = self._times(out, self._power(atom ** number(power), count))
            elif power.denominator == 1:
                single_product = self._product_atom(atom, fresh, low, high)
                atom_of = next(iter(single_product[0][1]))
                out = self._times(out, self._settle(ONE, {atom_of: power}, ()))
            else:
                out = self._times(out, self._product_atom(atom ** number(power), fresh, low, high))
        return out

    def _product_atom(self, body: Any, index: Any, low: Any, high: Any) -> list[Term]:
        name = BoundIndex(f"{1 + depth(body)}_p")
        return atom_term(sp.Product(body.xreplace({index: name}), (name, low, high)))

    # ------------------------------------------------------------------ expectation

    def _expectation(self, body: Any) -> list[Term]:
        out: list[Term] = []
        for (factors, bounds), c in sorted_items(self.polynomial(body)):
            fixed, moving = self._split_random(dict(factors))
            if bounds:
                moving, bounds = self._rename_split(fixed, moving, bounds)
                fixed = moving.pop(None)
            for coefficient, atoms in self._split_independent(moving):
                out += self._times(
                    self._settle(c * coefficient, dict(fixed), bounds), self._expand_atoms(atoms)
                )
        return out

    def _rename_split(self, fixed: Any, moving: Any, bounds: Any) -> Any:
        names = {b[0]: self._fresh_index() for b in bounds}
        new = tuple((names[i], replace(lo, names), replace(hi, names)) for i, lo, hi in bounds)
        renamed: dict[Any, Any] = {replace(a, names): p for a, p in moving.items()}
        renamed[None] = {replace(a, names): p for a, p in fixed.items()}
        return renamed, new

    def _split_random(self, factors: Factors) -> tuple[Factors, Factors]:
        fixed: Factors = {}
        moving: Factors = {}
        for atom, power in factors.items():
            if isinstance(atom, sp.exp) and is_random(atom):
                parts = sp.Add.make_args(atom.args[0])
                still = sp.Add(*[a for a in parts if not is_random(a)])
                if still != 0:
                    fixed[sp.exp(number(power) * still)] = ONE
                loose = sp.Add(*[a for a in parts if is_random(a)])
                moving[sp.exp(number(power) * loose)] = ONE
            else:
                (moving if is_random(atom) else fixed)[atom] = power
        return fixed, moving

    def _split_independent(self, moving: Factors) -> list[tuple[Fraction, list[Any]]]:
        """Return ``E[moving]`` as a sum of coefficients times products of expectations."""
        if not moving:
            return [(ONE, [])]
        groups = self._groups(moving)
        if len(groups) > 1:
            return [(ONE, [self._expectation_atom(g) for g in groups])]
        product = self._family_product(moving)
        if product is not None:
            return [(ONE, [product])]
        pair = self._family_pair(moving)
        if pair is not None:
            delta, together, apart = pair
            joint = [delta, *(self._expectation_atom(together),)]
            split = [self._expectation_atom(g) for g in apart]
            return [(ONE, joint), (ONE, split), (-ONE, [delta, *split])]
        return [(ONE, [self._expectation_atom(moving)])]

    def _parts(self, e: Any) -> set[Any]:
        """Return what an atom's randomness comes from: variables and members of families."""
        if isinstance(e, (Expectation, MatrixExpectation)):
            return set()
        if isinstance(e, sp.Indexed):
            return {e} if isinstance(e.base, RandomFamily) else set()
        if isinstance(e, (RandomVariable, RandomVector, RandomMatrix)):
            return {e}
        return set().union(*(self._parts(a) for a in e.args)) if e.args else set()

    def _groups(self, moving: Factors) -> list[Factors]:
        """Partition a product into factors that declared independence makes independent."""

        def owner(part: Any) -> Any:
            return part.base if isinstance(part, sp.Indexed) else part

        def apart(a: Any, b: Any) -> bool:
            return all(
                any(x in group and y in group and x != y for group in self.independent)
                for x in map(owner, self._parts(a))
                for y in map(owner, self._parts(b))
            )

        owners = [frozenset(map(owner, self._parts(a))) for a in moving]
        everyone = set().union(*owners)
        if any(not o for o in owners) or not any(everyone <= {*g} for g in self.independent):
            return [moving]
        groups: list[Factors] = []
        for atom, power in sorted(moving.items(), key=lambda item: key(item[0])):
            near = [g for g in groups if not all(apart(atom, other) for other in g)]
            merged: Factors = {atom: power}
            for g in near:
                merged.update(g)
                groups.remove(g)
            groups.append(merged)
        return groups

    def _apart(self, u: Any, v: Any) -> bool:
        return any(u in group and v in group and u != v for group in self.independent)

    def _family_product(self, moving: Factors) -> Any | None:
        """Return ``Π E exp g(X_i)`` for ``E exp Σ g(X_i)`` with independent members."""
        if len(moving) != 1:
            return None
        ((atom, power),) = moving.items()
        if not isinstance(atom, sp.exp) or power != 1:
            return None
        p = self.polynomial(atom.args[0])
        if len({m[1] for m in p}) != 1 or len(next(iter(p))[1]) != 1:
            return None
        (index, low, high) = next(iter(p))[1][0]
        body = sp.Add(*[self._monomial_expression((m[0], ()), c) for m, c in sorted_items(p)])
        members = self._parts(body)
        if not members or not all(
            isinstance(x, sp.Indexed)
            and x.base in self.independent_families
            and x.indices == (index,)
            for x in members
        ):
            return None
        if len({x.base for x in members}) != 1:
            return None
        return sp.Product(Expectation(sp.exp(body)), (index, low, high))

    def _family_pair(self, moving: Factors) -> Any | None:
        """Split ``E[f(X_i) g(X_j)]`` by whether i = j, for a family with independent members."""
        parts = [self._parts(a) for a in moving]
        members = set().union(*parts)
        if len(members) != 2 or any(len(p) != 1 for p in parts):
            return None
        x, y = sorted(members, key=key)
        if not (isinstance(x, sp.Indexed) and isinstance(y, sp.Indexed) and x.base == y.base):
            return None
        if x.base not in self.independent_families or len(x.indices) != 1:
            return None
        i, j = x.indices[0], y.indices[0]
        if not (i.is_Symbol and j.is_Symbol):
            return None
        # |Σ_k X_k| hides the whole family behind its bound k: it is a function of no single member.
        if any(not free(x) <= free(a) for a, (x,) in zip(moving, parts, strict=True)):
            return None
        together: Factors = {}
        for atom, power in moving.items():
            same = atom.xreplace({y: x})
            together[same] = together.get(same, Fraction(0)) + power
        first = {a: p for a, p in moving.items() if self._parts(a) == {x}}
        second = {a: p for a, p in moving.items() if self._parts(a) == {y}}
        return sp.KroneckerDelta(i, j), together, [first, second]

    def _expectation_atom(self, moving: Factors) -> Any:
        if len(moving) == 1:
            ((atom, power),) = moving.items()
            if power == 1 and isinstance(atom, Dot):
                u, v = atom.args
                if is_random(u) != is_random(v) or self._apart(u, v):  # E<X, v> = <E X, v>
                    u, v = (Expectation(a) if is_random(a) else a for a in atom.args)
                    return Dot(*sorted((u, v), key=key))
            if power == 1 and is_vector_atom(atom):
                return Expectation(atom)
            if power == 1 and isinstance(atom, TraceWord):
                return self._trace_expectation(atom)
        ordered = sorted(moving.items(), key=lambda item: key(item[0]))
        return Expectation(sp.Mul(*[a ** number(p) for a, p in ordered]))

    def _expand_atoms(self, atoms: list[Any]) -> list[Term]:
        out: list[Term] = [(ONE, {}, ())]
        for a in atoms:
            terms = self._terms(a) if isinstance(a, sp.Product) else atom_term(a)
            out = self._times(out, terms)
        return out

    # ------------------------------------------------------------------ matrices

    def words(self, m: Any) -> dict[Word, sp.Expr]:
        """Return a matrix as a combination of products of letters."""
        if isinstance(m, sp.ZeroMatrix):
            return {}
        if isinstance(m, sp.Identity):
            return {(): sp.Integer(1)}
        if isinstance(m, sp.MatrixSymbol):
            return {((m, False, False),): sp.Integer(1)}
        if isinstance(m, sp.MatAdd):
            return add_words([self.words(a) for a in m.args])
        if isinstance(m, sp.MatMul):
            out: dict[Word, sp.Expr] = {(): sp.Integer(1)}
            for a in m.args:
                if isinstance(a, MatrixExpr):
                    out = self._times_words(out, self.words(a))
                else:
                    out = {w: a * c for w, c in out.items()}
            return out
        if isinstance(m, sp.Transpose):
            return {transpose_word(w): c for w, c in self.words(m.args[0]).items()}
        if isinstance(m, (Inverse, sp.Inverse)):
            return self._inverse_words(m.args[0])
        if isinstance(m, sp.MatPow):
            step = self.words(m.base) if m.exp > 0 else self._inverse_words(m.base)
            out = {(): sp.Integer(1)}
            for _ in range(abs(int(m.exp))):
                out = self._times_words(out, step)
            return out
        if isinstance(m, MatrixExpectation):
            return self._matrix_expectation(m.args[0])
        raise IllTyped(f"{m} is not a matrix of the language")

    def _times_words(
        self, left: dict[Word, sp.Expr], right: dict[Word, sp.Expr]
    ) -> dict[Word, sp.Expr]:
        if len(left) * len(right) > MAX_TERMS:
            raise TooLarge(f"more than {MAX_TERMS} terms")
        return add_words(
            [{reduce_word(v + w): c * d} for v, c in left.items() for w, d in right.items()]
        )

    def _inverse_words(self, m: Any) -> dict[Word, sp.Expr]:
        words = {w: c for w, c in self.words(m).items() if self.polynomial(c)}
        if len(words) == 1:
            ((word, c),) = words.items()
            if all(square_letter(letter) for letter in word):
                flipped = tuple((b, t, not i) for b, t, i in reversed(word))
                return {flipped: 1 / c}
        canonical = self.matrix_expression(words, m.shape)
        symmetric = self.same_words(words, {transpose_word(w): c for w, c in words.items()})
        letter = (SymmetricComposite if symmetric else Composite)(canonical)
        return {((letter, False, True),): sp.Integer(1)}

    def same_words(self, a: dict[Word, sp.Expr], b: dict[Word, sp.Expr]) -> bool:
        """Say whether two combinations of words agree letter by letter."""
        return all(self.equal(a.get(w, 0), b.get(w, 0)) for w in {*a, *b})

    def matrix_expression(self, words: dict[Word, sp.Expr], shape: Any) -> MatrixExpr:
        """Return a matrix term with the given words."""
        parts = []
        for word, c in sorted(words.items(), key=lambda item: word_key(item[0])):
            letters = [letter_expression(letter) for letter in word]
            body = product_of(letters) if letters else sp.Identity(shape[0])
            coefficient = self.canonical(c)
            parts.append(body if coefficient == 1 else sp.MatMul(coefficient, body))
        if not parts:
            return sp.ZeroMatrix(*shape)
        return parts[0] if len(parts) == 1 else sp.MatAdd(*parts)

    def _trace(self, words: dict[Word, sp.Expr], size: Any) -> list[Term]:
        out: list[Term] = []
        for word, c in sorted(words.items(), key=lambda item: word_key(item[0])):
            out += self._times(self._terms(c), self._trace_word(word, size))
        return out

    def _trace_word(self, word: Word, size: Any) -> list[Term]:
        word, size = reduce_cyclic(word, size)
        if not word:
            return self._terms(size)
        turns = [w[k:] + w[:k] for w in (word, transpose_word(word)) for k in range(len(word))]
        best = min(turns, key=word_key)
        return atom_term(TraceWord(*[sp.Tuple(m, int(t), int(i)) for m, t, i in best]))

    def _log_determinant(self, m: Any) -> list[Term]:
        """``log det`` of a product of positive definite letters is not split: it stays one atom."""
        words = {w: c for w, c in self.words(m).items() if self.polynomial(c)}
        flipped = {transpose_word(w): c for w, c in words.items()}
        forms = [self.matrix_expression(w, m.shape) for w in (words, flipped)]
        if len(words) == 1:
            ((word, c),) = words.items()
            if len(word) == 1 and word[0][2] and self.equal(c, 1):  # log det A⁻¹ = -log det A
                return [(-ONE, {LogDet(word[0][0]): ONE}, ())]
            if len(word) == 1 and self.is_positive(self.polynomial(c)):
                inner = self.matrix_expression({word: sp.Integer(1)}, m.shape)
                scale = self._terms(m.shape[0] * sp.log(c))
                return [*scale, (ONE, {LogDet(inner): ONE}, ())]
        return atom_term(LogDet(min(forms, key=key)))

    def _matrix_expectation(self, m: Any) -> dict[Word, sp.Expr]:
        out = []
        for word, c in self.words(m).items():
            if is_random(c):
                raise TooLarge("the expectation of a random multiple of a matrix")
            first, last = random_span(word)
            if first is None:
                out.append({word: c})
                continue
            middle = word[first : last + 1]
            letter = self._moment_letter(middle)
            out.append({(*word[:first], letter, *word[last + 1 :]): c})
        return add_words(out)

    def _moment_letter(self, word: Word) -> Letter:
        if len(word) == 1:
            m, t, i = word[0]
            if not i:
                return (MatrixExpectation(m), t, False)
        flipped = transpose_word(word)
        use_flipped = word_key(flipped) < word_key(word)
        best = flipped if use_flipped else word
        body = product_of([letter_expression(x) for x in best])
        symmetric = flipped == word
        cls = SymmetricMoment if symmetric else MatrixExpectation
        return (cls(body), use_flipped and not symmetric, False)

    def _trace_expectation(self, atom: TraceWord) -> Any:
        """``E tr(D R) = tr(D E[R])`` when the random letters are neighbours on the cycle."""
        word = atom.word
        turns = [word[k:] + word[:k] for k in range(len(word))]
        spans = [(random_span(w), w) for w in turns]
        (first, last), best = min(
            spans, key=lambda item: (item[0][1] - item[0][0], word_key(item[1]))
        )
        letter = self._moment_letter(best[first : last + 1])
        rest = best[last + 1 :] + best[:first]
        terms = self._trace_word((letter, *rest), letter_shape(letter)[0])
        return next(iter(terms[0][1]))

    # ------------------------------------------------------------------ collecting

    def _collect(self, terms: list[Term]) -> Polynomial:
        if len(terms) > MAX_TERMS:
            raise TooLarge(f"more than {MAX_TERMS} terms")
        out: Polynomial = {}
        for term in terms:
            for c, f, b in self._contract(*term):
                m = self._name_bounds(f, b)
                out[m] = out.get(m, Fraction(0)) + c
        return {m: c for m, c in out.items() if c}

    def _contract(self, c: Fraction, f: Factors, bounds: tuple[Bound, ...]) -> list[Term]:
        """Remove Kronecker deltas and sums over an index that no longer occurs."""
        for atom in [a for a in f if isinstance(a, sp.KroneckerDelta)]:
            for index, other in (atom.args, atom.args[::-1]):
                mine = [b for b in bounds if b[0] == index]
                if not mine or index in free(other) or not self._same_range(other, mine[0], bounds):
                    continue
                rest = tuple(b for b in bounds if b[0] != index)
                if any(index in free(x) for b in rest for x in b[1:]):
                    continue
                left = {a: p for a, p in f.items() if a != atom}
                moved: list[Term] = [(c, {}, rest)]
                for a, p in left.items():
                    changed = replace(a, {index: other})
                    terms = [(ONE, {a: p}, ())] if changed == a else self._reterm(changed, p)
                    moved = self._times(moved, terms)  # type: ignore[arg-type]
                return [t for m in moved for t in self._contract(*m)]
        for b in bounds:
            index, low, high = b
            if any(index in free(a) for a in f):
                continue
            rest = tuple(x for x in bounds if x is not b)
            if any(index in free(x) for r in rest for x in r[1:]):
                continue
            count = sp.expand(high - low + 1)
            if not nonnegative_integer(count):
                continue
            terms = self._times([(c, f, rest)], self._terms(count))
            return [t for m in terms for t in self._contract(*m)]
        return [(c, f, bounds)]

    def _reterm(self, atom: Any, power: Fraction) -> list[Term]:
        """Return the terms of a power of an atom in which an index was replaced."""
        if power.denominator == 1 and power > 0:
            return self._power(atom, number(power))
        return self._rational_power(self.polynomial(atom), power)

    def _same_range(self, other: Any, mine: Bound, bounds: tuple[Bound, ...]) -> bool:
        _, low, high = mine
        for b in bounds:
            if b[0] == other:
                return bool(b[1] == low and b[2] == high)
        known = self.ranges.get(other)
        if known is not None:
            return bool(known[0] == low and known[1] == high)
        return nonnegative_integer(other - low) and nonnegative_integer(high - other)

    def _name_bounds(self, f: Factors, bounds: tuple[Bound, ...]) -> Monomial:
        """Give bound indices their canonical names, whatever order they came in."""
        if not bounds:
            return (tuple(sorted(f.items(), key=factor_key)), ())
        hidden = {b[0]: BoundIndex("?") for b in bounds}
        # The level counts the names bound inside the atoms, not those that are named here.
        level = 1 + max((depth(replace(a, hidden)) for a in f), default=0)

        def signature(b: Bound) -> tuple[str, ...]:
            marked = {**hidden, b[0]: BoundIndex("!")}
            inside = [(key(replace(a, marked)), str(p)) for a, p in f.items() if b[0] in free(a)]
            return (
                key(replace(b[1], hidden)),
                key(replace(b[2], hidden)),
                *(text for item in sorted(inside) for text in item),
            )

        ranked = sorted(((signature(b), b) for b in bounds), key=lambda item: item[0])
        blocks = [[b for _, b in g] for _, g in itertools.groupby(ranked, key=lambda item: item[0])]
        if any(len(block) > 5 for block in blocks):
            raise TooLarge("more than five interchangeable summation signs")
        best: tuple[Any, Monomial] | None = None
        for choice in itertools.product(*(itertools.permutations(block) for block in blocks)):
            if best is not None:
                self.budget.spend(len(f))
            order = [b for block in choice for b in block]
            names = {b[0]: BoundIndex(f"{level}_{k}") for k, b in enumerate(order)}
            factors = tuple(
                sorted(((replace_sorted(a, names), p) for a, p in f.items()), key=factor_key)
            )
            limits = tuple(
                (names[i], replace(low, names), replace(high, names)) for i, low, high in order
            )
            rank = tuple(factor_key(item) for item in factors)
            if best is None or rank < best[0]:
                best = (rank, (factors, limits))
        assert best is not None
        return best[1]

    # ------------------------------------------------------------------ signs

    def _shape(self, p: Polynomial) -> Any:
        """Return a polynomial up to a positive factor, as a key."""
        scale = abs(p[min(p, key=monomial_key)]) if p else ONE
        return frozenset((m, c / scale) for m, c in p.items())

    def is_positive(self, p: Polynomial) -> bool:
        """Say whether a polynomial is known to be positive."""
        if self._shape(p) in self._positive:
            return True
        return (
            bool(p)
            and all(self._monomial_sign(m, c) >= 0 for m, c in p.items())
            and any(self._monomial_sign(m, c) > 0 for m, c in p.items())
        )

    def is_nonnegative(self, p: Polynomial) -> bool:
        """Say whether a polynomial is known to be nonnegative."""
        if {self._shape(p)} & (self._positive | self._nonnegative):
            return True
        return all(self._monomial_sign(m, c) >= 0 for m, c in p.items())

    def _monomial_sign(self, m: Monomial, c: Fraction) -> int:
        """Return 1 for positive, 0 for nonnegative, -1 for unknown."""
        if c < 0:
            return -1
        factors, bounds = m
        with self._ranging(bounds):
            sign = min((self._power_sign(a, e) for a, e in factors), default=1)
        if any(not nonnegative_integer(high - low) for _, low, high in bounds):
            sign = min(sign, 0)
        return sign

    @contextlib.contextmanager
    def _ranging(self, bounds: Iterable[Any]) -> Iterator[None]:
        """Make the ranges of bound indices known while signs are asked for."""
        limits = {i: (low, high) for i, low, high in bounds}
        if not limits:
            yield
            return
        # What holds for an index in this range is not to be remembered for the index elsewhere.
        before, cache = {i: self._scope[i] for i in limits if i in self._scope}, self._cache
        self._scope.update(limits)
        self._cache = cache.inside.setdefault(tuple(limits.items()), _Remembered())
        try:
            yield
        finally:
            for i in limits:
                del self._scope[i]
            self._scope.update(before)
            self._cache = cache

    def _sign_declared(self, a: Any, strict: bool) -> bool:
        """Say whether a hypothesis for all indices gives the sign of a member of a family."""
        if not isinstance(a, sp.Indexed):
            return False
        for atom, index, low, high, positive in self.signs:
            if atom.base != a.base or (strict and not positive):
                continue
            if len(atom.indices) != len(a.indices):
                continue
            pairs = list(zip(atom.indices, a.indices, strict=True))
            places = {t for p, t in pairs if p == index}
            if len(places) != 1 or any(p != t for p, t in pairs if p != index):
                continue
            (t,) = places
            known = self._scope.get(t) or self.ranges.get(t)
            if known == (low, high) or (
                nonnegative_integer(t - low) and nonnegative_integer(high - t)
            ):
                return True
        return False

    def _power_sign(self, atom: Any, power: Fraction) -> int:
        if self.is_positive_atom(atom):
            return 1
        even = power.denominator == 1 and power % 2 == 0
        if even and is_leaf(atom) and atom.is_nonzero:
            return 1
        # A negative power that exists has a base other than zero.
        if even or self.is_nonnegative_atom(atom):
            return 1 if power < 0 else 0
        return -1

    def is_positive_atom(self, a: Any) -> bool:
        """Say whether an atom is known to be positive."""
        known = self._cache.positive
        if a not in known:
            known[a] = self._is_positive_atom(a)
        return known[a]

    def _is_positive_atom(self, a: Any) -> bool:
        if a.is_Rational:
            return bool(a > 0)
        if isinstance(a, sp.exp):
            return True
        if is_leaf(a):
            if a.is_positive or self._known(a, self._positive):
                return True
            return self._sign_declared(a, strict=True)
        if isinstance(a, sp.Product):
            with self._ranging(a.limits):
                return self.is_positive(self.polynomial(a.function))
        if isinstance(a, Expectation):
            if self._known(a, self._positive):
                return True
            return not is_vector_atom(a) and self.is_positive(self.polynomial(a.args[0]))
        if isinstance(a, AppliedUndef):
            return "positive" in properties_of(a.func) or self._known(a, self._positive)
        if isinstance(a, (sp.Add, sp.Sum, sp.Mul)):
            return self.is_positive(self.polynomial(a))
        if isinstance(a, sp.log):
            return self._known(a, self._positive) or bool(a.args[0].is_Integer and a.args[0] > 1)
        return self._known(a, self._positive)

    def is_nonnegative_atom(self, a: Any) -> bool:
        """Say whether an atom is known to be nonnegative."""
        known = self._cache.nonnegative
        if a not in known:
            known[a] = self._is_nonnegative_atom(a)
        return known[a]

    def _is_nonnegative_atom(self, a: Any) -> bool:
        if self.is_positive_atom(a):
            return True
        if isinstance(a, Dot):
            return bool(a.args[0] == a.args[1]) or self._known(a, self._nonnegative)
        if isinstance(a, (sp.Abs, Indicator, sp.KroneckerDelta)):
            return True
        if is_leaf(a):
            if a.is_nonnegative or self._known(a, self._nonnegative):
                return True
            return self._sign_declared(a, strict=False)
        if isinstance(a, sp.Product):
            with self._ranging(a.limits):
                return self.is_nonnegative(self.polynomial(a.function))
        if isinstance(a, TraceWord):
            return self._trace_is_square(a.word)
        if isinstance(a, Expectation):
            if self._known(a, self._nonnegative):
                return True
            return not is_vector_atom(a) and self.is_nonnegative(self.polynomial(a.args[0]))
        if isinstance(a, AppliedUndef):
            return "nonnegative" in properties_of(a.func) or self._known(a, self._nonnegative)
        if isinstance(a, (sp.Add, sp.Sum, sp.Mul)):
            return self.is_nonnegative(self.polynomial(a))
        if isinstance(a, sp.Max):
            return any(self.is_nonnegative(self.polynomial(x)) for x in a.args)
        return self._known(a, self._nonnegative)

    def _trace_is_square(self, word: Word) -> bool:
        """Say whether a trace is ``tr(VᵀV)`` or ``tr(VᵀPV)`` with P positive semidefinite."""
        for k in range(len(word)):
            turned = word[k:] + word[:k]
            half = len(word) // 2
            left, right = turned[:half], turned[len(word) - half :]
            if transpose_word(right) != left:
                continue
            if len(word) % 2 == 0 or turned[half][0] in self.semidefinite:
                return True
        return False

    def _known(self, a: Any, known: set[Any]) -> bool:
        return frozenset({((((a, ONE),), ()), ONE)}) in known


class Composite(MatrixExpr):  # type: ignore[misc]
    """A sum of matrices that is to be inverted, taken as one letter."""

    @property
    def shape(self) -> tuple[sp.Expr, sp.Expr]:
        """The shape of the matrix."""
        return self.args[0].shape  # type: ignore[no-any-return]

    def _sympystr(self, printer: Any) -> str:
        return str(printer._print(self.args[0]))

    def _latex(self, printer: Any) -> str:
        return rf"\left({printer._print(self.args[0])}\right)"


class SymmetricComposite(Composite):
    """A composite letter that equals its transpose."""


class SymmetricMoment(MatrixExpectation):
    """The expectation of a random matrix that equals its transpose."""


_SYMMETRIC = (SymmetricMatrix, SymmetricComposite, SymmetricMoment, sp.Identity)


def is_leaf(a: Any) -> bool:
    """Say whether an atom is a single symbol or member of a family."""
    return isinstance(a, (sp.Symbol, sp.Indexed))


def is_compound(a: Any) -> bool:
    """Say whether an atom is a sum (of terms or over an index) that a power keeps together."""
    return isinstance(a, (sp.Add, sp.Sum, sp.Mul))


def is_atom(a: Any) -> bool:
    """Say whether an expression is an atom of the normal form."""
    return not is_compound(a)


def single(outside: list[tuple[Any, Fraction]], unsure: list[Any]) -> bool:
    """Say whether the one factor of unknown sign has power one."""
    return all(e == 1 for a, e in outside if a in unsure)


def terms_of(p: Polynomial) -> list[Term]:
    """Return the terms of a polynomial."""
    return [(c, dict(m[0]), m[1]) for m, c in p.items()]


def atom_term(a: Any) -> list[Term]:
    """Return the terms of a single atom."""
    return [(ONE, {interned(a): ONE}, ())]


def add(left: Iterable[tuple[Any, Fraction]], right: Mapping[Any, Fraction]) -> Factors:
    """Return the product of two products of powers."""
    out = dict(left)
    for a, p in right.items():
        out[a] = out[a] + p if a in out else p
    return out


def split_vector(f: Factors, e: Any) -> tuple[Any, Factors]:
    """Split a product into its one vector and the rest."""
    found = [a for a in f if is_vector_atom(a) or is_vector_mean(a)]
    if len(found) != 1 or f[found[0]] != 1:
        raise IllTyped(f"{e} needs one vector on each side")
    return found[0], {a: p for a, p in f.items() if a != found[0]}


def is_vector_mean(a: Any) -> bool:
    """Say whether an atom is the mean of a random vector."""
    return isinstance(a, Expectation) and any(
        is_vector_atom(x) for x in sp.Mul.make_args(a.args[0])
    )


@functools.lru_cache(maxsize=100_000)
def _replace(e: Any, items: tuple[tuple[Any, Any], ...]) -> Any:
    return interned(substitute(e, dict(items)))


def replace(e: Any, names: Mapping[Any, Any]) -> Any:
    """Replace indices in an atom."""
    hit = tuple((k, v) for k, v in names.items() if k in free(e))
    return _replace(e, hit) if hit else e


def replace_sorted(a: Any, names: Mapping[Any, Any]) -> Any:
    """Replace indices in an atom and put the arguments of inner products back in order."""
    a = replace(a, names)
    if isinstance(a, Dot):
        return Dot(*sorted(a.args, key=key))
    return a


@functools.lru_cache(maxsize=50_000)
def depth(e: Any) -> int:
    """Return how many levels of bound names an atom uses."""
    levels = [int(s.name.split("_")[0]) for s in e.atoms(BoundIndex) if "_" in s.name]
    return max(levels, default=0)


def factor_key(item: tuple[Any, Fraction]) -> tuple[str, Fraction]:
    """Return the sort key of a power of an atom."""
    return key(item[0]), item[1]


@functools.lru_cache(maxsize=100_000)
def monomial_key(m: Monomial) -> tuple[Any, ...]:
    """Return the sort key of a monomial."""
    factors, bounds = m
    return (
        len(bounds),
        tuple(factor_key(item) for item in factors),
        tuple(key(x) for b in bounds for x in b),
    )


def sorted_items(p: Polynomial) -> list[tuple[Monomial, Fraction]]:
    """Return the terms of a polynomial in canonical order."""
    return sorted(p.items(), key=lambda item: monomial_key(item[0]))


def order_limits(bounds: Iterable[Bound]) -> list[sp.Tuple]:
    """Return limits for SymPy, inner ones first."""
    left, out = list(bounds), []
    while left:
        for b in left:
            if not any(b[0] in free(x) for o in left if o is not b for x in o[1:]):
                out.append(b)
                left.remove(b)
                break
        else:
            raise IllTyped("the limits of a sum depend on each other in a circle")
    return [sp.Tuple(*b) for b in out]


def nonnegative_integer(e: Any) -> bool:
    """Say whether a linear combination of integer symbols is nonnegative by their signs."""
    constant, rest = sp.expand(e).as_coeff_Add()
    lowest = constant
    for part in sp.Add.make_args(rest) if rest != 0 else ():
        coefficient, symbol = part.as_coeff_Mul()
        if not (coefficient.is_Integer and coefficient > 0 and symbol.is_Symbol):
            return False
        if not (symbol.is_integer and symbol.is_nonnegative):
            return False
        lowest += coefficient if symbol.is_positive else 0
    return bool(lowest.is_Integer and lowest >= 0)


def gcd(a: int, b: int) -> int:
    """Return the greatest common divisor."""
    return int(sp.igcd(a, b))


def lcm(a: int, b: int) -> int:
    """Return the least common multiple."""
    return int(sp.ilcm(a, b))


def is_symmetric(m: Any) -> bool:
    """Say whether a letter equals its own transpose by its type."""
    return isinstance(m, _SYMMETRIC)


def transpose_word(word: Word) -> Word:
    """Return the transpose of a product of letters."""
    return tuple((m, False if is_symmetric(m) else not t, i) for m, t, i in reversed(word))


def letter_shape(letter: Letter) -> tuple[Any, Any]:
    """Return the shape of a letter."""
    m, t, _ = letter
    return (m.shape[1], m.shape[0]) if t else (m.shape[0], m.shape[1])


def square_letter(letter: Letter) -> bool:
    """Say whether a letter is square."""
    return bool(letter[0].shape[0] == letter[0].shape[1])


def letter_expression(letter: Letter) -> MatrixExpr:
    """Return a letter as a SymPy matrix."""
    m, t, i = letter
    if isinstance(m, Composite):
        m = m.args[0]
    if i:
        m = Inverse(m)
    return sp.Transpose(m) if t else m


def product_of(matrices: list[Any]) -> MatrixExpr:
    """Return the product of matrices, unevaluated."""
    return matrices[0] if len(matrices) == 1 else sp.MatMul(*matrices)


def word_key(word: Word) -> tuple[Any, ...]:
    """Return the sort key of a word."""
    return (len(word), tuple((key(m), t, i) for m, t, i in word))


def reduce_word(word: Word) -> Word:
    """Cancel a letter against its inverse."""
    out: list[Letter] = []
    for m, t, i in word:
        if out and out[-1] == (m, t, not i):
            out.pop()
        else:
            out.append((m, t, i))
    return tuple(out)


def reduce_cyclic(word: Word, size: Any) -> tuple[Word, Any]:
    """Cancel inverse letters also across the ends; return the word and the size of the trace."""
    word = reduce_word(word)
    while len(word) > 1:
        m, t, i = word[0]
        if word[-1] != (m, t, not i):
            break
        word = word[1:-1]
    return word, size


def add_words(parts: Iterable[dict[Word, sp.Expr]]) -> dict[Word, sp.Expr]:
    """Return the sum of combinations of words."""
    out: dict[Word, sp.Expr] = {}
    for part in parts:
        for w, c in part.items():
            out[w] = out.get(w, sp.Integer(0)) + c
    return {w: c for w, c in out.items() if c != 0}


def random_span(word: Word) -> tuple[Any, Any]:
    """Return the first and last position of a random letter."""
    hits = [k for k, (m, _, _) in enumerate(word) if is_random(m)]
    return (hits[0], hits[-1]) if hits else (None, None)
