"""All theorems together: each has one label and one module, runs without z3, and soon enough."""

import json
import subprocess
import sys

import pytest

from mlnotes.proof.derivations import WORK
from mlnotes.theorems import proves, registry

REGISTRY = list(registry())
# The derivations the book is known for; whatever they apply is derived with them.
HEADLINES = [
    *("thm-perceptron-convergence", "thm-xor-not-separable"),
    *("thm-svm-hard-strong-duality", "thm-svm-soft-dual", "thm-svm-soft-weak-duality"),
    *("lem-svm-kkt-zero", "lem-svm-kkt-between", "lem-svm-kkt-full"),
    *("thm-adaboost-training-error", "cor-adaboost-weak-learning"),
    *("lem-hoeffding", "thm-hoeffding", "thm-pac-finite-class", "cor-pac-error-form"),
    *("thm-elbo", "thm-em-monotone", "thm-bernoulli-m-step-optimal", "thm-gaussian-mean"),
    *("thm-gaussian-covariance", "thm-mixture-weights-optimal"),
    *("thm-maximum-entropy-optimal", "thm-maxent-is-logistic"),
    *("thm-normal-equations", "thm-push-through", "thm-in-sample-error", "thm-bias-variance"),
]
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
        "import sys, time; import mlnotes.proof.derivations as d\n"
        "def refuse(*a, **k): raise AssertionError('a derivation ran on import')\n"
        "d.make_theorem = refuse\n"
        "from mlnotes.theorems import registry\n"
        "assert len(list(registry())) > 40\n"
        "heavy = {'numpy', 'scipy', 'matplotlib', 'sklearn', 'z3', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def derive_without_z3(labels):
    """Derive theorems in a new process that has no z3.

    Return its processor time and the work that went into each line.
    """
    code = (
        "import json, sys, time\n"
        "from mlnotes.proof import Derivation, derivation, smt\n"
        "smt.available = lambda: False\n"
        "write, work = Derivation._line, {}\n"
        "def count(self, *line):\n"
        "    result = write(self, *line)\n"
        "    spent = derivation.WORK - self._prover.budget.left\n"
        "    work[f'{self.title}, line {len(self.steps)}'] = spent\n"
        "    return result\n"
        "Derivation._line = count\n"
        "from mlnotes.theorems import registry\n"
        "derivations = dict(registry())\n"
        "started = time.process_time()\n"
        "for label in sys.argv[1:]: derivations[label]()\n"
        "print(json.dumps([time.process_time() - started, work]))\n"
    )
    command = [sys.executable, "-c", code, *labels]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_the_headline_derivations_take_less_than_half_a_minute_of_processor_time():
    seconds, _ = derive_without_z3(HEADLINES)
    assert seconds < SECONDS


def test_no_theorem_needs_z3_or_much_of_the_work_that_a_line_may_take():
    _, work = derive_without_z3([label for label, _ in REGISTRY])
    assert len(work) > len(REGISTRY)
    assert max(work.values()) > WORK / 60  # some work was counted
    assert {line: spent for line, spent in work.items() if spent > WORK / 4} == {}
