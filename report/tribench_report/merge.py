"""Joins result files into one document, and says what does not fit together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from . import cli, differences
from .documents import SCHEMA_MAJOR, SCHEMA_NAME, Document, Json, Name, member, name_of, name_of_part, read
from .errors import ReportError
from .strict import read_bytes

PROG = "merge"
NAMED_AT_MOST = 10
UNMEASURED = ("skipped", "planned", "dropped")
# A run that failed or cannot work has been tried, and its record says why.
NOT_TRIED = ("interrupted", "planned")
RESULT_FIELDS = ("verified", "time_ms", "result", "launch")
HERE = Path(__file__).resolve().parent
# In an installed package the schema is inside it; in the sources, beside it.
FOLDER = HERE / "schema_files" if (HERE / "schema_files").is_dir() else HERE.parent / "schema"
SCHEMA_PATH = FOLDER / f"tribench-{SCHEMA_MAJOR}.schema.json"


# ---------------------------------------------------------------- which record counts


def rank(run: Json) -> tuple[int, bool]:
    """
    How much a record tells: a run that was not started does not undo a measurement, a wrong result stays wrong until
    the run is verified, and what was verified, or has an energy, stays so.
    """
    verified = member(run, "verified").get("status") or "none"
    if verified == "fail":
        return 3, False
    if run.get("status") != "ok":
        return (0 if run.get("status") in UNMEASURED else 1), False
    return 4 if verified == "pass" else 2, member(run, "energy").get("launch_j") is not None


def _by_name(documents: Sequence[Document]) -> dict[Name, list[tuple[str, Json]]]:
    """The records of each run with their files; their `source` is the place among the parts of all documents."""
    found: dict[Name, list[tuple[str, Json]]] = {}
    first = 0
    for document in documents:
        for run in document.runs:
            name = name_of(run, document.parts[run["source"]])
            found.setdefault(name, []).append((document.name, {**run, "source": first + run["source"]}))
        first += len(document.parts)
    return found


def settle(documents: Sequence[Document]) -> dict[Name, Json]:
    """
    One record per key, device and host: the one that tells most, and of equal ones the last. What failed on one host
    is dropped if another host with the same device did it, unless the result was wrong: nothing else would report a
    device that computes wrong results.
    """
    settled = {
        name: max(reversed([run for _, run in records]), key=rank) for name, records in _by_name(documents).items()
    }
    done = {name[:2] for name, run in settled.items() if run.get("status") == "ok"}
    for name, run in reversed(list(settled.items())):
        if run.get("status") != "ok" and rank(run)[0] != 3:
            if name[:2] in done:
                del settled[name]
            done.add(name[:2])  # of those that failed everywhere the last one stays
    return settled


# ---------------------------------------------------------------- what does not fit together


def _clash(before: str, one: Json, after: str, other: Json) -> str:
    """Why records of one run in two files contradict each other; '' if they do not."""
    wrong = rank(one)[0] == 3, rank(other)[0] == 3
    if wrong[0] != wrong[1] and "skipped" not in (one.get("status"), other.get("status")):
        return f"was wrong in {before if wrong[0] else after}, and not in {after if wrong[0] else before}"
    both_ok = one.get("status") == other.get("status") == "ok"
    differ = both_ok and any(one.get(name) != other.get(name) for name in RESULT_FIELDS)
    return f"differs between {before} and {after}" if differ else ""


def clashes(documents: Sequence[Document]) -> list[str]:
    """The runs that two files both did with different results, or of which one was wrong. The first says how many."""
    found: dict[str, str] = {}
    for name, ((file, held), *others) in _by_name(documents).items():
        for after, run in others:
            if after != file and name.key not in found and (words := _clash(file, held, after, run)):
                found[name.key] = f"{name.key} {words}"
            if rank(held) <= rank(run):
                file, held = after, run
    first, *more = found.values() or [""]
    if more:
        total = f"{len(found)} runs appear twice with different results, the one that tells most counts: {first}, ..."
        return [total, first, *more]
    return [f"twice with different results: {first}", first] if first else []


def gaps(documents: Sequence[Document]) -> list[str]:
    """
    A sentence for each sweep of which runs are missing: '8 of 14 runs, missing: ...'. Each shard says which runs it
    should hold, and how many its sweep has.
    """
    sweeps: dict[str, list[Json]] = {}
    for document in documents:
        # A file that was resumed with other options belongs to the last sweep.
        last = {part["file"]: member(part, "shard").get("sweep") for part in document.parts}
        for shard, file in ((part.get("shard"), part["file"]) for part in document.parts):
            if shard and shard["sweep"] == last[file]:
                sweeps.setdefault(shard["sweep"], []).append(shard)
    tried = {run["key"] for document in documents for run in document.runs if run.get("status") not in NOT_TRIED}
    return [words for shards in sweeps.values() if (words := _missing(shards, tried))]


def _first(words: Iterable[str], count: int) -> str:
    """The first of `count` words; a file may claim any count, so that the others are not looked at."""
    named = list(islice(words, NAMED_AT_MOST))
    return ", ".join(named) + (f" and {count - len(named)} more" if count > len(named) else "")


def _missing(shards: Sequence[Json], tried: set[str]) -> str:
    """What a sweep lacks: keys, then runs of shards of which no file is there."""
    every = dict.fromkeys(key for shard in shards for key in shard["runs"])
    absent, total = [key for key in every if key not in tried], shards[0]["sweep_runs"]
    words = [_first(absent, len(absent))] if absent else []
    unknown = max(total - len(every), 0)
    if unknown:
        # The sweep may have been resumed with another number of shards.
        places = dict.fromkeys((shard["count"], shard["index"]) for shard in shards)
        count = Counter(of for of, _ in places).most_common(1)[0][0]
        known = {index for of, index in places if of == count}
        lost = (f"{k}/{count}" for k in range(count) if k not in known)
        left = count - len(known)
        words.append(f"{unknown} of shard{'s' if left > 1 else ''} {_first(lost, left)}")
    missing = len(absent) + unknown
    return f"{total - missing} of {total} runs, missing: {', '.join(words)}" if missing else ""


# ---------------------------------------------------------------- one document


def _head(documents: Sequence[Document], command: Sequence[str]) -> Json:
    """The members of a document other than its parts and runs."""
    parts = [part for document in documents for part in document.parts]
    ends = {name: [part[name] for part in parts if part.get(name)] for name in ("started", "finished")}
    schemas = [int(document.schema.get("minor") or 0) for document in documents]
    labels = [part["labels"] for part in parts]
    head: Json = {
        "schema": {"name": SCHEMA_NAME, "major": SCHEMA_MAJOR, "minor": max(schemas)},
        "tool": parts[0]["tool"],
        "command": list(command),
        # ISO 8601 in UTC sorts as text.
        "started": min(ends["started"], default=None),
        "finished": max(ends["finished"], default=None),
        "environment": parts[0]["environment"],
    }
    if None not in labels:  # as in documents that are older than labels
        head["labels"] = {k: v for k, v in labels[0].items() if all((k, v) in one.items() for one in labels)}
    return head


def _joined(head: Json, parts: Sequence[Json], runs: list[Json]) -> Json:
    """Samples of two invocations must never be paired round by round: each run names its own in `merged_from`."""
    counts = Counter(run["source"] for run in runs)
    counted = [{**part, "labels": part["labels"] or {}, "runs": counts[place]} for place, part in enumerate(parts)]
    return {**head, "merged_from": counted, "runs": runs}


def join(documents: Sequence[Document], command: Sequence[str]) -> Json:
    """One document with one record per run. A single invocation stays as it is."""
    parts = [part for document in documents for part in document.parts]
    runs = list(settle(documents).values())
    if len(parts) > 1:
        return _joined(_head(documents, command), parts, runs)
    around = {name: parts[0][name] for name in ("shard", "timing") if parts[0][name]}
    return {**_head(documents, parts[0]["command"]), **around, "runs": [without_source(run) for run in runs]}


def without_source(run: Json) -> Json:
    return {name: value for name, value in run.items() if name != "source"}


def collect(documents: Sequence[Document]) -> Json:
    """
    All runs of all files; each file is a part under its own name. Of two files with one name, the later one counts.
    """
    files = dict(sorted({f"{name_of_part(document.name)}.json": document for document in documents}.items()))
    parts, runs = list[Json](), list[Json]()
    for file, document in files.items():
        runs += [{**run, "source": len(parts) + run["source"]} for run in settle([document]).values()]
        parts += [{**part, "file": file} for part in document.parts]
    head = _head(list(files.values()), [cli.COMMAND, PROG, "--collect"])
    head.pop("labels", None)  # each part has its own
    return _joined(head, parts, runs)


def validate(document: Json, path: Path = SCHEMA_PATH) -> None:
    """Raises a ReportError with the place and the reason of the first misfit."""
    import jsonschema  # type: ignore[import-untyped]  # here, as it is slow to import and nothing else needs it

    schema = json.loads(read_bytes(path))
    for misfit in jsonschema.Draft202012Validator(schema).iter_errors(document):
        where = "/".join(str(step) for step in misfit.absolute_path) or "the document"
        raise ReportError(f"the schema does not allow {where}: {misfit.message[:200]}")


_ONE_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def dump(value: Any) -> str:
    """Writes one run per line: compact, and a line-based diff still shows what changed."""
    if not isinstance(value, dict) or not value.get("runs"):
        return _ONE_LINE.encode(value) + "\n"
    head = {name: part for name, part in value.items() if name != "runs"}
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, indent=1)[:-2]
    lines = ",\n  ".join(map(_ONE_LINE.encode, value["runs"]))
    return f'{text},\n "runs": [\n  {lines}\n ]\n}}\n'


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Joins result files (json, jsonl or csv, gzipped or not) into one JSON document.",
        "A DIRECTORY stands for the result files in it. Of the records of one key, device and host, the one that\n"
        "tells most counts (verified, found wrong, not verified, failed, not started; with energy before without),\n"
        "and of equal ones the last. Runs that both succeeded with different results, or of which one was wrong,\n"
        "are named on standard error.\n"
        "Shards know of which sweep they are a part: where runs are missing, the sentence says which, and\n"
        "the exit status is 1; the document is written all the same.\n"
        "With --collect no run beats another: the document keeps every file as a part under the file's name,\n"
        "and FILE:NAME,... reads such parts (of any joined document) as the files that they were; a NAME may be\n"
        "a pattern. 'merge --collect all.json.gz:* new.json -o all.json.gz' puts new.json in the place of the\n"
        "part 'new'.",
    )
    cli.add_results(parser)
    cli.add_output(parser)
    parser.add_argument("--strict", action="store_true", help="fail when a run appears twice with different results")
    parser.add_argument(
        "--partial", action="store_true", help="exit with status 0 although runs of a sharded sweep are missing"
    )
    parser.add_argument("--validate", action="store_true", help="check every run against the JSON Schema as well")
    parser.add_argument("--collect", action="store_true", help="keep all runs, those of each file under its name")
    options = parser.parse_args(arguments)

    documents = read(options.results)
    found: list[str] = []
    cli.warn(PROG, [words for document in documents for words in document.warnings])
    if not options.collect:
        cli.warn(PROG, differences.sentence({"": differences.facts_of(documents)}, "the parts"))
        found = clashes(documents)[1:]
    cli.warn(PROG, [f"twice with different results: {clash}" for clash in found[:NAMED_AT_MOST]])
    if len(found) > NAMED_AT_MOST:
        cli.warn(PROG, [f"and so with {len(found) - NAMED_AT_MOST} more"])
    if options.strict and found:
        raise ReportError(f"{len(found)} runs appear twice with different results")
    merged = collect(documents) if options.collect else join(documents, [cli.COMMAND, PROG, *arguments])
    if options.validate:
        validate(merged)
    cli.write_output(options.output, dump(merged))
    missing = gaps(documents)
    cli.warn(PROG, missing)
    return 1 if missing and not options.partial else 0
