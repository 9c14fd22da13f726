"""Makes the package and the generator importable, and gives tests a way to call the scripts."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

REPORT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPORT), str(REPORT / "tests")]

from devtools import Browser  # noqa: E402

NAMES = [os.environ["CHROMIUM"]] if "CHROMIUM" in os.environ else ["chromium", "chromium-browser", "google-chrome"]
CHROMIUM = next((p for p in map(shutil.which, NAMES) if p), None)

Result = subprocess.CompletedProcess[str]
Script = Callable[..., Result]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium (Debian: apt-get install chromium, which make check does as root)")
    made = Browser(CHROMIUM, tmp_path_factory.mktemp("browser") / "profile")
    yield made
    made.close()


@pytest.fixture
def script() -> Script:
    """Calls a script of report/ as a user does."""

    def call(name: str, *words: object, stdin: str | None = None, timeout_s: float = 60) -> Result:
        command = [sys.executable, str(REPORT / name), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=timeout_s, check=False)

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
