/* cell_fns.h - makes the functions of a workload from its cell, td_ID_cell. */
#pragma once

#include "kernels.h"
#include "tile_rows.h"

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

TD_INLINE void td_row_2d(const td_data *data, uint32_t first, uint32_t end, uint32_t row,
                         td_cell_fn *cell)
{
    TD_SIMD for (uint32_t col = first; col < end; col++)
    {
        cell(data, row, col);
    }
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

TD_INLINE void td_tile_2d(const td_data *data, const td_box *tile, td_cell_fn *cell,
                          const td_workload *workload)
{
    const bool fetch =
        workload->output_elements == NULL && workload->element != TD_U8 && data->n >= TD_AHEAD_ROWS;
    for (uint32_t y = tile->y; y < tile->end_y; y += TD_GROUP) {
        const uint32_t end_y = td_least(y + TD_GROUP, tile->end_y);
        /* a map beyond its exact range gives any column; only those up to the diagonal have cells */
        const uint32_t end = td_least(tile->end_x, end_y);
        for (uint32_t x = tile->x; x < end; x += TD_GROUP) {
            const uint32_t end_x = td_least(x + TD_GROUP, end);
            if (x + TD_GROUP == end_x && end_x <= y) {
                td_group_2d(data, x, y, end_y, cell, fetch);
                continue;
            }
            for (uint32_t row = y; row < end_y; row++) {
                td_row_2d(data, x, td_least(end_x, row + 1), row, cell);
            }
        }
    }
}

TD_INLINE void td_row_3d(const td_data *data, uint32_t first, uint32_t end, uint32_t y, uint32_t z,
                         td_cell3_fn *cell)
{
    TD_SIMD for (uint32_t x = first; x < end; x++)
    {
        cell(data, x, y, z);
    }
}

/* Terms that are computed together in vectors, and then added one by one, in the order of the cells. */
enum { TD_TERMS = 16 };

/* The output is the sum so far. */
TD_INLINE void td_row_of_sum(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                             uint32_t z, td_term3_fn *term)
{
    double terms[TD_TERMS], sum = *(const double *)data->output;
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
    *(double *)data->output = sum;
}

/* Element 0 of a sum's output is the total. The sums of the tiles follow, in an order that does not depend on the
 * strategy. A tile that represents several stores its sum at the index of the first. */
TD_INLINE void td_store_sum(const td_launch *launch, const td_data *data, td_tile tile, double sum)
{
    double *part = (double *)data->output + 1 + td_tetra_index(tile.x, tile.y, tile.z);
    part[0] = sum;
    for (uint32_t x = 1; x < td_tile_columns(launch, tile); x++) {
        part[x] = 0.0;
    }
}

/* clang-format off */
#define TILE(w, of)                                                                                \
    static TD_CLONES void tile_##w(const td_launch *launch, const td_data *data, td_tile tile)     \
    {                                                                                              \
        const td_data local = *data; /* stays in registers: stores of cells cannot alias it */     \
        const td_box box = td_box_of(launch, &local, tile, of);                                    \
        td_each_row(&local, &box, of, row_##w);                                                    \
    }
/* Input and output are parameters because compilers heed `restrict` only there, and only if the function is not
 * inlined. */
#define PLAIN_2D(w, A)                                                                             \
    static TD_CLONES __attribute__((noinline)) void cells_##w(                                     \
        const td_launch *launch, const td_data *data, td_tile tile, const void *restrict input,    \
        void *restrict output)                                                                     \
    {                                                                                              \
        td_data local = *data;                                                                     \
        local.input = input;                                                                       \
        local.output = output;                                                                     \
        const td_box box = td_box_of(launch, &local, tile, TD_ROWS_OF_TRIANGLE);                   \
        td_tile_2d(&local, &box, td_##w##_cell, &td_##w##_workload);                               \
    }                                                                                              \
    static void tile_##w(const td_launch *launch, const td_data *data, td_tile tile)               \
    {                                                                                              \
        cells_##w(launch, data, tile, data->input, data->output);                                  \
    }                                                                                              \
    static TD_CLONES void run_##w(const td_data *data, uint32_t row, uint32_t col, uint32_t end)   \
    {                                                                                              \
        const td_data local = *data;                                                               \
        td_row_2d(&local, col, end, row, td_##w##_cell);                                           \
    }                                                                                              \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w, .run = run_##w}};
#define ROW_3D(w, row)                                                                             \
    TD_INLINE void row_##w(const td_data *data, uint32_t first, uint32_t end, uint32_t y,          \
                           uint32_t z)                                                             \
    {                                                                                              \
        row(data, first, end, y, z, td_##w##_cell);                                                \
    }
#define PLAIN_3D(w, A)                                                                             \
    ROW_3D(w, td_row_3d)                                                                           \
    TILE(w, TD_ROWS_OF_TETRAHEDRON)                                                                \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};
#define SUM_3D(w, A)                                                                               \
    ROW_3D(w, td_row_of_sum)                                                                       \
    static TD_CLONES void tile_##w(const td_launch *launch, const td_data *data, td_tile tile)     \
    {                                                                                              \
        double sum = 0.0;                                                                          \
        td_data local = *data;                                                                     \
        local.output = &sum;                                                                       \
        const td_box box = td_box_of(launch, &local, tile, TD_ROWS_OF_TETRAHEDRON);                \
        td_each_row(&local, &box, TD_ROWS_OF_TETRAHEDRON, row_##w);                                \
        td_store_sum(launch, data, tile, sum);                                                     \
    }                                                                                              \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};
/* clang-format on */
