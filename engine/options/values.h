/* values.h - how the value of one option is read: the parse functions of the rows of the table of options. */
#pragma once

#include "option_row.h"

/* Store in the field at option->offset: numbers within the bounds of the row, a choice as its place among the row's
 * words. */
td_option_parse_fn td_value_u32;
td_option_parse_fn td_value_u64;
td_option_parse_fn td_value_decimal;
td_option_parse_fn td_value_choice;
td_option_parse_fn td_value_words; /* a list of such words, as the bits of a uint32_t */
td_option_parse_fn td_value_text;

/* The same with further checks. */
td_option_parse_fn td_value_max_time;
td_option_parse_fn td_value_percent;

/* Without a value: store the row's `low`, or true. */
td_option_parse_fn td_set_int;
td_option_parse_fn td_set_flag;

/* Store in a field of their own. */
td_option_parse_fn td_value_engine;
td_option_parse_fn td_value_device;
td_option_parse_fn td_value_verify;
td_option_parse_fn td_value_shard;
td_option_parse_fn td_value_ranks;

/* Actions that replace runs, at most one per invocation; the row's `low` says which. Many take a choice. */
td_option_parse_fn td_act;
td_option_parse_fn td_act_check_maps;
