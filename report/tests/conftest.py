"""Makes the package and the generator importable, and gives tests a way to call the scripts."""

from __future__ import annotations

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
