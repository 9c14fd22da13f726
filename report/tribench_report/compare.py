"""Says SAME, FASTER, SLOWER or UNSURE for every key of two results, each of one or of several invocations."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from . import cli
from .differences import facts_of, sentence
from .documents import read
from .errors import UsageError
from .frame import from_documents
from .groups import add_filters, select, strategy_rank
from .verdict import FAMILY_ERROR, LOST, compare, times

PROG = "compare"
VERDICTS = ("SLOWER", "FASTER", "UNSURE", "SAME", "FAILED", "MISSING", "ADDED")
FAILURES = ("slower", "faster", "unsure", "failed", "missing")

HELP = """\
Each FILE is one invocation of the sweep; a DIRECTORY stands for the result files in it. Without '--' there
are two files, OLD and NEW. Use three or more files per side, measured in turns (OLD, NEW, OLD, ...).

The time of a key in an invocation is its median. How much invocations of one program differ is estimated from
repeats alone, the files of OLD around their mean and those of NEW around theirs. A few files do not show a key's
own spread well, so it is averaged with that of the typical key (a moderated t-test). For a side of one file,
--spread is assumed, or the spread of the other side if it is larger, and the output says so.

A key is FASTER or SLOWER when
  - the ratio of the mean times is beyond --threshold, the smallest change that matters to you, and
  - its p-value, adjusted for all keys by Holm's procedure, is at most 5 %.
It is SAME when the 95 % interval of its ratio (of this key alone) lies within the threshold, and UNSURE
otherwise. A change is UNSURE, too, when a run of either side is noted as having a wide interval, two modes or a busy
host, when only one side was throttled, or when the SM clocks of OLD and NEW differ by more than the threshold.
DETECTABLE is the change that would be found in 95 % of such comparisons.

--fail-on also exits 1 when a run of OLD failed or is missing in NEW, or when a run of every file of OLD is
missing in a file of NEW, or when no key could be compared, unless --allow-missing is given."""


def percent(ratio: float) -> str:
    """1.0213 as '2.1 %', 3.5 as 'x3.5'."""
    return f"{100 * (ratio - 1):.1f} %" if ratio < 2 else f"x{ratio:.2g}"


def as_text(rows: pd.DataFrame) -> str:
    said = pd.DataFrame({
        "VERDICT": rows["verdict"],
        "OLD ms": rows["old_ms"].map("{:.4g}".format),
        "NEW ms": rows["new_ms"].map("{:.4g}".format),
        "NEW/OLD": rows["ratio"].map("{:.3f}".format),
        "INTERVAL": [f"[{low:.3f}, {high:.3f}]" for low, high in zip(rows["ratio_low"], rows["ratio_high"])],
        "DETECTABLE": rows["detectable"].map(percent),
        "KEY": rows["key"],
        "": [reason and f"({reason})" for reason in rows["reason"]],
    }).replace(["nan", "[nan, nan]", "xnan"], "-")  # fmt: skip
    return cli.columns([list(said), *said.to_numpy().tolist()], (0, 6, 7)) if len(rows) else ""


def as_groups(rows: pd.DataFrame, names: pd.Series, field: str) -> str:
    """A line per group (--by), whose names are given by key: the number of keys per verdict, the range of NEW/OLD."""
    present = [verdict for verdict in VERDICTS if (rows["verdict"] == verdict).any()]
    table = [[field.upper(), "KEYS", *present, "LEAST", "MEDIAN", "MOST"]]
    each = rows.groupby(rows["key"].map(names))
    for name, mine in sorted(each, key=lambda one: strategy_rank(one[0])):
        counts, ratios = mine["verdict"].value_counts(), mine["ratio"].agg(["min", "median", "max"])
        spread = ratios.map("{:.3f}".format).replace("nan", "-")
        table.append([name, f"{len(mine):,}", *(str(counts.get(verdict, 0)) for verdict in present), *spread])
    return cli.columns(table, (0,))


def summary(rows: pd.DataFrame) -> str:
    counts = rows["verdict"].value_counts()
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if verdict in counts)
    centre = f"; median NEW/OLD {rows['ratio'].median():.4f}" if rows["ratio"].notna().any() else ""
    return f"{len(rows)} keys: {words or 'nothing to compare'}{centre}"


def notes(rows: pd.DataFrame, spread: float) -> list[str]:
    """Says which error rate this comparison controls, which change it could have found, and what it cannot know."""
    tested = rows[rows["detectable"].notna()].sort_values("detectable", kind="stable")
    if tested.empty:
        return []
    last = tested.iloc[-1]
    found = [
        f"Holm's procedure: family-wise error level of {100 * FAMILY_ERROR:.0f} % over {len(tested)} keys.",
        f"Found in 95 % of the cases: a change of {percent(tested['detectable'].median())} for the typical key, of "
        f"{percent(last['detectable'])} for the noisiest ({last['key']}).",
    ]
    if tested[["old_files", "new_files"]].min(axis=None) == 1:
        found.append(
            "One file on a side does not show how much invocations differ: a standard deviation of "
            f"{100 * spread:.1f} % is assumed for it (--spread), or that of the other side if it is larger. Three "
            "files per side would measure it."
        )
    return found


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that define what counts as a change between two results."""
    how: dict[str, Any] = {"type": cli.percent, "default": "1.5", "metavar": "PERCENT"}
    spread = "standard deviation between invocations that is assumed for a side of one file (default: %(default)s)"
    parser.add_argument("--threshold", **how, help="smallest change that counts (default: %(default)s)")
    parser.add_argument("--spread", **how, help=spread)


