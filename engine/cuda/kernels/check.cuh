/*
 * check.cuh - visits every cell of a domain, in 2D and in 3D: row by row and without a map, so that a check cannot
 * share a mistake with what it checks.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_CUH
#define TD_ENGINE_CUDA_KERNELS_CHECK_CUH

#include "engine/cuda/kernel_table.h"

/* ---- rows ---- */

/* A row: its cells are those before `end`, and in the full layout the elements from `end` to `outside` hold the
 * poison. In 2D, z is 0. */
struct td_check_row {
    uint32_t y, z, end, outside;

    /* Input: number: below shape.rows */
    __device__ td_check_row(const td_data &data, const td_check_shape &shape, uint64_t number)
    {
        if (shape.in_3d) {
            y = (uint32_t)(number % data.n);
            z = (uint32_t)(number / data.n);
            end = y <= z ? z - y + 1 : 0;
        } else {
            y = shape.first_row + (uint32_t)number;
            z = 0;
            end = y == data.n          ? 0
                  : shape.columns != 0 ? shape.columns
                  : shape.no_diagonal  ? y
                                       : y + 1;
        }
        outside = shape.poisoned_outside ? data.n : end;
    }

    /* The row `count` further on in the same layer, of which only the coordinates are right. */
    __device__ td_check_row below(uint32_t count) const
    {
        td_check_row row = *this;
        row.y += count;
        return row;
    }
};

/* Call a function for a cell. */
template <td_check_fn *Check>
__device__ inline td_verdict td_visit(const td_data &data, const td_check_row &row, uint32_t x)
{
    return Check(&data, row.y, x);
}
template <td_check3_fn *Check>
__device__ inline td_verdict td_visit(const td_data &data, const td_check_row &row, uint32_t x)
{
    return Check(&data, x, row.y, row.z);
}
template <td_cell_fn *Cell>
__device__ inline void td_visit(const td_data &data, const td_check_row &row, uint32_t x)
{
    Cell(&data, row.y, x);
}
template <td_cell3_fn *Cell>
__device__ inline void td_visit(const td_data &data, const td_check_row &row, uint32_t x)
{
    Cell(&data, x, row.y, row.z);
}

/* Call Cell for every cell of the domain. */
template <auto *Cell>
__device__ inline void td_run_task(const td_data &data, const td_check_shape &shape)
{
    for (uint64_t number = blockIdx.x; number < shape.rows; number += gridDim.x) {
        const td_check_row row(data, shape, number);
        for (uint32_t x = threadIdx.x; x < row.end; x += blockDim.x) {
            td_visit<Cell>(data, row, x);
        }
    }
}

/* ---- counts ---- */

/* Add counts of a thread or of a block to those of a block or of the grid. */
__device__ inline void td_add_counts(td_device_counts *to, const td_device_counts &from)
{
    atomicAdd(&to->checked, from.checked);
    atomicAdd(&to->mismatches, from.mismatches);
    atomicAdd(&to->touched_outside, from.touched_outside);
    atomicAdd(&to->found, from.found);
    atomicMax(&to->before_wrong, from.before_wrong);
    /* the bits of non-negative doubles have the same order as the doubles */
    atomicMax((unsigned long long *)&to->max_abs_error,
              (unsigned long long)__double_as_longlong(from.max_abs_error));
}

/* Add the counts of a block's threads to *sum. All of them call it. */
static __device__ __noinline__ void td_sum_counts(td_device_counts *sum,
                                                  const td_device_counts &mine)
{
    __shared__ td_device_counts block;
    if (threadIdx.x == 0) {
        block = {};
    }
    __syncthreads();
    td_add_counts(&block, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        td_add_counts(sum, block);
    }
}

/* Add the verdict on a cell that is wrong or not exact. */
__device__ inline void td_add_fault(td_device_counts &mine, const td_verdict &verdict,
                                    uint64_t cell)
{
    if (!verdict.ok) {
        mine.mismatches++;
        mine.before_wrong = max(mine.before_wrong, ~(unsigned long long)cell);
    }
    mine.max_abs_error = fmax(mine.max_abs_error, verdict.error);
}

/* ---- the check ---- */

/* In the full layout: the elements after a row's cells, and how many bytes of one no longer hold the poison. */
struct td_poison_outside {
    __device__ static td_elements of(const td_data &data, const td_check_row &row)
    {
        const uint64_t first = ((uint64_t)row.z * data.n + row.y) * data.n;
        return {first + row.end, first + row.outside};
    }

    __device__ static uint32_t touched(const td_data &data, const td_check_shape &shape,
                                       uint64_t at)
    {
        const uint8_t *bytes = (const uint8_t *)data.output + at * shape.element_bytes;
        uint32_t touched = 0;
        for (uint32_t i = 0; i < shape.element_bytes; i++) {
            touched += bytes[i] != shape.poison;
        }
        return touched;
    }
};

