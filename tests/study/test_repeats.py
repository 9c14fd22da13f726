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


def test_every_choice_is_tried_once_where_there_are_few_and_else_the_same_sample() -> None:
    assert splits(3, 1, 10) == [((0,), (1,)), ((0,), (2,)), ((1,), (2,))]
    assert splits(4, 2, 10) == [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
    chosen = splits(20, 3, 50)
    assert chosen == splits(20, 3, 50) and len(chosen) == 50
    assert all(len({*old, *new}) == 6 for old, new in chosen)


def said_in(text: str) -> dict[str, str]:
    """What is printed, by its name."""
    return dict(re.split("  +", line, maxsplit=1) for line in text.splitlines() if not line.startswith(" "))


def test_repeats_of_the_same_raise_few_alarms_and_a_slowdown_is_found(tmp_path: Path, inside: Script) -> None:
    result = inside("repeats", folder(tmp_path, 6))
    assert result.returncode == 0 and result.stderr == ""
    wanted = {"comparisons": "10", "SAME": "300", "false alarms": "0.0 %", "one key slower": "100.0 %",
              "one strategy slower": "100.0 %", "all keys slower": "100.0 %"}  # fmt: skip
    assert wanted.items() <= said_in(result.stdout).items()


def test_one_that_differs_is_counted_and_fails(tmp_path: Path, script: Script) -> None:
    repeats = folder(tmp_path, 3, factor=1.5)
    (repeats / "maps.json").write_text('{"check": "maps"}')
    result = script("repeats", repeats)
    assert result.returncode == 1 and "  false in 2 of 3  cuda/dummy/" in result.stdout
    assert said_in(result.stdout) == {
        "repeats": "3", "keys": "30", "files per side": "1", "comparisons": "3", "SAME": "0", "UNSURE": "30",
        "FASTER": "0", "SLOWER": "60", "false alarms": "33.3 %", "one key slower": "66.7 %",
        "one strategy slower": "66.7 %", "all keys slower": "66.7 %", "within 1 %": "33.3 %",
        "in the worst pair": "0.0 %",
    }  # fmt: skip


def test_agreement_alone_of_two_files(tmp_path: Path, inside: Script) -> None:
    result = inside("repeats", folder(tmp_path, 2, factor=1.02), "--agreement")
    assert result.returncode == 0, "no comparison, no false alarm"
    wanted = {"invocations": "2", "keys above 20 us": "15", "within 1 %": "0.0 %", "in the worst pair": "0.0 %"}
    assert said_in(result.stdout) == wanted
    assert "  apart in 1 of 1  cuda/" in result.stdout


def test_agreement_counts_keys_that_take_long_enough_in_both_files() -> None:
    def invocation(**times: float) -> pd.DataFrame:
        return pd.DataFrame({"log_ms": {key: math.log(ms) for key, ms in times.items()}})

    files = [invocation(a=1.0, b=2.0, c=0.019), invocation(a=1.0099, b=2.03, c=0.021), invocation(b=2.0, d=1.0)]
    agreed = agreement(files)
    assert agreed is not None
    assert (agreed.share, agreed.least, agreed.keys) == (0.5, 0.0, 2), "a and b; b; b"
    assert agreed.apart == ["  apart in 2 of 3  b"]
    assert agreement([invocation(b=2.0), invocation(d=1.0)]) is None


def test_wrong_use_and_files_that_are_no_repeats(tmp_path: Path, inside: Script) -> None:
    a = synthetic.save(tmp_path / "a.json", synthetic.triangle(ns=(1024,)))
    b = synthetic.save(tmp_path / "b.json", synthetic.triangle(ns=(2048,)), gpu="NVIDIA H100")
    assert inside("repeats", a).returncode == 2
    twice = inside("repeats", a, f"{tmp_path}/./a.json")
    assert twice.returncode == 2 and "is named twice: one invocation is no repeat" in twice.stderr
    result = inside("repeats", a, b)
    assert result.returncode == 1 and "repeats of one sweep?" in result.stderr
    assert "2 of 2 files are without some keys of the others: " in result.stderr
    assert "the files differ in GPU: NVIDIA H100, NVIDIA H200; what comes of that counts as noise" in result.stderr
