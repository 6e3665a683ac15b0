"""The checks themselves: what a line earns, what a program may do, and how it is contained."""

from __future__ import annotations

import functools
import io
import json
import linecache
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlnotes.checks import (
    Assignment,
    Derive,
    Implement,
    Line,
    Property,
    isolation,
    plain,
    sandbox,
    trees,
    values,
)
from mlnotes.checks._child import (
    arrays,
    auditor,
    described,
    execute,
    imported,
    importer,
    run_calls,
    run_terms,
    within,
    write_arrays,
)
from mlnotes.checks.explore import Explore, count_words
from mlnotes.checks.implement import source_of
from mlnotes.checks.notebooks import (
    answer_to,
    grade_notebook,
    has_figure,
    remarks_on,
    text_of,
)
from mlnotes.proof import (
    Eq,
    IllTyped,
    Le,
    Rational,
    Sum,
    dot,
    exp,
    for_each,
    indices,
    integers,
    norm2,
    real_family,
    reals,
    termwise,
    vectors,
)
from mlnotes.proof.forms import is_expanded

theta, x = vectors("theta x")
y, R = reals("y R")
START = norm2(theta + 3 * y * x)
EXPANDED = norm2(theta) + 6 * y * dot(theta, x) + 9 * y**2 * norm2(x)
SHORT = norm2(theta) + 9 * norm2(x)
LAST = norm2(theta) + 9 * R**2
GROWTH = Derive(
    "growth",
    "growth",
    given=[Eq(y**2, 1), Le(y * dot(theta, x), 0), Le(norm2(x), R**2)],
    witness={y: 1, theta: [1, 0], x: [0, 1], R: 1},
    lines=[Line(term=START), Line("=", form=is_expanded), Line("≤"), Line("≤", LAST)],
    vocabulary={"theta": theta, "x": x, "y": y, "R": R},
)


def earned(a: Any, b: Any) -> tuple[bool, bool]:
    first, second = GROWTH.check({"a": a, "b": b}).items
    return first.right, second.right


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (EXPANDED, SHORT),
        (norm2(theta) + 6 * y * dot(x, theta) + 9 * norm2(x), SHORT),
        (EXPANDED, norm2(theta) + 9 * y**2 * norm2(x)),
        (EXPANDED, norm2(theta) + y * dot(theta, x) + 9 * norm2(x)),
        (("=", EXPANDED), ("<=", SHORT)),
    ],
)
def test_different_right_lines_earn_their_points(a: Any, b: Any) -> None:
    assert earned(a, b) == (True, True)


@pytest.mark.parametrize(
    ("a", "b", "rights"),
    [
        (..., SHORT, (False, True)),
        (EXPANDED, ..., (True, False)),
        (EXPANDED - y * dot(theta, x), SHORT, (False, True)),
        (EXPANDED, SHORT + 1, (True, False)),
        (EXPANDED, SHORT - 1, (True, False)),
        (theta, SHORT, (False, True)),
        (EXPANDED, 1 / y, (True, False)),
        (EXPANDED, "norm2(theta)", (True, False)),
        (EXPANDED, (">=", SHORT), (True, False)),
        (EXPANDED, ("~", SHORT), (True, False)),
        (EXPANDED, ("=", SHORT), (True, False)),
        ((R + y + norm2(x) + norm2(theta)) ** 40, SHORT, (False, True)),
    ],
)
def test_a_wrong_line_loses_its_own_points_only(a: Any, b: Any, rights: tuple[bool, bool]) -> None:
    assert earned(a, b) == rights


@pytest.mark.parametrize(
    ("a", "b", "rights"),
    [
        (START, SHORT, (False, True)),
        (START + 0 * y, SHORT, (False, True)),
        (EXPANDED, EXPANDED, (True, False)),
        (EXPANDED, LAST, (True, False)),
        (EXPANDED, START, (True, False)),
        (EXPANDED, (EXPANDED + LAST) / 2, (True, False)),
        (EXPANDED, (EXPANDED + 2 * LAST) / 3, (True, False)),
        ((START + EXPANDED) / 2, SHORT, (False, True)),
    ],
)
def test_a_line_that_takes_no_step_earns_nothing(a: Any, b: Any, rights: tuple[bool, bool]) -> None:
    assert earned(a, b) == rights


def test_a_wrong_line_comes_back_with_numbers_and_without_the_answer() -> None:
    wrong = norm2(theta) + 5 * y * dot(theta, x) + 9 * y**2 * norm2(x)
    result = GROWTH.check({"a": wrong, "b": SHORT})
    hint = result.items[0].hint
    assert "this line is false" in hint
    assert "the left side is" in hint
    assert str(EXPANDED) not in str(result)


