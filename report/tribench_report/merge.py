"""Joins result files into one, as json, jsonl or csv; of several records of a run, the last one counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from . import cli, tables
from .documents import INVOCATION, SCHEMA_MAJOR, SCHEMA_NAME, Document, Json, Name, member, name_of, read

PROG = "merge"
NAMED_AT_MOST = 10
# A run that failed or cannot work has been tried, and its record says why.
NOT_TRIED = ("interrupted", "planned")
NOT_STARTED = ("skipped", "planned", "dropped")
RESULT_FIELDS = ("verified", "time_ms", "result", "launch")
STATUSES = ("ok", "failed", "skipped", "planned", "interrupted", "dropped")


# ---------------------------------------------------------------- which record counts


def settle(documents: Sequence[Document]) -> dict[Name, Json]:
    """
    The last record of each key and device, but for one of a run that was not started, which never replaces a
    measurement. Its `source` is the place of its invocation among the parts of all documents.
    """
    found: dict[Name, Json] = {}
    first = 0
    for document in documents:
        for run in document.runs:
            name = name_of(run, document.parts[run["source"]])
            if name not in found or run.get("status") not in NOT_STARTED:
                found[name] = {**run, "source": first + run["source"]}
        first += len(document.parts)
    return found


def _is_told(run: Json) -> bool:
    return run.get("status") == "ok" or member(run, "verified").get("status") == "fail"


def clashes(documents: Sequence[Document]) -> list[str]:
    """The keys that several files measured with different results, or only one of them with a wrong result."""
    settled, found, first = settle(documents), dict[str, None](), 0
    for document in documents:
        for run in document.runs:
            other = settled[name_of(run, document.parts[run["source"]])]
            is_same_file = first <= other["source"] < first + len(document.parts)
            if not is_same_file and _is_told(run) and _is_told(other):
                if any(run.get(name) != other.get(name) for name in RESULT_FIELDS):
                    found[run["key"]] = None
        first += len(document.parts)
    return cli.counted(found, "run{s} {have} different results in several files, and the last one counts")


def gaps(documents: Sequence[Document]) -> list[str]:
    """For each sweep that lacks runs '8 of 14 runs, missing: ...': a shard says what it holds and its sweep's size."""
    sweeps: dict[str, list[Json]] = {}
    for document in documents:
        # A file that was resumed with other options belongs to the last sweep.
        last = {part["file"]: part["shard"]["sweep"] for part in document.parts if part["shard"]}
        for part in document.parts:
            if part["shard"] and part["shard"]["sweep"] == last[part["file"]]:
                sweeps.setdefault(part["shard"]["sweep"], []).append(part["shard"])
    tried = {run["key"] for document in documents for run in document.runs if run.get("status") not in NOT_TRIED}
    return [words for shards in sweeps.values() if (words := _missing(shards, tried))]


def _missing(shards: Sequence[Json], tried: set[str]) -> str:
    """What a sweep lacks: keys, then runs of shards of which no file is there."""
    every = dict.fromkeys(str(key) for shard in shards for key in shard["runs"])
    absent, total = [key for key in every if key not in tried], shards[0]["sweep_runs"]
    words, unknown = absent[:NAMED_AT_MOST], max(total - len(every), 0)
    if len(absent) > NAMED_AT_MOST:
        words.append(f"{len(absent) - NAMED_AT_MOST} more")
    if unknown:
        # A file may claim any number of shards, and the sweep may have been resumed with another one.
        count = shards[-1]["count"]
        known = {shard["index"] for shard in shards if shard["count"] == count}
        lost = [*islice((f"{k}/{count}" for k in range(count) if k not in known), NAMED_AT_MOST + 1)]
        more = ", ..." if len(lost) > NAMED_AT_MOST else ""
        words.append(f"{unknown} of shards {', '.join(lost[:NAMED_AT_MOST])}{more}")
    missing = len(absent) + unknown
    return f"{total - missing} of {total} runs, missing: {', '.join(words)}" if missing else ""


# ---------------------------------------------------------------- one document


