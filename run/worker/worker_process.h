/* worker_process.h - the worker's side of its two pipes, and the messages on them. For worker.c only. */
#pragma once

#include "worker.h"

/* From the worker: what a message is about. */
typedef enum td_message_kind {
    TD_MESSAGE_OPENED,
    TD_MESSAGE_PHASE,
    TD_MESSAGE_RESULT,
    TD_MESSAGE_DONE
} td_message_kind;

typedef struct td_message {
    td_message_kind kind;
    size_t run;
    char phase[16];
    td_status status;           /* OPENED */
    td_error error;             /* OPENED */
    td_environment environment; /* OPENED */
    td_result result;           /* RESULT; its samples follow */
} td_message;

/* To the worker: a group to run. Its runs follow, then their results. Pointers in a run lead to descriptors and
 * input that were there before the fork. */
typedef struct td_request {
    td_protocol protocol;
    size_t count;
} td_request;

/*
 * td_worker_serve - all that the process does: open the engine, then serve requests until the pipe closes. measure:
 * also measure the device's peaks for the environment; a worker that replaces another one need not.
 */
void td_worker_serve(const td_worker_config *config, bool measure, int from_parent, int to_parent);
