/* input.h - real input instead of generated input: the file of --input, for the selected workloads. */
#pragma once

#include "engine/io/npy.h"
#include "engine/io/number_table.h"
#include "engine/options/options.h"

typedef struct td_input {
    td_table table, image;
    td_state state;
} td_input;

/*
 * td_input_open - read options->input, if it is set, and take N from the file.
 *
 * Input   options: n and n_count are replaced
 * Errors  TD_USAGE: the file is wrong, the workloads take no input or different input, or --n differs from the file's
 *         N; TD_NO_MEMORY
 */
td_status td_input_open(td_options *options, td_input *input, td_error *error);

/* Make the runs of a sweep use the input. */
void td_input_attach(const td_input *input, td_sweep *sweep);

void td_input_close(td_input *input);
