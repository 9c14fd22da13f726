/*
 * check.cuh - checks a whole symmetric product in about the time that it takes: sums of cells with random signs
 * against products with sums of rows (Freivalds 1977), and a sample of cells one by one.
 *
 * For a row i and a segment S of columns, sum over S of s_j C_ij = A_i . (sum over S of s_j A_j), where the sums of
 * rows are part of the input. If every cell is off by at most e_j, the two differ by no more than 8 sqrt(sum of e_j^2),
 * but with probability 2 exp(-32) for signs s_j (Hoeffding 1963). A larger difference shows that a cell is wrong, and
 * the segment's cells are checked one by one. NaN in any cell shows, too: the output is poisoned with it.
 */
#ifndef TD_WORKLOADS_GRAM_CHECK_CUH
#define TD_WORKLOADS_GRAM_CHECK_CUH

#include "workloads/gram.h"
#include "workloads/tile_of.cuh"

/* Rows that a warp takes together: they share the loads of the sums. */
enum { TD_GRAM_CHECK_ROWS = 4 };

/* A column of the segment, another one for each row. */
__device__ inline uint32_t td_gram_sampled(uint32_t row, uint32_t segment)
{
    return segment * TD_GRAM_SEGMENT +
           (uint32_t)(td_mix64((uint64_t)row << 32 | segment) % TD_GRAM_SEGMENT);
}

/* The segment's cells of a row, exactly: two per lane. Returns whether this lane found a wrong one. Report: void
 * (verdict, row, col) */
template <typename Report>
__device__ inline bool td_gram_check_cells(const td_data &data, uint32_t row, uint32_t segment,
                                           Report report)
{
    bool wrong = false;
    for (uint32_t i = threadIdx.x % 32; i < TD_GRAM_SEGMENT; i += 32) {
        const uint32_t col = segment * TD_GRAM_SEGMENT + i;
        if (col <= row) {
            const td_verdict verdict = td_gram_check(&data, row, col);
            report(verdict, row, col);
            wrong |= !verdict.ok;
        }
    }
    return wrong;
}

/* Whether the sums of a whole segment's cells of a row are right, and the sampled cell. Products: of the row with the
 * sums of rows, and with the sampled row. */
template <typename Report>
__device__ inline bool td_gram_sums_are_right(const td_data &data, uint32_t row, uint32_t segment,
                                              const double *products, double sampled, Report report)
{
    const float *const lengths = td_gram_lengths(&data);
    const uint32_t sample = td_gram_sampled(row, segment);
    double squares = 0.0, sums[TD_GRAM_VECTORS] = {};
    bool right = true;
    for (uint32_t i = threadIdx.x % 32; i < TD_GRAM_SEGMENT; i += 32) {
        const uint32_t col = segment * TD_GRAM_SEGMENT + i;
        const float found = td_gram_found(&data, row, col), both = lengths[row] * lengths[col];
        const double error = (double)td_gram_error(&data, found, both);
        squares += error * error;
        for (uint32_t v = 0; v < TD_GRAM_VECTORS; v++) {
            sums[v] += (double)(td_gram_sign(v, col) * found);
        }
        if (col == sample) {
            const double off = fabs((double)found - sampled);
            right = off <= (double)td_gram_error(&data, (float)sampled, both);
            report({true, off, 0}, row, col); /* if it is wrong, it is reported with the others */
        }
    }
    const double most = 8.0 * sqrt(td_sum_of_warp(squares));
    for (uint32_t v = 0; v < TD_GRAM_VECTORS; v++) {
        const double off = fabs(td_sum_of_warp(sums[v]) - products[v]); /* of all lanes, always */
        right = right && off <= most;                                   /* not for NaN */
    }
    return __all_sync(~0u, right);
}

/* The cells of four rows in a segment of columns that is left of the diagonal in all of them. */
template <typename Report>
__device__ inline void td_gram_check_segment(const td_data &data, uint32_t first_row,
                                             uint32_t segment, Report report)
{
    constexpr uint32_t rows = TD_GRAM_CHECK_ROWS, vectors = TD_GRAM_VECTORS;
    const uint32_t columns = data.params[TD_GRAM_COLUMNS];
    const bool is_f16 = data.params[TD_GRAM_OPERAND] != 0;
    const uint16_t *a[rows], *b[rows];
    const float *q[vectors];
    double products[rows][vectors] = {}, sampled[rows] = {};
#pragma unroll
    for (uint32_t r = 0; r < rows; r++) {
        a[r] = td_gram_row(&data, first_row + r);
        b[r] = td_gram_row(&data, td_gram_sampled(first_row + r, segment));
    }
#pragma unroll
    for (uint32_t v = 0; v < vectors; v++) {
        q[v] = td_gram_sum(&data, segment, v);
    }
    for (uint32_t k = threadIdx.x % 32; k < columns; k += 32) {
#pragma unroll
        for (uint32_t r = 0; r < rows; r++) {
            const double number = (double)td_half_number(a[r][k], is_f16);
            sampled[r] += number * (double)td_half_number(b[r][k], is_f16);
#pragma unroll
            for (uint32_t v = 0; v < vectors; v++) {
                products[r][v] += number * (double)q[v][k];
            }
        }
    }
#pragma unroll
    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t row = first_row + r;
        for (uint32_t v = 0; v < vectors; v++) {
            products[r][v] = td_sum_of_warp(products[r][v]);
        }
        if (!td_gram_sums_are_right(data, row, segment, products[r], td_sum_of_warp(sampled[r]),
                                    report) &&
            __all_sync(~0u, !td_gram_check_cells(data, row, segment, report)) &&
            threadIdx.x % 32 == 0) { /* together they are wrong, as no single one is */
            report({}, row, segment * TD_GRAM_SEGMENT);
        }
    }
}

/* The segments from 0 on that are whole in these rows, of which there are four. Where a row is the first or last of a
 * kernel's tile, they end before the tile on the diagonal: all its cells are checked, as are those after them. */
__device__ inline uint32_t td_gram_whole(const td_data &data, uint32_t first, uint32_t end)
{
    uint32_t whole = end - first == TD_GRAM_CHECK_ROWS ? (first + 1) / TD_GRAM_SEGMENT : 0;
    for (uint32_t row = first; row < end; row++) {
        if (row % TD_GRAM_ROWS == 0 || (row + 1) % TD_GRAM_ROWS == 0 || row + 1 == data.n) {
            whole = min(whole, row / TD_GRAM_SIDE * (TD_GRAM_SIDE / TD_GRAM_SEGMENT));
        }
    }
    return whole;
}

/* A block checks rows [first, end), at most four; its warps take segments. */
template <>
struct td_own_check<TD_WORKLOAD_gram> {
    static constexpr bool exists = true;
    static constexpr uint32_t rows = TD_GRAM_CHECK_ROWS;

    template <typename Report>
    __device__ static void run(const td_data &data, uint32_t first, uint32_t end, Report report)
    {
        const uint32_t warp = threadIdx.x / 32, warps = blockDim.x / 32;
        const uint32_t whole = td_gram_whole(data, first, end);
        for (uint32_t segment = warp; segment < whole; segment += warps) {
            td_gram_check_segment(data, first, segment, report);
        }
        for (uint32_t row = first; row < end; row++) {
            for (uint32_t segment = whole + warp; segment * TD_GRAM_SEGMENT <= row;
                 segment += warps) {
                td_gram_check_cells(data, row, segment, report);
            }
        }
    }
};

#endif