def test_a_false_line_comes_back_with_numbers_even_if_its_form_is_wrong() -> None:
    hint = GROWTH.check({"a": norm2(theta + 3 * y * x) + 1, "b": SHORT}).items[0].hint
    assert "the left side is" in hint
    true = GROWTH.check({"a": norm2(theta + y * x + 2 * y * x), "b": SHORT}).items[0].hint
    assert "repeats" in true or "not done" in true


def test_an_answer_that_is_no_dictionary_earns_nothing() -> None:
    assert GROWTH.check([EXPANDED, SHORT]).earned == 0


def test_a_closed_form_is_compared_with_a_sum_of_as_many_terms() -> None:
    n, i = integers("n", positive=True), indices("i")
    u = real_family("u")
    v, w = reals("v w")
    task = Derive(
        "sums",
        "sums",
        given=[for_each(i, 1, n, Le(u[i], v)), Le(v, w)],
        witness={n: 1, u: [0], v: 1, w: 2},
        lines=[
            Line(term=Sum(u[i], (i, 1, n))),
            Line("≤", by=(termwise(i),)),
            Line("≤", n * w),
        ],
        vocabulary={"n": n, "i": i, "u": u, "v": v, "w": w},
    )
    assert task.check({"a": n * v}).earned == 1
    assert task.check({"a": Sum(v, (i, 1, n))}).earned == 1
    assert task.check({"a": n * v / 2}).earned == 0


def test_a_line_that_cannot_be_decided_comes_back_at_its_limit() -> None:
    lines = {"a": EXPANDED, "b": SHORT}
    assert GROWTH.check(lines).earned == 2
    assert "In 0 seconds this could not be decided" in GROWTH.check(lines, seconds=0).items[1].hint


def test_a_line_too_large_to_multiply_out_is_not_called_meaningless() -> None:
    large = (R + y + norm2(x) + norm2(theta)) ** 40
    assert "too large to decide" in GROWTH.check({"a": large, "b": SHORT}).items[0].hint


@pytest.mark.parametrize(
    ("a", "right"),
    [
        (norm2(theta) + 6.0 * y * dot(theta, x) + 9 * y**2 * (norm2(x) + 1 / 3) - 3 * y**2, True),
        (norm2(theta) + 6.0 * y * dot(theta, x) + 9 * y**2 * (norm2(x) + 0.333) - 3 * y**2, False),
        (norm2(theta) + 6.0 * y * dot(theta, x) + norm2(x) ** 1.0 * 9.0, True),
        (float("nan"), False),
    ],
)
def test_a_rounded_number_is_read_as_the_fraction_that_it_is(a: Any, right: bool) -> None:
    assert earned(a, SHORT) == (right, True)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_finite_is_no_number_of_a_line(value: float) -> None:
    with pytest.raises(IllTyped, match="not a number that a line may have"):
        norm2(theta) + value * norm2(x)


def test_a_derivation_shows_its_gaps() -> None:
    assert r"\boxed{\text{(a)}}" in GROWTH._repr_latex_()
    assert "= (a)" in str(GROWTH)
    assert "given y ⟨θ, x⟩ ≤ 0" in str(GROWTH)


CONTAINED = {
    "while True:\n        pass": "still running after 1 seconds",
    "import time\n    time.sleep(60)": "still running after 1 seconds",
    "import os\n    os._exit(0)": "ended its process instead of returning",
    "import os\n    os._exit(3)": "exit status 3",
    "import os\n    os.abort()": "crashed its process (SIGABRT)",
    "raise SystemExit": "stopped with SystemExit",
    "return f(x)": "RecursionError",
    "return np.ones((10**6, 10**4))": "more than 512 megabytes",
    "return bytearray(10**11)": "more than 512 megabytes",
    "return 'text'": "not made of real numbers",
    "return x, x": "it returned 2 values",
    "pass": "it returns nothing yet",
    "return np.array([x, None], dtype=object)": "not made of real numbers",
    "from mlnotes.perceptron import Perceptron": "cannot be imported in an answer",
    "import mlnotes\n    mlnotes.perceptron": "no attribute 'perceptron'",
    "import sys\n    sys.meta_path.clear()\n    import mlnotes.theorems": "Error",
    "import sys\n    sys.meta_path.pop(0)\n    import mlnotes.perceptron": "No module named",
    "from sklearn.linear_model import Perceptron": "cannot be imported in an answer",
    "import subprocess\n    subprocess.run(['true'])": "may not use",
    "import os\n    os.system('true')": "may not use",
    "import os\n    os.fork()": "may not use",
    "import socket\n    socket.create_connection(('localhost', 80))": "may not use",
    "open('/etc/passwd')": "may not open passwd",
    "import os\n    os.remove('/tmp/nothing-here')": "may not change files",
}


