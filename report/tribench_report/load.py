"""Reads result files, json, jsonl and csv, whole or torn, plain or gzipped; knows nothing of what a run means."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from . import rows
from .errors import ReportError
from .strict import Reader, read_bytes, reader

SCHEMA_NAME = "tribench"
SCHEMA_MAJOR = 2
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
LINES = (".jsonl", ".jsonl.gz")

Json = dict[str, Any]
Types = dict[str, type | tuple[type, ...]]

# What stands around the runs, in a file as in each part of a joined one. Null is allowed everywhere.
AROUND: Types = {
    "tool": dict,
    "command": list,
    "labels": dict,
    "shard": dict,
    "started": str,
    "finished": str,
    "timing": dict,
    "environment": dict,
    "merged_from": list,
    "file": str,
}
SHARD: Types = {"index": int, "count": int, "sweep": str, "sweep_runs": int, "runs": list}
ENVIRONMENT: Types = {
    "host": dict,
    "gpu": dict,
    "cpu": dict,
    "peak_bandwidth": dict,
    "peak_arithmetic": dict,
}
NUMBER = (int, float)
TYPE_WORDS: dict[object, str] = {
    dict: "an object",
    list: "a list",
    str: "text",
    int: "a whole number",
    NUMBER: "a number",
}


class Line(Json):
    """A run that knows the text which it was read from, so that it need not be written anew."""

    def __init__(self, members: Json, text: str) -> None:
        super().__init__(members)
        self.text = text


TYPE_FIRST = re.compile(r'\{\s*"type"\s*:\s*"run"\s*,')
TYPE_LAST = re.compile(r',\s*"type"\s*:\s*"run"\s*\}$')
TAIL = 40  # characters of a line: where its type is, if that comes last


def _without_type(record: Json, text: str) -> Json:
    """A line of a jsonl file as a run of a document; its text stays known where the type is first or last in it."""
    del record["type"]
    first = TYPE_FIRST.match(text)
    if first:
        return Line(record, "{" + text[first.end() :])
    last = TYPE_LAST.search(text, max(0, len(text) - TAIL))
    return Line(record, text[: last.start()] + "}") if last else record


def with_source(run: Json, place: int) -> Json:
    """The run with its place in 'merged_from'."""
    changed = {**run, "source": place}
    if isinstance(run, Line) and "source" not in run:
        return Line(changed, f'{run.text[:-1]}, "source": {place}}}')
    return changed


class Name(NamedTuple):
    """What identifies a run among files of several devices."""

    key: str
    device: str
    host: str


def device_of(environment: Json, engine: object) -> str:
    """The name of the GPU or, for what the cpu engine ran, of the processor."""
    if engine == "cpu":
        return str((environment.get("cpu") or {}).get("model") or "unknown processor")
    return str((environment.get("gpu") or {}).get("name") or "unknown GPU")


def host_of(environment: Json) -> str:
    return str((environment.get("host") or {}).get("name") or "unknown host")


@dataclass(slots=True)
class Source:
    """One result file: what stands around the runs, and the runs, one for each key and device."""

    name: str
    schema: Json
    tool: Json = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    # Free text of whoever measured, by its name; None in files of before there was any.
    labels: Json | None = None
    started: str | None = None
    finished: str | None = None
    timing: Json | None = None
    environment: Json = field(default_factory=dict)
    runs: dict[Name, Json] = field(default_factory=dict)
    merged_from: list[Json] = field(default_factory=list)
    # The searches of --tune, each with its trials.
    tuning: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    shard: Json | None = None

    def part(self) -> Json:
        """What a joined document remembers of this file, or of one invocation that added to it."""
        return {
            "file": self.name,
            "tool": self.tool,
            "command": self.command,
            "labels": self.labels or {},
            "shard": self.shard,
            "started": self.started,
            "finished": self.finished,
            "timing": self.timing,
            "environment": self.environment,
            "runs": len(self.runs),
        }

    def name_of(self, run: Json) -> Name:
        part = self.merged_from[run.get("source") or 0] if self.merged_from else None
        environment = self.environment if part is None else part.get("environment") or {}
        return Name(run["key"], device_of(environment, run.get("engine")), host_of(environment))

    @property
    def major(self) -> int:
        return int(self.schema["major"])


class NoResult(ReportError):
    """JSON of something else, such as --check-maps, or a file into which nothing was written yet."""


def _expect(name: str, holder: Json, types: Types) -> None:
    for member, kind in types.items():
        value = holder.get(member)
        if value is not None and (isinstance(value, bool) or not isinstance(value, kind)):
            raise ReportError(f"{name}: '{member}' is not {TYPE_WORDS[kind]}")


def _check_around(name: str, holder: Json) -> None:
    """All that the scripts rely on is checked here, so that none of them has to ask again."""
    _expect(name, holder, AROUND)
    shard = holder.get("shard")
    if shard:
        _expect(name, shard, SHARD)
        lacking = [member for member in SHARD if shard.get(member) is None]
        if lacking or not all(isinstance(key, str) for key in shard["runs"]):
            raise ReportError(f"{name}: 'shard' is without {lacking[0] if lacking else 'names of runs'}")
    environment = holder.get("environment") or {}
    _expect(name, environment, ENVIRONMENT)
    _expect(name, environment.get("gpu") or {}, {"name": str})
    _expect(name, environment.get("cpu") or {}, {"model": str})
    for kind in ("peak_bandwidth", "peak_arithmetic"):
        peak = environment.get(kind) or {}
        _expect(name, peak, dict.fromkeys(peak, NUMBER))
    for part in holder.get("merged_from") or []:
        if not isinstance(part, dict) or "file" not in part:
            raise ReportError(f"{name}: 'merged_from' holds what is not a part (it has no file)")
        _check_around(name, part)


def _check_schema(name: str, holder: Json) -> Json:
    schema = holder.get("schema")
    if not isinstance(schema, dict) or schema.get("name") != SCHEMA_NAME:
        raise NoResult(f"{name}: not a tribench result (no schema named '{SCHEMA_NAME}')")
    if not isinstance(schema.get("major"), int):
        raise ReportError(f"{name}: the schema has no major version")
    _expect(name, schema, {"minor": int})
    return schema


def _header(name: str, holder: Json) -> Source:
    schema = _check_schema(name, holder)
    _check_around(name, holder)
    return Source(
        name=name,
        schema=schema,
        tool=holder.get("tool") or {},
        command=[str(word) for word in holder.get("command") or []],
        labels=holder.get("labels"),
        shard=holder.get("shard"),
        started=holder.get("started"),
        finished=holder.get("finished"),
        timing=holder.get("timing"),
        environment=holder.get("environment") or {},
        merged_from=holder.get("merged_from") or [],
    )


UNMEASURED = ("skipped", "planned")


def displaces(run: Json, held: Json | None) -> bool:
    """Whether a later word about a key counts: that a run was not even started undoes no measurement."""
    return held is None or run.get("status") not in UNMEASURED or held.get("status") in UNMEASURED


TUNING: Types = {"engine": str, "workload": str, "strategy": str, "n": int, "tried": (int, str), "winner": str}


def _add_tuning(source: Source, tuning: Any, trials: Any, where: str) -> None:
    if not isinstance(tuning, dict) or not isinstance(tuning.get("strategy"), str):
        raise ReportError(f"{source.name}: {where} is not a search (it has no strategy)")
    for member, kind in TUNING.items():
        value = tuning.get(member)
        if value is not None and (isinstance(value, bool) or not isinstance(value, kind)):
            raise ReportError(f"{source.name}: {where}: '{member}' is of the wrong type")
    tried = tuning.get("tried")
    if isinstance(tried, str) and not (tried.isascii() and tried.isdecimal() and len(tried) < 20):
        raise ReportError(f"{source.name}: {where}: 'tried' is not a whole number")
    if not isinstance(trials, list) or not all(isinstance(one, dict) for one in trials):
        raise ReportError(f"{source.name}: {where}: 'trials' is not a list of trials")
    tuning.pop("type", None)
    source.tuning.append({**tuning, "trials": trials})


def _take_trials(trials: list[Json], tuning: Json) -> list[Json]:
    """Those of a search: their keys begin with what it is about. The others stay."""
    about = "/".join(str(tuning.get(name)) for name in ("engine", "workload", "strategy"))
    start = f"{about}/n{tuning.get('n')}/"
    mine = [one for one in trials if str(one.get("key")).startswith(start)]
    trials[:] = [one for one in trials if not str(one.get("key")).startswith(start)]
    return mine


def _add_run(source: Source, run: Any, where: str) -> None:
    if not isinstance(run, dict) or not isinstance(run.get("key"), str):
        raise ReportError(f"{source.name}: {where} is not a run (it has no key)")
    _expect(source.name, run, {"source": int})
    if not 0 <= (run.get("source") or 0) < max(1, len(source.merged_from)):
        raise ReportError(f"{source.name}: run {run['key']}: its 'source' is not in 'merged_from'")
    # A run that failed is tried again by a resumed sweep, so the later word about a key is the valid one.
    name = source.name_of(run)
    if displaces(run, source.runs.get(name)):
        source.runs[name] = run


def _from_document(name: str, document: Json) -> Source:
    source = _header(name, document)
    runs = document.get("runs")
    if not isinstance(runs, list):
        raise ReportError(f"{name}: 'runs' is not a list")
    for number, run in enumerate(runs, 1):
        _add_run(source, run, f"run {number}")
    tunings = document.get("tuning") or []
    if not isinstance(tunings, list):
        raise ReportError(f"{name}: 'tuning' is not a list")
    for number, tuning in enumerate(tunings, 1):
        trials = tuning.get("trials") if isinstance(tuning, dict) else None
        _add_tuning(source, tuning, trials, f"search {number}")
    return source


def _records(name: str, text: str, parse: Reader, warnings: list[str]) -> Iterator[tuple[int, str, Json]]:
    """Number, text and value of each line."""
    lines = text.split("\n")
    last = max((number for number, line in enumerate(lines) if line.strip()), default=-1)
    for number, line in enumerate(lines):
        words = line.strip()
        if not words:
            continue
        try:
            record = parse(words)
        except ValueError:
            if number != last:
                raise ReportError(f"{name}: line {number + 1} is not JSON") from None
            warnings.append(f"{name}: the last line is torn and left out")
            return
        if not isinstance(record, dict):
            raise ReportError(f"{name}: line {number + 1} is not a JSON object")
        yield number + 1, words, record


def _from_lines(name: str, text: str, parse: Reader) -> Source:
    invocations: list[Source] = []
    warnings: list[str] = []
    trials: list[Json] = []
    for number, words, record in _records(name, text, parse, warnings):
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
            _add_run(invocations[-1], _without_type(record, words), f"line {number}")
        elif kind == "trial":
            trials.append({name: value for name, value in record.items() if name != "type"})
        elif kind == "tuning":
            _add_tuning(invocations[-1], record, _take_trials(trials, record), f"line {number}")
        elif kind == "footer":
            _check_around(name, record)
            invocations[-1].finished = record.get("finished")
            invocations[-1].timing = record.get("timing")
        else:
            warnings.append(f"{name}: line {number} has the unknown type {kind!r} and is left out")
    if not invocations:
        raise ReportError(f"{name}: holds no header")
    source = invocations[0] if len(invocations) == 1 else _resumed(invocations)
    source.warnings = warnings
    return source


def common_labels(sources: Sequence[Source]) -> Json | None:
    if any(one.labels is None for one in sources):
        return None
    items = [set((one.labels or {}).items()) for one in sources]
    return {name: text for name, text in (sources[0].labels or {}).items() if all((name, text) in i for i in items)}


def _from_rows(name: str, text: str) -> Source:
    """Rows with the same document around them are one invocation, whatever stands between them."""
    invocations: dict[str, Source] = {}
    warnings: list[str] = []
    for number, (around, run) in enumerate(rows.read(name, text, warnings), 2):
        which = json.dumps(around)
        if which not in invocations:
            invocations[which] = _header(name, around)
        _add_run(invocations[which], run, f"row {number}")
    if not invocations:
        raise NoResult(f"{name}: holds no run")
    whole = list(invocations.values())
    source = whole[0] if len(whole) == 1 else _resumed(whole)
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
        labels=common_labels(invocations),
        started=first.started,
        finished=max((one.finished for one in invocations if one.finished), default=None),
        environment=first.environment,
        merged_from=[one.part() for one in invocations],
        tuning=[tuning for one in invocations for tuning in one.tuning],
    )
    for place, one in enumerate(invocations):
        for name, run in one.runs.items():
            # As above: the later word is the valid one, and it stands where the first stood.
            if displaces(run, whole.runs.get(name)):
                whole.runs[name] = with_source(run, place)
    return whole


def read_file(path: Path) -> Source:
    """One file, whichever of the three formats it is in: the first line of a jsonl file is a whole object."""
    name, raw = str(path), read_bytes(path)
    # A line torn in the middle of a character must not make the rest of the file unreadable.
    text = raw.decode("utf-8", errors="replace")
    parse = reader(name, raw)
    if not text.strip():
        raise NoResult(f"{name}: is empty")
    if rows.is_csv(text):
        return _from_rows(name, text)
    try:
        document = parse(text)
    except ValueError as problem:
        first = text.lstrip().split("\n", 1)[0]
        try:
            is_lines = "type" in parse(first)
        except (ValueError, TypeError):
            is_lines = False
        if not is_lines and name.endswith(LINES) and "\n" not in text.strip():
            raise NoResult(f"{name}: holds nothing but a torn line") from None
        if not is_lines:
            raise ReportError(f"{name}: is not JSON: {problem}") from None
        return _from_lines(name, text, parse)
    if not isinstance(document, dict):
        raise NoResult(f"{name}: is not a tribench result")
    return _from_lines(name, text, parse) if "type" in document else _from_document(name, document)


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


@contextmanager
def kept() -> Iterator[None]:
    """What is read stays: to look for garbage among millions of values again and again takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


@kept()
def read_all(words: Sequence[str]) -> list[Source]:
    """
    Every file that the words name, and what results a directory holds beside other JSON and what a killed
    task left empty; rejects mixed schema majors and a major that it does not know.
    """
    sources: list[Source] = []
    others: list[str] = []
    for word in words:
        for path in expand([word]):
            try:
                sources.append(read_file(path))
            except NoResult as problem:
                if not Path(word).is_dir():
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
        whose = "an older" if major < SCHEMA_MAJOR else "a newer"
        raise ReportError(
            f"{name}: has schema major {major}, of {whose} tribench; this script reads {SCHEMA_MAJOR}"
        )
    return sources
