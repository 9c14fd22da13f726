/* dry_run.h - --dry-run: what would be launched, for people and as data. */
#ifndef TD_REPORT_VIEW_DRY_RUN_H
#define TD_REPORT_VIEW_DRY_RUN_H

#include <stdio.h>

#include "engine/core/run.h"
#include "report/report.h"

/*
 * td_dry_run_print - one line a run: key, kernels, blocks, wasted blocks, bytes of buffers, grids.
 *
 * Errors  TD_NO_MEMORY; TD_FAILED when writing fails
 */
td_status td_dry_run_print(FILE *out, const td_sweep *sweep, bool inexact, td_error *error);

/*
 * td_dry_run_report - every run into the report, with its counts and no measurement.
 *
 * Errors  TD_NO_MEMORY; what the report says
 */
td_status td_dry_run_report(td_report *report, const td_sweep *sweep, bool inexact,
                            td_error *error);

#endif
