"""Derivations that check themselves, and leave a certificate for the kernel."""

import contextlib

from .derivation import Derivation, Step, Theorem, check_identity, check_inequality, impossible
from .errors import IllTyped, ProofError, Undefined, Unproved, Vacuous, WrongStep
from .language import (
    Abs,
    And,
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
from .rules import apply, cases, induction, let, monotone, termwise, using

E = expectation
P = probability


def as_written():
    return contextlib.nullcontext()


def _missing(name):
    def f(*a, **k):
        raise Unproved(f"{name} is not available yet")
    return f


grad = _missing("grad"); lagrangian=_missing("lagrangian"); stationary_points=_missing("stationary_points")
second_order=_missing("second_order"); minimised_at=_missing("minimised_at"); tested=_missing("tested"); assumed=_missing("assumed")
independent=_missing("independent"); independent_family=_missing("independent_family"); invertible=_missing("invertible")
positive_definite=_missing("pd"); positive_semidefinite=_missing("psd"); derivative=_missing("derivative"); random_matrices=_missing("rm")
core_size=_missing("core_size")
