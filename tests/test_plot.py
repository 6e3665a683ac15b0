"""Figures say what the numbers say, can be read by everyone on every page, and never change."""

import base64
import gzip
import itertools
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.contour import ContourSet
from matplotlib.patches import Ellipse

from mlnotes import data, plot
from mlnotes.perceptron import Perceptron

SVG = "{http://www.w3.org/2000/svg}"

PAGES = {"light": "#ffffff", "dark": "#121212"}

# Linear RGB as seen without one kind of cone: Machado, Oliveira and Fernandes (2009), severity 1.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


@pytest.fixture
def sample():
    return data.make_separable(40, margin=0.15, random_state=1)


@pytest.fixture
def model(sample):
    return Perceptron().fit(sample.X, sample.y)


DRAWINGS = {
    "points": lambda ax=None: plot.points([[0, 0], [1, 1]], [0, 1], ax=ax),
    "decision_regions": lambda ax=None: plot.decision_regions(
        Perceptron().fit([[0, 0], [1, 1]], [0, 1]), [[0, 0], [1, 1]], [0, 1], ax=ax
    ),
    "hyperplane": lambda ax=None: plot.hyperplane([1, 2], ax=ax),
    "convergence": lambda ax=None: plot.convergence({"loss": [3, 2, 1]}, ax=ax),
    "image": lambda ax=None: plot.image(np.eye(3), ax=ax),
}


def linear_light(colour):
    c = np.array(to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """Contrast ratio as WCAG 2 defines it."""
    dark, light = sorted(linear_light(c) @ [0.2126, 0.7152, 0.0722] for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


def oklab(rgb):
    """Ottosson's perceptual coordinates; a distance of 0.02 is about as small as one can see."""
    lms = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return lab @ np.cbrt(lms @ rgb)


def apart(one, other, sight):
    seen = (np.clip(sight @ linear_light(c), 0, 1) for c in (one, other))
    return np.linalg.norm(np.subtract(*(oklab(c) for c in seen)))


def svg_elements(page):
    return [ET.fromstring(found) for found in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", plot.PALETTE)
def test_every_colour_stands_out_from_the_page(name, page):
    colour = plot.PALETTE[name][list(PAGES).index(page)]
    assert contrast(colour, PAGES[page]) >= 3


def test_contrast_itself_is_measured_right():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("page", PAGES)
def test_any_two_colours_can_be_told_apart_with_any_sight(page, sight):
    colours = [pair[list(PAGES).index(page)] for pair in plot.PALETTE.values()]
    for one, other in itertools.combinations(colours, 2):
        assert apart(one, other, np.array(SIGHT[sight])) >= 0.1, (one, other)


def test_red_and_green_would_not_pass_as_colour_blind_safe():
    sight = np.array(SIGHT["deuteranopia"])
    assert apart("#d62728", "#7a7a00", sight) < 0.1 < apart("#d62728", "#7a7a00", np.eye(3))


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_returns_the_axes_it_was_given_or_new_ones(name):
    given = plot.new_axes()
    assert DRAWINGS[name](given) is given
    fresh = DRAWINGS[name]()
    assert isinstance(fresh, Axes)
    assert fresh.figure is not given.figure


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        (-0.5, "g", "−0.5"),
        (1234.5, ".0f", "1234"),
        (3e-11, ".0e", "3 · 10⁻¹¹"),
        (-2.5e-100, ".1e", "−2.5 · 10⁻¹⁰⁰"),
        (2e5, ".0e", "2 · 10⁵"),
        (1.0, ".0e", "1 · 10⁰"),
        (0.02, ".1%", "2.0%"),
    ],
)
def test_a_number_is_written_as_people_write_it(value, form, said):
    assert plot.number(value, form) == said


def test_every_drawing_function_is_in_the_table_above():
    others = {
        "Movable",
        "PALETTE",
        "Picture",
        "movable",
        "new_axes",
        "number",
        "panels",
        "picture",
        "slider",
        "stepper",
    }
    assert set(plot.__all__) == set(DRAWINGS) | others


def test_classes_differ_by_shape_and_by_colour():
    ax = plot.points(np.zeros((5, 2)), list("abcde"))
    shapes = {c.get_paths()[0].vertices.tobytes() for c in ax.collections}
    colours = {to_hex(c.get_facecolor()[0]) for c in ax.collections}
    assert len(shapes) == 5
    assert len(colours) == 5


def test_points_are_where_the_data_are_and_mistakes_are_ringed():
    X, y = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), np.array([1, -1, 1])
    ax = plot.points(X, y, ring=[False, True, True])
    first, second, ring = ax.collections
    np.testing.assert_array_equal(first.get_offsets(), X[[1]])
    np.testing.assert_array_equal(second.get_offsets(), X[[0, 2]])
    np.testing.assert_array_equal(ring.get_offsets(), X[[1, 2]])


def test_a_class_keeps_its_look_when_the_other_has_no_points():
    names = {-1: "minus", 1: "plus"}
    both = plot.points([[0, 0], [1, 1]], [-1, 1], names=names).collections[1]
    alone = plot.points([[1, 1]], [1], names=names).collections[1]
    np.testing.assert_array_equal(both.get_facecolor(), alone.get_facecolor())


