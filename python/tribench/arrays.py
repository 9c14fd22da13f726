"""
Arrays on their way to the program and back: .npy files in memory (/dev/shm) where they fit, else in TMPDIR.

An array is copied into the file once. What the program wrote is mapped, not read: the file has no name any more and
goes with its last array.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing as npt

SHARED = "/dev/shm"
SPARE = 1 << 30  # [bytes] that stay free, for an output as well


def is_array(value: object) -> bool:
    return hasattr(value, "__array__") or isinstance(value, list)


def room(value: object) -> str | None:
    """The folder for the files of a call with this array; None for the usual one."""
    size = getattr(value, "nbytes", 0) or 0
    fits = os.access(SHARED, os.W_OK) and shutil.disk_usage(SHARED).free > 2 * size + SPARE
    return SHARED if fits else None


def save(value: Any, path: Path) -> Path:
    """
    Writes an array, or what has `__array__`, as the program reads it: bool as uint8, other whole numbers than uint8 and
    uint16 as float64; uint16 holds the bits of bf16.

    Errors: ValueError, for numbers that float64 does not hold
    """
    import numpy as np

    array = np.asarray(value)
    if array.dtype == bool:
        array = array.astype(np.uint8)
    elif array.dtype.kind in "iu" and array.dtype not in (np.uint8, np.uint16):
        exact = array.astype(np.float64)
        if not np.array_equal(exact.astype(array.dtype), array):
            raise ValueError(f"input: {array.dtype} holds numbers beyond 2^53")
        array = exact
    np.save(path, np.ascontiguousarray(array), allow_pickle=False)
    return path


def opened(path: Path) -> npt.NDArray[Any]:
    """The array in a file, mapped: changes stay in this process."""
    import numpy as np

    return np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))


def square(packed: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """
    The symmetric N x N matrix of a packed lower triangle, row by row with its diagonal: N (N + 1) / 2 elements.

    `scipy.spatial.distance.squareform(square(distances), checks=False)` has the order of `pdist`.

    Errors: ValueError, for another shape
    """
    import numpy as np

    n = int((np.sqrt(8.0 * packed.size + 1.0) - 1.0) / 2.0 + 0.5)
    if packed.ndim != 1 or n * (n + 1) // 2 != packed.size:
        raise ValueError(f"expected a packed triangle of N (N + 1) / 2 elements, got the shape {packed.shape}")
    whole = np.empty((n, n), packed.dtype)
    for row in range(n):
        start = row * (row + 1) // 2
        whole[row, : row + 1] = packed[start : start + row + 1]
        whole[: row + 1, row] = packed[start : start + row + 1]
    return whole
