"""Panels of lines and bars, in plain matplotlib, and what runs become in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator
from tribench_report.groups import baseline_words, is_baseline, plainest, strategy_rank

from .bench import intervals

# Okabe and Ito's palette without its yellow, which is too pale for a line on white.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#8c510a", "#000000")
MARKERS, DASHES = "osD^vP*X", ("-", "--", "-.", ":")
GREY = "#777777"
BAND = "bands and bars: 95 % intervals of the median"
FACTOR = "I = T(baseline) / T"
ENDS = ("value", "low", "high")
Lines = Mapping[str, pd.DataFrame]  # by label: value, low and high, by N
Bar = tuple[str, Any, str]  # label, value with low and high, colour


@dataclass
class Panel:
    """Lines over N, or bars where there is a single N, or where these are given; grey: what others published."""

    title: str
    lines: Lines
    y: str
    log: bool = False
    grey: Lines = field(default_factory=dict)
    x: str = "N"
    bars: Sequence[Bar] = ()

    @property
    def ns(self) -> list[int]:
        return sorted({n for line in self.lines.values() for n in line.index})


@dataclass
class Drawing:
    """A figure's panels, what is told below it, and the runs that it shows. said: what is told of published values."""

    suffix: str
    title: str
    panels: Sequence[Panel]
    notes: list[str]
    runs: pd.DataFrame
    said: str = ""

    def figure(self) -> Figure:
        count = len(self.panels)
        figure = Figure(figsize=(max(5.6, (4.0 if count < 4 else 3.0) * count), 3.8), layout="constrained")
        figure.suptitle(self.title, x=0.01, ha="left", fontsize=11)
        axes = list(figure.subplots(1, count, squeeze=False)[0])
        for one, panel in zip(axes, self.panels):
            one.spines[["top", "right"]].set_visible(False)
            one.grid(alpha=0.25)
            one.set_title(panel.title, loc="left", fontsize=9)
            draw(one, panel)
        if all(panel.y == FACTOR for panel in self.panels):
            share_scale(axes)
        return figure


# ---------------------------------------------------------------- panels


def gains(runs: pd.DataFrame) -> pd.DataFrame:
    found = runs.set_index("n")[["I", "I.low", "I.high"]].set_axis(ENDS, axis=1)
    return found.assign(low=found["low"].fillna(found["value"]), high=found["high"].fillna(found["value"])).dropna()


def times(runs: pd.DataFrame, factor: float = 1.0) -> pd.DataFrame:
    return intervals(runs.set_index("n"))[list(ENDS)] * factor


