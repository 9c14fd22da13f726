"""SAME, FASTER, SLOWER or UNSURE for every key of two results, each of one invocation or of several."""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from . import cli, study
from .errors import UsageError
from .load import read_all
from .model import Run
from .select import add_filters, apply_filters
from .stats import block_medians, median

if TYPE_CHECKING:
    from .significance import Side

PROG = "compare"
VERDICTS = ("SLOWER", "FASTER", "UNSURE", "SAME", "FAILED", "MISSING", "ADDED")
LOST = ("FAILED", "MISSING")
CONTROL = "Holm's procedure, weighted"
# Half of a 95 % interval, and half of the span of five block medians, in standard errors of a normal median.
HALF_INTERVAL, HALF_SPAN = 1.96, 2.6
# Milliseconds, from a femtosecond to decades: what lies beyond is no time.
SHORTEST_MS, LONGEST_MS = 1e-12, 1e12
FEW = 3

HELP = """\
Each FILE is one invocation of the sweep; a DIRECTORY stands for the result files in it. Without '--' there
are two files, OLD and NEW.

The time of a key in an invocation is its median. Invocations of one program differ: memory is placed
elsewhere, the machine is warmer. This spread is estimated from repeats alone, the files of OLD around their
mean and those of NEW around theirs, so it stays the same however many keys changed. A few files do not show
a key's own spread well, so it is averaged with that of the typical key (a moderated t-test). A side of one
file shows no spread between invocations: --spread is assumed for it, and the output says so. Use three or
more files per side, measured in turns (OLD, NEW, OLD, ...), so that a drift of the machine falls on both.

A key is FASTER or SLOWER when
  - the ratio of the mean times is beyond --threshold, the smallest change that matters to you, and
  - its p-value, adjusted for all keys by Holm's procedure, is at most 5 %. This keeps the chance of any
    false verdict in the whole comparison at about 5 %. These 5 % are divided among the keys so that most
    changes of twice the threshold are found: a quiet key needs a smaller part than a noisy one.
It is SAME when the 95 % interval of its ratio (of this key alone) lies within the threshold, and UNSURE
otherwise. A change is UNSURE, too, when only one side was throttled, or when the SM clocks of OLD and NEW
differ by more than the threshold.

DETECTABLE is the change that would be found in 95 % of such comparisons. report/repeats measures on your
machine how often this test is fooled, and how often it finds a slowdown.

--fail-on also exits 1 when a run of OLD failed or is missing in NEW, or when no key could be compared,
unless --allow-missing is given."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is said of a key. p is adjusted for all keys; detectable is the ratio found in 95 % of the cases."""

    key: str
    verdict: str
    reason: str
    old_ms: float | None
    new_ms: float | None
    old_files: int
    new_files: int
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    p: float | None = None
    detectable: float | None = None


@dataclass(frozen=True, slots=True)
class Time:
    """The logarithm of a median time, and its standard error as its own samples show it; None from one sample."""

    log_ms: float
    noise: float | None


def _is_sensible(run: Run) -> bool:
    values = [run.time.value, run.time.low, run.time.high, *run.samples] if run.time else []
    return bool(values) and all(SHORTEST_MS <= value <= LONGEST_MS for value in values)


def time_of(run: Run) -> Time | None:
    """None when the run has no time to be compared.

    Slow drift within a run moves the medians of its blocks apart, which its interval does not show.
    """
    if not run.is_usable or not _is_sensible(run):
        return None
    assert run.time is not None
    blocks = block_medians(run.samples)
    noise = [math.log(max(blocks) / min(blocks)) / 2.0 / HALF_SPAN] if blocks else []
    if run.time.high > run.time.low:
        noise.append(math.log(run.time.high / run.time.low) / 2.0 / HALF_INTERVAL)
    return Time(math.log(run.time.value), max(noise, default=None))


@dataclass(frozen=True, slots=True)
class Invocation:
    """What one file says of every key."""

    runs: dict[str, Run]
    times: dict[str, Time]

    @classmethod
    def of(cls, runs: Iterable[Run]) -> Invocation:
        by_key = {run.key: run for run in runs}
        times = {key: time_of(run) for key, run in by_key.items()}
        return cls(by_key, {key: time for key, time in times.items() if time is not None})

    def failure(self, key: str) -> str | None:
        """Why the key has no time here; None when it has one, or no run at all."""
        run = self.runs.get(key)
        if run is None or key in self.times:
            return None
        if run.verified == "fail":
            return "verification failed"
        return run.reason or ("its time is not a sensible number" if run.status == "ok" else run.status)


