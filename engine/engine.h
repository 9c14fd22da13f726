/*
 * engine.h - the interface of an engine, which executes a plan on buffers.
 *
 * An engine is a folder that defines a td_engine_ops, and a row in options/engines.c. No other file knows an engine by
 * name; where engines differ, the program asks what the engine can do (td_engine_facts).
 */
#pragma once

#include "engine/core/coverage.h"
#include "engine/core/run.h"
#include "engine/ranks/ranks.h"

/* Rows that a rank and one neighbour both hold: the rank computes the rows to give, the neighbour those to take.
 * Offsets are in bytes of a state, from where its first cell would be. */
typedef struct td_halo_rows {
    int with; /* the neighbour's rank; -1: no neighbour */
    uint64_t give, give_bytes;
    uint64_t take, take_bytes;
} td_halo_rows;

/* The rows exchanged with the ranks above and below between two steps; `exists`: there is at least one such rank. */
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
    td_data data;           /* of the first step, or of the whole run if it has no steps */
    uint32_t steps;         /* how often the plan is launched; 1 for most workloads */
    uint32_t generations;   /* of all steps together; the last launch may advance fewer */
    uint32_t per_launch;    /* generations per launch; 0 for workloads without steps */
    void *double_buffer[2]; /* step s writes double_buffer[s % 2], which step s + 1 reads */
    /* For a rank's part of an automaton's domain: in the automaton's storage, and in states of one byte per cell. */
    td_halo halo, state_halo;
} td_execution;

/* The data of one step of an execution: a step reads what the previous one wrote. */
td_data td_execution_step(const td_execution *execution, uint32_t step);

/* Tasks that visit each cell without a map or a grid: of a workload with steps, but for the last. */
typedef enum td_cell_task {
    TD_TASK_REFERENCE, /* computes the cell's next state, in states of one byte per cell */
    TD_TASK_POISON,    /* writes a value that the cell cannot have to its place in data->output */
    TD_TASK_PLAIN      /* of a workload from a file: runs the cell itself */
} td_cell_task;

/* The sum of the verdicts over all cells. */
typedef struct td_check_counts {
    uint64_t checked;
    uint64_t mismatches;
    uint64_t touched_outside; /* bytes outside the domain that no longer hold the poison */
    uint64_t guards;          /* bytes of the guard zones that were written */
    uint64_t inputs;          /* inputs that were changed: at most one per process */
    double max_abs_error;
    uint64_t found;
    uint64_t first_wrong; /* td_cell_number of the first mismatch, plus 1; 0: none */
    /* this mismatch and the right element, of a workload that is proven by a loop or says what it expects */
    uint64_t found_bits, expected_bits;
    td_output_facts output;
} td_check_counts;

/* How an engine is opened. */
typedef struct td_engine_config {
    const char *device; /* CUDA ordinal or UUID; NULL: ordinal 0 */
    uint32_t threads;   /* for the cpu engine; 0: all cores */
    bool one_queue;     /* no kernel launches kernels, and no copy runs beside kernels */
} td_engine_config;

typedef struct td_engine td_engine;

/* An execution prepared for sampling: on a GPU possibly a graph of `batch` launches. */
typedef struct td_prepared td_prepared;

/* Capabilities of an engine, so that no code has to test its name. */
typedef struct td_engine_facts {
    bool device_memory; /* its memory is separate from the host's */
    bool graphs;        /* can replay many launches as one, see `prepare` */
    bool trees;         /* can run strategies whose kernels launch kernels */
    bool tile_kernels;  /* has the workloads' own kernels for tiles; else it works cell by cell */
    bool persistent;    /* has the persistent blocks of --schedule, which has no effect elsewhere */
    bool energy;        /* can measure its energy */
} td_engine_facts;

/*
 * An engine: its name, its capabilities, and its functions in the order in which a run calls them.
 *
 * If a function may be NULL, its comment says what NULL means. Times are in milliseconds of device time, sizes in
 * bytes.
 *
 * Errors  every td_status function fills `error`; allocate returns TD_NO_MEMORY, open TD_UNAVAILABLE, others TD_FAILED
 */
struct td_engine_ops {
    const char *name;    /* in --engine, records and keys */
    const char *summary; /* one line for --list */
    td_engine_facts can;

    /* ---- Before anything is opened. These leave the device alone, because a worker is forked afterwards. ---- */

    /* Whether the engine would open, for --engine auto; if not, `why` has the reason. NULL: it always opens. */
    bool (*usable)(td_error *why);
    /* Whether it would probably open, answered at once, where `usable` takes long. NULL: only `usable` knows. */
    bool (*likely)(void);
    /* List the devices that --device can select: fills in at most `capacity` and returns how many there are; `why` is
     * a sentence if there are none. NULL: there is nothing to select. */
    size_t (*devices)(td_environment *devices, size_t capacity, td_error *why);

    /* ---- Once per worker ---- */

    /* Create the engine and set its `ops`. */
    td_status (*open)(const td_engine_config *config, td_engine **engine, td_error *error);
    /* Add the engine's part to an environment that holds the host's part. NULL: nothing to add. */
    void (*describe)(td_engine *engine, td_environment *environment);
    /* Measure the peak bandwidth of filling and of copying memory. NULL: unknown. */
    td_status (*peak_bandwidth)(td_engine *engine, td_environment *environment, td_error *error);
    /*
     * Load the kernels that these executions launch for workloads given as files. Their buffers do not exist yet.
     * NULL: there is nothing to load.
     *
     * Errors  TD_USAGE: a file does not compile, and the compiler has said why; TD_UNAVAILABLE: there is no compiler
     */
    td_status (*load)(td_engine *engine, const td_execution *executions, size_t count,
                      td_error *error);

