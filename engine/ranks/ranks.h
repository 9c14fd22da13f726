/*
 * ranks.h - the processes of --ranks: their numbers, and the few messages they exchange.
 *
 * Only ranks/ calls MPI. The functions are collective, except those that return this rank's numbers: every rank calls
 * them, in the same order. NULL stands for a single process, for which they have nothing to exchange.
 */
#pragma once

#include "engine/core/error.h"

/* This process among all processes, and among those of its host. The MPI build keeps its own state after it. */
typedef struct td_ranks {
    uint32_t index, count, local_index, local_count;
} td_ranks;

/*
 * td_ranks_open - join the other ranks; the only function that starts MPI.
 *
 * Errors  TD_USAGE: built without MPI; TD_FAILED
 */
td_status td_ranks_open(td_ranks **ranks, td_error *error);

/* A single process is rank 0 of 1. */
static inline uint32_t td_ranks_index(const td_ranks *ranks)
{
    return ranks != NULL ? ranks->index : 0;
}

static inline uint32_t td_ranks_count(const td_ranks *ranks)
{
    return ranks != NULL ? ranks->count : 1;
}

/*
 * td_ranks_agree - whether all ranks can go on: returns the status of the first rank that cannot, on all ranks.
 *
 * Output  error: the sentence of that rank, after its number unless that is 0
 */
td_status td_ranks_agree(td_ranks *ranks, td_status status, td_error *error);

void td_ranks_barrier(td_ranks *ranks);
void td_ranks_sum(td_ranks *ranks, uint64_t *values, uint32_t count);
double td_ranks_largest(td_ranks *ranks, double value);
uint64_t td_ranks_least(td_ranks *ranks, uint64_t value);

/* Gather `bytes` from every rank on all ranks, in rank order: all[count][bytes]. */
void td_ranks_gather(td_ranks *ranks, const void *own, void *all, uint32_t bytes);

/* Copy `data` from rank 0 to all ranks. */
void td_ranks_broadcast(td_ranks *ranks, void *data, uint64_t bytes);

/* td_ranks_same - whether all ranks have the same `what`, by its digest on each. Errors: TD_USAGE */
static inline td_status td_ranks_same(td_ranks *ranks, uint64_t digest, const char *what,
                                      td_error *error)
{
    uint64_t first = digest;
    td_ranks_broadcast(ranks, &first, sizeof first);
    const td_status status =
        digest == first ? TD_OK
                        : td_fail(error, TD_USAGE,
                                  "another %s than that of rank 0: start all ranks alike", what);
    return td_ranks_agree(ranks, status, error);
}

/* ---- between two ranks ---- */

void td_ranks_send(td_ranks *ranks, uint32_t to, const void *data, uint64_t bytes);
void td_ranks_receive(td_ranks *ranks, uint32_t from, void *data, uint64_t bytes);

/* Data that a rank and one neighbour exchange; `with` is the neighbour's rank, negative if there is none. */
typedef struct td_swap {
    int with;
    const void *give;
    void *take;
    uint64_t give_bytes, take_bytes;
} td_swap;

/* Begin to swap with two neighbours; wait until both swaps are complete. */
void td_ranks_swap_begin(td_ranks *ranks, const td_swap swaps[2]);
void td_ranks_swap_end(td_ranks *ranks);

/* Allow this process to leave MPI when it exits. Every rank calls this, or the launcher ends the others. */
void td_ranks_close(td_ranks *ranks);
