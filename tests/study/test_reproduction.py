"""docs/reproduction.md has every figure and table of the texts, and what the shipped results say beside it."""

from __future__ import annotations

import pytest
from conftest import TOP
from tribench_study.bench import read
from tribench_study.claims import CLAIMS
from tribench_study.reproduction import DATA, places, rows, text

FILES = [TOP / "study/results/h200.json.gz", TOP / "study/results/h100.json.gz"]


def test_the_page_is_what_the_shipped_results_say() -> None:
    fresh = text([read(str(path)) for path in FILES], FILES)
    assert (TOP / "docs/reproduction.md").read_text(encoding="utf-8") == fresh, "not current: study/docs --only claims"
    assert "(figures/" in fresh and all(
        (TOP / "docs/figures" / f"{how['ours']}.png").is_file()
        for figures in DATA["texts"].values()
        for how in figures.values()
        if how.get("ours")
    )


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("6.3.2, figures 6.2 and 6.4", {"figure 6.2", "figure 6.4"}), ("5.2.2, figure 5.10; 7.1.2", {"figure 5.10"}),
        ("V, figure 6a", {"figure 6a"}), ("6.3, 6.6, table 6.2", {"table 6.2"}), ("III.A", set()),
    ],
)  # fmt: skip
def test_places(place: str, expected: set[str]) -> None:
    assert places(place) == expected


def test_each_figure_has_its_claims_or_says_why_not() -> None:
    for claim in CLAIMS:
        assert places(claim.place) <= set(DATA["texts"].get(claim.source, ())), claim.claim
    for source, figures in DATA["texts"].items():
        for name, how in figures.items():
            assert rows(source, name, how.get("rows", [])) or how.get("without"), name


def test_the_hardware_is_that_of_the_records() -> None:
    page = (TOP / "docs/reproduction.md").read_text(encoding="utf-8")
    ours = [line for line in page.splitlines() if line.startswith("| these pages")]
    assert len(ours) == 2 and all("132 SMs" in line and "limit not recorded" in line for line in ours)
    assert page.count("\n### ") == sum(map(len, DATA["texts"].values()))