    /* ---- Once per group: its buffers ---- */

    td_status (*free_memory)(td_engine *engine, uint64_t *free_bytes, td_error *error);
    td_status (*allocate)(td_engine *engine, uint64_t bytes, void **memory, td_error *error);
    /* `from` is in the host's memory or in the engine's. */
    td_status (*upload)(td_engine *engine, void *to, const void *from, uint64_t bytes,
                        td_error *error);

    /* ---- Verification of a run: reference, poison, launch, check, guard zones. ---- */

    /* An engine whose `check` is NULL verifies nothing, and its runs are recorded as unverified. Its for_each_cell,
     * fill and count_other are NULL as well. */

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
    /* Count the bytes of [memory, memory + bytes) that differ from `byte`. */
    td_status (*count_other)(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error);
    td_status (*download)(td_engine *engine, void *to, const void *from, uint64_t bytes,
                          td_error *error);

    /* ---- Warm-up and samples of a run ---- */

    /* Prepare an execution for samples of `batch` launches; `graph` may be true only if can.graphs is. */
    td_status (*prepare)(td_engine *engine, const td_execution *execution, uint32_t batch,
                         bool graph, td_prepared **prepared, td_error *error);
    /* How many blocks of the plan's grid the device works on at the same time; 0: unknown. NULL: unknown. */
    uint64_t (*blocks_at_once)(td_engine *engine, const td_execution *execution);
    /* Read clocks, temperature and power, before the samples and after them. NULL: unknown. */
    void (*telemetry)(td_engine *engine, td_telemetry *telemetry);
    /* Read the energy counter [J]. Errors: TD_FAILED: why it cannot be read. NULL unless can.energy. */
    td_status (*energy_j)(td_engine *engine, double *joules, td_error *error);
    /* With --ranks, once all engines are open: choose how halos travel, and name it for the record. NULL: by MPI. */
    td_status (*join)(td_engine *engine, const char **transport, td_error *error);
    /* Time of one halo exchange in the last sample [ms], negative if there was none. NULL: unknown. */
    double (*exchange_ms)(td_engine *engine);
    /* Overwrite the caches, before each sample of --cache cold. NULL: the engine has none. */
    td_status (*flush)(td_engine *engine, td_error *error);
    /* Run one batch and time it from its first event to its last. */
    td_status (*sample)(td_engine *engine, td_prepared *prepared, double *batch_ms,
                        td_error *error);
    void (*discard)(td_engine *engine, td_prepared *prepared);

    /* ---- At the end ---- */

    /*
     * Called after a failure: false if no further call can succeed, as on a GPU after a kernel fault. NULL: the engine
     * is always healthy.
     */
    bool (*is_healthy)(td_engine *engine);
    void (*release)(td_engine *engine, void *memory);
    void (*close)(td_engine *engine);

    /* With --timing once: the section that a profiler records begins (`on`) or ends. NULL: it records everything. */
    td_status (*profile)(td_engine *engine, bool on, td_error *error);

    /* ---- For --check-maps only ---- */

    /* Evaluate a map for every block of a plan; `visits` has one counter per place, cleared first. NULL: cannot. */
    td_status (*coverage)(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                          uint32_t *visits, uint64_t places, td_coverage *coverage,
                          td_error *error);

    /* Evaluate a map for some of the numbers of td_asked_count; `tiles` has one answer per number. */
    td_status (*ask)(td_engine *engine, const td_strategy *strategy, const td_launch *launch,
                     const uint64_t *numbers, uint64_t count, td_tile *tiles, td_error *error);
};

/* Every engine's own struct starts with this one. */
struct td_engine {
    const td_engine_ops *ops;
    td_ranks *ranks;       /* NULL: a single process */
    const char *transport; /* of halos: "nccl" or "mpi" */
    /* The rows of a 2D domain that `check` and `for_each_cell` visit; NULL: all of it. */
    const td_share *share;
    /* Called again and again by what takes longer than a sample, so that --timeout only ends work that hangs. NULL:
     * nobody waits. */
    void (*beat)(void *context);
    void *context; /* of beat */
};

static inline void td_engine_beat(const td_engine *engine)
{
    if (engine->beat != NULL) {
        engine->beat(engine->context);
    }
}

/* The rows that an engine visits of a domain with n rows. */
td_share td_engine_share(const td_engine *engine, uint32_t n);

/* The engines of this program, in the order in which `auto` prefers them. */
extern const td_engine_ops *const td_engines[];
extern const size_t td_engine_count;

/* Whether all can go on: the status, and the sentence, of the first one that cannot. */
static inline td_status td_engine_agree(td_engine *engine, td_status status, td_error *error)
{
    return td_ranks_agree(engine->ranks, status, error);
}

static inline double td_engine_largest(td_engine *engine, double value)
{
    return td_ranks_largest(engine->ranks, value);
}

/* The environment of a record: the host's part and the engine's. */
void td_engine_describe(td_engine *engine, td_environment *environment);
