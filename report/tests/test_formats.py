"""Every format says the same of a run, whichever it was read from and written to."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import H200, Script, part
from tribench_report.documents import Document, read_file


def known(value: Any) -> Any:
    """Without what is null: CSV has empty fields for it, and not for the objects that it would be in."""
    if not isinstance(value, dict):
        return value
    return {name: inner for name, part in value.items() if (inner := known(part)) not in (None, {})}


def told(document: Document) -> list[Any]:
    """The runs of a file and where they were made, without the time at which it all ended."""
    kept = ("tool", "command", "started", "environment", "labels")
    around = [{name: part[name] for name in kept} for part in document.parts]
    return [known({**run, "source": None, "around": around[run["source"]]}) for run in document.runs]


def convert(inside: Script, source: Path, target: Path) -> Path:
    result = inside("merge", source, "-o", target)
    assert (result.returncode, result.stderr) == (0, "")
    return target


SHARD = {"index": 0, "count": 1, "sweep": "a", "sweep_runs": 0, "runs": []}


@pytest.fixture(params=["paper", "tetra-small"])
def shipped(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A few runs of a shipped result of several invocations."""
    document = part(f"{H200}:{request.param}")
    document["runs"] = document["runs"][:: max(1, len(document["runs"]) // 30)]
    for one in document.get("merged_from") or [document]:
        one |= {"labels": {"node": "a", "why": 'a "test", ü\\'}, "shard": SHARD}
    path = tmp_path / "shipped.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_there_and_back_through_every_format(inside: Script, shipped: Path, tmp_path: Path) -> None:
    before = told(read_file(shipped))
    at = shipped
    for step, suffix in enumerate(("csv", "jsonl", "json.gz", "csv.gz", "json")):
        at = convert(inside, at, tmp_path / f"{step}.{suffix}")
        assert told(read_file(at)) == before, suffix
    lines = tmp_path / "lines"
    lines.write_text(inside("merge", shipped, "-f", "jsonl").stdout)
    assert [{**part, "file": ""} for part in read_file(lines).parts] == [
        {**part, "file": "", "shard": SHARD} for part in read_file(shipped).parts
    ]


def test_what_became_csv_has_a_regular_table(inside: Script, shipped: Path, tmp_path: Path) -> None:
    path = convert(inside, shipped, tmp_path / "x.csv")
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, restkey="too many", restval="too few"))
    source = read_file(shipped)
    assert len(rows) == len(source.runs)
    assert all("too many" not in row and "too few" not in row.values() for row in rows)
    assert not any(name.startswith("document.shard") for name in rows[0])
    assert {row["device"] for row in rows} == {"NVIDIA H200"}
    assert {row["version"] for row in rows} in ({"0.1.0"}, {"0.2.0"}) and all(row["host"] for row in rows)
    first = next(iter(source.runs))
    assert rows[0]["time_ms.median"] == json.dumps(first["time_ms"]["median"])
    assert rows[0]["samples.ms"].split() == [json.dumps(ms) for ms in first["samples"]["ms"]]


def test_reports_read_csv(inside: Script, tmp_path: Path) -> None:
    whole = synthetic.save(tmp_path / "x.json", synthetic.triangle())
    one, other = (inside("table", path) for path in (whole, convert(inside, whole, tmp_path / "x.csv")))
    assert one.returncode == 0 and (one.stdout, one.stderr) == (other.stdout, other.stderr)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_spreadsheets_do_to_a_file_does_not_matter(tmp_path: Path, inside: Script, separator: str) -> None:
    """They quote, separate as the locale has it, and add a byte order mark and carriage returns."""
    runs = synthetic.triangle(("bb",), ("edm1",), (1024, 2048))
    flat = convert(inside, synthetic.save(tmp_path / "x.json", runs), tmp_path / "x.csv")
    before = told(read_file(flat))
    with flat.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    with flat.open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    assert told(read_file(flat)) == before and len(before) == 2


