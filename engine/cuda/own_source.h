/* own_source.h - the kernels of a workload from a file, and their source text for a compiler. */
#pragma once

#include <stdio.h>

#include "kernel_table.h"

/* All kernels of one workload. A place is the index of one of its pointers. */
typedef struct td_own_kernels {
    td_kernels kernels;
    td_tile_kernels tiles;
    const void *check;
} td_own_kernels;

enum {
    TD_OWN_PLACES = sizeof(td_own_kernels) / sizeof(const void *),
    TD_OWN_PLACE_CHECK = offsetof(td_own_kernels, check) / sizeof(const void *)
};

/* The symbol of the kernel at a place, as the compilers mangle it. */
enum { TD_OWN_SYMBOL_SIZE = 256 };
void td_own_symbol(const td_workload *workload, size_t place, char symbol[TD_OWN_SYMBOL_SIZE]);

/*
 * td_own_write - write a translation unit with the kernels at the wanted places.
 *
 * Input   workload: one with `own`; wanted[TD_OWN_PLACES]
 */
void td_own_write(FILE *to, const td_workload *workload, const bool *wanted);
