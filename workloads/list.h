/*
 * list.h - the lists of workloads. The registry and the engines' tables are made from them.
 *
 * X(identifier, A): td_ID_cell and td_ID_check, and at the foot of its header td_ID_workload. A is passed through, so
 * that another list can be expanded inside of this one.
 */
#ifndef TD_WORKLOADS_LIST_H
#define TD_WORKLOADS_LIST_H

#include "workloads/automata/list.h"

/* clang-format off */
/* About the map: whether and how often it reaches a cell. */
#define TD_DOMAIN_2D(X, A) \
    X(dummy, A) \
    X(cover, A) \
    X(write, A)

/* On pairs of points. */
#define TD_POINTS_2D(X, A) \
    X(edm1,  A) \
    X(edm2,  A) \
    X(edm3,  A) \
    X(edm4,  A) \
    X(collision, A)

/* A name may stand for a workload in 2D and one in 3D: the identifiers differ. */
#define TD_WORKLOADS_3D(X, A) \
    X(dummy3, A) \
    X(cover3, A) \
    X(write3, A)

/* 3D: a cell is a term of one sum, a double; td_ID_check does not exist, td_workload.total does. */
#define TD_SUMS_3D(X, A) \
    X(triplet, A)

/* Those of the lists above that have a kernel for whole tiles as well, td_ID_tile. */
#define TD_ALSO_TILED_2D(X, A) \
    X(edm1,  A) \
    X(edm2,  A) \
    X(edm3,  A) \
    X(edm4,  A) \
    X(collision, A)

/* Likewise in 3D; of a sum it returns the thread's share. */
#define TD_ALSO_TILED_3D(X, A) \
    X(write3, A) \
    X(triplet, A)

/* What a name stands for, in the order of --list. */
#define TD_WORKLOADS_LISTED(X, A) \
    TD_DOMAIN_2D(X, A) TD_POINTS_2D(X, A) X(gol, A) X(life, A) X(blur, A) X(dog, A) X(extrema, A) X(water, A)    \
    TD_WORKLOADS_3D(X, A) TD_SUMS_3D(X, A)
/* clang-format on */

/* What runs when no workload is named. */
#define TD_DEFAULT_WORKLOAD "dummy"

/*
 * Automata: one name, many variants. With a cell function of their own; with a kernel for tiles only,
 * X(identifier, stem, A): the cells of the stem work on the same storage.
 */
#define TD_PACKED_VARIANTS_2D(X, A)                                                                \
    TD_GOL_PACKED_ROWS(X, A) TD_LIFE_PACKED_ROWS(X, A) TD_FLOATS_ALL_PACKED_ROWS(X, A)
#define TD_OTHER_VARIANTS_2D(X, A)                                                                 \
    TD_GOL_HALO_ROWS(X, A) TD_LIFE_HALO_ROWS(X, A) TD_FLOATS_ALL_HALO_ROWS(X, A)
#define TD_VARIANTS_2D(X, A)                                                                       \
    TD_GOL_PLAIN(X, A)                                                                             \
    TD_LIFE_PLAIN(X, A)                                                                            \
    TD_BLUR_PLAIN(X, A) TD_DOG_PLAIN(X, A) TD_EXTREMA_PLAIN(X, A) TD_WATER_PLAIN(X, A)
#define TD_TILED_2D(X, A)                                                                          \
    TD_GOL_TILED(X, A)                                                                             \
    TD_LIFE_TILED(X, A)                                                                            \
    TD_BLUR_TILED(X, A) TD_DOG_TILED(X, A) TD_EXTREMA_TILED(X, A) TD_WATER_TILED(X, A)
#define TD_TILED_AS_2D(X, A)                                                                       \
    TD_GOL_TILED_AS(X, A)                                                                          \
    TD_LIFE_TILED_AS(X, A)                                                                         \
    TD_BLUR_TILED_AS(X, A) TD_DOG_TILED_AS(X, A) TD_EXTREMA_TILED_AS(X, A) TD_WATER_TILED_AS(X, A)
#define TD_STEMS_2D(X, A) TD_GOL_STEMS(X, A) TD_LIFE_STEMS(X, A) TD_FLOATS_ALL_STEMS(X, A)

/* The same with the name that their reference has in the place of A. */
#define TD_EACH_PLAIN_VARIANT_2D(X)                                                                \
    TD_GOL_PLAIN(X, gol)                                                                           \
    TD_LIFE_PLAIN(X, life)                                                                         \
    TD_BLUR_PLAIN(X, blur)                                                                         \
    TD_DOG_PLAIN(X, dog) TD_EXTREMA_PLAIN(X, extrema) TD_WATER_PLAIN(X, water)
#define TD_EACH_TILED_VARIANT_2D(X)                                                                \
    TD_GOL_TILED(X, gol)                                                                           \
    TD_LIFE_TILED(X, life)                                                                         \
    TD_BLUR_TILED(X, blur)                                                                         \
    TD_DOG_TILED(X, dog) TD_EXTREMA_TILED(X, extrema) TD_WATER_TILED(X, water)
#define TD_EACH_VARIANT_TILED_AS_2D(X)                                                             \
    TD_GOL_TILED_AS(X, gol)                                                                        \
    TD_LIFE_TILED_AS(X, life)                                                                      \
    TD_BLUR_TILED_AS(X, blur)                                                                      \
    TD_DOG_TILED_AS(X, dog) TD_EXTREMA_TILED_AS(X, extrema) TD_WATER_TILED_AS(X, water)

/* Everything with a cell function in 2D. */
#define TD_WORKLOADS_2D(X, A) TD_DOMAIN_2D(X, A) TD_POINTS_2D(X, A) TD_VARIANTS_2D(X, A)

enum td_workload_id {
#define TD_ID(id, ...) TD_WORKLOAD_##id,
    TD_WORKLOADS_2D(TD_ID, ) TD_WORKLOADS_3D(TD_ID, ) TD_SUMS_3D(TD_ID, ) TD_TILED_2D(TD_ID, )
        TD_TILED_AS_2D(TD_ID, )
#undef TD_ID
            TD_WORKLOAD_COUNT
};

#endif
