"""
Every verdict of docs/claims.md worked out again from JSON, without a line of the code that wrote it: which runs a row
is about, what is divided by what, and what the published figure makes of it are said here once more.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from tribench_study import claims
from tribench_study.bench import read

TOP = Path(__file__).resolve().parents[2]
RESULTS = TOP / "study" / "results"
GPUS = ("h200", "h100")  # as docs/claims.md has its columns
Json = dict[str, Any]
Factor = tuple[float, float, float]  # with its interval
EDM = ("edm1", "edm2", "edm3", "edm4")
ACROSS = 0.04  # by which two invocations of one kernel differed


def rows() -> list[list[str]]:
    lines = (TOP / "docs" / "claims.md").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if re.match(r"\| \d", line)]


# ---- runs ----


class Gpu:
    def __init__(self, name: str) -> None:
        with gzip.open(RESULTS / f"{name}.json.gz") as file:
            self.document: Json = json.load(file)
        self.maps: list[Json] = json.loads((RESULTS / f"{name}-maps.json").read_text())["strategies"]
        self.by_part: dict[str, list[Json]] = {}
        for run in self.document["runs"]:
            part = self.document["merged_from"][run["source"]]["file"].removesuffix(".json")
            if (run["status"], run["verified"]["status"], run["cache"]) == ("ok", "pass", "warm"):
                self.by_part.setdefault(part, []).append(run)

    def runs(self, label: str) -> list[Json]:
        found = [part for part in self.by_part if any(fnmatchcase(part, pattern) for pattern in label.split("+"))]
        return [run for part in found for run in self.by_part[part] if run.get("peer") is None]


def timing(run: Json) -> str:
    return str(run["samples"].get("timing", "batched"))


def triangle(runs: list[Json], strategy: str, workload: str, side: int, how: str) -> dict[int, Json]:
    """By N: one thread per cell, in square blocks, each launch a grid of its own."""
    return {
        run["n"]: run
        for run in runs
        if (run["strategy"], run["workload"], run["dimension"], timing(run)) == (strategy, workload, 2, how)
        and (run["block"], run["tile"], run["kernel"]) == ([side, side, 1], side, "cell")
        and (run["layout"], run["schedule"]) == ("packed", "grid")
        and run["cutoff"] in (None, 128)
    }


def tetra(runs: list[Json], strategy: str, cutoff: int | None, side: int = 8) -> dict[int, Json]:
    return {
        run["n"]: run
        for run in runs
        if (run["strategy"], run["workload"], run["dimension"]) == (strategy, "write", 3)
        and (run["block"], run["tile"], run["kernel"]) == ([side] * 3, side, "cell")
        and (run["layout"], run["schedule"], run["cutoff"], timing(run)) == ("full", "grid", cutoff, "batched")
    }


def median(run: Json) -> float:
    value: float = run["time_ms"]["median"]
    return value


def over(one: Json, other: Json) -> Factor:
    """T(one) / T(other), with the interval of two separate medians."""
    (low, high), (least, most) = one["time_ms"]["ci95"], other["time_ms"]["ci95"]
    return median(one) / median(other), low / most, high / least


def gain(run: Json) -> Factor | None:
    held = run["improvement"]
    return None if held is None else (held["factor"], *held["ci95"])


def common(*times: dict[int, Json]) -> list[int]:
    return sorted(set.intersection(*map(set, times)))


# ---- what is divided by what ----

Question = Callable[[Gpu, str], list[Factor]]


def gains(strategy: str, workloads: Sequence[str], above: int = 0, side: int = 16, how: str = "batched") -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        runs = gpu.runs(label)
        times = (triangle(runs, strategy, workload, side, how) for workload in workloads)
        return [i for one in times for n in sorted(one) if n > above and (i := gain(one[n]))]

    return ask


def gain_at(strategy: str, workload: str, side: int = 16, n: int = 30720) -> Question:
    return lambda gpu, label: [
        i for run in [triangle(gpu.runs(label), strategy, workload, side, "batched").get(n)] if run and (i := gain(run))
    ]


def mean(values: Iterable[Factor]) -> Factor:
    columns = [sum(column) / len(column) for column in zip(*values)]
    return columns[0], columns[1], columns[2]


def mean_gain(strategy: str, workloads: Sequence[str]) -> Question:
    ask = gains(strategy, workloads)
    return lambda gpu, label: [mean(found)] if (found := ask(gpu, label)) else []


def divided(one: Factor, other: Factor) -> Factor:
    return one[0] / other[0], one[1] / other[2], one[2] / other[1]


def gains_over_dummys(strategy: str) -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        times = [triangle(gpu.runs(label), strategy, w, 16, "batched") for w in ("dummy", *EDM)]
        found = []
        for n in common(*times):
            plain, *others = (gain(one[n]) for one in times)
            if plain and all(others):
                found.append(divided(mean(i for i in others if i), plain))
        return found

    return ask


def more_features(strategy: str) -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        many, few = (gain_at(strategy, workload)(gpu, label) for workload in ("edm4", "edm1"))
        return [divided(many[0], few[0])] if many and few else []

    return ask


def apart(slow: str, fast: str, workloads: Sequence[str], side: int = 16, how: str = "batched") -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        runs, found = gpu.runs(label), []
        for workload in workloads:
            one, other = triangle(runs, slow, workload, side, how), triangle(runs, fast, workload, side, "batched")
            found += [over(one[n], other[n]) for n in common(one, other)]
        return found

    return ask


def ranked(name: str, others: Sequence[str], workloads: Sequence[str], rank: Callable[..., Factor]) -> Question:
    """The factor that a rank is asked by, given the run and the others of its N from the fastest on."""

    def ask(gpu: Gpu, label: str) -> list[Factor]:
        runs, found = gpu.runs(label), []
        for workload in workloads:
            mine, *rest = (triangle(runs, one, workload, 16, "batched") for one in (name, *others))
            found += [rank(mine[n], sorted((one[n] for one in rest), key=median)) for n in common(mine, *rest)]
        return found

    return ask


def first(mine: Json, others: list[Json]) -> Factor:
    return over(others[0], mine)


def last(mine: Json, others: list[Json]) -> Factor:
    return over(mine, others[-1])


def second(mine: Json, others: list[Json]) -> Factor:
    """Slower than the fastest of the others and faster than the next: whichever of the two is less certain."""
    return min(over(mine, others[0]), over(others[1], mine), key=lambda factor: factor[1])


def wasted(strategy: str) -> Question:
    """The most blocks in vain for N from 15361 to 30720 over those for N from 7681 to 15360."""

    def ask(gpu: Gpu, label: str) -> list[Factor]:
        runs = triangle(gpu.runs(label), strategy, "dummy", 16, "batched")
        ranges = ((15360, 30720), (7680, 15360))
        most = [max([r["launch"]["blocks_wasted"] for n, r in runs.items() if a < n <= b] or [0]) for a, b in ranges]
        return [(most[0] / most[1],) * 3] if all(most) else []

    return ask


def exact(strategy: str) -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        (one,) = (one for one in gpu.maps if one["strategy"] == strategy)
        tiles = one["checked_n"] if one["first_failing_n"] is None else one["first_failing_n"] - 1
        return [(16.0 * tiles,) * 3]

    return ask


def tetra_gains(strategy: str, first_n: int, last_n: int) -> Question:
    return lambda gpu, label: [
        i
        for n, run in sorted(tetra(gpu.runs(label), strategy, 128).items())
        if first_n <= n <= last_n and (i := gain(run))
    ]


def cutoffs(slow: Sequence[int], fast: int) -> Question:
    """T(the best of some n_c) / T(another one), for every N of twice the largest of them or more."""

    def ask(gpu: Gpu, label: str) -> list[Factor]:
        mine, *others = (tetra(gpu.runs(label), "dp-tetra", cutoff) for cutoff in (fast, *slow))
        shared = [n for n in common(mine, *others) if n >= 2 * max(fast, *slow)]
        return [over(min((one[n] for one in others), key=median), mine[n]) for n in shared]

    return ask


def uneven(gpu: Gpu, label: str) -> list[Factor]:
    runs = tetra(gpu.runs(label), "dp-tetra", 128)
    return [over(runs[508], runs[512])] if {508, 512} <= runs.keys() else []


def best_side(gpu: Gpu, label: str) -> list[Factor]:
    mine, *others = (tetra(gpu.runs(label), "dp-tetra", 128, side).get(512) for side in (8, 2, 4))
    return [over(min((one for one in others if one), key=median), mine)] if mine and all(others) else []


@dataclass(frozen=True)
class Kernel:
    """A technique of a cellular automaton; block and tile where the texts name them."""

    memory: str
    block: str | None
    tile: int | str | None
    cell: tuple[str | None, ...] = (None, "u32", "f32")

    def runs(self, runs: list[Json], workload: str) -> dict[Any, Json]:
        found = {}
        for run in runs:
            own, (x, y, _) = run["parameters"], run["block"]
            mine = (run["workload"], own.get("memory"), timing(run))
            is_shape = self.block in (None, f"{x}x{y}") and self.tile in (None, run["tile"])
            if mine == (workload, self.memory, "batched") and is_shape and own.get("cell") in self.cell:
                found[run["strategy"], own.get("domain"), own.get("steps"), run["n"]] = run
        return found


def widened(label: str, low: float, high: float) -> tuple[float, float]:
    return (low * (1 - ACROSS), high * (1 + ACROSS)) if "+" in label else (low, high)


def where_all_ran(gpu: Gpu, label: str, workload: str, wanted: tuple[Kernel, ...]) -> list[Json]:
    found = [kernel.runs(gpu.runs(label), workload) for kernel in wanted]
    shared = sorted(set.intersection(*map(set, found)), key=lambda place: (place[1] == "square", place[3], place[0]))
    return [runs[shared[-1]] for runs in found] if shared else []


def placed(rank: Callable[..., Factor], workload: str, mine: Kernel, *others: Kernel) -> Question:
    """The factor that a rank is asked by, where all ran."""

    def ask(gpu: Gpu, label: str) -> list[Factor]:
        runs = where_all_ran(gpu, label, workload, (mine, *others))
        if not runs:
            return []
        value, low, high = rank(runs[0], sorted(runs[1:], key=median))
        return [(value, *widened(label, low, high))]

    return ask


def kernels(workload: str, one: Kernel, other: Kernel, saves: bool) -> Question:
    """T(one) / T(other) where both ran: on the square, at the largest N; or percent that the other one saves."""

    def ask(gpu: Gpu, label: str) -> list[Factor]:
        runs = where_all_ran(gpu, label, workload, (other, one) if saves else (one, other))
        if not runs:
            return []
        value, low, high = over(*runs)
        low, high = widened(label, low, high)
        return [(100 * (1 - value), 100 * (1 - high), 100 * (1 - low))] if saves else [(value, low, high)]

    return ask


H, BOX = {2: "hmap", 3: "hmap-tetra"}, {2: "bb", 3: "bb-tetra"}
EARLIER = {2: ["ltm-i", "rb", "rb-b", "rec", "dp"], 3: ["ltm-tetra", "rb-tetra", "rec-tetra", "dp-tetra"]}
FLAT = {"write": "simplex", "accumulate": "simplex", "life": "simplex-life"}
IN_PLANE, IN_SPACE = ["bb", "ltm-i", "rb", "rec"], ["bb-tetra", *EARLIER[3]]
IN_PLANE_LABELS = "simplex-energy+simplex-life-energy"


def simplex(runs: list[Json], dimension: int, strategy: str, workload: str) -> dict[int, Json]:
    """By N: one thread per cell, of several cut-offs the fastest."""
    block, layout = ([16, 16, 1], "full") if dimension == 2 else ([8, 8, 8], "full")
    if dimension == 2 and workload == "life":
        layout = "packed"
    found: dict[int, Json] = {}
    for run in sorted(runs, key=lambda run: -median(run)):
        mine = (run["strategy"], run["workload"], run["dimension"], run["kernel"], timing(run))
        if mine == (strategy, workload, dimension, "cell", "batched"):
            if (run["block"], run["tile"], run["layout"], run["schedule"]) == (block, block[0], layout, "grid"):
                found[run["n"]] = run
    return found


def best_gain(runs: list[Json], dimension: int, workload: str) -> list[Factor]:
    found = [i for run in simplex(runs, dimension, H[dimension], workload).values() if (i := gain(run))]
    return [max(found)] if found else []


def reached(dimension: int, workload: str) -> Question:
    return lambda gpu, label: best_gain(gpu.runs(label), dimension, workload)


def before_all(dimension: int, workload: str) -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        mine, *rest = (
            simplex(gpu.runs(label), dimension, one, workload) for one in (H[dimension], *EARLIER[dimension])
        )
        return [over(min((one[n] for one in rest), key=median), mine[n]) for n in common(mine, *rest)]

    return ask


def grows(workload: str) -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        flat, solid = (best_gain(gpu.runs(label), dimension, workload) for dimension in (2, 3))
        if not flat or not solid:
            return []
        value, low, high = divided(solid[0], flat[0])
        return [(value, *widened(label, low, high))]

    return ask


def space(dimension: int) -> Question:
    def ask(gpu: Gpu, label: str) -> list[Factor]:
        box, mine = (simplex(gpu.runs(label), dimension, one, "write") for one in (BOX[dimension], H[dimension]))
        shared = common(box, mine)
        if not shared:
            return []
        blocks = [one[shared[-1]]["launch"]["blocks"] for one in (box, mine)]
        return [(int(blocks[0]) / int(blocks[1]),) * 3]

    return ask


def watts(run: Json) -> Factor:
    time = (median(run), *run["time_ms"]["ci95"])
    return divided((run["energy"]["launch_j"], *run["energy"]["ci95"]), time)


def joules(run: Json) -> Factor:
    energy = run["energy"]
    return (energy["nj_per_cell"], *energy["nj_per_cell_ci95"])


def among(dimension: int, of: Callable[[Json], Factor], names: Sequence[str]) -> Question:
    """Watts of H over those of the middle one of the others; or the joules of the middle one over those of H."""

    def ask(gpu: Gpu, label: str) -> list[Factor]:
        found = []
        for workload in ("write", "accumulate", "life"):
            runs = [simplex(gpu.runs(label), dimension, one, workload) for one in (H[dimension], *names)]
            shared = common(*runs)
            if not shared:
                return []
            mine, *others = (of(one[shared[-1]]) for one in runs)
            others.sort()
            if of is watts:
                value, low, high = divided(mine, others[len(others) // 2])
            else:
                value, low, high = divided(others[(len(others) - 1) // 2], mine)
            found.append((value, *widened(label, low, high)))
        return found

    return ask


# ---- what the published figure makes of it ----

Rule = Callable[[float, float], str]


def above(bound: float) -> Rule:
    return lambda low, high: "holds" if low > bound else "does not hold"


def below(bound: float) -> Rule:
    return lambda low, high: "holds" if high < bound else "does not hold"


def within(least: float, most: float) -> Rule:
    return lambda low, high: "holds" if low <= most and high >= least else "does not hold"


def outside(least: float, most: float) -> Rule:
    return lambda low, high: "holds" if low > most or high < least else "does not hold"


def effect(least: float, most: float, none: float = 1.0) -> Rule:
    """As large as published, give or take a tenth; `none` would be no effect."""

    def judge(low: float, high: float) -> str:
        if least + most > 2 * none:
            mine, theirs = (low - none, high - none), (least - none, most - none)
        else:  # what is published makes it less
            mine, theirs = (none - high, none - low), (none - most, none - least)
        if mine[0] <= 0:
            return "does not hold"
        if mine[1] < 0.9 * theirs[0]:
            return "holds weaker"
        return "holds stronger" if mine[0] > 1.1 * theirs[1] else "holds"

    return judge


def verdict(rule: Rule, values: list[Factor]) -> tuple[str, int]:
    """And at how many of them it holds."""
    found = [rule(low, high) for _, low, high in values]
    holds = sum(one != "does not hold" for one in found)
    if 0 < holds < len(found):
        return "holds in part", holds
    return (found[0] if len(set(found)) == 1 else "holds"), holds


# ---- the rows, in the order of docs/claims.md ----


@dataclass(frozen=True)
class Row:
    starts: str
    rule: Rule
    ask: Question
    labels: str  # the first one that can answer
    unit: str = ".2f"


@dataclass(frozen=True)
class Unasked:
    starts: str
    verdict: str


NOBODY = "not measured"
ALL, BESIDE_RB, BESIDE_UTM = ("dummy", *EDM), ["bb", "ltm-r", "rec", "utm-t"], ["bb", "ltm-r", "rb", "rec"]
ROOTS = ("dummy", "edm1", "edm4")


def plain(memory: str) -> Kernel:
    return Kernel(memory, "16x16", 16)


def wide(memory: str) -> Kernel:
    return Kernel(memory, "64x4", 64)


ALIGNED = plain("aligned")
TWO_GENERATIONS = Kernel("two-generation", "32x8", 64)
REGION, REGION_32, REGION_128 = (Kernel("aligned", shape, shape) for shape in ("64x4", "32x8", "128x2"))
TWO_SQUARE, TWO_WIDE = Kernel("two-cell", "16x16", "32x16"), Kernel("two-cell", "64x4", "128x4")


def strip(cell: str) -> Kernel:
    return Kernel("strip", None, None, (cell,))


def saves(starts: str, rule: Rule, workload: str, one: Kernel, other: Kernel, labels: str = "") -> Row:
    return Row(starts, rule, kernels(workload, one, other, True), labels or f"published-{workload}", ".1f")


def life(one: str, other: str, rule: Rule, starts: str) -> Row:
    return Row(starts, rule, kernels("life", plain(one), plain(other), True), "square", ".1f")


DP = "Dynamic parallelism is slower than the bounding box."
ROWS: list[Row | Unasked] = [
    Row("Discarding whole blocks", above(1), apart("bb-t", "bb", ["dummy"]), "beyond"),
    Row("Discarding whole blocks", above(1), apart("bb-t", "bb", ["dummy"], side=32), "floors"),
    Row("A map improves on the", below(2), gains("ltm-r", ["dummy"]), "paper"),
    Row("A mapping costs 1.5 to 2", within(1, 1.33), gain_at("ltm-r", "dummy"), "paper"),
    Row("With the plain square root", effect(0.7, 0.7), gains("ltm-x", ["dummy"]), "roots"),
    Row("With three Newton steps", effect(1.03, 1.03), gain_at("ltm-n", "dummy"), "roots"),
    Row("With the reciprocal root", effect(1.15, 1.15), gain_at("ltm-r", "dummy"), "roots paper"),
    Row("The reciprocal root", above(1), ranked("ltm-r", ["ltm-x", "ltm-n"], ["dummy"], first), "roots"),
    Row("LTM-N with its repair", above(30719), exact("ltm-n"), "maps", ",.0f"),
    Row("A lookup table", within(0.95, 1.05), apart("ltm-t", "ltm-x", ["dummy"]), "lookup"),
    Row("LTM-R with its repair", above(29999), exact("ltm-r"), "maps", ",.0f"),
    Row("The number of blocks that LTM", within(1.5, 2.5), wasted("ltm-r"), "paper"),
    Row("The number of blocks that the box", within(3.5, 4.5), wasted("bb"), "paper"),
    Row("RB is the fastest of all maps", above(1), ranked("rb", BESIDE_RB, ["dummy"], first), "paper"),
    Row("RB gains up to a quarter over the box on", effect(1.25, 1.25), gain_at("rb", "dummy"), "paper"),
    Row("RB gains up to a quarter over the box in", effect(1.25, 1.25), gain_at("rb", "dummy", 32), "paper-32 floors"),
    Row("LTM comes second on", above(1), ranked("ltm-r", ["bb", "rb", "rec", "utm-t"], ["dummy"], second), "paper"),
    Row("LTM gains an eighth over", effect(1.13, 1.13), gain_at("ltm-r", "dummy"), "paper"),
    Row("LTM-R gains an eighth", effect(1.13, 1.13), gain_at("ltm-r", "dummy", 32), "paper-32 floors"),
    Row("REC is slower than the box at every N (its", below(1), gains("rec", ["dummy"]), "paper"),
    Row("REC is slower than the box at every N (one", below(1), gains("rec", ["dummy"], how="host"), "paper-host"),
    Row("REC is slower than the box in", below(1), gain_at("rec", "dummy", 32), "paper-32 floors"),
    Row("UTM is slower than the box at every N (by", below(1), gains("utm-t", ["dummy"]), "paper"),
    Row("UTM is slower than the box at every N (contiguous", below(1), gains("utm", ["dummy"]), "paper"),
    Row("UTM by transposition is slower", below(1), gain_at("utm-t", "dummy", 32), "paper-32 floors"),
    Row("RB gains less on distance matrices", below(1), gains_over_dummys("rb"), "paper"),
    Row("RB gains a seventh on", effect(1.14, 1.14), mean_gain("rb", EDM), "paper"),
    Row("LTM gains as much on distance matrices", within(0.95, 1.05), gains_over_dummys("ltm-r"), "paper"),
    Row("REC is faster than the box on distance", above(1), gains("rec", EDM, above=5000), "paper"),
    Row("REC is faster than the box on", above(1), gains("rec", EDM, above=5000, how="host"), "paper-host"),
    Row("REC gains a little on", effect(1.05, 1.05), gain_at("rec", "edm1"), "paper"),
    Row("UTM is the slowest map on distance matrices", above(1), ranked("utm-t", BESIDE_UTM, EDM, last), "paper"),
    Row("UTM is the slowest map on distance matrices", above(1), ranked("utm", BESIDE_UTM, EDM, last), "paper"),
    Row("LTM is significantly faster", above(1), apart("utm-t", "ltm-r", ALL), "paper"),
    Row("LTM is significantly faster than UTM (contiguous", above(1), apart("utm", "ltm-r", ALL), "paper"),
    Row("The number of features hardly changes the gain of LTM", within(0.95, 1.05), more_features("ltm-r"), "paper"),
    Row("The number of features hardly changes the gain of RB", within(0.95, 1.05), more_features("rb"), "paper"),
    Row("The number of features changes the gain", outside(0.95, 1.05), more_features("rec"), "paper"),
    Row("UTM gains more with more features (by", above(1), more_features("utm-t"), "paper"),
    Row("UTM gains more with more features (contiguous", above(1), more_features("utm"), "paper"),
    Row("LTM gains 15 % over the", effect(1.15, 1.15), mean_gain("ltm-r", ALL), "paper"),
    Row("LTM needs the reciprocal root", above(1), apart("ltm-x", "ltm-r", ROOTS), "roots"),
    Row("A repair of an error", within(0.95, 1.05), apart("ltm-i", "ltm-r-rev", ROOTS), "roots"),
    Row("LTM is as fast as RB in", within(0.95, 1.05), apart("rb", "ltm-r", EDM), "paper"),
    Row("REC would gain from", above(1), apart("rec", "dp", ["edm1"], how="host"), "paper-host+beyond"),
    Row("UTM gains considerably", above(1), apart("utm", "utm-b", ROOTS), "beyond"),
    Row("LTM will gain with", above(1), gains("ltm-x", ["dummy"]), "roots"),
    Row("Recursion should stop", above(1), cutoffs((64, 256), 128), "tetra-cutoffs"),
    Row("Stopping at n_c =", within(0.9, 1.1), cutoffs((64,), 128), "tetra-cutoffs"),
    Row("Blocks of 8 x 8 x 8", above(1), best_side, "tetra-blocks"),
    Row(DP, effect(0.7, 0.8), tetra_gains("dp-tetra", 128, 512), "tetra-small"),
    Row(DP, effect(0.6, 0.7), tetra_gains("dp-tetra", 128, 512), "tetra-small"),
    Row(DP, effect(0.7, 0.9), tetra_gains("dp-tetra", 128, 512), "tetra-small"),
    Row("Dynamic parallelism is up to", effect(1, 2), tetra_gains("dp-tetra", 128, 256), "tetra-small"),
    Row("Dynamic parallelism is about three", effect(2.4, 3.1), tetra_gains("dp-tetra", 257, 512), "tetra-small"),
    Row("On newer GPUs", above(1), cutoffs((128,), 256), "tetra-cutoffs"),
    Row("An N that does not divide", above(1), uneven, "tetra-small"),
    Row("Recursive maps of simplices", effect(2, 6), tetra_gains("rec-tetra", 128, 512), "tetra-small"),
    Row("Recursive maps of simplices should gain 2 to 6 times at", effect(2, 6),
        tetra_gains("rec-tetra", 1024, 1024), "tetra"),
    Row("Dynamic parallelism should gain 2 to 6 times.", effect(2, 6), tetra_gains("dp-tetra", 128, 512),
        "tetra-small"),
    Row("Dynamic parallelism should gain 2 to 6 times at", effect(2, 6), tetra_gains("dp-tetra", 1024, 1024), "tetra"),
    *(
        Row(f"H is 1.2 to 2.0 times as fast as the box on 2-simplices at its best N: `{w}`", effect(1.2, 2.0),
            reached(2, w), on)
        for w, on in FLAT.items()
    ),
    *(
        Row(f"H is on par with the fastest of the earlier maps on 2-simplices: `{w}`", within(0.9, 1.1),
            before_all(2, w), on)
        for w, on in FLAT.items()
    ),
    *(
        Row(f"H is 1.3 to 6.0 times as fast as the box on 3-simplices at its best N: `{w}`", effect(1.3, 6.0),
            reached(3, w),
            "simplex-tetra")
        for w in FLAT
    ),
    *(
        Row(f"H is faster than the earlier maps on 3-simplices: `{w}`", above(1), before_all(3, w),
            "simplex-tetra")
        for w in FLAT
    ),
    *(
        Row(f"The speedup of H grows from two to three dimensions at its best N: `{w}`", above(1), grows(w),
            f"{on}+simplex-tetra")
        for w, on in FLAT.items()
    ),
    Row("H could gain up to 2 times", effect(2, 2), space(2), "simplex"),
    Row("H could gain up to 6 times", effect(6, 6), space(3), "simplex-tetra"),
    Row("H is among the highest in power on 2", above(1), among(2, watts, IN_PLANE), IN_PLANE_LABELS),
    Row("H is among the highest in power on 3", above(1), among(3, watts, IN_SPACE), "tetra-energy"),
    Row("H is one of the most energy efficient on 2", above(1), among(2, joules, IN_PLANE), IN_PLANE_LABELS),
    Row("H is one of the most energy efficient on 3", above(1), among(3, joules, IN_SPACE), "tetra-energy"),
    Unasked("Beyond three dimensions", NOBODY),
    Unasked("Tensor and ray tracing", NOBODY),
    life("conditional", "halo", above(0), "A halo is better"),
    life("halo", "shared", effect(30, 30, 0), "Shared memory is faster"),
    life("shared", "aligned", above(0), "Aligned rows save a little more"),
    Row(
        "64 x 4 is the fastest block", above(1), placed(first, "life", REGION, ALIGNED, REGION_32, REGION_128),
        "published-life",
    ),
    saves("64 x 4 saves a fifth", effect(20, 20, 0), "life", ALIGNED, REGION),
    saves("Two cells per thread save time at 16", above(0), "life", ALIGNED, TWO_SQUARE),
    saves("Two cells per thread save time at 64", above(0), "life", REGION, TWO_WIDE),
    saves("Two cells per thread save a third over 64", effect(35, 35, 0), "life", REGION, TWO_WIDE),
    saves(
        "All techniques together save", effect(65, 65, 0), "life", plain("halo"), TWO_WIDE,
        "published-life",
    ),
    Unasked("The kernel is bound by memory", NOBODY),
    life("conditional", "halo", effect(18, 18, 0), "A halo saves a sixth"),
    life("halo", "shared", effect(30, 30, 0), "Shared memory saves a third"),
    life("halo", "shared", above(0), "Shared memory is typically"),
    life("shared", "aligned", effect(8, 8, 0), "Rows aligned to 128"),
    saves("64 x 4 saves a sixth", effect(16, 16, 0), "life", ALIGNED, REGION),
    Row(
        "64 x 4 is just slightly faster", within(1, 1.05), kernels("life", REGION_32, REGION, False),
        "published-life",
    ),
    saves("Two cells per thread save nearly half", effect(44, 44, 0), "life", ALIGNED, TWO_SQUARE),
    saves("Two cells per thread save a third over 64", effect(36, 36, 0), "life", REGION, TWO_WIDE),
    saves("Two cells per thread in", effect(5, 5, 0), "life", TWO_SQUARE, TWO_WIDE),
    Unasked("Two generations per launch are slower", NOBODY),
    Row(
        "Several generations per launch", within(-5, 5),
        kernels("water", wide("rect"), TWO_GENERATIONS, True),
        "water-square-64", ".1f",
    ),
    saves("Blur: two cells", effect(37, 37, 0), "blur", REGION, TWO_WIDE),
    saves("Difference of Gaussians: two cells", within(-5, 5), "dog", REGION, TWO_WIDE),
    Row(
        "Difference of Gaussians: packing", within(-5, 5),
        kernels("dog", strip("f32"), strip("f32x2"), True), "dog-cells", ".1f",
    ),
    Row(
        "Extrema: one cell per thread in", above(1), kernels("extrema", TWO_WIDE, REGION, False),
        "published-extrema",
    ),
    Row(
        "Extrema: two cells in square blocks", above(1),
        placed(first, "extrema", TWO_SQUARE, ALIGNED, REGION, TWO_WIDE), "published-extrema",
    ),
    Row(
        "Extrema: one cell per thread", above(1), placed(last, "extrema", ALIGNED, REGION, TWO_SQUARE, TWO_WIDE),
        "published-extrema",
    ),
    Row(
        "Surface water: the kernel in shared", effect(30, 30, 0),
        kernels("water", plain("conditional"), plain("shared"), True),
        "water-staged", ".1f",
    ),
    Row(
        "Surface water: the kernel with aligned", effect(-22, -22, 0),
        kernels("water", plain("shared"), plain("aligned"), True), "water-square", ".1f",
    ),
    saves("Surface water: wide blocks save", effect(8, 8, 0), "water", ALIGNED, REGION),
    Row(
        "Surface water: wide blocks are", above(1),
        placed(first, "water", REGION, plain("halo"), plain("shared"), ALIGNED),
        "published-water",
    ),
    Row(
        "Surface water: two generations", effect(9.7, 9.7),
        kernels("water", TWO_GENERATIONS, wide("rect"), False), "water-square-64",
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def gpus() -> list[Gpu]:
    return [Gpu(name) for name in GPUS]


def figure(row: Row, values: list[Factor]) -> str:
    """As the row begins: the middle one of all, and the range of all intervals."""
    ordered = sorted(values)
    value = ordered[len(ordered) // 2][0]
    low, high = min(one[1] for one in values), max(one[2] for one in values)
    text = ("N = " if row.unit == ",.0f" else "") + f"{value:{row.unit}}"
    return text if low == high else f"{text} [{low:{row.unit}}, {high:{row.unit}}]"


def said_of(cells: list[str], gpu: str) -> str:
    """The verdict on one GPU: of both at once, or after its name."""
    named = re.search(rf"{gpu.upper()}: \*\*([^*]*)\*\*", cells[6])
    alone = re.fullmatch(r"\*\*([^*]*)\*\*", cells[6])
    return named.group(1) if named else alone.group(1) if alone else "not measured yet"


def label_of(cells: list[str], gpu: str) -> str | None:
    """The label for one GPU: the only one, or that after its name."""
    found = re.search(rf"{gpu.upper()}: `([^`]*)`", cells[8]) or re.fullmatch("`([^`]*)`", cells[8])
    return found and found.group(1)


def test_the_oracle_has_every_row_in_its_order() -> None:
    assert len(ROWS) == len(rows())
    wrong = [(row.starts, cells[1]) for row, cells in zip(ROWS, rows()) if not cells[1].startswith(row.starts)]
    assert wrong == []


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda k: f"{k + 1}")
def test_a_row_is_what_the_runs_say(gpus: list[Gpu], number: int) -> None:
    row, cells = ROWS[number], rows()[number]
    for gpu, name, shown in zip(gpus, GPUS, cells[4:6]):
        if isinstance(row, Unasked):
            assert (shown, said_of(cells, name)) == ("–", row.verdict)
            continue
        answers = [(label, found) for label in row.labels.split() if (found := row.ask(gpu, label))]
        if not answers:
            assert (shown, said_of(cells, name)) == ("–", "not measured yet")
            continue
        label, values = answers[0]
        expected, holds = verdict(row.rule, values)
        assert said_of(cells, name) == expected
        assert re.sub(r"( %)? \(.*", "", shown) == figure(row, values)
        assert label_of(cells, name) == label
        share = re.search(r"; (\d+) of (\d+)(; \d+ noted)?\)$", shown)
        assert (share and (int(share.group(1)), int(share.group(2)))) == (
            (holds, len(values)) if len(values) > 1 else None
        )


def test_the_counts_are_those_of_the_rows() -> None:
    text = (TOP / "docs" / "claims.md").read_text(encoding="utf-8")
    sums = ("LTM-N with", "LTM-R with", "The number of blocks", "H could")
    arithmetic = [k for k, row in enumerate(ROWS) if row.starts.startswith(sums)]
    assert f"{len(ROWS)} claims. {len(arithmetic)} of them are arithmetic" in text
    for name, line in zip(GPUS, re.findall(r"^\* NVIDIA .*?: (.*)$", text, re.MULTILINE)):
        counted = {word: int(count) for word, count in re.findall(r"([a-z ]+) (\d+)", line)}
        found: dict[str, int] = {}
        for k, cells in enumerate(rows()):
            if k not in arithmetic:
                found[said_of(cells, name)] = found.get(said_of(cells, name), 0) + 1
        assert {word.strip(): count for word, count in counted.items()} == found


def answered() -> list[tuple[int, str]]:
    """The columns and labels of all that is measured."""
    found = {
        (4 + place, label)
        for cells in rows()
        for place, name in enumerate(GPUS)
        if cells[4 + place] != "–" and (label := label_of(cells, name))
    }
    return sorted(found)


@pytest.mark.parametrize(("column", "labels"), answered())
def test_the_command_of_a_label_recomputes_its_rows(column: int, labels: str) -> None:
    """`study/claims FILE:LABEL,LABEL` is all that a row's source asks for."""
    parts = "*" if labels == "maps" else labels.replace("+", ",")
    gpu = GPUS[column - 4]
    bench = read(f"{RESULTS / gpu}.json.gz:{parts}")
    mine = [k for k, cells in enumerate(rows()) if label_of(cells, gpu) == labels and cells[column] != "–"]
    for k in mine:
        found, label = claims.CLAIMS[k].answer(bench)
        assert (claims.ours(claims.CLAIMS[k], found), label) == (rows()[k][column], labels)
