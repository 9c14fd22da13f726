"""Runs as rows of a CSV file, and back. A column is the path of a value in the JSON, such as 'time_ms.median'."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from .errors import ReportError
from .strict import DECODER

Json = dict[str, Any]

# The prefix of paths around the runs; columns that only spreadsheets need are not read back.
AROUND = "document"
FOR_PEOPLE = ("device", "host", "version")
SAMPLES = "samples.ms"
LISTS = (f"{AROUND}.command", "ranks.each")
# What is text even where it looks like a number; and the only numbers around the runs, where all else is text.
TEXTS = {"reason", "peer.version", "parameters.rule"}
COUNTED = re.compile(
    r"document\.(schema\.m(ajor|inor)|environment\..*(load|running|cores|threads|turbo|sms|ecc|_bytes|_per_s|_w|_m?s))$"
)
# A spreadsheet treats a cell that begins like this as a formula; a leading apostrophe marks it as text.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
EXACT = 2**53


def _elements(name: str) -> tuple[str, ...]:
    """The columns of an array with a fixed length, one per element."""
    return ("x", "y", "z") if name == "block" else ("low", "high") if name.endswith("ci95") else ()


def flat(value: Json, before: str = "", found: Json | None = None) -> Json:
    """The values inside a run by their paths; an array of fixed length has a path per element."""
    found = {} if found is None else found
    for name, part in value.items():
        elements = _elements(name) if isinstance(part, list) else ()
        if isinstance(part, dict) and part:
            flat(part, f"{before}{name}.", found)
        elif elements and len(part) == len(elements):
            found.update(zip((f"{before}{name}.{element}" for element in elements), part))
        else:
            found[before + name] = part
    return found


def _text(path: str, value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}" if FORMULA.match(value) else value
    if path == SAMPLES and isinstance(value, list):
        return " ".join(_text("", part) for part in value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write(runs: Iterable[tuple[Json, Json, str]]) -> str:
    """Input: for each run the document around it, the run, and its device."""
    rows = []
    for around, run, device in runs:
        values = flat({**run, AROUND: around})
        people = (device, values.get(f"{AROUND}.environment.host.name"), values.get(f"{AROUND}.tool.version"))
        values |= zip(FOR_PEOPLE, people)
        rows.append({path: _text(path, value) for path, value in values.items() if value is not None and value != {}})
    paths = dict.fromkeys(["key", *(path for row in rows for path in row)])  # without runs, still a table
    columns = sorted(paths, key=lambda path: path.startswith(f"{AROUND}."))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


# ---------------------------------------------------------------- and back


FIRST = re.compile(r'"?key"?([,;\t]|$)', re.MULTILINE)


def separator(text: str) -> str:
    """That of a CSV file, whose first column is `key`, quoted or not; '' for other files. A locale chooses it."""
    first = FIRST.match(text)
    return (first[1] or ",") if first else ""


def _value(path: str, text: str) -> Any:
    if text[0] == "'" and FORMULA.match(text):
        text = text[1:]
    if path in LISTS:
        return json.loads(text)
    if path == SAMPLES:
        return [_number(word) for word in text.split()]
    is_text = path in TEXTS or path.startswith(f"{AROUND}.") and not COUNTED.match(path)
    return text if is_text else _number(text)


def _number(text: str) -> Any:
    """The number or truth that a text is, or the text."""
    try:
        value = DECODER.decode(text) if text[0] in "-0123456789tf" else text
    except ValueError:
        return text
    is_exact = isinstance(value, float) or isinstance(value, int) and abs(value) <= EXACT
    return value if is_exact else text


def _nested(row: dict[str, str]) -> Json:
    """The objects that the columns of a row are paths in; an empty field is null, which is no member."""
    nested: Json = {"parameters": {}}
    for path, text in row.items():
        if not text:
            continue
        here = nested
        *steps, last = path.split(".")
        for step in steps:
            here = here.setdefault(step, {})
            if not isinstance(here, dict):
                raise ValueError(f"the columns {step} and {path} exclude each other")
        here[last] = _value(path, text)
    return {name: _folded(name, part) for name, part in nested.items()}


def _folded(name: str, part: Any) -> Any:
    """With lists in the place of objects whose members are their elements."""
    if not isinstance(part, dict):
        return part
    if part and tuple(part) == _elements(name):
        return list(part.values())
    return {member: _folded(member, inner) for member, inner in part.items()}


def read(name: str, text: str, warnings: list[str]) -> Iterator[tuple[Json, Json]]:
    """The document around each run, and the run. Leaves out a row that is torn at the end of the file."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator(text))
    columns = next(reader)
    if len(set(columns)) < len(columns):
        raise ReportError(f"{name}: a column appears twice")
    try:
        lines = list(reader)
    except csv.Error as problem:
        raise ReportError(f"{name}: is not CSV: {problem}") from None
    for number, fields in enumerate(lines, 2):
        if len(fields) != len(columns):
            if number == len(lines) + 1 and len(fields) < len(columns):
                warnings.append(f"{name}: the last row is torn and left out")
                return
            raise ReportError(f"{name}: row {number} has {len(fields)} fields, the first {len(columns)}")
        try:
            run = _nested({c: f for c, f in zip(columns, fields, strict=True) if c not in FOR_PEOPLE})
        except (ValueError, ReportError) as problem:
            raise ReportError(f"{name}: row {number} cannot be used: {problem}") from None
        yield run.pop(AROUND, None) or {}, run
