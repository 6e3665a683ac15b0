"""What was certified and the source of every derivation under its lines, which a script can check.

As it is printed a derivation is checked from its certificate, by `trusted.js`; once the reader has
changed a line Python has to search for a proof, and `tools/browser_python.py` says what it needs.
Without scripts all can be read and there is no button.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from mlnotes.theorems import derivation

from .certificates import Certificate
from .markup import Details, Summary, count, depart

VERSION = re.compile(r'data-version="[0-9a-f]{12}"')
CHECKABLE = re.compile(r'<details class="check"|class="cell[^"]* tag_verify')
EXERCISE = re.compile(r'<div class="exercise ')


class Check(Details):
    """A derivation's source, the module among whose names it runs, and its certificate if any."""


class Claim(nodes.literal):
    """A proposition in the kernel's language, which a script compares with the certificate's."""


def panel(entry: dict[str, Any], axioms: str) -> list[nodes.Node]:
    """Return the source of a derivation and what was certified.

    ``axioms`` is the address of the page that lists them.
    """
    certificate = entry["certificate"]
    source = source_of(entry["label"])
    code = nodes.literal_block(source, source, language="python")
    check = Check("", Summary("", "The derivation in Python"), code, module=entry["source"])
    if not certificate:
        return [check]
    check["certificate"] = f"{entry['label']}.json?v={certificate['digest']}"
    return [claim(certificate, axioms), check]


def claim(certificate: Certificate, axioms: str) -> Details:
    """Return what was certified: as formulas, in the kernel's language, and from which axioms."""
    formulas = [*certificate["hypotheses"], certificate["statement"]]
    *given, conclusion = (
        nodes.list_item("", nodes.paragraph("", "", nodes.math(tex, tex)), Claim(text, text))
        for tex, text in zip(formulas, certificate["claim"], strict=True)
    )
    used = nodes.paragraph("", f"in {count(certificate['steps'], 'step')}")
    for number, name in enumerate(certificate["axioms"]):
        used += nodes.Text(", " if number else " and from the axioms ")
        used += nodes.reference("", name, refuri=f"{axioms}#axiom-{name}", internal=True)
    used += nodes.Text(".")
    parts = [nodes.paragraph("", "From"), nodes.bullet_list("", *given)] if given else []
    follows = nodes.paragraph("", "follows" if given else "It holds that")
    body = [*parts, follows, nodes.bullet_list("", conclusion), used]
    return Details("", Summary("", "What exactly was certified"), *body, classes=["check-claim"])


def source_of(label: str) -> str:
    """Return the source of the function that derives a theorem."""
    return inspect.getsource(inspect.unwrap(derivation(label))).rstrip("\n")


def file_of(label: str) -> str:
    """Return the file in which a theorem is derived."""
    return str(inspect.getsourcefile(inspect.unwrap(derivation(label))))


def visit_check(translator: HTML5Translator, node: Check) -> None:
    """Open the tag."""
    data = {f"data-{name}": node[name] for name in ("module", "certificate") if name in node}
    translator.body.append(translator.starttag(node, "details", CLASS="check", **data))


def visit_claim(translator: HTML5Translator, node: Claim) -> None:
    """Open the tag."""
    translator.body.append(translator.starttag(node, "code", ""))


def version(app: Sphinx) -> str:
    """Return a name for the content of what the script loads, so that no cache mixes two."""
    static, assets = Path(__file__).parents[2] / "_static", Path(app.confdir) / "_build" / "assets"
    scripts = [static / "check_worker.js", static / "trusted.js"]
    paths = [*scripts, *sorted((assets / "check").glob("*.zip"))]
    digests = (hashlib.sha256(path.read_bytes()).digest() for path in paths)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]


def add_script(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give the script to the pages that have something to check."""
    body = context.get("body", "")
    if CHECKABLE.search(body) or EXERCISE.search(body):
        options = {"defer": "defer", "data-version": app.env.mlnotes_check_version}  # type: ignore[attr-defined]
        app.add_js_file("check.js", **options)
    if EXERCISE.search(body):
        app.add_js_file("exercises.js", defer="defer")


def fold_imports(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fold the imports at the top of an exercise's code: they are no part of the question."""
    for exercise in doctree.findall(
        lambda node: (
            "exercise" in node.get("classes", []) if isinstance(node, nodes.Element) else False
        )
    ):
        for code in list(exercise.findall(nodes.literal_block)):
            imports, rest = split_imports(code.astext())
            if imports.count("\n") > 1 and rest:
                above = nodes.literal_block(imports, imports, **code.attributes)
                folded = Details("", Summary("", "The imports"), above, classes=["imports"])
                code.replace_self([folded, nodes.literal_block(rest, rest, **code.attributes)])


def split_imports(source: str) -> tuple[str, str]:
    r"""Return the imports with which a program begins, and what follows them.

    >>> split_imports("import a\nfrom b import (\n    c,\n)\n\nd = 1\n")
    ('import a\nfrom b import (\n    c,\n)\n', 'd = 1\n')
    """
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return "", source
    end = 0
    for statement in statements:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            break
        end = statement.end_lineno or 0
    lines = source.splitlines(keepends=True)
    return "".join(lines[:end]), "".join(lines[end:]).lstrip("\n")


def renew_version(app: Sphinx, exception: Exception | None) -> None:
    """Give the present version to the pages that were written by an earlier build."""
    if exception is not None or app.builder.format != "html":
        return
    wanted = f'data-version="{app.env.mlnotes_check_version}"'  # type: ignore[attr-defined]
    for page in Path(app.outdir).rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        if (renewed := VERSION.sub(wanted, html)) != html:
            page.write_text(renewed, encoding="utf-8")


def remember_version(app: Sphinx) -> None:
    """Compute the version once."""
    app.env.mlnotes_check_version = version(app)  # type: ignore[attr-defined]


def setup(app: Sphinx) -> None:
    """Register the source's place on the page and the script."""
    app.add_node(Check, html=(visit_check, depart("</details>\n")))
    app.add_node(Claim, html=(visit_claim, depart("</code>\n")))
    app.connect("builder-inited", remember_version)
    app.connect("doctree-resolved", fold_imports)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", renew_version)
