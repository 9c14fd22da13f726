/* trees.cu - kernels that launch kernels, for every tree and workload. Compiled with relocatable device code, which no
 * other file needs. */
#include "engine/cuda/kernel_table.h"
#include "pick.cuh"
#include "tree.cuh"

/* Registers per thread: as few as possible without spilling or, for workloads on points, with little of it (sm_90, CUDA
 * 13.0). With 40 instead of 32, fewer blocks are resident and life takes a sixth longer. The rows of automata give
 * their own numbers; a cell of water spills even with 64, which is all that a block of 1024 threads leaves it. */
enum { TD_TREE_REGISTERS = 32, TD_TREE_REGISTERS_MOST = 64 };

/* Of a 2D tree: one kernel serves all forms. Unroll: see td_tree_kernel. */
template <uint32_t Strategy, td_cell_fn *Cell, int Unroll, int Registers>
void td_add_tree(td_kernels *to)
{
    constexpr td_block_map_fn *map = td_strategy_by_id[Strategy]->block_map;
    const void *const kernel = (const void *)td_tree_kernel<map, Cell, Unroll, Registers>;
    for (uint32_t form : {TD_ANY_CELLS, TD_PACKED_CELLS, TD_LOOPS}) {
        to->of[form][Strategy] = kernel;
    }
}

template <uint32_t Strategy, auto *Cell>
void td_add_tree_3d(td_kernels *to)
{
    constexpr td_block_map_fn *map = td_strategy_by_id[Strategy]->block_map;
    to->of[TD_ANY_CELLS][Strategy] = (const void *)td_tree_kernel_3d<map, Cell, TD_ANY_CELLS>;
    to->of[TD_LOOPS][Strategy] = (const void *)td_tree_kernel_3d<map, Cell, TD_LOOPS>;
    to->of[TD_EIGHT_PACKED][Strategy] = (const void *)td_tree_kernel_3d<map, Cell, TD_EIGHT_PACKED>;
    to->of[TD_EIGHT_FULL][Strategy] = (const void *)td_tree_kernel_3d<map, Cell, TD_EIGHT_FULL>;
}

template <uint32_t Strategy, typename Row>
void td_add_tree_of_row(td_kernels *to)
{
    if constexpr (!Row::is_tiled) { /* cells of a hundred instructions: one at a time */
        constexpr int own = Row::own.registers;
        td_add_tree<
            Strategy,
            td_cell_of<typename Row::automaton, typename Row::technique, typename Row::width>, 1,
            (own > 0 ? own : TD_TREE_REGISTERS_MOST)>(to);
    }
}

template <uint32_t Strategy, uint32_t Workload>
void td_add_tree_with(td_kernels (&rows)[TD_KERNEL_ROWS])
{
    constexpr int dimension = td_strategy_by_id[Strategy]->dimension;
    if constexpr (dimension == 2 && td_is_plain_2d<Workload>) {
        td_add_tree<Strategy, td_cell_by_id<Workload>, 4, TD_TREE_REGISTERS>(&rows[0]);
    } else if constexpr (dimension == 2 && td_is_automaton<Workload>) {
        td_for_rows<Workload>(
            [&]<typename Row>(uint32_t row) { td_add_tree_of_row<Strategy, Row>(&rows[row]); });
    } else if constexpr (dimension == 3 && td_is_3d<Workload>) {
        td_for_ids<td_rows_3d<Workload>>([&]<uint32_t Row>() {
            constexpr auto *cell = td_cell_by_id<Workload, Row>;
            if constexpr (cell != nullptr) {
                td_add_tree_3d<Strategy, cell>(&rows[Row]);
            }
        });
    }
}

void td_add_trees(td_kernel_tables *to)
{
    td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Strategy>() {
        if constexpr (td_strategy_by_id[Strategy]->tree != NULL) {
            td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Workload>() {
                td_add_tree_with<Strategy, Workload>(to->rows[Workload]);
            });
        }
    });
}
