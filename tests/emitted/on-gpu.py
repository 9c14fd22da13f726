#!/usr/bin/env python3
"""
Maps in other languages on a GPU: each must give every block the tile that its function in Python gives it.

usage: tests/emitted/on-gpu.py [--n N] [--map NAME]... [cuda|triton|numba|cute]...

Prints a line for each language; one whose package is not there says so. Every n up to N (default: 300) is tried, for
3D maps every one up to 100, then multiples of 25 and the last two. Without a GPU, TRITON_INTERPRET=1 and
NUMBA_ENABLE_CUDASIM=1 let triton and numba interpret their functions: with a small N.
"""

from __future__ import annotations

import argparse
import linecache
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "report"))

from tribench_report import emit
from tribench_report.emit.translate import Translated, translate

Words = NDArray[np.uint32]
# A kernel for each language: i is the number of a block, whose tile goes to found[4 i].
CUDA = """
extern "C" __global__ void kernel(unsigned *found, const unsigned *table, unsigned n, unsigned gx, unsigned gy,
    unsigned count, unsigned p0, unsigned p1)
{{
    const unsigned i = blockIdx.x * 128 + threadIdx.x, x = i % gx, y = i / gx % gy, z = i / gx / gy;
    unsigned at[3] = {{0, 0, 0}};
    if (i < count) {{
        found[4 * i + 3] = {call};
        for (int k = 0; k < 3; k++) found[4 * i + k] = at[k];
    }}
}}
"""
TRITON = """
@triton.jit(do_not_specialize=["gx", "gy", "count", "p0", "p1"])
def kernel(found, table, n, gx, gy, count, p0, p1, SIZE: tl.constexpr):
    i = tl.program_id(0)
    if SIZE > 1:
        i = i * SIZE + tl.arange(0, SIZE)
    x, y, z = i % gx, i // gx % gy, i // gx // gy
    {call}
    tl.store(found + 4 * i, {x}, mask=i < count)
    tl.store(found + 4 * i + 1, {y}, mask=i < count)
    tl.store(found + 4 * i + 2, {z}, mask=i < count)
    tl.store(found + 4 * i + 3, active, mask=i < count)
"""
NUMBA = """
@cuda.jit
def kernel(found, table, n, gx, gy, count, p0, p1):
    i = cuda.grid(1)
    if i < count:
        x, y, z = i % gx, i // gx % gy, i // gx // gy
        {call}
        found[4 * i], found[4 * i + 1], found[4 * i + 2], found[4 * i + 3] = {x}, {y}, {z}, active
"""
CUTE = """
@cute.kernel
def blocks(found: cute.Tensor, table: cute.Tensor, n: Int32, gx: Int32, gy: Int32, count: Int32, p0: Int32, p1: Int32):
    i = cute.arch.block_idx()[0] * 128 + cute.arch.thread_idx()[0]
    if i < count:
        x = i % gx
        y = i // gx % gy
        z = i // gx // gy
        {call}
        found[4 * i] = Int32({x})
        found[4 * i + 1] = Int32({y})
        found[4 * i + 2] = Int32({z})
        found[4 * i + 3] = Int32(active)


@cute.jit
def kernel(found: cute.Tensor, table: cute.Tensor, n: Int32, gx: Int32, gy: Int32, count: Int32, p0: Int32, p1: Int32):
    blocks(found, table, n, gx, gy, count, p0, p1).launch(grid=[(count + 127) // 128, 1, 1], block=[128, 1, 1])
"""


class Tensor:
    """Of an array of numpy, what Triton's interpreter asks of a tensor of torch."""

    def __init__(self, array: Words) -> None:
        self.array, self.dtype = array, array.dtype

    def data_ptr(self) -> int:
        return self.array.ctypes.data

    def untyped_storage(self) -> Tensor:
        return self

    def new_empty(self, *_: Any, **__: Any) -> Tensor:
        return Tensor(self.array)

    def storage_offset(self) -> int:
        return 0

    def copy_(self, *_: Any) -> None:
        """Its memory is the host's already."""

    cpu, size, stride, set_ = untyped_storage, storage_offset, storage_offset, copy_


