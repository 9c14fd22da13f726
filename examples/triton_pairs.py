"""
Distances between all pairs of points, in Triton: a program for each tile of the lower triangle, and none for the rest.

    pip install . torch triton && python3 examples/triton_pairs.py
"""

import triton
import triton.language as tl
from tribench.maps.triton import rb_b, rb_b_grid

TILE = 64


@triton.jit
def pairs(points, distances, N, n, D: tl.constexpr, TILE: tl.constexpr):
    row, col, active = rb_b(tl.program_id(0), tl.program_id(1), n)
    rows = row.to(tl.int64) * TILE + tl.arange(0, TILE)
    cols = col.to(tl.int64) * TILE + tl.arange(0, TILE)
    sums = tl.zeros((TILE, TILE), tl.float32)
    for d in range(D):
        a = tl.load(points + rows * D + d, mask=rows < N)
        b = tl.load(points + cols * D + d, mask=cols < N)
        sums += (a[:, None] - b[None, :]) * (a[:, None] - b[None, :])
    lower = (rows[:, None] < N) & (cols[None, :] <= rows[:, None])
    if active:  # with rb-b every program is; other maps have a few without a tile
        tl.store(distances + rows[:, None] * N + cols[None, :], tl.sqrt(sums), mask=lower)


def run(points, distances):
    """Fills the lower triangle of the N x N matrix. Input: points, N x D; both float32 and contiguous"""
    N, D = points.shape
    n = triton.cdiv(N, TILE)
    pairs[rb_b_grid(n)](points, distances, N, n, D, TILE)


if __name__ == "__main__":
    import torch

    points = torch.rand(5000, 3, device="cuda")
    distances = torch.zeros(5000, 5000, device="cuda")
    run(points, distances)
    print("largest difference from torch.cdist:", (distances - torch.cdist(points, points).tril()).abs().max().item())
