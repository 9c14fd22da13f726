/*
 * engine.h - what executes a plan on buffers: the operations that an engine must bring.
 *
 * An engine is a folder and a row: the folder defines a td_engine_ops, options/engines.c lists it. Nobody else knows an
 * engine
 * by name; where engines differ the program asks what one can do.
 */
#ifndef TD_ENGINE_ENGINE_H
#define TD_ENGINE_ENGINE_H

#include "engine/core/coverage.h"
#include "engine/core/run.h"
#include "engine/ranks/ranks.h"

/* Rows that two neighbours hold and one of them computes: bytes of a state, from where its first cell would be. */
typedef struct td_halo_rows {
    int with; /* rank, -1: no neighbour */
    uint64_t give, give_bytes;
    uint64_t take, take_bytes;
} td_halo_rows;

/* Rows exchanged with the ranks above and below between two steps; `exists`: there is at least one such rank. */
typedef struct td_halo {
    bool exists;
    td_halo_rows side[2];
} td_halo;

/* Everything an engine needs to launch one run; pointers are to the engine's own memory. */
typedef struct td_execution {
    const td_strategy *strategy;
    const td_workload *workload;
    const td_plan *plan;
    td_kernel_kind kernel;
    td_schedule schedule;
    uint32_t cutoff;
    td_data data;           /* of a run without steps; of the first step otherwise */
    uint32_t steps;         /* launches of the plan, 1 for most workloads */
    uint32_t generations;   /* that they advance altogether; the last launch may have fewer to do */
    uint32_t per_launch;    /* generations of a launch, 0 for workloads without */
    void *double_buffer[2]; /* steps: step s writes double_buffer[s % 2], which step s + 1 reads */
    /* Of a part of an automaton's domain: of its own storage, and of one byte per cell. */
    td_halo halo, state_halo;
} td_execution;

/* The data of one step of an execution: it reads what the last one wrote. */
td_data td_execution_step(const td_execution *execution, uint32_t step);

/* Tasks that visit each cell of a workload with steps, without a map or a grid. */
typedef enum td_cell_task {
    TD_TASK_REFERENCE, /* the cell's next state: reads and writes states of one byte per cell */
    TD_TASK_POISON     /* a value that no cell can have, to its place in data->output */
} td_cell_task;

/* The sum of the verdicts over all cells. */
typedef struct td_check_counts {
    uint64_t checked;
    uint64_t mismatches;
    uint64_t touched_outside; /* bytes outside the domain that no longer hold the poison */
    double max_abs_error;
    uint64_t found;
    uint64_t first_wrong; /* 2D: row << 32 | column, plus 1, of the first mismatch; 0: none */
} td_check_counts;

/* How an engine is opened. */
typedef struct td_engine_config {
    const char *device; /* CUDA ordinal or UUID; NULL: 0 */
    uint32_t threads;   /* of the cpu engine, 0: all cores */
} td_engine_config;

typedef struct td_engine td_engine;

/* An execution made ready for sampling: on a GPU perhaps a graph of `batch` launches. */
typedef struct td_prepared td_prepared;

/* Capabilities of an engine, so that nobody asks for it by name. */
typedef struct td_engine_facts {
    bool device_memory; /* its memory is not the host's */
    bool graphs;        /* replays many launches as one, see `prepare` */
    bool trees;         /* runs strategies whose kernels launch kernels */
    bool tile_kernels;  /* has the workloads' own kernels for tiles; else cell by cell */
    bool persistent;    /* has blocks that stay, of --schedule; elsewhere it changes nothing */
    /* in 2D, what a tile larger than the block has of a row ends where lines of the output do: columns at its right
     * end are the next tile's */
    bool shifts_tiles;
    bool own;    /* runs workloads that come as files */
    bool energy; /* counts the energy that it takes */
} td_engine_facts;

/*
 * An engine: what it is called, what it can do, and its functions in the order in which a run calls them.
 *
 * A function that may be NULL says what that means. All times are milliseconds of device time, sizes bytes.
 *
 * Errors  every td_status function fills `error`; TD_NO_MEMORY from allocate, TD_UNAVAILABLE from open, else TD_FAILED
 */
