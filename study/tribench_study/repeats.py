"""
How well repeats of one sweep agree, and how often compare reports a change between them, or finds an artificial one.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from tribench_report import cli
from tribench_report.differences import facts_of, sentence
from tribench_report.documents import read
from tribench_report.errors import ReportError, UsageError
from tribench_report.frame import from_documents
from tribench_report.verdict import judge, side_of, times

PROG = "repeats"
JUDGED = ("SAME", "UNSURE", "FASTER", "SLOWER")
FALSE = ("FASTER", "SLOWER")
SLOWED = ("one key", "one strategy", "all keys")
# As compare has them; the slowdown to be found; and the difference that is none, of keys that take longer than so long.
THRESHOLD = SPREAD = 0.015
SLOW, WITHIN, ABOVE_MS = 0.03, 0.01, 0.020
MOST_FALSE_ALARMS = 0.05
WORST = 5
SEED = 1
HELP = """\
FILEs are repeats of one sweep; a DIRECTORY stands for the result files in it. Three of them are taken as OLD,
three others as NEW (fewer where there are not six), so every FASTER and SLOWER is false. A false alarm is a
comparison after which --fail-on slower would exit 1. Each comparison counts in both directions, as either side
may be OLD.

Then the times of one key, of one strategy and of all keys in NEW are multiplied by 1.03. The slowdown is found
when a key that was slowed is SLOWER. The next comparison takes the next key and strategy.

Every choice of files is tried, or --splits of them, drawn at random from a fixed seed.

And over all pairs of files: how many of the keys that take more than 20 microseconds agree within 1 %.
With --agreement that is all, and two files are enough.

