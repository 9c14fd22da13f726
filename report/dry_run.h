/* dry_run.h - --dry-run for people: what would be launched. */
#ifndef TD_REPORT_DRY_RUN_H
#define TD_REPORT_DRY_RUN_H

#include <stdio.h>

#include "../engine/run.h"

/*
 * td_dry_run_print - one line a run: key, kernels, blocks, wasted blocks, bytes of buffers, grids.
 *
 * Errors  TD_NO_MEMORY; TD_FAILED when writing fails
 */
td_status td_dry_run_print(FILE *out, const td_sweep *sweep, bool inexact, td_error *error);

#endif
