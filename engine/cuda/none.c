/* cuda_none.c - the cuda engine of a build without CUDA: it says so. */
#include "engine/engine.h"

static td_status none_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    (void)config;
    (void)engine;
    return td_fail(
        error, TD_UNAVAILABLE,
        "this tribench was built without CUDA: build it where nvcc is on PATH or CUDA_HOME is set");
}

const td_engine_ops td_cuda_ops = {.name = "cuda", .open = none_open};

bool td_cuda_is_usable(const char *device, td_error *error)
{
    (void)device;
    return none_open(NULL, NULL, error) == TD_OK;
}

size_t td_cuda_devices(td_environment *devices, size_t capacity, td_error *error)
{
    (void)devices;
    (void)capacity;
    none_open(NULL, NULL, error);
    return 0;
}
