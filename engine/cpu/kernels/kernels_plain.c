/* kernels_plain.c - every workload for the instruction set that all processors of this kind have. */
#define TD_KERNELS td_cpu_kernels_plain
#include "kernels_of_isa.h"
