"""I = time of the baseline / time of a run: as recorded, or from the medians where no record has it."""

from __future__ import annotations

from collections.abc import Iterable

from .model import Run
from .stats import Interval, paired_ratio, ratio

Place = tuple[object, ...]


def _place(run: Run) -> Place:
    """What two runs must share before one may be divided by the other."""
    where = (run.device, run.engine, run.n, run.block)
    return (*where, run.workload, run.layout, run.cache, run.steps, run.rule, run.domain, run.seed)


class Improvements:
    """Looks up I for any run of a study."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self._base: dict[Place, Run] = {}
        for run in runs:
            if run.is_usable and run.is_baseline:
                place = _place(run)
                held = self._base.get(place)
                if held is None or run.plainness < held.plainness:
                    self._base[place] = run

    def of(self, run: Run) -> Interval | None:
        if run.improvement is not None:
            return run.improvement
        if run.is_baseline:  # of its own tile and kernel, whatever else was measured elsewhere
            return Interval(1.0, 1.0, 1.0)
        base = self._base.get(_place(run))
        if base is None or base.time is None or run.time is None:
            return None
        # Two invocations do not share their rounds: only the wide interval is honest.
        return ratio(base.time, run.time)


def faster_by(winner: Run, other: Run) -> Interval:
    """How many times longer the other one takes; round by round where both were sampled in one group."""
    assert winner.time is not None and other.time is not None
    if winner.origin == other.origin and _place(winner) == _place(other):
        paired = paired_ratio(other.samples, winner.samples)
        if paired is not None:
            return paired
    return ratio(other.time, winner.time)
