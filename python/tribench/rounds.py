"""Any calls by tribench's protocol: verified, warmed up, sampled in shuffled rounds, and kept as a record."""

from __future__ import annotations

import datetime
import math
import os
import platform
import random
import time
from collections.abc import Callable, Mapping
from statistics import fmean, median, stdev
from typing import Any

from .clocks import Call, Clock, usual_clock
from .errors import TribenchError, UsageError, VerificationError
from .result import Result

SETTLED = 0.01  # three medians in a row within this of each other
LONGEST_MS = 2000.0  # the longest warm-up of a call
LARGEST_BATCH = 20000
STATES = 8  # times that the state of the device is read
WIDE = 0.05  # as in docs/record.md
LEAST_MS = 1e-6  # clocks resolve no finer
# Fields of a record that these runs do not have.
UNKNOWN = ("cutoff", "launch", "result", "per_step_ms", "working_set_bytes", "energy_j", "time_ms", "samples",
           "improvement", "caveats")  # fmt: skip

# ---------------------------------------------------------------- is it right?


def difference(found: Any, expected: Any, right: Callable[[Any, Any], Any] | None, tolerance: float) -> dict[str, Any]:
    """
    The record's `verified`, and in `said` the first element that is wrong.

    Input: arrays of numpy or torch; right, of both, where elements may stay; tolerance, relative
    """
    import numpy as np

    if tuple(found.shape) != tuple(expected.shape):
        said = f"its output has the shape {tuple(found.shape)}, expected {tuple(expected.shape)}"
        return {"status": "fail", "checked": 0, "mismatches": 1, "max_abs_error": None, "said": said}
    if right is not None:
        wrong = ~right(found, expected)
    else:
        wrong = ~((found == expected) | ((found != found) & (expected != expected)))
        if tolerance > 0:
            wrong &= ~(abs(found - expected) <= tolerance * abs(expected))
    flags = wrong.reshape(-1)
    flags = flags.byte() if hasattr(flags, "byte") else flags
    count, said = int(wrong.sum()), ""
    if count:
        place = int(flags.argmax())
        where = ", ".join(map(str, np.unravel_index(place, tuple(found.shape))))
        one, other = (float(each.reshape(-1)[place]) for each in (found, expected))
        said = f"{count} of {flags.shape[0]} elements are wrong; the first is at {where}: "
        said += f"found {one:.9g}, expected {other:.9g}"
    status = "fail" if count else "pass"
    return {"status": status, "checked": flags.shape[0], "mismatches": count, "max_abs_error": None, "said": said}


# ---------------------------------------------------------------- one call


class _Taken:
    """A call, what it is verified with, and its samples [ms]."""

    def __init__(self, name: str, call: Call) -> None:
        self.name, self.call, self.reason, self.kind = name, call, "", TribenchError
        self.verified: dict[str, Any] = {**dict.fromkeys(("checked", "mismatches", "max_abs_error")), "status": "none"}
        self.batch, self.warmup, self.ms, self.states = 1, 0, list[float](), list[dict[str, Any]]()
        self.started, self.is_graph = "", False

    def first(self) -> Any:
        """What the first call returns, which may compile; None if it fails."""
        self.started = _now()
        try:
            return self.call()
        except Exception as problem:  # whatever it is, the others are measured
            self.reason = f"{type(problem).__name__}: {problem}".partition("\n")[0]
            return None

    def prepare(self, clock: Clock, sample_ms: float, cold: bool) -> None:
        """Warms up until three medians of three agree; a batch lasts a sample."""
        one = [clock.ms(self.call) for _ in range(3)][-1]
        self.batch = 1 if cold else min(LARGEST_BATCH, max(1, math.ceil(sample_ms / max(one, LEAST_MS))))
        self.take, self.is_graph = clock.repeated(self.call, self.batch)
        if self.is_graph and not cold:  # without the gaps of the host, more may fit
            one = min(clock.ms(self.take) for _ in range(2)) / self.batch
            if (more := min(LARGEST_BATCH, math.ceil(sample_ms / max(one, LEAST_MS)))) > self.batch:
                self.batch = more
                self.take, self.is_graph = clock.repeated(self.call, more)
        medians, spent_ms = list[float](), 0.0
        while spent_ms < LONGEST_MS:
            three = [clock.ms(self.take) for _ in range(3)]
            spent_ms, self.warmup = spent_ms + sum(three), self.warmup + 3 * self.batch
            medians.append(median(three))
            last = medians[-3:]
            if len(last) == 3 and max(last) - min(last) <= SETTLED * min(last):
                break

    def sample(self, clock: Clock, cold: bool, with_state: bool) -> None:
        if cold:
            clock.flush()
        self.ms.append(max(clock.ms(self.take), LEAST_MS) / self.batch)
        if with_state:
            self.states.append(clock.state())


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _state(states: list[dict[str, Any]]) -> dict[str, Any]:
    """The medians of what the device said; throttled if it once was."""
    found: dict[str, Any] = {}
    for name in ("sm_mhz", "memory_mhz", "temperature_c", "power_w"):
        known = [one[name] for one in states if one.get(name) is not None]
        found[name] = median(known) if known else None
    known = [one["throttled"] for one in states if one.get("throttled") is not None]
    return {**found, "throttled": any(known) if known else None}


