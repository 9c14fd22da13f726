/*
 * list.h - the strategies, by kind. The descriptor at the foot of each header says what a strategy is; everything else
 * that has to know the strategies is made from these lists.
 *
 * X(identifier, A): the identifier names td_IDENTIFIER, the descriptor, and td_IDENTIFIER_map, in
 * strategies/IDENTIFIER.h or, for a twin such as ltm_x_rev, in the header of the other map. A is passed through, so
 * that another list can be expanded inside this one.
 */
#ifndef TD_STRATEGIES_LIST_H
#define TD_STRATEGIES_LIST_H

/* clang-format off */

/* 2D: block index -> tile; of the last ones, by_rows, whole rows of tiles. */
#define TD_BLOCK_MAPS(X, A) \
    X(bb, A) \
    X(ltm_x, A) \
    X(ltm_n, A) \
    X(ltm_r, A) \
    X(ltm_x_rev, A) \
    X(ltm_n_rev, A) \
    X(ltm_r_rev, A) \
    X(ltm_i, A) \
    X(ltm_t, A) \
    X(ltm_g, A) \
    X(morton, A) \
    X(utm_b, A) \
    X(rb_b, A) \
    X(cyclic, A) \
    X(diagonal, A) \
    X(rec, A) \
    X(hmap, A) \
    X(hmap_tc, A) \
    X(rows, A) \
    X(rows_lpt, A) \
    X(rows_fold, A) \
    X(rows_list, A)

/* 2D: thread -> cell. */
#define TD_THREAD_MAPS(X, A) \
    X(bb_t, A) \
    X(utm, A) \
    X(utm_t, A) \
    X(rb, A)

/* 2D: a tree of boxes. The map of a box is a block map; on a GPU each node launches its children. */
#define TD_TREES(X, A) \
    X(dp, A)

/* 3D: block index -> tile, and as last one a tree of boxes. Ranges end where a grid would have to be cut into pieces:
 * 65535 rows and slices. */
#define TD_STRATEGIES_3D(X, A) \
    X(bb_tetra, A) \
    X(ltm_tetra, A) \
    X(rb_tetra, A) \
    X(ltm_rows, A) \
    X(rec_tetra, A) \
    X(hmap_tetra, A) \
    X(dp_tetra, A)

/* clang-format on */

#define TD_STRATEGIES(X, A)                                                                        \
    TD_BLOCK_MAPS(X, A) TD_THREAD_MAPS(X, A) TD_TREES(X, A) TD_STRATEGIES_3D(X, A)

/* Indices in the registry and in the engines' tables. */
enum td_strategy_id {
#ifdef TD_OWN_STRATEGY
    TD_STRATEGY_mine,
#endif
#define TD_ID(id, ...) TD_STRATEGY_##id,
    TD_STRATEGIES(TD_ID, )
#undef TD_ID
        TD_STRATEGY_COUNT
};

/* Kernels for a map from a file know this one, td_mine, and the first of all, which has the whole square. */
#ifdef TD_OWN_STRATEGY
#define TD_STRATEGY_COUNT 2u
#endif

#endif
