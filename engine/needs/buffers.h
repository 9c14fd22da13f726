/* buffers.h - the memory of one (workload, N, layout) on an engine, shared by all strategies of a group. */
#ifndef TD_ENGINE_NEEDS_BUFFERS_H
#define TD_ENGINE_NEEDS_BUFFERS_H

#include "engine/engine.h"

/* An output with a guard zone on both sides. */
typedef struct td_guarded {
    uint8_t *memory; /* the front guard starts here */
    uint8_t *kept;   /* behind it */
    uint64_t bytes;  /* of what is kept of the output */
    void *
        output; /* where its first element is, or would be: of a part of a domain only some rows are kept */
} td_guarded;

/* Of a buffer with something for each row: what of it is kept, in its own unit. */
typedef struct td_kept {
    uint64_t first, end;
} td_kept;

typedef struct td_buffers {
    td_engine *engine;
    const td_workload *workload;
    td_problem problem;
    void *input; /* as td_guarded.output */
    uint64_t input_bytes;
    void *input_memory;
    bool input_is_kept;   /* for other buffers: see start.h */
    td_guarded output[2]; /* the second only for workloads with steps */
    /* States of the reference, cell by cell: the first holds the first state until the last one is ready. Only with
     * steps. */
    void *reference[2];
    void *reference_memory[2];
    td_kept elements; /* of the output, and of a state as input */
    td_kept states;   /* of the reference [cells] */
    td_data data;     /* ready for the first launch */
    bool reference_ready;
    uint8_t *plain;       /* of a workload from a file: the output of a plain loop, on the host */
    uint64_t plain_cells; /* that were in the loop */
    double total,
        scale; /* the reference of a workload that is one sum, and what it may be off by is relative to */
} td_buffers;

/* Memory that td_buffers_open takes from the engine [bytes]. */
uint64_t td_buffers_bytes(const td_workload *workload, const td_problem *problem);

/* A run's problem with the rows that this process keeps of it; all of them without --ranks. */
td_problem td_run_problem(const td_run *run);

/* Memory of a run's buffers in this process [bytes]. */
uint64_t td_run_bytes(const td_run *run);

/* Bytes between where the first element of a state or an output would be and a row. */
uint64_t td_row_bytes(const td_workload *workload, const td_problem *problem, uint32_t row);

/*
 * td_buffers_open - allocate all, generate or copy the input; outputs hold the workload's poison.
 *
 * Input   problem: of rows [first_row, end_row) what they need is kept, of an automaton with some rows around them;
 *         end_row 0: everything
 * Errors  TD_NO_MEMORY, with needed and free bytes, before anything is allocated
 */
td_status td_buffers_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                          td_buffers *buffers, td_error *error);

/* Fill outputs and guards: the next verification sees what was not written and what was written outside. */
td_status td_buffers_poison(td_buffers *buffers, td_error *error);

/* The input made again on the host, where no copy of it was kept; the caller frees it. Not of an automaton. */
td_status td_buffers_host_input(const td_buffers *buffers, void **input, td_error *error);

/* The reference has its last state: other buffers find it, where there is room to keep it. */
td_status td_buffers_reference_is_ready(td_buffers *buffers, td_error *error);

/* Bytes of the guard zones that no longer hold what td_buffers_poison put there. */
td_status td_buffers_guards(td_buffers *buffers, uint64_t *broken, td_error *error);

/* The buffer that holds the result of a run. */
const void *td_buffers_result(const td_buffers *buffers);

void td_buffers_close(td_buffers *buffers);

#endif
