/*
 * roofline.h - the bound of a run: how long the model's bytes and operations take at the rates that were measured on
 * the same machine, and how much of that the run reached.
 */
#ifndef TD_REPORT_FORMAT_ROOFLINE_H
#define TD_REPORT_FORMAT_ROOFLINE_H

#include "engine/core/run.h"

/* Unknown numbers are NaN, unknown words NULL. G is 1e9. */
typedef struct td_roofline {
    uint64_t bytes;         /* that the launches of the run must move */
    uint64_t operations;    /* that they must do */
    const char *arithmetic; /* of the kind "fp32", "fp64" or "int32"; NULL: there are none */
    double intensity;       /* operations per byte */
    double gop_per_s;       /* attained */
    const char *ceiling;    /* what takes longest at its best: "fill", "copy", or the arithmetic */
    double bound_ms;        /* how long */
    double fraction;        /* of the bound: bound_ms over the median */
} td_roofline;

/*
 * td_roofline_make - the bound of a run.
 *
 * A run that reads as much as it writes, or more, is held against the copy, any other against the fill.
 *
 * Input   result: with the counts of its model; median_ms: NaN when it was not measured
 */
td_roofline td_roofline_make(const td_run *run, const td_result *result,
                             const td_environment *environment, double median_ms);

#endif
