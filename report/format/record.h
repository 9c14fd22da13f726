/*
 * record.h - a run with everything that follows from it by arithmetic, for json, csv and table.
 */
#pragma once

#include "engine/engine.h"
#include "engine/sweep/key.h"
#include "roofline.h"
#include "engine/core/stats.h"
#include "text.h"

enum { TD_CAVEATS_SIZE = 96, TD_HOW_SIZE = 192 };

/* One run as it is reported. An unknown number is NaN. Points into the run and its result. */
typedef struct td_record {
    const td_run *run;
    const td_result *result;
    const char *strategy, *workload, *engine; /* names */
    const char *verified_by;                  /* NULL: not verified */
    td_cache cache;
    const char *reason;           /* NULL when there is none */
    char how[TD_HOW_SIZE];        /* options that select its kernel; empty: as the group's */
    char started[TD_NUMBER_SIZE]; /* UTC; empty if the run never began */
    uint32_t dimension;           /* of the domain */
    char flat_tile[TD_TILE_SIZE]; /* "64x4"; empty: the tile is square */
    bool planned;                 /* the grids and bytes are known */
    uint64_t blocks_wasted;       /* of the launch */
    bool measured;                /* there are samples */
    td_summary time_ms;
    double half_width;  /* half of the median's interval, over the median */
    double per_step_ms; /* median time of one generation */
    double cells_per_s, gb_per_s, flops_per_s;
    double fraction_of_peak; /* gb_per_s over the fill bandwidth of the device */
    td_roofline roofline;
    char caveats[TD_CAVEATS_SIZE];    /* why to read its time with care, separated by commas */
    const char *baseline;             /* name; NULL: no improvement to report */
    td_summary improvement;           /* of the per-round ratios */
    double imbalance, imbalance_time; /* of parts: largest / mean, of cells and of medians */
    td_telemetry device; /* after the run; throttled before it counts too. Unknown: NaN, or -1 */
    double energy_j;     /* of one launch */
    td_summary launch_j; /* of one launch, over the windows of --energy; all unknown without it */
    td_summary nj_per_cell;
    double power_w; /* in those windows */
    /* Whether there is a value; for operations, whether the model gives one. */
    struct {
        bool check, improvement, energy, parts, exchange, precision;
        bool flops, model, storage;
    } has;
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

/* The options of a run that do not name what is computed: "-b 32x8 --tile 256 --kernel tile --memory strip". */
void td_how_text(const td_run *run, const td_result *result, char how[TD_HOW_SIZE]);

/* The words of the enumerations, the same in every output. */
extern const char *const td_run_status_names[],
    *const td_verified_names[], *const td_kernel_kind_names[], *const td_schedule_names[],
                                                                   *const td_cache_names[];

enum { TD_DEVICE_SIZE = 160 };

/* The device that a run is measured on, which identifies its results: the GPU, or the processor and the number of
 * threads used; empty if neither is known. */
void td_device_text(const char *gpu, const char *processor, uint32_t threads,
                    char text[TD_DEVICE_SIZE]);
void td_device_of(const td_environment *environment, char text[TD_DEVICE_SIZE]);

enum { TD_RUN_STATUS_COUNT = TD_RUN_DROPPED + 1 };
