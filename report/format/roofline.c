/* roofline.c - the least time that memory takes, and rates from the model's operations. */
#include "roofline.h"

#include <math.h>
#include <stddef.h>

static const char *arithmetic_of(const td_run *run, const td_result *result)
{
    const char *floating = run->workload->sum != NULL ? "fp64" : "fp32";
    return result->flops > 0 ? floating : result->int_ops > 0 ? "int32" : NULL;
}

/* The bytes that no cache can keep from one pass over the data to the next. */
static double least_bytes(const td_run *run, const td_result *result, const td_environment *e)
{
    const bool on_device = run->engine != NULL && run->engine->can.device_memory;
    const double cache_bytes = (double)(on_device ? e->l2_bytes : e->cpu_cache_bytes);
    const double least = (double)result->launch_bytes - (double)result->passes * cache_bytes;
    return cache_bytes > 0 ? fmax(least, 0.0) : 0.0;
}

/* A bound above the median alone may be noise: compare with the whole interval. */
static bool is_above(double bound_ms, const td_summary *time_ms)
{
    return bound_ms > (time_ms->ci95.known ? time_ms->ci95.high : time_ms->max);
}

td_roofline td_roofline_make(const td_run *run, const td_result *result,
                             const td_environment *environment, const td_summary *time_ms)
{
    if (!td_workload_has_model(run->workload)) {
        return (td_roofline){.intensity = NAN, .gop_per_s = NAN, .bound_ms = NAN, .fraction = NAN};
    }
    const double bytes = (double)result->launch_bytes, median_ms = time_ms->median;
    const uint64_t operations = result->flops > 0 ? result->flops : result->int_ops;
    const double fill = environment->peaks.fill_gb_per_s, copy = environment->peaks.copy_gb_per_s;
    const double least = least_bytes(run, result, environment);
    const bool is_bound = least > 0 && fmax(fill, copy) > 0;
    const double bound_ms = is_bound ? least / (fmax(fill, copy) * 1e6) : NAN;
    return (td_roofline){
        .bytes = result->launch_bytes,
        .operations = operations,
        .arithmetic = arithmetic_of(run, result),
        .intensity = bytes > 0 ? (double)operations / bytes : NAN,
        .gop_per_s = median_ms > 0 ? (double)operations / (median_ms * 1e6) : NAN,
        .ceiling = !is_bound     ? NULL
                   : copy > fill ? "copy"
                                 : "fill",
        .bound_ms = bound_ms,
        .fraction = median_ms > 0 ? bound_ms / median_ms : NAN,
        .exceeded = is_bound && is_above(bound_ms, time_ms),
    };
}