@pytest.mark.parametrize(("body", "sentence"), CONTAINED.items())
def test_a_program_that_misbehaves_is_contained_and_reported(body: str, sentence: str) -> None:
    source = f"import numpy as np\n\n\ndef f(x):\n    {body}\n"
    with pytest.raises(sandbox.Contained, match=re.escape(sentence)):
        sandbox.run(source, "f", [{"x": 1.0}], ["x"], seconds=1, megabytes=512)


# What the fences refuse, all tried in one process.
REFUSED = {
    "open('a', 'w'); os.rename('a', '/tmp/a')": "may not change files",
    "open('a', 'w'); os.replace('a', '../a')": "may not change files",
    "os.chdir('/')": "may not change files",
    "os.chmod('/tmp', 0)": "may not change files",
    "os.mkdir('/tmp/a')": "may not change files",
    "os.link('/etc/passwd', 'a')": "may not use os.link",
    "os.symlink('/etc/passwd', 'a')": "may not use os.symlink",
    "os.open('/sys', 0)": "may not open sys",
    "os.open('in-0.npz', 0, dir_fd=os.open(os.getcwd(), 0))": "may not open in-0.npz",
    "open(f'/proc/{os.getppid()}/cmdline')": "may not open cmdline",
    "open('/proc/self/environ')": "may not open environ",
    "gc.get_objects()": "may not use gc.get_objects",
    "gc.get_referrers(os)": "may not use gc.get_referrers",
    "sys.modules['__main__'].FORBIDDEN = (); os.system('true')": "may not use os.system",
    "sys.modules['__main__'].within = all; open('/etc/passwd')": "may not open passwd",
    "sys.meta_path[0].refused = (); import mlnotes.perceptron": "cannot be imported",
    "sys.meta_path[0].readable = ('/',); open('/etc/passwd')": "may not open passwd",
}


def test_the_ways_around_a_fence_are_fenced() -> None:
    source = f"""
import gc, os, sys

def f(x):
    wrong = []
    for body, sentence in {REFUSED!r}.items():
        try:
            exec(body)
            wrong.append(f"{{body}} was let through")
        except (ImportError, PermissionError) as error:
            if sentence not in str(error):
                wrong.append(f"{{body}}: {{error}}")
    if wrong:
        raise AssertionError(wrong)
    return x
"""
    ((value,),) = sandbox.run(source, "f", [{"x": 1.0}], ["x"])
    assert value == 1


