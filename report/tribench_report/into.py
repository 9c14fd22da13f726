"""Markdown tables, and their place in a text file between two comments that name it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from . import cli
from .errors import ReportError, UsageError


def escaped(text: str) -> str:
    """Escapes a name from the data, so that it cannot end a cell or start markup."""
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", text.replace("\n", " "))


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]], align: str = "---:") -> str:
    """A Markdown table: the first column is text, the others are aligned."""
    table = [list(head), ["---", *[align] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in table)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--into", metavar="FILE", help="put a Markdown table between two comments of FILE")
    parser.add_argument(
        "--marker", metavar="NAME", help="with --into: <!-- tribench:NAME --> and <!-- /tribench:NAME -->"
    )


def check_options(options: argparse.Namespace) -> None:
    """Errors: only one of --into and --marker is given."""
    if bool(options.into) != bool(options.marker):
        raise UsageError("--into and --marker go together")


def put(options: argparse.Namespace, text: str) -> None:
    """Writes the text between the comments of --into, else to --output, else to standard output."""
    if options.into:
        insert(Path(options.into), options.marker, text)
    else:
        cli.write_output(getattr(options, "output", "-"), text)


def insert(path: Path, marker: str, content: str) -> None:
    """Replaces the text between the two comments; rejects a file that does not hold each exactly once."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ReportError(f"{path}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise ReportError(f"{path}: is not text in UTF-8") from None
    first, last = f"<!-- tribench:{marker} -->", f"<!-- /tribench:{marker} -->"
    for comment in (first, last):
        if text.count(comment) != 1:
            raise ReportError(f"{path}: expected {comment} exactly once, found it {text.count(comment)} times")
    begin, end = text.index(first) + len(first), text.index(last)
    if begin > end:
        raise ReportError(f"{path}: {last} stands before {first}")
    cli.write_whole(path, f"{text[:begin]}\n{content}{text[end:]}")
