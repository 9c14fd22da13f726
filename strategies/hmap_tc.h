/* hmap-tc - hmap with its sums as a small product of matrices, which tensor cores compute. */
#ifndef TD_STRATEGIES_HMAP_TC_H
#define TD_STRATEGIES_HMAP_TC_H

#include "hmap.h"

/*
 * td_hmap_tc_map - with b = 2^floor(log2(y + 1)) and q = floor(x / b), column x + q b and row y + 2 q b of hmap are
 * (1, q) times the matrix of the columns (x, b) and (y, 2 b). The last row and the rectangle have no sums.
 *
 * The authors' program has a product of 16 x 16 matrices per block of 32 x 32 threads, for up to 16 tiles, and shared
 * memory on the way in and out; here each warp has its own product, in registers. Kernels whose blocks take several
 * tiles, and blocks of fewer than 32 threads, add up without tensor cores: see td_tensor_steps.
 *
 * Shape   that of hmap
 * Exact   for n <= 4095: the largest power of two is then 2048, so x, y, q and 2 b are at most 2048. For n = 4096 the
 *         odd y above 2048 are no f16 (test: strategy_covers_every_tile_once, without tensor cores; --workload cover
 *         has them on a GPU, --check-maps, which asks a thread about a block, does not)
 * Source  hmap; the product is in the program of Navarro, Quezada, Bustos, Hitschfeld and Kindelan 2023 (gpumaps),
 *         whose abstract names tensor cores
 */
TD_FN td_tile td_hmap_tc_map(const td_launch *launch, td_dim3 block)
{
    if (block.y + 1 >= launch->param[1]) {
        return td_hmap_map(launch, block);
    }
    const uint32_t level = td_log2_floor(block.y + 1);
    uint32_t col = block.x, row = block.y;
    td_tensor_steps(block.x >> level, 1u << level, &col, &row);
    return td_tile_at(launch->param[0] + col, launch->param[0] + row, true);
}

TD_DESCRIPTOR td_strategy td_hmap_tc = {
    .id = TD_STRATEGY_hmap_tc,
    .name = "hmap-tc",
    .summary = "hmap, its sums as a product of matrices on tensor cores",
    .source = "Navarro et al. 2023, on tensor cores",
    .exact_n = 4095,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_hmap_plan,
    .block_map = td_hmap_tc_map,
    .plain_map = td_hmap_map,
};

#endif
