"""The second checker agrees with the first, on every certificate and on spoiled ones."""

import json
import random
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from mlnotes_book.certificates import written

from mlnotes import trusted
from mlnotes.proof.recorded import certificates, checked_certificates

SCRIPT = Path(__file__).with_name("second_checker.mjs")
SPOILED = 24


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


def first(certificate):
    try:
        trusted.check([certificate])
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


def test_the_checkers_agree_on_spoiled_certificates():
    rng = random.Random(20)
    library = {c["name"] for c in data("library.json")}
    alone = [
        c for c in certificates() if all(s[0] != "cite" or s[1] in library for s in c["steps"])
    ]
    spoiled = [spoil(rng.choice(alone), rng) for _ in range(SPOILED)]
    answers = second([[c] for c in spoiled])
    assert {a.get("name", "Refused") for a in answers} == {"Refused"}
    ours = [first(c) for c in spoiled]
    assert ours == ["accepted" in a for a in answers]
    assert not all(ours)


@pytest.mark.parametrize("name", ["axioms.json", "library.json"])
def test_what_both_read_is_plain_data(name):
    assert isinstance(data(name), list)
