"""Recommends the fastest map for each workload and range of N, and says how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import geometric_mean

from . import cli, study
from .errors import ReportError
from .improve import faster_by
from .model import WAY, Run, caution, in_words, setting_names, time_ms, variant
from .select import add_filters, apply_filters, group, input_fields, strategy_rank, varying_fields
from .stats import Interval

PROG = "advice"
# Two maps whose times differ by less than this factor count as equally fast.
PRACTICAL = 1.01


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


def contenders(runs: Sequence[Run]) -> dict[str, Run]:
    """The fastest run of each strategy, with whatever block, tile or kernel suits it best."""
    return {name: min(mine, key=time_ms) for name, mine in group(runs, lambda run: run.strategy).items()}


def ties(best: dict[str, Run]) -> set[str]:
    """
    The strategies that the fastest one does not clearly beat: the interval contains 1 or is unknown, or the margin is
    below PRACTICAL.
    """
    winner = min(best.values(), key=time_ms)
    tied = {winner.strategy}
    for run in best.values():
        margin = faster_by(winner, run)
        if margin.value < PRACTICAL or not (margin.known and margin.low > 1.0):
            tied.add(run.strategy)
    return tied


def _ranges(by_n: dict[int, dict[str, Run]]) -> list[tuple[list[int], set[str]]]:
    """Groups the sizes into as few ranges as possible; some strategy is among the fastest at every size of a range."""
    found: list[tuple[list[int], set[str]]] = []
    for n, best in sorted(by_n.items()):
        tied = ties(best)
        if found and found[-1][1] & tied:
            found[-1][0].append(n)
            found[-1] = (found[-1][0], found[-1][1] & tied)
        else:
            found.append(([n], tied))
    return found


def _names(runs: Sequence[Run], whole: bool) -> Callable[[Run], str]:
    """Returns the function that names a run: its strategy with the settings that vary, or with its whole way (WAY)."""
    fields, with_block = varying_fields(runs), len({run.block for run in runs}) > 1
    if whole:
        fields, with_block = list(WAY), True

    def name(run: Run) -> str:
        words = [run.block_name if with_block else "", variant(run, fields), caution(run)]
        said = ", ".join(word for word in words if word)
        return f"{run.strategy} ({said})" if said else run.strategy

    return name


# (key, device) of each search's winner -> the number of ways that the search tried.
Searched = Mapping[tuple[str, str], int]


def advise(runs: Sequence[Run], searched: Searched | None = None) -> list[Advice]:
    """Input: usable runs; searched: the winners of searches, and the number of ways that each search tried.

    Only runs that compute the same on the same device are compared. Peers are not candidates. Where a search was made,
    its winner represents its map.
    """
    runs, searched = [run for run in runs if run.peer is None], searched or {}
    found: list[Advice] = []
    fields = [*asked_apart(runs), *input_fields(runs)]
    engines, devices = len({run.engine for run in runs}) > 1, len({run.device for run in runs}) > 1
    for place, members in group(runs, lambda run: place_of(run, fields, engines, devices)).items():
        by_n: dict[int, Field] = {}
        for run in members:
            by_n.setdefault(run.n, {})[_setting(run)] = run
        won = _searched(by_n, searched)
        fair = _fair(by_n, won)
        for at_n in [*fair, *_tuned(by_n, fair, won), *({n: field} for n, field in won.items())]:
            best = {n: contenders(list(at.values())) for n, at in at_n.items()}
            settings = len(next(iter(at_n.values())))
            winners = [run for n, at in at_n.items() if at is won.get(n) for run in at.values()]
            tried = sum(searched[run.key, run.device] for run in winners)
            names = _names([run for at in at_n.values() for run in at.values()], tried > 0)
            found += [_advice(place, at, tied, best, settings, tried, names) for at, tied in _ranges(best)]
    return sorted(found, key=lambda one: (one.place, one.first_n, one.settings))


# The runs of one workload and size by their settings: strategy, block, tile, kernel and so on.
Setting = tuple[str, str, str]
Field = dict[Setting, Run]


def _setting(run: Run) -> Setting:
    return (run.strategy, run.block_name, variant(run, setting_names([run])))


def _maps(settings: Iterable[Setting]) -> int:
    return len({strategy for strategy, _, _ in settings})


def _fair(by_n: dict[int, Field], won: dict[int, Field]) -> list[dict[int, Field]]:
    """Groups of sizes with the same settings at each, the group with the most maps first.

    A map that was not measured at a size cannot win there, so a group with fewer maps gets only sizes outside the
    ranges of the groups before it. A size with nothing but winners of searches defines no group: these are compared on
    their own.
    """
    fields = {frozenset(at) for n, at in by_n.items() if at.keys() - won.get(n, {}).keys()}
    sizes = {field: [n for n, at in sorted(by_n.items()) if field <= at.keys()] for field in fields}
    order = sorted(fields, key=lambda f: (-_maps(f), -len(sizes[f]), -len(f), sorted(f)))
    found: list[dict[int, Field]] = []
    for field in order:
        left = [n for n in sizes[field] if not any(min(at_n) <= n <= max(at_n) for at_n in found)]
        if left and _maps(field) > 1:
            found.append({n: {s: run for s, run in by_n[n].items() if s in field} for n in left})
    return found


def _searched(by_n: dict[int, Field], searched: Searched) -> dict[int, Field]:
    """
    The winners of searches at each size, each with its own origin, because no two were sampled in the same rounds.
    """
    found: dict[int, Field] = {}
    for n, at in sorted(by_n.items()):
        won = {setting: run for setting, run in at.items() if (run.key, run.device) in searched}
        if won:
            found[n] = {s: replace(run, origin=-1 - k) for k, (s, run) in enumerate(won.items())}
    return found


def _tuned(
    by_n: dict[int, Field], fair: Sequence[dict[int, Field]], won: dict[int, Field]
) -> list[dict[int, Field]]:
    """
    Sizes at which a block, tile or kernel outside the fair comparison beats the fair choice, and no search was made.
    """
    return [
        {n: by_n[n]}
        for at_n in fair
        for n, at in at_n.items()
        if n not in won and _least_ms(by_n[n]) * PRACTICAL < _least_ms(at)
    ]


def _least_ms(field: Field) -> float:
    return min(map(time_ms, field.values()))


# The parameters that a place always names.
NAMED = ("cell", "domain", "rule", "steps")


def asked_apart(runs: Sequence[Run]) -> list[str]:
    """
    The fields, besides NAMED and WAY, in which runs of one workload and dimension differ: such runs compute or measure
    different things.
    """
    kinds = group(runs, lambda run: f"{run.workload} {run.dimension}D").values()
    names = ["ranks", "timing", "seed", *dict.fromkeys(name for run in runs for name in run.parameters)]
    others = [name for name in names if name not in {*WAY, *NAMED}]
    return [name for name in others if any(len({run.setting(name) for run in kind}) > 1 for kind in kinds)]


def place_of(run: Run, fields: Sequence[str], engines: bool, devices: bool) -> str:
    """A run's computation, and its place. Input: fields to name, and whether there are several engines or devices."""
    words = [run.workload, "3D" if run.dimension == 3 else "", f"{run.engine} engine" if engines else ""]
    words += [f"{run.layout} output" if run.layout else ""]
    given = run.parameters
    words += [in_words(name, given[name]) for name in NAMED if given.get(name)]
    words += [in_words(name, value) for name in fields if (value := run.setting(name)) is not None]
    words += ["cold cache" if run.cache == "cold" else "", run.device if devices else ""]
    return ", ".join(word for word in words if word)


