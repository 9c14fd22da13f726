"""Says SAME, FASTER, SLOWER or UNSURE for every key of two results, each of one or of several invocations."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence

import pandas as pd

from . import cli
from .differences import facts_of, sentence
from .documents import read
from .errors import UsageError
from .frame import Results, from_documents
from .groups import add_filters, select, strategy_rank
from .significance import FAMILY_ERROR
from .verdict import LOST, compare, times

PROG = "compare"
VERDICTS = ("SLOWER", "FASTER", "UNSURE", "SAME", "FAILED", "MISSING", "ADDED")
FAILURES = ("slower", "faster", "unsure", "failed", "missing")
CONTROL = "Holm's procedure"
FEW = 3

HELP = """\
Each FILE is one invocation of the sweep; a DIRECTORY stands for the result files in it. Without '--' there
are two files, OLD and NEW.

The time of a key in an invocation is its median. Invocations of one program differ: memory is placed
elsewhere, the machine is warmer. This spread is estimated from repeats alone, the files of OLD around their
mean and those of NEW around theirs, so it stays the same however many keys changed. A few files do not show
a key's own spread well, so it is averaged with that of the typical key (a moderated t-test). A side of one
file shows no spread between invocations: --spread is assumed for it, or that of the other side if it is larger,
and the output says so. Use three or more files per side, measured in turns (OLD, NEW, OLD, ...), so that a
drift of the machine falls on both.
A key that has two modes may show one of them on each side by chance, which three files cannot tell; where
few keys are compared and one is of that kind, use five.

A key is FASTER or SLOWER when
  - the ratio of the mean times is beyond --threshold, the smallest change that matters to you, and
  - its p-value, adjusted for all keys by Holm's procedure, is at most 5 %. This keeps the chance of any
    false verdict in the whole comparison at about 5 %.
It is SAME when the 95 % interval of its ratio (of this key alone) lies within the threshold, and UNSURE
otherwise. A change is UNSURE, too, when only one side was throttled, or when the SM clocks of OLD and NEW
differ by more than the threshold.

DETECTABLE is the change that would be found in 95 % of such comparisons. tribench-report repeats measures on your
machine how often this test is fooled, and how often it finds a slowdown.

