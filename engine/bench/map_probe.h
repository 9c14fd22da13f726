/* map_probe.h - the blocks of a launch at which a wrong map is likely to show. */
#pragma once

#include "engine/core/coverage.h"
#include "engine/core/error.h"

typedef struct td_probes {
    uint64_t *numbers; /* in ascending order, each once */
    size_t count;
} td_probes;

/*
 * td_probes_of - the numbers of blocks, or threads, to ask about: near the end of every row of a triangle, and of every
 * layer of a tetrahedron, counted from either end of the launch; along the edges and the diagonal of its grid; and some
 * at random, always the same.
 *
 * Input   few: only its ends, and fewer at random
 * Output  probes: for the caller to free
 * Errors  TD_NO_MEMORY
 */
td_status td_probes_of(const td_strategy *strategy, const td_launch *launch, bool few,
                       td_probes *probes, td_error *error);
