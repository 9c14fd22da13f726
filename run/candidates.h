/* candidates.h - the blocks and tiles that are tried where the command line names none. For space.c only. */
#ifndef TD_RUN_CANDIDATES_H
#define TD_RUN_CANDIDATES_H

#include "engine/options/options.h"

enum { TD_MOST_SHAPES = 64 };

typedef struct td_shape_list {
    td_shape shapes[TD_MOST_SHAPES];
    size_t count;
} td_shape_list;

/*
 * td_blocks_to_try - powers of two along each side, no longer along y than along x, nor along z than along y, because
 * rows are contiguous; at least two warps.
 */
td_shape_list td_blocks_to_try(int dimension);

/* Powers of two, up to the first that holds all of the domain. */
td_shape_list td_tiles_to_try(int dimension, uint32_t n);

#endif
