"""The figures of the papers: what they hold, and that they are legible."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from tribench_report.frame import load
from tribench_study import figures


def pictures(*paths: Path, only: Sequence[str] = ()) -> dict[str, Any]:
    """File's name -> the picture, laid out."""
    found = load([str(path) for path in paths])
    kept = {file: figure for _, file, figure in figures.drawings(found, found.usable, only or figures.FIGURES)}
    for figure in kept.values():
        figure.draw_without_rendering()
    return kept


def one_of(found: dict[str, Any], start: str) -> Any:
    """The only picture whose name starts like this."""
    (picture,) = [picture for name, picture in found.items() if name.startswith(start)]
    return picture


def words_of(figure: Any) -> str:
    """Title, panels' titles and caption."""
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    return " ".join([*titles, *(text.get_text() for text in figure.texts)]).replace("\n", " ")


def drawn(path: Path, *only: str) -> dict[str, list[str]]:
    """File's name -> the texts in it: panels' titles, title and caption, and what its lines are."""
    return {
        name: [
            *(axes.get_title(loc="left") for axes in figure.axes),
            *(text.get_text() for text in figure.texts),
            *(label for axes in figure.axes for label in lines_of(axes)),
            *(label.get_text() for axes in figure.axes for label in axes.get_yticklabels()),
        ]
        for name, figure in pictures(path, only=only).items()
    }


def lines_of(axes: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in axes.lines if not str(line.get_label()).startswith("_")}


def bars_of(axes: Any) -> list[tuple[str, float]]:
    """Names and lengths, from above."""
    names = [label.get_text() for label in axes.get_yticklabels()]
    return list(zip(names, [bar.get_width() for bar in axes.patches]))


def sweep(baseline: str, ns: tuple[int, ...] = (1024, 8192), strategies: Any = synthetic.TRI) -> list[synthetic.Json]:
    rng = random.Random(1)
    runs = [synthetic.run(s, w, n, rng) for w in ("dummy", "edm1", "edm4") for n in ns for s in strategies]
    return synthetic.improve(runs, baseline)


