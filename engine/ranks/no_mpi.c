/* no_mpi.c - a build without MPI: --ranks fails with the reason, and the other functions serve a single process. */
#include "ranks.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
/* NOLINTBEGIN(misc-unused-parameters) */

td_status td_ranks_open(td_ranks **ranks, td_error *error)
{
    *ranks = NULL;
    return td_fail(
        error, TD_USAGE,
        "--ranks: this tribench was built without MPI: install its compiler wrapper mpicc "
        "(Debian: libopenmpi-dev, openmpi-bin) and build again with make MPI=1");
}

td_status td_ranks_agree(td_ranks *ranks, td_status status, td_error *error)
{
    return status;
}

double td_ranks_largest(td_ranks *ranks, double value)
{
    return value;
}

uint64_t td_ranks_least(td_ranks *ranks, uint64_t value)
{
    return value;
}

void td_ranks_gather(td_ranks *ranks, const void *own, void *all, uint32_t bytes)
{
    memcpy(all, own, bytes);
}

/* clang-format off */
void td_ranks_barrier(td_ranks *ranks) {}
void td_ranks_sum(td_ranks *ranks, uint64_t *values, uint32_t count) {}
void td_ranks_broadcast(td_ranks *ranks, void *data, uint64_t bytes) {}
void td_ranks_send(td_ranks *ranks, uint32_t to, const void *data, uint64_t bytes) {}
void td_ranks_receive(td_ranks *ranks, uint32_t from, void *data, uint64_t bytes) {}
void td_ranks_swap_begin(td_ranks *ranks, const td_swap swaps[2]) {}
void td_ranks_swap_end(td_ranks *ranks) {}
void td_ranks_close(td_ranks *ranks) {}
/* clang-format on */
/* NOLINTEND(misc-unused-parameters) */
