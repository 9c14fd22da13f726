"""Recommends the fastest map for each workload and range of N, and says how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import geometric_mean
from typing import Any, NamedTuple

import pandas as pd

from . import cli
from .errors import ReportError
from .groups import FACET_WORDS, WAY, add_filters, chosen, inputs, places, strategy_rank, variants
from .intervals import Interval, paired_ratio

PROG = "advice"
# Two maps whose times differ by less than this factor count as equally fast.
PRACTICAL = 1.01
MOST_NAMED = 4  # of maps that tie
# What the name of a place says of all runs, beside the workload, and the values that it leaves out.
NAMED = ("parameters.cell", "parameters.domain", "parameters.rule", "parameters.steps")
UNSAID = {"dimension": 2, "cache": "warm"}
# The usual blocks, which need no word unless there are others.
USUAL = ("16x16", "8x8x8")
MS = "time_ms.median"

Row = dict[str, Any]


class Advice(NamedTuple):
    """The recommended map for one workload and a range of measured sizes, or the maps that cannot be told apart."""

    place: str
    sizes: list[int]
    compared: str  # the number of maps and settings: the verdict holds only among these
    verdict: str
    best: str
    runner_up: str
    margin: Interval | None


def faster_by(winner: Row, other: Row) -> Interval:
    """How many times as long the other one takes: from paired rounds, or from two intervals, which is wider."""
    # The winners of a search were not sampled in the same rounds.
    if (winner["part"], winner["place"]) == (other["part"], other["place"]) and not winner["tried"] > 0:
        paired = paired_ratio(other["samples.ms"], winner["samples.ms"])
        if paired is not None:
            return paired
    low, high = ("time_ms.ci95.low", "time_ms.ci95.high")
    return Interval(other[MS] / winner[MS], other[low] / winner[high], other[high] / winner[low])


def contenders(rows: Iterable[Row]) -> dict[str, Row]:
    """The fastest run of each strategy, with whatever block, tile or kernel suits it best."""
    return {row["strategy"]: row for row in reversed(sorted(rows, key=lambda row: row[MS]))}


def ties(best: dict[str, Row]) -> set[str]:
    """Those not clearly slower than the fastest: the interval holds 1 or is unknown, or the margin is not PRACTICAL."""
    winner = min(best.values(), key=lambda row: row[MS])
    margins = {name: faster_by(winner, row) for name, row in best.items()}
    level = {name for name, margin in margins.items() if margin.value < PRACTICAL or not margin.low > 1.0}
    return level | {winner["strategy"]}


# ---------------------------------------------------------------- what is compared


def names_of(runs: pd.DataFrame) -> list[str]:
    """What each run computes, and where: only runs with one name are compared."""
    others = ["ranks.count", "samples.timing", "seed", *(name for name in runs if name.startswith("parameters."))]
    others = [name for name in others if name not in {*WAY, *NAMED}]
    differ = runs.groupby(["workload", "dimension"])[others].nunique(dropna=False).max() > 1
    apart = [*(name for name in others if differ[name]), *inputs(runs)]
    engine, device = ([name] if runs[name].nunique() > 1 else [] for name in ("engine", "device"))
    named = [name for name in NAMED if name in runs]
    columns = ["dimension", *engine, "layout", *named, *apart, "cache", *device]
    said = variants(runs, columns, UNSAID, {**FACET_WORDS, "device": "{}"})
    return [", ".join(filter(None, pair)) for pair in zip(runs["workload"], said)]


def _with_ways(runs: pd.DataFrame) -> pd.DataFrame:
    """Adds `how`, what is not plain about a run's launch, and `way`, its strategy with that and with its caveats."""
    several = runs.groupby("named")["block"].transform("nunique") > 1
    blocks = runs["block"].where(several | ~runs["block"].isin(USUAL), "")
    ways = variants(runs, [name for name in WAY if name not in NAMED])
    runs = runs.assign(how=[", ".join(filter(None, each)) for each in zip(blocks, ways)])
    said = [", ".join(filter(None, each)) for each in zip(runs["how"], runs["caution"])]
    return runs.assign(way=[f"{name} ({words})" if words else name for name, words in zip(runs["strategy"], said)])


# ---------------------------------------------------------------- advice


class Size(NamedTuple):
    """What was compared at one N: the fastest run of each map, which maps tie, and which runs there were."""

    n: int
    best: dict[str, Row]
    level: set[str]
    runs: set[tuple[str, str]]
    settings: int
    is_search: bool


