"""The verdict about every key, from the invocations of both sides."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from .model import Run, cautions
from .stats import block_medians

if TYPE_CHECKING:
    from .significance import Side

LOST = ("FAILED", "MISSING")
# Half of a 95 % interval, and half of the span of five block medians, in standard errors of a normal median.
HALF_INTERVAL, HALF_SPAN = 1.96, 2.6


@dataclass(frozen=True, slots=True)
class Row:
    """The verdict about a key. p is adjusted for all keys; detectable is the ratio found in 95 % of the cases."""

    key: str
    verdict: str
    reason: str
    old_ms: float | None
    new_ms: float | None
    old_files: int
    new_files: int
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    p: float | None = None
    detectable: float | None = None


@dataclass(frozen=True, slots=True)
class Time:
    """The logarithm of a median time, and its standard error estimated from its samples; None from one sample."""

    log_ms: float
    noise: float | None


def time_of(run: Run) -> Time | None:
    """The time of a run; None if it has none to compare.

    The noise includes slow drift within a run, which moves the medians of its blocks apart but does not show in its
    interval.
    """
    if not run.is_usable or run.time is None:
        return None
    blocks = block_medians(run.samples)
    noise = [math.log(max(blocks) / min(blocks)) / 2.0 / HALF_SPAN] if blocks else []
    if run.time.high > run.time.low:
        noise.append(math.log(run.time.high / run.time.low) / 2.0 / HALF_INTERVAL)
    return Time(math.log(run.time.value), max(noise, default=None))


@dataclass(frozen=True, slots=True)
class Invocation:
    """The runs and times of one file, by key."""

    runs: dict[str, Run]
    times: dict[str, Time]

    @classmethod
    def of(cls, runs: Iterable[Run], with_device: bool = False) -> Invocation:
        by_key = {f"{run.key} on {run.device}" if with_device else run.key: run for run in runs}
        times = {key: time_of(run) for key, run in by_key.items()}
        return cls(by_key, {key: time for key, time in times.items() if time is not None})

    def failure(self, key: str) -> str | None:
        """Why the key has no time here; None if it has one, or if there is no run."""
        run = self.runs.get(key)
        if run is None or key in self.times:
            return None
        if run.verified == "fail":
            return "verification failed"
        return run.reason or ("it has no time" if run.status == "ok" else run.status)


@dataclass(frozen=True, slots=True)
class Pair:
    """The times of one key on both sides."""

    key: str
    old: list[Time]
    new: list[Time]

    @property
    def is_testable(self) -> bool:
        """Whether both sides show a spread: a single sample has none, but several invocations of one sample do."""
        return all(len(times) > 1 or times[0].noise is not None for times in (self.old, self.new))

    def row(self, verdict: str, reason: str, *numbers: float) -> Row:
        """Input: numbers, the members of Row after the ratio, if any."""
        before, after = _mean_ms(self.old), _mean_ms(self.new)
        ratio = after / before if before and after else None
        return Row(self.key, verdict, reason, before, after, len(self.old), len(self.new), ratio, *numbers)


def _mean_ms(times: Sequence[Time]) -> float | None:
    """The geometric mean, because the test uses logarithms."""
    return math.exp(math.fsum(time.log_ms for time in times) / len(times)) if times else None


def _side(keys: Sequence[Sequence[Time]]) -> Side:
    """The times as arrays, padded with NaN. Input: the times of each key, of any number."""
    import numpy as np

    from .significance import Side

    padding = [Time(math.nan, math.nan)] * max(map(len, keys))
    whole = [[*times, *padding[len(times) :]] for times in keys]
    log_ms = [[time.log_ms for time in times] for times in whole]
    noise = [[time.noise or 0.0 for time in times] for times in whole]
    return Side(np.array(log_ms).T, np.array(noise).T)


def compare(
    old: Sequence[Invocation], new: Sequence[Invocation], threshold: float, spread: float
) -> list[Row]:
    """One row per key: first those of OLD in their order, then those that only NEW has."""
    keys = dict.fromkeys(key for one in (*old, *new) for key in one.times)
    rows: dict[str, Row] = {}
    tested: list[Pair] = []
    for key in keys:
        before, after = ([one.times[key] for one in side if key in one.times] for side in (old, new))
        pair = Pair(key, before, after)
        row = _untested(pair, new)
        if row is None:
            tested.append(pair)
        else:
            rows[key] = row
    for row in _tested(tested, threshold, spread):
        clock = _clock_reason(old, new, row.key, threshold) if row.verdict in ("SLOWER", "FASTER") else None
        rows[row.key] = replace(row, verdict="UNSURE", reason=clock) if clock else row
    return [_marked(rows[key], old, new) for key in keys]


def _marked(row: Row, old: Sequence[Invocation], new: Sequence[Invocation]) -> Row:
    """The row with cautions about its sides: a wrong result is easily fast, and noise is no change."""
    sides: dict[str, list[str]] = {}
    for name, side in (("OLD", old), ("NEW", new)):
        runs = [one.runs[row.key] for one in side if row.key in one.runs]
        for words in dict.fromkeys(words for run in runs for words in cautions(run) if words not in row.reason):
            sides.setdefault(words, []).append(name)
    marks = [f"{' and '.join(names)} {words}" for words, names in sides.items()]
    return replace(row, reason=", ".join(filter(None, (row.reason, *marks))))


def _untested(pair: Pair, new: Sequence[Invocation]) -> Row | None:
    """The row of a key that lacks a side, or its spread; None for all other keys."""
    if not pair.old:
        return pair.row("ADDED", "only in NEW")
    # A run that fails only sometimes is broken, too.
    failures = [reason for one in new if (reason := one.failure(pair.key)) is not None]
    if failures:
        return pair.row("FAILED", failures[0] + (f" ({len(failures)} of {len(new)} files)" if len(new) > 1 else ""))
    if not pair.new:
        return pair.row("MISSING", "only in OLD")
    return None if pair.is_testable else pair.row("UNSURE", "too few samples show no spread")


def _tested(pairs: Sequence[Pair], threshold: float, spread: float) -> list[Row]:
    if not pairs:
        return []
    from .significance import evidence

    smallest = math.log1p(threshold)
    old, new = _side([pair.old for pair in pairs]), _side([pair.new for pair in pairs])
    found = evidence(old, new, smallest, math.log1p(spread))
    columns = (found.change, found.low, found.high, found.p, found.detectable)
    rows = []
    for pair, change, low, high, p, detectable in zip(pairs, *(column.tolist() for column in columns)):
        verdict, reason = _verdict(change, low, high, p, smallest)
        rows.append(pair.row(verdict, reason, _ratio(low), _ratio(high), p, _ratio(detectable)))
    return rows


def _ratio(logarithm: float) -> float:
    """exp(logarithm), clamped to a finite number: few repeats give intervals without bounds."""
    return math.exp(max(-300.0, min(300.0, logarithm)))


def _verdict(change: float, low: float, high: float, p: float, smallest: float) -> tuple[str, str]:
    from .significance import FAMILY_ERROR

    if -smallest <= low and high <= smallest:
        return "SAME", ""
    if abs(change) <= smallest:
        return "UNSURE", "the interval reaches beyond the threshold"
    if p > FAMILY_ERROR:
        return "UNSURE", f"may be chance: p = {p:.2g}"
    return ("SLOWER" if change > 0 else "FASTER"), ""


def _clock_reason(
    old: Sequence[Invocation], new: Sequence[Invocation], key: str, threshold: float
) -> str | None:
    """Why a change may come from the clocks; None if it does not. Throttling on both sides affects both alike."""
    sides = [[one.runs[key] for one in side if key in one.times] for side in (old, new)]
    throttled = [any(run.throttled for run in runs) for runs in sides]
    if throttled[0] != throttled[1]:
        return "OLD was throttled" if throttled[0] else "NEW was throttled"
    clocks = [[run.sm_mhz for run in runs if run.sm_mhz] for runs in sides]
    before, after = (median(known) if known else None for known in clocks)
    if before and after and abs(before - after) > threshold * before:
        return f"SM clock {before:.0f} and {after:.0f} MHz"
    return None
