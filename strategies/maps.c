/* maps.c - tables of the maps, made from the lists. Engines have their own: a call would cost more
 * than a map. */
#include "maps.h"

#include "strategies.h"

#define MAP(id, ...) [TD_STRATEGY_##id] = td_##id##_map,

static td_block_map_fn *const block_maps[TD_STRATEGY_COUNT] = {TD_BLOCK_MAPS(MAP, ) TD_TREES(MAP, )
                                                                   TD_STRATEGIES_3D(MAP, )};

static td_thread_map_fn *const thread_maps[TD_STRATEGY_COUNT] = {TD_THREAD_MAPS(MAP, )};

td_block_map_fn *td_block_map_of(const td_strategy *strategy)
{
    return block_maps[strategy->id];
}

td_thread_map_fn *td_thread_map_of(const td_strategy *strategy)
{
    return thread_maps[strategy->id];
}
