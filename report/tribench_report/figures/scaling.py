"""Time per cell and bandwidth over N, on log axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from matplotlib.axes import Axes

from .. import scales, style
from ..looks import GREY
from ..model import Run
from ..select import PICTURE, Line, facets, plain_and_fastest
from ..stats import Interval
from . import Drawing, Material
from .parts import BAND_NOTE, draw_values, panels, rate, throttle_note

RATE_NOTE = "bytes of the result and its input, each counted once"
STEPS_NOTE = "cells of automata count once in each generation"
VARIANT_NOTE = "hollow: another variant of a map, where it is faster at the largest N"


def time(material: Material) -> Iterator[Drawing]:
    for facet in facets(material.runs):
        shown = panels(facet.runs, material.runs)
        if not shown:
            continue
        picture = style.canvas(len(shown), "Time per cell, over N")
        drawn: list[Run] = []
        hollow = False
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            axes.set_title(workload)
            chosen = plain_and_fastest(runs)
            drawn += [run for line in chosen for run in line.runs]
            hollow |= any(line.is_variant for line in chosen)
            name, scale = _unit(chosen)
            draw_values(axes, chosen, partial(_per_cell, scale=scale), name)
        for unit in {axes.get_ylabel() for axes in picture.axes} - {""}:
            scales.share_values([axes for axes in picture.axes if axes.get_ylabel() == unit])
        style.legend(picture)
        steps = STEPS_NOTE if any(run.parameters.get("steps") for run in drawn) else ""
        notes = [facet.words, BAND_NOTE, steps, VARIANT_NOTE if hollow else "", throttle_note(drawn)]
        yield Drawing(f"time{facet.suffix}", picture, notes, drawn)


def _per_cell(run: Run, scale: float) -> Interval | None:
    """Over three decades of times all lines are one band; of a cell a map takes nearly as long at every N."""
    if run.time is None or not run.cells_per_s:
        return None
    return run.time.times(scale / (run.cells_per_s * run.time.value))


def _unit(lines: Sequence[Line]) -> tuple[str, float]:
    """What the axis is called, and how many of its units a second has."""
    runs = [run for line in lines for run in line.runs if run.cells_per_s]
    slowest = max((1e9 / run.cells_per_s for run in runs if run.cells_per_s), default=1.0)
    return ("ps per cell", 1e12) if slowest < 1.0 else ("ns per cell", 1e9)


def bandwidth(material: Material) -> Iterator[Drawing]:
    """A workload that moves no data, such as dummy, has no bandwidth and no panel."""
    for facet in facets([run for run in material.runs if run.gb_per_s], (*PICTURE, "rank_count")):
        shown = panels(facet.runs, material.runs)
        if not shown:
            continue
        picture = style.canvas(len(shown), "Bandwidth over N")
        on_gpu = facet.runs[0].engine != "cpu"
        peaks = material.study.peaks(facet.runs) if on_gpu else {}
        fill, copy = peaks.get("fill"), peaks.get("copy")
        drawn: list[Run] = []
        hollow = False
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            axes.set_title(workload)
            chosen = plain_and_fastest(runs)
            drawn += [run for line in chosen for run in line.runs]
            hollow |= any(line.is_variant for line in chosen)
            across = draw_values(axes, chosen, rate, "GB/s")
            _peak(axes, fill, f"peak fill {fill:,.0f} GB/s" if fill else "", "--", across)
            _peak(axes, copy, f"peak copy {copy:,.0f} GB/s" if copy else "", ":", across)
        scales.share_values([axes for axes in picture.axes if axes.get_ylabel() == "GB/s"])
        style.legend(picture)
        notes = [facet.words, RATE_NOTE, VARIANT_NOTE if hollow else "", throttle_note(drawn)]
        yield Drawing(f"bandwidth{facet.suffix}", picture, notes, drawn)


def _peak(axes: Axes, value: float | None, label: str, dash: str, across: bool) -> None:
    if value is None:
        return
    draw = axes.axvline if across else axes.axhline
    draw(value, color=GREY, linestyle=dash, linewidth=1.2, label=label, zorder=1)
    if not across:  # the limits of a logarithmic axis were set by the lines alone
        axes.set_ylim(top=max(axes.get_ylim()[1], 1.2 * value))
