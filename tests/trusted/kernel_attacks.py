"""False theorems, as certificates that a sound checker refuses, and the true ones beside them.

Statements are written in the language of the axioms. ``Certificate`` collects terms and steps;
``FALSE`` and ``TRUE`` are lists of (name, function that returns certificates).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

READ = Callable[[str, Mapping[str, Any]], Any]
VARIABLES: dict[str, Any] = {
    **dict.fromkeys(("x", "y", "z", "r"), "R"),
    **dict.fromkeys(("i", "j", "n", "m"), "Z"),
    **dict.fromkeys(("u", "v"), "V"),
    **dict.fromkeys(("p", "q"), "P"),
    "w": "W",
    "o": "U",
    "a": ["R", "Z"],
    "b": ["R", "Z"],
    "c": ["R", "Z", "Z"],
    "X": ["R", "W"],
    "Y": ["R", "W"],
    "Yk": ["R", "Z", "W"],
    "h": ["R", "U"],
    "l": ["R", "U"],
    "f": ["R", "R"],
    "g": ["R", "R"],
    "xs": ["V", "Z"],
    "ys": ["V", "Z", "Z"],
    "Q": ["P", "Z"],
    "U": ["P", "R"],
    **dict.fromkeys(("A", "B", "C"), "M:s:s"),
    "G": "M:s:t",
    "H": "M:t:s",
}


class Certificate:
    """A certificate under construction."""

    def __init__(self, read: READ, name: str = "attack") -> None:
        self.read, self.name = read, name
        self.rows: list[Any] = []
        self.steps: list[Any] = []
        self._known: dict[Any, int] = {}

    def term(self, t: Any) -> int:
        """Return the row of a term, given as text or as a term."""
        if isinstance(t, str):
            t = self.read(t, VARIABLES)
        if t not in self._known:
            args = [self.term(a) for a in t.args]
            self.rows.append([t.op, *t.data, *args])
            self._known[t] = len(self.rows) - 1
        return self._known[t]

    def row(self, *row: Any) -> int:
        """Add a row as it is."""
        self.rows.append(list(row))
        return len(self.rows) - 1

    def step(self, *row: Any) -> int:
        """Add a step; return its number."""
        self.steps.append(list(row))
        return len(self.steps) - 1

    def assume(self, text: str) -> int:
        return self.step("assume", self.term(text))

    def ring(self, text: str) -> int:
        return self.step("ring", self.term(text))

    def convert(self, step: int, text: str) -> int:
        return self.step("convert", step, self.term(text))

    def psatz(self, goal: str, *parts: tuple[str, Sequence[int], Sequence[str]]) -> int:
        rows = [[self.term(m), list(f), [self.term(s) for s in sq]] for m, f, sq in parts]
        return self.step("psatz", self.term(goal), rows)

    def linear(self, goal: str, *parts: tuple[str, int, str | None]) -> int:
        rows = [[self.term(a), f, None if b is None else self.term(b)] for a, f, b in parts]
        return self.step("linear", self.term(goal), rows)

    def axiom(self, name: str) -> int:
        return self.step("axiom", name)

    def substitute(self, step: int, *pairs: tuple[str, Any, int]) -> int:
        """Substitute (name, declaration as in an axiom, row of the body)."""
        out = []
        for name, declared, body in pairs:
            sort, *arguments = [declared] if isinstance(declared, str) else declared
            out.append([name, sort, arguments, body])
        return self.step("substitute", step, out)

    def claim(self, conclusion: Any, *hypotheses: Any) -> list[dict[str, Any]]:
        """Return the certificate, alone in a list."""
        hyps = [self.term(h) for h in hypotheses]
        last = self.term(conclusion)
        return [
            {
                "name": self.name,
                "terms": self.rows,
                "steps": self.steps,
                "hypotheses": hyps,
                "conclusion": last,
            }
        ]


def ring_of(text: str) -> Callable[[READ], Any]:
    """Return the certificate that asks calculation for a statement."""

    def build(read: READ) -> Any:
        c = Certificate(read)
        c.ring(text)
        return c.claim(text)

    return build


def conversion(before: str, after: str) -> Callable[[READ], Any]:
    """Return the certificate that asks calculation to turn one statement into another."""

    def build(read: READ) -> Any:
        c = Certificate(read)
        c.convert(c.assume(before), after)
        return c.claim(after, before)

    return build


# What calculation must not believe. Each is false in some model.
NOT_EQUAL: dict[str, str] = {
    "x/x is one": "(= (* x (inv x)) 1)",
    "an integral of a sum, integrable or not": (
        "(= (int t (+ (h t) (l t))) (+ (int t (h t)) (int t (l t))))"
    ),
    "an integral of a constant": "(= (int t x) x)",
    "an integral of a product": "(= (int t (* (h t) (l t))) (* (int t (h t)) (int t (l t))))",
    "an integral of a value": "(= (int t (h o)) (h o))",
    "an integral of a square": "(= (int t (* (h t) (h t))) (* (int t (h t)) (int t (h t))))",
    "an integral of an absolute value": "(= (int t (abs (h t))) (abs (int t (h t))))",
    "an integral of a nonnegative multiple": "(<= 0 (int t (* (h t) (h t) (l t))))",
    "an integral over part of the points": (
        "(= (int t (* (h t) (ind (<= 0 (l t))))) (int t (h t)))"
    ),
    "an integral of integrals": "(= (int t (int s (* (h t) (l s)))) (int t (* (h t) (l t))))",
    "an integral of a sum over a range": (
        "(= (int t (sum k 1Z n (* (a k) (h t)))) (* (of n) (int t (h t))))"
    ),
    "a mean in an integral": "(= (int t (E o (X o))) (E o (X o)))",
    "means of the same outcome": "(= (E o (E w (* (X o) (X w)))) (E o (* (X o) (X o))))",
    "(x + y)/(x + y) is one": "(= (* (+ x y) (inv (+ x y))) 1)",
    "one over zero is one": "(= (inv 0) 1)",
    "zero over zero is one": "(= (* 0 (inv 0)) 1)",
    "a reciprocal of a sum is a sum of reciprocals": "(= (inv (+ x y)) (+ (inv x) (inv y)))",
    "the reciprocal of a multiple": "(= (inv (+ (* 2 x) (* 2 y))) (inv (+ x y)))",
    "the sign of a reciprocal": "(= (inv (+ (* -1 x) (* -1 y))) (inv (+ x y)))",
    "the root of a square": "(= (sqrt (* x x)) x)",
    "the logarithm of a square": "(= (log (* x x)) (* 2 (log x)))",
    "the logarithm of a product": "(= (log (* x y)) (+ (log x) (log y)))",
    "the exponential of a logarithm": "(= (exp (log x)) x)",
    "the exponential of a sum": "(= (exp (+ x y)) (+ (exp x) (exp y)))",
    "exp(2x) is exp(x)": "(= (exp (* 2 x)) (exp x))",
    "exp(0) is zero": "(= (exp 0) 0)",
    "1/exp(x) is exp(x)": "(= (inv (exp x)) (exp x))",
    "the zeroth power of zero": "(= (pow 0 0) 0)",
    "a product with a zeroth power": "(= (pow 0 x) x)",
    "an indicator is one": "(= (ind p) 1)",
    "powers of an absolute value": "(= (* (abs x) (abs x)) (abs x))",
    "max is min": "(= (max x y) (min x y))",
    "max is a difference": "(= (max x y) (max x z))",
    "a sum of a constant": "(= (sum k 1Z n x) x)",
    "a sum of a constant is a multiple": "(= (sum k 1Z n x) (* (of n) x))",
    "a product of a constant": "(= (prod k 1Z n x) x)",
    "a product of two": "(= (prod k 1Z n 2) 2)",
    "a product of zero": "(= (prod k 1Z n 0) 0)",
    "an empty product": "(= (prod k 1Z 0Z x) 0)",
    "an empty sum": "(= (sum k 1Z 0Z 1) 1)",
    "the number of terms": "(= (sum k 1Z 3Z 1) 2)",
    "a sum with its end left out": "(= (sum k 1Z 3Z (a k)) (+ (a 1Z) (a 2Z)))",
    "a sum with its start left out": "(= (sum k 1Z 3Z (a k)) (+ (a 2Z) (a 3Z)))",
    "a sum of products": (
        "(= (sum k 1Z n (* (a k) (b k))) (* (sum k 1Z n (a k)) (sum k 1Z n (b k))))"
    ),
    "the square of a sum": "(= (pow 2 (sum k 1Z n (a k))) (sum k 1Z n (pow 2 (a k))))",
    "a product of sums": (
        "(= (prod k 1Z n (+ (a k) (b k))) (+ (prod k 1Z n (a k)) (prod k 1Z n (b k))))"
    ),
    "the last term": "(= (sum k 1Z (+ n 1Z) (a k)) (+ (sum k 1Z n (a k)) (a (+ n 1Z))))",
    "a shifted index": "(= (sum k 1Z n (a (+ k 1Z))) (sum k 1Z n (a k)))",
    "a telescope": "(= (sum k 1Z n (+ (a (+ k 1Z)) (* -1 (a k)))) (+ (a n) (* -1 (a 1Z))))",
    "another range": "(= (sum k 1Z n (a k)) (sum k 1Z m (a k)))",
    "a captured index": (
        "(= (sum k 1Z n (sum l 1Z n (a k))) (sum k 1Z n (sum l 1Z n (* (a l) (a k)))))"
    ),
    "an index out of its sum": "(= (sum k 1Z n (* (a k) (b i))) (* (a i) (sum k 1Z n (b k))))",
    "a diagonal for a square": "(= (sum k 1Z n (sum l 1Z n (c k l))) (sum k 1Z n (c k k)))",
    "a transposed family": "(= (sum k 1Z n (* (a k) (c k i))) (sum k 1Z n (* (a k) (c i k))))",
    "transposed double sums": (
        "(= (sum k 1Z n (sum l 1Z m (c k l))) (sum k 1Z n (sum l 1Z m (c l k))))"
    ),
    "a triangle exchanged": (
        "(= (sum k 1Z n (sum l 1Z k (c k l))) (sum l 1Z n (sum k 1Z l (c k l))))"
    ),
    "a square of a sum as the sum": (
        "(= (sum l 1Z m (pow 2 (sum k 1Z n (c l k)))) (sum l 1Z m (sum k 1Z n (c l k))))"
    ),
    "a square of a sum in a mean as the sum": (
        "(= (E o (pow 2 (sum k 1Z n (Yk k o)))) (E o (sum k 1Z n (Yk k o))))"
    ),
    "a factor caught by an inner sum": (
        "(= (sum k 1Z n (* (a k) (sum l 1Z m (c k l))))"
        " (sum k 1Z n (sum l 1Z m (* (a l) (c k l)))))"
    ),
    "ranges exchanged without their indices": (
        "(= (sum k 1Z n (sum l 1Z m (c k l))) (sum k 1Z m (sum l 1Z n (c k l))))"
    ),
    "a limit caught by an outer sum": (
        "(= (prod r 1Z n (sum k 1Z r (sum l 1Z r (c k l))))"
        " (prod r 1Z n (sum k 1Z r (sum l 1Z k (c k l)))))"
    ),
    "a vector caught by a sum": (
        "(= (sum k 1Z n (dot (sum l 1Z m (xs l)) (xs k)))"
        " (sum k 1Z n (sum l 1Z m (dot (xs l) (xs l)))))"
    ),
    "a vector and itself": "(= (+ u u) u)",
    "an exchange under a product": (
        "(= (E o (sum k 1Z n (prod l 1Z m (* (c k l) (Yk l o)))))"
        " (E o (sum k 1Z n (prod l 1Z m (* (c l l) (Yk l o))))))"
    ),
    "the mean of a square": "(= (E o (pow 2 (X o))) (pow 2 (E o (X o))))",
    "the mean of a product": "(= (E o (* (X o) (Y o))) (* (E o (X o)) (E o (Y o))))",
    "the mean of a reciprocal": "(= (E o (inv (X o))) (inv (E o (X o))))",
    "the mean of an exponential": "(= (E o (exp (X o))) (exp (E o (X o))))",
    "the mean of a product over a range": (
        "(= (E o (prod k 1Z n (Yk k o))) (prod k 1Z n (E o (Yk k o))))"
    ),
    "the mean of a squared sum": (
        "(= (E o (pow 2 (sum k 1Z n (Yk k o)))) (sum k 1Z n (E o (pow 2 (Yk k o)))))"
    ),
    "a mean of one": "(= (E o 1) 0)",
    "a mean is its variable": "(= (E o (X o)) (X w))",
    "orthogonal vectors": "(= (dot u v) 0)",
    "the length of a sum": "(= (dot (+ u v) (+ u v)) (+ (dot u u) (dot v v)))",
    "a multiple of a vector": "(= (dot (sc x u) (sc x v)) (* x (dot u v)))",
    "all vectors are equal": "(= u v)",
    "a vector is zero": "(= u (zero V))",
    "a sum of vectors": "(= (sum k 1Z n u) u)",
    "members of a sum of vectors": (
        "(= (sum k 1Z n (sc (a k) (xs k))) (sc (sum k 1Z n (a k)) (xs 1Z)))"
    ),
    "transposed families of vectors": (
        "(= (sum k 1Z n (sum l 1Z m (ys k l))) (sum k 1Z n (sum l 1Z m (ys l k))))"
    ),
    "vectors of the outer index": (
        "(= (sum k 1Z n (sum l 1Z n (sc (c k l) (xs k))))"
        " (sum k 1Z n (sum l 1Z n (sc (c k l) (xs l)))))"
    ),
    "vectors over a triangle": (
        "(= (sum k 1Z n (sum l 1Z k (sc (c k l) (xs l))))"
        " (sum l 1Z n (sum k 1Z l (sc (c k l) (xs l)))))"
    ),
    "a commuting product": "(= (mm A B) (mm B A))",
    "the transpose of a product": "(= (T (mm A B)) (mm (T A) (T B)))",
    "symmetry": "(= (T A) A)",
    "an inverse": "(= (mm A (minv A)) (I s))",
    "an inverse of an inverse": "(= (minv (minv A)) A)",
    "an inverse of a product": "(= (minv (mm A B)) (mm (minv A) (minv B)))",
    "an inverse of a multiple": "(= (minv (sc x A)) (sc x (minv A)))",
    "the transpose of an inverse": "(= (T (minv A)) (minv A))",
    "the trace of a product": "(= (tr (mm A B)) (* (tr A) (tr B)))",
    "the trace of three": "(= (tr (mm A B C)) (tr (mm A C B)))",
    "the trace of the identity": "(= (tr (I s)) 1)",
    "the trace of a square": "(= (tr (mm A A)) (tr (mm (T A) A)))",
    "the determinant of a sum": "(= (det (+ A B)) (+ (det A) (det B)))",
    "the determinant of a multiple": "(= (det (sc x A)) (* x (det A)))",
    "the trace of a transposed factor": "(= (tr (mm G H)) (tr (mm G (T G))))",
    "zero is one": "(= 0 1)",
    "zero is below zero": "(< 0 0)",
    "one is below zero": "(<= 1 0)",
    "integers: zero is one": "(= 0Z 1Z)",
    "a number below itself": "(< x x)",
    "an order of numbers": "(<= x y)",
    "a nonnegative product": "(<= 0 (* x y))",
    "a sum of terms": "(<= 0 (sum k 1Z n (a k)))",
    "a size is one": "(= (dim s) 1Z)",
    "sizes are equal": "(= (dim s) (dim t))",
    "a numeral with a zero before it": "(= (dim 02) 2Z)",
    "a numeral is another": "(= (dim 2) 3Z)",
    "a unit column is zero": "(= (unit s i) (zero M:s:1))",
    "a sum of matrices loses a term": "(= (sum k 1Z n (sc (of k) A)) (zero M:s:s))",
    "a mean of the outcome's own sum": (
        "(= (E o (* (X o) (sum k 1Z n (Yk k o)))) (* (E o (X o)) (sum k 1Z n (E o (Yk k o)))))"
    ),
    "twins under a transpose": (
        "(= (T (+ (minv (sc (+ 1 (inv (inv (+ x y))) (* -1 x) (* -1 y)) A)) (minv A)))"
        " (T (minv A)))"
    ),
}

# What must not turn into each other.
NOT_CONVERTIBLE: dict[str, tuple[str, str]] = {
    "a strict order from a weak one": ("(<= x y)", "(< x y)"),
    "an order turned round": ("(<= x y)", "(<= y x)"),
    "an order multiplied by a negative number": ("(<= (* -1 x) (* -1 y))", "(<= x y)"),
    "an equation from an order": ("(<= x y)", "(= x y)"),
    "an order multiplied by a variable": ("(<= (* z x) (* z y))", "(<= x y)"),
    "an equation divided by a variable": ("(= (* z x) (* z y))", "(= x y)"),
    "equal squares": ("(= (* x x) (* y y))", "(= x y)"),
    "falsehood from an equation": ("(= x 0)", "F"),
    "falsehood from truth": ("(-> F F)", "F"),
    "a conjunction from its part": ("p", "(& p q)"),
    "one for all": ("(U x)", "(all t R (U t))"),
    "all for the wrong one": ("(all k Z (Q k))", "(Q i)"),
    "a value for an integral": ("(= (int t (h t)) 0)", "(= (h o) 0)"),
    "an integrable difference": ("(integrable t (+ (h t) (* -1 (l t))))", "(integrable t (h t))"),
    "an integrable absolute value": ("(integrable t (abs (h t)))", "(integrable t (h t))"),
    "an integrable square": ("(integrable t (* (h t) (h t)))", "(integrable t (h t))"),
    "values that are improbable together, for each of them": (
        "(= (E v (ind (= (E w (ind (= (X w) (X v)))) 0))) 0)",
        "(all v W (-> (= (E w (ind (= (X w) (X v)))) 0) F))",
    ),
    "another predicate": ("(Q i)", "(Q j)"),
    "another index": ("(= (a i) 0)", "(= (a j) 0)"),
    "a parity": ("(= (* 2Z i) 1Z)", "F"),
    "the order of integers as reals": ("(<= (of i) (of j))", "(<= i j)"),
    "equal inner products": ("(= (dot u v) (dot u u))", "(= u v)"),
    "equal traces": ("(= (tr A) (tr B))", "(= A B)"),
    "a derivative elsewhere": ("(deriv t (f t) x y)", "(deriv t (f t) z y)"),
    "a derivative of a multiple": ("(deriv t (f t) x y)", "(deriv t (* 2 (f t)) x y)"),
    "a binder's own index": (
        "(all k Z (all l Z (= (c k l) 0)))",
        "(all k Z (all l Z (= (c l l) 0)))",
    ),
    "quantifiers exchanged": (
        "(all k Z (all l Z (<= (c k l) (a l))))",
        "(all k Z (all l Z (<= (c l k) (a l))))",
    ),
}


def _unstated(read: READ) -> Any:
    c = Certificate(read)
    c.assume("(< x 0)")
    return c.claim("(< x 0)")


def _other_claim(read: READ) -> Any:
    c = Certificate(read)
    c.ring("(= x x)")
    return c.claim("(= x y)")


def _earlier_step_is_the_claim(read: READ) -> Any:
    c = Certificate(read)
    c.assume("(= x y)")
    c.ring("(= x x)")
    return c.claim("(= x y)")


def _generalise_hypothesis(read: READ) -> Any:
    c = Certificate(read)
    c.step("generalise", c.term("x"), c.assume("(= x 0)"))
    return c.claim("(all t R (= t 0))", "(= x 0)")


def _generalise_one_of_two(read: READ) -> Any:
    c = Certificate(read)
    given = ["(= x 0)", "(= y 0)"]
    facts = [c.assume(h) for h in given]
    c.psatz("(= (+ x y) 0)", ("1", facts[:1], []), ("1", facts[1:], []))
    c.step("generalise", c.term("x"), 2)
    return c.claim("(all t R (= (+ t y) 0))", *given)


def _generalise_member(read: READ) -> Any:
    c = Certificate(read)
    c.step("generalise", c.term("(a i)"), c.ring("(<= (a i) (a i))"))
    return c.claim("(all t R (<= t t))")


def _generalise_open(read: READ) -> Any:
    """Turn ∀i x ≤ … round: the loose index of the conclusion must not be caught."""
    c = Certificate(read)
    s = c.assume("(all k Z (= (c k i) 0))")
    c.step("generalise", c.term("i"), s)
    return c.claim("(all k Z (all l Z (= (c l k) 0)))", "(all k Z (= (c k i) 0))")


def _wrong_premise(read: READ) -> Any:
    c = Certificate(read)
    s = c.assume("(-> (<= x y) (<= x z))")
    c.step("mp", s, c.ring("(<= x x)"))
    return c.claim("(<= x z)", "(-> (<= x y) (<= x z))")


def _premise_for_conclusion(read: READ) -> Any:
    c = Certificate(read)
    s = c.step("axiom", "ex_falso")
    c.step("mp", s, s)
    return c.claim("p")


def _mp_on_conjunction(read: READ) -> Any:
    c = Certificate(read)
    s = c.assume("(| (<= x y) (< y x))")
    c.step("mp", s, c.assume("(<= x y)"))
    return c.claim("(< y x)", "(| (<= x y) (< y x))", "(<= x y)")


def _mp_forgets(which: int) -> Callable[[READ], Any]:
    def build(read: READ) -> Any:
        c = Certificate(read)
        given = ["(-> (<= x y) F)", "(<= x y)"]
        c.step("mp", c.assume(given[0]), c.assume(given[1]))
        return c.claim("F", given[which])

    return build


def _discharge_another(read: READ) -> Any:
    c = Certificate(read)
    c.step("discharge", c.term("(<= y x)"), c.assume("(<= x y)"))
    return c.claim("(-> (<= y x) (<= x y))")


def _specialise(value: str, claim: str) -> Callable[[READ], Any]:
    def build(read: READ) -> Any:
        c = Certificate(read)
        given = "(all k Z (<= 0 (a k)))"
        c.step("specialise", c.assume(given), c.term(value))
        return c.claim(claim, given)

    return build


def _specialise_loose(read: READ) -> Any:
    """Put a loose index under a binder that would catch it."""
    c = Certificate(read)
    given = "(all k Z (all l Z (= (c k l) (c k l))))"
    index = c.row("b", 0, "Z")
    c.step("specialise", c.assume(given), index)
    return c.claim("(all l Z (= (c l l) (c l l)))", given)


def _specialise_captures(read: READ) -> Any:
    """∀k ∀l c(k, l) = c(k, l) + a(l): a value with a free variable keeps it."""
    c = Certificate(read)
    given = "(all k Z (all l Z (= (c k l) (a k))))"
    c.step("specialise", c.assume(given), c.term("i"))
    return c.claim("(all l Z (= (c l l) (a l)))", given)


def _specialise_implication(read: READ) -> Any:
    c = Certificate(read)
    given = "(-> (<= 0 x) (<= 0 y))"
    c.step("specialise", c.assume(given), c.term("z"))
    return c.claim("(<= 0 y)", given)


def _substitute_conclusion_only(read: READ) -> Any:
    c = Certificate(read)
    c.substitute(c.assume("(= x 0)"), ("x", "R", c.term("1")))
    return c.claim("(= 1 0)", "(= x 0)")


def _substitute_captured(read: READ) -> Any:
    """Σ a(k)·x = x Σ a(k) with x ↦ b(k): the k is not the sum's."""
    c = Certificate(read)
    s = c.ring("(= (sum k 1Z n (* (a k) x)) (* x (sum k 1Z n (a k))))")
    index = c.row("b", 0, "Z")
    body = c.row("v", "b", "R", index)
    c.substitute(s, ("x", "R", body))
    return c.claim("(= (sum k 1Z n (* (a k) (b k))) (* (b i) (sum k 1Z n (a k))))")


