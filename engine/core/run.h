/* run.h - the vocabulary of a sweep: runs, groups of runs that are sampled together, results. */
#pragma once

#include "digest.h"
#include "error.h"
#include "stats.h"
#include "strategies/part.h"
#include "workloads/workload.h"

enum { TD_KEY_SIZE = 416, TD_REASON_SIZE = 320 };

typedef struct td_engine_ops td_engine_ops; /* engine/engine.h */
typedef enum td_schedule {
    TD_SCHEDULE_GRID,
    TD_SCHEDULE_PERSISTENT,
    TD_SCHEDULE_CONTIGUOUS,
    TD_SCHEDULE_DYNAMIC,
    TD_SCHEDULE_ALL /* in lists only: never in a run */
} td_schedule;
typedef enum td_cache { TD_CACHE_WARM, TD_CACHE_COLD } td_cache;

/* How a sample is taken: a batch of launches that lasts about a millisecond; a batch that the host launches one by one;
 * or, for a profiler, a single launch and nothing else. */
typedef enum td_sampling { TD_SAMPLING_BATCHED, TD_SAMPLING_HOST, TD_SAMPLING_ONCE } td_sampling;

/* How a kernel goes over the cells of a tile. */
typedef enum td_kernel_kind {
    TD_KERNEL_CELL, /* one cell per thread */
    TD_KERNEL_LOOP, /* each thread loops over the cells of a tile larger than the block */
    TD_KERNEL_TILE  /* the workload's own kernel for whole tiles */
} td_kernel_kind;

typedef enum td_run_status {
    TD_RUN_OK,
    TD_RUN_FAILED,
    TD_RUN_SKIPPED, /* cannot work; `reason` says why */
    TD_RUN_PLANNED, /* --dry-run */
    TD_RUN_INTERRUPTED,
    TD_RUN_DROPPED /* by --tune, as certainly slower than another run of its group */
} td_run_status;

typedef enum td_verified { TD_VERIFIED_NONE, TD_VERIFIED_PASS, TD_VERIFIED_FAIL } td_verified;

/* How runs are measured, the same for every run of an invocation. */
typedef struct td_protocol {
    uint32_t samples;
    /* A run has enough samples when the half width of its interval is this fraction of its median; 0: take all. */
    double precision;
    uint32_t warmup;   /* least number of launches */
    double max_time_s; /* of sampling, per run */
    td_cache cache;
    td_sampling sampling;
    bool verify;
    bool energy;  /* measure the energy of each run after it is sampled */
    bool inexact; /* run beyond a strategy's exact range */
    bool brief;   /* samples as short as events resolve, to tell slow from fast */
    bool
        is_race; /* with `precision`, a run that is certainly slower than another one of its group has enough samples */
    /* The most launches of an automaton that are sampled; times are scaled to all of its launches. 0: all. */
    uint32_t launches;
    uint64_t seed; /* for the shuffled order in each round */
} td_protocol;

/* One combination, resolved: no value is left to default. */
typedef struct td_run {
    /* Names the run in every output, e.g. engine/workload/strategy/n8192/b16x16/t16/packed/seed1. */
    char key[TD_KEY_SIZE];
    const td_strategy *strategy;
    const td_workload *workload;
    const td_engine_ops *engine;
    td_problem problem;
    td_dim3 block;
    uint32_t tile;
    uint32_t width;       /* of a tile that is not square, along x [cells]; 0: as wide as high */
    uint32_t cutoff;      /* 0: the strategy has none */
    uint32_t group;       /* rows of tiles; likewise */
    td_order order;       /* of rows, if the strategy takes one, */
    const uint32_t *rows; /* and the one that is given, for so many rows of tiles */
    uint32_t row_count;
    td_schedule schedule;
    bool tiled;                /* use the workload's own kernel for tiles, if the engine has one */
    char skip[TD_REASON_SIZE]; /* why it cannot work; empty when it can */
    bool is_baseline;          /* the improvement I of other runs is relative to it */
    /* Not recorded, because an earlier sweep has reported it; a baseline is measured nevertheless. */
    bool unrecorded;
    /* How the domain is cut, and into how many parts; 0: it is not cut. This process has part `part`. */
    td_partition partition;
    uint32_t parts, part;
} td_run;

static inline bool td_run_is_square(const td_run *run)
{
    return td_workload_is_square(run->workload, &run->problem);
}

/* Whether its strategy has groups of another size than usual. */
static inline bool td_run_is_grouped(const td_run *run)
{
    return run->group !=
           td_strategy_group(run->strategy, 0, td_workload_batch(run->workload, &run->problem));
}

/* Runs of one (workload, N, block, tile, layout): they share buffers and are sampled in interleaved rounds. */
typedef struct td_group {
    td_run *runs;
    size_t count;
} td_group;

/* Which part of a larger sweep this is. */
typedef struct td_shard {
    uint32_t index, count; /* count 0: this is the whole sweep */
    size_t runs;           /* in the whole sweep */
    td_digest digest;      /* of all keys of the whole sweep: the same in all its shards */
} td_shard;

typedef struct td_sweep {
    td_run *runs; /* all runs, group after group */
    size_t run_count;
    td_group *groups; /* point into runs */
    size_t group_count;
    td_shard shard;
} td_sweep;

/* Clocks, temperature and power of the device; a value that could not be read is negative. */
typedef struct td_telemetry {
    double sm_mhz, memory_mhz, temperature_c, power_w;
    double others; /* other processes that have the device open */
    int throttled; /* 1, 0, or -1 when unknown */
} td_telemetry;

enum { TD_ENERGY_WINDOWS = 6 }; /* the fewest for which the median has an interval */

