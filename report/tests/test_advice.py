"""The advice names a winner only where there is one."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pandas as pd
import pytest
import synthetic
from conftest import Script
from tribench_report.advice import Advice, advise
from tribench_report.documents import read_file
from tribench_report.frame import load
from tribench_report.groups import with_factors


def frame(*runs: synthetic.Json, devices: tuple[str, ...] = ()) -> pd.DataFrame:
    """The runs, each with a key of its own, as if each strategy had one."""
    own = [{**run, "key": f"{place}/{run['key']}"} for place, run in enumerate(runs)]
    found = synthetic.results(own).runs
    return found.assign(device=list(devices)) if devices else found


def advice(times: dict[str, dict[int, float]], noise: float = 0.002) -> list[Advice]:
    """times: strategy -> N -> factor on a common time."""
    rng, runs = random.Random(5), []
    for strategy, factors in times.items():
        for n, factor in factors.items():
            runs.append(synthetic.run("bb", "edm1", n, rng, factor=factor, noise=noise) | {"strategy": strategy})
    return advise(frame(*runs))


def test_a_clear_winner_with_its_margin() -> None:
    (one,) = advice({"bb": {1024: 1.0, 2048: 1.0}, "rb": {1024: 0.8, 2048: 0.8}, "rec": {1024: 0.9, 2048: 0.9}})
    assert (one.verdict, one.runner_up, one.sizes[0], one.sizes[-1]) == ("rb", "rec", 1024, 2048)
    assert one.margin is not None and one.margin.low < 1.125 < one.margin.high


def test_of_many_that_tie_a_few_are_named() -> None:
    (one,) = advice({name: {1024: 1.0} for name in ("bb", "rb", "rec", "utm", "hmap", "ltm-r")})
    assert one.verdict.startswith("no clear winner: ") and one.verdict.endswith(" and 2 more")


def test_a_caveat_at_one_size_does_not_divide_a_range() -> None:
    rng = random.Random(5)
    runs = [synthetic.run(s, "edm1", n, rng, factor=f) for n in (1024, 2048) for s, f in (("bb", 2.0), ("rb", 1.0))]
    runs[3]["caveats"] = "throttled"
    (one,) = advise(frame(*runs))
    assert one.sizes == [1024, 2048] and one.verdict == "rb (throttled)"


def test_a_peer_is_no_choice() -> None:
    rng = random.Random(5)
    ours = [synthetic.run("bb", "edm1", 1024, rng, factor=factor) for factor in (1.0, 0.8)]
    ours[1]["strategy"] = "rb"
    peer = {**ours[1], "strategy": "torch.pdist", "peer": {"name": "torch", "version": "2.9"}, "launch": None}
    peer["time_ms"] = {name: value for name, value in ours[0]["time_ms"].items()} | {"median": 1e-6, "ci95": None}
    assert [one.best for one in advise(frame(*ours, peer))] == ["rb"]


def test_inputs_that_compute_different_things_are_asked_apart() -> None:
    rng, runs = random.Random(5), []
    for name, factors in (("few", {"bb": 0.8, "rb": 1.0}), ("many", {"bb": 1.0, "rb": 0.8})):
        for strategy, factor in factors.items():
            run = synthetic.run("bb", "collision", 1024, rng, factor=factor)
            runs.append(run | {"key": f"{run['key']}/input-{name}.csv-0123abcd", "strategy": strategy})
    found = advise(frame(*runs))
    assert [(one.place, one.best) for one in found] == [
        ("collision, packed output, input few.csv", "bb"),
        ("collision, packed output, input many.csv", "rb"),
    ]


def test_runs_that_compute_or_measure_other_things_are_asked_apart() -> None:
    rng, runs = random.Random(5), []
    for density, strategy, factor in ((0.1, "bb", 1.0), (0.9, "bb", 2.0), (0.1, "rb", 1.1), (0.9, "rb", 1.5)):
        one = synthetic.run("bb", "gol", 1024, rng, factor=factor) | {"strategy": strategy}
        one["parameters"] = {"memory": "halo", "cell": "u8", "steps": 4, "density": density}
        runs.append(one | {"key": f"{one['key']}/{strategy}/d{density}", "improvement": None})
    for change in ({"seed": 2}, {"ranks": {"count": 2, "partition": "cells"}}):
        pair = (("bb", 1.0), ("rb", 0.9))
        edm = [synthetic.run("bb", "edm1", 1024, rng, factor=f) | {"strategy": s} for s, f in pair]
        runs += edm + [one | change | {"key": f"{one['key']}/{change}"} for one in edm]
    parsed = frame(*runs)
    found = {one.place: (one.best, one.compared) for one in advise(parsed[:4])}
    assert found == {
        "gol, packed output, u8 cells, 4 steps, density 0.1": ("bb (halo)", "2 maps"),
        "gol, packed output, u8 cells, 4 steps, density 0.9": ("rb (halo)", "2 maps"),
    }
    assert [one.compared for one in advise(parsed[4:8])] == ["2 maps"] * 2
    assert [one.compared for one in advise(parsed[8:])] == ["2 maps"] * 2
    assert 1.3 < with_factors(parsed[:4])["I"].iloc[3] < 1.36


def test_dimensions_with_other_defaults_are_not_asked_apart() -> None:
    rng, runs = random.Random(5), []
    for dimension, density in ((2, 0.3), (3, 0.2)):
        for strategy in ("bb", "rb"):
            one = synthetic.run("bb", "life", 1024, rng) | {"strategy": strategy, "dimension": dimension}
            one["parameters"] = {"cell": "u8", "steps": 4, "density": density}
            runs.append(one | {"key": f"{one['key']}/{strategy}/{dimension}", "improvement": None})
    places = {one.place for one in advise(frame(*runs))}
    assert len(places) == 2 and not any("density" in place for place in places)


@pytest.mark.parametrize(
    ("rb", "rec"),
    [
        ([1.0] * 51, ([0.9, 1.1] * 26)[1:]),  # a large margin, and an interval that holds 1
        ([1.0] * 3, [1.2] * 3),  # too few samples for an interval
        ([1.0] * 51, [1.004] * 51),  # certain, but too small to matter
    ],
)
def test_a_difference_that_is_unsure_or_tiny_is_no_reason_to_choose(rb: list[float], rec: list[float]) -> None:
    runs = []
    for strategy, ms in (("rb", rb), ("rec", rec), ("bb", [2.0 * ms for ms in rb])):
        one = synthetic.run(strategy, "edm1", 1024, random.Random(5))
        runs.append(one | {"time_ms": synthetic.summary(ms), "samples": {**one["samples"], "ms": ms}})
    (found,) = advise(frame(*runs))
    clear = len(rb) > 5
    assert found.verdict == "no clear winner: rb, rec" + ", bb" * (not clear)
    assert found.runner_up == "bb" * clear


def test_a_change_of_winner_starts_a_new_range() -> None:
    small, large = (256, 512), (8192, 16384)
    times = {"bb": {**dict.fromkeys(small, 0.5), **dict.fromkeys(large, 1.0)},
             "rb": {**dict.fromkeys(small, 0.9), **dict.fromkeys(large, 0.6)}}  # fmt: skip
    found = advice(times)
    assert [(a.best, a.sizes[0], a.sizes[-1]) for a in found] == [("bb", 256, 512), ("rb", 8192, 16384)]


def test_sizes_where_the_winner_is_not_alone_are_counted() -> None:
    (one,) = advice({"rb": {256: 1.0, 512: 1.0}, "rec": {256: 1.001, 512: 1.2}})
    assert one.verdict == "rb: never clearly beaten, clearly fastest at 1 of 2 sizes"


def test_a_map_that_was_not_measured_everywhere_wins_only_where_it_was_compared() -> None:
    found = advice({"bb": dict.fromkeys((256, 512, 1024, 2048), 1.0), "rb": dict.fromkeys((256, 512, 1024, 2048), 0.9),
                    "rec": dict.fromkeys((1024, 2048), 0.5)})  # fmt: skip
    assert [(a.compared, a.best, a.sizes[0], a.sizes[-1]) for a in found] == [
        ("2 maps", "rb", 256, 512),
        ("3 maps", "rec", 1024, 2048),
    ]


def test_a_tile_that_was_tried_at_one_size_is_a_line_of_its_own() -> None:
    rng = random.Random(5)
    runs = [synthetic.run(s, "edm1", n, rng) for s in ("bb", "rb") for n in (512, 1024)]
    runs += [synthetic.run(s, "edm1", 1024, rng, tile=64, factor=f) for s, f in (("bb", 0.3), ("rb", 0.2))]
    plain, tuned = advise(frame(*runs))
    assert (plain.compared, plain.sizes[0], plain.sizes[-1]) == ("2 maps", 512, 512)
    assert (tuned.compared, tuned.best, tuned.sizes[0]) == ("2 maps in 4 settings", "rb (tile 64)", 1024)


def test_neither_dimensions_nor_devices_are_compared_with_each_other() -> None:
    rng = random.Random(5)
    flat = [synthetic.run(s, "write", 512, rng, layout="full") for s in ("bb", "rb")]
    deep = [synthetic.run(s, "write", 512, rng, layout="full", dimension=3) for s in ("bb-tetra", "rb-tetra")]
    found = advise(frame(*flat, *deep, *flat, devices=("A",) * 4 + ("B",) * 2))
    places = ["write, 3D, full output, A", "write, full output, A", "write, full output, B"]
    assert [one.place for one in found] == places


def test_improvement_is_filled_in_from_medians_only_within_one_place() -> None:
    rng = random.Random(5)
    runs = [synthetic.run(strategy, "edm1", 1024, rng) for strategy in ("bb", "rb", "rb")]
    found = with_factors(frame(*runs, devices=("A", "A", "B")))
    base, mine, elsewhere = found.to_dict("records")
    assert mine["I"] == base["time_ms.median"] / mine["time_ms.median"] and mine["I.low"] < mine["I"] < mine["I.high"]
    assert pd.isna(elsewhere["I"]) and base["I"] == 1.0


def test_a_baseline_is_measured_against_itself_whatever_its_tile() -> None:
    rng = random.Random(5)
    runs = [synthetic.run("bb", "edm1", 1024, rng, tile=tile, factor=f) for tile, f in ((16, 1.0), (64, 0.3))]
    assert list(with_factors(frame(*runs))["I"]) == [1.0, 1.0]
    over_plain = with_factors(frame(*runs), plain=True)["I"]
    assert over_plain.iloc[0] == 1.0 and over_plain.iloc[1] > 2.0


def searches(tmp_path: Path, name: str = "a.json") -> Path:
    """Searches at two sizes, each of whose winners has a block of its own, and a sweep in plain blocks beside them."""
    rng, runs = random.Random(3), []
    for n, factors in {1024: {"bb": 1.0, "rb": 0.5}, 2048: {"bb": 0.02, "rb": 1.0}}.items():
        for block, (strategy, factor) in zip((8, 32), factors.items()):
            one = synthetic.run("bb", "edm1", n, rng, factor=factor, block=block)
            one |= {"strategy": strategy, "key": f"cuda/edm1/{strategy}/n{n}/b{block}x{block}/t{block}/packed/seed1"}
            runs.append(one)
            for k in range(299):
                dropped = {"key": f"{one['key']}/{k}", "status": "dropped", "reason": "2.1 times as long"}
                runs.append({**one, **dropped, "verified": None, "time_ms": None, "samples": None, "improvement": None})
    searched = synthetic.document(runs)
    plain = [synthetic.run(s, "edm1", 2048, rng, factor=9.0) for s in ("bb", "rb")]
    part = {name: searched[name] for name in ("tool", "command", "environment", "started")}
    runs = [{**run, "source": 0} for run in runs] + [{**run, "source": 1} for run in plain]
    return synthetic.save(tmp_path / name, runs, merged_from=[{**part, "file": f"{k}.json"} for k in range(2)])


def test_a_search_tells_the_fastest_way_of_each_map_at_each_size(tmp_path: Path) -> None:
    found = load([str(searches(tmp_path))])
    small, large = advise(found.usable)
    assert small.verdict == "rb (32x32)" and small.runner_up == "bb (8x8)"
    assert large.verdict == "bb (8x8)" and large.compared == "2 maps in 600 settings"
    alone = found.usable[found.usable["strategy"] == "rb"]
    assert [(a.best, a.compared) for a in advise(alone)] == [("rb (32x32)", "1 map in 300 settings")] * 2


def test_a_search_on_one_gpu_says_nothing_of_another(tmp_path: Path) -> None:
    own = json.loads(searches(tmp_path).read_text())
    ok = [{**run, "source": 0} for run in own["runs"] if run["status"] == "ok"]
    other = synthetic.save(tmp_path / "other.json", ok, gpu="NVIDIA H100")
    compared = {a.compared for a in advise(load([str(tmp_path / "a.json"), str(other)]).usable) if "H100" in a.place}
    assert compared and not any("600" in words for words in compared)


def test_the_script_says_it_in_a_table_also_of_what_was_merged_or_became_lines(tmp_path: Path, inside: Script) -> None:
    path, merged, lines = searches(tmp_path), tmp_path / "merged.json", tmp_path / "lines.jsonl"
    assert inside("merge", path, "-o", merged).returncode == inside("merge", merged, "-o", lines).returncode == 0
    said = inside("advice", path).stdout
    assert said.split()[:2] == ["WORKLOAD", "N"] and inside("advice", merged).stdout == said
    assert inside("advice", lines).stdout == said
    assert any("rb (32x32)" in line and "in 600 settings" in line for line in said.splitlines())
    nothing = inside("advice", "--strategy", "bb", synthetic.save(tmp_path / "b.json", synthetic.triangle(("bb",))))
    assert nothing.returncode == 1 and "nothing to compare" in nothing.stderr


def test_lines_of_searches_of_earlier_versions_are_passed_over(tmp_path: Path) -> None:
    path = synthetic.save(tmp_path / "a.jsonl", [synthetic.one_run()])
    path.write_text(path.read_text() + '{"type": "trial", "key": "a"}\n{"type": "tuning", "strategy": "rb"}\n')
    document = read_file(path)
    assert len(document.runs) == 1 and document.warnings == []
