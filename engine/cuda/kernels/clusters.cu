/* clusters.cu - the workloads' own kernels for tiles that clusters of two blocks take, where the build is for sm_90a
 * (TD_HOPPER). */
#include "engine/cuda/kernel_table.h"

#ifdef TD_HOPPER
#include "maps.cuh"
#include "pick.cuh"
#include "workloads/gram/cluster.cuh"

/* A strategy's tiles by number. */
struct td_numbered_tiles {
    const td_launch &launch;
    const uint32_t strategy, count;

    __device__ bool tile(uint32_t number, uint32_t *row, uint32_t *col) const
    {
        const td_tile tile =
            td_any_map<2>::tile(strategy & 0xffff, launch, td_block_at(launch, number, count));
        *row = tile.y;
        *col = tile.x;
        return tile.active;
    }
};

/* A grid has a cluster per tile, in its second and third dimension; blocks that stay have one dimension. The upper half
 * of the strategy says whether clusters may share tiles. */
template <uint32_t Id>
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(td_cluster_of<Id>::threads, 1)
    td_cluster_kernel(const td_launch launch, const td_data data, const uint32_t strategy,
                      const __grid_constant__ typename td_cluster_of<Id>::boxes boxes)
{
    const uint32_t count = launch.grid.x * launch.grid.y * launch.grid.z;
    const bool is_grid = gridDim.x == 2 && gridDim.y * gridDim.z == count;
    const uint32_t mine = blockIdx.y + gridDim.y * blockIdx.z;
    const td_cluster_share share =
        is_grid ? td_cluster_share{mine, 1, mine + 1, false}
                : td_cluster_share{blockIdx.x / 2, gridDim.x / 2, count, strategy >> 16 != 0};
    td_cluster_of<Id>::run(data, td_numbered_tiles{launch, strategy, count}, share, boxes);
}

void td_add_clusters(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_cluster_of<Id>::exists) {
            td_kernels *const kernels = &to->rows[Id][0];
            kernels->of[TD_TILES][0] = kernels->of[TD_PERSISTENT_TILES][0] =
                (const void *)td_cluster_kernel<Id>;
        }
    });
}

int td_cluster_prepare(uint32_t workload, uint32_t shared, const td_data *data, void *boxes)
{
    void *found = NULL;
    cudaDriverEntryPointQueryResult result;
    int error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                 cudaEnableDefault, &result);
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_cluster_of<Id>::exists) {
            typedef td_cluster_of<Id> cluster;
            static_assert(sizeof(typename cluster::boxes) <= TD_BOXES_BYTES);
            if (Id == workload && error == 0) {
                error =
                    cudaFuncSetAttribute(td_cluster_kernel<Id>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
            }
            if (Id == workload && error == 0) {
                error = cluster::map_boxes((PFN_cuTensorMapEncodeTiled_v12000)found, *data,
                                           (typename cluster::boxes *)boxes);
            }
        }
    });
    return error;
}
#else
void td_add_clusters(td_kernel_tables *)
{
}

int td_cluster_prepare(uint32_t, uint32_t, const td_data *, void *)
{
    return 0; /* no kernel asks for them */
}
#endif
