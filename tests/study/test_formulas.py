"""docs/formulas.md: the formulas' files say what the table needs, and the search finds where they break."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import RESULTS
from tribench_report.documents import Json
from tribench_study import formulas

FILES = sorted(formulas.MAPS.glob("*.h"))
# The first wrong n, which a program of its own found by brute force; of the others, none was wrong up to 131,072.
FIRST = {
    "approx_down": 31, "cutlass": 46341, "flaggems": 46341, "float_root": 4608, "gpumaps": 3143, "hash": 4097,
    "newton": 4097, "nnpops": 23170, "openmm": 8192, "openmm_plain": 4097, "quack": 4097, "torch_pdist_2018": 3073,
    "torch_pdist_2019": 46341, "zorder": 3, "tetra_cbrt": 2055, "tetra_gpumaps": 204, "tetra_powf": 1085,
}  # fmt: skip


def firsts(checks: dict[str, Json]) -> dict[str, int]:
    return {name: one["first_failing_n"] for name, one in checks.items() if one["first_failing_n"]}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_formula_says_where_it_was_found_how_it_computes_and_how_to_repair_it(path: Path) -> None:
    assert sorted(formulas.described(path).keys() - {"Reported"}) == ["Arithmetic", "Found in", "Repair"]


def test_there_are_many() -> None:
    assert len(FILES) >= 15


def test_the_search_finds_the_first_n_that_is_wrong(tmp_path: Path) -> None:
    words = ["--engine", "cpu", "--check-maps=300", "--strategy", ",".join(map(str, FILES)), "--format", "json", "-q"]
    if "TRIBENCH" not in os.environ:
        pytest.skip("TRIBENCH names no binary")
    done = subprocess.run([os.environ["TRIBENCH"], *words], capture_output=True, text=True, timeout=120, check=False)
    path = tmp_path / "found.json"
    path.write_text(done.stdout)
    found = formulas.checks(path)
    assert sorted(found) == [path.stem for path in FILES]
    assert firsts(found) == {name: n for name, n in FIRST.items() if n <= 300}
    assert found["approx_down"]["missing"] == [30, 0] and found["approx_down"]["got"] == [29, 30]


def test_the_table_has_what_brute_force_found() -> None:
    assert firsts(formulas.checks(RESULTS / "host-formulas.json")) == FIRST


def test_what_is_not_measured_is_no_number(tmp_path: Path) -> None:
    check = {"strategy": "", "dimension": 2, "right_n": 30, "first_failing_n": 31, "fault_block": 465}
    lines = [check | {"strategy": f"{path.stem}@1", "missing": [30, 0], "got": [29, 30]} for path in FILES]
    (tmp_path / "host.json").write_text(json.dumps({"strategies": lines}))
    runs = "strategy,workload,n,dimension,status,verified.status,time_ms.median\n"
    for row in ("ltm-i,edm1,8192,2,ok,pass,2", "hash@1,edm1,8192,2,ok,pass,3", "zorder@1,edm1,8192,2,ok,fail,1"):
        runs += f"{row}\n"
    (tmp_path / "runs.csv").write_text(runs)
    made = formulas.table(tmp_path / "host.json", tmp_path / "no.json", tmp_path / "runs.csv")
    assert made["columns"] == ["`edm1`, N = 8,192"]
    assert {row[0].split("`")[1]: row[2] for row in made["repairs"] if row[2] != "–"} == {"hash": "1.50"}
    row = next(row for row in made["rows"] if "`hash`" in row[0])
    assert row[3:] == ["30", "–", "480", "n = 31, block 465: got (29, 30), missing (30, 0)"]
    assert "[github.com/hashintel/hash/pull/9454](https://github.com/hashintel/hash/pull/9454)" in row[1]