def exactly(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """Values without intervals."""
    return pd.DataFrame(dict.fromkeys(ENDS, runs.set_index("n")[column])).dropna()


def levels(values: Mapping[str, tuple[float, float]], lines: Lines) -> dict[str, pd.DataFrame]:
    """Published values of what has a line, from low to high, at all N."""
    ns = sorted({n for line in lines.values() for n in line.index})
    return {
        name: pd.DataFrame({"low": low, "high": high}, index=[ns[0], ns[-1]])
        for name, (low, high) in values.items()
        if name in lines
    }


def draw(axes: Axes, panel: Panel) -> None:
    lines = {label: line.sort_index() for label, line in panel.lines.items() if len(line)}
    if panel.bars or len(panel.ns) == 1:
        alone = [(label, line.iloc[0], PALETTE[k % 8]) for k, (label, line) in enumerate(lines.items())]
        _bars(axes, panel.bars or alone)
        axes.set_xlabel(panel.x if panel.bars else f"{panel.y.partition(' = ')[0]}, N = {panel.ns[0]:,}")
        return
    for k, (label, line) in enumerate(lines.items()):
        colour, every = PALETTE[k % 8], max(1, len(line) // 8)
        axes.plot(line.index, line["value"], DASHES[k // 8 % 4], marker=MARKERS[k % 8], markevery=every, ms=4, lw=1.3,
                  color=colour, label=label)  # fmt: skip
        axes.fill_between(line.index, line["low"], line["high"], color=colour, alpha=0.2, lw=0)
    for name, line in panel.grey.items():
        for end in ("low", "high"):
            axes.plot(line.index, line[end], "--", color=GREY, lw=0.8, label="_published", zorder=0)
        axes.fill_between(line.index, line["low"], line["high"], color=GREY, alpha=0.2, lw=0)
        axes.annotate(name, (line.index[-1], line["high"].iloc[-1]), color=GREY, fontsize=6, ha="right", va="bottom")
    axes.set(xlabel=panel.x, ylabel=panel.y, **({"xscale": "log", "yscale": "log"} if panel.log else {}))
    if panel.y.startswith("time [") and not panel.log:
        axes.set_ylim(bottom=0.0)
    if not panel.log:
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.xaxis.set_major_formatter("{x:,.0f}")
    if lines:
        axes.legend(fontsize=7, frameon=False)


def mark_waves(axes: Axes, ticks: Sequence[int], half: float, starts: Iterable[float]) -> None:
    """N by doubling: a line where half the work takes half the time, and dots where a wave of blocks begins."""
    axes.set(xscale="log", xticks=ticks)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.axhline(half, color=GREY, lw=0.8, zorder=0)
    for start in starts:
        axes.axvline(start, color=GREY, lw=0.6, ls=":", zorder=0)


def _bars(axes: Axes, bars: Sequence[Bar]) -> None:
    for place, (_, one, colour) in enumerate(bars):
        ends = [[max(0.0, one["value"] - one["low"])], [max(0.0, one["high"] - one["value"])]]
        axes.barh(place, one["value"], xerr=ends, color=colour, height=0.7)
        axes.annotate(f"{one['value']:,.3g}" if one["value"] < 1000 else f"{one['value']:,.0f}",
                      (one["high"], place), (3, 0), textcoords="offset points", va="center", fontsize=7)  # fmt: skip
    axes.set_yticks(range(len(bars)), [label for label, _, _ in bars], fontsize=7)
    axes.invert_yaxis()
    axes.margins(x=0.15)


def share_scale(axes: Sequence[Axes]) -> None:
    """Panels of one quantity have one scale, of lines or of bars."""
    for panels, read, write in (
        ([one for one in axes if one.lines], "get_ylim", "set_ylim"),
        ([one for one in axes if one.patches], "get_xlim", "set_xlim"),
    ):
        limits = [getattr(one, read)() for one in panels]
        for one in panels:
            getattr(one, write)(min(low for low, _ in limits), max(high for _, high in limits))


def within(runs: pd.DataFrame, first: int, last: int) -> tuple[pd.DataFrame, str]:
    """The runs at the paper's N if there are any, and else all of them, and a note that says so."""
    mine = runs[(runs["n"] >= first) & (runs["n"] <= last)]
    return (mine, "") if len(mine) else (runs, f"the paper's N are {first:,} to {last:,}")


def by(runs: pd.DataFrame, column: str, names: Sequence[Any] | None = None) -> dict[Any, pd.DataFrame]:
    """The runs by a value of a column, in the order of the names."""
    found = {value: members for value, members in runs.groupby(column, sort=True)}
    return {name: found[name] for name in (found if names is None else names) if name in found}


def factor_lines(runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """I of each strategy in its plainest variant; where it is over several baselines, a line for each."""
    runs = runs[~is_baseline(runs) & runs["I"].notna()]
    lines = {}
    for strategy, mine in sorted(by(plainest(runs), "strategy").items(), key=lambda one: strategy_rank(one[0])):
        for over, members in by(mine, "over").items():
            lines[f"{strategy} (over {over})" if mine["over"].nunique() > 1 else strategy] = gains(members)
    return lines


def over_bb(runs: pd.DataFrame) -> bool:
    return baseline_words(runs) == "the bounding box"