def test_panels_of_one_quantity_have_one_scale(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", synthetic.triangle()), only=["triangle-5"])
    assert len({axes.get_ylim() for axes in found["triangle-5"].axes}) == 1


def test_bars_of_improvement_have_one_scale_and_their_names_fit(tmp_path: Path) -> None:
    files = []
    for gpu in ("NVIDIA with a long name A", "NVIDIA B"):
        runs = synthetic.triangle(synthetic.TRI, ("dummy", "edm1", "edm4"), (4096,), seed=len(files))
        files.append(synthetic.save(tmp_path / f"{len(files)}.json", runs, gpu=gpu))
    found = pictures(*files, only=["triangle-5", "gpus"])
    kinds = ("triangle-5", "gpus")
    chosen = {name: picture for name, picture in found.items() if name.startswith(kinds)}
    assert {name.split("-NVIDIA")[0].split("-edm")[0] for name in chosen} >= {"triangle-5", "gpus"}
    for name, picture in chosen.items():
        bars = [axes for axes in picture.axes if axes.patches]
        assert len(bars) > 2 and len({axes.get_xlim() for axes in bars}) == 1, name
        for axes in bars:
            box = axes.xaxis.label.get_window_extent()
            assert axes.get_xlabel() == "" or box.x1 <= picture.bbox.width, name


def test_a_single_n_gives_bars_of_automata(tmp_path: Path) -> None:
    runs = [*synthetic.triangle(ns=(4096,)), *synthetic.life((1600,))]
    picture = one_of(pictures(synthetic.save(tmp_path / "a.json", runs), only=["life-6.4"]), "life-6.4")
    for axes in picture.axes:
        assert axes.containers and not lines_of(axes).keys() - {"peak fill 4,570 GB/s", "peak copy 4,270 GB/s"}
    assert any("N = 1,600" in axes.get_xlabel() for axes in picture.axes)


def test_no_figure_is_another_one_under_a_second_name(tmp_path: Path, script: Script) -> None:
    runs = [run for run in synthetic.life((160, 800, 1600)) if run["parameters"]["memory"] in ("halo", "shared")]
    synthetic.save(tmp_path / "a.json", [*synthetic.triangle(), *runs])
    assert script("plot", tmp_path / "a.json", "--out", tmp_path / "out", "--format", "png").returncode == 0
    files = sorted((tmp_path / "out").iterdir())
    assert len({file.read_bytes() for file in files}) == len(files) == 2
    assert not any(file.name.startswith("life-6.4") for file in files), "it would be 6.2 again"


def test_a_single_n_gives_bars_in_figures_of_papers_too(tmp_path: Path) -> None:
    runs = [*synthetic.triangle(synthetic.TRI, ns=(4096,)), *synthetic.tetra((256,), (4, 8), (32, 128))]
    found = pictures(synthetic.save(tmp_path / "a.json", runs))
    for name, count in (("triangle-3", 2), ("tetra-4", 3), ("tetra-5", 2), ("tetra-6", 1), ("tetra-host", 4)):
        picture = next(picture for key, picture in found.items() if key.startswith(name))
        caption = " ".join(text.get_text() for text in picture.texts)
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
        picture = one_of(found, name)
        seen = [line for axes in picture.axes for line in lines_of(axes).items()]
        assert {label for label, _ in seen} == strategies
        assert all(1 <= n <= 30720 for _, line in seen for n in line.get_xdata())
        assert 512 not in seen[0][1].get_xdata() and 40960 not in seen[0][1].get_xdata()
        grey = [line for line in picture.axes[0].lines if line.get_label() == "_published"]
        assert {1.13, 1.15} <= {line.get_ydata()[0] for line in grey}
    picture = one_of(found, "tetra-6")
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
    picture = one_of(pictures(synthetic.save(tmp_path / "a.json", runs), only=["life-6.3"]), "life-6.3")
    lines = lines_of(picture.axes[0])
    assert set(lines) == {"16x16", "64x4"}
    with_tile = [run["time_ms"]["median"] * 10 for run in runs if run["block"][0] == 16 and run["tile"] == 64]
    assert list(lines["16x16"].get_ydata()) == pytest.approx(with_tile)


def test_gpus_are_lines_of_one_figure(tmp_path: Path) -> None:
    fast = synthetic.save(tmp_path / "a.json", synthetic.tetra(), gpu="NVIDIA H100")
    slow = synthetic.save(tmp_path / "b.json", synthetic.tetra(seed=2))
    found = pictures(fast, slow, only=["tetra-6", "gpus"])
    assert set(lines_of(found["tetra-6"].axes[0])) == {"NVIDIA H100", "NVIDIA H200"}
    gpus = one_of(found, "gpus")
    assert [axes.get_title(loc="left") for axes in gpus.axes] == ["dp-tetra", "rec-tetra", "ltm-tetra", "rb-tetra"]
    assert all(set(lines_of(axes)) == {"NVIDIA H100", "NVIDIA H200"} for axes in gpus.axes)
    assert not any(name.startswith("gpus") for name in pictures(slow, only=["tetra-6", "gpus"]))


def test_techniques_of_water_stand_beside_the_table_of_the_thesis(tmp_path: Path) -> None:
    runs = synthetic.floats("water", (800, 1600))
    runs += [run for run in synthetic.floats("water", (3200,)) if run["parameters"]["memory"] == "halo"]
    axes = pictures(synthetic.save(tmp_path / "a.json", runs), only=["thesis-6.4"])["thesis-6.4"].axes[2]
    assert axes.get_xlabel() == "time / that of halo, N = 1,600", "the largest that others have, too"
    median = {r["parameters"]["memory"]: r["time_ms"]["median"] for r in runs if r["n"] == 1600}
    table = {"shared": 2.2308, "aligned": 2.7106, "rect": 2.482, "two-generation": 24.1815}
    expected = []
    wide = {"rect": "rect, 64x4, tile 64", "two-cell": "two-cell, 32x8, tile 64"}
    for memory in ("conditional", "shared", "aligned", "rect", "two-cell", "two-generation"):
        label = wide.get(memory, memory)
        expected.append((label, median[memory] / median["halo"]))
        expected += [("published", table[memory] / 3.2047)] if memory in table else []
    assert bars_of(axes) == [(label, pytest.approx(value)) for label, value in expected]


def test_packed_data_and_other_blocks_are_lines_of_their_own(tmp_path: Path) -> None:
    runs = synthetic.floats("dog", (800, 1600))
    two = [run for run in runs if run["parameters"]["memory"] == "two-cell"]
    runs += [{**run, "block": [64, 4, 1], "key": run["key"] + "/wide"} for run in two]
    # half of its threads have no cell
    runs += [{**run, "block": [16, 16, 1], "tile": 16, "key": run["key"] + "/idle"} for run in two]
    found = pictures(synthetic.save(tmp_path / "a.json", runs), only=["thesis-5.23"])["thesis-5.23"]
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
    found = pictures(synthetic.save(tmp_path / "a.json", runs, gpu=None), only=["thesis-5.21"])["thesis-5.21"]
    lines = lines_of(found.axes[0])
    assert {"halo", "rect, 64x4, tile 64", "two-cell, 32x8, tile 64"} <= set(lines) and "halo, tile 64" not in lines
    ticks = [label.get_text() for label in found.axes[1].get_yticklabels()]
    assert len(set(ticks)) == len(ticks) > 3


def test_long_numbers_beside_bars_are_whole(tmp_path: Path) -> None:
    runs = synthetic.floats("blur", (30720,))
    for run in runs:
        run["throughput"]["gb_per_s"] = 4321.0
    axes = pictures(synthetic.save(tmp_path / "a.json", runs), only=["thesis-5.21"])["thesis-5.21"].axes[1]
    assert {text.get_text() for text in axes.texts} == {"4,321"}


def test_another_baseline_is_named_and_draws_no_line_of_its_own(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", sweep("rb")))
    for name in ("triangle-3", "triangle-5"):
        said = words_of(found[name])
        assert "over rb" in said and "bounding box" not in said and "over bb" not in said, (name, said)
        assert "GTX 680" not in said, "its factors are over bb"
    for axes in found["triangle-5"].axes:
        assert "rb" not in lines_of(axes) and "_published" not in {line.get_label() for line in axes.lines}


def test_another_baseline_is_no_bar_either(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", sweep("rb", (4096,))), only=["triangle-5"])
    names = {label for axes in found["triangle-5"].axes if axes.patches for label, _ in bars_of(axes)}
    assert "bb" in names and "rb" not in names


def test_gpus_and_tetrahedra_name_another_baseline(tmp_path: Path) -> None:
    files = []
    for gpu in ("NVIDIA H100", "NVIDIA H200"):
        runs = synthetic.tetra()
        for run in runs:
            run["improvement"] = None
        files.append(synthetic.save(tmp_path / f"{gpu}.json", synthetic.improve(runs, "rb-tetra"), gpu=gpu))
    found = pictures(*files)
    gpus = one_of(found, "gpus")
    assert "over rb-tetra" in words_of(gpus) and "bounding box" not in words_of(gpus)
    titles = [axes.get_title(loc="left") for axes in gpus.axes]
    assert "bb-tetra" in titles and "rb-tetra" not in titles
    tetra = found["tetra-6"]
    assert "over rb-tetra" in words_of(tetra) and "T_BB" not in words_of(tetra) + tetra.axes[0].get_ylabel()
    assert not tetra.axes[0].texts, "what was published is over bb-tetra"


def test_a_line_is_over_one_baseline(tmp_path: Path) -> None:
    a = synthetic.save(tmp_path / "a.json", sweep("bb", (1024, 2048), ("bb", "rb", "rec")))
    b = synthetic.save(tmp_path / "b.json", sweep("rb", (4096, 8192), ("bb", "rb", "rec")))
    found = pictures(a, b, only=["triangle-5"])
    for axes in found["triangle-5"].axes[:3]:
        drawn = {label: [int(n) for n in line.get_xdata()] for label, line in lines_of(axes).items()}
        assert drawn["rec (over bb)"] == [1024, 2048] and drawn["rec (over rb)"] == [4096, 8192], drawn
        assert "rec" not in drawn


def test_a_paper_sweep_gives_the_figures_of_the_paper(tmp_path: Path) -> None:
    runs = synthetic.triangle(synthetic.TRI, ("dummy", "edm1", "edm2", "edm4"))
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    assert set(found) == {"triangle-3", "triangle-5"}
    assert found["triangle-5"][:4] == ["dummy", "edm1", "edm4", "EDM at N = 30,720"]
    assert set(found["triangle-3"]) >= {"ltm-x", "ltm-n", "ltm-r", "bb"}


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
    large = drawn(synthetic.save(tmp_path / "b.json", synthetic.life((8192, 30720))), "life-6.4")
    assert "the paper's N are 160 to 1,600" in " ".join(large["life-6.4"]).replace("\n", " ")


@pytest.mark.parametrize(("ns", "domain"), [((160, 800, 1600), "square"), ((30720,), "triangle")])
def test_automata_on_floats_give_those_of_the_thesis(tmp_path: Path, ns: tuple[int, ...], domain: str) -> None:
    runs = [run for workload in synthetic.FLOATS for run in synthetic.floats(workload, ns, domain)]
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    said = {name: " ".join(words).replace("\n", " ") for name, words in found.items()}
    names = ("thesis-5.21", "thesis-5.23", "thesis-5.25", "thesis-6.4")
    assert set(names) <= set(found) and not any(name.startswith("life") for name in found)
    for name, words in zip(names, ("save 37 %", "barely discernible", "aligned is the slowest", "rect 2.48 s")):
        assert words in said[name] and "page" in said[name], name
    panels = {name: found[name][:3] for name in names}
    once = {name: "run" if name in ("thesis-5.23", "thesis-5.25") else "generation" for name in names}
    assert all(panels[name][:2] == [f"(a) Time per {once[name]}", "(b) Bandwidth"] for name in names)
    assert {name for name in names if "(c) Beside the text" in panels[name]} == {"thesis-5.21", "thesis-6.4"}


def test_a_figure_of_the_thesis_needs_two_techniques_and_for_shares_the_one_that_they_are_of(tmp_path: Path) -> None:
    blur = synthetic.floats("blur", (1600,))
    one = [run for run in blur if run["parameters"]["memory"] == "strip"]
    assert "thesis-5.21" not in drawn(synthetic.save(tmp_path / "a.json", one), "thesis-5.21")
    others = [run for run in blur if run["parameters"]["memory"] != "rect"]
    found = drawn(synthetic.save(tmp_path / "b.json", others), "thesis-5.21")["thesis-5.21"]
    assert "(b) Bandwidth" in found and "(c) Beside the text" not in found


def test_figures_of_papers_leave_out_kernels_that_the_papers_did_not_have(tmp_path: Path) -> None:
    kernels = {"kernel": "tile", "tile": 128, "block": 32}
    runs = [*synthetic.triangle(synthetic.TRI), *synthetic.triangle(synthetic.TRI, ("edm1", "edm2"), **kernels)]
    found = drawn(synthetic.save(tmp_path / "a.json", runs))
    papers = {name for name in found if name.startswith(("triangle-3", "triangle-5"))}
    assert papers == {"triangle-3", "triangle-5"}, "no facet of tile kernels"
