"""Draws what maps do, from `tribench --show --format json`: a picture for each, or one page for all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import cli
from .errors import ReportError, UsageError
from .looks import ink
from .plot import FORMATS
from .scene import Scene, SmallMap, read, scene_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PROG = "maps"
WASTED = "#d4d4d4"
SHADES = 64
NUMBERED = 100  # with more elements than this, there is no room for numbers


def shades() -> list[str]:
    """Colours from the first block launched to the last: dark to bright, also in print and for the colour-blind."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["viridis"](0.06 + 0.92 * k / (SHADES - 1))) for k in range(SHADES)]


def shade_of(scene: Scene, colour: int) -> int:
    return round(colour * (SHADES - 1) / max(scene.colours - 1, 1))


def _squares(axes: Axes, spots: list[tuple[float, float]], colours: list[str]) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    squares = [Rectangle(spot, 1.0, 1.0) for spot in spots]
    axes.add_collection(PatchCollection(squares, facecolors=colours, edgecolors="white", linewidths=0.8))


def _number(axes: Axes, x: float, y: float, number: int, colour: str) -> None:
    axes.text(
        x + 0.5, y + 0.52, str(number), ha="center", va="center", fontsize=6.5,
        color=ink(colour),
    )  # fmt: skip


def picture(scene: Scene) -> Figure:
    """Draws grids and domain; each square of the domain has the colour and the number of the block that works on it."""
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection

    inches = 0.135 if scene.small_map.dimension == 3 else 0.27
    words = scene.small_map.words
    width = max(scene.width * inches + 0.2, 0.085 * len(words) + 0.2)  # otherwise the title is cut off
    figure = plt.figure(figsize=(width, scene.height * inches + 0.42))
    figure.text(0.1 / figure.get_figwidth(), 1 - 0.08 / figure.get_figheight(), words,
                ha="left", va="top", fontsize=10, fontweight="bold")  # fmt: skip
    frame = (0.1 / figure.get_figwidth(), 0.1 / figure.get_figheight(),
             scene.width * inches / figure.get_figwidth(), scene.height * inches / figure.get_figheight())  # fmt: skip
    axes = figure.add_axes(frame)
    axes.set_axis_off()
    axes.set_xlim(-0.05, scene.width + 0.05)
    axes.set_ylim(scene.height + 0.05, -0.05)
    ramp = shades()
    used = [ramp[shade_of(scene, b.colour)] if b.places else WASTED for b in scene.blocks]
    _squares(axes, [(b.x, b.y) for b in scene.blocks], used)
    _squares(axes, [(t.x, t.y) for t in scene.tiles], [used[t.block] for t in scene.tiles])
    ends = [((x0, y0), (x1, y1)) for x0, y0, x1, y1 in scene.lines]
    axes.add_collection(LineCollection(ends, colors="black", linewidths=1.2, capstyle="round"))
    if len(scene.blocks) <= NUMBERED and scene.small_map.dimension == 2:
        for number, block in enumerate(scene.blocks):
            _number(axes, block.x, block.y, number, used[number])
        for tile in scene.tiles:
            _number(axes, tile.x, tile.y, tile.block, used[tile.block])
    for x, y, words in scene.labels:
        axes.text(x, y, words, fontsize=7, color="#444444", va="bottom")
    for x, y, words in scene.headings:
        axes.text(x, y, words, fontsize=8.5, va="bottom")
    return figure


def _draw(found: list[SmallMap], out: Path, formats: list[str]) -> None:
    import matplotlib
    import matplotlib.pyplot as plt

    from . import style

    several = Counter(one.strategy for one in found)
    out.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(style.SETTINGS):  # type: ignore[arg-type]
        for one in found:
            figure = picture(scene_of(one))
            name = f"{one.strategy}-n{one.n}" if several[one.strategy] > 1 else one.strategy
            for form in formats:
                path = out / f"{name}.{form}"
                cli.write_whole(path, style.render(figure, form))
                print(path, flush=True)
            plt.close(figure)


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
    from .self_contained import asset, embed, filled

    data = embed({"shades": shades(), "maps": [page_data(scene_of(one)) for one in found]})
    return filled("maps", {"script": asset("maps.js")}, {"data": data})


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
        _draw(found, Path(options.out), formats)
    if options.page is not None:
        cli.write_output(options.page, page(found))
    return 0
