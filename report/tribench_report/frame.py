"""The runs of result files as a data frame: a row per run, the values of its record in columns by dotted names."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .cli import counted
from .documents import Document, Json, commit_of, device_of, member, read
from .errors import ReportError
from .merge import clashes, gaps, settle
from .tables import flat

# The columns that every frame has, with numbers (float64; NaN where the record has null) ...
NUMBERS = (
    "dimension", "n", "block.x", "block.y", "block.z", "cutoff", "group", "launch.blocks",
    "launch.blocks_wasted", "launch.cells", "time_ms.median", "time_ms.ci95.low", "time_ms.ci95.high", "samples.count",
    "throughput.cells_per_s", "throughput.bytes", "throughput.gb_per_s", "throughput.fraction_of_peak",
    "roofline.bytes", "roofline.operations_per_byte", "roofline.gop_per_s", "roofline.bound_ms",
    "roofline.fraction_of_bound", "improvement.factor", "improvement.ci95.low", "improvement.ci95.high",
    "device_state.sm_mhz", "energy.launch_j", "energy.ci95.low", "energy.ci95.high", "energy.nj_per_cell",
    "energy.nj_per_cell_ci95.low", "energy.nj_per_cell_ci95.high", "ranks.count", "parameters.steps",
)  # fmt: skip
# ... and with text (str; NaN where the record has null).
TEXTS = (
    "key", "strategy", "workload", "engine", "status", "reason", "verified.status", "layout", "tile", "order",
    "schedule", "kernel", "cache", "seed", "caveats", "improvement.baseline", "roofline.arithmetic", "roofline.ceiling",
    "samples.timing", "ranks.partition", "peer.name", "peer.version", "parameters.memory", "parameters.cell",
    "parameters.domain",
)  # fmt: skip
NEEDED = ("key", "strategy", "workload", "engine", "dimension", "n", "block.x", "status")
# The range of times in milliseconds, from a femtosecond to decades, and of their ratios: no measurement gives others,
# and their sums, ratios and squares would leave the range of a double.
LEAST, MOST = 1e-12, 1e12
OUT_OF_RANGE = f"a time, or a ratio of times, is not between {LEAST:g} and {MOST:g}"
RANGES = {
    "n": (1, 2**53), "dimension": (2, 3), "block.x": (1, 2**32),
    **{f"{name}.{end}": (LEAST, MOST) for name in ("time_ms", "improvement") for end in ("ci95.low", "ci95.high")},
    "time_ms.median": (LEAST, MOST), "improvement.factor": (LEAST, MOST),
}  # fmt: skip
BASELINES = {2: "bb", 3: "bb-tetra"}


@dataclass(slots=True)
class Results:
    """
    What some result files say. `runs` has the columns in NUMBERS and TEXTS and whatever else the records have (other
    `parameters.*` as text), and

        samples.ms          array of float64 [ms]; empty if none are recorded
        block               "16x16", "8x8x8"
        input, input_name   the input file, with and without a digest of its content; NaN for generated input
        device              "NVIDIA H200"
        part                place in `parts` of the invocation that made the run
        tried               combinations that a search (--tune) compared, of which this run is the fastest; else NaN
        usable              ended well, has a time, was not found wrong, and was verified unless `unverified` is given
        caution             reasons to read the time with care: "not verified, wide interval"; "" for most
    """

    runs: pd.DataFrame
    parts: list[Json]
    warnings: list[str]
    documents: list[Document]

    @property
    def usable(self) -> pd.DataFrame:
        return self.runs[self.runs["usable"]]

    def parts_of(self, runs: pd.DataFrame | None = None) -> list[Json]:
        """The invocations that made these runs; all of them if `runs` is None."""
        return self.parts if runs is None else [self.parts[k] for k in sorted(set(runs["part"]))]

    def devices(self, runs: pd.DataFrame | None = None) -> list[str]:
        """'NVIDIA H200, driver 580.95, CUDA 13.0' or the name of the CPU, each once."""
        names: dict[str, None] = {}
        for environment in (part["environment"] for part in self.parts_of(runs)):
            gpu, cpu = member(environment, "gpu"), member(environment, "cpu")
            facts = {"driver {}": gpu.get("driver"), "CUDA {}": gpu.get("runtime")}
            if cpu.get("threads") or not gpu:
                gpu, facts = {}, {"{} cores": cpu.get("cores")}
            said = [words.format(value) for words, value in facts.items() if value]
            names[", ".join([device_of(environment, "cuda" if gpu else "cpu"), *said])] = None
        return list(names)

    def version(self, runs: pd.DataFrame | None = None) -> str:
        """'tribench 0.1.0 (3f2a91c)', with the commits of all builds that made these runs."""
        builds: dict[str, dict[str, None]] = {}
        for tool in (part["tool"] for part in self.parts_of(runs)):
            commits = builds.setdefault(f"{tool.get('name') or 'tribench'} {tool.get('version') or '?'}", {})
            commits |= dict.fromkeys(filter(None, [commit_of(tool)]))
        return " and ".join(f"{name} ({', '.join(commits)})" if commits else name for name, commits in builds.items())

    def date(self, runs: pd.DataFrame | None = None) -> str:
        """The day on which these runs were measured, or the first and the last day."""
        days = sorted(part["started"][:10] for part in self.parts_of(runs) if part["started"])
        return " to ".join(dict.fromkeys([days[0], days[-1]])) if days else "date unknown"

    def commands(self, runs: pd.DataFrame | None = None) -> list[str]:
        """Each command that made these runs once, as it would be typed."""
        return list(dict.fromkeys(shlex.join(part["command"]) for part in self.parts_of(runs) if part["command"]))

    def peaks(self, runs: pd.DataFrame) -> dict[str, float]:
        """The highest value of each ceiling that these runs' invocations measured: 'fill', 'copy' [GB/s], ..."""
        found: dict[str, float] = {}
        for part in self.parts_of(runs):
            for kind in ("peak_bandwidth", "peak_arithmetic"):
                for name, value in member(part["environment"], kind).items():
                    if name.endswith("_per_s") and isinstance(value, (int, float)):
                        short = name.partition("_")[0]
                        found[short] = max(float(value), found.get(short, 0.0))
        return found

    def idle_power(self, runs: pd.DataFrame) -> float | None:
        """The lowest power of the device at rest that these runs' invocations measured [W]."""
        found = [part["environment"].get("idle_power_w") for part in self.parts_of(runs)]
        return min((float(watts) for watts in found if isinstance(watts, (int, float))), default=None)


