/* whole_tiles.cuh - the whole-tile kernels of the 2D workloads, made from the list. */
#ifndef TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH
#define TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH

#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "pick.cuh"
#include "tile_runs.cuh"
#include "workloads/tiles.cuh"

/* The technique `rect` is `aligned` with other blocks. */
template <typename Row>
using td_technique_of = std::conditional_t<Row::technique::value == TD_TECHNIQUE_rect,
                                           td_by_aligned, typename Row::technique>;

/* The kernel of a row of an automaton's table; NULL: the row has none. Run: how the kernel goes through its tiles. */
template <template <td_tile_fn *, bool> typename Run, typename Row>
const void *td_row_tile_kernel()
{
    if constexpr (Row::is_tiled) {
        constexpr td_tile_fn *tile =
            td_automaton_tile<typename Row::automaton, td_technique_of<Row>, typename Row::width>;
        constexpr bool banded = td_techniques[Row::like].banded;
        return (const void *)td_kernel_of<Run<tile, banded>::run, Row::own.registers>();
    } else {
        return NULL;
    }
}

template <template <td_tile_fn *, bool> typename Run, typename None, typename... Rows>
const void *td_row_tile_kernel(td_rows<None, Rows...>, uint32_t row)
{
    const void *const all[] = {td_row_tile_kernel<Run, Rows>()...};
    return all[row];
}

template <template <td_tile_fn *, bool> typename Run>
const void *td_tile_kernel_with(uint32_t workload, uint32_t row)
{
    return td_pick<const void *, TD_WORKLOAD_COUNT>(workload, [=]<uint32_t Id>() -> const void * {
        if constexpr (td_is_automaton<Id>) {
            typedef typename td_facts_of<td_automaton_by_id<Id>>::rows rows;
            return td_row_tile_kernel<Run>(rows(), row);
        } else if constexpr (td_is_plain_2d<Id> && td_has_tile<Id>) {
            return (
                const void *)td_kernel_of<Run<td_tile_of<Id>, false>::run, td_registers_of<Id>>();
        } else {
            return NULL;
        }
    });
}

#endif
