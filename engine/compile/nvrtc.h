/* nvrtc.h - NVIDIA's run-time compiler by dlopen: a library of the CUDA toolkit, or installed by pip. */
#ifndef TD_ENGINE_COMPILE_NVRTC_H
#define TD_ENGINE_COMPILE_NVRTC_H

#include "engine/core/error.h"

typedef struct td_nvrtc td_nvrtc;

/*
 * td_nvrtc_open - that of a folder, or for NULL the first of $VIRTUAL_ENV, $CONDA_PREFIX, where the loader looks, and
 * what pip has installed for the `python3` on PATH, or in the user's home. NULL: there is none.
 */
td_nvrtc *td_nvrtc_open(const char *folder);

/* Which it is: what it compiles may differ from one to the next. */
const char *td_nvrtc_name(const td_nvrtc *nvrtc);

/*
 * td_nvrtc_compile - a translation unit to a cubin.
 *
 * Input   name: of the unit, in messages; options: NULL behind the last
 * Output  cubin: the file is written
 * Errors  TD_USAGE: the compiler has said why on standard error; TD_UNAVAILABLE: it is older than the GPU; TD_FAILED
 */
td_status td_nvrtc_compile(const td_nvrtc *nvrtc, const char *text, const char *name,
                           const char *const *options, const char *cubin, td_error *error);

void td_nvrtc_close(td_nvrtc *nvrtc);

#endif
