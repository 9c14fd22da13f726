/* device_compiler.h - compile for the device at run time, by NVRTC or nvcc. */
#pragma once

#include <limits.h>

#include "engine/core/digest.h"
#include "nvrtc.h"

typedef struct td_device_compiler {
    td_nvrtc *nvrtc;
    char nvcc[PATH_MAX]; /* used if there is no NVRTC */
} td_device_compiler;

/* A translation unit, and its target. */
typedef struct td_device_unit {
    const char *text;
    const char *name;    /* in messages, "rbf.cu" */
    const char *headers; /* the folder that holds strategies/, workloads/ and engine/ */
    int major, minor;    /* compute capability */
} td_device_unit;

/*
 * td_device_compiler_find - find NVRTC or nvcc. If CUDA_HOME is set, only that toolkit counts. Otherwise try in this
 * order: the toolkit that the program was built with, the NVRTC that pip or the loader knows, nvcc on PATH.
 *
 * Errors  TD_UNAVAILABLE: there is neither; call td_device_compiler_close nevertheless
 */
td_status td_device_compiler_find(td_device_compiler *compiler, td_error *error);

/* The digest of everything that the code of a unit depends on, except the files that it includes. */
td_digest td_device_unit_digest(const td_device_compiler *compiler, const td_device_unit *unit);

/* Write the unit's cubin to a file. Errors: those of td_nvrtc_compile */
td_status td_device_compile(const td_device_compiler *compiler, const td_device_unit *unit,
                            const char *cubin, td_error *error);

void td_device_compiler_close(td_device_compiler *compiler);
