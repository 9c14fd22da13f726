"""The texts: their links lead somewhere, the README stays short, and every field of a run is documented."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from tribench_report import documents

TOP = Path(__file__).resolve().parents[2]
TEXTS = sorted([*TOP.glob("*.md"), *TOP.glob("docs/*.md"), *TOP.glob("report/*.md"), *TOP.glob("tests/**/*.md")])
README_LINES, README_WORDS, SCREEN_LINES = 140, 1400, 30
RESULTS = TOP / "study" / "results" / "h200.json.gz"


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes from the headings."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(text: str) -> list[str]:
    """Those that stay in the project."""
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(TOP)))
def test_every_link_leads_somewhere(path: Path) -> None:
    dead = []
    for link in links(path.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if not target.is_file() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            dead.append(link)
    assert dead == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(TOP)))
def test_every_result_that_a_text_names_is_shipped(path: Path) -> None:
    """From the top, as a command of the text does; with a part that it has."""
    named = set(re.findall(r"(study/results/[\w./-]*\w)(?::([\w*,-]+))?", path.read_text(encoding="utf-8")))
    for name, _ in named:
        assert (TOP / name).exists(), name
    parts = [f"{TOP / name}:{labels}" for name, labels in named if labels]
    assert not parts or documents.read(parts)  # at once, as a file of parts takes a second to read


def test_every_figure_is_shown() -> None:
    shown = {(path.parent / link).resolve() for path in TEXTS for link in links(path.read_text(encoding="utf-8"))}
    assert [path.name for path in sorted((TOP / "docs/figures").rglob("*.png")) if path.resolve() not in shown] == []


def test_every_map_has_its_picture() -> None:
    """Made by study/maps; the words beside it are written."""
    listed = re.findall(r"^ +X\((\w+), A\)", (TOP / "strategies/list.h").read_text(encoding="utf-8"), re.MULTILINE)
    text = (TOP / "docs" / "maps.md").read_text(encoding="utf-8")
    shown = re.findall(r"^!\[([\w-]+)\]\(figures/maps/([\w-]+)\.png\)$", text, re.MULTILINE)
    assert sorted(shown) == sorted((name.replace("_", "-"),) * 2 for name in listed)


def test_the_readme_is_short() -> None:
    text = (TOP / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= README_LINES
    assert len(text.split()) <= README_WORDS


def test_the_first_screen_has_the_question_a_command_its_table_and_the_way_in() -> None:
    screen = (TOP / "README.md").read_text(encoding="utf-8").splitlines()[:SCREEN_LINES]
    assert screen[2].startswith("Which thread map is the fastest for a triangle or a tetrahedron on your GPU?")
    commands = [line.strip() for line in screen if line.startswith("    ")]
    assert "$ ./tribench -s bb,ltm-i,rb-b -w edm4 -n 8192" in commands
    assert any(line.startswith("rb-b ") and line.endswith("pass") for line in commands)
    assert [next((line for line in commands if line.startswith(way)), None) for way in ("git clone", "apt-get", "make")]


def members(schema: dict[str, Any], name: str) -> set[str]:
    """The names of a definition's members, and of those of its objects."""
    found = set()
    for member, value in schema["$defs"][name]["properties"].items():
        found.add(member)
        for inner in re.findall(r"#/\$defs/(\w+)", json.dumps(value)):
            if "properties" in schema["$defs"][inner]:
                found |= members(schema, inner)
    return found


def test_every_field_of_a_run_is_documented() -> None:
    newest = sorted((TOP / "report/schema").glob("tribench-*.schema.json"))[-1]
    schema = json.loads(newest.read_text(encoding="utf-8"))
    text = (TOP / "docs/record.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", text))))
    assert sorted(members(schema, "run_fields") - named) == []


def test_how_far_the_recommended_maps_are_behind_the_fastest_is_what_the_results_say() -> None:
    text = (TOP / "docs" / "use-a-map.md").read_text(encoding="utf-8")
    (told,) = re.findall(
        r"the\s+faster of the two was within (\d+) % of the fastest map [^;]*"
        r"and within (\d+) %\s+but for `(\w+)` at N = (\d+)",
        text,
    )
    worst = (told[2], int(told[3]))
    times: dict[tuple[str, int], dict[str, float]] = {}
    for source in documents.read([f"{RESULTS}:paper,beyond,gol,collision"]):
        for run in source.runs:
            if run["block"] == [16, 16, 1] and run["kernel"] == "cell" and run["status"] == "ok":
                times.setdefault((run["workload"], run["n"]), {})[run["strategy"]] = run["time_ms"]["median"]
    behind = {
        of: min(at["ltm-i"], at["rb-b"]) / min(at.values()) - 1.0
        for of, at in times.items()
        if {"ltm-i", "rb-b"} <= at.keys()
    }
    assert {w for w, _ in behind} == {"dummy", "edm1", "edm4", "write", "gol", "collision"}
    most, most_of_others = max(behind.values()), max(value for of, value in behind.items() if of != worst)
    assert [math.ceil(100.0 * value) for value in (most, most_of_others)] == [int(told[0]), int(told[1])]
