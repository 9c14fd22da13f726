"""Selects runs: filters from the command line, facets for figures, lines within a figure."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .errors import ReportError
from .looks import LOOKS
from .model import INPUTS, WAY, Run, in_words, setting_names, time_ms, variant

Each = TypeVar("Each")
Key = TypeVar("Key", str, tuple[str, ...])

ORDER = list(LOOKS)
FILTERS = (
    "strategy",
    "workload",
    "engine",
    "n",
    "block",
    "layout",
    "tile",
    "schedule",
    "kernel",
    "cache",
    "memory",
)

# The fields that runs must share to be in one picture.
PICTURE = ("engine", "block_name", "layout", "cache")
FACET_WORDS = {
    "engine": "{} engine",
    "block_name": "{} blocks",
    "layout": "{} output",
    "cache": "{} cache",
    "cell": "{} cells",
    "domain": "{} domain",
    "dimension": "{}D",
    "rank_count": "{} ranks",
}


def strategy_rank(name: str) -> tuple[int, str]:
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)


def add_unverified(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--unverified", action="store_true", help="take runs that were not verified, too")


def add_filters(parser: argparse.ArgumentParser, with_unverified: bool = True) -> None:
    group = parser.add_argument_group("selection (comma-separated lists; default: everything)")
    for name in FILTERS:
        group.add_argument(f"--{name}", metavar="LIST")
    if with_unverified:
        add_unverified(group)


def apply_filters(runs: Iterable[Run], options: argparse.Namespace) -> list[Run]:
    """The runs that pass the filters. Errors: none does, because an empty picture would only puzzle."""
    wanted = {
        name: set(str(getattr(options, name)).split(",")) for name in FILTERS if getattr(options, name, None)
    }
    chosen = [run for run in runs if all(_value(run, name) in values for name, values in wanted.items())]
    if not chosen and wanted:
        words = " ".join(f"--{name} {getattr(options, name)}" for name in wanted)
        raise ReportError(f"no usable run is selected by {words}")
    return chosen


def _value(run: Run, name: str) -> str:
    return run.block_name if name == "block" else str(run.setting(name))


@dataclass(frozen=True, slots=True)
class Facet:
    """Runs that may share a picture: same engine, block, layout and cache state."""

    suffix: str
    words: str
    runs: list[Run]


def facets(
    runs: Sequence[Run],
    fields: Sequence[str] = PICTURE,
    by_device: bool = True,
) -> list[Facet]:
    """
    Groups runs by device, input and the fields; the suffix names only fields that vary, so a single facet has none.
    """
    fields = [*(["device"] if by_device else []), *fields, *input_fields(runs)]
    groups = group(runs, lambda run: tuple(str(run.setting(name)) for name in fields))
    varying = [k for k in range(len(fields)) if len({values[k] for values in groups}) > 1]
    found = []
    for values, members in groups.items():
        apart = [values[k] for k in varying if fields[k] not in INPUTS or values[k] != "None"]
        suffix = "".join("-" + re.sub(r"[^A-Za-z0-9.]+", "-", value).strip("-") for value in apart)
        words = [_facet_words(name, values[k], k in varying) for k, name in enumerate(fields)]
        found.append(Facet(suffix, ", ".join(filter(None, words)), members))
    return found


def _facet_words(name: str, value: str, varies: bool) -> str:
    # A caption names the device anyway, and one rank is an ordinary device: they are named only if they vary.
    if value == "None" or (not varies and (name == "device" or (name, value) == ("rank_count", "1"))):
        return ""
    if name in INPUTS:
        return in_words(name, value)
    words = FACET_WORDS.get(name, "{}").format(value)
    return words.removesuffix("s") if name == "rank_count" and value == "1" else words


def input_fields(runs: Iterable[Run]) -> list[str]:
    """The field that names inputs, if a workload has several of one N, which compute different things; else none."""
    found: dict[tuple[str, int], dict[str | None, str | None]] = {}
    for run in runs:
        found.setdefault((run.workload, run.n), {})[run.input] = run.input_name
    several = [names for names in found.values() if len(names) > 1]
    if not several:
        return []
    are_named_apart = all(len(set(names.values())) == len(names) for names in several)
    return ["input_name" if are_named_apart else "input"]


def varying_fields(runs: Sequence[Run]) -> list[str]:
    """The fields in which runs of one strategy, workload and n differ; only these belong in a label.

    A field that a search chooses also counts if the strategies of a workload differ in it: each may have won another
    way.
    """
    found = []
    kinds = group(runs, lambda run: f"{run.strategy}/{run.workload}").values()
    workloads = by_workload(runs).values()
    for name in setting_names(runs):
        if any(len({run.setting(name) for run in kind}) > 1 for kind in kinds):
            found.append(name)
        elif name in WAY and any(len({run.setting(name) for run in each} - {None}) > 1 for each in workloads):
            found.append(name)
    return [*found, *input_fields(runs)]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart: the runs of one strategy and variant, by increasing n."""

    strategy: str
    words: str
    runs: list[Run]

    @property
    def label(self) -> str:
        return f"{self.strategy} ({self.words})" if self.words else self.strategy

    @property
    def rank(self) -> tuple[object, ...]:
        """The sort key of the line in a list; n_c = 16 comes before n_c = 128."""
        words = [
            (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", self.words)
        ]
        return (strategy_rank(self.strategy), words)

    @property
    def plainness(self) -> int:
        return self.runs[0].plainness

    @property
    def is_variant(self) -> bool:
        """Whether the label has words, and the map is not plain: words name only what distinguishes the lines."""
        return bool(self.words) and self.plainness > 0


def lines(runs: Sequence[Run], fields: Sequence[str] | None = None, apart: bool = False) -> list[Line]:
    """All lines of a chart, in the listing order of strategies; the plain one has no words and so comes first.

    Input: apart, whether runs of one N that only their keys distinguish become separate lines.
    """
    named = varying_fields(runs) if fields is None else fields
    found: list[Line] = []
    for (strategy, words), members in group(runs, lambda run: (run.strategy, variant(run, named))).items():
        line = Line(strategy, words, sorted(members, key=lambda run: run.n))
        found += _one_run_per_n(line) if apart else [line]
    return sorted(found, key=lambda line: line.rank)


def _one_run_per_n(line: Line) -> list[Line]:
    """Splits runs that only their keys distinguish into lines; in one line they would zigzag."""
    if len({run.n for run in line.runs}) == len(line.runs):
        return [line]
    parts = {id(run): [part for part in run.key.split("/") if part != f"n{run.n}"] for run in line.runs}
    common = set.intersection(*(set(mine) for mine in parts.values()))

    def words(run: Run) -> str:
        said = " ".join(part for part in parts[id(run)] if part not in common)
        return ", ".join(filter(None, (line.words, said)))

    return [Line(line.strategy, said, members) for said, members in group(line.runs, words).items()]


def plain_lines(runs: Sequence[Run]) -> list[Line]:
    """One line per strategy: its plainest variant, and among equally plain ones the longest."""
    return _plainest(lines(runs, apart=True))


def _plainest(every: Sequence[Line]) -> list[Line]:
    by_strategy = group(every, lambda line: line.strategy).values()
    best = [min(mine, key=lambda line: (line.plainness, -len(line.runs))) for mine in by_strategy]
    return sorted(best, key=lambda line: line.rank)


def plain_and_fastest(runs: Sequence[Run]) -> list[Line]:
    """One line per strategy, and a second one if another variant is faster at the largest n."""
    every = lines(runs, apart=True)
    chosen: list[Line] = []
    for plain in _plainest(every):
        chosen.append(plain)
        rivals = [
            line for line in every if line.strategy == plain.strategy and line.runs[-1].n >= plain.runs[-1].n
        ]
        fastest = min(rivals, key=_last_time, default=plain)
        if fastest is not plain and _last_time(fastest) < 0.99 * _last_time(plain):
            chosen.append(fastest)
    return chosen


def _last_time(line: Line) -> float:
    return time_ms(line.runs[-1])


def by_workload(runs: Iterable[Run]) -> dict[str, list[Run]]:
    return group(runs, lambda run: run.workload)


def group(several: Iterable[Each], name: Callable[[Each], Key]) -> dict[Key, list[Each]]:
    """The groups that share a name, by their names."""
    found: dict[Key, list[Each]] = {}
    for one in several:
        found.setdefault(name(one), []).append(one)
    return dict(sorted(found.items()))


def block_list(runs: Iterable[Run]) -> list[str]:
    return [name for _, name in sorted({(run.block, run.block_name) for run in runs})]
