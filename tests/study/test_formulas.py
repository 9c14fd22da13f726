"""docs/formulas.md: the formulas' files say what the table needs, and the search finds where they break."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tribench_study import formulas

FILES = sorted(formulas.MAPS.glob("*.h"))
# The first wrong n, of those below 300 in 2D and 3D, by brute force; nothing else fails there.
FIRST = {"approx_down": 31, "tetra_gpumaps": 204, "zorder": 3}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_formula_says_where_it_was_found_how_it_computes_and_how_to_repair_it(path: Path) -> None:
    assert sorted(formulas.described(path)) == ["Arithmetic", "Found in", "Repair"]


def test_there_are_many() -> None:
    assert len(FILES) >= 15


def test_the_search_finds_the_first_n_that_is_wrong() -> None:
    words = ["--engine", "cpu", "--check-maps=300", "--strategy", ",".join(map(str, FILES)), "--format", "json", "-q"]
    if "TRIBENCH" not in os.environ:
        pytest.skip("TRIBENCH names no binary")
    done = subprocess.run([os.environ["TRIBENCH"], *words], capture_output=True, text=True, timeout=120, check=False)
    found = {formulas.name_of(one["strategy"]): one for one in json.loads(done.stdout)["strategies"]}
    assert sorted(found) == [path.stem for path in FILES]
    assert {name: one["first_failing_n"] for name, one in found.items() if one["first_failing_n"]} == FIRST
    assert found["approx_down"]["missing"] == [30, 0] and found["approx_down"]["got"] == [29, 30]


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