def join(documents: Sequence[Document], command: Sequence[str], apart: bool = False) -> Json:
    """
    One document. Samples of two invocations must never be paired round by round: each run names its own in
    `merged_from`. A single invocation stays as it is.

    Input: apart, whether each file keeps its own record of a run that others have, too
    """
    parts = [{**part, "labels": part["labels"] or {}} for document in documents for part in document.parts]
    ends = {name: [part[name] for part in parts if part[name]] for name in ("started", "finished")}
    labels = [part["labels"] for part in parts]
    minor = max(int(document.schema.get("minor") or 0) for document in documents)
    head: Json = {
        "schema": {"name": SCHEMA_NAME, "major": SCHEMA_MAJOR, "minor": minor},
        "tool": parts[0]["tool"],
        "command": list(command),
        # ISO 8601 in UTC sorts as text.
        "started": min(ends["started"], default=None),
        "finished": max(ends["finished"], default=None),
        "environment": parts[0]["environment"],
        "labels": {k: v for k, v in labels[0].items() if all((k, v) in each.items() for each in labels)},
    }
    runs: list[Json] = []
    first = 0
    for group in [[document] for document in documents] if apart else [documents]:
        runs += [{**run, "source": first + run["source"]} for run in settle(group).values()]
        first += sum(len(document.parts) for document in group)
    if len(parts) > 1 or apart:
        counts = Counter(run["source"] for run in runs)
        counted = [{**part, "runs": counts[place]} for place, part in enumerate(parts)]
        return {**head, "merged_from": counted, "runs": runs}
    around = {name: parts[0][name] for name in ("shard", "timing") if parts[0][name]}
    return {**head, "command": parts[0]["command"], **around, "runs": [_without_source(run) for run in runs]}


def _without_source(run: Json) -> Json:
    return {name: value for name, value in run.items() if name != "source"}


# ---------------------------------------------------------------- formats

_ONE_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def dump(whole: Json) -> str:
    """Writes one run per line: compact, and a line-based diff still shows what changed."""
    head = {name: part for name, part in whole.items() if name != "runs"}
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, indent=1)[:-2]
    lines = ",\n  ".join(map(_ONE_LINE.encode, whole["runs"]))
    return f'{text},\n "runs": [\n  {lines}\n ]\n}}\n'


def _invocations(whole: Json) -> Iterator[tuple[Json, list[Json]]]:
    """What stands around each invocation, and its runs."""
    parts = whole.get("merged_from") or [whole]
    runs: list[list[Json]] = [[] for _ in parts]
    for run in whole["runs"]:
        runs[run.get("source", 0)].append(_without_source(run))
    for part, mine in zip(parts, runs):
        yield {"schema": whole["schema"], **{name: part[name] for name in INVOCATION if part.get(name)}}, mine


def to_lines(whole: Json) -> str:
    """What `tribench --resume` reads."""
    lines: list[Json] = []
    for around, runs in _invocations(whole):
        end: Json = {name: around.pop(name) for name in ("finished", "timing") if name in around}
        lines += [{"type": "header", **around}, *({"type": "run", **run} for run in runs)]
        if end:
            counted = Counter(str(run.get("status")) for run in runs)
            counts = {status: counted[status] for status in STATUSES}
            lines.append({"type": "footer", **end, "runs": len(runs), "status_counts": counts})
    return "".join(_ONE_LINE.encode(line) + "\n" for line in lines)


def to_csv(whole: Json) -> str:
    """All of every run, and no shards and times of the end."""
    rows = []
    for around, runs in _invocations(whole):
        kept = {name: value for name, value in around.items() if name not in ("shard", "finished", "timing")}
        rows += [(kept, run, name_of(run, kept).device) for run in runs]
    return tables.write(rows)


WRITERS = {"json": dump, "jsonl": to_lines, "csv": to_csv}


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Joins result files (json, jsonl or csv, gzipped or not) into one document, in any of these formats.",
        "A DIRECTORY stands for the result files in it. Of several records of one key and device the last one\n"
        "counts, but a run that was skipped never replaces a measurement. A single file is converted: json and\n"
        "jsonl keep all of it, csv its runs; what became jsonl can be resumed.\n"
        "Shards know of which sweep they are a part: where runs are missing, the sentence says which, and\n"
        "the exit status is 1; the document is written all the same.",
    )
    cli.add_results(parser)
    cli.add_output(parser)
    how = "of the output (default: as its suffix says, which may be followed by .gz; else json)"
    parser.add_argument("-f", "--format", choices=WRITERS, help=how)
    accept = "exit with status 0 although runs of a sharded sweep are missing"
    parser.add_argument("--partial", action="store_true", help=accept)
    options = parser.parse_args(arguments)

    documents = read(options.results)
    cli.warn(PROG, [words for document in documents for words in document.warnings])
    devices = sorted({name.device for name in settle(documents)})
    cli.warn(PROG, [f"the runs are from different devices: {', '.join(devices)}"] if len(devices) > 1 else [])
    cli.warn(PROG, clashes(documents))
    suffix = Path(options.output.removesuffix(".gz")).suffix[1:]
    write: Any = WRITERS[options.format or (suffix if suffix in WRITERS else "json")]
    cli.write_output(options.output, write(join(documents, [cli.COMMAND, PROG, *arguments])))
    missing = gaps(documents)
    cli.warn(PROG, missing)
    return 1 if missing and not options.partial else 0
