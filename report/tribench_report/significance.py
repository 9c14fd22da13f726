"""Tests whether two sets of invocations differ by more than chance, for a family of keys at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import special

Array = npt.NDArray[np.float64]

# The chance of any false verdict among all keys, and the chance that a change called detectable is found.
FAMILY_ERROR = 0.05
POWER = 0.95
# The degrees of freedom that the typical key's spread is worth beside a key's own. Chosen with twenty
# repeats of one sweep on an H200, where a few keys have two modes and most are quiet; tests/test_compare.py checks the
# outcome.
PRIOR_FREEDOM = 4.0
# This part of the family's error is shared evenly, so that no key is left without.
EVEN_PART = 0.05
SMALLEST_VARIANCE = 1e-12  # a relative deviation of a millionth: clocks resolve no finer
NEARLY_NORMAL = 1e6


class Side(Protocol):
    """Logarithms of times, [invocation, key], NaN where an invocation has none.

    noise: the standard error of each time, estimated from its own samples; NaN if they show none.
    """

    @property
    def log_ms(self) -> Array: ...

    @property
    def noise(self) -> Array: ...


def _count(side: Side) -> Array:
    return np.asarray(np.sum(~np.isnan(side.log_ms), axis=0), dtype=np.float64)


def _squares(side: Side) -> Array:
    """The sum of squared deviations from the mean of each key."""
    return np.asarray(np.nansum((side.log_ms - np.nanmean(side.log_ms, axis=0)) ** 2, axis=0))


def _noise(sides: Sequence[Side]) -> Array:
    """The mean square of the noise of the times that there are; a time whose samples show none has none."""
    log_ms, noise = (np.vstack([getattr(side, name) for side in sides]) for name in ("log_ms", "noise"))
    return np.asarray(np.nanmean(np.where(np.isnan(log_ms), np.nan, np.nan_to_num(noise)) ** 2, axis=0))


@dataclass(frozen=True, slots=True)
class Evidence:
    """One entry per key. All but p are logarithms of NEW / OLD.

    low, high: the 95 % interval of this key alone. p: adjusted for the family. detectable: the change found with POWER.
    """

    change: Array
    low: Array
    high: Array
    p: Array
    detectable: Array


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of each key's change: its standard error, and the degrees of freedom of that."""

    error: Array
    freedom: Array

    def p(self, change: Array) -> Array:
        return both_tails(change / self.error, self.freedom)

    def reach(self, level: Array | float) -> Array:
        """The quantile of the change under chance alone, for the one-sided probability `level`."""
        return np.asarray(special.stdtrit(self.freedom, level) * self.error)


def variance(old: Side, new: Side, *, unbiased: bool = False) -> tuple[Array, Array]:
    """The variance of one invocation of each key, and its degrees of freedom (0 where nothing repeats).

    A key's own variance is averaged with that of the typical key, weighted by degrees of freedom: an empirical-Bayes
    estimate as in Smyth (2004), doi 10.2202/1544-6115.1027. Only deviations within a side enter, so that a change
    between the sides does not widen the spread.

    unbiased: corrects the median of the variances, which is 0.45 or 0.69 of their mean for one or two degrees of
    freedom; with more repeats the correction matters less.
    """
    freedom = _count(old) + _count(new) - 2.0
    squares = _squares(old) + _squares(new)
    repeated = freedom > 0
    noise = _noise([old, new])
    if not repeated.any():
        return np.maximum(noise, SMALLEST_VARIANCE), np.zeros_like(freedom)
    middle = special.chdtri(freedom[repeated], 0.5) if unbiased else freedom[repeated]
    typical = float(np.median(squares[repeated] / middle))
    moderated = (PRIOR_FREEDOM * typical + squares) / (PRIOR_FREEDOM + freedom)
    # A family of few keys has no more degrees of freedom than its own repeats.
    return (
        np.maximum(np.maximum(moderated, noise), SMALLEST_VARIANCE),
        np.minimum(PRIOR_FREEDOM + freedom, freedom.sum()),
    )


