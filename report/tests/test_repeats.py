"""repeats counts what compare says about sweeps between which nothing changed, or something did."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import synthetic
from conftest import Script
from tribench_report.repeats import agreement, splits


def folder(tmp_path: Path, count: int, **last: float) -> Path:
    """Repeats of one sweep; `last` changes the last of them."""
    made = tmp_path / "repeats"
    made.mkdir()
    for k in range(count):
        changes = last if k == count - 1 else {}
        synthetic.save(made / f"{k:02}.json", synthetic.triangle(ns=(1024, 8192), seed=k, **changes))
    return made


def test_every_choice_is_tried_once_where_there_are_few() -> None:
    assert splits(3, (1, 1), 10) == [((0,), (1,)), ((0,), (2,)), ((1,), (2,))]
    assert splits(3, (1, 2), 10) == [((0,), (1, 2)), ((1,), (0, 2)), ((2,), (0, 1))]
    assert splits(4, (2, 2), 10) == [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]


def test_a_sample_of_many_choices_is_the_same_each_time() -> None:
    chosen = splits(20, (3, 3), 50)
    assert chosen == splits(20, (3, 3), 50) and len(chosen) == 50
    assert all(len({*old, *new}) == 6 for old, new in chosen)
    assert all((len(old), len(new)) == (1, 3) for old, new in splits(20, (1, 3), 50))


def test_sides_may_have_different_numbers_of_files(tmp_path: Path, inside: Script) -> None:
    text = tmp_path / "text.md"
    text.write_text("<!-- tribench:uneven -->\n<!-- /tribench:uneven -->\n")
    result = inside("repeats", folder(tmp_path, 4), "--side", "1,3", "--into", text, "--marker", "uneven")
    assert result.returncode == 0 and result.stdout.startswith("4 comparisons of 120 keys: ")
    assert "| 1 and 3 |" in text.read_text()
    for word in ("1,4", "1,", "1,0", "1,1,1"):
        assert inside("repeats", tmp_path / "repeats", "--side", word).returncode == 2, word


def test_repeats_of_the_same_raise_few_alarms_and_a_slowdown_is_found(tmp_path: Path, inside: Script) -> None:
    result = inside("repeats", folder(tmp_path, 6))
    assert result.returncode == 0 and result.stderr == ""
    first, second, third = result.stdout.splitlines()[:3]
    assert first.startswith("10 comparisons of 300 keys: 300 SAME")
    assert second == "false alarms in 0.00 % of the comparisons"
    assert third == "slower by 3 % and found: one key in 100.0 %, one strategy in 100.0 %, all keys in 100.0 %"


def test_what_is_no_result_in_the_directory_is_left_out(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 3)
    (repeats / "maps.json").write_text('{"check": "maps"}')
    (repeats / "list.json").write_text("[]")
    result = inside("repeats", repeats)
    assert result.returncode == 0 and result.stdout.startswith("3 comparisons of 90 keys: ")
    assert result.stderr.count(", left out\n") == 2
    assert inside("repeats", repeats, repeats / "maps.json").returncode == 1, "named, it is wanted"


def test_a_file_under_two_names_is_no_repeat(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 3)
    (repeats / "03.json").symlink_to(repeats / "01.json")
    for words in ([repeats], [repeats / "00.json", repeats / "02.json", repeats.parent / "repeats" / "00.json"]):
        result = inside("repeats", *words)
        assert result.returncode == 2 and "is named twice: one invocation is no repeat" in result.stderr


def test_repeats_of_two_devices_are_warned_about_and_all_are_named(tmp_path: Path, inside: Script) -> None:
    text = tmp_path / "text.md"
    text.write_text("<!-- tribench:both -->\n<!-- /tribench:both -->\n")
    files = [
        synthetic.save(tmp_path / f"{k}.json", synthetic.triangle(seed=k), gpu=f"NVIDIA H{k}00",
                       started=f"2025-11-2{k}T10:00:00Z")
        for k in (1, 2)
    ]  # fmt: skip
    result = inside("repeats", *files, "--agreement", "--into", text, "--marker", "both")
    assert "the files differ in GPU: NVIDIA H100, NVIDIA H200; what comes of that counts as noise" in result.stderr
    assert "Measured 2025-11-21 to 2025-11-22 on NVIDIA H100, driver" in text.read_text()


def test_one_that_differs_is_counted_and_fails_above_the_limit(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 3, factor=1.5)
    result = inside("repeats", repeats)
    assert result.returncode == 1
    assert result.stdout.startswith("3 comparisons of 90 keys: ") and "60 SLOWER" in result.stdout
    assert "false alarms in 33.33 % of the comparisons" in result.stdout and "  2 of 3  cuda/dummy/" in result.stdout
    assert inside("repeats", repeats, "--limit", "50").returncode == 0
    assert inside("repeats", repeats, "--threshold", "60").returncode == 0


def test_the_table_goes_between_its_comments(tmp_path: Path, inside: Script) -> None:
    text = tmp_path / "text.md"
    text.write_text("before\n<!-- tribench:repeats -->\nold\n<!-- /tribench:repeats -->\nafter\n")
    inside("repeats", folder(tmp_path, 3, factor=1.5), "--slow", "20", "--into", text, "--marker", "repeats")
    lines = text.read_text().splitlines()
    assert lines[0] == "before" and lines[-1] == "after" and "old" not in lines
    assert "all keys made slower by 20 %" in lines[2]
    head, row = ([cell.strip() for cell in lines[k].split("|")[1:-1]] for k in (4, 6))
    assert dict(zip(head, row)) == {
        "repeats": "3", "keys": "30", "files per side": "1", "comparisons": "3", "SAME": "0", "UNSURE": "30",
        "FASTER": "0", "SLOWER": "60", "false alarms": "33.3 %", "one key slower": "100.0 %",
        "one strategy slower": "100.0 %", "all keys slower": "100.0 %", "within 1 %": "33.3 %",
        "in the worst pair": "0.0 %",
    }  # fmt: skip
    assert "NVIDIA H200" in text.read_text() and "    tribench --strategy paper" in text.read_text()


def test_how_many_keys_agree_of_every_two_files(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 3, factor=1.02)
    said = inside("repeats", repeats).stdout.splitlines()
    assert "keys above 20 us within 1 % of each other: 33.3 % over all pairs of files, 0.0 % in the worst pair" in said
    assert said[-1].startswith("  apart in 2 of 3  cuda/")
    said = inside("repeats", repeats, "--within", "4", "--above", "0.001").stdout.splitlines()
    assert said[-1] == (
        "keys above 0.001 us within 4 % of each other: 100.0 % over all pairs of files, 100.0 % in the worst pair"
    )
    said = inside("repeats", repeats, "--above", "1e8").stdout.splitlines()
    assert said[-1] == "keys above 1e+08 us within 1 % of each other: no two files have such keys"
    for word in ("0", "-1", "nan", "1e10", "much"):
        assert inside("repeats", repeats, "--above", word).returncode == 2


def test_agreement_alone_of_two_files(tmp_path: Path, inside: Script) -> None:
    text = tmp_path / "text.md"
    text.write_text("<!-- tribench:twice -->\n<!-- /tribench:twice -->\n")
    repeats = folder(tmp_path, 2, factor=1.02)
    result = inside("repeats", repeats, "--agreement", "--into", text, "--marker", "twice")
    assert result.returncode == 0, "no comparison, no false alarm"
    assert result.stdout.startswith("keys above 20 us within 1 % of each other: 0.0 % over all pairs of files")
    head, row = ([cell.strip() for cell in text.read_text().splitlines()[k].split("|")[1:-1]] for k in (3, 5))
    assert dict(zip(head, row)) == {
        "invocations": "2", "keys above 20 µs": "15", "within 1 %": "0.0 %", "in the worst pair": "0.0 %"
    }  # fmt: skip
    assert "NVIDIA H200" in text.read_text() and "    tribench --strategy paper" in text.read_text()
    result = inside("repeats", next(repeats.iterdir()), "--agreement")
    assert result.returncode == 2 and "expected 2 repeats or more, got 1" in result.stderr


def test_agreement_counts_keys_that_take_long_enough_in_both_files() -> None:
    def invocation(**times: float) -> pd.DataFrame:
        return pd.DataFrame({"log_ms": {key: math.log(ms) for key, ms in times.items()}})

    files = [invocation(a=1.0, b=2.0, c=0.019), invocation(a=1.0099, b=2.03, c=0.021), invocation(b=2.0, d=1.0)]
    agreed = agreement(files, 0.01, 0.020)
    assert agreed is not None
    assert (agreed.compared.total(), agreed.apart.total(), agreed.least) == (4, 2, 0.0), "a and b; b; b"
    assert agreed.apart == {"b": 2} and agreed.compared == {"a": 1, "b": 3}
    assert agreement(files[2:], 0.01, 0.020) is None


def test_wrong_use_and_files_that_have_nothing_in_common(tmp_path: Path, inside: Script) -> None:
    a = synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(1024,)))
    b = synthetic.save(tmp_path / "b.json", synthetic.triangle(ns=(2048,)))
    assert inside("repeats", a).returncode == 2
    assert inside("repeats", a, b, "--side", "2").returncode == 2
    assert inside("repeats", a, b, "--side", "0").returncode == 2
    assert inside("repeats", a, a, "--into", a).returncode == 2
    result = inside("repeats", a, b)
    assert result.returncode == 1 and "repeats of one sweep?" in result.stderr
    assert "2 of 2 files lack keys" in result.stderr