def _substitute_into_quantifier(read: READ) -> Any:
    """(∀k a(k) = b(k)) → a(i) = b(i) with a(k) ↦ Σ c(k, l): the k is not the l of the sum."""
    c = Certificate(read)
    given = "(all k Z (= (a k) (b k)))"
    s = c.step("specialise", c.assume(given), c.term("i"))
    s = c.step("discharge", c.term(given), s)
    inner = c.row("v", "c", "R", c.row("b", 1, "Z"), c.row("b", 0, "Z"))
    body = c.row("sum", c.term("1Z"), c.term("n"), inner)
    c.substitute(s, ("a", ["R", "Z"], body))
    return c.claim("(-> (all k Z (= (sum l 1Z n (c l l)) (b k))) (= (sum l 1Z n (c i l)) (b i)))")


def _substitute_own_sum(read: READ) -> Any:
    """A body with a sum of its own must not catch the argument."""
    c = Certificate(read)
    s = c.ring("(= (sum k 1Z n (a k)) (sum l 1Z n (a l)))")
    body = c.row(
        "sum",
        c.term("1Z"),
        c.term("n"),
        c.row("v", "c", "R", c.row("b", 0, "Z"), c.row("b", 0, "Z")),
    )
    c.substitute(s, ("a", ["R", "Z"], body))
    return c.claim("(= (sum k 1Z n (sum l 1Z n (c k l))) (sum k 1Z n (sum l 1Z n (c l l))))")


