"""A bound is a lower bound, and what is noisy is said: of the shipped results, and of files of before."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from tribench_report import study

RESULTS = sorted((Path(__file__).parents[2] / "study" / "results").glob("*.json.gz"))
L2, FILL = 62914560, 4570.0


def shipped() -> list[tuple[str, dict[str, Any]]]:
    found = []
    for path in RESULTS:
        document = json.loads(gzip.open(path).read())
        parts = document["merged_from"]
        found += [(f"{path.name}:{parts[run['source']]['file']}", run) for run in document["runs"]]
    return found


def test_no_shipped_run_is_above_its_bound_by_more_than_its_interval() -> None:
    bound = [(part, run) for part, run in shipped() if (run.get("roofline") or {}).get("bound_ms")]
    assert len(bound) > 5000, "some run has a bound"
    above = [
        (part, run["key"], run["roofline"]["fraction_of_bound"])
        for part, run in bound
        if run["roofline"]["bound_ms"] > (run["time_ms"]["ci95"] or [0, run["time_ms"]["max"]])[1]
    ]
    assert above == []
    assert max(run["roofline"]["fraction_of_bound"] for _, run in bound) < 1.0


def test_no_shipped_run_does_more_operations_per_second_than_its_device() -> None:
    for path in RESULTS:
        document = json.loads(gzip.open(path).read())
        peaks = [part["environment"].get("peak_arithmetic") or {} for part in document["merged_from"]]
        for run in document["runs"]:
            found = run.get("roofline") or {}
            peak = peaks[run["source"]].get(f"{found.get('arithmetic')}_gop_per_s")
            ranks = (run.get("ranks") or {}).get("count", 1)
            assert not peak or found["gop_per_s"] < ranks * peak, run["key"]


def test_a_record_of_before_gets_the_bound_of_today(tmp_path: Path) -> None:
    """Bytes that a cache can keep are not read from memory again in a pass; the best rate of the document counts."""
    one = synthetic.one_run(30720)
    old = {**one, "roofline": {**one["roofline"], "ceiling": "fp32", "bound_ms": 9.0, "fraction_of_bound": 9.0}}
    moved = one["roofline"]["bytes"]
    (run,) = study.read([str(synthetic.save(tmp_path / "a.json", [old]))]).runs
    assert run.roofline is not None and run.time is not None
    assert run.roofline.bound_ms == pytest.approx((moved - L2) / FILL / 1e6)
    assert run.roofline.ceiling == "fill"
    assert run.roofline.fraction == pytest.approx(run.roofline.bound_ms / run.time.value)

    steps = synthetic.one_run(30720, parameters={"steps": 4}, key="four")
    steps["throughput"]["bytes"] = moved  # all four, of which two are in a launch
    steps["roofline"]["bytes"] = moved // 2
    (run,) = study.read([str(synthetic.save(tmp_path / "b.json", [steps]))]).runs
    assert run.roofline is not None
    assert run.roofline.bound_ms == pytest.approx((moved // 2 - 2 * L2) / FILL / 1e6)


def test_the_best_rate_of_a_joined_document_is_the_ceiling(tmp_path: Path, script: Script) -> None:
    files = []
    for name, fill in (("slow", 1000.0), ("fast", FILL)):
        environment = synthetic.environment()
        environment["peak_bandwidth"] = {"fill_gb_per_s": fill, "copy_gb_per_s": fill / 2, "fill_bytes": 2**31}
        path = synthetic.save(tmp_path / f"{name}.json", [synthetic.one_run(30720)], environment=environment)
        files.append(path)
    joined = tmp_path / "joined.json"
    assert script("merge", "--collect", *files, "-o", joined).returncode == 0
    bounds = {run.roofline.bound_ms for run in study.read([f"{joined}:slow", f"{joined}:fast"]).runs if run.roofline}
    assert len(bounds) == 1
    assert bounds.pop() == pytest.approx((synthetic.one_run(30720)["roofline"]["bytes"] - L2) / FILL / 1e6)


def noisy(samples: list[float], **changes: Any) -> dict[str, Any]:
    one = synthetic.one_run(30720, **changes)
    return {**one, "samples": {**one["samples"], "ms": samples}, "time_ms": synthetic.summary(samples)}
