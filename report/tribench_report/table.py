"""Makes Markdown tables from result files, so that no number in a text is typed by hand."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import pandas as pd

from . import cli, into
from .errors import ReportError, UsageError
from .frame import BASELINES, Results, load
from .groups import FILTERS, WAY, add_filters, is_baseline, labelled, select, variants, with_factors
from .intervals import Interval
from .into import markdown as markdown

PROG = "table"
COMMANDS_AT_MOST = 3
# What the table does not name, although runs of one row and column may differ in it, with the options that choose.
UNSAID = ("engine", "device", "input", "parameters.domain")
# The settings with which 'best' describes how a run was made; the cell is named with the workload.
HOW = (*(n for n in WAY if n != "parameters.cell"), "ranks.count", "ranks.partition", "cache", "samples.timing")
Row = dict[str, Any]


def milliseconds(value: float) -> str:
    """Three significant digits, because the fourth is noise between two invocations."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"


def _difference(one: Row, other: Row) -> str | None:
    """Why two runs must not share a cell, which would show one without saying which; None if they may."""
    for name in UNSAID:
        a, b = (value if isinstance(value := row[name], str) else "none" for row in (one, other))
        if a != b:
            short = name.rpartition(".")[2]
            how = f"choose one with --{short}" if short in FILTERS else "tabulate the files one by one"
            how = "ask for --by device" if name == "device" and one["engine"] == other["engine"] else how
            return f"{one['workload']} was measured with {short} {a} and with {short} {b}: {how}"
    return None


def _grid(first: str, runs: pd.DataFrame, columns: Sequence[str], options: argparse.Namespace) -> str:
    """The cells of `runs` by their label and `column`. Errors: two runs belong in one cell."""
    row = ["label", "device"] if options.by else ["label"]
    runs = runs.sort_values("device", kind="stable") if options.by else runs
    labels = list(dict.fromkeys(runs["label"]))
    twice = runs[runs.duplicated([*row, "column"], keep=False)].sort_values([*row, "column"], kind="stable")
    if len(twice):
        one, other = twice.head(2).to_dict("records")
        keys = f"{one['key']} and {other['key']} belong in one cell: tabulate the files one by one"
        raise ReportError(_difference(one, other) or keys)
    marked = [", ".join(filter(None, pair)) for pair in zip(runs["cell"], runs["caution"])]
    wide = runs.assign(cell=marked).pivot(index=row, columns="column", values="cell").fillna("–")
    wide = wide.loc[
        sorted(wide.index, key=lambda name: (labels.index(name[0]), name) if options.by else labels.index(name))
    ]
    names = [list(map(into.escaped, name)) if options.by else [into.escaped(name)] for name in wide.index]
    cells = [[*name, *line] for name, line in zip(names, wide[list(columns)].to_numpy().tolist())]
    return into.markdown([first, *row[1:], *columns], cells)


