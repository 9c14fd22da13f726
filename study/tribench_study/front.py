"""The start of the README: a command with its table, and the findings, with numbers from result files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from tribench_report import cli, frame
from tribench_report.errors import ReportError
from tribench_report.groups import plainness

from . import bench
from .claims import AS_LARGE, SENTENCES, Verdict, counts, short_name

MAPS = ("bb", "ltm-i", "rb-b")
MS = "time_ms.median"
BOXES = ("bb", "bb-t")
LARGEST, SMALLER = 30720, 8192
# The limits that the sentences of the findings rely on; results beyond them need new sentences.
TWICE, LESS, ALIKE = 1.75, 1.75, 0.05


def _plain(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs as without any option: one cell per thread, in blocks of 16 x 16."""
    plain = (plainness(runs) == 0) & (runs["block"] == "16x16") & runs["peer.name"].isna()
    return runs[plain & (runs["dimension"] == 2)]


def _cells(run: dict[str, Any]) -> list[str]:
    """A row of tribench's table, as wide as a terminal of 100 columns has room for."""
    gain, ends = run["improvement.factor"], ("ci95.low", "ci95.high")
    low, high = (run[f"time_ms.{end}"] for end in ends)
    i_low, i_high = (run[f"improvement.{end}"] for end in ends)
    factor = ["", ""] if pd.isna(gain) else [f"{gain:.3f}", f"{i_low:.3f} .. {i_high:.3f}"]
    bound = f"{100 * run['roofline.fraction_of_bound']:.1f} % {run['roofline.ceiling']}"
    times = [f"{run[MS]:.5g}", f"{low:.5g} .. {high:.5g}"]
    rate = f"{run['throughput.gb_per_s']:.4g}"
    return [run["strategy"], f"{run['launch.blocks_wasted']:.0f}", *times, *factor, rate, bound, "pass"]


def example(found: frame.Results) -> dict[str, Any]:
    runs = _plain(found.usable)
    runs = runs[(runs["workload"] == "edm4") & (runs["n"] == 8192) & runs["strategy"].isin(MAPS)]
    runs = runs.set_index("strategy", drop=False)
    if not set(MAPS) <= set(runs.index):
        raise ReportError(f"the results lack what the example shows: {', '.join(MAPS)} on edm4, N = 8192")
    head = ["strategy", "wasted", "median ms", "95 % interval", "I", "95 % interval", "GB/s", "of bound", "check"]
    rows = cli.columns([head, *(_cells(run) for run in runs.loc[list(MAPS)].to_dict("records"))], [0, 8]).splitlines()
    return {"maps": MAPS, "rows": rows, "date": found.date(runs), "device": found.devices(runs)[0]}


def _times(run: Any) -> str:
    gain, low, high = (run[f"improvement.{end}"] for end in ("factor", "ci95.low", "ci95.high"))
    return f"{gain:.2f} [{low:.2f}, {high:.2f}] times (`{run['workload']}`, `{run['strategy']}`)"


def _best_blocks(runs: pd.DataFrame) -> pd.Series[float]:
    """By workload, the time of a box in its best block over that of the best map in its best block, in rising order."""
    runs = runs[(runs["dimension"] == 2) & (runs["kernel"] == "cell") & (runs["n"] == LARGEST)]
    is_box = runs["strategy"].isin(BOXES)
    box, best = (one.groupby("workload")[MS].min() for one in (runs[is_box], runs[~is_box]))
    return (box / best).dropna().sort_values()


def _in_tiles(runs: pd.DataFrame, n: int = LARGEST, layout: str = "packed") -> pd.DataFrame:
    """
    For each workload that memory can bound, the share of the box's time that the fastest map saves, the share of the
    fill rate that it reaches, and whether the GPU was throttled meanwhile, with one block per tile.
    """
    memory = runs["workload"].str.startswith("edm") | (runs["workload"] == "write")
    plain = (runs["layout"] == layout) & (runs["schedule"] == "grid") & (runs["cache"] == "warm")
    tiles = (runs["kernel"] == "tile") & (runs["samples.timing"] == "batched") & runs["peer.name"].isna()
    runs = runs[memory & plain & tiles & (runs["dimension"] == 2) & (runs["n"] == n)]
    best = runs.loc[runs.groupby("workload")[MS].idxmin()].set_index("workload")
    box = runs[runs["strategy"] == "bb"].groupby("workload")[MS].min()
    saved, throttled = 1.0 - best[MS] / box, best["caveats"].fillna("").str.contains("throttled")
    found = {"saved": saved, "share": best["throughput.fraction_of_peak"], "throttled": throttled}
    return pd.DataFrame(found).dropna()


def findings(cells: pd.DataFrame, blocks: pd.DataFrame, tiled: pd.DataFrame) -> dict[str, Any]:
    """
    Input: runs with one cell per thread and a recorded I, which needs a box beside them; with blocks of several sizes;
    with kernels for tiles.
    """
    plain = _plain(cells)
    plain = plain[(plain["n"] == LARGEST) & plain["improvement.factor"].notna()]
    tiles, sides = _in_tiles(tiled), _best_blocks(blocks)
    if plain.empty or tiles.empty or sides.empty:
        raise ReportError(f"no runs with one cell per thread, or none with kernels for tiles, at N = {LARGEST:,}")
    best = plain.loc[plain.groupby("workload")[MS].idxmin()].sort_values("improvement.factor")
    if best["improvement.factor"].iloc[-1] < TWICE or tiles["saved"].max() > ALIKE or sides.iloc[-1] > LESS:
        raise ReportError("the findings of the README do not hold in these results: say what was found instead")
    return {
        "gpu": short_name(plain["device"].iloc[0]), "largest": LARGEST, "least": _times(best.iloc[0]),
        "most": _times(best.iloc[-1]), "saved": 100 * tiles["saved"].max(), "share": 100 * tiles["share"].min(),
        "written": sorted(tiles.index), "throttled": int(tiles["throttled"].sum()), "smaller": SMALLER,
        "blocks": [f"{side:.2f} (`{workload}`)" for workload, side in sides.items()],
        **{layout: 100 * _in_tiles(tiled, SMALLER, layout)["saved"].max() for layout in ("packed", "full")},
    }  # fmt: skip


def held(words: Sequence[str]) -> str:
    """'On an H200 33 hold, 2 in direction only, 22 at some N, 14 do not, 19 were not measured (H100: 30, 3, ...).'"""
    said = []
    for word in words:
        results = bench.read(word)
        seen = counts([(claim, claim.verdict(claim.answer(results)[0])) for claim in SENTENCES])
        known = [
            sum(seen[verdict] for verdict in AS_LARGE),
            seen[Verdict.WEAKER],
            seen[Verdict.PART],
            seen[Verdict.NOT],
        ]
        said.append((short_name(results.device), [*known, seen.total() - sum(known)]))
    (first, found), *others = said
    parts = ("hold", "in direction only", "at some N", "do not", "were not measured")
    more = "; ".join(f"{name}: {', '.join(map(str, counted))}" for name, counted in others)
    text = ", ".join(f"{count} {part}" for count, part in zip(found, parts))
    return f"On an {first} {text}{f' ({more})' if more else ''}."
