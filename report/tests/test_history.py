"""history: files are kept by machine and commit, and a change is dated."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import synthetic
from conftest import Script

COMMITS = ("aaaaaaaaa", "bbbbbbbbb", "ccccccccc", "ddddddddd", "eeeeeeeee")


def invocations(folder: Path, slower_from: int, by: float = 1.05, host: str = "node1") -> list[Path]:
    """Three files of each commit, in turns; one of two keys is slower from a commit on."""
    rng, paths = random.Random(2), []
    folder.mkdir(exist_ok=True)
    for k, commit in enumerate(COMMITS):
        for turn in range(3):
            factor = by if k >= slower_from else 1.0
            runs = [synthetic.run("bb", "edm1", 1024, rng),
                    synthetic.run("ltm-r", "edm1", 1024, rng, factor=factor)]  # fmt: skip
            whole: dict[str, Any] = synthetic.document(runs, started=f"2026-11-{10 + k}T0{turn}:00:00Z")
            whole["tool"]["git_commit"], whole["environment"]["host"]["name"] = commit, host
            path = folder / f"{host}-{k}-{turn}.json"
            path.write_text(synthetic.json.dumps(whole))
            paths.append(path)
    return paths


def test_it_names_the_commit_since_which_a_key_is_slower(tmp_path: Path, inside: Script) -> None:
    for slower_from in (1, 4):  # the first and the last that can be one
        store = tmp_path / f"store{slower_from}"
        paths = invocations(tmp_path / f"new{slower_from}", slower_from)
        done = inside("history", store, *paths, "--junit", tmp_path / "x.xml", "--github", "--fail")
        assert done.returncode == 1, done.stderr
        assert f"slower since {COMMITS[slower_from]} (ratio 1.05" in done.stdout and done.stdout.count("SLOWER") == 1
        assert done.stdout.count("::error title=node1-") == 1
        suite = ElementTree.parse(tmp_path / "x.xml").getroot()[0]
        assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
        assert "/ltm-r/" in [case.get("name") for case in suite if case.find("failure") is not None][0]
        assert len(list(store.glob("*/*.json.gz"))) == 15


def test_nothing_is_said_of_chance_and_machines_stay_apart(tmp_path: Path, inside: Script) -> None:
    store = tmp_path / "store"
    one, two = invocations(tmp_path / "a", 9), invocations(tmp_path / "b", 2, host="node2")
    first = inside("history", store, *one, "--fail")
    assert first.returncode == 0 and "SLOWER" not in first.stdout and "5 commits" in first.stdout
    second = inside("history", store, *two, "--fail")
    assert second.returncode == 1 and second.stdout.startswith("node2-") and "node1" not in second.stdout
    both = inside("history", store, "--out", tmp_path / "figures", "--strategy", "ltm-r")
    assert both.returncode == 0 and both.stdout.count("commits") == 2
    pictures = sorted(path.read_text() for path in (tmp_path / "figures").glob("*.svg"))
    assert len(pictures) == 2 and all(commit in pictures[0] for commit in COMMITS)
    again = inside("history", store, *two)  # the same files add nothing
    assert again.stdout == second.stdout and len(list(store.glob("node2*/*"))) == 15


def test_a_document_without_a_date_is_rejected(tmp_path: Path, inside: Script) -> None:
    whole = synthetic.document([synthetic.one_run()], started=None)
    (tmp_path / "x.json").write_text(synthetic.json.dumps(whole))
    done = inside("history", tmp_path / "store", tmp_path / "x.json")
    assert done.returncode == 1 and "does not say when it started" in done.stderr


def test_the_number_of_commits_counts_against_chance(tmp_path: Path) -> None:
    from tribench_report import frame, history, verdict

    paths = invocations(tmp_path / "a", 9)
    files = [verdict.times(frame.load([str(path)], True).runs) for path in paths]
    known = [history.Version(commit, files[3 * k : 3 * k + 3]) for k, commit in enumerate(COMMITS)]
    p = history.changes(known, 0.015, 0.015).set_index("key")["p"]
    splits = [verdict.compare(files[: 3 * k], files[3 * k :], 0.015, 0.015).set_index("key")["p"] for k in range(1, 5)]
    for key in p.index:
        assert p[key] == pytest.approx(min(1.0, 4 * min(split[key] for split in splits)))


@pytest.mark.parametrize("words", [("--threshold", "-1"), ("--workload", "nothing")])
def test_wrong_use(tmp_path: Path, inside: Script, words: tuple[str, ...]) -> None:
    assert inside("history", tmp_path / "s", *invocations(tmp_path / "a", 9)[:1], *words).returncode in (1, 2)