/* The result of --energy. */
typedef struct td_energy {
    bool asked;
    uint32_t windows;                   /* 0: the counter could not be read */
    double launch_j[TD_ENERGY_WINDOWS]; /* of one launch, in each window */
    uint64_t launches;                  /* in all windows */
    double joules, seconds;             /* over all windows; device time */
    char reason[96];                    /* why there are no windows */
} td_energy;

/* One part of a run, and the time it took. */
typedef struct td_part_result {
    char host[128], gpu[128]; /* gpu: empty where there is none */
    uint64_t cells;
    double median_ms; /* of one launch of the run, of this part alone; 0: not measured */
} td_part_result;

/* What the output of a plain loop shows of a workload from a file without a check: see engine/bench/plain.h. */
typedef struct td_output_facts {
    uint64_t unwritten; /* elements of cells that no cell wrote */
    uint64_t
        first_unwritten; /* td_cell_number plus 1, or the element's plus 1; 0: none, or parts */
    uint64_t not_finite; /* elements that are NaN or infinite */
    double
        host_ulp; /* largest difference from the host in a sample of cells; negative: none taken */
} td_output_facts;

/* The results of a run. Zeroed at the start. */
typedef struct td_result {
    td_run_status status;
    td_status error; /* the exit status for this run, if it is not ok */
    char reason[TD_REASON_SIZE];
    double started_unix_s; /* when its verification began; 0: never */

    /* the launch */
    uint64_t kernels, blocks, blocks_needed, threads, cells;
    uint64_t at_once; /* blocks of a grid that the device works on at the same time; 0: unknown */
    td_kernel_kind kernel;

    td_verified verified;
    uint64_t checked;
    uint64_t mismatches;
    double max_abs_error;
    td_output_facts output;
    char first_unwritten[64]; /* "row 0, column 0"; empty: none, or a part of a domain */
    bool has_finding;
    td_value finding; /* what the workload found, see td_workload.finding */

    uint64_t bytes, flops, int_ops; /* of the workload's model */
    /* Likewise, but a launch that advances several generations reads and writes the state once. */
    uint64_t launch_bytes;
    uint64_t passes; /* over the data: the launches of an automaton, otherwise 1 */
    uint64_t working_set_bytes;
    /* Size of an output with one element per cell: as stored in its layout, and of the cells alone. */
    uint64_t stored_bytes, needed_bytes;

    uint32_t sample_count;
    double precision; /* as requested; 0: none */
    uint32_t warmup;  /* launches done */
    uint32_t batch;   /* launches per sample */
    bool graph;       /* sampled through a CUDA graph */
    td_sampling sampling;
    /* [sample_count], the time of one launch of the run; sample r of every run of a group was taken in round r. */
    double *sample_ms;
    td_summary time_ms;     /* of these samples, see td_group_summarise */
    const char *baseline;   /* strategy that it is compared with; NULL: none */
    td_summary improvement; /* of the ratios of the baseline's samples to its own, round by round */

    td_telemetry before, after;
    bool crowded; /* before or after sampling, see td_host_is_crowded */
    td_energy energy;

    /* If the domain is cut: [part_count], else NULL */
    td_part_result *part_results;
    uint32_t part_count;
    const char *transport; /* of halos: "nccl" or "mpi"; NULL: there are none */
    /* Time to exchange halos once, in the slowest process; negative when unknown. */
    double exchange_ms;
} td_result;

void td_result_free(td_result *result);

/* Where the time of an invocation went [s]: device work by kind; wall_s is the total, with everything else. */
typedef struct td_timing {
    double wall_s;
    double verify_s, warm_up_s, sample_s;
} td_timing;

/* Peaks of the device; 0: unknown. G = 1e9. */
typedef struct td_peaks {
    double fill_gb_per_s, copy_gb_per_s; /* of its memory, measured */
    double fill_bytes, copy_bytes;       /* of the buffers of these two, whole numbers */
    /* Bounds: every lane starts an instruction per cycle, at the highest clock. One with two operations, such as a
     * multiply-add, counts twice. */
    double fp32_gop_per_s, fp64_gop_per_s, int32_gop_per_s;
    double tensor_gop_per_s; /* of tensor cores, dense bf16 or f16 summed in float32 */
} td_peaks;

/* The machine and the device, for the record. Strings are empty and numbers 0 where unknown. */
typedef struct td_environment {
    char host[128], os[128], kernel[128], cpu_model[128];
    double load;                     /* of the host, over the last minute; negative: unknown */
    double running;                  /* other processes running at that moment; likewise */
    char cpu_governor[32];           /* frequency governor, e.g. "performance" */
    int cpu_turbo;                   /* 1, 0, -1 unknown */
    uint32_t cpu_cores, cpu_threads; /* cpu_threads: used by the cpu engine */
    char cpu_isa[16];                /* likewise, the instruction set: "avx512" */
    uint64_t memory_bytes, cpu_cache_bytes; /* of all caches beyond the first level; 0 unknown */
    bool has_gpu;
    uint32_t ordinal; /* as --device takes it */
    char gpu_name[128], gpu_uuid[64], gpu_pci_id[32];
    int compute_major, compute_minor;
    uint32_t sms;
    uint64_t gpu_memory_bytes, l2_bytes;
    int ecc;                             /* 1, 0, -1 unknown */
    int driver_version, runtime_version; /* as CUDA numbers them: 13000 */
    char driver_name[32];                /* e.g. "580.159.04", from NVML */
    td_peaks peaks;
    double idle_power_w; /* with --energy, before the first run; 0 unknown */
} td_environment;
