"""The other subjects of the thesis, automata on floats: every technique, beside the published results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from matplotlib.axes import Axes
from tribench_report import style
from tribench_report.figures import Drawing, Material
from tribench_report.figures.parts import BAND_NOTE, GREY_NOTE, finished
from tribench_report.looks import Look, nth_look
from tribench_report.model import Run
from tribench_report.select import Facet
from tribench_report.stats import Interval, ratio

from .automata import Groups, by_technique, draw_times_and_rates, line_in_block, memory_of

# In the order of the texts, then the techniques that they did not have.
TECHNIQUES = ("conditional", "halo", "shared", "aligned", "rect", "two-cell", "two-generation", "strip")
PACKED = "f32x2"
GTX, LAPTOP = "GTX 285", "GeForce 770M"
# Table 6.2, total seconds; its global memory has a halo.
WATER_S = {"halo": 5.5995, "shared": 4.4027, "aligned": 4.0500, "rect": 3.7669, "two-generation": 25.6975}


@dataclass(frozen=True, slots=True)
class Subject:
    figure: str
    workload: str
    title: str
    published: str
    # The reference technique, and the published times of others as shares of its time; there is no panel without
    # numbers.
    base: str = ""
    shares: Mapping[str, float] = field(default_factory=dict)


BLUR = Subject(
    "thesis-5.20", "blur", "Blur (thesis, figures 5.20 and 5.21): every memory technique",
    f"published, {GTX}: two cells per thread save 37 % over one, both in wide blocks (figure 5.21, a picture without "
    "numbers; section 7.1.5, page 102)",
    "rect", {"two-cell": 0.63},
)  # fmt: skip
DIFFERENCE = Subject(
    "thesis-5.23", "dog", "Difference of Gaussians (thesis, figure 5.23): every memory technique",
    f"published, {GTX}: one cell, two cells and packed data are barely discernible (figure 5.23, a picture without "
    "numbers; section 5.3.2, pages 81 and 82)",
)  # fmt: skip
EXTREMA = Subject(
    "thesis-5.25", "extrema", "Extrema (thesis, figure 5.25): every memory technique",
    f"published, {GTX}: two cells in square blocks are the fastest, not two cells in wide ones; aligned is the slowest "
    "(figure 5.25, a picture without numbers; section 5.3.3, pages 82 to 85)",
)  # fmt: skip
WATER = Subject(
    "thesis-6.4", "water", "Surface water (thesis, figure 6.4): every memory technique",
    f"published, {LAPTOP}, 463 x 358 cells, 500 generations: " +
    ", ".join(f"{memory} {seconds:.2f} s" for memory, seconds in WATER_S.items()) +
    " (table 6.2, page 95; halo is its global memory)",
    "halo", {memory: seconds / WATER_S["halo"] for memory, seconds in WATER_S.items()},
)  # fmt: skip


def _is_packed(run: Run) -> bool:
    return run.parameters.get("cell") == PACKED


def _leaves_threads_idle(run: Run) -> bool:
    """Whether its tile is no larger than its block, although a thread has two cells."""
    return memory_of(run) == "two-cell" and run.block_name in (run.tile, f"{run.tile}x{run.tile}")


def _groups(runs: Sequence[Run]) -> Groups:
    """One group per technique, packed or not, and block."""
    found: Groups = {}
    for memory in TECHNIQUES:
        for packed in (False, True):
            mine = [run for run in runs if memory_of(run) == memory and _is_packed(run) == packed]
            mine = [run for run in mine if not _leaves_threads_idle(run)]
            for _, block in sorted({(run.block, run.block_name) for run in mine}):
                words = (memory, "packed") if packed else (memory,)
                found |= line_in_block([run for run in mine if run.block_name == block], *words)
    return found


def _time(run: Run) -> Interval:
    assert run.time is not None  # figures are drawn from usable runs
    return run.time.times(1.0 / run.generations)


def _base(subject: Subject, groups: Groups) -> Run | None:
    """
    The run that the others are compared with: the base technique at the largest N that another technique has, too.
    """
    runs = [run for members in groups.values() for run in members]
    others = {run.n for run in runs if memory_of(run) != subject.base}
    base = [run for run in runs if memory_of(run) == subject.base and run.n in others]
    return max(base, key=lambda run: run.n, default=None)


def _draw_shares(axes: Axes, subject: Subject, groups: Groups, base: Run) -> None:
    """
    Draws times as shares of the base technique's time, which has no bar; published shares are grey bars below ours.
    """
    bars = []
    for place, (label, members) in enumerate(groups.items()):
        memory = memory_of(members[0])
        for run in members:
            if run.n != base.n or memory == subject.base:
                continue
            bars.append(style.Bar(label, nth_look(place), ratio(_time(run), _time(base))))
            if memory in subject.shares:
                share = subject.shares[memory]
                bars.append(style.Bar("published", Look(style.PUBLISHED, ""), Interval(share, share, share)))
    axes.set_title("(c) Beside the text")
    style.draw_bars(axes, bars, f"time / that of {subject.base}, N = {base.n:,}")


def _draw(subject: Subject, facet: Facet, groups: Groups) -> Drawing:
    runs = [run for members in groups.values() for run in members]
    base = _base(subject, groups)
    picture = style.canvas(3 if base else 2, subject.title, width=4.2, height=3.2)
    draw_times_and_rates(picture.axes[0], picture.axes[1], groups)
    if base:
        _draw_shares(picture.axes[2], subject, groups, base)
    steps = sorted({run.generations for run in runs if run.parameters.get("steps")})
    notes = [
        BAND_NOTE,
        f"bandwidth: each number of a cell read once and its result written once{' per generation' if steps else ''}",
        f"{', '.join(map(str, steps))} generations" if steps else "",
        subject.published,
        GREY_NOTE.format(f"as a share of its {subject.base}") if base else "",
    ]
    return finished(subject.figure, facet, picture, notes, runs)


def _figures(subject: Subject, material: Material) -> Iterator[Drawing]:
    for facet in by_technique(material, subject.workload):
        groups = _groups(facet.runs)
        if len(groups) > 1:
            yield _draw(subject, facet, groups)


blur = partial(_figures, BLUR)
difference = partial(_figures, DIFFERENCE)
extrema = partial(_figures, EXTREMA)
water = partial(_figures, WATER)
