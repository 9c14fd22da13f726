"""Reading files: whole, torn, resumed and wrong ones, and the files of a directory."""

from __future__ import annotations

import gzip
import io
import json
import re
from pathlib import Path

import pytest
import synthetic
from conftest import Script
from synthetic import one_run
from tribench_report import cli, compare, documents, frame, groups, merge, repeats, table
from tribench_report.errors import ReportError
from tribench_report.merge import join


def runs_of(path: Path) -> list[synthetic.Json]:
    """The records that count."""
    return list(merge.settle([documents.read_file(path)]).values())


def test_json_and_jsonl_give_the_same_runs(tmp_path: Path) -> None:
    runs = synthetic.triangle(ns=(1024,))
    whole, lines = (documents.read_file(synthetic.save(tmp_path / name, runs)) for name in ("a.json", "a.jsonl"))
    assert whole.runs == lines.runs and len(whole.runs) == 15
    assert [{**part, "file": ""} for part in whole.parts] == [{**part, "file": ""} for part in lines.parts]


def test_gzip_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(json.dumps(synthetic.document([one_run()])).encode()))
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(512))  # tape drives and some file systems pad with zeros
    assert len(runs_of(path)) == 1
    path.write_bytes(whole + b"garbage")
    with pytest.raises(ReportError, match="cannot be read: Not a gzipped"):
        runs_of(path)
    for broken in (whole[:60], whole[:40] + bytes(40) + whole[80:]):
        path.write_bytes(broken)
        with pytest.raises(ReportError, match="cannot be read"):
            runs_of(path)


