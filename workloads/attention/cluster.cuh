/* cluster.cuh - attention as a kernel for single blocks: what they do, and how they read and write. */
#ifndef TD_WORKLOADS_ATTENTION_CLUSTER_CUH
#define TD_WORKLOADS_ATTENTION_CLUSTER_CUH

#include "workloads/boxes.cuh"
#include "tile.cuh"

/* The shared memory of this block. */
template <uint32_t Columns>
__device__ __forceinline__ td_attention_block<Columns> &td_attention_shared()
{
    extern __shared__ uint8_t unaligned[];
    return *(td_attention_block<Columns> *)(unaligned + (-td_shared_address(unaligned) & 1023));
}

template <bool Bf16, uint32_t Columns>
__device__ __forceinline__ void td_attention_work(const td_data &data,
                                                  const td_attention_boxes &boxes)
{
    const uint32_t team = threadIdx.x / TD_ATTENTION_TEAM - 1;
    td_attention_team<Bf16, Columns>(td_attention_shared<Columns>(), data, boxes, team).work();
}

template <>
struct td_cluster_of<TD_WORKLOAD_attention> {
    static constexpr bool exists = true;
    static constexpr int dimension = 1, blocks = 1, threads = 3 * TD_ATTENTION_TEAM;
    typedef td_attention_boxes boxes;

    /* Map: see td_attention_runs. The warpgroup that copies gives its registers to those that multiply. */
    template <typename Map>
    __device__ __forceinline__ static void run(const td_data &data, const Map &map,
                                               const td_cluster_share &share,
                                               const td_attention_boxes &boxes)
    {
        const bool is_wide = data.params[TD_ATTENTION_WIDE] == 128;
        const bool is_bf16 = data.params[TD_ATTENTION_IS_F16] == 0;
        if (threadIdx.x == 0) {
            is_wide ? td_attention_open(td_attention_shared<128>())
                    : td_attention_open(td_attention_shared<64>());
        }
        __syncthreads();
        if (threadIdx.x < TD_ATTENTION_TEAM) {
            td_registers_down<TD_ATTENTION_TO_COPY>();
            if (threadIdx.x == 0) {
                td_attention_runs<Map> runs(data, map, share);
                is_wide ? td_attention_copy(data, boxes, runs, td_attention_shared<128>())
                        : td_attention_copy(data, boxes, runs, td_attention_shared<64>());
            }
        } else {
            td_registers_up<TD_ATTENTION_TO_MULTIPLY>();
            is_wide   ? is_bf16 ? td_attention_work<true, 128>(data, boxes)
                                : td_attention_work<false, 128>(data, boxes)
              : is_bf16 ? td_attention_work<true, 64>(data, boxes)
                      : td_attention_work<false, 64>(data, boxes);
        }
    }

#ifndef __CUDACC_RTC__
    /* On the host. Returns 0, or the driver's error. */
    static int map_boxes(PFN_cuTensorMapEncodeTiled_v12000 encode, const td_data &data,
                         td_attention_boxes *to)
    {
        const uint32_t columns = data.params[TD_ATTENTION_WIDE];
        const uint32_t kv_heads = data.batch / data.params[TD_ATTENTION_SHARED_BY];
        const auto map = [&](CUtensorMap *made, const void *matrices, uint32_t heads,
                             uint32_t rows) {
            const cuuint64_t sides[3] = {columns, data.n, heads};
            const cuuint64_t pitch[2] = {2 * columns, (cuuint64_t)2 * columns * data.n};
            const cuuint32_t box[3] = {64, rows, 1}, every[3] = {1, 1, 1};
            return encode(made, CU_TENSOR_MAP_DATA_TYPE_UINT16, 3, (void *)matrices, sides, pitch,
                          box, every, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                          CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        };
        const int errors[] = {
            map(&to->queries, td_attention_queries(&data, 0), data.batch, TD_ATTENTION_ROWS),
            map(&to->keys, td_attention_keys(&data, 0), kv_heads, TD_ATTENTION_KEYS),
            map(&to->values, td_attention_values(&data, 0), kv_heads, TD_ATTENTION_KEYS),
            map(&to->result, data.output, data.batch, TD_ATTENTION_ROWS / 2)};
        for (const int error : errors) {
            if (error != 0) {
                return error;
            }
        }
        return 0;
    }
#endif
};

#endif
