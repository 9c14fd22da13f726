/* start.h - the first state of an automaton, on the host. */
#ifndef TD_ENGINE_NEEDS_START_H
#define TD_ENGINE_NEEDS_START_H

#include "engine/core/error.h"
#include "workloads/workload.h"

/* Part of an array: where it begins in the whole, and how long it is. */
typedef struct td_extent {
    uint64_t first_bytes, bytes;
} td_extent;

typedef struct td_start {
    const void *states; /* of the reference: as they are generated, or were given */
    const void *input;  /* the same as the workload stores it */
} td_start;

/*
 * td_start_make - the first state of the rows of a problem, generated unless it has one.
 *
 * The last one that was generated is kept, for all ways to store it: the groups of a search have it in common, and
 * making it may take a host longer than all of their launches take a GPU.
 *
 * Input   states, input: what of the two arrays the rows need
 * Output  start: its pointers lead to the first byte of what is needed, and are good until the next call
 * Errors  TD_NO_MEMORY
 */
td_status td_start_make(const td_workload *workload, const td_problem *problem, td_extent states,
                        td_extent input, td_start *start, td_error *error);

/* Free what is kept: where memory is the host's the buffers need it. */
void td_start_forget(void);

#endif
