"""The look of every figure: colours that colour-blind readers can tell apart, captions, files."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

import matplotlib
import numpy as np

matplotlib.use("Agg")  # before pyplot is imported: there may be no screen

import matplotlib.pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

from .looks import DASHES, MARKERS, Look, look
from .scales import log_ratio_axis
from .select import Line
from .stats import Interval

SETTINGS = {
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # set explicitly: otherwise matplotlib searches for it, which takes a tenth of its time
    "axes.labelsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.0,
    "savefig.facecolor": "white",
    # Names come from the data: a dollar sign in a name does not start a formula.
    "text.parse_math": False,
    # Embeds fonts as TrueType, which every printer and journal accepts.
    "pdf.fonttype": 42,
    # The same data must give the same file, byte for byte.
    "svg.hashsalt": "tribench",
}


# The "small" format of render().
SMALL_DPI, SMALL_COLOURS = 120, 96


def line_look(line: Line) -> Look:
    """Hollow markers and thin lines for a variant, so that the plain map stays in the foreground."""
    seen = look(line.strategy)
    return Look(seen.colour, seen.marker, "-.", hollow=True) if line.is_variant else seen


@dataclass(slots=True)
class _Extras:
    """The facts about a panel's lines that the caption needs."""

    bands: list[tuple[str, int, Interval]] = field(default_factory=list)
    thinned: bool = False


def _extras(axes: Axes) -> _Extras:
    found: _Extras = axes.__dict__.setdefault("_extras", _Extras())
    return found


def _mark_clipped(axes: Axes) -> bool:
    """Draws a triangle at the edge if an interval extends beyond it. Returns: whether there is one."""
    low, high = axes.get_ylim()
    left, right = axes.get_xlim()
    beyond = [(n, high, "^", colour) for colour, n, i in _extras(axes).bands if i.high > high]
    beyond += [(n, low, "v", colour) for colour, n, i in _extras(axes).bands if i.low < low]
    for n, edge, marker, colour in beyond:
        axes.plot([n], [edge], marker=marker, color=colour, markerfacecolor="white", markersize=5, label="_clipped",
                  linestyle="none", clip_on=False, zorder=5)  # fmt: skip
    axes.set_ylim(low, high)
    axes.set_xlim(left, right)
    return bool(beyond)


def _distinct(axes: Axes, label: str, wanted: Look, dashes: Sequence[str] = DASHES) -> Look:
    """The look of a label in all panels of a figure: the wanted one, or a free one if another label has it."""
    taken: dict[str, Look] = axes.get_figure(root=True).__dict__.setdefault("_looks", {})
    if label not in taken:
        used = set(taken.values())
        free = (replace(wanted, dash=dash, marker=marker) for dash in dashes for marker in (wanted.marker, *MARKERS))
        taken[label] = wanted if wanted not in used else next((look for look in free if look not in used), wanted)
    return taken[label]


