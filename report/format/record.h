/*
 * record.h - a run with what follows from it by arithmetic, for json, csv and table.
 */
#pragma once

#include "engine/engine.h"
#include "engine/sweep/key.h"
#include "engine/core/stats.h"
#include "text.h"

enum { TD_CAVEATS_SIZE = 96, TD_HOW_SIZE = 192 };

/* Unknown numbers are NaN, unknown words NULL. G is 1e9. */
typedef struct td_roofline {
    uint64_t bytes;         /* bytes that the launches of the run must move */
    uint64_t operations;    /* of the model; a kernel may need fewer */
    const char *arithmetic; /* "fp32", "fp64", "int32", "tensor"; NULL: no operations */
    double intensity;       /* operations per byte */
    double gop_per_s;       /* attained */
    const char *ceiling; /* what bounds the run: memory as measured, "fill" or "copy"; "tensor" */
    double bound_ms;     /* the least time it takes; unknown if a cache can hold everything */
    double fraction;     /* of the bound: bound_ms over the median */
    bool exceeded;       /* by more than the median's interval, so it is not a bound */
} td_roofline;

/* One run as it is reported. An unknown number is NaN. Points into the run and its result. */
typedef struct td_record {
    const td_run *run;
    const td_result *result;
    td_cache cache;
    const char *reason;     /* NULL when there is none */
    char how[TD_HOW_SIZE];  /* options that select its kernel; empty: as the group's */
    bool planned;           /* the grids and bytes are known */
    bool measured;          /* there are samples */
    td_summary time_ms;     /* unknown if it was not measured */
    td_summary improvement; /* of the per-round ratios; unknown without a baseline */
    double gb_per_s;
    double fraction_of_peak; /* of the fill bandwidth of the device */
    td_roofline roofline;
    double others;       /* other processes that had the device open, before the run or after it */
    int throttled;       /* likewise: 1, 0, -1 unknown */
    td_summary launch_j; /* of one launch, over the windows of --energy; all unknown without it */
    td_summary nj_per_cell;
    char caveats[TD_CAVEATS_SIZE]; /* why to read its time with care, separated by commas */
} td_record;

/*
 * td_record_make - make the record of run `index` of a group.
 *
 * Input   results: one for each run of the group; environment: with the peak rates, if known
 * Errors  TD_NO_MEMORY
 */
td_status td_record_make(const td_group *group, const td_result *results, size_t index,
                         td_cache cache, const td_environment *environment, td_record *record,
                         td_error *error);

/*
 * td_roofline_make - the bound of a run.
 *
 * From one pass over the data to the next, caches keep as many bytes as they have; only the others must
 * come from memory or go there. Operations set no bound, because the smallest number that is enough is unknown.
 *
 * Input   result: with the counts of its model; environment: all caches, and the rates, of all devices of the run;
 *         time_ms: all NaN if the run was not measured
 */
td_roofline td_roofline_make(const td_run *run, const td_result *result,
                             const td_environment *environment, const td_summary *time_ms);

/* The amount per second at the median; an amount of 0 has no rate. */
double td_rate(uint64_t amount, const td_summary *time_ms);

/* The options of a run that do not name what is computed: "-b 32x8 --tile 256 --kernel tile --memory strip". */
void td_how_text(const td_run *run, const td_result *result, char how[TD_HOW_SIZE]);

/* The words of the enumerations, the same in every output. */
extern const char *const td_run_status_names[],
    *const td_verified_names[], *const td_kernel_kind_names[], *const td_cache_names[];

enum { TD_DEVICE_SIZE = 160 };

/* The device that a run is measured on, which identifies its results: the GPU, or the processor and the number of
 * threads used; empty if neither is known. */
void td_device_text(const char *gpu, const char *processor, uint32_t threads,
                    char text[TD_DEVICE_SIZE]);
void td_device_of(const td_environment *environment, char text[TD_DEVICE_SIZE]);

enum { TD_RUN_STATUS_COUNT = TD_RUN_DROPPED + 1 };