struct td_engine_ops {
    const char *name;    /* of --engine, and in records and keys */
    const char *summary; /* one line for --list */
    td_engine_facts can;

    /* ---- Before anything is opened. Leaves the device alone: a worker is forked later on. ---- */

    /* Set what it has to find in its environment, and begin the program anew. NULL: it needs nothing. */
    void (*settle)(char *const *argv);
    /* Whether it would open, for --engine auto; the reason in `why` when not. NULL: it always does. */
    bool (*usable)(const char *device, td_error *why);
    /* The devices that --device selects from: fills in at most `capacity` and returns how many there are; `why` is a
     * sentence when there are none. NULL: it has nothing to select from. */
    size_t (*devices)(td_environment *devices, size_t capacity, td_error *why);

    /* ---- Once per worker ---- */

    /* Make the engine, its `ops` set. */
    td_status (*open)(const td_engine_config *config, td_engine **engine, td_error *error);
    /* Add what the engine knows to an environment that holds the host's part. NULL: nothing. */
    void (*describe)(td_engine *engine, td_environment *environment);
    /* Measure how fast memory is filled and copied at best. NULL: unknown. */
    td_status (*peak_bandwidth)(td_engine *engine, td_environment *environment, td_error *error);
    /* Measure how fast it computes at best, in a few milliseconds. NULL: unknown. */
    td_status (*peak_arithmetic)(td_engine *engine, td_environment *environment, td_error *error);

    /* Measure what `sample_isolated` tells of a kernel that does nothing. NULL: unknown. */
    td_status (*timer_floor)(td_engine *engine, td_environment *environment, td_error *error);

    /*
     * Make ready what these executions, whose buffers are not there yet, launch of workloads that were given as files.
     * NULL: nothing has to be.
     *
     * Errors  TD_USAGE: a file does not compile, the compiler has said why; TD_UNAVAILABLE: there is no compiler
     */
    td_status (*load)(td_engine *engine, const td_execution *executions, size_t count,
                      td_error *error);

    /* ---- Once per group: its buffers ---- */

    td_status (*free_memory)(td_engine *engine, uint64_t *free_bytes, td_error *error);
    td_status (*allocate)(td_engine *engine, uint64_t bytes, void **memory, td_error *error);
    /* From the host, or from memory of the engine. */
    td_status (*upload)(td_engine *engine, void *to, const void *from, uint64_t bytes,
                        td_error *error);

    /* ---- Verification of a run: reference, poison, launch, check, guard zones. ---- */

    /* Without `check` an engine verifies nothing, and its runs are recorded as unverified. for_each_cell, fill and
     * count_other are NULL then as well. */

    /* Visit every cell of the domain. */
    td_status (*for_each_cell)(td_engine *engine, const td_workload *workload, td_cell_task task,
                               const td_data *data, td_error *error);
    td_status (*fill)(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                      td_error *error);
    /* Launch an execution once and wait for it. */
    td_status (*launch)(td_engine *engine, const td_execution *execution, td_error *error);
    /* Check every cell of a workload's domain against its reference. Adds to *counts. */
    td_status (*check)(td_engine *engine, const td_workload *workload, const td_data *data,
                       td_check_counts *counts, td_error *error);
    /* How many bytes of [memory, memory + bytes) differ from `byte`. */
    td_status (*count_other)(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error);
    td_status (*download)(td_engine *engine, void *to, const void *from, uint64_t bytes,
                          td_error *error);

    /* ---- Warm-up and samples of a run ---- */

