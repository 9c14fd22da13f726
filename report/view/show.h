/* show.h - --show: a drawing of a map in the terminal, or its data. */
#pragma once

#include <stdio.h>

#include "engine/options/options.h"

/*
 * td_show_print - draw every chosen strategy for every small n: the map, or the grids it launches.
 *
 * n follows from --n and the block if it is at most 24, else it is 8. A map of blocks is drawn in tiles,
 * a thread map in cells. Grids in one dimension are numbered, others give x,y or x,y,z; with
 * several launches, a letter comes first. A place that nothing reaches shows `.`, one that is
 * reached twice `!`. With --format json or jsonl, each strategy and n gives an object: see td_show_json.
 *
 * Errors  TD_NO_MEMORY; TD_FAILED when writing fails
 */
td_status td_show_print(FILE *out, const td_options *options, bool color, td_error *error);

/* Carry out --show: the same on standard output, in colour if --color says so. */
td_status td_show(const td_options *options, td_error *error);