def test_what_a_program_returns_is_not_read_if_it_is_huge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes the file himself can pack a great deal into little."""
    monkeypatch.setattr(sandbox, "OUTPUT", 2**10)
    source = "import numpy as np\ndef f(x):\n    return np.ones(200)"
    with pytest.raises(sandbox.Contained, match="too large to read"):
        sandbox.run(source, "f", [{"x": 1}], ["x"])
    monkeypatch.setattr(sandbox, "LINES", 10)
    with pytest.raises(sandbox.Contained, match="too long to read"):
        sandbox.run_terms("pass\nlines = {'a': y + 1}", "lines", VOCABULARY)


def test_where_the_system_holds_nothing_the_fences_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "chosen", lambda: isolation.HOOKS)
    for body in ("open('/etc/passwd')", "import mlnotes.perceptron"):
        with pytest.raises(sandbox.Contained, match=r"may not open|cannot be imported"):
            sandbox.run(f"def f(x):\n    {body}\n", "f", [{"x": 1.0}], ["x"])


def test_what_is_closed_is_left_out_of_what_may_be_read(tmp_path: Path) -> None:
    for name in ("a/b/c", "a/d", "e"):
        (tmp_path / name).mkdir(parents=True)
    found = isolation._around(tmp_path, {tmp_path / "a" / "b"})
    assert found == [tmp_path / "a" / "d", tmp_path / "e"]
    assert isolation._around(tmp_path, {tmp_path}) == []
    assert isolation._around(tmp_path / "nowhere", set()) == []
    readable = isolation.readable()
    assert not any(within(str(sandbox.PACKAGE / "checks"), (root,), os.sep) for root in readable)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def f(x) return x", "SyntaxError"),
        ("def g(x): return x", "does not define f"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_cell_that_does_not_run_is_reported(source: str, sentence: str) -> None:
    with pytest.raises(sandbox.Contained, match=sentence):
        sandbox.run(source, "f", [{"x": 1.0}], ["x"])


def test_a_cell_may_also_do_what_only_its_notebook_can() -> None:
    source = (
        "sheet = Assignment('sample', student)\n"
        "def f(x):\n    return g(x), [x]\n"
        "sheet.check('f', f)\n"
        "def g(x):\n    return 2 * x\n"
    )
    ((double, same),) = sandbox.run(source, "f", [{"x": 4.0}], ["double", "same"])
    assert (double, same) == (8, 4)
    lines = "c = sheet.numbers['c']\nlines = {'a': c * norm2(x)}\nsheet.check('lines', lines)\n"
    assert sandbox.run_terms(lines, "lines", VOCABULARY, {"c": 3}) == {"a": 3 * norm2(x)}
    with pytest.raises(sandbox.Contained, match=r"'h' is not defined \(an answer's cell stands"):
        sandbox.run("def f(x):\n    return h(x)\n", "f", [{"x": 4.0}], ["x"])
    copied = "from sklearn.svm import SVC\ndef f(x):\n    return SVC().fit(x)\n"
    with pytest.raises(sandbox.Contained, match="sklearn cannot be imported in an answer"):
        sandbox.run(copied, "f", [{"x": 4.0}], ["x"])


def test_several_values_may_come_as_a_list_and_one_list_is_one_value() -> None:
    source = "def f(x):\n    return [x, [x, x]]\n"
    ((one, two),) = sandbox.run(source, "f", [{"x": 4.0}], ["one", "two"])
    assert (one.shape, two.shape) == ((), (2,))
    ((pair,),) = sandbox.run("def f(x):\n    return [x, x]\n", "f", [{"x": 4.0}], ["pair"])
    assert pair.shape == (2,)


def test_a_class_is_fitted_and_its_attributes_are_read() -> None:
    source = "class Mean:\n    def fit(self, x):\n        self.mean_ = x.mean()\n"
    ((value,),) = sandbox.run(source, "Mean", [{"x": np.arange(3.0)}], ["mean_"])
    assert value == 1


def test_a_program_may_use_scipy_and_the_data_of_the_package() -> None:
    source = (
        "from scipy.special import expit\nfrom mlnotes.data import make_separable\n"
        "def f(x):\n    return make_separable(5, 2, margin=0.1, random_state=0).X * expit(x)\n"
    )
    ((value,),) = sandbox.run(source, "f", [{"x": 0.0}], ["x"])
    assert value.shape == (5, 2)


def test_libraries_are_loaded_before_the_clock_starts() -> None:
    """Loading one may take longer than the answer is given; none of its time is taken."""
    source = (
        "import os, sklearn.svm, matplotlib.pyplot as plt\nfrom . import scipy\n"
        "def f(x):\n    from scipy import optimize, stats\n    import numpyro, mlnotes.data\n"
    )
    assert imported(source) == [
        *("matplotlib.pyplot", "scipy", "scipy.optimize", "scipy.stats"),
    ]
    assert imported("def f(") == []
    used = "import sys\ndef f(x):\n    return 'scipy.stats' in sys.modules\n"
    later = "def g(x):\n    import scipy.stats\n    import scipy.nothing\n"
    assert sandbox.run(used, "f", [{"x": 1.0}], ["x"])[0][0] == 0
    assert sandbox.run(used + later, "f", [{"x": 1.0}], ["x"])[0][0] == 1


def test_the_process_of_a_program_knows_no_test_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Look for the secret where it might be: files, the parent, the environment, modules."""
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    monkeypatch.setenv("MLNOTES_SECRET", "the secret")
    sheets = Path(sandbox.PACKAGE) / "checks" / "sheets" / "sample.py"
    source = f"""
import os, sys

def average(x):
    found = []
    for path in ({str(secret)!r}, {str(sheets)!r}, "/proc/self/environ",
                 f"/proc/{{os.getppid()}}/environ", f"/proc/{{os.getppid()}}/cmdline",
                 f"/proc/{{os.getppid()}}/mem"):
        try:
            found.append(len(open(path, "rb").read()))
        except OSError:
            pass
    found += [v for v in os.environ.values() if "secret" in v]
    found += [m for m in sys.modules if m.startswith("mlnotes")]
    found += [p for p in os.listdir(sys.path[0] + "/mlnotes") if p.startswith("checks")]
    return len(found)
"""
    ((value,),) = sandbox.run(source, "average", [{"x": np.ones(3)}], ["the average"])
    assert value == 0
    assert Assignment("sample", "Ada", "the secret").check("average", source).earned == 0