def test_a_torn_row_is_left_out_and_a_wrong_one_named(inside: Script, shipped: Path, tmp_path: Path) -> None:
    flat = convert(inside, shipped, tmp_path / "x.csv")
    lines = flat.read_text(encoding="utf-8").splitlines(keepends=True)
    flat.write_text("".join([*lines[:-1], lines[-1].rpartition(",")[0]]), encoding="utf-8")
    torn = inside("merge", flat, "-o", tmp_path / "m.json")
    assert torn.returncode == 0 and "the last row is torn" in torn.stderr
    for text, sentence in (
        ("".join([lines[0], "a,b\n", *lines[1:]]), "row 2 has 2 fields"),
        ("key,n\na,1,2\n", "row 2 has 3 fields"),
        ("key,value\n1,2\n", "not a tribench result"),
        ("key,a,a.b\n1,2,3\n", "row 2 cannot be used: the columns a and a.b exclude each other"),
        ("key,n\nk,1e999\n", "row 2 cannot be used: the number 1e999 is beyond"),
        ("key,key\n1,2\n", "a column appears twice"),
    ):
        flat.write_text(text, encoding="utf-8")
        wrong = inside("merge", flat)
        assert wrong.returncode == 1 and sentence in wrong.stderr


def test_csv_without_runs_has_a_header_and_is_read_as_empty(tmp_path: Path, inside: Script) -> None:
    flat = convert(inside, synthetic.save(tmp_path / "a.json", []), tmp_path / "none.csv")
    assert flat.read_text() == "key\n"
    assert "holds no run" in inside("merge", flat).stderr


def test_the_binary_says_the_same_in_all_formats(inside: Script, tmp_path: Path) -> None:
    binary = os.environ.get("TRIBENCH")
    if binary is None:
        pytest.skip("TRIBENCH names no binary")
    formats = [word for form in ("json", "jsonl", "csv") for word in ("-o", str(tmp_path / f"a.{form}"))]
    command = [binary, "-q", "--engine", "cpu", "--threads", "1", "-n", "20", "--samples", "7", "--warmup", "0"]
    command += ["-s", "all", "-w", "all", "--label", "node=a", "--label", 'why=a "test", ü', "--seed", str(2**60)]
    subprocess.run([*command, *formats], check=False, timeout=60, stdout=subprocess.DEVNULL)
    first, *others = (told(read_file(tmp_path / f"a.{form}")) for form in ("json", "jsonl", "csv"))
    assert len(first) > 50 and first[0]["around"]["labels"] == {"node": "a", "why": 'a "test", ü'}
    assert any("started" in run for run in first)
    assert all(other == first for other in others)
    # A sweep can be resumed from a converted file: nothing in it is measured again.
    target = convert(inside, tmp_path / "a.csv", tmp_path / "b.jsonl")
    again = subprocess.run([*command, "--resume", target, "-f", "json"], capture_output=True, check=True, timeout=60)
    assert json.loads(again.stdout)["runs"] == []


FORMULAS = ['=cmd|"/C calc"!A1', "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "'=1", "''@x", "-", "=", "-5", "'"]


def test_no_text_becomes_a_formula_and_each_comes_back(tmp_path: Path, inside: Script) -> None:
    runs = [synthetic.one_run(1024 + k, status="failed", reason=text, time_ms=None, samples=None, throughput={},
                              peer={"name": "x", "version": "1.10"})
            for k, text in enumerate(FORMULAS)]  # fmt: skip
    labels = {f"f{k}": text for k, text in enumerate(FORMULAS)}
    path = synthetic.save(tmp_path / "a.json", runs, labels=labels, command=["tribench", *FORMULAS])
    flat = convert(inside, path, tmp_path / "a.csv")
    with flat.open(newline="", encoding="utf-8") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert [cell for cell in cells if cell[:1] in tuple("=+-@\t\r")] == []
    back = read_file(flat)
    assert back.parts[0]["labels"] == labels and back.parts[0]["command"] == ["tribench", *FORMULAS]
    assert [one["reason"] for one in back.runs] == FORMULAS
    assert back.runs[0]["peer"]["version"] == "1.10"
