/* kernels_avx512.c - every workload, compiled for AVX-512; the Makefile sets the flags. */
#define TD_KERNELS td_cpu_kernels_avx512
#include "kernels_of_isa.h"
