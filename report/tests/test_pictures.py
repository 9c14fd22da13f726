"""How the figures look: lines, scales, titles and names."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import H200, Script
from matplotlib.colors import to_hex
from tribench_report import plot, study
from tribench_report.figures import CATALOGUE
from tribench_report.looks import LOOKS


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
    return pictures(H200)


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


def test_numbers_of_an_axis_do_not_touch(shipped: dict[str, Any]) -> None:
    seen = 0
    for name, picture in shipped.items():
        for axes in picture.axes:
            left, right = axes.get_xlim()
            ticks = zip(axes.get_xticks(), axes.get_xticklabels())
            boxes = [label.get_window_extent() for at, label in ticks if left <= at <= right and label.get_text()]
            assert all(a.x1 + 2 < b.x0 for a, b in zip(boxes, boxes[1:])), (name, axes.get_title(loc="left"))
            seen += len(boxes) > 1
    assert seen > 100


def test_no_picture_of_the_shipped_results_is_there_twice(shipped: dict[str, Any]) -> None:
    """Two panels are the same if their titles, axes and data are."""
    seen: dict[object, str] = {}
    for name, picture in shipped.items():
        panels = tuple(
            (axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel(),
             tuple(label.get_text() for label in axes.get_xticklabels()),
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
    ends = [2.0**end for end in (image.norm.vmin, image.norm.vmax)]
    assert image.colorbar is not None and ends == pytest.approx([0.4, 2.5]), "one scale for all"


def test_numbers_of_a_heat_map_stand_out_and_its_bar_has_a_name(shipped: dict[str, Any]) -> None:
    for name, picture in shipped.items():
        if not name.startswith("heatmap"):
            continue
        axes = picture.axes[0]
        (image,) = axes.images
        for text in axes.texts:
            if text.get_text() == "–":
                continue
            column, row = (round(part) for part in text.get_position())
            ground = to_hex(image.cmap(image.norm(image.get_array()[row, column])))
            assert _contrast(to_hex(text.get_color()), ground) >= 4.5, (name, text.get_text(), ground)
        box, bar = image.colorbar.ax._left_title.get_window_extent(), image.colorbar.ax.get_window_extent()
        assert image.colorbar.ax.get_title(loc="left") == "I, times\nas fast" and box.y0 > bar.y1
        assert box.x0 > axes.get_window_extent().x1 and box.x1 < picture.figure.bbox.width, name


def _contrast(one: str, other: str) -> float:
    """As WCAG 2 has it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_strategies_of_one_dimension_have_colours_of_their_own() -> None:
    for wanted in (True, False):
        names = [name for name in LOOKS if name.endswith(("-tetra", "-rows")) == wanted]
        colours = [(LOOKS[name].colour, LOOKS[name].hollow) for name in names]
        assert len(set(colours)) == len(colours) > 6


def test_an_interval_beyond_the_edge_is_marked_and_said(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048, 4096, 8192))
    (noisy,) = [run for run in runs if run["strategy"] == "rb" and run["n"] == 2048]
    noisy["improvement"]["ci95"] = [noisy["improvement"]["factor"] * 0.9, 40.0]
    path = synthetic.save(tmp_path / "a.json", runs)
    picture = pictures(path)["overview"]
    (mark,) = [line for line in picture.axes[0].lines if line.get_label() == "_clipped"]
    assert mark.get_xydata().tolist() == [[2048, picture.axes[0].get_ylim()[1]]] and mark.get_marker() == "^"
    words = " ".join(text.get_text() for text in picture.figure.texts).replace("\n", " ")
    assert "triangles at the edge: the interval goes on" in words and "markers at some" not in words
    noisy["improvement"]["ci95"] = [noisy["improvement"]["factor"]] * 2
    calm = pictures(synthetic.save(tmp_path / "b.json", runs))["overview"]
    assert not any(line.get_label() == "_clipped" for line in calm.axes[0].lines)
    assert "triangles" not in " ".join(text.get_text() for text in calm.figure.texts)


def test_no_line_of_a_caption_begins_with_a_dot(shipped: dict[str, Any]) -> None:
    for name, picture in shipped.items():
        lines = [line for text in picture.figure.texts for line in text.get_text().split("\n")]
        assert not [line for line in lines if line.startswith("·")], name


def test_the_peaks_of_the_memory_are_in_sight(shipped: dict[str, Any]) -> None:
    for name in (name for name in shipped if name.startswith("bandwidth")):
        panels = [axes for axes in shipped[name].axes if axes.get_ylabel() == "GB/s"]
        for axes in panels:
            peaks = [line.get_ydata()[0] for line in axes.lines if str(line.get_label()).startswith("peak")]
            assert all(axes.get_ylim()[0] < peak < axes.get_ylim()[1] for peak in peaks), name
            assert axes.get_ylim() == panels[0].get_ylim(), name


