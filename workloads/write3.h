/* write in 3D - every cell stores the constant 1 in its own element: the workload of the paper on tetrahedra. */
#ifndef TD_WORKLOADS_WRITE3_H
#define TD_WORKLOADS_WRITE3_H

#include "layout3.h"
#include "write.h"

enum { TD_WRITE3_MOST = 32 }; /* the largest side of a tile with --kernel tile */

/*
 * td_write3_cell - stores 1 in the cell's own element.
 *
 * Output  one int32 per cell
 * Source  Gonzalez and Navarro, tetrahedral domains, section V
 */
TD_FN void td_write3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    *(int32_t *)td_cell3_4(data, x, y, z) = 1;
}

#ifdef __CUDACC__
/* Stores cells x .. x + 3 at once. Input: their address is a multiple of 16. */
template <>
struct td_quad<td_write3_cell> {
    static constexpr bool exists = true;
    __device__ static void run(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
    {
        *(int4 *)td_cell3_4(data, x, y, z) = make_int4(1, 1, 1, 1);
    }
};
#endif

TD_FN td_verdict td_write3_check(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    return td_write_verdict(((const int32_t *)data->output)[td_place_3d(data, x, y, z)]);
}

TD_DESCRIPTOR td_tiles td_write3_tiles = {
    .multiple = 4,
    .most = TD_WRITE3_MOST,
    .side = TD_WRITE3_MOST,
    .threads_multiple = 32,
    .threads_most = 1024,
    .block = {32, 4, 2},
    .registers = 40,
};

TD_DESCRIPTOR td_workload td_write3_workload = {
    .name = "write",
    .summary = "the constant 1 (int32) to the cell's own place",
    .dimension = 3,
    .element = TD_I32,
    .traits = {.has_layouts = true, .has_blocked = true, .own_element = true},
    .tiles = &td_write3_tiles,
};

#endif