def _substitute_argument_order(read: READ) -> Any:
    c = Certificate(read)
    given = "(= (c i j) 0)"
    body = c.row("v", "c", "R", c.row("b", 1, "Z"), c.row("b", 0, "Z"))
    c.substitute(c.assume(given), ("c", ["R", "Z", "Z"], body))
    return c.claim("(= (c i j) 0)", "(= (c j i) 0)")


def _substitute_sort(declared: Any, body: str) -> Callable[[READ], Any]:
    def build(read: READ) -> Any:
        c = Certificate(read)
        s = c.ring("(= x x)")
        c.substitute(s, ("x", declared, c.term(body)))
        return c.claim(f"(= {body} {body})")

    return build


def _substitute_argument_sort(read: READ) -> Any:
    c = Certificate(read)
    s = c.ring("(= (a i) (a i))")
    body = c.row("exp", c.row("b", 0, "R"))
    c.substitute(s, ("a", ["R", "Z"], body))
    t = c.row("exp", c.term("i"))
    claim = c.row("=", t, t)
    return [
        {
            "name": "attack",
            "terms": c.rows,
            "steps": c.steps,
            "hypotheses": [],
            "conclusion": claim,
        }
    ]


def _substitute_too_many(read: READ) -> Any:
    c = Certificate(read)
    s = c.ring("(all k Z (= (a k) (a k)))")
    body = c.row("v", "c", "R", c.row("b", 0, "Z"), c.row("b", 1, "Z"))
    c.substitute(s, ("a", ["R", "Z"], body))
    return c.claim("(all k Z (= (c k k) (c k k)))")


