"""Makes the study, the package and the generator of results importable, and gives tests a way to call the commands."""

from __future__ import annotations

import functools
import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
REPORT, RESULTS = TOP / "report", TOP / "study" / "results"
sys.path[:0] = [str(TOP / "study"), str(REPORT), str(REPORT / "tests")]

# The results of study/measure on an H200.
H200 = RESULTS / "h200.json.gz"

from tribench_report import documents  # noqa: E402
from tribench_study import claims  # noqa: E402

# Shipped results are large and do not change: read each once.
read_file, read_once = documents.read_file, functools.cache(documents.read_file)
documents.read_file = lambda path: (read_once if path.parent == RESULTS else read_file)(path)

# So do answers: several tests ask all claims of the same results.
claims.Claim.answer = functools.cache(claims.Claim.answer)

Result = subprocess.CompletedProcess[str]
Script = Callable[..., Result]


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Script:
    """Does what a command of the study does, without a new interpreter."""

    def call(name: str, *words: object) -> Result:
        from tribench_report import cli

        monkeypatch.setattr(sys, "argv", [name, *map(str, words)])
        module = importlib.import_module(f"tribench_study.{name}")
        status = cli.main(name, module.run)
        said = capsys.readouterr()
        return Result([name], status, said.out, said.err)

    return call


@pytest.fixture
def script(inside: Script) -> Script:
    """Calls a command as a user does, if it is one."""

    def call(name: str, *words: object) -> Result:
        if not (TOP / "study" / name).exists():
            return inside(name, *words)
        command = [sys.executable, str(TOP / "study" / name), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    return call
