"""Pages and tables from the templates in study/templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

STUDY = Path(__file__).resolve().parents[1]
RULES = {"l": "---", "r": "---:"}


def table(rows: Iterable[Sequence[object]], head: Sequence[str], sides: str = "") -> str:
    """
    A Markdown table. Input: sides, l or r for each column; the last one counts for all that follow, and text, on the
    left, is the default
    """
    sides = (sides or "l").ljust(len(head), (sides or "l")[-1])
    lines = [head, [RULES[side] for side in sides], *([str(cell).replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def render(name: str, **values: object) -> str:
    """The template filled in. Errors: a value that the template needs is missing."""
    made = Environment(
        loader=FileSystemLoader(STUDY / "templates"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    made.filters["table"] = table
    return made.get_template(name).render(values)
