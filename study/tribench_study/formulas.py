"""docs/formulas.md: the formulas of examples/maps, how far each is exact, and what it costs beside ltm-i."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from pathlib import Path

from tribench_report.documents import Json

MAPS = Path(__file__).resolve().parents[2] / "examples" / "maps"
TILE = {2: 16, 3: 8}  # side of a tile [cells] in the column of N
LABEL = re.compile(r"^ \* (Found in|Arithmetic|Reported|Repair) +(.*(?:\n \* {13}.*)*)", re.MULTILINE)
URL = re.compile(r"https://([^ ,;]+)")


def described(path: Path) -> dict[str, str]:
    """Where a formula was found, its arithmetic, its repair, and what users reported: the head of its file."""
    comment = path.read_text(encoding="utf-8").partition("*/")[0]
    found = {label: re.sub(r"\n \* +", " ", text) for label, text in LABEL.findall(comment)}
    return {label: URL.sub(r"[\1](\g<0>)", text) for label, text in found.items()}


def name_of(strategy: str) -> str:
    """Of a map from a file: the digest follows."""
    return strategy.partition("@")[0]


def checks(path: Path) -> dict[str, Json]:
    """What --check-maps found, by formula. Input: its JSON; no file, no findings."""
    found = json.loads(path.read_bytes())["strategies"] if path.exists() else []
    return {name_of(one["strategy"]): one for one in found}


def costs(path: Path) -> dict[tuple[str, str, str], float]:
    """Time over that of the exact map, by formula, workload and N. Input: CSV of runs; no file, no times."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        runs = [run for run in csv.DictReader(file) if run["status"] == "ok" and run["verified.status"] == "pass"]
    times = {(name_of(run["strategy"]), run["workload"], run["n"]): float(run["time_ms.median"]) for run in runs}
    exact = {2: "ltm-i", 3: "ltm-tetra"}
    sides = {(name_of(run["strategy"]), run["workload"], run["n"]): int(run["dimension"]) for run in runs}
    return {key: ms / times[(exact[sides[key]], *key[1:])] for key, ms in times.items() if key[0] not in exact.values()}


def reach(one: Json | None) -> str:
    """The largest n that is right."""
    if one is None:
        return "–"
    return f"{one['right_n']:,}" + ("" if one["first_failing_n"] else " or more")


def fault(one: Json | None) -> str:
    """The first wrong block, with the tile that it has, and the first tile that no block has."""
    if one is None or not one["first_failing_n"]:
        return "–"
    where = f"n = {one['first_failing_n']:,}" + (f", block {one['fault_block']:,}" if one["got"] else "")
    tiles = [f"{word} ({', '.join(map(str, one[word]))})" for word in ("got", "missing") if one[word]]
    return ": ".join([where, ", ".join(tiles)])


def table(host: Path, gpu: Path, times: Path) -> Json:
    """The tables of docs/formulas.md. Input: checks on the host and on a GPU, and runs on that GPU."""
    on_host, on_gpu, cost = checks(host), checks(gpu), costs(times)
    columns = sorted({key[1:] for key in cost}, key=lambda column: (column[0], int(column[1])))
    rows, repairs, reported = [], [], []
    for path in sorted(MAPS.glob("*.h"), key=lambda path: (path.stem.startswith("tetra"), path.stem)):
        words, mine = described(path), on_gpu.get(path.stem) or on_host[path.stem]
        link = f"[`{path.stem}`](../examples/maps/{path.name})"
        cells = f"{mine['right_n'] * TILE[mine['dimension']]:,}"
        rows.append([
            link, words["Found in"], words["Arithmetic"], reach(on_host.get(path.stem)), reach(on_gpu.get(path.stem)),
            cells, fault(mine),
        ])  # fmt: skip
        if "Reported" in words:
            reported.append([link, words["Reported"], f"{mine['first_failing_n']:,}"])
        repairs.append([link, words["Repair"], *_ratios(cost, path.stem, columns)])
    headings = [f"`{what}`, N = {int(n):,}" for what, n in columns]
    return {"rows": rows, "reported": reported, "repairs": repairs, "columns": headings}


def _ratios(cost: dict[tuple[str, str, str], float], name: str, columns: Iterable[tuple[str, str]]) -> list[str]:
    found = [cost.get((name, *column)) for column in columns]
    return ["–" if ratio is None else f"{ratio:.2f}" for ratio in found]
