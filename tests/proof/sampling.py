"""Random models in which a claim can be tried out by the independent evaluator."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import evaluator as ev
import sympy as sp
from claims import Claim, Gradient
from sympy.core.function import AppliedUndef

SIZE = 6  # families have values at 0, ..., SIZE

FUNCTIONS = [
    (lambda r: r * r, lambda r: 2 * r),
    (lambda r: r, lambda r: Fraction(1)),
    (lambda r: -r, lambda r: Fraction(-1)),
    (lambda r: -r * r, lambda r: -2 * r),
    (lambda r: r * r + r - 3, lambda r: 2 * r + 1),
    (lambda r: max(r, Fraction(0)), lambda r: Fraction(int(r > 0))),
    (lambda r: Fraction(2), lambda r: Fraction(0)),
    (lambda r: r**3, lambda r: 3 * r * r),
    (lambda r: abs(r), lambda r: Fraction((r > 0) - (r < 0))),
]


def terms_of(claim: Claim) -> list[Any]:
    left = claim.left
    sides = [left.term, left.variable] if isinstance(left, Gradient) else [left]
    return [sp.sympify(t) for t in [*sides, claim.right, *claim.given]]


def _number(rng: random.Random) -> Fraction:
    pick = rng.random()
    if pick < 0.35:
        return Fraction(rng.choice([-1, 0, 1]))
    if pick < 0.6:
        return Fraction(rng.randint(0, 8), 8)
    return Fraction(rng.randint(-12, 12), rng.randint(1, 4))


def _real(rng: random.Random, symbol: Any) -> Fraction:
    while True:
        value = _number(rng)
        if ev._as_declared(symbol, value):
            return value


def _shares(rng: random.Random, count: int) -> list[Fraction]:
    parts = [rng.randint(1, 6) for _ in range(count)]
    return [Fraction(p, sum(parts)) for p in parts]


def _vector(rng: random.Random, width: int) -> tuple[Fraction, ...]:
    return tuple(_number(rng) for _ in range(width))


def _law(rng: random.Random, draw: Callable[[], Any] | None = None) -> list[tuple[Any, Fraction]]:
    """Return a law with up to three values, numbers unless told how to draw them."""
    count = rng.randint(1, 3)
    return [(_number(rng) if draw is None else draw(), p) for p in _shares(rng, count)]


def _family_of_laws(rng: random.Random, arity: int) -> Any:
    """Return laws of the members of a random family: independent or not, alike or not."""
    members: list[Any] = [1, 2, 3] if arity == 1 else [(j, i) for j in (1, 2) for i in (1, 2)]
    pick = rng.random()
    if pick < 0.3:  # one joint law of all members
        return _law(rng, lambda: ({k: _number(rng) for k in members},))
    shared = _law(rng)
    return {k: shared if pick < 0.7 else _law(rng) for k in members}


@functools.lru_cache(maxsize=100)
def _subterms(terms: tuple[Any, ...]) -> list[Any]:
    """Return all subterms of terms, in an order that does not depend on hashes."""
    return sorted({a for t in terms for a in sp.preorder_traversal(t)}, key=str)


@functools.lru_cache(maxsize=100)
def _member(family: Any) -> Any:
    """Return a member of a family, which knows what all of them are declared to be."""
    return family[1]


def sample(terms: list[Any], rng: random.Random) -> dict[str, Any]:
    """Give every symbol in the terms a value that respects its declaration."""
    atoms = _subterms(tuple(terms))
    labels = {a.label for a in atoms if isinstance(a, sp.IndexedBase)}
    bound = {lim[0] for a in atoms if isinstance(a, sp.Sum | sp.Product) for lim in a.limits}
    bound |= {a.args[0] for a in atoms if type(a).__name__ == "ForEach"}
    size = rng.randint(1, 3)
    width = rng.randint(1, 3)
    names = [a.name for a in atoms if type(a).__name__ == "RandomVariable"]
    model: dict[str, Any] = {}
    if len(names) > 1 and rng.random() < 0.5:
        support = [tuple(_number(rng) for _ in names) for _ in range(rng.randint(1, 3))]
        shares = _shares(rng, len(support))
        model[",".join(names)] = list(zip(support, shares, strict=True))
    for atom in atoms:
        kind = type(atom).__name__
        if (
            kind == "Symbol"
            and atom not in labels
            and atom not in bound
            and not _matrix_name(atom, atoms)
        ):
            if atom.is_integer:
                model[atom.name] = (
                    rng.randint(1 if atom.is_positive else 0, 3) if rng.random() < 0.5 else size
                )
            else:
                model[atom.name] = _real(rng, atom)
        elif kind == "Vector":
            model[atom.name] = _vector(rng, width)
        elif kind == "RandomVector":
            model[atom.name] = _law(rng, lambda: _vector(rng, width))
        elif kind == "RandomVariable" and not any(atom.name in k.split(",") for k in model):
            model[atom.name] = _law(rng)
    shares = {count: _shares(rng, count) for count in (1, 2, 3)}
    normalised = rng.random() < 0.6
    for atom in atoms:
        if not isinstance(atom, sp.IndexedBase):
            continue
        name, kind = str(atom.label), type(atom).__name__
        members = [a for a in atoms if isinstance(a, sp.Indexed) and a.base == atom]
        arity = max((len(a.indices) for a in members), default=1)
        if kind == "VectorFamily":
            model[name] = {k: tuple(_number(rng) for _ in range(width)) for k in range(SIZE + 1)}
        elif kind == "RandomFamily":
            model[name] = _family_of_laws(rng, arity)
        elif _member(atom).is_integer:
            model[name] = {k: Fraction(rng.randint(1, size)) for k in range(SIZE + 1)}
        elif arity == 1 and _member(atom).is_positive and normalised:
            count = next((v for k, v in model.items() if k in ("n", "K")), size)
            parts = _shares(rng, count)
            model[name] = {
                k: parts[k - 1] if 1 <= k <= count else Fraction(1) for k in range(SIZE + 1)
            }
        else:
            flip = rng.random() < 0.3 and not _member(atom).is_nonnegative

            def entry(atom: Any = atom, flip: bool = flip) -> Fraction:
                return Fraction(rng.choice([-1, 1])) if flip else _real(rng, _member(atom))

            model[name] = (
                {k: entry() for k in range(SIZE + 1)}
                if arity == 1
                else {k: {j: entry() for j in range(SIZE + 1)} for k in range(SIZE + 1)}
            )
    run = ev.Evaluation(model)
    for atom in atoms:
        kind = type(atom).__name__
        if kind in ("Matrix", "SymmetricMatrix"):
            rows, columns = (run.integer(s, {}) for s in atom.shape)
            model[atom.name] = _matrix(rng, rows, columns, kind == "SymmetricMatrix")
        elif kind == "RandomMatrix":
            rows, columns = (run.integer(s, {}) for s in atom.shape)
            model[atom.name] = _random_matrix(rng, rows, columns)
        elif isinstance(atom, AppliedUndef) and kind not in model:
            name = kind.rstrip("'")
            declared = _declared(atoms, name)
            options = [f for f in FUNCTIONS if ev._function_as_declared(f[0], declared)]
            model[name], model[name + "'"] = rng.choice(options)
    return model


def _declared(atoms: list[Any], name: str) -> tuple[str, ...]:
    for atom in atoms:
        if isinstance(atom, AppliedUndef) and type(atom).__name__ == name:
            return tuple(atom.func.declared)
    return ()


def _matrix_name(symbol: Any, atoms: list[Any]) -> bool:
    return any(isinstance(a, sp.MatrixSymbol) and a.name == str(symbol) for a in atoms)


def _matrix(rng: random.Random, rows: int, columns: int, symmetric: bool) -> list[list[Fraction]]:
    entries = [[_number(rng) for _ in range(columns)] for _ in range(rows)]
    if symmetric or (rows == columns and rng.random() < 0.4):
        entries = [[entries[max(r, c)][min(r, c)] for c in range(columns)] for r in range(rows)]
        for r in range(rows):
            entries[r][r] = abs(entries[r][r]) + 4
    if rows >= columns and rng.random() < 0.2:  # orthonormal columns
        entries = [[Fraction(int(r == c)) for c in range(columns)] for r in range(rows)]
    return entries


def _random_matrix(rng: random.Random, rows: int, columns: int) -> list[tuple[Any, Fraction]]:
    return _law(rng, lambda: [_vector(rng, columns) for _ in range(rows)])


def models(claim: Claim, seed: int, tries: int, wanted: int) -> Iterator[dict[Any, Any]]:
    """Yield different models of the hypotheses that decide the conclusion.

    First the witness, with values for what it leaves open; then models that share all, most, half
    or nothing of it; in the end, where few were found, all but one value in turn.
    """
    rng = random.Random(f"{seed} {claim.name}")
    terms = terms_of(claim)
    witness = _readable(claim.witness or {})
    seen: set[str] = set()
    names = sorted(witness)
    for attempt in range(tries + 12 * len(names)):
        model = sample(terms, rng)
        late = attempt >= tries
        kept = 1.0 if late else (1.0, 0.8, 0.5, 0.0)[attempt % 4]
        for name, value in witness.items():
            if rng.random() < kept and not (late and name == names[attempt % len(names)]):
                parts = set(name.split(","))
                model = {k: v for k, v in model.items() if not parts & set(k.split(","))}
                model[name] = value
        if attempt % 2:
            _define(model, claim.given)
        try:
            fit = satisfies(model, claim.given) and truth(claim, model) is not None
        except (ev.NoValue, KeyError, OverflowError, ev.Mismatch):
            continue
        told = str(sorted(model.items()))
        if fit and told not in seen:
            seen.add(told)
            yield model
        if len(seen) == wanted:
            return


def _define(model: dict[str, Any], given: Any) -> None:
    """Give a number that a hypothesis equates with a term in other numbers the value of that term.

    No drawing of lots would hit it.
    """
    for h in given:
        if type(h).__name__ != "Equality" or type(h.lhs) is not sp.Symbol:
            continue
        values = {s: model.get(str(s)) for s in h.rhs.free_symbols}
        if h.lhs in values or not all(isinstance(v, int | Fraction) for v in values.values()):
            continue
        value = h.rhs.subs({s: sp.Rational(v) for s, v in values.items()})
        if value.is_real:
            exact = value.is_Rational
            model[h.lhs.name] = Fraction(int(value.p), int(value.q)) if exact else value


def _readable(witness: dict[Any, Any]) -> dict[str, Any]:
    """Return a witness by names; a function comes with its derivative."""
    model: dict[str, Any] = {}
    slot = sp.Symbol("slot", real=True)
    for key, value in witness.items():
        name = ev._name(key)
        if callable(value) and not isinstance(value, sp.Basic):
            formula = sp.sympify(value(slot))
            model[name] = sp.Lambda(slot, formula)
            model[name + "'"] = sp.Lambda(slot, sp.diff(formula, slot))
        else:
            model[name] = value
    return model


def satisfies(model: dict[Any, Any], hypotheses: Any) -> bool:
    """Say whether every hypothesis holds; equations between irrationals to thirty digits."""
    return all(ev.nearly(h, model, 1e-30) for h in hypotheses)


def truth(claim: Claim, model: dict[Any, Any]) -> bool | None:
    """Decide the conclusion of a claim in a model; gradients to eight digits."""
    right = ev.evaluate(claim.right, model)
    if isinstance(claim.left, Gradient):
        left = ev.gradient(claim.left.term, claim.left.variable, model)
        pairs = ev._pairs(left, right)
        largest = max(_gap(q, Fraction(0)) for _, q in pairs)
        return all(_gap(p, q) < 1e-8 * (1 + largest) for p, q in pairs)
    left = ev.evaluate(claim.left, model)
    answer = ev.compare(left, claim.operator, right)
    if answer is None and claim.operator in ("==", "<=", ">="):
        close = all(
            _gap(p, q) < 1e-25 * (1 + _gap(q, Fraction(0))) for p, q in ev._pairs(left, right)
        )
        return True if close else None
    return answer


def _gap(p: Any, q: Any) -> float:
    """Return an upper bound of how far apart two numbers are."""
    return float(ev.interval(abs(ev.add(p, ev.multiply(Fraction(-1), q)))).b.b)


def trials(
    claim: Claim, seed: int, tries: int, wanted: int
) -> Iterator[tuple[dict[Any, Any], bool | None]]:
    """Yield models of the hypotheses with the truth of the conclusion there."""
    rng = random.Random(seed)
    terms = terms_of(claim)
    found = 0
    for _ in range(tries):
        model = sample(terms, rng)
        try:
            if satisfies(model, claim.given):
                yield model, truth(claim, model)
                found += 1
        except (ev.NoValue, KeyError, OverflowError):
            continue
        if found == wanted:
            return
