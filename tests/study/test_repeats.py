"""repeats counts what compare says about sweeps between which nothing changed, or something did."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pandas as pd
import synthetic
from conftest import Script
from tribench_study.repeats import agreement, splits


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


def said_in(text: str) -> dict[str, str]:
    """What is printed, by its name."""
    return dict(re.split("  +", line, maxsplit=1) for line in text.splitlines() if not line.startswith(" "))


def test_sides_may_have_different_numbers_of_files(tmp_path: Path, inside: Script) -> None:
    result = inside("repeats", folder(tmp_path, 4), "--side", "1,3")
    said = said_in(result.stdout)
    assert result.returncode == 0 and (said["comparisons"], said["UNSURE"], said["keys"]) == ("4", "120", "30")
    assert said["files per side"] == "1 and 3"
    for word in ("1,4", "1,", "1,0", "1,1,1"):
        assert inside("repeats", tmp_path / "repeats", "--side", word).returncode == 2, word


def test_repeats_of_the_same_raise_few_alarms_and_a_slowdown_is_found(tmp_path: Path, inside: Script) -> None:
    result = inside("repeats", folder(tmp_path, 6))
    assert result.returncode == 0 and result.stderr == ""
    wanted = {"comparisons": "10", "SAME": "300", "false alarms": "0.0 %", "one key slower": "100.0 %",
              "one strategy slower": "100.0 %", "all keys slower": "100.0 %"}  # fmt: skip
    assert wanted.items() <= said_in(result.stdout).items()


def test_what_is_no_result_in_the_directory_is_left_out(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 3)
    (repeats / "maps.json").write_text('{"check": "maps"}')
    (repeats / "list.json").write_text("[]")
    result = inside("repeats", repeats)
    assert result.returncode == 0 and said_in(result.stdout)["repeats"] == "3"
    assert result.stderr.count(", left out\n") == 2
    assert inside("repeats", repeats, repeats / "maps.json").returncode == 1, "named, it is wanted"


def test_a_file_under_two_names_is_no_repeat(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 3)
    (repeats / "03.json").symlink_to(repeats / "01.json")
    for words in ([repeats], [repeats / "00.json", repeats / "02.json", repeats.parent / "repeats" / "00.json"]):
        result = inside("repeats", *words)
        assert result.returncode == 2 and "is named twice: one invocation is no repeat" in result.stderr


def test_repeats_of_two_devices_are_warned_about(tmp_path: Path, inside: Script) -> None:
    files = [
        synthetic.save(tmp_path / f"{k}.json", synthetic.triangle(seed=k), gpu=f"NVIDIA H{k}00",
                       started=f"2025-11-2{k}T10:00:00Z")
        for k in (1, 2)
    ]  # fmt: skip
    result = inside("repeats", *files, "--agreement")
    assert "the files differ in GPU: NVIDIA H100, NVIDIA H200; what comes of that counts as noise" in result.stderr


def test_one_that_differs_is_counted_and_fails_above_the_limit(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 3, factor=1.5)
    result = inside("repeats", repeats, "--slow", "20")
    assert result.returncode == 1 and "  false in 2 of 3  cuda/dummy/" in result.stdout
    assert said_in(result.stdout) == {
        "repeats": "3", "keys": "30", "files per side": "1", "comparisons": "3", "SAME": "0", "UNSURE": "30",
        "FASTER": "0", "SLOWER": "60", "false alarms": "33.3 %", "one key slower": "100.0 %",
        "one strategy slower": "100.0 %", "all keys slower": "100.0 %", "within 1 %": "33.3 %",
        "in the worst pair": "0.0 %",
    }  # fmt: skip
    assert inside("repeats", repeats, "--limit", "50").returncode == 0
    assert inside("repeats", repeats, "--threshold", "60").returncode == 0


def test_agreement_alone_of_two_files(tmp_path: Path, inside: Script) -> None:
    repeats = folder(tmp_path, 2, factor=1.02)
    result = inside("repeats", repeats, "--agreement")
    assert result.returncode == 0, "no comparison, no false alarm"
    wanted = {"invocations": "2", "keys above 20 us": "15", "within 1 %": "0.0 %", "in the worst pair": "0.0 %"}
    assert said_in(result.stdout) == wanted
    assert "  apart in 1 of 1  cuda/" in result.stdout
    said = said_in(inside("repeats", repeats, "--agreement", "--within", "4", "--above", "0.001").stdout)
    assert (said["keys above 0.001 us"], said["within 4 %"]) == ("30", "100.0 %")
    said = said_in(inside("repeats", repeats, "--agreement", "--above", "1e8").stdout)
    assert (said["keys above 1e+08 us"], said["in the worst pair"]) == ("0", "-")
    for word in ("0", "-1", "nan", "1e10", "much"):
        assert inside("repeats", repeats, "--above", word).returncode == 2
    result = inside("repeats", next(repeats.iterdir()), "--agreement")
    assert result.returncode == 2 and "expected 2 repeats or more, got 1" in result.stderr


def test_agreement_counts_keys_that_take_long_enough_in_both_files() -> None:
    def invocation(**times: float) -> pd.DataFrame:
        return pd.DataFrame({"log_ms": {key: math.log(ms) for key, ms in times.items()}})

    files = [invocation(a=1.0, b=2.0, c=0.019), invocation(a=1.0099, b=2.03, c=0.021), invocation(b=2.0, d=1.0)]
    agreed = agreement(files, 0.01, 0.020)
    assert agreed is not None
    assert (agreed.share, agreed.least, agreed.keys) == (0.5, 0.0, 2), "a and b; b; b"
    assert agreed.apart == ["  apart in 2 of 3  b"]
    assert agreement([invocation(b=2.0), invocation(d=1.0)], 0.01, 0.020) is None


def test_wrong_use_and_files_that_have_nothing_in_common(tmp_path: Path, inside: Script) -> None:
    a = synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(1024,)))
    b = synthetic.save(tmp_path / "b.json", synthetic.triangle(ns=(2048,)))
    assert inside("repeats", a).returncode == 2
    assert inside("repeats", a, b, "--side", "2").returncode == 2
    assert inside("repeats", a, b, "--side", "0").returncode == 2
    result = inside("repeats", a, b)
    assert result.returncode == 1 and "repeats of one sweep?" in result.stderr
    assert "2 of 2 files are without some keys of the others: " in result.stderr
