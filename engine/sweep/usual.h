/* usual.h - the tiles and blocks that runs have unless the options name others. */
#pragma once

#include "engine/options/options.h"

/*
 * td_usual - the usual tile and block of a workload's kernel for tiles: on the square, in the packed layout, or of
 * small problems; NULL: as anywhere else. block: of the options, where they have one.
 */
const td_flat *td_usual(const td_options *options, const td_workload *workload,
                        const td_problem *problem, td_dim3 block);

/* td_usual_block - the block of a run where the options have none. tiled: by the workload's kernel for tiles. */
td_dim3 td_usual_block(const td_options *options, const td_workload *workload,
                       const td_problem *problem, bool tiled);
