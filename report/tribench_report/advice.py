"""Recommends the fastest map for each workload and range of N, and says how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    if (winner["part"], winner["place"]) == (other["part"], other["place"]) and not winner["won"]:
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


def _ranges(best_at: dict[int, dict[str, Row]]) -> list[tuple[list[int], set[str]]]:
    """Groups the sizes into as few ranges as possible; some strategy is among the fastest at every size of a range."""
    found: list[tuple[list[int], set[str]]] = []
    for n, best in sorted(best_at.items()):
        tied = ties(best)
        if found and found[-1][1] & tied:
            found[-1] = ([*found[-1][0], n], found[-1][1] & tied)
        else:
            found.append(([n], tied))
    return found


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


def _maps(field: Iterable[Setting]) -> int:
    return len({strategy for strategy, _, _ in field})


def _fair(by_n: dict[int, Field], won: dict[int, Field]) -> list[dict[int, Field]]:
    """Groups of sizes with the same settings at each, the group with the most maps first.

    A map that was not measured at a size cannot win there, so a group with fewer maps gets only sizes outside the
    ranges of the groups before it. A size with nothing but winners of searches defines no group: these are compared on
    their own.
    """
    fields = {frozenset(at) for n, at in by_n.items() if at.keys() - won.get(n, {}).keys()}
    sizes = {field: [n for n, at in sorted(by_n.items()) if field <= at.keys()] for field in fields}
    found: list[dict[int, Field]] = []
    for field in sorted(fields, key=lambda f: (-_maps(f), -len(sizes[f]), -len(f), sorted(f))):
        left = [n for n in sizes[field] if not any(min(at_n) <= n <= max(at_n) for at_n in found)]
        if left and _maps(field) > 1:
            found.append({n: {s: row for s, row in by_n[n].items() if s in field} for n in left})
    return found


def _tuned(by_n: dict[int, Field], fair: Sequence[dict[int, Field]], won: dict[int, Field]) -> list[dict[int, Field]]:
    """
    Sizes at which a block, tile or kernel outside the fair comparison beats the fair choice, and no search was made.
    """

    def least(field: Field) -> float:
        return float(min(row[MS] for row in field.values()))

    return [
        {n: by_n[n]}
        for at_n in fair
        for n, at in at_n.items()
        if n not in won and least(by_n[n]) * PRACTICAL < least(at)
    ]


# ---------------------------------------------------------------- advice


def _advice(
    place: str, ns: list[int], tied: set[str], best_at: dict[int, dict[str, Row]], count: int, tried: int
) -> Advice:
    """The margin is taken at the range's largest N: the fastest run against the next one that is clearly slower."""
    means = {name: geometric_mean([best_at[n][name][MS] for n in ns]) for name in tied}
    best, *equals = sorted(tied, key=lambda name: (means[name], strategy_rank(name)))
    top = best_at[ns[-1]]
    level, fastest = ties(top), min(top.values(), key=lambda row: row[MS])
    rivals = [row for name, row in top.items() if name not in level]
    rival = min(rivals, key=lambda row: row[MS], default=None)
    return Advice(
        place=place,
        first_n=ns[0],
        last_n=ns[-1],
        sizes=len(ns),
        strategies=len(top),
        settings=count,
        tried=tried,
        best=top[best]["said"],
        equals=[top[name]["said"] for name in equals],
        clear_at=sum(ties(best_at[n]) == {best} for n in ns),
        runner_up=rival["said"] if rival else "",
        margin=faster_by(fastest, rival) if rival else None,
    )


def _said(fields: Iterable[Field], whole: bool) -> None:
    """Names each run by its strategy with the settings that vary among these runs, or with its whole way."""
    rows = [row for field in fields for row in field.values()]
    runs = pd.DataFrame(rows)
    with_block = whole or runs["block"].nunique() > 1
    for row, words in zip(rows, variants(runs, list(WAY) if whole else varying(runs))):
        said = ", ".join(filter(None, (row["block"] if with_block else "", words, row["caution"])))
        row["said"] = f"{row['strategy']} ({said})" if said else row["strategy"]


def advise(runs: pd.DataFrame) -> list[Advice]:
    """Input: usable runs.

    Only runs that compute the same on the same device are compared. Libraries' functions are not candidates. Where a
    search was made, its winner represents its map.
    """
    runs = runs[runs["peer.name"].isna()]
    if runs.empty:
        return []
    runs = runs.assign(place=places(runs), named=names_of(runs), variant=variants(runs, settings(runs)), won=False)
    found: list[Advice] = []
    for place, members in runs.groupby("named"):
        by_n: dict[int, Field] = {}
        for row in members.to_dict("records"):
            by_n.setdefault(row["n"], {})[row["strategy"], row["block"], row["variant"]] = row
        # The winners of searches at each size: no two were sampled in the same rounds.
        searched = {n: {s: {**r, "won": True} for s, r in at.items() if r["tried"] > 0} for n, at in by_n.items()}
        won = {n: at for n, at in searched.items() if at}
        fair = _fair(by_n, won)
        for at_n in [*fair, *_tuned(by_n, fair, won), *({n: field} for n, field in won.items())]:
            tried = sum(int(row["tried"]) for n, at in at_n.items() if at is won.get(n) for row in at.values())
            _said(at_n.values(), tried > 0)
            best = {n: contenders(at.values()) for n, at in at_n.items()}
            count = len(next(iter(at_n.values())))
            found += [_advice(str(place), ns, tied, best, count, tried) for ns, tied in _ranges(best)]
    return sorted(found, key=lambda one: (one.place, one.first_n, one.settings))


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
