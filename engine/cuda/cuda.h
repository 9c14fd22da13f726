/* cuda.h - declarations shared by the files of the cuda engine, which runs on one NVIDIA GPU. Its kernels are in
 * kernels/. */
#pragma once

#include <cuda_runtime_api.h>

#include "engine/engine.h"
#include "kernel_table.h"
#include "strategies/tree.h"

/* TD_OK, or TD_FAILED (TD_NO_MEMORY for an allocation) with the call, file and line in `error`. */
td_status td_cuda_status(cudaError_t code, const char *call, const char *file, int line,
                         td_error *error);

#define TD_CUDA(error, call) td_cuda_status((call), #call, __FILE__, __LINE__, (error))

/* Returns from the caller when the call fails. */
#define TRY_CUDA(error, call) TRY(TD_CUDA(error, call))

typedef struct td_cuda_engine {
    td_engine base;
    int device;
    int sms;
    int compute_major; /* of its compute capability */
    uint64_t l2_bytes;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    void *flush;               /* larger than L2; allocated on first use */
    td_device_counts *counts;  /* on the device */
    struct td_nvml *nvml;      /* NULL without NVML */
    struct td_cuda_halo *halo; /* NULL until the first exchange */
    struct td_nccl *nccl;      /* NULL: halos go through the host and MPI */
    struct td_cuda_own *own;   /* of own_kernels.c: what was loaded from files */
    char pci_id[32];
} td_cuda_engine;

static inline td_cuda_engine *td_cuda_of(td_engine *engine)
{
    return (td_cuda_engine *)engine;
}

/* ---- device.c ---- */

/* The ordinal of a device given as an ordinal or a UUID (NULL: 0). Errors: TD_UNAVAILABLE */
td_status td_cuda_pick(const char *wanted, int *ordinal, td_error *error);

/* Add a device's facts to an environment. */
td_status td_cuda_facts(int device, td_environment *environment, td_error *error);

/* ---- choice.c: pure decisions, the same for all workloads ---- */

/* The form of a launch's kernel. */
td_form td_cuda_form(const td_cuda_engine *cuda, const td_execution *execution,
                     const td_launch *launch);

/* The kernel of a launch; NULL: there is none. */
const void *td_cuda_kernel(const td_cuda_engine *cuda, const td_execution *execution,
                           const td_launch *launch);

/* Whether a launch's blocks loop over tiles, in a one-dimensional grid. */
bool td_cuda_loops(const td_execution *execution, const td_launch *launch);

/* Whether the domain is the whole square. */
bool td_cuda_is_square(const td_execution *execution);

/* ---- launch.c ---- */

/* One launch of a kernel, with the data of one step: a grid of an execution, the root of a tree, or a total. */
typedef struct td_cuda_launch {
    const void *kernel;
    dim3 grid;
    dim3 block;
    td_launch launch; /* the kernel's arguments */
    td_data data;
    uint32_t strategy; /* for whole-tile kernels, which choose the map at run time */
    td_node node;      /* for trees */
    uint32_t leaf;     /* [tiles] */
    uint64_t count;    /* for totals: terms */
    uint32_t shared;   /* memory of a block, besides what the kernel declares [bytes] */
    _Alignas(64) uint8_t boxes[TD_BOXES_BYTES]; /* for clusters: how they read their input */
    void *arguments[4]; /* point to the members above: do not copy the struct */
} td_cuda_launch;

/*
 * td_cuda_bind - fill in `out`, in place.
 *
 * Input   beside: below TD_COUNTERS, and different for launches that may run at the same time
 * Errors  TD_FAILED: the pair has no such kernel, or there are more tiles than --schedule dynamic can count
 */
td_status td_cuda_bind(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_launch *launch, const td_data *data, uint32_t beside,
                       td_cuda_launch *out, td_error *error);

/* Of a run that launches one grid. */
uint64_t td_cuda_blocks_at_once(td_engine *engine, const td_execution *execution);

/* Enqueue all launches of an execution once. */
td_status td_cuda_enqueue(td_cuda_engine *cuda, const td_execution *execution, td_error *error);

/* Build a graph of `repeats` launches of an execution. Within a step the launches are independent; the steps run in
 * order. */