@pytest.mark.parametrize("cut", [1, 40, 700])
def test_a_torn_last_line_is_left_out_with_a_warning(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "torn.jsonl"
    text = synthetic.as_lines(synthetic.document([one_run(1024), one_run(2048)]), footer=False).rstrip("\n")
    path.write_text(text[:-cut])
    document = documents.read_file(path)
    assert len(document.runs) == 1
    assert document.warnings == [f"{path}: the last line is torn and left out"]


def test_runs_of_a_throttled_device_are_one_warning(tmp_path: Path) -> None:
    runs = [one_run(n) for n in (1024, 2048, 3072)]
    for run in runs[1:]:
        run["caveats"] = "throttled"
    runs[2] |= {"status": "failed", "reason": "hang", "verified": None, "time_ms": None}
    warnings = frame.load([str(synthetic.save(tmp_path / "a.json", runs))]).warnings
    assert warnings == [f"1 run is noted: throttled, {runs[1]['key']} first"]


def test_a_line_torn_inside_a_character_is_tolerated(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_bytes(
        synthetic.as_lines(synthetic.document([one_run()]), footer=False).encode() + b'{"type":"run","key":"\xc3'
    )
    assert len(runs_of(path)) == 1


def test_a_header_alone_is_a_sweep_that_did_nothing_yet(tmp_path: Path) -> None:
    path = tmp_path / "header.jsonl"
    path.write_text(synthetic.as_lines(synthetic.document([]), footer=False))
    assert runs_of(path) == []


def test_a_broken_line_in_the_middle_is_an_error_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    lines = synthetic.as_lines(synthetic.document([one_run()])).splitlines()
    path.write_text("\n".join([lines[0], "{oops", *lines[1:]]))
    with pytest.raises(ReportError, match="line 2 is not JSON"):
        documents.read_file(path)


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


ODD = {
    "1e400": "1e400 is beyond the range of a double",
    "-1e999": "-1e999 is beyond the range of a double",
    "1" + 400 * "0" + ".0": "is beyond the range of a double",
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_what_no_double_can_hold_is_rejected_by_every_command(
    tmp_path: Path, suffix: str, odd: str, capsys: pytest.CaptureFixture[str]
) -> None:
    good = synthetic.save(tmp_path / "good.json", [one_run()])
    for place in ("key", "strategy", "median", "n", "reason"):
        path = synthetic.save(tmp_path / f"odd.{suffix}", [one_run(reason="said")])
        text = path.read_text()
        member = re.compile(rf'("{place}": )("[^"]*"|[0-9.e-]+)')
        assert member.search(text)
        path.write_text(member.sub(lambda found: found[1] + odd, text))
        for body, words in (
            (merge.run, [str(path)]),
            (table.run, [str(path)]),
            (compare.run, [str(good), "--", str(path)]),
            (repeats.run, [str(path), str(path)]),
        ):
            with pytest.raises(ReportError, match=re.escape(ODD[odd])):
                body(words)
    capsys.readouterr()


def test_half_of_a_surrogate_pair_is_one_sentence(tmp_path: Path, inside: Script) -> None:
    path = synthetic.save(tmp_path / "odd.json", [one_run(workload="half\ud800")])
    for name in ("merge", "table"):
        result = inside(name, path)
        assert (result.returncode, result.stdout) == (1, "") and "cannot be written in utf-8" in result.stderr, name


def test_a_whole_surrogate_pair_and_a_large_exponent_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "fine.json"
    run = one_run(reason="\U0001d11e", huge=1e300, tiny=1e-300)
    path.write_text(json.dumps(synthetic.document([run]), ensure_ascii=True))
    (read,) = runs_of(path)
    assert (read["reason"], read["huge"], read["tiny"]) == ("\U0001d11e", 1e300, 1e-300)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("[1]", "not a tribench result"),
        ("{}", "not a tribench result"),
        ('{"schema": {"name": "tribench"}}', "no major version"),
        ('{"schema": {"name": "tribench", "major": 2}, "runs": 3}', "'runs' is not a list"),
        ('{"schema": {"name": "tribench", "major": 2}, "runs": [{}]}', "run 1 is not a run"),
        ('{"schema": {"name": "tribench", "major": 2}, "runs": [NaN]}', "NaN is not JSON"),
        ('{"type": "run", "key": "a"}\n{}', "before any header"),
    ],
)
def test_what_is_not_a_result_is_rejected_with_its_reason(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ReportError, match=sentence):
        documents.read_file(path)


def test_other_schema_majors_are_rejected(tmp_path: Path) -> None:
    old = {"name": "tribench", "major": 1, "minor": 0}
    path = synthetic.save(tmp_path / "b.json", [one_run()], schema=old)
    with pytest.raises(ReportError, match="has schema major 1, of an older tribench; this reads 2"):
        documents.read([str(path)])


def test_parameters_are_read_from_their_object(tmp_path: Path) -> None:
    run = {**one_run(), "parameters": {"steps": 4, "radius": 3}}
    found = frame.load([str(synthetic.save(tmp_path / "a.json", [run]))]).runs
    assert found["parameters.steps"].iloc[0] == 4 and found["parameters.radius"].iloc[0] == "3"
    assert groups.settings(found)[-1] == "parameters.radius"
    assert groups.in_words("parameters.radius", 3) == "radius 3"
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


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", "", "is empty"),
        ("a.json", "", "is empty"),
        ("a.jsonl", '{"type": "header", "sche', "holds nothing but a torn line"),
        ("a.json", '[{"kind": "strategy"}]', "is not a tribench result"),
    ],
)
def test_what_is_no_result_keeps_no_others_in_a_directory_back(
    tmp_path: Path, inside: Script, name: str, text: str, sentence: str
) -> None:
    (tmp_path / name).write_text(text)
    good = synthetic.save(tmp_path / "b.jsonl", [one_run()])
    result = inside("merge", tmp_path)
    assert result.returncode == 0 and len(json.loads(result.stdout)["runs"]) == 1
    assert result.stderr == f"merge: warning: {tmp_path / name}: {sentence}, left out\n"
    result = inside("merge", f"{tmp_path}/./{name}", good)
    assert result.returncode == 1 and result.stderr == f"merge: {tmp_path / name}: {sentence}\n"


def test_truncated_json_in_a_directory_is_an_error_as_runs_may_be_lost(tmp_path: Path) -> None:
    synthetic.save(tmp_path / "b.jsonl", [one_run()])
    (tmp_path / "a.json").write_text(json.dumps(synthetic.document([one_run()]))[:-40])
    with pytest.raises(ReportError, match=r"a\.json: is not JSON"):
        documents.read([str(tmp_path)])


def test_a_directory_stands_for_its_files_and_one_file_passes_through(tmp_path: Path, inside: Script) -> None:
    whole = synthetic.document([one_run()], timing={"wall_s": 2.0, "device_s": 1.5})
    (tmp_path / "only.json").write_text(json.dumps(whole))
    (tmp_path / "notes.txt").write_text("not a result")
    result = inside("merge", tmp_path)
    assert result.returncode == 0 and json.loads(result.stdout) == whole


