"""Reads result files, json, jsonl and csv, whole or torn, plain or gzipped."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..errors import ReportError, UsageError
from . import rows
from .bounds import renew
from .checks import NoResult
from .formats import from_document, from_lines, from_rows, parts_of
from .source import Source
from .strict import read_bytes, reader

SCHEMA_MAJOR = 2
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
LINES = (".jsonl", ".jsonl.gz")


def read_file(path: Path) -> Source:
    source = _read_file(path)
    return renew(source, source.environments)


def _read_file(path: Path) -> Source:
    """Reads one file in any of the three formats. In a jsonl file, the first line is a whole object."""
    name, raw = str(path), read_bytes(path)
    # A line torn in the middle of a character must not make the rest of the file unreadable.
    text = raw.decode("utf-8", errors="replace")
    parse = reader(name, raw)
    if not text.strip():
        raise NoResult(f"{name}: is empty")
    if rows.is_csv(text):
        return from_rows(name, text)
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
        return from_lines(name, text, parse)
    if not isinstance(document, dict):
        raise NoResult(f"{name}: is not a tribench result")
    return from_lines(name, text, parse) if "type" in document else from_document(name, document)


def read_parts(path: Path, wanted: Sequence[str]) -> list[Source]:
    """The parts of a joined document that `wanted` names, see parts_of."""
    name, raw = str(path), read_bytes(path)
    try:
        document = reader(name, raw)(raw.decode("utf-8", errors="replace"))
    except ValueError as problem:
        raise ReportError(f"{name}: is not JSON: {problem}") from None
    if not isinstance(document, dict) or not document.get("merged_from"):
        raise ReportError(f"{name}: is not joined from several files, so that none can be chosen")
    environments = [part.get("environment") or {} for part in document["merged_from"]]
    return [renew(source, environments) for source in parts_of(name, document, wanted)]


def _read_word(word: str) -> Iterator[Source | NoResult]:
    """Reads FILE, DIRECTORY or FILE:PART,...; for a file in a directory that is no result, yields the reason."""
    path, colon, wanted = word.rpartition(":")
    if colon and not os.path.exists(word):  # unlike pathlib's, this accepts a word of any length
        yield from read_parts(Path(path), wanted.split(","))
        return
    for file in expand([word]):
        try:
            yield read_file(file)
        except NoResult as problem:
            if not Path(word).is_dir():
                raise
            yield problem


def expand(words: Sequence[str]) -> list[Path]:
    """The files that are named; a directory stands for the result files in it, sorted by name."""
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
    """
    Switches the garbage collector off: what is read stays, and scanning millions of values again and again would take a
    third of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def read_invocations(words: Sequence[str], where: str = "") -> list[Source]:
    """Like read_all, for separate invocations: rejects a file that is named twice, by whatever path."""
    sources = read_all(words)
    seen: set[str] = set()
    for source in sources:
        place = os.path.realpath(source.name)
        if place in seen:
            raise UsageError(f"{source.name} is named twice{where}: one invocation is no repeat")
        seen.add(place)
    return sources


@kept()
def read_all(words: Sequence[str]) -> list[Source]:
    """
    Reads all files that the words name, parts of joined documents, and the results in directories, where other JSON and
    empty files of killed tasks are skipped. Rejects mixed or unknown schema majors.
    """
    sources: list[Source] = []
    others: list[str] = []
    for word in words:
        for found in _read_word(word):
            if isinstance(found, Source):
                sources.append(found)
            else:
                others.append(f"{found}, left out")
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
        raise ReportError(f"{name}: has schema major {major}, of {whose} tribench; this script reads {SCHEMA_MAJOR}")
    return sources
