"""rounds on a device with known times: its statistics and checks need no GPU."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tribench
from conftest import TOP
from tribench import clocks


class Device:
    """A clock whose calls take a known time, with noise, drift, and a delay where no graph spares it."""

    engine = "cuda"

    def __init__(self, noise: float = 0.002, drift: float = 0.0, has_graphs: bool = True) -> None:
        self.now_ms, self.flushed, self.hot = 0.0, 0, 0.0
        self.rng, self.noise, self.drift, self.has_graphs = random.Random(5), noise, drift, has_graphs
        self.order: list[str] = []
        self.in_graph = False

    def kernel(self, name: str, ms: float, output: Any = None) -> Callable[[], Any]:
        def call() -> Any:
            self.order.append(name)
            self.hot += self.drift
            self.now_ms += ms * (1 + self.hot) * (1 + self.rng.gauss(0.0, self.noise))
            self.now_ms += 0.0 if self.in_graph else 0.01  # the host's launch
            return output

        return call

    def repeated(self, call: clocks.Call, count: int) -> tuple[clocks.Call, bool]:
        def calls() -> None:
            self.in_graph = self.has_graphs
            for _ in range(count):
                call()
            self.in_graph = False

        return calls, self.has_graphs

    def ms(self, call: clocks.Call) -> float:
        begun = self.now_ms
        call()
        return self.now_ms - begun

    def flush(self) -> None:
        self.flushed += 1

    def state(self) -> dict[str, Any]:
        return {"sm_mhz": 1980, "throttled": self.hot > 1}

    def environment(self) -> dict[str, Any]:
        return {"device": "a fake", "gpu": None}


def test_a_known_time_is_measured_to_a_hundredth() -> None:
    for ms in (0.003, 0.2, 7.0):
        device = Device()
        result = tribench.rounds({"sleep": device.kernel("sleep", ms)}, clock=device)
        row = result.frame.iloc[0]
        assert row["time_ms.median"] == pytest.approx(ms, rel=0.01)
        assert row["time_ms.ci95.low"] <= row["time_ms.median"] <= row["time_ms.ci95.high"]
        samples = result.records[0]["samples"]
        assert 0.99 <= samples["batch"] * ms <= max(1.3, 1.01 * ms)
        assert samples["graph"] and samples["count"] == 51 and row["device_state.sm_mhz"] == 1980


def test_two_percent_are_told_from_nothing_though_the_device_drifts() -> None:
    device = Device(noise=0.01, drift=1e-6)
    calls = {name: device.kernel(name, ms) for name, ms in (("base", 0.5), ("equal", 0.5), ("slower", 0.51))}
    frame = tribench.rounds(calls, clock=device, samples=201).frame.set_index("strategy")
    low, high = (frame[f"improvement.ci95.{end}"] for end in ("low", "high"))
    assert low["equal"] < 1 < high["equal"] and high["slower"] < 1
    assert frame.loc["slower", "improvement.factor"] == pytest.approx(1 / 1.02, rel=0.004)
    assert np.isnan(frame.loc["base", "improvement.factor"])


def test_rounds_are_shuffled_and_each_has_all_calls() -> None:
    device = Device()
    tribench.rounds({name: device.kernel(name, 2.0) for name in "abc"}, clock=device, samples=20)
    rounds = ["".join(device.order[-60:][k : k + 3]) for k in range(0, 60, 3)]
    assert all(sorted(one) == ["a", "b", "c"] for one in rounds) and len(set(rounds)) > 3


def test_an_output_that_differs_is_rejected_and_the_first_difference_named() -> None:
    right = np.arange(12.0).reshape(3, 4)
    wrong = right.copy()
    wrong[1, 2], wrong[2, 0] = 9, np.nan
    device = Device()
    calls = {"like": device.kernel("like", 1.0, right), "wrong": device.kernel("wrong", 0.1, wrong),
             "same": device.kernel("same", 1.0, right * (1 + 1e-7))}  # fmt: skip
    with pytest.raises(tribench.VerificationError, match=r"wrong: 2 of 12 .* at 1, 2: found 9, expected 6$") as caught:
        tribench.rounds(calls, tolerance=1e-6, clock=device)
    frame = caught.value.result.frame.set_index("strategy")
    assert frame["status"].to_dict() == {"like": "ok", "wrong": "failed", "same": "ok"}
    assert frame["verified.status"].to_dict() == {"like": "none", "wrong": "fail", "same": "pass"}
    assert device.order.count("wrong") == 1  # never timed
    assert caught.value.result.best()["strategy"].tolist() != ["wrong"]
    lower = np.tri(3, 4, dtype=bool)
    only = tribench.rounds(calls, check=lambda a, b: (a == b) | ~lower | np.isclose(a, b), raises=False, clock=Device())
    assert only.records[1]["reason"].startswith("1 of 12 elements are wrong; the first is at 2, 0: found nan")
    for check, said in ((right + 1, "at 0, 0: found 0, expected 1"), (right[:2], r"has the shape \(3, 4\)")):
        with pytest.raises(tribench.VerificationError, match=said):
            tribench.rounds({"like": device.kernel("like", 1.0, right)}, check=check, clock=device)


def test_the_reference_is_kept_though_all_write_to_one_place() -> None:
    device, place = Device(), np.zeros(4)

    def writes(value: float) -> Callable[[], Any]:
        takes = device.kernel("", 1.0)
        return lambda: takes() or np.copyto(place, value) or place

    calls = {"one": writes(1.0), "other": writes(2.0)}
    with pytest.raises(tribench.VerificationError, match="other: 4 of 4"):
        tribench.rounds(calls, clock=device, samples=1)


def test_one_that_fails_leaves_the_others() -> None:
    device = Device()

    def broken() -> None:
        raise RuntimeError("no such kernel\nmore")

    calls = {"broken": broken, "fine": device.kernel("fine", 1.0)}
    with pytest.raises(tribench.TribenchError, match="^broken: RuntimeError: no such kernel$") as caught:
        tribench.rounds(calls, clock=device)
    assert caught.value.result.frame["status"].tolist() == ["failed", "ok"]
    with pytest.raises(tribench.UsageError):
        tribench.rounds(calls, like="nothing", clock=device)


def test_without_graphs_the_record_says_that_the_host_launched() -> None:
    device = Device(has_graphs=False)
    samples = tribench.rounds({"a": device.kernel("a", 0.1)}, clock=device).records[0]["samples"]
    assert (samples["graph"], samples["timing"]) == (False, "host")


def test_a_cold_cache_is_flushed_before_every_sample_of_one_call() -> None:
    device = Device()
    result = tribench.rounds({"a": device.kernel("a", 0.1)}, cache="cold", samples=9, clock=device)
    assert device.flushed == 9 and result.records[0]["samples"]["batch"] == 1 and "/cold" in result.records[0]["key"]


def test_its_record_is_one_like_any_other(tmp_path: Path) -> None:
    device = Device()
    result = tribench.rounds({"box": device.kernel("box", 1.0), "ltm": device.kernel("ltm", 0.5)}, clock=device, n=64)
    result.save(tmp_path / "x.json")
    check = [sys.executable, TOP / "tests/schema_check.py", tmp_path / "x.json"]
    assert subprocess.run(check, capture_output=True, text=True, check=False).stdout.count("rror") == 0
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0
    again = tribench.load(tmp_path / "x.json", unverified=True)
    assert again.frame["strategy"].tolist() == ["box", "ltm"] and repr(again).startswith("python, N = 64, a fake\n")
    assert again.frame.loc[1, "improvement.factor"] == pytest.approx(2.0, rel=0.01)


def test_a_hot_device_is_noted() -> None:
    device = Device(drift=0.01)
    result = tribench.rounds({"a": device.kernel("a", 1.0)}, clock=device, samples=200)
    assert "throttled" in result.records[0]["caveats"]


def test_the_hosts_clock() -> None:
    slept = tribench.rounds({"sleep": lambda: time.sleep(0.02)}, samples=7, clock=clocks.Clock())
    assert slept.records[0]["time_ms"]["min"] == pytest.approx(20, rel=0.1)  # a busy machine sleeps longer
    assert slept.records[0]["engine"] == "cpu" and slept.records[0]["samples"]["timing"] == "batched"
