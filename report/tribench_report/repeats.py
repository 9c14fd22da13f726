"""How often compare calls a key faster or slower between repeats of one sweep, where nothing changed."""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import cli, into, study
from .compare import compare
from .errors import ReportError, UsageError
from .judge import Row
from .load import read_all
from .model import Run
from .select import add_filters, apply_filters
from .table import markdown

PROG = "repeats"
JUDGED = ("SAME", "UNSURE", "FASTER", "SLOWER")
FALSE = ("FASTER", "SLOWER")
WORST = 5
HELP = """\
FILEs are repeats of one sweep, so that every FASTER and SLOWER between two of them is false. A DIRECTORY
stands for the result files in it. --pairs: each repeat with every later one (all), with the next (next),
or the first with every other (first). A key that one of a pair has no time for is left out.

Exit status 1 when the share of false verdicts is above --limit."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of all comparisons."""

    pairs: int
    verdicts: Counter[str]
    false: list[Row]

    @property
    def judged(self) -> int:
        return sum(self.verdicts[verdict] for verdict in JUDGED)

    @property
    def share(self) -> float:
        return len(self.false) / self.judged

    def sentence(self) -> str:
        counts = ", ".join(f"{self.verdicts[verdict]} {verdict}" for verdict in JUDGED)
        return f"{self.pairs} comparisons of {self.judged} keys: {counts}; {100 * self.share:.2f} % false"


def pairs_of(count: int, which: str) -> list[tuple[int, int]]:
    if which == "next":
        return [(k, k + 1) for k in range(count - 1)]
    pairs = itertools.combinations(range(count), 2)
    return [(a, b) for a, b in pairs if which == "all" or a == 0]


def tally(repeats: Sequence[Sequence[Run]], which: str, threshold: float, drift: float) -> Tally:
    """Errors: says so when no key has a time in both of any pair."""
    verdicts: Counter[str] = Counter()
    false: list[Row] = []
    pairs = pairs_of(len(repeats), which)
    for a, b in pairs:
        rows = compare(repeats[a], repeats[b], threshold, drift)
        verdicts.update(row.verdict for row in rows)
        false += [row for row in rows if row.verdict in FALSE]
    found = Tally(len(pairs), verdicts, false)
    if found.judged == 0:
        raise ReportError("no key has a time in two of these files: are they repeats of one sweep?")
    return found


def worst(found: Tally) -> list[str]:
    """The keys that are falsely called most often."""
    counts = Counter(row.key for row in found.false).most_common(WORST)
    return [f"  {count} of {found.pairs}  {key}" for key, count in counts]


def as_markdown(found: Tally, about: study.Study, count: int, keys: int) -> str:
    """A table of the verdicts, and below it what was measured."""
    head = ["repeats", "keys", "comparisons", *JUDGED, "false"]
    cells = [f"{number:,}" for number in (count, keys, found.pairs, *(found.verdicts[v] for v in JUDGED))]
    text = "Repeats of one sweep compared with each other, so that every FASTER and SLOWER is false:\n\n"
    text += markdown(head, [[*cells, f"{100 * found.share:.2f} %"]])
    text += f"\nMeasured {about.date()} on {'; '.join(about.devices())} with {about.version()}.\n"
    # The commands differ in where each repeat was written to.
    return text + (f"\n    {shlex.join(about.commands[0])}\n" if about.commands else "")


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Tells how often compare sees a change between repeats of one sweep.", HELP)
    parser.add_argument("results", nargs="+", metavar="FILE|DIRECTORY")
    parser.add_argument("--pairs", choices=("all", "next", "first"), default="all", help="(default: all)")
    cli.add_change_options(parser)
    parser.add_argument(
        "--limit",
        type=cli.percent,
        default=0.05,
        metavar="PERCENT",
        help="largest share of false verdicts that is no failure (default: 5)",
    )
    into.add_options(parser)
    add_filters(parser)
    options = parser.parse_args(arguments)
    into.check_options(options)
    sources = read_all(options.results)
    if len(sources) < 2:
        raise UsageError(f"wants two repeats or more, got {len(sources)}")

    files = [source.name for source in sources]
    studies = [study.from_sources([source]) for source in sources]
    for one in studies:
        cli.warn(PROG, one.warnings)
    repeats = [apply_filters(one.usable, options) for one in studies]
    keys = {run.key for runs in repeats for run in runs}
    short = [file for file, runs in zip(files, repeats) if len(runs) < len(keys)]
    if short:
        cli.warn(PROG, [f"{len(short)} of {len(files)} files lack keys of the others, {short[0]} first"])
    found = tally(repeats, options.pairs, options.threshold, options.drift)
    print("\n".join([found.sentence(), *worst(found)]))
    if options.into:
        into.insert(Path(options.into), options.marker, as_markdown(found, studies[0], len(files), len(keys)))
    return 1 if found.share > options.limit else 0
