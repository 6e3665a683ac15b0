"""The second checker agrees with the first, on every certificate and on spoiled ones."""

import contextlib
import json
import os
import random
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from kernel_nonsense import disturbed
from kernel_terms import Terms, _integral_of_products
from mlnotes_book.certificates import package, written

from mlnotes import trusted
from mlnotes.proof.language import rows_of
from mlnotes.proof.recorded import certificates, checked_certificates
from mlnotes.trusted.terms import FUEL, fuel, make

SCRIPT = Path(__file__).with_name("second_checker.mjs")
LONG = bool(os.environ.get("MLNOTES_LONG"))
SPOILED = 3000 if LONG else 60


def data(name):
    return json.loads(files("mlnotes.trusted").joinpath(name).read_text("utf-8"))


def second(lists):
    """Return what the second checker says of lists of certificates."""
    given = {"axioms": data("axioms.json"), "library": data("library.json"), "lists": lists}
    node = shutil.which("node")
    assert node, "node is not on the path: run make setup"
    done = subprocess.run(
        [node, str(SCRIPT)], input=json.dumps(given), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def first(certificates):
    try:
        trusted.check(certificates)
    except trusted.Refused:
        return False
    return True


def integers(row, path=()):
    """Yield where integers stand in a row."""
    for k, value in enumerate(row):
        if isinstance(value, list):
            yield from integers(value, (*path, k))
        elif isinstance(value, int):
            yield (*path, k)


def spoil(certificate, rng):
    """Return a certificate with one number changed."""
    out = json.loads(json.dumps(certificate))
    rows = [row for row in (*out["terms"], *out["steps"]) if any(True for _ in integers(row))]
    row = rng.choice(rows)
    *path, last = rng.choice(list(integers(row)))
    for k in path:
        row = row[k]
    row[last] = max(0, row[last] + rng.choice([-2, -1, 1, 2]))
    return out


def as_text(change, certificate, rng):
    """Return a changed certificate that can be written as JSON."""
    while True:
        changed = change(certificate, rng)
        with contextlib.suppress(TypeError, ValueError, RecursionError):
            if isinstance(changed, dict) and "name" in changed:
                return json.loads(json.dumps(changed, allow_nan=False))


def test_both_checkers_accept_every_certificate():
    everything = certificates()
    (answer,) = second([everything])
    assert answer.get("accepted"), answer
    assert [name for name, *_ in answer["accepted"]] == [c["name"] for c in everything]
    for name, steps, hypotheses, conclusion in answer["accepted"]:
        checked = checked_certificates()[name]
        assert steps == checked.steps
        assert set(hypotheses) == set(map(written, checked.hypotheses))
        assert conclusion == written(checked.conclusion)


@pytest.mark.parametrize("change", [spoil, disturbed], ids=["a number", "a part"])
def test_the_checkers_agree_on_spoiled_certificates(change):
    """One number, or one part, of any certificate is changed; what it cites stays."""
    rng = random.Random(20)
    names = [c["name"] for c in certificates()]
    spoiled = []
    for _ in range(SPOILED):
        *cited, last = package(rng.choice(names))["certificates"]
        spoiled.append([*cited, as_text(change, last, rng)])
    answers = second(spoiled)
    assert {a.get("name", "Refused") for a in answers} == {"Refused"}
    ours = [first(given) for given in spoiled]
    theirs = ["accepted" in answer for answer in answers]
    assert [g[-1]["name"] for g, a, b in zip(spoiled, ours, theirs, strict=True) if a != b] == []
    print(f"{sum(ours)} of {len(ours)} accepted by both")
    assert not all(ours)


def test_the_checkers_agree_on_random_integrals():
    """An integral is compared with one that looks different, which is the same or another."""
    rng = random.Random(8)
    given = []
    for k in range(SPOILED):
        fuel.left = FUEL
        source = Terms(make, rng)
        left = _integral_of_products(source, ())
        right = source.twin(left) if k % 3 else _integral_of_products(source, ())
        rows = rows_of(make("=", (), [left, right]))
        last = len(rows) - 1
        claim = {"hypotheses": [], "conclusion": last}
        given.append([{"name": "integral", "terms": rows, "steps": [["ring", last]], **claim}])
    ours = [first(one) for one in given]
    assert ours == ["accepted" in answer for answer in second(given)]
    assert 0.2 < sum(ours) / len(ours) < 0.9


@pytest.mark.parametrize("name", ["axioms.json", "library.json"])
def test_what_both_read_is_plain_data(name):
    assert isinstance(data(name), list)