def test_the_boundary_drawn_is_where_the_model_changes_its_mind(sample, model):
    ax = plot.decision_regions(model, sample.X)
    (boundary,) = [c for c in ax.collections if not c.filled]
    negative, positive = (c for c in ax.collections if c.filled)
    for region, label in ((negative, -1), (positive, 1)):
        inside = [any(path.contains_point(x) for path in region.get_paths()) for x in sample.X]
        np.testing.assert_array_equal(inside, model.predict(sample.X) == label)
    vertices = np.concatenate([path.vertices for path in boundary.get_paths()])
    assert len(vertices) > 10
    np.testing.assert_allclose(model.decision_function(vertices), 0, atol=1e-9)


class Nearest:
    """Predicts the nearest of three centres; it has no decision function."""

    classes_ = np.array(["east", "north", "west"])
    centres = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])

    def predict(self, X):
        return self.classes_[((X[:, None] - self.centres) ** 2).sum(axis=2).argmin(axis=1)]


def test_each_region_has_the_colour_of_its_class():
    ax = plot.decision_regions(Nearest(), Nearest.centres * 1.5, Nearest.classes_)
    regions = [c for c in ax.collections if isinstance(c, ContourSet) and c.filled]
    markers = [c for c in ax.collections if isinstance(c, PathCollection)]
    assert len(regions) == len(markers) == 3
    for region, marker, centre in zip(regions, markers, Nearest.centres, strict=True):
        assert to_hex(region.get_facecolor()[0]) == to_hex(marker.get_facecolor()[0])
        assert any(path.contains_point(centre) for path in region.get_paths())


class Scored(Nearest):
    """Has a score for each class, as classifiers of several classes do."""

    def decision_function(self, X):
        return -((X[:, None] - self.centres) ** 2).sum(axis=2)


def test_several_scores_give_the_regions_of_the_predictions():
    regions = [
        [
            c.get_paths()[0].vertices
            for c in plot.decision_regions(kind(), [[-1, -1], [1, 1]]).collections
        ]
        for kind in (Nearest, Scored)
    ]
    for one, other in zip(*regions, strict=True):
        np.testing.assert_array_equal(one, other)


def test_limits_and_names_that_were_set_before_are_kept(sample, model):
    ax = plot.new_axes()
    ax.set(xlim=(-3, 3), ylim=(-2, 2), xlabel="intensity")
    plot.decision_regions(model, sample.X, sample.y, ax=ax)
    assert (ax.get_xlim(), ax.get_ylim()) == ((-3, 3), (-2, 2))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("intensity", "$x_2$")


def test_a_line_has_the_colour_and_the_name_it_is_given():
    ax = plot.hyperplane([1.0, 1.0], colour="green", label="widest", margin=0.1)
    assert {line.get_color() for line in ax.lines} == {plot.PALETTE["green"][0]}
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["widest"]


def test_regions_of_a_model_that_predicts_one_class_everywhere_are_drawn(sample):
    far_away = Perceptron().fit(sample.X, sample.y)
    far_away.coef_, far_away.intercept_ = np.zeros(2), 1.0
    (region,) = plot.decision_regions(far_away, sample.X).collections
    assert region.filled


def test_a_hyperplane_far_away_leaves_automatic_limits_alone(sample):
    ax = plot.points(sample.X, sample.y)
    before = ax.get_xlim(), ax.get_ylim()
    plot.hyperplane([1.0, 1.0], 50.0, margin=3.0, normal=True, ax=ax)
    assert (ax.get_xlim(), ax.get_ylim()) == before


def test_the_margin_lines_have_their_distance_and_leave_the_limits_alone():
    theta, intercept, margin = np.array([3.0, 4.0]), 2.0, 0.5
    ax = plot.new_axes()
    ax.set(xlim=(-1, 2), ylim=(-3, 4))
    plot.hyperplane(theta, intercept, margin=margin, normal=True, ax=ax)
    distances = [
        (theta @ np.array(point) + intercept) / 5
        for line in ax.lines
        for point in (line.get_xy1(), line.get_xy2())
    ]
    np.testing.assert_allclose(distances, np.repeat([0, 0.5, -0.5], 2), atol=1e-12)
    assert (ax.get_xlim(), ax.get_ylim()) == ((-1, 2), (-3, 4))
    (arrow,) = ax.texts
    np.testing.assert_allclose(np.subtract(arrow.xy, arrow.xyann), theta)


def test_curves_are_the_values_and_differ_by_dash_too():
    curves = {name: np.arange(4.0) + k for k, name in enumerate("abcde")}
    ax = plot.convergence(curves, bounds={"limit": 9.0}, log=True, ylabel="error")
    *drawn, bound = ax.lines
    for line, values in zip(drawn, curves.values(), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([np.arange(4), values]))
    assert len({str(line._dash_pattern) for line in drawn}) == 5
    assert len({line.get_color() for line in drawn}) == 5
    assert set(bound.get_ydata()) == {9.0}
    assert (ax.get_yscale(), ax.get_ylabel()) == ("log", "error")


def test_an_image_shows_more_ink_where_the_pixel_is_larger():
    ax = plot.image([[0, 8], [16, 4]])
    (mesh,) = ax.collections
    mesh.update_scalarmappable()
    np.testing.assert_allclose(mesh.get_facecolor()[:, 3], [0, 0.5, 1, 0.25], atol=0.01)
    bottom, top = ax.get_ylim()
    assert bottom > top, "row 0 belongs at the top"


