/*
 * check.cuh - checks whole rows of attention in double, as td_attention_check does on the host: a block per row and
 * head, a thread per key for the scores, then per column for the sums.
 */
#ifndef TD_WORKLOADS_ATTENTION_CHECK_CUH
#define TD_WORKLOADS_ATTENTION_CHECK_CUH

#include "workloads/attention.h"
#include "workloads/tile_of.cuh"

enum { TD_ATTENTION_CHECKERS = 256 /* threads, and keys at a time */ };

/* Of a block: what its threads tell each other. */
struct td_attention_checked {
    double weights[TD_ATTENTION_CHECKERS], partial[TD_ATTENTION_CHECKERS][5];
    double warps[TD_ATTENTION_CHECKERS / 32];
};

/* The largest of all threads' numbers. */
__device__ inline double td_attention_largest(double number, double *warps)
{
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
        number = fmax(number, __shfl_xor_sync(~0u, number, distance));
    }
    __syncthreads(); /* what was there is read */
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = number;
    }
    __syncthreads();
    for (uint32_t warp = 0; warp < TD_ATTENTION_CHECKERS / 32; warp++) {
        number = fmax(number, warps[warp]);
    }
    return number;
}

/* A row of a head. Returns what the thread with a column's number found out about it: its part of the verdict. */
__device__ inline td_verdict td_attention_check_row(const td_data &data, uint32_t row,
                                                    uint32_t head, td_attention_checked &shared)
{
    const uint32_t columns = data.params[TD_ATTENTION_WIDE], thread = threadIdx.x;
    const uint32_t column = thread % columns, group = thread / columns;
    const uint32_t groups = TD_ATTENTION_CHECKERS / columns;
    const bool is_f16 = data.params[TD_ATTENTION_IS_F16] != 0;
    const uint16_t *const query = td_attention_queries(&data, head) + (uint64_t)row * columns;
    const uint16_t *const keys = td_attention_keys(&data, head);
    const uint16_t *const values = td_attention_values(&data, head);
    double most = -INFINITY, length = 0.0, sums[5] = {}; /* as in td_attention_sums, and p */
    uint32_t first, end;
    td_attention_range(&data, row, &first, &end);
    for (uint32_t chunk = first; chunk < end; chunk += TD_ATTENTION_CHECKERS) {
        const uint32_t key = chunk + thread, count = min(end - chunk, TD_ATTENTION_CHECKERS + 0u);
        const double score =
            key < end ? td_attention_score(&data, query, keys + (uint64_t)key * columns, &length)
                      : -INFINITY;
        const double larger = fmax(most, td_attention_largest(score, shared.warps));
        const double scale = exp(most - larger);
        most = larger;
        shared.weights[thread] = exp(score - most);
        __syncthreads();
        for (uint32_t s = 0; s < 5; s++) {
            sums[s] *= s == 2 ? scale * scale : s == 3 ? 1.0 : scale;
        }
        for (uint32_t k = group; k < count; k += groups) {
            const double v =
                (double)td_half_number(values[(uint64_t)(chunk + k) * columns + column], is_f16);
            const double weighted = shared.weights[k] * v;
            sums[0] += weighted;
            sums[1] += fabs(weighted);
            sums[2] += weighted * weighted;
            sums[3] += fabs(v);
            sums[4] += shared.weights[k];
        }
    }
    length = td_attention_largest(length, shared.warps);
    for (uint32_t s = 0; s < 5; s++) {
        shared.partial[thread][s] = sums[s];
    }
    __syncthreads();
    td_verdict verdict = {true, 0.0, 0};
    if (group == 0) {
        for (uint32_t s = 0; s < 5; s++) {
            for (uint32_t g = 1; g < groups; g++) {
                sums[s] += shared.partial[column + g * columns][s];
            }
        }
        const double total = sums[4], exact = sums[0] / total, log_sum = most + log(total);
        const double error = td_attention_weight_error(&data, length, end - first);
        const double found =
            (double)td_half_number(td_attention_result(&data, row, head)[column], is_f16);
        const double log_off =
            fabs((double)td_attention_logs(&data)[(uint64_t)head * data.n + row] - log_sum);
        const double off = fabs(found - exact);
        verdict.error = fmax(off, log_off);
        verdict.ok =
            off <= td_attention_column_error(&data, error, end - first, exact, sums[1] / total,
                                             sums[2] / (total * total), sums[3] / total) &&
            log_off <= td_attention_log_error(&data, error, end - first, length, log_sum);
    }
    return verdict;
}

/* A block checks one row, head after head. */
template <>
struct td_own_check<TD_WORKLOAD_attention> {
    static constexpr bool exists = true;
    static constexpr uint32_t rows = 1;

    template <typename Report>
    __device__ static void run(const td_data &data, uint32_t first, uint32_t, Report report)
    {
        __shared__ td_attention_checked shared;
        for (uint32_t head = 0; head < data.batch; head++) {
            const td_verdict mine = td_attention_check_row(data, first, head, shared);
            const bool ok = __syncthreads_and(mine.ok);
            report({ok || threadIdx.x > 0, mine.error, 0}, first, head);
        }
    }
};

#endif
