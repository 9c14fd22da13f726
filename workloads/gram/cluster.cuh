/* cluster.cuh - the symmetric product as a kernel for clusters: what its blocks do, and how they read A. */
#ifndef TD_WORKLOADS_GRAM_CLUSTER_CUH
#define TD_WORKLOADS_GRAM_CLUSTER_CUH

#include "workloads/boxes.cuh"
#include "tile.cuh"

/* How a launch reads A, in boxes of 64 columns by 128 rows, and stores C, in boxes of 128 bytes by 64 rows. */
struct td_gram_boxes {
    CUtensorMap a, c;
};

template <bool Bf16, typename Element>
__device__ inline void td_gram_team(const td_data &data, const td_gram_boxes &boxes,
                                    td_gram_block &shared)
{
    const uint32_t team = threadIdx.x / TD_GRAM_TEAM - 1;
    const uint32_t steps = td_ceil_div(data.params[TD_GRAM_COLUMNS], TD_GRAM_STEP);
    const td_gram_way way(data, &boxes.c, shared.part[team], team);
    td_gram_work<Bf16>(shared, steps, team, td_gram_output<Element>(way));
}

template <>
struct td_cluster_of<TD_WORKLOAD_gram> {
    static constexpr bool exists = true;
    static constexpr int dimension = 2;
    static constexpr int blocks = 2, threads = 3 * TD_GRAM_TEAM;
    typedef td_gram_boxes boxes;

    /* Map: see td_gram_runs. The warpgroup that copies gives its registers to those that multiply. */
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
        if (threadIdx.x < TD_GRAM_TEAM) {
            td_registers_down<TD_GRAM_TO_COPY>();
            if (threadIdx.x == 0) {
                td_gram_runs<Map> runs(map, share, data.params[TD_GRAM_COLUMNS],
                                       data.params[TD_GRAM_SPLIT] != 0);
                td_gram_copy(&boxes.a, runs, shared);
            }
        } else {
            td_registers_up<TD_GRAM_TO_MULTIPLY>();
            const bool is_bf16 = data.params[TD_GRAM_OPERAND] == 0;
            const bool to_f32 = data.params[TD_GRAM_RESULT] != 0;
            is_bf16  ? to_f32 ? td_gram_team<true, float>(data, boxes, shared)
                              : td_gram_team<true, uint16_t>(data, boxes, shared)
             : to_f32 ? td_gram_team<false, float>(data, boxes, shared)
                     : td_gram_team<false, uint16_t>(data, boxes, shared);
        }
        td_cluster_sync(); /* the other block may still copy into this one */
    }

#ifndef __CUDACC_RTC__
    /* On the host. Returns 0, or the driver's error. An output of other rows has no boxes: see td_gram_way. */
    static int map_boxes(PFN_cuTensorMapEncodeTiled_v12000 encode, const td_data &data,
                         td_gram_boxes *to)
    {
        const uint32_t bytes = data.params[TD_GRAM_RESULT] != 0 ? 4 : 2;
        const cuuint64_t columns = data.params[TD_GRAM_COLUMNS], n = data.n;
        const cuuint64_t a[2] = {columns, n}, c[2] = {n, n}, pitch[2] = {columns * 2, n * bytes};
        const cuuint32_t every[2] = {1, 1}, of_a[2] = {TD_GRAM_STEP, TD_GRAM_ROWS};
        const cuuint32_t of_c[2] = {128 / bytes, 64};
        const auto map = [&](CUtensorMap *made, CUtensorMapDataType type, const void *matrix,
                             const cuuint64_t *sides, const cuuint64_t *row,
                             const cuuint32_t *box) {
            return encode(made, type, 2, (void *)matrix, sides, row, box, every,
                          CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                          CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        };
        const int error =
            map(&to->a, CU_TENSOR_MAP_DATA_TYPE_UINT16, data.input, a, &pitch[0], of_a);
        if (error != 0 || data.full == 0 || n * bytes % 16 != 0) {
            return error;
        }
        return map(&to->c,
                   bytes == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_UINT16,
                   data.output, c, &pitch[1], of_c);
    }
#endif
};

#endif
