/* compatibility.h - which combinations of options, strategies and workloads cannot work, and which parts clash. */
#pragma once

#include "engine/options/options.h"

/* The parts of a combination that clash: it is an error only if all of them were requested by name. */
typedef struct td_incompatibility {
    bool strategy, workload, values; /* values: of --n, --block, --tile */
    char text[TD_REASON_SIZE];       /* why; empty: the combination works */
} td_incompatibility;

/* A combination that is not yet a run. */
typedef struct td_combination {
    const td_options *options;
    const td_run *run; /* with block, tile and cutoff resolved */
    td_kernel_choice kernel;
    bool tile_is_given;
    bool block_fits;        /* the block has the shape of the workload's dimension */
    const char *unresolved; /* why the workload rejects the parameters; empty: it accepts them */
} td_combination;

/* The first reason why a combination cannot work. */
td_incompatibility td_compatibility_of(const td_combination *combination);

/*
 * td_compatibility_check_options - check that every option given applies to a run of the sweep.
 *
 * One such run is enough: the other runs of a mixed sweep ignore the option.
 *
 * Errors  TD_USAGE, which names the workloads or strategies that take the option
 */
td_status td_compatibility_check_options(const td_options *options, const td_sweep *sweep,
                                         td_error *error);
