"""What a run takes in joules beside what it takes in time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes

from .. import style
from ..looks import GREY
from ..model import Run
from ..select import Line, by_workload, facets, lines
from . import Drawing, Material
from .parts import throttle_note

NOTE = "energy by the device's counter, what it takes at rest included; bars: 95 % intervals"


def energy(material: Material) -> Iterator[Drawing]:
    """A panel per workload, a point per strategy and variant, at the largest N."""
    counted = [run for run in material.runs if run.launch_j is not None]
    for facet in facets(counted):
        shown = by_workload(facet.runs)
        picture = style.canvas(len(shown), "Energy over time, per launch")
        idle_w = material.study.idle_power(facet.runs)
        drawn: list[Run] = []
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            top = max(run.n for run in runs)
            at_top = [run for run in runs if run.n == top]
            drawn += at_top
            axes.set_title(f"{workload}, N = {top:,}")
            for line in lines(at_top):
                _point(axes, line)
            if idle_w:
                _at_rest(axes, at_top, idle_w)
            axes.set_xlabel("time [ms]")
            axes.set_ylabel("energy [J]")
            axes.set_xlim(left=0.0)
            axes.set_ylim(bottom=0.0)
        style.legend(picture)
        yield Drawing(f"energy{facet.suffix}", picture, [facet.words, NOTE, throttle_note(drawn)], drawn)


def tetra(material: Material) -> Iterator[Drawing]:
    """The same of a cell, of the maps of tetrahedra: whatever their block and layout, a panel per workload."""
    counted = [run for run in material.runs if run.dimension == 3 and run.nj_per_cell is not None and run.cells_per_s]
    for facet in facets(counted, ("engine", "cache")):
        shown = by_workload(facet.runs)
        picture = style.canvas(len(shown), "Energy over time, per cell")
        drawn: list[Run] = []
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            top = max(run.n for run in runs)
            axes.set_title(f"{workload}, N = {top:,}")
            for line in lines([run for run in runs if run.n == top]):
                drawn += line.runs
                _cell(axes, line)
            axes.set_xlabel("time [ps per cell]")
            axes.set_ylabel("energy [nJ per cell]")
            axes.set_xlim(left=0.0)
            axes.set_ylim(bottom=0.0)
        style.legend(picture)
        yield Drawing(f"tetra-energy{facet.suffix}", picture, [facet.words, NOTE, throttle_note(drawn)], drawn)


def _cell(axes: Axes, line: Line) -> None:
    for run in line.runs:
        assert run.time is not None and run.nj_per_cell is not None and run.cells_per_s
        per_cell = run.time.times(1e12 / (run.cells_per_s * run.time.value))
        style.draw_point(axes, line.label, style.line_look(line), per_cell, run.nj_per_cell)


def _point(axes: Axes, line: Line) -> None:
    for run in line.runs:
        assert run.time is not None and run.launch_j is not None
        style.draw_point(axes, line.label, style.line_look(line), run.time, run.launch_j)


def _at_rest(axes: Axes, runs: Sequence[Run], idle_w: float) -> None:
    """Joules that the device would have taken in that time anyway."""
    right = 1.05 * max(run.time.high for run in runs if run.time is not None)
    axes.plot([0.0, right], [0.0, idle_w * right / 1e3], color=GREY, linestyle="--", linewidth=1.2,
              label=f"at rest, {idle_w:.0f} W", zorder=1)  # fmt: skip
