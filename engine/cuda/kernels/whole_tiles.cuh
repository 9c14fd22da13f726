/*
 * whole_tiles.cuh - what the two files of kernels for whole tiles share: the map, chosen while the kernel runs, and the
 * list of kernels.
 *
 * Most tiles are the work of thousands of instructions, so that their kernel can afford to choose the map while it
 * runs: one kernel per workload in place of ten, which would take half of the build.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH
#define TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH

#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "workloads/tiles.cuh"
#include "workloads/workloads.h"

typedef void td_tile_fn(const td_data &data, td_work_tile tile);

/* The same for all threads of a grid. TD_WHOLE_SQUARE is no strategy. */
__device__ inline td_tile td_map_from_origin(uint32_t strategy, const td_launch &launch,
                                             td_dim3 block)
{
    switch (strategy) {
#define CASE(s, A)                                                                                 \
    case TD_STRATEGY_##s:                                                                          \
        return td_##s##_map(&launch, block);
        TD_BLOCK_MAPS(CASE, )
#undef CASE
    default:
        return td_whole_square_map(&launch, block);
    }
}

/* Of a part of a domain (0, 0) is further down, and to the right. */
__device__ inline td_tile td_map_with(uint32_t strategy, const td_launch &launch, td_dim3 block)
{
    td_tile tile = td_map_from_origin(strategy, launch, block);
    tile.x += launch.origin_x;
    tile.y += launch.origin_y;
    return tile;
}

/* The kernel of a workload; Run: what it does with its tiles. NULL where the workload has none. */
template <template <td_tile_fn *> typename Run, uint32_t Workload, int Registers>
const void *td_plain_tile_kernel()
{
    if constexpr (std::is_null_pointer_v<std::remove_const_t<decltype(td_tile_of<Workload>)>>) {
        return NULL;
    } else {
        return (const void *)td_kernel_of<Run<td_tile_of<Workload>>::run, Registers>();
    }
}

/* The same of a row of an automaton's table. `rect` is `aligned` in other blocks. */
template <template <td_tile_fn *> typename Run, typename Row>
const void *td_row_tile_kernel()
{
    typedef typename Row::technique own;
    typedef std::conditional_t<own::value == TD_TECHNIQUE_rect, td_by_aligned, own> technique;
    if constexpr (Row::is_tiled) {
        constexpr td_tile_fn *tile =
            td_automaton_tile<typename Row::automaton, technique, typename Row::width>;
        return (const void *)td_kernel_of<Run<tile>::run, Row::own.registers>();
    } else {
        return NULL;
    }
}

template <template <td_tile_fn *> typename Run, typename None, typename... Rows>
const void *td_row_tile_kernel(td_rows<None, Rows...>, uint32_t row)
{
    const void *const all[] = {td_row_tile_kernel<Run, Rows>()...};
    return all[row];
}

template <template <td_tile_fn *> typename Run>
const void *td_tile_kernel_with(uint32_t workload, uint32_t row)
{
    switch (workload) {
#define PLAIN(w, A)                                                                                \
    case TD_WORKLOAD_##w:                                                                          \
        return td_plain_tile_kernel<Run, TD_WORKLOAD_##w, td_registers_of(td_##w##_workload)>();
        TD_PLAIN_2D(PLAIN, )
#define AUTOMATON(name, A)                                                                         \
    case TD_WORKLOAD_##name:                                                                       \
        return td_row_tile_kernel<Run>(td_facts_of<td_##name>::rows(), row);
        TD_AUTOMATA(AUTOMATON, )
    default:
        return NULL;
    }
}

#endif
