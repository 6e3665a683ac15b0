"""What makes the build quick must not change what it makes."""

from __future__ import annotations

import json
import multiprocessing
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pydata_sphinx_theme
import pytest
from mlnotes_book import mathematics, style, theme

from tools.paths import ROOT


@pytest.fixture
def katex() -> mathematics.Katex:
    made = mathematics.Katex()
    made.root = ROOT
    return made


def test_formulas_sent_ahead_are_those_that_come_back(katex: mathematics.Katex) -> None:
    alone = mathematics.Katex()
    alone.root = ROOT
    katex.send((tex, False) for tex in ("a", "b", "a", r"\frac{a}{b}"))
    katex.send([("a", True), ("b", False)])
    for tex, display in ((r"\frac{a}{b}", False), ("a", True), ("c", False), ("a", False)):
        assert katex.render(tex, display=display) == alone.render(tex, display=display)
    katex.stop()
    alone.stop()


def test_more_formulas_than_a_pipe_holds_can_be_sent_ahead(katex: mathematics.Katex) -> None:
    """Neither side may wait for the other to read."""
    formulas = [rf"x_{{{number}}} = \text{{{'words ' * 10}}}" for number in range(3000)]
    katex.send((tex, True) for tex in formulas)
    for tex in formulas[::100]:
        assert tex in katex.render(tex, display=True)
    katex.stop()


def test_bad_tex_sent_ahead_is_an_error_of_its_own_formula(katex: mathematics.Katex) -> None:
    katex.send((tex, False) for tex in ("a", r"\frac", "b"))
    katex.render("b", display=False)
    with pytest.raises(mathematics.TexError):
        katex.render(r"\frac", display=False)
    katex.stop()


def test_a_fork_has_a_katex_of_its_own(katex: mathematics.Katex) -> None:
    """Two processes that read from one pipe would take each other's formulas."""
    katex.render("a", display=False)
    katex.send([("b", False)])
    answers = multiprocessing.get_context("fork").SimpleQueue()

    def render() -> None:
        answers.put([katex.render(tex, display=False) for tex in "ac"])

    fork = multiprocessing.get_context("fork").Process(target=render)
    fork.start()
    of_fork = answers.get()
    fork.join()
    assert of_fork == [katex.render(tex, display=False) for tex in "ac"]
    assert ">b<" in katex.render("b", display=False)
    katex.stop()


FORMULAS = [
    r"y\langle\theta+yx,\;x\rangle = y\langle\theta,x\rangle + \lVert x\rVert^2",
    r"\sum_{i=1}^n \log\left(1+e^{-y_i\,\theta^\top x_i}\right) \ge \frac12 f(x),\; f\colon A\to B",
    r"\text{if } P(y\mid x) = 0.5 \bmod 2 \text{ or } \frac{a}{b} \ne \sqrt[3]{VA} \pm \hat w",
    r"e^{-\frac{(x_i-\mu_k)^2}{2\sigma_k^2}}\,\overline{x}_{n+1}^{\,2}\,\binom{n}{k}",
    r"\begin{aligned} x_1 &= \biggl(\sum_{j}\Bigl\lVert A^\top_{ij}\Bigr\rVert^2\biggr)^{1/2} \\ "
    r"&\le \max_{i\le n}a'_i \end{aligned}",
    r"\sigma_{\min}^2 \le \lambda x^{\top} \int_0^t (1-x)\,dx \cdot d^*",
]


KATEX_ALONE = """
const katex = require("katex");
const formulas = JSON.parse(process.argv[1]);
const made = formulas.map(([tex, displayMode]) => katex.renderToString(tex, { displayMode }));
console.log(JSON.stringify(made));
"""


