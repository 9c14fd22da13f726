"""Turns bytes into JSON values. Rejects what a result cannot contain, so that no other code has to check for it."""

from __future__ import annotations

import gzip
import io
import json
import math
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .errors import ReportError

Reader = Callable[[str], Any]

# Results compress to a seventh of their size, or to a sixtieth if all are copies of a few.
MOST_EXPANSION, SMALL_BYTES = 100, 1 << 26
HALF_PAIR = re.compile("[\ud800-\udfff]")


def _expanded(raw: bytes) -> bytes:
    most = max(SMALL_BYTES, MOST_EXPANSION * len(raw))
    try:
        data = gzip.GzipFile(fileobj=io.BytesIO(raw)).read(most + 1)
    except gzip.BadGzipFile as problem:
        after = "other bytes follow the end of the compressed data"
        raise ReportError(after if "Not a gzipped" in str(problem) else str(problem)) from None
    if len(data) > most:
        raise ReportError(f"expands to more than {MOST_EXPANSION} times its size")
    return data


def read_bytes(path: Path) -> bytes:
    """The content of a file, or of standard input for '-', gzipped or not."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return _expanded(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error, ReportError) as problem:
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


def _reject_half_pairs(value: Any) -> None:
    """Rejects half of a surrogate pair: no file in UTF-8 can hold it."""
    if isinstance(value, str):
        if HALF_PAIR.search(value):
            raise ReportError(f"the text {ascii(value)[:40]} holds half of a surrogate pair")
    elif isinstance(value, dict):
        for member, part in value.items():
            _reject_half_pairs(member)
            _reject_half_pairs(part)
    elif isinstance(value, list):
        for part in value:
            _reject_half_pairs(part)


_DECODER = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_finite, object_pairs_hook=_object)


def reader(name: str, raw: bytes) -> Reader:
    """A function that reads JSON texts that are parts of `raw`.

    Errors: ValueError for text that is not JSON; ReportError, with the name, for content that no result can hold.
    """
    # Looked for once in all bytes: a walk over all values takes longer than to decode them.
    has_surrogates = re.search(rb"\\u[dD]", raw) is not None

    def read(text: str) -> Any:
        try:
            value = _DECODER.decode(text)
            if has_surrogates:
                _reject_half_pairs(value)
        except RecursionError:
            raise ReportError(f"{name}: is nested too deep") from None
        except ReportError as problem:
            raise ReportError(f"{name}: {problem}") from None
        return value

    return read
