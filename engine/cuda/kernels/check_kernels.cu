/* check_kernels.cu - the kernels that check, without a map: cells, automata, bytes that must stay untouched. */
#include <cub/block/block_reduce.cuh>

#include "check_2d.cuh"
#include "check_3d.cuh"
#include "check_kernels.h"
#include "pick.cuh"

static __global__ void count_other_kernel(const uint8_t *memory, uint32_t byte, uint64_t bytes,
                                          td_device_counts *sum)
{
    uint32_t touched = 0;
    td_start_counts();
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += stride) {
        touched += memory[i] != byte;
    }
    td_add_touched(touched);
    td_add_counts(sum, {});
}

const void *const td_count_other_kernel = (const void *)count_other_kernel;

/* Call Cell for every cell of the domain, row by row and without a map. */
template <td_cell_fn *Cell>
__global__ void td_task_kernel(const td_data data, const uint32_t square, const td_share share)
{
    for (uint32_t row = share.first_row + blockIdx.y; row < share.end_row; row += gridDim.y) {
        const uint32_t end = td_share_end(&share, row, square ? data.n : row + 1);
        for (uint32_t col =
                 td_share_begin(&share, row, end) + blockIdx.x * blockDim.x + threadIdx.x;
             col < end; col += gridDim.x * blockDim.x) {
            Cell(&data, row, col);
        }
    }
}

template <td_cell3_fn *Cell>
__global__ void td_task_kernel_3d(const td_data data, const uint32_t, const td_share)
{
    for (uint32_t z = blockIdx.z; z < data.n; z += gridDim.z) {
        for (uint32_t y = blockIdx.y; y <= z; y += gridDim.y) {
            for (uint32_t x = threadIdx.x; x <= z - y; x += blockDim.x) {
                Cell(&data, x, y, z);
            }
        }
    }
}

template <typename Row>
td_check_kernels td_checks_of_row()
{
    typedef typename Row::automaton automaton;
    typedef typename Row::technique technique;
    typedef typename Row::width width;
    typedef td_chunk_check_of<automaton, technique, width> chunk;
    return {(const void *)td_check_kernel<td_check_of<automaton, technique, width>,
                                          td_quick_check_of<automaton, technique, width>, chunk>,
            chunk::grid_blocks,
            (const void *)td_task_kernel<td_facts_of<automaton>::cells.reference>,
            (const void *)td_task_kernel<td_paint_of<automaton, technique, width>>};
}

template <typename None, typename... Rows>
td_check_kernels td_checks_of_rows(td_rows<None, Rows...>, uint32_t row)
{
    static const td_check_kernels all[] = {td_checks_of_row<Rows>()...};
    return all[row];
}

td_check_kernels td_checks_of(uint32_t workload, uint32_t row)
{
    return td_pick<td_check_kernels, TD_WORKLOAD_COUNT>(
        workload, [=]<uint32_t Id>() -> td_check_kernels {
            constexpr auto check = td_check_by_id<Id>;
            if constexpr (td_is_automaton<Id>) {
                return td_checks_of_rows(typename td_facts_of<td_automaton_by_id<Id>>::rows(), row);
            } else if constexpr (td_is_plain_2d<Id>) {
                return {(const void *)td_check_kernel<check>, td_chunk_check<check>::grid_blocks,
                        NULL, NULL};
            } else if constexpr (td_reference_by_id<Id> != nullptr) {
                return {(const void *)td_check_kernel_3d<check>, 0,
                        (const void *)td_task_kernel_3d<td_reference_by_id<Id>>,
                        (const void *)td_task_kernel_3d<td_paint_by_id<Id>>};
            } else if constexpr (check != nullptr) {
                return {(const void *)td_check_kernel_3d<check>, 0, NULL, NULL};
            } else {
                return {};
            }
        });
}

/* ---- the total of a sum ---- */

/*
 * The order of the sum depends only on the count. Each thread takes every 1024th element in turn, into four sums so
 * that memory can run ahead; then the sums of the block's threads are added.
 */
static __global__ void __launch_bounds__(1024) total_kernel(double *output, uint64_t count)
{
    enum { THREADS = 1024, SUMS = 4 };
    typedef cub::BlockReduce<double, THREADS, cub::BLOCK_REDUCE_RAKING> reduce;
    __shared__ reduce::TempStorage shared;
    const double *terms = output + 1;
    double part[SUMS] = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t i = threadIdx.x; i < count; i += SUMS * THREADS) {
        for (int s = 0; s < SUMS; s++) {
            const uint64_t at = i + (uint64_t)s * THREADS;
            part[s] += at < count ? terms[at] : 0.0;
        }
    }
    const double sum = reduce(shared).Sum((part[0] + part[1]) + (part[2] + part[3]));
    if (threadIdx.x == 0) {
        output[0] = sum;
    }
}

const void *const td_total_kernel = (const void *)total_kernel;
