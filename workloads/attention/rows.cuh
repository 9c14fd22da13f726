/*
 * rows.cuh - attention on the tensor cores of any GPU since compute capability 8.0: the rows of a tile, 16 to a warp,
 * against 64 keys at a time in shared memory. Compute capability 9.0 has tile.cuh.
 */
#ifndef TD_WORKLOADS_ATTENTION_ROWS_CUH
#define TD_WORKLOADS_ATTENTION_ROWS_CUH

#include "workloads/attention.h"
#include "workloads/mma.cuh"
#include "workloads/tile_of.cuh"

enum { TD_ATTENTION_FEW = 64 /* keys at a time */ };

/* Keys and values in shared memory. Values are mirrored, so that two numbers that a product takes lie side by side. */
template <uint32_t Columns>
struct td_attention_stage {
    alignas(16) uint16_t keys[TD_ATTENTION_FEW][Columns + 8];
    alignas(16) uint16_t values[Columns][TD_ATTENTION_FEW + 8];
};

/* Fill the stage with keys from `first` on; zeros after the last one. */
template <uint32_t Columns>
__device__ inline void td_attention_load(const td_data &data, uint32_t head, uint32_t first,
                                         td_attention_stage<Columns> &stage)
{
    constexpr uint32_t units = Columns / 8; /* of 16 bytes */
    const uint32_t threads = blockDim.x * blockDim.y;
    td_copy_rows(stage.keys, td_attention_keys(&data, head), data.n, Columns, first, 0);
    td_copies_commit();
    for (uint32_t i = td_thread_of_block(); i < TD_ATTENTION_FEW * units; i += threads) {
        const uint32_t key = i % TD_ATTENTION_FEW, column = i / TD_ATTENTION_FEW * 8;
        const uint64_t at = (uint64_t)(first + key) * Columns + column;
        uint4 values = {0, 0, 0, 0};
        if (first + key < data.n) {
            values = *(const uint4 *)(td_attention_values(&data, head) + at);
        }
        for (uint32_t k = 0; k < 8; k++) {
            stage.values[column + k][key] = ((const uint16_t *)&values)[k];
        }
    }
    td_copies_wait<0>();
}

/* 16 rows of a head: those of a warp. See td_warp_product for which numbers a lane has. */
template <bool Bf16, uint32_t Columns>
class td_attention_warp
{
    const td_data &data;
    const uint32_t head, row, pair; /* the lane's first row, and its first two columns of eight */
    const float scale;              /* of a score, for powers of two */
    uint32_t queries[Columns / 16][4];
    float sums[Columns / 8][4] = {}, most[2] = {-INFINITY, -INFINITY}, total[2] = {};

  public:
    __device__ td_attention_warp(const td_data &of, uint32_t triangle, uint32_t first_row)
        : data(of), head(triangle), row(first_row + threadIdx.x % 32 / 4),
          pair(threadIdx.x % 4 * 2), scale(1.44269504f / sqrtf((float)Columns))
    {
        for (uint32_t k = 0; k < Columns / 16; k++) {
            for (uint32_t i = 0; i < 4; i++) { /* rows first, then columns */
                const uint32_t r = row + i % 2 * 8, column = 16 * k + i / 2 * 8 + pair;
                const uint16_t *const query =
                    td_attention_queries(&data, head) + (uint64_t)r * Columns + column;
                queries[k][i] = r < data.n ? *(const uint32_t *)query : 0;
            }
        }
    }

    /* Add the keys of the stage, from `first` on. */
    __device__ void add(const td_attention_stage<Columns> &stage, uint32_t first)
    {
        const uint32_t lane = threadIdx.x % 32;
        float scores[TD_ATTENTION_FEW / 8][4] = {};
#pragma unroll
        for (uint32_t j = 0; j < TD_ATTENTION_FEW / 8; j++) {
#pragma unroll
            for (uint32_t k = 0; k < Columns / 16; k++) {
                const uint16_t *const key = &stage.keys[8 * j + lane / 4][16 * k + pair];
                td_warp_product<Bf16>(scores[j], queries[k], *(const uint32_t *)key,
                                      *(const uint32_t *)(key + 8));
            }
        }
        mask(scores, first);
        weigh(scores);
#pragma unroll
        for (uint32_t k = 0; k < TD_ATTENTION_FEW / 16; k++) {
            uint32_t weights[4];
#pragma unroll
            for (uint32_t i = 0; i < 4; i++) { /* as queries are */
                const float *const of = scores[2 * k + i / 2];
                weights[i] = td_two_halves<Bf16>(of[i % 2 * 2], of[i % 2 * 2 + 1]);
            }
#pragma unroll
            for (uint32_t j = 0; j < Columns / 8; j++) {
                const uint16_t *const value = &stage.values[8 * j + lane / 4][16 * k + pair];
                td_warp_product<Bf16>(sums[j], weights, *(const uint32_t *)value,
                                      *(const uint32_t *)(value + 8));
            }
        }
    }

