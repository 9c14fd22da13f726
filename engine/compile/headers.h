/* headers.h - where the headers lie that a workload's file is compiled with. */
#ifndef TD_ENGINE_COMPILE_HEADERS_H
#define TD_ENGINE_COMPILE_HEADERS_H

#include "engine/core/error.h"

/*
 * td_headers_find - the folder that holds strategies/, workloads/ and engine/: that of the program, where it was built
 * in a source tree or made to be carried; or what `make install` has put beside it.
 *
 * Output  absolute; the caller frees it
 * Errors  TD_UNAVAILABLE: there is none
 */
td_status td_headers_find(char **folder, td_error *error);

#endif
