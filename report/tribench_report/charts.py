"""The figures: Vega-Lite charts of runs, one for each device, engine, block, layout and cache state."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import altair as alt
import numpy as np
import pandas as pd

from .frame import Results
from .groups import ORDER, baseline_words, facets, is_baseline, labelled, plainest, with_factors

alt.data_transformers.disable_max_rows()

# The colour of each strategy, in every figure and on the page. A family shares a hue: Okabe and Ito's palette without
# its yellow, which is too pale for a line on white, and darker and lighter shades of it.
COLOURS = {
    "bb": "#000000", "bb-t": "#777777", "ltm-x": "#56B4E9", "ltm-n": "#5e4fa2", "ltm-r": "#0072B2",
    "ltm-x-rev": "#56B4E9", "ltm-n-rev": "#5e4fa2", "ltm-r-rev": "#0072B2", "ltm-i": "#08306b", "ltm-t": "#08306b",
    "utm": "#D55E00", "utm-t": "#f0926b", "utm-b": "#7f2704", "rb": "#009E73", "rb-b": "#00523a", "rec": "#E69F00",
    "hmap": "#8c510a", "dp": "#CC79A7", "bb-tetra": "#000000", "dp-tetra": "#D55E00", "rec-tetra": "#E69F00",
    "ltm-tetra": "#0072B2", "ltm-rows": "#08306b", "rb-tetra": "#009E73", "hmap-tetra": "#8c510a",
}  # fmt: skip
OTHERS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#8c510a", "#000000")
SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "triangle-right", "triangle-left")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3))
GREY = "#777777"
PANEL = 250  # [px] the width of a panel on the screen
PANEL_INCHES = 2.2  # narrower panels of a printed figure go to another row
PICTURE = ("engine", "block", "layout", "cache")
MARKERS = 8
BAND_NOTE = "bands: 95 % interval of the median"
FACTOR = "I = T(baseline) / T"
TIME = ("time_ms.median", "time_ms.ci95.low", "time_ms.ci95.high")


@dataclass(slots=True)
class Figure:
    """
    A chart for the file `name`, with the words of its title, the runs that it shows, and notes for its caption beside
    what all captions say.
    """

    name: str
    chart: alt.TopLevelMixin
    title: str
    runs: pd.DataFrame
    notes: list[str] = field(default_factory=list)

    def caption(self, found: Results) -> str:
        runs = self.runs
        unchecked, hot = int((runs["verified.status"] != "pass").sum()), int(runs["throttled"].sum())
        counts = [
            f"{unchecked} of {len(runs)} runs not verified" if unchecked else "",
            f"{hot} of {len(runs)} runs were throttled" if hot else "",
        ]
        about = [*found.devices(runs), found.version(runs), f"measured {found.date(runs)}"]
        return " · ".join(filter(None, [*self.notes, *counts, *about]))

    def finished(self, caption: str | None) -> alt.TopLevelMixin:
        """The chart with its title and caption, or for a printed page, which has its own, without."""
        if caption is None:
            return self.chart.configure(**CONFIG)
        lines = textwrap.wrap(caption, 110)
        title = alt.TitleParams(
            self.title, subtitle=lines, anchor="start", subtitleColor="#444444", subtitleFontSize=10
        )
        return self.chart.properties(title=title).configure(**CONFIG)


CONFIG = {
    "font": "DejaVu Sans, sans-serif", "background": "white", "view": {"stroke": None},
    "axis": {"gridColor": "#dddddd", "labelFontSize": 10, "titleFontSize": 10, "titleFontWeight": "normal"},
    "header": {"labelFontWeight": "bold", "labelAnchor": "start", "title": None},
}  # fmt: skip


# ---------------------------------------------------------------- looks


def colour_of(strategy: str) -> str:
    return COLOURS.get(strategy) or OTHERS[sum(map(ord, strategy)) % len(OTHERS)]


def looks(runs: pd.DataFrame) -> dict[str, alt.SchemaBase]:
    """
    The encodings of a label by colour, shape and dash: no two labels have all three alike. Input: with `label` and
    `strategy`.
    """
    pairs = runs.drop_duplicates("label")[["label", "strategy"]].to_numpy().tolist()
    colours, shapes, dashes = [], [], []
    taken: set[tuple[str, str, tuple[int, ...]]] = set()
    for place, (_, strategy) in enumerate(pairs):
        own = ORDER.index(strategy) if strategy in ORDER else place
        every = ((SHAPES[(own + k) % len(SHAPES)], dash) for k in range(len(SHAPES)) for dash in DASHES)
        colour = colour_of(strategy)
        shape, dash = next((look for look in every if (colour, *look) not in taken), (SHAPES[0], DASHES[0]))
        taken.add((colour, shape, dash))
        colours.append(colour)
        shapes.append(shape)
        dashes.append(list(dash))
    labels = [label for label, _ in pairs]

    def scale(values: Sequence[object]) -> alt.Scale:
        return alt.Scale(domain=labels, range=list(values))

    legend = alt.Legend(title=None, symbolLimit=0, labelLimit=0, symbolOpacity=1)
    return {
        "color": alt.Color("label:N", scale=scale(colours), legend=legend),
        "shape": alt.Shape("label:N", scale=scale(shapes), legend=legend),
        "strokeDash": alt.StrokeDash("label:N", scale=scale(dashes), legend=legend),
    }


# ---------------------------------------------------------------- values over N


def points(runs: pd.DataFrame, names: Sequence[str], scale: pd.Series | float = 1.0) -> pd.DataFrame:
    """The data of a panel: label, strategy, workload, n, and the value with its interval."""
    values = runs[list(names)].set_axis(["value", "low", "high"], axis=1).mul(scale, axis=0)
    return pd.concat([runs[["label", "strategy", "workload", "n"]], values], axis=1).dropna(subset="value")


def _panels(runs: pd.DataFrame) -> pd.DataFrame:
    """
    The runs of workloads that get a panel over N. One with a single size would be a column of dots, which the heat map
    shows better: it gets a panel only if every workload has a single size.
    """
    sizes = runs.groupby("workload")["n"].transform("nunique")
    return runs[sizes > 1] if (sizes > 1).any() else runs


def columns_of(count: int, width: float | None) -> tuple[int, int]:
    """The columns of `count` panels, and the width of each in pixels. Input: width of a printed figure in inches."""
    wide = count if count <= 3 else 2 if count == 4 else 3
    if width is None:
        return wide, PANEL
    wide = max(1, min(wide, int(width / PANEL_INCHES)))
    return wide, int((72 * width - 110) / wide - 50)


@dataclass(frozen=True, slots=True)
class Axes:
    """What stands on the axes: the words for y, whether y and N are logarithmic, and values of horizontal lines."""

    y: str
    log: bool
    rules: tuple[tuple[str, float], ...] = ()


def over_n(data: pd.DataFrame, axes: Axes, width: float | None) -> alt.TopLevelMixin:
    """A panel per workload with a line per label and its interval as a band, or bars where there is a single N."""
    columns, panel = columns_of(data["workload"].nunique(), width)
    if data["n"].nunique() == 1:
        return _bars(data, axes, columns, panel)
    # About eight markers on a line.
    each = data.groupby(["workload", "label"])["n"]
    data = data.assign(marked=each.cumcount() % (each.transform("size") // MARKERS).clip(lower=1) == 0)
    x = alt.X("n:Q", title="N", axis=alt.Axis(format=",d", labelOverlap=True, tickCount=6))
    x = x.scale(type="log", base=2, nice=False) if axes.log else x.scale(zero=False, nice=False)
    scale = alt.Scale(type="log", nice=False) if axes.log else alt.Scale(zero=False)
    encoded = looks(data)
    y = alt.Y("value:Q", title=axes.y, scale=scale, axis=alt.Axis(format="~g"))
    base = alt.Chart()
    band = base.mark_area(opacity=0.2).encode(
        x=x, y=alt.Y("low:Q", title=axes.y, scale=scale), y2="high:Q", color=encoded["color"]
    )
    line = base.mark_line(strokeWidth=1.4).encode(x=x, y=y, color=encoded["color"], strokeDash=encoded["strokeDash"])
    mark = (
        base.mark_point(filled=True, size=22)
        .transform_filter("datum.marked")
        .encode(
            x=x,
            y=y,
            color=encoded["color"],
            shape=encoded["shape"],
            tooltip=["label:N", "n:Q", "value:Q", "low:Q", "high:Q"],
        )
    )
    once = base.transform_aggregate(rows="count()")  # without, a rule would be drawn for every row of the data
    rules = [
        once.mark_rule(color=GREY, strokeDash=[4, 3]).encode(y=alt.datum(value), description=alt.value(name))
        for name, value in axes.rules
    ]
    names = [
        once.mark_text(color=GREY, align="left", dx=2, dy=below, fontSize=8, text=name).encode(
            x=alt.value(0), y=alt.datum(value)
        )
        for below, (name, value) in zip((-5, 8), axes.rules)
        if name
    ]
    layers = alt.layer(*rules, *names, band, line, mark, data=data).properties(width=panel, height=0.75 * panel)
    return layers.facet(facet=alt.Facet("workload:N", title=None), columns=columns).resolve_scale(x="independent")


def _bars(data: pd.DataFrame, axes: Axes, columns: int, panel: int) -> alt.TopLevelMixin:
    y = alt.Y("label:N", title=None, sort=list(dict.fromkeys(data["label"])))
    title = f"{axes.y} at N = {data['n'].iloc[0]:,}"
    x = alt.X("value:Q", title=title, scale=alt.Scale(zero=True))
    colour = looks(data)["color"].legend(None)
    bar = alt.Chart().mark_bar().encode(y=y, x=x, color=colour, tooltip=["label:N", "value:Q", "low:Q", "high:Q"])
    whisker = alt.Chart().mark_rule().encode(y=y, x=alt.X("low:Q", title=title), x2="high:Q")
    text = (
        alt.Chart().mark_text(align="left", dx=4, fontSize=9).encode(y=y, x=x, text=alt.Text("value:Q", format=".3~g"))
    )
    once = alt.Chart().transform_aggregate(rows="count()")
    rules = [once.mark_rule(color=GREY, strokeDash=[4, 3]).encode(x=alt.datum(value)) for _, value in axes.rules]
    layers = alt.layer(*rules, bar, whisker, text, data=data).properties(width=panel)
    return layers.facet(facet=alt.Facet("workload:N", title=None), columns=columns).resolve_scale(y="independent")


def _plain_note(runs: pd.DataFrame) -> str:
    """Says that the factors of variants are over the plainest baseline, not over the one in their records."""
    return "I of variants: over the plainest baseline" if (runs["plainness"] > 0).any() else ""


def overview(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """I over N, one line per strategy, one panel per workload"""
    for suffix, words, members in facets(runs, PICTURE):
        shown = plainest(labelled(with_factors(members, plain=True)))
        shown = _panels(shown[~is_baseline(shown) & shown["I"].notna()])
        if shown.empty:
            continue
        data = points(shown, ("I", "I.low", "I.high"))
        chart = over_n(data, Axes(FACTOR, log=False, rules=(("", 1.0),)), width)
        title = f"Improvement over {baseline_words(shown)}, over N"
        yield Figure(f"overview{suffix}", chart, title, shown, [words, BAND_NOTE, _plain_note(shown)])


def time(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """time per cell over N on log axes"""
    for suffix, words, members in facets(runs[runs["throughput.cells_per_s"] > 0], PICTURE):
        shown = _panels(plainest(labelled(with_factors(members))))
        per_cell = 1e12 / (shown["throughput.cells_per_s"] * shown["time_ms.median"])
        chart = over_n(points(shown, TIME, per_cell), Axes("ps per cell", log=True), width)
        yield Figure(f"time{suffix}", chart, "Time per cell over N", shown, [words, BAND_NOTE])


def bandwidth(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """bandwidth over N on log axes, with the measured peaks"""
    for suffix, words, members in facets(runs[runs["throughput.gb_per_s"] > 0], PICTURE):
        shown = _panels(plainest(labelled(with_factors(members))))
        rate = ("throughput.gb_per_s",) * 3
        peaks = found.peaks(shown)
        rules = tuple(
            (f"peak {name} {peaks[name]:,.0f} GB/s", peaks[name]) for name in ("fill", "copy") if name in peaks
        )
        chart = over_n(points(shown, rate), Axes("GB/s", log=True, rules=rules), width)
        yield Figure(f"bandwidth{suffix}", chart, "Bandwidth over N", shown, [words])


# ---------------------------------------------------------------- others


def heatmap(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """strategies by workloads, I at the N where most strategies have one"""
    for suffix, words, members in facets(runs, PICTURE):
        every = labelled(with_factors(members, plain=True))
        every = every[~is_baseline(every) & every["I"].notna()]
        if every["label"].nunique() < 2:
            continue
        counts = every.groupby(["workload", "n"])["strategy"].nunique().reset_index().sort_values(["strategy", "n"])
        best = counts.drop_duplicates("workload", keep="last")[["workload", "n"]]
        shown = every.merge(best, on=["workload", "n"]).drop_duplicates(["workload", "label"])
        several = shown["n"].nunique() > 1
        shown["column"] = shown["workload"] + (shown["n"].map(", N = {:,}".format) if several else "")
        data = shown[["label", "column", "I"]].assign(log=np.log2(shown["I"]), dark=np.abs(np.log2(shown["I"])) > 0.8)
        x = alt.X("column:N", title=None, axis=alt.Axis(labelAngle=-30, labelLimit=0))
        y = alt.Y("label:N", title=None, sort=list(dict.fromkeys(shown["label"])), axis=alt.Axis(labelLimit=0))
        # One scale for every heat map, so that a colour means the same factor in all of them.
        scale = alt.Scale(
            domain=[math.log2(0.4), 0.0, math.log2(2.5)], range=["#b35806", "#f7f7f7", "#542788"], clamp=True
        )
        legend = alt.Legend(title="log2 I")
        rect = (
            alt.Chart().mark_rect(stroke="white").encode(x=x, y=y, color=alt.Color("log:Q", scale=scale, legend=legend))
        )
        ink = alt.when("datum.dark").then(alt.value("white")).otherwise(alt.value("black"))
        text = alt.Chart().mark_text(fontSize=10).encode(x=x, y=y, text=alt.Text("I:Q", format=".2f"), color=ink)
        chart = alt.layer(rect, text, data=data).properties(width=alt.Step(62), height=alt.Step(20))
        title = f"Improvement over {baseline_words(shown)}" + ("" if several else f" at N = {shown['n'].iloc[0]:,}")
        notes = [words, "purple: faster than the baseline, orange: slower", _plain_note(shown)]
        yield Figure(f"heatmap{suffix}", chart, title, shown, notes)


# One panel per kind of arithmetic, because each has its own ceiling.
ARITHMETIC = {"fp32": "FP32", "fp64": "FP64", "int32": "Integers, 32 bits"}


def roofline(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """operations per second over operations per byte, a look per strategy"""
    intensity, rate = "roofline.operations_per_byte", "roofline.gop_per_s"
    # dummy's four bytes are no amount of data: it would lie decades to the right.
    placed = runs[runs["roofline.arithmetic"].isin(ARITHMETIC) & (runs["roofline.bytes"] >= runs["n"])]
    placed = placed[(placed[intensity] > 0) & (placed[rate] > 0)]
    absent = sorted(set(runs["workload"]) - set(placed["workload"]))
    without = f"no point: {', '.join(absent)}, with nothing to compute or to move" if absent else ""
    for suffix, words, members in facets(placed, ("engine", "ranks.count")):
        shown = labelled(members, [])
        panels, kinds = [], shown["roofline.arithmetic"].nunique()
        for kind, mine in shown.groupby("roofline.arithmetic"):
            data = mine[["label", "strategy", "workload", "n", intensity, rate]]
            data = data.set_axis(["label", "strategy", "workload", "n", "x", "y"], axis=1)
            data["largest"] = data["n"] == data.groupby("workload")["n"].transform("max")
            # About eight sizes of each: more would only cover each other.
            each = data.groupby(["workload", "label"])["n"]
            data = data[data["largest"] | (each.cumcount() % (each.transform("size") // MARKERS).clip(lower=1) == 0)]
            ceilings, ends = _ceilings(found.peaks(mine), str(kind), data)
            panel = columns_of(kinds, width)[1]
            panels.append(
                _roofline_panel(data, ceilings, ends, looks(shown)).properties(
                    title=ARITHMETIC[str(kind)], width=panel, height=panel
                )
            )
        notes = [words, "pale: smaller N", without]
        chart = alt.hconcat(*panels)
        yield Figure(
            f"roofline{suffix}", chart, "Roofline: operations per second over operations per byte", shown, notes
        )


def _ceilings(peaks: dict[str, float], kind: str, data: pd.DataFrame) -> tuple[pd.DataFrame, list[float]]:
    """
    The ends of the ceilings, which rise with the intensity up to the one of the arithmetic; and the range of x, which
    keeps the ridges in view.
    """
    top, rates = peaks.get(kind), {name: peaks[name] for name in ("fill", "copy") if name in peaks}
    ridges = [top / rate for rate in rates.values()] if top else []
    left, right = min([*data["x"], *ridges]) / 4.0, max([*data["x"], *ridges]) * 4.0
    rows = [
        {"name": f"peak {name} {rate:,.0f} GB/s", "x": x, "y": x * rate}
        for name, rate in rates.items()
        for x in (left, min(right, top / rate) if top else right)
    ]
    rows += [{"name": f"peak {kind} {top:,.0f} Gop/s", "x": x, "y": top} for x in (left, right)] if top else []
    return pd.DataFrame(rows, columns=["name", "x", "y"]), [left, right]


def _roofline_panel(
    data: pd.DataFrame, ceilings: pd.DataFrame, ends: list[float], encoded: dict[str, alt.SchemaBase]
) -> alt.LayerChart:
    x = alt.X(
        "x:Q",
        title="operations per byte",
        scale=alt.Scale(type="log", domain=ends, nice=False),
        axis=alt.Axis(format="~g", tickCount=5),
    )
    y = alt.Y("y:Q", title="Gop/s", scale=alt.Scale(type="log"), axis=alt.Axis(format="~g", tickCount=5))
    opacity = alt.when("datum.largest").then(alt.value(0.9)).otherwise(alt.value(0.25))
    shown = ["workload:N", "label:N", "n:Q", "x:Q", "y:Q"]
    mark = alt.Chart(data).mark_point(size=30).encode(
        x=x, y=y, color=encoded["color"], shape=encoded["shape"], opacity=opacity, tooltip=shown
    )  # fmt: skip
    tops = data.sort_values("y").drop_duplicates("workload", keep="last")
    names = alt.Chart(tops).mark_text(dy=-9, fontSize=9).encode(x=x, y=y, text="workload:N")
    line = alt.Chart(ceilings).mark_line(color=GREY, strokeWidth=1.2).encode(x=x, y=y, detail="name:N")
    said = ceilings.drop_duplicates("name")
    legend = [
        alt.Chart(said.iloc[[place]])
        .mark_text(color=GREY, fontSize=8, align="left", dy=below)
        .encode(x=x, y=y, text="name:N")
        for place, below in zip(range(len(said)), (-5, 10, -5))
    ]
    return alt.layer(line, *legend, mark, names)


def energy(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """joules over time per launch, a point per strategy at the largest N (tribench --energy)"""
    for suffix, words, members in facets(runs[runs["energy.launch_j"].notna()], PICTURE):
        members = members[members["n"] == members.groupby("workload")["n"].transform("max")]
        shown = labelled(members)
        data = pd.concat(
            [
                shown[["label", "strategy", "workload", "n"]],
                shown[list(TIME)].set_axis(["x", "x.low", "x.high"], axis=1),
                shown[["energy.launch_j", "energy.ci95.low", "energy.ci95.high"]].set_axis(
                    ["y", "ylow", "yhigh"], axis=1
                ),
            ],
            axis=1,
        ).rename(columns={"x.low": "xlow", "x.high": "xhigh"})
        columns, panel = columns_of(data["workload"].nunique(), width)
        encoded = looks(data)
        x = alt.X("x:Q", title="time [ms]", scale=alt.Scale(zero=False))
        y = alt.Y("y:Q", title="energy [J]", scale=alt.Scale(zero=False))
        tips = ["label:N", "n:Q", "x:Q", "y:Q"]
        mark = (
            alt.Chart()
            .mark_point(filled=True, size=40)
            .encode(x=x, y=y, color=encoded["color"], shape=encoded["shape"], tooltip=tips)
        )
        across = (
            alt.Chart()
            .mark_rule()
            .encode(x=alt.X("xlow:Q", title="time [ms]"), x2="xhigh:Q", y=y, color=encoded["color"])
        )
        up = (
            alt.Chart()
            .mark_rule()
            .encode(y=alt.Y("ylow:Q", title="energy [J]"), y2="yhigh:Q", x=x, color=encoded["color"])
        )
        layers = alt.layer(across, up, mark, data=data).properties(width=panel, height=0.75 * panel)
        chart = layers.facet(facet=alt.Facet("workload:N", title=None), columns=columns)
        chart = chart.resolve_scale(x="independent", y="independent")
        idle = found.idle_power(shown)
        rest = f"at rest the device took {idle:.0f} W" if idle else ""
        note = "energy by the device's counter, what it takes at rest included; bars: 95 % intervals"
        yield Figure(f"energy{suffix}", chart, "Energy over time of a launch", shown, [words, note, rest])


def ranks(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """speed-up and efficiency over the ranks that share a domain (scripts/scaling)"""
    shared = runs.assign(ranks=runs["ranks.count"].fillna(1))
    for suffix, words, members in facets(shared, PICTURE):
        each = ["workload", "strategy", "n"]
        alone = members[members["ranks"] == 1].drop_duplicates(each).set_index(each)["time_ms.median"]
        base = members.set_index(each).index.map(alone.to_dict())
        shown = members.assign(alone=base.to_numpy(dtype=float)).dropna(subset="alone")
        shown = shown[shown.groupby(each)["ranks"].transform("nunique") > 1]
        if shown.empty:
            continue
        by = shown["ranks.partition"].map(" by {}".format).where(shown["ranks.partition"].notna(), "")
        shown = labelled(shown.assign(variant=""), [])
        shown["label"] = shown["strategy"] + shown["n"].map(", N = {:,}".format) + by
        shown["speedup"] = shown["alone"] / shown["time_ms.median"]
        data = shown[["label", "strategy", "workload", "ranks", "speedup"]].assign(
            efficiency=100 * shown["speedup"] / shown["ranks"]
        )
        encoded = looks(data)
        x = alt.X("ranks:Q", title="ranks", scale=alt.Scale(type="log", base=2), axis=alt.Axis(format="d"))
        _, panel = columns_of(2, width)
        pair = [
            alt.Chart(data)
            .mark_line(point=True)
            .encode(
                x=x,
                y=alt.Y(f"{name}:Q", title=title),
                color=encoded["color"],
                strokeDash=encoded["strokeDash"],
                detail="workload:N",
            )
            .properties(width=panel, height=0.75 * panel)
            for name, title in (("speedup", "speed-up over one rank"), ("efficiency", "efficiency [%]"))
        ]
        yield Figure(
            f"ranks{suffix}", alt.hconcat(*pair), "Speed-up over the ranks that share a domain", shown, [words]
        )


Draw = Callable[[pd.DataFrame, Results, float | None], Iterator[Figure]]
CATALOGUE: dict[str, Draw] = {
    "overview": overview,
    "time": time,
    "bandwidth": bandwidth,
    "energy": energy,
    "ranks": ranks,
    "roofline": roofline,
    "heatmap": heatmap,
}


def figures(
    names: Iterable[str], runs: pd.DataFrame, found: Results, width: float | None = None,
    catalogue: Mapping[str, Draw] = CATALOGUE,
) -> Iterator[tuple[str, Figure]]:  # fmt: skip
    """The named figures that the data allows. Input: usable runs; width, of a printed figure in inches."""
    for name in names:
        for figure in catalogue[name](runs, found, width):
            yield name, figure
