/* buffers.h - the memory of one (workload, N, layout) on an engine, shared by all strategies of a group. */
#pragma once

#include "engine/engine.h"

/* The kept part of a buffer [bytes]: a part of a domain keeps some rows only. */
typedef struct td_kept {
    uint64_t first, end;
} td_kept;

/* An output with a guard zone on both sides. */
typedef struct td_guarded {
    uint8_t *memory; /* the front guard starts here */
    uint8_t *kept;   /* after the front guard: the kept part of the output */
    uint64_t bytes;  /* of the kept part */
    void *output;    /* where element 0 is, or would be */
} td_guarded;

typedef struct td_buffers {
    td_engine *engine;
    const td_workload *workload;
    td_problem problem;
    td_problem rows; /* with the rows that are kept, for functions that fill them */
    td_kept stored;  /* of the output, and of a state as input */
    td_kept states;  /* of the reference */
    uint64_t input_bytes;
    td_digest input_digest; /* not of an automaton */
    void *input_memory;
    void *input;          /* where its first element is, or would be */
    td_guarded output[2]; /* [1] only for workloads with steps */
    /* For workloads with steps: the last state of the reference, cell by cell, once that is ready; until then two
     * states, the first of which is in reference[0]. */
    void *last; /* where the first cell is, or would be; as of these */
    void *reference[2];
    void *reference_memory[2];
    td_data data; /* ready for the first launch */
    bool reference_ready;
    /* For a workload from a file: the output of a plain loop on the engine, what it shows, the cells visited. */
    uint8_t *plain;
    td_output_facts plain_facts;
    uint64_t plain_cells;
    double total, scale; /* of a workload that is one sum: the reference, and the scale of errors */
} td_buffers;

/* Memory that td_buffers_open and td_start_open_reference allocate on the engine [bytes]. */
uint64_t td_buffers_bytes(const td_workload *workload, const td_problem *problem);

/*
 * td_buffers_open - allocate all buffers, generate or copy the input, fill the outputs with the workload's poison.
 *
 * Input   problem: only what rows [first_row, end_row) need is kept, and for an automaton some rows around them;
 *         end_row 0: everything is kept
 * Errors  TD_NO_MEMORY, with needed and free bytes, before anything is allocated
 */
td_status td_buffers_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                          td_buffers *buffers, td_error *error);

/* Fill outputs and guards, so that the next verification detects missing writes and writes outside. */
td_status td_buffers_poison(td_buffers *buffers, td_error *error);

/* Make the input again on the host, where no copy of it is kept; the caller frees it. Not for an automaton. */
td_status td_buffers_host_input(const td_buffers *buffers, void **input, td_error *error);

/* Count the bytes of the guard zones that no longer hold the value from td_buffers_poison. */
td_status td_buffers_guards(td_buffers *buffers, uint64_t *broken, td_error *error);

/* The buffer that holds the result of a run. */
const void *td_buffers_result(const td_buffers *buffers);

void td_buffers_close(td_buffers *buffers);
