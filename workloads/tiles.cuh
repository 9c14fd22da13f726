/* tiles.cuh - all tile kernels, one include each. */
#ifndef TD_WORKLOADS_TILES_CUH
#define TD_WORKLOADS_TILES_CUH

#include "accumulate3_tile.cuh"
#include "collision_tile.cuh"
#include "edm_tile.cuh"
#include "rowsum_tile.cuh"
#include "triplet_tile.cuh"
#include "workloads/attention/rows.cuh"
#include "workloads/automata/life3_strip.cuh"
#include "workloads/automata/tiles.cuh"
#include "workloads/gram/warps.cuh"
#include "write3_tile.cuh"

#endif
