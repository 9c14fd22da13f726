/* tile_of.cuh - a workload's own tile kernel, by the workload's id; specialised beside the kernel. */
#ifndef TD_WORKLOADS_TILE_OF_CUH
#define TD_WORKLOADS_TILE_OF_CUH

#include "list.h"

/* A function of (const td_data &, td_work_tile), or in 3D of (const td_data &, td_work_tile3). Row: of the table of a
 * workload in 3D with steps. */
template <uint32_t Workload, uint32_t Row = 0>
inline constexpr auto td_tile_of = nullptr;

/* The same for a blocked output, for workloads whose own kernel cannot treat a tile of it as a full matrix. */
template <uint32_t Workload>
inline constexpr auto td_blocked_tile_of = nullptr;

#endif
