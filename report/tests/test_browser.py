"""The page in a real Chromium, as a reader uses it: chart, table, address, keyboard, dark and narrow screens."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from devtools import Browser, choose, middle

LINES = "[...document.querySelectorAll('#svg .series')].map((line) => line.dataset.name)"
TICKS = (
    "[...document.querySelectorAll('#svg .x .tick text')].map((tick) => Number(tick.textContent.replaceAll(',', '')))"
)
STRATEGIES = ["bb", "ltm-r", "rb", "rec"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser")


@pytest.fixture
def path(folder: Path, script: Script) -> Path:
    """A page with a long name in every place, as narrow screens hate them."""
    made = folder / "page.html"
    if not made.exists():
        runs = synthetic.triangle(tuple(STRATEGIES), ("dummy", "edm1"), (1024, 4096, 10240, 30720))
        runs += synthetic.triangle(("bb", "rb"), ("collision",), (1024,))
        runs[1].update(status="failed", reason="out of memory_" + "x" * 90, time_ms=None, improvement=None)
        command = ["tribench", "--output", "/scratch/" + "long_name" * 12]
        result = script("html", synthetic.save(folder / "a.json", runs, command=command), "-o", made)
        assert result.returncode == 0, result.stderr
    return made


@pytest.fixture
def page(browser: Browser, path: Path) -> Iterator[Browser]:
    """The page as one that nobody has touched yet; what a test leaves in the console fails it."""
    browser.resize(1200, 1400)
    browser.prefer("light")
    browser.errors.clear()
    browser.open(path)
    yield browser
    assert browser.errors == []


def wait_for(browser: Browser, expression: str, wanted: Any) -> None:
    """For changes that the page makes a moment later, such as to its address."""
    deadline = time.monotonic() + 60
    while (seen := browser.value(expression)) != wanted:
        assert time.monotonic() < deadline, (expression, seen)
        time.sleep(0.02)


def column(browser: Browser, place: int) -> list[str]:
    found: list[str] = browser.value(
        f"[...document.querySelectorAll('#runs tbody tr')].map((row) => row.cells[{place}].textContent)"
    )
    return found


def test_the_table_sorts_by_any_column_and_what_has_no_value_comes_last(page: Browser) -> None:
    assert len(column(page, 0)) == 34
    page.value("document.querySelector('th[data-key=n] button').click()")
    ns = [int(n.replace(",", "")) for n in column(page, 4)]
    assert ns == sorted(ns)
    for _ in range(2):
        page.value("document.querySelector('th[data-key=ms] button').click()")
    assert page.value("document.querySelector('th[data-key=ms]').getAttribute('aria-sort')") == "descending"
    times = column(page, 5)
    assert times[-1] == "–"
    assert [float(t) for t in times[:-1]] == sorted((float(t) for t in times[:-1]), reverse=True)


@pytest.mark.parametrize(
    ("words", "ns"),
    [
        ("30,720", {"30,720"}),
        ("30720", {"30,720"}),
        ("1024", {"1,024"}),  # and not 10240
        ("N>=4,096 n<30720", {"4,096", "10,240"}),
        ("n = 4096", {"4,096"}),
        ("edm1 16x16", {"1,024", "4,096", "10,240", "30,720"}),
        ("30,72", set()),
        ("ms>1e9", set()),
    ],
)
def test_the_filter_understands_numbers_as_the_table_writes_them(page: Browser, words: str, ns: set[str]) -> None:
    choose(page, "filter", words, "input")
    assert set(column(page, 4)) == ns
    shown = len(column(page, 4))
    assert page.value("document.getElementById('count').textContent") == f"{shown} of {shown} runs"


def test_the_filter_compares_any_number_of_a_run(page: Browser) -> None:
    choose(page, "filter", "edm1 rb I>1.2", "input")
    assert column(page, 6) and all(float(i) > 1.2 for i in column(page, 6))
    assert set(column(page, 1)) == {"rb"}
    for same in ("edm1 rb I over bb > 1.2", "edm1 rb i>1.2"):
        choose(page, "filter", same, "input")
        assert set(column(page, 1)) == {"rb"}
    choose(page, "filter", "% of bound>=0 wasted blocks = 0", "input")
    assert column(page, 9) and set(column(page, 9)) == {"0"}


def test_the_chart_begins_with_a_workload_of_several_sizes_and_names_what_it_shows(page: Browser) -> None:
    assert page.value("document.getElementById('workload').value") == "dummy", "of collision there is one size only"
    assert page.value(LINES) == STRATEGIES
    assert "improvement I over bb against N, dummy, 4 of 4 lines" in page.value(
        "document.getElementById('svg').getAttribute('aria-label')"
    )


def test_a_name_hides_its_line_and_a_double_click_shows_it_alone(page: Browser) -> None:
    button = "document.querySelector('#toggles button[data-name=rb]')"
    page.value(f"{button}.click()")
    assert page.value(LINES) == ["bb", "ltm-r", "rec"]
    assert page.value(f"{button}.getAttribute('aria-pressed')") == "false"
    page.value(f"{button}.click()")
    assert page.value(LINES) == STRATEGIES
    twice = f"{button}.dispatchEvent(new MouseEvent('dblclick', {{bubbles: true}}))"
    page.value(twice)
    assert page.value(LINES) == ["rb"]
    page.value(twice)
    assert page.value(LINES) == STRATEGIES


def test_pointing_at_a_marker_shows_its_values(page: Browser) -> None:
    choose(page, "measure", "ms")
    page.value("document.getElementById('chart').scrollIntoView()")
    page.hover(*middle(page, "#svg .series[data-name=rb] circle"))
    assert page.value("document.getElementById('tip').hidden") is False
    tip = page.value("document.getElementById('tip').textContent")
    assert tip.startswith("rb\nN = 1,024\n") and " ms\nI over bb = " in tip
    if os.environ.get("TRIBENCH_SCREENSHOT"):
        page.screenshot(Path(os.environ["TRIBENCH_SCREENSHOT"]))


def test_one_long_whisker_does_not_press_the_lines_flat(browser: Browser, tmp_path: Path, script: Script) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 4096))
    factors = [run["improvement"] for run in runs if run["strategy"] == "rb"]
    highest = max(one["factor"] for one in factors)
    for one in factors:
        one["ci95"] = [0.5 * one["factor"], 50.0]
    path = tmp_path / "page.html"
    done = script("html", "--no-figures", synthetic.save(tmp_path / "a.json", runs), "-o", path)
    assert done.returncode == 0, done.stderr
    browser.errors.clear()
    browser.open(path)
    up = "[...document.querySelectorAll('#svg .y .tick text')].map((tick) => Number(tick.textContent))"
    ticks = browser.value(up)
    assert len(ticks) > 3 and max(ticks) < 1.2 * highest
    assert browser.errors == []


def test_a_drag_enlarges_a_part_and_the_whole_comes_back(page: Browser) -> None:
    page.value("document.getElementById('chart').scrollIntoView()")
    before = page.value(TICKS)
    x, y, width, height = page.value(
        "(({x, y, width, height}) => [x, y, width, height])"
        "(document.querySelector('#svg .overlay').getBoundingClientRect())"
    )
    page.drag((x + width / 4, y + height / 4), (x + width / 2, y + height * 3 / 4))
    inside = page.value(TICKS)
    assert min(inside) > min(before) and max(inside) < max(before)
    page.value("document.querySelector('[data-zoom=all]').click()")
    assert page.value(TICKS) == before
    page.value("document.querySelector('[data-zoom=in]').click()")
    assert max(page.value(TICKS)) < max(before)
    choose(page, "workload", "edm1")
    assert page.value(TICKS) == before, "another workload is shown whole"


def test_the_address_keeps_what_was_chosen(page: Browser, path: Path) -> None:
    choose(page, "workload", "edm1")
    choose(page, "measure", "ms")
    choose(page, "filter", "rb 30,720", "input")
    choose(page, "theme", "dark")
    page.value("document.querySelector('#toggles button[data-name=\"ltm-r\"]').click()")
    page.value("document.querySelector('th[data-key=ms] button').click()")
    page.value("document.querySelector('[data-zoom=in]').click()")
    ticks, rows = page.value(TICKS), column(page, 5)
    wait_for(page, "location.hash.includes('workload=edm1') && location.hash.includes('x=')", True)
    address = page.value("location.hash")
    page.open(path)
    assert page.value("document.getElementById('measure').value") == "i"
    page.open(path, address)
    assert page.value("document.getElementById('workload').value") == "edm1"
    assert page.value("document.getElementById('measure').value") == "ms"
    assert page.value("document.getElementById('theme').value") == "dark"
    assert page.value(LINES) == ["bb", "rb", "rec"]
    assert (page.value(TICKS), column(page, 5)) == (ticks, rows)
    assert page.value("document.querySelector('th[data-key=ms]').getAttribute('aria-sort')") == "ascending"
    # A link to a section keeps all of it.
    page.value("document.querySelector('nav a[href=\"#table\"]').click()")
    wait_for(page, "location.hash.startsWith('#table&') && location.hash.includes('workload=edm1')", True)
    assert page.value("Math.abs(document.getElementById('table').getBoundingClientRect().top) < innerHeight / 2")


def test_an_address_that_fits_nothing_shows_what_there_is(page: Browser, path: Path) -> None:
    page.open(path, "#nowhere&workload=none&measure=x&x=1:NaN&y=9:2&sort=constructor&off=%00&theme=no&setting=%F0")
    assert page.value("document.getElementById('workload').value") == "dummy"
    assert page.value(LINES) == STRATEGIES and len(column(page, 0)) == 34
    page.open(path, "#chart&measure=ms&x=-5:1e9&y=-1:1")
    assert page.value(LINES) == STRATEGIES


def test_few_tab_stops_reach_everything_and_arrows_the_rest(page: Browser) -> None:
    active = "(e => e.id || e.dataset.name || e.dataset.zoom || e.textContent)(document.activeElement)"
    stops = []
    for _ in range(25):
        page.press("Tab")
        stops.append(page.value(active))
        if stops[-1] == "filter":
            break
    assert stops[0] == "Skip to the chart" and stops[-1] == "filter" and len(stops) <= 16
    assert {"theme", "workload", "setting", "measure", "bb", "in", "svg"} <= set(stops)
    unnamed = page.value("[...document.querySelectorAll('select, input, button, [tabindex=\"0\"], nav')].filter((e) => "
                         "!(e.textContent.trim() && !e.options) && !e.labels?.length && !e.getAttribute('aria-label'))"
                         ".map((e) => e.outerHTML)")  # fmt: skip
    assert unnamed == []


def test_the_names_and_the_chart_are_used_from_the_keyboard(page: Browser) -> None:
    page.value("document.querySelector('#toggles button').focus()")
    page.press("ArrowRight", "ArrowRight", "Enter")
    assert page.value(LINES) == ["bb", "ltm-r", "rec"]
    assert page.value("document.activeElement.dataset.name") == "rb", "the focus stays"
    page.press("Enter", "Shift+Enter")
    assert page.value(LINES) == ["rb"]
    page.press("Shift+Enter")
    page.value("document.getElementById('svg').focus()")
    tip = "document.getElementById('tip').textContent"
    page.press("ArrowRight")
    assert page.value(tip).startswith("bb\nN = 1,024\n")
    page.press("ArrowRight", "ArrowDown", "ArrowDown")
    assert page.value(tip).startswith("rb\nN = 4,096\n")
    before = page.value(TICKS)
    page.press("+")
    assert max(page.value(TICKS)) < max(before)
    page.press("0")
    assert page.value(TICKS) == before


def test_nothing_is_wider_than_a_telephone(page: Browser) -> None:
    page.resize(390, 800)
    page.value("document.querySelectorAll('img').forEach((image) => { image.loading = 'eager'; })")
    assert page.value("innerWidth") == 390
    assert page.value("document.documentElement.scrollWidth") == 390
    wide = page.value(
        "[...document.querySelectorAll('body *')].filter((e) => !e.closest('svg, option') && e.tagName !== 'SCRIPT' && "
        "!e.matches('.skip') && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible' "
        "|| e.getBoundingClientRect().right > 391)).map((e) => e.outerHTML.slice(0, 90))"
    )
    assert wide == []
    assert page.value("getComputedStyle(document.querySelector('#runs td'), '::before').content") == '"workload"', (
        "cards say what is what"
    )


def test_dark_is_dark_and_light_is_light(page: Browser) -> None:
    colours = (
        "['body', '#svg .series path', '#svg .x text'].map((name, k) => getComputedStyle(document.querySelector(name))"
        "[['backgroundColor', 'stroke', 'fill'][k]].match(/[0-9.]+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0))"
    )
    page.prefer("dark")
    ground, line, text = page.value(colours)
    assert ground < 120 and line > 400 and text > 400
    choose(page, "theme", "light")
    ground, line, text = page.value(colours)
    assert ground > 700 and line < 100 and text < 200


def test_what_the_data_says_becomes_no_element(browser: Browser, tmp_path: Path, script: Script) -> None:
    hostile = "</script ><!--<script><img src=x onerror=alert(1)>\"'&"
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 4096))
    for run in runs[2:]:
        run.update(strategy=hostile, key=run["key"] + hostile)
    runs[0].update(status="failed", reason=hostile, time_ms=None)
    path = tmp_path / "page.html"
    assert script("html", synthetic.save(tmp_path / "a.json", runs, gpu=f"GPU {hostile}"), "-o", path).returncode == 0
    browser.errors.clear()
    browser.open(path)
    assert hostile in browser.value(LINES) and hostile in column(browser, 1)
    assert browser.value("document.querySelectorAll('img:not([src^=\"data:\"])').length") == 0
    assert browser.errors == []
