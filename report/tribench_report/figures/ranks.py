"""One domain on many devices: speed-up and efficiency over ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes

from .. import style
from ..looks import GREY, nth_look
from ..model import Run
from ..select import facets, group
from ..stats import Interval, ratio
from . import Drawing, Material
from .parts import finished

NOTE = "strong: one N; weak: N grows so that the cells of a rank stay; bars: the bounds of both times' 95 % intervals"
SAME_CELLS = 0.03  # how far the cells per rank may vary along a weak-scaling line: N is a whole number

Points = list[tuple[int, Interval]]


def ranks(material: Material) -> Iterator[Drawing]:
    """Two panels per workload, speed-up and efficiency; one line per strategy and partition."""
    spread = [run for run in material.runs if run.ranks is not None and run.time is not None]
    for facet in facets(spread, by_device=False):
        shown = {workload: _lines(runs) for workload, runs in group(facet.runs, lambda run: run.workload).items()}
        shown = {workload: found for workload, found in shown.items() if found}
        if not shown:
            continue
        picture = style.canvas(2 * len(shown), "One domain on many devices", columns=2)
        for place, (workload, found) in enumerate(shown.items()):
            speed, efficiency = picture.axes[2 * place : 2 * place + 2]
            _draw(speed, f"{workload}: speed-up", found, per_rank=False)
            _draw(efficiency, f"{workload}: efficiency", found, per_rank=True)
        yield finished("ranks", facet, picture, [NOTE], facet.runs)


def _lines(runs: Sequence[Run]) -> dict[str, Points]:
    """Lines by label. Each starts with a run on one rank, whose partition does not matter."""
    found: dict[str, Points] = {}
    for name, mine in group(runs, lambda run: f"{run.strategy}, {run.partition}").items():
        alone = [run for run in runs if run.strategy == mine[0].strategy and run.ranks == 1]
        for base in sorted({run.n: run for run in alone}.values(), key=lambda run: run.n):
            strong = _points(base, [run for run in mine if run.n == base.n])
            weak = _points(base, [run for run in mine if run.n != base.n and _has_cells_of(base, run)])
            if strong:
                found[f"{name}, N = {base.n:,}"] = strong
            if weak:
                found[f"{name}, weak from N = {base.n:,}"] = weak
    return found


def _cells(run: Run) -> float:
    return run.n * (run.n + 1) / 2.0


def _has_cells_of(base: Run, run: Run) -> bool:
    return abs(_cells(run) / ((run.ranks or 1) * _cells(base)) - 1.0) < SAME_CELLS


def _points(base: Run, runs: Sequence[Run]) -> Points:
    """The speed-up in cells per second over one rank; empty if there is no run on several ranks."""
    found: Points = [(1, Interval(1.0, 1.0, 1.0))]
    one = base.time
    for run in sorted(runs, key=lambda run: run.ranks or 1):
        if run.ranks and run.ranks > 1 and run.time is not None and one is not None:
            found.append((run.ranks, ratio(one, run.time).times(_cells(run) / _cells(base))))
    return found if len(found) > 1 else []


def _draw(axes: Axes, title: str, found: dict[str, Points], per_rank: bool) -> None:
    axes.set_title(title)
    most = max(count for points in found.values() for count, _ in points)
    ideal = [1.0, 1.0] if per_rank else [1.0, float(most)]
    axes.plot([1, most], ideal, color=GREY, linestyle="--", linewidth=1.2, label="nobody waits", zorder=1)
    for place, (label, points) in enumerate(found.items()):
        look = nth_look(place)
        x = [count for count, _ in points]
        shown = [i.times(1.0 / count) if per_rank else i for count, i in points]
        reach = [[i.value - i.low for i in shown], [i.high - i.value for i in shown]]
        axes.errorbar(x, [i.value for i in shown], yerr=reach, label=label, color=look.colour, marker=look.marker,
                      capsize=2)  # fmt: skip
    axes.set_xticks(sorted({count for points in found.values() for count, _ in points}))
    axes.set_xlabel("ranks")
    axes.set_ylabel("efficiency" if per_rank else "speed-up")
    axes.set_ylim(bottom=0.0)
