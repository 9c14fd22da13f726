"""SAME, FASTER, SLOWER or UNSURE for every key of two results."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from . import cli, study
from .errors import UsageError
from .judge import RULE, Row, judge, rule_for
from .model import Run
from .select import add_filters, apply_filters
from .stats import median

PROG = "compare"
VERDICTS = ("SLOWER", "FASTER", "UNSURE", "SAME", "FAILED", "MISSING", "ADDED")


def compare(old: Sequence[Run], new: Sequence[Run], threshold: float, drift: float = 0.03) -> list[Row]:
    """One row a key, in the order of OLD, then what only NEW has."""
    before, after = {run.key: run for run in old}, {run.key: run for run in new}
    both = [k for k, run in before.items() if run.is_usable and k in after and after[k].is_usable]
    rule = rule_for([before[k] for k in both], [after[k] for k in both], threshold, drift)
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


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Says for every key of two results whether it became faster or slower.", RULE)
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    cli.add_change_options(parser)
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
