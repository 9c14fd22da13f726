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
from tribench_report.maps import Scene, read

TOP = REPORT.parent
PAGE = TOP / "docs" / "maps.html"
CHOSEN = "[...document.querySelectorAll('rect.chosen')].filter((e) => e.dataset.place).map((e) => e.dataset.place)"
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
    words = ["--show", "-s", strategies, "-b", "1", "-n", n, "-f", "json"]
    return subprocess.run([binary, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def scenes(tmp_path: Path) -> dict[str, Scene]:
    """Every strategy at n = 8."""
    path = tmp_path / "show.json"
    path.write_text(show("all", "8"), encoding="utf-8")
    return {one["strategy"]: Scene(one) for one in read([str(path)])}


def test_every_place_stands_once_on_a_spot_of_its_own(scenes: dict[str, Scene]) -> None:
    for name, scene in scenes.items():
        places = [tuple(tile[2:5]) for tile in scene.tiles]
        assert len(places) == len(set(places)) == (120 if scene.is_3d else 36), name
        spots = sorted((y, x) for x, y, *_ in [*scene.blocks, *scene.tiles])
        near = [(a, b) for a, b in zip(spots, spots[1:]) if a[0] == b[0] and b[1] - a[1] < 0.999]
        assert near == [], name
        assert all(0 <= x <= scene.width - 1 and 0 <= y <= scene.height - 1 for y, x in spots), name


def test_generations_of_a_tree_stand_below_each_other(scenes: dict[str, Scene]) -> None:
    for name in ("dp", "dp-tetra"):
        launches = scenes[name].one["launches"]
        tops: dict[int, set[float]] = {}
        for _, y, launch, *_ in scenes[name].blocks:
            tops.setdefault(launches[int(launch)]["generation"], set()).add(y)
        assert list(tops) == [0, 1, 2], "in this order they are coloured, too"
        assert max(tops[0]) < min(tops[1]) and max(tops[1]) < min(tops[2])
        assert {f"generation {k}" for k in tops} <= {words for _, _, words in scenes[name].labels}


def test_lines_stand_where_the_launch_changes_and_around_blocks_of_threads(scenes: dict[str, Scene]) -> None:
    assert scenes["bb"].lines == []
    assert any(x0 == x1 for x0, _, x1, _ in scenes["dp"].lines)
    assert len(scenes["bb-t"].lines) >= 4 * 4, "a frame of each of its four blocks"


def test_a_picture_has_a_square_of_its_colour_for_each_block_and_tile() -> None:
    svg = maps.picture(BB_2)
    squares = re.findall(r'<rect x=.*? fill="(#\w+)" stroke="white"/>', svg)
    blocks, tiles = squares[:4], squares[4:]
    assert tiles == [blocks[0], blocks[2], blocks[3]] and len(set(blocks)) == 4
    assert blocks[1] == maps.WASTED, "the wasted block is grey"
    assert re.findall(r">(\d+)</text>", svg) == ["0", "1", "2", "3", "0", "2", "3"]
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


def test_the_command_line(tmp_path: Path, script: Script) -> None:
    out, page = tmp_path / "figures", tmp_path / "maps.html"
    one = script("maps", "-o", out, "--format", "png,svg", stdin=json.dumps([BB_2]))
    assert one.returncode == 0, one.stderr
    assert sorted(path.name for path in out.iterdir()) == ["bb.png", "bb.svg"]
    again = json.dumps([BB_2, {**BB_2, "n": 3}])
    assert script("maps", "-o", out, "--page", page, stdin=again).returncode == 0
    assert {"bb-n2.png", "bb-n3.png"} <= {path.name for path in out.iterdir()}
    assert page.read_text(encoding="utf-8").count("<script") == 2
    assert script("maps", stdin="[]").returncode == 2
    assert script("maps", "-o", out, "--format", "gif", stdin="[]").returncode == 2
    for wrong in ("[]", "{}", "[1]", '[{"strategy": "bb"}]', "no JSON", json.dumps([{**BB_2, "launches": [
            {"generation": 0, "grid": [2, 2, 1], "elements": [2, 2, 1], "places": [[]]}]}])):  # fmt: skip
        said = script("maps", "-o", out, stdin=wrong)
        assert said.returncode == 1 and said.stderr.count("\n") == 1, said.stderr


def test_the_shipped_page_shows_the_maps_of_this_build(tmp_path: Path) -> None:
    """Else: study/maps."""
    data = json.loads(re.findall(r'id="data">(.*?)</script>', PAGE.read_text(encoding="utf-8"))[0])
    sizes: dict[str, list[int]] = {}
    for one in data["maps"]:
        sizes.setdefault(one["strategy"], []).append(one["n"])
    assert set(sizes) == {one["strategy"] for one in json.loads(show("all", "4"))}
    files = []
    for strategy, found in sizes.items():
        path = tmp_path / f"{strategy}.json"
        path.write_text(show(strategy, ",".join(map(str, found))), encoding="utf-8")
        files.append(str(path))
    ours = {(one["strategy"], one["n"]): Scene(one).data() for one in read(files)}
    for one in data["maps"]:
        assert one == json.loads(json.dumps(ours[one["strategy"], one["n"]])), (one["strategy"], one["n"])


@pytest.fixture
def page(browser: Browser) -> Iterator[Browser]:
    browser.resize(1200, 1400)
    browser.prefer("light")
    browser.errors.clear()
    browser.open(PAGE)
    yield browser
    assert browser.errors == []


@pytest.mark.parametrize(("strategy", "n"), [("rb-b", 8), ("hmap", 7), ("utm", 8), ("dp-tetra", 8), ("ltm-rows", 4)])
def test_pointing_at_a_block_frames_what_show_says_it_works_on(page: Browser, strategy: str, n: int) -> None:
    (told,) = json.loads(show(strategy, str(n)))
    choose(page, "map", f"{strategy},{n}")
    for number, launch in enumerate(told["launches"]):
        columns, rows, _ = launch["elements"]
        for index in {0, len(launch["places"]) // 2, len(launch["places"]) - 1}:
            element = f"{index % columns},{index // columns % rows},{index // (columns * rows)}"
            page.hover(*middle(page, f'rect[data-launch="{number}"][data-element="{element}"]'))
            framed = [[int(part) for part in place.split(",")] for place in page.value(CHOSEN)]
            assert sorted(framed) == sorted(launch["places"][index]), (number, element)


def test_pointing_at_a_tile_frames_its_block_and_says_which(page: Browser) -> None:
    choose(page, "map", "bb,8")
    page.hover(*middle(page, 'rect[data-place="2,5,0"]'))
    block = "[...document.querySelectorAll('rect.chosen')].map((e) => e.dataset.element).filter(Boolean)"
    assert page.value(block) == ["2,5,0"]
    told = "document.getElementById('told').textContent"
    assert page.value(told) == "block (2, 5) works on the tile at row 5, column 2"
    page.hover(*middle(page, 'rect[data-element="5,2,0"]'))
    assert page.value(CHOSEN) == [] and page.value(told) == "block (5, 2) finds no tile and returns: it is wasted"
    page.value("document.getElementById('picture').focus()")
    page.press("ArrowLeft")
    assert page.value(told).startswith("block (4, 2)")


def test_the_launch_plays_from_the_first_block_to_the_last(page: Browser) -> None:
    choose(page, "map", "ltm-i,4")
    later = "document.querySelectorAll('rect.later').length"
    assert page.value(later) == 0
    choose(page, "step", "3", "input")
    assert page.value(later) == 14, "7 blocks and their tiles"
    assert page.value("document.querySelectorAll('rect:not(.later)[data-place]').length") == 3
    page.value("document.getElementById('play').click()")
    deadline = time.monotonic() + 60
    while page.value(later) or page.value("document.getElementById('play').textContent") != "Play the launch":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert page.value("document.getElementById('told').textContent").startswith("block 9 works on")


def test_the_address_leads_to_a_map_and_a_strange_one_to_the_first(page: Browser) -> None:
    page.open(PAGE, "#rec,18")
    assert page.value("document.getElementById('words').textContent").startswith("rec, n = 18")
    page.open(PAGE, "#nothing,1e9")
    assert page.value("document.getElementById('words').textContent").startswith("bb, n = 8")


def test_dark_is_dark_and_a_telephone_scrolls_the_picture_alone(page: Browser) -> None:
    page.prefer("dark")
    ground = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).reduce((a, b) => a + Number(b), 0)"
    assert page.value(ground) < 120
    page.resize(390, 800)
    page.open(PAGE, "#bb-tetra,8")
    assert page.value("document.documentElement.scrollWidth") == 390
