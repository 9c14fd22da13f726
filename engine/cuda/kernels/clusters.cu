/* clusters.cu - the workloads' own kernels for tiles that clusters of one or two blocks take, where the build is for
 * sm_90a (TD_HOPPER). */
#include "engine/cuda/kernel_table.h"

#ifdef TD_HOPPER
#include "clusters.cuh"
#include "pick.cuh"

template <uint32_t Id>
__global__ void __cluster_dims__(td_cluster_of<Id>::blocks, 1, 1)
    __launch_bounds__(td_cluster_of<Id>::threads, 1)
        td_cluster_kernel(const td_launch launch, const td_data data, const uint32_t strategy,
                          const __grid_constant__ typename td_cluster_of<Id>::boxes boxes)
{
    td_run_cluster<Id>(launch, data, strategy, boxes);
}

void td_add_clusters(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_cluster_of<Id>::exists) {
            to->rows[Id][0].of[TD_CLUSTERS][0] = (const void *)td_cluster_kernel<Id>;
        }
    });
}

int td_cluster_prepare(uint32_t workload, const td_data *data, void *boxes)
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

int td_cluster_prepare(uint32_t, const td_data *, void *)
{
    return 0; /* no kernel asks for them */
}
#endif
