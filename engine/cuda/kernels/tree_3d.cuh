/* tree_3d.cuh - trees of boxes in 3D: kernels launched from the device. The boxes come from the strategy's own td_tree,
 * which the cpu engine runs as well. */
#ifndef TD_ENGINE_CUDA_KERNELS_TREE_3D_CUH
#define TD_ENGINE_CUDA_KERNELS_TREE_3D_CUH

#include "engine/cuda/tree.h"
#include "kernels_3d.cuh"
#include "strategies/tree.h"

/* The box of a node. The template has a name of its own, because trees.cu is linked apart from the other kernels. */
template <td_block_map_fn *Map, auto *Cell, td_tree_kind Kind>
__global__ void TD_BOUNDS_3D(Cell) td_tree_box_kernel(const td_launch launch, const td_data data)
{
    const td_tile tile = Map(&launch, td_block_index_3d());
    if (!tile.active) {
        return;
    }
    if constexpr (Kind == TD_TREE_LOOP) {
        td_loop_tile3<Cell>(launch, data, tile);
    } else {
        constexpr int side = Kind == TD_TREE_CELL ? 0 : 8;
        td_run_tile3<Cell, side, Kind == TD_TREE_EIGHT_FULL>(data, tile);
    }
}

template <td_block_map_fn *Map, auto *Cell, td_tree_kind Kind>
__device__ inline void td_tree_launch_box(const td_launch &launch, const td_data &data,
                                          td_node node, uint32_t split)
{
    const td_launch box = td_tree_of<Map>.box(launch, node, split);
    const dim3 grid(box.grid.x, box.grid.y, box.grid.z);
    const dim3 block(launch.block.x, launch.block.y, launch.block.z);
    TD_FIRE((td_tree_box_kernel<Map, Cell, Kind>), grid, block)(box, data);
}

/*
 * The number of threads for a node that is not a leaf. Launches from the same thread wait for each other. Where few
 * nodes run at a time, at the root and its children, each launch has a warp of its own. Further down there are enough
 * nodes, and a smaller block is cheaper (H200, N = 1024, n_c = 8: 1.78 ms, 2.27 with four warps everywhere; N = 128,
 * n_c = 32: 0.040 ms, 0.050 with one thread everywhere).
 */
template <td_block_map_fn *Map>
__device__ inline uint32_t td_tree_threads(const td_launch &launch, td_node node)
{
    const uint32_t third = launch.n / 3; /* halves are above, quarters of 12 tiles or more below */
    return node.n > third ? 32 * (1 + td_tree_of<Map>.children) : 1;
}

/*
 * One node, which is not a leaf. It launches its box and, for each child, that child's node, or its box if the child is
 * a leaf. They need nothing from this kernel, so they are launched fire-and-forget: the node counts as done when they
 * are.
 *
 * The paper's kernel computes its box as well. Here a box has a kernel of its own, because a kernel that can launch
 * others starts its blocks at little more than half the rate of one that cannot, whether it launches anything or not.
 */
template <td_block_map_fn *Map, auto *Cell, td_tree_kind Kind>
__global__ void td_tree_kernel_3d(const td_launch launch, const td_data data, const td_node node,
                                  const uint32_t leaf)
{
    const uint32_t split = td_tree_split(node, leaf);
    /* 1: the host may start with a leaf */
    const uint32_t launches = split > 0 ? 1 + td_tree_of<Map>.children : 1;
    const uint32_t warps = (blockDim.x + 31) / 32;
    if (threadIdx.x % 32 != 0) {
        return;
    }
    for (uint32_t k = threadIdx.x / 32; k < launches; k += warps) {
        if (k == 0) {
            td_tree_launch_box<Map, Cell, Kind>(launch, data, node, split);
            continue;
        }
        const td_node child = td_tree_of<Map>.child(node, split, k - 1);
        if (td_tree_split(child, leaf) > 0) {
            const uint32_t threads = td_tree_threads<Map>(launch, child);
            TD_FIRE((td_tree_kernel_3d<Map, Cell, Kind>), 1, threads)(launch, data, child, leaf);
        } else {
            td_tree_launch_box<Map, Cell, Kind>(launch, data, child, 0);
        }
    }
}

#endif
