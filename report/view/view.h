/* view.h - what is printed in place of a sweep. Each carries out its option, and prints on standard output. */
#pragma once

#include "engine/options/options.h"
#include "report/format/text.h"
#include "report/report.h"

/*
 * td_list - --list: strategies, workloads, devices and engines, as columns or, with --format json or jsonl, as an array
 * or lines of objects.
 *
 * Errors  TD_NO_MEMORY
 */
td_status td_list(const td_options *options, td_error *error);

/*
 * td_show - --show: draw every chosen strategy for every small n.
 *
 * n follows from --n and the block if it is at most 24, else it is 8. A map of blocks is drawn in tiles,
 * a thread map in cells. Grids in one dimension are numbered, others give x,y or x,y,z; with
 * several launches, a letter comes first. A place that nothing reaches shows `.`, one that is
 * reached twice `!`. With --format json or jsonl, each strategy and n gives an object on a line: for each launch, the
 * places that its elements work on.
 *
 * Errors  TD_NO_MEMORY
 */
td_status td_show(const td_options *options, td_error *error);

/*
 * td_check_maps - --check-maps: check every chosen strategy on the engine: a line per strategy as soon as it is known,
 * or one document at the end, with the lines on stderr unless --quiet.
 *
 * Errors  TD_WRONG when a map fails within its stated range; those of the engine; TD_NO_MEMORY
 */
td_status td_check_maps(const td_options *options, td_error *error);

/*
 * td_emit - --emit: print the chosen maps as functions in another language.
 *
 * Errors  TD_USAGE, with an empty sentence where tribench-report has said why; TD_UNAVAILABLE: it is not installed, or
 *         there is no Python
 */
td_status td_emit(const td_options *options, td_error *error);

/*
 * td_dry_run - --dry-run: write the plan to the report, with counts and no measurement; without a report, print it: one
 * line per run with key, kernels, blocks, wasted blocks, bytes of buffers and grids.
 *
 * Errors  TD_NO_MEMORY; those of the report
 */
td_status td_dry_run(const td_options *options, const td_sweep *sweep, td_report *report,
                     td_error *error);

/* ---- the texts of --list and --show, for tests ---- */

void td_list_text(td_list_what what, td_format format, td_text *text);
td_status td_show_text(const td_options *options, td_text *text, td_error *error);
