/* trial.h - the measurements of a --tune search, run by run, and its result. */
#pragma once

#include "engine/core/run.h"

typedef enum td_stage { TD_STAGE_SHORT, TD_STAGE_FULL } td_stage;

/* One measurement of a search. */
typedef struct td_trial {
    const td_run *run;
    td_stage stage;
    td_run_status status;
    char reason[TD_REASON_SIZE]; /* why the status is not ok */
    double median_ms;            /* NaN unless the status is ok */
    uint32_t samples;
    td_verified verified;
} td_trial;

/* The trials for one workload, strategy and N. */
typedef struct td_tuning {
    const td_group *space;
    td_trial *trials; /* the short ones in the order of the space, then the full ones, best first */
    size_t count;
    const td_run *winner; /* in the space; NULL: none, or the search was interrupted */
} td_tuning;