def _sized(runs: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    """The runs at --n, or at the largest N that every device reached."""
    return runs if options.n else runs[runs["n"] == runs.groupby("device")["n"].max().min()]


def _blocks(runs: pd.DataFrame) -> list[str]:
    ordered = runs.drop_duplicates("block").sort_values(["block.x", "block.y", "block.z"])
    return list(ordered["block"])


def _factor(runs: pd.DataFrame) -> str:
    """The name of the factors: 'I', or 'I over rb' for that baseline. Errors: there are several baselines."""
    runs = runs[~is_baseline(runs) & runs["I"].notna()]
    over = runs.drop_duplicates(["dimension", "over"])
    names = sorted(set(over["over"]))
    if over["dimension"].duplicated().any():
        raise ReportError(f"the factors are over {' and over '.join(names)}: tabulate the files one by one")
    return "I" if set(names) <= set(BASELINES.values()) else f"I over {into.escaped(', '.join(names))}"


def _interval(row: Row, name: str, form: str) -> str:
    low, high = ("I.low", "I.high") if name == "I" else (f"{name}_ci95.low", f"{name}_ci95.high")
    return "" if pd.isna(row[name]) else Interval(row[name], row[low], row[high]).said(form)


def _time_and_i(row: Row) -> str:
    own = row["strategy"] == row["over"] and pd.isna(row["improvement.factor"])
    return milliseconds(row["time_ms.median"]) + ("" if own or pd.isna(row["I"]) else f" ({row['I']:.2f})")


def _gb_per_s(row: Row) -> str:
    share = row["throughput.fraction_of_peak"]
    part = f" ({100 * share:.0f} %)" if share > 0 else ""
    return "" if pd.isna(row["throughput.gb_per_s"]) else f"{row['throughput.gb_per_s']:,.0f}{part}"


def _of_bound(row: Row) -> str:
    share = row["roofline.fraction_of_bound"]
    said = f"{milliseconds(row['time_ms.median'])} ({100 * share:.1f} % of {row['roofline.ceiling']})"
    return said if share > 0 else ""


def _energy(row: Row) -> str:
    nj, joules = _interval(row, "energy.nj_per_cell", ".3g"), row["energy.launch_j"]
    return "" if not nj or pd.isna(joules) else f"{nj} ({joules:.3g})"


def _by_place(runs: pd.DataFrame, cell: Any, what: str, first: str, options: argparse.Namespace) -> str:
    """A table of strategies by workloads and blocks. Errors: no run has a cell, because none has `what`."""
    chosen = _sized(runs, options)
    chosen = chosen.assign(cell=[cell(row) for row in chosen.to_dict("records")])
    chosen = chosen[chosen["cell"] != ""]
    if chosen.empty:
        raise ReportError(f"none of the selected runs has {what}")
    chosen["column"] = chosen["workload"] + " " + chosen["block"]
    names = [f"{workload} {block}" for block in _blocks(chosen) for workload in sorted(set(chosen["workload"]))]
    return _grid(first, chosen, [name for name in names if name in set(chosen["column"])], options)


def improvement(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """I with its interval for each workload."""
    chosen = _sized(runs, options)
    chosen = chosen[~is_baseline(chosen)]
    if chosen["I"].isna().all():
        raise ReportError(f"none of the selected runs at N = {runs['n'].max():,} has a factor over a baseline")
    factor, blocks = _factor(chosen), _blocks(chosen)
    chosen = chosen.assign(cell=[_interval(row, "I", ".2f") or "–" for row in chosen.to_dict("records")])
    chosen["column"] = chosen["workload"] + (" " + chosen["block"] if len(blocks) > 1 else "")
    names = [w + (f" {b}" if len(blocks) > 1 else "") for w in sorted(set(chosen["workload"])) for b in blocks]
    first = "strategy" if factor == "I" else f"strategy ({factor})"
    return _grid(first, chosen, [name for name in names if name in set(chosen["column"])], options)


def time(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """Milliseconds and I, strategies by workloads and blocks."""
    return _by_place(runs, _time_and_i, "a time", f"ms ({_factor(_sized(runs, options))})", options)


def size(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """Milliseconds and I of one workload and block, strategies by N."""
    for what, names in (("--workload", sorted(set(runs["workload"]))), ("--block", _blocks(runs))):
        if len(names) > 1:
            raise UsageError(f"--kind size: expected one {what}, these files have {', '.join(names)}")
    cells = [_time_and_i(row) for row in runs.to_dict("records")]
    chosen = runs.assign(cell=cells, column=[f"N = {n:,}" for n in runs["n"]])
    return _grid(f"ms ({_factor(runs)})", chosen, [f"N = {n:,}" for n in sorted(set(runs["n"]))], options)


def throughput(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """GB/s and the share of the peak fill bandwidth, strategies by workloads and blocks."""
    return _by_place(runs, _gb_per_s, "a bandwidth", "GB/s (of peak fill)", options)


def bound(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """Milliseconds, the ceiling that bounds them, and the share of that bound, strategies by workloads and blocks."""
    return _by_place(runs, _of_bound, "a bound", "ms (of the bound)", options)


def energy(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """Nanojoules per cell with their interval and joules per launch, strategies by workloads and blocks."""
    what = "an energy: tribench --energy counts it"
    return _by_place(runs, _energy, what, "nJ per cell (J per launch)", options)


def best(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """The fastest run of each workload and cell at its largest N: how, in what time, near which peak."""
    runs = runs[runs["throughput.gb_per_s"].notna()]
    if runs.empty:
        raise ReportError("none of the selected runs has a bandwidth")
    cells = runs["parameters.cell"]
    named = runs["workload"] + cells.map(", {}".format).where(cells.notna(), "") + runs["dimension"].map(", {}D".format)
    step = runs["time_ms.median"] / runs["parameters.steps"].fillna(1)
    names = list(dict.fromkeys(named.sort_index()))
    runs = runs.assign(name=named, step=step, smaller=-runs["n"], how=variants(runs, HOW))
    table = []
    runs = runs.sort_values("device", kind="stable")
    order = {name: place for place, name in enumerate(names)}
    each = runs.groupby(["name", "device"] if options.by else ["name"], sort=False)
    for _, mine in sorted(each, key=lambda one: order[one[0][0]]):
        first, *others = mine.sort_index().to_dict("records")
        reasons = [words for other in others if (words := _difference(first, other))]
        if reasons:
            raise ReportError(reasons[0])
        row = mine.sort_values(["smaller", "step"], kind="stable").iloc[0].to_dict()
        share = row["throughput.fraction_of_peak"]
        how = ", ".join(filter(None, (row["strategy"], row["block"], row["how"], row["caution"])))
        device = [into.escaped(row["device"])] if options.by else []
        numbers = [f"{row['n']:,}", milliseconds(row["step"]), f"{row['throughput.gb_per_s']:,.0f}"]
        table.append([row["name"], *device, how, *numbers, f"{100 * share:.0f} %" if share > 0 else "–"])
    head = [
        "workload",
        *(["device"] if options.by else []),
        "fastest",
        "N",
        "ms per run or generation",
        "GB/s",
        "of fill",
    ]
    return into.markdown(head, table)


KINDS = {
    "improvement": improvement,
    "time": time,
    "size": size,
    "throughput": throughput,
    "bound": bound,
    "energy": energy,
    "best": best,
}
SEVERAL_SIZES = ("size", "best")


def measured(found: Results, runs: pd.DataFrame | None, more: str = "") -> str:
    """The line below a table: device, version and date of what made the runs."""
    names = "; ".join(found.devices(runs))
    return f"\nMeasured {found.date(runs)} on {into.escaped(names)} with {into.escaped(found.version(runs))}.{more}\n"


def origin(found: Results, runs: pd.DataFrame, kind: str) -> str:
    """The lines below a table: device, date, N and commands."""
    at = f" N = {runs['n'].max():,}." if kind not in SEVERAL_SIZES else ""
    watts = found.idle_power(runs)
    rest = f" At rest the device took {watts:.0f} W." if kind == "energy" and watts else ""
    commands = found.commands(runs)
    shown = "\n".join(f"    {line}" for line in commands[:COMMANDS_AT_MOST])
    text = measured(found, runs, at + rest) + (f"\n{shown}\n" if shown else "")
    more = len(commands) - COMMANDS_AT_MOST
    return text + (f"    # and {more} more, which differ in what they measured\n" if more > 0 else "")


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Makes a Markdown table from result files, with the command and the date of the measurement below.",
        "Kinds:\n" + "\n".join(f"  {name:<12} {function.__doc__}" for name, function in KINDS.items()) + "\n\n"
        "Except for 'size' and 'best', a table is about --n, or about the largest N in the files.",
    )
    cli.add_results(parser)
    parser.add_argument("-k", "--kind", choices=sorted(KINDS), default="time", help="what it says (default: time)")
    cli.add_output(parser)
    parser.add_argument("--by", choices=["device"], help="a row for each device, where the files are of several")
    into.add_options(parser)
    add_filters(parser)
    options = parser.parse_args(arguments)
    into.check_options(options)
    if options.kind not in SEVERAL_SIZES and options.n and "," in options.n:
        raise UsageError(f"--kind {options.kind}: expected one --n, got '{options.n}'")

    found = load(options.results, options.unverified)
    cli.warn(PROG, found.warnings)
    chosen = select(found.usable, options)
    if chosen.empty:
        raise ReportError("none of the runs in these files can be used")
    runs = labelled(with_factors(found.usable).loc[chosen.index])
    used = runs if options.kind in SEVERAL_SIZES else _sized(runs, options)
    into.put(options, KINDS[options.kind](runs, options) + origin(found, used, options.kind))
    return 0
