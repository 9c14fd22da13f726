"""The results of one GPU, asked the way that the papers measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tribench_report import study
from tribench_report.errors import ReportError
from tribench_report.improve import Improvements
from tribench_report.model import DEFAULT_CUTOFF, Run, time_ms
from tribench_report.reading.load import read_parts
from tribench_report.reading.source import name_of_part
from tribench_report.reading.strict import read_bytes, reader
from tribench_report.select import group
from tribench_report.stats import Interval

# The facts, besides the technique, that distinguish two runs of one automaton.
Place = tuple[object, ...]
# The blocks that the techniques of the texts stand for; others have one of their own.
BLOCK_OF = {"rect": "64x4"}


def _is_plain(run: Run) -> bool:
    """One launch as any program would make it."""
    plain = run.engine == "cuda" and run.peer is None and run.cache == "warm"
    return plain and run.timing in ("batched", "host")


@dataclass(slots=True)
class Bench:
    device: str
    runs: list[Run]
    improvements: Improvements
    # Strategy -> n up to which the device found the map right, and whether a larger one failed.
    exact: dict[str, tuple[int, bool]] = field(default_factory=dict)
    # The runs under each label; empty once a label was chosen.
    labels: dict[str, list[Run]] = field(default_factory=dict)
    is_across: bool = False

    def only(self, wanted: str) -> Bench:
        """The runs of one invocation, or of several joined by +; all runs if the results have no labels."""
        if not self.labels:
            return self
        patterns = wanted.split("+")
        chosen = [label for label in self.labels if any(fnmatchcase(label, pattern) for pattern in patterns)]
        runs = [run for label in chosen for run in self.labels[label]]
        return Bench(self.device, runs, Improvements(runs), self.exact, is_across=len(patterns) > 1)

    def gains(self, runs: dict[int, Run]) -> dict[int, Interval]:
        """I by N, of those that have one."""
        return {n: i for n, run in runs.items() if (i := self.improvements.of(run)) is not None}

    def _plain(
        self, strategy: str, workload: str, dimension: int, side: int, layout: str, timing: str = "batched"
    ) -> Iterator[Run]:
        """A thread per cell, in square blocks or cubes."""
        block = (side, side, side if dimension == 3 else 1)
        for run in self.runs:
            if (
                (run.strategy, run.workload, run.dimension) == (strategy, workload, dimension)
                and (run.block, run.tile, run.kernel) == (block, side, "cell")
                and (run.timing, run.layout, run.schedule) == (timing, layout, "grid")
            ):
                yield run

    def triangle(self, strategy: str, workload: str, side: int = 16, timing: str = "batched") -> dict[int, Run]:
        """By N: packed output, as Navarro and Hitschfeld have it."""
        runs = self._plain(strategy, workload, 2, side, "packed", timing)
        return {run.n: run for run in runs if run.cutoff in (None, DEFAULT_CUTOFF)}

    def tetra(self, strategy: str, cutoff: int | None = None, side: int = 8) -> dict[int, Run]:
        """By N: a constant written to the cube, as González has it."""
        return {run.n: run for run in self._plain(strategy, "write", 3, side, "full") if run.cutoff == cutoff}

    def simplex(self, dimension: int, strategy: str, workload: str) -> dict[int, Run]:
        """By N: at the best cut-off; as one array where a layout is stored."""
        layout = "packed" if (dimension, workload) == (2, "life") else "full"
        runs = self._plain(strategy, workload, dimension, 16 if dimension == 2 else 8, layout)
        return {run.n: run for run in sorted(runs, key=time_ms, reverse=True)}

    def automaton(
        self, workload: str, memory: str, block: str | None = None, tile: int | str | None = None
    ) -> dict[Place, Run]:
        """Runs of one technique, by what they must share with those of another one. Packed: both planes in a float2."""
        memory, _, packed = memory.partition(" ")
        cells = ("f32x2",) if packed else (None, "u32", "f32")
        named = [
            run
            for run in self.runs
            if run.workload == workload
            and run.timing == "batched"
            and run.parameters.get("memory") == memory
            and run.parameters.get("cell") in cells
            and tile in (None, run.tile)
        ]
        blocks = {run.block_name for run in named}
        if block is None:
            block = next(iter(blocks)) if len(blocks) == 1 else BLOCK_OF.get(memory, "16x16")
        return {
            (run.strategy, run.parameters.get("domain"), run.layout, run.generations, run.n): run
            for run in named
            if run.block_name == block
        }


def common_place(*techniques: dict[Place, Run]) -> Place | None:
    """Where all were measured: the square of the texts rather than the triangle, at the largest N."""
    shared = [place for place in techniques[0] if all(place in runs for runs in techniques)]
    return max(shared, key=lambda p: (p[1] == "square", int(str(p[-1])), str(p[0])), default=None)


def _maps(results: str) -> dict[str, tuple[int, bool]]:
    path = Path(re.sub(r"\.json(\.gz)?(:[^/]*)?$", "", results) + "-maps.json")
    if not path.is_file():
        return {}
    raw = read_bytes(path)
    try:
        found: list[dict[str, Any]] = reader(str(path), raw)(raw.decode("utf-8"))["strategies"]
        return {
            str(one["strategy"]): (
                int(one["checked_n"] if one["first_failing_n"] is None else one["first_failing_n"] - 1),
                one["first_failing_n"] is not None,
            )
            for one in found
        }
    except (ValueError, KeyError, TypeError) as problem:
        raise ReportError(f"{path}: is not what --check-maps writes: {problem}") from None


def _labelled(results: str, unverified: bool) -> dict[str, list[Run]]:
    """Runs by the label of their invocation: a document that was joined by study/measure has one for each."""
    path, colon, wanted = (results, "", "*") if Path(results).is_file() else results.rpartition(":")
    found: dict[str, list[Run]] = {}
    try:
        sources = read_parts(Path(path), wanted.split(","))
    except ReportError:
        return {}
    for source in sources:
        usable = study.from_sources([source], unverified).usable
        found[name_of_part(source.name.rpartition(":")[2])] = [run for run in usable if _is_plain(run)]
    return found


def benches_of(runs: Sequence[Run], improvements: Improvements) -> list[Bench]:
    """One for each GPU."""
    by_device = group(filter(_is_plain, runs), lambda run: run.device)
    return [Bench(device, mine, improvements) for device, mine in by_device.items()]


def read(results: str, unverified: bool = False) -> Bench:
    """Errors: no results, or those of several GPUs, which cannot be one column."""
    usable = study.read([results], unverified).usable
    found = benches_of(usable, Improvements(usable))
    if len(found) != 1:
        named = ", ".join(bench.device for bench in found) or "none"
        raise ReportError(f"{results}: expected results of one GPU, found {named}")
    return replace(found[0], exact=_maps(results), labels=_labelled(results, unverified))
