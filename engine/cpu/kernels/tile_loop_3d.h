/* tile_loop_3d.h - the cells of one block of a tetrahedron, for the cpu engine; see tile_loop.h. */
#ifndef TD_ENGINE_CPU_KERNELS_TILE_LOOP_3D_H
#define TD_ENGINE_CPU_KERNELS_TILE_LOOP_3D_H

#include "tile_loop.h"
#include "workloads/layout3.h"

/* A tile and the ends of its cells: z and y end with the tile or the domain, x with the tile or the plane x + y = z. */
typedef struct td_tile3 {
    uint32_t x, y, z;
    uint32_t end_y, end_z;
} td_tile3;

TD_INLINE td_tile3 td_tile3_of(const td_launch *launch, const td_data *data, td_tile tile)
{
    const uint32_t side = launch->tile;
    td_tile3 t;
    t.x = tile.x * side;
    t.y = tile.y * side;
    t.z = tile.z * side;
    t.end_y = t.y + side;
    t.end_z = td_least(t.z + side, data->n);
    return t;
}

TD_INLINE uint32_t td_tile3_end_y(const td_tile3 *t, uint32_t z)
{
    return td_least(t->end_y, z + 1);
}

TD_INLINE uint32_t td_tile3_end_x(const td_launch *launch, const td_tile3 *t, uint32_t y,
                                  uint32_t z)
{
    return td_least(t->x + launch->width, z - y + 1);
}

/* The cells of a row in groups of a constant size, from right to left: the last one overlaps the one before it. */
TD_INLINE void td_loop_groups3(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                               uint32_t z, td_cell3_fn *cell, uint32_t size)
{
    for (uint32_t x = end - size;; x = x >= first + size ? x - size : first) {
        if (x > UINT32_MAX - TD_GROUP) {
            __builtin_unreachable(); /* no x wraps around: otherwise a group does not become a vector */
        }
        TD_SIMD_OF(8) for (uint32_t c = 0; c < size; c++)
        {
            cell(data, x + c, y, z);
        }
        if (x == first) {
            return;
        }
    }
}

/*
 * The cells [first, end) of a row. If cells may be computed twice, groups overlap, so that a row takes as many steps as
 * it has vectors. In a row of fewer than four cells, three cells are computed, some of which may be the same one.
 */
TD_INLINE void td_loop_row3(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                            uint32_t z, td_cell3_fn *cell, bool again)
{
    if (!again) {
        const uint32_t stop = td_held(end);
        TD_SIMD for (uint32_t x = first; x < stop; x++)
        {
            cell(data, x, y, z);
        }
    } else if (first + 8 <= end) {
        td_loop_groups3(data, first, end, y, z, cell, 8);
    } else if (first + 4 <= end) {
        td_loop_groups3(data, first, end, y, z, cell, 4);
    } else if (first < end) {
        cell(data, first, y, z);
        cell(data, first + (end - first) / 2, y, z);
        cell(data, end - 1, y, z);
    }
}

TD_INLINE void td_loop_tile3(const td_launch *launch, const td_data *data, td_tile tile,
                             td_cell3_fn *cell, bool again)
{
    const td_data local = *data; /* stays in registers: stores of cells cannot alias it */
    const td_tile3 t = td_tile3_of(launch, &local, tile);
    if (t.x > t.z) {
        return; /* outside of the domain: --verify beyond runs maps that are wrong */
    }
    for (uint32_t z = t.z; z < t.end_z; z++) {
        for (uint32_t y = t.y; y < td_tile3_end_y(&t, z); y++) {
            const uint32_t end_x = td_tile3_end_x(launch, &t, y, z);
            td_loop_row3(&local, t.x, end_x, y, z, cell, again);
        }
    }
}

/* Compute those of the cells [first, end) that exist, in the rows [y, end_y) of layer z. */
typedef void td_layer3_fn(const td_data *data, uint32_t first, uint32_t end, uint32_t y,
                          uint32_t end_y, uint32_t z);

TD_INLINE void td_loop_layers3(const td_launch *launch, const td_data *data, td_tile tile,
                               td_layer3_fn *layer)
{
    const td_tile3 t = td_tile3_of(launch, data, tile);
    for (uint32_t z = t.z; z < t.end_z; z++) {
        layer(data, t.x, t.x + launch->width, t.y, td_tile3_end_y(&t, z), z);
    }
}

/* The sum of a tile's terms, in the order of the cells. The terms of a group are computed in vectors, and added one by
 * one. */
TD_INLINE double td_sum_tile3(const td_launch *launch, const td_data *data, td_tile tile,
                              td_term3_fn *term)
{
    const td_data local = *data;
    const td_tile3 t = td_tile3_of(launch, &local, tile);
    double sum = 0.0, terms[TD_GROUP];
    for (uint32_t z = t.z; z < t.end_z; z++) {
        for (uint32_t y = t.y; y < td_tile3_end_y(&t, z); y++) {
            const uint32_t end_x = td_tile3_end_x(launch, &t, y, z);
            for (uint32_t x = t.x, stop = 0; x < end_x; x = stop) {
                /* Both masks change no value. They tell gcc that x + y does not wrap around: otherwise it gathers. */
                stop = td_least(x + TD_GROUP, end_x) & INT32_MAX;
                TD_SIMD for (uint32_t c = x; c < stop; c++)
                {
                    terms[c - x] = term(&local, c, y & INT32_MAX, z);
                }
                for (uint32_t c = x; c < stop; c++) {
                    sum += terms[c - x];
                }
            }
        }
    }
    return sum;
}

/* Element 0 of a sum's output is the total. The sums of the tiles follow, in an order that does not depend on the
 * strategy. A tile that stands for several stores its sum in the place of the first. */
TD_INLINE void td_sum_block3(const td_launch *launch, const td_data *data, td_tile tile,
                             td_term3_fn *term)
{
    double *part = (double *)data->output + 1 + td_tetra_index(tile.x, tile.y, tile.z);
    part[0] = td_sum_tile3(launch, data, tile, term);
    for (uint32_t x = 1; x < td_tile_columns(launch, tile); x++) {
        part[x] = 0.0;
    }
}

#endif