def axes_of(map: Translated) -> str:
    """What a function returns, as the members of a tile."""
    return "xyz" if map.source.dimension == 3 else "yz" if map.source.by_rows else "yx"


def kernel_of(language: str, text: str, name: str, map: Translated) -> Any:
    """The kernel of a language's template, in the names that the functions of the map have."""
    axes = {**dict.fromkeys("xyz", "0"), **{axis: f"at_{axis}" for axis in axes_of(map)}}
    call = f"{', '.join(f'at_{axis}' for axis in axes_of(map))}, active = {map.name}({', '.join(map.place.arguments)})"
    path = f"<{language}: the kernel of {map.name}>"
    text = text.format(call=call, **axes)
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    space = dict(emit.module_of(language, name).__dict__)
    exec(compile(text, path, "exec"), space)
    return space["kernel"]


class Language:
    """Calls the kernels of a language. Each returns the tiles of all blocks, as numbers of numpy."""

    package = ""

    def __init__(self) -> None:
        self.version = getattr(import_module(self.package), "__version__", "")


class Cuda(Language):
    """By way of NVRTC."""

    package = "cupy"

    def kernel(self, name: str, map: Translated) -> Any:
        order = ["xyz".index(axis) for axis in axes_of(map)]
        call = f"{map.name}({', '.join([*map.place.arguments, *(f'&at[{i}]' for i in order)])})"
        return import_module("cupy").RawKernel(emit.emit("cuda", [name]) + CUDA.format(call=call), "kernel")

    def tiles(self, kernel: Any, table: Words, count: int, numbers: list[int]) -> Words:
        cupy = import_module("cupy")
        found = cupy.zeros(4 * count, cupy.uint32)
        words = [np.uint32(one) for one in numbers]
        kernel((-(-count // 128),), (128,), (found, cupy.asarray(table), *words))
        return cupy.asnumpy(found)


class Triton(Language):
    package = "triton"

    def kernel(self, name: str, map: Translated) -> Any:
        return kernel_of("triton", TRITON, name, map)

    def tiles(self, kernel: Any, table: Words, count: int, numbers: list[int]) -> Words:
        if os.environ.get("TRITON_INTERPRET"):
            found = np.zeros(4 * count, np.int32)
            kernel[(-(-count // 1024),)](Tensor(found), Tensor(table.view(np.int32)), *numbers, SIZE=1024)
            return found.view(np.uint32)
        torch = import_module("torch")
        tensor = torch.zeros(4 * count, dtype=torch.int32, device="cuda")
        # a block per program: a loop's variables may not become vectors
        kernel[(count,)](tensor, torch.from_numpy(table.view(np.int32)).cuda(), *numbers, SIZE=1, num_warps=1)
        return tensor.cpu().numpy().view(np.uint32)


class Numba(Language):
    package = "numba"

    def kernel(self, name: str, map: Translated) -> Any:
        return kernel_of("numba", NUMBA, name, map)

    def tiles(self, kernel: Any, table: Words, count: int, numbers: list[int]) -> Words:
        found = np.zeros(4 * count, np.uint32)
        kernel[-(-count // 128), 128](found, table, *numbers)
        return found


class Cute(Language):
    package = "cutlass"

    def __init__(self) -> None:
        super().__init__()
        self.compiled: dict[Any, Any] = {}

    def kernel(self, name: str, map: Translated) -> Any:
        return kernel_of("cute", CUTE, name, map)

    def tiles(self, kernel: Any, table: Words, count: int, numbers: list[int]) -> Words:
        torch, cute = import_module("torch"), import_module("cutlass.cute")
        from_dlpack, number = import_module("cutlass.cute.runtime").from_dlpack, import_module("cutlass").Int32
        found = torch.zeros(4 * count, dtype=torch.int32, device="cuda")
        tensors = [found, torch.from_numpy(table.view(np.int32)).cuda()]
        words = [from_dlpack(one).mark_layout_dynamic() for one in tensors] + [number(one) for one in numbers]
        if kernel not in self.compiled:
            self.compiled[kernel] = cute.compile(kernel, *words)
        self.compiled[kernel](*words)
        torch.cuda.synchronize()
        return found.cpu().numpy().view(np.uint32)  # type: ignore[no-any-return]


LANGUAGES = {"cuda": Cuda, "triton": Triton, "numba": Numba, "cute": Cute}


def sizes(map: Translated, last: int) -> list[int]:
    every = 100 if map.source.dimension == 3 else last
    return [n for n in range(1, last + 1) if n <= every or n % 25 == 0 or n > last - 2]


def launches(map: Translated, space: Any, n: int) -> list[tuple[Any, Any]]:
    """The grid and the numbers of each launch."""
    found = space[map.grid.name](n)
    return [(found, ())] if map.grid.returns == "grid" else found


def cases(name: str, map: Translated, last: int) -> Iterator[tuple[int, Words, list[int], Words]]:
    """n, the table, the numbers of a launch for its kernel, and the tiles of its blocks as Python has them."""
    space = emit.module_of("python", name).__dict__
    for n in sizes(map, last):
        table = np.array(space[map.table.name](n) if map.table else [0] * 16, np.uint32)
        for (gx, gy, gz), numbers in launches(map, space, n):
            i = np.arange(gx * gy * gz)
            values: dict[str, Any] = {"x": i % gx, "y": i // gx % gy, "z": i // gx // gy, "n": n, "table": table}
            values |= dict(zip(map.numbers, numbers))
            *place, active = space[map.name](*(values[one] for one in map.place.arguments))
            by_axis = dict(zip(axes_of(map), place))
            tile = [by_axis.get(axis, 0 * i) for axis in "xyz"]
            expected = np.stack(np.broadcast_arrays(*tile, active, i)[:4], -1).astype(np.uint32)
            given = dict(zip(map.numbers, numbers))
            yield n, table, [n, gx, gy, len(i), given.get("p0", 0), given.get("p1", 0)], expected


def difference(language: Language, name: str, map: Translated, last: int) -> tuple[str, int]:
    """The first wrong tile in words, and how many blocks were compared."""
    kernel, blocks = language.kernel(name, map), 0
    for n, table, numbers, expected in cases(name, map, last):
        found = language.tiles(kernel, table, numbers[3], numbers).reshape(-1, 4)
        blocks += len(expected)
        if (found != expected).any():
            i = int(np.argmax((found != expected).any(axis=1)))
            return f"{map.source.name}, n = {n}, block {i}: expected {expected[i]}, got {found[i]}", blocks
    return "", blocks


def check(name: str, maps: list[str], last: int) -> bool:
    try:
        language = LANGUAGES[name]()
    except ImportError as problem:
        print(f"{name:7}skipped: {problem}", flush=True)
        return True
    wrong, blocks = [], 0
    for one in maps:
        map = translate(emit.read(one), is_vector=False)
        try:
            problem, more = difference(language, one, map, last)
        except Exception as failure:  # what compilers raise has no common type
            problem, more = f"{one}: {type(failure).__name__}: {failure}", 0
        wrong += [problem] if problem else []
        blocks += more
    result = (
        f"{len(wrong)} of {len(maps)} maps differ: " + "\n       ".join(wrong) if wrong else f"{len(maps)} maps equal"
    )
    print(f"{name:7}{language.version}: n = 1 ... {last}, {blocks:,} blocks, {result}", flush=True)
    return not wrong


def all_maps() -> list[str]:
    """Those that can be translated, without second names."""
    found = {}
    for name, identifier in emit.names().items():
        try:
            translate(emit.read(name), is_vector=False)
            found.setdefault(identifier, name)
        except emit.EmitError:
            pass
    return list(found.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=300)
    parser.add_argument("--map", action="append", default=[])
    parser.add_argument("languages", nargs="*", default=list(LANGUAGES), metavar="LANGUAGE", choices=list(LANGUAGES))
    options = parser.parse_args()
    maps = options.map or all_maps()
    return 0 if all([check(name, maps, options.n) for name in options.languages]) else 1


if __name__ == "__main__":
    sys.exit(main())
