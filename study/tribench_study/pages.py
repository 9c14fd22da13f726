"""Pages and tables from the templates in study/templates."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from tribench_report import cli
from tribench_report.errors import ReportError

STUDY = Path(__file__).resolve().parents[1]
RULES = {"l": "---", "r": "---:"}


def table(rows: Iterable[Sequence[object]], head: Sequence[str], sides: str = "") -> str:
    """
    A Markdown table. Input: sides, l or r for each column; the last one counts for all that follow, and text, on the
    left, is the default
    """
    sides = (sides or "l").ljust(len(head), (sides or "l")[-1])
    lines = [head, [RULES[side] for side in sides], *([cell(str(one)) for one in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def points(text: str) -> str:
    """A list of one point per line, wrapped."""
    wrapper = textwrap.TextWrapper(120, subsequent_indent="  ", break_on_hyphens=False)
    return "".join(f"{wrapper.fill(f'* {line}')}\n" for line in text.strip().splitlines())


def record(text: str) -> str:
    """JSON as a block of code; a name and its value stay on one line."""
    glue = "\N{NO-BREAK SPACE}"
    lines = textwrap.wrap(text.replace('": ', f'":{glue}'), 115, subsequent_indent=" ")
    return "\n".join(f"    {line}".replace(glue, " ") for line in lines)


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def render(name: str, **values: object) -> str:
    """The template filled in. Errors: a value that the template needs is missing."""
    made = Environment(
        loader=FileSystemLoader(STUDY / "templates"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    for function in (table, points, record, cell):
        made.filters[function.__name__] = function
    return made.get_template(name).render(values)


def insert(path: Path, marker: str, content: str) -> None:
    """Replaces the text between the two comments of a marker. Errors: the file does not hold each exactly once."""
    text = path.read_text(encoding="utf-8")
    first, last = f"<!-- tribench:{marker} -->", f"<!-- /tribench:{marker} -->"
    if text.count(first) != 1 or text.count(last) != 1 or text.index(first) > text.index(last):
        raise ReportError(f"{path}: expected {first} and then {last}, each exactly once")
    before, _, rest = text.partition(first)
    cli.write_whole(path, f"{before}{first}\n{content}{last}{rest.partition(last)[2]}")
