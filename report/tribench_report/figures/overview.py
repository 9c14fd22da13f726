"""The two figures of any sweep with a baseline: I over N, and strategies by workloads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.image import AxesImage

from .. import style
from ..looks import GREY
from ..model import Run
from ..select import Facet, Line, by_workload, facets, lines, plain_lines, varying_fields
from . import Drawing, Material
from .parts import BAND_NOTE, draw_improvement, panels, share_factors, throttle_note


def overview(material: Material) -> Iterator[Drawing]:
    """I over N of what has a baseline; `time` shows the rest."""
    for facet in facets(material.runs):
        every = panels(facet.runs, material.runs)
        shown = {name: runs for name, runs in every.items() if _has_factors(runs, material)}
        if not shown:
            continue
        picture = style.canvas(len(shown), "Improvement on the bounding box over N")
        for axes, (workload, runs) in zip(picture.axes, shown.items()):
            axes.set_title(workload)
            draw_improvement(axes, plain_lines(runs), material.improvements)
        share_factors(picture.axes)
        style.legend(picture)
        notes = [facet.words, BAND_NOTE, throttle_note(facet.runs)]
        yield Drawing(f"overview{facet.suffix}", picture, notes, facet.runs)


def _has_factors(runs: Sequence[Run], material: Material) -> bool:
    return any(material.improvements.of(run) is not None for run in runs if not run.is_baseline)


def _label(axes: Axes, row: int, column: int, value: float, shade: float) -> None:
    """White on the dark ends of the colour scale, black in its middle."""
    colour = "white" if abs(shade - 0.5) > 0.24 else "black"
    axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8, color=colour)


def heatmap(material: Material) -> Iterator[Drawing]:
    """I at the largest N that most strategies of a workload reached; orange is slower, purple faster."""
    for facet in facets(material.runs):
        columns = by_workload(facet.runs)
        cells: dict[tuple[str, str], float] = {}
        names: dict[str, Line] = {}
        fields = varying_fields(facet.runs)
        has_plain = any(run.is_baseline and run.plainness == 0 for run in facet.runs)
        for workload, runs in columns.items():
            top = max(run.n for run in runs)
            for line in lines([run for run in runs if run.n == top], fields, apart=True):
                base = material.improvements.plainest(line.runs[0])
                if base is line.runs[0] or (has_plain and base is not None and base.plainness > 0):
                    continue  # over a variant of the baseline it would be no neighbour of the others
                factor = material.improvements.over_plain(line.runs[0])
                if factor is not None:
                    names.setdefault(line.label, line)
                    cells[line.label, workload] = factor.value
        if len(names) < 2:
            continue
        yield _heatmap(facet, columns, list(names.values()), cells)


def _heatmap(
    facet: Facet, columns: dict[str, list[Run]], rows: list[Line], cells: dict[tuple[str, str], float]
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
        width=max(2.4 + 0.07 * longest + 0.72 * len(workloads), 5.4),
        height=0.5 + 0.27 * max(len(rows), 5),
    )
    axes = picture.axes[0]
    image = _draw_grid(axes, grid)
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.set_xticks(range(len(workloads)), [f"{w}\nN = {max(r.n for r in columns[w]):,}" for w in workloads])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = picture.figure.colorbar(image, ax=axes, extend="both", ticks=np.log2(SCALE), shrink=0.9)
    bar.set_label("I", rotation=0)
    bar.ax.set_yticklabels([f"{value:g}" for value in SCALE])
    notes = [
        facet.words,
        "purple: faster than the baseline, orange: slower, grey: not measured",
        "variants: over the plainest baseline, not over its own variant" if any(k.words for k in rows) else "",
    ]
    return Drawing(f"heatmap{facet.suffix}", picture, notes, facet.runs)


# Of every heat map, so that one colour means one factor in all of them: no map of one cell per thread gains more.
SCALE = (0.5, 0.7, 1.0, 1.4, 2.0)


def _draw_grid(axes: Axes, grid: np.ndarray) -> AxesImage:
    """In logarithms 2 and 1/2 are as far from even."""
    axes.grid(False)
    axes.set_facecolor("#eeeeee")
    logs = np.log2(grid)
    norm = TwoSlopeNorm(0.0, float(np.log2(SCALE[0])), float(np.log2(SCALE[-1])))
    image = axes.imshow(np.ma.masked_invalid(logs), cmap="PuOr", norm=norm, aspect="auto")
    for (i, j), value in np.ndenumerate(grid):
        if np.isnan(value):
            axes.text(j, i, "–", ha="center", va="center", fontsize=8, color=GREY)
        else:
            _label(axes, i, j, float(value), float(norm(np.log2(value))))
    return image
