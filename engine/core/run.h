/* run.h - the vocabulary of a sweep: runs, groups of runs that are sampled together, results. */
#ifndef TD_ENGINE_CORE_RUN_H
#define TD_ENGINE_CORE_RUN_H

#include "digest.h"
#include "error.h"
#include "strategies/part.h"
#include "workloads/workload.h"

enum { TD_KEY_SIZE = 416, TD_REASON_SIZE = 320 };

typedef struct td_engine_ops td_engine_ops; /* engine/engine.h */
typedef enum td_schedule {
    TD_SCHEDULE_GRID,
    TD_SCHEDULE_PERSISTENT,
    TD_SCHEDULE_DYNAMIC
} td_schedule;
typedef enum td_cache { TD_CACHE_WARM, TD_CACHE_COLD } td_cache;

/* How a sample is taken: launches of a millisecond in all, or one launch, queued before it starts. */
typedef enum td_sampling {
    TD_SAMPLING_BATCHED,
    TD_SAMPLING_ISOLATED,
    TD_SAMPLING_HOST
} td_sampling;

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
    TD_RUN_INTERRUPTED
} td_run_status;

typedef enum td_verified { TD_VERIFIED_NONE, TD_VERIFIED_PASS, TD_VERIFIED_FAIL } td_verified;

/* How runs are measured, the same for every run of an invocation. */
typedef struct td_protocol {
    uint32_t samples;
    uint32_t setups;   /* each with memory and graphs of its own; they share the samples; 0 is 1 */
    double precision;  /* of sampling: a group has enough when each interval's half width is this
                        * part of its median; 0: it takes all samples */
    uint32_t retry;    /* how often the samples of a set-up are taken again where others had their
                        * hands in them */
    uint32_t warmup;   /* launches, at least */
    double max_time_s; /* of sampling, per run */
    td_cache cache;
    td_sampling sampling;
    bool verify;
    bool energy;   /* count what each run takes, after it was sampled */
    bool inexact;  /* run beyond a strategy's exact range */
    bool profile;  /* one launch, and nothing beside it */
    bool brief;    /* samples that tell slow from fast, as short as events resolve */
    uint64_t seed; /* of the shuffled order in a round */
} td_protocol;

/* One combination, resolved: nothing left to default. */
typedef struct td_run {
    /* Names the run in every output, e.g. engine/workload/strategy/n8192/b16x16/t16/packed/seed1. */
    char key[TD_KEY_SIZE];
    const td_strategy *strategy;
    const td_workload *workload;
    const td_engine_ops *engine;
    td_problem problem;
    td_dim3 block;
    uint32_t tile;
    uint32_t width;  /* of a flat tile along x [cells]; 0: it is as wide as high */
    uint32_t cutoff; /* 0: the strategy has none */
    td_schedule schedule;
    bool tiled;                /* the workload's own kernel for tiles, where the engine has such */
    char skip[TD_REASON_SIZE]; /* why it cannot work; empty when it can */
    bool is_baseline;          /* others' I is measured against it */
    /* An earlier sweep has reported it: a baseline is measured all the same. */
    bool unrecorded;
    /* --ranks: how the domain is cut, and into how many parts; 0: not at all. This process has part `rank`. */
    td_partition partition;
    uint32_t ranks, rank;
} td_run;

static inline bool td_run_is_square(const td_run *run)
{
    return td_workload_is_square(run->workload, &run->problem);
}

/* Runs of one (workload, N, block, tile, layout): they share buffers and are sampled in interleaved rounds. */
typedef struct td_group {
    td_run *runs;
    size_t count;
} td_group;

/* Which part of a larger sweep this is. */
typedef struct td_shard {
    uint32_t index, count; /* count 0: it is the whole */
    size_t runs;           /* of the whole */
    td_digest digest;      /* of the keys of the whole: shards of one sweep have it in common */
} td_shard;

typedef struct td_sweep {
    td_run *runs; /* all runs, group after group */
    size_t run_count;
    td_group *groups; /* point into runs */
    size_t group_count;
    const char *baseline; /* name, NULL when there is none */
    td_shard shard;
} td_sweep;

/* Clocks, temperature and power of the device; a value that could not be read is negative. */
typedef struct td_telemetry {
    double sm_mhz, memory_mhz, temperature_c, power_w;
    double others; /* processes that have the device open, this one not counted */
    int throttled; /* 1, 0, or -1 when unknown */
} td_telemetry;

enum { TD_MOST_SETUPS = 16 };

enum { TD_ENERGY_WINDOWS = 6 }; /* the fewest that the median has an interval of */

/* The result of --energy. */
typedef struct td_energy {
    bool asked;
    uint32_t windows;                   /* 0: the counter could not be read */
    double launch_j[TD_ENERGY_WINDOWS]; /* of one launch, in each window */
    uint64_t launches;                  /* in all windows */
    double joules, seconds;             /* that they took, on the device */
    char reason[96];                    /* why there are no windows */
} td_energy;

