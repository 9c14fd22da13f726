"""The energy of runs beside their time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from matplotlib.axes import Axes

from .. import style
from ..looks import GREY
from ..model import Run
from ..select import Facet, by_workload, facets, lines
from ..stats import Interval
from . import Drawing, Material
from .parts import finished, per_cell

Point = tuple[Interval, Interval]
NOTE = "energy by the device's counter, what it takes at rest included; bars: 95 % intervals"


def energy(material: Material) -> Iterator[Drawing]:
    """A panel per workload, a point per strategy and variant, at the largest N."""
    counted = [run for run in material.runs if run.launch_j is not None]
    for facet in facets(counted):
        idle_w = material.study.idle_power(facet.runs)
        yield _draw("energy", facet, "launch", ("time [ms]", "energy [J]"), _of_launch, idle_w)


def tetra(material: Material) -> Iterator[Drawing]:
    """The same of a cell, of the maps of tetrahedra: whatever their block and layout, a panel per workload."""
    counted = [run for run in material.runs if run.dimension == 3 and run.nj_per_cell is not None and run.cells_per_s]
    for facet in facets(counted, ("engine", "cache")):
        yield _draw("tetra-energy", facet, "cell", ("time [ps per cell]", "energy [nJ per cell]"), _of_cell)


def _draw(
    name: str, facet: Facet, what: str, axis_names: tuple[str, str], point: Callable[[Run], Point],
    idle_w: float | None = None,
) -> Drawing:
    shown = by_workload(facet.runs)
    picture = style.canvas(len(shown), f"Energy over time, per {what}")
    drawn: list[Run] = []
    for axes, (workload, runs) in zip(picture.axes, shown.items()):
        top = max(run.n for run in runs)
        at_top = [run for run in runs if run.n == top]
        axes.set_title(f"{workload}, N = {top:,}")
        for line in lines(at_top):
            drawn += line.runs
            for run in line.runs:
                style.draw_point(axes, line.label, style.line_look(line), *point(run))
        if idle_w:
            _at_rest(axes, at_top, idle_w)
        axes.set_xlabel(axis_names[0])
        axes.set_ylabel(axis_names[1])
        axes.set_xlim(left=0.0)
        axes.set_ylim(bottom=0.0)
    return finished(name, facet, picture, [NOTE], drawn)


def _of_launch(run: Run) -> Point:
    assert run.time is not None and run.launch_j is not None
    return run.time, run.launch_j


def _of_cell(run: Run) -> Point:
    time = per_cell(run, 1e12)
    assert time is not None and run.nj_per_cell is not None
    return time, run.nj_per_cell


def _at_rest(axes: Axes, runs: Sequence[Run], idle_w: float) -> None:
    """Joules that the device would have taken in that time anyway."""
    right = 1.05 * max(run.time.high for run in runs if run.time is not None)
    axes.plot([0.0, right], [0.0, idle_w * right / 1e3], color=GREY, linestyle="--", linewidth=1.2,
              label=f"at rest, {idle_w:.0f} W", zorder=1)  # fmt: skip
