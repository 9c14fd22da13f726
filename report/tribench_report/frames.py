"""Draws the states that tribench --dump FILE.npy --every K writes: as pictures, or as one that moves."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
else a pixel has the mean colour of 16 points in it. Live cells are dark. Bytes above 1 are states of `gol`,
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


def triangle(n: Any) -> Any:
    return n * (n + 1) // 2


def tetrahedron(n: Any) -> Any:
    return n * (n + 1) * (n + 2) // 6


# ---- where each cell lies ----


@dataclass(slots=True)
class Domain:
    """Cells in rows: row r starts at starts[r] and has lengths[r] cells."""

    n: int
    starts: Numbers
    lengths: Numbers
    triangles: bool = False  # a cell is a triangle that points up, and beside it one that points down


def flat(n: int, square: bool, triangles: bool) -> Domain:
    rows = np.arange(n, dtype=np.int64)
    return Domain(n, rows * n, np.full(n, n)) if square else Domain(n, triangle(rows), rows + 1, triangles)


def layer(n: int, z: int) -> Domain:
    """The cells x + y <= z of layer z, in the N x N square that all layers are drawn in."""
    rows = np.arange(n, dtype=np.int64)
    before = np.minimum(rows, z + 1)
    starts = tetrahedron(z) + before * (z + 1) - triangle(before - 1)
    return Domain(n, starts, np.maximum(z + 1 - rows, 0))


def domains_of(shape: tuple[int, ...], triangles: bool, dimension: int | None) -> list[Domain]:
    """One domain, or the layers of a tetrahedron, by the shape of a state."""
    if len(shape) == 2 and shape[0] == shape[1] and dimension != 3:
        return [flat(shape[0], True, False)]
    if len(shape) == 1:
        n = (isqrt(8 * shape[0] + 1) - 1) // 2
        if triangle(n) == shape[0] and dimension != 3:
            return [flat(n, False, triangles)]
        n = max(round((6 * shape[0]) ** (1 / 3)) - 1, 1)
        if tetrahedron(n) == shape[0] and dimension != 2:
            count = min(n, LAYERS)
            return [layer(n, (k + 1) * n // count - 1) for k in range(count)]
    raise UsageError(f"expected states of a triangle, a square or a tetrahedron, got the shape {shape}")


# ---- pictures ----


class Raster:
    """
    The pixels of a domain. A pixel is the mean of a grid of points; each point has the index of its cell, of which the
    last one, after all cells, is paper. Of triangles, cell k is index 2 k and its other half 2 k + 1.
    """

    def __init__(self, domain: Domain, width: int, lines: bool) -> None:
        inner = width - 2 * MARGIN
        self.domain = domain
        fits = min(inner // domain.n, CELL)
        self.cell = float(fits) if fits > 0 else inner / domain.n
        self.tall = self.cell * (SQRT3_HALF if domain.triangles else 1.0)
        self.samples = 1 if fits > 0 and not domain.triangles else 4
        self.gap = 0.0
        if lines and self.cell >= (12 if domain.triangles else 6):
            self.gap = (0.5 if domain.triangles else 1.0) / self.tall
        self.width = int(np.ceil(domain.n * self.cell - 1e-6)) + 2 * MARGIN
        self.height = int(np.ceil(domain.n * self.tall - 1e-6)) + 2 * MARGIN
        self.points = [self._indices(a, b) for a in range(self.samples) for b in range(self.samples)]

    def _indices(self, a: int, b: int) -> Numbers:
        """The indices of point (a, b) of all pixels."""
        d = self.domain
        x = ((np.arange(self.width) - MARGIN + (b + 0.5) / self.samples) / self.cell)[None, :]
        y = ((np.arange(self.height) - MARGIN + (a + 0.5) / self.samples) / self.tall)[:, None]
        across = x + (y - d.n) / 2 if d.triangles else x + 0 * y  # shearing makes rows of triangles halves of squares
        row, column = np.floor(y + 0 * x).astype(np.int64), np.floor(across).astype(np.int64)
        u, v = across - column, y - np.floor(y)
        inside = (row >= 0) & (row < d.n)
        row = np.clip(row, 0, d.n - 1)
        inside &= (column >= 0) & (column < d.lengths[row])
        cell = d.starts[row] + column
        if not d.triangles:
            shown = inside & (u < 1 - self.gap) & (v < 1 - self.gap)
            return self._narrow(np.where(shown, cell, -1))
        down = u > v
        side = np.where(down, np.minimum(np.minimum(u - v, 1 - u), v), np.minimum(np.minimum(u, v - u), 1 - v))
        shown = inside & (side >= self.gap) & ~(down & (column >= row))
        return self._narrow(np.where(shown, 2 * cell + down, -1))

    @staticmethod
    def _narrow(indices: Numbers) -> Numbers:
        return indices.astype(np.int32) if indices.max() < 2**31 else indices

    def draw(self, colours: Numbers) -> NDArray[np.uint8]:
        """A picture; colours: one for each index, the last one that of paper."""
        total = np.zeros((self.height, self.width, 3), np.uint32)
        for indices in self.points:
            total += colours[indices]
        count = len(self.points)
        return ((2 * total + count) // (2 * count)).astype(np.uint8)


def life_colours(state: Numbers) -> Numbers:
    return np.where(state.reshape(-1, 1) != 0, np.array(ALIVE), np.array(DEAD))


def grey_colours(black: float, white: float) -> Palette:
    def colours(state: Numbers) -> Numbers:
        above = state.astype(float) - black
        share = np.clip(above / (white - black), 0, 1) if white > black else np.ones(state.shape)
        return np.repeat(np.floor(255 * share + 0.5).astype(np.uint32).reshape(-1, 1), 3, 1)

    return colours


def water_colours(land: Numbers, deepest: float) -> Palette:
    """A share w / (w + deepest) of blue over the land's grey; land in the order of a state's cells."""
    low, high = float(land.min()), float(land.max())
    grey = (land - low) / (high - low) if high > low else np.ones(land.shape)

    def colours(state: Numbers) -> Numbers:
        depth = np.maximum(state.reshape(-1).astype(float), 0)
        blue = depth / np.maximum(depth + deepest, np.finfo(float).tiny)
        below = grey * (1 - blue)
        return np.floor(255 * np.stack([below, below, below + blue], 1) + 0.5).astype(np.uint32)

    return colours


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


def palette_of(stack: Numbers, domain: Domain, land: Path | None) -> Palette:
    if stack.dtype == np.uint8:
        return life_colours
    black, white = min(float(s.min()) for s in stack), max(float(s.max()) for s in stack)
    if not np.isfinite([black, white]).all():
        raise ReportError("expected finite numbers")
    if land is None:
        return grey_colours(black, white)
    heights = read_stack(land)
    if heights.shape != (domain.n, domain.n):
        raise UsageError(f"--land: expected {domain.n} x {domain.n} elevations, got the shape {heights.shape}")
    inside = np.arange(domain.n)[None, :] < domain.lengths[:, None]
    return water_colours(heights[inside].astype(float), max(white, 0.0))


def pictures(stack: Numbers, dimension: int | None, land: Path | None) -> Iterator[Image.Image]:
    triangles = stack.dtype == np.uint8 and any(int(s.max()) > 1 for s in stack)
    domains = domains_of(stack.shape[1:], triangles, dimension)
    palette = palette_of(stack, domains[0], land)
    columns = min(len(domains), LAYERS // 2)
    rasters = [Raster(d, WIDTH // columns, stack.dtype == np.uint8) for d in domains]
    wide, tall = rasters[0].width, rasters[0].height
    for state in stack:
        values = np.asarray(state).reshape(-1)
        if triangles:
            values = np.stack([values & 1, values >> 1], 1)
        colours = np.concatenate([palette(values), [PAPER]]).astype(np.uint32)
        sheet = Image.new("RGB", (columns * wide, -(-len(domains) // columns) * tall), PAPER)
        for k, raster in enumerate(rasters):
            sheet.paste(Image.fromarray(raster.draw(colours)), (k % columns * wide, k // columns * tall))
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
