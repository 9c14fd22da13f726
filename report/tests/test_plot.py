"""Figures: each is there when its data is, and shows what the data says."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import synthetic
import vl_convert
from conftest import Script
from tribench_report import charts
from tribench_report.frame import Results

UNCHECKED = {"status": "none", "checked": 0, "mismatches": 0, "max_abs_error": 0.0}


def drawn(found: Results, *names: str, width: float | None = None) -> dict[str, charts.Figure]:
    each = (charts.figures(name, found.usable, found, width) for name in names or charts.CATALOGUE)
    return {one.name: one for figures in each for one in figures}


def data_of(figure: charts.Figure) -> list[dict[str, Any]]:
    """All rows of the chart's data."""
    return [row for rows in figure.chart.to_dict().get("datasets", {}).values() for row in rows]


def found_in(value: Any, name: str) -> Iterator[Any]:
    """All members of this name."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if key == name:
            yield part
        yield from found_in(part, name)


def marks(figure: charts.Figure) -> set[str]:
    return {mark["type"] for mark in found_in(figure.chart.to_dict(), "mark")}


@pytest.fixture(scope="module")
def sweep() -> Results:
    return synthetic.results(synthetic.triangle())


def test_a_sweep_gives_the_figures_that_it_has_the_data_for(sweep: Results) -> None:
    assert list(drawn(sweep)) == ["overview", "time", "bandwidth", "roofline", "heatmap"]
    counted = synthetic.results(synthetic.count_energy(synthetic.triangle(ns=(1024,))))
    assert "energy" in drawn(counted)
    assert drawn(synthetic.results(synthetic.triangle(("bb",))), "overview", "heatmap") == {}, "nothing to compare"


def test_every_caption_tells_device_driver_version_and_date(sweep: Results) -> None:
    for figure in drawn(sweep).values():
        caption = figure.caption
        for words in ("NVIDIA H200, driver 580.95.05, CUDA 13.0", "tribench 0.1.0 (012345678)", "2025-11-20"):
            assert words in caption, figure.name
    alone = synthetic.results(synthetic.triangle(engine="cpu"), gpu=None)
    assert "Example CPU 9000" in drawn(alone, "time")["time"].caption


def test_lines_show_the_recorded_factors_over_n(sweep: Results) -> None:
    rows = [row for row in data_of(drawn(sweep, "overview")["overview"]) if row["label"] == "rb"]
    wanted = {
        (run["workload"], run["n"]): [run["improvement"]["factor"], *run["improvement"]["ci95"]]
        for run in synthetic.triangle()
        if run["strategy"] == "rb"
    }
    assert {(row["panel"], row["x"]): [row["y"], row["ylow"], row["yhigh"]] for row in rows} == wanted
    assert not [row for row in data_of(drawn(sweep, "overview")["overview"]) if row["label"] == "bb"]


@pytest.mark.parametrize(
    ("name", "ns"),
    [("overview", (1024, 30720)), ("time", (1024, 30720)), ("energy", (1024, 30720)), ("time", (1024,))],
)
def test_one_wide_interval_does_not_set_the_scale(name: str, ns: tuple[int, ...]) -> None:
    runs = synthetic.count_energy(synthetic.triangle(ns=ns))
    for run in runs:
        if (run["workload"], run["strategy"]) == ("edm1", "rb"):
            for part in ("time_ms", "improvement", "energy"):
                run[part]["ci95"] = [1e-9, 1e9]
    found = synthetic.results(runs)
    figure = drawn(found, name)[name]
    rows = data_of(figure)
    at = math.log if name == "time" and len(ns) > 1 else float
    least, most = (at(end(row["y"] for row in rows)) for end in (min, max))
    room = (most - least) / 2
    assert all(least - room <= at(row["yfrom"]) <= at(row["yto"]) <= most + room for row in rows)
    assert max(row["yhigh"] for row in rows) >= 1e8, "which the tooltip tells"
    assert "cut where they leave the range" in figure.caption
    assert "rule" in marks(figure) and "area" not in marks(figure)


def test_a_peak_is_drawn_once_in_each_panel(sweep: Results) -> None:
    figure = drawn(sweep, "bandwidth")["bandwidth"]
    picture = vl_convert.vegalite_to_svg(figure.finished(False).to_dict())
    panels = len({row["panel"] for row in data_of(figure)})
    assert picture.count(">peak copy ") == picture.count(">peak fill ") == panels
    assert len({row["n"] for row in data_of(figure)}) > 1, "else these are bars"


def test_time_is_of_a_cell(sweep: Results) -> None:
    run = synthetic.triangle()[0]
    (row,) = (
        row for row in data_of(drawn(sweep, "time")["time"])
        if (row["panel"], row["label"], row["n"]) == (run["workload"], run["strategy"], run["n"])
    )  # fmt: skip
    assert row["y"] == pytest.approx(1e9 * run["time_ms"]["median"] / run["launch"]["cells"])


def test_one_size_is_bars_and_beside_many_gets_no_panel() -> None:
    few = [{**run, "time_ms": {**run["time_ms"], "ci95": None}} for run in synthetic.triangle(ns=(1024,))]
    one = drawn(synthetic.results(few), "time")["time"]
    assert all(row["yto"] == row["y"] for row in data_of(one)), "where its number stands"
    assert "bar" in marks(one) and "line" not in marks(one)
    runs = synthetic.triangle() + synthetic.triangle(workloads=("write",), ns=(1024,))
    many = drawn(synthetic.results(runs), "time")["time"]
    assert {row["panel"] for row in data_of(many)} == {"dummy", "edm1", "edm4"}


def test_devices_engines_and_blocks_get_a_file_each() -> None:
    runs = synthetic.triangle(ns=(1024, 2048)) + synthetic.triangle(ns=(1024, 2048), block=32)
    assert set(drawn(synthetic.results(runs), "time")) == {"time-16x16", "time-32x32"}


def test_variants_are_named_and_the_plain_map_is_not() -> None:
    rng = random.Random(1)
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048))
    runs += [synthetic.run("rb", "edm1", n, rng, tile=64, kernel="tile") for n in (1024, 2048)]
    found = synthetic.results(runs)
    labels = {row["label"] for row in data_of(drawn(found, "heatmap")["heatmap"])}
    assert labels == {"rb", "rb (tile kernel, tile 64)"}
    assert "over the plainest baseline" in drawn(found, "heatmap")["heatmap"].caption


def test_no_two_labels_look_alike() -> None:
    names = [*charts.COLOURS, *(f"mine-{k}" for k in range(20)), *(f"ltm-r (tile {k})" for k in range(20))]
    runs = synthetic.results([synthetic.one_run(n) for n in range(1, len(names) + 1)]).runs
    runs = runs.assign(label=names, strategy=[name.split(" ")[0] for name in names])
    scales = [encoding.to_dict()["scale"] for encoding in charts.looks(runs).values()]
    assert all(scale["domain"] == names for scale in scales)
    seen = list(zip(*([json.dumps(value) for value in scale["range"]] for scale in scales)))
    assert len(set(seen)) == len(names)


def test_the_roofline_has_a_point_for_each_run_under_the_peaks(sweep: Results) -> None:
    figure = drawn(sweep, "roofline")["roofline"]
    rows = [row for row in data_of(figure) if row["marked"] is not False]
    runs = [run for run in synthetic.triangle() if run["roofline"]["arithmetic"] and run["workload"] != "dummy"]
    wanted = {(run["roofline"]["operations_per_byte"], run["roofline"]["gop_per_s"]) for run in runs}
    assert {(row["x"], row["y"]) for row in rows} == wanted
    assert {row["n"] for row in rows if row["largest"]} == {30720}
    ceilings = {row["ceiling"] for row in data_of(figure) if row["ceiling"]}
    assert ceilings == {"peak fill 4,570 GB/s", "peak copy 4,270 GB/s", "peak fp32 65,000 Gop/s"}
    named = [row["y"] for row in data_of(figure) if row["said"] is not None]
    assert named == [65000.0] * 3, "where a bandwidth meets the roof no run hides its name"
    assert "no point: dummy" in figure.caption


def test_a_roofline_without_peaks_is_as_wide_as_one_with_them() -> None:
    found = synthetic.results(synthetic.triangle(workloads=("edm1",), engine="cpu"), gpu=None)
    rows = data_of(drawn(found, "roofline")["roofline"])
    xs = [row["x"] for row in rows if row["marked"] is not False]
    assert min(row["x"] for row in rows) == min(xs) / 4 and max(row["x"] for row in rows) == max(xs) * 4
    assert not any(row["ceiling"] for row in rows)


def test_no_axis_has_powers_of_ten_and_each_has_lines(sweep: Results) -> None:
    bars = drawn(synthetic.results(synthetic.triangle(ns=(1024,))), "time")
    found = [one for figure in (drawn(sweep) | bars).values() for one in found_in(figure.chart.to_dict(), "axis")]
    axes = [one for one in found if one and "format" in one]
    assert {axis["format"] for axis in axes} == {",~r", ",d"} and all(axis["grid"] for axis in axes)


def test_the_heatmap_stands_at_the_n_where_most_maps_are() -> None:
    runs = synthetic.triangle(("bb", "rb", "rec"), ("edm1",), (1024,)) + synthetic.triangle(
        ("bb", "rb"), ("edm1",), (2048,)
    )
    rows = data_of(drawn(synthetic.results(runs), "heatmap")["heatmap"])
    factors = {run["strategy"]: run["improvement"]["factor"] for run in runs if run["n"] == 1024 and run["improvement"]}
    assert {row["label"]: row["I"] for row in rows} == factors


def test_ranks_are_divided_by_one_rank() -> None:
    rng, runs = random.Random(1), []
    for count, factor in ((1, 1.0), (2, 0.55), (4, 0.3)):
        one = synthetic.run("rb", "edm1", 8192, rng, factor=factor, noise=1e-9)
        ranks = {"count": count, "partition": "cells", "transport": None}
        runs.append({**one, "ranks": ranks if count > 1 else None, "key": f"{one['key']}/r{count}"})
    (figure,) = drawn(synthetic.results(runs), "ranks").values()
    found = {(row["panel"].split(": ")[1], row["x"]): round(row["y"], 1) for row in data_of(figure)}
    speedup, efficiency = "speed-up over one rank", "efficiency [%]"
    assert [found[speedup, count] for count in (1, 2, 4)] == [1.0, 1.8, 3.3]
    assert [round(found[efficiency, count]) for count in (1, 2, 4)] == [100, 91, 83]


def test_energy_has_both_intervals() -> None:
    runs = synthetic.count_energy(synthetic.triangle(ns=(1024,)))
    rows = data_of(drawn(synthetic.results(runs), "energy")["energy"])
    run = next(run for run in runs if (run["strategy"], run["workload"]) == ("rb", "edm1"))
    (row,) = (row for row in rows if (row["label"], row["panel"]) == ("rb", "edm1"))
    assert [row["xlow"], row["xhigh"]] == run["time_ms"]["ci95"] and [row["ylow"], row["yhigh"]] == run["energy"][
        "ci95"
    ]


def test_what_nobody_verified_is_left_out_or_said() -> None:
    runs = synthetic.triangle()
    for run in runs:
        run["verified"] = UNCHECKED if run["strategy"] == "utm" else run["verified"]
    for asked in (False, True):
        found = synthetic.results(runs, unverified=asked)
        figure = drawn(found, "time")["time"]
        assert any(row["label"] == "utm" for row in data_of(figure)) == asked
        assert ("12 of 60 runs not verified" in figure.caption) == asked


def test_a_printed_figure_has_its_size(sweep: Results) -> None:
    for inches in (3.4, 7.0):
        for name, figure in drawn(sweep, width=inches).items():
            whole = figure.finished(False).to_dict()
            head = vl_convert.vegalite_to_svg(whole).partition(">")[0]
            wide, high = (float(re.search(f' {side}="([0-9.]+)"', head)[1]) for side in ("width", "height"))
            assert wide <= 72 * inches and high <= 72 * charts.INCHES_HIGH and "title" not in whole, (name, wide, high)


def test_of_many_lines_the_few_that_matter_stand_out() -> None:
    names = ["bb", *(f"mine-{k}" for k in range(12))]
    rng = random.Random(3)
    runs = [
        {
            **synthetic.run("ltm-i", "edm1", n, rng, factor=1 + k / 500, noise=0.0),
            "strategy": name,
            "key": f"cuda/edm1/{name}/n{n}",
        }
        for k, name in enumerate(names)
        for n in (1024, 2048, 4096)
    ]
    figure = drawn(synthetic.results(runs), "time")["time"]
    data = pd.DataFrame(data_of(figure))
    assert set(data.loc[data["main"], "label"]) == {"bb", *names[1:6]} and "grey: 7 others" in figure.caption
    ends = data[data["place"].notna()].sort_values("place")
    assert ends["n"].tolist() == [4096] * 6 and set(ends["label"]) == {"bb", *names[1:6]}
    gap = charts.NAME_HIGH / (0.75 * charts.PANEL) * np.ptp(np.log(data["y"]))
    assert (np.diff(np.log(ends["place"])) > 0.99 * gap).all()  # apart, though the lines are nearly one
    assert data["place"].dropna().between(data["y"].min() * 0.99, data["y"].max() * 1.01).all()


HOSTILE = "../../$x$<b>\"'"


def test_the_command_line(tmp_path: Path, inside: Script) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048))
    runs += [{**run, "strategy": HOSTILE, "layout": HOSTILE, "key": run["key"] + "x"} for run in runs[1::2]]
    path, out = synthetic.save(tmp_path / "a.json", runs), tmp_path / "deep" / "figures"
    words = [path, "--out", out, "--figure", "time"]
    result = inside("plot", *words, "--format", "png,svg,pdf", "--style", "paper", "--width", "3.4")
    assert result.returncode == 0, result.stderr
    written = [Path(line) for line in result.stdout.splitlines()]
    assert sorted(out.iterdir()) == sorted(written) and len(written) == 8, "two layouts, three formats, the captions"
    heads = {path.suffix: path.read_bytes()[:4] for path in written}
    assert (heads[".png"], heads[".pdf"]) == (b"\x89PNG", b"%PDF") and heads[".svg"] == b"<svg"
    assert "Time per cell over N. cuda engine" in (out / "time-packed.txt").read_text()
    assert [p.name for p in tmp_path.iterdir()] == ["a.json", "deep"] or len(list(tmp_path.iterdir())) == 2
    again = inside("plot", *words, "--format", "svg")
    assert again.returncode == 0
    first = (out / "time-packed.svg").read_bytes()
    inside("plot", *words, "--format", "svg")
    assert (out / "time-packed.svg").read_bytes() == first, "the same data gives the same file"
    missing = inside("plot", path, "--out", out, "--figure", "energy")
    assert missing.returncode == 1 and "the data for energy is not in these files" in missing.stderr
    for wrong in (["--figure", "pie"], ["--format", "gif"], ["--width", "3"], ["--style", "paper", "--width", "99"]):
        assert inside("plot", *words, *wrong).returncode == 2, wrong
    assert inside("plot").returncode == 2
    listed = inside("plot", "--list").stdout
    assert all(name in listed for name in charts.CATALOGUE) and "tribench --energy" in listed


def test_runs_that_did_not_end_well_are_not_drawn(tmp_path: Path, inside: Script) -> None:
    states = ("failed", "skipped", "planned", "interrupted")
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048))
    runs = [{**run, "status": status, "time_ms": None} for run, status in zip(runs, states)]
    result = inside("plot", synthetic.save(tmp_path / "a.json", runs), "--out", tmp_path)
    assert result.returncode == 1 and "none of the runs in these files can be used" in result.stderr
