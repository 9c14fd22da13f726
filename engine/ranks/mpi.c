/* mpi.c - the ranks as MPI processes. Messages longer than 2 GiB are sent in pieces, because counts are ints. */
#include "ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 28, SWAP_REQUESTS = 4, TAG = 1 };

typedef struct mpi_ranks {
    td_ranks base;
    MPI_Request requests[SWAP_REQUESTS];
    int pending;
} mpi_ranks;

static bool may_leave;

/* Runs at exit, after all output: the launcher kills the other ranks as soon as one ends with a non-zero status, and
 * after MPI_Finalize any rank may end first. */
static void leave(void)
{
    if (may_leave) {
        MPI_Finalize();
    }
}

/* Ranks that share memory share a host. */
static void find_neighbours(td_ranks *r)
{
    MPI_Comm host;
    int index, count, local_index, local_count;
    MPI_Comm_rank(MPI_COMM_WORLD, &index);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, index, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &local_index);
    MPI_Comm_size(host, &local_count);
    MPI_Comm_free(&host);
    *r = (td_ranks){(uint32_t)index, (uint32_t)count, (uint32_t)local_index, (uint32_t)local_count};
}

td_status td_ranks_open(td_ranks **ranks, td_error *error)
{
    int provided = 0;
    mpi_ranks *r = NULL;
    TRY(td_allocate(&r, 1, sizeof *r, error, "--ranks"));
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        free(r);
        return td_fail(error, TD_FAILED, "--ranks: MPI does not start");
    }
    (void)atexit(leave);
    find_neighbours(&r->base);
    *ranks = &r->base;
    return TD_OK;
}

void td_ranks_close(td_ranks *ranks)
{
    may_leave = ranks != NULL;
    free(ranks);
}

td_status td_ranks_agree(td_ranks *ranks, td_status status, td_error *error)
{
    if (ranks == NULL) {
        return status;
    }
    const int own = (int)(status != TD_OK ? ranks->index : ranks->count);
    int first = own;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == (int)ranks->count) {
        return TD_OK;
    }
    struct {
        td_status status;
        td_error error;
    } said = {status, {""}};
    if (error != NULL) {
        said.error = *error;
    }
    MPI_Bcast(&said, (int)sizeof said, MPI_BYTE, first, MPI_COMM_WORLD);
    if (first > 0) {
        return td_fail(error, said.status, "rank %d: %.480s", first, said.error.text);
    }
    return td_fail(error, said.status, "%.511s", said.error.text);
}

void td_ranks_barrier(td_ranks *ranks)
{
    if (ranks != NULL) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

void td_ranks_sum(td_ranks *ranks, uint64_t *values, uint32_t count)
{
    if (ranks != NULL) {
        MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
}

double td_ranks_largest(td_ranks *ranks, double value)
{
    if (ranks != NULL) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    return value;
}

uint64_t td_ranks_least(td_ranks *ranks, uint64_t value)
{
    if (ranks != NULL) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    }
    return value;
}

void td_ranks_gather(td_ranks *ranks, const void *own, void *all, uint32_t bytes)
{
    if (ranks == NULL) {
        memcpy(all, own, bytes);
        return;
    }
    MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static int piece_at(uint64_t done, uint64_t bytes)
{
    return bytes - done < PIECE ? (int)(bytes - done) : PIECE;
}

void td_ranks_broadcast(td_ranks *ranks, void *data, uint64_t bytes)
{
    for (uint64_t done = 0; ranks != NULL && done < bytes; done += PIECE) {
        MPI_Bcast((char *)data + done, piece_at(done, bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

void td_ranks_send(td_ranks *ranks, uint32_t to, const void *data, uint64_t bytes)
{
    for (uint64_t done = 0; ranks != NULL && done < bytes; done += PIECE) {
        MPI_Send((const char *)data + done, piece_at(done, bytes), MPI_BYTE, (int)to, TAG,
                 MPI_COMM_WORLD);
    }
}

void td_ranks_receive(td_ranks *ranks, uint32_t from, void *data, uint64_t bytes)
{
    for (uint64_t done = 0; ranks != NULL && done < bytes; done += PIECE) {
        MPI_Recv((char *)data + done, piece_at(done, bytes), MPI_BYTE, (int)from, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* These need no pieces, because a few rows of cells are far below PIECE: 2^20 cells of 4 bytes are 4 MiB. */
void td_ranks_swap_begin(td_ranks *ranks, const td_swap swaps[2])
{
    mpi_ranks *r = (mpi_ranks *)ranks;
    for (int i = 0; ranks != NULL && i < 2; i++) {
        const td_swap *s = &swaps[i];
        if (s->with >= 0 && s->take_bytes > 0) {
            MPI_Irecv(s->take, (int)s->take_bytes, MPI_BYTE, s->with, TAG, MPI_COMM_WORLD,
                      &r->requests[r->pending++]);
        }
        if (s->with >= 0 && s->give_bytes > 0) {
            MPI_Isend(s->give, (int)s->give_bytes, MPI_BYTE, s->with, TAG, MPI_COMM_WORLD,
                      &r->requests[r->pending++]);
        }
    }
}

void td_ranks_swap_end(td_ranks *ranks)
{
    mpi_ranks *r = (mpi_ranks *)ranks;
    if (ranks != NULL) {
        MPI_Waitall(r->pending, r->requests, MPI_STATUSES_IGNORE);
        r->pending = 0;
    }
}