def _advice(
    place: str,
    ns: list[int],
    tied: set[str],
    best_at: dict[int, dict[str, Run]],
    settings: int,
    tried: int,
    name: Callable[[Run], str],
) -> Advice:
    """The margin is taken at the range's largest N: the fastest run against the next one that is clearly slower."""
    order = sorted(
        tied, key=lambda s: (geometric_mean([time_ms(best_at[n][s]) for n in ns]), strategy_rank(s))
    )
    top = best_at[ns[-1]]
    best, equals = order[0], order[1:]
    level, fastest = ties(top), min(top.values(), key=time_ms)
    rival = min((run for s, run in top.items() if s not in level), key=time_ms, default=None)
    return Advice(
        place=place,
        first_n=ns[0],
        last_n=ns[-1],
        sizes=len(ns),
        strategies=len(top),
        settings=settings,
        tried=tried,
        best=name(top[best]),
        equals=[name(top[s]) for s in equals],
        clear_at=sum(ties(best_at[n]) == {best} for n in ns),
        runner_up=name(rival) if rival else "",
        margin=faster_by(fastest, rival) if rival else None,
    )


HEAD = ("WORKLOAD", "N", "COMPARED", "USE", "NEXT", "IT TAKES")


def rows(found: Iterable[Advice]) -> list[tuple[str, ...]]:
    """One row of cells per advice; the margin comes with its 95 % interval."""
    told: list[tuple[str, ...]] = []
    for one in found:
        span = f"{one.first_n:,}" if one.first_n == one.last_n else f"{one.first_n:,} to {one.last_n:,}"
        m = one.margin
        margin = m.said(".3f", " times") if m else "–"
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
    found = study.read(options.results, options.unverified)
    cli.warn(PROG, found.warnings)
    told = rows(advise(apply_filters(found.usable, options), found.searched))
    if not told:
        raise ReportError("nothing to compare: needs two strategies with one workload and N, or a search")
    print("\n".join(cli.columns((HEAD, *told), range(len(HEAD)))))
    return 0
