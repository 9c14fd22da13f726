/* life3_cube.cuh - life on a tetrahedron in bytes: a block stages a cube and a halo of one cell in shared memory. */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_CUBE_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_CUBE_CUH

#include "workloads/automata/life3.h"

enum { TD_LIFE3_CUBE = (TD_LIFE3_SIDE + 2) * (TD_LIFE3_SIDE + 2) * (TD_LIFE3_SIDE + 2) };

/* The first cell of a cube, and its side. Side: the same as a constant, 0 if it is none. */
template <uint32_t Side>
struct td_life3_cube {
    uint32_t x, y, z, any_side;

    __device__ uint32_t side() const
    {
        return Side > 0 ? Side : any_side;
    }
};

/* Whether a cell is in the domain, or in its border: all neighbours are, and all that is here is stored. */
__device__ inline bool td_life3_is_stored(const td_data &data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t side = data.row_scale; /* of the cube with its border */
    return x + 1 < side && y + 1 < side && z + 1 < side && x + 1 + y + 1 <= z + 5;
}

template <typename Cube>
__device__ inline void td_life3_stage_cube(const td_data &data, const Cube &cube, uint8_t *stage)
{
    const uint32_t side = cube.side() + 2, threads = blockDim.x * blockDim.y * blockDim.z;
    for (uint32_t i = td_thread_of_block(); i < side * side * side; i += threads) {
        const uint32_t x = cube.x + i % side - 1, y = cube.y + i / side % side - 1;
        const uint32_t z = cube.z + i / (side * side) - 1;
        if (td_life3_is_stored(data, x, y, z)) {
            stage[i] = ((const uint8_t *)data.input)[td_life3_halo_index(&data, x, y, z)];
        }
    }
}

/* The next state of cell (x, y, z) of the cube. */
template <typename Cube>
__device__ inline void td_life3_next_staged(const td_data &data, const Cube &cube, uint32_t x,
                                            uint32_t y, uint32_t z, const uint8_t *stage)
{
    const uint32_t side = cube.side() + 2;
    const uint8_t *const corner = stage + (z * side + y) * side + x;
    uint32_t sum = 0;
#pragma unroll
    for (uint32_t k = 0; k < 27; k++) {
        sum += corner[(k / 9 * side + k / 3 % 3) * side + k % 3];
    }
    ((uint8_t *)data.output)[td_life3_halo_index(&data, cube.x + x, cube.y + y, cube.z + z)] =
        td_life3_next(data.params[1], (uint8_t)sum, corner[(side + 1) * side + 1]);
}

template <typename Cube>
__device__ inline void td_life3_next_of_cube(const td_data &data, const Cube &cube, uint8_t *stage)
{
    td_life3_stage_cube(data, cube, stage);
    __syncthreads();
    for (uint32_t z = threadIdx.z; z < cube.side(); z += blockDim.z) {
        for (uint32_t y = threadIdx.y; y < cube.side(); y += blockDim.y) {
            for (uint32_t x = threadIdx.x; x < cube.side(); x += blockDim.x) {
                if (td_life3_is_inside(&data, cube.x + x, cube.y + y, cube.z + z)) {
                    td_life3_next_staged(data, cube, x, y, z, stage);
                }
            }
        }
    }
}

/*
 * td_life3_shared_tile - the next state of the cells of a tile, from shared memory; of whole rows, cube by cube.
 *
 * Shape   tile: at most TD_LIFE3_SIDE [cells]
 */
__device__ inline void td_life3_shared_tile(const td_data &data, td_work_tile3 tile)
{
    __shared__ uint8_t stage[TD_LIFE3_CUBE];
    const uint32_t side = tile.side, y = tile.y * side, z = tile.z * side;
    const uint32_t end_z = min(z + side, data.n);
    const uint32_t first = tile.x * side, cells = max(end_z, y) - y; /* of the longest row */
    const uint32_t end = min(first + tile.width, cells);
    for (uint32_t x = first; x < end; x += side) {
        if (x > first) {
            __syncthreads(); /* the stage is free again */
        }
        if (side == 8) {
            td_life3_next_of_cube(data, td_life3_cube<8>{x, y, z, side}, stage);
        } else {
            td_life3_next_of_cube(data, td_life3_cube<0>{x, y, z, side}, stage);
        }
    }
}

#endif
