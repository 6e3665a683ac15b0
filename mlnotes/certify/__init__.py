"""Derivations that check themselves, and leave a certificate for the kernel."""

import contextlib

from .derivation import Derivation, Step, Theorem, check_identity, check_inequality, impossible
from .errors import IllTyped, ProofError, Undefined, Unproved, Vacuous, WrongStep
from .language import (
    Abs,
    And,
    Expr,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Or,
    Product,
    Rational,
    Sum,
    build,
    dot,
    exp,
    expectation,
    for_each,
    function,
    identity,
    indicator,
    indices,
    integer_family,
    integers,
    inverse,
    log,
    logdet,
    matrices,
    norm,
    norm2,
    probability,
    random_family,
    random_variables,
    random_vectors,
    real_family,
    reals,
    sqrt,
    trace,
    vector_family,
    vectors,
    zeros,
)
from .probability import independent, independent_family
from .rules import apply, cases, induction, let, monotone, termwise, using

E = expectation
P = probability


def as_written():
    return contextlib.nullcontext()


class _Missing(Expr):
    """What the engine does not know yet: it can be written, and fails where it is used."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name
        super().__init__(build("F"))

    @property
    def assumes(self):
        raise Unproved(f"{self.name} is not available yet")

    @assumes.setter
    def assumes(self, value):
        pass

    def __getitem__(self, at):
        return self

    def __getattr__(self, name):
        raise Unproved(f"{self.name} is not available yet")


def _missing(name):
    def f(*a, **k):
        return _Missing(name)
    return f


def _refuse(name):
    def f(*a, **k):
        raise Unproved(f"{name} is not available yet")
    return f


grad = _refuse("grad"); lagrangian=_refuse("lagrangian"); stationary_points=_refuse("stationary_points")
second_order=_refuse("second_order"); minimised_at=_refuse("minimised_at"); tested=_refuse("tested"); assumed=_refuse("assumed")
invertible=_missing("invertible")
positive_definite=_missing("positive_definite"); positive_semidefinite=_missing("positive_semidefinite"); derivative=_refuse("derivative")
core_size=_refuse("core_size")


def random_matrices(names, rows, columns):
    out = [_Missing("random_matrices") for _ in names.split()]
    return out[0] if len(out) == 1 else tuple(out)
