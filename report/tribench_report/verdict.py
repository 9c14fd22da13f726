"""The verdict about every key, from the invocations of both sides."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

LOST = ("FAILED", "MISSING")
# Half of a 95 % interval, and half of the span of the block medians, in standard errors of a normal median.
HALF_INTERVAL, HALF_SPAN, BLOCKS = 1.96, 2.6, 5


def _spread(samples: np.ndarray) -> float:
    """The noise that slow drift within a run shows: it moves the medians of consecutive blocks apart."""
    count = len(samples)
    if count < 2 * BLOCKS:
        return math.nan
    cuts = [count * k // BLOCKS for k in range(BLOCKS + 1)]
    medians = [float(np.median(samples[a:b])) for a, b in zip(cuts, cuts[1:])]
    return math.log(max(medians) / min(medians)) / 2.0 / HALF_SPAN


def times(runs: pd.DataFrame, by_device: bool = False) -> pd.DataFrame:
    """The runs of one file by their key, with `log_ms` [log ms] and its standard error `noise`; NaN where unknown."""
    key = runs["key"] + " on " + runs["device"] if by_device else runs["key"]
    measured = (runs["status"] == "ok") & (runs["verified.status"] != "fail")
    width = np.log(runs["time_ms.ci95.high"] / runs["time_ms.ci95.low"]) / 2.0 / HALF_INTERVAL
    noise = np.fmax(width.where(width > 0), [_spread(samples) for samples in runs["samples.ms"]])
    found = runs.assign(log_ms=np.log(runs["time_ms.median"]).where(measured), noise=noise.where(measured))
    found = found.set_index(key.rename("name"))
    return found[~found.index.duplicated(keep="last")]


@dataclass(frozen=True, slots=True)
class Side:
    """The times of one side, [file, key]; NaN where a file has none."""

    log_ms: np.ndarray
    noise: np.ndarray  # standard error of log_ms, estimated from its own samples
    sm_mhz: np.ndarray
    throttled: np.ndarray

    @classmethod
    def of(cls, files: Sequence[pd.DataFrame], keys: pd.Index) -> Side:
        """Input: files as `times` gives them, one per invocation."""
        names = ("log_ms", "noise", "device_state.sm_mhz", "throttled")
        whole = [file[list(names)].astype(float).reindex(keys).to_numpy().T for file in files]
        log_ms, *others = (np.array([one[k] for one in whole]).reshape(len(files), len(keys)) for k in range(4))
        return cls(log_ms, *(np.where(np.isnan(log_ms), np.nan, one) for one in others))

    def take(self, files: Sequence[int] | slice, keys: np.ndarray | slice = slice(None)) -> Side:
        rows = files if isinstance(files, slice) else list(files)
        return Side(*(one[rows][:, keys] for one in (self.log_ms, self.noise, self.sm_mhz, self.throttled)))

    def slowed(self, keys: np.ndarray, factor: float) -> Side:
        """The same times, longer for some keys."""
        return replace(self, log_ms=self.log_ms + np.where(keys, math.log(factor), 0.0))

    @property
    def count(self) -> np.ndarray:
        return np.asarray(np.sum(~np.isnan(self.log_ms), axis=0))

    @property
    def has_spread(self) -> np.ndarray:
        """A single sample shows none, but several invocations of one sample do."""
        return np.asarray((self.count > 1) | ~np.isnan(self.noise).all(axis=0))

    def mean_ms(self) -> np.ndarray:
        """The geometric mean, because the test uses logarithms."""
        return np.asarray(np.exp(_quietly(np.nanmean, self.log_ms)))


def _quietly(function: Any, values: np.ndarray) -> np.ndarray:
    """A function of the columns that is NaN for a column of NaN, without numpy's warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(function(values, axis=0)) if len(values) else np.full(values.shape[1], np.nan)


def judge(old: Side, new: Side, threshold: float, spread: float) -> pd.DataFrame:
    """
    One row per key: `verdict`, `reason`, the times and the number of files of each side; `ratio` is NEW / OLD, with its
    95 % interval; `p` is adjusted for all keys; `detectable` is the ratio found in 95 % of the cases.
    """
    count = old.log_ms.shape[1]
    rows = {
        "verdict": np.full(count, "", dtype=object), "reason": np.full(count, "", dtype=object),
        "old_ms": old.mean_ms(), "new_ms": new.mean_ms(), "old_files": old.count, "new_files": new.count,
        **{name: np.full(count, np.nan) for name in ("ratio", "ratio_low", "ratio_high", "p", "detectable")},
    }  # fmt: skip
    rows["ratio"] = rows["new_ms"] / rows["old_ms"]
    untested = {
        "ADDED": (old.count == 0, "only in NEW"),
        "MISSING": (new.count == 0, "only in OLD"),
        "UNSURE": (~(old.has_spread & new.has_spread), "too few samples show no spread"),
    }
    left = np.ones(count, dtype=bool)
    for verdict, (applies, reason) in untested.items():
        rows["verdict"][left & applies], rows["reason"][left & applies] = verdict, reason
        left &= ~applies
    if left.any():
        every = slice(None)
        for name, values in _tested(old.take(every, left), new.take(every, left), threshold, spread).items():
            rows[name][left] = values
    return pd.DataFrame(rows)


