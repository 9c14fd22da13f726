/*
 * workloads.h - the list. One row a workload; everything else that knows workloads is made from it.
 *
 * X(identifier, "name", A): the identifier names td_ID_cell, td_ID_check and TD_FACTS_ID in a header of this folder.
 * A is passed through, so that another list can be expanded inside of this one.
 */
#ifndef TD_WORKLOADS_H
#define TD_WORKLOADS_H

#include "cover.h"
#include "dummy.h"
#include "edm.h"
#include "workload.h"
#include "write.h"

/* clang-format off */
#define TD_WORKLOADS_2D(X, A) \
    X(dummy, "dummy", A) \
    X(cover, "cover", A) \
    X(write, "write", A) \
    X(edm1,  "edm1",  A) \
    X(edm2,  "edm2",  A) \
    X(edm3,  "edm3",  A) \
    X(edm4,  "edm4",  A)
/* clang-format on */

#define TD_WORKLOADS(X, A) TD_WORKLOADS_2D(X, A)

enum td_workload_id {
#define TD_ID(id, ...) TD_WORKLOAD_##id,
    TD_WORKLOADS(TD_ID, )
#undef TD_ID
        TD_WORKLOAD_COUNT
};

#endif