def test_the_fence_tells_libraries_from_the_rest(tmp_path: Path) -> None:
    job = {
        "refused": ["mlnotes", "sklearn"],
        "allowed": ["mlnotes.data"],
        "readable": ["/lib-like"],
    }
    audit, imports = auditor(str(tmp_path), job), importer(job)
    inside = str(tmp_path / "out.npz")
    audit("open", ("/lib-like/numpy/x.py", "r", 0))
    audit("open", ("/lib-like/numpy/x.py", None, 0))
    audit("open", (inside, "wb", 0))
    audit("open", (3, "r", 0))
    audit("os.remove", (inside, -1))
    audit("os.rename", (inside, inside + ".old", -1, -1))
    imports.find_spec("mlnotes.data")
    imports.find_spec("numpy")
    for event, arguments in [
        ("open", ("/lib-like/numpy/x.py", "w", 0)),
        ("open", ("/lib-like/numpy/x.py", None, os.O_WRONLY)),
        ("open", ("lib-like/numpy/x.py", None, 0)),
        ("open", ("/elsewhere", "r", 0)),
        ("os.remove", ("/elsewhere", -1)),
        ("os.remove", (inside, 3)),
        ("os.rename", (inside, "/elsewhere", -1, -1)),
        ("os.rename", ("/elsewhere", inside, -1, -1)),
        ("os.rename", (inside, inside, -1, 3)),
        ("os.chmod", (3, 0, -1)),
        ("object.__setattr__", (audit, "__code__", None)),
        ("socket.connect", ()),
    ]:
        with pytest.raises(PermissionError):
            audit(event, arguments)
    with pytest.raises(ImportError):
        imports.find_spec("mlnotes.perceptron")
    assert within("a.b", ("a",), ".")
    assert not within("ab", ("a",), ".")
    with pytest.raises(TypeError):
        arrays(None)


VOCABULARY = {"theta": theta, "x": x, "y": y}


@pytest.mark.parametrize(
    "source",
    [
        "lines = {'a': norm2(theta) + 2*c*y*dot(theta, x), 'b': ('<=', -y), 'c': ...}",
        "from mlnotes.proof import norm2\nhalf = Rational(1, 2)\nlines = {'a': half*norm2(theta)}",
    ],
)
def test_a_plain_cell_is_read_as_it_would_run(source: str) -> None:
    read = plain.read(source, "lines", {**VOCABULARY, "c": 3})
    ran = sandbox.run_terms("pass\n" + source, "lines", VOCABULARY, {"c": 3})
    assert read == ran
    assert "c" not in read


@pytest.mark.parametrize(
    "source",
    [
        "import os\nlines = {}",
        "lines = {'a': __import__('os')}",
        "lines = {'a': theta.name}",
        "lines = {'a': (lambda: y)()}",
        "lines = {'a': 9**9**9}",
        "lines = {'a': y**1000}",
        "lines = {'a': 'x' * 10**9}",
        "lines = {k: y for k in 'a'}",
        "lines = [y]",
        "lines = {'a': True}",
        "dot = y\nlines = {}",
        "lines = {'a': y[0]}",
        "lines = {1: y}",
        "lines {",
        "lines = {'a': log('1 + 1')}",
        "lines = {'a': Rational('1e999999999')}",
        "lines = {'a': Sum('y', (indices, 1, 3))}",
        "lines = {'a': Max('y', 1)}",
        "lines = {'a': (y, '<=')}",
        "lines = {'a': ('<=', 'y')}",
        "t = 3**99\nlines = {'a': t * t}",
        "lines = {'a': sqrt(3**99 * 3**99)}",
        "z = y + 1\n" + "z = log(z) + exp(z)\n" * 12 + "lines = {'a': z}",
    ],
)
def test_what_is_more_than_plain_terms_is_not_evaluated_here(source: str) -> None:
    with pytest.raises(plain.NotPlain):
        plain.read(source, "lines", VOCABULARY)


def test_a_text_in_a_line_is_not_run_where_lines_are_graded(tmp_path: Path) -> None:
    """A text is nothing that a line is made of, whatever it says."""
    text = repr(f"__import__('pathlib').Path({str(tmp_path / 'run')!r}).touch()")
    source = f"square = {{'a': log({text})}}"
    assert Assignment("sample", "Ada").grade("square", source).earned == 0
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("lines = {'a': dot(y, theta)}", "IllTyped"),
        ("lines = {'a': reals('q') for _ in 'a'}", "does not belong"),
        ("from mlnotes.theorems import adaboost\nlines = {'a': adaboost.s}", "cannot be imported"),
        ("lines = [y]", "should be a dictionary"),
    ],
)
def test_lines_that_cannot_be_read_are_reported(source: str, sentence: str) -> None:
    with pytest.raises(sandbox.Contained, match=sentence):
        sandbox.run_terms(source, "lines", VOCABULARY)