--fail-on also exits 1 when a run of OLD failed or is missing in NEW, or when a run of every file of OLD is
missing in a file of NEW, or when no key could be compared, unless --allow-missing is given."""


def percent(ratio: float) -> str:
    """1.0213 as '2.1 %', 3.5 as 'x3.5'."""
    return f"{100 * (ratio - 1):.1f} %" if ratio < 2 else f"x{ratio:.2g}"


def _said(value: float, form: str) -> str:
    return "-" if math.isnan(value) else form.format(value)


def as_text(rows: pd.DataFrame, only_changes: bool) -> str:
    shown = rows[~rows["verdict"].isin(["SAME", "UNSURE"])] if only_changes else rows
    table = [("VERDICT", "OLD ms", "NEW ms", "NEW/OLD", "INTERVAL", "DETECTABLE", "KEY", "")]
    for row in shown.itertuples():
        interval = "-" if math.isnan(row.p) else f"[{row.ratio_low:.3f}, {row.ratio_high:.3f}]"
        least = "-" if math.isnan(row.detectable) else percent(row.detectable)
        times = (_said(row.old_ms, "{:.4g}"), _said(row.new_ms, "{:.4g}"), _said(row.ratio, "{:.3f}"))
        table.append((row.verdict, *times, interval, least, row.key, row.reason and f"({row.reason})"))
    return "".join(f"{line}\n" for line in (cli.columns(table, (0, 6, 7)) if len(shown) else []))


def as_groups(rows: pd.DataFrame, names: pd.Series, field: str) -> str:
    """One line per strategy or workload (--by): the number of keys per verdict, and the range of NEW/OLD.

    Input: names, the group of each key
    """
    present = [verdict for verdict in VERDICTS if (rows["verdict"] == verdict).any()]
    table = [(field.upper(), "KEYS", *present, "LEAST", "MEDIAN", "MOST")]
    each = rows.assign(name=rows["key"].map(names)).groupby("name")
    for name, mine in sorted(each, key=lambda one: strategy_rank(one[0])):
        ratios = mine["ratio"].dropna()
        spread = [f"{value:.3f}" if len(ratios) else "-" for value in (ratios.min(), ratios.median(), ratios.max())]
        counts = mine["verdict"].value_counts()
        table.append((name, f"{len(mine):,}", *(str(counts.get(verdict, 0)) for verdict in present), *spread))
    return "".join(f"{line}\n" for line in cli.columns(table, (0,)))


def summary(rows: pd.DataFrame) -> str:
    counts = rows["verdict"].value_counts()
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if verdict in counts)
    ratios = rows["ratio"].dropna()
    centre = f"; median NEW/OLD {ratios.median():.4f}" if len(ratios) else ""
    return f"{len(rows)} keys: {words or 'nothing to compare'}{centre}"


def notes(rows: pd.DataFrame, old_dates: Sequence[str], new_dates: Sequence[str], spread: float) -> list[str]:
    """Says which error rate this comparison controls, which change it could have found, and what it cannot know."""
    tested = rows[rows["detectable"].notna()].sort_values("detectable", kind="stable")
    if tested.empty:
        return []
    last = tested.iloc[-1]
    found = [
        f"{CONTROL}: family-wise error level of {100 * FAMILY_ERROR:.0f} % over {len(tested)} keys.",
        f"Found in 95 % of the cases: a change of {percent(tested['detectable'].median())} for the typical key, of "
        f"{percent(last['detectable'])} for the noisiest ({last['key']}).",
    ]
    return found + _few_files(tested, spread) + _together(tested, old_dates, new_dates)


def _few_files(rows: pd.DataFrame, spread: float) -> list[str]:
    """Says what is assumed, or cannot be seen, if a side has fewer than three files."""
    fewest = rows[["old_files", "new_files"]].min(axis=None)
    if fewest == 1:
        return [
            "One file on a side does not show how much invocations differ: a standard deviation of "
            f"{100 * spread:.1f} % is assumed for it (--spread), or that of the other side if it is larger. Three "
            "files per side would measure it."
        ]
    if fewest < FEW:
        return [
            "Two files per side do not show that a machine has two modes, so false verdicts may be more frequent than "
            "that. Three files per side keep the level."
        ]
    return []


def _together(rows: pd.DataFrame, old_dates: Sequence[str], new_dates: Sequence[str]) -> list[str]:
    """
    Warns if most keys changed in one direction and the sides were not measured in turns. The dates sort as text: they
    are ISO 8601 in UTC.
    """
    apart = not old_dates or not new_dates or max(old_dates) <= min(new_dates) or max(new_dates) <= min(old_dates)
    for verdict, word in (("SLOWER", "slower"), ("FASTER", "faster")):
        count = (rows["verdict"] == verdict).sum()
        if count > 1 and 2 * count > len(rows) and apart:
            return [f"Most keys became {word}, and OLD and NEW were not measured in turns: it may be the machine."]
    return []


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that define what counts as a change between two results."""
    spread = "standard deviation between invocations that is assumed for a side of one file"
    cli.add_percent(parser, "--threshold", 0.015, "smallest change that counts")
    cli.add_percent(parser, "--spread", 0.015, spread)


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


def _read(words: Sequence[str]) -> list[Results]:
    """The results of each file, because each file is an invocation."""
    return [from_documents([document], unverified=True) for document in read(words, distinct=" on one side")]


def _warnings(old: Sequence[Results], new: Sequence[Results]) -> list[str]:
    found = [words for one in (*old, *new) for words in one.warnings]
    before, after = ({device for one in side for device in one.devices()} for side in (old, new))
    if len(before | after) > 1:
        found.append(f"OLD is from {'; '.join(sorted(before))}, NEW from {'; '.join(sorted(after))}")
    return found


def _uneven(rows: pd.DataFrame, old_count: int, new_count: int) -> list[str]:
    lacking = (rows["old_files"] < old_count) | (rows["new_files"] < new_count)
    short = rows["key"][rows["detectable"].notna() & lacking]
    return [f"{len(short)} keys are not in all files, {short.iloc[0]} first"] if len(short) else []


