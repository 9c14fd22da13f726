"""pip install ./report: the wheel is complete, and its command is the one of the sources."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import H200, REPORT, Script
from tribench_report import cli

PROJECT = tomllib.loads((REPORT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RESULTS = f"{H200}:example"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel in a folder of its own, built from a copy: setuptools writes into what it builds."""
    copy = tmp_path_factory.mktemp("sources")
    name = "tribench_report"
    shutil.copytree(REPORT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(REPORT / name, copy)
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    made = subprocess.run([*pip, "--target", target, copy], capture_output=True, text=True, timeout=120, check=False)
    assert made.returncode == 0, made.stderr
    return target


def call(installed: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, installed / "bin" / "tribench-report", *map(str, words)]
    around = {"cwd": installed, "env": {**os.environ, "PYTHONPATH": str(installed)}}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **around)


def test_every_file_is_installed(installed: Path) -> None:
    sources = {
        path.relative_to(REPORT)
        for path in (REPORT / "tribench_report").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert [str(path) for path in sorted(sources) if not (installed / path).is_file()] == []


def test_the_installed_command_does_what_that_of_the_sources_does(installed: Path, script: Script) -> None:
    words = (RESULTS, "--kind", "time")
    theirs, ours = script("table", *words), call(installed, "table", *words)
    assert (ours.returncode, ours.stdout) == (0, theirs.stdout)
    assert len(ours.stdout) > 100


def test_the_page_is_found(installed: Path, tmp_path: Path) -> None:
    page = call(installed, "html", RESULTS, "-o", tmp_path / "all.html")
    assert page.returncode == 0, page.stderr
    assert "<script" in (tmp_path / "all.html").read_text(encoding="utf-8")


def test_its_name_is_the_one_it_was_called_by(installed: Path) -> None:
    assert call(installed, "merge", "--help").stdout.startswith("usage: tribench-report merge ")
    wrong = call(installed, "merge", "nowhere.json")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("tribench-report merge: nowhere.json")
    for word, said in (("melt", "unknown command 'melt': advice, "), ("", "expected a command: advice, ")):
        unknown = call(installed, word)
        assert unknown.returncode == 2 and unknown.stderr.startswith(f"tribench-report: {said}")
    assert call(installed).returncode == 2
    assert call(installed, "--version").stdout == f"tribench-report {PROJECT['version']}\n"


def test_what_is_imported_is_required() -> None:
    imported = set()
    for path in (REPORT / "tribench_report").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                imported.add(node.module.partition(".")[0])
    other = {"PIL": "pillow", "vl_convert": "vl"}
    imported = {other.get(name, name) for name in imported}
    lines = [*PROJECT["dependencies"], *sum(PROJECT["optional-dependencies"].values(), [])]
    required = {re.split(r"\W", line)[0] for line in lines}
    assert sorted(imported - set(sys.stdlib_module_names) - required) == []
    assert sorted(required - imported) == []
    tested = (REPORT / "requirements.txt").read_text(encoding="utf-8")
    assert [name for name in sorted(required) if not re.search(rf"^{name}[\w-]*==", tested, re.MULTILINE)] == []


def test_without_the_extras_most_commands_run_and_the_others_say_which_one_to_install(tmp_path: Path) -> None:
    folder = tmp_path / "missing"
    folder.mkdir()
    for extra, modules in cli.EXTRAS.items():
        names = {re.split(r"\W", line)[0] for line in PROJECT["optional-dependencies"][extra]}
        assert {{"PIL": "pillow", "vl_convert": "vl"}.get(name, name) for name in modules} == names
        for name in modules:
            (folder / f"{name}.py").write_text("raise ModuleNotFoundError(name=__name__)\n")
    (tmp_path / "x.rle").write_text("x = 1, y = 1\no!\n")
    commands: dict[str, tuple[object, ...]] = {
        "advice": (RESULTS,), "table": (RESULTS, "--kind", "time"),
        "merge": (RESULTS, "-f", "csv"), "import": ("x.rle", "-o", "x.npy"), "compare": (RESULTS, RESULTS),
        "plot": (RESULTS,), "html": (RESULTS,),
        "maps": ("x.json", "-o", "."), "frames": ("x.npy", "-o", "x.gif"),
    }  # fmt: skip
    for name, words in commands.items():
        done = subprocess.run(
            [sys.executable, REPORT / "tribench-report", name, *map(str, words)],
            capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(folder)},
        )  # fmt: skip
        extra = "plot" if name in ("plot", "html", "maps", "frames") else ""
        if extra:
            assert f"pip install './report[{extra}]'" in done.stderr and done.stderr.count("\n") == 1, name
        elif name != "compare":  # which needs scipy only where there is something to test
            assert done.returncode == 0, (name, done.stderr)
