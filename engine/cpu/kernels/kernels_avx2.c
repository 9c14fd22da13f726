/* kernels_avx2.c - every workload, compiled for AVX2; the Makefile sets the flags. */
#define TD_KERNELS td_cpu_kernels_avx2
#include "kernels_of_isa.h"
