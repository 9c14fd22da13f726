"""Prints a map as a function in the language of one's own kernel."""

from __future__ import annotations

import linecache
from types import ModuleType

from .. import cli
from ..errors import ReportError, UsageError
from .headers import names, read
from .languages import LANGUAGES
from .translate import Translated, translate
from .values import EmitError

__all__ = ["LANGUAGES", "EmitError", "about", "emit", "module_of", "names", "read", "text_of"]


def about(map: Translated) -> list[str]:
    """What a map's function takes and returns, where it is right, and from where it is."""
    source, arguments = map.source, map.place.arguments
    index = ", ".join(axis for axis in arguments if axis in "xyz")
    lines = [f"{source.name}: {source.summary or 'a map of your own'}", ""]
    lines += [f"{index}: the index of a block; n: tiles per side of the " + (
        "tetrahedron." if source.dimension == 3 else "triangle."
    )]  # fmt: skip
    if map.numbers:
        lines += [f"{', '.join(map.numbers)}: the numbers of the launch, see {map.grid.name}."]
    if "table" in arguments:
        lines += [f"table: the elements of {map.name}_table, as 32-bit whole numbers."]
    tile = "tile x, y, z with x + y <= z < n" if source.dimension == 3 else "tile's row and column, col <= row < n"
    tile = "row of tiles and the second of a pair, or the same one" if source.by_rows else tile
    lines += [f"The result is its {tile}, and whether it has one: else it is wasted."]
    lines += [f"Exact for n <= {source.exact_n}." if source.exact_n else "Its range is not known: see --check-maps."]
    return lines + ([f"Source: {source.source}."] if source.source else [])


def text_of(language: str, name: str) -> str:
    """The functions of one map, without what the language needs before them. Errors: as `emit`"""
    writer = LANGUAGES[language]
    map = translate(read(name), is_vector=language == "python")
    what = "The grid that covers n: blocks along x, y, z."
    if map.numbers or map.grid.returns == "launches":
        what = "The launches that cover n, in any order: of each its grid x, y, z, and its numbers for the function."
    lines = [*writer.function(map, about(map)), *writer.listed(map.grid, what)]
    if map.table:
        count = "n" if map.source.by_rows else "T(n)"
        lines += writer.listed(map.table, f"The table for n, which its map reads: {count} elements.")
    return "\n".join(lines) + "\n"


def emit(language: str, maps: list[str]) -> str:
    """The functions of several maps. Errors: EmitError, the language or a map is unknown, or cannot be translated"""
    if language not in LANGUAGES:
        raise EmitError(f"unknown language '{language}' (known: {', '.join(LANGUAGES)})")
    head = LANGUAGES[language].header
    return (head + "".join(text_of(language, name) for name in maps)).lstrip("\n")


def module_of(language: str, name: str) -> ModuleType:
    """A module with the functions of a map in a language that is Python; its source is where tracebacks look for it."""
    text, path = emit(language, [name]), f"<tribench: {name} in {language}>"
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    made = ModuleType(f"tribench.maps.{language}.{name.replace('-', '_')}", f"{name} as tribench --emit has it")
    exec(compile(text, path, "exec"), made.__dict__)
    return made


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        "emit",
        __doc__ or "",
        "    tribench-report emit triton rb-b >maps.py\n    tribench-report emit cuda ltm-i ./mine.h >maps.cuh\n\n"
        "The functions depend on nothing else: each has what it takes and returns, and its range, in its first lines.",
    )
    parser.add_argument("language", metavar="LANGUAGE", help=", ".join(LANGUAGES))
    parser.add_argument("maps", nargs="+", metavar="NAME", help="a map of blocks (tribench --list), or a file with one")
    options = parser.parse_args(arguments)
    try:
        text = emit(options.language, options.maps)
    except EmitError as problem:
        raise (UsageError if options.language not in LANGUAGES else ReportError)(str(problem)) from None
    cli.write_output("-", text)
    return 0
