"""Figures 3 and 5 of the paper on triangular domains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes

from .. import style
from ..looks import look
from ..model import Run
from ..select import facets, plain_lines
from ..stats import Interval
from . import Drawing, Material
from .parts import BAND_NOTE, draw_improvement, sizes, throttle_note

ROOTS = ("ltm-x", "ltm-n", "ltm-r")
FEATURES = {f"edm{d}": d for d in range(1, 5)}


def roots(material: Material) -> Iterator[Drawing]:
    """Figure 3: what the way of taking the root costs, and how many blocks do nothing."""
    runs = [run for run in material.runs if run.workload == "dummy" and run.dimension == 2]
    for facet in facets(runs):
        chosen = [line for line in plain_lines(facet.runs) if line.strategy in ROOTS]
        if len(chosen) < 2:
            continue
        picture = style.canvas(2, "LTM: three ways to take the root, and the blocks each map wastes")
        left, right = picture.axes
        left.set_title("Improvement over bb, dummy kernel")
        draw_improvement(left, chosen, material.improvements)
        right.set_title("Wasted blocks")
        _draw_wasted(right, facet.runs)
        style.legend(picture)
        yield Drawing(
            f"triangle-3{facet.suffix}", picture, [facet.words, BAND_NOTE, throttle_note(facet.runs)]
        )


def _draw_wasted(axes: Axes, runs: Sequence[Run]) -> None:
    """bb against one LTM: its three roots launch the same grid."""
    shown = {line.strategy: line for line in plain_lines(runs)}
    for name in ("bb", "ltm-r" if "ltm-r" in shown else "ltm-x"):
        if name not in shown:
            continue
        wasted = [(run.n, run.blocks_wasted) for run in shown[name].runs if run.blocks_wasted]
        points = [(n, Interval(float(count), float(count), float(count))) for n, count in wasted]
        style.draw_line(axes, name, look(name), points)
    if axes.has_data():
        style.log_value_axis(axes, "wasted blocks")
    style.linear_n_axis(axes, sizes(runs))


def strategies(material: Material) -> Iterator[Drawing]:
    """Figure 5: the strategies on three kernels, and how I follows the work per cell."""
    for facet in facets([run for run in material.runs if run.dimension == 2]):
        here = {w: [r for r in facet.runs if r.workload == w] for w in ("dummy", *FEATURES)}
        panels = [w for w in ("dummy", "edm1", "edm4") if here[w]]
        with_features = [w for w in FEATURES if here[w]]
        last = len(with_features) > 1
        has_any = any(not r.is_baseline and material.improvements.of(r) is not None for r in facet.runs)
        if not panels or not with_features or not has_any:
            continue
        picture = style.canvas(len(panels) + last, "Improvement over the bounding box")
        for axes, workload in zip(picture.axes, panels):
            axes.set_title(workload)
            draw_improvement(axes, plain_lines(here[workload]), material.improvements)
        if last:
            _draw_features(picture.axes[-1], [r for w in with_features for r in here[w]], material)
        style.legend(picture)
        yield Drawing(
            f"triangle-5{facet.suffix}", picture, [facet.words, BAND_NOTE, throttle_note(facet.runs)]
        )


def _draw_features(axes: Axes, runs: Sequence[Run], material: Material) -> None:
    """At the largest N that every number of features reached, so that the points are comparable."""
    top = min(max(r.n for r in runs if r.workload == w) for w in {r.workload for r in runs})
    style.even_line(axes)
    for line in plain_lines([run for run in runs if run.n == top]):
        found = [
            (FEATURES[run.workload], material.improvements.of(run))
            for run in line.runs
            if not run.is_baseline
        ]
        points = sorted(((d, i) for d, i in found if i is not None), key=lambda point: point[0])
        if not points:
            continue
        style.draw_line(axes, line.label, style.line_look(line), points)
    axes.set_title(f"EDM at N = {top:,}")
    axes.set_xticks(sorted({FEATURES[run.workload] for run in runs}))
    axes.set_xlabel("features per element")
    axes.set_ylabel("I = T(baseline) / T")
    axes.margins(y=0.08)
