"""Reads result files, json and jsonl, whole or torn, plain or gzipped; knows nothing of what a run means."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import ReportError

SCHEMA_NAME = "tribench"
SCHEMA_MAJOR = 1
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")

Json = dict[str, Any]


@dataclass(slots=True)
class Source:
    """One result file: what stands around the runs, and the runs, one for each key."""

    name: str
    schema: Json
    tool: Json = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    started: str | None = None
    finished: str | None = None
    timing: Json | None = None
    environment: Json = field(default_factory=dict)
    runs: dict[str, Json] = field(default_factory=dict)
    merged_from: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def part(self) -> Json:
        """What a joined document remembers of this file, or of one invocation that added to it."""
        return {
            "file": self.name,
            "tool": self.tool,
            "command": self.command,
            "started": self.started,
            "finished": self.finished,
            "timing": self.timing,
            "environment": self.environment,
            "runs": len(self.runs),
        }

    @property
    def major(self) -> int:
        return int(self.schema["major"])


def _reject_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _parse(text: str) -> Any:
    return json.loads(text, parse_constant=_reject_constant)


def _read_text(path: Path) -> str:
    try:
        if str(path) == "-":
            return sys.stdin.read()
        raw = path.read_bytes()
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
        # A line torn in the middle of a character must not make the rest of the file unreadable.
        return raw.decode("utf-8", errors="replace")
    except (OSError, EOFError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ReportError(f"{path}: cannot be read: {reason}") from None


class NoResult(ReportError):
    """JSON of something else, such as --check-maps."""


def _check_schema(name: str, holder: Json) -> Json:
    schema = holder.get("schema")
    if not isinstance(schema, dict) or schema.get("name") != SCHEMA_NAME:
        raise NoResult(f"{name}: not a tribench result (no schema named '{SCHEMA_NAME}')")
    if not isinstance(schema.get("major"), int):
        raise ReportError(f"{name}: the schema has no major version")
    return schema


def _header(name: str, holder: Json) -> Source:
    command = holder.get("command")
    return Source(
        name=name,
        schema=_check_schema(name, holder),
        tool=holder.get("tool") or {},
        command=[str(word) for word in command] if isinstance(command, list) else [],
        started=holder.get("started"),
        finished=holder.get("finished"),
        timing=holder.get("timing"),
        environment=holder.get("environment") or {},
        merged_from=holder.get("merged_from") or [],
    )


def _add_run(source: Source, run: Any, where: str) -> None:
    if not isinstance(run, dict) or not isinstance(run.get("key"), str):
        raise ReportError(f"{source.name}: {where} is not a run (it has no key)")
    run.pop("type", None)
    # A run that failed is tried again by a resumed sweep, so the later word about a key is the valid one.
    source.runs[run["key"]] = run


def _from_document(name: str, document: Json) -> Source:
    source = _header(name, document)
    runs = document.get("runs")
    if not isinstance(runs, list):
        raise ReportError(f"{name}: 'runs' is not a list")
    for number, run in enumerate(runs, 1):
        _add_run(source, run, f"run {number}")
    return source


def _records(name: str, text: str, warnings: list[str]) -> Iterator[tuple[int, Json]]:
    lines = text.split("\n")
    last = max((number for number, line in enumerate(lines) if line.strip()), default=-1)
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            record = _parse(line)
        except ValueError:
            if number != last:
                raise ReportError(f"{name}: line {number + 1} is not JSON") from None
            warnings.append(f"{name}: the last line is torn and left out")
            return
        if not isinstance(record, dict):
            raise ReportError(f"{name}: line {number + 1} is not a JSON object")
        yield number + 1, record


def _from_lines(name: str, text: str) -> Source:
    invocations: list[Source] = []
    warnings: list[str] = []
    for number, record in _records(name, text, warnings):
        kind = record.get("type")
        if kind == "header":
            header = _header(name, record)
            if invocations and header.major != invocations[0].major:
                raise ReportError(
                    f"{name}: line {number} has schema major {header.major}, "
                    f"the lines before {invocations[0].major}"
                )
            invocations.append(header)
        elif not invocations:
            raise ReportError(f"{name}: line {number} comes before any header")
        elif kind == "run":
            _add_run(invocations[-1], record, f"line {number}")
        elif kind == "footer":
            invocations[-1].finished = record.get("finished")
            invocations[-1].timing = record.get("timing")
        else:
            warnings.append(f"{name}: line {number} has the unknown type {kind!r} and is left out")
    if not invocations:
        raise ReportError(f"{name}: holds no header")
    source = invocations[0] if len(invocations) == 1 else _resumed(invocations)
    source.warnings = warnings
    return source


def _resumed(invocations: list[Source]) -> Source:
    """Several invocations wrote to one file: as with joined files, each run remembers its own."""
    first = invocations[0]
    whole = Source(
        name=first.name,
        schema=max((one.schema for one in invocations), key=lambda schema: int(schema.get("minor") or 0)),
        tool=first.tool,
        command=first.command,
        started=first.started,
        finished=max((one.finished for one in invocations if one.finished), default=None),
        environment=first.environment,
        merged_from=[one.part() for one in invocations],
    )
    for place, one in enumerate(invocations):
        for key, run in one.runs.items():
            # As above: the later word is the valid one, and it stands where the first stood.
            whole.runs[key] = {**run, "source": place}
    return whole


def read_file(path: Path) -> Source:
    """One file, whichever of the two formats it is in: the first line of a jsonl file is a whole object."""
    text = _read_text(path)
    name = str(path)
    if not text.strip():
        raise ReportError(f"{name}: is empty")
    try:
        document = _parse(text)
    except ValueError as problem:
        first = text.lstrip().split("\n", 1)[0]
        try:
            is_lines = "type" in _parse(first)
        except (ValueError, TypeError):
            is_lines = False
        if not is_lines:
            raise ReportError(f"{name}: is not JSON: {problem}") from None
        return _from_lines(name, text)
    if not isinstance(document, dict):
        raise ReportError(f"{name}: is not a tribench result")
    return _from_lines(name, text) if "type" in document else _from_document(name, document)


def expand(words: Sequence[str]) -> list[Path]:
    """Files as they are named; a directory stands for the result files in it, in the order of their names."""
    paths: list[Path] = []
    for word in words:
        path = Path(word)
        if not path.is_dir():
            paths.append(path)
            continue
        inside = sorted(p for p in path.iterdir() if p.name.endswith(SUFFIXES) and p.is_file())
        if not inside:
            raise ReportError(f"{word}: holds no file that ends in {', '.join(SUFFIXES)}")
        paths.extend(inside)
    return paths


def read_all(words: Sequence[str]) -> list[Source]:
    """
    Every file that the words name, and what results a directory holds beside other JSON; refuses to mix schema majors
    or to guess at one that it does not know.
    """
    sources: list[Source] = []
    others: list[str] = []
    for word in words:
        for path in expand([word]):
            try:
                sources.append(read_file(path))
            except NoResult as problem:
                if str(path) == word:
                    raise
                others.append(f"{problem}, left out")
    if not sources:
        raise ReportError(f"{', '.join(words)}: holds no result")
    sources[0].warnings += others
    majors = {source.major: source.name for source in sources}
    if len(majors) > 1:
        (one, first), (other, second) = sorted(majors.items())[:2]
        raise ReportError(f"schema majors are mixed: {first} has {one}, {second} has {other}")
    if SCHEMA_MAJOR not in majors:
        ((major, name),) = majors.items()
        raise ReportError(f"{name}: has schema major {major}, this script knows {SCHEMA_MAJOR}")
    return sources
