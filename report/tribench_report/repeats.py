"""
How well repeats of one sweep agree, and how often compare reports a change between them, or finds an artificial one.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import math
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import cli, into, study
from .compare import add_options
from .differences import sentence
from .errors import ReportError, UsageError
from .reading.load import read_invocations
from .select import add_filters, apply_filters
from .table import markdown
from .verdict import Invocation, Row, compare

PROG = "repeats"
JUDGED = ("SAME", "UNSURE", "FASTER", "SLOWER")
FALSE = ("FASTER", "SLOWER")
SLOWED = ("one key", "one strategy", "all keys")
WORST = 5
SEED = 1
HELP = """\
FILEs are repeats of one sweep; a DIRECTORY stands for the result files in it. --side of them are taken as
OLD, as many others as NEW (or --side 1,3: one as OLD, three as NEW), so every FASTER and SLOWER is false. A
false alarm is a comparison after which --fail-on slower would exit 1. Each comparison counts in both
directions, as either side may be OLD.

Then the times of one key, of one strategy and of all keys in NEW are multiplied by 1 + --slow. The slowdown
is found when a key that was slowed is SLOWER. The next comparison takes the next key and strategy.

Every choice of files is tried, or --splits of them, drawn at random from a fixed seed.

And over all pairs of files: how many of the keys that take more than --above microseconds agree within --within.
With --agreement that is all, and two files are enough.

