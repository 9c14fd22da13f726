"""Workloads and sizes by GPU: the fastest map, its settings, and how much slower the next one is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
from tribench_report.advice import MS, contenders, faster_by, names_of, ties
from tribench_report.errors import ReportError
from tribench_report.groups import places, strategy_rank

SIZES = ("small", "middle", "large")
NAMED = 3  # if more maps than this are equally fast, they are counted instead of named
FEWEST = 3  # maps; with fewer there is no choice
# The default layout of each dimension.
USUAL = {2: ", packed output", 3: ", full output"}
KERNELS = {"cell": "one cell per thread", "loop": "loop kernel", "tile": "tile kernel"}
Best = dict[str, dict[str, Any]]  # the fastest run of each map, with any block, tile and kernel


def _sizes(at: dict[tuple[int, str], Best]) -> dict[str, int]:
    """
    The smallest, middle and largest size with the most maps on every device; some may be missing. A map that is missing
    cannot win.
    """
    devices = {device for _, device in at}
    maps = {n: min(len(at.get((n, device), {})) for device in devices) for n, _ in at}
    most = max(maps.values())
    ns = sorted(n for n, count in maps.items() if count == most)
    if most < FEWEST:
        return {}
    if len(ns) < 3:
        return dict(zip(("large",) if len(ns) == 1 else ("small", "large"), ns))
    middle = min(ns[1:-1], key=lambda n: abs(math.log(n / math.sqrt(ns[0] * ns[-1]))))
    return dict(zip(SIZES, (ns[0], middle, ns[-1])))


def _way(run: dict[str, Any]) -> str:
    usual = "8x8x8" if run["dimension"] == 3 else "16x16"
    is_cell = run["kernel"] == "cell"
    block = f"blocks of {run['block']}" if is_cell and run["block"] != usual else ""
    tile = "" if is_cell or pd.isna(run["tile"]) else f"tile {run['tile']}"
    memory = "" if pd.isna(run["parameters.memory"]) else run["parameters.memory"]
    schedule = "" if run["schedule"] == "grid" or pd.isna(run["schedule"]) else run["schedule"]
    return ", ".join(filter(None, (block, tile, KERNELS.get(run["kernel"], ""), memory, schedule)))


def _who(equal: list[str], every: int) -> str:
    if len(equal) == every:
        return f"any of {every}"
    named = [f"`{name}`" for name in equal]
    if len(named) > NAMED:
        return f"{named[0]} or {len(named) - 1} others"
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


def answer(best: Best) -> str:
    """A cell of the table: '`rb-b`, tile 128, tile kernel; `ltm-i` +2.1 %'."""
    if len(best) < FEWEST:
        return "–"
    fastest = min(best.values(), key=lambda run: run[MS])
    level = ties(best)
    others = sorted(level - {fastest["strategy"]}, key=strategy_rank)
    said = f"{_who([fastest['strategy'], *others], len(best))}: {_way(fastest)}"
    margins = [(faster_by(fastest, run).value, name) for name, run in best.items() if name not in level]
    if not margins:
        return said
    slower, rival = min(margins)
    return f"{said}; `{rival}` +{100 * (slower - 1):.{0 if slower >= 1.1 else 1}f} %"


def answers(runs: pd.DataFrame, sizes: Sequence[str] = SIZES) -> dict[str, Any]:
    """
    Of runs about triangles and tetrahedra with generated input; peers are not candidates. Returns: the devices, and a
    row per workload and size. Errors: there is none
    """
    alone = runs["ranks.count"].isna() | (runs["ranks.count"] == 1)
    plain = (runs["cache"] != "cold") & (runs["samples.timing"] == "batched") & alone
    asked = runs["peer.name"].isna() & (runs["parameters.domain"] != "square") & runs["input"].isna()
    runs = runs[plain & asked]
    runs = runs.assign(place=places(runs), named=names_of(runs.assign(device="")))
    devices, rows = sorted(set(runs["device"]), reverse=True), []
    for named, mine in runs.groupby("named"):
        each = mine.groupby(["n", "device"])
        at = {key: contenders(members.to_dict("records")) for key, members in each}
        usual = USUAL[int(mine["dimension"].iloc[0])]
        words = str(named).removesuffix(usual).replace(usual + ",", ",").replace(", triangle domain", "")
        for size, n in _sizes(at).items():
            if size in sizes:
                cells = [answer(at.get((n, device), {})) for device in devices]
                rows.append([words, f"{size}, {n:,}", *cells])
    if not rows:
        raise ReportError(f"no workload was measured with {FEWEST} maps or more")
    return {"devices": devices, "rows": rows}
