"""The start of the README: a command with its table, and the findings, with numbers from result files."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tribench_report import cli, study
from tribench_report.errors import ReportError
from tribench_report.into import insert
from tribench_report.model import Run, time_ms
from tribench_report.select import by_workload
from tribench_report.study import Study

from . import bench as claims_bench
from .aligned import aligned
from .claims import CLAIMS, Verdict, short_name

PROG = "front"
MAPS = ("bb", "ltm-i", "rb-b")
COMMAND = f"tribench -s {','.join(MAPS)} -w edm4 -n 8192"
# Columns that tribench leaves out on a terminal of 100 columns.
LEFT_OUT = ("blocks", "of fill")
LARGEST = 30720
# The limits that the sentences of the findings rely on; results beyond them need new sentences.
TWICE, ALIKE = 1.75, 0.05
HOLDS = (Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER)


def _is_plain(run: Run) -> bool:
    """Whether a run is as without any option: one cell per thread, in blocks of 16 x 16."""
    return run.dimension == 2 and run.plainness == 0 and run.block == (16, 16, 1) and run.peer is None


def _is_tiled(run: Run) -> bool:
    """Whether a run has packed output, one block per tile, and a workload that memory can bound."""
    memory = run.workload.startswith("edm") or run.workload == "write"
    plain = run.layout == "packed" and run.schedule == "grid" and run.cache == "warm" and run.timing == "batched"
    return run.dimension == 2 and run.kernel == "tile" and memory and plain and run.peer is None


def example(found: Study) -> str:
    shown = [run for run in found.usable if _is_plain(run) and (run.workload, run.n) == ("edm4", 8192)]
    by_name = {run.strategy: run for run in shown}
    if not set(MAPS) <= by_name.keys():
        raise ReportError(f"the results lack what the example shows: {COMMAND}")
    runs = [by_name[name] for name in MAPS]
    lines = [f"$ ./{COMMAND}", *aligned(runs, LEFT_OUT).splitlines()]
    origin = f"Measured {found.date(runs)} on {found.devices(runs=runs)[0]}."
    return "".join(f"    {line}".rstrip() + "\n" for line in lines) + f"\n{origin}\n"


def per_thread(found: Study) -> dict[str, Run]:
    """
    The fastest map of each workload at N = LARGEST, among runs with a recorded I, which needs a bounding box beside
    them.
    """
    plain = [run for run in found.usable if _is_plain(run) and run.n == LARGEST and run.improvement is not None]
    return {workload: min(runs, key=time_ms) for workload, runs in by_workload(plain).items()}


def _times(run: Run) -> str:
    i = run.improvement
    assert i is not None
    return f"{i.value:.2f} [{i.low:.2f}, {i.high:.2f}] times as fast for `{run.workload}` (`{run.strategy}`)"


def in_tiles(found: Study) -> dict[str, tuple[float, float]]:
    """
    For each workload, the share of the box's time that the fastest map saves, and the share of the fill rate that it
    reaches.
    """
    saved: dict[str, tuple[float, float]] = {}
    tiled = [run for run in found.usable if _is_tiled(run) and run.n == LARGEST]
    for workload, runs in by_workload(tiled).items():
        best = min(runs, key=time_ms)
        box = min((run for run in runs if run.strategy == "bb"), key=time_ms, default=None)
        if box and best.fraction_of_peak:
            saved[workload] = (1.0 - time_ms(best) / time_ms(box), best.fraction_of_peak)
    return saved


def findings(cells: Study, tiled: Study, words: Sequence[str]) -> str:
    """Input: words, the results of one GPU each, for the claims."""
    maps, tiles = per_thread(cells), in_tiles(tiled)
    if not maps or not tiles:
        raise ReportError(f"no runs with one cell per thread, or none with kernels for tiles, at N = {LARGEST:,}")
    ranked = sorted(maps.values(), key=lambda run: run.improvement.value if run.improvement else 0.0)
    most, least = max(saved for saved, _ in tiles.values()), min(share for _, share in tiles.values())
    gpu = short_name(cells.devices("cuda")[0].partition(",")[0])
    if ranked[-1].improvement is None or ranked[-1].improvement.value < TWICE or most > ALIKE:
        raise ReportError("the findings of the README do not hold in these results: say what was found instead")
    written = ", ".join(f"`{name}`" for name in sorted(tiles))
    points = [
        f"**With one cell per thread a good map is about twice as fast as the box.** On an {gpu} at N = {LARGEST:,} "
        f"the fastest map is {_times(ranked[0])}, up to {_times(ranked[-1])}.",
        "**With kernels for tiles the map hardly matters, and the speed of the memory is reached.** There the fastest "
        f"map saves {100 * most:.1f} % of the box's time at most, and {written} write "
        f"with {100 * least:.0f} % of the speed of a fill or more.",
        f"**What became of {len(CLAIMS)} published claims?** {held(words)} [docs/claims.md](docs/claims.md) has each "
        "with its figures and the reason.",
    ]
    wrapper = textwrap.TextWrapper(120, subsequent_indent="  ", break_on_hyphens=False)
    return "".join(f"{wrapper.fill(f'* {point}')}\n" for point in points)


def held(words: Sequence[str]) -> str:
    """'On an H200, 33 hold, 22 hold at some N, 14 do not, and 20 were not measured; ...', one part for equal counts."""
    gpus: dict[str, list[str]] = {}
    for word in words:
        bench = claims_bench.read(word)
        seen = Counter(claim.verdict(claim.answer(bench)[0]) for claim in CLAIMS if not claim.arithmetic)
        holds, part = sum(seen[verdict] for verdict in HOLDS), seen[Verdict.PART]
        asked = f"{holds} hold, {part} hold at some N, {seen[Verdict.NOT]} do not"
        rest = seen.total() - holds - part - seen[Verdict.NOT]
        gpus.setdefault(f"{asked}, and {rest} were not measured", []).append(f"an {short_name(bench.device)}")
    said = "; ".join(f"on {' and '.join(names)}, {counts}" for counts, names in gpus.items())
    return f"{said[:1].upper()}{said[1:]}."


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Writes the example and the findings between their markers in the README.")
    parser.add_argument("results", nargs="+", metavar="RESULTS", help="of a GPU each, for the claims")
    parser.add_argument("--cells", metavar="FILE", required=True, help="runs with one cell per thread")
    parser.add_argument("--tiles", metavar="FILE", required=True, help="runs with kernels for tiles")
    parser.add_argument("--into", metavar="README", required=True)
    options: argparse.Namespace = parser.parse_args(arguments)
    cells = study.read([options.cells])
    found = findings(cells, study.read([options.tiles]), options.results)
    insert(Path(options.into), "front", example(cells))
    insert(Path(options.into), "findings", found)
    return 0


if __name__ == "__main__":
    sys.exit(cli.main(PROG, run))