def _sizes(runs: pd.DataFrame) -> Iterator[Size]:
    """What is compared at each size: the winners of a search, one per map; else all runs, unless of a single map."""
    for n, members in runs.groupby("n"):
        won = members[members["tried"] > 0]
        mine = won if len(won) else members
        if len(won) or mine["strategy"].nunique() > 1:
            best = contenders(mine.to_dict("records"))
            count = int(won["tried"].sum()) or len(mine)
            yield Size(int(str(n)), best, ties(best), set(zip(mine["strategy"], mine["how"])), count, len(won) > 0)


def _ranges(sizes: Iterable[Size]) -> Iterator[tuple[list[Size], set[str]]]:
    """
    As few ranges of sizes as possible, each with the maps that are among the fastest at all of its sizes; the same runs
    are compared at all sizes of a range. The winners of a search are compared at its size alone.
    """
    held, tied = list[Size](), set[str]()
    for size in sizes:
        if held and not size.is_search and size.runs == held[-1].runs and tied & size.level:
            held, tied = [*held, size], tied & size.level
            continue
        if held:
            yield held, tied
        held, tied = [size], size.level
    if held:
        yield held, tied


def _advice(place: str, held: list[Size], tied: set[str]) -> Advice:
    """The margin is taken at the range's largest N: the fastest run against the next one that is clearly slower."""
    last = held[-1]
    means = {name: geometric_mean([size.best[name][MS] for size in held]) for name in tied}
    ways = [last.best[name]["way"] for name in sorted(tied, key=lambda name: (means[name], strategy_rank(name)))]
    best, clear = ways[0], sum(len(size.level) == 1 for size in held)
    if len(ways) > 1:
        more = f" and {len(ways) - MOST_NAMED} more" if len(ways) > MOST_NAMED else ""
        verdict = f"no clear winner: {', '.join(ways[:MOST_NAMED])}{more}"
    elif clear == 0:
        verdict = f"no clear winner at any size; {best} is always among the fastest"
    elif clear < len(held):
        verdict = f"{best}: never clearly beaten, clearly fastest at {clear} of {len(held)} sizes"
    else:
        verdict = best
    maps = f"{len(last.best)} map{'s' if len(last.best) > 1 else ''}"
    compared = maps if last.settings == len(last.best) else f"{maps} in {last.settings:,} settings"
    slower = [row for name, row in last.best.items() if name not in last.level]
    rival = min(slower, key=lambda row: row[MS], default=None)
    margin = faster_by(min(last.best.values(), key=lambda row: row[MS]), rival) if rival else None
    return Advice(place, [size.n for size in held], compared, verdict, best, rival["way"] if rival else "", margin)


def advise(runs: pd.DataFrame) -> list[Advice]:
    """Only runs that compute the same on the same device are compared, and no peers. Input: usable runs"""
    runs = runs[runs["peer.name"].isna()]
    if runs.empty:
        return []
    runs = _with_ways(runs.assign(place=places(runs), named=names_of(runs)))
    return [_advice(str(place), *one) for place, members in runs.groupby("named") for one in _ranges(_sizes(members))]


HEAD = ("WORKLOAD", "N", "COMPARED", "USE", "NEXT", "IT TAKES")


def rows(found: Iterable[Advice]) -> list[tuple[str, ...]]:
    """One row of cells per advice; the margin comes with its 95 % interval."""
    told: list[tuple[str, ...]] = []
    for one in found:
        span = " to ".join(dict.fromkeys(f"{one.sizes[end]:,}" for end in (0, -1)))
        margin = one.margin.said("{:.3f}".format, " times") if one.margin else "–"
        told.append((one.place, span, one.compared, one.verdict, one.runner_up or "–", margin))
    return told


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Says which map and setting to use for each workload and N, of those that were measured.",
        "Searches (tribench --tune) tell the most: there every map stands with its fastest way. Maps that differ\n"
        "by less than 1 %, or whose ratio has a 95 % interval that holds 1, or none, as below 6 samples, count as\n"
        "equally fast.",
    )
    cli.add_results(parser)
    add_filters(parser)
    options = parser.parse_args(arguments)
    told = rows(advise(chosen(PROG, options)[1]))
    if not told:
        raise ReportError("nothing to compare: needs two strategies with one workload and N, or a search")
    print(cli.columns((HEAD, *told), range(len(HEAD))), end="")
    return 0
