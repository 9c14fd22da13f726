/* map_check.h - --check-maps: whether every map is right on this engine, for every n up to a limit. */
#pragma once

#include "engine/engine.h"

/* Findings about one strategy. */
typedef struct td_map_check {
    const td_strategy *strategy;
    uint32_t largest_n;       /* to be checked */
    uint32_t checked_n;       /* all n from 1 to here were checked */
    uint32_t first_failing_n; /* 0: none */
    td_coverage failure;      /* at first_failing_n */
    uint64_t asked;           /* blocks or threads over all n */
} td_map_check;

/*
 * td_check_map - check the coverage of a strategy for n = 1..largest (in 3D at most 512), until it fails.
 *
 * It beats after each n.
 *
 * Errors  TD_UNAVAILABLE: the engine cannot evaluate maps; TD_NO_MEMORY: the counters do not fit; the engine's
 */
td_status td_check_map(td_engine *engine, const td_strategy *strategy, uint32_t largest,
                       td_map_check *check, td_error *error);
