"""
Causal attention in Triton, forward: one kernel under three orders of its blocks, beside torch. Only `block_of` differs.

A block computes a tile of rows of one head, and its work grows with the row. In ascending order the longest blocks come
last, when few others are left to fill the GPU.

On a GPU with torch, triton and this package:  python examples/triton_attention.py 8 4096
"""

import math
import sys

import torch
import tribench
import triton
import triton.language as tl

ROWS, COLUMNS, WIDTH = 128, 64, 128


@triton.jit
def block_of(place, tiles, heads, MAP: tl.constexpr):
    if MAP == "ascending":  # head by head
        row, head = place % tiles, place // tiles
    elif MAP == "descending":
        row, head = tiles - 1 - place % tiles, place // tiles
    else:  # the longest of all heads first
        row, head = tiles - 1 - place // heads, place % heads
    return row, head


@triton.jit
def step(q, k, v, sums, top, weight, y, x, scale, DIAGONAL: tl.constexpr):  # a softmax that goes on
    scores = tl.dot(q, tl.load(k)) * scale
    if DIAGONAL:
        scores = tl.where(y[:, None] >= x[None, :], scores, -float("inf"))
    larger = tl.maximum(top, tl.max(scores, 1))
    part, less = tl.exp2(scores - larger[:, None]), tl.exp2(top - larger)
    sums = tl.dot(part.to(tl.bfloat16), tl.load(v), sums * less[:, None])
    return sums, larger, weight * less + tl.sum(part, 1)


@triton.jit
def attention(q, k, v, out, n, heads, scale, MAP: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
              WIDTH: tl.constexpr):  # fmt: skip
    row, head = block_of(tl.program_id(0), n // ROWS, heads, MAP)
    start = head.to(tl.int64) * n * WIDTH
    y, x, d = row * ROWS + tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, WIDTH)
    mine = y[:, None] * WIDTH + d[None, :]
    mine_q = tl.load(q + start + mine)
    keys, values = k + start + x[None, :] * WIDTH + d[:, None], v + start + x[:, None] * WIDTH + d[None, :]
    top, weight = tl.full((ROWS,), -float("inf"), tl.float32), tl.zeros((ROWS,), tl.float32)
    sums = tl.zeros((ROWS, WIDTH), tl.float32)
    for _ in range(0, row * ROWS, COLUMNS):  # left of the diagonal
        sums, top, weight = step(mine_q, keys, values, sums, top, weight, y, x, scale, False)
        keys, values = keys + COLUMNS * WIDTH, values + COLUMNS * WIDTH
    for first in range(row * ROWS, row * ROWS + ROWS, COLUMNS):
        sums, top, weight = step(mine_q, keys, values, sums, top, weight, y, first + x, scale, True)
        keys, values = keys + COLUMNS * WIDTH, values + COLUMNS * WIDTH
    tl.store(out + start + mine, (sums / weight[:, None]).to(tl.bfloat16))


def main(heads, n):
    q, k, v = (torch.randn(1, heads, n, WIDTH, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    scale = math.log2(math.e) / math.sqrt(WIDTH)

    def under(name):
        out = torch.full_like(q, float("nan"))  # what is not written is found

        def call():
            grid = (heads * n // ROWS,)
            attention[grid](q, k, v, out, n, heads, scale, name, ROWS, COLUMNS, WIDTH, num_warps=8, num_stages=3)
            return out

        return call

    calls = {"torch": lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)}
    calls |= {name: under(name) for name in ("ascending", "descending", "longest first")}
    near = {"rtol": 2.0**-6, "atol": 0.02}
    check = lambda found, expected: torch.isclose(found, expected, **near)  # noqa: E731
    print(tribench.rounds(calls, like="torch", check=check, n=n, workload=f"triton-attention-{heads}"))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or (8, 4096)))
