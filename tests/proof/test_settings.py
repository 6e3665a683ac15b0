"""Settings are declared once; theorems state what they add, and of the setting what they need."""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    Lt,
    Setting,
    Sum,
    Unproved,
    Vacuous,
    WrongStep,
    dot,
    for_each,
    impossible,
    indices,
    integers,
    log,
    matrices,
    norm2,
    real_family,
    reals,
    trace,
    vectors,
)
from mlnotes.proof.language.terms import build
from mlnotes.proof.settings import is_trivial

theta, x, target, w = vectors("theta x theta^* w")
y, R = reals("y R")
gamma = reals("gamma", positive=True)
n, k = integers("n k", positive=True)
i = indices("i")
p = real_family("p", positive=True)

WEIGHTS = {n: 2, k: 1, p: [1, 1]}
MISTAKE = Setting(
    "a mistake",
    {theta: "the weights", x: "the point", target: "what separates", gamma: "its margin"},
    given={
        "label": Eq(y**2, 1),
        "mistake": Le(y * dot(theta, x), 0),
        "radius": Le(norm2(x), R**2),
        "margin": Ge(y * dot(target, x), gamma),
    },
    witness={theta: [0, 0], x: [1, 0], y: 1, R: 1, target: [1, 0], gamma: 1},
)


def growth():
    return (
        Derivation("growth", setting=MISTAKE)
        .start(norm2(theta + y * x))
        .equals(norm2(theta) + 2 * y * dot(theta, x) + y**2 * norm2(x), "expand")
        .at_most(norm2(theta) + R**2, "a mistake")
        .qed()
    )


def test_a_theorem_states_of_its_setting_what_its_proof_needs():
    theorem = growth()
    assert [h.name for h in theorem.from_setting] == ["label", "mistake", "radius"]
    assert theorem.own == theorem.trivial == ()
    assert set(theorem.checked.hypotheses) == {h.term for h in theorem.stated}


def test_what_makes_a_line_defined_is_needed():
    theorem = (
        Derivation("scaled", setting=MISTAKE)
        .start(dot(theta + y * x, target) / gamma)
        .equals(dot(theta, target) / gamma + y * dot(x, target) / gamma, "linear")
        .qed()
    )
    assert [h.name for h in theorem.stated] == ["gamma positive"]
    assert theorem.stated[0].setting == "a mistake"


def test_what_a_theorem_writes_itself_is_stated_also_where_it_is_not_needed():
    theorem = (
        Derivation("growth", setting=MISTAKE, given={"sign": Gt(y, 0)})
        .start(norm2(theta + y * x))
        .at_most(norm2(theta) + R**2, "a mistake", by=growth())
        .qed()
    )
    assert [h.name for h in theorem.own] == ["sign"]


def test_a_line_that_fails_outside_the_setting_is_refused_there():
    with pytest.raises((WrongStep, Unproved)):
        Derivation("growth").start(norm2(theta + y * x)).at_most(norm2(theta) + R**2).qed()


def test_a_false_line_in_a_setting_is_refuted():
    line = Derivation("growth", setting=MISTAKE).start(norm2(theta + y * x))
    with pytest.raises(WrongStep):
        line.at_most(norm2(theta), "not so")


def test_settings_that_contradict_each_other_are_found_vacuous():
    with pytest.raises(Vacuous):
        Derivation("nothing", setting=MISTAKE, given={"wrong": Lt(R**2, 0)})


def test_an_impossibility_needs_a_setting_that_is_possible():
    bad = Setting("nowhere", given={"above": Gt(y, 1), "below": Lt(y, 0)}, witness={y: 2})
    with pytest.raises(Vacuous):
        impossible("nothing", setting=bad)
    theorem = impossible("a short point", given={"short": Lt(R, 0), "root": Ge(R, 0)})
    assert [h.name for h in theorem.own] == ["short", "root"]


