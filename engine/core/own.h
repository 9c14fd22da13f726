/* own.h - a workload given as a file: what engines and verification need beyond its descriptor. */
#pragma once

#include "digest.h"
#include "workloads/data.h"

/* Compute columns [first, end) of a row, cell by cell, in order: every map must give this output. In 3D, compute rows
 * y = first, ..., end - 1 of the slice z = row. */
typedef void td_plain_loop_fn(const td_data *data, uint32_t row, uint32_t first, uint32_t end);

struct td_box;

/* td_workload.own. Lives as long as the process. */
typedef struct td_own {
    char *id;      /* "rbf" of td_rbf_cell; the workload is called "rbf@1f3c5a7b" */
    char *path;    /* absolute */
    char *headers; /* absolute: the folder that holds strategies/, workloads/, engine/ */
    /* Of $CC, the file and everything that it includes, except headers of the system and of this program. */
    td_digest digest;
    bool has_check; /* td_ID_check exists */
    bool has_tile;  /* td_ID_tile exists, in the file itself */
    /* from the host half: see kernels.h of the cpu engine */
    void (*cells)(const td_data *data, const struct td_box *box, const void *restrict input,
                  void *restrict output);
    const struct td_cpu_checks *checks;
    td_plain_loop_fn *loop; /* NULL for a sum */
} td_own;