def _random_for_constant(read: READ) -> Any:
    """E[x X] = x E[X] with x ↦ X(ω)."""
    c = Certificate(read)
    s = c.ring("(= (E o (* x (X o))) (* x (E o (X o))))")
    body = c.row("v", "Y", "R", c.row("b", 0, "W"))
    c.substitute(s, ("x", "R", body))
    return c.claim("(= (E o (* (Y o) (X o))) (* (Y w) (E o (X o))))")


def _constant_of_its_point(read: READ) -> Any:
    """The derivative of a constant is zero; t itself is not one."""
    c = Certificate(read)
    c.substitute(c.axiom("derivative_constant"), ("y", "R", c.row("b", 0, "R")))
    return c.claim("(deriv t t x 0)")


def _sizes_hypotheses(read: READ) -> Any:
    c = Certificate(read)
    c.step("sizes", c.assume("(= (dim s) (dim t))"), [["t", "s"]])
    return c.claim("(= (dim s) (dim s))", "(= (dim s) (dim t))")


def _sizes_split(read: READ) -> Any:
    """What holds of square matrices does not hold of all."""
    c = Certificate(read)
    c.step("sizes", c.ring("(= (tr (I s)) (of (dim s)))"), [["s", "t"]])
    return c.claim("(= (tr (I s)) (of (dim t)))")


def _sizes_of_a_numeral(read: READ) -> Any:
    """What holds of the number two does not hold of every size."""
    c = Certificate(read)
    c.step("sizes", c.ring("(= (dim 2) 2Z)"), [["2", "s"]])
    return c.claim("(= (dim s) 2Z)")


