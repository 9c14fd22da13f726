"""The two figures that any result file has: I over N, and strategies by workloads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm

from .. import style
from ..looks import GREY, look
from ..model import Run
from ..select import Line, by_workload, facets, lines, plain_lines
from . import Drawing, Material
from .parts import BAND_NOTE, draw_improvement, draw_time, panels, sizes, throttle_note


def overview(material: Material) -> Iterator[Drawing]:
    """I where there is a baseline; plain times where nothing is to be divided by."""
    for facet in facets(material.runs):
        shown = panels(facet.runs, material.runs)
        if not shown:
            continue
        has_baseline = any(material.improvements.of(r) is not None for r in facet.runs if not r.is_baseline)
        what = "Improvement on the bounding box" if has_baseline else "Time"
        picture = style.canvas(len(shown), f"{what} over N")
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            axes.set_title(workload)
            chosen = plain_lines(runs)
            if has_baseline:
                draw_improvement(axes, chosen, material.improvements)
            else:
                for line in chosen:
                    draw_time(axes, line.label, line.runs, look(line.strategy))
                style.log_n_axis(axes, sizes(runs))
                style.log_value_axis(axes, "time [ms]")
        style.legend(picture)
        notes = [facet.words, BAND_NOTE, throttle_note(facet.runs)]
        yield Drawing(f"overview{facet.suffix}", picture, notes)


def _label(axes: Axes, row: int, column: int, value: float, shade: float) -> None:
    """White on the dark ends of the colour scale, black in its middle."""
    colour = "white" if abs(shade - 0.5) > 0.33 else "black"
    axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8, color=colour)


def heatmap(material: Material) -> Iterator[Drawing]:
    """I at the largest N that most strategies of a workload reached; orange is slower, purple faster."""
    for facet in facets(material.runs):
        columns = by_workload(facet.runs)
        cells: dict[tuple[str, str], float] = {}
        names: dict[str, Line] = {}
        for workload, runs in columns.items():
            top = max(run.n for run in runs)
            for line in lines([run for run in runs if run.n == top]):
                improvement = material.improvements.of(line.runs[0])
                if improvement is not None and not line.runs[0].is_baseline:
                    names.setdefault(line.label, line)
                    cells[line.label, workload] = improvement.value
        if len(names) < 2:
            continue
        yield _heatmap(facet.suffix, facet.words, columns, list(names.values()), cells)


def _heatmap(
    suffix: str,
    words: str,
    columns: dict[str, list[Run]],
    rows: list[Line],
    cells: dict[tuple[str, str], float],
) -> Drawing:
    rows = sorted(rows, key=lambda line: line.rank)
    workloads = [w for w in columns if any((row.label, w) in cells for row in rows)]
    grid = np.full((len(rows), len(workloads)), np.nan)
    for i, row in enumerate(rows):
        for j, workload in enumerate(workloads):
            grid[i, j] = cells.get((row.label, workload), np.nan)
    longest = max(len(row.label) for row in rows)
    picture = style.canvas(
        1,
        "Improvement over the bounding box, at the largest N",
        width=max(1.6 + 0.07 * longest + 0.72 * len(workloads), 5.4),
        height=0.5 + 0.27 * len(rows),
    )
    axes = picture.axes[0]
    axes.grid(False)
    axes.set_facecolor("#eeeeee")
    # In logarithms 2 and 1/2 are as far from even; the ends stay apart from 1 when nothing differs.
    logs = np.log2(grid)
    reach = max(float(np.nanmax(np.abs(logs))), 0.1)
    norm = TwoSlopeNorm(0.0, -reach, reach)
    axes.imshow(np.ma.masked_invalid(logs), cmap="PuOr", norm=norm, aspect="auto")
    for (i, j), value in np.ndenumerate(grid):
        if np.isnan(value):
            axes.text(j, i, "–", ha="center", va="center", fontsize=8, color=GREY)
        else:
            _label(axes, i, j, float(value), float(norm(np.log2(value))))
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set_xticks(range(len(workloads)), [f"{w}\nN = {max(r.n for r in columns[w]):,}" for w in workloads])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    notes = [words, "purple: faster than the baseline, orange: slower, grey: not measured"]
    return Drawing(f"heatmap{suffix}", picture, notes)
