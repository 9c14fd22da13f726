/* tree_3d.cu - dp-tetra: kernels launched from the device. The boxes are those of
 * strategies/dp_tetra.h, the same that the cpu engine walks and that rec-tetra launches from the
 * host. */
#include "../../strategies/dp_tetra.h"
#include "../../workloads/workloads.h"
#include "kernels_3d.cuh"
#include "tree.h"

/* The box of a node. A template of its own name: this file's device code is linked apart from that
 * of pairs_3d.cu. */
template <auto *Cell, td_tree_kind Kind>
__global__ void TD_BOUNDS_3D(Cell) td_tree_box_kernel(const td_launch launch, const td_data data)
{
    const td_tile tile = td_dp_tetra_map(&launch, td_block_index_3d());
    if (!tile.active) {
        return;
    }
    if constexpr (Kind == TD_TREE_LOOP) {
        td_walk_tile3<Cell>(launch, data, tile);
    } else {
        constexpr int side = Kind == TD_TREE_CELL ? 0 : 8;
        td_run_tile3<Cell, side, Kind == TD_TREE_EIGHT_FULL>(data, tile);
    }
}

template <auto *Cell, td_tree_kind Kind>
__device__ inline void td_tree_launch_box(const td_launch &launch, const td_data &data,
                                          td_tetra_node node, uint32_t split)
{
    const td_launch box = td_dp_tetra_box(launch, node, split);
    const dim3 grid(box.grid.x, box.grid.y, box.grid.z);
    const dim3 block(launch.block.x, launch.block.y, launch.block.z);
    td_tree_box_kernel<Cell, Kind><<<grid, block, 0, cudaStreamFireAndForget>>>(box, data);
}

/*
 * One node, which is not a leaf: a warp launches its box, and one for each child that child's node, or
 * its box when it is a leaf. They need nothing of this kernel, so they are fired and forgotten: the
 * node counts as done when they are. Warps, because the launches of one thread wait for each other
 * (H200, n_c = 128: N = 256 0.039 ms with one thread, 0.029 with four).
 *
 * The paper's kernel does the work of its box as well. Here a box has a kernel of its own, because
 * a kernel that can launch others starts its blocks at little more than half the rate of one that
 * cannot, whether it launches anything or not.
 */
template <auto *Cell, td_tree_kind Kind>
__global__ void td_tree_kernel_3d(const td_launch launch, const td_data data,
                                  const td_tetra_node node, const uint32_t leaf)
{
    const uint32_t split = td_dp_tetra_split(node, leaf);
    if (threadIdx.x % 32 != 0) {
        return;
    }
    if (threadIdx.x == 0) {
        td_tree_launch_box<Cell, Kind>(launch, data, node, split);
    } else if (split > 0) {
        const td_tetra_node child = td_dp_tetra_child(node, split, threadIdx.x / 32 - 1);
        if (td_dp_tetra_split(child, leaf) > 0) {
            td_tree_kernel_3d<Cell, Kind>
                <<<1, TD_TREE_3D_THREADS, 0, cudaStreamFireAndForget>>>(launch, data, child, leaf);
        } else {
            td_tree_launch_box<Cell, Kind>(launch, data, child, 0);
        }
    }
}

#define NONE(w, name, A) {NULL, NULL, NULL, NULL},
#define KERNELS(w, name, A)                                                                        \
    {(const void *)td_tree_kernel_3d<td_##w##_cell, TD_TREE_CELL>,                                 \
     (const void *)td_tree_kernel_3d<td_##w##_cell, TD_TREE_LOOP>,                                 \
     (const void *)td_tree_kernel_3d<td_##w##_cell, TD_TREE_EIGHT_PACKED>,                         \
     (const void *)td_tree_kernel_3d<td_##w##_cell, TD_TREE_EIGHT_FULL>},
static const void *const kernels[][TD_TREE_KINDS] = {
    TD_WORKLOADS_2D(NONE, ) TD_WORKLOADS_3D(KERNELS, ) TD_SUMS_3D(KERNELS, )};

const void *td_tree_3d_kernel(uint32_t workload_id, td_tree_kind kind)
{
    return kernels[workload_id][kind];
}
