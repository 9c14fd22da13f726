"""Causal attention beside other libraries: a table of what study/attention measured."""

from __future__ import annotations

import csv
from pathlib import Path

Row = dict[str, str]
Key = tuple[str, str, str]
COLUMNS = 128
CUDNN, FULL, CUDNN_FULL = ("cuDNN", "", "causal"), ("rows", "grid", "full"), ("cuDNN", "", "full")


def read(path: Path) -> dict[tuple[int, int], dict[Key, Row]]:
    """Of each size (heads, n), the rows by name, schedule and mask."""
    found: dict[tuple[int, int], dict[Key, Row]] = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            size = int(row["heads"]), int(row["n"])
            found.setdefault(size, {})[row["name"], row["schedule"], row["mask"]] = row
    return found


def best(size: dict[Key, Row]) -> Row:
    """The fastest of tribench's causal runs."""
    return min((row for key, row in size.items() if key[1] and key[2] == "causal"), key=lambda row: float(row["ms"]))


def table(sizes: dict[tuple[int, int], dict[Key, Row]]) -> tuple[list[str], list[list[str]]]:
    """
    The head and a row per size: cuDNN's time, of the others the share of it, and how often causal attention goes into
    full attention, of the fastest map and of cuDNN.
    """
    others = [key for key in dict.fromkeys(key for size in sizes.values() for key in size) if key[2] == "causal"]
    others.remove(CUDNN)
    names = [f"`{name}`" + (f", {schedule}" if schedule else "") for name, schedule, _ in others]
    rows = []
    for (heads, n), size in sizes.items():
        ms = float(size[CUDNN]["ms"])
        rate = 2 * COLUMNS * heads * n * (n + 1) / ms / 1e9
        shares = [f"{float(size[key]['of_cudnn']):.3f}" if key in size else "" for key in others]
        gains = [
            f"{float(size[full]['ms']) / float(one['ms']):.2f}" if full in size else ""
            for full, one in ((FULL, best(size)), (CUDNN_FULL, size[CUDNN]))
        ]
        rows.append([f"{heads} x {n:,}", f"{ms:.4g} ms ({rate:.0f} TFLOP/s)", *shares, *gains])
    return ["heads x N", "cuDNN", *names, "full / causal, fastest map", "of cuDNN"], rows


def finding(sizes: dict[tuple[int, int], dict[Key, Row]]) -> dict[str, object]:
    """The size at which the order of rows is worth the most, and the fastest maps' shares of cuDNN's time."""
    ascending = {size: float(rows["rows", "grid", "causal"]["ms"]) for size, rows in sizes.items()}
    fastest = {size: best(rows) for size, rows in sizes.items()}
    where = max(sizes, key=lambda size: ascending[size] / float(fastest[size]["ms"]))
    shares = [float(row["of_cudnn"]) for row in fastest.values()]
    return {
        "heads": where[0], "n": where[1], "name": fastest[where]["name"],
        "order": ascending[where] / float(fastest[where]["ms"]), "shares": (min(shares), max(shares)),
    }  # fmt: skip