def test_settings_compose_and_hypotheses_remember_theirs():
    unit = Setting("unit length", given={"unit": Eq(norm2(target), 1)}, witness={target: [1, 0]})
    both = MISTAKE & unit
    assert both.name == "a mistake and unit length"
    theorem = (
        Derivation("margin", setting=both, given={"sign": Eq(y, 1)})
        .start(gamma)
        .at_most(dot(target, x) * norm2(target), "the margin")
        .qed()
    )
    assert {(h.name, h.setting) for h in theorem.stated if h.setting} == {
        ("margin", "a mistake"),
        ("unit", "unit length"),
    }


def test_a_setting_with_more_keeps_its_name_or_takes_another():
    more = MISTAKE.with_(given={"start": Eq(theta, 0)}, name="the first mistake")
    theorem = (
        Derivation("first", setting=more).start(norm2(theta + y * x)).at_most(R**2, "start").qed()
    )
    assert {h.setting for h in theorem.stated} == {"a mistake", "the first mistake"}
    assert MISTAKE.with_(given={"start": Eq(theta, 0)}).name == "a mistake"


def test_symbols_are_attributes():
    assert MISTAKE.theta_star is target
    with pytest.raises(AttributeError, match="no symbol 'phi'"):
        _ = MISTAKE.phi


def test_a_letter_with_two_meanings_in_one_setting_is_refused():
    with pytest.raises(IllTyped, match="two meanings"):
        Setting("twice", theta, reals("theta"))
    with pytest.raises(IllTyped, match="two meanings"):
        Setting("twice", gamma, reals("gamma"))
    with pytest.raises(IllTyped, match="two hypotheses are called 'label'"):
        MISTAKE & Setting("other labels", given={"label": Eq(y, 1)})


def test_parts_by_name_as_latex():
    theorem = growth()
    assert theorem.part("mistake") == r"y \langle \theta, x \rangle \le 0"
    assert theorem.part("conclusion").endswith(r"\le \lVert \theta \rVert^{2} + R^{2}")
    assert theorem.part("right") == r"\lVert \theta \rVert^{2} + R^{2}"
    assert theorem.hypothesis("label") == Eq(y**2, 1)
    assert theorem.conclusion is theorem.statement
    assert MISTAKE.part("gamma positive") == r"\gamma > 0"
    with pytest.raises(KeyError, match="has no part 'speed'; it has 'conclusion'"):
        theorem.part("speed")


def test_hypotheses_without_a_name_are_numbered():
    theorem = (
        Derivation("sum", given=[Le(y, 1), Le(R, 2)], witness={y: 0, R: 0})
        .start(y + R)
        .at_most(3, "both")
        .qed()
    )
    assert theorem.part("given 2") == r"R \le 2"


def test_a_family_declared_positive_in_a_setting_belongs_to_it():
    points = Setting("weights", p, n)
    theorem = (
        Derivation("logs", setting=points, given={"member": Le(k, n)}, witness=WEIGHTS)
        .start(Sum(log(p[i]), (i, 1, n)) + log(p[k]))
        .equals(log(p[k]) + Sum(log(p[i]), (i, 1, n)), "the order of terms")
        .qed()
    )
    assert {h.name: h.setting for h in theorem.stated if h.name[0] == "p"} == {
        "p positive": "weights"
    }
    assert "member" in {h.name for h in theorem.trivial}


def test_what_is_declared_of_a_family_is_said_with_the_letters_of_its_members():
    """A letter means one thing: with points i and components k no page says "for all i" of both."""
    m, j = indices("m j")
    table = real_family("u", positive=True)
    theorem = (
        Derivation("a table and its logs")
        .start(Sum(Sum(log(table[j, m]), (m, 1, k)), (j, 1, n)) + Sum(log(p[m]), (m, 1, k)))
        .equals(
            Sum(log(p[m]), (m, 1, k)) + Sum(Sum(log(table[j, m]), (m, 1, k)), (j, 1, n)),
            "the order of terms",
        )
        .qed()
    )
    said = theorem.parts()
    assert said["p positive"] == r"p_{m} > 0 \quad \text{for all } m"
    assert said["u positive"] == r"u_{j,m} > 0 \quad \text{for all } j, m"
    by_name = {h["name"]: h["latex"] for h in theorem.as_dict()["stated"]}
    assert by_name == {name: said[name] for name in by_name}


