/* tile.c - which tile sides fit a block. */
#include "strategy.h"

static uint32_t common_multiple(uint32_t a, uint32_t b)
{
    uint32_t x = a, y = b;
    while (y != 0) {
        const uint32_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b; /* NOLINT(clang-analyzer-core.DivideZero): sides of blocks are not 0 */
}

uint32_t td_strategy_tile(const td_strategy *strategy, td_dim3 block)
{
    if (strategy->unit == TD_MAPS_THREADS) {
        return block.x;
    }
    const uint32_t along_yz = common_multiple(block.y, block.z);
    return strategy->whole_rows ? along_yz : common_multiple(block.x, along_yz);
}

bool td_strategy_takes_tile(const td_strategy *strategy, uint32_t tile, uint32_t width,
                            td_dim3 block)
{
    if (strategy->unit == TD_MAPS_THREADS) {
        return true;
    }
    const bool across = strategy->whole_rows || (width != 0 ? width : tile) % block.x == 0;
    return across && tile % block.y == 0 && tile % block.z == 0;
}

bool td_strategy_tile_is_block(const td_strategy *strategy, uint32_t tile, uint32_t width,
                               td_dim3 block)
{
    if (strategy->unit == TD_MAPS_THREADS) {
        return true;
    }
    const bool deep = strategy->dimension == 2 || tile == block.z;
    const bool wide = (width != 0 ? width : tile) == block.x;
    return !strategy->whole_rows && wide && tile == block.y && deep;
}
