/*
 * zorder - the bits of a block's number, every other one a column and a row: Z order on the square, half of it idle.
 *
 * Found in    Morton 1966; the usual five steps of masks and shifts
 * Arithmetic  32 bits; only if n is a power of two are the first n x n numbers a square
 * Repair      a power of two for the grid, with blocks outside that return; or cut the triangle itself: morton
 */
#include "strategies/own.h"

TD_FN uint32_t td_zorder_bits(uint32_t code)
{
    code &= 0x55555555u;
    code = (code ^ code >> 1) & 0x33333333u;
    code = (code ^ code >> 2) & 0x0f0f0f0fu;
    code = (code ^ code >> 4) & 0x00ff00ffu;
    return (code ^ code >> 8) & 0x0000ffffu;
}

TD_FN td_tile td_zorder_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t code = block.y * launch->n + block.x;
    const uint32_t col = td_zorder_bits(code), row = td_zorder_bits(code >> 1);
    return td_tile_at(col, row, col <= row);
}
