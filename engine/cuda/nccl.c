/* nccl.c - loads NCCL with dlopen: without it, halos go through the host. */
#include "cuda.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The few values and types needed from the library's header nccl.h; they are part of its stable ABI. */
enum { NCCL_SUCCESS = 0, NCCL_CHAR = 0 };

typedef struct ncclComm *communicator;

typedef struct unique_id {
    char bytes[128];
} unique_id;

typedef struct td_nccl {
    void *library;
    communicator all;
    int (*unique_id)(unique_id *);
    int (*init)(communicator *, int, unique_id, int);
    int (*destroy)(communicator);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *, size_t, int, int, communicator, cudaStream_t);
    int (*receive)(void *, size_t, int, int, communicator, cudaStream_t);
    const char *(*text)(int);
} td_nccl;

/* POSIX lets a data pointer from dlsym serve as a function pointer; ISO C has no cast for it. */
static bool find(td_nccl *n, const char *name, void *function_pointer)
{
    return (*(void **)function_pointer = dlsym(n->library, name)) != NULL;
}

static bool load(td_nccl *n)
{
    n->library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    return n->library != NULL && find(n, "ncclGetUniqueId", &n->unique_id) &&
           find(n, "ncclCommInitRank", &n->init) && find(n, "ncclCommDestroy", &n->destroy) &&
           find(n, "ncclGroupStart", &n->group_start) && find(n, "ncclGroupEnd", &n->group_end) &&
           find(n, "ncclSend", &n->send) && find(n, "ncclRecv", &n->receive) &&
           find(n, "ncclGetErrorString", &n->text);
}

static td_status checked(const td_nccl *n, int result, td_error *error)
{
    return result == NCCL_SUCCESS ? TD_OK : td_fail(error, TD_FAILED, "NCCL: %s", n->text(result));
}

static td_status connect(td_nccl *n, td_ranks *ranks, td_error *error)
{
    unique_id id;
    td_status status = TD_OK;
    if (td_ranks_index(ranks) == 0) {
        status = checked(n, n->unique_id(&id), error);
    }
    TRY(td_ranks_agree(ranks, status, error));
    td_ranks_broadcast(ranks, &id, sizeof id);
    return checked(n, n->init(&n->all, (int)td_ranks_count(ranks), id, (int)td_ranks_index(ranks)),
                   error);
}

td_status td_nccl_open(td_engine *engine, td_nccl **nccl, td_error *error)
{
    td_ranks *ranks = engine->ranks;
    td_nccl *n = calloc(1, sizeof *n);
    const bool here = n != NULL && load(n);
    *nccl = NULL;
    if (td_ranks_least(ranks, here) == 0) { /* all or none */
        td_nccl_close(n);
        return TD_OK;
    }
    const td_status status = connect(n, ranks, error);
    if (status != TD_OK) {
        td_nccl_close(n);
        return status;
    }
    *nccl = n;
    return TD_OK;
}

static int enqueue(td_nccl *n, const td_halo *halo, uintptr_t state, cudaStream_t stream)
{
    int result = n->group_start();
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        if (rows->with >= 0 && result == NCCL_SUCCESS) {
            result = n->send((const void *)(state + rows->give), rows->give_bytes, NCCL_CHAR,
                             rows->with, n->all, stream);
        }
        if (rows->with >= 0 && result == NCCL_SUCCESS) {
            result = n->receive((void *)(state + rows->take), rows->take_bytes, NCCL_CHAR,
                                rows->with, n->all, stream);
        }
    }
    const int ended = n->group_end();
    return result != NCCL_SUCCESS ? result : ended;
}

td_status td_nccl_exchange(td_nccl *n, const td_halo *halo, void *state, cudaStream_t stream,
                           td_error *error)
{
    return checked(n, enqueue(n, halo, (uintptr_t)state, stream), error);
}

void td_nccl_close(td_nccl *n)
{
    if (n == NULL) {
        return;
    }
    if (n->all != NULL) {
        n->destroy(n->all);
    }
    if (n->library != NULL) {
        dlclose(n->library);
    }
    free(n);
}
