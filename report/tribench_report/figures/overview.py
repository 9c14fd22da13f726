"""The two figures of any sweep with a baseline: I over N, and a heat map of strategies by workloads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm, to_hex
from matplotlib.image import AxesImage

from .. import style
from ..looks import GREY, ink
from ..model import Run
from ..select import Facet, Line, by_workload, facets, lines, plain_lines, varying_fields
from . import Drawing, Material
from .parts import (
    BAND_NOTE,
    baseline_words,
    draw_improvement,
    finished,
    is_over_published,
    panels,
    plain_note,
    share_factors,
)


def overview(material: Material) -> Iterator[Drawing]:
    """I over N of the workloads that have a baseline; the figure `time` shows the others."""
    yield from _overviews("overview", facets(material.runs), material)


# In 3D, block and layout follow from the workload, and each workload has its own panel: no facets for them.
def tetra_cells(material: Material) -> Iterator[Drawing]:
    """Maps of tetrahedra with a thread per cell."""
    yield from _overviews("tetra-maps", _tetra(material, "cell"), material)


def tetra_tiles(material: Material) -> Iterator[Drawing]:
    yield from _overviews("tetra-maps-tile", _tetra(material, "tile"), material)


def _tetra(material: Material, kernel: str) -> list[Facet]:
    runs = [run for run in material.runs if run.dimension == 3 and (run.kernel or "cell") == kernel]
    return facets(runs, ("engine", "cache"))


def _overviews(name: str, found_in: Sequence[Facet], material: Material) -> Iterator[Drawing]:
    improvements = material.improvements
    for facet in found_in:
        every = panels(facet.runs, material.runs)
        shown = {workload: runs for workload, runs in every.items() if improvements.over(runs)}
        if not shown:
            continue
        lines_of = {workload: plain_lines(runs) for workload, runs in shown.items()}
        drawn = [run for found in lines_of.values() for line in found for run in line.runs]
        picture = style.canvas(len(shown), f"Improvement over {baseline_words(drawn, improvements)}, over N")
        several = len(improvements.over(drawn)) > 1 and not is_over_published(drawn, improvements)
        for axes, (workload, found) in zip(picture.axes, lines_of.items()):
            here = improvements.over([run for line in found for run in line.runs])
            axes.set_title(f"{workload}, over {', '.join(here)}" if several else workload)
            draw_improvement(axes, found, improvements)
        share_factors(picture.axes)
        yield finished(name, facet, picture, [BAND_NOTE, plain_note(drawn, improvements)], drawn, improvements)


def heatmap(material: Material) -> Iterator[Drawing]:
    """I at the N where most strategies of a workload have one; orange is slower, purple faster."""
    for facet in facets(material.runs):
        fields = varying_fields(facet.runs)
        columns = {workload: _column(runs, fields, material) for workload, runs in by_workload(facet.runs).items()}
        columns = {workload: cells for workload, cells in columns.items() if cells}
        if len({cell.line.label for cells in columns.values() for cell in cells}) > 1:
            yield _heatmap(facet, columns, material)


@dataclass(frozen=True, slots=True)
class Cell:
    line: Line
    run: Run
    factor: float


def _column(runs: Sequence[Run], fields: Sequence[str], material: Material) -> list[Cell]:
    """
    The cells of one workload, at the N where the most strategies have a factor over the baseline, or the largest such
    N.
    """
    # Decided per workload: with the default --memory and --cell an automaton has no plain run.
    has_plain = any(material.improvements.is_baseline(run) and run.plainness == 0 for run in runs)
    at: dict[int, list[Cell]] = {}
    for line in lines(runs, fields, apart=True):
        for run in line.runs:
            base = material.improvements.plainest(run)
            if base is run or (has_plain and base is not None and base.plainness > 0):
                continue  # its factor over a variant of the baseline is not comparable with the others
            factor = material.improvements.over_plain(run)
            if factor is not None:
                at.setdefault(run.n, []).append(Cell(line, run, factor.value))
    best = max(at, key=lambda n: (len({cell.line.strategy for cell in at[n]}), n), default=0)
    return at.get(best, [])


def _heatmap(facet: Facet, columns: dict[str, list[Cell]], material: Material) -> Drawing:
    named = {cell.line.label: cell.line for cells in columns.values() for cell in cells}
    rows = sorted(named.values(), key=lambda line: line.rank)
    places = {row.label: place for place, row in enumerate(rows)}
    grid = np.full((len(rows), len(columns)), np.nan)
    for j, cells in enumerate(columns.values()):
        for cell in cells:
            grid[places[cell.line.label], j] = cell.factor
    drawn = [cell.run for cells in columns.values() for cell in cells]
    longest = max(map(len, places))
    sizes = sorted({run.n for run in drawn})
    at = f"at N = {sizes[0]:,}" if len(sizes) == 1 else "at the largest N"
    picture = style.canvas(
        1,
        f"Improvement over {baseline_words(drawn, material.improvements)}, {at}",
        width=max(2.4 + 0.07 * longest + 0.72 * len(columns), 5.6),
        height=0.5 + 0.27 * max(len(rows), 5),
    )
    axes = picture.axes[0]
    image = _draw_grid(axes, grid)
    axes.set_yticks(range(len(rows)), list(places))
    names = [f"{w}\nN = {cells[0].run.n:,}" if len(sizes) > 1 else w for w, cells in columns.items()]
    axes.set_xticks(range(len(columns)), names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = picture.figure.colorbar(
        image, ax=axes, extend="both", ticks=np.log2(SCALE), shrink=0.85, anchor=(0.0, 0.3), aspect=28
    )
    bar.ax.set_title("I, times\nas fast", loc="left", fontsize=7, fontweight="normal", pad=14)
    bar.ax.set_yticklabels([f"{value:g}" for value in SCALE])
    notes = [
        "purple: faster than the baseline, orange: slower",
        "grey: not measured" if np.isnan(grid).any() else "",
        "variants: over the plainest baseline, not over its own variant" if any(k.words for k in rows) else "",
    ]
    return finished("heatmap", facet, picture, notes, drawn, material.improvements)


# One scale for every heat map, so that a colour means the same factor in all of them. One cell per thread gains a
# factor of about 2; the scale goes further, so that most of a map is not in its darkest colour.
SCALE = (0.4, 0.6, 1.0, 1.6, 2.5)


def _draw_grid(axes: Axes, grid: np.ndarray) -> AxesImage:
    """Colours follow the logarithm, so that 2 and 1/2 are equally far from 1."""
    axes.set_facecolor("#eeeeee")
    logs = np.log2(grid)
    norm = TwoSlopeNorm(0.0, float(np.log2(SCALE[0])), float(np.log2(SCALE[-1])))
    image = axes.imshow(np.ma.masked_invalid(logs), cmap="PuOr", norm=norm, aspect="auto")
    axes.grid(False)
    rows, columns = grid.shape
    axes.hlines(np.arange(1, rows) - 0.5, -0.5, columns - 0.5, color="white", linewidth=1.5)
    axes.vlines(np.arange(1, columns) - 0.5, -0.5, rows - 0.5, color="white", linewidth=1.5)
    for (i, j), value in np.ndenumerate(grid):
        if np.isnan(value):
            axes.text(j, i, "–", ha="center", va="center", fontsize=8, color=GREY)
        else:
            ground = to_hex(image.cmap(norm(np.log2(value))))
            axes.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=8, color=ink(ground))
    return image
