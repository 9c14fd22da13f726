/* tile_loop.h - the cells of one tile, for the cpu engine: cells are constants wherever this is inlined. */
#ifndef TD_ENGINE_CPU_KERNELS_TILE_LOOP_H
#define TD_ENGINE_CPU_KERNELS_TILE_LOOP_H

#include "strategies/map.h"
#include "workloads/workload.h"

#define TD_INLINE static inline __attribute__((always_inline))

/*
 * Before a loop over cells, which do not depend on each other; TD_SIMD_OF says how many of them a vector has. clang
 * takes a loop of a constant length apart before it looks for vectors, unless it is told not to, and takes no such word
 * beside `omp simd`. Told so here, clang before 16 keeps a loop around the one vector of a group, a sixth of the time
 * of edm4; the Makefile's -unroll-full-max-count, which a file's compiler may lack, keeps loops whole without that.
 */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* cells that count or branch are no vectors */
#define TD_PRAGMA(text) _Pragma(#text)
#define TD_SIMD TD_PRAGMA(clang loop vectorize(assume_safety) unroll(disable))
#ifdef TD_LONG_LOOPS_STAY
#define TD_SIMD_OF(cells)                                                                          \
    TD_PRAGMA(clang loop vectorize(assume_safety) vectorize_width(cells) interleave_count(1))
#else
#define TD_SIMD_OF(cells)                                                                          \
    TD_PRAGMA(clang loop vectorize(assume_safety) vectorize_width(cells) unroll(disable))
#endif
#define TD_ASSUME(claim) __builtin_assume(claim)
#else
#define TD_SIMD _Pragma("omp simd")
#define TD_SIMD_OF(cells) TD_SIMD
/* Nothing: __builtin_unreachable leaves a loop without vectors. */
#define TD_ASSUME(claim) ((void)0)
#endif

TD_INLINE uint32_t td_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Cells that are computed together: with four bytes each as many as the widest vector has. */
enum { TD_GROUP = 16 };

/* Rows that are written together: each is in a page of its own, and there are 64 pages at hand. */
enum { TD_GROUP_ROWS = 16 };

/* Four and eight lines ahead take the same time, two or sixteen more (edm4, tiles of 16x16, an EPYC with AVX2). */
enum { TD_AHEAD_BYTES = 256 };

/*
 * The cells [col, end) of a row. Where a cell may be computed again they go in groups, the last of which overlaps the
 * one before it: a rest of single cells would cost as much as several groups.
 *
 * A group alone as a loop of a constant length would be unrolled before it could become a vector, and so both rounds
 * have the loop in common.
 */
TD_INLINE void td_loop_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                           td_cell_fn *cell, bool again)
{
    if (again && col + TD_GROUP <= end) {
        uint32_t groups = (end - col) / TD_GROUP;
        for (uint32_t first = col;;) {
            const uint32_t stop = first + groups * TD_GROUP;
            TD_SIMD_OF(16) for (uint32_t c = first; c < stop; c++)
            {
                cell(data, row, c);
            }
            if (stop == end) {
                return;
            }
            first = end - TD_GROUP;
            groups = 1;
        }
    }
    TD_SIMD for (uint32_t c = col; c < end; c++)
    {
        cell(data, row, c);
    }
}

/* Rows that nothing cuts short, groups of columns from `col` on. */
typedef struct td_group_rows {
    uint32_t row, end_row;
    uint32_t col, groups;
    bool left; /* the groups from right to left */
} td_group_rows;

/* The cells of such rows. Input: the output is not the input. */
typedef void td_groups_fn(const td_data *data, const td_group_rows *rows,
                          const void *restrict input, void *restrict output);

/*
 * One td_groups_fn of a workload, for rows below the diagonal: a group after the other, so that what cells read of
 * their columns stays in registers from row to row. The compiler believes `restrict` in parameters of functions that
 * are not inlined.
 *
 * A row of a group ends before the processor has seen where its lines go, so lines are fetched ahead.
 */
TD_INLINE void td_loop_groups(const td_data *data, const td_group_rows *rows,
                              const void *restrict input, void *restrict output, td_cell_fn *cell,
                              const td_workload *workload)
{
    const size_t element = workload->element == TD_U8 ? 1 : 4; /* a constant */
    td_data local = *data;
    local.input = input;
    local.output = output;
    const ptrdiff_t ahead = rows->left ? -TD_AHEAD_BYTES : TD_AHEAD_BYTES;
    for (uint32_t done = 0; done < rows->groups; done++) {
        const uint32_t group = rows->left ? rows->groups - 1 - done : done;
        const uint32_t col = rows->col + group * TD_GROUP;
        if (col > UINT32_MAX - TD_GROUP) {
            __builtin_unreachable(); /* or columns are no vector */
        }
        for (uint32_t row = rows->row; row < rows->end_row; row++) {
            const size_t at = (td_row_start(&local, row) + col) * element;
            __builtin_prefetch((const char *)output + at + ahead, 1);
            TD_SIMD_OF(16) for (uint32_t c = 0; c < TD_GROUP; c++)
            {
                if (workload->no_diagonal) { /* or its cell tests, and loads and stores by mask */
                    TD_ASSUME(col + c < row);
                }
                cell(&local, row, col + c);
            }
#ifdef __clang__ /* or the address of each use of a row takes products of its own; last, or loads stay in the loop */
            __asm__("" : "+r"(row));
#endif
        }
    }
}

/*
 * The cells of tile (x, y): rows and columns end with the domain, the diagonal cuts a row short.
 *
 * Input   left: the tile to the left is likely to be the next, not that to the right
 *         groups: of the cell; NULL: a cell may not be computed again
 */
TD_INLINE void td_loop_tile(const td_launch *launch, const td_data *data, td_tile tile, bool left,
                            td_cell_fn *cell, td_groups_fn *groups)
{
    const uint32_t side = launch->tile;
    const uint32_t first_col = tile.x * side;
    const uint32_t first_row = tile.y * side;
    const uint32_t end_row = td_least(first_row + side, data->n);
    /* In 64 bits: a map that is wrong, as --inexact has them, may answer with the tile to the left of the first. */
    if (groups != NULL && side % TD_GROUP == 0 && (uint64_t)first_col + side <= first_row) {
        td_group_rows rows = {first_row, first_row, first_col, side / TD_GROUP, left};
        for (; rows.row < end_row; rows.row = rows.end_row) {
            rows.end_row = td_least(rows.row + TD_GROUP_ROWS, end_row);
            groups(data, &rows, data->input, data->output);
        }
        return;
    }
    const td_data local = *data; /* stores of cells cannot alias it, so it stays in registers */
    for (uint32_t row = first_row; row < end_row; row++) {
        const uint32_t end = td_least(first_col + side, row + 1);
        td_loop_row(&local, row, first_col, end, cell, groups != NULL);
    }
}

/* The cells of tile (x, y) of the whole square. */
TD_INLINE void td_loop_square(const td_launch *launch, const td_data *data, td_tile tile,
                              td_cell_fn *cell)
{
    const td_data local = *data;
    const uint32_t side = launch->tile, width = launch->width;
    const uint32_t end_row = td_least((tile.y + 1) * side, local.n);
    const uint32_t end_col = td_least((tile.x + 1) * width, local.n);
    for (uint32_t row = tile.y * side; row < end_row; row++) {
        td_loop_row(&local, row, tile.x * width, end_col, cell, false);
    }
}

#endif
