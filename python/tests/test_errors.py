"""Every error of the program that a call can cause is an exception with its sentence and its status."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tribench
from conftest import PROGRAM, QUICK, TOP
from tribench import options, program
from tribench.errors import KINDS

# The values that the program's own test of its options rejects: option, what is accepted, values between blanks.
ROW = re.compile(r'^        \{"(\w[\w-]*)", (?:"[^"]*"|\s)+,\s+((?:"[^"]*"|\s)+)\},', re.MULTILINE)
CELLS = (TOP / "tests/unit/bad_options_test.c").read_text(encoding="utf-8")


def rejected_values() -> list[tuple[str, str]]:
    found = []
    for name, texts in ROW.findall(CELLS.partition("bad_values_are_rejected")[2].partition("    };\n")[0]):
        known = options.Options.__annotations__.keys()
        values = "".join(re.findall('"([^"]*)"', texts)).split(" ") if name.replace("-", "_") in known else []
        found += [(name.replace("-", "_"), value.replace("~", " ").replace("\\x01", "\x01")) for value in values]
    return found


def by_hand(given: dict[str, Any]) -> tuple[int, str]:
    """Exit status and sentence of the program itself."""
    command = [PROGRAM, "-q", "-o", "-:jsonl", *options.words(given)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stderr.strip().removeprefix("tribench: ")


def test_every_value_that_the_program_rejects_is_a_usage_error_with_its_sentence() -> None:
    values = rejected_values()
    assert len(values) > 90 and len({name for name, _ in values}) > 15
    for name, value in values:
        given = {"workload": "life", "n": 8, "samples": 1, name: value}
        status, sentence = by_hand(given)
        with pytest.raises(tribench.UsageError) as caught:
            tribench.run(**given)
        assert (caught.value.status, str(caught.value)) == (status, sentence) and status == 2, given
        assert caught.value.result is None


WRONG = {**QUICK, "strategy": "ltm-n", "workload": "cover", "n": 2048, "block": 1, "verify": "beyond", "samples": 1}


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({**WRONG, "baseline": "none"}, tribench.VerificationError),
        ({**QUICK, "strategy": "bb", "workload": "edm1", "n": [1048576, 50]}, tribench.OutOfMemory),
        ({**QUICK, "strategy": "dp", "block": 1, "cutoff": 1, "baseline": "none", "n": 65535}, tribench.TribenchError),
        ({"strategy": "ltm", "engine": "cuda", "device": 1023, "n": 64}, tribench.DeviceError),
        ({**QUICK, "n": 100, "input": "nowhere.csv", "workload": "edm4"}, tribench.UsageError),
        ({**QUICK, "n": 100, "strategy": "bb,ltm-i", "resume": "/dev/null"}, tribench.UsageError),
    ],
)
def test_each_status_has_its_exception_which_has_what_was_measured(given: dict[str, Any], kind: type) -> None:
    status, sentence = by_hand(given)
    with pytest.raises(kind) as caught:
        tribench.run(**given)
    assert type(caught.value) is KINDS[status] and caught.value.status == status
    assert str(caught.value).startswith(sentence)
    if status in (1, 3, 5):
        failed = [run for run in caught.value.result.records if run["status"] == "failed"]
        assert len(failed) == 1 and failed[0]["reason"] in str(caught.value)
        with pytest.warns(UserWarning, match=sentence):
            assert len(tribench.run(**given, check=False).frame) == len(caught.value.result.records)


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIBENCH", "/no/such/program")
    with pytest.raises(tribench.DeviceError, match="/no/such/program: No such file"):
        tribench.run(n=8)


@pytest.fixture
def heeding_interrupts() -> Iterator[None]:
    """What a script starts with & ignores ^C, and so does all that it starts; here it counts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def stop_after(seconds: float) -> threading.Timer:
    """Sends ^C to this process."""
    main = threading.main_thread().ident or 0
    timer = threading.Timer(seconds, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.usefixtures("heeding_interrupts")
def test_an_interrupt_keeps_what_was_measured() -> None:
    timer = stop_after(2.5)
    begun = time.monotonic()
    with pytest.raises(tribench.Interrupted, match="stopped by SIGINT") as caught:
        tribench.run(strategy="bb", workload="edm4", n=[64, 25000], **{**QUICK, "samples": 20, "threads": 1})
    timer.join()
    assert time.monotonic() - begun < 10 and isinstance(caught.value, KeyboardInterrupt)
    states = {run["n"]: run["status"] for run in caught.value.result.records}
    assert states[64] == "ok" and states.get(25000, "interrupted") == "interrupted"
    assert caught.value.result.best()["n"].tolist() == [64]


def test_the_report_tools_speak_through_the_same_exceptions(tmp_path: Path) -> None:
    with pytest.raises(tribench.TribenchError, match="nowhere.json: cannot be read"):
        tribench.load("nowhere.json")
    result = tribench.run(strategy="bb", n=50, **QUICK)
    for wrong in (
        lambda: result.save(tmp_path / "x.txt"),
        lambda: result.chart("nothing"),
        lambda: result.chart("ranks"),
    ):
        with pytest.raises(tribench.UsageError):
            wrong()


@pytest.mark.usefixtures("heeding_interrupts")
def test_a_second_interrupt_ends_a_program_that_does_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    deaf.write_text("#!/usr/bin/env python3\nimport signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
                    "time.sleep(60)\n")  # fmt: skip
    deaf.chmod(0o755)
    monkeypatch.setenv("TRIBENCH", str(deaf))
    for after_s in (1.0, 2.0):
        stop_after(after_s)
    begun = time.monotonic()
    with pytest.raises(tribench.Interrupted):
        program.run(n=8)
    assert time.monotonic() - begun < 10