def test_terms_survive_as_trees_and_only_known_ones_come_back() -> None:
    for term in (EXPANDED, START, exp(-y) / 2, Sum(y, (indices("i"), 1, 3))):
        written = json.loads(json.dumps(trees.tree(term)))
        assert trees.term(written, {**VOCABULARY, "R": R}) == term
    assert trees.term(trees.tree(0.5), VOCABULARY) == Rational(1, 2)
    number = ["q", 9, 1]
    large = ([["q", 9**99, 1]], [number, ["pow", 999, 0]], [["q", "9", 1]], [["q", 1, 0]])
    wrong = ([["v", "q", "R"]], [["system", 1]], "x", [["q"]], 3, [], [["b", 0, "R"]], [["F"]])
    cut = [*trees.tree(EXPANDED)[:-1], ["+", 99, 0]]
    for rows in (*wrong, *large, cut, [number] * (trees.ROWS + 1)):
        with pytest.raises(IllTyped):
            trees.term(rows, VOCABULARY)
    # Few rows, each twice in the next: written out they would be more than anyone reads.
    doubled: list[Any] = [["v", "y", "R"], *(["*", k, k] for k in range(60))]
    with pytest.raises(IllTyped, match="too much"):
        trees.term(doubled, VOCABULARY)
    with pytest.raises(IllTyped, match="leave to a student"):
        trees.describe(y + 1)


def test_a_symbol_comes_back_with_what_it_abbreviates() -> None:
    k, u = integers("k", positive=True), real_family("u", nonnegative=True)
    i = indices("i")
    line = trees.term(trees.tree(k + Sum(u[i], (i, 1, k))), {"k": k, "u": u})
    assert {*line.assumes} == {*k.assumes, *u[0].assumes}


def test_an_exploration_earns_nothing_by_itself() -> None:
    task = Explore("why", points=4, words=5)
    thin = task.check("Write here\nfour words are few")
    full = task.check("one two three four five", figure=True)
    assert (thin.earned, thin.possible, thin.by_hand) == (0, 0, 4)
    assert [item.right for item in thin.items] == [False, False]
    assert [item.right for item in full.items] == [True, True]
    assert "to be graded by hand" in str(full)
    assert count_words(None) == 0


def test_a_function_is_found_in_the_cell_where_it_was_written() -> None:
    source = "import math\n\n\ndef root(x):\n    return math.sqrt(x)\n\n\nclass Root:\n    pass\n"
    name = "<cell 1>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(source, name, "exec"), space)
    assert source_of(space["root"]) == source
    for nothing in (space["Root"], 3, eval("lambda: 0")):
        with pytest.raises(sandbox.Contained):
            source_of(nothing)


def test_what_all_submissions_need_is_loaded_before_they_are_graded() -> None:
    """Do in a new process what the one does that the others are forked from."""
    program = (
        "import sys\n"
        "import mlnotes.checks.sheets.support_vector_machines\n"
        "import mlnotes.checks._ready\n"
        "from mlnotes.checks import isolation\n"
        "print(isolation.readable.cache_info().currsize)\n"
        "print(*sys.modules)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    count, modules = told.stdout.splitlines()
    assert count == "1"
    # What the properties compare with, and not what other sheets need.
    assert "mlnotes._solvers.svm_interior_point" in modules.split()
    assert "mlnotes.checks.sheets.perceptron" not in modules.split()


def test_answers_are_found_without_running_the_notebook() -> None:
    cells = [
        {"cell_type": "markdown", "source": "x = 0"},
        {"cell_type": "code", "source": ["x = 1\n", "y = 2"]},
        {"cell_type": "code", "source": "%matplotlib inline\nx = 2"},
        {"cell_type": "code", "source": "if True:\n    x = 3"},
        {"cell_type": "code", "source": "def f(:\n    pass", "outputs": [{"data": {}}]},
    ]
    book: dict[str, Any] = {"cells": cells}
    assert answer_to("x", book) == "pass\nx = 2"
    assert answer_to("f", book).startswith("def f(:")
    assert answer_to("g", book) == ""
    for source in ("g: dict = {}", "f, g = 1, 2", "g = (5\n% 3)"):
        assert answer_to("g", {"cells": [{"cell_type": "code", "source": source}]}) == source
    assert answer_to("g", {"cells": [{"cell_type": "code", "source": "g[0] = h.g = 1"}]}) == ""
    assert text_of("why = 'so'", "why") == "so"
    assert text_of("why = f'{ratio} times' + ' as many'.strip()", "why") == " times as many"
    assert text_of("why: str = ('so '\n'be it')", "why") == "so be it"
    assert text_of("why = 1 + 1", "why") == text_of("why =", "why") == text_of("", "why") == ""
    assert not has_figure(book)
    cells[4]["outputs"] = [{"data": {"text/html": ["<svg>", "</svg>"]}}]
    assert has_figure(book)


CELL = '{"cells": [{"cell_type": "code", %s}]}'


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", '{"cells": 3}', '{"cells": [{}]}', "\x00", '{"cells": "text"}'),
        CELL % '"source": 5',
        CELL % '"source": ["a", 1]',
        CELL % '"source": "", "outputs": 5',
        CELL % '"source": "", "outputs": [5]',
        CELL % '"source": "", "outputs": [{"data": 5}]',
    ],
)
def test_a_file_that_is_no_notebook_is_a_problem_and_no_crash(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.ipynb"
    path.write_text(content)
    assert grade_notebook(path, "sample").problem == "this file is not a notebook"


def test_an_output_that_is_no_text_is_no_figure() -> None:
    cell = {"cell_type": "code", "source": "", "outputs": [{"data": {"text/html": [1, "<svg"]}}]}
    assert not has_figure({"cells": [cell]})


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="perceptron"):
        Assignment("nothing", "Ada")
    sheet = Assignment("sample", "Ada")
    with pytest.raises(KeyError, match="square"):
        sheet["nothing"]
    with pytest.raises(KeyError, match="not a derivation"):
        sheet.symbols("average", "a")
    assert "c = " in repr(sheet)
    assert "put your name" not in repr(sheet)
    assert "put your name" in repr(Assignment("sample", "your name"))


