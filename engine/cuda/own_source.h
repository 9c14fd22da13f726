/* own_source.h - kernels that are compiled at run time, and their source text for a compiler. */
#pragma once

#include "kernel_table.h"

/* Kernels for a workload from a file under any built-in map, for any workload under a map from a file, or for such a
 * map alone. */
typedef struct td_own_kernels {
    const td_workload *workload; /* NULL: none */
    const td_strategy *strategy; /* from a file; NULL: the built-in ones */
} td_own_kernels;

/* The symbol of the kernel at a place. */
enum { TD_OWN_SYMBOL_SIZE = 256 };
void td_own_symbol(const td_own_kernels *of, uint32_t place, char symbol[TD_OWN_SYMBOL_SIZE]);

/*
 * td_own_source - a translation unit with the kernels at the wanted places, for the caller to free.
 *
 * Input   wanted[TD_KERNEL_PLACES]: by td_kernel_place; a map from a file has place 0
 * Output  NULL: there is no memory
 */
char *td_own_source(const td_own_kernels *of, const bool *wanted);
