"""Result files as a data frame: its columns, what is rejected, and which of several records counts."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import synthetic
from synthetic import one_run
from tribench_report import cli, frame, groups
from tribench_report.errors import ReportError


def saved(folder: Path, runs: list[synthetic.Json], name: str = "a.json", **changes: object) -> str:
    return str(synthetic.save(folder / name, runs, **changes))


def test_a_run_is_a_row_and_a_value_is_a_column(tmp_path: Path) -> None:
    run = synthetic.life((1024,))[0]
    (row,) = frame.load([saved(tmp_path, [run])]).runs.to_dict("records")
    assert row["key"] == run["key"] and row["block"] == "16x16" and row["device"] == "NVIDIA H200"
    assert row["time_ms.median"] == run["time_ms"]["median"] and row["time_ms.ci95.low"] == run["time_ms"]["ci95"][0]
    assert list(row["samples.ms"]) == run["samples"]["ms"]
    assert row["parameters.memory"] == run["parameters"]["memory"] and row["parameters.rule"] == "2333"
    assert row["usable"] and row["caution"] == "" and row["part"] == 0 and np.isnan(row["tried"])


def test_unverified_runs_are_usable_only_when_asked_for(tmp_path: Path) -> None:
    runs = [one_run(1024), one_run(2048, verified={"status": "none"}), one_run(4096, verified={"status": "fail"})]
    path = saved(tmp_path, runs)
    found = frame.load([path])
    assert list(found.usable["n"]) == [1024] and len(found.runs) == 3
    assert "1 run was not verified and is left out" in found.warnings[1]
    assert list(frame.load([path], unverified=True).usable["n"]) == [1024, 2048]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n": "x"}, "'n' is not a number"),
        ({"n": 0}, "'n' is"),
        ({"block": None}, "has no 'block'"),
        ({"samples": {"count": "x", "ms": []}}, "'samples.count' is not a number"),
        ({"samples": {"count": 1, "ms": ["nan"]}}, "is not a list of numbers"),
        ({"samples": {"count": 1, "ms": [0]}}, "is not between"),
        ({"samples": {"count": 1, "ms": [1.0, 1e13]}}, "is not between"),
        *(({"time_ms": {"median": ms, "ci95": None}}, "is not between") for ms in (0, 1e-308, 1e-13, 1e13, 1e300)),
        ({"time_ms": {"median": 1.0, "ci95": [0, 2.0]}}, "is not between"),
        *(
            ({"time_ms": {"median": 1.0, "ci95": [odd, 2.0]}}, "is not a number")
            for odd in ("nan", "1e999", [], True, 10**400)
        ),
        ({"improvement": {"baseline": "rb", "factor": 0, "ci95": None}}, "is not between"),
        ({"strategy": []}, "'strategy' is not a word"),
        ({"parameters": {"rule": {}, "x": []}}, "not a word or a number"),
    ],
)
def test_a_run_that_cannot_be_used_is_named_with_its_file(tmp_path: Path, changes: synthetic.Json, words: str) -> None:
    path = saved(tmp_path, [one_run(2048), {**one_run(), **changes}])
    with pytest.raises(ReportError, match=words) as rejected:
        frame.load([path])
    assert str(rejected.value).startswith(f"{path}: run cuda/edm1/bb/n1024")


def test_the_winner_of_a_search_knows_how_many_were_tried(tmp_path: Path) -> None:
    ok, slower = one_run(), {**one_run(), "key": "slower", "time_ms": {"median": 9.0, "ci95": None}}
    dropped = {**one_run(), "key": "dropped", "status": "dropped", "time_ms": None, "verified": None}
    tried = frame.load([saved(tmp_path, [ok, slower, dropped])]).runs["tried"]
    assert tried[0] == 3.0 and tried[1:].isna().all()
    assert frame.load([saved(tmp_path, [ok, slower])]).runs["tried"].isna().all()


def test_the_device_is_the_one_that_the_environment_names(tmp_path: Path) -> None:
    path = saved(tmp_path, [one_run()], environment={**synthetic.environment(), "device": "NVIDIA H200 NVL"})
    assert list(frame.load([path]).runs["device"]) == ["NVIDIA H200 NVL"]


CHOSEN = {
    "--strategy ltm": ["ltm-r"],
    "--strategy ltm*": ["ltm-n", "ltm-r", "ltm-rows"],
    "--strategy paper": ["bb", "ltm-r"],
    "--strategy 2d": ["bb", "ltm-n", "ltm-r"],
    "--strategy 3d,bb": ["bb", "ltm-rows"],
    "--strategy all --workload ed?1": ["bb", "ltm-n", "ltm-r", "ltm-rows"],
    "--workload haversine": ["own"],
    "--workload haversine@0123abcd,none": ["own"],
    "--workload hav*": ["own"],
    "--block 16x* --kernel cell --n 1024": ["bb", "ltm-n", "ltm-r", "ltm-rows", "own"],
    "--memory *": [],
    "--strategy b* --memory halo": [],
}


@pytest.mark.parametrize("words", CHOSEN)
def test_runs_are_selected_as_tribench_selects_them(words: str) -> None:
    runs = [{**one_run(), "key": name, "strategy": name} for name in ("bb", "ltm-n", "ltm-r", "ltm-rows")]
    runs.append({**one_run(), "key": "own", "strategy": "own", "workload": "haversine@0123abcd"})
    parser = cli.Parser("table", "")
    groups.add_filters(parser)
    options, found = parser.parse_args(words.split()), synthetic.results(runs).usable
    if CHOSEN[words]:
        assert list(groups.select(found, options)["strategy"]) == CHOSEN[words]
    else:
        with pytest.raises(ReportError, match=f"selected by {re.escape(words)}; these files have .*--memory nothing"):
            groups.select(found, options)
    with pytest.raises(ReportError, match="--strategy x; these files have --strategy bb, ltm-n, ltm-r, ltm-rows, own$"):
        groups.select(found, parser.parse_args(["--strategy", "x"]))


def test_sets_and_aliases_are_those_of_the_binary() -> None:
    if "TRIBENCH" not in os.environ:
        pytest.skip("TRIBENCH names no binary")
    command = [os.environ["TRIBENCH"], "--list", "strategies", "-f", "json"]
    listed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    for one in listed:
        assert one["name"] in groups.SETS[f"{one['dimension']}d"]
        assert all(groups.SETS[alias] == [one["name"]] for alias in one["aliases"])
    assert len(listed) == len(groups.ORDER)