    /* Make an execution ready to be sampled `batch` launches at a time; `graph` only where it can. */
    td_status (*prepare)(td_engine *engine, const td_execution *execution, uint32_t batch,
                         bool graph, td_prepared **prepared, td_error *error);
    /* Clocks, temperature and power, before the samples and after them. NULL: unknown. */
    void (*telemetry)(td_engine *engine, td_telemetry *telemetry);
    /* Energy counter [J]. Errors: TD_FAILED, why it cannot be read. NULL unless `can.energy`. */
    td_status (*energy_j)(td_engine *engine, double *joules, td_error *error);
    /* --ranks, once all engines are open: how halos will travel, a word for the record. NULL: by MPI. */
    td_status (*join)(td_engine *engine, const char **transport, td_error *error);
    /* Time of one halo exchange in the last sample [ms], negative if there was none. NULL: unknown. */
    double (*exchange_ms)(td_engine *engine);
    /* Overwrite the caches, before each sample of --cache cold. NULL: it has none. */
    td_status (*flush)(td_engine *engine, td_error *error);
    /* Time of one batch, first event to last. */
    td_status (*sample)(td_engine *engine, td_prepared *prepared, double *batch_ms,
                        td_error *error);
    /* The same of --timing isolated: nothing of a batch of one starts before all of it is queued, so that no time of
     * the host's is in it. NULL: `sample` has none in it either. */
    td_status (*sample_isolated)(td_engine *engine, td_prepared *prepared, double *batch_ms,
                                 td_error *error);
    void (*discard)(td_engine *engine, td_prepared *prepared);

    /* ---- At the end ---- */

    /*
     * Asked after a failure: false when no further call can succeed, as on a GPU after a fault of a kernel. NULL: it is
     * always healthy.
     */
    bool (*is_healthy)(td_engine *engine);
    void (*release)(td_engine *engine, void *memory);
    void (*close)(td_engine *engine);

    /* ---- For --lock-gpu-clocks, in a process of its own, see run/worker/keeper.h ---- */

    /* Lock the clocks to "base", "max" or so many MHz. NULL: it has none. Errors: TD_UNAVAILABLE with the reason. */
    td_status (*lock_clocks)(const char *device, const char *clocks, void **lock, td_error *error);
    /* Give them back, and free the lock. Errors: TD_FAILED: they are still locked. */
    td_status (*unlock_clocks)(void *lock, td_error *error);

    /* ---- For profilers ---- */

    /* What follows belongs to a range of this name, of level 0 (a group), 1 (a run) or 2 (a phase), which ends those of
     * its level and below; NULL ends them alone. NULL: nobody is told. */
    void (*range)(td_engine *engine, int level, const char *name);
    /* --profile: what a profiler is to look at begins, or is over. NULL: it looks at all there is. */
    td_status (*profile)(td_engine *engine, bool on, td_error *error);

    /* ---- For --check-maps alone ---- */

    /* Ask a map about every block of a plan; visits has a counter per place, cleared first. NULL: it cannot. */
    td_status (*coverage)(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                          uint32_t *visits, uint64_t places, td_coverage *coverage,
                          td_error *error);
};

/* Every engine starts with this. */
struct td_engine {
    const td_engine_ops *ops;
    td_ranks *ranks;       /* NULL: a process on its own */
    const char *transport; /* of halos: "nccl" or "mpi" */
    /* The part of a 2D domain that `check` and `for_each_cell` visit; NULL: all. */
    const td_share *share;
};

/* That, of a domain with n rows. */
td_share td_engine_share(const td_engine *engine, uint32_t n);

/* Generations that a launch of a workload advances, 0 for one without: a kernel for tiles may do several, a cell
 * one. */
uint32_t td_launch_generations(const td_engine_ops *engine, const td_workload *workload);

/* The engines of this program, in the order in which `auto` prefers them. */
extern const td_engine_ops *const td_engines[];
extern const size_t td_engine_count;

/*
 * td_engine_resolve - the engine that executes: `wanted`, or for NULL the first that is usable.
 *
 * An engine asked for by name is taken at its word, and so is one with devices where a device is asked for: opening it
 * will tell.
 *
 * Output  why: what keeps the engine that auto prefers from being used; empty when nothing does
 */
const td_engine_ops *td_engine_resolve(const td_engine_ops *wanted, const char *device,
                                       td_error *why);

/* The environment of a record: the host's part, and what the engine adds. */
void td_engine_describe(td_engine *engine, td_environment *environment);

#endif
