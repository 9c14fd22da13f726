/* maps.h - the maps as function pointers, for what asks a map on the host: --show, --check-maps,
 * tests. */
#ifndef TD_STRATEGIES_MAPS_H
#define TD_STRATEGIES_MAPS_H

#include "strategy.h"

/*
 * td_block_map_of, td_thread_map_of - the map of a strategy.
 *
 * Output  NULL when the strategy's map is of the other kind
 */
td_block_map_fn *td_block_map_of(const td_strategy *strategy);
td_thread_map_fn *td_thread_map_of(const td_strategy *strategy);

#endif
