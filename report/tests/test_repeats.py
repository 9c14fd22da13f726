"""repeats counts what compare says about sweeps between which nothing changed, or something did."""

from __future__ import annotations

from pathlib import Path

import pytest
import synthetic
from conftest import Script
from tribench_report.repeats import pairs_of


def folder(tmp_path: Path, count: int, **last: float) -> Path:
    """Repeats of one sweep; `last` changes the last of them."""
    made = tmp_path / "repeats"
    made.mkdir()
    for k in range(count):
        changes = last if k == count - 1 else {}
        synthetic.save(made / f"{k:02}.json", synthetic.triangle(ns=(1024, 8192), seed=k, **changes))
    return made


@pytest.mark.parametrize(
    ("which", "pairs"),
    [("all", [(0, 1), (0, 2), (1, 2)]), ("next", [(0, 1), (1, 2)]), ("first", [(0, 1), (0, 2)])],
)
def test_which_repeats_are_compared(which: str, pairs: list[tuple[int, int]]) -> None:
    assert pairs_of(3, which) == pairs


def test_repeats_of_the_same_give_few_false_alarms(tmp_path: Path, script: Script) -> None:
    result = script("repeats", folder(tmp_path, 5))
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("10 comparisons of 300 keys: ") and result.stderr == ""


def test_what_is_no_result_in_the_directory_is_left_out(tmp_path: Path, script: Script) -> None:
    repeats = folder(tmp_path, 3)
    (repeats / "maps.json").write_text('{"check": "maps"}')
    (repeats / "list.json").write_text("[]")
    result = script("repeats", repeats)
    assert result.returncode == 0 and result.stdout.startswith("3 comparisons of 90 keys: ")
    assert result.stderr.count(", left out\n") == 2
    assert script("repeats", repeats, repeats / "maps.json").returncode == 1, "named, it is wanted"


def test_one_that_differs_is_counted_and_fails_above_the_limit(tmp_path: Path, script: Script) -> None:
    repeats = folder(tmp_path, 3, factor=1.1)
    result = script("repeats", repeats, "--pairs", "next")
    assert result.returncode == 1
    assert result.stdout.startswith("2 comparisons of 60 keys: ")
    assert "30 SLOWER; 50.00 % false" in result.stdout and "  1 of 2  cuda/dummy/" in result.stdout
    assert script("repeats", repeats, "--pairs", "next", "--limit", "50").returncode == 0
    assert script("repeats", repeats, "--pairs", "next", "--threshold", "20").returncode == 0


def test_the_table_goes_between_its_comments(tmp_path: Path, script: Script) -> None:
    text = tmp_path / "text.md"
    text.write_text("before\n<!-- tribench:repeats -->\nold\n<!-- /tribench:repeats -->\nafter\n")
    repeats = folder(tmp_path, 3, factor=1.1)
    script("repeats", repeats, "--pairs", "next", "--into", text, "--marker", "repeats")
    lines = text.read_text().splitlines()
    assert lines[0] == "before" and lines[-1] == "after" and "old" not in lines
    head, row = ([cell.strip() for cell in lines[k].split("|")[1:-1]] for k in (4, 6))
    assert dict(zip(head, row)) | {"SAME": "", "UNSURE": ""} == {
        "repeats": "3", "keys": "30", "comparisons": "2", "SAME": "", "UNSURE": "", "FASTER": "0", "SLOWER": "30",
        "false": "50.00 %",
    }  # fmt: skip
    assert "NVIDIA H200" in text.read_text() and "    tribench --strategy paper" in text.read_text()


def test_wrong_use_and_files_that_have_nothing_in_common(tmp_path: Path, script: Script) -> None:
    a = synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(1024,)))
    b = synthetic.save(tmp_path / "b.json", synthetic.triangle(ns=(2048,)))
    assert script("repeats", a).returncode == 2
    assert script("repeats", a, a, "--into", a).returncode == 2
    result = script("repeats", a, b)
    assert result.returncode == 1 and "repeats of one sweep?" in result.stderr
    assert "2 of 2 files lack keys" in result.stderr
