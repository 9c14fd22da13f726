/* cell_fns.h - makes the functions of a workload from its cell, td_ID_cell. */
#pragma once

#include "kernels.h"
#include "tile_rows.h"

/* Cells that are computed together: the widest vector holds this many of four bytes. */
enum { TD_GROUP = 16 };

/* A row of a usual tile is one group, for which the compiler needs no loop. simdlen: gcc prefers half of that width. */
TD_INLINE void td_row_2d(const td_data *data, uint32_t first, uint32_t end, uint32_t row,
                         td_cell_fn *cell)
{
    if (first < end && first + TD_GROUP == end) {
        if (first > UINT32_MAX - TD_GROUP) {
            __builtin_unreachable(); /* no column wraps around: otherwise a group does not become a vector */
        }
        _Pragma("omp simd simdlen(16)") for (uint32_t c = 0; c < TD_GROUP; c++)
        {
            cell(data, row, first + c);
        }
        return;
    }
    TD_SIMD for (uint32_t col = first; col < end; col++)
    {
        cell(data, row, col);
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

TD_INLINE void td_row_of_sum(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                             uint32_t z, td_term3_fn *term, double *sum)
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
            *sum += terms[c - x];
        }
    }
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
#define TILE(w, rows, of)                                                                          \
    static TD_CLONES void tile_##w(const td_launch *launch, const td_data *data, td_tile tile)     \
    {                                                                                              \
        const td_data local = *data; /* stays in registers: stores of cells cannot alias it */     \
        const td_box box = td_box_of(launch, &local, tile, of);                                    \
        td_each_row(&local, &box, of, row_##rows, NULL);                                           \
    }
#define PLAIN_2D(w, A)                                                                             \
    TD_INLINE void row_##w(const td_data *data, uint32_t first, uint32_t end, uint32_t y,          \
        uint32_t z, void *context)                                                                 \
    {                                                                                              \
        (void)z, (void)context;                                                                    \
        td_row_2d(data, first, end, y, td_##w##_cell);                                             \
    }                                                                                              \
    TILE(w, w, TD_ROWS_OF_TRIANGLE)                                                                \
    static TD_CLONES void run_##w(const td_data *data, uint32_t row, uint32_t col, uint32_t end)   \
    {                                                                                              \
        const td_data local = *data;                                                               \
        td_row_2d(&local, col, end, row, td_##w##_cell);                                           \
    }                                                                                              \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w, .run = run_##w}};
#define PLAIN_3D(w, A)                                                                             \
    TD_INLINE void row_##w(const td_data *data, uint32_t first, uint32_t end, uint32_t y,          \
        uint32_t z, void *context)                                                                 \
    {                                                                                              \
        (void)context;                                                                             \
        td_row_3d(data, first, end, y, z, td_##w##_cell);                                          \
    }                                                                                              \
    TILE(w, w, TD_ROWS_OF_TETRAHEDRON)                                                             \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};
#define SUM_3D(w, A)                                                                               \
    TD_INLINE void row_##w(const td_data *data, uint32_t first, uint32_t end, uint32_t y,          \
        uint32_t z, void *context)                                                                 \
    {                                                                                              \
        td_row_of_sum(data, first, end, y, z, td_##w##_cell, context);                             \
    }                                                                                              \
    static TD_CLONES void tile_##w(const td_launch *launch, const td_data *data, td_tile tile)     \
    {                                                                                              \
        double sum = 0.0;                                                                          \
        const td_data local = *data;                                                               \
        const td_box box = td_box_of(launch, &local, tile, TD_ROWS_OF_TETRAHEDRON);                \
        td_each_row(&local, &box, TD_ROWS_OF_TETRAHEDRON, row_##w, &sum);                          \
        td_store_sum(launch, data, tile, sum);                                                     \
    }                                                                                              \
    static const td_cpu_fns fns_##w[] = {{.tile = tile_##w}};
/* clang-format on */
