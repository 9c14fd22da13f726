"""Draws every figure that the data allows."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from . import cli, study
from .errors import ReportError, UsageError
from .figures import CATALOGUE, Drawing, Figure, Material
from .improve import Improvements
from .model import Run
from .select import add_filters, apply_filters

PROG = "plot"
FORMATS = ("png", "svg", "pdf")
T = TypeVar("T")


def drawings(
    material: Material, names: Sequence[str], catalogue: Sequence[Figure] = CATALOGUE
) -> Iterator[tuple[str, Drawing]]:
    """The named figures, each with its caption; one at a time, so that few are in memory."""
    import matplotlib

    from . import style

    with matplotlib.rc_context(style.SETTINGS):  # type: ignore[arg-type]
        for figure in catalogue:
            if figure.name not in names:
                continue
            for drawing in figure.draw(material):
                engines = {run.engine for run in drawing.runs}
                engine = engines.pop() if len(engines) == 1 else None
                found = material.study
                unchecked = sum(not run.is_verified for run in drawing.runs)
                notes = [f"{unchecked} of {len(drawing.runs)} runs not verified"] if unchecked else []
                words = [*drawing.notes, *notes, *found.devices(engine, drawing.runs), found.version(drawing.runs)]
                drawing.caption = style.caption(drawing.picture, [*words, f"measured {found.date(drawing.runs)}"])
                yield figure.name, drawing
                style.close(drawing.picture)


def material_of(found: study.Study, runs: list[Run]) -> Material:
    return Material(found, runs, Improvements(found.usable))


def _draw(
    material: Material, out: Path, formats: Sequence[str], catalogue: Sequence[Figure], name: str
) -> list[Path]:
    """Writes the files of one figure and returns their paths; none if its data is missing."""
    from .style import paper, render

    paths = []
    for _, drawing in drawings(material, [name], catalogue):
        for form in formats:
            path = out / f"{drawing.name}.{form}"
            cli.write_whole(path, render(drawing.picture.figure, form))
            paths.append(path)
        if paper.get():
            path = out / f"{drawing.name}.txt"
            cli.write_whole(path, f"{drawing.picture.words}. {drawing.caption}.\n")
            paths.append(path)
    return paths


_draw_here: Callable[[str], list[Any]]


def _become_worker(draw: Callable[[str], list[Any]]) -> None:
    global _draw_here
    _draw_here = draw
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, too, and ends its workers


def _work(name: str) -> list[Any]:
    return _draw_here(name)


@contextmanager
def in_parallel(draw: Callable[[str], list[T]], names: Sequence[str]) -> Iterator[Iterator[list[T]]]:
    """
    Yields an iterator over the results, in the order of the names. Workers draw ahead of the consumer, one per
    processor: matplotlib takes seconds per figure.
    """
    workers = min(len(names), len(os.sched_getaffinity(0)))
    if workers == 1:
        yield map(draw, names)
        return
    # Forked, so that workers inherit the runs: sending them would take longer than reading them.
    forked = multiprocessing.get_context("fork")
    try:
        with ProcessPoolExecutor(workers, forked, _become_worker, (draw,)) as pool:
            yield pool.map(_work, names)
    except BrokenProcessPool:
        raise ReportError("a process that drew was killed; out of memory?") from None


def run(arguments: list[str], catalogue: Sequence[Figure] = CATALOGUE) -> int:
    parser = cli.Parser(
        PROG,
        "Draws figures from result files; each figure only when its data is there.",
        "Prints the name of every file that it writes. Figures whose runs differ in engine, block, layout\n"
        "or cache state get one file for each, with a suffix that says which.",
    )
    parser.add_argument("results", nargs="*", metavar="FILE|DIRECTORY")
    parser.add_argument("-o", "--out", default=".", metavar="DIR", help="where the figures go (default: here)")
    parser.add_argument("--figure", metavar="LIST", help="only these figures (default: all)")
    parser.add_argument("--format", default="png,svg", metavar="LIST", help="png, svg, pdf (default: png,svg)")
    parser.add_argument(
        "--style", choices=("screen", "paper"), default="screen",
        help="paper: no title, the width of --width, and the caption in a file .txt beside",
    )  # fmt: skip
    parser.add_argument(
        "--width", type=cli.number("inches in 2..20", 2.0, 20.0), metavar="INCHES",
        help="of --style paper: 2 to 20 (default: 7, the width of a page; a column has 3.4)",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="list the figures and exit")
    add_filters(parser)
    options = parser.parse_args(arguments)
    if options.list:
        for figure in catalogue:
            print(f"{figure.name:<12} {figure.summary}")
        return 0
    if not options.results:
        raise UsageError("expected at least one result file")
    if options.width is not None and options.style != "paper":
        raise UsageError("--width goes with --style paper")
    names = [figure.name for figure in catalogue]
    if options.figure is not None:
        names = cli.known_words("figure", options.figure, names)
    formats = cli.known_words("format", options.format, FORMATS)

    found = study.read(options.results, options.unverified)
    cli.warn(PROG, found.warnings)
    runs = apply_filters(found.usable, options)
    out = Path(options.out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ReportError(f"{out}: cannot be made: {problem.strerror}") from None
    from . import style  # imported once, before the workers are forked

    style.paper.set((options.width or 7.0) if options.style == "paper" else None)
    missing = []
    draw = partial(_draw, material_of(found, runs), out, formats, catalogue)
    with in_parallel(draw, names) as drawn:
        for name, paths in zip(names, drawn):
            for path in paths:
                print(path, flush=True)
            if not paths:
                missing.append(name)
    if options.figure and missing:
        raise ReportError(f"the data for {', '.join(missing)} is not in these files")
    if len(missing) == len(names):
        raise ReportError("no figure can be drawn from these files")
    return 0
