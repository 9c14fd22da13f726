"""The verdict about every key, from the invocations of both sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from .significance import FAMILY_ERROR, Side, evidence, quietly

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


def judge(old: Side, new: Side, threshold: float, spread: float, failed: np.ndarray | None = None) -> pd.DataFrame:
    """
    One row per key: `verdict`, `reason`, the times and the number of files of each side; `ratio` is NEW / OLD, with its
    95 % interval; `p` is adjusted for all keys; `detectable` is the ratio found in 95 % of the cases.

    Input: failed, the keys that are not tested because a run of NEW failed
    """
    rows = pd.DataFrame({
        "old_ms": old.mean_ms(), "new_ms": new.mean_ms(), "old_files": old.count.astype(int),
        "new_files": new.count.astype(int),
    })  # fmt: skip
    rows["ratio"] = rows["new_ms"] / rows["old_ms"]
    both = (old.count > 0) & (new.count > 0)
    tested = both & old.has_spread & new.has_spread & (True if failed is None else ~failed)
    found = pd.DataFrame(np.nan, index=rows.index, columns=["change", "ratio_low", "ratio_high", "p", "detectable"])
    smallest = math.log1p(threshold)
    if tested.any():
        found[tested] = np.transpose(
            evidence(old.take(keys=tested), new.take(keys=tested), smallest, math.log1p(spread))
        )
    change, low, high = found["change"], found["ratio_low"], found["ratio_high"]
    clock = _clock_reasons(old, new, threshold)
    # The first that applies.
    cases: list[tuple[Any, str, Any]] = [
        (old.count == 0, "ADDED", "only in NEW"),
        (new.count == 0, "MISSING", "only in OLD"),
        (~tested, "UNSURE", "too few samples show no spread"),
        ((low >= -smallest) & (high <= smallest), "SAME", ""),
        (change.abs() <= smallest, "UNSURE", "the interval reaches beyond the threshold"),
        (found["p"] > FAMILY_ERROR, "UNSURE", found["p"].map("may be chance: p = {:.2g}".format)),
        (clock != "", "UNSURE", clock),
        (change > 0, "SLOWER", ""),
        (change <= 0, "FASTER", ""),
    ]
    rows.insert(0, "verdict", "")
    rows.insert(1, "reason", "")
    for applies, verdict, reason in reversed(cases):
        rows["verdict"] = rows["verdict"].mask(applies, verdict)
        rows["reason"] = rows["reason"].mask(applies, reason)
    # Few repeats give intervals without bounds: keep the numbers finite.
    ratios = found[["ratio_low", "ratio_high", "detectable"]].clip(-300.0, 300.0).apply(np.exp)
    return rows.join([ratios, found["p"]])


def _clock_reasons(old: Side, new: Side, threshold: float) -> np.ndarray:
    """Why a change may come from the clocks; '' if it does not. Throttling on both sides affects both alike."""
    hot: list[Any] = [np.nan_to_num(side.throttled).any(axis=0) for side in (old, new)]
    before, after = (quietly(np.nanmedian, np.where(side.sm_mhz > 0, side.sm_mhz, np.nan)) for side in (old, new))
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
    keys = pd.Index(dict.fromkeys(key for file in (*old, *new) for key in file.index[file["log_ms"].notna()]))
    before, after = Side.of(old, keys), Side.of(new, keys)
    failures, marks = _failures(new), _marks(old, new)
    # A key that failed is no part of the family that is tested.
    failed = keys.isin(list(failures)) & (before.count > 0)
    rows = judge(before, after, threshold, spread, failed)
    rows.insert(0, "key", list(keys))
    rows.loc[failed, "verdict"] = "FAILED"
    rows.loc[failed, "reason"] = [failures[key] for key in keys[failed]]
    rows["reason"] = [
        ", ".join(filter(None, (reason, *(f"{who} {w}" for w, who in marks.get(key, {}).items() if w not in reason))))
        for key, reason in zip(keys, rows["reason"])
    ]
    return rows
