"""The page: one file that needs nothing else, and whatever is in a record is text there."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import util
from pathlib import Path
from xml.etree import ElementTree

import pytest

from host.experiments import Comparison, StudyRunner, compare, load_study, page, plots_problem
from host.experiments.html_page import NoPlots
from tests.host.experiments.studies import base, finishing, study

HOSTILE = '<script>alert("$x$")</script>&amp;'
VOID = {"meta", "br", "hr", "img", "link", "input"}


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    folder = tmp_path_factory.mktemp("page")
    base(folder, finishing(HOSTILE))
    tasks = [
        {"id": name, "kind": kind, "task": HOSTILE, "check": ["sh", "-c", "cat; exit 1"]}
        for name, kind in (("one", HOSTILE), ("two", "calm"))
    ]
    path, out = study(folder, tasks=tasks, name=HOSTILE), folder / "out"
    out.mkdir()
    return compare(load_study(path), StudyRunner(load_study(path), out).run(), out=out)


class Nesting(HTMLParser):
    """Whether every element that is begun is ended, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.elements: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.links += [str(value) for name, value in attrs if name in ("src", "href", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.mark.slow
def test_the_page_is_well_formed_and_asks_for_nothing(comparison: Comparison) -> None:
    html = page(comparison, command="gg compare")
    parsed = Nesting()
    parsed.feed(html)

    assert (parsed.open, parsed.wrong, parsed.links) == ([], [], [])
    assert parsed.elements & {"script", "link", "img", "iframe", "object", "form"} == set()
    assert "@import" not in html
    assert re.findall(r"url\((?!#)", html) == []
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_what_comes_from_elsewhere_is_text(comparison: Comparison) -> None:
    html = page(comparison, command=HOSTILE)

    assert "<script" not in html
    assert html.count("&lt;script&gt;alert(&#34;$x$&#34;)&lt;/script&gt;&amp;amp;") > 5


@pytest.mark.slow
def test_that_replies_are_scripted_is_told(comparison: Comparison) -> None:
    assert comparison.models == ("scripted",)
    assert "The replies are scripted: what they cost is compared" in page(comparison, command="gg compare")
    asked = replace(comparison, models=("anthropic:a", "openai:b"))
    assert "Asked: anthropic:a, openai:b." in page(asked, command="gg compare")


@pytest.mark.slow
def test_the_better_sum_is_marked_and_no_median(comparison: Comparison) -> None:
    html = page(comparison, command="gg compare")
    row = re.findall(r'<th scope="row">model calls</th>(.*?)</tr>', html, re.DOTALL)[0]

    assert re.findall(r'<td class="([^"]*)"', row) == ["number"] * 4 + ["dim"]
    figures = comparison.whole.row("wallMs")
    row = re.findall(r'<th scope="row">wall clock</th>(.*?)</tr>', html, re.DOTALL)[0]
    better = ["number better" if figures.best == (arm,) else "number" for arm in comparison.arms]
    assert re.findall(r'<td class="(number[^"]*)"', row) == ["number", better[0], "number", better[1]]


@pytest.mark.slow
def test_every_plot_is_an_svg_in_the_colour_of_the_page_and_is_said_in_words(comparison: Comparison) -> None:
    html = page(comparison, command="gg compare")
    drawn = re.findall(r"<svg .*?</svg>", html, re.DOTALL)
    said = re.findall(r'<figure role="img" aria-label="([^"]+)">', html)

    assert len(drawn) == len(said) == 6
    for svg in drawn:
        ElementTree.fromstring(svg)
        assert "currentColor" in svg
    assert said[1].startswith("Input tokens, median of a run. &lt;script&gt;")


@pytest.mark.slow
def test_tables_have_captions_and_headers(comparison: Comparison) -> None:
    html = page(comparison, command="gg compare")

    tables = re.findall(r"<table>.*?</table>", html, re.DOTALL)
    assert len(tables) == 4
    assert all("<caption>" in table and 'scope="col"' in table and 'scope="row"' in table for table in tables)


def test_without_what_draws_the_plots_a_page_is_refused(
    comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.experiments.plots.find_spec", lambda name: None)

    assert isinstance(plots_problem(), NoPlots)
    with pytest.raises(NoPlots) as caught:
        page(comparison, command="gg compare")
    told = "matplotlib, which draws the plots, is not installed; pip install 'gg[report]'"
    assert str(caught.value) == told


def test_what_draws_the_plots_is_here() -> None:
    assert util.find_spec("matplotlib") is not None
    assert plots_problem() is None


@pytest.mark.slow
def test_the_page_is_small(comparison: Comparison, tmp_path: Path) -> None:
    assert len(page(comparison, command="gg compare").encode()) < 2**20
