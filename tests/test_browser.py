"""Every page in a real browser, light and dark, on a desk and in a hand."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from mlnotes_book import mathematics
from pages import RAW_TEX, SPECIMENS, page_names
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route
from test_speed import FORMULAS, rendered_by_katex_alone

from tests.turns import mine, of_this_round
from tools.contents import titles
from tools.paths import BOOK, ROOT

pytestmark = pytest.mark.browser

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
ELEMENTS = "book/elements.html"
CHAPTER = "book/perceptron.html"
# What is far from the screen is laid out when it comes near, but looked at here with all the rest.
ALL_LAID_OUT = "* { content-visibility: visible !important; }"
# What is open is there.
BROUGHT = "!document.querySelector('details[open][data-fold]')"
# Fonts are there, and the scripts that answer a new width have run: resizing is told to a page
# before its next frame is drawn.
SETTLED = """() => {
  let stage = "fonts";
  const settled = document.fonts.ready.then(() => new Promise((done) => {
    stage = "frames";
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20)));
  }));
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error(
    `the page waits for ${stage}: ${document.visibilityState},
     ${[...document.fonts].filter((f) => f.status === "loading").map((f) => f.family)}`)), 60000));
  return Promise.race([settled, late]);
}"""


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    contexts = []

    def make(**options: object) -> BrowserContext:
        # What a test waits for is evaluated in the page, which pages of the book do not allow.
        context = browser.new_context(**{"viewport": WIDE, "bypass_csp": True, **options})
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(
    new_context: Callable[..., BrowserContext], specimen_server: str
) -> Callable[..., Page]:
    """Open a page of the specimen."""

    def open_it(name: str = ELEMENTS, **options: object) -> Page:
        page = new_context(**options).new_page()
        page.goto(specimen_server + name, wait_until="load")
        page.evaluate("document.fonts.ready")
        return page

    return open_it


def hover(link: Locator) -> None:
    """Point at a link that has come to rest: scrolling hides what hovering shows."""
    link.scroll_into_view_if_needed()
    link.page.wait_for_timeout(300)
    link.hover()


class Watch:
    """A tab, and whatever goes wrong on the pages that are opened in it."""

    def __init__(self, page: Page, host: str) -> None:
        self.page, self.host = page, host
        self.problems: list[str] = []
        page.on("request", self._see_request)
        page.on("requestfailed", self._see_failure)
        page.on("response", self._see_response)
        page.on("console", self._see_console)
        page.on("pageerror", lambda error: self._note("error", str(error)))

    def open(self, name: str) -> None:
        """Open a page; what is broken off because another is left is no problem of it."""
        self.page.goto("about:blank")
        self.problems.clear()
        self.page.goto(self.host + name, wait_until="load")

    def _note(self, kind: str, text: str) -> None:
        self.problems.append(f"{kind}: {text}")

    def _see_request(self, request: object) -> None:
        url = str(request.url)  # type: ignore[attr-defined]
        if not url.startswith((self.host, "data:", "blob:")):
            self._note("foreign request", url)

    def _see_failure(self, request: object) -> None:
        url, reason = request.url, request.failure  # type: ignore[attr-defined]
        # A browser asks for the icon last and breaks off when the page is left before it came; an
        # icon that is not there fails in another way.
        if (Path(url).name, reason) != ("favicon.svg", "net::ERR_ABORTED"):
            self._note("failed", f"{url} ({reason})")

    def _see_response(self, response: object) -> None:
        if response.status >= 400:  # type: ignore[attr-defined]
            self._note(str(response.status), response.url)  # type: ignore[attr-defined]

    def _see_console(self, message: object) -> None:
        if message.type in ("error", "warning"):  # type: ignore[attr-defined]
            self._note("console", message.text)  # type: ignore[attr-defined]


# What is being faded in has no colour of its own yet, so it is waited for. Formulas are most of a
# page's elements, and what is seen of one is hidden from assistive readers: all there is to ask of
# it is that it has the colours of the text around it. What is read of one is not seen, and there is
# nothing to ask of its parts that have neither a role nor a name nor anything to be reached by. So
# axe-core looks at the page with boxes of the same size in their place, and the words to be read.
OBJECTIONS = """async () => {
  const moving = document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity);
  const still = Promise.allSettled(moving.map((animation) => animation.finished));
  await Promise.race([still, new Promise((done) => setTimeout(done, 10000))]);
  const formulas = [...document.querySelectorAll(".katex-html")];
  const objections = formulas.flatMap((formula) => {
    const ink = getComputedStyle(formula).color;
    const coloured = [...formula.querySelectorAll("*")].filter((part) => {
      const {color, backgroundColor} = getComputedStyle(part);
      return color !== ink || backgroundColor !== "rgba(0, 0, 0, 0)";
    });
    return coloured.map((part) => `color-contrast: ${part.outerHTML}`);
  });
  const maths = [...document.querySelectorAll("math.katex-mathml")];
  const marked = maths.flatMap((math) => [...math.querySelectorAll("*")]).filter((part) =>
    part.getAttributeNames().some((name) => /^(id|role|href|tabindex|aria-|on)/.test(name)));
  objections.push(...marked.map((part) => `formula: ${part.outerHTML}`));
  const sizes = formulas.map((formula) => {
    const {width, height} = formula.getBoundingClientRect();
    return `display: inline-block; height: ${height}px;
      width: ${formula.scrollWidth > width + 1 ? formula.scrollWidth : width}px`;
  });
  const contents = [...formulas, ...maths].map((formula) => [...formula.childNodes]);
  formulas.forEach((formula, k) => {
    formula.replaceChildren();
    formula.style.cssText = sizes[k];
  });
  for (const math of maths) math.replaceChildren(math.textContent);
  const run = await axe.run(document, {resultTypes: ["violations"]});
  for (const formula of formulas) formula.style.cssText = "";
  [...formulas, ...maths].forEach((formula, k) => formula.replaceChildren(...contents[k]));
  return [...objections, ...run.violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.html}`))];
}"""


def violations(page: Page) -> list[str]:
    """Return what axe-core objects to, by all of its rules and everywhere on the page."""
    if not page.evaluate("'axe' in window"):
        page.add_style_tag(content=ALL_LAID_OUT)
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(OBJECTIONS)
    return found


# What is read as words: code may show TeX, and a formula carries its source for assistive readers.
WORDS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = "";
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest("script, style, code, pre, annotation, svg")) {
      words += walker.currentNode.data;
    }
  }
  return words;
}"""


# A mode and a width: as a reader may see a page.
VIEWS = tuple((mode, size["width"]) for mode in ("light", "dark") for size in (WIDE, NARROW))


def inspect(
    watch: Watch, name: str, views: Sequence[tuple[str, int]] = VIEWS, *, judged: bool = True
) -> list[str]:
    """Return what is wrong with a page in some views, and at every width that is too narrow.

    What axe-core objects to is part of it only if the page is `judged`.
    """
    problems = []
    page = watch.page
    for mode in dict.fromkeys(mode for mode, _ in views):
        page.emulate_media(color_scheme=mode)
        page.set_viewport_size(WIDE)
        watch.open(name)
        page.add_style_tag(content=ALL_LAID_OUT)
        page.evaluate("typeof unfoldAll === 'function' && unfoldAll()")
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            page.evaluate(SETTLED)
            theme = page.locator("html").get_attribute("data-theme")
            if theme not in (mode, None):
                watch.problems.append(f"looks {theme}")
            width, room = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            if width > room:
                watch.problems.append(f"{width} pixels wide in {room}")
            if (mode, size["width"]) in views:
                if raw := RAW_TEX.search(page.evaluate(WORDS)):
                    watch.problems.append(f"raw TeX: {raw[0]}")
                watch.problems += violations(page) if judged else []
            problems += [f"{mode}, {size['width']}: {problem}" for problem in watch.problems]
            watch.problems.clear()
    return problems


def stay(route: Route) -> None:
    """Answer with the page at the root, without the line that leads away from it."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('http-equiv="refresh"', ""))


@pytest.fixture(scope="module")
def tab(browser: Browser, server: str) -> Iterator[Watch]:
    """One tab for page after page: to start one, with scripts and fonts, takes longer than most."""
    context = browser.new_context()
    yield Watch(context.new_page(), server)
    context.close()


PLACES_OF_PAGES = {name: place for place, name in enumerate(page_names())}


@pytest.mark.parametrize("name", page_names())
def test_a_page_loads_fits_and_is_accessible(name: str, tab: Watch) -> None:
    # Pages take different views in one run and are judged in different rounds, each in all of them.
    place = PLACES_OF_PAGES[name]
    if name == "index.html":
        tab.page.route(tab.host + name, stay, times=2)
    if name.removesuffix(".html") in SPECIMENS:
        assert not inspect(tab, name)
    else:
        views = mine(VIEWS, offset=place)
        assert not inspect(tab, name, views, judged=of_this_round(place))


def test_in_one_view_faults_are_found_and_a_width_that_is_too_narrow_in_the_other(
    server: str, new_context: Callable[..., BrowserContext]
) -> None:
    wide = r'<img src="_static/favicon.svg"><p>\frac12</p><div style="width: 600px">wide</div>'

    def spoil(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", wide + "</main>"))

    context = new_context()
    context.route(f"{server}404.html", spoil)
    watch = Watch(context.new_page(), server)
    for judged in (True, False):
        found = inspect(watch, "404.html", [("dark", WIDE["width"])], judged=judged)
        assert any(problem.startswith("dark, 1280: raw TeX: ") for problem in found), found
        assert any(re.match(r"dark, 390: \d+ pixels wide in 390", problem) for problem in found)
        assert any(problem.startswith("dark, 1280: image-alt: ") for problem in found) is judged
        assert all(problem.startswith("dark, ") for problem in found)


def test_what_is_wrong_with_a_page_is_not_held_against_the_next(
    server: str, new_context: Callable[..., BrowserContext]
) -> None:
    broken = "<script>setInterval(() => fetch('no-such-file'), 5)</script>"

    def spoil(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", broken + "</main>"))

    page = new_context().new_page()
    watch = Watch(page, server)
    page.route(f"{server}404.html", spoil)
    assert inspect(watch, "404.html", judged=False)
    assert not inspect(watch, "book/colophon.html", judged=False)


FAULTS = {
    "failed: ": '<img alt="a picture" src="broken-off.png">',
    "404: ": '<img alt="a picture" src="no-such-picture.png">',
    "foreign request: https://example.org/": '<img alt="one" src="https://example.org/a.png">',
    "console: ": "<script>console.error('broken')</script>",
    "error: ": "<script>throw new Error('broken')</script>",
    "pixels wide in ": '<div style="width: 3000px">wide</div>',
    "raw TeX: ": r"<p>so \frac12</p>",
    "image-alt: ": '<img src="_static/favicon.svg">',
    "color-contrast: ": '<p style="color: #888; background: #777">grey on grey</p>',
    'formula: <mi aria-label="x"': (
        '<p class="katex"><math class="katex-mathml"><mi aria-label="x">x</mi></math></p>'
    ),
    'color-contrast: <span class="mord"': (
        '<p class="katex"><span class="katex-html" aria-hidden="true">'
        '<span class="mord" style="color: #888; background: #777">sin</span></span></p>'
    ),
}


@pytest.mark.parametrize("complaint", FAULTS)
def test_a_fault_of_a_page_is_found_in_both_modes_and_at_both_widths(
    complaint: str, server: str, new_context: Callable[..., BrowserContext]
) -> None:
    """Put one fault into a sound page."""

    def spoil(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace("</main>", FAULTS[complaint] + "</main>")
        )

    context = new_context()
    context.route(f"{server}404.html", spoil)
    context.route("https://example.org/**", lambda route: route.fulfill(status=200))
    context.route("**/broken-off.png", lambda route: route.abort("aborted"))
    watch = Watch(context.new_page(), server)
    found = [problem for problem in inspect(watch, "404.html") if complaint in problem]
    # A request is made once for both widths.
    loading = complaint.startswith(("failed", "404", "foreign", "console", "error"))
    widths = (1280,) if loading else (1280, 390)
    for mode in ("light", "dark"):
        for width in widths:
            assert any(problem.startswith(f"{mode}, {width}: ") for problem in found), found


def test_every_element_below_a_path_loads_fits_and_is_accessible(
    specimen_server: str, new_context: Callable[..., BrowserContext]
) -> None:
    watch = Watch(new_context(bypass_csp=False).new_page(), specimen_server)
    assert not inspect(watch, ELEMENTS)


def test_what_can_be_opened_is_accessible_and_fits_when_open(
    open_page: Callable[..., Page],
) -> None:
    for size in (WIDE, NARROW):
        for mode in ("light", "dark"):
            page = open_page(viewport=size, color_scheme=mode)
            assert page.locator("#sol-order p").first.is_hidden()
            page.evaluate("unfoldAll()")
            page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            page.wait_for_function(BROUGHT)
            assert page.locator("#sol-order p").first.is_visible()
            assert not violations(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def focus_order(page: Page, presses: int) -> list[str]:
    """Press Tab and describe what has the focus each time."""
    seen = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                """() => { const e = document.activeElement;
                return [e.tagName, e.className, e.getAttribute('href'), e.innerText].join('|'); }"""
            )
        )
    return seen


def test_the_keyboard_reaches_everything(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport=NARROW)
    order = focus_order(page, 80)
    assert "Skip to main content" in order[0]
    for wanted in (
        "katex-display",  # an equation that scrolls
        "#thm-novikoff",  # a reference, and the link to the theorem itself
        "elements.ipynb",
        "theme-switch-button",
        "|Solution to Exercise",
        "copybtn",
    ):
        assert any(wanted in focused for focused in order), wanted


@pytest.mark.parametrize("kind", ["hint", "solution"])
def test_a_fold_of_an_exercise_opens_by_finger_and_by_keyboard(
    kind: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=NARROW, has_touch=True)
    fold = page.locator(f"details.{kind}").first
    summary, text = fold.locator("summary"), fold.locator("section")
    box = summary.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert not text.is_visible()
    summary.tap()
    assert text.is_visible()
    summary.press("Enter")
    assert not text.is_visible()


def test_the_skip_link_leads_to_the_text(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.keyboard.press("Tab")
    assert page.locator("#pst-skip-link a").is_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('#main-content')")


def test_focus_is_seen(open_page: Callable[..., Page]) -> None:
    page = open_page()
    link = page.locator("article a.reference.internal").first
    page.keyboard.press("Tab")
    link.focus()
    style = "e => [getComputedStyle(e).outlineStyle, getComputedStyle(e).outlineWidth]"
    assert link.evaluate(style) == ["solid", "2px"]


def test_a_wide_equation_scrolls_in_its_own_box(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport=NARROW)
    box = page.locator("#equation-eq-wide .katex-display")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth + 50")
    assert box.evaluate("e => e.getBoundingClientRect().right") <= NARROW["width"]
    # Chromium reaches by Tab whatever scrolls; other browsers need to be told.
    assert box.get_attribute("tabindex") == "0"
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("e => e.scrollLeft > 0", arg=box.element_handle())
    number = page.locator("#equation-eq-wide .eqno").bounding_box()
    assert number is not None
    assert number["x"] + number["width"] <= NARROW["width"]


NEAR = """() => {
  const closed = "details:not([open]) > :not(summary)";
  const parts = [...document.querySelectorAll("article *")].filter((e) => !e.closest(closed));
  const near = parts.filter((e) => e.checkVisibility({contentVisibilityAuto: true}));
  return near.length / parts.length;
}"""


def test_of_a_chapter_only_what_is_near_the_screen_is_laid_out(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context(viewport=NARROW).new_page()
    page.goto(server + CHAPTER)
    page.evaluate(SETTLED)
    assert page.evaluate(NEAR) < 0.4
    page.emulate_media(media="print")
    assert page.evaluate(NEAR) > 0.7


# Where everything is that stands in the text, and the same with each piece that is laid out late
# cut off from its surroundings as it is then.
PLACES = """() => {
  const all = [...document.querySelectorAll("article *")];
  const parts = all.filter((e) => e.checkVisibility() && !e.closest("svg, .katex"));
  const late = parts.filter((e) => getComputedStyle(e).contentVisibility === "auto"
    || e.matches(".bd-article > section > section"));
  const places = () => parts.map((e) => {
    const {x, y, width, height} = e.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join();
  });
  const rule = document.createElement("style");
  rule.textContent = "* { content-visibility: visible !important; }";
  document.head.append(rule);
  const before = places();
  for (const piece of late) piece.style.contain = "layout style paint";
  const after = places();
  const moved = parts.filter((e, k) => before[k] !== after[k]);
  return [late.length, moved.map((e) => e.outerHTML.slice(0, 200))];
}"""


def test_what_is_laid_out_late_does_not_change_its_place(
    new_context: Callable[..., BrowserContext], server: str, specimen_server: str
) -> None:
    for size in (WIDE, NARROW):
        for address in (server + CHAPTER, specimen_server + ELEMENTS):
            page = new_context(viewport=size).new_page()
            page.goto(address)
            page.evaluate(SETTLED)
            pieces, moved = page.evaluate(PLACES)
            assert pieces > 10
            assert not moved


def test_a_link_leads_to_its_place_far_down_a_page(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    top = "id => document.getElementById(id).getBoundingClientRect().top"
    arrived = f"id => Math.abs(({top})(id) - 64) < 3"
    for size in (WIDE, NARROW):
        page = new_context(viewport=size).new_page()
        page.goto(server + CHAPTER)
        links: list[str] = page.locator("article a.headerlink").evaluate_all(
            "links => links.map((link) => link.hash.slice(1))"
        )
        target = links[len(links) * 2 // 3]
        page.goto("about:blank")
        page.goto(f"{server}{CHAPTER}#{target}")
        page.wait_for_function(arrived, arg=target)
        assert page.locator("#pst-back-to-top").is_hidden()
        page.goto("about:blank")
        page.goto(server + CHAPTER)
        page.evaluate(SETTLED)
        page.locator(f"article a.headerlink[href='#{target}']").evaluate("e => e.click()")
        page.wait_for_function(arrived, arg=target)
        page.wait_for_timeout(200)
        assert page.evaluate(top, target) == pytest.approx(64, abs=3)


@pytest.mark.parametrize(
    ("place", "page_name"),
    [
        ("thm-batch-perceptron", "perceptron/further.html"),
        ("ex-perceptron-tie", "perceptron/exercises.html"),
        ("cell-erratum-offset-radius", "perceptron/slips.html"),
        ("lem-round-length", "perceptron/further.html"),  # inside what is folded
        ("lem-foot-distance", "perceptron/further.html"),  # moved, and folded there
        ("lem-gram-determinant", "perceptron.html"),
        ("thm-perceptron-convergence", "perceptron.html"),
    ],
)
def test_an_old_address_leads_to_where_the_place_is_now(
    new_context: Callable[..., BrowserContext], site: Path, place: str, page_name: str
) -> None:
    page = new_context().new_page()
    page.goto(f"{(site / CHAPTER).as_uri()}#{place}")
    page.wait_for_url(f"**/book/{page_name}#{place}")
    page.wait_for_function("id => document.getElementById(id)?.checkVisibility()", arg=place)


def test_the_contents_follow_the_reader_once_all_sections_are_laid_out(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context().new_page()
    page.goto(server + CHAPTER)
    page.wait_for_function(
        "!document.querySelector('.bd-article > section > section:not(.laid-out)')"
    )
    sections = page.locator(".bd-article > section > section")
    assert sections.count() > 5
    for number in (2, sections.count() - 2):
        name = sections.nth(number).get_attribute("id")
        sections.nth(number).evaluate("e => e.scrollIntoView()")
        page.locator(f"#pst-page-toc-nav a.active[href='#{name}']").wait_for(state="attached")


def test_tab_passes_over_no_equation_that_scrolls(
    new_context: Callable[..., BrowserContext], specimen_server: str
) -> None:
    page = new_context(viewport=NARROW).new_page()
    page.goto(specimen_server + ELEMENTS)
    page.evaluate(SETTLED)
    page.keyboard.press("Tab")
    marked = page.locator("article :is(.katex-display, .term)[tabindex='0']").count()
    page.add_style_tag(content=ALL_LAID_OUT)
    wide = page.evaluate(
        """[...document.querySelectorAll('article :is(.katex-display, .term)')]
        .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1).length"""
    )
    assert marked >= wide > 0


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_reasons_of_a_derivation_are_in_sight(
    new_context: Callable[..., BrowserContext], server: str, size: dict[str, int]
) -> None:
    page = new_context(viewport=size).new_page()
    page.goto(f"{server}book/perceptron/further.html")
    page.evaluate("unfoldAll()")
    page.locator("details").evaluate_all("all => all.forEach(fold => { fold.open = true; })")
    page.add_style_tag(content=ALL_LAID_OUT)
    page.evaluate(SETTLED)
    lines = page.evaluate(
        """[...document.querySelectorAll(".derivation-line:has(.reason)")].map((line) => {
          const parts = [line, ...line.children];
          const [box, term, reason] = parts.map((part) => part.getBoundingClientRect());
          const beside = reason.left >= term.right && reason.top < term.bottom;
          const below = reason.top >= term.bottom - 1;
          const inside = reason.left >= box.left - 1 && reason.right <= box.right + 1;
          return [beside, below, inside, reason.height > 10];
        })"""
    )
    assert len(lines) > 30
    assert all(beside != below for beside, below, _, _ in lines)
    assert all(inside and tall for _, _, inside, tall in lines)
    placed = {beside for beside, _, _, _ in lines}
    assert placed == {True, False}  # some have room for their reason, and some have not


def test_a_lean_formula_takes_the_room_of_katexs_own(open_page: Callable[..., Page]) -> None:
    katex = mathematics.Katex()
    katex.root = ROOT
    formulas = [(tex, display) for tex in FORMULAS for display in (False, True)]
    lean = [katex.render(tex, display=display) for tex, display in formulas]
    full = rendered_by_katex_alone(formulas)
    katex.stop()
    page = open_page()
    # Pages bring no rules for what only KaTeX alone writes; the fonts are those of the page.
    rules = (ROOT / "node_modules" / "katex" / "dist" / "katex.css").read_text(encoding="utf-8")
    page.add_style_tag(content=re.sub(r"@font-face \{.*?\}", "", rules, flags=re.DOTALL))
    boxes = page.evaluate(
        """async (formulas) => {
          const article = document.querySelector("article");
          article.innerHTML = formulas.map((html) => `<p>${html}</p>`).join("");
          await document.fonts.ready;
          return [...article.querySelectorAll("p")].map((p) =>
            [...p.querySelectorAll(".base")].map((part) => {
              const { width, height } = part.getBoundingClientRect();
              return [width, height];
            }));
        }""",
        [*lean, *full],
    )
    assert all(width > 5 for formula in boxes for width, _ in formula)
    for ours, theirs in zip(boxes[: len(lean)], boxes[len(lean) :], strict=True):
        assert ours == [pytest.approx(size, abs=0.1) for size in theirs]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_slider_loads_its_frames_at_the_first_touch_and_works_by_keyboard(
    open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    page = open_page(viewport=size, has_touch=size is NARROW)
    watch = Watch(page, "http://127.0.0.1")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.wait_for_load_state("networkidle")  # a browser fetches the icon when it likes
    loaded.clear()
    figure = page.locator(".mlnotes-frames")
    slider = figure.get_by_role("slider", name="slope")
    slider.scroll_into_view_if_needed()
    figure.get_by_role("status").filter(has_text="it rises by 1.0").wait_for()
    assert not loaded
    slider.focus()
    page.wait_for_function("Object.keys(globalThis.mlnotesFrames).length === 1")
    assert len(loaded) == 1
    page.keyboard.press("Home")
    figure.get_by_role("status").filter(has_text="slope = -1: it rises by -2.0").wait_for()
    assert slider.get_attribute("aria-valuetext") == "slope = -1: it rises by -2.0"
    figure.get_by_role("button", name="Step").press("Space")
    assert "slope = -0.95" in figure.inner_text()
    reset = figure.get_by_role("button", name="Reset")
    reset.tap() if size is NARROW else reset.click()
    assert "slope = 0.5: it rises by 1.0" in figure.inner_text()
    assert figure.locator("svg:visible").count() == 1
    box = figure.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= size["width"]
    assert not violations(page)
    assert not watch.problems


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_point_of_a_page_can_be_moved_by_keyboard(
    open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    page = open_page(viewport=size)
    figure = page.locator(".mlnotes-movable")
    chooser = figure.get_by_role("spinbutton", name="point")
    chooser.press("ArrowUp")
    assert chooser.input_value() == "2"
    for _ in range(3):
        figure.get_by_role("slider", name="from bottom to top").press("ArrowUp")
    figure.get_by_role("status").filter(
        has_text=re.compile(r"slope 2\.7\d, intercept -1\.1\d")
    ).wait_for()
    assert not violations(page)


WRITTEN = [name for name in titles() if (BOOK / f"{name}.md").exists()]
# Before a slider is moved, and after: what is printed beside it, and what a screen reader is told.
TOLD = """range => [range.closest('.mlnotes-controls').querySelector('output').value,
  range.getAttribute('aria-valuetext')]"""


def touch_slider(page: Page, figure: Locator) -> None:
    """Move a slider by keyboard, and a step on by finger."""
    key = figure.get_attribute("data-key")
    slider = figure.get_by_role("slider")
    before, announced = slider.evaluate(TOLD)
    assert announced == before
    assert re.search(r"\d", before), f"a quantity is printed: {before}"
    slider.focus()
    page.wait_for_function("key => globalThis.mlnotesFrames?.[key]", arg=key)
    told = {before}
    for press in ("Home", "ArrowRight", "End"):
        page.keyboard.press(press)
        said, announced = slider.evaluate(TOLD)
        assert announced == said
        told.add(said)
    assert len(told) > 2, told
    picture = figure.locator("svg:visible")
    assert picture.count() == 1
    figure.get_by_role("button", name="Back").tap()
    assert slider.evaluate(TOLD)[0] not in ("", said)
    assert picture.get_attribute("aria-label")


def touch_points(figure: Locator) -> None:
    """Move the first point by keyboard, and put it back by finger."""
    reading = figure.get_by_role("status")
    before = reading.inner_text()
    assert re.search(r"\d", before), f"a quantity is printed: {before}"
    across = figure.get_by_role("slider", name="from left to right")
    place = across.get_attribute("aria-valuetext")
    for _ in range(30):
        across.press("ArrowRight")
    assert across.get_attribute("aria-valuetext") != place
    assert reading.inner_text() != before
    figure.get_by_role("button", name="Reset").tap()
    assert reading.inner_text() == before


@pytest.fixture(scope="module")
def touched(browser: Browser, server: str) -> Iterator[Watch]:
    """One tab for the lectures, on what has a small screen to touch."""
    context = browser.new_context(viewport=NARROW, has_touch=True, bypass_csp=True)
    yield Watch(context.new_page(), server)
    context.close()


@pytest.mark.parametrize("name", WRITTEN)
def test_a_lecture_has_a_figure_to_touch_and_each_answers_to_keys_and_fingers(
    touched: Watch, name: str
) -> None:
    page = touched.page
    touched.open(f"book/{name}.html")
    page.add_style_tag(content=ALL_LAID_OUT)
    sliders, points = page.locator(".mlnotes-frames").all(), page.locator(".mlnotes-movable").all()
    assert sliders or points
    for figure in sliders:
        touch_slider(page, figure)
    for figure in points:
        touch_points(figure)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert not touched.problems


def test_a_slider_works_on_a_page_that_was_opened_as_a_file(
    new_context: Callable[..., BrowserContext], specimen: Path
) -> None:
    page = new_context().new_page()
    page.goto((specimen / ELEMENTS).as_uri())
    figure = page.locator(".mlnotes-frames")
    figure.get_by_role("slider").press("End")
    figure.get_by_role("status").filter(has_text="slope = 0.95: it rises by 1.9").wait_for()


LINES = """() => {
  const counts = [];
  for (const p of document.querySelectorAll('article > section > p')) {
    if (p.querySelector('.math') || p.innerText.length < 200) continue;
    const walker = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
    const lines = new Map();
    for (let node; (node = walker.nextNode()); ) {
      for (let i = 0; i < node.length; i++) {
        const range = document.createRange();
        range.setStart(node, i); range.setEnd(node, i + 1);
        const box = range.getClientRects()[0];
        if (box) { const y = Math.round(box.bottom / 12); lines.set(y, (lines.get(y) || 0) + 1); }
      }
    }
    counts.push(...[...lines.values()].slice(0, -1));
  }
  return counts;
}"""


def test_a_line_holds_sixty_to_seventy_five_characters(
    open_page: Callable[..., Page], server: str
) -> None:
    page = open_page()
    counts = list(page.evaluate(LINES))
    page.goto(f"{server}book/index.html")
    page.evaluate(SETTLED)
    counts += page.evaluate(LINES)
    assert len(counts) >= 8
    assert 60 <= sum(counts) / len(counts) <= 75, counts


def test_the_copy_button_copies_the_code(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cell = page.locator("div.cell_input").first
    cell.hover()
    cell.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("from fractions import Fraction")
    assert copied.rstrip().endswith("[1, 1, -1])")


def test_hovering_a_reference_shows_the_theorem(open_page: Callable[..., Page]) -> None:
    page = open_page()
    watch = Watch(page, "http://127.0.0.1")
    link = page.locator("article p a.reference.internal[href$='#thm-novikoff']").first
    hover(link)
    preview = page.locator(".preview")
    preview.wait_for()
    assert "Novikoff" in preview.inner_text()
    assert preview.locator(".katex").count() > 2
    box = preview.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDE["width"]
    assert not violations(page)
    page.keyboard.press("Escape")
    assert not preview.count()
    link.focus()
    preview.wait_for()
    page.mouse.move(5, 5)
    assert not watch.problems


def test_a_reference_to_another_page_shows_its_target(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.locator("article a.reference.internal[href*='bibliography.html#']").first.hover()
    page.locator(".preview").wait_for()
    assert "Psychological Review" in page.locator(".preview").inner_text()


def test_a_theorem_and_an_exercise_can_be_linked(open_page: Callable[..., Page]) -> None:
    page = open_page()
    for target in ("thm-novikoff", "def-margin", "ex-order"):
        link = page.locator(f"#{target} > .admonition-title > a.headerlink")
        link.focus()
        assert link.evaluate("e => getComputedStyle(e).opacity") == "1"
        page.keyboard.press("Enter")
        page.wait_for_url(f"**#{target}")


def test_search_finds_a_word_without_a_network(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context().new_page()
    watch = Watch(page, server)
    page.goto(f"{server}search.html?q=hyperplane")
    results = page.locator("#search-results li")
    results.first.wait_for()
    assert results.get_by_text("Glossary").count()
    assert not watch.problems
    assert not violations(page)


def test_the_ledger_is_in_the_order_of_the_book_and_can_be_filtered(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context(viewport=NARROW).new_page()
    page.goto(f"{server}book/ledger.html")
    order = list(titles().values())
    chapters = page.locator("article p.rubric").all_inner_texts()
    places = [order.index(re.sub(r"^[\d.]+ ", "", chapter)) for chapter in chapters]
    assert places == sorted(places)
    page.get_by_label("Words").fill("hyperplane")
    shown = page.locator(".ledger-list li:visible")
    assert page.locator(".filters output").inner_text() == f"{shown.count()} shown"
    assert 0 < shown.count() < 20
    assert not violations(page)


@pytest.mark.parametrize("name", ["book/concordance.html", "book/perceptron.html", "at.html"])
def test_an_address_that_encodes_nothing_breaks_nothing(
    new_context: Callable[..., BrowserContext], server: str, name: str
) -> None:
    page = new_context().new_page()
    watch = Watch(page, server)
    page.goto(f"{server}{name}#%")
    page.evaluate(SETTLED)
    assert not watch.problems


def test_a_statement_can_be_cited_by_an_address_that_stays(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context().new_page()
    page.goto(f"{server}book/perceptron/further.html#thm-batch-perceptron")
    box = page.locator("#thm-batch-perceptron")
    box.locator("details.cite > summary").click()
    assert "at.html#thm-batch-perceptron" in box.locator("details.cite").inner_text()
    box.locator("details.cite a").click()
    page.wait_for_url("**/book/perceptron/further.html#thm-batch-perceptron")


def test_formulas_can_be_native_and_stay_so(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context(viewport=NARROW).new_page()
    page.goto(server + CHAPTER)
    switch = page.get_by_role("button", name="MathML")
    assert switch.get_attribute("aria-pressed") == "false"
    switch.click()
    formula = page.locator("article p math.katex-mathml").first
    box = formula.bounding_box()
    assert box is not None
    assert box["width"] > 5
    assert box["height"] > 5
    assert page.locator("article p .katex-html").first.is_hidden()
    page.reload()
    assert page.locator("article p .katex-html").first.is_hidden()
    assert not violations(page)


def test_the_concordance_can_be_filtered_and_reads_without_scripts(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    address = f"{server}book/concordance/linear_models.html"
    page = new_context(viewport=NARROW).new_page()
    page.goto(f"{address}#row-perceptron-update-rule")
    row = page.locator("#row-perceptron-update-rule")
    assert row.is_visible()  # a link into a closed list opens it
    page.get_by_label("Words").fill("replace")
    assert row.is_visible()
    page.get_by_label("Source").select_option("003")
    assert row.is_hidden()
    assert (
        int(page.locator(".filters output").inner_text().split()[0])
        == page.locator("details.concordance .item:not([hidden])").count()
    )
    page.get_by_label("Words").fill("")
    page.get_by_label("Source").select_option("")
    page.get_by_label("Chapter").select_option("perceptron")
    assert page.locator("details.concordance:visible").count() == 1
    assert not violations(page)
    plain = new_context(java_script_enabled=False).new_page()
    plain.goto(address)
    assert not plain.locator(".filters").count()
    plain.locator("#chapter-perceptron > summary").click()
    assert plain.locator("#row-perceptron-update-rule .katex").first.is_visible()


def test_the_search_field_opens_by_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.keyboard.press("Control+k")
    field = page.locator("#pst-search-dialog input")
    assert field.is_visible()
    assert not violations(page)
    field.fill("novikoff")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    assert "/a/b/search.html" in page.url


def test_the_switch_changes_and_remembers_the_mode(open_page: Callable[..., Page]) -> None:
    page = open_page(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    switch = page.locator("button.theme-switch-button").first
    for _ in range(3):
        switch.click()
        if page.locator("html").get_attribute("data-theme") == "dark":
            break
    dark = page.evaluate(ground)
    assert light != dark
    page.reload()
    assert page.evaluate(ground) == dark


def test_a_dark_page_is_never_painted_light(
    new_context: Callable[..., BrowserContext], specimen_server: str
) -> None:
    page = new_context(color_scheme="dark").new_page()
    page.route("**/*.js*", lambda route: route.abort())
    page.goto(specimen_server + ELEMENTS)
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_html_that_a_cell_shows_has_the_ground_and_the_ink_of_a_dark_page(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(color_scheme="dark")
    shown = page.evaluate(
        """() => {
            const cell = document.createElement('div');
            cell.className = 'cell docutils container';
            cell.innerHTML = '<div class="cell_output docutils container">'
                + '<div class="output text_html"><table><tr><td>4</td></tr></table></div></div>';
            document.querySelector('article').append(cell);
            const look = getComputedStyle(cell.querySelector('.text_html'));
            return [look.backgroundColor, look.color, getComputedStyle(document.body).color];
        }"""
    )
    assert shown[0] == "rgba(0, 0, 0, 0)"
    assert shown[1] == shown[2]


def readable(page: Page) -> None:
    """Check that the text and its mathematics are to be seen."""
    assert page.locator("article h1").inner_text().startswith("1. The elements")
    assert page.locator("#thm-novikoff").is_visible()
    assert page.locator("#thm-novikoff .katex-html").first.is_visible()
    loaded = set(
        page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)")
    )
    assert {"KaTeX_Main", "KaTeX_Math", "Source Serif 4"} <= {name.strip('"') for name in loaded}
    assert page.locator("figure img").first.evaluate("e => e.naturalWidth") > 0
    family = page.evaluate("getComputedStyle(document.querySelector('article p')).fontFamily")
    assert "Source Serif" in family
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_page_runs_and_loads_nothing_that_is_not_its_own(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context(bypass_csp=False).new_page()
    page.goto(server + CHAPTER)
    refused = page.evaluate(
        """() => new Promise((done) => {
          const refused = [];
          document.addEventListener("securitypolicyviolation", ({effectiveDirective}) => {
            refused.push(effectiveDirective);
            if (refused.length === 4) done(refused);
          });
          const script = document.createElement("script");
          script.textContent = "globalThis.ran = true";
          const foreign = document.createElement("script");
          foreign.src = "https://example.org/a.js";
          document.body.append(script, foreign);
          new Image().src = "https://example.org/a.png";
          fetch("https://example.org/").catch(() => {});
        })"""
    )
    assert sorted(refused) == ["connect-src", "img-src", "script-src-elem", "script-src-elem"]
    assert page.evaluate("globalThis.ran") is None


def test_a_page_reads_without_scripts(open_page: Callable[..., Page]) -> None:
    page = open_page(java_script_enabled=False)
    assert page.locator("#sol-order p").first.is_hidden()
    page.locator("#sol-order > summary").click()
    assert page.locator("#sol-order p").first.is_visible()
    readable(page)


def test_what_only_some_readers_open_is_built_when_they_do(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context().new_page()
    page.goto(server + "book/perceptron/further.html")
    folded = page.locator("details:has(> noscript)")
    waiting, elements = folded.count(), page.locator("*").count()
    assert waiting > 5
    assert elements < 15_000
    lemma = page.locator("details.lemma:has(> noscript)").first
    name = lemma.get_attribute("id")
    lemma.locator("> summary").click()
    lemma = page.locator(f"#{name}")
    lemma.locator("> .derivation").first.wait_for()
    assert lemma.locator(".katex-html").first.is_visible()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    lemma.locator("details.checking > summary").first.click()
    lemma.locator(".check-panel button").first.wait_for()
    assert len([url for url in requests if "/folds/" in url]) == 1
    assert folded.count() == waiting - 1
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert folded.count() == 0
    assert page.locator("*").count() > 1.2 * elements


def test_what_is_built_late_reads_without_scripts(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(server + "book/perceptron/further.html")
    name = page.locator("details.lemma:not([open])").first.get_attribute("id")
    lemma = page.locator(f"#{name}")
    assert lemma.locator(".derivation").first.is_hidden()
    lemma.locator("> summary").click()
    assert lemma.locator(".derivation").first.is_visible()
    lemma.locator("details.checking > summary").first.click()
    assert "ledger" in lemma.locator("details.checking").first.inner_text()


def test_what_does_not_arrive_is_asked_for_again(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    context = new_context()
    page = context.new_page()
    context.route("**/folds/**", lambda route: route.abort())
    page.goto(server + "book/perceptron/further.html")
    fold = page.locator("article > section details.checking:not(details.lemma *)").first
    fold.locator("> summary").click()
    fold.get_by_text("did not arrive").wait_for()
    context.unroute("**/folds/**")
    fold.locator("> summary").click()
    fold.locator("> summary").click()
    fold.locator(".check-panel button").first.wait_for()
    assert fold.get_by_text("did not arrive").count() == 0


def test_a_page_opened_from_a_disk_reads(
    new_context: Callable[..., BrowserContext], specimen: Path
) -> None:
    page = new_context().new_page()
    watch = Watch(page, "file://")
    page.goto((specimen / ELEMENTS).as_uri())
    page.evaluate(SETTLED)
    readable(page)
    page.goto((specimen / "index.html").as_uri())
    page.wait_for_url(re.compile("book/index.html"))
    assert page.locator("article h1").inner_text().startswith("Specimen")
    # A font cannot be preloaded from a disk; it is loaded when the style sheet asks for it.
    assert not [p for p in watch.problems if "woff2" not in p and "ERR_FAILED" not in p]


def test_the_way_in_at_the_root_leads_to_the_landing_page(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    page = new_context().new_page()
    watch = Watch(page, server)
    page.goto(server)
    page.wait_for_url("**/book/index.html")
    page.wait_for_load_state()
    assert not watch.problems


def test_a_missing_page_leads_back(new_context: Callable[..., BrowserContext], server: str) -> None:
    page = new_context().new_page()
    page.goto(f"{server}deep/down/nothing.html")
    assert "No such page" in page.title()
    page.get_by_role("link").first.click()
    page.wait_for_url("**/book/index.html")


def test_the_margin_note_stands_in_the_margin_where_there_is_one(
    open_page: Callable[..., Page],
) -> None:
    for size, beside in ((WIDE, True), (NARROW, False)):
        page = open_page(viewport=size)
        note = page.locator("aside.margin").bounding_box()
        text = page.locator("article > section > p").first.bounding_box()
        assert note is not None
        assert text is not None
        assert (note["x"] > text["x"] + text["width"]) is beside
        assert note["x"] + note["width"] <= size["width"]


def test_a_browser_that_must_be_there_is_not_skipped(
    pytester_environment: dict[str, str], tmp_path: Path
) -> None:
    """Without a Chromium these tests are skipped, and where one is required they fail."""
    import subprocess
    import sys

    (tmp_path / "test_it.py").write_text("def test_it(chromium):\n    pass\n")
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"),
        *("--confcutdir", str(tmp_path), "-p", "conftest", str(tmp_path)),
    ]
    for required, status, words in (("0", 0, "1 skipped"), ("1", 1, "1 error")):
        environment = {**pytester_environment, "MLNOTES_REQUIRE_BROWSER": required}
        result = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert result.returncode == status, result.stdout + result.stderr
        assert words in result.stdout
        assert "no Chromium or Chrome found" in result.stdout


@pytest.fixture
def pytester_environment() -> dict[str, str]:
    """An environment in which no program is found."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    return {**os.environ, "PATH": "/nonexistent", "PYTHONPATH": path, "CHROMIUM": ""}
