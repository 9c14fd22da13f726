/* small_map.h - a strategy's map for a small n, element by element, to be drawn. */
#pragma once

#include "engine/options/options.h"
#include "strategies/strategy.h"

/* The elements are the blocks of the launched grids or, for a thread map, the threads. */
typedef struct td_small_map {
    const td_strategy *strategy;
    td_domain domain;
    td_plan plan;
    uint32_t n;     /* tiles per side; cells for a thread map */
    uint32_t asked; /* the n of the command line if it is too large to draw, else n */
} td_small_map;

enum { TD_SMALL_N = 24 }; /* the largest n that is drawn */

/*
 * td_small_map_make - plan a strategy for an n of the command line, or for 8 if that is not given or too large.
 *
 * Input   cells: one of options->n
 * Output  map: release with td_small_map_free
 * Errors  those of td_strategy_plan
 */
td_status td_small_map_make(const td_options *options, const td_strategy *strategy, uint32_t cells,
                            td_small_map *map, td_error *error);

void td_small_map_free(td_small_map *map);

/* The number of elements of a launch. In one-dimensional grids, threads are numbered through, block after block. */
td_dim3 td_small_map_extent(const td_small_map *map, size_t launch);

/* The number of places that an element works on: `place` and those to its right. */
uint32_t td_small_map_columns(const td_small_map *map, size_t launch, td_tile place);

/*
 * td_small_map_generations - the depth of each launch in its tree: 0 for the host's launches, 1 for those that they
 * launch.
 *
 * Output  generations: one for each launch of the plan
 */
void td_small_map_generations(const td_small_map *map, uint32_t *generations);

typedef void td_visit_fn(void *context, size_t launch, td_dim3 element, td_tile place);

/* Visit the elements of a launch in the order of their numbers: x first. */
void td_small_map_each(const td_small_map *map, size_t launch, td_visit_fn *visit, void *context);
