/* key.h - the name of a run in every output. */
#pragma once

#include "engine/core/span.h"
#include "input.h"

/*
 * td_key_make - "ENGINE/WORKLOAD/STRATEGY/n8192/b16x16/t16/packed/seed1", then the values that are not defaults.
 *
 * Stable: a key in an old result file means the same run today. Unique: two runs of a sweep never share a key, even if
 * one of them cannot work.
 *
 * Input   sides: the number of sides given for the block: 8x8 and 8x8x1 are two runs, whichever of them works
 */
void td_key_make(const td_options *options, const td_input *input, int sides, td_run *run);

/* The words of --layout and of --timing. */
extern const char *const td_layout_names[], *const td_schedule_names[], *const td_sampling_names[];
extern const char *const td_order_names[];

/* "64", or "64x4" for a flat tile. */
td_shown td_tile_text(uint32_t tile, uint32_t width);
