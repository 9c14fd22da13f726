"""Converts a result to another format: json, jsonl, csv, or a table for people."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from . import cli
from .errors import UsageError
from .merge import document, dump
from .model import Run, parse
from .reading import rows
from .reading.load import read_all
from .reading.source import Json, Source, device_of, host_of
from .stats import Interval

PROG = "convert"
SUFFIX_FORMATS = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".txt": "table"}
STATUSES = ("ok", "failed", "skipped", "planned", "interrupted")


def _parts(source: Source) -> list[Json]:
    """The invocations that produced a result, each with its runs."""
    return [
        {**part, "runs": [{name: value for name, value in run.items() if name != "source"} for run in runs]}
        for part, runs in zip(source.parts, source.runs_by_part)
    ]


def _around(source: Source, part: Json, *, with_shard: bool) -> Json:
    around = {"schema": source.schema, "tool": part.get("tool") or source.around["tool"]}
    around |= {"command": part.get("command"), "labels": part.get("labels") or {}}
    if with_shard:
        around["shard"] = part.get("shard")
    return {**around, "started": part.get("started"), "environment": part.get("environment") or {}}


def _line(kind: str, members: Json) -> str:
    return json.dumps({"type": kind, **members}, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def _footer(part: Json) -> Iterator[str]:
    if part.get("finished") is None:
        return
    counted = Counter(str(run.get("status")) for run in part["runs"])
    end: Json = {"finished": part["finished"]}
    if part.get("timing"):
        end["timing"] = part["timing"]
    yield _line("footer", {**end, "runs": len(part["runs"]), "status_counts": {s: counted[s] for s in STATUSES}})


def to_lines(source: Source) -> str:
    lines: list[str] = []
    for number, part in enumerate(_parts(source)):
        lines.append(_line("header", _around(source, part, with_shard=True)))
        for tuning in source.tuning if number == 0 else ():
            lines += [_line("trial", trial) for trial in tuning["trials"]]
            lines.append(_line("tuning", {name: value for name, value in tuning.items() if name != "trials"}))
        lines += [_line("run", run) for run in part["runs"]]
        lines += _footer(part)
    return "".join(lines)


def to_csv(source: Source) -> str:
    pairs = []
    for part in _parts(source):
        around = _around(source, part, with_shard=False)
        for run in part["runs"]:
            environment = around["environment"]
            pairs.append((around, run, device_of(environment, run.get("engine")), host_of(environment)))
    return rows.write(pairs)


# ---------------------------------------------------------------- for people


# Columns whose title differs from their name.
TITLES = {"I, 95 %": "95 % interval"}


def _shown(value: float | None, form: str = "{:.5g}") -> str:
    return "" if value is None else form.format(value)


def _ends(interval: Interval | None, form: str = "{:.5g}") -> str:
    """'low .. high'; '' if the value was recorded without an interval."""
    if interval is None or not interval.known:
        return ""
    return f"{form} .. {form}".format(interval.low, interval.high)


def _bound(run: Run) -> str:
    if run.roofline is None or run.roofline.fraction is None:
        return ""
    return f"{100 * run.roofline.fraction:.1f} % {run.roofline.ceiling}"


def _cells(run: Run) -> dict[str, str]:
    flag = run.status if run.status != "ok" else ", ".join(run.caveats)
    return {
        "strategy": run.strategy + (f"/{run.cutoff}" if run.cutoff else ""),
        "blocks": _shown(run.blocks, "{}"),
        "wasted": _shown(run.blocks_wasted, "{}"),
        "median ms": _shown(run.time.value if run.time else None),
        "95 % interval": _ends(run.time),
        "I": _shown(run.improvement.value if run.improvement else None, "{:.3f}"),
        "I, 95 %": _ends(run.improvement, "{:.3f}"),
        "GB/s": _shown(run.gb_per_s, "{:.4g}"),
        "of fill": _shown(100 * run.fraction_of_peak if run.gb_per_s and run.fraction_of_peak else None, "{:.1f} %"),
        "of bound": _bound(run),
        "check": {"none": "", "fail": "FAIL"}.get(run.verified, run.verified),
        "notes": ": ".join(dict.fromkeys(word for word in (flag, run.reason) if word)),
    }


def _heading(run: Run) -> str:
    return (
        f"{run.workload}, N = {run.n}, {run.block_name} threads per block, tile {run.tile}, {run.layout}, {run.engine}"
    )


def _aligned(cells: list[dict[str, str]], left_out: Collection[str]) -> str:
    columns = [name for name in cells[0] if name not in left_out and any(row[name] for row in cells)]
    table = [[TITLES.get(name, name) for name in columns], *([row[name] for name in columns] for row in cells)]
    words = [place for place, name in enumerate(columns) if name in ("strategy", "check", "notes")]
    return "\n".join(f"  {line}" for line in cli.columns(table, words))


def aligned(runs: Sequence[Run], left_out: Collection[str] = ()) -> str:
    """The runs under one heading, as tribench itself prints them, without the columns in `left_out`."""
    return f"{_heading(runs[0])}\n{_aligned([_cells(run) for run in runs], left_out)}\n"


def to_table(source: Source) -> str:
    groups: dict[tuple[int, str], list[Run]] = {}
    for number, part in enumerate(_parts(source)):
        for run in (parse(one) for one in part["runs"]):
            groups.setdefault((number, _heading(run)), []).append(run)
    return "".join(f"{aligned(runs)}\n" for runs in groups.values())


WRITERS = {
    "json": lambda source: dump(document([source], source.around["command"])[0]),
    "jsonl": to_lines,
    "csv": to_csv,
    "table": to_table,
}


def format_of(output: str, chosen: str | None) -> tuple[str, str]:
    """The file and its format: FILE:FORMAT, else the one of --format, else the suffix's, else json."""
    path, colon, word = output.rpartition(":")
    if colon and path and word in WRITERS:
        return path, word
    return output, chosen or SUFFIX_FORMATS.get(Path(output).suffix, "json")


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Writes a result in other formats: json, jsonl, csv, or a table for people.",
        "The format is that of FILE:FORMAT, else that of --format, else the suffix tells: .json, .jsonl, .csv,\n"
        ".txt (a table). json and jsonl keep everything; csv has all of every run and no searches, shards,\n"
        "times of the end; a table is not read back. What became jsonl can be resumed.",
    )
    parser.add_argument("result", metavar="FILE", help="json, jsonl or csv, gzipped or not; - is standard input")
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE[:FORMAT]",
        help="where to write, may be given several times (default: standard output)",
    )
    parser.add_argument("-f", "--format", choices=WRITERS, help="of outputs without a format of their own")
    options: argparse.Namespace = parser.parse_args(arguments)
    targets = [format_of(output, options.format) for output in options.output or ["-"]]
    if len({path for path, _ in targets}) < len(targets):
        raise UsageError("--output: expected different files")
    if Path(options.result).is_dir():
        raise UsageError(f"{options.result}: is a directory, which tribench-report merge makes one document of")
    (source,) = read_all([options.result])
    cli.warn(PROG, source.warnings)
    texts = [(path, WRITERS[form](source)) for path, form in targets]
    for path, text in texts:
        cli.write_output(path, text)
    return 0
