/*
 * workloads.h - the list. One row a workload; everything else that knows workloads is made from it.
 *
 * X(identifier, "name", A): the identifier names td_ID_cell, td_ID_check and TD_FACTS_ID in a header of
 * this folder.
 * A is passed through, so that another list can be expanded inside of this one.
 */
#ifndef TD_WORKLOADS_WORKLOADS_H
#define TD_WORKLOADS_WORKLOADS_H

#include "collision.h"
#include "cover.h"
#include "cover3.h"
#include "dummy.h"
#include "dummy3.h"
#include "edm.h"
#include "gol.h"
#include "workloads/life/life.h"
#include "triplet.h"
#include "workload.h"
#include "write.h"
#include "write3.h"

/* clang-format off */
#define TD_WORKLOADS_2D(X, A) \
    X(dummy, "dummy", A) \
    X(cover, "cover", A) \
    X(write, "write", A) \
    X(edm1,  "edm1",  A) \
    X(edm2,  "edm2",  A) \
    X(edm3,  "edm3",  A) \
    X(edm4,  "edm4",  A) \
    X(gol,   "gol",   A) \
    X(life_halo_u8,         "life", A) \
    X(life_halo_u32,        "life", A) \
    X(life_conditional_u8,  "life", A) \
    X(life_conditional_u32, "life", A) \
    X(collision, "collision", A)

/* A name may stand for a workload in 2D and one in 3D: the identifiers differ. */
#define TD_WORKLOADS_3D(X, A) \
    X(dummy3, "dummy", A) \
    X(cover3, "cover", A) \
    X(write3, "write", A)

/* 3D: a cell is a term of one sum, a double; td_ID_check does not exist, td_workload.total does. */
#define TD_SUMS_3D(X, A) \
    X(triplet, "triplet", A)

/*
 * Variants whose only kernel on a GPU is one for whole tiles: td_ID_tile. X(identifier, "name", stem, A):
 * td_STEM_cell is
 * what the cpu engine runs, on the same storage, and td_STEM_check and td_STEM_paint go with it.
 */
#define TD_TILED_OWN_2D(X, A) \
    X(life_shared_u32,         "life", life_halo_u32,    A) \
    X(life_shared_u8,          "life", life_halo_u8,     A) \
    X(life_aligned_u32,        "life", life_aligned_u32, A) \
    X(life_aligned_u8,         "life", life_aligned_u8,  A) \
    X(life_two_cell_u32,       "life", life_aligned_u32, A) \
    X(life_two_cell_u8,        "life", life_aligned_u8,  A) \
    X(life_two_generation_u32, "life", life_twice_u32,   A) \
    X(life_two_generation_u8,  "life", life_twice_u8,    A) \
    X(life_strip_u32,          "life", life_aligned_u32, A) \
    X(life_strip_u8,           "life", life_aligned_u8,  A) \
    X(life_strip_bit,          "life", life_bits,        A)

/* Those whose kernels are the ones of the variant named like the stem: `rect` is `aligned` in other blocks. */
#define TD_TILED_AS_2D(X, A) \
    X(life_rect_u32,           "life", life_aligned_u32, A) \
    X(life_rect_u8,            "life", life_aligned_u8,  A)

#define TD_TILED_2D(X, A) TD_TILED_OWN_2D(X, A) TD_TILED_AS_2D(X, A)

/* The plain variants of the Game of Life. */
#define TD_LIFE_PLAIN(X, A) \
    X(life_halo_u8,         A) \
    X(life_halo_u32,        A) \
    X(life_conditional_u8,  A) \
    X(life_conditional_u32, A)

/* The stems of tiled variants that no plain workload is, for the cpu engine's tables. */
#define TD_STEMS_2D(X, A) \
    X(life_aligned_u32, A) \
    X(life_aligned_u8,  A) \
    X(life_twice_u32,   A) \
    X(life_twice_u8,    A) \
    X(life_bits,        A)

/* Workloads of the first list that have a kernel for tiles as well. */
#define TD_ALSO_TILED_2D(X, A) \
    X(collision, A)
/* clang-format on */

#define TD_WORKLOADS(X, A)                                                                         \
    TD_WORKLOADS_2D(X, A) TD_WORKLOADS_3D(X, A) TD_SUMS_3D(X, A) TD_TILED_2D(X, A)

enum td_workload_id {
#define TD_ID(id, ...) TD_WORKLOAD_##id,
    TD_WORKLOADS(TD_ID, )
#undef TD_ID
        TD_WORKLOAD_COUNT
};

#endif