# ---------------------------------------------------------------- columns


def _is_number(value: Any) -> bool:
    """Whole numbers beyond 2^53 are stored as text."""
    if isinstance(value, str):
        return value.isascii() and value.isdecimal() and len(value) < 21
    return type(value) is float or type(value) is int and abs(value) < 1e300


def _is_word(value: Any) -> bool:
    return type(value) in (str, int, float)


def _is_samples(value: Any) -> bool:
    is_list = isinstance(value, list) and set(map(type, value)) <= {int, float}
    return is_list and (not value or LEAST <= min(value) <= max(value) <= MOST)


def _reject(keys: pd.Series[str], wrong: pd.Series[bool], why: str) -> None:
    """Errors: names the first of the runs that are wrong."""
    for key in keys[wrong.to_numpy(dtype=bool)][:1]:
        raise ReportError(f"run {key}: cannot be used: {why}")


def columns(records: Sequence[Json]) -> pd.DataFrame:
    """The runs as a frame, checked. Errors: names the first run that cannot be used, and why."""
    rows = [flat(record) for record in records]
    others = [name for row in rows for name in row if name.startswith(("parameters.", "result."))]
    names = dict.fromkeys((*TEXTS, *NUMBERS, *others))
    raw = {name: pd.Series([row.get(name) for row in rows], dtype=object) for name in names}
    keys = raw["key"]
    has_parameters = pd.Series([isinstance(record.get("parameters"), dict) for record in records], dtype=bool)
    _reject(keys, ~has_parameters, "'parameters' is not an object")
    for name in NEEDED:
        _reject(keys, raw[name].isna(), f"it has no '{name.removesuffix('.x')}'")
    for name, values in raw.items():
        fits, kind = (_is_number, "a number") if name in NUMBERS else (_is_word, "a word or a number")
        _reject(keys, values.notna() & ~values.map(fits).astype(bool), f"'{name}' is not {kind}")
    frame = pd.DataFrame({
        name: values.astype(float) if name in NUMBERS else values.where(values.isna(), values.astype(str)).astype("str")
        for name, values in raw.items()
    })  # fmt: skip
    samples = pd.Series([row.get("samples.ms") or [] for row in rows], dtype=object)
    _reject(keys, ~samples.map(_is_samples).astype(bool), f"'samples.ms' is not a list of numbers, or {OUT_OF_RANGE}")
    frame["samples.ms"] = samples.map(lambda ms: np.array(ms, dtype=np.float64))
    for name, (low, high) in RANGES.items():
        why = OUT_OF_RANGE if high == MOST else f"'{name}' is not in {low}..{high}"
        _reject(keys, frame[name].notna() & ~frame[name].between(low, high), why)
    frame[["n", "dimension"]] = frame[["n", "dimension"]].astype(int)
    frame["throttled"] = [row.get("device_state.throttled") is True for row in rows]
    sides = frame[["block.x", "block.y", "block.z"]].fillna(1).map("{:g}".format).astype("str")
    is_flat = (frame["dimension"] == 2) & (sides["block.z"] == "1")
    block = sides["block.x"] + "x" + sides["block.y"] + ("x" + sides["block.z"]).mask(is_flat, "")
    frame["block"] = block.astype("str")
    frame["input"] = frame["key"].str.extract("/input-([^/]+)", expand=False)
    frame["input_name"] = frame["input"].str.extract("(.+)-", expand=False)
    frame = frame.fillna({"samples.timing": "batched", "verified.status": "none"})
    # dummy's four bytes are no bandwidth: the densest cell is a bit, 1/8 byte.
    none = frame["throughput.gb_per_s"] * 1e9 < frame["throughput.cells_per_s"] / 16.0
    frame.loc[none, "throughput.gb_per_s"] = np.nan
    return frame


