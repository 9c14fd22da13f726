"""
How well repeats of one sweep agree, and how often compare reports a change between them, or finds an artificial one.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from . import cli
from .compare import add_options
from .differences import facts_of, sentence
from .documents import read
from .errors import ReportError, UsageError
from .frame import Results, from_documents
from .groups import add_filters, select
from .significance import Side
from .table import add_into, check_into, insert, markdown, measured
from .verdict import judge, times

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
    false: Counter[str] = field(default_factory=Counter)  # false verdicts by key
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
            *(f"  {count} of {self.comparisons}  {key}" for key, count in self.false.most_common(WORST)),
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


def count_verdicts(
    repeats: Sequence[pd.DataFrame], chosen: Sequence[Split], threshold: float, spread: float, slow: float
) -> Tally:
    """Compares all splits, without and with slowdowns. Errors: no key has a time on both sides of any comparison."""
    keys = pd.Index(
        list(dict.fromkeys(key for one in repeats for key in one.index[one["log_ms"].notna()])), dtype=object
    )
    strategies = pd.concat(list(repeats))["strategy"].groupby(level=0).first().reindex(keys).to_numpy()
    every = np.full(len(keys), True)
    # For each kind of slowdown, which keys are slowed: one mask per comparison.
    masks = dict(zip(SLOWED, (
        [keys == key for key in keys], [strategies == name for name in dict.fromkeys(strategies)], [every]
    )))  # fmt: skip
    total, whole = Tally(), Side.of(repeats, keys)
    for number, (a, b) in enumerate(chosen):
        old, new = whole.take(a), whole.take(b)
        verdicts = judge(old, new, threshold, spread)["verdict"]
        wrong = verdicts.isin(FALSE)
        total.comparisons += 1
        total.verdicts.update(verdicts)
        total.false.update(keys[wrong])
        total.alarms += verdicts[wrong].nunique()
        for what, slowed in masks.items() if len(keys) else ():
            slower = slowed[number % len(slowed)]
            verdicts = judge(old, new.slowed(slower, 1.0 + slow), threshold, spread)["verdict"]
            total.found[what] += bool((slower & (verdicts == "SLOWER")).any())
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


def agreement(repeats: Sequence[pd.DataFrame], within: float, above_ms: float) -> Agreement | None:
    """Counts the keys whose medians differ by a factor of at most 1 + within, among those above above_ms in both files.

    Output: None if no pair of files has such a key.
    """
    total = Agreement()
    for a, b in itertools.combinations((one["log_ms"] for one in repeats), 2):
        pair = pd.concat([a, b], axis=1, join="inner").set_axis(["a", "b"], axis=1)
        long = pair[pair.min(axis=1, skipna=False) > math.log(above_ms)]
        if long.empty:
            continue
        apart = long.index[(long["a"] - long["b"]).abs() > math.log1p(within)]
        total.least = min(total.least, 1.0 - len(apart) / len(long))
        total.compared.update(long.index)
        total.apart.update(apart)
    return total if total.compared else None


def agreement_sentences(agreed: Agreement | None, options: argparse.Namespace) -> list[str]:
    """How many keys agree, and which keys differ in the most pairs of files."""
    which = f"keys above {options.above:g} us within {100 * options.within:g} % of each other"
    if agreed is None:
        return [f"{which}: no two files have such keys"]
    shares = f"{100 * agreed.share:.1f} % over all pairs of files, {100 * agreed.least:.1f} % in the worst pair"
    apart = agreed.apart.most_common(WORST)
    return [f"{which}: {shares}", *(f"  apart in {count} of {agreed.compared[key]}  {key}" for key, count in apart)]


def as_markdown(
    found: Tally | None, agreed: Agreement | None, about: Results, options: argparse.Namespace, files: int, keys: int
) -> str:
    """A table of the outcome, and below it what was measured. Input: found, None with --agreement"""
    within, above = f"{100 * options.within:g} %", f"{options.above:g} µs"
    shares = [f"{100 * share:.1f} %" for share in (agreed.share, agreed.least)] if agreed else ["–", "–"]
    if found is None:
        text = "Keys whose medians are so near each other, over all pairs of invocations:"
        cells = {"invocations": f"{files:,}", f"keys above {above}": f"{len(agreed.compared) if agreed else 0:,}"}
    else:
        text = (
            "Repeats of one sweep compared with each other, so that every FASTER and SLOWER is false; then with one "
            f"key, one strategy and all keys made slower by {100 * options.slow:g} %, and how often that is found. "
            f"Last, of the keys that take more than {above}, how many have medians within {within} of each other, "
            "over all pairs of files:"
        )
        sides = " and ".join(map(str, dict.fromkeys(options.side)))
        cells = {"repeats": f"{files:,}", "keys": f"{keys:,}", "files per side": sides}
        cells |= {"comparisons": f"{found.comparisons:,}", **{v: f"{found.verdicts[v]:,}" for v in JUDGED}}
        cells |= {"false alarms": f"{100 * found.false_alarms:.1f} %"}
        cells |= {f"{what} slower": f"{100 * found.found_share(what):.1f} %" for what in SLOWED}
    cells |= {f"within {within}": shares[0], "in the worst pair": shares[1]}
    # Shows one command: the others differ in their output file.
    command = "".join(f"\n    {line}\n" for line in about.commands()[:1])
    return f"{text}\n\n" + markdown(list(cells), [list(cells.values())]) + measured(about, None) + command


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
        "--splits", type=_count, default=200, metavar="N", help="largest number of comparisons (default: 200)"
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
    add_into(parser)
    add_filters(parser)
    return parser


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    check_into(options)
    documents = read(options.results, distinct=" ")
    options.side = options.side or (max(1, min(3, len(documents) // 2)),) * 2
    least = 2 if options.agreement else sum(options.side)
    if len(documents) < least:
        raise UsageError(f"expected {least} repeats or more, got {len(documents)}")

    files = [document.name for document in documents]
    each = [from_documents([document], options.unverified) for document in documents]
    whole = from_documents(documents, options.unverified)
    cli.warn(PROG, [words for one in each for words in one.warnings])
    differ = sentence({"": facts_of(documents)}, "the files")
    cli.warn(PROG, [f"{words}; what comes of that counts as noise" for words in differ])
    repeats = [times(select(one.usable, options)) for one in each]
    keys = {key for one in repeats for key in one.index}
    short = [file for file, one in zip(files, repeats) if len(one) < len(keys)]
    if short:
        cli.warn(PROG, [f"{len(short)} of {len(files)} files lack keys of the others, {short[0]} first"])
    agreed = agreement(repeats, options.within, options.above / 1000.0)
    sentences = agreement_sentences(agreed, options)
    found = None
    if not options.agreement:
        chosen = splits(len(repeats), options.side, options.splits)
        found = count_verdicts(repeats, chosen, options.threshold, options.spread, options.slow)
        sentences = [*found.sentences(options.slow), *sentences]
    print("\n".join(sentences))
    if options.into:
        insert(Path(options.into), options.marker, as_markdown(found, agreed, whole, options, len(files), len(keys)))
    return 1 if found and found.false_alarms > options.limit else 0
