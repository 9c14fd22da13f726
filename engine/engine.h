/*
 * engine.h - what executes a plan on buffers. `cuda` and `cpu` answer the same functions.
 */
#ifndef TD_ENGINE_ENGINE_H
#define TD_ENGINE_ENGINE_H

#include "engine/core/run.h"
#include "engine/bench/coverage.h"

/* What an engine needs to know to launch one run: pointers are the engine's own. */
typedef struct td_execution {
    const td_strategy *strategy;
    const td_workload *workload;
    const td_plan *plan;
    td_kernel_kind kernel;
    td_schedule schedule;
    uint32_t cutoff;
    td_data data;         /* of a run without steps; of the first step otherwise */
    uint32_t steps;       /* launches of the plan, 1 for most workloads */
    uint32_t generations; /* that they advance altogether; the last launch may have fewer to do */
    void *state[2];       /* steps: step s writes state[s % 2], which step s + 1 reads */
} td_execution;

/* The data of one step of a execution: it reads what the last one wrote. */
td_data td_execution_step(const td_execution *execution, uint32_t step);

/* What the engines know to do with each cell of a workload with steps, without a map and without a grid. */
typedef enum td_cell_task {
    TD_TASK_REFERENCE, /* the cell's next state: reads and writes states of a byte a cell */
    TD_TASK_POISON     /* a value that no cell can have, to its place in data->output */
} td_cell_task;

/* The sum of the verdicts over all cells. */
typedef struct td_check_counts {
    uint64_t checked;
    uint64_t mismatches;
    uint64_t touched_outside; /* bytes outside the domain that no longer hold the poison */
    double max_abs_error;
    uint64_t found;
} td_check_counts;

/* How an engine is opened. */
typedef struct td_engine_config {
    const char *device; /* CUDA ordinal or UUID; NULL: 0 */
    uint32_t threads;   /* of the cpu engine, 0: all cores */
} td_engine_config;

typedef struct td_engine td_engine;

/* A execution made ready for sampling: on a GPU perhaps a graph of `batch` launches. */
typedef struct td_prepared td_prepared;

/*
 * The functions of an engine. All times in milliseconds of device time, sizes in bytes.
 *
 * Errors  every td_status function fills `error`; TD_NO_MEMORY from allocate, TD_UNAVAILABLE from open,
 * else TD_FAILED
 */
typedef struct td_engine_ops {
    const char *name;
    td_status (*open)(const td_engine_config *config, td_engine **engine, td_error *error);
    void (*close)(td_engine *engine);
    void (*describe)(td_engine *engine, td_environment *environment);
    td_status (*peak_bandwidth)(td_engine *engine, td_environment *environment, td_error *error);
    td_status (*free_memory)(td_engine *engine, uint64_t *free_bytes, td_error *error);
    td_status (*allocate)(td_engine *engine, uint64_t bytes, void **memory, td_error *error);
    void (*release)(td_engine *engine, void *memory);
    td_status (*upload)(td_engine *engine, void *to, const void *from, uint64_t bytes,
                        td_error *error);
    td_status (*download)(td_engine *engine, void *to, const void *from, uint64_t bytes,
                          td_error *error);
    td_status (*fill)(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                      td_error *error);
    /* Launch a execution once and wait for it. */
    td_status (*launch)(td_engine *engine, const td_execution *execution, td_error *error);
    /* Make a execution ready to be sampled `batch` launches at a time. */
    td_status (*prepare)(td_engine *engine, const td_execution *execution, uint32_t batch,
                         bool graph, td_prepared **prepared, td_error *error);
    void (*discard)(td_engine *engine, td_prepared *prepared);
    /* Time of one batch, first event to last. */
    td_status (*sample)(td_engine *engine, td_prepared *prepared, double *batch_ms,
                        td_error *error);
    /* Overwrite the caches. */
    td_status (*flush)(td_engine *engine, td_error *error);
    /* Check every cell of a workload's domain against its reference. Adds to *counts. */
    td_status (*check)(td_engine *engine, const td_workload *workload, const td_data *data,
                       td_check_counts *counts, td_error *error);
    /* How many bytes of [memory, memory + bytes) differ from `byte`. */
    td_status (*count_other)(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error);
    /* Visit every cell of the domain. */
    td_status (*for_each_cell)(td_engine *engine, const td_workload *workload, td_cell_task visit,
                               const td_data *data, td_error *error);
    /* Ask a map about every block of a plan; visits has a counter a place, cleared first. */
    td_status (*coverage)(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                          uint32_t *visits, uint64_t places, td_coverage *coverage,
                          td_error *error);
    /* False when no further call can succeed: a GPU's context does not survive a fault of a kernel. */
    bool (*is_healthy)(td_engine *engine);
    void (*state)(td_engine *engine, td_device_state *state);
    /* Energy counter [J], negative when there is none. */
    double (*energy_j)(td_engine *engine);
} td_engine_ops;

/* Every engine starts with this. */
struct td_engine {
    const td_engine_ops *ops;
};

extern const td_engine_ops td_cpu_ops;
/* in a build without CUDA: open answers "built without CUDA" */
extern const td_engine_ops td_cuda_ops;

/* Whether a usable CUDA device is there; the reason in `error` when not. Leaves no context behind in
 * a child process. */
bool td_cuda_is_usable(const char *device, td_error *error);

/* Devices for --list: fills at most `capacity`, returns how many there are. */
size_t td_cuda_devices(td_environment *devices, size_t capacity, td_error *error);

/* The host's part of an environment: name, OS, kernel, CPU, memory. */
void td_describe_host(td_environment *environment);

#endif
