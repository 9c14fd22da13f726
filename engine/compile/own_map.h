/* own_map.h - load a map from a file and add it to the program's strategies. */
#pragma once

#include "engine/core/error.h"
#include "strategies/strategy.h"

/*
 * td_own_map_load - compile the host half of the map in a file, load it, try it for small n and add it to
 * td_strategies. See own.h of strategies/ for the forms of such a file.
 *
 * Output  *strategy: lives as long as the process; the same one if loaded again
 * Errors  those of td_own_load; TD_USAGE: the map or its plan crashes, never returns, or launches too many blocks
 */
td_status td_own_map_load(const char *path, const td_strategy **strategy, td_error *error);
