"""Pictures of maps, and the page: what they show is what --show of the binary says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPORT, Script
from devtools import Browser, choose, middle
from tribench_report import maps
from tribench_report.maps import Drawing, read

TOP = REPORT.parent
PAGE = TOP / "docs" / "maps.html"
SHOWN = "document.querySelector('svg.shown')"
BB_2 = {
    "strategy": "bb", "dimension": 2, "maps": "block", "n": 2, "tree": False, "blocks": 4, "blocks_wasted": 1,
    "launches": [{"generation": 0, "grid": [2, 2, 1], "elements": [2, 2, 1],
                  "places": [[[0, 0, 0]], [], [[0, 1, 0]], [[1, 1, 0]]]}],
}  # fmt: skip


def show(strategies: str, n: str) -> str:
    """The output of the binary."""
    binary = Path(os.environ.get("TRIBENCH", TOP / "tribench"))
    if not binary.exists():
        pytest.skip("there is no binary: make")
    words = ["--show", "-s", strategies, "-b", "1", "-n", n, "--set", "group=4", "-f", "json"]
    return subprocess.run([binary, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def drawings(tmp_path: Path) -> dict[str, Drawing]:
    """Every strategy at n = 8."""
    path = tmp_path / "show.json"
    path.write_text(show("all", "8"), encoding="utf-8")
    return {one["strategy"]: Drawing(one) for one in read([str(path)])}


def test_every_place_stands_once_on_a_spot_of_its_own(drawings: dict[str, Drawing]) -> None:
    for name, drawing in drawings.items():
        places = [place for element in drawing.elements for place in element.places]
        assert len(places) == len(set(places)) == (120 if drawing.is_3d else 36), name
        assert all(len(element.squares) == 1 + len(element.places) for element in drawing.elements), name
        spots = sorted((y, x) for element in drawing.elements for x, y in element.squares)
        near = [(a, b) for a, b in zip(spots, spots[1:]) if a[0] == b[0] and b[1] - a[1] < 0.999]
        assert near == [], name
        assert all(0 <= x <= drawing.width - 1 and 0 <= y <= drawing.height - 1 for y, x in spots), name


def test_generations_of_a_tree_stand_below_each_other(drawings: dict[str, Drawing]) -> None:
    for name in ("dp", "dp-tetra"):
        launches = drawings[name].one["launches"]
        tops: dict[int, set[float]] = {}
        for element in drawings[name].elements:
            tops.setdefault(launches[element.launch]["generation"], set()).add(element.squares[0][1])
        assert list(tops) == [0, 1, 2], "in this order they are coloured, too"
        assert max(tops[0]) < min(tops[1]) and max(tops[1]) < min(tops[2])
        assert {f"generation {k}" for k in tops} <= {words for _, _, words, _ in drawings[name].texts}


def test_lines_stand_where_the_launch_changes_and_around_blocks_of_threads(drawings: dict[str, Drawing]) -> None:
    assert not drawings["bb"].lines
    triangle = {(x, y) for element in drawings["dp"].elements for x, y in element.squares[1:]}
    assert drawings["dp"].lines and all((x, y) in triangle or x0 == x for x0, y0, x, y in drawings["dp"].lines)
    left, top = drawings["bb-t"].elements[0].squares[0]
    sides = [(left + k, top + at, left + k + 1, top + at) for k in range(8) for at in (0, 4, 8)]
    assert set(sides) <= set(drawings["bb-t"].lines), "the frames of its four blocks"


def test_a_picture_has_a_square_of_its_colour_for_each_block_and_tile() -> None:
    svg = maps.picture(BB_2)
    elements = re.findall(r'<g[^>]* fill="(#\w+)" data-block="(\d)".*?>(.*?)</g>', svg)
    assert [block for _, block, _ in elements] == ["0", "1", "2", "3"] and len(
        {colour for colour, _, _ in elements}
    ) == 4
    assert [squares.count("<path") for _, _, squares in elements] == [2, 1, 2, 2]
    assert elements[1][0] == maps.WASTED, "the wasted block is grey"
    assert re.findall(r">(\d+)</text>", svg) == ["0", "0", "1", "2", "2", "3", "3"]
    assert "1 of them wasted" in svg


ODD = [
    {"n": -1}, {"n": 1e308}, {"n": 2**31, "dimension": 3}, {"n": "x"}, {"dimension": 0}, {"launches": []},
    {"launches": [{"generation": 0, "grid": [0, 2, 1], "elements": [2, 2, 1], "places": [[], [], [], []]}]},
    {"launches": [{"generation": 0, "grid": [2, 2], "elements": [2, 2, 1], "places": [[], [], [], []]}]},
    {"launches": [{"generation": 0, "grid": [2, 2, 1], "elements": [2, 2, 1], "places": [[[9, 0, 0]], [], [], []]}]},
]  # fmt: skip


@pytest.mark.parametrize("changes", ODD)
def test_what_show_does_not_print_is_one_sentence(tmp_path: Path, inside: Script, changes: dict[str, object]) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps([{**BB_2, **changes}]))
    said = inside("maps", path, "-o", tmp_path)
    assert said.returncode == 1 and said.stderr.count("\n") == 1 and "not what tribench --show" in said.stderr


def test_the_command_line(tmp_path: Path, script: Script, inside: Script) -> None:
    out, page = tmp_path / "figures", tmp_path / "maps.html"
    one = script("maps", "-o", out, stdin=json.dumps([BB_2]))
    assert one.returncode == 0, one.stderr
    assert sorted(path.name for path in out.iterdir()) == ["bb.png"]
    again = json.dumps([BB_2, {**BB_2, "n": 3}])
    assert inside("maps", "-o", out, "--page", page, stdin=again).returncode == 0
    assert {"bb-n2.png", "bb-n3.png"} <= {path.name for path in out.iterdir()}
    assert page.read_text(encoding="utf-8").count("<svg") == 2
    assert inside("maps", stdin="[]").returncode == 2
    for wrong in ("[]", "{}", "[1]", '[{"strategy": "bb"}]', "no JSON", json.dumps([{**BB_2, "launches": [
            {"generation": 0, "grid": [2, 2, 1], "elements": [2, 2, 1], "places": [[]]}]}])):  # fmt: skip
        said = inside("maps", "-o", out, stdin=wrong)
        assert said.returncode == 1 and said.stderr.count("\n") == 1, said.stderr


def test_the_shipped_page_shows_the_maps_of_this_build(tmp_path: Path) -> None:
    """Else: study/maps."""
    text, sizes = PAGE.read_text(encoding="utf-8"), dict[str, list[str]]()
    for strategy, n in re.findall(r'<option value="(.*?),(\d+)">', text):
        sizes.setdefault(strategy, []).append(n)
    assert set(sizes) == {one["strategy"] for one in json.loads(show("all", "4"))}
    path = tmp_path / "show.json"
    for strategy, found in sizes.items():
        path.write_text(show(strategy, ",".join(found)), encoding="utf-8")
        for one in read([str(path)]):
            assert maps.picture(one) in text, (strategy, one["n"])


@pytest.fixture
def page(browser: Browser) -> Iterator[Browser]:
    browser.resize(1200, 1400)
    browser.prefer("light")
    browser.errors.clear()
    browser.open(PAGE)
    yield browser
    assert browser.errors == []


def square(number: int, place: int = 1) -> str:
    """A square of the element with this number: the first one is in the grid."""
    return f"svg.shown [data-place='{number}'] path:nth-of-type({place})"


def told(page: Browser) -> str:
    return str(page.value("document.getElementById('told').textContent"))


def test_pointing_at_a_square_frames_its_block_and_says_what_it_works_on(page: Browser) -> None:
    number = f"[...{SHOWN}.querySelectorAll('[data-block]')].forEach((e, k) => e.dataset.place ??= k)"
    chosen = f"[...{SHOWN}.querySelectorAll('.chosen')].map((e) => e.dataset.place)"
    for strategy, where, words in (
        ("bb,8", square(42, 2), "block (2, 5) works on the tile at row 5, column 2"),
        ("bb,8", square(21), "block (5, 2) finds no tile and returns: it is wasted"),
        ("utm,8", square(3), "launch A, thread 3 works on the cell at row 7, column 3"),
        ("dp-tetra,8", square(150, 2), "launch L, block (0, 1, 1) works on the tile at x 2, y 5, z 7"),
        ("ltm-rows,4", square(1, 3), "block 1 works on the tiles at x 0 to 1, y 2, z 3"),
    ):
        choose(page, "map", strategy)
        page.value(number)
        page.hover(*middle(page, where))
        assert (page.value(chosen), told(page)) == ([re.findall(r"\d+", where)[0]], words)
    choose(page, "map", "bb,8")
    page.value(number)
    page.hover(*middle(page, square(21)))
    page.value(f"{SHOWN}.focus()")
    page.press("ArrowLeft")
    assert told(page).startswith("block (4, 2)")


def test_the_launch_plays_from_the_first_block_to_the_last(page: Browser) -> None:
    choose(page, "map", "ltm-i,4")
    later = f"{SHOWN}.querySelectorAll('.later').length"
    assert page.value(later) == 0
    choose(page, "step", "3", "input")
    assert page.value(later) == 7
    page.value("document.getElementById('play').click()")
    deadline = time.monotonic() + 60
    while page.value(later) or page.value("document.getElementById('play').textContent") != "Play the launch":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert told(page).startswith("block 9 works on")


def test_the_address_leads_to_a_map_and_a_strange_one_to_the_first(page: Browser) -> None:
    for address, words in (("#rec,18", "rec, n = 18"), ("#nothing,1e9", "bb, n = 8")):
        page.open(PAGE, address)
        assert page.value(f"{SHOWN}.getAttribute('aria-label')").startswith(words)


def test_dark_is_dark_and_a_telephone_scrolls_the_picture_alone(page: Browser) -> None:
    page.prefer("dark")
    ground = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).reduce((a, b) => a + Number(b), 0)"
    assert page.value(ground) < 120
    page.resize(390, 800)
    page.open(PAGE, "#bb-tetra,8")
    assert page.value("document.documentElement.scrollWidth") == 390
