"""Pieces that several figures share: a panel of I, a panel of times, the notes under them."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from .. import style
from ..improve import Improvements
from ..looks import Look
from ..model import Run
from ..select import Line, by_workload
from ..stats import Interval

BAND_NOTE = "bands: 95 % interval of the median"


def draw_improvement(axes: Axes, lines: Sequence[Line], improvements: Improvements) -> None:
    """I over N with its interval as a band; the baseline is the dashed line at 1."""
    style.even_line(axes)
    drawn: list[Interval] = []
    for line in lines:
        points = [(run.n, improvements.of(run)) for run in line.runs if not run.is_baseline]
        found = [(n, i) for n, i in points if i is not None]
        if found:
            style.draw_line(axes, line.label, style.line_look(line), found)
            drawn += [i for _, i in found]
    style.linear_n_axis(axes, sizes([run for line in lines for run in line.runs]))
    axes.set_ylabel("I = T(baseline) / T")
    axes.margins(y=0.08)
    _keep_lines_apart(axes, drawn)


def _keep_lines_apart(axes: Axes, drawn: Sequence[Interval]) -> None:
    """The lines decide how tall a panel is: the band of one noisy run would press them all flat."""
    values = [1.0, *(i.value for i in drawn)]
    room = max(0.25 * (max(values) - min(values)), 0.05)
    low, high = axes.get_ylim()
    floor = max(min(values) - room, -0.03 * max(values))  # I is not below 0: just room for a marker there
    axes.set_ylim(max(low, floor), min(high, max(values) + room))


def draw_time(axes: Axes, label: str, runs: Sequence[Run], looks: Look) -> None:
    """Median time over N with its interval, one line."""
    timed = [(run.n, run.time) for run in sorted(runs, key=lambda run: run.n) if run.time is not None]
    style.draw_line(axes, label, looks, timed)


def sizes(runs: Sequence[Run]) -> list[int]:
    return sorted({run.n for run in runs})


def panels(runs: Sequence[Run], every: Sequence[Run]) -> dict[str, list[Run]]:
    """Workloads over N. One size alone is a column of dots, which the heat map tells better: such a workload
    has a panel only where nothing else has more."""
    found = by_workload(runs)
    if all(len(sizes(one)) == 1 for one in by_workload(every).values()):
        return found
    return {workload: one for workload, one in found.items() if len(sizes(one)) > 1}


def throttle_note(runs: Sequence[Run]) -> str:
    count = sum(run.throttled for run in runs)
    return f"{count} of {len(runs)} runs were throttled" if count else ""
