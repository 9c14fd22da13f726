/* clusters.cuh - what kernels for tiles, or rows of tiles, that clusters of one or two blocks take run. */
#ifndef TD_ENGINE_CUDA_KERNELS_CLUSTERS_CUH
#define TD_ENGINE_CUDA_KERNELS_CLUSTERS_CUH

#include "maps.cuh"
#include "tickets.cuh"
#include "workloads/attention/cluster.cuh"
#include "workloads/gram/cluster.cuh"

/* A strategy's tiles, or rows of tiles, by number. */
template <int Dimension>
struct td_numbered_tiles {
    const td_launch &launch;
    const uint32_t strategy, count;

    __device__ bool tile(uint32_t number, uint32_t *row, uint32_t *col) const
    {
        const td_tile tile = at(number);
        *row = tile.y;
        *col = tile.x;
        return tile.active;
    }

    /* Of whole rows: see map.h. */
    __device__ td_tile at(uint32_t number) const
    {
        return td_any_map<Dimension>::tile(strategy & (TD_IN_RANGES - 1), launch,
                                           td_block_at(launch, number, count));
    }
};

/* A grid of pairs has a cluster per tile, in its second and third dimension; blocks that stay have one dimension. The
 * upper half of the strategy says whether pairs may share tiles, unless each has a range of them; for single blocks,
 * one more than the number of the counter that they take tickets from. */
template <uint32_t Id>
__device__ __forceinline__ void td_run_cluster(const td_launch &launch, const td_data &data,
                                               uint32_t strategy,
                                               const typename td_cluster_of<Id>::boxes &boxes)
{
    constexpr uint32_t blocks = td_cluster_of<Id>::blocks;
    const uint32_t count = launch.grid.x * launch.grid.y * launch.grid.z;
    const bool is_grid = blocks == 2 && gridDim.x == 2 && gridDim.y * gridDim.z == count;
    const uint32_t mine = blockIdx.y + gridDim.y * blockIdx.z;
    const uint32_t cluster = blockIdx.x / blocks, clusters = gridDim.x / blocks;
    const uint64_t tiles = count; /* times a number of clusters: beyond 32 bits */
    const bool may_split = blocks == 2 && strategy >> 16 != 0;
    uint32_t *const tickets =
        blocks == 1 && strategy >> 16 != 0 ? &td_counters[(strategy >> 16) - 1] : nullptr;
    const td_cluster_share share =
        is_grid ? td_cluster_share{mine, 1, mine + 1, false, nullptr}
        : (strategy & TD_IN_RANGES) != 0
            ? td_cluster_share{(uint32_t)(tiles * cluster / clusters), 1,
                               (uint32_t)(tiles * (cluster + 1) / clusters), false, nullptr}
            : td_cluster_share{cluster, clusters, count, may_split, tickets};
    td_cluster_of<Id>::run(data,
                           td_numbered_tiles<td_cluster_of<Id>::dimension>{launch, strategy, count},
                           share, boxes);
}

#endif
