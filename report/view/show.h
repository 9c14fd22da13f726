/* show.h - --show: a drawing of a map in the terminal, or its data. */
#pragma once

#include "engine/options/options.h"
#include "report/format/text.h"

/*
 * td_show_text - draw every chosen strategy for every small n: the map, or the grids it launches.
 *
 * n follows from --n and the block if it is at most 24, else it is 8. A map of blocks is drawn in tiles,
 * a thread map in cells. Grids in one dimension are numbered, others give x,y or x,y,z; with
 * several launches, a letter comes first. A place that nothing reaches shows `.`, one that is
 * reached twice `!`. With --format json or jsonl, each strategy and n gives an object on a line: for each launch, the
 * places that its elements work on.
 *
 * Errors  TD_NO_MEMORY
 */
td_status td_show_text(const td_options *options, bool color, td_text *text, td_error *error);

/* Carry out --show: the same on standard output, in colour if --color says so. */
td_status td_show(const td_options *options, td_error *error);
