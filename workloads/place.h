/*
 * place.h - the index of a cell's element, by the formulas of docs/workloads.md.
 *
 * Checks and files use it. Kernels compute their addresses in other ways, and a check must not share them.
 */
#ifndef TD_WORKLOADS_PLACE_H
#define TD_WORKLOADS_PLACE_H

#include "data.h"

/* Index of cell (row, col) of a triangle. Exact for N up to 2^20. */
TD_FN uint64_t td_place_2d(const td_data *data, uint64_t row, uint64_t col)
{
    const uint64_t t = data->blocked;
    if (t != 0) {
        const uint64_t x = col / t, y = row / t;
        return ((y * (y + 1) / 2 + x) * t + row % t) * t + col % t;
    }
    return data->full ? row * data->n + col : row * (row + 1) / 2 + col;
}

/* Index of cell (x, y, z) in a packed tetrahedron and, below, in any layout. Exact for N up to 2^20. */
TD_FN uint64_t td_packed_3d(uint64_t x, uint64_t y, uint64_t z)
{
    const uint64_t slices = z * (z + 1) * (z + 2) / 6; /* all cells in the slices below z */
    return slices + y * (2 * z + 3 - y) / 2 + x;
}

TD_FN uint64_t td_place_3d(const td_data *data, uint64_t x, uint64_t y, uint64_t z)
{
    const uint64_t t = data->blocked;
    if (t != 0) {
        const uint64_t tile = td_packed_3d(x / t, y / t, z / t);
        return ((tile * t + z % t) * t + y % t) * t + x % t;
    }
    return data->full ? (z * data->n + y) * data->n + x : td_packed_3d(x, y, z);
}

#endif
