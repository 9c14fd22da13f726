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
from conftest import REPORT, Script
from numpy.typing import NDArray

pytest.importorskip("pcpp")
from tribench_report import emit
from tribench_report.emit import EmitError, headers
from tribench_report.emit.translate import Translated, translate

TOP = REPORT.parent
Words = NDArray[np.uint32]


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
# What a GPU's compiler has and a host's has not.
HOST = """
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#define __device__
#define __host__
#define inline static inline
#define __clz __builtin_clz
#define __fsqrt_rn sqrtf
#define __log2f log2f
#define rsqrtf(x) ((float)(1.0 / sqrt((double)(x))))
static unsigned __float_as_uint(float x) { unsigned y; memcpy(&y, &x, sizeof y); return y; }
static float __uint_as_float(unsigned x) { float y; memcpy(&y, &x, sizeof y); return y; }
"""
LOOP = """
void tiles_{0}(unsigned n, const unsigned *p, const unsigned *table, size_t count, unsigned (*b)[3], unsigned (*at)[4])
{{
    for (size_t i = 0; i < count; i++) at[i][3] = {0}({1});
}}
"""


def library(folder: Path, name: str, *words: object) -> ctypes.CDLL:
    command = ["cc", "-O2", "-shared", "-fPIC", "-std=gnu11", "-ffp-contract=off", "-fno-math-errno", f"-I{TOP}"]
    subprocess.run([*command, *map(str, words), "-lm", "-o", folder / name], check=True)
    return ctypes.CDLL(str(folder / name))


