/*
 * part.h - a 2D domain divided among several processes: the rows of one of them, and the grids that cover it.
 *
 * A part is whole rows of tiles. Rows [a, b) of a triangle are a rectangle, columns [0, a), and a triangle of b - a
 * rows to its right: the rectangle needs no map, and the triangle uses the strategy's map as if it were the whole
 * domain.
 */
#ifndef TD_STRATEGIES_PART_H
#define TD_STRATEGIES_PART_H

#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a domain is cut. */
typedef enum td_partition {
    TD_BY_ROWS, /* equally many rows of tiles each */
    TD_BY_CELLS /* cells shared as evenly as rows of tiles allow */
} td_partition;

/* "rows", "cells". */
extern const char *const td_partition_names[];

/* A part of a domain: rows of tiles. */
typedef struct td_part {
    uint32_t first, end;
} td_part;

/* Part `index` of `count`. It may be empty if there are fewer rows than parts. */
td_part td_part_of(td_partition partition, const td_domain *domain, uint32_t index, uint32_t count);

/* The part in rows of cells. */
td_share td_part_share(const td_domain *domain, const td_part *part);

/*
 * td_plan_make_part - the plan of a strategy on a part of a domain.
 *
 * Input   edges: whether the first, and the last, row of tiles get launches of their own, which come first in the plan
 * Output  as td_plan_make; plan->edges is the number of launches of those rows; counts are those of the part
 * Errors  as td_plan_make. The caller checks that there are parts: not for a strategy of threads, of trees or of 3D
 */
td_plan_status td_plan_make_part(const td_strategy *strategy, const td_domain *domain,
                                 const td_part *part, const bool edges[2], bool inexact,
                                 td_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
