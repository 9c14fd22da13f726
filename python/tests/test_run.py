"""run, list, check_maps, tune, load, compare, and what a Result has."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import synthetic
import tribench
from conftest import PROGRAM, QUICK, TOP
from tribench import options, progress

# What belongs to a command: `run` has arguments or functions of its own for these, or no use.
COMMANDS = {"output", "format", "quiet", "verbose", "color", "dump", "ranks", "list", "show", "emit", "check-maps",
            "help", "version"}  # fmt: skip


@pytest.fixture(scope="module")
def result() -> tribench.Result:
    return tribench.run(strategy="bb,ltm-i", workload="edm4,write", n=[50, 100], **{**QUICK, "samples": 7})


def test_every_option_of_the_program_is_a_keyword() -> None:
    text = subprocess.run([PROGRAM, "--help=all"], capture_output=True, text=True, check=True).stdout
    named = set(re.findall(r"^  (?:-\w, |    )--([a-z-]+)", text, re.MULTILINE))
    assert named - COMMANDS == {name.replace("_", "-") for name in options.Options.__annotations__}


def test_options_become_words() -> None:
    given = {"n": range(8, 25, 8), "block": [16, "64x4"], "energy": True, "cache": None, "tune": False, "precision": 2,
             "set": {"rule": 2333, "memory": ["halo", "strip"]}, "max_time": 0.5}  # fmt: skip
    assert options.words(given) == [
        "--n=8,16,24", "--block=16,64x4", "--energy", "--precision=2%", "--set=rule=2333", "--set=memory=halo,strip",
        "--max-time=0.5",
    ]  # fmt: skip


def test_the_frame_has_a_row_per_run_and_numbers_where_there_are_numbers(result: tribench.Result) -> None:
    frame = result.frame
    assert frame["n"].tolist() == [50, 50, 100, 100, 50, 50, 100, 100]
    assert frame.columns[:4].tolist() == ["strategy", "workload", "n", "time_ms.median"]
    assert frame["time_ms.median"].tolist() == [run["time_ms"]["median"] for run in result.records]
    assert all(frame[name].dtype.kind in "if" for name in ("tile", "seed", "launch.blocks", "improvement.factor"))
    assert not frame.isna().all().any()
    assert set(frame["verified.status"]) == {"pass"} and result.output is None


def test_samples_in_long_form(result: tribench.Result) -> None:
    samples = result.samples
    assert len(samples) == 8 * 7 and samples["round"].tolist()[:8] == [0, 1, 2, 3, 4, 5, 6, 0]
    assert samples["ms"].tolist()[:7] == result.records[0]["samples"]["ms"]


def test_the_best_of_each_workload_and_n(result: tribench.Result) -> None:
    best = result.best()
    assert best[["workload", "n"]].to_numpy().tolist() == [["edm4", 50], ["edm4", 100], ["write", 50], ["write", 100]]
    for row in best.to_dict("records"):
        times = result.frame.query("workload == @row['workload'] and n == @row['n']")["time_ms.median"]
        assert row["time_ms.median"] == times.min()


def test_the_best_is_the_fastest_that_is_right(tmp_path: Path) -> None:
    rng = random.Random(1)
    slow, fast = (synthetic.run("ltm-r", "edm1", 1024, rng, factor=factor) for factor in (2.0, 1.0))
    runs = [{**slow, "strategy": "bb", "key": "a"}, {**fast, "key": "b"}, {**fast, "strategy": "rb", "key": "c"}]
    runs[2] |= {"verified": {**fast["verified"], "status": "fail"}, "time_ms": {**fast["time_ms"], "median": 1e-6}}
    synthetic.save(tmp_path / "x.json", runs)
    with pytest.warns(UserWarning, match="1 run failed verification"):
        assert tribench.load(tmp_path / "x.json").best()["strategy"].tolist() == ["ltm-r"]


def test_it_shows_what_a_terminal_shows(result: tribench.Result) -> None:
    text, html = repr(result), result._repr_html_()
    assert text.count("edm4, N = 50, 16x16 threads per block, ") == 1 and html.count("<table") == 4
    assert re.search(r"ltm-i +0 +[0-9.e-]+ +[0-9.]+ \.\. [0-9.]+ +[0-9.]+ .* pass", text)


def test_what_is_saved_is_loaded(result: tribench.Result, tmp_path: Path) -> None:
    for name in ("x.json", "x.jsonl.gz", "x.csv"):
        result.save(tmp_path / name)
        assert tribench.load(tmp_path / name).frame.equals(result.frame), name


def test_two_results_are_compared(result: tribench.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "old.json")
    rows = tribench.compare(tmp_path / "old.json", result)
    assert rows["ratio"].tolist() == [1.0] * 8 and "SLOWER" not in set(rows["verdict"])
    slow = [{**run, "time_ms": {**run["time_ms"], "median": 2 * run["time_ms"]["median"]}} for run in result.records]
    synthetic.save(tmp_path / "slow.json", slow)
    old, new = [tmp_path / "old.json"] * 3, [tribench.load(tmp_path / "slow.json", unverified=True)] * 3
    assert tribench.compare(old, new)["ratio"].round(6).tolist() == [2.0] * 8


@pytest.fixture(scope="module")
def edm4() -> tribench.Result:
    return tribench.run(strategy="bb,ltm-i", workload="edm4", n=[50, 100], **{**QUICK, "samples": 7})


def test_any_figure_of_the_report(edm4: tribench.Result) -> None:
    assert edm4.chart("time").to_dict()["title"]["text"] == "Time per cell over N"


def test_lines_over_n_with_their_intervals_by_matplotlib(edm4: tribench.Result) -> None:
    pytest.importorskip("matplotlib", reason="there is no matplotlib").use("agg")
    axes = edm4.plot("time")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("N", "time [ms]")
    drawn = {bars.get_label(): bars for bars in axes.containers}
    for name, runs in edm4.frame.groupby("strategy"):
        line, _, (whiskers,) = drawn.pop(name)
        ends = [sorted(segment[:, 1]) for segment in whiskers.get_segments()]
        assert line.get_xydata() == pytest.approx(runs[["n", "time_ms.median"]].to_numpy())
        assert ends == [pytest.approx(pair) for pair in runs[["time_ms.ci95.low", "time_ms.ci95.high"]].to_numpy()]
    assert not drawn


def test_any_column_on_axes_that_are_there(edm4: tribench.Result) -> None:
    pytest.importorskip("matplotlib", reason="there is no matplotlib").use("agg")
    axes = edm4.plot("improvement")
    assert edm4.plot("launch.blocks", axes) is axes
    assert axes.get_ylabel() == "launch.blocks"
    assert [bars.get_label() for bars in axes.containers] == ["ltm-i", "bb", "ltm-i"]
    for wrong in ("nothing", "strategy", "energy"):
        with pytest.raises(tribench.UsageError, match="no run has numbers"):
            edm4.plot(wrong)


# Without pyarrow, 200 MB that no other test needs, the first of these says that the columns have types of Parquet.
def test_every_column_of_the_frame_has_one_type_that_parquet_has(result: tribench.Result) -> None:
    assert {str(kind) for kind in result.frame.dtypes} <= {"bool", "int64", "float64", "str"}


def test_parquet_gives_the_frame_back(result: tribench.Result, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="there is no pyarrow, which is large")
    result.to_parquet(tmp_path / "x.parquet")
    assert pd.read_parquet(tmp_path / "x.parquet").equals(result.frame)


def test_parquet_needs_pyarrow(result: tribench.Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="^[^\n]*pyarrow is required for parquet support[^\n]*$"):
        result.to_parquet(tmp_path / "x.parquet")


def test_a_search_gives_options_that_run_takes() -> None:
    quick = {"engine": "cpu", "threads": 2, "samples": 11, "max_time": 0.05}
    found = tribench.tune(strategy="ltm-i,rb-b", workload="edm4", n=200, block=[16, 32], tile=[32, 64], **quick)
    assert found["strategy"] in ("ltm-i", "rb-b") and found["tile"] in (32, 64) and "tune" not in found
    orders = {"batch": 3, "order": "ascending,shift"}
    best = tribench.tune(strategy="rows-list", workload="rowsum", n=100, block=16, tile=32, set=orders, **quick)
    assert re.fullmatch("batch=3,group=[13],order=(ascending|shift)", str(best["set"])), best
    run = tribench.run(**found, baseline="none").records
    assert [(one["strategy"], one["tile"], one["kernel"]) for one in run] == [
        (found["strategy"], found["tile"], found["kernel"])
    ]
    with pytest.raises(tribench.UsageError, match="one workload and one N, got 2"):
        tribench.tune(strategy="ltm-i", workload="edm4", n=[60, 70], block=16, tile=[16, 32], **quick)


def test_lists_and_maps() -> None:
    assert {"bb", "ltm-i", "rb-tetra"} <= set(tribench.list()["name"])
    assert {"edm4", "gram"} <= set(tribench.list("workloads")["name"])
    maps = tribench.check_maps(20, strategy="ltm,rb", engine="cpu").set_index("strategy")
    assert maps["exact"].all() and maps.loc["rb", "asked"] == 6400
    with pytest.raises(tribench.UsageError, match="--list"):
        tribench.list("nothing")


def test_what_would_be_run() -> None:
    planned = tribench.run(strategy="bb,ltm-i", n=100, dry_run=True).frame
    assert planned["status"].tolist() == ["planned", "planned"] and planned["launch.blocks"].tolist() == [49, 28]


def test_a_bar_counts_and_messages_remain(capsys: pytest.CaptureFixture[str]) -> None:
    bar = progress.Bar(True)
    for line in ("[1/4] cpu/edm4/bb: 0.1 ms", "3 of 4 runs, 12 s", "note", "4 runs in 0 s: 4 ok", "  edm4 2D", "wrong"):
        bar.read(line + "\n")
    assert bar.messages == ["note", "wrong"]
    said = capsys.readouterr().err
    assert "[######..................] 1 of 4  cpu/edm4/bb: 0.1 ms" in said and "3 of 4" in said
    shown = tribench.run(strategy="bb,ltm-i", n=50, progress=True, **QUICK)
    assert len(shown.records) == 2 and "2 of 2" in capsys.readouterr().err


def test_the_import_is_quick_and_leaves_pandas_for_later() -> None:
    code = ("import sys, time; begun = time.perf_counter(); import tribench; print(time.perf_counter() - begun,"
            " *{'numpy', 'pandas', 'torch', 'altair'} & set(sys.modules))")  # fmt: skip
    where = {"PYTHONPATH": str(TOP / "python"), "PATH": "/usr/bin:/bin"}
    said = [subprocess.check_output([sys.executable, "-c", code], text=True, env=where).split() for _ in range(3)]
    assert min(float(one[0]) for one in said) <= 0.25 and all(len(one) == 1 for one in said), said


def test_a_call_adds_little_to_the_programs_own_time() -> None:
    given = {**QUICK, "strategy": "bb,ltm-i", "workload": "edm4", "n": [64, 128, 256], "threads": 1}
    added_s = []
    for _ in range(5):
        begun = time.perf_counter()
        subprocess.run([PROGRAM, "-q", *options.words(given)], capture_output=True, check=True)
        alone = time.perf_counter()
        assert len(tribench.run(**given).records) == 6
        added_s.append(time.perf_counter() - alone - (alone - begun))
    assert sorted(added_s)[2] <= 0.15, added_s


def test_ten_thousand_runs_load_in_seconds(tmp_path: Path) -> None:
    rng = random.Random(1)
    patterns = [synthetic.run(s, "edm1", 1024, rng) for s in synthetic.TRI]
    each = [patterns[k % len(patterns)] for k in range(10_000)]
    synthetic.save(tmp_path / "all.json", [{**run, "key": f"{run['key']}-{k}"} for k, run in enumerate(each)])

    def taken_s() -> float:
        begun = time.process_time()
        assert len(tribench.load(tmp_path / "all.json").frame) == 10_000
        return time.process_time() - begun

    assert any(taken_s() <= 3.0 for _ in range(3))  # 2 s on a quiet core, more where others share its threads


# ---------------------------------------------------------------- arrays and own kernels

POINTS = np.random.default_rng(1).random((200, 3))


def distances(points: np.ndarray) -> np.ndarray:
    apart = points[:, None, :].astype("f4") - points[None, :, :].astype("f4")
    return np.sqrt((apart * apart).sum(axis=2))


def test_an_array_goes_in_and_one_comes_out_in_the_order_of_scipy() -> None:
    scipy = pytest.importorskip("scipy.spatial.distance")
    points = np.random.default_rng(1).random((150, 4), dtype=np.float32)
    found = tribench.run(strategy="ltm-i", workload="edm4", input=points, output=True, **QUICK).output
    assert found.shape == (150 * 151 // 2,) and found.dtype == np.float32
    condensed = scipy.squareform(tribench.square(found), checks=False)
    assert np.allclose(condensed, scipy.pdist(points), rtol=1e-6)
    found[0] = 1.0  # a copy: nothing else sees it


def test_states_of_an_automaton() -> None:
    alive = np.random.default_rng(2).random((40, 40)) < 0.4
    given = {**QUICK, "strategy": "bb", "workload": "life", "set": {"domain": "square"}, "steps": 4}
    states = tribench.run(input=alive, every=2, output=True, **given).output
    assert states.shape == (3, 40, 40) and (states[0] == alive).all()
    last = tribench.run(input=states[1], output=True, **{**given, "steps": 2}).output
    assert (last == states[2]).all()


def test_square_needs_a_triangle() -> None:
    assert tribench.square(np.array([1, 2, 3, 4, 5, 6])).tolist() == [[1, 2, 4], [2, 3, 5], [4, 5, 6]]
    for wrong in (np.zeros(5), np.zeros((3, 3))):
        with pytest.raises(ValueError, match="packed triangle"):
            tribench.square(wrong)


def test_whole_numbers_are_given_exactly(tmp_path: Path) -> None:
    from tribench import arrays

    for value, kind in ((np.array([True]), "u1"), (np.arange(3), "f8"), (np.arange(3, dtype="u2"), "u2")):
        assert np.load(arrays.save(value, tmp_path / "x.npy")).dtype == kind
    with pytest.raises(ValueError, match="beyond 2"):
        arrays.save(np.array([2**53 + 1]), tmp_path / "x.npy")


def test_a_kernel_of_ones_own_and_what_it_must_give() -> None:
    body = "float sum = 0; for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]); return sqrtf(sum);"
    own = tribench.workload(body, columns=3, name="apart", expect=distances, ulp=4)
    result = tribench.run(workload=own, strategy="bb,ltm-i", input=POINTS, **QUICK)
    assert {run["verified"]["by"] for run in result.records} == {"file"}
    assert all(run["workload"].startswith("apart@") for run in result.records)
    for ulp, status in ((0, "failed"), (1, "ok")):
        near = tribench.workload(body, 3, expect=np.nextafter(distances(POINTS), np.float32(9)), ulp=ulp)
        kept = tribench.run(workload=near, strategy="bb", input=POINTS, check=False, **QUICK)
        assert kept.records[0]["status"] == status
    wrong = tribench.workload(body.replace("sqrtf(sum)", "row == 7 && col == 3 ? 9 : sqrtf(sum)"), 3,
                              expect=distances(POINTS), ulp=4)  # fmt: skip
    with pytest.raises(tribench.VerificationError, match="row 7, column 3: found 9, expected 0\\.[0-9]+"):
        tribench.run(workload=wrong, strategy="ltm-i", input=POINTS, **QUICK)


def test_elements_of_every_type() -> None:
    for kind, value, right in (("f8", "row + 0.5", 2.5), ("u1", "(row + col) % 251", 3), ("u4", "row * col", 2),
                               ("i4", "-(int)row", -2), ("i8", "1ll << 40 * col", 2**40)):  # fmt: skip
        own = tribench.workload(value, result=kind)
        found = tribench.run(workload=own, strategy="rb-b", n=2 + 1, output=True, **QUICK).output
        assert found.dtype == kind and found[2 * 3 // 2 + 1] == right


def test_what_a_compiler_says_about_it() -> None:
    with pytest.raises(tribench.UsageError, match="error: expected expression"):
        tribench.run(workload=tribench.workload("1 +"), n=10, **QUICK)
    for wrong in ({"result": "f2"}, {"name": "a b"}):
        with pytest.raises(tribench.UsageError):
            tribench.workload("1", **wrong)
    with pytest.raises(tribench.UsageError, match="a function of the input"):
        tribench.run(workload=tribench.workload("a[0]", 1, expect=distances), n=10, **QUICK)
