/* buffers.h - the memory of one (workload, N, layout) on an engine, shared by all strategies of a group. */
#ifndef TD_ENGINE_BENCH_BUFFERS_H
#define TD_ENGINE_BENCH_BUFFERS_H

#include "engine/engine.h"

/* An output with a guard zone on both sides. */
typedef struct td_guarded {
    uint8_t *memory; /* the front guard starts here */
    void *output;    /* behind it */
    uint64_t bytes;  /* of the output */
} td_guarded;

typedef struct td_buffers {
    td_engine *engine;
    const td_workload *workload;
    td_problem problem;
    void *input;
    uint64_t input_bytes;
    td_guarded output[2]; /* the second only for workloads with steps */
    /* States of the reference, one byte per cell; the first holds the first state. Only with steps. */
    void *reference[2];
    td_data data; /* ready for the first launch */
    bool reference_ready;
    double total,
        scale; /* the reference of a workload that is one sum, and what it may be off by is relative to */
} td_buffers;

/* What td_buffers_open takes of the engine's memory [bytes]. */
uint64_t td_buffers_bytes(const td_workload *workload, const td_problem *problem);

/*
 * td_buffers_open - allocate all, generate or copy the input.
 *
 * Errors  TD_NO_MEMORY, with needed and free bytes, before anything is allocated
 */
td_status td_buffers_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                          td_buffers *buffers, td_error *error);

/* Fill outputs and guards: the next verification sees what was not written and what was written outside. */
td_status td_buffers_poison(td_buffers *buffers, td_error *error);

/* Bytes of the guard zones that no longer hold what td_buffers_poison put there. */
td_status td_buffers_guards(td_buffers *buffers, uint64_t *broken, td_error *error);

/* The buffer that holds the result of a run. */
const void *td_buffers_result(const td_buffers *buffers);

void td_buffers_close(td_buffers *buffers);

#endif
