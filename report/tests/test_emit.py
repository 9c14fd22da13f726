"""Maps in other languages: each gives every block the tile that the map in C gives it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Script

pytest.importorskip("pcpp")
from compiled import TOP, InC, Words, all_blocks, axes_of, library, pointer, translated
from tribench_report import emit
from tribench_report.emit import EmitError, headers
from tribench_report.emit.translate import translate


def refusals() -> dict[str, str]:
    """Why a map is no function of a block; "" for those that are."""
    found = {}
    for name in sorted(set(headers.names()) - {"ltm"}):
        try:
            translate(emit.read(name), is_vector=False)
            found[name] = ""
        except EmitError as problem:
            found[name] = str(problem)
    return found


WHY = refusals()
MAPS = [name for name, why in WHY.items() if not why]


class Reference:
    """The maps in C."""

    def __init__(self, folder: Path) -> None:
        self.library = library(folder, "blocks.so", TOP / "tests/emitted/blocks.c", *(TOP / "strategies").glob("*.c"))
        self.library.launches.restype = ctypes.c_size_t

    def launches(self, name: str, n: int) -> Words:
        found = np.zeros((1 << 16, 7), np.uint32)
        return found[: self.library.launches(name.encode(), n, pointer(found))].copy()

    def table(self, name: str, n: int) -> Words:
        found = np.zeros(self.launches(name, n)[:, 0].sum(), np.uint32)  # one for each block
        self.library.fill(name.encode(), n, pointer(found))
        return found

    def tiles(self, name: str, n: int, numbers: Words, table: Words | None, blocks: Words) -> Words:
        found = np.zeros((len(blocks), 4), np.uint32)
        numbers = numbers.copy()
        last = ctypes.c_size_t(len(blocks))
        self.library.tiles(name.encode(), n, pointer(numbers), pointer(table), last, pointer(blocks), pointer(found))
        return found


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    return Reference(tmp_path_factory.mktemp("reference"))


@cache
def python() -> dict[str, Any]:
    """The functions of all maps in Python."""
    space: dict[str, Any] = {}
    exec(emit.emit("python", MAPS), space)
    return space


def some_blocks(grid: Words) -> Words:
    """The first and the last ones, and others anywhere."""
    random = np.random.default_rng(1)
    ends = [np.clip([[0, 1, 2, size - 3, size - 2, size - 1]], 0, size - 1) for size in grid.astype(np.int64)]
    anywhere = [random.integers(0, size, (1, 50_000)) for size in grid.astype(np.int64)]
    corners = np.stack(np.meshgrid(*(one[0] for one in ends)), -1).reshape(-1, 3)
    return np.concatenate([corners, np.concatenate(anywhere).T]).astype(np.uint32)


def cases(reference: Reference, name: str, n: int, choose: Callable[[Words], Words]) -> Iterator[tuple[Any, ...]]:
    """For each launch its numbers, the table, blocks and their tiles."""
    table = reference.table(name, n) if translated(name).table else None
    for launch in reference.launches(name, n):
        blocks = choose(launch[:3])
        yield launch[3:], table, blocks, reference.tiles(name, n, launch[3:], table, blocks)


def in_python(name: str, n: int, numbers: Words, table: Words | None, blocks: Words) -> Words:
    map = translated(name)
    values = {"n": n, "table": table, **dict(zip("xyz", blocks.T)), **{f"p{i}": p for i, p in enumerate(numbers)}}
    *place, active = python()[map.name](*(values[one] for one in map.place.arguments))
    by_axis = dict(zip(axes_of(map), place))
    x, y, z = (by_axis.get(axis, np.zeros_like(place[0])) for axis in "xyz")
    return np.stack(np.broadcast_arrays(x, y, z, active, blocks[:, 0])[:4], -1).astype(np.uint32)


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> InC:
    return InC(tmp_path_factory.mktemp("emitted"), MAPS)


def sizes(name: str) -> list[int]:
    if "TD_EXHAUSTIVE" in os.environ:
        return list(range(1, 301))
    return list(range(1, 41 if translated(name).source.dimension == 3 else 301))


@pytest.mark.parametrize("name", MAPS)
def test_every_block_has_the_tile_of_the_map_in_c(reference: Reference, in_c: InC, name: str) -> None:
    for n in sizes(name):
        for *case, expected in cases(reference, name, n, all_blocks):
            assert (in_c(name, n, *case) == expected).all(), f"cuda, n = {n}"
            assert (in_python(name, n, *case) == expected).all(), f"python, n = {n}"


@pytest.mark.parametrize("name", MAPS)
def test_it_is_the_map_up_to_its_range(reference: Reference, in_c: InC, name: str) -> None:
    last = translated(name).source.exact_n
    for n in (last - 1, last):
        for *case, expected in cases(reference, name, n, some_blocks):
            assert (in_c(name, n, *case) == expected).all(), f"cuda, n = {n}"
            assert (in_python(name, n, *case) == expected).all(), f"python, n = {n}"


@pytest.mark.parametrize("name", MAPS)
def test_the_grids_are_those_of_the_plan(reference: Reference, name: str) -> None:
    map = translated(name)
    for n in range(1, 301):
        planned = reference.launches(name, n)
        if map.grid.returns == "grid":
            assert [python()[f"{map.name}_grid"](n)] == [tuple(one) for one in planned[:, :3].tolist()]
            continue
        kept = [3 + int(one[1:]) for one in map.numbers]
        expected = [(tuple(one[:3]), tuple(one[i] for i in kept)) for one in planned.tolist()]
        assert python()[f"{map.name}_launches"](n) == expected


def test_only_maps_of_threads_and_trees_are_no_functions_of_a_block() -> None:
    assert len(MAPS) > 20
    for name, why in WHY.items():
        assert not why or why.startswith((f"{name} maps threads to cells", f"{name} has a tree of launches")), why


# ---------------------------------------------------------------- the command, and other languages


def test_the_command_prints_all_of_its_maps(script: Script) -> None:
    result = script("emit", "triton", "rb-b", "ltm")
    assert "def rb_b(x, y, n):" in result.stdout
    assert "def ltm_r_grid(n):" in result.stdout
    assert result.stdout.count("import triton\n") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fortran", "rb-b"], "unknown language 'fortran' (known: cuda, triton, numba, cute, python)"),
        (["cuda", "rbb"], "unknown strategy 'rbb' (known: bb, "),
        (["cuda", "./nothing.h"], "nothing.h: No such file"),
        (["cuda", "rb"], "rb maps threads to cells"),
    ],
)
def test_a_wrong_word_ends_in_a_sentence(script: Script, words: list[str], sentence: str) -> None:
    result = script("emit", *words)
    assert result.returncode in (1, 2)
    assert sentence in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("language", "variable"), [("triton", "TRITON_INTERPRET"), ("numba", "NUMBA_ENABLE_CUDASIM")])
def test_an_interpreter_agrees(language: str, variable: str) -> None:
    pytest.importorskip(
        language, reason=f"there is no {language}, a compiler for GPUs, which tests/emitted/on-gpu.py tests"
    )
    command = [sys.executable, TOP / "tests/emitted/on-gpu.py", "--n", "9", language]
    result = subprocess.run(command, env={**os.environ, variable: "1"}, capture_output=True, text=True, check=False)
    assert f"{len(MAPS)} maps equal" in result.stdout, result.stderr
