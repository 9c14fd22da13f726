/*
 * rowsum_tile.cuh - log-sum-exp along rows, for the rows of a tile at once; and the check of whole rows.
 *
 * A block keeps its rows in shared memory and goes along them, 128 columns at a time. Of these it needs eight of the 64
 * numbers at a time: while it multiplies with them, the next eight are on their way to registers, and then to the other
 * half of the stage. A thread has every 16th quad of columns and Rows consecutive rows, so that Rows + 8 numbers from
 * shared memory serve 8 Rows multiplications, and the quads that a warp loads together are in different banks.
 */
#ifndef TD_WORKLOADS_ROWSUM_TILE_CUH
#define TD_WORKLOADS_ROWSUM_TILE_CUH

#include "rowsum.h"
#include "tile_of.cuh"

enum {
    TD_ROWSUM_THREADS = 256,
    TD_ROWSUM_WIDE = 128, /* columns at a time */
    TD_ROWSUM_STEP = 8,   /* numbers of each at a time */
    TD_ROWSUM_STEPS = TD_ROWSUM_COLUMNS / TD_ROWSUM_STEP,
    TD_ROWSUM_EACH = TD_ROWSUM_STEP * TD_ROWSUM_WIDE / TD_ROWSUM_THREADS /* that a thread copies */
};

struct td_rowsum_stage {
    alignas(16) float rows[TD_ROWSUM_COLUMNS][TD_ROWSUM_SIDE];
    alignas(16) float columns[2][TD_ROWSUM_STEP][TD_ROWSUM_WIDE];
};

/* Number k of row or column `at`; 0 beyond the last one. */
__device__ inline float td_rowsum_number(const td_data &data, uint32_t triangle, uint32_t k,
                                         uint32_t at)
{
    return at < data.n ? td_load(td_rowsum_column(&data, triangle, k) + at) : 0.0f;
}

/* The thread's numbers of step `step` along the row: eight of each of 128 columns. */
__device__ inline void td_rowsum_fetch(const td_data &data, uint32_t triangle, uint32_t step,
                                       float (&numbers)[TD_ROWSUM_EACH])
{
    const uint32_t thread = td_thread_of_block();
    const uint32_t col = step / TD_ROWSUM_STEPS * TD_ROWSUM_WIDE + thread % TD_ROWSUM_WIDE;
    const uint32_t k = step % TD_ROWSUM_STEPS * TD_ROWSUM_STEP + thread / TD_ROWSUM_WIDE;
#pragma unroll
    for (uint32_t i = 0; i < TD_ROWSUM_EACH; i++) {
        numbers[i] =
            td_rowsum_number(data, triangle, k + i * (TD_ROWSUM_THREADS / TD_ROWSUM_WIDE), col);
    }
}

__device__ inline void td_rowsum_put(const float (&numbers)[TD_ROWSUM_EACH], uint32_t step,
                                     td_rowsum_stage &stage)
{
    const uint32_t thread = td_thread_of_block();
#pragma unroll
    for (uint32_t i = 0; i < TD_ROWSUM_EACH; i++) {
        const uint32_t k = thread / TD_ROWSUM_WIDE + i * (TD_ROWSUM_THREADS / TD_ROWSUM_WIDE);
        stage.columns[step % 2][k][thread % TD_ROWSUM_WIDE] = numbers[i];
    }
}

/* Consecutive numbers in shared memory, loaded together. */
template <uint32_t Count>
struct alignas(Count % 4 == 0 ? 16 : 8) td_rowsum_numbers {
    float of[Count];
};

/* The products of the thread's rows and columns, eight terms of each. */
template <uint32_t Rows>
__device__ inline void td_rowsum_multiply(const td_rowsum_stage &stage, uint32_t step,
                                          float (&products)[Rows][8])
{
    const uint32_t thread = td_thread_of_block();
    const float *const rows = &stage.rows[step % TD_ROWSUM_STEPS * TD_ROWSUM_STEP][0];
#pragma unroll
    for (uint32_t k = 0; k < TD_ROWSUM_STEP; k++) {
        typedef td_rowsum_numbers<4> quad;
        const quad *const columns = (const quad *)stage.columns[step % 2][k] + thread % 16;
        const quad b[2] = {columns[0], columns[TD_ROWSUM_WIDE / 2 / 4]};
        const auto a =
            *(const td_rowsum_numbers<Rows> *)(rows + k * TD_ROWSUM_SIDE + thread / 16 * Rows);
#pragma unroll
        for (uint32_t r = 0; r < Rows; r++) {
#pragma unroll
            for (uint32_t c = 0; c < 8; c++) {
                products[r][c] = fmaf(a.of[r], b[c / 4].of[c % 4], products[r][c]);
            }
        }
    }
}

/* Adds the exponentials of the products with the columns from `first` on; of those up to the diagonal alone unless all
 * are left of it. */
