"""Distribution-free intervals of medians, as engine/core/stats.c defines them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

TAIL = 0.025  # the probability beyond a 95 % interval, on each side


@dataclass(frozen=True, slots=True)
class Interval:
    """A value between two bounds, which are NaN where they are not known, as below 6 samples."""

    value: float
    low: float = math.nan
    high: float = math.nan

    def said(self, words: Callable[[float], str], unit: str = "") -> str:
        """'1.96 times [1.95, 1.97]' for '{:.2f}'.format and ' times'; the value alone if it has no interval."""
        value = words(self.value) + unit
        return value if math.isnan(self.low) else f"{value} [{words(self.low)}, {words(self.high)}]"


def factor(value: float) -> str:
    """Two decimals, and a small factor is not 0.00."""
    return f"{value:.2f}" if value >= 0.005 else f"{value:.1g}"


@cache
def median_ranks(count: int) -> tuple[int, int] | None:
    """The 1-based ranks that enclose the median with at least 95 %; None below 6 values, where no ranks do."""
    # In logarithms, because 2^-count leaves the range of a double.
    log_term = -count * math.log(2.0)  # of P(X = rank), X binomial (count, 1/2)
    tail, rank = math.exp(log_term), 0
    while tail <= TAIL and rank < count:
        log_term += math.log((count - rank) / (rank + 1))
        tail += math.exp(log_term)
        rank += 1
    return (rank, count + 1 - rank) if rank else None


def paired_ratio(over: np.ndarray, under: np.ndarray) -> Interval | None:
    """The median of over[k] / under[k]: sample k of both is from one round, so that drift cancels."""
    ranks = median_ranks(len(over))
    if ranks is None or len(over) != len(under):
        return None
    ratios = np.sort(over / under)
    return Interval(float(np.median(ratios)), float(ratios[ranks[0] - 1]), float(ratios[ranks[1] - 1]))
