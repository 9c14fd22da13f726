/* cell_fns.h - the loops over the cells of a box, for workloads that compute a cell, td_ID_cell, without the others. */
#pragma once

#include "kernels.h"

/* Columns, and rows, that are computed together: the widest vector holds this many cells of four bytes, and the first
 * TLB holds 64 pages, of which each row needs its own. */
enum { TD_GROUP = 16 };

/* Four lines. Eight take the same time, two or sixteen take longer (edm4, tiles of 16x16, an EPYC with AVX2). An output
 * of fewer rows fits a cache. */
enum { TD_AHEAD_BYTES = 256, TD_AHEAD_ROWS = 2049 };

/* Fetch the lines of the output that later groups of a row need: the rows of a group are too short for the processor
 * to foresee them. Maps go through a row of tiles to the right or to the left. The lines on the other side are in the
 * cache already. */
TD_INLINE void td_fetch_ahead(const td_data *data, uint32_t row, uint32_t col)
{
    const char *const at = (const char *)data->output + 4 * (td_row_start(data, row) + col);
    __builtin_prefetch(at + TD_AHEAD_BYTES, 1);
    __builtin_prefetch(at - TD_AHEAD_BYTES, 1);
}

/* The rows [row, end_row) of a group, all of whose cells exist: their inputs by column stay in registers. */
TD_INLINE void td_group_2d(const td_data *data, uint32_t col, uint32_t row, uint32_t end_row,
                           td_cell_fn *cell, bool fetch)
{
    if (col > UINT32_MAX - TD_GROUP) {
        __builtin_unreachable(); /* no column wraps around: otherwise a group does not become a vector */
    }
    for (; row < end_row; row++) {
        if (fetch) {
            td_fetch_ahead(data, row, col);
        }
        TD_SIMD for (uint32_t c = 0; c < TD_GROUP; c++)
        {
            cell(data, row, col + c);
        }
    }
}

TD_INLINE void td_cells_2d(const td_data *data, const td_box *box, td_cell_fn *cell,
                           const td_workload *workload)
{
    if (workload->traits.by_rows) { /* a cell is a row: of the triangle with the number z */
        for (uint32_t y = box->y; y < box->end_y; y++) {
            cell(data, y, box->z);
        }
        return;
    }
    const bool fetch =
        workload->output_elements == NULL && workload->element != TD_U8 && data->n >= TD_AHEAD_ROWS;
    for (uint32_t y = box->y; y < box->end_y; y += TD_GROUP) {
        const uint32_t end_y = td_least(y + TD_GROUP, box->end_y);
        /* a map beyond its exact range gives any column; only those up to the diagonal have cells */
        const uint32_t end = td_least(box->end_x, end_y);
        for (uint32_t x = box->x; x < end; x += TD_GROUP) {
            const uint32_t end_x = td_least(x + TD_GROUP, end);
            if (x + TD_GROUP == end_x && end_x <= y) {
                td_group_2d(data, x, y, end_y, cell, fetch);
                continue;
            }
            for (uint32_t row = y; row < end_y; row++) {
                const uint32_t stop = td_least(end_x, row + 1);
                TD_SIMD for (uint32_t col = x; col < stop; col++)
                {
                    cell(data, row, col);
                }
            }
        }
    }
}

/* Terms that are computed together in vectors, and then added one by one, in the order of the cells. */
enum { TD_TERMS = 16 };

/* Add the cells [first, end) of a row to a sum. */
TD_INLINE double td_add_row(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                            uint32_t z, td_term3_fn *term, double sum)
{
    double terms[TD_TERMS];
    for (uint32_t x = first, stop = 0; x < end; x = stop) {
        /* The two masks change no value. They show gcc that x + y does not wrap around: otherwise it gathers. */
        stop = td_least(x + TD_TERMS, end) & INT32_MAX;
        TD_SIMD for (uint32_t c = x; c < stop; c++)
        {
            terms[c - x] = term(data, c, y & INT32_MAX, z);
        }
        for (uint32_t c = x; c < stop; c++) {
            sum += terms[c - x];
        }
    }
    return sum;
}

/* One of `cell` and `term` is NULL. The output of a box of terms is their sum. */
TD_INLINE void td_cells_3d(const td_data *data, const td_box *box, td_cell3_fn *cell,
                           td_term3_fn *term)
{
    double sum = 0.0;
    for (uint32_t z = box->z; z < box->end_z; z++) {
        for (uint32_t y = box->y; y < td_least(box->end_y, z + 1); y++) {
            const uint32_t end = td_least(box->end_x, z - y + 1);
            if (term != NULL) {
                sum = td_add_row(data, box->x, end, y, z, term, sum);
                continue;
            }
            TD_SIMD for (uint32_t x = box->x; x < end; x++)
            {
                cell(data, x, y, z);
            }
        }
    }
    if (term != NULL) {
        *(double *)data->output = sum;
    }
}

#define PLAIN_2D(w, A) TD_CELLS_FN(w, td_cells_2d, td_##w##_cell, &td_##w##_workload)
#define PLAIN_3D(w, A) TD_CELLS_FN(w, td_cells_3d, td_##w##_cell, NULL)
#define SUM_3D(w, A) TD_CELLS_FN(w, td_cells_3d, NULL, td_##w##_cell)
