/* headers.h - find the headers that a workload's file is compiled with. */
#pragma once

#include "engine/core/error.h"

/*
 * td_headers_find - the folder that holds strategies/, workloads/ and engine/: in or near the program's folder, for a
 * build in a source tree or a portable folder; or the one that `make install` has put beside it.
 *
 * Output  absolute; the caller frees it
 * Errors  TD_UNAVAILABLE: there is none
 */
td_status td_headers_find(char **folder, td_error *error);
