"""Reads result files, json, jsonl and csv, plain or gzipped, whole or torn."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from . import tables
from .errors import ReportError, UsageError
from .strict import parse, read_bytes

Json = dict[str, Any]

SCHEMA_NAME, SCHEMA_MAJOR = "tribench", 2
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
# Lines that only earlier versions wrote, of searches: since then, these are runs.
EARLIER = ("trial", "tuning")
# The members around the runs of one invocation.
INVOCATION = ("tool", "command", "labels", "shard", "started", "finished", "timing", "environment")

NUMBER = (int, float)
# The types of members around the runs, by their paths; null is allowed everywhere.
AROUND: dict[str, type | tuple[type, ...]] = {
    "schema.minor": int, "tool": dict, "command": list, "labels": dict, "labels.*": str, "started": str,
    "finished": str, "timing": dict, "file": str, "shard": dict, "shard.index": int, "shard.count": int,
    "shard.sweep": str, "shard.sweep_runs": int, "shard.runs": list, "shard.runs.*": str, "environment": dict,
    "environment.host": dict, "environment.gpu": dict, "environment.gpu.name": str, "environment.cpu": dict,
    "environment.cpu.model": str, "environment.peak_bandwidth": dict, "environment.peak_bandwidth.*": NUMBER,
    "environment.peak_arithmetic": dict, "environment.peak_arithmetic.*": NUMBER,
    "environment.idle_power_w": NUMBER, "environment.build": dict, "merged_from": list,
}  # fmt: skip
TYPE_WORDS = {
    dict: "an object", list: "a list", str: "text", int: "a whole number", NUMBER: "a number",
}  # fmt: skip


class NoResult(ReportError):
    """The file holds other JSON, such as that of --check-maps, or nothing was written into it yet."""


@dataclass(slots=True)
class Document:
    """One result file. Each run has a `source`: the place in `parts` of the invocation that made it."""

    name: str
    schema: Json
    # The members in INVOCATION and `file`, of each invocation.
    parts: list[Json] = field(default_factory=list)
    runs: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    is_joined: bool = False  # from several files

    def add(self, run: Any, where: str, source: int | None = None) -> None:
        """Errors: it is no run, or comes from no part."""
        if not isinstance(run, dict) or not isinstance(run.get("key"), str):
            raise ReportError(f"{self.name}: {where} is not a run (it has no key)")
        place = run.get("source") or 0 if source is None else source
        if isinstance(place, bool) or not isinstance(place, int):
            raise ReportError(f"{self.name}: 'source' is not a whole number")
        if not 0 <= place < len(self.parts):
            raise ReportError(f"{self.name}: run {run['key']}: its 'source' is not in 'merged_from'")
        self.runs.append({**run, "source": place})


class Name(NamedTuple):
    """Identifies a run among files of several devices."""

    key: str
    device: str
    host: str


def member(holder: Json, name: str) -> Json:
    """A member that is an object; empty if there is none."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def device_of(environment: Json, engine: object) -> str:
    """
    The device as the environment names it; before minor version 5 the name of the GPU, or for runs of the cpu engine
    that of the processor with the number of threads used.
    """
    if isinstance(environment.get("device"), str):
        return str(environment["device"])
    if engine == "cpu":
        cpu = member(environment, "cpu")
        threads = cpu.get("threads")
        suffix = f", {threads} thread{'' if threads == 1 else 's'}" if threads else ""
        return str(cpu.get("model") or "unknown processor") + suffix
    return str(member(environment, "gpu").get("name") or "unknown GPU")


def host_of(environment: Json) -> str:
    return str(member(environment, "host").get("name") or "unknown host")


def name_of(run: Json, part: Json) -> Name:
    environment = part["environment"]
    return Name(run["key"], device_of(environment, run.get("engine")), host_of(environment))


# ---------------------------------------------------------------- from files to documents


