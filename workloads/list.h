/*
 * list.h - the lists of workloads. The registry and the engines' tables are made from them.
 *
 * X(identifier, A): the descriptor is td_ID_workload. A is passed through, so that another list can be expanded inside
 * of this one.
 */
#ifndef TD_WORKLOADS_LIST_H
#define TD_WORKLOADS_LIST_H

/* clang-format off */
/* 2D: each has td_ID_cell and td_ID_check. With by_rows, these take a row and a triangle, and a kernel for tiles of
 * rows does on a GPU what td_ID_cell does on the host. */
#define TD_PLAIN_2D(X, A) \
    X(dummy, A) \
    X(cover, A) \
    X(write, A) \
    X(accumulate, A) \
    X(edm1,  A) \
    X(edm2,  A) \
    X(edm3,  A) \
    X(edm4,  A) \
    X(collision, A) \
    X(gram, A) \
    X(rowsum, A) \
    X(attention, A)

/* Cellular automata and stencils: workloads/automata/README.md says what they have instead of a cell function. */
#define TD_AUTOMATA(X, A) \
    X(gol, A) \
    X(life, A) \
    X(blur, A) \
    X(dog, A) \
    X(extrema, A) \
    X(water, A)

/* A name may stand for a workload in 2D and one in 3D: their identifiers differ. */
#define TD_PLAIN_3D(X, A) \
    X(dummy3, A) \
    X(cover3, A) \
    X(write3, A) \
    X(accumulate3, A)

/* 3D, advancing in steps: each has td_ID_table, td_ID_variants, td_ID_reference, td_ID_check, td_ID_paint, and for the
 * rows of its table td_ID_layer_of_tile on the host and td_ID_cells on a GPU. */
#define TD_STEPS_3D(X, A) \
    X(life3, A)

/* 3D: a cell is a term of one sum, a double; the workload has a td_sum instead of td_ID_check. */
#define TD_SUMS_3D(X, A) \
    X(triplet, A)

/* In the order of --list. */
#define TD_WORKLOADS(X, A) TD_PLAIN_2D(X, A) TD_AUTOMATA(X, A) TD_PLAIN_3D(X, A) TD_STEPS_3D(X, A) TD_SUMS_3D(X, A)
/* clang-format on */

/* The workload that runs when none is named. */
#define TD_DEFAULT_WORKLOAD "dummy"

enum td_workload_id {
#define TD_ID(id, ...) TD_WORKLOAD_##id,
    TD_WORKLOADS(TD_ID, )
#undef TD_ID
        TD_WORKLOAD_COUNT
};

#endif
