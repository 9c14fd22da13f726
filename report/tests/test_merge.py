"""Joining files: what beats what, clashes, devices and shards; files that are written whole or not at all."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path

import pytest
import synthetic
from conftest import REPORT, Script
from synthetic import one_run
from tribench_report import cli, merge
from tribench_report.documents import Document, read
from tribench_report.errors import ReportError
from tribench_report.frame import load


def runs_of(*words: object) -> list[synthetic.Json]:
    return list(merge.settle(read(list(map(str, words)))).values())


def sources(tmp_path: Path, *lists: list[synthetic.Json]) -> list[Document]:
    paths = [synthetic.save(tmp_path / f"{k}.jsonl", runs) for k, runs in enumerate(lists)]
    return read([str(path) for path in paths])


def joined(documents: list[Document]) -> tuple[list[synthetic.Json], list[str]]:
    """The records that count, and the clashes, one for each run."""
    return list(merge.settle(documents).values()), merge.clashes(documents)[1:]


def changed_run() -> synthetic.Json:
    run = one_run()
    run["time_ms"] = {**run["time_ms"], "median": 9.0}
    return run


UNCHECKED = {"status": "none", "checked": 0, "mismatches": 0, "max_abs_error": 0.0}
WRONG = {"status": "fail", "checked": 9, "mismatches": 5, "max_abs_error": 1.0}
(METERED,) = synthetic.count_energy([one_run()])
UNREAD = {**one_run(), "energy": {**METERED["energy"], "launch_j": None, "reason": "no meter"}}
# The record that counts, the other one, and whether they contradict each other.
BEATS = {
    "done": (one_run(), one_run(status="failed", time_ms=None), False),
    "metered": (METERED, changed_run(), True),
    "the meter was read": (METERED, UNREAD, False),
    "verified": (one_run(), {**changed_run(), "verified": UNCHECKED}, True),
    "verified, not metered": (one_run(), {**METERED, "verified": UNCHECKED}, True),
    "wrong": (one_run(status="failed", verified=WRONG, time_ms=None), {**one_run(), "verified": UNCHECKED}, True),
    **{
        f"{status}, not {never}": (one_run(status=status), one_run(status=never, time_ms=None), False)
        for status in ("ok", "failed")
        for never in ("skipped", "planned", "dropped")
    },
}


@pytest.mark.parametrize("case", BEATS)
def test_the_record_that_tells_most_counts_wherever_it_stands(tmp_path: Path, case: str, inside: Script) -> None:
    best, other, contradicts = BEATS[case]
    for order in ((best, other), (other, best)):
        apart = sources(tmp_path, *([run] for run in order))
        runs, clashes = joined(apart)
        assert [{**run, "source": 0} for run in runs] == [{**best, "source": 0}] and len(clashes) == contradicts
        resumed, together = tmp_path / "resumed.jsonl", synthetic.save(tmp_path / "both.json", list(order))
        resumed.write_text("".join(Path(document.name).read_text() for document in apart))
        assert inside("merge", "--collect", *(one.name for one in apart), "-o", tmp_path / "all.json").returncode == 0
        for path in (resumed, together, tmp_path / "all.json"):
            assert [run["status"] for run in runs_of(path)] == [best["status"]], path
            assert [run.get("energy") for run in runs_of(path)] == [best.get("energy")], path


def test_of_equal_records_the_later_counts_and_different_ones_are_named(tmp_path: Path, inside: Script) -> None:
    (again,) = synthetic.count_energy([changed_run()], watts=600.0)
    for one, other, named in ((METERED, again, 1), (one_run(), changed_run(), 1), (changed_run(), changed_run(), 0)):
        documents = sources(tmp_path, [one], [other])
        ((run,), clashes) = joined(documents)
        assert run["time_ms"]["median"] == 9.0 and [words.split()[0] for words in clashes] == [run["key"]] * named
        files = [document.name for document in documents]
        told = inside("merge", *files)
        assert told.returncode == 0 and told.stderr.count(run["key"]) == named
        strict = inside("merge", "--strict", *files, "-o", tmp_path / "out.json")
        assert strict.returncode == named and (tmp_path / "out.json").exists() == (not named)


def test_merging_a_merged_file_again_keeps_every_origin(tmp_path: Path, inside: Script) -> None:
    for k, n in enumerate((1024, 2048, 4096)):
        synthetic.save(tmp_path / f"{k}.jsonl", [one_run(n)])
    first = inside("merge", tmp_path / "0.jsonl", tmp_path / "1.jsonl", "-o", tmp_path / "m.json")
    again = inside("merge", tmp_path / "2.jsonl", tmp_path / "m.json")
    assert (first.returncode, again.returncode) == (0, 0)
    whole = json.loads(again.stdout)
    assert [Path(part["file"]).name for part in whole["merged_from"]] == ["2.jsonl", "0.jsonl", "1.jsonl"]
    assert {run["n"]: run["source"] for run in whole["runs"]} == {4096: 0, 1024: 1, 2048: 2}


def test_runs_of_two_gpus_are_all_kept(tmp_path: Path, inside: Script) -> None:
    a = synthetic.save(tmp_path / "a.json", synthetic.triangle())
    b = synthetic.save(tmp_path / "b.json", synthetic.triangle(seed=2), gpu="NVIDIA H100")
    out = tmp_path / "both.json"
    result = inside("merge", a, b, "-o", out)
    assert result.returncode == 0 and "twice" not in result.stderr
    assert "the parts differ in GPU: NVIDIA H100, NVIDIA H200" in result.stderr, (
        "which a sweep on one kind of GPU should not have"
    )
    assert len(json.loads(out.read_text())["runs"]) == 120
    for words in ([str(a), str(b)], [str(out)]):
        found = load(words)
        assert found.warnings == []
        for device, seed in (("NVIDIA H100", 2), ("NVIDIA H200", 1)):
            medians = found.runs[found.runs["device"] == device].set_index("key")["time_ms.median"]
            assert medians.to_dict() == {one["key"]: one["time_ms"]["median"] for one in synthetic.triangle(seed=seed)}


def test_runs_on_other_numbers_of_threads_are_all_kept(tmp_path: Path, inside: Script) -> None:
    environment = synthetic.environment(gpu=None)
    for threads in (1, 2):
        cpu = {**environment["cpu"], "threads": threads}
        path = tmp_path / f"{threads}.json"
        synthetic.save(path, [one_run(engine="cpu")], environment={**environment, "cpu": cpu})
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    result = inside("merge", one, two, "-o", tmp_path / "both.json")
    assert result.returncode == 0 and result.stderr.endswith("the parts differ in --threads: 1, 2\n")
    devices = set(load([str(tmp_path / "both.json")]).runs["device"])
    assert devices == {"Example CPU 9000, 1 thread", "Example CPU 9000, 2 threads"}
    compared = inside("compare", one, two)
    assert "OLD is from Example CPU 9000, 1 thread, 16 cores, NEW from Example CPU 9000, 2 thr" in compared.stderr


def on_host(path: Path, runs: list[synthetic.Json], host: str) -> Path:
    environment = synthetic.environment()
    return synthetic.save(path, runs, environment={**environment, "host": {**environment["host"], "name": host}})


def test_equal_gpus_of_two_hosts_are_two_devices_where_they_measured_the_same(tmp_path: Path) -> None:
    runs = synthetic.triangle()
    a, b = (on_host(tmp_path / f"{host}.json", runs, host) for host in ("node1", "node2"))
    assert set(load([str(a), str(b)]).runs["device"]) == {"NVIDIA H200 (node1)", "NVIDIA H200 (node2)"}
    # The nodes of a cluster that share the work of one sweep are one device.
    a, b = on_host(tmp_path / "1.json", runs[:30], "node1"), on_host(tmp_path / "2.json", runs[30:], "node2")
    assert set(load([str(a), str(b)]).runs["device"]) == {"NVIDIA H200"}


def test_a_wrong_result_is_not_forgotten_because_another_host_or_time_was_right(tmp_path: Path) -> None:
    wrong = one_run(status="failed", time_ms=None)
    wrong["verified"] = {"status": "fail", "checked": 524800, "mismatches": 3, "max_abs_error": None}
    a, b = on_host(tmp_path / "a.json", [one_run()], "node1"), on_host(tmp_path / "b.json", [wrong], "node2")
    for order in ([a, b], [b, a]):
        found = load([str(path) for path in order])
        assert len(found.runs) == 2 and any("1 run failed verification" in said for said in found.warnings)
    again = on_host(tmp_path / "c.json", [one_run()], "node2")
    runs, clashes = joined(read([str(b), str(again)]))
    assert [run["status"] for run in runs] == ["ok"]
    assert len(clashes) == 1 and "was wrong in" in clashes[0]


def test_what_failed_on_one_host_and_came_off_on_another_is_one_run(tmp_path: Path) -> None:
    failed = [{**run, "status": "failed", "reason": "lost", "time_ms": None} for run in synthetic.triangle()]
    a = on_host(tmp_path / "a.json", failed, "node1")
    b = on_host(tmp_path / "b.json", synthetic.triangle(), "node2")
    for words in ([str(a), str(b)], [str(b), str(a)]):
        found = load(words)
        assert len(found.runs) == len(found.usable) == 60
        assert set(found.runs["device"]) == {"NVIDIA H200"}
    again = on_host(tmp_path / "c.json", failed, "node3")
    assert len(load([str(a), str(again)]).runs) == 60


def test_merge_writes_whole_files_or_none(tmp_path: Path, inside: Script) -> None:
    a = synthetic.save(tmp_path / "a.json", [one_run()])
    out = tmp_path / "out.json"
    out.write_text("before")
    assert inside("merge", a, tmp_path / "missing.json", "-o", out).returncode == 1
    assert out.read_text() == "before"
    assert inside("merge", a, "-o", tmp_path).returncode == 1
    assert inside("merge", a, "-o", tmp_path / "no" / "dir.json").returncode == 1
    assert inside("merge", a, "-o", "/dev/full").returncode == 1
    assert inside("merge", a, "-o", out).returncode == 0
    assert json.loads(out.read_text())["runs"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json", "out.json"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.json"
    path.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ReportError, match="No space left"):
        cli.write_whole(path, "after")
    assert path.read_text() == "before" and [p.name for p in tmp_path.iterdir()] == ["out.json"]


def test_overlapping_sweeps_are_one_warning_for_those_who_read_them(tmp_path: Path) -> None:
    files = [synthetic.save(tmp_path / f"{k}.json", synthetic.triangle(seed=k)) for k in (1, 2)]
    (warning,) = load([str(file) for file in files]).warnings
    assert warning.startswith("60 runs appear twice with different results, the one that tells most counts: ")
    assert ": cuda/dummy/bb/" in warning


def _shards(tmp_path: Path, ns: tuple[int, ...] = (1024, 2048, 4096)) -> list[Path]:
    """A shard for each size, as tribench --shard k/3 writes them."""
    paths, whole = [], 3 * len(synthetic.PAPER)
    for index, n in enumerate(ns):
        runs = synthetic.triangle(synthetic.PAPER, ("edm1",), (n,))
        shard = {
            "index": index, "count": 3, "sweep": "0123456789abcdef", "sweep_runs": whole,
            "runs": [run["key"] for run in runs],
        }  # fmt: skip
        paths.append(synthetic.save(tmp_path / f"part{index}.jsonl", runs, shard=shard))
    return paths


def test_merge_says_which_shards_are_missing(tmp_path: Path, inside: Script) -> None:
    paths, out, lines = _shards(tmp_path), tmp_path / "all.json", tmp_path / "all.jsonl"
    for count, words in {3: "", 2: "10 of 15 runs, missing: 5 of shard 2/3", 1: "10 of shards 1/3, 2/3"}.items():
        some = paths[:count]
        merged = inside("merge", *some, "-o", out)
        assert merged.returncode == bool(words) and words in merged.stderr and bool(merged.stderr) == bool(words)
        assert len(json.loads(out.read_text())["runs"]) == 5 * count
        assert inside("merge", *some, "-o", out, "--partial").returncode == 0
        # A partial merge still knows what is missing, also as lines, which do not say what each shard was read from.
        assert inside("convert", out, "-o", lines).returncode == 0
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


def test_merge_names_the_runs_that_a_task_did_not_come_to(tmp_path: Path, inside: Script) -> None:
    paths = _shards(tmp_path)
    lines = paths[1].read_text().splitlines(keepends=True)
    torn = [line.replace('"status": "ok"', '"status": "interrupted"') if "/ltm-r/" in line else line for line in lines]
    paths[1].write_text("".join(line for line in torn if "/rb/" not in line or '"header"' in line))
    said = inside("merge", *paths)
    assert said.returncode == 1 and "13 of 15 runs, missing: " in said.stderr
    assert "/ltm-r/n2048/" in said.stderr and "/rb/n2048/" in said.stderr


def test_a_failed_run_is_not_missing_and_other_sweeps_do_not_fill_gaps(tmp_path: Path, inside: Script) -> None:
    paths = _shards(tmp_path)
    paths[1].write_text(paths[1].read_text().replace('"status": "ok"', '"status": "failed"'))
    assert inside("merge", *paths).returncode == 0
    shard = {"index": 2, "count": 3, "sweep": "f" * 16, "sweep_runs": 1, "runs": [one_run(64)["key"]]}
    said = inside("merge", *paths[:2], synthetic.save(tmp_path / "other.json", [one_run(64)], shard=shard))
    assert said.returncode == 1 and "10 of 15 runs" in said.stderr


def test_a_sweep_that_goes_on_in_fewer_shards_is_one_sweep(tmp_path: Path, inside: Script) -> None:
    paths = _shards(tmp_path)
    keys = [json.loads(line)["key"] for path in paths[1:] for line in path.read_text().splitlines() if '"key"' in line]
    shard = {"index": 1, "count": 2, "sweep": "0123456789abcdef", "sweep_runs": 15, "runs": keys}
    runs = [run for n in (2048, 4096) for run in synthetic.triangle(synthetic.PAPER, ("edm1",), (n,))]
    anew = synthetic.save(tmp_path / "anew.jsonl", runs, shard=shard)
    said = inside("merge", paths[0], anew)
    assert (said.returncode, said.stderr) == (0, "")


def test_a_shard_of_a_trillion_costs_what_is_there(tmp_path: Path, inside: Script) -> None:
    shard = {"index": 3, "count": 10**12, "sweep": "a", "sweep_runs": 10**12, "runs": [one_run()["key"]]}
    path = synthetic.save(tmp_path / "a.json", [one_run()], shard=shard)
    tracemalloc.start()
    result = inside("merge", path, "--partial", "-o", tmp_path / "m.json")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.returncode == 0 and peak < 10_000_000
    assert "999999999999 of shards 0/1000000000000, 1/1000000000000, 2/1000000000000, 4/" in result.stderr
    assert "and 999999999989 more" in result.stderr


@pytest.mark.parametrize("first_is_older", [True, False])
def test_a_joined_document_spans_its_files_and_has_the_newest_minor(tmp_path: Path, first_is_older: bool) -> None:
    older = synthetic.document([one_run(1024)], started="2025-01-02T03:04:05Z", finished="2025-01-02T04:00:00Z")
    newer = synthetic.document([one_run(2048)], started="2025-06-02T03:04:05Z", finished="2025-06-02T04:00:00Z")
    older["schema"], newer["schema"] = ({"name": "tribench", "major": 2, "minor": minor} for minor in (1, 4))
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    documents = [older, newer] if first_is_older else [newer, older]
    documents[1]["environment"] = {**older["environment"], "idle_power_w": 77.0}
    for file, document in zip(files, documents):
        file.write_text(synthetic.as_lines(document))
    merged = merge.join(read(list(map(str, files))), [])
    appended = tmp_path / "both.jsonl"
    appended.write_text("".join(file.read_text() for file in files))
    (resumed,) = read([str(appended)])
    assert merged["schema"]["minor"] == resumed.schema["minor"] == 4
    assert merged["environment"] == documents[0]["environment"] != documents[1]["environment"]
    assert merged["started"] == "2025-01-02T03:04:05Z"
    assert merged["finished"] == resumed.parts[1 if first_is_older else 0]["finished"] == "2025-06-02T04:00:00Z"


# ---- parts of a joined document


def bb_at(path: Path, n: int, strategy: str = "bb") -> Path:
    return synthetic.save(path, [synthetic.run(strategy, "dummy", n, random.Random(1))])


def test_a_collection_keeps_each_file_with_its_command_under_its_name(tmp_path: Path, inside: Script) -> None:
    names = {"paper": 64, "paper-again": 64, "other": 128}
    files = [bb_at(tmp_path / f"{name}.json", n) for name, n in names.items()]
    whole = tmp_path / "all.json.gz"
    assert inside("merge", "--collect", *files, "-o", whole).returncode == 0
    assert whole.read_bytes()[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "gzipped, without a date"
    for file in files:
        (alone,), (source,) = read([str(file)]), read([f"{whole}:{file.stem}"])
        assert source.runs == alone.runs
        assert [source.parts[0] | {"file": ""}] == [alone.parts[0] | {"file": "", "labels": {}}]
    named = [source.name.rpartition(":")[2] for source in read([f"{whole}:other,paper*"])]
    assert named == ["other", "paper-again", "paper"], "as wanted, and those of a pattern as files in a folder"
    assert [run["n"] for run in runs_of(whole)] == [128, 64], "of equal records the last"


def test_a_file_named_again_takes_the_place_of_the_part(tmp_path: Path, inside: Script) -> None:
    a, b = (bb_at(tmp_path / f"{name}.json", 64) for name in "ab")
    whole, joined = tmp_path / "all.json.gz", tmp_path / "joined.json"
    inside("merge", "--collect", a, b, "-o", whole)
    before = whole.read_bytes()
    inside("merge", "--collect", f"{whole}:*", "-o", whole)
    assert whole.read_bytes() == before
    inside("merge", "--collect", f"{whole}:*", bb_at(tmp_path / "b.json", 64, "rb"), "-o", whole)
    assert [[run["strategy"] for run in one.runs] for one in read([f"{whole}:a,b"])] == [["bb"], ["rb"]]
    inside("merge", a, bb_at(tmp_path / "c.json", 128), "-o", joined)
    inside("merge", "--collect", f"{whole}:*", joined, "-o", whole)
    (alone,), (source,) = read([str(joined)]), read([f"{whole}:joined"])
    assert source.runs == alone.runs and len(source.parts) == 2, "parts of one name are one file"


def test_parts_that_are_not_there_are_named(tmp_path: Path, inside: Script) -> None:
    path = bb_at(tmp_path / "a.json", 64)
    assert "is not joined from several files" in inside("table", f"{path}:a").stderr
    inside("merge", "--collect", path, "-o", tmp_path / "all.json")
    assert "has no part 'b*'" in inside("table", f"{tmp_path}/all.json:a,b*").stderr
    odd = tmp_path / "x:a"
    odd.write_text(path.read_text())
    assert len(read([str(odd)])) == 1, "a file of that name comes first"


def test_a_shipped_collection_is_valid_and_collected_anew_the_same(tmp_path: Path, inside: Script) -> None:
    shipped, again = REPORT.parent / "study" / "results" / "h200-x2.json.gz", tmp_path / "again.json.gz"
    result = inside("merge", "--collect", f"{shipped}:*", "-o", again, "--validate")
    assert (result.returncode, result.stderr) == (0, "")
    assert again.read_bytes() == shipped.read_bytes()
