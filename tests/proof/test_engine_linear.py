"""The exact linear program finds what exists and nothing else."""

import random
from fractions import Fraction as F

import pytest
from mlnotes.proof.prove import Column, checks

from mlnotes.proof.linear import combination


def system(seed):
    r = random.Random(seed)
    rows, count = r.randint(1, 6), r.randint(1, 9)
    columns = []
    for _ in range(count):
        entries = {i: F(r.randint(-3, 3)) for i in range(rows) if r.random() < 0.7}
        columns.append({i: v for i, v in entries.items() if v})
    free = [r.random() < 0.3 for _ in columns]
    return r, rows, columns, free


def total(columns, multipliers):
    out = {}
    for j, c in multipliers.items():
        for i, v in columns[j].items():
            out[i] = out.get(i, F(0)) + c * v
    return {i: v for i, v in out.items() if v}


@pytest.mark.parametrize("seed", range(120))
def test_a_planted_combination_is_found(seed):
    r, _, columns, free = system(seed)
    planted = {j: F(r.randint(-2 if f else 0, 3)) for j, f in enumerate(free)}
    target = total(columns, planted)
    found = combination(target, columns, free)
    assert found is not None
    assert all(free[j] or c >= 0 for j, c in found.items())
    assert total(columns, found) == target


@pytest.mark.parametrize("seed", range(400))
def test_a_target_on_the_wrong_side_of_a_hyperplane_is_refused(seed):
    r, rows, columns, free = system(seed)
    normal = [F(r.randint(-2, 2)) for _ in range(rows)]
    if not any(normal):
        normal[0] = F(1)

    def side(v):
        return sum((normal[i] * c for i, c in v.items()), F(0))

    allowed = [(c, f) for c, f in zip(columns, free, strict=True) if side(c) >= 0]
    allowed = [(c, f and side(c) == 0) for c, f in allowed]
    target = {i: -v for i, v in enumerate(normal) if v}
    assert combination(target, [c for c, _ in allowed], [f for _, f in allowed]) is None


def test_a_reward_has_to_be_used():
    columns = [{"x": F(1)}, {"x": F(-1)}]
    assert combination({}, columns, [False, False], [True, False]) == {0: F(1), 1: F(1)}
    assert combination({}, [{"x": F(1)}, {"x": F(1)}], [False, False], [True, False]) is None


def test_a_certificate_is_added_up_again():
    unit = ((), ())
    goal = {unit: F(1)}
    nonnegative = [Column({unit: F(1)}, ">=", "one")]
    assert checks(goal, ">=", nonnegative, {0: F(1)})
    assert not checks(goal, ">=", nonnegative, {0: F(2)})
    assert not checks(goal, ">", nonnegative, {0: F(1)})
    assert not checks(goal, "=", nonnegative, {0: F(1)})
    assert not checks({unit: F(-1)}, ">=", nonnegative, {0: F(-1)})
