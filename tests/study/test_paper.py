"""paper/ says what the README says, and cites what paper.bib has."""

from __future__ import annotations

import re

from conftest import TOP

PAPER = (TOP / "paper/paper.md").read_text(encoding="utf-8")
BETWEEN = re.compile(r"<!-- tribench:findings -->\n(.*?)<!-- /tribench:findings -->", re.DOTALL)


def test_its_findings_are_those_of_the_readme() -> None:
    (mine,), (front,) = (BETWEEN.findall(text) for text in (PAPER, (TOP / "README.md").read_text(encoding="utf-8")))
    words = [text.replace("../docs/", "docs/").split() for text in (mine, front)]
    assert words[0] == words[1] != []


def test_it_cites_what_the_bibliography_has() -> None:
    cited = set(re.findall(r"@(\w+)", PAPER))
    known = set(re.findall(r"^@\w+\{(\w+),", (TOP / "paper/paper.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert cited == known
