"""I = time of the baseline / time of a run: as recorded, or from the medians where no record has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .model import BASELINES, WAY, Run, variant
from .stats import Interval, paired_ratio, ratio

Place = tuple[object, ...]


def _place(run: Run) -> Place:
    """The settings that two runs must share before one may be divided by the other."""
    where = (run.device, run.engine, run.dimension, run.n, run.block, run.input)
    computed = tuple(sorted((name, value) for name, value in run.parameters.items() if name not in WAY))
    return (*where, run.workload, run.layout, run.cache, run.timing, computed, run.seed, run.rank_count)


class Improvements:
    """Looks up I for any run of a study."""

    def __init__(self, runs: Iterable[Run]) -> None:
        usable = [run for run in runs if run.is_usable]
        # A sweep's --baseline also applies to its runs without a recorded factor.
        self._named = {_place(run): run.baseline for run in usable if run.improvement and run.baseline}
        names = {*BASELINES, *self._named.values()}
        self._base: dict[tuple[str, Place], Run] = {}
        bases = [run for run in usable if run.strategy in names]
        for run in sorted(bases, key=lambda run: run.plainness):
            self._base.setdefault((run.strategy, _place(run)), run)

    def baseline(self, run: Run) -> str:
        """The strategy that this run's I is relative to."""
        recorded = run.baseline if run.improvement is not None else None
        return recorded or self._named.get(_place(run), BASELINES[run.dimension - 2])

    def is_baseline(self, run: Run) -> bool:
        return run.improvement is None and run.strategy == self.baseline(run)

    def of(self, run: Run) -> Interval | None:
        base = self.plainest(run)
        if run.improvement is not None:
            is_noted = base is not None and base.caveats
            return replace(run.improvement, noted=True) if is_noted else run.improvement
        if run.strategy == self.baseline(run):  # it is the baseline of its own tile and kernel
            return Interval(1.0, 1.0, 1.0)
        # Two invocations share no rounds: only the wide interval is honest.
        return ratio(base.time, run.time) if base and base.time and run.time else None

    def with_factors(self, runs: Iterable[Run]) -> list[Run]:
        """The runs that have a factor over a baseline, which has none itself."""
        return [run for run in runs if not self.is_baseline(run) and self.of(run) is not None]

    def over(self, runs: Iterable[Run]) -> list[str]:
        """The baselines of these runs' factors; runs without a factor are left out."""
        return sorted({self.baseline(run) for run in self.with_factors(runs)})

    def plainest(self, run: Run) -> Run | None:
        """The plainest baseline that this run may be divided by, whatever its tile or kernel."""
        return self._base.get((self.baseline(run), _place(run)))

    def over_plain(self, run: Run) -> Interval | None:
        """I over the plainest baseline, so that variants can be compared with each other."""
        base = self.plainest(run)
        if base is None or base.time is None or run.time is None or _is_alike(base, run):
            return self.of(run)
        return Interval(1.0, 1.0, 1.0) if run is base else ratio(base.time, run.time)

    def plain_name(self, run: Run) -> str:
        """The baseline of over_plain: 'bb', or 'bb (tile kernel, tile 64)' if that is the plainest one."""
        name, base = self.baseline(run), self.plainest(run)
        words = variant(base, WAY) if base is not None else ""
        return f"{name} ({words})" if words else name


def _is_alike(one: Run, other: Run) -> bool:
    """Whether both runs belong to one group, so that the recorded factor is about these two."""
    names = ("tile", "kernel", "schedule")
    return one.parameters == other.parameters and all(getattr(one, k) == getattr(other, k) for k in names)


def faster_by(winner: Run, other: Run) -> Interval:
    """How many times as long the other one takes; from paired rounds if both were sampled in one group."""
    assert winner.time is not None and other.time is not None
    if winner.origin == other.origin and _place(winner) == _place(other):
        paired = paired_ratio(other.samples, winner.samples)
        if paired is not None:
            return paired
    return ratio(other.time, winner.time)
