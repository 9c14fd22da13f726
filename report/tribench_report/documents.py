"""Reads result files, json, jsonl and csv, plain or gzipped, whole or torn: each as its invocations and their runs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
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
INVOCATION = {
    "tool": dict, "command": list, "labels": dict, "shard": dict, "started": str, "finished": str, "timing": dict,
    "environment": dict,
}  # fmt: skip
SHARD = {"index": int, "count": int, "sweep": str, "sweep_runs": int, "runs": list}
TYPE_WORDS = {dict: "an object", list: "a list", str: "text", int: "a whole number"}


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

    def add(self, run: Any, where: str, source: int | None = None) -> None:
        """Errors: it is no run, or comes from no part."""
        if not isinstance(run, dict) or not isinstance(run.get("key"), str):
            raise ReportError(f"{self.name}: {where} is not a run (it has no key)")
        place = run.get("source") or 0 if source is None else source
        if not isinstance(place, int) or place not in range(len(self.parts)):
            raise ReportError(f"{self.name}: run {run['key']}: its 'source' is not in 'merged_from'")
        self.runs.append({**run, "source": place})

    def by_part(self) -> list[list[Json]]:
        """The runs of each part."""
        found: list[list[Json]] = [[] for _ in self.parts]
        for run in self.runs:
            found[run["source"]].append(run)
        return found


class Name(NamedTuple):
    """Identifies a run among files of several devices."""

    key: str
    device: str


def member(holder: Json, name: str) -> Json:
    """A member that is an object; empty if there is none."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def device_of(environment: Json, engine: object) -> str:
    """The device that the environment names; before minor version 5 the GPU, or the processor with its threads."""
    if isinstance(environment.get("device"), str):
        return str(environment["device"])
    if engine != "cpu":
        return str(member(environment, "gpu").get("name") or "unknown GPU")
    cpu = member(environment, "cpu")
    threads = cpu.get("threads")
    suffix = f", {threads} thread{'' if threads == 1 else 's'}" if threads else ""
    return str(cpu.get("model") or "unknown processor") + suffix


def commit_of(*holders: Json) -> str:
    """The first commit that is known, cut to nine digits: '3f2a91cbd', or '3f2a91cbd-dirty' of a changed tree."""
    known = next((str(holder["git_commit"]) for holder in holders if holder.get("git_commit")), "")
    commit, dash, state = known.partition("-")
    return commit[:9] + dash + state


def name_of(run: Json, part: Json) -> Name:
    return Name(run["key"], device_of(part["environment"], run.get("engine")))


# ---------------------------------------------------------------- from a file to a document


def _expect(file: str, holder: Json, types: Mapping[str, type]) -> None:
    """Errors: a member is neither null nor of its type."""
    for name, kind in types.items():
        if not isinstance(holder.get(name), kind | None):
            raise ReportError(f"{file}: '{name}' is not {TYPE_WORDS[kind]}")


def _part(file: str, holder: Json) -> Json:
    """The invocation that a header, a document or a part of a joined one is about."""
    _expect(file, holder, INVOCATION | {"file": str})
    if shard := holder.get("shard"):
        _expect(file, shard, SHARD)
        for name in (name for name in SHARD if shard.get(name) is None):
            raise ReportError(f"{file}: 'shard' is without {name}")
    return {
        "file": holder.get("file") or file,
        **{name: holder.get(name) for name in INVOCATION},
        "tool": holder.get("tool") or {},
        "environment": holder.get("environment") or {},
        "command": [str(word) for word in holder.get("command") or []],
    }


def _schema(file: str, holder: Json) -> Json:
    """Errors: it is no result, or one of a schema that this package does not read."""
    schema = holder.get("schema")
    if not isinstance(schema, dict) or schema.get("name") != SCHEMA_NAME:
        raise NoResult(f"{file}: not a tribench result (no schema named '{SCHEMA_NAME}')")
    major = schema.get("major")
    _expect(file, schema, {"major": int, "minor": int})
    if major is None:
        raise ReportError(f"{file}: the schema has no major version")
    if major != SCHEMA_MAJOR:
        whose = "an older" if major < SCHEMA_MAJOR else "a newer"
        raise ReportError(f"{file}: has schema major {major}, of {whose} tribench; this reads {SCHEMA_MAJOR}")
    return schema


