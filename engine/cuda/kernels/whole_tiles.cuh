/* whole_tiles.cuh - the workloads' own kernels for whole tiles, made from the list. Each way to walk over the tiles has
 * a .cu file of its own, so that nvcc compiles them side by side. */
#ifndef TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH
#define TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH

#include <type_traits>

#include "engine/cuda/kernel_table.h"
#include "kernel.cuh"
#include "pick.cuh"
#include "walk.cuh"
#include "workloads/tiles.cuh"

/* The technique `rect` is `aligned` with other blocks. */
template <typename Row>
using td_technique_of = std::conditional_t<Row::technique::value == TD_TECHNIQUE_rect,
                                           td_by_aligned, typename Row::technique>;

template <uint32_t Workload, uint32_t Row = 0>
inline constexpr bool td_has_tile =
    !std::is_null_pointer_v<std::remove_const_t<decltype(td_tile_of<Workload, Row>)>>;

/* A function for tiles, in the walk of this form. */
template <td_form Form, auto *Tile, int Registers, bool Banded = false>
const void *td_tile_kernel()
{
    if constexpr (Form == TD_TILES) {
        return td_kernel_of<td_run_grid<Tile, Banded>, Registers>();
    } else if constexpr (Form == TD_PERSISTENT_TILES) {
        return td_kernel_of<td_run_persistent<Tile, Banded>, Registers>();
    } else {
        return td_kernel_of<td_run_dynamic_tiles<Tile, Banded>, Registers>();
    }
}

template <td_form Form, typename Row>
void td_add_tile_of_row(td_kernels *to)
{
    if constexpr (Row::is_tiled) {
        constexpr td_tile_fn *tile =
            td_automaton_tile<typename Row::automaton, td_technique_of<Row>, typename Row::width>;
        to->of[Form][0] =
            td_tile_kernel<Form, tile, Row::own.registers, td_techniques[Row::like].banded>();
    }
}

template <td_form Form>
void td_add_tiles(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_is_automaton<Id>) {
            td_for_rows<Id>([&]<typename Row>(uint32_t row) {
                td_add_tile_of_row<Form, Row>(&to->rows[Id][row]);
            });
        } else {
            td_for_ids<td_rows_3d<Id>>([&]<uint32_t Row>() {
                if constexpr (td_has_tile<Id, Row>) {
                    to->rows[Id][Row].of[Form][0] =
                        td_tile_kernel<Form, td_tile_of<Id, Row>, td_registers_of<Id, Row>,
                                       td_has_bands<Id>()>();
                }
            });
        }
    });
}

#endif
