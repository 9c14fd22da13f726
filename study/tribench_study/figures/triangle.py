"""Figures 3 and 5 of the paper on triangular domains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from tribench_report import scales, style
from tribench_report.figures import Drawing, Material
from tribench_report.figures.parts import (
    BAND_NOTE,
    FACTOR,
    GREY_NOTE,
    baseline_words,
    draw_improvement,
    draw_over_n,
    factors,
    finished,
    is_over_published,
    share_factors,
    sizes,
    within,
)
from tribench_report.looks import look
from tribench_report.model import Run
from tribench_report.select import Line, by_workload, facets, group, plain_lines, strategy_rank
from tribench_report.stats import Interval

ROOTS = ("ltm-x", "ltm-n", "ltm-r")
OTHERS = ("utm", "rb", "rec")
PAPER_N = (1024, 30720)
GPU = "GTX 680"
# Published I of the dummy kernel and of the distance matrix, where the text gives a number.
DUMMY = {"ltm-x": (0.7, 0.7), "ltm-n": (1.03, 1.03), "ltm-r": (1.13, 1.15), "rb": (1.25, 1.25)}
EDM = {"ltm-r": (1.12, 1.15), "rb": (1.14, 1.14)}
FEATURES = {f"edm{d}": d for d in range(1, 5)}


def roots(material: Material) -> Iterator[Drawing]:
    """Figure 3: the cost of each way to take the root, and the number of blocks that do nothing."""
    runs = [run for run in material.runs if run.workload == "dummy" and run.dimension == 2 and run.plainness == 0]
    for facet in facets(runs):
        mine, note = within(facet.runs, *PAPER_N)
        chosen = [line for line in plain_lines(mine) if line.strategy in ROOTS]
        if len(chosen) < 2:
            continue
        picture = style.canvas(2, "LTM: three ways to take the root, and the blocks each map wastes")
        left, right = picture.axes
        shown = [run for line in chosen for run in line.runs]
        over = " and ".join(material.improvements.over(shown)) or "bb"
        left.set_title(f"Improvement over {over}, dummy kernel")
        draw_improvement(left, chosen, material.improvements)
        is_over_bb = is_over_published(shown, material.improvements)
        in_grey = is_over_bb and _published(left, {name: DUMMY[name] for name in ROOTS}, chosen)
        right.set_title("Wasted blocks")
        shown += _draw_wasted(right, mine)
        notes = [BAND_NOTE, GREY_NOTE.format(GPU) if in_grey else "", note]
        yield finished("triangle-3", facet, picture, notes, shown, material.improvements)


def _draw_wasted(axes: Axes, runs: Sequence[Run]) -> list[Run]:
    """Draws bb against one LTM, because all three launch the same grid. Returns: the runs that are drawn."""
    shown = {line.strategy: line for line in plain_lines(runs)}
    drawn: list[Run] = []
    points: dict[str, list[tuple[int, Interval]]] = {}
    for name in ("bb", "ltm-r" if "ltm-r" in shown else "ltm-x"):
        if name not in shown:
            continue
        drawn += shown[name].runs
        wasted = [(run.n, run.blocks_wasted) for run in shown[name].runs if run.blocks_wasted]
        points[name] = [(n, Interval(float(count), float(count), float(count))) for n, count in wasted]
    ns = draw_over_n(axes, points, {name: look(name) for name in points}, "wasted blocks\n", log=True)
    if len(ns) > 1:
        scales.log_value_axis(axes, "wasted blocks")
        scales.linear_n_axis(axes, ns)
    return drawn


def _published(axes: Axes, values: dict[str, tuple[float, float]], chosen: Sequence[Line]) -> bool:
    """Draws the published values of the strategies that are drawn, over their N. Returns: whether there are any."""
    names = {line.strategy for line in chosen}
    ns = sizes([run for line in chosen for run in line.runs])
    if len(ns) < 2 or not names & values.keys():
        return False
    reach = (float(ns[0]), float(ns[-1]))
    labels: dict[float, list[str]] = {}
    for name, (low, high) in values.items():
        if name in names:
            near = next((at for at in labels if abs(at - (low + high) / 2.0) < 0.05), (low + high) / 2.0)
            labels.setdefault(near, []).append(name)
            style.published(axes, "", low, high, reach)
    for at, said in labels.items():
        style.published(axes, ", ".join(said), at, at, (reach[1], reach[1]))
    style.make_room_for_published(axes, reach[1], 0.2)
    low, high = axes.get_ylim()
    shown = [value for name in names & values.keys() for value in values[name]]
    axes.set_ylim(min([low, *(v - 0.03 for v in shown)]), max([high, *(v + 0.05 for v in shown)]))
    return True


def strategies(material: Material) -> Iterator[Drawing]:
    """Figure 5: the strategies on three kernels, and how I depends on the work per cell."""
    paper = {"bb", "ltm-r", *OTHERS}
    plain = [run for run in material.runs if run.dimension == 2 and run.strategy in paper and run.plainness == 0]
    for facet in facets(plain):
        mine, note = within(facet.runs, *PAPER_N)
        here = {w: [r for r in mine if r.workload == w] for w in ("dummy", *FEATURES)}
        panels = [w for w in ("dummy", "edm1", "edm4") if here[w]]
        with_features = [w for w in FEATURES if here[w]]
        last = len(with_features) > 1
        if not panels or not with_features or not material.improvements.over(mine):
            continue
        over = baseline_words(mine, material.improvements)
        picture = style.canvas(len(panels) + last, f"Improvement over {over}")
        is_over_bb, in_grey = is_over_published(mine, material.improvements), False
        shown: list[Run] = []
        for axes, workload in zip(picture.axes, panels):
            axes.set_title(workload)
            chosen = plain_lines(here[workload])
            draw_improvement(axes, chosen, material.improvements)
            shown += [run for line in chosen for run in line.runs]
            in_grey |= is_over_bb and _published(axes, DUMMY if workload == "dummy" else EDM, chosen)
        if last:
            shown += _draw_features(picture.axes[-1], [r for w in with_features for r in here[w]], material)
        share_factors(picture.axes)
        notes = [BAND_NOTE, GREY_NOTE.format(GPU) if in_grey else "", note]
        yield finished("triangle-5", facet, picture, notes, shown, material.improvements)


def _draw_features(axes: Axes, runs: Sequence[Run], material: Material) -> list[Run]:
    """
    Draws I over the number of features, at the largest N that all of them reached, so that the points are comparable.

    Returns: the runs that are drawn.
    """
    top = min(max(r.n for r in runs if r.workload == w) for w in {r.workload for r in runs})
    scales.even_line(axes)
    at_top = by_workload(run for run in runs if run.n == top)
    drawn = [line.runs[0] for mine in at_top.values() for line in plain_lines(mine)]
    strategies = group(drawn, lambda run: run.strategy)
    for strategy, mine in sorted(strategies.items(), key=lambda one: strategy_rank(one[0])):
        found = [(FEATURES[run.workload], i) for run in mine for _, i in factors([run], material.improvements)]
        style.draw_line(axes, strategy, look(strategy), sorted(found, key=lambda point: point[0]))
    axes.set_title(f"EDM at N = {top:,}")
    axes.set_xticks(sorted({FEATURES[run.workload] for run in runs}))
    axes.set_xlabel("features per element")
    axes.set_ylabel(FACTOR)
    axes.margins(y=0.08)
    return drawn
