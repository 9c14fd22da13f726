"""Makes tables, in Markdown or LaTeX, from result files, so that no number in a text is typed by hand."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from . import cli
from .errors import ReportError, UsageError
from .frame import BASELINES, Results
from .groups import WAY, add_filters, chosen, is_baseline, labelled, variants, with_factors
from .intervals import Interval, factor

PROG = "table"
COMMANDS_AT_MOST = 3
BLOCK = ["block.x", "block.y", "block.z"]
# What the row of the best run does not name, and must not differ among the runs that it is the best of.
UNSAID = ["engine", "device", "input", "parameters.domain"]
# The settings with which 'best' describes how a run was made; the cell is named with the workload.
HOW = (*(n for n in WAY if n != "parameters.cell"), "ranks.count", "ranks.partition", "cache", "samples.timing")
CELL = {"parameters.cell": "{}", "dimension": "{}D"}
Row = dict[str, Any]

# ---------------------------------------------------------------- Markdown


def escaped(text: str) -> str:
    """Escapes a name from the data, so that it cannot end a cell or start markup."""
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", text.replace("\n", " "))


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table: the first column is text, the others are aligned to the right."""
    table = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in table)


LATEX = {**{c: f"\\{c}" for c in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
         "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
         "–": "--", "×": r"$\times$"}  # fmt: skip


def latex(text: str) -> str:
    """The table of a text in Markdown for booktabs, what is below it as comments."""
    table, _, below = text.partition("\n\n")
    rows = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in table.splitlines()]
    plain = [[re.sub(r"\\([\\|`*_<>\[\]])", r"\1", cell) for cell in row] for row in rows]
    head, _, *body = [
        "".join(f"{' & '.join(''.join(LATEX.get(c, c) for c in cell) for cell in row)} \\\\\n") for row in plain
    ]
    kind = "".join("r" if cell.endswith(":") else "l" for cell in rows[1])
    lines = [f"\\begin{{tabular}}{{{kind}}}\n\\toprule\n", head, "\\midrule\n", *body, "\\bottomrule\n\\end{tabular}\n"]
    return "".join([*lines, *(f"% {line.strip()}\n" for line in below.splitlines() if line.strip())])


# ---------------------------------------------------------------- cells


