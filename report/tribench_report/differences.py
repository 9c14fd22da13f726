"""Differences between invocations that are compared; they may explain why the times differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from .documents import Document, Json, commit_of, member
from .tables import flat

# The conditions of an invocation, in words; unknown ones are left out.
Facts = Mapping[str, str]
MOST_VALUES = 4
# Loads and clocks are rounded to these steps before they are compared.
LOAD_STEP, CLOCK_MHZ = 1.0, 30.0
# The places of facts in the environment.
PATHS = {
    "host": "host.name", "processor": "cpu.model", "GPU": "gpu.name", "card": "gpu.uuid", "driver": "gpu.driver",
    "CUDA": "gpu.runtime", "compiler": "build.compiler", "nvcc": "build.cuda", "flags": "build.flags",
    "--threads": "cpu.threads", "governor": "cpu.governor", "turbo": "cpu.turbo",
}  # fmt: skip


def _rounded(values: Sequence[Any], step: float, unit: str = "") -> str:
    """The median of the values that are numbers, rounded to a multiple of `step` to hide small differences."""
    known = [float(value) for value in values if isinstance(value, (int, float)) and abs(value) < 1e9]
    return f"{step * round(median(known) / step):.0f}{unit}" if known else ""


def _facts(part: Json, runs: Sequence[Json]) -> Facts:
    environment = flat(part["environment"])
    counts = [member(run, "samples").get("count") for run in runs]
    clocks = [member(run, "device_state").get("sm_mhz") for run in runs]
    found = {name: environment.get(path) for name, path in PATHS.items()} | {
        "version": part["tool"].get("version"),
        "commit": commit_of(part["tool"], member(part["environment"], "build")),
        # The largest number of samples: a time budget may have cut those of single runs.
        "samples": max((count for count in counts if isinstance(count, int)), default=None),
        "SM clock": _rounded(clocks, CLOCK_MHZ, " MHz"),
        "load": _rounded([environment.get("host.load")], LOAD_STEP),
    }
    return {name: str(value) for name, value in found.items() if value not in (None, "")}


def facts_of(documents: Sequence[Document]) -> list[Facts]:
    """The facts of each invocation that made the documents, but for one that was stopped before its first run."""
    each = (pair for document in documents for pair in zip(document.parts, document.by_part()))
    return [_facts(part, runs) for part, runs in each if runs]


def _together(values: set[str]) -> str:
    known = sorted(values)
    more = f" and {len(known) - MOST_VALUES} more" if len(known) > MOST_VALUES else ""
    return ", ".join(known[:MOST_VALUES]) + more


def between(sides: Mapping[str, Sequence[Facts]]) -> list[str]:
    """One line per fact that is not the same everywhere, such as 'driver: OLD 580.95, NEW 580.159'.

    Two sides differ if they have different sets of values; a single side differs if it has several values.

    Input: sides, the facts of each side's invocations by its name; the name of a single side is ''
    """
    found = []
    for name in dict.fromkeys(name for side in sides.values() for facts in side for name in facts):
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