def test_a_cell_runs_past_what_fails_and_says_what_failed_first() -> None:
    namespace: dict[str, Any] = {"given": 1}
    failure = execute("missing.plot()\n1 / 0\ndef f():\n    return given", "f", namespace)
    assert isinstance(failure, NameError)
    assert namespace["f"]() == 1
    assert execute("g = 2", "g", {}) is None
    with pytest.raises(ZeroDivisionError):
        execute("f = 1 / 0", "f", {})
    # A name that stood there before is no answer.
    with pytest.raises(NameError, match="does not define given"):
        execute("other = 3", "given", {"given": 1})


def test_a_function_is_called_and_a_class_fitted_for_each_case(tmp_path: Path) -> None:
    class Scaler:
        def fit(self, x: Any, factor: float) -> None:
            self.scaled, self.type = factor * x, isinstance(factor, float)

    def scale(x: Any, factor: float) -> Any:
        return factor * x, isinstance(factor, float)

    for k in range(2):
        np.savez(tmp_path / f"in-{k}.npz", x=np.arange(3.0), factor=np.asarray(2.0 + k))
    for entry in (Scaler, scale):
        job = {"entry": "answer", "cases": 2, "returns": ["scaled", "type"]}
        returned = run_calls(tmp_path, job, {"answer": entry})
        for k, (scaled, is_number) in enumerate(returned):
            np.testing.assert_array_equal(scaled, (2.0 + k) * np.arange(3))
            assert is_number  # a number arrives as one
        stream = io.BytesIO()
        write_arrays(stream, returned)
        header, data = values.split(stream.getvalue())
        cases: list[dict[str, Any]] = [{}, {}]
        read = values.read(header["arrays"], data, cases, values.declared(job["returns"]))
        np.testing.assert_array_equal(read[1][0], [0, 3, 6])


def test_what_a_cell_defines_is_written_down_as_trees() -> None:
    job = {"entry": "lines", "vocabulary": ["y"]}
    namespace = {"y": y, "lines": {"a": ("≤", y + 1), "b": Ellipsis}}
    written = json.loads(json.dumps(run_terms(job, namespace)))
    relation, term = trees.term(written["a"], {"y": y})
    assert (relation, term) == ("≤", y + 1)
    assert set(written) == {"a"}
    with pytest.raises(TypeError, match="lines should be a dictionary of lines"):
        run_terms(job, {"lines": [y]})


def test_only_terms_of_the_derivation_come_back() -> None:
    assert trees.tree(exp(1)) == [["q", 1, 1], ["exp", 0]]
    assert trees.tree(0.12345678901) == [["q", 12345678901, 100000000000]]
    with pytest.raises(IllTyped, match="R does not belong to this derivation"):
        trees.term(trees.tree(y + R), {"y": y})
    deep = functools.reduce(lambda term, _: exp(term), range(140), y)
    with pytest.raises(IllTyped, match="deep"):
        functools.reduce(lambda term, _: exp(term), range(140), deep)
    family = real_family("w", positive=True)
    assert trees.revive(trees.describe(family)) == family


def test_a_sheet_shown_under_another_name_is_remarked_on() -> None:
    sheet, other = (Assignment("perceptron", student=name) for name in ("ada", "emmy"))

    def notebook(*shown: Any) -> dict[str, Any]:
        return {"cells": [{"outputs": list(shown)}, {"outputs": None}]}

    own = {"data": {"text/plain": [repr(str(sheet))]}}
    assert list(remarks_on(notebook(own, {"text": "assignment"}, {"data": None}), sheet)) == []
    (remark,) = remarks_on(notebook({"text": [str(other)]}), sheet)
    assert "'emmy'" in remark
    assert "'ada'" in remark


