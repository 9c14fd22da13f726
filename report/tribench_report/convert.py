"""Converts a result to another format: json, jsonl, csv, or a table for people."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from . import cli, tables
from .documents import Document, Json, name_of, read
from .errors import UsageError
from .frame import columns
from .merge import dump, join, settle, without_source

PROG = "convert"
SUFFIX_FORMATS = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".txt": "table"}
HEADER = ("schema", "tool", "command", "labels", "shard", "started", "environment")
STATUSES = ("ok", "failed", "skipped", "planned", "interrupted", "dropped")


def _by_part(document: Document) -> Iterator[tuple[Json, list[Json]]]:
    """What stands around each invocation, and its runs, one record per run, without their source."""
    for part, runs in zip(document.parts, document.by_part(settle([document]).values())):
        around = {"schema": document.schema, **part, "labels": part["labels"] or {}}
        yield around, [without_source(run) for run in runs]


def _line(kind: str, members: Json) -> str:
    return json.dumps({"type": kind, **members}, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def to_lines(document: Document) -> str:
    lines: list[str] = []
    for around, runs in _by_part(document):
        lines.append(_line("header", {name: around[name] for name in HEADER}))
        lines += [_line("run", run) for run in runs]
        if around["finished"]:
            timing = {"timing": around["timing"]} if around["timing"] else {}
            counted = Counter(str(run.get("status")) for run in runs)
            counts = {status: counted[status] for status in STATUSES}
            footer = {"finished": around["finished"], **timing, "runs": len(runs), "status_counts": counts}
            lines.append(_line("footer", footer))
    return "".join(lines)


def to_csv(document: Document) -> str:
    pairs = []
    for around, runs in _by_part(document):
        head = {name: around[name] for name in HEADER if name != "shard"}
        pairs += [(head, run, name_of(run, around)) for run in runs]
    return tables.write(pairs)


# ---------------------------------------------------------------- for people


# The columns of a table, each with the columns of the frame that it shows, and how; empty if one of them is.
CELLS = (
    ("blocks", "{:.0f}", "launch.blocks"),
    ("wasted", "{:.0f}", "launch.blocks_wasted"),
    ("median ms", "{:.5g}", "time_ms.median"),
    ("95 % interval", "{:.5g} .. {:.5g}", "time_ms.ci95.low", "time_ms.ci95.high"),
    ("I", "{:.3f}", "improvement.factor"),
    ("95 % interval", "{:.3f} .. {:.3f}", "improvement.ci95.low", "improvement.ci95.high"),
    ("GB/s", "{:.4g}", "throughput.gb_per_s"),
    ("of fill", "{1:.1%}", "throughput.gb_per_s", "throughput.fraction_of_peak"),
    ("of bound", "{:.1%} {}", "roofline.fraction_of_bound", "roofline.ceiling"),
)
TITLES = ("strategy", *(title for title, *_ in CELLS), "check", "notes")
HEADING = "{workload}, N = {n}, {block} threads per block, tile {tile}, {layout}, {engine}"
CHECKS = {"none": "", "fail": "FAIL"}


def _cells(row: Json) -> list[str]:
    """In the order of TITLES."""
    strategy = row["strategy"] + ("" if pd.isna(row["cutoff"]) else f"/{row['cutoff']:.0f}")
    shown = [(form, [row[name] for name in names]) for _, form, *names in CELLS]
    cells = ["" if any(map(pd.isna, values)) else form.format(*values).replace("%", " %") for form, values in shown]
    notes = [row["caveats"] if row["status"] == "ok" else row["status"], row["reason"]]
    check = CHECKS.get(row["verified.status"], row["verified.status"])
    return [strategy, *cells, check, ": ".join(dict.fromkeys(note for note in notes if not pd.isna(note)))]


def to_table(document: Document) -> str:
    """The runs under a heading for each workload, N and block, as tribench prints them."""
    text = ""
    for _, runs in _by_part(document):
        groups: dict[str, list[list[str]]] = {}
        for row in columns(runs).to_dict("records") if runs else ():
            groups.setdefault(HEADING.format(**row), []).append(_cells(row))
        for heading, rows in groups.items():
            filled = [list(column) for column in zip(TITLES, *rows) if any(column[1:])]
            words = [k for k, (title, *_) in enumerate(filled) if title in ("strategy", "check", "notes")]
            text += "\n".join([heading, *(f"  {line}" for line in cli.columns(list(zip(*filled)), words)), "", ""])
    return text


WRITERS = {
    "json": lambda document: dump(join([document], document.parts[0]["command"])),
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
    (document,) = read([options.result])
    cli.warn(PROG, document.warnings)
    texts = [(path, WRITERS[form](document)) for path, form in targets]
    for path, text in texts:
        cli.write_output(path, text)
    return 0
