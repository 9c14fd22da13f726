/* tile_of.cuh - a workload's own tile kernel, by the workload's id; specialised beside the kernel. */
#ifndef TD_WORKLOADS_TILE_OF_CUH
#define TD_WORKLOADS_TILE_OF_CUH

#include "list.h"

/* A function of (const td_data &, td_work_tile), or in 3D of (const td_data &, td_work_tile3), or of (const td_data &,
 * td_work_rows). Row: of the table of a
 * workload in 3D with steps. */
template <uint32_t Workload, uint32_t Row = 0>
inline constexpr auto td_tile_of = nullptr;

/* The same for a blocked output, for workloads whose own kernel cannot treat a tile of it as a full matrix. */
template <uint32_t Workload>
inline constexpr auto td_blocked_tile_of = nullptr;

/* A workload's own check of whole rows: `rows` that a block takes at a time, and a function of them. */
template <uint32_t Workload>
struct td_own_check {
    static constexpr bool exists = false;
};

/* The tiles that a cluster takes: first, first + stride, ... before `end`; may_split: clusters may share some,
 * since all of them are on the device, and every number is a tile. */
struct td_cluster_share {
    uint32_t first, stride, end;
    bool may_split;
    uint32_t
        *tickets; /* NULL, or the counter that gives a cluster its next tile: see tickets.cuh */

    /* The number after one of the cluster's, perhaps beyond the last. */
    __device__ uint32_t after(uint32_t number) const
    {
        return tickets == nullptr ? number + stride
               : end <= stride    ? end
                                  : stride + atomicInc(tickets, end - 1);
    }
};

/* A workload's own kernel for tiles, or with dimension 1 for rows of tiles, that clusters of one or two blocks take:
 * see gram/cluster.cuh. */
template <uint32_t Workload>
struct td_cluster_of {
    static constexpr bool exists = false;
};

#endif