def _psatz(
    goal: str, facts: Sequence[str], *parts: tuple[str, Sequence[int], Sequence[str]]
) -> Any:
    def build(read: READ) -> Any:
        c = Certificate(read)
        for fact in facts:
            c.assume(fact)
        c.psatz(goal, *parts)
        return c.claim(goal, *facts)

    return build


def _psatz_unstated(read: READ) -> Any:
    c = Certificate(read)
    c.psatz("(<= x y)", ("1", [c.assume("(<= x y)")], []))
    return c.claim("(<= x y)")


def _psatz_equation_unstated(read: READ) -> Any:
    c = Certificate(read)
    c.psatz("(= x y)", ("1", [c.assume("(= x y)")], []))
    return c.claim("(= x y)")


def _linear(goal: str, facts: Sequence[str], *parts: tuple[str, int, str | None]) -> Any:
    def build(read: READ) -> Any:
        c = Certificate(read)
        for fact in facts:
            c.assume(fact)
        c.linear(goal, *parts)
        return c.claim(goal, *facts)

    return build


def _linear_unstated(read: READ) -> Any:
    c = Certificate(read)
    c.linear("(= u v)", ("1", c.assume("(= u v)"), None))
    return c.claim("(= u v)")


def _cite(hypotheses: Sequence[str], conclusion: str, *, forward: bool = False) -> Any:
    def build(read: READ) -> Any:
        lemma = Certificate(read, "lemma")
        lemma.assume("(<= x y)")
        first = lemma.claim("(<= x y)", "(<= x y)")
        c = Certificate(read)
        c.step("cite", "lemma", [c.term(h) for h in hypotheses], c.term(conclusion))
        second = c.claim(conclusion, *hypotheses)
        return second + first if forward else first + second

    return build


def _cite_itself(read: READ) -> Any:
    c = Certificate(read)
    c.step("cite", "attack", [], c.term("(< 0 0)"))
    return c.claim("(< 0 0)")


def _two_in_a_circle(read: READ) -> Any:
    out = []
    for name, other in (("first", "second"), ("second", "first")):
        c = Certificate(read, name)
        c.step("cite", other, [], c.term("(< 0 0)"))
        out += c.claim("(< 0 0)")
    return out


def _one_name_twice(read: READ) -> Any:
    """A second theorem under the name of the first, cited as the first."""
    first = Certificate(read, "lemma")
    first.ring("(= x x)")
    second = Certificate(read, "lemma")
    second.assume("(= x y)")
    return first.claim("(= x x)") + second.claim("(= x y)", "(= x y)")


def _without_steps(read: READ) -> Any:
    c = Certificate(read)
    return c.claim("(= x x)")


def _step_by_itself(read: READ) -> Any:
    c = Certificate(read)
    c.step("convert", 0, c.term("F"))
    return c.claim("F")


def _later_step(read: READ) -> Any:
    c = Certificate(read)
    c.step("convert", 1, c.term("F"))
    c.step("convert", 0, c.term("F"))
    return c.claim("F")


def _last_by_negative_number(read: READ) -> Any:
    c = Certificate(read)
    c.assume("F")
    c.ring("(= x x)")
    c.step("discharge", c.term("F"), -2)
    return c.claim("(-> F F)")


def _open_hypothesis(read: READ) -> Any:
    c = Certificate(read)
    zero = c.term("0")
    p = c.row("=", c.row("b", 0, "R"), zero)
    c.step("assume", p)
    return [
        {"name": "attack", "terms": c.rows, "steps": c.steps, "hypotheses": [p], "conclusion": p}
    ]


def _term_for_proposition(read: READ) -> Any:
    c = Certificate(read)
    c.step("assume", c.term("x"))
    return c.claim("x", "x")


def _induction(base: str | None, step: str) -> Callable[[READ], Any]:
    """Return an induction on 0 ≤ a(k), without its base or with another step."""

    def build(read: READ) -> Any:
        c = Certificate(read)
        body = c.row("<=", c.term("0"), c.row("v", "a", "R", c.row("b", 0, "Z")))
        lo = c.term("1Z")
        s = c.substitute(c.axiom("induction"), ("P", ["P", "Z"], body), ("lo", "Z", lo))
        given = [step] if base is None else [base, step]
        if base is not None:
            s = c.step("mp", s, c.assume(base))
        c.step("mp", s, c.assume(step))
        return c.claim("(all k Z (-> (<= 1Z k) (<= 0 (a k))))", *given)

    return build


def _from_axiom(
    name: str,
    bodies: Mapping[str, tuple[Any, Callable[[Certificate], int]]],
    premises: Sequence[str],
    claim: str,
) -> Callable[[READ], Any]:
    """Return an axiom for some bodies, with premises that are assumed, read as a claim."""

    def build(read: READ) -> Any:
        c = Certificate(read)
        rows = [(v, declared, body(c)) for v, (declared, body) in bodies.items()]
        s = c.substitute(c.axiom(name), *rows)
        for p in premises:
            s = c.step("mp", s, c.assume(p))
        c.convert(s, claim)
        return c.claim(claim, *premises)

    return build


def _written(text: str) -> Callable[[Certificate], int]:
    return lambda c: c.term(text)


def _at(name: str, *arguments: tuple[int, str]) -> Callable[[Certificate], int]:
    """Return the row of a function of arguments, counted from 0, with their sorts."""
    return lambda c: c.row("v", name, "R", *(c.row("b", k, sort) for k, sort in arguments))


