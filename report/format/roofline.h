/*
 * roofline.h - the bound of a run: the least time that memory takes to move what no cache can keep, at the best rate
 * that was measured on the same machine. Next to it, rates from the model's operations.
 */
#pragma once

#include "engine/core/stats.h"
#include "engine/engine.h"

/* Unknown numbers are NaN, unknown words NULL. G is 1e9. */
typedef struct td_roofline {
    uint64_t bytes;         /* bytes that the launches of the run must move */
    uint64_t operations;    /* of the model; a kernel may need fewer */
    const char *arithmetic; /* "fp32", "fp64" or "int32"; NULL: there are no operations */
    double intensity;       /* operations per byte */
    double gop_per_s;       /* attained */
    const char *ceiling;    /* the measured memory rate that bounds the run: "fill" or "copy" */
    double bound_ms;        /* the least time it takes; unknown if a cache can hold everything */
    double fraction;        /* of the bound: bound_ms over the median */
    bool exceeded;          /* by more than the median's interval, so it is not a bound */
} td_roofline;

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
