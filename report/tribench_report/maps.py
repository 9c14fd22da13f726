"""Draws what maps do, from `tribench --show --format json`: a picture for each, or one page for all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import jinja2

from . import cli
from .errors import ReportError, UsageError
from .groups import slug
from .plot import FORMATS, make_folder, render
from .scene import Scene, SmallMap, read, scene_of

PROG = "maps"
WASTED = "#d4d4d4"
SHADES = 64
NUMBERED = 100  # with more elements than this, there is no room for numbers
# Viridis, from the first block launched to the last: dark to bright, also in print and for the colour-blind.
RAMP = ("#481467", "#453882", "#365d8d", "#26828e", "#1fa187", "#54c568", "#a8db34", "#f1e51d")


def shades() -> list[str]:
    """SHADES colours along the ramp."""
    found = []
    for k in range(SHADES):
        place, part = divmod(k * (len(RAMP) - 1) / (SHADES - 1), 1)
        one, other = RAMP[int(place)], RAMP[min(int(place) + 1, len(RAMP) - 1)]
        pairs = [(int(one[c : c + 2], 16), int(other[c : c + 2], 16)) for c in (1, 3, 5)]
        mixed = [round(a * (1 - part) + b * part) for a, b in pairs]
        found.append("#" + "".join(f"{value:02x}" for value in mixed))
    return found


def shade_of(scene: Scene, colour: int) -> int:
    return round(colour * (SHADES - 1) / max(scene.colours - 1, 1))


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


def picture(scene: Scene) -> str:
    """
    Draws grids and domain as SVG; each square of the domain has the colour and the number of the block that works on
    it.
    """
    unit = 10 if scene.small_map.dimension == 3 else 20  # [px] a cell
    ramp, words = shades(), scene.small_map.words
    used = [ramp[shade_of(scene, b.colour)] if b.places else WASTED for b in scene.blocks]
    numbered = len(scene.blocks) <= NUMBERED and scene.small_map.dimension == 2
    squares = [(b.x, b.y, used[k], k if numbered else None) for k, b in enumerate(scene.blocks)]
    squares += [(t.x, t.y, used[t.block], t.block if numbered else None) for t in scene.tiles]
    width = max(scene.width * unit + 16, 8 * len(words) + 16)  # otherwise the title is cut off
    height = scene.height * unit + 40
    return str(PICTURE.render(scene=scene, squares=squares, u=unit, words=words, width=width, height=height, ink=ink))


def _draw(found: list[SmallMap], out: Path, formats: list[str]) -> None:
    several = Counter(one.strategy for one in found)
    for one in found:
        svg = picture(scene_of(one))
        # No name from a document leads to another folder.
        name = slug(f"{one.strategy}-n{one.n}" if several[one.strategy] > 1 else one.strategy)
        for form in formats:
            path = out / f"{name}.{form}"
            cli.write_whole(path, render(svg, form))
            print(path, flush=True)


def _short(*numbers: float) -> list[float]:
    """Numbers without ".0", to two decimals: the page is a third smaller."""
    return [int(number) if number == int(number) else round(number, 2) for number in numbers]


def page_data(scene: Scene) -> dict[str, Any]:
    one = scene.small_map
    return {
        "strategy": one.strategy, "n": one.n, "dimension": one.dimension, "maps": one.maps, "words": one.words,
        "width": scene.width, "height": scene.height, "launches": len(one.launches),
        "blocks": [[*_short(b.x, b.y), b.launch, *b.element, b.colour] for b in scene.blocks],
        "shades": [shade_of(scene, colour) for colour in range(scene.colours)],
        "tiles": [[*_short(t.x, t.y), *t.place, t.block] for t in scene.tiles],
        "labels": scene.labels, "headings": scene.headings, "lines": [_short(*line) for line in scene.lines],
    }  # fmt: skip


def page(found: list[SmallMap]) -> str:
    from .page import ASSETS, filled

    data = {"shades": shades(), "maps": [page_data(scene_of(one)) for one in found]}
    return filled("maps.html", {"script": (ASSETS / "maps.js").read_text(encoding="utf-8")}, {"data": data})


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
    if options.out is not None:
        _draw(found, make_folder(options.out), formats)
    if options.page is not None:
        cli.write_output(options.page, page(found))
    return 0
