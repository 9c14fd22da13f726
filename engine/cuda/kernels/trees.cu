/* trees.cu - kernels that launch kernels, for every tree and workload. Compiled with relocatable device code, which no
 * other file needs. */
#include "engine/cuda/tree.h"
#include "tree_2d.cuh"
#include "tree_3d.cuh"
#include "workloads/workloads.h"

/* Registers of a thread: as few as leave nothing to spill, or, of points, little (sm_90, CUDA 13.0). With 40 instead of
 * 32, fewer blocks are resident and life takes a sixth longer. A cell of water spills with all that a block of 1024
 * threads leaves it. */
template <td_cell_fn *Cell>
inline constexpr int td_tree_registers = 64;
#define FEWER(w, count)                                                                            \
    template <>                                                                                    \
    inline constexpr int td_tree_registers<td_##w##_cell> = count;
TD_DOMAIN_2D(FEWER, 32)
TD_POINTS_2D(FEWER, 32)
TD_GOL_HALO_ROWS(FEWER, 32)
TD_LIFE_HALO_ROWS(FEWER, 32)
TD_FLOATS_HALO_ROWS(blur, f32, FEWER, 32)
TD_DOG_PLAIN(FEWER, 32)
TD_GOL_PACKED_ROWS(FEWER, 40)
TD_LIFE_PACKED_ROWS(FEWER, 40)
TD_FLOATS_PACKED_ROWS(blur, f32, FEWER, 40)
TD_FLOATS_HALO_ROWS(extrema, f32, FEWER, 40)

/* Automata have cells of a hundred instructions: one at a time. In the order of TD_WORKLOADS_2D. */
#define TREE(w, map, unroll)                                                                       \
    (const void *)td_tree_kernel<map, td_##w##_cell, unroll, td_tree_registers<td_##w##_cell>>,
#define KERNEL(w, map) TREE(w, map, 4)
#define AUTOMATON(w, map) TREE(w, map, 1)
#define ROW_2D(s, ...)                                                                             \
    {TD_STRATEGY_##s,                                                                              \
     {TD_DOMAIN_2D(KERNEL, td_##s##_map) TD_POINTS_2D(KERNEL, td_##s##_map)                        \
          TD_VARIANTS_2D(AUTOMATON, td_##s##_map)}},
static const struct {
    uint32_t strategy;
    const void *kernels[TD_WORKLOAD_COUNT];
} trees_2d[] = {TD_TREES(ROW_2D, )};

const void *td_tree_2d_kernel(uint32_t strategy_id, uint32_t workload_id)
{
    for (const auto &tree : trees_2d) {
        if (tree.strategy == strategy_id) {
            return tree.kernels[workload_id];
        }
    }
    return NULL;
}

#define NONE(w, map) {NULL, NULL, NULL, NULL},
#define KERNELS(w, map)                                                                            \
    {(const void *)td_tree_kernel_3d<map, td_##w##_cell, TD_TREE_CELL>,                            \
     (const void *)td_tree_kernel_3d<map, td_##w##_cell, TD_TREE_LOOP>,                            \
     (const void *)td_tree_kernel_3d<map, td_##w##_cell, TD_TREE_EIGHT_PACKED>,                    \
     (const void *)td_tree_kernel_3d<map, td_##w##_cell, TD_TREE_EIGHT_FULL>},
#define ROW_3D(s, ...)                                                                             \
    {TD_STRATEGY_##s,                                                                              \
     {TD_WORKLOADS_2D(NONE, ) TD_WORKLOADS_3D(KERNELS, td_##s##_map)                               \
          TD_SUMS_3D(KERNELS, td_##s##_map)}},
static const struct {
    uint32_t strategy;
    const void *kernels[TD_WORKLOAD_COUNT][TD_TREE_KINDS];
} trees_3d[] = {TD_TREES_3D(ROW_3D, )};

const void *td_tree_3d_kernel(uint32_t strategy_id, uint32_t workload_id, td_tree_kind kind)
{
    for (const auto &tree : trees_3d) {
        if (tree.strategy == strategy_id) {
            return tree.kernels[workload_id][kind];
        }
    }
    return NULL;
}
