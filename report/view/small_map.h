/* small_map.h - a strategy's map for a small n, element by element, for drawings of it. */
#ifndef TD_REPORT_VIEW_SMALL_MAP_H
#define TD_REPORT_VIEW_SMALL_MAP_H

#include "engine/options/options.h"
#include "strategies/strategy.h"

/* Its elements are the blocks of the launched grids, or for a map of threads the threads. */
typedef struct td_small_map {
    const td_strategy *strategy;
    td_domain domain;
    td_plan plan;
    uint32_t n;     /* tiles per side; cells for a map of threads */
    uint32_t asked; /* the n of the command line, too large to be drawn; or as n */
} td_small_map;

enum { TD_SMALL_N = 24 }; /* the largest n that is drawn */

/*
 * td_small_map_make - plan a strategy for an n of the command line, or for 8 where that is not given or too large.
 *
 * Input   cells: one of options->n
 * Output  map: release with td_small_map_free
 * Errors  those of td_strategy_plan
 */
td_status td_small_map_make(const td_options *options, const td_strategy *strategy, uint32_t cells,
                            td_small_map *map, td_error *error);

void td_small_map_free(td_small_map *map);

/* How many elements a launch has; one-dimensional grids of threads are numbered through, block after block. */
td_dim3 td_small_map_extent(const td_small_map *map, size_t launch);

/* Where an element works. Output: active is false where that is no place of the domain. */
td_tile td_small_map_place(const td_small_map *map, size_t launch, td_dim3 element);

/* How many places to the right of that one the element works on, itself counted. */
uint32_t td_small_map_columns(const td_small_map *map, size_t launch, td_tile place);

/*
 * td_small_map_generations - how deep in a tree each launch is: 0 for what the host launches, 1 for what those launch.
 *
 * Output  generations: one for each launch of the plan
 */
void td_small_map_generations(const td_small_map *map, uint32_t *generations);

typedef void td_visit_fn(void *context, size_t launch, td_dim3 element, td_tile place);

/* Visit the elements of a launch in the order of their numbers: x first. */
void td_small_map_each(const td_small_map *map, size_t launch, td_visit_fn *visit, void *context);

#endif
