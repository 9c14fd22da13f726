"""compare must stay quiet when nothing changed, and speak up when something did."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from tribench_report import compare
from tribench_report.judge import wide_interval
from tribench_report.model import Run, parse

KEYS = 60


def sweep(
    seed: int, *, noise: float = 0.003, placement: float = 0.0, day: float = 0.0, drift: float = 0.0, walk: float = 0.0,
    burst: float = 0.0, slower: float = 1.0, slow_keys: int = 0,
) -> list[Run]:  # fmt: skip
    """One invocation: noise a sample, placement a key, day for all keys, drift and a random walk within a run,
    bursts of other work that last for two runs on average and are there for a tenth of the time."""
    rng = random.Random(seed)
    common = math.exp(rng.gauss(0, day))
    other, busy, runs = random.Random(seed + 1000), False, []
    for key in range(KEYS):
        base = (0.1 + key) * common * math.exp(rng.gauss(0, placement)) * (slower if key < slow_keys else 1.0)
        slope, state, ms = rng.gauss(0, drift), 0.0, []
        for k in range(51):
            state += rng.gauss(0, walk)
            busy ^= other.random() < (1 / 102 if busy else 1 / 918)
            ms.append(base * math.exp(slope * k / 51 + state + rng.gauss(0, noise) + burst * busy))
        one = synthetic.run("bb", "edm1", key + 1, random.Random(0))
        runs.append(parse({**one, "time_ms": synthetic.summary(ms), "samples": {**one["samples"], "ms": ms}}))
    return runs


CASES: dict[str, dict[str, Any]] = {
    "quiet GPU": {"noise": 0.002},
    "placement differs": {"noise": 0.002, "placement": 0.008},
    "noisy processor": {"noise": 0.05, "placement": 0.02},
    "drift within a run": {"noise": 0.003, "drift": 0.03},
    "random walk": {"noise": 0.003, "walk": 0.004},
    "another day": {"noise": 0.003, "day": 0.008, "placement": 0.003},
    "bursts of other work": {"noise": 0.01, "burst": 0.4},
    "all of it": {"noise": 0.02, "placement": 0.01, "day": 0.005, "drift": 0.02, "walk": 0.002},
}


@pytest.mark.parametrize("case", CASES)
def test_twenty_repeats_give_at_most_5_percent_false_alarms(case: str) -> None:
    first = sweep(0, **CASES[case])
    rows = [row for seed in range(1, 21) for row in compare.compare(first, sweep(seed, **CASES[case]), 0.01)]
    false = sum(row.verdict in ("FASTER", "SLOWER") for row in rows)
    assert len(rows) == 20 * KEYS
    assert false <= 0.05 * len(rows)


@pytest.mark.parametrize(
    ("case", "seen"), [("quiet GPU", 15), ("placement differs", 14), ("drift within a run", 8)]
)
def test_a_tenth_slower_is_seen_and_nothing_else_is_blamed(case: str, seen: int) -> None:
    """Drift costs power: what moves by 3 % on its own cannot show every 10 %."""
    old, new = sweep(1, **CASES[case]), sweep(2, slower=1.10, slow_keys=15, **CASES[case])
    for rows, verdict in (
        (compare.compare(old, new, 0.01), "SLOWER"),
        (compare.compare(new, old, 0.01), "FASTER"),
    ):
        assert sum(row.verdict == verdict for row in rows[:15]) >= seen
        assert sum(row.verdict in ("SLOWER", "FASTER") for row in rows[15:]) <= 2


def test_drift_alone_is_no_change_even_for_a_few_keys() -> None:
    """Without enough keys to know their spread, only the block medians tell that a run wandered."""
    case: dict[str, Any] = {"noise": 0.001, "walk": 0.006}
    pairs = [(sweep(k, **case)[:5], sweep(k + 100, **case)[:5]) for k in range(40)]
    rows = [row for old, new in pairs for row in compare.compare(old, new, 0.01)]
    assert sum(row.verdict in ("FASTER", "SLOWER") for row in rows) <= 0.1 * len(rows)
    wide = wide_interval(pairs[0][0][0])
    time = pairs[0][0][0].time
    assert wide is not None and time is not None and wide.low < time.low and wide.high > time.high


def test_a_change_of_everything_is_blamed_on_the_machine_only_within_the_drift() -> None:
    for slower, drift, verdict in ((1.02, 0.03, "UNSURE"), (1.02, 0.0, "SLOWER"), (1.05, 0.03, "SLOWER")):
        rows = compare.compare(sweep(1), sweep(2, slower=slower, slow_keys=KEYS), 0.01, drift)
        assert {row.verdict for row in rows} == {verdict}


def test_a_quiet_repeat_is_mostly_same() -> None:
    rows = compare.compare(sweep(1, noise=0.001), sweep(2, noise=0.001), 0.01)
    assert sum(row.verdict == "SAME" for row in rows) > 0.9 * len(rows)


def test_a_different_clock_and_a_single_sample_are_unsure() -> None:
    one = synthetic.run("bb", "edm1", 8192, random.Random(1))
    slow = synthetic.run("bb", "edm1", 8192, random.Random(2), factor=1.2)
    slow["device_state"] = {**slow["device_state"], "sm_mhz": 1500}
    (row,) = compare.compare([parse(one)], [parse(slow)], 0.01)
    assert (row.verdict, row.reason) == ("UNSURE", "SM clock 1980 and 1500 MHz")
    bare = {**one, "time_ms": {"median": 1.0, "ci95": None}, "samples": None}
    (row,) = compare.compare([parse(bare)], [parse(bare)], 0.01)
    assert (row.verdict, row.reason) == ("UNSURE", "no interval")


def test_the_command_line(tmp_path: Path, script: Script) -> None:
    old = synthetic.triangle(ns=(1024, 8192), seed=1)
    slow = synthetic.triangle(ns=(1024, 8192), seed=2, factor=1.1)
    a, b = synthetic.save(tmp_path / "a.json", old), synthetic.save(tmp_path / "b.jsonl", slow)
    assert script("compare", a, a, "--fail-on", "slower").returncode == 0
    result = script("compare", a, b)
    assert result.returncode == 0 and "30 SLOWER" in result.stdout
    assert "OLD ms" in result.stdout and "NEW/OLD" in result.stdout
    assert script("compare", a, b, "--fail-on", "slower").returncode == 1
    assert script("compare", b, a, "--fail-on", "slower").returncode == 0
    assert script("compare", a, b, "--fail-on", "slower", "--threshold", "25").returncode == 0
    assert script("compare", a, b, "--fail-on", "sideways").returncode == 2
    assert script("compare", a, b, "--threshold", "-1").returncode == 2
    rows = json.loads(script("compare", a, b, "--format", "json", "--strategy", "bb").stdout)
    assert {row["verdict"] for row in rows} == {"SLOWER"} and len(rows) == 6


def test_runs_that_failed_or_are_gone_are_told(tmp_path: Path, script: Script) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048))
    broken = [{**runs[0], "status": "failed", "reason": "hang", "time_ms": None}, *runs[1:3]]
    a, b = synthetic.save(tmp_path / "a.json", runs), synthetic.save(tmp_path / "b.json", broken)
    result = script("compare", a, b, "--fail-on", "slower")
    assert result.returncode == 0 and "2 keys of OLD have no time in NEW" in result.stderr
    assert "FAILED" in result.stdout and "hang" in result.stdout and "MISSING" in result.stdout
    assert script("compare", a, b, "--fail-on", "failed").returncode == 1
    assert "ADDED" in script("compare", b, a).stdout