/* Each of the TD_CHECK_ROWS rows from `number` on has the columns before this one; 0 where fewer rows are left, and
 * where triangles have lengths of their own. */
__device__ inline uint32_t td_common_end(const td_data &data, const td_check_shape &shape,
                                         uint64_t number)
{
    const bool has_all = number + TD_CHECK_ROWS <= shape.rows && data.lengths == nullptr;
    uint32_t end = has_all ? UINT32_MAX : 0;
    for (uint32_t k = 0; k < TD_CHECK_ROWS; k++) {
        end = min(end, td_check_row(data, shape, number + k).end);
    }
    return end;
}

/*
 * Whether all cells of the thread are exact in the columns that consecutive rows have in common. A block takes
 * TD_CHECK_ROWS rows at a time, and asks without a branch, so that what a column is computed from is loaded once for
 * all of them, and their loads are in flight together.
 */
template <auto *Check>
__device__ inline bool td_are_common_exact(const td_data &data, const td_check_shape &shape,
                                           td_device_counts &mine)
{
    constexpr uint32_t rows = TD_CHECK_ROWS;
    uint32_t checked = 0, found = 0;
    bool exact = true;
    for (uint64_t number = (uint64_t)blockIdx.x * rows; number < shape.rows;
         number += (uint64_t)gridDim.x * rows) {
        const td_check_row top(data, shape, number);
        const uint32_t common_end = td_common_end(data, shape, number);
#pragma unroll 1
        for (uint32_t x = threadIdx.x; x < common_end; x += TD_CHECK_THREADS) {
#pragma unroll
            for (uint32_t k = 0; k < rows; k++) {
                const td_verdict verdict = td_visit<Check>(data, top.below(k), x);
                exact &= verdict.ok && verdict.error == 0.0;
                found += verdict.found;
            }
            checked += rows;
        }
    }
    mine.checked += checked;
    mine.found += found;
    return exact;
}

/* Check the thread's cells of a row one by one. Those before column `counted` have been counted, and need no second
 * look if they are exact. */
template <auto *Check>
__device__ inline void td_check_row_cells(const td_data &data, const td_check_row &row,
                                          uint32_t counted, bool exact, td_device_counts &mine)
{
    constexpr uint32_t stride = TD_CHECK_THREADS;
#pragma unroll 1
    for (uint32_t x = threadIdx.x; x < row.end; x += stride) {
        const bool is_counted = x < counted;
        if (is_counted && exact) {
            x += (counted - 1 - x) / stride * stride;
            continue;
        }
        if (td_is_padding(&data, row.y, x)) {
            continue;
        }
        const td_verdict verdict = td_visit<Check>(data, row, x);
        td_add_fault(mine, verdict, td_cell_number(x, row.y, row.z));
        mine.found += is_counted ? 0 : verdict.found;
        mine.checked += !is_counted;
    }
}

/* Outside: see td_poison_outside. */
template <auto *Check, typename Outside>
__device__ inline void td_check_rows(const td_data &data, const td_check_shape &shape,
                                     td_device_counts &mine)
{
    constexpr uint32_t rows = TD_CHECK_ROWS;
    const bool exact = td_are_common_exact<Check>(data, shape, mine);
#pragma unroll 1
    for (uint64_t number = (uint64_t)blockIdx.x * rows; number < shape.rows;
         number += (uint64_t)gridDim.x * rows) {
        const uint32_t common_end = td_common_end(data, shape, number);
#pragma unroll 1
        for (uint32_t k = 0; k < rows && number + k < shape.rows; k++) {
            const td_check_row row(data, shape, number + k);
            td_check_row_cells<Check>(data, row, common_end, exact, mine);
            const td_elements outside = Outside::of(data, row);
#pragma unroll 1
            for (uint64_t at = outside.begin + threadIdx.x; at < outside.end;
                 at += TD_CHECK_THREADS) {
                mine.touched_outside += Outside::touched(data, shape, at);
            }
        }
    }
}

/* Where cells lie in rows, no place of a cell takes a test for tiles. */
template <auto *Check, typename Outside = td_poison_outside>
__device__ inline void td_run_check(const td_data &data, const td_check_shape &shape,
                                    td_device_counts *sum)
{
    td_device_counts mine = {};
    if (data.blocked == 0) {
        td_data in_rows = data;
        in_rows.blocked = 0;
        td_check_rows<Check, Outside>(in_rows, shape, mine);
    } else {
        td_check_rows<Check, Outside>(data, shape, mine);
    }
    td_sum_counts(sum, mine);
}

#endif
