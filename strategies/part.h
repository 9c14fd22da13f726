/*
 * part.h - a 2D domain shared out: what one of several processes has of it, and the grids that cover that.
 *
 * A part is whole rows of tiles, or, of maps that count their blocks in one dimension, a range of tiles in the order of
 * L, row by row. Rows [a, b) of a triangle are a rectangle, columns [0, a), and a triangle of b - a rows behind it:
 * the rectangle needs no map, the triangle has the strategy's, as if it were the whole domain.
 */
#ifndef TD_STRATEGIES_PART_H
#define TD_STRATEGIES_PART_H

#include "share.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a domain is cut. */
typedef enum td_partition {
    TD_BY_ROWS,  /* as many rows of tiles for each */
    TD_BY_CELLS, /* whole rows of tiles, as many cells for each as they allow */
    TD_BY_BLOCKS /* as many tiles for each: a part may end inside of a row of tiles */
} td_partition;

/* "rows", "cells", "blocks". */
extern const char *const td_partition_names[];

/* A part of a domain, in tiles. */
typedef struct td_part {
    uint32_t first, end; /* rows of tiles, the last perhaps not to its end */
    /* TD_BY_BLOCKS: tiles in the order of L; otherwise those of the rows */
    uint64_t first_tile, end_tile;
    bool by_blocks;
} td_part;

/* Part `index` of `count`. May be empty, where there are fewer rows, or tiles, than parts. */
td_part td_part_of(td_partition partition, const td_domain *domain, uint32_t index, uint32_t count);

/* The same in cells. */
td_share td_part_share(const td_domain *domain, const td_part *part);

/*
 * td_plan_make_part - the plan of a strategy on a part of a domain.
 *
 * Input   edges: the first, and the last, row of tiles get launches of their own, which come first in the plan; false
 *         for both by blocks
 * Output  as td_plan_make; plan->edges of its launches are those of the edges; counts are those of the part
 * Errors  as td_plan_make; a strategy of threads, of trees or of another dimension has no parts, nor by blocks one
 *         without plan_range: the caller has asked
 */
td_plan_status td_plan_make_part(const td_strategy *strategy, const td_domain *domain,
                                 const td_part *part, const bool edges[2], bool inexact,
                                 td_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
