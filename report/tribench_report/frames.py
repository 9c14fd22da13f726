"""Draws the states that tribench --dump FILE.npy:K writes: as pictures, or as one that moves."""

from __future__ import annotations

import io
from collections.abc import Iterator
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from . import cli
from .errors import ReportError, UsageError

PROG = "frames"
EPILOG = """\
FILE.gif and FILE.png become one animation (a .png of one state is a still picture); a folder gets a picture per state,
0000.png, 0001.png and so on. A picture is at most 2048 pixels wide. A cell has as many whole pixels as fit, at most 32,
else a pixel has the mean colour of the cells in it. Live cells are dark; a cell of `gol` is two triangles, and pale
where one of them lives. Numbers are grey, from the smallest of the stack (black) to the largest (white).
A tetrahedron is drawn as eight of its layers, or all if it has fewer, with y downwards and x to the right.
"""
WIDTH, MARGIN, CELL = 2048, 8, 32
LINES = 6  # [pixels] from this size on, cells are separated by lines
FRAME_MS = 100
LAYERS = 8
PAPER, BLACK, WHITE = (255, 255, 255), (0, 0, 0), (255, 255, 255)
ALIVE, DEAD = (0x14, 0x46, 0x8C), (0xE2, 0xE6, 0xEB)

Numbers = NDArray[Any]


def cells_of(shape: tuple[int, ...], dimension: int | None) -> list[Numbers]:
    """The cell's number at [row, column], -1 outside, of a state's picture, or of several layers of a tetrahedron."""
    if len(shape) == 2 and shape[0] == shape[1] and dimension != 3:
        return [np.arange(shape[0] ** 2).reshape(shape)]
    if len(shape) == 1:
        n = (isqrt(8 * shape[0] + 1) - 1) // 2
        if n * (n + 1) // 2 == shape[0] and dimension != 3:
            return [_numbered(np.tri(n, dtype=bool), 0)]
        n = max(round((6 * shape[0]) ** (1 / 3)) - 1, 1)
        if n * (n + 1) * (n + 2) // 6 == shape[0] and dimension != 2:
            count = min(n, LAYERS)
            above = [(k + 1) * n // count - 1 for k in range(count)]
            xy = np.add.outer(np.arange(n), np.arange(n))
            return [_numbered(xy <= z, z * (z + 1) * (z + 2) // 6) for z in above]
    raise UsageError(f"expected states of a triangle, a square or a tetrahedron, got the shape {shape}")


def _numbered(inside: Numbers, first: int) -> Numbers:
    found = np.full(inside.shape, -1)
    found[inside] = first + np.arange(inside.sum())
    return found


def read_stack(path: Path) -> Numbers:
    try:
        stack: Numbers = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as problem:
        raise ReportError(f"{path}: expected a .npy file: {problem}") from None
    stack = stack[None] if stack.ndim == 1 else stack
    if stack.dtype not in (np.uint8, np.float32) or stack.ndim not in (2, 3) or stack.size == 0:
        raise ReportError(f"{path}: expected states of uint8 or float32, got {stack.dtype} of the shape {stack.shape}")
    return stack


def pictures(stack: Numbers, dimension: int | None) -> Iterator[Image.Image]:
    """Errors: numbers that are not finite, or states of no domain."""
    parts, is_byte = cells_of(stack.shape[1:], dimension), stack.dtype == np.uint8

    def values_of(state: Numbers) -> Numbers:
        return np.asarray((state & 1) + (state >> 1) if is_byte else state, float).reshape(-1)

    low, high = min(values_of(s).min() for s in stack), max(values_of(s).max() for s in stack)
    if not np.isfinite([low, high]).all():
        raise ReportError("expected finite numbers")
    low, high, ends = (0, max(high, 1), (DEAD, ALIVE)) if is_byte else (low, high, (BLACK, WHITE))
    columns = min(len(parts), LAYERS // 2)
    width = WIDTH // columns - 2 * MARGIN
    for state in stack:
        colours = np.stack([np.interp(values_of(state), (low, high), channel) for channel in zip(*ends)], 1)
        colours = np.floor(np.concatenate([colours, [PAPER]]) + 0.5).astype(np.uint8)  # number -1 is outside
        drawn = [_raster(colours[part], width, is_byte) for part in parts]
        wide, tall = (side + 2 * MARGIN for side in drawn[0].size)
        sheet = Image.new("RGB", (columns * wide, -(-len(drawn) // columns) * tall), PAPER)
        for k, image in enumerate(drawn):
            sheet.paste(image, (k % columns * wide + MARGIN, k // columns * tall + MARGIN))
        yield sheet


def _raster(cells: Numbers, width: int, lines: bool) -> Image.Image:
    """The picture of cells with these colours, [row, column]: a whole number of pixels for each, or their means."""
    fits = min(width // len(cells), CELL)
    if fits == 0:
        return Image.fromarray(cells).resize((width, width), Image.Resampling.BOX)
    pixels = cells.repeat(fits, 0).repeat(fits, 1)
    if lines and fits >= LINES:
        pixels[fits - 1 :: fits] = pixels[:, fits - 1 :: fits] = PAPER
    return Image.fromarray(pixels)


def encoded(image: Image.Image, kind: str, others: Iterator[Image.Image]) -> bytes:
    """The bytes of a picture, or of an animation if there are others."""
    buffer = io.BytesIO()
    # a list for .png, whose writer goes through the pictures twice
    rest = list(others) if kind == "PNG" else others
    image.save(buffer, kind, save_all=True, append_images=rest, duration=FRAME_MS, loop=0)
    return buffer.getvalue()


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, __doc__ or "", EPILOG)
    parser.add_argument("stack", metavar="STACK.npy", help="states, the first axis one after the other")
    parser.add_argument("-o", "--output", required=True, metavar="DIR|FILE.gif|FILE.png", help="where to write")
    parser.add_argument("--dimension", type=int, choices=[2, 3], help="of states whose length may be either")
    options = parser.parse_args(arguments)
    drawn = pictures(read_stack(Path(options.stack)), options.dimension)
    output = Path(options.output)
    kind = output.suffix.lower()
    if kind in (".gif", ".png"):
        cli.write_whole(output, encoded(next(drawn), kind[1:].upper(), drawn))
        return 0
    output.mkdir(parents=True, exist_ok=True)
    for k, picture in enumerate(drawn):
        cli.write_whole(output / f"{k:04}.png", encoded(picture, "PNG", iter(())))
    return 0
