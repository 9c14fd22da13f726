"""The axes of every figure: their ticks and the format of their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from .looks import GREY

# The width of a digit on an axis, and the least gap between two numbers.
DIGIT_INCHES, GAP_INCHES = 0.078, 0.06


class _Fitting(FixedLocator):
    """
    As many ticks as have room for their numbers, the largest first. Decided when drawn, as only the layout knows the
    width of a panel.
    """

    def __init__(self, axes: Axes, ticks: Sequence[int]) -> None:
        super().__init__([float(tick) for tick in ticks])
        self._axes, self._ticks = axes, sorted(ticks, reverse=True)

    def __call__(self) -> list[float]:
        kept: list[float] = []
        free = math.inf
        for tick in self._ticks:
            half = 0.5 * (len(f"{tick:,}") * DIGIT_INCHES + GAP_INCHES) * self._axes.figure.dpi
            place = self._axes.transData.transform((tick, 0.0))[0]
            if place + half <= free:
                kept.append(tick)
                free = place - half
        return kept[::-1]


def _n_ticks(axes: Axes, ticks: Sequence[int]) -> None:
    axes.xaxis.set_major_locator(_Fitting(axes, ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_minor_locator(NullLocator())


def log_n_axis(axes: Axes, values: Sequence[int]) -> None:
    """Powers of two and the largest N, as many as fit side by side."""
    axes.set_xscale("log", base=2)
    low, high = min(values), max(values)
    ticks = [2**k for k in range(41) if low <= 2**k <= high]
    if not ticks or ticks[-1] != high:
        ticks = [tick for tick in ticks if tick < high / 1.9] + [high]
    _n_ticks(axes, ticks)
    axes.set_xlabel("N")


def linear_n_axis(axes: Axes, values: Sequence[int]) -> None:
    """Round numbers, or the sizes themselves where they are few and far enough apart."""
    ordered = sorted(set(values))
    gaps = [b - a for a, b in zip(ordered, ordered[1:])]
    if len(ordered) <= 5 and all(gap >= 0.14 * (ordered[-1] - ordered[0]) for gap in gaps):
        _n_ticks(axes, ordered)
    else:
        axes.locator_params(axis="x", nbins=5, integer=True)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set_xlabel("N")


def rate_axis(axes: Axes) -> None:
    axes.set_ylim(bottom=0.0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    axes.set_ylabel("GB/s")


def log_value_axis(axes: Axes, label: str) -> None:
    """Plain numbers on a log scale; the fewer decades are shown, the finer the steps."""
    axes.set_yscale("log")
    axes.autoscale_view()
    low, high = axes.get_ylim()
    if high / low > 2.5:
        steps = (1,) if high / low > 3000 else (1, 2, 5)
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        ticks = [m * 10.0**k for k in decades for m in steps]
        below = max((tick for tick in ticks if tick <= low), default=low)
        axes.set_ylim(bottom=below if below > 0.75 * low else low)  # end at a tick if one is near
        axes.yaxis.set_major_locator(FixedLocator(ticks))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(5))  # the range is too narrow for ticks at every 1, 2 and 5
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel(label)


def log_ratio_axis(axes: Axes, label: str) -> None:
    """Plain numbers at every decade, or at every few decades if there are many."""
    axes.set_xscale("log")
    axes.autoscale_view()
    low, high = (math.log10(value) for value in axes.get_xlim())
    step = max(1, math.ceil((high - low) / 5))
    axes.xaxis.set_major_locator(FixedLocator([10.0**k for k in range(math.floor(low), math.ceil(high) + 1, step)]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(label)


def even_line(axes: Axes, across: bool = False) -> None:
    """Draws the line I = 1, as fast as the baseline. across: I grows to the right."""
    draw = axes.axvline if across else axes.axhline
    draw(1.0, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)


def share_values(panels: Sequence[Axes], across: bool = False) -> None:
    """Gives panels of one quantity one scale, along y or across: otherwise equal lengths mean different values."""
    limits = [axes.get_xlim() if across else axes.get_ylim() for axes in panels]
    for axes in panels:
        set_limits = axes.set_xlim if across else axes.set_ylim
        set_limits(min(low for low, _ in limits), max(high for _, high in limits))
