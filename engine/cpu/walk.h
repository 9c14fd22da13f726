/* walk.h - takes the blocks of a grid through a map to the cells of a workload. */
#pragma once

#include "engine/cpu/kernels/kernels.h"
#include "strategies/strategy.h"

/* The functions that do a block's work: on its tile or, for thread maps, on the cells of a row. */
typedef struct td_cpu_work {
    uint32_t strategy; /* its id */
    td_cpu_tile_fn *tile;
    td_cpu_run_fn *run;
    bool in_tile; /* the cells of a tile see only that tile of a blocked output */
} td_cpu_work;

/* Run blocks [first, end) of a grid, counted along x, then y, then z. */
typedef void td_cpu_walk_fn(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                            uint64_t first, uint64_t end);

/* Use the strategy's map, inlined, or the map that covers the whole square with the same grid. */
td_cpu_walk_fn td_cpu_walk, td_cpu_walk_square;
