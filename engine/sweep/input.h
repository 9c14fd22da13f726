/* input.h - real input instead of generated: the file of --input, for the workloads of a command line. */
#ifndef TD_ENGINE_SWEEP_INPUT_H
#define TD_ENGINE_SWEEP_INPUT_H

#include "engine/io/input_file.h"
#include "engine/io/npy.h"
#include "engine/io/number_table.h"
#include "engine/options/options.h"

typedef struct td_input {
    td_table table;
    td_state state;
    td_image image;
} td_input;

/*
 * td_input_open - read options->input where there is one; N becomes what the file has.
 *
 * Input   options: n and n_count are replaced
 * Errors  TD_USAGE for what is wrong with the file, for workloads that take none or differ in what they take, and for
 *         an --n that is not the file's; TD_NO_MEMORY
 */
td_status td_input_open(td_options *options, td_input *input, td_error *error);

/* Let the runs of a sweep use it. */
void td_input_attach(const td_input *input, td_sweep *sweep);

void td_input_close(td_input *input);

#endif
