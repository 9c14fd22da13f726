/*
 * own_load.h - a workload from a file becomes one of the program's.
 *
 * compile/ knows files, compilers and what they make; cuda/ compiles its half of a workload with it.
 */
#ifndef TD_ENGINE_COMPILE_OWN_LOAD_H
#define TD_ENGINE_COMPILE_OWN_LOAD_H

#include "engine/core/error.h"
#include "engine/core/own.h"
#include "workloads/workload.h"

/*
 * td_own_load - compile the host half of the workloads in a file, load it and add them to td_workloads.
 *
 * Nothing but this file, what it includes, and what the cache has of them is compiled and loaded. That is code: it
 * can do all that its user may.
 *
 * Input   cached: take compiled halves from the cache, and keep them there
 * Output  *first, *count: which of td_workloads they are, in the order of the file; the same again for the same file
 * Errors  TD_USAGE: not readable, does not compile (the compiler has said why), not in the form of a workload;
 *         TD_UNAVAILABLE: no compiler, no headers; TD_NO_MEMORY, TD_FAILED
 */
td_status td_own_load(const char *path, bool cached, size_t *first, size_t *count, td_error *error);

#endif
