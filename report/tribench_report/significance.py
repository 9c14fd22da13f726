"""Tests whether two sets of invocations differ by more than chance, for a family of keys at once."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

Array = npt.NDArray[np.float64]

# The chance of any false verdict among all keys, and the chance that a change called detectable is found.
FAMILY_ERROR = 0.05
POWER = 0.95
# The degrees of freedom that the typical key's spread is worth beside a key's own. Chosen with twenty
# repeats of one sweep on an H200, where a few keys have two modes and most are quiet; tests/test_compare.py checks the
# outcome.
PRIOR_FREEDOM = 4.0
SMALLEST_VARIANCE = 1e-12  # a relative deviation of a millionth: clocks resolve no finer
NEARLY_NORMAL = 1e6


@dataclass(frozen=True, slots=True)
class Side:
    """The times of one side, [file, key]; NaN where a file has none."""

    log_ms: Array
    noise: Array  # standard error of log_ms, estimated from its own samples
    sm_mhz: Array
    throttled: Array

    @classmethod
    def of(cls, files: Sequence[pd.DataFrame], keys: pd.Index) -> Side:
        """Input: files as `times` gives them, one per invocation."""
        names = ["log_ms", "noise", "device_state.sm_mhz", "throttled"]
        whole = [file[names].astype(float).reindex(keys).to_numpy().T for file in files]
        log_ms, *others = np.array(whole).reshape(len(files), len(names), len(keys)).swapaxes(0, 1)
        return cls(log_ms, *(np.where(np.isnan(log_ms), np.nan, one) for one in others))

    def take(self, files: Sequence[int] | slice = slice(None), keys: np.ndarray | slice = slice(None)) -> Side:
        rows = files if isinstance(files, slice) else list(files)
        return Side(*(one[rows][:, keys] for one in (self.log_ms, self.noise, self.sm_mhz, self.throttled)))

    def slowed(self, keys: np.ndarray, factor: float) -> Side:
        """The same times, longer for some keys."""
        return replace(self, log_ms=self.log_ms + np.where(keys, math.log(factor), 0.0))

    @property
    def count(self) -> Array:
        return np.asarray(np.sum(~np.isnan(self.log_ms), axis=0), dtype=np.float64)

    @property
    def has_spread(self) -> np.ndarray:
        """A single sample shows none, but several invocations of one sample do."""
        return np.asarray((self.count > 1) | ~np.isnan(self.noise).all(axis=0))

    def mean_ms(self) -> Array:
        """The geometric mean, because the test uses logarithms."""
        return np.exp(quietly(np.nanmean, self.log_ms))


def quietly(function: Any, values: Array) -> Array:
    """A function of the columns that is NaN for a column of NaN, without numpy's warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(function(values, axis=0)) if len(values) else np.full(values.shape[1], np.nan)


def _squares(side: Side) -> Array:
    """The sum of squared deviations from the mean of each key."""
    return np.asarray(np.nansum((side.log_ms - np.nanmean(side.log_ms, axis=0)) ** 2, axis=0))


def _noise(sides: Sequence[Side]) -> Array:
    """The mean square of the noise of the times that there are; a time whose samples show none has none."""
    log_ms, noise = (np.vstack([getattr(side, name) for side in sides]) for name in ("log_ms", "noise"))
    return np.asarray(np.nanmean(np.where(np.isnan(log_ms), np.nan, np.nan_to_num(noise)) ** 2, axis=0))


class Evidence(NamedTuple):
    """One entry per key. All but p are logarithms of NEW / OLD.

    low, high: the 95 % interval of this key alone. p: adjusted for the family. detectable: the change found with POWER.
    """

    change: Array
    low: Array
    high: Array
    p: Array
    detectable: Array


def variance(old: Side, new: Side) -> tuple[Array, Array]:
    """The variance of one invocation of each key, and its degrees of freedom (0 where nothing repeats).

    A key's own variance is averaged with that of the typical key, weighted by degrees of freedom: an empirical-Bayes
    estimate as in Smyth (2004), doi 10.2202/1544-6115.1027. Only deviations within a side enter, so that a change
    between the sides does not widen the spread.
    """
    freedom = old.count + new.count - 2.0
    squares = _squares(old) + _squares(new)
    repeated = freedom > 0
    noise = np.maximum(_noise([old, new]), SMALLEST_VARIANCE)
    if not repeated.any():
        return noise, np.zeros_like(freedom)
    typical = float(np.median(squares[repeated] / freedom[repeated]))
    moderated = (PRIOR_FREEDOM * typical + squares) / (PRIOR_FREEDOM + freedom)
    # A family of few keys has no more degrees of freedom than its own repeats.
    return np.maximum(moderated, noise), np.minimum(PRIOR_FREEDOM + freedom, freedom.sum())


def scale(old: Side, new: Side, spread: float) -> tuple[Array, Array]:
    """The standard error of each key's change, and its degrees of freedom.

    A side of one invocation does not show its spread: `spread` is assumed, plus the noise of its samples, or the spread
    of the other side if that is larger.
    """
    found, freedom = variance(old, new)
    total = np.zeros_like(found)
    for side in (old, new):
        alone = np.maximum(found, spread**2 + _noise([side]))
        total += np.where(side.count == 1, alone, found / side.count)
    return np.sqrt(total), np.where(freedom > 0, freedom, NEARLY_NORMAL)


def holm(p: Array) -> Array:
    """Adjusted p-values: rejecting those up to alpha gives a family-wise error of alpha (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return adjusted


def evidence(old: Side, new: Side, threshold: float, spread: float) -> Evidence:
    """Input: at least one key, each with a time on both sides; threshold and spread as logarithms."""
    change = np.nanmean(new.log_ms, axis=0) - np.nanmean(old.log_ms, axis=0)
    error, freedom = scale(old, new, spread)

    def reach(level: float) -> Array:
        """The quantile of the change under chance alone, for the one-sided probability."""
        return np.asarray(special.stdtrit(freedom, level) * error)

    return Evidence(
        change=change,
        low=change - reach(0.975),
        high=change + reach(0.975),
        p=holm(2.0 * special.stdtr(freedom, -np.abs(change) / error)),
        detectable=np.maximum(-reach(FAMILY_ERROR / len(change) / 2.0), threshold) + reach(POWER),
    )
