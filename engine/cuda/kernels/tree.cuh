/*
 * tree.cuh - trees of boxes: kernels that launch kernels from the device. The boxes come from the strategy's own
 * td_tree, which the cpu engine runs as well.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_TREE_CUH
#define TD_ENGINE_CUDA_KERNELS_TREE_CUH

#include "one_cell.cuh"
#include "strategies/tree.h"
#include "walk.cuh"

/* A launch from the device. Nothing is known about it except that it ends before the launching kernel counts as
 * done. */
#ifndef TD_FIRE
#define TD_FIRE(kernel, grid, block) (kernel)<<<grid, block, 0, cudaStreamFireAndForget>>>
#endif

/* ---- 2D ---- */

/*
 * One node: all threads compute its box, and one thread launches its children. The children need nothing from this
 * kernel, so they are launched fire-and-forget: the parent counts as done when they are. Unroll: cells that a thread
 * computes at a time. Registers: a limit, because the thread that launches children would take more than all others
 * need, and fewer blocks would be resident.
 */
template <td_block_map_fn *Map, td_cell_fn *Cell, int Unroll, int Registers>
__global__ void __maxnreg__(Registers) td_tree_kernel(const td_launch launch, const td_data data,
                                                      const td_node node, const uint32_t leaf)
{
    const uint32_t split = td_tree_split(node, leaf);
    const bool first_thread = (blockIdx.x | blockIdx.y | threadIdx.x | threadIdx.y) == 0;
    if (split > 0 && first_thread) {
        for (uint32_t c = 0; c < td_tree_of<Map>.children; c++) {
            const td_node child = td_tree_of<Map>.child(node, split, c);
            const td_launch box = td_tree_of<Map>.box(launch, child, td_tree_split(child, leaf));
            const dim3 grid(box.grid.x, box.grid.y);
            const dim3 block(launch.block.x, launch.block.y);
            TD_FIRE((td_tree_kernel<Map, Cell, Unroll, Registers>), grid, block)
            (box, data, child, leaf);
        }
    }
    const td_tile tile = Map(&launch, td_block_index<false>(launch));
    if (!tile.active) {
        return;
    }
    if (blockDim.x == launch.tile && blockDim.y == launch.tile) { /* no division for the cell */
        const uint32_t row = tile.y * launch.tile + threadIdx.y;
        const uint32_t col = tile.x * launch.tile + threadIdx.x;
        if (col <= row && row < data.n) {
            Cell(&data, row, col);
        }
    } else {
        td_loop_tile<Cell, Unroll>(launch, data, tile);
    }
}

/* ---- 3D ---- */

/* The box of a node. The template has a name of its own, because trees.cu is linked apart from the other kernels. */
template <td_block_map_fn *Map, auto *Cell, td_form Form>
__global__ void __launch_bounds__(1024, td_blocks_3d<Cell>)
    td_tree_box_kernel(const td_launch launch, const td_data data)
{
    const td_tile tile = Map(&launch, td_block_index<false>(launch));
    if (!tile.active) {
        return;
    }
    if constexpr (Form == TD_LOOPS) {
        td_loop_tile3<Cell>(launch, data, tile);
    } else {
        constexpr int side = Form == TD_ANY_CELLS ? 0 : 8;
        td_run_tile3<Cell, side, Form == TD_EIGHT_FULL>(data, tile);
    }
}

template <td_block_map_fn *Map, auto *Cell, td_form Form>
__device__ inline void td_tree_launch_box(const td_launch &launch, const td_data &data,
                                          td_node node, uint32_t split)
{
    const td_launch box = td_tree_of<Map>.box(launch, node, split);
    const dim3 grid(box.grid.x, box.grid.y, box.grid.z);
    const dim3 block(launch.block.x, launch.block.y, launch.block.z);
    TD_FIRE((td_tree_box_kernel<Map, Cell, Form>), grid, block)(box, data);
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
template <td_block_map_fn *Map, auto *Cell, td_form Form>
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
            td_tree_launch_box<Map, Cell, Form>(launch, data, node, split);
            continue;
        }
        const td_node child = td_tree_of<Map>.child(node, split, k - 1);
        if (td_tree_split(child, leaf) > 0) {
            const uint32_t threads = td_tree_threads<Map>(launch, child);
            TD_FIRE((td_tree_kernel_3d<Map, Cell, Form>), 1, threads)(launch, data, child, leaf);
        } else {
            td_tree_launch_box<Map, Cell, Form>(launch, data, child, 0);
        }
    }
}

#endif