    /* The sums over the totals, and the logarithms of the totals. */
    __device__ void store()
    {
        for (uint32_t r = 0; r < 2; r++) {
            total[r] += __shfl_xor_sync(~0u, total[r], 1);
            total[r] += __shfl_xor_sync(~0u, total[r], 2);
            if (row + 8 * r >= data.n) {
                continue;
            }
            uint16_t *const result = td_attention_result(&data, row + 8 * r, head) + pair;
            const float inverse = 1.0f / total[r];
            for (uint32_t j = 0; j < Columns / 8; j++) {
                *(uint32_t *)(result + 8 * j) =
                    td_two_halves<Bf16>(sums[j][2 * r] * inverse, sums[j][2 * r + 1] * inverse);
            }
            if (pair == 0) {
                td_attention_logs(&data)[(uint64_t)head * data.n + row + 8 * r] =
                    0.693147181f * (most[r] * scale + log2f(total[r]));
            }
        }
    }

  private:
    /* Scores that do not count become -infinity. */
    __device__ void mask(float (&scores)[TD_ATTENTION_FEW / 8][4], uint32_t first_key) const
    {
        uint32_t first, end, unused;
        td_attention_range(&data, row, &unused, &end);
        td_attention_range(&data, row + 8, &first, &unused);
        if (first <= first_key && first_key + TD_ATTENTION_FEW <= end) {
            return; /* all count, in both rows */
        }
        for (uint32_t r = 0; r < 2; r++) {
            td_attention_range(&data, row + 8 * r, &first, &end);
#pragma unroll
            for (uint32_t j = 0; j < TD_ATTENTION_FEW / 8; j++) {
                for (uint32_t i = 0; i < 2; i++) {
                    const uint32_t key = first_key + 8 * j + pair + i;
                    scores[j][2 * r + i] =
                        first <= key && key < end ? scores[j][2 * r + i] : -INFINITY;
                }
            }
        }
    }

    /* Scores become weights, relative to the largest so far; what was added before is scaled. */
    __device__ void weigh(float (&scores)[TD_ATTENTION_FEW / 8][4])
    {
        for (uint32_t r = 0; r < 2; r++) {
            float largest = most[r];
#pragma unroll
            for (uint32_t j = 0; j < TD_ATTENTION_FEW / 8; j++) {
                largest = fmaxf(largest, fmaxf(scores[j][2 * r], scores[j][2 * r + 1]));
            }
            largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 1));
            largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 2));
            /* a row may have none of its keys here */
            const float base = largest > -INFINITY ? largest * scale : 0.0f;
            const float by = td_exp2f(most[r] * scale - base);
            most[r] = largest;
            total[r] *= by;
#pragma unroll
            for (uint32_t j = 0; j < TD_ATTENTION_FEW / 8; j++) {
                for (uint32_t i = 2 * r; i < 2 * r + 2; i++) {
                    scores[j][i] = td_exp2f(fmaf(scores[j][i], scale, -base));
                    total[r] += scores[j][i];
                }
            }
#pragma unroll
            for (uint32_t j = 0; j < Columns / 8; j++) {
                sums[j][2 * r] *= by;
                sums[j][2 * r + 1] *= by;
            }
        }
    }
};

template <bool Bf16, uint32_t Columns>
__device__ inline void td_attention_rows(const td_data &data, td_work_rows rows,
                                         td_attention_stage<Columns> &stage)
{
    const uint32_t row = rows.y * rows.side, warp = td_thread_of_block() / 32;
    td_attention_warp<Bf16, Columns> mine(data, rows.triangle, row + 16 * warp);
    uint32_t first, end, unused;
    td_attention_range(&data, row, &first, &unused);
    td_attention_range(&data, min(row + rows.side, data.n) - 1, &unused, &end);
    for (uint32_t key = first / TD_ATTENTION_FEW * TD_ATTENTION_FEW; key < end;
         key += TD_ATTENTION_FEW) {
        __syncthreads(); /* what was there is read */
        td_attention_load(data, rows.triangle, key, stage);
        __syncthreads();
        mine.add(stage, key);
    }
    mine.store();
}

/*
 * td_attention_tile - rows of a head.
 *
 * Shape   tile: 128 rows [cells]; block: 256 [threads], 32 along x
 * Exact   within the bounds of td_attention_column_error and td_attention_log_error
 */
__device__ inline void td_attention_tile(const td_data &data, td_work_rows rows)
{
    __shared__ union {
        td_attention_stage<128> wide;
        td_attention_stage<64> narrow;
    } stage;
    const bool is_bf16 = data.params[TD_ATTENTION_IS_F16] == 0;
    if (data.params[TD_ATTENTION_WIDE] == 128) {
        is_bf16 ? td_attention_rows<true>(data, rows, stage.wide)
                : td_attention_rows<false>(data, rows, stage.wide);
    } else {
        is_bf16 ? td_attention_rows<true>(data, rows, stage.narrow)
                : td_attention_rows<false>(data, rows, stage.narrow);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_attention> = td_attention_tile;

#endif
