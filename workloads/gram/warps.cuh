/*
 * warps.cuh - C = A A^T on the tensor cores of any GPU since compute capability 8.0: squares of 128 x 128 cells, 64
 * x 32 of them to a warp, from 32 columns of A at a time in shared memory. Compute capability 9.0 has tile.cuh.
 */
#ifndef TD_WORKLOADS_GRAM_WARPS_CUH
#define TD_WORKLOADS_GRAM_WARPS_CUH

#include "workloads/gram.h"
#include "workloads/mma.cuh"
#include "workloads/tile_of.cuh"

enum { TD_GRAM_FEW = 32 /* columns of A at a time */ };

/* The rows of A that are the rows of a square, and those that are its columns. */
struct td_gram_stage {
    alignas(16) uint16_t rows[TD_GRAM_ROWS][TD_GRAM_FEW + 8], cols[TD_GRAM_ROWS][TD_GRAM_FEW + 8];
};

/* A warp's cells of a square. See td_warp_product for which numbers a lane has. */
template <bool Bf16>
class td_gram_warp
{
    const uint32_t warp = td_thread_of_block() / 32, lane = td_thread_of_block() % 32;
    const uint32_t row = warp / 4 * 64 + lane / 4, col = warp % 4 * 32, pair = lane % 4 * 2;
    float sums[4][4][4] = {}; /* of 16 rows each, of 8 columns each */

  public:
    __device__ void add(const td_gram_stage &stage)
    {
#pragma unroll
        for (uint32_t k = pair; k < TD_GRAM_FEW; k += 16) {
            uint32_t b[4][2];
#pragma unroll
            for (uint32_t i = 0; i < 8; i++) {
                b[i / 2][i % 2] =
                    *(const uint32_t *)&stage.cols[col + i / 2 * 8 + lane / 4][k + i % 2 * 8];
            }
#pragma unroll
            for (uint32_t m = 0; m < 4; m++) {
                uint32_t a[4];
#pragma unroll
                for (uint32_t i = 0; i < 4; i++) { /* rows first, then columns */
                    a[i] = *(const uint32_t *)&stage.rows[row + 16 * m + i % 2 * 8][k + i / 2 * 8];
                }
#pragma unroll
                for (uint32_t j = 0; j < 4; j++) {
                    td_warp_product<Bf16>(sums[m][j], a, b[j][0], b[j][1]);
                }
            }
        }
    }

    /* y, x: the first cell of the square. */
    __device__ void store(const td_data &data, uint32_t y, uint32_t x) const
    {
#pragma unroll
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t m = i / 16, j = i / 4 % 4;
            const uint32_t r = y + row + 16 * m + i % 4 / 2 * 8, c = x + col + 8 * j + pair + i % 2;
            if (r < data.n && c <= r) {
                td_gram_put(&data, r, c, sums[m][j][i % 4]);
            }
        }
    }
};

template <bool Bf16>
__device__ inline void td_gram_square(const td_data &data, uint32_t y, uint32_t x,
                                      td_gram_stage (&stages)[2])
{
    const uint32_t columns = data.params[TD_GRAM_COLUMNS];
    const uint16_t *const a = td_gram_row(&data, 0);
    const auto copy = [&](uint32_t step) {
        const uint32_t k = step * TD_GRAM_FEW;
        if (k < columns) {
            td_copy_rows(stages[step % 2].rows, a, data.n, columns, y, k);
            td_copy_rows(stages[step % 2].cols, a, data.n, columns, x, k);
        }
        td_copies_commit();
    };
    td_gram_warp<Bf16> mine;
    copy(0);
    for (uint32_t step = 0; step * TD_GRAM_FEW < columns; step++) {
        copy(step + 1);
        td_copies_wait<1>();
        __syncthreads(); /* of all threads */
        mine.add(stages[step % 2]);
        __syncthreads(); /* what was there is read */
    }
    mine.store(data, y, x);
}

/*
 * td_gram_tile - a band of a tile: 128 rows, two squares side by side, or one left of the diagonal.
 *
 * Shape   tile: 256 x 128 [cells]; block: 256 [threads], 32 along x
 * Exact   within td_gram_error
 */
__device__ inline void td_gram_tile(const td_data &data, td_work_tile tile)
{
    __shared__ td_gram_stage stages[2];
    const uint32_t y = tile.y * tile.side, first = tile.x * tile.width;
    for (uint32_t x = first; y < data.n && x <= y && x < first + tile.width; x += TD_GRAM_ROWS) {
        data.params[TD_GRAM_OPERAND] == 0 ? td_gram_square<true>(data, y, x, stages)
                                          : td_gram_square<false>(data, y, x, stages);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_gram> = td_gram_tile;

#endif
