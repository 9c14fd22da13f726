/*
 * strategy.h - a strategy is a plan (which grids) and a map (which block works where).
 *
 * Pure geometry: nothing here or in the strategies knows what is computed, or CUDA's built-ins.
 */
#ifndef TD_STRATEGIES_STRATEGY_H
#define TD_STRATEGIES_STRATEGY_H

#include "list.h"
#include "map.h"

/* Rows of tiles in a group. W tiles at work in g rows are in W / g columns: the sum is least at the root of W, 11 for
 * the 132 multiprocessors of an H200, and hardly larger near it. */
#define TD_USUAL_GROUP 8u

/* The order of the rows in the table of rows-list: see rows_list.h. */
typedef enum td_order {
    TD_ORDER_DESCENDING,
    TD_ORDER_ASCENDING,
    TD_ORDER_SHIFT,
    TD_ORDER_GIVEN, /* domain->rows */
    TD_ORDER_COUNT
} td_order;

/* The domain a plan is made for. */
typedef struct td_domain {
    uint32_t cells;       /* N, cells per side */
    uint32_t tiles;       /* n = ceil(N / tile) */
    uint32_t tile;        /* side of a tile [cells] */
    uint32_t width;       /* the whole square: width of a flat tile [cells]; 0: its side */
    uint32_t bands;       /* 2D: blocks per tile, which take its rows in bands; 0: one block */
    td_dim3 block;        /* [threads] */
    uint32_t cutoff;      /* n_c, where a recursive strategy stops dividing [cells] */
    uint32_t group;       /* rows of tiles or triangles in a group; 0: the usual number */
    uint32_t batch;       /* 2D: triangles of a launch; 0: one */
    td_order order;       /* of rows, for a strategy that looks them up, */
    td_lengths lengths;   /* and leaves out those that a triangle lacks */
    const uint32_t *rows; /* the order that is given: each of the n rows of tiles once */
    bool no_diagonal;     /* 2D: the workload has no work on the diagonal cells (i, i) */
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
    size_t edges; /* in a part of a domain: how many launches compute rows that neighbours need */
    bool failed;  /* memory ran out while adding, or there were too many */
    uint32_t *table; /* the map reads it, see td_table_fn; NULL: the map computes */
    uint64_t table_bytes;
    void *table_copy; /* the launches point to it instead; its maker releases it */
} td_plan;

/* Tiles along x: as many as along y, except for flat tiles. */
TD_FN uint32_t td_domain_columns(const td_domain *domain)
{
    return domain->width != 0 ? td_ceil_div(domain->cells, domain->width) : domain->tiles;
}

typedef void td_plan_fn(const td_domain *domain, td_plan *plan);

/* The table of a map that looks its tiles up: T(n) entries, of which a smaller n uses the first ones; of one that looks
 * up rows, n for each triangle of the domain. */
typedef void td_table_fn(const td_domain *domain, uint32_t n, uint32_t *table);

/* A part of the domain in a tree of boxes. It has the domain's shape, with n tiles per side from tile (x, y, z) on. */
typedef struct td_node {
    uint32_t x, y, z;
    uint32_t n;
} td_node;

/*
 * A recursion as data, for a plan, for OpenMP tasks and for kernels that launch kernels. A node with more tiles than a
 * leaf has a box and children; td_tree_split gives `split`, the side of its first child. See tree.h.
 */
typedef struct td_tree {
    uint32_t children; /* of a node that is not a leaf */
    td_node (*child)(td_node node, uint32_t split, uint32_t which);
    /* The box between the children or, if split is 0, the bounding box of the whole leaf. */
    td_launch (*box)(td_launch launch, td_node node, uint32_t split);
} td_tree;

typedef enum td_unit { TD_MAPS_BLOCKS, TD_MAPS_THREADS } td_unit;

/*
 * The descriptor of a strategy: each header ends with one, which answers every question about its strategy. A fact that
 * is not named is 0.
 *
 * The facts are compile-time constants for nvcc, so kernels are made for them; C++ requires the order of the members.
 * In C each file that includes the header has a copy: compare ids, not addresses.
 */
