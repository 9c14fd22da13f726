"""The tables of strategies and workloads, from the JSON of `tribench --list`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tribench_report import cli
from tribench_report.errors import ReportError
from tribench_report.into import insert
from tribench_report.reading.strict import read_bytes, reader


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table whose columns are all text."""
    table = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n" for cells in table)


def strategies(items: list[dict[str, Any]]) -> list[list[str]]:
    """One row per strategy: name, dimension, what it maps, the range in which it is exact, summary, source."""

    def exact(item: dict[str, Any]) -> str:
        unit, value = ("tiles", item["exact_tiles"]) if item["exact_tiles"] else ("cells", item["exact_cells"])
        return f"{value} {unit}"

    def name(item: dict[str, Any]) -> str:
        also = "".join(f", `{alias}`" for alias in item["aliases"])
        return f"`{item['name']}`{also}"

    return [
        [name(i), f"{i['dimension']}D", i["maps"], exact(i), i["summary"], i["source"]]
        for i in items
        if i["kind"] == "strategy"
    ]


def workloads(items: list[dict[str, Any]]) -> list[list[str]]:
    """One row per workload: name, dimension, output, input, summary."""
    return [
        [
            f"`{i['name']}`",
            f"{i['dimension']}D",
            f"`{i['output']}`" if i["output"] else "",
            i["input"] or "",
            i["summary"],
        ]
        for i in items
        if i["kind"] == "workload"
    ]


KINDS = {
    "strategies": (["name", "", "maps a", "exact up to n =", "what it does", "source"], strategies),
    "workloads": (["name", "", "output", "`--input`", "what a cell does"], workloads),
}


def run(arguments: list[str]) -> int:
    """Writes the table to standard output, or between its markers."""
    parser = argparse.ArgumentParser(
        prog="lists", description="Makes tables of `tribench --list --format json`."
    )
    parser.add_argument("--kind", choices=sorted(KINDS), required=True)
    parser.add_argument("file", nargs="?", default="-", help="JSON of --list; - is standard input")
    parser.add_argument("--into", metavar="TEXT", help="replace what stands between <!-- tribench:KIND --> markers")
    chosen = parser.parse_args(arguments)
    raw = read_bytes(Path(chosen.file))
    head, rows_of = KINDS[chosen.kind]
    try:
        rows = rows_of(reader(chosen.file, raw)(raw.decode("utf-8")))
        table = markdown(head, rows)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReportError(f"{chosen.file}: not the JSON of --list: {error}") from None
    if not rows:
        raise ReportError(f"{chosen.file}: lists no {chosen.kind}")
    if chosen.into is None:
        print(table)
    else:
        insert(Path(chosen.into), chosen.kind, table)
    return 0


if __name__ == "__main__":
    sys.exit(cli.main("lists", run))
