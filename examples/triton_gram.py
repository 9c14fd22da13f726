"""
C = A A^T, lower half, in Triton: one kernel under three orders of its tiles, beside torch.mm. Only `place` differs.

On a GPU with torch, triton and this package:  python examples/triton_gram.py 16384 8192
"""

import sys

import torch
import tribench
import triton
import triton.language as tl

TILE, STEP, GROUP = 128, 64, 8


@triton.jit
def root(place):  # the row of the place-th tile of a triangle: a float32 root may be off by one
    row = ((tl.sqrt(8.0 * place.to(tl.float32) + 1.0) - 1.0) * 0.5).to(tl.int32)
    row = tl.where(row * (row + 1) // 2 > place, row - 1, row)
    return tl.where((row + 1) * (row + 2) // 2 <= place, row + 1, row)


@triton.jit
def tile_of(place, tiles, MAP: tl.constexpr, GROUP: tl.constexpr):
    if MAP == "box":  # tiles above the diagonal end at once
        row, col = place // tiles, place % tiles
    elif MAP == "ltm-i":  # row by row
        row = root(place)
        col = place - row * (row + 1) // 2
    else:  # ltm-g: of each group of rows the square, column by column, then the triangle
        first = root(place) // GROUP * GROUP
        rows, inside = tl.minimum(tiles - first, GROUP), place - first * (first + 1) // 2
        beyond = tl.maximum(inside - first * rows, 0)
        down = root(beyond)
        is_square = inside < first * rows
        row = first + tl.where(is_square, inside % rows, down)
        col = tl.where(is_square, inside // rows, first + beyond - down * (down + 1) // 2)
    return row, col


@triton.jit
def gram(a, c, n, columns, MAP: tl.constexpr, GROUP: tl.constexpr, TILE: tl.constexpr, STEP: tl.constexpr):
    row, col = tile_of(tl.program_id(0), n // TILE, MAP, GROUP)
    if col <= row:
        y, x, k = row * TILE + tl.arange(0, TILE), col * TILE + tl.arange(0, TILE), tl.arange(0, STEP)
        left, right = a + y[:, None] * columns + k[None, :], a + x[:, None] * columns + k[None, :]
        sums = tl.zeros((TILE, TILE), dtype=tl.float32)
        for _ in range(0, columns, STEP):
            sums = tl.dot(tl.load(left), tl.trans(tl.load(right)), sums)
            left, right = left + STEP, right + STEP
        tl.store(c + y[:, None].to(tl.int64) * n + x[None, :], sums.to(tl.bfloat16))


def main(n, columns):
    a = torch.rand(n, columns, device="cuda").mul_(2).sub_(1).to(torch.bfloat16)
    out, tiles = torch.zeros(n, n, device="cuda", dtype=torch.bfloat16), n // TILE

    def under(name, grid):
        def call():
            gram[(grid,)](a, out, n, columns, name, GROUP, TILE, STEP, num_warps=8, num_stages=4)
            return out

        return call

    def is_right(found, expected):  # of the lower half; bf16 rounds to 2^-8, and sums differ in their order
        near = torch.isclose(found, expected, rtol=2.0**-7, atol=1e-3 * columns**0.5)
        return near | torch.ones_like(near).triu_(1)

    triangle = tiles * (tiles + 1) // 2
    calls = {"torch.mm": lambda: torch.mm(a, a.T), "box": under("box", tiles * tiles)}
    calls |= {name: under(name, triangle) for name in ("ltm-i", "ltm-g")}
    print(tribench.rounds(calls, like="torch.mm", check=is_right, n=n, workload="triton-gram"))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or (16384, 8192)))
