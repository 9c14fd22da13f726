"""Turns bytes into JSON values. Rejects what a result cannot contain, so that no other code has to check for it."""

from __future__ import annotations

import gzip
import json
import math
import sys
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from .errors import ReportError


def read_bytes(path: Path) -> bytes:
    """The content of a file, or of standard input for '-', gzipped or not."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ReportError(f"{path}: cannot be read: {reason}") from None


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


DECODER = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_finite, object_pairs_hook=_object)


def parse(name: str, text: str) -> Any:
    """The value of a JSON text. Errors: ValueError, it is no JSON; ReportError, it has what no result can hold"""
    try:
        return DECODER.decode(text)
    except RecursionError:
        raise ReportError(f"{name}: is nested too deep") from None
    except ReportError as problem:
        raise ReportError(f"{name}: {problem}") from None
