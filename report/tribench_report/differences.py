"""Differences between documents that are compared; they may explain why the times differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from .model import integer
from .reading.source import Json, Source, member

# The conditions of an invocation, in words; unknown ones are left out.
Facts = Mapping[str, str]
MOST_VALUES = 4
# Loads and clocks are rounded to these steps before they are compared.
LOAD_STEP, CLOCK_MHZ = 1.0, 30.0


def _largest(runs: Sequence[Json], name: str) -> int | None:
    """The largest value of a member of `samples`: a time budget may have cut the samples of single runs."""
    found = [integer(member(run, "samples").get(name)) for run in runs]
    return max((value for value in found if value), default=None)


def _rounded(values: Sequence[Any], step: float) -> float | None:
    """The median of the values that are numbers, rounded to a multiple of `step` to hide small differences."""
    known = [float(value) for value in values if isinstance(value, (int, float))]
    return step * round(median(known) / step) if known else None


def _clock(runs: Sequence[Json]) -> float | None:
    return _rounded([member(run, "device_state").get("sm_mhz") for run in runs], CLOCK_MHZ)


def _facts(part: Json, runs: Sequence[Json]) -> Facts:
    environment, tool = member(part, "environment"), member(part, "tool")
    host, cpu, gpu, build = (member(environment, name) for name in ("host", "cpu", "gpu", "build"))
    load, clock = _rounded([host.get("load")], LOAD_STEP), _clock(runs)
    found = {
        "host": host.get("name"),
        "processor": cpu.get("model"),
        "GPU": gpu.get("name"),
        "card": gpu.get("uuid"),
        "driver": gpu.get("driver"),
        "CUDA": gpu.get("runtime"),
        "locked clocks": gpu.get("locked_clocks"),
        "SM clock": clock and f"{clock:.0f} MHz",
        "compiler": build.get("compiler"),
        "nvcc": build.get("cuda"),
        "flags": build.get("flags"),
        "version": tool.get("version"),
        "commit": str(tool.get("git_commit") or build.get("git_commit") or "")[:9],
        "--threads": cpu.get("threads"),
        "--samples": _largest(runs, "count"),
        "governor": cpu.get("governor"),
        "turbo": cpu.get("turbo"),
        "load": None if load is None else f"{load:.0f}",
    }
    return {name: str(value) for name, value in found.items() if value not in (None, "")}


def facts_of(source: Source) -> list[Facts]:
    """The facts of each invocation that a document comes from."""
    return [_facts(part, runs) for part, runs in zip(source.parts, source.runs_by_part)]


def _together(values: Iterable[str]) -> str:
    known = sorted(set(values))
    more = f" and {len(known) - MOST_VALUES} more" if len(known) > MOST_VALUES else ""
    return ", ".join(known[:MOST_VALUES]) + more


def between(sides: Mapping[str, Sequence[Facts]]) -> list[str]:
    """One line per fact that is not the same everywhere, such as 'driver: OLD 580.95, NEW 580.159'.

    Two sides differ if they have different sets of values; a single side differs if it has several values.

    Input: sides, the facts of each side's invocations by its name; the name of a single side is ''
    """
    names = dict.fromkeys(name for side in sides.values() for facts in side for name in facts)
    found = []
    for name in names:
        values = {side: {facts[name] for facts in mine if name in facts} for side, mine in sides.items()}
        known = [mine for mine in values.values() if mine]
        if len(known[0]) > 1 if len(sides) == 1 else any(mine != known[0] for mine in known):
            shown = [f"{side} {_together(mine)}".strip() for side, mine in values.items() if mine]
            found.append(f"{name}: {', '.join(shown)}")
    return found


def sentence(sides: Mapping[str, Sequence[Facts]], what: str) -> list[str]:
    """All differences as one sentence about `what`; an empty list if nothing differs."""
    found = between(sides)
    return [f"{what} differ in {'; '.join(found)}"] if found else []