def _tried(frame: pd.DataFrame) -> pd.Series[float]:
    """For the fastest run of each map in a search, which has dropped runs, the number of combinations compared."""
    measured = frame["time_ms.median"].where(frame["status"] == "ok")
    searches = frame.assign(dropped=frame["status"] == "dropped", measured=measured).groupby(
        ["part", "engine", "workload", "strategy", "n"], sort=False
    )
    fastest = measured == searches["measured"].transform("min")
    return searches["key"].transform("size").astype(float).where(fastest & searches["dropped"].transform("any"))


def _mark(frame: pd.DataFrame, unverified: bool) -> list[str]:
    """Adds `usable` and `caution`, and says how many runs are left out, or are to be read with care, and why."""
    key, check = frame["key"], frame["verified.status"]
    ended = (frame["status"] == "ok") & (check != "fail")
    measured = ended & frame["time_ms.median"].notna()
    unchecked = measured & (check != "pass")
    frame["usable"] = measured & (unverified | ~unchecked)
    said = zip(np.where(unchecked, "not verified", ""), frame["caveats"].where(measured).fillna(""))
    frame["caution"] = pd.Series([", ".join(filter(None, pair)) for pair in said], index=frame.index, dtype="str")
    found = counted(key[check == "fail"], "run{s} failed verification and {are} left out")
    left_out = "" if unverified else " and {are} left out without --unverified"
    found += counted(key[unchecked], "run{s} {were} not verified" + left_out)
    each = frame["caveats"][ended].dropna().str.split(", ").explode()
    for caveat, keys in key[each.index].groupby(each.to_numpy(), sort=False):
        found += counted(keys, "run{s} {have} the note", f" '{caveat}'")
    return found


# ---------------------------------------------------------------- from documents to a frame


def from_documents(documents: Sequence[Document], unverified: bool = False) -> Results:
    """Input: unverified, whether runs that were not compared with the reference count."""
    settled = settle(documents)
    try:
        frame = columns(list(settled.values()))
    except ReportError as problem:
        named = (one.name for one in documents for run in one.runs if f"run {run['key']}:" in str(problem))
        raise ReportError(f"{next(named, documents[0].name)}: {problem}") from None
    frame["device"] = pd.Series([name.device for name in settled], dtype="str")
    frame["part"] = [int(run["source"]) for run in settled.values()]
    frame["tried"] = _tried(frame)
    warnings = [sentence for document in documents for sentence in document.warnings]
    warnings += clashes(documents) + gaps(documents) + _mark(frame, unverified)
    parts = [part for document in documents for part in document.parts]
    return Results(frame, parts, warnings, list(documents))


def load(words: Sequence[str], unverified: bool = False) -> Results:
    """Reads FILE, DIRECTORY or FILE:PART,... words. One record per key and device counts."""
    return from_documents(read(words), unverified)
