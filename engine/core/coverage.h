/* coverage.h - where a map sends every block: it must reach each place of the domain exactly once. */
#pragma once

#include "strategies/strategy.h"

/* Coverage of one strategy at one n. `places` are tiles, or cells for a map of threads. */
typedef struct td_coverage {
    uint64_t asked;   /* blocks, or threads */
    uint64_t outside; /* those sent to a place outside the domain */
    uint64_t wrong;   /* places that were not reached exactly once */
    /* The first of them in row order: the L of a map of the lower triangle. */
    uint64_t first_wrong;
    uint64_t first_missing; /* the first that was not reached at all; UINT64_MAX: none */
    /* The first that was sent outside: its launch, and its number there; see td_asked_count. */
    size_t outside_launch;
    uint64_t first_outside;
} td_coverage;

/* The number of a place in row order (3D: by layers, then anti-diagonals); UINT64_MAX outside the domain. In 2D, z is
 * the number of the triangle in a batch. */
TD_FN uint64_t td_place(int dimension, uint32_t n, td_tile tile)
{
    if (dimension == 2) {
        return tile.y < n && tile.x <= tile.y
                   ? tile.z * td_triangle(n) + td_triangle(tile.y) + tile.x
                   : UINT64_MAX;
    }
    const uint64_t sum = (uint64_t)tile.x + tile.y;
    return tile.z < n && sum <= tile.z ? td_tetrahedron(tile.z) + td_triangle(sum) + tile.x
                                       : UINT64_MAX;
}

/* How many tiles an answer stands for: 1 if the first of them is outside, as that of a wrong map may be. */
TD_FN uint32_t td_tiles_inside(int dimension, const td_launch *launch, td_tile tile)
{
    const td_tile first = td_nth_tile(dimension, launch, tile, 0);
    return td_place(dimension, launch->n, first) != UINT64_MAX
               ? td_tile_count(dimension, launch, tile)
               : 1;
}

/* The b-th block of a launch, x fastest. */
TD_FN td_dim3 td_nth_block(const td_launch *launch, uint64_t b)
{
    td_dim3 block;
    block.x = launch->first.x + (uint32_t)(b % launch->grid.x);
    block.y = launch->first.y + (uint32_t)(b / launch->grid.x % launch->grid.y);
    block.z = launch->first.z + (uint32_t)(b / launch->grid.x / launch->grid.y);
    return block;
}

/* The number of blocks of a launch. */
TD_FN uint64_t td_launch_blocks(const td_launch *launch)
{
    return (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
}

/* How many blocks of a launch a map is asked about, or threads. Their numbers: block by block, x fastest. */
TD_FN uint64_t td_asked_count(bool by_threads, const td_launch *launch)
{
    return td_launch_blocks(launch) *
           (by_threads ? launch->block.x * launch->block.y * launch->block.z : 1);
}

/* Whether a plan has so many blocks that it must be wrong: a bounding box has two per tile, in 3D six. */
static inline bool td_has_too_many_blocks(const td_strategy *strategy, uint32_t n, uint64_t blocks)
{
    enum { BLOCKS_PER_TILE = 64 };
    const uint64_t tiles = strategy->dimension == 3 ? td_tetrahedron(n) : td_triangle(n);
    return blocks > BLOCKS_PER_TILE * (tiles + 1);
}

/* The t-th thread of a block, x fastest. */
TD_FN td_dim3 td_nth_thread(const td_launch *launch, uint32_t t)
{
    td_dim3 thread;
    thread.x = t % launch->block.x;
    thread.y = t / launch->block.x % launch->block.y;
    thread.z = t / launch->block.x / launch->block.y;
    return thread;
}