Exit status 1 when more than 5 % are false alarms."""

Split = tuple[tuple[int, ...], tuple[int, ...]]


def splits(count: int, side: int, at_most: int) -> list[Split]:
    """OLD and NEW of each comparison: every pair of sides once, or a sample with a fixed seed."""
    every = (
        (old, new)
        for old in itertools.combinations(range(count), side)
        for new in itertools.combinations(sorted({*range(count)} - {*old}), side)
        if old < new
    )
    some = list(itertools.islice(every, at_most + 1))
    if len(some) <= at_most:
        return some
    rng = random.Random(SEED)
    chosen = (rng.sample(range(count), 2 * side) for _ in range(at_most))
    return [(tuple(files[:side]), tuple(files[side:])) for files in chosen]


@dataclass(slots=True)
class Tally:
    """The outcome of all comparisons."""

    comparisons: int
    verdicts: dict[str, int]  # of JUDGED, over all keys
    false_alarms: float  # the share of gates that fail; each comparison counts twice, as either side may be OLD
    found: dict[str, float]  # by what was slowed: the share of comparisons in which that is found
    false: list[str]  # the keys with the most false verdicts, in words


def count_verdicts(repeats: Sequence[pd.DataFrame], chosen: Sequence[Split]) -> Tally:
    """Compares all splits, without and with slowdowns. Errors: no key has a time on both sides of any comparison."""
    every = pd.concat(repeats)
    every = every[every["log_ms"].notna()]
    of = every["strategy"][~every.index.duplicated()]
    keys, strategies = of.index, of.unique()
    verdicts, false = Counter[str](), Counter[str]()
    alarms, found = 0, dict.fromkeys(SLOWED, 0)
    for number, sides in enumerate(chosen if len(keys) else ()):
        old, new = (side_of([repeats[file] for file in side]) for side in sides)
        judged = judge(old, new, THRESHOLD, SPREAD)["verdict"]
        wrong = judged[judged.isin(FALSE)]
        verdicts.update(judged)
        false.update(wrong.index)
        alarms += wrong.nunique()
        slowed = keys[[number % len(keys)]], keys[of == strategies[number % len(strategies)]], keys
        for what, mine in zip(SLOWED, slowed):
            slower = new.assign(log_ms=new["log_ms"] + np.where(new.index.isin(mine), math.log1p(SLOW), 0.0))
            judged = judge(old, slower, THRESHOLD, SPREAD)["verdict"]
            found[what] += "SLOWER" in set(judged[judged.index.isin(mine)])
    if not sum(verdicts[verdict] for verdict in JUDGED):
        raise ReportError("no key has a time in two of these files: are they repeats of one sweep?")
    count = len(chosen)
    return Tally(
        count, {verdict: verdicts[verdict] for verdict in JUDGED}, alarms / (2 * count),
        {what: found[what] / count for what in SLOWED},
        [f"  false in {many} of {count}  {key}" for key, many in false.most_common(WORST)],
    )  # fmt: skip


@dataclass(slots=True)
class Agreement:
    """
    Over all pairs of files, of keys with a long enough time in both: the share that agrees, and that of the worst pair.
    """

    share: float
    least: float
    keys: int
    apart: list[str]  # the keys that differ in the most pairs, in words


def agreement(repeats: Sequence[pd.DataFrame]) -> Agreement | None:
    """Counts the keys whose medians differ by a factor of at most 1 + WITHIN, among those above ABOVE_MS in both files.

    Output: None if no pair of files has such a key.
    """
    times = pd.concat([one["log_ms"] for one in repeats], axis=1)
    one, other = (times.to_numpy()[:, list(files)] for files in zip(*itertools.combinations(range(len(repeats)), 2)))
    compared = pd.DataFrame(np.minimum(one, other) > math.log(ABOVE_MS), times.index)
    apart = pd.DataFrame(np.abs(one - other) > math.log1p(WITHIN), times.index) & compared
    counts, wrong = compared.sum(axis=1), apart.sum(axis=1)
    if not counts.any():
        return None
    shares = (1.0 - apart.sum() / compared.sum()).dropna()
    worst = wrong[wrong > 0].sort_values(ascending=False, kind="stable").head(WORST)
    words = [f"  apart in {many} of {counts[key]}  {key}" for key, many in worst.items()]
    return Agreement(1.0 - wrong.sum() / counts.sum(), shares.min(), int((counts > 0).sum()), words)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def as_cells(found: Tally | None, agreed: Agreement | None, files: int, keys: int, side: int) -> dict[str, str]:
    """The outcome in words, by what it is. Input: found, None with --agreement"""
    if found is None:
        cells = {"invocations": f"{files:,}", "keys above 20 us": f"{agreed.keys if agreed else 0:,}"}
    else:
        cells = {"repeats": f"{files:,}", "keys": f"{keys:,}", "files per side": f"{side}"}
        cells |= {"comparisons": f"{found.comparisons:,}", **{v: f"{n:,}" for v, n in found.verdicts.items()}}
        cells |= {"false alarms": _percent(found.false_alarms)}
        cells |= {f"{what} slower": _percent(share) for what, share in found.found.items()}
    shares = (_percent(agreed.share), _percent(agreed.least)) if agreed else ("-", "-")
    return cells | dict(zip(("within 1 %", "in the worst pair"), shares))


def _count(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"expected a whole number in 1..1000000, got '{word}'")
    return int(word)


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Tells how often compare is wrong about repeats of one sweep, and how often right.", HELP)
    cli.add_results(parser)
    most = "largest number of comparisons (default: 200)"
    parser.add_argument("--splits", type=_count, default=200, metavar="N", help=most)
    parser.add_argument("--agreement", action="store_true", help="say that alone, and compare nothing")
    options = parser.parse_args(arguments)
    documents = read(options.results, distinct=True)
    if len(documents) < 2:
        raise UsageError(f"expected 2 repeats or more, got {len(documents)}")

    files = [document.name for document in documents]
    each = [from_documents([document]) for document in documents]
    cli.warn(PROG, [words for one in each for words in one.warnings])
    differ = sentence({"": facts_of(documents)}, "the files")
    cli.warn(PROG, [f"{words}; what comes of that counts as noise" for words in differ])
    repeats = [times(one.usable) for one in each]
    keys = {key for one in repeats for key in one.index}
    short = [file for file, one in zip(files, repeats) if len(one) < len(keys)]
    cli.warn(PROG, cli.counted(short, f"of {len(files)} files {{are}} without some keys of the others"))
    side = min(3, len(documents) // 2)
    found = None if options.agreement else count_verdicts(repeats, splits(len(repeats), side, options.splits))
    agreed = agreement(repeats)
    worst = (found.false if found else []) + (agreed.apart if agreed else [])
    cells = as_cells(found, agreed, len(files), len(keys), side)
    print("\n".join([*cli.columns(list(cells.items()), (0,)).splitlines(), *worst]))
    return 1 if found and found.false_alarms > MOST_FALSE_ALARMS else 0
