/* gram_cluster.cuh - the symmetric product as a kernel for clusters: what its blocks do, and how they read A. */
#ifndef TD_WORKLOADS_GRAM_CLUSTER_CUH
#define TD_WORKLOADS_GRAM_CLUSTER_CUH

#include <cudaTypedefs.h>

#include "gram_store.cuh"
#include "tile_of.cuh"

/* How a launch reads A: in boxes of 64 columns by 128 rows, and by 64. */
struct td_gram_boxes {
    CUtensorMap whole, half;
};

template <bool Bf16, typename Element>
__device__ inline void td_gram_team(const td_data &data, td_gram_block &shared)
{
    const uint32_t team = threadIdx.x / TD_GRAM_TEAM - TD_GRAM_FIRST_TEAM;
    const uint32_t steps = td_ceil_div(data.params[TD_GRAM_COLUMNS], TD_GRAM_STEP);
    td_gram_work<Bf16>(shared, steps, team,
                       [&](const td_gram_run &run, const td_gram_sums_of_team &sums) {
                           td_gram_store<Element>(data, run, sums, shared.part[team], team);
                       });
}

template <>
struct td_cluster_of<TD_WORKLOAD_gram> {
    static constexpr bool exists = true;
    static constexpr int threads = TD_GRAM_THREADS;
    typedef td_gram_boxes boxes;

    /* Map: see td_gram_runs. The warpgroups that copy give their registers to those that multiply. */
    template <typename Map>
    __device__ static void run(const td_data &data, const Map &map, const td_cluster_share &share,
                               const td_gram_boxes &boxes)
    {
        extern __shared__ uint8_t unaligned[];
        td_gram_block &shared =
            *(td_gram_block *)(unaligned + (-td_shared_address(unaligned) & 1023));
        if (threadIdx.x == 0) {
            td_gram_open(shared);
        }
        td_cluster_sync();
        if (threadIdx.x < TD_GRAM_FIRST_TEAM * TD_GRAM_TEAM) {
            td_registers_down<TD_GRAM_FEW_REGISTERS>();
            if (threadIdx.x == 0) {
                td_gram_runs<Map> runs(map, share, data.params[TD_GRAM_COLUMNS],
                                       data.params[TD_GRAM_SPLIT] != 0);
                td_gram_copy(&boxes.whole, &boxes.half, runs, shared);
            }
        } else {
            td_registers_up<TD_GRAM_MANY_REGISTERS>();
            const bool is_bf16 = data.params[TD_GRAM_OPERAND] == 0;
            const bool to_f32 = data.params[TD_GRAM_RESULT] != 0;
            is_bf16  ? to_f32 ? td_gram_team<true, float>(data, shared)
                              : td_gram_team<true, uint16_t>(data, shared)
             : to_f32 ? td_gram_team<false, float>(data, shared)
                     : td_gram_team<false, uint16_t>(data, shared);
        }
        td_cluster_sync(); /* the other block may still copy into this one */
    }

    /* On the host. Returns 0, or the driver's error. */
    static int map_boxes(PFN_cuTensorMapEncodeTiled_v12000 encode, const td_data &data,
                         td_gram_boxes *to)
    {
        const cuuint64_t columns = data.params[TD_GRAM_COLUMNS];
        const cuuint64_t sides[2] = {columns, data.n}, pitch[1] = {columns * 2};
        const cuuint32_t every[2] = {1, 1};
        int error = 0;
        for (int half = 0; half < 2 && error == 0; half++) {
            const cuuint32_t box[2] = {TD_GRAM_STEP, (cuuint32_t)TD_GRAM_ROWS >> half};
            error = encode(half ? &to->half : &to->whole, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2,
                           (void *)data.input, sides, pitch, box, every,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        }
        return error;
    }
};

#endif
