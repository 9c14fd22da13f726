/*
 * own_load.h - load a workload from a file and add it to the program's workloads.
 *
 * compile/ handles source files, compilers and their output; cuda/ uses it to compile its half of a workload.
 */
#pragma once

#include "engine/core/error.h"
#include "engine/core/own.h"
#include "workloads/workload.h"

/*
 * td_own_load - compile the host half of the workloads in a file, load it and add them to td_workloads.
 *
 * Only this file, its includes and their entries in the cache are compiled and loaded. They are code, which can do
 * everything that its user may do.
 *
 * Output  *first, *count: their places in td_workloads, in the order of the file; the same places if loaded again
 * Errors  TD_USAGE: not readable, does not compile (the compiler has said why), not in the form of a workload;
 *         TD_UNAVAILABLE: no compiler, no headers; TD_NO_MEMORY, TD_FAILED
 */
td_status td_own_load(const char *path, size_t *first, size_t *count, td_error *error);
