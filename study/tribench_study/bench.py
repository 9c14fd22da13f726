"""The results of one GPU, asked the way that the papers measured: selections of runs, and ratios of their times."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pandas as pd
from tribench_report import documents, frame, merge
from tribench_report.errors import ReportError

from .invocations import between

TIME, GAIN = "time_ms.median", "improvement.factor"
ENDS = {TIME: "time_ms.ci95", GAIN: "improvement.ci95", "energy.launch_j": "energy.ci95"}
DEFAULT_CUTOFF = 128
# The blocks that the techniques of the texts stand for; others have one of their own.
BLOCK_OF = {"rect": "64x4"}
COLUMNS = [
    *("label", "key", "device", "engine", "strategy", "workload", "dimension", "n", "block", "tile", "kernel"),
    *("layout", "schedule", "cache", "cutoff", "samples.timing", "peer.name", "caveats", "verified.status"),
    *(
        "launch.blocks",
        "launch.blocks_wasted",
        "throughput.fraction_of_peak",
        "parameters.memory",
        "parameters.cell",
        "parameters.domain",
        "parameters.steps",
    ),
    *("improvement.baseline", *(f"energy.nj_per_cell{end}" for end in ("", "_ci95.low", "_ci95.high"))),
    *(name for what, ends in ENDS.items() for name in (what, f"{ends}.low", f"{ends}.high")),
]
# What two runs of one automaton share, besides the technique.
PLACE = ["strategy", "parameters.domain", "layout", "parameters.steps", "n"]


def intervals(runs: pd.DataFrame, what: str = TIME) -> pd.DataFrame:
    """
    A number of each run between its bounds, which equal it if they are unknown, and whether the run has a caveat, by
    the index of the runs. Runs without the number are left out.
    """
    ends = ENDS.get(what, f"{what}_ci95")
    found = runs[[what, f"{ends}.low", f"{ends}.high"]].set_axis(["value", "low", "high"], axis=1)
    found = found.assign(low=found["low"].fillna(found["value"]), high=found["high"].fillna(found["value"]))
    return found.assign(noted=runs["caveats"].notna()).dropna(subset="value")


def ratio(over: pd.DataFrame, under: pd.DataFrame) -> pd.DataFrame:
    """over / under, where both are known: of separate intervals, so that the result is wide enough for any two runs."""
    over, under = over.align(under, join="inner", axis=0)
    noted = over["noted"].astype(bool) | under["noted"].astype(bool)
    ends = {"low": over["low"] / under["high"], "high": over["high"] / under["low"]}
    return pd.DataFrame({"value": over["value"] / under["value"], **ends, "noted": noted})


def ranked(several: Sequence[pd.DataFrame], place: int) -> pd.DataFrame:
    """Of several at each N the one at a place in their order, 0 for the least and -1 for the most."""
    ordered = pd.concat(several).sort_values("value", kind="stable")
    return ordered.groupby(level=0).nth(place)


def shared(several: Sequence[pd.DataFrame]) -> list[pd.DataFrame]:
    """What all of them have."""
    index = several[0].index
    for one in several[1:]:
        index = index.intersection(one.index)
    return [one.loc[index.sort_values()] for one in several]


class Bench:
    """
    Runs by one launch as any program would make it, with the labels of their invocations. exact: strategy -> the n up
    to which the device found the map right, and whether a larger one failed. counters: workload, strategy and technique
    -> the instructions of a launch, and its N. within: the same runs, each with the interval of its own invocation.
    """

    def __init__(
        self,
        device: str,
        runs: pd.DataFrame,
        exact: dict[str, tuple[int, bool]],
        counters: dict[tuple[str, ...], tuple[float, int]],
        within: Bench | None = None,
    ):
        self.device, self.runs, self.exact, self.counters, self.within = device, runs, exact, counters, within
        self.labels = [label for label in runs["label"].unique() if label]
        self._only: dict[str, Bench] = {}

    def only(self, wanted: str) -> Bench:
        """The runs of one invocation, or of several joined by +; all runs if the results have no labels."""
        if not self.labels:
            return self
        if wanted not in self._only:
            patterns = wanted.split("+")
            chosen = [label for label in self.labels if any(fnmatchcase(label, pattern) for pattern in patterns)]
            runs = self.runs[self.runs["label"].isin(chosen)]
            within = self.within and self.within.only(wanted)
            self._only[wanted] = Bench(self.device, runs, self.exact, self.counters, within)
        return self._only[wanted]

    def _where(self, **values: object) -> pd.DataFrame:
        found = pd.Series(True, index=self.runs.index)
        for name, value in values.items():
            found &= self.runs[name.replace("__", ".")] == value
        return self.runs[found]

    def _plain(self, dimension: int, side: int, layout: str, workload: str, timing: str = "batched") -> pd.DataFrame:
        """A thread per cell, in square blocks or cubes."""
        return self._where(
            workload=workload, dimension=dimension, block="x".join([str(side)] * dimension), tile=str(side),
            kernel="cell", layout=layout, schedule="grid", samples__timing=timing,
        )  # fmt: skip

    def triangle(self, workload: str, side: int = 16, timing: str = "batched") -> Maps:
        """Packed output, as Navarro and Hitschfeld have it."""
        runs = self._plain(2, side, "packed", workload, timing)
        return Maps(runs[runs["cutoff"].fillna(DEFAULT_CUTOFF) == DEFAULT_CUTOFF])

    def tetra(self, cutoff: int, side: int = 8) -> Maps:
        """A constant written to the cube, as González has it."""
        runs = self._plain(3, side, "full", "write")
        return Maps(runs[runs["cutoff"].isna() | (runs["cutoff"] == cutoff)])

    def simplex(self, dimension: int, workload: str) -> Maps:
        """At the best cut-off; as one array where a layout is stored."""
        layout = "packed" if (dimension, workload) == (2, "life") else "full"
        return Maps(self._plain(dimension, 16 if dimension == 2 else 8, layout, workload).sort_values(TIME)[::-1])

    def technique(self, workload: str, memory: str, block: str | None = None, tile: str | None = None) -> pd.DataFrame:
        """Runs of one technique, by what they must share with those of another one. Packed: both planes in a float2."""
        memory, _, packed = memory.partition(" ")
        runs = self._where(workload=workload, samples__timing="batched", parameters__memory=memory)
        cell = runs["parameters.cell"]
        runs = runs[cell == "f32x2" if packed else cell.isna() | cell.isin(["u32", "f32"])]
        runs = runs if tile is None else runs[runs["tile"] == str(tile)]
        blocks = runs["block"].unique()
        if block is None:
            block = blocks[0] if len(blocks) == 1 else BLOCK_OF.get(memory, "16x16")
        runs = runs[runs["block"] == block]
        return runs.fillna({"parameters.domain": "", "parameters.steps": 1}).set_index(PLACE)


class Maps:
    """Runs of several maps that measured the same; by N, of which the last one counts."""

    def __init__(self, runs: pd.DataFrame) -> None:
        self.runs = runs.drop_duplicates(["strategy", "n"], keep="last").set_index("n")

    def of(self, strategy: str) -> pd.DataFrame:
        return self.runs[self.runs["strategy"] == strategy].sort_index()

    def times(self, *strategies: str) -> list[pd.DataFrame]:
        """At every N at which all of them were measured."""
        return shared([intervals(self.of(strategy)) for strategy in strategies])

    def gains(self, strategy: str) -> pd.DataFrame:
        """I. It is noted, too, if the run that it is over has a caveat."""
        runs = self.of(strategy)
        found = intervals(runs, GAIN)
        for name in runs["improvement.baseline"].dropna().unique():
            found["noted"] |= found.index.isin(self.of(name)["caveats"].dropna().index)
        return found


def common_place(techniques: Sequence[pd.DataFrame]) -> tuple[object, ...] | None:
    """Where all were measured: the square of the texts rather than the triangle, at the largest N, in the box."""
    places = set.intersection(*(set(one.index) for one in techniques))
    return max(places, key=lambda place: (place[1] == "square", place[-1], place[0] == "bb", place[0]), default=None)


# ---------------------------------------------------------------- from files


def _beside(results: str, ending: str) -> Path:
    """GPU-maps.json of GPU.json.gz:LABEL."""
    return Path(re.sub(r"\.json(\.gz)?(:[^/]*)?$", "", results) + ending)


def _counters(results: str) -> dict[tuple[str, ...], tuple[float, int]]:
    path = _beside(results, "-counters.csv")
    if not path.is_file():
        return {}
    rows = pd.read_csv(path, keep_default_na=False)
    keys = zip(rows["workload"], rows["strategy"], rows["memory"])
    return dict(zip(keys, zip(rows["instructions"].astype(float), rows["n"].astype(int))))


def _maps(results: str) -> dict[str, tuple[int, bool]]:
    path = _beside(results, "-maps.json")
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_bytes())["strategies"]
        return {
            one["strategy"]: (
                int(one.get("right_n") or one["checked_n"])
                if one["first_failing_n"] is None
                else int(one["first_failing_n"]) - 1,
                one["first_failing_n"] is not None,
            )
            for one in found
        }
    except (ValueError, KeyError, TypeError) as problem:
        raise ReportError(f"{path}: is not what --check-maps writes: {problem}") from None


def _parts(results: str) -> tuple[dict[str, list[documents.Document]], list[str]]:
    """
    Documents by the label of their invocation, which one that study/measure joined has, else all under ''; and the
    labels of FILE:LABEL,... The others, and those of GPU-again.json.gz, say how much invocations differ.
    """
    path, _, wanted = (results, "", "") if Path(results).exists() else results.rpartition(":")
    if not wanted:
        whole = documents.read([results])
        if Path(path).is_dir() or len(whole[0].parts) < 2:
            return {"": whole}, [""]
    every, mine = (
        {documents.name_of_part(part.name.rpartition(":")[2]): [part] for part in documents.read([f"{path}:{words}"])}
        for words in ("*", wanted or "*")
    )
    again = _beside(results, "-again.json.gz")
    if again.is_file():
        every |= {part.name: [part] for part in documents.read([f"{again}:*"])}
    return every, list(mine)


def _frame(parts: dict[str, list[documents.Document]], unverified: bool) -> pd.DataFrame:
    """The usable runs of all parts, each with its label and device."""
    records, columns = [], []
    for label, several in parts.items():
        for name, record in merge.settle(several).items():
            records.append(record)
            columns.append((label, name.device))
    runs = frame.columns(records).assign(**pd.DataFrame(columns, columns=["label", "device"]))
    checked = runs["verified.status"]
    good = (checked == "pass") | (unverified & (checked != "fail"))
    return runs.loc[good & (runs["status"] == "ok") & runs[TIME].notna(), COLUMNS]


def _compared(runs: pd.DataFrame) -> pd.DataFrame:
    return runs[
        (runs["engine"] == "cuda") & runs["peer.name"].isna() & (runs["cache"].fillna("") == "warm")
        & runs["samples.timing"].isin(["batched", "host"])
    ]  # fmt: skip


def of_all_invocations(results: str) -> pd.DataFrame:
    """Each key once for each invocation, which has a label."""
    return _compared(_frame(_parts(results)[0], False)).drop_duplicates(["key", "label"])


def read(results: str, unverified: bool = False) -> Bench:
    """
    Times and I are those of all invocations of a key, with the interval between invocations. Errors: no results, or
    those of several GPUs, which cannot be one column.
    """
    parts, labels = _parts(results)
    plain = _compared(_frame(parts, unverified))
    devices = list(plain["device"].unique())
    if len(devices) != 1:
        raise ReportError(f"{results}: expected results of one GPU, found {', '.join(devices) or 'none'}")
    wide = plain.copy()
    for what in (TIME, GAIN):
        found = between(plain, what)
        for name, end in zip((what, f"{ENDS[what]}.low", f"{ENDS[what]}.high"), ("value", "low", "high")):
            wide[name] = found[end].fillna(plain[name])
    wide["throughput.fraction_of_peak"] *= plain[TIME] / wide[TIME]
    checks = _maps(results), _counters(results)
    within, across = (one[one["label"].isin(labels)] for one in (plain, wide))
    return Bench(devices[0], across, *checks, Bench(devices[0], within, *checks))
