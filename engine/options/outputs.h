/* outputs.h - -o, which may be given several times, and --label: where a result goes, and its labels. */
#pragma once

#include "option_row.h"

td_option_parse_fn td_parse_output;
td_option_parse_fn td_parse_label;

/*
 * td_outputs_settle - settle the formats, once all options are known: FILE:FORMAT, else --format, else the suffix, else
 * json. The file that --resume continues is jsonl. Without -o the result goes to standard output.
 *
 * Errors  TD_USAGE when two outputs are the same file, or the file of --resume would not be jsonl
 */
td_status td_outputs_settle(td_options *options, td_error *error);

/* The word of --format: "md". */
const char *td_format_name(td_format format);

void td_outputs_free(td_options *options);
