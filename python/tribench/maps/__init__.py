"""
The maps as functions for kernels in other languages, made from the same C that the program runs.

    from tribench.maps.triton import rb_b, rb_b_grid        # also numba, cute, and python for arrays of numpy
    kernel = cupy.RawKernel(tribench.maps.cuda_source("rb-b") + text, "kernel")

A function takes the index of a block and n, the tiles per side, and returns the block's tile and whether it has one;
its help says more. A name has `_` where the map's has `-`. docs/maps-elsewhere.md has examples.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

__all__ = ["cuda_source", "grid", "launches", "module", "names"]

Grid = tuple[int, int, int]


def names() -> list[str]:
    """The maps of blocks; a few of them, such as those of trees, are no function of a block."""
    from tribench_report import emit

    return list(emit.names())


def module(language: str, name: str) -> ModuleType:
    """
    The functions of a map, or of a file with one ("./mine.h"), in triton, numba, cute or python.

    Errors: ValueError, the language or the map is not known, or cannot be translated
    """
    from tribench_report import emit

    return emit.module_of(language, name)


def cuda_source(*maps: str) -> str:
    """The functions of maps in CUDA, for nvcc and NVRTC. Errors: ValueError, as `module`"""
    from tribench_report import emit

    return emit.emit("cuda", list(maps))


def grid(name: str, n: int) -> Grid:
    """
    How many blocks along x, y, z cover n tiles per side. CUDA launches at most 65,535 along y and z.

    Errors: ValueError, the map has several launches or is not right for this n; as `module`
    """
    found = launches(name, n)
    if len(found) != 1 or found[0][1]:
        raise ValueError(f"{name} has launches with numbers of their own: see launches()")
    return found[0][0]


def launches(name: str, n: int) -> list[tuple[Grid, tuple[int, ...]]]:
    """
    The launches that cover n tiles per side: of each its grid, and the numbers that its blocks pass on after n.

    Errors: ValueError, the map is not right for this n; as `module`
    """
    from tribench_report import emit

    last = emit.read(name).exact_n or n
    if not 0 < n <= last:
        raise ValueError(f"{name}: expected n in 1..{last}, got {n}")
    found = [value for key, value in vars(module("python", name)).items() if key.endswith(("_grid", "_launches"))][0](n)
    return [(found, ())] if isinstance(found, tuple) else found


def _attributes(language: str) -> Callable[[str], Any]:
    """The `__getattr__` of a language's module, which gets each map when it is first asked for."""

    def attribute(name: str) -> Any:
        from tribench_report import emit

        known = {one.replace("-", "_"): one for one in emit.names()}
        stem = re.sub("_(grid|launches|table)$", "", name)
        if stem not in known or not hasattr(made := module(language, known[stem]), name):
            raise AttributeError(f"there is no map '{name}': {', '.join(known)}")
        here = vars(sys.modules[f"tribench.maps.{language}"])
        here |= {key: value for key, value in vars(made).items() if key.startswith(stem)}
        return here[name]

    return attribute
