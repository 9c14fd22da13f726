/* compatibility.h - which combinations of options, strategies and workloads cannot work, and who asked for them. */
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
    const td_run *run;      /* with block, tile and cutoff resolved */
    bool block_fits;        /* the block has the shape of the workload's dimension */
    const char *unresolved; /* why the parameters make no problem of the workload; empty: they do */
} td_combination;

/* The first reason why a combination cannot work. */
td_incompatibility td_compatibility_of(const td_combination *combination);

/*
 * td_compatibility_check_options - an option that was given has to mean something to a run of the sweep.
 *
 * One run that takes it is enough: the others of a mixed sweep go without.
 *
 * Errors  TD_USAGE, naming the workloads or strategies that take it
 */
td_status td_compatibility_check_options(const td_options *options, const td_sweep *sweep,
                                         td_error *error);

#endif
