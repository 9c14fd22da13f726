"""Maps that --emit prints in CUDA, compiled for the host; and what tests of it share."""

from __future__ import annotations

import ctypes
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
from conftest import REPORT
from numpy.typing import NDArray
from tribench_report import emit
from tribench_report.emit.translate import Translated, translate

TOP = REPORT.parent
Words = NDArray[np.uint32]
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


@cache
def translated(name: str) -> Translated:
    return translate(emit.read(name), is_vector=False)


def axes_of(map: Translated) -> str:
    """What a function returns, as the members of a tile. A map of whole rows is that of one triangle, x = 0."""
    return "xyz" if map.source.dimension == 3 else "yz" if map.source.by_rows else "yx"


def all_blocks(grid: Words) -> Words:
    x, y, z = (int(size) for size in grid)
    return np.stack(np.meshgrid(*map(np.arange, (x, y, z)), indexing="ij"), -1).reshape(-1, 3).astype(np.uint32)


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
