/* small_map.h - a strategy's map for a small n, element by element, to be drawn. */
#pragma once

#include "engine/options/options.h"
#include "strategies/strategy.h"

/* A block of a launched grid or, for a thread map, a thread. In one-dimensional grids, threads are numbered through,
 * block after block. */
typedef struct td_map_element {
    size_t launch;
    td_dim3 at;
    td_tile place;    /* the first one that it works on; the others are to its right */
    uint32_t columns; /* how many; 0: it is wasted */
} td_map_element;

typedef struct td_small_map {
    const td_strategy *strategy;
    td_domain domain;
    td_plan plan;
    uint32_t n;               /* tiles per side; cells for a thread map */
    uint32_t asked;           /* the n of the command line if it is too large to draw, else n */
    td_map_element *elements; /* launch after launch, x first */
    size_t element_count;
    uint32_t *generations; /* depth of each launch in its tree: 0 for those of the host */
} td_small_map;

enum { TD_SMALL_N = 24 }; /* the largest n that is drawn */

/*
 * td_small_map_make - plan a strategy for an n of the command line, or for 8 if that is not given or too large.
 *
 * Input   cells: one of options->n
 * Output  map: release with td_small_map_free, even after an error
 * Errors  those of td_strategy_plan; TD_NO_MEMORY
 */
td_status td_small_map_make(const td_options *options, const td_strategy *strategy, uint32_t cells,
                            td_small_map *map, td_error *error);

void td_small_map_free(td_small_map *map);

/* The number of elements of a launch. */
td_dim3 td_small_map_extent(const td_small_map *map, size_t launch);
