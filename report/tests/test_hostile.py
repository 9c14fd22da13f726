"""Files that no tribench wrote: every script answers with a sentence and status 1, and the page shows no markup."""

from __future__ import annotations

import copy
import json
import os
import random
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import synthetic
from conftest import Script
from test_maps import BB_2
from tribench_report.__main__ import COMMANDS
from tribench_report.documents import read
from tribench_report.merge import dump, join

MARKUP = "</script><!--<img src=x onerror=alert(1)>\"'&lt;`@@data@@"
SCRIPTS = ("merge", "table", "compare", "advice", "html", "plot")


def words(name: str, path: Path) -> list[object]:
    """Arguments with which a script reads the file."""
    return {
        "compare": [path, "--", path],
        "html": [path],
        "plot": [path, "--figure", "overview", "--format", "png", "--out", path.parent / "figures"],
    }.get(name, [path])


def test_a_file_of_many_invocations_is_read_in_time(tmp_path: Path, inside: Script) -> None:
    head, line = synthetic.as_lines(synthetic.document([synthetic.one_run()]), footer=False).splitlines(keepends=True)
    short = json.loads(line) | {"samples": None}
    lines = [f"{head}{json.dumps(short | {'key': f'k{k}'})}\n" for k in range(6_000)]
    path = tmp_path / "many.jsonl"
    path.write_text("".join(lines))
    begun = time.process_time()
    for words in (["merge", path], ["merge", path, "-f", "jsonl"], ["table", path]):
        inside(*words, "-o", tmp_path / "out")
    assert time.process_time() - begun < 9


class Elements(HTMLParser):
    """The elements of a page, and everything that a browser would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attributes if name in ("src", "href", "action", "data", "srcset")]
        assert not [name for name, _ in attributes if name.startswith("on")], (tag, attributes)


def with_markup(value: Any, kept: tuple[str, ...]) -> Any:
    """Every text and every name of a member that the scripts do not go by."""
    if isinstance(value, dict):
        return {name: part if name in kept else with_markup(part, kept) for name, part in value.items()}
    if isinstance(value, list):
        return [with_markup(part, kept) for part in value]
    return value + MARKUP if isinstance(value, str) else value


def test_no_text_of_a_file_is_markup_in_the_page(tmp_path: Path, inside: Script) -> None:
    """Host, GPU, driver, flags, version, commit, command, dates, keys, workloads, reasons; and the file's own name."""
    runs = synthetic.triangle(("bb", "rb", "rec"), ("dummy", "edm1"), (1024, 4096), parameters={f"p{MARKUP}": MARKUP})
    runs[1].update(status="failed", reason="why", time_ms=None, improvement=None)
    kept = ("schema", "name", "status", "strategy", "baseline", "memory", "cell", "domain")
    whole = with_markup(synthetic.document(runs), kept)
    whole["environment"]["gpu"]["name"] += MARKUP
    paths = []
    for host in ("one", "two"):  # which makes the host a part of the device's name
        data = copy.deepcopy(whole)
        data["environment"]["host"]["name"] = host + MARKUP
        paths.append(tmp_path / f"{host}<img src=x onerror=alert(2)>.json")
        paths[-1].write_text(json.dumps(data))
    result = inside("html", *paths)
    assert result.returncode == 0, result.stderr
    page = Elements()
    page.feed(result.stdout)
    assert "img" not in page.tags and page.tags.count("script") == 3 and "http-equiv" in result.stdout
    assert all(link.startswith(("#", "data:")) for link in page.links)
    assert "alert(1)" in result.stdout and "@@data@@" in result.stdout, "shown as it is"
    assert result.stdout.count("<script") == 3 + result.stdout.count("&lt;script")


# ---------------------------------------------------------------- anything in any place

ODD = [
    None, True, 0, -1, 1e308, -1e308, 1e-320, 10**30, "", MARKUP, "../../../evil\0\n|`$\\", "nan", "9" * 400,
    [], {}, [1], ["a"], {"a": 1}, [[]], [None], {"name": 3}, 2**63, -0.0,
]  # fmt: skip


def places(value: Any, so_far: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value[:4]) if isinstance(value, list) else ()
    for name, part in parts:
        yield (*so_far, name)
        yield from places(part, (*so_far, name))


# Every third of 60 reaches all but one line that all of them reach.
@pytest.mark.parametrize("seed", range(0, 60, 1 if "TD_EXHAUSTIVE" in os.environ else 3))
def test_odd_values_anywhere_end_in_a_document_or_in_a_sentence(tmp_path: Path, inside: Script, seed: int) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 4096)) + synthetic.life((1024,))[:1]
    shard = {"index": 1, "count": 2, "sweep": "x", "sweep_runs": 9, "runs": ["a"]}
    whole = synthetic.document(runs, shard=shard)
    rng = random.Random(seed)
    *path, last = rng.choice(list(places(whole)))
    holder = whole
    for name in path:
        holder = holder[name]
    holder[last] = copy.deepcopy(rng.choice(ODD))
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(whole))
    for name in ("merge", "table", "compare", "advice", "html"):
        result = inside(name, *words(name, file))
        assert result.returncode in (0, 1) and (result.stdout or result.stderr), name