def _record(one: _Taken, base: _Taken, around: dict[str, Any]) -> dict[str, Any]:
    """A run, as docs/record.md has it."""
    import numpy as np
    from tribench_report.intervals import median_ranks, paired_ratio

    setting = f"n{around['n']}/b1x1/t1/full/seed1" + ("/cold" if around["cache"] == "cold" else "")
    rates = ("cells_per_s", "bytes", "gb_per_s", "fraction_of_peak", "flops", "flops_per_s")
    run: dict[str, Any] = {
        **dict.fromkeys(UNKNOWN), "throughput": dict.fromkeys(rates),
        "key": f"{around['engine']}/{around['workload']}/{one.name}/{setting}", "strategy": one.name, **around,
        "peer": {"name": "python", "version": platform.python_version()}, "dimension": 2, "block": [1, 1, 1],
        "tile": 1, "layout": "full", "seed": 1, "schedule": "grid", "kernel": "cell", "parameters": {},
        "status": "failed" if one.reason else "ok", "reason": one.reason or None, "started": one.started,
        "verified": one.verified, "device_state": _state(one.states),
    }  # fmt: skip
    if one.reason:
        return run
    ordered, ranks, middle = sorted(one.ms), median_ranks(len(one.ms)), median(one.ms)
    interval = [ordered[rank - 1] for rank in ranks] if ranks else None
    half = (interval[1] - interval[0]) / 2.0 / middle if interval else None
    notes = ["wide interval"] if half and half > WIDE else []
    notes += ["throttled"] if run["device_state"]["throttled"] else []
    ratio = None if one is base or base.reason else paired_ratio(np.array(base.ms), np.array(one.ms))
    return run | {
        "time_ms": {
            "median": middle, "ci95": interval, "min": ordered[0], "max": ordered[-1], "mean": fmean(one.ms),
            "stddev": stdev(one.ms) if len(one.ms) > 1 else None,
        },
        "samples": {
            "count": len(one.ms), "warmup": one.warmup, "batch": one.batch, "half_width": half,
            "timing": "host" if around["engine"] == "cuda" and not one.is_graph else "batched",
            "graph": one.is_graph, "ms": one.ms,
        },
        "improvement": ratio and {"baseline": base.name, "factor": ratio.value, "ci95": [ratio.low, ratio.high]},
        "caveats": ", ".join(notes) or None,
    }  # fmt: skip


# ---------------------------------------------------------------- all of them


def rounds(
    calls: Mapping[str, Call], *, like: str | None = None, check: Any = None, tolerance: float = 0.0,
    samples: int = 51, sample_ms: float = 1.0, max_time: float = 10.0, cache: str = "warm", n: int = 1,
    workload: str = "python", raises: bool = True, clock: Clock | None = None,
) -> Result:  # fmt: skip
    """
    Measures calls by the protocol of docs/measuring.md: each is verified, warmed up until three medians agree to 1 %,
    put into a graph of `sample_ms` where it can be, and sampled once per round, in shuffled order.

    Input: calls by their names, each of which starts its work, on a GPU on torch's current stream, and returns its
    output; like, the one that the others are compared with, the first if None; check, the output that they must have,
    False for none, or a function of an output and the expected one that says where elements are right; tolerance,
    relative; max_time, of the rounds per call [s]; cache, "warm" or "cold"; n and workload, for the record; raises,
    whether a call that fails or is wrong raises; clock, in place of the device's own
    Errors: UsageError; VerificationError, TribenchError with the first difference or failure, after all others were
    measured: `result` has them
    """
    like = next(iter(calls), "") if like is None else like
    if like not in calls or cache not in ("warm", "cold") or samples < 1:
        raise UsageError(f"rounds: expected calls with '{like}' among them, a cache that is warm or cold, and samples")
    clock, cold, started = clock or usual_clock(), cache == "cold", _now()
    every = {name: _Taken(name, call) for name, call in calls.items()}
    _verify([every[like], *(one for name, one in every.items() if name != like)], check, tolerance)
    taken = [one for one in every.values() if not one.reason]
    for one in taken:
        one.prepare(clock, sample_ms, cold)
    order, shuffle, begun = list(taken), random.Random(1).shuffle, time.monotonic()
    for number in range(samples if taken else 0):
        shuffle(order)
        for one in order:
            one.sample(clock, cold, number % math.ceil(samples / STATES) == 0)
        if time.monotonic() - begun > max_time * len(taken):
            break
    around = {"workload": workload, "engine": clock.engine, "n": n, "cache": cache}
    result = _result([_record(one, every[like], around) for one in every.values()], clock, started)
    for one in every.values():
        if one.reason and raises:
            raise one.kind(f"{one.name}: {one.reason}", result)
    return result


def _verify(every: list[_Taken], check: Any, tolerance: float) -> None:
    """Calls each once, the one that others are compared with first."""
    right = check if callable(check) else None
    expected = None if right or check is False else check
    for one in every:
        output = one.first()
        if one.reason or output is None or check is False:
            continue
        if expected is None:  # the others may write to the same place
            expected = output.clone() if hasattr(output, "clone") else output.copy()
            if right is None:
                continue
        one.verified = difference(output, expected, right, tolerance)
        if said := one.verified.pop("said"):
            one.reason, one.kind = said, VerificationError


def _result(runs: list[dict[str, Any]], clock: Clock, started: str) -> Result:
    from tribench_report.documents import from_document

    environment = {
        "host": {"name": platform.node(), "os": platform.system(), "kernel": platform.release()},
        "cpu": {"model": platform.machine(), "cores": os.cpu_count(), "threads": None, "memory_bytes": None},
        "peak_bandwidth": dict.fromkeys(("fill_gb_per_s", "copy_gb_per_s")),
        "build": dict.fromkeys(("compiler", "flags", "cuda", "git_commit")), **clock.environment(),
    }  # fmt: skip
    whole = {
        "schema": {"name": "tribench", "major": 2, "minor": 5}, "started": started, "finished": _now(),
        "tool": {"name": "tribench", "version": "python", "git_commit": None}, "command": ["tribench.rounds"],
        "environment": environment, "runs": runs,
    }  # fmt: skip
    return Result([from_document("rounds", whole)], unverified=True)
