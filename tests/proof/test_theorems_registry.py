"""All theorems together: each has one label, one module and a certificate of all its lines."""

import inspect
import subprocess
import sys

import pytest

from mlnotes.proof import Derivation, Unproved
from mlnotes.proof.recorded import stating
from mlnotes.theorems import proves, registry
from tools import scopes

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
    assert theorem.mark == "proved"
    for step in theorem.steps:
        assert step.because.strip()
        assert step.because.count("$") % 2 == 0


CHAPTERS = sorted({derive.__module__.rpartition(".")[2] for _, derive in REGISTRY})


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_theorems_reach_as_far_as_the_snapshot_says(chapter):
    mine = f"mlnotes.theorems.{chapter}"
    derived = {name: derive for name, derive in REGISTRY if derive.__module__ == mine}
    path = scopes.FOLDER / f"{chapter}.txt"
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    found = scopes.text({name: scopes.of_theorem(derive()) for name, derive in derived.items()})
    assert found == written, "look at the change; 'python -m tools.scopes' takes it over"


def test_every_snapshot_of_scopes_is_of_a_chapter():
    assert sorted(path.stem for path in scopes.FOLDER.iterdir()) == CHAPTERS


def test_a_theorem_that_reaches_less_far_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(scopes, "chapters", lambda: {"a": {"thm-a": "any n"}, "b": {}})
    assert scopes.write(tmp_path) == ["a.txt", "b.txt"]
    assert scopes.write(tmp_path) == []
    monkeypatch.setattr(scopes, "chapters", lambda: {"a": {"thm-a": "n = 2"}})
    assert scopes.write(tmp_path) == ["a.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "thm-a: n = 2\n"


def test_importing_the_theorems_states_nothing_and_loads_nothing_heavy():
    code = (
        "import sys; import mlnotes.proof.derivations as d\n"
        "def refuse(*a, **k): raise AssertionError('a derivation ran on import')\n"
        "d.Derivation.qed = refuse\n"
        "from mlnotes.theorems import registry\n"
        "assert len(list(registry())) > 340\n"
        "heavy = {'numpy', 'scipy', 'sympy', 'matplotlib', 'sklearn'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_theorem_of_the_book_is_certified():
    assert [label for label, derive in REGISTRY if derive().mark != "proved"] == []


@pytest.mark.parametrize("label", HEADLINES)
def test_every_line_of_a_headline_is_a_step_of_its_certificate(label):
    theorem = dict(REGISTRY)[label]()
    assert all(step.says in theorem.checked.proved for step in theorem.steps)
    assert all(step.detail for step in theorem.steps)


def test_a_line_that_the_certificate_does_not_prove_is_noticed():
    from mlnotes.theorems.perceptron import R, before, norm2, point, y

    witness = {y: 1, before: [1, 0], point: [0, 1], R: 1}
    derive = inspect.unwrap(dict(REGISTRY)["lem-norm-growth"])
    with stating():
        theorem = derive()
        longer = Derivation("longer", list(theorem.given), witness).start(theorem.first)
        for step in theorem.steps[:-1]:
            longer.line(step.relation, step.expression)
        longer.at_most(norm2(before) + 2 * R**2 - R**2, because="not in the certificate")
        longer.at_most(theorem.steps[-1].expression)
        changed = longer.qed()
    with pytest.raises(Unproved, match="does not prove its line"):
        changed.named("lem-norm-growth")


def test_the_kernel_checks_all_theorems_in_a_few_seconds_of_the_processor():
    """The budget is generous; what it takes is measured in the benchmarks."""
    code = (
        "import time; from mlnotes.theorems import registry\n"
        "started = time.process_time()\n"
        "for _, derive in registry(): derive()\n"
        "print(time.process_time() - started)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert float(done.stdout) < 30
