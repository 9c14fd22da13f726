/* map.h - the types of a map: from a block, or a thread, of a launched grid to a tile, or a cell, of the domain. */
#ifndef TD_STRATEGIES_MAP_H
#define TD_STRATEGIES_MAP_H

#include "numbers.h"

/*
 * One grid of thread blocks, with what a map needs to know about it. Passed to kernels by value.
 *
 * Shape  grid [blocks], block [threads]; first [blocks]: index of the grid's first block, which is not 0 only where
 *        a grid too large for the hardware was cut into pieces
 */
typedef struct td_launch {
    td_dim3 grid;
    td_dim3 block;
    td_dim3 first;
    uint32_t n; /* size of the triangle that the map sees: tiles per side, cells for a thread map */
    uint32_t tile;     /* side of a tile [cells] */
    uint32_t width;    /* along x [cells]: the tile's side; whole rows: N; a flat tile: its own */
    uint32_t bands;    /* 2D: blocks per tile, one below the other; the map sees one. Usually 1 */
    uint32_t rows;     /* 2D: of a band [cells] */
    uint32_t param[4]; /* meaning depends on the map */
    /* 2D, in a part of a domain (see part.h): the tile that the map sees as (0, 0), and whether the blocks are the
     * tiles of a rectangle, without a map. */
    uint32_t origin_x, origin_y, rectangle;
    /* 2D: the domain has rows after the n that the map sees, which this launch must not compute. The map may place a
     * wasted block on one of their tiles. */
    uint32_t is_part;
    uint32_t batch; /* 2D: triangles whose rows of tiles the blocks take; 0: blocks take tiles */
} td_launch;

/* The table of a map that looks its tiles up: its address is in param[0] and param[1]. */
TD_FN const uint32_t *td_launch_table(const td_launch *launch)
{
    const uint64_t address = (uint64_t)launch->param[1] << 32 | launch->param[0];
    return (const uint32_t *)(uintptr_t)address;
}

/* The tile that a block computes. In 2D x is the column of tiles and y the row; z is 0. Of whole rows in 2D: y is the
 * row of tiles, z the second row of a pair, or the same as y, and x the number of the triangle in a batch. */
typedef struct td_tile {
    uint32_t x, y, z;
    bool active;
} td_tile;

/* A tile of a 2D domain. */
TD_FN td_tile td_tile_at(uint32_t x, uint32_t y, bool active)
{
    td_tile tile;
    tile.x = x;
    tile.y = y;
    tile.z = 0;
    tile.active = active;
    return tile;
}

/* How many square or cubic tiles an answer of a map stands for: whole rows have all tiles of a row, in 3D those up to
 * the plane x + y = z. Input: in 3D, y <= z */
TD_FN uint32_t td_tile_count(int dimension, const td_launch *launch, td_tile tile)
{
    if (dimension == 3) {
        return launch->width > launch->tile ? tile.z - tile.y + 1 : 1;
    }
    return launch->batch == 0 ? 1 : tile.y + 1 + (tile.z != tile.y ? tile.z + 1 : 0);
}

/* The k-th of them. In 2D, its z is the number of its triangle. */
TD_FN td_tile td_nth_tile(int dimension, const td_launch *launch, td_tile tile, uint32_t k)
{
    if (dimension == 3 || launch->batch == 0) {
        tile.x += k;
        return tile;
    }
    const bool second = k > tile.y;
    td_tile nth;
    nth.x = second ? k - tile.y - 1 : k;
    nth.y = second ? tile.z : tile.y;
    nth.z = tile.x;
    nth.active = tile.active;
    return nth;
}

/* The grid position of one thread, for thread maps. */
typedef struct td_thread {
    td_dim3 block;  /* index of its block */
    td_dim3 thread; /* index in its block */
} td_thread;

/* The cell that a thread computes, for thread maps. */
typedef struct td_cell {
    uint32_t row, col;
    bool active;
} td_cell;

/* With few_wasted, the coordinates of an inactive tile have no cell in the domain: a kernel that tests its cells anyway
 * does not test the tile. */
typedef td_tile td_block_map_fn(const td_launch *launch, td_dim3 block);
typedef td_cell td_thread_map_fn(const td_launch *launch, td_thread thread);

#endif