def _tested(old: Side, new: Side, threshold: float, spread: float) -> dict[str, np.ndarray]:
    """The verdicts about keys with a time and a spread on both sides."""
    from .significance import FAMILY_ERROR, evidence

    smallest = math.log1p(threshold)
    found = evidence(old, new, smallest, math.log1p(spread))
    same = (found.low >= -smallest) & (found.high <= smallest)
    small, chance = np.abs(found.change) <= smallest, found.p > FAMILY_ERROR
    verdict = np.select([same, small | chance], ["SAME", "UNSURE"], np.where(found.change > 0, "SLOWER", "FASTER"))
    beyond = "the interval reaches beyond the threshold"
    reason = np.array(
        [
            "" if is_same else beyond if is_small else f"may be chance: p = {p:.2g}" if p > FAMILY_ERROR else ""
            for is_same, is_small, p in zip(same, small, found.p)
        ],
        dtype=object,
    )
    clock = _clock_reasons(old, new, threshold)
    doubtful = np.isin(verdict, ["SLOWER", "FASTER"]) & (clock != "")
    return {
        "verdict": np.where(doubtful, "UNSURE", verdict).astype(object),
        "reason": np.where(doubtful, clock, reason),
        "p": found.p,
        # Few repeats give intervals without bounds: keep the numbers finite.
        "ratio_low": np.exp(np.clip(found.low, -300.0, 300.0)),
        "ratio_high": np.exp(np.clip(found.high, -300.0, 300.0)),
        "detectable": np.exp(np.clip(found.detectable, -300.0, 300.0)),
    }


def _clock_reasons(old: Side, new: Side, threshold: float) -> np.ndarray:
    """Why a change may come from the clocks; '' if it does not. Throttling on both sides affects both alike."""
    hot = [np.nan_to_num(side.throttled).any(axis=0) for side in (old, new)]
    before, after = (_quietly(np.nanmedian, np.where(side.sm_mhz > 0, side.sm_mhz, np.nan)) for side in (old, new))
    apart = np.abs(before - after) > threshold * before
    return np.array(
        [
            ("OLD was throttled" if a else "NEW was throttled") if a != b
            else f"SM clock {x:.0f} and {y:.0f} MHz" if differ else ""
            for a, b, differ, x, y in zip(*hot, apart, before, after)
        ],
        dtype=object,
    )  # fmt: skip


def _failures(new: Sequence[pd.DataFrame]) -> dict[str, str]:
    """Key -> why it failed, for keys that failed in any file: a run that fails only sometimes is broken, too."""
    found: dict[str, list[str]] = {}
    for file in new:
        failed = file[file["log_ms"].isna()]
        for key, check, status, reason in zip(*(failed[n] for n in ("key", "verified.status", "status", "reason"))):
            words = reason if isinstance(reason, str) and reason else "it has no time" if status == "ok" else status
            found.setdefault(key, []).append("verification failed" if check == "fail" else words)
    return {
        key: reasons[0] + (f" ({len(reasons)} of {len(new)} files)" if len(new) > 1 else "")
        for key, reasons in found.items()
    }


def _marks(old: Sequence[pd.DataFrame], new: Sequence[pd.DataFrame]) -> dict[str, dict[str, str]]:
    """Key -> the cautions about its sides, each with the sides that it is about: a wrong result is easily fast."""
    found: dict[str, dict[str, str]] = {}
    for name, side in (("OLD", old), ("NEW", new)):
        for file in side:
            noted = file.loc[file["caution"] != "", "caution"]
            for key, words in noted.items():
                for caution in words.split(", "):
                    held = found.setdefault(key, {}).setdefault(caution, name)
                    found[key][caution] = held if name in held else f"{held} and {name}"
    return found


def compare(old: Sequence[pd.DataFrame], new: Sequence[pd.DataFrame], threshold: float, spread: float) -> pd.DataFrame:
    """What `judge` says for each `key` that has a time: those of OLD in their order, then those that only NEW has.

    Input: files as `times` gives them, one per invocation
    """
    names = dict.fromkeys(key for file in (*old, *new) for key in file.index[file["log_ms"].notna()])
    keys = pd.Index(list(names), dtype=object)
    failures, marks = _failures(new), _marks(old, new)
    # A key that failed is no part of the family that is tested.
    kept = ~keys.isin([key for key in failures])
    added = np.array([not any(key in file.index[file["log_ms"].notna()] for file in old) for key in keys], dtype=bool)
    sides = Side.of(old, keys), Side.of(new, keys)
    masked = replace(sides[1], log_ms=np.where(kept | added, sides[1].log_ms, np.nan))
    rows = judge(sides[0], masked, threshold, spread)
    rows.insert(0, "key", list(keys))
    rows["new_files"], rows["new_ms"] = sides[1].count, sides[1].mean_ms()
    rows["ratio"] = rows["new_ms"] / rows["old_ms"]
    failed = ~kept & ~added
    rows.loc[failed, "verdict"] = "FAILED"
    rows.loc[failed, "reason"] = [failures[key] for key in keys[failed]]
    rows["reason"] = [
        ", ".join(filter(None, (reason, *(f"{who} {w}" for w, who in marks.get(key, {}).items() if w not in reason))))
        for key, reason in zip(keys, rows["reason"])
    ]
    return rows
