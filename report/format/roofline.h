/*
 * roofline.h - the bound of a run: how long memory takes at least to move what no cache can keep, at the best rate that
 * was measured on the same machine. Beside it, what the model's operations say.
 */
#ifndef TD_REPORT_FORMAT_ROOFLINE_H
#define TD_REPORT_FORMAT_ROOFLINE_H

#include "engine/core/stats.h"
#include "engine/engine.h"

/* Unknown numbers are NaN, unknown words NULL. G is 1e9. */
typedef struct td_roofline {
    uint64_t bytes;         /* that the launches of the run must move */
    uint64_t operations;    /* of the model: a kernel may find a way with fewer */
    const char *arithmetic; /* of the kind "fp32", "fp64" or "int32"; NULL: there are none */
    double intensity;       /* operations per byte */
    double gop_per_s;       /* attained */
    const char *ceiling;    /* the measured rate of memory that binds the run, "fill" or "copy" */
    double bound_ms;        /* how long it takes at least; unknown where a cache can hold it all */
    double fraction;        /* of the bound: bound_ms over the median */
    bool exceeded;          /* by more than the interval of the median, so that it is no bound */
} td_roofline;

/*
 * td_roofline_make - the bound of a run.
 *
 * From one pass over the data to the next, caches keep as many bytes as they have: only the others must
 * come from memory or go there. Operations set no bound, for nobody knows how few are enough.
 *
 * Input   result: with the counts of its model; environment: all caches, and the rates, of all devices of the run;
 *         time_ms: all NaN when it was not measured
 */
td_roofline td_roofline_make(const td_run *run, const td_result *result,
                             const td_environment *environment, const td_summary *time_ms);

#endif
