"""Closed streams end a command with a sentence, where there is one to say it on, and never with a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import synthetic
from conftest import REPORT
from test_hostile import SCRIPTS, words
from tribench_report import __main__


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return synthetic.save(tmp_path / "a.json", synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048)))


@pytest.mark.parametrize(
    ("closed", "arguments", "status", "sentence"),
    [
        (">&-", "merge {}", 1, "tribench-report merge: output: Bad file descriptor\n"),
        (">&-", "--help", 1, "tribench-report: output: Bad file descriptor\n"),
        (">&-", "merge {} -o {}.out", 0, ""),
        (">/dev/full", "merge {}", 1, "tribench-report merge: output: No space left on device\n"),
        ("<&-", "merge -", 1, "tribench-report merge: -: cannot be read: Bad file descriptor\n"),
        ("<&-", "merge {} -o {}.out", 0, ""),
        ("2>&-", "merge {} {}.not", 1, ""),
        ("2>&-", "unknown", 2, ""),
        ("<&- >&- 2>&-", "merge {}", 1, ""),
    ],
)
def test_a_command_says_that_a_stream_is_closed(
    path: Path, closed: str, arguments: str, status: int, sentence: str
) -> None:
    words = f"{sys.executable} {REPORT}/tribench-report {arguments} {closed}".replace("{}", str(path))
    done = subprocess.run(["sh", "-c", f"exec {words}"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", sentence)


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
def test_no_command_needs_a_stream(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], stream: str
) -> None:
    for name in SCRIPTS:
        with monkeypatch.context() as patched:
            patched.setattr("sys.argv", ["tribench-report", name, *map(str, words(name, path))])
            patched.setattr(f"sys.{stream}", None)
            status = __main__.main()
        said = capsys.readouterr()
        if stream == "stdout":
            assert status == 1 and said.err.endswith("output: Bad file descriptor\n"), name
        else:
            assert status in (0, 1) and said.err == "" and f"tribench-report {name}: " not in said.out, name