def test_panels_draw_every_state_once_with_its_title():
    seen = []
    axes = plot.panels(
        lambda state, ax: seen.append((state, ax)), [1, 2, 3, 4], columns=3, titles=list("abcd")
    )
    assert [state for state, _ in seen] == [1, 2, 3, 4]
    assert [ax for _, ax in seen] == list(axes)
    assert [ax.get_title() for ax in axes] == list("abcd")
    assert len(axes[0].figure.axes) == 4, "the empty panels should be gone"


def test_a_picture_follows_the_page_and_brings_nothing_else_with_it(sample, model):
    ax = plot.decision_regions(model, sample.X, sample.y, names={-1: "minus", 1: "plus"})
    ax.text(0, 0, "drawn by hand, in matplotlib's own black")
    ax.legend(["in a box", "of matplotlib's own white"], edgecolor="black")
    page = plot.picture(ax, alt='Points & a "line" < there').html()
    (svg,) = svg_elements(page)
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == 'Points & a "line" < there'
    assert svg.get("fill") == "currentColor"
    body = page[page.index("<svg") :]
    assert "<style" not in body
    assert "<script" not in page
    assert set(re.findall(r"https?://[^\"]+", page)) <= {
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/2000/svg",
    }
    bare = re.sub(r"var\(--mlnotes-\w+,#[0-9a-f]+\)", "", body)
    assert re.findall(r"(?:fill|stroke): #\w+", bare) == []
    for name in ("blue", "orange", "paper"):
        assert f"var(--mlnotes-{name}," in body


def test_ids_are_unique_on_a_page_with_several_pictures_and_resolve():
    one = plot.picture(plot.convergence({"a": [1, 2]}), alt="first").html()
    two = plot.picture(plot.convergence({"a": [1, 2]}), alt="second").html()
    ids = re.findall(r'\bid="([^"]+)"', one + two)
    assert len(ids) == len(set(ids)) > 20
    referred = re.findall(r'(?:href="#|url\(#)([^")]+)', one + two)
    assert referred
    assert set(referred) <= set(ids)


def test_what_is_drawn_by_hand_on_new_axes_takes_the_palette_in_turn():
    ax = plot.new_axes()
    drawn = [ax.plot([0, 1], [k, k])[0].get_color() for k in range(5)]
    assert drawn == [light for light, _ in plot.PALETTE.values()]


def test_a_picture_needs_words():
    with pytest.raises(ValueError, match="alt is empty"):
        plot.picture(plot.new_axes(), alt=" ")


def test_an_inline_figure_names_only_what_it_refers_to():
    ax = plot.new_axes()
    ax.scatter([0.123456, 1, 2], [0, 1, 4])
    ax.plot([0, 2], [0, 4])
    (svg,) = svg_elements(plot.picture(ax, alt="Three points and a line.").html())
    names = {element.get("id") for element in svg.iter()} - {None}
    used = {element.get("href") for element in svg.iter(f"{SVG}use")}
    assert {name.removeprefix("#") for name in used} <= names
    clips = {element.get("clip-path") for element in svg.iter()} - {None}
    (marker,) = svg.iter(f"{SVG}marker")
    named = {re.sub(r"url\(#|\)|#", "", name) for name in used | clips}
    assert names == named | {marker.get("id")}
    assert all(group.attrib for group in svg.iter(f"{SVG}g"))
    (points,) = [p for p in svg.iter(f"{SVG}path") if marker.get("id") in p.get("style", "")]
    number = r"\d+(\.\d\d?)?"
    assert re.fullmatch(rf"M{number} {number}(L{number} {number}){{2}}", points.get("d"))
    assert "fill" in marker.find(f"{SVG}use").get("style")


def test_points_of_one_look_that_are_drawn_twice_have_two_markers():
    ax = plot.new_axes()
    for start in (0, 10):
        ax.plot(start + np.arange(5), np.arange(5), "ko")
        ax.plot([start, start + 5], [0, 4], color="gray")
    (svg,) = svg_elements(plot.picture(ax, alt="Two lines of points.").html())
    markers = [marker.get("id") for marker in svg.iter(f"{SVG}marker")]
    assert len(markers) == len(set(markers)) == 2
    drawn = [p.get("style", "") for p in svg.iter(f"{SVG}path")]
    assert all(any(name in style for style in drawn) for name in markers)


def test_a_broken_line_written_by_its_steps_ends_where_it_ends():
    values = np.random.default_rng(0).normal(size=500)
    ax = plot.new_axes()
    ax.plot(values)
    (svg,) = svg_elements(plot.picture(ax, alt="A jagged line.").html())
    written = [p.get("d") for p in svg.iter(f"{SVG}path") if "l" in p.get("d")]
    start, steps = max(written, key=len).removeprefix("M").split("l")
    numbers = [float(z) for z in re.findall(r"-?\d*\.?\d+", steps)]
    places = np.array([float(z) for z in start.split()]) + np.cumsum(
        np.array(numbers).reshape(-1, 2), axis=0
    )
    height = 72 * ax.figure.get_size_inches()[1]
    ax.figure.set_dpi(72)
    expected = ax.transData.transform((499, values[-1]))
    np.testing.assert_allclose(places[-1], [expected[0], height - expected[1]], atol=0.02)