/* One rank's share of a run, and the time it took. */
typedef struct td_rank_result {
    char host[128], gpu[128]; /* gpu: empty where there is none */
    uint64_t cells;
    double median_ms; /* of one launch of the run, on this rank alone; 0: not measured */
} td_rank_result;

/* Raw results of a run: report/ computes the statistics. Zeroed at the start. */
typedef struct td_result {
    td_run_status status;
    td_status error; /* why not ok: exit status of this run */
    char reason[TD_REASON_SIZE];
    double started_unix_s; /* when its verification began, 0: it never did */

    /* the launch */
    uint64_t kernels, blocks, blocks_needed, threads, cells;
    td_kernel_kind kernel;

    td_verified verified;
    uint64_t checked;
    uint64_t mismatches;
    double max_abs_error;
    bool has_finding;
    td_value finding; /* what the workload found, see td_workload.finding */

    uint64_t bytes, flops, int_ops; /* of the model */
    /* Likewise, but of a launch that advances several generations the state is read and written once. */
    uint64_t launch_bytes;
    uint64_t passes; /* over the data: launches of an automaton, else 1 */
    uint64_t working_set_bytes;
    /* Of an output with an element for each cell: what it takes in its layout, and its cells alone. */
    uint64_t stored_bytes, needed_bytes;

    uint32_t sample_count;
    double precision;                     /* that was asked for, 0: none */
    uint32_t retry, retries;              /* asked for; done, over all set-ups */
    const char *disturbance;              /* why the last of them was; NULL: none was */
    uint32_t setups;                      /* that have samples; 0 for none */
    uint32_t setup_first[TD_MOST_SETUPS]; /* the first sample of each */
    uint32_t warmup;                      /* launches really done */
    uint32_t batch;                       /* launches per sample */
    bool graph;                           /* sampled through a CUDA graph */
    double only_ms; /* its one sample, taken by the warm-up; 0: it has others */
    td_sampling sampling;
    /* [sample_count], the time of one launch of the run; round r of every run of a group is sample r. */
    double *sample_ms;

    td_telemetry before, after;
    double energy_j; /* of one launch; negative when unknown */
    td_energy energy;

    /* --ranks: [rank_count], NULL otherwise */
    td_rank_result *rank_results;
    uint32_t rank_count;
    const char *transport; /* of halos: "nccl" or "mpi"; NULL: there are none */
    /* The halos of one generation take so long on the slowest rank; negative when unknown. */
    double exchange_ms;
} td_result;

void td_result_free(td_result *result);

/* Where the time of an invocation went [s]: device work by kind; wall_s covers that and everything else. */
typedef struct td_timing {
    double wall_s;
    double verify_s, warm_up_s, sample_s;
} td_timing;

/* The machine and the device, for the record. Strings are empty and numbers 0 where unknown. */
typedef struct td_environment {
    char host[128], os[128], kernel[128], cpu_model[128];
    double load;                     /* of the host, over the minute before; negative: unknown */
    double running;                  /* processes at that moment, this one not counted; likewise */
    char cpu_governor[32];           /* of frequencies: "performance" */
    int cpu_turbo;                   /* 1, 0, -1 unknown */
    uint32_t cpu_cores, cpu_threads; /* cpu_threads: used by the cpu engine */
    char cpu_isa[16];                /* likewise its instruction set: "avx512" */
    uint64_t memory_bytes, cpu_cache_bytes; /* of all caches behind the first level; 0 unknown */
    bool has_gpu;
    uint32_t ordinal; /* as --device takes it */
    char gpu_name[128], gpu_uuid[64], gpu_pci_id[32];
    int compute_major, compute_minor;
    uint32_t sms;
    uint64_t gpu_memory_bytes, l2_bytes;
    int ecc;                             /* 1, 0, -1 unknown */
    int driver_version, runtime_version; /* as CUDA numbers them: 13000 */
    char clock_lock[16];                 /* of --lock-gpu-clocks */
    char driver_name[32];                /* e.g. "580.159.04", from NVML */
    double peaks_unix_s;                 /* when the rest was measured, 0: it was not */
    double fill_gb_per_s, copy_gb_per_s; /* measured peak bandwidth, 0 unknown; G = 1e9 */
    double fill_bytes, copy_bytes; /* of the buffers that it was measured with, whole numbers */
    /* Measured peak arithmetic, likewise; an instruction that does two operations, such as a multiply-add, is two. */
    double fp32_gop_per_s, fp64_gop_per_s, int32_gop_per_s;
    double idle_power_w;    /* of --energy: before the first run; 0 unknown */
    double empty_kernel_ms; /* as --timing isolated times it: its floor; 0 unknown */
} td_environment;

#endif
