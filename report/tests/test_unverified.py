"""A run that nobody verified is left out of every choice and picture, and marked wherever it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
import synthetic
from conftest import Script
from test_page import data_of
from tribench_report.frame import load
from tribench_report.groups import with_factors

UNCHECKED = {"status": "none", "checked": 0, "mismatches": 0, "max_abs_error": 0.0}
MARK = "not verified"


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A map that nobody verified is ten times as fast as all others."""
    runs = synthetic.triangle()
    for run in runs:
        if run["strategy"] == "utm":
            run["verified"] = UNCHECKED
            scale(run, 0.1)
    return synthetic.save(tmp_path / "mixed.json", synthetic.improve(runs))


def scale(run: synthetic.Json, factor: float) -> None:
    run["samples"] = {**run["samples"], "ms": [factor * ms for ms in run["samples"]["ms"]]}
    run["time_ms"] = synthetic.summary(run["samples"]["ms"])
    run["throughput"]["gb_per_s"] /= factor


@pytest.mark.parametrize("words", ["advice", "table", *(f"table --kind {kind}" for kind in ("best", "improvement",
                                   "throughput", "bound", "size --workload edm1"))])  # fmt: skip
def test_it_is_left_out_unless_asked_for_and_then_marked(mixed: Path, inside: Script, words: str) -> None:
    script, *options = words.split()
    usual = inside(script, mixed, *options)
    assert usual.returncode == 0 and "utm" not in usual.stdout and MARK not in usual.stdout
    assert "12 runs were not verified and are left out" in usual.stderr and "--unverified" in usual.stderr
    asked = inside(script, mixed, *options, "--unverified")
    lines = [line for line in asked.stdout.splitlines() if "utm" in line]
    assert asked.returncode == 0 and lines and all(MARK in line for line in lines)
    assert all(MARK not in line for line in asked.stdout.splitlines() if "utm" not in line)
    assert "12 runs were not verified: " in asked.stderr


def test_a_baseline_that_was_not_verified_divides_nothing(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "ltm-r"), ("edm1",), (1024,))
    for run in runs:
        run["improvement"] = None
    runs[0]["verified"] = UNCHECKED
    path = str(synthetic.save(tmp_path / "a.json", runs))
    for asked in (False, True):
        factors = with_factors(load([path], asked).usable).set_index("strategy")["I"]
        assert (factors["ltm-r"] > 0) == asked


def test_the_page_says_so_in_its_table_and_gives_no_time_unless_asked(mixed: Path, inside: Script) -> None:
    for words in ([], ["--unverified"]):
        result = inside("html", mixed, *words)
        assert result.returncode == 0
        rows = data_of(result.stdout)["rows"]
        assert {row[1] for row in rows if row[-1] == f"ok, {MARK}"} == {"utm"}
        timed = [row[5] for row in rows if row[1] == "utm"]
        assert all((ms is not None) == bool(words) for ms in timed) and timed
        assert "12 runs were not verified" in result.stdout


def test_compare_names_the_side_that_was_not_verified(mixed: Path, tmp_path: Path, inside: Script) -> None:
    plain, copy = synthetic.save(tmp_path / "plain.json", synthetic.triangle()), tmp_path / "copy.json"
    copy.write_bytes(mixed.read_bytes())
    for files, side in (((plain, mixed), "NEW"), ((mixed, plain), "OLD"), ((mixed, copy), "OLD and NEW")):
        marked = [line for line in inside("compare", *files).stdout.splitlines() if f"{side} {MARK}" in line]
        assert marked and all("/utm/" in line for line in marked)


def test_a_tree_that_was_changed_is_named_wherever_its_commit_is(tmp_path: Path, inside: Script) -> None:
    one, other = (
        synthetic.save(tmp_path / f"a{end}.json", synthetic.triangle(ns=(1024, 2048)),
                       tool={"name": "tribench", "version": "0.1.0", "git_commit": f"0123456789ab{end}"})
        for end in ("", "-dirty")
    )  # fmt: skip
    assert "with tribench 0.1.0 (012345678-dirty)" in inside("table", other).stdout
    assert "tribench 0.1.0 (012345678-dirty)" in inside("html", other).stdout
    plot = ("--figure", "time", "--format", "svg", "--style", "paper", "--out", tmp_path)
    assert inside("plot", other, *plot).returncode == 0
    assert "tribench 0.1.0 (012345678-dirty)" in (tmp_path / "time.txt").read_text()
    told = inside("compare", one, other).stdout
    assert "OLD is tribench 0.1.0 (012345678)," in told and "NEW is tribench 0.1.0 (012345678-dirty)," in told
    assert "commit: OLD 012345678, NEW 012345678-dirty" in told