def draw_line(axes: Axes, label: str, wanted: Look, points: Sequence[tuple[int, Interval]]) -> None:
    """Draws a line with its interval as a band and about eight markers, at different places on each line.

    Input: points, by increasing N and one per N; label, which identifies the line in all panels of a figure.
    """
    if not points:
        return
    looks = _distinct(axes, label, wanted)
    ns = [n for n, _ in points]
    step = max(1, len(ns) // 8)
    place = sum(1 for line in axes.lines if len(np.atleast_1d(line.get_xdata())) > 2)
    axes.plot(
        ns,
        [i.value for _, i in points],
        label=label,
        color=looks.colour,
        marker=looks.marker or None,
        markevery=(place % step, step) if len(ns) > step else step,
        linestyle=looks.dash,
        markerfacecolor="white" if looks.hollow else looks.colour,
        linewidth=1.0 if looks.hollow else 1.4,
    )
    low, high = [i.low for _, i in points], [i.high for _, i in points]
    extras = _extras(axes)
    extras.bands += [(looks.colour, n, i) for n, i in points]
    extras.thinned |= step > 1
    axes.fill_between(ns, low, high, color=looks.colour, alpha=0.2, linewidth=0)


def point_look(axes: Axes, label: str, wanted: Look) -> Look:
    """The look of a marker without a line."""
    return _distinct(axes, label, replace(wanted, dash="none"), ("none",))


def draw_point(axes: Axes, label: str, wanted: Look, x: Interval, y: Interval) -> None:
    """
    Draws one marker with error bars in x and y. It has no dash, so labels that differ in the dash alone get other
    markers.
    """
    looks = point_look(axes, label, wanted)
    axes.errorbar(
        [x.value], [y.value], label=label, color=looks.colour, marker=looks.marker, linestyle=looks.dash, capsize=2,
        markerfacecolor="white" if looks.hollow else looks.colour,
        xerr=[[x.value - x.low], [x.high - x.value]], yerr=[[y.value - y.low], [y.high - y.value]],
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bar:
    """A value drawn as a bar, because with a single N there is no line."""

    label: str
    look: Look
    value: Interval


def draw_bars(axes: Axes, bars: Sequence[Bar], axis: str, log: bool = False) -> None:
    """Draws horizontal bars, the first one on top, with intervals as whiskers and the values beside them."""
    places = range(len(bars))
    values = [bar.value.value for bar in bars]
    errors = [[b.value.value - b.value.low for b in bars], [b.value.high - b.value.value for b in bars]]
    looks = [_distinct(axes, bar.label, bar.look) for bar in bars]
    drawn = axes.barh(
        list(places), values, xerr=errors, height=0.7, error_kw={"linewidth": 0.8},
        color=["white" if look.hollow else look.colour for look in looks],
        edgecolor=[look.colour for look in looks],
    )  # fmt: skip
    axes.set_yticks(list(places), [bar.label for bar in bars])
    axes.invert_yaxis()
    axes.grid(False, axis="y")
    said = [f"{value:,.0f}" if value >= 100.0 else f"{value:.3g}" for value in values]
    axes.bar_label(drawn, said, padding=4, fontsize=8)
    axes.margins(x=0.18)
    axes.set_xlabel(axis)
    if log:
        log_ratio_axis(axes, axis)


PUBLISHED = "#999999"


def published(
    axes: Axes, label: str, low: float, high: float, reach: tuple[float, float], at: float | None = None
) -> None:
    """Draws a paper's value, measured on a GPU of its day, in grey: a line, or a band from low to high, over its N.

    Input: at, the height of the label on the right, if the middle is taken.
    """
    axes.fill_between(reach, low, high, color=PUBLISHED, alpha=0.25, linewidth=0, zorder=0.5)
    for value in sorted({low, high}):
        axes.plot(reach, [value, value], color=PUBLISHED, linewidth=1.0, zorder=0.6, label="_published")
    _label_published(axes, label, reach[1], (low + high) / 2.0 if at is None else at)


def published_line(axes: Axes, label: str, ns: Sequence[int], values: Sequence[float]) -> None:
    """Draws the values that a paper predicts, in grey, over the same N as the measured ones."""
    axes.plot(ns, values, color=PUBLISHED, linewidth=1.0, linestyle="--", zorder=0.6, label="_published")
    _label_published(axes, label, ns[-1], values[-1])


def _label_published(axes: Axes, label: str, x: float, y: float) -> None:
    axes.annotate(label, (x, y), (4, 0), textcoords="offset points", va="center", fontsize=7, color="#666666")


def make_room_for_published(axes: Axes, last: float, share: float) -> None:
    """Extends the axis to the right, for the labels of published lines."""
    low, _ = axes.get_xlim()
    axes.set_xlim(low, last + share * (last - low))


@dataclass(slots=True)
class Canvas:
    """A figure with its panels, its shared legend and room for the caption."""

    figure: Figure
    body: SubFigure
    axes: list[Axes]
    columns: int
    title: str

    @property
    def words(self) -> str:
        """The content of the figure, for readers who cannot see it: the title and the names of its panels."""
        panels = ", ".join(filter(None, (axes.get_title(loc="left") for axes in self.axes)))
        return f"{self.title}: {panels}" if panels else self.title


# The width in inches of a figure for a printed page, which has its own text: no title and no caption. Applies to all
# figures until it is set again; the functions that draw figures do not know it.
paper: ContextVar[float | None] = ContextVar("paper", default=None)
PANEL_INCHES = 2.2  # narrower panels go to another row


def canvas(
    panels: int, title: str, columns: int | None = None, width: float = 3.5, height: float = 2.7
) -> Canvas:
    wide = columns or (panels if panels <= 3 else 2 if panels == 4 else 3)
    printed = paper.get()
    if printed:
        wide = max(1, min(wide, int(printed / PANEL_INCHES)))
        height *= min(1.0, max(0.7, printed / wide / width))
    rows = -(-panels // wide)
    total = printed if printed else max(width * wide, 5.4)  # below this width a caption becomes a column
    figure = plt.figure(figsize=(total, height * rows + 0.35), layout="constrained")
    body = figure.add_subfigure(figure.add_gridspec(1, 1)[0])
    grid = body.subplots(rows, wide, squeeze=False)
    axes = list(grid.flat)
    for spare in axes[panels:]:
        spare.set_visible(False)
    if printed:
        return Canvas(figure, body, axes[:panels], wide, title)
    # Bold letters of this size are a tenth of an inch wide: a longer title is wrapped, or it would be cut off.
    wrapped = textwrap.wrap(title, int(total * 10.5))
    figure.set_figheight(figure.get_figheight() + 0.18 * (len(wrapped) - 1))
    body.suptitle("\n".join(wrapped), fontsize=11.5, fontweight="bold", x=0.01, ha="left")
    return Canvas(figure, body, axes[:panels], wide, title)


def legend(picture: Canvas) -> None:
    """Draws one legend below all panels, each label once; the figure grows, so that no panel shrinks."""
    named: dict[str, Artist] = {}
    for axes in picture.axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            named.setdefault(label, handle)
    if not named:
        return
    for label in [label for label in named if label.startswith("peak")]:
        named[label] = named.pop(label)  # last, after the lines that they limit
    figure = picture.figure
    columns = _legend_columns(list(named), figure.get_figwidth())
    rows = -(-len(named) // columns)
    figure.set_figheight(figure.get_figheight() + 0.15 + 0.175 * rows)
    picture.body.legend(list(named.values()), list(named), loc="outside lower center", ncols=columns)


def _legend_columns(labels: Sequence[str], inches: float) -> int:
    """The largest number of columns whose widest labels fit side by side; a legend is filled column by column."""
    for columns in range(len(labels), 1, -1):
        rows = -(-len(labels) // columns)
        parts = [labels[k : k + rows] for k in range(0, len(labels), rows)]
        if sum(0.62 + 0.068 * max(map(len, part)) for part in parts) <= inches:
            return len(parts)
    return 1


def label_outer(picture: Canvas) -> None:
    """Names an axis once per row and once per column; the ticks stay, because every panel has its own scale."""
    shown, wide = picture.axes, picture.columns
    below = [axes.get_xlabel() for axes in shown[wide:]]
    for axes, label in zip(shown, below):
        if axes.get_xlabel() == label:
            axes.set_xlabel("")
    for place in reversed(range(len(shown))):
        if place % wide and shown[place].get_ylabel() == shown[place - 1].get_ylabel():
            shown[place].set_ylabel("")


def _make_room_for_names(picture: Canvas) -> None:
    """Widens the figure until each column has room for its bars and for their longest name, which is left of them."""
    columns = [0.0] * picture.columns
    for place, axes in enumerate(picture.axes):
        names = [label.get_text() for label in axes.get_yticklabels()] if axes.patches else []
        inches = 0.07 * max(map(len, names), default=0) + 2.0
        columns[place % picture.columns] = max(columns[place % picture.columns], inches)
    picture.figure.set_figwidth(max(picture.figure.get_figwidth(), sum(columns)))


def caption(picture: Canvas, sentences: Sequence[str]) -> str:
    """Adds the caption, wrapped to the width of the figure, which grows by the lines it needs; on paper it is left out.

    Returns: its text.
    """
    figure = picture.figure
    label_outer(picture)
    clipped = any([_mark_clipped(axes) for axes in picture.axes])
    thinned = any(_extras(axes).thinned for axes in picture.axes)
    about = [
        "triangles at the edge: the interval goes on" if clipped else "",
        "markers at some of the points only" if thinned else "",
    ]
    text = " · ".join(sentence for sentence in [*sentences, *about] if sentence)
    if paper.get():
        return text
    _make_room_for_names(picture)
    glue = "\N{NO-BREAK SPACE}"  # so that no line begins with a dot
    glued = textwrap.wrap(text.replace(" ·", f"{glue}·"), int(figure.get_figwidth() * 17.5))
    lines = [line.replace(glue, " ") for line in glued]
    body, foot = figure.get_figheight(), 0.12 + 0.145 * len(lines)
    figure.set_figheight(body + foot)
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)  # set by canvas()
    share = foot / (body + foot)
    engine.set(rect=(0.0, share, 1.0, 1.0 - share))
    figure.text(0.01, share * 0.92, "\n".join(lines), fontsize=7.5, color="#444444", va="top", ha="left")
    return text


def close(picture: Canvas) -> None:
    plt.close(picture.figure)


def render(figure: Figure, form: str) -> bytes:
    """The picture as bytes, without a date inside, so that it changes only when the data does."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
        # The layout is the same in every format; without the engine matplotlib draws everything once less per format.
        figure.set_layout_engine(None)
    if form == "small":
        return _small(figure)
    buffer = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
    figure.savefig(buffer, format=form, dpi=150, metadata=metadata)
    return buffer.getvalue()


def _small(figure: Figure) -> bytes:
    """A PNG with a palette, a tenth of the usual size: figures have a dozen colours and their blends at edges."""
    figure.set_dpi(SMALL_DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    whole = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])  # type: ignore[no-untyped-call]
    few = whole.quantize(SMALL_COLOURS, method=Image.Quantize.FASTOCTREE)
    packed = io.BytesIO()
    few.save(packed, format="png", optimize=True)
    return packed.getvalue()
