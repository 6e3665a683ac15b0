"""All theorems together: each has one label and one module, runs without z3, and soon enough."""

import subprocess
import sys

import pytest

from mlnotes.theorems import proves, registry

REGISTRY = list(registry())
SECONDS = 30


def test_every_label_is_unique_and_names_its_kind():
    labels = [label for label, _ in REGISTRY]
    assert len(labels) == len(set(labels))
    assert all(label.split("-")[0] in {"thm", "lem", "cor", "prop"} for label in labels)


def test_chapters_come_in_sorted_order():
    modules = [derive.__module__ for _, derive in REGISTRY]
    assert modules == sorted(modules)
    chapters = {m.rsplit(".", 1)[1] for m in modules}
    assert {"adaboost", "concentration", "pac_learning", "perceptron"} <= chapters
    assert "support_vector_machines" in chapters


def test_a_label_cannot_be_claimed_twice():
    with pytest.raises(ValueError, match="two derivations claim"):
        proves(REGISTRY[0][0])(lambda: None)


@pytest.mark.parametrize(("label", "derive"), REGISTRY, ids=[label for label, _ in REGISTRY])
def test_a_derivation_says_in_one_line_what_it_derives_and_gives_reasons(label, derive):
    assert derive.__doc__
    assert "\n" not in derive.__doc__.strip()
    theorem = derive()
    assert derive() is theorem
    assert theorem.mark in {"proved", "assumed"}
    for step in theorem.steps:
        assert step.because.strip()
        assert step.because.count("$") % 2 == 0


def test_importing_the_theorems_derives_nothing_and_loads_nothing_heavy():
    code = (
        "import sys, time; import mlnotes.proof.derivation as d\n"
        "def refuse(*a, **k): raise AssertionError('a derivation ran on import')\n"
        "d.make_theorem = refuse\n"
        "from mlnotes.theorems import registry\n"
        "assert len(list(registry())) > 40\n"
        "heavy = {'numpy', 'scipy', 'matplotlib', 'sklearn', 'z3', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_all_theorems_need_no_z3_and_less_than_half_a_minute_of_processor_time():
    """Measured on one core: no wall clock, and no z3 to fall back on."""
    code = (
        "import time\n"
        "from mlnotes.proof import smt\n"
        "smt.available = lambda: False\n"
        "from mlnotes.theorems import registry\n"
        "derivations = list(registry())\n"
        "started = time.process_time()\n"
        "for label, derive in derivations: derive()\n"
        "print(time.process_time() - started)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert float(run.stdout) < SECONDS
