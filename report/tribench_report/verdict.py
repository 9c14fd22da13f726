"""Whether two sets of invocations differ by more than chance: statistics for a family of keys, a verdict for each."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

Array = npt.NDArray[Any]
Side = np.recarray[Any, Any]  # as side_of gives it, one row per key

LOST = ("FAILED", "MISSING")
# Cautions that say that the time itself may be another one in the next invocation.
UNSTEADY = "wide interval|two modes|busy host"
# The chance of any false verdict among all keys, and the chance that a change called detectable is found.
FAMILY_ERROR = 0.05
POWER = 0.95
# The degrees of freedom that the typical key's spread is worth beside a key's own. Chosen with twenty
# repeats of one sweep on an H200, where a few keys have two modes and most are quiet; tests/test_compare.py checks
# the outcome.
PRIOR_FREEDOM = 4.0
SMALLEST_VARIANCE = 1e-12  # a relative deviation of a millionth: clocks resolve no finer
NEARLY_NORMAL = 1e6
EVIDENCE = ("change", "low", "high", "p", "detectable")
# Half of a 95 % interval, and half of the span of the block medians, in standard errors of a normal median.
HALF_INTERVAL, HALF_SPAN, BLOCKS = 1.96, 2.6, 5

# ---------------------------------------------------------------- one file, and the files of a side


def _drift(samples: np.ndarray) -> float:
    """The noise that slow drift within a run shows: it moves the medians of consecutive blocks apart."""
    if len(samples) < 2 * BLOCKS:
        return math.nan
    cuts = [len(samples) * k // BLOCKS for k in range(BLOCKS + 1)]
    medians = [float(np.median(samples[a:b])) for a, b in zip(cuts, cuts[1:])]
    return math.log(max(medians) / min(medians)) / 2.0 / HALF_SPAN


def times(runs: pd.DataFrame, by_device: bool = False) -> pd.DataFrame:
    """
    The runs of one file by their key, with `log_ms` [log ms], its standard error `noise`, NaN where unknown, and
    `failure`, why a run has no time; `unsteady` tells whether a caution says that the time may be another one.
    """
    check, status, reason = runs["verified.status"], runs["status"], runs["reason"].fillna("")
    log_ms = np.log(runs["time_ms.median"]).where((status == "ok") & (check != "fail"))
    width = np.log(runs["time_ms.ci95.high"] / runs["time_ms.ci95.low"]) / 2.0 / HALF_INTERVAL
    noise = np.fmax(width.where(width > 0), [_drift(samples) for samples in runs["samples.ms"]])
    cases = {"": log_ms.notna(), "verification failed": check == "fail", "it has no time": status == "ok"}
    failure = pd.Series(np.select(list(cases.values()), list(cases), status.astype(object)), runs.index)
    failure = failure.mask((reason != "") & ~failure.isin(["", "verification failed"]), reason)
    sm_mhz, caution = runs["device_state.sm_mhz"], runs["caution"]
    found = runs[["strategy", "workload", "caution", "throttled"]].assign(
        log_ms=log_ms, noise=noise.where(log_ms.notna()), sm_mhz=sm_mhz.where(sm_mhz > 0),
        unsteady=caution.str.contains(UNSTEADY), failure=failure,
    )  # fmt: skip
    found = found.set_index((runs["key"] + " on " + runs["device"] if by_device else runs["key"]).rename("name"))
    return found[~found.index.duplicated(keep="last")]


def side_of(files: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """
    What the invocations of one side say about each key that has a time: the number of `files`, the mean of `log_ms`
    and the sum of `squares` of its deviations, the mean square of the `noise`, whether the samples show any (`noisy`),
    the median `sm_mhz`, and whether one of the files was `throttled` or is `unsteady`.

    Input: as `times` gives them, one per invocation
    """
    every = pd.concat([file[["log_ms", "noise", "sm_mhz", "throttled", "unsteady"]] for file in files])
    every = every[every["log_ms"].notna()]
    every = every.assign(noisy=every["noise"].notna(), noise=every["noise"].fillna(0.0) ** 2)
    each = every.groupby(level=0, sort=False)
    found = each[["log_ms", "noise"]].mean().join(each[["sm_mhz"]].median())
    found = found.join(each[["noisy", "throttled", "unsteady"]].any()).assign(files=each.size())
    return found.assign(squares=each["log_ms"].var(ddof=0) * found["files"])


# ---------------------------------------------------------------- the test


def variance(old: Side, new: Side) -> tuple[Array, Array]:
    """The variance of one invocation of each key, and its degrees of freedom (0 where nothing repeats).

    A key's own variance is averaged with that of the typical key, weighted by degrees of freedom: an empirical-Bayes
    estimate as in Smyth (2004), doi 10.2202/1544-6115.1027. Only deviations within a side enter, so that a change
    between the sides does not widen the spread.
    """
    counts, squares = old["files"] + new["files"], old["squares"] + new["squares"]
    noise = (old["noise"] * old["files"] + new["noise"] * new["files"]) / counts
    noise, freedom = np.maximum(noise, SMALLEST_VARIANCE), counts - 2.0
    repeated = freedom > 0
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
        alone = np.maximum(found, spread**2 + side["noise"])
        total += np.where(side["files"] == 1, alone, found / side["files"])
    return np.sqrt(total), np.where(freedom > 0, freedom, NEARLY_NORMAL)


def holm(p: Array) -> Array:
    """Adjusted p-values: rejecting those up to alpha gives a family-wise error of alpha (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return adjusted


def evidence(old: Side, new: Side, threshold: float, spread: float) -> Array:
    """
    For each key its change, the 95 % interval of this key alone, the p-value adjusted for the family, and the change
    found with POWER; in the order of EVIDENCE. All but p are logarithms of NEW / OLD.

    Input: at least one key, all of them with a time on both sides; threshold and spread as logarithms
    """
    change = new["log_ms"] - old["log_ms"]
    error, freedom = scale(old, new, spread)

    def reach(level: float) -> Array:
        """The quantile of the change under chance alone, for the one-sided probability."""
        return np.asarray(special.stdtrit(freedom, level) * error)

    p = holm(2.0 * special.stdtr(freedom, -np.abs(change) / error))
    detectable = np.maximum(-reach(FAMILY_ERROR / len(change) / 2.0), threshold) + reach(POWER)
    return np.array([change, change - reach(0.975), change + reach(0.975), p, detectable])


# ---------------------------------------------------------------- verdicts


def _aligned(side: pd.DataFrame, keys: pd.Index) -> Side:
    """With a row for each key; of one that the side lacks, `files` is 0."""
    found = side.reindex(keys)
    flags = {name: found[name].eq(True) for name in ("noisy", "throttled", "unsteady")}
    rows: Side = found.assign(files=found["files"].fillna(0).astype(int), **flags).to_records(index=False)
    return rows


def judge(
    before: pd.DataFrame, after: pd.DataFrame, threshold: float, spread: float, failed: Collection[str] = ()
) -> pd.DataFrame:
    """
    One row per key of two sides, those of OLD in their order, then those that only NEW has: `verdict`, `reason`, the
    times and the number of files of each side; `ratio` is NEW / OLD, with its 95 % interval; `p` is adjusted for all
    keys; `detectable` is the ratio found in 95 % of the cases.

    Input: failed, the keys that are not tested because a run of NEW failed
    """
    keys = before.index.union(after.index, sort=False)
    old, new = _aligned(before, keys), _aligned(after, keys)
    # A single sample shows no spread, but several invocations of one sample do.
    shown = (old["noisy"] | (old["files"] > 1)) & (new["noisy"] | (new["files"] > 1))
    tested = shown & (old["files"] > 0) & (new["files"] > 0) & ~keys.isin(failed)
    smallest, found = math.log1p(threshold), np.full((len(EVIDENCE), len(keys)), np.nan)
    if tested.any():
        found[:, tested] = evidence(old[tested], new[tested], smallest, math.log1p(spread))
    change, low, high, p, detectable = found
    clock = _clock_reasons(old, new, threshold)
    chance = np.array([f"may be chance: p = {one:.2g}" for one in p], dtype=object)
    # The first that applies.
    cases: list[tuple[Any, str, Any]] = [
        (old["files"] == 0, "ADDED", "only in NEW"),
        (new["files"] == 0, "MISSING", "only in OLD"),
        (~tested, "UNSURE", "too few samples show no spread"),
        ((low >= -smallest) & (high <= smallest), "SAME", ""),
        (np.abs(change) <= smallest, "UNSURE", "the interval reaches beyond the threshold"),
        (p > FAMILY_ERROR, "UNSURE", chance),
        (clock != "", "UNSURE", clock),
        (old["unsteady"] | new["unsteady"], "UNSURE", ""),  # the marks of `compare` say why
        (change > 0, "SLOWER", ""),
        (change <= 0, "FASTER", ""),
    ]
    applies, verdicts, reasons = zip(*cases)
    # Few repeats give intervals without bounds: keep the numbers finite.
    ratio_low, ratio_high, least = np.exp(np.clip([low, high, detectable], -300.0, 300.0))
    return pd.DataFrame({
        "verdict": np.select(applies, verdicts, ""), "reason": np.select(applies, reasons, ""),
        "old_ms": np.exp(old["log_ms"]), "new_ms": np.exp(new["log_ms"]), "old_files": old["files"],
        "new_files": new["files"], "ratio": np.exp(new["log_ms"] - old["log_ms"]), "ratio_low": ratio_low,
        "ratio_high": ratio_high, "detectable": least, "p": p,
    }, index=keys)  # fmt: skip


def _clock_reasons(old: Side, new: Side, threshold: float) -> Array:
    """Why a change may come from the clocks; '' if it does not. Throttling on both sides affects both alike."""
    before, after = old["sm_mhz"], new["sm_mhz"]
    hot = np.where(old["throttled"], "OLD was throttled", "NEW was throttled")
    clocks = np.array([f"SM clock {one:.0f} and {other:.0f} MHz" for one, other in zip(before, after)], dtype=object)
    reasons = np.where(np.abs(before - after) > threshold * before, clocks, "")
    return np.where(old["throttled"] != new["throttled"], hot, reasons)


def _failures(new: Sequence[pd.DataFrame]) -> pd.Series:
    """By key, why it failed in the first file where it did: a run that fails only sometimes is broken, too."""
    every = pd.concat(new)
    failed = every.loc[every["log_ms"].isna(), "failure"].groupby(level=0, sort=False)
    share = failed.size().map(f" ({{}} of {len(new)} files)".format) if len(new) > 1 else ""
    return failed.first() + share


def _marks(sides: Mapping[str, Sequence[pd.DataFrame]]) -> dict[str, dict[str, str]]:
    """Key -> the cautions about its sides, each with the sides that it is about: a wrong result is easily fast."""
    found: dict[str, dict[str, str]] = {}
    for name, side in sides.items():
        noted = pd.concat([file["caution"] for file in side])
        for key, caution in noted[noted != ""].str.split(", ").explode().items():
            held = found.setdefault(key, {}).setdefault(caution, name)
            found[key][caution] = held if name in held else f"{held} and {name}"
    return found


def compare(old: Sequence[pd.DataFrame], new: Sequence[pd.DataFrame], threshold: float, spread: float) -> pd.DataFrame:
    """What `judge` says for each `key`, with those that failed in NEW, and cautions. Input: as `times` gives them"""
    before, failures, marks = side_of(old), _failures(new), _marks({"OLD": old, "NEW": new})
    # A key that failed is no part of the family that is tested.
    failures = failures[failures.index.isin(before.index)]
    rows = judge(before, side_of(new), threshold, spread, failures.index)
    rows.loc[failures.index, "verdict"] = "FAILED"
    rows.loc[failures.index, "reason"] = failures
    rows["reason"] = [
        ", ".join(filter(None, (reason, *(f"{who} {w}" for w, who in marks.get(key, {}).items() if w not in reason))))
        for key, reason in rows["reason"].items()
    ]
    return rows.rename_axis("key").reset_index()
