#include "nccl.h"

#ifdef TD_NCCL

#include <dlfcn.h>
#include <nccl.h>
#include <stdlib.h>

struct td_nccl {
    void *library;
    ncclComm_t all;
    ncclResult_t (*unique_id)(ncclUniqueId *);
    ncclResult_t (*init)(ncclComm_t *, int, ncclUniqueId, int);
    ncclResult_t (*destroy)(ncclComm_t);
    ncclResult_t (*group_start)(void);
    ncclResult_t (*group_end)(void);
    ncclResult_t (*send)(const void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t);
    ncclResult_t (*receive)(void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t);
    const char *(*text)(ncclResult_t);
};

/* POSIX lets a data pointer from dlsym serve as a function pointer; ISO C has no cast for it. */
static bool find(td_nccl *n, const char *name, void *function_pointer)
{
    return (*(void **)function_pointer = dlsym(n->library, name)) != NULL;
}

/* Load the library from where the loader looks, or else from where it was at build time. */
static bool load(td_nccl *n)
{
    n->library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (n->library == NULL) {
        n->library = dlopen(TD_NCCL "/libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    }
    return n->library != NULL && find(n, "ncclGetUniqueId", &n->unique_id) &&
           find(n, "ncclCommInitRank", &n->init) && find(n, "ncclCommDestroy", &n->destroy) &&
           find(n, "ncclGroupStart", &n->group_start) && find(n, "ncclGroupEnd", &n->group_end) &&
           find(n, "ncclSend", &n->send) && find(n, "ncclRecv", &n->receive) &&
           find(n, "ncclGetErrorString", &n->text);
}

static td_status checked(const td_nccl *n, ncclResult_t result, td_error *error)
{
    return result == ncclSuccess ? TD_OK : td_fail(error, TD_FAILED, "NCCL: %s", n->text(result));
}

static td_status connect(td_nccl *n, td_ranks *ranks, td_error *error)
{
    ncclUniqueId id;
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

static ncclResult_t enqueue(td_nccl *n, const td_halo *halo, uintptr_t state, cudaStream_t stream)
{
    ncclResult_t result = n->group_start();
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        if (rows->with >= 0 && result == ncclSuccess) {
            result = n->send((const void *)(state + rows->give), rows->give_bytes, ncclChar,
                             rows->with, n->all, stream);
        }
        if (rows->with >= 0 && result == ncclSuccess) {
            result = n->receive((void *)(state + rows->take), rows->take_bytes, ncclChar,
                                rows->with, n->all, stream);
        }
    }
    const ncclResult_t ended = n->group_end();
    return result != ncclSuccess ? result : ended;
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

#else

td_status td_nccl_open(td_engine *engine, td_nccl **nccl, td_error *error)
{
    (void)engine;
    (void)error;
    *nccl = NULL;
    return TD_OK;
}

td_status td_nccl_exchange(td_nccl *nccl, const td_halo *halo, void *state, cudaStream_t stream,
                           td_error *error)
{
    (void)nccl;
    (void)halo;
    (void)state;
    (void)stream;
    return td_fail(error, TD_FAILED, "built without NCCL");
}

void td_nccl_close(td_nccl *nccl)
{
    (void)nccl;
}

#endif
