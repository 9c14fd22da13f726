"""docs/claims.md says what the oracle finds in the results, and the command of a row gives the same."""

from __future__ import annotations

import re

import pytest
from claims_oracle import RESULTS, ROWS, TOP, UNITS, Factor, Gpu, Row, verdict
from tribench_study import claims
from tribench_study.bench import read

GPUS = ("h200", "h100")  # as docs/claims.md has its columns


def rows() -> list[list[str]]:
    lines = (TOP / "docs" / "claims.md").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if re.match(r"\| \d", line)]


@pytest.fixture(scope="module")
def gpus() -> list[Gpu]:
    return [Gpu(name) for name in GPUS]


@pytest.fixture(scope="module")
def apart() -> list[Gpu]:
    """Each run with the interval of its own invocation."""
    return [Gpu(name, is_between=False) for name in GPUS]


def figure(row: Row, values: list[Factor], within: list[Factor]) -> str:
    """As the row begins: the middle one of all, and the range of all intervals, between and within invocations."""
    ordered = sorted(values)
    value = ordered[len(ordered) // 2][0]
    low, high = min(one[1] for one in values), max(one[2] for one in values)
    unit = UNITS.get(row.asked[0], ".2f")
    text = ("N = " if unit == ",.0f" else "") + f"{value:{unit}}"
    text += "" if low == high else f" [{low:{unit}}, {high:{unit}}]"
    low, high = min(one[1] for one in within), max(one[2] for one in within)
    return text if low == high else f"{text}, within [{low:{unit}}, {high:{unit}}]"


def said_of(cells: list[str], gpu: str) -> str:
    """The verdict on one GPU: of both at once, or after its name."""
    named = re.search(rf"{gpu.upper()}: \*\*([^*]*)\*\*", cells[6])
    alone = re.fullmatch(r"\*\*([^*]*)\*\*", cells[6])
    return named.group(1) if named else alone.group(1) if alone else "not measured yet"


def label_of(cells: list[str], gpu: str) -> str | None:
    """The label for one GPU: the only one, or that after its name."""
    found = re.search(rf"{gpu.upper()}: `([^`]*)`", cells[8]) or re.fullmatch("`([^`]*)`", cells[8])
    return found and found.group(1)


def test_the_oracle_has_every_row_in_its_order() -> None:
    assert len(ROWS) == len(rows())
    wrong = [(row.starts, cells[1]) for row, cells in zip(ROWS, rows()) if not cells[1].startswith(row.starts)]
    assert wrong == []


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda k: f"{k + 1}")
def test_a_row_is_what_the_runs_say(gpus: list[Gpu], apart: list[Gpu], number: int) -> None:
    row, cells = ROWS[number], rows()[number]
    for gpu, alone, name, shown in zip(gpus, apart, GPUS, cells[4:6]):
        if not row.rule:
            assert (shown, said_of(cells, name)) == ("–", "not measured")
            continue
        answers = [(label, found) for label in row.labels.split() if (found := row.ask(gpu, label))]
        if not answers:
            assert (shown, said_of(cells, name)) == ("–", "not measured yet")
            continue
        label, values = answers[0]
        expected, holds, weaker = verdict(row.rule[0], row.rule[1:], values)
        assert said_of(cells, name) == expected
        assert re.sub(r"( %)? \(.*", "", shown) == figure(row, values, row.ask(alone, label))
        assert label_of(cells, name) == label
        share = re.search(r"; (\d+) of (\d+)(?:, weaker at (\d+))?(?:; \d+ noted)?\)$", shown)
        assert (share and tuple(int(count or 0) for count in share.groups())) == (
            (holds, len(values), weaker) if len(values) > 1 else None
        )


def test_the_counts_are_those_of_the_rows() -> None:
    text = (TOP / "docs" / "claims.md").read_text(encoding="utf-8")
    aside = [k for k, cells in enumerate(rows()) if "*Not counted: " in cells[1]]
    assert f"{len(ROWS)} rows. {len(ROWS) - len(aside)} are counted" in text
    for name, line in zip(GPUS, re.findall(r"^\* NVIDIA .*?: (.*)$", text, re.MULTILINE)):
        counted = {word: int(count) for word, count in re.findall(r"([a-z ]+) (\d+)", line)}
        found: dict[str, int] = {}
        for k, cells in enumerate(rows()):
            if k not in aside:
                found[said_of(cells, name)] = found.get(said_of(cells, name), 0) + 1
        assert {word.strip(): count for word, count in counted.items()} == found


def answered() -> list[tuple[int, str]]:
    """
    The columns and labels of what is measured: all that are not one invocation, since a row's label is the oracle's,
    too, and of single ones the first, which are read alike.
    """
    found = {
        (4 + place, label)
        for cells in rows()
        for place, name in enumerate(GPUS)
        if cells[4 + place] != "–" and (label := label_of(cells, name))
    }
    single = sorted(one for one in found if re.fullmatch("[a-z0-9-]+", one[1]) and one[1] not in ("maps", "counters"))
    first = [one for one in single if one[0] != single[single.index(one) - 1][0]]
    return sorted(found - {*single}) + first


@pytest.mark.parametrize(("column", "labels"), answered())
def test_the_command_of_a_label_recomputes_its_rows(column: int, labels: str) -> None:
    """`study/claims FILE:LABEL,LABEL` is all that a row's source asks for."""
    parts = "*" if labels in ("maps", "counters") else labels.replace("+", ",")
    gpu = GPUS[column - 4]
    bench = read(f"{RESULTS / gpu}.json.gz:{parts}")
    mine = [k for k, cells in enumerate(rows()) if label_of(cells, gpu) == labels and cells[column] != "–"]
    for k in mine:
        found, label = claims.CLAIMS[k].answer(bench)
        assert (claims.ours(claims.CLAIMS[k], found), label) == (rows()[k][column], labels)