@pytest.mark.parametrize(
    ("statement", "trivial"),
    [
        (Ge(n, 1), True),
        (Gt(n, 0), True),
        (Ge(n, 0), True),
        (Le(k, n), True),
        (Ge(n, 2), False),
        (Lt(k, n), False),
        (Le(n, 1), False),
        (Gt(gamma, 0), False),
        (Ge(y, 1), False),
        (Le(dot(x, x), 0), False),
        (for_each(i, 1, n, Ge(n, 1)), False),
    ],
)
def test_trivial_hypotheses_are_about_sizes_and_indices_alone(statement, trivial):
    assert is_trivial(statement.term) is trivial


def test_that_a_size_is_the_integer_of_its_name_is_trivial():
    rows, columns = integers("r c", positive=True)
    A = matrices("A", rows, columns)
    theorem = Derivation("squares").start(trace(A.T * A)).at_least(0).qed()
    assert {h.tex for h in theorem.trivial} == {"r = r", "c = c", "r \\ge 1", "c \\ge 1"}
    (size,) = (h.term for h in theorem.trivial if h.tex == "r = r")
    (other,) = (h.term for h in theorem.trivial if h.tex == "c = c")
    number = size.args[0]
    wrong = build("=", (), [number, other.args[1]])
    assert is_trivial(size)
    assert not is_trivial(wrong)


def test_a_theorem_is_applied_by_the_names_of_its_variables():
    theorem = (
        Derivation(
            "use",
            given=[Eq(y, 1), Le(dot(w, x), 0), Le(norm2(x), 4)],
            witness={y: 1, w: [0], x: [1]},
        )
        .start(norm2(w + y * x))
        .at_most(norm2(w) + 4, "by the lemma", by=growth()(theta=w, R=2))
        .qed()
    )
    assert "growth" in " ".join(theorem.checked.cites)


def test_a_theorem_is_not_applied_where_its_hypotheses_fail():
    line = Derivation("use", given=[Eq(y, 1)], witness={y: 1}).start(norm2(w + y * x))
    with pytest.raises((Unproved, WrongStep)):
        line.at_most(norm2(w) + 4, "by the lemma", by=growth()(theta=w, R=2))


def test_a_name_that_a_theorem_does_not_know_is_told():
    with pytest.raises(IllTyped, match='"growth" speaks of R, theta, x, y, not of phi'):
        growth()(phi=w)


def test_several_theorems_and_statements_are_a_tuple():
    a, b = reals("a b")
    square = Derivation("square").start(2 * a * b).at_most(a**2 + b**2, "a square").qed()
    theorem = (
        Derivation("three", given=[Eq(R, 1)], witness={R: 1})
        .start(2 * a * y + 2 * y * R)
        .at_most(a**2 + 2 * y**2 + 1, "twice", by=(square(b=y), square(a=y, b=R)))
        .qed()
    )
    assert theorem.part("right") == r"a^{2} + 2 y^{2} + 1"


def test_a_family_is_given_by_a_function_of_its_indices():
    f, q = real_family("f q")
    nonnegative = (
        Derivation("squares")
        .start(Sum(f[i] ** 2, (i, 1, n)))
        .at_least(0, "squares are not negative")
        .qed()
    )
    theorem = (
        Derivation("shifted squares")
        .start(Sum((q[i] - 1) ** 2, (i, 1, n)))
        .at_least(0, "squares", by=nonnegative(f=lambda i: q[i] - 1))
        .qed()
    )
    assert theorem.checked.cites
