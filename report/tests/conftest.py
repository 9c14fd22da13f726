"""Makes the package and the generator importable, and gives tests a way to call the scripts."""

from __future__ import annotations

import functools
import importlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

REPORT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPORT), str(REPORT / "tests")]

from devtools import Browser  # noqa: E402
from shipped import H200, REPEATS  # noqa: E402

__all__ = ["H200", "REPEATS"]

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


@functools.cache
def _text_of(word: str) -> str:
    from tribench_report import documents, merge

    return json.dumps(merge.join(documents.read([word]), []))


def part(word: str) -> dict[str, Any]:
    """The document of one part of a shipped file: 'FILE:LABEL'."""
    whole: dict[str, Any] = json.loads(_text_of(word))
    return whole


@pytest.fixture
def process() -> Script:
    """Calls a command as a user does, in an interpreter of its own."""

    def call(name: str, *words: object, stdin: str | None = None, timeout_s: float = 60) -> Result:
        command = [sys.executable, str(REPORT / "tribench-report"), name, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=timeout_s, check=False)

    return call


script = process


@pytest.fixture(scope="session", autouse=True)
def one_bundle() -> Iterator[None]:
    """What makes the libraries of a page takes a second, and always makes the same."""
    import vl_convert

    bundle = vl_convert.javascript_bundle
    vl_convert.javascript_bundle = functools.cache(bundle)
    yield
    vl_convert.javascript_bundle = bundle


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Script:
    """Does the same in this process: to start an interpreter with pandas takes a second."""

    def call(name: str, *words: object, stdin: str = "") -> Result:
        from tribench_report import cli
        from tribench_report.__main__ import COMMANDS

        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", [name, *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        module = importlib.import_module(f"tribench_report.{COMMANDS[name][0]}")
        try:
            status = cli.main(name, module.run)
        except SystemExit as end:  # --help
            status = int(end.code or 0)
        said = capsys.readouterr()
        return Result([name], status, said.out, said.err)

    return call