def test_a_document_is_checked_against_a_schema(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"properties": {"runs": {"items": {"properties": {"n": {"maximum": 2000}}}}}}))
    merge.validate(synthetic.document([one_run(1024)]), path)
    with pytest.raises(ReportError, match="does not allow runs/0/n"):
        merge.validate(synthetic.document([one_run(4096)]), path)
    with pytest.raises(ReportError, match="cannot be read"):
        merge.validate(synthetic.document([]), tmp_path / "missing.json")


def test_standard_input_is_a_file_too(process: Script) -> None:
    result = process("merge", "-", stdin=synthetic.as_lines(synthetic.document([one_run()])))
    assert result.returncode == 0 and len(json.loads(result.stdout)["runs"]) == 1


def test_standard_input_may_be_gzipped(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(json.dumps(synthetic.document([one_run()])).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert len(documents.read_file(Path("-")).runs) == 1


@pytest.mark.parametrize("lines", [1, 2])
def test_json_that_is_nested_too_deep_is_rejected(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "deep.jsonl"
    head = synthetic.as_lines(synthetic.document([one_run()]), footer=False) if lines > 1 else ""
    path.write_text(head + '{"type":' * 100_000)
    with pytest.raises(ReportError, match=r"deep\.jsonl: is nested too deep"):
        documents.read_file(path)


def test_what_is_too_deep_only_for_those_who_walk_through_it_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def walk(words: list[str]) -> int:
        return walk(words)

    monkeypatch.setattr("sys.argv", ["html"])
    assert cli.main("html", walk) == 1
    assert capsys.readouterr().err == "html: the data is nested too deep\n"


PART = {"file": "a.json", "environment": {}}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"schema": {"name": "tribench", "major": 2, "minor": "x"}}, "'minor' is not a whole number"),
        ({"tool": "x"}, "'tool' is not an object"),
        ({"command": "x"}, "'command' is not a list"),
        ({"started": 5}, "'started' is not text"),
        ({"finished": 5}, "'finished' is not text"),
        ({"labels": {"a": [1]}}, "'a' is not text"),
        ({"environment": {"idle_power_w": "much"}}, "'idle_power_w' is not a number"),
        ({"timing": "x"}, "'timing' is not an object"),
        ({"environment": "x"}, "'environment' is not an object"),
        ({"environment": {"gpu": "x"}}, "'gpu' is not an object"),
        ({"environment": {"gpu": {"name": []}}}, "'name' is not text"),
        ({"environment": {"cpu": 5}}, "'cpu' is not an object"),
        ({"environment": {"peak_bandwidth": {"fill_gb_per_s": "x"}}}, "'fill_gb_per_s' is not a number"),
        ({"merged_from": -1}, "'merged_from' is not a list"),
        ({"merged_from": [-1]}, "'merged_from' holds what is not a part"),
        ({"merged_from": [{}]}, "'merged_from' holds what is not a part"),
        ({"merged_from": [{**PART, "tool": "x"}]}, "'tool' is not an object"),
        ({"merged_from": [{**PART, "environment": {"gpu": 5}}]}, "'gpu' is not an object"),
    ],
)
def test_a_member_of_another_type_is_rejected_where_it_is_read(
    tmp_path: Path, changes: synthetic.Json, sentence: str
) -> None:
    for name in ("a.json", "a.jsonl")[: 1 if "merged_from" in changes else 2]:
        path = synthetic.save(tmp_path / name, [one_run()], **changes)
        with pytest.raises(ReportError) as rejected:
            documents.read_file(path)
        assert str(rejected.value).startswith(f"{path}: {sentence}")


@pytest.mark.parametrize(
    ("source", "sentence"), [("x", "a whole number"), (-1, "in 'merged_from'"), (1, "in 'merged_from'")]
)
def test_a_run_comes_from_a_part_of_its_own_file(tmp_path: Path, source: object, sentence: str) -> None:
    path = synthetic.save(tmp_path / "a.json", [one_run(source=source)], merged_from=[PART])
    with pytest.raises(ReportError, match=rf"a\.json: .*'source' is not .*{sentence}"):
        documents.read_file(path)


@pytest.mark.parametrize("name", ["merge", "plot", "html", "compare", "table"])
def test_usage_errors_are_one_sentence_and_exit_2(inside: Script, name: str) -> None:
    for words in (["--no-such-option"], []):
        result = inside(name, *words)
        assert result.returncode == 2 and result.stdout == ""
        assert result.stderr.count("\n") == 1 and f"{name} --help" in result.stderr
    assert inside(name, "--help").returncode == 0
