"""Makes Markdown tables from result files, so that no number in a text is typed by hand."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence

from . import cli, into, study
from .errors import ReportError, UsageError
from .improve import Improvements
from .model import BASELINES, WAY, Run, caution, time_ms, variant
from .select import (
    FILTERS,
    Line,
    add_filters,
    apply_filters,
    block_list,
    by_workload,
    group,
    lines,
    varying_fields,
)

PROG = "table"
COMMANDS_AT_MOST = 3
# Fields that the table does not name, although runs of one row and column may differ in them.
UNSAID = ("engine", "device", "input", "domain")
# The fields with which 'best' describes how a run was made; the cell is named with the workload.
HOW = (*(name for name in WAY if name != "cell"), "ranks", "partition", "cache", "timing")
# The published I on a GTX 680 by strategy: for the kernel that only maps, and for the distance matrix.
GTX_680 = {
    "ltm-x": ("0.7", "–"),
    "ltm-n": ("1.03", "–"),
    "ltm-r": ("1.13 to 1.15", "1.12 to 1.15"),
    "rb": ("up to 1.25", "1.14 on average"),
    "rec": ("below 1", "1.05 at N = 30,720"),
    "utm": ("below 1", "slowest of all"),
}
Cells = list[list[str]]


def _escape(text: str) -> str:
    """Escapes a name from the data, so that it cannot end a cell or start markup."""
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", text.replace("\n", " "))


def markdown(head: Sequence[str], rows: Cells) -> str:
    """A Markdown table: the first column is text, the others are numbers, aligned to the right."""
    table = [list(head), ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in table)


def _milliseconds(value: float) -> str:
    """Three significant digits, because the fourth is noise between two invocations."""
    return f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"


def _size(runs: Sequence[Run], wanted: str | None) -> list[Run]:
    """The runs at --n, or at the largest N that every device reached."""
    top = min(max(run.n for run in mine) for mine in group(runs, lambda run: run.device).values())
    return list(runs) if wanted else [run for run in runs if run.n == top]


def _difference(one: Run, other: Run) -> str | None:
    """Why two runs must not share a cell, which would show one without saying which; None if they may."""
    for name in UNSAID:
        a, b = one.setting(name) or "none", other.setting(name) or "none"
        if a != b:
            how = f"choose one with --{name}" if name in FILTERS else "tabulate the files one by one"
            how = "ask for --by device" if name == "device" and one.engine == other.engine else how
            return f"{one.workload} was measured with {name} {a} and with {name} {b}: {how}"
    return None


def _cells(line: Line, column: Callable[[Run], str]) -> dict[str, Run]:
    """One run per column. Errors: two runs belong in one cell."""
    at: dict[str, Run] = {}
    for run in line.runs:
        held = at.setdefault(column(run), run)
        if held is not run:
            keys = f"{held.key} and {run.key} belong in one cell: tabulate the files one by one"
            raise ReportError(_difference(held, run) or keys)
    return at


def _rows(runs: Sequence[Run], by_device: bool) -> list[Line]:
    """One row per strategy and variant; with --by device, one per device, one below the other."""
    if not by_device:
        return lines(runs)
    fields = varying_fields(runs)
    found = [line for mine in group(runs, lambda run: run.device).values() for line in lines(mine, fields)]
    return sorted(found, key=lambda line: (line.rank, line.runs[0].device))


def _marked(text: str, run: Run) -> str:
    return ", ".join(filter(None, (text, caution(run))))


def _grid(
    runs: Sequence[Run],
    column: Callable[[Run], str],
    columns: Sequence[str],
    cell: Callable[[Run], str],
    options: argparse.Namespace,
) -> tuple[list[Line], Cells]:
    rows, by_device = _rows(runs, bool(options.by)), bool(options.by)
    table = []
    for line in rows:
        at = _cells(line, column)
        names = [_escape(line.label), *([_escape(line.runs[0].device)] if by_device else [])]
        table.append([*names, *(_marked(cell(at[name]), at[name]) if name in at else "–" for name in columns)])
    return rows, table


def _head(first: str, columns: Sequence[str], options: argparse.Namespace) -> list[str]:
    return [first, *(["device"] if options.by else []), *columns]


def _factor(runs: Sequence[Run], improvements: Improvements) -> str:
    """The name of the factors: 'I', or 'I over rb' for that baseline. Errors: there are several baselines."""
    over = {(run.dimension, improvements.baseline(run)) for run in improvements.with_factors(runs)}
    names = sorted({name for _, name in over})
    if len(over) > len({dimension for dimension, _ in over}):
        raise ReportError(f"the factors are over {' and over '.join(names)}: tabulate the files one by one")
    return "I" if set(names) <= set(BASELINES) else f"I over {_escape(', '.join(names))}"


def improvement(runs: list[Run], improvements: Improvements, options: argparse.Namespace) -> str:
    """I with its interval for each workload, and what the paper found on a GTX 680."""
    chosen = [run for run in _size(runs, options.n) if not improvements.is_baseline(run)]
    if not any(improvements.of(run) for run in chosen):
        n = max(run.n for run in runs)
        raise ReportError(f"none of the selected runs at N = {n:,} has a factor over a baseline")
    factor = _factor(chosen, improvements)
    blocks, workloads = block_list(chosen), list(by_workload(chosen))

    def name(run: Run) -> str:
        return run.workload + (f" {run.block_name}" if len(blocks) > 1 else "")

    def cell(run: Run) -> str:
        i = improvements.of(run)
        return i.said(".2f") if i else "–"

    columns = [w + (f" {b}" if len(blocks) > 1 else "") for w in workloads for b in blocks]
    columns = [c for c in columns if any(name(run) == c for run in chosen)]
    rows, table = _grid(chosen, name, columns, cell, options)
    # The papers' factors are over bb; beside other factors they would only mislead.
    two = factor == "I" and any(run.dimension == 2 for run in chosen)
    for line, cells in zip(rows, table):
        plain = GTX_680.get(line.strategy, ("–", "–")) if line.plainness == 0 else ("–", "–")
        cells += plain if two else ()
    first = "strategy" if factor == "I" else f"strategy ({factor})"
    return markdown([*_head(first, columns, options), *(("GTX 680, dummy", "GTX 680, EDM") if two else ())], table)


def _by_place(
    runs: list[Run], what: str, cell: Callable[[Run], str], first: str, options: argparse.Namespace
) -> str:
    """A table of strategies by workloads and blocks. Errors: no run has a cell, because none has `what`."""
    chosen = [run for run in _size(runs, options.n) if cell(run)]
    if not chosen:
        raise ReportError(f"none of the selected runs has {what}")
    columns = [f"{w} {b}" for b in block_list(chosen) for w in by_workload(chosen)]
    columns = [c for c in columns if any(f"{r.workload} {r.block_name}" == c for r in chosen)]
    _, table = _grid(chosen, lambda r: f"{r.workload} {r.block_name}", columns, cell, options)
    return markdown(_head(first, columns, options), table)


def time(runs: list[Run], improvements: Improvements, options: argparse.Namespace) -> str:
    """Milliseconds and I, strategies by workloads and blocks."""
    first = f"ms ({_factor(_size(runs, options.n), improvements)})"
    return _by_place(runs, "a time", _time_and_i(improvements), first, options)


def _time_and_i(improvements: Improvements) -> Callable[[Run], str]:
    def cell(run: Run) -> str:
        i = None if improvements.is_baseline(run) else improvements.of(run)
        return _milliseconds(time_ms(run)) + (f" ({i.value:.2f})" if i else "")

    return cell


def size(runs: list[Run], improvements: Improvements, options: argparse.Namespace) -> str:
    """Milliseconds and I of one workload and block, strategies by N."""
    for what, names in (("--workload", list(by_workload(runs))), ("--block", block_list(runs))):
        if len(names) > 1:
            raise UsageError(f"--kind size: expected one {what}, these files have {', '.join(names)}")
    columns = [str(n) for n in sorted({run.n for run in runs})]
    _, table = _grid(runs, lambda r: str(r.n), columns, _time_and_i(improvements), options)
    sizes = [f"N = {int(n):,}" for n in columns]
    return markdown(_head(f"ms ({_factor(runs, improvements)})", sizes, options), table)


def throughput(runs: list[Run], improvements: Improvements, options: argparse.Namespace) -> str:
    """GB/s and the share of the peak fill bandwidth, strategies by workloads and blocks."""

    def cell(run: Run) -> str:
        part = f" ({100 * run.fraction_of_peak:.0f} %)" if run.fraction_of_peak else ""
        return f"{run.gb_per_s:,.0f}{part}" if run.gb_per_s else ""

    return _by_place(runs, "a bandwidth", cell, "GB/s (of peak fill)", options)


def bound(runs: list[Run], improvements: Improvements, options: argparse.Namespace) -> str:
    """Milliseconds, the ceiling that bounds them, and the share of that bound, strategies by workloads and blocks."""

    def cell(run: Run) -> str:
        line = run.roofline
        if line is None or not line.fraction:
            return ""
        return f"{_milliseconds(time_ms(run))} ({100 * line.fraction:.1f} % of {line.ceiling})"

    return _by_place(runs, "a bound", cell, "ms (of the bound)", options)


def energy(runs: list[Run], improvements: Improvements, options: argparse.Namespace) -> str:
    """Nanojoules per cell with their interval and joules per launch, strategies by workloads and blocks."""

    def cell(run: Run) -> str:
        nj, joules = run.nj_per_cell, run.launch_j
        return f"{nj.said('.3g')} ({joules.value:.3g})" if nj and joules else ""

    return _by_place(runs, "an energy: tribench --energy counts it", cell, "nJ per cell (J per launch)", options)


def best(runs: list[Run], improvements: Improvements, options: argparse.Namespace) -> str:
    """The fastest run of each workload and cell at its largest N: how, in what time, near which peak."""
    fastest: dict[tuple[str, str], Run] = {}
    for run in (run for run in runs if run.gb_per_s):
        stored = run.parameters.get("cell")
        name = f"{run.workload}{f', {stored}' if stored else ''}, {run.dimension}D"
        place = (name, run.device if options.by else "")
        held = fastest.get(place)
        if held is not None and (reason := _difference(held, run)):
            raise ReportError(reason)
        if held is None or (-run.n, _per_step(run)) < (-held.n, _per_step(held)):
            fastest[place] = run
    if not fastest:
        raise ReportError("none of the selected runs has a bandwidth")
    table = []
    for (name, _), run in sorted(fastest.items(), key=lambda one: _first(fastest, one[0])):
        words = [run.strategy, run.block_name, variant(run, HOW), caution(run)]
        share = f"{100 * run.fraction_of_peak:.0f} %" if run.fraction_of_peak else "–"
        how = ", ".join(filter(None, words))
        ms = _milliseconds(_per_step(run))
        device = [_escape(run.device)] if options.by else []
        table.append([name, *device, how, f"{run.n:,}", ms, f"{run.gb_per_s:,.0f}", share])
    columns = ["fastest", "N", "ms per run or generation", "GB/s", "of fill"]
    return markdown(_head("workload", columns, options), table)


def _first(fastest: Mapping[tuple[str, str], Run], place: tuple[str, str]) -> tuple[int, str]:
    """Sorts workloads in the order in which they came; the devices of one workload are adjacent."""
    return (next(k for k, (name, _) in enumerate(fastest) if name == place[0]), place[1])


def _per_step(run: Run) -> float:
    return time_ms(run) / run.generations


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


def origin(found: study.Study, runs: Sequence[Run], kind: str) -> str:
    """The lines below a table: device, date, N and command."""
    engines = {run.engine for run in runs}
    names = "; ".join(found.devices(next(iter(engines)) if len(engines) == 1 else None, runs))
    sizes = sorted({run.n for run in runs})
    at = f" N = {sizes[-1]:,}." if kind not in SEVERAL_SIZES else ""
    watts = found.idle_power(runs)
    rest = f" At rest the device took {watts:.0f} W." if kind == "energy" and watts else ""
    text = f"\nMeasured {found.date(runs)} on {_escape(names)} with {_escape(found.version(runs))}.{at}{rest}\n"
    commands = found.command_lines(runs)
    shown = "\n".join(f"    {line}" for line in commands[:COMMANDS_AT_MOST])
    more = len(commands) - COMMANDS_AT_MOST
    if shown:
        text += f"\n{shown}\n"
    if more > 0:
        text += f"    # and {more} more, which differ in what they measured\n"
    return text


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Makes a Markdown table from result files, with the command and the date of the measurement below.",
        "Kinds:\n"
        + "\n".join(f"  {name:<12} {function.__doc__}" for name, function in KINDS.items())
        + "\n\n"
        "Except for 'size' and 'best', a table is about --n, or about the largest N in the files.",
    )
    cli.add_results(parser)
    parser.add_argument(
        "-k", "--kind", choices=sorted(KINDS), default="time", help="what the table says (default: time)"
    )
    cli.add_output(parser)
    parser.add_argument(
        "--by", choices=["device"], help="a row for each device, where the files are of several"
    )
    into.add_options(parser)
    add_filters(parser)
    options = parser.parse_args(arguments)
    into.check_options(options)
    if options.kind not in SEVERAL_SIZES and options.n and "," in options.n:
        raise UsageError(f"--kind {options.kind}: expected one --n, got '{options.n}'")

    found = study.read(options.results, options.unverified)
    cli.warn(PROG, found.warnings)
    runs = apply_filters(found.usable, options)
    if not runs:
        raise ReportError("none of the runs in these files can be used")
    used = runs if options.kind in SEVERAL_SIZES else _size(runs, options.n)
    table = KINDS[options.kind](runs, Improvements(found.usable), options)
    into.put(options, table + origin(found, used, options.kind))
    return 0
