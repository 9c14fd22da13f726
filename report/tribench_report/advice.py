"""Recommends the fastest map for each workload and range of N, and says how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Any

import pandas as pd

from . import cli
from .errors import ReportError
from .frame import load
from .groups import WAY, add_filters, in_words, inputs, places, select, settings, strategy_rank, variants, varying
from .intervals import Interval, paired_ratio

PROG = "advice"
# Two maps whose times differ by less than this factor count as equally fast.
PRACTICAL = 1.01
# The parameters that a place always names.
NAMED = ("parameters.cell", "parameters.domain", "parameters.rule", "parameters.steps")
MS = "time_ms.median"

Row = dict[str, Any]
# The runs of one workload and size by their settings: strategy, block, tile, kernel and so on.
Setting = tuple[str, str, str]
Field = dict[Setting, Row]


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommended map for one workload and a range of measured sizes, or the maps that cannot be told apart."""

    place: str
    first_n: int
    last_n: int
    sizes: int
    strategies: int
    settings: int
    tried: int
    best: str
    equals: list[str]
    clear_at: int
    runner_up: str
    margin: Interval | None

    def compared(self) -> str:
        """The number of maps and settings that were compared: the verdict holds only among these."""
        among = f"{self.strategies} map{'s' if self.strategies > 1 else ''}"
        if self.tried:
            return f"{among}, the best of {self.tried:,} ways"
        return among if self.settings == self.strategies else f"{among} in {self.settings} settings"

    def verdict(self) -> str:
        if self.equals:
            return "no clear winner: " + ", ".join([self.best, *self.equals])
        if self.clear_at == self.sizes:
            return self.best
        if self.clear_at == 0:
            return f"no clear winner at any size; {self.best} is always among the fastest"
        return f"{self.best}: never clearly beaten, clearly fastest at {self.clear_at} of {self.sizes} sizes"


def faster_by(winner: Row, other: Row) -> Interval:
    """
    How many times as long the other one takes: from paired rounds if both were sampled in one group; else from two
    intervals, which gives one that is wider than needed.
    """
    # The winners of a search were not sampled in the same rounds.
    if (winner["part"], winner["place"]) == (other["part"], other["place"]) and not winner["tried"] > 0:
        paired = paired_ratio(other["samples.ms"], winner["samples.ms"])
        if paired is not None:
            return paired
    low, high = ("time_ms.ci95.low", "time_ms.ci95.high")
    return Interval(other[MS] / winner[MS], other[low] / winner[high], other[high] / winner[low])


def contenders(rows: Iterable[Row]) -> dict[str, Row]:
    """The fastest run of each strategy, with whatever block, tile or kernel suits it best."""
    found: dict[str, Row] = {}
    for row in rows:
        held = found.get(row["strategy"])
        found[row["strategy"]] = row if held is None or row[MS] < held[MS] else held
    return found


def ties(best: dict[str, Row]) -> set[str]:
    """
    The strategies that the fastest one does not clearly beat: the interval contains 1 or is unknown, or the margin is
    below PRACTICAL.
    """
    winner = min(best.values(), key=lambda row: row[MS])
    margins = {name: faster_by(winner, row) for name, row in best.items()}
    level = {name for name, margin in margins.items() if margin.value < PRACTICAL or not margin.low > 1.0}
    return level | {winner["strategy"]}


# ---------------------------------------------------------------- what is compared


def _apart(runs: pd.DataFrame) -> list[str]:
    """
    The columns, besides NAMED and WAY, in which runs of one workload and dimension differ: such runs compute or measure
    different things.
    """
    others = ["ranks.count", "samples.timing", "seed", *(name for name in runs if name.startswith("parameters."))]
    others = [name for name in others if name not in {*WAY, *NAMED}]
    differ = runs.groupby(["workload", "dimension"])[others].nunique(dropna=False).max() > 1
    return [*(name for name in others if differ[name]), *inputs(runs)]


def names_of(runs: pd.DataFrame) -> list[str]:
    """What each run computes, and where: only runs with one name are compared."""
    engines, devices = runs["engine"].nunique() > 1, runs["device"].nunique() > 1
    columns = [*(name for name in NAMED if name in runs), *_apart(runs)]
    found = []
    for row in runs.to_dict("records"):
        words = [row["workload"], "3D" if row["dimension"] == 3 else "", f"{row['engine']} engine" if engines else ""]
        words += ["" if pd.isna(row["layout"]) else f"{row['layout']} output"]
        words += [in_words(name, row[name]) for name in columns if not pd.isna(row[name])]
        words += ["cold cache" if row["cache"] == "cold" else "", row["device"] if devices else ""]
        found.append(", ".join(filter(None, words)))
    return found


