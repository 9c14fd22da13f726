"""What study/docs writes is what the shipped results say, and what they lack stays."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import H200, TOP
from tribench_report import documents
from tribench_study import collect, docs, pages
from tribench_study.data import FUNCTIONS, Measured
from yaml import safe_load

MARKERS = safe_load((TOP / "study" / "docs.yaml").read_text(encoding="utf-8"))
# Those that take no more than a second or two; the others are tables of tribench-report, or need the program.
QUICK = (
    "front", "example", "improvement", "small", "schedules", "maps", "own", "formulas", "tune", "generator",
    "paper-again",
)  # fmt: skip


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the texts, in the current folder."""
    shutil.copy(TOP / "README.md", tmp_path)
    shutil.copytree(TOP / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("figures", "*.html"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def between(marker: str, path: Path) -> str:
    found = re.search(rf"<!-- tribench:{marker} -->\n(.*)<!-- /tribench:{marker} -->", path.read_text(), re.DOTALL)
    assert found, marker
    return found.group(1)


def test_each_marker_is_in_its_text_once_and_has_what_fills_it() -> None:
    for text, markers in MARKERS.items():
        for marker, how in markers.items():
            assert between(marker, TOP / text)
            assert "kind" in how or marker in FUNCTIONS and (TOP / "study" / "templates" / f"{marker}.md").is_file()


def test_tables_are_current(texts: Path, tmp_path: Path) -> None:
    here = Measured(H200, "no-program", tmp_path)
    where = {marker: text for text, markers in MARKERS.items() for marker in markers}
    for marker in QUICK:
        path = texts / where[marker]
        before = path.read_text(encoding="utf-8")
        pages.insert(path, marker, "?\n")
        docs.fill(here, [marker])
        assert path.read_text(encoding="utf-8") == before, f"not current: study/docs --only {marker}"


def part(*labels: str) -> Any:
    return collect.run(["gpu.json.gz", *(f"{H200}:{label}" for label in labels)])


def test_what_the_results_lack_stays(texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part("floors")
    here = Measured(Path("gpu.json.gz"), "no-program", tmp_path)
    before = {name: (texts / name).read_text() for name in ("docs/record.md", "docs/claims.md", "README.md")}
    docs.fill(here, ["example", "maps", "front", "floors"])
    docs.fill_claims(here)
    said = capsys.readouterr().err
    for what in ("example", "maps", "front", "docs/claims.md"):
        assert f"no results for {what}, it stays as it is" in said
    assert "floors" not in said and all((texts / name).read_text() == text for name, text in before.items())


# ---- the gallery ----


class Drawn:
    """Records the commands that would draw."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.commands: list[str] = []
        monkeypatch.setattr(docs.subprocess, "run", lambda words, **_: self.commands.append(" ".join(words[1:])))
        monkeypatch.setattr(docs, "_screenshot", lambda *_: True)


def joined(path: Path, *labels: str) -> None:
    """A document with such parts."""
    files = [synthetic.save(path.parent / f"{label}.json", synthetic.triangle(ns=(1024,))) for label in labels]
    collect.run([str(path), *map(str, files)])
    for file in files:
        file.unlink()


def test_figures_of_several_gpus_are_drawn_from_all_of_them(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine", "other"):
        joined(texts / f"{name}.json.gz", "tetra-small", "paper", "square-halo", "square-rect")
    (texts / "docs/figures").mkdir()
    (texts / "docs/figures/energy.png").touch()
    drawn = Drawn(monkeypatch)
    docs.gallery(Measured(Path("mine.json.gz"), "", texts))
    said = "\n".join(drawn.commands)
    assert "--figure tetra-6 mine.json.gz:tetra-small other.json.gz:tetra-small" in said
    assert "--figure gpus mine.json.gz:paper other.json.gz:paper --workload edm1" in said
    assert re.search(r"--figure triangle-5 mine.json.gz:paper$", said, re.MULTILINE)
    text = (texts / "docs/gallery.md").read_text()
    assert text.count("![tetra-6]") == 1 and "![energy]" not in text, "no runs"
    assert not (texts / "docs/figures/energy.png").exists()
    assert "--figure life-6.2 'mine.json.gz:square*'\n" in text, "a shell would expand it"


def test_a_gpu_alone_is_not_compared(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    joined(texts / "mine.json.gz", "tetra-small", "paper")
    (texts / "docs/figures").mkdir()
    drawn = Drawn(monkeypatch)
    docs.gallery(Measured(Path("mine.json.gz"), "", texts))
    assert any("--figure tetra-6 mine.json.gz:tetra-small" in one for one in drawn.commands)
    assert "![gpus]" not in (texts / "docs/gallery.md").read_text()


def test_the_gallery_has_every_figure_that_the_text_shows() -> None:
    figures = safe_load((TOP / "study" / "gallery.yaml").read_text(encoding="utf-8"))
    names = [one["name"] for section in figures.values() for one in section] + ["page"]
    assert re.findall(r"^!\[([\w.-]+)\]", (TOP / "docs/gallery.md").read_text(), re.MULTILINE) == names
    labels = set(map(documents.name_of_part, (p["file"] for p in documents.read_file(H200).parts)))
    assert {"paper", "roots", "beyond"} <= labels
