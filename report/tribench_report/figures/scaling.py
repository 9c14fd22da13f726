"""Time and bandwidth over N, on log axes."""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.axes import Axes

from .. import style
from ..looks import GREY
from ..select import facets, plain_and_fastest
from ..stats import Interval
from . import Drawing, Material
from .parts import BAND_NOTE, panels, sizes, throttle_note

VARIANT_NOTE = "hollow: another variant of a map, where it is faster at the largest N"


def time(material: Material) -> Iterator[Drawing]:
    for facet in facets(material.runs):
        shown = panels(facet.runs, material.runs)
        if not shown:
            continue
        picture = style.canvas(len(shown), "Time over N")
        hollow = False
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            axes.set_title(workload)
            for line in plain_and_fastest(runs):
                hollow |= line.is_variant
                timed = [(run.n, run.time) for run in line.runs if run.time is not None]
                style.draw_line(axes, line.label, style.line_look(line), timed)
            style.log_n_axis(axes, sizes(runs))
            style.log_value_axis(axes, "time [ms]")
        style.legend(picture)
        notes = [facet.words, BAND_NOTE, VARIANT_NOTE if hollow else "", throttle_note(facet.runs)]
        yield Drawing(f"time{facet.suffix}", picture, notes)


def bandwidth(material: Material) -> Iterator[Drawing]:
    """A workload that moves no data, such as dummy, has no bandwidth and no panel."""
    for facet in facets([run for run in material.runs if run.gb_per_s]):
        shown = panels(facet.runs, material.runs)
        if not shown:
            continue
        picture = style.canvas(len(shown), "Bandwidth over N: bytes of the result and its input, per second")
        on_gpu = facet.runs[0].engine != "cpu"
        fill = material.study.peak("fill_gb_per_s") if on_gpu else None
        copy = material.study.peak("copy_gb_per_s") if on_gpu else None
        hollow = False
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            axes.set_title(workload)
            for line in plain_and_fastest(runs):
                hollow |= line.is_variant
                points = [(run.n, Interval(g, g, g)) for run in line.runs if (g := run.gb_per_s)]
                style.draw_line(axes, line.label, style.line_look(line), points)
            _peak(axes, fill, f"peak fill {fill:,.0f} GB/s" if fill else "", "--")
            _peak(axes, copy, f"peak copy {copy:,.0f} GB/s" if copy else "", ":")
            style.log_n_axis(axes, sizes(runs))
            style.log_value_axis(axes, "GB/s")
        style.legend(picture)
        notes = [facet.words, VARIANT_NOTE if hollow else "", throttle_note(facet.runs)]
        yield Drawing(f"bandwidth{facet.suffix}", picture, notes)


def _peak(axes: Axes, value: float | None, label: str, dash: str) -> None:
    if value:
        axes.axhline(value, color=GREY, linestyle=dash, linewidth=1.2, label=label, zorder=1)
