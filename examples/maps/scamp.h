/*
 * scamp - diagonals: block (x, y) is tile x of diagonal y. Half of the blocks are beyond the end of theirs.
 *
 * Found in    https://github.com/zpzim/SCAMP, src/core/kernels.cu, which walks a diagonal with one block
 * Arithmetic  integers, no root
 * Repair      two diagonals in a row: diagonal
 */
#include "strategies/own.h"

TD_FN td_tile td_scamp_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t row = block.x + block.y;
    return td_tile_at(block.x, row, row < launch->n);
}
