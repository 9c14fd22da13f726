/*
 * rec-tetra - the boxes of dp-tetra launched from the host, all at once: the time that dp-tetra takes beyond this is
 * the cost of dynamic parallelism, not of the map.
 */
#ifndef TD_STRATEGIES_REC_TETRA_H
#define TD_STRATEGIES_REC_TETRA_H

#include "dp_tetra.h"

/*
 * td_rec_tetra_map - block (x, y, z) of a box, as in dp-tetra.
 *
 * Shape   the grids of dp-tetra, independent of each other
 * Exact   for n <= 65535, the most rows and slices of a grid
 * Source  the control experiment that Gonzalez and Navarro, tetrahedral domains, lacks
 */
TD_FN td_tile td_rec_tetra_map(const td_launch *launch, td_dim3 block)
{
    return td_dp_tetra_map(launch, block);
}

TD_DESCRIPTOR td_strategy td_rec_tetra = {
    .id = TD_STRATEGY_rec_tetra,
    .name = "rec-tetra",
    .summary = "the boxes of dp-tetra launched from the host, all at once",
    .source = "the control experiment to dp-tetra",
    .exact_n = 65535,
    .dimension = 3,
    .unit = TD_MAPS_BLOCKS,
    .uses_cutoff = true,
    .plan = td_dp_tetra_plan,
    .block_map = td_rec_tetra_map,
};

#endif
