"""Medians and their distribution-free intervals, with tribench's own definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

TAIL = 0.025  # the probability beyond a 95 % interval, on each side
WIDE = 0.05
LEAST_FOR_MODES, LEAST_GAP = 20, 0.01


@dataclass(frozen=True, slots=True)
class Interval:
    """
    A value between two bounds. If the bounds are unknown, as below 6 samples, they equal the value. `noted`: the value
    rests on a run with a caveat.
    """

    value: float
    low: float
    high: float
    known: bool = True
    noted: bool = False

    @property
    def is_wide(self) -> bool:
        """Whether half of the interval is more than 5 % of the value."""
        return self.known and self.high - self.low > 2 * WIDE * self.value

    def times(self, factor: float) -> Interval:
        return Interval(self.value * factor, self.low * factor, self.high * factor, self.known, self.noted)

    def said(self, form: str, unit: str = "") -> str:
        """'1.96 times [1.95, 1.97]' for '.2f' and ' times'; the value alone if it has no interval."""
        value = f"{self.value:{form}}{unit}"
        return f"{value} [{self.low:{form}}, {self.high:{form}}]" if self.known else value


@cache
def median_ranks(count: int) -> tuple[int, int] | None:
    """The 1-based ranks that enclose the median with at least 95 %; None below 6 values, where no ranks do.

    Computed in logarithms, as in engine/core/stats.c: 2^-count leaves the range of a double, and exact integers of a
    million bits take minutes.
    """
    log_term = -count * math.log(2.0)  # of P(X = rank), X binomial (count, 1/2)
    tail, rank = math.exp(log_term), 0
    while tail <= TAIL and rank < count:
        log_term += math.log((count - rank) / (rank + 1))
        tail += math.exp(log_term)
        rank += 1
    return (rank, count + 1 - rank) if rank else None


def median_interval(values: Sequence[float]) -> Interval | None:
    """The median with the exact order-statistic interval, valid for any distribution."""
    ranks = median_ranks(len(values))
    if ranks is None:
        return None
    ordered = sorted(values)
    return Interval(median(ordered), ordered[ranks[0] - 1], ordered[ranks[1] - 1])


def has_two_modes(values: Sequence[float]) -> bool:
    """
    Whether samples have two modes, as engine/core/stats.h defines it: the widest gap between neighbours is wider than
    the spread on either side.
    """
    count, least = len(values), (len(values) + 9) // 10
    if count < LEAST_FOR_MODES:
        return False
    ordered = sorted(values)
    gap, cut = max((ordered[k] - ordered[k - 1], -k) for k in range(least, count - least + 1))
    sides = ordered[:-cut], ordered[-cut:]
    widest = max(side[3 * len(side) // 4] - side[len(side) // 4] for side in sides)
    return gap > 2 * widest and gap > LEAST_GAP * median(ordered)


def block_medians(samples: Sequence[float], blocks: int = 5) -> list[float]:
    """Medians of consecutive blocks of equal length; none if a block would have fewer than two samples."""
    count = len(samples)
    if count < 2 * blocks:
        return []
    cuts = [count * k // blocks for k in range(blocks + 1)]
    return [median(samples[a:b]) for a, b in zip(cuts, cuts[1:])]


def paired_ratio(over: Sequence[float], under: Sequence[float]) -> Interval | None:
    """The median of over[k] / under[k]: sample k of both is from one round, so that drift cancels."""
    if len(over) != len(under):
        return None
    return median_interval([a / b for a, b in zip(over, under)])


def ratio(over: Interval, under: Interval) -> Interval:
    """over / under from two separate intervals; the result is wider than needed, never narrower."""
    known = over.known and under.known
    noted = over.noted or under.noted
    return Interval(over.value / under.value, over.low / under.high, over.high / under.low, known, noted)
