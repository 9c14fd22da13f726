"""Definitions that the C side shares, and properties that intervals must have."""

from __future__ import annotations

import math
import random
import time

import pytest
from tribench_report import stats
from tribench_report.stats import Interval


@pytest.mark.parametrize(
    ("count", "ranks"), [(5, None), (6, (1, 6)), (31, (10, 22)), (51, (19, 33)), (101, (41, 61)), (1, None)]
)
def test_ranks_of_the_median_interval(count: int, ranks: tuple[int, int] | None) -> None:
    assert stats.median_ranks(count) == ranks


def test_ranks_are_those_of_exact_arithmetic() -> None:
    for count in range(1, 600):
        tail, rank = 1, 0
        while 40 * tail <= 2**count:  # one side may miss in 2.5 % of the cases
            rank += 1
            tail += math.comb(count, rank)
        assert stats.median_ranks(count) == ((rank, count + 1 - rank) if rank else None), count


def test_ranks_of_a_million_samples_take_no_minutes() -> None:
    begun = time.process_time()
    assert stats.median_ranks(1_000_000) == (499_020, 500_981)
    assert time.process_time() - begun < 5


def test_median_of_an_even_count_averages_the_middle_pair() -> None:
    assert stats.median([4.0, 1.0, 3.0, 2.0]) == 2.5
    assert stats.median([3.0, 1.0, 2.0]) == 2.0


def test_block_medians_follow_a_drift() -> None:
    assert stats.block_medians([float(k) for k in range(15)]) == [1.0, 4.0, 7.0, 10.0, 13.0]
    assert stats.block_medians([1.0] * 9) == []


def test_the_interval_covers_the_median_in_95_percent_of_skewed_samples() -> None:
    rng = random.Random(3)
    true = 0.6931471805599453  # the median of the exponential distribution
    found = [stats.median_interval([rng.expovariate(1.0) for _ in range(51)]) for _ in range(2000)]
    covered = sum(i is not None and i.low <= true <= i.high for i in found) / len(found)
    assert 0.945 < covered < 0.985


def test_pairing_cancels_drift_that_a_plain_ratio_does_not() -> None:
    base = [1.0 + 0.5 * k / 51 for k in range(51)]
    paired = stats.paired_ratio([2.0 * value for value in base], base)
    assert paired is not None
    assert (paired.value, paired.low, paired.high) == (2.0, 2.0, 2.0)
    one = stats.median_interval(base)
    assert one is not None
    assert stats.ratio(one, one).high > 1.1


def test_unequal_counts_are_not_paired() -> None:
    assert stats.paired_ratio([1.0] * 51, [1.0] * 50) is None


def test_a_ratio_takes_the_far_bounds() -> None:
    found = stats.ratio(Interval(2.0, 1.8, 2.2), Interval(1.0, 0.9, 1.1))
    assert (found.low, found.high) == (1.8 / 1.1, 2.2 / 0.9)
