/* nvrtc.h - NVIDIA's run-time compiler, loaded by dlopen: from the CUDA toolkit, or as installed by pip. */
#pragma once

#include "engine/core/error.h"

typedef struct td_nvrtc td_nvrtc;

/*
 * td_nvrtc_open - load NVRTC from a toolkit's folder. For NULL, try in this order: the packages of the `python3`
 * on PATH, its environment, the loader's paths, the packages in the user's home. NULL: there is none.
 */
td_nvrtc *td_nvrtc_open(const char *toolkit);

/* The name and version: versions may compile to different code. */
const char *td_nvrtc_name(const td_nvrtc *nvrtc);

/*
 * td_nvrtc_compile - compile a translation unit to a cubin.
 *
 * Input   name: of the unit, in messages; options: ended by NULL
 * Output  cubin: the file that is written
 * Errors  TD_USAGE: the compiler has said why on standard error; TD_UNAVAILABLE: it is older than the GPU; TD_FAILED
 */
td_status td_nvrtc_compile(const td_nvrtc *nvrtc, const char *text, const char *name,
                           const char *const *options, const char *cubin, td_error *error);

void td_nvrtc_close(td_nvrtc *nvrtc);