def test_merged_lines_say_what_they_said_before(tmp_path: Path) -> None:
    runs = synthetic.triangle(("bb", "rb"), ("edm1",), (1024, 2048))
    path = synthetic.save(tmp_path / "a.jsonl", runs)
    # The type may stand anywhere; and what is inside a run is not the type of the line.
    path.write_text(path.read_text().replace('"reason": null', '"reason": {"type": "run"}'))
    merged = join(read([str(path)]), ["merge"])
    assert json.loads(dump(merged)) == merged
    assert [run["reason"] for run in merged["runs"]] == [{"type": "run"}] * 4
    assert all("type" not in run for run in merged["runs"])


HOSTILE = "\x1b[31mred\n2nd\r\x07\x9b1m"


@pytest.mark.parametrize("name", SCRIPTS)
def test_messages_quote_in_plain_text_on_one_line(tmp_path: Path, inside: Script, name: str) -> None:
    wrong = synthetic.save(tmp_path / f"{HOSTILE}.json", [synthetic.one_run(verified={"status": "fail"})])
    wrong.write_text(wrong.read_text().replace("cuda/edm1", "cuda/\\u001b[31m\\nedm1"))
    broken = tmp_path / f"broken {HOSTILE}"
    broken.write_bytes(b"{\xff")
    files = [wrong, broken, tmp_path / HOSTILE, tmp_path / f"no/{HOSTILE}"]
    commands: list[list[object]] = [[file] for file in files] + [[file, wrong] for file in files]
    for words in (*commands, [f"--{HOSTILE}"], [wrong, "--strategy", HOSTILE], [wrong, "-o", files[-1]]):
        result = inside(name, *words)
        said = result.stderr.splitlines(keepends=True)
        assert all(line.endswith("\n") and line[:-1].isprintable() and line.startswith(name) for line in said), words
        assert result.returncode == 0 or len([line for line in said if "warning" not in line]) == 1, words


EVIL = "../../pwned"


def named(value: Any) -> Any:
    """Every text that may name a file is one that leads to another folder."""
    kept = ("status", "started", "finished", "reason", "ceiling", "arithmetic", "schema", "engine", "kernel")
    if isinstance(value, dict):
        return {name: part if name in kept else named(part) for name, part in value.items()}
    if isinstance(value, list):
        return [named(part) for part in value]
    return f"{EVIL}/{value}" if isinstance(value, str) else value


def test_no_name_from_a_document_becomes_a_path(
    tmp_path: Path, inside: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "a" / "b" / "c"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    few = ("bb", "rb"), ("edm1", "edm4"), (1024, 4096)
    runs = [run for side in (16, 32) for run in synthetic.triangle(*few, block=side, layout=f"of {side}")]
    synthetic.count_energy(runs)
    whole = synthetic.document(runs)
    whole["runs"] = [{**named(run), "verified": {"status": "pass"}} for run in runs]
    for k in range(2):
        Path(f"{k}.json").write_text(json.dumps({**whole, "environment": named(whole["environment"])}))
    Path("show.json").write_text(json.dumps([{**BB_2, "strategy": EVIL}, {**BB_2, "strategy": f"{EVIL}2"}]))
    Path("x.rle").write_text(f"#N {EVIL}\n#r 23/3\nx = 1, y = 1\no!\n")
    np.save("states.npy", np.eye(6, dtype=np.uint8))
    arguments = {
        "advice": "0.json", "compare": "0.json 1.json -o said",
        "emit": "python bb", "frames": "states.npy --dimension 2 -o frames",
        "history": "store 0.json --out trends", "html": "0.json -o x.html", "import": "x.rle -o x.npy",
        "maps": "show.json -o maps", "merge": "0.json 1.json -o all.csv", "plot": "0.json --out plots --format svg",
        "table": "0.json -o x.md",
    }  # fmt: skip
    assert arguments.keys() == COMMANDS.keys(), "a new command is tried, too"
    for name, words in arguments.items():
        result = inside(name, *words.split())
        assert result.returncode == 0, (name, result.stderr)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 25 and all(here in path.parents for path in written)
    folders = {path.parent.relative_to(here) for path in written}
    kept = {folder for folder in folders if folder.parts[:1] == ("store",)}
    assert len(kept) == 1 and len(min(kept).parts) == 2
    assert folders - kept == {*map(Path, (".", "frames", "maps", "plots", "trends"))}
