"""Computes the bound of every run from the highest memory rate that the whole document has for its device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from .source import Json, Source, device_of

# Raised by values that are no number or no object: the code that uses the run reports those.
DAMAGED = (ArithmeticError, AttributeError, KeyError, TypeError, ValueError)


def _rates(environments: Sequence[Json]) -> dict[str, tuple[float, str]]:
    """Device -> the highest rate that an invocation measured there, and the name of that rate."""
    best: dict[str, tuple[float, str]] = {}
    for environment in environments:
        is_cpu = not environment.get("gpu") or (environment.get("cpu") or {}).get("threads")
        device = device_of(environment, "cpu" if is_cpu else "cuda")
        for name, rate in (environment.get("peak_bandwidth") or {}).items():
            if rate and name.endswith("_per_s"):
                best[device] = max(best.get(device, (0.0, "")), (float(rate), name.partition("_")[0]))
    return best


def _passes(run: Json, bytes_moved: int) -> int:
    """
    The passes of a launch over the data: one that advances several generations may move fewer bytes than one by one.
    """
    generations = int(run["parameters"].get("steps") or 1)
    of_all = int(run["throughput"].get("bytes") or 0)
    return math.ceil(generations * bytes_moved / of_all) if of_all else 1


def _least_ms(run: Json, environment: Json, rate: float) -> float | None:
    """The shortest possible time, computed as in report/format/roofline.c."""
    part = environment.get("cpu") if run["engine"] == "cpu" else environment.get("gpu")
    cache_bytes = int((part or {}).get("cache_bytes" if run["engine"] == "cpu" else "l2_bytes") or 0)
    devices = int((run.get("ranks") or {}).get("count") or 1)
    moved = int(run["roofline"].get("bytes") or 0)
    least = moved - _passes(run, moved) * devices * cache_bytes
    return least / (devices * rate * 1e6) if cache_bytes and least > 0 and rate else None


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-6)
    return bool(one == other)


def _renewed(run: Json, environment: Json, rate: float, ceiling: str) -> Json:
    held = run["roofline"]
    least_ms = _least_ms(run, environment, rate)
    median = (run.get("time_ms") or {}).get("median")
    found = {
        "ceiling": ceiling if least_ms else None,
        "bound_ms": float(f"{least_ms:.9g}") if least_ms else None,
        "fraction_of_bound": float(f"{least_ms / median:.9g}") if least_ms and median else None,
    }
    return run if all(_same(held.get(name), found[name]) for name in found) else {**run, "roofline": {**held, **found}}


def renew(source: Source, environments: Sequence[Json]) -> Source:
    """Recomputes bounds that an earlier version, or a lower memory rate, has put into the records.

    Input: environments, those of the whole document, of which the source may be a part
    """
    with suppress(*DAMAGED):
        rates = _rates(environments)
        for name, run in source.runs.items():
            if isinstance(run.get("roofline"), dict):
                with suppress(*DAMAGED):
                    source.runs[name] = _renewed(run, source.environment_of(run), *rates.get(name.device, (0.0, "")))
    return source
