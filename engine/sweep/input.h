/* input.h - arrays that the user gives: --input in place of generated input, the output of --verify, and lengths. */
#pragma once

#include "engine/io/npy.h"
#include "engine/io/number_table.h"
#include "engine/options/options.h"

/* Whole numbers, one in each line of a file; zeroed: there is none. */
typedef struct td_counts {
    uint32_t *numbers;
    uint32_t count;
    td_digest digest;
} td_counts;

typedef struct td_input {
    uint32_t n; /* of the file; 0: there is none */
    td_digest digest;
    td_table numbers; /* a table or an image */
    td_state state;   /* of an automaton */
    void *expected;   /* see td_problem */
    uint64_t expected_elements;
    td_counts rows;    /* of --set table: each row of tiles once, in their order */
    td_counts lengths; /* of --set lengths: the rows of each sequence */
} td_input;

/*
 * td_input_open - read the files of options->input, rows, lengths and expected, as far as they are set.
 *
 * Errors  TD_USAGE: a file is wrong, the workloads take no input or different input, --n differs from the file's N, or
 *         an output is expected of anything but one workload from a file at one N; TD_NO_MEMORY
 */
td_status td_input_open(const td_options *options, td_input *input, td_error *error);

/*
 * td_state_check - check that the bytes of a state are valid for a workload.
 *
 * Errors  TD_USAGE, with the first cell that is not
 */
td_status td_state_check(const td_workload *workload, td_state_form form, uint32_t n,
                         const uint8_t *state, td_error *error);

/* Make a problem use the input. */
void td_input_attach(const td_input *input, td_problem *problem);

void td_input_close(td_input *input);
