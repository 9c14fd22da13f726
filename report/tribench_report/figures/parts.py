"""Pieces that several figures share: panels of I, of times and of rates, and the notes below them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from matplotlib.axes import Axes

from .. import scales, style
from ..improve import Improvements
from ..looks import Look
from ..model import BASELINES, Run
from ..select import Facet, Line, by_workload, group, plain_lines
from ..stats import Interval
from . import Drawing

BAND_NOTE = "bands: 95 % interval of the median"
GREY_NOTE = "grey: published, {}"
PLAIN_NOTE = "I of variants: over the plainest baseline, {}"
FACTOR = "I = T(baseline) / T"
Points = Mapping[str, Sequence[tuple[int, Interval]]]  # over N, by label


def factors(runs: Sequence[Run], improvements: Improvements) -> list[tuple[int, Interval]]:
    """I over N, always over the plainest baseline, so that lines are comparable; the baseline itself has no points."""
    others = [run for run in runs if not improvements.is_baseline(run)]
    return [(run.n, i) for run in others if (i := improvements.over_plain(run)) is not None]


def _with_baselines(runs: Sequence[Run], improvements: Improvements) -> list[Run]:
    """The drawn runs and the baselines that they are divided by, which another invocation may have measured."""
    bases = [improvements.plainest(run) for run in runs]
    return list({id(run): run for run in [*runs, *bases] if run is not None}.values())


def finished(
    name: str, facet: Facet, picture: style.Canvas, notes: Sequence[str], runs: Sequence[Run],
    improvements: Improvements | None = None,
) -> Drawing:
    """
    A picture with its legend, and with what all captions begin and end with.

    Input: runs, what is drawn; improvements, where that are factors: then the baselines are shown, too.
    """
    style.legend(picture)
    count = sum(run.throttled for run in runs)
    throttled = f"{count} of {len(runs)} runs were throttled" if count else ""
    shown = _with_baselines(runs, improvements) if improvements else runs
    return Drawing(f"{name}{facet.suffix}", picture, [facet.words, *notes, throttled], shown)


def draw_improvement(axes: Axes, lines: Sequence[Line], improvements: Improvements) -> None:
    """I over N with its interval as a band, or bars for a single N; the baseline is the dashed line at 1."""
    apart = _by_baseline(lines, improvements)
    points = {line.label: factors(line.runs, improvements) for line in apart}
    looks = {line.label: style.line_look(line) for line in apart}
    draw_factors(axes, points, looks)


def _by_baseline(lines: Sequence[Line], improvements: Improvements) -> list[Line]:
    """Splits lines by baseline: a line that changed its baseline would show a step that is in no measured time."""
    if len(improvements.over([run for line in lines for run in line.runs])) < 2:
        return list(lines)
    return [
        Line(line.strategy, ", ".join(filter(None, (line.words, f"over {name}"))), runs)
        for line in lines
        for name, runs in group(line.runs, improvements.baseline).items()
    ]


def baseline_words(runs: Sequence[Run], improvements: Improvements) -> str:
    """'the bounding box', or what --baseline named."""
    names = improvements.over(runs)
    return "the bounding box" if set(names) <= set(BASELINES) else " and ".join(names)


def is_over_published(runs: Sequence[Run], improvements: Improvements) -> bool:
    """
    Whether all factors are over bb or bb-tetra, as in the papers: beside other factors, the published ones would
    mislead.
    """
    return set(improvements.over(runs)) <= set(BASELINES)


def plain_note(runs: Sequence[Run], improvements: Improvements) -> str:
    """
    Names the baseline of the variants' factors, if there are any: it is the plainest one, not the one in their records.
    """
    names = sorted({improvements.plain_name(run) for run in improvements.with_factors(runs) if run.plainness > 0})
    return PLAIN_NOTE.format(", ".join(names)) if names else ""


def draw_over_n(axes: Axes, points: Points, looks: Mapping[str, Look], name: str, log: bool = False) -> list[int]:
    """One line per label, or a bar where there is a single N. Returns: the N.

    Input: name, of the axis of the bars; log, whether that is logarithmic.
    """
    ns = sorted({n for found in points.values() for n, _ in found})
    if len(ns) == 1:
        bars = [style.Bar(label, looks[label], found[0][1]) for label, found in points.items() if found]
        style.draw_bars(axes, bars, f"{name}at N = {ns[0]:,}", log)
        return ns
    for label, found in points.items():
        style.draw_line(axes, label, looks[label], found)
    return ns


def draw_factors(axes: Axes, points: Points, looks: Mapping[str, Look]) -> None:
    """Factors over the baseline, one line per label."""
    drawn = [i for found in points.values() for _, i in found]
    bars = len({n for found in points.values() for n, _ in found}) == 1
    if not bars:
        scales.even_line(axes)  # below the bands
    ns = draw_over_n(axes, points, looks, f"{FACTOR}\n")  # on two lines, as one line is wider than a panel
    if bars:
        scales.even_line(axes, across=True)
        return
    scales.linear_n_axis(axes, ns or [1])
    axes.set_ylabel(FACTOR)
    axes.margins(y=0.08)
    _keep_lines_apart(axes, drawn)


def share_factors(panels: Sequence[Axes]) -> None:
    """Gives all panels of I one scale: along y for lines, along x for bars."""
    scales.share_values([axes for axes in panels if axes.get_ylabel() == FACTOR])
    scales.share_values([axes for axes in panels if axes.get_xlabel().startswith(FACTOR)], across=True)


def _keep_lines_apart(axes: Axes, drawn: Sequence[Interval]) -> None:
    """Sets the limits of y by the lines: the band of one noisy run would flatten them all."""
    values = [1.0, *(i.value for i in drawn)]
    room = max(0.25 * (max(values) - min(values)), 0.05)
    low, high = axes.get_ylim()
    floor = max(min(values) - room, -0.03 * max(values))  # I is never below 0: leave just enough room for a marker
    axes.set_ylim(max(low, floor), min(high, max(values) + room))


def plain_times(runs: Sequence[Run]) -> list[tuple[int, Interval]]:
    """Median time over N of a strategy's plainest variant."""
    return [(run.n, run.time) for line in plain_lines(runs) for run in line.runs if run.time is not None]