OF_POINT, OF_OUTCOME = ["R", "U"], ["R", "W"]
H, L = (OF_POINT, _at("h", (0, "U"))), (OF_POINT, _at("l", (0, "U")))
# What the axioms about integrals and means must not be brought to say.
FROM_AXIOMS: dict[str, Callable[[READ], Any]] = {
    "an integral of a sum, of which one term is integrable": _from_axiom(
        "integral_sum",
        {"f": H, "g": L},
        ["(integrable t (h t))", "(integrable t (h t))"],
        "(= (int t (+ (h t) (l t))) (+ (int t (h t)) (int t (l t))))",
    ),
    "an integral of a sum without premises": _from_axiom(
        "integral_sum",
        {"f": H, "g": L},
        [],
        "(= (int t (+ (h t) (l t))) (+ (int t (h t)) (int t (l t))))",
    ),
    "a multiple that depends on the point": _from_axiom(
        "integral_multiple",
        {"f": H, "c": ("R", _at("l", (0, "U")))},
        [],
        "(= (int t (* (l t) (h t))) (* (l o) (int t (h t))))",
    ),
    "an integrable multiple that depends on the point": _from_axiom(
        "integrable_multiple",
        {"f": H, "c": ("R", _at("l", (0, "U")))},
        ["(integrable t (h t))"],
        "(integrable t (* (l t) (h t)))",
    ),
    "a function that is equal at one point": _from_axiom(
        "integral_congruence",
        {"f": H, "g": L},
        ["(= (h o) (l o))"],
        "(= (int t (h t)) (int t (l t)))",
    ),
    "a function that is nonnegative at one point": _from_axiom(
        "integral_nonnegative", {"f": H}, ["(<= 0 (h o))"], "(<= 0 (int t (h t)))"
    ),
    "a part where another function is not measurable": _from_axiom(
        "integrable_part",
        {"f": H, "g": L},
        ["(integrable t (h t))", "(integrable t (h t))"],
        "(integrable t (* (h t) (ind (<= 0 (l t)))))",
    ),
    "a part for the whole": _from_axiom(
        "integrable_part",
        {"f": H, "g": L},
        ["(integrable t (h t))", "(integrable t (l t))"],
        "(integrable t (* (h t) (l t)))",
    ),
    "a constant for the function zero": _from_axiom(
        "integrable_zero", {"f": (OF_POINT, _at("h", (0, "U")))}, [], "(integrable t x)"
    ),
    "means of one outcome for two": _from_axiom(
        "mean_exchange",
        {"f": (["R", "W", "W"], _at("Y2", (1, "W"), (0, "W")))},
        [],
        "(= (E o (X o)) (E o (E w (* (X o) (X w)))))",
    ),
    "a third outcome": _from_axiom(
        "mean_exchange",
        {"f": (["R", "W", "W"], _at("X", (2, "W")))},
        [],
        "(= (E o (X o)) (X w))",
    ),
    "values of another variable": _from_axiom(
        "improbable_values",
        {"X": (OF_OUTCOME, _at("X", (0, "W")))},
        [],
        "(= (E v (ind (= (E w (ind (= (X w) (Y v)))) 0))) 0)",
    ),
    "a value of probability one": _from_axiom(
        "improbable_values",
        {"X": (OF_OUTCOME, _written("x"))},
        [],
        "(= (E v (ind (= (E w (ind (= (X w) x))) 0))) 0)",
    ),
}
# And what they say.
OF_AXIOMS: dict[str, Callable[[READ], Any]] = {
    "axiom: an integral of a sum": _from_axiom(
        "integral_sum",
        {"f": H, "g": L},
        ["(integrable t (h t))", "(integrable t (l t))"],
        "(= (int t (+ (h t) (l t))) (+ (int t (h t)) (int t (l t))))",
    ),
    "axiom: a multiple of an integral, integrable or not": _from_axiom(
        "integral_multiple",
        {"f": H, "c": ("R", _written("x"))},
        [],
        "(= (int t (* x (h t))) (* x (int t (h t))))",
    ),
    "axiom: values of probability zero": _from_axiom(
        "improbable_values",
        {"X": (OF_OUTCOME, _at("X", (0, "W")))},
        [],
        "(= (E v (ind (= (E w (ind (= (X w) (X v)))) 0))) 0)",
    ),
}


STEP = "(all k Z (-> (<= 1Z k) (-> (<= 0 (a k)) (<= 0 (a (+ k 1Z))))))"


def _ill_sorted(*rows: Sequence[Any]) -> Callable[[READ], Any]:
    """Return a certificate of p → p, where p is the last of some rows."""

    def build(read: READ) -> Any:
        table = [list(r) for r in rows]
        last = len(table) - 1
        table.append(["->", last, last])
        return [
            {
                "name": "attack",
                "terms": table,
                "steps": [["assume", last], ["discharge", last, 0]],
                "hypotheses": [],
                "conclusion": last + 1,
            }
        ]

    return build


