/* loops.h - hand-written loops for some workloads, compiled for the processor that builds them. */
#ifndef TD_TESTS_BENCH_NATIVE_LOOPS_H
#define TD_TESTS_BENCH_NATIVE_LOOPS_H

#include <stdint.h>

/* Input: feature k of point i at input[k n + i]. Output: the packed lower triangle with its diagonal. */
void edm4_loop(int n, int threads, const float *input, float *output);

/* One generation of life on a tetrahedron by its usual rule, a byte per cell, packed. */
void life3_loop(int n, int threads, const uint8_t *input, uint8_t *output);

#endif