def test_the_standalone_svg_is_well_formed_and_describes_itself():
    source = plot.picture(plot.convergence({"a": [1, 2]}), alt="a < b & c\\1").svg()
    root = ET.fromstring(source)
    assert root.find(f"{SVG}title").text == "a < b & c\\1"
    assert "#ffffff" in source


def turning(n=5, **options):
    """A line that turns, with its angle beside it."""
    angles = np.linspace(0, np.pi / 2, n)

    def draw(angle, ax):
        plot.hyperplane([np.cos(angle), np.sin(angle)], ax=ax)
        ax.set(xlim=(-1, 1), ylim=(-1, 1))

    options = {"titles": [f"<{k}> & so on" for k in range(n)], **options}
    readings = [f"angle {angle:.2f}" for angle in angles]
    return plot.stepper(draw, angles, readings=readings, alt="A line turns.", **options)


def frames_of(page):
    """The frames that a page's script can show, put together as it does."""
    data = json.loads(re.search(r'class="mlnotes-data">(.*?)</script>', page, re.DOTALL)[1])
    return data, ["\n".join(data["parts"][k] for k in frame) for frame in data["frames"]]


def test_the_frames_of_a_stepper_are_whole_pictures_whose_common_parts_are_stored_once():
    shown = turning()
    data, frames = frames_of(shown.html())
    for frame, figure in zip(frames, shown._figures, strict=True):
        svg = ET.fromstring(frame)
        used = {use.get("href")[1:] for use in svg.iter(f"{SVG}use")}
        assert used <= {part.get("id") for part in svg.iter()}
        alone = plot.Picture([figure], "A line turns.").html()
        paths = [path.get("d") for path in svg_elements(alone)[0].iter(f"{SVG}path")]
        assert [path.get("d") for path in svg.iter(f"{SVG}path")] == paths
    assert len(set(frames)) == 5
    assert sum(map(len, data["parts"])) < 1.3 * len(frames[0])
    assert data["words"][2] == "<2> & so on: angle 0.79"


def test_a_stepper_shows_on_paper_where_it_starts_and_some_states_more():
    page = turning(9, start=4).html()
    stills = page[: page.index('<div class="mlnotes-controls"')]
    labels = [svg.get("aria-label") for svg in svg_elements(stills)]
    assert labels == [f"A line turns. <{k}> & so on" for k in (4, 0, 3, 5, 8)]
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', stills)) <= set(ids)
    assert page.count("&lt;3&gt; &amp; so on: angle 0.59</p>") == 1
    assert "</script" not in page[page.index("mlnotes-data") :].split("</script>", 1)[0]


@pytest.mark.parametrize("many", [1, 2, 40])
def test_frames_take_less_than_a_hundred_kilobytes(sample, many):
    def draw(k, ax):
        model = Perceptron().fit(sample.X[: 10 + k % 30], sample.y[: 10 + k % 30])
        plot.decision_regions(model, sample.X, sample.y, ax=ax, resolution=50)
        ax.set_title(f"after {k}")

    readings = [f"{k} of at most 40" for k in range(many)]
    shown = plot.slider(draw, range(many), label="k", readings=readings, alt="Regions.")
    data = re.search(r'class="mlnotes-data">(.*?)</script>', shown.html(), re.DOTALL)[1]
    assert len(gzip.compress(data.encode())) < 100_000
    assert len(frames_of(shown.html())[1]) == many


def test_a_slider_names_its_values_by_the_parameter():
    draw = lambda value, ax: ax.axhline(value)  # noqa: E731
    shown = plot.slider(draw, [0.5, 2, "∞"], label="C", readings=list("abc"), alt="A line.")
    assert frames_of(shown.html())[0]["words"] == ["C = 0.5: a", "C = 2: b", "C = ∞: c"]


def test_a_picture_of_several_axes_can_have_states_too():
    def draw(state, axes):
        for ax in axes.flat:
            ax.axhline(state)

    shown = plot.stepper(draw, [1, 2], columns=2, alt="Two lines.")
    assert len(shown.axes) == 4


def test_a_notebook_gets_html_and_latex_gets_pdf():
    bundle = plot.picture(plot.convergence({"a": [1, 2]}), alt="words")._repr_mimebundle_()
    assert set(bundle) == {"text/html", "application/pdf", "text/plain"}
    assert base64.b64decode(bundle["application/pdf"]).startswith(b"%PDF")


def test_two_processes_draw_the_same_bytes():
    program = (
        "import hashlib\n"
        "from mlnotes import data, plot\n"
        "from mlnotes.perceptron import Perceptron\n"
        "X, y, *_ = data.make_separable(40, margin=0.15, random_state=1)\n"
        "ax = plot.decision_regions(Perceptron().fit(X, y), X, y, names={-1: 'a', 1: 'b'})\n"
        "bundle = plot.picture(ax, alt='words')._repr_mimebundle_()\n"
        "bundle['svg'] = plot.picture(ax, alt='words').svg()\n"
        "print(*(hashlib.sha256(v.encode()).hexdigest() for v in bundle.values()))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": date, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, date in [("1", "0"), ("2", "1000000000")]
    ]
    assert runs[0] == runs[1]
    assert len(set(runs[0].split())) == 4


