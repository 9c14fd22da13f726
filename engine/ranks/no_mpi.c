/* no_mpi.c - a build without MPI: there is one process, and --ranks says why. */
#include "ranks.h"

#include <string.h>

td_status td_ranks_open(td_ranks **ranks, td_error *error)
{
    *ranks = NULL;
    return td_fail(
        error, TD_USAGE,
        "--ranks: this tribench was built without MPI: install its compiler wrapper mpicc "
        "(Debian: libopenmpi-dev, openmpi-bin) and build again with make MPI=1");
}

uint32_t td_ranks_index(const td_ranks *ranks)
{
    (void)ranks;
    return 0;
}

uint32_t td_ranks_count(const td_ranks *ranks)
{
    (void)ranks;
    return 1;
}

uint32_t td_ranks_local_index(const td_ranks *ranks)
{
    (void)ranks;
    return 0;
}

uint32_t td_ranks_local_count(const td_ranks *ranks)
{
    (void)ranks;
    return 1;
}

td_status td_ranks_agree(td_ranks *ranks, td_status status, td_error *error)
{
    (void)ranks;
    (void)error;
    return status;
}

td_status td_ranks_same(td_ranks *ranks, uint64_t digest, const char *what, td_error *error)
{
    (void)ranks;
    (void)digest;
    (void)what;
    (void)error;
    return TD_OK;
}

void td_ranks_barrier(td_ranks *ranks)
{
    (void)ranks;
}

void td_ranks_sum(td_ranks *ranks, uint64_t *values, uint32_t count)
{
    (void)ranks;
    (void)values;
    (void)count;
}

double td_ranks_largest(td_ranks *ranks, double value)
{
    (void)ranks;
    return value;
}

uint64_t td_ranks_least(td_ranks *ranks, uint64_t value)
{
    (void)ranks;
    return value;
}

void td_ranks_gather(td_ranks *ranks, const void *own, void *all, uint32_t bytes)
{
    (void)ranks;
    memcpy(all, own, bytes);
}

void td_ranks_broadcast(td_ranks *ranks, void *data, uint64_t bytes)
{
    (void)ranks;
    (void)data;
    (void)bytes;
}

void td_ranks_send(td_ranks *ranks, uint32_t to, const void *data, uint64_t bytes)
{
    (void)ranks;
    (void)to;
    (void)data;
    (void)bytes;
}

void td_ranks_receive(td_ranks *ranks, uint32_t from, void *data, uint64_t bytes)
{
    (void)ranks;
    (void)from;
    (void)data;
    (void)bytes;
}

void td_ranks_swap_begin(td_ranks *ranks, const td_swap swaps[2])
{
    (void)ranks;
    (void)swaps;
}

void td_ranks_swap_end(td_ranks *ranks)
{
    (void)ranks;
}

void td_ranks_close(td_ranks *ranks)
{
    (void)ranks;
}
