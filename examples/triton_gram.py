"""
C = A A^T, lower half, in Triton: one kernel under three orders of its tiles, beside torch.mm. Only the map differs.

On a GPU with torch, triton and this package:  python examples/triton_gram.py 16384 8192
"""

import sys

import torch
import tribench
import triton
import triton.language as tl
from tribench.maps.triton import bb, bb_grid, ltm_g, ltm_g_grid, ltm_i, ltm_i_grid

TILE, STEP = 128, 64
GRIDS = {"bb": bb_grid, "ltm-i": ltm_i_grid, "ltm-g": ltm_g_grid}


@triton.jit
def tile_of(x, y, tiles, MAP: tl.constexpr):
    if MAP == "bb":  # programs above the diagonal end at once
        row, col, active = bb(x, y, tiles)
    elif MAP == "ltm-i":  # row by row
        row, col, active = ltm_i(x, tiles)
    else:  # groups of eight rows, each column by column
        row, col, active = ltm_g(x, tiles)
    return row.to(tl.int32), col.to(tl.int32), active


@triton.jit
def gram(a, c, n, columns, MAP: tl.constexpr, TILE: tl.constexpr, STEP: tl.constexpr):
    row, col, active = tile_of(tl.program_id(0), tl.program_id(1), n // TILE, MAP)
    if active:
        y, x, k = row * TILE + tl.arange(0, TILE), col * TILE + tl.arange(0, TILE), tl.arange(0, STEP)
        left, right = a + y[:, None] * columns + k[None, :], a + x[:, None] * columns + k[None, :]
        sums = tl.zeros((TILE, TILE), dtype=tl.float32)
        for _ in range(0, columns, STEP):
            sums = tl.dot(tl.load(left), tl.trans(tl.load(right)), sums)
            left, right = left + STEP, right + STEP
        tl.store(c + y[:, None].to(tl.int64) * n + x[None, :], sums.to(tl.bfloat16))


def main(n, columns):
    a = torch.rand(n, columns, device="cuda").mul_(2).sub_(1).to(torch.bfloat16)

    def under(name):
        out = torch.full((n, n), float("nan"), device="cuda", dtype=torch.bfloat16)  # what is not written is found
        grid = GRIDS[name](n // TILE)

        def call():
            gram[grid](a, out, n, columns, name, TILE, STEP, num_warps=8, num_stages=4)
            return out

        return call

    def is_right(found, expected):  # of the lower half; bf16 rounds to 2^-8, and sums differ in their order
        near = torch.isclose(found, expected, rtol=2.0**-7, atol=1e-3 * columns**0.5)
        return near | torch.ones_like(near).triu_(1)

    calls = {"torch.mm": lambda: torch.mm(a, a.T)} | {name: under(name) for name in GRIDS}
    print(tribench.rounds(calls, like="torch.mm", check=is_right, n=n, workload="triton-gram"))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or (16384, 8192)))
