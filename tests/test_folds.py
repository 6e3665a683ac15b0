"""What only serves the checking leaves a page whole, for a file beside it."""

from __future__ import annotations

import json

from mlnotes_book.folds import take_out

LINK = '<p class="elsewhere">It is in the <a href="ledger">ledger</a>.</p>'


def fold(content: str, *, deferred: bool) -> str:
    start, end = ("<noscript>", "</noscript>") if deferred else ("", "")
    summary = "<summary>Checked</summary>\n"
    return f'<details class="checking">\n{summary}{start}{LINK}\n{content}{end}</details>\n'


def contents(script: str) -> list[str]:
    return json.loads(script[script.index("]=") + 2 :].rstrip(";\n"))


def test_folds_leave_their_link_on_the_page_and_their_content_goes_in_order() -> None:
    inner = '<details class="methods"><summary>How</summary><p>“by \\hand”</p></details>\n'
    first = fold(inner + "<p>one</p>", deferred=True)
    lemma = f"<details class='lemma'><noscript>{fold('two', deferred=False)}</noscript></details>"
    page, script = take_out(f"<p>before</p>{first}<p>between</p>{lemma}after", "book/x", "f.js")
    assert contents(script) == [inner + "<p>one</p>", "two"]
    assert page.count(LINK) == 2
    assert page.count('data-fold="0"') == page.count('data-fold="1"') == 1
    assert "methods" not in page
    for kept in ("<p>before</p>", "<p>between</p>", "after", "class='lemma'><noscript>"):
        assert kept in page
    assert page.count("<noscript>") == page.count("</noscript>") == 1
    assert page.count("<details") == page.count("</details>") == 3


def test_another_content_has_another_address() -> None:
    pages = [take_out(fold(text, deferred=True), "book/x", "f.js")[0] for text in ("one", "two")]
    assert pages[0] != pages[1]


def test_a_page_without_such_folds_stays_as_it_is() -> None:
    assert take_out("<details class='lemma'>x</details>", "book/x", "f.js")[1] == ""
