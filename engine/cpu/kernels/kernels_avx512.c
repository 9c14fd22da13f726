/* kernels_avx512.c - every workload for AVX-512: the Makefile has the flags. */
#define TD_KERNELS td_cpu_kernels_avx512
#include "kernels_of_isa.h"
