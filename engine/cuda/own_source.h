/* own_source.h - the kernels of a workload from a file, and their source text for a compiler. */
#pragma once

#include "kernel_table.h"

/* The symbol of the kernel at a place, as the compilers mangle it. */
enum { TD_OWN_SYMBOL_SIZE = 256 };
void td_own_symbol(const td_workload *workload, uint32_t place, char symbol[TD_OWN_SYMBOL_SIZE]);

/*
 * td_own_source - a translation unit with the kernels at the wanted places, for the caller to free.
 *
 * Input   workload: one with `own`; wanted[TD_KERNEL_PLACES]: by td_kernel_place
 * Output  NULL: there is no memory
 */
char *td_own_source(const td_workload *workload, const bool *wanted);