def milliseconds(value: float) -> str:
    """Three significant digits, because the fourth is noise between two invocations."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"


def rate(value: float) -> str:
    """GB/s: whole numbers from 10 on, else three significant digits."""
    return f"{value:,.0f}" if value >= 9.995 else milliseconds(value)


def _together(one: Row, other: Row) -> ReportError:
    """Two runs in one cell would show one without saying which."""
    keys = " and ".join(f"{row['key']} on {row['device']}" for row in (one, other))
    how = "choose one with --engine and the like, ask for --by device, or tabulate the files one by one"
    return ReportError(f"{keys} belong in one cell: {how}")


def _grid(first: str, runs: pd.DataFrame, columns: Sequence[str], by: Sequence[str]) -> str:
    """The cells of `runs` by their label and `column`. Errors: two runs belong in one cell."""
    row = ["label", *by]
    place = [*row, "column"]
    twice = runs[runs.duplicated(place, keep=False)].sort_values(place, kind="stable")
    if len(twice):
        raise _together(*twice.head(2).to_dict("records"))
    marked = [", ".join(filter(None, pair)) for pair in zip(runs["cell"], runs["caution"])]
    wide = runs.assign(cell=marked).pivot(index=row, columns="column", values="cell").fillna("–")[list(columns)]
    wide = wide.reindex(runs["label"].unique(), level="label" if by else None).reset_index()
    wide[row] = wide[row].map(escaped)
    return markdown([first, *row[1:], *columns], wide.to_numpy().tolist())


def _shared(runs: pd.DataFrame) -> list[str]:
    """The notes that all runs have: said once, below the table, as in every cell they would bury the numbers."""
    each = [caution.split(", ") for caution in runs["caution"]]
    return [note for note in each[0] if note and all(note in notes for notes in each)] if len(each) > 1 else []


def _factor(runs: pd.DataFrame) -> str:
    """The name of the factors: 'I', or 'I over rb' for that baseline. Errors: there are several baselines."""
    runs = runs[~is_baseline(runs) & runs["I"].notna()]
    over = runs.drop_duplicates(["dimension", "over"])
    names = sorted(set(over["over"]))
    if over["dimension"].duplicated().any():
        raise ReportError(f"the factors are over {' and over '.join(names)}: tabulate the files one by one")
    return "I" if set(names) <= set(BASELINES.values()) else f"I over {escaped(', '.join(names))}"


def _interval(row: Row, name: str, words: Callable[[float], str]) -> str:
    low, high = ("I.low", "I.high") if name == "I" else (f"{name}_ci95.low", f"{name}_ci95.high")
    return "" if pd.isna(row[name]) else Interval(row[name], row[low], row[high]).said(words)


def _time_and_i(row: Row) -> str:
    own = row["strategy"] == row["over"] and pd.isna(row["improvement.factor"])
    return milliseconds(row["time_ms.median"]) + ("" if own or pd.isna(row["I"]) else f" ({factor(row['I'])})")


def _gb_per_s(row: Row) -> str:
    share = row["throughput.fraction_of_peak"]
    part = f" ({100 * share:.0f} %)" if share > 0 else ""
    return "" if pd.isna(row["throughput.gb_per_s"]) else rate(row["throughput.gb_per_s"]) + part


def _of_bound(row: Row) -> str:
    share = row["roofline.fraction_of_bound"]
    said = f"{milliseconds(row['time_ms.median'])} ({100 * share:.1f} % of {row['roofline.ceiling']})"
    return said if share > 0 else ""


def _energy(row: Row) -> str:
    nj, joules = _interval(row, "energy.nj_per_cell", "{:.3g}".format), row["energy.launch_j"]
    return "" if not nj or pd.isna(joules) else f"{nj} ({joules:.3g})"


# ---------------------------------------------------------------- kinds


class Kind(NamedTuple):
    """What a table says, a cell's text ('': `lacking`), and the first column's head, where {I} names the factors."""

    says: str
    cell: Callable[[Row], str]
    head: str
    lacking: str = "a time"


KINDS = {
    "improvement": Kind(
        "I with its interval for each workload.", lambda row: _interval(row, "I", factor), "strategy ({I})",
        "a factor over a baseline",
    ),
    "time": Kind("Milliseconds and I, strategies by workloads and blocks.", _time_and_i, "ms ({I})"),
    "size": Kind("Milliseconds and I of one workload and block, strategies by N.", _time_and_i, "ms ({I})"),
    "throughput": Kind(
        "GB/s and the share of the peak fill bandwidth, strategies by workloads and blocks.", _gb_per_s,
        "GB/s (of peak fill)", "a bandwidth",
    ),
    "bound": Kind(
        "Milliseconds, the ceiling that bounds them, and the share of that bound, strategies by workloads and blocks.",
        _of_bound, "ms (of the bound)", "a bound",
    ),
    "energy": Kind(
        "Nanojoules per cell with their interval and joules per launch, strategies by workloads and blocks.", _energy,
        "nJ per cell (J per launch)", "an energy: tribench --energy counts it",
    ),
}  # fmt: skip
BEST = "The fastest run of each workload and cell at its largest N: how, in what time, near which peak."
SEVERAL_SIZES = ("size", "best")


def _sized(runs: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    """The runs that the table is about: those at --n, or at the largest N that every device reached."""
    whole = options.n or options.kind in SEVERAL_SIZES
    return runs if whole else runs[runs["n"] == runs.groupby("device")["n"].max().min()]


def table(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """A row for each label and a column for each workload and block, or for each N."""
    kind, is_factor, is_size = KINDS[options.kind], options.kind == "improvement", options.kind == "size"
    for name in ("workload", "block") if is_size else ():
        names = runs.sort_values(["workload", *BLOCK])[name].unique()
        if len(names) > 1:
            raise UsageError(f"--kind size: expected one --{name}, these files have {', '.join(names)}")
    shown = runs[~is_baseline(runs)] if is_factor else runs
    shown = shown.assign(cell=[kind.cell(row) for row in shown.to_dict("records")])
    shown = shown[shown["cell"] != ""]
    if shown.empty:
        raise ReportError(f"none of the selected runs at N = {runs['n'].max():,} has {kind.lacking}")
    if is_size:
        order, column = ["n"], shown["n"].map("N = {:,}".format)
    elif is_factor and shown["block"].nunique() == 1:
        order, column = ["workload"], shown["workload"]
    else:
        order = ["workload", *BLOCK] if is_factor else [*BLOCK, "workload"]
        column = shown["workload"] + " " + shown["block"]
    shown = shown.assign(column=column)
    first = kind.head.replace("{I}", _factor(runs)) if "{I}" in kind.head else kind.head
    columns = list(shown.sort_values(order)["column"].unique())
    return _grid(first.replace("strategy (I)", "strategy"), shown, columns, options.by)


def best(runs: pd.DataFrame, options: argparse.Namespace) -> str:
    """A row for each workload and cell."""
    runs = runs[runs["throughput.gb_per_s"].notna()].sort_index()
    if runs.empty:
        raise ReportError("none of the selected runs has a bandwidth")
    step = runs["time_ms.median"] / runs["parameters.steps"].fillna(1)
    runs = runs.assign(
        cell=variants(runs, ["parameters.cell", "dimension"], {}, CELL), step=step, how=variants(runs, HOW)
    )
    rows = []
    for (workload, cell), members in runs.groupby(["workload", "cell"], sort=False):
        for _, mine in members.groupby(options.by) if options.by else [((), members)]:
            kinds = mine.drop_duplicates(UNSAID)
            if len(kinds) > 1:
                raise _together(*kinds.head(2).to_dict("records"))
            row = mine.sort_values(["n", "step"], ascending=[False, True], kind="stable").iloc[0]
            share = row["throughput.fraction_of_peak"]
            how = ", ".join(filter(None, row[["strategy", "block", "how", "caution"]]))
            numbers = [f"{row['n']:,}", milliseconds(row["step"]), rate(row["throughput.gb_per_s"])]
            share = f"{100 * share:.0f} %" if share > 0 else "–"
            rows.append([f"{workload}, {cell}", *map(escaped, row[options.by]), how, *numbers, share])
    return markdown(["workload", *options.by, "fastest", "N", "ms per run or generation", "GB/s", "of fill"], rows)


# ---------------------------------------------------------------- the lines below


def measured(found: Results, runs: pd.DataFrame | None, more: str = "") -> str:
    """The line below a table: device, version and date of what made the runs."""
    names = "; ".join(found.devices(runs))
    return f"\nMeasured {found.date(runs)} on {escaped(names)} with {escaped(found.version(runs))}.{more}\n"


def origin(found: Results, runs: pd.DataFrame, kind: str, notes: Sequence[str]) -> str:
    """The lines below a table: device, date, N, the notes of all its runs, and commands."""
    at = f" N = {runs['n'].max():,}." if kind not in SEVERAL_SIZES else ""
    watts = found.idle_power(runs)
    rest = f" At rest the device took {watts:.0f} W." if kind == "energy" and watts else ""
    noted = f" All runs: {escaped(', '.join(notes))}." if notes else ""
    commands = found.commands(runs)
    shown = "\n".join(f"    {line}" for line in commands[:COMMANDS_AT_MOST])
    text = measured(found, runs, at + rest + noted) + (f"\n{shown}\n" if shown else "")
    more = len(commands) - COMMANDS_AT_MOST
    return text + (f"    # and {more} more, which differ in what they measured\n" if more > 0 else "")


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Makes a table from result files, with the command and the date of the measurement below.",
        "Kinds:\n"
        + "".join(f"  {name:<12} {says}\n" for name, (says, *_) in KINDS.items())
        + f"  best         {BEST}\n\n"
        "Except for 'size' and 'best', a table is about --n, or about the largest N in the files.",
    )
    cli.add_results(parser)
    parser.add_argument(
        "-k", "--kind", choices=sorted([*KINDS, "best"]), default="time", help="what it says (default: time)"
    )
    cli.add_output(parser)
    how = "md or latex, which needs \\usepackage{booktabs} (default: md)"
    parser.add_argument("-f", "--format", choices=["md", "latex"], default="md", help=how)
    by = "a row for each device, where the files are of several"
    parser.add_argument("--by", choices=["device"], action="append", default=[], help=by)
    add_filters(parser)
    options = parser.parse_args(arguments)
    if options.kind not in SEVERAL_SIZES and options.n and "," in options.n:
        raise UsageError(f"--kind {options.kind}: expected one --n, got '{options.n}'")

    found, mine = chosen(PROG, options)
    runs = labelled(with_factors(found.usable).loc[mine.index])
    used = _sized(runs, options)
    shared = _shared(used)
    own = [[note for note in caution.split(", ") if note not in shared] for caution in used["caution"]]
    used = used.assign(caution=pd.Series(map(", ".join, own), index=used.index, dtype="str"))
    text = best(used, options) if options.kind == "best" else table(used, options)
    text += origin(found, used, options.kind, shared)
    cli.write_output(options.output, latex(text) if options.format == "latex" else text)
    return 0