@dataclass(frozen=True, slots=True)
class Pair:
    """The times of one key on both sides."""

    key: str
    old: list[Time]
    new: list[Time]

    @property
    def is_testable(self) -> bool:
        """A single sample has no spread, but several invocations of one show it."""
        return all(len(times) > 1 or times[0].noise is not None for times in (self.old, self.new))

    def row(self, verdict: str, reason: str, *numbers: float) -> Row:
        """Input: numbers are those that Row has after the ratio, where there are any."""
        before, after = _mean_ms(self.old), _mean_ms(self.new)
        ratio = after / before if before and after else None
        return Row(self.key, verdict, reason, before, after, len(self.old), len(self.new), ratio, *numbers)


def _mean_ms(times: Sequence[Time]) -> float | None:
    """The geometric mean, as the test is made on logarithms."""
    return math.exp(math.fsum(time.log_ms for time in times) / len(times)) if times else None


def _side(keys: Sequence[Sequence[Time]]) -> Side:
    """Input: the times of each key, as many as there are."""
    import numpy as np

    from .significance import Side

    padding = [Time(math.nan, math.nan)] * max(map(len, keys))
    whole = [[*times, *padding[len(times) :]] for times in keys]
    log_ms = [[time.log_ms for time in times] for times in whole]
    noise = [[time.noise or 0.0 for time in times] for times in whole]
    return Side(np.array(log_ms).T, np.array(noise).T)


def compare(
    old: Sequence[Invocation], new: Sequence[Invocation], threshold: float, spread: float
) -> list[Row]:
    """One row per key, in the order of OLD, then what only NEW has."""
    keys = dict.fromkeys(key for one in (*old, *new) for key in one.times)
    rows: dict[str, Row] = {}
    tested: list[Pair] = []
    for key in keys:
        before, after = ([one.times[key] for one in side if key in one.times] for side in (old, new))
        pair = Pair(key, before, after)
        row = _untested(pair, new)
        if row is None:
            tested.append(pair)
        else:
            rows[key] = row
    for row in _tested(tested, threshold, spread):
        clock = _clock_reason(old, new, row.key, threshold) if row.verdict in ("SLOWER", "FASTER") else None
        rows[row.key] = replace(row, verdict="UNSURE", reason=clock) if clock else row
    return [rows[key] for key in keys]


def _untested(pair: Pair, new: Sequence[Invocation]) -> Row | None:
    """The row of a key that lacks a side, or its spread; None for all others."""
    if not pair.old:
        return pair.row("ADDED", "only in NEW")
    # What fails now and then is broken, too.
    failures = [reason for one in new if (reason := one.failure(pair.key)) is not None]
    if failures:
        return pair.row("FAILED", failures[0] + (f" ({len(failures)} of {len(new)} files)" if len(new) > 1 else ""))
    if not pair.new:
        return pair.row("MISSING", "only in OLD")
    return None if pair.is_testable else pair.row("UNSURE", "one sample shows no spread")


def _tested(pairs: Sequence[Pair], threshold: float, spread: float) -> list[Row]:
    if not pairs:
        return []
    from .significance import evidence

    smallest = math.log1p(threshold)
    old, new = _side([pair.old for pair in pairs]), _side([pair.new for pair in pairs])
    found = evidence(old, new, smallest, math.log1p(spread))
    columns = (found.change, found.low, found.high, found.p, found.detectable)
    rows = []
    for pair, change, low, high, p, detectable in zip(pairs, *(column.tolist() for column in columns)):
        verdict, reason = _verdict(change, low, high, p, smallest)
        rows.append(pair.row(verdict, reason, _ratio(low), _ratio(high), p, _ratio(detectable)))
    return rows


def _ratio(logarithm: float) -> float:
    """Few repeats give intervals without bounds; what is beyond any sense stays a finite number."""
    return math.exp(max(-300.0, min(300.0, logarithm)))


def _verdict(change: float, low: float, high: float, p: float, smallest: float) -> tuple[str, str]:
    from .significance import FAMILY_ERROR

    if -smallest <= low and high <= smallest:
        return "SAME", ""
    if abs(change) <= smallest:
        return "UNSURE", "the interval reaches beyond the threshold"
    if p > FAMILY_ERROR:
        return "UNSURE", f"may be chance: p = {p:.2g}"
    return ("SLOWER" if change > 0 else "FASTER"), ""


def _clock_reason(
    old: Sequence[Invocation], new: Sequence[Invocation], key: str, threshold: float
) -> str | None:
    """Why a change may come from the clocks. Throttling on both sides is the same for both."""
    sides = [[one.runs[key] for one in side if key in one.times] for side in (old, new)]
    throttled = [any(run.throttled for run in runs) for runs in sides]
    if throttled[0] != throttled[1]:
        return "OLD was throttled" if throttled[0] else "NEW was throttled"
    clocks = [[run.sm_mhz for run in runs if run.sm_mhz] for runs in sides]
    before, after = (median(known) if known else None for known in clocks)
    if before and after and abs(before - after) > threshold * before:
        return f"SM clock {before:.0f} and {after:.0f} MHz"
    return None


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def percent(ratio: float) -> str:
    """1.0213 as '2.1 %', 3.5 as 'x3.5'."""
    return f"{100 * (ratio - 1):.1f} %" if ratio < 2 else f"x{ratio:.2g}"


