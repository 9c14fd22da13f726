"""A table of workloads and sizes by GPU: the fastest map, its settings, and how much slower the next one is."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from tribench_report import cli, into, study
from tribench_report.errors import ReportError
from tribench_report.improve import faster_by
from tribench_report.model import Run, time_ms
from tribench_report.old_advice import asked_apart, contenders, place_of, ties
from tribench_report.select import add_filters, apply_filters, group, strategy_rank

from .lists import markdown

PROG = "which"
SIZES = ("small", "middle", "large")
NAMED = 3  # if more maps than this are equally fast, they are counted instead of named
FEWEST = 3  # maps; with fewer there is no choice
# The default layout of each dimension.
USUAL = {2: ", packed output", 3: ", full output"}
KERNELS = {"cell": "one cell per thread", "loop": "loop kernel", "tile": "tile kernel"}


@dataclass(frozen=True, slots=True)
class Question:
    """
    Runs of one workload that compute the same, and the sizes at which the most maps were measured on every device.
    """

    place: str
    runs: list[Run]
    sizes: dict[str, int]


def _at(runs: Sequence[Run], n: int, device: str) -> dict[str, Run]:
    """The fastest run of each map, with any block, tile and kernel."""
    return contenders([run for run in runs if run.n == n and run.device == device])


def _sizes(runs: Sequence[Run], devices: Sequence[str]) -> dict[str, int]:
    """
    The smallest, middle and largest size with the most maps; some may be missing. A map that is missing cannot win.
    """
    here = [device for device in devices if any(run.device == device for run in runs)]
    maps = {n: min(len(_at(runs, n, device)) for device in here) for n in {run.n for run in runs}}
    most = max(maps.values())
    ns = sorted(n for n, count in maps.items() if count == most)
    if most < FEWEST:
        return {}
    if len(ns) < 3:
        return dict(zip(("large",) if len(ns) == 1 else ("small", "large"), ns))
    middle = min(ns[1:-1], key=lambda n: abs(math.log(n / math.sqrt(ns[0] * ns[-1]))))
    return dict(zip(SIZES, (ns[0], middle, ns[-1])))


def questions(runs: Sequence[Run], devices: Sequence[str]) -> list[Question]:
    """The questions about triangles and tetrahedra with generated input; peers are not candidates."""
    asked = [run for run in runs if run.peer is None and run.parameters.get("domain") != "square" and not run.input]
    asked = [run for run in asked if run.cache != "cold" and run.timing == "batched" and run.ranks in (None, 1)]
    fields, engines = asked_apart(asked), len({run.engine for run in asked}) > 1
    found = []
    for place, members in group(asked, lambda run: place_of(run, fields, engines, devices=False)).items():
        words = place.removesuffix(USUAL[members[0].dimension]).replace(USUAL[members[0].dimension] + ",", ",")
        sizes = _sizes(members, devices)
        found += [Question(words.replace(", triangle domain", ""), members, sizes)] if sizes else []
    return found


def _way(run: Run) -> str:
    kernel = KERNELS.get(run.kernel or "", "")
    usual = "8x8x8" if run.dimension == 3 else "16x16"
    block = f"blocks of {run.block_name}" if run.kernel == "cell" and run.block_name != usual else ""
    tile = f"tile {run.tile}" if run.kernel != "cell" and run.tile else ""
    schedule = "" if run.schedule in (None, "grid") else run.schedule
    words = [block, tile, kernel, str(run.parameters.get("memory", "")), schedule]
    return ", ".join(word for word in words if word)


def _who(equal: list[str], every: int) -> str:
    if len(equal) == every:
        return f"any of {every}"
    named = [f"`{name}`" for name in equal]
    if len(named) > NAMED:
        return f"{named[0]} or {len(named) - 1} others"
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


def answer(best: dict[str, Run]) -> str:
    """A cell of the table: '`rb-b`, tile 128, tile kernel; `ltm-i` +2.1 %'."""
    if len(best) < FEWEST:
        return "–"
    fastest = min(best.values(), key=time_ms)
    level = ties(best)
    others = sorted(level - {fastest.strategy}, key=strategy_rank)
    said = f"{_who([fastest.strategy, *others], len(best))}: {_way(fastest)}"
    margins = [(faster_by(fastest, run).value, run.strategy) for name, run in best.items() if name not in level]
    if not margins:
        return said
    behind, rival = min(margins)
    return f"{said}; `{rival}` +{100 * (behind - 1):.{0 if behind >= 1.1 else 1}f} %"


def table(runs: Sequence[Run], sizes: Sequence[str]) -> str:
    """One row per workload and size, one column per GPU."""
    devices = sorted({run.device for run in runs}, reverse=True)
    rows = [
        [question.place, f"{size}, {n:,}", *(answer(_at(question.runs, n, device)) for device in devices)]
        for question in questions(runs, devices)
        for size, n in question.sizes.items()
        if size in sizes
    ]
    if not rows:
        raise ReportError(f"no workload was measured with {FEWEST} maps or more")
    return markdown(["workload", "N", *devices], rows)


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Which map to take: a Markdown table of workloads and sizes by GPU, from what was measured.",
        "Each cell has the fastest map with its tile and kernel, and the next that is clearly slower, by how much.\n"
        "Maps closer than 1 %, or whose ratio has a 95 % interval that holds 1, count as equally fast.",
    )
    cli.add_results(parser)
    parser.add_argument("--sizes", default=",".join(SIZES), metavar="LIST", help="small, middle, large (default: all)")
    into.add_options(parser)
    add_filters(parser)
    options = parser.parse_args(arguments)
    into.check_options(options)
    sizes = cli.known_words("sizes", options.sizes, SIZES)
    found = study.read(options.results, options.unverified)
    into.put(options, table(apply_filters(found.usable, options), sizes))
    return 0


if __name__ == "__main__":
    sys.exit(cli.main("which", run))
