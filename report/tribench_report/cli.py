"""Shared by the scripts: one-sentence errors, exit statuses, warnings, and files that are written whole."""

from __future__ import annotations

import argparse
import gzip
import math
import os
import shutil
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from .errors import ReportError, UsageError

COMMAND = "tribench-report"
# The extras of pyproject.toml, with the modules that they install.
EXTRAS = {"compare": ("scipy",), "plot": ("altair", "jinja2", "markupsafe", "PIL", "vl_convert")}


def called(prog: str) -> str:
    """A command as the user wrote it: 'merge', or 'tribench-report merge'."""
    return f"{COMMAND} {prog}" if Path(sys.argv[0]).name == COMMAND != prog else prog


class Parser(argparse.ArgumentParser):
    """argparse, but an error is one sentence and the help keeps the lines as they were written."""

    def __init__(self, prog: str, description: str, epilog: str = "") -> None:
        super().__init__(
            prog=called(prog),
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def add_results(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", nargs="+", metavar="FILE|DIRECTORY")


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="where to write (default: standard output)")


def known_words(option: str, words: str, known: Sequence[str]) -> list[str]:
    """The words of a list. Errors: names the first that is not known."""
    found = [word.strip() for word in words.split(",")]
    for word in found:
        if word not in known:
            raise UsageError(f"--{option} knows {', '.join(known)}, got '{word}'")
    return found


def number(what: str, low: float, high: float, unit: str = "") -> Callable[[str], float]:
    """For an option's type: a number from low to high, with or without its unit. Errors: says `what` is expected."""

    def parsed(word: str) -> float:
        try:
            value = float(word.removesuffix(unit))
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected {what}, got '{word}'")
        return value

    return parsed


def percent(word: str) -> float:
    """'2' or '2%' as 0.02."""
    return number("a percentage in 0..1000", 0.0, 1000.0, "%")(word) / 100.0


def plain(text: str) -> str:
    """Escapes line breaks and terminal control characters: a file's name may contain any of them."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def say(prog: str, sentence: str) -> None:
    print(plain(f"{prog}: {sentence}"), file=sys.stderr)


def warn(prog: str, sentences: Iterable[str]) -> None:
    for sentence in sentences:
        say(called(prog), f"warning: {sentence}")


def counted(names: Collection[str], words: str, more: str = "") -> list[str]:
    """'2 keys are not in all files: a, ...' for words with {s}, {are}, {were} and {have}; empty for no names."""
    one = {"s": "", "are": "is", "were": "was", "have": "has"}
    said = words.format(**one if len(names) == 1 else {"s": "s", **{verb: verb for verb in one if verb != "s"}})
    others = ", ..." if len(names) > 1 else ""
    return [f"{len(names):,} {said}{more}: {name}{others}" for name in list(names)[:1]]


def _sentence(prog: str, problem: BaseException) -> tuple[int, str]:
    """The exit status and the sentence for what ended a script; '' for a user's ^C."""
    match problem:
        case UsageError():
            return 2, f"{problem} (see '{prog} --help')"
        case ReportError():
            return 1, str(problem)
        case ModuleNotFoundError():
            extras = (f"pip install './report[{name}]' or " for name in EXTRAS if problem.name in EXTRAS[name])
            return 1, f"needs the Python package {problem.name}: {next(extras, '')}see report/requirements.txt"
        case RecursionError():  # JSON that can still be read may be nested too deep for the code that walks it
            return 1, "the data is nested too deep"
        case UnicodeEncodeError():  # the name of a file, or the terminal, is not UTF-8
            part = ascii(problem.object[max(0, problem.start - 20) : problem.end])
            return 1, f"the text {part} cannot be written in {problem.encoding}"
        case MemoryError():
            return 1, "out of memory"
        case KeyboardInterrupt():
            return 128 + signal.SIGINT, ""
        case BrokenPipeError():
            return 1, "the output was closed before all of it was written"
        case OSError():
            return 1, f"{problem.filename or 'output'}: {problem.strerror}"
    raise problem


def _open_streams() -> None:
    """In the place of closed streams: what cannot be read or written, but for messages, which go nowhere."""
    for name, access, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode))


def main(prog: str, body: Callable[[list[str]], int]) -> int:
    """Runs a script's body and turns what it raises into a sentence and an exit status."""
    _open_streams()
    try:
        try:
            status = body(sys.argv[1:])
        except SystemExit as end:  # --help
            status = int(end.code or 0)
        sys.stdout.flush()  # here, where a full disk or a closed pipe can still be reported
        return status
    except (Exception, KeyboardInterrupt) as problem:
        status, sentence = _sentence(called(prog), problem)
    try:
        sys.stdout.flush()
    except OSError:
        # The interpreter flushes again at exit; send that to /dev/null, so that it does not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if sentence:
        say(called(prog), sentence)
    return status


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a temporary file in the same directory and renames it, so that no reader ever sees half of the content."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.is_dir():
        raise ReportError(f"{path}: is a directory")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except OSError as problem:
        beside.unlink(missing_ok=True)
        raise ReportError(f"{path}: cannot be written: {problem.strerror}") from None


def columns(table: Sequence[Sequence[str]], left: Collection[int]) -> str:
    """Lines that pad the cells of equally long rows: columns in `left` are left-aligned, the others right-aligned."""
    widths = [max(map(len, cells)) for cells in zip(*table)]
    pads = [str.ljust if place in left else str.rjust for place in range(len(widths))]
    lines = ("  ".join(pad(*one) for pad, one in zip(pads, zip(cells, widths))) for cells in table)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def write_output(path: str, content: str) -> None:
    """Writes to a file, or to standard output for '-'; a device such as /dev/full is written to, not replaced."""
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(content.encode("utf-8"))  # JSON and pages are UTF-8, whatever the terminal uses
        return
    target = Path(path)
    if target.exists() and not target.is_file() and not target.is_dir():
        target.write_text(content, encoding="utf-8")
        return
    # mtime=0: the same content gives the same file.
    write_whole(target, gzip.compress(content.encode("utf-8"), mtime=0) if target.suffix == ".gz" else content)