def run_python(program):
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_importing_the_module_loads_no_matplotlib_and_drawing_no_pyplot():
    program = (
        "import sys\n"
        "from mlnotes import plot\n"
        "print('matplotlib' in sys.modules)\n"
        "plot.picture(plot.convergence({'a': [1, 2]}), alt='words').html()\n"
        "print('matplotlib.pyplot' in sys.modules)\n"
    )
    assert run_python(program).split() == ["False", "False"]


def test_without_matplotlib_the_error_names_the_extra():
    program = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "from mlnotes import plot\n"
        "try:\n"
        "    plot.convergence({'a': [1, 2]})\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    assert "install the extra mlnotes-book[plot]" in run_python(program)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plot.points(np.zeros((3, 3)), [0, 1, 2]), "choose two columns"),
        (lambda: plot.points(np.zeros((3, 2)), [0, 1]), "one label for each of the 3 points"),
        (lambda: plot.points(np.zeros((11, 2)), range(11)), "at most 10 classes"),
        (lambda: plot.points([[0, 0]], [2], names={0: "a"}), r"no entry for the labels \[2\]"),
        (lambda: plot.points([[0, np.nan]], [2]), "NaN"),
        (lambda: plot.hyperplane([0, 0]), "theta is zero"),
        (lambda: plot.hyperplane([1, 2, 3]), "length 2"),
        (lambda: plot.hyperplane([1, 2], colour="pink"), "one of blue, orange"),
        (lambda: plot.decision_regions(Perceptron(), [[0, 0]]), "fit the model first"),
        (lambda: plot.convergence({}), "curves is empty"),
        (lambda: plot.convergence([1, 2]), "has no names; pass some, such as"),
        (lambda: plot.convergence({"loss": [[1, 2]]}), r"curves\['loss'\] must be a vector"),
        (lambda: plot.image([[-1, 2]]), "must not be negative"),
        (lambda: plot.image([[np.inf, 2]]), "pixels contains infinity"),
        (lambda: plot.panels(lambda s, ax: None, []), "states is empty"),
        (lambda: plot.panels(lambda s, ax: None, [1, 2], titles=["a"]), "1 titles for 2 states"),
        (lambda: plot.new_axes(0), "rows must be"),
        (lambda: turning(start=5), "one of the 5 states"),
        (lambda: plot.movable("magic", [[0, 0]], alt="A point."), "method must be one of"),
        (lambda: plot.movable("perceptron", [[0, 0]], alt="A point."), "y is missing"),
        (lambda: plot.movable("k_means", [[0, 0]], alt="A point."), "handles is missing"),
        (lambda: plot.movable("least_squares", [1, 1], [1, 2], alt="A."), "two different places"),
        (
            lambda: plot.slider(len, [1, 2], label="C", readings=["a"], alt="A line."),
            "1 readings for 2 states",
        ),
    ],
)
def test_bad_arguments_are_refused_with_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


LIGHT_AND_DARK = (
    "<!doctype html><html lang=en><style>html{color:#222222;background:#ffffff}"
    "html[data-theme=dark]{color:#ced6dd;background:#121212}</style>"
)


@pytest.mark.browser
def test_in_a_browser_lines_follow_the_theme(browser):
    shown = plot.stepper(
        lambda curve, ax: plot.convergence({"a": curve}, ax=ax),
        [[1, 2], [2, 1]],
        alt="Two curves.",
    )
    colours = """() => {
        const drawn = [...document.querySelectorAll("svg path, svg use")];
        return [...new Set(drawn.map(e => getComputedStyle(e).stroke))].sort();
    }"""
    page = browser.new_page()
    page.set_content(f"{LIGHT_AND_DARK}<body>{shown.html()}</body></html>")
    assert page.evaluate(colours) == ["none", "rgb(34, 34, 34)", "rgb(41, 83, 165)"]
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(colours) == ["none", "rgb(206, 214, 221)", "rgb(61, 126, 252)"]
    page.close()


def seen(page):
    """The pictures that are in sight, by their last words, and what is printed beside them."""
    labels = page.locator("svg").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => e.ariaLabel.match(/<(.*)>/)[1])"
    )
    return labels, page.locator("output").inner_text()


@pytest.mark.browser
def test_a_stepper_works_by_keyboard_and_says_where_it_is(browser):
    page = browser.new_page()
    page.set_content(f"{LIGHT_AND_DARK}<body>{turning(start=1).html()}</body></html>")
    assert seen(page) == (["1"], "<1> & so on: angle 0.39")
    page.keyboard.press("Tab")
    slider = page.get_by_role("slider", name="step")
    assert slider.evaluate("e => e === document.activeElement")
    for key, k in (("ArrowRight", 2), ("End", 4), ("ArrowLeft", 3), ("Home", 0)):
        page.keyboard.press(key)
        words = f"<{k}> & so on: angle {k * np.pi / 8:.2f}"
        assert seen(page) == ([str(k)], words)
        assert slider.get_attribute("aria-valuetext") == words
    assert page.locator("output").get_attribute("aria-live") == "polite"
    pressed = []
    for _ in range(4):
        page.keyboard.press("Tab")
        pressed.append(page.evaluate("document.activeElement.innerText"))
    assert pressed == ["Play", "Back", "Step", "Reset"]
    for name, k in (("Step", 1), ("Step", 2), ("Back", 1), ("Reset", 1)):
        page.get_by_role("button", name=name).press("Enter")
        assert seen(page)[0] == [str(k)]
    page.close()


