"""Lines are shown, and have to be defined, as their author typed them."""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    Derivation,
    Le,
    ProofError,
    Sum,
    Undefined,
    check_identity,
    check_inequality,
    dot,
    indices,
    integers,
    inverse,
    matrices,
    norm2,
    real_family,
    reals,
    trace,
    vectors,
)

theta, x = vectors("theta x")
y, z = reals("y z")
d = integers("d", positive=True)
i = indices("i")
a = real_family("a")
A = matrices("A", d, d)


def test_terms_keep_the_order_in_which_they_were_typed() -> None:
    theorem = (
        Derivation("order")
        .start(norm2(theta + y * x))
        .equals(norm2(theta) + 2 * y * dot(theta, x) + y**2 * norm2(x), because="expand")
        .qed()
    )
    lines = theorem._repr_latex_()
    assert r"\lVert \theta + y x \rVert^{2}" in lines
    expanded = r"\lVert \theta \rVert^{2} + 2 y \langle \theta, x \rangle + y^{2} \lVert x \rVert"
    assert expanded in lines
    assert "‖theta‖² + 2*y*⟨theta, x⟩ + y**2*‖x‖²" in str(theorem)
    assert expanded in theorem.as_dict()["statement"]


def test_single_facts_keep_their_order_too() -> None:
    assert check_identity(z + y, y + z).as_dict()["statement"] == "z + y = y + z"
    fact = check_inequality(Le(2 * y * z, z**2 + y**2)).as_dict()["statement"]
    assert fact == r"2 y z \le z^{2} + y^{2}"


def test_what_cancels_while_it_is_typed_has_to_be_defined() -> None:
    with pytest.raises(Undefined, match="z/z"):
        Derivation("cancelled").start(z / z)
    with pytest.raises(Undefined, match="z/z"):
        Derivation("cancelled").start(1).equals(z / z, because="cancel")
    with pytest.raises(Undefined, match="invertible"):
        Derivation("cancelled").start(trace(A * inverse(A)))
    with pytest.raises(Undefined, match="z/z"):
        check_identity(z / z, 1)
    with pytest.raises(Undefined, match="z/z"):
        check_inequality(Le(0, z / z))


def test_a_term_from_a_variable_is_shown_as_it_is() -> None:
    term = y + z
    theorem = Derivation("variable").start(term).equals(z + y, because="swap").qed()
    assert theorem.as_dict()["statement"] == "y + z = z + y"


def test_source_that_gives_another_value_when_read_again_is_not_shown() -> None:
    supply = iter([y, z, z, z])
    theorem = Derivation("twice").start(next(supply)).equals(y, because="the first").qed()
    assert theorem.as_dict()["statement"] == "y = y"


def test_code_without_source_is_checked_all_the_same() -> None:
    namespace = {"Derivation": Derivation, "y": y, "z": z}
    code = "t = Derivation('no source').start(z + y).equals(y + z, because='swap').qed()"
    exec(code, namespace)
    theorem = namespace["t"]
    assert theorem.mark == "proved"  # type: ignore[attr-defined]
    with pytest.raises(ProofError):
        exec("Derivation('no source').start(z).equals(y, because='wrong')", namespace)


def test_a_sum_is_shown_with_its_body_as_typed() -> None:
    term = check_identity(Sum(z + a[i], (i, 1, d)), d * z + Sum(a[i], (i, 1, d)))
    assert r"\sum_{i=1}^{d} \left(z + a_{i}\right)" in term.as_dict()["statement"]
