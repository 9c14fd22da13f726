/* walk.h - which blocks do what: the blocks of a grid through a map to the cells of a workload. */
#ifndef TD_ENGINE_CPU_WALK_H
#define TD_ENGINE_CPU_WALK_H

#include "engine/cpu/kernels/kernels.h"
#include "strategies/strategy.h"

/* What a block does with its tile, or its threads with the cells of a row: one of the two, by the strategy's unit. */
typedef struct td_cpu_work {
    td_cpu_tile_fn *tile;
    td_cpu_run_fn *run;
} td_cpu_work;

/* Blocks [first, end) of a grid, counted along x, then y, then z. */
typedef void td_cpu_walk_fn(const td_launch *launch, const td_data *data, td_cpu_work work,
                            uint64_t first, uint64_t end);

/* That of a strategy: its map is inlined. */
td_cpu_walk_fn *td_cpu_walk_of(const td_strategy *strategy);

/* The map that covers the whole square with the same grid. */
void td_cpu_walk_square(const td_launch *launch, const td_data *data, td_cpu_work work,
                        uint64_t first, uint64_t end);

#endif
