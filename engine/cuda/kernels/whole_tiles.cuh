/* whole_tiles.cuh - the kernels for whole tiles of the 2D workloads, by the list. */
#ifndef TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH
#define TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH

#include <type_traits>

#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "tile_runs.cuh"
#include "workloads/tiles.cuh"
#include "workloads/workloads.h"

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