# ---------------------------------------------------------------- advice


def _fields(runs: pd.DataFrame) -> Iterator[tuple[int, Field]]:
    """
    What is compared at each size: where a search was made, the winners of the search, each of which represents its map;
    else all runs, unless they are of one map.
    """
    for n, members in runs.groupby("n"):
        won = members[members["tried"] > 0]
        rows = (won if len(won) else members).to_dict("records")
        if len(won) or members["strategy"].nunique() > 1:
            yield int(str(n)), {(row["strategy"], row["block"], row["variant"]): row for row in rows}


def _ranges(fields: dict[int, Field]) -> Iterator[tuple[list[int], set[str]]]:
    """
    As few ranges of sizes as possible; the same runs are compared at all sizes of a range, and some map is among the
    fastest at each. The winners of a search are compared at its size alone.
    """
    ns, tied = list[int](), set[str]()
    for n, field in fields.items():
        level = ties(contenders(field.values()))
        alike = ns and fields[ns[-1]].keys() == field.keys() and not _tried(field)
        if ns and not (alike and tied & level):
            yield ns, tied
            ns = []
        ns, tied = [*ns, n], tied & level if ns else level
    if ns:
        yield ns, tied


def _tried(field: Field) -> int:
    return int(sum(row["tried"] for row in field.values() if row["tried"] > 0))


def _advice(place: str, at_n: dict[int, Field], tied: set[str]) -> Advice:
    """The margin is taken at the range's largest N: the fastest run against the next one that is clearly slower."""
    best_at = {n: contenders(field.values()) for n, field in at_n.items()}
    *_, (last, field) = at_n.items()
    tried, top = _tried(field), best_at[last]
    _name(at_n.values(), tried > 0)
    means = {name: geometric_mean([best[name][MS] for best in best_at.values()]) for name in tied}
    best, *equals = sorted(tied, key=lambda name: (means[name], strategy_rank(name)))
    level, fastest = ties(top), min(top.values(), key=lambda row: row[MS])
    rival = min((row for name, row in top.items() if name not in level), key=lambda row: row[MS], default=None)
    return Advice(
        place=place,
        first_n=min(at_n),
        last_n=last,
        sizes=len(at_n),
        strategies=len(top),
        settings=len(field),
        tried=tried,
        best=top[best]["said"],
        equals=[top[name]["said"] for name in equals],
        clear_at=sum(ties(each) == {best} for each in best_at.values()),
        runner_up=rival["said"] if rival else "",
        margin=faster_by(fastest, rival) if rival else None,
    )


def _name(fields: Iterable[Field], whole: bool) -> None:
    """Names each run by its strategy with the settings that vary among these runs, or with its whole way."""
    rows = [row for field in fields for row in field.values()]
    runs = pd.DataFrame(rows)
    with_block = whole or runs["block"].nunique() > 1
    for row, words in zip(rows, variants(runs, list(WAY) if whole else varying(runs))):
        said = ", ".join(filter(None, (row["block"] if with_block else "", words, row["caution"])))
        row["said"] = f"{row['strategy']} ({said})" if said else row["strategy"]


def advise(runs: pd.DataFrame) -> list[Advice]:
    """Input: usable runs.

    Only runs that compute the same on the same device are compared. Libraries' functions are not candidates.
    """
    runs = runs[runs["peer.name"].isna()]
    if runs.empty:
        return []
    runs = runs.assign(place=places(runs), named=names_of(runs), variant=variants(runs, settings(runs)))
    found: list[Advice] = []
    for place, members in runs.groupby("named"):
        fields = dict(_fields(members))
        found += [_advice(str(place), {n: fields[n] for n in ns}, tied) for ns, tied in _ranges(fields)]
    return found


HEAD = ("WORKLOAD", "N", "COMPARED", "USE", "NEXT", "IT TAKES")


def rows(found: Iterable[Advice]) -> list[tuple[str, ...]]:
    """One row of cells per advice; the margin comes with its 95 % interval."""
    told: list[tuple[str, ...]] = []
    for one in found:
        span = f"{one.first_n:,}" if one.first_n == one.last_n else f"{one.first_n:,} to {one.last_n:,}"
        margin = one.margin.said(".3f", " times") if one.margin else "–"
        told.append((one.place, span, one.compared(), one.verdict(), one.runner_up or "–", margin))
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
    found = load(options.results, options.unverified)
    cli.warn(PROG, found.warnings)
    told = rows(advise(select(found.usable, options)))
    if not told:
        raise ReportError("nothing to compare: needs two strategies with one workload and N, or a search")
    print("\n".join(cli.columns((HEAD, *told), range(len(HEAD)))))
    return 0
