"""Each figure appears when its data is there, and only then."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import synthetic
from conftest import Script
from PIL import Image
from tribench_report import plot, study
from tribench_report.errors import ReportError
from tribench_report.figures import CATALOGUE, Figure
from tribench_report.model import in_words

SIGNATURES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def drawn(path: Path, catalogue: Sequence[Figure] = CATALOGUE) -> dict[str, list[str]]:
    """Figure file name -> the texts in it: legend, titles, caption."""
    found = study.read([str(path)])
    names = [figure.name for figure in catalogue]
    texts = {}
    for _, drawing in plot.drawings(plot.material_of(found, found.usable), names, catalogue):
        picture = drawing.picture
        words = [axes.get_title(loc="left") for axes in picture.axes]
        words += [text.get_text() for text in picture.figure.texts]
        words += [text.get_text() for legend in picture.body.legends for text in legend.get_texts()]
        texts[drawing.name] = words
    return texts


def test_a_sweep_gives_its_figures(tmp_path: Path) -> None:
    runs = synthetic.triangle(synthetic.TRI, ("dummy", "edm1", "edm2", "edm4"))
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    assert set(found) == {"overview", "time", "bandwidth", "roofline", "heatmap"}
    assert "dummy" not in found["bandwidth"] and "peak fill 4,570 GB/s" in found["bandwidth"]


def test_every_caption_tells_device_driver_version_and_date(tmp_path: Path) -> None:
    found = drawn(synthetic.save(tmp_path / "a.json", synthetic.triangle()))
    for name, words in found.items():
        caption = " ".join(words).replace("\n", " ")
        for fact in ("NVIDIA H200", "driver 580.95.05", "tribench 0.1.0", "2025-11-20"):
            assert fact in caption, (name, fact)


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
    assert {line.get_label() for line in points} == {"bb", "rb", "_pale"}, "a strategy is told by its look"
    assert {text.get_text() for text in panels["FP32"].texts} == {"edm1", "edm4"}
    pale = {x for line in points if line.get_label() == "_pale" for x in line.get_xdata()}
    assert pale == {run["roofline"]["operations_per_byte"] for run in runs
                    if run["workload"].startswith("edm") and run["n"] == 1024}  # fmt: skip
    low, high = panels["FP32"].get_ylim()
    assert all(low < y < high for line in points for y in line.get_ydata())
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
    missing = script("plot", "--out", out, "--figure", "ranks", path)
    assert missing.returncode == 1 and "ranks" in missing.stderr
    nothing = script("plot", "--out", out, "--n", "77", path)
    assert nothing.returncode == 1 and "--n 77" in nothing.stderr
    assert script("plot", "--out", path, path).returncode == 1


def test_paper_has_its_width_embedded_letters_and_its_caption_beside(tmp_path: Path, script: Script) -> None:
    path = synthetic.save(tmp_path / "a.json", synthetic.triangle(("bb", "rb"), ("edm1", "edm4"), (1024, 2048)))
    out = tmp_path / "out"
    words = ["--style", "paper", "--format", "pdf,png", "--figure", "overview", "--out", out, path]
    for inches in (3.4, 7.0):
        result = script("plot", "--width", inches, *words)
        assert result.returncode == 0, result.stderr
        pdf = (out / "overview.pdf").read_bytes()
        (box,) = re.findall(rb"/MediaBox \[ 0 0 ([0-9.]+) ", pdf)
        assert float(box) == pytest.approx(72.0 * inches, abs=0.01)
        assert b"/FontFile2" in pdf and b"/Type3" not in pdf, "TrueType, and inside"
        with Image.open(out / "overview.png") as image:
            assert image.width == pytest.approx(150 * inches, abs=1)
    said = (out / "overview.txt").read_text(encoding="utf-8")
    assert said.startswith("Improvement over the bounding box, over N: edm1, edm4. cuda engine") and "driver" in said
    assert script("plot", *words).returncode == 0 and (out / "overview.pdf").read_bytes() == pdf, "7 if not said"
    assert script("plot", "--width", "3", "--out", out, path).returncode == 2
    for wrong in ("0", "a", "nan", "21"):
        assert script("plot", "--width", wrong, *words).returncode == 2


@pytest.mark.parametrize("status", ["failed", "skipped", "planned", "interrupted"])
def test_runs_that_did_not_end_well_are_not_drawn(tmp_path: Path, status: str, script: Script) -> None:
    runs = [{**run, "status": status, "time_ms": None} for run in synthetic.triangle(ns=(1024,))]
    result = script("plot", "--out", tmp_path, synthetic.save(tmp_path / "a.json", runs))
    assert result.returncode == 1 and "no figure can be drawn" in result.stderr


def test_tetrahedra_have_a_panel_per_workload_whatever_its_block_and_layout(tmp_path: Path) -> None:
    maps = ("bb-tetra", "ltm-tetra", "hmap-tetra")
    rng, cells, tiles = random.Random(1), [], []
    for workload, layout in (("write", "full"), ("triplet", "packed")):
        for n in (128, 256):
            for name in maps:
                shared = {"dimension": 3, "layout": layout, "samples": 51}
                cells.append(synthetic.run(name, workload, n, rng, block=8, **shared))
                tiles.append(synthetic.run(name, workload, n, rng, block=8 * len(layout), kernel="tile", **shared))
    cells = synthetic.count_energy(synthetic.improve(cells, "bb-tetra"))
    found = drawn(synthetic.save(tmp_path / "cells.json", cells))
    assert {"write", "triplet", "hmap-tetra"} <= set(found["tetra-maps"]) and "tetra-maps-tile" not in found
    assert {"write, N = 256", "triplet, N = 256", "hmap-tetra"} <= set(found["tetra-energy"])
    found = drawn(synthetic.save(tmp_path / "tiles.json", synthetic.improve(tiles, "bb-tetra")))
    assert {"write", "triplet", "hmap-tetra"} <= set(found["tetra-maps-tile"]) and "tetra-maps" not in found
