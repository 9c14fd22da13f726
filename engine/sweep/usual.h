/* usual.h - the tiles and blocks that runs have unless the options name others. */
#pragma once

#include "workloads/workload.h"

/*
 * td_usual - the usual tile and block of a workload's tile kernel, if there are special ones for the whole square, the
 * packed layout or small problems; NULL: there are none. block: the one given, or NULL.
 */
const td_flat *td_usual(const td_workload *workload, const td_problem *problem,
                        const td_dim3 *block, bool tile_is_given);

/* td_usual_block - the block of a run if the options give none. tiled: by the workload's tile kernel. */
td_dim3 td_usual_block(const td_workload *workload, const td_problem *problem, bool tiled,
                       bool tile_is_given);