Exit status 1 when the share of false alarms is above --limit."""

Split = tuple[tuple[int, ...], tuple[int, ...]]
Sides = tuple[int, int]  # files of OLD, and of NEW


@dataclass(slots=True)
class Tally:
    """The outcome of all comparisons."""

    comparisons: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    false: list[Row] = field(default_factory=list)
    alarms: int = 0
    found: Counter[str] = field(default_factory=Counter)

    @property
    def tested(self) -> int:
        return sum(self.verdicts[verdict] for verdict in JUDGED)

    @property
    def false_alarms(self) -> float:
        """The share of comparisons in which a gate fails. Each comparison counts twice, as either side may be OLD."""
        return self.alarms / (2 * self.comparisons)

    def found_share(self, what: str) -> float:
        return self.found[what] / self.comparisons

    def sentences(self, slow: float) -> list[str]:
        counts = ", ".join(f"{self.verdicts[verdict]} {verdict}" for verdict in JUDGED)
        found = ", ".join(f"{what} in {100 * self.found_share(what):.1f} %" for what in SLOWED)
        return [
            f"{self.comparisons} comparisons of {self.tested} keys: {counts}",
            f"false alarms in {100 * self.false_alarms:.2f} % of the comparisons",
            f"slower by {100 * slow:g} % and found: {found}",
        ]


def splits(count: int, sides: Sides, at_most: int) -> list[Split]:
    """OLD and NEW of each comparison: every choice once, or a sample with a fixed seed."""
    before, after = sides
    if math.comb(count, before) * math.comb(count - before, after) // (2 if before == after else 1) <= at_most:
        return list(_every_split(count, sides))
    rng = random.Random(SEED)
    chosen = (rng.sample(range(count), before + after) for _ in range(at_most))
    return [(tuple(files[:before]), tuple(files[before:])) for files in chosen]


def _every_split(count: int, sides: Sides) -> Iterator[Split]:
    """Every choice of OLD and NEW; with sides of equal size, each pair counts once."""
    before, after = sides
    for old in itertools.combinations(range(count), before):
        rest = [k for k in range(count) if k not in old]
        yield from ((old, new) for new in itertools.combinations(rest, after) if before != after or old < new)


def slowed(invocation: Invocation, keys: Iterable[str], factor: float) -> Invocation:
    """The same invocation with longer times for some keys."""
    times = dict(invocation.times)
    for key in keys:
        if key in times:
            times[key] = dataclasses.replace(times[key], log_ms=times[key].log_ms + math.log(factor))
    return Invocation(invocation.runs, times)


def groups(repeats: Sequence[Invocation]) -> dict[str, list[list[str]]]:
    """For each kind of slowdown, the lists of keys that are slowed, one list per comparison."""
    runs = {key: run for one in repeats for key, run in one.runs.items() if key in one.times}
    strategies: dict[str, list[str]] = {}
    for key, run in runs.items():
        strategies.setdefault(run.strategy, []).append(key)
    lists = ([[key] for key in runs], list(strategies.values()), [list(runs)])
    return dict(zip(SLOWED, lists))


def count_verdicts(
    repeats: Sequence[Invocation], chosen: Sequence[Split], threshold: float, spread: float, slow: float
) -> Tally:
    """Compares all splits, without and with slowdowns. Errors: no key has a time on both sides of any comparison."""
    total, slow_keys = Tally(), groups(repeats)
    for number, (a, b) in enumerate(chosen):
        old, new = [repeats[k] for k in a], [repeats[k] for k in b]
        rows = compare(old, new, threshold, spread)
        total.comparisons += 1
        total.verdicts.update(row.verdict for row in rows)
        total.false += [row for row in rows if row.verdict in FALSE]
        total.alarms += len({row.verdict for row in rows if row.verdict in FALSE})
        for what, lists in slow_keys.items():
            keys = set(lists[number % len(lists)]) if lists else set()
            longer = [slowed(one, keys, 1.0 + slow) for one in new]
            rows = compare(old, longer, threshold, spread)
            total.found[what] += any(row.verdict == "SLOWER" and row.key in keys for row in rows)
    if total.tested == 0:
        raise ReportError("no key has a time in two of these files: are they repeats of one sweep?")
    return total


@dataclass(slots=True)
class Agreement:
    """
    Counts over all pairs of files, of keys with a long enough time in both; `least` is the share of the worst pair.
    """

    least: float = 1.0
    compared: Counter[str] = field(default_factory=Counter)
    apart: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        keys = self.compared.total()
        return (keys - self.apart.total()) / keys


def agreement(repeats: Sequence[Invocation], within: float, above_ms: float) -> Agreement | None:
    """Counts the keys whose medians differ by a factor of at most 1 + within, among those above above_ms in both files.

    Output: None if no pair of files has such a key.
    """
    total = Agreement()
    for a, b in itertools.combinations(repeats, 2):
        times = {key: (a.times[key].log_ms, b.times[key].log_ms) for key in a.times if key in b.times}
        long = {key: pair for key, pair in times.items() if min(pair) > math.log(above_ms)}
        if not long:
            continue
        apart = [key for key, (x, y) in long.items() if abs(x - y) > math.log1p(within)]
        total.least = min(total.least, 1.0 - len(apart) / len(long))
        total.compared.update(long.keys())
        total.apart.update(apart)
    return total if total.compared else None


def worst(found: Tally) -> list[str]:
    """The keys with the most false verdicts."""
    counts = Counter(row.key for row in found.false).most_common(WORST)
    return [f"  {count} of {found.comparisons}  {key}" for key, count in counts]


def agreement_sentences(agreed: Agreement | None, options: argparse.Namespace) -> list[str]:
    """How many keys agree, and which keys differ in the most pairs of files."""
    which = f"keys above {options.above:g} us within {100 * options.within:g} % of each other"
    if agreed is None:
        return [f"{which}: no two files have such keys"]
    shares = f"{100 * agreed.share:.1f} % over all pairs of files, {100 * agreed.least:.1f} % in the worst pair"
    apart = agreed.apart.most_common(WORST)
    return [f"{which}: {shares}", *(f"  apart in {count} of {agreed.compared[key]}  {key}" for key, count in apart)]


def _agreed_head(options: argparse.Namespace) -> list[str]:
    return [f"within {100 * options.within:g} %", "in the worst pair"]


def _agreed_cells(agreed: Agreement | None) -> list[str]:
    return [f"{100 * share:.1f} %" for share in (agreed.share, agreed.least)] if agreed else ["–", "–"]


def as_markdown(
    found: Tally, agreed: Agreement | None, about: study.Study, options: argparse.Namespace, count: int, keys: int
) -> str:
    """A table of the outcome, and below it what was measured."""
    head = ["repeats", "keys", "files per side", "comparisons", *JUDGED, "false alarms"]
    head += [f"{what} slower" for what in SLOWED]
    numbers = (count, keys, found.comparisons, *(found.verdicts[v] for v in JUDGED))
    shares = [found.false_alarms, *(found.found_share(what) for what in SLOWED)]
    cells = [f"{number:,}" for number in numbers] + [f"{100 * share:.1f} %" for share in shares]
    cells.insert(2, " and ".join(map(str, dict.fromkeys(options.side))))
    head += _agreed_head(options)
    cells += _agreed_cells(agreed)
    text = (
        "Repeats of one sweep compared with each other, so that every FASTER and SLOWER is false; then with one "
        f"key, one strategy and all keys made slower by {100 * options.slow:g} %, and how often that is found. "
        f"Last, of the keys that take more than {options.above:g} µs, how many have medians within "
        f"{100 * options.within:g} % of each other, over all pairs of files:\n\n"
    )
    return text + markdown(head, [cells]) + measured(about)


def agreement_markdown(
    agreed: Agreement | None, about: study.Study, options: argparse.Namespace, count: int
) -> str:
    """A table of how well files agree, and below it what was measured."""
    head = ["invocations", f"keys above {options.above:g} µs", *_agreed_head(options)]
    cells = [f"{count:,}", f"{len(agreed.compared) if agreed else 0:,}", *_agreed_cells(agreed)]
    text = "Keys whose medians are so near each other, over all pairs of invocations:\n\n"
    return text + markdown(head, [cells]) + measured(about)


def measured(about: study.Study) -> str:
    """The conditions that all files share. Shows one command: the others differ in their output file."""
    text = f"\nMeasured {about.date()} on {'; '.join(about.devices())} with {about.version()}.\n"
    return text + "".join(f"\n    {line}\n" for line in about.command_lines()[:1])


def _count(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"expected a whole number in 1..1000000, got '{word}'")
    return int(word)


def _sides(word: str) -> Sides:
    """Parses '3' files on each side, or '1,3'."""
    before, _, after = word.partition(",")
    return _count(before), _count(after if "," in word else before)


def _parser() -> cli.Parser:
    parser = cli.Parser(PROG, "Tells how often compare is wrong about repeats of one sweep, and how often right.", HELP)
    cli.add_results(parser)
    parser.add_argument(
        "--side",
        type=_sides,
        metavar="N[,N]",
        help="files per side, or of OLD and of NEW (default: 3, fewer where there are not six)",
    )
    parser.add_argument(
        "--splits", type=_count, default=200, metavar="N", help="at most so many comparisons (default: 200)"
    )
    cli.add_percent(parser, "--slow", 0.03, "slowdown to be found")
    cli.add_percent(parser, "--within", 0.01, "difference that is none")
    parser.add_argument(
        "--above", type=cli.number("microseconds above 0, at most 1e9", sys.float_info.min, 1e9), default=20.0,
        metavar="US", help="of keys that take longer (default: 20)",
    )  # fmt: skip
    parser.add_argument("--agreement", action="store_true", help="say that alone, and compare nothing")
    add_options(parser)
    cli.add_percent(parser, "--limit", 0.05, "largest share of false alarms that is no failure")
    into.add_options(parser)
    add_filters(parser)
    return parser


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    into.check_options(options)
    sources = read_invocations(options.results)
    options.side = options.side or (max(1, min(3, len(sources) // 2)),) * 2
    least = 2 if options.agreement else sum(options.side)
    if len(sources) < least:
        raise UsageError(f"expected {least} repeats or more, got {len(sources)}")

    files = [source.name for source in sources]
    studies = [study.from_sources([source], options.unverified) for source in sources]
    whole = study.from_sources(sources, options.unverified)
    for one in studies:
        cli.warn(PROG, one.warnings)
    differ = sentence({"": whole.facts}, "the files")
    cli.warn(PROG, [f"{words}; what comes of that counts as noise" for words in differ])
    repeats = [Invocation.of(apply_filters(one.usable, options)) for one in studies]
    keys = {key for one in repeats for key in one.times}
    short = [file for file, one in zip(files, repeats) if len(one.times) < len(keys)]
    if short:
        cli.warn(PROG, [f"{len(short)} of {len(files)} files lack keys of the others, {short[0]} first"])
    agreed = agreement(repeats, options.within, options.above / 1000.0)
    sentences = agreement_sentences(agreed, options)
    if options.agreement:
        print("\n".join(sentences))
        _into(options, agreement_markdown(agreed, whole, options, len(files)))
        return 0
    chosen = splits(len(repeats), options.side, options.splits)
    found = count_verdicts(repeats, chosen, options.threshold, options.spread, options.slow)
    print("\n".join([*found.sentences(options.slow), *worst(found), *sentences]))
    _into(options, as_markdown(found, agreed, whole, options, len(files), len(keys)))
    return 1 if found.false_alarms > options.limit else 0


def _into(options: argparse.Namespace, text: str) -> None:
    if options.into:
        into.insert(Path(options.into), options.marker, text)
