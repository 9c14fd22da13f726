/*
 * strategy.h - what a strategy is: a plan (which grids) and a map (which block works where).
 *
 * Pure geometry: nothing here or in the strategies knows what is computed, nor of CUDA built-ins.
 */
#ifndef TD_STRATEGIES_STRATEGY_H
#define TD_STRATEGIES_STRATEGY_H

#include "map.h"

/* The domain a plan is made for. */
typedef struct td_domain {
    uint32_t cells;   /* N, cells a side */
    uint32_t tiles;   /* n = ceil(N / tile) */
    uint32_t tile;    /* side of a tile [cells] */
    td_dim3 block;    /* [threads] */
    uint32_t cutoff;  /* n_c, where a recursive strategy stops dividing [cells] */
    bool no_diagonal; /* 2D: the workload has no work on the diagonal cells (i, i) */
} td_domain;

/*
 * The grids a strategy launches, and the counts that the record reports.
 *
 * A plan function calls td_plan_add for each grid; td_plan_make does the counting. Start zeroed,
 * release with td_plan_free.
 */
typedef struct td_plan {
    td_launch *launches; /* independent of each other: they may run in any order, or at once */
    size_t count;
    size_t capacity;
    uint64_t blocks;        /* launched */
    uint64_t blocks_needed; /* those with at least one cell of the domain */
    uint64_t threads;       /* launched */
    uint64_t cells;         /* of the domain */
    bool failed;            /* memory ran out while adding, or there were too many */
} td_plan;

typedef void td_plan_fn(const td_domain *domain, td_plan *plan);

/*
 * A rule for block maps: a tile that is not active has no cell in the domain, wherever it says it is. A kernel
 * that tests its cells anyway need not test the tile.
 */

typedef enum td_unit { TD_MAPS_BLOCKS, TD_MAPS_THREADS } td_unit;

/* A row of the registry, made from the lists in strategies.h. */
typedef struct td_strategy {
    const char *name;    /* on the command line */
    const char *alias;   /* NULL when there is none */
    const char *summary; /* one line of help */
    const char *source;  /* where the map is defined */
    /* largest n for which the map is right: tiles a side, or cells for a thread map */
    uint32_t exact_n;
    uint32_t id; /* index in the registry and in the engines' tables */
    int dimension;
    td_unit unit;
    bool rows; /* 3D: its tiles are as wide as the domain */
    bool tree; /* on a GPU its kernels are launched from the device */
    bool uses_cutoff;
    td_plan_fn *plan;
} td_strategy;

/* A zeroed launch over the domain's blocks and tiles; the caller sets the grid. */
td_launch td_launch_over(const td_domain *domain, uint32_t x, uint32_t y, uint32_t z);

/* Append a grid. Empty grids are dropped. Errors: sets plan->failed. */
void td_plan_add(td_plan *plan, td_launch launch);

typedef enum td_plan_status {
    TD_PLAN_MADE,
    TD_PLAN_BEYOND_RANGE,      /* n is larger than the map's exact range */
    TD_PLAN_TOO_MANY_LAUNCHES, /* a recursion with a cutoff that is too small */
    TD_PLAN_NO_MEMORY
} td_plan_status;

enum {
    TD_MOST_LAUNCHES = 100000
}; /* 3^10 leaves and what is above them: more is a mistake in --cutoff */

/*
 * td_plan_make - the whole plan of a strategy on a domain.
 *
 * Output  plan: launches no larger than CUDA's grid limits (2^31 - 1, 65535, 65535), all counts
 * Errors  TD_PLAN_BEYOND_RANGE unless `inexact`, TD_PLAN_TOO_MANY_LAUNCHES, TD_PLAN_NO_MEMORY; the plan is empty then
 */
td_plan_status td_plan_make(const td_strategy *strategy, const td_domain *domain, bool inexact,
                            td_plan *plan);

void td_plan_free(td_plan *plan);

/* Whether the map is exact for the n of this domain. */
bool td_plan_is_in_range(const td_strategy *strategy, const td_domain *domain);

/* The n that a strategy's map sees on a domain: tiles a side, or cells for a thread map. */
uint32_t td_strategy_n(const td_strategy *strategy, const td_domain *domain);

extern const td_strategy td_strategies[];
extern const size_t td_strategy_count;

/* By name or alias, NULL when unknown. */
const td_strategy *td_strategy_find(const char *name);

#endif
