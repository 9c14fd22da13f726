/* device_compiler.h - what compiles for the device while the program runs: NVRTC, or nvcc. */
#ifndef TD_ENGINE_COMPILE_DEVICE_COMPILER_H
#define TD_ENGINE_COMPILE_DEVICE_COMPILER_H

#include <limits.h>

#include "engine/core/digest.h"
#include "nvrtc.h"

typedef struct td_device_compiler {
    td_nvrtc *nvrtc;
    char nvcc[PATH_MAX]; /* without NVRTC */
} td_device_compiler;

/* A translation unit, and what it is compiled for. */
typedef struct td_device_unit {
    const char *text;
    const char *name;    /* in messages, "rbf.cu" */
    const char *headers; /* the folder that has strategies/, workloads/ and engine/ */
    int major, minor;    /* compute capability */
} td_device_unit;

/*
 * td_device_compiler_find - where CUDA_HOME is set, what that toolkit has; else the first of what the toolkit has that
 * this was built with, the NVRTC that pip or the loader knows, and nvcc on PATH.
 *
 * Errors  TD_UNAVAILABLE: neither is there; call td_device_compiler_close all the same
 */
td_status td_device_compiler_find(td_device_compiler *compiler, td_error *error);

/* All that the code of a unit depends on but the files that it includes. */
td_digest td_device_unit_digest(const td_device_compiler *compiler, const td_device_unit *unit);

/* Write the unit's cubin to a file. Errors: those of td_nvrtc_compile */
td_status td_device_compile(const td_device_compiler *compiler, const td_device_unit *unit,
                            const char *cubin, td_error *error);

void td_device_compiler_close(td_device_compiler *compiler);

#endif
