/* number_lists.h - the options that take a LIST: numbers with ranges, tiles and blocks. */
#pragma once

#include "engine/core/span.h"
#include "option_row.h"

/*
 * td_parse_u32_list - parse "8,16:64:16": numbers and ranges, first occurrences only, in the order given.
 *
 * Output  list: the caller frees it
 * Errors  TD_USAGE; TD_NO_MEMORY
 */
td_status td_parse_u32_list(const char *option, const char *value, uint32_t low, uint32_t high,
                            uint32_t **list, size_t *count, td_error *error);

/* Parse such numbers, and shapes like 64x4, into options->tiles; 16x16 is another spelling of 16. */
td_status td_parse_tiles(const td_option *option, const char *value, td_options *options,
                         td_error *error);

/* Parse 16, 64x4, 8x8x8 and ranges of sides into options->blocks. At most 1024 threads. */
td_status td_parse_blocks(const td_option *option, const char *value, td_options *options,
                          td_error *error);