FALSE: dict[str, Callable[[READ], Any]] = {
    **{f"calculation: {k}": ring_of(v) for k, v in NOT_EQUAL.items()},
    **{f"conversion: {k}": conversion(*v) for k, v in NOT_CONVERTIBLE.items()},
    **{f"axiom: {k}": v for k, v in FROM_AXIOMS.items()},
    "a hypothesis that is not stated": _unstated,
    "another claim than the last step": _other_claim,
    "an earlier step as the claim": _earlier_step_is_the_claim,
    "no steps": _without_steps,
    "a step from itself": _step_by_itself,
    "a step from a later one": _later_step,
    "a step counted from the end": _last_by_negative_number,
    "an open hypothesis": _open_hypothesis,
    "a number as a proposition": _term_for_proposition,
    "generalise over what a hypothesis mentions": _generalise_hypothesis,
    "generalise over what one of two hypotheses mentions": _generalise_one_of_two,
    "generalise over a member of a family": _generalise_member,
    "generalise into a quantifier": _generalise_open,
    "modus ponens with another premise": _wrong_premise,
    "modus ponens without its premise": _premise_for_conclusion,
    "modus ponens on an alternative": _mp_on_conjunction,
    "modus ponens that forgets the premise's hypotheses": _mp_forgets(0),
    "modus ponens that forgets the implication's hypotheses": _mp_forgets(1),
    "discharge of another hypothesis": _discharge_another,
    "specialise to another member": _specialise("i", "(<= 0 (a j))"),
    "specialise to a real": _specialise("x", "(<= 0 (a i))"),
    "specialise to a loose index": _specialise_loose,
    "specialise and capture": _specialise_captures,
    "specialise an implication": _specialise_implication,
    "substitute in the conclusion only": _substitute_conclusion_only,
    "substitute and capture": _substitute_captured,
    "substitute a sum that captures": _substitute_own_sum,
    "substitute a sum that captures under a quantifier": _substitute_into_quantifier,
    "substitute with arguments exchanged": _substitute_argument_order,
    "substitute an integer for a real": _substitute_sort("R", "i"),
    "substitute a vector for a real": _substitute_sort("R", "u"),
    "substitute by a body of another argument": _substitute_argument_sort,
    "substitute with an argument too many": _substitute_too_many,
    "a random value for a constant": _random_for_constant,
    "the point of a derivative for a constant": _constant_of_its_point,
    "sizes renamed in the conclusion only": _sizes_hypotheses,
    "sizes renamed in places": _sizes_split,
    "a numeral renamed": _sizes_of_a_numeral,
    "psatz: a negative multiplier": _psatz("(<= y x)", ["(<= x y)"], ("-1", [0], [])),
    "psatz: a variable as multiplier": _psatz("(<= (* z x) (* z y))", ["(<= x y)"], ("z", [0], [])),
    "psatz: a square that is none": _psatz("(<= 0 (* x y))", [], ("1", [], ["x"])),
    "psatz: nothing": _psatz("(<= 0 x)", []),
    "psatz: a square taken once": _psatz("(<= 0 x)", [], ("1", [], ["x"])),
    "psatz: a product that is none": _psatz("(<= 0 x)", [], ("x", [], [])),
    "psatz: strict from weak": _psatz("(< x y)", ["(<= x y)"], ("1", [0], [])),
    "psatz: strict from a square": _psatz("(< 0 (* x x))", [], ("1", [], ["x"])),
    "psatz: strict from a strict one with a square": _psatz(
        "(< 0 (* y x x))", ["(< 0 y)"], ("1", [0], ["x"])
    ),
    "psatz: strict from one strict and one weak": _psatz(
        "(< 0 (* x y))", ["(< 0 x)", "(<= 0 y)"], ("1", [0, 1], [])
    ),
    "psatz: strict by a multiplier zero": _psatz(
        "(< x y)", ["(<= x y)", "(< 0 1)"], ("1", [0], []), ("0", [1], [])
    ),
    "psatz: an equation from an order": _psatz("(= x y)", ["(<= x y)"], ("1", [0], [])),
    "psatz: an equation from a square": _psatz("(= 0 (* x x))", [], ("1", [], ["x"])),
    "psatz: an order used the wrong way": _psatz("(<= y x)", ["(<= x y)"], ("1", [0], [])),
    "psatz: an order with a sign beside an equation": _psatz(
        "(<= 0 (* -1 y))", ["(= x x)", "(<= 0 y)"], ("0", [0], []), ("-1", [1], [])
    ),
    "psatz: falsehood from nothing": _psatz("F", []),
    "psatz: falsehood from a weak order": _psatz("F", ["(<= x x)"], ("1", [0], [])),
    "psatz: falsehood from the number zero": _psatz("F", [], ("0", [], [])),
    "psatz: parts that do not add up": _psatz("(<= x z)", ["(<= x y)"], ("1", [0], [])),
    "psatz: an unstated hypothesis": _psatz_unstated,
    "psatz: an unstated equation": _psatz_equation_unstated,
    "psatz: reals for integers": _psatz("(<= i j)", ["(<= (of i) (of j))"], ("1Z", [0], [])),
    "psatz: an implication as a fact": _psatz("(<= x y)", ["(-> p (<= x y))"], ("1", [0], [])),
    "psatz: a half among integers": _psatz("(<= i j)", ["(<= i j)"], ("1", [0], [])),
    "linear: another multiple": _linear("(= (sc 2 u) v)", ["(= u v)"], ("1", 0, None)),
    "linear: sums for differences": _linear("(= (zero V) (+ u v))", ["(= u v)"], ("1", 0, None)),
    "linear: nothing added": _linear("(= u v)", []),
    "linear: the wrong sign": _linear("(= (+ u v) (zero V))", ["(= u v)"], ("1", 0, None)),
    "linear: an order as a fact": _linear("(= u v)", ["(<= x y)"], ("1", 0, None)),
    "linear: an unstated hypothesis": _linear_unstated,
    "linear: the other side": _linear("(= (mm B A) (mm C A))", ["(= B C)"], ("A", 0, "(I s)")),
    "linear: an equation divided": _linear(
        "(= u v)", ["(= (sc x u) (sc x v))"], ("(inv x)", 0, None)
    ),
    "cite: a hypothesis left out": _cite([], "(<= x y)"),
    "cite: another conclusion": _cite(["(<= x y)"], "(<= y x)"),
    "cite: a hypothesis more, of another statement": _cite(["(<= x y)", "(<= y x)"], "(= x y)"),
    "cite: what comes later": _cite(["(<= x y)"], "(<= x y)", forward=True),
    "cite: itself": _cite_itself,
    "cite: two in a circle": _two_in_a_circle,
    "cite: one name twice": _one_name_twice,
    "induction without its base": _induction(None, STEP),
    "induction with a step from nowhere": _induction(
        "(<= 0 (a 1Z))", "(all k Z (-> (<= 1Z k) (<= 0 (a k))))"
    ),
    "induction from another base": _induction("(<= 0 (a 0Z))", STEP),
    "a sum of a real and a vector": _ill_sorted(
        ["v", "x", "R"], ["v", "u", "V"], ["+", 0, 1], ["=", 2, 2]
    ),
    "a product of vectors": _ill_sorted(["v", "u", "V"], ["*", 0, 0], ["=", 1, 1]),
    "an order of vectors": _ill_sorted(["v", "u", "V"], ["<=", 0, 0]),
    "an order of matrices": _ill_sorted(["v", "A", "M:s:s"], ["<", 0, 0]),
    "an equation of propositions": _ill_sorted(["F"], ["=", 0, 0]),
    "an equation of outcomes": _ill_sorted(["v", "w", "W"], ["=", 0, 0]),
    "an equation of sorts": _ill_sorted(["v", "x", "R"], ["v", "i", "Z"], ["=", 0, 1]),
    "a sum over reals": _ill_sorted(["v", "x", "R"], ["sum", 0, 0, 0], ["=", 1, 1]),
    "a sum of propositions": _ill_sorted(["F"], ["z", 1], ["sum", 1, 1, 0], ["=", 2, 2]),
    "a mean of an integer": _ill_sorted(["v", "i", "Z"], ["E", 0], ["=", 1, 1]),
    "a mean of a proposition": _ill_sorted(["F"], ["E", 0], ["=", 1, 1]),
    "an index of another sort": _ill_sorted(["b", 0, "R"], ["z", 1], ["sum", 1, 1, 0], ["=", 2, 2]),
    "an equation of points": _ill_sorted(["v", "o", "U"], ["=", 0, 0]),
    "an integral over outcomes": _ill_sorted(
        ["b", 0, "W"], ["v", "X", "R", 0], ["int", 1], ["=", 2, 2]
    ),
    "an integral of a vector": _ill_sorted(["v", "u", "V"], ["int", 0], ["=", 1, 1]),
    "an integrable vector": _ill_sorted(["v", "u", "V"], ["integrable", 0]),
    "an integral with limits": _ill_sorted(["v", "x", "R"], ["int", 0, 0, 0], ["=", 1, 1]),
    "an outcome as an index": _ill_sorted(["b", 0, "R"], ["E", 0], ["=", 1, 1]),
    "an inverse of a vector": _ill_sorted(["v", "u", "V"], ["inv", 0], ["=", 1, 1]),
    "an exponential of an integer": _ill_sorted(["z", 1], ["exp", 0], ["=", 1, 1]),
    "a reciprocal of an integer": _ill_sorted(["z", 2], ["inv", 0], ["=", 1, 1]),
    "a matrix product that does not fit": _ill_sorted(
        ["v", "G", "M:s:t"], ["mm", 0, 0], ["=", 1, 1]
    ),
    "a trace of a rectangle": _ill_sorted(["v", "G", "M:s:t"], ["tr", 0], ["=", 1, 1]),
    "an inverse of a rectangle": _ill_sorted(["v", "G", "M:s:t"], ["minv", 0], ["=", 1, 1]),
    "a determinant of a rectangle": _ill_sorted(["v", "G", "M:s:t"], ["det", 0], ["=", 1, 1]),
    "a denominator zero": _ill_sorted(["q", 1, 0], ["=", 0, 0]),
    "a negative denominator": _ill_sorted(["q", 1, -1], ["=", 0, 0]),
    "a negative power": _ill_sorted(["v", "x", "R"], ["pow", -1, 0], ["=", 1, 1]),
    "a power of a vector": _ill_sorted(["v", "u", "V"], ["pow", 2, 0], ["=", 1, 1]),
    "a power of a matrix": _ill_sorted(["v", "A", "M:s:s"], ["pow", 0, 0], ["=", 1, 1]),
    "a power without end": _ill_sorted(["v", "x", "R"], ["pow", 10**9, 0], ["=", 1, 1]),
    "a multiple by a vector": _ill_sorted(["v", "u", "V"], ["sc", 0, 0], ["=", 1, 1]),
    "a multiple of a number": _ill_sorted(["v", "x", "R"], ["sc", 0, 0], ["=", 1, 1]),
    "an inner product of numbers": _ill_sorted(["v", "x", "R"], ["dot", 0, 0], ["=", 1, 1]),
    "a sort that does not exist": _ill_sorted(["v", "x", "Q"], ["=", 0, 0]),
    "a size without a name": _ill_sorted(["v", "A", "M::s"], ["=", 0, 0]),
    "a size with a colon": _ill_sorted(["I", "s:t"], ["=", 0, 0]),
    "a zero of numbers": _ill_sorted(["zero", "R"], ["=", 0, 0]),
    "a quantifier over no sort": _ill_sorted(["F"], ["all", "Q", 0]),
    "an operation that does not exist": _ill_sorted(["v", "x", "R"], ["sin", 0], ["=", 1, 1]),
    "a number with arguments": _ill_sorted(["v", "x", "R"], ["q", 1, 1, 0], ["=", 1, 1]),
    "a sum of one": _ill_sorted(["v", "x", "R"], ["+", 0], ["=", 1, 1]),
    "a sum of nothing": _ill_sorted(["+"], ["=", 0, 0]),
    "a bound variable counted backwards": _ill_sorted(["b", -1, "R"], ["=", 0, 0]),
}


