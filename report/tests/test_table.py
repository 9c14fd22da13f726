"""Tables say what the JSON says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import synthetic
from conftest import Script
from tribench_report.table import milliseconds


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    return synthetic.save(tmp_path / "sweep.json", synthetic.triangle(ns=(1024, 30720)))


def rows(text: str) -> dict[str, list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {row[0]: row[1:] for row in cells}


WANTED = next(r for r in synthetic.triangle(ns=(1024, 30720)) if "edm4/rb/n30720" in r["key"])
SHARE = f"({100 * WANTED['roofline']['fraction_of_bound']:.1f} % of {WANTED['roofline']['ceiling']})"
# The head of each kind, the columns at the largest N, what is not a row, and the end of the last cell of rb.
KINDS = {
    "improvement": ("strategy", "dummy edm1 edm4", "bb", f"{WANTED['improvement']['factor']:.2f} ["),
    "time": ("ms (I)", "dummy 16x16 edm1 16x16 edm4 16x16", "", f"({WANTED['improvement']['factor']:.2f})"),
    "throughput": ("GB/s (of peak fill)", "edm1 16x16 edm4 16x16", "", f"{WANTED['throughput']['gb_per_s']:,.0f} ("),
    "bound": ("ms (of the bound)", "edm1 16x16 edm4 16x16", "", SHARE),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_says_what_the_json_says(sweep: Path, inside: Script, kind: str) -> None:
    head, columns, lacking, said = KINDS[kind]
    found = rows(inside("table", "--kind", kind, sweep).stdout)
    assert " ".join(found[head]) == columns and lacking not in found and set(found) >= {"ltm-r", "utm", "rb", "rec"}
    assert said in found["rb"][-1]
    if kind == "time":
        assert "(" not in found["bb"][0], "the baseline has no factor"
    if "dummy" not in columns:
        assert inside("table", "--kind", kind, "--workload", "dummy", sweep).returncode == 1


@pytest.mark.parametrize("kind", [*KINDS, "best"])
def test_a_note_that_all_runs_share_is_said_once(tmp_path: Path, inside: Script, kind: str) -> None:
    runs = synthetic.triangle(ns=(30720,), workloads=("edm1",))
    for run in runs:
        run["caveats"] = "busy host"
    runs[-1]["caveats"] = "wide interval, busy host"
    said = inside("table", "--kind", kind, synthetic.save(tmp_path / "a.json", runs)).stdout
    assert said.count("busy host") == 1 and "All runs: busy host." in said
    assert kind == "best" or "wide interval" in rows(said)["rec"][-1]


def test_small_numbers_are_not_0(tmp_path: Path, inside: Script) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024,))
    for run in runs:
        run["throughput"].update(gb_per_s=0.12345, cells_per_s=1e8)
    runs[1]["improvement"].update(factor=0.00321, ci95=[0.00123, 0.00456])
    path = synthetic.save(tmp_path / "a.json", runs)
    wanted = {"time": "(0.003)", "improvement": "0.003 [0.001, 0.005]", "throughput": "0.123 ("}
    for kind, words in wanted.items():
        assert words in rows(inside("table", "--kind", kind, path).stdout)["rb"][0]
    assert rows(inside("table", "--kind", "best", path).stdout)["edm1, 2D"][-2] == "0.123"


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


def test_sizes_of_one_workload_and_block(tmp_path: Path, inside: Script) -> None:
    path = synthetic.save(tmp_path / "t.jsonl", synthetic.tetra((256, 512), (4, 8), (8, 16, 128)))
    assert "--block" in inside("table", "--kind", "size", path).stderr
    found = rows(inside("table", "--kind", "size", "--block", "8x8x8", path).stdout)
    assert found["ms (I)"] == ["N = 256", "N = 512"]
    names = [name for name in found if name.startswith("dp-tetra")]
    assert names == [f"dp-tetra (n\\_c = {cut})" for cut in (8, 16, 128)]


def with_input(name: str) -> list[synthetic.Json]:
    runs = synthetic.triangle(("bb", "rb"), ("collision",), (1024,))
    return [{**run, "key": f"{run['key']}/input-{name}"} for run in runs]


@pytest.mark.parametrize("kind", ["time", "size", "improvement", "throughput", "best"])
def test_runs_that_only_the_engine_or_the_input_sets_apart_share_no_cell(
    tmp_path: Path, inside: Script, kind: str
) -> None:
    words = ("--kind", kind, tmp_path / "a.json")
    some = (("bb", "rb"), ("edm1",), (1024,))
    runs = [*synthetic.triangle(*some), *synthetic.triangle(*some, engine="cpu")]
    synthetic.save(tmp_path / "a.json", runs)
    result = inside("table", *words)
    assert result.returncode == 1 and result.stdout == ""
    assert (
        "cuda/edm1/" in result.stderr and "cpu/edm1/" in result.stderr and "choose one with --engine" in result.stderr
    )
    assert inside("table", *words, "--engine", "cpu").returncode == 0

    synthetic.save(tmp_path / "a.json", [*with_input("a.xyz-01234567"), *with_input("b.xyz-89abcdef")])
    result = inside("table", *words)
    if kind == "best":  # one row for each workload
        assert result.returncode == 1 and result.stdout == ""
        assert "/input-a.xyz-01234567 on " in result.stderr and "/input-b.xyz-89abcdef on " in result.stderr
    else:
        assert {"rb (input a.xyz)", "rb (input b.xyz)"} <= set(rows(result.stdout))


def test_runs_that_nothing_but_the_key_sets_apart_share_no_cell(tmp_path: Path, inside: Script) -> None:
    runs = synthetic.triangle(("bb",), ("edm1",), (1024,))
    runs.append({**runs[0], "key": runs[0]["key"] + "/inexact"})
    result = inside("table", synthetic.save(tmp_path / "a.json", runs))
    assert result.returncode == 1 and "belong in one cell" in result.stderr
    assert all(f"{run['key']} on NVIDIA H200" in result.stderr for run in runs)


@pytest.fixture
def two_gpus(tmp_path: Path) -> tuple[Path, Path]:
    runs = synthetic.triangle(ns=(1024,))
    slow = synthetic.triangle(ns=(1024,), factor=2.0)
    return (
        synthetic.save(tmp_path / "a.json", runs),
        synthetic.save(tmp_path / "b.json", slow, gpu="NVIDIA A100"),
    )


@pytest.mark.parametrize("kind", ["time", "size", "improvement", "throughput", "best"])
def test_by_device_each_has_its_row(two_gpus: tuple[Path, Path], inside: Script, kind: str) -> None:
    words = ("--by", "device", "--workload", "edm1", "--kind", kind)
    apart = inside("table", *reversed(two_gpus), *words[2:])
    assert apart.returncode == 1 and "ask for --by device" in apart.stderr
    assert "NVIDIA A100" in apart.stderr and "NVIDIA H200" in apart.stderr
    said = inside("table", *two_gpus, *words)
    assert said.returncode == 0, said.stderr
    table = said.stdout.split("\n\n")[0].splitlines()
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert lines[0][1] == "device"
    here = [line for line in lines[2:] if line[0] in ("rb", "edm1, 2D")]
    assert [line[1] for line in here] == ["NVIDIA A100", "NVIDIA H200"]
    alone = [inside("table", one, *words).stdout for one in two_gpus]
    for row, text in zip(here, reversed(alone)):
        assert f"| {' | '.join(row)} |" in text, "as in a table of that device alone"
    assert "on NVIDIA H200, driver 580.95.05, CUDA 13.0; NVIDIA A100" in said.stdout


def test_a_factor_is_over_a_run_with_the_same_input(tmp_path: Path, inside: Script) -> None:
    base, other = with_input("a.xyz-01234567")[0], with_input("b.xyz-89abcdef")[1]
    path = synthetic.save(tmp_path / "a.json", [base, {**other, "improvement": None}])
    assert "(" not in rows(inside("table", path).stdout)["rb (input b.xyz)"][0]


def over(baseline: str, *workloads: str) -> list[synthetic.Json]:
    """A sweep with --baseline."""
    runs = [synthetic.run(s, w, 1024, random.Random(1)) for w in workloads for s in ("bb", "rb", "rec")]
    return synthetic.improve(runs, baseline)


def test_another_baseline_is_named_and_is_that_of_all_factors(tmp_path: Path, inside: Script) -> None:
    runs = over("rb", "edm1")
    path = synthetic.save(tmp_path / "a.json", runs)
    found = rows(inside("table", "--kind", "improvement", path).stdout)
    assert found["strategy (I over rb)"] == ["edm1"] and "rb" not in found and set(found) >= {"bb", "rec"}
    assert found["bb"][0].startswith(f"{runs[0]['improvement']['factor']:.2f} [")
    for kind in ("time", "size"):
        found = rows(inside("table", "--kind", kind, path).stdout)
        assert "ms (I over rb)" in found and "(" not in found["rb"][0] and found["bb"][0].endswith(")")
    runs[2]["improvement"] = None
    found = rows(inside("table", synthetic.save(tmp_path / "a.json", runs)).stdout)
    wanted = runs[1]["time_ms"]["median"] / runs[2]["time_ms"]["median"]
    assert found["rec"][0].endswith(f"({wanted:.2f})")


def test_factors_over_different_baselines_share_no_table(tmp_path: Path, inside: Script) -> None:
    path = synthetic.save(tmp_path / "a.json", [*over("rb", "edm1"), *over("bb", "edm4")])
    for kind in ("improvement", "time"):
        result = inside("table", "--kind", kind, path)
        assert result.returncode == 1 and result.stdout == ""
        assert "the factors are over bb and over rb: tabulate the files one by one" in result.stderr
        assert inside("table", "--kind", kind, path, "--workload", "edm1").returncode == 0


def test_what_no_run_has_is_no_table(tmp_path: Path, inside: Script) -> None:
    path = synthetic.save(tmp_path / "a.json", synthetic.triangle(("bb",), ns=(1024,)))
    for kind, lacking in (("improvement", "N = 1,024 has a factor over a baseline"), ("energy", "tribench --energy")):
        result = inside("table", "--kind", kind, path, "-o", tmp_path / "out.md")
        assert result.returncode == 1 and not (tmp_path / "out.md").exists() and lacking in result.stderr


def test_names_from_the_data_cannot_break_a_table(tmp_path: Path, inside: Script) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024,))
    runs[1]["strategy"] = "rb|`<b>\n"
    runs += [{**run, "parameters": {"{x}": "{y}"}, "key": f"{run['key']}x"} for run in runs]
    found = rows(inside("table", synthetic.save(tmp_path / "a.json", runs)).stdout)
    assert {r"rb\|\`\<b\>", "bb ({x} {y})"} <= set(found)


def test_best_is_the_fastest_way_at_the_largest_n(tmp_path: Path, inside: Script) -> None:
    runs = [*synthetic.triangle(ns=(1024, 30720)), *synthetic.life()]
    found = rows(inside("table", "--kind", "best", synthetic.save(tmp_path / "a.json", runs)).stdout)
    assert found["workload"][:2] == ["fastest", "N"] and "dummy, 2D" not in found
    at_end = [r for r in runs if r["workload"] == "edm1" and r["n"] == 30720]
    fastest = min(at_end, key=lambda r: r["time_ms"]["median"])
    how, n, ms, *_ = found["edm1, 2D"]
    assert how == f"{fastest['strategy']}, 16x16" and n == "30,720"
    assert float(ms) == pytest.approx(fastest["time_ms"]["median"], rel=0.005)
    wide = [r for r in runs if r["parameters"].get("cell") == "u32" and r["n"] == 30720]
    per_step = min(r["time_ms"]["median"] / 100 for r in wide)
    assert float(found["life, u32, 2D"][2]) == pytest.approx(per_step, rel=0.005)


def test_isolated_launches_are_told_from_batches_and_divided_by_their_own_baseline(
    tmp_path: Path, inside: Script
) -> None:
    runs = []
    for timing, factor in ("batched", 1.0), ("isolated", 3.0):
        for one in synthetic.triangle(("bb", "ltm-r"), ("edm1",), (1024,)):
            ms = [factor * t for t in one["samples"]["ms"]]
            one["samples"] |= {"timing": timing, "ms": ms}
            runs.append({**one, "key": f"{one['key']}/{timing}", "time_ms": synthetic.summary(ms), "improvement": None})
    found = rows(inside("table", "--kind", "time", synthetic.save(tmp_path / "both.json", runs)).stdout)
    factors = {name: cells[0].split("(")[1] for name, cells in found.items() if name.startswith("ltm-r")}
    assert set(factors) == {"ltm-r", "ltm-r (isolated launches)"}
    assert len(set(factors.values())) == 1


def test_energy_is_of_a_cell_and_of_a_launch_where_it_was_counted(tmp_path: Path, inside: Script) -> None:
    runs = synthetic.count_energy(synthetic.triangle(("bb", "rb", "rec"), ("edm1",), (1024,)))
    runs[2]["energy"] |= {"launch_j": None, "ci95": None, "nj_per_cell": None, "nj_per_cell_ci95": None}
    found = rows(inside("table", "--kind", "energy", synthetic.save(tmp_path / "a.json", runs)).stdout)
    nj, joules = runs[1]["energy"]["nj_per_cell"], runs[1]["energy"]["launch_j"]
    assert found["nJ per cell (J per launch)"] == ["edm1 16x16"] and "rec" not in found
    assert found["rb"] == [f"{nj:.3g} [{0.99 * nj:.3g}, {1.01 * nj:.3g}] ({joules:.3g})"]


def test_a_factor_without_an_interval_stands_alone(tmp_path: Path, inside: Script) -> None:
    rng = random.Random(3)
    runs = synthetic.improve([synthetic.run(s, "edm1", 1024, rng) for s in ("bb", "rb")])
    runs[1]["improvement"]["ci95"] = None
    path = synthetic.save(tmp_path / "a.json", runs)
    found = rows(inside("table", "--kind", "improvement", path).stdout)
    assert found["rb"][0] == f"{runs[1]['improvement']['factor']:.2f}"


@pytest.mark.parametrize(
    ("ms", "said"),
    [(0.012345, "0.0123"), (99.96, "100"), (999.4, "999"), (999.5, "1000"), (999.6, "1000"), (1000.4, "1000")],
)
def testmilliseconds_have_three_digits_and_no_exponent(ms: float, said: str) -> None:
    assert milliseconds(ms) == said


def test_best_says_all_of_how_a_run_was_made_that_is_not_plain(tmp_path: Path, inside: Script) -> None:
    way = {"kernel": "tile", "tile": 64, "schedule": "persistent", "cache": "cold"}
    (one,) = synthetic.triangle(("bb",), ("edm1",), (1024,), **way)
    one["ranks"] = {"count": 2, "partition": "rows"}
    one["samples"]["timing"] = "isolated"
    found = rows(inside("table", "--kind", "best", synthetic.save(tmp_path / "a.json", [one])).stdout)
    words = "tile kernel, tile 64, persistent, 2 ranks, by rows, cold cache, isolated launches"
    assert found["edm1, 2D"][0] == f"bb, 16x16, {words}"
    one["ranks"] = {"count": 1, "partition": "cells"}
    found = rows(inside("table", "--kind", "best", synthetic.save(tmp_path / "a.json", [one])).stdout)
    assert "rank" not in found["edm1, 2D"][0]


def test_a_label_names_what_a_strategy_won_with_and_what_only_one_has_needs_no_word(
    tmp_path: Path, inside: Script
) -> None:
    runs = synthetic.triangle(("bb",), ("edm1",), (1024,), kernel="loop", tile=64)
    runs += synthetic.triangle(("ltm-i",), ("edm1",), (1024,), kernel="loop", tile=128)
    runs += synthetic.triangle(("rb",), ("edm1",), (1024,))
    found = rows(inside("table", synthetic.save(tmp_path / "a.json", runs)).stdout)
    assert {"bb (loop kernel, tile 64)", "ltm-i (loop kernel, tile 128)", "rb"} <= set(found)
    runs = [run for run in synthetic.tetra((256,)) if run["strategy"] in ("bb-tetra", "dp-tetra")]
    assert {"bb-tetra", "dp-tetra"} <= set(rows(inside("table", synthetic.save(tmp_path / "a.json", runs)).stdout))