td_status td_cuda_graph(const td_cuda_engine *cuda, const td_execution *execution, uint32_t repeats,
                        cudaGraphExec_t *graph, td_error *error);

/* Make room for a tree's pending launches. Called before its first launch. */
td_status td_cuda_tree_prepare(const td_execution *execution, td_error *error);

/* ---- halo.c: the rows at a cut, computed first, then exchanged with the neighbours while all other rows are
 * computed ---- */

/* Begin a step: work on *edges starts once everything enqueued so far is done. */
td_status td_cuda_halo_fork(td_cuda_engine *cuda, cudaStream_t *edges, td_error *error);

/* After the rows at the cuts: send them and receive the neighbours' rows. state: the address that its first element
 * would have. */
td_status td_cuda_halo_exchange(td_cuda_engine *cuda, const td_halo *halo, void *state,
                                td_error *error);

/* End a step: work enqueued from here on waits for both streams. */
td_status td_cuda_halo_join(td_cuda_engine *cuda, td_error *error);

/* Begin a sample, in which there may be no exchange. */
void td_cuda_halo_forget(td_cuda_engine *cuda);

void td_cuda_halo_close(td_cuda_engine *cuda);

/* ---- nccl.c: halos from GPU to GPU. The library is loaded only where several processes share a domain ---- */

/* Connect the GPUs of all processes. *nccl is NULL if any process has no NCCL. Errors: TD_FAILED with what NCCL says */
td_status td_nccl_open(td_engine *engine, struct td_nccl **nccl, td_error *error);

/* Enqueue the exchange of a halo. Errors: TD_FAILED */
td_status td_nccl_exchange(struct td_nccl *nccl, const td_halo *halo, void *state,
                           cudaStream_t stream, td_error *error);

void td_nccl_close(struct td_nccl *nccl);

/* ---- own_kernels.c: the kernels of workloads and maps given as files ---- */

/*
 * td_cuda_own_kernels - the kernels of a pair, of which one is from a file.
 *
 * Input   workload: NULL for those of the map alone; strategy: NULL for those of the workload under built-in maps
 * Output  of a map from a file in place 0; NULL: none of the two is from a file, or they were not loaded
 */
const td_kernels *td_cuda_own_kernels(const td_cuda_engine *cuda, const td_workload *workload,
                                      const td_strategy *strategy);

/* Load TD_COVERAGE and TD_ASK of a map, if it is from a file. Errors: those of td_cuda_own_load */
td_status td_cuda_own_load_map(td_cuda_engine *cuda, const td_strategy *strategy, td_error *error);

void td_cuda_own_close(td_cuda_engine *cuda);

/* ---- the operations of td_engine_ops that are not in row.c ---- */

bool td_cuda_usable(td_error *why);
bool td_cuda_likely(void);
size_t td_cuda_devices(td_environment *devices, size_t capacity, td_error *why);
td_status td_cuda_own_load(td_engine *engine, const td_execution *executions, size_t count,
                           td_error *error);
td_status td_cuda_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                          bool graph, td_prepared **prepared, td_error *error);
void td_cuda_discard(td_engine *engine, td_prepared *prepared);
td_status td_cuda_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                         td_error *error);
td_status td_cuda_flush(td_engine *engine, td_error *error);
td_status td_cuda_peak_bandwidth(td_engine *engine, td_environment *environment, td_error *error);
td_status td_cuda_check(td_engine *engine, const td_workload *workload, const td_data *data,
                        td_check_counts *counts, td_error *error);
td_status td_cuda_count_other(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                              uint64_t *count, td_error *error);
td_status td_cuda_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                                const td_data *data, td_error *error);
td_status td_cuda_coverage(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                           uint32_t *visits, uint64_t places, td_coverage *coverage,
                           td_error *error);
td_status td_cuda_ask(td_engine *engine, const td_strategy *strategy, const td_launch *launch,
                      const uint64_t *numbers, uint64_t count, td_tile *tiles, td_error *error);
td_status td_cuda_halo_connect(td_engine *engine, const char **transport, td_error *error);
double td_cuda_exchange_ms(td_engine *engine);
