/* compatibility.h - why a combination cannot work, and who asked for it. */
#ifndef TD_ENGINE_SWEEP_COMPATIBILITY_H
#define TD_ENGINE_SWEEP_COMPATIBILITY_H

#include "engine/options/options.h"

/* What does not go together: only when all of it was asked for by name is it an error. */
typedef struct td_incompatibility {
    bool strategy, workload, values; /* values: of --n, --block, --tile */
    char text[TD_REASON_SIZE];       /* empty: it works */
} td_incompatibility;

/* A combination before it is a run. */
typedef struct td_combination {
    const td_options *options;
    const td_run *run; /* with block, tile and cutoff resolved */
    bool block_fits;   /* the block has the shape of the workload's dimension */
    /* why the parameters make no problem of the workload; empty: they do */
    const char *unresolved;
} td_combination;

/* The first reason why a combination cannot work. */
td_incompatibility td_compatibility_of(const td_combination *combination);

#endif
