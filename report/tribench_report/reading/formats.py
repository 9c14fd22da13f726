"""Turns the text of a file into a source: a document, lines or rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from ..errors import ReportError
from . import rows
from .checks import NoResult, Types, check_around, check_schema, expect
from .source import INVOCATION, Json, Line, Source, displaces, name_of_part, rank, resumed
from .strict import Reader

TUNING: Types = {"engine": str, "workload": str, "strategy": str, "n": int, "tried": (int, str), "winner": str}


def _header(name: str, holder: Json) -> Source:
    schema = check_schema(name, holder)
    check_around(name, holder)
    around = {member: holder.get(member) for member in INVOCATION}
    around["tool"] = around["tool"] or {}
    around["command"] = [str(word) for word in around["command"] or []]
    around["environment"] = around["environment"] or {}
    return Source(name, schema, around, merged_from=holder.get("merged_from") or [])


def _add_tuning(source: Source, tuning: Any, trials: Any, where: str) -> None:
    if not isinstance(tuning, dict) or not isinstance(tuning.get("strategy"), str):
        raise ReportError(f"{source.name}: {where} is not a search (it has no strategy)")
    expect(f"{source.name}: {where}", tuning, TUNING)
    tried = tuning.get("tried")
    if isinstance(tried, str) and not (tried.isascii() and tried.isdecimal() and len(tried) < 20):
        raise ReportError(f"{source.name}: {where}: 'tried' is not a whole number")
    if not isinstance(trials, list) or not all(isinstance(one, dict) for one in trials):
        raise ReportError(f"{source.name}: {where}: 'trials' is not a list of trials")
    tuning.pop("type", None)
    source.tuning.append({**tuning, "trials": trials})


def _take_trials(trials: list[Json], tuning: Json) -> list[Json]:
    """Removes and returns the trials of one search, whose keys begin with what it is about. The others stay."""
    about = "/".join(str(tuning.get(name)) for name in ("engine", "workload", "strategy"))
    start = f"{about}/n{tuning.get('n')}/"
    mine = [one for one in trials if str(one.get("key")).startswith(start)]
    trials[:] = [one for one in trials if not str(one.get("key")).startswith(start)]
    return mine


def _place(name: str, run: Any, where: str, parts: list[Json]) -> int:
    """The place of the part that a run belongs to. Errors: it is no run, or there is no such part."""
    if not isinstance(run, dict) or not isinstance(run.get("key"), str):
        raise ReportError(f"{name}: {where} is not a run (it has no key)")
    expect(name, run, {"source": int})
    place: int = run.get("source") or 0
    if not 0 <= place < max(1, len(parts)):
        raise ReportError(f"{name}: run {run['key']}: its 'source' is not in 'merged_from'")
    return place


def _add_run(source: Source, run: Any, where: str) -> None:
    _place(source.name, run, where, source.merged_from)
    # A resumed sweep retries a failed run, so the last record of a key is the valid one.
    name = source.name_of(run)
    held = source.runs.get(name)
    if displaces(run, held) and not (source.merged_from and held is not None and rank(held) > rank(run)):
        source.runs[name] = run


def _runs(name: str, document: Json) -> list[Any]:
    runs = document.get("runs")
    if not isinstance(runs, list):
        raise ReportError(f"{name}: 'runs' is not a list")
    return runs


def from_document(name: str, document: Json) -> Source:
    """Reads a document. If several parts of a joined one have a run, the winner is the same as among separate files."""
    source = _header(name, document)
    for number, run in enumerate(_runs(name, document), 1):
        _add_run(source, run, f"run {number}")
    tunings = document.get("tuning") or []
    if not isinstance(tunings, list):
        raise ReportError(f"{name}: 'tuning' is not a list")
    for number, tuning in enumerate(tunings, 1):
        trials = tuning.get("trials") if isinstance(tuning, dict) else None
        _add_tuning(source, tuning, trials, f"search {number}")
    return source


def parts_of(name: str, document: Json, wanted: Sequence[str]) -> list[Source]:
    """Parts of a joined document as the files that they were, in the order in which they are named.

    Input: wanted, names of parts or patterns. Parts with one name are one file.

    Errors: no part has such a name.
    """
    parts = _header(name, document).merged_from
    runs: dict[int, list[Json]] = {}
    for number, run in enumerate(_runs(name, document), 1):
        place = _place(name, run, f"run {number}", parts)
        runs.setdefault(place, []).append(run)
    places: dict[str, list[int]] = {}
    for place, part in enumerate(parts):
        places.setdefault(name_of_part(part["file"]), []).append(place)
    chosen = []
    for pattern in wanted:
        found = [one for one in places if fnmatchcase(one, pattern)]
        if not found:
            raise ReportError(f"{name}: has no part '{pattern}'")
        chosen += [one for one in found if one not in chosen]
    return [_as_file(f"{name}:{one}", document["schema"], parts, places[one], runs) for one in chosen]


def _as_file(name: str, schema: Json, parts: list[Json], places: list[int], runs: dict[int, list[Json]]) -> Source:
    """A document of some parts; a single part is no joined document."""
    document = {**parts[places[0]], "schema": schema}
    if len(places) == 1:
        mine = runs.get(places[0], [])
        document["runs"] = [{field: value for field, value in run.items() if field != "source"} for run in mine]
        return from_document(name, document)
    document["merged_from"] = [parts[place] for place in places]
    document["runs"] = [{**run, "source": k} for k, place in enumerate(places) for run in runs.get(place, [])]
    return from_document(name, document)


TYPE_FIRST = re.compile(r'\{\s*"type"\s*:\s*"run"\s*,')
TYPE_LAST = re.compile(r',\s*"type"\s*:\s*"run"\s*\}$')
TAIL = 40  # [characters] the end of a line, where its type is if that comes last


def _without_type(record: Json, text: str) -> Json:
    """A line of a jsonl file as a run of a document; it keeps its text if the type is first or last in it."""
    del record["type"]
    first = TYPE_FIRST.match(text)
    if first:
        return Line(record, "{" + text[first.end() :])
    last = TYPE_LAST.search(text, max(0, len(text) - TAIL))
    return Line(record, text[: last.start()] + "}") if last else record


def _records(name: str, text: str, parse: Reader, warnings: list[str]) -> Iterator[tuple[int, str, Json]]:
    """The number, text and value of each line; warns about a torn last line."""
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


def from_lines(name: str, text: str, parse: Reader) -> Source:
    invocations: list[Source] = []
    warnings: list[str] = []
    trials: list[Json] = []
    for number, words, record in _records(name, text, parse, warnings):
        kind = record.get("type")
        if kind == "header":
            header = _header(name, record)
            if invocations and header.major != invocations[0].major:
                raise ReportError(
                    f"{name}: line {number} has schema major {header.major}, the lines before {invocations[0].major}"
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
            check_around(name, record)
            invocations[-1].around |= {"finished": record.get("finished"), "timing": record.get("timing")}
        else:
            warnings.append(f"{name}: line {number} has the unknown type {kind!r} and is left out")
    if not invocations:
        raise ReportError(f"{name}: holds no header")
    return resumed(invocations, warnings)


def from_rows(name: str, text: str) -> Source:
    """Reads CSV. Rows with the same document around them are one invocation, even with other rows in between."""
    invocations: dict[str, Source] = {}
    warnings: list[str] = []
    for number, (around, run) in enumerate(rows.read(name, text, warnings), 2):
        which = json.dumps(around)
        if which not in invocations:
            invocations[which] = _header(name, around)
        _add_run(invocations[which], run, f"row {number}")
    if not invocations:
        raise NoResult(f"{name}: holds no run")
    return resumed(list(invocations.values()), warnings)