def from_document(name: str, whole: Json) -> Document:
    schema = _schema(name, whole)
    _expect(name, whole, {"merged_from": list, "runs": list})
    parts = whole.get("merged_from") or [{**whole, "file": name}]
    if not all(isinstance(part, dict) and "file" in part for part in parts):
        raise ReportError(f"{name}: 'merged_from' holds what is not a part (it has no file)")
    document = Document(name, schema, [_part(name, part) for part in parts])
    for number, run in enumerate(whole.get("runs") or [], 1):
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
        kind = record.pop("type", None)
        if kind == "header":
            document.schema = _schema(name, record)
            document.parts.append(_part(name, record))
        elif not document.parts:
            raise ReportError(f"{name}: line {number} comes before any header")
        elif kind == "run":
            document.add(record, f"line {number}", len(document.parts) - 1)
        elif kind == "footer":
            _expect(name, record, INVOCATION)
            document.parts[-1] |= {"finished": record.get("finished"), "timing": record.get("timing")}
        elif kind not in EARLIER:
            document.warnings.append(f"{name}: line {number} has the unknown type {kind!r} and is left out")
    return document


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


def read_file(path: Path) -> Document:
    """Reads one file in any of the formats."""
    name = str(path)
    # A line torn in the middle of a character must not make the rest of the file unreadable.
    text = read_bytes(path).decode("utf-8-sig", errors="replace").strip()
    if not text:
        raise NoResult(f"{name}: is empty")
    if tables.separator(text):
        return from_rows(name, text)
    line, newline, _ = text.partition("\n")
    try:
        first = parse(name, line)
    except ValueError:
        if ".jsonl" in path.suffixes and not newline:
            raise NoResult(f"{name}: holds nothing but a torn line") from None
        first = None  # of a document in several lines
    if isinstance(first, dict) and "type" in first:
        return from_lines(name, text)
    try:
        whole = parse(name, text) if newline or first is None else first
    except ValueError as problem:
        raise ReportError(f"{name}: is not JSON: {problem}") from None
    if not isinstance(whole, dict):
        raise NoResult(f"{name}: is not a tribench result")
    return from_document(name, whole)


# ---------------------------------------------------------------- from the words of a command to documents


def name_of_part(file: object) -> str:
    """The name by which a part is chosen: 'paper' for what was read from 'DIR/paper.json.gz'."""
    return re.sub(r"(\.jsonl?|\.csv)?(\.gz)?$", "", re.split("[/:]", str(file))[-1])


def parts_of(whole: Document, wanted: Sequence[str]) -> list[Document]:
    """Parts of a joined document, named by names or patterns, as the files that they were: one for each name."""
    names = [name_of_part(part["file"]) for part in whole.parts]
    chosen: dict[str, Document] = {}
    for pattern in wanted:
        matching = [name for name in names if fnmatchcase(name, pattern)]
        if not matching:
            raise ReportError(f"{whole.name}: has no part '{pattern}'")
        chosen |= {name: Document(f"{whole.name}:{name}", whole.schema) for name in matching if name not in chosen}
    for name, part, runs in zip(names, whole.parts, whole.by_part()):
        if document := chosen.get(name):
            document.runs += [{**run, "source": len(document.parts)} for run in runs]
            document.parts.append(part)
    return list(chosen.values())


def read(words: Sequence[str], distinct: bool = False) -> list[Document]:
    """
    Reads what FILE, DIRECTORY and FILE:PART,... name; in a directory, other JSON and empty files are left out.

    Input: distinct, whether the files must be separate invocations
    """
    opened = cache(read_file)  # several words may name parts of one file
    documents, left_out = list[Document](), list[str]()
    for word in words:
        path, colon, wanted = word.rpartition(":")
        if colon and not os.path.exists(word):
            documents += parts_of(opened(Path(path)), wanted.split(","))
            continue
        files = [Path(word)]
        if is_folder := os.path.isdir(word):
            files = sorted(p for p in Path(word).iterdir() if p.name.endswith(SUFFIXES) and p.is_file())
        for file in files:
            try:
                documents.append(read_file(file))
            except NoResult as problem:
                if not is_folder:
                    raise
                left_out.append(f"{problem}, left out")
    if not documents:
        raise ReportError(f"{', '.join(words)}: holds no result in a file that ends in {', '.join(SUFFIXES)}")
    documents[0].warnings += left_out
    seen: set[str] = set()
    for name in [document.name for document in documents] if distinct else ():
        if os.path.realpath(name) in seen:
            raise UsageError(f"{name} is named twice: one invocation is no repeat")
        seen.add(os.path.realpath(name))
    return documents