def test_an_error_whose_message_fails_is_still_described() -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert described(Silent()) == {"error": "Silent", "message": "without a readable message"}
    assert described(ValueError("x" * 999))["message"] == "x" * 500


POINTS = {"X": np.zeros((4, 3))}
DECLARED = [
    values.Value("the weights", lambda case: (case["X"].shape[1],)),
    values.Value("the rows", lambda case: (None,), whole=True),
    values.Value("the offset", lambda case: ()),
]
RIGHT = [["<f8", [3]], ["<i8", [2]], ["<f8", [1]]]
NUMBERS = np.ones(3).tobytes() + np.arange(2).tobytes() + np.ones(1).tobytes()


def test_declared_values_are_read_as_real_or_whole_numbers() -> None:
    ((weights, rows, offset),) = values.read([RIGHT], NUMBERS, [POINTS], DECLARED)
    assert (weights.dtype, weights.shape) == (float, (3,))
    assert (rows.dtype, list(rows)) == (np.int64, [0, 1])
    assert (offset.shape, offset.item()) == ((), 1.0)


@pytest.mark.parametrize(
    ("header", "data", "sentence"),
    [
        ([], NUMBERS, "ended its process"),
        ("text", NUMBERS, "ended its process"),
        ([RIGHT[:2]], NUMBERS, "3 values, but it returned 2 values"),
        ([None], NUMBERS, "3 values, but it returned 0 values"),
        ([RIGHT], NUMBERS[:-8], "cannot be read"),
        ([RIGHT], NUMBERS + b"more", "cannot be read"),
        ([[["<f8", [3, 1]], *RIGHT[1:]]], NUMBERS, r"of shape \(3,\), but .* of shape \(3, 1\)"),
        ([[["<f8", [4]], *RIGHT[1:]]], NUMBERS, r"of shape \(3,\), but .* of shape \(4,\)"),
        ([[["<f8", []], *RIGHT[1:]]], NUMBERS, "but it returned as one number"),
        ([[["|i1", [3]], *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[["|O", [3]], *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[["<f8", [3.0]], *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[["<f8", [-3]], *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[["<f8", [True]], *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[["<f8", [2**50]], *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[["<f8", [1] * 40], *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[5, *RIGHT[1:]]], NUMBERS, "cannot be read"),
        ([[RIGHT[0], ["<i8", [10**6]], RIGHT[2]]], NUMBERS, "the rows as an array of shape"),
        ([[RIGHT[0], ["<f8", [2]], RIGHT[2]]], np.full(6, 0.5).tobytes(), "as whole numbers"),
        ([[RIGHT[0], ["<f8", [2]], RIGHT[2]]], np.full(6, np.nan).tobytes(), "as whole numbers"),
        ([[RIGHT[0], ["<f8", [2]], RIGHT[2]]], np.full(6, 1e300).tobytes(), "as whole numbers"),
    ],
)
def test_a_value_that_is_not_declared_is_not_looked_at(
    header: Any, data: bytes, sentence: str
) -> None:
    with pytest.raises(values.Undeclared, match=sentence):
        values.read(header, data, [POINTS], DECLARED)


@pytest.mark.parametrize("message", [b"", b"[1]\n", b"{", b"[" * 10**5, b"\xff\xff"])
def test_a_message_without_a_line_of_json_is_no_answer(message: bytes) -> None:
    with pytest.raises(values.Undeclared, match="ended its process"):
        values.split(message)


def test_an_array_that_would_be_broadcast_is_refused_before_any_arithmetic() -> None:
    """Whole numbers of one byte, with an axis too many, would make a matrix of every pair."""
    source = "import numpy as np\ndef perceptron(X, y, rate):\n    return %s, [0]\n"
    sheet = Assignment("perceptron", "Ada")
    wide = "np.ones((60_000, X.shape[1], 1), dtype=np.int8)"
    result = sheet.grade("perceptron", source % wide)
    assert result.earned == 0
    assert "should return the weights as an array of shape" in result.note


def test_a_property_that_asks_for_too_much_loses_the_points_and_stops_nothing() -> None:
    task = Implement(
        "f",
        returns=["x"],
        cases=lambda random: [{"x": 1.0}],
        properties=[Property("small", 1, lambda case, output: str(np.ones(10**11).sum()))],
        seconds=2.0,
    )
    result = task.check("def f(x):\n    return x", np.random.default_rng(0))
    assert (result.earned, result.possible) == (0, 1)
    assert "cannot be checked: it took too much time or memory" in result.note
