"""Runs as rows of a CSV file, and back. A column is the path of a value in the JSON, such as 'time_ms.median'."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from .errors import ReportError

Json = dict[str, Any]

# The prefix of paths around the runs; columns that only spreadsheets need are not read back.
AROUND = "document"
FOR_PEOPLE = ("device", "host", "version")
SAMPLES = "samples.ms"

# Without values, these are empty objects; all others are null.
ALWAYS = {
    *("parameters", "throughput", "verified", "labels", "environment", "timer", "tool"),
    *("peak_bandwidth", "peak_arithmetic"),
}
# Runs differ in the members of these objects: members that a run lacks are left out.
OWN = {"parameters", "labels", "result"}
# Only a peer's run has the first, and only a run of a joined document the second.
OPTIONAL = {"peer", "source"}
# What is text even where it looks like a number; and what is not text, of the members around the runs, which else are.
TEXTS = {"reason", "peer.version", "parameters.rule"}
COUNTED = re.compile(
    r"document\.(schema\.m(ajor|inor)|environment\.(host\.(load|running)"
    r"|cpu\.(cores|threads|memory_bytes|cache_bytes|turbo)"
    r"|gpu\.(sms|memory_bytes|l2_bytes|ecc)|peak_.*|idle_power_w|timer\..*_(ms|s)))$"
)
LISTS = (f"{AROUND}.command", "ranks.each")
# A spreadsheet treats a cell that begins like this as a formula; a leading apostrophe marks it as text.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
WHOLE = re.compile(r"-?(0|[1-9][0-9]*)$")
REAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$")
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
        return f"'{value}" if FORMULA.match(value) and not REAL.match(value) else value
    if path == SAMPLES and isinstance(value, list):
        return " ".join(_text("", part) for part in value)
    return "" if value is None or value == {} else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _texts(value: Json, before: str = "") -> dict[str, str]:
    return {name: _text(name, part) for name, part in flat(value, before).items()}


def write(pairs: Iterable[tuple[Json, Json, tuple[str, str, str]]]) -> str:
    """Input: for each run the document around it, the run, and its key, device and host."""
    rows: list[dict[str, str]] = []
    for around, run, (_, *where) in pairs:
        people = _texts(dict(zip(FOR_PEOPLE, [*where, around["tool"].get("version")])))
        rows.append({**_texts(run), **people, **_texts(around, f"{AROUND}.")})
    names = dict.fromkeys([name for row in rows for name in row] or ["key", *FOR_PEOPLE])  # without runs, still a table
    # What is null in one run is an object in another, of which only the members have columns.
    objects = {name[:k] for name in names for k, letter in enumerate(name) if letter == "."}
    columns = [name for name in names if name not in objects]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


# ---------------------------------------------------------------- and back


FIRST = re.compile(r'"?key"?([,;\t])')


def separator(text: str) -> str:
    """That of a CSV file, whose first column is `key`, quoted or not; '' for other files. A locale chooses it."""
    first = FIRST.match(text)
    return first[1] if first else ""


def _value(path: str, text: str) -> Any:
    if text == "":
        return {} if path in ("parameters", f"{AROUND}.labels") else None
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
    if text in ("true", "false"):
        return text == "true"
    if WHOLE.match(text):
        return int(text) if abs(int(text)) <= EXACT else text
    value = float(text) if REAL.match(text) else 0.0
    if math.isinf(value):
        raise ValueError(f"the number {text[:20]} is beyond the range of a double")
    return value if REAL.match(text) else text


def _fold(name: str, inside: Json) -> Any:
    """The value that a nested object of columns stands for, from the inside out."""
    values = {member: _fold(member, part) if isinstance(part, dict) else part for member, part in inside.items()}
    if name in OWN:
        values = {member: part for member, part in values.items() if part is not None}
    if all(part is None for part in values.values()) and name not in ALWAYS:
        return None
    if values and tuple(values) == _elements(name):
        return list(values.values())
    return values


def _nested(row: dict[str, str]) -> Json:
    nested: Json = {}
    for path, text in row.items():
        *steps, last = path.split(".")
        here = nested
        for step in steps:
            here = here.setdefault(step, {})
            if not isinstance(here, dict):
                raise ReportError(f"the columns {step} and {path} exclude each other")
        here[last] = _value(path, text)
    folded = {name: _fold(name, part) if isinstance(part, dict) else part for name, part in nested.items()}
    if folded.get("samples") and "device_state" in nested:  # it was read, and is empty
        folded["device_state"] = nested["device_state"]
    return {name: part for name, part in folded.items() if part is not None or name not in OPTIONAL}


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
        except ValueError as problem:
            raise ReportError(f"{name}: row {number} cannot be used: {problem}") from None
        yield run.pop(AROUND, None) or {}, run
