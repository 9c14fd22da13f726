"""Converts a result to another format: json, jsonl or csv."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from . import cli, tables
from .documents import Document, Json, name_of, read
from .errors import UsageError
from .merge import dump, join, settle, without_source

PROG = "convert"
SUFFIX_FORMATS = {".json": "json", ".jsonl": "jsonl", ".csv": "csv"}
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


WRITERS = {
    "json": lambda document: dump(join([document], document.parts[0]["command"])),
    "jsonl": to_lines,
    "csv": to_csv,
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
        "Writes a result in other formats: json, jsonl or csv.",
        "The format is that of FILE:FORMAT, else that of --format, else the suffix tells: .json, .jsonl, .csv.\n"
        "json and jsonl keep everything; csv has all of every run and no searches, shards, times of the end.\n"
        "What became jsonl can be resumed.",
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
