"""Maps of one's own in other languages: each form of a file, what C means, and what cannot be translated."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pcpp")
from compiled import TOP, InC, all_blocks, translated
from tribench_report import emit
from tribench_report.emit import EmitError, headers
from tribench_report.emit.translate import translate

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
