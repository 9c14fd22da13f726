"""Joining files: which record counts, clashes, devices and shards; files that are written whole or not at all."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import synthetic
from conftest import Script
from synthetic import one_run
from tribench_report import cli, merge
from tribench_report.documents import read
from tribench_report.errors import ReportError
from tribench_report.frame import load


def runs_of(*words: object) -> list[synthetic.Json]:
    return list(merge.settle(read(list(map(str, words)))).values())


def changed_run(**changes: object) -> synthetic.Json:
    run = one_run(**changes)
    return {**run, "time_ms": {**run["time_ms"], "median": 9.0}}


FAILED = one_run(status="failed", time_ms=None)
WRONG = {**FAILED, "verified": {"status": "fail", "checked": 9, "mismatches": 5, "max_abs_error": 1.0}}
SKIPPED, PLANNED, DROPPED = (one_run(status=status, time_ms=None) for status in ("skipped", "planned", "dropped"))
# A record, a later one, which of them counts, and whether they contradict each other.
PAIRS = {
    "done again": (one_run(), changed_run(), 1, True),
    "done the same": (changed_run(), changed_run(), 1, False),
    "done at last": (FAILED, one_run(), 1, False),
    "failed this time": (one_run(), FAILED, 1, False),
    "right at last": (WRONG, one_run(), 1, True),
    "wrong this time": (one_run(), WRONG, 1, True),
    "started at last": (SKIPPED, FAILED, 1, False),
    **{f"not {one['status']}": (first, one, 0, False) for one in (SKIPPED, PLANNED, DROPPED)
       for first in (one_run(), FAILED)},
}  # fmt: skip


@pytest.mark.parametrize("case", PAIRS)
def test_the_last_record_counts_and_contradictions_are_named(tmp_path: Path, case: str, inside: Script) -> None:
    *pair, place, contradicts = PAIRS[case]
    files = [synthetic.save(tmp_path / f"{k}.jsonl", [run]) for k, run in enumerate(pair)]
    told = inside("merge", *files, "-o", tmp_path / "all.json")
    key = pair[0]["key"]
    said = f"merge: warning: 1 run has different results in several files, and the last one counts: {key}\n"
    assert (told.returncode, told.stderr) == (0, said if contradicts else "")
    resumed, together = tmp_path / "resumed.jsonl", synthetic.save(tmp_path / "both.json", pair)
    resumed.write_text("".join(file.read_text() for file in files))
    for path in (tmp_path / "all.json", resumed, together):
        assert [{**run, "source": 0} for run in runs_of(path)] == [{**pair[place], "source": 0}], path
        assert inside("merge", path).stderr == "", "one file does not contradict itself"


def test_overlapping_sweeps_are_one_warning_for_those_who_read_them(tmp_path: Path) -> None:
    files = [synthetic.save(tmp_path / f"{k}.json", synthetic.triangle(seed=k)) for k in (1, 2)]
    (warning,) = load([str(file) for file in files]).warnings
    assert warning.startswith("60 runs have different results in several files, and the last one counts: cuda/dummy/bb")


def test_merging_a_merged_file_again_keeps_every_origin(tmp_path: Path, inside: Script) -> None:
    for k, n in enumerate((1024, 2048, 4096)):
        synthetic.save(tmp_path / f"{k}.jsonl", [one_run(n)])
    first = inside("merge", tmp_path / "0.jsonl", tmp_path / "1.jsonl", "-o", tmp_path / "m.json")
    again = inside("merge", tmp_path / "2.jsonl", tmp_path / "m.json")
    assert (first.returncode, again.returncode) == (0, 0)
    whole = json.loads(again.stdout)
    assert [Path(part["file"]).name for part in whole["merged_from"]] == ["2.jsonl", "0.jsonl", "1.jsonl"]
    assert {run["n"]: run["source"] for run in whole["runs"]} == {4096: 0, 1024: 1, 2048: 2}


def test_runs_of_two_devices_are_all_kept(tmp_path: Path, inside: Script) -> None:
    a = synthetic.save(tmp_path / "a.json", synthetic.triangle())
    b = synthetic.save(tmp_path / "b.json", synthetic.triangle(seed=2), gpu="NVIDIA H100")
    out = tmp_path / "both.json"
    result = inside("merge", a, b, "-o", out)
    assert result.stderr == "merge: warning: the runs are from different devices: NVIDIA H100, NVIDIA H200\n"
    for words in ([str(a), str(b)], [str(out)]):
        found = load(words)
        assert found.warnings == [] and len(found.runs) == 120
        for device, seed in (("NVIDIA H100", 2), ("NVIDIA H200", 1)):
            medians = found.runs[found.runs["device"] == device].set_index("key")["time_ms.median"]
            assert medians.to_dict() == {one["key"]: one["time_ms"]["median"] for one in synthetic.triangle(seed=seed)}


def test_other_numbers_of_threads_are_other_devices(tmp_path: Path, inside: Script) -> None:
    environment = synthetic.environment(gpu=None)
    for threads in (1, 2):
        cpu = {**environment["cpu"], "threads": threads}
        path = tmp_path / f"{threads}.json"
        synthetic.save(path, [one_run(engine="cpu")], environment={**environment, "cpu": cpu})
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    both = "Example CPU 9000, 1 thread, Example CPU 9000, 2 threads"
    assert both in inside("merge", one, two, "-o", tmp_path / "both.json").stderr
    assert ", ".join(load([str(tmp_path / "both.json")]).runs["device"]) == both
    compared = inside("compare", one, two)
    assert "OLD is from Example CPU 9000, 1 thread, 16 cores, NEW from Example CPU 9000, 2 thr" in compared.stderr


def test_merge_writes_whole_files_or_none(tmp_path: Path, inside: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    a = synthetic.save(tmp_path / "a.json", [one_run()])
    out = tmp_path / "out.json"
    out.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(ReportError, match="No space left"):
            cli.write_whole(out, "after")
    assert inside("merge", a, tmp_path / "missing.json", "-o", out).returncode == 1
    assert out.read_text() == "before"
    for unwritable in (tmp_path, tmp_path / "no" / "dir.json", "/dev/full"):
        assert inside("merge", a, "-o", unwritable).returncode == 1
    assert inside("merge", a, "-o", out).returncode == 0
    assert json.loads(out.read_text())["runs"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json", "out.json"]


# ---- shards


def _shards(tmp_path: Path) -> list[Path]:
    """A shard for each size, as tribench --shard k/3 writes them."""
    paths = []
    for index, n in enumerate((1024, 2048, 4096)):
        runs = synthetic.triangle(synthetic.PAPER, ("edm1",), (n,))
        keys = [run["key"] for run in runs]
        shard = {"index": index, "count": 3, "sweep": "0123456789abcdef", "sweep_runs": 15, "runs": keys}
        paths.append(synthetic.save(tmp_path / f"part{index}.jsonl", runs, shard=shard))
    return paths


def test_merge_says_which_shards_are_missing(tmp_path: Path, inside: Script) -> None:
    paths, out, lines = _shards(tmp_path), tmp_path / "all.json", tmp_path / "all.jsonl"
    for count, words in {3: "", 2: "10 of 15 runs, missing: 5 of shards 2/3", 1: "10 of shards 1/3, 2/3"}.items():
        some = paths[:count]
        merged = inside("merge", *some, "-o", out)
        assert merged.returncode == bool(words) and words in merged.stderr and bool(merged.stderr) == bool(words)
        assert len(json.loads(out.read_text())["runs"]) == 5 * count
        # A partial merge still knows what is missing, also as lines, which do not say what each shard was read from.
        assert inside("merge", *some, "-o", lines, "--partial").returncode == 0
        for path in (out, lines):
            assert inside("merge", path).stderr == merged.stderr
    assert inside("merge", out, *paths[1:]).returncode == 0, "a later merge completes it"


def test_a_file_that_went_on_as_another_sweep_is_of_that_one(tmp_path: Path, inside: Script) -> None:
    first, second = (path.read_text() for path in _shards(tmp_path)[:2])
    path = tmp_path / "on.jsonl"
    changes = {'"index": 1, "count": 3, "sweep": "0': '"index": 0, "count": 1, "sweep": "f', "15,": "5,"}
    for before, after in changes.items():
        assert before in second
        second = second.replace(before, after, 1)
    path.write_text(first + second)
    said = inside("merge", path)
    assert (said.returncode, said.stderr) == (0, "")


def test_what_a_task_did_not_come_to_is_missing_and_what_failed_is_not(tmp_path: Path, inside: Script) -> None:
    paths = _shards(tmp_path)
    whole = paths[1].read_text()
    paths[1].write_text(whole.replace('"status": "ok"', '"status": "failed"'))
    assert inside("merge", *paths).returncode == 0
    lines = [line.replace('"status": "ok"', '"status": "interrupted"') if "/ltm-r/" in line else line
             for line in whole.splitlines(keepends=True) if "/rb/" not in line or '"header"' in line]  # fmt: skip
    paths[1].write_text("".join(lines))
    said = inside("merge", *paths)
    assert said.returncode == 1 and "13 of 15 runs, missing: " in said.stderr
    assert "/ltm-r/n2048/" in said.stderr and "/rb/n2048/" in said.stderr
    shard = {"index": 2, "count": 3, "sweep": "f" * 16, "sweep_runs": 1, "runs": [one_run(64)["key"]]}
    said = inside("merge", *paths[:2], synthetic.save(tmp_path / "other.json", [one_run(64)], shard=shard))
    assert said.returncode == 1 and "8 of 15 runs" in said.stderr, "other sweeps do not fill gaps"


def test_a_sweep_that_goes_on_in_fewer_shards_is_one_sweep(tmp_path: Path, inside: Script) -> None:
    paths = _shards(tmp_path)
    keys = [json.loads(line)["key"] for path in paths[1:] for line in path.read_text().splitlines() if '"key"' in line]
    shard = {"index": 1, "count": 2, "sweep": "0123456789abcdef", "sweep_runs": 15, "runs": keys}
    runs = [run for n in (2048, 4096) for run in synthetic.triangle(synthetic.PAPER, ("edm1",), (n,))]
    anew = synthetic.save(tmp_path / "anew.jsonl", runs, shard=shard)
    said = inside("merge", paths[0], anew)
    assert (said.returncode, said.stderr) == (0, "")
    anew.write_text(synthetic.as_lines(synthetic.document(runs[5:], shard={**shard, "runs": keys[5:]})))
    assert "10 of 15 runs, missing: 5 of shards 0/2\n" in inside("merge", paths[0], anew).stderr


def test_a_shard_of_a_trillion_costs_what_is_there(tmp_path: Path, inside: Script) -> None:
    keys = [f"k{k}" for k in range(99)]
    shard = {"index": 3, "count": 10**12, "sweep": "a", "sweep_runs": 10**12, "runs": keys}
    result = inside("merge", synthetic.save(tmp_path / "a.json", [one_run()], shard=shard), "--partial")
    assert result.returncode == 0 and len(result.stderr) < 500
    assert "k9, 89 more, 999999999901 of shards 0/1000000000000, 1/1000000000000, 2/1000000000000, 4/" in result.stderr


@pytest.mark.parametrize("first_is_older", [True, False])
def test_a_joined_document_spans_its_files_and_has_the_newest_minor(tmp_path: Path, first_is_older: bool) -> None:
    older = synthetic.document([one_run(1024)], started="2025-01-02T03:04:05Z", finished="2025-01-02T04:00:00Z")
    newer = synthetic.document([one_run(2048)], started="2025-06-02T03:04:05Z", finished="2025-06-02T04:00:00Z")
    older["schema"], newer["schema"] = ({"name": "tribench", "major": 2, "minor": minor} for minor in (1, 4))
    documents = [older, newer] if first_is_older else [newer, older]
    documents[1]["environment"] = {**older["environment"], "idle_power_w": 77.0}
    for k, document in enumerate(documents):
        document["labels"] = {"node": "a", "file": str(k)}
        (tmp_path / f"{k}.jsonl").write_text(synthetic.as_lines(document))
    merged = merge.join(read([str(tmp_path)]), [])
    assert merged["schema"]["minor"] == 4 and merged["labels"] == {"node": "a"}
    assert merged["environment"] == documents[0]["environment"] != documents[1]["environment"]
    assert (merged["started"], merged["finished"]) == ("2025-01-02T03:04:05Z", "2025-06-02T04:00:00Z")


# ---- parts of a joined document


def test_parts_are_read_as_the_files_that_they_were(tmp_path: Path, inside: Script) -> None:
    for name, n in {"paper": 64, "paper-again": 128, "other": 256}.items():
        synthetic.save(tmp_path / f"{name}.json", [synthetic.run("bb", "dummy", n, random.Random(1))])
    whole = tmp_path / "all" / "all.json.gz"
    whole.parent.mkdir()
    assert inside("merge", tmp_path, "-o", whole).returncode == 0
    assert whole.read_bytes()[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "gzipped, without a date"
    named = [source.name.rpartition(":")[2] for source in read([f"{whole}:other,paper*"])]
    assert named == ["other", "paper-again", "paper"], "as wanted, and those of a pattern as they are joined"
    (alone,), (part,) = read([str(tmp_path / "paper.json")]), read([f"{whole}:paper"])
    assert part.runs == alone.runs and part.parts[0]["environment"] == alone.parts[0]["environment"]
    assert "has no part 'b*'" in inside("table", f"{whole}:paper,b*").stderr
    odd = tmp_path / "x:a"
    odd.write_bytes(whole.read_bytes())
    assert len(read([str(odd)])) == 1, "a file of that name comes first"