@pytest.mark.browser
def test_a_stepper_plays_to_the_end_and_can_be_stopped(browser):
    page = browser.new_page()
    page.clock.install()
    page.set_content(f"{LIGHT_AND_DARK}<body>{turning().html()}</body></html>")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(950)
    assert seen(page)[0] == ["1"]
    assert page.locator("output").get_attribute("aria-live") == "off"
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5000)
    assert seen(page)[0] == ["1"]
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(5000)
    assert seen(page) == (["4"], "<4> & so on: angle 1.57")
    assert page.locator("output").get_attribute("aria-live") == "polite"
    page.get_by_role("button", name="Play").click()
    assert seen(page)[0] == ["0"]
    page.emulate_media(reduced_motion="reduce")
    assert page.get_by_role("button", name="Pause").is_hidden()
    page.clock.run_for(5000)
    assert seen(page)[0] == ["1"], "what moves stops when the reader asks for it"
    page.close()


@pytest.mark.browser
def test_a_stepper_can_be_read_on_paper_and_without_scripts(browser):
    page = browser.new_page()
    page.set_content(f"{LIGHT_AND_DARK}<body>{turning(9, start=4).html()}</body></html>")
    page.get_by_role("slider").press("End")
    assert seen(page)[0] == ["8"]
    page.emulate_media(media="print")
    assert page.get_by_text("<3> & so on: angle 0.59").is_visible()
    assert page.locator(".mlnotes-controls").is_hidden()
    printed = page.locator(".mlnotes-stills > div").evaluate_all(
        "all => all.map(e => [e.getBoundingClientRect().top, e.innerText.trim()]).sort()"
    )
    assert [words[1] for _, words in printed] == list("03458")
    page.close()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(f"{LIGHT_AND_DARK}<body>{turning(9, start=4).html()}</body></html>")
    assert page.locator(".mlnotes-stills p").count() == 5
    assert all(page.locator(".mlnotes-stills p").nth(k).is_visible() for k in range(5))
    assert page.locator(".mlnotes-controls").is_hidden()
    context.close()


MOVABLE = {
    "perceptron": {
        "X": [[1.0, 0.2], [0.4, 0.8], [-0.6, 0.5], [-1.0, -0.3], [0.3, -0.9]],
        "y": [1, 1, -1, -1, -1],
        "limits": (-1.5, 1.5),
    },
    "least_squares": {"X": [0.0, 1.0, 2.0, 3.0], "y": [0.1, 0.9, 2.2, 8.7]},
    "k_means": {
        "X": [[0.0, 0.0], [0.2, 1.0], [3.0, 3.0], [3.5, 2.0], [6.0, 0.0]],
        "handles": [[0.0, 0.5], [1.0, 0.5]],
    },
    "threshold": {"X": [0.1, 0.4, 0.5, 0.9, 0.7], "y": [-1, -1, 1, 1, -1], "handles": [0.45]},
}


@pytest.mark.browser
@pytest.mark.parametrize("method", MOVABLE)
def test_what_a_browser_answers_to_moved_points_is_what_the_package_answers(browser, method):
    """Ten moves by keyboard, each compared with the package."""
    options = MOVABLE[method]
    shown = plot.movable(method, alt="Points.", **options)
    page = browser.new_page()
    page.set_content(f"{LIGHT_AND_DARK}<body>{shown.html()}</body></html>")
    output = page.get_by_role("status")
    assert output.inner_text() == shown.reading
    line = page.locator(".mlnotes-lines")
    before, readings = line.get_attribute("d"), set()
    moved = "handles" if "handles" in options else "X"
    for number, (axis, key) in enumerate([("right", "PageUp"), ("top", "PageDown")] * 5):
        chooser = page.get_by_role("spinbutton", name="point")
        if chooser.is_enabled():
            chooser.fill(str(1 + number % len(options[moved])))
        slider = page.get_by_role("slider", name=re.compile(axis))
        if not slider.count():
            slider = page.get_by_role("slider")
        slider.press(key)
        points = page.evaluate(
            """() => {
              const root = document.querySelector(".mlnotes-movable");
              const {box, xlim, ylim} = JSON.parse(root.dataset.given);
              return [...root.querySelectorAll(".mlnotes-handle")].map((handle) => {
                const {e, f} = handle.transform.baseVal.consolidate().matrix;
                return [xlim[0] + (e - box[0]) / box[2] * (xlim[1] - xlim[0]),
                        ylim[1] - (f - box[1]) / box[3] * (ylim[1] - ylim[0])];
              });
            }"""
        )
        now = dict(options)
        if method == "threshold":
            now["handles"] = [points[0][0]]
        elif method == "least_squares":
            now["X"], now["y"] = np.transpose(points)
        else:
            now[moved] = points
        wanted = plot.movable(method, alt="Points.", **now).reading
        numbers = [
            list(map(float, re.findall(r"-?\d+\.?\d*", t))) for t in (wanted, output.inner_text())
        ]
        assert re.sub(r"-?\d+\.?\d*", "#", wanted) == re.sub(
            r"-?\d+\.?\d*", "#", output.inner_text()
        )
        np.testing.assert_allclose(*numbers, atol=2e-3)
        readings.add(wanted)
    assert len(readings) > 1
    page.get_by_role("button", name="Reset").press("Enter")
    assert output.inner_text() == shown.reading
    numbers = [
        list(map(float, re.findall(r"-?\d+\.?\d*", d))) for d in (before, line.get_attribute("d"))
    ]
    np.testing.assert_allclose(*numbers, atol=0.1)
    page.close()


