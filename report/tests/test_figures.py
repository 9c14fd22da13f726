"""Figures name the baseline, the peaks, the input and the build of the runs that they draw."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import REPORT
from test_pictures import bars_of, lines_of, pictures
from tribench_report import study
from tribench_report.improve import Improvements
from tribench_report.model import parse
from tribench_report.select import facets, lines

X2 = REPORT.parent / "study" / "results" / "h200-x2.json.gz"


def words_of(picture: Any) -> str:
    """Title, titles of the panels and caption."""
    said = [picture.body._suptitle.get_text(), *(axes.get_title(loc="left") for axes in picture.axes)]
    said += [text.get_text() for text in picture.figure.texts]
    return " ".join(said).replace("\n", " ")


def sweep(baseline: str, ns: tuple[int, ...] = (1024, 4096), strategies: tuple[str, ...] = synthetic.TRI) -> Any:
    rng = random.Random(1)
    runs = [synthetic.run(s, w, n, rng) for w in ("dummy", "edm1", "edm4") for n in ns for s in strategies]
    return synthetic.improve(runs, baseline)


def test_another_baseline_is_named_and_draws_no_line_of_its_own(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", sweep("rb")))
    for name in ("overview", "heatmap"):
        said = words_of(found[name])
        assert "over rb" in said and "bounding box" not in said and "over bb" not in said, (name, said)
    assert {"bb", "ltm-r", "rec"} <= set(lines_of(found["overview"].axes[0]))
    assert all("rb" not in lines_of(axes) for axes in found["overview"].axes)
    rows = [label.get_text() for label in found["heatmap"].axes[0].get_yticklabels()]
    assert "bb" in rows and "rb" not in rows


def test_another_baseline_is_no_bar_either(tmp_path: Path) -> None:
    found = pictures(synthetic.save(tmp_path / "a.json", sweep("rb", (4096,))))
    names = {label for axes in found["overview"].axes if axes.patches for label, _ in bars_of(axes)}
    assert "bb" in names and "rb" not in names


def test_panels_over_different_baselines_say_so_each(tmp_path: Path) -> None:
    rb = [run for run in sweep("rb") if run["workload"] == "edm1"]
    bb = [run for run in sweep("bb") if run["workload"] == "edm4"]
    found = pictures(synthetic.save(tmp_path / "a.json", [*rb, *bb]))
    titles = [axes.get_title(loc="left") for axes in found["overview"].axes]
    assert titles == ["edm1, over rb", "edm4, over bb"]


def on_ranks(strategy: str, workload: str, n: int, count: int | None, gbs: float) -> Any:
    run = synthetic.run(strategy, workload, n, random.Random(1))
    if count is not None:
        run["key"] += f"/ranks{count}/cells"
        run["ranks"] = {"count": count, "partition": "cells"}
    run["throughput"]["gb_per_s"] = gbs
    run["roofline"]["gop_per_s"] = gbs * run["roofline"]["operations_per_byte"]
    return run


def test_several_gpus_have_several_times_the_peaks_of_one_and_a_file_of_their_own(tmp_path: Path) -> None:
    runs = [on_ranks("ltm-i", "edm4", n, count, 4000.0 * (count or 1)) for n in (1024, 2048) for count in (1, 2)]
    found = pictures(synthetic.save(tmp_path / "a.json", runs))
    for name, peak in (("bandwidth-1", 4570), ("bandwidth-2", 9140)):
        labels = set(lines_of(found[name].axes[0]))
        assert f"peak fill {peak:,} GB/s" in labels
    for name, peak in (("roofline-1", 4570.0), ("roofline-2", 9140.0)):
        axes = found[name].axes[0]
        (roof,) = [line for line in axes.lines if str(line.get_label()).startswith("peak fill")]
        assert roof.get_ydata()[0] / roof.get_xdata()[0] == pytest.approx(peak)
        for line in axes.lines:
            if line.get_linestyle() == "None":
                assert all(y < peak * x for x, y in zip(*line.get_data())), name
    assert "2 ranks" in words_of(found["bandwidth-2"]) and "1 rank" in words_of(found["bandwidth-1"])
    assert "1 ranks" not in words_of(found["bandwidth-1"])


def test_one_rank_and_no_ranks_are_the_same_and_have_no_word(tmp_path: Path) -> None:
    runs = [on_ranks("ltm-i", "edm4", 1024, 1, 100.0), on_ranks("bb", "edm4", 1024, None, 90.0)]
    found = pictures(synthetic.save(tmp_path / "a.json", runs))
    assert "bandwidth" in found and "rank" not in words_of(found["bandwidth"])


def test_the_shipped_results_of_two_gpus_stay_below_the_roof() -> None:
    found = pictures(X2)
    assert {"roofline-1", "roofline-2"} <= set(found)
    for name in ("roofline-1", "roofline-2"):
        for axes in found[name].axes:
            (roof,) = [line for line in axes.lines if str(line.get_label()).startswith("peak fill")]
            slope = roof.get_ydata()[0] / roof.get_xdata()[0]
            points = [line for line in axes.lines if line.get_linestyle() == "None"]
            assert points and all(y <= 1.02 * slope * x for line in points for x, y in zip(*line.get_data()))


def test_several_gpus_are_divided_by_the_baseline_on_as_many() -> None:
    one, two = (on_ranks("bb", "edm4", 1024, count, 1.0) for count in (None, 2))
    two["time_ms"] = {**one["time_ms"], "median": one["time_ms"]["median"] / 2, "ci95": None}
    mine = on_ranks("rb", "edm4", 1024, 2, 1.0)
    base, both, run = (parse(given) for given in (one, two, mine))
    assert both.time is not None and run.time is not None
    found = Improvements([base, both, run]).of(run)
    assert found is not None and found.value == pytest.approx(both.time.value / run.time.value)
    assert Improvements([base, run]).of(run) is None, "one GPU is no baseline of two"
    alone = parse(on_ranks("rb", "edm4", 1024, 1, 1.0))
    assert Improvements([base, alone]).of(alone) is not None, "--ranks 1 is one GPU, too"


def test_kernels_share_a_panel_only_over_one_baseline(tmp_path: Path) -> None:
    """rb was measured with the tile kernel only, and its recorded factor is over bb with the tile kernel."""
    rng = random.Random(1)
    plain = [synthetic.run(s, "edm1", n, rng) for n in (1024, 4096) for s in ("bb", "rec")]
    other: Any = {"kernel": "loop", "tile": 64, "factor": 0.25}
    tiled = [synthetic.run(s, "edm1", n, rng, **other) for n in (1024, 4096) for s in ("bb", "rb")]
    path = synthetic.save(tmp_path / "a.json", [*synthetic.improve(plain), *synthetic.improve(tiled)])
    found = pictures(path)["overview"]
    drawn = lines_of(found.axes[0])
    rb = next(line for label, line in drawn.items() if label.startswith("rb"))
    assert min(rb.get_ydata()) > 3.0, "over the plain bb, as rec beside it"
    assert "over the plainest baseline" in words_of(found)


def with_input(run: Any, name: str, factor: float = 1.0) -> Any:
    times = [factor * ms for ms in run["samples"]["ms"]]
    return {**run, "key": f"{run['key']}/input-{name}", "time_ms": synthetic.summary(times)}


def two_inputs(ns: tuple[int, ...] = (1024, 2048)) -> list[Any]:
    runs = synthetic.triangle(("bb", "rb"), ("collision",), ns)
    return [with_input(run, f"{name}.xyz-0123456{k}", 1.0 + k) for run in runs for k, name in enumerate("ab")]


def test_two_inputs_of_one_n_have_a_picture_each(tmp_path: Path) -> None:
    runs = two_inputs()
    found = pictures(synthetic.save(tmp_path / "a.json", runs))
    assert {"time-a.xyz", "time-b.xyz"} <= set(found) and "time" not in found
    assert "input a.xyz" in words_of(found["time-a.xyz"])
    for name in "ab":
        line = lines_of(found[f"time-{name}.xyz"].axes[0])["rb"]
        here = [run for run in runs if run["strategy"] == "rb" and f"input-{name}." in run["key"]]
        assert list(line.get_ydata()) == pytest.approx([1e12 / run["throughput"]["cells_per_s"] for run in here])


def test_an_input_for_each_n_is_one_line_without_a_word() -> None:
    runs = synthetic.triangle(("rb",), ("collision",), (1024, 2048))
    parsed = [parse(with_input(run, f"n{run['n']}.xyz-01234567")) for run in runs]
    assert [line.label for line in lines(parsed)] == ["rb"]
    assert [facet.suffix for facet in facets(parsed)] == [""]


def test_inputs_go_by_their_names_and_by_what_is_in_them_where_these_are_alike() -> None:
    def labels(*names: str) -> set[str]:
        runs = synthetic.triangle(("rb",), ("collision",), (1024, 2048))
        keys = [(run, name if "-" in name else f"{name}-{run['n']:08}") for run in runs for name in names]
        return {line.label for line in lines([parse(with_input(run, key)) for run, key in keys])}

    assert labels("a.xyz", "b.xyz") == {"rb (input a.xyz)", "rb (input b.xyz)"}, "whatever digest it has at an N"
    assert labels("a.xyz-01234567", "a.xyz-89abcdef") == {"rb (input a.xyz-01234567)", "rb (input a.xyz-89abcdef)"}


def test_runs_without_an_input_keep_the_name_of_their_figure(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048))
    found = pictures(synthetic.save(tmp_path / "a.json", [*runs, *(with_input(run, "a.xyz-01234567") for run in runs)]))
    assert {"time", "time-a.xyz"} <= set(found)


def test_a_heat_map_is_of_the_largest_n_that_has_the_baseline_and_most_strategies(tmp_path: Path) -> None:
    runs = synthetic.triangle(synthetic.PAPER, ("edm1",), (1024, 4096))
    runs += synthetic.triangle(synthetic.PAPER, ("edm4",), (1024, 2048))
    # Beyond, one map alone, and two without a baseline: neither says much of a workload.
    beyond = synthetic.triangle(("bb", "rb"), ("edm1",), (8192,))
    beyond += synthetic.triangle(("rb", "rec"), ("edm4",), (16384,))
    picture = pictures(synthetic.save(tmp_path / "a.json", [*runs, *beyond]))["heatmap"]
    axes = picture.axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["edm1\nN = 4,096", "edm4\nN = 2,048"]
    assert "at the largest N" in words_of(picture) and "not measured" not in words_of(picture)
    assert len([text for text in axes.texts if text.get_text() != "–"]) == 8


def build(commit: str, day: str, command: str) -> synthetic.Json:
    tool = {"name": "tribench", "version": "0.1.0", "git_commit": commit}
    return {"tool": tool, "started": f"{day}T10:00:00Z", "command": ["tribench", command]}


def test_a_caption_names_the_build_and_the_day_of_what_is_drawn(tmp_path: Path) -> None:
    one = synthetic.save(tmp_path / "a.json", synthetic.triangle(), **build("aaaaaaa", "2025-01-01", "a"))
    other = synthetic.save(tmp_path / "b.json", synthetic.tetra(), **build("bbbbbbb", "2025-02-02", "b"))
    found = pictures(one, other)
    for name, picture in found.items():
        said, is_deep = words_of(picture), name.startswith(("tetra", "time-8x8x8", "overview-8x8x8", "heatmap-8x8x8"))
        assert ("aaaaaaa" in said, "2025-01-01" in said) != ("bbbbbbb" in said, "2025-02-02" in said) or (
            name.startswith("roofline")
        ), (name, said)
        assert not is_deep or "bbbbbbb" in said


def test_a_caption_does_not_name_what_its_panels_leave_out(tmp_path: Path) -> None:
    plain = synthetic.triangle(("bb", "rb"), ("edm1",))
    slow = synthetic.triangle(("bb", "rb"), ("edm1",), kernel="tile", tile=64, factor=3.0)
    one = synthetic.save(tmp_path / "a.json", plain, **build("aaaaaaa", "2025-01-01", "a"))
    other = synthetic.save(tmp_path / "b.json", slow, **build("bbbbbbb", "2025-02-02", "b"))
    found = pictures(one, other)
    for name in ("overview", "time", "bandwidth"):
        assert "aaaaaaa" in words_of(found[name]) and "bbbbbbb" not in words_of(found[name]), name


def test_a_study_tells_of_some_runs_or_of_all(tmp_path: Path) -> None:
    one = synthetic.save(tmp_path / "a.json", synthetic.triangle(), **build("aaaaaaa", "2025-01-01", "a"))
    other = synthetic.save(tmp_path / "b.json", synthetic.tetra(), **build("bbbbbbb", "2025-02-02", "b"))
    found = study.read([str(one), str(other)])
    assert found.version() == "tribench 0.1.0 (aaaaaaa, bbbbbbb)" and found.date() == "2025-01-01 to 2025-02-02"
    deep = [run for run in found.runs if run.dimension == 3]
    assert found.version(deep) == "tribench 0.1.0 (bbbbbbb)" and found.date(deep) == "2025-02-02"
    assert found.command_lines(deep) == ["tribench b"] and len(found.command_lines()) == 2


def meeting(axes: Any) -> list[str]:
    """Labels of N that touch their neighbours."""
    low, high = sorted(axes.get_xlim())
    ticks = zip(axes.get_xticks(), axes.get_xticklabels())
    boxes = [label.get_window_extent() for x, label in ticks if low <= x <= high and label.get_text()]
    boxes.sort(key=lambda box: box.x0)
    return [f"{a.x1:.0f} > {b.x0:.0f}" for a, b in zip(boxes, boxes[1:]) if a.x1 + 2.0 > b.x0]


@pytest.mark.parametrize("ns", [
    tuple(2**k for k in range(8, 16)), tuple(range(1024, 30721, 1024)), (1024, 8192, 16384, 20480, 30720),
    (98304, 114688, 122880), (64, 1024, 122880), (26624, 28672, 30720),
])  # fmt: skip
def test_labels_of_n_do_not_meet(tmp_path: Path, ns: tuple[int, ...]) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("dummy", "edm1", "edm2", "edm3", "edm4", "write"), ns)
    for name, picture in pictures(synthetic.save(tmp_path / "a.json", runs)).items():
        for axes in picture.axes:
            if axes.get_xlabel() in ("N", "") and not axes.images:
                assert meeting(axes) == [], (name, [label.get_text() for label in axes.get_xticklabels()])
    document = json.loads((tmp_path / "a.json").read_text())
    assert len({run["n"] for run in document["runs"]}) == len(ns)


def test_a_heat_map_has_automata_beside_what_has_plain_runs(tmp_path: Path) -> None:
    """Their --cell and --memory of the command line are none of the plain ones."""
    runs = synthetic.triangle(synthetic.PAPER, ("edm1",), (4096, 8192))
    runs += synthetic.triangle(synthetic.PAPER, ("gol",), (8192,), cell="u8", memory="conditional")
    picture = pictures(synthetic.save(tmp_path / "a.json", runs))["heatmap"]
    axes = picture.axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["edm1", "gol"]
    assert "at N = 8,192" in words_of(picture)
    assert len(axes.texts) == 8 and all(text.get_text() != "–" for text in axes.texts)


def test_a_line_is_over_one_baseline(tmp_path: Path) -> None:
    a = synthetic.save(tmp_path / "a.json", sweep("bb", (1024, 2048), ("bb", "rb", "rec")))
    b = synthetic.save(tmp_path / "b.json", sweep("rb", (4096, 8192), ("bb", "rb", "rec")))
    found = pictures(a, b)
    for name in ("overview",):
        for axes in found[name].axes[:3]:
            drawn = {label: [int(n) for n in line.get_xdata()] for label, line in lines_of(axes).items()}
            assert drawn["rec (over bb)"] == [1024, 2048] and drawn["rec (over rb)"] == [4096, 8192], (name, drawn)
            assert "rec" not in drawn
