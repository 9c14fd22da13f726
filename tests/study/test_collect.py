"""study/collect keeps every file of a GPU's results, under its name and with its command."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import synthetic
from conftest import RESULTS, Script
from tribench_report.documents import read
from tribench_report.merge import settle


def bb_at(path: Path, n: int, strategy: str = "bb") -> Path:
    return synthetic.save(path, [synthetic.run(strategy, "dummy", n, random.Random(1))])


def test_each_file_is_a_part_under_its_name_and_keeps_all_of_its_runs(tmp_path: Path, script: Script) -> None:
    files = [bb_at(tmp_path / f"{name}.json", n) for name, n in {"paper": 64, "paper-again": 64, "other": 128}.items()]
    whole = tmp_path / "all.json.gz"
    done = script("collect", whole, *files)
    assert (done.returncode, done.stderr) == (0, "")
    for file in files:
        (alone,), (source,) = read([str(file)]), read([f"{whole}:{file.stem}"])
        assert source.runs == alone.runs
        assert [source.parts[0] | {"file": ""}] == [alone.parts[0] | {"file": "", "labels": {}}]
    assert [run["n"] for run in settle(read([str(whole)])).values()] == [128, 64], "of equal records the last"


def test_a_file_of_the_same_name_takes_the_place_of_the_part(tmp_path: Path, inside: Script) -> None:
    a, b = (bb_at(tmp_path / f"{name}.json", 64) for name in "ab")
    whole = tmp_path / "all.json.gz"
    inside("collect", whole, a, b)
    before = whole.read_bytes()
    inside("collect", whole, a)
    assert whole.read_bytes() == before
    several = tmp_path / "b.json"
    several.write_text(json.dumps({**json.loads(gzip.decompress(before)), "command": ["x"]}))
    inside("collect", whole, bb_at(tmp_path / "c.json", 128, "rb"), several)
    assert [[run["strategy"] for run in one.runs] for one in read([f"{whole}:a,c"])] == [["bb"], ["rb"]]
    (source,) = read([f"{whole}:b"])
    assert len(source.parts) == 2, "parts of one name are one file"


def test_another_invocation_is_kept_beside_the_first(tmp_path: Path, inside: Script) -> None:
    first, again = bb_at(tmp_path / "a.json", 64), tmp_path / "later"
    again.mkdir()
    later, whole = bb_at(again / "a.json", 128), tmp_path / "all.json.gz"
    inside("collect", whole, first)
    inside("collect", "--again", "2", whole, later)
    found = {label: read([f"{whole}:{label}"])[0].runs[0]["n"] for label in ("a", "again-2-a")}
    assert found == {"a": 64, "again-2-a": 128}


def test_a_shipped_collection_is_collected_anew_the_same(tmp_path: Path, inside: Script) -> None:
    shipped, again = RESULTS / "h200-x2.json.gz", tmp_path / "again.json.gz"
    assert inside("collect", again, f"{shipped}:*").returncode == 0
    one, other = (json.loads(gzip.decompress(path.read_bytes())) for path in (shipped, again))
    assert other == {**one, "command": ["study/collect"]}