def test_a_strategy_looks_the_same_in_the_roofline(shipped: dict[str, Any]) -> None:
    """A map in the reverse order is hollow, as it is where it has a line."""
    axes = shipped["roofline"].axes[0]
    points = {str(line.get_label()): line for line in axes.lines}
    for name in ("ltm-x", "ltm-n", "ltm-r"):
        plain, reverse = points[name], points[f"{name}-rev"]
        assert plain.get_marker() == reverse.get_marker() and plain.get_color() == reverse.get_color()
        assert (plain.get_markerfacecolor(), reverse.get_markerfacecolor()) == (plain.get_color(), "white")


def test_the_caption_says_that_markers_are_thinned(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), tuple(range(1024, 20 * 1024, 1024)))
    words = " ".join(
        text.get_text() for text in pictures(synthetic.save(tmp_path / "a.json", runs))["time"].figure.texts
    )
    assert "markers at some of the points only" in words.replace("\n", " ")


def test_time_is_told_per_cell_in_panels_of_one_scale(tmp_path: Path) -> None:
    runs = [*synthetic.triangle(("bb", "rb"), ("edm1", "edm4"), (1024, 2048)), *synthetic.life((800, 1600))]
    picture = next(p for name, p in pictures(synthetic.save(tmp_path / "a.json", runs)).items() if name == "time-packed"
                   or name == "time-16x16-packed" or name == "time-16x16")  # fmt: skip
    panels = {axes.get_title(loc="left"): axes for axes in picture.axes}
    line = lines_of(panels["edm4"])["rb"]
    mine = [run for run in runs if (run["strategy"], run["workload"]) == ("rb", "edm4")]
    assert line.get_ydata().tolist() == pytest.approx([1e12 / run["throughput"]["cells_per_s"] for run in mine])
    assert panels["edm1"].get_ylabel() == "ps per cell"
    assert panels["edm1"].get_ylim() == panels["edm4"].get_ylim()


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


def bars_of(axes: Any) -> list[tuple[str, float]]:
    """The bars of a panel, from top to bottom."""
    labels = [label.get_text() for label in axes.get_yticklabels()]
    return list(zip(labels, (bar.get_width() for bar in axes.patches), strict=True))


def test_techniques_of_water_stand_beside_the_table_of_the_thesis(tmp_path: Path) -> None:
    runs = synthetic.floats("water", (800, 1600))
    runs += [run for run in synthetic.floats("water", (3200,)) if run["parameters"]["memory"] == "halo"]
    axes = pictures(synthetic.save(tmp_path / "a.json", runs))["thesis-6.4"].axes[2]
    assert axes.get_xlabel() == "time / that of halo, N = 1,600", "the largest that others have, too"
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
    two = [run for run in runs if run["parameters"]["memory"] == "two-cell"]
    runs += [{**run, "block": [64, 4, 1], "key": run["key"] + "/wide"} for run in two]
    # half of its threads have no cell
    runs += [{**run, "block": [16, 16, 1], "tile": 16, "key": run["key"] + "/idle"} for run in two]
    found = pictures(synthetic.save(tmp_path / "a.json", runs))["thesis-5.23"]
    lines = lines_of(found.axes[0])
    assert {"aligned", "aligned, packed", "two-cell, 32x8, tile 64", "two-cell, packed, 64x4, tile 64"} <= set(lines)
    assert "two-cell" not in lines
    for line in lines.values():
        assert list(line.get_xdata()) == [800, 1600]


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


def test_points_of_variants_are_told_from_the_plain_one_and_from_each_other(tmp_path: Path) -> None:
    tiled: Any = {"kernel": "tile", "tile": 64}
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024,))
    runs += synthetic.triangle(("bb", "rb"), ("edm1",), (1024,), factor=0.5, **tiled)
    runs += synthetic.triangle(("bb", "rb"), ("edm1",), (1024,), factor=0.4, schedule="persistent", **tiled)
    path = synthetic.save(tmp_path / "a.json", synthetic.count_energy(runs))
    axes = pictures(path)["energy"].axes[0]
    looks = {}
    for point in axes.containers:
        _, marker, _, face = look_of(point.lines[0])
        looks[point.get_label()] = (point.lines[0].get_color(), marker, face)
    assert len(looks) == 6 == len(set(looks.values())), looks
    assert {name for name, (colour, _, face) in looks.items() if face == colour} == {"bb", "rb"}
