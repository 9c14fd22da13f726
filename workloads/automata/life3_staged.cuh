/*
 * life3_staged.cuh - life on a tetrahedron by --memory shared: a tile and a border of one cell in shared memory, a byte
 * per cell.
 *
 * A thread has a column of the tile along z, and adds up nine cells of each layer once for three.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_STAGED_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_STAGED_CUH

#include "life3.h"
#include "workloads/tile_of.cuh"

/* A cube of cells, the first of them at (x, y, z), which wrap in front of the domain. What does not exist is dead. */
template <uint32_t Pitch>
__device__ inline void td_life3_stage(const td_data &data, uint32_t x, uint32_t y, uint32_t z,
                                      uint8_t *stage)
{
    const uint8_t *state = (const uint8_t *)data.input;
    for (uint32_t i = td_thread_of_block(); i < Pitch * Pitch * Pitch;
         i += blockDim.x * blockDim.y * blockDim.z) {
        const uint32_t col = x + i % Pitch;
        const td_life3_row_at row =
            td_life3_find_row(&data, y + i / Pitch % Pitch, z + i / (Pitch * Pitch));
        stage[i] = col < row.cells ? state[row.start + col] : 0;
    }
}

/* Nine cells of a layer; the first of them is at `cells`. */
template <uint32_t Pitch>
__device__ inline uint32_t td_life3_sum_nine(const uint8_t *cells)
{
    uint32_t sum = 0;
#pragma unroll
    for (uint32_t r = 0; r < 3; r++) {
        sum += cells[r * Pitch] + cells[r * Pitch + 1] + cells[r * Pitch + 2];
    }
    return sum;
}

/* The cells at (x, y) of a staged cube, layer by layer from z on. */
template <uint32_t Side>
__device__ inline void td_life3_column_of(const td_data &data, uint32_t x, uint32_t y, uint32_t z,
                                          const uint8_t *stage)
{
    constexpr uint32_t pitch = Side + 2, layer = pitch * pitch;
    const uint8_t *cells = stage;
    uint32_t below = td_life3_sum_nine<pitch>(cells);
    uint32_t here = td_life3_sum_nine<pitch>(cells + layer);
    for (uint32_t end = min(z + Side, data.n); z < end; z++, cells += layer) {
        const uint32_t above = td_life3_sum_nine<pitch>(cells + 2 * layer);
        if (x + y <= z) {
            ((uint8_t *)data.output)[td_place_3d(&data, x, y, z)] = td_life3_next(
                data.params[1], (uint8_t)(below + here + above), cells[layer + pitch + 1]);
        }
        below = here;
        here = above;
    }
}

/* A wide tile is a cube after the other. */
template <uint32_t Side>
__device__ inline void td_life3_cubes(const td_data &data, const td_work_tile3 &tile,
                                      uint8_t *stage)
{
    const uint32_t y = tile.y * Side, z = tile.z * Side,
                   threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t last = min(z + Side, data.n) - 1; /* layer, which has the longest rows */
    const uint32_t first = tile.x * Side;
    for (uint32_t x = first; x < first + tile.width && x + y <= last; x += Side) {
        td_life3_stage<Side + 2>(data, x - 1, y - 1, z - 1, stage);
        __syncthreads();
        for (uint32_t i = td_thread_of_block(); i < Side * Side; i += threads) {
            td_life3_column_of<Side>(data, x + i % Side, y + i / Side, z,
                                     stage + i / Side * (Side + 2) + i % Side);
        }
        __syncthreads(); /* before the next cube is staged */
    }
}

/*
 * td_life3_staged_tile - the next state of the cells of a tile.
 *
 * Shape   tile: 8 or 16 [cells]; any block
 */
__device__ inline void td_life3_staged_tile(const td_data &data, td_work_tile3 tile)
{
    __shared__ uint8_t stage[18 * 18 * 18];
    if (tile.side == 16) {
        td_life3_cubes<16>(data, tile, stage);
    } else {
        td_life3_cubes<8>(data, tile, stage);
    }
}

template <>
inline constexpr auto td_staged_tile_of<TD_WORKLOAD_life3> = td_life3_staged_tile;
template <>
inline constexpr int td_staged_registers_of<TD_WORKLOAD_life3> = td_life3_staged_tiles.registers;

#endif
