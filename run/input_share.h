/* input_share.h - --input with --ranks: rank 0 reads the file and sends its contents to the others. */
#pragma once

#include "engine/ranks/ranks.h"
#include "engine/sweep/input.h"

/* Like td_input_open, on every rank. */
td_status td_input_share(td_ranks *ranks, td_options *options, td_input *input, td_error *error);
