/* clusters.cuh - what kernels for tiles that clusters of two blocks take run. */
#ifndef TD_ENGINE_CUDA_KERNELS_CLUSTERS_CUH
#define TD_ENGINE_CUDA_KERNELS_CLUSTERS_CUH

#include "maps.cuh"
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

/* A grid has a cluster per tile, in its second and third dimension; blocks that stay have one dimension. The upper half
 * of the strategy says whether clusters may share tiles, unless each has a range of them. */
template <uint32_t Id>
__device__ inline void td_run_cluster(const td_launch &launch, const td_data &data,
                                      uint32_t strategy,
                                      const typename td_cluster_of<Id>::boxes &boxes)
{
    const uint32_t count = launch.grid.x * launch.grid.y * launch.grid.z;
    const bool is_grid = gridDim.x == 2 && gridDim.y * gridDim.z == count;
    const uint32_t mine = blockIdx.y + gridDim.y * blockIdx.z;
    const uint32_t cluster = blockIdx.x / 2, clusters = gridDim.x / 2;
    const uint64_t tiles = count; /* times a number of clusters: beyond 32 bits */
    const td_cluster_share share =
        is_grid ? td_cluster_share{mine, 1, mine + 1, false}
        : (strategy & TD_IN_RANGES) != 0
            ? td_cluster_share{(uint32_t)(tiles * cluster / clusters), 1,
                               (uint32_t)(tiles * (cluster + 1) / clusters), false}
            : td_cluster_share{cluster, clusters, count, strategy >> 16 != 0};
    td_cluster_of<Id>::run(data,
                           td_numbered_tiles<td_cluster_of<Id>::dimension>{launch, strategy, count},
                           share, boxes);
}

#endif
