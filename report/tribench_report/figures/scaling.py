"""Time per cell and bandwidth over N, on log axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from matplotlib.axes import Axes

from .. import scales, style
from ..looks import GREY
from ..model import Run
from ..select import PICTURE, Facet, Line, facets, plain_and_fastest
from . import Drawing, Material
from .parts import BAND_NOTE, draw_values, finished, panels, per_cell, rate

RATE_NOTE = "bytes of the result and its input, each counted once"
STEPS_NOTE = "cells of automata count once in each generation"
VARIANT_NOTE = "hollow: another variant of a map, where it is faster at the largest N"


def time(material: Material) -> Iterator[Drawing]:
    """Per cell, as a map needs much the same time per cell at every N. Plain times span decades: lines would merge."""

    def notes(drawn: Sequence[Run]) -> list[str]:
        return [BAND_NOTE, STEPS_NOTE if any(run.parameters.get("steps") for run in drawn) else ""]

    for facet in facets(material.runs):
        yield from _over_n("time", "Time per cell, over N", facet, material, _draw_times, notes)


def _draw_times(axes: Axes, chosen: Sequence[Line]) -> None:
    name, scale = _unit(chosen)
    draw_values(axes, chosen, partial(per_cell, scale=scale), name)


def _unit(lines: Sequence[Line]) -> tuple[str, float]:
    """The label of the axis, and the number of its units per second."""
    runs = [run for line in lines for run in line.runs if run.cells_per_s]
    slowest = max((1e9 / run.cells_per_s for run in runs if run.cells_per_s), default=1.0)
    return ("ps per cell", 1e12) if slowest < 1.0 else ("ns per cell", 1e9)


def bandwidth(material: Material) -> Iterator[Drawing]:
    """A workload that moves no data, such as dummy, has no bandwidth and no panel."""
    for facet in facets([run for run in material.runs if run.gb_per_s], (*PICTURE, "rank_count")):
        peaks = material.study.peaks(facet.runs) if facet.runs[0].engine != "cpu" else {}
        draw = partial(_draw_rates, peaks)
        yield from _over_n("bandwidth", "Bandwidth over N", facet, material, draw, lambda drawn: [RATE_NOTE])


def _draw_rates(peaks: dict[str, float], axes: Axes, chosen: Sequence[Line]) -> None:
    across = draw_values(axes, chosen, rate, "GB/s")
    for name, dash in (("fill", "--"), ("copy", ":")):
        if value := peaks.get(name):
            _peak(axes, value, f"peak {name} {value:,.0f} GB/s", dash, across)


def _over_n(
    name: str, title: str, facet: Facet, material: Material, draw: Callable[[Axes, list[Line]], None],
    notes: Callable[[Sequence[Run]], list[str]],
) -> Iterator[Drawing]:
    """A panel for each workload, those of one unit with one scale; none where no workload has several N."""
    shown = panels(facet.runs, material.runs)
    if not shown:
        return
    picture = style.canvas(len(shown), title)
    every: list[Line] = []
    for axes, (workload, runs) in zip(picture.axes, shown.items()):
        axes.set_title(workload)
        chosen = plain_and_fastest(runs)
        every += chosen
        draw(axes, chosen)
    for unit in {axes.get_ylabel() for axes in picture.axes} - {""}:
        scales.share_values([axes for axes in picture.axes if axes.get_ylabel() == unit])
    drawn = [run for line in every for run in line.runs]
    variants = VARIANT_NOTE if any(line.is_variant for line in every) else ""
    yield finished(name, facet, picture, [*notes(drawn), variants], drawn)


def _peak(axes: Axes, value: float, label: str, dash: str, across: bool) -> None:
    draw = axes.axvline if across else axes.axhline
    draw(value, color=GREY, linestyle=dash, linewidth=1.2, label=label, zorder=1)
    if not across:  # the lines alone have set the limits of the logarithmic axis
        axes.set_ylim(top=max(axes.get_ylim()[1], 1.2 * value))