def _sides(parser: cli.Parser, arguments: list[str]) -> tuple[argparse.Namespace, list[str], list[str]]:
    """Parses OLD... -- NEW..., or exactly two files; options may stand anywhere."""
    if "--" in arguments:
        cut = arguments.index("--")
        options = parser.parse_intermixed_args(arguments[:cut])
        old = options.results
        del options.results  # otherwise argparse warns that it is already set
        new = parser.parse_intermixed_args(arguments[cut + 1 :], options).results
    else:
        options = parser.parse_intermixed_args(arguments)
        if len(options.results) != 2:
            raise UsageError(f"expected OLD NEW, or OLD... -- NEW..., got {len(options.results)} files and no '--'")
        old, new = options.results[:1], options.results[1:]
    return options, old, new


class Side:
    """The results of each file of a side, because each file is an invocation."""

    def __init__(self, name: str, words: Sequence[str]) -> None:
        self.name, self.documents = name, read(words, distinct=True)
        self.results = [from_documents([document], unverified=True) for document in self.documents]
        self.whole = replace(self.results[0], parts=[part for one in self.results for part in one.parts])
        # Whether one file holds a key for several devices, so that the key alone does not identify a run.
        self.has_several = any(one.runs["key"].duplicated().any() for one in self.results)

    def files(self, options: argparse.Namespace, by_device: bool) -> list[pd.DataFrame]:
        """Applies the filters to all runs at once: a single shard's file may hold none of the selected runs."""
        runs = pd.concat([one.runs.assign(file=place) for place, one in enumerate(self.results)], ignore_index=True)
        chosen = select(runs, options)
        return [times(chosen[chosen["file"] == place], by_device) for place in range(len(self.results))]

    def origin(self) -> str:
        """Names the builds and dates: a later reader asks for these first."""
        return f"{self.name} is {self.whole.version()}, {self.whole.date()}"


def _status(rows: pd.DataFrame, old_count: int, new_count: int, options: argparse.Namespace) -> int:
    """The exit status, from all rows. Warns about causes of a failed gate that the table hardly shows."""
    lacking = (rows["old_files"] < old_count) | (rows["new_files"] < new_count)
    is_lost = rows["verdict"].isin(LOST)
    # A key that is missing in a file of OLD, too, as when the files are shards, need not be in every file of NEW.
    partly = ~is_lost & (rows["old_files"] == old_count) & rows["new_files"].between(1, new_count - 1)
    compared = rows["verdict"].isin(["SLOWER", "FASTER", "SAME", "UNSURE"]).any()
    for found, words in (
        (rows["detectable"].notna() & lacking, "key{s} {are} not in all files"),
        (is_lost & bool(options.fail_on), "key{s} of OLD {have} no time in NEW"),
        (partly & bool(options.fail_on), "key{s} of every OLD {are} missing in a file of NEW"),
    ):
        cli.warn(PROG, cli.counted(rows.loc[found, "key"], words))
    if not options.fail_on:
        return 0
    if not compared:
        cli.warn(PROG, ["no key has a time in both OLD and NEW"])
    if not options.allow_missing and (is_lost.any() or partly.any() or not compared):
        return 1
    return 1 if rows["verdict"].str.lower().isin(options.fail_on).any() else 0


def _parser() -> cli.Parser:
    parser = cli.Parser(PROG, "Says for every key of two results whether it became faster or slower.", HELP)
    name = cli.called(PROG)
    parser.usage = f"{name} OLD NEW [options]\n       {name} OLD... -- NEW... [options]"
    cli.add_results(parser)
    add_options(parser)
    parser.add_argument(
        "--fail-on", default=(), metavar="LIST", type=lambda words: cli.known_words("fail-on", words.lower(), FAILURES),
        help=f"exit 1 when there is any of: {', '.join(FAILURES)}",
    )  # fmt: skip
    allow = "runs of OLD that failed or are missing in NEW are no failure unless --fail-on names them"
    parser.add_argument("--allow-missing", action="store_true", help=allow)
    parser.add_argument("--changes", action="store_true", help="leave out rows that are SAME or UNSURE")
    by = "a row for each of them, with the range of NEW/OLD"
    parser.add_argument("--by", choices=("strategy", "workload"), help=by)
    cli.add_output(parser)
    add_filters(parser, with_unverified=False)
    return parser


def run(arguments: list[str]) -> int:
    options, *words = _sides(_parser(), arguments)
    old, new = sides = [Side(name, files) for name, files in zip(("OLD", "NEW"), words)]
    cli.warn(PROG, [f"{side.name}: {words}" for side in sides for one in side.results for words in one.warnings])
    older, newer = (side.whole.devices() for side in sides)
    if len({*older, *newer}) > 1:
        cli.warn(PROG, [f"OLD is from {'; '.join(older)}, NEW from {'; '.join(newer)}"])
    before, after = (side.files(options, old.has_several or new.has_several) for side in sides)
    rows = compare(before, after, options.threshold, options.spread)
    said = notes(rows, options.spread)
    said += sentence({side.name: facts_of(side.documents) for side in sides}, "OLD and NEW")
    said.append("; ".join(side.origin() for side in sides) + ".")
    shown = rows[~rows["verdict"].isin(["SAME", "UNSURE"])] if options.changes else rows
    if options.by:
        names = pd.concat([*before, *after])[options.by]
        text = as_groups(shown, names[~names.index.duplicated()], options.by)
    else:
        text = as_text(shown)
    text += "\n".join([summary(rows), *said, ""])
    cli.write_output(options.output, text)
    return _status(rows, len(old.results), len(new.results), options)
