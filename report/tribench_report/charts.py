"""The figures: Vega-Lite charts of runs, one for each device, engine, block, layout and cache state."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from .frame import Results
from .groups import baseline_words, facets, is_baseline, labelled, plainest, with_factors
from .intervals import factor

alt.data_transformers.disable_max_rows()

# The colour of each strategy, in every figure and on the page. A family shares a hue: Okabe and Ito's palette without
# its yellow, which is too pale for a line on white, and darker and lighter shades of it.
COLOURS = {
    "bb": "#000000", "bb-t": "#777777", "ltm-x": "#56B4E9", "ltm-n": "#5e4fa2", "ltm-r": "#0072B2",
    "ltm-x-rev": "#56B4E9", "ltm-n-rev": "#5e4fa2", "ltm-r-rev": "#0072B2", "ltm-i": "#08306b", "ltm-t": "#08306b",
    "ltm-g": "#2166ac", "morton": "#998ec3", "utm": "#D55E00", "utm-t": "#f0926b", "utm-b": "#7f2704",
    "rb": "#009E73", "rb-b": "#00523a", "rec": "#E69F00", "hmap": "#8c510a", "hmap-tc": "#bf812d", "dp": "#CC79A7",
    "cyclic": "#66a61e", "diagonal": "#7a8f1e", "rows": "#e7298a", "rows-lpt": "#a6004d", "rows-fold": "#f781bf",
    "rows-list": "#6a51a3",
    "bb-tetra": "#000000", "dp-tetra": "#D55E00", "rec-tetra": "#E69F00",
    "ltm-tetra": "#0072B2", "ltm-rows": "#08306b", "rb-tetra": "#009E73", "hmap-tetra": "#8c510a",
}  # fmt: skip
OTHERS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#8c510a", "#000000")
SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "triangle-right", "triangle-left")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3))
GREY = "#777777"
PANEL = 250  # [px] the width of a panel on the screen
PANEL_INCHES = 2.2  # narrower panels of a printed figure go to another row
AROUND = 74  # [px] above and below a panel: its name, its axis
LEAST_HIGH = 36  # [px] of a panel; where the rows would be lower, there are more columns
PICTURE = ("engine", "block", "layout", "cache")
MARKERS = 8
MOST_LINES = 5  # beside the baseline; others are thin and grey
LONGEST_NAME = 16  # [characters] that fit beside a line
NAME_HIGH = 11  # [px]
INCHES_HIGH = 8.0  # at most, of a printed figure
WHISKERS = "whiskers: 95 % interval of the median, cut where they leave the range of all medians"
TIME = ("time_ms.median", "time_ms.ci95.low", "time_ms.ci95.high")
Axis = dict[str, Any]  # the arguments of `axis`
Encodings = dict[str, alt.SchemaBase]


@dataclass(slots=True)
class Figure:
    """A chart for the file `name`, with its title and what its caption says."""

    name: str
    chart: alt.TopLevelMixin
    title: str
    caption: str

    def finished(self, with_words: bool) -> alt.TopLevelMixin:
        """The chart with its title and caption, or for a printed page, which has its own, without."""
        if not with_words:
            return self.chart.configure(**CONFIG, legend={"orient": "bottom", "columns": 3})
        small = {"subtitle": textwrap.wrap(self.caption, 110), "subtitleColor": "#444444", "subtitleFontSize": 10}
        title = alt.TitleParams(self.title, anchor="start", **small)
        return self.chart.properties(title=title).configure(**CONFIG)


CONFIG = {
    "font": "DejaVu Sans, sans-serif", "background": "white", "view": {"stroke": None},
    "axis": {"gridColor": "#dddddd", "labelFontSize": 10, "titleFontSize": 10, "titleFontWeight": "normal"},
    "header": {"labelFontWeight": "bold", "labelAnchor": "start", "title": None},
}  # fmt: skip


# ---------------------------------------------------------------- looks


def looks(runs: pd.DataFrame) -> Encodings:
    """The encodings of `label` by colour (of `strategy`), shape and dash: no two labels have all three alike."""
    known = runs.drop_duplicates("label")
    colours = known["strategy"].map(lambda name: COLOURS.get(name) or OTHERS[sum(map(ord, name)) % len(OTHERS)])
    place = colours.groupby(colours).cumcount()  # among the labels of one colour
    start, _ = pd.factorize(colours)
    ranges = {
        "color": list(colours),
        "shape": [SHAPES[k % len(SHAPES)] for k in place + start],
        "strokeDash": [list(DASHES[k // len(SHAPES) % len(DASHES)]) for k in place],
    }
    channels = {"color": alt.Color, "shape": alt.Shape, "strokeDash": alt.StrokeDash}
    legend = alt.Legend(title=None, symbolLimit=0, labelLimit=0, symbolOpacity=1)
    return {
        name: channels[name]("label:N", scale=alt.Scale(domain=list(known["label"]), range=values), legend=legend)
        for name, values in ranges.items()
    }


def axis(channel: Any, field: str, title: str, *, log: bool = False, form: str = ",~r", **scale: Any) -> Any:
    """A channel x or y with numbers; unless it is logarithmic, the axis need not begin at 0."""
    scale = {"type": "log", "nice": False, **scale} if log else {"zero": False, **scale}
    lines = alt.Axis(format=form, tickCount=6, grid=True)
    return channel(f"{field}:Q", title=title, scale=alt.Scale(**scale), axis=lines)


def few_of_each(data: pd.DataFrame) -> pd.Series[bool]:
    """About eight points of each line: more markers would only cover each other."""
    each = data.groupby(["panel", "label"])["n"]
    return each.cumcount() % (each.transform("size") // MARKERS).clip(lower=1) == 0


# ---------------------------------------------------------------- points with whiskers, in panels


def points(runs: pd.DataFrame, y: Sequence[str], x: Sequence[str] = ("n",), scale: Any = 1.0) -> pd.DataFrame:
    """
    The data of a figure: panel, label, strategy, n, and x and y with the ends of their intervals, where they have any.

    Input: with a label; y and x, the columns of a value, and of its low and high end; scale, what y is multiplied by
    """
    found = runs[["label", "strategy", "n"]].assign(panel=runs["workload"])
    for axis, names in (("x", x), ("y", y)):
        for end, name in zip(("", "low", "high"), names):
            found[axis + end] = runs[name] * (scale if axis == "y" else 1.0)
    return found.dropna(subset=["x", "y"])


def clipped(data: pd.DataFrame, one: str, log: bool = False, by_panel: bool = True) -> pd.DataFrame:
    """Adds the whiskers of x or y, cut a little beyond the medians. Input: by_panel, whether each has its own scale"""
    values = np.log(data[one]) if log else data[one]
    each = values.groupby(list(data["panel"]) if by_panel else [0] * len(data))
    least, most = each.transform("min"), each.transform("max")
    room = 0.15 * (most - least) + (0.1 if log else 0.1 * most.abs())
    ends = [np.exp(end) if log else end for end in (least - room, most + room)]
    low, high = (data[one + end].clip(*ends).fillna(data[one]) for end in ("low", "high"))
    return data.assign(**{f"{one}from": low, f"{one}to": high})


def layers(
    encoded: Encodings, x: Axis, y: Axis, base: alt.Chart | None = None, whiskers: str = "", line: bool = True,
    below: Sequence[alt.Chart] = (), **more: alt.SchemaBase
) -> alt.LayerChart:  # fmt: skip
    """
    Markers of x and y, but where `marked` is false. Input: encoded, from `looks`; base, where the data is not that of
    `panels_of`; whiskers, of "x", "y" or "xy", as `clipped` has them; below, what lies below the markers; more, their
    other encodings
    """
    base, at = base or alt.Chart(), {"x": axis(alt.X, "x", **x), "y": axis(alt.Y, "y", **y)}
    base, found = base.encode(color=encoded["color"], **more), list(below)
    for one, channel, about in (("x", alt.X, x), ("y", alt.Y, y)):
        if one in whiskers:
            ends = {**at, one: axis(channel, f"{one}from", **about), f"{one}2": f"{one}to:Q"}
            found.append(base.mark_rule().encode(**ends))
    if line:
        found.append(base.mark_line(strokeWidth=1.4).encode(**at, strokeDash=encoded["strokeDash"]))
    tips = ["label:N", alt.Tooltip("n:Q", title="N", format=",")]
    tips += [alt.Tooltip(f"{one}:Q", title=of["title"]) for one, of in (("x", x), ("y", y)) if of["title"] != "N"]
    tips += [alt.Tooltip(f"{one}{end}:Q", title=end) for one in whiskers for end in ("low", "high")]
    mark = base.mark_point(filled=True, size=25).transform_filter("datum.marked !== false")
    return alt.layer(*found, mark.encode(**at, shape=encoded["shape"], tooltip=tips))


def columns_of(count: int, width: float | None) -> tuple[int, float, float]:
    """The columns of `count` panels, and the width and height of each [px]. Input: width of a printed figure [in]"""
    wide = count if count <= 3 else 2 if count == 4 else 3
    if width is None:
        return wide, PANEL, 0.75 * PANEL
    room = 72 * INCHES_HIGH - 20
    wide = max(1, min(wide, int(width / PANEL_INCHES)))
    while room / math.ceil(count / wide) < LEAST_HIGH + AROUND:
        wide += 1
    panel = (72 * width - 20) / wide - 50
    return wide, int(panel), int(min(0.75 * panel, room / math.ceil(count / wide) - AROUND))


def panels_of(
    drawn: alt.LayerChart, data: pd.DataFrame, width: float | None, height: Any = None, names: int = 0, **apart: str
) -> alt.TopLevelMixin:
    """Side by side. Input: names, the room to the right of each [px], in place of a legend; apart, the scales that
    panels do not share."""
    columns, panel, high = columns_of(data["panel"].nunique(), width)
    drawn = drawn.properties(data=data, width=panel - names if width else panel, height=height or high)
    found = drawn.facet(facet=alt.Facet("panel:N", title=None), columns=columns).resolve_scale(**apart)
    return found.properties(spacing=20) if names else found


# ---------------------------------------------------------------- values over N


def _bars(data: pd.DataFrame, whiskers: str, title: str) -> alt.LayerChart:
    """Of a single N."""
    base = alt.Chart().encode(y=alt.Y("label:N", title=None, sort=list(dict.fromkeys(data["label"]))))
    x = axis(alt.X, "y", f"{title} at N = {data['n'].iloc[0]:,}", zero=True)
    bar = base.mark_bar().encode(x=x, color=looks(data)["color"].legend(None), tooltip=["label:N", "n:Q", "y:Q"])
    end = alt.X("yto:Q") if whiskers else x
    text = base.mark_text(align="left", dx=4, fontSize=9).encode(x=end, text=alt.Text("y:Q", format=".3~g"))
    return alt.layer(bar, *(base.mark_rule().encode(x="yfrom:Q", x2="yto:Q") for _ in whiskers), text)


def _rules(rules: Mapping[str, float]) -> Iterator[alt.Chart]:
    once = alt.Chart().transform_aggregate(rows="count()")  # else a rule would be drawn for every row of the data
    for below, (name, value) in zip((-5, 8), rules.items()):
        yield once.mark_rule(color=GREY, strokeDash=[4, 3]).encode(y=alt.datum(value))
        words = once.mark_text(color=GREY, align="left", dx=2, dy=below, fontSize=8, text=name)
        yield words.encode(x=alt.value(0), y=alt.datum(value))


def _with_panels(runs: pd.DataFrame) -> pd.DataFrame:
    """Without workloads of a single N, unless all are: the heat map shows these better than a column of dots."""
    sizes = runs.groupby("workload")["n"].transform("nunique")
    return runs[sizes > 1] if (sizes > 1).any() else runs


def _plain_note(runs: pd.DataFrame) -> str:
    """Says that the factors of variants are over the plainest baseline, not over the one in their records."""
    return "I of variants: over the plainest baseline" if (runs["plainness"] > 0).any() else ""


def main_labels(runs: pd.DataFrame) -> list[str]:
    """Of baselines, and of those nearest to the fastest of some panel, at the largest N that all of it reach."""
    reach = runs.groupby(["workload", "label"])["n"].max().groupby("workload").min()
    last = runs[runs["n"] == runs["workload"].map(reach)]
    share = last["time_ms.median"] / last.groupby("workload")["time_ms.median"].transform("min")
    best = share.groupby(last["label"]).min().sort_values(kind="stable")
    bases = set(runs.loc[is_baseline(runs), "label"])
    chosen = {*bases, *[label for label in best.index if label not in bases][:MOST_LINES]}
    return [label for label in runs["label"].unique() if label in chosen]


def with_names(data: pd.DataFrame, labels: Sequence[str], log: bool, high: float) -> pd.DataFrame:
    """Adds `main`, whether a line is in `labels`, and `place`, y of the name at its end. Input: high, a panel [px]"""
    data = data.assign(main=data["label"].isin(labels), place=np.nan)
    values = np.log(data["y"]) if log else data["y"]
    least, most = values.min(), values.max()
    ends = values[data["main"]].groupby([data["panel"], data["label"]]).tail(1)
    for _, mine in ends.groupby(data["panel"]):
        mine = mine.sort_values()
        steps = min(NAME_HIGH / high, 1 / max(len(mine) - 1, 1)) * (most - least) * np.arange(len(mine))
        spread = np.maximum.accumulate(mine.to_numpy() - steps) + steps
        spread -= (spread - mine.to_numpy()).mean()
        spread += max(least - spread[0], 0.0) - max(spread[-1] - most, 0.0)
        data.loc[mine.index, "place"] = np.exp(spread) if log else spread
    return data


# A chart with its title, the runs that it shows, and notes for its caption; None where the runs lack what it shows.
Drawn = tuple[alt.TopLevelMixin, str, pd.DataFrame, Sequence[str]] | None


def over_n(
    title: str, measure: str, columns: Sequence[str], runs: pd.DataFrame, found: Results, width: float | None
) -> Drawn:
    """A panel per workload with a line per strategy. Input: columns, of y and of its interval"""
    is_factor, whiskers = columns[0] == "I", "y" if len(columns) > 1 else ""
    shown = plainest(labelled(with_factors(runs, plain=is_factor)))
    shown = shown[~is_baseline(shown)] if is_factor else shown
    shown = _with_panels(shown[(shown[columns[0]] > 0) & (shown["throughput.cells_per_s"] > 0)])
    per_cell = 1e12 / (shown["throughput.cells_per_s"] * shown["time_ms.median"])
    data = points(shown, columns, scale=per_cell if columns is TIME else 1.0)
    if data.empty:
        return None
    is_alone = data["n"].nunique() == 1
    data = clipped(data, "y", not is_factor and not is_alone, by_panel=False) if whiskers else data
    notes = [WHISKERS if whiskers else "", _plain_note(shown) if is_factor else ""]
    if is_alone:
        chart = panels_of(_bars(data, whiskers, measure), data, width, height=alt.Step(16), y="independent")
        return chart, title.format(baseline_words(shown)), shown, notes
    peaks = {} if is_factor or columns is TIME else found.peaks(shown)
    rules = {f"peak {kind} {peaks[kind]:,.0f} GB/s": peaks[kind] for kind in ("fill", "copy") if kind in peaks}
    below = list(_rules({"": 1.0} if is_factor else rules))
    x = Axis(title="N", form=",d", **({"nice": False} if is_factor else {"log": True, "base": 2}))
    labels = main_labels(shown)
    _, _, high = columns_of(data["panel"].nunique(), width)
    data = with_names(data.assign(marked=few_of_each(data)).reset_index(drop=True), labels, not is_factor, high)
    chart = _lines(data, x, Axis(title=measure, log=not is_factor), whiskers, below, width)
    others = data["label"].nunique() - len(set(labels) & set(data["label"]))
    notes.append(f"grey: {others} others" if others else "")
    return chart, title.format(baseline_words(shown)), shown, notes


def _lines(
    data: pd.DataFrame, x: Axis, y: Axis, whiskers: str, below: Sequence[alt.Chart], width: float | None
) -> alt.TopLevelMixin:
    """The lines that matter with their names at their ends, or a legend if these are long; the others grey."""
    at, below = {"x": axis(alt.X, "x", **x), "y": axis(alt.Y, "y", **y)}, list(below)
    encoded = looks(data[data["main"]])
    longest = int(data.loc[data["main"], "label"].str.len().max())
    if not data["main"].all():
        grey = alt.Chart().transform_filter("!datum.main").mark_line(strokeWidth=0.7, color="#bbbbbb")
        below.insert(0, grey.encode(**at, detail="label:N", tooltip=["label:N", "n:Q", "y:Q"]))
    if longest <= LONGEST_NAME:
        for one in encoded.values():
            one["legend"] = None
        text = alt.Chart().transform_filter("isValid(datum.place)").mark_text(align="left", dx=6, fontSize=9)
        place = axis(alt.Y, "place", **y)
        below.append(text.encode(x=at["x"], y=place, text="label:N", color=encoded["color"]))
    chart = layers(encoded, x, y, alt.Chart().transform_filter("datum.main"), whiskers=whiskers, below=below)
    return panels_of(chart, data, width, names=6 * longest + 6 if longest <= LONGEST_NAME else 0, x="independent")


# ---------------------------------------------------------------- others


def heatmap(runs: pd.DataFrame, found: Results, width: float | None) -> Drawn:
    every = labelled(with_factors(runs, plain=True))
    every = every[~is_baseline(every) & every["I"].notna()]
    if every["label"].nunique() < 2:
        return None
    counts = every.groupby(["workload", "n"])["strategy"].nunique().reset_index().sort_values(["strategy", "n"])
    best = counts.drop_duplicates("workload", keep="last")[["workload", "n"]]
    shown = every.merge(best, on=["workload", "n"]).drop_duplicates(["workload", "label"])
    several = shown["n"].nunique() > 1
    shown["column"] = shown["workload"] + (shown["n"].map(", N = {:,}".format) if several else "")
    log = np.log2(shown["I"])
    data = shown[["label", "column", "I"]].assign(log=log, dark=log.abs() > 0.8, said=shown["I"].map(factor))
    base = alt.Chart(data).encode(
        x=alt.X("column:N", title=None, axis=alt.Axis(labelAngle=-30, labelLimit=0)),
        y=alt.Y("label:N", title=None, sort=list(dict.fromkeys(shown["label"])), axis=alt.Axis(labelLimit=0)),
    )
    step = min(62.0, (72 * width - 110) / shown["column"].nunique()) if width else 62.0
    # One scale for every heat map, so that a colour means the same factor in all of them.
    ends, colours = [math.log2(0.4), 0.0, math.log2(2.5)], ["#b35806", "#f7f7f7", "#542788"]
    scale = alt.Scale(domain=ends, range=colours, clamp=True)
    rect = base.mark_rect(stroke="white").encode(alt.Color("log:Q", scale=scale, legend=alt.Legend(title="log2 I")))
    ink = alt.when("datum.dark").then(alt.value("white")).otherwise(alt.value("black"))
    text = base.mark_text(fontSize=min(10.0, step / 2.6)).encode(text="said:N", color=ink)
    chart = alt.layer(rect, text).properties(width=alt.Step(step), height=alt.Step(20))
    title = f"Improvement over {baseline_words(shown)}" + ("" if several else f" at N = {shown['n'].iloc[0]:,}")
    return chart, title, shown, ["purple: faster than the baseline, orange: slower", _plain_note(shown)]


# One panel per kind of arithmetic, because each has its own ceiling.
ARITHMETIC = {"fp32": "FP32", "fp64": "FP64", "int32": "Integers, 32 bits", "tensor": "Tensor cores"}


def roofline(runs: pd.DataFrame, found: Results, width: float | None) -> Drawn:
    intensity, rate = "roofline.operations_per_byte", "roofline.gop_per_s"
    # dummy's four bytes are no amount of data: it would lie decades to the right.
    placed = runs[runs["roofline.arithmetic"].isin(ARITHMETIC) & (runs["roofline.bytes"] >= runs["n"])]
    shown = labelled(placed[(placed[intensity] > 0) & (placed[rate] > 0)], [])
    if shown.empty:
        return None
    absent = sorted(set(runs["workload"]) - set(shown["workload"]))
    without = f"no point: {', '.join(absent)}, with nothing to compute or to move" if absent else ""
    largest = shown["n"] == shown.groupby("workload")["n"].transform("max")
    data = points(shown, (rate,), (intensity,)).assign(workload=shown["workload"], largest=largest)
    data = data[largest | few_of_each(data)]
    data["top"] = data["y"] == data.groupby("workload")["y"].transform("max")
    data["panel"] = shown["roofline.arithmetic"].map(ARITHMETIC)
    peaks = found.peaks(shown)
    kinds = {kind: data[data["panel"] == panel] for kind, panel in ARITHMETIC.items()}
    ceilings = [_ceilings(peaks, kind, mine) for kind, mine in kinds.items() if len(mine)]
    x, y = Axis(title="operations per byte", log=True), Axis(title="Gop/s", log=True)
    base = alt.Chart().encode(x=axis(alt.X, "x", **x), y=axis(alt.Y, "y", **y))
    below = [base.transform_filter("datum.ceiling").mark_line(color=GREY, strokeWidth=1.2).encode(detail="ceiling:N")]
    # The names of the bandwidths stand to the left of their upper ends, where no run can be.
    for k, (align, dx, dy) in enumerate((("right", -24, 10), ("right", -44, 20), ("left", 0, -5))):
        end = base.transform_filter(f"datum.said === {k}").encode(text="ceiling:N")
        below.append(end.mark_text(color=GREY, fontSize=8, align=align, dx=dx, dy=dy))
    below.append(base.transform_filter("datum.top").mark_text(dy=-9, fontSize=9).encode(text="workload:N"))
    pale = alt.when("datum.largest").then(alt.value(0.9)).otherwise(alt.value(0.25))
    chart = layers(looks(data), x, y, line=False, below=below, opacity=pale)
    chart = panels_of(chart, pd.concat([data, *ceilings]), width, height=PANEL, x="independent")
    return chart, "Roofline: operations per second over operations per byte", shown, ["pale: smaller N", without]


def _ceilings(peaks: dict[str, float], kind: str, data: pd.DataFrame) -> pd.DataFrame:
    """The ends of the ceilings, with the ridges in view; without ceilings, the ends of a view that is as wide."""
    top, rates = peaks.get(kind), {name: peaks[name] for name in ("fill", "copy") if name in peaks}
    ridges = [top / rate for rate in rates.values()] if top else []
    left, right = min([*data["x"], *ridges]) / 4.0, max([*data["x"], *ridges]) * 4.0
    rows: list[tuple[str, float, float, int | None]] = []
    for k, (name, rate) in enumerate(rates.items()):
        end, words = min(right, top / rate) if top else right, f"peak {name} {rate:,.0f} GB/s"
        rows += [(words, left, left * rate, None), (words, end, end * rate, k)]
    rows += [(f"peak {kind} {top:,.0f} Gop/s", x, top, at) for x, at in ((left, 2), (right, None))] if top else []
    rows = rows or [("", x, data["y"].min(), 0) for x in (left, right)]
    found = pd.DataFrame(rows, columns=["ceiling", "x", "y", "said"]).astype({"said": float})
    return found.assign(marked=False, panel=ARITHMETIC[kind])


def energy(runs: pd.DataFrame, found: Results, width: float | None) -> Drawn:
    runs = runs[runs["energy.launch_j"].notna()]
    if runs.empty:
        return None
    shown = labelled(runs[runs["n"] == runs.groupby("workload")["n"].transform("max")])
    data = points(shown, ("energy.launch_j", "energy.ci95.low", "energy.ci95.high"), TIME)
    data = clipped(clipped(data, "x"), "y")
    drawn = layers(looks(data), Axis(title="time [ms]"), Axis(title="energy [J]"), whiskers="xy", line=False)
    chart = panels_of(drawn, data, width, x="independent", y="independent")
    idle = found.idle_power(shown)
    note = f"energy by the device's counter, what it takes at rest included; {WHISKERS}"
    notes = [note, f"at rest the device took {idle:.0f} W" if idle else ""]
    return chart, "Energy over time of a launch", shown, notes


def ranks(runs: pd.DataFrame, found: Results, width: float | None) -> Drawn:
    runs, each = runs.assign(ranks=runs["ranks.count"].fillna(1)), ["workload", "strategy", "n"]
    alone = runs[runs["ranks"] == 1].drop_duplicates(each).set_index(each)["time_ms.median"]
    shown = labelled(runs.join(alone.rename("alone"), on=each).dropna(subset="alone"), [])
    shown = shown[shown.groupby(each)["ranks"].transform("nunique") > 1]
    if shown.empty:
        return None
    by = shown["ranks.partition"].map(" by {}".format, na_action="ignore").fillna("")
    shown["label"] = shown["strategy"] + shown["n"].map(", N = {:,}".format) + by
    shown["speed-up over one rank"] = shown["alone"] / shown["time_ms.median"]
    shown["efficiency [%]"] = 100 * shown["speed-up over one rank"] / shown["ranks"]
    data = pd.concat(
        points(shown, (measure,), ("ranks",)).assign(panel=shown["workload"] + ": " + measure)
        for measure in ("speed-up over one rank", "efficiency [%]")
    )
    x = Axis(title="ranks", log=True, form="d", base=2)
    chart = panels_of(layers(looks(data), x, Axis(title=None, zero=True)), data, width, y="independent")
    return chart, "Speed-up over the ranks that share a domain", shown, []


# By its name what a figure shows, what draws it, and what its runs must agree in beside the device.
CATALOGUE: dict[str, tuple[str, Callable[[pd.DataFrame, Results, float | None], Drawn], Sequence[str]]] = {
    "overview": (
        "I over N, one line per strategy, one panel per workload",
        partial(over_n, "Improvement over {}, over N", "I = T(baseline) / T", ("I", "I.low", "I.high")), PICTURE,
    ),
    "time": ("time per cell over N on log axes", partial(over_n, "Time per cell over N", "ps per cell", TIME), PICTURE),
    "bandwidth": (
        "bandwidth over N on log axes, with the measured peaks",
        partial(over_n, "Bandwidth over N", "GB/s", ("throughput.gb_per_s",)), PICTURE,
    ),
    "energy": (
        "joules over time per launch, a point per strategy at the largest N (tribench --energy)", energy, PICTURE,
    ),
    "ranks": ("speed-up and efficiency over the ranks that share a domain (tribench --ranks)", ranks, PICTURE),
    "roofline": (
        "operations per second over operations per byte, a look per strategy", roofline, ("engine", "ranks.count"),
    ),
    "heatmap": ("strategies by workloads, I at the N where most strategies have one", heatmap, PICTURE),
}  # fmt: skip


def figures(name: str, runs: pd.DataFrame, found: Results, width: float | None = None) -> Iterator[Figure]:
    """Of each device and setting. Input: name, in CATALOGUE; width of a printed figure in inches"""
    _, draw, columns = CATALOGUE[name]
    for suffix, words, members in facets(runs, columns):
        drawn = draw(members, found, width)
        if drawn is None:
            continue
        chart, title, shown, notes = drawn
        unchecked, hot = int((shown["verified.status"] != "pass").sum()), int(shown["throttled"].sum())
        notes = [words, *notes, f"{unchecked} of {len(shown)} runs not verified" if unchecked else ""]
        notes += [f"{hot} of {len(shown)} runs were throttled" if hot else "", *found.devices(shown)]
        caption = [*notes, found.version(shown), f"measured {found.date(shown)}"]
        yield Figure(name + suffix, chart, title, " · ".join(filter(None, caption)))
