/* accumulate3_tile.cuh - adds 1 to each element of a tetrahedron, at memory speed. */
#ifndef TD_WORKLOADS_ACCUMULATE3_TILE_CUH
#define TD_WORKLOADS_ACCUMULATE3_TILE_CUH

#include "accumulate.h"
#include "rows3.cuh"
#include "tile_of.cuh"

enum { TD_ACCUMULATE3_AHEAD = 4 }; /* quads that a thread reads before it writes the first */

/* A sector that two rows share is read in any case, so writing it whole would gain nothing. */
struct td_accumulate3_does {
    __device__ static void quads(int32_t *head, int32_t *tail, const td_rows3_team &team)
    {
        const uint32_t step = 4 * team.lanes;
        int32_t *at = head + 4 * team.lane;
        for (; at + (TD_ACCUMULATE3_AHEAD - 1) * step < tail; at += TD_ACCUMULATE3_AHEAD * step) {
            int4 ahead[TD_ACCUMULATE3_AHEAD];
#pragma unroll
            for (uint32_t i = 0; i < TD_ACCUMULATE3_AHEAD; i++) {
                ahead[i] = *(const int4 *)(at + i * step);
            }
#pragma unroll
            for (uint32_t i = 0; i < TD_ACCUMULATE3_AHEAD; i++) {
                put(at + i * step, ahead[i]);
            }
        }
#pragma unroll 1
        for (; at < tail; at += step) {
            put(at, *(const int4 *)at);
        }
    }

    __device__ static void put(int32_t *at, int4 v)
    {
        *(int4 *)at = make_int4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
    }

    __device__ static void one(int32_t *at)
    {
        *at += 1;
    }
};

/* Whole rows, which are contiguous in each layer: all threads work on one layer after the other. */
__device__ inline void td_accumulate3_layers(const td_data &data, const td_work_tile3 &tile)
{
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const td_rows3_team team = {0, 1, td_thread_of_block(), threads};
    const uint32_t first_z = tile.z * tile.side;
    int32_t *const output = (int32_t *)data.output;
    for (uint32_t z = first_z; z < min(first_z + tile.side, data.n); z++) {
        const td_rows3_span span = td_rows3_layer(data, tile, z);
        td_rows3_run<td_accumulate3_does>(output + span.first, output + span.end, team);
    }
}

/*
 * td_accumulate3_tile - adds 1 to the cells of a tile.
 *
 * Shape   tile: a multiple of 4 [cells]; block: a multiple of 32 [threads]
 * Input   data: the address of the output is a multiple of 128
 */
__device__ inline void td_accumulate3_tile(const td_data &data, td_work_tile3 tile)
{
    if (!data.full && tile.width > tile.side) {
        td_accumulate3_layers(data, tile);
    } else if (!data.full) {
        td_rows3_in_lines<td_accumulate3_does>(data, tile);
    } else {
        td_rows3_anywhere<td_accumulate3_does>(data, tile);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_accumulate3> = td_accumulate3_tile;
template <>
inline constexpr auto td_blocked_tile_of<TD_WORKLOAD_accumulate3> =
    td_rows3_in_tile<td_accumulate3_does>;

#endif
