/* own.h - a workload that was given as a file: what engines and verification know of it beside its descriptor. */
#ifndef TD_ENGINE_CORE_OWN_H
#define TD_ENGINE_CORE_OWN_H

#include "digest.h"
#include "workloads/data.h"

/* Columns [first, end) of a row, cell by cell, in order: what every map's output must be. In 3D rows y of a slice z. */
typedef void td_plain_loop_fn(const td_data *data, uint32_t row, uint32_t first, uint32_t end);

/* td_workload.own. Lives as long as the process. */
typedef struct td_own {
    char *id;      /* "rbf" of td_rbf_cell; the workload is called "rbf@1f3c5a7b" */
    char *path;    /* absolute */
    char *headers; /* absolute: the folder that holds strategies/, workloads/, engine/ */
    /* Of the file and of all that it includes from outside the system and this program. */
    td_digest digest;
    bool has_check;                     /* there is a td_ID_check */
    bool has_tile;                      /* and a td_ID_tile, in the file itself */
    bool cached;                        /* compiled halves are kept */
    const struct td_cpu_fns *fns;       /* of the host's half */
    const struct td_cpu_checks *checks; /* the same */
    td_plain_loop_fn *loop;             /* NULL: of a sum */
} td_own;

#endif
