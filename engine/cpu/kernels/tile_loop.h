/* tile_loop.h - the cells of one tile, for the cpu engine: cells are constants wherever this is inlined. */
#ifndef TD_ENGINE_CPU_KERNELS_TILE_LOOP_H
#define TD_ENGINE_CPU_KERNELS_TILE_LOOP_H

#include "strategies/map.h"
#include "workloads/workload.h"

#define TD_INLINE static inline __attribute__((always_inline))

/*
 * TD_SIMD and TD_SIMD_OF stand before a loop over cells, which do not depend on each other. TD_SIMD is for loops of any
 * length, TD_SIMD_OF says how many cells a vector has. clang applies them only to a loop that calls the cell directly:
 * a function between loop and cell loses them.
 *
 * clang unrolls a loop of constant length before it looks for vectors, unless a pragma forbids it. With that pragma,
 * clang before 16 keeps a loop around the single vector of a group, which takes a sixth of the time of edm4. The
 * Makefile's -unroll-full-max-count keeps such loops whole without the pragma, but the compiler of a workload's file
 * may lack the option.
 */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* no vectors of cells that count or branch */
#define TD_PRAGMA(text) _Pragma(#text)
#define TD_SIMD TD_PRAGMA(clang loop vectorize(assume_safety) interleave_count(1))
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
/* gcc is told nothing: with __builtin_unreachable it makes no vectors of a loop. */
#define TD_ASSUME(claim) ((void)sizeof(claim))
#endif

TD_INLINE uint32_t td_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The value, which clang takes as it is: it does not compute it anew from others wherever it is used. */
TD_INLINE uint32_t td_held(uint32_t value)
{
#ifdef __clang__
    __asm__("" : "+r"(value));
#endif
    return value;
}

/* Cells that are computed together: the widest vector holds this many cells of four bytes. */
enum { TD_GROUP = 16 };

/* Rows that are written together. Each row is in a page of its own, and the first TLB holds 64 pages. */
enum { TD_GROUP_ROWS = 16 };

/* Four lines. Eight take the same time, two or sixteen take longer (edm4, tiles of 16x16, an EPYC with AVX2). */
enum { TD_AHEAD_BYTES = 256 };

/* The columns [col, end) of a row, from `size` to twice as many: one group, or two that may overlap. */
TD_INLINE void td_loop_short_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                                 td_cell_fn *cell, const td_workload *workload, uint32_t size)
{
    for (uint32_t first = col;; first = end - size) {
        if (first > UINT32_MAX - TD_GROUP) {
            __builtin_unreachable(); /* no column wraps around: otherwise a group does not become a vector */
        }
        TD_SIMD_OF(8) for (uint32_t c = 0; c < size; c++)
        {
            TD_ASSUME(!workload->no_diagonal || first + c < row);
            cell(data, row, first + c);
        }
        if (first + size == end) {
            return;
        }
    }
}

/*
 * The columns [col, end) of a row, at least TD_GROUP of them. The last group overlaps the one before it.
 *
 * The last group runs through the same loop as the others: a loop over one group has a constant length, and would be
 * unrolled before it could become a vector.
 */
TD_INLINE void td_loop_long_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                                td_cell_fn *cell, const td_workload *workload)
{
    uint32_t groups = (end - col) / TD_GROUP;
    for (uint32_t first = col;;) {
        const uint32_t stop = first + groups * TD_GROUP;
        TD_SIMD_OF(16) for (uint32_t c = first; c < stop; c++)
        {
            TD_ASSUME(!workload->no_diagonal || c < row);
            cell(data, row, c);
        }
        if (stop == end) {
            return;
        }
        first = end - TD_GROUP;
        groups = 1;
    }
}

/*
 * The columns [col, end) of a row. If cells may be computed twice, groups overlap, so that no cells are left over:
 * single cells take as long as several groups. gcc makes no vectors of cells that store bytes: their short rows are not
 * in groups, or it would compute cells twice for nothing.
 */
