/* to_try.h - the blocks and tiles that `all` stands for. The sweep's rules decide which of them can work. */
#pragma once

#include "engine/options/options.h"

enum { TD_SHAPES_TO_TRY = 64 };

typedef struct td_shape_list {
    td_shape shapes[TD_SHAPES_TO_TRY];
    size_t count;
} td_shape_list;

/* Powers of two with z <= y <= x, because rows are contiguous; at least two warps. */
td_shape_list td_blocks_to_try(int dimension);

/* Powers of two, up to the first that covers the whole domain. */
td_shape_list td_tiles_to_try(int dimension, uint32_t n);