def _status(rows: pd.DataFrame, old_count: int, new_count: int, options: argparse.Namespace) -> int:
    """The exit status, from all rows. Warns about causes of a failed gate that the table hardly shows."""
    if not options.fail_on:
        return 0
    is_lost = rows["verdict"].isin(LOST)
    lost = rows["key"][is_lost]
    # A key that is missing in a file of OLD, too, as when the files are shards, need not be in every file of NEW.
    every, some = rows["old_files"] == old_count, rows["new_files"].between(1, new_count - 1)
    partly = rows["key"][~is_lost & every & some]
    compared = rows["verdict"].isin(["SLOWER", "FASTER", "SAME", "UNSURE"]).any()
    if len(lost):
        cli.warn(PROG, [f"{len(lost)} keys of OLD have no time in NEW, {lost.iloc[0]} first"])
    if len(partly):
        cli.warn(PROG, [f"{len(partly)} keys of every OLD are missing in a file of NEW, {partly.iloc[0]} first"])
    if not compared:
        cli.warn(PROG, ["no key has a time in both OLD and NEW"])
    if not options.allow_missing and (len(lost) or len(partly) or not compared):
        return 1
    return 1 if rows["verdict"].str.lower().isin(options.fail_on).any() else 0


def _parser() -> cli.Parser:
    parser = cli.Parser(PROG, "Says for every key of two results whether it became faster or slower.", HELP)
    parser.usage = "compare OLD NEW [options]\n       compare OLD... -- NEW... [options]"
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
    parser.add_argument("--format", choices=("text", "json"), default="text")
    cli.add_output(parser)
    add_filters(parser, with_unverified=False)
    return parser


def _as_json(rows: pd.DataFrame, said: Sequence[str], options: argparse.Namespace) -> str:
    around = {"control": CONTROL, "threshold": options.threshold, "spread": options.spread, "notes": said}
    table = rows.astype(object).where(rows.notna(), None).to_dict("records")
    return json.dumps({**around, "rows": table}, indent=1, allow_nan=False) + "\n"


def run(arguments: list[str]) -> int:
    options, old_words, new_words = _sides(_parser(), arguments)
    if options.by and (options.changes or options.format == "json"):
        raise UsageError("--by is a table of all keys: leave out --changes and --format json")
    old, new = _read(old_words), _read(new_words)
    cli.warn(PROG, _warnings(old, new))
    # Whether one file holds a key for several devices, so that the key alone does not identify a run.
    several = any(one.runs["key"].duplicated().any() for one in (*old, *new))
    before, after = (_selected(side, options, several) for side in (old, new))
    rows = compare(before, after, options.threshold, options.spread)
    cli.warn(PROG, _uneven(rows, len(old), len(new)))
    sides = {name: facts_of([d for one in side for d in one.documents]) for name, side in (("OLD", old), ("NEW", new))}
    said = [*notes(rows, _dates(old), _dates(new), options.spread), *sentence(sides, "OLD and NEW"), _origin(old, new)]
    if options.format == "json":
        text = _as_json(rows, said, options)
    elif options.by:
        names = pd.concat([*before, *after])[options.by]
        text = as_groups(rows, names[~names.index.duplicated()], options.by)
    else:
        text = as_text(rows, options.changes)
    if options.format != "json":
        text += "\n".join([summary(rows), *said, ""])
    cli.write_output(options.output, text)
    return _status(rows, len(old), len(new), options)


def _origin(old: Sequence[Results], new: Sequence[Results]) -> str:
    """Names the builds and dates of both sides: a later reader asks for these first."""
    sides = []
    for side in (old, new):
        builds = " and ".join(dict.fromkeys(one.version() for one in side))
        dates = sorted({one.date() for one in side})
        sides.append(f"{builds}, {dates[0] if len(dates) == 1 else f'{dates[0]} to {dates[-1]}'}")
    return f"OLD is {sides[0]}; NEW is {sides[1]}."


def _dates(side: Sequence[Results]) -> list[str]:
    return [str(part["started"]) for one in side for part in one.parts if part.get("started")]


def _selected(side: Sequence[Results], options: argparse.Namespace, by_device: bool) -> list[pd.DataFrame]:
    """Applies the filters to all runs of a side at once: a single shard's file may hold none of the selected runs."""
    runs = pd.concat([one.runs.assign(file=place) for place, one in enumerate(side)], ignore_index=True)
    chosen = select(runs, options)
    return [times(chosen[chosen["file"] == place], by_device) for place in range(len(side))]