# Beside the false ones: what a checker that refuses everything would miss.
EQUAL: dict[str, str] = {
    "cancelling": "(= (* x x (inv x)) x)",
    "x/x is its own square": "(= (* x (inv x)) (* x x (inv x) (inv x)))",
    "a reciprocal of a reciprocal": "(= (inv (inv (+ x y))) (+ x y))",
    "a reciprocal of a square of one": "(= (inv (pow 2 (inv (+ x y)))) (pow 2 (+ x y)))",
    "a reciprocal of a product": "(= (inv (* 2 x (inv y))) (* (inv 2) (inv x) y))",
    "a reciprocal of a multiple": "(= (inv (+ (* -2 x) (* -2 y))) (* (inv -2) (inv (+ y x))))",
    "one over zero": "(= (inv 0) 0)",
    "the same function in an integral": "(= (int t (* x (h t))) (int s (* (h s) (inv (inv x)))))",
    "merging exponentials": "(= (* (exp x) (exp y) (inv (exp (+ x y)))) 1)",
    "the power of an indicator": "(= (pow 3 (ind p)) (ind p))",
    "max turned round": "(= (max x y) (max y x))",
    "integers as reals": "(= (of (* (+ i 2Z) i)) (+ (* (of i) (of i)) (* 2 (of i))))",
    "a sum exchanged": (
        "(= (sum k 1Z n (sum l 1Z m (* (a l) (c k l))))"
        " (sum l 1Z m (* (a l) (sum k 1Z n (c k l)))))"
    ),
    "three sums exchanged": (
        "(= (sum k 1Z n (sum l 1Z m (sum o 1Z i (* (c k l) (c l o)))))"
        " (sum o 1Z i (sum k 1Z n (sum l 1Z m (* (c k l) (c l o))))))"
    ),
    "two sums exchanged around a product": (
        "(= (sum k 1Z n (sum l 1Z m (prod o 1Z i (+ (c k o) (c o l)))))"
        " (sum l 1Z m (sum k 1Z n (prod o 1Z i (+ (c k o) (c o l))))))"
    ),
    "the square of a sum": (
        "(= (pow 2 (sum k 1Z n (a k))) (sum k 1Z n (sum l 1Z n (* (a k) (a l)))))"
    ),
    "a square inside a sum": (
        "(= (sum k 1Z n (pow 2 (sum l 1Z m (c k l))))"
        " (sum k 1Z n (sum l 1Z m (sum o 1Z m (* (c k o) (c k l))))))"
    ),
    "a part of an exponent": (
        "(= (sum k 1Z n (exp (+ x (a k)))) (* (exp x) (sum k 1Z n (exp (a k)))))"
    ),
    "a sum written out": "(= (sum k 1Z 3Z (a k)) (+ (a 1Z) (a 2Z) (a 3Z)))",
    "an empty sum": "(= (sum k 2Z 1Z (a k)) 0)",
    "a product taken apart": (
        "(= (prod k 1Z n (* (a k) (inv (b k)))) (* (prod k 1Z n (a k)) (inv (prod k 1Z n (b k)))))"
    ),
    "a product of exponentials": "(= (prod k 1Z n (exp (a k))) (exp (sum k 1Z n (a k))))",
    "an empty product": "(= (prod k 2Z 1Z (a k)) 1)",
    "a linear mean": "(= (E o (+ (* x (X o)) y)) (+ (* x (E o (X o))) y))",
    "the mean of a squared sum": (
        "(= (E o (pow 2 (sum k 1Z n (Yk k o))))"
        " (sum k 1Z n (sum l 1Z n (E o (* (Yk k o) (Yk l o))))))"
    ),
    "the length of a difference": (
        "(= (dot (+ u (sc -1 v)) (+ u (sc -1 v))) (+ (dot u u) (* -2 (dot v u)) (dot v v)))"
    ),
    "sums of vectors": (
        "(= (sum k 1Z n (sc (a k) (sum l 1Z m (sc (c k l) (xs l)))))"
        " (sum l 1Z m (sc (sum k 1Z n (* (a k) (c k l))) (xs l))))"
    ),
    "an inner product of sums": (
        "(= (dot (sum k 1Z n (sc (a k) (xs k))) (sum k 1Z n (sc (a k) (xs k))))"
        " (sum k 1Z n (sum l 1Z n (* (a k) (a l) (dot (xs k) (xs l))))))"
    ),
    "a transpose": "(= (T (mm G H A)) (mm (T A) (T H) (T G)))",
    "a transposed inverse": "(= (T (minv (T A))) (minv A))",
    "traces": "(= (tr (mm A G H)) (tr (mm (T G) (T A) (T H))))",
    "the trace of the identity": "(= (tr (mm (I s) (I s))) (of (dim s)))",
    "truth": "(<= 0 1)",
}
TRUE: dict[str, Callable[[READ], Any]] = {
    **{f"calculation: {k}": ring_of(v) for k, v in EQUAL.items()},
    **OF_AXIOMS,
    "conversion: a multiple": conversion("(<= (* 2 x) (* 4 y))", "(<= 0 (+ (* 2 y) (* -1 x)))"),
    "conversion: an equation turned round": conversion("(= A B)", "(= (sc -2 B) (sc -2 A))"),
    "specialise": _specialise("i", "(<= 0 (a i))"),
    "cite": _cite(["(<= x y)"], "(<= x y)"),
    "induction": _induction("(<= 0 (a 1Z))", STEP),
    "psatz: a difference of squares": _psatz(
        "(<= (* 2 x y) (+ (* x x) (* y y)))", [], ("1", [], ["(+ x (* -1 y))"])
    ),
    "psatz: strict": _psatz(
        "(< 0 (* x y))", ["(< 0 x)", "(<= x y)"], ("1", [0, 0], []), ("1", [0, 1], [])
    ),
    "psatz: a contradiction": _psatz("F", ["(< x y)", "(<= y x)"], ("1", [0], []), ("1", [1], [])),
    "psatz: integers for reals": _psatz("(<= (of i) (of j))", ["(<= i j)"], ("1", [0], [])),
    "psatz: any multiplier on an equation": _psatz(
        "(<= (* z x) (* z y))", ["(= x y)"], ("z", [0], [])
    ),
    "linear: multiplied from the left": _linear(
        "(= (mm A B) (mm A C))", ["(= B C)"], ("A", 0, "(I s)")
    ),
    "linear: two inverses are one": _linear(
        "(= B C)",
        ["(= (mm A B) (I s))", "(= (mm C A) (I s))"],
        ("C", 0, "(I s)"),
        ("(sc -1 (I s))", 1, "B"),
    ),
}
