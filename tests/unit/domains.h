/* domains.h - triangles of so many cells or tiles, for the tests of strategies. */
#ifndef TD_TESTS_UNIT_DOMAINS_H
#define TD_TESTS_UNIT_DOMAINS_H

#include "strategies/strategies.h"

static inline td_domain domain_of(uint32_t cells, td_dim3 block, uint32_t tile, uint32_t cutoff)
{
    td_domain domain = {0};
    domain.cells = cells;
    domain.tile = tile;
    domain.tiles = td_ceil_div(cells, tile);
    domain.block = block;
    domain.cutoff = cutoff;
    return domain;
}

static inline td_domain domain_of_tiles(uint32_t tiles)
{
    const td_dim3 block = {16, 16, 1};
    return domain_of(tiles * 16, block, 16, 128);
}

#endif
