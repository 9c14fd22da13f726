"""How the figures look: lines, scales, titles and names."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import H200
from matplotlib.colors import to_hex
from tribench_report import plot, study
from tribench_report.figures import CATALOGUE, Figure
from tribench_report.looks import LOOKS


def pictures(*paths: Path, catalogue: Sequence[Figure] = CATALOGUE) -> dict[str, Any]:
    """Figure file name -> the picture, laid out."""
    found = study.read([str(path) for path in paths])
    names = [figure.name for figure in catalogue]
    kept = {}
    for _, drawing in plot.drawings(plot.material_of(found, found.usable), names, catalogue):
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
    assert len(shipped) > 5
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


def test_panels_of_one_quantity_have_one_scale(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", synthetic.triangle()))
    assert len({axes.get_ylim() for axes in found["overview"].axes}) == 1


def test_bars_of_improvement_have_one_scale_and_their_names_fit(tmp_path: Path) -> None:
    files = []
    for gpu in ("NVIDIA with a long name A", "NVIDIA B"):
        runs = synthetic.triangle(synthetic.TRI, ("dummy", "edm1", "edm4"), (4096,), seed=len(files))
        files.append(synthetic.save(tmp_path / f"{len(files)}.json", runs, gpu=gpu))
    found = pictures(*files)
    kinds = ("overview",)
    chosen = {name: picture for name, picture in found.items() if name.startswith(kinds)}
    assert {name.split("-NVIDIA")[0].split("-edm")[0] for name in chosen} >= {"overview"}
    for name, picture in chosen.items():
        bars = [axes for axes in picture.axes if axes.patches]
        assert len(bars) > 2 and len({axes.get_xlim() for axes in bars}) == 1, name
        for axes in bars:
            box = axes.xaxis.label.get_window_extent()
            assert axes.get_xlabel() == "" or box.x1 <= picture.figure.bbox.width, name


def test_a_single_n_gives_bars(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(4096,))))
    for name in ("overview", "time", "bandwidth"):
        picture = next(picture for key, picture in found.items() if key.startswith(name))
        for axes in picture.axes:
            assert axes.containers and not lines_of(axes).keys() - {"peak fill 4,570 GB/s", "peak copy 4,270 GB/s"}
        assert any("N = 4,096" in axes.get_xlabel() for axes in picture.axes)


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


def bars_of(axes: Any) -> list[tuple[str, float]]:
    """The bars of a panel, from top to bottom."""
    labels = [label.get_text() for label in axes.get_yticklabels()]
    return list(zip(labels, (bar.get_width() for bar in axes.patches), strict=True))


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
