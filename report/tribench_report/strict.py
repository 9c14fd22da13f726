"""Turns bytes into JSON values. Rejects what a result cannot contain, so that no other code has to check for it."""

from __future__ import annotations

import gzip
import io
import json
import math
import sys
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from .errors import ReportError

# Results compress to a seventh of their size, or to a sixtieth if all are copies of a few.
MOST_EXPANSION, SMALL_BYTES = 100, 1 << 26


def read_bytes(path: Path) -> bytes:
    """The content of a file, or of standard input for '-', gzipped or not."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        if raw[:2] != b"\x1f\x8b":
            return raw
        most = max(SMALL_BYTES, MOST_EXPANSION * len(raw))
        data = gzip.GzipFile(fileobj=io.BytesIO(raw)).read(most + 1)
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ReportError(f"{path}: cannot be read: {reason}") from None
    if len(data) > most:
        raise ReportError(f"{path}: expands to more than {MOST_EXPANSION} times its size")
    return data


def _reject_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _finite(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise ReportError(f"the number {word[:20]} is beyond the range of a double")
    return value


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Rejects two members with one name: programs differ in whether they take the first, the last or both."""
    value = dict(members)
    if len(value) != len(members):
        ((twice, _),) = Counter(name for name, _ in members).most_common(1)
        raise ReportError(f"the member {ascii(twice)[:40]} appears twice in one object")
    return value


_DECODER = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_finite, object_pairs_hook=_object)


def parse_first(name: str, text: str) -> tuple[Any, str]:
    """The JSON value at the beginning of a text of the file `name`, and the text after it.

    Errors: ValueError for text that is not JSON; ReportError, with the name, for content that no result can hold.
    """
    try:
        value, end = _DECODER.raw_decode(text)
    except RecursionError:
        raise ReportError(f"{name}: is nested too deep") from None
    except ReportError as problem:
        raise ReportError(f"{name}: {problem}") from None
    return value, text[end:].strip()


def parse(name: str, text: str) -> Any:
    """The value of a whole JSON text. Errors: as parse_first"""
    value, rest = parse_first(name, text.strip())
    if rest:
        raise ValueError(f"{rest[:20]!r} follows the end")
    return value
