"""The tables of what the binary lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import synthetic
from conftest import Script

STRATEGY: synthetic.Json = {
    "kind": "strategy", "name": "rb", "aliases": [], "dimension": 2, "maps": "block", "exact_tiles": 1024,
    "exact_cells": None, "summary": "two | triangles", "source": "a paper",
}  # fmt: skip


def test_one_row_per_strategy(tmp_path: Path, script: Script) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps([STRATEGY]))
    result = script("lists", "--kind", "strategies", path)
    assert result.returncode == 0 and result.stdout.count("\n|") == 2
    assert r"| `rb` | 2D | block | 1024 tiles | two \| triangles | a paper |" in result.stdout


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b'[{"kind": "strategy", "name": "\xff"}]', "not the JSON of --list"),
        (json.dumps([{**STRATEGY, "summary": None}]).encode(), "not the JSON of --list"),
        (b"[" * 100_000, "is nested too deep"),
        (b'[{"kind": "strategy", "name": "\\ud800"}]', "the text '\\ud800' holds half of a surrogate pair"),
        (b"{}", "lists no strategies"),
        (b'[{"kind": "workload"}]', "lists no strategies"),
    ],
)
def test_what_holds_no_list_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, script: Script, data: bytes, sentence: str
) -> None:
    path, readme = tmp_path / "list.json", tmp_path / "README.md"
    path.write_bytes(data)
    before = "<!-- tribench:strategies -->\nold\n<!-- /tribench:strategies -->\n"
    readme.write_text(before)
    result = script("lists", "--kind", "strategies", path, "--into", readme)
    assert (result.returncode, readme.read_text()) == (1, before)
    assert result.stderr.startswith(f"lists: {path}: {sentence}") and result.stderr.count("\n") == 1