typedef struct td_strategy {
    uint32_t id;         /* TD_STRATEGY_...: index in the registry and in the engines' tables */
    const char *name;    /* on the command line */
    const char *alias;   /* NULL when there is none */
    const char *summary; /* one line of help */
    const char *source;  /* where the map is defined */
    uint32_t exact_n;    /* largest n with a correct map: tiles per side, cells for thread maps */
    int dimension;
    td_unit unit;
    bool is_baseline; /* other strategies of its dimension are compared with it */
    bool is_stand_in; /* proposed if another strategy is beyond its exact range */
    bool in_paper;    /* compared in the paper on triangular domains */
    bool uses_cutoff;
    uint32_t
        usual_group; /* of --set group: rows of tiles or, with by_rows, triangles; 0: it has no groups */
    bool whole_rows; /* 3D: its tiles are as wide as the domain */
    /* 2D: a block takes one or two whole rows of tiles, of one of the triangles of a batch. */
    bool by_rows;
    bool looks_rows_up; /* in its table: --set order and lengths */
    /* So few blocks are wasted that testing the tile costs more than they do: kernels test only the cells, see
     * td_block_map_fn. */
    bool few_wasted;
    bool is_costly; /* one thread per block computes the map: too costly for every warp */
    td_plan_fn *plan;
    td_table_fn *fill_table;    /* the map reads td_launch_table; NULL: it computes */
    td_block_map_fn *block_map; /* one of these two, depending on the unit */
    td_thread_map_fn *thread_map;
    /* The same map in plain arithmetic, for kernels that choose one at run time; NULL: block_map. */
    td_block_map_fn *plain_map;
    td_block_map_fn *square_map;  /* 2D: the same grid on the whole square; NULL: not possible */
    const td_tree *tree;          /* kernels are launched from the device; NULL: from the host */
    const struct td_own_map *own; /* of a map from a file: see own.h of engine/core/ */
} td_strategy;

#ifdef __cplusplus
extern "C" {
#endif

/* How many bands of cells a column of tiles has in rows [first, end) of tiles: of the domain's last row of tiles, some
 * may be below the domain. Where a tile has one block, end - first. */
uint64_t td_domain_bands(const td_domain *domain, uint32_t first, uint32_t end);

/* A launch with this grid and the domain's block and tile; the rest is zero. */
td_launch td_launch_over(const td_domain *domain, uint32_t x, uint32_t y, uint32_t z);

/* Append a grid. Empty grids are dropped. Errors: plan->failed is set. */
void td_plan_add(td_plan *plan, td_launch launch);

/* Append a launch of another plan, as it is. Errors: plan->failed is set. */
void td_plan_append(td_plan *plan, const td_launch *launch);

/* Make the table of a plan whose map reads one, and point the launches to it. Errors: plan->failed is set. */
void td_plan_add_table(const td_strategy *strategy, const td_domain *domain, td_plan *plan);

/* Point the launches of a plan to a copy of its table, such as one in the memory of a device. */
void td_plan_use_copy(td_plan *plan, void *copy);

/* Sum up plan->blocks and plan->threads. */
void td_plan_count_blocks(const td_domain *domain, td_plan *plan);

typedef enum td_plan_status {
    TD_PLAN_MADE,
    TD_PLAN_BEYOND_RANGE,      /* n is larger than the map's exact range */
    TD_PLAN_TOO_MANY_LAUNCHES, /* a recursion with a cutoff that is too small */
    TD_PLAN_NO_MEMORY
} td_plan_status;

/* 3^10 leaves and the nodes above them fit; a larger plan is a mistake in --cutoff. */
enum { TD_MOST_LAUNCHES = 100000 };

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

/* The n that a strategy's map sees on a domain: tiles per side, or cells for a thread map. */
uint32_t td_strategy_n(const td_strategy *strategy, const td_domain *domain);

/* The group of a strategy on a batch of triangles, if this one is asked for; 0: the usual one. Returns 0 if it has
 * none. */
uint32_t td_strategy_group(const td_strategy *strategy, uint32_t asked, uint32_t batch);

/*
 * td_strategy_tile - the smallest side of a tile that a block divides; for a thread map, the x side of the block.
 */
uint32_t td_strategy_tile(const td_strategy *strategy, td_dim3 block);

/* Whether the block divides a tile of this side, and of this width if it is flat, so that all threads have equally
 * many cells. */
bool td_strategy_takes_tile(const td_strategy *strategy, uint32_t tile, uint32_t width,
                            td_dim3 block);

/* Whether a tile is as large as the block, one cell per thread; always true for thread maps. */
bool td_strategy_tile_is_block(const td_strategy *strategy, uint32_t tile, uint32_t width,
                               td_dim3 block);

enum { TD_STRATEGIES_MOST = TD_STRATEGY_COUNT + 64 }; /* with those from files */

extern const td_strategy *td_strategies[TD_STRATEGIES_MOST]; /* by id */
extern size_t td_strategy_count;

/* Add one, which must stay alive; false: there are too many. */
bool td_strategy_add(const td_strategy *strategy);

/* Find a strategy by name or alias; NULL if it is unknown. */
const td_strategy *td_strategy_find(const char *name);

/* The strategy that others of its dimension are compared with. */
const td_strategy *td_strategy_baseline(int dimension);

/* A strategy to use where another one is inexact for this n; NULL if there is none. */
const td_strategy *td_strategy_stand_in(int dimension, uint32_t n);

/* The strategy that can cover a whole square. */
const td_strategy *td_strategy_of_square(void);

#ifdef __cplusplus
}
#endif

#endif