@pytest.mark.browser
def test_a_point_follows_the_finger_and_stays_in_the_picture(browser):
    shown = plot.movable("perceptron", alt="Points.", **MOVABLE["perceptron"])
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(f"{LIGHT_AND_DARK}<body>{shown.html()}</body></html>")
    box = page.locator(".mlnotes-handle").nth(2).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 5)
    moved = page.locator(".mlnotes-handle").nth(2).bounding_box()
    assert moved["x"] - box["x"] == pytest.approx(60, abs=2)
    assert moved["y"] - box["y"] == pytest.approx(5, abs=2)
    assert page.get_by_role("spinbutton", name="point").input_value() == "3"
    page.mouse.move(2000, 2000)
    page.mouse.up()
    page.mouse.move(10, 10)
    corner = page.locator(".mlnotes-handle").nth(2).bounding_box()
    assert corner["x"] + corner["width"] <= 390
    assert page.get_by_role("status").inner_text() != shown.reading
    page.close()


def test_not_separable_points_are_told_apart_from_many_mistakes():
    shown = plot.movable("perceptron", [[1, 0], [2, 0]], [1, -1], alt="Points.")
    assert shown.reading.startswith("No line through the origin")


def test_panels_side_by_side_are_windows_on_one_drawing():
    axes = plot.panels(lambda t, ax: ax.plot([0, t]), [1, 2, 3], titles=["a", "b", "c"])
    page = plot.picture(axes, alt="Three lines.").html()
    assert page.count('role="img" aria-label="Three lines."') == 1
    first, *others = svg_elements(page)
    boxes = [list(map(float, svg.get("viewBox").split())) for svg in (first, *others)]
    width, height = 72 * axes[0].figure.get_size_inches()
    # The windows follow each other and cover the whole, each panel in one of them.
    assert [left for left, *_ in boxes[1:]] == pytest.approx(
        [left + part for left, _, part, _ in boxes[:-1]], abs=0.02
    )
    assert boxes[0][0] == 0
    assert sum(boxes[-1][::2]) == pytest.approx(width, abs=0.02)
    for ax, (left, _, part, tall) in zip(axes, boxes, strict=True):
        place = ax.get_position()
        assert left < place.x0 * width < place.x1 * width < left + part
        assert tall == pytest.approx(height, abs=0.02)
    (drawing,) = [group.get("id") for group in first if group.get("id", "").endswith("panels")]
    assert [use.get("href") for svg in others for use in svg] == [f"#{drawing}"] * 2


def test_an_axis_without_ticks_leaves_no_open_group():
    axes = plot.panels(lambda t, ax: ax.set(yticks=[]), [1, 2])
    drawn = plot.picture(axes, alt="Two empty panels.").html()
    assert len(re.findall(r"<g\b", drawn)) == drawn.count("</g>") > 0


def test_a_figure_with_one_title_for_all_panels_is_not_divided():
    axes = plot.panels(lambda t, ax: ax.plot([0, t]), [1, 2])
    axes[0].figure.suptitle("both")
    assert len(svg_elements(plot.picture(axes, alt="Two lines.").html())) == 1


@pytest.mark.browser
def test_panels_stand_below_each_other_on_a_phone(browser):
    page = browser.new_page()
    axes = plot.panels(lambda t, ax: ax.plot([0, t]), [1, 2, 3])
    page.set_content(plot.picture(axes, alt="Three lines.").html())

    def places():
        boxes = page.locator("svg").evaluate_all(
            "all => all.map(e => e.getBoundingClientRect()).map(b => [b.x, b.y, b.height])"
        )
        return list(zip(*boxes, strict=True))

    page.set_viewport_size({"width": 1280, "height": 800})
    x, y, height = places()
    assert len(set(y)) == 1
    assert sorted(x) == list(x)
    assert x[0] < x[2]
    assert max(height) - min(height) < 1
    page.set_viewport_size({"width": 390, "height": 800})
    x, y, _ = places()
    assert y[0] < y[1] < y[2]
    assert max(x) - min(x) < 60


def test_cells_of_an_image_that_have_one_shade_are_one_path():
    pixels = np.array([[0.0, 1.0, 1.0], [0.5, 0.0, 1.0], [0.5, 0.25, 0.0]])
    (svg,) = svg_elements(plot.picture(plot.image(pixels), alt="Nine squares.").html())
    drawn = [p for p in svg.iter(f"{SVG}path") if p.get("clip-path")]
    cells = {p.get("style"): p.get("d").count("M") for p in drawn}
    assert list(cells.values()) == [3, 2, 1], "the empty ones are left out"
    assert [style and style.split(".")[0] for style in cells] == [None, *["fill-opacity: 0"] * 2]


