"""The figures: Vega-Lite charts of runs, one for each device, engine, block, layout and cache state."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from .frame import Results
from .groups import baseline_words, facets, is_baseline, labelled, plainest, with_factors

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
TIME = ("time_ms.median", "time_ms.ci95.low", "time_ms.ci95.high")
ENDS = ("x", "xlow", "xhigh", "y", "ylow", "yhigh")


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
    known = runs.drop_duplicates("label")
    colours = known["strategy"].map(colour_of)
    place = colours.groupby(colours).cumcount()  # among the labels of one colour
    first = colours.map({colour: k for k, colour in enumerate(dict.fromkeys(colours))})
    ranges = {
        "color": list(colours),
        "shape": [SHAPES[(k + start) % len(SHAPES)] for k, start in zip(place, first)],
        "strokeDash": [list(DASHES[k // len(SHAPES) % len(DASHES)]) for k in place],
    }
    channels = {"color": alt.Color, "shape": alt.Shape, "strokeDash": alt.StrokeDash}
    legend = alt.Legend(title=None, symbolLimit=0, labelLimit=0, symbolOpacity=1)
    return {
        name: channels[name]("label:N", scale=alt.Scale(domain=list(known["label"]), range=values), legend=legend)
        for name, values in ranges.items()
    }


def axis(channel: Any, field: str, title: str, *, log: bool = False, form: str = "~g", **scale: Any) -> Any:
    """A channel x or y with numbers; unless it is logarithmic, the axis need not begin at 0."""
    scale = {"type": "log", "nice": False, **scale} if log else {"zero": False, **scale}
    return channel(f"{field}:Q", title=title, scale=alt.Scale(**scale), axis=alt.Axis(format=form, tickCount=6))


def few_of_each(data: pd.DataFrame) -> pd.Series[bool]:
    """About eight sizes of each line: more markers would only cover each other."""
    each = data.groupby(["workload", "label"])["n"]
    return each.cumcount() % (each.transform("size") // MARKERS).clip(lower=1) == 0


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


def panels_of(
    layers: alt.LayerChart, data: pd.DataFrame, width: float | None, height: Any = None, **apart: str
) -> alt.TopLevelMixin:
    """A panel per workload. Input: apart, the scales that panels do not share."""
    columns, panel = columns_of(data["workload"].nunique(), width)
    layers = layers.properties(width=panel, height=height or 0.75 * panel)
    return layers.facet(facet=alt.Facet("workload:N", title=None), columns=columns).resolve_scale(**apart)


def over_n(
    data: pd.DataFrame, width: float | None, title: str, log: bool = True, rules: Sequence[tuple[str, float]] = ()
) -> alt.TopLevelMixin:
    """
    A panel per workload with a line per label and its interval as a band, or bars where there is a single N. Input:
    title, of y; rules, names and values of horizontal lines.
    """
    encoded, base = looks(data), alt.Chart()
    tips = ["label:N", "n:Q", "value:Q", "low:Q", "high:Q"]
    if data["n"].nunique() == 1:
        y = alt.Y("label:N", title=None, sort=list(dict.fromkeys(data["label"])))
        x = axis(alt.X, "value", f"{title} at N = {data['n'].iloc[0]:,}", zero=True)
        bar = base.mark_bar().encode(y=y, x=x, color=encoded["color"].legend(None), tooltip=tips)
        whisker = base.mark_rule().encode(y=y, x=alt.X("low:Q"), x2="high:Q")
        text = base.mark_text(align="left", dx=4, fontSize=9).encode(y=y, x=x, text=alt.Text("value:Q", format=".3~g"))
        bars = alt.layer(bar, whisker, text, data=data)
        return panels_of(bars, data, width, height=alt.Step(16), y="independent")
    data = data.assign(marked=few_of_each(data))
    x = axis(alt.X, "n", "N", log=log, form=",d", **({"base": 2} if log else {"nice": False}))
    y, low = (axis(alt.Y, name, title, log=log) for name in ("value", "low"))
    band = base.mark_area(opacity=0.2).encode(x=x, y=low, y2="high:Q", color=encoded["color"])
    line = base.mark_line(strokeWidth=1.4).encode(x=x, y=y, color=encoded["color"], strokeDash=encoded["strokeDash"])
    mark = base.mark_point(filled=True, size=22).transform_filter("datum.marked")
    mark = mark.encode(x=x, y=y, color=encoded["color"], shape=encoded["shape"], tooltip=tips)
    once = base.transform_aggregate(rows="count()")  # without, a rule would be drawn for every row of the data
    across = []
    for below, (name, value) in zip((-5, 8), rules):
        across.append(once.mark_rule(color=GREY, strokeDash=[4, 3]).encode(y=alt.datum(value)))
        words = once.mark_text(color=GREY, align="left", dx=2, dy=below, fontSize=8, text=name)
        across.append(words.encode(x=alt.value(0), y=alt.datum(value)))
    return panels_of(alt.layer(*across, band, line, mark, data=data), data, width, x="independent")


def _plain_note(runs: pd.DataFrame) -> str:
    """Says that the factors of variants are over the plainest baseline, not over the one in their records."""
    return "I of variants: over the plainest baseline" if (runs["plainness"] > 0).any() else ""


def overview(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """I over N, one line per strategy, one panel per workload"""
    for suffix, words, members in facets(runs, PICTURE):
        shown = plainest(labelled(with_factors(members, plain=True)))
        shown = _panels(shown[~is_baseline(shown) & shown["I"].notna()])
        if len(shown):
            data = points(shown, ("I", "I.low", "I.high"))
            chart = over_n(data, width, "I = T(baseline) / T", log=False, rules=[("", 1.0)])
            title = f"Improvement over {baseline_words(shown)}, over N"
            yield Figure(f"overview{suffix}", chart, title, shown, [words, BAND_NOTE, _plain_note(shown)])


def time(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """time per cell over N on log axes"""
    for suffix, words, members in facets(runs[runs["throughput.cells_per_s"] > 0], PICTURE):
        shown = _panels(plainest(labelled(with_factors(members))))
        per_cell = 1e12 / (shown["throughput.cells_per_s"] * shown["time_ms.median"])
        chart = over_n(points(shown, TIME, per_cell), width, "ps per cell")
        yield Figure(f"time{suffix}", chart, "Time per cell over N", shown, [words, BAND_NOTE])


def bandwidth(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """bandwidth over N on log axes, with the measured peaks"""
    for suffix, words, members in facets(runs[runs["throughput.gb_per_s"] > 0], PICTURE):
        shown = _panels(plainest(labelled(with_factors(members))))
        peaks = found.peaks(shown)
        names = [name for name in ("fill", "copy") if name in peaks]
        rules = [(f"peak {name} {peaks[name]:,.0f} GB/s", peaks[name]) for name in names]
        data = points(shown, ("throughput.gb_per_s",) * 3)
        chart = over_n(data, width, "GB/s", rules=rules)
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
        base = alt.Chart(data).encode(
            x=alt.X("column:N", title=None, axis=alt.Axis(labelAngle=-30, labelLimit=0)),
            y=alt.Y("label:N", title=None, sort=list(dict.fromkeys(shown["label"])), axis=alt.Axis(labelLimit=0)),
        )
        # One scale for every heat map, so that a colour means the same factor in all of them.
        ends, colours = [math.log2(0.4), 0.0, math.log2(2.5)], ["#b35806", "#f7f7f7", "#542788"]
        scale = alt.Scale(domain=ends, range=colours, clamp=True)
        rect = base.mark_rect(stroke="white").encode(alt.Color("log:Q", scale=scale, legend=alt.Legend(title="log2 I")))
        ink = alt.when("datum.dark").then(alt.value("white")).otherwise(alt.value("black"))
        text = base.mark_text(fontSize=10).encode(text=alt.Text("I:Q", format=".2f"), color=ink)
        chart = alt.layer(rect, text).properties(width=alt.Step(62), height=alt.Step(20))
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
        panel = columns_of(shown["roofline.arithmetic"].nunique(), width)[1]
        panels = []
        for kind, mine in shown.groupby("roofline.arithmetic"):
            data = mine[["label", "strategy", "workload", "n", intensity, rate]]
            data = data.rename(columns={intensity: "x", rate: "y"})
            data["largest"] = data["n"] == data.groupby("workload")["n"].transform("max")
            data = data[data["largest"] | few_of_each(data)]
            chart = _roofline_panel(data, *_ceilings(found.peaks(mine), str(kind), data), looks(shown))
            panels.append(chart.properties(title=ARITHMETIC[str(kind)], width=panel, height=panel))
        title = "Roofline: operations per second over operations per byte"
        notes = [words, "pale: smaller N", without]
        yield Figure(f"roofline{suffix}", alt.hconcat(*panels), title, shown, notes)


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
    at = {
        "x": axis(alt.X, "x", "operations per byte", log=True, domain=ends),
        "y": axis(alt.Y, "y", "Gop/s", log=True, nice=True),
    }
    opacity = alt.when("datum.largest").then(alt.value(0.9)).otherwise(alt.value(0.25))
    tips = ["workload:N", "label:N", "n:Q", "x:Q", "y:Q"]
    mark = alt.Chart(data).mark_point(size=30)
    mark = mark.encode(**at, color=encoded["color"], shape=encoded["shape"], opacity=opacity, tooltip=tips)
    tops = data.sort_values("y").drop_duplicates("workload", keep="last")
    names = alt.Chart(tops).mark_text(dy=-9, fontSize=9).encode(**at, text="workload:N")
    line = alt.Chart(ceilings).mark_line(color=GREY, strokeWidth=1.2).encode(**at, detail="name:N")
    said = ceilings.drop_duplicates("name")
    legend = [
        alt.Chart(said.iloc[[k]]).mark_text(color=GREY, fontSize=8, align="left", dy=dy).encode(**at, text="name:N")
        for k, dy in zip(range(len(said)), (-5, 10, -5))
    ]
    return alt.layer(line, *legend, mark, names)


def energy(runs: pd.DataFrame, found: Results, width: float | None) -> Iterator[Figure]:
    """joules over time per launch, a point per strategy at the largest N (tribench --energy)"""
    names = dict(zip((*TIME, "energy.launch_j", "energy.ci95.low", "energy.ci95.high"), ENDS))
    for suffix, words, members in facets(runs[runs["energy.launch_j"].notna()], PICTURE):
        shown = labelled(members[members["n"] == members.groupby("workload")["n"].transform("max")])
        data = shown[["label", "strategy", "workload", "n", *names]].rename(columns=names)
        encoded = looks(data)
        base = alt.Chart().encode(color=encoded["color"])
        (x, xlow), (y, ylow) = (
            [axis(channel, field, title) for field in (name, f"{name}low")]
            for channel, name, title in ((alt.X, "x", "time [ms]"), (alt.Y, "y", "energy [J]"))
        )
        tips = ["label:N", "n:Q", "x:Q", "y:Q"]
        mark = base.mark_point(filled=True, size=40).encode(x=x, y=y, shape=encoded["shape"], tooltip=tips)
        across = base.mark_rule().encode(x=xlow, x2="xhigh:Q", y=y)
        up = base.mark_rule().encode(y=ylow, y2="yhigh:Q", x=x)
        chart = panels_of(alt.layer(across, up, mark, data=data), data, width, x="independent", y="independent")
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
        data = shown[["label", "strategy", "workload", "ranks"]].assign(
            speedup=shown["alone"] / shown["time_ms.median"],
            efficiency=lambda data: 100 * data["speedup"] / data["ranks"],
        )
        encoded = looks(data)
        panel = columns_of(2, width)[1]
        line = alt.Chart(data).mark_line(point=True).properties(width=panel, height=0.75 * panel)
        line = line.encode(axis(alt.X, "ranks", "ranks", log=True, form="d", base=2), encoded["color"],
                           encoded["strokeDash"], detail="workload:N")  # fmt: skip
        pair = [
            line.encode(y=axis(alt.Y, name, title, zero=True))
            for name, title in (("speedup", "speed-up over one rank"), ("efficiency", "efficiency [%]"))
        ]
        title = "Speed-up over the ranks that share a domain"
        yield Figure(f"ranks{suffix}", alt.hconcat(*pair), title, shown, [words])


Draw = Callable[[pd.DataFrame, Results, float | None], Iterator[Figure]]
CATALOGUE: dict[str, Draw] = {
    "overview": overview, "time": time, "bandwidth": bandwidth, "energy": energy, "ranks": ranks, "roofline": roofline,
    "heatmap": heatmap,
}  # fmt: skip
