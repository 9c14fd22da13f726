"""Differences between documents are named wherever the documents stand side by side."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import synthetic
from conftest import Script
from tribench_report.differences import between, facts_of, sentence
from tribench_report.documents import read_file

Json = dict[str, Any]


def other(**changes: Any) -> Json:
    """An environment with other members in some of its objects."""
    environment = synthetic.environment()
    environment["host"]["load"], environment["cpu"]["threads"] = 0.2, 8
    for name, members in changes.items():
        environment[name].update(members)
    return environment


def runs(samples: int = 51, mhz: float = 1980) -> list[Json]:
    one = synthetic.run("bb", "edm1", 4096, random.Random(1), samples=samples)
    one["device_state"]["sm_mhz"] = mhz
    return [one]


def saved(path: Path, made: list[Json] | None = None, git: str = "0123456789abcdef", **changes: Any) -> Path:
    tool = {"name": "tribench", "version": "0.1.0", "git_commit": git}
    return synthetic.save(path, runs() if made is None else made, environment=other(**changes), tool=tool)


ONE_FACT = [
    ({"host": {"name": "node2"}}, "host: OLD node1, NEW node2"),
    ({"gpu": {"name": "NVIDIA H100"}}, "GPU: OLD NVIDIA H200, NEW NVIDIA H100"),
    ({"gpu": {"uuid": "GPU-1"}}, "card: OLD GPU-0, NEW GPU-1"),
    ({"gpu": {"driver": "590.1"}}, "driver: OLD 580.95.05, NEW 590.1"),
    ({"gpu": {"runtime": "13.1"}}, "CUDA: OLD 13.0, NEW 13.1"),
    ({"build": {"compiler": "gcc 13"}}, "compiler: OLD gcc 12.2, NEW gcc 13"),
    ({"build": {"flags": "-O3"}}, "flags: OLD -O2, NEW -O3"),
    ({"cpu": {"threads": 4}}, "--threads: OLD 8, NEW 4"),
    ({"host": {"load": 7.3}}, "load: OLD 0, NEW 7"),
    ({"git": "fedcba9876543210"}, "commit: OLD 012345678, NEW fedcba987"),
    ({"made": runs(samples=31)}, "samples: OLD 51, NEW 31"),
    ({"made": runs(mhz=1500)}, "SM clock: OLD 1980 MHz, NEW 1500 MHz"),
]


@pytest.mark.parametrize(("changes", "said"), ONE_FACT, ids=[said.split(":")[0] for _, said in ONE_FACT])
def test_each_fact_is_told_alone(tmp_path: Path, changes: Json, said: str) -> None:
    old, new = saved(tmp_path / "old.json"), saved(tmp_path / "new.json", **changes)
    sides = {name: facts_of([read_file(path)]) for name, path in (("OLD", old), ("NEW", new))}
    assert between(sides) == [said]


def test_what_is_the_same_or_not_known_is_no_difference(tmp_path: Path) -> None:
    old = saved(tmp_path / "old.json")
    new = saved(tmp_path / "new.json", runs(mhz=1985), host={"load": 0.4}, gpu={"driver": None})
    assert sentence({"": facts_of([read_file(old), read_file(new)])}, "they") == []
    empty = saved(tmp_path / "empty.json", [], host={"load": 9.0}, gpu={"driver": "590.1"})
    assert sentence({"": facts_of([read_file(old), read_file(empty)])}, "they") == []


def test_every_tool_that_puts_documents_side_by_side_says_it(tmp_path: Path, inside: Script) -> None:
    new = {"gpu": {"driver": "590.1"}, "host": {"load": 6.0}}
    a, b = saved(tmp_path / "a.json"), saved(tmp_path / "b.json", **new)
    sides = "OLD and NEW differ in driver: OLD 580.95.05, NEW 590.1; load: OLD 0, NEW 6"
    assert sides in inside("compare", a, b).stdout
    page = inside("html", a, b).stdout
    assert "What differs" in page and ">580.95.05, 590.1<" in page
    assert "What differs" not in inside("html", a).stdout


def test_sides_of_the_same_variety_do_not_differ() -> None:
    one, other = [{"--samples": "31"}, {"--samples": "51"}], [{"--samples": "51"}, {"--samples": "31"}]
    assert between({"OLD": one, "NEW": other}) == []
    assert between({"OLD": one, "NEW": other[:1]}) == ["--samples: OLD 31, 51, NEW 51"]
    assert between({"OLD": one, "NEW": [{}]}) == []


def test_of_many_values_some_are_listed() -> None:
    assert between({"": [{"host": f"node{k}"} for k in range(9)]}) == ["host: node0, node1, node2, node3 and 5 more"]
