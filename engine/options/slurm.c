#include "slurm.h"

#include <stdlib.h>

#include "engine/core/span.h"

static td_status slurm_number(const char *name, uint64_t fallback, bool needed, uint64_t *value,
                              td_error *error)
{
    const char *text = getenv(name);
    if (text == NULL && !needed) {
        *value = fallback;
        return TD_OK;
    }
    if (text == NULL || !td_parse_u64(td_span_of(text), 0, UINT32_MAX, value)) {
        return td_fail(
            error, TD_USAGE,
            "--shard auto: expected a Slurm job array with a whole number in %s, which %s%s%s",
            name, text == NULL ? "is not set" : "is '",
            text == NULL ? "" : td_show_value(td_span_of(text)).text, text == NULL ? "" : "'");
    }
    return TD_OK;
}

td_status td_slurm_shard(uint64_t *index, uint64_t *count, td_error *error)
{
    uint64_t id = 0, min = 0, step = 1;
    TRY(slurm_number("SLURM_ARRAY_TASK_ID", 0, true, &id, error));
    TRY(slurm_number("SLURM_ARRAY_TASK_COUNT", 0, true, count, error));
    TRY(slurm_number("SLURM_ARRAY_TASK_MIN", 0, false, &min, error));
    TRY(slurm_number("SLURM_ARRAY_TASK_STEP", 1, false, &step, error));
    if (step == 0) {
        return td_fail(error, TD_USAGE, "--shard auto: SLURM_ARRAY_TASK_STEP is 0");
    }
    if (id < min) {
        return td_fail(error, TD_USAGE,
                       "--shard auto: SLURM_ARRAY_TASK_ID %llu is below SLURM_ARRAY_TASK_MIN %llu",
                       (unsigned long long)id, (unsigned long long)min);
    }
    *index = (id - min) / step;
    return TD_OK;
}
