/* trees.cu - kernels that launch kernels, for every tree and workload. Compiled with relocatable device code, which no
 * other file needs. */
#include "engine/cuda/tree.h"
#include "tree_2d.cuh"
#include "tree_3d.cuh"
#include "workloads/automata/variants.cuh"

/* Registers of a thread: as few as leave nothing to spill, or, of points, little (sm_90, CUDA 13.0). With 40 instead of
 * 32, fewer blocks are resident and life takes a sixth longer. The rows of automata say theirs; a cell of water spills
 * with all that a block of 1024 threads leaves it, 64. */
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
    switch (workload) {
#define PLAIN(w, A)                                                                                \
    case TD_WORKLOAD_##w:                                                                          \
        return (const void *)td_tree_kernel<Map, td_##w##_cell, 4, TD_TREE_REGISTERS>;
        TD_PLAIN_2D(PLAIN, )
#define AUTOMATON(name, A)                                                                         \
    case TD_WORKLOAD_##name:                                                                       \
        return td_tree_of_rows<Map>(td_facts_of<td_##name>::rows(), row);
        TD_AUTOMATA(AUTOMATON, )
    default:
        return NULL;
    }
}

const void *td_tree_2d_kernel(uint32_t strategy, uint32_t workload, uint32_t row)
{
    switch (strategy) {
#define TREE(s, A)                                                                                 \
    case TD_STRATEGY_##s:                                                                          \
        return td_tree_with<td_##s##_map>(workload, row);
        TD_TREES(TREE, )
    default:
        return NULL;
    }
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
const void *td_tree_3d_with(uint32_t workload, td_tree_kind kind)
{
    switch (workload) {
#define CELL(w, A)                                                                                 \
    case TD_WORKLOAD_##w:                                                                          \
        return td_tree_3d_of<Map, td_##w##_cell>(kind);
        TD_PLAIN_3D(CELL, )
        TD_SUMS_3D(CELL, )
    default:
        return NULL;
    }
}

const void *td_tree_3d_kernel(uint32_t strategy, uint32_t workload, td_tree_kind kind)
{
    switch (strategy) {
#define TREE_3D(s, A)                                                                              \
    case TD_STRATEGY_##s:                                                                          \
        return td_tree_3d_with<td_##s##_map>(workload, kind);
        TD_TREES_3D(TREE_3D, )
    default:
        return NULL;
    }
}
