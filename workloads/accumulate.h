/* accumulate - every cell adds 1 to its own element. */
#ifndef TD_WORKLOADS_ACCUMULATE_H
#define TD_WORKLOADS_ACCUMULATE_H

#include "cover.h"

/*
 * Adds 1. On a GPU this is a reduction, which takes place in L2: no thread waits for the element, as it would for a
 * load.
 */
TD_FN void td_accumulate_one(int32_t *at)
{
#ifdef __CUDA_ARCH__
    td_atomic_increment((uint32_t *)at);
#else
    *at += 1;
#endif
}

/*
 * td_accumulate_cell - adds 1 to the cell's own element.
 *
 * Output  one int32 per cell, initially zero: the number of launches
 * Source  Navarro et al., maps for simplices, the read-modify-write test
 */
TD_FN void td_accumulate_cell(const td_data *data, uint32_t row, uint32_t col)
{
    td_accumulate_one((int32_t *)td_cell_4(data, row, col));
}

enum { TD_ACCUMULATE_LAUNCHES = 2 }; /* after one launch, a constant 1 would pass, too */

TD_FN td_verdict td_accumulate_verdict(int32_t value)
{
    const double error = (double)value - (double)TD_ACCUMULATE_LAUNCHES;
    td_verdict verdict;
    verdict.ok = value == TD_ACCUMULATE_LAUNCHES;
    verdict.error = error < 0.0 ? -error : error;
    verdict.found = 0;
    return verdict;
}

TD_FN td_verdict td_accumulate_check(const td_data *data, uint32_t row, uint32_t col)
{
    return td_accumulate_verdict(((const int32_t *)data->output)[td_place_2d(data, row, col)]);
}

TD_DESCRIPTOR td_workload td_accumulate_workload = {
    .name = "accumulate",
    .summary = "1 more in the cell's own place: 4 bytes read, 4 written",
    .dimension = 2,
    .element = TD_I32,
    .traits = {.from_zero = true, .twice = true, .has_layouts = true, .has_blocked = true},
    .model = {.int_ops = 1},
};

/* ---- 3D ---- */

/*
 * td_accumulate3_cell - adds 1 to the cell's own element.
 *
 * Output  one int32 per cell, initially zero: the number of launches
 * Source  Navarro et al., maps for simplices, the read-modify-write test
 */
TD_FN void td_accumulate3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    td_accumulate_one((int32_t *)td_cell3_4(data, x, y, z));
}

#ifdef __CUDACC__
template <>
struct td_update<td_accumulate3_cell> {
    static constexpr bool exists = true;
    __device__ static int32_t run(int32_t value)
    {
        return value + 1;
    }
};

/* Updates cells x .. x + 3 with one load and one store. Input: their address is a multiple of 16. */
template <>
struct td_quad<td_accumulate3_cell> {
    static constexpr bool exists = true;
    __device__ static void run(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
    {
        int4 *const at = (int4 *)td_cell3_4(data, x, y, z);
        typedef td_update<td_accumulate3_cell> update;
        const int4 v = *at;
        *at = make_int4(update::run(v.x), update::run(v.y), update::run(v.z), update::run(v.w));
    }
};
#endif

TD_FN td_verdict td_accumulate3_check(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    return td_accumulate_verdict(((const int32_t *)data->output)[td_place_3d(data, x, y, z)]);
}

TD_DESCRIPTOR td_tiles td_accumulate3_tiles = {
    .multiple = 4,
    .most = 32,
    .side = 32,
    .threads_multiple = 32,
    .threads_most = 1024,
    .block = {32, 4, 2},
    .packed = {.tile = {0, 8, 1}, .block = {8, 8, 4}},
    .registers = 40,
};

TD_DESCRIPTOR td_workload td_accumulate3_workload = {
    .name = "accumulate",
    .summary = "1 more in the cell's own place: 4 bytes read, 4 written",
    .dimension = 3,
    .element = TD_I32,
    .traits = {.from_zero = true, .twice = true, .has_layouts = true, .has_blocked = true},
    .tiles = &td_accumulate3_tiles,
    .model = {.int_ops = 1},
};

#endif
