"""The verdicts of docs/claims.md worked out again from JSON, without a line of the code that wrote them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from statistics import median
from typing import Any

import pytest

TOP = Path(__file__).resolve().parents[2]
Json = dict[str, Any]
Times = dict[tuple[str, str, int], Json]
EDM = ("edm1", "edm2", "edm3", "edm4")


def rows() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (TOP / "docs" / "claims.md").read_text(encoding="utf-8").splitlines():
        if re.match(r"\| \d", line):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            found.setdefault(cells[1], cells)
    return found


@pytest.fixture(scope="module")
def document() -> Json:
    with gzip.open(TOP / "report" / "results" / "h200.json.gz") as file:
        found: Json = json.load(file)
    return found


def label(document: Json, name: str, side: int = 16) -> Times:
    place = next(k for k, part in enumerate(document["merged_from"]) if part["file"] == f"{name}.json")
    return {
        (run["strategy"], run["workload"], run["n"]): run
        for run in document["runs"]
        if run["source"] == place and run["block"][:2] == [side, side] and run["status"] == "ok"
    }


def ns(times: Times, *names: str) -> list[int]:
    return sorted(set.intersection(*({n for s, _, n in times if s == name} for name in names)))


def gain(times: Times, strategy: str, workload: str, n: int) -> Json:
    found: Json = times[strategy, workload, n]["improvement"]
    return found


def low_ratio(one: Json, other: Json) -> float:
    """The least that T(one) / T(other) may be."""
    low: float = one["time_ms"]["ci95"][0] / other["time_ms"]["ci95"][1]
    return low


def share(row: list[str]) -> tuple[int, int]:
    found = re.search(r"(\d+) of (\d+)\)", row[4])
    assert found, row[4]
    return int(found.group(1)), int(found.group(2))


@pytest.mark.parametrize(
    ("what", "name", "strategy", "slower"),
    [
        ("There REC is slower than the box at every N (its levels in one graph).", "paper", "rec", True),
        ("With the plain square root (LTM-X) the map is slower than the box.", "roots", "ltm-x", True),
        ("GPUs of the future will let LTM gain with the plain square root.", "roots", "ltm-x", False),
        ("There UTM is slower than the box at every N (by transposition, as the text has it).", "paper", "utm-t", True),
    ],
)
def test_gains_on_every_n(document: Json, what: str, name: str, strategy: str, slower: bool) -> None:
    times = label(document, name)
    gains = [gain(times, strategy, "dummy", n)["ci95"] for n in ns(times, strategy)]
    holds = sum(high < 1.0 for _, high in gains) if slower else sum(low > 1.0 for low, _ in gains)
    assert share(rows()[what]) == (holds, len(gains))
    expected = "does not hold" if holds == 0 else "holds" if holds == len(gains) else "holds in part"
    assert f"**{expected}**" in rows()[what][6]


def test_rb_is_the_fastest(document: Json) -> None:
    times = label(document, "paper")
    others = ("bb", "ltm-r", "rec", "utm-t")
    sizes = ns(times, "rb", *others)
    holds = 0
    for n in sizes:
        best = min((times[s, "dummy", n] for s in others), key=lambda run: run["time_ms"]["median"])
        holds += low_ratio(best, times["rb", "dummy", n]) > 1.0
    assert share(rows()["On the kernel that only maps, RB is the fastest of all."]) == (holds, len(sizes))


def test_utm_is_the_slowest(document: Json) -> None:
    times = label(document, "paper")
    others = ("bb", "ltm-r", "rb", "rec")
    for utm, what in (
        ("utm-t", "On distance matrices UTM is the slowest of all (by transposition, as the text has it)."),
        ("utm", "The same of UTM as its authors' program stores, contiguously."),
    ):
        holds = count = 0
        for workload in EDM:
            for n in ns(times, utm, *others):
                worst = max((times[s, workload, n] for s in others), key=lambda run: run["time_ms"]["median"])
                holds += low_ratio(times[utm, workload, n], worst) > 1.0
                count += 1
        if utm == "utm-t":
            assert share(rows()[what]) == (holds, count)
        else:
            cells = next(c for c in read_all() if c[1] == what and "next slowest" in c[3])
            assert share(cells) == (holds, count)


def read_all() -> list[list[str]]:
    lines = (TOP / "docs" / "claims.md").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if re.match(r"\| \d", line)]


def test_dynamic_parallelism_over_a_range(document: Json) -> None:
    place = next(k for k, part in enumerate(document["merged_from"]) if part["file"] == "tetra-small.json")
    gains = [
        run["improvement"]
        for run in document["runs"]
        if run["source"] == place and run["strategy"] == "dp-tetra" and run["cutoff"] == 128 and 128 <= run["n"] <= 512
    ]
    row = rows()["Dynamic parallelism is slower than the bounding box."]
    assert share(row) == (sum(one["ci95"][1] < 1.0 for one in gains), len(gains))
    assert f"{median(one['factor'] for one in gains):.2f} [" in row[4]
