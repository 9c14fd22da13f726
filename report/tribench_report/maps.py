"""Draws what maps do, from `tribench --show --format json`: a picture for each, or one page for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2

from . import cli
from .documents import Json
from .errors import ReportError, UsageError
from .groups import slug
from .plot import FORMATS, make_folder, render
from .strict import parse, read_bytes

PROG = "maps"
WASTED = "#d4d4d4"
SHADES = 64
NUMBERED = 100  # with more elements than this, there is no room for numbers
# Viridis, from the first block launched to the last: dark to bright, also in print and for the colour-blind.
RAMP = ("#481467", "#453882", "#365d8d", "#26828e", "#1fa187", "#54c568", "#a8db34", "#f1e51d")
MOST_N = 4096  # a map with more is no picture, and one of 2^31 slices would take all memory
GAP = 1.0  # [cells] between slices and between launches
LABEL = 0.9  # [cells] above a launch or a slice

Place = tuple[int, int, int]
Spot = tuple[float, float]

# ---------------------------------------------------------------- what --show prints


def _whole(value: Any, low: int, high: int = 10**9) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{ascii(value)[:20]} is not a whole number in {low}..{high}")
    return value


def _checked(one: Json) -> Json:
    """Errors: ValueError, KeyError, TypeError where it is not the map of one strategy at one n."""
    n = _whole(one["n"], 1, MOST_N)
    _whole(one["dimension"], 2, 3)
    _whole(one["blocks"], 0, 2**63), _whole(one["blocks_wasted"], 0, 2**63), slug(one["strategy"]), one["maps"]
    for launch in one["launches"]:
        _whole(launch["generation"], 0)
        grid, elements = ([_whole(side, 1) for side in launch[name]] for name in ("grid", "elements"))
        (blocks, _, _), (columns, rows, slices) = grid, elements
        if len(launch["places"]) != columns * rows * slices or columns < blocks:
            raise ValueError("a launch lacks elements")
        for px, py, pz in (place for places in launch["places"] for place in places):
            _whole(px, 0, n), _whole(py, 0, n), _whole(pz, 0, n)
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


def _spots(elements: Place, wrap: int) -> list[Spot]:
    """The corners of a launch's elements; a one-dimensional grid is too long for one row, and has several."""
    columns, rows, slices = elements
    if rows * slices == 1:
        return [(k % wrap, k // wrap) for k in range(columns)]
    area = columns * rows
    return [(k % columns + k // area * (columns + GAP), k // columns % rows) for k in range(area * slices)]


def _size(of: Place) -> str:
    return " × ".join(str(side) for side in (of if of[2] > 1 else of[:2] if of[1] > 1 else of[:1]))


class Scene:
    """
    All parts of a picture, y downwards, in squares of side 1: the launched grids on the left, with the domain beside
    them, or below them in 3D. `data` is what the page draws:

        blocks   the elements of the grids (blocks, or threads if the map works per thread): x, y, launch, place in the
                 grid (3 numbers), and the number of its block in launch order
        tiles    the places of the domain: x, y, place (3 numbers), and the element that works on it
        lines    separate the places of different launches, or of different blocks of threads, and frame these blocks
        shades   of each block
    """

    def __init__(self, one: Json) -> None:
        self.one, self.threads, self.is_3d = one, one["maps"] == "thread", one["dimension"] == 3
        self.blocks: list[list[float]] = []
        self.tiles: list[list[float]] = []
        self.labels: list[tuple[float, float, str]] = []
        self.headings: list[tuple[float, float, str]] = []
        self.lines: list[tuple[float, float, float, float]] = []
        self.count = 0  # of blocks
        self.owners: dict[Place, int] = {}  # places by the elements that work on them
        right, lower = self._grids(0.7)
        sizes = [_size(launch["elements" if self.threads else "grid"]) for launch in one["launches"]]
        unit = "threads, blocks framed" if self.threads else "blocks"
        self.headings.append((0.0, 0.5, f"launched: {sizes[0]} {unit}" if len(sizes) == 1 else f"launched: {unit}"))
        left, top = (0.0, lower + 1.8) if self.is_3d else (max(right, 8.0) + 2.5, 0.7)
        what = "tetrahedron, slice by slice" if self.is_3d else "triangle"
        self.headings.append((left, top - 0.2, f"the {what}"))
        end, bottom = self._domain(left, top)
        self.width, self.height = max(right, end, left + 6.0), max(lower, bottom)

    def _grids(self, top: float) -> Spot:
        """Places all launches from left to right, in rows, with a new row per generation. Returns: the lower right."""
        launches, n = self.one["launches"], self.one["n"]
        most = 72.0 if self.is_3d else max(17.0, n + 1.0)
        least = 5.0 if self.is_3d else 2.6  # a launch is at least as wide as its label
        x = right = lower = 0.0
        generation = -1 if self.one["tree"] else 0
        for number, launch in sorted(enumerate(launches), key=lambda pair: pair[1]["generation"]):
            grid, elements = launch["grid"], launch["elements"]
            spots = _spots(elements, elements[0] // grid[0] if self.threads else 24 if self.is_3d else n + 1)
            wide, high = (max(ends) + 1 for ends in zip(*spots))
            is_new = launch["generation"] > generation
            if is_new or (x > 0.0 and x + wide > most):
                x, top = 0.0, lower + GAP / 2.0 if x else top
            if is_new:
                generation = launch["generation"]
                top += LABEL
                self.labels.append((0.0, top - 0.2, f"generation {generation}"))
            below = 0.3
            if len(launches) > 1:
                below = LABEL
                size = _size(elements if self.threads else grid)
                self.labels.append((x, top + LABEL - 0.2, f"{chr(ord('A') + number % 26)}: {size}"))
            elif elements[2] > 1:
                below = LABEL
                starts = [x + z * (elements[0] + GAP) for z in range(elements[2])]
                self.labels += [(start, top + LABEL - 0.2, f"z = {z}") for z, start in enumerate(starts)]
            self._add(number, [(x + dx, top + below + dy) for dx, dy in spots])
            right, lower = max(right, x + wide), max(lower, top + below + high)
            x += max(wide, least) + GAP
        return right, lower

    def _add(self, number: int, spots: list[Spot]) -> None:
        """The elements of a launch, the places that they work on, and frames around blocks of threads."""
        launch = self.one["launches"][number]
        (gx, gy, gz), (columns, rows, slices) = launch["grid"], launch["elements"]
        framed: dict[int, list[Spot]] = {}
        for index, (spot, places) in enumerate(zip(spots, launch["places"])):
            ex, ey, ez = index % columns, index // columns % rows, index // (columns * rows)
            block = self.count + (ez * gz // slices * gy + ey * gy // rows) * gx + ex * gx // columns
            self.owners |= {tuple(place): len(self.blocks) for place in places}
            self.blocks.append([*spot, number, ex, ey, ez, block])
            framed.setdefault(block, []).append(spot)
        self.count += gx * gy * gz
        for corners in framed.values() if self.threads else ():
            (x0, y0), (x1, y1) = map(min, zip(*corners)), (max(ends) + 1 for ends in zip(*corners))
            self.lines += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]

    def _domain(self, left: float, top: float) -> Spot:
        """The places, each with its element, and lines between those of different launches, or blocks of threads."""
        n = self.one["n"]
        starts = [left]  # in 3D slice z is a triangle with z + 1 columns, at least as wide as its label
        for z in range(n if self.is_3d else 0):
            starts.append(starts[-1] + max(z + 1.0, 2.5) + GAP)
            self.labels.append((starts[z], top + LABEL - 0.2, f"z = {z}"))
        top += LABEL if self.is_3d else 0.3
        part = 6 if self.threads else 2
        for (px, py, pz), owner in self.owners.items():
            x, y = starts[pz] + px, top + py
            self.tiles.append([x, y, px, py, pz, owner])
            right, below = self.owners.get((px + 1, py, pz), owner), self.owners.get((px, py + 1, pz), owner)
            if self.blocks[right][part] != self.blocks[owner][part]:
                self.lines.append((x + 1, y, x + 1, y + 1))
            if self.blocks[below][part] != self.blocks[owner][part]:
                self.lines.append((x, y + 1, x + 1, y + 1))
        return starts[n - 1 if self.is_3d else 0] + n, top + n

    def shades(self) -> list[int]:
        return [round(k * (SHADES - 1) / max(self.count - 1, 1)) for k in range(self.count)]

    def data(self) -> Json:
        one = self.one
        return {
            "strategy": one["strategy"], "n": one["n"], "dimension": one["dimension"], "maps": one["maps"],
            "words": words_of(one), "width": self.width, "height": self.height, "launches": len(one["launches"]),
            "blocks": _short(self.blocks), "shades": self.shades(), "tiles": _short(self.tiles), "labels": self.labels,
            "headings": self.headings, "lines": _short(self.lines),
        }  # fmt: skip


def _short(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Numbers without ".0", to two decimals: the page is a third smaller."""
    return [[int(x) if x == int(x) else round(x, 2) for x in row] for row in rows]


# ---------------------------------------------------------------- pictures and the page


def ramp() -> list[str]:
    """SHADES colours along the ramp."""
    found = []
    for k in range(SHADES):
        place, part = divmod(k * (len(RAMP) - 1) / (SHADES - 1), 1)
        one, other = RAMP[int(place)], RAMP[min(int(place) + 1, len(RAMP) - 1)]
        pairs = [(int(one[c : c + 2], 16), int(other[c : c + 2], 16)) for c in (1, 3, 5)]
        found.append("#" + "".join(f"{round(a * (1 - part) + b * part):02x}" for a, b in pairs))
    return found


def ink(ground: str) -> str:
    """Black or white, whichever stands out more on a colour."""
    red, green, blue = (int(ground[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return "white" if 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 < 0.179 else "black"


PICTURE = jinja2.Template(
    """<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}" height="{{ height }}" font-family="DejaVu Sans">
<rect width="100%" height="100%" fill="white"/>
<text x="8" y="16" font-size="13" font-weight="bold">{{ words }}</text>
<g transform="translate(8 26)">
{%- for x, y, colour, number in squares %}
<rect x="{{ x * u }}" y="{{ y * u }}" width="{{ u }}" height="{{ u }}" fill="{{ colour }}" stroke="white"/>
{%- if number is not none %}<text x="{{ (x + 0.5) * u }}" y="{{ (y + 0.62) * u }}" font-size="9" text-anchor="middle" \
fill="{{ ink(colour) }}">{{ number }}</text>{% endif %}
{%- endfor %}
{%- for x0, y0, x1, y1 in scene.lines %}
<path d="M{{ x0 * u }} {{ y0 * u }}L{{ x1 * u }} {{ y1 * u }}" stroke="black" \
stroke-width="1.6" stroke-linecap="round"/>
{%- endfor %}
{%- for x, y, words in scene.labels %}
<text x="{{ x * u }}" y="{{ y * u }}" font-size="10" fill="#444444">{{ words }}</text>
{%- endfor %}
{%- for x, y, words in scene.headings %}
<text x="{{ x * u }}" y="{{ y * u }}" font-size="12">{{ words }}</text>
{%- endfor %}
</g></svg>
""",
    autoescape=True,
)


def picture(one: Json) -> str:
    """Draws grids and domain as SVG; each square of the domain has the colour and the number of its block."""
    scene, words = Scene(one), words_of(one)
    unit = 10 if scene.is_3d else 20  # [px] a cell
    colours, shades, busy = ramp(), scene.shades(), set(scene.owners.values())
    used = [colours[shades[int(block[6])]] if k in busy else WASTED for k, block in enumerate(scene.blocks)]
    elements = [*enumerate(scene.blocks), *((int(tile[5]), tile) for tile in scene.tiles)]
    numbered = len(scene.blocks) <= NUMBERED and not scene.is_3d
    squares = [(x, y, used[k], k if numbered else None) for k, (x, y, *_) in elements]
    width = max(scene.width * unit + 16, 8 * len(words) + 16)  # otherwise the title is cut off
    height = scene.height * unit + 40
    return str(PICTURE.render(scene=scene, squares=squares, u=unit, words=words, width=width, height=height, ink=ink))


def _pictures(found: Sequence[Json]) -> Iterator[tuple[str, str]]:
    """The name of each picture, and the picture: no name from a document leads to another folder."""
    several = Counter(one["strategy"] for one in found)
    for one in found:
        yield slug(one["strategy"] + (f"-n{one['n']}" if several[one["strategy"]] > 1 else "")), picture(one)


def page(found: Sequence[Json]) -> str:
    from .page import ASSETS, filled

    data = {"shades": ramp(), "maps": [Scene(one).data() for one in found]}
    script = (ASSETS / "maps.js").read_text(encoding="utf-8")
    return filled("maps.html", {"script": script}, {"data": data, "maps": data["maps"]})


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
    parser.add_argument("--format", default="png", metavar="LIST", help="png, svg, pdf (default: png)")
    parser.add_argument("--page", metavar="FILE", help="write one self-contained page to look at all of them")
    options = parser.parse_args(arguments)
    if options.out is None and options.page is None:
        raise UsageError("expected --out DIR, --page FILE or both")
    formats = cli.known_words("format", options.format, FORMATS)
    found = read(options.maps)
    if not found:
        raise ReportError("there is no map in what was read")
    for name, svg in _pictures(found) if options.out is not None else ():
        for form in formats:
            path = make_folder(options.out) / f"{name}.{form}"
            cli.write_whole(path, render(svg, form))
            print(path, flush=True)
    if options.page is not None:
        cli.write_output(options.page, page(found))
    return 0
