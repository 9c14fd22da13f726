/* number_lists.h - the options that take a LIST: numbers with ranges, tiles and blocks. */
#pragma once

#include "engine/core/span.h"
#include "option_row.h"

/* "8,16:64:16": numbers and ranges, first occurrences only, in the order given. */
td_option_parse_fn td_parse_n;
td_option_parse_fn td_parse_cutoffs;

/* Such numbers, and shapes like 64x4; 16x16 is another spelling of 16; or "all". */
td_option_parse_fn td_parse_tiles;

/* 16, 64x4, 8x8x8 and ranges of sides; at most 1024 threads; or "all". */
td_option_parse_fn td_parse_blocks;