def pointer(array: Words | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


class Reference:
    """The maps in C."""

    def __init__(self, folder: Path) -> None:
        self.library = library(folder, "blocks.so", TOP / "tests/emitted/blocks.c", *(TOP / "strategies").glob("*.c"))
        self.library.launches.restype = ctypes.c_size_t

    def launches(self, name: str, n: int) -> Words:
        found = np.zeros((1 << 16, 7), np.uint32)
        return found[: self.library.launches(name.encode(), n, pointer(found))].copy()

    def table(self, name: str, n: int) -> Words:
        found = np.zeros(n * (n + 1) // 2, np.uint32)
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
def translated(name: str) -> Translated:
    return translate(emit.read(name), is_vector=False)


@cache
def python() -> dict[str, Any]:
    """The functions of all maps in Python."""
    space: dict[str, Any] = {}
    exec(emit.emit("python", MAPS), space)
    return space


def all_blocks(grid: Words) -> Words:
    x, y, z = (int(size) for size in grid)
    return np.stack(np.meshgrid(*map(np.arange, (x, y, z)), indexing="ij"), -1).reshape(-1, 3).astype(np.uint32)


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


def axes_of(map: Translated) -> str:
    """What a function returns, as the members of a tile. A map of whole rows is that of one triangle, x = 0."""
    return "xyz" if map.source.dimension == 3 else "yz" if map.source.by_rows else "yx"


def in_python(name: str, n: int, numbers: Words, table: Words | None, blocks: Words) -> Words:
    map = translated(name)
    values = {"n": n, "table": table, **dict(zip("xyz", blocks.T)), **{f"p{i}": p for i, p in enumerate(numbers)}}
    *place, active = python()[map.name](*(values[one] for one in map.place.arguments))
    by_axis = dict(zip(axes_of(map), place))
    x, y, z = (by_axis.get(axis, np.zeros_like(place[0])) for axis in "xyz")
    return np.stack(np.broadcast_arrays(x, y, z, active, blocks[:, 0])[:4], -1).astype(np.uint32)


class InC:
    """The maps in CUDA, compiled for the host."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        text = HOST + emit.emit("cuda", names)
        for name in names:
            map = translated(name)
            values = {"n": "n", "table": "table", **{axis: f"b[i][{i}]" for i, axis in enumerate("xyz")}}
            values |= {f"p{i}": f"p[{i}]" for i in range(4)}
            order = ["xyz".index(axis) for axis in axes_of(map)]
            words = [*(values[one] for one in map.place.arguments), *(f"&at[i][{i}]" for i in order)]
            text += LOOP.format(map.name, ", ".join(words))
        (folder / "emitted.c").write_text(text)
        self.library = library(folder, "emitted.so", "-Werror", "-Wno-unused-function", folder / "emitted.c")

    def __call__(self, name: str, n: int, numbers: Words, table: Words | None, blocks: Words) -> Words:
        found, numbers = np.zeros((len(blocks), 4), np.uint32), numbers.copy()
        call = self.library[f"tiles_{translated(name).name}"]
        call(n, pointer(numbers), pointer(table), ctypes.c_size_t(len(blocks)), pointer(blocks), pointer(found))
        return found


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


# ---------------------------------------------------------------- maps of one's own

SEARCH = """
TD_FN td_pair td_search_pair(uint64_t index, uint32_t n)
{
    int32_t low = 0, high = (int32_t)n; // the row is in [low, high)
    while (high - low > 1) {
        const int32_t middle = (low + high) / 2;
        if ((uint64_t)middle * (uint64_t)(middle + 1) / 2 <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    td_pair at;
    at.row = (uint32_t)low;
    at.col = (uint32_t)(index - td_triangle((uint64_t)low));
    return at;
}
"""
WALK = """
TD_FN td_triple td_walk_triple(uint64_t index, uint32_t n)
{
    td_triple at = {0, 0, 0};
    for (; index >= td_triangle(at.i + 1); at.i++) {
        index -= td_triangle(at.i + 1);
    }
    for (; index > at.j; at.j++) {
        index -= at.j + 1;
    }
    at.k = (uint32_t)index;
    return at;
}
"""
BOX = """
TD_FN td_tile td_flipped_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t y = launch->n - 1 - block.y;
    return td_tile_at(block.x, y, block.x <= y);
}
"""
# a triangle in two launches: its first rows, of which there are (n + 1) / 2, and the others
WHOLE = """
static inline void halves(uint32_t n, uint32_t *upper, uint32_t *lower)
{
    *upper = (uint32_t)(((uint64_t)n << 32) + (n + 1) / 2);
    *lower = n - *upper;
}
static inline void td_two_plan(const td_domain *domain, td_plan *plan)
{
    uint32_t upper, lower;
    halves(domain->tiles, &upper, &lower);
    td_plan_add(plan, td_launch_over(domain, upper, upper, 1));
    if (lower > 0) {
        td_launch second = td_launch_over(domain, domain->tiles, lower, 1);
        second.param[1] = upper;
        td_plan_add(plan, second);
    }
}
TD_FN td_tile td_two_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t y = block.y + launch->param[1];
    if (block.x > y) {
        return td_tile_at(0, 0, false);
    }
    return td_tile_at(block.x, y, true);
}
TD_DESCRIPTOR td_strategy td_two = {.dimension = 2, .plan = td_two_plan, .block_map = td_two_map};
"""


@pytest.fixture(autouse=True)
def each_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The preprocessor takes most of the time, and every language asks for the same map again."""
    monkeypatch.setattr(emit, "read", cache(headers.read))


def own(folder: Path, text: str) -> str:
    path = folder / "mine.h"
    path.write_text(f'#include "strategies/own.h"\n{text}')
    return str(path)


def places(name: str, n: int) -> list[tuple[int, ...]]:
    """The tiles of all blocks of a map in Python, in order."""
    map, space = translate(emit.read(name), is_vector=True), emit.module_of("python", name).__dict__
    found = space[map.grid.name](n)
    result = []
    for grid, numbers in [(found, ())] if map.grid.returns == "grid" else found:
        blocks = all_blocks(np.array(grid))
        values = {"n": n, **dict(zip("xyz", blocks.T)), **dict(zip(map.numbers, numbers))}
        *place, active = space[map.name](*(values[one] for one in map.place.arguments))
        result += np.stack(place, -1)[active].tolist()
    return [tuple(one) for one in result]


@pytest.mark.parametrize(("text", "n"), [(SEARCH, 70), (BOX, 9), (WHOLE, 1), (WHOLE, 9)])
def test_a_map_of_ones_own_in_2d(tmp_path: Path, text: str, n: int) -> None:
    found = places(own(tmp_path, text), n)
    everything = [(row, col) for row in range(n) for col in range(row + 1)]
    assert (found if text is SEARCH else sorted(found)) == everything


def test_a_map_of_ones_own_in_3d(tmp_path: Path) -> None:
    found = places(own(tmp_path, WALK), 9)
    assert found == [(k, j - k, i) for i in range(9) for j in range(i + 1) for k in range(j + 1)]


def test_signed_numbers_divide_as_in_c(tmp_path: Path) -> None:
    text = """
TD_FN td_tile td_signs_map(const td_launch *launch, td_dim3 block)
{
    const int32_t a = (int32_t)block.x - 5, b = block.y % 2 == 0 ? 3 : -3;
    (void)launch;
    return td_tile_at((uint32_t)(a / b), (uint32_t)(a % b), true);
}
"""
    signed = np.array(places(own(tmp_path, text), 11)).astype(np.int32)
    pairs = [(x - 5, 3 if y % 2 == 0 else -3) for x in range(11) for y in range(11)]
    assert signed.tolist() == [[a - int(a / b) * b, int(a / b)] for a, b in pairs]


def test_a_number_alone_has_its_type_in_triton(tmp_path: Path) -> None:
    text = """
TD_FN td_tile td_last_map(const td_launch *launch, td_dim3 block)
{
    (void)launch;
    return td_tile_at(block.x + ~0u, block.y + 1, true);
}
"""
    assert "x + (~tl.cast(0, tl.uint32))" in emit.emit("triton", [own(tmp_path, text)])


def test_a_loop_changes_its_variables_at_once(tmp_path: Path) -> None:
    text = """
TD_FN td_tile td_fibonacci_map(const td_launch *launch, td_dim3 block)
{
    uint32_t a = 0, b = 1, x = 3, y = 5;
    bool is_far = block.x > 4;
    (void)launch;
    if (block.y > 2) {
        is_far = false;
    }
    for (uint32_t i = 0; i < block.x; i++) {
        const uint32_t next = a + b, old = x;
        a = b;
        b = next;
        x = y;
        y = old;
    }
    return td_tile_at(a, 10 * x + y, !is_far);
}
"""
    fibonacci, n, path = [0, 1, 1, 2, 3, 5, 8], 7, own(tmp_path, text)
    expected = [(53 if x % 2 else 35, fibonacci[x]) for x in range(n) for y in range(n) if y > 2 or x <= 4]
    assert places(path, n) == expected
    blocks, numbers = all_blocks(np.array([n, n, 1])), np.zeros(4, np.uint32)
    in_c = InC(tmp_path, [path])(path, n, numbers, None, blocks)
    assert [(row, col) for col, row, _, active in in_c.tolist() if active] == expected


REFUSED = {
    "has neither td_NAME_pair": "int x;",
    "calls clock, which": "TD_FN td_pair td_a_pair(uint64_t i, uint32_t n) { td_pair p = {clock(), 0}; return p; }",
    "has a string": 'TD_FN td_pair td_a_pair(uint64_t i, uint32_t n) { td_pair p = {"a", 0}; return p; }',
    "does not understand": "TD_FN td_pair td_a_pair(uint64_t i, uint32_t n) { td_pair p = {&p, 0}; return p; }",
    "calls itself": "TD_FN td_pair td_a_pair(uint64_t i, uint32_t n) { return td_a_pair(i, n); }",
    "leaves a loop by return": "TD_FN td_pair td_a_pair(uint64_t i, uint32_t n)"
    " { td_pair p = {0, 0}; while (i > 0) { if (i < n) return p; i--; } return p; }",
    "needs td_domain.cells": "static void td_a_plan(const td_domain *d, td_plan *p)"
    " { td_plan_add(p, td_launch_over(d, d->cells, 1, 1)); }"
    " TD_FN td_tile td_a_map(const td_launch *l, td_dim3 b) { return td_tile_at(b.x, b.x, true); }"
    " TD_DESCRIPTOR td_strategy td_a = {.dimension = 2, .plan = td_a_plan, .block_map = td_a_map};",
    "behind .*mine.h:2": "TD_FN td_pair td_a_pair(uint64_t i, uint32_t n) { td_pair p = {i > 0 && n++, 0}; return p; }",
    "maps threads": "TD_DESCRIPTOR td_strategy td_a = {.dimension = 2, .thread_map = f};",
    "no file 'nothing.h'": '#include "nothing.h"\nTD_FN td_pair td_a_pair(uint64_t i, uint32_t n) { }',
    "mine.h:2:": "TD_FN td_pair td_a_pair(uint64_t i, uint32_t n) { x y z; }",
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_translated_says_why(tmp_path: Path, why: str) -> None:
    with pytest.raises(EmitError, match=why):
        emit.emit("python", [own(tmp_path, REFUSED[why])])


def test_only_maps_of_threads_and_trees_are_no_functions_of_a_block() -> None:
    assert len(MAPS) > 20
    for name, why in WHY.items():
        assert not why or why.startswith((f"{name} maps threads to cells", f"{name} has a tree of launches")), why


@pytest.mark.parametrize("path", sorted((TOP / "examples/maps").glob("*.h")), ids=lambda path: path.stem)
def test_examples_of_maps_are_translated(tmp_path: Path, path: Path) -> None:
    name, numbers = str(path), np.zeros(4, np.uint32)
    for language in ("triton", "numba", "cute"):
        compile(emit.emit(language, [name]), path.stem, "exec")
    in_c, map = InC(tmp_path, [name]), translated(name)
    for n in (1, 4, 16):  # all of them are right for a few tiles, zorder only for powers of two
        found = places(name, n)
        assert len(found) == len(set(found)) == n * (n + 1) // 2 * (1 if len(found[0]) == 2 else (n + 2) / 3)
        blocks = all_blocks(np.array(emit.module_of("python", name).__dict__[map.grid.name](n)))
        tiles = [tile[:3] for tile in in_c(name, n, numbers, None, blocks).tolist() if tile[3]]
        if "powf" not in path.read_text():  # each library rounds it in its own way
            assert tiles == [list(one) if len(one) == 3 else [one[1], one[0], 0] for one in found]


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
