"""Makes the study, the package and the generator of results importable, and gives tests a way to call the commands."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "study"), str(TOP / "report"), str(TOP / "report" / "tests")]

from shipped import H200, RESULTS  # noqa: E402
from tribench_study import claims  # noqa: E402

__all__ = ["H200", "RESULTS"]
# Several tests ask all claims of the same results.
claims.Claim.answer = functools.cache(claims.Claim.answer)

Result = subprocess.CompletedProcess[str]
Script = Callable[..., Result]


@pytest.fixture
def load() -> Callable[[str], types.ModuleType]:
    """Imports a script of the study, whose name has no suffix."""

    def module(name: str) -> types.ModuleType:
        loader = importlib.machinery.SourceFileLoader(f"study_{name}", str(TOP / "study" / name))
        found = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(found)
        return found

    return module


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