def _values(holder: Any, path: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """The values at a path, with the last step of each; '*' stands for all members."""
    steps: dict[Any, Any] = holder if isinstance(holder, dict) else dict(enumerate(holder))
    for step in steps if path[0] == "*" else (path[0],):
        value = steps.get(step)
        if len(path) == 1:
            yield str(step), value
        elif isinstance(value, (dict, list)):
            yield from _values(value, path[1:])


def expect(name: str, holder: Json, types: dict[str, type | tuple[type, ...]]) -> None:
    """Errors: names the first member that has another type."""
    for path, kind in types.items():
        for step, value in _values(holder, path.split(".")):
            if value is not None and (isinstance(value, bool) or not isinstance(value, kind)):
                word = path.split(".")[-2] if step.isdecimal() else step
                raise ReportError(f"{name}: '{word}' is not {TYPE_WORDS[kind]}")


def _part(name: str, holder: Json) -> Json:
    """The invocation that a header, a document or a part of a joined one is about."""
    expect(name, holder, AROUND)
    shard = holder.get("shard")
    if shard:
        lacking = [word for word in ("index", "count", "sweep", "sweep_runs", "runs") if shard.get(word) is None]
        if lacking:
            raise ReportError(f"{name}: 'shard' is without {lacking[0]}")
    around = {word: holder.get(word) for word in INVOCATION}
    around |= {word: around[word] or {} for word in ("tool", "environment")}
    around["command"] = [str(word) for word in around["command"] or []]
    for part in holder.get("merged_from") or []:
        if not isinstance(part, dict) or "file" not in part:
            raise ReportError(f"{name}: 'merged_from' holds what is not a part (it has no file)")
        expect(name, part, AROUND)
    return {"file": holder.get("file") or name, **around}


def _schema(name: str, holder: Json) -> Json:
    schema = holder.get("schema")
    if not isinstance(schema, dict) or schema.get("name") != SCHEMA_NAME:
        raise NoResult(f"{name}: not a tribench result (no schema named '{SCHEMA_NAME}')")
    major = schema.get("major")
    if isinstance(major, bool) or not isinstance(major, int):
        raise ReportError(f"{name}: the schema has no major version")
    return schema


def _as_list(name: str, holder: Json, word: str) -> list[Any]:
    value = holder.get(word)
    if not isinstance(value, list):
        raise ReportError(f"{name}: '{word}' is not a list")
    return value


def from_document(name: str, whole: Json) -> Document:
    document = Document(name, _schema(name, whole))
    first = _part(name, whole)
    document.is_joined = bool(whole.get("merged_from"))
    document.parts = [_part(name, part) for part in whole["merged_from"]] if document.is_joined else [first]
    for number, run in enumerate(_as_list(name, whole, "runs"), 1):
        document.add(run, f"run {number}")
    return document


def from_lines(name: str, text: str) -> Document:
    document = Document(name, {})
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, line in lines:
        try:
            record = parse(name, line)
        except ValueError:
            if number != lines[-1][0]:
                raise ReportError(f"{name}: line {number} is not JSON") from None
            document.warnings.append(f"{name}: the last line is torn and left out")
            break
        if not isinstance(record, dict):
            raise ReportError(f"{name}: line {number} is not a JSON object")
        _add_line(document, number, record)
    if not document.parts:
        raise ReportError(f"{name}: holds no header")
    return document


def _add_line(document: Document, number: int, record: Json) -> None:
    name, kind = document.name, record.pop("type", None)
    if kind == "header":
        schema = _schema(name, record)
        held = document.schema or schema
        if held["major"] != schema["major"]:
            raise ReportError(
                f"{name}: line {number} has schema major {schema['major']}, the lines before {held['major']}"
            )
        document.parts.append(_part(name, record))
        document.schema = max(held, schema, key=lambda one: int(one.get("minor") or 0))
    elif not document.parts:
        raise ReportError(f"{name}: line {number} comes before any header")
    elif kind == "run":
        document.add(record, f"line {number}", len(document.parts) - 1)
    elif kind == "footer":
        expect(name, record, AROUND)
        document.parts[-1] |= {"finished": record.get("finished"), "timing": record.get("timing")}
    elif kind not in EARLIER:
        document.warnings.append(f"{name}: line {number} has the unknown type {kind!r} and is left out")


def from_rows(name: str, text: str) -> Document:
    """Reads CSV. Rows with the same document around them are one invocation, even with other rows in between."""
    document, places = Document(name, {}), dict[str, int]()
    for number, (around, run) in enumerate(tables.read(name, text, document.warnings), 2):
        which = json.dumps(around)
        if which not in places:
            document.schema = _schema(name, around)
            places[which] = len(document.parts)
            document.parts.append(_part(name, around))
        document.add(run, f"row {number}", places[which])
    if not document.parts:
        raise NoResult(f"{name}: holds no run")
    return document


def _is_line(name: str, text: str) -> bool:
    """Whether a text is a line of a jsonl file, rather than a document or a piece of one."""
    try:
        return "type" in parse(name, text)
    except (ValueError, TypeError):
        return False


def read_file(path: Path) -> Document:
    """Reads one file in any of the formats."""
    name = str(path)
    # A line torn in the middle of a character must not make the rest of the file unreadable.
    text = read_bytes(path).decode("utf-8-sig", errors="replace").strip()
    if not text:
        raise NoResult(f"{name}: is empty")
    if tables.is_csv(text):
        return from_rows(name, text)
    first, _, others = text.partition("\n")
    if _is_line(name, first):
        return from_lines(name, text)
    try:
        whole = parse(name, text)
    except ValueError as problem:
        if ".jsonl" in path.suffixes and not others:
            raise NoResult(f"{name}: holds nothing but a torn line") from None
        raise ReportError(f"{name}: is not JSON: {problem}") from None
    if not isinstance(whole, dict):
        raise NoResult(f"{name}: is not a tribench result")
    return from_document(name, whole)


def name_of_part(file: object) -> str:
    """The name by which a part is chosen: 'paper' for what was read from 'DIR/paper.json.gz'."""
    return re.sub(r"(\.jsonl?|\.csv)?(\.gz)?$", "", re.split("[/:]", str(file))[-1])


def parts_of(whole: Document, wanted: Sequence[str]) -> list[Document]:
    """Parts of a joined document as the files that they were, in the order in which they are named.

    Input: wanted, names of parts or patterns. Parts with one name are one file.
    """
    path, found = whole.name, list[str]()
    if not whole.is_joined:
        raise ReportError(f"{path}: is not joined from several files, so that none can be chosen")
    names = [name_of_part(part["file"]) for part in whole.parts]
    for pattern in wanted:
        matching = [name for name in names if fnmatchcase(name, pattern)]
        if not matching:
            raise ReportError(f"{path}: has no part '{pattern}'")
        found += matching
    chosen = {name: Document(f"{path}:{name}", whole.schema) for name in dict.fromkeys(found)}
    places: dict[int, int] = {}
    for source, (name, part) in enumerate(zip(names, whole.parts)):
        if name in chosen:
            places[source] = len(chosen[name].parts)
            chosen[name].parts.append(part)
    for run in whole.runs:
        if run["source"] in places:
            chosen[names[run["source"]]].runs.append({**run, "source": places[run["source"]]})
    return list(chosen.values())


def expand(word: str) -> list[Path]:
    """The file that is named; a directory stands for the result files in it, sorted by name."""
    path = Path(word)
    if not path.is_dir():
        return [path]
    inside = sorted(p for p in path.iterdir() if p.name.endswith(SUFFIXES) and p.is_file())
    if not inside:
        raise ReportError(f"{word}: holds no file that ends in {', '.join(SUFFIXES)}")
    return inside


def _read_word(word: str, opened: dict[str, Document], left_out: list[str]) -> Iterator[Document]:
    """
    Reads FILE, DIRECTORY or FILE:PART,..., of which several words may name parts of one file; in a directory, other
    JSON and empty files are left out.
    """
    path, colon, wanted = word.rpartition(":")
    if colon and not os.path.exists(word):  # unlike pathlib's, this accepts a word of any length
        if path not in opened:
            opened[path] = read_file(Path(path))
        yield from parts_of(opened[path], wanted.split(","))
        return
    for file in expand(word):
        try:
            yield read_file(file)
        except NoResult as problem:
            if not Path(word).is_dir():
                raise
            left_out.append(f"{problem}, left out")


def read(words: Sequence[str], distinct: str = "") -> list[Document]:
    """
    Reads all files that the words name, parts of joined documents, and the results in directories.

    Input: distinct, the words after "FILE is named twice" if the files must be separate invocations

    Errors: mixed or unknown schema majors
    """
    left_out, opened = list[str](), dict[str, Document]()
    documents = [document for word in words for document in _read_word(word, opened, left_out)]
    if not documents:
        raise ReportError(f"{', '.join(words)}: holds no result")
    documents[0].warnings += left_out
    majors = {document.schema["major"]: document.name for document in documents}
    if len(majors) > 1:
        (one, first), (other, second) = sorted(majors.items())[:2]
        raise ReportError(f"schema majors are mixed: {first} has {one}, {second} has {other}")
    if SCHEMA_MAJOR not in majors:
        ((major, name),) = majors.items()
        whose = "an older" if major < SCHEMA_MAJOR else "a newer"
        raise ReportError(f"{name}: has schema major {major}, of {whose} tribench; this script reads {SCHEMA_MAJOR}")
    if distinct:
        seen: set[str] = set()
        for document in documents:
            place = os.path.realpath(document.name)
            if place in seen:
                raise UsageError(f"{document.name} is named twice{distinct.rstrip()}: one invocation is no repeat")
            seen.add(place)
    return documents
