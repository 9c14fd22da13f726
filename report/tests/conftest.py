"""Makes the package and the generator importable, and gives tests a way to call the scripts."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPORT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPORT), str(REPORT / "tests")]

Result = subprocess.CompletedProcess[str]
Script = Callable[..., Result]


@pytest.fixture
def script() -> Script:
    """Calls a script of report/ as a user does."""

    def call(name: str, *words: object, stdin: str | None = None, timeout_s: float = 60) -> Result:
        command = [sys.executable, str(REPORT / name), *map(str, words)]
        return subprocess.run(
            command, capture_output=True, text=True, input=stdin, timeout=timeout_s, check=False
        )

    return call


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Script:
    """Does the same without a new interpreter, for tests that call a script often."""

    def call(name: str, *words: object) -> Result:
        from tribench_report import cli

        monkeypatch.setattr(sys, "argv", [name, *map(str, words)])
        module = {"html": "page"}.get(name, name)
        status = cli.main(name, importlib.import_module(f"tribench_report.{module}").run)
        said = capsys.readouterr()
        return Result([name], status, said.out, said.err)

    return call
