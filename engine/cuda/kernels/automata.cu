/*
 * automata.cu - what only workloads with steps need: their reference, their poison, the whole square; and
 * the check of
 * variants that have no plain kernel.
 */
#include "workloads/workloads.h"
#include "kernels.cuh"
#include "check_counts.cuh"

/* Every cell of the domain, row by row and without a map. */
template <td_cell_fn *Cell>
__global__ void td_task_kernel(const td_data data, const uint32_t square)
{
    for (uint32_t row = blockIdx.y; row < data.n; row += gridDim.y) {
        const uint32_t end = square ? data.n : row + 1;
        for (uint32_t col = blockIdx.x * blockDim.x + threadIdx.x; col < end;
             col += gridDim.x * blockDim.x) {
            Cell(&data, row, col);
        }
    }
}

/* One tile of the whole square, whatever its size. */
template <td_cell_fn *Cell>
__global__ void td_square_kernel(const td_launch launch, const td_data data)
{
    const td_dim3 tile = td_block_index<true>(launch);
    for (uint32_t y = threadIdx.y; y < launch.tile; y += blockDim.y) {
        for (uint32_t x = threadIdx.x; x < launch.tile; x += blockDim.x) {
            const uint32_t row = tile.y * launch.tile + y;
            const uint32_t col = tile.x * launch.tile + x;
            if (row < data.n && col < data.n) {
                Cell(&data, row, col);
            }
        }
    }
}

#define LIFE(w, A)                                                                                 \
    {TD_WORKLOAD_##w, (const void *)td_task_kernel<td_life_reference>,                             \
     (const void *)td_task_kernel<td_##w##_paint>, (const void *)td_square_kernel<td_##w##_cell>,  \
     NULL},
#define TILED_LIFE(w, name, stem, A)                                                               \
    {TD_WORKLOAD_##w, (const void *)td_task_kernel<td_life_reference>,                             \
     (const void *)td_task_kernel<td_##stem##_paint>, NULL,                                        \
     (const void *)td_check_kernel<td_##stem##_check>},
static const td_automaton automata[] = {
    {TD_WORKLOAD_gol, (const void *)td_task_kernel<td_gol_reference>, NULL, NULL, NULL},
    TD_LIFE_PLAIN(LIFE, ) TD_TILED_2D(TILED_LIFE, )};

const td_automaton *td_automaton_of(const td_workload *workload)
{
    for (const td_automaton &automaton : automata) {
        if (automaton.workload == workload->id) {
            return &automaton;
        }
    }
    return NULL;
}
