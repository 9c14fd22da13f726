"""Which map should I take? The table says what the results say, and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import synthetic
from tribench_report.errors import ReportError
from tribench_report.frame import load
from tribench_study import which


def timed(run: dict[str, Any], ms: float) -> dict[str, Any]:
    """Samples that hardly differ: the interval is narrow."""
    run["samples"]["ms"] = [ms * (1 + 1e-5 * (k % 5)) for k in range(51)]
    run["time_ms"] |= {"median": ms, "ci95": [ms, ms * 1.00005]}
    return run


def results(times: dict[str, float], ns: tuple[int, ...] = (1024, 2048, 4096, 8192), **given: Any) -> list[Any]:
    runs = synthetic.triangle(tuple(times), ("edm1",), ns, **given)
    return [timed(run, times[run["strategy"]] * run["n"]) for run in runs]


def cells(*paths: Path, sizes: Sequence[str] = which.SIZES) -> list[list[str]]:
    rows: list[list[str]] = which.answers(load([str(path) for path in paths]).usable, sizes)["rows"]
    return rows


def test_the_fastest_map_its_way_and_how_far_the_next_is(tmp_path: Path) -> None:
    runs = results({"bb": 2.0, "rb": 1.0, "rec": 1.05, "utm": 1.5}, (1024, 2048, 3072, 8192))
    path = synthetic.save(tmp_path / "a.json", runs)
    said = "`rb`: one cell per thread; `rec` +5.0 %"
    assert cells(path) == [
        ["edm1", "small, 1,024", said], ["edm1", "middle, 3,072", said], ["edm1", "large, 8,192", said]
    ]  # fmt: skip
    assert cells(path, sizes=["large"]) == [["edm1", "large, 8,192", said]]


def test_maps_that_do_not_differ_are_any(tmp_path: Path) -> None:
    path = synthetic.save(tmp_path / "a.json", results({"bb": 1.0, "rb": 1.003, "rec": 1.001}, (1024,)))
    assert cells(path) == [["edm1", "large, 1,024", "any of 3: one cell per thread"]]
    equal = dict.fromkeys(("ltm-i", "rb", "rec", "utm"), 1.0) | {"bb": 1.25}
    path = synthetic.save(tmp_path / "b.json", results(equal, (1024,)))
    assert re.fullmatch(r"`\S+` or 3 others: one cell per thread; `bb` \+25 %", cells(path)[0][2])


def test_kernels_for_tiles_compete_and_each_gpu_has_a_column(tmp_path: Path) -> None:
    plain = results({"bb": 2.0, "rb": 1.0, "rec": 1.5}, (1024,))
    tiled = results({"bb": 0.6, "rb": 0.5}, (1024,), kernel="tile", tile=64)
    one = synthetic.save(tmp_path / "a.json", [*plain, *tiled], gpu="NVIDIA H200")
    other = synthetic.save(tmp_path / "b.json", results({"bb": 2.0, "rb": 1.0}, (1024,)), gpu="NVIDIA A100")
    assert cells(one) == [["edm1", "large, 1,024", "`rb`: tile 64, tile kernel; `bb` +20 %"]]
    with pytest.raises(ReportError, match="3 maps"):  # of two maps there is no choice, and the sizes are common
        cells(one, other)


def test_a_size_at_which_a_map_is_missing_is_not_shown(tmp_path: Path) -> None:
    runs = [run for run in results({"bb": 2.0, "rb": 1.0, "rec": 0.5}) if (run["strategy"], run["n"]) != ("rec", 8192)]
    assert [row[1] for row in cells(synthetic.save(tmp_path / "a.json", runs))] == [
        "small, 1,024", "middle, 2,048", "large, 4,096"
    ]  # fmt: skip