def draw_values(axes: Axes, lines: Sequence[Line], value: Callable[[Run], Interval | None], name: str) -> bool:
    """Draws `value` of each line's runs as draw_series does. Returns: whether they are bars."""
    points = {line.label: [(r.n, v) for r in line.runs if (v := value(r)) is not None] for line in lines}
    return draw_series(axes, points, {line.label: style.line_look(line) for line in lines}, name)


def draw_series(axes: Axes, points: Points, looks: Mapping[str, Look], name: str) -> bool:
    """Values over N on logarithmic axes, one line per label, or bars for a single N. Returns: whether they are bars."""
    ns = draw_over_n(axes, points, looks, f"{name} ")
    if len(ns) == 1:
        return True
    scales.log_n_axis(axes, ns)
    scales.log_value_axis(axes, name)
    return False


def per_cell(run: Run, scale: float) -> Interval | None:
    """The time that a cell takes, in seconds over the scale."""
    if run.time is None or not run.cells_per_s:
        return None
    return run.time.times(scale / (run.cells_per_s * run.time.value))


def rate(run: Run) -> Interval | None:
    return Interval(g, g, g) if (g := run.gb_per_s) else None


def within(runs: Sequence[Run], low: int, high: int) -> tuple[list[Run], str]:
    """The runs at a paper's sizes; if there are none, all runs and a note that says so."""
    inside = [run for run in runs if low <= run.n <= high]
    return (inside, "") if inside else (list(runs), f"the paper's N are {low:,} to {high:,}")


def sizes(runs: Sequence[Run]) -> list[int]:
    return sorted({run.n for run in runs})


def panels(runs: Sequence[Run], every: Sequence[Run]) -> dict[str, list[Run]]:
    """
    The workloads that get a panel over N. One with a single size would be a column of dots, which the heat map shows
    better: it gets a panel only if every workload has a single size.
    """
    found = by_workload(runs)
    if all(len(sizes(one)) == 1 for one in by_workload(every).values()):
        return found
    return {workload: one for workload, one in found.items() if len(sizes(one)) > 1}
