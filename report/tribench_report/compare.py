"""SAME, FASTER, SLOWER or UNSURE for every key of two results."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from . import cli, study
from .errors import UsageError
from .model import Run
from .select import add_filters, apply_filters
from .stats import Interval, median, ratio

PROG = "compare"
BLOCKS = 5
VERDICTS = ("SLOWER", "FASTER", "UNSURE", "SAME", "FAILED", "MISSING", "ADDED")
RULE = """\
A run's samples are cut into five consecutive blocks. What counts as its interval is the span of the five
block medians together with the recorded 95 % interval: slow drift within a run moves the block medians
apart and so widens it. A key is FASTER or SLOWER only when
  - the two intervals do not overlap (if nothing changed, five block medians all lie on one side of five
    others in 2 of 252 cases, whatever the distribution is), and
  - the ratio of the medians is beyond --threshold, and
  - it is beyond three times the spread that the other keys show around their common ratio, because
    memory placement differs between any two invocations, and
  - all of that holds against the common ratio too, as long as that is within --drift: whether the program
    or the machine changed by the same 2 % for every key, two invocations cannot tell. --drift 0 blames the
    program. (Spread and common ratio need 8 keys.)
SAME means that the whole interval of the ratio lies within the threshold; everything else is UNSURE, and
so is a key whose SM clock differs by more than the threshold between the two, or that was throttled."""


@dataclass(frozen=True, slots=True)
class Row:
    key: str
    verdict: str
    old_ms: float | None
    new_ms: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    reason: str


def wide_interval(run: Run) -> Interval | None:
    """The recorded interval, widened to the span of the block medians; None where nothing is known."""
    if run.time is None:
        return None
    low, high = run.time.low, run.time.high
    count = len(run.samples)
    if count >= 2 * BLOCKS:
        cuts = [count * k // BLOCKS for k in range(BLOCKS + 1)]
        medians = [median(run.samples[a:b]) for a, b in zip(cuts, cuts[1:])]
        low, high = min(low, *medians), max(high, *medians)
    # A single sample has no spread, and a point is not an interval.
    return Interval(run.time.value, low, high) if high > low or count >= 2 * BLOCKS else None


def _clock_reason(old: Run, new: Run, threshold: float) -> str | None:
    if old.throttled or new.throttled:
        return "throttled"
    if old.sm_mhz and new.sm_mhz and abs(old.sm_mhz - new.sm_mhz) > threshold * old.sm_mhz:
        return f"SM clock {old.sm_mhz:.0f} and {new.sm_mhz:.0f} MHz"
    return None


@dataclass(frozen=True, slots=True)
class Rule:
    """When a change counts: smallest ratio, ratio that other keys reach by chance, ratio common to all keys."""

    threshold: float
    spread: float = 1.0
    common: float = 1.0


def _objection(change: Interval, rule: Rule, threshold: float) -> str | None:
    """Why the change does not count; None when it does."""
    for shift, words in ((1.0, ""), (rule.common, ", once divided by the ratio common to all keys")):
        value, low, high = change.value / shift, change.low / shift, change.high / shift
        if not Interval(value, low, high).excludes(1.0):
            return "the intervals overlap" + words
        if 1.0 / (1.0 + threshold) <= value <= 1.0 + threshold:
            return "within the threshold" + words
        if 1.0 / rule.spread <= value <= rule.spread:
            return "within the spread of the other keys" + words
        if (value > 1.0) != (change.value > 1.0):
            return "the other way" + words
    return None


def judge(old: Run, new: Run, rule: Rule) -> Row:
    assert old.time is not None and new.time is not None
    before, after, threshold = wide_interval(old), wide_interval(new), rule.threshold
    times = (old.time.value, new.time.value)
    if before is None or after is None:
        return Row(old.key, "UNSURE", *times, new.time.value / old.time.value, None, None, "no interval")
    change = ratio(after, before)
    same = change.low >= 1.0 / (1.0 + threshold) and change.high <= 1.0 + threshold
    reason = "" if same else _objection(change, rule, threshold) or _clock_reason(old, new, threshold) or ""
    verdict = "SAME" if same else "UNSURE" if reason else "SLOWER" if change.value > 1.0 else "FASTER"
    return Row(old.key, verdict, *times, change.value, change.low, change.high, reason)


def rule_for(ratios: Sequence[float], threshold: float, drift: float) -> Rule:
    """Three robust standard deviations are the spread; a common ratio beyond the drift is no drift."""
    if len(ratios) < 8:
        return Rule(threshold)
    common = median(ratios)
    spread = 1.0 + 3.0 * 1.4826 * median([abs(r / common - 1.0) for r in ratios])
    within = 1.0 / (1.0 + drift) <= common <= 1.0 + drift
    return Rule(threshold, spread, common if within else 1.0)


def compare(old: Sequence[Run], new: Sequence[Run], threshold: float, drift: float = 0.03) -> list[Row]:
    """One row a key, in the order of OLD, then what only NEW has."""
    before, after = {run.key: run for run in old}, {run.key: run for run in new}
    both = [k for k, run in before.items() if run.is_usable and k in after and after[k].is_usable]
    rule = rule_for([_plain_ratio(before[k], after[k]) for k in both], threshold, drift)
    known = set(both)
    rows = [judge(before[k], after[k], rule) for k in both]
    rows += [_lost(run, after.get(k)) for k, run in before.items() if run.is_usable and k not in known]
    rows += [
        _gained(run)
        for k, run in after.items()
        if run.is_usable and not (k in before and before[k].is_usable)
    ]
    order = {key: place for place, key in enumerate([*before, *after])}
    return sorted(rows, key=lambda row: order[row.key])


def _plain_ratio(old: Run, new: Run) -> float:
    assert old.time is not None and new.time is not None
    return new.time.value / old.time.value


def _lost(old: Run, new: Run | None) -> Row:
    assert old.time is not None
    if new is None:
        return Row(old.key, "MISSING", old.time.value, None, None, None, None, "only in OLD")
    reason = "verification failed" if new.verified == "fail" else new.reason or new.status
    return Row(old.key, "FAILED", old.time.value, None, None, None, None, reason)


def _gained(new: Run) -> Row:
    assert new.time is not None
    return Row(new.key, "ADDED", None, new.time.value, None, None, None, "only in NEW")


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def as_text(rows: Sequence[Row], only_changes: bool) -> str:
    shown = [row for row in rows if not only_changes or row.verdict not in ("SAME", "UNSURE")]
    table = [("VERDICT", "OLD ms", "NEW ms", "NEW/OLD", "INTERVAL", "KEY", "")]
    for row in shown:
        interval = "-" if row.ratio_low is None else f"[{row.ratio_low:.3f}, {row.ratio_high:.3f}]"
        value = "-" if row.ratio is None else f"{row.ratio:.3f}"
        table.append((row.verdict, _ms(row.old_ms), _ms(row.new_ms), value, interval, row.key, row.reason))
    widths = [max(len(cells[k]) for cells in table) for k in range(6)]
    lines = []
    for cells in table:
        left = [cells[0].ljust(widths[0])] + [cells[k].rjust(widths[k]) for k in range(1, 5)]
        reason = f"  ({cells[6]})" if cells[6] else ""
        lines.append("  ".join([*left, cells[5].ljust(widths[5]) if reason else cells[5]]) + reason)
    return "\n".join([*(lines if shown else []), summary(rows), ""])


def summary(rows: Sequence[Row]) -> str:
    counts = Counter(row.verdict for row in rows)
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    ratios = [row.new_ms / row.old_ms for row in rows if row.new_ms and row.old_ms]
    centre = f"; median NEW/OLD {median(ratios):.4f}" if ratios else ""
    return f"{len(rows)} keys: {words or 'nothing to compare'}{centre}"


def _percent(word: str) -> float:
    try:
        value = float(word.removesuffix("%"))
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1000.0:
        raise argparse.ArgumentTypeError(f"wants a percentage in 0..1000, got '{word}'")
    return value / 100.0


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Says for every key of two results whether it became faster or slower.", RULE)
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument(
        "--threshold",
        type=_percent,
        default=0.01,
        metavar="PERCENT",
        help="smallest change that counts (default: 1)",
    )
    parser.add_argument(
        "--drift",
        type=_percent,
        default=0.03,
        metavar="PERCENT",
        help="how far a machine may drift as a whole (default: 3)",
    )
    parser.add_argument(
        "--fail-on",
        default="",
        metavar="LIST",
        help="exit 1 when there is any of: slower, faster, unsure, failed, missing",
    )
    parser.add_argument("--changes", action="store_true", help="leave out rows that are SAME or UNSURE")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="where to write (default: standard output)"
    )
    add_filters(parser)
    options = parser.parse_args(arguments)
    fail_on = [word.strip().upper() for word in options.fail_on.split(",") if word.strip()]
    for word in fail_on:
        if word not in ("SLOWER", "FASTER", "UNSURE", "FAILED", "MISSING"):
            raise UsageError(
                f"--fail-on knows slower, faster, unsure, failed and missing, got '{word.lower()}'"
            )

    old, new = study.read([options.old]), study.read([options.new])
    cli.warn(PROG, [*old.warnings, *new.warnings])
    if set(old.devices()) != set(new.devices()):
        cli.warn(PROG, [f"OLD is from {'; '.join(old.devices())}, NEW from {'; '.join(new.devices())}"])
    rows = compare(
        apply_filters(old.runs, options), apply_filters(new.runs, options), options.threshold, options.drift
    )
    if options.format == "json":
        text = json.dumps([asdict(row) for row in rows], indent=1, allow_nan=False) + "\n"
    else:
        text = as_text(rows, options.changes)
    cli.write_output(options.output, text)
    lost = [row for row in rows if row.verdict in ("FAILED", "MISSING") and row.verdict not in fail_on]
    if fail_on and lost:
        cli.warn(PROG, [f"{len(lost)} keys of OLD have no time in NEW, {lost[0].key} first"])
    return 1 if any(row.verdict in fail_on for row in rows) else 0
