"""The recorded certificates: checked by the kernel, and about what the book states now."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlnotes import theorems, trusted
from tests.turns import mine

FOLDER = Path(theorems.__file__).parent / "certificates"
CHAPTERS = sorted(path.stem for path in FOLDER.glob("*.json"))


def certificates(chapter):
    return json.loads((FOLDER / f"{chapter}.json").read_text("utf-8"))


def own_lines(*arguments):
    command = [sys.executable, "-m", "mlnotes.proof", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return done.stdout + done.stderr


def test_every_theorem_of_the_book_has_a_certificate():
    named = {c["name"] for chapter in CHAPTERS for c in certificates(chapter)}
    assert not {label for label, _ in theorems.registry()} - named


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_certified_labels_are_theorems_of_the_book(chapter):
    labels = {label for label, _ in theorems.registry()}
    named = {c["name"] for c in certificates(chapter)}
    assert any(name in labels for name in named)


def test_the_kernel_accepts_every_certificate_and_knows_its_axioms():
    from mlnotes.proof.recorded import checked_certificates

    checked = checked_certificates()
    assert len(checked) >= 85
    convergence = checked["thm-perceptron-convergence"]
    assert "induction" in convergence.axioms
    assert "derivative_exp" not in convergence.axioms


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_certificates_are_about_what_the_chapter_states_now(chapter):
    """A derivation that says something else than its certificate raises an error."""
    module = f"mlnotes.theorems.{chapter}"
    stated = {n: derive() for n, derive in theorems.registry() if derive.__module__ == module}
    assert stated
    assert {name for name, theorem in stated.items() if theorem.mark != "proved"} == set()


def test_the_command_compares_a_chapter_with_its_certificates():
    said = own_lines("--recorded", "pac_learning")
    count = sum(d.__module__.endswith(".pac_learning") for _, d in theorems.registry())
    assert said == f"pac_learning: {count} certified\n{count} certified, 0 not\n"


RECORD = """
import sys
from pathlib import Path
from mlnotes.proof import __main__ as command
folder, *chapters = sys.argv[1:]
command.FOLDER, command.DEFINED = Path(folder), Path(folder) / "definedness"
with command.searching():
    for chapter in chapters:
        found, failures = command.derive([chapter], [])
        assert not failures
        command.write(chapter, found[chapter], command._of_other_chapters(chapter))
"""


@pytest.mark.slow
def test_recording_gives_the_same_bytes_in_any_order_and_with_any_hashes(tmp_path):
    runs = {"1": ["pac_learning", "least_squares"], "2": ["least_squares", "pac_learning"]}
    for seed, chapters in runs.items():
        (tmp_path / seed).mkdir()
        command = [sys.executable, "-c", RECORD, str(tmp_path / seed), *chapters]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    written = sorted(p.relative_to(tmp_path / "1") for p in (tmp_path / "1").rglob("*.json"))
    assert len(written) == 4
    for path in written:
        assert (tmp_path / "1" / path).read_bytes() == (tmp_path / "2" / path).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("chapter", mine(CHAPTERS))
def test_the_proofs_of_a_chapter_are_found_anew(chapter):
    """A search that has changed still finds what it found, so that authors can record again."""
    told = own_lines(chapter, "--dry-run")
    assert told.endswith(" certified, 0 not\n"), told


def test_a_changed_statement_is_noticed():
    from mlnotes.proof import Derivation, Le, Unproved, reals
    from mlnotes.proof.recorded import stating

    x = reals("x")
    with stating():
        theorem = Derivation("another", given=[Le(x, 0)], witness={x: 0}).start(x).at_most(1).qed()
    with pytest.raises(Unproved, match="another statement: run python"):
        theorem.named("thm-perceptron-convergence")


def test_what_is_only_stated_is_no_theorem():
    from mlnotes.proof import Derivation, reals
    from mlnotes.proof.recorded import stating

    x = reals("x")
    with stating():
        theorem = Derivation("false").start(x).equals(x + 1).qed()
    assert theorem.mark == "uncertified"
    assert theorem.checked is None
    assert {s.mark for s in theorem.named("thm-nowhere").steps} == {"uncertified"}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_certificate_with_a_spoiled_step_is_refused(chapter):
    first = certificates(chapter)[0]
    spoiled = json.loads(json.dumps(first))
    spoiled["conclusion"] = spoiled["hypotheses"][0] if spoiled["hypotheses"] else 0
    with pytest.raises(trusted.Refused):
        trusted.check([spoiled])
