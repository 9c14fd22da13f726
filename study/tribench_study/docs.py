"""Fills README.md and docs/: what stands between markers, docs/claims.md, reproduction.md, gallery.md and figures."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml
from tribench_report import cli, documents
from tribench_report.errors import ReportError

from . import claims, reproduction
from .bench import read
from .data import FUNCTIONS, Measured, Missing, runs_table
from .figures import FIGURES as PAPERS
from .pages import STUDY, insert, render

PROG = "docs"
FIGURES = Path("docs/figures")
PYTHON = "build/venv/bin/python"  # in the commands that the gallery shows


def _content(here: Measured, marker: str, how: dict[str, Any]) -> str:
    if "kind" in how:
        return runs_table(here, **how)
    return render(f"{marker}.md", **FUNCTIONS[marker](here, **how))


def fill(here: Measured, only: Sequence[str]) -> None:
    """Fills the markers of all texts. Where the results lack the runs, what stands there stays."""
    for text, markers in yaml.safe_load((STUDY / "docs.yaml").read_text(encoding="utf-8")).items():
        for marker, how in markers.items():
            if only and marker not in only:
                continue
            try:
                insert(Path(text), marker, _content(here, marker, how))
            except Missing:
                cli.say(PROG, f"no results for {marker}, it stays as it is")


def fill_claims(here: Measured) -> None:
    files = [str(path) for path in here.tested]
    if not files:
        cli.say(PROG, "no results for docs/claims.md, it stays as it is")
        return
    command = " ".join([PYTHON, "study/claims", *files, "-o", "docs/claims.md"])
    benches = [read(file) for file in files]
    cli.write_whole(Path("docs/claims.md"), claims.text(benches, command))
    cli.write_whole(Path("docs/reproduction.md"), reproduction.text(benches, here.tested))


# ---------------------------------------------------------------- figures


def _sources(here: Measured, label: str, every: bool) -> list[str]:
    """FILE:LABEL of the documents that have such a part: these results, or those of all GPUs."""
    if not every:
        return [f"{here.results}:{label}"] if any(fnmatchcase(one, label) for one in here.parts) else []
    files = {path: documents.read_file(path) for path in sorted(here.every)}
    names = {path: {documents.name_of_part(part["file"]) for part in one.parts} for path, one in files.items()}
    return [f"{path}:{label}" for path in files if label in names[path]]


def _draw(here: Measured, name: str, label: str, every: bool = False, options: str = "", **_: str) -> str | None:
    """Draws a figure. Returns the command; None if the results lack its runs."""
    sources = _sources(here, label, every)
    if not sources or every and len(sources) < 2 and name == "gpus":
        cli.say(PROG, f"{here.results} has no {label}, {name} is left out")
        (FIGURES / f"{name}.png").unlink(missing_ok=True)
        return None
    program = ["study/plot"] if name in PAPERS else ["report/tribench-report", "plot"]
    words = ["--format", "png", "--figure", name, *sources, *options.split()]
    command = [sys.executable, str(STUDY.parent / program[0]), *program[1:], "--out", str(FIGURES), *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return shlex.join([PYTHON, *program, *words])


def _screenshot(page: Path, picture: Path) -> bool:
    """Takes a picture of the page of tribench-report html. Returns whether there is a browser."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        return False
    sys.path.insert(0, str(STUDY.parent / "report" / "tests"))
    from devtools import Browser

    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, Path(profile) / "profile")
        browser.resize(1100, 1250)
        browser.open(page.resolve(), "#chart&workload=dummy")
        browser.screenshot(picture)
        browser.close()
    return True


def gallery(here: Measured) -> None:
    """Draws docs/figures and writes docs/gallery.md: each figure with what it shows and the command that draws it."""
    sections: dict[str, list[dict[str, str]]] = {}
    for heading, figures in yaml.safe_load((STUDY / "gallery.yaml").read_text(encoding="utf-8")).items():
        for one in figures:
            command = _draw(here, **one)
            if command:
                sections.setdefault(heading, []).append({**one, "command": command})
    page = here.scratch / "page.html"
    words = ["report/tribench-report", "html", str(here.results), "-o"]
    if here.parts:
        subprocess.run([sys.executable, *words, str(page)], check=True, stderr=subprocess.DEVNULL)
        if not _screenshot(page, FIGURES / "page.png"):
            cli.say(PROG, "no Chromium, the screenshot of the page stays as it is")
    command = shlex.join([PYTHON, *words, "page.html"])
    cli.write_whole(Path("docs/gallery.md"), render("gallery.md", sections=sections, command=command))


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Writes the generated parts of README.md and docs/, and docs/claims.md, reproduction.md and gallery.md.",
        "Every table between <!-- tribench:NAME --> markers comes from RESULTS, the document that study/measure\n"
        "writes, or from what the program lists: no figure is typed by hand. docs/claims.md has a column for each\n"
        "GPU with a document beside RESULTS. A table whose runs RESULTS lacks stays as it is.",
    )
    parser.add_argument("results", nargs="?", default="study/results/h200.json.gz", metavar="RESULTS", type=Path)
    parser.add_argument("--tribench", default="./tribench", metavar="FILE", help="the program (default: ./tribench)")
    parser.add_argument("--only", default="", metavar="LIST", help="only these markers, claims, or gallery")
    options = parser.parse_args(arguments)
    only = [word for word in options.only.split(",") if word]
    with tempfile.TemporaryDirectory() as scratch:
        here = Measured(options.results, options.tribench, Path(scratch))
        try:
            fill(here, only)
            if not only or "claims" in only:
                fill_claims(here)
            if not only or "gallery" in only:
                gallery(here)
        except (subprocess.CalledProcessError, OSError) as problem:
            raise ReportError(str(problem)) from None
    return 0
