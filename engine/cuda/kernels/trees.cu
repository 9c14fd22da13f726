/* trees.cu - kernels that launch kernels, for every tree and workload. Compiled with relocatable device code, which no
 * other file needs. */
#include "engine/cuda/tree.h"
#include "tree_2d.cuh"
#include "tree_3d.cuh"
#include "pick.cuh"

/* Registers per thread: as few as possible without spilling or, for workloads on points, with little of it (sm_90, CUDA
 * 13.0). With 40 instead of 32, fewer blocks are resident and life takes a sixth longer. The rows of automata give
 * their own numbers; a cell of water spills even with 64, which is all that a block of 1024 threads leaves it. */
enum { TD_TREE_REGISTERS = 32, TD_TREE_REGISTERS_MOST = 64 };

template <td_block_map_fn *Map, typename Row>
const void *td_tree_of_row()
{
    constexpr int own = Row::own.registers;
    if constexpr (Row::is_tiled) {
        return NULL;
    } else { /* automata have cells of a hundred instructions: one at a time */
        return (const void *)td_tree_kernel<
            Map, td_cell_of<typename Row::automaton, typename Row::technique, typename Row::width>,
            1, (own > 0 ? own : TD_TREE_REGISTERS_MOST)>;
    }
}

template <td_block_map_fn *Map, typename None, typename... Rows>
const void *td_tree_of_rows(td_rows<None, Rows...>, uint32_t row)
{
    const void *const all[] = {td_tree_of_row<Map, Rows>()...};
    return all[row];
}

template <td_block_map_fn *Map>
const void *td_tree_with(uint32_t workload, uint32_t row)
{
    return td_pick<const void *, TD_WORKLOAD_COUNT>(workload, [=]<uint32_t Id>() -> const void * {
        if constexpr (td_is_plain_2d<Id>) {
            return (const void *)td_tree_kernel<Map, td_cell_by_id<Id>, 4, TD_TREE_REGISTERS>;
        } else if constexpr (td_is_automaton<Id>) {
            typedef typename td_facts_of<td_automaton_by_id<Id>>::rows rows;
            return td_tree_of_rows<Map>(rows(), row);
        } else {
            return NULL;
        }
    });
}

const void *td_tree_2d_kernel(uint32_t strategy, uint32_t workload, uint32_t row)
{
    return td_pick<const void *, TD_STRATEGY_COUNT>(strategy, [=]<uint32_t Id>() -> const void * {
        constexpr const td_strategy *s = td_strategy_by_id[Id];
        if constexpr (s->dimension == 2 && s->tree != NULL) {
            return td_tree_with<s->block_map>(workload, row);
        } else {
            return NULL;
        }
    });
}

template <td_block_map_fn *Map, auto *Cell>
const void *td_tree_3d_of(td_tree_kind kind)
{
    static const void *const kinds[TD_TREE_KINDS] = {
        (const void *)td_tree_kernel_3d<Map, Cell, TD_TREE_CELL>,
        (const void *)td_tree_kernel_3d<Map, Cell, TD_TREE_LOOP>,
        (const void *)td_tree_kernel_3d<Map, Cell, TD_TREE_EIGHT_PACKED>,
        (const void *)td_tree_kernel_3d<Map, Cell, TD_TREE_EIGHT_FULL>};
    return kinds[kind];
}

template <td_block_map_fn *Map>
const void *td_tree_3d_with(uint32_t workload, uint32_t row, td_tree_kind kind)
{
    return td_pick_3d<const void *>(workload, row,
                                    [=]<uint32_t Id, uint32_t Row>() -> const void * {
                                        constexpr auto *cell = td_cell_by_id<Id, Row>;
                                        if constexpr (cell != nullptr) {
                                            return td_tree_3d_of<Map, cell>(kind);
                                        } else {
                                            return NULL;
                                        }
                                    });
}

const void *td_tree_3d_kernel(uint32_t strategy, uint32_t workload, uint32_t row, td_tree_kind kind)
{
    return td_pick<const void *, TD_STRATEGY_COUNT>(strategy, [=]<uint32_t Id>() -> const void * {
        constexpr const td_strategy *s = td_strategy_by_id[Id];
        if constexpr (s->dimension == 3 && s->tree != NULL) {
            return td_tree_3d_with<s->block_map>(workload, row, kind);
        } else {
            return NULL;
        }
    });
}