def test_points_in_many_colours_stand_in_one_group():
    ax = plot.new_axes()
    ax.scatter([0, 1, 2, 3], [3, 1, 2, 0], c=[0.0, 0.3, 0.6, 1.0])
    (svg,) = svg_elements(plot.picture(ax, alt="Four points.").html())
    groups = [g for g in svg.iter(f"{SVG}g") if g.get("clip-path")]
    (group,) = [g for g in groups if g.find(f"{SVG}use") is not None]
    assert len(group) == 4
    assert len({use.get("style") for use in group}) == 4


def test_the_edge_of_a_region_has_the_points_that_a_screen_shows():
    angle = np.linspace(0, 2 * np.pi, 20_000)
    ax = plot.new_axes()
    ax.fill(np.cos(angle), np.sin(angle), color="#2953a5")
    (svg,) = svg_elements(plot.picture(ax, alt="A disc.").html())
    (disc,) = [p.get("d") for p in svg.iter(f"{SVG}path") if "mlnotes-blue" in p.get("style", "")]
    start, _, steps = disc.removeprefix("M").removesuffix("z").partition("l")
    numbers = np.array(re.findall(r"-?[\d.]+", steps), dtype=float).reshape(-1, 2)
    assert len(numbers) < 400
    places = np.array(start.split(), dtype=float) + np.cumsum(numbers, axis=0)
    centre = (places.max(axis=0) + places.min(axis=0)) / 2
    across, up = (places.max(axis=0) - places.min(axis=0)) / 2
    ends = np.vstack([places, places[:1]])
    middles = (ends[1:] + ends[:-1]) / 2
    for edge in (places, middles):
        radius = np.hypot(*((edge - centre) / [across, up]).T)
        assert np.abs(radius - 1).max() * max(across, up) < 0.05


def shapes(picture, colour):
    """The paths of one colour of the palette."""
    (svg,) = svg_elements(picture.html())
    paths = svg.iter(f"{SVG}path")
    return [p.get("d") for p in paths if f"mlnotes-{colour}" in p.get("style", "")]


def test_a_line_that_never_runs_smoothly_has_the_places_that_a_screen_shows():
    walk = np.random.default_rng(0).normal(size=5000).cumsum()
    ax = plot.new_axes()
    (line,) = ax.plot(walk, color=plot.PALETTE["blue"][0])
    (drawn,) = shapes(plot.picture(ax, alt="A jagged line."), "blue")
    start, _, steps = drawn.removeprefix("M").partition("l")
    numbers = np.array(re.findall(r"-?\d*\.?\d+", steps), dtype=float).reshape(-1, 2)
    assert 300 < len(numbers) < 2500
    places = np.vstack([[0, 0], np.cumsum(numbers, axis=0)]) + np.array(start.split(), dtype=float)
    ax.figure.set_dpi(72)
    height = 72 * ax.figure.get_size_inches()[1]
    wanted = ax.transData.transform(line.get_xydata()) * [1, -1] + [0, height]
    along = np.diff(places, axis=0)
    away = wanted[:, None] - places[:-1]
    share = np.clip((away * along).sum(axis=2) / (along**2).sum(axis=1), 0, 1)
    distances = np.linalg.norm(away - share[..., None] * along, axis=2).min(axis=1)
    assert distances.max() < 0.3


def test_circles_are_arcs_and_shapes_of_one_colour_one_path():
    ax = plot.new_axes()
    sizes = np.linspace(10, 200, 30)
    ax.scatter(np.arange(30), np.arange(30), s=sizes, color=plot.PALETTE["blue"][0], linewidths=0)
    (drawn,) = shapes(plot.picture(ax, alt="Thirty discs that grow."), "blue")
    found = re.findall(r"M([\d.]+) ([\d.]+)a([\d.]+) [\d.]+ 0 1 0 ([\d.]+) 0a[-\d. ]+z", drawn)
    discs = np.array(found, dtype=float)
    assert len(discs) == 30
    np.testing.assert_allclose(discs[:, 2], np.sqrt(sizes) / 2, atol=0.02)
    ax.figure.set_dpi(72)
    centres = ax.transData.transform(np.column_stack([np.arange(30), np.arange(30)]))
    np.testing.assert_allclose(discs[:, 0] + discs[:, 2], centres[:, 0], atol=0.03)


def test_what_eight_curves_draw_is_no_circle_if_it_is_not_round():
    ax = plot.new_axes()
    ax.add_patch(Ellipse((0, 0), 2, 1, color=plot.PALETTE["blue"][0], linewidth=0))
    ax.set(xlim=(-2, 2), ylim=(-2, 2))
    (drawn,) = shapes(plot.picture(ax, alt="An ellipse."), "blue")
    assert drawn.count("C") == 8


def test_the_points_of_a_cloud_with_a_colour_each_are_drawn_colour_by_colour():
    ax = plot.new_axes()
    x = np.arange(200)
    ax.scatter(x, x, c=x % 7, cmap="viridis")
    (svg,) = svg_elements(plot.picture(ax, alt="Points in seven colours.").html())
    assert len([*svg.iter(f"{SVG}marker")]) == 7
    drawn = [p.get("d") for p in svg.iter(f"{SVG}path") if "marker:url" in p.get("style", "")]
    assert sorted(path.count("L") + 1 for path in drawn) == [28, 28, 28, 29, 29, 29, 29]