def as_text(rows: Sequence[Row], only_changes: bool) -> str:
    shown = [row for row in rows if not only_changes or row.verdict not in ("SAME", "UNSURE")]
    table = [("VERDICT", "OLD ms", "NEW ms", "NEW/OLD", "INTERVAL", "DETECTABLE", "KEY", "")]
    for row in shown:
        interval = "-" if row.ratio_low is None else f"[{row.ratio_low:.3f}, {row.ratio_high:.3f}]"
        value = "-" if row.ratio is None else f"{row.ratio:.3f}"
        least = "-" if row.detectable is None else percent(row.detectable)
        times = (_ms(row.old_ms), _ms(row.new_ms))
        table.append((row.verdict, *times, value, interval, least, row.key, row.reason))
    widths = [max(len(cells[k]) for cells in table) for k in range(7)]
    lines = []
    for cells in table:
        left = [cells[0].ljust(widths[0])] + [cells[k].rjust(widths[k]) for k in range(1, 6)]
        reason = f"  ({cells[7]})" if cells[7] else ""
        lines.append("  ".join([*left, cells[6].ljust(widths[6]) if reason else cells[6]]) + reason)
    return "".join(f"{line}\n" for line in (lines if shown else []))


def summary(rows: Sequence[Row]) -> str:
    counts = Counter(row.verdict for row in rows)
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    ratios = [row.ratio for row in rows if row.ratio]
    centre = f"; median NEW/OLD {median(ratios):.4f}" if ratios else ""
    return f"{len(rows)} keys: {words or 'nothing to compare'}{centre}"


def notes(rows: Sequence[Row], old_dates: Sequence[str], new_dates: Sequence[str], spread: float) -> list[str]:
    """What this comparison controls, what it could have found, and what it cannot know."""
    tested = sorted((row for row in rows if row.detectable is not None), key=lambda row: row.detectable or 0.0)
    if not tested:
        return []
    from .significance import FAMILY_ERROR

    found = [
        f"{CONTROL}: family-wise error level of {100 * FAMILY_ERROR:.0f} % over {len(tested)} keys.",
        f"Found in 95 % of the cases: a change of {percent(median([row.detectable or 0.0 for row in tested]))} for the "
        f"typical key, of {percent(tested[-1].detectable or 0.0)} for the noisiest ({tested[-1].key}).",
    ]  # fmt: skip
    fewest = min(min(row.old_files, row.new_files) for row in tested)
    if fewest == 1:
        found.append(
            "One file on a side does not show how much invocations differ: a standard deviation of "
            f"{100 * spread:.1f} % is assumed for it (--spread). Three files per side would measure it."
        )
    elif fewest < FEW:
        found.append(
            "Two files on a side: a machine with two modes looks like a change now and then. Three tell more."
        )
    return found + _together(tested, old_dates, new_dates)


def _together(rows: Sequence[Row], old_dates: Sequence[str], new_dates: Sequence[str]) -> list[str]:
    """ISO 8601 in UTC sorts as text."""
    for verdict, word in (("SLOWER", "slower"), ("FASTER", "faster")):
        count = sum(row.verdict == verdict for row in rows)
        apart = not old_dates or not new_dates or max(old_dates) <= min(new_dates)
        apart = apart or max(new_dates) <= min(old_dates)
        if count > 1 and 2 * count > len(rows) and apart:
            return [
                f"Most keys became {word}, and OLD and NEW were not measured in turns: it may be the machine."
            ]
    return []


def add_options(parser: argparse.ArgumentParser) -> None:
    """What counts as a change between two results."""
    parser.add_argument(
        "--threshold",
        type=cli.percent,
        default=0.015,
        metavar="PERCENT",
        help="smallest change that counts (default: 1.5)",
    )
    parser.add_argument(
        "--spread",
        type=cli.percent,
        default=0.015,
        metavar="PERCENT",
        help="assumed standard deviation between invocations where a side has one file (default: 1.5)",
    )


def _sides(parser: cli.Parser, arguments: list[str]) -> tuple[argparse.Namespace, list[str], list[str]]:
    """OLD... -- NEW..., or just two files; options may stand anywhere."""
    if "--" in arguments:
        cut = arguments.index("--")
        options = parser.parse_intermixed_args(arguments[:cut])
        old = options.results
        del options.results  # or argparse warns that it is set
        new = parser.parse_intermixed_args(arguments[cut + 1 :], options).results
    else:
        options = parser.parse_intermixed_args(arguments)
        if len(options.results) != 2:
            raise UsageError(f"expected OLD NEW, or OLD... -- NEW..., got {len(options.results)} files and no '--'")
        old, new = options.results[:1], options.results[1:]
    for side in (old, new):
        twice = [word for word, count in Counter(map(str, map(Path, side))).items() if count > 1]
        if twice:
            raise UsageError(f"{twice[0]} is named twice on one side: one invocation is no repeat")
    return options, old, new


