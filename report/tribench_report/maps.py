"""Draws what maps do, from `tribench --show --format json`: a picture for each, or one page for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import cli
from .documents import Json
from .errors import ReportError, UsageError
from .groups import slug
from .plot import render
from .strict import parse, read_bytes
from .templates import filled, page, text_of

PROG = "maps"
WASTED = "#d4d4d4"
# Viridis, from the first block launched to the last: dark to bright, also in print and for the colour-blind.
RAMP = ("#481467", "#453882", "#365d8d", "#26828e", "#1fa187", "#54c568", "#a8db34", "#f1e51d")
CHANNELS = [[int(colour[k : k + 2], 16) for colour in RAMP] for k in (1, 3, 5)]
DARK = 0.43  # of the ramp, where white letters stand out more than black ones
NUMBERED = 100  # with more elements than this, there is no room for numbers
MOST_N = 4096  # a map with more is no picture, and one of 2^31 slices would take all memory
GAP = 1  # [cells] between slices and between launches
LABEL = 0.9  # [cells] above a launch or a slice
LETTER = 0.33  # [cells] at most, the width of a letter of a heading

Place = tuple[int, int, int]
Line = tuple[float, float, float, float]

# ---------------------------------------------------------------- what --show prints


def _whole(value: Any, low: int, high: int = 10**9) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{ascii(value)[:20]} is not a whole number in {low}..{high}")
    return value


def _checked(one: Json) -> Json:
    """Errors: ValueError, KeyError, TypeError where it is not the map of one strategy at one n."""
    n = _whole(one["n"], 1, MOST_N)
    deepest = n if _whole(one["dimension"], 2, 3) == 3 else 0
    _whole(one["blocks"], 0, 2**63), _whole(one["blocks_wasted"], 0, 2**63), slug(one["strategy"]), one["maps"]
    for launch in one["launches"]:
        _whole(launch["generation"], 0)
        grid, elements = ([_whole(side, 1) for side in launch[name]] for name in ("grid", "elements"))
        (blocks, _, _), (columns, rows, slices) = grid, elements
        if len(launch["places"]) != columns * rows * slices or columns < blocks:
            raise ValueError("a launch lacks elements")
        for px, py, pz in (place for places in launch["places"] for place in places):
            _whole(px, 0, n), _whole(py, 0, n), _whole(pz, 0, deepest)
    if not one["launches"]:
        raise ValueError("a map without launches")
    return one


def read(names: Sequence[str]) -> list[Json]:
    """The maps of several files of --show --format json; - is standard input."""
    found: list[Json] = []
    for name in names:
        try:
            found += map(_checked, parse(name, read_bytes(Path(name)).decode("utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise ReportError(f"{name}: not what tribench --show --format json prints: {problem}") from None
    return found


def words_of(one: Json) -> str:
    is_block, launches = one["maps"] == "block", one["launches"]
    wasted = f"{one['blocks_wasted']:,} of them wasted" if one["blocks_wasted"] else "none of them wasted"
    several = f" in {len(launches)} launches" if len(launches) > 1 else ""
    blocks = "1 block" if one["blocks"] == 1 else f"{one['blocks']:,} blocks"
    # A block of threads may be needed for a few of them only.
    threads = [places for launch in launches for places in launch["places"]]
    idle = "" if is_block else f"; {sum(not places for places in threads):,} of {len(threads):,} threads idle"
    return f"{one['strategy']}, n = {one['n']} {'tiles' if is_block else 'cells'}: {blocks}{several}, {wasted}{idle}"


# ---------------------------------------------------------------- where everything stands


@dataclass(slots=True)
class Element:
    """A block, or a thread if the map works per thread, with its squares: in the grid, and on its places."""

    launch: int
    block: int  # its number in the order of the launch
    places: list[Place]
    words: str
    squares: list[tuple[float, float]]


def _axes(of: Sequence[int]) -> int:
    return 3 if of[2] > 1 else 2 if of[1] > 1 else 1


def _size(of: Sequence[int]) -> str:
    return " × ".join(map(str, of[: _axes(of)]))


def _letter(number: int) -> str:
    return chr(ord("A") + number % 26)


def _spots(elements: Sequence[int], wrap: int) -> list[Place]:
    """The squares of a launch's elements; a one-dimensional grid is too long for one row, and has several."""
    columns, rows, slices = elements
    if rows * slices == 1:
        return [(k % wrap, k // wrap, 0) for k in range(columns)]
    area = columns * rows
    return [(k % columns + k // area * (columns + GAP), k // columns % rows, 0) for k in range(area * slices)]


def _borders(groups: Mapping[Place, int], around: bool, left: Mapping[int, float], top: float) -> Iterator[Line]:
    """The sides of squares whose neighbour is of another group, or `around` is missing. Input: left, of each slice"""
    for (x, y, z), group in groups.items():
        x0, y0 = left[z] + x, top + y
        for dx, dy, line in (
            (-1, 0, (x0, y0, x0, y0 + 1)), (1, 0, (x0 + 1, y0, x0 + 1, y0 + 1)),
            (0, -1, (x0, y0, x0 + 1, y0)), (0, 1, (x0, y0 + 1, x0 + 1, y0 + 1)),
        ):  # fmt: skip
            if groups.get((x + dx, y + dy, z), -1 if around else group) != group:
                yield line


class Drawing:
    """What assets/map.svg draws, in squares of side 1, y downwards: the grids, and beside or below them the domain."""

    def __init__(self, one: Json) -> None:
        self.one, self.words = one, words_of(one)
        self.threads, self.is_3d = one["maps"] == "thread", one["dimension"] == 3
        self.unit = 16 if self.is_3d else 20  # [px] a square
        self.elements: list[Element] = []
        self.texts: list[tuple[float, float, str, str]] = []  # x, y, words, class
        self.lines: dict[Line, None] = {}  # between launches, or blocks of threads, and around these blocks
        self.count = 0  # of blocks
        right, lower = self._grids(0.7)
        sizes = [_size(launch["elements" if self.threads else "grid"]) for launch in one["launches"]]
        unit = "threads, blocks framed" if self.threads else "blocks"
        heading = f"launched: {sizes[0]} {unit}" if len(sizes) == 1 else f"launched: {unit}"
        self.texts.append((0, 0.5, heading, "heading"))
        left, top = (0.0, lower + 1.8) if self.is_3d else (max(right, LETTER * len(heading)) + 2.5, 0.7)
        what = "the tetrahedron, slice by slice" if self.is_3d else "the triangle"
        self.texts.append((left, top - 0.2, what, "heading"))
        end, bottom = self._domain(left, top)
        self.width = max(right, end, left + 6.0, 8 * len(self.words) / self.unit)  # else the title is cut off
        self.height = max(lower, bottom)
        self.numbered = len(self.elements) <= NUMBERED and not self.is_3d

    def _grids(self, top: float) -> tuple[float, float]:
        """Places all launches from left to right, in rows, with a new row per generation. Returns: the lower right."""
        launches, n = self.one["launches"], self.one["n"]
        most = 72.0 if self.is_3d else max(17.0, n + 1.0)
        least = 5.0 if self.is_3d else 2.6  # a launch is at least as wide as its label
        x = right = lower = 0.0
        generation = -1 if self.one["tree"] else 0
        for number, launch in sorted(enumerate(launches), key=lambda pair: pair[1]["generation"]):
            grid, elements = launch["grid"], launch["elements"]
            spots = _spots(elements, elements[0] // grid[0] if self.threads else 24 if self.is_3d else n + 1)
            wide, high, _ = (max(ends) + 1 for ends in zip(*spots))
            is_new = launch["generation"] > generation
            if is_new or (x > 0.0 and x + wide > most):
                x, top = 0.0, lower + GAP / 2 if x else top
            if is_new:
                generation = launch["generation"]
                top += LABEL
                self.texts.append((0, top - 0.2, f"generation {generation}", "label"))
            labels = [(0, f"{_letter(number)}: {_size(elements if self.threads else grid)}")]
            if len(launches) == 1:
                labels = [(z * (elements[0] + GAP), f"z = {z}") for z in range(elements[2] if elements[2] > 1 else 0)]
            self.texts += [(x + dx, top + LABEL - 0.2, words, "label") for dx, words in labels]
            below = LABEL if labels else 0.3
            self._add(number, spots, x, top + below)
            right, lower = max(right, x + wide), max(lower, top + below + high)
            x += max(wide, least) + GAP
        return right, lower

    def _add(self, number: int, spots: Sequence[Place], left: float, top: float) -> None:
        """The elements of a launch, and frames around blocks of threads."""
        launch = self.one["launches"][number]
        (gx, gy, gz), (columns, rows, slices) = launch["grid"], launch["elements"]
        blocks: dict[Place, int] = {}
        for index, (spot, places) in enumerate(zip(spots, launch["places"])):
            at = ex, ey, ez = index % columns, index // columns % rows, index // (columns * rows)
            blocks[spot] = self.count + (ez * gz // slices * gy + ey * gy // rows) * gx + ex * gx // columns
            found, words = [(px, py, pz) for px, py, pz in places], self._told(number, at, places)
            self.elements.append(Element(number, blocks[spot], found, words, [(left + spot[0], top + spot[1])]))
        self.count += gx * gy * gz
        if self.threads:
            self.lines |= dict.fromkeys(_borders(blocks, True, {0: left}, top))

    def _told(self, number: int, at: Place, places: Sequence[Place]) -> str:
        """What an element works on, in a sentence; several places form a row."""
        launches, place = self.one["launches"], "cell" if self.threads else "tile"
        used = _axes(launches[number]["elements"])
        launch = f"launch {_letter(number)}, " if len(launches) > 1 else ""
        worker = f"{launch}{self.one['maps']} {at[:used] if used > 1 else at[0]}"
        if not places:
            return f"{worker} finds no {place} and returns" + ("" if self.threads else ": it is wasted")
        x, y, z = places[0]
        several = len(places) > 1
        xs = f"{x} to {x + len(places) - 1}" if several else x
        where = f"x {xs}, y {y}, z {z}" if self.is_3d else f"row {y}, column{'s' * several} {xs}"
        return f"{worker} works on the {place}{'s' * several} at {where}"

    def _domain(self, left: float, top: float) -> tuple[float, float]:
        """The places, each with its element, and lines between those of different launches, or blocks of threads."""
        n, starts = self.one["n"], {0: left}
        for z in range(n if self.is_3d else 0):  # slice z is a triangle with z + 1 columns, as wide as its label
            starts[z + 1] = starts[z] + max(z + 1.0, 2.5) + GAP
            self.texts.append((starts[z], top + LABEL - 0.2, f"z = {z}", "label"))
        top += LABEL if self.is_3d else 0.3
        parts: dict[Place, int] = {}
        for element in self.elements:
            for x, y, z in element.places:
                parts[x, y, z] = element.block if self.threads else element.launch
                element.squares.append((starts[z] + x, top + y))
        self.lines |= dict.fromkeys(_borders(parts, False, starts, top))
        return starts[n - 1 if self.is_3d else 0] + n, top + n

    def is_dark(self, element: Element) -> bool:
        return bool(element.places) and element.block < DARK * (self.count - 1)

    def colour(self, element: Element) -> str:
        if not element.places:
            return WASTED
        at = element.block / max(self.count - 1, 1) * (len(RAMP) - 1)
        mixed = (np.interp(at, range(len(RAMP)), channel) for channel in CHANNELS)
        return "#" + "".join(f"{round(value):02x}" for value in mixed)


# ---------------------------------------------------------------- pictures and the page


def picture(one: Json) -> str:
    """Draws grids and domain as SVG; each square of the domain has the colour and the number of its block."""
    return filled("map.svg", drawing=Drawing(one))


def _pictures(found: Sequence[Json]) -> Iterator[tuple[str, str]]:
    """The name of each picture, and the picture: no name from a document leads to another folder."""
    several = Counter(one["strategy"] for one in found)
    for one in found:
        yield slug(one["strategy"] + (f"-n{one['n']}" if several[one["strategy"]] > 1 else "")), picture(one)


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Draws what maps do: the launched grids, and the domain with each tile in the colour of its block.",
        "    tribench --show -s all -b 1 -n 8 -f json | tribench-report maps -o figures\n"
        "    tribench --show -s 2d -b 1 -n 4,8 -f json | tribench-report maps --page maps.html\n\n"
        "Wasted blocks are grey. A file is named after its strategy; of one with several n, after the n, too.",
    )
    parser.add_argument("maps", nargs="*", default=["-"], metavar="FILE", help="JSON of --show (default: -)")
    parser.add_argument("-o", "--out", metavar="DIR", help="draw a picture of each map into this folder")
    parser.add_argument("--page", metavar="FILE", help="write one self-contained page to look at all of them")
    options = parser.parse_args(arguments)
    if options.out is None and options.page is None:
        raise UsageError("expected --out DIR, --page FILE or both")
    found = read(options.maps)
    if not found:
        raise ReportError("there is no map in what was read")
    for name, svg in _pictures(found) if options.out is not None else ():
        path = Path(options.out) / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        cli.write_whole(path, render(svg, "png"))
        print(path, flush=True)
    if options.page is not None:
        cli.write_output(
            options.page, page("maps.html", {"script": text_of("maps.js")}, drawings=[*map(Drawing, found)])
        )
    return 0
