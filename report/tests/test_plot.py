"""Each figure appears when its data is there, and only then."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from tribench_report import plot, study
from tribench_report.errors import ReportError
from tribench_report.figures import CATALOGUE
from tribench_report.model import in_words

SHIPPED = Path(__file__).resolve().parents[1] / "results" / "h200"
SIGNATURES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def drawn(path: Path) -> dict[str, list[str]]:
    """Figure file name -> the texts in it: legend, titles, caption."""
    found = study.read([str(path)])
    names = [figure.name for figure in CATALOGUE]
    texts = {}
    for _, drawing in plot.drawings(plot.material_of(found, found.usable), names):
        picture = drawing.picture
        words = [axes.get_title(loc="left") for axes in picture.axes]
        words += [text.get_text() for text in picture.figure.texts]
        words += [text.get_text() for legend in picture.body.legends for text in legend.get_texts()]
        texts[drawing.name] = words
    return texts


def test_a_paper_sweep_gives_the_figures_of_the_paper(tmp_path: Path) -> None:
    runs = synthetic.triangle(synthetic.TRI, ("dummy", "edm1", "edm2", "edm4"))
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    assert set(found) == {"overview", "triangle-3", "triangle-5", "time", "bandwidth", "roofline", "heatmap"}
    assert found["triangle-5"][:4] == ["dummy", "edm1", "edm4", "EDM at N = 30,720"]
    assert set(found["triangle-3"]) >= {"ltm-x", "ltm-n", "ltm-r", "bb"}
    assert "dummy" not in found["bandwidth"] and "peak fill 4,570 GB/s" in found["bandwidth"]


def test_every_caption_tells_device_driver_version_and_date(tmp_path: Path) -> None:
    found = drawn(synthetic.save(tmp_path / "a.json", synthetic.triangle()))
    assert "triangle-5" in found and "triangle-3" not in found, "one way to take the root is no comparison"
    for name, words in found.items():
        caption = " ".join(words).replace("\n", " ")
        for fact in ("NVIDIA H200", "driver 580.95.05", "tribench 0.1.0", "2025-11-20"):
            assert fact in caption, (name, fact)


def test_tetrahedra_give_theirs(tmp_path: Path) -> None:
    runs = synthetic.tetra((64, 256), (4, 8), (32, 128))
    found = drawn(synthetic.save(tmp_path / "a.jsonl", runs))
    for name in ("tetra-4-8x8x8", "tetra-5", "tetra-6-8x8x8", "tetra-host-8x8x8"):
        assert name in found
    assert {"n_c = 32", "n_c = 128"} <= set(found["tetra-4-8x8x8"])
    assert {"4x4x4", "8x8x8"} <= set(found["tetra-5"])
    assert not any(name.startswith(("triangle", "life")) for name in found)


def test_automata_give_theirs(tmp_path: Path) -> None:
    found = drawn(synthetic.save(tmp_path / "a.json", synthetic.life((160, 800, 1600))))
    assert set(found) >= {"life-6.2", "life-6.3", "life-6.4"}
    assert set(synthetic.MEMORY) - {"two-generation"} <= set(found["life-6.4"])
    assert "two-generation" in found["life-more"], "which the texts did not have"
    large = drawn(synthetic.save(tmp_path / "b.json", synthetic.life((8192, 30720))))
    assert "the paper's N are 160 to 1,600" in " ".join(large["life-6.4"]).replace("\n", " ")


def bars_of(axes: Any) -> list[tuple[str, float]]:
    """The bars of a panel, from top to bottom."""
    labels = [label.get_text() for label in axes.get_yticklabels()]
    return list(zip(labels, (bar.get_width() for bar in axes.patches), strict=True))


@pytest.mark.parametrize(("ns", "domain"), [((160, 800, 1600), "square"), ((30720,), "triangle")])
def test_automata_on_floats_give_those_of_the_thesis(tmp_path: Path, ns: tuple[int, ...], domain: str) -> None:
    runs = [run for workload in synthetic.FLOATS for run in synthetic.floats(workload, ns, domain)]
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    said = {name: " ".join(words).replace("\n", " ") for name, words in found.items()}
    names = ("thesis-5.20", "thesis-5.23", "thesis-5.25", "thesis-6.4")
    assert set(names) <= set(found) and not any(name.startswith("life") for name in found)
    for name, words in zip(names, ("save 37 %", "barely discernible", "aligned is the slowest", "rect 3.77 s")):
        assert words in said[name] and "page" in said[name], name
    panels = {name: found[name][:3] for name in names}
    once = {name: "run" if name in ("thesis-5.23", "thesis-5.25") else "generation" for name in names}
    assert all(panels[name][:2] == [f"(a) Time per {once[name]}", "(b) Bandwidth"] for name in names)
    assert {name for name in names if "(c) Beside the text" in panels[name]} == {"thesis-5.20", "thesis-6.4"}


def test_techniques_of_water_stand_beside_the_table_of_the_thesis(tmp_path: Path) -> None:
    runs = synthetic.floats("water", (800, 1600))
    runs += [run for run in synthetic.floats("water", (3200,)) if run["parameters"]["memory"] == "halo"]
    axes = pictures(synthetic.save(tmp_path / "a.json", runs))["thesis-6.4"].axes[2]
    assert axes.get_xlabel() == "time / time of halo at N = 1,600", "the largest that others have, too"
    median = {r["parameters"]["memory"]: r["time_ms"]["median"] for r in runs if r["n"] == 1600}
    table = {"shared": 4.4027, "aligned": 4.05, "rect": 3.7669, "two-generation": 25.6975}
    expected = []
    wide = {"rect": "rect, 64x4, tile 64", "two-cell": "two-cell, 32x8, tile 64"}
    for memory in ("conditional", "shared", "aligned", "rect", "two-cell", "two-generation"):
        label = wide.get(memory, memory)
        expected.append((label, median[memory] / median["halo"]))
        expected += [("published", table[memory] / 5.5995)] if memory in table else []
    assert bars_of(axes) == [(label, pytest.approx(value)) for label, value in expected]


def test_packed_data_and_other_blocks_are_lines_of_their_own(tmp_path: Path) -> None:
    runs = synthetic.floats("dog", (800, 1600))
    runs += [{**run, "block": [64, 4, 1], "key": run["key"] + "/wide"} for run in runs
             if run["parameters"]["memory"] == "two-cell"]  # fmt: skip
    found = pictures(synthetic.save(tmp_path / "a.json", runs))["thesis-5.23"]
    lines = lines_of(found.axes[0])
    assert {"aligned", "aligned, packed", "two-cell, 32x8, tile 64", "two-cell, packed, 64x4, tile 64"} <= set(lines)
    for line in lines.values():
        assert list(line.get_xdata()) == [800, 1600]


def test_a_figure_of_the_thesis_needs_two_techniques_and_for_shares_the_one_that_they_are_of(tmp_path: Path) -> None:
    blur = synthetic.floats("blur", (1600,))
    one = [run for run in blur if run["parameters"]["memory"] == "strip"]
    assert "thesis-5.20" not in drawn(synthetic.save(tmp_path / "a.json", one))
    others = [run for run in blur if run["parameters"]["memory"] != "rect"]
    found = drawn(synthetic.save(tmp_path / "b.json", others))["thesis-5.20"]
    assert "(b) Bandwidth" in found and "(c) Beside the text" not in found


def test_processors_have_techniques_too_and_rates_below_one(tmp_path: Path) -> None:
    """Their engine loops over the cells of larger tiles; of a thread per cell that is another variant."""
    runs = synthetic.floats("blur", (160, 320))
    for run in runs:
        run["engine"], run["throughput"]["gb_per_s"] = "cpu", run["n"] / 400.0
        run["kernel"] = "cell" if run["block"][0] == 16 else "loop"
    runs += [{**run, "kernel": "loop", "tile": 64, "key": run["key"] + "/loop"} for run in runs
             if run["parameters"]["memory"] == "halo"]  # fmt: skip
    found = pictures(synthetic.save(tmp_path / "a.json", runs, gpu=None))["thesis-5.20"]
    lines = lines_of(found.axes[0])
    assert {"halo", "rect, 64x4, tile 64", "two-cell, 32x8, tile 64"} <= set(lines) and "halo, tile 64" not in lines
    ticks = [label.get_text() for label in found.axes[1].get_yticklabels()]
    assert len(set(ticks)) == len(ticks) > 3


def test_long_numbers_beside_bars_are_whole(tmp_path: Path) -> None:
    runs = synthetic.floats("blur", (30720,))
    for run in runs:
        run["throughput"]["gb_per_s"] = 4321.0
    axes = pictures(synthetic.save(tmp_path / "a.json", runs))["thesis-5.20"].axes[1]
    assert {text.get_text() for text in axes.texts} == {"4,321"}


def test_without_a_baseline_there_is_no_improvement_and_times_are_not_drawn_twice(tmp_path: Path) -> None:
    found = drawn(synthetic.save(tmp_path / "a.json", synthetic.triangle(("rb",), ("edm1",), (1024,))))
    assert set(found) == {"time", "bandwidth", "roofline"}


def test_a_processor_stands_in_the_caption_where_there_is_no_gpu(tmp_path: Path) -> None:
    path = synthetic.save(tmp_path / "a.json", synthetic.triangle(engine="cpu"), gpu=None)
    caption = " ".join(drawn(path)["overview"])
    assert "Example CPU 9000" in caption and "cpu engine" in caption


def test_one_size_beside_many_gets_no_panel(tmp_path: Path) -> None:
    runs = synthetic.triangle(workloads=("edm1",)) + synthetic.triangle(workloads=("write",), ns=(1024,))
    runs += synthetic.triangle(workloads=("write",), ns=(1024,), block=32)
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    assert "edm1" in found["overview-16x16"] and "write" not in found["overview-16x16"]
    assert not {"overview-32x32", "time-32x32", "bandwidth-32x32"} & set(found)


def test_engines_and_blocks_get_a_file_each(tmp_path: Path) -> None:
    runs = synthetic.triangle(block=16) + synthetic.triangle(block=32)
    names = set(drawn(synthetic.save(tmp_path / "a.json", runs)))
    assert {"overview-16x16", "overview-32x32"} <= names


def test_variants_are_named_and_the_plain_map_is_not(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb-b"), ("edm1",))
    runs += synthetic.triangle(("rb-b",), ("edm1",), kernel="tile", tile=64, factor=0.5)
    words = drawn(synthetic.save(tmp_path / "a.json", runs))["time"]
    assert "rb-b" in words and "rb-b (tile kernel, tile 64)" in words


def test_one_step_is_one_step() -> None:
    assert [in_words("steps", 1), in_words("steps", 2), in_words("tile", 1)] == ["1 step", "2 steps", "tile 1"]


def test_the_roofline_has_a_point_for_each_run_under_the_peaks(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("dummy", "edm1", "edm4", "write"), (1024, 8192))
    runs += synthetic.life((1024,))[:2]
    found = study.read([str(synthetic.save(tmp_path / "a.json", runs))])
    (drawing,) = [d for _, d in plot.drawings(plot.material_of(found, found.usable), ["roofline"])]
    panels = {axes.get_title(loc="left"): axes for axes in drawing.picture.axes}
    assert list(panels) == ["FP32", "Integers, 32 bits"]
    points = [line for line in panels["FP32"].lines if line.get_linestyle() == "None"]
    assert {line.get_label() for line in points} == {"edm1", "edm4"}
    drawn = {(x, y) for line in points for x, y in zip(*line.get_data())}
    assert drawn == {
        (run["roofline"]["operations_per_byte"], run["roofline"]["gop_per_s"])
        for run in runs
        if run["workload"].startswith("edm")
    }
    labels = {line.get_label() for axes in panels.values() for line in axes.lines}
    assert {"peak fill 4,570 GB/s", "peak copy 4,270 GB/s", "peak fp32 65,000 Gop/s"} <= labels
    for axes in panels.values():
        for line in axes.lines:
            if str(line.get_label()).startswith("peak fill"):
                assert all(y / x == pytest.approx(4570.0) for x, y in zip(*line.get_data()))
    words = " ".join(text.get_text() for text in drawing.picture.figure.texts).replace("\n", " ")
    assert "no point: dummy, write" in words
    drawing.picture.figure.canvas.draw()
    for axes in panels.values():
        low, high = axes.get_xlim()
        ticks = [(x, text.get_text()) for x, text in zip(axes.get_xticks(), axes.get_xticklabels())]
        assert [text for x, text in ticks if low <= x <= high] == [f"{x:,.12g}" for x, _ in ticks if low <= x <= high]


def on_ranks(n: int, count: int, ms: float, partition: str = "cells") -> dict[str, Any]:
    (run,) = synthetic.triangle(("ltm-i",), ("edm4",), (n,))
    run["key"] += f"/ranks{count}/{partition}"
    run["ranks"] = {"count": count, "partition": partition}
    run["time_ms"] |= {"median": ms, "ci95": [0.9 * ms, 1.1 * ms]}
    return run


def test_ranks_have_a_speed_up_and_an_efficiency_strong_and_weak(tmp_path: Path) -> None:
    runs = [on_ranks(1000, 1, 8.0), on_ranks(1000, 2, 4.0), on_ranks(1000, 4, 4.0), on_ranks(1000, 2, 6.0, "rows"),
            on_ranks(1414, 2, 10.0)]  # fmt: skip
    found = pictures(synthetic.save(tmp_path / "a.json", runs))["ranks"]
    speed, efficiency = (
        {c.get_label(): c.lines[0].get_xydata().tolist() for c in axes.containers} for axes in found.axes
    )
    assert speed["ltm-i, cells, N = 1,000"] == [[1, 1], [2, 2], [4, 2]]
    assert speed["ltm-i, rows, N = 1,000"][1] == pytest.approx([2, 8 / 6])
    assert efficiency["ltm-i, cells, N = 1,000"][2] == [4, 0.5]
    assert efficiency["ltm-i, cells, weak from N = 1,000"][1] == pytest.approx([2, 0.8], rel=2e-3)
    assert "ranks" not in pictures(synthetic.save(tmp_path / "b.json", synthetic.triangle()))


def test_energy_has_a_point_for_each_strategy_over_what_the_device_takes_at_rest(tmp_path: Path) -> None:
    runs = synthetic.count_energy(synthetic.triangle(("bb", "rb"), ("edm1", "edm4"), (1024, 8192)), watts=400.0)
    path = synthetic.save(tmp_path / "a.json", runs)
    document = json.loads(path.read_text())
    document["environment"]["idle_power_w"] = 120.0
    path.write_text(json.dumps(document))
    found = pictures(path)["energy"]
    assert [axes.get_title(loc="left") for axes in found.axes] == ["edm1, N = 8,192", "edm4, N = 8,192"]
    for axes, workload in zip(found.axes, ("edm1", "edm4")):
        points = {(c.get_label(), *c.lines[0].get_xydata()[0]) for c in axes.containers}
        assert points == {
            (r["strategy"], r["time_ms"]["median"], r["energy"]["launch_j"])
            for r in runs
            if r["workload"] == workload and r["n"] == 8192
        }
        (rest,) = [line for line in axes.lines if line.get_label() == "at rest, 120 W"]
        x, y = rest.get_xydata()[1]
        assert y / x == pytest.approx(0.12)
    assert "energy" not in pictures(synthetic.save(tmp_path / "b.json", synthetic.triangle()))


def test_files_of_before_the_roofline_have_none(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",))
    for run in runs:
        del run["roofline"]
    assert "roofline" not in drawn(synthetic.save(tmp_path / "a.json", runs))


def test_strange_names_are_drawn_as_they_are(tmp_path: Path, script: Script) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",))
    for run in runs:
        if run["strategy"] == "rb":
            run["strategy"] = "$a\\frac{$ <c>&"
    path = synthetic.save(tmp_path / "a.json", runs)
    assert "$a\\frac{$ <c>&" in drawn(path)["overview"]
    assert script("plot", "--out", tmp_path, "--figure", "overview", path).returncode == 0


def test_one_processor_and_two_draw_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(1024, 2048)))
    files = {}
    for processors in ({0}, {0, 1}):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, them=processors: them)
        out = tmp_path / str(len(processors))
        assert plot.run(["--out", str(out), str(path)]) == 0
        files[len(processors)] = {file.name: file.read_bytes() for file in out.iterdir()}
    assert len(files[1]) >= 6 and files[1] == files[2]


def test_a_process_that_was_killed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(1024, 2048)))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(plot, "_draw", lambda *_: os._exit(9))
    with pytest.raises(ReportError, match="was killed"):
        plot.run(["--out", str(tmp_path), str(path)])


def test_the_command_line(tmp_path: Path, script: Script) -> None:
    path = synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(1024, 2048)))
    out = tmp_path / "figures"
    result = script("plot", "--out", out, "--figure", "heatmap", "--format", "png,svg,pdf", path)
    assert result.returncode == 0
    files = [Path(line) for line in result.stdout.splitlines()]
    assert len(files) == 3 == len(list(out.iterdir()))
    for file in files:
        assert file.read_bytes().startswith(SIGNATURES[file.suffix[1:]])
    before = {file: file.read_bytes() for file in files}
    script("plot", "--out", out, "--figure", "heatmap", "--format", "png,svg,pdf", path)
    assert before == {file: file.read_bytes() for file in files}, "the same data gives the same files"

    assert {line.split()[0] for line in script("plot", "--list").stdout.splitlines()} == {
        f.name for f in CATALOGUE
    }
    assert script("plot", "--figure", "nonsense", path).returncode == 2
    assert script("plot", "--format", "gif", path).returncode == 2
    missing = script("plot", "--out", out, "--figure", "tetra-4", path)
    assert missing.returncode == 1 and "tetra-4" in missing.stderr
    nothing = script("plot", "--out", out, "--n", "77", path)
    assert nothing.returncode == 1 and "--n 77" in nothing.stderr
    assert script("plot", "--out", path, path).returncode == 1


@pytest.mark.parametrize("status", ["failed", "skipped", "planned", "interrupted"])
def test_runs_that_did_not_end_well_are_not_drawn(tmp_path: Path, status: str, script: Script) -> None:
    runs = [{**run, "status": status, "time_ms": None} for run in synthetic.triangle(ns=(1024,))]
    result = script("plot", "--out", tmp_path, synthetic.save(tmp_path / "a.json", runs))
    assert result.returncode == 1 and "no figure can be drawn" in result.stderr


def pictures(*paths: Path) -> dict[str, Any]:
    """Figure file name -> the picture, laid out."""
    found = study.read([str(path) for path in paths])
    names = [figure.name for figure in CATALOGUE]
    kept = {}
    for _, drawing in plot.drawings(plot.material_of(found, found.usable), names):
        drawing.picture.figure.draw_without_rendering()
        kept[drawing.name] = drawing.picture
    return kept


def lines_of(axes: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in axes.lines if not str(line.get_label()).startswith("_")}


def look_of(line: Any) -> tuple[object, ...]:
    return (line.get_color(), line.get_marker(), line.get_linestyle(), line.get_markerfacecolor())


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    """All that a whole measurement gives at once: maps, tiles, tetrahedra and automata."""
    return pictures(SHIPPED)


def test_no_line_goes_back_and_no_two_look_alike(shipped: dict[str, Any]) -> None:
    assert len(shipped) > 20
    for name, picture in shipped.items():
        looks: dict[str, tuple[object, ...]] = {}
        for axes in picture.axes:
            lines = lines_of(axes)
            # Each panel may have peaks of its own.
            peaks = [look_of(lines.pop(label)) for label in [*lines] if label.startswith("peak")]
            assert len(set(peaks)) == len(peaks), name
            for label, line in lines.items():
                ns = list(line.get_xdata())
                points_only = line.get_linestyle() == "None"
                assert points_only or all(a < b for a, b in zip(ns, ns[1:])), (name, label)
                assert looks.setdefault(label, look_of(line)) == look_of(line), (name, label)
        assert len(set(looks.values())) == len(looks), name


def test_titles_are_not_cut_off(shipped: dict[str, Any]) -> None:
    for name, picture in shipped.items():
        width = picture.figure.bbox.width
        assert picture.body._suptitle.get_window_extent().x1 <= width, name
        for axes in picture.axes:
            assert axes.title.get_window_extent().x1 <= width and axes._left_title.get_window_extent().x1 <= width


def test_names_of_axes_are_whole_and_do_not_meet(shipped: dict[str, Any]) -> None:
    for name, picture in shipped.items():
        boxes = []
        for axes in picture.axes:
            x, y = (axis.label.get_window_extent() for axis in (axes.xaxis, axes.yaxis))
            is_whole = x.x0 >= 0 and x.x1 <= picture.figure.bbox.width
            assert is_whole or not axes.get_xlabel(), (name, axes.get_xlabel())
            assert y.x0 >= 0 or not axes.get_ylabel(), (name, axes.get_ylabel())
            boxes += [x] if axes.get_xlabel() else []
        assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k]), name


def test_no_picture_of_the_shipped_results_is_there_twice(shipped: dict[str, Any]) -> None:
    """What a panel shows is its title, its axes and its data."""
    seen: dict[object, str] = {}
    for name, picture in shipped.items():
        panels = tuple(
            (axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel(),
             tuple((str(line.get_label()), *map(tuple, line.get_data())) for line in axes.lines),
             tuple(text.get_text() for text in axes.texts),
             tuple((label.get_text(), bar.get_width()) for label, bar in zip(axes.get_yticklabels(), axes.patches)))
            for axes in picture.axes
        )  # fmt: skip
        whole = (picture.body._suptitle.get_text(), panels)
        assert seen.setdefault(whole, name) == name, (seen[whole], name)


def test_bars_are_as_thick_as_their_panel_allows(shipped: dict[str, Any]) -> None:
    """Nothing but the bars themselves says how tall their panel is."""
    with_bars = [axes for picture in shipped.values() for axes in picture.axes if axes.patches]
    assert len(with_bars) > 20
    for axes in with_bars:
        low, high = sorted(axes.get_ylim())
        assert high - low < 1.2 * len(axes.patches), axes.get_xlabel()


def test_no_figure_is_another_one_under_a_second_name(tmp_path: Path, script: Script) -> None:
    runs = [run for run in synthetic.life((160, 800, 1600)) if run["parameters"]["memory"] in ("halo", "shared")]
    synthetic.save(tmp_path / "a.json", [*synthetic.triangle(), *runs])
    assert script("plot", tmp_path / "a.json", "--out", tmp_path / "out", "--format", "png").returncode == 0
    files = sorted((tmp_path / "out").iterdir())
    assert len({file.read_bytes() for file in files}) == len(files) > 4
    assert not any(file.name.startswith("life-6.4") for file in files), "it would be 6.2 again"


def test_panels_of_one_quantity_have_one_scale(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", synthetic.triangle()))
    for name in ("overview", "triangle-5"):
        assert len({axes.get_ylim() for axes in found[name].axes}) == 1, name


def test_bars_of_improvement_have_one_scale_and_their_names_fit(tmp_path: Path) -> None:
    files = []
    for gpu in ("NVIDIA with a long name A", "NVIDIA B"):
        runs = synthetic.triangle(synthetic.TRI, ("dummy", "edm1", "edm4"), (4096,), seed=len(files))
        files.append(synthetic.save(tmp_path / f"{len(files)}.json", runs, gpu=gpu))
    found = pictures(*files)
    kinds = ("overview", "triangle-5", "gpus")
    chosen = {name: picture for name, picture in found.items() if name.startswith(kinds)}
    assert {name.split("-NVIDIA")[0].split("-edm")[0] for name in chosen} >= {"overview", "triangle-5", "gpus"}
    for name, picture in chosen.items():
        bars = [axes for axes in picture.axes if axes.patches]
        assert len(bars) > 2 and len({axes.get_xlim() for axes in bars}) == 1, name
        for axes in bars:
            box = axes.xaxis.label.get_window_extent()
            assert axes.get_xlabel() == "" or box.x1 <= picture.figure.bbox.width, name


def test_a_single_n_gives_bars(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", [*synthetic.triangle(ns=(4096,)), *synthetic.life((1600,))]))
    for name in ("overview", "time", "bandwidth", "life-6.4"):
        picture = next(picture for key, picture in found.items() if key.startswith(name))
        for axes in picture.axes:
            assert axes.containers and not lines_of(axes).keys() - {"peak fill 4,570 GB/s", "peak copy 4,270 GB/s"}
        assert any("N = 4,096" in axes.get_xlabel() or "N = 1,600" in axes.get_xlabel() for axes in picture.axes)


def test_a_single_n_gives_bars_in_figures_of_papers_too(tmp_path: Path) -> None:
    runs = [*synthetic.triangle(synthetic.TRI, ns=(4096,)), *synthetic.tetra((256,), (4, 8), (32, 128))]
    found = pictures(synthetic.save(tmp_path / "a.json", runs))
    for name, count in (("triangle-3", 2), ("tetra-4", 3), ("tetra-5", 2), ("tetra-6", 1), ("tetra-host", 4)):
        picture = next(picture for key, picture in found.items() if key.startswith(name))
        caption = " ".join(text.get_text() for text in picture.figure.texts)
        assert all(axes.patches and not lines_of(axes) for axes in picture.axes), name
        assert max(len(bars_of(axes)) for axes in picture.axes) >= count, name
        ticks = [label.get_text() for axes in picture.axes for label in axes.get_xticklabels()]
        assert not any("$" in text for text in ticks), "a power of ten in a language that is not set here"
        assert "grey: " not in caption, "nothing is drawn in grey where nothing is drawn over N"


def test_figures_of_papers_hold_their_strategies_and_sizes_and_what_they_published(tmp_path: Path) -> None:
    runs = [*synthetic.triangle(synthetic.TRI, ns=(512, 1024, 30720, 40960)), *synthetic.tetra((128, 256, 512, 1024))]
    found = pictures(synthetic.save(tmp_path / "a.json", runs))
    wanted = {"triangle-5": {"ltm-r", "utm", "rb", "rec"}, "triangle-3": {"ltm-x", "ltm-n", "ltm-r", "bb"}}
    for name, strategies in wanted.items():
        (picture,) = [picture for key, picture in found.items() if key.startswith(name)]
        seen = [line for axes in picture.axes for line in lines_of(axes).items()]
        assert {label for label, _ in seen} == strategies
        assert all(1 <= n <= 30720 for _, line in seen for n in line.get_xdata())
        assert 512 not in seen[0][1].get_xdata() and 40960 not in seen[0][1].get_xdata()
        grey = [line for line in picture.axes[0].lines if line.get_label() == "_published"]
        assert {1.13, 1.15} <= {line.get_ydata()[0] for line in grey}
    (picture,) = [picture for key, picture in found.items() if key.startswith("tetra-6")]
    (line,) = lines_of(picture.axes[0]).values()
    assert list(line.get_xdata()) == [128, 256, 512]
    assert "Tesla V100: 2.4 to 3.1" in [text.get_text() for text in picture.axes[0].texts]


def test_figures_of_papers_leave_out_kernels_that_the_papers_did_not_have(tmp_path: Path) -> None:
    kernels = {"kernel": "tile", "tile": 128, "block": 32}
    runs = [*synthetic.triangle(synthetic.TRI), *synthetic.triangle(synthetic.TRI, ("edm1", "edm2"), **kernels)]
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    papers = {name for name in found if name.startswith(("triangle-3", "triangle-5"))}
    assert papers == {"triangle-3", "triangle-5"}, "no facet of tile kernels"
    assert any(name.startswith("overview-32x32") for name in found)


def test_block_shapes_are_compared_with_all_else_equal(tmp_path: Path) -> None:
    words: synthetic.Json = {"steps": 100, "cell": "u32", "domain": "square", "kernel": "tile"}
    rng, runs = random.Random(1), []
    for n in (160, 800, 1600):
        for x, y in ((16, 16), (64, 4)):
            for tile in (64, 16) if x == y else (64,):
                one = synthetic.run("bb", "life", n, rng, memory="aligned", tile=tile, **words)
                runs.append({**one, "block": [x, y, 1], "key": f"{one['key']}/{x}x{y}"})
    (picture,) = [p for k, p in pictures(synthetic.save(tmp_path / "a.json", runs)).items() if k.startswith("life-6.3")]
    lines = lines_of(picture.axes[0])
    assert set(lines) == {"16x16", "64x4"}
    with_tile = [run["time_ms"]["median"] * 10 for run in runs if run["block"][0] == 16 and run["tile"] == 64]
    assert list(lines["16x16"].get_ydata()) == pytest.approx(with_tile)


def test_a_heat_map_divides_variants_by_the_plain_baseline(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb-b"), ("edm1",), (4096,))
    tiled = synthetic.improve(
        [synthetic.run(s, "edm1", 4096, random.Random(1), kernel="loop", tile=64, factor=0.25) for s in ("bb", "rb-b")]
    )
    found = pictures(synthetic.save(tmp_path / "a.json", [*runs, *tiled]))
    axes = found["heatmap"].axes[0]
    said = dict(zip([t.get_text() for t in axes.get_yticklabels()], [float(text.get_text()) for text in axes.texts]))
    assert 1.0 < said["rb-b"] < 1.5
    assert said["bb (loop kernel, tile 64)"] == pytest.approx(4.0, abs=0.2)
    assert said["rb-b (loop kernel, tile 64)"] > 3.0, "its own baseline is four times as fast, too"
    image = axes.images[0]
    assert image.colorbar is not None and (image.norm.vmin, image.norm.vmax) == (-1.0, 1.0), "one scale for all"


def test_gpus_are_lines_of_one_figure(tmp_path: Path) -> None:
    fast = synthetic.save(tmp_path / "a.json", synthetic.tetra(), gpu="NVIDIA H100")
    slow = synthetic.save(tmp_path / "b.json", synthetic.tetra(seed=2))
    found = pictures(fast, slow)
    assert set(lines_of(found["tetra-6"].axes[0])) == {"NVIDIA H100", "NVIDIA H200"}
    (gpus,) = [picture for name, picture in found.items() if name.startswith("gpus")]
    assert [axes.get_title(loc="left") for axes in gpus.axes] == ["dp-tetra", "rec-tetra", "ltm-tetra", "rb-tetra"]
    assert all(set(lines_of(axes)) == {"NVIDIA H100", "NVIDIA H200"} for axes in gpus.axes)
    assert not any(name.startswith("gpus") for name in pictures(slow))
    # Every other figure is of one of them, and says of which.
    for name in ("time-NVIDIA-H100", "time-NVIDIA-H200"):
        words = " ".join(text.get_text() for text in found[name].figure.texts)
        assert name[5:].replace("-", " ") + ", driver" in words.replace("\n", " ") and words.count("driver") == 1
