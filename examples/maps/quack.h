/*
 * quack - groups of eight rows, the squares of a group column by column and then its triangle. Both roots are
 * approximate.
 *
 * Found in    https://github.com/Dao-AILab/quack, quack/tile_scheduler.py, TriangularTileScheduler; vendored by PyTorch
 *             Inductor
 * Arithmetic  float32 with sqrt.approx, and int32; right only because the root of a perfect square comes out exact
 * Repair      the group from a repaired row: ltm-g
 */
#include "strategies/own.h"

TD_FN float td_quack_root(uint32_t index)
{
    const float square = (float)(int32_t)(2 * index) + 2.25f;
#ifdef __CUDA_ARCH__
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
    return root - 0.5f;
#else
    return sqrtf(fmaxf(square, 0.0f)) - 0.5f;
#endif
}

TD_FN td_pair td_quack_pair(uint64_t index, uint32_t n)
{
    const uint32_t size = n < 8 ? n : 8;
    const uint32_t group =
        (uint32_t)ceilf(td_quack_root((uint32_t)index) * (1.0f / (float)size)) - 1;
    const uint32_t first = group * size, rows = group < n / size ? size : n % size;
    const uint32_t place = (uint32_t)index - first * (first + 1) / 2, squares = rows * size * group;
    const uint32_t edge = rows > 0 ? rows : 1, rest = place % (edge * size);
    td_pair at;
    at.row = rest % edge;
    at.col = rest / edge;
    if (place >= squares) {
        at.row = (uint32_t)ceilf(td_quack_root(rest)) - 1;
        at.col = rest - at.row * (at.row + 1) / 2;
    }
    at.row += first;
    at.col += place / (edge * size) * size;
    return at;
}
