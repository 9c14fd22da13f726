"""Draws the states that tribench --dump FILE.npy --every K writes: as pictures, or as one that moves."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
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
else a pixel has the mean colour of the cells in it. Live cells are dark. Bytes above 1 are states of `gol`,
whose cells are two triangles. Numbers are grey, from the smallest of the stack (black) to the largest (white); with
--land, a file of N x N elevations, they are depths of water: a share w / (w + the largest depth) of blue over the land.
A tetrahedron is drawn as eight of its layers, or all if it has fewer, with y downwards and x to the right.
"""
WIDTH, MARGIN, CELL = 2048, 8, 32
FRAME_MS = 100
LAYERS = 8
ALIVE, DEAD, PAPER = (0x14, 0x46, 0x8C), (0xE2, 0xE6, 0xEB), (255, 255, 255)
SQRT3_HALF = 3**0.5 / 2

Numbers = NDArray[Any]
# Maps the cells of a state to their colours, shape (cells, 3).
Palette = Callable[[Numbers], Numbers]


def cells_of(shape: tuple[int, ...], dimension: int | None) -> list[Numbers]:
    """
    For each picture of a state of this shape, the number of the cell at [row, column], -1 outside of the domain: one
    picture, or one for each of the layers of a tetrahedron.
    """
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


# ---- pictures ----


def raster(cells: Numbers, width: int, lines: bool) -> Image.Image:
    """The picture of cells with these colours, [row, column]: a whole number of pixels for each, or their means."""
    fits = min(width // len(cells), CELL)
    if fits == 0:
        return Image.fromarray(cells).resize((width, width), Image.Resampling.BOX)
    pixels = cells.repeat(fits, 0).repeat(fits, 1)
    if lines and fits >= 6:
        pixels[fits - 1 :: fits] = pixels[:, fits - 1 :: fits] = PAPER
    return Image.fromarray(pixels)


def triangles(up: Numbers, down: Numbers, width: int) -> Image.Image:
    """
    The picture of cells that are two triangles, one that points up and beside it one that points down: a picture of
    halves of squares, twice as fine, is sheared.
    """
    n, fits = len(up), min(width // len(up), CELL)
    side = 2 * max(fits, 1)
    v, u = (np.indices((side, side)) + 0.5) / side
    points_down = u > v
    edge = np.where(points_down, np.minimum(np.minimum(u - v, 1 - u), v), np.minimum(np.minimum(u, v - u), 1 - v))
    pixels = np.where(np.tile(points_down, (n, n))[..., None], *(c.repeat(side, 0).repeat(side, 1) for c in (down, up)))
    if fits >= 12:
        pixels[np.tile(edge < 0.5 / (fits * SQRT3_HALF), (n, n))] = PAPER
    wide = n * fits or width
    tall = round(wide * SQRT3_HALF)
    across, below = side * n / wide, side * n / tall
    shear = (across, below / 2, -side * n / 2, 0, below, 0)
    image, how = Image.fromarray(pixels), Image.Transform.AFFINE
    return image.transform((wide, tall), how, shear, Image.Resampling.BILINEAR, fillcolor=PAPER)


def _share(values: Numbers, low: float, high: float) -> Numbers:
    """0 for low, 1 for high; 1 everywhere if they are the same."""
    return np.clip((values - low) / (high - low), 0, 1) if high > low else np.ones(values.shape)


def _rgb(red: Numbers, green: Numbers, blue: Numbers) -> Numbers:
    return np.floor(255 * np.stack([red, green, blue], 1) + 0.5)


def palette_of(stack: Numbers, cells: Numbers, land: Path | None) -> Palette:
    """Errors: numbers that are not finite, or land of another size."""
    if stack.dtype == np.uint8:
        return lambda state: np.where(state[:, None] != 0, np.array(ALIVE), np.array(DEAD))
    black, white = min(float(s.min()) for s in stack), max(float(s.max()) for s in stack)
    if not np.isfinite([black, white]).all():
        raise ReportError("expected finite numbers")
    if land is None:
        return lambda state: _rgb(*[_share(state.astype(float), black, white)] * 3)
    heights, n = read_stack(land), len(cells)
    if heights.shape != cells.shape:
        raise UsageError(f"--land: expected {n} x {n} elevations, got the shape {heights.shape}")
    ground = heights[cells >= 0].astype(float)
    grey = _share(ground, ground.min(), ground.max())

    def wet(state: Numbers) -> Numbers:
        depth = np.maximum(state.astype(float), 0)
        blue = depth / np.maximum(depth + max(white, 0.0), np.finfo(float).tiny)
        below = grey * (1 - blue)
        return _rgb(below, below, below + blue)

    return wet


# ---- the command ----


def read_stack(path: Path) -> Numbers:
    try:
        stack: Numbers = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as problem:
        raise ReportError(f"{path}: expected a .npy file: {problem}") from None
    stack = stack[None] if stack.ndim == 1 else stack
    if stack.dtype not in (np.uint8, np.float32) or stack.ndim not in (2, 3) or stack.size == 0:
        raise ReportError(f"{path}: expected states of uint8 or float32, got {stack.dtype} of the shape {stack.shape}")
    return stack


def pictures(stack: Numbers, dimension: int | None, land: Path | None) -> Iterator[Image.Image]:
    parts = cells_of(stack.shape[1:], dimension)
    is_byte = stack.dtype == np.uint8
    are_triangles = is_byte and stack.ndim == 2 and len(parts) == 1 and any(int(s.max()) > 1 for s in stack)
    palette = palette_of(stack, parts[0], land)
    columns = min(len(parts), LAYERS // 2)
    width = WIDTH // columns - 2 * MARGIN
    for state in stack:
        values = np.asarray(state).reshape(-1)
        halves = (values & 1, values >> 1) if are_triangles else (values,)
        colours = [np.concatenate([palette(half), [PAPER]]).astype(np.uint8) for half in halves]
        if are_triangles:
            up, down = (colour[parts[0]] for colour in colours)
            np.einsum("iij->ij", down)[:] = PAPER  # beside the last cell of a row there is none
            drawn = [triangles(up, down, width)]
        else:
            drawn = [raster(colours[0][part], width, is_byte) for part in parts]
        wide, tall = (side + 2 * MARGIN for side in drawn[0].size)
        sheet = Image.new("RGB", (columns * wide, -(-len(drawn) // columns) * tall), PAPER)
        for k, image in enumerate(drawn):
            sheet.paste(image, (k % columns * wide + MARGIN, k // columns * tall + MARGIN))
        yield sheet


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
    parser.add_argument("--land", type=Path, metavar="LAND.npy", help="elevations under depths of water")
    parser.add_argument("--dimension", type=int, choices=[2, 3], help="of states whose length may be either")
    options = parser.parse_args(arguments)
    drawn = pictures(read_stack(Path(options.stack)), options.dimension, options.land)
    output = Path(options.output)
    kind = output.suffix.lower()
    if kind in (".gif", ".png"):
        cli.write_whole(output, encoded(next(drawn), kind[1:].upper(), drawn))
        return 0
    output.mkdir(parents=True, exist_ok=True)
    for k, picture in enumerate(drawn):
        cli.write_whole(output / f"{k:04}.png", encoded(picture, "PNG", iter(())))
    return 0
