/* candidates.h - the blocks and tiles that are tried where the command line names none. For space.c only. */
#ifndef TD_RUN_CANDIDATES_H
#define TD_RUN_CANDIDATES_H

#include "engine/options/options.h"

enum { TD_MOST_BLOCKS = 64, TD_MOST_TILES = 16 };

/* Blocks as options hold them: z = 0 in 2D. */
typedef struct td_block_list {
    td_dim3 blocks[TD_MOST_BLOCKS];
    bool is_side[TD_MOST_BLOCKS]; /* all false */
    size_t count;
} td_block_list;

typedef struct td_tile_list {
    uint32_t tiles[TD_MOST_TILES];
    size_t count;
} td_tile_list;

/*
 * td_blocks_to_try - powers of two along each side, no longer along y than along x, nor along z than along y, because
 * rows are contiguous; at least two warps.
 */
td_block_list td_blocks_to_try(int dimension);

/* Powers of two, up to the first that holds all of the domain. */
td_tile_list td_tiles_to_try(int dimension, uint32_t n);

#endif
