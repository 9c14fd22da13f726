/* dry_run.h - --dry-run: what would be launched, as text and as data. */
#pragma once

#include "report/format/text.h"
#include "report/report.h"

/* Append one line per run: key, kernels, blocks, wasted blocks, bytes of buffers, grids. */
void td_dry_run_text(const td_sweep *sweep, bool inexact, td_text *text);

/*
 * td_dry_run - write the plan to the report, with counts and no measurement; without a report, print it as text.
 *
 * Errors  TD_NO_MEMORY; those of the report
 */
td_status td_dry_run(const td_options *options, const td_sweep *sweep, td_report *report,
                     td_error *error);