def _read(words: Sequence[str]) -> list[study.Study]:
    """One study per file, as each is an invocation."""
    return [study.from_sources([source]) for source in read_all(words)]


def _warnings(old: Sequence[study.Study], new: Sequence[study.Study]) -> list[str]:
    found = [sentence for one in (*old, *new) for sentence in one.warnings]
    before, after = ({device for one in side for device in one.devices()} for side in (old, new))
    if before != after:
        found.append(f"OLD is from {'; '.join(sorted(before))}, NEW from {'; '.join(sorted(after))}")
    return found


def _uneven(rows: Sequence[Row], old_count: int, new_count: int) -> list[str]:
    short = [
        row for row in rows
        if row.detectable is not None and (row.old_files < old_count or row.new_files < new_count)
    ]  # fmt: skip
    return [f"{len(short)} keys are not in all files, {short[0].key} first"] if short else []


def _status(rows: Sequence[Row], fail_on: Sequence[str], allow_missing: bool) -> int:
    """Of all rows, and says on standard error what made a gate fail that the table hardly shows."""
    if not fail_on:
        return 0
    lost = [row for row in rows if row.verdict in LOST]
    compared = any(row.verdict in ("SLOWER", "FASTER", "SAME", "UNSURE") for row in rows)
    if lost:
        cli.warn(PROG, [f"{len(lost)} keys of OLD have no time in NEW, {lost[0].key} first"])
    if not compared:
        cli.warn(PROG, ["no key has a time in both OLD and NEW"])
    if not allow_missing and (lost or not compared):
        return 1
    return 1 if any(row.verdict in fail_on for row in rows) else 0


def _fail_on(words: str) -> list[str]:
    found = [word.strip().upper() for word in words.split(",") if word.strip()]
    for word in found:
        if word not in ("SLOWER", "FASTER", "UNSURE", *LOST):
            raise UsageError(f"--fail-on knows slower, faster, unsure, failed and missing, got '{word.lower()}'")
    return found


def _parser() -> cli.Parser:
    parser = cli.Parser(PROG, "Says for every key of two results whether it became faster or slower.", HELP)
    parser.usage = "compare OLD NEW [options]\n       compare OLD... -- NEW... [options]"
    parser.add_argument("results", nargs="+", metavar="FILE|DIRECTORY")
    add_options(parser)
    parser.add_argument(
        "--fail-on",
        default="",
        metavar="LIST",
        help="exit 1 when there is any of: slower, faster, unsure, failed, missing",
    )
    parser.add_argument(
        "--allow-missing",
        action="store_true",
        help="runs of OLD that failed or are missing in NEW are no failure unless --fail-on names them",
    )
    parser.add_argument("--changes", action="store_true", help="leave out rows that are SAME or UNSURE")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="where to write (default: standard output)"
    )
    add_filters(parser)
    return parser


def _as_json(rows: Sequence[Row], said: Sequence[str], options: argparse.Namespace) -> str:
    around = {"control": CONTROL, "threshold": options.threshold, "spread": options.spread, "notes": said}
    return json.dumps({**around, "rows": [asdict(row) for row in rows]}, indent=1, allow_nan=False) + "\n"


def run(arguments: list[str]) -> int:
    options, old_words, new_words = _sides(_parser(), arguments)
    fail_on = _fail_on(options.fail_on)
    old, new = _read(old_words), _read(new_words)
    cli.warn(PROG, _warnings(old, new))
    rows = compare(_selected(old, options), _selected(new, options), options.threshold, options.spread)
    cli.warn(PROG, _uneven(rows, len(old), len(new)))
    said = notes(rows, _dates(old), _dates(new), options.spread)
    if options.format == "json":
        text = _as_json(rows, said, options)
    else:
        text = as_text(rows, options.changes) + "\n".join([summary(rows), *said, ""])
    cli.write_output(options.output, text)
    return _status(rows, fail_on, options.allow_missing)


def _dates(side: Sequence[study.Study]) -> list[str]:
    return [date for one in side for date in one.dates]


def _selected(side: Sequence[study.Study], options: argparse.Namespace) -> list[Invocation]:
    """The filters choose among all runs of a side: one file of a shard may hold nothing that is asked for."""
    chosen = {id(run) for run in apply_filters([run for one in side for run in one.runs], options)}
    return [Invocation.of(run for run in one.runs if id(run) in chosen) for one in side]
