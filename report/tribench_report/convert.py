"""Converts a result to another format: json, jsonl, csv, or a table for people."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from . import cli, tables
from .documents import Document, Json, name_of, read
from .errors import UsageError
from .frame import columns
from .merge import dump, join, settle, without_source

PROG = "convert"
SUFFIX_FORMATS = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".txt": "table"}
STATUSES = ("ok", "failed", "skipped", "planned", "interrupted", "dropped")


def _by_part(document: Document) -> Iterator[tuple[Json, list[Json]]]:
    """The invocations that made a result, each with its runs, one record per run."""
    settled = settle([document]).values()
    for place, part in enumerate(document.parts):
        yield part, [run for run in settled if run["source"] == place]


def _around(document: Document, part: Json, *left_out: str) -> Json:
    names = [name for name in ("tool", "command", "labels", "shard", "started", "environment") if name not in left_out]
    return {"schema": document.schema, **{name: part[name] for name in names}, "labels": part["labels"] or {}}


def _line(kind: str, members: Json) -> str:
    return json.dumps({"type": kind, **members}, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def _footer(part: Json, runs: list[Json]) -> Json:
    counted = Counter(str(run.get("status")) for run in runs)
    timing = {"timing": part["timing"]} if part.get("timing") else {}
    counts = {status: counted[status] for status in STATUSES}
    return {"finished": part["finished"], **timing, "runs": len(runs), "status_counts": counts}


def to_lines(document: Document) -> str:
    lines: list[str] = []
    for part, runs in _by_part(document):
        lines.append(_line("header", _around(document, part)))
        lines += [_line("run", without_source(run)) for run in runs]
        lines += [_line("footer", _footer(part, runs))] if part.get("finished") else []
    return "".join(lines)


def to_csv(document: Document) -> str:
    pairs = []
    for part, runs in _by_part(document):
        around = _around(document, part, "shard")
        names = [name_of(run, part) for run in runs]
        pairs += [(around, without_source(run), name.device, name.host) for run, name in zip(runs, names)]
    return tables.write(pairs)


# ---------------------------------------------------------------- for people


def _shown(value: Any, form: str = "{:.5g}") -> str:
    return "" if pd.isna(value) else form.format(value)


def _ends(row: Json, name: str, form: str) -> str:
    """'low .. high'; '' if the value was recorded without an interval."""
    low, high = (row[f"{name}.ci95.{end}"] for end in ("low", "high"))
    return "" if pd.isna(low) else f"{form} .. {form}".format(low, high)


def _cells(row: Json) -> list[str]:
    """In the order of TITLES."""
    flag = row["caveats"] if row["status"] == "ok" else row["status"]
    words = [word for word in (flag, row["reason"]) if isinstance(word, str) and word]
    peak = row["throughput.fraction_of_peak"] if row["throughput.gb_per_s"] > 0 else None
    return [
        row["strategy"] + _shown(row["cutoff"], "/{:.0f}"),
        _shown(row["launch.blocks"], "{:.0f}"),
        _shown(row["launch.blocks_wasted"], "{:.0f}"),
        _shown(row["time_ms.median"]),
        _ends(row, "time_ms", "{:.5g}"),
        _shown(row["improvement.factor"], "{:.3f}"),
        _ends(row, "improvement", "{:.3f}"),
        _shown(row["throughput.gb_per_s"], "{:.4g}"),
        _shown(peak and 100 * peak, "{:.1f} %"),
        _shown(100 * row["roofline.fraction_of_bound"], "{:.1f} %" + _shown(row["roofline.ceiling"], " {}")),
        {"none": "", "fail": "FAIL"}.get(row["verified.status"], row["verified.status"]),
        ": ".join(dict.fromkeys(words)),
    ]


TITLES = (
    "strategy", "blocks", "wasted", "median ms", "95 % interval", "I", "95 % interval", "GB/s", "of fill", "of bound",
    "check", "notes",
)  # fmt: skip
HEADING = "{workload}, N = {n}, {block} threads per block, tile {tile}, {layout}, {engine}"


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
