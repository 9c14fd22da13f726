/* tickets.cuh - --schedule dynamic: blocks stay on the device and take the next tile whenever they finish one. */
#ifndef TD_ENGINE_CUDA_KERNELS_TICKETS_CUH
#define TD_ENGINE_CUDA_KERNELS_TICKETS_CUH

#include "engine/cuda/kernel_table.h"
#include "maps.cuh"

/* Ticket counters, one per launch that may run beside others. Each is 0 before and after a launch. */
static __device__ uint32_t td_counters[TD_COUNTERS];

/* Where blocks loop, those of a tile are numbered one after the other. Leaves the number of the tile in `block`, and
 * returns that of the band; 0 where tiles have one block. */
template <bool Banded, typename Number>
__device__ inline uint32_t td_take_band(const td_launch &launch, Number &block)
{
    if constexpr (Banded) {
        const uint32_t band = (uint32_t)(block % launch.bands);
        block /= launch.bands;
        return band;
    } else {
        return 0;
    }
}

/*
 * A block's first tile has the block's own number; tickets give it the others. Together the blocks take as many tickets
 * as there are tiles, because each block also takes one that has no tile, and so the counter wraps to 0 by itself.
 *
 * One thread applies the map for its block, and goes on to the next ticket where a tile is not active: the other
 * threads' instructions are better spent on the tiles (H200: `dummy` under bb takes half the time).
 *
 * Input   blocks: of the grid that the map sees, at most 2^32 - 1 and no fewer than stay on the device; strategy: its
 *         upper half is the number of the counter; tile_at(b): the tile of block b, perhaps not active
 */
template <typename TileAt, typename Work>
__device__ inline void td_take_tiles(uint32_t blocks, uint32_t strategy, TileAt tile_at, Work work)
{
    __shared__ td_tile next[2]; /* in turns, so that one barrier per tile is enough */
    const bool takes = (threadIdx.x | threadIdx.y | threadIdx.z) == 0;
    uint64_t before = 0; /* the tiles before that of ticket 0 */
    uint32_t ticket = blockIdx.x;
    for (uint32_t turn = 0;; turn++) {
        if (takes) {
            td_tile tile = {};
            while (!tile.active && before + ticket < blocks) {
                const uint64_t b = before + ticket;
                /* requested before the tile, so that it is there when the tile is done */
                ticket = atomicInc(&td_counters[strategy >> 16], blocks - 1);
                before = gridDim.x;
                tile = tile_at(b);
            }
            next[turn % 2] = tile;
        }
        __syncthreads(); /* the last tile's shared memory is free again, too */
        const td_tile tile = next[turn % 2];
        if (!tile.active) {
            return;
        }
        work(tile, turn > 0);
    }
}

/*
 * The same for kernels whose tiles are long. The warp that is first to finish a tile takes the next ticket: the answer
 * comes while the other warps finish, and no block holds a tile that it does not work on. Where each block has at most
 * one ticket, none is taken.
 *
 * In a box of n x n blocks, tickets are n + 1 columns of half as many rows, and ticket (x, y) stands for block (x, y)
 * and for block (n - x, n - 1 - y). One of the two is above the diagonal, so that no answer is waited for in vain.
 *
 * If Banded, each tile has launch.bands tickets, one after the other, and work() gets the band in tile.z. Whole rows
 * are no Tiles: their maps have no boxes.
 */
template <bool Banded, bool Tiles, typename TileAt, typename Work>
__device__ inline void td_take_long_tiles(const td_launch &launch, uint32_t strategy,
                                          TileAt tile_at, Work work)
{
    constexpr uint32_t none = ~0u;
    __shared__ td_tile next[2];
    __shared__ uint32_t second; /* block of a ticket whose first one had a tile */
    __shared__ uint32_t done;   /* how often a warp has finished a tile */
    const uint32_t blocks = launch.grid.x * launch.grid.y * launch.grid.z, n = launch.n;
    const bool in_pairs = Tiles && blocks == n * n;
    const uint32_t tiles = in_pairs ? (n + 1) / 2 * (n + 1) : blocks;
    const uint32_t tickets = Banded ? tiles * launch.bands : tiles;
    const uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const uint32_t warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    const auto tile_or_none = [&](uint32_t b) { return b == none ? td_tile() : tile_at(b); };
    bool takes = thread == 0;
    if (takes) {
        second = none;
        done = 0;
    }
    for (uint32_t turn = 0;; turn++) {
        if (takes) {
            td_tile tile = tile_or_none(second);
            uint32_t band = Banded && turn > 0 ? next[(turn - 1) % 2].z : 0; /* that of second */
            second = none;
            uint64_t ticket = blockIdx.x;
            for (bool is_first = turn == 0; !tile.active; is_first = false) {
                if (!is_first) {
                    ticket = gridDim.x;
                    if (tickets > gridDim.x) {
                        ticket += atomicInc(&td_counters[strategy >> 16], tickets - 1);
                    }
                }
                if (ticket >= tickets) {
                    break;
                }
                uint32_t b = (uint32_t)ticket, other = none;
                band = td_take_band<Banded>(launch, b);
                if (in_pairs) {
                    const uint32_t x = b % (n + 1), y = b / (n + 1);
                    b = x < n ? y * n + x : none;
                    other = x > 0 && n - 1 - y > y ? (n - 1 - y) * n + n - x : none;
                }
                tile = tile_or_none(b);
                if (tile.active) {
                    second = other;
                } else {
                    tile = tile_or_none(other);
                }
            }
            if constexpr (Tiles) {
                tile.z = band;
            }
            next[turn % 2] = tile;
        }
        __syncthreads();
        const td_tile tile = next[turn % 2];
        if (!tile.active) {
            return;
        }
        work(tile, turn > 0);
        takes = thread % 32 == 0 && atomicAdd(&done, 1u) == turn * warps;
    }
}

#endif
