"""
Works out every verdict of docs/claims.md from JSON, without a line of the code that wrote it: which runs a row is
about, what is divided by what, and what the published figure makes of it are said here once more.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from scipy.stats import t as student

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
RESULTS = TOP / "study" / "results"
Json = dict[str, Any]
Factor = tuple[float, float, float]  # with its interval
EDM = ["edm1", "edm2", "edm3", "edm4"]


# ---- runs ----


def between(runs: Sequence[Json]) -> None:
    """Replaces times and I by what all invocations of a key found, and where the next one is expected."""
    for holder, name in (("time_ms", "median"), ("improvement", "factor")):
        logs: dict[str, list[float]] = {}
        for run in runs:
            if run[holder] and run[holder][name]:
                logs.setdefault(run["key"], []).append(math.log(run[holder][name]))
        kinds: dict[int, list[tuple[float, int]]] = {}
        for run in {run["key"]: run for run in runs if run["key"] in logs}.values():
            mine = logs[run["key"]]
            kind = kinds.setdefault(run["dimension"], [])
            kind.append((sum((x - sum(mine) / len(mine)) ** 2 for x in mine), len(mine) - 1))
        for run in runs:
            if run[holder] and run[holder][name]:
                squares, freedom = map(sum, zip(*kinds[run["dimension"]]))
                mine = logs[run["key"]]
                center = math.exp(sum(mine) / len(mine))
                run[holder] = {**run[holder], name: center}
                if freedom:
                    spread = math.sqrt(squares / freedom * (1 + 1 / len(mine)))
                    step = math.exp(student.ppf(0.975, freedom) * spread)
                    run[holder]["ci95"] = [center / step, center * step]


class Gpu:
    def __init__(self, name: str, is_between: bool = True) -> None:
        with (RESULTS / f"{name}-counters.csv").open(encoding="utf-8") as lines:
            self.counters = list(csv.DictReader(lines))
        self.maps: list[Json] = json.loads((RESULTS / f"{name}-maps.json").read_text())["strategies"]
        self.by_part: dict[str, list[Json]] = {}
        for path in (RESULTS / f"{name}.json.gz", RESULTS / f"{name}-again.json.gz"):
            document: Json = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {"runs": []}
            for run in document["runs"]:
                part = document["merged_from"][run["source"]]["file"].removesuffix(".json")
                usable = (run["status"], run["verified"]["status"], run["cache"]) == ("ok", "pass", "warm")
                if usable and run.get("peer") is None:
                    self.by_part.setdefault(part, []).append(run)
        if is_between:
            asked = ("cuda", "batched"), ("cuda", "host")
            every = [run for runs in self.by_part.values() for run in runs]
            between([run for run in every if (run["engine"], run["samples"].get("timing", "batched")) in asked])


def facts(run: Json) -> Json:
    """What runs are selected by."""
    shared = ("strategy", "workload", "dimension", "block", "tile", "kernel", "layout", "schedule", "cutoff")
    own = {name: run["parameters"].get(name) for name in ("memory", "cell", "domain", "steps")}
    how = run["samples"].get("timing", "batched")
    return {name: run[name] for name in shared} | own | {"how": how, "shape": "{}x{}".format(*run["block"])}


class Runs(list[Json]):
    """Of the parts of one label, from the slowest to the fastest where that matters."""

    def __init__(self, gpu: Gpu, label: str) -> None:
        patterns = label.split("+")
        parts = [part for part in gpu.by_part if any(fnmatchcase(part, pattern) for pattern in patterns)]
        super().__init__(run for part in parts for run in gpu.by_part[part])
        self.gpu = gpu

    def pick(self, by: Sequence[str] = ("n",), **wanted: Any) -> dict[Any, Json]:
        """The last run of each place among those with these facts; a tuple means any of its values."""
        found = {}
        for run in self:
            its = facts(run)
            if all(its[name] in one if isinstance(one, tuple) else its[name] == one for name, one in wanted.items()):
                place = tuple(run["n"] if name == "n" else its[name] for name in by)
                found[place if len(by) > 1 else place[0]] = run
        return found

    def cells(
        self, dimension: int, strategy: str, workload: str, side: int, layout: str, **more: Any
    ) -> dict[int, Json]:
        """By N: one thread per cell, in square blocks or cubes, each launch a grid of its own."""
        block = [side, side, side if dimension == 3 else 1]
        plain = {"block": block, "tile": side, "kernel": "cell", "schedule": "grid", "layout": layout}
        return self.pick(
            dimension=dimension, strategy=strategy, workload=workload, **plain, **{"how": "batched", **more}
        )

    def triangle(self, strategy: str, workload: str, side: int = 16, how: str = "batched") -> dict[int, Json]:
        return self.cells(2, strategy, workload, side, "packed", how=how, cutoff=(None, 128))

    def tetra(self, strategy: str, cutoff: int | None, side: int = 8) -> dict[int, Json]:
        return self.cells(3, strategy, "write", side, "full", cutoff=cutoff)

    def simplex(self, dimension: int, strategy: str, workload: str) -> dict[int, Json]:
        """Of several cut-offs the fastest."""
        self.sort(key=lambda run: -median(run))
        layout = "packed" if (dimension, workload) == (2, "life") else "full"
        return self.cells(dimension, strategy, workload, 16 if dimension == 2 else 8, layout)

    def techniques(self, workload: str, *wanted: str) -> list[Json]:
        """The run of each where all ran: on the square, at the largest N."""
        place, found = ("strategy", "domain", "steps", "n"), []
        for word in wanted:
            memory, *own = word.split("/")
            shape, tile = own if len(own) == 2 else ("16x16", "16")
            which = {"shape": shape, "tile": int(tile) if tile.isdecimal() else tile, "cell": (None, "u32", "f32")}
            which = {"cell": own[0]} if len(own) == 1 else which
            found.append(self.pick(place, workload=workload, memory=memory, how="batched", **which))
        shared = sorted(
            set.intersection(*map(set, found)), key=lambda at: (at[1] == "square", at[3], at[0] == "bb", at[0])
        )
        return [runs[shared[-1]] for runs in found] if shared else []


def median(run: Json) -> float:
    value: float = run["time_ms"]["median"]
    return value


def time_of(run: Json) -> Factor:
    return (median(run), *run["time_ms"]["ci95"])


def over(one: Json, other: Json) -> Factor:
    """T(one) / T(other), with the interval of two separate medians."""
    return divided(time_of(one), time_of(other))


def divided(one: Factor, other: Factor) -> Factor:
    return one[0] / other[0], one[1] / other[2], one[2] / other[1]


def mean(values: Iterable[Factor]) -> Factor:
    columns = [sum(column) / len(column) for column in zip(*values)]
    return columns[0], columns[1], columns[2]


def improvements(runs: dict[int, Json]) -> list[Factor]:
    """By increasing N."""
    held = [run["improvement"] for _, run in sorted(runs.items())]
    return [(one["factor"], *one["ci95"]) for one in held if one]


def common(*times: dict[int, Json]) -> list[int]:
    return sorted(set.intersection(*map(set, times)))


def fastest(runs: Iterable[Json]) -> Json:
    return min(runs, key=median)


# ---- what is divided by what: the factors that a row is about, of the runs of a label ----


def gains(
    runs: Runs,
    strategy: str,
    workloads: Sequence[str],
    above: int = 0,
    below: int = 10**9,
    n: int | None = None,
    **more: Any,
) -> list[Factor]:
    """I at every N, or at one. Input: more, side and how"""
    times = [runs.triangle(strategy, workload, **more) for workload in workloads]
    return [i for one in times for i in improvements({m: one[m] for m in one if above < m < below and n in (None, m)})]


def best_gain(runs: Runs, strategy: str, workload: str, side: int = 16) -> list[Factor]:
    return sorted(gains(runs, strategy, [workload], side=side))[-1:]


def gain_at(runs: Runs, strategy: str, workload: str, side: int = 16) -> list[Factor]:
    return gains(runs, strategy, [workload], n=30720, side=side)


def mean_gain(runs: Runs, strategy: str, workloads: Sequence[str]) -> list[Factor]:
    found = gains(runs, strategy, workloads)
    return [mean(found)] if found else []


def gains_over_dummys(runs: Runs, strategy: str) -> list[Factor]:
    times = [runs.triangle(strategy, workload) for workload in ("dummy", *EDM)]
    found = [[improvements({n: one[n]}) for one in times] for n in common(*times)]
    return [divided(mean(i for (i,) in others), plain[0]) for plain, *others in found if plain and all(others)]


def left_of_the_gain(runs: Runs, strategy: str, workloads: Sequence[str]) -> list[Factor]:
    """Of what I is above 1 on dummy, on average."""
    many, plain = gains(runs, strategy, workloads), gains(runs, strategy, ["dummy"])
    above = [tuple(end - 1 for end in mean(one)) for one in (many, plain) if one]
    return [divided(*above)] if len(above) == 2 else []  # type: ignore[arg-type]


def more_features(runs: Runs, strategy: str) -> list[Factor]:
    many, few = (gain_at(runs, strategy, workload) for workload in ("edm4", "edm1"))
    return [divided(many[0], few[0])] if many and few else []


def apart(runs: Runs, slow: str, fast: str, workloads: Sequence[str], side: int = 16, **how: str) -> list[Factor]:
    pairs = [(runs.triangle(slow, one, side, **how), runs.triangle(fast, one, side)) for one in workloads]
    return [over(one[n], other[n]) for one, other in pairs for n in common(one, other)]


def ranked(runs: Runs, name: str, others: Sequence[str], workloads: Sequence[str], rank: str) -> list[Factor]:
    """The factor that a rank is asked by, given the run and the others of its N from the fastest on."""
    found = []
    for workload in workloads:
        mine, *rest = (runs.triangle(one, workload) for one in (name, *others))
        found += [RANKS[rank](mine[n], sorted((one[n] for one in rest), key=median)) for n in common(mine, *rest)]
    return found


def two_first(runs: Runs, pair: Sequence[str], others: Sequence[str], workloads: Sequence[str]) -> list[Factor]:
    """How far the next one is behind the slower of a pair."""
    found = []
    for workload in workloads:
        both, rest = ([runs.triangle(name, workload) for name in names] for names in (pair, others))
        for n in common(*both, *rest):
            found.append(over(fastest(one[n] for one in rest), max((one[n] for one in both), key=median)))
    return found


def executed(runs: Runs, one: Sequence[str], other: Sequence[str]) -> list[Factor]:
    """Instructions of a kernel over those of another."""
    counted = [
        float(row["instructions"])
        for wanted in (one, other)
        for row in runs.gpu.counters
        if [row["workload"], row["strategy"], row["memory"]] == list(wanted)
    ]
    return [(counted[0] / counted[1],) * 3]


# Of a run, and the others from the fastest on.
RANKS: dict[str, Callable[[Json, list[Json]], Factor]] = {
    "first": lambda mine, others: over(others[0], mine),
    "last": lambda mine, others: over(mine, others[-1]),
    # Slower than the fastest of the others and faster than the next: whichever of the two is less certain.
    "second": lambda mine, others: min(over(mine, others[0]), over(others[1], mine), key=lambda factor: factor[1]),
}


def wasted(runs: Runs, strategy: str) -> list[Factor]:
    """The most blocks in vain for N from 15361 to 30720 over those for N from 7681 to 15360."""
    found = {n: run["launch"]["blocks_wasted"] for n, run in runs.triangle(strategy, "dummy").items()}
    most = [max((w for n, w in found.items() if a < n <= 2 * a), default=0) for a in (15360, 7680)]
    return [(most[0] / most[1],) * 3] if all(most) else []


def exact(runs: Runs, strategy: str) -> list[Factor]:
    (one,) = (one for one in runs.gpu.maps if one["strategy"] == strategy)
    tiles = one["checked_n"] if one["first_failing_n"] is None else one["first_failing_n"] - 1
    return [(16.0 * tiles,) * 3]


def tetra_gains(runs: Runs, strategy: str, first_n: int, last_n: int) -> list[Factor]:
    return improvements({n: run for n, run in runs.tetra(strategy, 128).items() if first_n <= n <= last_n})


def cutoffs(runs: Runs, slow: Sequence[int], fast: int) -> list[Factor]:
    """T(the best of some n_c) / T(another one), for every N that is larger than that."""
    mine, *others = (runs.tetra("dp-tetra", cutoff) for cutoff in (fast, *slow))
    return [over(fastest(one[n] for one in others), mine[n]) for n in common(mine, *others) if n > fast]


def uneven(runs: Runs) -> list[Factor]:
    found = runs.tetra("dp-tetra", 128)
    return [over(found[n], found[n + 4]) for n in sorted(found) if n % 8 and 128 <= n < 512]


def fewer_blocks(runs: Runs) -> list[Factor]:
    box, tree = (runs.tetra(name, cutoff) for name, cutoff in (("bb-tetra", None), ("dp-tetra", 128)))
    return [
        (box[n]["launch"]["blocks"] / tree[n]["launch"]["blocks"],) * 3 for n in common(box, tree) if 128 <= n <= 512
    ]


def best_side(runs: Runs) -> list[Factor]:
    mine, *others = (runs.tetra("dp-tetra", 128, side).get(512) for side in (8, 2, 4))
    return [over(fastest(one for one in others if one), mine)] if mine and all(others) else []


def placed(runs: Runs, rank: str, workload: str, mine: str, *others: str) -> list[Factor]:
    """The factor that a rank is asked by, where all ran."""
    found = runs.techniques(workload, mine, *others)
    return [RANKS[rank](found[0], sorted(found[1:], key=median))] if found else []


def slower(runs: Runs, workload: str, one: str, other: str) -> list[Factor]:
    found = runs.techniques(workload, one, other)
    return [over(*found)] if found else []


def saving(runs: Runs, workload: str, one: str, other: str) -> list[Factor]:
    """Percent that the other one saves."""
    return [(100 * (1 - value), 100 * (1 - high), 100 * (1 - low))
            for value, low, high in slower(runs, workload, other, one)]  # fmt: skip


def of_a_copy(runs: Runs, workload: str, technique: str) -> list[Factor]:
    """Percent of the measured speed of memory."""
    (run,) = runs.techniques(workload, technique)
    bytes_per_ms = run["throughput"]["bytes"] / 1e6
    full = run["throughput"]["gb_per_s"] / run["throughput"]["fraction_of_peak"]
    value, low, high = time_of(run)
    return [
        (100 * bytes_per_ms / (value * full), 100 * bytes_per_ms / (high * full), 100 * bytes_per_ms / (low * full))
    ]


H, BOX = {2: "hmap", 3: "hmap-tetra"}, {2: "bb", 3: "bb-tetra"}
EARLIER = {2: ["ltm-i", "rb", "rb-b", "rec", "dp"], 3: ["ltm-tetra", "rb-tetra", "rec-tetra", "dp-tetra"]}


TESTS = ("write", "accumulate", "life")


def best_of_h(runs: Runs, dimension: int, workload: str) -> list[Factor]:
    return sorted(improvements(runs.simplex(dimension, H[dimension], workload)))[-1:]


def reached(runs: Runs, dimension: int) -> list[Factor]:
    return [factor for workload in TESTS for factor in best_of_h(runs, dimension, workload)]


def before_all(runs: Runs, dimension: int) -> list[Factor]:
    found = []
    for workload in TESTS:
        mine, *rest = (runs.simplex(dimension, one, workload) for one in (H[dimension], *EARLIER[dimension]))
        found += [over(fastest(one[n] for one in rest), mine[n]) for n in common(mine, *rest)]
    return found


def grows(runs: Runs) -> list[Factor]:
    pairs = [[best_of_h(runs, dimension, workload) for dimension in (2, 3)] for workload in TESTS]
    return [divided(solid[0], flat[0]) for flat, solid in pairs if flat and solid]


def space(runs: Runs, dimension: int) -> list[Factor]:
    box, mine = (runs.simplex(dimension, one, "write") for one in (BOX[dimension], H[dimension]))
    return [(box[n]["launch"]["blocks"] / mine[n]["launch"]["blocks"],) * 3 for n in common(box, mine)[-1:]]


ENERGY: dict[str, Callable[[Json], Factor]] = {
    "watts": lambda run: divided((run["energy"]["launch_j"], *run["energy"]["ci95"]), time_of(run)),
    "joules": lambda run: (run["energy"]["nj_per_cell"], *run["energy"]["nj_per_cell_ci95"]),
}


def among(runs: Runs, dimension: int, kind: str, names: Sequence[str]) -> list[Factor]:
    """Watts of H over those of the middle one of the others; or the joules of the middle one over those of H."""
    found = []
    for workload in ("write", "accumulate", "life"):
        times = [runs.simplex(dimension, one, workload) for one in (H[dimension], *names)]
        shared = common(*times)
        if not shared:
            return []
        mine, *others = (ENERGY[kind](one[shared[-1]]) for one in times)
        middle = sorted(others)[(len(others) - (kind == "joules")) // 2]
        found.append(divided(mine, middle) if kind == "watts" else divided(middle, mine))
    return found


# ---- what the published figure makes of it ----


def effect(low: float, high: float, least: float, most: float, none: float = 1.0) -> str:
    """As large as published, give or take a tenth; `none` would be no effect."""
    if least + most > 2 * none:
        mine, theirs = (low - none, high - none), (least - none, most - none)
    else:  # what is published makes it less
        mine, theirs = (none - high, none - low), (none - most, none - least)
    if mine[0] <= 0:
        return "does not hold"
    if mine[1] < 0.9 * theirs[0]:
        return "holds weaker"
    return "holds stronger" if mine[0] > 1.1 * theirs[1] else "holds"


HOLDS: dict[str, Callable[..., bool]] = {
    "above": lambda low, high, bound: low > bound,
    "below": lambda low, high, bound: high < bound,
    "within": lambda low, high, least, most: least <= low and high <= most,
    "outside": lambda low, high, least, most: low > most or high < least,
}


def verdict(rule: str, bounds: Sequence[float], values: list[Factor]) -> tuple[str, int, int]:
    """And at how many of them it holds, and holds weaker."""
    if rule == "effect":
        found = [effect(low, high, *bounds) for _, low, high in values]
    else:
        found = ["holds" if HOLDS[rule](low, high, *bounds) else "does not hold" for _, low, high in values]
    holds = found.count("holds") + found.count("holds stronger")
    if len(set(found)) == 1:
        return found[0], holds, found.count("holds weaker")
    said = "holds" if holds == len(found) else "holds in part" if holds else "does not hold"
    return said, holds, found.count("holds weaker")


# ---- the rows, in the order of docs/claims.md ----

UNITS = {"saving": ".1f", "of_a_copy": ".1f", "exact": ",.0f"}


class Row(NamedTuple):
    starts: str
    rule: Sequence[Any] = ()  # its name and bounds; none where nothing can be measured
    asked: Sequence[Any] = ("",)
    labels: str = ""

    def ask(self, gpu: Gpu, label: str) -> list[Factor]:
        name, *words = self.asked
        options = words.pop() if words and isinstance(words[-1], dict) else {}
        found: list[Factor] = globals()[name](Runs(gpu, label), *words, **options)
        return found


ROWS = [Row(*row) for row in yaml.safe_load((HERE / "claims_oracle.yaml").read_text(encoding="utf-8"))["rows"]]
