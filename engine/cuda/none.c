/* none.c - the cuda engine of a build without CUDA: it only says so. */
#include "row.h"

static bool none_usable(td_error *why)
{
    td_fail(
        why, TD_UNAVAILABLE,
        "this tribench was built without CUDA: build it where nvcc is on PATH or CUDA_HOME is set");
    return false;
}

static size_t none_devices(td_environment *devices, size_t capacity, td_error *why)
{
    td_error reason;
    (void)devices;
    (void)capacity;
    none_usable(&reason);
    td_fail(why, TD_UNAVAILABLE, "no CUDA device: %s", reason.text);
    return 0;
}

static td_status none_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    (void)config;
    (void)engine;
    none_usable(error);
    return TD_UNAVAILABLE;
}

const td_engine_ops td_cuda_ops = {
    TD_CUDA_FACTS,
    .usable = none_usable,
    .devices = none_devices,
    .open = none_open,
};
