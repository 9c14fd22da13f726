"""Tables say what the JSON says."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import synthetic
from conftest import Result, Script
from tribench_report.table import milliseconds

Runs = list[synthetic.Json]
Table = Callable[..., Result]
PAIR = (("bb", "rb"), ("edm1",), (1024,))  # two runs


@pytest.fixture
def table(tmp_path: Path, inside: Script) -> Table:
    """The table of these runs."""

    def call(runs: Runs, *words: object) -> Result:
        return inside("table", synthetic.save(tmp_path / "a.json", runs), *words)

    return call


def rows(said: Result) -> dict[str, list[str]]:
    assert said.returncode == 0, said.stderr
    lines = [line for line in said.stdout.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0]: row[1:] for row in cells}


SWEEP = synthetic.triangle(ns=(1024, 30720))
WANTED = next(r for r in SWEEP if "edm4/rb/n30720" in r["key"])
SHARE = f"({100 * WANTED['roofline']['fraction_of_bound']:.1f} % of {WANTED['roofline']['ceiling']})"
# The head of each kind, the columns at the largest N, what is not a row, and the end of the last cell of rb.
KINDS = {
    "improvement": ("strategy", "dummy edm1 edm4", "bb", f"{WANTED['improvement']['factor']:.2f} ["),
    "time": ("ms (I)", "dummy 16x16 edm1 16x16 edm4 16x16", "", f"({WANTED['improvement']['factor']:.2f})"),
    "throughput": ("GB/s (of peak fill)", "edm1 16x16 edm4 16x16", "", f"{WANTED['throughput']['gb_per_s']:,.0f} ("),
    "bound": ("ms (of the bound)", "edm1 16x16 edm4 16x16", "", SHARE),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_says_what_the_json_says(table: Table, kind: str) -> None:
    head, columns, lacking, said = KINDS[kind]
    found = rows(table(SWEEP, "--kind", kind))
    assert " ".join(found[head]) == columns and lacking not in found and set(found) >= {"ltm-r", "utm", "rb", "rec"}
    assert said in found["rb"][-1]
    assert kind != "time" or "(" not in found["bb"][0], "the baseline has no factor"
    if "dummy" not in columns:
        assert table(SWEEP, "--kind", kind, "--workload", "dummy").returncode == 1


@pytest.mark.parametrize("kind", [*KINDS, "best"])
def test_a_note_that_all_runs_share_is_said_once(table: Table, kind: str) -> None:
    runs = [{**run, "caveats": "busy host"} for run in synthetic.triangle(ns=(30720,), workloads=("edm1",))]
    runs[-1]["caveats"] = "wide interval, busy host"
    said = table(runs, "--kind", kind)
    assert said.stdout.count("busy host") == 1 and "All runs: busy host." in said.stdout
    assert kind == "best" or "wide interval" in rows(said)["rec"][-1]


def test_small_numbers_are_not_0_and_a_factor_without_an_interval_stands_alone(table: Table) -> None:
    runs = synthetic.triangle(*PAIR)
    for run in runs:
        run["throughput"].update(gb_per_s=0.12345, cells_per_s=1e8)
    runs[1]["improvement"].update(factor=0.00321, ci95=[0.00123, 0.00456])
    wanted = {"time": "(0.003)", "improvement": "0.003 [0.001, 0.005]", "throughput": "0.123 ("}
    for kind, words in wanted.items():
        assert words in rows(table(runs, "--kind", kind))["rb"][0]
    assert rows(table(runs, "--kind", "best"))["edm1, 2D"][-2] == "0.123"
    runs[1]["improvement"]["ci95"] = None
    assert rows(table(runs, "--kind", "improvement"))["rb"] == ["0.003"]


def test_the_lines_under_it_are_about_its_runs_alone(tmp_path: Path, inside: Script) -> None:
    files = []
    for k, workload in enumerate(("edm1", "edm4")):
        runs = synthetic.triangle(workloads=(workload,), ns=(1024,))
        origin = {"tool": {"name": "tribench", "version": "0.1.0", "git_commit": f"{k}" * 16},
                  "command": ["tribench", "--workload", workload], "started": f"2025-11-2{k}T10:00:00Z"}  # fmt: skip
        files.append(synthetic.save(tmp_path / f"{workload}.json", runs, **origin))
    said = inside("table", *files, "--workload", "edm4").stdout
    where = "NVIDIA H200, driver 580.95.05, CUDA 13.0"
    assert f"Measured 2025-11-21 on {where} with tribench 0.1.0 (111111111)." in said
    assert said.count("    tribench --workload") == 1
    assert "Measured 2025-11-20 to 2025-11-21 on" in inside("table", *files).stdout


def test_sizes_of_one_workload_and_block(table: Table) -> None:
    runs = synthetic.tetra((256, 512), (4, 8), (8, 16, 128))
    assert "--block" in table(runs, "--kind", "size").stderr
    found = rows(table(runs, "--kind", "size", "--block", "8x8x8"))
    assert found["ms (I)"] == ["N = 256", "N = 512"]
    names = [name for name in found if name.startswith("dp-tetra")]
    assert names == [f"dp-tetra (n\\_c = {cut})" for cut in (8, 16, 128)]


def with_input(name: str) -> Runs:
    runs = synthetic.triangle(("bb", "rb"), ("collision",), (1024,))
    return [{**run, "key": f"{run['key']}/input-{name}"} for run in runs]


TWO_INPUTS = [*with_input("a.xyz-01234567"), *with_input("b.xyz-89abcdef")]


@pytest.mark.parametrize("kind", ["time", "size", "improvement", "throughput", "best"])
def test_runs_that_the_table_cannot_tell_apart_share_no_cell(table: Table, kind: str) -> None:
    runs = [*synthetic.triangle(*PAIR), *synthetic.triangle(*PAIR, engine="cpu")]
    said = table(runs, "--kind", kind)
    assert said.returncode == 1 and said.stdout == "" and "choose one with --engine" in said.stderr
    assert "cuda/edm1/" in said.stderr and "cpu/edm1/" in said.stderr
    assert table(runs, "--kind", kind, "--engine", "cpu").returncode == 0
    said = table(TWO_INPUTS, "--kind", kind)
    if kind == "best":  # one row for each workload
        assert said.returncode == 1 and said.stdout == ""
        assert "/input-a.xyz-01234567 on " in said.stderr and "/input-b.xyz-89abcdef on " in said.stderr
    else:
        assert {"rb (input a.xyz)", "rb (input b.xyz)"} <= set(rows(said))


def test_runs_that_nothing_but_the_key_sets_apart_share_no_cell(table: Table) -> None:
    runs = synthetic.triangle(("bb",), ("edm1",), (1024,))
    runs.append({**runs[0], "key": runs[0]["key"] + "/inexact"})
    said = table(runs)
    assert said.returncode == 1 and all(f"{run['key']} on NVIDIA H200" in said.stderr for run in runs)


@pytest.mark.parametrize("kind", ["time", "size", "improvement", "throughput", "best"])
def test_by_device_each_has_its_row(tmp_path: Path, inside: Script, kind: str) -> None:
    gpus = {"NVIDIA A100": 2.0, "NVIDIA H200": 1.0}
    files = [
        synthetic.save(tmp_path / f"{gpu}.json", synthetic.triangle(ns=(1024,), factor=factor), gpu=gpu)
        for gpu, factor in gpus.items()
    ]
    words = ("--workload", "edm1", "--kind", kind)
    apart = inside("table", *files, *words)
    assert apart.returncode == 1 and "ask for --by device" in apart.stderr and all(gpu in apart.stderr for gpu in gpus)
    said = inside("table", *reversed(files), *words, "--by", "device").stdout
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in said.split("\n\n")[0].splitlines()]
    here = [line for line in lines if line[0] in ("rb", "edm1, 2D")]
    assert lines[0][1] == "device" and [line[1] for line in here] == list(gpus)
    for row, file in zip(here, files):
        alone = inside("table", file, *words, "--by", "device").stdout
        assert f"| {' | '.join(row)} |" in alone, "as in a table of that device alone"
    assert "on NVIDIA H200, driver 580.95.05, CUDA 13.0; NVIDIA A100" in said


def test_a_factor_is_over_a_run_with_the_same_input(table: Table) -> None:
    runs = [TWO_INPUTS[0], {**TWO_INPUTS[3], "improvement": None}]
    assert "(" not in rows(table(runs))["rb (input b.xyz)"][0]


def over(baseline: str, *workloads: str) -> Runs:
    """A sweep with --baseline."""
    runs = [synthetic.run(s, w, 1024, random.Random(1)) for w in workloads for s in ("bb", "rb", "rec")]
    return synthetic.improve(runs, baseline)


def test_another_baseline_is_named_and_is_that_of_all_factors(table: Table) -> None:
    runs = over("rb", "edm1")
    found = rows(table(runs, "--kind", "improvement"))
    assert found["strategy (I over rb)"] == ["edm1"] and "rb" not in found and set(found) >= {"bb", "rec"}
    assert found["bb"][0].startswith(f"{runs[0]['improvement']['factor']:.2f} [")
    for kind in ("time", "size"):
        found = rows(table(runs, "--kind", kind))
        assert "ms (I over rb)" in found and "(" not in found["rb"][0] and found["bb"][0].endswith(")")
    runs[2]["improvement"] = None
    wanted = runs[1]["time_ms"]["median"] / runs[2]["time_ms"]["median"]
    assert rows(table(runs))["rec"][0].endswith(f"({wanted:.2f})")


def test_factors_over_different_baselines_share_no_table(table: Table) -> None:
    runs = [*over("rb", "edm1"), *over("bb", "edm4")]
    for kind in ("improvement", "time"):
        said = table(runs, "--kind", kind)
        assert said.returncode == 1 and said.stdout == ""
        assert "the factors are over bb and over rb: tabulate the files one by one" in said.stderr
        assert table(runs, "--kind", kind, "--workload", "edm1").returncode == 0


def test_what_no_run_has_is_no_table(table: Table, tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb",), ns=(1024,))
    for kind, lacking in (("improvement", "N = 1,024 has a factor over a baseline"), ("energy", "tribench --energy")):
        said = table(runs, "--kind", kind, "-o", tmp_path / "out.md")
        assert said.returncode == 1 and not (tmp_path / "out.md").exists() and lacking in said.stderr


def test_names_from_the_data_cannot_break_a_table(table: Table) -> None:
    runs = synthetic.triangle(*PAIR)
    runs[1]["strategy"] = "rb|`<b>\n"
    runs += [{**run, "parameters": {"{x}": "{y}"}, "key": f"{run['key']}x"} for run in runs]
    assert {r"rb\|\`\<b\>", "bb ({x} {y})"} <= set(rows(table(runs)))


def test_best_is_the_fastest_way_at_the_largest_n(table: Table) -> None:
    runs = [*SWEEP, *synthetic.life()]
    found = rows(table(runs, "--kind", "best"))
    assert found["workload"][:2] == ["fastest", "N"] and "dummy, 2D" not in found
    at_end = [r for r in runs if r["workload"] == "edm1" and r["n"] == 30720]
    fastest = min(at_end, key=lambda r: r["time_ms"]["median"])
    how, n, ms, *_ = found["edm1, 2D"]
    assert how == f"{fastest['strategy']}, 16x16" and n == "30,720"
    assert float(ms) == pytest.approx(fastest["time_ms"]["median"], rel=0.005)
    wide = [r for r in runs if r["parameters"].get("cell") == "u32" and r["n"] == 30720]
    per_step = min(r["time_ms"]["median"] / 100 for r in wide)
    assert float(found["life, u32, 2D"][2]) == pytest.approx(per_step, rel=0.005)


def test_host_timed_launches_are_told_from_batches_and_divided_by_their_own_baseline(table: Table) -> None:
    runs = []
    for timing, factor in ("batched", 1.0), ("host", 3.0):
        for one in synthetic.triangle(("bb", "ltm-r"), ("edm1",), (1024,)):
            ms = [factor * t for t in one["samples"]["ms"]]
            one["samples"] |= {"timing": timing, "ms": ms}
            runs.append({**one, "key": f"{one['key']}/{timing}", "time_ms": synthetic.summary(ms), "improvement": None})
    found = rows(table(runs))
    factors = {name: cells[0].split("(")[1] for name, cells in found.items() if name.startswith("ltm-r")}
    assert set(factors) == {"ltm-r", "ltm-r (host launches)"} and len(set(factors.values())) == 1


def test_energy_is_of_a_cell_and_of_a_launch_where_it_was_counted(table: Table) -> None:
    runs = synthetic.count_energy(synthetic.triangle(("bb", "rb", "rec"), ("edm1",), (1024,)))
    runs[2]["energy"] |= {"launch_j": None, "ci95": None, "nj_per_cell": None, "nj_per_cell_ci95": None}
    found = rows(table(runs, "--kind", "energy"))
    nj, joules = runs[1]["energy"]["nj_per_cell"], runs[1]["energy"]["launch_j"]
    assert found["nJ per cell (J per launch)"] == ["edm1 16x16"] and "rec" not in found
    assert found["rb"] == [f"{nj:.3g} [{0.99 * nj:.3g}, {1.01 * nj:.3g}] ({joules:.3g})"]


def test_milliseconds_have_three_digits_and_no_exponent() -> None:
    wanted = {0.012345: "0.0123", 99.96: "100", 999.4: "999", 999.5: "1000", 999.6: "1000", 1000.4: "1000"}
    assert {ms: milliseconds(ms) for ms in wanted} == wanted


def test_best_says_all_of_how_a_run_was_made_that_is_not_plain(table: Table) -> None:
    way = {"kernel": "tile", "tile": 64, "schedule": "persistent", "cache": "cold"}
    (one,) = synthetic.triangle(("bb",), ("edm1",), (1024,), **way)
    one["samples"]["timing"] = "host"
    for ranks, said in (
        ({"count": 2, "partition": "rows"}, "2 ranks, by rows, "),
        ({"count": 1, "partition": "cells"}, ""),
    ):
        found = rows(table([{**one, "ranks": ranks}], "--kind", "best"))
        words = f"bb, 16x16, tile kernel, tile 64, persistent, {said}cold cache, host launches"
        assert found["edm1, 2D"][0] == words


def test_a_label_names_what_a_strategy_won_with_and_what_only_one_has_needs_no_word(table: Table) -> None:
    runs = synthetic.triangle(("rb",), ("edm1",), (1024,))
    for strategy, tile in (("bb", 64), ("ltm-i", 128)):
        runs += synthetic.triangle((strategy,), ("edm1",), (1024,), kernel="loop", tile=tile)
    assert {"bb (loop kernel, tile 64)", "ltm-i (loop kernel, tile 128)", "rb"} <= set(rows(table(runs)))
    runs = [run for run in synthetic.tetra((256,)) if run["strategy"] in ("bb-tetra", "dp-tetra")]
    assert {"bb-tetra", "dp-tetra"} <= set(rows(table(runs)))


def test_latex_has_the_cells_of_markdown_and_escapes_them(tmp_path: Path, inside: Script) -> None:
    runs = synthetic.triangle(("bb", "ltm-r"), ("edm1", "write"), (1024,))
    runs = [{**run, "workload": run["workload"].replace("edm1", "a_b|50%")} for run in runs]
    synthetic.save(tmp_path / "x.json", runs)
    plain = inside("table", tmp_path / "x.json", "--kind", "time").stdout.splitlines()
    lines = inside("table", tmp_path / "x.json", "--kind", "time", "--format", "latex").stdout.splitlines()
    assert lines[0] == r"\begin{tabular}{lrr}" and lines[6] == r"\bottomrule"
    assert r"a\_b\textbar{}50\% 16x16" in lines[2] and lines[2].endswith(r" \\")
    body = [line.removesuffix(r" \\").split(" & ") for line in lines if line.startswith(("bb", "ltm-r"))]
    assert body == [line.strip("| ").split(" | ") for line in plain[2:4]]
    assert all(line.startswith("%") for line in lines[8:]) and "Measured" in lines[8]