def scales(old: Side, new: Side, spread: float) -> tuple[Scale, Scale]:
    """The scale with the assumed spread, and the one with the measured spread. A change must be significant by both.

    A side of one invocation does not show its spread: `spread` is assumed, plus the noise of its samples. That may be
    too little, and a few invocations of the other side cannot tell: their spread is as uncertain as in any t-test. The
    larger of the two p-values keeps the level if either of them does. Where both sides repeat, or neither does, the two
    scales are equal.
    """
    with_assumed = _with_assumed(old, new, spread)
    found, freedom = variance(old, new, unbiased=True)
    told = ((_count(old) == 1) | (_count(new) == 1)) & (freedom > 0)
    error = np.sqrt(found * (1.0 / _count(old) + 1.0 / _count(new)))
    return with_assumed, Scale(np.where(told, error, with_assumed.error), np.where(told, freedom, with_assumed.freedom))


def _with_assumed(old: Side, new: Side, spread: float) -> Scale:
    found, freedom = variance(old, new)
    measured, assumed = np.zeros_like(found), np.zeros_like(found)
    for side in (old, new):
        alone = _count(side) == 1
        assumed += np.where(alone, spread**2 + _noise([side]), 0.0)
        measured += np.where(alone, 0.0, found / _count(side))
    total = measured + assumed
    # Welch and Satterthwaite; the assumed part has no uncertainty of its own.
    part = np.maximum(measured / total, 1e-9)
    return Scale(np.sqrt(total), np.where(measured > 0, np.minimum(freedom / part**2, NEARLY_NORMAL), NEARLY_NORMAL))


def both_tails(t: Array, freedom: Array) -> Array:
    return np.asarray(2.0 * special.stdtr(freedom, -np.abs(t)))


def shares(error: Array, freedom: Array, threshold: float) -> Array:
    """The share of the family's error for each key; they sum to 1.

    A quiet key shows a change of twice the threshold at any level; a noisy one needs as large a level as it can get.
    The split that finds the most such changes sets the limits where the likelihood ratio of that change to none is the
    same for all keys (Spjotvoll 1972, doi 10.1214/aoms/1177692621). It depends on the spread alone.
    """
    even = np.full(len(error), 1.0 / len(error))
    if threshold == 0.0:
        return even

    def levels(ratio: float) -> Array:
        return both_tails(threshold / error + ratio * error / (2.0 * threshold), freedom)

    low, high = 0.0, 1.0
    while levels(high).sum() > FAMILY_ERROR:
        low, high = high, 2.0 * high
    for _ in range(16 if levels(low).sum() > FAMILY_ERROR else 0):
        middle = (low + high) / 2.0
        low, high = (middle, high) if levels(middle).sum() > FAMILY_ERROR else (low, middle)
    best = levels(low)
    return EVEN_PART * even + (1.0 - EVEN_PART) * best / best.sum() if best.sum() > 0 else even


def holm(p: Array, share: Array) -> Array:
    """Adjusted p-values: rejecting those up to alpha gives a family-wise error of alpha (Holm 1979, weighted)."""
    order = np.argsort(p / share, kind="stable")
    left = np.cumsum(share[order][::-1])[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] / share[order] * left))
    return adjusted


def _wider(one: Scale, other: Scale) -> Scale:
    """The scale with the wider interval, for each key; the choice depends on the spread alone."""
    second = other.reach(0.975) > one.reach(0.975)
    return Scale(np.where(second, other.error, one.error), np.where(second, other.freedom, one.freedom))


def evidence(old: Side, new: Side, threshold: float, spread: float) -> Evidence:
    """Input: at least one key, each with a time on both sides; threshold and spread as logarithms."""
    change = np.nanmean(new.log_ms, axis=0) - np.nanmean(old.log_ms, axis=0)
    both = scales(old, new, spread)
    wide = _wider(*both)
    share = shares(wide.error, wide.freedom, threshold)
    reach = wide.reach(0.975)
    limits = [np.maximum(-scale.reach(FAMILY_ERROR * share / 2.0), threshold) for scale in both]
    return Evidence(
        change=change,
        low=change - reach,
        high=change + reach,
        p=holm(np.maximum(*(scale.p(change) for scale in both)), share),
        detectable=np.maximum(*(limit + scale.reach(POWER) for limit, scale in zip(limits, both))),
    )
