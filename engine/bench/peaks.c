#include "peaks.h"

/* Whether a run has data that no cache of the device can hold. A rate of memory says nothing about the others. */
static bool has_large_run(const td_sweep *sweep, uint64_t cache_bytes)
{
    bool has = false;
    for (size_t r = 0; r < sweep->run_count && !has; r++) {
        const td_run *run = &sweep->runs[r];
        has = run->skip[0] == '\0' && td_workload_bytes(run->workload, &run->problem) > cache_bytes;
    }
    return has;
}

td_status td_peaks_measure(td_engine *engine, const td_sweep *sweep, td_environment *environment,
                           td_error *error)
{
    const td_engine_ops *ops = engine->ops;
    const uint64_t cache_bytes =
        ops->can.device_memory ? environment->l2_bytes : environment->cpu_cache_bytes;
    return ops->peak_bandwidth != NULL && has_large_run(sweep, cache_bytes)
               ? ops->peak_bandwidth(engine, environment, error)
               : TD_OK;
}
