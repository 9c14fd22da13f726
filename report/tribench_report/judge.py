"""Whether one key became faster or slower: the rule behind compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .model import Run
from .stats import Interval, median, ratio

BLOCKS = 5
RULE = """\
A run's samples are cut into five consecutive blocks. What counts as its interval is the span of the five
block medians together with the recorded 95 % interval: slow drift within a run moves the block medians
apart and so widens it. A key is FASTER or SLOWER only when
  - the two intervals do not overlap (if nothing changed, five block medians all lie on one side of five
    others in 2 of 252 cases, whatever the distribution is), and
  - the ratio of the medians is beyond --threshold, the smallest change that matters to you, and
  - it is beyond three times the spread that the other keys show around their common ratio, because memory
    placement differs between any two invocations (this wants 8 keys), and
  - it is beyond the drift within runs: in each file one run in twenty has block medians farther apart than
    that. What a machine does during a run it does between runs as well, and a burst of other work that
    covers all samples of one key cuts into those of another, and
  - all of that holds against the common ratio too, as long as that is within --drift: whether the program
    or the machine changed by the same 2 % for every key, two invocations cannot tell. --drift 0 blames the
    program. (This wants 8 keys, too.)
SAME means that the whole interval of the ratio lies within the threshold; everything else is UNSURE, and
so is a key whose SM clock differs by more than the threshold between the two, or that was throttled.
On a busy machine most keys are UNSURE: that is what it can tell. A quieter one finds smaller changes;
report/repeats counts how often a machine fools this rule."""


@dataclass(frozen=True, slots=True)
class Row:
    key: str
    verdict: str
    old_ms: float | None
    new_ms: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    reason: str


def block_medians(samples: Sequence[float]) -> list[float]:
    """Medians of five consecutive blocks; none where a block would be a sample or less."""
    count = len(samples)
    if count < 2 * BLOCKS:
        return []
    cuts = [count * k // BLOCKS for k in range(BLOCKS + 1)]
    return [median(samples[a:b]) for a, b in zip(cuts, cuts[1:])]


def wide_interval(run: Run) -> Interval | None:
    """The recorded interval, widened to the span of the block medians; None where nothing is known."""
    if run.time is None:
        return None
    blocks = block_medians(run.samples)
    low, high = min([run.time.low, *blocks]), max([run.time.high, *blocks])
    # A single sample has no spread, and a point is not an interval.
    return Interval(run.time.value, low, high) if high > low or blocks else None


def drift_within(runs: Sequence[Run]) -> float:
    """How far apart block medians are, as a ratio that nineteen runs in twenty stay below; 1 where none is known."""
    blocks = [block_medians(run.samples) for run in runs]
    spans = sorted(max(medians) / min(medians) for medians in blocks if medians and min(medians) > 0)
    return spans[-(-19 * len(spans) // 20) - 1] if spans else 1.0


def _clock_reason(old: Run, new: Run, threshold: float) -> str | None:
    if old.throttled or new.throttled:
        return "throttled"
    if old.sm_mhz and new.sm_mhz and abs(old.sm_mhz - new.sm_mhz) > threshold * old.sm_mhz:
        return f"SM clock {old.sm_mhz:.0f} and {new.sm_mhz:.0f} MHz"
    return None


@dataclass(frozen=True, slots=True)
class Rule:
    """When a change counts: beyond a smallest one, beyond what chance does, beyond what all keys have in common."""

    threshold: float
    spread: float = 1.0
    drift_within: float = 1.0
    common: float = 1.0


def _objection(change: Interval, rule: Rule, threshold: float) -> str | None:
    """Why the change does not count; None when it does."""
    for shift, words in ((1.0, ""), (rule.common, ", once divided by the ratio common to all keys")):
        value, low, high = change.value / shift, change.low / shift, change.high / shift
        if not Interval(value, low, high).excludes(1.0):
            return "the intervals overlap" + words
        for reach, what in (
            (1.0 + threshold, "threshold"),
            (rule.spread, "spread of the other keys"),
            (rule.drift_within, "drift within runs"),
        ):
            if 1.0 / reach <= value <= reach:
                return f"within the {what}{words}"
        if (value > 1.0) != (change.value > 1.0):
            return "the other way" + words
    return None


def judge(old: Run, new: Run, rule: Rule) -> Row:
    assert old.time is not None and new.time is not None
    before, after, threshold = wide_interval(old), wide_interval(new), rule.threshold
    times = (old.time.value, new.time.value)
    if before is None or after is None:
        return Row(old.key, "UNSURE", *times, new.time.value / old.time.value, None, None, "no interval")
    change = ratio(after, before)
    same = change.low >= 1.0 / (1.0 + threshold) and change.high <= 1.0 + threshold
    reason = "" if same else _objection(change, rule, threshold) or _clock_reason(old, new, threshold) or ""
    verdict = "SAME" if same else "UNSURE" if reason else "SLOWER" if change.value > 1.0 else "FASTER"
    return Row(old.key, verdict, *times, change.value, change.low, change.high, reason)


def rule_for(old: Sequence[Run], new: Sequence[Run], threshold: float, drift: float) -> Rule:
    """Input: the runs of both, key by key.

    Three robust standard deviations are the spread; a common ratio beyond the drift is no drift.
    """
    # Each file on its own: a busy one beside a quiet one would halve its share of wandering runs.
    within = max(drift_within(old), drift_within(new))
    if len(old) < 8:
        return Rule(threshold, drift_within=within)
    ratios = [plain_ratio(a, b) for a, b in zip(old, new)]
    common = median(ratios)
    spread = 1.0 + 3.0 * 1.4826 * median([abs(r / common - 1.0) for r in ratios])
    is_drift = 1.0 / (1.0 + drift) <= common <= 1.0 + drift
    return Rule(threshold, spread, within, common if is_drift else 1.0)


def plain_ratio(old: Run, new: Run) -> float:
    assert old.time is not None and new.time is not None
    return new.time.value / old.time.value
