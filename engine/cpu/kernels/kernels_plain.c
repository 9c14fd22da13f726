/* kernels_plain.c - every workload, compiled for the instruction set that all processors of this architecture have. */
#define TD_KERNELS td_cpu_kernels_plain
#include "kernels_of_isa.h"