TD_INLINE void td_loop_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                           td_cell_fn *cell, const td_workload *workload)
{
    const bool again = workload->own_element;
    const bool again_in_short = again && workload->element != TD_U8;
    const uint32_t stop = again && workload->no_diagonal ? td_least(end, row) : end;
    if (again && col + TD_GROUP <= stop) {
        td_loop_long_row(data, row, col, stop, cell, workload);
    } else if (again_in_short && col + 8 <= stop) {
        td_loop_short_row(data, row, col, stop, cell, workload, 8);
    } else if (again_in_short && col + 4 <= stop) {
        td_loop_short_row(data, row, col, stop, cell, workload, 4);
    } else {
        TD_SIMD for (uint32_t c = col; c < stop; c++)
        {
            cell(data, row, c);
        }
    }
}

/* Rows of whole groups, from column `col` on: neither the diagonal nor the domain's end cuts them short. */
typedef struct td_group_rows {
    uint32_t row, end_row;
    uint32_t col, groups;
    bool left; /* groups are computed from right to left */
} td_group_rows;

/* Compute the cells of such rows. input, output: of `data`, as parameters that do not overlap. */
typedef void td_groups_fn(const td_data *data, const td_group_rows *rows,
                          const void *restrict input, void *restrict output);

/*
 * The td_groups_fn of a workload, for rows below the diagonal. Groups are computed one after the other, so that the
 * inputs of their columns stay in registers from row to row. Compilers use `restrict` only on parameters of functions
 * that are not inlined.
 *
 * A row of a group is so short that the processor does not foresee which lines the next rows need, so the output's
 * lines are fetched ahead. Without input, stores do not wait for loads, and fetching takes longer than it saves.
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
            __builtin_unreachable(); /* no column wraps around: otherwise a group does not become a vector */
        }
        for (uint32_t row = rows->row; row < rows->end_row; row++) {
            if (workload->input != NULL) {
                const size_t at = (td_row_start(&local, row) + col) * element;
                __builtin_prefetch((const char *)output + at + ahead, 1);
            }
            TD_SIMD_OF(16) for (uint32_t c = 0; c < TD_GROUP; c++)
            {
                TD_ASSUME(!workload->no_diagonal || col + c < row);
                cell(&local, row, col + c);
            }
            /* Otherwise clang multiplies anew for every address in a row; before the cells, it would keep loads in the
             * loop. */
            row = td_held(row);
        }
    }
}

/*
 * The cells of tile (x, y). Rows and columns end with the domain, and the diagonal cuts rows short.
 *
 * Input   left: the next tile is likely the one to the left, not the one to the right
 *         groups, workload: of the cell
 */
TD_INLINE void td_loop_tile(const td_launch *launch, const td_data *data, td_tile tile, bool left,
                            td_cell_fn *cell, td_groups_fn *groups, const td_workload *workload)
{
    const uint32_t side = launch->tile;
    const uint32_t first_col = tile.x * side;
    const uint32_t first_row = tile.y * side;
    const uint32_t end_row = td_least(first_row + side, data->n);
    /* In 64 bits: --verify beyond runs maps that are wrong, and may return the tile to the left of the first. */
    if (side % TD_GROUP == 0 && (uint64_t)first_col + side <= first_row) {
        td_group_rows rows = {first_row, first_row, first_col, side / TD_GROUP, left};
        for (; rows.row < end_row; rows.row = rows.end_row) {
            rows.end_row = td_least(rows.row + TD_GROUP_ROWS, end_row);
            groups(data, &rows, data->input, data->output);
        }
        return;
    }
    if (first_col > first_row) {
        return; /* such a tile, too */
    }
    const td_data local = *data; /* stays in registers: stores of cells cannot alias it */
    for (uint32_t row = first_row; row < end_row; row++) {
        const uint32_t end = td_least(first_col + side, row + 1);
        td_loop_row(&local, row, first_col, end, cell, workload);
    }
}

#endif
