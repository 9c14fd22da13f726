"""Files of every format are read the same, and what is wrong with one is said with its name."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import synthetic
from conftest import Script
from synthetic import one_run
from tribench_report import cli, documents, frame
from tribench_report.errors import ReportError
from tribench_report.merge import join

HEAD = synthetic.as_lines(synthetic.document([]), footer=False)
LINE = synthetic.as_lines(synthetic.document([one_run()]), footer=False).splitlines(keepends=True)[1]


def test_gzip_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json.gz"
    whole = gzip.compress(json.dumps(synthetic.document([one_run()])).encode())
    path.write_bytes(whole + bytes(512))  # tape drives and some file systems pad with zeros
    assert len(documents.read_file(path).runs) == 1
    for broken in (whole + b"garbage", whole[:60], whole[:40] + bytes(40) + whole[80:]):
        path.write_bytes(broken)
        with pytest.raises(ReportError, match=r"a\.json\.gz: cannot be read"):
            documents.read_file(path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(whole)))
    assert len(documents.read_file(Path("-")).runs) == 1


@pytest.mark.parametrize("edit", [str, lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")])
def test_json_and_jsonl_give_the_same_runs_whatever_editors_do_to_them(
    tmp_path: Path, edit: Callable[[str], str]
) -> None:
    runs, read = synthetic.triangle(ns=(1024,)), []
    for name in ("a.json", "a.jsonl"):
        path = synthetic.save(tmp_path / name, runs)
        path.write_text(edit(path.read_text()), newline="")
        read.append(documents.read_file(path))
    whole, lines = read
    assert whole.runs == lines.runs and len(whole.runs) == 15
    assert [{**part, "file": ""} for part in whole.parts] == [{**part, "file": ""} for part in lines.parts]


@pytest.mark.parametrize(
    ("torn", "count"),
    [
        *((HEAD + LINE + LINE[:-cut], 1) for cut in (2, 40, 700)),
        (HEAD + LINE + '{"type":"run","key":"\udcc3', 1),  # inside a character
        (HEAD, 0),  # of a sweep that did nothing yet
        (HEAD + LINE + LINE, 2),
    ],
)
def test_a_torn_last_line_is_left_out_with_a_warning(tmp_path: Path, torn: str, count: int) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_bytes(torn.encode(errors="surrogateescape"))
    document = documents.read_file(path)
    assert len(document.runs) == count
    assert document.warnings == [f"{path}: the last line is torn and left out"] * (count == 1)


def test_the_invocations_of_a_resumed_file_are_parts_of_it(tmp_path: Path) -> None:
    """Samples of two invocations must not be paired round by round, though they stand in one file."""
    path = tmp_path / "resumed.jsonl"
    timing = {"wall_s": 2.0, "device_s": 1.5}
    lines = synthetic.as_lines(synthetic.document([one_run(1024)])).splitlines()
    lines[-1] = json.dumps({**json.loads(lines[-1]), "timing": timing})
    path.write_text("\n".join(lines) + "\n" + synthetic.as_lines(synthetic.document([one_run(2048)])))
    document = documents.read_file(path)
    assert [run["source"] for run in document.runs] == [0, 1]
    assert [part["timing"] for part in document.parts] == [timing, None]
    merged = join([document, documents.read_file(path)], ["merge"])
    assert [part["runs"] for part in merged["merged_from"]] == [0, 0, 1, 1]
    assert list(frame.load([str(path)]).runs["part"]) == [0, 1]


def test_half_of_a_surrogate_pair_is_one_sentence_and_a_whole_one_is_fine(tmp_path: Path, inside: Script) -> None:
    path = synthetic.save(tmp_path / "odd.json", [one_run(workload="half\ud800", reason="\U0001d11e", huge=1e300)])
    for name in ("merge", "table"):
        result = inside(name, path)
        assert (result.returncode, result.stdout) == (1, "") and "cannot be written in utf-8" in result.stderr, name
    (read,) = documents.read_file(path).runs
    assert (read["reason"], read["huge"]) == ("\U0001d11e", 1e300)


SCHEMA = '"schema": {"name": "tribench", "major": 2}'


BAD = {
    "not a tribench result": "{}",
    "no major version": '{"schema": {"name": "tribench"}}',
    "has schema major 1, of an older tribench; this reads 2": '{"schema": {"name": "tribench", "major": 1}}',
    "'runs' is not a list": f'{{{SCHEMA}, "runs": 3}}',
    "run 1 is not a run": f'{{{SCHEMA}, "runs": [{{}}]}}',
    "NaN is not JSON": f'{{{SCHEMA}, "runs": [NaN]}}',
    "is not JSON": f'{{{SCHEMA}, "runs": []',
    "before any header": '{"type": "run", "key": "a"}\n{}',
    "line 2 is not JSON": HEAD + "{oops\n" + LINE,
    "line 2 is not a JSON object": HEAD + "[1]\n",
    "is nested too deep": '{"type":' * 100_000,
    "nested too deep": HEAD + '{"type":' * 100_000,
    **{f"the number {odd[:20]} is beyond the range of a double": f'{{{SCHEMA}, "runs": [{{"n": {odd}}}]}}'
       for odd in ("1e400", "-1e999", "1" + 400 * "0" + ".0")},
    "the member 'k59999' appears twice": json.dumps({f"k{k}": 0 for k in range(60_000)})[:-1] + ', "k59999": 1}',
}  # fmt: skip


@pytest.mark.parametrize("sentence", BAD)
def test_what_is_not_a_result_is_rejected_with_its_reason(tmp_path: Path, sentence: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(BAD[sentence])
    with pytest.raises(ReportError, match=rf"bad\.json: .*{sentence}"):
        documents.read_file(path)


def test_parameters_are_read_from_their_object(tmp_path: Path) -> None:
    run = {**one_run(), "parameters": {"steps": 4, "radius": 3}}
    found = frame.load([str(synthetic.save(tmp_path / "a.json", [run]))]).runs
    assert found["parameters.steps"].iloc[0] == 4 and found["parameters.radius"].iloc[0] == "3"
    for wrong in (None, 3, {"steps": [4]}):
        path = synthetic.save(tmp_path / "wrong.json", [{**run, "parameters": wrong}])
        with pytest.raises(ReportError, match="'parameters"):
            frame.load([str(path)])


def test_integers_beyond_two_to_the_53_arrive_exactly(tmp_path: Path) -> None:
    run = one_run()
    run["launch"]["blocks"] = "9007199254740993"
    path = synthetic.save(tmp_path / "a.json", [run])
    assert frame.load([str(path)]).runs["launch.blocks"].iloc[0] == 2.0**53  # as near as a double comes
    assert join([documents.read_file(path)], [])["runs"][0]["launch"]["blocks"] == "9007199254740993"


NO_RESULTS = {
    "empty.jsonl": ("", "is empty"),
    "list.json": ('[{"kind": "strategy"}]', "is not a tribench result"),
    "maps.json": ('{"runs": 3}', "not a tribench result (no schema named 'tribench')"),
    "torn.jsonl": ('{"type": "header", "sche', "holds nothing but a torn line"),
}


def test_what_is_no_result_keeps_no_others_in_a_directory_back(tmp_path: Path, inside: Script) -> None:
    for name, (text, _) in NO_RESULTS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "notes.txt").write_text("not a result")
    whole = synthetic.document([one_run()], timing={"wall_s": 2.0, "device_s": 1.5})
    (tmp_path / "only.json").write_text(json.dumps(whole))
    result = inside("merge", tmp_path)
    assert result.returncode == 0 and json.loads(result.stdout) == {**whole, "labels": {}}, "one file passes through"
    said = [f"merge: warning: {tmp_path / name}: {why}, left out\n" for name, (_, why) in NO_RESULTS.items()]
    assert result.stderr == "".join(said)
    for name, (_, why) in NO_RESULTS.items():
        result = inside("merge", f"{tmp_path}/./{name}", tmp_path / "only.json")
        assert result.returncode == 1 and result.stderr == f"merge: {tmp_path / name}: {why}\n"


def test_truncated_json_in_a_directory_is_an_error_as_runs_may_be_lost(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(synthetic.document([one_run()]))[:-40])
    with pytest.raises(ReportError, match=r"a\.json: is not JSON"):
        documents.read([str(tmp_path)])


def test_what_is_too_deep_only_for_those_who_walk_through_it_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def walk(words: list[str]) -> int:
        return walk(words)

    monkeypatch.setattr("sys.argv", ["html"])
    assert cli.main("html", walk) == 1
    assert capsys.readouterr().err == "html: the data is nested too deep\n"


PART = {"file": "a.json", "environment": {}}


ODD = [
    ({"schema": {"name": "tribench", "major": 2, "minor": "x"}}, "'minor' is not a whole number"),
    ({"command": "x"}, "'command' is not a list"),
    ({"started": 5}, "'started' is not text"),
    ({"shard": {"index": 0}}, "'shard' is without count"),
    ({"shard": {"index": "0"}}, "'index' is not a whole number"),
    ({"merged_from": -1}, "'merged_from' is not a list"),
    *(({"merged_from": [part]}, "'merged_from' holds what is not a part") for part in (-1, {})),
    ({"merged_from": [{**PART, "environment": 5}]}, "'environment' is not an object"),
    *(({"merged_from": [PART], "runs": [one_run(source=k)]}, "run .*not in 'merged_from'") for k in (-1, 1, 0.5, "x")),
]


@pytest.mark.parametrize(("changes", "sentence"), ODD)
def test_a_member_of_another_type_is_rejected_where_it_is_read(
    tmp_path: Path, changes: synthetic.Json, sentence: str
) -> None:
    for name in ("a.json", "a.jsonl")[: 1 if "merged_from" in changes else 2]:
        path = synthetic.save(tmp_path / name, **{"runs": [one_run()], **changes})
        with pytest.raises(ReportError, match=f"{re.escape(str(path))}: {sentence}"):
            documents.read_file(path)


@pytest.mark.parametrize("name", ["merge", "plot", "html", "compare", "table"])
def test_usage_errors_are_one_sentence_and_exit_2(inside: Script, name: str) -> None:
    for words in (["--no-such-option"], []):
        result = inside(name, *words)
        assert result.returncode == 2 and result.stdout == ""
        assert result.stderr.count("\n") == 1 and f"{name} --help" in result.stderr
    assert inside(name, "--help").returncode == 0
