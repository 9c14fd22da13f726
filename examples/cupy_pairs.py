"""
Distances between all pairs of points, with CuPy: a kernel in CUDA whose blocks are the tiles of the lower triangle.

    pip install . cupy-cuda12x && python3 examples/cupy_pairs.py
"""

import cupy
from tribench import maps

SOURCE = (
    maps.cuda_source("rb-b")
    + r"""
extern "C" __global__ void pairs(const float *points, float *distances, unsigned N, unsigned n, unsigned D)
{
    unsigned row, col;
    if (!rb_b(blockIdx.x, blockIdx.y, n, &row, &col)) return;
    row = row * blockDim.y + threadIdx.y;
    col = col * blockDim.x + threadIdx.x;
    if (row >= N || col > row) return;
    float sum = 0;
    for (unsigned d = 0; d < D; d++) {
        const float difference = points[row * D + d] - points[col * D + d];
        sum += difference * difference;
    }
    distances[(size_t)row * N + col] = sqrtf(sum);
}
"""
)
TILE = 16


def run(points, distances):
    """Fills the lower triangle of the N x N matrix. Input: points, N x D; both float32 and contiguous"""
    N, D = points.shape
    n = -(-N // TILE)
    words = [cupy.uint32(one) for one in (N, n, D)]
    cupy.RawKernel(SOURCE, "pairs")(maps.grid("rb-b", n), (TILE, TILE), (points, distances, *words))


if __name__ == "__main__":
    points = cupy.random.rand(5000, 3, dtype=cupy.float32)
    distances = cupy.zeros((5000, 5000), cupy.float32)
    run(points, distances)
    expected = cupy.sqrt(((points[:, None] - points[None, :]) ** 2).sum(-1))
    print("largest difference from broadcasting:", float(abs(distances - cupy.tril(expected)).max()))