template <uint32_t Rows>
__device__ inline void td_rowsum_add_up(const float (&products)[Rows][8], uint32_t row,
                                        uint32_t first, bool all, float (&sums)[Rows])
{
    const uint32_t col = first + td_thread_of_block() % 16 * 4;
#pragma unroll
    for (uint32_t r = 0; r < Rows; r++) {
        float sum = 0.0f;
#pragma unroll
        for (uint32_t c = 0; c < 8; c++) {
            const float term = td_exp2f(products[r][c] * 0.18033688f); /* log2(e) / 8 */
            sum += all || col + c % 4 + c / 4 * (TD_ROWSUM_WIDE / 2) <= row + r ? term : 0.0f;
        }
        sums[r] += sum;
    }
}

/* 16 Rows rows of a tile, or fewer at the end of the domain. */
template <uint32_t Rows>
__device__ inline void td_rowsum_rows(const td_data &data, td_work_rows rows,
                                      td_rowsum_stage &stage)
{
    constexpr uint32_t side = 16 * Rows;
    const uint32_t thread = td_thread_of_block(), first_row = rows.y * side;
    const uint32_t row = first_row + thread / 16 * Rows, triangle = rows.triangle;
    const uint32_t end = min(first_row + side, data.n);
    const uint32_t steps = td_ceil_div(end, TD_ROWSUM_WIDE) * TD_ROWSUM_STEPS;
    float sums[Rows] = {}, numbers[TD_ROWSUM_EACH];
    for (uint32_t i = thread; i < TD_ROWSUM_COLUMNS * side; i += TD_ROWSUM_THREADS) {
        stage.rows[i / side][i % side] =
            td_rowsum_number(data, triangle, i / side, first_row + i % side);
    }
    td_rowsum_fetch(data, triangle, 0, numbers);
    td_rowsum_put(numbers, 0, stage);
    __syncthreads();
    for (uint32_t step = 0; step < steps;) {
        const uint32_t first = step / TD_ROWSUM_STEPS * TD_ROWSUM_WIDE;
        float products[Rows][8] = {};
#pragma unroll 1
        for (uint32_t k = 0; k < TD_ROWSUM_STEPS; k++, step++) {
            if (step + 1 < steps) {
                td_rowsum_fetch(data, triangle, step + 1, numbers);
            }
            td_rowsum_multiply(stage, step, products);
            td_rowsum_put(numbers, step + 1, stage); /* after the last step: for nobody */
            __syncthreads();
        }
        td_rowsum_add_up(products, row, first, first + TD_ROWSUM_WIDE <= first_row, sums);
    }
#pragma unroll
    for (uint32_t r = 0; r < Rows; r++) {
        for (uint32_t distance = 8; distance > 0; distance /= 2) {
            sums[r] += __shfl_xor_sync(~0u, sums[r], distance);
        }
        if (thread % 16 == 0 && row + r < end) {
            ((float *)data.output)[(size_t)triangle * data.n + row + r] = logf(sums[r]);
        }
    }
}

/*
 * td_rowsum_tile - log-sum-exp along the rows of a tile.
 *
 * Shape   tile: a multiple of 32 up to 128 rows [cells]; block: 256 [threads]
 * Exact   within the bound of td_rowsum_verdict
 */
__device__ inline void td_rowsum_tile(const td_data &data, td_work_rows rows)
{
    __shared__ td_rowsum_stage stage;
    switch (rows.side / 32) {
    case 1:
        td_rowsum_rows<2>(data, rows, stage);
        break;
    case 2:
        td_rowsum_rows<4>(data, rows, stage);
        break;
    case 3:
        td_rowsum_rows<6>(data, rows, stage);
        break;
    default:
        td_rowsum_rows<8>(data, rows, stage);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_rowsum> = td_rowsum_tile;

/* ---- the check ---- */

/* A warp for each row of each triangle. Report: void (verdict, row, triangle) */
template <>
struct td_own_check<TD_WORKLOAD_rowsum> {
    static constexpr bool exists = true;
    static constexpr uint32_t rows = 8;

    template <typename Report>
    __device__ static void run(const td_data &data, uint32_t first, uint32_t end, Report report)
    {
        const uint32_t lane = threadIdx.x % 32, count = (end - first) * data.batch;
        for (uint32_t i = threadIdx.x / 32; i < count; i += blockDim.x / 32) {
            const uint32_t row = first + i / data.batch, triangle = i % data.batch;
            td_rowsum_sums sums = {0.0, 0.0};
            for (uint32_t col = lane; col <= row; col += 32) {
                td_rowsum_add(&data, row, col, triangle, &sums);
            }
            sums = {td_sum_of_warp(sums.terms), td_sum_of_warp(sums.weights)};
            if (lane == 0) {
                report(td_rowsum_verdict(&data, row, triangle, &sums), row, triangle);
            }
        }
    }
};

#endif
