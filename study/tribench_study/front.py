"""The start of the README: a command with its table, and the findings, with numbers from result files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from tribench_report import cli, frame
from tribench_report.errors import ReportError
from tribench_report.groups import plainness

from . import bench
from .claims import CLAIMS, Verdict, counts, short_name

MAPS = ("bb", "ltm-i", "rb-b")
MS = "time_ms.median"
LARGEST = 30720
# The limits that the sentences of the findings rely on; results beyond them need new sentences.
TWICE, ALIKE = 1.75, 0.05
HOLDS = (Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER)


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
    return f"{gain:.2f} [{low:.2f}, {high:.2f}] times as fast for `{run['workload']}` (`{run['strategy']}`)"


def _in_tiles(runs: pd.DataFrame) -> pd.DataFrame:
    """
    For each workload that memory can bound, the share of the box's time that the fastest map saves, and the share of
    the fill rate that it reaches, with packed output and one block per tile.
    """
    memory = runs["workload"].str.startswith("edm") | (runs["workload"] == "write")
    plain = (runs["layout"] == "packed") & (runs["schedule"] == "grid") & (runs["cache"] == "warm")
    tiles = (runs["kernel"] == "tile") & (runs["samples.timing"] == "batched") & runs["peer.name"].isna()
    runs = runs[memory & plain & tiles & (runs["dimension"] == 2) & (runs["n"] == LARGEST)]
    best = runs.loc[runs.groupby("workload")[MS].idxmin()].set_index("workload")
    box = runs[runs["strategy"] == "bb"].groupby("workload")[MS].min()
    found = pd.DataFrame({"saved": 1.0 - best[MS] / box, "share": best["throughput.fraction_of_peak"]})
    return found.dropna()


def findings(cells: pd.DataFrame, tiled: pd.DataFrame) -> dict[str, Any]:
    """Input: runs with one cell per thread and a recorded I, which needs a box beside them; with kernels for tiles."""
    plain = _plain(cells)
    plain = plain[(plain["n"] == LARGEST) & plain["improvement.factor"].notna()]
    tiles = _in_tiles(tiled)
    if plain.empty or tiles.empty:
        raise ReportError(f"no runs with one cell per thread, or none with kernels for tiles, at N = {LARGEST:,}")
    best = plain.loc[plain.groupby("workload")[MS].idxmin()].sort_values("improvement.factor")
    if best["improvement.factor"].iloc[-1] < TWICE or tiles["saved"].max() > ALIKE:
        raise ReportError("the findings of the README do not hold in these results: say what was found instead")
    return {
        "gpu": short_name(plain["device"].iloc[0]), "largest": LARGEST, "least": _times(best.iloc[0]),
        "most": _times(best.iloc[-1]), "saved": 100 * tiles["saved"].max(), "share": 100 * tiles["share"].min(),
        "written": sorted(tiles.index),
    }  # fmt: skip


def held(words: Sequence[str]) -> str:
    """'On an H200, 33 hold, 22 hold at some N, 14 do not, and 20 were not measured; ...', one part for equal counts."""
    gpus: dict[str, list[str]] = {}
    for word in words:
        results = bench.read(word)
        seen = counts([(claim, claim.verdict(claim.answer(results)[0])) for claim in CLAIMS])
        holds, part, fails = sum(seen[verdict] for verdict in HOLDS), seen[Verdict.PART], seen[Verdict.NOT]
        rest = seen.total() - holds - part - fails
        counted = f"{holds} hold, {part} hold at some N, {fails} do not, and {rest} were not measured"
        gpus.setdefault(counted, []).append(f"an {short_name(results.device)}")
    said = "; ".join(f"on {' and '.join(names)}, {counted}" for counted, names in gpus.items())
    return f"{said[:1].upper()}{said[1:]}."