def rendered_by_katex_alone(formulas: list[tuple[str, bool]]) -> list[str]:
    """Return the formulas as KaTeX writes them, before they are made lighter."""
    command = ["node", "-e", KATEX_ALONE, json.dumps(formulas)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize("display", [False, True])
@pytest.mark.parametrize("tex", FORMULAS)
def test_a_lean_formula_has_the_words_of_katexs_own(
    katex: mathematics.Katex, tex: str, display: bool
) -> None:
    lean = katex.render(tex, display=display)
    (full,) = rendered_by_katex_alone([(tex, display)])
    katex.stop()
    assert lean.count("<span") < 0.55 * full.count("<span")
    assert lean.count("</span>") == lean.count("<span")
    words = [re.sub(r"<annotation.*</annotation>|<[^>]*>", "", html) for html in (lean, full)]
    assert words[0] == words[1].replace("\u200b", "")
    assert ("<annotation" in lean) == display


def test_what_an_index_is_made_of_is_one_element(katex: mathematics.Katex) -> None:
    html = katex.render(r"\sigma_{\min}^2 + \lambda_{\max}", display=False)
    katex.stop()
    math = ET.fromstring(html[html.index("<math") : html.index("</math>") + len("</math>")])
    children = {e.tag.rpartition("}")[2]: len(e) for e in math.iter() if len(e)}
    assert (children["msub"], children["msubsup"]) == (2, 3)


@pytest.mark.parametrize(
    ("tex", "pieces"),
    [
        (r"a+b=c", ["a+", "b=", "c"]),
        (r"\displaystyle a+b=c", ["a", "+b", "=c"]),
        (r"\displaystyle{} = x + y", ["=x", "+y"]),
        (r"\displaystyle -a \le :=  b", ["−a", "≤:=b"]),
    ],
)
def test_in_a_line_of_its_own_a_formula_breaks_before_signs(
    katex: mathematics.Katex, tex: str, pieces: list[str]
) -> None:
    html = katex.render(tex, display=False)
    katex.stop()
    _, *found = re.sub(r"<math.*?</math>", "", html).split('class="base"')
    assert [re.sub(r"^[^>]*>|<[^>]*>?", "", piece) for piece in found] == pieces


def test_letters_of_other_alphabets_are_those_of_unicode(katex: mathematics.Katex) -> None:
    """MathML as browsers draw it knows no `mathvariant`: the reals would be a letter R."""
    tex = r"x\in\mathbb{R},\mathbb{E}\mathbb 1_{\mathcal H}\mathcal{D}\mathbf{y}\mathbf{0}Rx^\top"
    html = katex.render(tex, display=False)
    katex.stop()
    math = ET.fromstring(html[html.index("<math") : html.index("</math>") + len("</math>")])
    assert "".join(math.itertext()) == "x∈ℝ,𝔼𝟙ℋ𝒟𝐲𝟎Rx⊤"
    assert {e.get("mathvariant") for e in math.iter()} == {None, "normal"}


def test_every_page_names_the_style_sheets_that_are_joined(tmp_path: Path) -> None:
    link = '<link rel="stylesheet" href="../_static/{}.css" />\n'
    for name in ("a", "b"):
        text = f'<head>\n{link.format(name)}</head>\n<p class="of-{name} shared"></p>'
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "macros.html").write_text(link.format("{{ c }}"), encoding="utf-8")
    bundle = style.Bundle()
    assert bundle.take_pages(tmp_path) == {"of-a", "of-b", "shared"}
    assert list(bundle.sheets) == ["a.css", "b.css"]
    for name in ("a", "b"):
        assert link.format("book")[:-4] in (tmp_path / f"{name}.html").read_text("utf-8")
    assert bundle.take_pages(tmp_path) == {"of-a", "of-b", "shared"}
    assert list(bundle.sheets) == ["a.css", "b.css"]


# What the extension puts its own code in the place of, outside what Sphinx and myst-nb
# promise to keep. Where one of these has changed, look whether the replacement still does the same.
REPLACED = {
    "sphinx.environment:BuildEnvironment.get_doctree": "cfbe113f354e1e6f",
    "myst_nb.core.render:NbElementRenderer.render_unhandled": "2cfdfadfc5132074",
}
SOURCE = """
import hashlib, importlib, inspect, sys
module, _, name = sys.argv[1].partition(":")
found = importlib.import_module(module)
for part in name.split("."):
    found = getattr(found, part)
print(hashlib.sha256(inspect.getsource(found).encode()).hexdigest()[:16])
"""


@pytest.mark.parametrize("name", REPLACED)
def test_what_the_extension_replaces_is_what_it_was_written_for(name: str) -> None:
    """In a process of its own, where nothing has been replaced."""
    done = subprocess.run(
        [sys.executable, "-c", SOURCE, name], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == REPLACED[name], "see book/_ext/mlnotes_book/speed.py, ledger.py"


@pytest.mark.parametrize("name", theme.SCRIPTS)
def test_a_script_of_the_theme_is_the_one_that_is_mended(name: str) -> None:
    (script,) = Path(pydata_sphinx_theme.__file__).parent.rglob(f"static/{name}")
    assert script.read_text("utf-8").count(theme.SCRIPTS[name][0]) == 1
